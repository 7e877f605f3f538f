// Data of contours. An arc from a to b with bulge k = tan(angle / 4) has, with c = b - a and m its middle,
//     radius  R = |c| (1 + k^2) / (4 k)                       (signed: k < 0 is hollow)
//     centre  m + rot(c) (1 - k^2) / (4 k),  rot by +90 degrees
// and leaves along c turned by -angle/2, arrives along c turned by +angle/2.
#include "model/contact/contour.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

static const double straight = 1e-8; // |k|: an arc as flat as this is off its chord by less than rounding of its radius
static const double some = 0.05;     // of the size: depth
static const double smooth = 1e-9;   // turn of the tangent at a corner [rad]

static zn_vec3 left(zn_vec3 a) { return (zn_vec3){-a.y, a.x, 0}; }
static zn_vec3 right(zn_vec3 a) { return (zn_vec3){a.y, -a.x, 0}; }

zn_edge zn_edge_make(zn_vec3 from, zn_vec3 to, double k)
{
    zn_edge e = {.from = from, .to = to};
    zn_vec3 chord = zn_vec3_sub(to, from);
    double  length = hypot(chord.x, chord.y);
    zn_vec3 u = zn_vec3_scale(1 / length, chord);
    if (fabs(k) < straight) {
        e.leaving = e.arriving = u;
        e.normal = right(u);
        e.length = length;
        return e;
    }
    double c = (1 - k * k) / (1 + k * k), s = 2 * k / (1 + k * k); // of half the angle
    e.leaving = zn_vec3_add(zn_vec3_scale(c, u), zn_vec3_scale(s, right(u)));
    e.arriving = zn_vec3_add(zn_vec3_scale(c, u), zn_vec3_scale(s, left(u)));
    e.radius = length * (1 + k * k) / (4 * k);
    e.centre =
        zn_vec3_add(zn_vec3_scale(0.5, zn_vec3_add(from, to)), zn_vec3_scale(length * (1 - k * k) / (4 * k), left(u)));
    e.wide = fabs(k) >= 1;
    return e;
}

static zn_corner_kind corner_between(const zn_edge *before, const zn_edge *after)
{
    zn_vec3 a = before->arriving, b = after->leaving;
    double  turn = zn_atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
    return turn > smooth ? ZN_CORNER_SHARP : turn < -smooth ? ZN_CORNER_HOLLOW : ZN_CORNER_SMOOTH;
}

static void find_corners(zn_contour *c, zn_edge *edge)
{
    for (int i = 0; i < c->edges; i++) {
        int before = zn_edge_before(c, i);
        edge[i].corner = before < 0 ? ZN_CORNER_END : corner_between(&edge[before], &edge[i]);
    }
}

// --- boxes ---------------------------------------------------------------------------------------

static void include(zn_vec3 x, zn_vec3 *low, zn_vec3 *high)
{
    low->x = fmin(low->x, x.x);
    low->y = fmin(low->y, x.y);
    high->x = fmax(high->x, x.x);
    high->y = fmax(high->y, x.y);
}

// An arc reaches to its extreme points along the axes that lie on it.
static void include_edge(const zn_edge *e, zn_vec3 *low, zn_vec3 *high)
{
    include(e->from, low, high);
    include(e->to, low, high);
    double r = fabs(e->radius);
    for (int i = 0; r > 0 && i < 4; i++) {
        zn_vec3 x = {e->centre.x + (i == 0 ? r : i == 1 ? -r : 0), e->centre.y + (i == 2 ? r : i == 3 ? -r : 0), 0};
        bool    after = zn_vec3_dot(e->leaving, zn_vec3_sub(x, e->from)) >= 0;
        bool    before = zn_vec3_dot(e->arriving, zn_vec3_sub(x, e->to)) <= 0;
        if (e->wide ? after || before : after && before)
            include(x, low, high);
    }
}

zn_edge_box zn_contour_box(const zn_contour *c, int first, int last)
{
    ZN_ASSERT(first < last);
    zn_vec3 low = {INFINITY, INFINITY, 0}, high = {-INFINITY, -INFINITY, 0};
    for (int i = first; i < last; i++)
        include_edge(&c->edge[i], &low, &high);
    return (zn_edge_box){zn_vec3_scale(0.5, zn_vec3_add(low, high)), zn_vec3_scale(0.5, zn_vec3_sub(high, low))};
}

static void fill_tree(const zn_contour *c, zn_edge_box *box, int node, int first, int last)
{
    box[node] = zn_contour_box(c, first, last);
    if (last - first == 1)
        return;
    int middle = (first + last) / 2;
    fill_tree(c, box, 2 * node, first, middle);
    fill_tree(c, box, 2 * node + 1, middle, last);
}

static double mean_length(const zn_contour *c)
{
    double sum = 0;
    for (int i = 0; i < c->edges; i++)
        sum += hypot(c->edge[i].to.x - c->edge[i].from.x, c->edge[i].to.y - c->edge[i].from.y);
    return sum / c->edges;
}

static double diagonal(const zn_edge_box *b) { return 2 * hypot(b->half.x, b->half.y); }

// --- contours ------------------------------------------------------------------------------------

static zn_vec3 place(const zn_shape_def *def, zn_vec3 x)
{
    zn_vec3 out = zn_vec3_add(def->at.at, zn_quat_rotate(def->rotation, x));
    out.z = 0;
    return out;
}

zn_status zn_contour_make(const zn_shape_def *def, zn_contour *out)
{
    int edges = def->side_count - def->open, nodes = 2;
    while (nodes < 2 * edges)
        nodes *= 2;
    zn_edge     *edge = ZN_NEW(zn_edge, edges);
    zn_edge_box *box = ZN_NEW(zn_edge_box, nodes);
    if (!edge || !box) {
        free(edge);
        free(box);
        return ZN_ERR_MEMORY;
    }
    *out = (zn_contour){.edges = edges, .corners = def->side_count, .open = def->open, .edge = edge, .box = box};
    for (int i = 0; i < edges; i++)
        edge[i] = zn_edge_make(place(def, def->sides[i].start), place(def, def->sides[(i + 1) % def->side_count].start),
                               def->sides[i].bulge);
    find_corners(out, edge);
    fill_tree(out, box, 1, 0, edges);
    out->size = diagonal(&box[1]);
    out->grain = fmin(some * out->size, mean_length(out));
    return ZN_OK;
}

// --- other shapes of the plane as contours --------------------------------------------------------

// Four corners, two of its sides half circles when `round`.
static void make_four(const zn_pair_shape *s, zn_vec3 half, bool round, zn_edge few[4], zn_contour *out)
{
    zn_vec3 corner[4] = {{-half.x, -half.y, 0}, {half.x, -half.y, 0}, {half.x, half.y, 0}, {-half.x, half.y, 0}};
    for (int i = 0; i < 4; i++) {
        zn_vec3 x = zn_mat3_apply(s->axes, corner[i]);
        corner[i] = (zn_vec3){s->at.x + x.x, s->at.y + x.y, 0};
    }
    for (int i = 0; i < 4; i++)
        few[i] = zn_edge_make(corner[i], corner[(i + 1) % 4], round && i % 2 == 1 ? 1 : 0);
    for (int i = 0; i < 4; i++)
        few[i].corner = round ? ZN_CORNER_SMOOTH : ZN_CORNER_SHARP;
    *out = (zn_contour){.edges = 4, .corners = 4, .edge = few};
    out->size = 2 * hypot(half.x + (round ? half.y : 0), half.y);
    out->grain = some * out->size;
}

static void make_disc(const zn_pair_shape *s, zn_edge *few, zn_contour *out)
{
    zn_vec3 centre = {s->at.x, s->at.y, 0}, start = {s->at.x + s->radius, s->at.y, 0};
    few[0] = (zn_edge){.from = start,
                       .to = start,
                       .leaving = {0, 1, 0},
                       .arriving = {0, 1, 0},
                       .centre = centre,
                       .radius = s->radius,
                       .wide = true};
    *out = (zn_contour){.edges = 1, .open = true, .size = 2 * s->radius, .grain = 2 * some * s->radius, .edge = few};
}

static void make_plane(const zn_pair_shape *s, zn_edge *few, zn_contour *out)
{
    zn_vec3 n = {s->normal.x, s->normal.y, 0}, at = {s->at.x, s->at.y, 0};
    few[0] = (zn_edge){.from = at, .to = at, .leaving = left(n), .arriving = left(n), .normal = n};
    *out = (zn_contour){.edges = 1, .open = true, .endless = true, .edge = few};
}

bool zn_contour_of(const zn_pair_shape *shape, zn_edge few[ZN_CONTOUR_FEW], zn_contour *out)
{
    switch (shape->kind) {
    case ZN_SHAPE_CONTOUR:
        *out = *(const zn_contour *)shape->data;
        return true;
    case ZN_SHAPE_SPHERE:
        make_disc(shape, few, out);
        return true;
    case ZN_SHAPE_BOX:
        make_four(shape, shape->half, false, few, out);
        return true;
    case ZN_SHAPE_PLANE:
        make_plane(shape, few, out);
        return true;
    case ZN_SHAPE_CAPSULE:
        make_four(shape, (zn_vec3){0.5 * shape->length, shape->radius, 0}, true, few, out);
        return true;
    default:
        return false;
    }
}

bool zn_contour_feature(const zn_pair_shape *shape, int index, zn_feature *out)
{
    zn_edge    few[ZN_CONTOUR_FEW];
    zn_contour c;
    if (!zn_contour_of(shape, few, &c) || index / 2 >= (index % 2 ? c.corners : c.edges))
        return false;
    *out = (zn_feature){.kind = ZN_FEATURE_POINT};
    const zn_edge *e = &c.edge[index % 2 ? 0 : index / 2];
    if (index % 2)
        out->at = zn_corner_at(&c, index / 2);
    else if (e->radius != 0) {
        out->at = e->centre;
        out->radius = e->radius;
    } else
        *out = (zn_feature){.kind = ZN_FEATURE_FACE, .at = e->from, .along = e->normal};
    return true;
}

bool zn_contour_bound(const zn_pair_shape *shape, zn_vec3 *centre, zn_vec3 *half)
{
    zn_edge    few[ZN_CONTOUR_FEW];
    zn_contour c;
    if (!zn_contour_of(shape, few, &c) || c.endless)
        return false;
    zn_edge_box all = c.box ? c.box[1] : zn_contour_box(&c, 0, c.edges);
    *centre = all.centre;
    *half = all.half;
    return true;
}

// Green's theorem: side by side the triangle with the origin, and the segment between chord and arc. With half the
// angle a = 2 atan k and R its radius the segment has, towards its middle direction, area R^2 (a - sin a cos a) and
// centre 2/3 R sin^3 a / (a - sin a cos a) from that of the arc.
zn_contour_moments zn_contour_integrate(int count, const zn_contour_side *side)
{
    zn_contour_moments m = {0};
    for (int i = 0; i < count; i++) {
        zn_vec3 p = side[i].start, q = side[(i + 1) % count].start;
        double  cross = p.x * q.y - p.y * q.x;
        m.area += cross / 2;
        m.moment = zn_vec3_add(m.moment, zn_vec3_scale(cross / 6, zn_vec3_add(p, q)));
        m.second += cross / 12 * (zn_vec3_dot(p, p) + zn_vec3_dot(p, q) + zn_vec3_dot(q, q));
        zn_edge e = zn_edge_make(p, q, side[i].bulge);
        if (e.radius == 0)
            continue;
        double  R = e.radius, a = 2 * zn_atan(side[i].bulge), s = zn_sin(a), c = zn_cos(a);
        double  area = R * R * (a - s * c), first = 2.0 / 3 * R * R * R * s * s * s;
        zn_vec3 out = zn_vec3_scale(1 / hypot(q.x - p.x, q.y - p.y), right(zn_vec3_sub(q, p)));
        // second moment of the segment about the centre of its arc: R^4/2 a of the sector less that of the triangle
        double  own = R * R * R * R * (a / 2 - s * c * (1 - 2.0 / 3 * s * s) / 2);
        m.area += area;
        m.moment = zn_vec3_add(m.moment, zn_vec3_add(zn_vec3_scale(area, e.centre), zn_vec3_scale(first, out)));
        m.second += own + 2 * first * zn_vec3_dot(out, e.centre) + area * zn_vec3_dot(e.centre, e.centre);
    }
    return m;
}
