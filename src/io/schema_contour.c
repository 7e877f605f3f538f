// The model language of contours, cams and gears. See schema_table.c for the rest.
#include "io/schema_contour.h"

#include "io/schema_rows.h"

static const zn_schema_key contour_keys[] = {
    {"points", ZN_KEY_NODE, OWN_AXES, FIELD(zn_contour_entry, points), .default_text = "none",
     .help = "corners [[x, y], ...] between straight sides, from `at` of the shape, in its axes"},
    {"path", ZN_KEY_OBJECTS, OWN_AXES, .object = &zn_schema_path, FIELD(zn_contour_entry, path), .default_text = "none",
     .help = "straight sides and arcs, each from the end of the one before; the first one from the end of the last "
             "(`open`: the first entry is only where it starts)"},
    {"around", ZN_KEY_INTEGER, BETWEEN(1, 10000), FIELD(zn_contour_entry, around),
     .help = "points or path come so often, turned evenly about `at`: those of one tooth make a ratchet"},
    {"file", ZN_KEY_TEXT, FIELD(zn_contour_entry, file), .default_text = "none",
     .help = "CSV file with columns x and y, or DXF file with lines, arcs, circles and polylines, beside the model "
             "file"},
    {"scale", ZN_KEY_NUMBER, POSITIVE, FIELD(zn_contour_entry, scale), .default_text = "1; needed with a DXF file",
     .help = "of the coordinates in the file: 0.001 for millimetres"},
    {"layer", ZN_KEY_TEXT, FIELD(zn_contour_entry, layer), .default_text = "all",
     .help = "of a DXF file: where the contour is drawn"},
    {"tolerance", ZN_KEY_NUMBER, BEYOND(0, 0.1), FIELD(zn_contour_entry, tolerance),
     .help = "of a DXF file: ends closer than this part of its size are one"},
    {"rounding", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_contour_entry, rounding),
     .help = "radius of corners that point outwards, between straight sides"},
    {"open", ZN_KEY_BOOL, FIELD(zn_contour_entry, open),
     .help = "a wall from the first point to the last: what is on its right is free, seen along it"},
    {"hole", ZN_KEY_BOOL, FIELD(zn_contour_entry, hole), .help = "what is inside is free, and all around it is solid"},
};

static void contour_defaults(void *out)
{
    *(zn_contour_entry *)out = (zn_contour_entry){.scale = 1, .around = 1, .tolerance = 1e-6};
}

const zn_schema zn_schema_contour = {
    "contour",
    "shapes: contour",
    "Straight sides and arcs in the plane, closed, one of `points`, `path` and `file`. They may go around in either "
    "direction. Corners that point inwards touch nothing.",
    sizeof(zn_contour_entry),
    contour_defaults,
    KEYS(contour_keys)};

static const zn_schema_key path_keys[] = {
    {"to", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), REQUIRED, FIELD(zn_path_entry, to), .help = "end of the side"},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), FIELD(zn_path_entry, radius), .default_text = "straight",
     .help = "of an arc of less than half a circle: positive when it turns to the left along the path"},
    {"through", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_path_entry, through), .default_text = "none",
     .help = "a point of the arc, in place of its radius"},
};

static void path_defaults(void *out) { *(zn_path_entry *)out = (zn_path_entry){0}; }

const zn_schema zn_schema_path = {"step",
                                  "shapes: contour: path",
                                  "A straight side, or an arc with `radius` or `through`.",
                                  sizeof(zn_path_entry),
                                  path_defaults,
                                  KEYS(path_keys)};

static const zn_schema_key cam_keys[] = {
    {"radius", ZN_KEY_NODE, OWN_AXES, REQUIRED, FIELD(zn_cam_entry, radius),
     .help = "expression of `angle` (from the x axis of the shape, 0 to 2 pi) with the same value at both ends"},
    {"tolerance", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_cam_entry, tolerance),
     .default_text = "1e-6 of the largest radius", .help = "largest distance between the profile and its arcs"},
};

static void cam_defaults(void *out) { *(zn_cam_entry *)out = (zn_cam_entry){0}; }

const zn_schema zn_schema_cam = {
    "cam",
    "shapes: cam",
    "A disc whose radius depends on the angle, made of arcs that go over into each other "
    "without corners (chords where it is flatter than a thousand of its radius). What they are off the profile "
    "is told.",
    sizeof(zn_cam_entry),
    cam_defaults,
    KEYS(cam_keys)};

static const zn_schema_key gear_keys[] = {
    {"module", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_gear_entry, module),
     .help = "pitch diameter over number of teeth"},
    {"teeth", ZN_KEY_INTEGER, REQUIRED, BETWEEN(3, 10000), FIELD(zn_gear_entry, teeth), .help = "number of teeth"},
    {"pressure_angle", ZN_KEY_NUMBER, UNIT(ANGLE), BEYOND(0, 0.7), FIELD(zn_gear_entry, pressure_angle),
     .default_text = "20 deg", .help = "between the line of action and the common tangent of the pitch circles"},
    {"backlash", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_gear_entry, backlash),
     .help =
         "by which teeth are thinner than half a pitch, on the pitch circle; the play of a pair is the sum of both"},
    {"addendum", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_gear_entry, addendum), .default_text = "the module",
     .help = "of the tips beyond the pitch circle"},
    {"dedendum", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_gear_entry, dedendum),
     .default_text = "1.25 times the module", .help = "of the roots below the pitch circle"},
    {"internal", ZN_KEY_BOOL, FIELD(zn_gear_entry, internal), .help = "a ring with teeth inside"},
    {"tolerance", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_gear_entry, tolerance),
     .default_text = "1e-6 of the pitch diameter", .help = "largest distance between the involutes and their arcs"},
};

static void gear_defaults(void *out)
{
    *(zn_gear_entry *)out = (zn_gear_entry){.pressure_angle = 20 * 3.14159265358979323846 / 180};
}

const zn_schema zn_schema_gear = {"gear",
                                  "shapes: gear",
                                  "An involute gear around `at`; the middle of a tooth, of an internal one of a space, "
                                  "is on the x axis of the shape. "
                                  "Flanks go on as radii below the base circle, without undercut.",
                                  sizeof(zn_gear_entry),
                                  gear_defaults,
                                  KEYS(gear_keys)};

void zn_outline_defaults(zn_outline_entry *e)
{
    *e = (zn_outline_entry){0};
    zn_schema_contour.defaults(&e->contour);
    zn_schema_gear.defaults(&e->gear);
}
