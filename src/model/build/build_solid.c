// Solids, node sets and pressure: check the def, then add nodes and elements to the model.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/build/build_dilatation.h"
#include "model/build/build_motor.h"
#include "model/element/solid.h"
#include "model/element/solid_faces.h"
#include "model/model.h"

enum { ELEMENTS_MAX = 3000000 }; // places of a hexahedron's matrix are counted as int

// --- node sets -----------------------------------------------------------------------------------

static zn_node_set *find_set(const zn_model *model, const char *name)
{
    for (int i = 0; name && i < model->node_sets; i++)
        if (strcmp(model->node_set[i].name, name) == 0)
            return &model->node_set[i];
    return NULL;
}

static zn_status check_set(const zn_model *model, const char *name, int count, const zn_node_id *nodes)
{
    const zn_log *log = &model->log;
    if (!name || !*name || strlen(name) > 127)
        return zn_fail(log, ZN_ERR_ARGUMENT, "the name of a node set must have 1 to 127 characters");
    if (find_set(model, name))
        return zn_fail(log, ZN_ERR_MODEL, "the node set '%s' exists already", name);
    if (count < 1)
        return zn_fail(log, ZN_ERR_MODEL, "node set '%s': it is empty", name);
    for (int i = 0; i < count; i++) {
        if (nodes[i].value < 1 || nodes[i].value > model->nodes)
            return zn_fail(log, ZN_ERR_MODEL, "node set '%s': no such node", name);
        if (model->node[nodes[i].value - 1].kind == ZN_SCALAR)
            return zn_fail(log, ZN_ERR_MODEL, "node set '%s': a generalized coordinate has no position", name);
    }
    return ZN_OK;
}

zn_status zn_model_add_node_set(zn_model *model, const char *name, int count, const zn_node_id *nodes)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TRY(check_set(model, name, count, nodes));
    zn_node_set set = {zn_copy_string(name), count, ZN_NEW(zn_node_id, count)};
    zn_status   status = set.name && set.node ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        memcpy(set.node, nodes, sizeof *nodes * (size_t)count);
        status = ZN_PUSH(model->node_set, model->node_sets, model->node_set_capacity, set);
    }
    if (status != ZN_OK) {
        free(set.name);
        free(set.node);
    }
    return status;
}

const zn_node_id *zn_model_find_node_set(const zn_model *model, const char *name, int *count)
{
    ZN_ALIVE(model);
    if (!model)
        return NULL;
    const zn_node_set *set = find_set(model, name);
    if (set && count)
        *count = set->count;
    return set ? set->node : NULL;
}

zn_status zn_model_fix_node_set(zn_model *model, const char *name, unsigned fixed)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    const zn_node_set *set = find_set(model, name);
    if (!set)
        return zn_fail(&model->log, ZN_ERR_MODEL, "there is no node set '%s'", name ? name : "");
    for (int i = 0; i < set->count; i++)
        model->node[set->node[i].value - 1].fixed |= fixed;
    return ZN_OK;
}

// --- solids --------------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_solid_def, .thickness = 1)

static const char *name_of(const zn_solid_def *def) { return def->name ? def->name : "solid"; }

static zn_vec3 velocity_of(const zn_solid_def *def, int node)
{
    return def->velocities ? def->velocities[node] : def->velocity;
}

static zn_status check_velocities(const zn_model *model, const zn_solid_def *def)
{
    for (int i = 0; i < (def->velocities ? def->mesh->node_count : 1); i++) {
        zn_vec3 v = velocity_of(def, i);
        if (!zn_finite3(v) || (model->planar && v.z != 0))
            return zn_fail(&model->log, ZN_ERR_MODEL, "part '%s': its velocity is not finite%s", name_of(def),
                           model->planar ? " and in the plane" : "");
    }
    return ZN_OK;
}

static zn_status check_values(const zn_model *model, const zn_solid_def *def)
{
    struct {
        const char *what;
        double      value;
        bool        zero; // allowed
    } list[] = {{"Young's modulus", def->young, false},
                {"density", def->density, false},
                {"thickness", def->thickness, false},
                {"mass damping", def->mass_damping, true},
                {"stiffness damping", def->stiffness_damping, true}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!(list[i].zero ? list[i].value >= 0 : list[i].value > 0) || !isfinite(list[i].value))
            return zn_fail(&model->log, ZN_ERR_MODEL, "part '%s': %s %g is not %s and finite", name_of(def),
                           list[i].what, list[i].value, list[i].zero ? "at least 0" : "positive");
    if (!(def->poisson > -1 && def->poisson < 0.5))
        return zn_fail(&model->log, ZN_ERR_MODEL, "part '%s': a solid needs -1 < Poisson's ratio < 0.5, not %g",
                       name_of(def), def->poisson);
    if ((unsigned)def->model > ZN_SOLID_NEO_HOOKEAN || (unsigned)def->plane > ZN_PLANE_STRESS)
        return zn_fail(&model->log, ZN_ERR_ARGUMENT, "part '%s': no such material law", name_of(def));
    return ZN_OK;
}

static zn_status check_numbers(const zn_model *model, const zn_solid_def *def, const char *what, int count,
                               const int *numbers)
{
    for (int i = 0; i < count; i++)
        if (numbers[i] < 0 || numbers[i] >= def->mesh->node_count)
            return zn_fail(&model->log, ZN_ERR_MODEL, "part '%s': %s refers to node %d, but the mesh has nodes 0 to %d",
                           name_of(def), what, numbers[i], def->mesh->node_count - 1);
    return ZN_OK;
}

static zn_status check_formulation(const zn_model *model, const zn_solid_def *def, const char *shape,
                                   const zn_solid_kind **out)
{
    static const char *const name[] = {"standard", "reduced", "mean_dilatation", "enhanced"};
    const char              *why = NULL;
    if ((unsigned)def->formulation > ZN_SOLID_ENHANCED)
        return zn_fail(&model->log, ZN_ERR_ARGUMENT, "part '%s': no such formulation", name_of(def));
    *out = zn_solid_kind_of(def->mesh->shape, def->formulation);
    if (def->formulation == ZN_SOLID_MEAN_DILATATION && model->planar && def->plane == ZN_PLANE_STRESS)
        why = "plane stress, which does not lock";
    else if (def->formulation == ZN_SOLID_ENHANCED && def->model == ZN_SOLID_NEO_HOOKEAN)
        why = "the neo-Hookean material; take 'reduced' or 'mean_dilatation'";
    else if (def->formulation == ZN_SOLID_MEAN_DILATATION && def->mesh->shape == ZN_TET4 && def->poisson < 0)
        why = "tet4 with a negative Poisson's ratio, which does not lock";
    if (!*out)
        why = shape;
    if (why)
        return zn_fail(&model->log, ZN_ERR_MODEL, "part '%s': the formulation '%s' is not for %s", name_of(def),
                       name[def->formulation], why);
    return ZN_OK;
}

static zn_status check_mesh(const zn_model *model, const zn_solid_def *def, const zn_solid_kind **out)
{
    ZN_ALIVE(def->mesh);
    const zn_mesh       *mesh = def->mesh;
    const zn_solid_kind *kind = mesh ? zn_solid_kind_of(mesh->shape, ZN_SOLID_STANDARD) : NULL;
    const zn_log        *log = &model->log;
    if (!kind)
        return zn_fail(log, ZN_ERR_ARGUMENT, "part '%s': it has no mesh", name_of(def));
    if ((kind->dim == 2) != model->planar)
        return zn_fail(log, ZN_ERR_MODEL, "part '%s': %s elements in a %s model", name_of(def), kind->ops->cell->name,
                       model->planar ? "planar" : "spatial");
    if (mesh->node_count < 1 || mesh->element_count < 1 || mesh->element_count > ELEMENTS_MAX)
        return zn_fail(log, ZN_ERR_MODEL, "part '%s': %d nodes and %d elements", name_of(def), mesh->node_count,
                       mesh->element_count);
    for (int i = 0; i < mesh->node_count; i++)
        if (!zn_finite3(mesh->nodes[i]) || (model->planar && mesh->nodes[i].z != 0))
            return zn_fail(log, ZN_ERR_MODEL, "part '%s': node %d is not finite%s", name_of(def), i,
                           model->planar ? " and in the plane" : "");
    ZN_TRY(check_numbers(model, def, "an element", mesh->element_count * kind->nodes, mesh->elements));
    for (int i = 0; i < mesh->set_count; i++)
        ZN_TRY(check_numbers(model, def, mesh->sets[i].name, mesh->sets[i].count, mesh->sets[i].nodes));
    return check_formulation(model, def, kind->ops->cell->name, out);
}

// A node that is another's must be like the one it stands for.
static zn_status check_shared(const zn_model *model, const zn_solid_def *def)
{
    for (int i = 0; def->shared && i < def->mesh->node_count; i++) {
        int         id = def->shared[i].value;
        char        text[ZN_NODE_TEXT];
        const char *name;
        if (id == 0)
            continue;
        if (id < 0 || id > model->nodes)
            return zn_fail(&model->log, ZN_ERR_MODEL, "part '%s': node %d is to be one that there is not", name_of(def),
                           i);
        const zn_node_def *node = &model->node[id - 1];
        name = zn_model_node_name(model, id - 1, text, sizeof text);
        if (node->kind != (model->planar ? ZN_POINT2 : ZN_POINT3) ||
            zn_vec3_norm(zn_vec3_sub(node->origin, def->mesh->nodes[i])) > 0)
            return zn_fail(&model->log, ZN_ERR_MODEL,
                           "part '%s': node %d cannot be '%s', which is elsewhere or no point", name_of(def), i, name);
        if (zn_vec3_norm(zn_vec3_sub(node->velocity, velocity_of(def, i))) > 0)
            return zn_fail(&model->log, ZN_ERR_MODEL,
                           "part '%s': its velocity is not that of '%s', which is one of its nodes", name_of(def),
                           name);
    }
    return ZN_OK;
}

// Add the nodes that are new.
static zn_status add_nodes(zn_model *model, const zn_solid_def *def)
{
    for (int i = 0; i < def->mesh->node_count; i++) {
        zn_node_def node = zn_node_def_default();
        if (def->shared && def->shared[i].value > 0) {
            model->node[def->shared[i].value - 1].fixed |= def->fixed;
            continue;
        }
        node.kind = model->planar ? ZN_POINT2 : ZN_POINT3;
        node.origin = node.position = def->mesh->nodes[i];
        node.velocity = velocity_of(def, i);
        node.fixed = def->fixed;
        ZN_TRY(zn_model_push_node(model, &node, name_of(def)));
    }
    return ZN_OK;
}

// Where the nodes of the mesh will be in the model, and which of them are new.
static zn_status map_nodes(const zn_model *model, const zn_solid_def *def, zn_named *what)
{
    int count = def->mesh->node_count;
    what->nodes = count;
    for (int i = 0; def->shared && i < count; i++)
        what->nodes -= def->shared[i].value > 0;
    if (what->nodes == count)
        return ZN_OK;
    what->map = ZN_NEW(int, count);
    what->number = ZN_NEW(int, count);
    if (!what->map || !what->number)
        return ZN_ERR_MEMORY;
    what->map_count = count;
    for (int i = 0, next = 0; i < count; i++) {
        what->map[i] = def->shared[i].value > 0 ? def->shared[i].value - 1 : model->nodes + next;
        if (def->shared[i].value == 0)
            what->number[next++] = i;
    }
    return ZN_OK;
}

// What mean dilatation around nodes takes out of the elements: lambda, and the mass that goes with it.
static zn_nodal_dilatation take_dilatation(const zn_solid_def *def, zn_solid *p)
{
    double              lambda = p->material.lambda, share = lambda / (lambda + 2 * p->material.mu);
    zn_nodal_dilatation out = {
        .model = def->model,
        .lambda = lambda,
        .mass_damping = def->mass_damping,
        .stiffness_damping = def->stiffness_damping,
        .lumped = p->lumped,
        .density = share * p->density,
    };
    p->material.lambda = 0;
    p->density -= out.density;
    return out;
}

static zn_status add_elements(zn_model *model, const zn_solid_def *def, const zn_solid_kind *kind, int part,
                              const zn_named *own)
{
    _Alignas(zn_solid) char room[sizeof(zn_solid) + ZN_SOLID_ROOM * sizeof(double)];
    zn_solid               *p = (zn_solid *)room;
    zn_nodal_dilatation     around = {0};
    *p = (zn_solid){
        .material =
            zn_solid_material_make(def->model, model->planar, def->plane == ZN_PLANE_STRESS, def->young, def->poisson),
        .mass_damping = def->mass_damping,
        .stiffness_damping = def->stiffness_damping,
        .lumped = def->mass == ZN_MASS_LUMPED,
        .thickness = model->planar ? def->thickness : 1,
        .density = def->density,
    };
    if (kind->nodal)
        around = take_dilatation(def, p);
    for (int e = 0; e < def->mesh->element_count; e++) {
        const int *number = def->mesh->elements + e * kind->nodes;
        int        node[ZN_CELL_NODES];
        zn_vec3    X[ZN_CELL_NODES];
        for (int a = 0; a < kind->nodes; a++) {
            node[a] = zn_named_node(own, number[a]);
            X[a] = def->mesh->nodes[number[a]];
        }
        p->number = e;
        if (!zn_solid_prepare(kind, X, p))
            return zn_fail(&model->log, ZN_ERR_MODEL, "part '%s': element %d of the mesh is inverted or flat",
                           name_of(def), e);
        ZN_TRY(zn_model_add_element(model, kind->ops, part, node, p));
    }
    return around.lambda > 0 ? zn_model_add_dilatation(model, def, &around, part, own) : ZN_OK;
}

// Sets of the mesh as "name.set".
static zn_status add_sets(zn_model *model, const zn_solid_def *def, const char *name, const zn_named *own)
{
    for (int i = 0; i < def->mesh->set_count; i++) {
        const zn_mesh_set *set = &def->mesh->sets[i];
        char               full[128];
        zn_node_id        *id = ZN_NEW(zn_node_id, set->count);
        if (!id)
            return ZN_ERR_MEMORY;
        snprintf(full, sizeof full, "%s.%.63s", name, set->name);
        for (int k = 0; k < set->count; k++)
            id[k].value = zn_named_node(own, set->nodes[k]) + 1;
        zn_status status = zn_model_add_node_set(model, full, set->count, id);
        free(id);
        ZN_TRY(status);
    }
    return ZN_OK;
}

zn_status zn_model_add_solid(zn_model *model, const zn_solid_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_solid_def, def, &model->log);
    const zn_solid_kind *kind = NULL;
    ZN_TRY(check_values(model, def));
    ZN_TRY(check_mesh(model, def, &kind));
    ZN_TRY(check_velocities(model, def));
    ZN_TRY(check_shared(model, def));
    int             part;
    zn_named        what = {.kind = ZN_NAMED_BAR, .node = model->nodes, .part = model->parts, .rule = -1};
    const zn_named *entry = NULL;
    zn_status       status = map_nodes(model, def, &what);
    if (status == ZN_OK)
        status = zn_model_add_name(model, def->name, "solid", what, &entry);
    if (status != ZN_OK) {
        free(what.map);
        free(what.number);
        return status;
    }
    what = *entry; // entries move when names are added, what they point to stays
    ZN_TRY(zn_model_add_part(model, what.name, &part));
    ZN_TRY(add_nodes(model, def));
    ZN_TRY(add_elements(model, def, kind, part, &what));
    return add_sets(model, def, what.name, &what);
}

// --- pressure ------------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_pressure_def, .name = NULL)

static zn_status add_faces(zn_model *model, const zn_pressure_def *def, const zn_solid_faces *faces)
{
    int                   corners = faces->corners;
    const zn_element_ops *ops = corners == 2   ? &zn_pressure_edge_ops
                                : corners == 3 ? &zn_pressure_triangle_ops
                                               : &zn_pressure_quad_ops;
    zn_pressure           p = {def->value, faces->thickness, def->follower};
    zn_named              what = {.kind = ZN_NAMED_LOAD, .node = -1, .part = model->parts, .rule = -1};
    const zn_named       *entry = NULL;
    int                   part;
    ZN_TRY(zn_model_add_name(model, def->name, "load", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    for (int i = 0; i < faces->count; i++)
        ZN_TRY(zn_model_add_element(model, ops, part, faces->node + i * corners, &p));
    return ZN_OK;
}

zn_status zn_model_add_pressure(zn_model *model, const zn_pressure_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_pressure_def, def, &model->log);
    ZN_TRY(zn_model_adopt(model, def->value));
    ZN_TRY(zn_model_refuse_feedback(model, "load", def->name ? def->name : "pressure", 1, &def->value));
    const char    *name = def->name ? def->name : "pressure";
    zn_solid_faces faces = {0};
    zn_status      status = zn_solid_faces_find(model, "load", name, def->part, def->face ? def->face : "", &faces);
    if (status == ZN_OK && !def->value)
        status = zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': it has no value", name);
    if (status == ZN_OK)
        status = add_faces(model, def, &faces);
    free(faces.node);
    return status;
}
