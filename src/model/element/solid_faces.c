// Outer faces of solids: a face that two elements share is inside.
#include "model/element/solid_faces.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

// A face with its nodes in the order of the element, and sorted to find it again from the other side.
typedef struct outer_face {
    int node[ZN_FACE_NODES], sorted[ZN_FACE_NODES];
    int element;
} outer_face;

static int by_nodes(const void *a, const void *b)
{
    const outer_face *x = a, *y = b;
    for (int i = 0; i < ZN_FACE_NODES; i++)
        if (x->sorted[i] != y->sorted[i])
            return x->sorted[i] < y->sorted[i] ? -1 : 1;
    return 0;
}

static void sort_nodes(outer_face *f, int count)
{
    for (int i = 0; i < ZN_FACE_NODES; i++)
        f->sorted[i] = i < count ? f->node[i] : -1;
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && f->sorted[k - 1] > f->sorted[k]; k--) {
            int swap = f->sorted[k];
            f->sorted[k] = f->sorted[k - 1];
            f->sorted[k - 1] = swap;
        }
}

typedef struct face_list {
    int         count, capacity;
    outer_face *face;
} face_list;

// Faces of the part, or of all (-1), all of whose nodes are marked.
static zn_status list_faces(const zn_element_group *group, int part, const bool *marked, face_list *out)
{
    const zn_cell *cell = group->ops->cell;
    for (int e = 0; e < group->count; e++) {
        if (part >= 0 && group->part[e] != part)
            continue;
        for (int k = 0; k < cell->faces; k++) {
            outer_face f = {.element = e};
            bool       inside = true;
            for (int a = 0; a < cell->face_nodes; a++) {
                f.node[a] = group->node[e * group->ops->nodes + cell->face[k * cell->face_nodes + a]];
                inside = inside && marked[f.node[a]];
            }
            if (!inside)
                continue;
            sort_nodes(&f, cell->face_nodes);
            ZN_TRY(ZN_PUSH(out->face, out->count, out->capacity, f));
        }
    }
    return ZN_OK;
}

// Two elements share an inner face: keep what occurs once.
static void keep_outer(face_list *list)
{
    int kept = 0;
    qsort(list->face, (size_t)list->count, sizeof *list->face, by_nodes);
    for (int i = 0; i < list->count;) {
        int next = i + 1;
        while (next < list->count && by_nodes(&list->face[i], &list->face[next]) == 0)
            next++;
        if (next == i + 1)
            list->face[kept++] = list->face[i];
        i = next;
    }
    list->count = kept;
}

// set NULL: all of the part.
static zn_status find_faces(const zn_model *model, const zn_node_id *set, int count, const zn_element_group *group,
                            int part, face_list *out)
{
    bool *marked = ZN_NEW(bool, model->nodes);
    if (!marked)
        return ZN_ERR_MEMORY;
    if (!set)
        memset(marked, true, (size_t)model->nodes);
    for (int i = 0; set && i < count; i++)
        marked[set[i].value - 1] = true;
    zn_status status = list_faces(group, part, marked, out);
    free(marked);
    if (status == ZN_OK && out->count > 0)
        keep_outer(out);
    return status;
}

static bool has_faces(const zn_element_ops *ops) { return ops->cell && ops->cell->faces > 0; }

// The group of elements of a solid part and its first element there; NULL when the name is none.
static const zn_element_group *find_solid(const zn_model *model, const char *name, int *element)
{
    const zn_named *entry = name ? zn_names_find(&model->names, name) : NULL;
    for (int g = 0; entry && entry->part >= 0 && g < model->groups; g++)
        for (int e = 0; has_faces(model->group[g].ops) && e < model->group[g].count; e++)
            if (model->group[g].part[e] == entry->part) {
                *element = e;
                return &model->group[g];
            }
    return NULL;
}

static zn_status keep_nodes(const face_list *faces, int corners, zn_solid_faces *out)
{
    out->node = ZN_NEW(int, (size_t)faces->count *(size_t)corners);
    if (!out->node)
        return ZN_ERR_MEMORY;
    out->count = faces->count;
    for (int i = 0; i < faces->count; i++)
        memcpy(out->node + i * corners, faces->face[i].node, sizeof(int) * (size_t)corners);
    return ZN_OK;
}

zn_status zn_solid_faces_find(const zn_model *model, const char *what, const char *name, const char *part,
                              const char *face, zn_solid_faces *out)
{
    int                     first = -1, count = 0;
    const zn_element_group *group = find_solid(model, part, &first);
    const zn_node_id       *set = face ? zn_model_find_node_set(model, face, &count) : NULL;
    face_list               faces = {0};
    if (!group)
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': there is no solid part '%s'", what, name, part ? part : "");
    if (face && !set)
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': there is no node set '%s'", what, name, face);
    const zn_cell *cell = group->ops->cell;
    zn_status      status = find_faces(model, set, count, group, group->part[first], &faces);
    if (status == ZN_OK && faces.count == 0)
        status = zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': no face of '%s' has all its nodes in '%s'", what, name,
                         part, face ? face : "it");
    out->corners = cell->face_nodes;
    out->thickness = cell->thickness(group->parameter + (size_t)first * group->ops->parameter_size);
    if (status == ZN_OK)
        status = keep_nodes(&faces, cell->face_nodes, out);
    free(faces.face);
    return status;
}

static zn_outer_face described(const zn_element_group *group, const outer_face *face)
{
    const zn_cell *cell = group->ops->cell;
    zn_outer_face  out = {.corners = cell->face_nodes, .part = group->part[face->element], .thickness = 1};
    memcpy(out.node, face->node, sizeof out.node);
    if (cell->dim == 2)
        out.thickness = cell->thickness(group->parameter + (size_t)face->element * group->ops->parameter_size);
    return out;
}

zn_status zn_outer_faces_find(const zn_model *model, const bool *marked, zn_outer_faces *out)
{
    zn_status status = ZN_OK;
    for (int k = 0; k < model->groups && status == ZN_OK; k++) {
        face_list list = {0};
        if (!has_faces(model->group[k].ops))
            continue;
        status = list_faces(&model->group[k], -1, marked, &list);
        if (status == ZN_OK && list.count > 0)
            keep_outer(&list);
        for (int i = 0; i < list.count && status == ZN_OK; i++)
            status = ZN_PUSH(out->face, out->count, out->capacity, described(&model->group[k], &list.face[i]));
        free(list.face);
    }
    return status;
}
