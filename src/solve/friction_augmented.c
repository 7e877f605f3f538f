// One step of Newton's method on the augmented Lagrangian of Alart and Curnier (Galvez et al., (54)-(58), (60)-(63)).
//
// The step of the whole problem, in increments dx of the motion and the new multipliers r+, is
//     A dx - G' r+ = -r0,      dF = D du + E dr = -F(r, u),   du = G dx,   dr = r+ - r
// with F = r - P(r - p u), the function of friction_newton_function.c, whose derivative D, E holds the status of each
// contact, the direction of slip and how it turns. (The paper lets P(xi) push instead of r. That adds G' times the
// second rows to the first ones: the same equations.) The first row gives dx = A^-1 (G' r+ - r0), and with W = G A^-1
// G' and q = u - G A^-1 r0 the second one becomes
//     (D W + E) (r+ - r) = -F - D (W r + q - u),
// which is solved here: one linear system, no inequalities. An open contact has D = 0, E = 1: r+ = 0.
//
// Followers also have couple (dr_N - p du_N) of their leader in dF, with p du_N = -p u_N where that is closed.
//
// W is singular where contacts repeat each other: W + e I is factored instead, and two corrections with these factors
// take e out again of what W determines.
#include "solve/friction_augmented.h"

#include <math.h>
#include <string.h>

#include "solve/friction_newton.h"
#include "solve/friction_system.h"

static const double shift = 1e-10; // e, of blocks with a diagonal of about 1

typedef struct augmented {
    zn_fc_blocks b;
    double      *r, *u;      // n: the iterate
    double      *next, *lin; // n: r+ so far and u there
    double      *F, *x;      // n
    double      *D, *E;      // 9 per block
    double      *couple;     // 2 per block
    int         *place;      // per block
    int          m;
    double       penalty;
} augmented;

static zn_status allocate(const zn_fc_problem *p, zn_fc_workspace *memory, augmented *w)
{
    ZN_TRY(zn_fc_blocks_create(p, memory, &w->b));
    double **vectors[] = {&w->r, &w->u, &w->next, &w->lin, &w->F, &w->x};
    bool     there = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        there = (*vectors[i] = ZN_FC_TAKE(memory, double, p->n)) != NULL && there;
    w->D = ZN_FC_TAKE(memory, double, 9 * (size_t)w->b.count);
    w->E = ZN_FC_TAKE(memory, double, 9 * (size_t)w->b.count);
    w->couple = ZN_FC_TAKE(memory, double, 2 * (size_t)w->b.count);
    w->place = ZN_FC_TAKE(memory, int, w->b.count);
    return there && w->D && w->E && w->couple && w->place ? ZN_OK : ZN_ERR_MEMORY;
}

// An equation times any number is the same one: whatever the penalty, its largest coefficient is 1.
static void scale_equations(int rows, double *F, double *D, double *E, double *couple)
{
    for (int i = 0; i < rows; i++) {
        double largest = 0;
        for (int j = 0; j < rows; j++)
            largest = fmax(largest, fmax(fabs(D[3 * i + j]), fabs(E[3 * i + j])));
        F[i] /= largest;
        if (i < 2)
            couple[i] /= largest;
        for (int j = 0; j < rows; j++) {
            D[3 * i + j] /= largest;
            E[3 * i + j] /= largest;
        }
    }
}

static double penalty_of(const zn_fc_blocks *b, double penalty, int c) { return penalty / (b->scale[c] * b->scale[c]); }

// A follower's penalty is that of the mean diagonal of its rows against its leader's: they have another unit.
static bool linearize_block(augmented *w, int c, double *D, double *E, double *couple)
{
    const zn_fc_blocks *b = &w->b;
    int                 i = b->first[c], rows = zn_fc_block_rows(b, c), l = b->leader[c];
    double              rho = penalty_of(b, w->penalty, l >= 0 ? l : c), both[2] = {rho, rho};
    couple[0] = couple[1] = 0;
    if (l < 0)
        return zn_fc_newton_function(ZN_FC_ALART_CURNIER, rows, b->mu[c], both, w->r + i, w->u + i, w->F + i, D, E);
    double pressure = w->r[b->first[l]] - rho * w->u[b->first[l]];
    return zn_fc_newton_follower(rows, b->mu[c], rho * b->size[l] / b->size[c], pressure, w->r + i, w->u + i, w->F + i,
                                 D, E, couple);
}

// F, D and E at the iterate, in the units of the blocks; open contacts get r+ = 0 and take no part.
static void linearize(augmented *w)
{
    const zn_fc_blocks *b = &w->b;
    w->m = 0;
    for (int c = 0; c < b->count; c++) {
        int     i = b->first[c], rows = zn_fc_block_rows(b, c);
        double *D = w->D + 9 * (size_t)c, *E = w->E + 9 * (size_t)c, *couple = w->couple + 2 * (size_t)c;
        bool    part = linearize_block(w, c, D, E, couple);
        scale_equations(rows, w->F + i, D, E, couple);
        w->place[c] = part ? w->m : -1;
        w->m += part ? rows : 0;
        for (int k = i; k < i + rows && !part; k++)
            w->next[k] = 0;
    }
}

// Of r_N - p u_N of a closed contact, whose velocity ends at zero.
static double change_of_pressure(const augmented *w, int c)
{
    int i = w->b.first[c];
    return w->next[i] - w->r[i] + penalty_of(&w->b, w->penalty, c) * w->u[i];
}

// What r+ so far leaves of the equations: -F - D (W r+ + q - u) - E (r+ - r).
static void find_rest(augmented *w)
{
    const zn_fc_blocks *b = &w->b;
    zn_fc_blocks_multiply(b, w->next, w->lin);
    for (int c = 0; c < b->count; c++) {
        const double *D = w->D + 9 * (size_t)c, *E = w->E + 9 * (size_t)c;
        int           i = b->first[c], rows = zn_fc_block_rows(b, c);
        for (int k = 0; k < rows && w->place[c] >= 0; k++) {
            double sum = -w->F[i + k];
            for (int l = 0; l < rows; l++)
                sum -= D[3 * k + l] * (w->lin[i + l] - w->u[i + l]) + E[3 * k + l] * (w->next[i + l] - w->r[i + l]);
            if (b->leader[c] >= 0)
                sum -= w->couple[2 * (size_t)c + (size_t)k] * change_of_pressure(w, b->leader[c]);
            w->x[w->place[c] + k] = sum;
        }
    }
}

static zn_status correct(augmented *w, const zn_fc_factors *factors)
{
    find_rest(w);
    ZN_TRY(zn_fc_factor_solve(factors, w->x));
    for (int c = 0; c < w->b.count; c++)
        for (int i = w->b.first[c]; i < w->b.first[c + 1] && w->place[c] >= 0; i++) {
            w->next[i] += w->x[w->place[c] + i - w->b.first[c]];
            if (!isfinite(w->next[i]))
                return ZN_SINGULAR;
        }
    return ZN_OK;
}

static zn_status take_step(augmented *w, zn_fc_workspace *memory)
{
    enum { CORRECTIONS = 2 };
    zn_fc_factors factors = {0};
    memcpy(w->next, w->r, sizeof *w->next * (size_t)w->b.n);
    linearize(w);
    zn_fc_system system = {.b = &w->b, .place = w->place, .m = w->m, .left = w->D, .own = w->E, .shift = shift};
    system.couple = w->couple;
    zn_status status = w->m > 0 ? zn_fc_factor(&system, memory, false, &factors) : ZN_OK;
    for (int k = 0; k <= CORRECTIONS && w->m > 0 && status == ZN_OK; k++)
        status = correct(w, &factors);
    zn_fc_factors_free(&factors);
    return status;
}

zn_status zn_fc_augmented_step(const zn_fc_problem *p, zn_fc_workspace *workspace, double penalty, const double *u,
                               double *r)
{
    ZN_ASSERT(p && p->n > 0 && workspace && penalty > 0 && u && r);
    augmented w = {.penalty = penalty};
    ZN_TRY(zn_fc_begin(workspace));
    ZN_TRY(allocate(p, workspace, &w));
    const zn_fc_blocks *b = &w.b;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++) {
            w.r[i] = r[i] / b->scale[c];
            w.u[i] = u[i] * b->scale[c];
        }
    ZN_TRY(take_step(&w, workspace));
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++)
            r[i] = w.next[i] * b->scale[c];
    return ZN_OK;
}
