// Torsion spring and damper between two bodies, or a body and the ground, on the angle phi of `to` against `from` about
// an axis that `from` carries (travel.c; unwrapped over many turns):
//     moment M = M(phi, dphi/dt, t), usually k (phi - phi0) + c dphi/dt: spring_law.c;  force -B'M,  B = dphi/dq
// Tangents with k, c the derivatives of M:
//     C = c B'B,   K = B'(k B + c v'S) + M S,   S = dB'/dq
// S is 0 in the plane. All this holds for a travel that is a displacement as well.
#include "model/element/torsion.h"

#include <string.h>

enum { DOFS = ZN_TORSION_DOFS };

static const zn_torsion *parameters(const zn_element_block *b) { return b->parameter; }

// --- one of them alone -----------------------------------------------------------------------------

void zn_torsion_isolate(const zn_torsion *p, const zn_layout *layout, zn_torsion_alone *out)
{
    const zn_node_id id[2] = {p->travel.a.node, p->travel.b.node};
    zn_node_id      *own[2] = {&out->travel.a.node, &out->travel.b.node};
    out->travel = p->travel;
    out->layout = *layout;
    out->layout.nodes = 2;
    out->layout.node = out->node;
    for (int i = 0; i < DOFS; i++)
        out->dof[i] = -1;
    for (int k = 0; k < 2; k++) {
        if (id[k].value == 0)
            continue;
        own[k]->value = k + 1;
        out->node[k] = layout->node[id[k].value - 1];
        for (int i = 0; i < ZN_RIGID_DOFS; i++) {
            out->dof[ZN_RIGID_DOFS * k + i] = out->node[k].dof[i];
            out->node[k].dof[i] = out->node[k].dof[i] >= 0 ? ZN_RIGID_DOFS * k + i : -1;
        }
    }
}

void zn_torsion_row(const zn_torsion_alone *a, const double *q, double row[DOFS])
{
    int    dof[ZN_TRAVEL_ENTRIES];
    double value[ZN_TRAVEL_ENTRIES];
    int    count = zn_travel_row(&a->travel, &a->layout, q, dof, value);
    memset(row, 0, DOFS * sizeof *row);
    for (int i = 0; i < count; i++)
        row[dof[i]] += value[i];
}

// Column j of S.
static void row_change(const zn_torsion_alone *a, const double *q, int j, double out[DOFS])
{
    double unit[DOFS] = {0};
    unit[j] = 1;
    memset(out, 0, DOFS * sizeof *out);
    zn_travel_change(&a->travel, &a->layout, q, 1, unit, out);
}

void zn_torsion_rate_gradient(const zn_torsion_alone *a, zn_at at, double out[DOFS])
{
    double change[DOFS];
    for (int j = 0; j < DOFS; j++) {
        out[j] = 0;
        if (a->dof[j] < 0)
            continue;
        row_change(a, at.q, j, change);
        for (int i = 0; i < DOFS; i++)
            out[j] += a->dof[i] >= 0 ? change[i] * at.v[a->dof[i]] : 0;
    }
}

// --- one state -------------------------------------------------------------------------------------

typedef struct torsion_state {
    zn_torsion_alone alone;
    double           row[DOFS];
    zn_pull_value    pull;
    double           moment;
} torsion_state;

static double rate_of(const torsion_state *s, const double *w)
{
    double rate = 0;
    for (int i = 0; i < DOFS; i++)
        rate += s->alone.dof[i] >= 0 ? s->row[i] * w[s->alone.dof[i]] : 0;
    return rate;
}

static zn_status evaluate(const zn_element_block *b, int e, zn_at at, torsion_state *s)
{
    const zn_torsion *p = &parameters(b)[e];
    zn_torsion_isolate(p, b->layout, &s->alone);
    zn_torsion_row(&s->alone, at.q, s->row);
    s->pull = zn_pull_at(&p->pull, zn_travel_value(&p->travel, b->layout, at.q), rate_of(s, at.v), at.t);
    s->moment = zn_pull_force(&s->pull);
    if (isfinite(s->moment))
        return ZN_OK;
    return zn_fail_here(b->log, ZN_NOT_FINITE, "spring '%s': its moment is not a finite number at t = %g s",
                        b->part_name[b->part[e]], at.t);
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        torsion_state s;
        ZN_TRY(evaluate(b, e, at, &s));
        for (int i = 0; i < DOFS; i++)
            if (s.alone.dof[i] >= 0)
                f[s.alone.dof[i]] -= s.moment * s.row[i];
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)a;
    for (int e = 0; e < b->count; e++) {
        torsion_state s;
        double        gradient[DOFS], change[DOFS];
        ZN_TRY(evaluate(b, e, at, &s));
        zn_torsion_rate_gradient(&s.alone, at, gradient);
        for (int j = 0; j < DOFS; j++) {
            double slope =
                k * (s.pull.stiffness * s.row[j] + s.pull.damping * gradient[j]) + c * s.pull.damping * s.row[j];
            row_change(&s.alone, at.q, j, change);
            for (int i = 0; i < DOFS; i++)
                zn_element_scatter(b, e, i, j, s.row[i] * slope + k * s.moment * change[i], values);
        }
    }
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    (void)gravity;
    for (int e = 0; e < b->count; e++) {
        const zn_torsion *p = &parameters(b)[e];
        if (part < 0 || b->part[e] == part)
            out->strain += zn_pull_energy(&p->pull, zn_travel_value(&p->travel, b->layout, at.q), at.t);
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        torsion_state s;
        ZN_TRY(evaluate(b, e, at, &s));
        double rate = rate_of(&s, w);
        out->strain -= s.pull.elastic * rate + s.pull.growth; // as in spring.c
        out->load += s.pull.growth - s.pull.applied * rate;
        out->damper -= s.pull.viscous * rate;
    }
    return ZN_OK;
}

static zn_status growth(const zn_element_block *b, zn_at at, double *out)
{
    for (int e = 0; e < b->count; e++) {
        torsion_state s;
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

// Its ends are at one place as a rule: a mark on the body.
static zn_link link_of(const void *parameter)
{
    const zn_torsion *p = parameter;
    bool              body = p->to.node.value > 0;
    return (zn_link){ZN_LINK_JOINT, body ? p->to : p->from, body ? p->from : p->to};
}

#define TORSION_OPS(word, is_load, told)                                                                               \
    {                                                                                                                  \
        .name = (word), .nodes = 2, .dofs = DOFS, .parameter_size = sizeof(zn_torsion),                                \
        .linear = zn_element_never_linear, .force = force, .operators = operators, .energy = energy, .power = power,   \
        .growth = growth, .growth_between = zn_torsion_growth_between, .velocity_force = velocity_force,               \
        .link = link_of, .between = &zn_torsion_between, .load = (is_load), .readings = (told),                        \
    }

const zn_element_ops zn_torsion_ops = TORSION_OPS("torsion spring", false, &zn_torsion_readings);
const zn_element_ops zn_applied_torsion_ops = TORSION_OPS("torsion spring by a function", true, &zn_torsion_readings);
const zn_element_ops zn_slide_spring_ops = TORSION_OPS("spring of a prismatic joint", false, &zn_slide_readings);

// --- readings --------------------------------------------------------------------------------------

enum { ANGLE, RATE, MOMENT };

static const zn_reading readings[] = {
    {"angle", "rad", "angle of `to` against `from`, over many turns"},
    {"rate", "rad/s", "rate of the angle"},
    {"moment", "N m", "moment of spring and damper, positive when it turns `to` back"},
};

static const zn_reading slide_readings[] = {
    {"displacement", "m", "displacement of `to` against `from`"},
    {"rate", "m/s", "rate of the displacement"},
    {"force", "N", "force of spring and damper, positive when it pushes `to` back"},
};

static double reading(const zn_element_block *b, int e, int which, zn_at at)
{
    const zn_torsion *p = &parameters(b)[e];
    double            angle = zn_travel_value(&p->travel, b->layout, at.q);
    if (which == ANGLE)
        return angle;
    double rate = zn_travel_rate(&p->travel, b->layout, at.q, at.v);
    if (which == RATE)
        return rate;
    zn_pull_value pull = zn_pull_at(&p->pull, angle, rate, at.t);
    return zn_pull_force(&pull);
}

static void reading_gradient(const zn_element_block *b, int e, int which, zn_at at, zn_gradient *out)
{
    const zn_torsion *p = &parameters(b)[e];
    zn_torsion_alone  alone;
    double            row[DOFS], gradient[DOFS], of_angle = which == ANGLE, of_rate = which == RATE;
    if (which == MOMENT) {
        zn_pull_value pull = zn_pull_at(&p->pull, zn_travel_value(&p->travel, b->layout, at.q),
                                        zn_travel_rate(&p->travel, b->layout, at.q, at.v), at.t);
        of_angle = pull.stiffness;
        of_rate = pull.damping;
    }
    zn_torsion_isolate(p, b->layout, &alone);
    zn_torsion_row(&alone, at.q, row);
    zn_torsion_rate_gradient(&alone, at, gradient);
    for (int i = 0; i < DOFS; i++)
        if (alone.dof[i] >= 0) {
            zn_gradient_add(out, 1, &alone.dof[i], &row[i], of_angle, of_rate);
            zn_gradient_add(out, 1, &alone.dof[i], &gradient[i], of_rate, 0);
        }
}

const zn_readings zn_torsion_readings = {sizeof readings / sizeof *readings, readings, reading, reading_gradient};
const zn_readings zn_slide_readings = {sizeof slide_readings / sizeof *slide_readings, slide_readings, reading,
                                       reading_gradient};
