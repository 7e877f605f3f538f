// A scene as an unstructured grid.
#include "view/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "view/surface.h"

enum { FINE_MOST = 100 }; // bodies; more of them get coarse surfaces

// --- points and cells ----------------------------------------------------------------------------

static zn_status add_point(zn_grid *g, int node, zn_vec3 arm)
{
    int capacity = g->point_capacity;
    ZN_TRY(zn_grow(&g->node, &capacity, g->point_count + 1, sizeof *g->node));
    ZN_TRY(zn_grow(&g->arm, &g->point_capacity, g->point_count + 1, sizeof *g->arm));
    g->node[g->point_count] = node;
    g->arm[g->point_count++] = arm;
    return ZN_OK;
}

static zn_status add_cell(zn_grid *g, int type, int part, int corners, const int *corner)
{
    int end = g->cell_capacity, kind = g->cell_capacity, colour = g->cell_capacity, need = g->cell_count + 1;
    ZN_TRY(zn_grow(&g->corner, &g->corner_capacity, g->corner_count + corners, sizeof *g->corner));
    ZN_TRY(zn_grow(&g->end, &end, need, sizeof *g->end));
    ZN_TRY(zn_grow(&g->type, &kind, need, sizeof *g->type));
    ZN_TRY(zn_grow(&g->colour, &colour, need, sizeof *g->colour));
    ZN_TRY(zn_grow(&g->part, &g->cell_capacity, need, sizeof *g->part));
    for (int i = 0; i < corners; i++)
        g->corner[g->corner_count++] = corner[i];
    g->end[g->cell_count] = g->corner_count;
    g->type[g->cell_count] = (unsigned char)type;
    g->colour[g->cell_count] = (zn_quat){NAN, NAN, NAN, NAN};
    g->part[g->cell_count++] = part;
    return ZN_OK;
}

static zn_status add_nodes(zn_grid *g)
{
    for (int i = 0; i < g->info.node_count; i++) {
        bool there = g->info.node_kind[i] != ZN_SCALAR;
        g->place[i] = there ? g->point_count : -1;
        if (there)
            ZN_TRY(add_point(g, i, zn_vec3_make(0, 0, 0)));
    }
    return ZN_OK;
}

// The order of nodes in a cell is that of VTK.
static zn_status add_elements(zn_grid *g)
{
    for (int b = 0; b < g->info.block_count; b++) {
        const zn_scene_block *block = &g->info.blocks[b];
        for (int i = 0; i < block->count; i++) {
            ZN_TRY(add_cell(g, block->vtk_type, block->part[i], block->nodes, block->node + i * block->nodes));
            for (int k = g->corner_count - block->nodes; k < g->corner_count; k++)
                g->corner[k] = g->place[g->corner[k]];
        }
    }
    return ZN_OK;
}

// Number of the part of this name, or `none`. They come in the same order, so the search goes on behind the last one.
static int find_part(const zn_grid *g, const char *name, int *last, int none)
{
    for (int i = 0; i < g->info.part_count; i++) {
        int at = (*last + i) % g->info.part_count;
        if (name != NULL && g->info.parts[at].name != NULL && strcmp(g->info.parts[at].name, name) == 0) {
            *last = at;
            return at;
        }
    }
    return none;
}

static zn_status add_body(zn_grid *g, const zn_scene_body *body, int part, zn_surface_mesh *mesh)
{
    int first = g->point_count;
    ZN_TRY(zn_surface_of(&body->drawing, g->info.planar, mesh));
    if (mesh->face_count == 0) // of the ground there is no point
        return body->node < 0 ? ZN_OK : add_cell(g, ZN_GRID_VERTEX, part, 1, &g->place[body->node]);
    for (int i = 0; i < mesh->point_count; i++)
        ZN_TRY(add_point(g, body->node, mesh->points[i]));
    for (int i = 0; i < mesh->face_count; i++) {
        const int *c = mesh->faces[i].corner, corner[4] = {first + c[0], first + c[1], first + c[2], first + c[3]};
        int        corners = c[2] < 0 ? 2 : c[3] < 0 ? 3 : 4;
        static const int types[] = {[2] = ZN_GRID_LINE, [3] = ZN_GRID_TRIANGLE, [4] = ZN_GRID_QUAD};
        ZN_TRY(add_cell(g, types[corners], part, corners, corner));
    }
    return ZN_OK;
}

static zn_quat colour_of(const zn_drawing *d)
{
    return (zn_quat){d->colour.red / 255.0, d->colour.green / 255.0, d->colour.blue / 255.0, 1 - d->transparency};
}

static zn_status add_bodies(zn_grid *g)
{
    zn_surface_mesh mesh = {.coarse = g->info.body_count > FINE_MOST};
    zn_status       status = ZN_OK;
    int             last = 0;
    for (int i = 0; i < g->info.body_count && status == ZN_OK; i++) {
        const zn_scene_body *body = &g->info.bodies[i];
        int                  first = g->cell_count;
        status = add_body(g, body, find_part(g, body->name, &last, -1), &mesh);
        for (int k = first; k < g->cell_count && body->drawing.colour.given; k++)
            g->colour[k] = colour_of(&body->drawing);
    }
    zn_surface_free(&mesh);
    return status;
}

// Springs and rods as lines; other joints have no length. Rods are no parts.
static zn_status add_links(zn_grid *g)
{
    int last = 0;
    for (int i = 0; i < g->info.link_count; i++) {
        const zn_scene_link *link = &g->info.links[i];
        int                  ends[2] = {g->point_count, g->point_count + 1};
        if (link->kind == ZN_LINK_JOINT)
            continue;
        ZN_TRY(add_point(g, link->a.node.value - 1, link->a.at));
        ZN_TRY(add_point(g, link->b.node.value - 1, link->b.at));
        ZN_TRY(add_cell(g, ZN_GRID_LINE, find_part(g, link->name, &last, -1), 2, ends));
    }
    return ZN_OK;
}

// Closed lines of a fixed number of points, the last of which repeat where an outline has fewer.
static zn_status add_outlines(zn_grid *g)
{
    g->outline = g->point_count;
    for (int i = 0; i < g->info.outline_count; i++) {
        int first = g->point_count;
        for (int k = 0; k < ZN_OUTLINE_POINTS; k++)
            ZN_TRY(add_point(g, -1, zn_vec3_make(0, 0, 0)));
        for (int k = 0; k < ZN_OUTLINE_POINTS; k++) {
            const int ends[2] = {first + k, first + (k + 1) % ZN_OUTLINE_POINTS};
            ZN_TRY(add_cell(g, ZN_GRID_LINE, -1, 2, ends));
        }
    }
    return ZN_OK;
}

// --- a frame -------------------------------------------------------------------------------------

static zn_vec3 outline_point(const zn_scene_frame *frame, int number)
{
    int outline = number / ZN_OUTLINE_POINTS, k = number % ZN_OUTLINE_POINTS, size = frame->outline_size[outline];
    if (size == 0)
        return zn_vec3_make(0, 0, 0);
    return frame->outline[outline * ZN_OUTLINE_POINTS + (k < size ? k : size - 1)];
}

static void place_point(zn_grid *g, const zn_scene_frame *frame, int i)
{
    int node = g->node[i];
    if (node < 0) {
        bool    outline = i >= g->outline;
        zn_vec3 at = outline ? outline_point(frame, i - g->outline) : g->arm[i];
        g->position[i] = at;
        g->displacement[i] = outline ? zn_vec3_sub(at, g->start_outline[i - g->outline]) : zn_vec3_make(0, 0, 0);
        g->velocity[i] = outline ? zn_vec3_make(NAN, NAN, NAN) : zn_vec3_make(0, 0, 0);
        g->rotation[i] = (zn_quat){1, 0, 0, 0};
        return;
    }
    zn_vec3 arm = zn_quat_rotate(frame->rotation[node], g->arm[i]);
    zn_vec3 start = zn_quat_rotate(g->start_rotation[node], g->arm[i]);
    bool    off = zn_vec3_norm(g->arm[i]) > 0; // nodes keep their bits
    g->position[i] = off ? zn_vec3_add(frame->position[node], arm) : frame->position[node];
    g->displacement[i] =
        off ? zn_vec3_add(frame->displacement[node], zn_vec3_sub(arm, start)) : frame->displacement[node];
    g->velocity[i] =
        off ? zn_vec3_add(frame->velocity[node], zn_vec3_cross(frame->spin[node], arm)) : frame->velocity[node];
    g->rotation[i] = frame->rotation[node];
}

static zn_status place_contacts(zn_grid *g, const zn_scene_frame *frame)
{
    int need = frame->contact_count, room = g->contact_capacity;
    int gap = room, state = room, normal = room, impulse = room, facet = room;
    ZN_TRY(zn_grow(&g->contact_gap, &gap, need, sizeof *g->contact_gap));
    ZN_TRY(zn_grow(&g->contact_state, &state, need, sizeof *g->contact_state));
    ZN_TRY(zn_grow(&g->contact_normal, &normal, need, sizeof *g->contact_normal));
    ZN_TRY(zn_grow(&g->contact_impulse, &impulse, need, sizeof *g->contact_impulse));
    ZN_TRY(zn_grow(&g->contact_facet, &facet, need, sizeof *g->contact_facet));
    ZN_TRY(zn_grow(&g->contact_position, &g->contact_capacity, need, sizeof *g->contact_position));
    for (int i = 0; i < need; i++) {
        const zn_scene_contact *c = &frame->contacts[i];
        g->contact_position[i] = c->position;
        g->contact_normal[i] = c->normal;
        g->contact_impulse[i] = c->impulse;
        g->contact_gap[i] = c->gap;
        g->contact_state[i] = (int)c->state;
        for (int a = 0; a < 4; a++)
            g->contact_facet[i][a] = c->corner[a] >= 0 ? g->place[c->corner[a]] : -1;
    }
    g->contact_count = need;
    return ZN_OK;
}

zn_status zn_grid_read(zn_grid *g, int64_t index)
{
    zn_scene_frame frame;
    ZN_TRY(zn_scene_read(g->scene, index, &frame));
    g->t = frame.t;
    for (int i = 0; i < g->point_count; i++)
        place_point(g, &frame, i);
    for (int i = 0; i < g->info.cell_count; i++) {
        g->energy[i] = frame.energy[i];
        g->stress[i] = frame.stress[i];
    }
    for (int i = 0; i < g->info.boundary_node_count; i++)
        g->pressure[g->place[g->info.boundary_nodes[i]]] = frame.pressure[i];
    ZN_TRY(place_contacts(g, &frame));
    return zn_grid_place_patches(&g->patches, &frame);
}

void zn_grid_arrays(const zn_grid *g, zn_grid_array out[ZN_GRID_ARRAYS])
{
    const zn_grid_array arrays[ZN_GRID_ARRAYS] = {{"displacement", false, false, 3, g->displacement},
                                                  {"velocity", false, false, 3, g->velocity},
                                                  {"rotation", false, false, 4, g->rotation},
                                                  {"node", false, true, 1, g->node},
                                                  {"pressure", false, false, 1, g->pressure},
                                                  {"energy_density", true, false, 1, g->energy},
                                                  {"stress", true, false, 1, g->stress},
                                                  {"part", true, true, 1, g->part},
                                                  {"colour", true, false, 4, g->colour}};
    for (int i = 0; i < ZN_GRID_ARRAYS; i++)
        out[i] = arrays[i];
}

void zn_grid_contact_arrays(const zn_grid *g, zn_grid_array out[ZN_GRID_CONTACT_ARRAYS])
{
    const zn_grid_array arrays[ZN_GRID_CONTACT_ARRAYS] = {{"status", false, true, 1, g->contact_state},
                                                          {"impulse", false, false, 3, g->contact_impulse},
                                                          {"normal", false, false, 3, g->contact_normal},
                                                          {"gap", false, false, 1, g->contact_gap},
                                                          {"facet", false, true, 4, g->contact_facet}};
    for (int i = 0; i < ZN_GRID_CONTACT_ARRAYS; i++)
        out[i] = arrays[i];
}

// --- life ----------------------------------------------------------------------------------------

static zn_status keep_start(zn_grid *g)
{
    zn_scene_frame frame;
    int            outlines = g->info.outline_count * ZN_OUTLINE_POINTS;
    g->start_rotation = ZN_NEW(zn_quat, g->info.node_count);
    g->start_outline = ZN_NEW(zn_vec3, outlines);
    if (g->start_rotation == NULL || g->start_outline == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_scene_read(g->scene, 0, &frame));
    for (int i = 0; i < g->info.node_count; i++)
        g->start_rotation[i] = frame.rotation[i];
    for (int i = 0; i < outlines; i++)
        g->start_outline[i] = outline_point(&frame, i);
    return ZN_OK;
}

static zn_status build(zn_grid *g)
{
    g->place = ZN_NEW(int, g->info.node_count);
    if (g->place == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(add_nodes(g));
    ZN_TRY(add_elements(g));
    ZN_TRY(add_bodies(g));
    ZN_TRY(add_links(g));
    ZN_TRY(add_outlines(g));
    ZN_TRY(keep_start(g));
    g->position = ZN_NEW(zn_vec3, g->point_count);
    g->displacement = ZN_NEW(zn_vec3, g->point_count);
    g->velocity = ZN_NEW(zn_vec3, g->point_count);
    g->rotation = ZN_NEW(zn_quat, g->point_count);
    g->pressure = ZN_NEW(double, g->point_count);
    g->energy = ZN_NEW(double, g->cell_count);
    g->stress = ZN_NEW(double, g->cell_count);
    if (!(g->position && g->displacement && g->velocity && g->rotation && g->pressure && g->energy && g->stress))
        return ZN_ERR_MEMORY;
    for (int i = 0; i < g->cell_count; i++)
        g->energy[i] = g->stress[i] = NAN;
    for (int i = 0; i < g->point_count; i++)
        g->pressure[i] = NAN;
    return ZN_OK;
}

zn_status zn_grid_create(zn_scene *scene, zn_grid **out)
{
    zn_grid *g = ZN_NEW(zn_grid, 1);
    if (g == NULL)
        return ZN_ERR_MEMORY;
    g->scene = scene;
    g->info = zn_scene_get_info(scene);
    zn_status status = build(g);
    if (status == ZN_OK)
        *out = g;
    else
        zn_grid_destroy(g);
    return status;
}

zn_grid *zn_grid_destroy(zn_grid *g)
{
    if (g == NULL)
        return NULL;
    void *const owned[] = {
        g->node,           g->arm,           g->place,          g->corner,          g->end,
        g->type,           g->part,          g->start_rotation, g->start_outline,   g->position,
        g->displacement,   g->velocity,      g->rotation,       g->energy,          g->stress,
        g->contact_normal, g->contact_state, g->contact_gap,    g->contact_impulse, g->contact_position,
        g->contact_facet,  g->pressure,      g->colour};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    zn_grid_patches_free(&g->patches);
    free(g);
    return NULL;
}
