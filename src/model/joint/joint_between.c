// Equations of joints between two states: rows H of the force with H.w = g' - g on the way w of the step, so that a
// joint which holds at both ends does no work, and whose forces on two bodies cancel with their moments about the
// middle. Bars are means of both states, W the Cayley vectors in world axes; x_a, x_b, d = x_a - x_b, R' - R = W x R^-:
//     point      e.(dx_a - dx_b)                                each at its mean lever
//     across     n^-.(dx_a - dx_b) + (W_b x n^-).d^-            both at x_a^-, along n^-
//     distance   (d + d').(dx_a - dx_b) / (|d| + |d'|)          each at its mean lever, which are on the line
//     right      (W_a - W_b).(u^- x w^-)
//     angle, dofs   each coordinate by itself; an angle that grows by 2 a has the way 2 tan a, so its entry is the
//                   factor times a / tan a. Moments of `angle` cancel where it holds.
// Prescribed motion only changes g: its work is the multiplier times motion' - motion.
#include "model/joint/joint.h"
#include "model/rigid_way.h"

typedef struct ends {
    zn_rigid_way A, B;
    zn_vec3      a, b; // mean levers
    zn_vec3      d;    // mean of x_a - x_b
} ends;

static ends ends_of(const zn_joint *p, const zn_layout *layout, zn_between s)
{
    ends e = {.A = zn_rigid_way_of(layout, p->a.node, s), .B = zn_rigid_way_of(layout, p->b.node, s)};
    e.a = zn_rigid_way_lever(&e.A, p->a.at);
    e.b = zn_rigid_way_lever(&e.B, p->b.at);
    e.d = zn_vec3_sub(zn_vec3_add(e.A.middle, e.a), zn_vec3_add(e.B.middle, e.b));
    return e;
}

static zn_vec3 span(const zn_joint *p, const zn_rigid *A, const zn_rigid *B)
{
    return zn_vec3_sub(zn_rigid_point(A, p->a.at), zn_rigid_point(B, p->b.at));
}

// --- two bodies ----------------------------------------------------------------------------------

// Along what the force acts and on which levers, and their changes; a moment where `turn` is set.
typedef struct action {
    bool    turn;
    zn_vec3 n, a, b;
} action;

static action action_of(const zn_joint *p, const zn_equation *eq, const ends *e)
{
    action f = {eq->kind == ZN_EQUATION_RIGHT, eq->direction, e->a, e->b};
    if (f.turn)
        f.n = zn_vec3_cross(zn_rigid_way_lever(&e->A, eq->other), zn_rigid_way_lever(&e->B, eq->direction));
    else if (eq->kind == ZN_EQUATION_ACROSS) {
        f.n = zn_rigid_way_lever(&e->B, eq->direction);
        f.b = zn_vec3_add(e->b, e->d);
    } else if (eq->kind == ZN_EQUATION_DISTANCE) {
        double lengths = zn_vec3_norm(span(p, &e->A.from, &e->B.from)) + zn_vec3_norm(span(p, &e->A.to, &e->B.to));
        f.n = zn_vec3_scale(2 / lengths, e->d);
    }
    return f;
}

static action change_of(const zn_joint *p, const zn_equation *eq, const ends *e, const zn_rigid_motion *A,
                        const zn_rigid_motion *B)
{
    action  c = {.turn = eq->kind == ZN_EQUATION_RIGHT};
    zn_vec3 u = zn_rigid_way_lever(&e->A, eq->other), w = zn_rigid_way_lever(&e->B, eq->direction);
    zn_vec3 dw = zn_rigid_way_lever_change(&e->B, eq->direction, B);
    c.a = zn_rigid_way_lever_change(&e->A, p->a.at, A);
    c.b = zn_rigid_way_lever_change(&e->B, p->b.at, B);
    zn_vec3 dd = zn_vec3_add(zn_vec3_scale(0.5, zn_vec3_sub(A->shift, B->shift)), zn_vec3_sub(c.a, c.b));
    if (c.turn)
        c.n = zn_vec3_add(zn_vec3_cross(zn_rigid_way_lever_change(&e->A, eq->other, A), w), zn_vec3_cross(u, dw));
    else if (eq->kind == ZN_EQUATION_ACROSS) {
        c.n = dw;
        c.b = zn_vec3_add(c.b, dd);
    } else if (eq->kind == ZN_EQUATION_DISTANCE) {
        zn_vec3 end = span(p, &e->A.to, &e->B.to), n = action_of(p, eq, e).n;
        double  length = zn_vec3_norm(end), lengths = length + zn_vec3_norm(span(p, &e->A.from, &e->B.from));
        double  growth = 2 * zn_vec3_dot(end, dd) / length;
        c.n = zn_vec3_scale(1 / lengths, zn_vec3_sub(zn_vec3_scale(2, dd), zn_vec3_scale(growth, n)));
    }
    return c;
}

static void pair_rows(const zn_joint *p, const zn_layout *layout, const zn_equation *eq, zn_between s, int *dof,
                      double *row)
{
    ends    e = ends_of(p, layout, s);
    action  f = action_of(p, eq, &e);
    zn_vec3 back = zn_vec3_scale(-1, f.n);
    int     count = f.turn ? zn_rigid_way_turn_row(&e.A, f.n, dof, row) : zn_rigid_way_row(&e.A, f.a, f.n, dof, row);
    if (f.turn)
        zn_rigid_way_turn_row(&e.B, back, dof + count, row + count);
    else
        zn_rigid_way_row(&e.B, f.b, back, dof + count, row + count);
}

static void pair_change(const zn_joint *p, const zn_layout *layout, const zn_equation *eq, zn_between s, double lambda,
                        const double *x, double *y)
{
    ends            e = ends_of(p, layout, s);
    zn_rigid_motion A = zn_rigid_way_motion(&e.A, x), B = zn_rigid_way_motion(&e.B, x);
    action          f = action_of(p, eq, &e), c = change_of(p, eq, &e, &A, &B);
    if (f.turn) {
        zn_rigid_way_turn_row_change(&e.A, &A, f.n, c.n, lambda, y);
        zn_rigid_way_turn_row_change(&e.B, &B, f.n, c.n, -lambda, y);
    } else {
        zn_rigid_way_row_change(&e.A, &A, f.a, f.n, c.a, c.n, lambda, y);
        zn_rigid_way_row_change(&e.B, &B, f.b, f.n, c.b, c.n, -lambda, y);
    }
}

// --- single degrees of freedom -------------------------------------------------------------------

// Half of what an angle grows by; 0: a translation, or an angle of linear beams, whose way is what it grows by.
static double half_turn(const zn_layout *layout, const zn_joint_dof *dof, zn_between s)
{
    const zn_layout_node *node = &layout->node[dof->node.value - 1];
    return dof->coordinate == ZN_COORDINATE_ANGLE && !node->small ? 0.5 * (s.to.q[node->q + 2] - s.from.q[node->q + 2])
                                                                  : 0;
}

static double share(double a) { return a != 0 ? a / zn_tan(a) : 1; }

// Of its change with a, half; by its series where it cancels.
static double half_share_rate(double a)
{
    double s = zn_sin(a);
    return fabs(a) < 0.01 ? -a / 3 - 2 * a * a * a / 45 : 0.5 * (s * zn_cos(a) - a) / (s * s);
}

// The coordinates of an equation of degrees of freedom or of angles; returns their number.
static int coordinates(const zn_joint *p, const zn_equation *eq, zn_joint_dof out[2])
{
    out[0] = eq->kind == ZN_EQUATION_DOFS ? p->dof[0] : (zn_joint_dof){p->a.node, ZN_COORDINATE_ANGLE, 1};
    out[1] = eq->kind == ZN_EQUATION_DOFS ? p->dof[1] : (zn_joint_dof){p->b.node, ZN_COORDINATE_ANGLE, -1};
    return eq->kind == ZN_EQUATION_DOFS ? p->dofs : p->b.node.value ? 2 : 1;
}

static bool of_coordinates(const zn_equation *eq)
{
    return eq->kind == ZN_EQUATION_DOFS || eq->kind == ZN_EQUATION_ANGLE;
}

// --- the rule ------------------------------------------------------------------------------------

zn_status zn_joint_evaluate_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                    zn_contact_product *out, double *const force[3])
{
    const zn_joint    *p = rule;
    const zn_equation *eq = &p->equation[key.number];
    zn_joint_dof       dof[2];
    ZN_TRY(zn_joint_ops.evaluate(rule, layout, key, s.to.q, s.to.t, out));
    if (!out->dof)
        return ZN_OK;
    if (!of_coordinates(eq))
        pair_rows(p, layout, eq, s, out->dof, force[0]);
    else
        for (int i = 0, count = coordinates(p, eq, dof); i < count; i++)
            force[0][i] = dof[i].factor * share(half_turn(layout, &dof[i], s));
    return ZN_OK;
}

zn_status zn_joint_curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                     const double *lambda, const double *x, double *y)
{
    ZN_ASSERT(x != y);
    const zn_joint    *p = rule;
    const zn_equation *eq = &p->equation[key.number];
    zn_joint_dof       dof[2];
    if (!of_coordinates(eq)) {
        pair_change(p, layout, eq, s, *lambda, x, y);
        return ZN_OK;
    }
    for (int i = 0, count = coordinates(p, eq, dof); i < count; i++) {
        int index = layout->node[dof[i].node.value - 1].dof[5];
        if (dof[i].coordinate == ZN_COORDINATE_ANGLE)
            y[index] += *lambda * dof[i].factor * half_share_rate(half_turn(layout, &dof[i], s)) * x[index];
    }
    return ZN_OK;
}
