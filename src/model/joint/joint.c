// Scalar equations g(q, t) = 0 of joints, with x_a = p_a + R_a a and x_b likewise, d = x_a - x_b:
//     point      g = e.d                        rows of x_a along e and of x_b along -e
//     across     g = n.d - value, n = R_b n_b   row of x_a along n, of the material point of b at x_a along -n
//     angle      g = phi_a - phi_b - value
//     distance   g = |d| - value                rows along n = d / |d|, both at x_a (which lies on the line)
//     dofs       g = sum f_i s_i - motion(t) - value
//     right      g = u.w, u = R_a u_a, w = R_b w_b: dg = (S_a - S_b).m with m = u x w, rows of the spins S along +-m
// The points of `point` stay apart while the equation is violated, so each body's row is taken at its own point.
// Rows and their changes: rigid_row.c. dg/dt at fixed q is -d motion/dt.
#include "model/joint/joint.h"

#include "base/assert.h"
#include "model/rigid_row.h"
#include "model/signal.h"

// The two bodies, and what the equation needs of them.
typedef struct ends {
    zn_rigid A, B;
    zn_vec3  xa, xb, d;
} ends;

static ends ends_of(const zn_joint *p, const zn_layout *layout, const double *q)
{
    ends e = {.A = zn_rigid_at(layout, p->a.node, q), .B = zn_rigid_at(layout, p->b.node, q)};
    e.xa = zn_rigid_point(&e.A, p->a.at);
    e.xb = zn_rigid_point(&e.B, p->b.at);
    e.d = zn_vec3_sub(e.xa, e.xb);
    return e;
}

// --- rows of two bodies --------------------------------------------------------------------------

// Row of A at ca along d minus row of B at cb along d.
static void two_rows(const ends *e, zn_vec3 ca, zn_vec3 cb, zn_vec3 d, zn_contact_product *out)
{
    if (!out->dof)
        return;
    int count = zn_rigid_row(&e->A, ca, d, out->dof, out->value);
    out->entries = count + zn_rigid_row(&e->B, cb, zn_vec3_scale(-1, d), out->dof + count, out->value + count);
}

// u, w and m = u x w of an equation of a right angle.
static zn_vec3 moment_of(const zn_equation *eq, const ends *e, zn_vec3 *u, zn_vec3 *w)
{
    *u = zn_rigid_vector(&e->A, eq->other);
    *w = zn_rigid_vector(&e->B, eq->direction);
    return zn_vec3_cross(*u, *w);
}

static void evaluate_right(const zn_equation *eq, const ends *e, zn_contact_product *out)
{
    zn_vec3 u, w, m = moment_of(eq, e, &u, &w);
    out->gap = zn_vec3_dot(u, w);
    if (!out->dof)
        return;
    int count = zn_rigid_turn_row(&e->A, m, out->dof, out->value);
    out->entries = count + zn_rigid_turn_row(&e->B, zn_vec3_scale(-1, m), out->dof + count, out->value + count);
}

// dm = (S_a x u) x w + u x (S_b x w)
static void right_curvature(const zn_equation *eq, const ends *e, double lambda, const double *x, double *y)
{
    zn_vec3 u, w, m = moment_of(eq, e, &u, &w);
    zn_vec3 du = zn_vec3_cross(zn_rigid_spin(&e->A, x), u), dw = zn_vec3_cross(zn_rigid_spin(&e->B, x), w);
    zn_vec3 dm = zn_vec3_add(zn_vec3_cross(du, w), zn_vec3_cross(u, dw));
    zn_rigid_turn_row_change(&e->A, m, dm, lambda, x, y);
    zn_rigid_turn_row_change(&e->B, m, dm, -lambda, x, y);
}

static zn_status distance_of(const zn_joint *p, const ends *e, double *length, zn_vec3 *n)
{
    *length = zn_vec3_norm(e->d);
    if (!(*length > 0))
        return zn_fail_here(p->log, ZN_INVALID_STATE, "joint '%s': its ends coincide, so it has no direction", p->name);
    *n = zn_vec3_scale(1 / *length, e->d);
    return ZN_OK;
}

static zn_status evaluate_pair(const zn_joint *p, const zn_equation *eq, const ends *e, zn_contact_product *out)
{
    zn_vec3 n;
    switch (eq->kind) {
    case ZN_EQUATION_RIGHT:
        evaluate_right(eq, e, out);
        break;
    case ZN_EQUATION_POINT:
        out->gap = zn_vec3_dot(eq->direction, e->d);
        two_rows(e, e->xa, e->xb, eq->direction, out);
        break;
    case ZN_EQUATION_ACROSS:
        n = zn_rigid_vector(&e->B, eq->direction);
        out->gap = zn_vec3_dot(n, e->d) - eq->value;
        two_rows(e, e->xa, e->xa, n, out);
        break;
    default:
        ZN_TRY(distance_of(p, e, &out->gap, &n));
        out->gap -= eq->value;
        two_rows(e, e->xa, e->xa, n, out);
    }
    return ZN_OK;
}

static zn_status pair_curvature(const zn_joint *p, const zn_equation *eq, const ends *e, double lambda, const double *x,
                                double *y)
{
    zn_vec3 da = zn_rigid_velocity(&e->A, x, e->xa), db = zn_rigid_velocity(&e->B, x, e->xb);
    zn_vec3 n = eq->direction, dn = {0, 0, 0}, cb = e->xa, dcb = da;
    if (eq->kind == ZN_EQUATION_POINT) {
        cb = e->xb;
        dcb = db;
    } else if (eq->kind == ZN_EQUATION_ACROSS) {
        n = zn_rigid_vector(&e->B, eq->direction);
        dn = zn_vec3_cross(zn_rigid_spin(&e->B, x), n);
    } else {
        double  length;
        zn_vec3 dd = zn_vec3_sub(da, db);
        ZN_TRY(distance_of(p, e, &length, &n));
        dn = zn_vec3_scale(1 / length, zn_vec3_sub(dd, zn_vec3_scale(zn_vec3_dot(n, dd), n)));
    }
    zn_rigid_row_change(&e->A, e->xa, n, da, dn, lambda, x, y);
    zn_rigid_row_change(&e->B, cb, n, dcb, dn, -lambda, x, y);
    return ZN_OK;
}

// --- rows of single degrees of freedom -----------------------------------------------------------

// Value of a coordinate and its degree of freedom.
static double coordinate(const zn_layout *layout, const zn_joint_dof *dof, const double *q, int *index)
{
    ZN_ASSERT(dof->node.value > 0 && dof->node.value <= layout->nodes);
    const zn_layout_node *node = &layout->node[dof->node.value - 1];
    const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
    bool                  angle = dof->coordinate == ZN_COORDINATE_ANGLE;
    *index = node->dof[angle ? 5 : (int)dof->coordinate];
    return angle ? q[node->q + 2] : origin[dof->coordinate] + q[node->q + (int)dof->coordinate];
}

// sum of factor * coordinate, with its row.
static double sum_dofs(const zn_layout *layout, int count, const zn_joint_dof *dof, const double *q,
                       zn_contact_product *out)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        int index;
        sum += dof[i].factor * coordinate(layout, &dof[i], q, &index);
        if (out->dof) {
            out->dof[i] = index;
            out->value[i] = dof[i].factor;
        }
    }
    out->entries = count;
    return sum;
}

static void evaluate_angle(const zn_joint *p, const zn_layout *layout, const double *q, zn_contact_product *out)
{
    const zn_joint_dof angle[2] = {{p->a.node, ZN_COORDINATE_ANGLE, 1}, {p->b.node, ZN_COORDINATE_ANGLE, -1}};
    out->gap = sum_dofs(layout, p->b.node.value ? 2 : 1, angle, q, out);
}

zn_status zn_joint_follow(const zn_signal *motion, const char *name, const zn_log *log, double t,
                          zn_contact_product *out)
{
    out->gap -= zn_signal_at(motion, t);
    if (out->dof)
        out->rate = -zn_signal_rate(motion, t);
    if (!isfinite(out->gap) || !isfinite(out->rate))
        return zn_fail_here(log, ZN_NOT_FINITE, "joint '%s': not a finite number at t = %g s", name, t);
    return ZN_OK;
}

static zn_status evaluate_dofs(const zn_joint *p, const zn_layout *layout, const double *q, double t,
                               zn_contact_product *out)
{
    out->gap = sum_dofs(layout, p->dofs, p->dof, q, out);
    return p->motion ? zn_joint_follow(p->motion, p->name, p->log, t, out) : ZN_OK;
}

// --- the rule ------------------------------------------------------------------------------------

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    int number = (int)key.number;
    ZN_ASSERT(number >= 0 && number < ((const zn_joint *)rule)->equations);
    const zn_joint    *p = rule;
    const zn_equation *eq = &p->equation[number];
    out->restitution = 0;
    if (eq->kind == ZN_EQUATION_DOFS)
        ZN_TRY(evaluate_dofs(p, layout, q, t, out));
    else if (eq->kind == ZN_EQUATION_ANGLE)
        evaluate_angle(p, layout, q, out);
    else {
        ends e = ends_of(p, layout, q);
        return evaluate_pair(p, eq, &e, out);
    }
    out->gap -= eq->value;
    return ZN_OK;
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    int number = (int)key.number;
    ZN_ASSERT(number >= 0 && number < ((const zn_joint *)rule)->equations && x != y);
    (void)t;
    const zn_joint    *p = rule;
    const zn_equation *eq = &p->equation[number];
    if (eq->kind == ZN_EQUATION_DOFS || eq->kind == ZN_EQUATION_ANGLE)
        return ZN_OK; // linear
    ends e = ends_of(p, layout, q);
    if (eq->kind != ZN_EQUATION_RIGHT)
        return pair_curvature(p, eq, &e, *lambda, x, y);
    right_curvature(eq, &e, *lambda, x, y);
    return ZN_OK;
}

// A distance alone is a rod; couplings have no place.
static bool link_of(const void *rule, zn_link *out)
{
    const zn_joint *p = rule;
    bool            rod = p->equations == 1 && p->equation[0].kind == ZN_EQUATION_DISTANCE;
    *out = (zn_link){rod ? ZN_LINK_ROD : ZN_LINK_JOINT, p->a, p->b};
    return p->a.node.value != 0;
}

static const char *components(const void *rule) { return ((const zn_joint *)rule)->components; }

static bool angular(const void *rule, int equation)
{
    const zn_joint    *joint = rule;
    const zn_equation *eq = &joint->equation[equation];
    return eq->kind == ZN_EQUATION_ANGLE || eq->kind == ZN_EQUATION_RIGHT ||
           (eq->kind == ZN_EQUATION_DOFS && joint->dof[0].coordinate == ZN_COORDINATE_ANGLE);
}

static bool driven(const void *rule) { return ((const zn_joint *)rule)->motion != NULL; }

static bool grounded(const void *rule, zn_vec3 *along)
{
    (void)along;
    const zn_joint *p = rule;
    return p->a.node.value == 0 || p->b.node.value == 0 || p->dofs > 0;
}

const zn_contact_ops zn_joint_ops = {
    .name = "joint",
    .max_entries = 2 * ZN_RIGID_DOFS,
    .bilateral = true,
    .evaluate = evaluate,
    .curvature = curvature,
    .evaluate_between = zn_joint_evaluate_between,
    .curvature_between = zn_joint_curvature_between,
    .grounded = grounded,
    .link = link_of,
    .components = components,
    .angular = angular,
    .driven = driven,
};
