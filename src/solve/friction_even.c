// Contacts that repeat each other and slide. A can that spins as it slides on twelve points of its rim: normals and
// tilting decide three sums of the twelve reactions, the others are free, but each point rubs along a way of its own,
// so that the motion depends on them. Coulomb's law has many answers, and which one a solver finds depends on where it
// began. One of them is that of equally soft contacts,
//     u = (W + e D) r + q,   e -> 0,   D the mean diagonal of W over the rows of each contact,
// which depends on the data alone, continuously, and on no choice of tangents. It is found by proximal points
//     u = W r + q + e D (r - a),   a = 0 at first, then the last r,
// the first of which shares the load, while those that follow take e out of u and leave the shares as they are.
#include "solve/friction_even.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction_parts.h"

enum { MOST_ROWS = 120, FEW_ROWS = 12, ROUNDS = 6, STEPS = 10 };
static const double softness = 1e-4;   // e
static const double repeats = 1e-10;   // what is left of an entry where all of it follows from others
static const double exact = 1e-15;     // of a proximal point, whose shares are off by this over e
static const double on_border = 1e-10; // of a cone

static bool slides(const zn_fc_problem *p, int c, const double *r)
{
    const double *own = r + p->first[c];
    int           rows = p->first[c + 1] - p->first[c];
    double        size = rows > 2 ? hypot(own[1], own[2]) : rows > 1 ? fabs(own[1]) : 0;
    return zn_fc_tangents(p, c) > 0 && own[0] > 0 && size >= (1 - on_border) * p->mu[c] * own[0];
}

// Changes of the reactions that the answer leaves free: of contacts that slide along their ways, of those that stick,
// and of equations, each alone. A column of B per change holds what it does to u.
typedef struct freedom {
    int     columns, kept; // kept: rows of u that stay as they are
    int    *row;           // n: these rows
    double *B;             // columns x n, one after the other
    double *size;          // n: largest entry of a row
} freedom;

static void add_column(const zn_fc_problem *p, freedom *f, int first, int rows, const double *change)
{
    double *column = f->B + (size_t)f->columns++ * (size_t)p->n;
    for (int i = 0; i < p->n; i++) {
        column[i] = 0;
        for (int k = 0; k < rows; k++)
            column[i] += p->W[(size_t)i * (size_t)p->n + (size_t)(first + k)] * change[k];
        f->size[i] = fmax(f->size[i], fabs(column[i]));
    }
}

static void find_freedom(const zn_fc_problem *p, const double *r, freedom *f)
{
    const double one = 1;
    memset(f->size, 0, sizeof *f->size * (size_t)p->n);
    for (int k = 0; k < p->bilateral; k++) {
        add_column(p, f, k, 1, &one);
        f->row[f->kept++] = k;
    }
    for (int c = 0; c < p->contacts; c++) {
        int    first = p->first[c], rows = p->first[c + 1] - first, held = zn_fc_tangents(p, c) > 0 ? rows : 1;
        double way[3] = {1, 0, 0};
        bool   sliding = slides(p, c, r);
        if (!(r[first] > 0))
            continue;
        for (int k = 1; k < rows; k++)
            way[k] = sliding ? r[first + k] / r[first] : 0;
        for (int k = 0; k < (sliding ? 1 : held); k++) {
            add_column(p, f, first + k, sliding ? rows : 1, sliding ? way : &one);
            f->row[f->kept++] = first + k;
        }
    }
}

// Take the largest column of a row out of the others.
static void eliminate(int n, freedom *f, int row)
{
    double *last = f->B + (size_t)(f->columns - 1) * (size_t)n, *pivot = last;
    for (double *column = f->B; column < last; column += n)
        pivot = fabs(column[row]) > fabs(pivot[row]) ? column : pivot;
    if (!(fabs(pivot[row]) > repeats * f->size[row]))
        return;                   // follows from the rows before
    for (int i = 0; i < n; i++) { // to the end, where it counts no more
        double value = pivot[i];
        pivot[i] = last[i];
        last[i] = value;
    }
    for (double *column = f->B; column < last; column += n) {
        double factor = column[row] / last[row];
        for (int i = 0; i < n && factor != 0; i++)
            column[i] -= factor * last[i];
    }
    f->columns--;
}

// Can reactions change so that what closed contacts keep stays as it is, and something else moves?
static zn_status is_free(const zn_fc_problem *p, const double *r, zn_fc_workspace *memory, bool *out)
{
    size_t  n = (size_t)p->n;
    freedom f = {.row = ZN_FC_TAKE(memory, int, n), .B = ZN_FC_TAKE(memory, double, n *n)};
    f.size = ZN_FC_TAKE(memory, double, n);
    if (!f.row || !f.B || !f.size)
        return ZN_ERR_MEMORY;
    find_freedom(p, r, &f);
    for (int k = 0; k < f.kept && f.columns > 0; k++)
        eliminate(p->n, &f, f.row[k]);
    *out = false;
    for (int i = 0; i < p->n; i++)
        for (int c = 0; c < f.columns; c++)
            *out |= fabs(f.B[(size_t)c * n + (size_t)i]) > repeats * f.size[i];
    return ZN_OK;
}

// e D of a problem, per row.
static void soften(const zn_fc_problem *p, double *give)
{
    for (int k = 0; k < p->bilateral; k++)
        give[k] = softness * zn_fc_block_size(p, k, k + 1);
    for (int c = 0; c < p->contacts; c++)
        for (int k = p->first[c]; k < p->first[c + 1]; k++)
            give[k] = softness * zn_fc_block_size(p, p->first[c], p->first[c + 1]);
}

typedef struct points {
    zn_fc_problem soft; // the part, W and q in memory of our own
    double       *W, *q;
    double       *give, *anchor, *r, *u;
} points;

static zn_status begin_points(const zn_fc_problem *part, zn_fc_workspace *memory, points *s)
{
    size_t   n = (size_t)part->n;
    double **vectors[] = {&s->q, &s->give, &s->anchor, &s->r, &s->u};
    bool     there = (s->W = ZN_FC_TAKE(memory, double, n *n)) != NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        there = (*vectors[i] = ZN_FC_TAKE(memory, double, n)) != NULL && there;
    if (!there)
        return ZN_ERR_MEMORY;
    soften(part, s->give);
    memcpy(s->W, part->W, sizeof *s->W * n * n);
    memset(s->anchor, 0, sizeof *s->anchor * n);
    for (size_t k = 0; k < n; k++)
        s->W[k * n + k] += s->give[k];
    s->soft = *part;
    s->soft.W = s->W;
    s->soft.q = s->q;
    return ZN_OK;
}

// s->r: an answer in, the one of soft contacts out, if it meets the tolerance.
static zn_status share(const zn_fc_problem *part, double tolerance, zn_fc_workspace *memory, points *s, int *iterations)
{
    const zn_fc_settings settings = {.solver = "newton_alart_curnier",
                                     .max_iterations = STEPS,
                                     .tolerance = exact,
                                     .measure = ZN_FC_MEASURE_NATURAL,
                                     .keep_best = true};
    for (int round = 0; round < ROUNDS; round++) {
        zn_fc_info info;
        zn_fc_mark mark = zn_fc_get_mark(memory);
        for (int k = 0; k < part->n; k++)
            s->q[k] = part->q[k] - s->give[k] * s->anchor[k];
        zn_status status = zn_fc_solve_within(&s->soft, &settings, memory, s->r, s->u, &info);
        zn_fc_rewind(memory, mark);
        *iterations += info.iterations;
        if (status != ZN_OK && status != ZN_NOT_CONVERGED)
            return status;
        if (zn_fc_judge(part, NULL, ZN_FC_MEASURE_NATURAL, s->r, s->u) <= tolerance)
            return ZN_OK;
        memcpy(s->anchor, s->r, sizeof *s->r * (size_t)part->n);
    }
    return ZN_NOT_CONVERGED;
}

static zn_status share_part(zn_fc_parting *parts, int root, double tolerance, zn_fc_workspace *memory, double *r,
                            double *u, int *iterations)
{
    zn_fc_problem part;
    points        s;
    bool          sliding = false;
    int           rows = 0;
    for (int k = 0; k < parts->p->n; k++)
        rows += parts->part[parts->owner[k]] == root;
    if (rows > MOST_ROWS)
        return ZN_OK;
    ZN_TRY(zn_fc_parting_gather(parts, root, memory, &part));
    ZN_TRY(begin_points(&part, memory, &s));
    for (int k = 0; k < part.n; k++)
        s.r[k] = r[parts->rows[k]];
    for (int c = 0; c < part.contacts; c++)
        sliding |= slides(&part, c, s.r);
    bool open = false;
    if (sliding)
        ZN_TRY(is_free(&part, s.r, memory, &open));
    if (!open)
        return ZN_OK;
    zn_status status = share(&part, tolerance, memory, &s, iterations);
    for (int k = 0; k < part.n && status == ZN_OK; k++) {
        r[parts->rows[k]] = s.r[k];
        u[parts->rows[k]] = s.u[k];
    }
    return status < ZN_OK ? status : ZN_OK;
}

static bool any_slides(const zn_fc_problem *p, const double *r)
{
    for (int c = 0; c < p->contacts; c++)
        if (slides(p, c, r))
            return true;
    return false;
}

// One contact that presses alone decides its own reaction, unless its friction outweighs its normal row.
static bool any_repeats(const zn_fc_problem *p, const double *r)
{
    int pressing = p->bilateral, last = 0;
    for (int c = 0; c < p->contacts; c++)
        if (r[p->first[c]] > 0) {
            pressing++;
            last = c;
        }
    if (pressing != 1 || p->bilateral > 0)
        return pressing > 0;
    const int     row = p->first[last];
    const double *W = p->W ? p->W + (size_t)row * (size_t)p->n : NULL;
    double        own = W ? W[row] : 0;
    for (int k = row + 1; W && k < p->first[last + 1]; k++)
        own += W[k] * r[k] / r[row];
    return !(own > 0.1 * (W ? W[row] : 0));
}

// Of few rows all parts at once: what is free in none of them ends here, before they are taken apart.
static zn_status may_be_free(const zn_fc_problem *p, const double *r, zn_fc_workspace *memory, bool *out)
{
    *out = true;
    if (p->W == NULL || p->n > FEW_ROWS)
        return ZN_OK;
    zn_fc_mark mark = zn_fc_get_mark(memory);
    zn_status  status = is_free(p, r, memory, out);
    zn_fc_rewind(memory, mark);
    return status;
}

zn_status zn_fc_even(const zn_fc_problem *p, double tolerance, zn_fc_workspace *memory, double *r, double *u,
                     int *iterations)
{
    ZN_ASSERT(p->leader == NULL && r && u && iterations);
    zn_fc_parting parts;
    if (p->contacts < 2 || !any_slides(p, r) || !any_repeats(p, r))
        return ZN_OK;
    bool open;
    ZN_TRY(zn_fc_begin(memory));
    ZN_TRY(may_be_free(p, r, memory, &open));
    if (!open)
        return ZN_OK;
    ZN_TRY(zn_fc_parting_create(p, memory, &parts));
    for (int c = 0; c < parts.count; c++) {
        zn_fc_mark mark = zn_fc_get_mark(memory);
        zn_status  status = parts.part[c] == c ? share_part(&parts, c, tolerance, memory, r, u, iterations) : ZN_OK;
        zn_fc_rewind(memory, mark);
        ZN_TRY(status);
    }
    return ZN_OK;
}
