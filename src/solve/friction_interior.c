// Interior-point method. Redundant contacts whose sticking equations contradict each other a little (four corners of a
// box that touches down) have an answer with slip as small as the contradiction and reactions far away, on the border
// of the cones: sweeps need as many steps as the contradiction is small, Newton's method on a projection does not see
// it. A path through the interior of the cones does not care.
//
// With D = diag(1 / mu, 1, 1), x = D^-1 r and y = D (u + s e_N), s = mu |u_T|, are both in Lorentz' cone. Newton's
// method on
//     D^-1 y = W r + q + s e_N,   x o y = m e,   m -> 0
// in the scaling of Nesterov and Todd, H x = H^-1 y = l, where the second equation is l o (H dx + H^-1 dy) = m e - l o
// l:
//     (L W + D^-1 H^2 D^-1) dr = D^-1 H c - L R,   dy = H (c - H dx),   l o c = m e - l o l - ...
// R: what is missing in the first equation; L = I + mu e_N t', t = u_T / |u_T|, by which slip adds to the normals.
// Mehrotra's predictor says how much smaller m becomes, and its corrector goes there. Where slip is as small as the
// contradiction this may stall; then s is kept (L = I), which makes the problem convex, and taken from its answer again
// until it stays. Once a point of the path tells which contacts carry, stick and slip Newton's method on a projection
// ends it.
//
// Reference: V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, Second-order cone programming for frictional contact
// mechanics using interior point algorithm, Optim. Methods Softw. 39 (2024) 634-663; for existence of an answer V.
// Acary, F. Cadoux, C. Lemarechal, J. Malick, Z. Angew. Math. Mech. 91 (2011) 155-175.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction_newton.h"
#include "solve/friction_system.h"
#include "solve/friction_twins.h"

typedef struct interior {
    zn_fc_task   *task;
    double       *x, *y;      // n: in the cones; of equations x = r, y = 0
    double       *dx, *dy;    // n
    double       *R, *work;   // n
    double       *lambda, *c; // n
    double       *s;          // per block
    double       *H;          // 9 per block
    double       *left, *own; // 9 per block
    double       *inverse;    // 9 per block: of own, in the rows of the cones
    int          *place;
    int           cones;
    bool          keeps_slip; // s stays as it is
    zn_fc_twins   twins;
    bool          by_twins; // equations of twins, as long as they are solved well
    zn_fc_factors factors;
    bool          factored;
} interior;

static zn_status allocate(zn_fc_task *task, interior *w)
{
    zn_fc_workspace *memory = task->memory;
    double         **vectors[] = {&w->x, &w->y, &w->dx, &w->dy, &w->R, &w->work, &w->lambda, &w->c};
    double         **matrices[] = {&w->H, &w->left, &w->own, &w->inverse};
    bool             there = true;
    w->task = task;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        there = (*vectors[i] = ZN_FC_TAKE(memory, double, task->b.n)) != NULL && there;
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        there = (*matrices[i] = ZN_FC_TAKE(memory, double, 9 * (size_t)task->b.count)) != NULL && there;
    w->place = ZN_FC_TAKE(memory, int, task->b.count);
    w->s = ZN_FC_TAKE(memory, double, task->b.count);
    return there && w->place && w->s ? ZN_OK : ZN_ERR_MEMORY;
}

// --- Lorentz' cone -------------------------------------------------------------------------------

// Rows of a block that are in a cone: none of an equation, the normal alone without friction.
static int cone_rows(const zn_fc_blocks *b, int c)
{
    return b->mu[c] < 0 ? 0 : b->mu[c] > 0 ? zn_fc_block_rows(b, c) : 1;
}

// 1 / D of the normal.
static double steepness(const zn_fc_blocks *b, int c) { return cone_rows(b, c) > 1 ? b->mu[c] : 1; }

static double tangent_length(int rows, const double *x)
{
    return rows == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : rows == 2 ? fabs(x[1]) : 0;
}

static double dot(int rows, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += x[i] * y[i];
    return sum;
}

// x_0^2 - |x_T|^2
static double determinant(int rows, const double *x)
{
    double length = tangent_length(rows, x);
    return (x[0] - length) * (x[0] + length);
}

static void multiply(int rows, const double *H, const double *x, double *out)
{
    for (int i = 0; i < rows; i++)
        out[i] = dot(rows, H + 3 * i, x);
}

// The largest a (up to `most`) with x + a dx in the cone.
static double room(int rows, const double *x, const double *dx, double most)
{
    ZN_ASSERT(rows >= 1 && most >= 0);
    if (rows == 1)
        return dx[0] < 0 && -x[0] / dx[0] < most ? -x[0] / dx[0] : most;
    double a = determinant(rows, dx), b = x[0] * dx[0] - dot(rows - 1, x + 1, dx + 1), c = determinant(rows, x),
           root = b * b - a * c;
    if (root < 0 || (a >= 0 && b >= 0))
        return most;
    double at = c / (sqrt(root) - b);
    return at >= 0 && at < most ? at : most;
}

// H with H x = H^-1 y = lambda, and its inverse. False when one of them is not inside of the cone.
static bool scaling(int rows, const double *x, const double *y, double *H, double *inverse, double *lambda)
{
    ZN_ASSERT(rows >= 1 && rows <= 3);
    double size_x = determinant(rows, x), size_y = determinant(rows, y);
    if (!(size_x > 0 && size_y > 0 && x[0] > 0 && y[0] > 0))
        return false;
    double root_x = sqrt(size_x), root_y = sqrt(size_y), both = dot(rows, x, y) / (root_x * root_y);
    double norm = sqrt(2 * (1 + both)), factor = sqrt(root_y / root_x), w[3];
    for (int i = 0; i < rows; i++)
        w[i] = (y[i] / root_y + (i == 0 ? x[i] : -x[i]) / root_x) / norm;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double value = i == 0 ? w[j] : j == 0 ? w[i] : (i == j) + w[i] * w[j] / (1 + w[0]);
            H[3 * i + j] = factor * value;
            inverse[3 * i + j] = ((i == 0) == (j == 0) ? value : -value) / factor;
        }
    multiply(rows, H, x, lambda);
    return lambda[0] > 0 && lambda[0] <= DBL_MAX && determinant(rows, lambda) > 0; // near the border round-off decides
}

// c of lambda o c = b, in place.
static void divide(int rows, const double *lambda, double *c)
{
    ZN_ASSERT(rows >= 1 && lambda[0] > 0 && determinant(rows, lambda) > 0);
    double first = (lambda[0] * c[0] - dot(rows - 1, lambda + 1, c + 1)) / determinant(rows, lambda);
    for (int i = 1; i < rows; i++)
        c[i] = (c[i] - first * lambda[i]) / lambda[0];
    c[0] = first;
}

// --- Newton's equations --------------------------------------------------------------------------

static void set_reactions(interior *w)
{
    const zn_fc_blocks *b = &w->task->b;
    memcpy(w->task->r, w->x, sizeof *w->x * (size_t)b->n);
    for (int c = 0; c < b->count; c++)
        w->task->r[b->first[c]] /= steepness(b, c);
}

// In the middle of the cones, as large as the data.
static void start(interior *w)
{
    const zn_fc_blocks *b = &w->task->b;
    double              size = 0;
    for (int i = 0; i < b->n; i++)
        size = fmax(size, fabs(b->q[i]));
    for (int i = 0; i < b->n; i++)
        w->x[i] = w->y[i] = w->dx[i] = w->dy[i] = 0;
    w->cones = 0;
    for (int c = 0; c < b->count; c++) {
        w->place[c] = b->first[c];
        if (cone_rows(b, c) == 0)
            continue;
        w->x[b->first[c]] = w->y[b->first[c]] = size;
        w->cones++;
    }
    set_reactions(w);
    zn_fc_look(w->task);
}

// R, L, H and the matrix; u = W r + q is in the task. False at the border of a cone.
static bool linearize(interior *w)
{
    const zn_fc_blocks *b = &w->task->b;
    memset(w->left, 0, 9 * sizeof *w->left * (size_t)b->count);
    memset(w->own, 0, 9 * sizeof *w->own * (size_t)b->count);
    memset(w->inverse, 0, 9 * sizeof *w->inverse * (size_t)b->count);
    for (int c = 0; c < b->count; c++) {
        int           first = b->first[c], rows = cone_rows(b, c), all = zn_fc_block_rows(b, c);
        const double *u = w->task->u + first, *y = w->y + first;
        double       *R = w->R + first, *left = w->left + 9 * (size_t)c, *own = w->own + 9 * (size_t)c;
        double        steep = steepness(b, c), slip = tangent_length(rows, y), *H = w->H + 9 * (size_t)c;
        double       *inverse = w->inverse + 9 * (size_t)c, half[9];
        if (!w->keeps_slip && rows > 1)
            w->s[c] = b->mu[c] * slip;
        for (int i = 0; i < all; i++) {
            bool asked = i < rows || b->mu[c] < 0; // the others: r stays zero
            R[i] = asked ? u[i] - (i == 0 ? steep : 1) * y[i] : 0;
            left[4 * i] = asked ? 1 : 0;
            own[4 * i] = asked ? 0 : 1;
        }
        if (rows == 0)
            continue;
        R[0] += rows > 1 ? w->s[c] : 0;
        for (int i = 1; i < rows && slip > 0 && !w->keeps_slip; i++)
            left[i] = steep * y[i] / slip;
        if (!scaling(rows, w->x + first, y, H, half, w->lambda + first))
            return false;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) {
                double both = (i == 0 ? steep : 1) * (j == 0 ? steep : 1);
                own[3 * i + j] = dot(rows, H + 3 * i, H + 3 * j) * both;
                inverse[3 * i + j] = dot(rows, half + 3 * i, half + 3 * j) / both;
            }
    }
    return true;
}

// The right-hand side of complementarity: m e - l o l, and with the predictor's step also - (H dx) o (H^-1 dy).
static void aim(interior *w, double m, bool correct)
{
    const zn_fc_blocks *b = &w->task->b;
    for (int c = 0; c < b->count; c++) {
        int           first = b->first[c], rows = cone_rows(b, c);
        const double *l = w->lambda + first;
        double       *out = w->c + first, dx[3], dy[3];
        if (rows == 0)
            continue;
        out[0] = m - dot(rows, l, l);
        for (int i = 1; i < rows; i++)
            out[i] = -2 * l[0] * l[i];
        if (correct) { // H^-1 dy of the predictor is -l - H dx
            multiply(rows, w->H + 9 * (size_t)c, w->dx + first, dx);
            for (int i = 0; i < rows; i++)
                dy[i] = -l[i] - dx[i];
            out[0] -= dot(rows, dx, dy);
            for (int i = 1; i < rows; i++)
                out[i] -= dx[0] * dy[i] + dy[0] * dx[i];
        }
        divide(rows, l, out);
    }
}

static zn_status solve_equations(interior *w, double *x)
{
    const zn_fc_twin_system twins = {w->left, w->own, w->inverse};
    return w->by_twins ? zn_fc_twins_solve(&w->twins, &twins, &w->factors, x) : zn_fc_factor_solve(&w->factors, x);
}

// dx and dy for w->c.
static zn_status solve(interior *w)
{
    ZN_ASSERT(w->factored);
    const zn_fc_blocks *b = &w->task->b;
    double             *dr = w->dx;
    for (int c = 0; c < b->count; c++) {
        int    first = b->first[c], rows = cone_rows(b, c), all = zn_fc_block_rows(b, c);
        double push[3] = {0};
        multiply(rows, w->H + 9 * (size_t)c, w->c + first, push);
        push[0] *= steepness(b, c);
        for (int i = 0; i < all; i++)
            dr[first + i] = push[i] - dot(all, w->left + 9 * (size_t)c + 3 * i, w->R + first);
    }
    ZN_TRY(solve_equations(w, dr));
    for (int c = 0; c < b->count; c++) {
        int    first = b->first[c], rows = cone_rows(b, c);
        double left[3];
        dr[first] *= steepness(b, c); // now dx
        multiply(rows, w->H + 9 * (size_t)c, dr + first, left);
        for (int i = 0; i < rows; i++)
            left[i] = w->c[first + i] - left[i];
        multiply(rows, w->H + 9 * (size_t)c, left, w->dy + first);
    }
    return ZN_OK;
}

// How far one may go along (dx, dy), at most 1 / `part`, and part of that.
static double step_length(const interior *w, double part)
{
    ZN_ASSERT(part > 0 && part <= 1);
    const zn_fc_blocks *b = &w->task->b;
    double              most = 1 / part;
    for (int c = 0; c < b->count; c++) {
        int first = b->first[c], rows = cone_rows(b, c);
        if (rows == 0)
            continue;
        most = room(rows, w->x + first, w->dx + first, most);
        most = room(rows, w->y + first, w->dy + first, most);
    }
    return part * most;
}

// Mean x'y of the cones after a step of length a.
static double mean_product(const interior *w, double a)
{
    ZN_ASSERT(a >= 0);
    const zn_fc_blocks *b = &w->task->b;
    double              sum = 0;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c] + cone_rows(b, c); i++)
            sum += (w->x[i] + a * w->dx[i]) * (w->y[i] + a * w->dy[i]);
    return w->cones > 0 ? sum / w->cones : 0;
}

static zn_status refactor(interior *w, zn_fc_mark mark)
{
    const zn_fc_blocks     *b = &w->task->b;
    const zn_fc_system      system = {b, w->place, b->n, w->left, w->own, 1e-15, NULL, true};
    const zn_fc_twin_system twins = {w->left, w->own, w->inverse};
    zn_fc_rewind(w->task->memory, mark);
    if (!zn_fc_afford_factors(w->task, b->n))
        return ZN_NOT_CONVERGED;
    zn_status status = w->by_twins ? zn_fc_twins_factor(&w->twins, &twins, w->task->memory, w->factored, &w->factors)
                                   : zn_fc_factor(&system, w->task->memory, w->factored, &w->factors);
    w->factored = true;
    return status;
}

static void forget_factors(interior *w, bool by_twins)
{
    zn_fc_factors_free(&w->factors);
    w->factored = false;
    w->by_twins = by_twins;
}

// Without an answer reactions grow beyond all bounds (the diagonal of W is about 1).
static bool runs_away(const interior *w)
{
    const zn_fc_blocks *b = &w->task->b;
    double              data = 0, largest = 0;
    for (int i = 0; i < b->n; i++) {
        data = fmax(data, fabs(b->q[i]));
        largest = fmax(largest, fabs(w->task->r[i]));
    }
    return !(largest <= 1e10 * data);
}

// Predictor and corrector.
static zn_status find_step(interior *w, zn_fc_mark mark)
{
    double m = mean_product(w, 0);
    ZN_TRY(refactor(w, mark));
    aim(w, 0, false);
    ZN_TRY(solve(w));
    double ratio = w->cones > 0 ? mean_product(w, step_length(w, 1)) / m : 0;
    aim(w, fmin(fmax(ratio * ratio * ratio, 0), 1) * m, true);
    return solve(w);
}

// One step, of which `length` (1: all) was possible.
static zn_status advance(interior *w, zn_fc_mark mark, double *length)
{
    if (!linearize(w))
        return ZN_NOT_CONVERGED;
    zn_status status = find_step(w, mark);
    bool      lost = status == ZN_SINGULAR || status == ZN_NOT_FINITE;
    if (lost && w->by_twins) { // near the end they lose digits that all equations keep
        forget_factors(w, false);
        status = find_step(w, mark);
    }
    if (status != ZN_OK)
        return status;
    *length = step_length(w, 0.99);
    for (int i = 0; i < w->task->b.n; i++) {
        w->x[i] += *length * w->dx[i];
        w->y[i] += *length * w->dy[i];
    }
    set_reactions(w);
    return runs_away(w) ? ZN_NOT_CONVERGED : ZN_OK;
}

// --- off the path ---------------------------------------------------------------------------------

// Of a matrix of up to three rows whose first row has nothing beside the diagonal.
static void invert(int rows, const double *a, double *out)
{
    ZN_ASSERT(rows >= 1 && rows <= 3);
    double tangent[4] = {rows > 1 ? a[4] : 1, rows > 2 ? a[5] : 0, rows > 2 ? a[7] : 0, rows > 2 ? a[8] : 1};
    double size = tangent[0] * tangent[3] - tangent[1] * tangent[2];
    out[0] = 1 / a[0];
    out[4] = tangent[3] / size;
    out[5] = -tangent[1] / size;
    out[7] = -tangent[2] / size;
    out[8] = tangent[0] / size;
    for (int i = 1; i < rows; i++) {
        out[i] = 0;
        out[3 * i] = 0;
        for (int j = 1; j < rows; j++)
            out[3 * i] -= out[3 * i + j] * a[3 * j] * out[0];
    }
}

// (A (W + e I) + B) dr = -F of Alart-Curnier's function at r and u, see friction_newton.c.
static void linearize_projection(interior *w)
{
    const zn_fc_blocks *b = &w->task->b;
    const double        e = 1e-9;
    for (int c = 0; c < b->count; c++) {
        int    first = b->first[c], rows = zn_fc_block_rows(b, c);
        double rho[2], *left = w->left + 9 * (size_t)c, *own = w->own + 9 * (size_t)c;
        zn_fc_newton_rho(b, c, rho);
        zn_fc_newton_function(ZN_FC_ALART_CURNIER, rows, b->mu[c], rho, w->task->r + first, w->task->u + first,
                              w->dx + first, left, own);
        for (int i = 0; i < 9; i++)
            own[i] += e * left[i];
        invert(rows, own, w->inverse + 9 * (size_t)c);
        for (int i = first; i < first + rows; i++)
            w->dx[i] = -w->dx[i];
    }
}

static zn_status step_off(interior *w, zn_fc_mark mark)
{
    linearize_projection(w);
    ZN_TRY(refactor(w, mark));
    ZN_TRY(solve_equations(w, w->dx));
    for (int i = 0; i < w->task->b.n; i++)
        w->task->r[i] += w->dx[i];
    zn_fc_look(w->task);
    return ZN_OK;
}

// Once the point tells which contacts carry, stick and slip a few steps of Newton's method on a projection do what the
// rest of the path would, as long as each leaves a part of the measure. The first of them shows it. Otherwise back to
// the path. `next`: the measure from which on it is tried again.
static zn_status leave_path(interior *w, zn_fc_mark mark, double *next)
{
    const double most_left = 0.3, another = 0.1;
    zn_fc_task  *task = w->task;
    double       seen = task->seen, before = INFINITY;
    size_t       bytes = sizeof *w->work * (size_t)task->b.n;
    if (w->keeps_slip || !(seen < *next))
        return ZN_NOT_CONVERGED;
    *next = another * seen;
    memcpy(w->work, task->u, bytes);
    zn_status status = ZN_OK;
    while (status == ZN_OK && task->seen > task->tolerance && task->seen < most_left * before) {
        before = task->seen;
        task->iterations++;
        status = step_off(w, mark);
    }
    if (status < ZN_OK || (status == ZN_OK && task->seen <= task->tolerance))
        return status;
    set_reactions(w);
    memcpy(task->u, w->work, bytes);
    task->seen = seen;
    return ZN_NOT_CONVERGED;
}

// --- the path -------------------------------------------------------------------------------------

// The measure with s as it is.
static double measure_of(interior *w)
{
    const zn_fc_blocks *b = &w->task->b;
    double              measure = zn_fc_look(w->task);
    if (!w->keeps_slip)
        return measure;
    memcpy(w->work, w->task->u, sizeof *w->work * (size_t)b->n);
    for (int c = 0; c < b->count; c++)
        if (cone_rows(b, c) > 1)
            w->work[b->first[c]] += w->s[c] - b->mu[c] * tangent_length(cone_rows(b, c), w->task->u + b->first[c]);
    return zn_fc_blocks_measure(b, w->task->measure, w->task->r, w->work);
}

static zn_status iterate(interior *w, double tolerance, int end)
{
    enum { STEPS = 50, PATIENCE = 5 }; // short steps that bring it no nearer: those that follow do not, either
    const double brief = 0.25;
    zn_fc_mark   mark = zn_fc_get_mark(w->task->memory);
    zn_status    status = ZN_OK;
    double       length = 1, measure = INFINITY, last = INFINITY, next = INFINITY;
    start(w);
    if (w->twins.m > 0)
        forget_factors(w, true);
    for (int step = 0, stays = 0; step < STEPS && w->task->iterations < end && stays < PATIENCE; step++) {
        w->task->iterations++;
        status = advance(w, mark, &length);
        if (status != ZN_OK)
            break;
        measure = measure_of(w);
        if (measure <= tolerance || !isfinite(measure))
            break;
        zn_status left = leave_path(w, mark, &next);
        if (left != ZN_NOT_CONVERGED) {
            zn_fc_rewind(w->task->memory, mark);
            return left;
        }
        bool nearer = measure < 0.8 * last;
        stays = nearer ? 0 : stays + (length < brief);
        last = nearer ? measure : last;
    }
    zn_fc_rewind(w->task->memory, mark);
    return status != ZN_OK ? status : measure <= tolerance ? ZN_OK : ZN_NOT_CONVERGED;
}

// s from the answer to the last one, as long as that brings it nearer. What an answer is off by, the next s is, too:
// rounds that end at the tolerance stall just above it.
static zn_status repeat(interior *w, int end)
{
    const double        tolerance = w->task->tolerance, close = fmin(0.1 * tolerance, fmax(1e-4 * tolerance, 1e-13));
    zn_fc_task         *task = w->task;
    const zn_fc_blocks *b = &task->b;
    memset(w->s, 0, sizeof *w->s * (size_t)b->count);
    w->keeps_slip = true;
    for (double last = INFINITY; task->iterations < end; last = task->seen) {
        zn_status status = iterate(w, close, end);
        if (status < ZN_OK || task->seen <= task->tolerance)
            return status < ZN_OK ? status : ZN_OK;
        if (!(task->seen < 0.5 * last))
            break;
        for (int c = 0; c < b->count; c++)
            w->s[c] = b->mu[c] * tangent_length(cone_rows(b, c), task->u + b->first[c]);
    }
    return ZN_NOT_CONVERGED;
}

// Near the border of the cones the last digits are lost: Newton's method on a projection finds them.
static zn_status polish(zn_fc_task *task, int end)
{
    int left = end - task->iterations;
    return left > 0 ? zn_fc_newton(task, ZN_FC_ALART_CURNIER, 1e-9, left < 20 ? left : 20) : ZN_NOT_CONVERGED;
}

// Rows of equations have no own^-1.
static zn_status look_for_twins(interior *w)
{
    zn_fc_task *task = w->task;
    if (task->b.mu[0] < 0 || task->b.n <= ZN_FC_FEW_EQUATIONS)
        return ZN_OK;
    if (task->twins != NULL)
        w->twins = *task->twins;
    else
        ZN_TRY(zn_fc_twins_find(&task->b, task->memory, &w->twins));
    return zn_fc_twins_part(&w->twins, ZN_FC_MOST_RANK, task->memory) < 1 ? zn_fc_twins_create(task->memory, &w->twins)
                                                                          : ZN_OK;
}

// `trials`: 1, or 2 with s kept as well.
static zn_status follow_path(zn_fc_task *task, int trials)
{
    zn_fc_mark mark = zn_fc_get_mark(task->memory);
    interior   w = {0};
    int        end = task->iterations + (task->limit > 0 ? task->limit : 500);
    zn_status  status = allocate(task, &w);
    if (status == ZN_OK)
        status = look_for_twins(&w);
    for (int trial = 0; trial < trials && status >= ZN_OK; trial++) {
        status = trial == 0 ? iterate(&w, task->tolerance, end) : repeat(&w, end);
        if (status > ZN_OK)
            status = polish(task, end);
        if (status == ZN_OK)
            break;
    }
    zn_fc_factors_free(&w.factors);
    zn_fc_rewind(task->memory, mark);
    if (status <= ZN_OK)
        return status;
    task->reason = "the interior-point method has stalled";
    return ZN_NOT_CONVERGED;
}

zn_status zn_fc_interior_point(zn_fc_task *task) { return follow_path(task, 2); }

zn_status zn_fc_interior_path(zn_fc_task *task) { return follow_path(task, 1); }
