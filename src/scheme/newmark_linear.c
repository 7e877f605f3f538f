// newmark_linear.c - Newmark's scheme for a linear part, as a partner in a coupling: newmark.c without Newton and joints, so
// that a step is one product and a solve or two with factors made once.
// Fekak, Brun, Gravouil, Depale, Comput. Mech. 60 (2017) 1-21, eqs. (61)-(65).
//
//     d_p = h v + h^2 (1/2 - beta) a,   v_p = v + h (1 - gamma) a
//     A a' = f(u, v_p, t') - K d_p + L,   A = M + h gamma C + h^2 beta K,   L the links at the end of the step
//     d = d_p + h^2 beta a',   v' = v_p + h gamma a',   u' = u + d
//
// The free solution, L = 0, is found by its displacement less that of the last step, d_last = u - u_last, so that no
// product with K is needed: K d_last is the change of the strain force in the last step. With w = d_p - d_last
//     A (d - d_last) = h^2 beta [f(u, v_p - gamma/(h beta) w, t') - K d_last] + M w,   a' = (d - d_last - w)/(h^2 beta).
// Rounding moves v' by some epsilon d/h, no more than rounding of v' itself. (A d = ... would do, too, but its errors grow
// with the condition of A.) Links add A^-1 L to a'.
//
// Displacements u count from the start, where the state keeps its q: the part is linear and rotation vectors of its frames
// add, so that positions q (+) u are needed when somebody looks and not in a step. With f_0 and E_0 of the start
//     strain force f = f_0 - K u,   strain energy E = E_0 - u.(f_0 + f)/2.
//
// Energy: as newmark.c, with the forces of both ends; those at the end follow from u', so that the ledger sees what the
// linear algebra leaves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wide.h"
#include "math/linsolver.h"
#include "math/stripes.h"
#include "scheme/partner.h"
#include "scheme/scheme.h"
#include "system/forces.h"
#include "system/system.h"

// Of what a link moves: `count` degrees of freedom from `first` on, values from `place` on.
typedef struct reach {
    int    link, first, count;
    size_t place;
} reach;

enum { GAP = 16 }; // as many degrees of freedom that a link does not move begin another reach

typedef struct newmark_linear {
    const zn_system *sys;
    double           beta, gamma;
    int              n, n_all;
    zn_force_kinds   kinds;
    zn_sparse       *matrix;
    zn_linsolver    *solver;
    const char      *backend;
    zn_sparse       *system;          // what the solver factors: matrix without zeros
    zn_sparse       *mass;            // likewise; its columns are its rows
    zn_stripes       stiffness;
    bool             lumped;         // the mass is diagonal:
    double          *diagonal;       // this one
    bool             plain;          // it is, and neither the scheme nor supports need M a': only the residual looks at it
    bool             heavy_supports; // fixed degrees of freedom feel the acceleration of others: consistent masses
    reach           *reach; // of the links
    int              reaches, reach_room;
    double          *reached;
    int              reached_count, reached_room;
    bool             condensed; // they are kept
    // history
    bool    started;
    double  load_time; // of `load`; t of the state but for rounding
    double *u, *a, *push;
    double *last_u; // of the step before
    // of the start and of the beginning of the next step, recomputed when not `known`
    bool      known;
    double   *first_strain; // f_0
    zn_energy first;        // E_0
    double   *strain, *last_strain, *inertia;
    // the step
    double        h;
    double       *free_v, *free_d, *next_a, *next_push, *next_strain, *d, *v, *next_u;
    double       *load, *next_load, *damper, *next_damper, *next_inertia, *still, *zero;
    double       *gravity; // its forces
    zn_energy     energy;
    zn_step_info *info;
    double       *memory; // of all vectors
} newmark_linear;

// Four neighbours of a vector from i on; all have room for a multiple of four.
#define AT(vector) (*(const zn_four *)((vector) + i))
#define PUT(vector, value) (*(zn_four *)((vector) + i) = (value))

// --- matrices --------------------------------------------------------------------------------------

static int pad(int n) { return (n + 3) / 4 * 4; }

static inline double row_times(const zn_sparse *m, int i, const double *x)
{
    double sum = 0;
    for (int e = m->start[i]; e < m->start[i + 1]; e++)
        sum += m->value[e] * x[m->row[e]];
    return sum;
}

ZN_WIDE static void times_diagonal(int n, const double *diagonal, const double *x, double *out)
{
    for (int i = 0; i < n; i += 4)
        PUT(out, AT(diagonal) * AT(x));
}

// Up to the next multiple of four, with zeros.
static void times_mass(const newmark_linear *s, const double *x, double *out)
{
    if (s->lumped) {
        times_diagonal(s->n, s->diagonal, x, out);
        return;
    }
    for (int i = 0; i < s->n; i++)
        out[i] = row_times(s->mass, i, x);
    memset(out + s->n, 0, sizeof *out * (size_t)(pad(s->n) - s->n));
}

static zn_status inertia_of(newmark_linear *s, const double *q, const double *a, double *out)
{
    if (s->heavy_supports)
        return zn_system_inertia(s->sys, q, a, out);
    times_mass(s, a, out);
    return ZN_OK;
}

static bool dissipates(const newmark_linear *s) { return s->gamma != 0.5 || 2 * s->beta != s->gamma; }

// --- forces ----------------------------------------------------------------------------------------

static zn_status loads_at(newmark_linear *s, const double *q, double t, double *out)
{
    return s->kinds.load ? zn_system_load_force(s->sys, (zn_at){q, s->zero, t, 0}, out) : ZN_OK;
}

static zn_status dampers_at(newmark_linear *s, const double *q, const double *v, double t, double *out)
{
    return s->kinds.damper ? zn_system_velocity_force(s->sys, ZN_VELOCITY_DAMPER, (zn_at){q, v, t, 0}, s->zero, s->still, out)
                           : ZN_OK;
}

// Forces of the start, and those of the beginning of a step that the ledger and the predictor need.
static zn_status begin(newmark_linear *s, const zn_state *from)
{
    double ignored = 0;
    zn_at  at = {from->q, s->zero, from->t, 0};
    if (!s->known) {
        ZN_TRY(zn_system_internal_force(s->sys, NULL, at, s->first_strain, &ignored));
        ZN_TRY(zn_system_energy(s->sys, at, &s->first));
        memcpy(s->strain, s->first_strain, sizeof *s->strain * (size_t)s->n_all);
        memcpy(s->last_strain, s->first_strain, sizeof *s->strain * (size_t)s->n_all);
        if (s->stiffness.count > 0) {
            zn_stripes_subtract(&s->stiffness, s->first_strain, s->u, s->strain);
            zn_stripes_subtract(&s->stiffness, s->first_strain, s->last_u, s->last_strain);
        }
        ZN_TRY(s->mass ? inertia_of(s, from->q, s->a, s->inertia) : ZN_OK);
        ZN_TRY(loads_at(s, from->q, s->load_time, s->load));
    }
    s->known = s->mass && s->stiffness.count > 0;
    return dampers_at(s, from->q, from->v, from->t, s->damper);
}

// --- start -----------------------------------------------------------------------------------------

// Column j of A^-1 where it is not zero.
static zn_status keep_column(newmark_linear *s, int j, const double *column)
{
    for (int i = 0, last; i < s->n; i = last + 1) {
        for (; i < s->n && column[i] == 0; i++)
            ;
        last = i;
        for (int k = i; k < s->n && k - last < GAP; k++)
            last = column[k] != 0 ? k : last;
        int count = i < s->n ? last + 1 - i : 0;
        if (count == 0)
            break;
        ZN_TRY(zn_grow(&s->reach, &s->reach_room, s->reaches + 1, sizeof *s->reach));
        ZN_TRY(zn_grow(&s->reached, &s->reached_room, s->reached_count + count, sizeof *s->reached));
        s->reach[s->reaches++] = (reach){j, i, count, (size_t)s->reached_count};
        memcpy(s->reached + s->reached_count, column + i, sizeof *column * (size_t)count);
        s->reached_count += count;
    }
    return ZN_OK;
}

// Reaches of the same degrees of freedom as neighbours.
static int compare_reaches(const void *a, const void *b)
{
    const reach *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return x->link < y->link ? -1 : 1;
}

// out += columns times forces; four reaches of the same degrees of freedom, or one.
ZN_INLINE void add_reaches(const newmark_linear *s, const reach *r, bool four, const double *force, double *restrict out)
{
    const double *c0 = s->reached + r[0].place, *c1 = four ? s->reached + r[1].place : c0;
    const double *c2 = four ? s->reached + r[2].place : c0, *c3 = four ? s->reached + r[3].place : c0;
    double        f0 = force[r[0].link], f1 = four ? force[r[1].link] : 0, f2 = four ? force[r[2].link] : 0;
    double        f3 = four ? force[r[3].link] : 0;
    for (int i = 0, n = r->count; i < n; i++)
        out[i] += four ? (f0 * c0[i] + f1 * c1[i]) + (f2 * c2[i] + f3 * c3[i]) : f0 * c0[i];
}

ZN_WIDE static void add_columns(const newmark_linear *s, const double *force, double *out)
{
    const reach *r = s->reach, *end = r + s->reaches;
    while (r < end) {
        bool four = end - r >= 4 && r[3].first == r->first && r[3].count == r->count;
        if (four)
            add_reaches(s, r, true, force, out + r->first);
        else
            add_reaches(s, r, false, force, out + r->first);
        r += four ? 4 : 1;
    }
}

// out += A^-1 links, over n.
static zn_status add_links(newmark_linear *s, const double *force, double *out)
{
    if (!s->condensed) {
        for (int i = 0; i < s->n; i++)
            s->still[i] = s->next_push[i];
        ZN_TRY(zn_linsolver_solve(s->solver, 1, s->still));
        for (int i = 0; i < s->n; i++)
            out[i] += s->still[i];
        return ZN_OK;
    }
    add_columns(s, force, out);
    return ZN_OK;
}

// *out = a M + c C + k K without zeros.
static zn_status operator_of(newmark_linear *s, zn_at at, double a, double c, double k, zn_sparse **out)
{
    ZN_TRY(zn_system_operators(s->sys, at, a, c, k, s->matrix));
    *out = zn_sparse_destroy(*out);
    return zn_sparse_compress(s->matrix, out);
}

// With fresh pivots: a resumed run has the same. Beams along the axes leave two thirds of the entries zero.
static zn_status factor(newmark_linear *s, double h, zn_at at)
{
    ZN_TRY(operator_of(s, at, 1, h * s->gamma, h * h * s->beta, &s->system));
    s->solver = zn_linsolver_destroy(s->solver);
    ZN_TRY(zn_linsolver_create(s->system, s->backend, &s->solver));
    ZN_TRY(zn_linsolver_factor(s->solver, s->system));
    return zn_linsolver_settle(s->solver);
}

// Columns of factor A^-1 at the links. What they reach is kept as long as that is cheaper than to solve: few links, which
// move the pieces they belong to only.
static zn_status inverse_columns(newmark_linear *s, zn_links links, int first, int count, double scale, double *X, double *out)
{
    int most = 3 * s->matrix->start[s->n];
    memset(X, 0, sizeof *X * (size_t)count * (size_t)s->n);
    for (int j = 0; j < count; j++)
        X[(size_t)j * (size_t)s->n + (size_t)links.dof[first + j]] = 1;
    ZN_TRY(zn_linsolver_solve(s->solver, count, X));
    for (int j = 0; j < count; j++) {
        const double *x = X + (size_t)j * (size_t)s->n;
        for (int i = 0; i < links.count; i++)
            out[i * links.count + first + j] = scale * x[links.dof[i]];
        s->condensed = s->condensed && s->reached_count <= most;
        if (s->condensed)
            ZN_TRY(keep_column(s, first + j, x));
    }
    return ZN_OK;
}

static zn_status inverse_matrix(newmark_linear *s, zn_links links, double scale, double *out)
{
    enum { TOGETHER = 64 }; // columns
    double   *X = ZN_NEW(double, (size_t)s->n * (links.count < TOGETHER ? (size_t)links.count : TOGETHER));
    zn_status status = X ? ZN_OK : ZN_ERR_MEMORY;
    s->reaches = s->reached_count = 0;
    s->condensed = true;
    for (int j = 0; j < links.count && status == ZN_OK; j += TOGETHER)
        status = inverse_columns(s, links, j, links.count - j < TOGETHER ? links.count - j : TOGETHER, scale, X, out);
    if (s->reaches > 0)
        qsort(s->reach, (size_t)s->reaches, sizeof *s->reach, compare_reaches);
    free(X);
    return status;
}

// M a = F + links.
static zn_status initial_acceleration(newmark_linear *s, const zn_state *from, zn_links links, const double *force)
{
    s->known = false;
    s->load_time = from->t;
    memset(s->u, 0, sizeof *s->u * (size_t)s->n_all);
    memset(s->last_u, 0, sizeof *s->u * (size_t)s->n_all);
    ZN_TRY(begin(s, from));
    memset(s->a, 0, sizeof *s->a * (size_t)s->n_all);
    memset(s->push, 0, sizeof *s->push * (size_t)s->n_all);
    for (int i = 0; force && i < links.count; i++)
        s->push[links.dof[i]] = force[i];
    for (int i = 0; i < s->n; i++)
        s->a[i] = s->strain[i] + s->sys->gravity_force[i] + s->load[i] + s->damper[i] + s->push[i];
    s->known = false; // of another acceleration
    ZN_TRY(zn_system_checkpoint(s->sys));
    return zn_linsolver_solve(s->solver, 1, s->a);
}

static zn_status accelerations(void *self, const zn_state *from, zn_links links, double *acceleration, double *response)
{
    newmark_linear *s = self;
    ZN_TRY(factor(s, 0, (zn_at){from->q, from->v, from->t, 0}));
    ZN_TRY(initial_acceleration(s, from, links, NULL));
    for (int i = 0; i < links.count; i++)
        acceleration[i] = s->a[links.dof[i]];
    return inverse_matrix(s, links, 1, response);
}

static zn_status start(void *self, zn_state *from, double h, zn_links links, const double *force)
{
    newmark_linear *s = self;
    s->h = h;
    ZN_TRY(factor(s, 0, (zn_at){from->q, from->v, from->t, 0}));
    ZN_TRY(initial_acceleration(s, from, links, force));
    s->started = true;
    return ZN_OK;
}

static zn_status find_heavy_supports(newmark_linear *s, const double *q)
{
    for (int i = 0; i < s->n_all; i++)
        s->next_a[i] = i < s->n ? 1 + 0.1 * (i % 7) : 0;
    ZN_TRY(zn_system_inertia(s->sys, q, s->next_a, s->next_inertia));
    s->heavy_supports = false;
    for (int i = s->n; i < s->n_all; i++)
        s->heavy_supports = s->heavy_supports || s->next_inertia[i] != 0;
    return ZN_OK;
}

static zn_status list_stiffness(newmark_linear *s, zn_at at)
{
    zn_sparse *K = NULL;
    zn_status  status = operator_of(s, at, 0, 0, 1, &K);
    zn_stripes_destroy(&s->stiffness);
    if (status == ZN_OK)
        status = zn_stripes_create(K, &s->stiffness);
    zn_sparse_destroy(K);
    return status;
}

static zn_status response(void *self, const zn_state *from, double h, zn_links links, double *out)
{
    newmark_linear *s = self;
    zn_at           at = {from->q, from->v, from->t, 0};
    s->h = h;
    s->known = false;
    ZN_TRY(operator_of(s, at, 1, 0, 0, &s->mass));
    s->lumped = s->mass->start[s->n] == s->n; // every degree of freedom has some mass of its own
    for (int i = 0; i < s->n && s->lumped; i++)
        s->diagonal[i] = s->mass->value[i];
    ZN_TRY(list_stiffness(s, at));
    ZN_TRY(find_heavy_supports(s, from->q));
    s->plain = s->lumped && !s->heavy_supports && !dissipates(s);
    ZN_TRY(factor(s, h, at));
    return inverse_matrix(s, links, h * s->gamma, out);
}

// --- the step --------------------------------------------------------------------------------------

// d_p and v_p, w into d, and into v what dampers take
ZN_WIDE static void predict(const newmark_linear *s, const double *v, double h)
{
    double stay = h * (1 - s->gamma), shift = h * h * (0.5 - s->beta), damped = s->gamma / (h * s->beta);
    for (int i = 0, n = s->n_all; i < n; i += 4) {
        zn_four now = AT(v), a = AT(s->a), free_d = h * now + shift * a;
        PUT(s->free_v, now + stay * a);
        PUT(s->free_d, free_d);
        PUT(s->d, free_d - (AT(s->u) - AT(s->last_u)));
    }
    for (int i = 0, n = s->n_all; i < n && s->kinds.damper; i += 4)
        PUT(s->v, AT(s->free_v) - damped * AT(s->d));
}

// Right-hand side into next_a; where M is not diagonal it holds M w.
ZN_INLINE void add_forces(const newmark_linear *s, bool lumped, double factor)
{
    for (int i = 0, n = s->n; i < n; i += 4) {
        zn_four strain = AT(s->strain), next = strain + (strain - AT(s->last_strain));
        zn_four force = next + AT(s->gravity) + AT(s->next_load) + AT(s->next_damper);
        zn_four Mw = AT(s->next_a);
        if (lumped)
            Mw = AT(s->diagonal) * AT(s->d);
        PUT(s->next_a, Mw + factor * force);
    }
}

ZN_WIDE static void find_right_side(const newmark_linear *s, double factor)
{
    if (s->lumped)
        add_forces(s, true, factor);
    else
        add_forces(s, false, factor);
}

ZN_WIDE static void find_acceleration(const newmark_linear *s, double factor)
{
    for (int i = 0, n = s->n; i < n; i += 4)
        PUT(s->next_a, factor * (AT(s->next_a) - AT(s->d)));
}

static zn_status solve_free(void *self, const zn_state *from, double h, zn_links links, double *velocity, zn_step_info *info)
{
    newmark_linear *s = self;
    double          square = h * h * s->beta;
    *info = (zn_step_info){.newton_iterations = 1};
    s->info = info;
    s->h = h;
    ZN_TRY(begin(s, from));
    predict(s, from->v, h);
    ZN_TRY(loads_at(s, from->q, from->t + h, s->next_load));
    ZN_TRY(dampers_at(s, from->q, s->v, from->t + h, s->next_damper));
    if (!s->lumped)
        times_mass(s, s->d, s->next_a);
    find_right_side(s, square);
    ZN_TRY(zn_system_checkpoint(s->sys));
    ZN_TRY(zn_linsolver_solve(s->solver, 1, s->next_a));
    find_acceleration(s, 1 / square);
    for (int i = 0; i < links.count; i++)
        velocity[i] = s->free_v[links.dof[i]] + h * s->gamma * s->next_a[links.dof[i]];
    return ZN_OK;
}

// v', d and u' by a'
ZN_WIDE static void move(const newmark_linear *s, double h)
{
    double speed = h * s->gamma, shift = h * h * s->beta;
    for (int i = 0, n = s->n_all; i < n; i += 4) {
        zn_four a = AT(s->next_a), d = AT(s->free_d) + shift * a;
        PUT(s->v, AT(s->free_v) + speed * a);
        PUT(s->d, d);
        PUT(s->next_u, AT(s->u) + d);
    }
}

// a' with the links, and what follows from it.
static zn_status correct(newmark_linear *s, zn_links links, const double *force)
{
    for (int i = 0; i < links.count; i++) // where it was zero it stays so
        s->next_push[links.dof[i]] = force[i];
    ZN_TRY(add_links(s, force, s->next_a));
    memset(s->next_a + s->n, 0, sizeof *s->next_a * (size_t)(s->n_all - s->n));
    move(s, s->h);
    return ZN_OK;
}

// Sums over the degrees of freedom.
enum { STRAIN, STORED, LOAD, DAMPER, PUSH, SQUARE, BEFORE, CROSS, CHANGE, KINETIC, FALL, WEIGHT, SUMS };

// In one pass over n degrees of freedom, a multiple of four; Mv holds M v, NULL: M is diagonal. What only schemes with dissipation need is left
// out when not `all`.
ZN_INLINE void add_up_to(const newmark_linear *s, int n, const double *Mv, bool all, zn_four x[SUMS])
{
    zn_four sum[SUMS] = {{0}};
    for (int i = 0; i < n; i += 4) {
        zn_four d = AT(s->d), u = AT(s->next_u), gravity = AT(s->gravity), strain = AT(s->next_strain);
        sum[STRAIN] += d * (AT(s->strain) + strain);
        sum[STORED] += u * (AT(s->first_strain) + strain);
        sum[FALL] += u * gravity;
        sum[WEIGHT] += d * gravity;
        sum[LOAD] += d * (AT(s->load) + AT(s->next_load));
        sum[DAMPER] += d * (AT(s->damper) + AT(s->next_damper));
        sum[PUSH] += d * (AT(s->push) + AT(s->next_push));
        zn_four v = AT(s->v), momentum = AT(s->diagonal) * v;
        if (Mv)
            momentum = AT(Mv);
        sum[KINETIC] += v * momentum;
        if (!all)
            continue;
        zn_four a = AT(s->next_a), Ma = AT(s->next_inertia), before = AT(s->a), inertia = AT(s->inertia);
        sum[SQUARE] += a * Ma;
        sum[BEFORE] += before * inertia;
        sum[CROSS] += before * Ma;
        sum[CHANGE] += d * (Ma - inertia);
    }
    memcpy(x, sum, sizeof sum);
}

ZN_WIDE static void add_fours(const newmark_linear *s, int n, const double *Mv, bool all, zn_four x[SUMS])
{
    if (all || Mv)
        add_up_to(s, n, Mv, all, x);
    else
        add_up_to(s, n, NULL, false, x);
}

// Vectors have room for a multiple of four; degrees of freedom beyond n are fixed or none, with v, a and d zero.
static void add_up(newmark_linear *s, double out[SUMS])
{
    zn_four x[SUMS];
    double *Mv = s->lumped ? NULL : s->still;
    if (Mv)
        times_mass(s, s->v, Mv);
    add_fours(s, pad(s->n), Mv, dissipates(s), x);
    for (int k = 0; k < SUMS; k++)
        out[k] = zn_system_sum(s->sys, zn_four_sum(&x[k]));
}

enum { LANES = 8 };

// Largest residual of the balance at the end, and its largest term, of `count` degrees of freedom from i on.
ZN_INLINE void look_at(const newmark_linear *s, int i, int count, bool plain, double residual[LANES], double scale[LANES])
{
    for (int k = 0; k < count; k++) {
        double Ma = plain ? s->diagonal[i + k] * s->next_a[i + k] : s->next_inertia[i + k], strain = s->next_strain[i + k];
        double F = strain + s->gravity[i + k] + s->next_load[i + k] + s->next_damper[i + k] + s->next_push[i + k];
        double own = fabs(Ma - F), size = fabs(Ma) + fabs(strain);
        residual[k] = own > residual[k] ? own : residual[k];
        scale[k] = size > scale[k] ? size : scale[k];
    }
}

ZN_INLINE void look_at_all(const newmark_linear *s, bool plain, double residual[LANES], double scale[LANES])
{
    double most[LANES] = {0}, size[LANES] = {0};
    int    i = 0;
    for (; i + LANES <= s->n; i += LANES)
        look_at(s, i, LANES, plain, most, size);
    look_at(s, i, s->n - i, plain, most, size);
    memcpy(residual, most, sizeof most);
    memcpy(scale, size, sizeof size);
}

// In lanes so that it is done in vectors.
ZN_WIDE static void largest_residual(const newmark_linear *s, double residual[LANES], double scale[LANES])
{
    if (s->plain)
        look_at_all(s, true, residual, scale);
    else
        look_at_all(s, false, residual, scale);
}

// How well the balance holds at the end, relative to its terms.
static double residual_of(const newmark_linear *s)
{
    double residual[LANES] = {0}, scale[LANES] = {0};
    largest_residual(s, residual, scale);
    for (int k = 1; k < LANES; k++) {
        residual[0] = fmax(residual[0], residual[k]);
        scale[0] = fmax(scale[0], scale[k]);
    }
    residual[0] = zn_system_max(s->sys, residual[0]);
    return residual[0] > 0 ? residual[0] / zn_system_max(s->sys, scale[0]) : 0;
}

static zn_status book(newmark_linear *s, const zn_state *from, double *work)
{
    double *ledger = s->info->ledger, h = s->h, extra = s->gamma - 0.5, middle = s->beta - 0.5 * s->gamma, t = from->t + h;
    double  x[SUMS];
    ZN_TRY(zn_system_checkpoint(s->sys));
    zn_stripes_subtract(&s->stiffness, s->first_strain, s->next_u, s->next_strain);
    ZN_TRY(dampers_at(s, from->q, s->v, t, s->next_damper));
    if (!s->plain)
        ZN_TRY(inertia_of(s, from->q, s->next_a, s->next_inertia));
    add_up(s, x);
    s->energy.kinetic = 0.5 * x[KINETIC];
    s->energy.strain = s->first.strain - 0.5 * x[STORED];
    s->energy.gravity = s->first.gravity - x[FALL];
    double jump = x[SQUARE] - 2 * x[CROSS] + x[BEFORE];
    ledger[ZN_LEDGER_KINETIC] = s->energy.kinetic;
    ledger[ZN_LEDGER_STRAIN] = s->energy.strain;
    ledger[ZN_LEDGER_GRAVITY] = s->energy.gravity;
    ledger[ZN_LEDGER_LOAD] = 0.5 * x[LOAD];
    ledger[ZN_LEDGER_DAMPER] = 0.5 * x[DAMPER];
    ledger[ZN_LEDGER_COMPLEMENTARY] = -0.5 * h * h * middle * (x[SQUARE] - x[BEFORE]);
    ledger[ZN_LEDGER_NUMERICAL] = extra * x[CHANGE] - h * h * middle * extra * jump + s->energy.strain - from->energy.strain +
                                  0.5 * x[STRAIN] + s->energy.gravity - from->energy.gravity + x[WEIGHT];
    *work = 0.5 * x[PUSH];
    s->info->newton_residual = residual_of(s);
    return isfinite(s->energy.kinetic + s->energy.strain + s->energy.gravity) ? ZN_OK : ZN_NOT_FINITE;
}

static zn_status finish(void *self, const zn_state *from, zn_links links, const double *force, zn_step_info *info,
                        double *work)
{
    newmark_linear *s = self;
    s->info = info;
    ZN_TRY(correct(s, links, force));
    return book(s, from, work);
}

static void commit(void *self, zn_state *to)
{
    newmark_linear *s = self;
    s->load_time = to->t + s->h;
    to->t += s->h;
    zn_swap(&to->v, &s->v); // nobody else holds the state of a part
    to->energy = s->energy;
    zn_swap(&s->last_u, &s->u); // of three
    zn_swap(&s->u, &s->next_u);
    zn_swap(&s->a, &s->next_a);
    zn_swap(&s->push, &s->next_push);
    zn_swap(&s->load, &s->next_load);
    zn_swap(&s->last_strain, &s->strain);
    zn_swap(&s->strain, &s->next_strain);
    zn_swap(&s->inertia, &s->next_inertia);
}

// Impulses of a step on fixed degrees of freedom by the forces at the state, at the positions q. A step may be under way:
// only what its end sets anew is overwritten.
static zn_status react(newmark_linear *s, const double *q, zn_state *state)
{
    double ignored = 0, *load = s->d, *damper = s->v;
    memset(load, 0, sizeof *load * (size_t)s->n_all);
    memset(damper, 0, sizeof *damper * (size_t)s->n_all);
    ZN_TRY(zn_system_internal_force(s->sys, NULL, (zn_at){q, s->zero, state->t, 0}, s->next_strain, &ignored));
    ZN_TRY(zn_system_inertia(s->sys, q, s->a, s->next_inertia));
    ZN_TRY(loads_at(s, q, state->t, load));
    ZN_TRY(dampers_at(s, q, state->v, state->t, damper));
    for (int i = s->n; i < s->n_all; i++)
        state->reaction[i - s->n] = s->h * (s->next_inertia[i] - s->next_strain[i] - s->sys->gravity_force[i] - load[i] -
                                            damper[i]);
    return ZN_OK;
}

static void show(void *self, zn_state *state, double later, double *q, double *v)
{
    newmark_linear *s = self;
    zn_system_retract(s->sys, state->q, s->u, q);
    if (react(s, q, state) != ZN_OK) // as in an evaluation of forces that the last step survived
        memset(state->reaction, 0, sizeof *state->reaction * (size_t)(s->n_all - s->n));
    for (int i = 0; i < s->n_all; i++) {
        v[i] = state->v[i] + later * s->a[i];
        s->still[i] = s->u[i] + later * (state->v[i] + 0.5 * later * s->a[i]);
    }
    zn_system_retract(s->sys, state->q, s->still, q);
}

static const zn_partner_ops partner = {accelerations, start, response, solve_free, finish, commit, show};

// --- life ------------------------------------------------------------------------------------------

static void destroy(void *self)
{
    newmark_linear *s = self;
    free(s->memory);
    free(s->v);
    free(s->reach);
    free(s->reached);
    zn_sparse_destroy(s->mass);
    zn_stripes_destroy(&s->stiffness);
    zn_sparse_destroy(s->system);
    zn_sparse_destroy(s->matrix);
    zn_linsolver_destroy(s->solver);
    free(s);
}

static zn_status allocate(newmark_linear *s)
{
    double **const vectors[] = {&s->u,      &s->a,      &s->push,  &s->strain,    &s->first_strain, &s->inertia, &s->next_u,
                                &s->next_a, &s->next_push, &s->next_strain, &s->next_inertia, &s->free_v,
                                &s->free_d, &s->d,      &s->gravity,   &s->still,        &s->zero,    &s->diagonal,
                                &s->load,   &s->next_load, &s->damper, &s->next_damper, &s->last_u, &s->last_strain};
    s->memory = zn_new_vectors(sizeof vectors / sizeof *vectors, vectors, (size_t)s->n_all);
    s->v = ZN_NEW(double, pad(s->n_all));
    if (!s->memory || !s->v)
        return ZN_ERR_MEMORY;
    if (!s->kinds.load) // one vector of zeros stays near
        s->load = s->next_load = s->zero;
    if (!s->kinds.damper)
        s->damper = s->next_damper = s->zero;
    memcpy(s->gravity, s->sys->gravity_force, sizeof *s->gravity * (size_t)s->n_all);
    ZN_TRY(zn_system_matrix(s->sys, &s->matrix));
    return zn_linsolver_create(s->matrix, s->backend, &s->solver);
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    double gamma = def->gamma == 0 ? 0.5 : def->gamma;
    if (!(gamma >= 0.5 && 2 * def->beta >= gamma))
        return zn_fail(log, ZN_ERR_ARGUMENT, "multirate: beta = %g, gamma = %g: Newmark's scheme is stable for any step only "
                       "with 2 beta >= gamma >= 1/2", def->beta, gamma);
    for (int i = 0; i < sys->layout.nodes; i++)
        if (sys->layout.node[i].kind == ZN_FRAME3 && !sys->layout.node[i].small)
            return zn_fail(log, ZN_ERR_UNSUPPORTED, "multirate: a body that turns at will cannot be in an implicit part; put it "
                           "into the fine part");
    newmark_linear *s = ZN_NEW(newmark_linear, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    *s = (newmark_linear){.sys = sys, .beta = def->beta, .gamma = gamma, .n = sys->info.n, .n_all = sys->info.n_all,
                          .backend = def->linear_solver, .kinds = zn_system_force_kinds(sys)};
    zn_status status = allocate(s);
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

// History: started, time of the load, displacement, acceleration, links, displacement before.
enum { NUMBERS = 2, KEPT = 4 };

static int history_size(const void *self) { return NUMBERS + KEPT * ((const newmark_linear *)self)->n_all; }

static void history_save(void *self, double *history)
{
    const newmark_linear *s = self;
    history[0] = s->started;
    history[1] = s->load_time;
    const double *own[KEPT] = {s->u, s->a, s->push, s->last_u};
    for (int k = 0; k < KEPT; k++)
        memcpy(history + NUMBERS + k * s->n_all, own[k], sizeof *history * (size_t)s->n_all);
}

static void history_load(void *self, const double *history)
{
    newmark_linear *s = self;
    s->started = history[0] != 0;
    s->load_time = history[1];
    s->known = false;
    double *own[KEPT] = {s->u, s->a, s->push, s->last_u};
    for (int k = 0; k < KEPT; k++)
        memcpy(own[k], history + NUMBERS + k * s->n_all, sizeof *history * (size_t)s->n_all);
}

static zn_linsolver_info linsolver(const void *self)
{
    return zn_linsolver_get_info(((const newmark_linear *)self)->solver);
}

const zn_scheme_ops zn_newmark_linear_ops = {
    .name = "newmark",
    .create = create,
    .partner = &partner,
    .history_size = history_size,
    .history_save = history_save,
    .history_load = history_load,
    .linsolver = linsolver,
    .destroy = destroy,
};
