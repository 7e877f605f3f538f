// The model language of joints with play. See schema_table.c for joints.
#include "io/schema_rows.h"
#include "io/schema_table.h"

static const zn_schema_key play_keys[] = {
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_play_def, radius),
     HELP("clearance: radius of the hole less that of the pin; prismatic: room of the block on each side")},
    {"length", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_play_def, length), DEFAULT("none"),
     HELP("of pin or block along the axis, around `at`; its ends are what touches. Needed by prismatic joints, and in "
          "space by revolute and cylindrical ones")},
    {"pin_radius", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_play_def, pin_radius), DEFAULT("length / 2"),
     HELP("of the pin or ball: the lever of friction; needed with friction where there is no length")},
    {"axial", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_play_def, axial), DEFAULT("radius"),
     HELP("revolute in space: clearance along the axis, to either side")},
    {"height", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_play_def, height), DEFAULT("length"),
     HELP("prismatic: of the block, across the axis; the lever of friction")},
    {"breadth", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_play_def, breadth), DEFAULT("height"),
     HELP("prismatic in space: of the block, across axis and height")},
    {"across", ZN_KEY_VECTOR, DIRECTION, FIELD(zn_play_def, across), DEFAULT("any"),
     HELP("prismatic in space: direction of the height in world axes at the start, any length")},
    {"restitution", ZN_KEY_NUMBER, BETWEEN(0, 1), FIELD(zn_play_def, restitution), HELP("as of contacts")},
    {"friction", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(zn_play_def, friction), HELP("as of contacts")},
    {"tangential_restitution", ZN_KEY_NUMBER, BETWEEN(-1, 1), FIELD(zn_play_def, tangential_restitution),
     HELP("as of contacts")},
    {"restitution_from", ZN_KEY_NUMBER, UNIT(VELOCITY), NOT_NEGATIVE, FIELD(zn_play_def, restitution_from),
     HELP("as of contacts")},
};

static void play_defaults(void *out) { *(zn_play_def *)out = zn_play_def_default(); }

const zn_schema zn_schema_play = {
    "play",
    "joints: play",
    "Clearance in place of the equations of a revolute, prismatic, cylindrical or spherical joint. `body` carries a "
    "pin, ball or block, `to` the hole, socket or guide with its centre at `to_at`. The joint is then a set of "
    "contacts "
    "NAME[0], NAME[1] and so on; without this key it is ideal.",
    sizeof(zn_play_def),
    play_defaults,
    KEYS(play_keys)};
