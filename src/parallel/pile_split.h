/// How processes share the contacts of a pile. Bodies have owners by position: recursive bisection of the centres of
/// those that touch something, along the longest side, so that each process has as many contacts. A contact belongs to
/// the owner of the body with the lower number; it is inner where both bodies have the same owner, else on a border.
/// Contacts of others that act on a body of an own contact are ghosts. All of it is a function of positions and of the
/// list of contacts: processes that hold the same ones come to the same without a message, and nothing has to be
/// remembered from step to step.
#ifndef ZN_PARALLEL_PILE_SPLIT_H
#define ZN_PARALLEL_PILE_SPLIT_H

#include "constraint/pile_task.h"

/// A body that touches something.
typedef struct zn_pile_body {
    double x[3];
    int    node, contacts;
} zn_pile_body;

/// What goes between this process and another one: contacts it has sent to, and ghosts that come from, in the order of
/// the split, inner ones first.
typedef struct zn_pile_neighbour {
    int rank, colour;
    int send, send_inner, send_end; ///< in `sent`
    int take, take_inner, take_end; ///< local contacts
} zn_pile_neighbour;

/// Owners of contacts at a node, listed where there is more than one.
typedef struct zn_pile_at {
    int rank, next;
} zn_pile_at;

typedef struct zn_pile_split {
    int                ranks, rank, nodes;
    int                contacts; ///< of all
    int               *node;     ///< two of each contact; -1: what does not move
    int               *owner;    ///< of nodes
    int               *first_at; ///< of nodes: in `at`, -1: none
    int                ats;
    zn_pile_at        *at;
    int                bodies;
    zn_pile_body      *body;
    int               *order;             ///< contacts process after process, inner ones first, else ascending
    int               *begin;             ///< ranks + 1: those of each
    int               *border;            ///< ranks: the first that is on a border
    int                colours, *colour;  ///< of processes: those with contacts on the same body have different ones
    bool              *meets;             ///< ranks x ranks
    int                own, inner, local; ///< contacts of this process; of these inner ones; with ghosts
    int               *contact;           ///< local: of all
    int                neighbours;
    zn_pile_neighbour *neighbour;
    int                sends, *sent; ///< local contacts
    int                capacity, body_capacity, at_capacity, sent_capacity;
} zn_pile_split;

zn_status zn_pile_split_create(int ranks, int rank, int nodes, zn_pile_split *out);
void      zn_pile_split_destroy(zn_pile_split *s);
/// Share the contacts of a task. ZN_ERR_UNSUPPORTED: a contact moves more than two bodies.
zn_status zn_pile_split_make(zn_pile_split *s, const zn_pile_task *task);

#endif
