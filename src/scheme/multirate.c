// multirate.c - two parts with their own schemes and steps, glued by velocities: the coupling of Gravouil and
// Combescure. Fekak, Brun, Gravouil, Depale, Comput. Mech. 60 (2017) 1-21, eqs. (54)-(74), algorithm 1, with the
// corrections: the free velocity of the coarse part at the beginning of a coarse step is the one computed at the end of
// the last.
//
// A step is one of the fine part; m of them make one of the coarse part, of size H = m h. With links L (forces on the
// common degrees of freedom, + on the fine, - on the coarse part) and R the response of velocities to them:
//     coarse, once:   free solution at t + H, velocity u_m at the links                                (64a)
//     fine, j = 1..m: free solution at t + j h, velocity w_j;  then                                    (68)
//         (R_fine + R_coarse) L_j = (1 - j/m) u_0 + (j/m) u_m - w_j                                    (71)-(74)
//         contacts and end of the fine step with L_j
//     coarse:         end of its step with L_m;  u_0 <- u_m                                            (64b)
// R is constant, its inverse is taken once. u_0 at the start is v + R_coarse L_0, with L_0 from continuous
// accelerations.
//
// Energy: lines of both parts, those of the coarse part once per coarse step; the work of the links on both is the line
// "interface", (93) with the mean of L.
//
// Between coarse times nobody knows the coarse part, whose step ends with L_m: it is NaN there and so are the energies.
// A step leaves q, v and reactions of the whole behind; `complete` puts them together when somebody looks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wide.h"
#include "model/memory.h"
#include "scheme/multirate.h"

typedef struct multirate {
    const zn_system *sys;
    zn_scheme_def    def;
    multirate_part   part[PARTS];
    int              links, ratio; ///< ratio 0: to be chosen in the first step
    double           h;            ///< of the fine part, once started
    bool             prepared;     ///< inverse and response belong to h and ratio
    bool             coarse_ready; ///< free1 belongs to the coarse step under way
    bool             behind;       ///< q, v and reactions of the whole are of an earlier step
    // history
    bool             started;
    int              phase;                           ///< fine steps since the last coarse time
    double          *link;                            ///< L_j
    double          *free0;                           ///< u_0
    double           balance[PARTS][ZN_LEDGER_LINES]; ///< stored now, entered since the start
    // the coarse step under way
    double           ahead[PARTS][ZN_LEDGER_LINES]; ///< the balance at the end of the step
    double          *free1;                         ///< u_m
    double          *velocity, *next;               ///< w_j, L_j
    multirate_links  interface;
    double          *shown_q, *shown_v; ///< of a part
    double          *memory;            ///< of the vectors over the links
} multirate;

static zn_links links_of(const multirate *s, int k) { return (zn_links){s->links, s->part[k].dof}; }

static const zn_partner_ops *partner(const multirate *s, int k) { return s->part[k].ops->partner; }

// Links as forces on a part.
static const double *force_on(multirate *s, int k, const double *link)
{
    if (k == FINE)
        return link;
    for (int i = 0; i < s->links; i++)
        s->part[k].force[i] = -link[i];
    return s->part[k].force;
}

// --- start ---------------------------------------------------------------------------------------

// L_0: both parts accelerate alike at the links.
static zn_status initial_links(multirate *s)
{
    double *const a[PARTS] = {s->velocity, s->free1};
    ZN_TRY(multirate_links_prepare(&s->interface, s->part, (double[PARTS]){0, 0}));
    for (int k = 0; k < PARTS; k++)
        ZN_TRY(partner(s, k)->accelerations(s->part[k].self, s->part[k].state, links_of(s, k), a[k]));
    for (int i = 0; i < s->links; i++)
        s->free0[i] = s->free1[i] - s->velocity[i];
    ZN_TRY(multirate_links_solve(&s->interface, s->part, s->free0, s->next));
    memcpy(s->link, s->next, sizeof *s->link * (size_t)s->links);
    return ZN_OK;
}

static zn_status prepare(multirate *s)
{
    ZN_TRY(multirate_links_prepare(&s->interface, s->part, (double[PARTS]){s->h, s->h * s->ratio}));
    s->prepared = true;
    return ZN_OK;
}

static zn_status choose_ratio(multirate *s, double h)
{
    const zn_system *coarse = s->part[COARSE].part.sys;
    const zn_state  *state = s->part[COARSE].state;
    zn_at            at = {state->q, state->v, state->t, 0};
    return multirate_ratio(&s->def, coarse, at, h, &s->ratio);
}

// The parts look at their critical steps themselves.
static zn_status start_part(multirate *s, int k, double h)
{
    multirate_part *p = &s->part[k];
    zn_status       status = partner(s, k)->start(p->self, p->state, h, links_of(s, k), force_on(s, k, s->link));
    if (status == ZN_ERR_ARGUMENT && k == COARSE && s->def.coarse_explicit)
        return zn_fail(&s->sys->model->log, status,
                       "multirate: %d fine steps make a coarse one of %.6g s, too long for the explicit coarse part; "
                       "'ratio: 0' chooses",
                       s->ratio, h);
    return status;
}

static zn_status start(multirate *s, const zn_state *from, double h)
{
    for (int k = 0; k < PARTS; k++) {
        zn_subsystem_take(&s->part[k].part, from, s->part[k].state);
        ZN_TRY(zn_state_update(s->part[k].part.sys, s->part[k].state));
    }
    ZN_TRY(choose_ratio(s, h));
    ZN_TRY(initial_links(s));
    for (int k = 0; k < PARTS; k++)
        ZN_TRY(start_part(s, k, k == FINE ? h : h * s->ratio));
    s->h = h;
    ZN_TRY(prepare(s));
    for (int i = 0; i < s->links; i++)
        s->free0[i] = s->part[COARSE].state->v[s->part[COARSE].dof[i]];
    ZN_TRY(multirate_links_add_coarse(&s->interface, s->part, s->link, s->free1, s->free0));
    s->phase = 0;
    s->coarse_ready = s->behind = false;
    s->started = true;
    return ZN_OK;
}

// From the state that `start` will begin with: it finds the same.
static zn_status period(void *self, const zn_state *from, double h, int *out)
{
    multirate      *s = self;
    multirate_part *c = &s->part[COARSE];
    if (!s->started) {
        zn_subsystem_take(&c->part, from, c->state);
        ZN_TRY(choose_ratio(s, h));
    }
    *out = s->ratio;
    return ZN_OK;
}

// --- the step ------------------------------------------------------------------------------------

static zn_status solve_coarse(multirate *s)
{
    multirate_part *c = &s->part[COARSE];
    ZN_TRY(partner(s, COARSE)->solve_free(c->self, c->state, s->h * s->ratio, links_of(s, COARSE), s->free1, &c->info));
    s->coarse_ready = true;
    return ZN_OK;
}

// velocity = (1 - end) u_0 + end u_m - velocity
ZN_WIDE static void find_difference(int links, double end, const double *free0, const double *free1,
                                    double *restrict velocity)
{
    for (int i = 0; i < links; i++)
        velocity[i] = (1 - end) * free0[i] + end * free1[i] - velocity[i];
}

static zn_status solve_fine(multirate *s, zn_step_info *info)
{
    multirate_part *f = &s->part[FINE];
    int             j = s->phase + 1;
    ZN_TRY(partner(s, FINE)->solve_free(f->self, f->state, s->h, links_of(s, FINE), s->velocity, info));
    find_difference(s->links, (double)j / s->ratio, s->free0, s->free1, s->velocity);
    return multirate_links_solve(&s->interface, s->part, s->velocity, s->next);
}

// (91) of one part: its own lines, and the work of the links on it.
static void balance_part(multirate *s, int k, const double *ledger, double work)
{
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        s->ahead[k][i] = (i < ZN_LEDGER_STORED ? 0 : s->balance[k][i]) + ledger[i];
    s->ahead[k][ZN_LEDGER_INTERFACE] += work;
}

// Lines of the coarse part and of its links are added when its step ends; before, nobody knows what it stores.
static void add_coarse(multirate *s, bool ends, double work, zn_step_info *info)
{
    const zn_step_info *c = &s->part[COARSE].info;
    if (!ends) {
        for (int i = 0; i < ZN_LEDGER_STORED; i++)
            info->ledger[i] = NAN;
        return;
    }
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        info->ledger[i] += c->ledger[i];
    info->ledger[ZN_LEDGER_INTERFACE] += work;
    info->newton_iterations += c->newton_iterations;
    info->newton_residual = fmax(info->newton_residual, c->newton_residual);
}

// Results of the contacts, which are all in the fine part and in the same order.
static void copy_results(const zn_contact_set *from, zn_contact_set *to)
{
    size_t rows = sizeof *from->impulse * (size_t)(from->count * from->stride);
    memcpy(to->gap, from->gap, sizeof *from->gap * (size_t)from->count);
    memcpy(to->impulse, from->impulse, rows);
    memcpy(to->velocity, from->velocity, rows);
    memcpy(to->approach, from->approach, rows);
}

// After a history was loaded: what follows from it.
static zn_status resume(multirate *s, const zn_state *state)
{
    multirate_part *f = &s->part[FINE];
    if (!s->sys->fixed_contacts) // which there were is part of the state
        ZN_TRY(zn_contact_set_copy(state->contacts, f->state->contacts));
    ZN_TRY(zn_contact_set_refresh(f->state->contacts, f->part.sys, f->state->q, state->t));
    copy_results(state->contacts, f->state->contacts);
    return prepare(s);
}

static zn_status begin(multirate *s, const zn_state *state, double h, zn_step_info *info)
{
    if (!s->started)
        ZN_STAGE(info, "start", start(s, state, h));
    if (fabs(h - s->h) > 1e-9 * s->h)
        return zn_fail(&s->sys->model->log, ZN_ERR_UNSUPPORTED,
                       "multirate: the step cannot change from %.6g s to %.6g s", s->h, h);
    if (!s->prepared)
        ZN_STAGE(info, "start", resume(s, state));
    s->part[FINE].state->t = state->t;
    if (!s->coarse_ready)
        ZN_STAGE(info, "coarse part", solve_coarse(s));
    return ZN_OK;
}

// All that can fail; the parts hold the end of the step beside their states. `shown`: gets room for its contacts.
static zn_status solve(multirate *s, bool ends, zn_contact_set *shown, zn_step_info *info)
{
    multirate_part *f = &s->part[FINE], *c = &s->part[COARSE];
    double          fine_work = 0, coarse_work = 0;
    ZN_STAGE(info, "interface", solve_fine(s, info));
    if (ends)
        ZN_STAGE(info, "end of the coarse part",
                 partner(s, COARSE)->finish(c->self, c->state, links_of(s, COARSE), force_on(s, COARSE, s->next),
                                            &c->info, &coarse_work));
    ZN_STAGE(
        info, "fine part",
        partner(s, FINE)->finish(f->self, f->state, links_of(s, FINE), force_on(s, FINE, s->next), info, &fine_work));
    if (!s->sys->fixed_contacts && partner(s, FINE)->contacts)
        ZN_STAGE(info, "contacts", zn_contact_set_make_room(partner(s, FINE)->contacts(f->self), shown));
    balance_part(s, FINE, info->ledger, fine_work);
    if (ends)
        balance_part(s, COARSE, c->info.ledger, coarse_work);
    info->ledger[ZN_LEDGER_INTERFACE] = fine_work;
    add_coarse(s, ends, coarse_work, info);
    return ZN_OK;
}

static void commit(multirate *s, bool ends)
{
    partner(s, FINE)->commit(s->part[FINE].self, s->part[FINE].state);
    memcpy(s->balance[FINE], s->ahead[FINE], sizeof s->balance[FINE]);
    zn_swap(&s->link, &s->next);
    s->phase++;
    if (!ends)
        return;
    partner(s, COARSE)->commit(s->part[COARSE].self, s->part[COARSE].state);
    memcpy(s->balance[COARSE], s->ahead[COARSE], sizeof s->balance[COARSE]);
    zn_swap(&s->free0, &s->free1);
    s->phase = 0;
    s->coarse_ready = false;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    multirate *s = self;
    bool       first = !s->started;
    *info = (zn_step_info){0};
    zn_status status = begin(s, state, h, info);
    bool      ends = s->phase + 1 == s->ratio;
    if (status == ZN_OK)
        status = solve(s, ends, state->contacts, info);
    if (status != ZN_OK) {
        s->started = s->started && !first;          // as if nothing had happened
        s->coarse_ready = s->coarse_ready && !ends; // its end uses up the free solution
        return status;
    }
    commit(s, ends); // cannot fail
    state->t += h;
    if (ends)
        s->part[COARSE].state->t = state->t;
    state->whole = ends;
    s->behind = true;
    state->energy =
        (zn_energy){info->ledger[ZN_LEDGER_KINETIC], info->ledger[ZN_LEDGER_STRAIN], info->ledger[ZN_LEDGER_GRAVITY]};
    if (s->sys->fixed_contacts)
        copy_results(s->part[FINE].state->contacts, state->contacts);
    else
        zn_subsystem_give_contacts(&s->part[FINE].part, s->part[FINE].state->contacts, state->contacts);
    info->failed = NULL;
    return ZN_OK;
}

// --- the whole -----------------------------------------------------------------------------------

// Positions and velocities of a part and its reactions, in impulses of a fine step; where both parts hold a fixed
// degree of freedom their reactions add. Evaluations that cannot fail are no fault points.
static void give(multirate *s, int k, zn_state *whole)
{
    multirate_part *p = &s->part[k];
    int             countdown = zn_fault_countdown;
    zn_fault_inject(0);
    partner(s, k)->show(p->self, p->state, s->shown_q, s->shown_v);
    zn_fault_inject(countdown);
    zn_subsystem_give(&p->part, s->shown_q, s->shown_v, whole);
    zn_subsystem_give_reactions(&p->part, p->state, k == COARSE ? 1.0 / s->ratio : 1, whole);
}

// Each part with its own positions: velocities meet at the interface, positions drift apart by what the rules of both
// make of the same velocity within H, and an element between a node of one and the interface of the other would be
// stretched.
static zn_status part_energy(void *self, const zn_state *whole, int part, zn_energy *out)
{
    multirate *s = self;
    if (!s->started)
        return zn_system_part_energy(s->sys, (zn_at){whole->q, whole->v, whole->t, 0}, part, out);
    *out = (zn_energy){0};
    for (int k = 0; k < PARTS; k++) {
        multirate_part *p = &s->part[k];
        zn_energy       own;
        partner(s, k)->show(p->self, p->state, s->shown_q, s->shown_v);
        ZN_TRY(zn_system_part_energy(p->part.sys, (zn_at){s->shown_q, s->shown_v, whole->t, 0}, part, &own));
        out->kinetic += own.kinetic;
        out->strain += own.strain;
        out->gravity += own.gravity;
    }
    return ZN_OK;
}

// Before the first step nothing has entered.
static zn_status part_ledger(void *self, const zn_state *whole, int k, double out[ZN_LEDGER_LINES])
{
    multirate      *s = self;
    multirate_part *p = &s->part[k];
    memcpy(out, s->balance[k], sizeof s->balance[k]);
    if (s->started)
        return ZN_OK;
    zn_energy energy;
    zn_subsystem_take(&p->part, whole, p->state);
    ZN_TRY(zn_system_energy(p->part.sys, (zn_at){p->state->q, p->state->v, whole->t, 0}, &energy));
    out[ZN_LEDGER_KINETIC] = energy.kinetic;
    out[ZN_LEDGER_STRAIN] = energy.strain;
    out[ZN_LEDGER_GRAVITY] = energy.gravity;
    return ZN_OK;
}

static void blank_coarse(const multirate *s, zn_state *whole)
{
    const zn_subsystem *part = &s->part[COARSE].part;
    const zn_layout    *own = &part->sys->layout;
    for (int i = 0; i < part->sys->info.nq; i++)
        if (i < own->memory || zn_memory_moves(&part->model->memory[i - own->memory], own))
            whole->q[part->coordinate[i]] = NAN;
    for (int i = 0; i < part->sys->info.n_all; i++)
        whole->v[part->dof[i]] = NAN;
    for (int i = part->sys->info.n; i < part->sys->info.n_all; i++)
        whole->reaction[part->dof[i] - s->sys->info.n] = NAN;
}

// The interface is as the fine part has it.
static void complete(void *self, zn_state *state)
{
    multirate *s = self;
    if (!s->behind)
        return;
    s->behind = false;
    memset(state->reaction, 0, sizeof *state->reaction * (size_t)(s->sys->info.n_all - s->sys->info.n));
    if (s->phase == 0)
        give(s, COARSE, state);
    else
        blank_coarse(s, state);
    give(s, FINE, state);
}

static void hide(void *self, zn_state *state)
{
    multirate          *s = self;
    const zn_subsystem *fine = &s->part[FINE].part;
    for (int i = 0; i < fine->sys->info.nq; i++)
        s->shown_q[i] = state->q[fine->coordinate[i]];
    for (int i = 0; i < fine->sys->info.n_all; i++)
        s->shown_v[i] = state->v[fine->dof[i]];
    blank_coarse(s, state);
    zn_subsystem_give(fine, s->shown_q, s->shown_v, state);
    state->energy = (zn_energy){NAN, NAN, NAN};
    state->whole = false;
}

// --- life ----------------------------------------------------------------------------------------

static void destroy(void *self)
{
    multirate *s = self;
    for (int k = 0; k < PARTS; k++)
        multirate_part_destroy(&s->part[k]);
    multirate_links_destroy(&s->interface);
    free(s->memory);
    free(s->shown_q);
    free(s->shown_v);
    free(s);
}

static zn_status allocate(multirate *s)
{
    size_t         n = (size_t)s->links;
    double **const vector[] = {&s->link, &s->free0, &s->free1, &s->velocity, &s->next};
    s->memory = zn_new_vectors(sizeof vector / sizeof *vector, vector, n + 3); // see zn_interface_apply
    s->shown_q = ZN_NEW(double, s->sys->info.nq); // no part has more coordinates than the whole
    s->shown_v = ZN_NEW(double, s->sys->info.n_all);
    if (!s->memory || !s->shown_q || !s->shown_v)
        return ZN_ERR_MEMORY;
    return multirate_links_create(s->links, s->def.interface, &s->interface);
}

static zn_status create_partner(multirate *s, int k, const zn_log *log)
{
    static const zn_scheme_ops *const choice[] = {&zn_cd_lagrange_ops, &zn_newmark_linear_ops};
    multirate_part                   *p = &s->part[k];
    bool                              implicit = k == FINE ? s->def.fine_implicit : !s->def.coarse_explicit;
    p->ops = choice[implicit];
    if (k == FINE && implicit && p->part.sys->contact_capacity > 0)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "multirate: with fine_implicit there can be no contacts and joints");
    if (k == FINE && implicit && !p->part.sys->info.linear)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "multirate: with fine_implicit the fine part must be linear, too");
    return p->ops->create(&s->def, p->part.sys, log, &p->self);
}

static zn_status create_all(multirate *s, const zn_log *log)
{
    ZN_TRY(multirate_split(&s->def, s->sys, s->part, &s->links));
    for (int k = 0; k < PARTS; k++)
        ZN_TRY(create_partner(s, k, log));
    return allocate(s);
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    if (def->coarse_explicit && def->fine_implicit)
        return zn_fail(log, ZN_ERR_ARGUMENT, "multirate: fine_implicit and coarse_explicit exclude each other");
    multirate *s = ZN_NEW(multirate, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->sys = sys;
    s->def = *def;
    zn_status status = create_all(s, log);
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

static void list_part(multirate_part *p, zn_blob *blob)
{
    const zn_system_info *info = &p->part.sys->info;
    zn_state             *state = p->state;
    zn_blob_doubles(blob, state->q, info->nq);
    zn_blob_doubles(blob, state->v, info->n_all);
    zn_blob_doubles(blob, state->reaction, info->n_all - info->n);
    zn_blob_double(blob, &state->energy.kinetic);
    zn_blob_double(blob, &state->energy.strain);
    zn_blob_double(blob, &state->energy.gravity);
    p->ops->history(p->self, blob);
}

// Reactions of the parts wait for somebody who looks: a history does. Those of the coarse part follow from the rest.
static void show_fine(multirate *s)
{
    multirate_part *f = &s->part[FINE];
    if (s->started)
        partner(s, FINE)->show(f->self, f->state, s->shown_q, s->shown_v);
}

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 2, MOST = 1000000 }; // 2: balances of the parts
    multirate *s = self;
    blob->blank = !s->started;
    if (!blob->loading && !blob->dry)
        show_fine(s);
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->started);
    zn_blob_int(blob, &s->ratio, 0, MOST);
    zn_blob_int(blob, &s->phase, 0, MOST);
    zn_blob_double(blob, &s->h);
    zn_blob_double(blob, &s->part[COARSE].state->t);
    zn_blob_doubles(blob, s->link, s->links);
    zn_blob_doubles(blob, s->free0, s->links);
    for (int k = 0; k < PARTS; k++)
        list_part(&s->part[k], blob);
    for (int k = 0; k < PARTS; k++)
        zn_blob_doubles(blob, s->balance[k], ZN_LEDGER_LINES);
    if (!blob->loading || blob->dry)
        return;
    s->prepared = s->coarse_ready = s->behind = false;
    blob->failed |= s->started && (s->phase >= s->ratio || !(s->h > 0)); // damaged
    s->started = s->started && !blob->failed;
}

static zn_linsolver_info linsolver(const void *self)
{
    const multirate *s = self;
    return s->part[COARSE].ops->linsolver(s->part[COARSE].self);
}

const zn_scheme_ops zn_multirate_ops = {
    .name = "multirate",
    .help = "explicit where contact happens, implicit with a coarse step elsewhere (Fekak 2017, eqs. 54-74)",
    .create = create,
    .step = step,
    .complete = complete,
    .period = period,
    .hide = hide,
    .part_energy = part_energy,
    .part_ledger = part_ledger,
    .keeps_step = true,
    .bounded = true,
    .describe = multirate_describe,
    .history = history,
    .linsolver = linsolver,
    .destroy = destroy,
};
