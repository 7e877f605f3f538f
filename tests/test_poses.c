// Convex shapes in random poses near touching, all pairs of kinds. The judge is a proof in quadruple precision, for each
// pose anew: two points of the shapes are no nearer than the shapes, and a normal along which all of one shape is above
// all of the other by s says that they are no nearer than s. A contact whose points are in the shapes and whose gap is
// that s is therefore the distance, and no other may be below it. Then each contact is compared with its features in
// quadruple precision, all corners of the patch between polyhedra have to be there, the contact that is known has to
// stay when the shapes are in each other, and to be known before on the way to it.
//
//     test_poses [PAIR|all [POSES [FIRST]]]     e.g. test_poses box-hull 1000000; of each pose the number is its seed
#include "polyhedra.h"
#include "pose_judge.h"

enum { SOLIDS = 400, MOST = 400 };

static const char *const words[ZN_SHAPE_KINDS] = {
    [ZN_SHAPE_SPHERE] = "sphere",   [ZN_SHAPE_BOX] = "box",           [ZN_SHAPE_PLANE] = "plane",
    [ZN_SHAPE_CAPSULE] = "capsule", [ZN_SHAPE_CYLINDER] = "cylinder", [ZN_SHAPE_HULL] = "hull"};

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

// --- what is found -------------------------------------------------------------------------------

typedef struct tally {
    const char *pair;
    long        poses, rough, wrong, number;
    char        what[80];
    double      loose;       // what is not known better of this pose: see tolerance_of
    double      gap, normal; // largest errors; of normals times how well they are determined
} tally;

static void complain(tally *t, const char *what, double value)
{
    if (t->wrong++ < (getenv("MANY") ? 100000 : 5))
        print_error("%s %ld (%s): %s %.3g\n", t->pair, t->number, t->what, what, value);
}

typedef struct contact {
    int64_t          pair;
    zn_feature       own[2];
    int              number[2];
    zn_feature_place at;
} contact;

static zn_feature own_feature(const figure *f, int number)
{
    zn_feature own = {.kind = ZN_FEATURE_POINT, .at = f->s.at, .radius = f->s.radius};
    if (!f->s.ops->sphere && !f->s.ops->feature(&f->s, number, false, &own))
        fail_msg("%s has no feature %d", words[f->s.kind], number);
    return own;
}

// With a moving as `way` per unit of time.
static int find(const figure *a, const figure *b, zn_vec3 way, double horizon, double slack, contact *out)
{
    static zn_feature_list list;
    bool                   swapped;
    zn_meet               *meet = zn_meet_of(a->s.kind, b->s.kind, false, &swapped);
    const figure          *first = swapped ? b : a, *second = swapped ? a : b;
    zn_near                at = {.A = first->body, .B = second->body, .horizon = horizon, .slack = slack};
    *(swapped ? &at.b.origin : &at.a.origin) = way;
    list.count = 0;
    CHECK_OK(meet(&first->s, &second->s, &at, &list));
    for (int i = 0; i < list.count && i < MOST; i++) {
        int k[2] = {zn_feature_first(list.pair[i]), zn_feature_second(list.pair[i])};
        out[i] = (contact){.pair = zn_feature_pair(k[swapped], k[!swapped]), .number = {k[swapped], k[!swapped]}};
        out[i].own[0] = own_feature(a, k[swapped]), out[i].own[1] = own_feature(b, k[!swapped]);
    }
    return list.count < MOST ? list.count : MOST;
}

static void place_contacts(const figure *a, const figure *b, int count, contact *c, tally *t)
{
    for (int i = 0; i < count; i++) {
        zn_feature f = zn_feature_at(&a->body, &c[i].own[0]), g = zn_feature_at(&b->body, &c[i].own[1]);
        if (!zn_feature_meet(&f, &g, &c[i].at))
            complain(t, "a pair that does not meet", i);
    }
}

// --- the judge -----------------------------------------------------------------------------------

// What the rim is below the corners that stand for it.
static double chords(const figure *f, const contact *c, int side)
{
    if (f->s.kind != ZN_SHAPE_CYLINDER || c->number[side] < ZN_CYLINDER_POINT)
        return 0;
    zn_vec3 axis = zn_rigid_vector(&f->body, zn_cylinder_axis(&f->s));
    return 0.0341 * f->s.radius * zn_vec3_norm(zn_vec3_cross(axis, c->at.normal));
}

// How far it is from being proved that the shapes are as far apart as the contact says: along its normal all of a is
// above all of b by its gap. Inside each other: that they are so deep along it.
static double unproved(const figure *a, const figure *b, const contact *c)
{
    exact_feature f = exact_at(&a->body, &c->own[0]), g = exact_at(&b->body, &c->own[1]);
    exact_place   p = exact_meet(&f, &g, c->at.normal);
    double        s = (double)(above(a, b, p.n) - c->at.gap);
    return fmax(s, -s - chords(a, c, 0) - chords(b, c, 1));
}

// How far its points are outside of the shapes: on the border of two features it may be the neighbour's.
static double misplaced(const figure *a, const figure *b, const contact *c)
{
    quad3 x = quad_of(ahead(c->at.on[0], -c->own[0].radius, c->at.normal));
    quad3 y = quad_of(ahead(c->at.on[1], c->own[1].radius, c->at.normal));
    return fmax(outside(a, x), outside(b, y));
}

static int least_of(int count, const contact *c)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (c[i].at.gap < c[best].at.gap)
            best = i;
    return best;
}

// Two points of the shapes are `most` apart.
static void judge_distance(const figure *a, const figure *b, int count, const contact *c, double most, tally *t)
{
    if (count == 0) {
        complain(t, "no contact", 0);
        return;
    }
    int    best = least_of(count, c);
    double off = INFINITY, beside = INFINITY;
    for (int i = 0; i < count && off > 1e-14 + t->loose; i++)
        if (c[i].at.gap <= c[best].at.gap + 1e-14)
            off = unproved(a, b, &c[i]), beside = misplaced(a, b, &c[i]);
    double low = most - c[best].at.gap;
    t->rough += beside > 1e-14;
    if (!(fabs(low) < 1e-14) && getenv("POSE"))
        for (int i = 0; i < count; i++) {
            exact_feature f = exact_at(&a->body, &c[i].own[0]), g = exact_at(&b->body, &c[i].own[1]);
            exact_place   p = exact_meet(&f, &g, c[i].at.normal);
            print_error("   %d %d: kinds %d %d, gap %g exact %g most %g sure %g unproved %g, axis %g %g\n", c[i].number[0], c[i].number[1], f.kind, g.kind, c[i].at.gap, (double)p.gap, most, p.sure, unproved(a, b, &c[i]), (double)quad_dot(p.n, f.along), (double)quad_dot(p.n, g.along));
        }
    t->gap = fmax(t->gap, fmax(off, fabs(low)) - t->loose);
    if (!(off < 1e-14 + t->loose) || !(beside < 2e-9))
        complain(t, off < 1e-14 + t->loose ? "its point is outside, by" : "the distance is not proved, by", off < 1e-14 + t->loose ? beside : off);
    if (!(fabs(low) < 1e-14 + t->loose))
        complain(t, "the least gap is not the distance, by", low);
}

static void judge_contacts(const figure *a, const figure *b, int count, const contact *c, double slack, tally *t)
{
    for (int i = 0; i < count; i++) {
        exact_feature f = exact_at(&a->body, &c[i].own[0]), g = exact_at(&b->body, &c[i].own[1]);
        exact_place   p = exact_meet(&f, &g, c[i].at.normal);
        double        gap = fabs((double)(c[i].at.gap - p.gap));
        double        turn = (double)quad_norm(quad_sub(quad_of(c[i].at.normal), p.n)) * fmin(p.sure, 1);
        t->gap = fmax(t->gap, gap), t->normal = fmax(t->normal, turn);
        if (!(gap < 1e-14) || !(turn < 1e-14))
            complain(t, gap < 1e-14 ? "normal is off by" : "gap is off by", gap < 1e-14 ? turn : gap);
        if (!(c[i].at.gap < slack + 1e-14))
            complain(t, "gap beyond the slack", c[i].at.gap);
    }
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

// Beside rounding. Round lines that cross at an angle below 1e-6 are seen at their ends, which are farther apart by
// (angle x length)^2 / (2 radii). On the border of two features the pair next to it is taken for its own within 1e-9 of
// the size, and along ridges at a small angle the normal turns by 1e-9 / angle^2 over that.
static double tolerance_of(const touch *a, const touch *b, double about)
{
    if (a->sharp == 1 && b->sharp == 1)
        return 4e-18 / (sin(about) * sin(about));
    return about < 1e-6 ? about * about / (2 * 0.2) : 0;
}

// In each other by a little, along the normal: the same contact, and none deeper.
static void judge_inside(figure a, const figure *b, zn_vec3 n, double gap, double depth, tally *t)
{
    static contact c[MOST];
    a.body.position = ahead(a.body.position, -gap - depth, n);
    int    count = find(&a, b, (zn_vec3){0, 0, 0}, 1e-3, 1e-3, c);
    double off = INFINITY;
    place_contacts(&a, b, count, c, t);
    for (int i = 0; i < count; i++) {
        off = fmin(off, fmax(unproved(&a, b, &c[i]), c[i].at.gap));
        if (getenv("POSE") && !(c[i].at.gap > -depth - 2e-14))
            print_error("  %d %d kinds %d %d gap %g sure %g, n.n %g, outside %g, unproved %g, depth %g\n", c[i].number[0], c[i].number[1], c[i].own[0].kind, c[i].own[1].kind, c[i].at.gap, 
             zn_vec3_norm(zn_vec3_cross(zn_rigid_vector(&a.body, c[i].own[0].along), zn_rigid_vector(&b->body, c[i].own[1].along))), zn_vec3_dot(c[i].at.normal, n), misplaced(&a, b, &c[i]), unproved(&a, b, &c[i]), depth);
        if (!(c[i].at.gap > -depth - 2e-14) && unproved(&a, b, &c[i]) > 1e-14)
            complain(t, "inside, deeper than it is, by", -depth - c[i].at.gap);
    }
    if (!(off < 2e-14) && getenv("POSE"))
        for (int i = 0; i < count; i++)
            print_error("   %d %d: gap %g depth %g n %g unproved %g len %g %g\n", c[i].number[0], c[i].number[1], c[i].at.gap, depth, zn_vec3_dot(n, c[i].at.normal), unproved(&a, b, &c[i]), a.s.length, b->s.length);
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
    if (getenv("WAY"))
        for (int k = 0; k < 4; k++)
            for (double s = 0; s <= 0.0300001; s += 0.003) {
                a.body.position = ahead(end, -0.03 + s, way);
                zn_feature f = own_feature(&a, getenv("FA") ? atoi(getenv("FA")) : 3 + k % 2), g = own_feature(b, getenv("FB") ? atoi(getenv("FB")) : 3 + k / 2);
                f = zn_feature_at(&a.body, &f), g = zn_feature_at(&b->body, &g);
                zn_feature_place at;
                bool ok = zn_feature_meet(&f, &g, &at);
                print_error("rims %d %d at %g: %d gap %g speed %g n.n %g axes %g %g, true %g\n", k % 2, k / 2, s, ok, at.gap, -zn_vec3_dot(way, at.normal), zn_vec3_dot(n, at.normal), zn_vec3_dot(at.normal, f.along), zn_vec3_dot(at.normal, g.along), (double)above(&a, b, quad_unit(quad_of(at.normal))));
            }
    a.body.position = ahead(end, -0.03, way);
    int    count = find(&a, b, way, 0.031, 1e-5, c);
    double zero = INFINITY;
    a.body.position = end;
    place_contacts(&a, b, count, c, t);
    for (int i = 0; i < count; i++)
        zero = fmin(zero, fabs(c[i].at.gap));
    if (!(zero < 2e-9) && getenv("POSE"))
        for (int i = 0; i < count; i++)
            print_error("   way.n %g, %d %d: kinds %d %d gap %g n %g\n", zn_vec3_dot(way, n), c[i].number[0], c[i].number[1], c[i].own[0].kind, c[i].own[1].kind, c[i].at.gap, 1-zn_vec3_dot(n, c[i].at.normal));
    if (!(zero < 2e-9)) // on the border of two features it may be the neighbour
        complain(t, "on its way, what touches is not there, but", zero);
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
    zn_vec3 n = figure_place(&a, &of_a, &b, &of_b, gap, &rng, &about);
    t->loose = tolerance_of(&of_a, &of_b, about);
    t->poses++, t->number = number;
    snprintf(t->what, sizeof t->what, "sharp %d%s, %d%s, gap %.1e, cos %.3g", of_a.sharp, of_a.lying ? "L" : "", of_b.sharp, of_b.lying ? "L" : "", gap,
    1-fabs(zn_vec3_dot(zn_rigid_vector(&a.body, of_a.t), zn_rigid_vector(&b.body, of_b.t))));
    int count = find(&a, &b, (zn_vec3){0, 0, 0}, 1e-3, slack, c);
    place_contacts(&a, &b, count, c, t);
    quad3 x = quad_add(quad_of(a.body.position), turned(&a.body.rotation, quad_of(of_a.x), false));
    quad3 y = quad_add(quad_of(b.body.position), turned(&b.body.rotation, quad_of(of_b.x), false));
    judge_distance(&a, &b, count, c, (double)quad_norm(quad_sub(x, y)), t);
    judge_contacts(&a, &b, count, c, slack, t);
    double depth = 1e-4 * little(&rng);
    if (of_a.sharp == 1 && of_b.sharp == 1) // deeper their ends are in each other first
        depth = fmin(depth, 1e-2 * zn_vec3_norm(zn_vec3_cross(zn_rigid_vector(&a.body, of_a.t),
                                                             zn_rigid_vector(&b.body, of_b.t))));
    if (a.s.kind != ZN_SHAPE_CYLINDER || b.s.kind != ZN_SHAPE_CYLINDER || a.s.length + b.s.length > 0)
        judge_inside(a, &b, n, gap, depth, t); // discs would be on each other's other side
    judge_way(a, &b, n, gap, &rng, t);
}

// --- pairs ---------------------------------------------------------------------------------------

typedef struct pair {
    zn_shape_kind a, b;
} pair;

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

static tally try_pair(int k, long poses, long from)
{
    static char name[40];
    snprintf(name, sizeof name, "%s-%s", words[pairs[k].a], words[pairs[k].b]);
    tally t = {.pair = name};
    for (long i = from; i < from + poses; i++)
        try_pose(pairs[k].a, pairs[k].b, i, &t);
    return t;
}

static void test_pairs(void **state)
{
    (void)state;
    for (int k = 0; k < PAIRS; k++)
        assert_int_equal(try_pair(k, 100, 0).wrong, 0);
}

// A row of the table for each pair that is asked for.
static int campaign(const char *which, long poses, long from)
{
    long wrong = 0, asked = 0;
    make_solids(NULL);
    for (int k = 0; k < PAIRS; k++) {
        tally t = try_pair(k, 0, 0);
        if (strcmp(which, "all") != 0 && strcmp(which, t.pair) != 0)
            continue;
        t = try_pair(k, poses, from);
        printf("| %s | %ld | %.1e | %.1e | %ld | %ld |\n", t.pair, t.poses, t.gap, t.normal, t.wrong, t.rough);
        fflush(stdout);
        wrong += t.wrong, asked++;
    }
    drop_solids(NULL);
    return wrong > 0 || asked == 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return campaign(argv[1], argc > 2 ? atol(argv[2]) : 1000, argc > 3 ? atol(argv[3]) : 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, make_solids, drop_solids);
}
