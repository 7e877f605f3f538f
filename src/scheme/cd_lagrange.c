// cd_lagrange.c - central differences with contact by Lagrange multipliers on the half-step velocities.
// Fekak, Brun, Gravouil, Depale, Comput. Mech. 60 (2017) 1-21, eq. (47), in our convention (a row of G per constraint).
//
//     q' = q (+) h v_half                                                  (44a)
//     M W' = h F(q', v_half, t') + G(q')' I'                               (38), M lumped
//     v_half' = v_half + W',   v' = v_half + W'/2                          (42), (44b)
//     contacts with g(q') <= 0:  0 <= U_N(v_half') + e U_N(v_half) _|_ I_N' >= 0,  Coulomb's law on U_T + e_T U_T
//     joints:  g(q') + h G v_half' = 0 at the time of the next position, so that positions keep up to second order
//
// Damping takes the velocity half a step before (explicit); inertia forces of rotation take the mean of both half
// steps, by fixed-point iteration. The state holds q and v at the same time; v_half is history. First half step: v_half
// = v + W/2 with the law on closed contacts, W = M^-1 (h F + 2 G'P): at rest under load v_half is zero exactly. A step
// of another size starts anew in the same way.
//
// Energy, (84) to (90): with <x> the mean of both ends of a step and h v_half its displacement,
//     [v.M v/2] = h v_half.<F> + v_half.<G'I> + [W.M W]/8 ;
// the last term is the line "complementary".
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/team.h"
#include "base/wide.h"
#include "scheme/cd_lagrange.h"
#include "constraint/delassus.h"
#include "scheme/scheme.h"
#include "system/system.h"

// --- contacts ------------------------------------------------------------------------------------

// Room for what is kept of each contact; contacts of shapes come in any number.
static zn_status reserve(cd_lagrange *s, int contacts)
{
    int same = s->capacity, stride = s->sys->contact_rows, rows = stride * s->capacity; // arrays that grow alike
    if (contacts <= s->capacity)
        return ZN_OK;
    contacts += contacts / 4;
    ZN_TRY(zn_grow(&s->P, &rows, stride * contacts, sizeof *s->P));
    ZN_TRY(zn_grow(&s->target, &same, contacts, sizeof *s->target));
    return zn_grow(&s->active, &s->capacity, contacts, sizeof *s->active);
}

// The contacts at q into ours, with the impulses of the state's for a warm start. Where they are always the same ours
// differ in results only, and of these the impulses alone are needed.
static zn_status take_contacts(cd_lagrange *s, const zn_contact_set *from, const double *q, const double *v, double t)
{
    zn_contact_set *set = s->contacts;
    const zn_reach  reach = {.v = v, .horizon = s->h, .since = s->h};
    if (!s->sys->fixed_contacts)
        return zn_contact_set_follow(set, from, s->sys, q, t, reach);
    if (!set->has_rows || set->count != from->count)
        ZN_TRY(zn_contact_set_copy(from, set));
    else
        memcpy(set->impulse, from->impulse, sizeof *from->impulse * (size_t)(set->count * set->stride));
    return zn_contact_set_refresh_within(set, s->sys, q, t, reach);
}

// Contacts at q that are closed, and what joints ask of the next displacement h v: g(q, t + h) + h G v = 0.
static zn_status detect(cd_lagrange *s, const zn_contact_set *from, const double *q, const double *v, double t)
{
    zn_contact_set *set = s->contacts;
    double          closed = 10 * fmax(s->def.gap_tolerance, 16 * DBL_EPSILON * s->sys->extent);
    s->contact.t = t;
    ZN_TRY(take_contacts(s, from, q, v, t));
    ZN_TRY(reserve(s, set->count));
    s->info->active = 0;
    for (int i = 0; i < set->count; i++) {
        s->active[i] = !set->bilateral[i] && set->gap[i] <= closed;
        s->info->active += s->active[i];
    }
    if (s->sys->info.joints == 0)
        return ZN_OK;
    ZN_TRY(zn_contact_set_gaps(set, s->sys, q, t + s->h, s->target));
    for (int i = 0; i < set->count; i++)
        s->target[i] /= s->h;
    return ZN_OK;
}

static bool has_rows(const cd_lagrange *s) { return s->info->active > 0 || s->sys->info.joints > 0; }

// --- the step ------------------------------------------------------------------------------------

// Velocities at the links before the kick and, so far, after it.
static void gather_links(cd_lagrange *s, const double *before)
{
    const int    *dof = s->coupling.links.dof;
    const double *next = s->next;
    double *restrict first = s->coupling.velocity, *restrict last =
                                                       first != NULL ? first + s->coupling.links.count : NULL;
    s->coupling.before = s->coupling.lead ? before : first;
    s->coupling.after = s->coupling.lead ? s->next : last;
    for (int i = 0; i < s->coupling.links.count && !s->coupling.lead; i++) {
        first[i] = before[dof[i]];
        last[i] = next[dof[i]];
    }
}

// v += M^-1 factor links, where M is diagonal
ZN_WIDE static void kick_all(int links, const double *inverse, double factor, const double *link, double *restrict v)
{
    for (int i = 0; i < links; i++)
        v[i] += inverse[i] * (factor * link[i]);
}

// next += M^-1 factor links. Neither contacts nor joints act on their degrees of freedom: they are final.
static void kick_links(cd_lagrange *s, double factor)
{
    if (s->mass.triads > 0) {
        for (int i = 0; i < s->coupling.links.count; i++)
            cd_lagrange_kick_link(s, s->coupling.links.dof[i], factor * s->coupling.force[i], s->next);
        gather_links(s, s->start);
        return;
    }
    kick_all(s->coupling.links.count, s->coupling.inverse, factor, s->coupling.force, s->coupling.after);
    for (int i = 0; i < s->coupling.links.count && !s->coupling.lead; i++)
        s->next[s->coupling.links.dof[i]] = s->coupling.after[i];
}

static zn_status solve_rows(cd_lagrange *s, const double *before)
{
    if (has_rows(s)) {
        zn_solved solved = {0};
        ZN_TRY(zn_islands_solve(&s->contact, s->contacts, s->active, s->target, before, s->next, s->P, &solved));
        zn_step_info_add(s->info, solved);
        return ZN_OK;
    }
    memset(s->P, 0, sizeof *s->P * (size_t)(s->contacts->count * s->contacts->stride));
    zn_islands_measure(s->contacts, before, s->next);
    return ZN_OK;
}

// Impulses of contacts and joints, those in P as a first guess; v_half' and velocities of the rows. Other processes get
// the velocities of the nodes they share.
static zn_status meet(cd_lagrange *s, const double *before)
{
    return zn_system_share(s->sys, solve_rows(s, before), s->next);
}

// Contacts and forces at (q, v, t), of this process.
static zn_status look_around(cd_lagrange *s, const zn_contact_set *from, const double *q, const double *v, double t)
{
    ZN_TRY(detect(s, from, q, v, t));
    return cd_lagrange_find_forces(s, q, v, t);
}

// The first half step: `half`, carried powers and W of the beginning.
static zn_status start(cd_lagrange *s, const zn_state *from)
{
    s->start = from->v;
    zn_status status = look_around(s, from->contacts, from->q, from->v, from->t);
    ZN_TRY(cd_lagrange_kick(s, status, from->q, from->t, 0.5, 0, s->next));
    gather_links(s, from->v);
    kick_links(s, 0.5 * s->h);
    memset(s->P, 0, sizeof *s->P * (size_t)(s->contacts->count * s->contacts->stride));
    ZN_TRY(meet(s, from->v));
    cd_lagrange_carry(s, from->v, 2);
    return ZN_OK;
}

// What moves positions in the step.
static const double *find_moves(cd_lagrange *s)
{
    const cd_coupling *c = &s->coupling;
    if (!c->shift)
        return s->start;
    memcpy(s->force.work, s->start, sizeof *s->start * (size_t)s->n_all);
    for (int i = 0; i < c->links.count; i++)
        s->force.work[c->links.dof[i]] += c->shift[i] / s->h;
    return s->force.work;
}

// q', forces there and v_half' without contacts.
static zn_status advance(cd_lagrange *s, const zn_state *from)
{
    double h = s->h, t = from->t + h;
    zn_system_move_together(s->sys, s->contact.team, from->q, h, find_moves(s), s->q);
    zn_status status = look_around(s, from->contacts, s->q, s->start, t);
    status = status == ZN_OK ? cd_lagrange_check_joints(s) : status; // kick tells other processes
    return cd_lagrange_kick(s, status, s->q, t, 1, 0.5, s->next);
}

// Contacts and v_half'.
static zn_status collide(cd_lagrange *s)
{
    int rows = s->contacts->count * s->contacts->stride;
    for (int k = 0; k < rows; k++)
        s->P[k] = s->contacts->impulse[k]; // of the last step, by contact
    return meet(s, s->start);
}

// --- results -------------------------------------------------------------------------------------

// All but positions, velocities and reactions.
static void commit_rest(cd_lagrange *s, zn_state *to)
{
    ZN_ASSERT(to->contacts != s->contacts);
    to->t += s->h;
    to->energy = s->energy;
    zn_contact_set_swap(to->contacts, s->contacts);
    zn_swap(&s->past.half, &s->next);
    memcpy(s->past.carry, s->works.next, sizeof s->past.carry);
    s->past.square = s->works.next_square;
    s->past.last_h = s->h;
    s->watch.since += s->watch.since < CD_LAGRANGE_STEPS_BETWEEN_LOOKS;
    s->watch.met = s->watch.next_met;
    if (s->watch.search)
        zn_swap(&s->force.strain, &s->force.last_strain);
    s->past.started = true;
    s->info->failed = NULL;
}

static void commit(cd_lagrange *s, zn_state *to)
{
    zn_team_copy(s->contact.team, s->nq, s->q, to->q);
    zn_team_copy(s->contact.team, s->n_all, s->v, to->v);
    commit_rest(s, to);
    cd_lagrange_react(s, s->force.sum, to);
}

// Is there a velocity half a step later, of steps as long as this one?
static bool has_half(const cd_lagrange *s) { return s->past.started && fabs(s->past.last_h - s->h) <= 1e-9 * s->h; }

// Where the step begins: half a step later the velocity `start`.
static zn_status begin(cd_lagrange *s, const zn_state *state)
{
    memcpy(s->works.begin, s->past.carry, sizeof s->works.begin);
    s->works.begin_square = s->past.square;
    if (has_half(s)) {
        s->start = s->past.half;
        return ZN_OK;
    }
    ZN_TRY(start(s, state));
    memcpy(s->works.begin, s->works.next, sizeof s->works.begin);
    s->works.begin_square = s->works.next_square;
    memcpy(s->first, s->next, sizeof *s->first * (size_t)s->n_all);
    s->start = s->first;
    return ZN_OK;
}

static zn_status step(void *self, zn_state *state, double h, zn_step_info *info)
{
    cd_lagrange *s = self;
    *info = (zn_step_info){.activation_iterations = 1};
    s->info = info;
    s->h = h;
    ZN_STAGE(info, "critical step", cd_lagrange_check_step(s, state, h));
    ZN_STAGE(info, "first half step", begin(s, state));
    ZN_STAGE(info, "forces", advance(s, state));
    ZN_STAGE(info, "contact impulses", collide(s));
    ZN_STAGE(info, "energy ledger", cd_lagrange_book(s, state));
    cd_lagrange_book_contacts(s);
    commit(s, state); // cannot fail
    return ZN_OK;
}

// --- as a partner --------------------------------------------------------------------------------

// Room for what is kept at the links.
zn_status cd_lagrange_keep_links(cd_lagrange *s, zn_links links)
{
    size_t n = (size_t)links.count;
    if (s->coupling.velocity && s->coupling.links.dof == links.dof && s->coupling.links.count == links.count)
        return ZN_OK; // a start anew
    free(s->coupling.velocity);
    s->coupling.links.count = 0;
    s->coupling.velocity = ZN_NEW(double, 3 * n);
    if (!s->coupling.velocity)
        return ZN_ERR_MEMORY;
    s->coupling.inverse = s->coupling.velocity + 2 * n;
    s->coupling.lead = true;
    for (int i = 0; i < links.count; i++) {
        s->coupling.inverse[i] = s->mass.inverse[links.dof[i]];
        s->coupling.lead = s->coupling.lead && links.dof[i] == i;
    }
    s->coupling.links = links;
    return ZN_OK;
}

static zn_status response_prepare(void *self, const zn_state *from, double h, zn_links links)
{
    cd_lagrange *s = self;
    (void)from;
    s->coupling.factor = h > 0 ? 0.5 * h : 1;
    return cd_lagrange_keep_links(s, links); // of a resumed run, too
}

static bool response_diagonal(void *self, zn_links links, double *out)
{
    const cd_lagrange *s = self;
    bool               diagonal = true;
    for (int i = 0; i < links.count; i++) {
        out[i] = s->coupling.factor * s->coupling.inverse[i];
        diagonal = diagonal && s->contact.triad_of[links.dof[i]] < 0;
    }
    return diagonal;
}

static zn_status response_answer(void *self, zn_links links, const double *force, double *out)
{
    cd_lagrange *s = self;
    memset(s->force.work, 0, sizeof *s->force.work * (size_t)s->n_all);
    for (int i = 0; i < links.count; i++)
        cd_lagrange_kick_link(s, links.dof[i], s->coupling.factor * force[i], s->force.work);
    for (int i = 0; i < links.count; i++)
        out[i] = s->force.work[links.dof[i]];
    return ZN_OK;
}

// Columns of factor M^-1 at the links.
static zn_status response_full(void *self, zn_links links, double *out)
{
    cd_lagrange *s = self;
    for (int j = 0; j < links.count; j++) {
        memset(s->force.work, 0, sizeof *s->force.work * (size_t)s->n_all);
        cd_lagrange_kick_link(s, links.dof[j], s->coupling.factor, s->force.work);
        for (int i = 0; i < links.count; i++)
            out[i * links.count + j] = s->force.work[links.dof[i]];
    }
    return ZN_OK;
}

static const zn_response_ops response = {
    response_prepare, response_diagonal, response_full, response_answer, NULL, NULL};

zn_status cd_lagrange_accelerate(cd_lagrange *s, const zn_state *from, zn_links links, double *acceleration)
{
    ZN_TRY(cd_lagrange_find_forces(s, from->q, from->v, from->t));
    s->start = s->force.zero;
    cd_lagrange_add_and_kick(s, 0, s->first); // for the sum
    ZN_TRY(cd_lagrange_add_spun(s, from->q, from->v, from->t));
    zn_lumped_mass_solve(&s->mass, s->force.sum, s->force.work);
    for (int i = 0; i < links.count; i++)
        acceleration[i] = s->force.work[links.dof[i]];
    return ZN_OK;
}

static zn_status partner_accelerations(void *self, const zn_state *from, double h, zn_links links, double *out)
{
    (void)h;
    return cd_lagrange_accelerate(self, from, links, out);
}

static zn_status partner_start(void *self, zn_state *from, double h, zn_links links, const double *force)
{
    cd_lagrange *s = self;
    zn_step_info info = {0};
    s->info = &info;
    s->h = h;
    ZN_TRY(cd_lagrange_keep_links(s, links));
    s->coupling.force = force;
    s->past.started = false;
    s->past.reacted = true; // whatever the state has
    ZN_TRY(cd_lagrange_check_step(s, from, h));
    ZN_TRY(start(s, from));
    memcpy(s->past.half, s->next, sizeof *s->past.half * (size_t)s->n_all);
    memcpy(s->past.carry, s->works.next, sizeof s->past.carry);
    s->past.square = s->works.next_square;
    s->past.last_h = h;
    s->past.started = true;
    return ZN_OK;
}

ZN_WIDE static void find_means(int count, const double *first, const double *last, double *restrict out)
{
    for (int i = 0; i < count; i++)
        out[i] = 0.5 * (first[i] + last[i]);
}

static zn_status partner_free(void *self, const zn_state *from, double h, zn_links links, double *velocity,
                              zn_step_info *info)
{
    cd_lagrange *s = self;
    info->activation_iterations = 1;
    s->info = info;
    s->h = h;
    if (!has_half(s)) // partner_start made one, with forces at the links that nobody has here
        return zn_fail(&s->sys->model->log, ZN_ERR_ARGUMENT, "the checkpoint is damaged: a part has not begun");
    ZN_TRY(cd_lagrange_check_step(s, from, h));
    ZN_TRY(begin(s, from));
    ZN_TRY(advance(s, from));
    gather_links(s, s->start);
    find_means(links.count, s->coupling.before, s->coupling.after, velocity);
    return ZN_OK;
}

static zn_status partner_spin(void *self, const zn_state *from, zn_links links, const double *force, double *velocity)
{
    cd_lagrange *s = self;
    if (!s->kinds.gyroscopic)
        return ZN_OK;
    ZN_TRY(cd_lagrange_spin(s, from->t + s->h, links, force));
    gather_links(s, s->start);
    find_means(links.count, s->coupling.before, s->coupling.after, velocity);
    return ZN_OK;
}

static void partner_shift(void *self, zn_links links, const double *shift)
{
    (void)links; // those of partner_start
    ((cd_lagrange *)self)->coupling.shift = shift;
}

static void partner_way(const void *self, zn_links links, double *out)
{
    const cd_lagrange *s = self;
    for (int i = 0; i < links.count; i++)
        out[i] = s->h * s->coupling.before[i];
}

static zn_status partner_finish(void *self, const zn_state *from, zn_links links, const double *force,
                                zn_step_info *info, double *work)
{
    cd_lagrange *s = self;
    (void)info, (void)links; // those of partner_free
    s->coupling.force = force;
    kick_links(s, s->h);
    ZN_TRY(collide(s));
    ZN_TRY(cd_lagrange_book(s, from));
    *work = s->works.link;
    cd_lagrange_book_contacts(s);
    return ZN_OK;
}

// Nobody else holds the state of a part: its arrays change places with ours. Reactions wait until somebody looks.
static void partner_commit(void *self, zn_state *to)
{
    cd_lagrange *s = self;
    zn_swap(&to->q, &s->q);
    zn_swap(&to->v, &s->v);
    zn_swap(&s->force.sum, &s->past.sum);
    s->past.reacted = false;
    commit_rest(s, to);
}

static void partner_show(void *self, zn_state *state, double *q, double *v)
{
    cd_lagrange *s = self;
    if (!s->past.reacted)
        cd_lagrange_react(s, s->past.sum, state);
    s->past.reacted = true;
    memcpy(q, state->q, sizeof *q * (size_t)s->nq);
    memcpy(v, state->v, sizeof *v * (size_t)s->n_all);
}

static const zn_contact_set *partner_contacts(const void *self) { return ((const cd_lagrange *)self)->contacts; }

static const zn_partner_ops partner = {
    &response,      partner_accelerations, partner_start,    partner_free, partner_finish,
    partner_commit, partner_show,          partner_contacts, NULL,         NULL,
    partner_spin,   partner_shift,         partner_way};

// --- life ----------------------------------------------------------------------------------------

static void destroy(void *self)
{
    cd_lagrange *s = self;
    zn_lumped_mass_destroy(&s->mass);
    zn_islands_destroy(&s->contact);
    zn_force_team_destroy(s->team);
    zn_critical_search_destroy(s->watch.search);
    zn_lanczos_destroy(s->watch.lanczos);
    zn_contact_set_destroy(s->contacts);
    double *own[] = {s->memory, s->v, s->q, s->target, s->P, s->works.slice};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    free(s->added.mass);
    free(s->coupling.velocity);
    free(s->active);
    free(s);
}

static zn_status allocate(cd_lagrange *s)
{
    struct {
        double **vector;
        bool     needed;
    } list[] = {{&s->first, true},
                {&s->force.strain, true},
                {&s->force.last_strain, s->watch.search != NULL},
                {&s->force.load, s->kinds.load},
                {&s->force.damper, s->kinds.damper},
                {&s->force.gyroscopic, s->kinds.gyroscopic},
                {&s->force.spun, s->kinds.gyroscopic && s->sys->halo},
                {&s->force.still, true},
                {&s->force.zero, true},
                {&s->force.sum, true},
                {&s->past.sum, true},
                {&s->force.work, true},
                {&s->past.half, true},
                {&s->next, true}};
    double **vector[sizeof list / sizeof *list];
    size_t   count = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].needed)
            vector[count++] = list[i].vector;
    s->memory = zn_new_vectors(count, vector, (size_t)s->n_all);
    s->v = ZN_NEW(double, s->n_all);
    s->q = ZN_NEW(double, s->nq);
    s->works.slice = ZN_NEW(double, CD_SUMS *zn_slices(s->n));
    if (!s->memory || !s->v || !s->q || !s->works.slice)
        return ZN_ERR_MEMORY;
    ZN_TRY(reserve(s, s->sys->contact_capacity + 1)); // arrays without contacts are there, too
    const zn_constraint_settings settings = {s->def.solver, s->def.solver_tolerance, ZN_FC_MEASURE_NATURAL,
                                             s->def.observer};
    ZN_TRY(zn_islands_create(s->sys, &s->mass, &settings, s->def.impact, &s->contact));
    ZN_TRY(zn_constraints_detect_redundant_lumped(&s->contact.problem, &s->mass));
    return zn_contact_set_create(s->sys, &s->contacts);
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, const zn_log *log, void **self)
{
    (void)log;
    cd_lagrange *s = ZN_NEW(cd_lagrange, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->sys = sys;
    s->def = *def;
    s->n = sys->info.n;
    s->n_all = sys->info.n_all;
    s->nq = sys->info.nq;
    s->kinds = zn_system_force_kinds(sys);
    s->kinds.gyroscopic = zn_system_max(sys, s->kinds.gyroscopic) > 0;
    zn_status status = zn_lumped_mass_create(sys, "cd_lagrange", &s->mass);
    if (status == ZN_OK && !sys->info.linear)
        status = zn_critical_search_create(sys, "cd_lagrange", &s->watch.search);
    if (status == ZN_OK)
        status = cd_lagrange_scale(s);
    if (status == ZN_OK)
        status = zn_system_agree(sys, allocate(s));
    if (status == ZN_OK && def->threads != 1 && zn_system_is_large(sys))
        status = zn_force_team_create(sys, def->threads, &s->team);
    s->contact.team = s->team ? zn_force_team_threads(s->team) : NULL;
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

static void history(void *self, zn_blob *blob)
{
    enum { VERSION = 1 };
    cd_lagrange *s = self;
    zn_blob_version(blob, VERSION);
    zn_blob_bool(blob, &s->past.started);
    zn_blob_double(blob, &s->past.last_h);
    zn_blob_double(blob, &s->past.square);
    zn_blob_doubles(blob, s->past.carry, WORKS);
    zn_blob_doubles(blob, s->past.half, s->n_all);
    if (s->def.follow > 0) // which step comes next
        cd_lagrange_list_watch(s, blob);
    if (!blob->loading || blob->dry)
        return;
    s->past.reacted = true;
    if (!(s->def.follow > 0))
        s->watch.since = 0;
}

// (46): W'/h, from the velocities half a step before and after.
static double detail(const void *self, zn_detail which, int place)
{
    const cd_lagrange *s = self;
    ZN_ASSERT(which == ZN_DETAIL_ACCELERATION);
    (void)which;
    return s->past.started && s->start ? (s->past.half[place] - s->start[place]) / s->h : NAN;
}

static zn_linsolver_info linsolver(const void *self)
{
    (void)self;
    return (zn_linsolver_info){.backend = "none"};
}

const zn_scheme_ops zn_cd_lagrange_ops = {
    .name = "cd_lagrange",
    .help =
        "CD-Lagrange: explicit central differences, lumped mass, contact on half-step velocities (Fekak 2017, eq. 47)",
    .create = create,
    .step = step,
    .longest = cd_lagrange_longest,
    .describe = cd_lagrange_describe,
    .partner = &partner,
    .bounded = true,
    .history = history,
    .detail = detail,
    .details = 1U << ZN_DETAIL_ACCELERATION,
    .linsolver = linsolver,
    .destroy = destroy,
};
