// Named points of bodies, and spans from one point to another: they have no part in the equations.
#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "model/model.h"

ZN_DEFINE_DEF(zn_point_def, .name = NULL)
ZN_DEFINE_DEF(zn_span_def, .name = NULL)

zn_status zn_model_add_point(zn_model *model, const zn_point_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_point_def, def, &model->log);
    ZN_TRY(zn_model_check_attachment(model, &def->point, "point", def->name ? def->name : "point"));
    ZN_TRY(ZN_PUSH(model->point, model->points, model->point_capacity, def->point));
    zn_named  what = {.kind = ZN_NAMED_POINT, .node = -1, .part = -1, .rule = model->points - 1};
    zn_status status = zn_model_add_name(model, def->name, "point", what, NULL);
    if (status != ZN_OK)
        model->points--;
    return status;
}

bool zn_model_find_point(const zn_model *model, const char *name, zn_attachment *out)
{
    ZN_ALIVE(model);
    if (!model)
        return false;
    const zn_named *entry = zn_names_find(&model->names, name);
    if (!entry || entry->kind != ZN_NAMED_POINT)
        return false;
    *out = model->point[entry->rule];
    return true;
}

static zn_status check_span(const zn_model *model, const zn_span_def *def, const char *name)
{
    ZN_TRY(zn_model_check_attachment(model, &def->from, "span", name));
    ZN_TRY(zn_model_check_attachment(model, &def->to, "span", name));
    zn_vec3 apart = zn_vec3_sub(def->to.at, def->from.at);
    if (def->from.node.value == def->to.node.value && zn_vec3_norm(apart) == 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "span '%s': it leads from a point to itself", name);
    if (def->axes.value < 0 || def->axes.value > model->nodes)
        return zn_fail(&model->log, ZN_ERR_MODEL, "span '%s': no such node", name);
    if (def->axes.value > 0 && !zn_node_rotates(model->node[def->axes.value - 1].kind))
        return zn_fail(&model->log, ZN_ERR_MODEL, "span '%s': a point mass has no axes of its own", name);
    return ZN_OK;
}

zn_status zn_model_add_span(zn_model *model, const zn_span_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_span_def, def, &model->log);
    ZN_TRY(check_span(model, def, def->name ? def->name : "span"));
    zn_span span = {def->from, def->to, def->axes};
    ZN_TRY(ZN_PUSH(model->span, model->spans, model->span_capacity, span));
    zn_named  what = {.kind = ZN_NAMED_SPAN, .node = -1, .part = -1, .rule = model->spans - 1};
    zn_status status = zn_model_add_name(model, def->name, "span", what, NULL);
    if (status != ZN_OK)
        model->spans--;
    return status;
}
