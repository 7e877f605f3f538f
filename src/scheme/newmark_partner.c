// newmark_partner.c - Newmark's scheme with Newton's method, joints and bodies that turn, as a partner in a coupling:
// what newmark_linear.c is for parts that are linear. Fekak, Brun, Gravouil, Depale, Comput. Mech. 60 (2017) 1-21,
// eqs. (61)-(65), linearised about the step itself.
//
// With links p, a force at the end of the step, and S = M a' - F(q', v', t') what is left without them, a step is
//     S = E p + G'l,     G v' + dg/dt = 0,     E the columns of the identity at the links.
// It is taken with the links p_0 of its beginning first. About this solution, A = dS/da', the velocity at the links is
//     v = v' + R (p - p_0),   R = gamma h E' A^-1 E,
// exactly so when the part is linear. (Were p_0 = 0, a part that hangs on its links would fall for the length of a
// step, and be linearised there.) Once p is known, one correction with the same A takes it in; where that leaves
// something of the balance, or of the difference of velocities to the other part, p is found anew from there
// (multirate.c): velocities meet and the balance holds at the end of the step, whatever A was.
//
// Joints: A^-1 stands for the solution with multipliers, A x = f + G'l with G x = 0. Many links, with the response D of
// the other part, which is diagonal: as in newmark_linear_links.c
//     (D + R) p = r     is     A~ x = E D^-1 r + G'l,   G x = 0,   A~ = A + gamma h E D^-1 E',   p = D^-1 (r - gamma h
//     E'x).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/linsolver.h"
#include "scheme/newmark.h"

// --- the response ----------------------------------------------------------------------------------

// Of the velocity to the acceleration; of accelerations when the factors are those of the mass.
static double scale_of(const newmark *s) { return s->coupling.size > 0 ? s->coupling.size * s->gamma : 1; }

// x = A^-1 x with the joints, whose multipliers stay what they are.
static zn_status respond(newmark *s, zn_response *r, zn_linsolver *solver, double *x)
{
    ZN_ASSERT(x != s->scale);
    zn_rows G = zn_gap_rows(s->contacts);
    if (solver)
        ZN_TRY(zn_linsolver_solve(solver, 1, x));
    else
        ZN_TRY(zn_response_solve(r, x));
    if (s->joints == 0)
        return ZN_OK;
    if (s->coupling.size > 0)
        ZN_TRY(newmark_joint_rows(s, s->coupling.t, &G));
    memcpy(s->coupling.l, s->l, sizeof *s->l * (size_t)s->joints);
    memset(s->rate, 0, sizeof *s->rate * (size_t)s->joints);
    zn_status status = newmark_solve_joints(s, r, G, x, s->scale);
    memcpy(s->l, s->coupling.l, sizeof *s->l * (size_t)s->joints);
    return status;
}

// Factors of the mass at `from`, or of A where the step under way is now.
static zn_status prepare(void *self, const zn_state *from, double h, zn_links links)
{
    newmark *s = self;
    (void)links;
    s->coupling.size = h;
    if (h == 0) {
        ZN_TRY(zn_contact_set_copy(from->contacts, s->contacts));
        ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, from->q, from->t));
        return newmark_factor(s, 0, (zn_at){from->q, from->v, from->t, 0});
    }
    ZN_ASSERT(h == s->h);
    if (!s->coupling.fresh)
        ZN_TRY(newmark_factor_end(s, from->t + h, false));
    s->coupling.fresh = false;
    return ZN_OK;
}

// Of accelerations, where the mass is lumped and no joint ties nodes together.
static bool diagonal(void *self, zn_links links, double *out)
{
    const newmark   *s = self;
    const zn_sparse *A = s->motion.matrix;
    bool             single = s->coupling.size == 0 && s->joints == 0;
    for (int i = 0; i < links.count && single; i++)
        for (int e = A->start[links.dof[i]]; e < A->start[links.dof[i] + 1]; e++) {
            if (A->row[e] == links.dof[i])
                out[i] = 1 / A->value[e];
            else
                single = single && A->value[e] == 0;
        }
    return single;
}

static zn_status answer(void *self, zn_links links, const double *force, double *out)
{
    newmark *s = self;
    memset(s->work, 0, sizeof *s->work * (size_t)s->n_all);
    for (int i = 0; i < links.count; i++)
        s->work[links.dof[i]] = force[i];
    ZN_TRY(respond(s, &s->motion, NULL, s->work));
    for (int i = 0; i < links.count; i++)
        out[i] = scale_of(s) * s->work[links.dof[i]];
    return ZN_OK;
}

static zn_status full(void *self, zn_links links, double *out)
{
    newmark *s = self;
    for (int j = 0; j < links.count; j++) {
        memset(s->work, 0, sizeof *s->work * (size_t)s->n_all);
        s->work[links.dof[j]] = 1;
        ZN_TRY(respond(s, &s->motion, NULL, s->work));
        for (int i = 0; i < links.count; i++)
            out[(size_t)i * (size_t)links.count + (size_t)j] = scale_of(s) * s->work[links.dof[i]];
    }
    return ZN_OK;
}

// --- many links ------------------------------------------------------------------------------------

static zn_status create_sum(newmark *s, zn_links links)
{
    newmark_coupling *c = &s->coupling;
    c->other = ZN_NEW(double, links.count);
    if (!c->other)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_system_matrix(s->sys, &c->sum));
    ZN_TRY(zn_linsolver_create(c->sum, s->def.linear_solver, &c->joined));
    return zn_response_create_lent(s->sys, s->sys->contact_capacity, &c->with);
}

static zn_status join(void *self, zn_links links, const double *other)
{
    newmark          *s = self;
    newmark_coupling *c = &s->coupling;
    const zn_sparse  *A = s->motion.matrix;
    ZN_ASSERT(!s->bends || c->size == 0);
    if (!c->sum)
        ZN_TRY(create_sum(s, links));
    memcpy(c->other, other, sizeof *other * (size_t)links.count);
    memcpy(c->sum->value, A->value, sizeof *A->value * (size_t)A->start[s->n]);
    for (int i = 0; i < links.count; i++)
        for (int e = A->start[links.dof[i]]; e < A->start[links.dof[i] + 1]; e++)
            if (A->row[e] == links.dof[i])
                c->sum->value[e] += scale_of(s) / other[i];
    ZN_TRY(zn_linsolver_factor(c->joined, c->sum));
    zn_response_lend(&c->with, c->joined);
    return ZN_OK;
}

static zn_status solve(void *self, zn_links links, const double *difference, double *link)
{
    newmark                *s = self;
    const newmark_coupling *c = &s->coupling;
    memset(s->work, 0, sizeof *s->work * (size_t)s->n_all);
    for (int i = 0; i < links.count; i++)
        s->work[links.dof[i]] = difference[i] / c->other[i];
    ZN_TRY(zn_fault_point());
    ZN_TRY(respond(s, &s->coupling.with, c->joined, s->work));
    for (int i = 0; i < links.count; i++)
        link[i] = (difference[i] - scale_of(s) * s->work[links.dof[i]]) / c->other[i];
    return ZN_OK;
}

static const zn_response_ops response = {prepare, diagonal, full, answer, join, solve};

// --- the step --------------------------------------------------------------------------------------

static void put_links(zn_links links, const double *force, int n, double *out)
{
    memset(out, 0, sizeof *out * (size_t)n);
    for (int i = 0; force && i < links.count; i++)
        out[links.dof[i]] = force[i];
}

static zn_status accelerations(void *self, const zn_state *from, double h, zn_links links, double *out)
{
    newmark *s = self;
    s->h = h;
    ZN_TRY(zn_contact_set_copy(from->contacts, s->contacts));
    put_links(links, NULL, s->n_all, s->pull);
    ZN_TRY(newmark_start(s, from));
    for (int i = 0; i < links.count; i++)
        out[i] = s->a[links.dof[i]];
    return ZN_OK;
}

static zn_status start(void *self, zn_state *from, double h, zn_links links, const double *force)
{
    newmark *s = self;
    s->h = h;
    s->started = s->jumped = s->bends = false;
    s->bend_steps = 0;
    ZN_TRY(zn_contact_set_copy(from->contacts, s->contacts));
    put_links(links, force, s->n_all, s->pull);
    ZN_TRY(newmark_start(s, from));
    s->started = true;
    return ZN_OK;
}

// The velocity at the links after one more correction, which is not made.
static zn_status look(void *self, const zn_state *from, zn_links links, double *velocity)
{
    newmark *s = self;
    if (s->joints > 0)
        memcpy(s->coupling.l, s->l, sizeof *s->l * (size_t)s->joints);
    zn_status status = newmark_correction(s, from);
    if (s->joints > 0)
        memcpy(s->l, s->coupling.l, sizeof *s->l * (size_t)s->joints);
    for (int i = 0; i < links.count && status == ZN_OK; i++)
        velocity[i] = s->end.v[links.dof[i]] + s->h * s->gamma * s->work[links.dof[i]];
    return status;
}

static zn_status solve_free(void *self, const zn_state *from, double h, zn_links links, double *velocity,
                            zn_step_info *info)
{
    newmark *s = self;
    *info = (zn_step_info){0};
    s->info = info;
    s->h = h;
    s->relative = s->correction = INFINITY;
    s->coupling.rounds = 0;
    s->coupling.size = h;
    s->coupling.t = from->t + h;
    ZN_TRY(zn_contact_set_copy(from->contacts, s->contacts));
    ZN_TRY(newmark_solve(s, from));
    if (s->bends && s->coupling.sum) { // which knows nothing of curvature
        s->bends = false;
        ZN_TRY(newmark_factor_end(s, from->t + h, false));
    }
    s->coupling.fresh = true;
    for (int i = 0; i < links.count; i++)
        velocity[i] = s->end.v[links.dof[i]];
    return ZN_OK;
}

static zn_status settle(void *self, const zn_state *from, zn_links links, const double *force, bool *settled)
{
    newmark *s = self;
    for (int i = 0; i < links.count; i++)
        s->end.pull[links.dof[i]] = force[i];
    return newmark_settle(s, from, ++s->coupling.rounds, settled);
}

// The identity of newmark.c holds for the displacement by velocities, d less the shift: what all forces, M a, do on the
// shift is none of its works.
static double work_on_shift(newmark *s)
{
    double extra = s->gamma - 0.5;
    if (!s->coupling.shift)
        return 0;
    return (0.5 - extra) * zn_system_dot(s->sys, s->coupling.shift, s->work) + // M a of the beginning, by newmark_book
           (0.5 + extra) * zn_system_dot(s->sys, s->coupling.shift, s->end.inertia);
}

static zn_status finish(void *self, const zn_state *from, zn_links links, const double *force, zn_step_info *info,
                        double *work)
{
    newmark *s = self;
    (void)links, (void)force; // those it has settled with
    s->info = info;
    ZN_TRY(newmark_book(s, from));
    newmark_book_joints(s);
    *work = -work_on_shift(s) +
            0.5 * (zn_system_dot(s->sys, s->pull, s->end.d) + zn_system_dot(s->sys, s->end.pull, s->end.d));
    return ZN_OK;
}

static void shift(void *self, zn_links links, const double *shift)
{
    newmark *s = self;
    put_links(links, shift, s->n_all, s->coupling.room);
    s->coupling.shift = s->coupling.room;
}

static void way(const void *self, zn_links links, double *out)
{
    const newmark *s = self;
    for (int i = 0; i < links.count; i++)
        out[i] = s->end.d[links.dof[i]] - (s->coupling.shift ? s->coupling.shift[links.dof[i]] : 0);
}

static void commit(void *self, zn_state *to) { newmark_commit(self, to); }

static void show(void *self, zn_state *state, double *q, double *v)
{
    const newmark *s = self;
    memcpy(q, state->q, sizeof *q * (size_t)s->nq);
    memcpy(v, state->v, sizeof *v * (size_t)s->n_all);
}

static const zn_partner_ops partner = {&response, accelerations, start, solve_free, finish, commit, show,
                                       NULL,      settle,        look,  NULL,       shift,  way};

// --- life ------------------------------------------------------------------------------------------

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    newmark *s = NULL;
    void    *made = NULL;
    ZN_TRY(newmark_create(def, sys, log, &made));
    s = made;
    s->coupling.l = ZN_ARENA_NEW(s->memory, double, s->joints + 1);
    s->coupling.room = ZN_ARENA_NEW(s->memory, double, s->n_all);
    if (!s->coupling.l || !s->coupling.room) {
        newmark_destroy(s);
        return ZN_ERR_MEMORY;
    }
    *self = s;
    return ZN_OK;
}

// Factors are not kept across a checkpoint, nor are those of A~.
static void history(void *self, zn_blob *blob)
{
    newmark *s = self;
    newmark_history(s, blob);
    zn_blob_doubles(blob, s->pull, s->n_all);
    if (!blob->dry)
        zn_linsolver_forget(s->coupling.joined);
}

const zn_scheme_ops zn_newmark_partner_ops = {
    .name = "newmark",
    .create = create,
    .partner = &partner,
    .history = history,
    .linsolver = newmark_linsolver,
    .destroy = newmark_destroy,
};
