// levels.c - central differences in levels: elements step by their size, in powers of two, glued by velocities.
// A. Gravouil, A. Combescure, Int. J. Numer. Meth. Engng 50 (2001) 199-225, nodes with any number of levels; F. Fekak,
// M. Brun, A. Gravouil, B. Depale, Comput. Mech. 60 (2017) 1-21, section 2.4. Each level is a part with the masses of
// its own elements, stepped by cd_lagrange.c with h_c = H/2^k. A degree of freedom that several levels move has a copy
// in each; at every time of the finest of them all copies have one velocity v, by links L_c:
//     w_c = (1 - a) w_c0 + a w_c1         the copy without the link of that time: at the ends of its step known, linear
//     v   = w_c + L_c h_c/(2 m_c),   sum_c L_c = 0                                            (a: part of the step)
// so v = sum (m_c/h_c) w_c / sum (m_c/h_c): a closed form for each, whatever the levels. w_c1 = free solution of the
// step with the last link at its beginning; w_c0 the one of the step before.
//
// Stable whenever each level is by itself, 4 M_c - 2 h_c C_c - h_c^2 K_c >= 0. With e = a.(M - h^2 K/4) a/2 + v.K v/2
// of each part, [x] changes in its steps and (x) in those of the finest, each copy changes e by [v][L]/h_c, and
//     sum_c [v][L_c]/h_c = -sum_c 1/(2 m_c) ((h_c/h) sum (L_c)^2 - [L_c]^2) <= 0,
// by Cauchy: what links vary within a coarse step is lost, and nothing is won.
//
// Energy: lines of all levels; the work of the links on their copies is the line "interface", exactly. Positions of
// copies drift apart by what central differences make of one velocity in different steps, of second order; the whole
// shows the finest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/levels.h"

typedef struct levels {
    const zn_system *sys;
    zn_scheme_def    def;
    cd_lagrange     *alone; // one level: the scheme itself
    levels_parts     parts;
    double           h; // of the coarsest, once started
    bool             started;
    bool             resumed;     // contacts of their level are to be found again
    bool             behind;      // q, v and reactions of the whole are of an earlier step
    double          *sum, *total; // knots: of weights times velocities, and of weights
    double          *impulse;     // rows: of the contacts in all steps of the step under way
    double          *earlier;
    zn_contact_id   *id; // of these contacts
    int              contacts, capacity, rows;
    int             *place_level, *place_dof; // n_all: where the whole is shown from
    double          *memory;
} levels;

static const zn_partner_ops *partner(void) { return zn_cd_lagrange_ops.partner; }
static zn_links              links_of(const level *c) { return (zn_links){c->links, c->dof}; }

// Steps of the finest level in one of a level, and in one of the scheme.
static int span_of(const levels *s, const level *c)
{
    return 1 << (s->parts.level[s->parts.count - 1].exponent - c->exponent);
}

static double step_of(const levels *s, const level *c) { return ldexp(s->h, -c->exponent); }

// --- what a failed step goes back to -------------------------------------------------------------

static void list_level(level *c, zn_blob *blob)
{
    const zn_system_info *info = &c->part.sys->info;
    zn_state             *state = c->state;
    zn_blob_double(blob, &state->t);
    zn_blob_doubles(blob, state->q, info->nq);
    zn_blob_doubles(blob, state->v, info->n_all);
    zn_blob_doubles(blob, state->reaction, info->n_all - info->n);
    zn_blob_double(blob, &state->energy.kinetic);
    zn_blob_double(blob, &state->energy.strain);
    zn_blob_double(blob, &state->energy.gravity);
    zn_blob_doubles(blob, c->free0, c->links);
    zn_cd_lagrange_ops.history(c->self, blob);
}

// Reactions of a part wait for somebody who looks.
static void settle(level *c)
{
    if (!c->self->past.reacted)
        cd_lagrange_react(c->self, c->self->past.sum, c->state);
    c->self->past.reacted = true;
}

// A level whose steps end before the step of the scheme does.
static bool is_inner(const level *c) { return c->exponent > 0; }

static zn_status keep(levels *s, bool all)
{
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        if (!all && !is_inner(c))
            continue;
        zn_blob blob = zn_blob_into(c->kept, c->kept_bytes);
        settle(c);
        list_level(c, &blob);
        ZN_ASSERT(!blob.failed);
        if (k == s->parts.contacts)
            ZN_TRY(zn_contact_set_copy(c->state->contacts, c->kept_contacts));
    }
    return ZN_OK;
}

static void go_back(levels *s, bool all)
{
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        if (!all && !is_inner(c))
            continue;
        zn_blob blob = zn_blob_of(c->kept, c->kept_bytes);
        list_level(c, &blob);
        ZN_ASSERT(!blob.failed);
        if (k == s->parts.contacts)
            zn_contact_set_swap(c->state->contacts, c->kept_contacts);
    }
}

// --- start ---------------------------------------------------------------------------------------

// Weights of the links in steps of this size; a common velocity is sum / total.
static void weigh(levels *s)
{
    memset(s->total, 0, sizeof *s->total * (size_t)s->parts.knots);
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        for (int i = 0; i < c->links; i++) {
            c->weight[i] = 2 / (step_of(s, c) * c->self->mass.inverse[c->dof[i]]);
            s->total[c->knot[i]] += c->weight[i];
        }
    }
}

// Links at the start: copies accelerate alike, a = sum m_c a_c / sum m_c. free1 has accelerations.
static zn_status initial_links(levels *s)
{
    memset(s->sum, 0, sizeof *s->sum * (size_t)s->parts.knots);
    memset(s->total, 0, sizeof *s->total * (size_t)s->parts.knots);
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        ZN_TRY(cd_lagrange_accelerate(c->self, c->state, links_of(c), c->free1));
        for (int i = 0; i < c->links; i++) {
            double mass = 1 / c->self->mass.inverse[c->dof[i]];
            s->sum[c->knot[i]] += mass * c->free1[i];
            s->total[c->knot[i]] += mass;
        }
    }
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        for (int i = 0; i < c->links; i++)
            c->force[i] = (s->sum[c->knot[i]] / s->total[c->knot[i]] - c->free1[i]) / c->self->mass.inverse[c->dof[i]];
    }
    return ZN_OK;
}

// The first step, or one of another size: each part begins where it is.
static zn_status start(levels *s, const zn_state *from, double h)
{
    s->h = h;
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        c->state->t = from->t;
        if (s->started)
            continue;
        zn_subsystem_take(&c->part, from, c->state);
        ZN_TRY(zn_state_update(c->part.sys, c->state));
    }
    ZN_TRY(initial_links(s));
    weigh(s);
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        ZN_TRY(partner()->start(c->self, c->state, step_of(s, c), links_of(c), c->force));
        for (int i = 0; i < c->links; i++)
            c->free0[i] = c->state->v[c->dof[i]] - c->force[i] / c->weight[i];
    }
    return ZN_OK;
}

// After a history was loaded: what follows from it.
static zn_status resume(levels *s, const zn_state *state)
{
    level *c = &s->parts.level[s->parts.contacts];
    if (!s->sys->fixed_contacts) // which there were is part of the state
        ZN_TRY(zn_contact_set_copy(state->contacts, c->state->contacts));
    ZN_TRY(zn_contact_set_refresh(c->state->contacts, c->part.sys, c->state->q, state->t));
    for (int k = 0; k < s->parts.count; k++)
        ZN_TRY(cd_lagrange_keep_links(s->parts.level[k].self, links_of(&s->parts.level[k])));
    weigh(s);
    s->resumed = false;
    return ZN_OK;
}

// Contacts begin with the mean of the impulses of the step before, whether it was taken here or before a restart.
static void warm_contacts(levels *s, const zn_state *from)
{
    level          *c = &s->parts.level[s->parts.contacts];
    zn_contact_set *set = c->state->contacts;
    ZN_ASSERT(set->count == from->contacts->count);
    for (int k = 0; k < set->count * set->stride; k++)
        set->impulse[k] = ldexp(from->contacts->impulse[k], -c->exponent);
    s->contacts = 0;
}

// --- the step ------------------------------------------------------------------------------------

// Links at a time of the finest level: `now` of its steps since the step of the scheme began.
static void couple(levels *s, int now)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 0)
            memset(s->sum, 0, sizeof *s->sum * (size_t)s->parts.knots);
        for (int k = 0; k < s->parts.count; k++) {
            level *c = &s->parts.level[k];
            int    span = span_of(s, c);
            double end = (double)((now - 1) % span + 1) / span;
            for (int i = 0; i < c->links; i++) {
                int knot = c->knot[i];
                if (now % span_of(s, &s->parts.level[s->parts.finest[knot]]) != 0)
                    continue;
                double velocity = (1 - end) * c->free0[i] + end * c->free1[i];
                if (pass == 0)
                    s->sum[knot] += c->weight[i] * velocity;
                else
                    c->force[i] = c->weight[i] * (s->sum[knot] / s->total[knot] - velocity);
            }
        }
    }
}

static zn_status begin_levels(levels *s, const zn_state *from, int now, zn_step_info *info)
{
    double tick = ldexp(s->h, -s->parts.level[s->parts.count - 1].exponent);
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        if (now % span_of(s, c) != 0)
            continue;
        c->info = (zn_step_info){0};
        c->state->t = from->t + now * tick;
        ZN_STAGE(info, "forces",
                 partner()->solve_free(c->self, c->state, step_of(s, c), links_of(c), c->free1, &c->info));
    }
    return ZN_OK;
}

// Room for the contacts that a step left, and for their impulses since the step of the scheme began.
static zn_status reserve(levels *s, int contacts, int stride)
{
    int rows = contacts * stride, same = s->rows, ids = s->capacity;
    if (rows <= s->rows && contacts <= s->capacity)
        return ZN_OK;
    ZN_TRY(zn_grow(&s->impulse, &same, rows + rows / 4, sizeof *s->impulse));
    ZN_TRY(zn_grow(&s->earlier, &s->rows, rows + rows / 4, sizeof *s->earlier));
    ZN_TRY(zn_grow(&s->id, &ids, contacts + contacts / 4, sizeof *s->id));
    s->capacity = ids;
    return ZN_OK;
}

// impulse += those of the set; contacts keep their order, some come and go.
static void add_impulses(levels *s, const zn_contact_set *set)
{
    zn_swap(&s->impulse, &s->earlier);
    for (int i = 0, j = 0; i < set->count; i++) {
        int found = j;
        while (found < s->contacts && !zn_contact_id_same(s->id[found], set->id[i]))
            found++;
        bool known = found < s->contacts;
        for (int r = 0; r < set->stride; r++)
            s->impulse[i * set->stride + r] =
                set->impulse[i * set->stride + r] + (known ? s->earlier[found * set->stride + r] : 0);
        j = known ? found + 1 : j;
    }
    s->contacts = set->count;
    memcpy(s->id, set->id, sizeof *s->id * (size_t)set->count);
}

static zn_status finish_levels(levels *s, int now, zn_step_info *info)
{
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        if (now % span_of(s, c) != 0)
            continue;
        ZN_STAGE(info, "contact impulses",
                 partner()->finish(c->self, c->state, links_of(c), c->force, &c->info, &c->work));
        const zn_contact_set *set = partner()->contacts(c->self);
        if (k == s->parts.contacts)
            ZN_STAGE(info, "contacts", reserve(s, set->count, set->stride));
    }
    return ZN_OK;
}

// What one step of a level reports, into the report of the step.
static void add_report(const level *c, bool last, zn_step_info *info)
{
    const zn_step_info *own = &c->info;
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        if (last || i >= ZN_LEDGER_STORED)
            info->ledger[i] += own->ledger[i];
    info->ledger[ZN_LEDGER_INTERFACE] += c->work;
    info->activation_iterations += own->activation_iterations;
    info->solver_iterations += own->solver_iterations;
    info->failed_solves += own->failed_solves;
    info->failed_iterations += own->failed_iterations;
    info->unfinished_impacts += own->unfinished_impacts;
    info->active = own->active > info->active ? own->active : info->active;
    info->complementarity = fmax(info->complementarity, own->complementarity);
    info->velocity_violation = fmax(info->velocity_violation, own->velocity_violation);
    info->joint_velocity = fmax(info->joint_velocity, own->joint_velocity);
    info->contact_gave += own->contact_gave;
    if (own->giver_gave > info->giver_gave) {
        info->giver_gave = own->giver_gave;
        info->giver = own->giver;
    }
}

static void commit_levels(levels *s, int now, bool last, zn_step_info *info)
{
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        if (now % span_of(s, c) != 0)
            continue;
        if (k == s->parts.contacts)
            add_impulses(s, partner()->contacts(c->self));
        partner()->commit(c->self, c->state);
        zn_swap(&c->free0, &c->free1);
        add_report(c, last, info);
    }
}

// All steps of all levels in a step of the scheme.
static zn_status run(levels *s, zn_state *state, zn_step_info *info)
{
    int ticks = 1 << s->parts.level[s->parts.count - 1].exponent;
    for (int now = 1; now <= ticks; now++) {
        ZN_TRY(begin_levels(s, state, now - 1, info));
        couple(s, now);
        ZN_TRY(finish_levels(s, now, info));
        if (now == ticks)
            ZN_STAGE(
                info, "contacts",
                zn_contact_set_make_room(partner()->contacts(s->parts.level[s->parts.contacts].self), state->contacts));
        commit_levels(s, now, now == ticks, info);
    }
    return ZN_OK;
}

static zn_status begin(levels *s, const zn_state *state, double h, bool anew, zn_step_info *info)
{
    if (s->resumed)
        ZN_STAGE(info, "start", resume(s, state));
    if (s->started)
        ZN_STAGE(info, "start", keep(s, anew));
    if (anew)
        ZN_STAGE(info, "start", start(s, state, h));
    if (anew && !s->started)
        ZN_STAGE(info, "start", keep(s, false));
    warm_contacts(s, state);
    return ZN_OK;
}

static void publish(levels *s, zn_state *state, const zn_step_info *info)
{
    const level    *c = &s->parts.level[s->parts.contacts];
    zn_contact_set *shown = state->contacts;
    state->t += s->h;
    state->energy =
        (zn_energy){info->ledger[ZN_LEDGER_KINETIC], info->ledger[ZN_LEDGER_STRAIN], info->ledger[ZN_LEDGER_GRAVITY]};
    zn_subsystem_give_contacts(&c->part, c->state->contacts, shown);
    memcpy(shown->impulse, s->impulse, sizeof *s->impulse * (size_t)(shown->count * shown->stride));
    s->started = s->behind = true;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    levels *s = self;
    if (s->alone)
        return zn_cd_lagrange_ops.step(s->alone, state, h, info);
    double last_h = s->h;
    bool   anew = !s->started || fabs(h - s->h) > 1e-9 * s->h, began = s->started;
    *info = (zn_step_info){0};
    zn_status status = begin(s, state, h, anew, info);
    if (status == ZN_OK)
        status = run(s, state, info);
    if (status != ZN_OK) {
        if (began && !s->resumed)
            go_back(s, anew);
        s->h = last_h;
        if (began && anew && !s->resumed)
            weigh(s);
        return status;
    }
    publish(s, state, info);
    info->failed = NULL;
    return ZN_OK;
}

static zn_status longest(void *self, const zn_state *from, double *out)
{
    levels *s = self;
    if (s->alone)
        return cd_lagrange_longest(s->alone, from, out);
    *out = s->parts.critical;
    for (int k = 0; k < s->parts.count && s->started; k++) {
        double own;
        ZN_TRY(cd_lagrange_longest(s->parts.level[k].self, s->parts.level[k].state, &own));
        *out = k == 0 ? own : fmin(*out, ldexp(own, s->parts.level[k].exponent));
    }
    return ZN_OK;
}

// --- the whole -----------------------------------------------------------------------------------

// From the coarsest on: where levels meet, the whole is as the finest has it. Reactions are impulses of the step.
static void complete(void *self, zn_state *state)
{
    levels *s = self;
    if (s->alone || !s->behind)
        return;
    s->behind = false;
    memset(state->reaction, 0, sizeof *state->reaction * (size_t)(s->sys->info.n_all - s->sys->info.n));
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        settle(c);
        zn_subsystem_give(&c->part, c->state->q, c->state->v, state);
        zn_subsystem_give_reactions(&c->part, c->state, ldexp(1, c->exponent), state);
    }
}

// Each level with its own positions of the nodes it shares.
static zn_status part_energy(void *self, const zn_state *whole, int part, zn_energy *out)
{
    levels *s = self;
    if (s->alone || !s->started)
        return zn_system_part_energy(s->sys, (zn_at){whole->q, whole->v, whole->t, 0}, part, out);
    *out = (zn_energy){0};
    for (int k = 0; k < s->parts.count; k++) {
        const level *c = &s->parts.level[k];
        zn_energy    own;
        ZN_TRY(zn_system_part_energy(c->part.sys, (zn_at){c->state->q, c->state->v, whole->t, 0}, part, &own));
        out->kinetic += own.kinetic;
        out->strain += own.strain;
        out->gravity += own.gravity;
    }
    return ZN_OK;
}

static double detail(const void *self, zn_detail which, int place)
{
    const levels *s = self;
    if (s->alone)
        return zn_cd_lagrange_ops.detail(s->alone, which, place);
    const level *c = &s->parts.level[s->place_level[place]];
    return s->started ? zn_cd_lagrange_ops.detail(c->self, which, s->place_dof[place]) : NAN;
}

// --- life ----------------------------------------------------------------------------------------

static void destroy(void *self)
{
    levels *s = self;
    if (s->alone)
        zn_cd_lagrange_ops.destroy(s->alone);
    levels_parts_destroy(&s->parts);
    void *own[] = {s->memory, s->impulse, s->earlier, s->id, s->place_level, s->place_dof};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    free(s);
}

static zn_status allocate_level(level *c, bool contacts)
{
    double **const vector[] = {&c->force, &c->free0, &c->free1, &c->weight};
    zn_blob        size = zn_blob_counting();
    c->memory = zn_new_vectors(sizeof vector / sizeof *vector, vector, (size_t)c->links + 1);
    if (!c->memory)
        return ZN_ERR_MEMORY;
    list_level(c, &size);
    c->kept_bytes = size.size;
    c->kept = zn_new_array(1, c->kept_bytes);
    if (!c->kept)
        return ZN_ERR_MEMORY;
    return contacts ? zn_contact_set_create(c->part.sys, &c->kept_contacts) : ZN_OK;
}

static zn_status allocate(levels *s)
{
    double **const vector[] = {&s->sum, &s->total};
    s->memory = zn_new_vectors(sizeof vector / sizeof *vector, vector, (size_t)s->parts.knots + 1);
    s->place_level = ZN_NEW(int, s->sys->info.n_all);
    s->place_dof = ZN_NEW(int, s->sys->info.n_all);
    if (!s->memory || !s->place_level || !s->place_dof)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        ZN_TRY(allocate_level(c, k == s->parts.contacts));
        for (int i = 0; i < c->part.sys->info.n_all; i++) {
            s->place_level[c->part.dof[i]] = k;
            s->place_dof[c->part.dof[i]] = i;
        }
    }
    const zn_contact_set *set = s->parts.level[s->parts.contacts].state->contacts;
    return reserve(s, set->count + 1, set->stride); // arrays without contacts are there, too
}

// Masses of links stand alone.
static zn_status refuse_triads(const zn_log *log, const level *c)
{
    for (int i = 0; i < c->links; i++)
        if (!(c->self->mass.inverse[c->dof[i]] > 0))
            return zn_fail(
                log, ZN_ERR_UNSUPPORTED,
                "cd_lagrange: levels: a node that two levels share has an inertia that is no diagonal in one of "
                "them; leave out 'levels'");
    return ZN_OK;
}

static zn_status create_parts(levels *s, const zn_log *log)
{
    ZN_TRY(levels_split(s->sys, levels_most(s->def.levels), &s->parts));
    if (s->parts.count <= 1)
        return zn_cd_lagrange_ops.create(&s->def, s->sys, log, (void **)&s->alone);
    for (int k = 0; k < s->parts.count; k++) {
        level *c = &s->parts.level[k];
        void  *own = NULL;
        ZN_TRY(zn_cd_lagrange_ops.create(&s->def, c->part.sys, log, &own));
        c->self = own;
        ZN_TRY(refuse_triads(log, c));
    }
    return allocate(s);
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    levels *s = ZN_NEW(levels, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->sys = sys;
    s->def = *def;
    zn_status status = create_parts(s, log);
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 1 };
    levels *s = self;
    if (s->alone) {
        zn_cd_lagrange_ops.history(s->alone, blob);
        return;
    }
    blob->blank = !s->started;
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->started);
    zn_blob_double(blob, &s->h);
    for (int k = 0; k < s->parts.count; k++) {
        if (!blob->loading && !blob->dry && s->started)
            settle(&s->parts.level[k]);
        list_level(&s->parts.level[k], blob);
    }
    if (!blob->loading || blob->dry)
        return;
    blob->failed |= s->started && !(s->h > 0); // damaged
    s->started = s->started && !blob->failed;
    s->resumed = s->started;
    s->behind = false;
}

static zn_status describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out)
{
    levels_parts parts;
    (void)h;
    ZN_TRY(levels_split(sys, levels_most(def->levels), &parts));
    out->levels = parts.count;
    for (int k = 0; k < parts.count && parts.count > 1; k++) {
        out->level_elements[parts.level[k].exponent] = parts.level[k].elements;
        out->links += parts.level[k].links;
    }
    if (parts.count > 1)
        out->critical = (zn_critical){parts.critical, 2 / parts.critical, 0, NULL};
    levels_parts_destroy(&parts);
    return ZN_OK;
}

static zn_linsolver_info linsolver(const void *self) { return zn_cd_lagrange_ops.linsolver(self); } // none

const zn_scheme_ops zn_levels_ops = {
    .name = "cd_lagrange",
    .create = create,
    .step = step,
    .longest = longest,
    .complete = complete,
    .part_energy = part_energy,
    .bounded = true,
    .describe = describe,
    .history = history,
    .detail = detail,
    .details = 1U << ZN_DETAIL_ACCELERATION,
    .linsolver = linsolver,
    .destroy = destroy,
};
