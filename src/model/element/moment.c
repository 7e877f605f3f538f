// Moment on a spatial frame, a function of time. In the axes of the frame (follower) the generalized force is M itself;
// in world axes it is R'M, with K = -d(R'M)/dtheta = -(R'M)~. Frames of linear beams add rotation vectors, the turns of
// that theory: there the moment does not turn with the frame, it is M, and the model stays linear.
#include "model/element/element.h"
#include "model/element/lever_row.h"

static const zn_moment *parameters(const zn_element_block *b) { return b->parameter; }

static double value_of(const zn_signal *signal, zn_at at)
{
    return signal ? (1 - at.relief) * zn_signal_at(signal, at.t) : 0;
}

// Does it depend on how the frame has turned?
static bool turns(const zn_element_block *b, int e)
{
    return !parameters(b)[e].follower && !b->layout->node[b->node[e]].small;
}

// As the frame counts its turns.
static zn_vec3 moment_at(const zn_element_block *b, int e, zn_at at)
{
    const zn_moment *p = &parameters(b)[e];
    const double    *r = at.q + b->layout->node[b->node[e]].q + 3;
    zn_vec3          M = {value_of(p->moment[0], at), value_of(p->moment[1], at), value_of(p->moment[2], at)};
    return !turns(b, e) ? M : zn_quat_rotate((zn_quat){r[0], -r[1], -r[2], -r[3]}, M);
}

static bool linear(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (turns(b, e))
            return false;
    return true;
}

static zn_status check_finite(const zn_element_block *b, int e, zn_vec3 M, double t)
{
    if (isfinite(M.x) && isfinite(M.y) && isfinite(M.z))
        return ZN_OK;
    return zn_fail_here(b->log, ZN_NOT_FINITE, "load '%s': not a finite number at t = %g s", b->part_name[b->part[e]],
                        t);
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->layout->node[b->node[e]].dof + 3;
        zn_vec3    M = moment_at(b, e, at);
        ZN_TRY(check_finite(b, e, M, at.t));
        f[dof[0]] += M.x;
        f[dof[1]] += M.y;
        f[dof[2]] += M.z;
    }
    return ZN_OK;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)a, (void)c;
    for (int e = 0; e < b->count; e++) {
        if (!turns(b, e))
            continue;
        zn_vec3 M = moment_at(b, e, at);
        zn_mat3 S = zn_mat3_skew(M);
        ZN_TRY(check_finite(b, e, M, at.t));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                zn_element_scatter(b, e, 3 + i, 3 + j, -k * S.m[i][j], values);
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->layout->node[b->node[e]].dof + 3;
        out->load += zn_vec3_dot(moment_at(b, e, at), (zn_vec3){w[dof[0]], w[dof[1]], w[dof[2]]});
    }
    return ZN_OK;
}

// --- between two states ----------------------------------------------------------------------------
// The moment of the middle of the times. In world axes it goes through the mean rotation, as all moments do (see
// rigid_way.c); one that follows has the mean of its directions in world axes, and that is M itself in these equations.

static const char *lacks_between(const zn_element_block *b, int e)
{
    (void)b, (void)e;
    return NULL;
}

static zn_vec3 world_moment(const zn_element_block *b, int e, zn_between s)
{
    const zn_moment *p = &parameters(b)[e];
    zn_at            at = zn_between_load(s);
    return (zn_vec3){value_of(p->moment[0], at), value_of(p->moment[1], at), value_of(p->moment[2], at)};
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int   *dof = b->layout->node[b->node[e]].dof + 3;
        zn_rigid_way way = zn_rigid_way_of(b->layout, parameters(b)[e].node, s);
        zn_vec3      M = world_moment(b, e, s);
        double       row[3] = {M.x, M.y, M.z};
        int          same[3];
        ZN_TRY(check_finite(b, e, M, zn_between_load(s).t));
        if (turns(b, e))
            zn_rigid_way_turn_row(&way, M, same, row);
        for (int i = 0; i < 3; i++)
            f[dof[i]] += row[i];
    }
    return ZN_OK;
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    (void)a, (void)c;
    for (int e = 0; e < b->count; e++) {
        if (!turns(b, e))
            continue;
        zn_rigid_way way = zn_rigid_way_of(b->layout, parameters(b)[e].node, s);
        zn_vec3      M = world_moment(b, e, s), none = {0, 0, 0};
        ZN_TRY(check_finite(b, e, M, zn_between_load(s).t));
        for (int j = 3; j < 6; j++) {
            zn_rigid_motion x = zn_rigid_way_unit(&way, j);
            double          change[6];
            zn_lever_set(&way, none, zn_vec3_scale(-0.5, zn_vec3_cross(x.turn, M)), change);
            for (int i = 3; i < 6; i++)
                zn_element_scatter(b, e, i, j, -k * change[i], values);
        }
    }
    return ZN_OK;
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};

const zn_element_ops zn_moment_ops = {
    .name = "moment",
    .nodes = 1,
    .dofs = 6,
    .parameter_size = sizeof(zn_moment),
    .linear = linear,
    .force = force,
    .load = true,
    .operators = operators,
    .power = power,
    .between = &between,
};
