// What a spring tells of itself: its length l, its rate r, and its force N(l, r, t), positive when it pulls.
#include "model/element/spring.h"
#include "model/span.h"

enum { LENGTH, RATE, FORCE };

static const zn_reading readings[] = {
    {"length", "m", "distance of its ends"},
    {"rate", "m/s", "rate of its length"},
    {"force", "N", "force of spring and damper, positive when it pulls"},
};

static zn_span span_of(const zn_spring *p) { return (zn_span){.from = p->from, .to = p->to}; }

static double value(const zn_element_block *b, int e, int which, zn_at at)
{
    const zn_spring *p = (const zn_spring *)b->parameter + e;
    zn_span          span = span_of(p);
    if (which == RATE)
        return zn_span_length_rate(&span, b->layout, at);
    double length = zn_span_length(&span, b->layout, at.q);
    if (which == LENGTH)
        return length;
    zn_pull_value pull = zn_pull_at(&p->pull, length, zn_span_length_rate(&span, b->layout, at), at.t);
    return zn_pull_force(&pull);
}

static void gradient(const zn_element_block *b, int e, int which, zn_at at, zn_gradient *out)
{
    const zn_spring *p = (const zn_spring *)b->parameter + e;
    zn_span          span = span_of(p);
    double           of_length = which == LENGTH, of_rate = which == RATE;
    if (which == FORCE) {
        double        length = zn_span_length(&span, b->layout, at.q);
        zn_pull_value pull = zn_pull_at(&p->pull, length, zn_span_length_rate(&span, b->layout, at), at.t);
        of_length = pull.stiffness;
        of_rate = pull.damping;
    }
    zn_span_length_gradient(&span, b->layout, at.q, of_length, out);
    if (of_rate != 0)
        zn_span_length_rate_gradient(&span, b->layout, at, of_rate, out);
}

const zn_readings zn_spring_readings = {sizeof readings / sizeof *readings, readings, value, gradient};
