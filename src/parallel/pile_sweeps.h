/// Sweeps of several processes over the contacts of a pile (nonlinear Gauss-Seidel with Anderson's acceleration): inner
/// contacts of all at once, which share no body, then those on borders, colour after colour. That is one sequence, in
/// another order than on one process, and does not depend on when messages come.
#ifndef ZN_PARALLEL_PILE_SWEEPS_H
#define ZN_PARALLEL_PILE_SWEEPS_H

#include "parallel/pile_split.h"
#include "parallel/world.h"
#include "solve/anderson.h"
#include "solve/friction.h"

typedef struct zn_pile_sweeps {
    zn_world        *world;
    zn_pile_split    split;
    zn_node_blocks   blocks;        ///< of local contacts; A is borrowed
    zn_row_list      list;          ///< local: rows of the set
    zn_fc_problem    p;             ///< of own contacts; columns of W are those of local ones
    zn_fc_workspace *memory;        ///< of what follows
    zn_fc_blocks     b;             ///< of local contacts; ghosts have no rows
    double          *q;             ///< local rows, 0 of ghosts
    double          *r;             ///< local rows, scaled; of ghosts as they are
    double          *trial;         ///< local rows in the caller's units
    double          *u;             ///< own rows
    double          *best;          ///< own rows of the best that was looked at, and its u
    double          *history;       ///< of the acceleration
    double          *miss;          ///< own contacts, by how much they miss their law
    bool            *rests;         ///< own contacts
    double          *sending;       ///< rows on their way to others
    double          *all;           ///< answers of all, process after process
    int             *count, *place; ///< of these
    double          *told;          ///< numbers of all processes
    MPI_Request     *request;
    int              row_capacity, contact_capacity, all_capacity;
    double           q_norm, best_measure, best_natural;
} zn_pile_sweeps;

zn_status       zn_pile_sweeps_create(zn_world *world, const zn_system *sys, zn_pile_sweeps **out);
zn_pile_sweeps *zn_pile_sweeps_destroy(zn_pile_sweeps *w); ///< accepts NULL, returns NULL
/// ZN_NOT_CONVERGED: z is as it was. One status for all; an error where processes hold different problems.
zn_status       zn_pile_sweeps_solve(zn_pile_sweeps *w, zn_pile_task *task);

#endif
