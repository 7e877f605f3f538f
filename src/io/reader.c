// What a reader knows of the place it is at: constants, names, frame and files of the object that it reads.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "io/schema.h"

void zn_reader_at(zn_reader *r, const zn_scope *scope)
{
    const zn_level *level = scope->level;
    for (int i = 0; i < scope->indices; i++) {
        level->names[level->count + i] = scope->names[i];
        level->values[level->count + i] = scope->index[i];
    }
    r->level = level;
    r->constants = (zn_constants){level->count + scope->indices, level->names, level->values};
    r->faults->place.file = level->file;
    r->faults->place.copy = scope->indices > 0 || level->note[0] != '\0' ? (const void *)scope : NULL;
    zn_scope_note(scope, r->faults->place.note, sizeof r->faults->place.note);
}

void zn_reader_enter(zn_reader *r, const zn_yaml_node *object)
{
    if (r->home.level == NULL)
        return;
    if (object != NULL && object->scope != NULL)
        zn_reader_at(r, object->scope);
    else if (r->level != r->home.level || r->constants.count != r->home.level->count)
        zn_reader_at(r, &r->home);
}

// --- names -----------------------------------------------------------------------------------------

// A name that grows.
typedef struct spelling {
    char   text[ZN_EXPRESSION_LENGTH];
    size_t length;
} spelling;

static void spell(spelling *s, const char *text, size_t length)
{
    size_t room = sizeof s->text - 1 - s->length;
    length = length < room ? length : room;
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->text[s->length] = '\0';
}

// "[N - 1]" with the constants becomes "[9]". False after a message.
static bool spell_index(zn_reader *r, const char *what, const zn_reference *ref, const char *inside, size_t length,
                        spelling *s)
{
    char                formula[ZN_EXPRESSION_LENGTH], number[24];
    zn_expression_error error;
    double              value;
    memcpy(formula, inside, length);
    formula[length] = '\0';
    if (zn_expression_value(formula, r->constants, &error, &value) != ZN_OK) {
        zn_complain_at(r, ref->line, ref->column, "'%s': index of '%s': %s", what, ref->name, error.message);
        return false;
    }
    if (!(value >= 0 && value <= INT_MAX) || value != floor(value)) {
        zn_complain_at(r, ref->line, ref->column, "'%s': the index of '%s' is %g, not a whole number from 0 on", what,
                       ref->name, value);
        return false;
    }
    spell(s, number, (size_t)snprintf(number, sizeof number, "[%d]", (int)value));
    return true;
}

// Where the name stands, or that of a joint with what acts on it behind: "pin_motion". NULL: nowhere.
static const zn_space *find_space(const zn_space *here, const char *name, bool material)
{
    static const char *const after[] = {"", "_motion", "_limits", "_friction", "_clamp", "_spring"};
    const zn_space          *space = NULL;
    size_t                   length = zn_space_word(name);
    for (size_t i = 0; i < ZN_COUNT(after) && space == NULL; i++) {
        size_t own = strlen(after[i]);
        if (own < length && strncmp(name + length - own, after[i], own) == 0)
            zn_space_find(here, name, length - own, material, &space);
    }
    return space;
}

bool zn_read_reference(zn_reader *r, const char *what, bool material, zn_reference *ref)
{
    const char     *name = ref->name;
    spelling        s = {.length = 0};
    const zn_space *space, *here = r->level != NULL ? r->level->space : NULL;
    if (strchr(name, '[') == NULL && (here == NULL || here->outer == NULL))
        return true; // as it is
    if (strlen(name) >= sizeof s.text)
        return true; // a name that nobody has
    if ((space = find_space(here, name, material)) != NULL)
        spell(&s, space->prefix, strlen(space->prefix));
    while (*name != '\0') {
        size_t      plain = strcspn(name, "[");
        const char *close = name[plain] == '[' ? strchr(name + plain, ']') : NULL;
        spell(&s, name, plain);
        name += plain;
        if (close == NULL || close == name + 1) { // no index, or a name that nobody has
            spell(&s, name, strlen(name));
            break;
        }
        if (!spell_index(r, what, ref, name + 1, (size_t)(close - name) - 1, &s))
            return false;
        name = close + 1;
    }
    ref->name = zn_pool_string(r->pool, s.text);
    r->faults->out_of_memory |= ref->name == NULL;
    return ref->name != NULL;
}

// --- files -----------------------------------------------------------------------------------------

const char *zn_reader_file(zn_reader *r, const char *file)
{
    const char *folder = r->level != NULL && file[0] != '/' ? r->level->folder : "";
    size_t      length = strlen(folder);
    char       *name = zn_pool_alloc(r->pool, length + strlen(file) + 1, 1);
    if (name == NULL) {
        r->faults->out_of_memory = true;
        return NULL;
    }
    memcpy(name, folder, length);
    memcpy(name + length, file, strlen(file) + 1);
    return name;
}
