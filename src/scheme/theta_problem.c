// The nonsmooth problems of one Newton iteration of the theta step. With A = M + h th C + h^2 th^2 K at the iterate and
// `predicted` the linearized motion without impulses,
//     u = W P + G predicted + e U-,   W = G A^-1 G',   v = predicted + A^-1 G' P                     (57)
//     g + G (h th (v - v_now) - shift_now + N G' tau)  >= 0 or = 0                                    (58), (60)
// one after the other (decoupled), or together with the terms by which tau moves the forces (coupled, 45-55):
//     v = predicted + A^-1 G' P - h th A^-1 K (shift - shift_now).
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/seldom.h"
#include "scheme/theta.h"
#include "system/restitution.h"

// Iterations after which problems with friction are taken to answer in another way each time; a norm near convergence.
enum { WAVERS = 6, NEARLY = 100, EARLY = 4 };
enum { CLOSE = 10 }; // times the tolerance that impulses may miss their laws by before they are looked for once more

// Where bodies hardly slide, a small distance from the law is a large one of their motion: of problems that waver near
// convergence as much more is asked for as Newton's method misses by, but nothing beyond the rounding of velocities,
// and where that is not reached, what is asked for usually must do.
ZN_APART static void ask_more(const zn_theta *w, const zn_row_list *list, zn_demand *demand)
{
    const zn_constraints *c = &w->problem;
    double                terms = DBL_MIN, size = 0;
    for (int k = 0; k < list->rows; k++) {
        double sum = fabs(c->b[k]) + zn_constraints_terms(c, list->rows, k), parts = 0;
        for (int e = w->contacts->row_start[list->row[k]]; e < w->contacts->row_start[list->row[k] + 1]; e++)
            parts += fabs(w->contacts->row_value[e] * w->now.v[w->contacts->row_dof[e]]);
        terms = zn_larger(terms, sum);
        size = zn_larger(size, parts);
    }
    terms = zn_system_max(w->sys, terms);
    size = zn_system_max(w->sys, size);
    double asked = w->def.solver_tolerance / (4 * zn_larger(w->step.last_norm, 1));
    demand->tolerance = zn_larger(zn_larger(asked, 0.25 * DBL_EPSILON), 2 * DBL_EPSILON * size / terms);
    demand->enough = w->def.solver_tolerance;
}

static void report(zn_theta *w, zn_status status, zn_solved *solved)
{
    if (status > ZN_OK) { // told, also where another way leads to an answer
        solved->failed++;
        solved->wasted = solved->iterations;
        solved->residual = 0; // of an answer that nobody uses
    }
    zn_step_info_add(w->step.info, *solved);
}

// Where rows stay, an answer of the iteration before.
static int times_settled(const zn_theta *w)
{
    return !w->frozen || w->step.iteration <= 1 ? 0 : w->step.iteration > 2 ? CLOSE : 1;
}

// Solve what is assembled, and report.
static zn_status solve(zn_theta *w, const zn_row_list *list, const char *level)
{
    bool      stay = list != &w->list && w->places.equations > w->list.equations + 1; // several contacts, closed
    bool      friction = zn_system_max(w->sys, list->friction) > 0; // of any part: all of them decide alike
    bool      wavers = friction && w->step.iteration > WAVERS;
    double    close = CLOSE * w->def.solver_tolerance;
    zn_demand demand = {
        .level = level, .t = w->step.from->t, .repeats = stay, .sweeps = true, .steady = w->step.steady || wavers};
    if (list == &w->places && list->equations > w->list.equations) // they may contradict each other
        demand.most = 30 + 4 * list->rows;
    demand.follow = stay && w->step.iteration <= EARLY; // off the answer they contradict each other in second order
    demand.settled = times_settled(w);
    zn_solved solved;
    if (w->problem.sparse && list->friction) // rounding may hide the last digits; and the first iterate is far off
        demand.enough = w->step.iteration == 1 ? zn_larger(1e-8, close) : close;
    if (wavers && w->step.last_norm < NEARLY)
        ask_more(w, list, &demand);
    zn_status status = zn_constraints_solve(&w->problem, list, &demand, &solved);
    if (friction)
        w->step.rough = status == ZN_OK && solved.residual > close;
    if (w->step.rough)
        solved.residual = 0; // another iteration will have a better one
    report(w, status, &solved);
    return status;
}

// --- velocity level ------------------------------------------------------------------------------

double zn_theta_approach(const zn_theta *w, int row)
{
    return w->def.approach == ZN_APPROACH_END ? zn_row_dot(w->contacts, row, w->n, w->step.from->v) : w->step.U_k[row];
}

double zn_theta_restitution(const zn_theta *w, int row)
{
    return zn_restitution(w->contacts, row, w->step.U_k[row - zn_row_place(w->contacts, row)]);
}

double zn_theta_law_offset(const zn_theta *w, int k)
{
    ZN_ASSERT(k >= 0 && k < w->list.rows);
    const zn_contact_set *set = w->contacts;
    int                   row = w->list.row[k], i = zn_row_contact(set, row);
    if (set->bilateral[i])
        return set->rate[i];
    if (w->impact.law != ZN_IMPACT_NEWTON && zn_row_place(set, row) == 0)
        return -w->impact.target[i];
    double e = zn_theta_restitution(w, row);
    return e != 0 ? e * zn_theta_approach(w, row) : 0;
}

// A law may jump where its rows turn, as the order of hits does: after some iterations its answer stays.
enum { SEARCHES = 6 };

zn_status zn_theta_find_targets(zn_theta *w)
{
    const zn_contact_set *set = w->contacts;
    if (w->impact.law == ZN_IMPACT_NEWTON || w->list.contacts == 0 || w->step.iteration > SEARCHES)
        return ZN_OK;
    zn_impact_begin(&w->impact, set);
    for (int c = 0; c < w->list.contacts; c++) {
        int    row = w->list.row[w->list.first[c]];
        double before[3];
        if (w->list.leader[c] >= 0)
            continue; // laws of impact have no moments
        for (int r = 0; r < zn_impact_rows(set, zn_row_contact(set, row)); r++)
            before[r] = zn_theta_approach(w, row + r);
        zn_impact_add(&w->impact, set, zn_row_contact(set, row), before);
    }
    zn_solved solved = {0};
    zn_status status = zn_impact_find_by(&w->impact, &w->problem, &w->motion, set, w->step.from->t, &solved);
    zn_step_info_add(w->step.info, solved);
    return status;
}

double zn_theta_beyond(const zn_theta *w, int row)
{
    const zn_contact_set *set = w->contacts;
    ZN_ASSERT(zn_row_place(set, row) == 0);
    if (w->impact.law != ZN_IMPACT_NEWTON)
        return set->velocity[row] - w->impact.target[zn_row_contact(set, row)];
    return set->velocity[row] + zn_theta_restitution(w, row) * set->approach[row];
}

// How velocities of rows change with v: those of joints also turn with the configuration at the end.
static zn_status find_rows(zn_theta *w, zn_rows *G)
{
    zn_at at = {w->step.at_free ? w->free.q : w->now.q, w->now.v, w->step.from->t + w->step.h, 0};
    *G = zn_gap_rows(w->contacts);
    if (!w->step.bends || w->list.equations == 0 || w->position_law)
        return ZN_OK;
    return zn_curvature_turn(w->motion.curvature, w->sys, w->contacts, &w->list, at, w->step.h * w->def.theta, G);
}

// Right-hand side of row k for the motion `v` without impulses, by which velocities of rows change along G.
ZN_APART static double turned_rhs(const zn_theta *w, zn_rows G, int k, const double *v)
{
    int    row = w->list.row[k];
    double U = zn_row_dot(w->contacts, row, w->n, w->now.v);
    return U + zn_rows_dot(G, row, w->n, v) - zn_rows_dot(G, row, w->n, w->now.v) + zn_theta_law_offset(w, k);
}

// Right-hand side of row k for the motion `v` without impulses.
static double velocity_rhs(const zn_theta *w, int k, const double *v)
{
    ZN_ASSERT(k >= 0 && k < w->list.rows);
    const zn_contact_set *set = w->contacts;
    int                   row = w->list.row[k];
    if (!w->position_law)
        return zn_row_dot(set, row, w->n, v) + zn_theta_law_offset(w, k);
    // the law between gap and impulse, divided by h th so that it looks like a velocity
    double change = zn_row_dot(set, row, w->n, v) - zn_row_dot(set, row, w->n, w->now.v);
    return set->gap[zn_row_contact(set, row)] / (w->step.h * w->def.theta) + change;
}

double zn_theta_last_impulse(const zn_theta *w, int k)
{
    ZN_ASSERT(k >= 0 && k < w->list.rows);
    if (w->now.P[k] != 0)
        return w->now.P[k];
    const zn_contact_set *last = w->sys->fixed_contacts ? w->step.from->contacts : w->contacts; // moved along by id
    return last->impulse[w->list.row[k]];
}

// Impulses as solved: keep them, what the laws were met with, and G'P with these rows.
static void keep_impulse(zn_theta *w, int k, double P, double u)
{
    ZN_ASSERT(k >= 0 && k < w->list.rows);
    w->goal.P[k] = P;
    if (w->step.exact)
        return; // nothing is compared with it
    w->goal.u[k] = u;
    w->goal.rounding[k] = 0;
    zn_row_add(w->contacts, w->list.row[k], w->n_all, P, w->goal.GP);
}

// Is W, dense, that of the last problem? Where rows never change, from step to step.
static bool is_kept(const zn_theta *w)
{
    return w->kept.factors != 0 && w->kept.factors == zn_response_factors(&w->motion) && w->kept.rows == w->list.rows &&
           memcmp(w->kept.row, w->list.row, sizeof *w->list.row * (size_t)w->list.rows) == 0;
}

static void keep(zn_theta *w)
{
    bool lasts = w->linear && w->sys->straight_contacts && !w->problem.splitting && !w->problem.redundant &&
                 w->impact.law == ZN_IMPACT_NEWTON && !w->problem.sparse && !w->step.bends;
    if (!lasts)
        return;
    w->kept.factors = zn_response_factors(&w->motion);
    w->kept.rows = w->list.rows;
    memcpy(w->kept.row, w->list.row, sizeof *w->list.row * (size_t)w->list.rows);
}

// A pile whose rows stay: as long as the factors do, so does W.
static zn_status assemble(zn_theta *w, zn_rows G, zn_rows H)
{
    bool stays = w->frozen && w->impact.law == ZN_IMPACT_NEWTON && zn_response_is_sparse(&w->motion, w->list.rows);
    if ((w->step.assembled && stays) || is_kept(w))
        return ZN_OK;
    w->kept.factors = 0;
    ZN_TRY(zn_constraints_assemble(&w->problem, &w->list, &w->motion, w->contacts, G, H));
    w->step.assembled = true;
    keep(w);
    return ZN_OK;
}

// By several processes, where there are others.
static zn_status solve_shared(zn_theta *w, zn_rows G, bool *shared)
{
    zn_demand demand = {.level = "velocity", .t = w->step.from->t, .settled = times_settled(w)};
    zn_solved solved;
    bool      same = w->frozen && w->step.divided;
    ZN_TRY(zn_constraints_share(&w->problem, &w->list, &w->motion, w->contacts, G, w->step.from->q, same, &demand,
                                &solved, shared));
    w->step.divided = true;
    w->step.rough = *shared && w->list.friction && solved.residual > CLOSE * w->def.solver_tolerance;
    if (w->step.rough || !*shared)
        solved.residual = 0; // another iteration or way will have a better one
    zn_step_info_add(w->step.info, solved);
    return ZN_OK;
}

// What impulses that processes found together do to the velocity.
static void respond_shared(zn_theta *w, zn_rows H)
{
    zn_clear(w->n_all, w->work);
    for (int k = 0; k < w->list.rows; k++)
        zn_rows_add(H, w->list.row[k], w->n, w->problem.z[k], w->work);
    zn_response_push(&w->motion, w->work, w->goal.v);
}

// A pile at rest is held, and what several processes know is solved by all of them; anything else is not `done`.
ZN_APART static zn_status solve_without_matrix(zn_theta *w, zn_rows G, bool *done, bool *shared)
{
    zn_demand demand = {.level = "velocity", .t = w->step.from->t};
    zn_solved solved;
    if (w->motion.blocks)
        ZN_TRY(zn_constraints_hold(&w->problem, &w->list, &w->motion, w->contacts, G, &demand, &solved, done));
    if (*done) {
        w->kept.factors = 0;
        report(w, ZN_OK, &solved);
        return ZN_OK;
    }
    if (w->sys->peers)
        ZN_TRY(solve_shared(w, G, shared));
    *done = *shared;
    return ZN_OK;
}

static zn_status solve_rows(zn_theta *w, zn_rows G, zn_rows H, bool *shared)
{
    bool done = false;
    *shared = false;
    if (w->motion.blocks || w->sys->peers)
        ZN_TRY(solve_without_matrix(w, G, &done, shared));
    if (done)
        return ZN_OK;
    ZN_TRY(assemble(w, G, H));
    zn_status status = solve(w, &w->list, "velocity");
    if (status != ZN_OK || w->problem.repeats > 0)
        w->kept.factors = 0; // rows that repeat each other were taken out of W
    return status;
}

static zn_status solve_velocity(zn_theta *w)
{
    zn_constraints *c = &w->problem;
    zn_rows         H = zn_gap_rows(w->contacts), G;
    int             m = w->list.rows;
    zn_copy(w->n, w->goal.predicted, w->goal.v);
    w->step.rough = false;
    if (zn_system_max(w->sys, m) == 0)
        return ZN_OK;
    ZN_TRY(find_rows(w, &G));
    for (int k = 0; k < m; k++) {
        c->b[k] = G.value != H.value && k < w->list.equations ? turned_rhs(w, G, k, w->goal.predicted)
                                                              : velocity_rhs(w, k, w->goal.predicted);
        c->z[k] = w->motion.blocks && w->step.iteration > 1 ? w->now.P[k] : zn_theta_last_impulse(w, k);
    }
    bool shared;
    ZN_TRY(solve_rows(w, G, H, &shared));
    if (shared)
        respond_shared(w, H);
    else
        zn_response_add(&w->motion, H, &w->list, c->z, w->goal.v);
    if (!w->step.exact)
        zn_clear(w->n_all, w->goal.GP);
    for (int k = 0; k < m; k++)
        keep_impulse(w, k, c->z[k], c->u[k]);
    if (!w->step.exact)
        zn_constraints_rounding(c, m, w->goal.rounding);
    return ZN_OK;
}

// --- position level: shift = N G' tau in the chosen metric ---------------------------------------

// (65) asks that a contact with an impulse be closed. Where closing it takes the impulse away and opening it brings it
// back, no answer does so: such a contact keeps its law on velocity level, and on position level does not penetrate.
enum { OFTEN = 2 };

bool zn_theta_must_close(const zn_theta *w, int c, const double *P)
{
    return w->list.leader[c] < 0 && P[w->list.first[c]] > -w->list.bond[c] && !w->step.conflict &&
           w->lost[zn_row_list_contact(&w->list, w->contacts, c)] < OFTEN;
}

static void watch_impulses(zn_theta *w, const double *P)
{
    for (int c = 0; c < w->list.contacts; c++) {
        int  i = zn_row_list_contact(&w->list, w->contacts, c);
        bool pressed = P[w->list.first[c]] > -w->list.bond[c];
        if (w->list.leader[c] >= 0)
            continue;
        if (w->was_pressed[i] && !pressed && w->step.iteration > EARLY && w->lost[i] < OFTEN)
            w->lost[i]++;
        w->was_pressed[i] = pressed;
    }
}

// Contacts to project: equations first (joints; combined: contacts with an impulse), then inequalities. `P` decides
// what has an impulse.
static void list_positions(zn_theta *w, const double *P)
{
    const zn_contact_set *set = w->contacts;
    const zn_row_list    *list = &w->list;
    bool                  active = w->project == ZN_PROJECT_ACTIVE;
    zn_row_list_clear(&w->places);
    for (int k = 0; k < list->equations; k++)
        zn_row_list_add_equation(&w->places, list->row[k]);
    for (int c = 0; c < list->contacts && active; c++)
        if (zn_theta_must_close(w, c, P))
            zn_row_list_add_equation(&w->places, list->row[list->first[c]]);
    for (int c = 0; c < list->contacts && active; c++)
        if (list->leader[c] < 0 && !zn_theta_must_close(w, c, P))
            zn_row_list_add_contact(&w->places, set, zn_row_list_contact(list, set, c), 1);
    for (int i = 0; i < set->count && w->project == ZN_PROJECT_ALL; i++)
        if (!set->bilateral[i])
            zn_row_list_add_contact(&w->places, set, i, 1);
    zn_clear(w->places.contacts, w->places.mu);
}

// Gaps that the linearized motion reaches without projection; true when they are good enough.
static bool predict_gaps(zn_theta *w)
{
    double scale = w->step.h * w->def.theta;
    bool   good = true;
    for (int i = 0; i < w->n; i++)
        w->work[i] = scale * (w->goal.v[i] - w->now.v[i]) - w->now.shift[i];
    for (int k = 0; k < w->places.rows; k++) {
        double g = w->contacts->gap[zn_theta_place(w, k)] + zn_row_dot(w->contacts, w->places.row[k], w->n, w->work);
        w->position_gap[k] = g;
        good &= k < w->places.equations ? fabs(g) <= w->step.gap_tolerance : g >= -w->step.gap_tolerance;
    }
    return zn_system_max(w->sys, good ? 0 : 1) == 0;
}

static zn_status project(zn_theta *w)
{
    zn_constraints *c = &w->problem;
    w->kept.factors = 0;
    ZN_TRY(zn_constraints_assemble(c, &w->places, w->metric, w->contacts, zn_gap_rows(w->contacts),
                                   zn_gap_rows(w->contacts)));
    // contacts that are to stay closed decide the gaps of others beside them, up to rounding, which no tau can mend
    double slack = w->places.equations > w->list.equations ? 8 * w->step.resolution : 0;
    for (int k = 0; k < w->places.rows; k++) {
        c->b[k] = w->position_gap[k] + (k < w->places.equations ? 0 : slack);
        c->z[k] = w->now.tau[zn_theta_place(w, k)];
    }
    zn_status status = solve(w, &w->places, "position");
    if (status != ZN_NOT_CONVERGED || w->places.contacts == 0)
        return status;
    for (int k = w->places.equations; k < w->places.rows; k++)
        c->b[k] += 0.5 * w->step.gap_tolerance; // a gap that follows from the equations is zero up to rounding
    return solve(w, &w->places, "position");
}

// Once projected, always: a gap at the tolerance must not alternate.
static bool was_projected(const zn_theta *w)
{
    for (int i = 0; i < w->contacts->count; i++)
        if (w->now.tau[i] != 0)
            return true;
    return false;
}

// `*projected`: there was something to do.
static zn_status project_listed(zn_theta *w, bool *projected)
{
    list_positions(w, w->goal.P);
    zn_clear(w->contacts->count, w->goal.tau);
    zn_clear(w->n_all, w->goal.shift);
    bool good = predict_gaps(w), needed = w->places.rows > 0 && (!good || was_projected(w));
    *projected = zn_system_max(w->sys, needed) > 0;
    if (!*projected)
        return ZN_OK;
    w->step.info->projection_iterations++;
    zn_status status = project(w);
    if (status == ZN_NOT_CONVERGED && !w->step.conflict && w->places.equations > w->list.equations) {
        w->step.conflict = true; // more contacts than the bodies can close at once
        list_positions(w, w->goal.P);
        predict_gaps(w);
        status = project(w);
    }
    ZN_TRY(status);
    zn_response_add(w->metric, zn_gap_rows(w->contacts), &w->places, w->problem.z, w->goal.shift);
    for (int k = 0; k < w->places.rows; k++)
        w->goal.tau[zn_theta_place(w, k)] = w->problem.z[k];
    return ZN_OK;
}

static zn_status solve_position(zn_theta *w)
{
    enum { MOST = 8 };
    bool projected;
    watch_impulses(w, w->goal.P);
    ZN_TRY(project_listed(w, &projected));
    for (int n = 0; n < MOST && projected && w->project == ZN_PROJECT_ACTIVE && zn_theta_release_one(w); n++)
        ZN_TRY(project_listed(w, &projected));
    return ZN_OK;
}

// --- coupled: both levels in one problem ---------------------------------------------------------

// base = predicted + h th A^-1 K shift_now in the goal's v.
static zn_status predict_coupled(zn_theta *w)
{
    ZN_TRY(zn_two_levels_stiffness(&w->coupled, w->now.shift, w->work));
    for (int i = 0; i < w->n; i++)
        w->goal.v[i] = w->goal.predicted[i] + w->step.h * w->def.theta * w->work[i];
    return ZN_OK;
}

static void fill_coupled(zn_theta *w)
{
    zn_constraints *c = &w->problem;
    for (int a = 0; a < w->coupled.both.rows; a++) {
        int  index;
        bool impulse = zn_two_levels_is_impulse(&w->coupled, a, &index);
        c->b[a] = impulse ? velocity_rhs(w, index, w->goal.v) : w->position_gap[index] / w->coupled.factor;
        c->z[a] =
            impulse ? zn_theta_last_impulse(w, index) : w->now.tau[zn_theta_place(w, index)] / w->coupled.unit[index];
    }
}

static void use_coupled(zn_theta *w)
{
    zn_clear(w->n_all, w->goal.GP);
    zn_two_levels_add(&w->coupled, zn_gap_rows(w->contacts), w->problem.z, w->goal.v, w->goal.shift);
    for (int j = 0; j < w->coupled.both.rows; j++) {
        int index;
        if (zn_two_levels_is_impulse(&w->coupled, j, &index)) {
            keep_impulse(w, index, w->problem.z[j], w->problem.u[j]);
            w->goal.rounding[index] = zn_constraints_rounding_of(&w->problem, w->coupled.both.rows, j);
        } else
            w->goal.tau[zn_theta_place(w, index)] = w->coupled.unit[index] * w->problem.z[j];
    }
}

static zn_status solve_coupled(zn_theta *w)
{
    watch_impulses(w, w->now.P);
    list_positions(w, w->now.P); // (69): impulses of the last iterate
    zn_clear(w->contacts->count, w->goal.tau);
    zn_clear(w->n_all, w->goal.shift);
    zn_two_levels_list(&w->coupled, &w->list, &w->places, w->step.h * w->def.theta);
    ZN_TRY(predict_coupled(w));
    if (w->coupled.both.rows == 0)
        return ZN_OK;
    w->kept.factors = 0;
    ZN_TRY(zn_two_levels_assemble(&w->coupled, &w->problem, w->contacts, zn_gap_rows(w->contacts)));
    predict_gaps(w);
    fill_coupled(w);
    w->step.info->projection_iterations += w->places.rows > 0;
    ZN_TRY(solve(w, &w->coupled.both, "coupled"));
    use_coupled(w);
    return ZN_OK;
}

zn_status zn_theta_solve_linearized(zn_theta *w)
{
    if (w->impact.law != ZN_IMPACT_NEWTON)
        ZN_TRY(zn_theta_find_targets(w));
    if (w->step.coupled)
        return solve_coupled(w);
    ZN_TRY(solve_velocity(w));
    return w->project != ZN_PROJECT_NONE ? solve_position(w) : ZN_OK;
}
