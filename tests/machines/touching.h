/// Families of machines with contacts; see families.h.
#ifndef ZN_TESTS_MACHINE_TOUCHING_H
#define ZN_TESTS_MACHINE_TOUCHING_H

#include "machines/families.h"

/// Where gravity points seen from the floor: down, or as on a slope.
static inline void slope(machine *m, uint64_t *r, double most)
{
    if (chance(r, 0.5))
        m->gravity = apply(turn(m->planar ? ez : ey, between(r, -most, most)), m->gravity);
}

static inline double some_height(uint64_t *r) { return chance(r, 0.5) ? 0 : between(r, 1e-3, 0.05); }

static inline void add_floor(machine *m, int owner, vec at, double radius)
{
    contact *c = add_contact(m, PLANE, owner, at, GROUND, origin);
    c->normal = up_of(m);
    c->radius = radius;
}

/// Points and balls on a floor, one beside the other or each alone, perhaps before a wall.
static inline void draw_balls(machine *m, uint64_t *r)
{
    int  n = whole(r, 1, 3);
    bool wall = chance(r, 0.4), meet = chance(r, 0.5);
    draw_law(m, r, 1);
    slope(m, r, 0.6);
    m->touchy = n > 1 && meet;
    for (int i = 0; i < n; i++) {
        double radius = chance(r, 0.3) && !meet ? 0 : 0.1, mass = scale(r, 0.1, 10), x = -(0.25 + 0.22 * i);
        vec    at = add(times(x, ex), times(radius + some_height(r), up_of(m)));
        body  *b = radius > 0 ? add_ball(m, mass, radius, at) : add_body(m, mass, at);
        b->start.v = chance(r, 0.3) ? origin : add(times(2 * draw(r), ex), m->planar ? origin : times(draw(r), ey));
        if (radius > 0 && chance(r, 0.5))
            b->start.spin = some_spin(r, m, 8);
        b->sphere = meet ? radius : 0;
        add_floor(m, i, origin, radius);
        if (wall)
            add_contact(m, PLANE, i, origin, GROUND, origin)->normal = times(-1, ex);
        m->contact[m->contacts - 1].radius = radius;
        for (int k = 0; meet && k < i; k++)
            add_contact(m, PAIR, k, origin, i, origin);
    }
}

/// Points on the lower face (or all corners) of a box.
static inline void add_feet(machine *m, int box, vec side, int lower, bool corners)
{
    vec up = up_of(m);
    for (int i = 0; i < (m->planar ? 1 : 2); i++)
        for (int k = 0; k < (corners ? 2 : 1); k++)
            for (int j = 0; j < lower; j++) {
                vec at = {side.x * (j / (lower - 1.0) - 0.5), m->planar ? 0 : side.y * (i - 0.5), 0};
                at = add(at, times((k - 0.5) * (m->planar ? side.y : side.z), up));
                add_floor(m, box, at, 0);
            }
}

static inline void draw_box(machine *m, uint64_t *r)
{
    vec  side = {scale(r, 0.1, 0.5), scale(r, 0.1, 0.5), scale(r, 0.1, 0.5)};
    bool falls = chance(r, 0.4);
    draw_law(m, r, 1);
    slope(m, r, 0.6);
    body *b = add_box(m, scale(r, 0.1, 100), side, origin);
    add_feet(m, 0, side, whole(r, 2, 3), true);
    m->ambiguous = m->friction > 0;
    if (falls) {
        b->start.r = any_turn(r, m->planar);
        b->start.spin = some_spin(r, m, 4);
        m->touchy = true;
    }
    double lowest = 0;
    for (int i = 0; i < m->contacts; i++)
        lowest = fmin(lowest, dot(up_of(m), apply(b->start.r, m->contact[i].at)));
    b->start.x = times(some_height(r) * falls - lowest, up_of(m));
    if (chance(r, 0.6))
        b->start.v = add(times(2 * draw(r), ex), m->planar ? origin : times(draw(r), ey));
}

/// Boxes on each other with two or three points along each face: more than their motion needs.
static inline void draw_stack(machine *m, uint64_t *r)
{
    int    n = whole(r, 2, 3), feet = whole(r, 2, 3);
    double height = 0, drop = chance(r, 0.5) ? between(r, 1e-3, 0.01) : 0;
    bool   bounded = chance(r, 0.4);
    vec    up = up_of(m);
    draw_law(m, r, 0.8);
    slope(m, r, 0.3);
    m->ambiguous = m->friction > 0;
    m->touchy = drop > 0 || bounded;
    for (int i = 0; i < n; i++) {
        vec    side = {between(r, 0.3, 0.6), m->planar ? between(r, 0.1, 0.3) : between(r, 0.3, 0.6),
                       between(r, 0.1, 0.3)};
        double tall = m->planar ? side.y : side.z;
        int    first = m->contacts;
        add_box(m, scale(r, 0.1, 30), side, add(times(0.05 * draw(r), ex), times(height + drop + tall / 2, up)));
        add_feet(m, i, side, feet, false);
        for (int k = first; i > 0 && k < m->contacts; k++) {
            contact *c = &m->contact[k];
            c->b = i - 1;
            c->through = times(height - dot(m->body[i - 1].start.x, up), up);
            c->bounded = c->breadth = bounded ? 0.7 : 0;
        }
        height += tall + drop;
    }
}

/// A column of balls, light below heavy or the other way round.
static inline void draw_column(machine *m, uint64_t *r)
{
    int    n = whole(r, 2, 4);
    double height = 0, ratio = scale(r, 0.05, 20), mass = 1;
    draw_law(m, r, 0.5);
    m->touchy = true; // an upright column is unstable
    for (int i = 0; i < n; i++, mass *= ratio) {
        double radius = between(r, 0.05, 0.15);
        height += radius + some_height(r) / 10;
        body *b = add_ball(m, mass, radius, times(height, up_of(m)));
        b->sphere = radius;
        height += radius;
        if (i == 0)
            add_floor(m, 0, origin, radius);
        else
            add_contact(m, PAIR, i - 1, origin, i, origin);
    }
}

/// A chain of links above or on a table.
static inline void draw_table(machine *m, uint64_t *r)
{
    int    n = whole(r, 1, 3);
    double height = some_height(r), x = 0;
    draw_law(m, r, 0.3);
    m->ambiguous = m->friction > 0 && n > 1;
    m->touchy = n > 1 && (height > 0 || m->restitution > 0);
    for (int i = 0; i < n; i++) {
        double l = scale(r, 0.2, 0.6);
        int    k = add_link(m, scale(r, 0.1, 10), l, add(times(x, ex), times(height, up_of(m))), ex);
        if (i > 0)
            add_joint(m, REVOLUTE, k, end_of(m, l, -1), k - 1, m->planar ? ez : ey);
        else
            add_floor(m, k, end_of(m, l, -1), 0);
        add_floor(m, k, end_of(m, l, 1), 0);
        x += l;
    }
    if (!m->planar && n == 1) // a rod on its axis rolls nowhere: a third foot
        add_floor(m, 0, add(end_of(m, 0.1, 1), times(-0.3, ey)), 0);
    if (chance(r, 0.5))
        for (int i = 0; i < m->bodies; i++)
            m->body[i].start.v = ex;
}

/// A point or disc inside a ring or outside a drum; planar.
static inline void draw_ring(machine *m, uint64_t *r)
{
    bool   inside = chance(r, 0.6);
    double size = scale(r, 0.3, 1), radius = chance(r, 0.5) ? 0.05 : 0, away = size + (inside ? -radius : radius);
    double angle = between(r, -0.7, 0.7);
    vec    out = inside ? (vec){sin(angle), -cos(angle), 0} : (vec){sin(angle), cos(angle), 0};
    m->planar = true;
    m->gravity = times(-length(m->gravity), ey);
    draw_law(m, r, 1);
    away += some_height(r) * (inside ? -1 : 1);
    body *b = radius > 0 ? add_ball(m, 1, radius, times(away, out)) : add_body(m, 1, times(away, out));
    b->start.v = times(2 * draw(r), cross(ez, out));
    contact *c = add_contact(m, inside ? HOLE : CIRCLE, 0, origin, GROUND, origin);
    c->size = size;
    c->radius = radius;
}

/// A pendulum in a bearing with play: its journal is in a hole of the ground, or of a body that hangs itself.
static inline void draw_bearing(machine *m, uint64_t *r)
{
    double gap = scale(r, 1e-3, 1e-2), l = scale(r, 0.2, 0.6);
    int    owner = GROUND;
    vec    middle = origin;
    m->planar = true;
    m->gravity = times(-length(m->gravity), ey);
    draw_law(m, r, 0.3);
    m->touchy = m->restitution > 0;
    if (chance(r, 0.5)) {
        vec along = some_direction(r, m);
        owner = add_link(m, scale(r, 0.1, 10), l, origin, along);
        add_joint(m, REVOLUTE, owner, end_of(m, l, -1), GROUND, ez);
        middle = times(l, along);
    }
    int      k = add_link(m, scale(r, 0.1, 10), l, add(middle, times(-gap, ey)), some_direction(r, m));
    contact *c = add_contact(m, HOLE, k, end_of(m, l, -1), owner, owner == GROUND ? origin : end_of(m, l, 1));
    c->radius = 0.02;
    c->size = 0.02 + gap;
}

/// Painleve's paradox: can one link on a hinge jam on the floor, a distance `height` below the hinge? Its end moves
/// with w a, a = axis x r, and an impulse in the cone that pushes it down, a.P of the other sign than a_N P_N, exists
/// when friction >= |a_N| / |a_T|: then an impact with friction has no answer, or infinitely many. Where r_N = -height,
///     a_N^2 = |a|^2 (1 - axis_N^2) - (height + (r.axis) axis_N)^2 .
static inline bool jams(const machine *m, double height)
{
    const joint *j = &m->joint[0];
    if (m->bodies != 1 || j->type != REVOLUTE)
        return false;
    vec    axis = times(1 / length(j->axis), j->axis), r = apply(m->body[0].start.r, times(-2, j->at));
    double along = dot(r, axis), up = dot(axis, up_of(m)), circle = dot(r, r) - along * along;
    double normal = circle * (1 - up * up) - (height + along * up) * (height + along * up);
    return normal < 1.2 * m->friction * m->friction * (circle - normal); // within a step the link turns on
}

/// A jointed machine over a floor: an arm whose end hits, a slider that hits a stop.
static inline void draw_arm(machine *m, uint64_t *r)
{
    vec up = up_of(m);
    add_chain(m, r, true);
    draw_law(m, r, 0.3);
    m->touchy = m->bodies > 1;
    double lowest = INFINITY;
    for (int i = 0; i < m->bodies; i++) // both ends; a rod of ten times its thickness
        for (int side = -1; side <= 1; side += 2) {
            double l = sqrt(12 / 1.01 * m->body[i].inertia.y / m->body[i].mass);
            lowest = fmin(lowest, dot(up, place_of(m, i, end_of(m, l, side))));
            add_floor(m, i, end_of(m, l, side), 0);
        }
    lowest -= some_height(r) / 5;
    if (jams(m, dot(up, place_of(m, 0, m->joint[0].at)) - lowest))
        m->friction = 0;
    for (int i = 0; i < m->contacts; i++)
        m->contact[i].through = times(lowest, up);
}

#endif
