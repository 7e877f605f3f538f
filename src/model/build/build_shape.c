// Shapes and the rule of contacts between them: check the def, then add to the model.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "model/contact/contact_points.h"
#include "model/contact/meet.h"
#include "model/contact/rolling.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/build/pair_table.h"
#include "model/model.h"

// --- shapes --------------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_shape_def, .rotation = {1, 0, 0, 0})

static zn_status check_shape(const zn_model *model, const zn_shape_def *def)
{
    const zn_log *log = &model->log;
    if (!def->name || !*def->name || strlen(def->name) > 63)
        return zn_fail(log, ZN_ERR_MODEL, "the name of a shape must have 1 to 63 characters");
    ZN_TRY(zn_model_check_attachment(model, &def->at, "shape", def->name));
    const zn_shape_ops *ops = zn_shape_ops_of(def->kind);
    return ops ? ops->check(model, def) : zn_fail(log, ZN_ERR_ARGUMENT, "shape '%s': no such kind", def->name);
}

// Count one more shape of that name.
static zn_status count_name(zn_names *names, const char *name)
{
    const zn_named *known = zn_names_find(names, name);
    if (known) {
        names->entry[known - names->entry].nodes++;
        return ZN_OK;
    }
    return zn_names_add(names, name, (zn_named){.nodes = 1});
}

void zn_named_shape_clear(zn_named_shape *shape)
{
    const zn_shape_ops *ops = zn_shape_ops_of(shape->def.kind);
    if (shape->data)
        ops->destroy(shape->data);
    free(shape->name);
}

zn_status zn_model_add_shape(zn_model *model, const zn_shape_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_shape_def, def, &model->log);
    ZN_TRY(check_shape(model, def));
    int material;
    ZN_TRY(zn_material_number(model, def->material, "shape", def->name, &material));
    zn_named_shape shape = {zn_copy_string(def->name), *def, NULL, material};
    if (!shape.name)
        return ZN_ERR_MEMORY;
    const zn_shape_ops *ops = zn_shape_ops_of(def->kind);
    zn_status           status = ops->create ? ops->create(model, def, &shape.data) : ZN_OK;
    shape.def.name = NULL;
    shape.def.material = NULL;
    shape.def.points = NULL; // the arrays are the caller's
    shape.def.triangles = NULL;
    shape.def.sides = NULL;
    if (status == ZN_OK)
        status = count_name(&model->shape_names, def->name);
    if (status == ZN_OK)
        status = ZN_PUSH(model->shape, model->shapes, model->shape_capacity, shape);
    if (status != ZN_OK)
        zn_named_shape_clear(&shape);
    return status;
}

int zn_model_count_shapes(const zn_model *model, const char *name)
{
    ZN_ALIVE(model);
    if (!model)
        return 0;
    const zn_named *known = name ? zn_names_find(&model->shape_names, name) : NULL;
    return known ? known->nodes : 0;
}

// --- pairs ---------------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_pairs_def, .name = NULL)

static const char *name_of(const zn_pairs_def *def) { return def->name ? def->name : "contact"; }

static zn_status check_pairs(const zn_model *model, const zn_pairs_def *def, const zn_contact_points *points)
{
    zn_contact_def law = zn_contact_def_default();
    law.name = def->name;
    law.restitution = def->restitution;
    law.friction = def->friction;
    law.tangential_restitution = def->tangential_restitution;
    law.restitution_from = def->restitution_from;
    law.cohesion = def->cohesion;
    law.rolling_friction = def->rolling_friction;
    law.spinning_friction = def->spinning_friction;
    ZN_TRY(zn_model_check_law(model, &law));
    if ((def->between_count < 1 && !points) || def->against_count < 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': it names no shapes", name_of(def));
    return ZN_OK;
}

static zn_status mark(const zn_model *model, const zn_pairs_def *def, int count, const char *const *names,
                      unsigned side, unsigned char *sides)
{
    for (int i = 0; i < count; i++) {
        int group = zn_pair_group(model, names[i]);
        if (group < 0 && (!names[i] || strcmp(names[i], "all") != 0))
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': there is no shape '%s', nor a body of that name",
                           name_of(def), names[i] ? names[i] : "");
        int last = group < 0 ? zn_pair_group_count(model) - 1 : group;
        for (int k = group < 0 ? 0 : group; k <= last; k++)
            sides[k] |= (unsigned char)side;
    }
    return ZN_OK;
}

// Sides of the groups of shapes: 1 between, 2 against.
static zn_status find_sides(const zn_model *model, const zn_pairs_def *def, unsigned char *sides)
{
    ZN_TRY(mark(model, def, def->between_count, def->between, def->against_count == 0 ? 3 : 1, sides));
    return mark(model, def, def->against_count, def->against, 2, sides);
}

static zn_pair_shape prepare(const zn_model *model, const zn_named_shape *shape, unsigned side, int group)
{
    const zn_shape_def *def = &shape->def;
    double              length = zn_vec3_norm(def->normal);
    return (zn_pair_shape){
        .ops = zn_shape_ops_of(def->kind),
        .kind = def->kind,
        .name = shape->name,
        .node = def->at.node,
        .at = def->at.at,
        .radius = def->radius,
        .length = def->length,
        .half = {def->box.x / 2, def->box.y / 2, model->planar ? 0 : def->box.z / 2},
        .axes = zn_quat_matrix(zn_quat_normalize(def->rotation)),
        .normal = length > 0 ? zn_vec3_scale(1 / length, def->normal) : def->normal,
        .data = shape->data,
        .side = side,
        .material = shape->material,
        .group = {group, model->shape_names.count + def->at.node.value},
    };
}

// --- corners -------------------------------------------------------------------------------------

// Corners of one shape: its points without a radius; into `out` where that is not NULL. Returns their number.
static int list_corners(const zn_model *model, const zn_named_shape *shape, zn_attachment *out)
{
    zn_pair_shape s = prepare(model, shape, 0, 0);
    zn_feature    f;
    int           count = 0;
    for (int i = 0; s.ops->feature && s.ops->feature(&s, i, model->planar, &f); i++)
        if (f.kind == ZN_FEATURE_POINT && f.radius == 0) {
            if (out)
                out[count] = (zn_attachment){s.node, f.at};
            count++;
        }
    return count;
}

bool zn_model_has_corners(const zn_model *model, const char *shape)
{
    for (int i = 0; i < model->shapes; i++)
        if (strcmp(model->shape[i].name, shape) == 0 && list_corners(model, &model->shape[i], NULL) > 0)
            return true;
    return false;
}

zn_status zn_model_shape_corners(const zn_model *model, const char *contact, const char *shape, zn_contact_points *out)
{
    int total = 0;
    for (int i = 0; i < model->shapes; i++) {
        const zn_named_shape *s = &model->shape[i];
        if (strcmp(s->name, shape) != 0)
            continue;
        int count = list_corners(model, s, NULL);
        if (s->def.at.node.value == 0)
            return zn_fail(&model->log, ZN_ERR_MODEL,
                           "contact '%s': shape '%s' is on the ground; its corners are points "
                           "of a body",
                           contact, shape);
        if (count == 0)
            return zn_fail(&model->log, ZN_ERR_MODEL,
                           "contact '%s': shape '%s' is a %s and has no corners; for what is "
                           "round there is a point with a radius",
                           contact, shape, zn_shape_ops_of(s->def.kind)->name);
        if (count > INT_MAX - total)
            return ZN_ERR_MEMORY;
        total += count;
    }
    out->point = ZN_NEW(zn_attachment, total);
    if (!out->point)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->shapes; i++)
        if (strcmp(model->shape[i].name, shape) == 0)
            out->count += list_corners(model, &model->shape[i], out->point + out->count);
    return ZN_OK;
}

// --- rules ---------------------------------------------------------------------------------------

// The shapes of the rule, spheres first.
static void collect(const zn_model *model, const unsigned char *sides, zn_shape_pairs *p)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < model->shapes; i++) {
            const zn_shape_def *shape = &model->shape[i].def;
            if (zn_shape_ops_of(shape->kind)->sphere != (pass == 0))
                continue;
            int      group = zn_pair_group(model, model->shape[i].name);
            unsigned side = sides[group] | sides[model->shape_names.count + shape->at.node.value];
            if (side != 0)
                p->shape[p->shapes++] = prepare(model, &model->shape[i], side, group);
        }
        p->spheres = pass == 0 ? p->shapes : p->spheres;
    }
}

// A body that is named and has no shape would go through everything.
static zn_status check_named(const zn_model *model, const char *contact, int count, const char *const *names,
                             const zn_shape_pairs *p)
{
    for (int i = 0; i < count; i++) {
        int  group = zn_pair_group(model, names[i]);
        bool any = group < 0; // all
        for (int k = 0; k < p->shapes && !any; k++)
            any = p->shape[k].group[0] == group || p->shape[k].group[1] == group;
        if (!any)
            return zn_fail(&model->log, ZN_ERR_MODEL,
                           "contact '%s': '%s' has no shape; bodies have one by keys such as 'sphere' and 'box', the "
                           "ground by 'shapes'",
                           contact, names[i]);
    }
    return ZN_OK;
}

static zn_status check_kinds(const zn_model *model, const zn_pairs_def *def, const zn_shape_pairs *p)
{
    bool swapped;
    for (int j = p->spheres; j < p->shapes; j++)
        for (int i = 0; i < j; i++) {
            const zn_pair_shape *a = &p->shape[i], *b = &p->shape[j];
            if (zn_shape_pairs_wants(p, i, j) && !zn_meet_of(a->kind, b->kind, p->planar, &swapped))
                return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "contact '%s': a %s ('%s') does not meet a %s ('%s')%s",
                               name_of(def), a->ops->name, a->name, b->ops->name, b->name,
                               p->planar ? " in the plane" : "");
        }
    if ((int64_t)p->shapes * p->shapes > (int64_t)1 << ZN_CONTACT_NUMBER_BITS)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "contact '%s': %d shapes are too many", name_of(def),
                       p->shapes);
    return ZN_OK;
}

// Two shapes that have one feature each.
static bool is_simple(const zn_pair_shape *a, const zn_pair_shape *b)
{
    return a->ops->sphere && (b->ops->sphere || b->kind == ZN_SHAPE_PLANE);
}

// Contacts that a sphere may have with another shape at most; 0: nobody knows. In the plane several of its sides.
static int most_contacts(const zn_pair_shape *a, const zn_pair_shape *b, bool planar)
{
    enum { SIDES = 8 };
    if (!a->ops->sphere || b->kind == ZN_SHAPE_MESH || b->kind == ZN_SHAPE_CONTOUR)
        return 0;
    return planar && !is_simple(a, b) ? SIDES : 1;
}

// List the pairs while they are few and simple; otherwise p->pairs is 0. p->most: contacts of few pairs with spheres.
static zn_status list_pairs(const zn_model *model, const zn_pairs_def *def, zn_shape_pairs *p)
{
    int  count = 0, most = 0;
    bool simple = true, bounded = true;
    for (int i = 0; i < p->shapes && count <= ZN_FEW_PAIRS && bounded; i++)
        for (int j = i + 1; j < p->shapes && count <= ZN_FEW_PAIRS && bounded; j++) {
            if (!zn_shape_pairs_wants(p, i, j))
                continue;
            int contacts = most_contacts(&p->shape[i], &p->shape[j], p->planar);
            simple &= is_simple(&p->shape[i], &p->shape[j]);
            bounded = contacts > 0;
            most += contacts;
            if (count++ < ZN_FEW_PAIRS)
                p->pair[count - 1] = i * p->shapes + j;
        }
    bounded &= count <= ZN_FEW_PAIRS;
    p->pairs = simple && bounded ? count : 0;
    p->most = bounded ? most : 0;
    if (count > 0)
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': its shapes have no pair that can meet%s", name_of(def),
                   p->parts ? ": joints, which 'joined: true' overrules, or 'except' keep the others apart" : "");
}

static zn_status add_rule(zn_model *model, const zn_pairs_def *def, zn_shape_pairs *p, size_t size)
{
    int  turns = zn_rolling_count(&p->turn), rows = (p->friction == 0 ? 1 : model->planar ? 2 : 3) + turns;
    bool few = p->pairs > 0;
    ZN_TRY(zn_model_add_rows_rule(model, def->name, few ? &zn_few_pairs_ops : &zn_many_pairs_ops,
                                  few ? p->pairs : (int64_t)p->shapes * p->shapes, rows, p, size));
    zn_contact_rule *rule = &model->rule[model->rules - 1];
    ((zn_shape_pairs *)rule->parameter)->name = rule->name;
    rule->turns = turns;
    rule->room = p->most > 0 ? p->most : 4 * p->shapes;
    rule->grows = p->most == 0;
    rule->found = !few;
    rule->pieces = model->planar ? 0 : ZN_LINE_PIECES + 2; // places where contacts of lines may be held
    return ZN_OK;
}

// Points that are shapes of this rule alone: balls, before all others.
static void collect_points(const zn_model *model, const zn_contact_points *points, double radius, zn_shape_pairs *p)
{
    for (int i = 0; points && i < points->count; i++) {
        int own = model->shape_names.count + points->point[i].node.value;
        p->shape[p->shapes++] = (zn_pair_shape){.ops = zn_shape_ops_of(ZN_SHAPE_SPHERE),
                                                .kind = ZN_SHAPE_SPHERE,
                                                .name = "points",
                                                .node = points->point[i].node,
                                                .at = points->point[i].at,
                                                .radius = radius,
                                                .axes = zn_mat3_identity(),
                                                .side = 1,
                                                .group = {own, own}};
    }
}

// Pairs of shapes of the model, or of points and those.
static zn_status add_pairs(zn_model *model, const zn_pairs_def *def, const zn_contact_points *points, double radius)
{
    ZN_TRY(check_pairs(model, def, points));
    int             first = model->rules;
    size_t          most = (size_t)model->shapes + (points ? (size_t)points->count : 0);
    size_t          size = sizeof(zn_shape_pairs) + most * sizeof(zn_pair_shape);
    zn_shape_pairs *p = zn_new_array(size, 1);
    if (!p)
        return ZN_ERR_MEMORY;
    p->turn.planar = model->planar;
    p->planar = model->planar;
    p->gravity = zn_vec3_norm(model->gravity);
    p->log = &model->log;
    unsigned char *sides = ZN_NEW(unsigned char, zn_pair_group_count(model));
    zn_status      status = sides ? find_sides(model, def, sides) : ZN_ERR_MEMORY;
    collect_points(model, points, radius, p);
    if (status == ZN_OK)
        collect(model, sides, p);
    free(sides);
    if (status == ZN_OK)
        status = check_named(model, name_of(def), def->between_count, def->between, p);
    if (status == ZN_OK)
        status = check_named(model, name_of(def), def->against_count, def->against, p);
    if (status == ZN_OK)
        status = zn_pair_table_make(model, def, p);
    if (status == ZN_OK)
        status = check_kinds(model, def, p);
    if (status == ZN_OK)
        status = list_pairs(model, def, p);
    if (status == ZN_OK)
        status = add_rule(model, def, p, size);
    zn_model_set_cohesion(model, first, def->cohesion);
    free(p);
    return status;
}

zn_status zn_model_add_pairs(zn_model *model, const zn_pairs_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_pairs_def, def, &model->log);
    return add_pairs(model, def, NULL, 0);
}

// --- points against shapes -----------------------------------------------------------------------

// A thousandth of what the points span, or of a metre.
static double small_radius(const zn_model *model, const zn_contact_points *points)
{
    const double share = 1e-3;
    zn_vec3      first = zn_model_initial_position(model, &points->point[0]);
    double       span = 0;
    for (int i = 1; i < points->count; i++) {
        zn_vec3 x = zn_model_initial_position(model, &points->point[i]);
        span = fmax(span, zn_vec3_norm(zn_vec3_sub(x, first)));
    }
    return share * (span > 0 ? span : 1);
}

zn_status zn_model_add_points_shape(zn_model *model, const zn_contact_def *def, const zn_contact_points *points)
{
    zn_pairs_def      pairs = zn_pairs_def_default();
    const char *const against[] = {def->shape};
    if (!def->shape || strcmp(def->shape, "all") == 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': it does not name the shape that its points meet",
                       def->name ? def->name : "contact");
    pairs.name = def->name;
    pairs.against = against;
    pairs.against_count = 1;
    pairs.restitution = def->restitution;
    pairs.friction = def->friction;
    pairs.tangential_restitution = def->tangential_restitution;
    pairs.restitution_from = def->restitution_from;
    return add_pairs(model, &pairs, points, def->radius > 0 ? def->radius : small_radius(model, points));
}
