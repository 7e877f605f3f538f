// Values and gradients of sensors; their equations are in span.c, those of elements with the elements.
#include "model/sensor.h"

#include <math.h>

#include "base/assert.h"
#include "model/rigid_row.h"

zn_sensor zn_sensor_of_state(zn_node_id node)
{
    return (zn_sensor){.kind = ZN_SENSOR_SPEED, .unit = "", .node = node.value - 1};
}

zn_sensor zn_sensor_of_memory(int entry) { return (zn_sensor){.kind = ZN_SENSOR_MEMORY, .unit = "", .slot = entry}; }

static const zn_layout_node *node_of(const zn_sensor *s, const zn_layout *layout)
{
    ZN_ASSERT(s->node >= 0 && s->node < layout->nodes);
    return &layout->node[s->node];
}

// Coordinates of a planar frame are x, y and the angle, whose place among the degrees of freedom is the last.
static double coordinate(const zn_sensor *s, const zn_layout *layout, const double *q)
{
    return q[node_of(s, layout)->q + (s->slot == 5 ? 2 : s->slot)] - s->offset;
}

static double angle(const zn_layout *layout, zn_node_id id, const double *q)
{
    zn_rigid body = zn_rigid_at(layout, id, q);
    return zn_rigid_angle(&body, q);
}

// The elements of the group, as far as readings need them. They say nothing where they cannot be evaluated.
static zn_element_block block_of(const zn_sensor *s, const zn_layout *layout)
{
    const zn_element_group *group = &s->model->group[s->group];
    return (zn_element_block){.ops = group->ops,
                              .layout = layout,
                              .part_name = s->model->part_name,
                              .count = group->count,
                              .part = group->part,
                              .node = group->node,
                              .parameter = group->parameter};
}

static double reading(const zn_sensor *s, const zn_layout *layout, zn_at at)
{
    zn_element_block block = block_of(s, layout);
    return block.ops->readings->value(&block, s->element, s->which, at);
}

double zn_sensor_value(const zn_sensor *s, const zn_layout *layout, zn_at at)
{
    switch (s->kind) {
    case ZN_SENSOR_COORDINATE:
        return coordinate(s, layout, at.q);
    case ZN_SENSOR_SPEED:
        return at.v[node_of(s, layout)->dof[s->slot]];
    case ZN_SENSOR_ANGLE:
        return angle(layout, s->span.to.node, at.q) - angle(layout, s->span.from.node, at.q) - s->offset;
    case ZN_SENSOR_TURN_RATE:
        return zn_span_turn_rate(&s->span, layout, s->axis, at);
    case ZN_SENSOR_ALONG:
        return zn_span_along(&s->span, layout, s->axis, at.q) - s->offset;
    case ZN_SENSOR_ALONG_RATE:
        return zn_span_along_rate(&s->span, layout, s->axis, at);
    case ZN_SENSOR_LENGTH:
        return zn_span_length(&s->span, layout, at.q);
    case ZN_SENSOR_LENGTH_RATE:
        return zn_span_length_rate(&s->span, layout, at);
    case ZN_SENSOR_READING:
        return reading(s, layout, at);
    case ZN_SENSOR_TRAVEL:
        return zn_travel_value(&s->travel, layout, at.q);
    case ZN_SENSOR_TRAVEL_RATE:
        return zn_travel_rate(&s->travel, layout, at.q, at.v);
    case ZN_SENSOR_MEMORY:
        return at.q[layout->memory + s->slot];
    }
    return NAN;
}

bool zn_sensor_uses_velocity(const zn_sensor *s)
{
    switch (s->kind) {
    case ZN_SENSOR_SPEED:
    case ZN_SENSOR_TURN_RATE:
    case ZN_SENSOR_ALONG_RATE:
    case ZN_SENSOR_LENGTH_RATE:
    case ZN_SENSOR_TRAVEL_RATE:
    case ZN_SENSOR_READING:
        return true;
    default:
        return false;
    }
}

// --- gradients -----------------------------------------------------------------------------------

// One degree of freedom of the node.
static void single(const zn_sensor *s, const zn_layout *layout, double on_q, double on_v, zn_gradient *g)
{
    zn_gradient_add(g, 1, &node_of(s, layout)->dof[s->slot], &(double){1}, on_q, on_v);
}

static void angle_gradient(const zn_sensor *s, const zn_layout *layout, const double *q, zn_gradient *g)
{
    const zn_node_id id[2] = {s->span.to.node, s->span.from.node};
    for (int side = 0; side < 2; side++) {
        int      dof[ZN_RIGID_DOFS];
        double   row[ZN_RIGID_DOFS];
        zn_rigid body = zn_rigid_at(layout, id[side], q);
        int      count = zn_rigid_turn_row(&body, (zn_vec3){0, 0, 1}, dof, row);
        zn_gradient_add(g, count, dof, row, side == 0 ? 1 : -1, 0);
    }
}

static bool reading_gradient(const zn_sensor *s, const zn_layout *layout, zn_at at, zn_gradient *g)
{
    zn_element_block block = block_of(s, layout);
    if (!block.ops->readings->gradient)
        return false;
    block.ops->readings->gradient(&block, s->element, s->which, at, g);
    return true;
}

int zn_sensor_nodes(const zn_sensor *s, int node[ZN_SENSOR_NODES])
{
    switch (s->kind) {
    case ZN_SENSOR_COORDINATE:
    case ZN_SENSOR_SPEED:
        node[0] = s->node;
        return 1;
    case ZN_SENSOR_READING: {
        const zn_element_group *group = &s->model->group[s->group];
        int                     count = group->ops->nodes;
        for (int i = 0; i < count && i < ZN_SENSOR_NODES; i++)
            node[i] = group->node[s->element * count + i];
        return count < ZN_SENSOR_NODES ? count : ZN_SENSOR_NODES;
    }
    case ZN_SENSOR_TRAVEL:
    case ZN_SENSOR_TRAVEL_RATE:
        node[0] = s->travel.a.node.value - 1;
        node[1] = s->travel.b.node.value - 1;
        return 2;
    case ZN_SENSOR_MEMORY:
        return 0;
    default:
        node[0] = s->span.from.node.value - 1;
        node[1] = s->span.to.node.value - 1;
        node[2] = s->span.axes.value - 1;
        return 3;
    }
}

static void travel_gradient(const zn_sensor *s, const zn_layout *layout, zn_at at, zn_gradient *g)
{
    int    dof[ZN_TRAVEL_ENTRIES];
    double row[ZN_TRAVEL_ENTRIES];
    bool   rate = s->kind == ZN_SENSOR_TRAVEL_RATE;
    int    count = zn_travel_row(&s->travel, layout, at.q, dof, row);
    zn_gradient_add(g, count, dof, row, rate ? 0 : 1, rate ? 1 : 0);
    if (!rate)
        return;
    count = zn_travel_rate_row(&s->travel, layout, at.q, at.v, dof, row);
    zn_gradient_add(g, count, dof, row, 1, 0);
}

int zn_sensor_gradient(const zn_sensor *s, const zn_layout *layout, zn_at at, int *dof, double *dq, double *dv)
{
    zn_gradient g = {0, dof, dq, dv};
    switch (s->kind) {
    case ZN_SENSOR_COORDINATE:
        single(s, layout, 1, 0, &g);
        break;
    case ZN_SENSOR_SPEED:
        single(s, layout, 0, 1, &g);
        break;
    case ZN_SENSOR_ANGLE:
        angle_gradient(s, layout, at.q, &g);
        break;
    case ZN_SENSOR_TURN_RATE:
        zn_span_turn_rate_gradient(&s->span, layout, s->axis, at, 1, &g);
        break;
    case ZN_SENSOR_ALONG:
        zn_span_along_gradient(&s->span, layout, s->axis, at.q, 1, &g);
        break;
    case ZN_SENSOR_ALONG_RATE:
        zn_span_along_rate_gradient(&s->span, layout, s->axis, at, 1, &g);
        break;
    case ZN_SENSOR_LENGTH:
        zn_span_length_gradient(&s->span, layout, at.q, 1, &g);
        break;
    case ZN_SENSOR_LENGTH_RATE:
        zn_span_length_rate_gradient(&s->span, layout, at, 1, &g);
        break;
    case ZN_SENSOR_TRAVEL:
    case ZN_SENSOR_TRAVEL_RATE:
        travel_gradient(s, layout, at, &g);
        break;
    case ZN_SENSOR_READING:
        return reading_gradient(s, layout, at, &g) ? g.count : -1;
    case ZN_SENSOR_MEMORY:
        break;
    }
    ZN_ASSERT(g.count <= ZN_SENSOR_DOFS);
    return g.count;
}
