/// Accelerated Gauss-Seidel sweeps over the contacts of large islands with a lumped mass. W = G M^-1 G' is never made:
///
///     u = q + G d,   d = M^-1 G' r
///
/// A contact reads the motion d of the few nodes it acts on (one and the corners of a facet), is solved exactly by
/// itself, and moves them. A sweep costs as much as a product with the rows G. Where a contact has a normal and two
/// tangents at nodes of equal mass in all directions, its block of W is a multiple of the unit matrix: three rows are
/// one weight for each node, and the law is solved in closed form, with all directions of a node at once.
///
/// Islands share no degree of freedom that moves: they are solved side by side, in any order, with the same bits. The
/// largest are shared by all threads, chunk by chunk (island_chunks.h).
#ifndef ZN_CONSTRAINT_ISLAND_SWEEPS_H
#define ZN_CONSTRAINT_ISLAND_SWEEPS_H

#include "base/team.h"
#include "constraint/constraints.h"
#include "solve/friction.h"
#include "system/lumped.h"

enum { ZN_SWEEP_LANES = 4 }; ///< of a node: three directions and one that stays zero

/// A contact or an equation, in units where its block of W is about 1: g' = s g, q' = s q, r = s r'.
typedef struct zn_sweep_unit {
    int    row, rows; ///< of the set
    int    first;     ///< its rows among those of all units
    int    place;     ///< of its entries (even: of its nodes) in zn_sweeps.place
    int    entries;   ///< moving degrees of freedom that it acts on; even: nodes
    int    value;     ///< of its entries: rows x entries of g', behind them of M^-1 g' where M is not diagonal;
                      ///< even: weights of nodes, and over their masses
    bool   even;      ///< block of W = 1: values are weights of nodes
    bool   turned;    ///< M is not diagonal there
    double mu;        ///< < 0: an equation
    double scale;     ///< s
    double W[12];     ///< the block; even: the normal and tangents, four each, the last one zero
} zn_sweep_unit;

/// Units of an island that a thread takes at once.
typedef struct zn_sweep_chunk {
    int    unit, units, colour;
    double worst, scale, data; ///< what its units leave to be put together
} zn_sweep_chunk;

typedef struct zn_sweep_island {
    int       chunk, chunks, colours;
    int       unit, units, first, rows, dof, dofs; ///< of each array
    int       iterations;
    double    residual; ///< never below zn_fc_residual
    zn_status status;
} zn_sweep_island;

typedef struct zn_sweeps {
    const zn_lumped_mass *mass;
    const int            *triad_of;
    double                tolerance;
    const zn_contact_set *set; ///< of the problem at hand
    int                  *at;  ///< n_all: of a degree of freedom in `dof`, -1 between problems
    int islands, island_capacity, units, unit_capacity, places, place_capacity, values, value_capacity, dofs,
        dof_capacity, rows, row_capacity;
    zn_sweep_island *island;
    zn_sweep_unit   *unit;
    zn_fc_local     *local; ///< per unit: of those with three rows that are not even
    int             *place;
    double          *value;
    int             *dof;             ///< -1: none, so that three directions of a node begin at a multiple of four
    double          *moved, *inverse; ///< per place in `dof`: d, in `motion` from an address that suits four, and M^-1
    double          *motion;
    double          *r, *q, *history; ///< per row; ZN_ANDERSON_VECTORS
    int              chunks, chunk_capacity, used_capacity;
    zn_sweep_chunk  *chunk;
    unsigned        *used; ///< per place in `dof`: colours
    zn_team         *team; ///< borrowed: shares islands of several chunks
} zn_sweeps;

static inline double zn_sweep_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Of a unit that knows its rows: places, values and scale, behind those of the last one; there is room.
void zn_sweep_unit_make(zn_sweeps *w, zn_sweep_unit *u);

/// Does every unit of an island have one row, a normal?
bool      zn_sweeps_are_smooth(const zn_sweeps *w, const zn_sweep_island *island);
/// out = W x, of the rows of an island; the motion is that of x afterwards.
void      zn_sweeps_multiply(const zn_sweeps *w, const zn_sweep_island *island, const double *x, double *out);
/// Residual of the impulses in w->r; the motion is theirs afterwards.
double    zn_sweeps_judge(const zn_sweeps *w, const zn_sweep_island *island);
zn_status zn_sweeps_create(const zn_system *sys, const zn_lumped_mass *mass, const int *triad_of, double tolerance,
                           zn_sweeps *out);
void      zn_sweeps_destroy(zn_sweeps *w);

/// No islands; rows are those of this set.
void      zn_sweeps_clear(zn_sweeps *w, const zn_contact_set *set);
/// An island by its listed rows, which have no followers; q and r (the warm start): per listed row.
zn_status zn_sweeps_add(zn_sweeps *w, const zn_row_list *list, const double *q, const double *r);
/// All of them. Those that do not converge have the status ZN_NOT_CONVERGED. team: NULL is the caller alone.
void      zn_sweeps_run(zn_sweeps *w, zn_team *team);
/// Of island k, which has converged: v += d, P: per row of the set.
void      zn_sweeps_apply(const zn_sweeps *w, int k, double *v, double *P);

#endif
