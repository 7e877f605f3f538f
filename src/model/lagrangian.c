// Systems in minimal coordinates, given by functions: one element over n scalar nodes, and one rule per constraint.
//     M(q) v' = f(t, q, v) - dV/dq + n(q, v) + G' lambda
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "model/model.h"

enum { MAX_N = 64 };

typedef struct zn_lagrangian {
    zn_lagrangian_def def;
    zn_element_ops    ops; // n differs from one to the next, so each has its own table
    int               first_node;
} zn_lagrangian;

// What a constraint rule keeps: which system, which of its constraints.
typedef struct lagrangian_rule {
    const zn_lagrangian *of;
    int                  number;
    double               restitution, friction;
} lagrangian_rule;

ZN_DEFINE_DEF(zn_lagrangian_def, .name = NULL)

void zn_lagrangian_destroy(zn_lagrangian *l)
{
    if (l && l->def.destroy)
        l->def.destroy(l->def.user);
    free(l);
}

// --- element -------------------------------------------------------------------------------------

static const zn_lagrangian *of_block(const zn_element_block *b) { return *(zn_lagrangian *const *)b->parameter; }

static void gather_dofs(const zn_element_block *b, const double *x, double *out)
{
    for (int i = 0; i < b->ops->dofs; i++)
        out[i] = x[b->dof[i]];
}

static void gather_coordinates(const zn_layout *layout, const zn_lagrangian *l, const double *q, double *out)
{
    for (int i = 0; i < l->def.n; i++)
        out[i] = q[layout->node[l->first_node + i].q];
}

// All forces; each function may be missing.
static zn_status total_force(const zn_lagrangian_def *d, double t, const double *q, const double *v, double *f)
{
    double part[MAX_N], V;
    memset(f, 0, sizeof *f * (size_t)d->n);
    if (d->force)
        ZN_TRY(d->force(d->user, t, q, v, f));
    if (d->potential) {
        ZN_TRY(d->potential(d->user, q, &V, part));
        for (int i = 0; i < d->n; i++)
            f[i] += part[i];
    }
    if (d->gyroscopic) {
        ZN_TRY(d->gyroscopic(d->user, q, v, part));
        for (int i = 0; i < d->n; i++)
            f[i] += part[i];
    }
    return ZN_OK;
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    const zn_lagrangian *l = of_block(b);
    double               q[MAX_N], v[MAX_N], own[MAX_N];
    gather_coordinates(b->layout, l, at.q, q);
    gather_dofs(b, at.v, v);
    ZN_TRY(total_force(&l->def, at.t, q, v, own));
    for (int i = 0; i < l->def.n; i++)
        f[b->dof[i]] += own[i];
    return ZN_OK;
}

// Central differences of the force with respect to x (q or v); J = -df/dx.
static zn_status difference(const zn_lagrangian_def *d, double t, double *q, double *v, double *x, double *J)
{
    double plus[MAX_N], minus[MAX_N];
    for (int j = 0; j < d->n; j++) {
        double middle = x[j], step = 6e-6 * (1 + fabs(middle));
        x[j] = middle + step;
        ZN_TRY(total_force(d, t, q, v, plus));
        x[j] = middle - step;
        ZN_TRY(total_force(d, t, q, v, minus));
        x[j] = middle;
        for (int i = 0; i < d->n; i++)
            J[i * d->n + j] = -(plus[i] - minus[i]) / (2 * step);
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    const zn_lagrangian     *l = of_block(b);
    const zn_lagrangian_def *d = &l->def;
    int                      n = d->n;
    double                   q[MAX_N], v[MAX_N], M[MAX_N * MAX_N], K[MAX_N * MAX_N], C[MAX_N * MAX_N];
    memset(K, 0, sizeof *K * (size_t)(n * n));
    memset(C, 0, sizeof *C * (size_t)(n * n));
    gather_coordinates(b->layout, l, at.q, q);
    gather_dofs(b, at.v, v);
    ZN_TRY(d->mass(d->user, q, M));
    if (d->tangent)
        ZN_TRY(d->tangent(d->user, at.t, q, v, K, C));
    else if (c != 0 || k != 0) {
        ZN_TRY(difference(d, at.t, q, v, q, K));
        ZN_TRY(difference(d, at.t, q, v, v, C));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            zn_element_scatter(b, 0, i, j, a * M[i * n + j] + c * C[i * n + j] + k * K[i * n + j], values);
    return ZN_OK;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    const zn_lagrangian *l = of_block(b);
    int                  n = l->def.n;
    double               own[MAX_N], M[MAX_N * MAX_N];
    if (part >= 0 && b->part[0] != part)
        return ZN_OK;
    own[0] = 0; // n >= 1 is not known to the compiler
    gather_coordinates(b->layout, l, q, own);
    ZN_TRY(l->def.mass(l->def.user, own, M));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            f[b->dof[i]] += M[i * n + j] * a[b->dof[j]];
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    (void)gravity;
    const zn_lagrangian *l = of_block(b);
    int                  n = l->def.n;
    double               q[MAX_N], v[MAX_N], M[MAX_N * MAX_N], f[MAX_N], V = 0;
    if (part >= 0 && b->part[0] != part)
        return ZN_OK;
    gather_coordinates(b->layout, l, at.q, q);
    gather_dofs(b, at.v, v);
    ZN_TRY(l->def.mass(l->def.user, q, M));
    if (l->def.potential)
        ZN_TRY(l->def.potential(l->def.user, q, &V, f));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out->kinetic += 0.5 * v[i] * M[i * n + j] * v[j];
    out->strain += V;
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    const zn_lagrangian     *l = of_block(b);
    const zn_lagrangian_def *d = &l->def;
    double                   q[MAX_N], v[MAX_N], f[MAX_N], V;
    gather_coordinates(b->layout, l, at.q, q);
    gather_dofs(b, at.v, v);
    if (d->potential) {
        ZN_TRY(d->potential(d->user, q, &V, f));
        for (int i = 0; i < d->n; i++)
            out->strain += f[i] * w[b->dof[i]];
    }
    if (d->gyroscopic) {
        ZN_TRY(d->gyroscopic(d->user, q, v, f));
        for (int i = 0; i < d->n; i++)
            out->gyroscopic += f[i] * w[b->dof[i]];
    }
    if (d->force) {
        ZN_TRY(d->force(d->user, at.t, q, v, f));
        for (int i = 0; i < d->n; i++)
            out->load += f[i] * w[b->dof[i]];
    }
    return ZN_OK;
}

// --- constraints ---------------------------------------------------------------------------------

static void fill_dofs(const zn_layout *layout, const zn_lagrangian *l, zn_contact_product *out)
{
    out->entries = l->def.n;
    for (int i = 0; i < l->def.n; i++)
        out->dof[i] = layout->node[l->first_node + i].dof[0];
}

static zn_status evaluate_contact(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                  double t, zn_contact_product *out)
{
    (void)key, (void)t;
    const lagrangian_rule *r = rule;
    double                 own[MAX_N], unasked[2][MAX_N];
    double *normal = out->dof ? out->value : unasked[0], *tangent = out->dof ? out->tangent[0] : unasked[1];
    gather_coordinates(layout, r->of, q, own);
    ZN_TRY(r->of->def.contact(r->of->def.user, r->number, own, &out->gap, normal, r->friction > 0 ? tangent : NULL));
    out->restitution = r->restitution;
    out->friction = r->friction;
    if (out->dof && !out->known)
        fill_dofs(layout, r->of, out);
    return ZN_OK;
}

static zn_status evaluate_joint(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                double t, zn_contact_product *out)
{
    const lagrangian_rule *r = rule;
    double                 own[MAX_N], row[MAX_N];
    gather_coordinates(layout, r->of, q, own);
    ZN_TRY(r->of->def.joint(r->of->def.user, (int)key.number, t, own, &out->gap, row, &out->rate));
    if (!out->dof)
        return ZN_OK;
    fill_dofs(layout, r->of, out);
    memcpy(out->value, row, sizeof *row * (size_t)r->of->def.n);
    return ZN_OK;
}

// Rows of a constraint at the system's own coordinates, weighted by lambda and added.
static zn_status row_at(const lagrangian_rule *r, bool joint, int number, double t, const double *own,
                        const double *lambda, double *row)
{
    const zn_lagrangian_def *d = &r->of->def;
    bool                     friction = !joint && r->friction > 0;
    double                   gap, other[MAX_N];
    ZN_TRY(joint ? d->joint(d->user, number, t, own, &gap, row, other)
                 : d->contact(d->user, r->number, own, &gap, row, friction ? other : NULL));
    for (int i = 0; i < d->n; i++)
        row[i] = lambda[0] * row[i] + (friction ? lambda[1] * other[i] : 0);
    return ZN_OK;
}

// d(G' lambda)/dq x by central differences of the row: functions give first derivatives only.
static zn_status curvature(const lagrangian_rule *r, const zn_layout *layout, bool joint, int number, const double *q,
                           double t, const double *lambda, const double *x, double *y)
{
    const zn_layout_node *node = layout->node + r->of->first_node;
    int                   n = r->of->def.n;
    double                moved[MAX_N], row[2][MAX_N], size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(x[node[i].dof[0]]));
    if (size == 0)
        return ZN_OK;
    double step = 6e-6 / size;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < n; i++)
            moved[i] = q[node[i].q] + (side == 0 ? step : -step) * x[node[i].dof[0]];
        ZN_TRY(row_at(r, joint, number, t, moved, lambda, row[side]));
    }
    for (int i = 0; i < n; i++)
        y[node[i].dof[0]] += (row[0][i] - row[1][i]) / (2 * step);
    return ZN_OK;
}

static zn_status contact_curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                   double t, const double *lambda, const double *x, double *y)
{
    return curvature(rule, layout, false, (int)key.number, q, t, lambda, x, y);
}

static zn_status joint_curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                 double t, const double *lambda, const double *x, double *y)
{
    return curvature(rule, layout, true, (int)key.number, q, t, lambda, x, y);
}

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    (void)key;
    const lagrangian_rule *r = rule;
    double                 own[MAX_N];
    *out = (zn_contact_location){.surface = -1};
    if (!r->of->def.where)
        return ZN_ERR_UNSUPPORTED;
    gather_coordinates(layout, r->of, q, own);
    r->of->def.where(r->of->def.user, r->number, own, &out->position, &out->normal, &out->tangent[0]);
    return ZN_OK;
}

int zn_lagrangian_outlines(const zn_lagrangian *l) { return l->def.outline ? l->def.outlines : 0; }

int zn_lagrangian_outline(const zn_lagrangian *l, const zn_layout *layout, int i, const double *q, zn_vec3 *points)
{
    double own[MAX_N];
    gather_coordinates(layout, l, q, own);
    return l->def.outline(l->def.user, i, own, points);
}

static const zn_contact_ops contact_ops = {.name = "constraint",
                                           .max_entries = MAX_N,
                                           .evaluate = evaluate_contact,
                                           .curvature = contact_curvature,
                                           .locate = locate};
static const zn_contact_ops joint_ops = {.name = "equation",
                                         .max_entries = MAX_N,
                                         .bilateral = true,
                                         .evaluate = evaluate_joint,
                                         .curvature = joint_curvature};

// --- adding one to a model -----------------------------------------------------------------------

static zn_status check(const zn_model *model, const zn_lagrangian_def *d)
{
    const char   *name = d->name ? d->name : "lagrangian";
    const zn_log *log = &model->log;
    if (d->n < 1 || d->n > MAX_N)
        return zn_fail(log, ZN_ERR_MODEL, "system '%s': %d coordinates are not in [1, %d]", name, d->n, MAX_N);
    if (!d->mass || !d->q0)
        return zn_fail(log, ZN_ERR_MODEL, "system '%s': mass and q0 are required", name);
    if ((d->contacts > 0 && !d->contact) || (d->joints > 0 && !d->joint) || d->contacts < 0 || d->joints < 0)
        return zn_fail(log, ZN_ERR_MODEL, "system '%s': constraints without a function", name);
    for (int i = 0; i < d->contacts; i++) {
        if (d->restitution && !(d->restitution[i] >= 0 && d->restitution[i] <= 1))
            return zn_fail(log, ZN_ERR_MODEL, "system '%s': restitution %g is not in [0, 1]", name, d->restitution[i]);
        if (d->friction && !(d->friction[i] >= 0 && isfinite(d->friction[i])))
            return zn_fail(log, ZN_ERR_MODEL, "system '%s': friction %g is negative", name, d->friction[i]);
    }
    return ZN_OK;
}

static zn_status add_constraints(zn_model *model, const zn_lagrangian *l, const zn_lagrangian_def *d, const char *name)
{
    char text[64];
    for (int i = 0; i < d->contacts; i++) {
        lagrangian_rule rule = {l, i, d->restitution ? d->restitution[i] : 0, d->friction ? d->friction[i] : 0};
        snprintf(text, sizeof text, "%.40s_contact_%d", name, i + 1);
        ZN_TRY(zn_model_add_rows_rule(model, d->contact_names ? d->contact_names[i] : text, &contact_ops, 1,
                                      rule.friction > 0 ? 2 : 1, &rule, sizeof rule));
    }
    if (d->joints == 0)
        return ZN_OK;
    snprintf(text, sizeof text, "%.40s_joints", name);
    return zn_model_add_rows_rule(model, text, &joint_ops, d->joints, 1, &(lagrangian_rule){.of = l},
                                  sizeof(lagrangian_rule));
}

static zn_status add_nodes(zn_model *model, const zn_lagrangian_def *d)
{
    for (int i = 0; i < d->n; i++) {
        zn_node_def node = zn_node_def_default();
        node.kind = ZN_SCALAR;
        node.position.x = d->q0[i];
        node.velocity.x = d->v0 ? d->v0[i] : 0;
        ZN_TRY(zn_model_push_node(model, &node, d->name ? d->name : "lagrangian"));
    }
    return ZN_OK;
}

zn_status zn_model_add_lagrangian(zn_model *model, const zn_lagrangian_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_lagrangian_def, def, &model->log);
    zn_lagrangian *l = ZN_NEW(zn_lagrangian, 1);
    zn_status      status =
        l ? ZN_PUSH(model->lagrangian, model->lagrangians, model->lagrangian_capacity, l) : ZN_ERR_MEMORY;
    if (status != ZN_OK) {
        if (def->destroy)
            def->destroy(def->user);
        free(l);
        return status;
    }
    l->def = *def; // from here on the model destroys it
    ZN_TRY(check(model, def));
    l->def.q0 = l->def.v0 = l->def.restitution = l->def.friction = NULL; // not ours to keep
    l->def.contact_names = NULL;
    l->first_node = model->nodes;
    l->ops = (zn_element_ops){.name = "lagrangian",
                              .nodes = def->n,
                              .dofs = def->n,
                              .parameter_size = sizeof l,
                              .varying_mass = true,
                              .linear = zn_element_never_linear,
                              .force = force,
                              .operators = operators,
                              .inertia = inertia,
                              .energy = energy,
                              .power = power};
    int             node[MAX_N], part;
    const zn_named *entry = NULL;
    zn_named what = {.kind = ZN_NAMED_BAR, .node = l->first_node, .nodes = def->n, .part = model->parts, .rule = -1};
    ZN_TRY(add_nodes(model, def));
    ZN_TRY(zn_model_add_name(model, def->name, "lagrangian", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    for (int i = 0; i < def->n; i++)
        node[i] = l->first_node + i;
    ZN_TRY(zn_model_add_element(model, &l->ops, part, node, &l));
    return add_constraints(model, l, def, entry->name);
}
