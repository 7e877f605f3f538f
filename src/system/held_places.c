// Where the lines are nearest at the end of a step, s*, is a function of the place s where it was held: the impulse at
// s tilts the lines, and s* runs the other way. With the angle θ between them f(s) = θ² (s* - s) is nearly straight,
// for θ² s* is the tilt times the radii, and its zero is found by a few secants. The ends of the lines stop s. What the
// place misses by is no more than the gap says: held at s the lines are deeper beside it by θ² (s* - s)² / 2λ.
#include "system/held_places.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "system/capture.h"
#include "system/contact_scratch.h"

enum { LOOKS = 24 }; // that may find something in one step

void zn_held_places_clear(zn_held_places *h)
{
    free(h->held);
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

// A better place than the one that has f: where the secant of the last two has its zero, if that is between places of
// either sign; else their middle, or the end of the lines where there is none of one sign yet.
static double better(zn_held_place *p, double f, const zn_nearest_place *at)
{
    *(f > 0 ? &p->low : &p->high) = p->place;
    double low = isnan(p->low) ? at->low : p->low, high = isnan(p->high) ? at->high : p->high;
    double slope = (f - p->missed) / (p->place - p->last), next = p->place - f / slope;
    bool   straight = slope < 0 && next > low && next < high;
    if (straight)
        return next;
    if (!isnan(p->low) && !isnan(p->high))
        return 0.5 * (low + high);
    return f > 0 ? at->high : at->low;
}

// Other contacts that move, too, may have shifted the zero out of what was between places of either sign.
static void widen(zn_held_place *p)
{
    const double nothing = 1e-8;
    if (!(p->high - p->low < nothing))
        return;
    p->low = p->high = NAN;
}

static zn_status fail(const zn_system *sys, zn_contact_id id)
{
    return zn_fail_here(&sys->model->log, ZN_INVALID_STATE,
                        "contact '%s': where round lines that lie along each other touch is not found: a smaller step",
                        zn_contact_name(sys, id));
}

zn_status zn_held_places_look(zn_held_places *h, const zn_system *sys, const zn_contact_set *set, const double *q,
                              double tolerance, zn_held_acts who, bool *more)
{
    zn_contact_id wrong = zn_contact_id_none();
    bool          moves = false;
    for (int i = 0; i < set->count && h->count > 0; i++) {
        zn_nearest_place at;
        zn_held_place   *p = zn_held_places_of(h, set, i);
        if (!p || !nearest(sys, set, i, q, &at) ||
            !(at.gap < -tolerance || (at.beyond > tolerance && who.acts(who.scheme, i))))
            continue;
        double f = at.square * (at.at - p->place), next = within(better(p, f, &at), at.low, at.high);
        widen(p);
        moves |= zn_piece_of_place(next) != set->piece[i];
        wrong = set->id[i];
        p->last = p->place;
        p->missed = f;
        p->place = next;
    }
    *more = zn_system_max(sys, !zn_contact_id_is_none(wrong)) > 0;
    if (*more && (!(zn_system_max(sys, moves) > 0) || h->looks++ >= LOOKS))
        return fail(sys, wrong);
    return ZN_OK;
}
