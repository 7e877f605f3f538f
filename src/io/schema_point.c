// Keys of named points and of spans between two points.
#include "io/schema_rows.h"
#include "io/schema_table.h"

static const zn_schema_key point_keys[] = {
    {"body", ZN_KEY_NAME, REQUIRED, FIELD(zn_point_entry, body), HELP("body, node such as rod[0], or ground")},
    {"at", ZN_KEY_VECTOR, PLACE, CARRIED("body"), UNIT(LENGTH), FIELD(zn_point_entry, def.point.at),
     HELP("in the axes of a rigid body from the centre of mass; on the ground in world axes")},
};

static void point_defaults(void *out) { *(zn_point_entry *)out = (zn_point_entry){.def = zn_point_def_default()}; }

const zn_schema zn_schema_point = {
    "point",
    "points",
    "Names for points of bodies. Records and formulas find them (`tip.velocity.x`); springs, spans and loads take the "
    "name in place of a body and a point of it.",
    sizeof(zn_point_entry),
    point_defaults,
    KEYS(point_keys)};

static const zn_schema_key span_keys[] = {
    {"from", ZN_KEY_NAME, REQUIRED, FIELD(zn_span_entry, from), HELP("point, body, node or ground")},
    {"from_at", ZN_KEY_VECTOR, PLACE, CARRIED("from"), UNIT(LENGTH), FIELD(zn_span_entry, def.from.at),
     HELP("point of a body, in its axes from the centre of mass; on the ground in world axes")},
    {"to", ZN_KEY_NAME, REQUIRED, FIELD(zn_span_entry, to), HELP("the other end: point, body, node or ground")},
    {"to_at", ZN_KEY_VECTOR, PLACE, CARRIED("to"), UNIT(LENGTH), FIELD(zn_span_entry, def.to.at),
     HELP("its point, as from_at")},
    {"axes", ZN_KEY_NAME, FIELD(zn_span_entry, axes), DEFAULT("ground"),
     HELP("rigid body whose axes components are in, with rates as it sees them; ground: world axes")},
};

static void span_defaults(void *out) { *(zn_span_entry *)out = (zn_span_entry){.def = zn_span_def_default()}; }

const zn_schema zn_schema_span = {
    "span",
    "spans",
    "From one point to another, for records: `gap.length`, `gap.rate`, `gap.position.x`. They have no part in the "
    "equations.",
    sizeof(zn_span_entry),
    span_defaults,
    KEYS(span_keys)};
