// Spring-damper between two carried points, geometrically nonlinear.
//     d = x_to - x_from,  l = |d|,  n = d / l,  N = k (l - l0) + c n.(v_to - v_from)
//     force on `to`: -N n, on `from`: +N n.   V = k (l - l0)^2 / 2
// Tangents with B = n' (J_to - J_from), the row that gives dl/dt:
//     C = c B'B
//     K = B' dN/dq + N dB'/dq,   dN/dq = k B + c (dB/dq v)
// where S = dB'/dq holds J'(I - n n')J / l and the curvature of the carried points, and dB/dq v = v'S.
#include "model/attachment.h"
#include "model/element/element.h"
#include "model/element/lever_row.h"

enum { DOFS = 2 * ZN_ATTACHMENT_DOFS };

static const zn_spring *parameters(const zn_element_block *b) { return b->parameter; }

typedef struct spring_state {
    zn_vec3 normal;
    double  length, rate, force;
} spring_state;

static zn_status evaluate(const zn_element_block *b, int e, zn_at at, spring_state *s)
{
    const zn_spring *p = &parameters(b)[e];
    zn_vec3          d =
        zn_vec3_sub(zn_attachment_position(b->layout, &p->to, at.q), zn_attachment_position(b->layout, &p->from, at.q));
    s->length = zn_vec3_norm(d);
    if (!(s->length > 0)) // without a length there is no direction
        return zn_fail_here(b->log, ZN_INVALID_STATE, "spring '%s': its ends coincide, so its force has no direction",
                            b->part_name[b->part[e]]);
    s->normal = zn_vec3_scale(1 / s->length, d);
    s->rate = zn_vec3_dot(s->normal, zn_vec3_sub(zn_attachment_velocity(b->layout, &p->to, at.q, at.v),
                                                 zn_attachment_velocity(b->layout, &p->from, at.q, at.v)));
    s->force = p->stiffness * (s->length - p->rest_length) + p->damping * s->rate;
    return ZN_OK;
}

// Row B of the elongation rate; returns the number of entries.
static int elongation_row(const zn_element_block *b, int e, const double *q, zn_vec3 normal, int *dof, double *value)
{
    const zn_spring *p = &parameters(b)[e];
    int              count = zn_attachment_row(b->layout, &p->to, q, normal, dof, value);
    return count + zn_attachment_row(b->layout, &p->from, q, zn_vec3_scale(-1, normal), dof + count, value + count);
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        spring_state s;
        ZN_TRY(evaluate(b, e, at, &s));
        int    dof[DOFS];
        double row[DOFS];
        int    count = elongation_row(b, e, at.q, s.normal, dof, row);
        for (int i = 0; i < count; i++)
            f[dof[i]] -= s.force * row[i];
    }
    return ZN_OK;
}

// Dense row over the twelve local degrees of freedom (to, then from).
static void local_row(const zn_element_block *b, int e, const double *q, zn_vec3 direction, double row[DOFS])
{
    const zn_spring     *p = &parameters(b)[e];
    const zn_attachment *end[2] = {&p->to, &p->from};
    for (int i = 0; i < DOFS; i++)
        row[i] = 0;
    for (int side = 0; side < 2; side++) {
        int    own[ZN_ATTACHMENT_DOFS], dof[ZN_ATTACHMENT_DOFS];
        double value[ZN_ATTACHMENT_DOFS];
        zn_attachment_dofs(b->layout, end[side], own);
        int count = zn_attachment_row(b->layout, end[side], q, direction, dof, value);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < ZN_ATTACHMENT_DOFS; j++)
                if (own[j] == dof[i])
                    row[side * ZN_ATTACHMENT_DOFS + j] = side == 0 ? value[i] : -value[i];
    }
}

// S = dB'/dq = J'(I - n n')J / l + curvature, over the local degrees of freedom.
static void row_derivative(const zn_element_block *b, int e, const double *q, const spring_state *s,
                           double S[DOFS][DOFS])
{
    const zn_spring *p = &parameters(b)[e];
    double           row[3][DOFS], along[DOFS];
    local_row(b, e, q, zn_vec3_make(1, 0, 0), row[0]);
    local_row(b, e, q, zn_vec3_make(0, 1, 0), row[1]);
    local_row(b, e, q, zn_vec3_make(0, 0, 1), row[2]);
    local_row(b, e, q, s->normal, along);
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j < DOFS; j++) {
            double dot = row[0][i] * row[0][j] + row[1][i] * row[1][j] + row[2][i] * row[2][j];
            S[i][j] = (dot - along[i] * along[j]) / s->length;
        }
    zn_mat3 to = zn_attachment_curvature(b->layout, &p->to, q, s->normal);
    zn_mat3 from = zn_attachment_curvature(b->layout, &p->from, q, zn_vec3_scale(-1, s->normal));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            S[3 + i][3 + j] += to.m[i][j];
            S[ZN_ATTACHMENT_DOFS + 3 + i][ZN_ATTACHMENT_DOFS + 3 + j] += from.m[i][j];
        }
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)a;
    for (int e = 0; e < b->count; e++) {
        const zn_spring *p = &parameters(b)[e];
        const int       *dof = b->dof + DOFS * e;
        spring_state     s;
        ZN_TRY(evaluate(b, e, at, &s));
        double B[DOFS], S[DOFS][DOFS], rate_gradient[DOFS] = {0};
        local_row(b, e, at.q, s.normal, B);
        row_derivative(b, e, at.q, &s, S);
        for (int i = 0; i < DOFS; i++) // d(B v)/dq = v' S, v held
            for (int j = 0; j < DOFS; j++)
                if (dof[i] >= 0)
                    rate_gradient[j] += at.v[dof[i]] * S[i][j];
        for (int i = 0; i < DOFS; i++)
            for (int j = 0; j < DOFS; j++) {
                double stiffness = B[i] * (p->stiffness * B[j] + p->damping * rate_gradient[j]) + s.force * S[i][j];
                zn_element_scatter(b, e, i, j, c * p->damping * B[i] * B[j] + k * stiffness, values);
            }
    }
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    (void)gravity;
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_spring *p = &parameters(b)[e];
        spring_state     s;
        ZN_TRY(evaluate(b, e, at, &s));
        double elongation = s.length - p->rest_length;
        out->strain += 0.5 * p->stiffness * elongation * elongation;
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        const zn_spring *p = &parameters(b)[e];
        spring_state     s;
        ZN_TRY(evaluate(b, e, at, &s));
        int    dof[DOFS];
        double row[DOFS], rate = 0;
        int    count = elongation_row(b, e, at.q, s.normal, dof, row);
        for (int i = 0; i < count; i++)
            rate += row[i] * w[dof[i]];
        out->strain -= p->stiffness * (s.length - p->rest_length) * rate;
        out->damper -= p->damping * s.rate * rate;
    }
    return ZN_OK;
}

static zn_velocity_force velocity_force(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (parameters(b)[e].damping > 0)
            return ZN_VELOCITY_DAMPER;
    return ZN_VELOCITY_NONE;
}

static zn_link link_of(const void *parameter)
{
    const zn_spring *p = parameter;
    return (zn_link){ZN_LINK_SPRING, p->from, p->to};
}

// --- between two states ----------------------------------------------------------------------------
//     r: from `from` to `to` at the ends 0 and 1,  n = (r_0 + r_1) / (l_0 + l_1)
//     force on `to`: -N n,  N = k ((l_0 + l_1)/2 - L) + c B v,  v the mean velocity
// n.(r_1 - r_0) = l_1 - l_0, so that the force takes k [(l - L)^2]/2, and c (l_1 - l_0)^2 / h in a step h. Ends on
// levers move by the turn times the mean lever, rigid_way.c: B is the row of a force along n there, on `to`, less that
// on `from`, and B times the way of the step is l_1 - l_0. n is along the line through the mean positions of both ends,
// so that there is no moment. Tangents with n_1 = r_1 / l_1:
//     dl_1 = n_1.dr_1,  dn = (dr_1 - n dl_1)/(l_0 + l_1),   K = B'(k/2 dl_1 + c v'dB') + N dB',   C = c/2 B'B

enum { SIDE = ZN_ATTACHMENT_DOFS };

typedef struct spring_way {
    zn_rigid_way side[2]; // of `to` and `from`
    zn_vec3      lever[2];
    zn_vec3      n, end;     // mean direction, direction at the end
    double       sum, force; // l_0 + l_1, N
    double       B[DOFS], v[DOFS];
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
    spring_state     from, to;
    double           rate = 0;
    ZN_TRY(evaluate(b, e, s.from, &from));
    ZN_TRY(evaluate(b, e, s.to, &to));
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
    out->force = p->stiffness * (0.5 * out->sum - p->rest_length) + p->damping * rate;
    return ZN_OK;
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
        zn_element_scatter(b, e, i, column,
                           factor * (w->B[i] * (0.5 * p->stiffness * growth + p->damping * rate) + w->force * dB[i]),
                           values);
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)a;
    for (int e = 0; e < b->count; e++) {
        double     half = 0.5 * c * parameters(b)[e].damping;
        spring_way w;
        ZN_TRY(evaluate_between(b, e, s, &w));
        for (int i = 0; half != 0 && i < DOFS; i++)
            for (int j = 0; j < DOFS; j++)
                zn_element_scatter(b, e, i, j, half * w.B[i] * w.B[j], values);
        for (int side = 0; k != 0 && side < 2; side++)
            for (int j = 0; j < zn_rigid_way_dofs(&w.side[side]); j++)
                add_column(b, e, &w, side, j, k, values);
    }
    return ZN_OK;
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};

const zn_element_ops zn_spring_ops = {
    .name = "spring",
    .nodes = 2,
    .dofs = DOFS,
    .parameter_size = sizeof(zn_spring),
    .linear = zn_element_never_linear,
    .force = force,
    .operators = operators,
    .energy = energy,
    .power = power,
    .velocity_force = velocity_force,
    .readings = &zn_spring_readings,
    .link = link_of,
    .between = &between,
};
