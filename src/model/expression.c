// Formulas in text. muParser compiles and evaluates; everything it is given has passed a scanner here, which admits
// known characters, names and a bounded size only. Its tables of functions and constants are replaced by ours, its
// error texts (kept in a static buffer) are not used, and its numbers do not depend on the locale.
#include "model/expression.h"

#include <locale.h>
#include <math.h>
#include <muParserDLL.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct zn_expression {
    muParserHandle_t parser;
    pthread_mutex_t  lock; // the parser keeps operands inside
    double           t;    // the variable it reads
    bool             uses_time;
};

static double sign(double x) { return (x > 0) - (x < 0); }

typedef struct function {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} function;

static const function functions[] = {
    {"sin", sin, NULL},   {"cos", cos, NULL},     {"tan", tan, NULL},     {"asin", asin, NULL},
    {"acos", acos, NULL}, {"atan", atan, NULL},   {"atan2", NULL, atan2}, {"sinh", sinh, NULL},
    {"cosh", cosh, NULL}, {"tanh", tanh, NULL},   {"exp", exp, NULL},     {"ln", log, NULL},
    {"log2", log2, NULL}, {"log10", log10, NULL}, {"sqrt", sqrt, NULL},   {"abs", fabs, NULL},
    {"sign", sign, NULL}, {"floor", floor, NULL}, {"ceil", ceil, NULL},   {"round", round, NULL},
    {"min", NULL, fmin},  {"max", NULL, fmax},    {"mod", NULL, fmod},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const double pi = 3.14159265358979323846;

const char *zn_expression_function(int index) { return index >= 0 && index < FUNCTIONS ? functions[index].name : NULL; }

static const function *find_function(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

bool zn_expression_is_reserved(const char *name)
{
    return strcmp(name, "t") == 0 || strcmp(name, "pi") == 0 || find_function(name) != NULL;
}

// --- characters, whatever the locale ---------------------------------------------------------------

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_name(char c) { return is_name_start(c) || is_digit(c); }

size_t zn_number_length(const char *s)
{
    size_t i = 0, digits = 0;
    for (; is_digit(s[i]); i++)
        digits++;
    if (s[i] == '.')
        for (i++; is_digit(s[i]); i++)
            digits++;
    if (digits == 0)
        return 0;
    if (s[i] == 'e' || s[i] == 'E') {
        size_t e = i + 1;
        if (s[e] == '+' || s[e] == '-')
            e++;
        if (is_digit(s[e])) {
            while (is_digit(s[e]))
                e++;
            i = e;
        }
    }
    return i;
}

// strtod of the "C" locale, where the point is a point.
static double c_strtod(const char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return strtod(text, NULL);
    locale_t before = uselocale(c);
    double   value = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return value;
}

bool zn_number_parse(const char *text, double *out)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t      length = zn_number_length(digits);
    if (length == 0 || digits[length] != '\0')
        return false;
    double value = c_strtod(text);
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}

// --- scanner ---------------------------------------------------------------------------------------

typedef struct scan {
    const char          *text;
    size_t               at;
    zn_constants         constants;
    bool                 time;     // t is allowed
    bool                 variable; // the constants are not constant
    zn_expression       *e;
    zn_expression_error *error;
} scan;

static zn_status fault(const scan *s, const char *message)
{
    s->error->position = (int)s->at;
    snprintf(s->error->message, sizeof s->error->message, "%s", message);
    return ZN_ERR_ARGUMENT;
}

static zn_status scan_number(scan *s)
{
    size_t length = zn_number_length(s->text + s->at);
    if (length == 0)
        return fault(s, "a number is expected here");
    // muParser would call an overflow an unknown token
    if (!isfinite(c_strtod(s->text + s->at)))
        return fault(s, "the number is too large");
    s->at += length;
    if (is_name_start(s->text[s->at]))
        return fault(s, "a number is followed by a letter: a unit needs a blank before it, a product a '*'");
    return ZN_OK;
}

static int find_constant(const zn_constants *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->names[i], name) == 0)
            return i;
    return -1;
}

// Length of the name at s; among variables it may go on behind a dot.
static size_t name_length(const scan *s, const char *text)
{
    size_t length = 0;
    while (is_name(text[length]))
        length++;
    if (s->variable && text[length] == '.' && is_name(text[length + 1]))
        for (length++; is_name(text[length]);)
            length++;
    return length;
}

// A name is t, pi, a function before '(' or one of the constants; the parser learns it when it is met.
static zn_status scan_name(scan *s)
{
    char   name[2 * ZN_NAME_LENGTH + 2];
    size_t length = name_length(s, s->text + s->at);
    if (length > (s->variable ? sizeof name - 1 : ZN_NAME_LENGTH))
        return fault(s, "a name has more than 63 characters");
    memcpy(name, s->text + s->at, length);
    name[length] = '\0';

    const function *f = find_function(name);
    int             known = find_constant(&s->constants, name);
    if (s->variable && known >= 0) {
        mupDefineVar(s->e->parser, name, (double *)&s->constants.values[known]); // only read
    } else if (strcmp(name, "t") == 0) {
        if (!s->time)
            return fault(s, "the time t cannot be used here: this value does not change with time");
        s->e->uses_time = true;
    } else if (f != NULL && f->one != NULL) {
        mupDefineFun1(s->e->parser, name, f->one, 1);
    } else if (f != NULL) {
        mupDefineFun2(s->e->parser, name, f->two, 1);
    } else if (strcmp(name, "pi") == 0) {
        mupDefineConst(s->e->parser, name, pi);
    } else if (known >= 0) {
        mupDefineConst(s->e->parser, name, s->constants.values[known]);
    } else {
        snprintf(s->error->unknown, sizeof s->error->unknown, "%.63s", name);
        s->error->position = (int)s->at;
        snprintf(s->error->message, sizeof s->error->message, "unknown name '%.100s'", name);
        return ZN_ERR_ARGUMENT;
    }
    s->at += length;
    return ZN_OK;
}

// One character that is neither number nor name. Assignment, strings and lists do not get through.
static zn_status scan_sign(scan *s, int *depth)
{
    char c = s->text[s->at], next = s->text[s->at + 1];
    if (c == '(' && ++*depth > ZN_EXPRESSION_DEPTH)
        return fault(s, "brackets are nested more than 64 deep");
    if (c == ')' && --*depth < 0)
        return fault(s, "unexpected ')'");
    if (c == ',' && *depth == 0)
        return fault(s, "unexpected ','");
    bool pair = next == '=' && strchr("=<>!", c) != NULL;
    pair = pair || (c == next && (c == '&' || c == '|'));
    if (!pair && strchr(" \t\r\n()+-*/^<>?:,", c) == NULL) {
        char message[64];
        if (c > ' ' && c < 127)
            snprintf(message, sizeof message, "unexpected '%c'", c);
        else
            snprintf(message, sizeof message, "unexpected byte 0x%02x", (unsigned)(unsigned char)c);
        return fault(s, message);
    }
    s->at += pair ? 2 : 1;
    return ZN_OK;
}

static zn_status scan_text(scan *s)
{
    int  depth = 0;
    bool empty = true;
    while (s->text[s->at] != '\0') {
        char c = s->text[s->at];
        if (s->at >= ZN_EXPRESSION_LENGTH)
            return fault(s, "the expression has more than 4096 characters");
        empty = empty && strchr(" \t\r\n", c) != NULL;
        if (is_digit(c) || c == '.')
            ZN_TRY(scan_number(s));
        else if (is_name_start(c))
            ZN_TRY(scan_name(s));
        else
            ZN_TRY(scan_sign(s, &depth));
    }
    if (empty)
        return fault(s, "the expression is empty");
    return depth > 0 ? fault(s, "a ')' is missing") : ZN_OK;
}

// --- muParser --------------------------------------------------------------------------------------

// muParser prints through this unless it is set.
static void keep_quiet(muParserHandle_t parser) { (void)parser; }

static const char *parser_message(int code)
{
    switch (code) { // EErrorCodes of muParserError.h, which is C++
    case 0:
        return "unexpected operator";
    case 2:
        return "the expression ends too early";
    case 3:
        return "unexpected ','";
    case 4:
    case 14:
        return "a function has too many arguments";
    case 5:
        return "unexpected value";
    case 6:
        return "unexpected name";
    case 7:
        return "unexpected bracket";
    case 12:
        return "unexpected function";
    case 15:
        return "a function has too few arguments";
    case 32:
    case 33:
    case 34:
        return "a condition is written: test ? value : other value";
    default:
        return "this is not a formula";
    }
}

static zn_status compile(scan *s)
{
    ZN_TRY(scan_text(s));
    muParserHandle_t parser = s->e->parser;
    mupSetExpr(parser, s->text);
    if (!mupError(parser))
        mupEval(parser); // compiles
    if (!mupError(parser))
        return ZN_OK;
    int position = mupGetErrorPos(parser), length = (int)strlen(s->text);
    s->at = (size_t)(position < 0 ? 0 : position > length ? length : position);
    return fault(s, parser_message(mupGetErrorCode(parser)));
}

// What a formula may use decides the scan; `s` has text and names, the rest is filled here.
static zn_status create(scan *s, zn_expression_error *error, zn_expression **out)
{
    *error = (zn_expression_error){0};
    zn_expression *e = ZN_NEW(zn_expression, 1);
    if (e == NULL)
        return ZN_ERR_MEMORY;
    e->parser = mupCreate(muBASETYPE_FLOAT);
    if (e->parser == NULL) {
        free(e);
        return ZN_ERR_MEMORY;
    }
    pthread_mutex_init(&e->lock, NULL);
    mupSetErrorHandler(e->parser, keep_quiet);
    mupClearConst(e->parser);
    mupClearFun(e->parser);
    if (s->variable)
        mupDefineNameChars(e->parser, "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    else
        mupDefineVar(e->parser, "t", &e->t);

    s->e = e;
    s->error = error;
    zn_status status = compile(s);
    if (status != ZN_OK)
        e = zn_expression_destroy(e);
    else
        *out = e;
    return status;
}

zn_status zn_expression_create(const char *text, zn_constants constants, bool time, zn_expression_error *error,
                               zn_expression **out)
{
    scan s = {.text = text, .constants = constants, .time = time};
    return create(&s, error, out);
}

zn_status zn_expression_create_of(const char *text, zn_constants variables, zn_expression_error *error,
                                  zn_expression **out)
{
    scan s = {.text = text, .constants = variables, .variable = true};
    return create(&s, error, out);
}

zn_expression *zn_expression_destroy(zn_expression *e)
{
    if (e == NULL)
        return NULL;
    mupRelease(e->parser);
    pthread_mutex_destroy(&e->lock);
    free(e);
    return NULL;
}

double zn_expression_at(zn_expression *e, double t)
{
    pthread_mutex_lock(&e->lock);
    e->t = t;
    double value = mupEval(e->parser);
    pthread_mutex_unlock(&e->lock);
    return value;
}

bool zn_expression_uses_time(const zn_expression *e) { return e->uses_time; }

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
