// moreau_jean.c - Moreau-Jean time stepping. Acary, CMAME 256 (2013) 224-250, eq. (18).
//
//     M(q_th) (v' - v) = h F(t_th, q_th, v_th) + G(q')' P          (18a)
//     q' = q (+) h v_th                                            (18b)
//     U' = G(q') v'                                                (18c)
//     if forecast gap <= 0:  0 <= U' + e U _|_ P >= 0,  else P = 0 (18d)
//
// theta in [1/2, 1]; e Newton restitution. Forecast: explicit g + gamma h U (61) or free g + h ((1-th) U + th U_free)
// (62). Constraints hold at velocity level; positions may penetrate by the motion within one step.
#include "scheme/theta.h"

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    (void)log;
    zn_theta *w;
    ZN_TRY(zn_theta_create(def, sys, ZN_PROJECT_NONE, &w));
    zn_status status = zn_theta_share(w);
    if (status != ZN_OK)
        zn_theta_destroy(w);
    else
        *self = w;
    return status;
}

static zn_status attempt(zn_theta *w, zn_state *s, double h, zn_step_info *info)
{
    *info = (zn_step_info){.activation_iterations = 1};
    ZN_STAGE(info, "contact detection", zn_theta_begin(w, s, h, info));
    ZN_STAGE(info, "free motion", zn_theta_free_motion(w)); // (18a), (18b) with P = 0
    zn_theta_activate_forecast(w);                          // forecast gap <= 0
    if (zn_theta_touches(w))
        ZN_STAGE(info, "contact impulses", zn_theta_solve(w)); // (18a) - (18d)
    ZN_STAGE(info, "energy ledger", zn_theta_finish(w));
    zn_theta_commit(w, s); // cannot fail
    return ZN_OK;
}

static zn_status step(void *self, zn_state *s, double h, zn_step_info *info)
{
    return zn_theta_attempt(self, attempt, s, h, info);
}

const zn_scheme_ops zn_moreau_jean_ops = {
    .name = "moreau_jean",
    .help = "Moreau-Jean: impact law and constraints at velocity level (Acary 2013, eq. 18)",
    .create = create,
    .step = step,
    .judges_velocity = true,
    .history = zn_theta_history,
    .linsolver = zn_theta_linsolver,
    .threads = zn_theta_threads,
    .destroy = zn_theta_destroy_self,
};
