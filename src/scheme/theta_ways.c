// Other ways to solve a step before it is halved. See theta.h.
#include "base/seldom.h"
#include "scheme/theta.h"

bool zn_theta_can_bend(const zn_theta *w) { return zn_response_can_bend(&w->motion) && !w->frozen; }

enum { STEADY = 1, COUPLES = 2, BENDS = 4, MIXES = 8, WAYS = 16 };

// Would this change of the way make a difference?
static bool changes_something(const zn_theta *w, int change)
{
    bool repeats = zn_system_max(w->sys, w->list.contacts > 1 && !w->list.friction) > 0;
    bool couples = w->project != ZN_PROJECT_NONE && w->can_couple;
    bool mixes = w->mix.on && w->motion.blocks; // others do so always
    return (mixes || !(change & MIXES)) && (repeats || !(change & STEADY)) &&
           (zn_theta_can_bend(w) || !(change & BENDS)) && (couples || !(change & COUPLES));
}

static int usual_way(const zn_theta_ways *keep)
{
    return STEADY * (keep->steady > 0) + COUPLES * (keep->couples > 0) + BENDS * (keep->bends > 0) +
           MIXES * (keep->mixes > 0);
}

// Another start may be one that can be evaluated.
static bool is_worth_another_start(const zn_theta *w, zn_status status)
{
    return w->step.foreseen && status > ZN_OK && status != ZN_INTERRUPTED;
}

// Contacts that rest in hollows are solved for with one row for each facet when one for each was not enough.
static zn_status look_for_hollows(zn_theta *w, zn_status status, bool *more)
{
    const double *end = w->step.at_free ? w->free.q : w->now.q;
    *more = false;
    return status == ZN_NOT_CONVERGED ? zn_hollows_find(&w->hollows, w->sys, w->contacts, end, more) : ZN_OK;
}

// One attempt, whose report tells of those before it as well.
static zn_status attempt(zn_theta *w, zn_theta_scheme *step, int way, zn_state *s, double h, zn_step_info *info)
{
    w->step.steady = way & STEADY;
    w->step.bends = way & BENDS;
    w->step.mixes = w->mix.on && (!w->motion.blocks || (way & MIXES));
    w->step.coupled = w->project != ZN_PROJECT_NONE && w->def.coupled != !!(way & COUPLES);
    w->step.foreseen = false;
    return step(w, s, h, info);
}

// The usual way has failed: once more where another start may help, then the others.
ZN_SELDOM static zn_status attempt_others(zn_theta *w, zn_theta_scheme *step, int usual, zn_status status, zn_state *s,
                                          double h, zn_step_info *info)
{
    bool again, splits; // the same way from another start
    ZN_TRY(look_for_hollows(w, status, &splits));
    again = splits || is_worth_another_start(w, status);
    w->step.foresees = false;
    for (int k = !again; k < WAYS && (again || status == ZN_NOT_CONVERGED || status == ZN_SINGULAR); k += !again) {
        int failed = info->failed_solves + 1;
        int wasted = info->failed_iterations + info->newton_iterations + info->solver_iterations;
        if (k > 0 && !changes_something(w, k))
            continue;
        status = attempt(w, step, usual ^ k, s, h, info);
        info->failed_solves += failed; // a report is of one attempt
        info->failed_iterations += wasted;
        ZN_TRY(look_for_hollows(w, status, &splits));
        again = splits || is_worth_another_start(w, status);
    }
    return status;
}

zn_status zn_theta_attempt(zn_theta *w, zn_theta_scheme *step, zn_state *s, double h, zn_step_info *info)
{
    int usual = usual_way(&w->keep);
    zn_late_contacts_begin(&w->late);
    zn_hollows_begin(&w->hollows);
    w->step.foresees = true;
    zn_status status = attempt(w, step, usual, s, h, info);
    return status == ZN_OK ? ZN_OK : attempt_others(w, step, usual, status, s, h, info);
}

// A way that was needed is kept for some steps.
static int steps_left(bool used, int before) { return !used ? 0 : before > 0 ? before - 1 : ZN_THETA_KEEP; }

void zn_theta_keep_way(zn_theta *w)
{
    bool couples = w->project != ZN_PROJECT_NONE && w->step.coupled != w->def.coupled;
    bool mixes = w->step.mixes && w->motion.blocks;
    if (!w->step.bends && !w->step.steady && !couples && !mixes) { // the usual one
        w->keep = (zn_theta_ways){0};
        return;
    }
    w->keep.bends = steps_left(w->step.bends, w->keep.bends);
    w->keep.steady = steps_left(w->step.steady, w->keep.steady);
    w->keep.couples = steps_left(couples, w->keep.couples);
    w->keep.mixes = steps_left(mixes, w->keep.mixes);
}
