// Newton's method on T(v) = v of splitting.h where contacts no longer change between open, sticking and sliding:
//
//     (1 - T') d = T(v) - v,
//     dz = P'(v) dv,  dw = (dz - dv)/R,  ds = mu w_T.dw_T/|w_T|,  (A + G'RG) dx = G'(dz + R (dw - ds)),
//     T' dv = dz - R (a (G dx + ds) + (1 - a) dw)
//
// by GMRES in the inner product of R^-1, in which T does not expand distances; a product costs a solve. It is taken
// when it at least halves what is left.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "constraint/splitting.h"
#include "system/system.h"

// dz = P'(v) dv of a cell.
static void project_change(const zn_splitting *s, const zn_splitting_cell *c, const double *dv, double *dz)
{
    const double *v = s->v + c->row;
    double        length = c->rows < 2 ? 0 : c->rows == 2 ? fabs(v[1]) : hypot(v[1], v[2]), along = 0, t[2] = {0};
    bool          open = c->absent || (c->mu >= 0 && v[0] < 0 && c->mu * length <= -v[0]);
    bool          inside = !c->absent && (c->mu < 0 || (v[0] >= 0 && length <= c->mu * v[0]));
    for (int k = 0; k < c->rows; k++)
        dz[k] = open ? 0 : dv[k];
    if (open || inside)
        return;
    for (int k = 1; k < c->rows; k++) {
        t[k - 1] = v[k] / length;
        along += t[k - 1] * dv[k];
    }
    double normal = (v[0] + c->mu * length) / (1 + c->mu * c->mu);
    dz[0] = (dv[0] + c->mu * along) / (1 + c->mu * c->mu);
    for (int k = 1; k < c->rows; k++)
        dz[k] = c->mu * dz[0] * t[k - 1] + c->mu * normal * (dv[k] - along * t[k - 1]) / length;
}

// Change of mu |w_T|.
static double shift_change(const zn_splitting *s, const zn_splitting_cell *c, const double *dw)
{
    const double *w = s->w + c->row;
    double        length = c->rows < 2 ? 0 : c->rows == 2 ? fabs(w[1]) : hypot(w[1], w[2]), sum = 0;
    for (int k = 1; k < c->rows; k++)
        sum += w[k] * dw[k];
    return length > 0 && c->mu > 0 ? c->mu * sum / length : 0;
}

typedef struct changes {
    double z[3], w[3], shift;
} changes;

static changes change_cell(const zn_splitting *s, const zn_splitting_cell *c, const double *dv)
{
    changes d;
    project_change(s, c, dv + c->row, d.z);
    for (int k = 0; k < c->rows; k++)
        d.w[k] = (d.z[k] - dv[c->row + k]) / zn_splitting_weight(s, c->row);
    d.shift = shift_change(s, c, d.w);
    return d;
}

// out = (1 - T') dv
static zn_status multiply(zn_splitting *s, double exact, const double *dv, double *out)
{
    int n = s->sys->info.n;
    memset(s->right, 0, sizeof *s->right * (size_t)n);
    memset(s->dx, 0, sizeof *s->dx * (size_t)n);
    for (int i = 0; i < s->cells; i++) {
        const zn_splitting_cell *c = &s->cell[i];
        changes                  d = change_cell(s, c, dv);
        for (int k = 0; k < c->rows; k++)
            zn_rows_add(s->G, c->row + k, n,
                        d.z[k] + zn_splitting_weight(s, c->row) * (d.w[k] - (k == 0 ? d.shift : 0)), s->right);
    }
    ZN_TRY(zn_operator_solve(&s->shifted, s->right, exact, s->dx));
    for (int i = 0; i < s->cells; i++) {
        const zn_splitting_cell *c = &s->cell[i];
        changes                  d = change_cell(s, c, dv);
        for (int k = 0; k < c->rows; k++) {
            double du = zn_rows_dot(s->G, c->row + k, n, s->dx) + (k == 0 ? d.shift : 0);
            double moved = d.z[k] - zn_splitting_weight(s, c->row) *
                                        (ZN_SPLITTING_RELAXATION * du + (1 - ZN_SPLITTING_RELAXATION) * d.w[k]);
            out[c->row + k] = dv[c->row + k] - moved;
        }
    }
    return ZN_OK;
}

// --- GMRES ---------------------------------------------------------------------------------------

static double dot(const zn_splitting *s, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < s->cells; i++)
        for (int k = s->cell[i].row; k < s->cell[i].row + s->cell[i].rows; k++)
            sum += a[k] * b[k] / zn_splitting_weight(s, k);
    return zn_system_sum(s->sys, sum);
}

static void add(const zn_splitting *s, double factor, const double *a, double *b)
{
    for (int k = 0; k < s->rows; k++)
        b[k] += factor * a[k];
}

typedef struct triangle {
    double h[ZN_SPLITTING_KRYLOV][ZN_SPLITTING_KRYLOV + 1]; // columns, turned to a triangle
    double cosine[ZN_SPLITTING_KRYLOV], sine[ZN_SPLITTING_KRYLOV];
    double right[ZN_SPLITTING_KRYLOV + 1];
} triangle;

static double *vector_of(const zn_splitting *s, int i) { return s->basis + (size_t)i * (size_t)s->rows; }

// Vector j + 1 of the basis: what the matrix makes of vector j, without the parts along the others.
static zn_status extend(zn_splitting *s, double exact, int j, double *h)
{
    double *w = vector_of(s, j + 1);
    memset(w, 0, sizeof *w * (size_t)s->rows);
    ZN_TRY(multiply(s, exact, vector_of(s, j), w));
    memset(h, 0, sizeof *h * (size_t)(j + 2));
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= j; i++) {
            double part = dot(s, w, vector_of(s, i));
            h[i] += part;
            add(s, -part, vector_of(s, i), w);
        }
    h[j + 1] = sqrt(dot(s, w, w));
    for (int k = 0; k < s->rows && h[j + 1] > 0; k++)
        w[k] /= h[j + 1];
    return ZN_OK;
}

// Turn column j of the triangle, and the right side with it.
static void turn(triangle *t, int j)
{
    double *h = t->h[j];
    for (int i = 0; i < j; i++) {
        double a = h[i], b = h[i + 1];
        h[i] = t->cosine[i] * a + t->sine[i] * b;
        h[i + 1] = t->cosine[i] * b - t->sine[i] * a;
    }
    double length = hypot(h[j], h[j + 1]);
    t->cosine[j] = length > 0 ? h[j] / length : 1;
    t->sine[j] = length > 0 ? h[j + 1] / length : 0;
    h[j] = length;
    t->right[j + 1] = -t->sine[j] * t->right[j];
    t->right[j] *= t->cosine[j];
}

// s->change = sum of the first `count` vectors with the smallest rest.
static void combine(zn_splitting *s, triangle *t, int count)
{
    memset(s->change, 0, sizeof *s->change * (size_t)s->rows);
    for (int j = count - 1; j >= 0; j--) {
        for (int i = j + 1; i < count; i++)
            t->right[j] -= t->h[i][j] * t->right[i];
        t->right[j] = t->h[j][j] > 0 ? t->right[j] / t->h[j][j] : 0;
        add(s, t->right[j], vector_of(s, j), s->change);
    }
}

static zn_status find_change(zn_splitting *s, double exact, double wanted, int *products)
{
    triangle t;
    double  *first = vector_of(s, 0), length = zn_splitting_rest(s);
    int      count = 0;
    memset(first, 0, sizeof *first * (size_t)s->rows);
    for (int i = 0; i < s->cells; i++)
        for (int k = s->cell[i].row; k < s->cell[i].row + s->cell[i].rows; k++)
            first[k] = (s->next[k] - s->v[k]) / length;
    t.right[0] = length;
    while (count < ZN_SPLITTING_KRYLOV && fabs(t.right[count]) > wanted * length) {
        ZN_TRY(extend(s, exact, count, t.h[count]));
        turn(&t, count++);
    }
    *products += count;
    combine(s, &t, count);
    return ZN_OK;
}

zn_status zn_splitting_newton(zn_splitting *s, double exact, bool *better, int *products)
{
    const double wanted = 1e-3, enough = 0.5;
    double       rest = zn_splitting_rest(s);
    *better = false;
    if (!(rest > 0))
        return ZN_OK;
    memcpy(s->kept, s->v, sizeof *s->v * (size_t)s->rows);
    ZN_TRY(find_change(s, 1e-3 * wanted, wanted, products));
    add(s, 1, s->change, s->v);
    ZN_TRY(zn_splitting_map(s, fmax(1e-3 * exact, 1e-14)));
    ++*products;
    *better = zn_splitting_rest(s) < enough * rest;
    if (*better)
        return ZN_OK;
    memcpy(s->v, s->kept, sizeof *s->v * (size_t)s->rows);
    ++*products;
    return zn_splitting_map(s, exact);
}
