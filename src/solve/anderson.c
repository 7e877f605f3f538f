// Anderson's acceleration. See anderson.h.
#include "solve/anderson.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

void zn_anderson_begin(int n, double *memory, zn_anderson *out)
{
    ZN_ASSERT(n >= 0 && memory && out);
    size_t size = (size_t)n;
    *out = (zn_anderson){.n = n, .empty = true, .least = INFINITY};
    out->x = memory;
    out->f = memory + size;
    out->g = memory + 2 * size;
    for (size_t k = 0; k < ZN_ANDERSON_DEPTH; k++) {
        out->F[k] = memory + (3 + k) * size;
        out->G[k] = memory + (3 + ZN_ANDERSON_DEPTH + k) * size;
        memset(out->F[k], 0, size * sizeof(double));
        memset(out->G[k], 0, size * sizeof(double));
    }
}

void zn_anderson_leave(zn_anderson *h, const double *x) { memcpy(h->x, x, sizeof *x * (size_t)h->n); }

// Take the entries [from, to) of the sweep from h->x to r into the history; terms: |f|^2, F'F and F'f of them.
static void add_sweep(zn_anderson *h, int from, int to, const double *r, double *terms)
{
    ZN_ASSERT(h->next >= 0 && h->next < ZN_ANDERSON_DEPTH && h->held <= ZN_ANDERSON_DEPTH);
    double *new_F = h->F[h->next], *new_G = h->G[h->next], *old_F = h->F[1 - h->next];
    double  length = 0, square = 0, mixed = 0, new_right = 0, old_right = 0;
    for (int i = from; i < to; i++) {
        double f = r[i] - h->x[i], F = h->empty ? 0 : f - h->f[i], G = h->empty ? 0 : r[i] - h->g[i];
        length += f * f;
        square += F * F;
        mixed += F * old_F[i];
        new_right += F * f;
        old_right += old_F[i] * f;
        h->f[i] = f;
        h->g[i] = r[i];
        new_F[i] = F;
        new_G[i] = G;
    }
    const double all[ZN_ANDERSON_TERMS] = {length, square, mixed, new_right, old_right};
    memcpy(terms, all, sizeof all);
}

// c of the least squares problem, slightly regularized: differences may be parallel.
static void mix(const zn_anderson *h, const double *right, double *c)
{
    ZN_ASSERT(h->held > 0);
    double a = h->product[0][0], b = h->product[0][1], d = h->product[1][1], shift = 1e-10 * (a + d);
    c[0] = c[1] = 0;
    if (h->held == 1) {
        int k = 1 - h->next;
        c[k] = h->product[k][k] > 0 ? right[k] / h->product[k][k] : 0;
        return;
    }
    double det = (a + shift) * (d + shift) - b * b;
    if (!(det > 0))
        return;
    c[0] = ((d + shift) * right[0] - b * right[1]) / det;
    c[1] = ((a + shift) * right[1] - b * right[0]) / det;
}

void zn_anderson_take(zn_anderson *h, int counted, const double *r, double *terms)
{
    ZN_ASSERT(counted >= 0 && counted <= h->n);
    double others[ZN_ANDERSON_TERMS];
    add_sweep(h, 0, counted, r, terms);
    add_sweep(h, counted, h->n, r, others);
}

bool zn_anderson_mix(zn_anderson *h, double *r)
{
    double terms[ZN_ANDERSON_TERMS];
    add_sweep(h, 0, h->n, r, terms);
    return zn_anderson_use(h, terms, r);
}

bool zn_anderson_use(zn_anderson *h, const double *terms, double *r)
{
    double right[ZN_ANDERSON_DEPTH], *c = h->c, length = terms[0];
    h->product[h->next][h->next] = terms[1];
    h->product[0][1] = h->product[1][0] = terms[2];
    right[h->next] = terms[3];
    right[1 - h->next] = terms[4];
    h->held = h->empty ? 0 : h->held < ZN_ANDERSON_DEPTH ? h->held + 1 : ZN_ANDERSON_DEPTH;
    h->next = h->empty ? h->next : 1 - h->next;
    h->empty = false;
    if (length > h->least) {
        h->held = 0;
        h->least = length;
        return false;
    }
    h->least = fmin(length, h->least);
    if (h->held == 0)
        return false;
    mix(h, right, c);
    const double *G0 = h->G[0], *G1 = h->G[1];
    for (int i = 0; i < h->n; i++)
        r[i] -= c[0] * G0[i] + c[1] * G1[i];
    return true;
}
