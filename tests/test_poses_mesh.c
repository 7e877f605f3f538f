// Meshes with hollows in random poses near all shapes. It is known where they touch, as with convex shapes, but a mesh
// may be nearer somewhere else, or in the other shape: all triangles are tried, in double precision with those that may
// matter tried again in quadruple precision. Poses in which the shapes are in each other are drawn again. For cylinders
// it is proved that no triangle is nearer than the place that is known, by a direction along which the cylinder is that
// far from it; poses of which that cannot be shown are drawn again, too.
//
//     test_poses_mesh [PAIR|all [POSES [FIRST]]]     e.g. test_poses_mesh mesh-box 1000000
#include "mesh_rod.h"
#include "pose_contacts.h"

#define REAL       double
#define NAME(word) d_##word
#include "mesh_brute.h"
#undef REAL
#undef NAME
#define REAL       quad
#define NAME(word) q_##word
#include "mesh_brute.h"

enum { MESHES = 3, SOLIDS = 100, TRIANGLES = 256 };

static sample         samples[MESHES];
static zn_mesh_shape *meshes[MESHES];
static zn_polyhedron *solids[2][SOLIDS];

static int make_shapes(void **state)
{
    uint64_t rng = 1;
    (void)state;
    samples[0] = make_ell(), samples[1] = make_star(), samples[2] = sample_slab(5, 4, 1, 1, 0.5, hills);
    for (int i = 0; i < MESHES; i++) {
        meshes[i] = sample_mesh(&samples[i]);
        assert_non_null(meshes[i]);
    }
    for (int i = 0; i < 2 * SOLIDS; i++)
        solids[i / SOLIDS][i % SOLIDS] = figure_solid(i < SOLIDS, &rng);
    return 0;
}

static int drop_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) {
        zn_mesh_shape_destroy(meshes[i]);
        sample_clear(&samples[i]);
    }
    for (int i = 0; i < 2 * SOLIDS; i++)
        zn_polyhedron_destroy(solids[i / SOLIDS][i % SOLIDS]);
    return 0;
}

// --- skins ---------------------------------------------------------------------------------------

// The triangles around the core of a shape, own axes and world axes, each with its box; a core without area is one.
typedef struct skin {
    int     count;
    double  radius;
    zn_vec3 own[TRIANGLES][3];
    d_vec   world[TRIANGLES][3];
    double  low[TRIANGLES][3], high[TRIANGLES][3];
} skin;

static void add_triangle(skin *s, zn_vec3 a, zn_vec3 b, zn_vec3 c)
{
    assert_true(s->count < TRIANGLES);
    zn_vec3 *to = s->own[s->count++];
    to[0] = a, to[1] = b, to[2] = c;
}

static void skin_of(const figure *f, skin *s)
{
    s->count = 0;
    s->radius = f->mesh || f->solid ? 0 : f->s.radius;
    for (int i = 0; f->mesh && i < f->mesh->triangles; i++) {
        const int *c = &f->mesh->corner[3 * i];
        add_triangle(s, f->mesh->point[c[0]], f->mesh->point[c[1]], f->mesh->point[c[2]]);
    }
    for (int i = 0; f->solid && i < f->solid->faces; i++) {
        const zn_polyhedron_face *face = &f->solid->face[i];
        const int                *c = &f->solid->corner[face->first];
        for (int k = 2; k < face->count; k++)
            add_triangle(s, f->solid->vertex[c[0]], f->solid->vertex[c[k - 1]], f->solid->vertex[c[k]]);
    }
    if (s->count == 0) {
        double  half = f->s.kind == ZN_SHAPE_SPHERE ? 0 : f->s.length / 2;
        zn_vec3 u = zn_cylinder_axis(&f->s), end = ahead(f->s.at, half, u);
        add_triangle(s, ahead(f->s.at, -half, u), end, end);
    }
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) {
            s->world[i][k] = d_from(zn_rigid_point(&f->body, s->own[i][k]));
            double x[3] = {s->world[i][k].x, s->world[i][k].y, s->world[i][k].z};
            for (int axis = 0; axis < 3; axis++) {
                s->low[i][axis] = k == 0 ? x[axis] : fmin(s->low[i][axis], x[axis]);
                s->high[i][axis] = k == 0 ? x[axis] : fmax(s->high[i][axis], x[axis]);
            }
        }
}

static bool boxes_near(const skin *a, int i, const skin *b, int j, double within)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->low[i][axis] > b->high[j][axis] + within || b->low[j][axis] > a->high[i][axis] + within)
            return false;
    return true;
}

// Does the segment from x to y go through a triangle, or so near to its border that it cannot be told?
static bool goes_through(d_vec x, d_vec y, const d_vec t[3])
{
    d_vec  u = d_sub(t[1], t[0]), v = d_sub(t[2], t[0]), m = d_cross(u, v), d = d_sub(x, t[0]), w = d_sub(y, x);
    double mm = d_dot(m, m), from = d_dot(m, d), to = d_dot(m, d_sub(y, t[0]));
    if (!(mm > 0) || from * to > 0 || from == to)
        return false;
    d_vec  at = d_ahead(d, from / (from - to), w);
    double s = d_dot(d_cross(at, v), m) / mm, r = d_dot(d_cross(u, at), m) / mm;
    return s > -1e-9 && r > -1e-9 && s + r < 1 + 1e-9;
}

static bool cross(const d_vec a[3], const d_vec b[3])
{
    for (int k = 0; k < 3; k++)
        if (goes_through(a[k], a[(k + 1) % 3], b) || goes_through(b[k], b[(k + 1) % 3], a))
            return true;
    return false;
}

static void exact_triangle(const figure *f, const zn_vec3 own[3], q_vec out[3])
{
    for (int k = 0; k < 3; k++) {
        quad3 x = quad_add(quad_of(f->body.position), turned(&f->body.rotation, quad_of(own[k]), false));
        out[k] = (q_vec){x.x, x.y, x.z};
    }
}

static bool plane_near(d_vec p, const d_vec t[3], double within)
{
    d_vec m = d_cross(d_sub(t[1], t[0]), d_sub(t[2], t[0]));
    return fabs(d_dot(m, d_sub(p, t[0]))) <= within * sqrt(d_dot(m, m));
}

// Lines that meet at a small angle are known where to 1e-16 over its square.
static bool segments_near(const d_vec a[3], int i, const d_vec b[3], int k, double within)
{
    d_near n = {.square = INFINITY};
    d_vec  u = d_sub(a[(i + 1) % 3], a[i]), w = d_sub(b[(k + 1) % 3], b[k]), c = d_cross(u, w);
    double size = d_dot(u, u) * d_dot(w, w); // 0: one of them is a point
    double unsure = size > 0 ? 1e-14 * size / fmax(d_dot(c, c), 1e-14 * size) : 0;
    d_segments(&n, a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]);
    return n.square <= (within + unsure) * (within + unsure);
}

// q_triangles, without what is farther than `within` in double precision, a and b.
static void exact_triangles(q_near *n, const q_vec x[3], const q_vec y[3], const d_vec a[3], const d_vec b[3],
                            double within)
{
    q_vec at;
    for (int i = 0; i < 3; i++) {
        if (plane_near(a[i], b, within) && q_foot(x[i], y, &at))
            q_offer(n, x[i], at, true);
        if (plane_near(b[i], a, within) && q_foot(y[i], x, &at))
            q_offer(n, at, y[i], true);
        for (int k = 0; k < 3; k++)
            if (segments_near(a, i, b, k, within))
                q_segments(n, x[i], x[(i + 1) % 3], y[k], y[(k + 1) % 3]);
    }
}

// Of all triangles that are within `most` of each other the nearest ones. False: the shapes are in each other.
static bool nearest(const figure *a, const figure *b, double most, q_near *out)
{
    static skin   A, B;
    static double square[TRIANGLES][TRIANGLES];
    skin_of(a, &A), skin_of(b, &B);
    double within = most + A.radius + B.radius + 1e-9;
    d_near best = {.square = within * within};
    for (int i = 0; i < A.count; i++)
        for (int j = 0; j < B.count; j++) {
            square[i][j] = INFINITY;
            if (!boxes_near(&A, i, &B, j, within))
                continue;
            if (cross(A.world[i], B.world[j]))
                return false;
            d_near n = {.square = INFINITY};
            d_triangles(&n, A.world[i], B.world[j]);
            square[i][j] = n.square;
            if (n.square < best.square)
                best = n;
        }
    *out = (q_near){.square = 1e30};
    for (int i = 0; i < A.count; i++)
        for (int j = 0; j < B.count; j++)
            if (sqrt(square[i][j]) < sqrt(best.square) + 1e-13) {
                q_vec  x[3], y[3];
                q_near n = {.square = 1e30};
                exact_triangle(a, A.own[i], x), exact_triangle(b, B.own[j], y);
                exact_triangles(&n, x, y, A.world[i], B.world[j], sqrt(best.square) + 1e-12);
                bool inner = out->inner || n.inner; // one of those that are as near
                if (n.square < out->square)
                    *out = n;
                out->inner = inner;
            }
    return sqrt(best.square) > A.radius + B.radius;
}

// --- poses ---------------------------------------------------------------------------------------

static touch touch_mesh(const zn_mesh_shape *m, uint64_t *rng)
{
    int kind = (int)(3 * part(rng));
    if (kind == 0) {
        int        i = (int)(part(rng) * m->triangles);
        const int *c = &m->corner[3 * i];
        double     s = part(rng), r = part(rng);
        zn_vec3    u = zn_vec3_sub(m->point[c[1]], m->point[c[0]]), v = zn_vec3_sub(m->point[c[2]], m->point[c[0]]);
        if (s + r > 1)
            s = 1 - s, r = 1 - r;
        return (touch){m->plane[m->face[i]].normal, ahead(ahead(m->point[c[0]], s, u), r, v), unit(u), 0, false};
    }
    if (kind == 1) {
        const zn_mesh_line *e = &m->edge[(int)(part(rng) * m->edges)];
        int                 k = part(rng) < 0.5;
        zn_vec3             n = ahead(m->plane[e->face[k]].normal, little(rng), m->plane[e->face[!k]].normal);
        return e->bend == ZN_BEND_CONVEX
                   ? (touch){unit(n), ahead(m->point[e->a], part(rng) * e->length, e->along), e->along, 1, false}
                   : touch_mesh(m, rng);
    }
    int i = (int)(part(rng) * m->points);
    return (touch){unit(ahead(unit(m->outward[i]), 0.5 * part(rng), direction(rng))), m->point[i], direction(rng), 2,
                   false};
}

static figure draw_figure(zn_shape_kind kind, uint64_t *rng)
{
    double length = part(rng);
    figure f = figure_make(kind, 0.05 + 0.3 * part(rng), length < 0.5 ? 0.1 : 0.6, rng);
    if (kind == ZN_SHAPE_CYLINDER && part(rng) < 0.3)
        f.s.length = 0;
    if (kind == ZN_SHAPE_BOX || kind == ZN_SHAPE_HULL)
        f.s.data = f.solid = solids[kind == ZN_SHAPE_HULL][(int)(SOLIDS * part(rng))];
    if (kind == ZN_SHAPE_MESH)
        f.s.data = f.mesh = meshes[(int)(MESHES * part(rng))];
    f.body.rotation = zn_quat_matrix(rotation(rng));
    f.body.position = zn_vec3_scale(part(rng), direction(rng));
    return f;
}

static touch draw_touch(const figure *f, uint64_t *rng)
{
    return f->mesh ? touch_mesh(f->mesh, rng) : touch_of(f, rng);
}

// The contact with this gap, and none that is closed.
static void judge_least(int count, const contact *c, double gap, zn_vec3 n, bool sharp, tally *t)
{
    bool there = sharp;
    for (int i = 0; i < count; i++) {
        there |= fabs(c[i].at.gap - gap) < 1e-14 + t->loose && zn_vec3_norm(zn_vec3_sub(c[i].at.normal, n)) < 1e-5;
        if (!(c[i].at.gap > -4e-9)) // on the border of two features; away from zero it may be below the distance
            complain(t, "a pair is inside, but the shapes are not, by", -c[i].at.gap);
    }
    if (!there)
        complain(t, "the contact is not there of", count);
}

// In each other by so much along n: something holds them. Ridges nearly along each other may be apart there along
// another normal, when one of them ends.
static void judge_inside(figure a, const figure *b, zn_vec3 n, double gap, double depth, tally *t)
{
    static contact c[MOST];
    q_near         near;
    bool           there = false;
    a.body.position = ahead(a.body.position, -gap - depth, n);
    int count = find(&a, b, (zn_vec3){0, 0, 0}, 1e-3, 1e-3, c);
    place_contacts(&a, b, count, c, t);
    for (int i = 0; i < count; i++)
        there |= c[i].at.gap > -depth - 1e-13 && c[i].at.gap < -0.5 * depth;
    if (!there && !nearest(&a, b, 1e-6, &near))
        t->late++, complain(t, "inside, nothing holds of", count);
}

// False: they are in each other.
static bool judge_pose(const figure *a, const figure *b, double gap, zn_vec3 n, double depth, tally *t)
{
    static contact c[MOST];
    const double   slack = 1e-2;
    q_near         near;
    if (!nearest(a, b, gap, &near))
        return false;
    int   count = find(a, b, (zn_vec3){0, 0, 0}, 1e-3, slack, c);
    quad  length = quad_sqrt(near.square);
    q_vec d = q_sub(near.a, near.b);
    quad3 normal = quad_scale(1 / length, (quad3){d.x, d.y, d.z});
    bool  round = !a->mesh || (!b->mesh && !b->solid);
    quad  exact = length - (b->mesh || b->solid ? 0 : b->s.radius);
    place_contacts(a, b, count, c, t);
    judge_contacts(a, b, count, c, slack, t);
    judge_least(count, c, (double)exact, quad_round(normal), !near.inner && !round, t);
    if (fabs((double)exact - gap) < 1e-13) {
        judge_inside(*a, b, n, gap, 1e-7, t);
        judge_inside(*a, b, n, gap, depth, t);
    }
    return true;
}

// --- cylinders -----------------------------------------------------------------------------------

static rod rod_of(const figure *f)
{
    return (rod){zn_rigid_point(&f->body, f->s.at), zn_rigid_vector(&f->body, zn_cylinder_axis(&f->s)), f->s.radius,
                 f->s.length / 2};
}

// Is a triangle at least so far from the rod? Projections in turn come down to their distance; their difference is a
// direction. False: it is nearer, or it cannot be told.
static bool is_away(const rod *c, const zn_vec3 t[3], double gap)
{
    zn_vec3 y = zn_vec3_scale(1.0 / 3, zn_vec3_add(t[0], zn_vec3_add(t[1], t[2])));
    for (int i = 0; i < 300; i++) {
        zn_vec3 x = into_rod(c, y);
        y = onto_triangle(t, x);
        double high = zn_vec3_norm(zn_vec3_sub(x, y));
        if (high < gap)
            return false;
        if (rod_above(c, t, zn_vec3_scale(1 / high, zn_vec3_sub(x, y))) > gap + 1e-12)
            return true;
    }
    return false;
}

// Is no triangle of the mesh nearer to the cylinder than `exact`? Along n, from the cylinder to the mesh, those that
// touch it are that far from it.
static bool is_clear(const figure *a, const figure *b, zn_vec3 n, quad exact)
{
    rod   c = rod_of(b);
    quad3 up = quad_unit(quad_of(n));
    quad  top = quad_dot(up, farthest(b, up));
    for (int i = 0; i < a->mesh->triangles; i++) {
        const int *corner = &a->mesh->corner[3 * i];
        zn_vec3    t[3];
        quad       low = 1e30;
        for (int k = 0; k < 3; k++)
            t[k] = zn_rigid_point(&a->body, a->mesh->point[corner[k]]);
        double along = rod_above(&c, t, zn_vec3_scale(-1, n));
        if (along > (double)exact + 1e-12)
            continue;
        if (along < (double)exact - 1e-12) {
            if (!is_away(&c, t, (double)exact))
                return false;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            quad3 x = turned(&a->body.rotation, quad_of(a->mesh->point[corner[k]]), false);
            quad  up_to = quad_dot(up, quad_add(quad_of(a->body.position), x));
            low = up_to < low ? up_to : low;
        }
        if (low - top < exact - 1e-15)
            return false;
    }
    return true;
}

// In each other by so much along n: something holds them. Where that is less than what tells one plane from another
// (flush parts), a plane through the same place may.
static void judge_rod_inside(figure a, const figure *b, zn_vec3 n, double gap, double depth, tally *t)
{
    static contact c[MOST];
    bool           there = false;
    double         flush = 1e-9 * (b->s.radius + b->s.length), most = depth + (depth < flush ? flush : 1e-13);
    a.body.position = ahead(a.body.position, -gap - depth, n);
    int count = find(&a, b, (zn_vec3){0, 0, 0}, 1e-3, 1e-3, c);
    place_contacts(&a, b, count, c, t);
    for (int i = 0; i < count; i++)
        there |= c[i].at.gap > -most - t->loose && c[i].at.gap < -0.5 * depth;
    if (!there)
        t->late++, complain(t, "inside, nothing holds of", count);
}

// The points of the touches are the nearest ones, unless the pose is to be drawn again.
static bool judge_rod(const figure *a, const figure *b, quad3 x, quad3 y, zn_vec3 n, double depth, tally *t)
{
    static contact c[MOST];
    const double   slack = 1e-2;
    quad           exact = quad_norm(quad_sub(x, y));
    if (!is_clear(a, b, n, exact))
        return false;
    int count = find(a, b, (zn_vec3){0, 0, 0}, 1e-3, slack, c);
    place_contacts(a, b, count, c, t);
    judge_contacts(a, b, count, c, slack, t);
    judge_least(count, c, (double)exact, n, false, t);
    judge_rod_inside(*a, b, n, (double)exact, depth, t);
    return true;
}

static quad3 in_world(const figure *f, zn_vec3 own)
{
    return quad_add(quad_of(f->body.position), turned(&f->body.rotation, quad_of(own), false));
}

static void judge_plane(const figure *a, const figure *b, tally *t)
{
    static contact c[MOST];
    quad3          n = quad_unit(turned(&b->body.rotation, quad_of(b->s.normal), false));
    int            count = find(a, b, (zn_vec3){0, 0, 0}, 1e-3, 1e-2, c);
    place_contacts(a, b, count, c, t);
    judge_contacts(a, b, count, c, 1e-2, t);
    judge_least(count, c, (double)above(a, b, n), quad_round(n), false, t);
}

static void try_pose(zn_shape_kind first, zn_shape_kind second, long number, tally *t)
{
    uint64_t rng = (uint64_t)number * 1000003 + (uint64_t)(16 * first + second) * 0x9e3779b97f4a7c15u;
    t->poses++, t->number = number;
    for (int i = 0; i < 1000; i++) {
        figure a = draw_figure(first, &rng), b = draw_figure(second, &rng);
        touch  of_a = draw_touch(&a, &rng), of_b = draw_touch(&b, &rng);
        double about, gap = 1e-7 * (1 + 4 * part(&rng)); // a gap is a distance where it is nearly zero
        if (second == ZN_SHAPE_PLANE)                    // its farthest point
            of_a.x = quad_round(farthest_own(&a, quad_of(of_a.n)));
        else if (of_a.sharp + of_b.sharp > 2)
            continue;
        zn_vec3 n = figure_place(&a, &of_a, &b, &of_b, gap, number, &rng, &about);
        if (second == ZN_SHAPE_PLANE) {
            judge_plane(&a, &b, t);
            return;
        }
        bool round = !b.mesh && !b.solid; // see test_poses.c
        t->loose = round && about < 2e-6 ? 4 * about * about / (2 * b.s.radius) : 0;
        bool   ridges = of_a.sharp == 1 && of_b.sharp == 1; // deeper another normal is better
        double depth = ridges ? fmin(1e-7, 0.01 * sin(about) * sin(about)) : 1e-9;
        if (second == ZN_SHAPE_CYLINDER ? judge_rod(&a, &b, in_world(&a, of_a.x), in_world(&b, of_b.x), n, depth, t)
                                        : judge_pose(&a, &b, gap, n, depth, t))
            return;
    }
    complain(t, "no pose is found", 0);
}

static const pair pairs[] = {{ZN_SHAPE_MESH, ZN_SHAPE_SPHERE},  {ZN_SHAPE_MESH, ZN_SHAPE_BOX},
                             {ZN_SHAPE_MESH, ZN_SHAPE_PLANE},   {ZN_SHAPE_MESH, ZN_SHAPE_HULL},
                             {ZN_SHAPE_MESH, ZN_SHAPE_CAPSULE}, {ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER},
                             {ZN_SHAPE_MESH, ZN_SHAPE_MESH}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static void test_pairs(void **state)
{
    (void)state;
    for (int k = 0; k < PAIRS; k++)
        assert_int_equal(try_pair(&pairs[k], try_pose, 100, 0).wrong, 0);
}

// Poses that once were wrong.
static void test_known(void **state)
{
    static const known_pose known[] = {
        {{ZN_SHAPE_MESH, ZN_SHAPE_HULL}, 65160},      // ridges in each other far from where they cross
        {{ZN_SHAPE_MESH, ZN_SHAPE_HULL}, 60871},      // the same at a larger angle
        {{ZN_SHAPE_MESH, ZN_SHAPE_MESH}, 91059},      // the same
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER}, 29},     // a disc that lies on an edge does not go through it
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER}, 860},    // the rim of a disc nearly along an edge that leans away
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER}, 30497},  // the same, nearly flat
        {{ZN_SHAPE_MESH, ZN_SHAPE_HULL}, 838482},     // edges at 1e-5 that cross 8e-7 beside an end
        {{ZN_SHAPE_MESH, ZN_SHAPE_HULL}, 414178},     // a point behind a face, just below its sharp border: outside
        {{ZN_SHAPE_MESH, ZN_SHAPE_HULL}, 461655},     // the same the other way round
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER}, 193019}, // a disc flat under an edge so sharp that the chord is beside it
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER}, 547952}, // a rim along an edge, a plane through both holds it
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER},
         987140}, // a rim along an edge, left out because of a plane that holds nothing
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER}, 327089}, // an edge that ends between chord and rim, where another goes on
        {{ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER}, 357799}, // the same
    };
    (void)state;
    try_known(sizeof known / sizeof *known, known, try_pose);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return make_shapes(NULL) || campaign(PAIRS, pairs, try_pose, argc, argv) || drop_shapes(NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, make_shapes, drop_shapes);
}
