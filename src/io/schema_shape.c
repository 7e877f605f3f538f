// The model language of shapes and lattices of bodies. See schema_table.c for the rest.
#include "io/schema_shape.h"

#include "io/schema_rows.h"
#include "io/schema_table.h"

static const zn_schema_key shape_keys[] = {
    {"body", ZN_KEY_NAME, FIELD(zn_shape_entry, body), .default_text = "ground",
     .help = "body or node that carries the shape; all vectors below are in its axes"},
    {"at", ZN_KEY_VECTOR, PLACE, CARRIED("body"), .dimension = ZN_DIM_LENGTH, FIELD(zn_shape_entry, at),
     .help = "middle of the shape, a point of the plane, the origin of points and files; from the centre of mass of "
             "the body"},
    {"material", ZN_KEY_TEXT, FIELD(zn_shape_entry, material), .default_text = "none",
     .help = "a word: what `materials` says of pairs with it is the law of its contacts"},
    ZN_FORM_KEYS(zn_shape_entry, ""),
    {"plane", ZN_KEY_VECTOR, DIRECTION, CARRIED("body"), FIELD(zn_shape_entry, plane), .default_text = "none",
     .help = "half-space: normal out of the obstacle, any length"},
    ZN_OUTLINE_KEYS(zn_shape_entry, ""),
    {"rotation", ZN_KEY_ROTATION, TURNS, CARRIED("body"), .object = &zn_schema_turn, FIELD(zn_shape_entry, rotation),
     .default_text = "none", .help = "of the shape in space against the axes of its body"},
    {"angle", ZN_KEY_NUMBER, TURNS, CARRIED("body"), .dimension = ZN_DIM_ANGLE, FIELD(zn_shape_entry, angle),
     .help = "of the shape in the plane against the axes of its body"},
};

static void shape_defaults(void *out)
{
    *(zn_shape_entry *)out = (zn_shape_entry){.rotation = {1, 0, 0, 0}};
    zn_shape_entry *e = out;
    zn_outline_defaults(&e->outline);
}

const zn_schema zn_schema_shape = {
    "shape",
    "shapes",
    "Surfaces for contacts between many bodies, by name: one of `sphere`, `box`, "
    "`plane`, `capsule`, `cylinder`, `hull`, `mesh`, `contour`, `cam` and `gear`. A body with one of these keys "
    "has a shape of its own name.",
    sizeof(zn_shape_entry),
    shape_defaults,
    KEYS(shape_keys)};

static const zn_schema_key lattice_keys[] = {
    {"count", ZN_KEY_VECTOR, OWN_AXES, .required = true, .range = {1, 1e7, false}, FIELD(zn_lattice_entry, count),
     .help = "bodies along x, y and z"},
    {"spacing", ZN_KEY_VECTOR, WORLD_AXES, .dimension = ZN_DIM_LENGTH, .required = true,
     FIELD(zn_lattice_entry, spacing), .help = "their distance along x, y and z"},
    {"jitter", ZN_KEY_VECTOR, WORLD_AXES, .dimension = ZN_DIM_LENGTH, .range = {0, INFINITY, false},
     FIELD(zn_lattice_entry, jitter), .help = "largest random displacement along x, y and z"},
    {"seed", ZN_KEY_INTEGER, .range = {0, 2e9, false}, FIELD(zn_lattice_entry, seed),
     .help = "the same seed gives the same displacements"},
    {"limit", ZN_KEY_INTEGER, .range = {1, 1e7, false}, FIELD(zn_lattice_entry, limit), .default_text = "all",
     .help = "only so many bodies: the last ones are left out"},
};

static void lattice_defaults(void *out) { *(zn_lattice_entry *)out = (zn_lattice_entry){.seed = 1}; }

const zn_schema zn_schema_lattice = {
    "lattice",
    "bodies: lattice",
    "Equal bodies NAME[0], NAME[1] ...: x runs fastest, then y, then z. The position of "
    "the body is that of NAME[0].",
    sizeof(zn_lattice_entry),
    lattice_defaults,
    KEYS(lattice_keys)};
