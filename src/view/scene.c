// The machine of a result: the model text in the file is read again with the parameters of the run, and frames are
// turned into positions.
#include "view/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/inputs.h"
#include "io/problem.h"
#include "io/result.h"
#include "io/result_reader.h"
#include "io/text_file.h"
#include "model/rigid_row.h"

// --- the model again -----------------------------------------------------------------------------

static void tell_input(void *user, const char *name, bool known)
{
    const zn_scene *s = user;
    if (known)
        zn_log_write(&s->log, ZN_LOG_WARNING, "%s: something else is now in the file '%s': pictures may be wrong",
                     zn_result_path(s->result), name);
}

static void compare_inputs(zn_scene *s)
{
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_inputs_compare(zn_result_file(s->result), s->problem, tell_input, s);
    zn_result_quiet_end(quiet);
}

static zn_status rebuild(zn_scene *s)
{
    ZN_TRY(zn_problem_of(s->result, 0, NULL, s->log, &s->problem));
    compare_inputs(s);
    ZN_TRY(zn_system_create(s->problem->model, &s->sys));
    return zn_contact_set_create(s->sys, &s->set);
}

// --- nodes ---------------------------------------------------------------------------------------

static zn_status allocate(zn_scene *s)
{
    const zn_system *sys = s->sys;
    int              nodes = sys->info.nodes, outlines = 0;
    for (int i = 0; i < sys->model->lagrangians; i++)
        outlines += zn_lagrangian_outlines(sys->model->lagrangian[i]);
    s->info.planar = sys->info.planar;
    s->info.node_count = nodes;
    s->info.outline_count = outlines;
    s->kind = ZN_NEW(zn_node_kind, nodes);
    s->reference = ZN_NEW(zn_vec3, nodes);
    s->position = ZN_NEW(zn_vec3, nodes);
    s->displacement = ZN_NEW(zn_vec3, nodes);
    s->velocity = ZN_NEW(zn_vec3, nodes);
    s->rotation = ZN_NEW(zn_quat, nodes);
    s->spin = ZN_NEW(zn_vec3, nodes);
    s->q = ZN_NEW(double, sys->info.nq);
    s->q_before = ZN_NEW(double, sys->info.nq);
    s->v = ZN_NEW(double, sys->info.n_all);
    s->outline = ZN_NEW(zn_vec3, (size_t)outlines * ZN_OUTLINE_POINTS);
    s->outline_size = ZN_NEW(int, outlines);
    bool ok = s->kind && s->reference && s->position && s->displacement && s->velocity && s->rotation && s->spin &&
              s->q && s->q_before && s->v && s->outline && s->outline_size;
    return ok ? ZN_OK : ZN_ERR_MEMORY;
}

// Displacements count from the origin of nodes that have one (parts), else from the initial position (bodies).
static void place_reference(zn_scene *s)
{
    const zn_model *model = s->sys->model;
    for (int i = 0; i < s->info.node_count; i++) {
        const zn_node_def *node = &model->node[i];
        bool               body = zn_vec3_norm(node->origin) == 0;
        s->kind[i] = node->kind;
        s->reference[i] = body ? node->position : node->origin;
        if (node->kind == ZN_SCALAR)
            s->reference[i] = zn_vec3_make(0, 0, 0);
    }
}

static zn_quat rotation_of(const zn_layout_node *node, const double *q)
{
    if (node->kind == ZN_FRAME2)
        return (zn_quat){cos(0.5 * q[node->q + 2]), 0, 0, sin(0.5 * q[node->q + 2])};
    if (node->kind == ZN_FRAME3)
        return (zn_quat){q[node->q + 3], q[node->q + 4], q[node->q + 5], q[node->q + 6]};
    return (zn_quat){1, 0, 0, 0};
}

// Spin in world axes; in the equations it has body axes, of linear beams those of the start.
static zn_vec3 spin_of(const zn_layout_node *node, const double *q, const double *v)
{
    double w[3] = {0, 0, 0};
    for (int k = 0; k < 3 && zn_node_rotates(node->kind); k++)
        w[k] = node->dof[3 + k] >= 0 ? v[node->dof[3 + k]] : 0;
    zn_vec3 spin = {w[0], w[1], w[2]};
    return node->kind == ZN_FRAME3 ? zn_quat_rotate(node->small ? node->start : rotation_of(node, q), spin) : spin;
}

static void place_nodes(zn_scene *s)
{
    for (int i = 0; i < s->info.node_count; i++) {
        const zn_layout_node *node = &s->sys->layout.node[i];
        double                x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
        int                   dim = node->kind == ZN_SCALAR ? 0 : zn_node_dimension(node->kind);
        for (int k = 0; k < dim; k++) {
            x[k] = s->q[node->q + k];
            v[k] = node->dof[k] >= 0 ? s->v[node->dof[k]] : 0;
        }
        zn_vec3 moved = {x[0], x[1], x[2]};
        s->position[i] = zn_vec3_add(node->origin, moved);
        // small displacements keep their digits
        s->displacement[i] = zn_vec3_add(moved, zn_vec3_sub(node->origin, s->reference[i]));
        s->velocity[i] = zn_vec3_make(v[0], v[1], v[2]);
        s->rotation[i] = rotation_of(node, s->q);
        s->spin[i] = spin_of(node, s->q, s->v);
    }
}

static void place_outlines(zn_scene *s)
{
    const zn_model *model = s->sys->model;
    int             number = 0;
    for (int i = 0; i < model->lagrangians; i++)
        for (int k = 0; k < zn_lagrangian_outlines(model->lagrangian[i]); k++, number++)
            s->outline_size[number] = zn_lagrangian_outline(model->lagrangian[i], &s->sys->layout, k, s->q,
                                                            s->outline + (size_t)number * ZN_OUTLINE_POINTS);
}

// --- public --------------------------------------------------------------------------------------

static zn_status build(zn_scene *s)
{
    ZN_TRY(rebuild(s));
    ZN_TRY(allocate(s));
    place_reference(s);
    memcpy(s->q, s->sys->q0, sizeof *s->q * (size_t)s->sys->info.nq);
    memcpy(s->v, s->sys->v0, sizeof *s->v * (size_t)s->sys->info.n_all);
    place_nodes(s);
    ZN_TRY(zn_scene_add_cells(s));
    ZN_TRY(zn_scene_add_links(s));
    ZN_TRY(zn_scene_add_surfaces(s));
    ZN_TRY(zn_scene_add_bodies(s));
    ZN_TRY(zn_scene_add_boundaries(s));
    ZN_TRY(zn_frame_reader_open(s->result, s->sys->info.nq, s->sys->info.n_all, &s->frames));
    s->info.frame_count = s->frames.count;
    const char *scheme = zn_result_text(s->result, "scheme");
    s->info.statics = scheme != NULL && strcmp(scheme, "static") == 0;
    s->info.node_kind = s->kind;
    s->info.reference = s->reference;
    return ZN_OK;
}

zn_status zn_scene_open(const zn_result *result, zn_log log, zn_scene **out)
{
    ZN_ALIVE(result);
    if (!result)
        return ZN_ERR_ARGUMENT;
    zn_scene *s = ZN_NEW(zn_scene, 1);
    if (s == NULL)
        return ZN_ERR_MEMORY;
    s->result = result;
    s->log = log;
    zn_status status = build(s);
    if (status == ZN_OK)
        *out = s;
    else
        zn_scene_close(s);
    return status;
}

zn_scene *zn_scene_close(zn_scene *s)
{
    ZN_ALIVE(s);
    if (s == NULL)
        return NULL;
    void *const owned[] = {s->kind,
                           s->reference,
                           s->block,
                           s->measure,
                           s->part,
                           s->link,
                           s->surface,
                           s->q,
                           s->v,
                           s->position,
                           s->displacement,
                           s->velocity,
                           s->outline,
                           s->outline_size,
                           s->rotation,
                           s->energy,
                           s->stress,
                           s->contact,
                           s->spin,
                           s->boundary,
                           s->boundary_node,
                           s->q_before,
                           s->boundary_pressure};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    for (int i = 0; i < s->info.block_count && s->axes != NULL; i++)
        free(s->axes[i]);
    free(s->axes);
    for (int i = 0; i < s->info.body_count && s->kept != NULL; i++) {
        free(s->kept[i].points);
        free(s->kept[i].triangles);
    }
    free(s->kept);
    free(s->body);
    zn_contact_patches_free(&s->patches);
    zn_frame_reader_close(&s->frames);
    zn_contact_set_destroy(s->set);
    zn_contact_pressure_destroy(s->pressure);
    zn_system_destroy(s->sys);
    zn_problem_destroy(s->problem);
    zn_retire(s, sizeof *s);
    return NULL;
}

zn_scene_info zn_scene_get_info(const zn_scene *scene)
{
    ZN_ALIVE(scene);
    return scene ? scene->info : (zn_scene_info){0};
}

static zn_status check_index(const zn_scene *s, int64_t index)
{
    return index >= 0 && index < s->frames.count
               ? ZN_OK
               : zn_fail(&s->log, ZN_ERR_ARGUMENT, "%s: there is no frame number %lld", zn_result_path(s->result),
                         (long long)index);
}

zn_status zn_scene_read(zn_scene *s, int64_t index, zn_scene_frame *out)
{
    ZN_ALIVE(s);
    if (!s || !out)
        return ZN_ERR_ARGUMENT;
    ZN_ALIVE(s->result);
    int contacts = 0;
    ZN_TRY(check_index(s, index));
    double *before = s->info.boundary_node_count > 0 ? s->q_before : NULL;
    ZN_TRY(zn_frame_reader_read(&s->frames, s->result, index > 0 ? index - 1 : 0, before, NULL));
    s->before = s->frames.t;
    ZN_TRY(zn_frame_reader_read(&s->frames, s->result, index, s->q, s->v));
    place_nodes(s);
    place_outlines(s);
    zn_scene_measure_cells(s);
    ZN_TRY(zn_scene_place_contacts(s, &contacts));
    zn_scene_measure_pressure(s);
    ZN_TRY(zn_contact_patches_find(&s->patches, s->info.planar, s->position, contacts, s->contact,
                                   s->info.statics ? 1 : s->frames.t - s->before));
    *out = (zn_scene_frame){.t = s->frames.t,
                            .position = s->position,
                            .displacement = s->displacement,
                            .velocity = s->velocity,
                            .rotation = s->rotation,
                            .spin = s->spin,
                            .energy = s->energy,
                            .stress = s->stress,
                            .outline_size = s->outline_size,
                            .outline = s->outline,
                            .contact_count = contacts,
                            .contacts = s->contact,
                            .patch_count = s->patches.count,
                            .patches = s->patches.patch,
                            .patch_corners = s->patches.corner,
                            .pressure = s->boundary_pressure,
                            .ledger = s->frames.ledger,
                            .effort = s->frames.effort};
    return ZN_OK;
}

zn_status zn_scene_read_ledger(zn_scene *s, int64_t index, zn_scene_frame *out)
{
    ZN_ALIVE(s);
    if (!s || !out)
        return ZN_ERR_ARGUMENT;
    ZN_ALIVE(s->result);
    ZN_TRY(check_index(s, index));
    ZN_TRY(zn_frame_reader_read(&s->frames, s->result, index, NULL, NULL));
    *out = (zn_scene_frame){.t = s->frames.t, .ledger = s->frames.ledger, .effort = s->frames.effort};
    return ZN_OK;
}
