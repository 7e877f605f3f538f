/// Coupling of a fine and a coarse part: what its files share.
///     multirate.c           the step
///     multirate_split.c     which element, contact and joint belongs to which part; the interface
///     multirate_links.c     the forces on the interface
///     multirate_describe.c  sizes and critical step of the parts; the ratio
#ifndef ZN_SCHEME_MULTIRATE_H
#define ZN_SCHEME_MULTIRATE_H

#include "scheme/interface.h"
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

/// (R_fine + R_coarse) L = difference, R the responses of both parts to the links.
typedef struct multirate_links {
    int              count;
    zn_interface_way wanted;
    enum { LINKS_DIAGONAL, LINKS_DENSE, LINKS_SPARSE } way;
    double      *diagonal[PARTS], *inverse; ///< responses of the parts; of their sum
    double      *response;                  ///< dense: of both parts
    zn_interface dense;                     ///< links 0: not made yet
} multirate_links;

zn_status multirate_links_create(int count, zn_interface_way wanted, multirate_links *out);
void      multirate_links_destroy(multirate_links *l);
/// For steps of size h of the parts; 0: for accelerations.
zn_status multirate_links_prepare(multirate_links *l, multirate_part part[PARTS], const double h[PARTS]);
/// `link` has room for three more than there are links.
zn_status multirate_links_solve(const multirate_links *l, multirate_part part[PARTS], const double *difference,
                                double *link);
/// Velocity += R_coarse link.
zn_status multirate_links_add_coarse(const multirate_links *l, multirate_part part[PARTS], const double *link,
                                     double *scratch, double *velocity);

static inline zn_links multirate_links_of(const multirate_links *l, const multirate_part *p)
{
    return (zn_links){l->count, p->dof};
}

/// Create both parts and find the links: `*count` of them. Refuses, with the reason and a name, what cannot be split.
zn_status multirate_split(const zn_scheme_def *def, const zn_system *sys, multirate_part part[PARTS], int *count);
void      multirate_part_destroy(multirate_part *p);
/// Fine steps in a coarse one: what is given, or as many as the coarse part would bear were it explicit.
zn_status multirate_ratio(const zn_scheme_def *def, const zn_system *coarse, zn_at at, double h, int *out);
zn_status multirate_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out);

#endif
