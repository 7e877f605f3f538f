/// Random impacts of two soft bodies in the plane, blocks and rings: sizes, meshes, materials, motion, friction, step.
#ifndef ZN_TESTS_IMPACTS_IMPACT_H
#define ZN_TESTS_IMPACTS_IMPACT_H

#include "fixtures.h"

#include "scheme_fixtures.h"
#include "system/system.h"

typedef struct soft_body {
    bool    ring;
    double  side[2]; ///< of a block; of a ring: outer radius, thickness
    int     elements[2];
    double  young, poisson, density;
    bool    stress; ///< plane stress; otherwise plane strain
    bool    neo;    ///< neo-Hookean; otherwise St. Venant-Kirchhoff, which softens when it is crushed
    double  angle;
    zn_vec3 centre, velocity;
    double  spin;
} soft_body;

typedef struct impact {
    uint64_t  seed;
    soft_body body[2];
    double    speed, size, finest; ///< of the approach; of the smaller body; of the shortest side of an element
    double    friction, reach, step;
    bool      couple;
} impact;

// --- chance --------------------------------------------------------------------------------------

static inline double between(uint64_t *r, double low, double high) { return low + (high - low) * (draw(r) + 1) / 2; }
static inline double scaled(uint64_t *r, double low, double high) { return exp(between(r, log(low), log(high))); }
static inline int    whole(uint64_t *r, int low, int high) { return (int)floor(between(r, low, high + 1)); }

/// Shape and material, in its own axes. strain: speed over the speed of waves.
static inline soft_body draw_body(uint64_t *r, double speed, double strain)
{
    soft_body b = {.ring = draw(r) < 0, .poisson = between(r, 0, 0.4), .stress = draw(r) < 0};
    b.side[0] = b.ring ? scaled(r, 0.3, 1.2) : scaled(r, 0.4, 2);
    b.side[1] = b.ring ? b.side[0] * between(r, 0.1, 0.5) : scaled(r, 0.4, 2);
    b.elements[0] = b.ring ? whole(r, 10, 32) : whole(r, 1, 6);
    b.elements[1] = b.ring ? whole(r, 1, 2) : whole(r, 1, 6);
    b.density = scaled(r, 0.4, 2.7);
    if (b.ring) // a thin one would fall in upon itself
        strain = fmin(strain, 0.3 * b.side[1] / b.side[0]);
    b.neo = strain > 0.04;
    b.young = b.density * speed * speed / (strain * strain);
    b.angle = between(r, -3.14, 3.14);
    return b;
}

static inline double radius_of(const soft_body *b) { return b->ring ? b->side[0] : hypot(b->side[0], b->side[1]) / 2; }

static inline double finest_of(const soft_body *b)
{
    double along = b->ring ? 2 * 3.14159265358979323846 * b->side[0] / b->elements[0] : b->side[0] / b->elements[0];
    return fmin(along, b->side[1] / b->elements[1]);
}

/// How far the body reaches along the direction d from its centre.
static inline double support_of(const soft_body *b, zn_vec3 d)
{
    double c = cos(b->angle), s = sin(b->angle);
    if (b->ring)
        return b->side[0];
    return (b->side[0] * fabs(c * d.x + s * d.y) + b->side[1] * fabs(c * d.y - s * d.x)) / 2;
}

static inline impact draw_impact(uint64_t seed)
{
    impact   m = {.seed = seed};
    uint64_t r = seed * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < 8; i++)
        draw(&r);
    m.speed = between(&r, 0.5, 2);
    for (int k = 0; k < 2; k++)
        m.body[k] = draw_body(&r, m.speed, pow(10, between(&r, -2.3, -1)));
    soft_body *a = &m.body[0], *b = &m.body[1];
    double     phi = between(&r, -3.14, 3.14), aside;
    zn_vec3    d = {cos(phi), sin(phi), 0}, across = {-d.y, d.x, 0};
    m.size = fmin(radius_of(a), radius_of(b));
    m.finest = fmin(finest_of(a), finest_of(b));
    aside = 0.5 * m.size * draw(&r);
    a->centre = zn_vec3_add(zn_vec3_scale(-support_of(a, d) - 0.01 * m.size, d), zn_vec3_scale(aside, across));
    b->centre = zn_vec3_scale(support_of(b, d) + 0.01 * m.size, d);
    for (int k = 0; k < 2; k++) {
        zn_vec3 stray = {0.3 * m.speed * draw(&r), 0.3 * m.speed * draw(&r), 0};
        m.body[k].velocity = zn_vec3_add(zn_vec3_scale(k == 0 ? m.speed : -m.speed, d), stray);
        m.body[k].spin = m.speed / radius_of(&m.body[k]) * draw(&r);
    }
    m.friction = draw(&r) < 0 ? 0 : between(&r, 0.05, 0.8);
    m.couple = draw(&r) < 0;
    m.step = 0.02 * m.size / m.speed * pow(2, whole(&r, -2, 1));
    m.reach = 0.6 * m.finest + 0.1 * m.size;
    return m;
}

// --- the model -----------------------------------------------------------------------------------

static inline zn_vec3 placed(const soft_body *b, zn_vec3 x)
{
    double c = cos(b->angle), s = sin(b->angle);
    return zn_vec3_add(b->centre, (zn_vec3){c * x.x - s * x.y, s * x.x + c * x.y, 0});
}

static inline void add_soft_body(zn_model *model, const char *name, const soft_body *b)
{
    zn_mesh     *mesh = NULL;
    zn_vec3      corner = {b->side[0] / 2, b->side[1] / 2, 0};
    zn_solid_def def = zn_solid_def_default();
    if (b->ring)
        CHECK_OK(zn_mesh_ring(zn_vec3_make(0, 0, 0), b->side[0], b->side[1], b->elements, 1, &mesh));
    else
        CHECK_OK(zn_mesh_rectangle(zn_vec3_scale(-1, corner), corner, b->elements, &mesh));
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = placed(b, mesh->nodes[i]);
    def.name = name;
    def.mesh = mesh;
    def.model = b->neo ? ZN_SOLID_NEO_HOOKEAN : ZN_SOLID_SAINT_VENANT_KIRCHHOFF;
    def.plane = b->stress ? ZN_PLANE_STRESS : ZN_PLANE_STRAIN;
    def.young = b->young;
    def.poisson = b->poisson;
    def.density = b->density;
    def.velocity = b->velocity;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static inline const char *rim_of(const impact *m, int k)
{
    static const char *const names[2][2] = {{"a.surface", "a.outer"}, {"b.surface", "b.outer"}};
    return names[k][m->body[k].ring];
}

static inline zn_model *impact_model(const impact *m)
{
    zn_model       *model = planar_model(0, (zn_log){0});
    zn_surfaces_def touch = zn_surfaces_def_default();
    add_soft_body(model, "a", &m->body[0]);
    add_soft_body(model, "b", &m->body[1]);
    touch.name = "touch";
    touch.part_a = "a";
    touch.face_a = rim_of(m, 0);
    touch.part_b = "b";
    touch.face_b = rim_of(m, 1);
    touch.friction = m->friction;
    touch.reach = m->reach;
    CHECK_OK(zn_model_add_surfaces(model, &touch));
    return model;
}

/// The model in its scheme, both bodies spinning.
static inline rig open_impact(const impact *m)
{
    zn_scheme_def def = scheme_named("energy_momentum", 0.5);
    def.couple = m->couple;
    rig r = rig_open(impact_model(m), def);
    for (int k = 0, at = 0; k < 2; k++) {
        const soft_body *b = &m->body[k];
        int nodes = b->ring ? b->elements[0] * (b->elements[1] + 1) : (b->elements[0] + 1) * (b->elements[1] + 1);
        for (int i = at; i < at + nodes; i++) {
            const zn_layout_node *node = &r.sys->layout.node[i];
            r.state->v[node->dof[0]] -= b->spin * (node->origin.y - b->centre.y);
            r.state->v[node->dof[1]] += b->spin * (node->origin.x - b->centre.x);
        }
        at += nodes;
    }
    CHECK_OK(zn_state_update(r.sys, r.state));
    return r;
}

// --- rims, apart from the search of the library -------------------------------------------------

enum { MOST_RIM = 64 };

typedef struct rim {
    int     count, node[MOST_RIM];
    zn_vec3 x[MOST_RIM];
} rim;

/// Nodes of a rim in their order around the centre: both shapes are convex.
static inline rim rim_nodes(const rig *r, const impact *m, int k)
{
    rim               out = {0};
    double            angle[MOST_RIM];
    int               count = 0;
    const zn_node_id *nodes = zn_model_find_node_set(r->model, rim_of(m, k), &count);
    assert_true(nodes != NULL && count <= MOST_RIM);
    for (int i = 0; i < count; i++) {
        int     number = nodes[i].value - 1, at = out.count++;
        zn_vec3 x = zn_vec3_sub(r->sys->layout.node[number].origin, m->body[k].centre);
        double  here = atan2(x.y, x.x);
        for (; at > 0 && angle[at - 1] > here; at--) {
            angle[at] = angle[at - 1];
            out.node[at] = out.node[at - 1];
        }
        angle[at] = here;
        out.node[at] = number;
    }
    return out;
}

static inline void place_rim(const rig *r, rim *p)
{
    for (int i = 0; i < p->count; i++) {
        const zn_layout_node *node = &r->sys->layout.node[p->node[i]];
        const double         *u = r->state->q + node->q;
        p->x[i] = zn_vec3_add(node->origin, (zn_vec3){u[0], u[1], 0});
    }
}

/// Depth of a point inside a polygon, 0 outside.
static inline double depth_in(const rim *p, zn_vec3 x)
{
    bool   inside = false;
    double nearest = INFINITY;
    for (int i = 0; i < p->count; i++) {
        zn_vec3 a = p->x[i], b = p->x[(i + 1) % p->count], ab = zn_vec3_sub(b, a), ax = zn_vec3_sub(x, a);
        double  s = fmin(1, fmax(0, zn_vec3_dot(ax, ab) / zn_vec3_dot(ab, ab)));
        nearest = fmin(nearest, zn_vec3_norm(zn_vec3_sub(ax, zn_vec3_scale(s, ab))));
        if ((a.y > x.y) != (b.y > x.y) && x.x < a.x + (x.y - a.y) * ab.x / ab.y)
            inside = !inside;
    }
    return inside ? nearest : 0;
}

/// Deepest node of either body inside the other.
static inline double deepest_node(const rig *r, rim *a, rim *b)
{
    double deepest = 0;
    place_rim(r, a);
    place_rim(r, b);
    for (int i = 0; i < a->count; i++)
        deepest = fmax(deepest, depth_in(b, a->x[i]));
    for (int i = 0; i < b->count; i++)
        deepest = fmax(deepest, depth_in(a, b->x[i]));
    return deepest;
}

#endif
