// Mixed linear complementarity problems: the public entry, the judge, and the choice of a solver.
//
// A problem is solved in units of its own: with s_i ~ 1/sqrt(d_i) (d_i as in zn_lcp_residual),
//     A' = S A S,   b' = S b,   z = S z'
// has a diagonal of about 1, so that no threshold of a solver depends on kilograms or metres. The s_i are powers of
// two: scaling makes no round-off, and rows that were equal stay equal.
//
// "auto" tries the cheapest method that may do and goes on while the judge refuses: closed forms for one and two rows,
// then active sets from the warm start, enumeration, Lemke, Gauss-Seidel.
#include "solve/lcp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/seldom.h"
#include "solve/solvers.h"

zn_lcp_settings zn_lcp_settings_default(void)
{
    return (zn_lcp_settings){.solver = "auto", .max_iterations = 0, .tolerance = 1e-12};
}

size_t zn_lcp_scratch(int n)
{
    size_t rows = n > 0 ? (size_t)n : 0;
    return (rows * rows + 4 * rows + ZN_LCP_TABLE(rows)) * sizeof(double) + 4 * rows * sizeof(int);
}

// --- the judge -----------------------------------------------------------------------------------

// Terms below it are zero: their products are too near the smallest numbers to be known to the last digit. What is held
// still comes there, by a rounding of a rounding in each step.
static const double least = DBL_MIN / (DBL_EPSILON * DBL_EPSILON);

// d_i: |A_ii|, or the largest entry of row i when that is zero, or 1 when the row is empty.
static inline double row_size(const zn_lcp_problem *p, int i)
{
    const double *row = p->A + (size_t)i * p->n;
    double        d = fabs(row[i]);
    if (d > 0)
        return d;
    for (int j = 0; j < p->n; j++)
        d = fabs(row[j]) > d ? fabs(row[j]) : d;
    return d > 0 ? d : 1;
}

// Residual of z, and w = A z + b.
static inline double judge(const zn_lcp_problem *p, const double *z, double *w)
{
    double worst = 0, scale = 0, total = 0;
    for (int i = 0; i < p->n; i++) {
        const double *row = p->A + (size_t)i * p->n;
        double        sum = p->b[i], size = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            double term = row[j] * z[j];
            sum += term;
            size += fabs(term);
        }
        double root = sqrt(row_size(p, i)), inverse = 1.0 / root;
        double y = sum * inverse, x = z[i] * root;
        double violation = fabs(i < p->bilateral || y < x ? y : x);
        worst = violation > worst ? violation : worst;
        scale = size * inverse > scale ? size * inverse : scale;
        total += size;
        if (w != NULL)
            w[i] = sum;
    }
    if (!(total <= DBL_MAX)) // something is not a number or infinite: comparisons above may have missed it
        return INFINITY;
    return worst / (scale < least ? least : scale);
}

double zn_lcp_residual(const zn_lcp_problem *p, const double *z)
{
    ZN_ASSERT(p->n == 0 || z);
    return judge(p, z, NULL);
}

// --- one and two rows ----------------------------------------------------------------------------

static inline void report(zn_lcp_info *info, const char *solver, int iterations, double residual)
{
    if (info != NULL)
        *info = (zn_lcp_info){.solver = solver, .iterations = iterations, .residual = residual};
}

// With one row the factors sqrt(d) of the residual cancel.
static inline bool solve_one(const zn_lcp_problem *p, double tolerance, double *z, double *w, double *residual)
{
    ZN_ASSERT(p->n == 1);
    double a = p->A[0], b = p->b[0], x = 0;
    if (p->bilateral ? a != 0 : b < 0 && a > 0)
        x = -b / a;
    double y = a * x + b, size = fabs(b) + fabs(a * x);
    double violation = fabs(p->bilateral || y < x * fabs(a) ? y : x * fabs(a));
    size = size < least ? least : size; // not a number stays one
    if (!(violation <= tolerance * size) || !(size <= DBL_MAX))
        return false;
    z[0] = x;
    w[0] = y;
    *residual = violation / size;
    return true;
}

// Row i active, the other one (unilateral) not.
static inline bool activate_one(const zn_lcp_problem *p, int i, double *x)
{
    ZN_ASSERT(p->n == 2 && (i == 0 || i == 1));
    int    k = 1 - i;
    double a = p->A[3 * i];
    if (!(i < p->bilateral ? a != 0 : a > 0 && p->b[i] <= 0))
        return false;
    x[i] = -p->b[i] / a;
    x[k] = 0;
    double term = p->A[2 * k + i] * x[i], b = p->b[k];
    return b + term >= -4 * DBL_EPSILON * (fabs(b) + fabs(term));
}

static inline bool activate_both(const zn_lcp_problem *p, double *x)
{
    const double *A = p->A, *b = p->b;
    double        main = A[0] * A[3], cross = A[1] * A[2], det = main - cross;
    if (!(fabs(det) > 16 * DBL_EPSILON * (fabs(main) + fabs(cross))))
        return false;
    double inverse = 1.0 / det;
    x[0] = (A[1] * b[1] - A[3] * b[0]) * inverse;
    x[1] = (A[2] * b[0] - A[0] * b[1]) * inverse;
    return (p->bilateral > 0 || x[0] >= 0) && (p->bilateral > 1 || x[1] >= 0);
}

static inline bool solve_two(const zn_lcp_problem *p, double tolerance, double *z, double *w, double *residual)
{
    ZN_ASSERT(p->n == 2);
    double x[2] = {0, 0}, y[2];
    bool   found = p->bilateral == 0 && p->b[0] >= 0 && p->b[1] >= 0;
    found = found || (p->bilateral < 2 && activate_one(p, 0, x));
    found = found || (p->bilateral == 0 && activate_one(p, 1, x));
    if (!found && !activate_both(p, x))
        return false;
    *residual = judge(p, x, y);
    if (!(*residual <= tolerance))
        return false;
    z[0] = x[0], z[1] = x[1];
    w[0] = y[0], w[1] = y[1];
    return true;
}

// --- scaling -------------------------------------------------------------------------------------

double zn_lcp_scale_of(double d)
{
    ZN_ASSERT(!(d <= 0));
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023; // d > 0: no sign
    int half = (exponent - (exponent & 1)) / 2;
    bits = (uint64_t)(1023 - half) << 52;
    memcpy(&d, &bits, sizeof d);
    return d;
}

typedef struct scaled_problem {
    zn_lcp_work work;
    double     *scale; // n
} scaled_problem;

static zn_status scale_problem(const zn_lcp_problem *p, const zn_lcp_settings *settings, void *scratch,
                               scaled_problem *out)
{
    ZN_ASSERT(scratch && (uintptr_t)scratch % sizeof(double) == 0);
    int     n = p->n;
    double *A = scratch, *b = A + (size_t)n * n, *s = b + n, *z = s + n, *w = z + n, *table = w + n;
    double  total = 0;
    for (int i = 0; i < n; i++)
        s[i] = zn_lcp_scale_of(row_size(p, i));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            size_t k = (size_t)i * n + j;
            A[k] = p->A[k] * s[i] * s[j];
            total += fabs(p->A[k]);
        }
        b[i] = p->b[i] * s[i];
        total += fabs(p->b[i]);
    }
    out->scale = s;
    out->work = (zn_lcp_work){.p = {.n = n, .bilateral = p->bilateral, .A = A, .b = b},
                              .max_iterations = settings->max_iterations,
                              .tolerance = settings->tolerance,
                              .z = z,
                              .w = w,
                              .table = table,
                              .index = (int *)(void *)(table + ZN_LCP_TABLE(n))};
    return total <= DBL_MAX ? ZN_OK : ZN_NOT_FINITE;
}

// --- solvers in turn -----------------------------------------------------------------------------

typedef struct lcp_solver {
    const char    *name;
    zn_lcp_method *method;
} lcp_solver;

static const lcp_solver pivot = {"pivot", zn_lcp_pivot};
static const lcp_solver enumerate = {"enumerate", zn_lcp_enumerate};
static const lcp_solver lemke = {"lemke", zn_lcp_lemke};
static const lcp_solver gauss_seidel = {"gauss_seidel", zn_lcp_gauss_seidel};

static const lcp_solver *find_solver(const char *name)
{
    static const lcp_solver *const table[] = {
#define NO(word)
#define YES(word)                       &word,
#define ROW(word, friction, unilateral) unilateral(word)
        ZN_SOLVER_LIST(ROW)
#undef NO
#undef YES
#undef ROW
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

// One solver from the caller's warm start; its proposal counts when the judge accepts it in the caller's units.
static zn_status attempt(const lcp_solver *solver, const zn_lcp_problem *p, const scaled_problem *scaled, double *z,
                         double *w, zn_lcp_info *info)
{
    ZN_ASSERT(solver->method && info);
    const zn_lcp_work *work = &scaled->work;
    info->solver = solver->name;
    for (int i = 0; i < p->n; i++) {
        work->z[i] = z[i] / scaled->scale[i];
        if (!isfinite(work->z[i]))
            work->z[i] = 0;
    }
    ZN_TRY(solver->method(work, &info->iterations));
    for (int i = 0; i < p->n; i++) {
        work->z[i] *= scaled->scale[i];
        if (i >= p->bilateral && work->z[i] < 0) // round-off, or the judge will see it
            work->z[i] = 0;
    }
    info->residual = judge(p, work->z, work->w);
    if (!(info->residual <= work->tolerance))
        return ZN_NOT_CONVERGED;
    memcpy(z, work->z, (size_t)p->n * sizeof *z);
    memcpy(w, work->w, (size_t)p->n * sizeof *w);
    return ZN_OK;
}

// Enumeration of up to 2^6 sets costs less than setting up Lemke's tableau; of up to 2^12 it is a last resort.
static zn_status attempt_in_turn(const zn_lcp_problem *p, const scaled_problem *scaled, double *z, double *w,
                                 zn_lcp_info *info)
{
    int               rows = p->n - p->bilateral;
    const lcp_solver *order[] = {&pivot, rows <= 6 ? &enumerate : NULL, &lemke,
                                 rows > 6 && rows <= 12 ? &enumerate : NULL, &gauss_seidel};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] != NULL && attempt(order[i], p, scaled, z, w, info) == ZN_OK)
            return ZN_OK;
    return ZN_NOT_CONVERGED;
}

ZN_APART static zn_status solve_scaled(const zn_lcp_problem *p, const zn_lcp_settings *settings, bool automatic,
                                       double *z, double *w, void *scratch, zn_lcp_info *info)
{
    scaled_problem    scaled;
    zn_lcp_info       result = {.residual = INFINITY};
    const lcp_solver *solver = automatic ? NULL : find_solver(settings->solver);
    if ((!automatic && solver == NULL) || p->n < 0 || p->bilateral < 0 || p->bilateral > p->n)
        return ZN_ERR_ARGUMENT;
    if (p->n == 0) {
        report(info, "closed_form", 0, 0);
        return ZN_OK;
    }
    zn_status status = scale_problem(p, settings, scratch, &scaled);
    if (status == ZN_OK)
        status = automatic ? attempt_in_turn(p, &scaled, z, w, &result) : attempt(solver, p, &scaled, z, w, &result);
    report(info, result.solver, result.iterations, result.residual);
    return status > ZN_OK && status != ZN_NOT_FINITE ? ZN_NOT_CONVERGED : status;
}

zn_status zn_lcp_solve(const zn_lcp_problem *p, const zn_lcp_settings *settings, double *z, double *w, void *scratch,
                       zn_lcp_info *info)
{
    ZN_ASSERT(p && settings);
    ZN_ASSERT(p->n <= 0 || (z && w && z != w));
    // this is the inner loop of every event: no strcmp and no scratch for one and two rows
    const char *s = settings->solver;
    bool        automatic = s == NULL || (s[0] == 'a' && s[1] == 'u' && s[2] == 't' && s[3] == 'o' && s[4] == '\0');
    double      residual;
    if (automatic && ((p->n == 1 && solve_one(p, settings->tolerance, z, w, &residual)) ||
                      (p->n == 2 && solve_two(p, settings->tolerance, z, w, &residual)))) {
        report(info, "closed_form", 0, residual);
        return ZN_OK;
    }
    return solve_scaled(p, settings, automatic, z, w, scratch, info);
}
