// Momentum of single contacts. See friction_momentum.h.
//
// Reference: B. O'Donoghue, E. Candes, Found. Comput. Math. 15 (2015) 715-732, for momentum that is given up where it
// points backwards; here each contact decides, and keeps a part of it.
#include "solve/friction_momentum.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

// Of momentum: the most, the part of what lacks that is gained, the part that is kept; of a limit what is kept and by
// what it grows; what all limits keep where nothing is won.
static const double most = 0.93, gain = 0.4, kept = 0.75, shrink = 0.9, growth = 1.01, calm = 0.7;

zn_status zn_fc_momentum_begin(const zn_fc_blocks *b, zn_fc_workspace *memory, zn_fc_momentum *out)
{
    ZN_ASSERT(memory && out);
    out->start = ZN_FC_TAKE(memory, double, b->n);
    out->end = ZN_FC_TAKE(memory, double, b->n);
    out->part = ZN_FC_TAKE(memory, double, b->count);
    out->limit = ZN_FC_TAKE(memory, double, b->count);
    out->most = most;
    if (!out->start || !out->end || !out->part || !out->limit)
        return ZN_ERR_MEMORY;
    for (int c = 0; c < b->count; c++) {
        out->part[c] = 0;
        out->limit[c] = most;
    }
    return ZN_OK;
}

void zn_fc_momentum_leave(const zn_fc_blocks *b, zn_fc_momentum *m, const double *r)
{
    memcpy(m->start, r, sizeof *r * (size_t)b->n);
    memcpy(m->end, r, sizeof *r * (size_t)b->n);
}

// Rows from the first tangent on shorter than `radius`.
static inline void shorten(int first, int rows, double radius, double *r)
{
    double square = 0;
    for (int i = first; i < rows; i++)
        square += r[i] * r[i];
    if (!(square > radius * radius))
        return;
    double part = radius / sqrt(square);
    for (int i = first; i < rows; i++)
        r[i] *= part;
}

// Into its cone, where the law of a contact has it; leaders come before their followers.
static inline void bring_back(const zn_fc_blocks *b, int c, int rows, double *all)
{
    double *r = all + b->first[c];
    if (b->leader[c] >= 0) {
        shorten(0, rows, zn_fc_block_radius(b, c, all), r);
        return;
    }
    if (b->mu[c] < 0)
        return;
    r[0] = r[0] > 0 ? r[0] : 0;
    shorten(1, rows, b->mu[c] * r[0], r);
}

// Momentum of a contact that moved `along` the way in which it came.
static inline double next_part(zn_fc_momentum *m, int c, double along)
{
    double part = m->part[c], limit = m->limit[c];
    if (along < 0) {
        m->limit[c] = shrink * limit;
        return kept * part;
    }
    limit = fmin(growth * limit, m->most);
    m->limit[c] = limit;
    return part < limit ? part + gain * (limit - part) : limit;
}

void zn_fc_momentum_calm(zn_fc_momentum *m) { m->most *= calm; }

static inline void go_on(const zn_fc_blocks *b, zn_fc_momentum *m, int c, int rows, double *all)
{
    double *r = all + b->first[c], *start = m->start + b->first[c], *end = m->end + b->first[c];
    double  change[3], along = 0;
    for (int i = 0; i < rows; i++) {
        change[i] = r[i] - end[i];
        along += (r[i] - start[i]) * change[i];
    }
    double part = next_part(m, c, along);
    m->part[c] = part;
    for (int i = 0; i < rows; i++) {
        end[i] = r[i];
        r[i] += part * change[i];
    }
    bring_back(b, c, rows, all);
    for (int i = 0; i < rows; i++)
        start[i] = r[i];
}

void zn_fc_momentum_mix(const zn_fc_blocks *b, zn_fc_momentum *m, double *r)
{
    for (int c = 0; c < b->count; c++)
        if (zn_fc_block_rows(b, c) == 3)
            go_on(b, m, c, 3, r);
        else
            go_on(b, m, c, zn_fc_block_rows(b, c), r);
}
