// Spring-damper between two carried points, geometrically nonlinear.
//     d = x_to - x_from,  l = |d|,  n = d / l,  N = k (l - l0) + c n.(v_to - v_from)
//     force on `to`: -N n, on `from`: +N n.   V = k (l - l0)^2 / 2
// Tangents with B = n' (J_to - J_from), the row that gives dl/dt:
//     C = c B'B
//     K = B' dN/dq + N dB'/dq,   dN/dq = k B + c (dB/dq v)
// where S = dB'/dq holds J'(I - n n')J / l and the curvature of the carried points, and dB/dq v = v'S.
#include <string.h>

#include "model/attachment.h"
#include "model/element/element.h"

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
//     force on `to`: -N n,  N = k ((l_0 + l_1)/2 - L) + c n.w,  w the mean relative velocity
// n.(r_1 - r_0) = l_1 - l_0, so that the force takes k [(l - L)^2]/2, and c (l_1 - l_0)^2 / h with h w = r_1 - r_0.
// With n_1 = r_1 / l_1 and s = l_0 + l_1:  dn/dr_1 = (I - n n_1') / s,  dN/dr_1 = k/2 n_1 + c w'(I - n n_1') / s.
// Ends on levers move along arcs, n.(r_1 - r_0) is then no sum over degrees of freedom.

static bool has_lever(const zn_element_block *b, const zn_attachment *a)
{
    int dof[ZN_ATTACHMENT_DOFS];
    zn_attachment_dofs(b->layout, a, dof);
    return zn_vec3_norm(a->at) > 0 && (dof[3] >= 0 || dof[4] >= 0 || dof[5] >= 0);
}

static const char *lacks_between(const zn_element_block *b, int e)
{
    const zn_spring *p = &parameters(b)[e];
    return has_lever(b, &p->from) || has_lever(b, &p->to) ? "it is held off the centre of a body, which turns" : NULL;
}

typedef struct spring_mean {
    double n[3], end[3], w[3]; // mean direction, direction at the end, mean relative velocity
    double sum, force;         // l_0 + l_1, N
} spring_mean;

static zn_status evaluate_between(const zn_element_block *b, int e, zn_between s, spring_mean *out)
{
    const zn_spring *p = &parameters(b)[e];
    const zn_at      at[2] = {s.from, s.to};
    zn_vec3          r[2], w[2];
    double           l[2];
    for (int k = 0; k < 2; k++) {
        spring_state one;
        ZN_TRY(evaluate(b, e, at[k], &one));
        r[k] = zn_vec3_scale(one.length, one.normal);
        l[k] = one.length;
        w[k] = zn_vec3_sub(zn_attachment_velocity(b->layout, &p->to, at[k].q, at[k].v),
                           zn_attachment_velocity(b->layout, &p->from, at[k].q, at[k].v));
    }
    out->sum = l[0] + l[1];
    zn_vec3 n = zn_vec3_scale(1 / out->sum, zn_vec3_add(r[0], r[1])),
            mean = zn_vec3_scale(0.5, zn_vec3_add(w[0], w[1]));
    out->force = p->stiffness * (0.5 * out->sum - p->rest_length) + p->damping * zn_vec3_dot(n, mean);
    memcpy(out->n, (double[]){n.x, n.y, n.z}, sizeof out->n);
    memcpy(out->end, (double[]){r[1].x / l[1], r[1].y / l[1], r[1].z / l[1]}, sizeof out->end);
    memcpy(out->w, (double[]){mean.x, mean.y, mean.z}, sizeof out->w);
    return ZN_OK;
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int  *dof = b->dof + DOFS * e;
        spring_mean m;
        ZN_TRY(evaluate_between(b, e, s, &m));
        for (int i = 0; i < 3; i++) {
            if (dof[i] >= 0)
                f[dof[i]] -= m.force * m.n[i];
            if (dof[ZN_ATTACHMENT_DOFS + i] >= 0)
                f[dof[ZN_ATTACHMENT_DOFS + i]] += m.force * m.n[i];
        }
    }
    return ZN_OK;
}

// c C + k K of the relative motion of the ends.
static void relative_tangent(const zn_spring *p, const spring_mean *m, double c, double k, double out[3][3])
{
    double turn[3][3], gradient[3]; // dn/dr_1, dN/dr_1
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn[i][j] = ((i == j) - m->n[i] * m->end[j]) / m->sum;
    for (int j = 0; j < 3; j++) {
        gradient[j] = 0.5 * p->stiffness * m->end[j];
        for (int i = 0; i < 3; i++)
            gradient[j] += p->damping * m->w[i] * turn[i][j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = k * (m->n[i] * gradient[j] + m->force * turn[i][j]) + 0.5 * c * p->damping * m->n[i] * m->n[j];
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)a;
    for (int e = 0; e < b->count; e++) {
        spring_mean m;
        double      T[3][3];
        ZN_TRY(evaluate_between(b, e, s, &m));
        relative_tangent(&parameters(b)[e], &m, c, k, T);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                zn_element_scatter(b, e, i, j, T[i][j], values);
                zn_element_scatter(b, e, ZN_ATTACHMENT_DOFS + i, ZN_ATTACHMENT_DOFS + j, T[i][j], values);
                zn_element_scatter(b, e, i, ZN_ATTACHMENT_DOFS + j, -T[i][j], values);
                zn_element_scatter(b, e, ZN_ATTACHMENT_DOFS + i, j, -T[i][j], values);
            }
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
    .link = link_of,
    .between = &between,
};
