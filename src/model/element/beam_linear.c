// Linear beams: two frames, small displacements and rotations, constant M and K in the axes of the nodes. The rotation
// of a node is a rotation vector in the axes the node has at the start (twice the vector of Rodrigues, 2 v/w of the
// quaternion); frames that carry linear beams add rotation vectors (layout.h), so that the model is linear exactly.
// In the axes of the beam, with Phi_y = 12 E I_z/(G A_y l^2) (0: Euler-Bernoulli), bending in the plane of x and y:
//     K = E I_z/(l^3 (1 + Phi)) [12 6l -12 6l;  . (4 + Phi)l^2 -6l (2 - Phi)l^2;  . . 12 -6l;  . . . (4 + Phi)l^2]
// likewise in the plane of x and z with the signs of the rotation changed; E A/l along, G J/l about the axis.
// Consistent mass: of the shape functions that solve the static equations; rotary inertia of the section for Timoshenko
// beams only. Lumped mass at each end: rho A l/2 of translation, rho A l^3/78 of rotation in bending (Timoshenko: and
// rho I l/2), rho I_p l/2 of torsion. Damping: C = alpha M + beta K.
//
// Reference: J. S. Przemieniecki, Theory of matrix structural analysis (1968), 5.6, 11.4; Z. Friedman, J. B. Kosmatka,
// Comput. Struct. 47 (1993) 473-481; lumped mass: F. Fekak et al., Comput. Mech. 60 (2017) 1-21.
#include "model/element/beam_linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/wide.h"
#include "model/element/beam_reading.h"

enum { SPACE = 12, PLANE = 6 };
static const int in_plane[PLANE] = {0, 1, 5, 6, 7, 11};

static const zn_beam_linear *parameters(const zn_element_block *b) { return b->parameter; }

// --- matrices in the axes of the beam --------------------------------------------------------------

typedef double matrix[SPACE][SPACE];

// The symmetric 4 x 4 matrix of (v_1, r_1, v_2, r_2) given by its upper half, at the places of one bending plane.
static void add_bending(matrix A, double scale, const double upper[10], const int place[4], double sign)
{
    for (int i = 0, k = 0; i < 4; i++)
        for (int j = i; j < 4; j++, k++) {
            double value = scale * upper[k] * ((i + j) % 2 ? sign : 1);
            A[place[i]][place[j]] += value;
            if (i != j)
                A[place[j]][place[i]] += value;
        }
}

static void add_pair(matrix A, int i, double own, double other)
{
    A[i][i] += own;
    A[i + 6][i + 6] += own;
    A[i][i + 6] += other;
    A[i + 6][i] += other;
}

static const int bending_y[4] = {1, 5, 7, 11}, bending_z[4] = {2, 4, 8, 10}; // in the planes x y and x z

static double phi_of(const zn_beam_linear_def *d, double moment, double shear)
{
    return d->theory == ZN_BEAM_TIMOSHENKO ? 12 * d->young * moment / (d->shear_modulus * shear * d->length * d->length)
                                           : 0;
}

static void stiffness(const zn_beam_linear_def *d, matrix K)
{
    const zn_beam_section *s = &d->section;
    double                 l = d->length;
    for (int plane = 0; plane < 2; plane++) {
        double I = plane == 0 ? s->moment_z : s->moment_y, phi = phi_of(d, I, plane == 0 ? s->shear_y : s->shear_z);
        const double upper[10] = {
            12, 6 * l, -12, 6 * l, (4 + phi) * l * l, -6 * l, (2 - phi) * l * l, 12, -6 * l, (4 + phi) * l * l};
        add_bending(K, d->young * I / (l * l * l * (1 + phi)), upper, plane == 0 ? bending_y : bending_z,
                    plane == 0 ? 1 : -1);
    }
    add_pair(K, 0, d->young * s->area / l, -d->young * s->area / l);
    add_pair(K, 3, d->shear_modulus * s->torsion / l, -d->shear_modulus * s->torsion / l);
}

static void consistent_mass(const zn_beam_linear_def *d, matrix M)
{
    const zn_beam_section *s = &d->section;
    double                 l = d->length, m = d->density * s->area * l, torsion = d->density * s->rotary_x * l;
    add_pair(M, 0, m / 3, m / 6);
    add_pair(M, 3, torsion / 3, torsion / 6);
    for (int plane = 0; plane < 2; plane++) {
        double I = plane == 0 ? s->moment_z : s->moment_y, p = phi_of(d, I, plane == 0 ? s->shear_y : s->shear_z),
               p2 = p * p;
        double     rotary = d->theory == ZN_BEAM_TIMOSHENKO ? plane == 0 ? s->rotary_z : s->rotary_y : 0;
        const int *place = plane == 0 ? bending_y : bending_z;
        double     sign = plane == 0 ? 1 : -1;
        double     a = 312 + 588 * p + 280 * p2, b = (44 + 77 * p + 35 * p2) * l, c = 108 + 252 * p + 140 * p2;
        double e = (26 + 63 * p + 35 * p2) * l, f = (8 + 14 * p + 7 * p2) * l * l, g = (6 + 14 * p + 7 * p2) * l * l;
        const double moved[10] = {a, b, c, -e, f, e, -g, a, -b, f};
        add_bending(M, m / (840 * (1 + p) * (1 + p)), moved, place, sign);
        double       u = (3 - 15 * p) * l, w = (4 + 5 * p + 10 * p2) * l * l, x = (-1 - 5 * p + 5 * p2) * l * l;
        const double turned[10] = {36, u, -36, u, w, -u, x, 36, -u, w};
        add_bending(M, d->density * rotary / (30 * (1 + p) * (1 + p) * l), turned, place, sign);
    }
}

static void lumped_mass(const zn_beam_linear_def *d, matrix M)
{
    const zn_beam_section *s = &d->section;
    double                 l = d->length, m = d->density * s->area * l, bending = m * l * l / 78;
    double                 own = d->theory == ZN_BEAM_TIMOSHENKO ? d->density * l / 2 : 0;
    for (int i = 0; i < 3; i++)
        add_pair(M, i, m / 2, 0);
    add_pair(M, 3, d->density * s->rotary_x * l / 2, 0);
    add_pair(M, 4, bending + own * s->rotary_y, 0);
    add_pair(M, 5, bending + own * s->rotary_z, 0);
}

// --- in the axes of the nodes ------------------------------------------------------------------------

// out = B' A B with B made of four 3 x 3 blocks on the diagonal.
static void turn(matrix A, const zn_mat3 B[4], matrix out)
{
    for (int I = 0; I < 4; I++)
        for (int J = 0; J < 4; J++) {
            zn_mat3 block;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    block.m[i][j] = A[3 * I + i][3 * J + j];
            block = zn_mat3_product(zn_mat3_transpose(B[I]), zn_mat3_product(block, B[J]));
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    out[3 * I + i][3 * J + j] = block.m[i][j];
        }
}

static void store(matrix A, bool planar, double *out)
{
    int n = planar ? PLANE : SPACE;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i * n + j] = planar ? A[in_plane[i]][in_plane[j]] : A[i][j];
}

// Axes that are those of the world but for rounding are so exactly: motions that do not couple stay apart.
static zn_mat3 without_rounding(zn_mat3 B)
{
    for (int i = 0; i < 9; i++) {
        double *x = &B.m[i / 3][i % 3], near = round(*x);
        *x = fabs(*x - near) <= 8 * DBL_EPSILON ? near : *x;
    }
    return B;
}

void zn_beam_linear_prepare(const zn_beam_linear_def *d, bool planar, zn_beam_linear *out)
{
    matrix  K = {{0}}, M = {{0}}, turned;
    zn_mat3 back = zn_mat3_transpose(zn_quat_matrix(d->axes));
    zn_mat3 B[4] = {back, zn_mat3_product(back, zn_quat_matrix(d->node[0])), back,
                    zn_mat3_product(back, zn_quat_matrix(d->node[1]))};
    for (int i = 0; i < 4; i++)
        B[i] = without_rounding(B[i]);
    if (planar) // the angle is the same in all axes
        B[1] = B[3] = zn_mat3_identity();
    stiffness(d, K);
    if (d->lumped)
        lumped_mass(d, M);
    else
        consistent_mass(d, M);
    turn(K, B, turned);
    store(turned, planar, out->K);
    turn(M, B, turned);
    if (d->lumped) // rounding must not leave anything beside the blocks of the nodes
        for (int i = 0; i < SPACE; i++)
            for (int j = 0; j < SPACE; j++)
                turned[i][j] = i / 3 != j / 3 || (i % 6 < 3 && i != j) ? 0 : turned[i][j];
    if (d->lumped)
        for (int i = 0; i < SPACE; i++)
            turned[i][i] = i % 6 < 3 ? M[i][i] : turned[i][i];
    store(turned, planar, out->M);
    out->mass = d->density * d->section.area * d->length;
    out->damping = d->damping;
    out->axes = d->axes;
    for (int i = 0; i < 2; i++) {
        out->start[i] = d->start[i];
        out->angle[i] = d->angle[i];
        out->node[i] = d->node[i];
        out->turned[i] = d->node[i].x != 0 || d->node[i].y != 0 || d->node[i].z != 0;
    }
}

// --- operations ------------------------------------------------------------------------------------

// Displacement and rotation vector of one node.
ZN_INLINE void gather_node(const zn_beam_linear *p, const double *q, int node, double *u)
{
    const double start[3] = {p->start[node].x, p->start[node].y, p->start[node].z};
    for (int i = 0; i < 3; i++)
        u[i] = q[i] - start[i];
    zn_quat r = {q[3], q[4], q[5], q[6]};
    if (p->turned[node])
        r = zn_quat_product(zn_quat_conjugate(p->node[node]), r);
    double scale = 2 / r.w;
    u[3] = scale * r.x;
    u[4] = scale * r.y;
    u[5] = scale * r.z;
}

ZN_INLINE void gather(const zn_element_block *b, int e, int n, const double *q, double u[SPACE])
{
    const zn_beam_linear *p = &parameters(b)[e];
    for (int node = 0; node < 2; node++) {
        const double *x = q + b->layout->node[b->node[2 * e + node]].q;
        if (n == SPACE)
            gather_node(p, x, node, u + 6 * node);
        else {
            u[3 * node] = x[0] - p->start[node].x;
            u[3 * node + 1] = x[1] - p->start[node].y;
            u[3 * node + 2] = x[2] - p->angle[node];
        }
    }
}

// y = A x, column by column so that it is done in vectors.
static inline void multiply(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            y[i] += A[j * n + i] * x[j]; // symmetric
}

ZN_INLINE double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

// The same for beams in space, four rows in a vector.
ZN_INLINE void multiply_space(const double *A, const double *x, double *y)
{
    zn_four sum[3] = {{0}, {0}, {0}}, *out = (zn_four *)y;
    for (int j = 0; j < SPACE; j++) {
        const zn_four *column = (const zn_four *)(A + SPACE * j);
        for (int k = 0; k < 3; k++)
            sum[k] += column[k] * x[j];
    }
    for (int k = 0; k < 3; k++)
        out[k] = sum[k];
}

ZN_INLINE void add_force(const zn_element_block *b, int n, int first, int count, zn_at at, double *f, double *strain)
{
    for (int e = first; e < first + count; e++) {
        const int *dof = b->dof + n * e;
        double     u[SPACE], r[SPACE];
        gather(b, e, n, at.q, u);
        if (n == SPACE)
            multiply_space(parameters(b)[e].K, u, r);
        else
            multiply(n, parameters(b)[e].K, u, r);
        for (int i = 0; i < n; i++)
            f[dof[i]] -= r[i];
        *strain += 0.5 * dot(n, u, r);
    }
}

ZN_WIDE static void add_force_space(const zn_element_block *b, int first, int count, zn_at at, double *f,
                                    double *strain)
{
    add_force(b, SPACE, first, count, at, f, strain);
}

static zn_status force_energy(const zn_element_block *b, int first, int count, zn_at at, double *f, double *strain)
{
    if (b->ops->dofs == SPACE)
        add_force_space(b, first, count, at, f, strain);
    else
        add_force(b, PLANE, first, count, at, f, strain);
    return ZN_OK;
}

static void pick(const zn_element_block *b, int e, const double *v, double x[SPACE])
{
    for (int i = 0; i < b->ops->dofs; i++)
        x[i] = v[b->dof[b->ops->dofs * e + i]];
}

// f = C v of element e.
static void damping_force(const zn_element_block *b, int e, const double *v, double f[SPACE])
{
    const zn_beam_linear *p = &parameters(b)[e];
    int                   n = b->ops->dofs;
    double                x[SPACE], Kx[SPACE];
    pick(b, e, v, x);
    multiply(n, p->K, x, Kx);
    multiply(n, p->M, x, f);
    for (int i = 0; i < n; i++)
        f[i] = p->damping.mass * f[i] + p->damping.stiffness * Kx[i];
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    double strain = 0, drag[SPACE];
    int    n = b->ops->dofs;
    ZN_TRY(force_energy(b, 0, b->count, at, f, &strain));
    for (int e = 0; e < b->count; e++) {
        if (!zn_is_damped(parameters(b)[e].damping))
            continue;
        damping_force(b, e, at.v, drag);
        for (int i = 0; i < n; i++)
            f[b->dof[n * e + i]] -= drag[i];
    }
    return ZN_OK;
}

static zn_velocity_force velocity_force(const zn_element_block *b)
{
    for (int e = 0; e < b->count; e++)
        if (zn_is_damped(parameters(b)[e].damping))
            return ZN_VELOCITY_DAMPER;
    return ZN_VELOCITY_NONE;
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)at;
    int n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        const zn_beam_linear *p = &parameters(b)[e];
        double                heavy = a + c * p->damping.mass, stiff = k + c * p->damping.stiffness;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                zn_element_scatter(b, e, i, j, heavy * p->M[i * n + j] + stiff * p->K[i * n + j], values);
    }
    return ZN_OK;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    int n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        double x[SPACE], y[SPACE];
        pick(b, e, a, x);
        multiply(n, parameters(b)[e].M, x, y);
        for (int i = 0; i < n; i++)
            f[b->dof[n * e + i]] += y[i];
    }
    return ZN_OK;
}

// Gravity acts as M g, which turns the nodes of a beam with consistent mass as well: potential -(M g).(x, rotation).
static double potential_of(const zn_element_block *b, int e, const double *u, zn_vec3 gravity)
{
    const double g[3] = {gravity.x, gravity.y, gravity.z};
    int          n = b->ops->dofs, per = n / 2, dim = n == SPACE ? 3 : 2;
    double       a[SPACE] = {0}, load[SPACE], sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = i % per < dim ? g[i % per] : 0;
    multiply(n, parameters(b)[e].M, a, load);
    for (int node = 0; node < 2; node++) {
        const zn_layout_node *at = &b->layout->node[b->node[2 * e + node]];
        zn_vec3               X = zn_vec3_add(at->origin, parameters(b)[e].start[node]);
        const double          x[3] = {X.x, X.y, X.z};
        for (int i = 0; i < per; i++)
            sum -= load[per * node + i] * (u[per * node + i] + (i < dim ? x[i] : 0));
    }
    return sum;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    int n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        double u[SPACE], v[SPACE], r[SPACE];
        gather(b, e, n, at.q, u);
        multiply(n, parameters(b)[e].K, u, r);
        out->strain += 0.5 * dot(n, u, r);
        out->gravity += potential_of(b, e, u, gravity);
        pick(b, e, at.v, v);
        multiply(n, parameters(b)[e].M, v, r);
        out->kinetic += 0.5 * dot(n, v, r);
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    int n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        double u[SPACE], x[SPACE], r[SPACE];
        gather(b, e, n, at.q, u);
        pick(b, e, w, x);
        multiply(n, parameters(b)[e].K, u, r);
        out->strain -= dot(n, x, r);
        if (!zn_is_damped(parameters(b)[e].damping))
            continue;
        damping_force(b, e, at.v, r);
        out->damper -= dot(n, x, r);
    }
    return ZN_OK;
}

static bool alike(const zn_element_block *b, const double *q, int e, int other)
{
    (void)q;
    return memcmp(&parameters(b)[e], &parameters(b)[other], sizeof(zn_beam_linear)) == 0;
}

// --- between two states: means of the ends, as the energy is quadratic and rotation vectors add ---------------------

static const char *lacks_between(const zn_element_block *b, int e)
{
    (void)b, (void)e;
    return NULL;
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    int n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        double u[2][SPACE], r[SPACE], drag[2][SPACE] = {{0}};
        gather(b, e, n, s.from.q, u[0]);
        gather(b, e, n, s.to.q, u[1]);
        for (int i = 0; i < n; i++)
            u[0][i] = 0.5 * (u[0][i] + u[1][i]);
        multiply(n, parameters(b)[e].K, u[0], r);
        if (zn_is_damped(parameters(b)[e].damping)) {
            damping_force(b, e, s.from.v, drag[0]);
            damping_force(b, e, s.to.v, drag[1]);
        }
        for (int i = 0; i < n; i++)
            f[b->dof[n * e + i]] -= r[i] + 0.5 * (drag[0][i] + drag[1][i]);
    }
    return ZN_OK;
}

// Half of K and C belong to the end.
static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    return operators(b, s.to, a, 0.5 * c, 0.5 * k, values);
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};

// --- section forces ----------------------------------------------------------------------------------

// u + beta v: stiffness times this is what the sections carry.
static void strained(const zn_element_block *b, int e, zn_at at, double u[SPACE])
{
    double beta = parameters(b)[e].damping.stiffness;
    int    n = b->ops->dofs;
    gather(b, e, n, at.q, u);
    for (int i = 0; beta > 0 && i < n; i++) {
        const zn_layout_node *node = &b->layout->node[b->node[2 * e + (i >= n / 2)]];
        int                   slot = i % (n / 2);
        u[i] += beta * at.v[node->dof[n == PLANE && slot == 2 ? 5 : slot]];
    }
}

// Forces at the end, which do not change along the element, and the mean of the moments at both ends: those of the
// middle.
static void section_of(const zn_element_block *b, int e, zn_at at, zn_vec3 *force, zn_vec3 *moment)
{
    const zn_beam_linear *p = &parameters(b)[e];
    int                   n = b->ops->dofs;
    double                u[SPACE], r[SPACE];
    strained(b, e, at, u);
    multiply(n, p->K, u, r);
    *force = (zn_vec3){r[n / 2], r[n / 2 + 1], n == SPACE ? r[n / 2 + 2] : 0};
    *moment = (zn_vec3){0, 0, 0.5 * (r[PLANE - 1] - r[2])};
    if (n == SPACE) {
        zn_vec3 first = zn_quat_rotate(p->node[0], (zn_vec3){r[3], r[4], r[5]});
        zn_vec3 last = zn_quat_rotate(p->node[1], (zn_vec3){r[9], r[10], r[11]});
        *moment = zn_vec3_scale(0.5, zn_vec3_sub(last, first));
    }
    *force = zn_quat_rotate(zn_quat_conjugate(p->axes), *force);
    *moment = zn_quat_rotate(zn_quat_conjugate(p->axes), *moment);
}

static double section_force2(const zn_element_block *b, int e, int which, zn_at at)
{
    zn_vec3 n, m;
    section_of(b, e, at, &n, &m);
    return (const double[ZN_BEAM2_READINGS]){n.x, n.y, m.z}[which];
}

static double section_force3(const zn_element_block *b, int e, int which, zn_at at)
{
    zn_vec3 n, m;
    section_of(b, e, at, &n, &m);
    return (const double[ZN_BEAM3_READINGS]){n.x, n.y, n.z, m.x, m.y, m.z}[which];
}

static const zn_readings readings2 = {ZN_BEAM2_READINGS, zn_beam2_reading, section_force2, NULL};
static const zn_readings readings3 = {ZN_BEAM3_READINGS, zn_beam3_reading, section_force3, NULL};

static const zn_cell cell = {.name = "beam", .vtk = 3 /* VTK_LINE */, .dim = 1, .measure = zn_cell_length};

#define BEAM_OPS(count, list)                                                                                          \
    {                                                                                                                  \
        .name = "linear beam", .nodes = 2, .dofs = (count), .parameter_size = sizeof(zn_beam_linear), .lever = true,   \
        .force = force, .operators = operators, .inertia = inertia, .energy = energy, .power = power, .alike = alike,  \
        .force_energy = force_energy, .small_rotations = true, .velocity_force = velocity_force, .cell = &cell,        \
        .between = &between, .readings = &(list),                                                                      \
    }

const zn_element_ops zn_beam_linear2_ops = BEAM_OPS(PLANE, readings2);
const zn_element_ops zn_beam_linear3_ops = BEAM_OPS(SPACE, readings3);
