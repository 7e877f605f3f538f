// Functions of time. A signal that turns out to be the same at all times (a formula without t, a series of equal
// values) becomes a constant when it is made, so that asking for it costs a comparison.
#include "model/signal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "model/feedback.h"

static zn_signal *new_signal(zn_signal_kind kind)
{
    zn_signal *s = ZN_NEW(zn_signal, 1);
    if (s != NULL) {
        s->kind = kind;
        s->scale = 1;
    }
    return s;
}

zn_status zn_signal_constant(double value, zn_signal **out)
{
    if (!out)
        return ZN_ERR_ARGUMENT;
    if (!isfinite(value))
        return ZN_ERR_ARGUMENT;
    zn_signal *s = new_signal(ZN_SIGNAL_CONSTANT);
    if (s == NULL)
        return ZN_ERR_MEMORY;
    s->value = value;
    *out = s;
    return ZN_OK;
}

static bool series_is_valid(int count, const double *t, const double *y)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(t[i]) || !isfinite(y[i]) || (i > 0 && t[i] <= t[i - 1]))
            return false;
    return count > 0;
}

zn_status zn_signal_series(int count, const double *t, const double *y, zn_signal **out)
{
    if (!series_is_valid(count, t, y))
        return ZN_ERR_ARGUMENT;
    bool constant = true;
    for (int i = 1; i < count; i++)
        constant = constant && y[i] == y[0];
    if (constant)
        return zn_signal_constant(y[0], out);

    zn_signal *s = new_signal(ZN_SIGNAL_SERIES);
    if (s == NULL)
        return ZN_ERR_MEMORY;
    s->count = count;
    s->t = ZN_NEW(double, count);
    s->y = ZN_NEW(double, count);
    if (s->t == NULL || s->y == NULL) {
        zn_signal_destroy(s);
        return ZN_ERR_MEMORY;
    }
    memcpy(s->t, t, (size_t)count * sizeof *t);
    memcpy(s->y, y, (size_t)count * sizeof *y);
    *out = s;
    return ZN_OK;
}

zn_status zn_signal_take(zn_expression *e, zn_signal **out)
{
    zn_status status = ZN_OK;
    if (!zn_expression_uses_time(e)) {
        status = zn_signal_constant(zn_expression_at(e, 0), out);
        zn_expression_destroy(e);
        return status;
    }
    zn_signal *s = new_signal(ZN_SIGNAL_EXPRESSION);
    if (s == NULL) {
        zn_expression_destroy(e);
        return ZN_ERR_MEMORY;
    }
    s->expression = e;
    *out = s;
    return status;
}

zn_status zn_signal_expression(const char *text, int count, const char *const *names, const double *values,
                               char *message, size_t size, zn_signal **out)
{
    if (!text)
        return ZN_ERR_ARGUMENT;
    zn_expression_error error = {0};
    zn_expression      *e;
    zn_status           status = zn_expression_create(text, (zn_constants){count, names, values}, true, &error, &e);
    if (status == ZN_OK) {
        snprintf(error.message, sizeof error.message, "the value is not finite");
        status = zn_signal_take(e, out);
    }
    if (status == ZN_ERR_MEMORY)
        snprintf(error.message, sizeof error.message, "out of memory");
    if (status != ZN_OK && message != NULL && size > 0)
        snprintf(message, size, "character %d: %s", error.position + 1, error.message);
    return status;
}

zn_status zn_signal_callback(double (*at)(void *user, double t), void *user, void (*destroy)(void *user),
                             zn_signal **out)
{
    if (at == NULL)
        return ZN_ERR_ARGUMENT;
    zn_signal *s = new_signal(ZN_SIGNAL_CALLBACK);
    if (s == NULL)
        return ZN_ERR_MEMORY;
    s->at = at;
    s->user = user;
    s->destroy = destroy;
    *out = s;
    return ZN_OK;
}

zn_signal *zn_signal_destroy(zn_signal *signal)
{
    ZN_ALIVE(signal);
    if (signal == NULL)
        return NULL;
    if (signal->destroy != NULL)
        signal->destroy(signal->user);
    zn_expression_destroy(signal->expression);
    zn_feedback_destroy(signal->feedback);
    free(signal->t);
    free(signal->y);
    zn_retire(signal, sizeof *signal);
    return NULL;
}

void zn_signal_scale(zn_signal *signal, double factor)
{
    signal->value *= factor;
    signal->scale *= factor;
}

// Linear between the samples around t, found by halving.
static double series_at(const zn_signal *s, double t)
{
    int low = 0, high = s->count - 1;
    if (!(t > s->t[low]))
        return s->y[low];
    if (t >= s->t[high])
        return s->y[high];
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    double x = (t - s->t[low]) / (s->t[high] - s->t[low]);
    return (1 - x) * s->y[low] + x * s->y[high]; // exact at both ends
}

double zn_signal_at(const zn_signal *signal, double t)
{
    ZN_ALIVE(signal);
    ZN_ASSERT(signal);
    switch (signal->kind) {
    case ZN_SIGNAL_CONSTANT:
        return signal->value;
    case ZN_SIGNAL_SERIES:
        return signal->scale * series_at(signal, t);
    case ZN_SIGNAL_EXPRESSION:
        return signal->scale * zn_expression_at(signal->expression, t);
    case ZN_SIGNAL_CALLBACK:
        return signal->scale * signal->at(signal->user, t);
    case ZN_SIGNAL_FEEDBACK:
        break; // nobody asks
    }
    return 0;
}

zn_status zn_signal_take_feedback(zn_feedback *f, zn_expression *e, zn_signal **out)
{
    if (f->inputs == 0) {
        zn_feedback_destroy(f);
        return zn_signal_take(e, out);
    }
    zn_signal *s = new_signal(ZN_SIGNAL_FEEDBACK);
    f->expression = e;
    if (s == NULL) {
        zn_feedback_destroy(f);
        return ZN_ERR_MEMORY;
    }
    s->feedback = f;
    *out = s;
    return ZN_OK;
}

static double of_time(void *user, double t, const double *sensors, double *gradient)
{
    (void)sensors, (void)gradient;
    return zn_signal_at(user, t);
}

zn_status zn_signal_as_feedback(zn_model *model, zn_signal *signal, const zn_feedback **out)
{
    if (signal->kind == ZN_SIGNAL_FEEDBACK) {
        *out = signal->feedback;
        return ZN_OK;
    }
    zn_feedback *f = zn_feedback_create(model);
    zn_signal   *s = new_signal(ZN_SIGNAL_FEEDBACK);
    if (f == NULL || s == NULL) {
        zn_feedback_destroy(f);
        free(s);
        return ZN_ERR_MEMORY;
    }
    f->function = of_time;
    f->user = signal;
    s->feedback = f;
    ZN_TRY(zn_model_adopt(model, s));
    *out = f;
    return ZN_OK;
}

// What a formula finds by name.
typedef struct finder {
    zn_feedback *f;
    char        *message;
    size_t       size;
} finder;

static int find_variable(void *user, const char *name)
{
    finder *x = user;
    return zn_feedback_input_of(x->f, name, x->message, x->size);
}

zn_status zn_signal_feedback(zn_model *model, const char *text, int count, const char *const *names,
                             const double *values, char *message, size_t size, zn_signal **out)
{
    ZN_ALIVE(model);
    if (!model || !text)
        return ZN_ERR_ARGUMENT;
    char                why[160] = "";
    zn_expression_error error = {0};
    zn_expression      *e;
    finder              x = {zn_feedback_create(model), why, sizeof why};
    if (x.f == NULL)
        return ZN_ERR_MEMORY;
    zn_expression_def def = {
        .text = text, .constants = {count, names, values}, .time = true, .variable = find_variable, .user = &x};
    zn_status status = zn_expression_compile(&def, &error, &e);
    if (status == ZN_OK)
        return zn_signal_take_feedback(x.f, e, out);
    zn_feedback_destroy(x.f);
    if (message != NULL && size > 0)
        snprintf(message, size, "character %d: %s", error.position + 1,
                 error.unknown[0] != '\0' && why[0] != '\0' ? why : error.message);
    return status;
}

zn_status zn_signal_controller(zn_model *model, int count, const char *const *sensors, zn_controller controller,
                               void *user, void (*destroy)(void *user), char *message, size_t size, zn_signal **out)
{
    ZN_ALIVE(model);
    char         none[160];
    zn_feedback *f = zn_feedback_create(model);
    zn_signal   *s = new_signal(ZN_SIGNAL_FEEDBACK);
    zn_status    status = f != NULL && s != NULL ? ZN_OK : ZN_ERR_MEMORY;
    for (int i = 0; status == ZN_OK && i < count; i++) {
        int index = zn_feedback_input_of(f, sensors[i], message != NULL ? message : none, message != NULL ? size : 160);
        if (index != i) // twice the same would not be where the controller looks for it
            status = ZN_ERR_ARGUMENT;
        if (index >= 0 && index != i && message != NULL)
            snprintf(message, size, "'%s' is there twice", sensors[i]);
    }
    if (status != ZN_OK || controller == NULL) {
        zn_feedback_destroy(f);
        free(s);
        return status != ZN_OK ? status : ZN_ERR_ARGUMENT;
    }
    f->function = controller;
    f->user = user;
    f->destroy = destroy;
    s->feedback = f;
    *out = s;
    return ZN_OK;
}

bool zn_signal_is_constant(const zn_signal *signal)
{
    ZN_ALIVE(signal);
    return signal ? signal->kind == ZN_SIGNAL_CONSTANT : false;
}
