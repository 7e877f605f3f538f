/// What must hold of every motion, from its recorded states by formulas of their own: energy, momentum, gaps, joints.
#ifndef ZN_TESTS_MACHINE_LAWS_H
#define ZN_TESTS_MACHINE_LAWS_H

#include "machines/motion.h"
#include "machines/places.h"

static inline double kinetic_of(const machine *m, const pose *p)
{
    double e = 0;
    for (int i = 0; i < m->bodies; i++) {
        vec w = p[i].spin, l = {m->body[i].inertia.x * w.x, m->body[i].inertia.y * w.y, m->body[i].inertia.z * w.z};
        e += m->body[i].mass * dot(p[i].v, p[i].v) / 2 + dot(w, l) / 2;
    }
    return e;
}

/// Turn of a rotation as a vector: R = exp(vector).
static inline vec turn_of(mat r)
{
    vec    twice = {r.row[2].y - r.row[1].z, r.row[0].z - r.row[2].x, r.row[1].x - r.row[0].y};
    double sine = length(twice) / 2, cosine = (r.row[0].x + r.row[1].y + r.row[2].z - 1) / 2;
    return times(sine > 0 ? atan2(sine, cosine) / (2 * sine) : 0.5, twice);
}

/// (u' soft u + theta' weak theta)/2 with what has moved and turned since the start, in the axes of the bush on a.
static inline double bushing_energy(const machine *m, const spring *s, const pose *p)
{
    pose start[MOST_BODIES];
    vec  moved = origin, turned, d[2];
    mat  axes[2][2]; // now and at the start, of a and b
    for (int i = 0; i < m->bodies; i++)
        start[i] = m->body[i].start;
    for (int k = 0; k < 2; k++) {
        const pose *q = k == 0 ? p : start;
        mat         f = transposed(s->frame), to_a, to_b; // rows: axes of the bush
        for (int i = 0; i < 3; i++) {
            to_a.row[i] = carried(m, q, s->a, f.row[i]);
            to_b.row[i] = carried(m, q, s->b, f.row[i]);
        }
        d[k] = apply(to_a, sub(point_of(q, s->b, s->to_at), point_of(q, s->a, s->at)));
        axes[k][0] = to_a, axes[k][1] = to_b;
    }
    moved = sub(d[0], d[1]);
    turned = turn_of(product(axes[0][0], transposed(axes[0][1])));
    return (s->soft.x * moved.x * moved.x + s->soft.y * moved.y * moved.y + s->soft.z * moved.z * moved.z +
            s->weak.x * turned.x * turned.x + s->weak.y * turned.y * turned.y + s->weak.z * turned.z * turned.z) /
           2;
}

static inline double spring_energy(const machine *m, const spring *s, const pose *p)
{
    if (s->type == BUSHING)
        return bushing_energy(m, s, p);
    double longer = s->type == TORSION ? angle_of(m, p, s->b, s->a, axis_of(m, s->axis, true))
                                       : length(sub(point_of(p, s->a, s->at), point_of(p, s->b, s->to_at)));
    return s->stiffness * (longer - s->rest) * (longer - s->rest) / 2;
}

static inline double potential_of(const machine *m, const pose *p)
{
    double e = 0;
    for (int i = 0; i < m->bodies; i++)
        e -= m->body[i].mass * dot(m->gravity, p[i].x);
    for (int i = 0; i < m->springs; i++)
        e += spring_energy(m, &m->spring[i], p);
    for (int i = 0; i < m->joints; i++) {
        const travel *s = &m->joint[i].travel;
        double        beyond = s->stiffness > 0 ? travel_of(m, &m->joint[i], p) - s->rest : 0;
        e += s->stiffness * beyond * beyond / 2;
    }
    return e;
}

static inline double deepest(const machine *m, const motion *x)
{
    double worst = 0;
    for (int k = 0; k < x->rows; k++)
        for (int i = 0; i < m->contacts; i++)
            worst = fmax(worst, -gap_of(m, &m->contact[i], pose_at(x, k, 0)));
    for (int k = 0; k < x->rows; k++)
        for (int i = 0; i < m->joints; i++)
            worst = fmax(worst, -joint_gap(m, &m->joint[i], pose_at(x, k, 0)));
    return worst;
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

/// Largest rise of the energy above what it was before, without what motors gave.
static inline double energy_gained(const machine *m, const motion *x)
{
    double least = INFINITY, gained = 0;
    for (int k = 0; k < x->rows; k++) {
        double e = kinetic_of(m, pose_at(x, k, 0)) + potential_of(m, pose_at(x, k, 0)) - x->work[k];
        least = fmin(least, e);
        gained = fmax(gained, e - least);
    }
    return gained;
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

/// Effort of a controller, from the recorded state.
static inline double effort_of(const machine *m, const motion *x, int k, int i)
{
    const motor *o = &m->motor[i];
    const joint *j = &m->joint[o->joint];
    const pose  *p = pose_at(x, k, 0);
    return o->gain * (o->target - travel_of(m, j, p)) - o->damping * travel_rate(m, j, p) +
           o->sum * x->sum[k * MOST_MOTORS + i];
}

/// How much more the recorded work of motors differs from the trapezoidal rule on the recorded states than it may:
/// whatever effort and rate did within a step, their product is near those of both ends.
static inline double work_misrecorded(const machine *m, const motion *x)
{
    double work = 0, worst = 0, most = 0;
    for (int k = 1; k < x->rows; k++) {
        for (int i = 0; i < m->motors; i++) {
            const joint *j = &m->joint[m->motor[i].joint];
            double       f[2] = {effort_of(m, x, k - 1, i), effort_of(m, x, k, i)};
            double       r[2] = {travel_rate(m, j, pose_at(x, k - 1, 0)), travel_rate(m, j, pose_at(x, k, 0))};
            work += m->step * (f[0] * r[0] + f[1] * r[1]) / 2;
            most += m->step * (fabs(f[1] - f[0]) * fmax(fabs(r[0]), fabs(r[1])) +
                               fabs(r[1] - r[0]) * fmax(fabs(f[0]), fabs(f[1])));
        }
        worst = fmax(worst, fabs(work - (x->work[k] - x->work[0])) - most);
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
