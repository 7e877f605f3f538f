/// A problem of contacts between bodies that nothing else couples, as processes solve it together (system/peers.h).
#ifndef ZN_CONSTRAINT_PILE_TASK_H
#define ZN_CONSTRAINT_PILE_TASK_H

#include "constraint/node_blocks.h"
#include "system/system.h"

typedef struct zn_pile_task {
    const zn_system      *sys;
    const double         *q;      ///< where the bodies are
    const zn_node_blocks *blocks; ///< A^-1 of each
    zn_rows               G;
    const zn_row_list    *list; ///< no equations, no followers, nothing that pulls
    bool                  same; ///< rows, list and factors are those of the last problem
    const double         *b;
    zn_fc_measure         measure;
    double                tolerance;
    double                settled;    ///< a warm start that is as good stays; 0: never
    double                enough;     ///< what must do where the tolerance is not reached; 0: nothing else
    int                   most;       ///< sweeps
    double               *z, *u;      ///< rows of all: warm start in, answer out
    int                   iterations; ///< sweeps that were made
    double                residual;   ///< zn_fc_residual of the answer
} zn_pile_task;

#endif
