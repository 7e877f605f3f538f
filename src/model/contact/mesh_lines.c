#include "model/contact/mesh_lines.h"

#include <math.h>

#define PARALLEL 1e-6 // sine: edges carry nothing, points over faces do

zn_mesh_bar zn_mesh_line_ahead(const zn_mesh_near *s, const zn_mesh_bar *l, double when)
{
    zn_mesh_bar out = *l;
    zn_vec3     turned = zn_mesh_ahead(l->along, when, zn_vec3_cross(s->spin, l->along));
    double      longer = zn_vec3_norm(turned); // its ends go straight on
    out.from = zn_mesh_ahead(l->from, when, zn_mesh_near_velocity(s, l->from));
    out.along = zn_vec3_scale(1 / longer, turned);
    out.length = longer * l->length;
    for (int i = 0; i < 2; i++)
        out.beyond[i] = zn_mesh_ahead(l->beyond[i], when, zn_vec3_cross(s->spin, l->beyond[i]));
    return out;
}

// By products across the lines: at an angle θ places along them are right to 1e-16 / θ, not to its square.
bool zn_mesh_cross_lines(const zn_mesh_shape *m, const zn_mesh_line *e, const zn_mesh_bar *l, zn_mesh_crossing *c)
{
    zn_vec3 n = zn_vec3_cross(e->along, l->along), d = zn_vec3_sub(l->from, m->point[e->a]);
    double  square = zn_vec3_dot(n, n), sine = sqrt(square);
    if (!(sine > PARALLEL))
        return false;
    c->along_a = zn_vec3_dot(zn_vec3_cross(d, l->along), n) / square;
    c->along_b = zn_vec3_dot(zn_vec3_cross(d, e->along), n) / square;
    c->normal = zn_vec3_scale((zn_vec3_dot(n, e->out) < 0 ? -1 : 1) / sine, n);
    c->on_a = zn_mesh_ahead(m->point[e->a], c->along_a, e->along);
    c->on_b = zn_mesh_ahead(l->from, c->along_b, l->along);
    c->gap = zn_vec3_dot(c->normal, zn_vec3_sub(c->on_b, c->on_a));
    return true;
}

// Beyond the ends of an edge: what is at places along it that still belong to it.
static bool is_within(double x, double length, const double beyond[2], double tolerance)
{
    return x >= -beyond[0] - tolerance && x <= length + beyond[1] + tolerance;
}

bool zn_mesh_crossing_belongs(const zn_mesh_line *e, const zn_mesh_bar *l, const zn_mesh_crossing *c, double tolerance,
                              double sine)
{
    return is_within(c->along_a, e->length, l->beyond_a, tolerance) &&
           is_within(c->along_b, l->length, l->beyond_b, tolerance) && zn_mesh_edge_faces(e, c->normal, sine) &&
           zn_vec3_dot(c->normal, l->beyond[0]) <= sine && zn_vec3_dot(c->normal, l->beyond[1]) <= sine;
}

double zn_mesh_when_closed(const zn_mesh_near *s, const zn_mesh_shape *m, const zn_mesh_line *e, const zn_mesh_bar *l,
                           double when)
{
    enum { LOOKS = 3 };
    for (int i = 0; i < LOOKS && when > 0; i++) {
        zn_mesh_bar      then = zn_mesh_line_ahead(s, l, when);
        zn_mesh_crossing c;
        if (!zn_mesh_cross_lines(m, e, &then, &c))
            return when;
        double rate = zn_vec3_dot(c.normal, zn_mesh_near_velocity(s, c.on_b));
        if (!(rate < 0))
            return when;
        when = fmin(fmax(when + c.gap / -rate, 0), s->horizon);
    }
    return when;
}
