// multirate.c - two parts with their own schemes and steps, glued by velocities: the coupling of Gravouil and Combescure.
// Fekak, Brun, Gravouil, Depale, Comput. Mech. 60 (2017) 1-21, eqs. (54)-(74), algorithm 1, with the corrections: the free
// velocity of the coarse part at the beginning of a coarse step is the one computed at the end of the last.
//
// A step is one of the fine part; m of them make one of the coarse part, of size H = m h. With links L (forces on the
// common degrees of freedom, + on the fine, - on the coarse part) and R the response of velocities to them:
//     coarse, once:   free solution at t + H, velocity u_m at the links                                (64a)
//     fine, j = 1..m: free solution at t + j h, velocity w_j;  then                                    (68)
//         (R_fine + R_coarse) L_j = (1 - j/m) u_0 + (j/m) u_m - w_j                                    (71)-(74)
//         contacts and end of the fine step with L_j
//     coarse:         end of its step with L_m;  u_0 <- u_m                                            (64b)
// R is constant, its inverse is taken once. u_0 at the start is v + R_coarse L_0, with L_0 from continuous accelerations.
//
// Energy: lines of both parts, those of the coarse part once per coarse step; the work of the links on both is the line
// "interface", (93) with the mean of L. Between coarse times the coarse part is shown by its velocity and acceleration at
// the last one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "scheme/multirate.h"

typedef struct multirate {
    const zn_system *sys;
    zn_scheme_def    def;
    multirate_part   part[PARTS];
    int              links, ratio; ///< ratio 0: to be chosen in the first step
    double           h;            ///< of the fine part, once started
    bool             prepared;     ///< inverse and response belong to h and ratio
    bool             coarse_ready; ///< free1 belongs to the coarse step under way
    // history
    bool    started;
    int     phase;    ///< fine steps since the last coarse time
    double *link;     ///< L_j
    double *free0;    ///< u_0
    // the coarse step under way
    double *free1;    ///< u_m
    double *response, *inverse, *velocity, *next, *work;
    double *shown_q, *shown_v; ///< of the coarse part between its times
    int    *pivot;
    void   *memory;
} multirate;

static zn_links links_of(const multirate *s, int k) { return (zn_links){s->links, s->part[k].dof}; }

static const zn_partner_ops *partner(const multirate *s, int k) { return s->part[k].ops->partner; }

// Links as forces on a part.
static const double *force_on(multirate *s, int k, const double *link)
{
    for (int i = 0; i < s->links; i++)
        s->part[k].force[i] = k == FINE ? link[i] : -link[i];
    return s->part[k].force;
}

// --- start ---------------------------------------------------------------------------------------

// inverse = (a + b)^-1, column by column.
static zn_status invert_sum(multirate *s, const double *a, const double *b)
{
    int n = s->links;
    for (int i = 0; i < n * n; i++)
        s->work[i] = a[i] + b[i];
    if (n > 0)
        ZN_TRY(zn_dense_lu_factor(n, s->work, s->pivot));
    for (int j = 0; j < n; j++) {
        memset(s->next, 0, sizeof *s->next * (size_t)n);
        s->next[j] = 1;
        zn_dense_lu_solve(n, s->work, s->pivot, s->next);
        for (int i = 0; i < n; i++)
            s->inverse[i * n + j] = s->next[i];
    }
    return ZN_OK;
}

static void apply_inverse(const multirate *s, const double *x, double *y)
{
    int n = s->links;
    for (int i = 0; i < n; i++) {
        const double *row = s->inverse + (size_t)i * (size_t)n;
        double        sum = 0;
        for (int j = 0; j < n; j++)
            sum += row[j] * x[j];
        y[i] = sum;
    }
}

// L_0: both parts accelerate alike at the links.
static zn_status initial_links(multirate *s)
{
    int     n = s->links;
    double *a = s->response, *b = a + n * n;
    ZN_TRY(partner(s, FINE)->accelerations(s->part[FINE].self, s->part[FINE].state, links_of(s, FINE), s->velocity, a));
    ZN_TRY(partner(s, COARSE)->accelerations(s->part[COARSE].self, s->part[COARSE].state, links_of(s, COARSE), s->free1, b));
    ZN_TRY(invert_sum(s, a, b));
    for (int i = 0; i < n; i++)
        s->free0[i] = s->free1[i] - s->velocity[i];
    apply_inverse(s, s->free0, s->link);
    return ZN_OK;
}

static zn_status choose_ratio(multirate *s, double h)
{
    s->ratio = s->def.ratio;
    if (s->ratio > 0)
        return ZN_OK;
    const zn_state *state = s->part[COARSE].state;
    zn_critical     critical;
    ZN_TRY(zn_system_critical_step(s->part[COARSE].part.sys, (zn_at){state->q, state->v, state->t, 0}, &critical));
    double most = fmin(critical.step / h, 10000);
    s->ratio = most > 1 ? (int)most : 1;
    return ZN_OK;
}

static zn_status prepare(multirate *s)
{
    double *fine = s->response, *coarse = fine + s->links * s->links;
    ZN_TRY(partner(s, FINE)->response(s->part[FINE].self, s->part[FINE].state, s->h, links_of(s, FINE), fine));
    ZN_TRY(partner(s, COARSE)->response(s->part[COARSE].self, s->part[COARSE].state, s->h * s->ratio, links_of(s, COARSE),
                                        coarse));
    ZN_TRY(invert_sum(s, fine, coarse));
    s->prepared = true;
    return ZN_OK;
}

static zn_status start(multirate *s, const zn_state *from, double h)
{
    int n = s->links;
    for (int k = 0; k < PARTS; k++) {
        zn_part_take(&s->part[k].part, from, s->part[k].state);
        ZN_TRY(zn_state_update(s->part[k].part.sys, s->part[k].state));
    }
    ZN_TRY(choose_ratio(s, h));
    ZN_TRY(initial_links(s));
    for (int k = 0; k < PARTS; k++)
        ZN_TRY(partner(s, k)->start(s->part[k].self, s->part[k].state, k == FINE ? h : h * s->ratio, links_of(s, k),
                                    force_on(s, k, s->link)));
    s->h = h;
    ZN_TRY(prepare(s));
    const double *coarse = s->response + n * n;
    for (int i = 0; i < n; i++) {
        s->free0[i] = s->part[COARSE].state->v[s->part[COARSE].dof[i]];
        for (int j = 0; j < n; j++)
            s->free0[i] += coarse[i * n + j] * s->link[j];
    }
    s->phase = 0;
    s->coarse_ready = false;
    s->started = true;
    return ZN_OK;
}

// --- the step ------------------------------------------------------------------------------------

static zn_status solve_coarse(multirate *s)
{
    multirate_part *c = &s->part[COARSE];
    ZN_TRY(partner(s, COARSE)->free(c->self, c->state, s->h * s->ratio, links_of(s, COARSE), s->free1, &c->info));
    s->coarse_ready = true;
    return ZN_OK;
}

static zn_status solve_fine(multirate *s, zn_step_info *info)
{
    multirate_part *f = &s->part[FINE];
    int             j = s->phase + 1;
    double          end = (double)j / s->ratio;
    ZN_TRY(partner(s, FINE)->free(f->self, f->state, s->h, links_of(s, FINE), s->velocity, info));
    for (int i = 0; i < s->links; i++)
        s->velocity[i] = (1 - end) * s->free0[i] + end * s->free1[i] - s->velocity[i];
    apply_inverse(s, s->velocity, s->next);
    return ZN_OK;
}

// Lines of the coarse part and of its links are added when its step ends; stored energies stay what they were before.
static void add_coarse(multirate *s, bool ends, double work, zn_step_info *info)
{
    const zn_energy   *energy = &s->part[COARSE].state->energy;
    const zn_step_info *c = &s->part[COARSE].info;
    if (!ends) {
        info->ledger[ZN_LEDGER_KINETIC] += energy->kinetic;
        info->ledger[ZN_LEDGER_STRAIN] += energy->strain;
        info->ledger[ZN_LEDGER_GRAVITY] += energy->gravity;
        return;
    }
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        info->ledger[i] += c->ledger[i];
    info->ledger[ZN_LEDGER_INTERFACE] += work;
    info->newton_iterations += c->newton_iterations;
    info->newton_residual = fmax(info->newton_residual, c->newton_residual);
}

// Results of the contacts, which are all in the fine part and in the same order.
static void give_contacts(const multirate *s, zn_state *to)
{
    const zn_contact_set *own = s->part[FINE].state->contacts;
    size_t                rows = sizeof *own->impulse * (size_t)(own->count * own->stride);
    to->contacts->count = own->count;
    memcpy(to->contacts->id, own->id, sizeof *own->id * (size_t)own->count);
    memcpy(to->contacts->gap, own->gap, sizeof *own->gap * (size_t)own->count);
    memcpy(to->contacts->impulse, own->impulse, rows);
    memcpy(to->contacts->velocity, own->velocity, rows);
    memcpy(to->contacts->approach, own->approach, rows);
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    multirate      *s = self;
    multirate_part *f = &s->part[FINE], *c = &s->part[COARSE];
    double          fine_work = 0, coarse_work = 0;
    *info = (zn_step_info){0};
    if (!s->started)
        ZN_STAGE(info, "start", start(s, state, h));
    if (fabs(h - s->h) > 1e-9 * s->h)
        return zn_fail(&s->sys->model->log, ZN_ERR_UNSUPPORTED, "multirate: the step cannot change from %.6g s to %.6g s",
                       s->h, h);
    if (!s->prepared) {
        zn_contact_set_copy(state->contacts, f->state->contacts);
        ZN_STAGE(info, "start", prepare(s));
    }
    f->state->t = state->t;
    c->state->t = state->t - s->phase * s->h;
    if (!s->coarse_ready)
        ZN_STAGE(info, "coarse part", solve_coarse(s));
    bool ends = s->phase + 1 == s->ratio;
    ZN_STAGE(info, "interface", solve_fine(s, info));
    if (ends)
        ZN_STAGE(info, "end of the coarse part", partner(s, COARSE)->finish(c->self, c->state, links_of(s, COARSE),
                                                                           force_on(s, COARSE, s->next), &c->info, &coarse_work));
    ZN_STAGE(info, "fine part", partner(s, FINE)->finish(f->self, f->state, links_of(s, FINE), force_on(s, FINE, s->next),
                                                         info, &fine_work));
    info->ledger[ZN_LEDGER_INTERFACE] = fine_work;
    add_coarse(s, ends, coarse_work, info);
    partner(s, FINE)->commit(f->self, f->state); // from here on nothing can fail
    if (ends)
        partner(s, COARSE)->commit(c->self, c->state);
    memcpy(s->link, s->next, sizeof *s->link * (size_t)s->links);
    if (ends)
        memcpy(s->free0, s->free1, sizeof *s->free0 * (size_t)s->links);
    s->phase = ends ? 0 : s->phase + 1;
    s->coarse_ready = !ends;
    state->t += h;
    state->energy = (zn_energy){info->ledger[ZN_LEDGER_KINETIC], info->ledger[ZN_LEDGER_STRAIN],
                                info->ledger[ZN_LEDGER_GRAVITY]};
    give_contacts(s, state);
    info->failed = NULL;
    return ZN_OK;
}

// Positions and velocities of all nodes; the interface as the fine part sees it.
static void present(void *self, zn_state *state)
{
    multirate      *s = self;
    multirate_part *f = &s->part[FINE], *c = &s->part[COARSE];
    if (!s->started)
        return;
    zn_part_give(&c->part, c->state->q, c->state->v, state);
    if (s->phase > 0) {
        double dt = s->phase * s->h;
        partner(s, COARSE)->extrapolate(c->self, c->state, dt, s->part[COARSE].part.sys->info.n_all);
    }
    zn_part_give(&f->part, f->state->q, f->state->v, state);
}
