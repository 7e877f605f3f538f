/// The table every scheme fills, and what schemes share.
#ifndef ZN_SCHEME_SCHEME_H
#define ZN_SCHEME_SCHEME_H

#include "base/blob.h"
#include "base/def.h"
#include "constraint/constraints.h"
#include "system/blame.h"
#include "system/contact_works.h"
#include "zn/scheme.h"

/// What a step leaves beside q and v, one number per degree of freedom (the smooth position: per coordinate).
typedef enum zn_detail {
    ZN_DETAIL_SMOOTH_Q,     ///< position of the smooth motion, before corrections
    ZN_DETAIL_SMOOTH_V,     ///< its velocity
    ZN_DETAIL_CORRECTION,   ///< of the position
    ZN_DETAIL_JUMP,         ///< of the velocity
    ZN_DETAIL_ACCELERATION, ///< that of the scheme at the end of the step
    ZN_DETAILS
} zn_detail;

/// Whose balance: of the fine part, of all coarse ones, of the first coarse one, the second and so on.
enum { ZN_LEDGER_OF_FINE, ZN_LEDGER_OF_COARSE, ZN_LEDGER_OF_FIRST };

typedef struct zn_scheme_ops {
    const char *name; ///< the word in model files
    const char *help;
    const char *ledger_note; ///< what the reader of the ledger must know; NULL: nothing
    zn_status (*create)(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self);
    zn_status (*step)(void *self, zn_state *s, double h, zn_step_info *info);
    /// Forces jump after the last step: what it left of accelerations is not that of the next; NULL: nothing is left.
    /// A little: by what changes after each step.
    void (*jump)(void *self, bool little);
    /// Bring q, v and reactions of the state up to date; NULL: steps do it.
    void (*complete)(void *self, zn_state *state);
    /// The longest step from here on, by the option `follow`; NULL: there is none.
    zn_status (*longest)(void *self, const zn_state *from, double *out);
    /// Steps of size h from one whole state to the next, beginning at `from`; NULL: each is whole.
    zn_status (*period)(void *self, const zn_state *from, double h, int *out);
    /// Energy of a part of the model in the whole state; NULL: that at q and v. Parts with schemes of their own have
    /// each its own position of a node that they share.
    zn_status (*part_energy)(void *self, const zn_state *state, int part, zn_energy *out);
    /// Balance of one part (ZN_LEDGER_OF_FINE ...) of a scheme that splits the model: what it stores now and what
    /// entered it since the start, in a whole state; NULL: it does not. ZN_ERR_ARGUMENT: there is no such part.
    zn_status (*part_ledger)(void *self, const zn_state *state, int part, double out[ZN_LEDGER_LINES]);
    /// A detail of the last step at a place; NaN: there was no step. `details`: bits of those there are.
    double (*detail)(const void *self, zn_detail which, int place);
    unsigned details;
    /// NaN into a state wherever it is not known between two whole ones; NULL: each is whole.
    void (*hide)(void *self, zn_state *state);
    const struct zn_partner_ops *partner;          ///< see partner.h; NULL: cannot be one
    bool                         judges_contacts;  ///< fills coulomb_velocity and coulomb_position
    bool                         judges_velocity;  ///< fills coulomb_velocity
    bool                         projects;         ///< fills shift
    bool                         keeps_momentum;   ///< the certificate measures momenta at each step; fills jump_debt
    bool                         lacks_impact_law; ///< there is none within a step: velocity_violation is not measured
    /// Lists the history in a blob, one way for all directions, and forgets what is not in it. NULL: there is none.
    void (*history)(void *self, zn_blob *blob);
    bool keeps_step; ///< a step that fails cannot be halved
    bool bounded;    ///< by the critical step of what is explicit
    /// What the scheme makes of a model, when it splits it; NULL: it does not. `out` is set but for that.
    zn_status (*describe)(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out);
    zn_linsolver_info (*linsolver)(const void *self);
    struct zn_team *(*threads)(const void *self); ///< that share its work; NULL: it has none
    void (*destroy)(void *self);
} zn_scheme_ops;

extern const zn_def_kind zn_scheme_def_kind;

bool      zn_scheme_keeps_step(const zn_scheme *scheme);
bool      zn_scheme_keeps_momentum(const zn_scheme *scheme);
/// NaN into what the steps of this scheme do not measure.
void      zn_scheme_hide_unmeasured(const zn_scheme *scheme, zn_step_info *info);
/// As zn_scheme_step, but q, v and reactions of the state may stay behind until zn_scheme_complete: a driver that looks
/// at few of the states saves the others. t, contacts and energy are up to date.
zn_status zn_scheme_advance(zn_scheme *scheme, zn_state *state, double h, zn_step_info *info);
void      zn_scheme_jump(zn_scheme *scheme, bool little);
void      zn_scheme_complete(zn_scheme *scheme, zn_state *state);
/// The critical step from this state on; INFINITY: nothing bounds it.
zn_status zn_scheme_longest(zn_scheme *scheme, const zn_state *from, double *out);
/// Steps of size h from one whole state to the next: 1, but for multirate.
zn_status zn_scheme_period(zn_scheme *scheme, const zn_state *from, double h, int *out);
/// Energy of a part of the model in a whole state.
zn_status zn_scheme_part_energy(zn_scheme *scheme, const zn_system *sys, const zn_state *state, int part,
                                zn_energy *out);
/// Balance of a part as above; false: the scheme does not split the model.
bool      zn_scheme_splits(const zn_scheme *scheme);
zn_status zn_scheme_part_ledger(zn_scheme *scheme, const zn_state *state, int part, double out[ZN_LEDGER_LINES]);
bool      zn_scheme_has_detail(const zn_scheme *scheme, zn_detail which);
double    zn_scheme_detail(const zn_scheme *scheme, zn_detail which, int place);
/// The state as it would be shown between two whole ones. For schemes with a period above 1.
void      zn_scheme_hide(zn_scheme *scheme, zn_state *state);

/// Threads of the scheme, for whoever looks at its states; NULL: none, as of no scheme.
struct zn_team *zn_scheme_threads(const zn_scheme *scheme);

extern const zn_scheme_ops zn_moreau_jean_ops, zn_combined_projection_ops, zn_direct_projection_ops, zn_trapezoidal_ops,
    zn_schatzman_paoli_ops, zn_nsga_ops, zn_nsga_coupled_ops, zn_cd_lagrange_ops, zn_newmark_ops, zn_multirate_ops,
    zn_energy_momentum_ops;
extern const zn_scheme_ops zn_newmark_linear_ops;  ///< a partner only
extern const zn_scheme_ops zn_newmark_partner_ops; ///< likewise
extern const zn_scheme_ops zn_levels_ops;          ///< cd_lagrange with the option `levels`

/// Values that are not admissible and options that do not apply are refused with a reason, in refuse.c.
zn_status zn_scheme_refuse_options(const zn_scheme_def *def, const zn_system *sys, const char *scheme,
                                   const zn_log *log);
zn_status zn_scheme_refuse_friction(const zn_system *sys, const char *scheme, const zn_log *log);

/// What a nonsmooth problem took, into the report of its step.
static inline void zn_step_info_add(zn_step_info *info, zn_solved solved)
{
    info->solver_iterations += solved.iterations;
    info->failed_solves += solved.failed;
    info->failed_iterations += solved.wasted;
    info->complementarity = info->complementarity > solved.residual ? info->complementarity : solved.residual;
}

/// How far a Newton iterate is from the answer: the smaller one of its relative residual and the correction that led to
/// it, which must be below `tolerance`. A correction tells that only with the rows it was found with: those of a
/// surface of facets may jump on its way, and leave any residual. `pushes`: G'P of the iterate, `pushed`: with the rows
/// of the correction. `scale`: sizes of the terms of the residual; n each, as `work`.
static inline double zn_newton_distance(const zn_system *sys, double residual, double correction, double tolerance,
                                        const double *pushes, const double *pushed, const double *scale, double *work)
{
    static const double little = 1e-6; // rows that turn a bit leave the next correction the square of this one
    if (residual <= correction)
        return residual;
    if (correction > tolerance || residual <= little)
        return correction;
    double force = 0; // the largest term of one
    for (int i = 0; i < sys->mechanical; i++)
        force = sys->rotational[i] || !(scale[i] > force) ? force : scale[i];
    double moment = little * sys->extent * zn_system_max(sys, force); // of forces whose levers are a bit off
    for (int i = 0; i < sys->info.n; i++) {
        double change = pushes[i] - pushed[i];
        work[i] = i < sys->mechanical && sys->rotational[i] && fabs(change) <= moment ? 0 : change;
    }
    return zn_system_relative_norm(sys, work, scale) > little ? residual : correction;
}

/// What contacts gave, into the report of the step. Their works were added to the set.
static inline void zn_step_info_add_works(zn_step_info *info, const zn_contact_set *set, const zn_system *sys)
{
    if (!set->scratch->works.gave) {
        info->contact_gave = info->giver_gave = 0;
        return;
    }
    zn_contact_gifts gifts = zn_contact_works_sum(set, sys);
    info->contact_gave = gifts.gave;
    info->giver_gave = gifts.most;
    if (gifts.giver >= 0)
        info->giver = set->id[gifts.giver];
}

/// May contacts be solved without columns? Not those that pull, roll or spin, not by a solver that was chosen, not with
/// laws of impact that ask for W, and not where somebody looks at the problems.
bool zn_scheme_may_split(const zn_system *sys, const zn_scheme_def *def);
/// Warn of columns that take more than they may where nothing can be done about it, before they are made.
void zn_scheme_warn_columns(const zn_system *sys, const zn_scheme_def *def, const char *scheme, const zn_log *log);
/// Say that there are none, where a scheme does without.
void zn_scheme_tell_split(const zn_system *sys, const zn_scheme_def *def, zn_linsolver_info info, const zn_log *log);

/// Run one stage of a step; on failure the step report names it.
#define ZN_STAGE(info, name, call)                                                                                     \
    do {                                                                                                               \
        (info)->failed = (name);                                                                                       \
        ZN_TRY(call);                                                                                                  \
    } while (0)

#endif
