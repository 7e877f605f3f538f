// Convex shapes in random poses near touching, all pairs of kinds. The judge is a proof in quadruple precision, for
// each pose anew: two points of the shapes are no nearer than the shapes, and a normal along which all of one shape is
// above all of the other by s says that they are no nearer than s. A contact whose points are in the shapes and whose
// gap is that s is therefore the distance, and no other may be below it. Then each contact is compared with its
// features in quadruple precision, all corners of the patch between polyhedra have to be there, the contact that is
// known has to stay when the shapes are in each other, and to be known before on the way to it.
//
//     test_poses [PAIR|all [POSES [FIRST]]]     e.g. test_poses box-hull 1000000; of each pose the number is its seed
#include "polyhedra.h"
#include "pose_contacts.h"

enum { SOLIDS = 400 };

static zn_polyhedron *solids[2][SOLIDS]; // boxes, hulls

static int make_solids(void **state)
{
    uint64_t rng = 1;
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < SOLIDS; i++)
            solids[k][i] = figure_solid(k == 0, &rng);
    return 0;
}

static int drop_solids(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * SOLIDS; i++)
        zn_polyhedron_destroy(solids[i / SOLIDS][i % SOLIDS]);
    return 0;
}

// --- the judge -----------------------------------------------------------------------------------

// How far its points are outside of the shapes: on the border of two features it may be the neighbour's.
static double misplaced(const figure *a, const figure *b, const contact *c)
{
    quad3 x = quad_of(ahead(c->at.on[0], -c->own[0].radius, c->at.normal));
    quad3 y = quad_of(ahead(c->at.on[1], c->own[1].radius, c->at.normal));
    return fmax(outside(a, x), outside(b, y));
}

static double size_of(const figure *f) { return f->solid ? f->solid->radius : f->s.radius + f->s.length; }

// Two points of the shapes are `most` apart.
static void judge_distance(const figure *a, const figure *b, int count, const contact *c, double most, tally *t)
{
    if (count == 0) {
        complain(t, "no contact", 0);
        return;
    }
    double best = INFINITY, border = 1e-9 * fmin(size_of(a), size_of(b));
    for (int i = 0; i < count; i++) {
        double low = most - c[i].at.gap;
        if (low < -4e-9 - t->loose)
            continue;
        // on the border of two features it may be the neighbour's: then it is off by no more than it is beside its own,
        // or behind that by no more than what counts as the border
        double beside = misplaced(a, b, &c[i]), allowed = t->loose + (beside > 1e-14 ? beside : 0);
        if (beside < 4e-9 && best > 1e-15) // one is enough
            best = fmin(best, fmax(unproved(a, b, &c[i]), fabs(low)) - allowed);
        allowed = beside > 1e-14 ? fmax(allowed, border) : allowed;
        if (low > 1e-14 + allowed || (low > 1e-14 + t->loose && beside > 4e-9))
            complain(t, "a gap is below the distance, by", low);
    }
    t->gap = fmax(t->gap, best);
    if (!(best < 1e-14))
        complain(t, "no contact is the distance, by", best);
}

// --- patches between polyhedra -------------------------------------------------------------------

// In world axes, in double precision: what cannot be in question is not looked at again.
typedef struct placed_solid {
    zn_vec3 vertex[64], along[192], normal[128];
} placed_solid;

static void place_solid(const figure *f, placed_solid *out)
{
    const zn_polyhedron *p = f->solid;
    assert_true(p->vertices <= 64 && p->edges <= 192 && p->faces <= 128);
    for (int i = 0; i < p->vertices; i++)
        out->vertex[i] = zn_rigid_point(&f->body, p->vertex[i]);
    for (int i = 0; i < p->edges; i++)
        out->along[i] = zn_rigid_vector(&f->body, p->edge[i].along);
    for (int i = 0; i < p->faces; i++)
        out->normal[i] = zn_rigid_vector(&f->body, p->face[i].normal);
}

static bool may_be_over(const zn_polyhedron *p, const placed_solid *at, int face, zn_vec3 x, double slack)
{
    const zn_polyhedron_face *f = &p->face[face];
    zn_vec3                   n = at->normal[face];
    double                    up = zn_vec3_dot(n, zn_vec3_sub(x, at->vertex[p->corner[f->first]]));
    if (up < -1e-9 || up > slack)
        return false;
    for (int k = 0; k < f->count; k++) {
        zn_vec3 a = at->vertex[p->corner[f->first + k]], b = at->vertex[p->corner[f->first + (k + 1) % f->count]];
        if (zn_vec3_dot(zn_vec3_cross(n, zn_vec3_sub(b, a)), zn_vec3_sub(x, a)) < -1e-9)
            return false;
    }
    return true;
}

static bool may_cross(const zn_polyhedron *A, const placed_solid *a, int i, const zn_polyhedron *B,
                      const placed_solid *b, int j, double slack)
{
    zn_vec3 u = a->along[i], w = b->along[j], c = zn_vec3_cross(u, w);
    zn_vec3 d = zn_vec3_sub(b->vertex[B->edge[j].vertex[0]], a->vertex[A->edge[i].vertex[0]]);
    double  square = zn_vec3_dot(c, c), up = zn_vec3_dot(c, d);
    if (square < 1e-12 || up * up > slack * slack * square)
        return false;
    double s = zn_vec3_dot(zn_vec3_cross(d, w), c) / square, r = zn_vec3_dot(zn_vec3_cross(d, u), c) / square;
    double sure = 1e-12 / square;
    return s > -sure && s < A->edge[i].length + sure && r > -sure && r < B->edge[j].length + sure;
}

// Features i and j, by their numbers: a corner of the patch, unless something is in the way. Is it there?
static void judge_corner(const figure *a, const figure *b, int i, int j, int count, const contact *c, double slack,
                         tally *t)
{
    const double sure = 1e-7;
    qpair        p;
    for (int k = 0; k < count; k++)
        if (c[k].number[0] == i && c[k].number[1] == j)
            return;
    if (!q_pair(a->solid, &a->body, i, b->solid, &b->body, j, &p))
        return;
    if (p.gap < 0 || p.gap > slack - sure || p.inside < sure || p.arc < sure ||
        is_hidden(a->solid, &a->body, i, b->solid, &b->body, j, p.n))
        return;
    complain(t, "a corner of the patch is missing, gap", (double)p.gap);
}

static void judge_patch(const figure *a, const figure *b, int count, const contact *c, double slack, tally *t)
{
    static placed_solid  at_a, at_b;
    const zn_polyhedron *A = a->solid, *B = b->solid;
    place_solid(a, &at_a);
    place_solid(b, &at_b);
    for (int i = 0; i < A->vertices; i++)
        for (int j = 0; j < B->faces; j++)
            if (may_be_over(B, &at_b, j, at_a.vertex[i], slack))
                judge_corner(a, b, i, B->vertices + B->edges + j, count, c, slack, t);
    for (int i = 0; i < A->faces; i++)
        for (int j = 0; j < B->vertices; j++)
            if (may_be_over(A, &at_a, i, at_b.vertex[j], slack))
                judge_corner(a, b, A->vertices + A->edges + i, j, count, c, slack, t);
    for (int i = 0; i < A->edges; i++)
        for (int j = 0; j < B->edges; j++)
            if (may_cross(A, &at_a, i, B, &at_b, j, slack))
                judge_corner(a, b, A->vertices + i, B->vertices + j, count, c, slack, t);
}

// --- poses ---------------------------------------------------------------------------------------

static figure draw_figure(zn_shape_kind kind, uint64_t *rng)
{
    double thick = part(rng);
    figure f = figure_make(kind, 0.2 + part(rng), thick < 0.3 ? 0.2 : thick < 0.6 ? 0.5 : 2, rng);
    if (kind == ZN_SHAPE_CYLINDER && part(rng) < 0.3)
        f.s.length = 0;
    if (kind == ZN_SHAPE_BOX || kind == ZN_SHAPE_HULL)
        f.s.data = f.solid = solids[kind == ZN_SHAPE_HULL][(int)(SOLIDS * part(rng))];
    f.body.rotation = zn_quat_matrix(rotation(rng));
    f.body.position = zn_vec3_scale(part(rng), direction(rng));
    return f;
}

// Beside rounding. Lines at a small angle are known where they cross to 1e-16 / angle^2, and across each other to
// 1e-16 / angle, which makes 1e-32 / angle^3 of the gap. Below 1e-6 round lines are seen at their ends, which are
// farther apart by (angle x way)^2 / (2 radii), up to 2 m from their crossing.
static double tolerance_of(const figure *a, const figure *b, double about)
{
    double sine = fabs(sin(about));
    if (a->solid && b->solid) // edges are drawn at no less than 1e-5
        return 0;
    return about < 1e-6 ? 4 * about * about / (2 * 0.2) : 3e-32 / (sine * sine * sine);
}

// In each other by a little, along the normal: the same contact, and none deeper.
static void judge_inside(figure a, const figure *b, zn_vec3 n, double gap, double depth, tally *t)
{
    static contact c[MOST];
    const double   slack = 1e-3;
    a.body.position = ahead(a.body.position, -gap - depth, n);
    int    count = find(&a, b, (zn_vec3){0, 0, 0}, 1e-3, slack, c);
    double off = INFINITY;
    place_contacts(&a, b, count, c, t);
    for (int i = 0; i < count; i++) {
        if (off > 1e-15 && c[i].at.gap < off) // one is enough
            off = fmin(off, fmax(unproved(&a, b, &c[i]), c[i].at.gap));
        // deeper ones may be how the shapes came in: faces within the slack, others within a twentieth of it
        bool face = c[i].own[0].kind == ZN_FEATURE_FACE || c[i].own[1].kind == ZN_FEATURE_FACE;
        if (!(c[i].at.gap > -2 * depth - (face ? 1 : 0.05) * slack) && unproved(&a, b, &c[i]) > 1e-14)
            complain(t, "inside, deeper than it is, by", -depth - c[i].at.gap);
    }
    if (!(off < 1e-14 + t->loose))
        complain(t, "inside, there is no contact, by", off);
}

// Coming from 3 cm away: what touches then is known now.
static void judge_way(figure a, const figure *b, zn_vec3 n, double gap, uint64_t *rng, tally *t)
{
    static contact c[MOST];
    zn_vec3        way = direction(rng), end = ahead(a.body.position, -gap, n);
    if (zn_vec3_dot(way, n) > 0)
        way = zn_vec3_scale(-1, way);
    if (zn_vec3_dot(way, n) > -0.05)
        return;
    a.body.position = ahead(end, -0.03, way);
    int    count = find(&a, b, way, 0.031, 1e-5, c);
    double zero = INFINITY;
    a.body.position = end;
    place_contacts(&a, b, count, c, t);
    for (int i = 0; i < count; i++)
        zero = fmin(zero, fabs(c[i].at.gap));
    if (!(zero < 2e-9)) // on the border of two features it may be the neighbour
        t->late++, complain(t, "what touches then is not foreseen, the least is", zero);
}

static void try_pose(zn_shape_kind first, zn_shape_kind second, long number, tally *t)
{
    static contact c[MOST];
    const double   slack = 0.02;
    uint64_t       rng = (uint64_t)number * 1000003 + (uint64_t)(16 * first + second) * 0x9e3779b97f4a7c15u;
    figure         a = draw_figure(first, &rng), b = draw_figure(second, &rng);
    touch          of_a, of_b;
    do
        of_a = touch_of(&a, &rng), of_b = touch_of(&b, &rng);
    while (of_a.sharp + of_b.sharp > 2);
    double  about, gap = part(&rng) < 0.2 ? 0 : 0.015 * little(&rng);
    zn_vec3 n = figure_place(&a, &of_a, &b, &of_b, gap, number, &rng, &about);
    t->loose = tolerance_of(&a, &b, about);
    t->poses++, t->number = number;
    int count = find(&a, &b, (zn_vec3){0, 0, 0}, 1e-3, slack, c);
    place_contacts(&a, &b, count, c, t);
    quad3 x = quad_add(quad_of(a.body.position), turned(&a.body.rotation, quad_of(of_a.x), false));
    quad3 y = quad_add(quad_of(b.body.position), turned(&b.body.rotation, quad_of(of_b.x), false));
    judge_distance(&a, &b, count, c, (double)quad_norm(quad_sub(x, y)), t);
    judge_contacts(&a, &b, count, c, slack, t);
    if (a.solid && b.solid)
        judge_patch(&a, &b, count, c, slack, t);
    double depth = 1e-4 * little(&rng);
    if (of_a.sharp == 1 && of_b.sharp == 1) // deeper another normal is better
        depth = fmin(depth, 0.01 * sin(about) * sin(about));
    if (a.s.kind != ZN_SHAPE_CYLINDER || b.s.kind != ZN_SHAPE_CYLINDER || a.s.length + b.s.length > 0)
        judge_inside(a, &b, n, gap, depth, t); // discs would be on each other's other side
    judge_way(a, &b, n, gap, &rng, t);
}

// --- pairs ---------------------------------------------------------------------------------------

static const pair pairs[] = {
    {ZN_SHAPE_BOX, ZN_SHAPE_SPHERE},        {ZN_SHAPE_BOX, ZN_SHAPE_BOX},         {ZN_SHAPE_SPHERE, ZN_SHAPE_PLANE},
    {ZN_SHAPE_BOX, ZN_SHAPE_PLANE},         {ZN_SHAPE_CAPSULE, ZN_SHAPE_SPHERE},  {ZN_SHAPE_CAPSULE, ZN_SHAPE_BOX},
    {ZN_SHAPE_CAPSULE, ZN_SHAPE_PLANE},     {ZN_SHAPE_CAPSULE, ZN_SHAPE_CAPSULE}, {ZN_SHAPE_CYLINDER, ZN_SHAPE_SPHERE},
    {ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX},      {ZN_SHAPE_CYLINDER, ZN_SHAPE_PLANE},  {ZN_SHAPE_CYLINDER, ZN_SHAPE_CAPSULE},
    {ZN_SHAPE_CYLINDER, ZN_SHAPE_CYLINDER}, {ZN_SHAPE_HULL, ZN_SHAPE_SPHERE},     {ZN_SHAPE_HULL, ZN_SHAPE_BOX},
    {ZN_SHAPE_HULL, ZN_SHAPE_PLANE},        {ZN_SHAPE_HULL, ZN_SHAPE_CAPSULE},    {ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER},
    {ZN_SHAPE_HULL, ZN_SHAPE_HULL},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static void test_pairs(void **state)
{
    (void)state;
    for (int k = 0; k < PAIRS; k++)
        assert_int_equal(try_pair(&pairs[k], try_pose, 200, 0).wrong, 0);
}

// Poses that once were wrong.
static void test_known(void **state)
{
    static const known_pose known[] = {
        {{ZN_SHAPE_BOX, ZN_SHAPE_BOX}, 91167},           // 1e-9 deep by one computation, not so deep by another one
        {{ZN_SHAPE_BOX, ZN_SHAPE_BOX}, 419483},          // within 1e-9 of the border of a face, and behind it
        {{ZN_SHAPE_CAPSULE, ZN_SHAPE_BOX}, 239151},      // an end stood for the line beside it
        {{ZN_SHAPE_CAPSULE, ZN_SHAPE_BOX}, 1058},        // a line past a vertex, after one step of Newton's method
        {{ZN_SHAPE_CAPSULE, ZN_SHAPE_CAPSULE}, 136},     // lines that will cross, an end is nearest now
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_CAPSULE}, 8653},   // a rim flat over a point
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX}, 37386},      // what leaves was taken for what touches
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX}, 62001},      // a face stood for the edge beside it
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX}, 3829},       // a rim along an edge that is along the axis
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX}, 1137041},    // a rim at 1e-4 along an edge, left out because of a face
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX}, 2021296},    // a rim at 1e-5 along an edge, its normal lost as it touched
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_CYLINDER}, 874},   // a rim that is behind
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_CYLINDER}, 13700}, // rims of discs side by side in nearly parallel planes
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_CYLINDER}, 4931},  // a line flat over a disc, on its other side
        {{ZN_SHAPE_CYLINDER, ZN_SHAPE_CYLINDER}, 65834}, // the rim of a disc, whose normal goes to its other side
        {{ZN_SHAPE_HULL, ZN_SHAPE_BOX}, 321150},         // a vertex that has come out again behind a sharp edge
        {{ZN_SHAPE_HULL, ZN_SHAPE_BOX}, 86473},          // ridges: each slope was left out because of the other one
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 592},       // a normal that turns fast as the gap closes
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 38235},     // apart, taken for overlapping: a face behind kept it apart
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 94780},     // the same, 2 mm deep
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 155817},    // apart, and 400 steps of Gilbert's did not tell
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 264026},    // the same
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 619621},    // the same, the place of another pair 1 cm off
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 731247},    // the same
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 569924},    // an edge along a rim, left out because of the face beside it
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 620693},    // from a disc's other side, by which it is not reached
        {{ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER}, 2004532},   // a rim at 1e-5 along an edge, left out because of a face
        {{ZN_SHAPE_HULL, ZN_SHAPE_HULL}, 312589},        // a vertex, less behind a face beside the one by which it came
        {{ZN_SHAPE_HULL, ZN_SHAPE_HULL}, 35168},         // ridges, beside the end of one
        {{ZN_SHAPE_HULL, ZN_SHAPE_HULL}, 349187},        // a vertex was held by a face that it is not before
    };
    (void)state;
    try_known(sizeof known / sizeof *known, known, try_pose);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return make_solids(NULL) || campaign(PAIRS, pairs, try_pose, argc, argv) || drop_solids(NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, make_solids, drop_solids);
}
