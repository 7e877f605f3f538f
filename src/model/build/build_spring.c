// Springs: check the def, choose the kind of element, add it to the model.
#include <math.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "model/element/bushing.h"
#include "model/element/spring.h"
#include "model/element/torsion.h"
#include "model/memory.h"

#define NAME_OF(def, fallback) ((def)->name ? (def)->name : (fallback))

ZN_DEFINE_DEF(zn_spring_def, .rest_length = NAN, .preload = NAN)
ZN_DEFINE_DEF(zn_bushing_def, .axes = {1, 0, 0, 0})
ZN_DEFINE_DEF(zn_torsion_def, .free_angle = NAN, .preload = NAN)

static bool at_least_zero(double x) { return x >= 0 && isfinite(x); }

// The model owns signal and law from here on, even when this fails.
static zn_status adopt(zn_model *model, zn_signal *signal, zn_spring_law *law)
{
    ZN_ALIVE(law);
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
    if (isinf(d->rest))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': its %s is not finite", d->name, d->rest_word);
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
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': a preload of %g N is against the way it acts", d->name,
                       d->preload);
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
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
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

// --- torsion springs -------------------------------------------------------------------------------

static double angle_of(const zn_model *model, zn_node_id id)
{
    return id.value == 0 ? 0 : model->node[id.value - 1].angle;
}

static zn_status check_turning(const zn_model *model, const zn_attachment *end, const char *name)
{
    ZN_TRY(zn_model_check_attachment(model, end, "spring", name));
    if (end->node.value == 0 || zn_node_rotates(model->node[end->node.value - 1].kind))
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': a point mass has no angle", name);
}

zn_status zn_model_add_torsion(zn_model *model, const zn_torsion_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_torsion_def, def, &model->log);
    ZN_TRY(adopt(model, def->rest, def->law));
    const char *name = NAME_OF(def, "spring");
    ZN_TRY(check_turning(model, &def->from, name));
    ZN_TRY(check_turning(model, &def->to, name));
    if (def->from.node.value == def->to.node.value)
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': both ends are on one body", name);
    if (!model->planar && !(zn_vec3_norm(def->axis) > 0 && isfinite(zn_vec3_norm(def->axis))))
        return zn_fail(&model->log, ZN_ERR_MODEL, "spring '%s': a torsion spring in space needs an axis", name);
    double  start = model->planar ? angle_of(model, def->to.node) - angle_of(model, def->from.node) : 0;
    law_def law = {name,      def->stiffness, def->damping,   def->free_angle, def->preload,
                   def->rest, def->law,       ZN_SPRING_BOTH, "free angle",    start};
    ZN_TRY(check_law(model, &law));
    zn_torsion torsion = {.pull = pull_of(&law), .from = def->from, .to = def->to};
    ZN_TRY(zn_model_travel_about(model, def->to.node, def->from.node, def->axis, start, &torsion.travel));
    return add_element(model, def->name, zn_spring_law_is_applied(def->law) ? &zn_applied_torsion_ops : &zn_torsion_ops,
                       def->from.node, def->to.node, &torsion);
}

// --- bushings --------------------------------------------------------------------------------------

static zn_status check_symmetric(const zn_model *model, const char *name, const char *what, const double M[6][6])
{
    static const bool across[6] = {false, false, true, true, true, false}; // of the plane
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double size = fabs(M[i][j]) + fabs(M[j][i]);
            if (!isfinite(M[i][j]))
                return zn_fail(&model->log, ZN_ERR_MODEL, "bushing '%s': its %s is not finite", name, what);
            if (!(fabs(M[i][j] - M[j][i]) <= 1e-9 * size))
                return zn_fail(&model->log, ZN_ERR_MODEL,
                               "bushing '%s': its %s is not symmetric: %g in row %d, column %d, but %g across", name,
                               what, M[i][j], i + 1, j + 1, M[j][i]);
            if (model->planar && M[i][j] != 0 && (across[i] || across[j]))
                return zn_fail(&model->log, ZN_ERR_MODEL, "bushing '%s': its %s acts across the plane", name, what);
        }
    return ZN_OK;
}

// By Cholesky's factors of the matrix with a diagonal of ones, as its entries have different units.
static bool is_semidefinite(const double M[6][6])
{
    double L[6][6] = {{0}};
    for (int j = 0; j < 6; j++)
        for (int i = j; i < 6; i++) {
            double scale = sqrt(fabs(M[i][i] * M[j][j])), x = M[i][j] != 0 ? M[i][j] / scale : 0;
            if (M[i][i] < 0 || !isfinite(x))
                return false;
            for (int k = 0; k < j; k++)
                x -= L[i][k] * L[j][k];
            if (i == j && x < -1e-12)
                return false;
            if (i == j)
                L[j][j] = sqrt(fmax(x, 0));
            else if (L[j][j] > 1e-6)
                L[i][j] = x / L[j][j];
            else if (fabs(x) > 1e-6) // nothing in this direction, but something beside it
                return false;
        }
    return true;
}

static zn_status check_matrix(const zn_model *model, const char *name, const char *what, const double M[6][6])
{
    ZN_TRY(check_symmetric(model, name, what, M));
    if (is_semidefinite(M))
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL, "bushing '%s': its %s is negative in some direction", name, what);
}

static zn_status check_frame(const zn_model *model, const zn_attachment *end, const char *name)
{
    ZN_TRY(zn_model_check_attachment(model, end, "bushing", name));
    if (end->node.value == 0 || zn_node_rotates(model->node[end->node.value - 1].kind))
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL, "bushing '%s': a point mass has no axes", name);
}

static zn_bushing bushing_of(const zn_model *model, const zn_bushing_def *def)
{
    zn_quat from = zn_model_initial_rotation(model, def->from.node),
            to = zn_model_initial_rotation(model, def->to.node), axes = zn_quat_normalize(def->axes);
    zn_bushing out = {.from = def->from, .to = def->to, .planar = model->planar};
    zn_vec3 d = zn_vec3_sub(zn_model_initial_position(model, &def->to), zn_model_initial_position(model, &def->from));
    out.from_axes = zn_quat_product(zn_quat_conjugate(from), axes);
    out.to_axes = zn_quat_product(zn_quat_conjugate(to), axes);
    out.start = zn_quat_rotate(zn_quat_conjugate(axes), d);
    out.angle = angle_of(model, def->to.node) - angle_of(model, def->from.node);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            out.K[i][j] = 0.5 * (def->stiffness[i][j] + def->stiffness[j][i]);
            out.C[i][j] = 0.5 * (def->damping[i][j] + def->damping[j][i]);
            out.damped |= out.C[i][j] != 0;
        }
    return out;
}

zn_status zn_model_add_bushing(zn_model *model, const zn_bushing_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_bushing_def, def, &model->log);
    const char *name = NAME_OF(def, "bushing");
    double      size = sqrt(def->axes.w * def->axes.w + def->axes.x * def->axes.x + def->axes.y * def->axes.y +
                            def->axes.z * def->axes.z);
    ZN_TRY(check_frame(model, &def->from, name));
    ZN_TRY(check_frame(model, &def->to, name));
    if (def->from.node.value == def->to.node.value)
        return zn_fail(&model->log, ZN_ERR_MODEL, "bushing '%s': both ends are on one body", name);
    if (!(fabs(size - 1) <= 1e-6) || (model->planar && (def->axes.x != 0 || def->axes.y != 0)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "bushing '%s': its axes are no rotation%s", name,
                       model->planar ? " in the plane" : "");
    ZN_TRY(check_matrix(model, name, "stiffness", def->stiffness));
    ZN_TRY(check_matrix(model, name, "damping", def->damping));
    zn_bushing bushing = bushing_of(model, def);
    return add_element(model, def->name, &zn_bushing_ops, def->from.node, def->to.node, &bushing);
}
