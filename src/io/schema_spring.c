// The model language of force elements. See schema_table.c for the rest.
#include "io/schema_spring.h"

#include "io/schema_rows.h"
#include "io/schema_table.h"

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

// --- torsion springs -------------------------------------------------------------------------------

static const zn_schema_key torsion_keys[] = {
    {"type", ZN_KEY_CHOICE, REQUIRED, CHOICES(TYPE_WORDS), FIELD(zn_torsion_entry, type), HELP("torsion")},
    {"from", ZN_KEY_NAME, REQUIRED, FIELD(zn_torsion_entry, from), HELP("rigid body, node of a beam, or ground")},
    {"from_at", ZN_KEY_VECTOR, PLACE, CARRIED("from"), UNIT(LENGTH), FIELD(zn_torsion_entry, def.from.at),
     HELP("a point of it, as of springs; for pictures only")},
    {"to", ZN_KEY_NAME, REQUIRED, FIELD(zn_torsion_entry, to), HELP("the other end: rigid body, node or ground")},
    {"to_at", ZN_KEY_VECTOR, PLACE, CARRIED("to"), UNIT(LENGTH), FIELD(zn_torsion_entry, def.to.at),
     HELP("a point of it, for pictures only")},
    {"axis", ZN_KEY_VECTOR, DIRECTION, FIELD(zn_torsion_entry, def.axis), DEFAULT("none"),
     HELP("in space, required there: in world axes at the start, any length; carried by from")},
    {"stiffness", ZN_KEY_NUMBER, UNIT(TORSION), NOT_NEGATIVE, FIELD(zn_torsion_entry, def.stiffness),
     HELP("moment per angle")},
    {"damping", ZN_KEY_NUMBER, UNIT(TORSION_DAMPING), NOT_NEGATIVE, FIELD(zn_torsion_entry, def.damping),
     HELP("moment per rate of the angle")},
    {"free_angle", ZN_KEY_SIGNAL, UNIT(ANGLE), FIELD(zn_torsion_entry, def.rest), DEFAULT("initial angle"),
     HELP("angle without moment, or a function of time: what moves it does work, which is that of a load")},
    {"preload", ZN_KEY_NUMBER, UNIT(TORQUE), FIELD(zn_torsion_entry, def.preload), DEFAULT("none"),
     HELP("in place of free_angle: moment at the start, positive when it turns `to` back, to smaller angles")},
    {"table", ZN_KEY_NODE, FIELD(zn_torsion_entry, table), DEFAULT("none"),
     HELP("in place of stiffness: pairs [angle beyond the free one, moment], as of springs")},
    {"moment", ZN_KEY_NODE, FIELD(zn_torsion_entry, moment), DEFAULT("none"),
     HELP("in place of all laws: expression of angle [rad], rate [rad/s] and t in N m, as of springs")},
};

static void torsion_defaults(void *out)
{
    *(zn_torsion_entry *)out = (zn_torsion_entry){.type = ZN_TYPE_TORSION, .def = zn_torsion_def_default()};
}

const zn_schema zn_schema_torsion = {
    "spring",
    "springs: torsion",
    "With `type: torsion`, a spring and damper on the angle of `to` against `from`, counted over many turns. In the "
    "plane it is the difference of their angles; in space it is about an axis, and 0 at the start.",
    sizeof(zn_torsion_entry),
    torsion_defaults,
    KEYS(torsion_keys)};

// --- bushings --------------------------------------------------------------------------------------

static const zn_schema_key bushing_keys[] = {
    {"type", ZN_KEY_CHOICE, REQUIRED, CHOICES(TYPE_WORDS), FIELD(zn_bushing_entry, type), HELP("bushing")},
    {"from", ZN_KEY_NAME, REQUIRED, FIELD(zn_bushing_entry, from), HELP("rigid body, node of a beam, or ground")},
    {"from_at", ZN_KEY_VECTOR, PLACE, CARRIED("from"), UNIT(LENGTH), FIELD(zn_bushing_entry, def.from.at),
     HELP("its point, as of springs")},
    {"to", ZN_KEY_NAME, REQUIRED, FIELD(zn_bushing_entry, to), HELP("the other end: rigid body, node or ground")},
    {"to_at", ZN_KEY_VECTOR, PLACE, CARRIED("to"), UNIT(LENGTH), FIELD(zn_bushing_entry, def.to.at),
     HELP("its point, as of springs")},
    {"stiffness", ZN_KEY_NODE, REQUIRED, FIELD(zn_bushing_entry, stiffness),
     HELP("of displacements and rotations along and about the axes of the bush: their diagonal [x, y, z, about x, y, "
          "z], "
          "in the plane [x, y, angle], or all rows of a symmetric matrix; N/m, N m/rad, couplings N")},
    {"damping", ZN_KEY_NODE, FIELD(zn_bushing_entry, damping), DEFAULT("none"),
     HELP("likewise of the rates; N s/m, N m s/rad, couplings N s")},
    {"angle", ZN_KEY_NUMBER, TURNS, UNIT(ANGLE), FIELD(zn_bushing_entry, angle),
     HELP("of the axes of the bush at the start, in the plane; they are carried by from")},
    {"rotation", ZN_KEY_ROTATION, TURNS, .object = &zn_schema_turn, FIELD(zn_bushing_entry, def.axes), DEFAULT("none"),
     HELP("of the axes of the bush at the start, in space; they are carried by from")},
};

static void bushing_defaults(void *out)
{
    *(zn_bushing_entry *)out = (zn_bushing_entry){.type = ZN_TYPE_BUSHING, .def = zn_bushing_def_default()};
}

const zn_schema zn_schema_bushing = {
    "spring",
    "springs: bushing",
    "With `type: bushing`, elastic between two frames: force and moment are linear in the displacement of the point of "
    "`to` against that of `from` and in the rotation vector, both from the start on. Force and moment act on both at "
    "the "
    "point of `to`.",
    sizeof(zn_bushing_entry),
    bushing_defaults,
    KEYS(bushing_keys)};
