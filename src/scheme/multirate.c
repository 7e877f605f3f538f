// multirate.c - parts with their own schemes and steps, glued by velocities: the coupling of Gravouil and Combescure.
// Fekak, Brun, Gravouil, Depale, Comput. Mech. 60 (2017) 1-21, eqs. (54)-(74), algorithm 1, with the corrections: the
// free velocity of the coarse part at the beginning of a coarse step is the one computed at the end of the last.
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
// A coarse part that is not linear has the R of its step, linearised about the solution with L_0 (newmark_partner.c):
// u_m is the free velocity as seen from there, u_0 = v + R_coarse L_0 with this R. At the end the coarse part takes L_m
// in and, where that leaves something of its balance, gives u_m anew as seen from there; then L_m, until nothing is
// left.
//
// Several coarse parts, each with its own H: they meet the fine part only, whose response is one block per node, so
// that each has its own interface and is solved for by itself. All their steps end together at least every `period`
// steps.
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
#include "scheme/multirate.h"

// Does a step of this coarse part end with the fine one?
static bool ends(const multirate *s, const multirate_part *c) { return (s->phase + 1) % c->ratio == 0; }

// All links as forces on a part.
static const double *force_on(const multirate *s, multirate_part *p, const double *link)
{
    if (p == multirate_fine(s))
        return link;
    for (int i = 0; i < p->links; i++)
        p->force[i] = -link[p->first + i];
    return p->force;
}

// --- start ---------------------------------------------------------------------------------------

// Response of the fine part to a step of size h; 0: of accelerations.
static zn_status prepare_fine(multirate *s, double h)
{
    multirate_part *f = multirate_fine(s);
    ZN_TRY(multirate_partner(f)->response->prepare(f->self, f->state, h, multirate_links_of(f)));
    s->simple = multirate_partner(f)->response->diagonal(f->self, multirate_links_of(f), s->diagonal);
    return ZN_OK;
}

// Likewise of a coarse part, and the operator of its interface.
static zn_status prepare_coarse(multirate *s, multirate_part *c, double h)
{
    ZN_TRY(multirate_partner(c)->response->prepare(c->self, c->state, h, multirate_links_of(c)));
    return multirate_links_prepare(multirate_fine(s), c, s->simple ? s->diagonal + c->first : NULL);
}

// L_0: both parts accelerate alike at the links.
static zn_status initial_links(multirate *s, double h)
{
    multirate_part *f = multirate_fine(s);
    ZN_TRY(prepare_fine(s, 0));
    ZN_TRY(multirate_partner(f)->accelerations(f->self, f->state, h, multirate_links_of(f), s->velocity));
    for (int k = COARSE; k < s->parts.count; k++) {
        multirate_part *c = &s->parts.part[k];
        ZN_TRY(prepare_coarse(s, c, 0));
        ZN_TRY(multirate_partner(c)->accelerations(c->self, c->state, h * c->ratio, multirate_links_of(c),
                                                   s->free1 + c->first));
        for (int i = c->first; i < c->first + c->links; i++)
            s->free0[i] = s->free1[i] - s->velocity[i];
        ZN_TRY(multirate_links_solve(c, s->free0 + c->first, s->next + c->first));
    }
    memcpy(s->link, s->next, sizeof *s->link * (size_t)s->links);
    memcpy(s->link0, s->next, sizeof *s->link0 * (size_t)s->links);
    return ZN_OK;
}

// Responses that are those of all steps.
static zn_status prepare(multirate *s)
{
    ZN_TRY(prepare_fine(s, s->h));
    for (int k = COARSE; k < s->parts.count; k++) {
        multirate_part *c = &s->parts.part[k];
        if (!multirate_is_curved(c))
            ZN_TRY(prepare_coarse(s, c, s->h * c->ratio));
    }
    s->prepared = true;
    return ZN_OK;
}

// u_0 = v + R_coarse L_0; likewise u_m from the velocity with these links.
static zn_status find_free(multirate *s, const multirate_part *c, double *out)
{
    for (int i = 0; i < c->links; i++)
        out[i] = c->state->v[c->dof[i]];
    return multirate_links_add_coarse(c, s->link0 + c->first, s->velocity + c->first, out);
}

// The parts look at their critical steps themselves.
static zn_status start_part(multirate *s, multirate_part *p, double h)
{
    zn_status status =
        multirate_partner(p)->start(p->self, p->state, h, multirate_links_of(p), force_on(s, p, s->link));
    if (status == ZN_ERR_ARGUMENT && p != multirate_fine(s) && s->def.coarse_explicit)
        return zn_fail(&s->sys->model->log, status,
                       "multirate: %d fine steps make a coarse one of %.6g s, too long for the explicit coarse part; "
                       "'ratio: 0' chooses",
                       p->ratio, h);
    return status;
}

static zn_status start(multirate *s, const zn_state *from, double h)
{
    for (int k = 0; k < s->parts.count; k++) {
        multirate_part *p = &s->parts.part[k];
        zn_subsystem_take(&p->part, from, p->state);
        ZN_TRY(zn_state_update(p->part.sys, p->state));
        p->ready = false;
        multirate_turns_start(p);
    }
    ZN_TRY(multirate_choose_ratios(&s->def, &s->parts, h));
    ZN_TRY(initial_links(s, h));
    for (int k = 0; k < s->parts.count; k++)
        ZN_TRY(start_part(s, &s->parts.part[k], h * s->parts.part[k].ratio));
    s->h = h;
    ZN_TRY(prepare(s));
    for (int k = COARSE; k < s->parts.count; k++)
        if (!multirate_is_curved(&s->parts.part[k]))
            ZN_TRY(find_free(s, &s->parts.part[k], s->free0 + s->parts.part[k].first));
    s->phase = 0;
    s->behind = false;
    s->started = true;
    return ZN_OK;
}

// From the state that `start` will begin with: it finds the same.
static zn_status period(void *self, const zn_state *from, double h, int *out)
{
    multirate *s = self;
    for (int k = COARSE; k < s->parts.count && !s->started; k++)
        zn_subsystem_take(&s->parts.part[k].part, from, s->parts.part[k].state);
    if (!s->started)
        ZN_TRY(multirate_choose_ratios(&s->def, &s->parts, h));
    *out = multirate_period(&s->parts);
    return ZN_OK;
}

// --- the step ------------------------------------------------------------------------------------

// A response that changes is the one of this step.
static zn_status solve_coarse(multirate *s, multirate_part *c)
{
    double h = s->h * c->ratio;
    bool   same = true;
    if (c->turns > 0)
        multirate_partner(c)->shift(c->self, multirate_links_of(c), c->shift);
    ZN_TRY(
        multirate_partner(c)->solve_free(c->self, c->state, h, multirate_links_of(c), s->free1 + c->first, &c->info));
    if (c->turns > 0 && !multirate_is_curved(c)) // as if the links stayed what they are
        ZN_TRY(multirate_spin(c, force_on(s, c, s->link0), s->velocity + c->first, s->free1 + c->first, &same));
    if (multirate_is_curved(c)) {
        ZN_TRY(prepare_coarse(s, c, h));
        ZN_TRY(find_free(s, c, s->from0 + c->first));
        ZN_TRY(multirate_links_add_coarse(c, s->link0 + c->first, s->velocity + c->first, s->free1 + c->first));
    } else
        memcpy(s->from0 + c->first, s->free0 + c->first, sizeof *s->from0 * (size_t)c->links);
    c->ready = true;
    return ZN_OK;
}

// out = (1 - end) u_0 + end u_m - w
ZN_WIDE static void find_difference(int links, double end, const double *free0, const double *free1, const double *met,
                                    double *restrict out)
{
    for (int i = 0; i < links; i++)
        out[i] = (1 - end) * free0[i] + end * free1[i] - met[i];
}

static zn_status find_links(multirate *s)
{
    for (int k = COARSE; k < s->parts.count; k++) {
        multirate_part *c = &s->parts.part[k];
        int             first = c->first, j = s->phase % c->ratio + 1;
        find_difference(c->links, (double)j / c->ratio, s->from0 + first, s->free1 + first, s->met + first,
                        s->velocity + first);
        ZN_TRY(multirate_links_solve(c, s->velocity + first, s->next + first));
    }
    return ZN_OK;
}

// Free velocities with these links where nodes turn at will; those of a coarse part are of the end of its step.
static zn_status spin_parts(multirate *s, bool *same)
{
    ZN_TRY(multirate_spin(multirate_fine(s), s->next, s->velocity, s->met, same));
    for (int k = COARSE; k < s->parts.count; k++) {
        multirate_part *c = &s->parts.part[k];
        if (c->turns > 0 && !multirate_is_curved(c) && ends(s, c))
            ZN_TRY(multirate_spin(c, force_on(s, c, s->next), s->velocity + c->first, s->free1 + c->first, same));
    }
    return ZN_OK;
}

static zn_status solve_fine(multirate *s, zn_step_info *info)
{
    enum { ROUNDS = 30 }; // of the inertia forces of rotation, each h |W| / 2 of the one before
    multirate_part *f = multirate_fine(s);
    bool            same = !s->turning;
    ZN_TRY(multirate_partner(f)->solve_free(f->self, f->state, s->h, multirate_links_of(f), s->met, info));
    ZN_TRY(find_links(s));
    for (int round = 0; !same; round++) {
        if (round == ROUNDS)
            return ZN_NOT_CONVERGED;
        same = true;
        ZN_TRY(spin_parts(s, &same));
        ZN_TRY(find_links(s));
    }
    return ZN_OK;
}

static const double rounding = 1e-14; // of velocities that meet, to the terms they are made of

// Velocity of the coarse part at the links, as it sees the end of the step, less that of the fine one with the links
// next; `meet`: but for rounding there is none. R_fine next in scratch.
static zn_status find_rest(multirate *s, multirate_part *c, double *rest, double *scratch, bool *meet)
{
    multirate_part *f = multirate_fine(s);
    zn_links        there = {c->links, f->dof + c->first};
    double          worst = 0, size = 0;
    bool            same = true;
    if (c->turns > 0)
        ZN_TRY(multirate_spin(f, s->next, s->velocity, s->met, &same));
    ZN_TRY(multirate_partner(c)->look(c->self, c->state, multirate_links_of(c), rest));
    ZN_TRY(multirate_partner(f)->response->answer(f->self, there, s->next + c->first, scratch));
    for (int i = 0; i < c->links; i++) {
        double met = s->met[c->first + i];
        size = fmax(size, fabs(rest[i]) + fabs(met) + fabs(scratch[i]));
        rest[i] -= met + scratch[i];
        worst = fmax(worst, fabs(rest[i]));
    }
    *meet = worst <= fmax(s->def.newton_tolerance, rounding) * size;
    return ZN_OK;
}

// A part that was linearised takes L_m in, until nothing is left of its balance and velocities meet.
static zn_status settle(multirate *s, multirate_part *c)
{
    enum { PATIENCE = 4 }; // rounds with one matrix
    double *rest = s->velocity + c->first, *change = s->free1 + c->first, *next = s->next + c->first;
    for (int round = 1;; round++) {
        bool settled = false, meet = false;
        ZN_TRY(
            multirate_partner(c)->settle(c->self, c->state, multirate_links_of(c), force_on(s, c, s->next), &settled));
        if (!settled && round % PATIENCE == 0)
            ZN_TRY(prepare_coarse(s, c, s->h * c->ratio));
        ZN_TRY(find_rest(s, c, rest, change, &meet));
        if (settled && meet)
            return ZN_OK;
        if (round >= s->def.newton_iterations)
            return ZN_NOT_CONVERGED;
        ZN_TRY(multirate_links_solve(c, rest, change));
        for (int i = 0; i < c->links; i++)
            next[i] += change[i];
    }
}

// (91) of one part: its own lines, and the work of the links on it.
static void balance_part(multirate_part *p, const double *ledger, double work)
{
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        p->ahead[i] = (i < ZN_LEDGER_STORED ? 0 : p->balance[i]) + ledger[i];
    p->ahead[ZN_LEDGER_INTERFACE] += work;
}

// Lines of a coarse part and of its links are added when its step ends; what it stores is known then.
static void add_coarse(const multirate_part *c, zn_step_info *info)
{
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        info->ledger[i] += c->info.ledger[i];
    info->ledger[ZN_LEDGER_INTERFACE] += c->work;
    info->newton_iterations += c->info.newton_iterations;
    info->newton_residual = fmax(info->newton_residual, c->info.newton_residual);
    info->joint_velocity = fmax(info->joint_velocity, c->info.joint_velocity);
}

// After a history was loaded: what follows from it.
static zn_status resume(multirate *s, const zn_state *state)
{
    ZN_TRY(multirate_take_contacts(&s->parts, state));
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
    multirate_fine(s)->state->t = state->t;
    for (int k = COARSE; k < s->parts.count; k++)
        if (!s->parts.part[k].ready)
            ZN_STAGE(info, "coarse part", solve_coarse(s, &s->parts.part[k]));
    return ZN_OK;
}

static zn_status finish(multirate *s, multirate_part *p, zn_step_info *info)
{
    ZN_TRY(multirate_partner(p)->finish(p->self, p->state, multirate_links_of(p), force_on(s, p, s->next), info,
                                        &p->work));
    balance_part(p, info->ledger, p->work);
    return ZN_OK;
}

static zn_status end_coarse(multirate *s, multirate_part *c)
{
    if (multirate_is_curved(c))
        ZN_TRY(settle(s, c));
    return finish(s, c, &c->info);
}

// All that can fail; the parts hold the end of the step beside their states. `shown`: gets room for its contacts.
static zn_status solve(multirate *s, bool whole, zn_contact_set *shown, zn_step_info *info)
{
    multirate_part *f = multirate_fine(s);
    ZN_STAGE(info, "interface", solve_fine(s, info));
    for (int k = COARSE; k < s->parts.count; k++)
        if (ends(s, &s->parts.part[k]))
            ZN_STAGE(info, "end of the coarse part", end_coarse(s, &s->parts.part[k]));
    ZN_STAGE(info, "fine part", finish(s, f, info));
    ZN_STAGE(info, "contacts", multirate_room_for_contacts(&s->parts, shown));
    info->ledger[ZN_LEDGER_INTERFACE] = f->work;
    for (int k = COARSE; k < s->parts.count; k++)
        if (ends(s, &s->parts.part[k]))
            add_coarse(&s->parts.part[k], info);
    for (int i = 0; i < ZN_LEDGER_STORED && !whole; i++)
        info->ledger[i] = NAN;
    return ZN_OK;
}

static void commit_part(multirate_part *p)
{
    multirate_partner(p)->commit(p->self, p->state);
    memcpy(p->balance, p->ahead, sizeof p->balance);
    p->ready = false;
}

// The ways of the parts, before they commit.
static void follow_turns(multirate *s)
{
    multirate_part *f = multirate_fine(s);
    multirate_partner(f)->way(f->self, multirate_links_of(f), s->met);
    for (int k = COARSE; k < s->parts.count; k++) {
        multirate_part *c = &s->parts.part[k];
        multirate_turns_part(c, -1, s->met + c->first);
        if (c->turns == 0 || !ends(s, c))
            continue;
        multirate_partner(c)->way(c->self, multirate_links_of(c), s->velocity + c->first);
        multirate_turns_part(c, 1, s->velocity + c->first);
    }
}

static void commit(multirate *s, double t)
{
    if (s->turning)
        follow_turns(s);
    commit_part(multirate_fine(s));
    zn_swap(&s->link, &s->next);
    for (int k = COARSE; k < s->parts.count; k++) {
        multirate_part *c = &s->parts.part[k];
        size_t          size = sizeof *s->link * (size_t)c->links;
        if (!ends(s, c))
            continue;
        commit_part(c);
        multirate_turns_join(c, multirate_fine(s)->state);
        c->state->t = t;
        memcpy(s->free0 + c->first, s->free1 + c->first, size);
        memcpy(s->link0 + c->first, s->link + c->first, size);
    }
    s->phase = (s->phase + 1) % multirate_period(&s->parts);
}

// As if nothing had happened. The end of a coarse step uses up its free solution.
static void give_up(multirate *s, bool first)
{
    s->started = s->started && !first;
    for (int k = COARSE; k < s->parts.count; k++)
        s->parts.part[k].ready = s->parts.part[k].ready && s->started && !ends(s, &s->parts.part[k]);
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    multirate *s = self;
    bool       first = !s->started;
    *info = (zn_step_info){0};
    zn_status status = begin(s, state, h, info);
    bool      whole = s->phase + 1 == multirate_period(&s->parts);
    if (status == ZN_OK)
        status = solve(s, whole, state->contacts, info);
    if (status != ZN_OK) {
        give_up(s, first);
        return status;
    }
    commit(s, state->t + h); // cannot fail
    state->t += h;
    state->whole = whole;
    s->behind = true;
    state->energy =
        (zn_energy){info->ledger[ZN_LEDGER_KINETIC], info->ledger[ZN_LEDGER_STRAIN], info->ledger[ZN_LEDGER_GRAVITY]};
    multirate_give_contacts(&s->parts, whole, state->contacts);
    info->failed = NULL;
    return ZN_OK;
}

// --- life ----------------------------------------------------------------------------------------

static void destroy(void *self)
{
    multirate *s = self;
    multirate_parts_destroy(&s->parts);
    free(s->memory);
    free(s->shown_q);
    free(s->shown_v);
    free(s);
}

static zn_status allocate(multirate *s)
{
    size_t         n = (size_t)s->links;
    double **const vector[] = {&s->link,     &s->link0, &s->free0, &s->from0,   &s->free1,
                               &s->velocity, &s->next,  &s->met,   &s->diagonal};
    s->memory = zn_new_vectors(sizeof vector / sizeof *vector, vector, n);
    s->shown_q = ZN_NEW(double, s->sys->info.nq); // no part has more coordinates than the whole
    s->shown_v = ZN_NEW(double, s->sys->info.n_all);
    if (!s->memory || !s->shown_q || !s->shown_v)
        return ZN_ERR_MEMORY;
    for (int k = COARSE; k < s->parts.count; k++)
        ZN_TRY(multirate_links_create(s->parts.part[k].links, s->def.interface, &s->parts.part[k].interface));
    return ZN_OK;
}

// Without joints and bodies that turn, all of it linear.
static bool is_plain(const zn_system *sys)
{
    bool plain = sys->info.linear && sys->info.joints == 0;
    for (int i = 0; i < sys->layout.nodes; i++)
        plain = plain && !(sys->layout.node[i].kind == ZN_FRAME3 && !sys->layout.node[i].small);
    return plain;
}

static zn_status create_partner(multirate *s, multirate_part *p, const zn_log *log)
{
    bool fine = p == multirate_fine(s), implicit = fine ? s->def.fine_implicit : !s->def.coarse_explicit;
    p->ops = !implicit ? &zn_cd_lagrange_ops : is_plain(p->part.sys) ? &zn_newmark_linear_ops : &zn_newmark_partner_ops;
    if (fine && implicit && p->part.sys->contact_capacity > 0)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "multirate: with fine_implicit there can be no contacts and joints");
    if (fine && implicit && multirate_is_curved(p))
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "multirate: with fine_implicit the fine part must be linear, too");
    return p->ops->create(&s->def, p->part.sys, log, &p->self);
}

static zn_status create_all(multirate *s, const zn_log *log)
{
    ZN_TRY(multirate_split(&s->def, s->sys, &s->parts));
    s->links = s->parts.links;
    for (int k = COARSE; k < s->parts.count; k++)
        s->turning = s->turning || s->parts.part[k].turns > 0;
    for (int k = 0; k < s->parts.count; k++)
        ZN_TRY(create_partner(s, &s->parts.part[k], log));
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

// Contacts of the fine part are in the state of the whole, impulses of other joints only as part of a step.
static void list_part(const multirate *s, multirate_part *p, zn_blob *blob)
{
    const zn_system_info *info = &p->part.sys->info;
    zn_state             *state = p->state;
    zn_blob_doubles(blob, state->q, info->nq);
    zn_blob_doubles(blob, state->v, info->n_all);
    zn_blob_doubles(blob, state->reaction, info->n_all - info->n);
    zn_blob_double(blob, &state->energy.kinetic);
    zn_blob_double(blob, &state->energy.strain);
    zn_blob_double(blob, &state->energy.gravity);
    if (p != multirate_fine(s) && info->joints > 0) {
        int rows = state->contacts->count * state->contacts->stride;
        zn_blob_doubles(blob, state->contacts->impulse, rows);
        zn_blob_doubles(blob, state->contacts->velocity, rows);
    }
    p->ops->history(p->self, blob);
    zn_blob_doubles(blob, p->balance, ZN_LEDGER_LINES);
    multirate_turns_list(p, blob);
}

// Reactions of the parts wait for somebody who looks: a history does. Those of the coarse part follow from the rest.
static void show_fine(multirate *s)
{
    if (s->started)
        multirate_partner(multirate_fine(s))
            ->show(multirate_fine(s)->self, multirate_fine(s)->state, s->shown_q, s->shown_v);
}

// Responses that change lose their factors: whoever goes on finds the step under way anew.
static void forget_steps(multirate *s, bool all)
{
    for (int k = COARSE; k < s->parts.count; k++)
        s->parts.part[k].ready = s->parts.part[k].ready && !all && !multirate_is_curved(&s->parts.part[k]);
}

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 3, MOST = 1000000 }; // 2: balances of the parts, 3: several coarse parts, joints in them
    multirate *s = self;
    blob->blank = !s->started;
    if (!blob->loading && !blob->dry)
        show_fine(s);
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->started);
    zn_blob_int(blob, &s->phase, 0, MOST);
    zn_blob_double(blob, &s->h);
    zn_blob_doubles(blob, s->link, s->links);
    zn_blob_doubles(blob, s->free0, s->links);
    zn_blob_doubles(blob, s->link0, s->links);
    for (int k = 0; k < s->parts.count; k++) {
        zn_blob_int(blob, &s->parts.part[k].ratio, 0, MOST);
        zn_blob_double(blob, &s->parts.part[k].state->t);
        list_part(s, &s->parts.part[k], blob);
    }
    if (!blob->dry)
        forget_steps(s, blob->loading);
    if (!blob->loading || blob->dry)
        return;
    s->prepared = s->behind = false;
    for (int k = COARSE; k < s->parts.count; k++)
        blob->failed |= s->started && s->parts.part[k].ratio < 1;
    blob->failed |= s->started && (s->phase >= multirate_period(&s->parts) || !(s->h > 0)); // damaged
    s->started = s->started && !blob->failed;
}

static zn_linsolver_info linsolver(const void *self)
{
    const multirate_part *c = &((const multirate *)self)->parts.part[COARSE];
    return c->ops->linsolver(c->self);
}

const zn_scheme_ops zn_multirate_ops = {
    .name = "multirate",
    .help = "explicit where contact happens, implicit with a coarse step elsewhere (Fekak 2017, eqs. 54-74)",
    .create = create,
    .step = step,
    .complete = multirate_complete,
    .period = period,
    .hide = multirate_hide,
    .part_energy = multirate_part_energy,
    .part_ledger = multirate_part_ledger,
    .keeps_step = true,
    .bounded = true,
    .describe = multirate_describe,
    .history = history,
    .linsolver = linsolver,
    .destroy = destroy,
};
