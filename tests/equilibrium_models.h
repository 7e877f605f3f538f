/// Models whose equilibrium is known, piece by piece.
#ifndef ZN_TESTS_EQUILIBRIUM_MODELS_H
#define ZN_TESTS_EQUILIBRIUM_MODELS_H

#include "fixtures.h"

static const double pi = 3.14159265358979323846;

static inline zn_signal *constant(double value)
{
    zn_signal *signal = NULL;
    CHECK_OK(zn_signal_constant(value, &signal));
    return signal;
}

static inline void push(zn_model *model, const char *name, const char *node, zn_vec3 at, double fx, double fy)
{
    zn_force_def def = zn_force_def_default();
    def.name = name;
    def.point = (zn_attachment){zn_model_find_node(model, node), at};
    def.force[0] = constant(fx);
    def.force[1] = constant(fy);
    CHECK_OK(zn_model_add_force(model, &def));
}

static inline void turn(zn_model *model, const char *node, double torque)
{
    zn_force_def def = zn_force_def_default();
    def.name = "turn";
    def.point.node = zn_model_find_node(model, node);
    def.torque = constant(torque);
    CHECK_OK(zn_model_add_force(model, &def));
}

static inline zn_node_id add_mass(zn_model *model, const char *name, double mass, double x, double y, unsigned fixed)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  node = {0};
    def.name = name;
    def.mass = mass;
    def.position = zn_vec3_make(x, y, 0);
    def.fixed = fixed;
    CHECK_OK(zn_model_add_body(model, &def, &node));
    return node;
}

static inline zn_node_id add_body(zn_model *model, const char *name, double mass, double inertia, double x, double y,
                                  double angle)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  node = {0};
    def.name = name;
    def.mass = mass;
    def.inertia = inertia;
    def.position = zn_vec3_make(x, y, 0);
    def.angle = angle;
    CHECK_OK(zn_model_add_body(model, &def, &node));
    return node;
}

static inline void add_spring(zn_model *model, const char *name, zn_node_id node, double x, double y, double k,
                              double rest)
{
    zn_spring_def def = zn_spring_def_default();
    def.name = name;
    def.from.at = zn_vec3_make(x, y, 0);
    def.to.node = node;
    def.stiffness = k;
    def.rest_length = rest;
    CHECK_OK(zn_model_add_spring(model, &def));
}

static inline void fix(zn_model *model, const char *node, unsigned fixed)
{
    zn_node_id id = zn_model_find_node(model, node);
    CHECK_OK(zn_model_add_node_set(model, node, 1, &id));
    CHECK_OK(zn_model_fix_node_set(model, node, fixed));
}

static inline zn_joint_def hinge(zn_node_id body, double x, double y)
{
    zn_joint_def def = zn_joint_def_default();
    def.name = "hinge";
    def.kind = ZN_JOINT_REVOLUTE;
    def.a = (zn_attachment){body, zn_vec3_make(x, y, 0)};
    return def;
}

static inline void add_rod(zn_model *model, zn_vec3 from, zn_vec3 to, int elements, unsigned fixed)
{
    zn_bar_def bar = zn_bar_def_default();
    bar.name = "rod";
    bar.from = from;
    bar.to = to;
    bar.elements = elements;
    bar.young = 210e9;
    bar.density = 7800;
    bar.area = 1e-4;
    bar.fixed = fixed;
    CHECK_OK(zn_model_add_bar(model, &bar));
}

// Corners at -w/2 and w/2; a push at the side c of the top loads B more: B = W/2 + F (1/2 + c/w).
static inline zn_model *block_on_floor(double lift, double angle, double F, double c)
{
    zn_model  *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_node_id block = add_body(model, "block", 2, 0.3, 0, 0.75 + lift, angle);
    push(model, "load", "block", zn_vec3_make(c, 0.75, 0), 0, -F);
    add_plane(model, "A", block, zn_vec3_make(-0.5, -0.75, 0), zn_vec3_make(0, 1, 0), 0);
    add_plane(model, "B", block, zn_vec3_make(0.5, -0.75, 0), zn_vec3_make(0, 1, 0), 0);
    return model;
}

#endif
