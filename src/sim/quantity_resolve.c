// From paths, "object.quantity[.component]", to quantities with their columns and units.
#include <stdio.h>
#include <string.h>

#include "model/sensor.h"
#include "sim/formula.h"
#include "sim/quantity.h"

// Position of a word in a list separated by blanks, or -1. `count` gets the number of words (1 for a scalar).
static int find_word(const char *list, const char *word, int *count)
{
    int found = -1, words = 0;
    for (const char *p = list; *p;) {
        size_t length = strcspn(p, " ");
        if (word && strlen(word) == length && strncmp(p, word, length) == 0)
            found = words;
        words += length > 0;
        p += length;
        p += strspn(p, " ");
    }
    if (count)
        *count = words > 0 ? words : 1;
    return found;
}

// The object before the first dot, and what kinds of quantity it has.
static bool find_object(const zn_sim *sim, const char *object, const char *quantity, zn_quantity *out)
{
    const zn_names *names = &sim->sys->model->names;
    const zn_named *entry = zn_names_find(names, object);
    int             node = zn_names_find_node(names, object);
    *out = (zn_quantity){.index = -1, .count = 1, .component = -1};
    if (node >= 0 && (out->kind = zn_quantity_find("node", quantity)))
        out->index = node;
    else if (entry && entry->kind == ZN_NAMED_BAR && (out->kind = zn_quantity_find("node", quantity))) {
        out->index = entry->node;
        out->count = zn_named_count(entry);
        out->map = entry->map;
    } else if (entry && entry->part >= 0 && (out->kind = zn_quantity_find("part", quantity)))
        out->index = entry->part;
    else if (entry && entry->kind == ZN_NAMED_CONTACT && (out->kind = zn_quantity_find("contact", quantity)))
        out->index = entry->rule;
    else if (entry && entry->kind == ZN_NAMED_PLAY && (out->kind = zn_quantity_find("play", quantity)))
        out->index = entry->play;
    else if (entry && entry->kind == ZN_NAMED_STATE && (out->kind = zn_quantity_find("state", quantity)))
        out->index = entry->node;
    else if (entry && entry->kind == ZN_NAMED_CONTROL && (out->kind = zn_quantity_find("control", quantity)))
        out->index = entry->rule;
    else if (entry && entry->kind == ZN_NAMED_CONTACT && zn_quantity_is_joint(sim, entry->rule) &&
             (out->kind = zn_quantity_find("joint", quantity)))
        out->index = entry->rule;
    else
        out->kind = zn_quantity_find_sensor(sim, object, quantity);
    return entry || node >= 0;
}

// Split "object.quantity.component"; the object may hold brackets but no dot. "object.x" is short for position.
static bool split(const char *path, char part[3][64])
{
    int count = 0;
    for (const char *p = path; count < 3; count++) {
        size_t length = strcspn(p, ".");
        if (length == 0 || length > 63)
            return false;
        memcpy(part[count], p, length);
        part[count][length] = '\0';
        p += length;
        if (!*p)
            return true;
        p++;
    }
    return false;
}

static const char *place_of(const zn_record_def *record) { return record->place ? record->place : ""; }

// Has it? Coordinates of joints are of some types of joints only, which their sensors know.
static bool is_had(const zn_sim *sim, const char *object, const zn_quantity *found)
{
    char      name[200], message[200];
    zn_sensor sensor;
    if (found->index < 0)
        return true;
    if (found->kind->components)
        return found->kind->components(sim, found->index) != NULL;
    snprintf(name, sizeof name, "%.127s.%.63s", object, found->kind->name);
    return zn_sensor_find(sim->sys->model, name, &sensor, message, sizeof message) == ZN_OK;
}

// "; it has position, velocity, ...": every quantity that the object can be asked for.
static const char *tell_quantities(const zn_sim *sim, const char *object, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < zn_quantity_count(); i++) {
        const char *owner, *name, *unit, *help;
        zn_quantity found;
        zn_quantity_describe(i, &owner, &name, &unit, &help);
        find_object(sim, object, name, &found);
        bool has = found.kind && strcmp(found.kind->owner, owner) == 0 && is_had(sim, object, &found);
        if (has && used + strlen(name) + 12 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "; it has " : ", ", name);
    }
    return text;
}

static zn_status resolve_kind(const zn_sim *sim, const zn_record_def *record, char word[3][64], zn_quantity *out)
{
    const zn_log *log = &sim->def.log;
    *out = (zn_quantity){.kind = zn_quantity_find("", word[0]), .count = 1, .component = -1};
    if (out->kind && !word[2][0]) {
        strcpy(word[2], word[1]);
        return ZN_OK;
    }
    if (word[1][0] && !word[1][1] && strchr("xyz", word[1][0]) && !word[2][0]) {
        strcpy(word[2], word[1]);
        strcpy(word[1], "position");
    }
    if (!word[1][0])
        strcpy(word[1], "value"); // of a state or control
    if (!find_object(sim, word[0], word[1], out))
        return zn_fail(log, ZN_ERR_MODEL, "%srecord '%s': there is no object '%s'", place_of(record), record->name,
                       word[0]);
    char has[512];
    if (!out->kind)
        return zn_fail(log, ZN_ERR_MODEL, "%srecord '%s': '%s' has no quantity '%s'%s", place_of(record), record->name,
                       word[0], word[1], tell_quantities(sim, word[0], has, sizeof has));
    return ZN_OK;
}

// Equations of joints may be of lengths or of angles, a record of all of them of both.
static const char *joint_unit(const zn_contact_rule *rule, const zn_quantity *quantity)
{
    static const char *const units[][3] = {{"m", "rad", "m or rad"},
                                           {"m/s", "rad/s", "m/s or rad/s"},
                                           {"N s", "N m s", "N s or N m s"},
                                           {"N", "N m", "N or N m"}};
    int                      first = quantity->component < 0 ? 0 : quantity->component, kinds[2] = {0, 0};
    int                      last = quantity->component < 0 ? (int)rule->max_contacts - 1 : first;
    for (int k = first; k <= last; k++)
        kinds[rule->ops->angular(rule->parameter, k)]++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i][0], quantity->kind->unit) == 0)
            return units[i][kinds[1] == 0 ? 0 : kinds[0] == 0 ? 1 : 2];
    return quantity->kind->unit;
}

// Of nodes that turn: forces, then moments.
static const char *reaction_unit(zn_node_kind kind, int component)
{
    int forces = zn_node_dimension(kind);
    if (kind != ZN_FRAME2 && kind != ZN_FRAME3)
        return "N";
    return component < 0 ? "N or N m" : component < forces ? "N" : "N m";
}

// Generalized coordinates may be angles or lengths: only the system that defines them knows.
static const char *unit_of(const zn_sim *sim, const zn_quantity *quantity)
{
    if (quantity->sensor)
        return quantity->change ? quantity->kind->unit : quantity->sensor->unit;
    if (strcmp(quantity->kind->owner, "contact") == 0 && sim->sys->model->rule[quantity->index].ops->angular)
        return joint_unit(&sim->sys->model->rule[quantity->index], quantity);
    if (strcmp(quantity->kind->owner, "node") != 0)
        return quantity->kind->unit;
    zn_node_kind kind = sim->sys->layout.node[quantity->index].kind;
    if (kind != ZN_SCALAR && strcmp(quantity->kind->name, "reaction") == 0)
        return reaction_unit(kind, quantity->component);
    return kind == ZN_SCALAR ? "" : quantity->kind->unit;
}

// Which component of those that the object has; their number goes to `count`.
static zn_status find_component(const zn_sim *sim, const zn_record_def *record, char word[3][64], zn_quantity *out,
                                const char **components, int *count)
{
    const zn_log *log = &sim->def.log;
    bool          contact = strcmp(out->kind->owner, "contact") == 0;
    *components = out->kind->components(sim, out->index);
    char has[512];
    if (!*components)
        return zn_fail(log, ZN_ERR_MODEL, "%srecord '%s': '%s' has no %s%s", place_of(record), record->name, word[0],
                       word[1], tell_quantities(sim, word[0], has, sizeof has));
    out->component = find_word(*components, word[2], count);
    if (!**components && contact && strcmp(word[2], "normal") == 0)
        out->component = 0; // a contact without friction has nothing but its normal
    if (out->component < 0 && contact && zn_quantity_is_joint(sim, out->index) && strspn(word[2], "123456") == 1 &&
        !word[2][1] && word[2][0] - '0' <= *count)
        out->component = word[2][0] - '1'; // equations have numbers, too
    if (contact && !**components && strncmp(word[2], "tangent", 7) == 0)
        return zn_fail(log, ZN_ERR_MODEL, "%srecord '%s': '%s' has no component '%s', as '%s' is without friction",
                       place_of(record), record->name, word[1], word[2], word[0]);
    if (word[2][0] && out->component < 0)
        return zn_fail(log, ZN_ERR_MODEL, "%srecord '%s': '%s' has no component '%s'%s%s", place_of(record),
                       record->name, word[1], word[2], **components ? "; it has " : "", *components);
    return ZN_OK;
}

static zn_status resolve_formula(const zn_sim *sim, const zn_record_def *record, zn_quantity *out, zn_series *series)
{
    *out = (zn_quantity){.index = -1, .count = 1, .component = -1};
    ZN_TRY(zn_formula_create(sim, record, &out->formula));
    *series = (zn_series){.name = record->name,
                          .path = record->path,
                          .unit = zn_formula_unit(out->formula),
                          .components = "",
                          .columns = 1};
    return ZN_OK;
}

zn_status zn_quantity_resolve(const zn_sim *sim, const zn_record_def *record, zn_quantity *out, zn_series *series)
{
    const zn_log *log = &sim->def.log;
    char          word[3][64] = {"", "", ""};
    if (record->name && record->path && zn_formula_is(record->path))
        return resolve_formula(sim, record, out, series);
    if (!record->name || !record->path || !split(record->path, word))
        return zn_fail(log, ZN_ERR_MODEL,
                       "%srecord '%s': '%s' is not of the form object.quantity or "
                       "object.quantity.component",
                       place_of(record), record->name ? record->name : "", record->path ? record->path : "");
    ZN_TRY(resolve_kind(sim, record, word, out));
    const char *components = "";
    int         count;
    if (!out->kind->evaluate)
        ZN_TRY(zn_quantity_sense(sim, record, word, out, &count, &components));
    else
        ZN_TRY(find_component(sim, record, word, out, &components, &count));
    *series = (zn_series){.name = record->name,
                          .path = record->path,
                          .unit = unit_of(sim, out),
                          .components = out->component < 0 && out->count == 1 ? components : "",
                          .columns = (out->component < 0 ? count : 1) * out->count};
    zn_quantity_find_shortcut(sim, series->columns, out);
    if (!zn_quantity_is_known(sim, out->kind) && sim->def.recorder.row)
        zn_log_write(log, ZN_LOG_INFO, "%srecord '%s' is NaN: %s has no %s", place_of(record), record->name,
                     sim->scheme ? sim->def.scheme.scheme : "a static run", out->kind->name);
    return ZN_OK;
}
