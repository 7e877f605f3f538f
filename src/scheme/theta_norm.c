// How far an iterate of the theta step is from its equations. See theta.h.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/seldom.h"
#include "scheme/theta.h"

zn_status zn_theta_residual(zn_theta *w, zn_theta_point *x)
{
    ZN_ASSERT(x == &w->now || x == &w->trial);
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = x->v[i] - w->step.from->v[i];
    ZN_TRY(zn_system_whole_inertia(w->sys, w->middle.q, w->work, x->residual));
    zn_clear(w->n_all, x->GP);
    for (int i = 0; i < w->n_all; i++) {
        double push = w->step.h * x->force[i];
        w->scale[i] = fabs(x->residual[i]) + fabs(push);
        x->residual[i] -= push;
    }
    const zn_contact_set *set = w->contacts;
    for (int k = 0; k < w->list.rows; k++) // constraints may balance each other: each counts in the scale
        for (int e = set->row_start[w->list.row[k]]; e < set->row_start[w->list.row[k] + 1]; e++) {
            double push = set->row_value[e] * x->P[k];
            w->scale[set->row_dof[e]] += fabs(push);
            x->GP[set->row_dof[e]] += push;
            x->residual[set->row_dof[e]] -= push;
        }
    w->step.residual = zn_system_relative_norm(w->sys, x->residual, w->scale);
    return isfinite(w->step.residual) ? ZN_OK : zn_blame_infinite(w->sys, w->n, x->residual);
}

double zn_theta_velocity_norm(const zn_theta *w, const zn_theta_point *x)
{
    ZN_ASSERT(w->step.h > 0);
    const zn_contact_set *set = w->contacts;
    double                worst = 0, scale = 0;
    for (int k = 0; k < w->list.rows; k++) {
        if (k < w->list.equations && w->problem.repeats > 0 && w->problem.repeated[k])
            continue; // off the joints' exact position it contradicts the ones it repeats
        double offset = zn_theta_law_offset(w, k);
        double u = offset - w->goal.u[k], size = fabs(w->goal.u[k] - offset);
        for (int e = set->row_start[w->list.row[k]]; e < set->row_start[w->list.row[k] + 1]; e++) {
            int    dof = set->row_dof[e];
            double part = set->row_value[e] * x->v[dof];
            u += part;
            size += fabs(part) + (dof < w->n ? fabs(set->row_value[e] * w->goal.predicted[dof]) : 0);
        }
        worst = zn_larger(worst, fabs(u) - w->goal.rounding[k]);
        scale = zn_larger(scale, size);
    }
    worst = zn_system_max(w->sys, worst);
    return worst > 0 ? worst / zn_system_max(w->sys, scale) : 0;
}

double zn_theta_gap_violation(const zn_theta *w, const zn_theta_point *x)
{
    const zn_contact_set *set = w->contacts;
    double                worst = 0;
    if (w->project == ZN_PROJECT_NONE && !w->position_law)
        return 0;
    for (int k = 0; k < w->list.equations; k++)
        worst = zn_larger(worst, fabs(set->gap[zn_row_contact(set, w->list.row[k])]));
    for (int c = 0; c < w->list.contacts; c++) {
        if (w->list.leader[c] >= 0)
            continue; // no normal
        double g = set->gap[zn_row_list_contact(&w->list, set, c)];
        bool   closed = w->project != ZN_PROJECT_ALL && zn_theta_must_close(w, c, x->P);
        worst = zn_larger(worst, closed ? fabs(g) : -g);
    }
    for (int i = 0; i < set->count && w->project == ZN_PROJECT_ALL; i++)
        worst = zn_larger(worst, -set->gap[i]);
    for (int i = 0; i < set->count && w->project != ZN_PROJECT_NONE; i++)
        if (x->tau[i] != 0) // projected: neither short of the constraint nor beyond it
            worst = zn_larger(worst, fabs(set->gap[i]));
    return zn_system_max(w->sys, worst);
}

zn_status zn_theta_shift_residual(zn_theta *w, const zn_theta_point *x, double *out)
{
    const zn_contact_set *set = w->contacts;
    double                worst = 0;
    bool                  projects = false;
    zn_clear(w->n, w->work);
    for (int i = 0; i < set->count; i++)
        if (x->tau[i] != 0) {
            zn_row_add(set, i * set->stride, w->n, x->tau[i], w->work);
            projects = true;
        }
    if (projects && w->def.metric != ZN_METRIC_IDENTITY)
        ZN_TRY(zn_response_solve(w->metric, w->work));
    for (int i = 0; i < w->n; i++)
        worst = zn_larger(worst, fabs(x->shift[i] - w->work[i]));
    *out = zn_system_max(w->sys, worst);
    return ZN_OK;
}

// --- bodies of a pile ----------------------------------------------------------------------------
//
// The residual is relative to the largest impulse of all, which leaves a light body among heavy ones any velocity. What
// it leaves each body is therefore compared with the velocities there are, as corrections are, and with what rounding
// hides: of its own terms, and of the arms of impulses through its centre, which turn nothing.

// The largest velocities that move and that turn.
static void measure_velocities(const zn_theta *w, const zn_theta_point *x, double speed[2])
{
    speed[0] = speed[1] = 0;
    for (int i = 0; i < w->n; i++) {
        int    turns = w->sys->has_rotations && w->sys->rotational[i];
        double v = fabs(x->v[i]) + fabs(w->step.from->v[i]) + w->step.velocity_floor[i];
        speed[turns] = zn_larger(speed[turns], v);
    }
    zn_system_maxima(w->sys, speed, 2);
}

// Impulses of all contacts on each body, in the places of its turns.
static void gather_pushes(const zn_theta *w, const zn_theta_point *x, double *push)
{
    const zn_contact_set *set = w->contacts;
    zn_clear(w->n_all, push);
    for (int k = 0; k < w->list.rows; k++)
        for (int e = set->row_start[w->list.row[k]]; e < set->row_start[w->list.row[k] + 1]; e++)
            push[set->row_dof[e]] += fabs(x->P[k]);
}

// After zn_theta_residual, whose terms are in `scale`.
ZN_APART static double body_norm(zn_theta *w, const zn_theta_point *x)
{
    const zn_node_blocks *b = w->motion.blocks;
    const double          tolerance = w->def.newton_tolerance, hidden = 64 * DBL_EPSILON / tolerance;
    double                speed[2], worst = 0;
    measure_velocities(w, x, speed);
    gather_pushes(w, x, w->work);
    for (int i = 0; i < w->n; i++) {
        int    place = b->place[i], turns = w->sys->has_rotations && w->sys->rotational[i];
        double mass = b->block[(b->node[i] * ZN_NODE_DOFS + place) * ZN_NODE_DOFS + place];
        double most = fabs(mass) * speed[turns] + hidden * (w->scale[i] + (turns ? w->work[i] * w->sys->extent : 0));
        if (x->residual[i] != 0)
            worst = zn_larger(worst, fabs(x->residual[i]) / most);
    }
    return zn_system_max(w->sys, worst);
}

double zn_theta_smooth_norm(zn_theta *w, const zn_theta_point *x)
{
    enum { EARLY = 10 }; // then what all bodies together ask for must do
    double norm = w->step.residual < w->step.correction ? w->step.residual : w->step.correction;
    double tolerance = w->def.newton_tolerance;
    if (w->motion.blocks && norm <= tolerance && w->step.correction > tolerance && w->step.iteration <= EARLY)
        norm = zn_larger(norm, body_norm(w, x));
    if (!w->linear)
        return norm;
    double moved = 0, turned = 0;
    for (int i = 0; i < w->n && w->project != ZN_PROJECT_NONE; i++)
        moved = zn_larger(moved, fabs(x->shift[i] - w->now.shift[i]));
    for (int i = 0; i < w->n && w->list.rows > 0; i++)
        turned = zn_larger(turned, fabs(x->GP[i] - w->goal.GP[i]));
    bool exact = zn_system_max(w->sys, moved) == 0 && zn_system_max(w->sys, turned) == 0;
    return exact ? 0 : norm;
}
