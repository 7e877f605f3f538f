// Contacts that are too far away to be closed.
//
// Ends and crossing of two rods that lie along each other are closed together only if the rods are parallel: for a gap
// of the second order in the angle between them the projection would turn them by all of it. Two pairs of teeth, off
// their involutes by rounding of the profile, are closed together only far along the motion of the wheels. What it
// moves is therefore compared with the gaps around, and a contact that is pulled from too far away keeps its gap.
#include <math.h>

#include "base/assert.h"
#include "scheme/theta.h"

// Per degree of freedom: the largest of some number per row.
static void spread(const zn_contact_set *set, int row, int n, double value, double *largest)
{
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        if (set->row_dof[e] < n)
            largest[set->row_dof[e]] = zn_larger(largest[set->row_dof[e]], value);
}

static double gather(const zn_contact_set *set, int row, int n, const double *largest)
{
    double most = 0;
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        most = set->row_dof[e] < n ? zn_larger(most, largest[set->row_dof[e]]) : most;
    return most;
}

// What the first rows of the list hold together is moved by the gaps of both: by joints, as a slider that hits its
// guide moves the pin of its rod; by joints and closed contacts, as the first gap of a column lets all of it down.
static void carry(const zn_theta *w, int rows, double *largest)
{
    const zn_contact_set *set = w->contacts;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < rows; k++) {
            int    row = w->places.row[k];
            double most = gather(set, row, w->n, largest);
            for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
                changed |= set->row_dof[e] < w->n && largest[set->row_dof[e]] < most;
            spread(set, row, w->n, most, largest);
        }
    }
}

// How far the shift lets the sides of contacts slide on each other.
static void spread_slides(const zn_theta *w, double *moved)
{
    for (int c = 0; c < w->list.contacts; c++)
        for (int k = w->list.first[c] + 1; k < w->list.first[c + 1] && w->list.leader[c] < 0; k++)
            spread(w->contacts, w->list.row[k], w->n,
                   fabs(zn_row_dot(w->contacts, w->list.row[k], w->n, w->goal.shift)), moved);
}

// How far it moves either side of contacts along the normal: both may go together, as teeth do, which roll where they
// hardly slide.
static void spread_ways(const zn_theta *w, double *moved)
{
    const zn_contact_set *set = w->contacts;
    for (int c = 0; c < w->list.contacts; c++) {
        int    row = w->list.row[w->list.first[c]];
        double most = 0;
        for (int e = set->row_start[row]; e < set->row_start[row + 1] && w->list.leader[c] < 0; e++)
            if (set->row_dof[e] < w->n)
                most = zn_larger(most, fabs(set->row_value[e] * w->goal.shift[set->row_dof[e]]));
        spread(set, row, w->n, most, moved);
    }
}

static bool is_pulled(const zn_theta *w)
{
    for (int k = w->list.equations; k < w->places.equations; k++)
        if (w->goal.tau[zn_theta_place(w, k)] < 0)
            return true;
    return false;
}

// The place of the contact that is pulled hardest among those of bodies that move `far` times the gaps; -1: none.
static int pulled_from(const zn_theta *w, const double *moved, const double *gap, double far)
{
    double hardest = 0;
    int    found = -1;
    for (int k = w->list.equations; k < w->places.equations; k++) {
        int    row = w->places.row[k];
        double pull = -w->goal.tau[zn_theta_place(w, k)],
               near = zn_larger(gather(w->contacts, row, w->n, gap), w->step.gap_tolerance);
        if (pull > hardest && gather(w->contacts, row, w->n, moved) > far * near) {
            hardest = pull;
            found = zn_theta_place(w, k);
        }
    }
    return found;
}

bool zn_theta_release_one(zn_theta *w)
{
    const double far = 1000, together = 30;
    double      *gap = w->scale, *moved = w->work;
    if (!is_pulled(w))
        return false;
    zn_clear(w->n, gap);
    zn_clear(w->n, moved);
    for (int k = 0; k < w->places.rows; k++)
        spread(w->contacts, w->places.row[k], w->n, fabs(w->position_gap[k]), gap);
    carry(w, w->list.equations, gap);
    spread_slides(w, moved);
    int found = pulled_from(w, moved, gap, far);
    if (found < 0) {
        carry(w, w->places.equations, gap);
        zn_clear(w->n, moved);
        spread_ways(w, moved);
        found = pulled_from(w, moved, gap, together);
    }
    if (found >= 0 && w->lost[found] < ZN_THETA_RELEASED)
        w->lost[found] = ZN_THETA_RELEASED;
    return found >= 0;
}
