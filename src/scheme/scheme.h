/// The table every scheme fills, and what schemes share.
#ifndef ZN_SCHEME_SCHEME_H
#define ZN_SCHEME_SCHEME_H

#include "zn/scheme.h"

typedef struct zn_scheme_ops {
    const char *name; ///< the word in model files
    const char *help;
    zn_status (*create)(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self);
    zn_status (*step)(void *self, zn_state *s, double h, zn_step_info *info);
    int (*history_size)(const void *self);                     ///< NULL: the scheme has no history
    void (*history_save)(const void *self, double *history);
    void (*history_load)(void *self, const double *history);
    zn_linsolver_info (*linsolver)(const void *self);
    void (*destroy)(void *self);
} zn_scheme_ops;

extern const zn_scheme_ops zn_moreau_jean_ops, zn_combined_projection_ops;

/// Run one stage of a step; on failure the step report names it.
#define ZN_STAGE(info, name, call) \
    do {                           \
        (info)->failed = (name);   \
        ZN_TRY(call);              \
    } while (0)

#endif
