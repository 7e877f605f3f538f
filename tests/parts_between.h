/// Models of springs and loads on levers and of beams, for the tests of what is between two states.
#ifndef ZN_TESTS_PARTS_BETWEEN_H
#define ZN_TESTS_PARTS_BETWEEN_H

#include "between_models.h"

typedef enum part_kind { SPRINGS, BEAM, LINEAR_BEAM, PART_KINDS } part_kind;

/// A body that turns: uneven inertia in space.
static inline zn_node_id add_turner(zn_model *model, bool planar, const char *name, zn_vec3 position)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  id = {0};
    def.name = name;
    def.mass = 1.5;
    def.position = position;
    def.inertia = planar ? 0.4 : 0;
    def.angle = planar ? 0.3 : 0;
    if (!planar) {
        def.inertia3 = (zn_mat3){{{0.5, 0.1, -0.05}, {0.1, 0.6, 0.08}, {-0.05, 0.08, 0.9}}};
        def.rotation = zn_so3_exp(zn_vec3_make(0.3, 0.8, -0.5));
    }
    CHECK_OK(zn_model_add_body(model, &def, &id));
    return id;
}

static inline void tie(zn_model *model, const char *name, zn_attachment from, zn_attachment to, double damping)
{
    zn_spring_def def = zn_spring_def_default();
    def.name = name;
    def.from = from;
    def.to = to;
    def.stiffness = 20;
    def.damping = damping;
    def.rest_length = 0.8;
    CHECK_OK(zn_model_add_spring(model, &def));
}

/// Two bodies tied to each other on levers, and a point mass to one of them.
static inline void add_tied_bodies(zn_model *model, bool planar, double damping)
{
    double     z = planar ? 0 : 1;
    zn_node_id a = add_turner(model, planar, "a", zn_vec3_make(0, 0, 0)),
               b = add_turner(model, planar, "b", zn_vec3_make(2, 0.5, 0.3 * z)),
               p = add_body(model, "p", zn_vec3_make(-1, 1, 0.5 * z), 0);
    tie(model, "first", (zn_attachment){a, {0.5, 0.3, -0.2 * z}}, (zn_attachment){b, {-0.4, 0.2, 0.3 * z}}, damping);
    tie(model, "second", (zn_attachment){a, {0, 0, 0}}, (zn_attachment){b, {0.1, -0.6, 0.2 * z}}, 0.5 * damping);
    tie(model, "third", (zn_attachment){p, {0, 0, 0}}, (zn_attachment){a, {-0.3, 0.4, 0.1 * z}}, damping);
}

/// Of three elements, free.
static inline void add_free_beam(zn_model *model, bool planar, bool linear, double damping)
{
    zn_beam_def def = zn_beam_def_default();
    def.name = "rod";
    def.from = zn_vec3_make(0.2, -0.3, 0);
    def.to = zn_vec3_make(1.5, 0.4, planar ? 0 : 0.3);
    def.elements = 3;
    def.young = 200;
    def.density = 20;
    def.section = zn_beam_section_rectangle(0.2, 0.15, 0);
    def.theory = linear ? ZN_BEAM_TIMOSHENKO : ZN_BEAM_EXACT;
    def.mass_damping = linear ? damping : 0;
    def.stiffness_damping = linear ? 0.1 * damping : 0;
    CHECK_OK(zn_model_add_beam(model, &def));
}

static inline zn_model *make_parts(part_kind kind, bool planar, double damping, zn_vec3 gravity)
{
    zn_model *model = make_model(planar, gravity, NULL);
    if (kind == SPRINGS)
        add_tied_bodies(model, planar, damping);
    else
        add_free_beam(model, planar, kind == LINEAR_BEAM, damping);
    return model;
}

/// Exact beams only in the plane.
static inline bool parts_exist(part_kind kind, bool planar) { return planar || kind != BEAM; }

/// From the start a random step of this size, then another one; velocities at random.
static inline void far_ends(const zn_system *sys, double size, uint64_t *seed, two_ends *e)
{
    double d[FIXTURE_MAX];
    assert_true(sys->info.n_all <= FIXTURE_MAX);
    for (int k = 0; k < 2; k++) {
        random_fill(seed, size, sys->info.n_all, d);
        for (int i = sys->info.n; i < sys->info.n_all; i++)
            d[i] = 0;
        zn_system_retract(sys, k == 0 ? sys->q0 : e->q[0], d, e->q[k]);
        random_fill(seed, 1, sys->info.n_all, e->v[k]);
    }
    e->s = (zn_between){{e->q[0], e->v[0], 0.3, 0}, {e->q[1], e->v[1], 0.7, 0}};
}

static inline void way_between(const zn_system *sys, zn_between s, double *way)
{
    double d[FIXTURE_MAX];
    zn_system_difference(sys, s.to.q, s.from.q, d);
    CHECK_OK(zn_system_way(sys, d, way));
}

#endif
