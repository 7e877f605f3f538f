// Named points, spans between two points, and points that other objects name.
#include <string.h>

#include "io/bind.h"

// In a file with points: a name that nobody has, not even a body with faults of its own.
static bool is_unknown(const zn_builder *b, const char *name)
{
    return b->file.points != NULL && strcmp(name, "ground") != 0 && strchr(name, '[') == NULL &&
           b->reader.faults->count < ZN_FAULTS_MAX && zn_bind_find(b, name) == NULL;
}

static void complain_unknown(zn_builder *b, const char *what, const zn_reference *ref)
{
    const zn_yaml_node *list[2] = {b->file.bodies, b->file.points};
    char                hint[96];
    zn_guess            guess = zn_guess_begin(ref->name);
    for (int i = 0; i < 2; i++)
        for (const zn_yaml_node *n = list[i] != NULL ? list[i]->first : NULL; n != NULL; n = n->next)
            zn_guess_offer(&guess, n->key);
    zn_guess_offer(&guess, "ground");
    zn_complain_at(&b->reader, ref->line, ref->column, "'%s': there is no body, node or point '%s'%s", what, ref->name,
                   zn_guess_text(&guess, hint));
}

bool zn_bind_attachment(zn_builder *b, const char *what, const zn_reference *ref, bool ground, zn_attachment *out)
{
    zn_attachment point;
    bool          found = zn_model_find_point(b->model, ref->name, &point);
    if (!found && is_unknown(b, ref->name)) {
        complain_unknown(b, what, ref);
        return false;
    }
    if (!found)
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
