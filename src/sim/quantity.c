// Recordable quantities: "object.quantity[.component]". One table names them all; help texts and the reference manual
// read the same table.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/seldom.h"
#include "model/rigid_row.h"
#include "sim/formula.h"
#include "sim/momenta.h"
#include "sim/quantity.h"

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

static const char *vector_of_frame3(const zn_sim *sim, int node)
{
    return sim->sys->layout.node[node].kind == ZN_FRAME3 ? "x y z" : NULL;
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

static zn_status acceleration(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    for (int i = 0; i < zn_node_dimension(node->kind); i++) {
        int    dof = node->dof[i];
        double h = sim->late && sim->late[dof] ? sim->period * sim->last_h : sim->last_h;
        out[i] = zn_quantity_rate(sim->state->v[dof] - sim->last_v[dof], h);
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

static zn_status world_spin(const zn_sim *sim, int index, double *out)
{
    zn_rigid body = zn_rigid_at(&sim->sys->layout, (zn_node_id){index + 1}, sim->state->q);
    zn_vec3  spin = zn_rigid_spin(&body, sim->state->v);
    memcpy(out, (double[3]){spin.x, spin.y, spin.z}, 3 * sizeof *out);
    return ZN_OK;
}

static zn_status reaction(const zn_sim *sim, int index, double *out)
{
    const zn_layout_node *node = &sim->sys->layout.node[index];
    for (int slot = 0; slot < 6; slot++) {
        int dof = node->dof[slot];
        if (dof >= 0)
            *out++ = dof >= sim->sys->info.n
                         ? zn_quantity_rate(sim->state->reaction[dof - sim->sys->info.n], sim->last_h)
                         : 0;
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

static const zn_quantity_kind of_nodes[] = {
    {"node", "position", "m", "position in world axes", node_vector, position},
    {"node", "displacement", "m", "position minus initial position", node_vector, displacement},
    {"node", "velocity", "m/s", "velocity in world axes", node_vector, velocity},
    {"node", "acceleration", "m/s^2", "change of velocity in the last step over its length", node_vector, acceleration},
    {"node", "angle", "rad", "angle of a planar rigid body, unwrapped", only_frame2, angle},
    {"node", "rotation", "", "unit quaternion body to world of a spatial frame", only_frame3, rotation},
    {"node", "spin", "rad/s", "angular velocity in body axes", only_frames, spin},
    {"node", "world_spin", "rad/s", "angular velocity in world axes, of a spatial frame", vector_of_frame3, world_spin},
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
    {"node", "reaction", "N",
     "force (N) or moment (N m) that holds fixed degrees of freedom; moments in space in the axes of the body or "
     "section, of linear beams in world axes",
     dofs, reaction},
};

static const zn_quantity_kind of_parts[] = {
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
};

static const zn_quantity_kind of_run[] = {
    {"", "ledger", "J", "all lines of the energy ledger", ledger_lines, ledger},
    {"", "fine_ledger", "J", "lines of the fine part of multirate; interface: work of the links on it", ledger_lines,
     zn_quantity_fine_ledger},
    {"", "coarse_ledger", "J", "lines of the coarse part of multirate, of all together where there are several",
     ledger_lines, zn_quantity_coarse_ledger},
    {"", "coarse_ledger_1", "J", "lines of the first coarse part: what `coarse` does not name", ledger_lines,
     zn_quantity_coarse_ledger_1},
    {"", "coarse_ledger_2", "J", "of the next one: the first ratio that `coarse` names", ledger_lines,
     zn_quantity_coarse_ledger_2},
    {"", "coarse_ledger_3", "J", "of the third one", ledger_lines, zn_quantity_coarse_ledger_3},
    {"", "coarse_ledger_4", "J", "of the fourth one", ledger_lines, zn_quantity_coarse_ledger_4},
    {"", "energy", "J", "kinetic + strain + gravity", scalar, energy},
    {"", "momentum", "N s", "linear momentum of everything", vector, all_momentum},
    {"", "angular_momentum", "N m s", "angular momentum of everything about the origin", axial, all_angular_momentum},
    {"", "spin_momentum", "N m s", "angular momentum of everything about its centre of mass", axial, all_spin_momentum},
    {"", "centre", "m", "centre of mass of everything", vector, all_centre},
    {"", "iterations", "", "iterations of each stage in the last step", stages, iterations},
    {"", "penetration", "m", "largest penetration", scalar, penetration},
};

#define LIST(array)                                                                                                    \
    {                                                                                                                  \
        sizeof(array) / sizeof *(array), array                                                                         \
    }

// In the order of the manual.
static zn_quantity_list list_at(int i)
{
    const zn_quantity_list lists[] = {
        LIST(of_nodes),          zn_quantity_of_points, zn_quantity_of_elements, LIST(of_parts),
        zn_quantity_of_contacts, zn_quantity_of_joints, zn_quantity_of_plays,    LIST(of_run)};
    return i < (int)(sizeof lists / sizeof *lists) ? lists[i] : (zn_quantity_list){0, NULL};
}

int zn_quantity_count(void)
{
    int count = 0;
    for (int i = 0; list_at(i).kind; i++)
        count += list_at(i).count;
    return count;
}

static const zn_quantity_kind *kind_at(int index)
{
    int i = 0;
    for (; index >= list_at(i).count; i++)
        index -= list_at(i).count;
    return &list_at(i).kind[index];
}

void zn_quantity_describe(int index, const char **owner, const char **name, const char **unit, const char **help)
{
    if (!owner || !name || !unit || !help)
        return;
    const zn_quantity_kind *kind = kind_at(index);
    *owner = kind->owner;
    *name = kind->name;
    *unit = kind->unit;
    *help = kind->help;
}

const zn_quantity_kind *zn_quantity_find(const char *owner, const char *name)
{
    for (int i = 0; list_at(i).kind; i++)
        for (int k = 0; k < list_at(i).count; k++)
            if (strcmp(list_at(i).kind[k].owner, owner) == 0 && strcmp(list_at(i).kind[k].name, name) == 0)
                return &list_at(i).kind[k];
    return NULL;
}

void zn_quantity_find_shortcut(const zn_sim *sim, int columns, zn_quantity *out)
{
    bool turned = out->kind->evaluate == angle, turns = out->kind->evaluate == spin && out->component < 0;
    bool at_q = out->kind->evaluate == position || turned, at_v = out->kind->evaluate == velocity || turns;
    if (zn_quantity_find_impulse(sim, out) || columns != 1 || !(at_q || at_v))
        return;
    const zn_layout_node *node = &sim->sys->layout.node[out->index];
    const double          origin[6] = {node->origin.x, node->origin.y, node->origin.z};
    int                   component = turned ? 2 : turns ? 5 : out->component < 0 ? 0 : out->component;
    out->direct = at_q ? ZN_QUANTITY_Q : ZN_QUANTITY_V;
    out->place = at_q ? node->q + component : node->dof[component];
    out->constant = turned ? 0 : origin[component];
}

// --- values --------------------------------------------------------------------------------------

void zn_quantity_clear(zn_quantity *quantity)
{
    free(quantity->sensor);
    zn_formula_destroy(quantity->formula);
}

bool zn_quantity_needs_last_q(const zn_quantity *quantity)
{
    if (quantity->formula)
        return zn_formula_any(quantity->formula, zn_quantity_needs_last_q);
    return quantity->change || quantity->kind->evaluate == zn_quantity_contact_slip;
}

bool zn_quantity_needs_last_v(const zn_quantity *quantity)
{
    if (quantity->formula)
        return zn_formula_any(quantity->formula, zn_quantity_needs_last_v);
    return quantity->change || quantity->kind->evaluate == acceleration;
}

ZN_APART zn_status zn_quantity_evaluate(const zn_sim *sim, const zn_quantity *quantity, int columns, double *values)
{
    ZN_ASSERT((quantity->kind || quantity->formula) && columns > 0 && values);
    if (quantity->formula)
        return zn_formula_evaluate(sim, quantity->formula, values);
    if (quantity->sensor) {
        zn_quantity_read(sim, quantity, columns, values);
        return ZN_OK;
    }
    int per_object = columns / quantity->count;
    for (int k = 0; k < quantity->count; k++) {
        double all[MAX_COMPONENTS];
        ZN_TRY(quantity->kind->evaluate(sim, quantity->map ? quantity->map[k] : quantity->index + k, all));
        memcpy(values + k * per_object, quantity->component < 0 ? all : all + quantity->component,
               sizeof *values * (size_t)per_object);
    }
    return ZN_OK;
}
