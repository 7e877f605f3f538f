/// Families of machines with clearance in joints and with rims; see families.h.
#ifndef ZN_TESTS_MACHINE_PLAYING_H
#define ZN_TESTS_MACHINE_PLAYING_H

#include "machines/touching.h"

static inline vec unit_across(vec n)
{
    vec u = cross(n, fabs(n.x) < 0.8 * length(n) ? ex : ey);
    return times(1 / length(u), u);
}

static inline joint_type some_type_with_play(uint64_t *r, const machine *m)
{
    static const joint_type types[] = {REVOLUTE, PRISMATIC, SPHERICAL, CYLINDRICAL};
    return types[whole(r, 0, m->planar ? 1 : 3)];
}

/// Centres start anywhere within the clearance, across the axis.
static inline joint *add_play(machine *m, uint64_t *r, joint_type type, int a, vec at, int b, vec axis)
{
    joint *j = add_joint(m, type, a, at, b, axis);
    vec    aside = m->planar && type != PRISMATIC ? ex : m->planar ? cross(ez, axis) : unit_across(axis);
    j->play.clear = scale(r, 3e-4, 1e-2);
    j->play.length = between(r, 0.05, 0.2);
    j->play.radius = between(r, 0.01, 0.05);
    j->play.axial = j->play.clear * between(r, 0.5, 2);
    j->play.height = between(r, 0.05, 0.2);
    j->play.across = unit_across(axis);
    vec off = times(chance(r, 0.5) ? 0 : 0.9 * j->play.clear * draw(r), aside);
    j->to_at = add(j->to_at, b == GROUND ? off : apply(transposed(m->body[b].start.r), off));
    return j;
}

/// A link on a pin with two rims, a sleeve, a ball in a socket or a block in a guide, on the ground or on a link.
static inline void draw_journal(machine *m, uint64_t *r)
{
    joint_type type = some_type_with_play(r, m);
    double     l = scale(r, 0.2, 0.6);
    int        owner = GROUND;
    vec        top = origin, axis = m->planar && type == REVOLUTE ? ez : some_direction(r, m);
    draw_law(m, r, 0.3);
    m->step *= 0.3; // what moves by many clearances in a step has no normal to speak of
    if (m->planar && type == PRISMATIC)
        axis = times(1 / length(axis), axis);
    if (chance(r, 0.4)) {
        vec along = some_direction(r, m);
        owner = add_link(m, scale(r, 0.1, 10), l, origin, along);
        add_joint(m, REVOLUTE, owner, end_of(m, l, -1), GROUND, m->planar ? ez : some(r, m, 1));
        top = times(l, along);
    }
    int k = add_link(m, scale(r, 0.1, 10), l, top, some_direction(r, m));
    add_play(m, r, type, k, end_of(m, l, chance(r, 0.5) ? -1 : 0), owner, axis);
    if (m->joint[m->joints - 1].at.x == 0 && m->joint[m->joints - 1].at.z == 0 && owner != GROUND) // it sits there
        m->body[k].start.x = top, m->joint[m->joints - 1].to_at = end_of(m, l, 1);
    m->touchy = m->restitution > 0 || owner != GROUND;
    m->ambiguous = m->friction > 0 && type != SPHERICAL && !(m->planar && type == REVOLUTE);
    if (chance(r, 0.5) && owner == GROUND && type != PRISMATIC)
        m->body[k].start.spin = apply(transposed(m->body[k].start.r), times(2 * draw(r), m->planar ? ez : axis));
}

static inline int add_disc(machine *m, double mass, double radius, vec x, mat turned)
{
    body  *b = add_body(m, mass, x);
    double square = mass * radius * radius;
    b->rigid = true;
    b->inertia = (vec){square / 4, square / 4, square / 2};
    b->start.r = turned;
    return m->bodies - 1;
}

/// A thin disc that stands on a plane, tilted, and rolls.
static inline void add_rolling_disc(machine *m, uint64_t *r)
{
    double   radius = scale(r, 0.1, 0.4), tilt = between(r, 0.9, 2.2), way = 2 * draw(r);
    mat      turned = turn(ex, tilt);
    int      k = add_disc(m, scale(r, 0.1, 10), radius, times(radius * sin(tilt) + some_height(r), ez), turned);
    vec      n = apply(turned, ez), arm = times(-radius, sub(ez, times(dot(n, ez), n)));
    contact *c = add_contact(m, PLANE, k, origin, GROUND, origin);
    c->normal = ez, c->rim = ez, c->radius = radius;
    arm = times(radius / length(arm), arm);
    m->body[k].start.spin = times(way / radius, ez);
    if (chance(r, 0.7)) // it rolls; else it slips
        m->body[k].start.v = times(-way / radius, cross(n, arm));
}

/// A rim or ball in a bore, or a ball on a cylinder; axes lie.
static inline void add_round_on_round(machine *m, uint64_t *r)
{
    bool   inside = chance(r, 0.7), rim = inside && chance(r, 0.5);
    double radius = scale(r, 0.05, 0.2), size = radius * between(r, 1.3, 4), angle = between(r, -0.7, 0.7);
    double away = inside ? size - radius - fmin(some_height(r), 0.2 * (size - radius)) : size + radius + some_height(r);
    vec    out = {sin(angle), 0, inside ? -cos(angle) : cos(angle)};
    mat    lying = turn(ex, acos(-1) / 2 + (rim ? between(r, -0.2, 0.2) : 0));
    int    k = rim ? add_disc(m, 1, radius, times(away, out), lying) : m->bodies;
    contact *c = add_contact(m, inside ? BORE : CYLINDER, k, origin, GROUND, origin);
    if (!rim)
        add_ball(m, scale(r, 0.1, 10), radius, times(away, out))->start.spin = some_spin(r, m, 8);
    c->axis = ey, c->size = size, c->radius = radius;
    c->rim = rim ? ez : origin;
    m->body[k].start.v = add(times(draw(r), cross(ey, out)), times(rim ? 0 : draw(r), ey));
}

static inline void draw_wheel(machine *m, uint64_t *r)
{
    m->planar = false;
    m->gravity = times(-length(m->gravity), ez);
    draw_law(m, r, 1);
    m->touchy = m->restitution > 0;
    m->shortest = 0.1;
    if (chance(r, 0.5))
        add_rolling_disc(m, r);
    else
        add_round_on_round(m, r);
}

#endif
