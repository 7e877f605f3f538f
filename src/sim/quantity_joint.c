// What a joint does to its first body, as a force at the point of the joint and a moment about it:
//     F = sum lambda_i r_i,   M = sum lambda_i (R m_i - (x - p) x r_i)
// with the rows (r_i on the velocity of p, m_i on the spin in body axes) of its equations at the end of the step and
// their impulses lambda over the length of the step.
#include <string.h>

#include "model/joint/joint.h"
#include "model/rigid_row.h"
#include "sim/quantity.h"

typedef struct wrench {
    zn_vec3 force, moment;
} wrench;

// --- which joints have one -------------------------------------------------------------------------

// Those between two points; couplings and motions of single degrees of freedom have none.
static bool has_points(const zn_sim *sim, int rule)
{
    const zn_contact_rule *r = &sim->sys->model->rule[rule];
    return r->ops == &zn_joint_ops && ((const zn_joint *)r->parameter)->dofs == 0;
}

static const char *forces(const zn_sim *sim, int rule)
{
    return !has_points(sim, rule) ? NULL : sim->sys->info.planar ? "x y" : "x y z";
}

static const char *moments(const zn_sim *sim, int rule)
{
    return !has_points(sim, rule) ? NULL : sim->sys->info.planar ? "" : "x y z";
}

// --- values ----------------------------------------------------------------------------------------

static zn_rigid first_body(const zn_sim *sim, int rule, zn_vec3 *point)
{
    const zn_joint *joint = sim->sys->model->rule[rule].parameter;
    zn_rigid        body = zn_rigid_at(&sim->sys->layout, joint->a.node, sim->state->q);
    *point = zn_rigid_point(&body, joint->a.at);
    return body;
}

// Row times lambda on the translations and rotations of the body.
static wrench row_wrench(const zn_rigid *body, zn_vec3 point, const zn_contact_product *row, double lambda)
{
    double on[6] = {0};
    for (int k = 0; k < row->entries; k++)
        for (int slot = 0; slot < 6; slot++)
            if (body->node->dof[slot] == row->dof[k])
                on[slot] += lambda * row->value[k];
    wrench w = {{on[0], on[1], on[2]}, zn_rigid_vector(body, (zn_vec3){on[3], on[4], on[5]})};
    if (zn_node_rotates(body->node->kind)) // a point mass takes no moment
        w.moment = zn_vec3_sub(w.moment, zn_vec3_cross(zn_vec3_sub(point, body->position), w.force));
    return w;
}

static zn_status wrench_of(const zn_sim *sim, int rule, zn_rigid *body, wrench *out)
{
    const zn_contact_rule *r = &sim->sys->model->rule[rule];
    const zn_contact_set  *set = sim->state->contacts;
    zn_vec3                point;
    *body = first_body(sim, rule, &point);
    *out = (wrench){{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < set->count; i++) {
        if (zn_contact_id_rule(set->id[i]) != rule)
            continue;
        int                dof[ZN_CONTACT_ENTRIES];
        double             value[ZN_CONTACT_ENTRIES];
        zn_contact_product row = {.dof = dof, .value = value};
        ZN_TRY(r->ops->evaluate(r->parameter, &sim->sys->layout, zn_contact_key_of(set->id[i], 0), sim->state->q,
                                sim->state->t, &row));
        wrench w = row_wrench(body, point, &row, zn_quantity_rate(set->impulse[i * set->stride], sim->last_h));
        out->force = zn_vec3_add(out->force, w.force);
        out->moment = zn_vec3_add(out->moment, w.moment);
    }
    return ZN_OK;
}

static zn_vec3 in_body_axes(const zn_rigid *body, zn_vec3 x)
{
    return zn_mat3_apply(zn_mat3_transpose(body->rotation), x);
}

static void put_force(const zn_sim *sim, zn_vec3 f, double *out)
{
    memcpy(out, (double[3]){f.x, f.y, f.z}, (sim->sys->info.planar ? 2 : 3) * sizeof *out);
}

static void put_moment(const zn_sim *sim, zn_vec3 m, double *out)
{
    bool planar = sim->sys->info.planar;
    memcpy(out, planar ? (double[3]){m.z} : (double[3]){m.x, m.y, m.z}, (planar ? 1 : 3) * sizeof *out);
}

static zn_status reaction(const zn_sim *sim, int rule, double *out)
{
    zn_rigid body;
    wrench   w;
    ZN_TRY(wrench_of(sim, rule, &body, &w));
    put_force(sim, w.force, out);
    return ZN_OK;
}

static zn_status reaction_moment(const zn_sim *sim, int rule, double *out)
{
    zn_rigid body;
    wrench   w;
    ZN_TRY(wrench_of(sim, rule, &body, &w));
    put_moment(sim, w.moment, out);
    return ZN_OK;
}

static zn_status body_reaction(const zn_sim *sim, int rule, double *out)
{
    zn_rigid body;
    wrench   w;
    ZN_TRY(wrench_of(sim, rule, &body, &w));
    put_force(sim, in_body_axes(&body, w.force), out);
    return ZN_OK;
}

static zn_status body_moment(const zn_sim *sim, int rule, double *out)
{
    zn_rigid body;
    wrench   w;
    ZN_TRY(wrench_of(sim, rule, &body, &w));
    put_moment(sim, in_body_axes(&body, w.moment), out);
    return ZN_OK;
}

static const zn_quantity_kind table[] = {
    {"joint", "angle", "rad",
     "of a revolute joint: of `body` against `to`, over any number of turns; `start` at the start", NULL, NULL},
    {"joint", "displacement", "m", "of a prismatic joint: of `body` along the axis; `start` at the start", NULL, NULL},
    {"joint", "rate", "m/s or rad/s", "rate of angle or displacement", NULL, NULL},
    {"joint", "reaction", "N",
     "force on `body`, in world axes: impulse in the last step over its length; without those of its drive, limits, "
     "friction, spring and motor",
     forces, reaction},
    {"joint", "reaction_moment", "N m", "moment on `body` about the point of the joint, in world axes", moments,
     reaction_moment},
    {"joint", "body_reaction", "N", "that force in the axes of `body`", forces, body_reaction},
    {"joint", "body_moment", "N m", "that moment in the axes of `body`", moments, body_moment},
};

const zn_quantity_list zn_quantity_of_joints = {sizeof table / sizeof *table, table};
