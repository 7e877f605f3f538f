// Overrides by path: keys with dots between them, numbers from 0 for the elements of a list.
#include "io/override_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scalar.h"

bool zn_override_is_path(const char *text) { return strcspn(text, ".") < strcspn(text, "="); }

static zn_yaml_node *child(const zn_yaml_node *node, const char *word, size_t length)
{
    long          index = 0;
    char         *end;
    zn_yaml_node *n = node->first;
    if (node->kind == ZN_YAML_MAP)
        for (; n != NULL; n = n->next)
            if (strncmp(n->key, word, length) == 0 && n->key[length] == '\0')
                return n;
    if (node->kind != ZN_YAML_LIST || word[0] < '0' || word[0] > '9')
        return NULL;
    index = strtol(word, &end, 10);
    for (; n != NULL && index > 0; index--)
        n = n->next;
    return end == word + length ? n : NULL;
}

// The value that is meant; NULL after a message.
static zn_yaml_node *find(zn_builder *b, const char *text)
{
    const zn_yaml_node *node = b->root;
    zn_yaml_node       *found = NULL;
    size_t              name = strcspn(text, "=");
    for (size_t at = 0; at < name;) {
        size_t length = strcspn(text + at, ".=");
        found = child(node, text + at, length);
        if (found == NULL) {
            zn_fault(b->reader.faults, 0, 0, "override '%s': there is no '%.*s' in the model", text, (int)(at + length),
                     text);
            return NULL;
        }
        node = found;
        at += length + 1;
    }
    if (found != NULL && found->kind == ZN_YAML_SCALAR)
        return found;
    zn_fault(b->reader.faults, 0, 0, "override '%s': '%.*s' is no single value", text, (int)name, text);
    return NULL;
}

// One override; false after a message.
static bool override(zn_builder *b, const char *text, zn_pool *pool, zn_parameter *out)
{
    size_t name = strcspn(text, "=");
    char   message[200], number[40];
    if (text[name] == '\0') {
        zn_fault(b->reader.faults, 0, 0, "override '%s': expected name=value", text);
        return false;
    }
    zn_yaml_node *node = find(b, text);
    if (node == NULL)
        return false;
    if (strncmp(text, "parameters.", 11) == 0) {
        zn_fault(b->reader.faults, 0, 0, "override '%s': a parameter is set by its name alone", text);
        return false;
    }
    if (!zn_scalar_evaluate(text + name + 1, b->reader.constants, &out->value, message, sizeof message)) {
        zn_fault(b->reader.faults, 0, 0, "override '%s': %s", text, message);
        return false;
    }
    snprintf(number, sizeof number, "%.17g", out->value);
    node->text = zn_pool_string(b->reader.pool, number);
    node->plain = true;
    node->verbatim = false;
    char *copy = zn_pool_copy(pool, text, name);
    b->reader.faults->out_of_memory |= node->text == NULL || copy == NULL;
    out->name = copy;
    return node->text != NULL && copy != NULL;
}

// The place of a name among the first ones, or behind them.
static int place_of(const zn_parameter *list, int count, const char *name)
{
    int i = 0;
    while (i < count && strcmp(list[i].name, name) != 0)
        i++;
    return i;
}

void zn_override_paths(zn_builder *b, int count, const char *const *text, zn_pool *pool, zn_problem *problem)
{
    int paths = 0;
    for (int i = 0; i < count; i++)
        paths += zn_override_is_path(text[i]);
    if (paths == 0)
        return;
    zn_parameter *all = zn_pool_alloc(pool, (size_t)(problem->parameter_count + paths), sizeof *all);
    if (all == NULL) {
        b->reader.faults->out_of_memory = true;
        return;
    }
    for (int i = 0; i < problem->parameter_count; i++)
        all[i] = problem->parameters[i];
    problem->parameters = all;
    for (int i = 0; i < count; i++) {
        zn_parameter one;
        if (!zn_override_is_path(text[i]) || !override(b, text[i], pool, &one))
            continue;
        int place = place_of(all, problem->parameter_count, one.name);
        all[place] = one;
        problem->parameter_count += place == problem->parameter_count;
    }
}
