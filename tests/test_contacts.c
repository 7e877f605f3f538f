// Contacts: rows and curvature against finite differences, contacts that come and go keep their results by id, and a
// contact of several nodes runs through the schemes like any other.
#include "contact_derivatives.h"

#include "base/array.h"
#include "model/attachment.h"
#include "system/system.h"

static const zn_node_kind kinds[] = {ZN_POINT2, ZN_FRAME2, ZN_POINT3, ZN_FRAME3};

// Every rule of a test's own goes through here.
static void add_rule(zn_model *model, const char *name, const zn_contact_ops *ops, int contacts, const void *parameter,
                     size_t size)
{
    CHECK_OK(zn_model_add_contact_rule(model, name, ops, contacts, parameter, size));
}

// --- point on a plane ----------------------------------------------------------------------------

// A node with two carried points against a skew plane; fixed where no element gives it mass.
static fixture make_on_plane(zn_node_kind kind, double radius)
{
    bool        planar = kind == ZN_POINT2 || kind == ZN_FRAME2;
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_node_def node = zn_node_def_default();
    zn_body_def body = zn_body_def_default();
    zn_node_id  id = {0};
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    node.kind = kind;
    node.origin = zn_vec3_make(1, 2, 0);
    node.position = zn_vec3_make(0.5, 2.5, planar ? 0 : 1);
    node.angle = 0.4;
    node.rotation = zn_so3_exp(zn_vec3_make(-0.4, 0.7, 0.2));
    node.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &node, &id));
    for (int i = 0; i < 2; i++) {
        zn_contact_def contact = zn_contact_def_default();
        contact.point.node = id;
        if (zn_node_rotates(kind))
            contact.point.at = zn_vec3_make(0.3 - i, 0.6, planar ? 0 : -0.5);
        contact.normal = zn_vec3_make(3, i ? -1 : 4, planar ? 0 : 12); // any length
        contact.through = zn_vec3_make(0.1, -0.2, 0);
        contact.restitution = 0.25 + 0.5 * i;
        contact.friction = 0.3 * i; // rows of different number side by side
        contact.radius = radius * i;
        CHECK_OK(zn_model_add_contact(model, &contact));
    }
    return compile_fixture(model);
}

static void check_derivatives(const zn_system *sys, uint64_t seed)
{
    check_contact_derivatives(sys, seed, 1, true, 1e-10);
}

static void test_point_plane(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool planar = kinds[k] == ZN_POINT2 || kinds[k] == ZN_FRAME2;
        for (int round = 0; round < 2; round++) {
            fixture f = make_on_plane(kinds[k], round ? 0.2 : 0);
            check_contact_derivatives(f.sys, 21 + k, 1, planar || !round, 1e-10);
            destroy_fixture(&f);
        }
    }
}

// Gap and law by hand: the distance to the plane, whatever the length of the normal.
static void test_gap_value(void **state)
{
    (void)state;
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_node_id  id;
    body.mass = body.inertia = 1;
    body.position = zn_vec3_make(2, 3, 0);
    body.angle = 3.14159265358979323846 / 2;
    CHECK_OK(zn_model_add_body(model, &body, &id));
    zn_contact_def contact = zn_contact_def_default();
    contact.name = "wall";
    contact.point = (zn_attachment){id, {1, 0, 0}}; // at (2, 4) in the world
    contact.normal = zn_vec3_make(30, 40, 0);
    contact.through = zn_vec3_make(1, 1, 0);
    contact.restitution = 0.75;
    CHECK_OK(zn_model_add_contact(model, &contact));
    fixture   f = compile_fixture(model);
    zn_state *s = NULL;
    CHECK_OK(zn_state_create(f.sys, &s));
    assert_int_equal(s->contacts->count, 1);
    CHECK_NEAR(s->contacts->gap[0], 0.6 * 1 + 0.8 * 3, 1e-15);
    CHECK_NEAR(s->contacts->restitution[0], 0.75, 0);
    assert_string_equal(zn_contact_name(f.sys, s->contacts->id[0]), "wall");
    assert_string_equal(zn_contact_name(f.sys, zn_contact_id_none()), "");
    assert_string_equal(zn_contact_name(f.sys, zn_contact_id_make(7, 0, 0)), "");
    zn_state_destroy(s);
    destroy_fixture(&f);
}

// --- a rule whose contacts come and go -----------------------------------------------------------

// Posts at x = 0, 1, 2, ...: post i is near while |x - i| < reach; its gap is y.
typedef struct fence {
    zn_attachment point;
    int           posts;
    double        reach;
    double        restitution, per_post; ///< of post i: restitution + i per_post
} fence;

static zn_status fence_detect(const void *rule, const zn_layout *layout, const double *q, double t,
                              zn_contact_list *out)
{
    (void)t;
    const fence *f = rule;
    double       x = zn_attachment_position(layout, &f->point, q).x;
    assert_true(out->capacity >= f->posts);
    for (int i = 0; i < f->posts; i++)
        if (fabs(x - i) < f->reach)
            out->number[out->count++] = i;
    return ZN_OK;
}

static zn_status fence_evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                double t, zn_contact_product *out)
{
    (void)t;
    const fence *f = rule;
    zn_vec3      up = {0, 1, 0};
    out->gap = zn_attachment_position(layout, &f->point, q).y;
    out->restitution = f->restitution + f->per_post * (double)key.number;
    if (out->dof)
        out->entries = zn_attachment_row(layout, &f->point, q, up, out->dof, out->value);
    return ZN_OK;
}

static zn_status fence_curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                 double t, const double *lambda, const double *x, double *y)
{
    (void)rule, (void)layout, (void)key, (void)q, (void)t, (void)lambda, (void)x, (void)y;
    return ZN_OK;
}

static const zn_contact_ops fence_ops = {
    .name = "fence",
    .max_entries = ZN_ATTACHMENT_DOFS,
    .detect = fence_detect,
    .evaluate = fence_evaluate,
    .curvature = fence_curvature,
};

// A ball between a fence, a plane (always there) and a second fence.
static fixture make_fences(void)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def ball = zn_body_def_default();
    zn_node_id  id;
    ball.mass = 1;
    ball.position = zn_vec3_make(0, 1, 0);
    CHECK_OK(zn_model_add_body(model, &ball, &id));
    fence first = {.point.node = id, .posts = 6, .reach = 1.5, .per_post = 0.01}, second = first;
    second.posts = 20;
    second.reach = 2.1;
    add_rule(model, "first", &fence_ops, first.posts, &first, sizeof first);
    add_plane(model, "plane", id, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0.5);
    add_rule(model, "second", &fence_ops, second.posts, &second, sizeof second);
    return compile_fixture(model);
}

// A result that belongs to one id alone: visit counts how long the contact has been there without a break.
static double mark(zn_contact_id id, int visit, int kind)
{
    return zn_contact_id_rule(id) * 1e4 + (double)zn_contact_id_number(id) * 1e2 + visit + 0.1 * kind;
}

static void test_come_and_go(void **state)
{
    (void)state;
    fixture         f = make_fences();
    zn_contact_set *set = NULL, *copy = NULL;
    int             visits[3][32] = {{0}};
    int             seen_new = 0, seen_gone = 0, seen_back = 0;
    bool            ever[3][32] = {{0}};
    uint64_t        seed = 31;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_create(f.sys, &copy));
    assert_int_equal(set->capacity, 27);
    for (int step = 0; step < 400; step++) {
        double x = step % 50 == 49 ? 1000 : 8 + 12 * random_unit(&seed), q[2] = {x, 1};
        CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
        int expected = 0, k = 0;
        for (int rule = 0; rule < 3; rule++)
            for (int i = 0; i < (rule == 0 ? 6 : rule == 1 ? 1 : 20); i++) {
                bool near = rule == 1 || fabs(x - i) < (rule == 0 ? 1.5 : 2.1);
                int *visit = &visits[rule][i];
                seen_gone += *visit > 0 && !near;
                if (!near) {
                    *visit = 0;
                    continue;
                }
                expected++;
                assert_true(k < set->count);
                zn_contact_id id = zn_contact_id_make(rule, i, 0); // sorted: the next one must be this
                assert_true(zn_contact_id_same(set->id[k], id));
                seen_new += *visit == 0;
                seen_back += *visit == 0 && ever[rule][i];
                ever[rule][i] = true;
                CHECK_NEAR(set->impulse[k], *visit ? mark(id, *visit, 0) : 0, 0);
                CHECK_NEAR(set->velocity[k], *visit ? mark(id, *visit, 1) : 0, 0);
                CHECK_NEAR(set->projection[k], *visit ? mark(id, *visit, 2) : 0, 0);
                CHECK_NEAR(set->approach[k], *visit ? mark(id, *visit, 3) : 0, 0);
                CHECK_NEAR(set->restitution[k], rule == 1 ? 0.5 : 0.01 * i, 0); // evaluated for this number
                ++*visit;
                set->impulse[k] = mark(id, *visit, 0);
                set->velocity[k] = mark(id, *visit, 1);
                set->projection[k] = mark(id, *visit, 2);
                set->approach[k] = mark(id, *visit, 3);
                k++;
            }
        assert_int_equal(set->count, expected);
        zn_contact_set_copy(set, copy);
        zn_contact_set *last = set; // a copy is as good as the set itself
        set = copy;
        copy = last;
    }
    assert_true(seen_new > 50 && seen_gone > 50 && seen_back > 20);
    zn_contact_set_destroy(set);
    zn_contact_set_destroy(copy);
    destroy_fixture(&f);
}

static zn_sim *start_sim(const zn_system *sys, const char *scheme, double h, double until)
{
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.scheme.scheme = scheme;
    def.step = h;
    def.until = until;
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    return sim;
}

// A ball bounces along a row of posts, one near at a time, as it would on a plane.
static void test_bounce_along_fence(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection"};
    for (int s = 0; s < 2; s++) {
        fixture f[2];
        zn_sim *sim[2];
        for (int k = 0; k < 2; k++) {
            zn_model   *model = make_model(true, zn_vec3_make(0, -2, 0), NULL);
            zn_body_def ball = zn_body_def_default();
            zn_node_id  id;
            ball.mass = 1;
            ball.position = zn_vec3_make(0.123, 1, 0);
            ball.velocity = zn_vec3_make(3.7, 0, 0);
            CHECK_OK(zn_model_add_body(model, &ball, &id));
            fence posts = {.point.node = id, .posts = 20, .reach = 0.5, .restitution = 0.5};
            if (k == 0)
                add_plane(model, "plane", id, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0.5);
            else
                add_rule(model, "posts", &fence_ops, posts.posts, &posts, sizeof posts);
            f[k] = compile_fixture(model);
            sim[k] = start_sim(f[k].sys, schemes[s], 1e-2, 4);
        }
        int64_t first = -1, last = -1;
        for (int step = 0; step < 400; step++) {
            CHECK_OK(zn_sim_step(sim[0]));
            CHECK_OK(zn_sim_step(sim[1]));
            const zn_state *plane = zn_sim_state(sim[0]), *posts = zn_sim_state(sim[1]);
            for (int i = 0; i < 2; i++) {
                CHECK_NEAR(posts->q[i], plane->q[i], 1e-12);
                CHECK_NEAR(posts->v[i], plane->v[i], 1e-12);
            }
            assert_int_equal(posts->contacts->count, 1);
            last = zn_contact_id_number(posts->contacts->id[0]);
            first = first < 0 ? last : first;
        }
        assert_true(last - first > 10);
        zn_sim_destroy(sim[0]);
        zn_sim_destroy(sim[1]);
        destroy_fixture(&f[0]);
        destroy_fixture(&f[1]);
    }
}

// --- a rule whose contacts have features -----------------------------------------------------------

// Posts as before, with the largest numbers there are and up to three edges each, more of them the nearer it is. The
// edge lifts the gap, so that it is seen to arrive.
enum { COMB_POSTS = 8, COMB_EDGES = 3 };

static const int64_t comb_first = ((int64_t)1 << ZN_CONTACT_NUMBER_BITS) - COMB_POSTS;
static const int64_t comb_edge[COMB_EDGES] = {0, 7, (int64_t)3 << 50};

static int comb_edges_near(double x, int post) { return (int)fmax(0, COMB_EDGES - floor(fabs(x - post))); }

static zn_status comb_detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    double x = zn_attachment_position(layout, rule, q).x;
    for (int i = 0; i < COMB_POSTS; i++)
        for (int e = 0; e < comb_edges_near(x, i); e++) {
            ZN_TRY(zn_contact_list_room(out));
            out->number[out->count] = comb_first + i;
            out->feature[out->count++] = comb_edge[e];
        }
    return ZN_OK;
}

static zn_status comb_evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                               zn_contact_product *out)
{
    (void)t;
    out->gap = zn_attachment_position(layout, rule, q).y + (double)(key.number - comb_first);
    for (int e = 1; e < COMB_EDGES; e++)
        out->gap += key.feature == comb_edge[e] ? 0.25 * e : 0;
    if (out->dof)
        out->entries = zn_attachment_row(layout, rule, q, zn_vec3_make(0, 1, 0), out->dof, out->value);
    return ZN_OK;
}

static bool comb_knows(const void *rule, zn_contact_key key)
{
    (void)rule;
    bool edge = false;
    for (int e = 0; e < COMB_EDGES; e++)
        edge |= key.feature == comb_edge[e];
    return edge && key.number >= comb_first;
}

static const zn_contact_ops comb_ops = {
    .name = "comb",
    .max_entries = ZN_ATTACHMENT_DOFS,
    .detect = comb_detect,
    .knows = comb_knows,
    .evaluate = comb_evaluate,
    .curvature = fence_curvature,
};

// A ball, a plane, and a comb as rule 1 that makes no room at first.
static fixture make_comb(void)
{
    zn_model     *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def   ball = zn_body_def_default();
    zn_attachment point = {0};
    ball.mass = 1;
    CHECK_OK(zn_model_add_body(model, &ball, &point.node));
    add_plane(model, "plane", point.node, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0.5);
    CHECK_OK(zn_model_add_contact_rule(model, "comb", &comb_ops, comb_first + COMB_POSTS, &point, sizeof point));
    model->rule[1].room = 0;
    model->rule[1].grows = true;
    return compile_fixture(model);
}

static void test_features(void **state)
{
    (void)state;
    fixture         f = make_comb();
    zn_contact_set *set = NULL;
    int             visits[COMB_POSTS][COMB_EDGES] = {{0}}, stayed = 0;
    uint64_t        seed = 7;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    for (int step = 0; step < 200; step++) {
        double q[2] = {10 * random_unit(&seed) - 1, 1};
        CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
        int k = 1; // after the plane
        for (int i = 0; i < COMB_POSTS; i++)
            for (int e = 0; e < COMB_EDGES; e++) {
                int *visit = &visits[i][e];
                if (e >= comb_edges_near(q[0], i)) {
                    *visit = 0;
                    continue;
                }
                assert_true(k < set->count);
                assert_true(zn_contact_id_same(set->id[k], zn_contact_id_make(1, comb_first + i, comb_edge[e])));
                CHECK_NEAR(set->gap[k], 1 + i + 0.25 * e, 1e-15);
                CHECK_NEAR(set->impulse[k], *visit > 0 ? 100 * i + 10 * e + *visit : 0, 0);
                stayed += *visit > 0;
                ++*visit;
                set->impulse[k++] = 100 * i + 10 * e + *visit;
            }
        assert_int_equal(set->count, k);
    }
    assert_true(stayed > 100);
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// The bytes of a checkpoint hold the id of contact i from word 4 on; one that no rule knows, or a second time, is
// refused.
static void test_damaged_ids(void **state)
{
    (void)state;
    const struct {
        int     word;
        int64_t value;
    } wrong[] = {{0, 8},
                 {0, -1},
                 {1, comb_edge[2]},
                 {1, 8},
                 {1, -1},
                 {2, -1},
                 {2, (int64_t)2 << 40},
                 {3, comb_edge[1]},
                 {3, 1},
                 {2, ((int64_t)1 << 40) + comb_first - 1}};
    fixture         f = make_comb();
    zn_contact_set *set = NULL, *copy = NULL;
    zn_blob         blob = {0};
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_create(f.sys, &copy));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, (double[2]){0, 1}, 0));
    assert_int_equal(set->count, 1 + 3 + 2 + 1);
    zn_blob_begin_saving(&blob);
    CHECK_OK(zn_contact_set_exchange(set, f.sys, &blob));
    int64_t *id = (int64_t *)(void *)blob.data + 4;
    assert_memory_equal(id, set->id, sizeof *set->id * (size_t)set->count);
    for (int k = -1; k < (int)ZN_COUNT(wrong); k++) {
        int64_t good = k < 0 ? 0 : id[wrong[k].word];
        if (k >= 0)
            id[wrong[k].word] = wrong[k].value;
        zn_blob from = zn_blob_of(blob.data, blob.size);
        CHECK_STATUS(zn_contact_set_exchange(copy, f.sys, &from), k < 0 ? ZN_OK : ZN_ERR_ARGUMENT);
        if (k >= 0)
            id[wrong[k].word] = good;
    }
    zn_blob_free(&blob);
    zn_contact_set_destroy(set);
    zn_contact_set_destroy(copy);
    destroy_fixture(&f);
}

// --- a contact of several nodes ------------------------------------------------------------------

// The midpoint of two points against y >= 0: gap (y1 + y2) / 2, row [J1' n; J2' n] / 2.
typedef struct midpoint {
    zn_attachment point[2];
    double        restitution;
} midpoint;

static zn_status midpoint_evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                   double t, zn_contact_product *out)
{
    (void)key, (void)t;
    const midpoint *m = rule;
    zn_vec3         half = {0, 0.5, 0};
    out->gap = 0;
    out->restitution = m->restitution;
    out->entries = 0;
    for (int i = 0; i < 2; i++) {
        out->gap += zn_vec3_dot(half, zn_attachment_position(layout, &m->point[i], q));
        if (out->dof)
            out->entries +=
                zn_attachment_row(layout, &m->point[i], q, half, out->dof + out->entries, out->value + out->entries);
    }
    return ZN_OK;
}

static zn_status midpoint_curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                    double t, const double *lambda, const double *x, double *y)
{
    (void)key, (void)t;
    const midpoint *m = rule;
    for (int i = 0; i < 2; i++) {
        int     dof[ZN_ATTACHMENT_DOFS];
        zn_mat3 S = zn_attachment_curvature(layout, &m->point[i], q, zn_vec3_make(0, 0.5, 0));
        zn_attachment_dofs(layout, &m->point[i], dof);
        if (dof[5] >= 0)
            y[dof[5]] += *lambda * S.m[2][2] * x[dof[5]];
    }
    return ZN_OK;
}

static const zn_contact_ops midpoint_ops = {
    .name = "midpoint on plane",
    .max_entries = 2 * ZN_ATTACHMENT_DOFS,
    .evaluate = midpoint_evaluate,
    .curvature = midpoint_curvature,
};

// Two masses above the ground, gravity (0, -2), their midpoint must stay above y = 0.
static fixture make_midpoint(double first, double second, double inertia, double e)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, -2, 0), NULL);
    zn_body_def body = zn_body_def_default();
    midpoint    rule = {.restitution = e};
    for (int i = 0; i < 2; i++) {
        body.mass = i ? second : first;
        body.inertia = inertia;
        body.position = zn_vec3_make(i, 1, 0);
        CHECK_OK(zn_model_add_body(model, &body, &rule.point[i].node));
        if (inertia > 0)
            rule.point[i].at = zn_vec3_make(0.3, 0.2 * i, 0);
    }
    add_rule(model, "midpoint", &midpoint_ops, 1, &rule, sizeof rule);
    return compile_fixture(model);
}

static void test_midpoint_rows(void **state)
{
    (void)state;
    fixture f = make_midpoint(1, 2, 0.5, 0);
    check_derivatives(f.sys, 41);
    destroy_fixture(&f);
}

// Ball dropped from 1 m at g = 2 with e = 1/2: impacts at t = 1, 2, 2.5, 2.75 ... at rest from t = 3 on.
static double ball_height(double t)
{
    double start = 1, v = 1; // after the first impact
    if (t < 1)
        return 1 - t * t;
    while (v > 1e-12 && t - start > v) { // one flight lasts 2 v / g = v
        start += v;
        v /= 2;
    }
    return v > 1e-12 ? v * (t - start) - (t - start) * (t - start) : 0;
}

// Equal masses fall and bounce together as one ball of twice the mass.
static void test_midpoint_bounces(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection"};
    const double             h = 1e-3, until = 3.5;
    for (int s = 0; s < 2; s++) {
        fixture pair = make_midpoint(1.5, 1.5, 0, 0.5), ball = make_ball(0.5);
        zn_sim *two = start_sim(pair.sys, schemes[s], h, until), *one = start_sim(ball.sys, schemes[s], h, until);
        double  worst = 0, impulse = 0;
        for (int k = 1; k <= 3500; k++) {
            CHECK_OK(zn_sim_step(two));
            CHECK_OK(zn_sim_step(one));
            const zn_state *a = zn_sim_state(two), *b = zn_sim_state(one);
            int             y = ball.sys->coordinate_dof[1]; // dof of the ball's height
            CHECK_NEAR(a->q[1], a->q[3], 1e-14);             // together
            CHECK_NEAR(a->q[1], b->q[1], 1e-11);             // as the reduced ball does
            CHECK_NEAR(a->v[1], b->v[y], 1e-11);
            CHECK_NEAR(a->contacts->impulse[0], 3 * b->contacts->impulse[0], 1e-11); // mass 3 against 1
            double off = fabs(a->q[1] - ball_height(k * h));
            worst = off > worst || isnan(off) ? off : worst;
            impulse += a->contacts->impulse[0];
        }
        CHECK_BELOW(worst, 4 * h); // first order in h: every impact is late by up to one step
        CHECK_NEAR(zn_sim_state(two)->v[1], 0, 1e-10);
        CHECK_NEAR(impulse, 3 * 2 * until, 1e-9); // from rest to rest: the impulse of gravity
        if (s == 1)
            CHECK_BELOW(zn_sim_certificate(two)->penetration.value, 1e-12);
        CHECK_BELOW(zn_sim_certificate(two)->closure.value, 1e-10);
        zn_sim_destroy(two);
        zn_sim_destroy(one);
        destroy_fixture(&pair);
        destroy_fixture(&ball);
    }
}

// Unequal masses: at the first impact U+ = -e U-, P = (1 + e) |U-| / W with W = (1/m1 + 1/m2) / 4, shared as P / (2 m).
static void test_midpoint_unequal(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection"};
    const double             h = 1e-3, m1 = 1, m2 = 4, e = 0.5;
    for (int s = 0; s < 2; s++) {
        fixture f = make_midpoint(m1, m2, 0, e);
        zn_sim *sim = start_sim(f.sys, schemes[s], h, 2);
        double  P = 0;
        for (int k = 0; k < 1100 && P == 0; k++) {
            CHECK_OK(zn_sim_step(sim));
            P = zn_sim_state(sim)->contacts->impulse[0];
        }
        const zn_state *end = zn_sim_state(sim);
        CHECK_NEAR(end->t, 1, 2.5 * h);
        double before = end->contacts->approach[0], W = (1 / m1 + 1 / m2) / 4;
        CHECK_NEAR(before, -2, 5 * h);
        CHECK_NEAR(end->contacts->velocity[0], -e * before, 1e-12);
        CHECK_NEAR(0.5 * (end->v[1] + end->v[3]), -e * before, 1e-12);
        CHECK_NEAR(end->v[1] - end->v[3], 0.5 * P * (1 / m1 - 1 / m2), 1e-12);
        CHECK_NEAR(P, (1 + e) * -before / W + 2 * h / W, 1e-9); // with the impulse of gravity during the step
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_plane),      cmocka_unit_test(test_gap_value),
        cmocka_unit_test(test_come_and_go),      cmocka_unit_test(test_bounce_along_fence),
        cmocka_unit_test(test_midpoint_rows),    cmocka_unit_test(test_midpoint_bounces),
        cmocka_unit_test(test_midpoint_unequal), cmocka_unit_test(test_features),
        cmocka_unit_test(test_damaged_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
