// A mesh with things that are round, and with planes. A ball of radius r around x touches features of the mesh at a
// distance r whose nearest point to x is a local minimum over the whole surface:
//     face   x over one of its triangles, and in front of it
//     edge   convex, x - s between the normals of its two faces
//     point  (x - s).e <= 0 for all edges e that leave it
// so there is one contact in front of something flat or convex, and several in a hollow. The ends of a capsule are such
// balls, but towards edges and points only on their side of the capsule; its line meets edges and points beside it.
#include "model/contact/meet_mesh.h"

#include "model/contact/mesh_near.h"

// --- balls ---------------------------------------------------------------------------------------

typedef struct ball {
    int     number; // feature
    double  radius;
    zn_vec3 x, velocity, out; // out: unit, only what is this side; 0: all around
} ball;

// Beyond a hollow side? There the other face is in the way before this one: it may be near, but is not closed.
static bool is_beyond(const zn_mesh_near *s, const zn_mesh_shape *m, int triangle, zn_vec3 x)
{
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        int                 own = e->triangle[0] == triangle ? 0 : 1;
        if (e->bend == ZN_BEND_HOLLOW && zn_vec3_dot(zn_vec3_sub(x, m->point[e->a]), e->beyond[own]) > s->tolerance)
            return true;
    }
    return false;
}

static zn_status ball_on_face(zn_mesh_near *s, const zn_mesh_shape *m, const ball *b, int triangle)
{
    const zn_mesh_face *f = &m->plane[m->face[triangle]];
    double              away = zn_vec3_dot(f->normal, zn_vec3_sub(b->x, f->at)), when[2];
    int count = away > 0 ? zn_mesh_times(s, away - b->radius, zn_vec3_dot(f->normal, b->velocity), when) : 0;
    for (int i = 0; i < count; i++) {
        bool    end;
        zn_vec3 x = zn_mesh_ahead(b->x, when[i], b->velocity);
        if (zn_mesh_outside(s, m, triangle, x, &end) > s->tolerance)
            continue;
        away = zn_vec3_dot(f->normal, zn_vec3_sub(x, f->at));
        if (away < b->radius - s->tolerance && is_beyond(s, m, triangle, x))
            continue;
        zn_vec3 point = zn_mesh_ahead(x, -away, f->normal);
        return zn_mesh_found(s, zn_mesh_face_number(m, m->face[triangle]), b->number, end, point, f->normal);
    }
    return ZN_OK;
}

// From the line of an edge to the ball.
static zn_vec3 from_line(const zn_mesh_shape *m, const zn_mesh_line *e, zn_vec3 x, double *along)
{
    zn_vec3 d = zn_vec3_sub(x, m->point[e->a]);
    *along = zn_vec3_dot(d, e->along);
    return zn_mesh_ahead(d, -*along, e->along);
}

static zn_vec3 across(zn_vec3 v, zn_vec3 u) { return zn_mesh_ahead(v, -zn_vec3_dot(v, u), u); }

static bool is_within(double x, double length, double tolerance) { return x >= -tolerance && x <= length + tolerance; }

// Does an edge meet a ball from which it is d away, beside this place of it? Negative tolerance: surely.
static bool edge_has(const zn_mesh_line *e, const ball *b, double along, zn_vec3 d, double tolerance)
{
    return is_within(along, e->length, tolerance) && zn_mesh_edge_faces(e, d, tolerance) &&
           zn_vec3_dot(d, b->out) <= tolerance;
}

static zn_status ball_on_edge(zn_mesh_near *s, const zn_mesh_shape *m, const ball *b, int edge)
{
    const zn_mesh_line *e = &m->edge[edge];
    double              along, when[2];
    zn_vec3             d = from_line(m, e, b->x, &along);
    double              away = zn_vec3_norm(d);
    int count = away > ZN_NO_LENGTH ? zn_mesh_round_times(s, d, across(b->velocity, e->along), b->radius, when) : 0;
    for (int i = 0; i < count; i++) {
        d = from_line(m, e, zn_mesh_ahead(b->x, when[i], b->velocity), &along);
        away = zn_vec3_norm(d);
        if (away > ZN_NO_LENGTH && edge_has(e, b, along, d, s->tolerance))
            return zn_mesh_found(s, zn_mesh_edge_number(m, edge), b->number, !edge_has(e, b, along, d, -s->tolerance),
                                 zn_mesh_ahead(m->point[e->a], along, e->along), zn_vec3_scale(1 / away, d));
    }
    return ZN_OK;
}

static zn_status ball_on_point(zn_mesh_near *s, const zn_mesh_shape *m, const ball *b, int point)
{
    zn_vec3 d = zn_vec3_sub(b->x, m->point[point]);
    double  away = zn_vec3_norm(d), when[2];
    int     count = away > ZN_NO_LENGTH ? zn_mesh_round_times(s, d, b->velocity, b->radius, when) : 0;
    for (int i = 0; i < count; i++) {
        zn_vec3 then = zn_mesh_ahead(d, when[i], b->velocity);
        away = zn_vec3_norm(then);
        if (away > ZN_NO_LENGTH && zn_mesh_tip_faces(s, m, point, then) && zn_vec3_dot(then, b->out) <= s->tolerance)
            return zn_mesh_found(s, zn_mesh_point_number(m, point), b->number, true, m->point[point],
                                 zn_vec3_scale(1 / away, then));
    }
    return ZN_OK;
}

static zn_status ball_on_triangle(zn_mesh_near *s, const zn_mesh_shape *m, const ball *b, int t)
{
    ZN_TRY(ball_on_face(s, m, b, t));
    for (int k = 0; k < 3; k++) {
        if (m->owns[t] & ZN_OWNS_EDGE << k)
            ZN_TRY(ball_on_edge(s, m, b, m->side[3 * t + k]));
        if (m->owns[t] & ZN_OWNS_POINT << k)
            ZN_TRY(ball_on_point(s, m, b, m->corner[3 * t + k]));
    }
    return ZN_OK;
}

static zn_status meet_ball(zn_mesh_near *s, const zn_mesh_shape *m, ball *b)
{
    zn_vec3 low, high;
    b->velocity = zn_mesh_near_velocity(s, b->x);
    zn_mesh_sweep(s, b->x, b->velocity, b->radius + s->slack + s->tolerance, &low, &high);
    zn_tree_walk walk = zn_tree_walk_begin(&m->tree, low, high);
    walk.centre = b->x;
    walk.radius = b->radius + s->slack + s->tolerance + s->horizon * zn_vec3_norm(b->velocity);
    for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
        for (int i = 0; i < n->count; i++)
            ZN_TRY(ball_on_triangle(s, m, b, m->tree.order[n->first + i]));
    return ZN_OK;
}

zn_status zn_meet_mesh_sphere(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    const zn_mesh_shape *m = a->data;
    zn_mesh_near         s = zn_mesh_near_begin(at, fmin(m->extent, b->radius), out);
    ball                 round = {.radius = b->radius, .x = zn_mesh_near_point(&s, b->at)};
    return meet_ball(&s, m, &round);
}

// --- capsules ------------------------------------------------------------------------------------

// The line of a capsule, from one end.
typedef struct bar {
    zn_vec3 from, along; // in the axes of the mesh
    double  length, radius;
} bar;

static bar bar_ahead(const zn_mesh_near *s, const bar *b, double when)
{
    bar     out = *b;
    zn_vec3 turned = zn_mesh_ahead(b->along, when, zn_vec3_cross(s->spin, b->along));
    out.from = zn_mesh_ahead(b->from, when, zn_mesh_near_velocity(s, b->from));
    out.along = zn_vec3_scale(1 / zn_vec3_norm(turned), turned);
    return out;
}

// Where two lines are nearest, from p along u and from q along w: false where they are parallel.
static bool nearest(zn_vec3 p, zn_vec3 u, zn_vec3 q, zn_vec3 w, double *on_u, double *on_w)
{
    zn_vec3 d = zn_vec3_sub(q, p);
    double  c = zn_vec3_dot(u, w), cross = zn_vec3_norm(zn_vec3_cross(u, w)), du = zn_vec3_dot(d, u),
           dw = zn_vec3_dot(d, w);
    if (!(cross > 1.1e-6)) // features are parallel below 1e-6
        return false;
    *on_u = (du - c * dw) / (cross * cross);
    *on_w = (c * du - dw) / (cross * cross);
    return true;
}

// From the edge to the bar, and where on both; false: they are parallel or cross each other.
static bool between(const zn_mesh_shape *m, const zn_mesh_line *e, const bar *b, double *on_edge, double *on_bar,
                    zn_vec3 *d)
{
    if (!nearest(m->point[e->a], e->along, b->from, b->along, on_edge, on_bar))
        return false;
    *d = zn_vec3_sub(zn_mesh_ahead(b->from, *on_bar, b->along), zn_mesh_ahead(m->point[e->a], *on_edge, e->along));
    return zn_vec3_norm(*d) > ZN_NO_LENGTH;
}

static zn_status bar_on_edge(zn_mesh_near *s, const zn_mesh_shape *m, const bar *b, int edge, int number)
{
    const zn_mesh_line *e = &m->edge[edge];
    const double        t = s->tolerance;
    double              on_edge, on_bar, when[2];
    zn_vec3             d;
    if (!between(m, e, b, &on_edge, &on_bar, &d))
        return ZN_OK;
    zn_vec3 v = zn_mesh_near_velocity(s, zn_mesh_ahead(b->from, on_bar, b->along));
    double  away = zn_vec3_norm(d);
    int     count = zn_mesh_times(s, away - b->radius, zn_vec3_dot(d, v) / away, when);
    for (int i = 0; i < count; i++) {
        bar then = bar_ahead(s, b, when[i]);
        if (!between(m, e, &then, &on_edge, &on_bar, &d) || !is_within(on_edge, e->length, t) ||
            !is_within(on_bar, b->length, t) || !zn_mesh_edge_faces(e, d, t + s->tilt * zn_vec3_norm(d)))
            continue;
        bool end =
            !is_within(on_edge, e->length, -t) || !is_within(on_bar, b->length, -t) || !zn_mesh_edge_faces(e, d, -t);
        return zn_mesh_found(s, zn_mesh_edge_number(m, edge), number, end,
                             zn_mesh_ahead(m->point[e->a], on_edge, e->along), zn_vec3_scale(1 / zn_vec3_norm(d), d));
    }
    return ZN_OK;
}

static zn_vec3 from_point(const bar *b, zn_vec3 p, double *on_bar)
{
    *on_bar = zn_vec3_dot(zn_vec3_sub(p, b->from), b->along);
    return zn_vec3_sub(zn_mesh_ahead(b->from, *on_bar, b->along), p);
}

static zn_status bar_on_point(zn_mesh_near *s, const zn_mesh_shape *m, const bar *b, int point, int number)
{
    double  on_bar, when[2];
    zn_vec3 p = m->point[point], d = from_point(b, p, &on_bar);
    double  away = zn_vec3_norm(d);
    zn_vec3 v = zn_mesh_near_velocity(s, zn_vec3_add(p, d));
    int     count = away > ZN_NO_LENGTH ? zn_mesh_round_times(s, d, across(v, b->along), b->radius, when) : 0;
    for (int i = 0; i < count; i++) {
        bar then = bar_ahead(s, b, when[i]);
        d = from_point(&then, p, &on_bar);
        away = zn_vec3_norm(d);
        if (is_within(on_bar, b->length, s->tolerance) && away > ZN_NO_LENGTH && zn_mesh_tip_faces(s, m, point, d))
            return zn_mesh_found(s, zn_mesh_point_number(m, point), number, true, p, zn_vec3_scale(1 / away, d));
    }
    return ZN_OK;
}

static zn_status meet_bar(zn_mesh_near *s, const zn_mesh_shape *m, const bar *b, int number)
{
    zn_vec3 end = zn_mesh_ahead(b->from, b->length, b->along), low, high, low2, high2;
    double  reach = b->radius + s->slack + s->tolerance;
    zn_mesh_sweep(s, b->from, zn_mesh_near_velocity(s, b->from), reach, &low, &high);
    zn_mesh_sweep(s, end, zn_mesh_near_velocity(s, end), reach, &low2, &high2);
    low = (zn_vec3){fmin(low.x, low2.x), fmin(low.y, low2.y), fmin(low.z, low2.z)};
    high = (zn_vec3){fmax(high.x, high2.x), fmax(high.y, high2.y), fmax(high.z, high2.z)};
    zn_tree_walk walk = zn_tree_walk_begin(&m->tree, low, high);
    for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
        for (int i = 0; i < 3 * n->count; i++) {
            int t = m->tree.order[n->first + i / 3], k = i % 3;
            if (m->owns[t] & ZN_OWNS_EDGE << k)
                ZN_TRY(bar_on_edge(s, m, b, m->side[3 * t + k], number));
            if (m->owns[t] & ZN_OWNS_POINT << k)
                ZN_TRY(bar_on_point(s, m, b, m->corner[3 * t + k], number));
        }
    return ZN_OK;
}

// Features of a capsule: its ends, the one against its axis first, then its line.
zn_status zn_meet_mesh_capsule(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    const zn_mesh_shape *m = a->data;
    zn_mesh_near         s = zn_mesh_near_begin(at, fmin(m->extent, 2 * b->radius + b->length), out);
    zn_vec3              axis = zn_mat3_apply(s.rotation, zn_mat3_apply(b->axes, (zn_vec3){0, 0, 1}));
    zn_vec3              middle = zn_mesh_near_point(&s, b->at);
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? -1 : 1;
        ball   end = {.number = i, .radius = b->radius, .x = zn_mesh_ahead(middle, side * b->length / 2, axis)};
        end.out = zn_vec3_scale(side, axis);
        ZN_TRY(meet_ball(&s, m, &end));
    }
    bar line = {zn_mesh_ahead(middle, -b->length / 2, axis), axis, b->length, b->radius};
    return meet_bar(&s, m, &line, 2);
}

// --- planes --------------------------------------------------------------------------------------

typedef struct wall {
    zn_vec3 normal, at; // in the axes of the mesh
} wall;

// Could anything in the box come as near as this within the horizon?
static bool box_is_near(const zn_mesh_near *s, const zn_tree_node *n, const wall *w)
{
    zn_vec3 c = zn_vec3_scale(0.5, zn_vec3_add(n->low, n->high)), h = zn_vec3_scale(0.5, zn_vec3_sub(n->high, n->low));
    double  gap = zn_vec3_dot(w->normal, zn_vec3_sub(c, w->at)) - fabs(w->normal.x) * h.x - fabs(w->normal.y) * h.y -
                 fabs(w->normal.z) * h.z;
    double speed = zn_vec3_dot(w->normal, zn_mesh_near_velocity(s, c)) + zn_vec3_norm(s->spin) * zn_vec3_norm(h);
    return gap <= s->slack + s->horizon * fmax(0, speed);
}

static zn_status point_on_plane(zn_mesh_near *s, const zn_mesh_shape *m, int point, const wall *w)
{
    zn_vec3 p = m->point[point], v = zn_mesh_near_velocity(s, p);
    double  gap = zn_vec3_dot(w->normal, zn_vec3_sub(p, w->at)), rate = -zn_vec3_dot(w->normal, v), when[2];
    if (zn_mesh_times(s, gap, rate, when) == 0 || !zn_mesh_is_lowest(s, m, point, w->normal, gap, rate))
        return ZN_OK;
    return zn_feature_found(s->out, zn_mesh_point_number(m, point), 0);
}

zn_status zn_meet_mesh_plane(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    const zn_mesh_shape *m = a->data;
    zn_mesh_near         s = zn_mesh_near_begin(at, m->extent, out);
    wall                 w = {zn_mat3_apply(s.rotation, b->normal), zn_mesh_near_point(&s, b->at)};
    int                  depth = 1, stack[ZN_TREE_DEPTH] = {0};
    while (depth > 0) {
        int                 number = stack[--depth];
        const zn_tree_node *n = &m->tree.node[number];
        if (!box_is_near(&s, n, &w))
            continue;
        if (n->count == 0) {
            stack[depth++] = n->second;
            stack[depth++] = number + 1;
        }
        for (int i = 0; i < 3 * n->count; i++) {
            int t = m->tree.order[n->first + i / 3];
            if (m->owns[t] & ZN_OWNS_POINT << i % 3)
                ZN_TRY(point_on_plane(&s, m, m->corner[3 * t + i % 3], &w));
        }
    }
    return ZN_OK;
}
