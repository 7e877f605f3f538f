// What controllers remember. Sampling times are whole multiples of the period: one has come when a step passes it.
#include "model/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "model/memory.h"

zn_status zn_model_hold(zn_model *model, const char *path, int *memory)
{
    for (int i = 0; i < model->controls; i++)
        if (model->control[i].kind == ZN_CONTROL_QUANTITY && strcmp(model->control[i].name, path) == 0) {
            *memory = model->control[i].memory;
            return ZN_OK;
        }
    zn_control c = {.kind = ZN_CONTROL_QUANTITY};
    ZN_TRY(zn_model_add_memory(model, &(zn_memory){.kind = ZN_MEMORY_HELD}, &c.memory));
    c.name = zn_copy_string(path);
    if (!c.name)
        return ZN_ERR_MEMORY;
    *memory = c.memory;
    zn_status status = ZN_PUSH(model->control, model->controls, model->control_capacity, c);
    if (status != ZN_OK)
        free((char *)c.name);
    return status;
}

// Samples until t; a time that misses one by rounding counts.
static double samples(double t, double period) { return floor(t / period + 1e-6); }

static bool is_due(const zn_control *c, double before, double t)
{
    return isnan(before) || c->period == 0 || samples(t, c->period) > samples(before, c->period);
}

// on > off: it goes on above and off below; on < off: the other way round. Between them it stays.
static double switched(const zn_control *c, double x, double now)
{
    bool up = c->on > c->off;
    if (up ? x >= c->on : x <= c->on)
        return 1;
    if (up ? x <= c->off : x >= c->off)
        return 0;
    return now;
}

static bool update(const zn_control *c, const zn_layout *layout, zn_at at, double *held)
{
    double x = zn_feedback_value(c->value, layout, at), before = *held;
    for (int k = 0; k < c->delay; k++)
        held[k] = held[k + 1];
    held[c->delay] = c->kind == ZN_CONTROL_SWITCH ? switched(c, x, before) : x;
    return *held != before;
}

bool zn_controls_update(const zn_model *model, const zn_layout *layout, zn_at at, double t_before, double *q)
{
    ZN_ASSERT(q == at.q);
    bool changed = false;
    for (int i = 0; i < model->controls; i++) {
        const zn_control *c = &model->control[i];
        if ((c->kind == ZN_CONTROL_SAMPLED || c->kind == ZN_CONTROL_SWITCH) && is_due(c, t_before, at.t))
            changed |= update(c, layout, at, q + layout->memory + c->memory);
    }
    return changed;
}
