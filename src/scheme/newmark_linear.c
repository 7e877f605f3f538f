// newmark_linear.c - Newmark's scheme for a linear part, as a partner in a coupling: newmark.c without Newton and
// joints, so that a step is one product and a solve or two with factors made once. Fekak, Brun, Gravouil, Depale,
// Comput. Mech. 60 (2017) 1-21, eqs. (61)-(65).
//
//     d_p = h v + h^2 (1/2 - beta) a,   v_p = v + h (1 - gamma) a
//     A a' = f(u, v_p, t') - K d_p + L,   A = M + h gamma C + h^2 beta K,   L the links at the end of the step
//     d = d_p + h^2 beta a',   v' = v_p + h gamma a',   u' = u + d
//
// The free solution, L = 0, is found by its displacement less that of the last step, d_last = u - u_last, so that no
// product with K is needed: K d_last is the change of the strain force in the last step. With w = d_p - d_last
//     A (d - d_last) = h^2 beta [f(u, v_p - gamma/(h beta) w, t') - K d_last] + M w,   a' = (d - d_last - w)/(h^2
//     beta).
// Rounding moves v' by some epsilon d/h, no more than rounding of v' itself. (A d = ... would do, too, but its errors
// grow with the condition of A.) Links add A^-1 L to a'.
//
// Displacements u count from the start, where the state keeps its q: the part is linear and rotation vectors of its
// frames add, so that positions q (+) u are needed when somebody looks and not in a step. With f_0 and E_0 of the start
//     strain force f = f_0 - K u,   strain energy E = E_0 - u.(f_0 + f)/2.
//
// Energy: as newmark.c, with the forces of both ends; those at the end follow from u', so that the ledger sees what the
// linear algebra leaves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/newmark_linear.h"

// --- matrices --------------------------------------------------------------------------------------

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

void newmark_linear_times_mass(const newmark_linear *s, const double *x, double *out)
{
    if (s->op.lumped) {
        times_diagonal(s->n, s->op.diagonal, x, out);
        return;
    }
    for (int i = 0; i < s->n; i++)
        out[i] = row_times(s->op.mass, i, x);
    memset(out + s->n, 0, sizeof *out * (size_t)(newmark_linear_pad(s->n) - s->n));
}

static zn_status inertia_of(newmark_linear *s, const double *q, const double *a, double *out)
{
    if (s->op.heavy_supports)
        return zn_system_inertia(s->sys, q, a, out);
    newmark_linear_times_mass(s, a, out);
    return ZN_OK;
}

// --- forces ----------------------------------------------------------------------------------------

static zn_status loads_at(newmark_linear *s, const double *q, double t, double *out)
{
    return s->kinds.load ? zn_system_load_force(s->sys, (zn_at){q, s->zero, t, 0}, out) : ZN_OK;
}

static zn_status dampers_at(newmark_linear *s, const double *q, const double *v, double t, double *out)
{
    return s->kinds.damper
               ? zn_system_velocity_force(s->sys, ZN_VELOCITY_DAMPER, (zn_at){q, v, t, 0}, s->zero, s->still, out)
               : ZN_OK;
}

// Forces of the start, and those of the beginning of a step that the ledger and the predictor need.
static zn_status begin(newmark_linear *s, const zn_state *from)
{
    double ignored = 0;
    zn_at  at = {from->q, s->zero, from->t, 0};
    if (!s->begin.known) {
        ZN_TRY(zn_system_internal_force(s->sys, NULL, at, s->begin.first_strain, &ignored));
        ZN_TRY(zn_system_energy(s->sys, at, &s->begin.first));
        memcpy(s->begin.strain, s->begin.first_strain, sizeof *s->begin.strain * (size_t)s->n_all);
        memcpy(s->begin.last_strain, s->begin.first_strain, sizeof *s->begin.strain * (size_t)s->n_all);
        if (s->op.stiffness.count > 0) {
            zn_stripes_subtract(&s->op.stiffness, s->begin.first_strain, s->past.u, s->begin.strain);
            zn_stripes_subtract(&s->op.stiffness, s->begin.first_strain, s->past.last_u, s->begin.last_strain);
        }
        ZN_TRY(s->op.mass ? inertia_of(s, from->q, s->past.a, s->begin.inertia) : ZN_OK);
        ZN_TRY(loads_at(s, from->q, s->past.load_time, s->begin.load));
    }
    s->begin.known = s->op.mass && s->op.stiffness.count > 0;
    return dampers_at(s, from->q, from->v, from->t, s->begin.damper);
}

// --- start -----------------------------------------------------------------------------------------

// M a = F + links.
static zn_status initial_acceleration(newmark_linear *s, const zn_state *from, zn_links links, const double *force)
{
    s->begin.known = false;
    s->past.load_time = from->t;
    memset(s->past.u, 0, sizeof *s->past.u * (size_t)s->n_all);
    memset(s->past.last_u, 0, sizeof *s->past.u * (size_t)s->n_all);
    ZN_TRY(begin(s, from));
    memset(s->past.a, 0, sizeof *s->past.a * (size_t)s->n_all);
    memset(s->past.push, 0, sizeof *s->past.push * (size_t)s->n_all);
    for (int i = 0; force && i < links.count; i++)
        s->past.push[links.dof[i]] = force[i];
    for (int i = 0; i < s->n; i++)
        s->past.a[i] =
            s->begin.strain[i] + s->sys->gravity_force[i] + s->begin.load[i] + s->begin.damper[i] + s->past.push[i];
    s->begin.known = false; // of another acceleration
    ZN_TRY(zn_fault_point());
    return zn_linsolver_solve(s->op.solver, 1, s->past.a);
}

static zn_status accelerations(void *self, const zn_state *from, double h, zn_links links, double *out)
{
    newmark_linear *s = self;
    (void)h;
    ZN_ASSERT(s->op.size == 0);
    ZN_TRY(initial_acceleration(s, from, links, NULL));
    for (int i = 0; i < links.count; i++)
        out[i] = s->past.a[links.dof[i]];
    return ZN_OK;
}

static zn_status start(void *self, zn_state *from, double h, zn_links links, const double *force)
{
    newmark_linear *s = self;
    s->h = h;
    if (s->op.size != 0)
        ZN_TRY(newmark_linear_factor(s, 0, from));
    ZN_TRY(initial_acceleration(s, from, links, force));
    s->past.started = true;
    return ZN_OK;
}

// --- the step --------------------------------------------------------------------------------------

// d_p and v_p, w into d, and into v what dampers take
ZN_WIDE static void predict(const newmark_linear *s, const double *v, double h)
{
    double stay = h * (1 - s->gamma), shift = h * h * (0.5 - s->beta), damped = s->gamma / (h * s->beta);
    for (int i = 0, n = s->n_all; i < n; i += 4) {
        zn_four now = AT(v), a = AT(s->past.a), free_d = h * now + shift * a;
        PUT(s->free_v, now + stay * a);
        PUT(s->free_d, free_d);
        PUT(s->end.d, free_d - (AT(s->past.u) - AT(s->past.last_u)));
    }
    for (int i = 0, n = s->n_all; i < n && s->kinds.damper; i += 4)
        PUT(s->end.v, AT(s->free_v) - damped * AT(s->end.d));
}

// Right-hand side into next_a; where M is not diagonal it holds M w.
ZN_INLINE void add_forces(const newmark_linear *s, bool lumped, double factor)
{
    for (int i = 0, n = s->n; i < n; i += 4) {
        zn_four strain = AT(s->begin.strain), next = strain + (strain - AT(s->begin.last_strain));
        zn_four force = next + AT(s->gravity) + AT(s->end.load) + AT(s->end.damper);
        zn_four Mw = AT(s->end.a);
        if (lumped)
            Mw = AT(s->op.diagonal) * AT(s->end.d);
        PUT(s->end.a, Mw + factor * force);
    }
}

ZN_WIDE static void find_right_side(const newmark_linear *s, double factor)
{
    if (s->op.lumped)
        add_forces(s, true, factor);
    else
        add_forces(s, false, factor);
}

ZN_WIDE static void find_acceleration(const newmark_linear *s, double factor)
{
    for (int i = 0, n = s->n; i < n; i += 4)
        PUT(s->end.a, factor * (AT(s->end.a) - AT(s->end.d)));
}

static zn_status solve_free(void *self, const zn_state *from, double h, zn_links links, double *velocity,
                            zn_step_info *info)
{
    newmark_linear *s = self;
    double          square = h * h * s->beta;
    *info = (zn_step_info){.newton_iterations = 1};
    s->info = info;
    s->h = h;
    ZN_TRY(begin(s, from));
    predict(s, from->v, h);
    ZN_TRY(loads_at(s, from->q, from->t + h, s->end.load));
    ZN_TRY(dampers_at(s, from->q, s->end.v, from->t + h, s->end.damper));
    if (!s->op.lumped)
        newmark_linear_times_mass(s, s->end.d, s->end.a);
    find_right_side(s, square);
    ZN_TRY(zn_fault_point());
    ZN_TRY(zn_linsolver_solve(s->op.solver, 1, s->end.a));
    find_acceleration(s, 1 / square);
    for (int i = 0; i < links.count; i++)
        velocity[i] = s->free_v[links.dof[i]] + h * s->gamma * s->end.a[links.dof[i]];
    return ZN_OK;
}

// v', d and u' by a'
ZN_WIDE static void move(const newmark_linear *s, double h)
{
    double speed = h * s->gamma, shift = h * h * s->beta;
    for (int i = 0, n = s->n_all; i < n; i += 4) {
        zn_four a = AT(s->end.a), d = AT(s->free_d) + shift * a;
        PUT(s->end.v, AT(s->free_v) + speed * a);
        PUT(s->end.d, d);
        PUT(s->end.u, AT(s->past.u) + d);
    }
}

// a' with the links, and what follows from it.
static zn_status correct(newmark_linear *s, zn_links links, const double *force)
{
    for (int i = 0; i < links.count; i++) // where it was zero it stays so
        s->end.push[links.dof[i]] = force[i];
    ZN_TRY(newmark_linear_add_links(s, force, s->end.a));
    memset(s->end.a + s->n, 0, sizeof *s->end.a * (size_t)(s->n_all - s->n));
    move(s, s->h);
    return ZN_OK;
}

// Forces at the end: the strain force by a product of its own, so that the residual and the ledger see what the solve
// left.
static zn_status find_end_forces(newmark_linear *s, const zn_state *from)
{
    ZN_TRY(zn_fault_point());
    zn_stripes_subtract(&s->op.stiffness, s->begin.first_strain, s->end.u, s->end.strain);
    ZN_TRY(dampers_at(s, from->q, s->end.v, from->t + s->h, s->end.damper));
    return s->op.plain ? ZN_OK : inertia_of(s, from->q, s->end.a, s->end.inertia);
}

static zn_status finish(void *self, const zn_state *from, zn_links links, const double *force, zn_step_info *info,
                        double *work)
{
    newmark_linear *s = self;
    s->info = info;
    ZN_TRY(correct(s, links, force));
    ZN_TRY(find_end_forces(s, from));
    return newmark_linear_book(s, from, work);
}

static void commit(void *self, zn_state *to)
{
    newmark_linear *s = self;
    s->past.load_time = to->t + s->h;
    to->t += s->h;
    zn_swap(&to->v, &s->end.v); // nobody else holds the state of a part
    to->energy = s->energy;
    zn_swap(&s->past.last_u, &s->past.u); // of three
    zn_swap(&s->past.u, &s->end.u);
    zn_swap(&s->past.a, &s->end.a);
    zn_swap(&s->past.push, &s->end.push);
    zn_swap(&s->begin.load, &s->end.load);
    zn_swap(&s->begin.last_strain, &s->begin.strain);
    zn_swap(&s->begin.strain, &s->end.strain);
    zn_swap(&s->begin.inertia, &s->end.inertia);
}

// Impulses of a step on fixed degrees of freedom by the forces at the state, at the positions q.
static zn_status react(newmark_linear *s, const double *q, zn_state *state)
{
    double ignored = 0, *load = s->end.d, *damper = s->end.v;
    memset(load, 0, sizeof *load * (size_t)s->n_all);
    memset(damper, 0, sizeof *damper * (size_t)s->n_all);
    ZN_TRY(zn_system_internal_force(s->sys, NULL, (zn_at){q, s->zero, state->t, 0}, s->end.strain, &ignored));
    ZN_TRY(zn_system_inertia(s->sys, q, s->past.a, s->end.inertia));
    ZN_TRY(loads_at(s, q, state->t, load));
    ZN_TRY(dampers_at(s, q, state->v, state->t, damper));
    for (int i = s->n; i < s->n_all; i++)
        state->reaction[i - s->n] =
            s->h * (s->end.inertia[i] - s->end.strain[i] - s->sys->gravity_force[i] - load[i] - damper[i]);
    return ZN_OK;
}

static void show(void *self, zn_state *state, double *q, double *v)
{
    newmark_linear *s = self;
    memcpy(v, state->v, sizeof *v * (size_t)s->n_all);
    zn_system_retract(s->sys, state->q, s->past.u, q);
    if (react(s, q, state) == ZN_OK) // as in an evaluation of forces that the last step survived
        return;
    for (int i = 0; i < s->n_all - s->n; i++)
        state->reaction[i] = NAN;
}

static const zn_partner_ops partner = {&newmark_linear_response,
                                       accelerations,
                                       start,
                                       solve_free,
                                       finish,
                                       commit,
                                       show,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL};

// --- life ------------------------------------------------------------------------------------------

static void destroy(void *self)
{
    newmark_linear *s = self;
    free(s->memory);
    free(s->end.v);
    zn_columns_destroy(&s->op.columns);
    zn_sparse_destroy(s->op.mass);
    zn_stripes_destroy(&s->op.stiffness);
    zn_sparse_destroy(s->op.system);
    zn_sparse_destroy(s->op.matrix);
    zn_linsolver_destroy(s->op.solver);
    zn_linsolver_destroy(s->op.joined);
    free(s->op.other);
    free(s->op.x);
    free(s);
}

static zn_status allocate(newmark_linear *s)
{
    double **const vectors[] = {&s->past.u,
                                &s->past.a,
                                &s->past.push,
                                &s->begin.strain,
                                &s->begin.first_strain,
                                &s->begin.inertia,
                                &s->end.u,
                                &s->end.a,
                                &s->end.push,
                                &s->end.strain,
                                &s->end.inertia,
                                &s->free_v,
                                &s->free_d,
                                &s->end.d,
                                &s->gravity,
                                &s->still,
                                &s->zero,
                                &s->op.diagonal,
                                &s->begin.load,
                                &s->end.load,
                                &s->begin.damper,
                                &s->end.damper,
                                &s->past.last_u,
                                &s->begin.last_strain};
    s->memory = zn_new_vectors(sizeof vectors / sizeof *vectors, vectors, (size_t)s->n_all);
    s->end.v = ZN_NEW(double, newmark_linear_pad(s->n_all));
    if (!s->memory || !s->end.v)
        return ZN_ERR_MEMORY;
    if (!s->kinds.load) // one vector of zeros stays near
        s->begin.load = s->end.load = s->zero;
    if (!s->kinds.damper)
        s->begin.damper = s->end.damper = s->zero;
    memcpy(s->gravity, s->sys->gravity_force, sizeof *s->gravity * (size_t)s->n_all);
    ZN_TRY(zn_system_matrix(s->sys, &s->op.matrix));
    return zn_linsolver_create(s->op.matrix, s->op.backend, &s->op.solver);
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    double gamma = def->gamma == 0 ? 0.5 : def->gamma;
    if (!(gamma >= 0.5 && 2 * def->beta >= gamma))
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "multirate: beta = %g, gamma = %g: Newmark's scheme is stable for any step only "
                       "with 2 beta >= gamma >= 1/2",
                       def->beta, gamma);
    newmark_linear *s = ZN_NEW(newmark_linear, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    *s = (newmark_linear){.sys = sys,
                          .beta = def->beta,
                          .gamma = gamma,
                          .n = sys->info.n,
                          .n_all = sys->info.n_all,
                          .op.backend = def->linear_solver,
                          .op.size = -1,
                          .kinds = zn_system_force_kinds(sys)};
    zn_status status = allocate(s);
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 1 };
    newmark_linear *s = self;
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->past.started);
    zn_blob_double(blob, &s->past.load_time);
    zn_blob_doubles(blob, s->past.u, s->n_all);
    zn_blob_doubles(blob, s->past.a, s->n_all);
    zn_blob_doubles(blob, s->past.push, s->n_all);
    zn_blob_doubles(blob, s->past.last_u, s->n_all);
    if (blob->loading && !blob->dry)
        s->begin.known = false;
}

static zn_linsolver_info linsolver(const void *self)
{
    return zn_linsolver_get_info(((const newmark_linear *)self)->op.solver);
}

const zn_scheme_ops zn_newmark_linear_ops = {
    .name = "newmark",
    .create = create,
    .partner = &partner,
    .history = history,
    .linsolver = linsolver,
    .destroy = destroy,
};
