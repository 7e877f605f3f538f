// Force elements against mathematics: springs with a moving rest length, one-sided, by table and by function, torsion
// springs and bushings, between two bodies or a body and the ground, in the plane and in space. At random states:
// forces are gradients of energies, tangents are derivatives of forces, power is force times velocity by line, nothing
// acts on the whole; between two states the work on the way is the loss of energy, less what moves the potential.
#include "parts_between.h"

#include "model/element/element.h"
#include "model/rigid_way.h"
#include "system/forces.h"

enum { MAX = FIXTURE_MAX, TRIALS = 4 };

typedef enum spring_case {
    MOVING,
    ROPE,
    STOP,
    TABLE,
    FUNCTION,
    TORSION,
    TORSION_TABLE,
    TORSION_FUNCTION,
    BUSHING,
    CASES
} spring_case;

static const zn_vec3 nowhere = {0, 0, 0};

// --- models ----------------------------------------------------------------------------------------

static zn_spring_law *table(void)
{
    static const double x[] = {-1.5, -0.4, 0.1, 0.9}, y[] = {-30, -3, 4, 40};
    zn_spring_law      *law = NULL;
    CHECK_OK(zn_spring_law_table(4, x, y, &law));
    return law;
}

static zn_spring_law *function(const char *coordinate)
{
    static const char *const names[] = {"k"};
    const double             values[] = {7};
    char                     text[80], message[160];
    zn_spring_law           *law = NULL;
    snprintf(text, sizeof text, "k*(%s - 0.3)^3 + 2*rate*(1 + %s^2) + sin(t)", coordinate, coordinate);
    CHECK_OK(zn_spring_law_formula(text, coordinate, 1, names, values, message, sizeof message, &law));
    return law;
}

static zn_signal *moving(void)
{
    char       message[160];
    zn_signal *s = NULL;
    CHECK_OK(zn_signal_expression("0.8 + 0.3*sin(2*t)", 0, NULL, NULL, message, sizeof message, &s));
    return s;
}

static void add_line(zn_model *model, spring_case kind, zn_attachment from, zn_attachment to)
{
    zn_spring_def def = zn_spring_def_default();
    def.name = "it";
    def.from = from;
    def.to = to;
    def.stiffness = kind == TABLE || kind == FUNCTION ? 0 : 20;
    def.damping = kind == FUNCTION ? 0 : 3;
    def.rest = kind == MOVING ? moving() : NULL;
    def.rest_length = kind == ROPE ? 1 : kind == STOP ? 2.5 : kind == TABLE ? 1.7 : NAN;
    def.acts = kind == ROPE ? ZN_SPRING_PULL : kind == STOP ? ZN_SPRING_PUSH : ZN_SPRING_BOTH;
    def.law = kind == TABLE ? table() : kind == FUNCTION ? function("length") : NULL;
    CHECK_OK(zn_model_add_spring(model, &def));
}

static void add_torsion(zn_model *model, spring_case kind, zn_attachment from, zn_attachment to)
{
    zn_torsion_def def = zn_torsion_def_default();
    def.name = "it";
    def.from = from;
    def.to = to;
    def.axis = zn_vec3_make(0.4, -0.3, 1.5);
    def.stiffness = kind == TORSION ? 20 : 0;
    def.damping = kind == TORSION_FUNCTION ? 0 : 3;
    def.rest = kind == TORSION ? moving() : NULL;
    def.law = kind == TORSION_TABLE ? table() : kind == TORSION_FUNCTION ? function("angle") : NULL;
    CHECK_OK(zn_model_add_torsion(model, &def));
}

// Positive definite, with all couplings there are: L L' of a random L.
static void random_matrix(bool planar, uint64_t *seed, double out[6][6])
{
    double L[6][6] = {{0}};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++)
            L[i][j] = planar && ((i >= 2 && i < 5) || (j >= 2 && j < 5)) ? 0 : 3 * random_unit(seed);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 6; k++)
                out[i][j] += L[i][k] * L[j][k];
        }
}

static void add_bushing(zn_model *model, bool planar, zn_attachment from, zn_attachment to)
{
    zn_bushing_def def = zn_bushing_def_default();
    uint64_t       seed = 77;
    def.name = "it";
    def.from = from;
    def.to = to;
    def.axes = zn_so3_exp(planar ? zn_vec3_make(0, 0, 0.7) : zn_vec3_make(0.2, -0.9, 0.4));
    random_matrix(planar, &seed, def.stiffness);
    random_matrix(planar, &seed, def.damping);
    CHECK_OK(zn_model_add_bushing(model, &def));
}

// ends: 0 two bodies, 1 from the ground, 2 to the ground
static fixture make_case(spring_case kind, bool planar, int ends)
{
    double        z = planar ? 0 : 1;
    zn_model     *model = make_model(planar, nowhere, NULL);
    zn_attachment a = {add_turner(model, planar, "a", nowhere), {0.5, 0.3, -0.2 * z}};
    zn_attachment b = {add_turner(model, planar, "b", zn_vec3_make(2, 0.5, 0.3 * z)), {-0.4, 0.2, 0.3 * z}};
    zn_attachment ground = {.at = {0.3, 0.6, 0.4 * z}}, from = ends == 1 ? ground : a, to = ends == 2 ? ground : b;
    if (kind < TORSION)
        add_line(model, kind, from, to);
    else if (kind < BUSHING)
        add_torsion(model, kind, from, to);
    else
        add_bushing(model, planar, from, to);
    return compile_fixture(model);
}

// The element itself, without the bodies.
static zn_element_block block_of(const zn_system *sys)
{
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->link)
            return sys->block[i];
    fail_msg("there is no spring");
    return sys->block[0];
}

static void force_of(const zn_system *sys, zn_at at, double *f)
{
    zn_element_block b = block_of(sys);
    memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
    CHECK_OK(b.ops->force(&b, at, f));
}

static void force_between(const zn_system *sys, zn_between s, double *f)
{
    zn_element_block b = block_of(sys);
    memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
    CHECK_OK(b.ops->between->force(&b, s, f));
}

static double energy_of(const zn_system *sys, zn_at at)
{
    zn_element_block b = block_of(sys);
    zn_energy        e = {0};
    CHECK_OK(b.ops->energy(&b, at, -1, nowhere, &e));
    return e.strain;
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

// --- tangents --------------------------------------------------------------------------------------

// Matrix of the element over all degrees of freedom, of one state or between two.
static void dense(const zn_system *sys, const zn_between *s, double c, double k, double *out)
{
    int              n = sys->info.n_all;
    zn_element_block b = block_of(sys);
    int              size = b.ops->dofs, *scatter = calloc((size_t)(size * size), sizeof *scatter);
    assert_non_null(scatter);
    memset(out, 0, sizeof *out * (size_t)(n * n));
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            scatter[i * size + j] = b.dof[i] >= 0 && b.dof[j] >= 0 ? b.dof[i] * n + b.dof[j] : -1;
    b.scatter = scatter;
    if (s->from.q)
        CHECK_OK(b.ops->between->operators(&b, *s, 0, c, k, out));
    else
        CHECK_OK(b.ops->operators(&b, s->to, 0, c, k, out));
    free(scatter);
}

static void value_of(const zn_system *sys, const zn_between *s, double *f)
{
    if (s->from.q)
        force_between(sys, *s, f);
    else
        force_of(sys, s->to, f);
}

// Derivative of the force with q (or v) of the end along degree of freedom j, central differences of sixth order.
static void slope_of(const zn_system *sys, const zn_between *s, bool velocity, int j, double *out)
{
    static const double weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double        h = 1e-4; // kinks of tables and ropes are rarely so near
    int                 n = sys->info.n_all;
    double              step[MAX], moved[MAX], f[MAX];
    memset(out, 0, sizeof *out * (size_t)n);
    for (int k = 0; k < 6; k++) {
        double     sign = k % 2 == 0 ? 1 : -1, size = sign * (k / 2 + 1) * h;
        zn_between t = *s;
        memset(step, 0, sizeof step);
        step[j] = size;
        if (velocity) {
            memcpy(moved, s->to.v, sizeof *moved * (size_t)n);
            moved[j] += size;
            t.to.v = moved;
        } else {
            zn_system_retract(sys, s->to.q, step, moved);
            t.to.q = moved;
        }
        value_of(sys, &t, f);
        for (int i = 0; i < n; i++)
            out[i] += sign * weight[k / 2] * f[i] / h;
    }
}

static void check_tangents(const zn_system *sys, const zn_between *s)
{
    int     n = sys->info.n_all;
    double *K = calloc(2 * (size_t)(n * n), sizeof *K), *C = K + n * n, slope[MAX];
    assert_non_null(K);
    dense(sys, s, 0, 1, K);
    dense(sys, s, 1, 0, C);
    for (int j = 0; j < n; j++)
        for (int velocity = 0; velocity < 2; velocity++) {
            const double *M = velocity ? C : K;
            slope_of(sys, s, velocity, j, slope);
            for (int i = 0; i < n; i++)
                CHECK_NEAR(M[i * n + j], -slope[i], 1e-9 * (1 + fabs(slope[i])));
        }
    free(K);
}

// A state near the start; entries of q that remember follow.
static void random_state(const zn_system *sys, uint64_t *seed, double *q, double *v)
{
    double dq[MAX];
    random_fill(seed, 0.4, sys->info.n_all, dq);
    zn_system_retract(sys, sys->q0, dq, q);
    random_fill(seed, 1, sys->info.n_all, v);
}

#define FOR_EACH_CASE(kind, planar, ends)                                                                              \
    for (int kind = 0; kind < CASES; kind++)                                                                           \
        for (int planar = 0; planar < 2; planar++)                                                                     \
            for (int ends = 0; ends < 3; ends++)

static void test_tangents(void **state)
{
    (void)state;
    uint64_t seed = 21;
    FOR_EACH_CASE(kind, planar, ends)
    {
        fixture f = make_case((spring_case)kind, planar, ends);
        for (int trial = 0; trial < TRIALS; trial++) {
            double     q[MAX], v[MAX];
            zn_between s = {.to = {q, v, 0.4, 0}};
            random_state(f.sys, &seed, q, v);
            check_tangents(f.sys, &s);
        }
        destroy_fixture(&f);
    }
}

// --- energies --------------------------------------------------------------------------------------

static void check_gradient(const zn_system *sys, const double *q)
{
    double zero[MAX] = {0}, f[MAX], dq[MAX] = {0}, moved[MAX];
    force_of(sys, (zn_at){q, zero, 0.4, 0}, f);
    for (int j = 0; j < sys->info.n_all; j++) {
        static const double weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
        double              slope = 0;
        for (int k = 0; k < 6; k++) {
            double sign = k % 2 == 0 ? 1 : -1;
            dq[j] = sign * (k / 2 + 1) * 1e-3;
            zn_system_retract(sys, q, dq, moved);
            slope += sign * weight[k / 2] * energy_of(sys, (zn_at){moved, zero, 0.4, 0}) / 1e-3;
        }
        dq[j] = 0;
        CHECK_NEAR(f[j], -slope, 1e-9 * (1 + fabs(slope)));
    }
}

// Power is force times velocity; its lines: dampers take, and growth is dV/dt at rest.
static void check_power(const zn_system *sys, const double *q, const double *v)
{
    zn_element_block b = block_of(sys);
    zn_power         p = {0};
    zn_at            at = {q, v, 0.4, 0};
    double           f[MAX], growth = 0, h = 1e-4;
    CHECK_OK(b.ops->power(&b, at, v, &p));
    force_of(sys, at, f);
    CHECK_NEAR(p.strain + p.load + p.damper, dot(sys->info.n_all, f, v), 1e-12);
    if (b.ops->growth)
        CHECK_OK(b.ops->growth(&b, at, &growth));
    double V[2] = {energy_of(sys, (zn_at){q, v, 0.4 - h, 0}), energy_of(sys, (zn_at){q, v, 0.4 + h, 0})};
    CHECK_NEAR(growth, (V[1] - V[0]) / (2 * h), 1e-5 * (1 + fabs(growth)));
}

static void test_energies(void **state)
{
    (void)state;
    uint64_t seed = 22;
    FOR_EACH_CASE(kind, planar, ends)
    {
        fixture f = make_case((spring_case)kind, planar, ends);
        for (int trial = 0; trial < TRIALS; trial++) {
            double q[MAX], v[MAX];
            random_state(f.sys, &seed, q, v);
            if (kind != FUNCTION && kind != TORSION_FUNCTION)
                check_gradient(f.sys, q);
            else
                CHECK_NEAR(energy_of(f.sys, (zn_at){q, v, 0.4, 0}), 0, 0);
            check_power(f.sys, q, v);
        }
        destroy_fixture(&f);
    }
}

// --- readings --------------------------------------------------------------------------------------

// Gradients of what springs tell, by q and by v.
static void check_reading(const zn_system *sys, int which, zn_at at)
{
    static const double weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    zn_element_block    b = block_of(sys);
    int                 n = sys->info.n_all, dof[ZN_READING_DOFS];
    double              dq[ZN_READING_DOFS], dv[ZN_READING_DOFS], all[2][MAX] = {{0}}, step[MAX], moved[MAX];
    zn_gradient         g = {.dof = dof, .dq = dq, .dv = dv};
    b.ops->readings->gradient(&b, 0, which, at, &g);
    for (int i = 0; i < g.count; i++) {
        all[0][dof[i]] = dq[i];
        all[1][dof[i]] = dv[i];
    }
    for (int j = 0; j < 2 * n; j++) {
        double slope = 0, h = 1e-4;
        for (int k = 0; k < 6; k++) {
            double sign = k % 2 == 0 ? 1 : -1;
            zn_at  near = at;
            memset(step, 0, sizeof step);
            step[j % n] = sign * (k / 2 + 1) * h;
            zn_system_retract(sys, at.q, step, moved);
            near.q = j < n ? moved : at.q;
            for (int i = 0; i < n; i++)
                step[i] = at.v[i] + (j < n ? 0 : step[i]);
            near.v = step;
            slope += sign * weight[k / 2] * b.ops->readings->value(&b, 0, which, near) / h;
        }
        CHECK_NEAR(all[j / n][j % n], slope, 1e-9 * (1 + fabs(slope)));
    }
}

static void test_readings(void **state)
{
    (void)state;
    uint64_t seed = 25;
    FOR_EACH_CASE(kind, planar, ends)
    {
        if (kind == BUSHING) // feedback reads it with a delay
            continue;
        fixture f = make_case((spring_case)kind, planar, ends);
        double  q[MAX], v[MAX];
        random_state(f.sys, &seed, q, v);
        for (int which = 0; which < block_of(f.sys).ops->readings->count; which++)
            check_reading(f.sys, which, (zn_at){q, v, 0.4, 0});
        destroy_fixture(&f);
    }
}

// --- action and reaction ---------------------------------------------------------------------------

static void resultant(const zn_system *sys, const double *f, zn_between s, bool mean, zn_vec3 out[2])
{
    out[0] = out[1] = nowhere;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        zn_rigid_way          w = zn_rigid_way_of(&sys->layout, (zn_node_id){i + 1}, s);
        bool                  space = node->kind == ZN_FRAME3;
        zn_vec3               F = {f[node->dof[0]], f[node->dof[1]], space ? f[node->dof[2]] : 0}, M = {0, 0, 0};
        M.z = f[node->dof[5]];
        if (space)
            M = (zn_vec3){f[node->dof[3]], f[node->dof[4]], f[node->dof[5]]};
        M = mean ? zn_rigid_way_lever(&w, M) : zn_rigid_vector(&w.to, M);
        out[0] = zn_vec3_add(out[0], F);
        out[1] = zn_vec3_add(out[1], zn_vec3_add(M, zn_vec3_cross(mean ? w.middle : w.to.position, F)));
    }
}

static void test_resultant(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int kind = 0; kind < CASES; kind++)
        for (int planar = 0; planar < 2; planar++) {
            fixture f = make_case((spring_case)kind, planar, 0);
            double  q[MAX], v[MAX], force[MAX];
            zn_vec3 sum[2];
            random_state(f.sys, &seed, q, v);
            zn_at at = {q, v, 0.4, 0};
            force_of(f.sys, at, force);
            resultant(f.sys, force, (zn_between){.from = at, .to = at}, false, sum);
            double size = largest_of(f.sys->info.n, force);
            assert_true(size > 0.1);
            CHECK_BELOW(zn_vec3_norm(sum[0]) + zn_vec3_norm(sum[1]), 2e-14 * size);
            destroy_fixture(&f);
        }
}

// --- between two states ----------------------------------------------------------------------------

static bool has_between(const zn_system *sys)
{
    zn_element_block b = block_of(sys);
    return b.ops->between && !b.ops->between->lacks(&b, 0);
}

static void check_work(const zn_system *sys, two_ends *e)
{
    zn_element_block b = block_of(sys);
    double           force[MAX], way[MAX], v[2][MAX], growth = 0;
    memcpy(v, e->v, sizeof v);
    memset(e->v, 0, sizeof e->v);
    way_between(sys, e->s, way);
    force_between(sys, e->s, force);
    if (b.ops->growth_between)
        CHECK_OK(b.ops->growth_between(&b, e->s, &growth));
    double V[2] = {energy_of(sys, e->s.from), energy_of(sys, e->s.to)};
    if (!b.ops->load)
        CHECK_NEAR(dot(sys->info.n, force, way), V[0] - V[1] + growth, 3e-14 * (1 + V[0] + V[1]));
    memcpy(e->v, v, sizeof v);
}

static void test_between(void **state)
{
    (void)state;
    uint64_t seed = 24;
    int      known = 0;
    FOR_EACH_CASE(kind, planar, ends)
    {
        fixture  f = make_case((spring_case)kind, planar, ends);
        two_ends e;
        double   force[MAX], same[MAX];
        zn_vec3  sum[2];
        for (int trial = 0; trial < TRIALS && has_between(f.sys); trial++, known++) {
            far_ends(f.sys, 0.5, &seed, &e);
            check_work(f.sys, &e);
            check_tangents(f.sys, &e.s);
            force_between(f.sys, e.s, force);
            resultant(f.sys, force, e.s, true, sum);
            if (ends == 0)
                CHECK_BELOW(zn_vec3_norm(sum[0]) + zn_vec3_norm(sum[1]),
                            3e-14 * (1 + largest_of(f.sys->info.n, force)));
            zn_between equal = {.from = e.s.to, .to = e.s.to};
            force_between(f.sys, equal, force);
            force_of(f.sys, e.s.to, same);
            for (int i = 0; i < f.sys->info.n; i++)
                CHECK_NEAR(force[i], same[i], 1e-13 * (1 + fabs(same[i])));
        }
        destroy_fixture(&f);
    }
    assert_int_equal(known, TRIALS * 3 * (5 * 2 + 4)); // lines in both, the others in the plane
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangents),  cmocka_unit_test(test_energies), cmocka_unit_test(test_readings),
        cmocka_unit_test(test_resultant), cmocka_unit_test(test_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
