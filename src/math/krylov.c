// Some eigenvalues of a large pair (A, B): the largest theta of T = (A - s B)^-1 B, which is symmetric in the inner
// product x'B y. A space of B-orthonormal vectors V grows by what T makes of them, H = V'B T V is solved, and when
// there is no more room the space is shrunk to its best vectors (block Lanczos with full reorthogonalization and thick
// restart: K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602-616). Every vector is made orthogonal to all
// others, twice, so nothing is found a second time; several vectors at the start find what comes several times.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/eigen.h"

enum { ROUNDS = 300 };
static const double nothing_new = 1e-11; // of T v that is not in the space

typedef struct krylov {
    const zn_eigen_problem *p;
    int                     n, capacity;
    int                     size, done; // vectors; those of them that T was applied to
    double                 *v, *bv;     // V and B V
    double                 *h;          // V'B T V, capacity x capacity
    double                 *t, *y, *value, *next, *w, *bw, *c;
    double                  largest; // theta
    unsigned                seed;
    double                 *memory;
} krylov;

static double *vector_of(const krylov *k, int i) { return k->v + (size_t)i * (size_t)k->n; }
static double *weighed(const krylov *k, int i) { return k->bv + (size_t)i * (size_t)k->n; }

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double norm_of(krylov *k, const double *x)
{
    k->p->weigh(k->p->user, x, k->bw);
    return sqrt(fmax(dot(k->n, x, k->bw), 0));
}

static zn_status allocate(krylov *k)
{
    size_t n = (size_t)k->n, m = (size_t)k->capacity;
    k->memory = ZN_NEW(double, 2 * n * m + 3 * m * m + 2 * m + n * m + 2 * n);
    if (!k->memory)
        return ZN_ERR_MEMORY;
    k->v = k->memory;
    k->bv = k->v + n * m;
    k->next = k->bv + n * m;
    k->h = k->next + n * m;
    k->t = k->h + m * m;
    k->y = k->t + m * m;
    k->value = k->y + m * m;
    k->c = k->value + m;
    k->w = k->c + m;
    k->bw = k->w + n;
    return ZN_OK;
}

// w without its parts along V, which go to c.
static void orthogonalize(krylov *k)
{
    memset(k->c, 0, sizeof *k->c * (size_t)k->capacity);
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < k->size; i++) {
            double part = dot(k->n, weighed(k, i), k->w), *v = vector_of(k, i);
            k->c[i] += part;
            for (int j = 0; j < k->n; j++)
                k->w[j] -= part * v[j];
        }
}

// w = T w.
static zn_status apply(krylov *k)
{
    k->p->weigh(k->p->user, k->w, k->bw);
    memcpy(k->w, k->bw, sizeof *k->w * (size_t)k->n);
    return k->p->solve(k->p->user, k->w);
}

// w becomes a vector of the space; `size` is its norm, and B w is at hand.
static void take(krylov *k, double size)
{
    double *v = vector_of(k, k->size), *bv = weighed(k, k->size);
    for (int j = 0; j < k->n; j++) {
        v[j] = k->w[j] / size;
        bv[j] = k->bw[j] / size;
    }
    for (int i = 0; i < k->capacity; i++)
        k->h[i * k->capacity + k->size] = k->h[k->size * k->capacity + i] = 0;
    k->size++;
}

// A vector of everything that is not there yet; false when there is nothing.
static zn_status add_other(krylov *k, bool *added)
{
    for (int j = 0; j < k->n; j++) {
        k->seed = k->seed * 1664525u + 1013904223u;
        k->w[j] = (double)(k->seed >> 8) / (1 << 24) - 0.5;
    }
    ZN_TRY(apply(k)); // within the constraints
    double first = norm_of(k, k->w);
    *added = false;
    if (!(first > 0))
        return ZN_OK;
    for (int j = 0; j < k->n; j++)
        k->w[j] /= first;
    orthogonalize(k); // before T, which would drown in the largest eigenvalues what is small
    ZN_TRY(apply(k));
    orthogonalize(k);
    double size = norm_of(k, k->w);
    *added = size > 1e-11 * k->largest;
    if (*added)
        take(k, size);
    return ZN_OK;
}

static zn_status expand(krylov *k)
{
    int j = k->done;
    memcpy(k->w, vector_of(k, j), sizeof *k->w * (size_t)k->n);
    ZN_TRY(apply(k));
    double before = norm_of(k, k->w);
    orthogonalize(k);
    for (int i = 0; i < k->size; i++)
        k->h[i * k->capacity + j] = k->h[j * k->capacity + i] = k->c[i];
    k->done++;
    double after = norm_of(k, k->w);
    if (!(after > nothing_new * before))
        return ZN_OK;
    ZN_ASSERT(k->size < k->capacity);
    take(k, after);
    k->h[(k->size - 1) * k->capacity + j] = k->h[j * k->capacity + k->size - 1] = after;
    return ZN_OK;
}

// Eigenvalues of H over the vectors done.
static zn_status solve_small(krylov *k)
{
    int m = k->done;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            k->t[i * m + j] = k->h[i * k->capacity + j];
    ZN_TRY(zn_dense_eigen(m, k->t, k->value, k->y));
    k->largest = m > 0 ? k->value[0] : 0;
    return ZN_OK;
}

// What T makes of the i-th vector beyond the space of those done.
static double residual_of(const krylov *k, int i)
{
    double sum = 0;
    for (int f = k->done; f < k->size; f++) {
        double part = 0;
        for (int j = 0; j < k->done; j++)
            part += k->h[f * k->capacity + j] * k->y[i * k->done + j];
        sum += part * part;
    }
    return sqrt(sum);
}

static int count_converged(const krylov *k, int wanted, double tolerance)
{
    int good = 0;
    while (good < wanted && good < k->done && residual_of(k, good) <= tolerance * fabs(k->value[good]))
        good++;
    return good;
}

static void combine(const krylov *k, int i, const double *from, double *out)
{
    memset(out, 0, sizeof *out * (size_t)k->n);
    for (int j = 0; j < k->done; j++) {
        const double *v = from + (size_t)j * (size_t)k->n, part = k->y[i * k->done + j];
        for (int r = 0; r < k->n; r++)
            out[r] += part * v[r];
    }
}

static void replace(krylov *k, int keep, double *vectors)
{
    size_t n = (size_t)k->n;
    for (int i = 0; i < keep; i++)
        combine(k, i, vectors, k->next + (size_t)i * n);
    int waiting = k->size - k->done;
    memmove(vectors + (size_t)keep * n, vectors + (size_t)k->done * n, sizeof *vectors * (size_t)waiting * n);
    memcpy(vectors, k->next, sizeof *vectors * (size_t)keep * n);
}

// Shrink the space to its best vectors and those that wait for T: of these H is known again once T was applied.
static void restart(krylov *k, int keep)
{
    int waiting = k->size - k->done;
    replace(k, keep, k->v);
    replace(k, keep, k->bv);
    memset(k->h, 0, sizeof *k->h * (size_t)k->capacity * (size_t)k->capacity);
    for (int i = 0; i < keep; i++)
        k->h[i * k->capacity + i] = k->value[i];
    k->done = keep;
    k->size = keep + waiting;
}

// One round: T on all vectors that wait for it, new ones where none does. `whole`: there is nothing else.
static zn_status grow(krylov *k, int block, bool *whole)
{
    bool added = k->size == k->done;
    for (int i = 0; i < block && added; i++)
        ZN_TRY(add_other(k, &added));
    *whole = k->size == k->done;
    for (int end = k->size; k->done < end;)
        ZN_TRY(expand(k));
    return solve_small(k);
}

// w without its parts along the first `count` answers, which rounding brings back in when their theta is large.
static void separate(krylov *k, int count, const double *vector)
{
    for (int pass = 0; pass < 2; pass++) {
        k->p->weigh(k->p->user, k->w, k->bw);
        for (int i = 0; i < count; i++) {
            const double *x = vector + (size_t)i * (size_t)k->n;
            double        part = dot(k->n, x, k->bw);
            for (int r = 0; r < k->n; r++)
                k->w[r] -= part * x[r];
        }
    }
}

// T once more on each answer takes out what rounding brought in from beyond the constraints.
static zn_status finish(krylov *k, int found, double *theta, double *vector)
{
    for (int i = 0; i < found; i++) {
        double *x = vector + (size_t)i * (size_t)k->n;
        combine(k, i, k->v, k->w);
        ZN_TRY(apply(k));
        separate(k, i, vector);
        double size = norm_of(k, k->w);
        for (int r = 0; r < k->n; r++)
            x[r] = k->w[r] / size;
        theta[i] = k->value[i];
    }
    return ZN_OK;
}

static zn_status search(krylov *k, const zn_eigen_settings *settings, int *found, double *theta, double *vector)
{
    int wanted = settings->wanted;
    for (int round = 0; round < ROUNDS; round++) {
        bool whole;
        ZN_TRY(grow(k, settings->block, &whole));
        int good = count_converged(k, wanted, settings->tolerance);
        if (good == wanted || whole) {
            *found = good;
            return finish(k, good, theta, vector);
        }
        int waiting = k->size - k->done;
        if (k->size + (waiting > settings->block ? waiting : settings->block) > k->capacity)
            restart(k, wanted + (k->done - wanted) / 3);
    }
    return ZN_NOT_CONVERGED;
}

zn_status zn_krylov_largest(const zn_eigen_problem *p, const zn_eigen_settings *settings, int *found, double *theta,
                            double *vector)
{
    int               wanted = settings->wanted < p->n ? settings->wanted : p->n;
    krylov            k = {.p = p, .n = p->n, .seed = 1, .capacity = 2 * wanted + 20 + 4 * settings->block};
    zn_eigen_settings own = *settings;
    own.wanted = wanted;
    *found = 0;
    zn_status status = allocate(&k);
    if (status == ZN_OK)
        status = search(&k, &own, found, theta, vector);
    free(k.memory);
    return status;
}
