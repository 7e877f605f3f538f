// Where the lines are nearest at the end of a step, s*, is a function of the place s where it was held: the impulse at
// s tilts the lines, and s* runs the other way. With the angle θ between them f(s) = θ² (s* - s) is nearly straight,
// for θ² s* is the tilt times the radii, and its zero is found by a few secants. The ends of the lines stop s. What the
// place misses by is no more than the gap says: held at s the lines are deeper beside it by θ² (s* - s)² / 2λ.
//
// Where lines lie on one another, each f depends on all places: f(s) is still nearly straight, with slopes that are
// learnt from the takes of the step (Broyden, Math. Comp. 19 (1965) 577-593), and the ends stop some of the places.
#include "system/held_places.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "system/capture.h"
#include "system/contact_scratch.h"

enum { LOOKS = 24 }; // that may find something in one step

void zn_held_places_clear(zn_held_places *h)
{
    free(h->held);
    free(h->slope);
    *h = (zn_held_places){0};
}

static double within(double s, double low, double high) { return fmin(fmax(s, low), high); }

static bool nearest(const zn_system *sys, const zn_contact_set *set, int i, const double *q, zn_nearest_place *out)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
    return rule->ops->nearest && rule->ops->nearest(rule->parameter, &sys->layout, zn_contact_key_at(set, i), q, out);
}

// The first one that is not before the id.
static int find(const zn_held_places *h, zn_contact_id id)
{
    int k = 0;
    while (k < h->count && zn_contact_id_compare(h->held[k].id, id) < 0)
        k++;
    return k;
}

static int piece_in(const zn_contact_set *last, zn_contact_id id)
{
    int i = last ? zn_contact_set_find(last, id) : -1;
    return i >= 0 ? last->piece[i] : 0;
}

// A contact that is held for the first time in this step.
static zn_status add(zn_held_places *h, int k, zn_contact_id id, double place)
{
    ZN_TRY(zn_grow(&h->held, &h->capacity, h->count + 1, sizeof *h->held));
    for (int j = h->count++; j > k; j--)
        h->held[j] = h->held[j - 1];
    h->held[k] = (zn_held_place){.id = id, .place = place, .last = NAN, .missed = NAN, .low = NAN, .high = NAN};
    return ZN_OK;
}

static bool same_pair(zn_contact_id a, zn_contact_id b)
{
    return zn_contact_id_rule(a) == zn_contact_id_rule(b) && zn_contact_id_number(a) == zn_contact_id_number(b);
}

static bool stays(const zn_held_ends *ends, zn_contact_id id)
{
    for (int k = 0; k < ends->count; k++)
        if (zn_contact_id_same(ends->id[k], id))
            return true;
    return false;
}

// Ends of the line of contact `line` leave: it has them itself, and with them beside it nobody knows who carries what.
static zn_status drop_ends(const zn_system *sys, zn_contact_set *set, zn_contact_id line, const zn_held_ends *ends,
                           const double *q)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, line);
    for (int i = set->count - 1; i >= 0; i--) {
        if (!same_pair(set->id[i], line) || zn_contact_id_same(set->id[i], line) || set->piece[i] > 0 ||
            stays(ends, set->id[i]))
            continue;
        if (rule->ops->ends(rule->parameter, &sys->layout, zn_contact_key_of(line, 0), zn_contact_key_at(set, i), q))
            ZN_TRY(zn_contact_set_leave(set, sys, i));
    }
    return ZN_OK;
}

zn_held_place *zn_held_places_of(const zn_held_places *h, const zn_contact_set *set, int i)
{
    int k = set->piece[i] > 0 ? find(h, set->id[i]) : h->count;
    return k < h->count && zn_contact_id_same(h->held[k].id, set->id[i]) ? &h->held[k] : NULL;
}

bool zn_held_places_have(const zn_held_places *h, const zn_system *sys, zn_contact_id id, const double *q)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, id);
    for (int k = 0; k < h->count; k++)
        if (same_pair(h->held[k].id, id) &&
            rule->ops->ends(rule->parameter, &sys->layout, zn_contact_key_of(h->held[k].id, 0),
                            zn_contact_key_of(id, 0), q))
            return true;
    return false;
}

zn_status zn_held_places_hold(zn_held_places *h, const zn_system *sys, zn_contact_set *set, const zn_held_ends *ends,
                              const double *q, double t)
{
    bool any = false;
    for (int i = 0; i < set->count; i++) {
        zn_nearest_place at;
        if (!nearest(sys, set, i, q, &at) || !at.runs)
            continue;
        int k = find(h, set->id[i]), piece = piece_in(ends ? ends->last : NULL, set->id[i]);
        if (k == h->count || !zn_contact_id_same(h->held[k].id, set->id[i]))
            ZN_TRY(add(h, k, set->id[i], piece > 0 ? zn_place_of_piece(piece) : within(at.at, at.low, at.high)));
        set->piece[i] = zn_piece_of_place(h->held[k].place);
        any = true;
    }
    for (int k = 0; k < h->count && ends; k++)
        ZN_TRY(drop_ends(sys, set, h->held[k].id, ends, q));
    return any ? zn_contact_set_evaluate(set, sys, q, t) : ZN_OK;
}

// Of the secant between the last two takes.
static double slope_of(const zn_held_place *p) { return (p->f - p->missed) / (p->place - p->last); }

// A better place than the one that has f: where the secant of the last two has its zero, if that is between places of
// either sign; else their middle, or the end of the lines where there is none of one sign yet.
static double better(zn_held_place *p)
{
    double f = p->f;
    *(f > 0 ? &p->low : &p->high) = p->place;
    double low = isnan(p->low) ? p->ends[0] : p->low, high = isnan(p->high) ? p->ends[1] : p->high;
    double slope = slope_of(p), next = p->place - f / slope;
    bool   straight = slope < 0 && next > low && next < high;
    if (straight)
        return next;
    if (!isnan(p->low) && !isnan(p->high))
        return 0.5 * (low + high);
    return p->ends[f > 0];
}

// Other contacts that move, too, may have shifted the zero out of what was between places of either sign.
static void widen(zn_held_place *p)
{
    const double nothing = 1e-8;
    if (!(p->high - p->low < nothing))
        return;
    p->low = p->high = NAN;
}

// --- lines on one another ------------------------------------------------------------------------

enum { MANY = 24 }; // lines that are solved for together

static int count_acting(const zn_held_places *h)
{
    int n = 0;
    for (int k = 0; k < h->count; k++)
        n += h->held[k].counts;
    return n;
}

// Is a way along a line more than what its ends move by?
static bool is_moved(const zn_held_place *p, double way) { return fabs(way) > 1e-6 * (p->ends[1] - p->ends[0]); }

// The first slopes: each line by itself; of one that others have moved more, the steepest there is.
static zn_status begin_slopes(zn_held_places *h)
{
    int    n = h->count;
    double steepest = 0;
    ZN_TRY(zn_grow(&h->slope, &h->room, n * n, sizeof *h->slope));
    for (int i = 0; i < n; i++)
        if (h->held[i].counts && is_moved(&h->held[i], h->held[i].place - h->held[i].last))
            steepest = fmax(steepest, fabs(slope_of(&h->held[i])));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const zn_held_place *p = &h->held[i];
            double               own = p->counts && is_moved(p, p->place - p->last) ? slope_of(p) : 0;
            h->slope[i * n + j] = i != j ? 0 : own < 0 ? own : -steepest;
        }
    h->known = n;
    return ZN_OK;
}

// Broyden's update: the last take moved places by ds and changed f by df, so that J ds = df.
static void learn(zn_held_places *h)
{
    int    n = h->count;
    double square = 0;
    for (int j = 0; j < n; j++)
        square += (h->held[j].place - h->held[j].last) * (h->held[j].place - h->held[j].last);
    for (int i = 0; i < n && square > 0; i++) {
        const zn_held_place *p = &h->held[i];
        double               miss = p->f - p->missed;
        for (int j = 0; j < n; j++)
            miss -= h->slope[i * n + j] * (h->held[j].place - h->held[j].last);
        double own = h->slope[i * n + i];
        for (int j = 0; j < n && p->counts && !isnan(p->missed); j++)
            h->slope[i * n + j] += miss * (h->held[j].place - h->held[j].last) / square;
        if (!(h->slope[i * n + i] < 0))
            h->slope[i * n + i] = own; // an impulse at s never draws s* along
    }
}

// d with f + J d = 0, but where an end stops a place: there f may point on. By projected sweeps, as -J is like the
// matrix W of the impulses. False: it is not.
static bool solve_places(const zn_held_places *h, double *d)
{
    enum { SWEEPS = 2000 };
    int    n = h->count;
    double moved = INFINITY;
    for (int i = 0; i < n; i++) {
        d[i] = 0;
        if (h->held[i].counts && !(h->slope[i * n + i] < 0))
            return false;
    }
    for (int sweep = 0; sweep < SWEEPS && moved > 0.01 * DBL_EPSILON; sweep++) {
        moved = 0;
        for (int i = 0; i < n; i++) {
            const zn_held_place *p = &h->held[i];
            double               rest = p->f, before = d[i];
            for (int j = 0; j < n; j++)
                rest += h->slope[i * n + j] * d[j];
            if (p->counts)
                d[i] = within(p->place + d[i] - rest / h->slope[i * n + i], p->ends[0], p->ends[1]) - p->place;
            moved = fmax(moved, fabs(d[i] - before));
        }
    }
    return isfinite(moved) && moved < 1e-9;
}

// How far places are from an answer with f of theirs: what points beyond an end is none.
static double miss_of(const zn_held_places *h, bool last)
{
    double sum = 0;
    for (int k = 0; k < h->count; k++) {
        const zn_held_place *p = &h->held[k];
        double               f = last ? p->missed : p->f, way = p->ends[f > 0] - (last ? p->last : p->place);
        if (p->counts && is_moved(p, way))
            sum += f * f;
    }
    return sum;
}

// The last takes led away: back to the ones before, which are better, and how far it was from them.
static double go_back(zn_held_places *h)
{
    double far = 0;
    for (int k = 0; k < h->count; k++) {
        zn_held_place *p = &h->held[k];
        if (!p->counts)
            continue;
        far = fmax(far, fabs(p->place - p->last));
        p->place = p->last;
        p->f = p->missed;
    }
    return far;
}

// A part of the way to the end where f points, to learn from; from there to the other one.
static double probe(const zn_held_place *p)
{
    const double part = 0.25;
    double       way = p->ends[p->f > 0] - p->place;
    return part * (is_moved(p, way) ? way : p->ends[!(p->f > 0)] - p->place);
}

// Begins anew, in the middle of all lines: f is not straight near ends, where impulses are smaller.
static void begin_anew(zn_held_places *h, double *next)
{
    h->known = 0;
    for (int k = 0; k < h->count; k++) {
        zn_held_place *p = &h->held[k];
        p->f = NAN; // says nothing of what comes
        next[k] = 0.5 * (p->ends[0] + p->ends[1]);
    }
}

// Better places of lines that act together, no farther than half of what led away.
static zn_status better_together(zn_held_places *h, double *next)
{
    double d[MANY], most = INFINITY, longest = 0;
    bool   learnt = true;
    for (int k = 0; k < h->count; k++)
        learnt &= !h->held[k].counts || !isnan(h->held[k].missed);
    if (h->known != h->count && learnt)
        ZN_TRY(begin_slopes(h));
    else if (h->known == h->count) {
        learn(h);
        if (learnt && miss_of(h, false) > 2 * miss_of(h, true))
            most = 0.5 * go_back(h);
    }
    bool solved = h->known == h->count && solve_places(h, d);
    for (int k = 0; k < h->count; k++) {
        d[k] = !h->held[k].counts ? 0 : solved ? d[k] : probe(&h->held[k]);
        longest = fmax(longest, fabs(d[k]));
    }
    for (int k = 0; k < h->count; k++)
        next[k] = h->held[k].place + d[k] * (longest > most ? most / longest : 1);
    return ZN_OK;
}

static zn_status fail(const zn_system *sys, zn_contact_id id)
{
    return zn_fail_here(&sys->model->log, ZN_INVALID_STATE,
                        "contact '%s': where round lines that lie along each other touch is not found: a smaller step",
                        zn_contact_name(sys, id));
}

// Which lines matter at q, and f of them; the last that is wrong.
static zn_contact_id look_at_lines(zn_held_places *h, const zn_system *sys, const zn_contact_set *set, const double *q,
                                   double tolerance, zn_held_acts who)
{
    zn_contact_id wrong = zn_contact_id_none();
    for (int k = 0; k < h->count; k++)
        h->held[k].counts = h->held[k].wrong = false;
    for (int i = 0; i < set->count && h->count > 0; i++) {
        zn_nearest_place at;
        zn_held_place   *p = zn_held_places_of(h, set, i);
        if (!p || !nearest(sys, set, i, q, &at))
            continue;
        bool acts = who.acts(who.scheme, i);
        p->counts = at.gap < -tolerance || acts;
        p->f = at.square * (at.at - p->place);
        p->ends[0] = at.low;
        p->ends[1] = at.high;
        p->wrong = at.gap < -tolerance || (at.beyond > tolerance && acts);
        if (p->wrong)
            wrong = set->id[i];
    }
    return wrong;
}

// Places for the next take. Lines that did not matter stay, and nothing is learnt from them; of lines that are looked
// at one by one those that are right stay, too. False: nothing moves.
static zn_status move_places(zn_held_places *h, bool alone, bool *moves)
{
    double next[MANY], tried[MANY];
    for (int k = 0; k < h->count && !alone; k++)
        tried[k] = h->held[k].place;
    if (!alone && h->looks == LOOKS / 2)
        begin_anew(h, next);
    else if (!alone)
        ZN_TRY(better_together(h, next));
    *moves = false;
    for (int k = 0; k < h->count; k++) {
        zn_held_place *p = &h->held[k];
        double         place = p->place;
        if (!p->counts) {
            p->last = place;
            p->missed = NAN;
        }
        if (!p->counts || (alone && !p->wrong))
            continue;
        p->place = alone ? within(better(p), p->ends[0], p->ends[1]) : next[k];
        widen(p);
        *moves |= zn_piece_of_place(p->place) != zn_piece_of_place(alone ? place : tried[k]);
        p->last = place;
        p->missed = p->f;
    }
    return ZN_OK;
}

zn_status zn_held_places_look(zn_held_places *h, const zn_system *sys, const zn_contact_set *set, const double *q,
                              double tolerance, zn_held_acts who, bool *more)
{
    zn_contact_id wrong = look_at_lines(h, sys, set, q, tolerance, who);
    bool          moves;
    *more = zn_system_max(sys, !zn_contact_id_is_none(wrong)) > 0;
    if (!*more)
        return ZN_OK;
    ZN_TRY(zn_system_agree(sys, move_places(h, count_acting(h) == 1 || h->count > MANY, &moves)));
    if (!(zn_system_max(sys, moves) > 0) || h->looks++ >= LOOKS)
        return zn_system_agree(sys, zn_contact_id_is_none(wrong) ? ZN_OK : fail(sys, wrong));
    return ZN_OK;
}
