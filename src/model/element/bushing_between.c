// Bushings of planar bodies between two states. With R^ the mean of R_A at the ends, d^ that of the way d between the
// points, w_A the way of the turn of `from` (rigid_way.c), and a, b half the turns of `from` and `to`:
//     u_1 - u_0 = R^'(d_1 - d_0 - w_A x d^),   phi_1 - phi_0 = g (2 tan b - 2 tan a),   g = torsion_between.c's
// so there are rows B over the degrees of freedom that give the change of z on the way, exactly. s = K z^ + C B v, with
// the means z^ and v, has forces -B's that take z'K z/2 to rounding, and neither resultant nor moment. Tangents, when
// the end moves:
//     ds = K dz_1/2 + C dB v,   K = B'ds + dB's,   C = B'C B/2
#include "model/element/bushing.h"
#include "model/element/half_turns.h"
#include "model/element/lever_row.h"

enum { SIDE = ZN_ATTACHMENT_DOFS, DOFS = 2 * SIDE, ROWS = 3, TO = 5, FROM = SIDE + 5 };

static const int entry[ROWS] = {0, 1, 5}; // of the matrices

static const zn_bushing *parameters(const zn_element_block *b) { return b->parameter; }

static const zn_attachment *side_of(const zn_bushing *p, int side) { return side == 0 ? &p->to : &p->from; }

static bool is_small(const zn_layout *layout, zn_node_id id)
{
    return id.value > 0 && layout->node[id.value - 1].small;
}

static const char *lacks_between(const zn_element_block *b, int e)
{
    const zn_bushing *p = &parameters(b)[e];
    if (!p->planar)
        return "its rotation in space is no sum of the ways of both bodies";
    return is_small(b->layout, p->from.node) || is_small(b->layout, p->to.node)
               ? "it acts on a frame of linear beams, whose turns add"
               : NULL;
}

// Axes of the bush on `from`, point of an end, and what it is from, at one of the states.
static zn_vec3 axis_of(const zn_bushing *p, const zn_rigid *from, int i)
{
    return zn_rigid_vector(from, zn_quat_rotate(p->from_axes, zn_vec3_make(i == 0, i == 1, 0)));
}

typedef struct bushing_way {
    zn_rigid_way  side[2];                // of `to` and `from`
    zn_vec3       lever[2], d[2], middle; // d at the ends, d^
    zn_vec3       axis[2];                // columns of R^
    zn_half_turns turns;
    double        B[ROWS][DOFS], v[DOFS], s[ROWS];
} bushing_way;

static void find_geometry(const zn_element_block *b, int e, zn_between s, bushing_way *w)
{
    const zn_bushing *p = &parameters(b)[e];
    double            half[2];
    for (int side = 0; side < 2; side++) {
        const zn_attachment *a = side_of(p, side);
        zn_rigid_way        *way = &w->side[side];
        *way = zn_rigid_way_of(b->layout, a->node, s);
        w->lever[side] = zn_rigid_way_lever(way, a->at);
        half[side] = 0.5 * (zn_rigid_angle(&way->to, s.to.q) - zn_rigid_angle(&way->from, s.from.q));
    }
    w->turns = zn_half_turns_of(half[0], half[1]);
    const zn_rigid_way *to = &w->side[0], *from = &w->side[1];
    w->d[0] = zn_vec3_sub(zn_rigid_point(&to->from, p->to.at), zn_rigid_point(&from->from, p->from.at));
    w->d[1] = zn_vec3_sub(zn_rigid_point(&to->to, p->to.at), zn_rigid_point(&from->to, p->from.at));
    w->middle = zn_vec3_scale(0.5, zn_vec3_add(w->d[0], w->d[1]));
    for (int i = 0; i < 2; i++)
        w->axis[i] = zn_vec3_scale(0.5, zn_vec3_add(axis_of(p, &from->from, i), axis_of(p, &from->to, i)));
}

static void find_rows(bushing_way *w)
{
    memset(w->B, 0, sizeof w->B);
    for (int i = 0; i < 2; i++) {
        zn_lever_row(&w->side[0], w->lever[0], w->axis[i], w->B[i]);
        zn_lever_row(&w->side[1], w->lever[1], zn_vec3_scale(-1, w->axis[i]), w->B[i] + SIDE);
        w->B[i][FROM] -= zn_vec3_cross(w->middle, w->axis[i]).z;
    }
    w->B[2][TO] = w->turns.g;
    w->B[2][FROM] = -w->turns.g;
}

// z^, the mean of both ends.
static void mean_place(const zn_bushing *p, const bushing_way *w, zn_between s, double z[ROWS])
{
    const zn_rigid *from[2] = {&w->side[1].from, &w->side[1].to}, *to[2] = {&w->side[0].from, &w->side[0].to};
    const double   *q[2] = {s.from.q, s.to.q}, start[2] = {p->start.x, p->start.y};
    z[0] = z[1] = z[2] = 0;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++)
            z[i] += 0.5 * (zn_vec3_dot(axis_of(p, from[k], i), w->d[k]) - start[i]);
        z[2] += 0.5 * (zn_rigid_angle(to[k], q[k]) - zn_rigid_angle(from[k], q[k]) - p->angle);
    }
}

static void evaluate(const zn_element_block *b, int e, zn_between s, bushing_way *w)
{
    const zn_bushing *p = &parameters(b)[e];
    const int        *dof = b->dof + DOFS * e;
    double            z[ROWS], rate[ROWS] = {0};
    find_geometry(b, e, s, w);
    find_rows(w);
    mean_place(p, w, s, z);
    for (int i = 0; i < DOFS; i++) {
        w->v[i] = dof[i] >= 0 ? 0.5 * (s.from.v[dof[i]] + s.to.v[dof[i]]) : 0;
        for (int k = 0; k < ROWS; k++)
            rate[k] += w->B[k][i] * w->v[i];
    }
    for (int i = 0; i < ROWS; i++) {
        w->s[i] = 0;
        for (int j = 0; j < ROWS; j++)
            w->s[i] += p->K[entry[i]][entry[j]] * z[j] + p->C[entry[i]][entry[j]] * rate[j];
    }
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int  *dof = b->dof + DOFS * e;
        bushing_way w;
        evaluate(b, e, s, &w);
        for (int i = 0; i < DOFS; i++)
            for (int k = 0; dof[i] >= 0 && k < ROWS; k++)
                f[dof[i]] -= w.B[k][i] * w.s[k];
    }
    return ZN_OK;
}

// dB and dz_1 when one side moves with x at the end.
static void change_of(const zn_bushing *p, const bushing_way *w, int moving, const zn_rigid_motion *x,
                      double dB[ROWS][DOFS], double dz[ROWS])
{
    const zn_rigid_motion rest = {0};
    double                sign = moving == 0 ? 1 : -1;
    zn_vec3               dlever = zn_rigid_way_lever_change(&w->side[moving], side_of(p, moving)->at, x);
    zn_vec3               dd = zn_vec3_scale(sign, zn_vec3_add(x->shift, zn_vec3_scale(2, dlever)));
    zn_vec3               spin = moving == 1 ? x->spin : rest.spin, none = rest.shift;
    memset(dB, 0, sizeof(double[ROWS][DOFS]));
    for (int i = 0; i < 2; i++) {
        zn_vec3 end = axis_of(p, &w->side[1].to, i), daxis = zn_vec3_scale(0.5, zn_vec3_cross(spin, end));
        zn_lever_row_change(&w->side[0], moving == 0 ? x : &rest, w->lever[0], w->axis[i], moving == 0 ? dlever : none,
                            daxis, dB[i]);
        zn_lever_row_change(&w->side[1], moving == 1 ? x : &rest, w->lever[1], zn_vec3_scale(-1, w->axis[i]),
                            moving == 1 ? dlever : none, zn_vec3_scale(-1, daxis), dB[i] + SIDE);
        dB[i][FROM] -= 0.5 * zn_vec3_cross(dd, w->axis[i]).z + zn_vec3_cross(w->middle, daxis).z;
        dz[i] = zn_vec3_dot(end, zn_vec3_sub(dd, zn_vec3_cross(spin, w->d[1])));
    }
    dB[2][TO] = 0.5 * w->turns.change[moving] * x->spin.z;
    dB[2][FROM] = -dB[2][TO];
    dz[2] = sign * x->spin.z;
}

static void add_column(const zn_element_block *b, int e, const bushing_way *w, int moving, int j, double factor,
                       double *values)
{
    const zn_bushing *p = &parameters(b)[e];
    zn_rigid_motion   x = zn_rigid_way_unit(&w->side[moving], j);
    double            dB[ROWS][DOFS], dz[ROWS], rate[ROWS] = {0}, ds[ROWS] = {0};
    int               column = SIDE * moving + zn_lever_place(&w->side[moving], j);
    change_of(p, w, moving, &x, dB, dz);
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < DOFS; i++)
            rate[k] += dB[k][i] * w->v[i];
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < ROWS; k++)
            ds[i] += 0.5 * p->K[entry[i]][entry[k]] * dz[k] + p->C[entry[i]][entry[k]] * rate[k];
    for (int i = 0; i < DOFS; i++)
        for (int k = 0; k < ROWS; k++)
            zn_element_scatter(b, e, i, column, factor * (w->B[k][i] * ds[k] + dB[k][i] * w->s[k]), values);
}

static void add_damping(const zn_element_block *b, int e, const bushing_way *w, double factor, double *values)
{
    const zn_bushing *p = &parameters(b)[e];
    for (int k = 0; k < ROWS; k++)
        for (int l = 0; l < ROWS; l++)
            for (int i = 0; i < DOFS; i++)
                for (int j = 0; j < DOFS; j++)
                    zn_element_scatter(b, e, i, j, factor * w->B[k][i] * p->C[entry[k]][entry[l]] * w->B[l][j], values);
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)a;
    for (int e = 0; e < b->count; e++) {
        bushing_way w;
        evaluate(b, e, s, &w);
        if (c != 0 && parameters(b)[e].damped)
            add_damping(b, e, &w, 0.5 * c, values);
        for (int side = 0; k != 0 && side < 2; side++)
            for (int j = 0; j < zn_rigid_way_dofs(&w.side[side]); j++)
                add_column(b, e, &w, side, j, k, values);
    }
    return ZN_OK;
}

const zn_between_ops zn_bushing_between = {lacks_between, force_between, operators_between};
