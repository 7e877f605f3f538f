// Friction of contacts at rest. Coulomb's law for velocities that are zero only says |l_T| <= mu l_N, which many forces
// keep: which of them act depends on the way that led there. Taken is the way that the search itself goes, and slip s
// is what tangents have moved since its anchor, where the load step began or the last point of pseudo-time:
//     s = 0:  |l_T| <= mu l_N        s != 0:  l_T = -mu l_N s / |s|
// so that a contact whose friction suffices stays where it is.
//
// Newton's equation of a contact that slides along t at the distance |s|, with P = 1 - t t':
//     l_T + mu l_N t + mu l_N / |s| P (s + G_T d) = 0
// (the law of Alart and Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375, on its branch of sliding). t and
// |s| come from  p = l_T - s / c  with any compliance c: at a solution t = -p / |p| and |s| = c (|p| - mu l_N), and on
// the way there p has a direction where s has none yet.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "statics/equilibrium.h"

static const double cone = 1e-12; // what |l_T| may be above mu l_N, relative

int zn_equilibrium_rows(const zn_equilibrium *e, int contact)
{
    const zn_contact_set *set = e->set;
    if (e->friction.rows == 1 || set->bilateral[contact] || !(set->friction[contact] > 0))
        return 1;
    return zn_contact_row_count(set, contact);
}

int zn_equilibrium_held(const zn_equilibrium *e, int contact)
{
    const zn_contact_hold hold = e->direct.hold[contact];
    return hold == ZN_HOLD_OPEN ? 0 : hold == ZN_HOLD_NORMAL ? 1 : zn_equilibrium_rows(e, contact);
}

// Compliance that weighs slip against friction: any leads to the same answer.
static double give_of(const zn_equilibrium *e, int contact) { return e->give[contact] > 0 ? e->give[contact] : 1; }

static double length_of(int rows, const double *x) { return rows > 2 ? hypot(x[1], x[2]) : fabs(x[1]); }

bool zn_equilibrium_sticks(const zn_equilibrium *e, int contact, const double *l)
{
    int           rows = zn_equilibrium_rows(e, contact);
    const double *own = l + contact * e->set->stride;
    return rows > 1 && own[0] > 0 && length_of(rows, own) < (1 - 1e-9) * e->set->friction[contact] * own[0];
}

double zn_equilibrium_friction_off(const zn_equilibrium *e, int contact, const double *l, double slack)
{
    int           rows = zn_equilibrium_rows(e, contact), first = contact * e->set->stride;
    const double *own = l + first, *slip = e->friction.slip + first;
    if (rows == 1 || !(own[0] > 0))
        return 0;
    double bound = e->set->friction[contact] * own[0], size = length_of(rows, own), way = length_of(rows, slip);
    double excess = fmax(size - bound, 0), against = 0;
    for (int r = 1; r < rows; r++) { // l_T + mu l_N s / |s|
        double off = own[r] + (way > 0 ? bound * slip[r] / way : 0);
        against = hypot(against, off);
    }
    double allowed = 4 * fmax(e->def.tolerance, cone) * bound;
    double moved = way / fmax(slack, DBL_MIN);
    return fmax(excess / allowed, way > 0 ? fmin(moved, against / allowed) : 0);
}

// Slip after the direction found, less what an eased contact gives way.
static void predict(const zn_equilibrium *e, int contact, int rows, double *slip)
{
    for (int r = 1; r < rows; r++) {
        int    row = contact * e->set->stride + r;
        double c = e->direct.ease > 1 ? e->direct.ease * e->direct.yield[row] : 0;
        slip[r] = e->friction.slip[row] + zn_row_dot(e->set, row, e->n, e->way.d) + c * (e->way.l[row] - e->now.l[row]);
    }
}

// Way and stiffness across it from  l_T - s / c,  which is longer than mu l_N where a contact slides; returns by how
// much the way has turned.
static double aim(zn_equilibrium *e, int contact, int rows, const double *l, const double *slip)
{
    double *t = e->friction.direction + contact * e->set->stride, force[3] = {0, 0, 0}, turn = 0;
    double  c = give_of(e, contact), bound = e->set->friction[contact] * fmax(l[0], 0);
    for (int r = 1; r < rows; r++)
        force[r] = l[r] - slip[r] / c;
    double size = length_of(rows, force);
    if (!(size > 0))
        return 0;
    e->friction.across[contact] = bound / (c * fmax(size - bound, DBL_EPSILON * size));
    for (int r = 1; r < rows; r++) {
        double next = -force[r] / size;
        turn = hypot(turn, next - t[r]);
        t[r] = next;
    }
    return turn;
}

zn_contact_hold zn_equilibrium_closed_hold(zn_equilibrium *e, int contact, double depth)
{
    int    rows = zn_equilibrium_rows(e, contact);
    double slip[3] = {0, 0, 0}, force[3] = {depth / give_of(e, contact), 0, 0};
    if (rows == 1)
        return ZN_HOLD_STICK;
    predict(e, contact, rows, slip);
    if (length_of(rows, slip) <= e->set->friction[contact] * depth)
        return ZN_HOLD_STICK;
    aim(e, contact, rows, force, slip);
    return ZN_HOLD_SLIDE;
}

zn_contact_hold zn_equilibrium_next_hold(zn_equilibrium *e, int contact, double rounding)
{
    ZN_ASSERT(e->direct.hold[contact] != ZN_HOLD_OPEN);
    int           rows = zn_equilibrium_rows(e, contact), first = contact * e->set->stride;
    const double *l = e->way.l + first, *t = e->friction.direction + first;
    double        slip[3] = {0, 0, 0}, along = 0;
    if (rows == 1)
        return ZN_HOLD_STICK;
    if (e->direct.hold[contact] == ZN_HOLD_STICK) {
        if (length_of(rows, l) <= (1 + cone) * e->set->friction[contact] * fmax(l[0], 0))
            return ZN_HOLD_STICK;
        aim(e, contact, rows, l, slip);
        return ZN_HOLD_SLIDE;
    }
    predict(e, contact, rows, slip);
    for (int r = 1; r < rows; r++)
        along += slip[r] * t[r];
    if (along < -rounding)
        return ZN_HOLD_STICK;
    e->friction.turn = fmax(e->friction.turn, aim(e, contact, rows, l, slip));
    return ZN_HOLD_SLIDE;
}

zn_friction_row zn_equilibrium_friction_row(const zn_equilibrium *e, int contact, int r)
{
    int           rows = zn_equilibrium_rows(e, contact), first = contact * e->set->stride;
    const double *t = e->friction.direction + first, *slip = e->friction.slip + first, *l = e->now.l + first;
    ZN_ASSERT(r > 0 && r < rows);
    if (e->direct.hold[contact] == ZN_HOLD_STICK) {
        zn_friction_row stick = {.self = -e->direct.ease * e->direct.yield[first + r], .right = slip[r]};
        stick.tangent[r - 1] = -1;
        return stick;
    }
    double          mu = e->set->friction[contact], c = give_of(e, contact);
    double          stiffness = e->friction.across[contact];
    zn_friction_row slide = {.normal = -c * mu * t[r], .self = -c, .right = c * (l[r] + mu * l[0] * t[r])};
    for (int k = 1; k < rows; k++) {
        double across = (k == r ? 1 : 0) - t[k] * t[r];
        slide.tangent[k - 1] = -c * stiffness * across;
        slide.right += c * stiffness * across * slip[k];
    }
    return slide;
}

double zn_equilibrium_coulomb(const zn_equilibrium *e, zn_contact_id *culprit)
{
    const zn_contact_set *set = e->set;
    double                most = 0, worst = 0;
    for (int i = 0; i < set->count; i++)
        most = set->bilateral[i] ? most : fmax(most, e->now.l[i * set->stride]);
    *culprit = zn_contact_id_none();
    for (int i = 0; i < set->count; i++) {
        double c[3] = {set->gap[i], 0, 0}, length = e->length > 0 ? e->length : 1;
        int    rows = zn_equilibrium_rows(e, i);
        for (int r = 1; r < rows; r++)
            c[r] = e->friction.slip[i * set->stride + r];
        double off = rows > 1 && most > 0
                         ? zn_contact_law_distance(rows, set->friction[i], most / length, e->now.l + i * set->stride, c)
                         : 0;
        *culprit = off > worst ? set->id[i] : *culprit;
        worst = fmax(worst, off);
    }
    return worst;
}
