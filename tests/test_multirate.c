// Parts with their own steps: two equal parts are the whole, the coupling is stable, continuous and accurate, and its
// ledger closes.
#include "multirate_models.h"
#include "system/system.h"

// --- two parts are the whole ------------------------------------------------------------------------

typedef struct pair {
    zn_model     *model[2];
    zn_scheme_def whole, parts;
    double        h;
    int           steps;
    bool          hits; // a contact closes on the way
} pair;

static void largest_difference(int count, const double *a, const double *b, const double *start, double *worst,
                               double *size)
{
    for (int i = 0; i < count; i++) {
        *worst = fmax(*worst, fabs(a[i] - b[i]));
        *size = fmax(*size, fabs(a[i] - (start ? start[i] : 0)));
    }
}

static void check_equal(pair p)
{
    rig            a = rig_open(p.model[0], p.whole), b = rig_open(p.model[1], p.parts);
    zn_system_info info = zn_system_get_info(a.sys);
    double         worst[4] = {0}, size[4] = {0};
    bool           hit = false;
    for (int k = 0; k < p.steps; k++) {
        rig_step(&a, p.h);
        rig_step(&b, p.h);
        largest_difference(info.nq, a.state->q, b.state->q, a.sys->q0, &worst[0], &size[0]);
        largest_difference(info.n, a.state->v, b.state->v, NULL, &worst[1], &size[1]);
        largest_difference(info.n_all - info.n, a.state->reaction, b.state->reaction, NULL, &worst[2], &size[2]);
        for (int i = 0; i < a.state->contacts->count; i++) {
            largest_difference(1, &a.state->contacts->impulse[i], &b.state->contacts->impulse[i], NULL, &worst[3],
                               &size[3]);
            hit = hit || impulse_of(&a, i) > 0;
        }
        CHECK_NEAR(b.state->t, a.state->t, 0);
        CHECK_NEAR(energy_of(&b), energy_of(&a), 1e-12 * fmax(1, fabs(energy_of(&a))));
    }
    for (int i = 0; i < 4; i++) // positions, velocities, reactions, impulses
        CHECK_BELOW(worst[i], 1e-12 * size[i]);
    assert_true(hit == p.hits && size[0] > 0);
    rig_close(&a);
    rig_close(&b);
}

static void test_explicit_pair(void **test)
{
    (void)test;
    const bar_case    c = {.elements = 20,
                           .gravity = -0.5,
                           .load = 0.3,
                           .speed = 1,
                           .gap = 0.03,
                           .restitution = 0.3,
                           .mass = ZN_MASS_LUMPED};
    const char *const fine[] = {"rod[0:1]", "rod[0:7]", "rod[0:3], rod[9:14]"};
    for (int i = 0; i < 3; i++) {
        pair p = {{bar_of(c), bar_of(c)}, scheme_named("cd_lagrange", 0.5), parts(fine[i], 1), 0.7 / 20, 200, true};
        p.parts.coarse_explicit = true;
        check_equal(p);
    }
    pair p = {{cantilever(8, 1e-3, ZN_MASS_LUMPED, NULL), cantilever(8, 1e-3, ZN_MASS_LUMPED, NULL)},
              scheme_named("cd_lagrange", 0.5),
              parts("beam[5:8]", 1),
              0.01,
              800,
              true};
    p.parts.coarse_explicit = true;
    check_equal(p);
}

static void test_implicit_pair(void **test)
{
    (void)test;
    for (int consistent = 0; consistent < 2; consistent++) {
        zn_mass_kind mass = consistent ? ZN_MASS_CONSISTENT : ZN_MASS_LUMPED;
        bar_case c = {.elements = 20, .gravity = -0.5, .load = 0.3, .speed = 1, .gap = -1, .mass = mass, .fixed = true};
        for (int i = 0; i < 2; i++) {
            pair p = {{bar_of(c), bar_of(c)},
                      scheme_named("newmark", 0.5),
                      parts(i ? "rod[0:3], rod[17:20]" : "rod[0:7]", 1),
                      0.1,
                      100,
                      false};
            p.parts.fine_implicit = true;
            p.parts.gamma = p.whole.gamma = i ? 0.6 : 0.5;
            p.parts.beta = p.whole.beta = i ? 0.35 : 0.25;
            check_equal(p);
        }
        pair p = {{cantilever(4, -1, mass, NULL), cantilever(4, -1, mass, NULL)},
                  scheme_named("newmark", 0.5),
                  parts("beam[3:4]", 1),
                  0.2,
                  100,
                  false};
        p.parts.fine_implicit = true;
        check_equal(p);
    }
}

// --- the macro step as a linear map -------------------------------------------------------------------

enum { SMALL = 6, MOST = 64 };

// Places of the unknowns in the history of a bar whose first `fine` of SMALL elements are fine and whose last node is
// fixed: links, u_0, positions, velocities, half-step velocities of the fine part; positions, velocities, accelerations
// and links of the coarse one, or what the fine one has. Carried powers and energies are quadratic and act on nothing
// else.
static int list_places(int fine, bool coarse_explicit, const double *history, int *place)
{
    history_map map = map_history(history, coarse_explicit);
    int         nodes[2] = {fine + 1, SMALL - fine + 1}, count = 0;
    place[count++] = map.link; // one
    place[count++] = map.free;
    for (int k = 0; k < 2; k++) {
        int n = nodes[k] - k; // y is fixed, and the last node of the coarse part
        int more = k == 0 || coarse_explicit ? 1 : 2;
        int vector[2] = {more == 1 ? map.half[k] : map.u, map.a};
        for (int i = 0; i < n; i++)
            place[count++] = map.q[k] + 2 * i;
        for (int i = 0; i < n; i++)
            place[count++] = map.v[k] + i;
        for (int i = 0; i < n * more; i++)
            place[count++] = vector[i / n] + i % n;
    }
    return count;
}

// Spectral radius from norms of powers: |A^k|^(1/k), k = 2^40 by squaring; rounding moves it by some 1e-15.
static double spectral_radius(int n, double *A, double *B)
{
    double logarithm = 0, weight = 1;
    for (int p = 0; p < 40; p++) {
        double norm = 0;
        for (int i = 0; i < n * n; i++)
            norm = fmax(norm, fabs(A[i]));
        if (norm == 0)
            return 0;
        logarithm += weight * log(norm);
        weight /= 2;
        for (int i = 0; i < n * n; i++)
            A[i] /= norm;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                B[i * n + j] = 0;
                for (int k = 0; k < n; k++)
                    B[i * n + j] += A[i * n + k] * A[k * n + j];
            }
        memcpy(A, B, sizeof *A * (size_t)(n * n));
    }
    return exp(logarithm);
}

// An explicit coarse part takes `cfl` in its own steps.
static double radius_of(int fine, int ratio, double cfl, bool coarse_explicit)
{
    static double A[MOST * MOST], B[MOST * MOST], rest[512], moved[512];
    char          name[32];
    snprintf(name, sizeof name, "rod[0:%d]", fine);
    zn_scheme_def def = parts(name, ratio);
    def.coarse_explicit = coarse_explicit;
    rig    r = rig_open(bar_of((bar_case){.elements = SMALL, .gap = -1, .fixed = true, .mass = ZN_MASS_LUMPED}), def);
    int    place[MOST], size = zn_scheme_history_size(r.scheme);
    double h = cfl / SMALL / (coarse_explicit ? ratio : 1);
    assert_true(size <= 512);
    for (int k = 0; k < ratio; k++)
        rig_step(&r, h);
    zn_scheme_history_save(r.scheme, rest);
    int n = list_places(fine, coarse_explicit, rest, place);
    assert_true(n <= MOST);
    for (int j = 0; j < n; j++) {
        memcpy(moved, rest, sizeof moved);
        moved[place[j]] += 1;
        CHECK_OK(zn_scheme_history_load(r.scheme, moved, size));
        for (int k = 0; k < ratio; k++)
            rig_step(&r, h);
        zn_scheme_history_save(r.scheme, moved);
        for (int i = 0; i < n; i++)
            A[i * n + j] = moved[place[i]] - rest[place[i]];
    }
    rig_close(&r);
    return spectral_radius(n, A, B);
}

static void test_spectral_radius(void **test)
{
    (void)test;
    const int    ratio[] = {1, 2, 3, 10, 100};
    const double cfl[] = {0.5, 0.8, 1};
    for (int fine = 1; fine < SMALL; fine += 2)
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 3; k++) {
                double radius = radius_of(fine, ratio[i], cfl[k], false);
                CHECK_BELOW(radius, 1 + 1e-10);
                assert_true(radius > 0.99); // nothing is lost either: slow motion stays
                if (ratio[i] <= 10) {
                    radius = radius_of(fine, ratio[i], cfl[k], true);
                    CHECK_BELOW(radius, 1 + 1e-10);
                    assert_true(radius > 0.99);
                }
            }
}

// --- continuity -----------------------------------------------------------------------------------------

// One link: at every fine step the velocity of the fine part is (1 - j/m) u_0 + (j/m) u_m - R L_j, with R L_m = u_m -
// v_m.
static void test_continuity(void **test)
{
    (void)test;
    enum { RATIO = 7 };
    static double history[512];
    rig           r = rig_open(bar_of((bar_case){
                                   .elements = 12, .gravity = 0.3, .load = 0.3, .speed = 1, .gap = 0.01, .mass = ZN_MASS_LUMPED}),
                               parts("rod[0:3]", RATIO));
    double        fine[RATIO], link[RATIO], u0 = 0;
    for (int k = 0; k < 30 * RATIO; k++) {
        rig_step(&r, 0.9 / 12);
        zn_scheme_history_save(r.scheme, history);
        history_map map = map_history(history, false);
        int         j = k % RATIO;
        link[j] = history[map.link];
        fine[j] = history[map.v[0]]; // links are the first degrees of freedom of the fine part
        if (j + 1 == RATIO) {
            double um = history[map.free], R = (um - fine[j]) / link[j];
            CHECK_NEAR(history[map.v[1]], fine[j], 1e-12); // and the first node of the coarse part
            for (int i = 0; i < RATIO && k > RATIO; i++) {
                double s = (i + 1.0) / RATIO;
                CHECK_NEAR(fine[i], (1 - s) * u0 + s * um - R * link[i], 1e-12);
            }
            u0 = um;
        }
    }
    rig_close(&r);
}

// --- energy ---------------------------------------------------------------------------------------------

static void test_ledger(void **test)
{
    (void)test;
    const int ratio[] = {1, 2, 10, 50};
    for (int i = 0; i < 4; i++)
        for (int model = 0; model < 4; model++) {
            bar_case c = {
                .elements = 20, .gravity = -0.3, .load = 0.3, .speed = 1, .gap = 0.03, .mass = ZN_MASS_LUMPED};
            rig r = model == 0 ? rig_open(bar_of(c), parts("rod[0:7]", ratio[i]))
                               : rig_open(cantilever(8, 1e-3, ZN_MASS_LUMPED, NULL), parts("beam[5:8]", ratio[i]));
            if (model >= 2) { // Newmark with numerical dissipation; both explicit
                zn_scheme_def def = parts("beam[5:8]", ratio[i]);
                def.gamma = model == 2 ? 0.6 : 0.5;
                def.beta = model == 2 ? 0.4 : 0.25;
                def.coarse_explicit = model == 3;
                rig_close(&r);
                r = rig_open(cantilever(8, 1e-3, ZN_MASS_LUMPED, NULL), def);
            }
            account a;
            account_begin(&a, &r);
            for (int k = 0; k < 1000; k++) {
                rig_step(&r, model == 0 ? 0.04 : model == 3 ? 0.012 / ratio[i] : 0.01);
                account_step(&a, &r);
            }
            CHECK_BELOW(a.worst, 1e-12 * a.size);
            assert_true(a.entered[ZN_LEDGER_CONTACT] < 0 || model == 3); // short steps: not there yet
            if (ratio[i] > 1)
                assert_true(a.without > (model == 3 ? 1e-9 : 1e-5) * a.size);
            rig_close(&r);
        }
}

// --- the first mode of a bar, 40 of 400 elements explicit --------------------------------------------------

static void begin_mode(rig *r, int elements)
{
    for (int i = 0; i < elements; i++)
        r->state->q[2 * i] += 1e-3 * cos(1.5707963267948966 * i / elements);
    CHECK_OK(zn_state_update(r->sys, r->state));
}

// Largest difference to one step for all, over the amplitude.
static double mode_error(int elements, const char *fine, zn_scheme_def def, double h, double end)
{
    bar_case c = {.elements = elements, .gap = -1, .fixed = true, .mass = ZN_MASS_LUMPED};
    rig      a = rig_open(bar_of(c), scheme_named("cd_lagrange", 0.5));
    double   worst = 0;
    def.fine = fine;
    rig b = rig_open(bar_of(c), def);
    begin_mode(&a, elements);
    begin_mode(&b, elements);
    for (int k = 1; k * h <= end; k++) {
        rig_step(&a, h);
        rig_step(&b, h);
        for (int n = 0; n < elements && k % 20 == 0; n++)
            worst = fmax(worst, fabs(a.state->q[2 * n] - b.state->q[2 * n]));
    }
    rig_close(&a);
    rig_close(&b);
    return worst / 1e-3;
}

static void test_first_mode(void **test)
{
    (void)test;
    const struct {
        int    ratio;
        double bound;
    } list[] = {{1, 1e-4}, {10, 2e-3}};
    for (int i = 0; i < 2; i++) {
        double error = mode_error(400, "rod[0:40]", parts(NULL, list[i].ratio), 0.9 / 400, 3 * 4);
        CHECK_BELOW(error, list[i].bound);
        print_message("ratio %d: largest error %.2e\n", list[i].ratio, error);
    }
}

// Both explicit: nearer to one step for all than an implicit coarse part with the same steps, and with half the step.
static void test_explicit_mode(void **test)
{
    (void)test;
    zn_scheme_def def = parts(NULL, 4), implicit = def;
    def.coarse_explicit = true;
    double coarse = mode_error(40, "rod[0:8]", def, 0.9 / 160, 4), half = mode_error(40, "rod[0:8]", def, 0.9 / 320, 4);
    CHECK_BELOW(coarse, 1e-3);
    CHECK_BELOW(coarse, mode_error(40, "rod[0:8]", implicit, 0.9 / 160, 4));
    CHECK_BELOW(half, 0.4 * coarse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explicit_pair),   cmocka_unit_test(test_implicit_pair),
        cmocka_unit_test(test_spectral_radius), cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_ledger),          cmocka_unit_test(test_first_mode),
        cmocka_unit_test(test_explicit_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
