// Friction problems with moments against rolling and spinning: every solver against the law written out anew.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "zn/solve.h"

enum { BODIES = 6, MOST = 16, ROWS = 6 * MOST };

// A problem of balls that touch the ground and each other: rows of relative velocity and spin, W = G M^-1 G'.
typedef struct heap {
    int           count, n, blocks;
    bool          planar;
    int           first[3 * MOST + 1], leader[3 * MOST];
    double        mu[3 * MOST], W[ROWS * ROWS], q[ROWS];
    double        G[ROWS][6 * BODIES], inverse[6 * BODIES];
    zn_fc_problem p;
} heap;

static unsigned long long seed;

static double chance(double low, double high)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

// Row of the velocity along d of the point at lever x of a body, and of its spin about d.
static void put(double *row, int body, double sign, const double d[3], const double x[3], bool spin)
{
    if (body < 0)
        return;
    double *at = row + 6 * body;
    for (int k = 0; k < 3; k++) {
        at[k] += spin ? 0 : sign * d[k];
        at[3 + k] += sign * (spin ? d[k] : x[(k + 1) % 3] * d[(k + 2) % 3] - x[(k + 2) % 3] * d[(k + 1) % 3]);
    }
}

static void frame(bool planar, double axis[3][3])
{
    double *n = axis[0], *t = axis[1], *b = axis[2], a = chance(0, 6.28), size = 0;
    for (int k = 0; k < 3; k++)
        n[k] = planar ? (k == 0 ? cos(a) : k == 1 ? sin(a) : 0) : chance(-1, 1);
    for (int k = 0; k < 3; k++)
        size += n[k] * n[k];
    for (int k = 0; k < 3; k++)
        n[k] /= sqrt(size);
    const double any[3] = {0, fabs(n[2]) > 0.9 ? 1 : 0, fabs(n[2]) > 0.9 ? 0 : 1};
    for (int k = 0; k < 3; k++)
        t[k] = any[(k + 1) % 3] * n[(k + 2) % 3] - any[(k + 2) % 3] * n[(k + 1) % 3];
    size = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int k = 0; k < 3; k++)
        t[k] /= size;
    for (int k = 0; k < 3; k++)
        b[k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
}

static void add_block(heap *h, double mu, int leader, int rows)
{
    h->mu[h->blocks] = mu;
    h->leader[h->blocks] = leader;
    h->n += rows;
    h->first[++h->blocks] = h->n;
}

// A contact of body a with body b or the ground, centres off the contact points by a radius and a bit.
static void add_contact(heap *h, int a, int b, double radius)
{
    double axis[3][3], x[3], y[3];
    int    leader = h->blocks, tangents = h->planar ? 1 : 2, row = h->n;
    frame(h->planar, axis);
    for (int k = 0; k < 3; k++) {
        double off = h->planar && k == 2 ? 0 : chance(-0.2, 0.2) * radius;
        x[k] = -radius * axis[0][k] + off;
        y[k] = radius * axis[0][k] + off;
    }
    for (int k = 0; k <= tangents; k++, row++) {
        put(h->G[row], a, 1, axis[k], x, false);
        put(h->G[row], b, -1, axis[k], y, false);
    }
    add_block(h, chance(0.05, 0.9), -1, 1 + tangents);
    const double out[3] = {0, 0, 1};
    for (int k = 1; k <= tangents; k++, row++) {
        put(h->G[row], a, 1, h->planar ? out : axis[k], x, true);
        put(h->G[row], b, -1, h->planar ? out : axis[k], y, true);
    }
    add_block(h, radius * pow(10, chance(-3, 0)), leader, tangents);
    if (h->planar)
        return;
    put(h->G[row], a, 1, axis[0], x, true);
    put(h->G[row], b, -1, axis[0], y, true);
    add_block(h, radius * pow(10, chance(-3, -0.3)), leader, 1);
}

static void make(heap *h, bool planar, int contacts, unsigned long long number)
{
    seed = number * 7919 + 13;
    double radius = pow(10, chance(-2, 1));
    memset(h, 0, sizeof *h);
    h->planar = planar;
    for (int i = 0; i < BODIES; i++) {
        double mass = pow(10, chance(-1, 1));
        for (int k = 0; k < 6; k++)
            h->inverse[6 * i + k] = k < 3 ? 1 / mass : 2.5 / (mass * radius * radius);
    }
    for (int c = 0; c < contacts; c++)
        add_contact(h, c % BODIES, c % 3 == 0 ? -1 : (c % BODIES + 1 + c / BODIES) % BODIES, radius);
    double v[6 * BODIES];
    for (int k = 0; k < 6 * BODIES; k++)
        v[k] = planar && (k % 6 > 1 && k % 6 < 5) ? 0 : chance(-1, 1) / (k % 6 > 2 ? radius : 1);
    for (int i = 0; i < h->n; i++) {
        for (int k = 0; k < 6 * BODIES; k++)
            h->q[i] += h->G[i][k] * v[k];
        for (int j = 0; j < h->n; j++)
            for (int k = 0; k < 6 * BODIES; k++)
                h->W[i * h->n + j] += h->G[i][k] * h->inverse[k] * h->G[j][k];
    }
    h->p = (zn_fc_problem){
        .n = h->n, .contacts = h->blocks, .first = h->first, .W = h->W, .q = h->q, .mu = h->mu, .leader = h->leader};
}

// The largest violation of the laws, each part relative to the sizes of what it is about.
static double violation(const heap *h, const double *r)
{
    double worst = 0, u[ROWS], size[ROWS], power = 0;
    for (int i = 0; i < h->n; i++) {
        u[i] = h->q[i];
        for (int j = 0; j < h->n; j++)
            u[i] += h->W[i * h->n + j] * r[j];
        size[i] = sqrt(h->W[i * h->n + i]);
        power = fmax(power, fmax(fabs(u[i]) / size[i], fabs(r[i]) * size[i]));
    }
    for (int b = 0; b < h->blocks; b++) {
        bool   own = h->leader[b] < 0;
        int    first = h->first[b] + own, last = h->first[b + 1], lead = h->first[own ? b : h->leader[b]];
        double radius = h->mu[b] * r[lead], moment = 0, speed = 0, work = 0, d = size[first];
        if (own) {
            worst = fmax(worst, -r[lead] * size[lead] / power);
            worst = fmax(worst, -u[lead] / size[lead] / power);
            worst = fmax(worst, fmin(r[lead] * size[lead], u[lead] / size[lead]) / power);
        }
        for (int i = first; i < last; i++) {
            moment = hypot(moment, r[i]);
            speed = hypot(speed, u[i]);
            work += r[i] * u[i];
        }
        worst = fmax(worst, (moment - radius) * d / power);
        // sliding against it with all there is: g |u| + r.u = 0
        if (speed / d > 1e-9 * power)
            worst = fmax(worst, (radius * speed + work) / speed * d / power);
    }
    return worst;
}

static double look_at(const char *solver, bool planar, int contacts, int number, double tolerance, bool must)
{
    static heap      h;
    zn_fc_workspace *workspace = NULL;
    zn_fc_info       info;
    double           r[ROWS] = {0}, u[ROWS];
    assert_int_equal(zn_fc_workspace_create(&workspace), ZN_OK);
    make(&h, planar, contacts, (unsigned long long)number);
    char message[200];
    if (zn_fc_check(&h.p, message, sizeof message) != ZN_OK)
        fail_msg("%s", message);
    zn_fc_settings settings = {.solver = solver, .tolerance = tolerance};
    zn_status      status = zn_fc_solve(&h.p, &settings, workspace, r, u, &info);
    double         off = status == ZN_OK ? violation(&h, r) : INFINITY;
    if (must && !(off < 100 * tolerance))
        fail_msg("%s, %s, %d contacts, number %d: off by %g, residual %g (%s)", solver, planar ? "plane" : "space",
                 contacts, number, off, info.residual, info.reason ? info.reason : "");
    if (status == ZN_OK) { // a warm start is at home
        assert_int_equal(zn_fc_solve(&h.p, &settings, workspace, r, u, &info), ZN_OK);
        assert_true(zn_fc_residual(&h.p, r) <= tolerance);
        r[h.first[1]] += 0.1 * (1 + fabs(r[h.first[1]])); // a moment beside its law is seen
        assert_true(zn_fc_residual(&h.p, r) > 1e-6);
    }
    zn_fc_workspace_destroy(workspace);
    return off;
}

static void every_solver_meets_the_law(void **state)
{
    (void)state;
    const char *const words[] = {"auto", "gauss_seidel", "anderson", "newton_alart_curnier", "newton_jean_moreau",
                                 "admm"};
    for (int planar = 0; planar < 2; planar++)
        for (int contacts = 1; contacts <= 4; contacts *= 2)
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                for (int number = 0; number < 12; number++)
                    look_at(words[i], planar, contacts, number, 1e-11, true);
}

// More rows than the bodies can move in.
static void contacts_that_share_loads(void **state)
{
    (void)state;
    for (int number = 0; number < 12; number++) {
        look_at("auto", true, 16, number, 1e-11, true);
        look_at("auto", false, 12, number, 1e-11, true);
    }
}

// A sparse matrix gives what the dense one does.
static void sparse(void **state)
{
    (void)state;
    static heap      h;
    static int       start[ROWS + 1], column[ROWS * ROWS];
    static double    value[ROWS * ROWS];
    zn_fc_workspace *workspace = NULL;
    double           r[ROWS] = {0}, u[ROWS];
    make(&h, false, 6, 3);
    for (int i = 0; i < h.n; i++) {
        start[i + 1] = start[i];
        for (int j = 0; j < h.n; j++)
            if (h.W[i * h.n + j] != 0) {
                column[start[i + 1]] = j;
                value[start[i + 1]++] = h.W[i * h.n + j];
            }
    }
    const zn_fc_matrix W = {h.n, h.n, start, column, value};
    h.p.W = NULL;
    h.p.sparse = &W;
    assert_int_equal(zn_fc_workspace_create(&workspace), ZN_OK);
    for (int i = 0; i < 2; i++) {
        zn_fc_settings settings = {.solver = i == 0 ? "auto" : "newton_alart_curnier", .tolerance = 1e-11};
        memset(r, 0, sizeof r);
        assert_int_equal(zn_fc_solve(&h.p, &settings, workspace, r, u, NULL), ZN_OK);
        CHECK_BELOW(violation(&h, r), 1e-9);
    }
    zn_fc_workspace_destroy(workspace);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const char *const words[] = {"lemke", "enumerate", "interior_point"};
    static heap       h;
    zn_fc_workspace  *workspace = NULL;
    double            r[ROWS] = {0}, u[ROWS];
    char              message[200];
    assert_int_equal(zn_fc_workspace_create(&workspace), ZN_OK);
    make(&h, true, 1, 0);
    for (int i = 0; i < 3; i++) {
        zn_fc_settings settings = {.solver = words[i], .tolerance = 1e-11};
        assert_int_equal(zn_fc_solve(&h.p, &settings, workspace, r, u, NULL), ZN_ERR_UNSUPPORTED);
    }
    zn_fc_settings settings = zn_fc_settings_default();
    h.leader[1] = 1; // itself
    assert_int_equal(zn_fc_solve(&h.p, &settings, workspace, r, u, NULL), ZN_ERR_ARGUMENT);
    assert_int_equal(zn_fc_check(&h.p, message, sizeof message), ZN_ERR_ARGUMENT);
    assert_non_null(strstr(message, "right after its leader"));
    zn_fc_workspace_destroy(workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_solver_meets_the_law),
                                       cmocka_unit_test(contacts_that_share_loads), cmocka_unit_test(sparse),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
