// Points against the surface of a solid: check the def, then add a rule to the model.
#include <limits.h>
#include <stdlib.h>

#include "model/build/facet_table.h"

static const char *name_of(const zn_contact_def *def) { return def->name ? def->name : "contact"; }

static zn_status add_rule(zn_model *model, const zn_contact_def *def, const zn_facet_table *table,
                          const zn_contact_points *points, int rows)
{
    const zn_solid_faces *faces = &table->faces;
    zn_nodes_facets       head = {
              .restitution = def->restitution,
              .friction = def->friction,
              .tangential_restitution = def->tangential_restitution,
              .radius = def->radius,
              .reach = def->reach > 0 ? def->reach : zn_facet_table_longest_side(table, model),
              .depth = def->reach,
              .planar = model->planar,
              .log = &model->log,
              .points = points->count,
              .facets = faces->count,
              .corners = faces->corners,
              .splits = zn_facet_splits(faces->corners),
    };
    size_t           size = zn_facet_table_lay_out(&head, table->stars);
    zn_nodes_facets *p = malloc(size);
    if (!p)
        return ZN_ERR_MEMORY;
    *p = head;
    zn_facet_table_lay_out(p, table->stars);
    zn_facet_table_fill(table, points, p);
    zn_status status = zn_model_add_rows_rule(model, def->name, &zn_nodes_facets_ops, points->count, rows, p, size);
    free(p);
    ZN_TRY(status);
    zn_contact_rule *added = &model->rule[model->rules - 1];
    added->pieces = faces->count * zn_facet_splits(faces->corners);
    p = added->parameter; // a copy
    zn_facet_table_lay_out(p, table->stars);
    p->name = added->name;
    return ZN_OK;
}

// --- checks --------------------------------------------------------------------------------------

static zn_status check_def(const zn_model *model, const zn_contact_def *def)
{
    if (!(def->reach >= 0) || !isfinite(def->reach))
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': the reach %g m is not at least 0", name_of(def),
                       def->reach);
    if (def->surface_node.value != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': its surface is on a solid and on a body",
                       name_of(def));
    return ZN_OK;
}

static zn_status check_nodes(const zn_model *model, const zn_contact_def *def, const zn_facet_table *table,
                             const zn_contact_points *points)
{
    const zn_solid_faces *faces = &table->faces;
    char                  text[ZN_NODE_TEXT];
    for (int i = 0; i < points->count; i++) {
        int node = points->point[i].node.value - 1;
        if (table->start[node + 1] > table->start[node])
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': node '%s' is one of its points and on its surface",
                           name_of(def), zn_model_node_name(model, node, text, sizeof text));
    }
    if (faces->count > INT_MAX / 4)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "contact '%s': %d points and %d facets are too many",
                       name_of(def), points->count, faces->count);
    return ZN_OK;
}

zn_status zn_model_add_nodes_facets(zn_model *model, const zn_contact_def *def, const zn_contact_points *points,
                                    int rows)
{
    zn_facet_table table = {0};
    ZN_TRY(check_def(model, def));
    zn_status status = zn_facet_table_make(model, name_of(def), def->part, def->face, &table);
    if (status == ZN_OK)
        status = check_nodes(model, def, &table, points);
    if (status == ZN_OK)
        status = add_rule(model, def, &table, points, rows);
    zn_facet_table_free(&table);
    return status;
}
