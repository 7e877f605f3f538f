// The model language of contacts and their surfaces. See schema_table.c for the rest.
#include "io/schema_rows.h"
#include "io/schema_table.h"

static const zn_schema_key slot_keys[] = {
    {"axis", ZN_KEY_VECTOR, DIRECTION, REQUIRED, FIELD(zn_slot_entry, axis), HELP("direction of the slot, any length")},
    {"width", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_slot_entry, width),
     HELP("distance of its two sides; the axis is in the middle")},
};

static void slot_defaults(void *out) { *(zn_slot_entry *)out = (zn_slot_entry){0}; }

const zn_schema zn_schema_slot = {"slot",
                                  "contacts: surface: slot",
                                  "Two parallel sides around an axis through `at`; planar.",
                                  sizeof(zn_slot_entry),
                                  slot_defaults,
                                  KEYS(slot_keys)};

static const zn_schema_key bounds_keys[] = {
    {"length", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_bounds_entry, length),
     HELP("along the face; `at` is in the middle")},
    {"breadth", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_bounds_entry, breadth), DEFAULT("none"),
     HELP("in space, where it is required: of the rectangle, across its length")},
    {"along", ZN_KEY_VECTOR, DIRECTION, FIELD(zn_bounds_entry, along), DEFAULT("any"),
     HELP("in space: direction of the length, any length itself")},
    {"depth", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_bounds_entry, depth), DEFAULT("what came through"),
     HELP("how deep behind the face a point touches it, wherever it has come from; by default a point behind it does "
          "only when it came through: it was in front in the step before, or is no deeper than it moved since")},
};

static void bounds_defaults(void *out) { *(zn_bounds_entry *)out = (zn_bounds_entry){0}; }

const zn_schema zn_schema_bounds = {"bounds",
                                    "contacts: surface: bounded",
                                    "A face that ends: a point is released when its projection leaves the face.",
                                    sizeof(zn_bounds_entry),
                                    bounds_defaults,
                                    KEYS(bounds_keys)};

static const zn_schema_key cylinder_keys[] = {
    {"axis", ZN_KEY_VECTOR, DIRECTION, REQUIRED, FIELD(zn_cylinder_entry, axis), HELP("its direction, any length")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_cylinder_entry, radius), HELP("its radius")},
    {"length", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_cylinder_entry, length), DEFAULT("no end"),
     HELP("along the axis; `at` is in the middle. Beyond its ends nothing is met, and the ends are no obstacles")},
    {"taper", ZN_KEY_NUMBER, UNIT(ANGLE), FIELD(zn_cylinder_entry, taper),
     HELP("half the angle of a cone that has this radius at `at` and is wider along the axis; with `length`, for "
          "points and "
          "balls")},
    {"depth", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_cylinder_entry, depth), DEFAULT("what came through"),
     HELP("with `length`: as of bounded planes. Rings around a cylinder, and balls and rims with their centre in a "
          "bore, touch in any case")},
};

static void cylinder_defaults(void *out) { *(zn_cylinder_entry *)out = (zn_cylinder_entry){0}; }

const zn_schema zn_schema_cylinder = {"cylinder",
                                      "contacts: surface: cylinder, bore",
                                      "A cylinder in space around an axis through `at`; points, balls and rims meet it "
                                      "from outside (`cylinder`) or inside (`bore`).",
                                      sizeof(zn_cylinder_entry),
                                      cylinder_defaults,
                                      KEYS(cylinder_keys)};

static const zn_schema_key rim_keys[] = {
    {"axis", ZN_KEY_VECTOR, DIRECTION, REQUIRED, FIELD(zn_rim_entry, axis),
     HELP("of the circle, in the axes of the body, any length")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_rim_entry, radius), HELP("of the circle")},
    {"ring", ZN_KEY_BOOL, FIELD(zn_rim_entry, ring), DEFAULT("false"),
     HELP("with `cylinder`: the circle is around it, and larger")},
};

static void rim_defaults(void *out) { *(zn_rim_entry *)out = (zn_rim_entry){0}; }

const zn_schema zn_schema_rim = {
    "rim",
    "contacts: rim",
    "A circle around the point, such as the edge of a disc or the end of a pin, in space. It "
    "meets planes, cylinders and bores.",
    sizeof(zn_rim_entry),
    rim_defaults,
    KEYS(rim_keys)};

static const zn_schema_key pin_keys[] = {
    {"body", ZN_KEY_NAME, FIELD(zn_pin_entry, body), DEFAULT("ground"), HELP("body that carries it")},
    {"at", ZN_KEY_VECTOR, PLACE, CARRIED("body"), UNIT(LENGTH), FIELD(zn_pin_entry, at),
     HELP("its middle, in the axes of the body from the centre of mass")},
    {"axis", ZN_KEY_VECTOR, DIRECTION, CARRIED("body"), REQUIRED, FIELD(zn_pin_entry, axis),
     HELP("likewise, any length")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), REQUIRED, POSITIVE, FIELD(zn_pin_entry, radius), HELP("its radius")},
    {"length", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_pin_entry, length), DEFAULT("no end"),
     HELP("along the axis; one of pin and hole has one")},
};

static void pin_defaults(void *out) { *(zn_pin_entry *)out = (zn_pin_entry){0}; }

const zn_schema zn_schema_pin = {"pin",
                                 "contacts: pin, hole",
                                 "A pin in a hole, in space: the rims at the ends of the pin in the hole, and those of "
                                 "the hole around the pin, are up to four contacts.",
                                 sizeof(zn_pin_entry),
                                 pin_defaults,
                                 KEYS(pin_keys)};

static const zn_schema_key surface_keys[] = {
    {"body", ZN_KEY_NAME, FIELD(zn_surface_entry, body), DEFAULT("ground"),
     HELP("body or node that carries the surface; all vectors below are in its axes")},
    {"at", ZN_KEY_VECTOR, PLACE, CARRIED("body"), UNIT(LENGTH), FIELD(zn_surface_entry, at),
     HELP("a point of the plane, the centre of the circle or hole, a point of the axis of the slot, cylinder or "
          "bore; from the centre of mass of the body")},
    {"through", ZN_KEY_VECTOR, PLACE, CARRIED("body"), UNIT(LENGTH), FIELD(zn_surface_entry, at),
     HELP("another word for at")},
    {"plane", ZN_KEY_VECTOR, DIRECTION, CARRIED("body"), FIELD(zn_surface_entry, plane), DEFAULT("none"),
     HELP("half-space: normal out of the obstacle, any length; it turns with the body")},
    {"circle", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_surface_entry, circle), DEFAULT("none"),
     HELP("radius; the point stays outside")},
    {"hole", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_surface_entry, hole), DEFAULT("none"),
     HELP("radius; the point stays inside")},
    {"slot", ZN_KEY_OBJECT, CARRIED("body"), .object = &zn_schema_slot, FIELD(zn_surface_entry, slot),
     HELP("the point stays between two sides")},
    {"cylinder", ZN_KEY_OBJECT, CARRIED("body"), .object = &zn_schema_cylinder, FIELD(zn_surface_entry, cylinder),
     HELP("in space: the point stays outside")},
    {"bore", ZN_KEY_OBJECT, CARRIED("body"), .object = &zn_schema_cylinder, FIELD(zn_surface_entry, bore),
     HELP("in space: the point stays inside")},
    {"part", ZN_KEY_NAME, FIELD(zn_surface_entry, part), DEFAULT("none"),
     HELP("solid part whose outer facets the point stays outside of, deforming as they do")},
    {"shape", ZN_KEY_NAME, FIELD(zn_surface_entry, shape), DEFAULT("none"),
     HELP("rigid shape (any of `shapes`, or that of a body of this name) whose outside is free: nodes of a solid "
          "against "
          "a part. Each point is a ball of `radius`, without one of a thousandth of what all of them span; in schemes "
          "that do not project it is more than they move in a step")},
    {"face", ZN_KEY_NAME, WORD_NAME, FIELD(zn_surface_entry, face), DEFAULT("all of it"),
     HELP("with `part`: set of the part that contains the nodes of the facets that count")},
    {"reach", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_surface_entry, reach), DEFAULT("longest side of a facet"),
     HELP("with `part`: distance below which points are watched, more than they move in a step. Where it is given, "
          "points "
          "behind the facets are pushed back from that deep, wherever they have come from; else only those that came "
          "through")},
    {"bounded", ZN_KEY_OBJECT, CARRIED("body"), .object = &zn_schema_bounds, FIELD(zn_surface_entry, bounds),
     HELP("with `plane`: a face of finite size around `at`; without it a plane has no end")},
};

static void surface_defaults(void *out) { *(zn_surface_entry *)out = (zn_surface_entry){0}; }

const zn_schema zn_schema_surface = {
    "surface",
    "contacts: surface",
    "The obstacle: one of `plane`, `circle`, `hole`, `slot`, `cylinder`, `bore`, `part` and `shape`.",
    sizeof(zn_surface_entry),
    surface_defaults,
    KEYS(surface_keys)};

static const zn_schema_key contact_keys[] = {
    {"point", ZN_KEY_NAME, FIELD(zn_contact_entry, point),
     HELP("body or node such as rod[0]; `ground` where the surface is on a body")},
    {"points", ZN_KEY_NAME, FIELD(zn_contact_entry, points),
     HELP(
         "in place of `point`: a set of nodes of a part such as cube.zmin, all nodes of a part, or with a surface of a "
         "part the corners of a shape (box, hull, mesh, cylinder), each a contact of its own; gap is the smallest, "
         "force the sum of them")},
    {"at", ZN_KEY_VECTOR, PLACE, CARRIED("point"), UNIT(LENGTH), FIELD(zn_contact_entry, def.point.at),
     HELP("point of a rigid body, in its axes from the centre of mass; of the ground in world axes")},
    {"radius", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_contact_entry, def.radius),
     HELP("of a circle around the point, in space of a ball")},
    {"rim", ZN_KEY_OBJECT, CARRIED("point"), .object = &zn_schema_rim, FIELD(zn_contact_entry, rim),
     HELP("in place of `radius`, in space: a circle around the point that turns with its body")},
    {"pin", ZN_KEY_OBJECT, .object = &zn_schema_pin, FIELD(zn_contact_entry, pin),
     HELP("in place of point and surface, in space: a pin that is in `hole`. gap is the smallest, force the sum of "
          "their "
          "contacts")},
    {"hole", ZN_KEY_OBJECT, .object = &zn_schema_pin, FIELD(zn_contact_entry, hole), HELP("with `pin`")},
    {"surface", ZN_KEY_OBJECT, REQUIRED_UNLESS("between surfaces pin"), .object = &zn_schema_surface,
     FIELD(zn_contact_entry, surface), HELP("what the point cannot enter")},
    {"between", ZN_KEY_NAMES, FIELD(zn_contact_entry, between), DEFAULT("none"),
     HELP("in place of point and surface: names of shapes, of bodies (all their shapes), `ground` or `all`; every two "
          "shapes that meet are a contact, but for those of one body and of bodies that a joint holds together. gap is "
          "the smallest, force the sum of them")},
    {"against", ZN_KEY_NAMES, FIELD(zn_contact_entry, against), DEFAULT("none"),
     HELP("with between: only pairs of one of those shapes and one of these")},
    {"except", ZN_KEY_NODE, FIELD(zn_contact_entry, except), DEFAULT("none"),
     HELP("with between: pairs of names whose shapes do not meet, [[door, frame], [door, ground]]")},
    {"joined", ZN_KEY_BOOL, FIELD(zn_contact_entry, joined), DEFAULT("false"),
     HELP("with between: shapes of bodies that a joint holds together (any but `rod`, `coupling` and `motion`, also to "
          "the ground) meet as well")},
    {"surfaces", ZN_KEY_NAMES, FIELD(zn_contact_entry, surfaces), DEFAULT("none"),
     HELP("in place of point and surface: the surfaces of two solids that stay outside each other, as PART.SET or PART "
          "(all of its outer faces); one name: a surface that may meet itself. They may be open or closed. gap is the "
          "smallest, force the sum of the contacts of nodes of either with faces of the other")},
    {"reach", ZN_KEY_NUMBER, UNIT(LENGTH), POSITIVE, FIELD(zn_contact_entry, reach), DEFAULT("longest side of a face"),
     HELP("with `surfaces`: distance below which nodes are watched, more than they move in a step; and depth to which "
          "they are pushed back")},
    {"restitution", ZN_KEY_NUMBER, BETWEEN(0, 1), FIELD(zn_contact_entry, def.restitution),
     HELP("Newton's coefficient: velocity after an impact over velocity before")},
    {"friction", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(zn_contact_entry, def.friction),
     HELP("Coulomb's coefficient: largest tangential over normal force")},
    {"tangential_restitution", ZN_KEY_NUMBER, BETWEEN(-1, 1), FIELD(zn_contact_entry, def.tangential_restitution),
     HELP("the same as restitution for the sliding velocity; with friction only")},
    {"rolling_friction", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_contact_entry, def.rolling_friction),
     HELP("largest moment against rolling over the normal force; with friction, on planes, circles, holes, slots and "
          "with `between`")},
    {"spinning_friction", ZN_KEY_NUMBER, UNIT(LENGTH), NOT_NEGATIVE, FIELD(zn_contact_entry, def.spinning_friction),
     HELP("the same for the moment about the normal; in space")},
    {"restitution_from", ZN_KEY_NUMBER, UNIT(VELOCITY), NOT_NEGATIVE, FIELD(zn_contact_entry, def.restitution_from),
     HELP(
         "speed of approach along the normal below which both restitutions are 0, so that what bounces comes to rest")},
    {"cohesion", ZN_KEY_NUMBER, UNIT(FORCE), NOT_NEGATIVE, FIELD(zn_contact_entry, def.cohesion), DEFAULT("0"),
     HELP("largest force by which each point of contact pulls while it is closed, and adds to the normal force that "
          "bounds friction; in moreau_jean, direct_projection and combined_projection")},
};

static void contact_defaults(void *out)
{
    *(zn_contact_entry *)out = (zn_contact_entry){.def = zn_contact_def_default()};
}

const zn_schema zn_schema_contact = {"contact",
                                     "contacts",
                                     "Points and circles against obstacles, surfaces of solids that meet "
                                     "(`surfaces`), and shapes that meet each other (`between`).",
                                     sizeof(zn_contact_entry),
                                     contact_defaults,
                                     KEYS(contact_keys)};
