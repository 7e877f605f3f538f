// Recordable quantities of contacts and of the equations of joints.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sim/quantity.h"
#include "system/contact_pressure.h"
#include "system/contact_rows.h"

static const char *only_contacts(const zn_sim *sim, int rule) { return zn_quantity_is_joint(sim, rule) ? NULL : ""; }

// With friction against rolling and spinning: in the plane one row of each kind, in space two of rolling.
static const char *turning_rows(const zn_contact_rule *r)
{
    static const char *const space[] = {"", "normal tangent tangent_2 spinning",
                                        "normal tangent tangent_2 rolling rolling_2",
                                        "normal tangent tangent_2 rolling rolling_2 spinning"};
    return r->rows == 3 ? "normal tangent rolling" : space[r->turns];
}

// Contacts: the normal, with friction also the tangents. Joints: one column per equation.
static const char *rows_of(const zn_sim *sim, int rule)
{
    static const char *const contact[] = {"", "", "normal tangent", "normal tangent tangent_2"};
    static const char *const joint[] = {"", "", "1 2", "1 2 3", "1 2 3 4", "1 2 3 4 5", "1 2 3 4 5 6"};
    const zn_contact_rule   *r = &sim->sys->model->rule[rule];
    if (!zn_quantity_is_joint(sim, rule))
        return r->turns > 0 ? turning_rows(r) : contact[r->rows];
    return r->ops->components ? r->ops->components(r->parameter) : joint[r->max_contacts < 6 ? r->max_contacts : 6];
}

// The contact of a rule with the smallest gap; -1 when none is near.
static int nearest(const zn_sim *sim, int rule)
{
    ZN_ASSERT(rule >= 0 && rule < sim->sys->model->rules);
    const zn_contact_set *set = sim->state->contacts;
    int                   found = -1;
    for (int i = 0; i < set->count; i++)
        if (zn_contact_id_rule(set->id[i]) == rule && (found < 0 || set->gap[i] < set->gap[found]))
            found = i;
    return found;
}

// One value per equation of a joint.
static void joint_values(const zn_sim *sim, int rule, const double *values, int stride, double factor, double *out)
{
    const zn_contact_set *set = sim->state->contacts;
    for (int i = 0; i < set->count; i++)
        if (zn_contact_id_rule(set->id[i]) == rule)
            *out++ = factor * values[i * stride];
}

// Column of row r of contact i: where its own law has no rolling but that of others of the rule has, spinning comes
// earlier in its rows.
static int column_of(const zn_contact_rule *rule, const zn_contact_set *set, int i, int r)
{
    int own = rule->rows - rule->turns, rolls = set->turns[i] % 4;
    return r >= own && rolls == 0 && rule->turns > 1 ? r + rule->turns - 1 : r;
}

// Impulses of a rule: of each equation of a joint; of a contact by rows, summed when it has several places.
static zn_status impulses(const zn_sim *sim, int rule, double factor, double *out)
{
    const zn_contact_set  *set = sim->state->contacts;
    const zn_contact_rule *of = &sim->sys->model->rule[rule];
    if (zn_quantity_is_joint(sim, rule)) {
        joint_values(sim, rule, set->impulse, set->stride, factor, out);
        return ZN_OK;
    }
    memset(out, 0, sizeof *out * (size_t)of->rows);
    for (int i = 0; i < set->count; i++)
        for (int r = 0; zn_contact_id_rule(set->id[i]) == rule && r < zn_contact_row_count(set, i); r++)
            out[column_of(of, set, i, r)] += factor * set->impulse[i * set->stride + r];
    return ZN_OK;
}

static zn_status contact_gap(const zn_sim *sim, int rule, double *out)
{
    int i = nearest(sim, rule);
    *out = i >= 0 ? sim->state->contacts->gap[i] : NAN;
    if (zn_quantity_is_joint(sim, rule))
        joint_values(sim, rule, sim->state->contacts->gap, 1, 1, out);
    return ZN_OK;
}

static zn_status contact_velocity(const zn_sim *sim, int rule, double *out)
{
    const zn_contact_set *set = sim->state->contacts;
    int                   i = nearest(sim, rule);
    if (zn_quantity_is_joint(sim, rule)) {
        joint_values(sim, rule, set->velocity, set->stride, 1, out);
        return ZN_OK;
    }
    const zn_contact_rule *of = &sim->sys->model->rule[rule];
    for (int r = 0; r < of->rows; r++)
        out[r] = NAN;
    for (int r = 0; i >= 0 && r < zn_contact_row_count(set, i); r++)
        out[column_of(of, set, i, r)] = set->velocity[i * set->stride + r];
    return ZN_OK;
}

static zn_status contact_impulse(const zn_sim *sim, int rule, double *out) { return impulses(sim, rule, 1, out); }

bool zn_quantity_find_impulse(const zn_sim *sim, zn_quantity *out)
{
    const zn_contact_set *set = sim->state->contacts;
    int                   found = 0;
    if (out->kind->evaluate != contact_impulse || out->count != 1 || out->map || !sim->sys->fixed_contacts ||
        zn_quantity_is_joint(sim, out->index) || sim->sys->model->rule[out->index].turns > 0)
        return false;
    for (int i = 0; i < set->count; i++)
        if (zn_contact_id_rule(set->id[i]) == out->index) {
            out->place = i * set->stride + (out->component < 0 ? 0 : out->component);
            found++;
        }
    if (found == 1)
        out->direct = ZN_QUANTITY_IMPULSE;
    return found == 1;
}

static zn_status contact_force(const zn_sim *sim, int rule, double *out)
{
    return impulses(sim, rule, sim->last_h > 0 ? 1 / sim->last_h : 0, out);
}

static zn_status contact_projection(const zn_sim *sim, int rule, double *out)
{
    const zn_contact_set *set = sim->state->contacts;
    *out = 0;
    for (int i = 0; i < set->count; i++)
        if (zn_contact_id_rule(set->id[i]) == rule && fabs(set->projection[i * set->stride]) > fabs(*out))
            *out = set->projection[i * set->stride];
    return ZN_OK;
}

// Where the rule acts on faces of solids.
static const char *only_faces(const zn_sim *sim, int rule)
{
    return sim->pressure && zn_contact_pressure_has(sim->pressure, rule) ? "" : NULL;
}

// Of all contacts that act there: two surfaces may push each other with points of both.
static zn_status contact_pressure(const zn_sim *sim, int rule, double *out)
{
    const zn_state *state = sim->state;
    zn_contact_pressure_clear(sim->pressure);
    if (sim->last_h > 0)
        ZN_TRY(zn_contact_pressure_add_set(sim->pressure, state->contacts, state->q, sim->last_h));
    zn_contact_pressure_measure(sim->pressure, state->q);
    *out = zn_contact_pressure_largest(sim->pressure, rule);
    return ZN_OK;
}

static const char *only_friction(const zn_sim *sim, int rule)
{
    return zn_quantity_is_joint(sim, rule) || sim->sys->model->rule[rule].rows < 2 ? NULL : "";
}

zn_status zn_quantity_contact_slip(const zn_sim *sim, int rule, double *out)
{
    return zn_quantity_slip(sim, nearest(sim, rule), out);
}

static const char *gaps_of(const zn_sim *sim, int rule)
{
    return zn_quantity_is_joint(sim, rule) ? rows_of(sim, rule) : "";
}

static const zn_quantity_kind table[] = {
    {"contact", "gap", "m",
     "gap, negative when penetrating, the smallest of several; of a joint: violation of each equation (angles: rad)",
     gaps_of, contact_gap},
    {"contact", "velocity", "m/s", "local velocity where the gap is smallest, normal positive when opening", rows_of,
     contact_velocity},
    {"contact", "impulse", "N s",
     "impulse in the last step, the sum of several; of a joint: on its first body, components below (moments: N m s)",
     rows_of, contact_impulse},
    {"contact", "force", "N",
     "impulse in the last step over its length, the sum of several; of a joint likewise (moments: N m)", rows_of,
     contact_force},
    {"contact", "pressure", "Pa",
     "largest contact pressure at a node of the faces of solids that it acts on: normal forces over the part of the "
     "faces "
     "that belongs to the node",
     only_faces, contact_pressure},
    {"contact", "projection", "m", "multiplier of the position projection, the largest of several", only_contacts,
     contact_projection},
    {"contact", "slip", "m", "length of the tangential displacement in the last step, where the gap is smallest",
     only_friction, zn_quantity_contact_slip},
};

const zn_quantity_list zn_quantity_of_contacts = {sizeof table / sizeof *table, table};
