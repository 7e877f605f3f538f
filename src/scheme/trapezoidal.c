// trapezoidal.c - Theta rule with the contact law at position level: the baseline of Acary (2013), fig. 11.
//
//     M(q_th) (v' - v) = h F(t_th, q_th, v_th) + G(q')' P
//     q' = q (+) h v_th
//     0 <= g(q') _|_ P >= 0
//
// An index-3 constraint with theta = 1/2: positions are exact, velocity and force of a closed contact oscillate from
// step to step. There is no impact law: friction is refused, restitution has no effect (a warning says so).
#include "scheme/theta.h"

static zn_status warn_restitution(const zn_system *sys, const zn_log *log)
{
    zn_state *start;
    ZN_TRY(zn_state_create(sys, &start));
    for (int i = 0; i < start->contacts->count; i++)
        if (start->contacts->restitution[i] > 0) {
            zn_log_write(log, ZN_LOG_WARNING,
                         "trapezoidal: restitution of contact '%s' has no effect, there is no impact law",
                         zn_contact_name(sys, start->contacts->id[i]));
            break;
        }
    zn_state_destroy(start);
    return ZN_OK;
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    ZN_TRY(zn_scheme_refuse_friction(sys, "trapezoidal", log));
    ZN_TRY(warn_restitution(sys, log));
    zn_theta *w;
    ZN_TRY(zn_theta_create(def, sys, ZN_PROJECT_NONE, &w));
    w->position_law = true;
    *self = w;
    return ZN_OK;
}

static zn_status attempt(zn_theta *w, zn_state *s, double h, zn_step_info *info)
{
    *info = (zn_step_info){.activation_iterations = 1};
    ZN_STAGE(info, "contact detection", zn_theta_begin(w, s, h, info));
    ZN_STAGE(info, "free motion", zn_theta_free_motion(w));
    ZN_STAGE(info, "gaps", zn_theta_free_gaps(w));
    while (zn_theta_activate_closed(w)) { // what the motion would penetrate, until nothing does
        info->activation_iterations++;
        ZN_STAGE(info, "contact forces", zn_theta_solve(w));
    }
    ZN_STAGE(info, "energy ledger", zn_theta_finish(w));
    zn_theta_commit(w, s); // cannot fail
    return ZN_OK;
}

static zn_status step(void *self, zn_state *s, double h, zn_step_info *info)
{
    return zn_theta_attempt(self, attempt, s, h, info);
}

const zn_scheme_ops zn_trapezoidal_ops = {
    .name = "trapezoidal",
    .help = "theta rule with constraints at position level only: the baseline that oscillates (Acary 2013, fig. 11)",
    .create = create,
    .step = step,
    .history = zn_theta_history,
    .linsolver = zn_theta_linsolver,
    .destroy = zn_theta_destroy_self,
};
