// The stack machine of formulas. Derivatives are carried forward beside the values, four directions at a time:
//     d f(a, b) = df/da da + df/db db.
// At a kink (abs, min, max, saturate, deadzone) the derivative of one side is taken, at a jump (sign, floor,
// comparisons) none. A direction in which an operand does not move gets nothing from it, even where df/da is infinite.
#include "model/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "zn/math.h"

// --- functions -------------------------------------------------------------------------------------

typedef struct slopes {
    double of[3]; // derivatives with respect to the arguments
} slopes;

typedef struct function {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
    slopes (*slope)(const double *x, double f);
} function;

static double sign(double x) { return (x > 0) - (x < 0); }

static double saturate(double x, double low, double high) { return fmin(fmax(x, low), high); }

static double deadzone(double x, double width) { return x - saturate(x, -width, width); }

static double smoothstep(double x, double a, double b)
{
    double s = saturate((x - a) / (b - a), 0, 1);
    return s * s * (3 - 2 * s);
}

#define SLOPE1(name, text)                                                                                             \
    static slopes name(const double *x, double f)                                                                      \
    {                                                                                                                  \
        (void)x, (void)f;                                                                                              \
        return (slopes){{text}};                                                                                       \
    }

static const double ln2 = 0.69314718055994530942, ln10 = 2.30258509299404568402;

SLOPE1(d_sin, zn_cos(x[0]))
SLOPE1(d_cos, -zn_sin(x[0]))
SLOPE1(d_tan, 1 + f * f)
SLOPE1(d_asin, 1 / sqrt((1 - x[0]) * (1 + x[0])))
SLOPE1(d_acos, -1 / sqrt((1 - x[0]) * (1 + x[0])))
SLOPE1(d_atan, 1 / (1 + x[0] * x[0]))
SLOPE1(d_sinh, zn_cosh(x[0]))
SLOPE1(d_cosh, zn_sinh(x[0]))
SLOPE1(d_tanh, 1 / (zn_cosh(x[0]) * zn_cosh(x[0])))
SLOPE1(d_exp, f)
SLOPE1(d_ln, 1 / x[0])
SLOPE1(d_log2, 1 / (ln2 * x[0]))
SLOPE1(d_log10, 1 / (ln10 * x[0]))
SLOPE1(d_sqrt, 0.5 / f)
SLOPE1(d_abs, x[0] < 0 ? -1 : 1)
SLOPE1(d_none, 0)

static slopes d_atan2(const double *x, double f)
{
    (void)f;
    double r = x[0] * x[0] + x[1] * x[1];
    return (slopes){{x[1] / r, -x[0] / r}};
}

static slopes d_min(const double *x, double f)
{
    (void)f;
    return x[0] < x[1] ? (slopes){{1}} : (slopes){{0, 1}};
}

static slopes d_max(const double *x, double f)
{
    (void)f;
    return x[0] < x[1] ? (slopes){{0, 1}} : (slopes){{1}};
}

static slopes d_mod(const double *x, double f)
{
    (void)f;
    return (slopes){{1, -trunc(x[0] / x[1])}};
}

static slopes d_saturate(const double *x, double f)
{
    (void)f;
    if (fmax(x[0], x[1]) >= x[2])
        return (slopes){{0, 0, 1}};
    return x[0] >= x[1] ? (slopes){{1}} : (slopes){{0, 1}};
}

static slopes d_deadzone(const double *x, double f)
{
    return f > 0 ? (slopes){{1, -1}} : f < 0 ? (slopes){{1, 1}} : (slopes){{x[1] == 0, 0}};
}

static slopes d_smoothstep(const double *x, double f)
{
    (void)f;
    double width = x[2] - x[1], s = (x[0] - x[1]) / width;
    if (!(s > 0 && s < 1))
        return (slopes){{0}};
    double d = 6 * s * (1 - s) / width;
    return (slopes){{d, d * (s - 1), -d * s}};
}

static const function functions[] = {
    {"sin", .one = zn_sin, .slope = d_sin},
    {"cos", .one = zn_cos, .slope = d_cos},
    {"tan", .one = zn_tan, .slope = d_tan},
    {"asin", .one = zn_asin, .slope = d_asin},
    {"acos", .one = zn_acos, .slope = d_acos},
    {"atan", .one = zn_atan, .slope = d_atan},
    {"atan2", .two = zn_atan2, .slope = d_atan2},
    {"sinh", .one = zn_sinh, .slope = d_sinh},
    {"cosh", .one = zn_cosh, .slope = d_cosh},
    {"tanh", .one = zn_tanh, .slope = d_tanh},
    {"exp", .one = zn_exp, .slope = d_exp},
    {"ln", .one = zn_ln, .slope = d_ln},
    {"log2", .one = zn_log2, .slope = d_log2},
    {"log10", .one = zn_log10, .slope = d_log10},
    {"sqrt", .one = sqrt, .slope = d_sqrt},
    {"abs", .one = fabs, .slope = d_abs},
    {"sign", .one = sign, .slope = d_none},
    {"floor", .one = floor, .slope = d_none},
    {"ceil", .one = ceil, .slope = d_none},
    {"round", .one = round, .slope = d_none},
    {"min", .two = fmin, .slope = d_min},
    {"max", .two = fmax, .slope = d_max},
    {"mod", .two = fmod, .slope = d_mod},
    {"saturate", .three = saturate, .slope = d_saturate},
    {"deadzone", .two = deadzone, .slope = d_deadzone},
    {"smoothstep", .three = smoothstep, .slope = d_smoothstep},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

int zn_tape_function_find(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0)
            return i;
    return -1;
}

zn_tape_function zn_tape_function_at(int index)
{
    if (index < 0 || index >= FUNCTIONS)
        return (zn_tape_function){0};
    const function *f = &functions[index];
    return (zn_tape_function){f->name, f->one != NULL ? 1 : f->two != NULL ? 2 : 3};
}

// --- making a tape ---------------------------------------------------------------------------------

static int operands(zn_tape_op op)
{
    switch (op) {
    case ZN_TAPE_NUMBER:
    case ZN_TAPE_VARIABLE:
    case ZN_TAPE_TIME:
    case ZN_TAPE_SKIP:
        return 0;
    case ZN_TAPE_ADD_NUMBER:
    case ZN_TAPE_SUBTRACT_NUMBER:
    case ZN_TAPE_MULTIPLY_NUMBER:
    case ZN_TAPE_DIVIDE_NUMBER:
    case ZN_TAPE_POWER_NUMBER:
    case ZN_TAPE_NEGATE:
    case ZN_TAPE_ONE:
    case ZN_TAPE_UNLESS:
        return 1;
    case ZN_TAPE_THREE:
        return 3;
    default:
        return 2;
    }
}

static bool jumps(zn_tape_op op) { return op == ZN_TAPE_SKIP || op == ZN_TAPE_UNLESS; }

// The last `count` steps behind the border are numbers.
static bool ends_with_numbers(const zn_tape *tape, int count)
{
    if (tape->count - count < tape->border)
        return false;
    for (int i = tape->count - count; i < tape->count; i++)
        if (tape->steps[i].op != ZN_TAPE_NUMBER)
            return false;
    return true;
}

// Numbers alone are evaluated at once.
static bool fold(zn_tape *tape, zn_tape_step step)
{
    int n = operands(step.op);
    if (n == 0 || jumps(step.op) || !ends_with_numbers(tape, n))
        return false;
    zn_tape_step some[4];
    memcpy(some, &tape->steps[tape->count - n], (size_t)n * sizeof *some);
    some[n] = step;
    double value = zn_tape_value(&(zn_tape){.count = n + 1, .steps = some}, NULL, 0);
    tape->count -= n - 1;
    tape->steps[tape->count - 1] = (zn_tape_step){.op = ZN_TAPE_NUMBER, .value = value};
    return true;
}

static bool has_number_form(zn_tape_op op) { return op >= ZN_TAPE_ADD && op <= ZN_TAPE_POWER; }

// a op number is one step; number op x, with a single step for x, is turned round where the order does not matter.
static bool join(zn_tape *tape, zn_tape_step step)
{
    if (!has_number_form(step.op))
        return false;
    zn_tape_op with = step.op - ZN_TAPE_ADD + ZN_TAPE_ADD_NUMBER;
    if (ends_with_numbers(tape, 1)) {
        zn_tape_step *last = &tape->steps[tape->count - 1];
        *last = (zn_tape_step){.op = with, .value = last->value};
        return true;
    }
    if (tape->count - 2 < tape->border || (step.op != ZN_TAPE_ADD && step.op != ZN_TAPE_MULTIPLY))
        return false;
    zn_tape_step *two = &tape->steps[tape->count - 2];
    if (two[0].op != ZN_TAPE_NUMBER || operands(two[1].op) != 0 || jumps(two[1].op))
        return false;
    double value = two[0].value;
    two[0] = two[1];
    two[1] = (zn_tape_step){.op = with, .value = value};
    return true;
}

zn_status zn_tape_add(zn_tape *tape, zn_tape_step step)
{
    if (fold(tape, step) || join(tape, step))
        return ZN_OK;
    return ZN_PUSH(tape->steps, tape->count, tape->capacity, step);
}

void zn_tape_clear(zn_tape *tape)
{
    free(tape->steps);
    *tape = (zn_tape){0};
}

// Both branches of a condition leave one number, so what a jump skips counts as far as its last number only.
int zn_tape_depth(const zn_tape *tape)
{
    int depth = 0, most = 0;
    for (int i = 0; i < tape->count; i++) {
        zn_tape_op op = tape->steps[i].op;
        depth -= operands(op);
        if (op == ZN_TAPE_SKIP)
            depth--; // the number of the first branch; the second makes its own
        else if (op != ZN_TAPE_UNLESS)
            depth++;
        most = depth + 1 > most ? depth + 1 : most;
    }
    return most;
}

bool zn_tape_is_number(const zn_tape *tape, double *value)
{
    if (tape->count != 1 || tape->steps[0].op != ZN_TAPE_NUMBER)
        return false;
    *value = tape->steps[0].value;
    return true;
}

// --- values ----------------------------------------------------------------------------------------

static double power(double a, double b) { return b == 2 ? a * a : b == 3 ? a * a * a : zn_pow(a, b); }

static double compare(zn_tape_op op, double a, double b)
{
    switch (op) {
    case ZN_TAPE_LESS:
        return a < b;
    case ZN_TAPE_GREATER:
        return a > b;
    case ZN_TAPE_AT_MOST:
        return a <= b;
    case ZN_TAPE_AT_LEAST:
        return a >= b;
    case ZN_TAPE_EQUAL:
        return a == b;
    case ZN_TAPE_DIFFERENT:
        return a != b;
    case ZN_TAPE_AND:
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

// A step that is neither operand nor jump; the new top of the stack.
static inline double *calculate(const zn_tape_step *s, double *top)
{
    switch (s->op) {
    case ZN_TAPE_ADD:
        return top--, top[0] += top[1], top;
    case ZN_TAPE_SUBTRACT:
        return top--, top[0] -= top[1], top;
    case ZN_TAPE_MULTIPLY:
        return top--, top[0] *= top[1], top;
    case ZN_TAPE_DIVIDE:
        return top--, top[0] /= top[1], top;
    case ZN_TAPE_POWER:
        return top--, top[0] = power(top[0], top[1]), top;
    case ZN_TAPE_ADD_NUMBER:
        return *top += s->value, top;
    case ZN_TAPE_SUBTRACT_NUMBER:
        return *top -= s->value, top;
    case ZN_TAPE_MULTIPLY_NUMBER:
        return *top *= s->value, top;
    case ZN_TAPE_DIVIDE_NUMBER:
        return *top /= s->value, top;
    case ZN_TAPE_POWER_NUMBER:
        return *top = power(*top, s->value), top;
    case ZN_TAPE_NEGATE:
        return *top = -*top, top;
    case ZN_TAPE_ONE:
        return *top = functions[s->index].one(*top), top;
    case ZN_TAPE_TWO:
        return top--, top[0] = functions[s->index].two(top[0], top[1]), top;
    case ZN_TAPE_THREE:
        return top -= 2, top[0] = functions[s->index].three(top[0], top[1], top[2]), top;
    default:
        return top--, top[0] = compare(s->op, top[0], top[1]), top;
    }
}

double zn_tape_value(const zn_tape *tape, const double *variables, double t)
{
    double              stack[ZN_TAPE_DEPTH + 1]; // stack[0] is below the first number
    double             *top = stack;
    const zn_tape_step *s = tape->steps, *end = s + tape->count;
    for (; s < end; s++)
        switch (s->op) {
        case ZN_TAPE_NUMBER:
            *++top = s->value;
            break;
        case ZN_TAPE_VARIABLE:
            *++top = variables[s->index];
            break;
        case ZN_TAPE_TIME:
            *++top = t;
            break;
        case ZN_TAPE_SKIP:
            s = tape->steps + s->index - 1;
            break;
        case ZN_TAPE_UNLESS:
            if (*top-- == 0)
                s = tape->steps + s->index - 1;
            break;
        default:
            top = calculate(s, top);
        }
    return *top;
}

// --- derivatives -----------------------------------------------------------------------------------

enum { WIDTH = 4 }; // directions at a time

typedef struct dual {
    double f, d[WIDTH];
} dual;

// out = value with d out = sum of slope_i d x_i.
static dual chain(double value, int n, const dual *x, const double *slope)
{
    dual out = {.f = value};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < WIDTH; k++)
            if (x[i].d[k] != 0)
                out.d[k] += slope[i] * x[i].d[k];
    return out;
}

static dual dual_power(const dual *x)
{
    double a = x[0].f, b = x[1].f, f = power(a, b);
    double moves = 0;
    for (int k = 0; k < WIDTH; k++)
        moves += fabs(x[1].d[k]);
    double slope[2] = {b == 0 ? 0 : b * power(a, b - 1), moves > 0 ? zn_ln(a) * f : 0};
    return chain(f, 2, x, slope);
}

static dual dual_operator(zn_tape_op op, const dual *x)
{
    double a = x[0].f, b = x[1].f;
    switch (op) {
    case ZN_TAPE_ADD:
        return chain(a + b, 2, x, (double[]){1, 1});
    case ZN_TAPE_SUBTRACT:
        return chain(a - b, 2, x, (double[]){1, -1});
    case ZN_TAPE_MULTIPLY:
        return chain(a * b, 2, x, (double[]){b, a});
    case ZN_TAPE_DIVIDE:
        return chain(a / b, 2, x, (double[]){1 / b, -a / b / b});
    case ZN_TAPE_POWER:
        return dual_power(x);
    default:
        return (dual){.f = compare(op, a, b)};
    }
}

static dual dual_function(const function *f, int n, const dual *x)
{
    double at[3] = {x[0].f, n > 1 ? x[1].f : 0, n > 2 ? x[2].f : 0};
    double value = n == 1 ? f->one(at[0]) : n == 2 ? f->two(at[0], at[1]) : f->three(at[0], at[1], at[2]);
    slopes s = f->slope(at, value);
    return chain(value, n, x, s.of);
}

// One step that is neither operand nor jump; the new top.
static dual *dual_step(const zn_tape_step *s, dual *top)
{
    if (s->op == ZN_TAPE_NEGATE) {
        *top = chain(-top->f, 1, top, (double[]){-1});
        return top;
    }
    if (s->op >= ZN_TAPE_ADD_NUMBER && s->op <= ZN_TAPE_POWER_NUMBER) {
        *top = dual_operator(s->op - ZN_TAPE_ADD_NUMBER + ZN_TAPE_ADD, (dual[]){*top, {.f = s->value}});
        return top;
    }
    int n = operands(s->op);
    top -= n - 1;
    bool call = s->op == ZN_TAPE_ONE || s->op == ZN_TAPE_TWO || s->op == ZN_TAPE_THREE;
    *top = call ? dual_function(&functions[s->index], n, top) : dual_operator(s->op, top);
    return top;
}

// Value and the derivatives with respect to variables first .. first + WIDTH - 1, where number `count` is t.
static dual dual_value(const zn_tape *tape, const double *variables, double t, int first, int count)
{
    dual  stack[ZN_TAPE_DEPTH + 1]; // as above
    dual *top = stack;
    for (int i = 0; i < tape->count; i++) {
        const zn_tape_step *s = &tape->steps[i];
        if (s->op == ZN_TAPE_SKIP || (s->op == ZN_TAPE_UNLESS && top--->f == 0)) {
            i = s->index - 1;
        } else if (s->op <= ZN_TAPE_TIME) {
            double value = s->op == ZN_TAPE_NUMBER ? s->value : s->op == ZN_TAPE_TIME ? t : variables[s->index];
            int    k = (s->op == ZN_TAPE_TIME ? count : s->index) - first;
            *++top = (dual){.f = value};
            if (s->op != ZN_TAPE_NUMBER && k >= 0 && k < WIDTH)
                top->d[k] = 1;
        } else if (s->op != ZN_TAPE_UNLESS) {
            top = dual_step(s, top);
        }
    }
    return *top;
}

double zn_tape_gradient(const zn_tape *tape, int count, const double *variables, double t, double *gradient,
                        double *rate)
{
    int    all = count + (rate != NULL);
    double value = 0;
    for (int first = 0; first < all || first == 0; first += WIDTH) {
        dual d = dual_value(tape, variables, t, first, count);
        value = d.f;
        for (int k = 0; k < WIDTH && first + k < count; k++)
            gradient[first + k] = d.d[k];
        if (rate != NULL && count - first >= 0 && count - first < WIDTH)
            *rate = d.d[count - first];
    }
    return value;
}
