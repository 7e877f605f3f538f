// The model language of solids: meshes, materials, damping, pressure. See schema_table.c for the rest.
#include "io/schema_solid.h"

#include "io/schema_rows.h"
#include "io/schema_table.h"

_Static_assert(ZN_SOLID_LINEAR == 0 && ZN_SOLID_SAINT_VENANT_KIRCHHOFF == 1 && ZN_SOLID_NEO_HOOKEAN == 2,
               "order of the choices of 'model'");
_Static_assert(ZN_PLANE_STRAIN == 0 && ZN_PLANE_STRESS == 1, "order of the choices of 'plane'");
_Static_assert(sizeof(zn_solid_model) == sizeof(int) && sizeof(zn_plane_kind) == sizeof(int),
               "choices fill enums as int");

// --- meshes ----------------------------------------------------------------------------------------
// In axes of their own: a group moves the mesh when it is made.

static const zn_schema_key box_keys[] = {
    {"from", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), REQUIRED, FIELD(zn_box_entry, from),
     HELP("corner with the smallest x, y, z")},
    {"to", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), REQUIRED, FIELD(zn_box_entry, to),
     HELP("corner with the largest x, y, z")},
    {"elements", ZN_KEY_VECTOR, OWN_AXES, REQUIRED, BETWEEN(1, 1e6), FIELD(zn_box_entry, elements),
     HELP("number of cells along x, y, z")},
    {"shape", ZN_KEY_CHOICE, CHOICES("hex8 tet4"), FIELD(zn_box_entry, shape),
     HELP("one hexahedron or six tetrahedra for each cell")},
};

static void box_defaults(void *out) { *(zn_box_entry *)out = (zn_box_entry){0}; }

const zn_schema zn_schema_box = {
    "box",        "parts: mesh: box", "Sets xmin, xmax, ymin, ymax, zmin, zmax and surface.", sizeof(zn_box_entry),
    box_defaults, KEYS(box_keys)};

static const zn_schema_key rectangle_keys[] = {
    {"from", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), REQUIRED, FIELD(zn_box_entry, from), HELP("lower left corner")},
    {"to", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), REQUIRED, FIELD(zn_box_entry, to), HELP("upper right corner")},
    {"elements", ZN_KEY_VECTOR, OWN_AXES, REQUIRED, BETWEEN(1, 1e6), FIELD(zn_box_entry, elements),
     HELP("number of quadrilaterals along x and y")},
};

const zn_schema zn_schema_rectangle = {
    "rectangle",  "parts: mesh: rectangle", "Sets xmin, xmax, ymin, ymax and surface; planar.", sizeof(zn_box_entry),
    box_defaults, KEYS(rectangle_keys)};

static const zn_schema_key sector_keys[] = {
    {"angle", ZN_KEY_NUMBER, UNIT(ANGLE), REQUIRED, FIELD(zn_sector_entry, angle),
     HELP("of its middle, from the x axis")},
    {"half_angle", ZN_KEY_NUMBER, UNIT(ANGLE), REQUIRED, POSITIVE, FIELD(zn_sector_entry, half_angle),
     HELP("from its middle to its ends, less than 180 degrees")},
    {"elements", ZN_KEY_INTEGER, REQUIRED, BETWEEN(1, 1e6), FIELD(zn_sector_entry, elements),
     HELP("number of quadrilaterals around it")},
};

static void sector_defaults(void *out) { *(zn_sector_entry *)out = (zn_sector_entry){0}; }

const zn_schema zn_schema_sector = {
    "fine",          "parts: mesh: ring: fine", "A sector of the ring with smaller elements.", sizeof(zn_sector_entry),
    sector_defaults, KEYS(sector_keys)};

static const zn_schema_key ring_keys[] = {
    {"centre", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_ring_entry, centre), HELP("centre")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_ring_entry, radius), HELP("outer radius")},
    {"thickness", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_ring_entry, thickness),
     HELP("outer minus inner radius")},
    {"elements", ZN_KEY_VECTOR, OWN_AXES, REQUIRED, BETWEEN(1, 1e6), FIELD(zn_ring_entry, elements),
     HELP("number of quadrilaterals around (at least 3; with `fine`: around the rest) and across")},
    {"fine", ZN_KEY_OBJECT, .object = &zn_schema_sector, FIELD(zn_ring_entry, fine),
     HELP("a sector with elements of another size")},
    {"grading", ZN_KEY_NUMBER, POSITIVE, FIELD(zn_ring_entry, grading),
     HELP("radial size of the outermost element over that of the innermost; sizes grow in equal ratios")},
};

static void ring_defaults(void *out) { *(zn_ring_entry *)out = (zn_ring_entry){.grading = 1}; }

const zn_schema zn_schema_ring = {
    "ring",        "parts: mesh: ring", "Sets inner and outer; planar.", sizeof(zn_ring_entry),
    ring_defaults, KEYS(ring_keys)};

static const zn_schema_key disc_keys[] = {
    {"centre", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_disc_entry, centre), HELP("centre")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_disc_entry, radius), HELP("radius")},
    {"elements", ZN_KEY_INTEGER, REQUIRED, BETWEEN(1, 900), FIELD(zn_disc_entry, elements),
     HELP("n: a square of n x n quadrilaterals in the middle, (n + 1)/2 rings of 4 n around it")},
};

static void disc_defaults(void *out) { *(zn_disc_entry *)out = (zn_disc_entry){0}; }

const zn_schema zn_schema_disc = {"disc",        "parts: mesh: disc", "Set outer; planar.", sizeof(zn_disc_entry),
                                  disc_defaults, KEYS(disc_keys)};

static const zn_schema_key graded_disc_keys[] = {
    {"centre", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_graded_disc_entry, centre), HELP("centre")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_graded_disc_entry, radius), HELP("radius")},
    {"elements", ZN_KEY_VECTOR, OWN_AXES, REQUIRED, BETWEEN(1, 1e6), FIELD(zn_graded_disc_entry, elements),
     HELP("number of quadrilaterals along the fine side and away from it")},
    {"grading", ZN_KEY_NUMBER, BETWEEN(1e-3, 10), FIELD(zn_graded_disc_entry, grading),
     HELP(
         "c: elements grow as cosh(c s) from the middle of the fine side, as exp(c t) away from it; s, t from 0 to 1")},
    {"angle", ZN_KEY_NUMBER, UNIT(ANGLE), FIELD(zn_graded_disc_entry, angle),
     HELP("turns it about its centre; at 0 the fine side is at the bottom")},
};

static void graded_disc_defaults(void *out) { *(zn_graded_disc_entry *)out = (zn_graded_disc_entry){.grading = 1.5}; }

const zn_schema zn_schema_graded_disc = {
    "graded_disc",
    "parts: mesh: graded_disc",
    "A square grid made round, with small elements at one side. Sets contact (the fine quarter of its circle) and "
    "outer; planar.",
    sizeof(zn_graded_disc_entry),
    graded_disc_defaults,
    KEYS(graded_disc_keys)};

static const zn_schema_key ball_keys[] = {
    {"centre", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_ball_entry, centre), HELP("centre")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_ball_entry, radius), HELP("radius")},
    {"elements", ZN_KEY_INTEGER, REQUIRED, BETWEEN(1, 100), FIELD(zn_ball_entry, elements),
     HELP("n: a cube of n x n x n cells is made round; n is even for tet4")},
    {"shape", ZN_KEY_CHOICE, CHOICES("hex8 tet4"), FIELD(zn_ball_entry, shape),
     HELP("one hexahedron or six tetrahedra for each cell")},
};

static void ball_defaults(void *out) { *(zn_ball_entry *)out = (zn_ball_entry){0}; }

const zn_schema zn_schema_ball = {"ball",        "parts: mesh: ball", "Set outer; in space.", sizeof(zn_ball_entry),
                                  ball_defaults, KEYS(ball_keys)};

static const zn_schema_key mesh_keys[] = {
    {"box", ZN_KEY_OBJECT, .object = &zn_schema_box, FIELD(zn_mesh_entry, box), HELP("box along the axes, in space")},
    {"rectangle", ZN_KEY_OBJECT, .object = &zn_schema_rectangle, FIELD(zn_mesh_entry, rectangle),
     HELP("rectangle along the axes, in the plane")},
    {"ring", ZN_KEY_OBJECT, .object = &zn_schema_ring, FIELD(zn_mesh_entry, ring), HELP("circular ring, in the plane")},
    {"disc", ZN_KEY_OBJECT, .object = &zn_schema_disc, FIELD(zn_mesh_entry, disc), HELP("disc, in the plane")},
    {"graded_disc", ZN_KEY_OBJECT, .object = &zn_schema_graded_disc, FIELD(zn_mesh_entry, graded_disc),
     HELP("disc with small elements at one side, in the plane")},
    {"ball", ZN_KEY_OBJECT, .object = &zn_schema_ball, FIELD(zn_mesh_entry, ball), HELP("ball, in space")},
    {"file", ZN_KEY_TEXT, FIELD(zn_mesh_entry, file),
     HELP("Gmsh file (.msh, version 2.2 or 4.1, ASCII), sought beside the model file; its named physical groups are "
          "sets. Elements of four nodes in the plane, of four or eight in space")},
    {"group", ZN_KEY_NAME, WORD_NAME, FIELD(zn_mesh_entry, group), DEFAULT("all solid elements"),
     HELP("physical group of the file with the elements of the part")},
    {"apart", ZN_KEY_BOOL, FIELD(zn_mesh_entry, apart),
     HELP("with `file`: nodes that it shares with another part of the same file are two nodes each. Otherwise they are "
          "one, and the parts hang together there")},
};

static void mesh_defaults(void *out)
{
    zn_mesh_entry *e = out;
    *e = (zn_mesh_entry){0};
    ring_defaults(&e->ring);
    graded_disc_defaults(&e->graded_disc);
}

const zn_schema zn_schema_mesh = {
    "mesh",
    "parts: mesh",
    "One of `box`, `rectangle`, `ring`, `disc`, `graded_disc`, `ball` and `file`. Named sets "
    "of nodes, called PART.SET, serve in `fix`, in loads and in contacts.",
    sizeof(zn_mesh_entry),
    mesh_defaults,
    KEYS(mesh_keys)};

// --- solids ----------------------------------------------------------------------------------------

static const zn_schema_key damping_keys[] = {
    {"mass", ZN_KEY_NUMBER, UNIT(RATE), NOT_NEGATIVE, FIELD(zn_damping_entry, mass),
     HELP("alpha in C = alpha M + beta K")},
    {"stiffness", ZN_KEY_NUMBER, UNIT(TIME), NOT_NEGATIVE, FIELD(zn_damping_entry, stiffness),
     HELP("beta; K is the stiffness of the undeformed part: for small rotations, large ones are braked as well")},
};

static void damping_defaults(void *out) { *(zn_damping_entry *)out = (zn_damping_entry){0}; }

const zn_schema zn_schema_solid_damping = {
    "damping",        "parts: damping",  "Rayleigh damping of bars, linear beams and solids.", sizeof(zn_damping_entry),
    damping_defaults, KEYS(damping_keys)};

static const zn_schema_key solid_keys[] = {
    {"element", ZN_KEY_CHOICE, REQUIRED, CHOICES("solid"), FIELD(zn_solid_entry, element), HELP("solid")},
    {"material", ZN_KEY_NAME, MATERIAL_NAME, REQUIRED, FIELD(zn_solid_entry, material),
     HELP("name in the section materials")},
    {"mesh", ZN_KEY_OBJECT, REQUIRED, .object = &zn_schema_mesh, FIELD(zn_solid_entry, mesh),
     HELP("nodes and elements")},
    {"model", ZN_KEY_CHOICE, CHOICES("linear saint_venant_kirchhoff neo_hookean"), FIELD(zn_solid_entry, def.model),
     HELP("linear: small strains and rotations; saint_venant_kirchhoff: large rotations, S = lambda tr E + 2 mu E; "
          "neo_hookean: large strains, W = mu/2 (tr C - 3) - mu ln J + lambda/2 (ln J)^2")},
    {"formulation", ZN_KEY_CHOICE, CHOICES("standard reduced mean_dilatation enhanced"),
     FIELD(zn_solid_entry, def.formulation),
     HELP("reduced: hex8 and quad4, one point and a resistance against hourglasses, for bending and Poisson's ratios "
          "near 1/2; mean_dilatation: for Poisson's ratios near 1/2, of tet4 the mean around each node; enhanced: hex8 "
          "and quad4, "
          "incompatible modes, for bending")},
    {"plane", ZN_KEY_CHOICE, CHOICES("strain stress"), FIELD(zn_solid_entry, def.plane),
     HELP("planar models: no strain, or no stress, across the plane")},
    {"thickness", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_solid_entry, def.thickness),
     HELP("planar models: across the plane")},
    {"mass", ZN_KEY_CHOICE, CHOICES("consistent lumped"), FIELD(zn_solid_entry, def.mass),
     HELP("mass matrix; lumped: sums of its rows")},
    {"damping", ZN_KEY_OBJECT, .object = &zn_schema_solid_damping, FIELD(zn_solid_entry, damping),
     HELP("Rayleigh damping")},
    {"velocity", ZN_KEY_FIELD, DIRECTION, UNIT(VELOCITY), FIELD(zn_solid_entry, velocity), DEFAULT("0"),
     HELP("initial velocity of the nodes, uniform or by their places x, y, z: [0, 0, -2*x]; with units of SI there")},
    {"angle", ZN_KEY_NUMBER, UNIT(ANGLE), FIELD(zn_solid_entry, angle),
     HELP("planar models: turns the mesh about the middle of the box around it")},
    {"rotation", ZN_KEY_ROTATION, OWN_AXES, .object = &zn_schema_turn, FIELD(zn_solid_entry, rotation), DEFAULT("none"),
     HELP("the same in space")},
    {"fix", ZN_KEY_MAP, FIELD(zn_solid_entry, fix),
     HELP("sets of nodes and the directions in which they never move: {xmin: [x, y, z]}")},
    {"fixed", ZN_KEY_FLAGS, WORLD_AXES, CHOICES("x y z"), FIELD(zn_solid_entry, def.fixed),
     HELP("directions in which no node moves")},
};

static void solid_defaults(void *out)
{
    zn_solid_entry *e = out;
    *e = (zn_solid_entry){.rotation = {1, 0, 0, 0}, .def = zn_solid_def_default()};
    mesh_defaults(&e->mesh);
}

const zn_schema zn_schema_solid = {"part",
                                   "parts: solid",
                                   "Flexible bodies of solid elements (`element: solid`). Their nodes are called "
                                   "name[0], name[1] and so on, in the order of the mesh.",
                                   sizeof(zn_solid_entry),
                                   solid_defaults,
                                   KEYS(solid_keys)};

// --- pressure --------------------------------------------------------------------------------------

static const zn_schema_key pressure_keys[] = {
    {"part", ZN_KEY_NAME, REQUIRED, FIELD(zn_pressure_entry, part), HELP("name of a solid")},
    {"face", ZN_KEY_NAME, WORD_NAME, REQUIRED, FIELD(zn_pressure_entry, face),
     HELP("set of its nodes, such as xmax: every outer face with all its nodes in the set")},
    {"value", ZN_KEY_SIGNAL, UNIT(PRESSURE), REQUIRED, FIELD(zn_pressure_entry, value),
     HELP("positive pushes inwards")},
    {"follower", ZN_KEY_BOOL, FIELD(zn_pressure_entry, follower),
     HELP("acts on the face as it is now, along its normal; otherwise on the undeformed face (dead load)")},
};

static void pressure_defaults(void *out) { *(zn_pressure_entry *)out = (zn_pressure_entry){0}; }

const zn_schema zn_schema_pressure = {
    "pressure",        "loads: pressure",  "Pressure on the faces of a solid.", sizeof(zn_pressure_entry),
    pressure_defaults, KEYS(pressure_keys)};
