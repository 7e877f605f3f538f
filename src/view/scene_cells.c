// Cells of a scene: bars, beams and solids, with their parts, strain energies and stresses.
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "view/scene.h"
#include "model/element/beam_linear.h"
#include "model/element/solid.h"

static bool cell_kind(const zn_element_ops *ops, zn_cell_kind *kind)
{
    const struct {
        const zn_element_ops *ops;
        zn_cell_kind          kind;
    } table[] = {
        {&zn_bar2_ops, ZN_CELL_BAR},   {&zn_bar3_ops, ZN_CELL_BAR},          {&zn_beam2_ops, ZN_CELL_BEAM},
        {&zn_beam3_ops, ZN_CELL_BEAM}, {&zn_quad4_ops, ZN_CELL_QUAD4},       {&zn_tet4_ops, ZN_CELL_TET4},
        {&zn_hex8_ops, ZN_CELL_HEX8},  {&zn_beam_linear2_ops, ZN_CELL_BEAM}, {&zn_beam_linear3_ops, ZN_CELL_BEAM}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].ops == ops) {
            *kind = table[i].kind;
            return true;
        }
    return false;
}

static const zn_element_block *element_block(const zn_scene *s, int block)
{
    zn_cell_kind kind;
    for (int i = 0, seen = 0; i < s->sys->blocks; i++)
        if (cell_kind(s->sys->block[i].ops, &kind) && seen++ == block)
            return &s->sys->block[i];
    return NULL;
}

// --- parts ---------------------------------------------------------------------------------------

// Sides of the rectangle, or diameter of the circle, that has these stiffnesses: I/A = h^2/12, d^2/16. A circle is told
// from a square by its torsion: J/A_s is 7/3 I/A or more, of a square 2.02 I/A.
static void find_section(const zn_element_block *b, int e, zn_scene_part *part)
{
    if (b->ops == &zn_beam2_ops) {
        const zn_beam2 *p = &((const zn_beam2 *)b->parameter)[e];
        part->height = part->width = sqrt(12 * p->bending / p->axial);
        return;
    }
    const zn_beam3 *p = &((const zn_beam3 *)b->parameter)[e];
    double          y = p->moment[1] / p->force[0], z = p->moment[2] / p->force[0];
    part->round = fabs(y - z) < 1e-9 * (y + z) && p->moment[0] / p->force[1] > 2.3 * y;
    part->height = part->round ? 4 * sqrt(y) : sqrt(12 * z);
    part->width = part->round ? part->height : sqrt(12 * y);
}

static zn_status add_parts(zn_scene *s)
{
    const zn_model *model = s->sys->model;
    s->part = ZN_NEW(zn_scene_part, model->parts);
    if (s->part == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->parts; i++)
        s->part[i].name = model->part_name[i];
    for (int k = 0; k < s->info.block_count; k++) {
        const zn_scene_block   *b = &s->block[k];
        const zn_element_block *from = element_block(s, k);
        for (int c = 0; c < b->count; c++) {
            zn_scene_part *part = &s->part[b->part[c]];
            for (int a = 0; a < b->nodes; a++)
                part->held |= model->node[b->node[c * b->nodes + a]].fixed != 0;
            if ((from->ops == &zn_beam2_ops || from->ops == &zn_beam3_ops) && part->height == 0)
                find_section(from, c, part);
        }
    }
    s->info.parts = s->part;
    s->info.part_count = model->parts;
    return ZN_OK;
}

// --- cells ---------------------------------------------------------------------------------------

static const zn_solid *solid_at(const zn_element_block *b, int e)
{
    return (const zn_solid *)((const char *)b->parameter + (size_t)e * b->ops->parameter_size);
}

static double measure_of(const zn_scene *s, const zn_element_block *b, int e)
{
    const zn_solid_kind *kind = zn_solid_kind_of_ops(b->ops);
    double               sum = 0;
    if (kind == NULL)
        return zn_vec3_norm(zn_vec3_sub(s->reference[b->node[2 * e + 1]], s->reference[b->node[2 * e]]));
    for (int i = 0; i < kind->points; i++) // the weights of the points come first
        sum += solid_at(b, e)->data[i];
    return sum;
}

static zn_status count_cells(zn_scene *s)
{
    zn_cell_kind kind;
    for (int i = 0; i < s->sys->blocks; i++)
        if (cell_kind(s->sys->block[i].ops, &kind)) {
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

zn_status zn_scene_add_cells(zn_scene *s)
{
    int first = 0;
    ZN_TRY(count_cells(s));
    for (int k = 0; k < s->info.block_count; k++) {
        const zn_element_block *from = element_block(s, k);
        zn_scene_block         *b = &s->block[k];
        *b = (zn_scene_block){.nodes = from->ops->nodes,
                              .first = first,
                              .count = from->count,
                              .node = from->node,
                              .part = from->part,
                              .measure = s->measure + first};
        cell_kind(from->ops, &b->kind);
        for (int e = 0; e < b->count; e++)
            s->measure[first + e] = measure_of(s, from, e);
        first += b->count;
    }
    return add_parts(s);
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

static double axial_force(const zn_scene *s, const zn_element_block *b, int e)
{
    const zn_bar *p = &((const zn_bar *)b->parameter)[e];
    zn_vec3       u = zn_vec3_sub(s->displacement[b->node[2 * e + 1]], s->displacement[b->node[2 * e]]);
    return p->stiffness * (p->direction[0] * u.x + p->direction[1] * u.y + p->direction[2] * u.z);
}

static double von_mises(const double c[6])
{
    double a = c[0] - c[1], b = c[1] - c[2], d = c[2] - c[0];
    return sqrt(0.5 * (a * a + b * b + d * d) + 3 * (c[3] * c[3] + c[4] * c[4] + c[5] * c[5]));
}

void zn_scene_measure_cells(zn_scene *s)
{
    for (int k = 0; k < s->info.block_count; k++) {
        const zn_element_block *b = element_block(s, k);
        const zn_solid_kind    *kind = zn_solid_kind_of_ops(b->ops);
        for (int e = 0; e < b->count; e++) {
            int    cell = s->block[k].first + e;
            double cauchy[6], volume;
            s->energy[cell] = energy_of(s, b, e) / s->measure[cell];
            if (kind != NULL)
                s->stress[cell] = kind->stress(b, e, s->q, cauchy, &volume) ? von_mises(cauchy) : NAN;
            else
                s->stress[cell] = s->block[k].kind == ZN_CELL_BAR ? axial_force(s, b, e) : NAN;
        }
    }
}
