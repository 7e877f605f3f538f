// Springs: check the def, choose the kind of element, add it to the model.
#include <math.h>

#include "base/array.h"
#include "base/def.h"
#include "model/element/spring.h"
#include "model/model.h"

#define NAME_OF(def, fallback) ((def)->name ? (def)->name : (fallback))

ZN_DEFINE_DEF(zn_spring_def, .rest_length = NAN, .preload = NAN)

static bool at_least_zero(double x) { return x >= 0 && isfinite(x); }

// The model owns signal and law from here on, even when this fails.
static zn_status adopt(zn_model *model, zn_signal *signal, zn_spring_law *law)
{
    zn_status status = zn_model_adopt(model, signal);
    if (!law)
        return status;
    zn_status next = ZN_PUSH(model->law, model->laws, model->law_capacity, law);
    if (next != ZN_OK)
        zn_spring_law_destroy(law);
    return status != ZN_OK ? status : next;
}

static zn_status add_element(zn_model *model, const char *given, const zn_element_ops *ops, zn_node_id from,
                             zn_node_id to, const void *parameter)
{
    int             part, node[2] = {to.value - 1, from.value - 1};
    zn_named        what = {.kind = ZN_NAMED_SPRING, .node = -1, .part = model->parts, .rule = -1};
    const zn_named *entry = NULL;
    ZN_TRY(zn_model_add_name(model, given, "spring", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    return zn_model_add_element(model, ops, part, node, parameter);
}

// --- laws ------------------------------------------------------------------------------------------

// What springs and torsion springs have in common; `rest` is what the user gave, NaN for none.
typedef struct law_def {
    const char          *name;
    double               stiffness, damping, rest, preload;
    const zn_signal     *moving;
    const zn_spring_law *law;
    zn_spring_side       side;
    const char          *rest_word; // "rest length"
    double               start;     // the coordinate at the start
} law_def;

static zn_status check_exclusive(const zn_model *model, const law_def *d)
{
    bool rest = !isnan(d->rest) || d->moving, preload = !isnan(d->preload);
    bool applied = zn_spring_law_is_applied(d->law);
    if (rest && preload)
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': both a %s and a preload; give one", d->name,
                       d->rest_word);
    if (!isnan(d->rest) && d->moving)
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': two of a %s; give one", d->name, d->rest_word);
    if (applied && (d->stiffness > 0 || d->damping > 0 || rest || preload))
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "spring '%s': a function has all of the force; no stiffness, damping, %s or preload beside it",
                       d->name, d->rest_word);
    if (d->law && (d->stiffness > 0 || preload))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': a table has no stiffness or preload beside it",
                       d->name);
    if (d->law && d->side != ZN_SPRING_BOTH)
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': a table or function tells by itself which way it acts",
                       d->name);
    return ZN_OK;
}

static zn_status check_law(const zn_model *model, const law_def *d)
{
    if (!at_least_zero(d->stiffness) || !at_least_zero(d->damping))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': stiffness and damping must be at least 0", d->name);
    ZN_TRY(check_exclusive(model, d));
    if (d->side != ZN_SPRING_BOTH && !(d->stiffness > 0))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': acting one way needs a stiffness", d->name);
    if (isnan(d->preload))
        return ZN_OK;
    if (!(d->stiffness > 0) || !isfinite(d->preload))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': a preload needs a stiffness and must be finite",
                       d->name);
    if ((d->side == ZN_SPRING_PULL && d->preload < 0) || (d->side == ZN_SPRING_PUSH && d->preload > 0))
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "spring '%s': it cannot have a preload of %g N, it acts the other way", d->name, d->preload);
    return ZN_OK;
}

static zn_pull pull_of(const law_def *d)
{
    double rest = !isnan(d->rest) ? d->rest : isnan(d->preload) ? d->start : d->start - d->preload / d->stiffness;
    return (zn_pull){d->stiffness, d->damping, rest, d->moving, d->law, d->side};
}

// --- springs along a line --------------------------------------------------------------------------

zn_status zn_model_add_spring(zn_model *model, const zn_spring_def *def)
{
    ZN_TAKE_DEF(zn_spring_def, def, &model->log);
    ZN_TRY(adopt(model, def->rest, def->law));
    const char *name = NAME_OF(def, "spring");
    ZN_TRY(zn_model_check_attachment(model, &def->from, "spring", name));
    ZN_TRY(zn_model_check_attachment(model, &def->to, "spring", name));
    zn_vec3 from = zn_model_initial_position(model, &def->from), to = zn_model_initial_position(model, &def->to);
    double  length = zn_vec3_norm(zn_vec3_sub(to, from));
    law_def law = {name,      def->stiffness, def->damping, def->rest_length, def->preload,
                   def->rest, def->law,       def->acts,    "rest length",    length};
    ZN_TRY(check_law(model, &law));
    if (!isnan(def->rest_length) && !at_least_zero(def->rest_length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': rest length %g m is negative", name, def->rest_length);
    if (!(length > 0))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': its ends coincide at the start", name);
    zn_spring spring = {def->from, def->to, pull_of(&law)};
    return add_element(model, def->name, zn_spring_law_is_applied(def->law) ? &zn_applied_spring_ops : &zn_spring_ops,
                       def->from.node, def->to.node, &spring);
}
