/// Coupling of a fine and a coarse part: what its files share.
///     multirate.c           the step
///     multirate_split.c     which element, contact and joint belongs to which part; the interface
///     multirate_describe.c  sizes and critical step of the parts; the ratio
#ifndef ZN_SCHEME_MULTIRATE_H
#define ZN_SCHEME_MULTIRATE_H

#include "scheme/partner.h"
#include "scheme/scheme.h"
#include "system/subsystem.h"

enum { FINE, COARSE, PARTS };

/// A part with its partner scheme.
typedef struct multirate_part {
    zn_subsystem         part;
    zn_state            *state;
    const zn_scheme_ops *ops;
    void                *self;
    int                 *dof;   ///< of the links
    double              *force; ///< links now, as forces on this part
    zn_step_info         info;
} multirate_part;

/// Create both parts and find the links: `*count` of them. Refuses, with the reason and a name, what cannot be split.
zn_status multirate_split(const zn_scheme_def *def, const zn_system *sys, multirate_part part[PARTS], int *count);
void      multirate_part_destroy(multirate_part *p);
/// Fine steps in a coarse one: what is given, or as many as the coarse part would bear were it explicit.
zn_status multirate_ratio(const zn_scheme_def *def, const zn_system *coarse, zn_at at, double h, int *out);
zn_status multirate_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out);

#endif
