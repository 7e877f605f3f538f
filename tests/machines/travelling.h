/// Families of machines with something on the travels of joints: stops, springs, dry friction, drives, gears, motors;
/// and elastic joints. See families.h.
///
/// Angles stay within half a turn, beyond which the judge has no memory of turns.
#ifndef ZN_TESTS_MACHINE_TRAVELLING_H
#define ZN_TESTS_MACHINE_TRAVELLING_H

#include "machines/touching.h"

/// Mass or moment of inertia that a travel moves, roughly.
static inline double moved_by(const machine *m, const joint *j)
{
    const body *b = &m->body[j->a];
    return slides(j) ? b->mass : b->mass * dot(j->at, j->at) + fmax(b->inertia.x, b->inertia.z);
}

static inline void add_travel(machine *m, uint64_t *r, joint *j)
{
    double inertia = moved_by(m, j), size = slides(j) ? 0.2 : 1;
    if (chance(r, 0.5)) {
        j->travel.limited = true;
        j->travel.low = chance(r, 0.3) ? 0 : -size * scale(r, 1e-2, 1);
        j->travel.high = size * scale(r, 1e-2, 1);
    }
    if (chance(r, 0.4))
        j->travel.dry = inertia * size * scale(r, 1, 30);
    if (chance(r, 0.4)) {
        j->travel.stiffness = inertia * scale(r, 1, 400);
        j->travel.damping = chance(r, 0.5) ? inertia * between(r, 0, 2) : 0;
        j->travel.rest = size * draw(r);
    }
}

static inline void draw_bounce(machine *m, uint64_t *r)
{
    draw_law(m, r, 1);
    m->friction = 0; // that of travels is their own
}

/// A carriage or a link first, links behind it.
static inline void add_train(machine *m, uint64_t *r, int n)
{
    vec top = origin, axis = m->planar ? ez : some(r, m, 1);
    for (int i = 0; i < n; i++) {
        double l = scale(r, 0.2, 0.6);
        vec    along = some_direction(r, m);
        if (i == 0 && chance(r, 0.4)) {
            add_box(m, scale(r, 0.1, 10), (vec){0.2, 0.1, 0.1}, origin);
            add_joint(m, PRISMATIC, 0, origin, GROUND, ex);
            continue;
        }
        int k = add_link(m, scale(r, 0.1, 10), l, top, along);
        add_joint(m, REVOLUTE, k, end_of(m, l, -1), i - 1, axis);
        top = add(top, times(l, along));
    }
}

/// A carriage takes along what hangs from it: at rest it would have nothing but rounding to judge.
static inline void push_train(machine *m, uint64_t *r)
{
    double u = slides(&m->joint[0]) ? 0.2 + draw(r) * draw(r) : 0;
    for (int i = 0; i < m->bodies; i++)
        m->body[i].start.v = times(u, ex);
}

static inline void draw_stops(machine *m, uint64_t *r)
{
    add_train(m, r, whole(r, 1, 3));
    push_train(m, r);
    draw_bounce(m, r);
    for (int i = 0; i < m->joints; i++)
        add_travel(m, r, &m->joint[i]);
    m->touchy = m->bodies > 1;
}

static inline void draw_drive(machine *m, uint64_t *r)
{
    add_train(m, r, whole(r, 1, 3));
    draw_bounce(m, r);
    joint *j = &m->joint[0];
    j->travel.driven = true;
    j->swing = (slides(j) ? 0.2 : 0.7) * draw(r);
    j->rate = between(r, 1, 10);
    for (int i = 1; i < m->joints; i++)
        add_travel(m, r, &m->joint[i]);
    m->touchy = m->bodies > 1;
}

/// Wheels out of balance beside each other, the last one perhaps a rack.
static inline void draw_gears(machine *m, uint64_t *r)
{
    int    n = whole(r, 2, 3);
    bool   clear = chance(r, 0.6);
    double rate = 2 * draw(r);
    vec    axis = m->planar ? ez : ey;
    draw_bounce(m, r);
    for (int i = 0; i < n; i++) {
        bool rack = i == n - 1 && chance(r, 0.4);
        vec  middle = times(0.5 * i, ex), at = rack ? origin : some(r, m, 0.05);
        add_box(m, scale(r, 0.1, 10), (vec){0.2, 0.2, 0.2}, sub(middle, at));
        joint *j = add_joint(m, rack ? PRISMATIC : REVOLUTE, i, at, GROUND, rack ? ex : axis);
        pose  *p = &m->body[i].start;
        p->v = rack ? times(rate, ex) : times(-rate, cross(axis, at));
        p->spin = rack ? origin : times(rate, axis);
        if (chance(r, 0.4))
            add_travel(m, r, j);
        rate *= -between(r, 0.3, 2) * (i == n - 2 ? 0.2 : 1);
    }
    for (int i = 0; i + 1 < n; i++) {
        joint *j = add_joint(m, COUPLING, i, origin, i + 1, origin);
        double first = length(m->body[i].start.spin), last = length(m->body[i + 1].start.spin);
        if (slides(&m->joint[i + 1]))
            last = length(m->body[i + 1].start.v);
        j->factor[0] = 1, j->factor[1] = first / last; // they turn against each other
        j->backlash = clear ? scale(r, 1e-3, 0.05) : 0;
    }
    m->touchy = true;
}

/// Body i on a hinge of the body before it, turning about its axis.
static inline void add_sprung_hinge(machine *m, uint64_t *r, int i, const spring *s)
{
    pose *p = &m->body[i].start;
    vec   n = times(1.5 * draw(r) / length(s->axis), s->axis), at = place_of(m, i, s->to_at), base = origin;
    add_joint(m, REVOLUTE, i, s->to_at, i - 1, s->axis);
    p->v = origin;
    if (i > 0) {
        const pose *a = &m->body[i - 1].start;
        base = apply(a->r, a->spin);
        p->v = add(a->v, cross(base, sub(at, a->x)));
    }
    base = add(base, n);
    p->v = add(p->v, cross(base, sub(p->x, at)));
    p->spin = apply(transposed(p->r), base);
}

static inline void draw_bush(machine *m, uint64_t *r)
{
    int n = whole(r, 1, 3);
    m->free = n > 1 && chance(r, 0.5);
    for (int i = 0; i < n; i++) {
        double mass = scale(r, 0.1, 10);
        body  *b = add_box(m, mass, (vec){0.3, 0.2, 0.1}, times(0.4 * i, ex));
        b->start.r = any_turn(r, m->planar);
        b->start.v = some(r, m, 0.5);
        b->start.spin = some_spin(r, m, 1.5);
        if (i == 0 && m->free)
            continue;
        spring *s = &m->spring[m->springs++];
        *s = (spring){.a = i - 1, .b = i, .type = chance(r, 0.6) ? BUSHING : TORSION, .frame = unit};
        s->axis = m->planar ? ez : add(some(r, m, 0.5), ez);
        s->to_at = some(r, m, 0.1);
        s->at = seen_from(m, s->a, i, add(s->to_at, some(r, m, 0.02)));
        if (m->planar && s->type == TORSION)
            s->axis = ez;
        s->frame = any_turn(r, m->planar);
        s->soft = times(mass * scale(r, 1, 1000), (vec){1, between(r, 0.1, 1), between(r, 0.1, 1)});
        s->weak = times(0.01 * mass * scale(r, 1, 1000), (vec){1, between(r, 0.1, 1), between(r, 0.1, 1)});
        s->late = chance(r, 0.5) ? between(r, 0, 0.05) : 0;
        s->stiffness = s->weak.x;
        s->damping = s->late * s->weak.x;
        s->rest = 0.5 * draw(r);
        if (s->type == TORSION && !m->planar && chance(r, 0.5))
            add_sprung_hinge(m, r, i, s);
    }
}

/// Controllers on one or two joints, stops and springs on others.
static inline void draw_motor(machine *m, uint64_t *r)
{
    add_train(m, r, whole(r, 1, 3));
    push_train(m, r);
    draw_bounce(m, r);
    for (int i = 0; i < m->joints; i++) {
        joint *j = &m->joint[i];
        double inertia = moved_by(m, j), size = slides(j) ? 0.2 : 1;
        if (m->motors < MOST_MOTORS && (i == 0 || chance(r, 0.5)))
            m->motor[m->motors++] = (motor){.joint = i,
                                            .gain = inertia * scale(r, 1, 400),
                                            .damping = inertia * between(r, 0, 10),
                                            .sum = chance(r, 0.5) ? inertia * between(r, 0, 50) : 0,
                                            .target = size * draw(r)};
        if (chance(r, 0.5))
            add_travel(m, r, j);
    }
    m->touchy = m->bodies > 1;
}

#endif
