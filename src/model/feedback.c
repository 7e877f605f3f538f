// Numbers of controllers, and their gradients by the chain rule:  ds = sum_i (ds/dx_i) dx_i,  x_i what sensors tell.
#include "model/feedback.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "model/control.h"

zn_feedback *zn_feedback_create(zn_model *model)
{
    zn_feedback *f = ZN_NEW(zn_feedback, 1);
    if (!f)
        return NULL;
    f->model = model;
    f->input = ZN_NEW(zn_feedback_input, ZN_FEEDBACK_INPUTS);
    return f->input ? f : zn_feedback_destroy(f);
}

zn_feedback *zn_feedback_destroy(zn_feedback *f)
{
    if (!f)
        return NULL;
    if (f->destroy)
        f->destroy(f->user);
    zn_expression_destroy(f->expression);
    free(f->input);
    free(f);
    return NULL;
}

// --- inputs --------------------------------------------------------------------------------------

// Quantities of contacts, joints and joints with play that a step leaves.
static bool is_left(const char *quantity)
{
    static const char *const words[] = {"force",       "impulse",      "gap",    "velocity",     "pressure",
                                        "slip",        "reaction",     "closed", "eccentricity", "reaction_moment",
                                        "body_moment", "body_reaction"};
    size_t                   length = strcspn(quantity, ".");
    for (size_t i = 0; i < ZN_COUNT(words); i++)
        if (strlen(words[i]) == length && strncmp(words[i], quantity, length) == 0)
            return true;
    return false;
}

// What is no function of position and velocity, but known at the end of a step: it is held from there on.
static bool find_held(zn_feedback *f, const char *name, zn_sensor *out)
{
    char            object[64];
    size_t          length = strcspn(name, ".");
    const zn_named *entry;
    int             memory;
    if (length == 0 || length >= sizeof object || name[length] == '\0' || !is_left(name + length + 1))
        return false;
    memcpy(object, name, length);
    object[length] = '\0';
    entry = zn_names_find(&f->model->names, object);
    if (!entry || (entry->kind != ZN_NAMED_CONTACT && entry->kind != ZN_NAMED_PLAY) ||
        zn_model_hold(f->model, name, &memory) != ZN_OK)
        return false;
    *out = zn_sensor_of_memory(memory);
    return true;
}

static bool find_input(zn_feedback *f, const char *name, zn_feedback_input *out, char *message, size_t size)
{
    const zn_named *entry = strchr(name, '.') ? NULL : zn_names_find(&f->model->names, name);
    if (entry && entry->kind == ZN_NAMED_STATE) {
        out->sensor = zn_sensor_of_state((zn_node_id){entry->node + 1});
        return true;
    }
    if (entry && entry->kind == ZN_NAMED_CONTROL) {
        const zn_control *c = &f->model->control[entry->rule];
        out->other = c->kind == ZN_CONTROL_VALUE ? c->value : NULL;
        out->sensor = zn_sensor_of_memory(c->memory);
        return true;
    }
    if (!strchr(name, '.')) {
        snprintf(message, size, "there is no parameter, state or control '%.80s'", name);
        return false;
    }
    return zn_sensor_find(f->model, name, &out->sensor, message, size) == ZN_OK || find_held(f, name, &out->sensor);
}

int zn_feedback_input_of(zn_feedback *f, const char *name, char *message, size_t size)
{
    for (int i = 0; i < f->inputs; i++)
        if (strcmp(f->input[i].name, name) == 0)
            return i;
    if (f->inputs == ZN_FEEDBACK_INPUTS) {
        snprintf(message, size, "more than %d different numbers", ZN_FEEDBACK_INPUTS);
        return -1;
    }
    zn_feedback_input *in = &f->input[f->inputs];
    *in = (zn_feedback_input){0};
    if (strlen(name) >= sizeof in->name || !find_input(f, name, in, message, size))
        return -1;
    memcpy(in->name, name, strlen(name) + 1);
    return f->inputs++;
}

// --- evaluation ----------------------------------------------------------------------------------

static void read_inputs(const zn_feedback *f, const zn_layout *layout, zn_at at, double *x)
{
    for (int i = 0; i < f->inputs; i++)
        x[i] = f->input[i].other ? zn_feedback_value(f->input[i].other, layout, at)
                                 : zn_sensor_value(&f->input[i].sensor, layout, at);
}

double zn_feedback_value(const zn_feedback *f, const zn_layout *layout, zn_at at)
{
    double x[ZN_FEEDBACK_INPUTS];
    read_inputs(f, layout, at, x);
    return f->expression ? zn_expression_of(f->expression, x, at.t) : f->function(f->user, at.t, x, NULL);
}

double zn_feedback_gradient(const zn_feedback *f, const zn_layout *layout, zn_at at, double weight, zn_gradient *g)
{
    double x[ZN_FEEDBACK_INPUTS], slope[ZN_FEEDBACK_INPUTS] = {0}, value;
    read_inputs(f, layout, at, x);
    value = f->expression ? zn_expression_gradient(f->expression, f->inputs, x, at.t, slope, NULL)
                          : f->function(f->user, at.t, x, slope);
    for (int i = 0; i < f->inputs; i++) {
        int    dof[ZN_SENSOR_DOFS];
        double dq[ZN_SENSOR_DOFS], dv[ZN_SENSOR_DOFS], scale = weight * slope[i];
        if (scale == 0)
            continue;
        if (f->input[i].other) {
            zn_feedback_gradient(f->input[i].other, layout, at, scale, g);
            continue;
        }
        int count = zn_sensor_gradient(&f->input[i].sensor, layout, at, dof, dq, dv);
        for (int k = 0; k < count; k++) {
            zn_gradient_add(g, 1, &dof[k], &dq[k], scale, 0);
            zn_gradient_add(g, 1, &dof[k], &dv[k], 0, scale);
        }
    }
    return value;
}

bool zn_feedback_uses_velocity(const zn_feedback *f)
{
    for (int i = 0; i < f->inputs; i++)
        if (f->input[i].other ? zn_feedback_uses_velocity(f->input[i].other)
                              : zn_sensor_uses_velocity(&f->input[i].sensor))
            return true;
    return false;
}

static int join_node(int count, int room, int *node, int which)
{
    for (int i = 0; i < count && count <= room; i++)
        if (node[i] == which)
            return count;
    if (which < 0 || count > room)
        return count;
    if (count < room)
        node[count] = which;
    return count + 1;
}

int zn_feedback_nodes(const zn_feedback *f, int count, int room, int *node)
{
    for (int i = 0; i < f->inputs; i++) {
        if (f->input[i].other) {
            count = zn_feedback_nodes(f->input[i].other, count, room, node);
            continue;
        }
        int own[ZN_SENSOR_NODES], n = zn_sensor_nodes(&f->input[i].sensor, own);
        for (int k = 0; k < n; k++)
            count = join_node(count, room, node, own[k]);
    }
    return count;
}
