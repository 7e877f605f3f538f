/// What a zn_system holds, and the places where a test can make an evaluation fail.
#ifndef ZN_SYSTEM_SYSTEM_H
#define ZN_SYSTEM_SYSTEM_H

#include "model/model.h"
#include "system/chunks.h"
#include "zn/system.h"

/// Acceleration load, ready to use: column i holds M e_i over the loaded parts.
typedef struct zn_uniform_load {
    const zn_acceleration *load;
    double                *column[3]; ///< NULL where there is no signal
} zn_uniform_load;

struct zn_system {
    const zn_model *model; ///< borrowed
    zn_system_info  info;
    zn_layout       layout;
    int            *coordinate_dof; ///< nq: degree of freedom that moves a coordinate; -1: part of a quaternion
    int             frames3;        ///< number of frame3 nodes
    int            *frame3;         ///< their indices
    bool           *rotational;     ///< n_all
    bool            has_rotations;
    bool            varying_mass; ///< M depends on q
    double          extent;       ///< [m] size of the model at the start
    int             blocks;
    zn_element_block *block;
    zn_velocity_force *velocity; ///< what of each block's force depends on velocity
    zn_chunks      *chunks;  ///< of each block
    int           **scatter; ///< owned places of each block
    int           **dof;     ///< owned dofs of each block
    zn_sparse     **pattern; ///< made when it is first asked for
    double         *gravity_force; ///< M g of all nodes with a position
    int             uniform_loads;
    zn_uniform_load *uniform;
    double         *q0, *v0; ///< initial state
    int             contact_capacity, entry_capacity, max_entries;
    int             contact_rows; ///< rows per contact, the largest of all rules
    bool            fixed_contacts; ///< no rule detects: the set never changes
    bool            straight_contacts; ///< and no row depends on q: only gaps change
    bool            constant_force; ///< f does not depend on q, v, t
    zn_reductions   reductions;
    int            *fault; ///< evaluations left until one fails; 0: none does
};

/// f += uniform accelerations.
zn_status zn_system_add_uniform(const zn_system *sys, zn_at at, double *f);

/// Every evaluation that may fail passes here, so that a test can make the n-th one fail.
static inline zn_status zn_system_checkpoint(const zn_system *sys)
{
    return *sys->fault > 0 && --*sys->fault == 0 ? ZN_NOT_CONVERGED : ZN_OK;
}

/// The n-th evaluation from now on fails once (n >= 1); 0: none. For tests.
void zn_system_inject_failure(const zn_system *sys, int n);

#endif
