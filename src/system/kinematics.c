// The configuration group: the only place that moves coordinates. Vector coordinates add; a frame3 turns by
// R exp(dtheta~), so dq holds the rotation vector in body axes. Tangent: right tangent of exp at dtheta. Frames of
// linear beams turn little: their rotation vectors add, which keeps a linear model linear.
//
// The way of a step, on which forces between two states do their work: translations are d, a turn by the vector d has
// the Cayley vector w = 2 tan(|d|/2) d/|d|, with which every lever r moves by exactly w x (r + r')/2.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alive.h"
#include "base/assert.h"
#include "base/seldom.h"
#include "base/team.h"
#include "base/wide.h"
#include "model/memory.h"
#include "system/between.h"
#include "system/system.h"

// Frames of linear beams, four at a time: translations and rotation vectors add, see zn_small_rotation.
ZN_WIDE static void move_upright(const zn_upright *frame, int fours, const double *q, double h, const double *v,
                                 double *out)
{
#define Q(i) ((zn_four){q[f[0].q + (i)], q[f[1].q + (i)], q[f[2].q + (i)], q[f[3].q + (i)]})
#define V(i) ((zn_four){v[f[0].dof[i]], v[f[1].dof[i]], v[f[2].dof[i]], v[f[3].dof[i]]})
    for (const zn_upright *f = frame; f < frame + 4 * fours; f += 4) {
        zn_four scale = 2 / Q(3);
        zn_four x = Q(0) + h * V(0), turn_x = scale * Q(4) + h * V(3);
        zn_four y = Q(1) + h * V(1), turn_y = scale * Q(5) + h * V(4);
        zn_four z = Q(2) + h * V(2), turn_z = scale * Q(6) + h * V(5);
        zn_four square = 1 + 0.25 * (turn_x * turn_x + turn_y * turn_y + turn_z * turn_z);
        zn_four w = 1 / (zn_four){sqrt(square[0]), sqrt(square[1]), sqrt(square[2]), sqrt(square[3])}, half = 0.5 * w;
        zn_four next[7] = {x, y, z, w, half * turn_x, half * turn_y, half * turn_z};
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 7; i++)
                out[f[k].q + i] = next[i][k];
    }
#undef Q
#undef V
}

ZN_APART static void turn_frame(const zn_layout_node *node, const double *q, double h, const double *v, double *out)
{
    ZN_ASSERT(node->kind == ZN_FRAME3);
    const double *r = q + node->q + 3;
    zn_vec3       turn = {h * v[node->dof[3]], h * v[node->dof[4]], h * v[node->dof[5]]};
    for (int i = 0; i < 3; i++)
        out[node->q + i] = q[node->q + i] + h * v[node->dof[i]];
    if (node->small) {
        zn_small_rotation_set(node, zn_vec3_add(zn_small_rotation(node, r), turn), out + node->q + 3);
        return;
    }
    zn_quat next = zn_quat_normalize(zn_quat_product((zn_quat){r[0], r[1], r[2], r[3]}, zn_so3_exp(turn)));
    double *turned = out + node->q + 3;
    turned[0] = next.w;
    turned[1] = next.x;
    turned[2] = next.y;
    turned[3] = next.z;
}

typedef struct motion {
    const int    *dof;
    const double *q, *v;
    double        h, *out;
} motion;

static void move_slice(void *user, int k, int first, int last)
{
    (void)k;
    const motion *m = user;
    const int    *dof = m->dof;
    const double *q = m->q, *v = m->v, h = m->h;
    double       *out = m->out;
    for (int i = first; i < last; i++)
        out[i] = q[i] + h * v[dof[i]];
}

void zn_system_move_together(const zn_system *sys, zn_team *team, const double *q, double h, const double *v,
                             double *q_out)
{
    motion m = {sys->coordinate_dof, q, v, h, q_out};
    if (sys->frames3 > 0 || sys->model->memories > 0)
        zn_system_move(sys, q, h, v, q_out);
    else
        zn_team_slice(team, sys->layout.memory, move_slice, &m);
}

void zn_system_move(const zn_system *sys, const double *q, double h, const double *v, double *q_out)
{
    ZN_ASSERT(q && v && q_out && q_out != v);
    const int *dof = sys->coordinate_dof, *straight = sys->straight_coordinate;
    if (sys->frames3 == 0) { // all of them
        for (int i = 0; i < sys->layout.memory; i++)
            q_out[i] = q[i] + h * v[dof[i]];
    } else {
        for (int i = 0; i < sys->straight; i++)
            q_out[straight[i]] = q[straight[i]] + h * v[dof[straight[i]]];
        for (int k = 0; k < sys->turning; k++)
            turn_frame(&sys->layout.node[sys->frame3[k]], q, h, v, q_out);
        move_upright(sys->upright, sys->upright_fours, q, h, v, q_out);
    }
    if (sys->model->memories > 0)
        zn_memory_follow(sys->model, &sys->layout, q, h, v, q_out);
}

void zn_system_retract(const zn_system *sys, const double *q, const double *dq, double *q_out)
{
    ZN_ALIVE(sys);
    zn_system_move(sys, q, 1, dq, q_out);
}

void zn_system_difference(const zn_system *sys, const double *q1, const double *q0, double *dq)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(q1 && q0 && dq && dq != q1 && dq != q0);
    for (int i = 0; i < sys->info.nq; i++)
        if (sys->coordinate_dof[i] >= 0)
            dq[sys->coordinate_dof[i]] = q1[i] - q0[i];
    for (int k = 0; k < sys->frames3; k++) {
        const zn_layout_node *node = &sys->layout.node[sys->frame3[k]];
        const double         *a = q0 + node->q + 3, *b = q1 + node->q + 3;
        zn_quat               from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
        zn_vec3               turn = node->small ? zn_vec3_sub(zn_small_rotation(node, b), zn_small_rotation(node, a))
                                                 : zn_so3_log(zn_quat_product(zn_quat_conjugate(from), to));
        dq[node->dof[3]] = turn.x;
        dq[node->dof[4]] = turn.y;
        dq[node->dof[5]] = turn.z;
    }
}

static void apply_tangent(const zn_system *sys, const double *dq, const double *x, double *y,
                          zn_mat3 (*tangent)(zn_vec3))
{
    ZN_ASSERT(dq && x && y);
    if (y != x)
        memcpy(y, x, sizeof *y * (size_t)sys->info.n_all);
    for (int k = 0; k < sys->frames3; k++) {
        const int *dof = sys->layout.node[sys->frame3[k]].dof + 3;
        if (sys->layout.node[sys->frame3[k]].small)
            continue; // rotation vectors add
        zn_mat3 T = tangent((zn_vec3){dq[dof[0]], dq[dof[1]], dq[dof[2]]});
        zn_vec3 r = zn_mat3_apply(T, (zn_vec3){x[dof[0]], x[dof[1]], x[dof[2]]});
        y[dof[0]] = r.x;
        y[dof[1]] = r.y;
        y[dof[2]] = r.z;
    }
}

void zn_system_tangent(const zn_system *sys, const double *dq, const double *x, double *y)
{
    ZN_ALIVE(sys);
    apply_tangent(sys, dq, x, y, zn_so3_tangent);
}

// T(dq)' = T(-dq)
static zn_mat3 transposed(zn_vec3 turn) { return zn_so3_tangent((zn_vec3){-turn.x, -turn.y, -turn.z}); }

void zn_system_tangent_transposed(const zn_system *sys, const double *dq, const double *x, double *y)
{
    apply_tangent(sys, dq, x, y, transposed);
}

void zn_system_tangent_inverse(const zn_system *sys, const double *dq, const double *x, double *y)
{
    ZN_ALIVE(sys);
    apply_tangent(sys, dq, x, y, zn_so3_tangent_inverse);
}

// --- the way of a step -----------------------------------------------------------------------------

static bool turns(const zn_layout_node *node) { return zn_node_rotates(node->kind) && !node->small; }

// The rotation of a node in a vector over all degrees of freedom; in the plane about z.
static zn_vec3 turn_of(const zn_layout_node *node, const double *x)
{
    bool planar = node->kind == ZN_FRAME2;
    return (zn_vec3){planar ? 0 : x[node->dof[3]], planar ? 0 : x[node->dof[4]], x[node->dof[5]]};
}

static void scale_turn(const zn_layout_node *node, double factor, double *x)
{
    for (int slot = 3; slot < 6; slot++)
        if (node->dof[slot] >= 0)
            x[node->dof[slot]] *= factor;
}

zn_status zn_system_way(const zn_system *sys, const double *d, double *way)
{
    ZN_ASSERT(d && way && d != way);
    const double most = 3.14159265358979323846; // half a turn at the mean spin; the turn itself is less
    memcpy(way, d, sizeof *way * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->layout.nodes && sys->has_rotations; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        if (!turns(node))
            continue;
        double angle = zn_vec3_norm(turn_of(node, d)), length = 2 * zn_tan(0.5 * angle);
        char   text[80];
        if (!(angle < most && length <= most))
            return zn_fail_here(&sys->model->log, ZN_INVALID_STATE,
                                "'%s' turns by more than half a turn in a step; take a smaller one",
                                zn_model_node_name(sys->model, i, text, sizeof text));
        scale_turn(node, angle > 0 ? length / angle : 1, way);
    }
    return ZN_OK;
}

void zn_system_way_inverse(const zn_system *sys, const double *way, double *d)
{
    ZN_ASSERT(d && way && d != way);
    memcpy(d, way, sizeof *d * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->layout.nodes && sys->has_rotations; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        double                length = turns(node) ? zn_vec3_norm(turn_of(node, way)) : 0;
        if (length > 0)
            scale_turn(node, 2 * zn_atan(0.5 * length) / length, d);
    }
}

// Columns of the rotations of a node, which have the same rows, times D = dw/dq = I + w~/2 + w w'/4: Cayley vectors
// follow each other as half of them, g, do in (g + e + g x e)/(1 - g.e), here with a small e.
static void turn_columns(const zn_system *sys, const zn_layout_node *node, zn_vec3 w, zn_sparse *a)
{
    const double turn[3] = {w.x, w.y, w.z};
    zn_mat3      D = zn_mat3_skew(w);
    int          column[3], count = 0, axis[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D.m[i][j] = 0.5 * D.m[i][j] + 0.25 * turn[i] * turn[j] + (i == j);
    for (int i = 0; i < 3; i++)
        if (node->dof[3 + i] >= 0 && node->dof[3 + i] < sys->info.n) {
            axis[count] = i;
            column[count++] = a->start[node->dof[3 + i]];
        }
    for (int k = 0; count > 0 && k < a->start[node->dof[3 + axis[0]] + 1] - column[0]; k++) {
        double row[3] = {0, 0, 0};
        for (int j = 0; j < count; j++) {
            ZN_ASSERT(a->row[column[j] + k] == a->row[column[0] + k]);
            for (int i = 0; i < count; i++)
                row[j] += a->value[column[i] + k] * D.m[axis[i]][axis[j]];
        }
        for (int j = 0; j < count; j++)
            a->value[column[j] + k] = row[j];
    }
}

void zn_system_way_columns(const zn_system *sys, const double *way, zn_sparse *a)
{
    ZN_ASSERT(way && a && a->n == sys->info.n);
    for (int i = 0; i < sys->layout.nodes && sys->has_rotations; i++)
        if (turns(&sys->layout.node[i]))
            turn_columns(sys, &sys->layout.node[i], turn_of(&sys->layout.node[i], way), a);
}

// Not fmax, which is a call.
static double larger(double a, double b) { return a > b ? a : b; }

double zn_system_resolution(const zn_system *sys, const double *q, double *r)
{
    ZN_ALIVE(sys);
    ZN_ASSERT(q && r != q);
    double largest = 0;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
        double                angle = node->kind == ZN_FRAME2 ? larger(1, fabs(q[node->q + 2])) : 1;
        int                   dimension = zn_node_dimension(node->kind);
        for (int k = 0; k < dimension; k++) {
            double size = DBL_EPSILON * larger(sys->extent, fabs(origin[k]) + fabs(q[node->q + k]));
            largest = size > largest ? size : largest;
            if (r && node->lever > 0)
                angle = larger(angle, size / (DBL_EPSILON * node->lever));
            if (r)
                r[node->dof[k]] = size;
        }
        for (int slot = 3; slot < 6 && r; slot++)
            if (node->dof[slot] >= 0)
                r[node->dof[slot]] = DBL_EPSILON * angle;
    }
    return zn_system_max(sys, largest);
}
