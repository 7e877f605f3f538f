// The model language of force elements. See schema_table.c for the rest.
#include "io/schema_spring.h"

#include "io/schema_rows.h"

#define TYPE_WORDS "line torsion bushing"
_Static_assert(ZN_TYPE_LINE == 0 && ZN_TYPE_TORSION == 1 && ZN_TYPE_BUSHING == 2, "order of TYPE_WORDS");
_Static_assert(ZN_SPRING_BOTH == 0 && ZN_SPRING_PULL == 1 && ZN_SPRING_PUSH == 2, "order of the choices of 'acts'");
_Static_assert(sizeof(zn_spring_side) == sizeof(int), "choices fill enums as int");

// --- along a line ----------------------------------------------------------------------------------

static const zn_schema_key spring_keys[] = {
    {"type", ZN_KEY_CHOICE, CHOICES(TYPE_WORDS), FIELD(zn_spring_entry, type),
     HELP("along the line between two points; the others have tables of their own")},
    {"from", ZN_KEY_NAME, REQUIRED, FIELD(zn_spring_entry, from), HELP("body, node such as rod[0], point or ground")},
    {"from_at", ZN_KEY_VECTOR, PLACE, CARRIED("from"), UNIT(LENGTH), FIELD(zn_spring_entry, def.from.at),
     HELP("its point: in the axes of a rigid body from the centre of mass; on the ground in world axes")},
    {"to", ZN_KEY_NAME, REQUIRED, FIELD(zn_spring_entry, to), HELP("the other end: body, node or ground")},
    {"to_at", ZN_KEY_VECTOR, PLACE, CARRIED("to"), UNIT(LENGTH), FIELD(zn_spring_entry, def.to.at),
     HELP("its point, as from_at")},
    {"stiffness", ZN_KEY_NUMBER, UNIT(STIFFNESS), NOT_NEGATIVE, FIELD(zn_spring_entry, def.stiffness),
     HELP("force per elongation")},
    {"damping", ZN_KEY_NUMBER, UNIT(DAMPING), NOT_NEGATIVE, FIELD(zn_spring_entry, def.damping),
     HELP("force per rate of elongation")},
    {"rest_length", ZN_KEY_SIGNAL, UNIT(LENGTH), FIELD(zn_spring_entry, def.rest), DEFAULT("initial length"),
     HELP("length without force, at least 0, or a function of time: what moves it does work, which is that of a load")},
    {"preload", ZN_KEY_NUMBER, UNIT(FORCE), FIELD(zn_spring_entry, def.preload), DEFAULT("none"),
     HELP("in place of rest_length: force at the start, pull positive")},
    {"acts", ZN_KEY_CHOICE, CHOICES("both pull push"), FIELD(zn_spring_entry, def.acts),
     HELP("pull: a rope, without force when it is shorter than rest_length; push: a stop, without force when longer. "
          "Its damper then has at most the force of its spring")},
    {"table", ZN_KEY_NODE, FIELD(zn_spring_entry, table), DEFAULT("none"),
     HELP(
         "in place of stiffness: pairs [elongation, force], elongation ascending; linear between them, and beyond them "
         "as the first and last piece")},
    {"force", ZN_KEY_NODE, FIELD(zn_spring_entry, force), DEFAULT("none"),
     HELP("in place of all laws: expression of length [m], rate [m/s] and t in N, pull positive. Its work is that of a "
          "load, but for what depends on the rate, which is a damper's")},
};

static void spring_defaults(void *out) { *(zn_spring_entry *)out = (zn_spring_entry){.def = zn_spring_def_default()}; }

const zn_schema zn_schema_spring = {
    "spring",
    "springs",
    "Springs with dampers between two points; the force acts along the line. Torsion springs and bushings: see below.",
    sizeof(zn_spring_entry),
    spring_defaults,
    KEYS(spring_keys)};
