// Faults of contours. Two sides cross where they have a point in common that is not the corner between them: lines and
// circles are cut, a cut counts when it lies on both. Boxes over consecutive sides leave few pairs to try.
#include "model/contact/contour_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/contact/contour.h"

static const double nothing = 1e-9; // of the size: a length that does not count

typedef struct crossing {
    const zn_contour *c;
    double            touch;
    int               first, second; // sides that cross; -1: none yet
} crossing;

static double cross(zn_vec3 a, zn_vec3 b) { return a.x * b.y - a.y * b.x; }

// Is a point of the line or circle of the side on the side itself, ends included?
static bool on_side(const zn_edge *e, zn_vec3 x, double touch)
{
    bool begun = zn_vec3_dot(e->leaving, zn_vec3_sub(x, e->from)) >= -touch;
    bool going = zn_vec3_dot(e->arriving, zn_vec3_sub(x, e->to)) <= touch;
    return e->wide ? begun || going : begun && going;
}

// --- cuts of lines and circles: at most two points ---------------------------------------------------

static int cut_lines(const zn_edge *a, const zn_edge *b, zn_vec3 out[2])
{
    double sine = cross(a->leaving, b->leaving);
    if (fabs(sine) < nothing) // parallel: where their ends lie on the other
        return 0;
    double s = cross(zn_vec3_sub(b->from, a->from), b->leaving) / sine;
    out[0] = zn_vec3_add(a->from, zn_vec3_scale(s, a->leaving));
    return 1;
}

static int cut_line_circle(const zn_edge *line, const zn_edge *arc, zn_vec3 out[2])
{
    zn_vec3 d = zn_vec3_sub(arc->centre, line->from);
    double  along = zn_vec3_dot(d, line->leaving), away = cross(line->leaving, d);
    double  rest = arc->radius * arc->radius - away * away;
    if (rest < 0)
        return 0;
    for (int k = 0; k < 2; k++)
        out[k] = zn_vec3_add(line->from, zn_vec3_scale(along + (k ? sqrt(rest) : -sqrt(rest)), line->leaving));
    return 2;
}

static int cut_circles(const zn_edge *a, const zn_edge *b, zn_vec3 out[2])
{
    zn_vec3 d = zn_vec3_sub(b->centre, a->centre);
    double  square = zn_vec3_dot(d, d);
    if (!(square > 0))
        return 0;
    double along = 0.5 * (square + a->radius * a->radius - b->radius * b->radius) / square;
    double rest = a->radius * a->radius / square - along * along;
    if (rest < 0)
        return 0;
    for (int k = 0; k < 2; k++) {
        double up = k ? sqrt(rest) : -sqrt(rest);
        out[k] = (zn_vec3){a->centre.x + along * d.x - up * d.y, a->centre.y + along * d.y + up * d.x, 0};
    }
    return 2;
}

static int cut(const zn_edge *a, const zn_edge *b, zn_vec3 out[2])
{
    if (a->radius == 0)
        return b->radius == 0 ? cut_lines(a, b, out) : cut_line_circle(a, b, out);
    return b->radius == 0 ? cut_line_circle(b, a, out) : cut_circles(a, b, out);
}

static bool same(zn_vec3 a, zn_vec3 b, double touch) { return hypot(a.x - b.x, a.y - b.y) <= touch; }

// Distance of x from the line or circle of a side.
static double away_from(const zn_edge *e, zn_vec3 x)
{
    return e->radius == 0 ? fabs(zn_vec3_dot(e->normal, zn_vec3_sub(x, e->from)))
                          : fabs(hypot(x.x - e->centre.x, x.y - e->centre.y) - fabs(e->radius));
}

// A point that both have: a corner of them is allowed. Near a smooth corner the cut is ill-conditioned: what is within
// a thousandth of the shorter side there is the corner.
static bool crosses_at(const crossing *k, int i, int j, zn_vec3 x)
{
    const zn_edge *a = &k->c->edge[i], *b = &k->c->edge[j];
    double         chord =
        fmin(hypot(a->to.x - a->from.x, a->to.y - a->from.y), hypot(b->to.x - b->from.x, b->to.y - b->from.y));
    double around = fmax(k->touch, 1e-3 * chord);
    if (!on_side(a, x, k->touch) || !on_side(b, x, k->touch))
        return false;
    bool follows = zn_corner_after(k->c, i) == j && !k->c->open,
         precedes = zn_corner_after(k->c, j) == i && !k->c->open;
    follows |= j == i + 1;
    precedes |= i == j + 1;
    return !(follows && same(x, a->to, around)) && !(precedes && same(x, b->to, around));
}

static bool sides_cross(const crossing *k, int i, int j)
{
    const zn_edge *a = &k->c->edge[i], *b = &k->c->edge[j];
    zn_vec3        x[2];
    int            cuts = cut(a, b, x);
    for (int n = 0; n < cuts; n++)
        if (crosses_at(k, i, j, x[n]))
            return true;
    const zn_vec3 ends[4] = {a->from, a->to, b->from, b->to}; // one that lies along the other
    for (int n = 0; n < 4; n++)
        if (away_from(n < 2 ? b : a, ends[n]) <= k->touch && crosses_at(k, i, j, ends[n]))
            return true;
    return false;
}

// --- all pairs -----------------------------------------------------------------------------------

typedef struct range {
    int node, first, last;
} range;

static void find_crossing(crossing *k, range a, range b)
{
    const zn_edge_box *p = &k->c->box[a.node], *q = &k->c->box[b.node];
    bool               apart = fabs(p->centre.x - q->centre.x) > p->half.x + q->half.x + k->touch ||
                 fabs(p->centre.y - q->centre.y) > p->half.y + q->half.y + k->touch;
    if (k->first >= 0 || apart || a.first > b.first)
        return;
    if (a.last - a.first == 1 && b.last - b.first == 1) {
        if (a.first < b.first && sides_cross(k, a.first, b.first)) {
            k->first = a.first;
            k->second = b.first;
        }
        return;
    }
    int   ma = (a.first + a.last) / 2, mb = (b.first + b.last) / 2;
    range ha[2] = {{2 * a.node, a.first, ma}, {2 * a.node + 1, ma, a.last}};
    range hb[2] = {{2 * b.node, b.first, mb}, {2 * b.node + 1, mb, b.last}};
    bool  sa = a.last - a.first > 1, sb = b.last - b.first > 1;
    for (int i = 0; i < (sa ? 2 : 1); i++)
        for (int j = 0; j < (sb ? 2 : 1); j++)
            find_crossing(k, sa ? ha[i] : a, sb ? hb[j] : b);
}

static zn_status check_crossing(int count, const zn_contour_side *side, bool open, double touch, char *text)
{
    zn_shape_def def = {.side_count = count, .sides = side, .open = open, .rotation = {1, 0, 0, 0}};
    zn_contour   c;
    ZN_TRY(zn_contour_make(&def, &c));
    crossing k = {&c, touch, -1, -1};
    find_crossing(&k, (range){1, 0, c.edges}, (range){1, 0, c.edges});
    free((void *)c.edge);
    free((void *)c.box);
    if (k.first < 0)
        return ZN_OK;
    snprintf(text, ZN_CONTOUR_FAULT, "its contour crosses itself: the sides behind points %d and %d", k.first + 1,
             k.second + 1);
    return ZN_ERR_MODEL;
}

static double size_of(int count, const zn_contour_side *side)
{
    double size = 0;
    for (int i = 1; i < count; i++)
        size = fmax(size, hypot(side[i].start.x - side[0].start.x, side[i].start.y - side[0].start.y));
    return size;
}

zn_status zn_contour_check(int count, const zn_contour_side *side, bool open, bool hole, char text[ZN_CONTOUR_FAULT])
{
    double size = size_of(count, side), touch = nothing * size;
    bool   arcs = false;
    for (int i = 0; i < count - open; i++) {
        zn_vec3 a = side[i].start, b = side[(i + 1) % count].start;
        arcs |= fabs(side[i].bulge) >= 1e-8;
        if (!(hypot(a.x - b.x, a.y - b.y) > touch)) {
            snprintf(text, ZN_CONTOUR_FAULT, "points %d and %d of its contour are at the same place", i + 1,
                     (i + 1) % count + 1);
            return ZN_ERR_MODEL;
        }
    }
    if (!open && count < 3 && !arcs) {
        snprintf(text, ZN_CONTOUR_FAULT, "%d points are too few for a contour without arcs", count);
        return ZN_ERR_MODEL;
    }
    double area = open ? 1 : zn_contour_integrate(count, side).area;
    if (!open && !(fabs(area) > nothing * size * size)) {
        snprintf(text, ZN_CONTOUR_FAULT, "its contour has no area");
        return ZN_ERR_MODEL;
    }
    if (!open && (area < 0) != hole) {
        snprintf(text, ZN_CONTOUR_FAULT, "its contour is %s: what is solid must be on the left of its sides",
                 hole ? "counter-clockwise, but a hole" : "clockwise");
        return ZN_ERR_MODEL;
    }
    return check_crossing(count, side, open, touch, text);
}
