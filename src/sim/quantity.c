// Recordable quantities: "object.quantity[.component]". One table names them all; help texts and the reference manual
// read the same table.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "sim/momenta.h"
#include "sim/quantity.h"
#include "system/contact_pressure.h"

enum { MAX_COMPONENTS = ZN_LEDGER_LINES > 8 ? ZN_LEDGER_LINES : 8 };

// --- components ----------------------------------------------------------------------------------

static const char *scalar(const zn_sim *sim, int index)
{
    (void)sim, (void)index;
    return "";
}

static const char *vector(const zn_sim *sim, int index)
{
    (void)index;
    return sim->sys->info.planar ? "x y" : "x y z";
}

// Directions of a node; a generalized coordinate has none.
static const char *node_vector(const zn_sim *sim, int node)
{
    static const char *const names[] = {"", "", "x y", "x y z"};
    return names[zn_node_dimension(sim->sys->layout.node[node].kind)];
}

static const char *axial(const zn_sim *sim, int index)
{
    (void)index;
    return sim->sys->info.planar ? "" : "x y z";
}

static const char *only_frame2(const zn_sim *sim, int node)
{
    return sim->sys->layout.node[node].kind == ZN_FRAME2 ? "" : NULL;
}

static const char *only_frames(const zn_sim *sim, int node)
{
    return sim->sys->layout.node[node].kind == ZN_FRAME3 ? "x y z" : only_frame2(sim, node);
}

static const char *only_frame3(const zn_sim *sim, int node)
{
    return sim->sys->layout.node[node].kind == ZN_FRAME3 ? "w x y z" : NULL;
}

static const char *dofs(const zn_sim *sim, int node)
{
    static const char *const names[] = {"x y", "x y z", "x y rotation", "x y z rotation_x rotation_y rotation_z", ""};
    return names[sim->sys->layout.node[node].kind];
}

static const char *ledger_lines(const zn_sim *sim, int index)
{
    (void)sim, (void)index;
#define WORD(id, name, help) name " "
    return ZN_LEDGER_LIST(WORD);
#undef WORD
}

static const char *stages(const zn_sim *sim, int index)
{
    (void)sim, (void)index;
    return "newton projection activation solver";
}

// --- nodes ---------------------------------------------------------------------------------------

static zn_status position(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
    for (int i = 0; i < zn_node_dimension(node->kind); i++)
        out[i] = origin[i] + sim->state->q[node->q + i];
    return ZN_OK;
}

static zn_status displacement(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    for (int i = 0; i < zn_node_dimension(node->kind); i++)
        out[i] = sim->state->q[node->q + i] - sim->sys->q0[node->q + i];
    return ZN_OK;
}

static zn_status velocity(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    for (int i = 0; i < zn_node_dimension(node->kind); i++)
        out[i] = sim->state->v[node->dof[i]];
    return ZN_OK;
}

// Before the first step nothing has changed; but what is not known stays so.
static double rate(double change, double h) { return h > 0 ? change / h : isnan(change) ? change : 0; }

static zn_status acceleration(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    for (int i = 0; i < zn_node_dimension(node->kind); i++) {
        int    dof = node->dof[i];
        double h = sim->late && sim->late[dof] ? sim->period * sim->last_h : sim->last_h;
        out[i] = rate(sim->state->v[dof] - sim->last_v[dof], h);
    }
    return ZN_OK;
}

static zn_status angle(const zn_sim *sim, int index, double *out)
{
    *out = sim->state->q[sim->sys->layout.node[index].q + 2];
    return ZN_OK;
}

static zn_status rotation(const zn_sim *sim, int index, double *out)
{
    memcpy(out, sim->state->q + sim->sys->layout.node[index].q + 3, 4 * sizeof *out);
    return ZN_OK;
}

static zn_status spin(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    for (int slot = 3; slot < 6; slot++)
        if (node->dof[slot] >= 0)
            *out++ = sim->state->v[node->dof[slot]];
    return ZN_OK;
}

static zn_status reaction(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    for (int slot = 0; slot < 6; slot++) {
        int dof = node->dof[slot];
        if (dof >= 0)
            *out++ = dof >= sim->sys->info.n ? rate(sim->state->reaction[dof - sim->sys->info.n], sim->last_h) : 0;
    }
    return ZN_OK;
}

// --- parts ---------------------------------------------------------------------------------------

static zn_at now(const zn_sim *sim) { return (zn_at){sim->state->q, sim->state->v, sim->state->t, 0}; }

static zn_status part_energy(const zn_sim *sim, int part, zn_energy *out)
{
    if (!sim->scheme)
        return zn_system_part_energy(sim->sys, now(sim), part, out);
    return zn_scheme_part_energy(sim->scheme, sim->sys, sim->state, part, out);
}

static zn_status part_kinetic(const zn_sim *sim, int part, double *out)
{
    zn_energy energy;
    ZN_TRY(part_energy(sim, part, &energy));
    *out = energy.kinetic;
    return ZN_OK;
}

static zn_status part_strain(const zn_sim *sim, int part, double *out)
{
    zn_energy energy;
    ZN_TRY(part_energy(sim, part, &energy));
    *out = energy.strain;
    return ZN_OK;
}

static zn_status part_gravity(const zn_sim *sim, int part, double *out)
{
    zn_energy energy;
    ZN_TRY(part_energy(sim, part, &energy));
    *out = energy.gravity;
    return ZN_OK;
}

static zn_status part_sum(const zn_sim *sim, int part, double *out)
{
    zn_energy energy;
    ZN_TRY(part_energy(sim, part, &energy));
    *out = energy.kinetic + energy.strain + energy.gravity;
    return ZN_OK;
}

// About an axis each, in the plane about z only.
static void put_axial(const zn_sim *sim, zn_vec3 l, double *out)
{
    bool planar = sim->sys->info.planar;
    memcpy(out, planar ? (double[3]){l.z} : (double[3]){l.x, l.y, l.z}, (planar ? 1 : 3) * sizeof(double));
}

static zn_status momenta(const zn_sim *sim, int part, double *linear, double *angular)
{
    zn_vec3 p, l;
    ZN_TRY(zn_system_momentum(sim->sys, now(sim), part, sim->work, &p, &l));
    bool planar = sim->sys->info.planar;
    if (linear) {
        linear[0] = p.x;
        linear[1] = p.y;
        if (!planar)
            linear[2] = p.z;
    }
    if (angular)
        put_axial(sim, l, angular);
    return ZN_OK;
}

static zn_status linear_momentum(const zn_sim *sim, int part, double *out) { return momenta(sim, part, out, NULL); }
static zn_status angular_momentum(const zn_sim *sim, int part, double *out) { return momenta(sim, part, NULL, out); }

static zn_status spin_momentum(const zn_sim *sim, int part, double *out)
{
    zn_momenta m;
    ZN_TRY(zn_momenta_of(sim, part, &m));
    put_axial(sim, m.spin, out);
    return ZN_OK;
}

static zn_status centre(const zn_sim *sim, int part, double *out)
{
    zn_momenta m;
    ZN_TRY(zn_momenta_of(sim, part, &m));
    memcpy(out, (double[3]){m.centre.x, m.centre.y, m.centre.z}, (sim->sys->info.planar ? 2 : 3) * sizeof *out);
    return ZN_OK;
}

// --- contacts and joints -------------------------------------------------------------------------

static const char *only_contacts(const zn_sim *sim, int rule) { return zn_quantity_is_joint(sim, rule) ? NULL : ""; }

// Contacts: the normal, with friction also the tangents. Joints: one column per equation.
static const char *rows_of(const zn_sim *sim, int rule)
{
    static const char *const contact[] = {"", "", "normal tangent", "normal tangent tangent_2"};
    static const char *const joint[] = {"", "", "1 2", "1 2 3", "1 2 3 4", "1 2 3 4 5", "1 2 3 4 5 6"};
    const zn_contact_rule   *r = &sim->sys->model->rule[rule];
    if (!zn_quantity_is_joint(sim, rule))
        return contact[r->rows];
    return r->ops->components ? r->ops->components(r->parameter) : joint[r->max_contacts < 6 ? r->max_contacts : 6];
}

// The contact of a rule with the smallest gap; -1 when none is near.
static int nearest(const zn_sim *sim, int rule)
{
    ZN_ASSERT(rule >= 0 && rule < sim->sys->model->rules);
    const zn_contact_set *set = sim->state->contacts;
    int                   found = -1;
    for (int i = 0; i < set->count; i++)
        if (set->id[i] >> 32 == rule && (found < 0 || set->gap[i] < set->gap[found]))
            found = i;
    return found;
}

// One value per equation of a joint.
static void joint_values(const zn_sim *sim, int rule, const double *values, int stride, double factor, double *out)
{
    const zn_contact_set *set = sim->state->contacts;
    for (int i = 0; i < set->count; i++)
        if (set->id[i] >> 32 == rule)
            *out++ = factor * values[i * stride];
}

// Impulses of a rule: of each equation of a joint; of a contact by rows, summed when it has several places.
static zn_status impulses(const zn_sim *sim, int rule, double factor, double *out)
{
    const zn_contact_set *set = sim->state->contacts;
    int                   rows = sim->sys->model->rule[rule].rows;
    if (zn_quantity_is_joint(sim, rule)) {
        joint_values(sim, rule, set->impulse, set->stride, factor, out);
        return ZN_OK;
    }
    memset(out, 0, sizeof *out * (size_t)rows);
    for (int i = 0; i < set->count; i++)
        for (int r = 0; set->id[i] >> 32 == rule && r < rows; r++)
            out[r] += factor * set->impulse[i * set->stride + r];
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
    for (int r = 0; r < sim->sys->model->rule[rule].rows; r++)
        out[r] = i >= 0 ? set->velocity[i * set->stride + r] : NAN;
    return ZN_OK;
}

static zn_status contact_impulse(const zn_sim *sim, int rule, double *out) { return impulses(sim, rule, 1, out); }

static zn_status contact_force(const zn_sim *sim, int rule, double *out)
{
    return impulses(sim, rule, sim->last_h > 0 ? 1 / sim->last_h : 0, out);
}

static zn_status contact_projection(const zn_sim *sim, int rule, double *out)
{
    const zn_contact_set *set = sim->state->contacts;
    *out = 0;
    for (int i = 0; i < set->count; i++)
        if (set->id[i] >> 32 == rule && fabs(set->projection[i * set->stride]) > fabs(*out))
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

static zn_status contact_slip(const zn_sim *sim, int rule, double *out)
{
    return zn_quantity_slip(sim, nearest(sim, rule), out);
}

static const char *gaps_of(const zn_sim *sim, int rule)
{
    return zn_quantity_is_joint(sim, rule) ? rows_of(sim, rule) : "";
}

// --- the whole run -------------------------------------------------------------------------------

static zn_status ledger(const zn_sim *sim, int index, double *out)
{
    (void)index;
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        out[i] = sim->state->whole ? sim->certificate.ledger[i] : NAN;
    return ZN_OK;
}

static zn_status energy(const zn_sim *sim, int index, double *out)
{
    (void)index;
    *out = sim->state->energy.kinetic + sim->state->energy.strain + sim->state->energy.gravity;
    return ZN_OK;
}

static zn_status all_momentum(const zn_sim *sim, int index, double *out)
{
    (void)index;
    return momenta(sim, -1, out, NULL);
}

static zn_status all_angular_momentum(const zn_sim *sim, int index, double *out)
{
    (void)index;
    return momenta(sim, -1, NULL, out);
}

static zn_status all_spin_momentum(const zn_sim *sim, int index, double *out)
{
    (void)index;
    return spin_momentum(sim, -1, out);
}

static zn_status all_centre(const zn_sim *sim, int index, double *out)
{
    (void)index;
    return centre(sim, -1, out);
}

static zn_status iterations(const zn_sim *sim, int index, double *out)
{
    (void)index;
    out[0] = sim->last.newton_iterations;
    out[1] = sim->last.projection_iterations;
    out[2] = sim->last.activation_iterations;
    out[3] = sim->last.solver_iterations;
    return ZN_OK;
}

static zn_status penetration(const zn_sim *sim, int index, double *out)
{
    (void)index;
    double worst = 0;
    for (int i = 0; i < sim->state->contacts->count; i++)
        worst = fmax(worst, sim->state->contacts->bilateral[i] ? 0 : -sim->state->contacts->gap[i]);
    *out = zn_system_max(sim->sys, worst);
    return ZN_OK;
}

// --- table ---------------------------------------------------------------------------------------

static const zn_quantity_kind table[] = {
    {"node", "position", "m", "position in world axes", node_vector, position},
    {"node", "displacement", "m", "position minus initial position", node_vector, displacement},
    {"node", "velocity", "m/s", "velocity in world axes", node_vector, velocity},
    {"node", "acceleration", "m/s^2", "change of velocity in the last step over its length", node_vector, acceleration},
    {"node", "angle", "rad", "angle of a planar rigid body, unwrapped", only_frame2, angle},
    {"node", "rotation", "", "unit quaternion body to world of a spatial frame", only_frame3, rotation},
    {"node", "spin", "rad/s", "angular velocity in body axes", only_frames, spin},
    {"node", "scheme_acceleration", "m/s^2",
     "acceleration of the scheme at the end of the step: W/h of cd_lagrange, impulses included; of newmark; of the "
     "smooth "
     "motion of nsga",
     node_vector, zn_quantity_scheme_acceleration},
    {"node", "smooth_position", "m", "of the smooth motion q~ of nsga, before its correction", node_vector,
     zn_quantity_smooth_position},
    {"node", "smooth_angle", "rad", "its angle, of a planar rigid body", only_frame2, zn_quantity_smooth_angle},
    {"node", "smooth_rotation", "", "its unit quaternion, of a spatial frame", only_frame3,
     zn_quantity_smooth_rotation},
    {"node", "smooth_velocity", "m/s", "velocity v~ of the smooth motion of nsga, before its jump", node_vector,
     zn_quantity_smooth_velocity},
    {"node", "smooth_spin", "rad/s", "its angular velocity in body axes", only_frames, zn_quantity_smooth_spin},
    {"node", "correction", "m", "position correction U of nsga in the last step", node_vector, zn_quantity_correction},
    {"node", "correction_rotation", "rad", "rotation of U, in body axes", only_frames, zn_quantity_correction_rotation},
    {"node", "jump", "m/s", "velocity jump W of nsga in the last step", node_vector, zn_quantity_jump},
    {"node", "jump_spin", "rad/s", "that of the angular velocity, in body axes", only_frames, zn_quantity_jump_spin},
    {"node", "reaction", "N", "force (N) or moment (N m) that holds fixed degrees of freedom", dofs, reaction},
    {"part", "kinetic", "J", "kinetic energy", scalar, part_kinetic},
    {"part", "strain", "J", "strain energy", scalar, part_strain},
    {"part", "gravity", "J", "potential of gravity", scalar, part_gravity},
    {"part", "energy", "J", "kinetic + strain + gravity", scalar, part_sum},
    {"part", "momentum", "N s", "linear momentum", vector, linear_momentum},
    {"part", "angular_momentum", "N m s", "angular momentum about the origin", axial, angular_momentum},
    {"part", "spin_momentum", "N m s", "angular momentum about its centre of mass", axial, spin_momentum},
    {"part", "centre", "m", "centre of mass", vector, centre},
    {"node", "rate", "rad/s", "rate of the angle of a planar rigid body, its spin", only_frame2, spin},
    {"state", "value", "", "its value; the name alone will do", scalar, zn_quantity_state},
    {"control", "value", "", "its value; the name alone will do", scalar, zn_quantity_control},
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
     only_friction, contact_slip},
    {"play", "eccentricity", "",
     "of a joint with play: centre of the pin from that of the hole, across the axis, over the clearance, in world "
     "axes, "
     "and its size, 1 at contact",
     zn_quantity_play_place, zn_quantity_eccentricity},
    {"play", "force", "N", "impulse in the last step over its length, on the first body, in world axes", vector,
     zn_quantity_play_force},
    {"play", "impulse", "N s", "impulse in the last step, on the first body, in world axes", vector,
     zn_quantity_play_impulse},
    {"play", "closed", "", "how many of its contacts pushed in the last step", scalar, zn_quantity_play_closed},
    {"", "ledger", "J", "all lines of the energy ledger", ledger_lines, ledger},
    {"", "fine_ledger", "J", "lines of the fine part of multirate; interface: work of the links on it", ledger_lines,
     zn_quantity_fine_ledger},
    {"", "coarse_ledger", "J", "lines of the coarse part of multirate", ledger_lines, zn_quantity_coarse_ledger},
    {"", "energy", "J", "kinetic + strain + gravity", scalar, energy},
    {"", "momentum", "N s", "linear momentum of everything", vector, all_momentum},
    {"", "angular_momentum", "N m s", "angular momentum of everything about the origin", axial, all_angular_momentum},
    {"", "spin_momentum", "N m s", "angular momentum of everything about its centre of mass", axial, all_spin_momentum},
    {"", "centre", "m", "centre of mass of everything", vector, all_centre},
    {"", "iterations", "", "iterations of each stage in the last step", stages, iterations},
    {"", "penetration", "m", "largest penetration", scalar, penetration},
};

enum { KINDS = sizeof table / sizeof *table };

int zn_quantity_count(void) { return KINDS; }

void zn_quantity_describe(int index, const char **owner, const char **name, const char **unit, const char **help)
{
    *owner = table[index].owner;
    *name = table[index].name;
    *unit = table[index].unit;
    *help = table[index].help;
}

const zn_quantity_kind *zn_quantity_find(const char *owner, const char *name)
{
    for (int i = 0; i < KINDS; i++)
        if (strcmp(table[i].owner, owner) == 0 && strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

void zn_quantity_find_shortcut(const zn_sim *sim, int columns, zn_quantity *out)
{
    bool at_q = out->kind->evaluate == position, at_v = out->kind->evaluate == velocity;
    if (columns != 1 || !(at_q || at_v))
        return;
    const zn_layout_node *node = &sim->sys->layout.node[out->index];
    const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
    int                   component = out->component < 0 ? 0 : out->component;
    out->direct = at_q ? ZN_QUANTITY_Q : ZN_QUANTITY_V;
    out->place = at_q ? node->q + component : node->dof[component];
    out->constant = origin[component];
}

// --- values --------------------------------------------------------------------------------------

bool zn_quantity_needs_last_q(const zn_quantity *quantity) { return quantity->kind->evaluate == contact_slip; }

bool zn_quantity_needs_last_v(const zn_quantity *quantity) { return quantity->kind->evaluate == acceleration; }

zn_status zn_quantity_evaluate(const zn_sim *sim, const zn_quantity *quantity, int columns, double *values)
{
    ZN_ASSERT(quantity->kind && columns > 0 && values);
    int per_object = columns / quantity->count;
    for (int k = 0; k < quantity->count; k++) {
        double all[MAX_COMPONENTS];
        ZN_TRY(quantity->kind->evaluate(sim, quantity->map ? quantity->map[k] : quantity->index + k, all));
        memcpy(values + k * per_object, quantity->component < 0 ? all : all + quantity->component,
               sizeof *values * (size_t)per_object);
    }
    return ZN_OK;
}
