// The model language of forms: what shapes and bodies are made of.
#include "io/schema_form.h"

#include "io/schema_rows.h"

#define ROD_KEYS                                                                                                       \
    {                                                                                                                  \
        "radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_rod_entry, radius), HELP("radius")         \
    }
#define AXIS_KEY                                                                                                       \
    {                                                                                                                  \
        "axis", ZN_KEY_VECTOR, OWN_AXES, FIELD(zn_rod_entry, axis), DEFAULT("[0, 0, 1]"),                              \
            HELP("along it, any length, in the axes of the shape; in space")                                           \
    }

static const zn_schema_key capsule_keys[] = {
    ROD_KEYS,
    {"length", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_rod_entry, length),
     HELP("of the line, from the middle of one end to that of the other")},
    AXIS_KEY,
};
static const zn_schema_key cylinder_keys[] = {
    ROD_KEYS,
    {"length", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_rod_entry, length),
     HELP("between its caps; 0: a disc")},
    AXIS_KEY,
};

static void rod_defaults(void *out) { *(zn_rod_entry *)out = (zn_rod_entry){0}; }

const zn_schema zn_schema_capsule_shape = {
    "capsule",
    "shapes: capsule",
    "All that is within `radius` of a line of `length` around the middle. In the plane "
    "the line is along x.",
    sizeof(zn_rod_entry),
    rod_defaults,
    KEYS(capsule_keys)};
const zn_schema zn_schema_cylinder_shape = {"cylinder",           "shapes: cylinder", "Around the middle, in space.",
                                            sizeof(zn_rod_entry), rod_defaults,       KEYS(cylinder_keys)};

#define FILE_KEYS(needed)                                                                                              \
    {"file", ZN_KEY_TEXT, needed FIELD(zn_skin_entry, file), DEFAULT("none"),                                          \
     HELP("STL file (binary or ASCII) or OBJ file beside the model file")},                                            \
        {"scale",         ZN_KEY_NUMBER,                                                                               \
         POSITIVE,        needed FIELD(zn_skin_entry, scale),                                                          \
         DEFAULT("none"), HELP("metres of one unit of the file, which does not say it: 0.001 for millimetres")},       \
    {                                                                                                                  \
        "group", ZN_KEY_TEXT, FIELD(zn_skin_entry, group), DEFAULT("all"),                                             \
            HELP("of an OBJ file: what stands behind `g` or `o` with this name")                                       \
    }

static const zn_schema_key hull_keys[] = {{"points", ZN_KEY_NODE, FIELD(zn_skin_entry, points), DEFAULT("none"),
                                           HELP("list of [x, y, z], at least four that are not in a plane")},
                                          FILE_KEYS()};
#define NEEDED REQUIRED,
static const zn_schema_key mesh_keys[] = {FILE_KEYS(NEEDED)};

static void surface_defaults(void *out) { *(zn_skin_entry *)out = (zn_skin_entry){0}; }

const zn_schema zn_schema_hull_shape = {
    "hull",
    "shapes: hull",
    "The convex hull of `points`, or of the corners of a file, which need not be closed.",
    sizeof(zn_skin_entry),
    surface_defaults,
    KEYS(hull_keys)};
const zn_schema zn_schema_mesh_shape = {
    "mesh",
    "shapes: mesh",
    "The closed surface of a file, hollow where the part is. Corners nearer than a millionth of its size are one. It "
    "must be closed, all triangles counter-clockwise seen from outside, without corners inside edges of others, not "
    "cross "
    "itself, and have a volume; up to 2 million triangles.",
    sizeof(zn_skin_entry),
    surface_defaults,
    KEYS(mesh_keys)};
