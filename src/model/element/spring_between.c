// Springs between two states.
//     r: from `from` to `to` at the ends 0 and 1,  n = (r_0 + r_1) / (l_0 + l_1)
//     force on `to`: -N n,  N = F^ + c B v,  F^ the mean of the elastic force on the way (spring_law.c), usually
//     k ((l_0 + l_1)/2 - L), and v the mean velocity
// n.(r_1 - r_0) = l_1 - l_0, so that the force takes [V], and c (l_1 - l_0)^2 / h in a step h. Ends on
// levers move by the turn times the mean lever, rigid_way.c: B is the row of a force along n there, on `to`, less that
// on `from`, and B times the way of the step is l_1 - l_0. n is along the line through the mean positions of both ends,
// so that there is no moment. Tangents with n_1 = r_1 / l_1:
//     dl_1 = n_1.dr_1,  dn = (dr_1 - n dl_1)/(l_0 + l_1),   K = B'(dF^/dl_1 dl_1 + c v'dB') + N dB',   C = c/2 B'B
#include "model/element/lever_row.h"
#include "model/element/spring.h"

enum { DOFS = 2 * ZN_ATTACHMENT_DOFS };

enum { SIDE = ZN_ATTACHMENT_DOFS };

static const zn_spring *parameters(const zn_element_block *b) { return b->parameter; }

typedef struct spring_way {
    zn_rigid_way  side[2]; // of `to` and `from`
    zn_vec3       lever[2];
    zn_vec3       n, end; // mean direction, direction at the end
    double        sum;    // l_0 + l_1
    zn_pull_value pull;
    double        force; // N
    double        B[DOFS], v[DOFS];
} spring_way;

static const zn_attachment *side_of(const zn_spring *p, int side) { return side == 0 ? &p->to : &p->from; }

static const char *lacks_between(const zn_element_block *b, int e)
{
    const zn_spring *p = &parameters(b)[e];
    const char      *reason = zn_lever_lacks(b->layout, &p->from);
    return reason ? reason : zn_lever_lacks(b->layout, &p->to);
}

static zn_status evaluate_between(const zn_element_block *b, int e, zn_between s, spring_way *out)
{
    const zn_spring *p = &parameters(b)[e];
    const int       *dof = b->dof + DOFS * e;
    zn_spring_line   from, to;
    double           rate = 0;
    ZN_TRY(zn_spring_line_of(b, e, s.from.q, &from));
    ZN_TRY(zn_spring_line_of(b, e, s.to.q, &to));
    zn_vec3 r = zn_vec3_add(zn_vec3_scale(from.length, from.normal), zn_vec3_scale(to.length, to.normal));
    out->sum = from.length + to.length;
    out->n = zn_vec3_scale(1 / out->sum, r);
    out->end = to.normal;
    for (int side = 0; side < 2; side++) {
        const zn_attachment *a = side_of(p, side);
        out->side[side] = zn_rigid_way_of(b->layout, a->node, s);
        out->lever[side] = zn_rigid_way_lever(&out->side[side], a->at);
        zn_lever_row(&out->side[side], out->lever[side], zn_vec3_scale(side == 0 ? 1 : -1, out->n),
                     out->B + SIDE * side);
    }
    for (int i = 0; i < DOFS; i++) {
        out->v[i] = dof[i] >= 0 ? 0.5 * (s.from.v[dof[i]] + s.to.v[dof[i]]) : 0;
        rate += out->B[i] * out->v[i];
    }
    out->pull = zn_pull_between(&p->pull, (double[2]){from.length, to.length}, rate, (double[2]){s.from.t, s.to.t});
    out->force = zn_pull_force(&out->pull);
    return zn_spring_check(b, e, out->force, s.to.t);
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->dof + DOFS * e;
        spring_way w;
        ZN_TRY(evaluate_between(b, e, s, &w));
        for (int i = 0; i < DOFS; i++)
            if (dof[i] >= 0)
                f[dof[i]] -= w.force * w.B[i];
    }
    return ZN_OK;
}

// dB and dl_1 when one side moves with x at the end.
static double change_of(const zn_spring *p, const spring_way *w, int moving, const zn_rigid_motion *x, double dB[DOFS])
{
    const zn_rigid_motion rest = {0};
    zn_vec3               dlever = zn_rigid_way_lever_change(&w->side[moving], side_of(p, moving)->at, x);
    zn_vec3               dr = zn_vec3_scale(moving == 0 ? 1 : -1, zn_vec3_add(x->shift, zn_vec3_scale(2, dlever)));
    double                growth = zn_vec3_dot(w->end, dr);
    zn_vec3               dn = zn_vec3_scale(1 / w->sum, zn_vec3_sub(dr, zn_vec3_scale(growth, w->n)));
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        zn_lever_row_change(&w->side[side], side == moving ? x : &rest, w->lever[side], zn_vec3_scale(sign, w->n),
                            side == moving ? dlever : rest.shift, zn_vec3_scale(sign, dn), dB + SIDE * side);
    }
    return growth;
}

static void add_column(const zn_element_block *b, int e, const spring_way *w, int moving, int k, double factor,
                       double *values)
{
    const zn_spring *p = &parameters(b)[e];
    zn_rigid_motion  x = zn_rigid_way_unit(&w->side[moving], k);
    double           dB[DOFS], growth = change_of(p, w, moving, &x, dB), rate = 0;
    int              column = SIDE * moving + zn_lever_place(&w->side[moving], k);
    for (int i = 0; i < DOFS; i++)
        rate += w->v[i] * dB[i];
    for (int i = 0; i < DOFS; i++)
        zn_element_scatter(
            b, e, i, column,
            factor * (w->B[i] * (w->pull.stiffness * growth + w->pull.damping * rate) + w->force * dB[i]), values);
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)a;
    for (int e = 0; e < b->count; e++) {
        spring_way w;
        ZN_TRY(evaluate_between(b, e, s, &w));
        double half = 0.5 * c * w.pull.damping;
        for (int i = 0; half != 0 && i < DOFS; i++)
            for (int j = 0; j < DOFS; j++)
                zn_element_scatter(b, e, i, j, half * w.B[i] * w.B[j], values);
        for (int side = 0; k != 0 && side < 2; side++)
            for (int j = 0; j < zn_rigid_way_dofs(&w.side[side]); j++)
                add_column(b, e, &w, side, j, k, values);
    }
    return ZN_OK;
}

zn_status zn_spring_growth_between(const zn_element_block *b, zn_between s, double *out)
{
    for (int e = 0; e < b->count; e++) {
        spring_way w;
        if (!parameters(b)[e].pull.moving)
            continue;
        ZN_TRY(evaluate_between(b, e, s, &w));
        *out += w.pull.growth;
    }
    return ZN_OK;
}

const zn_between_ops zn_spring_between = {lacks_between, force_between, operators_between};
