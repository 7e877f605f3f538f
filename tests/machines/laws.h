/// What must hold of every motion, from its recorded states by formulas of their own: energy, momentum, gaps, joints.
#ifndef ZN_TESTS_MACHINE_LAWS_H
#define ZN_TESTS_MACHINE_LAWS_H

#include "machines/motion.h"

static inline vec point_of(const pose *p, int owner, vec at)
{
    return owner == GROUND ? at : add(p[owner].x, apply(p[owner].r, at));
}

static inline double kinetic_of(const machine *m, const pose *p)
{
    double e = 0;
    for (int i = 0; i < m->bodies; i++) {
        vec w = p[i].spin, l = {m->body[i].inertia.x * w.x, m->body[i].inertia.y * w.y, m->body[i].inertia.z * w.z};
        e += m->body[i].mass * dot(p[i].v, p[i].v) / 2 + dot(w, l) / 2;
    }
    return e;
}

static inline double potential_of(const machine *m, const pose *p)
{
    double e = 0;
    for (int i = 0; i < m->bodies; i++)
        e -= m->body[i].mass * dot(m->gravity, p[i].x);
    for (int i = 0; i < m->springs; i++) {
        const spring *s = &m->spring[i];
        double        longer = length(sub(point_of(p, s->a, s->at), point_of(p, s->b, s->to_at))) - s->rest;
        e += s->stiffness * longer * longer / 2;
    }
    return e;
}

/// How far a contact is open. Bounded faces end: a point beside one has no gap.
static inline double gap_of(const machine *m, const contact *c, const pose *p)
{
    vec a = point_of(p, c->a, c->at), b = point_of(p, c->b, c->through);
    if (c->type == PAIR)
        return length(sub(p[c->a].x, p[c->b].x)) - m->body[c->a].sphere - m->body[c->b].sphere;
    if (c->type == CIRCLE)
        return length(sub(a, b)) - c->size - c->radius;
    if (c->type == HOLE)
        return c->size - c->radius - length(sub(a, b));
    vec    n = c->b == GROUND ? c->normal : apply(p[c->b].r, c->normal), d = sub(a, b);
    double gap = dot(n, d) / length(n) - c->radius;
    vec    beside = sub(d, times(dot(n, d) / dot(n, n), n));
    return c->bounded > 0 && length(beside) > 0.499 * c->bounded ? INFINITY : gap;
}

static inline double deepest(const machine *m, const motion *x)
{
    double worst = 0;
    for (int k = 0; k < x->rows; k++)
        for (int i = 0; i < m->contacts; i++)
            worst = fmax(worst, -gap_of(m, &m->contact[i], pose_at(x, k, 0)));
    return worst;
}

/// How far the two points of a joint are from each other, across the axis of a prismatic joint.
static inline double apart_of(const machine *m, const joint *j, const pose *p, double t)
{
    vec d = sub(point_of(p, j->a, j->at), point_of(p, j->b, j->to_at));
    if (j->type == MOTION)
        return fabs(p[j->a].x.x - m->body[j->a].start.x.x - j->swing * (1 - cos(j->rate * t)));
    if (j->type == ROD) {
        pose start[MOST_BODIES];
        for (int i = 0; i < m->bodies; i++)
            start[i] = m->body[i].start;
        return fabs(length(d) - length(sub(point_of(start, j->a, j->at), point_of(start, j->b, j->to_at))));
    }
    if (j->type == PRISMATIC) // of the families: along x, to the ground
        return length(cross(d, j->axis)) / length(j->axis);
    return length(d);
}

static inline double farthest(const machine *m, const motion *x)
{
    double worst = 0;
    for (int k = 0; k < x->rows; k++)
        for (int i = 0; i < m->joints; i++)
            worst = fmax(worst, apart_of(m, &m->joint[i], pose_at(x, k, 0), k * m->step));
    return worst;
}

static inline double fastest(const machine *m, const motion *x)
{
    double v = 0;
    for (int k = 0; k < x->rows * m->bodies; k++)
        v = fmax(v, length(x->poses[k].v) + 0.5 * length(x->poses[k].spin));
    return v;
}

/// Largest kinetic energy and range of the potential.
static inline double energy_moved(const machine *m, const motion *x)
{
    double kinetic = 0, low = INFINITY, high = -INFINITY;
    for (int k = 0; k < x->rows; k++) {
        double u = potential_of(m, pose_at(x, k, 0));
        kinetic = fmax(kinetic, kinetic_of(m, pose_at(x, k, 0)));
        low = fmin(low, u);
        high = fmax(high, u);
    }
    return kinetic + high - low;
}

/// Largest rise of the energy above what it was before.
static inline double energy_gained(const machine *m, const motion *x)
{
    double least = INFINITY, gained = 0;
    for (int k = 0; k < x->rows; k++) {
        double e = kinetic_of(m, pose_at(x, k, 0)) + potential_of(m, pose_at(x, k, 0));
        least = fmin(least, e);
        gained = fmax(gained, e - least);
    }
    return gained;
}

/// Turn of a small rotation as a vector: R = exp(vector).
static inline vec turn_of(mat r)
{
    vec    twice = {r.row[2].y - r.row[1].z, r.row[0].z - r.row[2].x, r.row[1].x - r.row[0].y};
    double sine = length(twice) / 2, cosine = (r.row[0].x + r.row[1].y + r.row[2].z - 1) / 2;
    return times(sine > 0 ? atan2(sine, cosine) / (2 * sine) : 0.5, twice);
}

static inline vec velocity_of(const pose *at, const pose *moving, int owner, vec arm)
{
    return owner == GROUND ? origin : add(moving[owner].v, apply(at[owner].r, cross(moving[owner].spin, arm)));
}

/// What a spring gets longer by per second, at one configuration with the velocities of another time.
static inline double spring_rate(const spring *s, const pose *at, const pose *moving)
{
    vec d = sub(point_of(at, s->a, s->at), point_of(at, s->b, s->to_at));
    return dot(d, sub(velocity_of(at, moving, s->a, s->at), velocity_of(at, moving, s->b, s->to_at))) / length(d);
}

/// Power of springs and of the inertia forces of rotation, -w x J w, on the velocities of another time. The scheme
/// takes the latter at spins that impulses do not change yet: known from the motion only where there are none.
static inline double force_power(const machine *m, const pose *at, const pose *moving)
{
    double power = 0;
    for (int i = 0; i < m->bodies && m->joints + m->contacts == 0; i++) {
        vec w = at[i].spin, l = {m->body[i].inertia.x * w.x, m->body[i].inertia.y * w.y, m->body[i].inertia.z * w.z};
        power -= dot(cross(w, l), moving[i].spin);
    }
    for (int i = 0; i < m->springs; i++) {
        const spring *s = &m->spring[i];
        double        longer = length(sub(point_of(at, s->a, s->at), point_of(at, s->b, s->to_at))) - s->rest;
        power -= s->stiffness * longer * spring_rate(s, at, moving);
    }
    return power;
}

/// Velocities in the middle of the step after row k: what bodies moved by.
static inline void middle_of(const machine *m, const motion *x, int k, pose *middle)
{
    const pose *from = pose_at(x, k, 0), *to = pose_at(x, k + 1, 0);
    for (int i = 0; i < m->bodies; i++) {
        middle[i].v = times(1 / m->step, sub(to[i].x, from[i].x));
        middle[i].spin = times(1 / m->step, turn_of(product(transposed(from[i].r), to[i].r)));
    }
}

/// Energy in the middle of a step of central differences,
///     E+ = T(v+) + (V + V')/2 + h v+.(F' - F)/4 ,   F the forces, V their potential, ' at the end of the step.
/// From v+ - v- = M^-1 (h F + G'P), q' = q (+) h v+ and the trapezoidal rule V' - V = -h v+.(F + F')/2 follows
///     E+ - E- = P.(U+ + U-)/2 ,   U = G v ,
/// the work of the impulses, wherever rows turn to: a contact cannot make it grow. The energy of whole steps is lower
/// for a while, by P.W P/8 with W = G M^-1 G': it has the velocity in the middle of the jump.
static inline double half_step_energy(const machine *m, const motion *x, int k, const pose *middle)
{
    const pose *from = pose_at(x, k, 0), *to = pose_at(x, k + 1, 0);
    double      potential = (potential_of(m, from) + potential_of(m, to)) / 2;
    double      turned = force_power(m, to, middle) - force_power(m, from, middle);
    return kinetic_of(m, middle) + potential + m->step * turned / 4;
}

/// Explicit dampers push against the rate before, c U-, also where that changes its sign: -h c U- (U- + U+)/2 is
/// positive then, of the third order.
static inline double late_damping(const machine *m, const pose *at, const pose *before, const pose *after)
{
    double given = 0;
    for (int i = 0; i < m->springs; i++) {
        double first = spring_rate(&m->spring[i], at, before), last = spring_rate(&m->spring[i], at, after);
        given += fmax(0, -m->step * m->spring[i].damping * first * (first + last) / 2);
    }
    return given;
}

/// Largest rise of the energy of half steps above what it was before, without what dampers that are late give.
static inline double half_step_energy_gained(const machine *m, const motion *x)
{
    pose   middle[2][MOST_BODIES];
    double least = INFINITY, gained = 0, late = 0;
    for (int k = 0; k + 1 < x->rows; k++) {
        middle_of(m, x, k, middle[k % 2]);
        late += k > 0 ? late_damping(m, pose_at(x, k, 0), middle[(k - 1) % 2], middle[k % 2]) : 0;
        double e = half_step_energy(m, x, k, middle[k % 2]) - late;
        least = fmin(least, e);
        gained = fmax(gained, e - least);
    }
    return gained;
}

/// Largest difference between our energy and the recorded one, but for a constant.
static inline double energy_misrecorded(const machine *m, const motion *x)
{
    double worst = 0, offset = 0;
    for (int k = 0; k < x->rows; k++) {
        double d = kinetic_of(m, pose_at(x, k, 0)) + potential_of(m, pose_at(x, k, 0)) - x->energy[k];
        offset = k == 0 ? d : offset;
        worst = fmax(worst, fabs(d - offset));
    }
    return worst;
}

/// Linear momentum, and angular momentum about the origin.
static inline void momentum_of(const machine *m, const pose *p, vec *linear, vec *angular)
{
    *linear = *angular = origin;
    for (int i = 0; i < m->bodies; i++) {
        vec w = p[i].spin, l = {m->body[i].inertia.x * w.x, m->body[i].inertia.y * w.y, m->body[i].inertia.z * w.z};
        *linear = add(*linear, times(m->body[i].mass, p[i].v));
        *angular = add(*angular, add(apply(p[i].r, l), times(m->body[i].mass, cross(p[i].x, p[i].v))));
    }
}

/// Of a free machine: how far the momentum is from that of the row `first` and gravity, over that of the fastest body.
static inline double momentum_lost(const machine *m, const motion *x, int first)
{
    vec    linear, angular, now, turned;
    double worst = 0, mass = 0, size = 0;
    momentum_of(m, pose_at(x, first, 0), &linear, &angular);
    for (int i = 0; i < m->bodies; i++)
        mass += m->body[i].mass;
    for (int k = first; k < x->rows; k++) {
        momentum_of(m, pose_at(x, k, 0), &now, &turned);
        for (int i = 0; i < m->bodies; i++)
            size = fmax(size, m->body[i].mass * length(pose_at(x, k, i)->v));
        worst = fmax(worst, length(sub(sub(now, linear), times(mass * m->step * (k - first), m->gravity))));
    }
    return worst / size;
}

/// Largest distance between two motions of the bodies, row `a` and row `b`: places and turns, in metres.
static inline double distance_of(const machine *m, const motion *x, int a, const motion *y, int b)
{
    double worst = 0;
    for (int i = 0; i < m->bodies; i++) {
        const pose *p = pose_at(x, a, i), *q = pose_at(y, b, i);
        worst = fmax(worst, length(sub(p->x, q->x)));
        for (int k = 0; k < 3 && m->body[i].rigid; k++)
            worst = fmax(worst, 0.2 * length(sub(p->r.row[k], q->r.row[k])));
    }
    return worst;
}

#endif
