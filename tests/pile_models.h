/// Models of spheres that are shapes, alone and in a box.
#ifndef ZN_TESTS_PILE_MODELS_H
#define ZN_TESTS_PILE_MODELS_H

#include "scheme_fixtures.h"

static const double radius = 0.1, mass = 2;

static inline zn_model *space(double gravity)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    def.gravity = zn_vec3_make(0, 0, gravity);
    CHECK_OK(zn_model_create(&def, &model));
    return model;
}

// A homogeneous sphere that is a shape "ball".
static inline void add_ball(zn_model *model, double m, zn_vec3 x, zn_vec3 v)
{
    zn_body_def  body = zn_body_def_default();
    zn_shape_def shape = zn_shape_def_default();
    double       inertia = 0.4 * m * radius * radius;
    body.mass = m;
    body.inertia3 = (zn_mat3){{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}};
    body.position = x;
    body.velocity = v;
    CHECK_OK(zn_model_add_body(model, &body, &shape.at.node));
    shape.name = "ball";
    shape.radius = radius;
    CHECK_OK(zn_model_add_shape(model, &shape));
}

static inline void add_wall(zn_model *model, zn_vec3 at, zn_vec3 normal)
{
    zn_shape_def shape = zn_shape_def_default();
    shape.name = "wall";
    shape.kind = ZN_SHAPE_PLANE;
    shape.at.at = at;
    shape.normal = normal;
    CHECK_OK(zn_model_add_shape(model, &shape));
}

static inline void add_pairs(zn_model *model, double e, double mu, bool walls)
{
    const char  *names[] = {"ball", "wall"};
    zn_pairs_def pairs = zn_pairs_def_default();
    pairs.name = "pairs";
    pairs.between = names;
    pairs.between_count = walls ? 2 : 1;
    pairs.restitution = e;
    pairs.friction = mu;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
}

/// `count` spheres on a lattice with `side` along an edge, 2 cm above each other and the floor of a box.
static inline zn_model *pile_model(int count, int side, double e)
{
    zn_model      *model = space(-9.81);
    zn_lattice_def def = zn_lattice_def_default();
    double         pitch = 2 * radius + 0.02, half = side * pitch / 2, inertia = 0.4 * mass * radius * radius;
    def.body.name = "ball";
    def.body.mass = mass;
    def.body.inertia3 = (zn_mat3){{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}};
    def.body.position = zn_vec3_make(pitch / 2 - half, pitch / 2 - half, radius + 0.02);
    def.count[0] = def.count[1] = side;
    def.count[2] = (count + side * side - 1) / (side * side);
    def.limit = count;
    def.spacing = zn_vec3_make(pitch, pitch, pitch);
    def.jitter = zn_vec3_make(6e-3, 6e-3, 0);
    def.sphere = radius;
    CHECK_OK(zn_model_add_lattice(model, &def));
    add_wall(model, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 1));
    add_wall(model, zn_vec3_make(-half, 0, 0), zn_vec3_make(1, 0, 0));
    add_wall(model, zn_vec3_make(half, 0, 0), zn_vec3_make(-1, 0, 0));
    add_wall(model, zn_vec3_make(0, -half, 0), zn_vec3_make(0, 1, 0));
    add_wall(model, zn_vec3_make(0, half, 0), zn_vec3_make(0, -1, 0));
    add_pairs(model, e, 0.3, true);
    return model;
}

#endif
