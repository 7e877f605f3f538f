// Gauss-Seidel on the caller's own matrix, from r = 0: nothing is copied, scaled or allocated. For problems that a few
// sweeps solve, where everything else would cost more than the sweeps.
#include <math.h>

#include "base/assert.h"
#include "solve/friction.h"

// The contact's own block of W, and its velocity without its own reaction. `known`: reactions from this row on are
// zero.
static inline void gather(const zn_fc_problem *p, int first, int rows, int known, const double *r, double *W, double *u)
{
    ZN_ASSERT(rows >= 1 && rows <= 3 && known <= p->n);
    for (int i = 0; i < rows; i++) {
        zn_fc_row row = zn_fc_row_of(p, first + i);
        double    sum = p->q[first + i], *own = W + 3 * i;
        if (row.column == NULL) {
            for (int j = 0; j < first; j++)
                sum += row.value[j] * r[j];
            for (int j = 0; j < rows; j++)
                own[j] = row.value[first + j];
            for (int j = first + rows; j < known; j++)
                sum += row.value[j] * r[j];
        } else {
            own[0] = own[1] = own[2] = 0;
            for (int k = 0; k < row.count; k++) {
                int j = row.column[k] - first;
                if (j < 0 || j >= rows)
                    sum += row.value[k] * r[row.column[k]];
                else
                    own[j] += row.value[k];
            }
        }
        u[i] = sum;
    }
}

// False when a contact has no solution.
static bool sweep(const zn_fc_problem *p, bool first_time, double *r)
{
    for (int c = 0; c < p->contacts; c++) {
        int    first = p->first[c], rows = p->first[c + 1] - first;
        double W[9], u[3];
        gather(p, first, rows, first_time ? first : p->n, r, W, u);
        if (!zn_fc_solve_contact(rows, W, 3, u, p->mu[c], r + first))
            return false;
    }
    return true;
}

zn_status zn_fc_plain(const zn_fc_problem *p, const zn_fc_settings *settings, int most, double zero, double *r,
                      double *u, zn_fc_verdict *verdict, int *iterations)
{
    ZN_ASSERT(p->bilateral == 0 && most > 0 && iterations);
    enum { FAIR = 4 }; // sweeps before their rate counts, where many are granted
    double before = zero;
    for (int done = 0, last = 0, next = 1; done < most;) {
        if (!sweep(p, done == 0, r))
            return ZN_NOT_CONVERGED;
        ++*iterations;
        if (++done < next)
            continue;
        *verdict = zn_fc_judge_both(p, settings->measure, r, u);
        if (verdict->asked <= settings->tolerance)
            return ZN_OK;
        double left = zn_fc_sweeps_left(before, verdict->asked, done - last, settings->tolerance);
        bool   fair = done >= FAIR || most <= FAIR;
        if (fair && !(done + left <= most))
            break;
        before = verdict->asked;
        last = done;
        next = left < FAIR ? done + 1 + (int)left : fair ? done + (int)left : FAIR;
    }
    return ZN_NOT_CONVERGED;
}
