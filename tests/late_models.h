/// Boxes that an impact within a step turns into what was not near, and how deep boxes are in each other.
#ifndef ZN_TESTS_LATE_MODELS_H
#define ZN_TESTS_LATE_MODELS_H

#include "scheme_fixtures.h"

typedef struct test_box {
    zn_vec3 sides, position, velocity, spin; ///< spin in its own axes
    zn_quat rotation;
    double  density; ///< 0: it is on the ground
} test_box;

static inline void add_box(zn_model *model, const test_box *b)
{
    zn_shape_def shape = zn_shape_def_default();
    zn_vec3      s = b->sides;
    double       m = b->density * s.x * s.y * s.z;
    shape.name = "box";
    shape.kind = ZN_SHAPE_BOX;
    shape.box = s;
    if (b->density > 0) {
        zn_body_def body = zn_body_def_default();
        body.mass = m;
        body.inertia3 = (zn_mat3){{{m / 12 * (s.y * s.y + s.z * s.z), 0, 0},
                                   {0, m / 12 * (s.x * s.x + s.z * s.z), 0},
                                   {0, 0, m / 12 * (s.x * s.x + s.y * s.y)}}};
        body.position = b->position;
        body.rotation = b->rotation;
        body.velocity = b->velocity;
        body.spin3 = b->spin;
        CHECK_OK(zn_model_add_body(model, &body, &shape.at.node));
    } else {
        shape.at.at = b->position;
        shape.rotation = b->rotation;
    }
    CHECK_OK(zn_model_add_shape(model, &shape));
}

static inline zn_model *box_model(double gravity, double e, int count, const test_box *b)
{
    zn_model    *model = NULL;
    zn_model_def def = zn_model_def_default();
    zn_pairs_def pairs = zn_pairs_def_default();
    const char  *names[] = {"box"};
    def.gravity = zn_vec3_make(0, 0, -gravity);
    CHECK_OK(zn_model_create(&def, &model));
    for (int i = 0; i < count; i++)
        add_box(model, &b[i]);
    pairs.between = names;
    pairs.between_count = 1;
    pairs.restitution = e;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model;
}

// --- one end is hit, the other one turns into a wall ---------------------------------------------

/// A heavy bar turns about the z axis, its tip comes down on the end of a light box of this breadth that rests 1.5 mm
/// below a block at its other end. Nothing but the bar moves, and that has no velocity at its centre.
static inline int hit_boxes(double breadth, test_box b[3])
{
    const zn_quat straight = {1, 0, 0, 0};
    const double  top = breadth / 2;
    b[0] = (test_box){.sides = {0.2, breadth, 0.02}, .rotation = straight, .density = 20 / breadth};
    b[1] = (test_box){.sides = {0.2, 0.02, 0.02}, .rotation = straight, .density = 1e5, .spin = {0, 0, 10}};
    b[1].position = zn_vec3_make(0.19, top + 0.0105, 0);
    b[2] = (test_box){.sides = {0.1, 0.1, 0.1}, .rotation = straight, .position = {-0.1, top + 0.0515, 0}};
    return 3;
}

static const double late_step = 8e-3;

/// Schemes that hold positions. The velocity law of direct projection acts where a forecast closes the gap.
static const char *const late_schemes[] = {"combined_projection", "direct_projection", "nsga", "nsga_coupled"};
enum { LATE_SCHEMES = 4 };

static inline rig open_hit(int scheme, double breadth)
{
    test_box      b[3];
    int           count = hit_boxes(breadth, b);
    zn_scheme_def def = scheme_named(late_schemes[scheme], 0.5);
    def.gamma = scheme == 1 ? 1 : 0;
    return rig_open(box_model(0, 0.5, count, b), def);
}

#endif
