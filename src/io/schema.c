// The reader driven by tables: keys known and complete, values of the right kind, unit, range and number.
#include "io/schema.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/scalar.h"
#include "io/tensor.h"

// --- messages --------------------------------------------------------------------------------------

static void complain(zn_reader *r, int line, int column, const char *format, va_list arguments)
{
    char text[ZN_FAULT_LENGTH];
    vsnprintf(text, sizeof text, format, arguments);
    zn_fault(r->faults, line, column, "%s%s%s", r->where, r->where[0] != '\0' ? ": " : "", text);
}

void zn_complain_at(zn_reader *r, int line, int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(r, line, column, format, arguments);
    va_end(arguments);
}

void zn_complain(zn_reader *r, const zn_yaml_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(r, node->line, node->column, format, arguments);
    va_end(arguments);
}

void zn_complain_key(zn_reader *r, const zn_yaml_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool key = node->key != NULL;
    complain(r, key ? node->key_line : node->line, key ? node->key_column : node->column, format, arguments);
    va_end(arguments);
}

const char *zn_range_text(zn_range range, char buffer[64])
{
    buffer[0] = '\0';
    if (range.min == 0 && range.max == 0)
        return buffer;
    if (isinf(range.max))
        snprintf(buffer, 64, "%s %.9g", range.open ? ">" : ">=", range.min);
    else if (range.open)
        snprintf(buffer, 64, "> %.9g and <= %.9g", range.min, range.max);
    else
        snprintf(buffer, 64, "%.9g to %.9g", range.min, range.max);
    return buffer;
}

// --- words -----------------------------------------------------------------------------------------

// Place of a word in a list of words, or -1.
static int find_word(const char *list, const char *word)
{
    char candidate[64];
    for (int i = 0; zn_next_word(&list, candidate); i++)
        if (strcmp(candidate, word) == 0)
            return i;
    return -1;
}

static bool read_text(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, const char **out)
{
    if (node->kind != ZN_YAML_SCALAR) {
        zn_complain(r, node, "'%s' must be a text, found %s", key->name, zn_yaml_describe(node));
        return false;
    }
    *out = node->text;
    return true;
}

static bool read_choice(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, int *out)
{
    const char *word;
    if (!read_text(r, key, node, &word))
        return false;
    int place = find_word(key->choices, word);
    if (place < 0) {
        char     hint[96];
        zn_guess guess = zn_guess_begin(word);
        zn_guess_offer_words(&guess, key->choices);
        zn_complain(r, node, "'%s' cannot be '%s'%s (choices: %s%s)", key->name, word, zn_guess_text(&guess, hint),
                    key->choices, key->kind == ZN_KEY_FLAGS ? ", or all" : "");
        return false;
    }
    *out = place;
    return true;
}

static unsigned every_flag(const char *choices)
{
    unsigned flags = 1;
    for (; *choices != '\0'; choices++)
        flags = *choices == ' ' ? flags << 1 | 1 : flags;
    return flags;
}

static bool read_flags(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, unsigned *out)
{
    if (node->kind == ZN_YAML_MAP) {
        zn_complain(r, node, "'%s' must be a list of words (%s), found a map", key->name, key->choices);
        return false;
    }
    if (node->kind == ZN_YAML_SCALAR && strcmp(node->text, "all") == 0) {
        *out = every_flag(key->choices);
        return true;
    }
    bool                good = true;
    unsigned            flags = 0;
    const zn_yaml_node *item = node->kind == ZN_YAML_LIST ? node->first : node;
    for (; item != NULL; item = node->kind == ZN_YAML_LIST ? item->next : NULL) {
        int place = 0;
        good = read_choice(r, key, item, &place) && good;
        flags |= 1u << place;
    }
    if (good)
        *out = flags;
    return good;
}

static bool read_name(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_reference *out)
{
    if (node->kind != ZN_YAML_SCALAR || node->text[0] == '\0') {
        zn_complain(r, node, "'%s' must be a name, found %s", key->name, zn_yaml_describe(node));
        return false;
    }
    *out = (zn_reference){node->text, node->line, node->column};
    return key->refers == ZN_REFERS_WORD || zn_read_reference(r, key->name, key->refers == ZN_REFERS_MATERIAL, out);
}

// The copies of a `repeat` that is named without an index; 0: it is none.
static int count_copies(const zn_reader *r, const zn_yaml_node *node, const zn_declared **out)
{
    const zn_declared *d = NULL;
    size_t             length = node->kind == ZN_YAML_SCALAR ? zn_space_word(node->text) : 0;
    if (r->level != NULL && length > 0 && node->text[length] == '\0')
        d = zn_space_find(r->level->space, node->text, length, false, NULL);
    *out = d;
    return d != NULL && d->first != NULL ? d->copies : 0;
}

static bool read_names(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_references *out)
{
    if (node->kind == ZN_YAML_MAP || (node->kind == ZN_YAML_LIST && node->count == 0)) {
        zn_complain(r, node, "'%s' must be a list of names, found %s", key->name,
                    node->count == 0 ? "an empty one" : zn_yaml_describe(node));
        return false;
    }
    bool                list = node->kind == ZN_YAML_LIST, good = true;
    const zn_declared  *copies;
    const zn_yaml_node *first = list ? node->first : node;
    int                 count = 0, i = 0;
    for (const zn_yaml_node *n = first; n != NULL; n = list ? n->next : NULL) {
        int more = count_copies(r, n, &copies);
        count += more > 0 ? more : 1;
    }
    out->items = zn_pool_alloc(r->pool, (size_t)count, sizeof *out->items);
    if (out->items == NULL) {
        r->faults->out_of_memory = true;
        return false;
    }
    for (const zn_yaml_node *n = first; n != NULL; n = list ? n->next : NULL) {
        int                 more = count_copies(r, n, &copies);
        const zn_yaml_node *copy = more > 0 ? copies->first : NULL;
        if (more == 0)
            good = read_name(r, key, n, &out->items[i++]) && good;
        for (int k = 0; k < more; k++, copy = copy->next)
            out->items[i++] = (zn_reference){copy->key, n->line, n->column};
    }
    out->count = count;
    return good;
}

// --- numbers ---------------------------------------------------------------------------------------

static bool read_integer(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, int *out)
{
    double value;
    if (!zn_read_number(r, node, key->name, key->dimension, key->range, &value))
        return false;
    if (value != floor(value) || fabs(value) > INT_MAX) {
        zn_complain(r, node, "'%s' must be a whole number, but is %.9g", key->name, value);
        return false;
    }
    *out = (int)value;
    return true;
}

// A list with as many items as the model has directions.
static bool check_vector(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node)
{
    int         size = r->planar ? 2 : 3;
    const char *shape = r->planar ? "[x, y]" : "[x, y, z]";
    if (node->kind != ZN_YAML_LIST) {
        zn_complain(r, node, "'%s' must be a list %s, found %s", key->name, shape, zn_yaml_describe(node));
        return false;
    }
    if (node->count != size) {
        zn_complain(r, node, "'%s' needs %d numbers %s in a %s model, found %d", key->name, size, shape,
                    r->planar ? "planar" : "spatial", node->count);
        return false;
    }
    return true;
}

static bool read_vector(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_vec3 *out)
{
    if (!check_vector(r, key, node))
        return false;
    double              value[3] = {0};
    bool                good = true;
    const zn_yaml_node *item = node->first;
    for (int i = 0; item != NULL; i++, item = item->next)
        good = zn_read_number(r, item, key->name, key->dimension, key->range, &value[i]) && good;
    if (good)
        *out = zn_vec3_make(value[0], value[1], value[2]);
    return good;
}

static bool read_when(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_when_entry *out)
{
    out->word = node->kind == ZN_YAML_SCALAR ? 1 + find_word(key->choices, node->text) : 0;
    return out->word > 0 || zn_read_number(r, node, key->name, key->dimension, key->range, &out->number);
}

static bool read_axial(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_vec3 *out)
{
    return r->planar ? zn_read_number(r, node, key->name, key->dimension, key->range, &out->z)
                     : read_vector(r, key, node, out);
}

static bool read_signals(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_signal *out[3])
{
    if (!check_vector(r, key, node))
        return false;
    bool                good = true;
    const zn_yaml_node *item = node->first;
    for (int i = 0; item != NULL; i++, item = item->next)
        good = zn_read_signal(r, item, key->name, key->dimension, &out[i]) && good;
    return good;
}

// --- objects ---------------------------------------------------------------------------------------

static bool read_object(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, void *out)
{
    char before[sizeof r->where];
    memcpy(before, r->where, sizeof before);
    size_t used = strlen(r->where);
    snprintf(r->where + used, sizeof r->where - used, "%s%s", used > 0 ? ", " : "", key->name);
    bool good = zn_schema_read(r, key->object, node, out, NULL);
    memcpy(r->where, before, sizeof before);
    return good;
}

static bool read_map(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, const zn_yaml_node **out)
{
    if (node->kind != ZN_YAML_MAP) {
        zn_complain(r, node, "'%s' must be a map of names, found %s", key->name, zn_yaml_describe(node));
        return false;
    }
    *out = node;
    return true;
}

_Static_assert(sizeof(zn_mass_kind) == sizeof(int), "choices fill enums as int");

static bool read_value(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, void *out)
{
    void *field = (char *)out + key->offset;
    int   place;
    if (zn_yaml_is_null(node)) {
        zn_complain_key(r, node, "'%s' has no value", key->name);
        return false;
    }
    switch (key->kind) {
    case ZN_KEY_NUMBER:
        return zn_read_number(r, node, key->name, key->dimension, key->range, field);
    case ZN_KEY_INTEGER:
        return read_integer(r, key, node, field);
    case ZN_KEY_BOOL:
        return zn_read_bool(r, node, key->name, field);
    case ZN_KEY_TEXT:
        return (key->choices == NULL || read_choice(r, key, node, &place)) && read_text(r, key, node, field);
    case ZN_KEY_CHOICE:
        return read_choice(r, key, node, field);
    case ZN_KEY_FLAGS:
        return read_flags(r, key, node, field);
    case ZN_KEY_VECTOR:
        return read_vector(r, key, node, field);
    case ZN_KEY_NAME:
        return read_name(r, key, node, field);
    case ZN_KEY_NAMES:
        return read_names(r, key, node, field);
    case ZN_KEY_SIGNAL:
        return zn_read_signal(r, node, key->name, key->dimension, field);
    case ZN_KEY_SIGNALS:
        return read_signals(r, key, node, field);
    case ZN_KEY_OBJECT:
        return read_object(r, key, node, field);
    case ZN_KEY_MAP:
        return read_map(r, key, node, field);
    case ZN_KEY_OBJECTS:
    case ZN_KEY_NODE:
        memcpy(field, &node, sizeof node);
        return true;
    case ZN_KEY_FIELD:
        memcpy(field, &node, sizeof node);
        return check_vector(r, key, node);
    case ZN_KEY_WHEN:
        return read_when(r, key, node, field);
    case ZN_KEY_STEP:
        return zn_read_step(r, node, key->name, field);
    case ZN_KEY_AXIAL:
        return read_axial(r, key, node, field);
    case ZN_KEY_TENSOR:
        return zn_read_tensor(r, key, node, field);
    case ZN_KEY_ROTATION:
        return zn_read_rotation(r, key, node, field);
    }
    return false;
}

static int find_key(const zn_schema *schema, const char *name)
{
    for (int i = 0; i < schema->count; i++)
        if (strcmp(schema->keys[i].name, name) == 0)
            return i;
    return -1;
}

bool zn_schema_given(const zn_schema *schema, uint64_t given, const char *key)
{
    int i = find_key(schema, key);
    return i >= 0 && (given >> i & 1) != 0;
}

// All keys where they fit into a message, for a word that is like none of them; else where they are listed.
static const char *few_keys(const zn_schema *schema, char text[160])
{
    size_t length = (size_t)snprintf(text, 160, "; there %s", schema->count == 1 ? "is" : "are");
    for (int i = 0; i < schema->count; i++) {
        const char *name = schema->keys[i].name;
        if (length + strlen(name) + 4 > 160) {
            snprintf(text, 160, "; the reference lists those of '%s'", schema->title);
            return text;
        }
        length += (size_t)snprintf(text + length, 160 - length, "%s '%s'", i == 0 ? "" : ",", name);
    }
    return text;
}

// Report an unknown key; the bit of the key that was probably meant, so that it is not called missing as well.
static uint64_t complain_unknown(zn_reader *r, const zn_schema *schema, const zn_yaml_node *child)
{
    char     hint[96], keys[160];
    zn_guess guess = zn_guess_begin(child->key);
    for (int i = 0; i < schema->count; i++)
        zn_guess_offer(&guess, schema->keys[i].name);
    zn_complain_key(r, child, "unknown key '%s'%s%s", child->key, zn_guess_text(&guess, hint),
                    guess.best[0] == '\0' ? few_keys(schema, keys) : "");
    int meant = find_key(schema, guess.best);
    return meant >= 0 ? UINT64_C(1) << meant : 0;
}

// Is any of the keys given, whose names are separated by blanks? NULL: there are none.
static bool is_any_given(const zn_schema *schema, uint64_t given, const char *keys)
{
    char word[64];
    while (keys != NULL && zn_next_word(&keys, word))
        if (zn_schema_given(schema, given, word))
            return true;
    return false;
}

// The value of a key of `object`, in the axes that it is given in.
static void read_here(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *object, const zn_yaml_node *node,
                      void *out)
{
    bool before = r->carried, turned = r->level != NULL && r->level->frame.turned;
    bool carried = r->level != NULL && r->level->frame.moved && zn_schema_is_carried(r, key, object);
    if (turned && key->kind == ZN_KEY_SIGNALS && key->axes == ZN_AXES_DIRECTION && !carried && !zn_yaml_is_null(node)) {
        zn_signal **field = (zn_signal **)(void *)((char *)out + key->offset);
        if (check_vector(r, key, node))
            zn_schema_turn_signals(r, key, node, field);
        return;
    }
    r->carried = r->carried || (key->kind == ZN_KEY_OBJECT && carried);
    read_value(r, key, node, out);
    r->carried = before;
}

bool zn_schema_read(zn_reader *r, const zn_schema *schema, const zn_yaml_node *node, void *out, uint64_t *given)
{
    uint64_t seen = 0, meant = 0;
    int      before = r->faults->count;
    if (node->kind != ZN_YAML_MAP) {
        zn_complain(r, node, "expected a map of keys and values, found %s", zn_yaml_describe(node));
        return false;
    }
    for (const zn_yaml_node *child = node->first; child != NULL; child = child->next) {
        int i = find_key(schema, child->key);
        if (i < 0) {
            meant |= complain_unknown(r, schema, child);
            continue;
        }
        seen |= UINT64_C(1) << i;
        read_here(r, &schema->keys[i], node, child, out);
    }
    for (int i = 0; i < schema->count; i++)
        if (schema->keys[i].required && ((seen | meant) >> i & 1) == 0 &&
            !is_any_given(schema, seen | meant, schema->keys[i].unless))
            zn_complain_key(r, node, "key '%s' is missing", schema->keys[i].name);
    zn_schema_move(r, schema, node, seen, out);
    if (given != NULL)
        *given = seen;
    return r->faults->count == before && !r->faults->out_of_memory;
}
