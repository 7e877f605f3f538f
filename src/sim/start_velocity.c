// Velocities at the start that joints do not allow. The first step removes them by impulses, in any scheme; whoever
// gave a crank its speed and forgot the rod wants to know that his mechanism began with a blow, after which
// accelerations and reactions of schemes without damping ring for the whole run.
#include <math.h>
#include <stdio.h>

#include "sim/sim.h"

// Of the velocities that meet in an equation: what data of two digits leave is no mistake. Of the largest ones:
// rounding.
static const double usual = 1e-2, rounding = 1e-9;

// Velocity of an equation that should have none, and the sum of the sizes of what meets in it.
static double velocity_of(const zn_contact_set *set, int contact, const double *v, double *size)
{
    int    row = contact * set->stride;
    double sum = set->rate[contact];
    *size = fabs(sum);
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++) {
        double part = set->row_value[e] * v[set->row_dof[e]];
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

static double largest(const zn_contact_set *set, const double *v)
{
    double most = 0, size;
    for (int i = 0; i < set->count; i++)
        if (set->bilateral[i]) {
            velocity_of(set, i, v, &size);
            most = fmax(most, size);
        }
    return most;
}

typedef struct worst_row {
    double velocity;
    int    contact, others; // -1: none; equations beside it
} worst_row;

static worst_row find_worst(const zn_contact_set *set, const double *v)
{
    worst_row worst = {0, -1, -1};
    double    least = rounding * largest(set, v), size;
    for (int i = 0; i < set->count; i++) {
        double u = set->bilateral[i] ? fabs(velocity_of(set, i, v, &size)) : 0;
        if (u <= least || u <= usual * size)
            continue;
        worst.others++;
        if (u > worst.velocity)
            worst.velocity = u, worst.contact = i;
    }
    return worst;
}

void zn_start_velocities(const zn_sim *sim)
{
    const zn_contact_set *set = sim->state->contacts;
    worst_row             worst = find_worst(set, sim->state->v);
    char                  more[64] = "";
    if (worst.contact < 0)
        return;
    zn_contact_id          id = set->id[worst.contact];
    const zn_contact_rule *rule = &sim->sys->model->rule[zn_contact_id_rule(id)];
    bool turning = rule->ops->angular && rule->ops->angular(rule->parameter, (int)zn_contact_id_number(id));
    if (worst.others > 0)
        snprintf(more, sizeof more, " (and %d equation%s more)", worst.others, worst.others > 1 ? "s" : "");
    zn_log_write(
        &sim->def.log, ZN_LOG_WARNING,
        "joint '%s': velocities at the start contradict it by %.3g %s%s; the first step changes them as a blow "
        "would. All bodies of a mechanism need the velocities that they have together",
        rule->name, worst.velocity, turning ? "rad/s" : "m/s", more);
}
