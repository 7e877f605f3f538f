// Eigenvalues of dense symmetric matrices by Jacobi's rotations, and of constrained pairs (A, B) of few unknowns:
//     C = (A - s B)^-1 within the constraints = R R',   R'B R y = theta y,   x = R y
// The columns of R span the space of the constraints, whether these repeat each other or not.
#include "math/eigen.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { SWEEPS = 60 };
enum { DENSE_ROWS = 90 }; // up to here all eigenvalues cost no more than a few

// --- all of a dense matrix -----------------------------------------------------------------------

static double off_diagonal(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += a[i * n + j] * a[i * n + j];
    return sqrt(sum);
}

// Rotate in the plane of p and q so that a_pq becomes zero; rows of `vector` turn with it.
static void rotate(int n, double *a, int p, int q, double *vector)
{
    double apq = a[p * n + q];
    if (apq == 0)
        return;
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + hypot(theta, 1));
    double c = 1 / hypot(t, 1), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = a[p * n + k], y = a[q * n + k], u = vector[p * n + k], v = vector[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        vector[p * n + k] = c * u - s * v;
        vector[q * n + k] = s * u + c * v;
    }
    a[p * n + q] = a[q * n + p] = 0;
}

static void sort_descending(int n, double *value, double *vector)
{
    for (int i = 0; i < n; i++) {
        int top = i;
        for (int k = i + 1; k < n; k++)
            top = value[k] > value[top] ? k : top;
        if (top == i)
            continue;
        double kept = value[i];
        value[i] = value[top];
        value[top] = kept;
        for (int k = 0; k < n; k++) {
            double x = vector[i * n + k];
            vector[i * n + k] = vector[top * n + k];
            vector[top * n + k] = x;
        }
    }
}

zn_status zn_dense_eigen(int n, double *a, double *value, double *vector)
{
    double size = off_diagonal(n, a);
    memset(vector, 0, sizeof *vector * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        vector[i * n + i] = 1;
        size = hypot(size, a[i * n + i]);
    }
    if (!isfinite(size))
        return ZN_NOT_FINITE;
    int sweep = 0;
    while (off_diagonal(n, a) > DBL_EPSILON * 1e-3 * size && sweep++ < SWEEPS)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                rotate(n, a, p, q, vector);
    for (int i = 0; i < n; i++)
        value[i] = a[i * n + i];
    sort_descending(n, value, vector);
    return off_diagonal(n, a) <= DBL_EPSILON * n * size ? ZN_OK : ZN_NOT_CONVERGED;
}

// --- few unknowns --------------------------------------------------------------------------------

typedef struct dense_way {
    double *c, *r, *t, *y, *value, *work; // C; R by columns; R'B R; its vectors
    bool   *taken;
    int     rank;
} dense_way;

static zn_status find_compliance(const zn_eigen_problem *p, dense_way *w)
{
    for (int j = 0; j < p->n; j++) {
        w->c[j * p->n + j] = 1;
        ZN_TRY(p->solve(p->user, w->c + j * p->n));
    }
    return ZN_OK;
}

// C = R R' with pivots by size against what the diagonal was: the units of the unknowns differ.
static void find_root(int n, dense_way *w)
{
    const double none = 1e-12;
    for (w->rank = 0; w->rank < n; w->rank++) {
        int    best = -1;
        double most = none;
        for (int i = 0; i < n; i++) {
            double left = w->c[i * n + i];
            for (int k = 0; k < w->rank; k++)
                left -= w->r[k * n + i] * w->r[k * n + i];
            w->work[i] = left;
            double share = !w->taken[i] && w->c[i * n + i] > 0 ? left / w->c[i * n + i] : 0;
            best = share > most ? i : best;
            most = fmax(most, share);
        }
        if (best < 0)
            return;
        double *column = w->r + w->rank * n, root = sqrt(w->work[best]);
        for (int i = 0; i < n; i++) {
            double sum = 0.5 * (w->c[best * n + i] + w->c[i * n + best]);
            for (int k = 0; k < w->rank; k++)
                sum -= w->r[k * n + i] * w->r[k * n + best];
            column[i] = w->taken[i] ? 0 : sum / root;
        }
        w->taken[best] = true;
    }
}

static zn_status reduce(const zn_eigen_problem *p, dense_way *w)
{
    int n = p->n, m = w->rank;
    for (int j = 0; j < m; j++) {
        p->weigh(p->user, w->r + j * n, w->work);
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += w->r[i * n + k] * w->work[k];
            w->t[i * m + j] = sum;
        }
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            w->t[i * m + j] = w->t[j * m + i] = 0.5 * (w->t[i * m + j] + w->t[j * m + i]);
    return zn_dense_eigen(m, w->t, w->value, w->y);
}

static zn_status solve_dense(const zn_eigen_problem *p, const zn_eigen_settings *settings, dense_way *w, int *found,
                             double *theta, double *vector)
{
    int n = p->n;
    ZN_TRY(find_compliance(p, w));
    find_root(n, w);
    ZN_TRY(reduce(p, w));
    *found = 0;
    for (int m = 0; m < w->rank && m < settings->wanted; m++) {
        if (!(w->value[m] > 1e-14 * w->value[0])) // has no B
            break;
        double *x = vector + (size_t)m * (size_t)n;
        memset(x, 0, sizeof *x * (size_t)n);
        for (int k = 0; k < w->rank; k++)
            for (int i = 0; i < n; i++)
                x[i] += w->r[k * n + i] * w->y[m * w->rank + k] / sqrt(w->value[m]);
        theta[(*found)++] = w->value[m];
    }
    return ZN_OK;
}

zn_status zn_eigen_largest(const zn_eigen_problem *p, const zn_eigen_settings *settings, int *found, double *theta,
                           double *vector)
{
    *found = 0;
    if (p->n == 0 || settings->wanted == 0)
        return ZN_OK;
    if (p->n > DENSE_ROWS)
        return zn_krylov_largest(p, settings, found, theta, vector);
    size_t    n = (size_t)p->n;
    double   *memory = ZN_NEW(double, 4 * n * n + 2 * n);
    dense_way w = {.taken = ZN_NEW(bool, n)};
    zn_status status = memory && w.taken ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        w.c = memory;
        w.r = w.c + n * n;
        w.t = w.r + n * n;
        w.y = w.t + n * n;
        w.value = w.y + n * n;
        w.work = w.value + n;
        status = solve_dense(p, settings, &w, found, theta, vector);
    }
    free(memory);
    free(w.taken);
    return status;
}
