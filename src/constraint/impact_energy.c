// As much of a rebound as energy allows. See impact.h.
//
// A step gives its contacts the velocities U* of the law along their normals and Coulomb's law along their tangents,
// with impulses P of its own: what sticks may push the normals further, and an energy of
//     T+ - T- = P.(U- + U+)/2
// may be gained that no hit of the law has given (Kane's paradox). With s U* instead of U*, s from 0 to 1, this is
//     s P_N.U* + P_T.U_T+ - P.W P/2,
// without rebound, s = 0, never positive. So s is the largest of [0, 1] at which nothing is gained: 1 in all impacts
// that lose energy. Contacts that do not act on each other have their own s each.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "constraint/impact.h"
#include "system/restitution.h"

static const double nothing = 1e-13; // of the works of an impact: a gain that is rounding

enum { ROUNDS = 60 };

// --- parts: contacts of the list that act on each other, known by the first of them
// ------------------------------------

static int contact_of_row(const zn_impact *w, int row) { return w->group[row]; }

// All that row k acts on belongs to `part`, and is looked at in turn; the new length of the queue.
static int spread(zn_impact *w, const zn_constraints *c, int k, int part, int queued)
{
    int    m = w->list.rows;
    double own = zn_impact_at(c, m, k, k);
    for (int e = 0, l; e < zn_impact_entries(c, m, k); e++) {
        double value = zn_impact_entry(c, m, k, e, &l);
        int    other = contact_of_row(w, l);
        if (w->mark[other] >= 0 || fabs(value) <= 1e-14 * own)
            continue;
        w->mark[other] = part;
        w->queue[queued++] = other;
    }
    return queued;
}

// mark: part of each contact.
static void find_parts(zn_impact *w, const zn_constraints *c)
{
    const zn_row_list *list = &w->list;
    for (int j = 0; j < list->contacts; j++) {
        w->mark[j] = -1;
        for (int k = list->first[j]; k < list->first[j + 1]; k++)
            w->group[k] = j;
    }
    for (int j = 0; j < list->contacts; j++) {
        int queued = 0;
        if (w->mark[j] >= 0)
            continue;
        w->mark[j] = j;
        w->queue[queued++] = j;
        for (int at = 0; at < queued; at++)
            for (int k = list->first[w->queue[at]]; k < list->first[w->queue[at] + 1]; k++)
                queued = spread(w, c, k, j, queued);
    }
}

// --- what a part gains --------------------------------------------------------------------------------------------

// Of the law of the step: velocity that counts as zero in row k of contact j, with the sign of the problem.
static double offset_of(const zn_impact *w, const zn_contact_set *set, int j, int k)
{
    int normal = w->list.first[j], row = w->list.row[k];
    if (k == normal)
        return -w->share[w->mark[j]] * w->target[row / set->stride];
    return zn_restitution(set, row, w->before[normal]) * w->before[k];
}

// The problem of the step without forces, with the shares as they are; P, U, and per part gain and size of works.
static zn_status try_shares(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    const zn_row_list *list = &w->list;
    for (int j = 0; j < list->contacts; j++)
        for (int k = list->first[j]; k < list->first[j + 1]; k++)
            c->b[k] = w->before[k] + offset_of(w, set, j, k);
    ZN_TRY(zn_impact_solve(w, c, t, solved));
    memset(w->gain, 0, sizeof *w->gain * (size_t)list->contacts);
    memset(w->size, 0, sizeof *w->size * (size_t)list->contacts);
    for (int j = 0; j < list->contacts; j++)
        for (int k = list->first[j]; k < list->first[j + 1]; k++) {
            w->P[k] = c->z[k];
            w->U[k] = c->u[k] - offset_of(w, set, j, k);
            w->gain[w->mark[j]] += 0.5 * w->P[k] * (w->before[k] + w->U[k]);
            w->size[w->mark[j]] += 0.5 * fabs(w->P[k]) * (fabs(w->before[k]) + fabs(w->U[k]));
        }
    return ZN_OK;
}

// --- the largest share ----------------------------------------------------------------------------------------------

// The next share of part j between its bounds, by the rule of Illinois; true: it is found.
static bool narrow(zn_impact *w, int j, int round)
{
    zn_impact_bounds *b = &w->bounds[j];
    double            s = w->share[j], gain = w->gain[j];
    if (round == 0) {
        *b = (zn_impact_bounds){.high = s, .at_high = gain, .found = gain <= nothing * w->size[j]};
        w->share[j] = b->found ? 1 : 0;
        return b->found;
    }
    if (b->found)
        return true;
    if (round == 1 || gain <= 0) {
        b->found = (round == 1 && gain > 0) || gain >= -nothing * w->size[j]; // nothing less than no rebound
        if (b->side < 0)
            b->at_high /= 2;
        b->low = s, b->at_low = gain, b->side = -1;
    } else {
        if (b->side > 0)
            b->at_low /= 2;
        b->high = s, b->at_high = gain, b->side = 1;
    }
    if (b->found)
        return true;
    s = (b->low * b->at_high - b->high * b->at_low) / (b->at_high - b->at_low);
    b->found = !(s > b->low && s < b->high) || round == ROUNDS - 1;
    w->share[j] = b->found ? b->low : s;
    return b->found;
}

// Works of the parts, divided by impulses along normals: what is compressed in one contact expands in others.
static void share_works(zn_impact *w)
{
    const zn_row_list *list = &w->list;
    double            *impulse = w->size;
    memset(impulse, 0, sizeof *impulse * (size_t)list->contacts);
    for (int j = 0; j < list->contacts; j++)
        impulse[w->mark[j]] += w->P[list->first[j]];
    for (int j = 0; j < list->contacts; j++) {
        double all = impulse[w->mark[j]];
        w->work[list->first[j]] = all > 0 ? w->gain[w->mark[j]] * w->P[list->first[j]] / all : 0;
    }
}

zn_status zn_impact_limit(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    ZN_ASSERT(w->list.equations == 0);
    bool done = false;
    find_parts(w, c);
    for (int j = 0; j < w->list.contacts; j++)
        w->share[j] = 1;
    for (int round = 0; round < ROUNDS && !done; round++) {
        ZN_TRY(try_shares(w, c, set, t, solved));
        done = true;
        for (int j = 0; j < w->list.contacts; j++)
            done &= w->mark[j] != j || narrow(w, j, round);
    }
    ZN_TRY(try_shares(w, c, set, t, solved));
    share_works(w);
    for (int j = 0; j < w->list.contacts; j++)
        w->target[w->list.row[w->list.first[j]] / set->stride] *= w->share[w->mark[j]];
    return ZN_OK;
}
