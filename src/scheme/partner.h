/// A scheme as a partner in a coupling of parts by forces on their common nodes (links): a step is taken apart, so that
/// the links can be found between its free solution and its end. The velocity at the end of a step depends on them by
///     v = v_free + response link.
#ifndef ZN_SCHEME_PARTNER_H
#define ZN_SCHEME_PARTNER_H

#include "zn/scheme.h"

/// Links: forces on `count` degrees of freedom of the part.
typedef struct zn_links {
    int        count;
    const int *dof;
} zn_links;

/// How a part answers to links at the end of a step: v = v_free + R link. Called in this order; a step of size 0 stands
/// for the accelerations at `from`.
typedef struct zn_response_ops {
    zn_status (*prepare)(void *self, const zn_state *from, double h, zn_links links);
    bool (*diagonal)(void *self, zn_links links, double *out);  ///< R, if that is all there is of it
    zn_status (*full)(void *self, zn_links links, double *out); ///< R, count x count
    zn_status (*answer)(void *self, zn_links links, const double *force, double *out); ///< R force
    /// (other + R) link = difference with a diagonal `other`, without R itself: prepared once, then solved. NULL: not
    /// offered. `finish` may use what the last solution left when it gets its links, with the opposite sign.
    zn_status (*join)(void *self, zn_links links, const double *other);
    zn_status (*solve)(void *self, zn_links links, const double *difference, double *link);
} zn_response_ops;

typedef struct zn_partner_ops {
    const zn_response_ops *response;
    /// Acceleration without links at the beginning, after `prepare` for a step of size 0; h: of the steps to come.
    zn_status (*accelerations)(void *self, const zn_state *from, double h, zn_links links, double *out);
    /// Begin at `from` with these links; may set its reactions.
    zn_status (*start)(void *self, zn_state *from, double h, zn_links links, const double *force);
    /// The step from `from` without links at its end; their velocities there.
    zn_status (*solve_free)(void *self, const zn_state *from, double h, zn_links links, double *velocity,
                            zn_step_info *info);
    /// Add the links at the end of the step, contacts and the ledger; `work` gets the work of the links in the step.
    /// Uses up the free solution: when the step is given up, solve_free comes first again.
    zn_status (*finish)(void *self, const zn_state *from, zn_links links, const double *force, zn_step_info *info,
                        double *work);
    void (*commit)(void *self, zn_state *to); ///< cannot fail
    /// Position and velocity of the state, and its reactions; no step may be under way.
    void (*show)(void *self, zn_state *state, double *q, double *v);
    /// Contacts at the end of the step, after `finish`; NULL: it takes none.
    const zn_contact_set *(*contacts)(const void *self);
    /// Of a scheme whose response is that of a step linearised, prepared after each `solve_free`: that is the solution
    /// with the links of the beginning, near which v = v_free + R (link - link_0) holds. Take these links in;
    /// `settled`: nothing is left of the balance, and `finish` may follow. NULL: the response is exact, and that of all
    /// steps.
    zn_status (*settle)(void *self, const zn_state *from, zn_links links, const double *force, bool *settled);
    /// Velocities at the links with those that were taken in, as far as a linearised step tells.
    zn_status (*look)(void *self, const zn_state *from, zn_links links, double *velocity);
    // Nodes that turn at will on the interface (multirate_turns.c); NULL: the scheme takes none.
    /// The free velocity anew, with the inertia forces of rotation that these links give; NULL: `settle` sees to it.
    zn_status (*spin)(void *self, const zn_state *from, zn_links links, const double *force, double *velocity);
    /// What a step moves beside its velocities: taken by the next `solve_free`, and by those after it until it changes.
    void (*shift)(void *self, zn_links links, const double *shift);
    /// Displacement by the velocities of the step, after `finish`.
    void (*way)(const void *self, zn_links links, double *out);
} zn_partner_ops;

#endif
