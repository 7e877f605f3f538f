// Formulas in text, compiled by recursive descent into a tape (model/tape.h). From what binds least to what binds most:
//     test ? a : b      ||      &&      < > <= >= == !=      + -      * / and units      sign      ^
// all from the left but ^ and ?:. -2^2 is -4, as on paper; two signs do not follow each other.
//
// A unit after a value belongs to the whole product before it, 1/4 mm = 0.25 mm, unless a factor there has one
// already: 6 N / 3 mm. What is added or compared must be measured alike (model/expression_measure.h).
#include "model/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression_measure.h"
#include "model/tape.h"

struct zn_expression {
    zn_tape                 tape;
    const double           *variables; // where create_of said; NULL else
    zn_expression_dimension dimension;
    bool                    uses_time;
};

static const double pi = 3.14159265358979323846;

const char *zn_expression_function(int index) { return zn_tape_function_at(index).name; }

bool zn_expression_is_reserved(const char *name)
{
    return strcmp(name, "t") == 0 || strcmp(name, "pi") == 0 || zn_tape_function_find(name) >= 0;
}

// --- reading ---------------------------------------------------------------------------------------

typedef struct parser {
    const zn_expression_def *def;
    const char              *text;
    size_t                   at;
    int                      depth; // of brackets
    zn_expression           *e;
    zn_expression_error     *error;
} parser;

enum { NAME = 2 * ZN_NAME_LENGTH + 2 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_name(char c) { return is_name_start(c) || is_digit(c); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static zn_status fault_at(const parser *p, size_t at, const char *message)
{
    p->error->position = (int)at;
    snprintf(p->error->message, sizeof p->error->message, "%s", message);
    return ZN_ERR_ARGUMENT;
}

static zn_status fault(const parser *p, const char *message) { return fault_at(p, p->at, message); }

// The next character that is no blank; 0 at the end.
static char peek(parser *p)
{
    while (is_blank(p->text[p->at]))
        p->at++;
    return p->text[p->at];
}

// Takes `word` when it comes next.
static bool take(parser *p, const char *word)
{
    peek(p);
    size_t length = strlen(word);
    if (strncmp(p->text + p->at, word, length) != 0)
        return false;
    p->at += length;
    return true;
}

static zn_status emit(parser *p, zn_tape_step step) { return zn_tape_add(&p->e->tape, step); }

static zn_status emit_op(parser *p, zn_tape_op op) { return emit(p, (zn_tape_step){.op = op}); }

static zn_status emit_number(parser *p, double value)
{
    return emit(p, (zn_tape_step){.op = ZN_TAPE_NUMBER, .value = value});
}

// What cannot stand where a value is expected, or behind one.
static zn_status unexpected(parser *p)
{
    char c = peek(p), next = c != '\0' ? p->text[p->at + 1] : '\0', message[64];
    if (p->at >= ZN_EXPRESSION_LENGTH)
        return fault(p, "the expression has more than 4096 characters");
    if (c == '\0') {
        size_t end = p->at;
        while (end > 0 && is_blank(p->text[end - 1]))
            end--;
        return fault_at(p, end, p->depth > 0 ? "a ')' is missing" : "the expression ends too early");
    }
    bool pair = (next == '=' && strchr("=<>!", c) != NULL) || (c == next && (c == '&' || c == '|'));
    if (pair || strchr("+-*/^<>?:", c) != NULL)
        return fault(p, "unexpected operator");
    if (c == '(' || (c == ')' && p->depth > 0))
        return fault(p, "unexpected bracket");
    if (is_digit(c) || is_name_start(c))
        return fault(p, "unexpected value");
    if (c > ' ' && c < 127)
        snprintf(message, sizeof message, "unexpected '%c'", c);
    else
        snprintf(message, sizeof message, "unexpected byte 0x%02x", (unsigned)(unsigned char)c);
    return fault(p, message);
}

// --- values ----------------------------------------------------------------------------------------

static zn_status parse_sum(parser *p, zn_measure *out);
static zn_status parse_condition(parser *p, zn_measure *out);

static zn_status parse_number(parser *p, zn_measure *out)
{
    size_t length = zn_number_length(p->text + p->at);
    if (length == 0)
        return fault(p, "a number is expected here");
    double value = zn_number_read(p->text + p->at);
    if (!isfinite(value))
        return fault(p, "the number is too large");
    p->at += length;
    if (is_name_start(p->text[p->at]))
        return fault(p, "a number is followed by a letter: a unit needs a blank before it, a product a '*'");
    *out = (zn_measure){.kind = ZN_MEASURE_LITERAL};
    return emit_number(p, value);
}

// Between brackets, the first of which is taken.
static zn_status parse_brackets(parser *p, zn_measure *out)
{
    if (++p->depth > ZN_EXPRESSION_DEPTH)
        return fault_at(p, p->at - 1, "brackets are nested more than 64 deep");
    ZN_TRY(parse_condition(p, out));
    if (!take(p, ")"))
        return unexpected(p);
    p->depth--;
    return ZN_OK;
}

static zn_status parse_arguments(parser *p, int wanted, zn_measure *measures)
{
    zn_measure spare;
    int        count = 0;
    if (++p->depth > ZN_EXPRESSION_DEPTH)
        return fault_at(p, p->at - 1, "brackets are nested more than 64 deep");
    for (bool more = peek(p) != ')'; more; more = take(p, ",")) {
        ZN_TRY(parse_condition(p, count < wanted ? &measures[count] : &spare));
        count++;
    }
    if (peek(p) != ')')
        return unexpected(p);
    if (count != wanted)
        return fault(p, count < wanted ? "a function has too few arguments" : "a function has too many arguments");
    p->at++;
    p->depth--;
    return ZN_OK;
}

static zn_status parse_function(parser *p, int index, size_t start, zn_measure *out)
{
    zn_measure       arguments[3];
    char             message[sizeof p->error->message];
    zn_tape_function f = zn_tape_function_at(index);
    if (!take(p, "("))
        return fault_at(p, start, "a function needs its arguments in a formula, in brackets");
    ZN_TRY(parse_arguments(p, f.arguments, arguments));
    if (!zn_measure_function(f.name, f.arguments, arguments, p->text, out, message, sizeof message))
        return fault_at(p, start, message);
    zn_tape_op op = f.arguments == 1 ? ZN_TAPE_ONE : f.arguments == 2 ? ZN_TAPE_TWO : ZN_TAPE_THREE;
    return emit(p, (zn_tape_step){.op = op, .index = index});
}

static int find_constant(const zn_constants *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->names[i], name) == 0)
            return i;
    return -1;
}

// Length of the name at `text`; those of variables go on behind dots and "::" and have indices.
static size_t name_length(const parser *p, const char *text)
{
    size_t length = 0;
    while (is_name(text[length]))
        length++;
    while (p->def->variable != NULL) {
        size_t inside = text[length] == '[' ? strcspn(text + length + 1, "[]") : 0;
        size_t mark = text[length] == '.' ? 1 : strncmp(text + length, "::", 2) == 0 ? 2 : 0;
        if (inside > 0 && text[length + 1 + inside] == ']')
            length += inside + 2;
        else if (mark > 0 && is_name(text[length + mark]))
            for (length += mark; is_name(text[length]);)
                length++;
        else
            break;
    }
    return length;
}

// A variable whose name begins at p->at; with '-' inside when the part before it is no name. Its length, or 0.
static size_t find_variable(const parser *p, size_t length, bool extend, int *index)
{
    char        name[NAME];
    const char *text = p->text + p->at;
    while (p->def->variable != NULL && length < NAME) {
        memcpy(name, text, length);
        name[length] = '\0';
        *index = p->def->variable(p->def->user, name);
        if (*index >= 0)
            return length;
        if (!extend || text[length] != '-' || !is_name_start(text[length + 1]))
            return 0;
        length += 1 + name_length(p, text + length + 1);
    }
    return 0;
}

static zn_status unknown_name(const parser *p, const char *name)
{
    snprintf(p->error->unknown, sizeof p->error->unknown, "%s", name);
    p->error->position = (int)p->at;
    snprintf(p->error->message, sizeof p->error->message, "unknown name '%.100s'", name);
    return ZN_ERR_ARGUMENT;
}

// A name is a variable, t, pi, a function before '(' or one of the constants.
static zn_status parse_name(parser *p, zn_measure *out)
{
    char   name[NAME];
    size_t start = p->at, length = name_length(p, p->text + p->at);
    if (length >= NAME || (p->def->variable == NULL && length > ZN_NAME_LENGTH))
        return fault(p, "a name has more than 63 characters");
    memcpy(name, p->text + p->at, length);
    name[length] = '\0';
    *out = (zn_measure){.kind = ZN_MEASURE_OPEN};

    int    variable = -1, function = zn_tape_function_find(name), known = find_constant(&p->def->constants, name);
    size_t taken = find_variable(p, length, known < 0 && !zn_expression_is_reserved(name), &variable);
    p->at += taken > 0 ? taken : length;
    if (taken > 0)
        return emit(p, (zn_tape_step){.op = ZN_TAPE_VARIABLE, .index = variable});
    if (strcmp(name, "t") == 0 && p->def->time) {
        p->e->uses_time = true;
        return emit_op(p, ZN_TAPE_TIME);
    }
    if (function >= 0)
        return parse_function(p, function, start, out);
    if (strcmp(name, "pi") == 0)
        return emit_number(p, pi);
    if (known >= 0)
        return emit_number(p, p->def->constants.values[known]);
    p->at = start;
    if (strcmp(name, "t") == 0 && p->def->variable == NULL)
        return fault(p, "the time t cannot be used here: this value does not change with time");
    return unknown_name(p, name);
}

static zn_status parse_value(parser *p, zn_measure *out)
{
    char c = peek(p);
    if (p->at >= ZN_EXPRESSION_LENGTH && c != '\0')
        return fault(p, "the expression has more than 4096 characters");
    if (is_digit(c) || c == '.')
        return parse_number(p, out);
    if (is_name_start(c))
        return parse_name(p, out);
    if (take(p, "("))
        return parse_brackets(p, out);
    return unexpected(p);
}

// --- operators -------------------------------------------------------------------------------------

// A sign stands before a power, 2^-1 has one in the exponent.
static zn_status parse_signed(parser *p, zn_measure *out)
{
    bool minus = take(p, "-");
    if (!minus)
        take(p, "+");
    ZN_TRY(parse_value(p, out));
    if (take(p, "^")) {
        zn_measure exponent;
        int        first = p->e->tape.count;
        double     number = NAN;
        ZN_TRY(parse_signed(p, &exponent));
        zn_tape right = {.count = p->e->tape.count - first, .steps = p->e->tape.steps + first};
        zn_tape_is_number(&right, &number);
        if (!zn_measure_power(out, &exponent, number))
            return fault(p, "this power of a value with a unit has none");
        ZN_TRY(emit_op(p, ZN_TAPE_POWER));
    }
    return minus ? emit_op(p, ZN_TAPE_NEGATE) : ZN_OK;
}

static bool is_known(const parser *p, const char *word, size_t length)
{
    char name[NAME];
    int  index;
    if (length >= NAME)
        return false;
    memcpy(name, word, length);
    name[length] = '\0';
    return (strcmp(name, "t") == 0 && p->def->time) || find_constant(&p->def->constants, name) >= 0 ||
           (p->def->variable != NULL && (index = p->def->variable(p->def->user, name)) >= 0);
}

// "3 N * m" with a parameter m could mean two things.
static zn_status refuse_two_meanings(const parser *p, size_t length)
{
    for (const char *s = p->text + p->at, *end = s + length; s < end; s++) {
        if (*s != '*' && *s != '/')
            continue;
        bool   tight = !is_blank(s[-1]) && !is_blank(s[1]);
        size_t blanks = strspn(s + 1, " \t\r\n"), letters = 0;
        while (is_name(s[1 + blanks + letters]))
            letters++;
        if (!tight && is_known(p, s + 1 + blanks, letters)) {
            char message[sizeof p->error->message];
            snprintf(message, sizeof message,
                     "is '%.*s' the unit or the name? Write the factor before the number, or the unit with a blank",
                     (int)(letters < 40 ? letters : 40), s + 1 + blanks);
            return fault_at(p, (size_t)(s + 1 + (ptrdiff_t)blanks - p->text), message);
        }
    }
    return ZN_OK;
}

static zn_status emit_unit(parser *p, const zn_expression_unit *unit)
{
    for (int i = 0; i < 4; i++)
        if (unit->factor[i] != 1) {
            ZN_TRY(emit_number(p, unit->factor[i]));
            ZN_TRY(emit_op(p, i % 2 == 0 ? ZN_TAPE_MULTIPLY : ZN_TAPE_DIVIDE));
        }
    return ZN_OK;
}

// Is the next thing a unit: a word after a blank, or the degree sign?
static bool unit_follows(parser *p)
{
    peek(p);
    bool blank = p->at > 0 && is_blank(p->text[p->at - 1]);
    return p->def->unit != NULL && p->at < ZN_EXPRESSION_LENGTH &&
           ((blank && is_name_start(p->text[p->at])) || strncmp(p->text + p->at, "\xc2\xb0", 2) == 0);
}

static zn_status parse_unit(parser *p, zn_measure *out)
{
    zn_expression_unit unit = {0};
    char               message[160];
    if (out->has_unit)
        return fault(p, "a unit follows a value that has one");
    if (!p->def->unit(p->text + p->at, &unit, message))
        return fault(p, message);
    ZN_TRY(refuse_two_meanings(p, (size_t)unit.length));
    ZN_TRY(emit_unit(p, &unit));
    *out = zn_measure_unit(&unit, (int)p->at);
    p->at += (size_t)unit.length;
    return ZN_OK;
}

static zn_status parse_product(parser *p, zn_measure *out)
{
    ZN_TRY(parse_signed(p, out));
    if (unit_follows(p))
        ZN_TRY(parse_unit(p, out));
    while (true) {
        zn_measure right;
        bool       times = take(p, "*");
        if (!times && !take(p, "/"))
            return ZN_OK;
        ZN_TRY(parse_signed(p, &right));
        bool own = out->has_unit || right.has_unit;
        if (!own && !times && out->kind == ZN_MEASURE_OPEN && unit_follows(p))
            return fault(p, "does the unit belong to the quotient or to the divisor? Use brackets");
        if (own && unit_follows(p))
            ZN_TRY(parse_unit(p, &right));
        zn_measure_product(out, &right, times ? 1 : -1);
        ZN_TRY(emit_op(p, times ? ZN_TAPE_MULTIPLY : ZN_TAPE_DIVIDE));
        if (!own && unit_follows(p))
            ZN_TRY(parse_unit(p, out));
    }
}

// Both sides of a sum or comparison.
static zn_status agree(const parser *p, zn_measure *left, const zn_measure *right)
{
    char message[sizeof p->error->message];
    int  at = zn_measure_agree(left, right, p->text, message, sizeof message);
    return at < 0 ? ZN_OK : fault_at(p, (size_t)at, message);
}

static zn_status parse_sum(parser *p, zn_measure *out)
{
    ZN_TRY(parse_product(p, out));
    while (true) {
        zn_measure right;
        bool       plus = take(p, "+");
        if (!plus && !take(p, "-"))
            return ZN_OK;
        ZN_TRY(parse_product(p, &right));
        ZN_TRY(agree(p, out, &right));
        ZN_TRY(emit_op(p, plus ? ZN_TAPE_ADD : ZN_TAPE_SUBTRACT));
    }
}

typedef struct sign_op {
    const char *text;
    zn_tape_op  op;
} sign_op;

// Comparisons, then && and then ||.
static zn_status parse_logic(parser *p, int level, zn_measure *out)
{
    static const sign_op comparisons[] = {{"<=", ZN_TAPE_AT_MOST}, {">=", ZN_TAPE_AT_LEAST}, {"<", ZN_TAPE_LESS},
                                          {">", ZN_TAPE_GREATER},  {"==", ZN_TAPE_EQUAL},    {"!=", ZN_TAPE_DIFFERENT},
                                          {NULL, ZN_TAPE_AND}};
    static const sign_op both[] = {{"&&", ZN_TAPE_AND}, {NULL, ZN_TAPE_AND}};
    static const sign_op either[] = {{"||", ZN_TAPE_OR}, {NULL, ZN_TAPE_OR}};
    const sign_op *const signs[] = {comparisons, both, either};

    ZN_TRY(level == 0 ? parse_sum(p, out) : parse_logic(p, level - 1, out));
    while (true) {
        const sign_op *s = signs[level];
        while (s->text != NULL && !take(p, s->text))
            s++;
        if (s->text == NULL)
            return ZN_OK;
        zn_measure right;
        ZN_TRY(level == 0 ? parse_sum(p, &right) : parse_logic(p, level - 1, &right));
        if (level == 0)
            ZN_TRY(agree(p, out, &right));
        *out = (zn_measure){.kind = ZN_MEASURE_LITERAL};
        ZN_TRY(emit_op(p, s->op));
    }
}

// The branches of a test that is known when the formula is compiled: the other one leaves nothing.
static zn_status parse_known_branches(parser *p, bool yes, size_t start, zn_measure *out)
{
    zn_tape   *tape = &p->e->tape;
    zn_measure other;
    int        first = tape->count, border = tape->border;
    ZN_TRY(parse_condition(p, out));
    if (!yes) {
        tape->count = first;
        tape->border = border;
    }
    if (!take(p, ":"))
        return fault_at(p, start, "a condition is written: test ? value : other value");
    first = tape->count;
    border = tape->border;
    ZN_TRY(parse_condition(p, &other));
    if (yes) {
        tape->count = first;
        tape->border = border;
    }
    return agree(p, out, &other);
}

static zn_status parse_branches(parser *p, size_t start, zn_measure *out)
{
    zn_tape   *tape = &p->e->tape;
    zn_measure other;
    int        unless = tape->count;
    ZN_TRY(emit_op(p, ZN_TAPE_UNLESS));
    tape->border = tape->count;
    ZN_TRY(parse_condition(p, out));
    if (!take(p, ":"))
        return fault_at(p, start, "a condition is written: test ? value : other value");
    int skip = tape->count;
    ZN_TRY(emit_op(p, ZN_TAPE_SKIP));
    tape->steps[unless].index = tape->border = tape->count;
    ZN_TRY(parse_condition(p, &other));
    tape->steps[skip].index = tape->border = tape->count;
    return agree(p, out, &other);
}

static zn_status parse_condition(parser *p, zn_measure *out)
{
    peek(p);
    size_t start = p->at;
    int    first = p->e->tape.count;
    ZN_TRY(parse_logic(p, 2, out));
    if (!take(p, "?"))
        return ZN_OK;
    zn_tape *tape = &p->e->tape;
    zn_tape  test = {.count = tape->count - first, .steps = tape->steps + first};
    double   value;
    if (!zn_tape_is_number(&test, &value))
        return parse_branches(p, start, out);
    tape->count = first;
    return parse_known_branches(p, value != 0, start, out);
}

// --- the formula -----------------------------------------------------------------------------------

static zn_status parse_all(parser *p)
{
    zn_measure measure;
    if (peek(p) == '\0')
        return fault(p, "the expression is empty");
    ZN_TRY(parse_condition(p, &measure));
    if (peek(p) != '\0')
        return unexpected(p);
    if (zn_tape_depth(&p->e->tape) > ZN_TAPE_DEPTH)
        return fault_at(p, 0, "the expression is nested too deeply");
    p->e->dimension = zn_measure_dimension(&measure);
    return ZN_OK;
}

zn_status zn_expression_compile(const zn_expression_def *def, zn_expression_error *error, zn_expression **out)
{
    *error = (zn_expression_error){0};
    zn_expression *e = ZN_NEW(zn_expression, 1);
    if (e == NULL)
        return ZN_ERR_MEMORY;
    parser    p = {.def = def, .text = def->text, .e = e, .error = error};
    zn_status status = parse_all(&p);
    if (status != ZN_OK)
        e = zn_expression_destroy(e);
    else
        *out = e;
    return status;
}

zn_status zn_expression_create(const char *text, zn_constants constants, bool time, zn_expression_error *error,
                               zn_expression **out)
{
    zn_expression_def def = {.text = text, .constants = constants, .time = time};
    return zn_expression_compile(&def, error, out);
}

static int find_listed(void *user, const char *name) { return find_constant(user, name); }

zn_status zn_expression_create_of(const char *text, zn_constants variables, zn_expression_error *error,
                                  zn_expression **out)
{
    zn_expression_def def = {.text = text, .variable = find_listed, .user = &variables};
    ZN_TRY(zn_expression_compile(&def, error, out));
    (*out)->variables = variables.values;
    return ZN_OK;
}

zn_expression *zn_expression_destroy(zn_expression *e)
{
    if (e != NULL)
        zn_tape_clear(&e->tape);
    free(e);
    return NULL;
}

double zn_expression_at(const zn_expression *e, double t) { return zn_tape_value(&e->tape, e->variables, t); }

double zn_expression_of(const zn_expression *e, const double *variables, double t)
{
    return zn_tape_value(&e->tape, variables, t);
}

double zn_expression_gradient(const zn_expression *e, int count, const double *variables, double t, double *gradient,
                              double *rate)
{
    return zn_tape_gradient(&e->tape, count, variables, t, gradient, rate);
}

bool zn_expression_uses_time(const zn_expression *e) { return e->uses_time; }

zn_expression_dimension zn_expression_measure(const zn_expression *e) { return e->dimension; }

zn_status zn_expression_value(const char *text, zn_constants constants, zn_expression_error *error, double *out)
{
    if (zn_number_parse(text, out))
        return ZN_OK;
    zn_expression *e;
    ZN_TRY(zn_expression_create(text, constants, false, error, &e));
    *out = zn_expression_at(e, 0);
    zn_expression_destroy(e);
    return ZN_OK;
}
