// The section of records: paths of quantities, and formulas of them.
#include <stdio.h>
#include <string.h>

#include "io/bind.h"
#include "io/scalar.h"
#include "model/expression.h"
#include "sim/formula.h"

static bool is_word(const char *s, size_t length, bool object)
{
    size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
    if (n == 0)
        return false;
    while (object && n < length && s[n] == '[') {
        size_t digits = strspn(s + n + 1, "0123456789");
        if (digits == 0 || s[n + 1 + digits] != ']')
            return false;
        n += digits + 2;
    }
    size_t mark = strlen(ZN_SCOPE_MARK);
    if (object && n + mark < length && strncmp(s + n, ZN_SCOPE_MARK, mark) == 0)
        return is_word(s + n + mark, length - n - mark, true);
    return n == length;
}

static bool is_known_quantity(const char *name, size_t length, zn_guess *guess)
{
    for (int i = 0; i < zn_quantity_count(); i++) {
        const char *owner, *candidate, *unit, *help;
        zn_quantity_describe(i, &owner, &candidate, &unit, &help);
        if (strlen(candidate) == length && strncmp(candidate, name, length) == 0)
            return true;
        if (owner[0] != '\0')
            zn_guess_offer(guess, candidate);
    }
    return false;
}

// object.quantity[.component]: the object exists, and the quantity is not a slip of the pen. Whether they go together
// is for the simulation, which tells what the object has.
static void check_object_path(zn_builder *b, const zn_yaml_node *node, size_t object, size_t quantity)
{
    char name[ZN_NAME_LENGTH + 20], word[64] = "", hint[96];
    snprintf(name, sizeof name, "%.*s", (int)object, node->text);
    snprintf(word, sizeof word, "%.*s", (int)quantity, node->text + object + 1);
    if (zn_bind_is_run_quantity(name))
        return;
    zn_guess guess = zn_guess_begin(name);
    if (!zn_model_has_name(b->model, name) && zn_model_find_node(b->model, name).value == 0) {
        bool                quiet = zn_faults_are_enough(b->reader.faults); // do not search for what is not shown
        const zn_yaml_node *found = quiet ? NULL : zn_bind_find(b, name);
        if (found != NULL && !zn_model_has_name(b->model, found->key))
            return; // it has faults of its own
        if (found == NULL && !quiet)
            zn_bind_offer_names(b, &guess);
        zn_complain(&b->reader, node, "there is no object '%s'%s", name, zn_guess_text(&guess, hint));
        return;
    }
    if (strlen(word) == 1 && strchr("xyz", word[0]) && quantity == 1)
        return; // short for position.x
    guess = zn_guess_begin(word);
    if (!is_known_quantity(word, strlen(word), &guess) && zn_guess_text(&guess, hint)[0] != '\0')
        zn_complain_at(&b->reader, node->line, zn_yaml_column(node, (int)object + 1), "unknown quantity '%s'%s", word,
                       hint);
}

static bool check_path(zn_builder *b, const zn_yaml_node *node)
{
    zn_reader *r = &b->reader;
    int        before = r->faults->count;
    if (node->kind != ZN_YAML_SCALAR || zn_yaml_is_null(node)) {
        zn_complain(r, node, "expected a path such as block.position, found %s", zn_yaml_describe(node));
        return false;
    }
    size_t length[3] = {0};
    int    words = 0;
    bool   good = true;
    for (const char *s = node->text; good; s++) {
        size_t n = strcspn(s, ".");
        good = words < 3 && n <= ZN_NAME_LENGTH + 12 && is_word(s, n, words == 0);
        if (good)
            length[words++] = n;
        s += n;
        if (*s == '\0')
            break;
    }
    if (!good)
        zn_complain(r, node, "'%.60s' is not a path: object.quantity or object.quantity.component", node->text);
    else if (words > 1)
        check_object_path(b, node, length[0], length[1]);
    return r->faults->count == before;
}

// The value of a parameter, in brackets; false: there is none of that name.
static bool spell_parameter(const zn_builder *b, const char *name, char *text, size_t size)
{
    zn_constants known = b->reader.constants;
    for (int k = 0; k < known.count; k++)
        if (strcmp(known.names[k], name) == 0) {
            snprintf(text, size, "(%.17g)", known.values[k]);
            return true;
        }
    return false;
}

// A name in a formula as the model has it: of a parameter its value, of a record of the group the full name, of an
// object that with its group and index. False after a message.
static bool spell_name(zn_builder *b, const zn_yaml_node *node, const char *name, char *text, size_t size)
{
    const zn_level *level = b->reader.level;
    const char     *prefix = level != NULL ? level->space->prefix : "";
    char            stem[ZN_FORMULA_NAME];
    zn_reference    ref = {name, node->line, node->column};
    if (spell_parameter(b, name, text, size))
        return true;
    snprintf(stem, sizeof stem, "%.60s%.*s", prefix, (int)strcspn(name, "."), name);
    bool record = zn_yaml_get(b->file.record, stem) != NULL;
    if (!record && !zn_read_reference(&b->reader, "formula", false, &ref))
        return false;
    snprintf(text, size, "%s%s", record ? prefix : "", record ? name : ref.name);
    return true;
}

// A formula with all names spelled out; NULL after a message.
static const char *spell_formula(zn_builder *b, const zn_yaml_node *node, zn_pool *pool)
{
    char        text[ZN_EXPRESSION_LENGTH];
    size_t      used = 0;
    const char *s = node->text, *unit = s + zn_formula_length(s);
    while (s < unit) {
        char   name[ZN_FORMULA_NAME] = "", spelled[2 * ZN_FORMULA_NAME];
        size_t number = zn_number_length(s), word = number ? 0 : zn_formula_name(s);
        size_t length = number ? number : word ? word : 1;
        snprintf(name, sizeof name, "%.*s", (int)length, s);
        if (length >= sizeof name || used + sizeof spelled >= sizeof text) {
            zn_complain(&b->reader, node, "a formula or a name in it is too long");
            return NULL;
        }
        if (word > 0 && !zn_expression_is_reserved(name) && !spell_name(b, node, name, spelled, sizeof spelled))
            return NULL;
        bool plain = word == 0 || zn_expression_is_reserved(name);
        used += (size_t)snprintf(text + used, sizeof spelled, "%s", plain ? name : spelled);
        s += length;
    }
    snprintf(text + used, sizeof text - used, "%s", unit);
    const char *path = zn_pool_string(pool, text);
    b->reader.faults->out_of_memory |= path == NULL;
    return path;
}

// The path of a record; NULL after a message. What is wrong with a formula is told by the simulation.
static const char *read_path(zn_builder *b, const zn_yaml_node *node, zn_pool *pool)
{
    bool         formula = node->kind == ZN_YAML_SCALAR && !zn_yaml_is_null(node) && zn_formula_is(node->text);
    zn_reference name = {node->text, node->line, node->column};
    zn_yaml_node full = *node;
    if (!formula && node->kind == ZN_YAML_SCALAR && !zn_read_reference(&b->reader, "path", false, &name))
        return NULL;
    full.text = name.name;
    full.verbatim = node->verbatim && name.name == node->text;
    if (!formula && !check_path(b, &full))
        return NULL;
    const char *path = formula ? spell_formula(b, node, pool) : zn_pool_string(pool, full.text);
    b->reader.faults->out_of_memory |= path == NULL && !formula;
    return path;
}

void zn_bind_records(zn_builder *b, zn_pool *pool, int *record_count, const zn_record_def **out)
{
    const zn_yaml_node *list = b->file.record;
    if (list == NULL)
        return;
    zn_record_def *records = zn_pool_alloc(pool, (size_t)list->count, sizeof *records);
    b->reader.faults->out_of_memory |= records == NULL;
    int count = 0;
    for (const zn_yaml_node *n = list->first; records != NULL && n != NULL; n = n->next) {
        snprintf(b->reader.where, sizeof b->reader.where, "record '%.64s'", n->key);
        zn_reader_enter(&b->reader, n);
        bool        good = n->scope != NULL || zn_bind_check_name(&b->reader, n);
        const char *path = read_path(b, n, pool);
        if (path == NULL || !good)
            continue;
        zn_record_def *def = &records[count++];
        char           place[1024];
        const char    *file = b->reader.level != NULL ? b->reader.level->file : b->reader.faults->file;
        snprintf(place, sizeof place, "%s:%d:%d: ", file, n->line, n->column);
        *def = (zn_record_def){zn_pool_string(pool, n->key), path, zn_pool_string(pool, place)};
        b->reader.faults->out_of_memory |= def->name == NULL || def->place == NULL;
    }
    b->reader.where[0] = '\0';
    zn_reader_enter(&b->reader, NULL);
    *record_count = count;
    *out = records;
}
