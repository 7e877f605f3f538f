#include "model/contact/mesh_near.h"

#define END_SHARE   1e-9 // of the size: slack at the ends of features
#define SAME_NORMAL 1e-6
#define MOST_TILT   1e-3
#define STEEP       0.5 // sine: what goes down into the face as steeply cannot have come in by a step

zn_mesh_near zn_mesh_near_begin(const zn_near *at, double size, zn_feature_list *out)
{
    zn_mat3      turn = zn_mat3_transpose(at->A.rotation);
    zn_vec3      spin = zn_vec3_sub(at->b.spin, at->a.spin);
    zn_mesh_near s = {
        .horizon = at->horizon, .slack = at->slack, .fall = at->fall, .tolerance = END_SHARE * size, .out = out};
    double angle = at->horizon * zn_vec3_norm(spin); // its square: what the straight way of points leaves out
    s.tilt = fmin(END_SHARE + 2 * at->fall / size + angle * angle, MOST_TILT);
    s.rotation = zn_mat3_product(turn, at->B.rotation);
    s.at = zn_mat3_apply(turn, zn_vec3_sub(at->B.position, at->A.position));
    s.spin = zn_mat3_apply(turn, spin);
    s.velocity =
        zn_mat3_apply(turn, zn_vec3_add(zn_vec3_sub(at->b.origin, at->a.origin), zn_vec3_cross(spin, at->A.position)));
    return s;
}

void zn_mesh_sweep(const zn_mesh_near *s, zn_vec3 x, zn_vec3 velocity, double radius, zn_vec3 *low, zn_vec3 *high)
{
    zn_vec3 way = zn_vec3_scale(s->horizon, velocity);
    *low = (zn_vec3){x.x + fmin(0, way.x) - radius, x.y + fmin(0, way.y) - radius, x.z + fmin(0, way.z) - radius};
    *high = (zn_vec3){x.x + fmax(0, way.x) + radius, x.y + fmax(0, way.y) + radius, x.z + fmax(0, way.z) + radius};
}

zn_mesh_block zn_mesh_block_of(const zn_mesh_shape *m, int triangle)
{
    const int *c = &m->corner[3 * triangle];
    zn_vec3    u = m->point[c[0]], v = m->point[c[1]], w = m->point[c[2]];
    return (zn_mesh_block){{fmin(u.x, fmin(v.x, w.x)), fmin(u.y, fmin(v.y, w.y)), fmin(u.z, fmin(v.z, w.z))},
                           {fmax(u.x, fmax(v.x, w.x)), fmax(u.y, fmax(v.y, w.y)), fmax(u.z, fmax(v.z, w.z))}};
}

zn_mesh_block zn_mesh_swept(const zn_mesh_near *s, zn_vec3 low, zn_vec3 high)
{
    zn_vec3 c = zn_mesh_near_point(s, zn_vec3_scale(0.5, zn_vec3_add(low, high))),
            h = zn_vec3_scale(0.5, zn_vec3_sub(high, low));
    double        grow = s->slack + s->depth + s->tolerance + s->horizon * zn_vec3_norm(s->spin) * zn_vec3_norm(h);
    zn_mesh_block out;
    zn_mesh_sweep(s, c, zn_mesh_near_velocity(s, c), grow, &out.low, &out.high);
    const double(*m)[3] = s->rotation.m;
    zn_vec3 side = {fabs(m[0][0]) * h.x + fabs(m[0][1]) * h.y + fabs(m[0][2]) * h.z,
                    fabs(m[1][0]) * h.x + fabs(m[1][1]) * h.y + fabs(m[1][2]) * h.z,
                    fabs(m[2][0]) * h.x + fabs(m[2][1]) * h.y + fabs(m[2][2]) * h.z};
    out.low = zn_vec3_sub(out.low, side);
    out.high = zn_vec3_add(out.high, side);
    return out;
}

// |d + t w| = r, the first time.
int zn_mesh_round_times(const zn_mesh_near *s, zn_vec3 d, zn_vec3 w, double radius, double when[2])
{
    double away = zn_vec3_norm(d), gap = away - radius, closing = -zn_vec3_dot(d, w), square = zn_vec3_dot(w, w);
    when[0] = 0;
    when[1] = s->horizon;
    if (closing > 0 && gap > ZN_TOUCHING * s->slack) {
        double root = closing * closing - square * (away + radius) * gap;
        double least = sqrt(fmax(0, away * away - closing * closing / square)) - radius; // gap where it passes
        double first = root >= 0 ? (away + radius) * gap / (closing + sqrt(root)) : closing / square;
        if (first <= s->horizon && least <= 2 * s->fall + ZN_TOUCHING * s->slack) {
            when[0] = first;
            return 1;
        }
    }
    return gap <= s->tolerance ? 1 : gap <= s->slack ? 2 : 0;
}

zn_status zn_mesh_found(zn_mesh_near *s, int a, int b, bool end, zn_vec3 point, zn_vec3 normal)
{
    for (int i = 0; i < s->out->count; i++) // another triangle of the face, another time
        if (s->out->pair[i] == zn_feature_pair(a, b))
            return ZN_OK;
    if (!end)
        return zn_feature_found(s->out, a, b);
    int kept = s->copies < ZN_COPIES ? s->copies : ZN_COPIES;
    for (int i = 0; i < kept; i++) {
        const zn_mesh_copy *c = &s->copy[i];
        if (zn_vec3_norm(zn_vec3_sub(c->point, point)) > 10 * s->tolerance ||
            zn_vec3_norm(zn_vec3_sub(c->normal, normal)) > SAME_NORMAL)
            continue;
        if (zn_feature_pair(a, b) < s->out->pair[c->place])
            s->out->pair[c->place] = zn_feature_pair(a, b);
        return ZN_OK;
    }
    s->copy[s->copies++ % ZN_COPIES] = (zn_mesh_copy){point, normal, s->out->count};
    return zn_feature_found(s->out, a, b);
}

static double front_of(const zn_mesh_shape *m, int face, zn_vec3 x)
{
    return zn_vec3_dot(zn_vec3_sub(x, m->plane[face].at), m->plane[face].normal);
}

// Beyond a hollow side, but near, and not on the far side of the solid: how deep behind the other face it may be
// follows from whether it is behind its own.
static bool is_around(const zn_mesh_near *s, const zn_mesh_shape *m, const zn_mesh_line *e, int own, zn_vec3 x,
                      double away)
{
    double deep = front_of(m, e->face[own], x) < -s->tolerance ? s->depth : 0;
    double far = fmax(s->slack, deep), behind = fmax(2 * s->fall + ZN_TOUCHING * s->slack + s->tolerance, deep);
    return away <= far && front_of(m, e->face[1 - own], x) >= -behind;
}

double zn_mesh_outside(const zn_mesh_near *s, const zn_mesh_shape *m, int triangle, zn_vec3 x, bool *end)
{
    double most = -INFINITY;
    *end = false;
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        int                 own = e->triangle[0] == triangle ? 0 : 1;
        double              away = zn_vec3_dot(zn_vec3_sub(x, m->point[e->a]), e->beyond[own]);
        *end = *end || away > -s->tolerance;
        if (away <= most || (away > 0 && e->bend == ZN_BEND_HOLLOW && is_around(s, m, e, own, x, away)))
            continue;
        most = away;
    }
    return most;
}

bool zn_spread_enters(const zn_spread *out, zn_vec3 normal)
{
    const double level = 1e-9; // sine
    for (int i = 0; i < out->count; i++)
        if (zn_vec3_dot(out->way[i], normal) < -level)
            return true;
    return false;
}

zn_vec3 zn_mesh_off_border(const zn_mesh_near *s, const zn_mesh_shape *m, int triangle, zn_vec3 x, const zn_spread *out,
                           double depth)
{
    zn_vec3 off = x;
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        int                 own = e->triangle[0] == triangle ? 0 : 1;
        if (e->bend == ZN_BEND_CONVEX && zn_vec3_dot(zn_vec3_sub(x, m->point[e->a]), e->beyond[own]) > -s->tolerance &&
            front_of(m, e->face[1 - own], x) <= s->tolerance &&
            zn_spread_enters(out, m->plane[e->face[1 - own]].normal))
            off = zn_mesh_ahead(off, -ZN_OFF_BORDER * depth, e->beyond[own]);
    }
    return off;
}

bool zn_mesh_tip_faces(const zn_mesh_near *s, const zn_mesh_shape *m, int point, zn_vec3 d)
{
    for (int i = m->spokes[point]; i < m->spokes[point + 1]; i++)
        if (zn_vec3_dot(d, zn_mesh_spoke(m, m->spoke[i], point)) > s->tolerance)
            return false;
    return zn_vec3_dot(d, m->outward[point]) > 0;
}

bool zn_mesh_is_higher(const zn_mesh_near *s, zn_vec3 spoke, double length, zn_vec3 normal, double gap, double speed)
{
    double room = s->tolerance + 2 * s->fall + ZN_TOUCHING * s->slack + s->horizon * fabs(speed),
           down = -zn_vec3_dot(normal, spoke);
    return length * down > room + length * s->horizon * zn_vec3_norm(s->spin) && (gap > room || down > STEEP);
}

bool zn_mesh_is_lowest(const zn_mesh_near *s, const zn_mesh_shape *m, int point, zn_vec3 normal, double gap,
                       double speed)
{
    for (int i = m->spokes[point]; i < m->spokes[point + 1]; i++)
        if (zn_mesh_is_higher(s, zn_mesh_spoke(m, m->spoke[i], point), m->edge[m->spoke[i]].length, normal, gap, speed))
            return false;
    return true;
}
