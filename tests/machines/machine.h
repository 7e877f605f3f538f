/// A small machine as plain numbers, vectors to compute with, and its image under a change of axes and units. Nothing
/// here comes from the library: what is judged must not judge itself.
#ifndef ZN_TESTS_MACHINE_H
#define ZN_TESTS_MACHINE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// --- vectors -------------------------------------------------------------------------------------

typedef struct vec {
    double x, y, z;
} vec;

typedef struct mat {
    vec row[3];
} mat;

static inline vec    add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec    times(double s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static inline vec    sub(vec a, vec b) { return add(a, times(-1, b)); }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double length(vec a) { return sqrt(dot(a, a)); }
static inline vec    cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static const vec origin = {0, 0, 0}, ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};
static const mat unit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, mirror = {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static inline vec apply(mat m, vec a) { return (vec){dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)}; }

static inline mat transposed(mat m)
{
    return (mat){{{m.row[0].x, m.row[1].x, m.row[2].x},
                  {m.row[0].y, m.row[1].y, m.row[2].y},
                  {m.row[0].z, m.row[1].z, m.row[2].z}}};
}

static inline mat product(mat a, mat b)
{
    mat t = transposed(b);
    return (mat){{apply(t, a.row[0]), apply(t, a.row[1]), apply(t, a.row[2])}};
}

static inline double determinant(mat m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

/// Of a unit quaternion (w, x, y, z).
static inline mat of_quaternion(const double *p)
{
    double w = p[0], x = p[1], y = p[2], z = p[3];
    return (mat){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                  {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                  {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

static inline mat turn(vec axis, double angle)
{
    vec    n = times(sin(angle / 2) / length(axis), axis);
    double p[4] = {cos(angle / 2), n.x, n.y, n.z};
    return of_quaternion(p);
}

/// The largest of the four components first, so that no root of a small number is taken.
static inline void to_quaternion(mat m, double *p)
{
    vec    a = m.row[0], b = m.row[1], c = m.row[2];
    double square[4] = {1 + a.x + b.y + c.z, 1 + a.x - b.y - c.z, 1 - a.x + b.y - c.z, 1 - a.x - b.y + c.z};
    int    k = 0;
    for (int i = 1; i < 4; i++)
        k = square[i] > square[k] ? i : k;
    double full[4][4] = {{square[0], c.y - b.z, a.z - c.x, b.x - a.y},
                         {c.y - b.z, square[1], a.y + b.x, a.z + c.x},
                         {a.z - c.x, a.y + b.x, square[2], b.z + c.y},
                         {b.x - a.y, a.z + c.x, b.z + c.y, square[3]}};
    for (int i = 0; i < 4; i++)
        p[i] = full[k][i] / (2 * sqrt(square[k]));
}

// --- a machine -----------------------------------------------------------------------------------

enum { GROUND = -1, MOST_BODIES = 8, MOST_JOINTS = 12, MOST_SPRINGS = 6, MOST_CONTACTS = 40, MOST_MOTORS = 2 };

typedef struct pose {
    vec x, v; ///< centre of mass and its velocity, in world axes
    mat r;    ///< body to world
    vec spin; ///< in body axes
} pose;

typedef struct body {
    bool   rigid;   ///< else a point mass
    double mass;    ///< [kg]
    vec    inertia; ///< about body axes; planar: z
    double sphere;  ///< radius of its shape; 0: it has none
    pose   start;
} body;

typedef enum joint_type {
    REVOLUTE,
    SPHERICAL,
    UNIVERSAL,
    PRISMATIC,
    ROD,
    FIXED,
    MOTION,
    CYLINDRICAL,
    COUPLING
} joint_type;

/// Clearance in place of equations. The block of a guide has the same height and breadth.
typedef struct clearance {
    double clear, length, radius, axial, height; ///< clear 0: there is none
    vec    across;                               ///< in world axes at the start
} clearance;

/// What acts on the angle or displacement of a joint, which is 0 at the start.
typedef struct travel {
    bool   driven;    ///< it is swing (1 - cos(rate t))
    bool   limited;   ///< by stops
    double low, high; ///< the stops
    double dry, stiffness, damping, rest;
} travel;

typedef struct joint {
    joint_type type;
    int        a, b;        ///< bodies; b may be GROUND
    vec        at, to_at;   ///< in body axes, on the ground in world axes; both meet at the start but in rods
    vec        axis, axis2; ///< in world axes at the start
    double     swing, rate; ///< motion: x = start + swing (1 - cos(rate t))
    clearance  play;
    travel     travel;
    double     factor[2], backlash; ///< coupling of the travels of joints a and b
} joint;

typedef enum spring_type { LINE, TORSION, BUSHING } spring_type;

typedef struct spring {
    int         a, b;
    vec         at, to_at;
    double      stiffness, damping, rest;
    spring_type type;
    vec         axis;       ///< torsion: in world axes at the start
    mat         frame;      ///< bushing: its axes at the start, world; carried by a
    vec         soft, weak; ///< bushing: stiffness along and about them
    double      late;       ///< bushing: damping over stiffness [s]
} spring;

/// A controller on the travel s of a joint, with a state x' = target - s:  gain (target - s) - damping s' + sum x.
typedef struct motor {
    int    joint;
    double gain, damping, sum, target;
} motor;

typedef enum contact_type { PLANE, CIRCLE, HOLE, PAIR, CYLINDER, BORE } contact_type;

typedef struct contact {
    contact_type type;
    int          a, b;             ///< point of a, surface of b; b may be GROUND
    vec          at, through;      ///< in body axes, on the ground in world axes
    vec          normal;           ///< of a plane, in the axes of b
    double       radius, size;     ///< of the point; of circle or hole
    double       bounded, breadth; ///< size of a face that ends; 0: it does not
    vec          axis;             ///< of a cylinder or bore, in the axes of b
    vec          rim;              ///< axis of the circle of `radius` about the point, in the axes of a; 0: a ball
} contact;

typedef struct machine {
    uint64_t    seed;
    const char *family;
    bool        planar;
    bool        world_motion; ///< a motion along a world axis: the machine cannot be turned
    bool        touchy;       ///< after an impact the smallest difference grows: several bodies that hit each other
    bool        ambiguous;    ///< more frictional points on a body than its motion determines forces of
    bool        free;         ///< nothing but gravity acts from outside
    vec         gravity;
    double      restitution, friction; ///< one for all contacts, see families.h
    double      step;
    double      shortest; ///< link or rod [m]
    int         steps;
    int         bodies, joints, springs, contacts, motors;
    body        body[MOST_BODIES];
    joint       joint[MOST_JOINTS];
    spring      spring[MOST_SPRINGS];
    contact     contact[MOST_CONTACTS];
    motor       motor[MOST_MOTORS];
} machine;

static inline bool slides(const joint *j) { return j->type == PRISMATIC; }

/// Everything that is open or closed.
static inline bool touches(const machine *m)
{
    bool any = m->contacts > 0;
    for (int i = 0; i < m->joints; i++)
        any = any || m->joint[i].play.clear > 0 || m->joint[i].travel.limited || m->joint[i].travel.dry > 0 ||
              m->joint[i].backlash > 0;
    return any;
}

static inline bool rubs(const machine *m)
{
    bool any = m->friction > 0;
    for (int i = 0; i < m->joints; i++)
        any = any || m->joint[i].travel.dry > 0;
    return any;
}

// --- the same machine in other axes and units ----------------------------------------------------

/// World vectors become turn reflect w metres, vectors in bodies reflect w; reflect is the unit or a mirror.
typedef struct image {
    mat    turn, reflect;
    double metre, kilogram; ///< how many new units they are
    bool   backwards;       ///< everything is written in the opposite order
} image;

static const image identity = {.turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                               .reflect = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                               .metre = 1,
                               .kilogram = 1};

static inline vec world_image(const image *f, vec w) { return apply(f->turn, apply(f->reflect, w)); }

static inline vec place_image(const image *f, int owner, vec at)
{
    return times(f->metre, owner == GROUND ? world_image(f, at) : apply(f->reflect, at));
}

static inline pose pose_image(const image *f, const pose *p)
{
    pose q;
    q.x = times(f->metre, world_image(f, p->x));
    q.v = times(f->metre, world_image(f, p->v));
    q.r = product(product(f->turn, f->reflect), product(p->r, f->reflect));
    q.spin = times(determinant(f->reflect), apply(f->reflect, p->spin));
    return q;
}

/// What `pose_image` came from.
static inline pose pose_back(const image *f, const pose *p)
{
    image back = {.turn = product(f->reflect, product(transposed(f->turn), f->reflect)),
                  .reflect = f->reflect,
                  .metre = 1 / f->metre};
    return pose_image(&back, p);
}

static inline void image_contacts(const image *f, machine *m)
{
    for (int i = 0; i < m->contacts; i++) {
        contact *c = &m->contact[i];
        c->at = place_image(f, c->a, c->at);
        c->through = place_image(f, c->b, c->through);
        c->normal = times(1 / f->metre, place_image(f, c->b, c->normal));
        c->radius *= f->metre, c->size *= f->metre, c->bounded *= f->metre, c->breadth *= f->metre;
        c->axis = times(1 / f->metre, place_image(f, c->b, c->axis));
        c->rim = times(1 / f->metre, place_image(f, c->a, c->rim));
    }
}

/// A mirrored angle has the other sign.
static inline void image_travel(const image *f, joint *j)
{
    bool   along = slides(j);
    double unit_of = along ? f->metre : determinant(f->reflect), power = along ? 1 : f->metre * f->metre;
    double low = j->travel.low * unit_of, high = j->travel.high * unit_of;
    j->travel.low = fmin(low, high), j->travel.high = fmax(low, high);
    j->travel.rest *= unit_of;
    j->travel.stiffness *= f->kilogram * power, j->travel.damping *= f->kilogram * power;
    j->travel.dry *= f->kilogram * f->metre * (along ? 1 : f->metre);
    if (j->travel.driven)
        j->swing *= unit_of;
    else
        j->swing *= f->metre * f->reflect.row[0].x; // along x
}

static inline void image_play(const image *f, clearance *p)
{
    p->clear *= f->metre, p->length *= f->metre, p->radius *= f->metre, p->axial *= f->metre, p->height *= f->metre;
    p->across = world_image(f, p->across);
}

/// The sum of travels is a length as soon as one of them is.
static inline void image_coupling(const image *f, machine *m, joint *j)
{
    const joint *part[2] = {&m->joint[j->a], &m->joint[j->b]};
    bool         is_length = slides(part[0]) || slides(part[1]);
    for (int k = 0; k < 2; k++)
        j->factor[k] *= slides(part[k]) ? 1 : determinant(f->reflect) * (is_length ? f->metre : 1);
    j->backlash *= is_length ? f->metre : 1;
}

static inline void image_motors(const image *f, machine *m)
{
    for (int i = 0; i < m->motors; i++) {
        motor *o = &m->motor[i];
        bool   along = slides(&m->joint[o->joint]);
        double power = f->kilogram * (along ? 1 : f->metre * f->metre);
        o->gain *= power, o->damping *= power, o->sum *= power;
        o->target *= along ? f->metre : determinant(f->reflect);
    }
}

static inline void image_springs(const image *f, machine *m)
{
    for (int i = 0; i < m->springs; i++) {
        spring *s = &m->spring[i];
        double  turning = f->kilogram * f->metre * f->metre, power = s->type == TORSION ? turning : f->kilogram;
        s->at = place_image(f, s->a, s->at);
        s->to_at = place_image(f, s->b, s->to_at);
        s->stiffness *= power, s->damping *= power;
        s->rest *= s->type == TORSION ? determinant(f->reflect) : f->metre;
        s->axis = world_image(f, s->axis);
        s->frame = product(product(f->turn, f->reflect), product(s->frame, f->reflect));
        s->soft = times(f->kilogram, s->soft);
        s->weak = times(turning, s->weak);
    }
}

static inline machine machine_image(const image *f, const machine *given)
{
    machine m = *given;
    m.gravity = times(f->metre, world_image(f, m.gravity));
    for (int i = 0; i < m.bodies; i++) {
        body *b = &m.body[i];
        b->mass *= f->kilogram;
        b->inertia = times(f->kilogram * f->metre * f->metre, b->inertia);
        b->sphere *= f->metre;
        b->start = pose_image(f, &b->start);
    }
    for (int i = 0; i < m.joints; i++) {
        joint *j = &m.joint[i];
        if (j->type == COUPLING) {
            image_coupling(f, &m, j);
            continue;
        }
        j->at = place_image(f, j->a, j->at);
        j->to_at = place_image(f, j->b, j->to_at);
        j->axis = world_image(f, j->axis);
        j->axis2 = world_image(f, j->axis2);
        image_travel(f, j);
        image_play(f, &j->play);
    }
    image_springs(f, &m);
    image_motors(f, &m);
    image_contacts(f, &m);
    return m;
}

#endif
