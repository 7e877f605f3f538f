// Motors, states and controls. Names of states are known to all expressions, and a control may use one that stands
// below it: it is bound when its name is met. One that comes back to itself that way would need its own value.
#include <stdio.h>
#include <string.h>

#include "io/bind.h"

// --- motors ----------------------------------------------------------------------------------------

static bool take_motor(zn_builder *b, const zn_yaml_node *node, zn_motor_entry *e)
{
    zn_reader *r = &b->reader;
    if ((e->joint.name != NULL) == (e->body.name != NULL)) {
        zn_complain_key(r, node, "a motor has either 'joint' or 'body'");
        return false;
    }
    for (const zn_yaml_node *n = node->first; e->joint.name != NULL && n != NULL; n = n->next)
        if (strcmp(n->key, "joint") != 0 && strcmp(n->key, "torque") != 0 && strcmp(n->key, "force") != 0) {
            zn_complain_key(r, n, "'%s' does not go with 'joint'", n->key);
            return false;
        }
    bool given = zn_yaml_get(node, "torque") != NULL || zn_yaml_get(node, "force") != NULL;
    if (given && e->def.torque == NULL && e->def.force == NULL) // for a control that has faults of its own
        return false;
    e->def.name = node->key;
    e->def.joint = e->joint.name;
    e->def.axis = b->file.planar ? (zn_vec3){0, 0, 1} : e->axis;
    bool good = e->body.name == NULL || zn_bind_node(b, "body", &e->body, false, &e->def.a.node);
    return (e->to.name == NULL || zn_bind_node(b, "to", &e->to, true, &e->def.b.node)) && good;
}

void zn_bind_motor(zn_builder *b, const zn_yaml_node *node)
{
    zn_motor_entry e;
    bool           good = zn_bind_entry(b, &zn_schema_motor, node, &e, NULL) && take_motor(b, node, &e);
    int            before = b->reader.faults->count;
    if (good) {
        zn_bind_check(b, zn_model_add_motor(b->model, &e.def), before);
    } else {
        zn_signal_destroy(e.def.torque);
        zn_signal_destroy(e.def.force);
    }
}

// --- states ----------------------------------------------------------------------------------------

void zn_bind_state(zn_builder *b, const zn_yaml_node *node)
{
    zn_state_entry e;
    if (!zn_bind_entry(b, &zn_schema_state, node, &e, NULL))
        return;
    zn_state_def def = zn_state_def_default();
    int          before = b->reader.faults->count;
    def.name = node->key;
    def.start = e.start;
    zn_bind_check(b, zn_model_add_state(b->model, &def), before);
}

void zn_bind_rate(zn_builder *b, const zn_yaml_node *node)
{
    zn_signal          *rate;
    const zn_yaml_node *text = node->kind == ZN_YAML_MAP ? zn_yaml_get(node, "rate") : NULL;
    snprintf(b->reader.where, sizeof b->reader.where, "state '%.64s'", node->key);
    b->current = node;
    zn_reader_enter(&b->reader, node);
    if (text == NULL || !zn_model_has_name(b->model, node->key) ||
        !zn_read_signal(&b->reader, text, "rate", ZN_DIM_ANY, &rate))
        return;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_set_rate(b->model, node->key, rate), before);
}

// --- controls --------------------------------------------------------------------------------------

static bool check_control(zn_builder *b, const zn_yaml_node *node, const zn_control_entry *e)
{
    zn_reader *r = &b->reader;
    if ((e->value != NULL) == (e->lever != NULL))
        zn_complain_key(r, node, "a control has either 'value' or 'switch'");
    else if (e->lever != NULL && (zn_yaml_get(node, "on") == NULL || zn_yaml_get(node, "off") == NULL))
        zn_complain_key(r, node, "a switch needs its levels 'on' and 'off'");
    else if (e->lever == NULL && (zn_yaml_get(node, "on") != NULL || zn_yaml_get(node, "off") != NULL))
        zn_complain_key(r, node, "'on' and 'off' go with 'switch'");
    else
        return true;
    return false;
}

void zn_bind_control(zn_builder *b, const zn_yaml_node *node)
{
    zn_control_entry e;
    for (const zn_pending *p = b->pending; p != NULL; p = p->outer)
        if (p->node == node) {
            zn_reader_enter(&b->reader, node);
            zn_complain_key(&b->reader, node,
                            "control '%s' depends on itself%s%s%s; a state may remember what it needs", node->key,
                            b->pending->node != node ? ", through '" : "",
                            b->pending->node != node ? b->pending->node->key : "", b->pending->node != node ? "'" : "");
            return;
        }
    for (int i = 0; i < b->tried_count; i++)
        if (b->tried[i] == node)
            return; // before, when its name was met
    b->tried[b->tried_count++] = node;
    if (!zn_bind_entry(b, &zn_schema_control, node, &e, NULL) || !check_control(b, node, &e))
        return;
    zn_pending own = {node, b->pending};
    b->pending = &own;
    bool good = zn_read_signal(&b->reader, e.value != NULL ? e.value : e.lever, e.value != NULL ? "value" : "switch",
                               ZN_DIM_ANY, &e.def.value);
    b->pending = own.outer;
    if (!good)
        return;
    e.def.name = node->key;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_control(b->model, &e.def), before);
}

bool zn_bind_declare(void *user, const char *name)
{
    zn_builder         *b = user;
    const zn_yaml_node *node = b->file.controls != NULL ? zn_yaml_get(b->file.controls, name) : NULL;
    if (node == NULL || zn_model_has_name(b->model, name))
        return false;
    char                where[sizeof b->reader.where];
    const zn_yaml_node *current = b->current;
    memcpy(where, b->reader.where, sizeof where);
    b->reader.where[0] = '\0';
    int origin = zn_bind_origin(b, node);
    zn_bind_control(b, node);
    zn_bind_origin_back(b, origin);
    zn_reader_enter(&b->reader, current);
    memcpy(b->reader.where, where, sizeof where);
    b->current = current;
    return !zn_model_has_name(b->model, name);
}
