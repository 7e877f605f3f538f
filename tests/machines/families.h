/// Random machines by families. A machine is drawn with "up" along y (planar) or z and then turned as a whole.
///
/// What is left out, because mechanics itself leaves the outcome open or lets energy grow:
/// - restitutions that differ between contacts, or between normal and tangent: Newton's law may then create energy
///   (docs/theory/impact-law.md, Kane's example);
/// - friction above 1 on homogeneous bodies and above 0.3 on links: beyond 4/3 on a rod a sliding contact can jam
///   (Painleve), with no solution or several.
#ifndef ZN_TESTS_MACHINE_FAMILIES_H
#define ZN_TESTS_MACHINE_FAMILIES_H

#include "check.h"
#include "machines/machine.h"

// --- chance --------------------------------------------------------------------------------------

static inline double between(uint64_t *r, double low, double high) { return low + (high - low) * (draw(r) + 1) / 2; }
static inline double scale(uint64_t *r, double low, double high) { return exp(between(r, log(low), log(high))); }
static inline bool   chance(uint64_t *r, double part) { return between(r, 0, 1) < part; }
static inline int    whole(uint64_t *r, int low, int high) { return (int)floor(between(r, low, high + 1)); }

static inline vec some(uint64_t *r, const machine *m, double size)
{
    vec a = {size * draw(r), size * draw(r), size * draw(r)};
    if (m->planar)
        a.z = 0;
    return a;
}

static inline mat any_turn(uint64_t *r, bool planar)
{
    vec axis = planar ? ez : (vec){draw(r), draw(r), 0.1 + fabs(draw(r))};
    return turn(axis, between(r, -3, 3));
}

static inline vec some_spin(uint64_t *r, const machine *m, double size)
{
    return m->planar ? times(size * draw(r), ez) : some(r, m, size);
}

// --- parts ---------------------------------------------------------------------------------------

static inline vec up_of(const machine *m) { return m->planar ? ey : ez; }

static inline body *add_body(machine *m, double mass, vec x)
{
    body *b = &m->body[m->bodies++];
    *b = (body){.mass = mass, .start = {.x = x, .r = unit}};
    return b;
}

/// A homogeneous box with these sides; planar: the third is not asked for.
static inline body *add_box(machine *m, double mass, vec side, vec x)
{
    body  *b = add_body(m, mass, x);
    double xx = side.x * side.x, yy = side.y * side.y, zz = side.z * side.z;
    b->rigid = true;
    b->inertia = times(mass / 12, (vec){yy + zz, xx + zz, xx + yy});
    return b;
}

static inline body *add_ball(machine *m, double mass, double radius, vec x)
{
    body *b = add_body(m, mass, x);
    b->rigid = true;
    b->inertia = times((m->planar ? 0.5 : 0.4) * mass * radius * radius, (vec){1, 1, 1});
    return b;
}

static inline vec place_of(const machine *m, int owner, vec at)
{
    return owner == GROUND ? at : add(m->body[owner].start.x, apply(m->body[owner].start.r, at));
}

/// The place of the point `at` of body a, as body b sees it.
static inline vec seen_from(const machine *m, int b, int a, vec at)
{
    vec w = place_of(m, a, at);
    return b == GROUND ? w : apply(transposed(m->body[b].start.r), sub(w, m->body[b].start.x));
}

static inline joint *add_joint(machine *m, joint_type type, int a, vec at, int b, vec axis)
{
    joint *j = &m->joint[m->joints++];
    *j = (joint){.type = type, .a = a, .b = b, .at = at, .to_at = seen_from(m, b, a, at), .axis = axis};
    return j;
}

static inline contact *add_contact(machine *m, contact_type type, int a, vec at, int b, vec through)
{
    contact *c = &m->contact[m->contacts++];
    *c = (contact){.type = type, .a = a, .at = at, .b = b, .through = through};
    return c;
}

static inline void add_spring(machine *m, uint64_t *r, int a, vec at, int b, vec to_at)
{
    double far = length(sub(place_of(m, a, at), place_of(m, b, to_at)));
    double mass = m->body[a].mass;
    m->spring[m->springs++] = (spring){.a = a,
                                       .b = b,
                                       .at = at,
                                       .to_at = to_at,
                                       .stiffness = mass * scale(r, 1, 400),
                                       .damping = chance(r, 0.5) ? mass * between(r, 0, 2) : 0,
                                       .rest = far * between(r, 0.8, 1.2)};
}

/// All bodies turn with `spin` (world axes) about a point, which no joint between them minds.
static inline void spin_together(machine *m, vec about, vec spin)
{
    for (int i = 0; i < m->bodies; i++) {
        pose *p = &m->body[i].start;
        p->v = add(p->v, cross(spin, sub(p->x, about)));
        if (m->body[i].rigid)
            p->spin = apply(transposed(p->r), spin);
    }
}

static inline void draw_law(machine *m, uint64_t *r, double most_friction)
{
    static const double restitution[] = {0, 0, 0, 0.3, 0.7, 1};
    m->restitution = restitution[whole(r, 0, 5)];
    m->friction = chance(r, 0.5) ? 0 : between(r, 0.02, most_friction);
}

// --- families ------------------------------------------------------------------------------------

static inline void draw_flight(machine *m, uint64_t *r)
{
    int n = whole(r, 1, 3);
    m->free = true;
    if (chance(r, 0.5))
        m->gravity = origin;
    for (int i = 0; i < n; i++) {
        vec   x = add(some(r, m, 0.5), times(2 * i, ex)), side = {scale(r, 0.1, 1), scale(r, 0.1, 1), scale(r, 0.1, 1)};
        body *b = chance(r, 0.7) ? add_box(m, scale(r, 0.1, 10), side, x) : add_body(m, scale(r, 0.1, 10), x);
        b->start.v = some(r, m, 2);
        if (b->rigid) {
            b->start.r = any_turn(r, m->planar);
            b->start.spin = some_spin(r, m, 4);
        }
        if (i > 0)
            add_spring(m, r, i, b->rigid ? some(r, m, 0.2) : origin, i - 1,
                       m->body[i - 1].rigid ? some(r, m, 0.2) : origin);
    }
}

/// A rod of length l from `top` along the unit vector `along`.
static inline int add_link(machine *m, double mass, double l, vec top, vec along)
{
    vec   side = {0.1 * l, 0.1 * l, 0.1 * l}, out = cross(along, m->planar ? ez : fabs(along.x) < 0.8 ? ex : ey);
    body *b;
    out = times(1 / length(out), out);
    if (m->planar)
        side.x = l;
    else
        side.z = l;
    b = add_box(m, mass, side, add(top, times(l / 2, along)));
    vec third = m->planar ? ez : cross(along, out);
    if (m->planar) // x of the body is `along`
        b->start.r = transposed((mat){{along, cross(ez, along), ez}});
    else // z of the body is
        b->start.r = transposed((mat){{out, third, along}});
    return m->bodies - 1;
}

/// The end of a link before (-1) or behind (+1) its middle, in its axes.
static inline vec end_of(const machine *m, double l, int side) { return times(side * l / 2, m->planar ? ex : ez); }

static inline vec some_direction(uint64_t *r, const machine *m)
{
    vec a = add(some(r, m, 1), times(-1.2, up_of(m)));
    return times(1 / length(a), a);
}

static inline joint_type some_hinge(uint64_t *r, const machine *m)
{
    return m->planar || chance(r, 0.5) ? REVOLUTE : SPHERICAL;
}

/// Links that hang from the ground or fly, the last one perhaps much heavier or lighter.
static inline void add_chain(machine *m, uint64_t *r, bool hangs)
{
    int        n = whole(r, hangs ? 1 : 2, 4);
    double     l = 0, mass = scale(r, 0.1, 10);
    vec        top = some(r, m, 0.2), root = top, axis = m->planar ? ez : some(r, m, 1);
    joint_type first = some_hinge(r, m);
    for (int i = 0; i < n; i++) {
        vec    along = some_direction(r, m);
        double now = scale(r, 0.2, 0.8);
        if (i == n - 1 && chance(r, 0.5))
            mass *= scale(r, 1e-3, 1e4);
        int k = add_link(m, mass, now, top, along);
        if (i > 0 || hangs)
            add_joint(m, i == 0 ? first : some_hinge(r, m), k, end_of(m, now, -1), i == 0 ? GROUND : k - 1, axis);
        if (i > 0 && chance(r, 0.3))
            add_spring(m, r, k, origin, i == 1 && hangs ? GROUND : k - 1, end_of(m, l, -1));
        top = add(top, times(now, along));
        l = now;
    }
    if (chance(r, 0.6))
        spin_together(m, root,
                      m->planar || (hangs && first == REVOLUTE) ? times(3 * draw(r) / length(axis), axis)
                                                                : some(r, m, 3));
}

static inline void draw_chain(machine *m, uint64_t *r) { add_chain(m, r, true); }

static inline void draw_flying_chain(machine *m, uint64_t *r)
{
    m->free = true;
    add_chain(m, r, false);
    for (int i = 0; i < m->springs; i++)
        m->free = m->free && m->spring[i].b != GROUND;
}

/// Point masses on rods without mass, light and heavy.
static inline void draw_rope(machine *m, uint64_t *r)
{
    int n = whole(r, 1, 5);
    vec x = some(r, m, 0.2), root = x;
    for (int i = 0; i < n; i++) {
        vec    last = x;
        double far = scale(r, 0.1, 0.6);
        m->shortest = fmin(m->shortest, far);
        x = add(x, times(far, some_direction(r, m)));
        add_body(m, i == n - 1 ? scale(r, 0.1, 1000) : scale(r, 0.1, 1), x);
        add_joint(m, ROD, i, origin, i - 1, origin)->to_at = i == 0 ? last : origin;
    }
    if (chance(r, 0.6))
        spin_together(m, root, m->planar ? times(3 * draw(r), ez) : some(r, m, 3));
}

/// A coupler on two to four parallel rockers: all but two say what the others say already; in space all say too much.
static inline void draw_rockers(machine *m, uint64_t *r)
{
    int    n = whole(r, 2, 4);
    double l = scale(r, 0.3, 1), d = scale(r, 0.3, 1), phi = between(r, -1.2, 1.2),
           spin = chance(r, 0.5) ? 3 * draw(r) : 0;
    vec up = up_of(m), axis = m->planar ? ez : ey;
    vec along = add(times(sin(phi), ex), times(-cos(phi), up)),
        middle = add(times(d * (n - 1) / 2, ex), times(l, along));
    vec   side = {d * (n - 1), 0.05, 0.05};
    body *c = add_box(m, scale(r, 0.1, 100), side, middle);
    c->start.v = cross(times(spin, axis), times(l, along));
    for (int i = 0; i < n; i++) {
        vec   top = times(d * i, ex);
        int   k = add_link(m, scale(r, 0.1, 3), l, top, along);
        pose *p = &m->body[k].start;
        p->v = cross(times(spin, axis), times(l / 2, along));
        p->spin = apply(transposed(p->r), times(spin, axis));
        add_joint(m, REVOLUTE, k, end_of(m, l, -1), GROUND, axis);
        add_joint(m, REVOLUTE, k, end_of(m, l, 1), 0, axis);
    }
    if (chance(r, 0.3))
        add_spring(m, r, 0, origin, GROUND, add(some(r, m, 0.3), times(-2 * l, up)));
}

/// A carriage that is moved and what hangs from it.
static inline void draw_driven(machine *m, uint64_t *r)
{
    double l = scale(r, 0.2, 0.8);
    vec    side = {0.2, 0.1, 0.1};
    m->world_motion = true;
    add_box(m, scale(r, 0.1, 10), side, origin);
    add_joint(m, PRISMATIC, 0, origin, GROUND, ex);
    joint *j = add_joint(m, MOTION, 0, origin, GROUND, ex);
    j->swing = between(r, -0.2, 0.2);
    j->rate = between(r, 1, 10);
    int k = add_link(m, scale(r, 0.1, 10), l, origin, some_direction(r, m));
    add_joint(m, some_hinge(r, m), k, end_of(m, l, -1), 0, m->planar ? ez : ey);
    if (chance(r, 0.5)) {
        vec end = place_of(m, k, end_of(m, l, 1));
        add_body(m, scale(r, 0.1, 100), add(end, times(scale(r, 0.1, 0.5), some_direction(r, m))));
        add_joint(m, ROD, 2, origin, k, origin)->to_at = end_of(m, l, 1);
    }
}

#endif
