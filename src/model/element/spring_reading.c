// What a spring tells of itself: its length l, its rate r, and its force N = k (l - l0) + c r, positive when it pulls.
#include "model/element/element.h"
#include "model/span.h"

enum { LENGTH, RATE, FORCE };

static const zn_reading readings[] = {
    {"length", "m", "distance of its ends"},
    {"rate", "m/s", "rate of its length"},
    {"force", "N", "force of spring and damper, positive when it pulls"},
};

static zn_span span_of(const zn_spring *p) { return (zn_span){.from = p->from, .to = p->to}; }

static double value(const void *parameter, const int *node, const zn_layout *layout, int which, zn_at at)
{
    const zn_spring *p = parameter;
    zn_span          span = span_of(p);
    (void)node;
    if (which == RATE)
        return zn_span_length_rate(&span, layout, at);
    double length = zn_span_length(&span, layout, at.q);
    if (which == LENGTH)
        return length;
    return p->stiffness * (length - p->rest_length) + p->damping * zn_span_length_rate(&span, layout, at);
}

static void gradient(const void *parameter, const int *node, const zn_layout *layout, int which, zn_at at,
                     zn_gradient *out)
{
    const zn_spring *p = parameter;
    zn_span          span = span_of(p);
    (void)node;
    double of_length = which == LENGTH ? 1 : which == FORCE ? p->stiffness : 0;
    double of_rate = which == RATE ? 1 : which == FORCE ? p->damping : 0;
    zn_span_length_gradient(&span, layout, at.q, of_length, out);
    if (of_rate != 0)
        zn_span_length_rate_gradient(&span, layout, at, of_rate, out);
}

const zn_readings zn_spring_readings = {sizeof readings / sizeof *readings, readings, value, gradient};
