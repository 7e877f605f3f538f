// The certificate: the worst of every step, the energy ledger and its closure.
//
//     closure = |change of stored energies - what entered| / (sum of |changes| of all lines + |stored energies|)
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/seldom.h"
#include "sim/sim.h"
#include "system/contact_scratch.h"

// What is not measured is NaN from the start and stays so.
static inline void keep_worst(zn_worst *worst, double value, double time, zn_contact_id contact)
{
    if (value <= worst->value || isnan(worst->value)) // nearly always
        return;
    *worst = (zn_worst){value, time, contact};
}

// The last step that had any.
static void count(zn_worst *sum, int number, double time)
{
    ZN_ASSERT(number >= 0);
    if (number == 0)
        return;
    sum->value += number;
    sum->time = time;
}

static void keep_iterations(zn_iterations *stage, int count)
{
    ZN_ASSERT(count >= 0);
    stage->total += count;
    stage->max = count > stage->max ? count : stage->max;
}

static void stored_energies(const zn_sim *sim, double stored[ZN_LEDGER_STORED])
{
    stored[ZN_LEDGER_KINETIC] = sim->state->energy.kinetic;
    stored[ZN_LEDGER_STRAIN] = sim->state->energy.strain;
    stored[ZN_LEDGER_GRAVITY] = sim->state->energy.gravity;
}

static double negative_of(const zn_equilibrium_info *b) { return b->negative >= 0 ? (double)b->negative : (double)NAN; }

static bool turns(const zn_system *sys)
{
    for (int i = 0; i < sys->model->rules; i++)
        if (sys->model->rule[i].turns > 0)
            return true;
    return false;
}

// A limit on these cannot be kept or broken.
static void hide_unmeasured(zn_sim *sim)
{
    zn_certificate *c = &sim->certificate;
    zn_step_info    info = {0};
    if (sim->def.statics) {
        zn_worst *none[] = {&c->shift,
                            &c->reach,
                            &c->velocity,
                            &c->joint_velocity,
                            &c->coulomb_position,
                            &c->coulomb_velocity,
                            &c->rolling_velocity,
                            &c->rounding_position,
                            &c->rounding_velocity,
                            &c->closure,
                            &c->complementarity,
                            &c->energy_created,
                            &c->projection,
                            &c->numerical,
                            &c->constraint,
                            &c->debt};
        for (size_t i = 0; i < sizeof none / sizeof *none; i++)
            none[i]->value = NAN;
        return;
    }
    zn_scheme_hide_unmeasured(sim->scheme, &info);
    c->velocity.value = info.velocity_violation;
    c->coulomb_position.value = info.coulomb_position;
    c->coulomb_velocity.value = info.coulomb_velocity;
    c->rolling_velocity.value = turns(sim->sys) ? info.rolling_velocity : NAN;
    c->rounding_position.value = info.rounding_position;
    c->rounding_velocity.value = info.rounding_velocity;
    c->shift.value = info.shift;
    c->reach.value = info.reach;
    c->debt.value = info.jump_debt;
    c->constraint.value = info.turned_work;
}

void zn_certificate_start(zn_sim *sim)
{
    zn_certificate *c = &sim->certificate;
    *c = (zn_certificate){0};
#define START(name, ...) c->name = (zn_worst){0, sim->state->t, zn_contact_id_none()};
    ZN_WORST_LIST(START)
#undef START
    hide_unmeasured(sim);
    c->unstable_from = NAN;
    c->negative = sim->balance.load_steps > 0 ? negative_of(&sim->balance) : NAN;
    stored_energies(sim, sim->stored_start);
    memcpy(sim->stored, sim->stored_start, sizeof sim->stored);
    for (int i = 0; i < ZN_LEDGER_STORED; i++) {
        c->ledger[i] = sim->stored_start[i];
        c->energy_start += sim->stored_start[i];
    }
    sim->magnitude = 0;
    zn_created_start(sim);
}

// Nobody knows all stored energies: what entered waits for the next whole state.
ZN_APART static void keep_entered(zn_sim *sim)
{
    for (int i = ZN_LEDGER_STORED; i < ZN_LEDGER_LINES; i++) {
        sim->magnitude += fabs(sim->last.ledger[i]);
        sim->entered[i] += sim->last.ledger[i];
    }
}

ZN_APART static void settle_entered(zn_sim *sim)
{
    for (int i = ZN_LEDGER_STORED; i < ZN_LEDGER_LINES; i++)
        sim->certificate.ledger[i] += sim->entered[i];
    memset(sim->entered, 0, sizeof sim->entered);
}

static void account_ledger(zn_sim *sim)
{
    zn_certificate *c = &sim->certificate;
    double          change = 0, entered = 0, level = 0;
    if (!sim->state->whole) {
        keep_entered(sim);
        return;
    }
    if (sim->period > 1)
        settle_entered(sim);
    double magnitude = sim->magnitude;
    for (int i = 0; i < ZN_LEDGER_STORED; i++) {
        double value = sim->last.ledger[i];
        magnitude += fabs(value - sim->stored[i]);
        level += fabs(value);
        change += value - sim->stored_start[i];
        c->ledger[i] = sim->stored[i] = value;
    }
    for (int i = ZN_LEDGER_STORED; i < ZN_LEDGER_LINES; i++) {
        double value = sim->last.ledger[i];
        magnitude += fabs(value);
        c->ledger[i] += value;
        entered += c->ledger[i];
    }
    sim->magnitude = magnitude;
    double scale = magnitude + level;
    keep_worst(&c->closure, scale > 0 ? fabs(change - entered) / scale : 0, sim->state->t, zn_contact_id_none());
}

// Pairs of a pile or of two surfaces that the step has not looked at; where even that fails, nobody knows how deep they
// are. Shapes that are less deep than the worst so far change nothing. Processes that search together end together: one
// that fails alone must not go on while others wait for it.
ZN_APART static zn_status keep_missed(zn_sim *sim)
{
    zn_worst *worst = &sim->certificate.penetration;
    zn_depth  deepest;
    zn_contact_set_share(sim->state->contacts, zn_scheme_threads(sim->scheme), sim->sys->peers);
    zn_status status =
        zn_contact_set_deepest(sim->state->contacts, sim->sys, sim->state->q, sim->state->t, worst->value, &deepest);
    zn_contact_set_share(sim->state->contacts, NULL, NULL);
    if (status != ZN_OK)
        *worst = (zn_worst){NAN, sim->state->t, zn_contact_id_none()};
    else if (-deepest.gap > worst->value)
        *worst = (zn_worst){-deepest.gap, sim->state->t, deepest.id};
    return sim->sys->peers ? status : ZN_OK;
}

// Has the last step moved nothing by more than positions are rounded?
static bool stands(const zn_sim *sim)
{
    const double *q = zn_sim_look(sim)->q, rounding = DBL_EPSILON * fmin(sim->sys->extent, 1); // of turns as well
    for (int i = 0; i < sim->sys->info.nq; i++)
        if (!(fabs(q[i] - sim->last_q[i]) <= rounding))
            return false;
    return !sim->def.statics;
}

// A step without iterations costs little more than the search, and moves little; a pile that stands does not move: then
// every eighth one is asked.
static bool asks_missed(const zn_sim *sim)
{
    const zn_system *sys = sim->sys;
    bool             rests = sys->info.contacts_grow ? stands(sim) : sim->last.newton_iterations == 0;
    return sys->missable_contacts && (!rests || sim->certificate.steps % 8 == 0);
}

static zn_status keep_gaps(zn_sim *sim)
{
    zn_certificate       *c = &sim->certificate;
    const zn_contact_set *set = sim->state->contacts;
    double                t = sim->state->t;
    for (int i = 0; i < set->count; i++) {
        if (!sim->state->whole && isnan(set->gap[i])) // of a coarse part
            continue;
        if (set->bilateral[i])
            keep_worst(&c->joint, fabs(set->gap[i]), t, set->id[i]);
        else if (-set->gap[i] > c->penetration.value)
            c->penetration = (zn_worst){-set->gap[i], t, set->id[i]};
    }
    keep_worst(&c->capture, set->captured, t, set->captured_id);
    return asks_missed(sim) ? keep_missed(sim) : ZN_OK;
}

// What hardly any step has.
static void count_rare(zn_certificate *c, const zn_step_info *s, double t)
{
    count(&c->segment_changes, s->segment_changes, t);
    count(&c->repeated_sets, s->repeated_sets, t);
    count(&c->unfinished_impacts, s->unfinished_impacts, t);
    count(&c->late_contacts, s->late_contacts, t);
    count(&c->failed_solves, s->failed_solves, t);
    if (s->failed_solves > 0)
        c->failed_iterations += s->failed_iterations;
}

zn_status zn_certificate_account(zn_sim *sim, double h)
{
    ZN_ASSERT(h > 0);
    zn_certificate     *c = &sim->certificate;
    const zn_step_info *s = &sim->last;
    double              t = sim->state->t;
    c->steps++;
    zn_status searched = keep_gaps(sim);
    keep_worst(&c->joint_velocity, s->joint_velocity, t, zn_contact_id_none());
    keep_worst(&c->velocity, s->velocity_violation, t, zn_contact_id_none());
    keep_worst(&c->coulomb_position, s->coulomb_position, t, zn_contact_id_none());
    keep_worst(&c->coulomb_velocity, s->coulomb_velocity, t, zn_contact_id_none());
    if (!isnan(c->rolling_velocity.value))
        keep_worst(&c->rolling_velocity, s->rolling_velocity, t, zn_contact_id_none());
    keep_worst(&c->rounding_position, s->rounding_position, t, zn_contact_id_none());
    keep_worst(&c->rounding_velocity, s->rounding_velocity, t, zn_contact_id_none());
    keep_worst(&c->shift, s->shift, t, zn_contact_id_none());
    if (s->reach > c->reach.value) // what is not measured never is
        c->reach = (zn_worst){s->reach, t, s->reach_contact};
    keep_worst(&c->complementarity, s->complementarity, t, zn_contact_id_none());
    keep_worst(&c->newton, s->newton_residual, t, zn_contact_id_none());
    keep_iterations(&c->newton_iterations, s->newton_iterations);
    keep_iterations(&c->projection_iterations, s->projection_iterations);
    keep_iterations(&c->activation_iterations, s->activation_iterations);
    keep_iterations(&c->solver_iterations, s->solver_iterations);
    keep_worst(&c->contact_frames, s->frames, t, zn_contact_id_none());
    if ((s->segment_changes | s->repeated_sets | s->unfinished_impacts | s->late_contacts | s->failed_solves) != 0)
        count_rare(c, s, t);
    keep_worst(&c->added_mass, s->added_mass, t, zn_contact_id_none());
    account_ledger(sim);
    zn_created_account(sim, h);
    return searched;
}

void zn_certificate_account_statics(zn_sim *sim)
{
    zn_certificate            *c = &sim->certificate;
    const zn_equilibrium_info *b = &sim->balance;
    zn_step_info               step = {.newton_iterations = b->newton_iterations - (int)c->newton_iterations.total,
                                       .newton_residual = b->residual};
    sim->last = step;
    keep_gaps(sim);
    c->steps++;
    c->retries = b->retries;
    c->halved_steps.value = b->retries;
    c->linear_solver = b->linear_solver;
    keep_worst(&c->newton, b->residual, sim->state->t, zn_contact_id_none());
    if (!isnan(b->coulomb)) {
        c->coulomb_position.value = isnan(c->coulomb_position.value) ? 0 : c->coulomb_position.value;
        keep_worst(&c->coulomb_position, b->coulomb, sim->state->t, b->coulomb_contact);
    }
    keep_iterations(&c->newton_iterations, step.newton_iterations);
    stored_energies(sim, c->ledger);
    c->negative = negative_of(b);
    if (c->negative > 0 && isnan(c->unstable_from))
        c->unstable_from = sim->state->t;
}

zn_status zn_certificate_momenta(zn_sim *sim, zn_vec3 *linear, zn_vec3 *angular)
{
    ZN_ASSERT(linear && angular);
    const zn_state *state = zn_sim_look(sim);
    *linear = *angular = zn_vec3_make(NAN, NAN, NAN);
    if (!state->whole) // a run that failed between two
        return ZN_OK;
    return zn_system_momentum(sim->sys, (zn_at){state->q, state->v, state->t, 0}, -1, sim->work, linear, angular);
}

// --- several processes ---------------------------------------------------------------------------

// What each process knows of its own contacts.
typedef struct own_contacts {
    zn_worst penetration, joint, capture, reach;
    int64_t  impacts, lasting;
} own_contacts;

static void keep_worse(zn_worst *worst, zn_worst other)
{
    if (other.value > worst->value || (isnan(other.value) && !isnan(worst->value)))
        *worst = other;
}

void zn_certificate_merge(zn_sim *sim)
{
    const zn_halo  *halo = sim->sys->halo;
    zn_certificate *c = &sim->certificate;
    own_contacts    own = {c->penetration, c->joint, c->capture, c->reach, c->impacts, c->lasting_contacts};
    own_contacts   *all = halo ? ZN_NEW(own_contacts, halo->parts) : NULL;
    if (!halo)
        return;
    bool room = zn_system_agree(sim->sys, all ? ZN_OK : ZN_ERR_MEMORY) == ZN_OK;
    if (room)
        halo->gather(halo->user, &own, sizeof own, all);
    for (int i = 0; i < halo->parts && room; i++) {
        if (i == 0)
            c->impacts = c->lasting_contacts = 0;
        keep_worse(&c->penetration, all[i].penetration);
        keep_worse(&c->joint, all[i].joint);
        keep_worse(&c->capture, all[i].capture);
        keep_worse(&c->reach, all[i].reach);
        c->impacts += all[i].impacts;
        c->lasting_contacts += all[i].lasting;
    }
    free(all);
}

// --- limits --------------------------------------------------------------------------------------

zn_limits zn_limits_none(void)
{
    return (zn_limits){
#define NONE(name, ...) .name = NAN,
        ZN_WORST_LIST(NONE)
#undef NONE
    };
}

static int refuse(const zn_certificate *c, const zn_worst *worst, const char *name, const char *unit, double limit,
                  const zn_log *log)
{
    bool momentum = worst == &c->linear_momentum || worst == &c->angular_momentum || worst == &c->spin_momentum;
    zn_log_write(log, ZN_LOG_ERROR, "limit: %s is not measured by this scheme%s, so %.3g%s%s cannot be kept", name,
                 momentum ? ", or something acts on the model from outside" : "", limit, *unit ? " " : "", unit);
    return 1;
}

int zn_sim_refuse_limits(const zn_sim *sim)
{
    ZN_ALIVE(sim);
    if (!sim)
        return 0;
    const zn_certificate *c = &sim->certificate;
    const zn_limits      *limits = &sim->def.limits;
    int                   refused = 0;
#define REFUSE(name, label, unit, ...)                                                                                 \
    if (isnan(c->name.value) && !isnan(limits->name))                                                                  \
        refused += refuse(c, &c->name, label, unit, limits->name, &sim->def.log);
    ZN_WORST_LIST(REFUSE)
#undef REFUSE
    return refused;
}

static int check(const zn_certificate *c, const zn_worst *worst, const char *name, const char *unit, double limit,
                 const zn_system *sys, const zn_log *log)
{
    if (isnan(limit) || worst->value <= limit)
        return 0;
    if (isnan(worst->value))
        return refuse(c, worst, name, unit, limit, log);
    const char *contact = !zn_contact_id_is_none(worst->contact) ? zn_contact_name(sys, worst->contact) : NULL;
    zn_log_write(log, ZN_LOG_ERROR, "limit broken: %s %.3g%s%s exceeds %.3g at t = %.6g s%s%s%s", name, worst->value,
                 *unit ? " " : "", unit, limit, worst->time, contact ? " (contact '" : "", contact ? contact : "",
                 contact ? "')" : "");
    return 1;
}

static void warn_of_created(const zn_certificate *c, const zn_system *sys, const zn_log *log)
{
    const char *contact =
        !zn_contact_id_is_none(c->energy_created.contact) ? zn_contact_name(sys, c->energy_created.contact) : NULL;
    double sum = 0;
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        sum += c->gave[i];
    zn_log_write(log, ZN_LOG_WARNING,
                 "energy created: %.3g J, %.3g of the energy that moves; contacts gave %.3g J, projection %.3g J, "
                 "joints %.3g J, the scheme %.3g J; most at t = %.6g s by '%s%s%s'. %s, or set limits: "
                 "{energy_created: ...}",
                 sum, c->energy_created.value, c->gave[ZN_LEDGER_CONTACT], c->gave[ZN_LEDGER_PROJECTION],
                 c->gave[ZN_LEDGER_JOINT], c->gave[ZN_LEDGER_NUMERICAL], c->energy_created.time,
                 zn_ledger_name(c->created_line), contact ? "' of '" : "", contact ? contact : "",
                 c->created_line == ZN_LEDGER_CONTACT ? "Take approach: end where the scheme has it, or smaller steps"
                                                      : "Take smaller steps or another scheme");
}

static void warn_of_turned(const zn_certificate *c, const zn_log *log)
{
    zn_log_write(
        log, ZN_LOG_WARNING,
        "constraint energy: joints and contacts that stay closed took or gave %.3g J by turning within steps, "
        "%.3g of the energy that moves, until t = %.6g s; they do no work. It falls with the step: take smaller "
        "ones, nsga or energy_momentum for joints, or set limits: {constraint: ...}",
        c->constraint.value * c->energy_moved, c->constraint.value, c->constraint.time);
}

// Parts stand where their velocities do not bring them.
static void warn_of_reach(const zn_certificate *c, const zn_system *sys, const zn_log *log)
{
    const char *contact = zn_contact_id_is_none(c->reach.contact) ? "?" : zn_contact_name(sys, c->reach.contact);
    if (zn_certificate_reaches_far(c))
        zn_log_write(
            log, ZN_LOG_WARNING,
            "position correction: in the step to t = %.6g s it moved the sides of '%s' %.3g times as far as the gaps "
            "that it closed: positions are not those of the velocities, which no energy shows. Take smaller steps "
            "or another scheme, or set limits: {reach: ...}",
            c->reach.time, contact, c->reach.value);
}

// What the lines of the ledger do not account for: forces that jump between steps, or a mistake of the program.
static void warn_of_closure(const zn_certificate *c, const zn_log *log)
{
    const double much = 1e-3;
    if (c->closure.value > much)
        zn_log_write(
            log, ZN_LOG_WARNING,
            "the energy ledger does not close: %.3g of its changes in the step to t = %.6g s are in no line. Take "
            "smaller steps or another scheme, or set limits: {closure: ...}",
            c->closure.value, c->closure.time);
}

// Deeper than half of a part is nearer to its other side, by which it may have come out.
static void warn_of_depth(const zn_certificate *c, const zn_system *sys, const zn_log *log)
{
    zn_contact_id id = c->penetration.contact;
    if (zn_contact_id_is_none(id))
        return;
    const zn_contact_rule *rule = &sys->model->rule[zn_contact_id_rule(id)];
    if (!rule->ops->pair)
        return;
    zn_contact_pair pair = rule->ops->pair(rule->parameter, zn_contact_key_of(id, 0));
    if (pair.thin > 0 && c->penetration.value > pair.thin / 2)
        zn_log_write(log, ZN_LOG_WARNING,
                     "contact '%s': at t = %.6g s '%s' and '%s' are %.3g m inside each other, and one of them is only "
                     "%.3g m thick: they may have passed through. Take smaller steps, or a plane that nothing passes, "
                     "or set limits: {penetration: ...}",
                     rule->name, c->penetration.time, pair.name[0], pair.name[1], c->penetration.value, pair.thin);
}

bool zn_certificate_reaches_far(const zn_certificate *c) { return c && c->reach.value > ZN_REACH_FAR; }

int zn_certificate_check(const zn_certificate *c, const zn_limits *limits, const zn_system *sys, const zn_log *log)
{
    ZN_ALIVE(sys);
    if (!c || !limits)
        return 0;
    ZN_ASSERT(c && limits);
    int broken = 0;
#define CHECK(name, label, unit, ...) broken += check(c, &c->name, label, unit, limits->name, sys, log);
    ZN_WORST_LIST(CHECK)
#undef CHECK
    if (isnan(limits->energy_created) && zn_certificate_is_created(c))
        warn_of_created(c, sys, log);
    if (isnan(limits->constraint) && zn_certificate_is_turned(c))
        warn_of_turned(c, log);
    if (isnan(limits->closure))
        warn_of_closure(c, log);
    if (isnan(limits->reach))
        warn_of_reach(c, sys, log);
    if (isnan(limits->penetration))
        warn_of_depth(c, sys, log);
    return broken;
}
