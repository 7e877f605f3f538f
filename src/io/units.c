// Units of measurement. Only what mechanics needs; prefixes where they are in use, so that a slip such as "mPa" for
// "MPa" is not read as a thousandth of a pascal.
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "zn/math.h"

enum { M, KG, S, RAD, BASES };

typedef struct symbol {
    const char *name;
    const char *prefixes;
    double      numerator, denominator;
    int         decade;
    int         power[BASES]; // m, kg, s, rad
} symbol;

#define PI 3.14159265358979323846

static const symbol symbols[] = {
    {"m", "numcdk", 1, 1, 0, {1, 0, 0, 0}}, {"g", "umk", 1, 1, -3, {0, 1, 0, 0}},
    {"t", "", 1, 1, 3, {0, 1, 0, 0}},       {"s", "num", 1, 1, 0, {0, 0, 1, 0}},
    {"min", "", 60, 1, 0, {0, 0, 1, 0}},    {"h", "", 3600, 1, 0, {0, 0, 1, 0}},
    {"rad", "m", 1, 1, 0, {0, 0, 0, 1}},    {"deg", "", PI, 180, 0, {0, 0, 0, 1}},
    {"rpm", "", PI, 30, 0, {0, 0, -1, 1}},  {"Hz", "kMG", 1, 1, 0, {0, 0, -1, 0}},
    {"N", "umkMG", 1, 1, 0, {1, 1, -2, 0}}, {"Pa", "kMG", 1, 1, 0, {-1, 1, -2, 0}},
    {"J", "mkMG", 1, 1, 0, {2, 1, -2, 0}},  {"W", "mkMG", 1, 1, 0, {2, 1, -3, 0}},
};

enum { SYMBOLS = sizeof symbols / sizeof symbols[0] };

static int prefix_decade(char c)
{
    switch (c) {
    case 'n':
        return -9;
    case 'u':
        return -6;
    case 'm':
        return -3;
    case 'c':
        return -2;
    case 'd':
        return -1;
    case 'k':
        return 3;
    case 'M':
        return 6;
    default:
        return 9; // G
    }
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The degree sign in UTF-8, which may stand right behind its number.
static const char degree_sign[] = "\xc2\xb0";

static bool is_degree(const char *s) { return strncmp(s, degree_sign, 2) == 0; }

static const char *skip_blanks(const char *s)
{
    while (is_blank(*s))
        s++;
    return s;
}

// The whole word as a symbol first, then as prefix and symbol: "min" and "m" before "milli-in".
static const symbol *find_symbol(const char *word, size_t length, int *decade)
{
    for (int with_prefix = 0; with_prefix < 2; with_prefix++)
        for (int i = 0; i < SYMBOLS; i++) {
            const symbol *u = &symbols[i];
            size_t        n = strlen(u->name);
            if (length != n + (size_t)with_prefix || memcmp(word + with_prefix, u->name, n) != 0)
                continue;
            if (with_prefix && strchr(u->prefixes, word[0]) == NULL)
                continue;
            *decade = u->decade + (with_prefix ? prefix_decade(word[0]) : 0);
            return u;
        }
    return NULL;
}

// "^2", "^-1"; 1 when there is none. Powers beyond 9 are refused.
static bool read_power(const char **s, int *power)
{
    *power = 1;
    if (**s != '^')
        return true;
    const char *p = *s + 1;
    int         sign = *p == '-' ? -1 : 1;
    p += *p == '-' || *p == '+';
    if (*p < '1' || *p > '9' || (p[1] >= '0' && p[1] <= '9'))
        return false;
    *power = sign * (*p - '0');
    *s = p + 1;
    return true;
}

static void multiply(zn_unit *unit, const symbol *u, int decade, int power)
{
    for (int i = 0; i < BASES; i++)
        unit->power[i] += power * u->power[i];
    unit->decade += power * decade;
    for (int i = 0; i < (power < 0 ? -power : power); i++) {
        unit->numerator *= power > 0 ? u->numerator : u->denominator;
        unit->denominator *= power > 0 ? u->denominator : u->numerator;
    }
}

static bool fail(char *message, const char *format, int length, const char *text)
{
    snprintf(message, ZN_UNIT_MESSAGE, format, length > 40 ? 40 : length, text);
    return false;
}

static bool read_factor(const char **s, int sign, zn_unit *unit, char *message)
{
    const char *word = *s;
    size_t      length = 0;
    while (is_letter(word[length]))
        length++;
    int           decade = 0, power;
    const symbol *u = is_degree(word) ? find_symbol("deg", 3, &decade) : find_symbol(word, length, &decade);
    if (is_degree(word))
        length = 2;
    if (length == 0)
        return fail(message, "a unit is expected at '%.*s'", (int)strnlen(word, 40), word);
    if (u == NULL)
        return fail(message, "unknown unit '%.*s' (a product needs a '*')", (int)length, word);
    *s = word + length;
    if (!read_power(s, &power))
        return fail(message, "the power in '%.*s' is not one of 1 to 9, -1 to -9", (int)strnlen(word, 40), word);
    multiply(unit, u, decade, sign * power);
    return true;
}

// A whole word that is a unit; "min(" and "m.x" are other things.
static bool is_unit(const char *word)
{
    size_t length = 0;
    int    decade;
    while (is_letter(word[length]))
        length++;
    bool ends = word[length] == '\0' || strchr("_.[(0123456789", word[length]) == NULL;
    return is_degree(word) || (ends && find_symbol(word, length, &decade) != NULL);
}

bool zn_unit_read(const char *text, zn_unit *out, size_t *length, char message[ZN_UNIT_MESSAGE])
{
    zn_unit     unit = {1, 1, 0, {0}};
    const char *s = text, *next;
    for (int sign = 1, factors = 1;; factors++) {
        if (factors > 8)
            return fail(message, "too many factors in '%.*s'", (int)strnlen(text, 40), text);
        if (!read_factor(&s, sign, &unit, message))
            return false;
        next = skip_blanks(s);
        bool product = (next > s && is_letter(*next)) || is_degree(next);
        if (product && sign < 0) // is "kg/m s" kg/(m s) or (kg/m) s?
            return fail(message, "ambiguous after '/': '%.*s'; write quotients last", (int)strnlen(text, 40), text);
        if (!product && (*next == '/' || (*next == '*' && sign > 0)) && is_unit(skip_blanks(next + 1))) {
            sign = *next == '/' ? -1 : 1;
            product = true;
            next = skip_blanks(next + 1);
        }
        if (!product)
            break;
        s = next;
    }
    *length = (size_t)(s - text);
    *out = unit;
    return true;
}

bool zn_unit_parse(const char *text, zn_unit *out, char message[ZN_UNIT_MESSAGE])
{
    zn_unit     unit;
    size_t      length;
    const char *s = skip_blanks(text);
    if (!zn_unit_read(s, &unit, &length, message))
        return false;
    s = skip_blanks(s + length);
    int rest = (int)strnlen(s, 40);
    if (*s == '+' || *s == '-')
        return fail(message, "nothing can follow a unit, but '%.*s' does", rest, s);
    if (*s == '*' && is_unit(skip_blanks(s + 1)))
        return fail(message, "ambiguous after '/': '%.*s'; write quotients last", (int)strnlen(text, 40), text);
    if (*s != '\0')
        return fail(message, "a unit is expected at '%.*s'", rest, s);
    *out = unit;
    return true;
}

double zn_unit_apply(const zn_unit *unit, double value)
{
    if (unit->numerator != unit->denominator)
        value = value * unit->numerator / unit->denominator;
    double ten = zn_pow(10, fabs((double)unit->decade)); // exact up to 10^22
    return unit->decade < 0 ? value / ten : value * ten;
}

typedef struct dimension {
    const char *unit, *text;
    int         power[BASES];
} dimension;

static const dimension dimensions[] = {
#define ROW(id, unit, m, kg, s, rad, text) {unit, text, {m, kg, s, rad}},
    ZN_DIMENSION_LIST(ROW)
#undef ROW
};

bool zn_unit_fits(const zn_unit *unit, zn_dimension d)
{
    return d == ZN_DIM_ANY || memcmp(unit->power, dimensions[d].power, sizeof unit->power) == 0;
}

const char *zn_dimension_unit(zn_dimension d) { return d == ZN_DIM_ANY ? "" : dimensions[d].unit; }

const char *zn_dimension_text(zn_dimension d) { return d == ZN_DIM_ANY ? "a number" : dimensions[d].text; }

size_t zn_unit_split(const char *text)
{
    bool operand = false; // the last character that is not white space ends an operand
    bool blank = false;   // white space came after it
    for (size_t i = 0; text[i] != '\0'; i++) {
        char c = text[i];
        if (is_blank(c)) {
            blank = true;
            continue;
        }
        if (operand && ((blank && is_letter(c)) || is_degree(text + i)))
            return i;
        operand = is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == ')' || c == '.';
        blank = false;
    }
    return strlen(text);
}
