// Named points, spans between two points, and points that other objects name.
#include <string.h>

#include "io/bind.h"

bool zn_bind_attachment(zn_builder *b, const char *what, const zn_reference *ref, bool ground, zn_attachment *out)
{
    zn_attachment point;
    if (!zn_model_find_point(b->model, ref->name, &point))
        return zn_bind_node(b, what, ref, ground, &out->node);
    if (zn_vec3_norm(out->at) > 0) {
        zn_complain_at(&b->reader, ref->line, ref->column, "'%s': '%s' is a point; it has no other point", what,
                       ref->name);
        return false;
    }
    if (!ground && point.node.value == 0) {
        zn_complain_at(&b->reader, ref->line, ref->column, "'%s': the point '%s' is one of the ground", what,
                       ref->name);
        return false;
    }
    *out = point;
    return true;
}

void zn_bind_point(zn_builder *b, const zn_yaml_node *node)
{
    zn_point_entry e;
    if (!zn_bind_entry(b, &zn_schema_point, node, &e, NULL))
        return;
    e.def.name = node->key;
    if (!zn_bind_node(b, "body", &e.body, true, &e.def.point.node))
        return;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_point(b->model, &e.def), before);
}

void zn_bind_span(zn_builder *b, const zn_yaml_node *node)
{
    zn_span_entry e;
    if (!zn_bind_entry(b, &zn_schema_span, node, &e, NULL))
        return;
    e.def.name = node->key;
    bool from = zn_bind_attachment(b, "from", &e.from, true, &e.def.from);
    bool to = zn_bind_attachment(b, "to", &e.to, true, &e.def.to);
    bool axes = e.axes.name == NULL || zn_bind_node(b, "axes", &e.axes, true, &e.def.axes);
    int  before = b->reader.faults->count;
    if (from && to && axes)
        zn_bind_check(b, zn_model_add_span(b->model, &e.def), before);
}
