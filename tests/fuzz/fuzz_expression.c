// libFuzzer target: any bytes as a formula. It is refused with a message, or has a value and a gradient that are the
// same when asked again.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void evaluate(const zn_expression *e)
{
    static const double times[] = {0, 0.7, -1e300};
    for (int i = 0; i < 3; i++)
        if (!is_same(zn_expression_at(e, times[i]), zn_expression_at(e, times[i])))
            __builtin_trap();
    zn_expression_measure(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a", "gap", "n"};
    static const double      values[] = {1.5, 1e-3, 7};
    zn_constants             constants = {3, names, values};
    zn_expression           *e = NULL;
    zn_expression_error      error = {.message = ""};
    char                    *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    zn_status status = zn_expression_create(text, constants, true, &error, &e);
    if (status == ZN_OK)
        evaluate(e);
    else if (error.message[0] == '\0' || error.position < 0 || (size_t)error.position > strlen(text))
        __builtin_trap();
    zn_expression_destroy(e);
    e = NULL;
    if (zn_expression_create_of(text, constants, &error, &e) == ZN_OK)
        if (!is_same(zn_expression_of(e, values, 0.5), zn_expression_of(e, values, 0.5)))
            __builtin_trap();
    zn_expression_destroy(e);
    free(text);
    return 0;
}
