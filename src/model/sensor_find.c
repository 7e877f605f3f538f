// From names, "object.quantity[.component]", to sensors.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/joint/joint.h"
#include "model/sensor.h"

typedef struct search {
    const zn_model *model;
    char            word[3][64]; ///< object, quantity, component; "": none
    int             axis;        ///< of the component: 0, 1, 2; -1: there is none
    zn_sensor      *out;
} search;

/// Why an object has no such number: it has none of that name, or several and it is not said which.
typedef enum found { FOUND, NO_QUANTITY, NO_COMPONENT, NO_ELEMENT } found;

static bool is(const search *s, const char *quantity) { return strcmp(s->word[1], quantity) == 0; }

static zn_vec3 unit_vector(int axis) { return (zn_vec3){axis == 0, axis == 1, axis == 2}; }

// Whether the component is one of the first so many axes; 0: there must be none.
static bool fits(const search *s, int axes) { return axes ? s->axis >= 0 && s->axis < axes : !s->word[2][0]; }

static found single(const search *s, zn_sensor sensor)
{
    if (!fits(s, 0))
        return NO_COMPONENT;
    *s->out = sensor;
    return FOUND;
}

// --- kinds of objects ----------------------------------------------------------------------------

// Of the three that a node shares with a point: how many axes it has, and which coordinate or speed it is.
static found find_coordinate(const search *s, int index)
{
    const zn_node_def *node = &s->model->node[index];
    int                axes = node->kind == ZN_SCALAR ? 0 : zn_node_dimension(node->kind);
    if (!fits(s, axes))
        return NO_COMPONENT;
    int          slot = axes ? s->axis : 0;
    const double origin[3] = {node->origin.x, node->origin.y, node->origin.z};
    double       q[8];
    zn_node_initial(node, q);
    *s->out = (zn_sensor){.kind = is(s, "velocity") ? ZN_SENSOR_SPEED : ZN_SENSOR_COORDINATE,
                          .unit = !axes               ? ""
                                  : is(s, "velocity") ? "m/s"
                                                      : "m",
                          .node = index,
                          .slot = slot,
                          .offset = is(s, "displacement") ? q[slot] : -origin[slot]};
    return FOUND;
}

static found find_spin(const search *s, int index)
{
    if (s->model->node[index].kind == ZN_FRAME2)
        return single(s, (zn_sensor){.kind = ZN_SENSOR_SPEED, .unit = "rad/s", .node = index, .slot = 5});
    if (!fits(s, 3))
        return NO_COMPONENT;
    *s->out = (zn_sensor){.kind = ZN_SENSOR_SPEED, .unit = "rad/s", .node = index, .slot = 3 + s->axis};
    if (is(s, "world_spin")) {
        s->out->kind = ZN_SENSOR_TURN_RATE;
        s->out->span = (zn_span){.to.node = {index + 1}};
        s->out->axis = unit_vector(s->axis);
    }
    return FOUND;
}

static found find_of_node(const search *s, int index)
{
    zn_node_kind kind = s->model->node[index].kind;
    if (is(s, "position") || is(s, "displacement") || is(s, "velocity"))
        return find_coordinate(s, index);
    if (is(s, "angle") && kind == ZN_FRAME2)
        return single(s, (zn_sensor){.kind = ZN_SENSOR_COORDINATE, .unit = "rad", .node = index, .slot = 5});
    if (is(s, "rate") && kind == ZN_FRAME2)
        return find_spin(s, index);
    if ((is(s, "spin") && zn_node_rotates(kind)) || (is(s, "world_spin") && kind == ZN_FRAME3))
        return find_spin(s, index);
    return NO_QUANTITY;
}

// Position and velocity along an axis.
static found find_along(const search *s, zn_span span)
{
    if (!is(s, "position") && !is(s, "velocity"))
        return NO_QUANTITY;
    if (!fits(s, s->model->planar ? 2 : 3))
        return NO_COMPONENT;
    bool rate = is(s, "velocity");
    *s->out = (zn_sensor){.kind = rate ? ZN_SENSOR_ALONG_RATE : ZN_SENSOR_ALONG,
                          .unit = rate ? "m/s" : "m",
                          .span = span,
                          .axis = unit_vector(s->axis)};
    return FOUND;
}

static found find_of_span(const search *s, const zn_span *span)
{
    if (is(s, "length"))
        return single(s, (zn_sensor){.kind = ZN_SENSOR_LENGTH, .unit = "m", .span = *span});
    if (is(s, "rate"))
        return single(s, (zn_sensor){.kind = ZN_SENSOR_LENGTH_RATE, .unit = "m/s", .span = *span});
    return find_along(s, *span);
}

// What element `number` of a part tells of itself, counted in the order in which they were added; its count when there
// is no such element.
static int find_reading(const zn_model *model, int part, const char *quantity, int number, zn_sensor *out)
{
    int count = 0;
    for (int g = 0; g < model->groups; g++) {
        const zn_element_group *group = &model->group[g];
        const zn_readings      *readings = group->ops->readings;
        int                     which = 0;
        while (readings && which < readings->count && strcmp(readings->reading[which].name, quantity) != 0)
            which++;
        for (int e = 0; readings && which < readings->count && e < group->count; e++)
            if (group->part[e] == part && count++ == number)
                *out = (zn_sensor){.kind = ZN_SENSOR_READING,
                                   .unit = readings->reading[which].unit,
                                   .model = model,
                                   .group = g,
                                   .element = e,
                                   .which = which};
    }
    return count;
}

// "spring.force" of a part with one element, "beam[3].axial" of one with many.
static found find_of_part(const search *s, const zn_named *entry, int number)
{
    int count = entry && entry->part >= 0
                    ? find_reading(s->model, entry->part, s->word[1], number < 0 ? 0 : number, s->out)
                    : 0;
    if (count == 0 || number >= count)
        return NO_QUANTITY;
    return number < 0 && count > 1 ? NO_ELEMENT : fits(s, 0) ? FOUND : NO_COMPONENT;
}

// The part and the number of "part[number]"; NULL: it is none.
static const zn_named *element_of(const zn_model *model, const char *object, int *number)
{
    char        stem[64], *end;
    const char *bracket = strchr(object, '[');
    if (!bracket || bracket[1] < '0' || bracket[1] > '9')
        return NULL;
    snprintf(stem, sizeof stem, "%.*s", (int)(bracket - object), object);
    long value = strtol(bracket + 1, &end, 10);
    if (strcmp(end, "]") != 0 || value > INT_MAX)
        return NULL;
    *number = (int)value;
    return zn_names_find(&model->names, stem);
}

int zn_sensor_elements(const zn_model *model, const char *object, const char *quantity)
{
    zn_sensor       unused;
    const zn_named *entry = zn_names_find(&model->names, object);
    return entry && entry->part >= 0 ? find_reading(model, entry->part, quantity, -1, &unused) : 0;
}

static found find_of_joint(const search *s, const zn_contact_rule *rule)
{
    const zn_joint *joint = rule->ops == &zn_joint_ops ? rule->parameter : NULL;
    if (!joint || !joint->travels)
        return NO_QUANTITY;
    bool turn = joint->travel.turn, rate = is(s, "rate");
    if (!rate && !is(s, turn ? "angle" : "displacement"))
        return NO_QUANTITY;
    return single(s, (zn_sensor){.kind = rate ? ZN_SENSOR_TRAVEL_RATE : ZN_SENSOR_TRAVEL,
                                 .unit = turn ? (rate ? "rad/s" : "rad") : (rate ? "m/s" : "m"),
                                 .travel = joint->travel});
}

static found find_of_object(const search *s, const zn_named *entry, int node)
{
    if (node >= 0) {
        found what = find_of_node(s, node);
        if (what != NO_QUANTITY || entry)
            return what;
        int             number = -1;
        const zn_named *part = element_of(s->model, s->word[0], &number);
        return find_of_part(s, part, number);
    }
    if (entry->kind == ZN_NAMED_POINT)
        return find_along(s, (zn_span){.to = s->model->point[entry->rule]});
    if (entry->kind == ZN_NAMED_SPAN)
        return find_of_span(s, &s->model->span[entry->rule]);
    if (entry->kind == ZN_NAMED_CONTACT)
        return find_of_joint(s, &s->model->rule[entry->rule]);
    return find_of_part(s, entry, -1);
}

// --- names ---------------------------------------------------------------------------------------

static bool split(const char *name, char word[3][64])
{
    int count = 0;
    for (const char *p = name; count < 3; count++) {
        size_t length = strcspn(p, ".");
        if (length == 0 || length > 63)
            return false;
        memcpy(word[count], p, length);
        word[count][length] = '\0';
        p += length;
        if (!*p)
            return count > 0;
        p++;
    }
    return false;
}

static int axis_of(const char *word) { return word[0] && !word[1] && strchr("xyz", word[0]) ? word[0] - 'x' : -1; }

zn_status zn_sensor_find(const zn_model *model, const char *name, zn_sensor *out, char *message, size_t size)
{
    search s = {.model = model, .out = out};
    if (!split(name, s.word)) {
        snprintf(message, size, "'%.80s' is not of the form object.quantity or object.quantity.component", name);
        return ZN_ERR_MODEL;
    }
    if (axis_of(s.word[1]) >= 0 && !s.word[2][0]) {
        strcpy(s.word[2], s.word[1]);
        strcpy(s.word[1], "position");
    }
    s.axis = axis_of(s.word[2]);
    const zn_named *entry = zn_names_find(&model->names, s.word[0]);
    int             node = zn_names_find_node(&model->names, s.word[0]);
    if (!entry && node < 0) {
        snprintf(message, size, "there is no object '%s'", s.word[0]);
        return ZN_ERR_MODEL;
    }
    found what = find_of_object(&s, entry, node);
    if (what == NO_QUANTITY)
        snprintf(message, size, "'%s' has no '%s' that depends on position, velocity and time alone", s.word[0],
                 s.word[1]);
    else if (what == NO_ELEMENT)
        snprintf(message, size, "'%s' has many elements; name one, such as %s[0].%s", s.word[0], s.word[0], s.word[1]);
    else if (what == NO_COMPONENT && s.word[2][0])
        snprintf(message, size, "'%s.%s' has no component '%s'", s.word[0], s.word[1], s.word[2]);
    else if (what == NO_COMPONENT)
        snprintf(message, size, "'%s.%s' is a vector; name a component, such as %s.%s.x", s.word[0], s.word[1],
                 s.word[0], s.word[1]);
    return what == FOUND ? ZN_OK : ZN_ERR_MODEL;
}
