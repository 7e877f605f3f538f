// Energy from nowhere: what contacts, position projection, joints that nobody moves and the scheme itself gave, of the
// energy that moves.
//
// Contacts that act on each other can only take: the work of such a group counts where it is positive, friction with
// the normal force it belongs to (only their sum is the work of the contact force; system/contact_works.h). Projection,
// joints and the scheme's own line go up and down within every vibration; what they gave is the largest rise of their
// sum over time, max over s < t of L(t) - L(s): an oscillation counts once, rounding hardly, and what was dissipated
// before does not hide what is created later.
//
// And what directions of joints and lasting contacts took or gave only by turning within steps: see add_turned.
//
// The energy that moves is the largest kinetic energy and the range of strain energy and gravity so far. In a model at
// rest all of that is rounding: work of contact and joint forces on the tolerance of gaps, step by step, is added to
// it, and 1e-11 of the potentials, which are not known better.
#include <math.h>

#include "base/seldom.h"
#include "model/model.h"
#include "sim/sim.h"

static const zn_ledger_line own_lines[ZN_CREATED_LINES] = {ZN_LEDGER_PROJECTION, ZN_LEDGER_NUMERICAL, ZN_LEDGER_JOINT};

// Does a joint follow a prescribed motion? Its work is real, and the ledger has one line for all joints.
static bool is_driven(const zn_model *model)
{
    for (int i = 0; i < model->rules; i++)
        if (model->rule[i].ops->driven && model->rule[i].ops->driven(model->rule[i].parameter))
            return true;
    return false;
}

// fmin and fmax are calls into the mathematics library, eight in every step.
static void keep_less(double *least, double value) { *least = value < *least ? value : *least; }
static void keep_more(double *most, double value) { *most = value > *most ? value : *most; }

void zn_created_start(zn_sim *sim)
{
    zn_created *x = &sim->created;
    double      potential = sim->stored_start[ZN_LEDGER_STRAIN] + sim->stored_start[ZN_LEDGER_GRAVITY];
    *x = (zn_created){.lines = is_driven(sim->sys->model) ? 2 : 3,
                      .kinetic = sim->stored_start[ZN_LEDGER_KINETIC],
                      .slowest = sim->stored_start[ZN_LEDGER_KINETIC],
                      .lowest = potential,
                      .highest = potential};
    sim->certificate.created_line = ZN_LEDGER_LINES;
}

// The step that gave most is the one to look at.
ZN_APART static void keep_culprit(zn_sim *sim, zn_ledger_line line, double gave, zn_contact_id contact)
{
    zn_certificate *c = &sim->certificate;
    if (!(gave > sim->created.most))
        return;
    sim->created.most = gave;
    c->created_line = line;
    c->energy_created.time = sim->state->t;
    c->energy_created.contact = contact;
}

static void add_contacts(zn_sim *sim)
{
    const zn_step_info *s = &sim->last;
    zn_created         *x = &sim->created;
    double             *gave = &sim->certificate.gave[ZN_LEDGER_CONTACT];
    x->contact += s->contact_gave;
    if (s->active == 0 && x->contact < 0)
        x->contact = 0; // what impacts took that are over is gone
    if (!(x->contact > *gave))
        return;
    keep_culprit(sim, ZN_LEDGER_CONTACT, x->contact - *gave, s->giver_gave > 0 ? s->giver : zn_contact_id_none());
    *gave = x->contact;
}

static void add_line(zn_sim *sim, int k)
{
    zn_certificate *c = &sim->certificate;
    zn_created     *x = &sim->created;
    zn_ledger_line  line = own_lines[k];
    double          change = sim->last.ledger[line];
    x->sum[k] += change;
    keep_less(&x->least[k], x->sum[k]);
    if (fabs(x->sum[k]) > x->size[k] && line != ZN_LEDGER_JOINT) {
        x->size[k] = fabs(x->sum[k]);
        (k == 0 ? &c->projection : &c->numerical)->time = sim->state->t;
    }
    if (!(x->sum[k] - x->least[k] > c->gave[line]))
        return;
    keep_culprit(sim, line, change, zn_contact_id_none());
    c->gave[line] = x->sum[k] - x->least[k];
}

static double push_of(const zn_contact_set *set)
{
    double sum = 0;
    for (int i = 0; i < set->count; i++)
        sum += fabs(set->impulse[i * set->stride]);
    return sum;
}

static void add_motion(zn_sim *sim, double h)
{
    zn_created *x = &sim->created;
    double      push = zn_system_sum(sim->sys, push_of(sim->state->contacts));
    x->rounding += push / h * sim->def.scheme.gap_tolerance;
    if (sim->state->whole) {
        double potential = sim->last.ledger[ZN_LEDGER_STRAIN] + sim->last.ledger[ZN_LEDGER_GRAVITY];
        keep_more(&x->kinetic, sim->last.ledger[ZN_LEDGER_KINETIC]);
        keep_less(&x->slowest, sim->last.ledger[ZN_LEDGER_KINETIC]);
        keep_less(&x->lowest, potential);
        keep_more(&x->highest, potential);
    }
    double level = fabs(x->lowest);
    keep_more(&level, fabs(x->highest));
    sim->certificate.energy_changed = x->kinetic - x->slowest + (x->highest - x->lowest);
    sim->certificate.energy_moved = x->kinetic + (x->highest - x->lowest) + x->rounding + 1e-11 * level;
}

// What jumps of the velocity owe; schemes without them do not tell.
static void add_debt(zn_sim *sim)
{
    double debt = fabs(sim->last.jump_debt);
    if (isnan(debt))
        sim->certificate.debt.value = NAN;
    if (!(debt > sim->created.debt))
        return;
    sim->created.debt = debt;
    sim->certificate.debt.time = sim->state->t;
}

// What directions of joints and contacts, turned within steps, took or gave.
static void add_turned(zn_sim *sim)
{
    zn_certificate *c = &sim->certificate;
    zn_created     *x = &sim->created;
    x->turned += sim->last.turned_work;
    if (!(fabs(x->turned) > x->most_turned))
        return;
    x->most_turned = fabs(x->turned);
    c->constraint.time = sim->state->t;
}

void zn_created_account(zn_sim *sim, double h)
{
    zn_certificate *c = &sim->certificate;
    add_contacts(sim);
    for (int k = 0; k < sim->created.lines; k++)
        add_line(sim, k);
    add_motion(sim, h);
    add_debt(sim);
    add_turned(sim);
    double sum = c->gave[ZN_LEDGER_CONTACT] + c->gave[ZN_LEDGER_PROJECTION] + c->gave[ZN_LEDGER_JOINT] +
                 c->gave[ZN_LEDGER_NUMERICAL];
    double       moved = c->energy_moved > 0 ? c->energy_moved : 1; // nothing moved: nothing was given
    const double rounding = 1e-12;                                  // of contacts that rest
    c->energy_created.value = sum / moved;
    c->projection.value = sim->created.size[0] / moved;
    c->numerical.value = sim->created.size[1] / moved;
    if (!isnan(c->constraint.value))
        c->constraint.value = sim->created.most_turned > rounding * moved ? sim->created.most_turned / moved : 0;
    if (!isnan(c->debt.value))
        c->debt.value = sim->created.debt / moved;
}

bool zn_certificate_is_created(const zn_certificate *c)
{
    if (!c)
        return false;
    return c->gave[ZN_LEDGER_CONTACT] > ZN_CREATED_BY_CONTACTS * c->energy_moved ||
           c->energy_created.value > ZN_CREATED_AT_ALL;
}

// What loads, motors and drives have brought in all. In a machine that runs for long it is more than what moves.
static double entered(const zn_certificate *c, double turned)
{
    double driven = fabs(c->ledger[ZN_LEDGER_JOINT]) - turned;
    return fabs(c->ledger[ZN_LEDGER_LOAD]) + fabs(c->ledger[ZN_LEDGER_MOTOR]) + (driven > 0 ? driven : 0);
}

bool zn_certificate_is_turned(const zn_certificate *c)
{
    if (!c || !(c->constraint.value > 0))
        return false;
    double turned = c->constraint.value * c->energy_moved, more = entered(c, turned);
    return turned > ZN_TURNED_AT_ALL * (c->energy_moved + more) ||
           (turned > ZN_TURNED_LITTLE * (c->energy_moved + more) &&
            turned > ZN_TURNED_CHANGE * (c->energy_changed + more));
}
