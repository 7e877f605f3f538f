/// Parts of a problem that do not touch each other, as problems of their own.
#ifndef ZN_SOLVE_FRICTION_PARTS_H
#define ZN_SOLVE_FRICTION_PARTS_H

#include "solve/friction.h"

/// Blocks of the caller's problem: bilateral rows, then contacts.
typedef struct zn_fc_parting {
    const zn_fc_problem *p;
    int                  count;
    int                 *owner;  ///< n: block of a row
    int                 *part;   ///< count: root of its part
    double              *u;      ///< n
    double              *excess; ///< count: of a part's root, how far it is from the law
    int                 *place;  ///< n: row in its part
    int                 *rows;   ///< n: rows of the part gathered last
} zn_fc_parting;

/// Which blocks are connected, in memory of the workspace.
zn_status zn_fc_parting_create(const zn_fc_problem *p, zn_fc_workspace *memory, zn_fc_parting *out);
/// The rows of the part of `root` as a problem with a dense W, in memory of the workspace; `rows` says which they are.
zn_status zn_fc_parting_gather(zn_fc_parting *s, int root, zn_fc_workspace *memory, zn_fc_problem *out);

#endif
