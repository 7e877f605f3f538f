// The state of the whole: contacts and joints of all parts, and what is not known between coarse times. See
// multirate.h.
#include <math.h>
#include <string.h>

#include "model/memory.h"
#include "scheme/multirate.h"

static bool has_joints(const multirate_part *coarse) { return coarse->part.sys->info.joints > 0; }

// Are all contacts and joints in the fine part?
static bool is_all_fine(const multirate_parts *p)
{
    bool fine = true;
    for (int k = COARSE; k < p->count; k++)
        fine = fine && !has_joints(&p->part[k]);
    return fine;
}

// --- contacts --------------------------------------------------------------------------------------

// Results of the contacts, which are the same in the same order.
static void copy_results(const zn_contact_set *from, zn_contact_set *to)
{
    size_t rows = sizeof *from->impulse * (size_t)(from->count * from->stride);
    memcpy(to->gap, from->gap, sizeof *from->gap * (size_t)from->count);
    memcpy(to->impulse, from->impulse, rows);
    memcpy(to->velocity, from->velocity, rows);
    memcpy(to->approach, from->approach, rows);
}

// factor: of impulses, of a step of one size in one of another; NaN: nothing is known.
static void copy_contact(const zn_contact_set *from, int i, double factor, zn_contact_set *to, int j)
{
    to->gap[j] = isnan(factor) ? NAN : from->gap[i];
    for (int k = 0; k < from->stride; k++) {
        int a = i * from->stride + k, b = j * to->stride + k;
        to->impulse[b] = factor * from->impulse[a];
        to->velocity[b] = isnan(factor) ? NAN : from->velocity[a];
        to->approach[b] = isnan(factor) ? NAN : from->approach[a];
        to->projection[b] = factor * from->projection[a];
    }
}

// Results of those that both sets have, which are sorted by id.
static void copy_common(const zn_contact_set *from, double factor, zn_contact_set *to)
{
    for (int i = 0, j = 0; i < from->count && j < to->count;) {
        int order = zn_contact_id_compare(from->id[i], to->id[j]);
        if (order == 0)
            copy_contact(from, i, factor, to, j);
        i += order <= 0;
        j += order >= 0;
    }
}

static void blank_contacts(const multirate_part *coarse, zn_contact_set *whole)
{
    if (has_joints(coarse))
        copy_common(coarse->state->contacts, NAN, whole);
}

zn_status multirate_room_for_contacts(const multirate_parts *p, zn_contact_set *whole)
{
    const multirate_part *f = &p->part[FINE];
    if (p->part[FINE].part.whole->fixed_contacts || !f->ops->partner->contacts)
        return ZN_OK;
    const zn_contact_set *own = f->ops->partner->contacts(f->self);
    int                   count = own->count, entries = own->row_start[own->count * own->stride];
    for (int k = COARSE; k < p->count; k++) {
        const zn_contact_set *set = p->part[k].state->contacts;
        count += set->count;
        entries += set->row_start[set->count * set->stride];
    }
    return zn_contact_set_reserve(whole, count, entries);
}

// The part whose next contact comes first; NULL: there are no more.
static multirate_part *next_part(const multirate_parts *p)
{
    multirate_part *next = NULL;
    for (int k = 0; k < p->count; k++) {
        multirate_part       *own = &p->part[k];
        const zn_contact_set *set = own->state->contacts;
        if (own->cursor < set->count &&
            (!next || zn_contact_id_compare(set->id[own->cursor], next->state->contacts->id[next->cursor]) < 0))
            next = own;
    }
    return next;
}

// All contacts of the parts in the order of their ids, in which those of each part are.
static void merge(const multirate_parts *p, zn_contact_set *whole)
{
    const zn_contact_set *fine = p->part[FINE].state->contacts;
    for (int k = 0; k < p->count; k++)
        p->part[k].cursor = 0;
    zn_contact_set_clear(whole, fine);
    for (multirate_part *next; (next = next_part(p)) != NULL; next->cursor++)
        zn_contact_set_append(next->state->contacts, next->cursor, next->part.dof, whole);
}

void multirate_give_contacts(const multirate_parts *p, bool known, zn_contact_set *whole)
{
    const multirate_part *f = &p->part[FINE];
    bool                  fixed = f->part.whole->fixed_contacts;
    if (is_all_fine(p) && fixed)
        copy_results(f->state->contacts, whole);
    else if (is_all_fine(p))
        zn_subsystem_give_contacts(&f->part, f->state->contacts, whole);
    else if (!fixed)
        merge(p, whole);
    else
        copy_common(f->state->contacts, 1, whole);
    for (int k = COARSE; k < p->count && !is_all_fine(p); k++)
        copy_common(p->part[k].state->contacts, known ? 1.0 / p->part[k].ratio : NAN, whole);
}

// Which there were is part of the state where they are not fixed. Results of other joints are in the history.
zn_status multirate_take_contacts(multirate_parts *p, const zn_state *whole)
{
    multirate_part *f = &p->part[FINE];
    bool            all = is_all_fine(p);
    if (!f->part.whole->fixed_contacts)
        ZN_TRY(zn_contact_set_copy(whole->contacts, f->state->contacts));
    ZN_TRY(zn_contact_set_refresh(f->state->contacts, f->part.sys, f->state->q, whole->t));
    if (all)
        copy_results(whole->contacts, f->state->contacts);
    else
        copy_common(whole->contacts, 1, f->state->contacts);
    for (int k = COARSE; k < p->count && !all; k++)
        ZN_TRY(zn_contact_set_refresh(p->part[k].state->contacts, p->part[k].part.sys, p->part[k].state->q,
                                      p->part[k].state->t));
    return ZN_OK;
}

// --- between coarse times --------------------------------------------------------------------------

static void blank(const multirate_part *coarse, zn_state *whole)
{
    const zn_subsystem *part = &coarse->part;
    const zn_layout    *own = &part->sys->layout;
    int                 n = part->whole->info.n;
    for (int i = 0; i < part->sys->info.nq; i++)
        if (i < own->memory || zn_memory_moves(&part->model->memory[i - own->memory], own))
            whole->q[part->coordinate[i]] = NAN;
    for (int i = 0; i < part->sys->info.n_all; i++)
        whole->v[part->dof[i]] = NAN;
    for (int i = part->sys->info.n; i < part->sys->info.n_all; i++)
        whole->reaction[part->dof[i] - n] = NAN;
}

// --- positions, velocities, energies ---------------------------------------------------------------

// Positions and velocities of a part and its reactions, in impulses of a fine step; where both parts hold a fixed
// degree of freedom their reactions add. Evaluations that cannot fail are no fault points.
static void give(multirate *s, multirate_part *p, zn_state *whole)
{
    int countdown = zn_fault_countdown;
    zn_fault_inject(0);
    multirate_partner(p)->show(p->self, p->state, s->shown_q, s->shown_v);
    zn_fault_inject(countdown);
    zn_subsystem_give(&p->part, s->shown_q, s->shown_v, whole);
    zn_subsystem_give_reactions(&p->part, p->state, 1.0 / p->ratio, whole);
}

// Each part with its own positions: velocities meet at the interface, positions drift apart by what the rules of both
// make of the same velocity within H, and an element between a node of one and the interface of the other would be
// stretched.
zn_status multirate_part_energy(void *self, const zn_state *whole, int part, zn_energy *out)
{
    multirate *s = self;
    if (!s->started)
        return zn_system_part_energy(s->sys, (zn_at){whole->q, whole->v, whole->t, 0}, part, out);
    *out = (zn_energy){0};
    for (int k = 0; k < s->parts.count; k++) {
        multirate_part *p = &s->parts.part[k];
        zn_energy       own;
        multirate_partner(p)->show(p->self, p->state, s->shown_q, s->shown_v);
        ZN_TRY(zn_system_part_energy(p->part.sys, (zn_at){s->shown_q, s->shown_v, whole->t, 0}, part, &own));
        out->kinetic += own.kinetic;
        out->strain += own.strain;
        out->gravity += own.gravity;
    }
    return ZN_OK;
}

// Before the first step nothing has entered.
static zn_status add_ledger(const multirate *s, const multirate_part *p, const zn_state *whole, double *out)
{
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        out[i] += p->balance[i];
    if (s->started)
        return ZN_OK;
    zn_energy energy;
    zn_subsystem_take(&p->part, whole, p->state);
    ZN_TRY(zn_system_energy(p->part.sys, (zn_at){p->state->q, p->state->v, whole->t, 0}, &energy));
    out[ZN_LEDGER_KINETIC] += energy.kinetic;
    out[ZN_LEDGER_STRAIN] += energy.strain;
    out[ZN_LEDGER_GRAVITY] += energy.gravity;
    return ZN_OK;
}

zn_status multirate_part_ledger(void *self, const zn_state *whole, int which, double out[ZN_LEDGER_LINES])
{
    multirate *s = self;
    int        first = which == ZN_LEDGER_OF_COARSE ? COARSE : which == ZN_LEDGER_OF_FINE ? FINE : which - 1;
    int        last = which == ZN_LEDGER_OF_COARSE ? s->parts.count : first + 1;
    memset(out, 0, sizeof *out * ZN_LEDGER_LINES);
    if (last > s->parts.count)
        return ZN_ERR_ARGUMENT;
    for (int k = first; k < last; k++)
        ZN_TRY(add_ledger(s, &s->parts.part[k], whole, out));
    return ZN_OK;
}

// The interface is as the fine part has it.
void multirate_complete(void *self, zn_state *state)
{
    multirate *s = self;
    if (!s->behind)
        return;
    s->behind = false;
    memset(state->reaction, 0, sizeof *state->reaction * (size_t)(s->sys->info.n_all - s->sys->info.n));
    for (int k = COARSE; k < s->parts.count; k++)
        if (s->phase == 0)
            give(s, &s->parts.part[k], state);
        else
            blank(&s->parts.part[k], state);
    give(s, multirate_fine(s), state);
}

void multirate_hide(void *self, zn_state *state)
{
    multirate          *s = self;
    const zn_subsystem *fine = &multirate_fine(s)->part;
    for (int i = 0; i < fine->sys->info.nq; i++)
        s->shown_q[i] = state->q[fine->coordinate[i]];
    for (int i = 0; i < fine->sys->info.n_all; i++)
        s->shown_v[i] = state->v[fine->dof[i]];
    for (int k = COARSE; k < s->parts.count; k++) {
        blank(&s->parts.part[k], state);
        blank_contacts(&s->parts.part[k], state->contacts);
    }
    zn_subsystem_give(fine, s->shown_q, s->shown_v, state);
    state->energy = (zn_energy){NAN, NAN, NAN};
    state->whole = false;
}
