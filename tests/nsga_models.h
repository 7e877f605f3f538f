/// What the tests of the nonsmooth generalized-alpha schemes share.
#ifndef ZN_TESTS_NSGA_MODELS_H
#define ZN_TESTS_NSGA_MODELS_H

#include "scheme_fixtures.h"

static inline zn_scheme_def nsga_def(const char *name, double rho)
{
    zn_scheme_def def = scheme_named(name, 0.5);
    def.rho_inf = rho;
    return def;
}

// Cosimo et al., 4.2: E = 900, rho = 1, L = 10, A = 1, tip 5.005 m from the wall, 10 m/s. Wave speed 30 m/s: contact
// from 0.5005 s to 1.1672 s with the constant force rho c A v0 = 300 N.
static inline zn_model *soft_bar(int elements, zn_mass_kind mass)
{
    zn_model  *model = planar_model(0, (zn_log){0});
    zn_bar_def def = zn_bar_def_default();
    def.name = "rod";
    def.from = zn_vec3_make(5.005, 0, 0);
    def.to = zn_vec3_make(15.005, 0, 0);
    def.elements = elements;
    def.young = 900;
    def.density = 1;
    def.area = 1;
    def.mass = mass;
    def.velocity = zn_vec3_make(-10, 0, 0);
    def.fixed = ZN_FIX_Y;
    CHECK_OK(zn_model_add_bar(model, &def));
    add_plane_contact(model, "wall", zn_model_find_node(model, "rod[0]"), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0),
                      0);
    return model;
}

static inline double momentum_x(const rig *r)
{
    static double scratch[1024];
    zn_vec3       linear, angular;
    CHECK_OK(
        zn_system_momentum(r->sys, (zn_at){r->state->q, r->state->v, r->state->t, 0}, -1, scratch, &linear, &angular));
    return linear.x;
}

#endif
