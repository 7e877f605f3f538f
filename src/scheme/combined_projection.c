// combined_projection.c - Combined activation and projection. Acary, CMAME 256 (2013) 224-250, algorithm 2.
//
//     I_0 = {} if the motion without contacts penetrates nowhere, else what was pressed and would stay closed; repeat
//         M(q_th) (v' - v) = h F(t_th, q_th, v_th) + G(q')' P
//         q' = q (+) (h v_th + G(q')' tau)
//         for contacts in I:  0 <= U' + e U _|_ P >= 0
//                             g(q') = 0 with tau of free sign    if P > 0      (65)
//                             0 <= g(q') _|_ tau >= 0            otherwise
//         I <- I + { g(q') <= 0 }                                              (66)
//     until I stays the same.
//
// Constraints hold at position and velocity level, and no contact is projected whose velocity law is not active, which
// is what keeps the scheme free of chattering. I only grows, but for contacts that would be closed from far away and
// are open: these leave it, each once. So there are at most twice as many passes as contacts, plus one. The paper has
// I_0 = {} always. Where impulses are unique, contacts that rest are found in the end in any case, but one layer in
// each pass; and where the projection of one contact opens another that is pressed, it is not lost for a step.
#include "scheme/theta.h"

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    (void)log;
    zn_theta *w;
    ZN_TRY(zn_theta_create(def, sys, ZN_PROJECT_ACTIVE, &w));
    *self = w;
    return ZN_OK;
}

// With contacts near the start of the step, and those that are late.
static zn_status solve(zn_theta *w, const zn_state *s, double h, zn_step_info *info)
{
    ZN_STAGE(info, "contact detection", zn_theta_begin(w, s, h, info));
    ZN_STAGE(info, "free motion", zn_theta_free_motion(w)); // I_0 = {}
    ZN_STAGE(info, "gaps", zn_theta_free_gaps(w));
    for (bool first = true; zn_theta_activate_closed(w); first = false) { // (66)
        if (first)
            ZN_STAGE(info, "gaps", zn_theta_activate_held(w));
        info->activation_iterations++;
        ZN_STAGE(info, "activation and projection", zn_theta_solve(w)); // (65)
    }
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

const zn_scheme_ops zn_combined_projection_ops = {
    .name = "combined_projection",
    .help = "combined activation and projection: position and velocity level, free of chattering (Acary 2013, alg. 2)",
    .create = create,
    .step = step,
    .judges_velocity = true,
    .projects = true,
    .history = zn_theta_history,
    .linsolver = zn_theta_linsolver,
    .destroy = zn_theta_destroy_self,
};
