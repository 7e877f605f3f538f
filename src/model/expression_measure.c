// What the parts of a formula are measured in.
#include "model/expression_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BASES = 4, RAD = 3 };

zn_measure zn_measure_unit(const zn_expression_unit *unit, int at)
{
    zn_measure m = {.kind = ZN_MEASURE_UNIT, .at = at, .length = unit->length, .has_unit = true};
    memcpy(m.power, unit->power, sizeof m.power);
    for (int i = 0; i < 4; i++)
        m.scaled = m.scaled || unit->factor[i] != 1;
    return m;
}

zn_expression_dimension zn_measure_dimension(const zn_measure *m)
{
    zn_expression_dimension d = {.known = m->kind == ZN_MEASURE_UNIT, .at = m->at, .length = m->length};
    memcpy(d.power, m->power, sizeof d.power);
    return d;
}

void zn_measure_product(zn_measure *left, const zn_measure *right, int sign)
{
    bool has_unit = left->has_unit || right->has_unit;
    if (left->kind == ZN_MEASURE_OPEN || right->kind == ZN_MEASURE_OPEN) {
        *left = (zn_measure){.kind = ZN_MEASURE_OPEN, .has_unit = has_unit}; // 9.81 m/s^2 * m: who knows what m is
        return;
    }
    if (right->kind != ZN_MEASURE_UNIT)
        return;
    zn_measure before = *left;
    *left = *right;
    for (int i = 0; i < BASES; i++)
        left->power[i] = before.power[i] + sign * right->power[i];
    left->scaled = left->scaled || before.scaled;
}

bool zn_measure_power(zn_measure *base, const zn_measure *exponent, double number)
{
    if (exponent->kind == ZN_MEASURE_UNIT)
        return false;
    if (exponent->kind == ZN_MEASURE_OPEN && base->kind == ZN_MEASURE_LITERAL)
        base->kind = ZN_MEASURE_OPEN;
    if (base->kind != ZN_MEASURE_UNIT)
        return true;
    for (int i = 0; i < BASES; i++) {
        double power = base->power[i] * number;
        if (base->power[i] != 0 && !(power == rint(power) && fabs(power) < 100))
            return false;
        base->power[i] = base->power[i] == 0 ? 0 : (int)power;
    }
    return true;
}

int zn_measure_agree(zn_measure *left, const zn_measure *right, const char *text, char *message, size_t size)
{
    const zn_measure *unit = right->kind == ZN_MEASURE_UNIT ? right : left;
    int               length = unit->length < 40 ? unit->length : 40;
    bool              literal = left->kind == ZN_MEASURE_LITERAL || right->kind == ZN_MEASURE_LITERAL;
    if (left->kind == ZN_MEASURE_UNIT && right->kind == ZN_MEASURE_UNIT) {
        if (memcmp(left->power, right->power, sizeof left->power) == 0)
            return -1;
        snprintf(message, size, "'%.*s' and '%.*s' do not measure the same", left->length < 40 ? left->length : 40,
                 text + left->at, length, text + unit->at);
        return unit->at;
    }
    if (unit->kind == ZN_MEASURE_UNIT && unit->scaled && literal) {
        const char *u = text + unit->at;
        if (unit == right)
            snprintf(message, size,
                     "does the unit '%.*s' belong to the last term or to all? Use brackets, (a + b) %.*s, or SI units",
                     length, u, length, u);
        else
            snprintf(message, size, "a number without a unit follows one in '%.*s': give it one too, or use SI units",
                     length, u);
        return unit->at;
    }
    left->has_unit = left->has_unit || right->has_unit;
    if (unit->kind == ZN_MEASURE_UNIT)
        *left = *unit;
    else if (right->kind == ZN_MEASURE_OPEN)
        left->kind = ZN_MEASURE_OPEN;
    return -1;
}

static bool is_one_of(const char *name, const char *words)
{
    size_t length = strlen(name);
    for (const char *s = strstr(words, name); s != NULL; s = strstr(s + 1, name))
        if (s[-1] == ' ' && s[length] == ' ')
            return true;
    return false;
}

// An argument that must be a number or, where `angle`, an angle.
static bool is_pure(const zn_measure *m, bool angle)
{
    if (m->kind != ZN_MEASURE_UNIT)
        return true;
    return m->power[0] == 0 && m->power[1] == 0 && m->power[2] == 0 &&
           (m->power[RAD] == 0 || (angle && m->power[RAD] == 1));
}

static void take_root(zn_measure *m)
{
    for (int i = 0; i < BASES; i++) {
        if (m->power[i] % 2 != 0)
            m->kind = ZN_MEASURE_OPEN;
        m->power[i] /= 2;
    }
}

bool zn_measure_function(const char *name, int count, zn_measure *arguments, const char *text, zn_measure *out,
                         char *message, size_t size)
{
    bool alike = is_one_of(name, " min max mod saturate deadzone smoothstep atan2 ");
    for (int i = 1; i < count && alike; i++)
        if (zn_measure_agree(&arguments[0], &arguments[i], text, message, size) >= 0)
            return false;
    bool keeps = is_one_of(name, " abs min max mod saturate deadzone ");
    *out = arguments[0];
    if (strcmp(name, "sqrt") == 0 && out->kind == ZN_MEASURE_UNIT)
        take_root(out);
    else if (!keeps && strcmp(name, "sqrt") != 0)
        *out = (zn_measure){.kind = ZN_MEASURE_OPEN};
    if (keeps || alike || is_one_of(name, " sqrt sign ") || is_pure(&arguments[0], true))
        return true;
    snprintf(message, size, "'%s' of a value in '%.*s'", name, arguments[0].length < 40 ? arguments[0].length : 40,
             text + arguments[0].at);
    return false;
}
