// The nonsmooth problem of constraints. See constraints.h.
#include "constraint/constraints.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/blame.h"
#include "base/memory.h"
#include "base/seldom.h"
#include "constraint/culprit.h"
#include "constraint/observe.h"
#include "constraint/redundant.h"
#include "constraint/stick.h"
#include "solve/friction.h"
#include "solve/friction_augmented.h"
#include "solve/friction_even.h"
#include "solve/solvers.h"
#include "system/system.h"

static double larger(double a, double b) { return a > b ? a : b; }

// --- room ----------------------------------------------------------------------------------------

zn_status zn_constraints_create(const zn_system *sys, const zn_constraint_settings *settings, zn_constraints *out)
{
    ZN_ASSERT(sys && settings && settings->solver && out);
    *out = (zn_constraints){.sys = sys,
                            .settings = *settings,
                            .friction_solver = zn_solver_for_friction(settings->solver),
                            .lcp_solver = zn_solver_for_complementarity(settings->solver)};
    if (strcmp(out->lcp_solver, "auto") == 0)
        out->lcp_solver = NULL; // as zn_lcp_solve has it, which need not read the word
    return zn_fc_workspace_create(&out->workspace);
}

void zn_constraints_destroy(zn_constraints *c)
{
    zn_arena_destroy(c->memory);
    zn_fc_workspace_destroy(c->workspace);
    zn_hold_destroy(&c->hold);
    *c = (zn_constraints){0};
}

zn_status zn_constraints_detect_redundant(zn_constraints *c, const char *linear_solver)
{
    return zn_redundant_detect(c->sys, linear_solver, NULL, &c->redundant);
}

zn_status zn_constraints_detect_redundant_lumped(zn_constraints *c, const zn_lumped_mass *lumped)
{
    return zn_redundant_detect(c->sys, NULL, lumped, &c->redundant);
}

int zn_constraints_dense_rows(const zn_response *r, int rows)
{
    int few = r->curvature ? ZN_BENT_ROWS : ZN_DENSE_ROWS; // of a pile, whether or not it is bent just now
    return r->splitting ? 0 : r->blocks && rows > few ? few : rows;
}

// Bytes that solvers of up to so many rows need.
static size_t scratch_size(int rows)
{
    size_t n = (size_t)rows, lcp = zn_lcp_scratch(rows), equations = n * (n + 1) * sizeof(double);
    size_t stick = zn_stick_scratch(rows < ZN_STICK_ROWS ? rows : ZN_STICK_ROWS) * sizeof(double);
    size_t most = lcp > stick ? lcp : stick;
    return most > equations ? most : equations;
}

// W, the scratch of its solvers and their copies of it are so many matrices in all, as measured.
static bool is_room_for(int dense)
{
    enum { MATRICES = 5, FEW = 4000 };
    return dense < FEW || MATRICES * sizeof(double) * (double)dense * dense <= zn_memory_there();
}

zn_status zn_constraints_reserve(zn_constraints *c, int rows, int contacts, int dense)
{
    ZN_ASSERT(rows >= 0 && contacts >= 0 && dense >= 0 && dense <= rows);
    double **vectors[] = {&c->b, &c->z, &c->u, &c->bond, &c->shifted, &c->diagonal};
    c->memory = zn_arena_destroy(c->memory);
    c->capacity = c->dense = 0;
    if (!is_room_for(dense))
        return zn_blame_crowd(dense, "rows of contacts and joints are in one full matrix");
    ZN_TRY(zn_arena_create_growing(4096, &c->memory));
    ZN_TRY(zn_arena_vectors(c->memory, ZN_COUNT(vectors), vectors, (size_t)rows));
    c->W = ZN_ARENA_NEW(c->memory, double, (size_t)dense *(size_t)dense);
    c->repeated = ZN_ARENA_NEW(c->memory, bool, rows);
    c->scratch = zn_arena_alloc(c->memory, scratch_size(dense), 1);
    if (!c->W || !c->repeated || !c->scratch)
        return ZN_ERR_MEMORY;
    int most = c->sys->contact_rows > 1 ? rows : contacts; // followers are contacts, too
    ZN_TRY(zn_fc_workspace_reserve(c->workspace, dense, most < dense ? most : dense));
    c->capacity = rows;
    c->dense = dense;
    return ZN_OK;
}

// --- the problem ---------------------------------------------------------------------------------

zn_status zn_constraints_assemble(zn_constraints *c, const zn_row_list *list, zn_response *r, const zn_contact_set *set,
                                  zn_rows G, zn_rows H)
{
    bool sparse = zn_response_is_sparse(r, list->rows);
    ZN_ASSERT(list->rows <= c->capacity && (sparse || r->splitting || list->rows <= c->dense));
    c->splitting = r->splitting;
    c->matrix = (zn_operator){r->matrix, r->solver};
    c->sparse = sparse ? &r->blocks->W : NULL;
    c->set = set;
    return zn_response_assemble(r, set, G, H, list, c->W);
}

static zn_fc_problem friction_problem(const zn_constraints *c, const zn_row_list *list)
{
    ZN_ASSERT(list->first[0] == list->equations && list->first[list->contacts] == list->rows);
    return (zn_fc_problem){list->rows,
                           list->equations,
                           list->contacts,
                           list->first,
                           c->sparse || c->splitting ? NULL : c->W,
                           c->b,
                           list->mu,
                           c->sparse,
                           list->follow ? list->leader : NULL};
}

static double tolerance_of(const zn_constraints *c, const zn_demand *demand)
{
    return demand->tolerance > 0 ? demand->tolerance : c->settings.tolerance;
}

static zn_fc_settings friction_settings(const zn_constraints *c, const zn_demand *demand)
{
    return (zn_fc_settings){.solver = c->friction_solver,
                            .tolerance = tolerance_of(c, demand),
                            .measure = c->settings.measure,
                            .enough = demand->enough};
}

// One call of a friction solver; its iterations are added.
static zn_status solve_once(zn_constraints *c, const zn_fc_problem *p, const zn_fc_settings *s, zn_solved *out)
{
    zn_fc_info report = {0}; // stays so where there is no memory
    zn_status  status = zn_fc_solve(p, s, c->workspace, c->z, c->u, &report);
    out->iterations += report.iterations;
    out->residual = report.residual;
    return status;
}

// An attempt is over, another begins.
static void give_up(zn_solved *out)
{
    out->failed++;
    out->wasted = out->iterations;
}

// Contacts that share a load in many ways, not all of which mean the same motion where something slides: Newton's
// method on from the warm start leaves what W does not decide as it is there, others may answer with another way each
// time. So where it does not get as far as is asked for, what is enough is enough.
static zn_status solve_nearby(zn_constraints *c, const zn_fc_problem *p, const zn_demand *demand, zn_solved *out)
{
    enum { ITERATIONS = 50 };
    zn_fc_settings s = {.solver = "newton_alart_curnier",
                        .max_iterations = ITERATIONS,
                        .tolerance = tolerance_of(c, demand),
                        .measure = c->settings.measure,
                        .keep_best = true};
    zn_fc_info     report = {.residual = INFINITY, .residual_fclib = INFINITY}; // stays so where there is no memory
    zn_status      status = zn_fc_solve(p, &s, c->workspace, c->z, c->u, &report);
    out->iterations += report.iterations;
    out->residual = report.residual;
    if (status != ZN_NOT_CONVERGED)
        return status;
    if ((s.measure == ZN_FC_MEASURE_FCLIB ? report.residual_fclib : report.residual) <= demand->enough)
        return ZN_OK;
    give_up(out);
    return status;
}

static zn_status solve_friction(zn_constraints *c, const zn_fc_problem *p, const zn_demand *demand, zn_solved *out)
{
    if (p->n <= ZN_STICK_ROWS && zn_stick(p, demand->loose, c->z, c->scratch)) {
        memset(c->u, 0, sizeof *c->u * (size_t)p->n);
        return ZN_OK;
    }
    zn_fc_settings settings = friction_settings(c, demand);
    bool           nearby = demand->steady && strcmp(settings.solver, "auto") == 0;
    zn_status      status = nearby ? solve_nearby(c, p, demand, out) : ZN_NOT_CONVERGED;
    if (status != ZN_NOT_CONVERGED)
        return status;
    settings.keep_best = demand->enough > settings.tolerance; // to go on from
    status = solve_once(c, p, &settings, out);
    if (status != ZN_NOT_CONVERGED || !settings.keep_best)
        return status;
    give_up(out);
    settings.tolerance = demand->enough;
    return solve_once(c, p, &settings, out);
}

// --- many rows -----------------------------------------------------------------------------------

// Is the warm start an answer? Then with its u. (Sweeps would change what is not asked for, and Newton's method, which
// comes again with nearly the same problem, would not end.)
static bool stays(zn_constraints *c, const zn_fc_problem *p, double tolerance, zn_solved *out)
{
    zn_fc_verdict verdict = zn_fc_judge_both(p, c->settings.measure, c->z, c->u);
    *out = (zn_solved){.residual = verdict.natural};
    return verdict.asked <= tolerance;
}

// Accelerated sweeps from the last impulses are the cheapest way to a coarse tolerance. Where they slow down, an answer
// within ten times the tolerance is taken after many; the report says how good it is.
static zn_status sweep(zn_constraints *c, const zn_fc_problem *p, int settled, zn_solved *out)
{
    enum { SWEEPS = 1000, CLOSE = 10 };
    if (settled > 0 && stays(c, p, settled * c->settings.tolerance, out))
        return ZN_OK;
    zn_fc_settings s = {.solver = "anderson",
                        .max_iterations = SWEEPS,
                        .tolerance = c->settings.tolerance,
                        .measure = c->settings.measure,
                        .keep_best = true,
                        .settle = true};
    zn_fc_info     report = {.residual = INFINITY, .residual_fclib = INFINITY}; // stays so where there is no memory
    zn_status      status = zn_fc_solve(p, &s, c->workspace, c->z, c->u, &report);
    double         reached = s.measure == ZN_FC_MEASURE_FCLIB ? report.residual_fclib : report.residual;
    *out = (zn_solved){.iterations = report.iterations, .residual = report.residual};
    return status == ZN_NOT_CONVERGED && reached <= CLOSE * s.tolerance ? ZN_OK : status;
}

// From the warm start; where that leads into a corner, from zero.
static zn_status solve_sparse(zn_constraints *c, const zn_fc_problem *p, const zn_demand *demand, zn_solved *out)
{
    enum { WARM_ITERATIONS = 150, COLD_ITERATIONS = 2000, FEW_ROWS = 300 };
    const double   coarse = 1e-7;
    zn_fc_settings settings = friction_settings(c, demand);
    zn_status      status = ZN_NOT_CONVERGED;
    if (demand->sweeps && strcmp(settings.solver, "auto") == 0 && settings.tolerance >= coarse)
        status = sweep(c, p, demand->settled, out);
    if (status == ZN_NOT_CONVERGED && demand->steady && p->n <= FEW_ROWS && strcmp(settings.solver, "auto") == 0)
        status = solve_nearby(c, p, demand, out);
    if (status != ZN_NOT_CONVERGED)
        return status;
    if (out->iterations > 0)
        give_up(out);
    settings.max_iterations = WARM_ITERATIONS;
    status = solve_once(c, p, &settings, out);
    if (status != ZN_NOT_CONVERGED)
        return status;
    give_up(out);
    memset(c->z, 0, sizeof *c->z * (size_t)p->n);
    settings.max_iterations = p->n <= FEW_ROWS ? 0 : COLD_ITERATIONS; // few: whatever there is
    if (demand->most > 0 && (settings.max_iterations == 0 || settings.max_iterations > demand->most))
        settings.max_iterations = demand->most; // there may be no answer
    settings.tolerance = fmax(settings.tolerance, demand->enough);
    return solve_once(c, p, &settings, out);
}

// --- any problem ---------------------------------------------------------------------------------

// Contacts that repeat each other share their load in many ways, and a pivoting solver may answer with another one each
// time it is asked, so that Newton's iteration never ends. Proximal points have one answer each,
//     0 <= W z' + b + e D (z' - z) _|_ z' >= 0,   D the diagonal of W,
// which stays near z where W does not decide, and go to an answer of the problem itself, whatever e is.
static zn_status solve_steadily(zn_constraints *c, const zn_lcp_problem *p, const zn_lcp_settings *settings,
                                zn_solved *out)
{
    enum { POINTS = 30 };
    const double   weight = 1e-5;
    zn_lcp_problem near = {p->n, p->bilateral, c->W, c->shifted};
    int            n = p->n;
    for (int k = 0; k < n; k++)
        c->diagonal[k] = c->W[k * n + k];
    for (int point = 0; point < POINTS; point++) {
        zn_lcp_info report = {0};
        for (int k = 0; k < n; k++) {
            c->W[k * n + k] = c->diagonal[k] * (1 + weight);
            c->shifted[k] = c->b[k] - weight * c->diagonal[k] * c->z[k];
        }
        zn_status status = zn_lcp_solve(&near, settings, c->z, c->u, c->scratch, &report);
        for (int k = 0; k < n; k++)
            c->W[k * n + k] = c->diagonal[k];
        out->iterations += report.iterations;
        out->residual = zn_lcp_residual(p, c->z);
        if (status != ZN_OK)
            return status;
        if (out->residual <= settings->tolerance)
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}

bool zn_constraints_wants_even(const zn_constraints *c, const zn_demand *demand)
{
    const double coarse = 1e-7; // nothing to be exact about
    return tolerance_of(c, demand) < coarse && c->settings.measure == ZN_FC_MEASURE_NATURAL &&
           strcmp(c->friction_solver, "auto") == 0;
}

// Of many answers one that does not depend on the warm start.
static zn_status share_evenly(zn_constraints *c, const zn_fc_problem *p, const zn_demand *demand, zn_solved *out)
{
    if (p->leader != NULL || !zn_constraints_wants_even(c, demand))
        return ZN_OK;
    double tolerance = larger(tolerance_of(c, demand), out->residual);
    return zn_fc_even(p, tolerance, c->workspace, c->z, c->u, &out->iterations);
}

zn_status zn_constraints_even(zn_constraints *c, const zn_row_list *list, const zn_demand *demand, zn_solved *out)
{
    zn_fc_problem p = friction_problem(c, list);
    return share_evenly(c, &p, demand, out);
}

// --- without W -----------------------------------------------------------------------------------

static zn_status solve_split(zn_constraints *c, const zn_row_list *list, const zn_demand *demand, zn_solved *out)
{
    zn_splitting_task task = {.A = &c->matrix,
                              .problem = friction_problem(c, list),
                              .tolerance = tolerance_of(c, demand),
                              .enough = demand->enough,
                              .z = c->z,
                              .u = c->u};
    zn_status         status = zn_splitting_solve(c->splitting, &task);
    out->iterations += task.iterations;
    out->residual = task.residual;
    return status;
}

static zn_status attempt(zn_constraints *c, const zn_row_list *list, const zn_demand *demand, zn_solved *out)
{
    const zn_observer *observer = &c->settings.observer;
    if (c->splitting)
        return solve_split(c, list, demand, out);
    if (c->sparse || list->friction) {
        zn_fc_problem p = friction_problem(c, list);
        zn_status     status = c->sparse ? solve_sparse(c, &p, demand, out) : solve_friction(c, &p, demand, out);
        if (status == ZN_OK)
            status = share_evenly(c, &p, demand, out);
        return zn_observe(observer, &p, demand->level, demand->t, status);
    }
    zn_lcp_problem  p = {list->rows, list->equations, c->W, c->b};
    zn_lcp_settings settings = {c->lcp_solver, demand->most, tolerance_of(c, demand)};
    if (demand->steady && list->contacts > 1 && solve_steadily(c, &p, &settings, out) == ZN_OK)
        return zn_observe_lcp(observer, &p, demand->level, demand->t, ZN_OK);
    zn_lcp_info report = {0};
    zn_status   status = zn_observe_lcp(observer, &p, demand->level, demand->t,
                                        zn_lcp_solve(&p, &settings, c->z, c->u, c->scratch, &report));
    out->iterations += report.iterations;
    out->residual = report.residual;
    return status;
}

// Take equations that repeat others out of the problem, and contacts that follow from them; false when there are none.
ZN_APART static bool isolate(zn_constraints *c, const zn_row_list *list, bool follow)
{
    int rows = follow ? list->rows : list->equations;
    if (c->sparse || c->splitting || list->equations == 0)
        return false;
    c->repeats = zn_redundant_isolate(list->rows, list->equations, rows, c->strict, c->W, c->b, c->scratch);
    const double *dependent = (const double *)c->scratch + (size_t)rows * (size_t)rows;
    for (int k = 0; k < rows; k++)
        c->repeated[k] = dependent[k] != 0;
    return c->repeats > 0;
}

// Without equations that repeat others: where joints do or the caller expects it (four corners of a box that are all to
// stay on the floor), and where the problem has no answer otherwise.
static zn_status solve_any(zn_constraints *c, const zn_row_list *list, const zn_demand *demand, zn_solved *out)
{
    bool expected = c->redundant || (demand->repeats && list->equations > 2); // two are hardly ever the same
    if (expected)
        isolate(c, list, demand->follow);
    zn_status status = attempt(c, list, demand, out);
    if ((status != ZN_NOT_CONVERGED && status != ZN_SINGULAR) || expected || !isolate(c, list, demand->follow))
        return status;
    give_up(out);
    return attempt(c, list, demand, out);
}

// z + s e_N is what is sought from here on.
ZN_APART static void add_bonds(zn_constraints *c, const zn_row_list *list)
{
    size_t n = (size_t)list->rows;
    memset(c->bond, 0, sizeof *c->bond * n);
    for (int j = 0; j < list->contacts; j++)
        c->bond[list->first[j]] = list->bond[j];
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < n && !c->sparse; l++)
            c->b[k] -= c->W[k * n + l] * c->bond[l];
        for (int e = c->sparse ? c->sparse->start[k] : 0; c->sparse && e < c->sparse->start[k + 1]; e++)
            c->b[k] -= c->sparse->value[e] * c->bond[c->sparse->column[e]];
    }
    for (size_t k = 0; k < n; k++)
        c->z[k] += c->bond[k];
}

ZN_APART static void take_bonds(zn_constraints *c, const zn_row_list *list)
{
    for (int k = 0; k < list->rows; k++)
        c->z[k] -= c->bond[k];
}

zn_status zn_constraints_solve(zn_constraints *c, const zn_row_list *list, const zn_demand *demand, zn_solved *out)
{
    ZN_ASSERT(list->rows <= c->capacity && demand->level);
    *out = (zn_solved){0};
    c->repeats = 0;
    ZN_TRY(zn_fault_point());
    if (zn_blame_last.kind == ZN_BLAME_CONSTRAINT)
        zn_blame_clear();
    if (list->bonds)
        add_bonds(c, list);
    zn_status status = solve_any(c, list, demand, out);
    if (status == ZN_NOT_CONVERGED)
        status = zn_constraints_blame(c, list, demand, out);
    if (list->bonds)
        take_bonds(c, list);
    return status;
}

zn_status zn_constraints_show(const zn_constraints *c, const zn_row_list *list, const char *level, double t)
{
    zn_fc_problem p = friction_problem(c, list);
    return zn_observe(&c->settings.observer, &p, level, t, ZN_OK);
}

zn_status zn_constraints_hold(zn_constraints *c, const zn_row_list *list, zn_response *r, const zn_contact_set *set,
                              zn_rows G, const zn_demand *demand, zn_solved *out, bool *held)
{
    *held = false;
    *out = (zn_solved){0};
    if (!zn_response_is_sparse(r, list->rows) || !list->friction || list->follow || list->bonds ||
        list->equations > 0 || c->settings.measure != ZN_FC_MEASURE_NATURAL ||
        strcmp(c->settings.solver, "auto") != 0 ||
        (c->settings.observer.problem != NULL && !c->settings.observer.faults))
        return ZN_OK;
    c->sparse = &r->blocks->W;
    c->splitting = NULL;
    c->set = set;
    ZN_TRY(zn_node_blocks_collect(r->blocks, G, G, list));
    ZN_TRY(zn_hold_solve(&c->hold, r->blocks, list, c->b, tolerance_of(c, demand), c->z, c->u, &out->residual, held));
    out->iterations = *held;
    return ZN_OK;
}

// Equations that repeat others say nothing: zero stays what it is.
zn_status zn_constraints_augmented(zn_constraints *c, const zn_row_list *list, double penalty, zn_solved *out)
{
    ZN_ASSERT(list->rows > 0 && list->rows <= c->capacity);
    *out = (zn_solved){.iterations = 1};
    c->repeats = 0;
    ZN_TRY(zn_fault_point());
    if (c->redundant && isolate(c, list, false))
        for (int k = 0; k < list->equations; k++)
            if (c->repeated[k])
                c->z[k] = c->u[k] = 0;
    zn_fc_problem p = friction_problem(c, list);
    ZN_TRY(zn_fc_augmented_step(&p, c->workspace, penalty, c->u, c->z));
    out->residual = zn_fc_residual(&p, c->z);
    return ZN_OK;
}

double zn_constraints_terms(const zn_constraints *c, int rows, int k)
{
    ZN_ASSERT(k >= 0 && k < rows);
    if (c->splitting)
        return fabs(c->u[k] - c->b[k]);
    double sum = 0;
    for (int l = 0; l < rows && !c->sparse; l++)
        sum += fabs(c->W[(size_t)k * (size_t)rows + (size_t)l] * c->z[l]);
    for (int e = c->sparse ? c->sparse->start[k] : 0; c->sparse && e < c->sparse->start[k + 1]; e++)
        sum += fabs(c->sparse->value[e] * c->z[c->sparse->column[e]]);
    return sum;
}

// Light bodies on long levers: the terms of W z are large and cancel, so that u is known to a few of their last digits
// only.
double zn_constraints_rounding_of(const zn_constraints *c, int rows, int k)
{
    ZN_ASSERT(k >= 0 && k < rows);
    return c->sparse || c->splitting ? 0 : 8 * DBL_EPSILON * zn_constraints_terms(c, rows, k);
}

void zn_constraints_rounding(const zn_constraints *c, int rows, double *out)
{
    ZN_ASSERT(rows >= 0 && (rows == 0 || out));
    for (int k = 0; k < rows; k++)
        out[k] = zn_constraints_rounding_of(c, rows, k);
}

// --- the judge of one contact --------------------------------------------------------------------

// F(xi) = ( max(xi_N, 0),  xi_T projected on the disk of radius mu max(xi_N, 0) ),  xi = l - p c.
double zn_contact_law_distance(int rows, double mu, double p, const double *l, const double *c)
{
    ZN_ASSERT(rows >= 1 && rows <= 3 && p > 0);
    double normal = l[0] / p < c[0] ? l[0] / p : c[0], radius = mu * larger(l[0] / p - c[0], 0), size = 0;
    double xi[2] = {0}, sum = normal * normal;
    for (int k = 1; k < rows; k++) {
        xi[k - 1] = l[k] / p - c[k];
        size = hypot(size, xi[k - 1]);
    }
    double keep = size > radius ? radius / size : 1;
    for (int k = 1; k < rows; k++) {
        double miss = keep == 1 ? c[k] : l[k] / p - keep * xi[k - 1];
        sum += miss * miss;
    }
    return sqrt(sum);
}

double zn_disk_law_distance(int rows, double radius, double p, const double *l, const double *c)
{
    ZN_ASSERT(rows >= 1 && rows <= 2 && p > 0 && radius >= 0);
    double xi[2] = {l[0] - p * c[0], rows > 1 ? l[1] - p * c[1] : 0}, size = hypot(xi[0], xi[1]);
    if (size <= radius)
        return rows > 1 ? hypot(c[0], c[1]) : fabs(c[0]);
    return hypot(l[0] - radius / size * xi[0], rows > 1 ? l[1] - radius / size * xi[1] : 0) / p;
}

double zn_contact_turn_distance(const zn_contact_set *set, int contact, int rows, double p, const double *l,
                                const double *c)
{
    zn_contact_parts parts = zn_contact_parts_of(set, contact, rows);
    double           lever = set->lever[contact], inertia = p * lever * lever, push = larger(l[0] - p * c[0], 0);
    double           worst = 0;
    int              spin = parts.own + parts.rolls;
    if (parts.rolls > 0)
        worst = zn_disk_law_distance(parts.rolls, set->rolling[contact] * push, inertia, l + parts.own, c + parts.own);
    if (parts.spins > 0)
        worst = larger(worst, zn_disk_law_distance(1, set->spinning[contact] * push, inertia, l + spin, c + spin));
    return lever * worst;
}

double zn_contact_distance(const zn_contact_set *set, int contact, int rows, double p, const double *l, const double *c)
{
    int own = zn_contact_parts_of(set, contact, rows).own;
    return larger(zn_contact_law_distance(own, set->friction[contact], p, l, c),
                  own < rows ? zn_contact_turn_distance(set, contact, rows, p, l, c) : 0);
}
