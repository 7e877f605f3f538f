// Energies, works and results of contacts at the end of a step of cd_lagrange.c, whose head has the equations.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/team.h"
#include "base/wide.h"
#include "scheme/cd_lagrange.h"
#include "scheme/scheme.h"
#include "constraint/delassus.h"
#include "system/restitution.h"
#include "system/system.h"

// Powers of the impulses over the step on the velocities of their rows, before and after the kick.
static void row_powers(cd_lagrange *s, double factor)
{
    const zn_contact_set *set = s->contacts;
    double                first[WORKS] = {0}, last[WORKS] = {0};
    for (int i = 0, k = 0; i < set->count; i++)
        for (int r = 0; r < set->stride; r++, k++) {
            int kind = set->bilateral[i] ? JOINT : r == 0 ? CONTACT : FRICTION;
            first[kind] += s->P[k] * set->approach[k];
            last[kind] += s->P[k] * set->velocity[k];
        }
    double force = factor / s->h; // of an impulse
    for (int kind = CONTACT; kind <= JOINT; kind++) {
        s->works.end[kind] = force * first[kind];
        s->works.next[kind] = force * last[kind];
    }
}

// What is summed over the degrees of freedom, with the velocities before (a) and after (b) the kick.
enum { FORCES = 4, VECTORS = 7 };
enum { JUMP = 2 * FORCES, MEAN, SUMS }; // forces on a, on b; (b - a).M (b - a); m.M m with m = (a + b)/2

_Static_assert((int)SUMS == (int)CD_SUMS, "room for the sums of a slice");

// The vectors, as pointers of their own: an array of them would be worked on in vectors, too.
typedef struct vectors {
    const double *before, *after, *strain, *gravity, *load, *damper, *mass;
} vectors;

// Four degrees of freedom from i on; m into v.
ZN_INLINE void add_four(vectors x, int i, zn_four sum[SUMS], double *v)
{
#define AT(vector) (*(const zn_four *)(x.vector + i))
    zn_four a = AT(before), b = AT(after), M = AT(mass),
            force[FORCES] = {AT(strain), AT(gravity), AT(load), AT(damper)};
    for (int k = 0; k < FORCES; k++) {
        sum[k] += force[k] * a;
        sum[FORCES + k] += force[k] * b;
    }
    zn_four jump = b - a, mean = 0.5 * (a + b);
    sum[JUMP] += M * jump * jump;
    sum[MEAN] += M * mean * mean;
    *(zn_four *)v = mean;
#undef AT
}

// One pass, in vectors; what is left at the end is filled with zeros. v: gets m.
ZN_WIDE static void add_all(int n, vectors x, double *restrict v, double out[SUMS])
{
    zn_four sum[SUMS] = {{0}};
    int     whole = n / 4 * 4;
    for (int i = 0; i < whole; i += 4)
        add_four(x, i, sum, v + i);
    double rest[VECTORS][4] = {{0}}, last[4];
    for (int i = whole; i < n; i++) {
        const double own[VECTORS] = {x.before[i], x.after[i],  x.strain[i], x.gravity[i],
                                     x.load[i],   x.damper[i], x.mass[i]};
        for (int k = 0; k < VECTORS; k++)
            rest[k][i - whole] = own[k];
    }
    add_four((vectors){rest[0], rest[1], rest[2], rest[3], rest[4], rest[5], rest[6]}, 0, sum, last);
    for (int i = whole; i < n; i++)
        v[i] = last[i - whole];
    for (int k = 0; k < SUMS; k++)
        out[k] = zn_four_sum(&sum[k]);
}

typedef struct power_work {
    vectors x;
    double *v, *out;
} power_work;

static void add_slice(void *user, int k, int first, int last)
{
    const power_work *w = user;
    vectors           x = w->x;
    const double    **vector[VECTORS] = {&x.before, &x.after, &x.strain, &x.gravity, &x.load, &x.damper, &x.mass};
    for (int i = 0; i < VECTORS; i++)
        *vector[i] += first;
    add_all(last - first, x, w->v + first, w->out + SUMS * k);
}

// What triads with an inertia of their own add to x.M x with x = p a + q b.
static double triads_square(const zn_lumped_mass *m, double p, const double *a, double q, const double *b)
{
    ZN_ASSERT(a && b);
    double sum = 0;
    for (int k = 0; k < m->triads; k++) {
        const int *dof = m->triad[k].dof;
        double     x[3];
        for (int i = 0; i < 3; i++)
            x[i] = p * a[dof[i]] + q * b[dof[i]];
        zn_vec3 own = {x[0], x[1], x[2]};
        sum += zn_vec3_dot(own, zn_mat3_apply(m->triad[k].own, own));
    }
    return sum;
}

// Of the forces of this process, on velocities; zn_system_dot without the others.
static double power(const cd_lagrange *s, const double *force, const double *v)
{
    double sum = 0;
    for (int i = 0; i < s->sys->mechanical; i++)
        sum += force[i] * v[i];
    return sum;
}

// Powers of the forces before and after the kick, W.M W with W = factor (next - before), the mean v' and its kinetic
// energy.
static void force_powers(cd_lagrange *s, const double *before, double factor)
{
    static const int work[FORCES] = {STRAIN, GRAVITY, LOAD, DAMPER};
    power_work       w = {.x = {before, s->next, s->force.strain, s->sys->gravity_force,
                          s->kinds.load ? s->force.load : s->force.zero,
                          s->kinds.damper ? s->force.damper : s->force.zero, s->mass.own},
                          .v = s->v,
                          .out = s->works.slice};
    double           sum[SUMS] = {0};
    zn_team_slice(s->contact.team, s->n, add_slice, &w); // fixed degrees of freedom stay at rest
    for (int k = 0; k < SUMS * zn_slices(s->n); k++)
        sum[k % SUMS] += s->works.slice[k];
    sum[JUMP] += triads_square(&s->mass, -1, before, 1, s->next);
    sum[MEAN] += triads_square(&s->mass, 0.5, before, 0.5, s->next);
    for (int k = 0; k < FORCES; k++) {
        s->works.end[work[k]] = sum[k];
        s->works.next[work[k]] = sum[FORCES + k];
    }
    s->works.end[GYROSCOPIC] = s->kinds.gyroscopic ? power(s, s->force.gyroscopic, before) : 0;
    s->works.next[GYROSCOPIC] = s->kinds.gyroscopic ? power(s, s->force.gyroscopic, s->next) : 0;
    s->works.end[GROWTH] = s->works.next[GROWTH] = s->force.growth;
    s->works.next_square = factor * factor * sum[JUMP];
    s->energy.kinetic = 0.5 * sum[MEAN];
}

// Powers of the links on the velocities before and after the kick.
ZN_WIDE static void link_powers(const cd_lagrange *s, double *first, double *last)
{
    const double *link = s->coupling.force, *before = s->coupling.before, *after = s->coupling.after;
    zn_four       a = {0}, b = {0};
    double        rest[2] = {0, 0};
    int           n = s->coupling.links.count, i = 0;
    for (; i + 4 <= n; i += 4) {
        zn_four own = *(const zn_four *)(link + i);
        a += own * *(const zn_four *)(before + i);
        b += own * *(const zn_four *)(after + i);
    }
    for (; i < n; i++) {
        rest[0] += link[i] * before[i];
        rest[1] += link[i] * after[i];
    }
    *first = zn_four_sum(&a) + rest[0];
    *last = zn_four_sum(&b) + rest[1];
}

// From sums over this process to sums over all of them, at once: a message takes as long for one number as for some.
static void add_processes(cd_lagrange *s)
{
    zn_energy *energy = &s->energy;
    double     sum[2 * WORKS + 4] = {s->works.next_square, energy->kinetic, energy->strain, energy->gravity};
    if (!s->sys->reductions.sum)
        return;
    memcpy(sum + 4, s->works.end, sizeof s->works.end);
    memcpy(sum + 4 + WORKS, s->works.next, sizeof s->works.next);
    zn_system_sums(s->sys, sum, 2 * WORKS + 4);
    s->works.next_square = sum[0];
    *energy = (zn_energy){sum[1], sum[2], sum[3]};
    memcpy(s->works.end, sum + 4, sizeof s->works.end);
    memcpy(s->works.next, sum + 4 + WORKS, sizeof s->works.next);
}

void cd_lagrange_carry(cd_lagrange *s, const double *before, double factor)
{
    force_powers(s, before, factor);
    row_powers(s, factor);
    link_powers(s, &s->works.end[LINK], &s->works.next[LINK]);
    s->energy.strain = s->force.strain_energy;
    s->energy.gravity = zn_system_gravity_potential(s->sys, s->q);
    add_processes(s);
}

// M^-1 [F].[F] of a slice
static void add_change(void *user, int k, int first, int last)
{
    const cd_lagrange *s = user;
    double             sum = 0;
    for (int i = first; i < last; i++) {
        double change = s->force.strain[i] - s->force.last_strain[i];
        sum += s->mass.inverse[i] * change * change;
    }
    s->works.slice[k] = sum;
}

// The same where other processes have a share in [F].
static double change_of_all(const cd_lagrange *s)
{
    double *change = s->force.work, sum = 0;
    for (int i = 0; i < s->n_all; i++)
        change[i] = s->force.strain[i] - s->force.last_strain[i];
    s->sys->halo->assemble(s->sys->halo->user, change);
    for (int i = 0; i < s->n; i++)
        sum += s->mass.inverse[i] * change[i] * (s->force.strain[i] - s->force.last_strain[i]);
    return zn_system_sum(s->sys, sum);
}

// Square of the frequency that the step met. With [F] = -K [q] it is |K [q]|^2 / [q].K [q], norm by M^-1, at most that
// of the highest mode; unlike energies it sees the highest modes most, and nothing of what is strained and rests. 0:
// the work of [F] is but rounding, or the force before is not known.
static double frequency_met(const cd_lagrange *s)
{
    double work = s->h * (s->works.begin[STRAIN] - s->works.end[STRAIN]), sum = 0;
    if (s->watch.since == 0 || !(work > 1e-12 * fabs(s->energy.strain)))
        return 0;
    if (s->sys->halo)
        return change_of_all(s) / work;
    zn_team_slice(s->contact.team, s->n, add_change, (void *)s);
    for (int k = 0; k < zn_slices(s->n); k++)
        sum += s->works.slice[k];
    return zn_system_sum(s->sys, sum) / work;
}

// Kinetic energy of what mass_scaling adds.
static double added_energy(const cd_lagrange *s, const double *v)
{
    double sum = 0;
    for (int i = 0; i < s->n && s->added.mass; i++)
        sum += 0.5 * s->added.mass[i] * v[i] * v[i];
    return zn_system_sum(s->sys, sum);
}

// The ledger is that of the model: what moves the added mass is lent, and given back when it stops.
static void book_added(cd_lagrange *s, const zn_state *from)
{
    double now = added_energy(s, s->v);
    s->info->added_mass = s->added.total;
    s->energy.kinetic -= now;
    s->info->ledger[ZN_LEDGER_KINETIC] -= now;
    s->info->ledger[ZN_LEDGER_COMPLEMENTARY] -= now - added_energy(s, from->v);
}

zn_status cd_lagrange_book(cd_lagrange *s, const zn_state *from)
{
    zn_energy *energy = &s->energy;
    double    *ledger = s->info->ledger, work[WORKS];
    cd_lagrange_carry(s, s->start, 1);
    s->watch.next_met = s->watch.search ? frequency_met(s) : 0;
    for (int k = 0; k < WORKS; k++)
        work[k] = 0.5 * s->h * (s->works.begin[k] + s->works.end[k]);
    ledger[ZN_LEDGER_KINETIC] = energy->kinetic;
    ledger[ZN_LEDGER_STRAIN] = energy->strain;
    ledger[ZN_LEDGER_GRAVITY] = energy->gravity;
    ledger[ZN_LEDGER_LOAD] = work[LOAD] + work[GROWTH];
    ledger[ZN_LEDGER_DAMPER] = work[DAMPER];
    ledger[ZN_LEDGER_CONTACT] = work[CONTACT];
    ledger[ZN_LEDGER_FRICTION] = work[FRICTION];
    ledger[ZN_LEDGER_JOINT] = work[JOINT];
    ledger[ZN_LEDGER_COMPLEMENTARY] = (s->works.next_square - s->works.begin_square) / 8;
    s->works.link = work[LINK];
    if (s->added.mass)
        book_added(s, from);
    // potentials against the work of their forces by the trapezoidal rule: nothing for linear ones
    ledger[ZN_LEDGER_NUMERICAL] = energy->strain - from->energy.strain + work[STRAIN] + energy->gravity -
                                  from->energy.gravity + work[GRAVITY] + work[GYROSCOPIC] - work[GROWTH];
    return isfinite(energy->kinetic + energy->strain + energy->gravity) ? ZN_OK : ZN_NOT_FINITE;
}

static double larger(double x, double y) { return x > y ? x : y; }

// What the contacts of all processes gave and took.
static void add_efforts(cd_lagrange *s)
{
    zn_step_info *info = s->info;
    int          *count[] = {&info->solver_iterations, &info->failed_solves, &info->failed_iterations,
                             &info->unfinished_impacts};
    double        sum[1 + sizeof count / sizeof *count] = {info->contact_gave};
    int           counts = (int)(sizeof count / sizeof *count);
    for (int i = 0; i < counts; i++)
        sum[1 + i] = *count[i];
    zn_system_sums(s->sys, sum, 1 + counts);
    info->contact_gave = sum[0];
    for (int i = 0; i < counts; i++)
        *count[i] = (int)sum[1 + i];
}

// P (U+ - U*)/2 over the rows of a contact.
static double work_beyond_law(const cd_lagrange *s, int i)
{
    const zn_contact_set *set = s->contacts;
    int                   row = i * set->stride;
    double                sum = 0.5 * s->P[row] * zn_islands_beyond(&s->contact, set, row);
    for (int k = row + 1; k < row + set->stride; k++)
        sum += 0.5 * s->P[k] * (set->velocity[k] + zn_restitution(set, k, set->approach[row]) * set->approach[k]);
    return sum;
}

void cd_lagrange_book_contacts(cd_lagrange *s)
{
    zn_contact_set *set = s->contacts;
    double          violation = 0, joint = 0;
    zn_contact_works_begin(set);
    for (int i = 0, k = 0; i < set->count; i++, k += set->stride) {
        double work = 0, pushes = 0; // of the kick
        for (int r = 0; r < set->stride; r++) {
            set->projection[k + r] = 0;
            set->impulse[k + r] = s->P[k + r];
            work += 0.5 * s->P[k + r] * (set->approach[k + r] + set->velocity[k + r]);
            pushes += fabs(s->P[k + r]);
        }
        bool law = s->active[i] && !set->bilateral[i];
        if (pushes > 0)
            zn_contact_works_add(set, i, s->active[i] ? work - zn_impact_excess(&s->contact.impact, i) : work,
                                 law ? work_beyond_law(s, i) : work);
        if (set->bilateral[i])
            joint = larger(joint, fabs(set->velocity[k] + s->target[i]));
        else if (s->active[i])
            violation = larger(violation, -zn_islands_beyond(&s->contact, set, k));
    }
    double worst[3] = {violation, joint, s->info->complementarity};
    zn_step_info_add_works(s->info, set, s->sys);
    s->info->unfinished_impacts = s->info->active > 0 ? s->contact.unfinished : 0;
    add_efforts(s);
    zn_system_maxima(s->sys, worst, 3);
    s->info->velocity_violation = worst[0];
    s->info->joint_velocity = worst[1];
    s->info->complementarity = worst[2];
}

void cd_lagrange_react(cd_lagrange *s, const double *sum, zn_state *state)
{
    for (int i = s->n; i < s->n_all; i++)
        s->force.still[i] = s->past.last_h * sum[i];
    zn_islands_react(&s->contact, state->contacts, state->contacts->impulse, s->force.still);
    for (int i = s->n; i < s->n_all; i++)
        state->reaction[i - s->n] = -s->force.still[i];
}
