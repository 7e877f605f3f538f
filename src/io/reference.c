// The manual of the model file, written from the tables that read it.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/schema_table.h"
#include "zn/io.h"

// Text that grows; `failed` is sticky.
typedef struct text {
    char  *data;
    size_t length, capacity;
    bool   failed;
} text;

static void add(text *t, const char *format, ...) ZN_PRINTF(2, 3);

static void add(text *t, const char *format, ...)
{
    va_list arguments;
    char    piece[1024];
    va_start(arguments, format);
    int n = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    size_t need = t->length + (n > 0 ? (size_t)n : 0) + 1;
    if (n < 0 || (size_t)n >= sizeof piece || t->failed) {
        t->failed = true;
        return;
    }
    if (need > t->capacity) {
        char *grown = realloc(t->data, 2 * need);
        t->failed = grown == NULL;
        if (t->failed)
            return;
        t->data = grown;
        t->capacity = 2 * need;
    }
    memcpy(t->data + t->length, piece, (size_t)n + 1);
    t->length += (size_t)n;
}

// --- one row per key -------------------------------------------------------------------------------

static const char *kind_text(const zn_schema_key *key)
{
    switch (key->kind) {
    case ZN_KEY_NUMBER:
        return "number";
    case ZN_KEY_INTEGER:
        return "whole number";
    case ZN_KEY_BOOL:
        return "true or false";
    case ZN_KEY_TEXT:
        return key->choices != NULL ? "one of" : "text";
    case ZN_KEY_CHOICE:
        return "one of";
    case ZN_KEY_FLAGS:
        return "all, or list of";
    case ZN_KEY_VECTOR:
        return "vector";
    case ZN_KEY_NAME:
        return "name";
    case ZN_KEY_NAMES:
        return "list of names";
    case ZN_KEY_SIGNAL:
        return "signal";
    case ZN_KEY_SIGNALS:
        return "vector of signals";
    case ZN_KEY_OBJECT:
        return "object";
    case ZN_KEY_MAP:
        return key->object != NULL ? "objects by name" : "values by name";
    case ZN_KEY_OBJECTS:
        return "object, or a list of objects";
    case ZN_KEY_FIELD:
        return "vector of numbers or expressions of x, y, z";
    case ZN_KEY_NODE:
        return "name, or name with options";
    case ZN_KEY_WHEN:
        return "number, or";
    case ZN_KEY_STEP:
        return "number";
    case ZN_KEY_AXIAL:
        return "number; in space a vector";
    case ZN_KEY_TENSOR:
        return "number; in space three moments or three rows";
    case ZN_KEY_ROTATION:
        return "quaternion, or axis and angle";
    }
    return "";
}

static void add_words(text *t, const char *words)
{
    char word[64];
    for (int i = 0; zn_next_word(&words, word); i++)
        add(t, "%s `%s`", i > 0 ? "," : "", word);
}

static void add_word_at(text *t, const char *words, int place)
{
    char word[64] = "";
    for (int i = 0; i <= place && zn_next_word(&words, word); i++)
        continue;
    add(t, "`%s`", word);
}

static void add_unless(text *t, const char *keys)
{
    char word[64];
    for (int i = 0; zn_next_word(&keys, word); i++)
        add(t, i == 0 ? "required unless `%s`" : " or `%s`", word);
}

// The value that stands in the default struct.
static void add_default(text *t, const zn_schema_key *key, const void *defaults)
{
    const void *field = (const char *)defaults + key->offset;
    if (key->required && key->unless != NULL)
        add_unless(t, key->unless);
    else if (key->required)
        add(t, "required");
    else if (key->default_text != NULL)
        add(t, "%s", key->default_text);
    else if (key->kind == ZN_KEY_NUMBER && isnan(*(const double *)field))
        add(t, "none");
    else if (key->kind == ZN_KEY_NUMBER)
        add(t, "%.9g", *(const double *)field);
    else if (key->kind == ZN_KEY_INTEGER)
        add(t, "%d", *(const int *)field);
    else if (key->kind == ZN_KEY_BOOL)
        add(t, "%s", *(const bool *)field ? "true" : "false");
    else if (key->kind == ZN_KEY_CHOICE)
        add_word_at(t, key->choices, *(const int *)field);
    else if (key->kind == ZN_KEY_TEXT && *(const char *const *)field != NULL)
        add(t, "`%s`", *(const char *const *)field);
    else if (key->kind == ZN_KEY_VECTOR || key->kind == ZN_KEY_AXIAL || key->kind == ZN_KEY_SIGNAL ||
             key->kind == ZN_KEY_SIGNALS)
        add(t, "0");
    else
        add(t, "none");
}

// Names of the schemes that have an option, where not all have it.
static void add_owners(text *t, const zn_option *option)
{
    if (option == NULL || option->owners == NULL)
        return;
    add(t, ". Of");
    add_words(t, option->owners);
}

static void add_key(text *t, const zn_schema *schema, const zn_schema_key *key, const void *defaults)
{
    char range[64];
    add(t, "| `%s` | %s", key->name, kind_text(key));
    if (key->choices != NULL)
        add_words(t, key->choices);
    add(t, " | %s | ", zn_dimension_unit(key->dimension));
    add_default(t, key, defaults);
    add(t, " | %s | %s", zn_range_text(key->range, range), key->help);
    add_owners(t, schema->options != NULL ? zn_option_find(schema->options(), key->name) : NULL);
    add(t, " |\n");
}

static void add_schema(text *t, const zn_schema *schema)
{
    _Alignas(max_align_t) unsigned char defaults[ZN_SCHEMA_BYTES] = {0};
    if (schema->size > sizeof defaults) {
        t->failed = true;
        return;
    }
    schema->defaults(defaults);
    add(t, "\n## %s\n\n%s\n\n", schema->title, schema->help);
    add(t, "| key | value | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
    for (int i = 0; i < schema->count; i++)
        add_key(t, schema, &schema->keys[i], defaults);
}

// --- what stands around the tables -----------------------------------------------------------------

static void add_introduction(text *t)
{
    add(t, "# The model file\n\n");
    add(t, "A model file is one YAML document. Everything that others may refer to has a name: letters, digits, `_` "
           "and `-`, beginning with a letter or `_`. `ground`, `t` and `pi` are reserved. Unknown and duplicate keys "
           "are errors; anchors, aliases and tags are not supported.\n\n");
    add(t, "**Numbers** are numbers or expressions with units: `210 GPa`, `0 deg`, `3 mm + 2*r`, `6 N / 3 mm`, "
           "`pi*1e-4`. Without a unit the value is in the unit of the table below; an angle of more than a turn "
           "then gets a warning, as 30 for `30 deg` does, and `30 rad` none. A unit stands after a blank and "
           "belongs to the product before it, `1/4 mm` is 0.25 mm, unless a factor there has a unit already. What is "
           "added or compared must be measured alike; a plain number beside one in `mm` is refused, a name may stand "
           "for anything. An expression may "
           "use the parameters, `pi`, `+ - * / ^`, comparisons, `&&`, `||`, `test ? a : b`");
    for (int i = 0; zn_expression_function(i) != NULL; i++)
        add(t, "%s `%s`", i > 0 ? "," : " and the functions", zn_expression_function(i));
    add(t, ".\n\n**Units** are m, g, t, s, min, h, rad, deg, rpm, Hz, N, Pa, J, W with the usual prefixes (n u m c d "
           "k M G), powers (`m^2`), products by a blank or `*` and quotients at the end (`N s/m`).\n\n");
    add(t,
        "**Copies**: any named object may have `repeat: {i: 0..29}` with up to %d indices, and is then made once for "
        "each "
        "value, `NAME[0]` to `NAME[29]`. Bounds and all values of the object are expressions that may use the indices, "
        "so are the brackets of names: `link[i+1]`. A list of names may have the name alone, which means all copies. "
        "See "
        "[building machines](machines.md).\n\n",
        ZN_INDICES);
    add(t, "**Vectors** are lists: `[x, y]` in planar models, `[x, y, z]` in spatial ones.\n\n");
    add(t, "**Signals** are expressions that may use the time `t` in seconds, or a column of a CSV file, "
           "`{csv: file.csv, column: 2}`.\n\n");
    add(t, "**Files** that a model names are sought beside it. They are read in the folder of the model file and below "
           "it; "
           "`--allow-path FOLDER` opens another one.\n");
}

static void add_schemes(text *t)
{
    add(t, "\n### schemes\n\n| name | what it is |\n|---|---|\n");
    for (int i = 0; i < zn_scheme_count(); i++)
        add(t, "| `%s` | %s |\n", zn_scheme_name(i), zn_scheme_help(i));
}

static void add_quantities(text *t)
{
    add(t, "\n## recordable quantities\n\n`record` stores them under a name of your choice, for example "
           "`{phi: block.angle, speed: rod[0].velocity.x, energy: ledger}`.\n\n");
    add(t, "| of | quantity | unit | meaning |\n|---|---|---|---|\n");
    for (int i = 0; i < zn_quantity_count(); i++) {
        const char *owner, *name, *unit, *help;
        zn_quantity_describe(i, &owner, &name, &unit, &help);
        add(t, "| %s | `%s` | %s | %s |\n", owner[0] != '\0' ? owner : "the run", name, unit, help);
    }
    add(t,
        "\nComponents of contacts are `normal`, `tangent`, `tangent_2`. Those of joints are what acts on `body`: "
        "forces `x`, `y`, "
        "`z` in world axes, `n` along the axis of the joint, `s` and `t` across it, and moments (N m) `moment_x` ... "
        "`moment_t` "
        "about these, in the order of the equations; planar ones have `x`, `y`, `across` (to the left of the axis) and "
        "`moment`, universal joints a `moment` about the product of both axes. s is n x e with the coordinate axis e "
        "(at the start) that n is farthest from, the first of several, and t = n x s; they turn with the bodies. "
        "Equations "
        "can also be asked for by number, `.1` the first. Rods, couplings and motions have one value. What fixed "
        "degrees of "
        "freedom hold already is no equation, and not in the list.\n");
}

static void add_formulas(text *t)
{
    add(t,
        "\n`x`, `y` and `z` of a body, node, point or span are short for those of its `position`. A formula of "
        "quantities is "
        "recorded like one, with its unit in brackets behind a blank: `power: spring.force*spring.rate [W]`. It may "
        "use single "
        "numbers (`arm.velocity.x`), the names of records before it, parameters and the time `t`. A difference needs "
        "blanks: `a.x - b.x`; inside braces YAML wants quotes around a formula with brackets. Records of the file come "
        "before "
        "those of its groups.\n");
}

char *zn_problem_reference(void)
{
    text t = {0};
    add_introduction(&t);
    for (int i = 0; i < zn_schema_count; i++)
        add_schema(&t, zn_schemas[i]);
    add_schemes(&t);
    add_quantities(&t);
    add_formulas(&t);
    if (t.failed) {
        free(t.data);
        return NULL;
    }
    return t.data;
}
