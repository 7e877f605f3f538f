// Cells of a scene: bars, beams and solids, with their parts, strain energies and stresses.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "view/scene.h"

// Blocks of elements that are cells, by their number among them.
static const zn_element_block *element_block(const zn_scene *s, int block)
{
    for (int i = 0, seen = 0; i < s->sys->blocks; i++)
        if (s->sys->block[i].ops->cell != NULL && seen++ == block)
            return &s->sys->block[i];
    return NULL;
}

// --- parts ---------------------------------------------------------------------------------------

// What the model gives, or the rectangle with the radii of gyration i of the section: h^2 = 12 i^2. Planar beams know
// that of bending only; there the area gives the width.
static void describe_section(const zn_beam_section *section, bool planar, zn_scene_part *part)
{
    part->round = section->shape == ZN_SECTION_CIRCLE;
    part->equivalent = section->shape == ZN_SECTION_GENERAL;
    part->height = section->height;
    part->width = section->width;
    if (!part->equivalent)
        return;
    part->height = sqrt(12 * section->moment_z / section->area);
    part->width = planar ? section->area / part->height : sqrt(12 * section->moment_y / section->area);
}

static zn_status add_parts(zn_scene *s)
{
    const zn_model *model = s->sys->model;
    s->part = ZN_NEW(zn_scene_part, model->parts);
    if (s->part == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->parts; i++)
        s->part[i].name = model->part_name[i];
    for (int i = 0; i < model->sections; i++)
        describe_section(&model->section[i].section, model->planar, &s->part[model->section[i].part]);
    for (int k = 0; k < s->info.block_count; k++) {
        const zn_scene_block *b = &s->block[k];
        for (int i = 0; i < b->count * b->nodes; i++)
            s->part[b->part[i / b->nodes]].held |= model->node[b->node[i]].fixed != 0;
    }
    s->info.parts = s->part;
    s->info.part_count = model->parts;
    return ZN_OK;
}

// --- axes of sections ----------------------------------------------------------------------------

static zn_quat initial_rotation(const zn_node_def *node)
{
    if (node->kind == ZN_FRAME2)
        return (zn_quat){cos(0.5 * node->angle), 0, 0, sin(0.5 * node->angle)};
    return node->kind == ZN_FRAME3 ? node->rotation : (zn_quat){1, 0, 0, 0};
}

// Section of each part, NULL: none.
static const zn_part_section **sections_of_parts(const zn_model *model)
{
    const zn_part_section **of = ZN_NEW(const zn_part_section *, model->parts);
    for (int i = 0; of != NULL && i < model->sections; i++)
        of[model->section[i].part] = &model->section[i];
    return of;
}

// How sections lie in the axes of the nodes of a block; nothing to do when none of its parts has one.
static zn_status add_axes(zn_scene *s, const zn_part_section *const *of, const zn_element_block *from,
                          zn_scene_block *b, zn_quat **out)
{
    const zn_model *model = s->sys->model;
    bool            any = false;
    for (int e = 0; e < b->count; e++)
        any = any || of[b->part[e]] != NULL;
    if (!any)
        return ZN_OK;
    zn_quat *axes = *out = ZN_NEW(zn_quat, (size_t)b->count * (size_t)b->nodes);
    if (axes == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < b->count * b->nodes; i++) {
        const zn_part_section *section = of[b->part[i / b->nodes]];
        axes[i] = (zn_quat){1, 0, 0, 0};
        if (section != NULL && section->carried && from->ops->cell->axes)
            axes[i] = from->ops->cell->axes(from, i / b->nodes, i % b->nodes);
        if (section != NULL && !section->carried)
            axes[i] = zn_quat_product(zn_quat_conjugate(initial_rotation(&model->node[b->node[i]])), section->axes);
    }
    b->axes = axes;
    return ZN_OK;
}

static zn_status add_all_axes(zn_scene *s)
{
    const zn_part_section **of = sections_of_parts(s->sys->model);
    s->axes = ZN_NEW(zn_quat *, s->info.block_count);
    zn_status status = of != NULL && s->axes != NULL ? ZN_OK : ZN_ERR_MEMORY;
    for (int i = 0, k = 0; i < s->sys->blocks && status == ZN_OK; i++)
        if (s->sys->block[i].ops->cell != NULL) {
            status = add_axes(s, of, &s->sys->block[i], &s->block[k], &s->axes[k]);
            k++;
        }
    free(of);
    return status;
}

// --- cells ---------------------------------------------------------------------------------------

static zn_status count_cells(zn_scene *s)
{
    for (int i = 0; i < s->sys->blocks; i++)
        if (s->sys->block[i].ops->cell != NULL) {
            s->info.block_count++;
            s->info.cell_count += s->sys->block[i].count;
        }
    s->block = ZN_NEW(zn_scene_block, s->info.block_count);
    s->measure = ZN_NEW(double, s->info.cell_count);
    s->energy = ZN_NEW(double, s->info.cell_count);
    s->stress = ZN_NEW(double, s->info.cell_count);
    s->info.blocks = s->block;
    return s->block && s->measure && s->energy && s->stress ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_scene_block describe_block(const zn_element_block *from)
{
    const zn_cell *cell = from->ops->cell;
    return (zn_scene_block){.kind = cell->name,
                            .vtk_type = cell->vtk,
                            .dim = cell->dim,
                            .nodes = from->ops->nodes,
                            .count = from->count,
                            .node = from->node,
                            .part = from->part,
                            .face_count = cell->faces,
                            .face_nodes = cell->face_nodes,
                            .faces = cell->face,
                            .stress_name = cell->stress_name,
                            .stress_unit = cell->stress_unit};
}

zn_status zn_scene_add_cells(zn_scene *s)
{
    int first = 0;
    ZN_TRY(count_cells(s));
    for (int k = 0; k < s->info.block_count; k++) {
        const zn_element_block *from = element_block(s, k);
        zn_scene_block         *b = &s->block[k];
        *b = describe_block(from);
        b->first = first;
        b->measure = s->measure + first;
        for (int e = 0; e < b->count; e++)
            s->measure[first + e] = from->ops->cell->measure(from, e, s->reference);
        first += b->count;
    }
    ZN_TRY(add_parts(s));
    return add_all_axes(s);
}

// --- energy and stress ---------------------------------------------------------------------------

// Strain energy of one element: a block of one, which tells nobody when it cannot be evaluated.
static double energy_of(const zn_scene *s, const zn_element_block *b, int e)
{
    static const zn_log silent = {0};
    zn_element_block    one = *b;
    zn_energy           energy = {0};
    one.count = 1;
    one.log = &silent;
    one.part += e;
    one.node += (size_t)e * (size_t)b->ops->nodes;
    one.dof += (size_t)e * (size_t)b->ops->dofs;
    one.parameter = (const char *)b->parameter + (size_t)e * b->ops->parameter_size;
    zn_status status =
        b->ops->energy(&one, (zn_at){.q = s->q, .v = s->v, .t = s->frames.t}, -1, (zn_vec3){0, 0, 0}, &energy);
    return status == ZN_OK ? energy.strain : NAN;
}

void zn_scene_measure_cells(zn_scene *s)
{
    for (int k = 0; k < s->info.block_count; k++) {
        const zn_element_block *b = element_block(s, k);
        const zn_cell          *kind = b->ops->cell;
        for (int e = 0; e < b->count; e++) {
            int cell = s->block[k].first + e;
            s->energy[cell] = energy_of(s, b, e) / s->measure[cell];
            s->stress[cell] = kind->stress != NULL ? kind->stress(b, e, s->q) : NAN;
        }
    }
}
