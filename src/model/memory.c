// Entries of q that remember. See memory.h.
#include "model/memory.h"

#include "base/array.h"
#include "base/assert.h"

zn_status zn_model_add_memory(zn_model *model, const zn_memory *memory, int *index)
{
    ZN_ASSERT(model && memory && index);
    *index = model->memories;
    return ZN_PUSH(model->memory, model->memories, model->memory_capacity, *memory);
}

static bool is_there(const zn_layout *layout, zn_node_id node)
{
    return node.value == 0 || (int)layout->node[node.value - 1].kind != ZN_ABSENT;
}

bool zn_memory_moves(const zn_memory *m, const zn_layout *layout)
{
    return m->kind == ZN_MEMORY_ANGLE && is_there(layout, m->travel.a.node) && is_there(layout, m->travel.b.node);
}

void zn_memory_follow(const zn_model *model, const zn_layout *layout, const double *q, double *q_out)
{
    for (int i = 0; i < model->memories; i++) {
        const zn_memory *m = &model->memory[i];
        double           before = q[layout->memory + i];
        q_out[layout->memory + i] =
            zn_memory_moves(m, layout) ? zn_travel_unwrap(&m->travel, layout, q_out, before) : before;
    }
}

// --- travels of a model at the start -------------------------------------------------------------

static zn_vec3 carried(const zn_model *model, zn_node_id body, zn_vec3 world)
{
    return zn_quat_rotate(zn_quat_conjugate(zn_model_initial_rotation(model, body)), world);
}

zn_status zn_model_travel_along(const zn_model *model, zn_attachment a, zn_attachment b, zn_vec3 axis, double start,
                                zn_travel *out)
{
    double length = zn_vec3_norm(axis);
    ZN_ASSERT(length > 0);
    zn_vec3 n = zn_vec3_scale(1 / length, axis);
    zn_vec3 d = zn_vec3_sub(zn_model_initial_position(model, &a), zn_model_initial_position(model, &b));
    *out = (zn_travel){.a = a, .b = b, .axis = carried(model, b.node, n), .memory = -1};
    out->offset = zn_vec3_dot(n, d) - start;
    return ZN_OK;
}

static double angle_of(const zn_model *model, zn_node_id node)
{
    return node.value == 0 ? 0 : model->node[node.value - 1].angle;
}

zn_status zn_model_travel_about(zn_model *model, zn_node_id a, zn_node_id b, zn_vec3 axis, double start, zn_travel *out)
{
    *out = (zn_travel){.turn = true, .a.node = a, .b.node = b, .axis = {0, 0, 1}, .memory = -1};
    if (model->planar) {
        out->offset = angle_of(model, a) - angle_of(model, b) - start;
        return ZN_OK;
    }
    double length = zn_vec3_norm(axis);
    ZN_ASSERT(length > 0);
    zn_vec3 n = zn_vec3_scale(1 / length, axis), across[2];
    zn_contact_tangents(n, false, across);
    zn_vec3 t = zn_vec3_cross(n, across[0]);
    out->axis = carried(model, b, n);
    out->u[0] = carried(model, a, across[0]);
    out->u[1] = carried(model, a, t);
    out->s = carried(model, b, across[0]);
    out->t = carried(model, b, t);
    out->offset = -start;
    out->memory = model->memories;
    int index;
    return zn_model_add_memory(model, &(zn_memory){ZN_MEMORY_ANGLE, start, *out}, &index);
}
