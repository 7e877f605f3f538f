// Motors, feedback loads and first-order states:  f = s r,  s(q, v, t) from feedback.h and r(q) the row of what it acts
// on, so that  K = -(r ds/dq' + s dr/dq),  C = -r ds/dv'.  Neither is symmetric. With S the spins in world axes:
//     point    r: row of the point along e
//     torque   r: of (S_a - S_b).m,  m = R_b axis
//     line     r: of the points along n = (x_a - x_b)/l
//     travel   r: of the travel of a joint (travel.h)
//     state    r = 1, and M = 1: with v = x the equation of motion is x' = s
// The power s r.v belongs to the line `motor` of the ledger; a state is no mechanics and has none.
//
// Functions of rows want vectors over all degrees of freedom; the two nodes get numbers of their own, those of their
// places in the element.
#include "model/element/motor.h"

#include <string.h>

enum { ROW = 12 }; // two nodes

typedef struct local {
    zn_layout_node node[2];
    zn_layout      layout;
    zn_motor       motor;
} local;

static const zn_motor *parameters(const zn_element_block *b) { return b->parameter; }

static void place(const zn_element_block *b, zn_node_id *id, int k, local *out)
{
    out->node[k] = (zn_layout_node){0};
    if (id->value == 0)
        return;
    out->node[k] = b->layout->node[id->value - 1];
    for (int i = 0; i < 6; i++)
        out->node[k].dof[i] = out->node[k].dof[i] >= 0 ? 6 * k + i : -1;
    *id = (zn_node_id){k + 1};
}

static void localize(const zn_element_block *b, int e, local *out)
{
    out->motor = parameters(b)[e];
    place(b, &out->motor.a.node, 0, out);
    place(b, &out->motor.b.node, 1, out);
    out->motor.travel.a.node = out->motor.a.node;
    out->motor.travel.b.node = out->motor.b.node;
    out->layout = (zn_layout){.nodes = 2, .node = out->node, .memory = b->layout->memory};
}

// --- rows ----------------------------------------------------------------------------------------

typedef struct line {
    zn_rigid A, B;
    zn_vec3  a, b, n;
    double   length;
} line;

static line line_of(const local *x, const double *q)
{
    line l = {zn_rigid_at(&x->layout, x->motor.a.node, q), zn_rigid_at(&x->layout, x->motor.b.node, q), .length = 0};
    l.a = zn_rigid_point(&l.A, x->motor.a.at);
    l.b = zn_rigid_point(&l.B, x->motor.b.at);
    zn_vec3 d = zn_vec3_sub(l.a, l.b);
    l.length = zn_vec3_norm(d);
    l.n = zn_vec3_scale(l.length > 0 ? 1 / l.length : 0, d);
    return l;
}

static void add_entries(int count, const int *dof, const double *value, double factor, double row[ROW])
{
    for (int i = 0; i < count; i++)
        row[dof[i]] += factor * value[i];
}

static void row_of(const local *x, const double *q, double row[ROW])
{
    int             dof[ZN_TRAVEL_ENTRIES];
    double          value[ZN_TRAVEL_ENTRIES];
    const zn_motor *m = &x->motor;
    memset(row, 0, ROW * sizeof *row);
    if (m->kind == ZN_MOTOR_STATE) {
        row[0] = 1;
        return;
    }
    line l = line_of(x, q);
    switch (m->kind) {
    case ZN_MOTOR_POINT:
        add_entries(zn_rigid_row(&l.A, l.a, m->axis, dof, value), dof, value, 1, row);
        break;
    case ZN_MOTOR_TORQUE: {
        zn_vec3 axis = zn_rigid_vector(&l.B, m->axis);
        add_entries(zn_rigid_turn_row(&l.A, axis, dof, value), dof, value, 1, row);
        add_entries(zn_rigid_turn_row(&l.B, axis, dof, value), dof, value, -1, row);
        break;
    }
    case ZN_MOTOR_LINE:
        add_entries(zn_rigid_row(&l.A, l.a, l.n, dof, value), dof, value, 1, row);
        add_entries(zn_rigid_row(&l.B, l.b, l.n, dof, value), dof, value, -1, row);
        break;
    case ZN_MOTOR_TRAVEL:
        add_entries(zn_travel_row(&m->travel, &x->layout, q, dof, value), dof, value, 1, row);
        break;
    case ZN_MOTOR_STATE:
        break;
    }
}

// y += the change of the row when the nodes move with d.
static void row_change(const local *x, const double *q, const double *d, double *y)
{
    const zn_motor *m = &x->motor;
    line            l = line_of(x, q);
    zn_vec3         none = {0, 0, 0}, da = zn_rigid_velocity(&l.A, d, l.a), db = zn_rigid_velocity(&l.B, d, l.b);
    switch (m->kind) {
    case ZN_MOTOR_POINT:
        zn_rigid_row_change(&l.A, l.a, m->axis, da, none, 1, d, y);
        break;
    case ZN_MOTOR_TORQUE: {
        zn_vec3 axis = zn_rigid_vector(&l.B, m->axis), turned = zn_vec3_cross(zn_rigid_spin(&l.B, d), axis);
        zn_rigid_turn_row_change(&l.A, axis, turned, 1, d, y);
        zn_rigid_turn_row_change(&l.B, axis, turned, -1, d, y);
        break;
    }
    case ZN_MOTOR_LINE: {
        zn_vec3 w = zn_vec3_sub(da, db);
        zn_vec3 dn =
            zn_vec3_scale(l.length > 0 ? 1 / l.length : 0, zn_vec3_sub(w, zn_vec3_scale(zn_vec3_dot(w, l.n), l.n)));
        zn_rigid_row_change(&l.A, l.a, l.n, da, dn, 1, d, y);
        zn_rigid_row_change(&l.B, l.b, l.n, db, dn, -1, d, y);
        break;
    }
    case ZN_MOTOR_TRAVEL:
        zn_travel_change(&m->travel, &x->layout, q, 1, d, y);
        break;
    case ZN_MOTOR_STATE:
        break;
    }
}

// --- forces and tangents -------------------------------------------------------------------------

// Loads may be left out; states are no load.
static double share(const zn_motor *m, zn_at at) { return m->kind == ZN_MOTOR_STATE ? 1 : 1 - at.relief; }

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        local  x;
        double row[ROW], s = share(&parameters(b)[e], at) * zn_feedback_value(parameters(b)[e].value, b->layout, at);
        if (!isfinite(s))
            return zn_fail_here(b->log, ZN_NOT_FINITE, "'%s': not a finite number at t = %g s",
                                b->part_name[b->part[e]], at.t);
        localize(b, e, &x);
        row_of(&x, at.q, row);
        const int *dof = b->dof + (size_t)e * (size_t)b->ops->dofs;
        for (int i = 0; i < ROW; i++)
            if (dof[i] >= 0)
                f[dof[i]] += s * row[i];
    }
    return ZN_OK;
}

static int column_of(const zn_element_block *b, int e, int dof)
{
    const int *own = b->dof + (size_t)e * (size_t)b->ops->dofs;
    for (int j = 0; j < b->ops->dofs; j++)
        if (own[j] == dof)
            return j;
    return -1;
}

// -s dr/dq
static void add_bending(const zn_element_block *b, int e, const local *x, const double *q, double factor,
                        double *values)
{
    const int *dof = b->dof + (size_t)e * (size_t)b->ops->dofs;
    for (int j = 0; j < ROW; j++) {
        double d[ROW] = {0}, y[ROW] = {0};
        if (dof[j] < 0)
            continue;
        d[j] = 1;
        row_change(x, q, d, y);
        for (int i = 0; i < ROW; i++)
            if (y[i] != 0)
                zn_element_scatter(b, e, i, j, factor * y[i], values);
    }
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    for (int e = 0; e < b->count; e++) {
        local           x;
        const zn_motor *m = &parameters(b)[e];
        int             dof[ZN_FEEDBACK_DOFS];
        double          row[ROW], dq[ZN_FEEDBACK_DOFS], dv[ZN_FEEDBACK_DOFS];
        zn_gradient     g = {0, dof, dq, dv};
        if (m->kind == ZN_MOTOR_STATE && a != 0)
            zn_element_scatter(b, e, 0, 0, a, values);
        if (c == 0 && k == 0)
            continue;
        double s = share(m, at) * zn_feedback_gradient(m->value, b->layout, at, share(m, at), &g);
        localize(b, e, &x);
        row_of(&x, at.q, row);
        for (int n = 0; n < g.count; n++) {
            int    j = column_of(b, e, dof[n]);
            double slope = k * dq[n] + c * dv[n];
            for (int i = 0; i < ROW && j >= 0 && slope != 0; i++)
                if (row[i] != 0)
                    zn_element_scatter(b, e, i, j, -row[i] * slope, values);
        }
        if (k != 0 && m->kind != ZN_MOTOR_STATE)
            add_bending(b, e, &x, at.q, -k * s, values);
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        local  x;
        double row[ROW], s = share(&parameters(b)[e], at) * zn_feedback_value(parameters(b)[e].value, b->layout, at);
        localize(b, e, &x);
        row_of(&x, at.q, row);
        const int *dof = b->dof + (size_t)e * (size_t)b->ops->dofs;
        for (int i = 0; i < ROW; i++)
            if (dof[i] >= 0)
                out->motor += s * row[i] * w[dof[i]];
    }
    return ZN_OK;
}

static zn_velocity_force velocity_force(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (zn_feedback_uses_velocity(parameters(b)[e].value))
            return ZN_VELOCITY_DAMPER;
    return ZN_VELOCITY_NONE;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q;
    for (int e = 0; e < b->count; e++)
        if (part < 0 || b->part[e] == part) {
            int dof = b->dof[(size_t)e * (size_t)b->ops->dofs];
            f[dof] += a[dof];
        }
    return ZN_OK;
}

#define MOTOR(n)                                                                                                       \
    {                                                                                                                  \
        .name = "motor", .nodes = n, .dofs = 6 * n, .parameter_size = sizeof(zn_motor),                                \
        .linear = zn_element_never_linear, .force = force, .operators = operators, .power = power,                     \
        .velocity_force = velocity_force                                                                               \
    }
#define STATE(n)                                                                                                       \
    {                                                                                                                  \
        .name = "state", .nodes = n, .dofs = 6 * n, .parameter_size = sizeof(zn_motor),                                \
        .linear = zn_element_never_linear, .force = force, .operators = operators, .inertia = inertia,                 \
        .velocity_force = velocity_force                                                                               \
    }

static const zn_element_ops motors[] = {MOTOR(2), MOTOR(4), MOTOR(8), MOTOR(ZN_FEEDBACK_NODES)};
static const zn_element_ops states[] = {STATE(2), STATE(4), STATE(8), STATE(ZN_FEEDBACK_NODES)};

const zn_element_ops *zn_motor_ops(zn_motor_kind kind, int nodes)
{
    const zn_element_ops *list = kind == ZN_MOTOR_STATE ? states : motors;
    for (int i = 0; i < 4; i++)
        if (list[i].nodes >= nodes)
            return &list[i];
    return NULL;
}

bool zn_is_motor(const zn_element_ops *ops)
{
    return (ops >= motors && ops < motors + 4) || (ops >= states && ops < states + 4);
}
