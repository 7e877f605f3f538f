// Equations of twins. See friction_twins.h. With s = T' x and S = T' own^-1 left T (blocks of groups)
//     (I + S V) s = T' own^-1 b,   x = own^-1 (b - left T V s)
// Where own is small (contacts that stick, near the end of a path) S is large, and rounding of S V hides what the other
// contacts of a group do: a residual tells how much, once more solved for it takes that away, until that is lost, too.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/wide.h"
#include "solve/friction_twins.h"

enum { SIZE = 3, MOST_RANK = ZN_FC_MOST_RANK };

// --- products ------------------------------------------------------------------------------------

// Loops over ranks of a known number, those of two bodies in space and in the plane, are unrolled.
#define FOR_RANK(rank, call)                                                                                           \
    do {                                                                                                               \
        if ((rank) == 6) {                                                                                             \
            call(6);                                                                                                   \
        } else if ((rank) == 3) {                                                                                      \
            call(3);                                                                                                   \
        } else {                                                                                                       \
            call(rank);                                                                                                \
        }                                                                                                              \
    } while (0)

// What is no number is larger than any.
ZN_INLINE double larger(double a, double b) { return b <= a ? a : isnan(b) ? INFINITY : b; }

ZN_INLINE void add(int n, double factor, const double *x, double *y) { zn_wide_subtract(n, -factor, x, y); }

ZN_INLINE double dot(int n, const double *x, const double *y)
{
    zn_four four = {0};
    double  rest = 0;
    int     i = 0;
    for (; i + 4 <= n; i += 4)
        four += *(const zn_four *)(x + i) * *(const zn_four *)(y + i);
    for (; i < n; i++)
        rest += x[i] * y[i];
    return n < 4 ? rest : zn_four_sum(&four) + rest;
}

// out = matrix x of a block.
ZN_INLINE void apply(int rows, const double *matrix, const double *x, double *out)
{
    for (int i = 0; i < rows; i++) {
        out[i] = 0;
        for (int j = 0; j < rows; j++)
            out[i] += matrix[SIZE * i + j] * x[j];
    }
}

// s = T' y, y = matrix x of each block; without matrices y = x.
ZN_WIDE static void gather(const zn_fc_twins *t, const double *matrix, const double *x, double *s)
{
    memset(s, 0, sizeof *s * (size_t)t->m);
    for (int c = 0; c < t->b->count; c++) {
        int           g = t->group[c], rank = zn_fc_twins_rank(t, g), rows = zn_fc_block_rows(t->b, c);
        const double *T = t->T + t->at[c], *at = x + t->b->first[c];
        double       *out = s + t->first[g], y[SIZE];
        if (matrix != NULL) {
            if (rows == SIZE)
                apply(SIZE, matrix + 9 * (size_t)c, at, y);
            else
                apply(rows, matrix + 9 * (size_t)c, at, y);
            at = y;
        }
#define CALL(n)                                                                                                        \
    for (int i = 0; i < rows; i++)                                                                                     \
    add(n, at[i], T + (size_t)(i * (n)), out)
        FOR_RANK(rank, CALL);
#undef CALL
    }
}

// z = V s
ZN_WIDE static void multiply(const zn_fc_twins *t, const double *s, double *z)
{
    for (int g = 0; g < t->groups; g++) {
        int     own = zn_fc_twins_rank(t, g);
        double *out = z + t->first[g];
        memset(out, 0, sizeof *out * (size_t)own);
        for (int k = t->near[g]; k < t->near[g + 1]; k++) {
            int           h = t->other[k], rank = zn_fc_twins_rank(t, h);
            const double *V = t->V + t->place[k], *x = s + t->first[h];
#define CALL(n)                                                                                                        \
    for (int i = 0; i < own; i++)                                                                                      \
    out[i] += dot(n, V + (size_t)(i * (n)), x)
            FOR_RANK(rank, CALL);
#undef CALL
        }
    }
}

// u = T z of block c.
ZN_INLINE void spread(const zn_fc_twins *t, int c, int rows, const double *z, double *u)
{
    int           g = t->group[c], rank = zn_fc_twins_rank(t, g);
    const double *T = t->T + t->at[c], *x = z + t->first[g];
#define CALL(n)                                                                                                        \
    for (int i = 0; i < rows; i++)                                                                                     \
    u[i] = dot(n, T + (size_t)(i * (n)), x)
    FOR_RANK(rank, CALL);
#undef CALL
}

// Is W x = T V T' x for some x? What differs are motions that a group lost, or neighbours that are not shared.
static bool is_right(zn_fc_twins *t, double *x, double *u)
{
    const zn_fc_blocks *b = t->b;
    const double        close = 1e-9;
    double              size = 0, error = 0, scale = 0;
    for (int i = 0; i < b->n; i++)
        scale = fmax(scale, fabs(b->q[i])); // beside u a large q would hide what W x differs by
    for (int i = 0; i < b->n; i++)
        x[i] = ((double)(zn_fc_scatter(i) >> 11) * 0x1p-53 - 0.5) * (scale > 0 ? scale : 1);
    zn_fc_blocks_multiply(b, x, u);
    gather(t, NULL, x, t->s);
    multiply(t, t->s, t->z);
    for (int c = 0; c < b->count; c++) {
        double y[SIZE];
        spread(t, c, zn_fc_block_rows(b, c), t->z, y);
        for (int i = b->first[c]; i < b->first[c + 1]; i++) {
            double exact = u[i] - b->q[i];
            size = fmax(size, fabs(exact));
            error = fmax(error, fabs(exact - y[i - b->first[c]]));
        }
    }
    return error <= close * size;
}

// --- equations -----------------------------------------------------------------------------------

static int parts_of(const zn_fc_twins *t, int g) { return (zn_fc_twins_rank(t, g) + SIZE - 1) / SIZE; }

// Neighbours of the parts of I + S V, into e->other and e->at unless NULL. Returns how many there are.
static int list_parts(const zn_fc_twins *t, const int *begin, zn_fc_blocks *e, size_t *values)
{
    int used = 0;
    *values = 0;
    for (int g = 0; g < t->groups; g++)
        for (int a = begin[g]; a < begin[g + 1]; a++) {
            for (int k = t->near[g]; k < t->near[g + 1]; k++)
                for (int o = begin[t->other[k]]; o < begin[t->other[k] + 1]; o++) {
                    if (o == a)
                        continue;
                    if (e->other != NULL) {
                        e->other[used] = o;
                        e->at[used] = *values;
                    }
                    used++;
                    *values += (size_t)(zn_fc_block_rows(e, a) * zn_fc_block_rows(e, o));
                }
            e->start[a + 1] = used;
        }
    return used;
}

// Pattern of I + S V in blocks of up to three rows. `begin`: groups + 1, the first part of a group.
static zn_status lay_out(zn_fc_twins *t, zn_fc_workspace *memory, int *begin)
{
    zn_fc_blocks *e = &t->equations;
    size_t        values = 0;
    begin[0] = 0;
    for (int g = 0; g < t->groups; g++)
        begin[g + 1] = begin[g] + parts_of(t, g);
    *e = (zn_fc_blocks){.n = t->m, .count = begin[t->groups]};
    e->first = ZN_FC_TAKE(memory, int, e->count + 1);
    e->start = ZN_FC_TAKE(memory, int, e->count + 1);
    e->diagonal = ZN_FC_TAKE(memory, double, 9 * (size_t)e->count);
    if (!e->first || !e->start || !e->diagonal)
        return ZN_ERR_MEMORY;
    for (int g = 0; g < t->groups; g++)
        for (int a = begin[g]; a < begin[g + 1]; a++)
            e->first[a] = t->first[g] + SIZE * (a - begin[g]);
    e->first[e->count] = t->m;
    e->start[0] = 0;
    int total = list_parts(t, begin, e, &values);
    e->other = ZN_FC_TAKE(memory, int, total);
    e->at = ZN_FC_TAKE(memory, size_t, total);
    e->value = ZN_FC_TAKE(memory, double, values + 1);
    if (!e->other || !e->at || !e->value)
        return ZN_ERR_MEMORY;
    list_parts(t, begin, e, &values);
    return ZN_OK;
}

zn_status zn_fc_twins_lay_out(zn_fc_workspace *memory, zn_fc_twins *t)
{
    t->s = ZN_FC_TAKE(memory, double, t->m);
    t->z = ZN_FC_TAKE(memory, double, t->m);
    t->x = ZN_FC_TAKE(memory, double, t->b->n);
    t->rest = ZN_FC_TAKE(memory, double, t->b->n);
    int *begin = ZN_FC_TAKE(memory, int, t->groups + 1);
    if (!t->s || !t->z || !t->x || !t->rest || !begin)
        return ZN_ERR_MEMORY;
    if (is_right(t, t->x, t->rest))
        return lay_out(t, memory, begin);
    t->m = 0;
    return ZN_OK;
}

// S += T' own^-1 left T of block c.
ZN_INLINE void add_member(const zn_fc_twins *t, const zn_fc_twin_system *s, int c, int rows, int rank, double *S)
{
    const double *T = t->T + t->at[c], *left = s->left + 9 * (size_t)c, *inverse = s->inverse + 9 * (size_t)c;
    double        B[MOST_RANK];
    for (int i = 0; i < rows; i++) {
        memset(B, 0, sizeof *B * (size_t)rank);
        for (int j = 0; j < rows; j++) {
            double both = 0;
            for (int l = 0; l < rows; l++)
                both += inverse[SIZE * i + l] * left[SIZE * l + j];
            add(rank, both, T + (size_t)(j * rank), B);
        }
        for (int j = 0; j < rank; j++)
            add(rank, T[i * rank + j], B, S + (size_t)(j * rank));
    }
}

// S of group g, rank x rank.
ZN_INLINE void sum_members(const zn_fc_twins *t, const zn_fc_twin_system *s, int g, int rank, double *S)
{
    memset(S, 0, sizeof *S * (size_t)(rank * rank));
    for (int k = t->start[g]; k < t->start[g + 1]; k++) {
        int c = t->member[k], rows = zn_fc_block_rows(t->b, c);
        if (rows == SIZE)
            add_member(t, s, c, SIZE, rank, S);
        else
            add_member(t, s, c, rows, rank, S);
    }
}

// Block (a, o) of the equations from rows of `columns` numbers, from column `first` on.
ZN_INLINE void put_block(int rows, int width, int columns, int first, bool own, const double *P, double *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++)
            out[own ? SIZE * i + j : j * rows + i] = P[i * columns + first + j];
}

// Values of I + S V in the rows of group g, whose first part is a; 1 is added to the diagonal later.
ZN_INLINE void fill_equations(zn_fc_twins *t, int g, int a, int rank, const double *S)
{
    zn_fc_blocks *e = &t->equations;
    int           at[(MOST_RANK + SIZE - 1) / SIZE], parts = parts_of(t, g);
    double        P[MOST_RANK * MOST_RANK];
    for (int part = 0; part < parts; part++)
        at[part] = e->start[a + part];
    for (int k = t->near[g]; k < t->near[g + 1]; k++) {
        int           h = t->other[k], columns = zn_fc_twins_rank(t, h);
        const double *V = t->V + t->place[k];
        memset(P, 0, sizeof *P * (size_t)(rank * columns));
#define CALL(n)                                                                                                        \
    for (int i = 0; i < rank; i++)                                                                                     \
        for (int l = 0; l < rank; l++)                                                                                 \
    add(n, S[i * rank + l], V + (size_t)(l * (n)), P + (size_t)(i * (n)))
        FOR_RANK(columns, CALL);
#undef CALL
        for (int part = 0; part < parts; part++)
            for (int o = 0; o < parts_of(t, h); o++) {
                bool    own = h == g && o == part;
                int     rows = zn_fc_block_rows(e, a + part), first = SIZE * o;
                int     width = columns - first < SIZE ? columns - first : SIZE;
                double *out = own ? e->diagonal + 9 * (size_t)(a + part) : e->value + e->at[at[part]];
                at[part] += !own;
                if (rows == SIZE && width == SIZE)
                    put_block(SIZE, SIZE, columns, first, own, P + (size_t)(SIZE * part * columns), out);
                else
                    put_block(rows, width, columns, first, own, P + (size_t)(SIZE * part * columns), out);
            }
    }
}

ZN_WIDE static void assemble(zn_fc_twins *t, const zn_fc_twin_system *s)
{
    double S[MOST_RANK * MOST_RANK];
    t->largest = 0;
    for (int c = 0; c < t->b->count; c++) // of what is positive the diagonal has the largest
        for (int i = 0; i < zn_fc_block_rows(t->b, c); i++)
            t->largest = larger(t->largest, s->inverse[9 * (size_t)c + (size_t)(4 * i)]);
    for (int g = 0, a = 0; g < t->groups; a += parts_of(t, g++)) {
#define CALL(n)                                                                                                        \
    sum_members(t, s, g, n, S);                                                                                        \
    fill_equations(t, g, a, n, S)
        FOR_RANK(zn_fc_twins_rank(t, g), CALL);
#undef CALL
    }
}

zn_status zn_fc_twins_factor(zn_fc_twins *t, const zn_fc_twin_system *s, zn_fc_workspace *memory, bool keep,
                             zn_fc_factors *factors)
{
    ZN_ASSERT(t->m > 0);
    assemble(t, s);
    zn_fc_system system = {
        .b = &t->equations, .place = t->equations.first, .m = t->equations.n, .shift = 1, .band = true};
    return zn_fc_factor(&system, memory, keep, factors);
}

// out = b - left T z - matrix x of block c; without `matrix` the last term is none. Returns the largest entry of it.
ZN_INLINE double remain(const zn_fc_twins *t, int c, int rows, const double *left, const double *matrix,
                        const double *b, const double *x, double *out)
{
    double u[SIZE], y[SIZE], v[SIZE] = {0}, largest = 0;
    spread(t, c, rows, t->z, u);
    apply(rows, left + 9 * (size_t)c, u, y);
    if (matrix != NULL)
        apply(rows, matrix + 9 * (size_t)c, x, v);
    for (int i = 0; i < rows; i++) {
        out[i] = b[i] - y[i] - v[i];
        largest = larger(largest, fabs(out[i]));
    }
    return largest;
}

// t->rest = b - (left W + own) x. Returns its largest entry.
ZN_WIDE static double find_rest(const zn_fc_twins *t, const zn_fc_twin_system *s, const double *b, const double *x)
{
    double largest = 0;
    for (int c = 0; c < t->b->count; c++) {
        int    first = t->b->first[c], rows = zn_fc_block_rows(t->b, c);
        double own = rows == SIZE ? remain(t, c, SIZE, s->left, s->own, b + first, x + first, t->rest + first)
                                  : remain(t, c, rows, s->left, s->own, b + first, x + first, t->rest + first);
        largest = larger(largest, own);
    }
    return largest;
}

// x = own^-1 (b - left T z) of block c.
ZN_INLINE void step_back(const zn_fc_twins *t, const zn_fc_twin_system *s, int c, int rows, const double *b, double *x)
{
    double y[SIZE];
    remain(t, c, rows, s->left, NULL, b, NULL, y);
    apply(rows, s->inverse + 9 * (size_t)c, y, x);
}

ZN_WIDE static void step_all_back(const zn_fc_twins *t, const zn_fc_twin_system *s, const double *b, double *x)
{
    for (int c = 0; c < t->b->count; c++) {
        int first = t->b->first[c], rows = zn_fc_block_rows(t->b, c);
        if (rows == SIZE)
            step_back(t, s, c, SIZE, b + first, x + first);
        else
            step_back(t, s, c, rows, b + first, x + first);
    }
}

// x for the right-hand side b.
static zn_status solve(zn_fc_twins *t, const zn_fc_twin_system *s, const zn_fc_factors *factors, const double *b,
                       double *x)
{
    gather(t, s->inverse, b, t->s);
    ZN_TRY(zn_fc_factor_solve(factors, t->s));
    multiply(t, t->s, t->z);
    step_all_back(t, s, b, x);
    return ZN_OK;
}

zn_status zn_fc_twins_solve(zn_fc_twins *t, const zn_fc_twin_system *s, const zn_fc_factors *factors, double *x)
{
    ZN_ASSERT(t->m > 0);
    const double fine = 1e-8, lost = 1e-3; // of the right-hand side
    const double harmless = 1e4;           // own^-1 that rounding cannot harm
    size_t       bytes = sizeof *x * (size_t)t->b->n;
    double       size = 0, left;
    ZN_TRY(solve(t, s, factors, x, t->x));
    if (t->largest > harmless) {
        for (int i = 0; i < t->b->n; i++)
            size = larger(size, fabs(x[i]));
        gather(t, NULL, t->x, t->s);
        multiply(t, t->s, t->z);
        left = find_rest(t, s, x, t->x);
        if (!(left <= lost * size))
            return ZN_SINGULAR;
        if (left > fine * size) {
            memcpy(x, t->x, bytes);
            ZN_TRY(solve(t, s, factors, t->rest, t->x));
            for (int i = 0; i < t->b->n; i++)
                x[i] += t->x[i];
            return ZN_OK;
        }
    }
    memcpy(x, t->x, bytes);
    return ZN_OK;
}
