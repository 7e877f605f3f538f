// Friction in the velocity jump. Between rigid bodies all of an impact is in one step: its part Q h holds the gap at
// the end, its part b Q h is the jump, and how much of either there is depends on where in the step they meet.
// Coulomb's law bounds friction by their sum, so that it goes along:
//
//     u_i = h Q_i M^-1 (G_i' + c_i G_T,i' s_i),   0 <= c_i <= 1
//     s = T/Q              where the jump takes the impact back, b < 0, and where the contact slides
//     s = -W_TT^-1 W_TN    where it sticks: the step has sent its slip back, and the jump leaves it so
//
// G_T at the end, where both bodies are pushed in one point. c is the largest share with which friction of what slides
// has given no energy over step and jump, and of what sticks is in the cone of both impulses. What sticks gives back
// what the step took with its friction: over all of the impact that does no work. Bodies that deform have their
// friction in the steps of their contact.
#include <math.h>
#include <string.h>

#include "math/linsolver.h"
#include "scheme/energy_momentum.h"
#include "system/contact_scratch.h"

typedef struct end_rows {
    int    entries, tangents, *dof;
    double force[3][ZN_CONTACT_ENTRIES]; // of the normal and the tangents
} end_rows;

// --- rows at the end -------------------------------------------------------------------------------

static bool rubs(const zn_conserving *s, int i)
{
    int  first = i * s->set->stride;
    bool found = false;
    for (int t = 1; t < s->set->stride; t++)
        found |= s->p[first + t] != 0;
    for (int e = s->set->row_start[first]; e < s->set->row_start[first + 1] && found; e++)
        found = s->jump.rigid[s->set->row_dof[e]];
    return found;
}

// Those of the force between the end and itself.
static zn_status find_rows(const zn_conserving *s, int i, end_rows *out)
{
    const zn_contact_rule *rule = zn_contact_rule_of(s->sys, s->set->id[i]);
    const zn_layout       *layout = &s->sys->layout;
    zn_contact_key         key = zn_contact_key_at(s->set, i);
    bool                   space = rule->rows > 2, straight = !rule->ops->evaluate_between; // rows never change
    double                 gap[3][ZN_CONTACT_ENTRIES], (*row)[ZN_CONTACT_ENTRIES] = straight ? out->force : gap;
    double *const          force[3] = {out->force[0], out->force[1], space ? out->force[2] : NULL};
    zn_contact_product     product = {.dof = out->dof, .value = row[0], .tangent = {row[1], space ? row[2] : NULL}};
    zn_at                  end = {s->q, s->v, s->end_time, 0};
    zn_between             still = {.from = end, .to = end};
    ZN_TRY(straight ? rule->ops->evaluate(rule->parameter, layout, key, end.q, end.t, &product)
                    : rule->ops->evaluate_between(rule->parameter, layout, key, still, &product, force));
    out->entries = product.entries;
    out->tangents = rule->rows - 1;
    return ZN_OK;
}

static double row_dot(int n, int entries, const int *dof, const double *value, const double *x)
{
    double sum = 0;
    for (int e = 0; e < entries; e++)
        if (dof[e] < n)
            sum += value[e] * x[dof[e]];
    return sum;
}

static void row_add(int n, int entries, const int *dof, const double *value, double by, double *y)
{
    for (int e = 0; e < entries; e++)
        if (dof[e] < n)
            y[dof[e]] += by * value[e];
}

// --- which friction --------------------------------------------------------------------------------

// W_TT s = -W_TN; `found`: something can slip.
static zn_status keep_slip(const zn_conserving *s, const end_rows *r, double slope[2], bool *found)
{
    double W[2][3] = {{0, 1, 0}, {0, 0, 1}}, *x = s->work;
    for (int t = 0; t < r->tangents; t++) {
        memset(x, 0, sizeof *x * (size_t)s->n);
        row_add(s->n, r->entries, r->dof, r->force[1 + t], 1, x);
        ZN_TRY(zn_linsolver_solve(s->jump.mass, 1, x));
        zn_velocity_jump_hold_column(s, x, NULL);
        for (int k = 0; k <= r->tangents; k++)
            W[t][k] = row_dot(s->n, r->entries, r->dof, r->force[k], x);
    }
    double det = W[0][1] * W[1][2] - W[0][2] * W[1][1];
    *found = det > 1e-12 * W[0][1] * W[1][2];
    slope[0] = *found ? (W[0][2] * W[1][0] - W[1][2] * W[0][0]) / det : 0;
    slope[1] = *found ? (W[1][1] * W[0][0] - W[0][1] * W[1][0]) / det : 0;
    return ZN_OK;
}

zn_status zn_velocity_jump_find_rub(zn_conserving *s, int k)
{
    zn_velocity_jump *j = &s->jump;
    int               i = j->contact[k], row = i * s->set->stride;
    double           *slide = j->slide + (size_t)k * (size_t)j->entries, *slope = j->slope + 2 * (size_t)k;
    end_rows          r = {.dof = j->slide_dof + (size_t)k * (size_t)j->entries};
    bool              found = rubs(s, i);
    j->rub[k] = j->most[k] = found ? 1 : 0;
    j->least[k] = 0;
    j->slide_used[k] = 0;
    j->sticks[k] = false;
    if (!found)
        return ZN_OK;
    ZN_TRY(find_rows(s, i, &r));
    double Q = s->p[row], T[2] = {s->p[row + 1], r.tangents > 1 ? s->p[row + 2] : 0};
    bool   parts = zn_rows_dot(zn_gap_rows(s->set), row, s->n, s->v) > 0;
    if (parts && hypot(T[0], T[1]) < s->set->friction[i] * Q * (1 - 1e-9))
        ZN_TRY(keep_slip(s, &r, slope, &j->sticks[k]));
    for (int t = 0; t < 2 && !j->sticks[k]; t++)
        slope[t] = T[t] / Q;
    j->slide_used[k] = r.entries;
    memset(slide, 0, sizeof *slide * (size_t)r.entries);
    for (int t = 0; t < r.tangents; t++)
        for (int e = 0; e < r.entries; e++)
            slide[e] += slope[t] * r.force[1 + t][e];
    return ZN_OK;
}

// --- in the equations of the jump ------------------------------------------------------------------

// Velocity x along what friction does for a normal force of one.
static double slip_along(const zn_conserving *s, int k, const double *x)
{
    const zn_velocity_jump *j = &s->jump;
    size_t                  first = (size_t)k * (size_t)j->entries;
    return row_dot(s->n, j->slide_used[k], j->slide_dof + first, j->slide + first, x);
}

void zn_velocity_jump_add_rub(const zn_conserving *s, int k, double *y)
{
    const zn_velocity_jump *j = &s->jump;
    size_t                  first = (size_t)k * (size_t)j->entries;
    row_add(s->n, j->slide_used[k], j->slide_dof + first, j->slide + first, j->rub[k], y);
}

double zn_velocity_jump_rub_dot(const zn_conserving *s, int k, const double *x)
{
    return s->jump.sticks[k] ? s->jump.rub[k] * slip_along(s, k, x) : 0;
}

void zn_velocity_jump_leave_rub(zn_conserving *s)
{
    memset(s->jump.rub, 0, sizeof *s->jump.rub * (size_t)s->jump.count);
    memset(s->jump.most, 0, sizeof *s->jump.most * (size_t)s->jump.count);
}

// --- its bounds ------------------------------------------------------------------------------------

// Work of friction of contact k in the jump: its impulse on the mean of the velocities before and after. `size`: of its
// terms.
static double work_of(const zn_conserving *s, int k, double *size)
{
    const zn_velocity_jump *j = &s->jump;
    double                  before = slip_along(s, k, s->v), change = 0;
    double                  impulse = j->b[k] * s->h * s->p[j->contact[k] * s->set->stride] * j->rub[k];
    for (int l = 0; l < j->count; l++)
        change += j->b[l] * s->h * s->p[j->contact[l] * s->set->stride] *
                  slip_along(s, k, j->column + (size_t)l * (size_t)s->n);
    *size = fabs(impulse) * (fabs(before) + fabs(change));
    return impulse * (before + 0.5 * change);
}

void zn_velocity_jump_book_rub(zn_conserving *s)
{
    double size;
    for (int k = 0; k < s->jump.count; k++)
        s->jump.rubbed[k] = s->jump.sticks[k] ? 0 : work_of(s, k, &size);
}

static bool leaves_cone(const zn_conserving *s, int k)
{
    const zn_velocity_jump *j = &s->jump;
    int                     i = j->contact[k], row = i * s->set->stride;
    double                  Q = s->p[row], more = j->b[k] * j->rub[k] * Q, T[2] = {0, 0};
    for (int t = 0; t < s->set->stride - 1; t++)
        T[t] = s->p[row + 1 + t] + more * j->slope[2 * k + t];
    return hypot(T[0], T[1]) > s->set->friction[i] * Q * (1 + j->b[k]) * (1 + 1e-12);
}

static bool gives_energy(const zn_conserving *s, int k)
{
    double size, work = work_of(s, k, &size);
    for (int t = 1; t < s->set->stride; t++)
        work += zn_conserving_work(s, s->jump.contact[k], t);
    return work > 1e-14 * size;
}

// Bisection between a share that may be and one that may not.
bool zn_velocity_jump_bound_rub(zn_conserving *s)
{
    zn_velocity_jump *j = &s->jump;
    bool              changed = false;
    for (int k = 0; k < j->count; k++) {
        if (!(j->most[k] > 0))
            continue;
        bool too_much = j->sticks[k] ? leaves_cone(s, k) : gives_energy(s, k);
        *(too_much ? &j->most[k] : &j->least[k]) = j->rub[k];
        double share = j->least[k] < 1 ? 0.5 * (j->least[k] + j->most[k]) : 1;
        changed |= share != j->rub[k];
        j->rub[k] = share;
    }
    return changed;
}
