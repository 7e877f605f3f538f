// Planar Coulomb friction as a linear complementarity problem, solved by Lemke's method.
//
// With friction split into its two directions, r_T = b+ - b-, and the sliding speed l as multiplier, Coulomb's law is
//     0 <=  u_N              _|_ r_N >= 0
//     0 <=  u_T + l          _|_ b+  >= 0
//     0 <= -u_T + l          _|_ b-  >= 0
//     0 <=  mu r_N - b+ - b- _|_ l   >= 0
// and exact in the plane. For z = (r_N, b+, b-, l) and its matrix A, z'Az = r'Wr + mu r_N l: with W = G M^-1 G' and q
// in the range of G, A is copositive and Lemke's method ends with a solution whatever mu is. (With r_T =
// r_R - mu r_N one row less would do, but that matrix is not copositive.) W need not be symmetric to try.
//
// Reference: M. Anitescu, F. A. Potra, Nonlinear Dynamics 14 (1997) 231-247.
#include <string.h>

#include "base/assert.h"
#include "solve/friction.h"

// Row of the LCP where contact c begins, in work->status; returns the number of rows.
static int number_rows(const zn_fc_work *work)
{
    const zn_fc_problem *p = &work->p;
    int                  rows = p->bilateral;
    for (int c = 0; c < p->contacts; c++) {
        work->status[c] = rows;
        rows += zn_fc_tangents(p, c) > 0 ? 4 : 1;
    }
    return rows;
}

// Row i of W for the unknowns of the LCP.
static void fill_row(const zn_fc_work *work, int i, double *out)
{
    const zn_fc_problem *p = &work->p;
    const double        *row = p->W + (size_t)i * p->n;
    for (int j = 0; j < p->bilateral; j++)
        out[j] = row[j];
    for (int c = 0; c < p->contacts; c++) {
        int j = p->first[c], k = work->status[c];
        out[k] = row[j];
        if (zn_fc_tangents(p, c) == 0)
            continue;
        out[k + 1] = row[j + 1];
        out[k + 2] = -row[j + 1];
        out[k + 3] = 0;
    }
}

static void fill_problem(const zn_fc_work *work, int m, double *A, double *b)
{
    const zn_fc_problem *p = &work->p;
    for (int i = 0; i < p->bilateral; i++) {
        fill_row(work, i, A + (size_t)i * m);
        b[i] = p->q[i];
    }
    for (int c = 0; c < p->contacts; c++) {
        int     i = p->first[c], k = work->status[c];
        double *row = A + (size_t)k * m;
        fill_row(work, i, row);
        b[k] = p->q[i];
        if (zn_fc_tangents(p, c) == 0)
            continue;
        double *plus = row + m, *minus = plus + m, *multiplier = minus + m;
        fill_row(work, i + 1, plus);
        for (int j = 0; j < m; j++) {
            minus[j] = -plus[j];
            multiplier[j] = 0;
        }
        plus[k + 3] = minus[k + 3] = 1;
        multiplier[k] = p->mu[c];
        multiplier[k + 1] = multiplier[k + 2] = -1;
        b[k + 1] = p->q[i + 1];
        b[k + 2] = -p->q[i + 1];
        b[k + 3] = 0;
    }
}

static void read_answer(const zn_fc_work *work, const double *z)
{
    const zn_fc_problem *p = &work->p;
    for (int i = 0; i < p->bilateral; i++)
        work->r[i] = z[i];
    for (int c = 0; c < p->contacts; c++) {
        double       *r = work->r + p->first[c];
        const double *x = z + work->status[c];
        r[0] = x[0];
        if (p->first[c + 1] - p->first[c] == 2)
            r[1] = zn_fc_tangents(p, c) > 0 ? x[1] - x[2] : 0;
    }
}

// A power of two for row i of the LCP that differs from one trial to the next.
static double factor_of(int trial, int i)
{
    ZN_ASSERT(trial >= 0 && i >= 0);
    static const double factors[4] = {1, 0.5, 2, 4};
    unsigned            hash = ((unsigned)i + 1) * 2654435761u * (unsigned)trial;
    return factors[hash >> 30];
}

// A' = D A D, b' = D b
static void scale_rows(int trial, int bilateral, int m, double *A, double *b)
{
    for (int i = bilateral; i < m; i++) {
        double d = factor_of(trial, i);
        for (int j = 0; j < m; j++) {
            A[(size_t)i * m + j] *= d;
            A[(size_t)j * m + i] *= d;
        }
        b[i] *= d;
    }
}

// The path begins at z0 times a vector of ones, in units of the rows. Where round-off has led it into a ray, one that
// begins elsewhere need not end there.
static zn_status follow_path(const zn_fc_work *work, int trial, int m, int *iterations)
{
    ZN_ASSERT((size_t)m <= zn_fc_lcp_rows(work->p.n, work->p.contacts));
    double     *A = work->table, *b = A + (size_t)m * m, *z = b + m, *w = z + m;
    int         bilateral = work->p.bilateral;
    zn_lcp_work lcp = {.p = {.n = m, .bilateral = bilateral, .A = A, .b = b},
                       .max_iterations = work->max_iterations,
                       .tolerance = work->tolerance,
                       .z = z,
                       .w = w,
                       .table = w + m,
                       .index = work->index};
    fill_problem(work, m, A, b);
    scale_rows(trial, bilateral, m, A, b);
    memset(z, 0, (size_t)m * sizeof *z);
    ZN_TRY(zn_lcp_lemke(&lcp, iterations));
    for (int i = bilateral; i < m; i++)
        z[i] *= factor_of(trial, i);
    read_answer(work, z);
    return ZN_OK;
}

zn_status zn_fc_lemke(const zn_fc_work *work, int *iterations)
{
    ZN_ASSERT(work->table && work->index && iterations);
    enum { TRIALS = 4 };
    for (int c = 0; c < work->p.contacts; c++)
        if (work->p.first[c + 1] - work->p.first[c] > 2)
            return ZN_ERR_ARGUMENT;
    for (int trial = 0; trial < TRIALS; trial++) {
        int m = number_rows(work);
        if (follow_path(work, trial, m, iterations) != ZN_OK)
            continue;
        if (zn_fc_judge_work(work, NULL) <= work->tolerance)
            return ZN_OK;
        // the statuses are right even where the numbers have suffered
        zn_fc_read_statuses(work);
        zn_fc_solve_statuses(work);
        if (zn_fc_judge_work(work, NULL) <= work->tolerance)
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}
