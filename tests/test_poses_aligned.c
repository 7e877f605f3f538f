// Convex shapes aligned with each other, as engineers build: faces flush, edges parallel, vertices and rims on each
// other, axes parallel or at right angles, exactly touching, at rest or sliding. Sizes are powers of two, shapes turned
// by right angles and halves of them; half of the scenes are turned and moved as a whole, so that all of it holds up to
// rounding. Along a direction n a point of each that is farthest is chosen, and these are put on each other: then the
// shapes are apart by the gap along n, and no nearer. Asked is
// - a contact with that gap where it is zero, and none that is closed where the shapes are not;
// - between flat solids that the contacts reach as far as what they share;
// - that what slides along n is still held, and caught by nothing;
// - that something as deep as the shapes holds them in each other, and is foreseen on the way there.
//
//     test_poses_aligned [PAIR|all [POSES [FIRST]]]     e.g. test_poses_aligned box-box 1000000
#include "pose_contacts.h"

enum { BOXES = 27, HULLS = 7, MESHES = 3, POINTS = 64, DIRECTIONS = 26 };

static zn_polyhedron *boxes[BOXES], *hulls[HULLS];
static sample         samples[MESHES];
static zn_mesh_shape *meshes[MESHES];

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0;
}

// Cube, octahedron, tetrahedron, roof, pyramid, prism of six sides, wedge.
static const struct {
    int     count;
    zn_vec3 x[12];
} corners[HULLS] = {
    {8,
     {{-.5, -.5, -.5},
      {.5, -.5, -.5},
      {-.5, .5, -.5},
      {.5, .5, -.5},
      {-.5, -.5, .5},
      {.5, -.5, .5},
      {-.5, .5, .5},
      {.5, .5, .5}}},
    {6, {{-.5, 0, 0}, {.5, 0, 0}, {0, -.5, 0}, {0, .5, 0}, {0, 0, -.5}, {0, 0, .5}}},
    {4, {{.5, .5, .5}, {-.5, -.5, .5}, {-.5, .5, -.5}, {.5, -.5, -.5}}},
    {6, {{-.5, -.5, 0}, {.5, -.5, 0}, {-.5, .5, 0}, {.5, .5, 0}, {-.5, 0, .5}, {.5, 0, .5}}},
    {5, {{-.5, -.5, 0}, {.5, -.5, 0}, {-.5, .5, 0}, {.5, .5, 0}, {0, 0, .5}}},
    {12,
     {{.5, 0, -.5},
      {.25, .5, -.5},
      {-.25, .5, -.5},
      {-.5, 0, -.5},
      {-.25, -.5, -.5},
      {.25, -.5, -.5},
      {.5, 0, .5},
      {.25, .5, .5},
      {-.25, .5, .5},
      {-.5, 0, .5},
      {-.25, -.5, .5},
      {.25, -.5, .5}}},
    {6, {{0, -.5, 0}, {1, -.5, 0}, {0, .5, 0}, {1, .5, 0}, {0, -.5, .5}, {0, .5, .5}}},
};

static int make_shapes(void **state)
{
    static const double half[3] = {0.25, 0.5, 1};
    const zn_mat3       same = zn_mat3_identity();
    const zn_vec3       origin = {0, 0, 0};
    const char         *why;
    (void)state;
    for (int i = 0; i < BOXES; i++)
        CHECK_OK(zn_polyhedron_box(origin, same, (zn_vec3){half[i % 3], half[i / 3 % 3], half[i / 9]}, &boxes[i]));
    for (int i = 0; i < HULLS; i++)
        CHECK_OK(zn_polyhedron_hull(origin, same, corners[i].count, corners[i].x, &hulls[i], &why));
    samples[0] = sample_slab(1, 1, 1, 1, 0.5, flat);
    samples[1] = sample_slab(4, 2, 1, 0.5, 1, flat);
    samples[2] = sample_slab(8, 8, 2, 2, 0.25, flat);
    for (int i = 0; i < MESHES; i++) {
        meshes[i] = sample_mesh(&samples[i]);
        assert_non_null(meshes[i]);
    }
    return 0;
}

static int drop_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < BOXES; i++)
        zn_polyhedron_destroy(boxes[i]);
    for (int i = 0; i < HULLS; i++)
        zn_polyhedron_destroy(hulls[i]);
    for (int i = 0; i < MESHES; i++) {
        zn_mesh_shape_destroy(meshes[i]);
        sample_clear(&samples[i]);
    }
    return 0;
}

// --- aligned shapes ------------------------------------------------------------------------------

static int pick(int count, uint64_t *rng) { return (int)(count * part(rng)); }

// A turn by right angles, sometimes by half of one.
static zn_mat3 turn_of(uint64_t *rng)
{
    zn_mat3 out = zn_mat3_identity();
    for (int i = 0; i < 3; i++) {
        int     quarters = pick(4, rng), j = (i + 1) % 3, k = (i + 2) % 3;
        zn_mat3 m = {{{0}}};
        double  c = quarters % 2 ? 0 : 1 - quarters, s = quarters % 2 ? 2 - quarters : 0;
        if (part(rng) < 0.15)
            c = s = sqrt(0.5);
        m.m[i][i] = 1, m.m[j][j] = m.m[k][k] = c, m.m[k][j] = s, m.m[j][k] = -s;
        out = zn_mat3_product(out, m);
    }
    return out;
}

static figure draw_figure(zn_shape_kind kind, uint64_t *rng)
{
    static const double size[4] = {0.25, 0.5, 1, 2};
    figure f = {.s = {.ops = zn_shape_ops_of(kind), .kind = kind, .name = "it", .axes = zn_mat3_identity()}};
    f.s.normal = (zn_vec3){0, 0, 1};
    f.s.radius = size[pick(2, rng)];
    f.s.length = size[pick(4, rng)];
    if (kind == ZN_SHAPE_CYLINDER && part(rng) < 0.1)
        f.s.length = 0;
    if (kind == ZN_SHAPE_BOX)
        f.s.data = f.solid = boxes[pick(BOXES, rng)];
    if (kind == ZN_SHAPE_HULL)
        f.s.data = f.solid = hulls[pick(HULLS, rng)];
    if (kind == ZN_SHAPE_MESH)
        f.s.data = f.mesh = meshes[pick(MESHES, rng)];
    f.body.rotation = turn_of(rng);
    return f;
}

// Along axes, and half way between two or three of them.
static zn_vec3 direction_of(int i)
{
    i = i >= 13 ? i + 1 : i;
    return unit((zn_vec3){i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1});
}

// --- farthest points -----------------------------------------------------------------------------

static int corners_of(const figure *f, const zn_vec3 **x)
{
    *x = f->solid ? f->solid->vertex : f->mesh ? f->mesh->point : NULL;
    return f->solid ? f->solid->vertices : f->mesh ? f->mesh->points : 0;
}

// Corners that are farthest along n, own axes.
static int farthest_corners(const figure *f, zn_vec3 n, zn_vec3 out[POINTS])
{
    const zn_vec3 *x;
    int            count = corners_of(f, &x), found = 0;
    double         most = -INFINITY;
    for (int i = 0; i < count; i++)
        most = fmax(most, zn_vec3_dot(n, x[i]));
    for (int i = 0; i < count; i++)
        if (zn_vec3_dot(n, x[i]) > most - 1e-12 && found < POINTS)
            out[found++] = x[i];
    return found;
}

// A farthest point of a cylinder or a capsule along n.
static zn_vec3 farthest_round(const figure *f, zn_vec3 n, uint64_t *rng)
{
    bool    cylinder = f->s.kind == ZN_SHAPE_CYLINDER;
    zn_vec3 u = zn_cylinder_axis(&f->s);
    double  up = zn_vec3_dot(u, n), along = fabs(up) > 1e-12 ? copysign(0.5, up) : 0.5 * (pick(5, rng) - 2) / 2;
    zn_vec3 x = ahead(f->s.at, along * f->s.length, u), side = cylinder ? ahead(n, -up, u) : n;
    if (!cylinder || zn_vec3_norm(side) > 1e-12)
        return ahead(x, f->s.radius / zn_vec3_norm(side), side);
    double angle = acos(-1.0) / 12 * pick(24, rng); // on a cap
    return ahead(ahead(x, f->s.radius * cos(angle) * pick(3, rng) / 2, (zn_vec3){1, 0, 0}),
                 f->s.radius * sin(angle) * pick(3, rng) / 2, (zn_vec3){0, 1, 0});
}

static zn_vec3 farthest_any(const figure *f, zn_vec3 n, uint64_t *rng)
{
    zn_vec3 x[POINTS], sum = {0, 0, 0};
    if (f->s.kind == ZN_SHAPE_PLANE)
        return (zn_vec3){0.25 * pick(4, rng), 0, 0};
    if (f->s.kind == ZN_SHAPE_SPHERE)
        return ahead(f->s.at, f->s.radius, n);
    int count = farthest_corners(f, n, x), kind = pick(3, rng);
    if (count == 0)
        return farthest_round(f, n, rng);
    if (kind < 2)
        return zn_vec3_scale(0.5, zn_vec3_add(x[pick(count, rng)], x[pick(count, rng)])); // often the same
    for (int i = 0; i < count; i++)
        sum = ahead(sum, 1.0 / count, x[i]);
    return sum;
}

// --- are they in each other? ---------------------------------------------------------------------

static zn_vec3 own(const figure *f, zn_vec3 n) { return zn_mat3_apply(zn_mat3_transpose(f->body.rotation), n); }

// n . x of the farthest point.
static double height(const figure *f, zn_vec3 n)
{
    const zn_vec3 *x;
    zn_vec3        m = own(f, n);
    double         most = -INFINITY, up = zn_vec3_dot(m, zn_cylinder_axis(&f->s)), half = f->s.length / 2;
    int            count = corners_of(f, &x);
    for (int i = 0; i < count; i++)
        most = fmax(most, zn_vec3_dot(m, x[i]));
    if (f->s.kind == ZN_SHAPE_PLANE)
        most = up > 1 - 1e-12 ? 0 : INFINITY;
    if (f->s.kind == ZN_SHAPE_SPHERE)
        most = f->s.radius;
    if (f->s.kind == ZN_SHAPE_CAPSULE)
        most = fabs(up) * half + f->s.radius;
    if (f->s.kind == ZN_SHAPE_CYLINDER)
        most = fabs(up) * half + f->s.radius * zn_vec3_norm(zn_vec3_cross(m, zn_cylinder_axis(&f->s)));
    return zn_vec3_dot(n, f->body.position) + most;
}

static double over(const figure *a, const figure *b, zn_vec3 n)
{
    return -height(a, zn_vec3_scale(-1, n)) - height(b, n);
}

// Directions of the edges of a figure in world axes, at most `most`, and of faces.
static int lines_of(const figure *f, int most, zn_vec3 *out)
{
    int count = 0;
    for (int i = 0; i < 3; i++)
        out[count++] = (zn_vec3){f->body.rotation.m[0][i], f->body.rotation.m[1][i], f->body.rotation.m[2][i]};
    for (int i = 0; f->solid && i < f->solid->edges && count < most; i++)
        out[count++] = zn_rigid_vector(&f->body, f->solid->edge[i].along);
    return count;
}

static void offer(const figure *a, const figure *b, zn_vec3 n, double *best)
{
    double length = zn_vec3_norm(n);
    if (!(length > 1e-9))
        return;
    n = zn_vec3_scale(1 / length, n);
    *best = fmax(*best, fmax(over(a, b, n), over(a, b, zn_vec3_scale(-1, n))));
}

// The largest of what they are apart along directions that shapes so aligned may have: negative, they are in each
// other.
static double apart(const figure *a, const figure *b, zn_vec3 n)
{
    enum { MOST_LINES = 40 };
    zn_vec3       of_a[MOST_LINES], of_b[MOST_LINES];
    const figure *f[2] = {a, b};
    int           lines_a = lines_of(a, MOST_LINES, of_a), lines_b = lines_of(b, MOST_LINES, of_b);
    double        best = -INFINITY;
    offer(a, b, n, &best);
    if (b->s.kind == ZN_SHAPE_PLANE)
        return best;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < DIRECTIONS; i++)
            offer(a, b, zn_rigid_vector(&f[k]->body, direction_of(i)), &best);
        for (int i = 0; f[k]->solid && i < f[k]->solid->faces; i++)
            offer(a, b, zn_rigid_vector(&f[k]->body, f[k]->solid->face[i].normal), &best);
    }
    for (int i = 0; i < lines_a; i++)
        for (int j = 0; j < lines_b; j++)
            offer(a, b, zn_vec3_cross(of_a[i], of_b[j]), &best);
    zn_vec3 d = zn_vec3_sub(a->body.position, b->body.position); // across axes
    for (int i = 0; i < lines_a; i++)
        offer(a, b, ahead(d, -zn_vec3_dot(d, of_a[i]), of_a[i]), &best);
    for (int i = 0; i < lines_b; i++)
        offer(a, b, ahead(d, -zn_vec3_dot(d, of_b[i]), of_b[i]), &best);
    return best;
}

// From the nearest point of b's core to that of a, where one of them is round: the direction that counts.
static bool are_inside(const figure *a, const figure *b, zn_vec3 n)
{
    if (apart(a, b, n) > -1e-8)
        return false;
    zn_vec3 v = zn_vec3_sub(a->body.position, b->body.position); // Gilbert's algorithm
    for (int i = 0; i < 200 && zn_vec3_norm(v) > 1e-9; i++) {
        zn_vec3 up = unit(v);
        if (over(a, b, up) > -1e-8)
            return false;
        zn_vec3 w = quad_round(quad_sub(farthest(a, quad_scale(-1, quad_of(up))), farthest(b, quad_of(up))));
        zn_vec3 d = zn_vec3_sub(w, v);
        double  square = zn_vec3_dot(d, d), t = square > 0 ? -zn_vec3_dot(v, d) / square : 0;
        if (!(t > 0))
            break;
        v = ahead(v, fmin(t, 1), d);
    }
    return true;
}

// --- judges --------------------------------------------------------------------------------------

static bool is_flat_solid(const figure *f) { return f->solid || f->s.kind == ZN_SHAPE_PLANE; }

// A pose with contacts that were found in it.
typedef struct scene {
    figure  a, b;
    zn_vec3 n;
    double  gap;
} scene;

static void judge_touch(const scene *s, int count, const contact *c, tally *t)
{
    double best = INFINITY;
    for (int i = 0; i < count; i++) {
        if (c[i].at.gap < -1e-13)
            complain(t, "a pair is inside, but the shapes are not, by", -c[i].at.gap);
        if (fabs(c[i].at.gap) < 1e-13 && best > 1e-13)
            best = fmin(best, unproved(&s->a, &s->b, &c[i]));
    }
    if (s->gap == 0 && !(best < 1e-13))
        complain(t, "no contact where they touch, of", count);
}

// Polygons of flat solids, clipped: the part of one that is inside of all sides of the other.
static int clip(int count, zn_vec3 *x, zn_vec3 side, double offset)
{
    zn_vec3 out[2 * POINTS];
    int     kept = 0;
    for (int i = 0; i < count; i++) {
        zn_vec3 p = x[i], q = x[(i + 1) % count];
        double  in = offset - zn_vec3_dot(side, p), next = offset - zn_vec3_dot(side, q);
        if (in >= 0)
            out[kept++] = p;
        if ((in > 0 && next < 0) || (in < 0 && next > 0))
            out[kept++] = ahead(p, in / (in - next), zn_vec3_sub(q, p));
    }
    memcpy(x, out, sizeof(zn_vec3) * (size_t)kept);
    return kept;
}

// Of the support of a solid along n (own axes), its border: in order around it.
static int border(const figure *f, zn_vec3 n, zn_vec3 x[POINTS])
{
    zn_vec3 m = own(f, n), centre = {0, 0, 0}, e[2];
    int     count = farthest_corners(f, m, x);
    double  angle[POINTS];
    for (int i = 0; i < count; i++) {
        x[i] = zn_rigid_point(&f->body, x[i]);
        centre = ahead(centre, 1.0 / count, x[i]);
    }
    e[0] = beside(n, fabs(n.x) < 0.6 ? (zn_vec3){1, 0, 0} : (zn_vec3){0, 1, 0});
    e[1] = zn_vec3_cross(n, e[0]);
    for (int i = 0; i < count; i++) {
        zn_vec3 d = zn_vec3_sub(x[i], centre);
        angle[i] = atan2(zn_vec3_dot(d, e[1]), zn_vec3_dot(d, e[0]));
        for (int k = i; k > 0 && angle[k] < angle[k - 1]; k--) {
            zn_vec3 y = x[k];
            double  b = angle[k];
            x[k] = x[k - 1], angle[k] = angle[k - 1];
            x[k - 1] = y, angle[k - 1] = b;
        }
    }
    return count;
}

// What two flat solids share, and whether contacts reach as far along every direction.
static void judge_shared(const scene *s, int count, const contact *c, tally *t)
{
    zn_vec3 x[2 * POINTS], y[POINTS], down = zn_vec3_scale(-1, s->n);
    int     shared = border(&s->a, down, x), sides = s->b.solid ? border(&s->b, s->n, y) : 0;
    if (s->gap != 0 || shared < 3 || sides == 1 || sides == 2)
        return;
    for (int i = 0; i < sides && shared > 0; i++) {
        zn_vec3 out = unit(zn_vec3_cross(zn_vec3_sub(y[(i + 1) % sides], y[i]), s->n));
        shared = clip(shared, x, out, zn_vec3_dot(out, y[i]) + 1e-12);
    }
    for (int i = 0; i < shared; i++) {
        double least = INFINITY;
        for (int k = 0; k < count; k++)
            if (fabs(c[k].at.gap) < 1e-12 && zn_vec3_dot(c[k].at.normal, s->n) > 1 - 1e-12)
                least = fmin(least, zn_vec3_norm(zn_vec3_sub(c[k].at.point, x[i])));
        if (!(least < 1e-9))
            complain(t, "a corner of what they share has no contact, the next is at", least);
    }
}

static void judge_pose(const scene *s, tally *t)
{
    static contact c[MOST];
    int            count = find(&s->a, &s->b, (zn_vec3){0, 0, 0}, 1e-3, 0.02, c);
    place_contacts(&s->a, &s->b, count, c, t);
    judge_contacts(&s->a, &s->b, count, c, 0.02, t);
    judge_touch(s, count, c, t);
    if (is_flat_solid(&s->a) && is_flat_solid(&s->b))
        judge_shared(s, count, c, t);
}

// Is n the normal of a face or cap, out of the figure?
static bool is_of_face(const figure *f, zn_vec3 n)
{
    zn_vec3 m = own(f, n);
    for (int i = 0; f->solid && i < f->solid->faces; i++)
        if (zn_vec3_dot(m, f->solid->face[i].normal) > 1 - 1e-12)
            return true;
    for (int i = 0; f->mesh && i < f->mesh->faces; i++)
        if (zn_vec3_dot(m, f->mesh->plane[i].normal) > 1 - 1e-12)
            return true;
    return f->s.kind == ZN_SHAPE_PLANE ||
           (f->s.kind == ZN_SHAPE_CYLINDER && fabs(zn_vec3_dot(m, zn_cylinder_axis(&f->s))) > 1 - 1e-12);
}

// Sliding across n: what touches is still held. Along a face nothing is in the way; at ridges and corners it may be
// what would hold it a moment later.
static void judge_slide(const scene *s, uint64_t *rng, tally *t)
{
    static contact c[MOST];
    zn_vec3 way = part(rng) < 0.5 ? beside(s->n, direction_of(pick(DIRECTIONS, rng))) : beside(s->n, direction(rng));
    double  best = INFINITY;
    if (!(fabs(zn_vec3_dot(way, s->n)) < 1e-9)) // along an axis
        return;
    bool along_face = is_of_face(&s->a, zn_vec3_scale(-1, s->n)) || is_of_face(&s->b, s->n);
    int  resting = find(&s->a, &s->b, (zn_vec3){0, 0, 0}, 1e-2, 1e-3, c), rests = 0;
    place_contacts(&s->a, &s->b, resting, c, t);
    for (int i = 0; i < resting; i++) // of a cap: not on the sliver between its rim and the chords
        rests += fabs(c[i].at.gap) < 1e-13 && zn_vec3_dot(c[i].at.normal, s->n) > 1 - 1e-9;
    int count = find(&s->a, &s->b, way, 1e-2, 1e-3, c);
    place_contacts(&s->a, &s->b, count, c, t);
    for (int i = 0; i < count; i++) {
        if (fabs(c[i].at.gap) > 1e-13)
            continue;
        best = best > 1e-13 ? fmin(best, unproved(&s->a, &s->b, &c[i])) : best;
        if (along_face && zn_vec3_dot(c[i].at.normal, way) < -1e-6)
            complain(t, "caught while it slides, at", zn_vec3_dot(c[i].at.normal, way));
    }
    figure then = s->a;
    then.body.position = ahead(ahead(then.body.position, 1e-3, way), -1e-4, s->n);
    if (rests > 0 && along_face && !(best < 1e-13) && are_inside(&then, &s->b, s->n))
        complain(t, "not held while it slides, of", count);
}

// In each other by so much along n.
static void judge_inside(const scene *s, double depth, tally *t)
{
    static contact c[MOST];
    scene          in = *s;
    double         off = INFINITY;
    in.a.body.position = ahead(s->a.body.position, -depth, s->n);
    if (!are_inside(&in.a, &in.b, s->n))
        return;
    int count = find(&in.a, &in.b, (zn_vec3){0, 0, 0}, 1e-3, 1e-3, c);
    place_contacts(&in.a, &in.b, count, c, t);
    for (int i = 0; i < count; i++)
        if (c[i].at.gap > -2 * depth) // above zero: they are apart after all
            off = fmin(off, unproved(&in.a, &in.b, &c[i]));
    if (!(off < 1e-13))
        complain(t, "inside, nothing holds, by", off);
}

// Coming along n or askew.
static void judge_way(const scene *s, uint64_t *rng, tally *t)
{
    static contact c[MOST];
    scene          from = *s;
    zn_vec3        way = part(rng) < 0.5 ? zn_vec3_scale(-1, s->n) : direction(rng);
    double         zero = INFINITY;
    if (zn_vec3_dot(way, s->n) > 0)
        way = zn_vec3_scale(-1, way);
    from.a.body.position = ahead(s->a.body.position, 1e-4, way);
    if (zn_vec3_dot(way, s->n) > -0.05 || !are_inside(&from.a, &from.b, s->n))
        return;
    from.a.body.position = ahead(s->a.body.position, -0.03, way);
    int count = find(&from.a, &from.b, way, 0.031, 1e-5, c);
    place_contacts(&s->a, &s->b, count, c, t);
    for (int i = 0; i < count; i++)
        zero = fmin(zero, fabs(c[i].at.gap));
    if (!(zero < 2e-9))
        t->late++, complain(t, "what touches then is not foreseen, the least is", zero);
}

// --- poses ---------------------------------------------------------------------------------------

static zn_vec3 draw_normal(const figure *a, const figure *b, uint64_t *rng)
{
    const figure *of = part(rng) < 0.5 ? a : b;
    zn_vec3       n = direction_of(pick(DIRECTIONS, rng));
    if (b->s.kind == ZN_SHAPE_PLANE)
        return zn_rigid_vector(&b->body, b->s.normal);
    if (part(rng) < 0.6)
        n = direction_of((int[]){4, 10, 12, 13, 15, 21}[pick(6, rng)]); // an axis
    if (of->solid && part(rng) < 0.5)
        n = of->solid->face[pick(of->solid->faces, rng)].normal;
    n = zn_rigid_vector(&of->body, n);
    return of == a ? zn_vec3_scale(-1, n) : n;
}

static void turn_all(scene *s, uint64_t *rng)
{
    zn_mat3 R = zn_quat_matrix(rotation(rng));
    zn_vec3 x = direction(rng);
    figure *f[2] = {&s->a, &s->b};
    for (int i = 0; i < 2; i++) {
        f[i]->body.rotation = orthogonal(zn_mat3_product(R, f[i]->body.rotation));
        f[i]->body.position = zn_vec3_add(x, zn_mat3_apply(R, f[i]->body.position));
    }
    s->n = zn_mat3_apply(R, s->n);
}

static void try_pose(zn_shape_kind first, zn_shape_kind second, long number, tally *t)
{
    uint64_t rng = (uint64_t)number * 1000003 + (uint64_t)(16 * first + second) * 0x9e3779b97f4a7c15u;
    scene    s = {.a = draw_figure(first, &rng), .b = draw_figure(second, &rng)};
    s.n = draw_normal(&s.a, &s.b, &rng);
    t->poses++, t->number = number;
    zn_vec3 on_a = farthest_any(&s.a, own(&s.a, zn_vec3_scale(-1, s.n)), &rng);
    zn_vec3 on_b = farthest_any(&s.b, own(&s.b, s.n), &rng);
    s.gap = part(&rng) < 0.7 ? 0 : part(&rng) < 0.5 ? 0.0078125 : 1e-6;
    s.a.body.position =
        zn_vec3_sub(ahead(zn_rigid_point(&s.b.body, on_b), s.gap, s.n), zn_mat3_apply(s.a.body.rotation, on_a));
    if (part(&rng) < 0.5)
        turn_all(&s, &rng);
    judge_pose(&s, t);
    bool discs = s.a.s.kind == ZN_SHAPE_CYLINDER && s.b.s.kind == ZN_SHAPE_CYLINDER && s.a.s.length + s.b.s.length == 0;
    if (s.gap != 0)
        return;
    judge_slide(&s, &rng, t);
    if (!discs) // these are on each other's other side
        judge_inside(&s, 1e-4 * pow(10, -3 * part(&rng)), t);
    judge_way(&s, &rng, t);
}

static const pair pairs[] = {
    {ZN_SHAPE_BOX, ZN_SHAPE_SPHERE},        {ZN_SHAPE_BOX, ZN_SHAPE_BOX},         {ZN_SHAPE_SPHERE, ZN_SHAPE_PLANE},
    {ZN_SHAPE_BOX, ZN_SHAPE_PLANE},         {ZN_SHAPE_CAPSULE, ZN_SHAPE_SPHERE},  {ZN_SHAPE_CAPSULE, ZN_SHAPE_BOX},
    {ZN_SHAPE_CAPSULE, ZN_SHAPE_PLANE},     {ZN_SHAPE_CAPSULE, ZN_SHAPE_CAPSULE}, {ZN_SHAPE_CYLINDER, ZN_SHAPE_SPHERE},
    {ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX},      {ZN_SHAPE_CYLINDER, ZN_SHAPE_PLANE},  {ZN_SHAPE_CYLINDER, ZN_SHAPE_CAPSULE},
    {ZN_SHAPE_CYLINDER, ZN_SHAPE_CYLINDER}, {ZN_SHAPE_HULL, ZN_SHAPE_SPHERE},     {ZN_SHAPE_HULL, ZN_SHAPE_BOX},
    {ZN_SHAPE_HULL, ZN_SHAPE_PLANE},        {ZN_SHAPE_HULL, ZN_SHAPE_CAPSULE},    {ZN_SHAPE_HULL, ZN_SHAPE_CYLINDER},
    {ZN_SHAPE_HULL, ZN_SHAPE_HULL},         {ZN_SHAPE_MESH, ZN_SHAPE_SPHERE},     {ZN_SHAPE_MESH, ZN_SHAPE_BOX},
    {ZN_SHAPE_MESH, ZN_SHAPE_PLANE},        {ZN_SHAPE_MESH, ZN_SHAPE_HULL},       {ZN_SHAPE_MESH, ZN_SHAPE_CAPSULE},
    {ZN_SHAPE_MESH, ZN_SHAPE_CYLINDER},     {ZN_SHAPE_MESH, ZN_SHAPE_MESH},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static void test_pairs(void **state)
{
    (void)state;
    for (int k = 0; k < PAIRS; k++)
        assert_int_equal(try_pair(&pairs[k], try_pose, 200, 0).wrong, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return make_shapes(NULL) || campaign(PAIRS, pairs, try_pose, argc, argv) || drop_shapes(NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, make_shapes, drop_shapes);
}
