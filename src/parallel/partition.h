/// Which element belongs to which process: recursive bisection of the places of elements, along the longest side, in
/// proportion to their work. What acts on each other within a step (contacts of two bodies or surfaces, joints) is on
/// one process, which owns the nodes that take part, as guests where their elements are elsewhere; frames have their
/// elements with them. Contacts with what does not move do not tie anything together.
#ifndef ZN_PARALLEL_PARTITION_H
#define ZN_PARALLEL_PARTITION_H

#include "system/system.h"

typedef struct zn_partition {
    int   ranks, elements, nodes, rules;
    int  *rank;   ///< of each element, group after group
    int  *owner;  ///< of each node: the process with its contacts with others, else its keeper; -1: it has no element
    int  *keeper; ///< of each node: the first process with an element there, which has its rows of matrices
    bool *shared; ///< of each node: several processes have it
    int  *number; ///< of these: which of the shared degrees of freedom of its owner its first one is; -1: of others
    int  *roots;  ///< of each process: how many shared degrees of freedom it owns
    int  *rule;   ///< of each rule: the process that has all of its contacts, ZN_SCATTERED
    int **member_of; ///< of each scattered rule: node of each contact; NULL: it is none
    int  *part;      ///< of each part: the process that has all of its elements, ZN_SCATTERED
} zn_partition;

enum { ZN_SCATTERED = -1 };

/// `whole`: the layout and initial state of the model (zn_system_create_layout). `waits`: contacts with others are
/// solved by one process while the others wait, which is told.
zn_status zn_partition_create(const zn_system *whole, int ranks, bool waits, zn_partition *out);
void      zn_partition_destroy(zn_partition *partition);
/// The first process that has all of these nodes (negative: the ground); -1: there is none.
zn_status zn_partition_holder(const zn_partition *p, const zn_model *model, int count, const int *node, int *rank);

#endif
