// Spring-damper between two carried points, geometrically nonlinear.
//     d = x_to - x_from,  l = |d|,  n = d / l,  N = N(l, dl/dt, t), usually k (l - l0) + c dl/dt: spring_law.c
//     force on `to`: -N n, on `from`: +N n.   dl/dt = n.(v_to - v_from)
// Tangents with B = n' (J_to - J_from), the row that gives dl/dt, and k, c the derivatives of N:
//     C = c B'B
//     K = B' dN/dq + N dB'/dq,   dN/dq = k B + c (dB/dq v)
// where S = dB'/dq holds J'(I - n n')J / l and the curvature of the carried points, and dB/dq v = v'S.
// Forces of functions have no potential: springs with such a law are a kind of their own, whose force is a load.
#include "model/element/spring.h"

#include "model/attachment.h"

enum { DOFS = 2 * ZN_ATTACHMENT_DOFS };

static const zn_spring *parameters(const zn_element_block *b) { return b->parameter; }

zn_status zn_spring_line_of(const zn_element_block *b, int e, const double *q, zn_spring_line *s)
{
    const zn_spring *p = &parameters(b)[e];
    zn_vec3          d =
        zn_vec3_sub(zn_attachment_position(b->layout, &p->to, q), zn_attachment_position(b->layout, &p->from, q));
    s->length = zn_vec3_norm(d);
    if (!(s->length > 0)) // without a length there is no direction
        return zn_fail_here(b->log, ZN_INVALID_STATE, "spring '%s': its ends coincide, so its force has no direction",
                            b->part_name[b->part[e]]);
    s->normal = zn_vec3_scale(1 / s->length, d);
    return ZN_OK;
}

zn_status zn_spring_check(const zn_element_block *b, int e, double force, double t)
{
    if (isfinite(force))
        return ZN_OK;
    return zn_fail_here(b->log, ZN_NOT_FINITE, "spring '%s': its force is not a finite number at t = %g s",
                        b->part_name[b->part[e]], t);
}

typedef struct spring_state {
    zn_spring_line line;
    double         rate, force;
    zn_pull_value  pull;
} spring_state;

static zn_status evaluate(const zn_element_block *b, int e, zn_at at, spring_state *s)
{
    const zn_spring *p = &parameters(b)[e];
    ZN_TRY(zn_spring_line_of(b, e, at.q, &s->line));
    s->rate = zn_vec3_dot(s->line.normal, zn_vec3_sub(zn_attachment_velocity(b->layout, &p->to, at.q, at.v),
                                                      zn_attachment_velocity(b->layout, &p->from, at.q, at.v)));
    s->pull = zn_pull_at(&p->pull, s->line.length, s->rate, at.t);
    s->force = zn_pull_force(&s->pull);
    return zn_spring_check(b, e, s->force, at.t);
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
        int    count = elongation_row(b, e, at.q, s.line.normal, dof, row);
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
    local_row(b, e, q, s->line.normal, along);
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j < DOFS; j++) {
            double dot = row[0][i] * row[0][j] + row[1][i] * row[1][j] + row[2][i] * row[2][j];
            S[i][j] = (dot - along[i] * along[j]) / s->line.length;
        }
    zn_mat3 to = zn_attachment_curvature(b->layout, &p->to, q, s->line.normal);
    zn_mat3 from = zn_attachment_curvature(b->layout, &p->from, q, zn_vec3_scale(-1, s->line.normal));
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
        const int   *dof = b->dof + DOFS * e;
        spring_state s;
        ZN_TRY(evaluate(b, e, at, &s));
        double B[DOFS], S[DOFS][DOFS], rate_gradient[DOFS] = {0};
        local_row(b, e, at.q, s.line.normal, B);
        row_derivative(b, e, at.q, &s, S);
        for (int i = 0; i < DOFS; i++) // d(B v)/dq = v' S, v held
            for (int j = 0; j < DOFS; j++)
                if (dof[i] >= 0)
                    rate_gradient[j] += at.v[dof[i]] * S[i][j];
        for (int i = 0; i < DOFS; i++)
            for (int j = 0; j < DOFS; j++) {
                double stiffness =
                    B[i] * (s.pull.stiffness * B[j] + s.pull.damping * rate_gradient[j]) + s.force * S[i][j];
                zn_element_scatter(b, e, i, j, c * s.pull.damping * B[i] * B[j] + k * stiffness, values);
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
        zn_spring_line line;
        ZN_TRY(zn_spring_line_of(b, e, at.q, &line));
        out->strain += zn_pull_energy(&parameters(b)[e].pull, line.length, at.t);
    }
    return ZN_OK;
}

// What moves the rest length works on the spring: the growth of V at rest is its power, less of V's loss by the force.
static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        spring_state s;
        ZN_TRY(evaluate(b, e, at, &s));
        int    dof[DOFS];
        double row[DOFS], rate = 0;
        int    count = elongation_row(b, e, at.q, s.line.normal, dof, row);
        for (int i = 0; i < count; i++)
            rate += row[i] * w[dof[i]];
        out->strain -= s.pull.elastic * rate + s.pull.growth;
        out->load += s.pull.growth - s.pull.applied * rate;
        out->damper -= s.pull.viscous * rate;
    }
    return ZN_OK;
}

static zn_status growth(const zn_element_block *b, zn_at at, double *out)
{
    for (int e = 0; e < b->count; e++) {
        spring_state s;
        if (!parameters(b)[e].pull.moving)
            continue;
        ZN_TRY(evaluate(b, e, at, &s));
        *out += s.pull.growth;
    }
    return ZN_OK;
}

static zn_velocity_force velocity_force(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (zn_pull_is_damped(&parameters(b)[e].pull))
            return ZN_VELOCITY_DAMPER;
    return ZN_VELOCITY_NONE;
}

static zn_link link_of(const void *parameter)
{
    const zn_spring *p = parameter;
    return (zn_link){ZN_LINK_SPRING, p->from, p->to};
}

#define SPRING_OPS(word, is_load)                                                                                      \
    {                                                                                                                  \
        .name = (word), .nodes = 2, .dofs = DOFS, .parameter_size = sizeof(zn_spring),                                 \
        .linear = zn_element_never_linear, .force = force, .operators = operators, .energy = energy, .power = power,   \
        .growth = growth, .growth_between = zn_spring_growth_between, .velocity_force = velocity_force,                \
        .link = link_of, .between = &zn_spring_between, .load = (is_load), .readings = &zn_spring_readings,            \
    }

const zn_element_ops zn_spring_ops = SPRING_OPS("spring", false);
const zn_element_ops zn_applied_spring_ops = SPRING_OPS("spring by a function", true);
