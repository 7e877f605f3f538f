/// Newmark's scheme with Newton's method: what its files share.
///     newmark.c          the step, alone
///     newmark_partner.c  the step as a partner, taken apart at its links; how velocities answer to them
#ifndef ZN_SCHEME_NEWMARK_H
#define ZN_SCHEME_NEWMARK_H

#include "scheme/partner.h"
#include "scheme/scheme.h"
#include "system/system.h"

enum { ZN_NEWMARK_BEND = 20 }; ///< steps that curvature stays in the matrix once it was needed

/// Everything that follows from the acceleration at the end of the step.
typedef struct newmark_end {
    double *a, *push, *pull; ///< acceleration, G'l, links
    double *d, *v, *q, *force, *inertia, *residual;
} newmark_end;

/// As a partner: what links need beside the step.
typedef struct newmark_coupling {
    double        size;   ///< of the step that the response is for; 0: accelerations
    double        t;      ///< its end
    bool          fresh;  ///< the factors are those of the step under way
    int           rounds; ///< corrections of the step after its links changed
    zn_sparse    *sum;    ///< A~ of newmark_partner.c; NULL: nobody asked for it
    zn_linsolver *joined; ///< its factors
    zn_response   with;   ///< what they answer to joints
    double       *other;  ///< response of the other part, at the links
    double       *l;      ///< multipliers of joints, kept
    double       *shift;  ///< of positions in a step, beside its velocity (n_all); NULL: none
    double       *room;   ///< for it
} newmark_coupling;

typedef struct newmark {
    const zn_system *sys;
    zn_scheme_def    def;
    double           beta, gamma;
    int              n, n_all, nq, joints;
    bool             linear; ///< one linear solve is exact
    // history
    bool             started, jumped; ///< jumped: accelerations are found anew
    double          *a, *push, *pull; ///< acceleration, G'l, links
    int              bend_steps;      ///< for which the curvature of joints stays in the matrix
    // the step
    bool             bends, slow; ///< it is there; Newton would have needed it, or did
    double           h;
    zn_contact_set  *contacts;
    zn_row_list      list;   ///< equations of joints
    zn_response      motion; ///< A = M + h gamma C + h^2 beta K
    zn_constraints   problem;
    double          *start_v, *start_d; ///< of the predictor
    newmark_end      end;
    double          *scale, *work, *l, *rate; ///< of joints: multipliers, right-hand sides
    double          *bend;                    ///< multipliers per row of the set, as they enter the matrix
    double          *floor;                   ///< accelerations that positions cannot resolve, over the tolerance
    double           velocity_floor;          ///< the same of velocities at joints
    double           taken;                   ///< largest velocity that joints take from the free motion
    double           relative, correction;
    zn_energy        energy;
    zn_step_info    *info;
    zn_arena        *memory;
    newmark_coupling coupling;
} newmark;

/// A at a point for steps of size h; 0: the mass alone.
zn_status newmark_factor(newmark *s, double h, zn_at at);
/// A at the end of the step; `first`: of its iterations.
zn_status newmark_factor_end(newmark *s, double t, bool first);
/// Multipliers l with G (x + A^-1 G'l) = -rate in every joint, A^-1 the response r; x (n) moves along, push += G'l.
zn_status newmark_solve_joints(newmark *s, zn_response *r, zn_rows G, double *x, double *push);
/// How velocities of joints change with the acceleration at the end of the step.
zn_status newmark_joint_rows(newmark *s, double t, zn_rows *out);
/// Accelerations at the beginning, with the links there.
zn_status newmark_start(newmark *s, const zn_state *from);
/// The step with the links of its beginning at its end.
zn_status newmark_solve(newmark *s, const zn_state *from);
/// The change of the acceleration that Newton's method asks for, into `work`; multipliers of joints into end.push.
zn_status newmark_correction(newmark *s, const zn_state *from);
/// One correction, after the links at the end have changed, with the factors there are. `settled`: it was enough.
/// Blames what is worst when `rounds` of them were not.
zn_status newmark_settle(newmark *s, const zn_state *from, int rounds, bool *settled);
zn_status newmark_book(newmark *s, const zn_state *from);
void      newmark_book_joints(newmark *s);
void      newmark_commit(newmark *s, zn_state *to); ///< cannot fail

zn_status         newmark_create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self);
void              newmark_destroy(void *self);
void              newmark_history(void *self, zn_blob *blob);
zn_linsolver_info newmark_linsolver(const void *self);

#endif
