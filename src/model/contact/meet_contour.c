// All pairs of shapes in the plane: contours, discs, rectangles, capsules, planes. Boxes over consecutive sides of both
// are compared, so that only sides near the other shape are tried; contour_near.c says which pairs count.
#include "model/contact/meet_contour.h"

#include <math.h>

#include "model/contact/contour_near.h"

typedef struct walk {
    zn_two_contours  two;
    zn_edge_box      all[2]; // of contours without boxes of their own
    zn_feature_list *out;
} walk;

// --- boxes ---------------------------------------------------------------------------------------

static zn_edge_box box_of(const walk *w, int which, int node)
{
    const zn_contour *c = w->two.seat[which].c;
    return c->box ? c->box[node] : w->all[which];
}

// How far what is in a box of A may come towards B, or has come into it.
static double reach(const walk *w, const zn_edge_box *a)
{
    const zn_seat *A = &w->two.seat[0], *B = &w->two.seat[1];
    zn_vec3        c = zn_seen_point(&A->body, a->centre), v = zn_vec3_sub(A->origin, B->origin);
    double         spin = A->spin - B->spin;
    double         speed = hypot(v.x - spin * c.y, v.y + spin * c.x) + fabs(spin) * hypot(a->half.x, a->half.y);
    return w->two.deep + w->two.slack + w->two.horizon * speed;
}

static bool boxes_near(const walk *w, const zn_edge_box *a, const zn_edge_box *b)
{
    const zn_seen *f = &w->two.now[0];
    zn_vec3        d = zn_vec3_sub(zn_seen_point(f, a->centre), b->centre);
    double         c = fabs(f->c), s = fabs(f->s), near = reach(w, a);
    zn_vec3        back = zn_seen_back(f, d);
    return fabs(d.x) <= b->half.x + c * a->half.x + s * a->half.y + near &&
           fabs(d.y) <= b->half.y + s * a->half.x + c * a->half.y + near &&
           fabs(back.x) <= a->half.x + c * b->half.x + s * b->half.y + near &&
           fabs(back.y) <= a->half.y + s * b->half.x + c * b->half.y + near;
}

// A box of the contour `which` and the plane that the other one is.
static bool plane_near(const walk *w, int which, const zn_edge_box *box)
{
    const zn_edge *plane = w->two.seat[!which].c->edge;
    const zn_seen *f = &w->two.now[which];
    zn_vec3        n = zn_seen_back(f, plane->normal);
    double         gap = zn_vec3_dot(plane->normal, zn_vec3_sub(zn_seen_point(f, box->centre), plane->from));
    zn_edge_box    here = *box;
    if (which == 1) // reach() asks for a box on A: the same place there
        here.centre = zn_seen_point(&w->two.now[1], box->centre);
    return gap - fabs(n.x) * box->half.x - fabs(n.y) * box->half.y <= reach(w, &here);
}

static bool nodes_near(const walk *w, int node_a, int node_b)
{
    bool a_ends = !w->two.seat[0].c->endless, b_ends = !w->two.seat[1].c->endless;
    if (!a_ends && !b_ends)
        return false;
    zn_edge_box a, b;
    if (a_ends)
        a = box_of(w, 0, node_a);
    if (b_ends)
        b = box_of(w, 1, node_b);
    return !b_ends ? plane_near(w, 0, &a) : !a_ends ? plane_near(w, 1, &b) : boxes_near(w, &a, &b);
}

// --- pairs ---------------------------------------------------------------------------------------

// One round feature of a contour against a side of the other.
static zn_status try_round(walk *w, int mover, zn_round round, int wall)
{
    if (!zn_round_near(&w->two, mover, round, wall))
        return ZN_OK;
    int own = round.edge >= 0 ? zn_edge_feature(round.edge) : zn_corner_feature(round.corner);
    int other = zn_edge_feature(wall);
    return mover == 0 ? zn_feature_found(w->out, own, other) : zn_feature_found(w->out, other, own);
}

// The corner at the start of the side, and that at the end of a chain.
static zn_status try_corners(walk *w, int mover, int edge, int wall)
{
    const zn_contour *c = w->two.seat[mover].c;
    if (c->corners == 0)
        return ZN_OK;
    ZN_TRY(try_round(w, mover, (zn_round){edge, -1}, wall));
    return c->open && edge == c->edges - 1 ? try_round(w, mover, (zn_round){edge + 1, -1}, wall) : ZN_OK;
}

static zn_status try_sides(walk *w, int i, int j)
{
    double a = w->two.seat[0].c->edge[i].radius, b = w->two.seat[1].c->edge[j].radius;
    ZN_TRY(try_corners(w, 0, i, j));
    ZN_TRY(try_corners(w, 1, j, i));
    if (a > 0)
        return try_round(w, 0, (zn_round){-1, i}, j);
    return b > 0 ? try_round(w, 1, (zn_round){-1, j}, i) : ZN_OK;
}

typedef struct range {
    int node, first, last;
} range;

static bool splits(const walk *w, int which, range r) { return w->two.seat[which].c->box && r.last - r.first > 1; }

static zn_status descend(walk *w, range a, range b)
{
    if (!nodes_near(w, a.node, b.node))
        return ZN_OK;
    bool sa = splits(w, 0, a), sb = splits(w, 1, b);
    if (!sa && !sb) {
        for (int i = a.first; i < a.last; i++)
            for (int j = b.first; j < b.last; j++)
                ZN_TRY(try_sides(w, i, j));
        return ZN_OK;
    }
    range *wide = sa && (!sb || a.last - a.first >= b.last - b.first) ? &a : &b;
    int    middle = (wide->first + wide->last) / 2, node = wide->node, last = wide->last;
    *wide = (range){2 * node, wide->first, middle};
    ZN_TRY(descend(w, a, b));
    *wide = (range){2 * node + 1, middle, last};
    return descend(w, a, b);
}

zn_status zn_meet_contours(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    zn_edge    few[2][ZN_CONTOUR_FEW];
    zn_contour c[2];
    if (!zn_contour_of(a, few[0], &c[0]) || !zn_contour_of(b, few[1], &c[1]))
        return ZN_ERR_ARGUMENT;
    walk w = {.two = zn_two_contours_at(&c[0], &c[1], at), .out = out};
    for (int i = 0; i < 2; i++)
        if (!c[i].box && !c[i].endless)
            w.all[i] = zn_contour_box(&c[i], 0, c[i].edges);
    return descend(&w, (range){1, 0, c[0].edges}, (range){1, 0, c[1].edges});
}
