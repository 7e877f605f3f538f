// direct_projection.c - Direct projection. Acary, CMAME 256 (2013) 224-250, eq. (28), algorithm 1.
//
//     M(q_th) (v' - v) = h F(t_th, q_th, v_th) + G(q')' P
//     q' = q (+) (h v_th + N G(q')' tau)
//     if forecast gap <= 0:  0 <= U' + e U _|_ P >= 0
//     0 <= g(q') _|_ tau >= 0                      for all contacts
//
// Constraints hold at both levels, but a contact may be projected whose velocity law is not active: with the explicit
// forecast the projection then feeds energy into the system and the contact chatters (section 4.5).
#include "scheme/theta.h"

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    (void)log;
    zn_theta *w;
    ZN_TRY(zn_theta_create(def, sys, ZN_PROJECT_ALL, &w));
    *self = w;
    return ZN_OK;
}

static bool penetrates(const zn_theta *w)
{
    double worst = 0;
    for (int i = 0; i < w->contacts->count; i++)
        worst = zn_larger(worst, w->contacts->bilateral[i] ? 0 : -w->contacts->gap[i]);
    return zn_system_max(w->sys, worst) > w->step.gap_tolerance;
}

// With contacts near the start of the step, and those that are late.
static zn_status solve(zn_theta *w, const zn_state *s, double h, zn_step_info *info)
{
    ZN_STAGE(info, "contact detection", zn_theta_begin(w, s, h, info));
    ZN_STAGE(info, "free motion", zn_theta_free_motion(w));
    zn_theta_activate_forecast(w); // (61), (62)
    ZN_STAGE(info, "gaps", zn_theta_free_gaps(w));
    if (w->list.contacts > 0 || penetrates(w))
        ZN_STAGE(info, "impulses and projection", zn_theta_solve(w));
    return ZN_OK;
}

static zn_status attempt(zn_theta *w, zn_state *s, double h, zn_step_info *info)
{
    *info = (zn_step_info){.activation_iterations = 1};
    for (bool more = true; more;) {
        ZN_TRY(solve(w, s, h, info));
        ZN_STAGE(info, "contacts at the end", zn_theta_look_again(w, &more));
    }
    ZN_STAGE(info, "energy ledger", zn_theta_finish(w));
    zn_theta_commit(w, s); // cannot fail
    return ZN_OK;
}

static zn_status step(void *self, zn_state *s, double h, zn_step_info *info)
{
    return zn_theta_attempt(self, attempt, s, h, info);
}

const zn_scheme_ops zn_direct_projection_ops = {
    .name = "direct_projection",
    .help = "direct projection: position and velocity level, may chatter (Acary 2013, alg. 1)",
    .create = create,
    .step = step,
    .judges_velocity = true,
    .projects = true,
    .history = zn_theta_history,
    .linsolver = zn_theta_linsolver,
    .destroy = zn_theta_destroy_self,
};
