// Frictional contact problems: the public entry, the judge, and the choice of a solver.
//
// A problem is solved in units of its own: with s ~ 1/sqrt(d) for a contact's rows (d as in zn_fc_residual; a bilateral
// row has its own),
//     W' = S W S,   q' = S q,   r = S r'
// has a diagonal of about 1 and the same cones. The s are powers of two: scaling makes no round-off.
//
// "auto" tries the cheapest method that may do and goes on while the judge refuses: the closed form of one contact,
// the statuses of the warm start, then for few contacts Lemke and enumeration, for many Gauss-Seidel and Lemke.
//
// Reference: G. De Saxce, Z.-Q. Feng, Math. Comput. Modelling 28 (1998) 225-245, for the cone complementarity form;
// V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), chapter 13, for the solvers.
#include "solve/friction.h"

#include <float.h>
#include <math.h>
#include <string.h>

zn_fc_settings zn_fc_settings_default(void)
{
    return (zn_fc_settings){.solver = "auto", .max_iterations = 0, .tolerance = 1e-12};
}

size_t zn_fc_scratch(int n, int contacts)
{
    if (n <= 0 || contacts < 0)
        return 0;
    size_t rows = (size_t)n, lcp = zn_fc_lcp_rows(n, contacts);
    size_t doubles = rows * rows + 4 * rows + 2 * (size_t)contacts + rows * (rows + 2) + ZN_FC_TABLE(lcp);
    size_t integers = 4 * lcp + rows + (size_t)contacts;
    return doubles * sizeof(double) + rows * sizeof(zn_fc_unknown) + integers * sizeof(int);
}

// --- the judge -----------------------------------------------------------------------------------

// d: mean |W_ii| of the rows [first, last), or their largest entry when that is zero, or 1 when they are empty.
static inline double block_size(const zn_fc_problem *p, int first, int last)
{
    double d = 0;
    for (int i = first; i < last; i++)
        d += fabs(p->W[(size_t)i * p->n + i]);
    if (d > 0)
        return d / (last - first);
    for (size_t k = (size_t)first * p->n; k < (size_t)last * p->n; k++)
        d = fabs(p->W[k]) > d ? fabs(p->W[k]) : d;
    return d > 0 ? d : 1;
}

// u_i, and the size of what was summed.
static inline double row_value(const zn_fc_problem *p, int i, const double *r, double *size)
{
    const double *row = p->W + (size_t)i * p->n;
    double sum = p->q[i], total = fabs(sum);
    for (int j = 0; j < p->n; j++) {
        double term = row[j] * r[j];
        sum += term;
        total += fabs(term);
    }
    *size = total;
    return sum;
}

// |r - P(x)| with x = r - (u_N + mu |u_T|, u_T) / d and P the projection on |x_T| <= mu x_N.
static inline double natural_map(int rows, double mu, double d, const double *r, const double *u)
{
    double rho = 1 / d, slip = 0, length = 0, x[3];
    if (rows == 1) {
        x[0] = r[0] - rho * u[0];
        return fabs(x[0] > 0 ? rho * u[0] : r[0]);
    }
    for (int k = 1; k < rows; k++) {
        x[k] = r[k] - rho * u[k];
        length += x[k] * x[k];
        slip += u[k] * u[k];
    }
    length = rows == 2 ? fabs(x[1]) : sqrt(length);
    slip = rows == 2 ? fabs(u[1]) : sqrt(slip);
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
    return sqrt(sum);
}

double zn_fc_judge(const zn_fc_problem *p, const double *r, double *u)
{
    double worst = 0, scale = 0, total = 0;
    for (int c = -p->bilateral; c < p->contacts; c++) { // negative: the bilateral rows
        int first = c < 0 ? c + p->bilateral : p->first[c], last = c < 0 ? first + 1 : p->first[c + 1];
        double y[3], size = 0, d = block_size(p, first, last), root = sqrt(d);
        for (int i = first; i < last; i++) {
            double row;
            y[i - first] = row_value(p, i, r, &row);
            size = row > size ? row : size;
            total += row;
            if (u != NULL)
                u[i] = y[i - first];
        }
        total += c < 0 ? 0 : p->mu[c];
        double violation = c < 0 ? fabs(y[0]) / root : root * natural_map(last - first, p->mu[c], d, r + first, y);
        worst = violation > worst ? violation : worst;
        scale = size / root > scale ? size / root : scale;
    }
    if (!(total <= DBL_MAX)) // something is not a number or infinite: comparisons above may have missed it
        return INFINITY;
    return scale > 0 ? worst / scale : 0;
}

double zn_fc_residual(const zn_fc_problem *p, const double *r)
{
    return zn_fc_judge(p, r, NULL);
}

// --- scaling -------------------------------------------------------------------------------------

// Hand out the scratch; `scale` gets its rows.
static void divide_scratch(const zn_fc_problem *p, const zn_fc_settings *settings, void *scratch, zn_fc_work *work,
                           double **scale)
{
    size_t n = (size_t)p->n, lcp = zn_fc_lcp_rows(p->n, p->contacts);
    double *W = scratch, *q = W + n * n;
    *scale = q + n;
    *work = (zn_fc_work){.p = *p, .max_iterations = settings->max_iterations, .tolerance = settings->tolerance};
    work->p.W = W;
    work->p.q = q;
    work->r = *scale + n;
    work->u = work->r + n;
    work->slip = work->u + n;
    work->equations = work->slip + 2 * (size_t)p->contacts;
    work->table = work->equations + n * (n + 2);
    work->unknowns = (zn_fc_unknown *)(void *)(work->table + ZN_FC_TABLE(lcp));
    work->status = (int *)(void *)(work->unknowns + n);
    work->pivots = work->status + p->contacts;
    work->index = work->pivots + n;
}

static zn_status scale_problem(const zn_fc_problem *p, double *s, double *W, double *q)
{
    int n = p->n;
    double total = 0;
    for (int i = 0; i < p->bilateral; i++)
        s[i] = zn_lcp_scale_of(block_size(p, i, i + 1));
    for (int c = 0; c < p->contacts; c++) {
        double factor = zn_lcp_scale_of(block_size(p, p->first[c], p->first[c + 1]));
        for (int i = p->first[c]; i < p->first[c + 1]; i++)
            s[i] = factor;
        total += p->mu[c];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            size_t k = (size_t)i * n + j;
            W[k] = p->W[k] * s[i] * s[j];
            total += fabs(p->W[k]);
        }
        q[i] = p->q[i] * s[i];
        total += fabs(p->q[i]);
    }
    return total <= DBL_MAX ? ZN_OK : ZN_NOT_FINITE;
}

// --- solvers in turn -----------------------------------------------------------------------------

typedef struct fc_solver {
    const char *name;
    zn_fc_method *method;
} fc_solver;

static const fc_solver newton = {"newton", zn_fc_newton};
static const fc_solver enumerate = {"enumerate", zn_fc_enumerate};
static const fc_solver lemke = {"lemke", zn_fc_lemke};
static const fc_solver gauss_seidel = {"gauss_seidel", zn_fc_gauss_seidel};

static const fc_solver *find_solver(const char *name)
{
    const fc_solver *const table[] = {&enumerate, &lemke, &gauss_seidel};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

// Reactions that are outside of their cone by round-off only, or the judge will see it.
static void clean(const zn_fc_problem *p, double *r)
{
    for (int c = 0; c < p->contacts; c++) {
        double *at = r + p->first[c], length = 0;
        int rows = p->first[c + 1] - p->first[c];
        at[0] = at[0] > 0 ? at[0] : 0;
        for (int k = 1; k < rows; k++)
            length += at[k] * at[k];
        length = rows == 2 ? fabs(at[1]) : sqrt(length);
        double factor = length > p->mu[c] * at[0] ? p->mu[c] * at[0] / length : 1;
        for (int k = 1; k < rows; k++)
            at[k] *= factor;
    }
}

// One problem on its way through the solvers.
typedef struct fc_task {
    const zn_fc_problem *p; // the caller's
    zn_fc_work work;
    const double *scale;
    double *r, *u; // the caller's
    zn_fc_info info;
} fc_task;

// One solver from the caller's warm start; its proposal counts when the judge accepts it in the caller's units.
static zn_status attempt(fc_task *task, const fc_solver *solver)
{
    const zn_fc_work *work = &task->work;
    int n = task->p->n;
    task->info.solver = solver->name;
    for (int i = 0; i < n; i++) {
        work->r[i] = task->r[i] / task->scale[i];
        if (!isfinite(work->r[i]))
            work->r[i] = 0;
    }
    ZN_TRY(solver->method(work, &task->info.iterations));
    for (int i = 0; i < n; i++)
        work->r[i] *= task->scale[i];
    clean(task->p, work->r);
    task->info.residual = zn_fc_judge(task->p, work->r, work->u);
    if (!(task->info.residual <= work->tolerance))
        return ZN_NOT_CONVERGED;
    memcpy(task->r, work->r, (size_t)n * sizeof *work->r);
    memcpy(task->u, work->u, (size_t)n * sizeof *work->u);
    return ZN_OK;
}

static bool is_planar(const zn_fc_problem *p)
{
    for (int c = 0; c < p->contacts; c++)
        if (p->first[c + 1] - p->first[c] > 2)
            return false;
    return true;
}

// Many contacts give Gauss-Seidel a chance before Lemke's tableau, whose cost grows with the cube, and a longer one
// after it.
static zn_status attempt_in_turn(fc_task *task)
{
    enum { FEW = 4 };
    const zn_fc_problem *p = task->p;
    bool planar = is_planar(p), few = p->contacts <= FEW;
    const fc_solver *order[] = {&newton, !few && planar ? &gauss_seidel : NULL, planar ? &lemke : NULL,
                                zn_fc_count_sets(p) > 0 ? &enumerate : NULL, &gauss_seidel};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (order[i] == NULL)
            continue;
        int limit = task->work.max_iterations;
        if (i == 1 && limit == 0)
            task->work.max_iterations = 100 + p->n;
        zn_status status = attempt(task, order[i]);
        task->work.max_iterations = limit;
        if (status == ZN_OK)
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}

// --- entry ---------------------------------------------------------------------------------------

static zn_status check_arguments(const zn_fc_problem *p)
{
    if (p->n < 0 || p->bilateral < 0 || p->bilateral > p->n || p->contacts < 0)
        return ZN_ERR_ARGUMENT;
    if (p->contacts == 0)
        return p->bilateral == p->n ? ZN_OK : ZN_ERR_ARGUMENT;
    if (p->first[0] != p->bilateral || p->first[p->contacts] != p->n)
        return ZN_ERR_ARGUMENT;
    for (int c = 0; c < p->contacts; c++) {
        int rows = p->first[c + 1] - p->first[c];
        if (rows < 1 || rows > 3 || p->mu[c] < 0)
            return ZN_ERR_ARGUMENT;
    }
    return ZN_OK;
}

static inline void report(zn_fc_info *info, const zn_fc_info *result)
{
    if (info != NULL)
        *info = *result;
}

// One contact and nothing else, from its closed form.
static inline bool solve_single(const zn_fc_problem *p, double tolerance, double *r, double *u, zn_fc_info *info)
{
    double x[3] = {0}, y[3];
    if (p->n > 3 || p->n < 1 || p->bilateral != 0 || p->first[0] != 0 || p->first[1] != p->n || !(p->mu[0] >= 0))
        return false;
    if (!zn_fc_solve_contact(p->n, p->W, p->n, p->q, p->mu[0], x))
        return false;
    double residual = zn_fc_judge(p, x, y);
    if (!(residual <= tolerance))
        return false;
    for (int i = 0; i < p->n; i++) {
        r[i] = x[i];
        u[i] = y[i];
    }
    report(info, &(zn_fc_info){.solver = "closed_form", .residual = residual});
    return true;
}

static zn_status solve_scaled(const zn_fc_problem *p, const zn_fc_settings *settings, bool automatic, double *r,
                              double *u, void *scratch, zn_fc_info *info)
{
    const fc_solver *solver = automatic ? NULL : find_solver(settings->solver);
    if (!automatic && solver == NULL)
        return ZN_ERR_ARGUMENT;
    ZN_TRY(check_arguments(p));
    if (p->n == 0) {
        report(info, &(zn_fc_info){.solver = "closed_form"});
        return ZN_OK;
    }
    fc_task task = {.p = p, .r = r, .u = u, .info = {.residual = INFINITY}};
    double *scale, *W = scratch, *q = W + (size_t)p->n * p->n;
    divide_scratch(p, settings, scratch, &task.work, &scale);
    task.scale = scale;
    zn_status status = scale_problem(p, scale, W, q);
    if (status == ZN_OK)
        status = automatic ? attempt_in_turn(&task) : attempt(&task, solver);
    report(info, &task.info);
    return status > ZN_OK && status != ZN_NOT_FINITE ? ZN_NOT_CONVERGED : status;
}

zn_status zn_fc_solve(const zn_fc_problem *p, const zn_fc_settings *settings, double *r, double *u, void *scratch,
                      zn_fc_info *info)
{
    // one contact is the inner loop of many simulations: no strcmp and no scratch
    const char *s = settings->solver;
    bool automatic = s == NULL || (s[0] == 'a' && s[1] == 'u' && s[2] == 't' && s[3] == 'o' && s[4] == '\0');
    if (automatic && p->contacts == 1 && solve_single(p, settings->tolerance, r, u, info))
        return ZN_OK;
    return solve_scaled(p, settings, automatic, r, u, scratch, info);
}
