// Bushing: linear in the displacement u and the rotation vector theta of `to` against `from`, in axes that `from`
// carries. With R_A, R_B the axes of the bush on both bodies, Om their spins in these axes, d = x_to - x_from:
//     u = R_A'd - u_0,             du/dt = R_A'(v_to - v_from) + (R_A'd) x Om_A
//     exp theta~ = R = R_A'R_B,    dtheta/dt = T om,   om = Om_B - R'Om_A,   T = I + theta~/2 + c theta~^2  (so3.c)
//     s = (n, m) = K z + C dz/dt,  z = (u, theta),     V = z'K z/2
// z does not change when both bodies move as one, so the forces -s.dz have no resultant and no moment:
//     on `to`:   -R_A n at its point, moment -g in R_B;   on `from`: R_A n at the same point, moment R g in R_A;  g =
//     T'm
// In the plane theta is the difference of the angles, unwrapped, and T = I. Tangents: the same, differentiated along
// each degree of freedom, with c'/|theta| = sum (2n - 2) a_n |theta|^(2n-4), c = sum a_n |theta|^(2n-2), a_n =
// |B_2n|/(2n)!
#include "model/element/bushing.h"

#include <string.h>

#include "model/rigid_row.h"

enum { DOFS = 12, TO = 0, FROM = 6 };

static const zn_bushing *parameters(const zn_element_block *b) { return b->parameter; }

static zn_vec3 add(zn_vec3 a, zn_vec3 b) { return zn_vec3_add(a, b); }
static zn_vec3 sub(zn_vec3 a, zn_vec3 b) { return zn_vec3_sub(a, b); }
static zn_vec3 cross(zn_vec3 a, zn_vec3 b) { return zn_vec3_cross(a, b); }
static zn_vec3 times(const zn_mat3 *R, zn_vec3 x) { return zn_mat3_apply(*R, x); }

static zn_vec3 back(const zn_mat3 *R, zn_vec3 x) // R'x
{
    return (zn_vec3){R->m[0][0] * x.x + R->m[1][0] * x.y + R->m[2][0] * x.z,
                     R->m[0][1] * x.x + R->m[1][1] * x.y + R->m[2][1] * x.z,
                     R->m[0][2] * x.x + R->m[1][2] * x.y + R->m[2][2] * x.z};
}

// n and m, or u and theta.
typedef struct pair {
    zn_vec3 first, second;
} pair;

static pair multiply(const double M[6][6], pair x)
{
    const double in[6] = {x.first.x, x.first.y, x.first.z, x.second.x, x.second.y, x.second.z};
    double       out[6] = {0};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            out[i] += M[i][j] * in[j];
    return (pair){{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

static pair sum(pair a, pair b) { return (pair){add(a.first, b.first), add(a.second, b.second)}; }

static double dot(pair a, pair b) { return zn_vec3_dot(a.first, b.first) + zn_vec3_dot(a.second, b.second); }

// --- where it is -----------------------------------------------------------------------------------

// One end: body, axes of the bush on it, point, its lever, and the motion of the body.
typedef struct end {
    zn_rigid body;
    zn_mat3  axes; // to world axes
    zn_vec3  point, at;
    zn_mat3  carried; // axes of the bush in those of the body
} end;

typedef struct bushing_place {
    end     A, B; // from, to
    zn_mat3 R, T;
    zn_vec3 way; // R_A'd
    pair    z;
} bushing_place;

// A motion of an end: of its point, its velocity or its change; the turn in the axes of the bush and of the body.
typedef struct motion {
    zn_vec3 point, turn, body_turn;
} motion;

static end end_of(const zn_layout *layout, const zn_attachment *a, zn_quat axes, const double *q)
{
    end e = {.body = zn_rigid_at(layout, a->node, q), .at = a->at, .carried = zn_quat_matrix(axes)};
    e.axes = zn_mat3_product(e.body.rotation, e.carried);
    e.point = zn_rigid_point(&e.body, a->at);
    return e;
}

static motion motion_of(const end *e, const double x[6])
{
    motion m = {.body_turn = {x[3], x[4], x[5]}};
    m.turn = back(&e->carried, m.body_turn);
    m.point = add((zn_vec3){x[0], x[1], x[2]}, zn_rigid_vector(&e->body, cross(m.body_turn, e->at)));
    return m;
}

static zn_quat rotation_of(const zn_rigid *b, const double *q)
{
    if (!b->node)
        return (zn_quat){1, 0, 0, 0};
    const double *r = q + b->node->q + 3;
    return (zn_quat){r[0], r[1], r[2], r[3]};
}

static bushing_place place_of(const zn_bushing *p, const zn_layout *layout, const double *q)
{
    bushing_place s = {.A = end_of(layout, &p->from, p->from_axes, q), .B = end_of(layout, &p->to, p->to_axes, q)};
    s.way = back(&s.A.axes, sub(s.B.point, s.A.point));
    s.z.first = sub(s.way, p->start);
    s.R = zn_mat3_product(zn_mat3_transpose(s.A.axes), s.B.axes);
    s.T = zn_mat3_identity();
    if (p->planar) {
        s.z.second.z = zn_rigid_angle(&s.B.body, q) - zn_rigid_angle(&s.A.body, q) - p->angle;
        return s;
    }
    zn_quat A = zn_quat_product(rotation_of(&s.A.body, q), p->from_axes),
            B = zn_quat_product(rotation_of(&s.B.body, q), p->to_axes);
    s.z.second = zn_so3_log(zn_quat_product(zn_quat_conjugate(A), B));
    s.T = zn_so3_tangent_inverse(s.z.second);
    return s;
}

// dz when the ends move.
static pair z_change(const bushing_place *s, const motion *A, const motion *B)
{
    zn_vec3 turn = sub(B->turn, back(&s->R, A->turn));
    return (pair){add(back(&s->A.axes, sub(B->point, A->point)), cross(s->way, A->turn)), times(&s->T, turn)};
}

// The velocities of both ends, gathered from degrees of freedom.
static void gather(const bushing_place *s, const double *v, motion *A, motion *B)
{
    const end *ends[2] = {&s->B, &s->A};
    motion    *out[2] = {B, A};
    for (int k = 0; k < 2; k++) {
        double x[6] = {0};
        for (int i = 0; ends[k]->body.node && i < 6; i++)
            x[i] = ends[k]->body.node->dof[i] >= 0 ? v[ends[k]->body.node->dof[i]] : 0;
        *out[k] = motion_of(ends[k], x);
    }
}

// --- forces ----------------------------------------------------------------------------------------

typedef struct bushing_state {
    bushing_place at;
    motion        A, B; // velocities
    zn_vec3       spin; // om
    pair          rate, elastic, viscous, s;
    zn_vec3       push, g; // R_A n; T'm
} bushing_state;

static zn_status evaluate(const zn_element_block *b, int e, zn_at at, bushing_state *out)
{
    const zn_bushing *p = &parameters(b)[e];
    out->at = place_of(p, b->layout, at.q);
    if (!p->planar && zn_vec3_norm(out->at.z.second) > 3)
        return zn_fail_here(b->log, ZN_INVALID_STATE, "bushing '%s': it has turned by nearly half a turn",
                            b->part_name[b->part[e]]);
    gather(&out->at, at.v, &out->A, &out->B);
    out->spin = sub(out->B.turn, back(&out->at.R, out->A.turn));
    out->rate = z_change(&out->at, &out->A, &out->B);
    out->elastic = multiply(p->K, out->at.z);
    out->viscous = multiply(p->C, out->rate);
    out->s = sum(out->elastic, out->viscous);
    out->push = times(&out->at.A.axes, out->s.first);
    out->g = back(&out->at.T, out->s.second);
    return ZN_OK;
}

static void write(double f[6], zn_vec3 force, zn_vec3 moment)
{
    const double own[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    memcpy(f, own, sizeof own);
}

// Forces and moments on both bodies, the moments in their axes.
static void forces_of(const bushing_state *s, double f[DOFS])
{
    const end *A = &s->at.A, *B = &s->at.B;
    zn_vec3    lever = back(&A->body.rotation, sub(B->point, A->body.position));
    zn_vec3    moment = cross(lever, back(&A->body.rotation, s->push));
    write(f + FROM, s->push, add(moment, times(&A->carried, times(&s->at.R, s->g))));
    moment = add(cross(B->at, back(&B->body.rotation, s->push)), times(&B->carried, s->g));
    write(f + TO, zn_vec3_scale(-1, s->push), zn_vec3_scale(-1, moment));
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int    *dof = b->dof + DOFS * e;
        bushing_state s;
        double        own[DOFS];
        ZN_TRY(evaluate(b, e, at, &s));
        forces_of(&s, own);
        for (int i = 0; i < DOFS; i++)
            if (dof[i] >= 0)
                f[dof[i]] += own[i];
    }
    return ZN_OK;
}

// --- tangents --------------------------------------------------------------------------------------

// c'/t of so3.c's c = (1 - t/2 cot t/2)/t^2.
static double slope_of_c(double t)
{
    static const double a[] = {1.0 / 720,
                               1.0 / 30240,
                               1.0 / 1209600,
                               1.0 / 47900160,
                               691.0 / 1307674368000,
                               1.0 / 74724249600,
                               3617.0 / 10670622842880000};
    if (t > 0.7) {
        double cot = 1 / zn_tan(0.5 * t);
        return (-2 / (t * t) + 0.5 * cot / t + 0.25 * (1 + cot * cot)) / (t * t);
    }
    double sum = 0;
    for (int n = 6; n >= 0; n--)
        sum = sum * t * t + (2 * n + 2) * a[n];
    return sum;
}

// dT x, and with sign -1 dT'x, when theta changes by d.
static zn_vec3 tangent_change(const zn_bushing *p, zn_vec3 theta, zn_vec3 d, double sign, zn_vec3 x)
{
    if (p->planar)
        return (zn_vec3){0, 0, 0};
    double  t = zn_vec3_norm(theta), cot = t > 0 ? 1 / zn_tan(0.5 * t) : 0;
    double  c = t > 1e-2 ? (1 - 0.5 * t * cot) / (t * t) : 1.0 / 12 + t * t * (1.0 / 720 + t * t / 30240);
    zn_vec3 twice = cross(theta, cross(theta, x)), mixed = add(cross(d, cross(theta, x)), cross(theta, cross(d, x)));
    zn_vec3 out = add(zn_vec3_scale(0.5 * sign, cross(d, x)), zn_vec3_scale(c, mixed));
    return add(out, zn_vec3_scale(slope_of_c(t) * zn_vec3_dot(theta, d), twice));
}

// The changes of everything when the ends move.
typedef struct bushing_change {
    motion  A, B;
    zn_vec3 turn; // of R
    pair    z, rate;
} bushing_change;

static zn_vec3 point_velocity_change(const end *e, const motion *velocity, const motion *x)
{
    return zn_rigid_vector(&e->body, cross(x->body_turn, cross(velocity->body_turn, e->at)));
}

static bushing_change change_of(const zn_bushing *p, const bushing_state *s, const double x[DOFS])
{
    const bushing_place *at = &s->at;
    bushing_change       d = {.A = motion_of(&at->A, x + FROM), .B = motion_of(&at->B, x + TO)};
    d.turn = sub(d.B.turn, back(&at->R, d.A.turn));
    d.z = z_change(at, &d.A, &d.B);
    zn_vec3 passing = back(&at->A.axes, sub(s->B.point, s->A.point));
    zn_vec3 bend = sub(point_velocity_change(&at->B, &s->B, &d.B), point_velocity_change(&at->A, &s->A, &d.A));
    d.rate.first = add(back(&at->A.axes, bend), add(cross(passing, d.A.turn), cross(d.z.first, s->A.turn)));
    d.rate.second = add(tangent_change(p, at->z.second, d.z.second, 1, s->spin),
                        times(&at->T, cross(d.turn, back(&at->R, s->A.turn))));
    return d;
}

// Change of the forces when s changes by `by`, and with it everything else as in d (NULL: nothing).
static void force_change(const zn_bushing *p, const bushing_state *s, const bushing_change *d, pair by, double f[DOFS])
{
    const zn_vec3        none = {0, 0, 0};
    const bushing_place *at = &s->at;
    const end           *A = &at->A, *B = &at->B;
    zn_vec3              a = d ? d->A.body_turn : none, b = d ? d->B.body_turn : none;
    zn_vec3              turned = d ? cross(d->A.turn, s->s.first) : none;
    zn_vec3              push = times(&A->axes, add(by.first, turned)), g = back(&at->T, by.second);
    if (d)
        g = add(g, tangent_change(p, at->z.second, d->z.second, -1, s->s.second));
    zn_vec3 lever = back(&A->body.rotation, sub(B->point, A->body.position)), P = back(&A->body.rotation, s->push);
    zn_vec3 shift = d ? sub(d->B.point, sub(d->A.point, zn_rigid_vector(&A->body, cross(a, A->at)))) : none;
    zn_vec3 dlever = sub(back(&A->body.rotation, shift), cross(a, lever));
    zn_vec3 dP = sub(back(&A->body.rotation, push), cross(a, P));
    zn_vec3 twist = times(&at->R, add(g, d ? cross(d->turn, s->g) : none));
    write(f + FROM, push, add(add(cross(dlever, P), cross(lever, dP)), times(&A->carried, twist)));
    P = back(&B->body.rotation, s->push);
    dP = sub(back(&B->body.rotation, push), cross(b, P));
    write(f + TO, zn_vec3_scale(-1, push), zn_vec3_scale(-1, add(cross(B->at, dP), times(&B->carried, g))));
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)a;
    for (int e = 0; e < b->count; e++) {
        const zn_bushing *p = &parameters(b)[e];
        bushing_state     s;
        ZN_TRY(evaluate(b, e, at, &s));
        for (int j = 0; j < DOFS; j++) {
            double x[DOFS] = {0}, by_q[DOFS], by_v[DOFS];
            if (b->dof[DOFS * e + j] < 0)
                continue;
            x[j] = 1;
            bushing_change d = change_of(p, &s, x);
            force_change(p, &s, &d, sum(multiply(p->K, d.z), multiply(p->C, d.rate)), by_q);
            force_change(p, &s, NULL, multiply(p->C, d.z), by_v); // velocities move z' as positions move z
            for (int i = 0; i < DOFS; i++)
                zn_element_scatter(b, e, i, j, -k * by_q[i] - c * by_v[i], values);
        }
    }
    return ZN_OK;
}

// --- energies --------------------------------------------------------------------------------------

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    (void)gravity;
    for (int e = 0; e < b->count; e++) {
        const zn_bushing *p = &parameters(b)[e];
        if (part >= 0 && b->part[e] != part)
            continue;
        bushing_place s = place_of(p, b->layout, at.q);
        out->strain += 0.5 * dot(s.z, multiply(p->K, s.z));
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        bushing_state s;
        motion        A, B;
        ZN_TRY(evaluate(b, e, at, &s));
        gather(&s.at, w, &A, &B);
        pair rate = z_change(&s.at, &A, &B);
        out->strain -= dot(s.elastic, rate);
        out->damper -= dot(s.viscous, rate);
    }
    return ZN_OK;
}

static zn_velocity_force velocity_force(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (parameters(b)[e].damped)
            return ZN_VELOCITY_DAMPER;
    return ZN_VELOCITY_NONE;
}

// Its ends are at one place as a rule: a mark on the body.
static zn_link link_of(const void *parameter)
{
    const zn_bushing *p = parameter;
    bool              body = p->to.node.value > 0;
    return (zn_link){ZN_LINK_JOINT, body ? p->to : p->from, body ? p->from : p->to};
}

// --- readings --------------------------------------------------------------------------------------

static const zn_reading readings[] = {
    {"shift_x", "m", "displacement of `to` against `from`, in the axes of the bush"},
    {"shift_y", "m", "displacement of `to` against `from`, in the axes of the bush"},
    {"shift_z", "m", "displacement of `to` against `from`, in the axes of the bush"},
    {"turn_x", "rad", "rotation vector of `to` against `from`, in the axes of the bush"},
    {"turn_y", "rad", "rotation vector of `to` against `from`, in the axes of the bush"},
    {"turn_z", "rad", "rotation vector of `to` against `from`, in the axes of the bush"},
    {"force_x", "N", "force on `from`, in the axes of the bush"},
    {"force_y", "N", "force on `from`, in the axes of the bush"},
    {"force_z", "N", "force on `from`, in the axes of the bush"},
    {"moment_x", "N m", "moment on `from` that goes with the rotation vector"},
    {"moment_y", "N m", "moment on `from` that goes with the rotation vector"},
    {"moment_z", "N m", "moment on `from` that goes with the rotation vector"},
};

static double reading(const zn_element_block *b, int e, int which, zn_at at)
{
    const zn_bushing *p = &parameters(b)[e];
    bushing_place     s = place_of(p, b->layout, at.q);
    pair              x = s.z;
    motion            A, B;
    if (which >= 6) {
        gather(&s, at.v, &A, &B);
        x = sum(multiply(p->K, s.z), multiply(p->C, z_change(&s, &A, &B)));
    }
    const double all[6] = {x.first.x, x.first.y, x.first.z, x.second.x, x.second.y, x.second.z};
    return all[which % 6];
}

static const zn_readings told = {sizeof readings / sizeof *readings, readings, reading, NULL};

const zn_element_ops zn_bushing_ops = {
    .name = "bushing",
    .nodes = 2,
    .dofs = DOFS,
    .parameter_size = sizeof(zn_bushing),
    .linear = zn_element_never_linear,
    .force = force,
    .operators = operators,
    .energy = energy,
    .power = power,
    .velocity_force = velocity_force,
    .readings = &told,
    .link = link_of,
    .between = &zn_bushing_between,
};
