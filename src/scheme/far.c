// How far a position correction moves what it corrects, and contacts that are too far away to be closed.
//
// Ends and crossing of two rods that lie along each other are closed together only if the rods are parallel: for a gap
// of the second order in the angle between them the projection would turn them by all of it. Two pairs of teeth, off
// their involutes by rounding of the profile, are closed together only far along the motion of the wheels. What it
// moves is therefore compared with the gaps around, and a contact that is pulled from too far away keeps its gap.
#include "scheme/far.h"

#include <math.h>
#include <string.h>

static double larger(double a, double b) { return a > b ? a : b; }

// Per degree of freedom: the largest of some number per row.
static void spread(const zn_correction *c, int row, double value, double *largest)
{
    const zn_contact_set *set = c->set;
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        if (set->row_dof[e] < c->sys->info.n)
            largest[set->row_dof[e]] = larger(largest[set->row_dof[e]], value);
}

static double gather(const zn_correction *c, int row, const double *largest)
{
    const zn_contact_set *set = c->set;
    double                most = 0;
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        most = set->row_dof[e] < c->sys->info.n ? larger(most, largest[set->row_dof[e]]) : most;
    return most;
}

static void clear(const zn_correction *c, double *x) { memset(x, 0, sizeof *x * (size_t)c->sys->info.n); }

// What a row holds together is moved by the gaps of both sides. True: one of them did not know the other's.
static bool carry(const zn_correction *c, int row, double *largest)
{
    const zn_contact_set *set = c->set;
    double                most = gather(c, row, largest);
    bool                  changed = false;
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        changed |= set->row_dof[e] < c->sys->info.n && largest[set->row_dof[e]] < most;
    spread(c, row, most, largest);
    return changed;
}

// How far x moves the sides of a row along it.
static double side(const zn_correction *c, int row, const double *x)
{
    const zn_contact_set *set = c->set;
    double                most = 0, part = 0;
    int                   node = -1;
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++) {
        int dof = set->row_dof[e];
        if (dof >= c->sys->info.n)
            continue;
        if (c->sys->dof_node[dof] != node) {
            most = larger(most, fabs(part));
            part = 0;
            node = c->sys->dof_node[dof];
        }
        part += set->row_value[e] * x[dof];
    }
    return larger(most, fabs(part));
}

// --- contacts pulled from far away ---------------------------------------------------------------

// Equations of the list hold together: by joints, as a slider that hits its guide moves the pin of its rod; by closed
// contacts as well, as the first gap of a column lets all of it down.
static void carry_equations(const zn_correction *c, const zn_row_list *list, bool contacts)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < list->equations; k++)
            if (contacts || c->set->bilateral[zn_row_contact(c->set, list->row[k])])
                changed |= carry(c, list->row[k], c->gap);
    }
}

// How far the shift lets the sides of contacts slide on each other.
static void spread_slides(const zn_correction *c, const zn_row_list *list)
{
    for (int i = 0; i < list->contacts; i++)
        for (int k = list->first[i] + 1; k < list->first[i + 1] && list->leader[i] < 0; k++)
            spread(c, list->row[k], fabs(zn_row_dot(c->set, list->row[k], c->sys->info.n, c->shift)), c->moved);
}

// How far it moves either side of contacts along the normal: both may go together, as teeth do, which roll where they
// hardly slide.
static void spread_sides(const zn_correction *c, const zn_row_list *list)
{
    for (int k = 0; k < list->rows; k++)
        if (!c->set->bilateral[zn_row_contact(c->set, list->row[k])])
            spread(c, list->row[k], side(c, list->row[k], c->shift), c->moved);
}

static double pull_of(const zn_correction *c, const zn_pull *pull, int k)
{
    return c->set->bilateral[zn_row_contact(c->set, pull->list->row[k])] ? 0 : -pull->push[k];
}

// How far is too far, in gaps: where it is little of the model, and where it is not; `several`: asked of contacts that
// are not the only one of their two bodies.
typedef struct bounds {
    double little, much;
    bool   several;
} bounds;

static bool same_bodies(const zn_contact_set *set, int a, int b)
{
    int entries = set->row_start[a + 1] - set->row_start[a];
    return entries == set->row_start[b + 1] - set->row_start[b] &&
           memcmp(set->row_dof + set->row_start[a], set->row_dof + set->row_start[b],
                  sizeof *set->row_dof * (size_t)entries) == 0;
}

// Is there another contact between the same bodies?
static bool is_one_of_several(const zn_correction *c, const zn_row_list *list, int row)
{
    for (int k = 0; k < list->rows; k++)
        if (zn_row_contact(c->set, list->row[k]) != zn_row_contact(c->set, row) &&
            same_bodies(c->set, list->row[k], row))
            return true;
    return false;
}

// The contact that is pulled hardest among those of bodies that move too far.
static int hardest_from(const zn_correction *c, const zn_pull *pull, bounds far, bool *found)
{
    double hardest = 0;
    int    place = -1;
    for (int k = 0; k < pull->list->equations; k++) {
        int    row = pull->list->row[k];
        double near = larger(gather(c, row, c->gap), c->tolerance), moved = gather(c, row, c->moved);
        double most = moved > far.much * ZN_LITTLE_WAY * c->sys->size ? far.much : far.little;
        if (pull_of(c, pull, k) > hardest && moved > most * near &&
            (!far.several || is_one_of_several(c, pull->list, row))) {
            hardest = pull_of(c, pull, k);
            place = k;
        }
    }
    double hardest_of_all = zn_system_max(c->sys, hardest);
    *found = hardest_of_all > 0;
    return hardest == hardest_of_all ? place : -1;
}

bool zn_pulls(const zn_correction *c, const zn_pull *pull)
{
    double most = 0;
    for (int k = 0; k < pull->list->equations; k++)
        most = larger(most, pull_of(c, pull, k));
    return zn_system_max(c->sys, most) > 0;
}

int zn_pulled_from_far(const zn_correction *c, const zn_pull *pull, bool *found)
{
    const bounds slides = {1000, 1000, true}, together = {30, ZN_REACH_FAR, false};
    *found = false;
    if (!zn_pulls(c, pull))
        return -1;
    clear(c, c->gap);
    for (int k = 0; k < pull->list->rows; k++)
        if (k < pull->list->equations || pull->push[k] != 0) // what stays open explains nothing
            spread(c, pull->list->row[k], fabs(pull->gap[k]), c->gap);
    carry_equations(c, pull->list, false);
    clear(c, c->moved);
    if (pull->slides)
        spread_slides(c, pull->slides);
    int place = hardest_from(c, pull, slides, found);
    if (*found)
        return place;
    carry_equations(c, pull->list, true);
    clear(c, c->moved);
    spread_sides(c, pull->list);
    return hardest_from(c, pull, together, found);
}

// --- certificate ---------------------------------------------------------------------------------

// Does the correction act on this joint or contact?
static bool acts(const zn_correction *c, int i)
{
    return c->set->bilateral[i] || c->set->projection[i * c->set->stride] != 0;
}

// How far velocities move a side of a row.
static double way_of(const zn_correction *c, const zn_way *way, int row)
{
    return way->time * larger(side(c, row, way->from), side(c, row, way->to));
}

// Of a motion what explains it: the gap, as far as it is known, and a part of the way of the velocities.
static double ratio(const zn_correction *c, const zn_way *way, int row, double moved, double gap)
{
    const double coarse = 10; // gaps below are known to some digits only
    double       least = larger(coarse * c->tolerance, ZN_LITTLE_WAY * c->sys->size);
    return moved / larger(larger(gap, least), way->part * way_of(c, way, row));
}

// Does the shift move a side by more than that? Not if all parts of the product together do not, nearly always.
static bool moves(const zn_correction *c, int row, double little)
{
    const zn_contact_set *set = c->set;
    double                sum = 0;
    for (int e = set->row_start[row], last = set->row_start[row + 1]; e < last; e++)
        sum += set->row_dof[e] < c->sys->info.n ? fabs(set->row_value[e] * c->shift[set->row_dof[e]]) : 0;
    return sum > little;
}

bool zn_correction_is_large(const zn_correction *c, const zn_way *way, zn_reached *out)
{
    const double straight = 10, many = 2; // rows hardly turn on ways below; more than a side and its other one
    double       little = ZN_LITTLE_WAY * c->sys->size;
    bool         turns = false;
    *out = (zn_reached){0, zn_contact_id_none()};
    for (int i = 0; i < c->set->count; i++) {
        int row = i * c->set->stride;
        if (!acts(c, i) || !moves(c, row, little))
            continue;
        double moved = side(c, row, c->shift);
        double reach = ratio(c, way, row, moved, fabs(zn_row_dot(c->set, row, c->sys->info.n, c->shift)));
        if (reach > out->ratio)
            *out = (zn_reached){reach, c->set->id[i]};
        turns |= moved > straight * little && moved > way_of(c, way, row);
    }
    return zn_system_max(c->sys, turns || out->ratio > many) > 0;
}

// Gaps of all that hangs together. What hangs together by another part nobody knows: there the largest of all explains.
static void carry_gaps(const zn_correction *c, const double *known)
{
    double most = 0;
    clear(c, c->gap);
    for (int i = 0; i < c->set->count; i++)
        if (acts(c, i)) {
            spread(c, i * c->set->stride, fabs(known[i]), c->gap);
            most = larger(most, fabs(known[i]));
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < c->set->count; i++)
            if (acts(c, i))
                changed |= carry(c, i * c->set->stride, c->gap);
    }
    most = zn_system_max(c->sys, most);
    for (int i = 0; i < c->sys->info.n && c->sys->halo; i++)
        c->gap[i] = most;
}

zn_reached zn_correction_reach(const zn_correction *c, const zn_way *way, const double *gap)
{
    zn_reached worst = {0, zn_contact_id_none()};
    carry_gaps(c, gap);
    for (int i = 0; i < c->set->count; i++) {
        int    row = i * c->set->stride;
        double moved = acts(c, i) ? side(c, row, c->shift) : 0;
        double reach = moved > 0 ? ratio(c, way, row, moved, gather(c, row, c->gap)) : 0;
        if (reach > worst.ratio)
            worst = (zn_reached){reach, c->set->id[i]};
    }
    return worst;
}
