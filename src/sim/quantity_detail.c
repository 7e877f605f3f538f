// What a step leaves beside the state: smooth motion and corrections of nsga, accelerations of schemes, balances of
// the parts of multirate, slip. A scheme that does not know a quantity has NaN.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "constraint/rows.h"
#include "sim/quantity.h"

// --- nsga ----------------------------------------------------------------------------------------

static bool knows(const zn_sim *sim, zn_detail which)
{
    return sim->scheme && zn_scheme_has_detail(sim->scheme, which);
}

static bool knows_corrections(const zn_sim *sim) { return knows(sim, ZN_DETAIL_CORRECTION); }
static bool knows_acceleration(const zn_sim *sim) { return knows(sim, ZN_DETAIL_ACCELERATION); }

// A detail at a place; before the first step `start`.
static double value(const zn_sim *sim, zn_detail which, int place, double start)
{
    if (!knows(sim, which))
        return NAN;
    return sim->last_h > 0 ? zn_scheme_detail(sim->scheme, which, place) : start;
}

// Coordinates [first, first + count) of a node in the smooth motion.
static void smooth_coordinates(const zn_sim *sim, int node, int first, int count, double *out)
{
    int q = sim->sys->layout.node[node].q + first;
    for (int i = 0; i < count; i++)
        out[i] = value(sim, ZN_DETAIL_SMOOTH_Q, q + i, sim->state->q[q + i]);
}

// Translations (or the one coordinate) of a node in a vector over the degrees of freedom.
static void translations(const zn_sim *sim, int node, zn_detail which, const double *start, double *out)
{
    const zn_layout_node *n = &sim->sys->layout.node[node];
    for (int i = 0; i < zn_node_dimension(n->kind); i++)
        out[i] = value(sim, which, n->dof[i], start ? start[n->dof[i]] : 0);
}

static void rotations(const zn_sim *sim, int node, zn_detail which, const double *start, double *out)
{
    const zn_layout_node *n = &sim->sys->layout.node[node];
    for (int slot = 3; slot < 6; slot++)
        if (n->dof[slot] >= 0)
            *out++ = value(sim, which, n->dof[slot], start ? start[n->dof[slot]] : 0);
}

zn_status zn_quantity_smooth_position(const zn_sim *sim, int node, double *out)
{
    const zn_layout_node *n = &sim->sys->layout.node[node];
    const double          origin[3] = {n->origin.x, n->origin.y, n->origin.z};
    int                   count = zn_node_dimension(n->kind);
    smooth_coordinates(sim, node, 0, count, out);
    for (int i = 0; i < count; i++)
        out[i] += origin[i];
    return ZN_OK;
}

zn_status zn_quantity_smooth_angle(const zn_sim *sim, int node, double *out)
{
    smooth_coordinates(sim, node, 2, 1, out);
    return ZN_OK;
}

zn_status zn_quantity_smooth_rotation(const zn_sim *sim, int node, double *out)
{
    smooth_coordinates(sim, node, 3, 4, out);
    return ZN_OK;
}

zn_status zn_quantity_smooth_velocity(const zn_sim *sim, int node, double *out)
{
    translations(sim, node, ZN_DETAIL_SMOOTH_V, sim->state->v, out);
    return ZN_OK;
}

zn_status zn_quantity_smooth_spin(const zn_sim *sim, int node, double *out)
{
    rotations(sim, node, ZN_DETAIL_SMOOTH_V, sim->state->v, out);
    return ZN_OK;
}

zn_status zn_quantity_correction(const zn_sim *sim, int node, double *out)
{
    translations(sim, node, ZN_DETAIL_CORRECTION, NULL, out);
    return ZN_OK;
}

zn_status zn_quantity_correction_rotation(const zn_sim *sim, int node, double *out)
{
    rotations(sim, node, ZN_DETAIL_CORRECTION, NULL, out);
    return ZN_OK;
}

zn_status zn_quantity_jump(const zn_sim *sim, int node, double *out)
{
    translations(sim, node, ZN_DETAIL_JUMP, NULL, out);
    return ZN_OK;
}

zn_status zn_quantity_jump_spin(const zn_sim *sim, int node, double *out)
{
    rotations(sim, node, ZN_DETAIL_JUMP, NULL, out);
    return ZN_OK;
}

zn_status zn_quantity_scheme_acceleration(const zn_sim *sim, int node, double *out)
{
    translations(sim, node, ZN_DETAIL_ACCELERATION, NULL, out);
    return ZN_OK;
}

// --- multirate -----------------------------------------------------------------------------------

static bool knows_parts(const zn_sim *sim) { return sim->scheme && zn_scheme_splits(sim->scheme); }

static zn_status part_ledger(const zn_sim *sim, int part, double *out)
{
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        out[i] = NAN;
    if (!knows_parts(sim) || !sim->state->whole)
        return ZN_OK;
    return zn_scheme_part_ledger(sim->scheme, sim->state, part, out);
}

static bool has_part(const zn_sim *sim, int part)
{
    double lines[ZN_LEDGER_LINES];
    return knows_parts(sim) &&
           (!sim->state->whole || zn_scheme_part_ledger(sim->scheme, sim->state, part, lines) == ZN_OK);
}

zn_status zn_quantity_fine_ledger(const zn_sim *sim, int index, double *out)
{
    (void)index;
    return part_ledger(sim, ZN_LEDGER_OF_FINE, out);
}

zn_status zn_quantity_coarse_ledger(const zn_sim *sim, int index, double *out)
{
    (void)index;
    return part_ledger(sim, ZN_LEDGER_OF_COARSE, out);
}

// Of one coarse part; one that is not there has no numbers.
static zn_status single_ledger(const zn_sim *sim, int number, double *out)
{
    if (has_part(sim, ZN_LEDGER_OF_FIRST + number))
        return part_ledger(sim, ZN_LEDGER_OF_FIRST + number, out);
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        out[i] = NAN;
    return ZN_OK;
}

#define SINGLE_LEDGER(number)                                                                                          \
    zn_status zn_quantity_coarse_ledger_##number(const zn_sim *sim, int index, double *out)                            \
    {                                                                                                                  \
        (void)index;                                                                                                   \
        return single_ledger(sim, number - 1, out);                                                                    \
    }                                                                                                                  \
    static bool has_part_##number(const zn_sim *sim) { return has_part(sim, ZN_LEDGER_OF_FIRST + number - 1); }

SINGLE_LEDGER(1)
SINGLE_LEDGER(2)
SINGLE_LEDGER(3)
SINGLE_LEDGER(4)

// --- contacts ------------------------------------------------------------------------------------

// Where the gap is smallest. Before the first step nothing has moved.
zn_status zn_quantity_slip(const zn_sim *sim, int contact, double *out)
{
    const zn_state *now = sim->state;
    double          slip[ZN_CONTACT_ROWS] = {0};
    *out = NAN;
    if (contact < 0)
        return ZN_OK;
    if (sim->last_h > 0)
        ZN_TRY(zn_contact_set_slip_of(now->contacts, sim->sys, contact, (zn_at){.q = sim->last_q, .t = sim->last_t},
                                      (zn_at){.q = now->q, .t = now->t}, slip));
    int own = zn_contact_parts_of(now->contacts, contact, zn_contact_row_count(now->contacts, contact)).own;
    *out = own > 2 ? hypot(slip[1], slip[2]) : fabs(slip[1]);
    return ZN_OK;
}

// --- who knows what --------------------------------------------------------------------------------

bool zn_quantity_is_known(const zn_sim *sim, const zn_quantity_kind *kind)
{
    static const struct {
        zn_status (*evaluate)(const zn_sim *sim, int index, double *out);
        bool (*known)(const zn_sim *sim);
    } limited[] = {
        {zn_quantity_scheme_acceleration, knows_acceleration},
        {zn_quantity_smooth_position, knows_corrections},
        {zn_quantity_smooth_angle, knows_corrections},
        {zn_quantity_smooth_rotation, knows_corrections},
        {zn_quantity_smooth_velocity, knows_corrections},
        {zn_quantity_smooth_spin, knows_corrections},
        {zn_quantity_correction, knows_corrections},
        {zn_quantity_correction_rotation, knows_corrections},
        {zn_quantity_jump, knows_corrections},
        {zn_quantity_jump_spin, knows_corrections},
        {zn_quantity_fine_ledger, knows_parts},
        {zn_quantity_coarse_ledger, knows_parts},
        {zn_quantity_coarse_ledger_1, has_part_1},
        {zn_quantity_coarse_ledger_2, has_part_2},
        {zn_quantity_coarse_ledger_3, has_part_3},
        {zn_quantity_coarse_ledger_4, has_part_4},
    };
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
        if (kind->evaluate == limited[i].evaluate)
            return limited[i].known(sim);
    return true;
}
