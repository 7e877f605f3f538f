// Chaining. Ends are sorted by x, so that those near a point are found in a narrow range.
#include "io/profile_chain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

zn_status zn_pieces_add(zn_pieces *p, zn_piece piece) { return ZN_PUSH(p->piece, p->count, p->capacity, piece); }

typedef struct loose_end {
    double x, y;
    int    which; // 2 piece + end
} loose_end;

static int by_x(const void *a, const void *b)
{
    const loose_end *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : p->which - q->which;
}

typedef struct chain {
    const zn_pieces *p;
    loose_end       *end;
    bool            *used;
    double           near;
    const char      *name;
    char            *message;
} chain;

static int first_from(const chain *c, double x)
{
    int low = 0, high = 2 * c->p->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (c->end[middle].x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The other ends at a point, that of `self` apart; the nearest end of an unused piece, and how many there are.
static int ends_at(const chain *c, zn_vec3 x, int self, int *nearest, double *distance)
{
    int count = 0;
    *distance = INFINITY;
    *nearest = -1;
    for (int i = first_from(c, x.x - c->near); i < 2 * c->p->count && c->end[i].x <= x.x + c->near; i++) {
        double d = hypot(c->end[i].x - x.x, c->end[i].y - x.y);
        if (c->end[i].which == self || d > c->near)
            continue;
        count++;
        if (!c->used[c->end[i].which / 2] && d < *distance) {
            *distance = d;
            *nearest = c->end[i].which;
        }
    }
    return count;
}

// Where a chain ends in the air: how far it is to the nearest other end.
static zn_status tell_gap(const chain *c, zn_vec3 x, int self)
{
    double  best = INFINITY;
    zn_vec3 there = {0};
    for (int i = 0; i < 2 * c->p->count; i++) {
        double d = hypot(c->end[i].x - x.x, c->end[i].y - x.y);
        if (c->end[i].which != self && d < best) {
            best = d;
            there = (zn_vec3){c->end[i].x, c->end[i].y, 0};
        }
    }
    snprintf(c->message, ZN_PROFILE_MESSAGE,
             "%s:%d: the contour does not close: it ends at (%.9g, %.9g), the next end is at (%.9g, %.9g), %.3g away; "
             "ends closer than %.3g would be joined",
             c->name, c->p->piece[self / 2].line, x.x, x.y, there.x, there.y, best, c->near);
    return ZN_ERR_MODEL;
}

static zn_status follow(const chain *c, zn_profile *out)
{
    zn_vec3 start = c->p->piece[0].end[0];
    int     from = 0; // end where the present piece begins
    for (;;) {
        const zn_piece *p = &c->p->piece[from / 2];
        bool            back = from % 2;
        double          distance;
        int             next;
        c->used[from / 2] = true;
        zn_vec3 a = p->end[back], b = p->end[!back];
        if (out->count == 0 || hypot(a.x - b.x, a.y - b.y) > c->near)
            ZN_TRY(zn_profile_add(out, a.x, a.y, back ? -p->bulge : p->bulge));
        int count = ends_at(c, b, from ^ 1, &next, &distance);
        if (count > 1) {
            snprintf(c->message, ZN_PROFILE_MESSAGE, "%s:%d: %d pieces meet at (%.9g, %.9g): a contour has two there",
                     c->name, p->line, count + 1, b.x, b.y);
            return ZN_ERR_MODEL;
        }
        if (next < 0)
            return hypot(b.x - start.x, b.y - start.y) <= c->near && count == 1 ? ZN_OK : tell_gap(c, b, from ^ 1);
        from = next;
    }
}

static double size_of(const zn_pieces *p)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 2 * p->count; i++) {
        zn_vec3 x = p->piece[i / 2].end[i % 2];
        low[0] = fmin(low[0], x.x), high[0] = fmax(high[0], x.x);
        low[1] = fmin(low[1], x.y), high[1] = fmax(high[1], x.y);
    }
    return hypot(high[0] - low[0], high[1] - low[1]);
}

static zn_status run(chain *c, zn_profile *out)
{
    int count = c->p->count;
    for (int i = 0; i < 2 * count; i++) {
        zn_vec3 x = c->p->piece[i / 2].end[i % 2];
        c->end[i] = (loose_end){x.x, x.y, i};
    }
    qsort(c->end, 2 * (size_t)count, sizeof *c->end, by_x);
    ZN_TRY(follow(c, out));
    for (int i = 0; i < count; i++)
        if (!c->used[i]) {
            snprintf(c->message, ZN_PROFILE_MESSAGE,
                     "%s:%d: more than one contour: put them on layers of their own, and choose one by 'layer'",
                     c->name, c->p->piece[i].line);
            return ZN_ERR_MODEL;
        }
    return ZN_OK;
}

zn_status zn_pieces_chain(const zn_pieces *pieces, const char *name, double tolerance, zn_profile *out,
                          char message[ZN_PROFILE_MESSAGE])
{
    chain c = {
        pieces, ZN_NEW(loose_end, 2 * pieces->count), ZN_NEW(bool, pieces->count), tolerance * size_of(pieces), name,
        message};
    zn_status status = c.end && c.used ? run(&c, out) : ZN_ERR_MEMORY;
    free(c.end);
    free(c.used);
    return status;
}
