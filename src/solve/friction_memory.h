/// Memory of the friction solvers: blocks are handed out one after the other and taken back together.
#ifndef ZN_SOLVE_FRICTION_MEMORY_H
#define ZN_SOLVE_FRICTION_MEMORY_H

#include "zn/friction.h"

/// Where the next block begins; everything later is free again after zn_fc_rewind.
typedef struct zn_fc_mark {
    int    chunk;
    size_t used;
} zn_fc_mark;

zn_fc_mark zn_fc_get_mark(const zn_fc_workspace *memory);
void       zn_fc_rewind(zn_fc_workspace *memory, zn_fc_mark mark);
/// Nothing is in use: join what has grown into one piece.
zn_status  zn_fc_begin(zn_fc_workspace *memory);
/// 16-byte aligned, not cleared; NULL when the machine has no more.
void      *zn_fc_take(zn_fc_workspace *memory, size_t count, size_t size);

#define ZN_FC_TAKE(memory, type, count) ((type *)zn_fc_take(memory, (size_t)(count), sizeof(type)))

#endif
