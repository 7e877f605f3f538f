// Pressure on faces of solids, positive inwards:
//     f_a = -p(t) sum_q w N_a n,   n = g1 x g2,  g1 = x,xi  g2 = x,eta   edges in the plane: n = (t_y, -t_x) thickness
// with x on the undeformed face (dead load) or on the current one (follower), whose tangent is
//     K_ab = p sum_q w N_a (N_b,eta g1~ - N_b,xi g2~)                       not symmetric
#include <string.h>

#include "model/element/solid.h"

enum { FACE = ZN_FACE_NODES };

// Quadrature on the parent face.
typedef struct face_point {
    double weight, N[FACE], dN[2][FACE];
} face_point;

typedef struct face_rule {
    int        points;
    face_point point[4];
} face_rule;

static const face_rule triangle = {1, {{0.5, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {{-1, 1, 0}, {-1, 0, 1}}}}};

static const zn_pressure *parameters(const zn_element_block *b) { return b->parameter; }

// 2 x 2 Gauss points; node a is at (xi_a, eta_a) = (-1, -1), (1, -1), (1, 1), (-1, 1).
static face_rule quad_rule(void)
{
    static const double xi[FACE] = {-1, 1, 1, -1}, eta[FACE] = {-1, -1, 1, 1};
    face_rule           rule = {.points = 4};
    for (int q = 0; q < 4; q++) {
        double x = xi[q] / sqrt(3.0), y = eta[q] / sqrt(3.0);
        rule.point[q].weight = 1;
        for (int a = 0; a < FACE; a++) {
            rule.point[q].N[a] = (1 + xi[a] * x) * (1 + eta[a] * y) / 4;
            rule.point[q].dN[0][a] = xi[a] * (1 + eta[a] * y) / 4;
            rule.point[q].dN[1][a] = eta[a] * (1 + xi[a] * x) / 4;
        }
    }
    return rule;
}

static face_rule rule_of(const zn_element_block *b) { return b->ops->nodes == 4 ? quad_rule() : triangle; }

static zn_status pressure_at(const zn_element_block *b, int e, zn_at at, double *out)
{
    *out = (1 - at.relief) * zn_signal_at(parameters(b)[e].value, at.t);
    if (isfinite(*out))
        return ZN_OK;
    return zn_fail_here(b->log, ZN_NOT_FINITE, "load '%s': not a finite number at t = %g s", b->part_name[b->part[e]],
                        at.t);
}

// The face in the middle of two configurations, which may be the same.
typedef struct face_state {
    const double *from, *to;
} face_state;

static void positions(const zn_element_block *b, int e, face_state at, zn_vec3 x[FACE])
{
    for (int a = 0; a < b->ops->nodes; a++) {
        const zn_layout_node *node = &b->layout->node[b->node[e * b->ops->nodes + a]];
        const double         *q = at.from + node->q, *p = at.to + node->q;
        x[a] = node->origin;
        if (!parameters(b)[e].follower)
            continue;
        x[a].x += 0.5 * (q[0] + p[0]);
        x[a].y += 0.5 * (q[1] + p[1]);
        x[a].z += b->ops->nodes > 2 ? 0.5 * (q[2] + p[2]) : 0;
    }
}

static void tangents(const face_point *point, int nodes, const zn_vec3 x[FACE], zn_vec3 g[2])
{
    for (int k = 0; k < 2; k++) {
        g[k] = (zn_vec3){0, 0, 0};
        for (int a = 0; a < nodes; a++)
            g[k] = zn_vec3_add(g[k], zn_vec3_scale(point->dN[k][a], x[a]));
    }
}

// Forces of unit pressure on the nodes of a face.
static void unit_forces(const zn_element_block *b, int e, face_state q, const face_rule *rule, zn_vec3 f[FACE])
{
    int     nodes = b->ops->nodes;
    zn_vec3 x[FACE], g[2];
    positions(b, e, q, x);
    if (nodes == 2) {
        zn_vec3 t = zn_vec3_scale(0.5 * parameters(b)[e].thickness, zn_vec3_sub(x[1], x[0]));
        f[0] = f[1] = (zn_vec3){-t.y, t.x, 0};
        return;
    }
    memset(f, 0, FACE * sizeof *f);
    for (int k = 0; k < rule->points; k++) {
        const face_point *point = &rule->point[k];
        tangents(point, nodes, x, g);
        zn_vec3 n = zn_vec3_scale(-point->weight, zn_vec3_cross(g[0], g[1]));
        for (int a = 0; a < nodes; a++)
            f[a] = zn_vec3_add(f[a], zn_vec3_scale(point->N[a], n));
    }
}

static zn_status add_force(const zn_element_block *b, zn_at at, face_state face, double *f)
{
    const face_rule rule = rule_of(b);
    int             nodes = b->ops->nodes, dim = b->ops->dofs / nodes;
    for (int e = 0; e < b->count; e++) {
        zn_vec3 unit[FACE];
        double  p;
        ZN_TRY(pressure_at(b, e, at, &p));
        unit_forces(b, e, face, &rule, unit);
        for (int a = 0; a < nodes; a++) {
            const int   *dof = b->dof + (e * nodes + a) * dim;
            const double part[3] = {unit[a].x, unit[a].y, unit[a].z};
            for (int i = 0; i < dim; i++)
                f[dof[i]] += p * part[i];
        }
    }
    return ZN_OK;
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    return add_force(b, at, (face_state){at.q, at.q}, f);
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    const face_rule rule = rule_of(b);
    int             nodes = b->ops->nodes, dim = b->ops->dofs / nodes;
    for (int e = 0; e < b->count; e++) {
        zn_vec3 unit[FACE];
        double  p;
        ZN_TRY(pressure_at(b, e, at, &p));
        unit_forces(b, e, (face_state){at.q, at.q}, &rule, unit);
        for (int a = 0; a < nodes; a++) {
            const int   *dof = b->dof + (e * nodes + a) * dim;
            const double part[3] = {unit[a].x, unit[a].y, unit[a].z};
            for (int i = 0; i < dim; i++)
                out->load += p * part[i] * w[dof[i]];
        }
    }
    return ZN_OK;
}

// --- tangent of a follower -----------------------------------------------------------------------

static void edge_tangent(const zn_element_block *b, int e, double p, double *values)
{
    double half = 0.5 * p * parameters(b)[e].thickness;
    for (int a = 0; a < 2; a++)
        for (int c = 0; c < 2; c++) {
            double sign = c == 0 ? -half : half;
            zn_element_scatter(b, e, 2 * a, 2 * c + 1, sign, values);
            zn_element_scatter(b, e, 2 * a + 1, 2 * c, -sign, values);
        }
}

static void face_tangent(const zn_element_block *b, int e, face_state q, double p, const face_rule *rule,
                         double *values)
{
    int     nodes = b->ops->nodes;
    zn_vec3 x[FACE], g[2];
    positions(b, e, q, x);
    for (int k = 0; k < rule->points; k++) {
        const face_point *point = &rule->point[k];
        tangents(point, nodes, x, g);
        for (int c = 0; c < nodes; c++) {
            zn_vec3 axis = zn_vec3_sub(zn_vec3_scale(point->dN[1][c], g[0]), zn_vec3_scale(point->dN[0][c], g[1]));
            zn_mat3 turn = zn_mat3_skew(axis);
            for (int a = 0; a < nodes; a++)
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        zn_element_scatter(b, e, 3 * a + i, 3 * c + j, p * point->weight * point->N[a] * turn.m[i][j],
                                           values);
        }
    }
}

// k K of the faces in the middle of two configurations.
static zn_status add_tangents(const zn_element_block *b, zn_at at, face_state face, double k, double *values)
{
    const face_rule rule = rule_of(b);
    for (int e = 0; e < b->count && k != 0; e++) {
        double p;
        if (!parameters(b)[e].follower)
            continue;
        ZN_TRY(pressure_at(b, e, at, &p));
        if (b->ops->nodes == 2)
            edge_tangent(b, e, k * p, values);
        else
            face_tangent(b, e, face, k * p, &rule, values);
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)a, (void)c;
    return add_tangents(b, at, (face_state){at.q, at.q}, k, values);
}

static bool linear(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (parameters(b)[e].follower)
            return false;
    return true;
}

// --- between two states ----------------------------------------------------------------------------
// The pressure of the middle of the times on the face of the mean positions. On an edge its work is p times the area
// that it passes over, exactly; on faces in space p times the volume but for a term of third order in the increment. A
// closed surface has neither resultant nor moment.

static const char *lacks_between(const zn_element_block *b, int e)
{
    (void)b, (void)e;
    return NULL;
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    return add_force(b, zn_between_load(s), (face_state){s.from.q, s.to.q}, f);
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)a, (void)c; // half of the mean positions belong to the end
    return add_tangents(b, zn_between_load(s), (face_state){s.from.q, s.to.q}, 0.5 * k, values);
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};

#define PRESSURE_OPS(count, dim)                                                                                       \
    {                                                                                                                  \
        .name = "pressure", .nodes = (count), .dofs = (count) * (dim), .parameter_size = sizeof(zn_pressure),          \
        .linear = linear, .load = true, .force = force, .operators = operators, .power = power, .between = &between,   \
    }

const zn_element_ops zn_pressure_edge_ops = PRESSURE_OPS(2, 2);
const zn_element_ops zn_pressure_triangle_ops = PRESSURE_OPS(3, 3);
const zn_element_ops zn_pressure_quad_ops = PRESSURE_OPS(4, 3);
