// Impulses of least norm that hold all contacts. W is singular where there are more contacts than needed; with
// D = diag(W), the iteration
//     (W + e D) dz = -(q + W z),   z <- z + dz,   from z = 0
// stays in the range of D^-1 W, so that z'D z is least, and reaches W z = -q, if that has an answer, in a few rounds.
#include "constraint/stick.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "zn/math.h"

static const double regularization = 1e-9; // relative to the diagonal
static const double accuracy = 1e-14;      // of the rows, relative to their largest term

enum { ROUNDS = 6 };

size_t zn_stick_scratch(int n)
{
    ZN_ASSERT(n >= 0);
    return (size_t)n * (size_t)(n + 4);
}

static bool factor(const zn_fc_problem *p, double *A, int *pivot)
{
    for (int i = 0; i < p->n; i++) {
        memcpy(A + (size_t)i * (size_t)p->n, p->W + (size_t)i * (size_t)p->n, sizeof *A * (size_t)p->n);
        double *diagonal = A + (size_t)i * (size_t)(p->n + 1);
        if (!(*diagonal > 0))
            return false;
        *diagonal *= 1 + regularization;
    }
    return zn_dense_lu_factor(p->n, A, pivot) == ZN_OK;
}

typedef struct hold {
    double exact, worst;
} hold; // residual over its rounding; largest entry

// Residual q + W z in r.
static hold residual(const zn_fc_problem *p, const double *z, double *r)
{
    double worst = 0, scale = 0, largest = 0;
    for (int i = 0; i < p->n; i++) {
        const double *row = p->W + (size_t)i * (size_t)p->n;
        double        size = fabs(p->q[i]), root = sqrt(row[i]);
        r[i] = p->q[i];
        for (int j = 0; j < p->n; j++) {
            r[i] += row[j] * z[j];
            size = fmax(size, fabs(row[j] * z[j]));
        }
        worst = fmax(worst, fabs(r[i]) / root);
        scale = fmax(scale, size / root);
        largest = fmax(largest, fabs(r[i]));
    }
    return (hold){worst > 0 ? worst / (accuracy * scale) : 0, largest};
}

static bool in_cones(const zn_fc_problem *p, const double *z)
{
    for (int c = 0; c < p->contacts; c++) {
        int first = p->first[c], rows = p->first[c + 1] - first, leader = p->leader ? p->leader[c] : -1;
        if (leader >= 0) {
            if (!(hypot(z[first], rows > 1 ? z[first + 1] : 0) <= p->mu[c] * z[p->first[leader]]))
                return false;
            continue;
        }
        double tangent = rows > 2 ? hypot(z[first + 1], z[first + 2]) : rows > 1 ? fabs(z[first + 1]) : 0;
        if (!(z[first] >= 0) || (rows > 1 && !(tangent <= p->mu[c] * z[first])))
            return false;
    }
    return true;
}

bool zn_stick(const zn_fc_problem *p, double floor, double *z, double *scratch)
{
    ZN_ASSERT(p->n > 0 && p->W && z && scratch);
    size_t  n = (size_t)p->n;
    double *A = scratch, *answer = A + n * n, *r = answer + n;
    int    *pivot = (int *)(r + n);
    if (!factor(p, A, pivot))
        return false;
    memset(answer, 0, sizeof *answer * n);
    hold now = residual(p, answer, r);
    for (int round = 0; round < ROUNDS && now.exact > 1; round++) {
        zn_dense_lu_solve(p->n, A, pivot, r);
        for (size_t i = 0; i < n; i++)
            answer[i] -= r[i];
        if (round == 0 && !in_cones(p, answer))
            return false; // rounds to come change digits only
        now = residual(p, answer, r);
    }
    if (!(now.exact <= 1 || now.worst <= floor) || !in_cones(p, answer))
        return false;
    memcpy(z, answer, sizeof *z * n);
    return true;
}
