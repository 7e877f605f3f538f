// The model language of motors, states and controls. See schema_table.c for the rest.
#include "io/schema_rows.h"
#include "io/schema_table.h"

static const zn_schema_key motor_keys[] = {
    {"joint", ZN_KEY_NAME, FIELD(zn_motor_entry, joint), DEFAULT("none"),
     HELP("revolute or prismatic joint whose travel it drives, in place of bodies")},
    {"body", ZN_KEY_NAME, FIELD(zn_motor_entry, body), DEFAULT("none"), HELP("body it drives")},
    {"at", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_motor_entry, def.a.at),
     HELP("with a force: its point, in the axes of the body from the centre of mass")},
    {"to", ZN_KEY_NAME, FIELD(zn_motor_entry, to), DEFAULT("ground"), HELP("body that takes the reaction")},
    {"to_at", ZN_KEY_VECTOR, PLACE, CARRIED("to"), UNIT(LENGTH), FIELD(zn_motor_entry, def.b.at),
     HELP("with a force: its point; on the ground in world axes")},
    {"axis", ZN_KEY_VECTOR, DIRECTION, CARRIED("to"), FIELD(zn_motor_entry, axis), DEFAULT("z"),
     HELP("of a torque in space, in the axes of the second body")},
    {"torque", ZN_KEY_SIGNAL, UNIT(TORQUE), FIELD(zn_motor_entry, def.torque), DEFAULT("none"),
     HELP("on the body about the axis, or on the angle of a revolute joint; may be feedback")},
    {"force", ZN_KEY_SIGNAL, UNIT(FORCE), FIELD(zn_motor_entry, def.force), DEFAULT("none"),
     HELP(
         "in place of the torque: along the line of the two points, positive pushes them apart; or on the displacement "
         "of a prismatic joint; may be feedback")},
};

static void motor_defaults(void *out)
{
    *(zn_motor_entry *)out = (zn_motor_entry){.def = zn_motor_def_default(), .axis = {0, 0, 1}};
}

const zn_schema zn_schema_motor = {"motor",
                                   "motors",
                                   "Torques and forces between bodies or in joints. Feedback is an expression of `t`, "
                                   "parameters, states, controls, and records that depend on the motion: "
                                   "`-k*arm.angle - d*pin.rate`. Forces of contacts and joints in it are those at the "
                                   "end of the last step. Their work is the line `motor` of the ledger. Loads take "
                                   "feedback in `force`, `torque` and `moment`.",
                                   sizeof(zn_motor_entry),
                                   motor_defaults,
                                   KEYS(motor_keys)};

static const zn_schema_key state_keys[] = {
    {"rate", ZN_KEY_NODE, REQUIRED, FIELD(zn_state_entry, rate), HELP("its derivative with respect to time: feedback")},
    {"start", ZN_KEY_NUMBER, UNIT(ANY), FIELD(zn_state_entry, start), HELP("value at the start")},
};

static void state_defaults(void *out) { *(zn_state_entry *)out = (zn_state_entry){0}; }

const zn_schema zn_schema_state = {"state",
                                   "states",
                                   "Numbers x with x' = rate, integrated with the scheme, for feedback such as the "
                                   "integral of an error. Recorded by their name.",
                                   sizeof(zn_state_entry),
                                   state_defaults,
                                   KEYS(state_keys)};

static const zn_schema_key control_keys[] = {
    {"value", ZN_KEY_NODE, FIELD(zn_control_entry, value), DEFAULT("none"),
     HELP("feedback, evaluated when it is used")},
    {"switch", ZN_KEY_NODE, FIELD(zn_control_entry, lever), DEFAULT("none"),
     HELP("in place of value: feedback that turns it on (1) and off (0)")},
    {"on", ZN_KEY_NUMBER, UNIT(ANY), FIELD(zn_control_entry, def.on), DEFAULT("none"),
     HELP("of a switch: level at which it turns on; above `off`: when it rises to it, below: when it falls")},
    {"off", ZN_KEY_NUMBER, UNIT(ANY), FIELD(zn_control_entry, def.off), DEFAULT("none"),
     HELP("of a switch: level at which it turns off; between the levels it stays as it is")},
    {"sampled", ZN_KEY_NUMBER, UNIT(TIME), NOT_NEGATIVE, FIELD(zn_control_entry, def.period), DEFAULT("none"),
     HELP("taken at multiples of this time, when a step has passed them, and held in between; 0: after each step")},
    {"delay", ZN_KEY_INTEGER, BETWEEN(0, 10000), FIELD(zn_control_entry, def.delay),
     HELP("of a sampled value: as it was so many samples ago")},
    {"start", ZN_KEY_NUMBER, UNIT(ANY), FIELD(zn_control_entry, def.start),
     HELP("of a switch between its levels: 0 or 1; of a delay: until the first sample arrives")},
};

static void control_defaults(void *out)
{
    *(zn_control_entry *)out = (zn_control_entry){.def = zn_control_def_default()};
}

const zn_schema zn_schema_control = {"control",
                                     "controls",
                                     "Numbers of controllers by name, for feedback and records. Switches and sampled "
                                     "values are written after a step, in the order of the file.",
                                     sizeof(zn_control_entry),
                                     control_defaults,
                                     KEYS(control_keys)};
