// What is recorded of joints with play: where the pin is in its hole, what acts on it, how many contacts do.
#include <math.h>

#include "base/assert.h"
#include "model/rigid_row.h"
#include "sim/quantity.h"

static void put(const zn_sim *sim, zn_vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    if (!sim->sys->info.planar)
        out[2] = v.z;
}

static const char *place(const zn_sim *sim, int journal)
{
    (void)journal;
    return sim->sys->info.planar ? "x y size" : "x y z size";
}

// (x_a - x_b), without its part along the axis of b, over the clearance.
static zn_status eccentricity(const zn_sim *sim, int journal, double *out)
{
    const zn_journal *j = &sim->sys->model->journal[journal];
    const double     *q = sim->state->q;
    zn_rigid a = zn_rigid_at(&sim->sys->layout, j->a.node, q), b = zn_rigid_at(&sim->sys->layout, j->b.node, q);
    zn_vec3  d = zn_vec3_sub(zn_rigid_point(&a, j->a.at), zn_rigid_point(&b, j->b.at));
    zn_vec3  axis = zn_rigid_vector(&b, j->axis);
    d = zn_vec3_scale(1 / j->clearance, zn_vec3_sub(d, zn_vec3_scale(zn_vec3_dot(axis, d), axis)));
    put(sim, d, out);
    out[sim->sys->info.planar ? 2 : 3] = zn_vec3_norm(d);
    return ZN_OK;
}

static bool is_of(const zn_journal *j, zn_contact_id id)
{
    int rule = zn_contact_id_rule(id);
    return rule >= j->first && rule < j->first + j->rules;
}

// On the first body. Impulses of contacts that last are along the axes that these have at the end of the step.
static zn_status impulse(const zn_sim *sim, int journal, double factor, double *out)
{
    const zn_journal     *j = &sim->sys->model->journal[journal];
    const zn_contact_set *set = sim->state->contacts;
    zn_vec3               sum = {0, 0, 0};
    for (int i = 0; i < set->count; i++) {
        if (!is_of(j, set->id[i]))
            continue;
        const zn_contact_rule *rule = &sim->sys->model->rule[zn_contact_id_rule(set->id[i])];
        const double          *acted = set->impulse + i * set->stride;
        zn_contact_location    at;
        ZN_ASSERT(rule->ops->locate);
        ZN_TRY(rule->ops->locate(rule->parameter, &sim->sys->layout, zn_contact_key_of(set->id[i], set->piece[i]),
                                 sim->state->q, &at));
        sum = zn_vec3_add(sum, zn_vec3_scale(acted[0], at.normal));
        for (int r = 1; r < rule->rows; r++)
            sum = zn_vec3_add(sum, zn_vec3_scale(acted[r], at.tangent[r - 1]));
    }
    put(sim, zn_vec3_scale(factor, sum), out);
    return ZN_OK;
}

static zn_status play_impulse(const zn_sim *sim, int journal, double *out) { return impulse(sim, journal, 1, out); }

static zn_status play_force(const zn_sim *sim, int journal, double *out)
{
    return impulse(sim, journal, sim->last_h > 0 ? 1 / sim->last_h : 0, out);
}

static zn_status play_closed(const zn_sim *sim, int journal, double *out)
{
    const zn_contact_set *set = sim->state->contacts;
    *out = 0;
    for (int i = 0; i < set->count; i++)
        *out += is_of(&sim->sys->model->journal[journal], set->id[i]) && set->impulse[i * set->stride] > 0;
    return ZN_OK;
}

static const char *axes(const zn_sim *sim, int journal)
{
    (void)journal;
    return sim->sys->info.planar ? "x y" : "x y z";
}

static const char *number(const zn_sim *sim, int journal)
{
    (void)sim, (void)journal;
    return "";
}

static const zn_quantity_kind table[] = {
    {"play", "eccentricity", "",
     "of a joint with play: centre of the pin from that of the hole, across the axis, over the clearance, in world "
     "axes, and its size, 1 at contact",
     place, eccentricity},
    {"play", "force", "N", "impulse in the last step over its length, on the first body, in world axes", axes,
     play_force},
    {"play", "impulse", "N s", "impulse in the last step, on the first body, in world axes", axes, play_impulse},
    {"play", "closed", "", "how many of its contacts pushed in the last step", number, play_closed},
};

const zn_quantity_list zn_quantity_of_plays = {sizeof table / sizeof *table, table};
