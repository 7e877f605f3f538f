// Equilibrium of what stiffness alone does not hold: bodies on joints and contacts, mechanisms, falling bodies.
//
// Proximal points: from the anchor q_k the next one solves
//     f(q) + G'l - alpha M (q - q_k) = 0   with the same constraints,
// an implicit Euler step of length 1/alpha of the motion  M dq/ds = f + G'l  through pseudo-time s. Its matrix is
// regular. What alpha adds vanishes with q - q_k, so the limit is an equilibrium of the model itself, whatever alpha
// is; and alpha falls tenfold a step, so it is reached like by Newton's method, which takes over (alpha = 0) once
// stiffness along the motion exceeds alpha. Where that stiffness is negative (a pendulum near its upper rest) alpha
// stays twice as large, so the motion leaves unstable places. A step that turns a body or a constraint too far is
// repeated with a larger alpha. Motion without resistance that does not end is that of a body nothing holds.
#include <math.h>
#include <string.h>

#include "statics/equilibrium.h"
#include "system/blame.h"

enum { STEPS = 500, REFUSALS = 25, IDLE = 16, CALM = 3 };
static const double regular_limit = 1e-13; // smallest over largest eigenvalue of Newton's matrix
static const double far_away = 1e3;        // of the size of the model

// --- anchor --------------------------------------------------------------------------------------

zn_status zn_equilibrium_anchor(zn_equilibrium *e)
{
    memcpy(e->anchor.q, e->now.q, sizeof *e->anchor.q * (size_t)e->nq);
    memcpy(e->anchor.l, e->now.l, sizeof *e->anchor.l * (size_t)(e->set->count * e->set->stride));
    memset(e->at.moved, 0, sizeof *e->at.moved * (size_t)e->n_all);
    ZN_TRY(zn_contact_set_evaluate(e->set, e->sys, e->now.q, e->loads.t));
    size_t entries = (size_t)e->set->row_start[e->set->count * e->set->stride];
    memcpy(e->anchor_rows, e->set->row_value, sizeof *e->anchor_rows * entries);
    memcpy(e->anchor_dofs, e->set->row_dof, sizeof *e->anchor_dofs * entries);
    ZN_TRY(zn_system_operators(e->sys, zn_equilibrium_at(e, e->now.q), 1, 0, 0, e->matrix.mass));
    for (int j = 0; j < e->n; j++)
        for (int p = e->matrix.mass->start[j]; p < e->matrix.mass->start[j + 1]; p++)
            if (e->matrix.mass->row[p] == j)
                e->matrix.inertia[j] = e->matrix.mass->value[p];
    return ZN_OK;
}

static void return_to_anchor(zn_equilibrium *e)
{
    memcpy(e->now.q, e->anchor.q, sizeof *e->now.q * (size_t)e->nq);
    memcpy(e->now.l, e->anchor.l, sizeof *e->now.l * (size_t)(e->set->count * e->set->stride));
}

// Relative change of a row since the anchor. By degrees of freedom: a node on the corner of several facets may be on
// another one of them now, which lists the same corner elsewhere.
static double row_change(zn_equilibrium *e, int row)
{
    const zn_contact_set *set = e->set;
    double               *difference = e->scratch.work, change = 0, size = 0;
    for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++)
        difference[set->row_dof[k]] = difference[e->anchor_dofs[k]] = 0;
    for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++) {
        difference[set->row_dof[k]] += set->row_value[k];
        difference[e->anchor_dofs[k]] -= e->anchor_rows[k];
        size += e->anchor_rows[k] * e->anchor_rows[k];
    }
    for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++) {
        int dofs[] = {set->row_dof[k], e->anchor_dofs[k]};
        for (int j = 0; j < 2; j++) { // each degree of freedom once
            change += difference[dofs[j]] * difference[dofs[j]];
            difference[dofs[j]] = 0;
        }
    }
    return size > 0 ? sqrt(change / size) : 0;
}

bool zn_equilibrium_strayed(zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    double                worst = 0;
    zn_system_difference(e->sys, e->now.q, e->anchor.q, e->at.moved);
    for (int i = 0; i < e->n; i++)
        worst = e->sys->rotational[i] ? fmax(worst, fabs(e->at.moved[i])) : worst;
    for (int i = 0; i < set->count; i++)
        if (set->bilateral[i] || e->now.l[i * set->stride] > 0)
            worst = fmax(worst, row_change(e, i * set->stride));
    return zn_system_max(e->sys, worst) > ZN_EQUILIBRIUM_TURN;
}

// --- Newton's matrix -----------------------------------------------------------------------------

zn_status zn_equilibrium_check_regular(zn_equilibrium *e)
{
    double norm, x_size = 1, y_size = 1;
    e->alpha = 0;
    e->matrix.bending = true;
    e->way.correction = INFINITY;
    ZN_TRY(zn_equilibrium_anchor(e));
    ZN_TRY(zn_equilibrium_evaluate(e, e->now.q, e->now.l, &norm));
    ZN_TRY(zn_equilibrium_factor(e));
    double *x = e->scratch.free, *y = e->scratch.probe;
    for (int i = 0; i < e->n; i++) // some of everything, always the same
        x[i] = zn_sin(1.0 + 2.0 * i) / sqrt(e->matrix.inertia[i] > 0 ? e->matrix.inertia[i] : 1);
    for (int k = 0; k < 2; k++) { // inverse iteration
        zn_sparse_multiply(e->matrix.mass, x, y);
        y_size = sqrt(fabs(zn_system_dot(e->sys, x, y)));
        memcpy(x, y, sizeof *x * (size_t)e->n);
        ZN_TRY(zn_linsolver_solve(e->matrix.plain.solver, 1, x));
        zn_sparse_multiply(e->matrix.mass, x, y);
        x_size = sqrt(fabs(zn_system_dot(e->sys, x, y)));
    }
    return y_size > regular_limit * e->matrix.top * x_size ? ZN_OK : ZN_SINGULAR;
}

// --- pseudo-time ---------------------------------------------------------------------------------

// So that the first step moves by about the size of the model, or turns by one.
static double first_alpha(const zn_equilibrium *e)
{
    zn_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    double  shift = 0, turn = 0;
    for (int i = 0; i < e->sys->layout.nodes; i++) {
        const zn_layout_node *node = &e->sys->layout.node[i];
        const double         *q = e->now.q + node->q;
        int                   dim = zn_node_dimension(node->kind);
        zn_vec3               x = {node->origin.x + q[0], node->origin.y + (dim > 1 ? q[1] : 0),
                                   node->origin.z + (dim > 2 ? q[2] : 0)};
        low = (zn_vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (zn_vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    for (int i = 0; i < e->n; i++) {
        double *own = e->sys->rotational[i] ? &turn : &shift;
        *own = fmax(*own, e->matrix.inertia[i] > 0 ? fabs(e->at.force[i]) / e->matrix.inertia[i] : 0);
    }
    double length = zn_vec3_norm(zn_vec3_sub(high, low));
    double alpha = zn_system_max(e->sys, fmax(shift / (length > 0 ? length : 1), turn));
    return alpha > 0 ? alpha : 1;
}

// The last step is lost in the rounding of the coordinates.
static bool is_calm(zn_equilibrium *e)
{
    for (int i = 0; i < e->n_all; i++)
        e->scratch.scale[i] = e->scratch.size[i] + e->scratch.rounding[i] / e->def.tolerance;
    return e->at.law <= 1 && zn_system_relative_norm(e->sys, e->at.moved, e->scratch.scale) <= e->def.tolerance;
}

// The node that moves most, by its share of x'M x.
static int find_who_moves(const zn_equilibrium *e)
{
    const zn_layout *layout = &e->sys->layout;
    double           most = -1;
    int              who = 0;
    for (int i = 0; i < layout->nodes; i++) {
        double share = 0;
        for (int slot = 0; slot < 6; slot++) {
            int dof = layout->node[i].dof[slot];
            if (dof >= 0 && dof < e->n)
                share += e->matrix.inertia[dof] * e->at.moved[dof] * e->at.moved[dof];
        }
        if (share > most) {
            most = share;
            who = i;
        }
    }
    return who;
}

// Of the contacts whose friction does not suffice, the one that is pressed most; -1: none.
static int find_slipping(const zn_equilibrium *e)
{
    int    who = -1;
    double most = 0;
    for (int i = 0; i < e->set->count; i++) {
        double l = e->now.l[i * e->set->stride];
        if (zn_equilibrium_rows(e, i) > 1 && l > most && !zn_equilibrium_sticks(e, i, e->now.l)) {
            most = l;
            who = i;
        }
    }
    return who;
}

static zn_status tell_who_moves(zn_equilibrium *e, const char *what)
{
    char        text[128];
    int         slips = find_slipping(e);
    const char *name = zn_model_node_name(e->sys->model, find_who_moves(e), text, sizeof text);
    if (slips < 0)
        return zn_fail(&e->def.log, ZN_ERR_MODEL,
                       "equilibrium: not held: '%s' %s at %.6g of the loads; a spring, a joint or a fixed degree of "
                       "freedom would hold it",
                       name, what, 1 - e->loads.relief);
    return zn_fail(&e->def.log, ZN_ERR_MODEL,
                   "equilibrium: not held: '%s' %s at %.6g of the loads; friction of contact '%s' (%g) does not hold "
                   "it: more friction would, or a spring, a joint or a fixed degree of freedom",
                   name, what, 1 - e->loads.relief, zn_contact_name(e->sys, e->set->id[slips]),
                   e->set->friction[slips]);
}

typedef struct pseudo_time {
    double first;   ///< alpha of the first step
    double before;  ///< imbalance before the last step
    int    idle;    ///< steps in a row that met no resistance
    int    calm;    ///< that were lost in rounding
    int    refused; ///< that were too long
    int    failed;  ///< in which Newton's method did not converge
    int    wait;    ///< steps until Newton's method alone may try again
} pseudo_time;

// A contact slides and has gone so far, unhindered, that nothing will stop it.
static bool slides_away(zn_equilibrium *e, const pseudo_time *p)
{
    double way = 0;
    if (p->idle < IDLE / 4 || find_slipping(e) < 0)
        return false;
    for (int i = 0; i < e->n; i++)
        way = e->sys->rotational[i] ? way : fmax(way, fabs(e->at.moved[i]));
    return zn_system_max(e->sys, way) > far_away * e->length;
}

// Newton's method from the anchor without the proximal term; true when it stays near.
static bool finish(zn_equilibrium *e, double alpha, zn_status *status)
{
    e->alpha = 0;
    *status = zn_equilibrium_anchor(e);
    if (*status == ZN_OK)
        *status = zn_equilibrium_newton(e);
    if (*status == ZN_OK && !zn_equilibrium_strayed(e))
        return true;
    return_to_anchor(e);
    e->alpha = alpha;
    return false;
}

// Contacts with a force: small differences of large numbers in W then tell their compliance.
static bool carries(const zn_equilibrium *e)
{
    double most = 0;
    for (int i = 0; i < e->set->count; i++)
        most = e->set->bilateral[i] ? most : fmax(most, e->now.l[i * e->set->stride]);
    return zn_system_max(e->sys, most) > 0;
}

// Choose the next alpha from the stiffness met.
static void adapt(zn_equilibrium *e, pseudo_time *p, double stiffness)
{
    bool unhindered = fabs(stiffness) <= 1e-3 * e->alpha && e->at.balance >= 0.999 * p->before;
    p->idle = unhindered ? p->idle + 1 : 0;
    double floor = fmax(1e-13 * p->first, (carries(e) ? 1e-9 : 1e-13) * e->matrix.top);
    double next = stiffness < -1e-3 * e->alpha ? -2 * stiffness : 0.1 * e->alpha;
    e->alpha = fmax(floor, fmin(next, 10 * e->alpha));
}

static zn_status refuse(zn_equilibrium *e, pseudo_time *p, double alpha)
{
    return_to_anchor(e);
    p->idle = p->calm = 0;
    e->alpha = alpha;
    return ++p->refused > REFUSALS ? ZN_NOT_CONVERGED : ZN_OK;
}

static zn_status take_step(zn_equilibrium *e, pseudo_time *p, bool *done)
{
    double    alpha = e->alpha, stiffness = 0;
    zn_status status = zn_equilibrium_anchor(e);
    if (status == ZN_OK)
        status = zn_equilibrium_newton(e);
    if (status < 0 || status == ZN_INTERRUPTED)
        return status;
    p->failed += status != ZN_OK;
    if (status != ZN_OK || zn_equilibrium_strayed(e))
        return refuse(e, p, 8 * alpha);
    p->calm = is_calm(e) ? p->calm + 1 : 0;
    *done = (e->at.law <= 1 && e->at.balance <= e->def.tolerance) || p->calm >= CALM;
    e->info.relaxations++;
    if (*done)
        return ZN_OK;
    ZN_TRY(zn_equilibrium_stiffness(e, e->at.moved, &stiffness));
    if (alpha < -1.5 * stiffness) // a longer step would go the wrong way
        return refuse(e, p, -2 * stiffness);
    p->refused = 0;
    adapt(e, p, stiffness);
    p->before = e->at.balance;
    if (p->idle >= IDLE || slides_away(e, p))
        return tell_who_moves(e, "can move freely");
    if (stiffness > alpha && --p->wait < 0) {
        zn_status outcome;
        *done = finish(e, e->alpha, &outcome);
        p->wait = 4;
        return outcome < 0 || outcome == ZN_INTERRUPTED ? outcome : ZN_OK;
    }
    return ZN_OK;
}

zn_status zn_equilibrium_relax(zn_equilibrium *e)
{
    double      norm;
    bool        done = false;
    pseudo_time p = {0};
    e->direct.lost = false;
    e->alpha = 0;
    e->way.correction = INFINITY;
    ZN_TRY(zn_equilibrium_anchor(e));
    ZN_TRY(zn_equilibrium_evaluate(e, e->now.q, e->now.l, &norm));
    p.first = e->alpha = first_alpha(e);
    p.before = e->at.balance;
    for (int k = 0; k < STEPS && p.failed <= STEPS / 5 && !done; k++)
        ZN_TRY(take_step(e, &p, &done));
    e->alpha = 0;
    if (!done && p.failed > STEPS / 10 && zn_blame_more(&zn_blame_last) > 0) // it was stopped on its way
        return ZN_NOT_CONVERGED;
    return done ? ZN_OK : tell_who_moves(e, "does not come to rest");
}
