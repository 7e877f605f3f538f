#include "scheme/sparse_sweep.h"
#include <math.h>
#include "solve/friction.h"

static double natural(int rows, double mu, double rho, const double *r, const double *u)
{
    double slip = 0, length = 0, x[3];
    for (int k = 1; k < rows; k++) {
        x[k] = r[k] - rho * u[k];
        length += x[k] * x[k];
        slip += u[k] * u[k];
    }
    length = sqrt(length);
    slip = sqrt(slip);
    x[0] = r[0] - rho * (u[0] + mu * slip);
    double factor = 1;
    if (length <= mu * x[0])
        ;
    else if (mu * length <= -x[0])
        factor = x[0] = 0;
    else {
        x[0] = (x[0] + mu * length) / (1 + mu * mu);
        factor = mu * x[0] / length;
    }
    double sum = (r[0] - x[0]) * (r[0] - x[0]);
    for (int k = 1; k < rows; k++)
        sum += (r[k] - factor * x[k]) * (r[k] - factor * x[k]);
    return sum;
}

zn_status zn_sparse_sweep(const zn_fc_problem *p, const zn_fc_settings *s, double *r, double *u, zn_fc_info *info)
{
    const zn_fc_matrix *W = p->sparse;
    int limit = 1000, it;
    double qq = 0, res = 0;
    for (int i = 0; i < p->n; i++)
        qq += p->q[i] * p->q[i];
    for (it = 1; it <= limit; it++) {
        for (int c = 0; c < p->contacts; c++) {
            int    f = p->first[c], rows = p->first[c + 1] - f;
            double D[9], q[3];
            for (int k = 0; k < rows; k++) {
                double sum = p->q[f + k];
                for (int e = W->start[f + k]; e < W->start[f + k + 1]; e++) {
                    int j = W->column[e] - f;
                    if (j >= 0 && j < rows)
                        D[3 * k + j] = W->value[e];
                    else
                        sum += W->value[e] * r[W->column[e]];
                }
                q[k] = sum;
            }
            zn_fc_solve_contact(rows, D, 3, q, p->mu[c], r + f);
        }
        if (it % 5 && it < limit)
            continue;
        res = 0;
        for (int c = 0; c < p->contacts; c++) {
            int f = p->first[c], rows = p->first[c + 1] - f;
            for (int k = 0; k < rows; k++) {
                double sum = p->q[f + k];
                for (int e = W->start[f + k]; e < W->start[f + k + 1]; e++)
                    sum += W->value[e] * r[W->column[e]];
                u[f + k] = sum;
            }
            res += natural(rows, p->mu[c], 1, r + f, u + f);
        }
        res = sqrt(res / qq);
        if (res <= s->tolerance)
            break;
    }
    *info = (zn_fc_info){.solver = "gauss_seidel", .iterations = it, .residual = res};
    return ZN_OK;
}
