// The model language: one row per key with its kind, unit, range, C field and meaning. Defaults are those of the C
// structs; rows marked `required` have none.
#include "io/schema_table.h"

#include "io/schema_rows.h"

#define FIXED_WORDS "x y z rotation" // bits of ZN_FIX_
#define JOINT_WORDS "fixed revolute prismatic rod coupling motion spherical cylindrical planar universal"
_Static_assert(ZN_FIX_X == 1 && ZN_FIX_Y == 2 && ZN_FIX_Z == 4 && ZN_FIX_ROTATION == 8, "order of FIXED_WORDS");
_Static_assert(ZN_JOINT_FIXED == 0 && ZN_JOINT_REVOLUTE == 1 && ZN_JOINT_PRISMATIC == 2 && ZN_JOINT_ROD == 3 &&
                   ZN_JOINT_COUPLING == 4 && ZN_JOINT_MOTION == 5 && ZN_JOINT_SPHERICAL == 6 &&
                   ZN_JOINT_CYLINDRICAL == 7 && ZN_JOINT_PLANAR == 8 && ZN_JOINT_UNIVERSAL == 9,
               "order of JOINT_WORDS");
_Static_assert(ZN_BEAM_EXACT == 0 && ZN_BEAM_TIMOSHENKO == 1 && ZN_BEAM_EULER_BERNOULLI == 2,
               "order of the choices of 'theory'");
_Static_assert(ZN_MASS_CONSISTENT == 0 && ZN_MASS_LUMPED == 1, "order of the choices of 'mass'");

// --- bodies ----------------------------------------------------------------------------------------

static const zn_schema_key turn_keys[] = {
    {"axis", ZN_KEY_VECTOR, OWN_AXES, REQUIRED, FIELD(zn_turn_entry, axis), HELP("in world axes, any length")},
    {"angle", ZN_KEY_NUMBER, UNIT(ANGLE), REQUIRED, FIELD(zn_turn_entry, angle), HELP("right-handed about the axis")},
};

static void turn_defaults(void *out) { *(zn_turn_entry *)out = (zn_turn_entry){0}; }

const zn_schema zn_schema_turn = {"rotation",
                                  "bodies: rotation",
                                  "Of body axes against world axes, in space: a unit quaternion [w, x, y, z], or these "
                                  "keys.",
                                  sizeof(zn_turn_entry),
                                  turn_defaults,
                                  KEYS(turn_keys)};

static const zn_schema_key corners_keys[] = {
    {"box", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_corners_entry, box),
     HELP("sides along the body axes; the centre of mass is in the middle")},
    {"share", ZN_KEY_NUMBER, BEYOND(0, 0.99), FIELD(zn_corners_entry, share),
     HELP("of the mass that the corners carry, taken from the frame, so that the whole has the mass and inertia given; "
          "below 1/3 for a homogeneous box")},
};

static void corners_defaults(void *out)
{
    *(zn_corners_entry *)out = (zn_corners_entry){.share = zn_tied_body_def_default().share};
}

const zn_schema zn_schema_corners = {"corners",
                                     "bodies: corners",
                                     "A rigid box in space whose corners are nodes NAME[0] to NAME[7] of their own "
                                     "(bits of the number: side +x, +y, +z), tied to it by the joints NAME_tie[0] to "
                                     "NAME_tie[7]. Without `inertia` the box is homogeneous.",
                                     sizeof(zn_corners_entry),
                                     corners_defaults,
                                     KEYS(corners_keys)};

static const zn_schema_key body_keys[] = {
    {"mass", ZN_KEY_NUMBER, UNIT(MASS), REQUIRED_UNLESS("cad density"), POSITIVE, FIELD(zn_body_entry, def.mass),
     HELP("mass")},
    {"inertia", ZN_KEY_TENSOR, UNIT(INERTIA), NOT_NEGATIVE, FIELD(zn_body_entry, inertia), DEFAULT("point mass"),
     HELP("about the centre of mass; makes a rigid body, without it the body is a point mass. In space: [Ixx, Iyy, "
          "Izz], three rows with products of inertia, or one number for all axes; in body axes")},
    {"position", ZN_KEY_VECTOR, PLACE, UNIT(LENGTH), FIELD(zn_body_entry, def.position),
     HELP("initial centre of mass")},
    {"angle", ZN_KEY_NUMBER, TURNS, UNIT(ANGLE), FIELD(zn_body_entry, def.angle),
     HELP("initial angle; planar rigid bodies only")},
    {"rotation", ZN_KEY_ROTATION, TURNS, .object = &zn_schema_turn, FIELD(zn_body_entry, def.rotation), DEFAULT("none"),
     HELP("initial rotation; rigid bodies in space only")},
    {"velocity", ZN_KEY_VECTOR, DIRECTION, UNIT(VELOCITY), FIELD(zn_body_entry, def.velocity),
     HELP("initial velocity")},
    {"spin", ZN_KEY_AXIAL, OWN_AXES, UNIT(SPIN), FIELD(zn_body_entry, spin),
     HELP("initial angular velocity, in space in body axes; rigid bodies only")},
    {"fixed", ZN_KEY_FLAGS, WORLD_AXES, CHOICES(FIXED_WORDS), FIELD(zn_body_entry, def.fixed),
     HELP("directions that never move")},
    {"corners", ZN_KEY_OBJECT, .object = &zn_schema_corners, FIELD(zn_body_entry, corners),
     HELP("makes a rigid box in space with nodes at its corners")},
    ZN_FORM_KEYS(zn_body_entry, ", around the centre of mass: a shape of the same name as the body"),
    ZN_OUTLINE_KEYS(zn_body_entry, ", its centre of mass that of the body: a shape of the same name"),
    {"thickness", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_body_entry, thickness),
     HELP("in the plane, with `density`: of the body across it")},
    {"material", ZN_KEY_TEXT, FIELD(zn_body_entry, material), DEFAULT("none"),
     HELP("of the shape that the body has itself, as of shapes")},
    {"lattice", ZN_KEY_OBJECT, .object = &zn_schema_lattice, FIELD(zn_body_entry, lattice),
     HELP("makes many equal bodies")},
    {"draw", ZN_KEY_OBJECTS, .object = &zn_schema_draw, FIELD(zn_body_entry, draw),
     HELP("how it looks in pictures; a list: several shapes")},
    {"cad", ZN_KEY_TEXT, FIELD(zn_body_entry, cad.file), DEFAULT("none"),
     HELP("STEP file whose data `zeno cad FILE --extract` has put beside it: inertia, centre of mass and looks are "
          "those "
          "of its solids, body axes those of the file; with `density` or `mass`")},
    {"solid", ZN_KEY_NAME, FIELD(zn_body_entry, cad.solid), DEFAULT("all of them as one body"),
     HELP("with `cad`: name of one of its solids")},
    {"density", ZN_KEY_NUMBER, UNIT(DENSITY), POSITIVE, FIELD(zn_body_entry, cad.density), DEFAULT("mass over volume"),
     HELP("in place of `mass`, and of `inertia`, with `cad` or one of `sphere`, `box`, `capsule`, `cylinder`, `hull`, "
          "`mesh`, `contour`, `cam`, `gear`: those of a homogeneous body of that shape")},
    {"origin", ZN_KEY_VECTOR, PLACE, UNIT(LENGTH), FIELD(zn_body_entry, cad.origin),
     HELP("with `cad`, `hull`, `mesh`, `contour`, `cam` or `gear` in place of `position`: where the origin of the "
          "file, of "
          "the points or of the cam is at the start; the centre of mass is then that of the solid, turned with the "
          "body")},
};

static void body_defaults(void *out)
{
    zn_body_entry *e = out;
    *e = (zn_body_entry){.def = zn_body_def_default(), .lattice.seed = 1, .thickness = 1};
    corners_defaults(&e->corners);
    zn_outline_defaults(&e->outline);
}

const zn_schema zn_schema_body = {
    "body", "bodies", "Point masses and rigid bodies, by name.", sizeof(zn_body_entry), body_defaults, KEYS(body_keys)};

// --- materials and parts ---------------------------------------------------------------------------

static const zn_schema_key material_keys[] = {
    {"young", ZN_KEY_NUMBER, UNIT(PRESSURE), REQUIRED_UNLESS("friction restitution"), POSITIVE,
     FIELD(zn_material_entry, young), HELP("Young's modulus")},
    {"poisson", ZN_KEY_NUMBER, BEYOND(-1, 0.5), FIELD(zn_material_entry, poisson), HELP("Poisson's ratio")},
    {"density", ZN_KEY_NUMBER, UNIT(DENSITY), REQUIRED_UNLESS("friction restitution"), POSITIVE,
     FIELD(zn_material_entry, density), HELP("density")},
    {"friction", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(zn_material_entry, law.friction),
     HELP("of a pair: as of contacts")},
    {"restitution", ZN_KEY_NUMBER, BETWEEN(0, 1), FIELD(zn_material_entry, law.restitution),
     HELP("of a pair: as of contacts")},
    {"tangential_restitution", ZN_KEY_NUMBER, BETWEEN(-1, 1), FIELD(zn_material_entry, law.tangential_restitution),
     HELP("of a pair: as of contacts")},
    {"restitution_from", ZN_KEY_NUMBER, UNIT(VELOCITY), NOT_NEGATIVE, FIELD(zn_material_entry, law.restitution_from),
     HELP("of a pair: as of contacts")},
    {"rolling_friction", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_material_entry, law.rolling_friction),
     HELP("of a pair: as of contacts")},
    {"spinning_friction", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_material_entry, law.spinning_friction),
     HELP("of a pair: as of contacts")},
};

static void material_defaults(void *out)
{
    *(zn_material_entry *)out = (zn_material_entry){.law = zn_material_pair_def_default()};
}

const zn_schema zn_schema_material = {
    "material",
    "materials",
    "Elastic materials, referred to by parts: young, poisson, density. And laws of contact between shapes of two "
    "materials, by the words that shapes have as `material` with '-' between them, in any order: `steel-rubber: "
    "{friction: 0.8, restitution: 0.2}`, `steel-steel: ...`. Contacts with `between` take them; for pairs that are not "
    "here they have their own friction and restitution.",
    sizeof(zn_material_entry),
    material_defaults,
    KEYS(material_keys)};

static const zn_schema_key section_keys[] = {
    {"width", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_section_entry, width), DEFAULT("none"),
     HELP("of a rectangle, along z of the section; in a planar model across the plane")},
    {"height", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_section_entry, height), DEFAULT("none"),
     HELP("of a rectangle, along y of the section; in a planar model in the plane")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_section_entry, radius), DEFAULT("none"),
     HELP("of a circle")},
    {"thickness", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_section_entry, thickness), DEFAULT("solid"),
     HELP("of the wall of a hollow rectangle or circle")},
    {"area", ZN_KEY_NUMBER, UNIT(AREA), POSITIVE, FIELD(zn_section_entry, own.area), DEFAULT("of the shape"),
     HELP("area, in place of a shape")},
    {"moment_y", ZN_KEY_NUMBER, UNIT(SECOND_MOMENT), POSITIVE, FIELD(zn_section_entry, own.moment_y),
     DEFAULT("of the shape"), HELP("second moment of area about y, in place of a shape; in space")},
    {"moment_z", ZN_KEY_NUMBER, UNIT(SECOND_MOMENT), POSITIVE, FIELD(zn_section_entry, own.moment_z),
     DEFAULT("of the shape"), HELP("second moment of area about z, in place of a shape")},
    {"torsion", ZN_KEY_NUMBER, UNIT(SECOND_MOMENT), POSITIVE, FIELD(zn_section_entry, own.torsion),
     DEFAULT("of the shape"), HELP("torsion constant; in space")},
    {"shear_y", ZN_KEY_NUMBER, UNIT(AREA), POSITIVE, FIELD(zn_section_entry, own.shear_y),
     DEFAULT("of the shape, or 5/6 area"), HELP("area effective in shear along y")},
    {"shear_z", ZN_KEY_NUMBER, UNIT(AREA), POSITIVE, FIELD(zn_section_entry, own.shear_z),
     DEFAULT("of the shape, or 5/6 area"), HELP("area effective in shear along z; in space")},
    {"rotary_x", ZN_KEY_NUMBER, UNIT(SECOND_MOMENT), POSITIVE, FIELD(zn_section_entry, own.rotary_x),
     DEFAULT("moment_y + moment_z"), HELP("rotary inertia about x, per length and density; in space")},
    {"rotary_y", ZN_KEY_NUMBER, UNIT(SECOND_MOMENT), POSITIVE, FIELD(zn_section_entry, own.rotary_y),
     DEFAULT("moment_y"), HELP("the same about y; none in Euler-Bernoulli beams")},
    {"rotary_z", ZN_KEY_NUMBER, UNIT(SECOND_MOMENT), POSITIVE, FIELD(zn_section_entry, own.rotary_z),
     DEFAULT("moment_z"), HELP("the same about z; none in Euler-Bernoulli beams")},
};

static void section_defaults(void *out) { *(zn_section_entry *)out = (zn_section_entry){0}; }

const zn_schema zn_schema_section = {
    "section",
    "parts: section",
    "Cross section of a beam: a rectangle (`width`, `height`), a circle (`radius`), or "
    "`area` and second moments. x is the axis of the beam.",
    sizeof(zn_section_entry),
    section_defaults,
    KEYS(section_keys)};

static const zn_schema_key arc_keys[] = {
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_arc_entry, radius), HELP("radius")},
    {"angle", ZN_KEY_NUMBER, UNIT(ANGLE), REQUIRED, FIELD(zn_arc_entry, angle),
     HELP("by which the beam turns on its way, positive about the axis")},
    {"tangent", ZN_KEY_VECTOR, DIRECTION, FIELD(zn_arc_entry, tangent), DEFAULT("x"),
     HELP("direction at `from`, any length")},
    {"axis", ZN_KEY_VECTOR, DIRECTION, FIELD(zn_arc_entry, axis), DEFAULT("z"),
     HELP("of the arc, made perpendicular to the tangent; in space")},
};

static void arc_defaults(void *out)
{
    zn_beam_def def = zn_beam_def_default();
    *(zn_arc_entry *)out = (zn_arc_entry){.tangent = def.tangent, .axis = def.arc_axis};
}

const zn_schema zn_schema_arc = {
    "arc",        "parts: arc",  "A beam along a circular arc, free of stress as it is.", sizeof(zn_arc_entry),
    arc_defaults, KEYS(arc_keys)};

static const zn_schema_key part_keys[] = {
    {"element", ZN_KEY_CHOICE, REQUIRED, CHOICES("bar beam solid"), FIELD(zn_part_entry, element),
     HELP("kind of finite element; bar: straight, stiff along its line only, small displacements; beam: geometrically "
          "exact, with shear, bending and torsion, any displacement and rotation, small strains; solid: see parts: "
          "solid")},
    {"material", ZN_KEY_NAME, MATERIAL_NAME, REQUIRED, FIELD(zn_part_entry, material),
     HELP("name in the section materials")},
    {"area", ZN_KEY_NUMBER, UNIT(AREA), POSITIVE, FIELD(zn_part_entry, def.area), DEFAULT("none"),
     HELP("cross section; bars, which need it")},
    {"section", ZN_KEY_OBJECT, .object = &zn_schema_section, FIELD(zn_part_entry, section),
     HELP("cross section; beams, which need it")},
    {"from", ZN_KEY_VECTOR, PLACE, UNIT(LENGTH), REQUIRED, FIELD(zn_part_entry, def.from),
     HELP("end with node name[0]")},
    {"to", ZN_KEY_VECTOR, PLACE, UNIT(LENGTH), FIELD(zn_part_entry, def.to), DEFAULT("none"),
     HELP("end with node name[elements]; needed unless there is an arc")},
    {"arc", ZN_KEY_OBJECT, .object = &zn_schema_arc, FIELD(zn_part_entry, arc),
     HELP("beams: in place of `to`, a curved beam")},
    {"y_axis", ZN_KEY_VECTOR, DIRECTION, FIELD(zn_part_entry, y_axis),
     DEFAULT("in the plane of the arc, or perpendicular to z (for a beam along z: y)"),
     HELP("beams in space: y of the section at `from`, made perpendicular to the beam")},
    {"elements", ZN_KEY_INTEGER, REQUIRED, BETWEEN(1, 1e7), FIELD(zn_part_entry, def.elements),
     HELP("number of equal elements")},
    {"mass", ZN_KEY_CHOICE, CHOICES("consistent lumped"), FIELD(zn_part_entry, def.mass), HELP("mass matrix")},
    {"velocity", ZN_KEY_VECTOR, DIRECTION, UNIT(VELOCITY), FIELD(zn_part_entry, def.velocity),
     HELP("initial velocity of all nodes")},
    {"fixed", ZN_KEY_FLAGS, WORLD_AXES, CHOICES(FIXED_WORDS), FIELD(zn_part_entry, def.fixed),
     HELP("directions in which no node moves; [y] makes a planar bar along x one-dimensional")},
    {"fix_first", ZN_KEY_FLAGS, WORLD_AXES, CHOICES(FIXED_WORDS), FIELD(zn_part_entry, fix_first),
     HELP("beams: what cannot move at name[0]; all: clamped, [x, y] in the plane: hinged")},
    {"fix_last", ZN_KEY_FLAGS, WORLD_AXES, CHOICES(FIXED_WORDS), FIELD(zn_part_entry, fix_last),
     HELP("beams: what cannot move at name[elements]")},
    {"theory", ZN_KEY_CHOICE, CHOICES("exact timoshenko euler_bernoulli"), FIELD(zn_part_entry, theory),
     HELP("beams; exact: any displacement and rotation; timoshenko, euler_bernoulli: linear, with and without shear, "
          "for "
          "small displacements and rotations (a few hundredths of a radian)")},
    {"first_node", ZN_KEY_NAME, FIELD(zn_part_entry, first_node), DEFAULT("a new node"),
     HELP("bars and beams: node of another part, or a body, at `from` that becomes name[0]; beams need one that "
          "rotates, in any axes of its own")},
    {"last_node", ZN_KEY_NAME, FIELD(zn_part_entry, last_node), DEFAULT("a new node"),
     HELP("the same at `to`, becomes name[elements]")},
    {"damping", ZN_KEY_OBJECT, .object = &zn_schema_solid_damping, FIELD(zn_part_entry, damping),
     HELP("Rayleigh damping; bars and linear beams")},
};

static void part_defaults(void *out)
{
    zn_part_entry *e = out;
    *e = (zn_part_entry){.def = zn_bar_def_default()};
    arc_defaults(&e->arc);
}

const zn_schema zn_schema_part = {"part",
                                  "parts",
                                  "Flexible bodies, by name. Their nodes are called name[0], name[1] "
                                  "and so on.",
                                  sizeof(zn_part_entry),
                                  part_defaults,
                                  KEYS(part_keys)};

// --- loads -----------------------------------------------------------------------------------------

static const zn_schema_key load_keys[] = {
    {"body", ZN_KEY_NAME, FIELD(zn_load_entry, body), HELP("body, node or point the force acts on")},
    {"at", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_load_entry, at),
     HELP("point of a rigid body, in its axes from the centre of mass")},
    {"force", ZN_KEY_SIGNALS, DIRECTION, UNIT(FORCE), FIELD(zn_load_entry, force),
     HELP("force in world axes; may be feedback, see motors")},
    {"torque", ZN_KEY_SIGNAL, UNIT(TORQUE), FIELD(zn_load_entry, torque),
     HELP("torque on a planar rigid body; may be feedback")},
    {"moment", ZN_KEY_SIGNALS, DIRECTION, CARRIED("follower"), UNIT(TORQUE), FIELD(zn_load_entry, moment),
     HELP("in place of force and torque: moment vector on a rigid body or a node of a beam in space, in world axes")},
    {"follower", ZN_KEY_BOOL, FIELD(zn_load_entry, follower),
     HELP("the moment is in the axes of the body or node and turns with it")},
    {"acceleration", ZN_KEY_SIGNALS, DIRECTION, UNIT(ACCELERATION), FIELD(zn_load_entry, acceleration),
     HELP("instead of body, force and torque: uniform field, added to gravity")},
    {"on", ZN_KEY_NAMES, FIELD(zn_load_entry, on), DEFAULT("everything"),
     HELP("bodies and parts the acceleration acts on")},
    {"pressure", ZN_KEY_OBJECT, .object = &zn_schema_pressure, FIELD(zn_load_entry, pressure),
     HELP("instead of all others: pressure on the faces of a solid")},
};

static void load_defaults(void *out) { *(zn_load_entry *)out = (zn_load_entry){0}; }

const zn_schema zn_schema_load = {"load",
                                  "loads",
                                  "Forces and torques on a body (`body` with `force` or `torque`), or an acceleration "
                                  "field (`acceleration`, `on`).",
                                  sizeof(zn_load_entry),
                                  load_defaults,
                                  KEYS(load_keys)};

static const zn_schema_key series_keys[] = {
    {"csv", ZN_KEY_TEXT, REQUIRED, FIELD(zn_series_entry, csv), HELP("file, sought beside the model file")},
    {"column", ZN_KEY_INTEGER, BETWEEN(2, 1000), FIELD(zn_series_entry, column),
     HELP("column with the values in SI units; column 1 is the time in seconds")},
};

static void series_defaults(void *out) { *(zn_series_entry *)out = (zn_series_entry){.column = 2}; }

const zn_schema zn_schema_series = {"series",
                                    "sampled signals",
                                    "In place of an expression of t: linear between the rows of a CSV file, constant "
                                    "before the first and after the last.",
                                    sizeof(zn_series_entry),
                                    series_defaults,
                                    KEYS(series_keys)};

// --- joints ----------------------------------------------------------------------------------------

static const zn_schema_key joint_keys[] = {
    {"type", ZN_KEY_CHOICE, REQUIRED, CHOICES(JOINT_WORDS), FIELD(zn_joint_entry, def.kind),
     HELP("fixed: no relative motion; revolute: two points stay together, in space with an axis; prismatic: sliding "
          "along an axis without turning; rod: constant distance; coupling: two degrees of freedom in proportion, such "
          "as gears; motion: a degree of freedom is a function of time; and in space: spherical: two points stay "
          "together; cylindrical: sliding along an axis and turning about it; planar: sliding across an axis and "
          "turning about it; universal: two points stay together, an axis of each body stays perpendicular to the "
          "other")},
    {"body", ZN_KEY_NAME, FIELD(zn_joint_entry, body), HELP("body or node it holds; all but coupling")},
    {"at", ZN_KEY_VECTOR, OWN_AXES, UNIT(LENGTH), FIELD(zn_joint_entry, def.a.at),
     HELP("its point, in the axes of the body from the centre of mass")},
    {"to", ZN_KEY_NAME, FIELD(zn_joint_entry, to), DEFAULT("ground"), HELP("second body or node")},
    {"to_at", ZN_KEY_VECTOR, PLACE, CARRIED("to"), UNIT(LENGTH), FIELD(zn_joint_entry, def.b.at),
     DEFAULT("where `at` is initially; rod: 0"),
     HELP("its point: in the axes of the second body from the centre of mass; on the ground in world axes")},
    {"axis", ZN_KEY_VECTOR, DIRECTION, CARRIED_IN_PLANE("to"), FIELD(zn_joint_entry, def.axis), DEFAULT("none"),
     HELP("any length. Planar prismatic: direction of sliding in the axes of the second body. In space, in world axes "
          "at the start: of revolute, prismatic, cylindrical, planar (its normal); universal: carried by the body")},
    {"axis2", ZN_KEY_VECTOR, DIRECTION, FIELD(zn_joint_entry, def.axis2), DEFAULT("none"),
     HELP("universal: axis carried by the second body, perpendicular to axis")},
    {"length", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_joint_entry, def.length), DEFAULT("initial distance"),
     HELP("of a rod")},
    {"dofs", ZN_KEY_MAP, FIELD(zn_joint_entry, dofs),
     HELP("coupling: two degrees of freedom, body.x, body.y, body.z or body.angle, each with its factor; the sum of "
          "factor times value stays as it is at the start")},
    {"x", ZN_KEY_SIGNAL, WORLD_PLACE, UNIT(LENGTH), FIELD(zn_joint_entry, motion[0]), DEFAULT("none"),
     HELP("motion: position of the body over time, which must begin where the body is; one of x, y, z, angle")},
    {"y", ZN_KEY_SIGNAL, WORLD_PLACE, UNIT(LENGTH), FIELD(zn_joint_entry, motion[1]), DEFAULT("none"),
     HELP("motion: as x")},
    {"z", ZN_KEY_SIGNAL, WORLD_PLACE, UNIT(LENGTH), FIELD(zn_joint_entry, motion[2]), DEFAULT("none"),
     HELP("motion: as x")},
    {"angle", ZN_KEY_SIGNAL, UNIT(ANGLE), FIELD(zn_joint_entry, motion[3]), DEFAULT("none"),
     HELP("motion: as x; revolute: a drive, its angle over time, held by whatever moment that needs (NAME_motion)")},
    {"displacement", ZN_KEY_SIGNAL, UNIT(LENGTH), FIELD(zn_joint_entry, displacement), DEFAULT("none"),
     HELP("prismatic: a drive, its displacement over time, held by whatever force that needs (NAME_motion)")},
    {"start", ZN_KEY_NODE, FIELD(zn_joint_entry, start), DEFAULT("that of the drive, else 0"),
     HELP("revolute, prismatic: what angle or displacement is called at the start")},
    {"limits", ZN_KEY_NODE, FIELD(zn_joint_entry, limits), DEFAULT("none"),
     HELP("revolute, prismatic: stops, [lowest, highest] angle or displacement, either may be none (NAME_limits)")},
    {"dry_friction", ZN_KEY_NODE, FIELD(zn_joint_entry, dry_friction), DEFAULT("0"),
     HELP("revolute, prismatic: largest moment [N m] or force [N] of dry friction, whatever the joint carries "
          "(NAME_friction)")},
    {"stiffness", ZN_KEY_NODE, FIELD(zn_joint_entry, stiffness), DEFAULT("0"),
     HELP("revolute, prismatic: of a spring on angle or displacement [N m/rad or N/m] (NAME_spring)")},
    {"damping", ZN_KEY_NODE, FIELD(zn_joint_entry, damping), DEFAULT("0"),
     HELP("revolute, prismatic: of a damper on it [N m s/rad or N s/m]")},
    {"rest", ZN_KEY_NODE, FIELD(zn_joint_entry, rest), DEFAULT("that at the start"),
     HELP("revolute, prismatic: angle or displacement at which the spring has no force")},
    {"joints", ZN_KEY_MAP, FIELD(zn_joint_entry, joints), DEFAULT("none"),
     HELP("coupling: two revolute or prismatic joints in place of dofs, each with its factor; the sum of "
          "factor "
          "times angle [rad] or displacement [m] stays as it is at the start")},
    {"backlash", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(zn_joint_entry, def.backlash), DEFAULT("0"),
     HELP("coupling: the sum may move freely by so much (in rad or m), half to each side of where it starts")},
    {"restitution", ZN_KEY_NUMBER, BETWEEN(0, 1), FIELD(zn_joint_entry, def.restitution), DEFAULT("0"),
     HELP("of limits, and of the flanks of a coupling with backlash")},
    {"play", ZN_KEY_OBJECT, .object = &zn_schema_play, FIELD(zn_joint_entry, play), DEFAULT("none"),
     HELP("clearance: revolute, prismatic, and in space cylindrical and spherical")},
};

static void joint_defaults(void *out)
{
    *(zn_joint_entry *)out = (zn_joint_entry){.def = zn_joint_def_default(), .play = zn_play_def_default()};
}

const zn_schema zn_schema_joint = {"joint",
                                   "joints",
                                   "Bilateral constraints, by name. Equations may repeat what others say already.",
                                   sizeof(zn_joint_entry),
                                   joint_defaults,
                                   KEYS(joint_keys)};

// --- systems ---------------------------------------------------------------------------------------

static const zn_schema_key system_keys[] = {
    {"code", ZN_KEY_NAME, WORD_NAME, REQUIRED, FIELD(zn_system_entry, code), HELP("word of the system, see below")},
    {"parameters", ZN_KEY_MAP, FIELD(zn_system_entry, values), HELP("numbers of the system, by name")},
};

static void system_defaults(void *out) { *(zn_system_entry *)out = (zn_system_entry){0}; }

const zn_schema zn_schema_system = {"system",
                                    "systems",
                                    "Systems in minimal coordinates that come compiled in. Coordinates are NAME[0] ...",
                                    sizeof(zn_system_entry),
                                    system_defaults,
                                    KEYS(system_keys)};

// --- limits and run --------------------------------------------------------------------------------

static const zn_schema_key limits_keys[] = {
#define LIMIT(name, label, unit, dimension, help)                                                                      \
    {#name, ZN_KEY_NUMBER, UNIT(dimension), NOT_NEGATIVE, FIELD(zn_limits, name), HELP(help)},
    ZN_WORST_LIST(LIMIT)
#undef LIMIT
};

static void limits_defaults(void *out) { *(zn_limits *)out = zn_sim_def_default().limits; }

const zn_schema zn_schema_limits = {
    "limits",          "limits",        "What a run must keep; breaking one makes the run fail.",
    sizeof(zn_limits), limits_defaults, KEYS(limits_keys)};

static const zn_schema_key run_keys[] = {
    {"scheme", ZN_KEY_NODE, .object = &zn_schema_scheme, FIELD(zn_run_entry, scheme), DEFAULT("moreau_jean"),
     HELP("time-stepping scheme, with its options")},
    {"step", ZN_KEY_STEP, UNIT(TIME), REQUIRED_UNLESS("static"), FIELD(zn_run_entry, step),
     HELP("time step. With `cfl` behind a number up to 1: that part of the critical step of explicit integration with "
          "the masses lumped, a bound from the elements as they are at the start; multirate: of the fine part")},
    {"until", ZN_KEY_NUMBER, UNIT(TIME), REQUIRED_UNLESS("static"), FIELD(zn_run_entry, sim.until),
     HELP("end time, after start")},
    {"start", ZN_KEY_WHEN, UNIT(TIME), CHOICES("equilibrium"), FIELD(zn_run_entry, start), DEFAULT("0"),
     HELP("time of the initial state; `equilibrium`: at t = 0, at rest where the forces of that time balance, "
          "sought from the positions given")},
    {"start_penetration", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_run_entry, sim.start_penetration),
     DEFAULT("limit, or 1/1000 of the model"),
     HELP("how deep inside an obstacle a contact may be at the start; deeper ones are taken for mistakes and refused. "
          "By "
          "default the limit `penetration`, or a thousandth of the largest distance from the origin")},
    {"static", ZN_KEY_OBJECT, .object = &zn_schema_static, FIELD(zn_run_entry, sim.equilibrium),
     HELP("no motion: only the equilibrium of the forces at the time start, in steps of the load")},
    {"record_every", ZN_KEY_INTEGER, BETWEEN(1, 1e9), FIELD(zn_run_entry, sim.record_every),
     HELP("steps between recorded rows; the last step is always recorded")},
    {"checkpoint_every", ZN_KEY_INTEGER, BETWEEN(0, 1e9), FIELD(zn_run_entry, sim.checkpoint_every),
     HELP("steps between checkpoints, from which `zeno run --restart` goes on; 0: none")},
    {"frames", ZN_KEY_INTEGER, BETWEEN(0, 1e6), FIELD(zn_run_entry, sim.frames), DEFAULT("500, fewer of a large model"),
     HELP("about how many configurations the results keep for pictures, evenly over the run; 0: none")},
    {"max_subdivisions", ZN_KEY_INTEGER, BETWEEN(0, 30), FIELD(zn_run_entry, sim.max_subdivisions),
     HELP("how often a failing step is halved")},
};

static void run_defaults(void *out) { *(zn_run_entry *)out = (zn_run_entry){.sim = zn_sim_def_default()}; }

const zn_schema zn_schema_run = {"run",        "run",         "How the model is simulated.", sizeof(zn_run_entry),
                                 run_defaults, KEYS(run_keys)};

// --- the file --------------------------------------------------------------------------------------

static const zn_schema_key file_keys[] = {
    {"zeno", ZN_KEY_INTEGER, REQUIRED, FIELD(zn_file_entry, version), HELP("version of the format: 1")},
    {"title", ZN_KEY_TEXT, FIELD(zn_file_entry, title), HELP("one line for people")},
    {"planar", ZN_KEY_BOOL, FIELD(zn_file_entry, planar), HELP("vectors have two components, bodies one angle")},
    {"gravity", ZN_KEY_VECTOR, DIRECTION, UNIT(ACCELERATION), FIELD(zn_file_entry, gravity),
     HELP("acceleration of gravity")},
    {"parameters", ZN_KEY_MAP, FIELD(zn_file_entry, parameters),
     HELP("names for values used below; each may use those before it; can be overridden from outside")},
    {"include", ZN_KEY_NODE, .object = &zn_schema_include, FIELD(zn_file_entry, include), DEFAULT("none"),
     HELP("other files with parts of the model, see include")},
    {"groups", ZN_KEY_MAP, .object = &zn_schema_group, FIELD(zn_file_entry, groups),
     HELP("objects with a frame of their own, see groups")},
    {"bodies", ZN_KEY_MAP, .object = &zn_schema_body, FIELD(zn_file_entry, bodies), HELP("see bodies")},
    {"systems", ZN_KEY_MAP, .object = &zn_schema_system, FIELD(zn_file_entry, systems), HELP("see systems")},
    {"springs", ZN_KEY_MAP, .object = &zn_schema_spring, FIELD(zn_file_entry, springs), HELP("see springs")},
    {"materials", ZN_KEY_MAP, .object = &zn_schema_material, FIELD(zn_file_entry, materials), HELP("see materials")},
    {"parts", ZN_KEY_MAP, .object = &zn_schema_part, FIELD(zn_file_entry, parts), HELP("see parts")},
    {"joints", ZN_KEY_MAP, .object = &zn_schema_joint, FIELD(zn_file_entry, joints), HELP("see joints")},
    {"loads", ZN_KEY_MAP, .object = &zn_schema_load, FIELD(zn_file_entry, loads), HELP("see loads")},
    {"motors", ZN_KEY_MAP, .object = &zn_schema_motor, FIELD(zn_file_entry, motors), HELP("see motors")},
    {"states", ZN_KEY_MAP, .object = &zn_schema_state, FIELD(zn_file_entry, states), HELP("see states")},
    {"controls", ZN_KEY_MAP, .object = &zn_schema_control, FIELD(zn_file_entry, controls), HELP("see controls")},
    {"shapes", ZN_KEY_MAP, .object = &zn_schema_shape, FIELD(zn_file_entry, shapes), HELP("see shapes")},
    {"contacts", ZN_KEY_MAP, .object = &zn_schema_contact, FIELD(zn_file_entry, contacts), HELP("see contacts")},
    {"points", ZN_KEY_MAP, .object = &zn_schema_point, FIELD(zn_file_entry, points), HELP("see points")},
    {"spans", ZN_KEY_MAP, .object = &zn_schema_span, FIELD(zn_file_entry, spans), HELP("see spans")},
    {"record", ZN_KEY_MAP, FIELD(zn_file_entry, record),
     HELP("what is stored: a name and a path object.quantity or object.quantity.component, or a formula of such; see "
          "recordable quantities")},
    {"reference", ZN_KEY_MAP, FIELD(zn_file_entry, reference),
     HELP("exact solution where there is one: a record, name or name.component, and a signal; studies of convergence "
          "measure errors against it")},
    {"limits", ZN_KEY_OBJECT, .object = &zn_schema_limits, FIELD(zn_file_entry, run.sim.limits), HELP("see limits")},
    {"run", ZN_KEY_OBJECT, REQUIRED, .object = &zn_schema_run, FIELD(zn_file_entry, run), HELP("see run")},
};

static void file_defaults(void *out) { *(zn_file_entry *)out = (zn_file_entry){.run.sim = zn_sim_def_default()}; }

const zn_schema zn_schema_file = {
    "file", "the file", "Keys at the top of a model file.", sizeof(zn_file_entry), file_defaults, KEYS(file_keys)};

const zn_schema *const zn_schemas[] = {
    // clang-format off
    &zn_schema_file,
    &zn_schema_include,
    &zn_schema_group,
    &zn_schema_body,
    &zn_schema_draw,
    &zn_schema_turn,
    &zn_schema_corners,
    &zn_schema_lattice,
    &zn_schema_capsule_shape,
    &zn_schema_cylinder_shape,
    &zn_schema_hull_shape,
    &zn_schema_mesh_shape,
    &zn_schema_contour,
    &zn_schema_path,
    &zn_schema_cam,
    &zn_schema_gear,
    &zn_schema_spring,
    &zn_schema_torsion,
    &zn_schema_bushing,
    &zn_schema_material,
    &zn_schema_part,
    &zn_schema_section,
    &zn_schema_arc,
    &zn_schema_solid,
    &zn_schema_mesh,
    &zn_schema_box,
    &zn_schema_rectangle,
    &zn_schema_ring,
    &zn_schema_sector,
    &zn_schema_disc,
    &zn_schema_graded_disc,
    &zn_schema_ball,
    &zn_schema_solid_damping,
    &zn_schema_pressure,
    &zn_schema_point,
    &zn_schema_span,
    &zn_schema_joint,
    &zn_schema_play,
    &zn_schema_load,
    &zn_schema_motor,
    &zn_schema_state,
    &zn_schema_control,
    &zn_schema_series,
    &zn_schema_shape,
    &zn_schema_contact,
    &zn_schema_surface,
    &zn_schema_slot,
    &zn_schema_bounds,
    &zn_schema_cylinder,
    &zn_schema_rim,
    &zn_schema_pin,
    &zn_schema_system,
    &zn_schema_limits,
    &zn_schema_run,
    &zn_schema_static,
    &zn_schema_scheme,
    // clang-format on
};
const int zn_schema_count = COUNT(zn_schemas);
