/// The problem as the iterative solvers see it: blocks of contacts, scaled to a diagonal of about 1.
#ifndef ZN_SOLVE_FRICTION_BLOCKS_H
#define ZN_SOLVE_FRICTION_BLOCKS_H

#include <float.h>

#include <stdbool.h>

#include "base/assert.h"
#include "solve/friction_memory.h"

/// Terms this much larger than the data may come from reactions that grow without bound, where there is no answer: they
/// must not hide what is missing.
#define ZN_FC_MOST_GROWTH 1e3

/// What rounding of terms of such a size may hide of the data: beyond 1e16 of it u is anything. Squared, because
/// rounding that is small beside the data is in u itself, and must not be counted twice where loads are 1e7 times what
/// they stand on.
static inline double zn_fc_hidden(double scale, double data)
{
    double part = DBL_EPSILON * scale / data;
    return part * part;
}

/// What one contact with three rows needs of its block of W, made once (friction_contact.c).
typedef struct zn_fc_local {
    double inverse;         ///< 1 / W_NN; < 0: there is none
    double b[2], factor[2]; ///< W_NT, W_TN / W_NN
    double S[4], stick[4];  ///< W_TT - W_TN W_NT / W_NN, and its inverse
    bool   regular;         ///< S has one
} zn_fc_local;

/// Bilateral rows are blocks of one row with mu < 0, before the contacts. With s ~ 1/sqrt(d) of each block a power of
/// two, W' = S W S, q' = S q, r = S r', u = S^-1 u'.
typedef struct zn_fc_blocks {
    int          n, count;
    int         *first;    ///< count + 1
    double      *mu;       ///< count; of followers in the units of their leader and their own
    int         *leader;   ///< count: block whose normal reaction bounds this one, -1: none
    bool         follow;   ///< some block has a leader
    bool         even;     ///< all have three rows
    double      *scale;    ///< count: s
    double      *size;     ///< count: d of the scaled problem, about 1
    double      *q;        ///< n
    double       q_norm;   ///< |q| in the caller's units
    double       data;     ///< max |q_i| / sqrt(d), what terms are compared with
    double       near;     ///< of zn_fc_solve_local
    double      *diagonal; ///< 9 per block, row-major, stride 3
    zn_fc_local *local;    ///< count: of contacts with three rows
    int         *start;    ///< count + 1: neighbours of a block, itself not among them
    int         *other;    ///< start[count]
    size_t      *at;       ///< start[count]: place of its rows x rows(other) values, column by column
    double      *value;    ///< and one number behind them
} zn_fc_blocks;

static inline int zn_fc_block_rows(const zn_fc_blocks *b, int c)
{
    ZN_ASSERT(c >= 0 && c < b->count);
    return b->first[c + 1] - b->first[c];
}

/// Radius of the disk of a follower.
static inline double zn_fc_block_radius(const zn_fc_blocks *b, int c, const double *r)
{
    ZN_ASSERT(b->leader[c] >= 0);
    double normal = r[b->first[b->leader[c]]];
    return normal > 0 ? b->mu[c] * normal : 0;
}

/// ZN_NOT_FINITE when a number is not.
zn_status zn_fc_blocks_create(const zn_fc_problem *p, zn_fc_workspace *memory, zn_fc_blocks *out);

/// sum over the neighbours of block c, plus q: what the others do to it.
void   zn_fc_blocks_row(const zn_fc_blocks *b, int c, const double *r, double *u);
/// u = W r + q
void   zn_fc_blocks_multiply(const zn_fc_blocks *b, const double *r, double *u);
/// The measure of r (scaled) with u = W r + q at hand, up to round-off what the judge will say; but for FCLIB's of
/// reactions that have grown, which is zn_fc_blocks_grown.
double zn_fc_blocks_measure(const zn_fc_blocks *b, zn_fc_measure measure, const double *r, const double *u);
/// FCLIB's measure as the judge takes it where terms are much larger than the data: of |q| alone, and with what
/// rounding of the terms may hide.
double zn_fc_blocks_grown(const zn_fc_blocks *b, double measure, const double *r, const double *u);

#endif
