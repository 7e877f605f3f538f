/// Models for the tests of elements: springs between all kinds of ends, bars, loads, and everything at once.
#ifndef ZN_TESTS_ELEMENT_MODELS_H
#define ZN_TESTS_ELEMENT_MODELS_H

#include "fixtures.h"

static inline zn_node_id add_body(zn_model *model, const char *name, zn_vec3 position, double inertia)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  id = {0};
    def.name = name;
    def.mass = 1.5;
    def.inertia = inertia;
    def.position = position;
    CHECK_OK(zn_model_add_body(model, &def, &id));
    return id;
}

// A spatial frame: no element gives it mass yet, so it is fixed; its degrees of freedom are the ones >= n.
static inline zn_node_id add_frame3(zn_model *model, const char *name, zn_vec3 position)
{
    zn_node_def def = zn_node_def_default();
    zn_node_id  id = {0};
    def.name = name;
    def.kind = ZN_FRAME3;
    def.origin = zn_vec3_make(0.5, 0.5, 0.5);
    def.position = position;
    def.rotation = zn_so3_exp(zn_vec3_make(0.3, 0.8, -0.5));
    def.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &def, &id));
    return id;
}

static inline void add_spring(zn_model *model, const char *name, zn_attachment from, zn_attachment to)
{
    zn_spring_def def = zn_spring_def_default();
    def.name = name;
    def.from = from;
    def.to = to;
    def.stiffness = 20;
    def.damping = 3;
    def.rest_length = 0.8;
    CHECK_OK(zn_model_add_spring(model, &def));
}

static inline void add_bar(zn_model *model, const char *name, zn_vec3 from, zn_vec3 to, int elements, zn_mass_kind mass)
{
    zn_bar_def def = zn_bar_def_default();
    def.name = name;
    def.from = from;
    def.to = to;
    def.elements = elements;
    def.young = 50;
    def.density = 3;
    def.area = 0.2;
    def.mass = mass;
    def.mass_damping = 0.4;
    def.stiffness_damping = 0.03;
    CHECK_OK(zn_model_add_bar(model, &def));
}

typedef enum end_kind { GROUND, POINT, FRAME, ENDS } end_kind;

static inline zn_attachment add_end(zn_model *model, bool planar, end_kind kind, bool first)
{
    zn_vec3 position = first ? zn_vec3_make(-0.6, 0.2, planar ? 0 : 0.3) : zn_vec3_make(0.9, -0.4, planar ? 0 : 0.7);
    zn_attachment a = {.at = position};
    if (kind == GROUND)
        return a;
    const char *name = first ? "first" : "second";
    a.at = kind == POINT ? zn_vec3_make(0, 0, 0) : zn_vec3_make(0.2, first ? -0.3 : 0.25, planar ? 0 : 0.15);
    a.node = kind == FRAME && !planar ? add_frame3(model, name, position)
                                      : add_body(model, name, position, kind == FRAME ? 0.4 : 0);
    return a;
}

// One spring between two ends; something else that moves, so that there are equations.
static inline fixture make_pair(bool planar, end_kind from, end_kind to)
{
    zn_model *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    add_body(model, "bystander", zn_vec3_make(3, 3, 0), 0);
    zn_attachment a = add_end(model, planar, from, true), b = add_end(model, planar, to, false);
    add_spring(model, "spring", a, b);
    return compile_fixture(model);
}

static inline double wave(void *user, double t) { return *(const double *)user * cos(t); }

static inline zn_signal *make_wave(double amplitude)
{
    zn_signal *s = NULL;
    double    *a = malloc(sizeof *a);
    assert_non_null(a);
    *a = amplitude;
    CHECK_OK(zn_signal_callback(wave, a, free, &s));
    return s;
}

static inline void add_load(zn_model *model, const char *name, zn_attachment point, bool planar, bool torque)
{
    zn_force_def def = zn_force_def_default();
    def.name = name;
    def.point = point;
    def.force[0] = make_wave(2);
    def.force[1] = make_wave(-5);
    def.force[2] = planar ? NULL : make_wave(4);
    def.torque = torque ? make_wave(1.5) : NULL;
    CHECK_OK(zn_model_add_force(model, &def));
}

// Everything at once.
static inline fixture make_zoo(bool planar)
{
    zn_model     *model = make_model(planar, zn_vec3_make(0.3, -9.81, planar ? 0 : 0.7), NULL);
    zn_attachment point = add_end(model, planar, POINT, true), frame = add_end(model, planar, FRAME, false);
    zn_attachment ground = {.at = {2, 2, 0}}, elsewhere = frame;
    elsewhere.at = zn_vec3_make(-0.3, -0.5, 0);
    add_spring(model, "pf", point, frame);
    add_spring(model, "gp", ground, point);
    add_spring(model, "fg", frame, ground);
    add_spring(model, "ff", frame, elsewhere); // both ends on one body
    add_bar(model, "full", zn_vec3_make(0, 0, 0), zn_vec3_make(0.6, 0.8, planar ? 0 : -0.4), 3, ZN_MASS_CONSISTENT);
    add_bar(model, "lump", zn_vec3_make(0, 1, 0), zn_vec3_make(1, 0.5, planar ? 0 : 0.2), 2, ZN_MASS_LUMPED);
    add_spring(model, "bp", (zn_attachment){.node = zn_model_find_node(model, "full[3]")}, point);
    add_load(model, "push", frame, planar, planar);
    add_load(model, "drag", point, planar, false);
    zn_acceleration_def field = zn_acceleration_def_default();
    const char *const   loaded[] = {"full", "first"};
    field.parts = loaded;
    field.part_count = 2;
    field.acceleration[0] = make_wave(0.6);
    field.acceleration[1] = make_wave(-0.2);
    CHECK_OK(zn_model_add_acceleration(model, &field));
    return compile_fixture(model);
}

#endif
