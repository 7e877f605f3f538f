/// A machine as a model file, which a failure leaves behind for whoever looks into it.
#ifndef ZN_TESTS_MACHINE_TEXT_H
#define ZN_TESTS_MACHINE_TEXT_H

#include <stdarg.h>
#include <stdio.h>

#include "machines/machine.h"

typedef struct text {
    char   bytes[1 << 15];
    size_t size;
    bool   planar;
} text;

static inline void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(t->bytes + t->size, sizeof t->bytes - t->size, format, list);
    va_end(list);
    if (n > 0)
        t->size += (size_t)n;
    assert_true(t->size < sizeof t->bytes);
}

static inline void put_vector(text *t, const char *key, vec a)
{
    if (t->planar)
        put(t, ", %s: [%.17g, %.17g]", key, a.x, a.y);
    else
        put(t, ", %s: [%.17g, %.17g, %.17g]", key, a.x, a.y, a.z);
}

static inline void put_body_name(text *t, const char *key, int number)
{
    if (number == GROUND)
        put(t, ", %s: ground", key);
    else
        put(t, ", %s: b%d", key, number);
}

static inline void put_rotation(text *t, const body *b)
{
    double p[4];
    if (t->planar) {
        put(t, ", inertia: %.17g, angle: %.17g, spin: %.17g", b->inertia.z,
            atan2(b->start.r.row[1].x, b->start.r.row[0].x), b->start.spin.z);
        return;
    }
    to_quaternion(b->start.r, p);
    put_vector(t, "inertia", b->inertia);
    put(t, ", rotation: [%.17g, %.17g, %.17g, %.17g]", p[0], p[1], p[2], p[3]);
    put_vector(t, "spin", b->start.spin);
}

static inline void put_body(text *t, const machine *m, int i)
{
    const body *b = &m->body[i];
    put(t, "  b%d: {mass: %.17g", i, b->mass);
    put_vector(t, "position", b->start.x);
    put_vector(t, "velocity", b->start.v);
    if (b->rigid)
        put_rotation(t, b);
    if (b->sphere > 0)
        put(t, ", sphere: %.17g", b->sphere);
    put(t, "}\n");
}

// With friction the tangential restitution is the same: see families.h.
static inline void put_law(text *t, const machine *m)
{
    put(t, ", restitution: %.17g", m->restitution);
    if (m->friction > 0)
        put(t, ", friction: %.17g, tangential_restitution: %.17g", m->friction, m->restitution);
}

static inline void put_play(text *t, const machine *m, const joint *j)
{
    bool is_long = j->type == PRISMATIC || (!t->planar && j->type != SPHERICAL);
    put_vector(t, "to_at", j->to_at);
    put(t, ", play: {radius: %.17g", j->play.clear);
    if (is_long)
        put(t, ", length: %.17g", j->play.length);
    if (j->type == PRISMATIC)
        put(t, ", height: %.17g", j->play.height);
    else
        put(t, ", pin_radius: %.17g", j->play.radius);
    if (j->type == PRISMATIC && !t->planar)
        put_vector(t, "across", j->play.across);
    if (j->type == REVOLUTE && !t->planar)
        put(t, ", axial: %.17g", j->play.axial);
    put_law(t, m);
    put(t, "}");
}

static inline void put_travel(text *t, const machine *m, const joint *j)
{
    const travel *s = &j->travel;
    if (s->driven)
        put(t, ", %s: \"%.17g*(1 - cos(%.17g*t))\"", slides(j) ? "displacement" : "angle", j->swing, j->rate);
    if (s->limited)
        put(t, ", limits: [%.17g, %.17g], restitution: %.17g", s->low, s->high, m->restitution);
    if (s->dry > 0)
        put(t, ", dry_friction: %.17g", s->dry);
    if (s->stiffness > 0)
        put(t, ", stiffness: %.17g, damping: %.17g, rest: %.17g", s->stiffness, s->damping, s->rest);
}

static inline void put_joint(text *t, const machine *m, int i)
{
    static const char *const words[] = {"revolute", "spherical", "universal", "prismatic",
                                        "rod",      "fixed",     "motion",    "cylindrical"};
    const joint             *j = &m->joint[i];
    if (j->type == COUPLING) {
        put(t, "  j%d: {type: coupling, joints: {j%d: %.17g, j%d: %.17g}, backlash: %.17g, restitution: %.17g}\n", i,
            j->a, j->factor[0], j->b, j->factor[1], j->backlash, m->restitution);
        return;
    }
    put(t, "  j%d: {type: %s, body: b%d", i, words[j->type], j->a);
    if (j->type == MOTION) {
        put(t, ", x: \"%.17g + %.17g*(1 - cos(%.17g*t))\"}\n", m->body[j->a].start.x.x, j->swing, j->rate);
        return;
    }
    if (m->body[j->a].rigid)
        put_vector(t, "at", j->at);
    put_body_name(t, "to", j->b);
    if (j->type == ROD && (j->b == GROUND || m->body[j->b].rigid))
        put_vector(t, "to_at", j->to_at);
    if (slides(j) || (!t->planar && (j->type == REVOLUTE || j->type == UNIVERSAL || j->type == CYLINDRICAL)))
        put_vector(t, "axis",
                   t->planar && j->b != GROUND ? apply(transposed(m->body[j->b].start.r), j->axis) : j->axis);
    if (j->type == UNIVERSAL)
        put_vector(t, "axis2", j->axis2);
    if (j->play.clear > 0)
        put_play(t, m, j);
    put_travel(t, m, j);
    put(t, "}\n");
}

static inline void put_bushing(text *t, const spring *s)
{
    double p[4], d = s->late;
    if (t->planar) {
        put(t, "type: bushing, stiffness: [%.17g, %.17g, %.17g], damping: [%.17g, %.17g, %.17g], angle: %.17g",
            s->soft.x, s->soft.y, s->weak.z, d * s->soft.x, d * s->soft.y, d * s->weak.z,
            atan2(s->frame.row[1].x, s->frame.row[0].x));
        return;
    }
    to_quaternion(s->frame, p);
    put(t, "type: bushing, stiffness: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", s->soft.x, s->soft.y, s->soft.z,
        s->weak.x, s->weak.y, s->weak.z);
    put(t, ", damping: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", d * s->soft.x, d * s->soft.y, d * s->soft.z,
        d * s->weak.x, d * s->weak.y, d * s->weak.z);
    put(t, ", rotation: [%.17g, %.17g, %.17g, %.17g]", p[0], p[1], p[2], p[3]);
}

static inline void put_spring(text *t, const machine *m, int i)
{
    const spring *s = &m->spring[i];
    put(t, "  s%d: {", i);
    if (s->type == LINE)
        put(t, "stiffness: %.17g, damping: %.17g, rest_length: %.17g", s->stiffness, s->damping, s->rest);
    else if (s->type == TORSION)
        put(t, "type: torsion, stiffness: %.17g, damping: %.17g, %s: %.17g", s->stiffness, s->damping,
            t->planar ? "preload" : "free_angle", t->planar ? -s->stiffness * s->rest : s->rest);
    else
        put_bushing(t, s);
    if (s->type == TORSION && !t->planar)
        put_vector(t, "axis", s->axis);
    put_body_name(t, "from", s->a);
    if (s->a == GROUND || m->body[s->a].rigid)
        put_vector(t, "from_at", s->at);
    put_body_name(t, "to", s->b);
    if (s->b == GROUND || m->body[s->b].rigid)
        put_vector(t, "to_at", s->to_at);
    put(t, "}\n");
}

static inline void put_surface(text *t, const contact *c)
{
    put(t, ", surface: {");
    if (c->b != GROUND)
        put(t, "body: b%d, ", c->b);
    if (c->type == PLANE)
        put(t, t->planar ? "plane: [%.17g, %.17g]" : "plane: [%.17g, %.17g, %.17g]", c->normal.x, c->normal.y,
            c->normal.z);
    else if (c->type == CYLINDER || c->type == BORE)
        put(t, "%s: {radius: %.17g, axis: [%.17g, %.17g, %.17g]}", c->type == BORE ? "bore" : "cylinder", c->size,
            c->axis.x, c->axis.y, c->axis.z);
    else
        put(t, "%s: %.17g", c->type == CIRCLE ? "circle" : "hole", c->size);
    put_vector(t, "at", c->through);
    if (c->bounded > 0 && t->planar)
        put(t, ", bounded: {length: %.17g}", c->bounded);
    else if (c->bounded > 0)
        put(t, ", bounded: {length: %.17g, breadth: %.17g}", c->bounded, c->breadth);
    put(t, "}");
}

static inline void put_contact(text *t, const machine *m, int i)
{
    const contact *c = &m->contact[i];
    if (c->type == PAIR)
        put(t, "  c%d: {between: [b%d, b%d]", i, c->a, c->b);
    else {
        put(t, "  c%d: {point: b%d", i, c->a);
        if (m->body[c->a].rigid)
            put_vector(t, "at", c->at);
        if (length(c->rim) > 0)
            put(t, ", rim: {radius: %.17g, axis: [%.17g, %.17g, %.17g]}", c->radius, c->rim.x, c->rim.y, c->rim.z);
        else if (c->radius > 0)
            put(t, ", radius: %.17g", c->radius);
        put_surface(t, c);
    }
    put_law(t, m);
    put(t, "}\n");
}

static inline void put_motor(text *t, const machine *m, int i)
{
    const motor *o = &m->motor[i];
    const char  *s = slides(&m->joint[o->joint]) ? "displacement" : "angle";
    put(t, "  m%d: {joint: j%d, %s: '%.17g*(%.17g - j%d.%s) - %.17g*j%d.rate + %.17g*i%d'}\n", i, o->joint,
        slides(&m->joint[o->joint]) ? "force" : "torque", o->gain, o->target, o->joint, s, o->damping, o->joint, o->sum,
        i);
}

static inline void put_state(text *t, const machine *m, int i)
{
    const motor *o = &m->motor[i];
    put(t, "  i%d: {rate: '%.17g - j%d.%s'}\n", i, o->target, o->joint,
        slides(&m->joint[o->joint]) ? "displacement" : "angle");
}

static inline void put_records(text *t, const machine *m)
{
    put(t, "record:\n");
    for (int i = 0; i < m->bodies; i++) {
        put(t, "  x%d: b%d.position\n  v%d: b%d.velocity\n", i, i, i, i);
        if (m->body[i].rigid)
            put(t, "  r%d: b%d.%s\n  w%d: b%d.spin\n", i, i, m->planar ? "angle" : "rotation", i, i);
    }
    put(t, "  energy: energy\n  work: ledger.motor\n");
    for (int i = 0; i < m->motors; i++)
        put(t, "  x_%d: i%d\n", i, i);
    put(t, "  ledger: ledger\n");
}

static inline void put_section(text *t, const machine *m, const char *name, int count, bool backwards,
                               void (*one)(text *, const machine *, int))
{
    if (count > 0)
        put(t, "%s:\n", name);
    for (int i = 0; i < count; i++)
        one(t, m, backwards ? count - 1 - i : i);
}

/// `scheme` as the command line has it: "nsga" or "nsga:approach=end".
static inline void machine_text(const machine *m, const char *scheme, bool backwards, text *t)
{
    const char *options = strchr(scheme, ':');
    t->size = 0;
    t->planar = m->planar;
    put(t, "zeno: 1\ntitle: %s, seed %llu\nplanar: %s\n", m->family, (unsigned long long)m->seed,
        m->planar ? "true" : "false");
    put(t, m->planar ? "gravity: [%.17g, %.17g]\n" : "gravity: [%.17g, %.17g, %.17g]\n", m->gravity.x, m->gravity.y,
        m->gravity.z);
    put_section(t, m, "bodies", m->bodies, backwards, put_body);
    put_section(t, m, "springs", m->springs, backwards, put_spring);
    put_section(t, m, "joints", m->joints, backwards, put_joint);
    put_section(t, m, "contacts", m->contacts, backwards, put_contact);
    put_section(t, m, "motors", m->motors, backwards, put_motor);
    put_section(t, m, "states", m->motors, backwards, put_state);
    put_records(t, m);
    put(t, "run: {step: %.17g, until: %.17g, scheme: ", m->step, m->step * m->steps);
    if (options == NULL)
        put(t, "%s}\n", scheme);
    else {
        put(t, "{%.*s: {", (int)(options - scheme), scheme);
        for (const char *c = options + 1; *c != 0; c++)
            put(t, *c == '=' ? ": " : *c == ',' ? ", " : "%c", *c);
        put(t, "}}}\n");
    }
}

#endif
