// Spatial geometrically exact beam (Simo-Reissner): two frames, one integration point in the middle. Rotations are
// interpolated between the nodes along the relative rotation, so that strains do not change in a rigid motion.
//     Theta = log(R_1'R_2),  R = R_1 exp(Theta/2) = R_2 exp(-Theta/2),  d = x_2 - x_1
//     Gamma = R'd / l - Gamma_0                axial strain, two shears, in the axes of the section
//     kappa = Theta / l - kappa_0              torsion, two bendings
//     n = C_n Gamma,  m = C_m kappa,           V = l/2 (n.Gamma + m.kappa)
// Spins dtheta of nodes and middle are in their own axes. With S = Theta~, T the right tangent of exp at Theta and
// tau = tan(|Theta|/4) / |Theta|:
//     dTheta = T^-1 dtheta_2 - T^-' dtheta_1
//     dtheta = B_1 dtheta_1 + B_2 dtheta_2,    B_1 = (I - tau S)/2 = B_2',  B_2 = (I + tau S)/2
// (B_2 = T(Theta/2) T(Theta)^-1 / 2: across the axis, with S acting as i t, it is 1/(1 + exp(-i t/2)).)
// With g = R'd and c = n x g:
//     dV = R n . (dx_2 - dx_1) + c . dtheta + m . dTheta
// and K follows by differentiating once more; it is symmetric in equilibrium only.
// Mass: translations rho A l [1/3 1/6; 1/6 1/3] or half at each node; rotations likewise with J = rho I l in the axes
// of the section, the spins of both nodes by their components: p_i = sum_j m_ij J Omega_j. The equations of rotation
// are p_i' + Omega_i x p_i = moment, so that energy and angular momentum sum x_i x (M v)_i + R_i p_i are kept.
// Node coordinates are displacements; see beam2.c for how small strains keep their digits.
//
// A section may have other axes than its node, of a body say: R_i above is R_node A_i with a constant A_i. Spins of the
// section are A_i' times those of the node, moments on the node A_i times those on the section, and K and M follow with
// no further terms.
//
// Reference: J. C. Simo, Comput. Methods Appl. Mech. Eng. 49 (1985) 55-70; J. C. Simo, L. Vu-Quoc, ibid. 58 (1986)
// 79-116; interpolation by relative rotation: M. A. Crisfield, G. Jelenic, Proc. R. Soc. A 455 (1999) 1125-1147.
#include "model/element/beam_mass.h"
#include "model/element/beam_reading.h"
#include "model/element/element.h"

enum { DOFS = 12, BLOCKS = 4 }; // blocks of 3: x_1, theta_1, x_2, theta_2
#define TURN_MAX 3.0            // of one node against the other [rad]: the logarithm jumps at pi

static const zn_beam3 *parameters(const zn_element_block *b) { return b->parameter; }

// --- small matrices --------------------------------------------------------------------------------

// a A + b B
static zn_mat3 combine(double a, zn_mat3 A, double b, zn_mat3 B)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            A.m[i][j] = a * A.m[i][j] + b * B.m[i][j];
    return A;
}

// s a b'
static zn_mat3 outer(double s, zn_vec3 a, zn_vec3 b)
{
    return (zn_mat3){{{s * a.x * b.x, s * a.x * b.y, s * a.x * b.z},
                      {s * a.y * b.x, s * a.y * b.y, s * a.y * b.z},
                      {s * a.z * b.x, s * a.z * b.y, s * a.z * b.z}}};
}

static zn_mat3 diagonal(const double d[3]) { return (zn_mat3){{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}}}; }
static zn_vec3 multiply(const double d[3], zn_vec3 a) { return (zn_vec3){d[0] * a.x, d[1] * a.y, d[2] * a.z}; }
static zn_vec3 apply_transposed(zn_mat3 A, zn_vec3 x) { return zn_mat3_apply(zn_mat3_transpose(A), x); }

// --- sections and their nodes ----------------------------------------------------------------------

// From axes of the section to those of node i, and back.
static zn_vec3 to_node(const zn_beam3 *p, int i, zn_vec3 x) { return p->turned ? zn_quat_rotate(p->axes[i], x) : x; }

static zn_vec3 to_section(const zn_beam3 *p, int i, zn_vec3 x)
{
    return p->turned ? zn_quat_rotate(zn_quat_conjugate(p->axes[i]), x) : x;
}

// A_i B A_j'
static zn_mat3 block_to_nodes(const zn_beam3 *p, int i, int j, zn_mat3 B)
{
    if (!p->turned)
        return B;
    return zn_mat3_product(zn_quat_matrix(p->axes[i]),
                           zn_mat3_product(B, zn_mat3_transpose(zn_quat_matrix(p->axes[j]))));
}

// --- strains and resultants ------------------------------------------------------------------------

typedef struct section_state {
    zn_vec3 theta;            // Theta
    double  tau;              // tan(t/4)/t
    zn_vec3 strain, bend;     // Gamma, kappa
    zn_vec3 n, m;             // resultants
    zn_vec3 g, c;             // R'd, n x g
    zn_mat3 R, inverse;       // of the middle; T^-1
    zn_vec3 gradient[BLOCKS]; // dV
} section_state;

static zn_quat rotation_of(const zn_layout_node *node, const double *q)
{
    const double *r = q + node->q + 3;
    return (zn_quat){r[0], r[1], r[2], r[3]};
}

// B_2 x for sign = +1, B_1 x for sign = -1.
static zn_vec3 share(const section_state *s, double sign, zn_vec3 x)
{
    return zn_vec3_scale(0.5, zn_vec3_add(x, zn_vec3_scale(sign * s->tau, zn_vec3_cross(s->theta, x))));
}

// R'd / l - Gamma_0 = R'(u_2 - u_1) / l + (Q' - I) Gamma_0 with R = R_0 Q, Q = (w; v).
static zn_vec3 strain_of(const zn_beam3 *p, zn_quat R, zn_vec3 u)
{
    zn_quat Q = zn_quat_product(zn_quat_conjugate(p->middle0), R);
    zn_vec3 v = {Q.x, Q.y, Q.z}, once = zn_vec3_cross(v, p->strain0), twice = zn_vec3_cross(v, once);
    zn_vec3 turned = zn_vec3_add(zn_vec3_scale(-2 * Q.w, once), zn_vec3_scale(2, twice));
    return zn_vec3_add(zn_vec3_scale(1 / p->length, zn_quat_rotate(zn_quat_conjugate(R), u)), turned);
}

static zn_status evaluate(const zn_element_block *b, int e, const double *q, section_state *s)
{
    const zn_beam3       *p = &parameters(b)[e];
    const zn_layout_node *n1 = &b->layout->node[b->node[2 * e]], *n2 = &b->layout->node[b->node[2 * e + 1]];
    const double         *x1 = q + n1->q, *x2 = q + n2->q;
    zn_quat               r1 = rotation_of(n1, q), r2 = rotation_of(n2, q);
    if (p->turned) {
        r1 = zn_quat_product(r1, p->axes[0]);
        r2 = zn_quat_product(r2, p->axes[1]);
    }
    s->theta = zn_so3_log(zn_quat_product(zn_quat_conjugate(r1), r2));
    double turn = zn_vec3_norm(s->theta);
    if (!(turn <= TURN_MAX))
        return zn_fail_here(b->log, ZN_INVALID_STATE,
                            "beam '%s': the ends of an element are turned by %g rad against each other; use more "
                            "elements",
                            b->part_name[b->part[e]], turn);
    zn_quat R = zn_quat_product(r1, zn_so3_exp(zn_vec3_scale(0.5, s->theta)));
    s->tau = turn > 0 ? zn_tan(0.25 * turn) / turn : 0.25;
    s->strain = strain_of(p, R, zn_vec3_sub((zn_vec3){x2[0] - x1[0], x2[1] - x1[1], x2[2] - x1[2]}, p->start));
    s->bend = zn_vec3_sub(zn_vec3_scale(1 / p->length, s->theta), p->curvature0);
    s->n = multiply(p->force, s->strain);
    s->m = multiply(p->moment, s->bend);
    s->g = zn_vec3_scale(p->length, zn_vec3_add(s->strain, p->strain0));
    s->c = zn_vec3_cross(s->n, s->g);
    s->R = zn_quat_matrix(R);
    s->inverse = zn_so3_tangent_inverse(s->theta);
    s->gradient[2] = zn_mat3_apply(s->R, s->n);
    s->gradient[0] = zn_vec3_scale(-1, s->gradient[2]);
    s->gradient[1] = to_node(p, 0, zn_vec3_sub(share(s, 1, s->c), zn_mat3_apply(s->inverse, s->m))); // B_1'c - T^-1 m
    s->gradient[3] =
        to_node(p, 1, zn_vec3_add(share(s, -1, s->c), apply_transposed(s->inverse, s->m))); // B_2'c + T^-'m
    return ZN_OK;
}

// --- second derivatives ----------------------------------------------------------------------------

static double series(int terms, const double *c, double x)
{
    double sum = 0;
    for (int k = terms - 1; k >= 0; k--)
        sum = c[k] + x * sum;
    return sum;
}

// (d/dt tan(t/4)/t) / t; the series of tan x = x + x^3/3 + 2 x^5/15 + ..., good to 1e-15 at t = 1.
static double tau_rate(double t)
{
    static const double tangent[] = {1.0 / 3,
                                     2.0 / 15,
                                     17.0 / 315,
                                     62.0 / 2835,
                                     1382.0 / 155925,
                                     21844.0 / 6081075,
                                     929569.0 / 638512875,
                                     6404582.0 / 10854718875,
                                     443861162.0 / 1856156927625};
    double              x = 0.25 * t;
    if (t >= 1) {
        double cosine = zn_cos(x);
        return (0.25 / (cosine * cosine) - zn_tan(x) / t) / (t * t);
    }
    double c[9]; // tau = (1 + x^2/3 + ...)/4: its derivative by t, over t = 4 x
    for (int k = 0; k < 9; k++)
        c[k] = (2 * k + 2) * tangent[k] / 64;
    return series(9, c, x * x);
}

// b = (1 - t/2 cot(t/2))/t^2 of T^-1 = I + S/2 + b S^2, and (db/dt)/t; series as in so3.c.
static double inverse_rate(double t, double *b)
{
    static const double bernoulli[] = {1.0 / 12,
                                       1.0 / 720,
                                       1.0 / 30240,
                                       1.0 / 1209600,
                                       1.0 / 47900160,
                                       691.0 / 1307674368e3,
                                       1.0 / 74724249600,
                                       3617.0 / 1067062284288e4,
                                       43867.0 / 5109094217170944e3,
                                       174611.0 / 802857662698291200e3};
    if (t >= 1) {
        double x = 0.5 * t, cotangent = zn_cos(x) / zn_sin(x), h = 1 - x * cotangent;
        double rate = -0.5 * cotangent + 0.5 * x / (zn_sin(x) * zn_sin(x)); // dh/dt
        *b = h / (t * t);
        return (rate * t - 2 * h) / (t * t * t * t);
    }
    double c[9];
    for (int k = 0; k < 9; k++)
        c[k] = (2 * k + 2) * bernoulli[k + 1];
    *b = series(10, bernoulli, t * t);
    return series(9, c, t * t);
}

// d(T^-1 m) / dTheta for sign = +1, d(T^-' m) / dTheta for sign = -1, m held.
static zn_mat3 inverse_derivative(zn_vec3 theta, zn_vec3 m, double sign)
{
    double  b, rate = inverse_rate(zn_vec3_norm(theta), &b);
    zn_vec3 once = zn_vec3_cross(theta, m), twice = zn_vec3_cross(theta, once);
    zn_mat3 square = combine(1, zn_mat3_skew(once), 1, zn_mat3_product(zn_mat3_skew(theta), zn_mat3_skew(m)));
    return combine(1, combine(-0.5 * sign, zn_mat3_skew(m), -b, square), rate, outer(1, twice, theta));
}

// What one block of columns of K is made of: dtheta, dTheta and l dGamma per unit of block j.
typedef struct column {
    zn_mat3 middle, theta, strain;
} column;

static void columns_of(const section_state *s, column out[BLOCKS])
{
    zn_mat3 zero = {{{0}}}, I = zn_mat3_identity(), S = zn_mat3_skew(s->theta), g = zn_mat3_skew(s->g);
    zn_mat3 B1 = combine(0.5, I, -0.5 * s->tau, S), B2 = combine(0.5, I, 0.5 * s->tau, S);
    zn_mat3 back = zn_mat3_transpose(s->R);
    out[0] = (column){zero, zero, combine(-1, back, 0, back)};
    out[1] = (column){B1, combine(-1, zn_mat3_transpose(s->inverse), 0, zero), zn_mat3_product(g, B1)};
    out[2] = (column){zero, zero, back};
    out[3] = (column){B2, s->inverse, zn_mat3_product(g, B2)};
}

// K[i][j], blocks of 3 x 3.
static void stiffness(const zn_beam3 *p, const section_state *s, zn_mat3 K[BLOCKS][BLOCKS])
{
    double  l = p->length;
    zn_mat3 I = zn_mat3_identity(), S = zn_mat3_skew(s->theta), Cn = diagonal(p->force), Cm = diagonal(p->moment);
    zn_mat3 B1 = combine(0.5, I, -0.5 * s->tau, S), B2 = combine(0.5, I, 0.5 * s->tau, S);
    // dc = (n~ - g~ C_n / l) l dGamma;  d(tau S) c / 2 = X dTheta
    zn_mat3 to_c = combine(1, zn_mat3_skew(s->n), -1 / l, zn_mat3_product(zn_mat3_skew(s->g), Cn));
    zn_mat3 X = combine(-0.5 * s->tau, zn_mat3_skew(s->c), 0.5 * tau_rate(zn_vec3_norm(s->theta)),
                        outer(1, zn_vec3_cross(s->theta, s->c), s->theta));
    zn_mat3 first = combine(1 / l, zn_mat3_product(s->inverse, Cm), 1, inverse_derivative(s->theta, s->m, 1));
    zn_mat3 last =
        combine(1 / l, zn_mat3_product(zn_mat3_transpose(s->inverse), Cm), 1, inverse_derivative(s->theta, s->m, -1));
    first = combine(1, X, -1, first);
    last = combine(-1, X, 1, last);
    column by[BLOCKS];
    columns_of(s, by);
    for (int j = 0; j < BLOCKS; j++) {
        zn_mat3 dn =
            combine(-1, zn_mat3_product(zn_mat3_skew(s->n), by[j].middle), 1 / l, zn_mat3_product(Cn, by[j].strain));
        zn_mat3 dc = zn_mat3_product(to_c, by[j].strain);
        K[2][j] = zn_mat3_product(s->R, dn);
        K[0][j] = combine(-1, K[2][j], 0, dn);
        K[1][j] = combine(1, zn_mat3_product(B2, dc), 1, zn_mat3_product(first, by[j].theta));
        K[3][j] = combine(1, zn_mat3_product(B1, dc), 1, zn_mat3_product(last, by[j].theta));
    }
    for (int k = 0; k < BLOCKS && p->turned; k++)
        for (int node = 0; node < 2; node++) { // rows and columns of rotations
            K[2 * node + 1][k] = zn_mat3_product(zn_quat_matrix(p->axes[node]), K[2 * node + 1][k]);
            K[k][2 * node + 1] = zn_mat3_product(K[k][2 * node + 1], zn_mat3_transpose(zn_quat_matrix(p->axes[node])));
        }
}

// --- inertia ---------------------------------------------------------------------------------------

// Entry of degree of freedom i in the diagonal of M, before it is shared among the nodes.
static double mass_of(const zn_beam3 *p, int i) { return i % 6 < 3 ? p->mass : p->rotary[i % 3]; }

static double share_of(const zn_beam3 *p, int node, int other)
{
    return node == other ? 0.5 - p->coupling : p->coupling;
}

// Of the section at a node.
static zn_vec3 spin_of(const zn_element_block *b, int e, int node, const double *v)
{
    const int *dof = b->dof + DOFS * e + 6 * node + 3;
    return to_section(&parameters(b)[e], node, (zn_vec3){v[dof[0]], v[dof[1]], v[dof[2]]});
}

// p_i = sum_j m_ij J Omega_j
static zn_vec3 spin_momentum(const zn_element_block *b, int e, int node, const double *v)
{
    const zn_beam3 *p = &parameters(b)[e];
    zn_vec3         own = spin_of(b, e, node, v), other = spin_of(b, e, 1 - node, v);
    return multiply(p->rotary, zn_vec3_add(zn_vec3_scale(0.5 - p->coupling, own), zn_vec3_scale(p->coupling, other)));
}

// -Omega_i x p_i, on the node
static zn_vec3 gyroscopic(const zn_element_block *b, int e, int node, const double *v)
{
    return to_node(&parameters(b)[e], node, zn_vec3_cross(spin_momentum(b, e, node, v), spin_of(b, e, node, v)));
}

// C_ij = Omega_i~ m_ij J - p_i~ (i = j)
static zn_mat3 gyroscopic_operator(const zn_element_block *b, int e, int node, int other, const double *v)
{
    const zn_beam3 *p = &parameters(b)[e];
    zn_mat3         turning = zn_mat3_product(zn_mat3_skew(spin_of(b, e, node, v)), diagonal(p->rotary));
    return block_to_nodes(
        p, node, other,
        combine(share_of(p, node, other), turning, node == other ? -1 : 0, zn_mat3_skew(spin_momentum(b, e, node, v))));
}

// Moments p_i of accelerations, on the nodes.
static void add_rotary(const zn_element_block *b, int e, const double *a, double *f)
{
    for (int node = 0; node < 2; node++) {
        const int *dof = b->dof + DOFS * e + 6 * node + 3;
        zn_vec3    p = to_node(&parameters(b)[e], node, spin_momentum(b, e, node, a));
        f[dof[0]] += p.x;
        f[dof[1]] += p.y;
        f[dof[2]] += p.z;
    }
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_beam3 *p = &parameters(b)[e];
        const int      *dof = b->dof + DOFS * e;
        for (int i = 0; i < (p->turned ? 3 : 6); i++)
            zn_beam_add_inertia(mass_of(p, i), p->coupling, dof[i], dof[6 + i], a, f);
        if (p->turned)
            add_rotary(b, e, a, f);
    }
    return ZN_OK;
}

// --- operations ------------------------------------------------------------------------------------

static void add(const int *dof, double s, zn_vec3 a, double *f)
{
    f[dof[0]] += s * a.x;
    f[dof[1]] += s * a.y;
    f[dof[2]] += s * a.z;
}

static double dot(const int *dof, zn_vec3 a, const double *w)
{
    return a.x * w[dof[0]] + a.y * w[dof[1]] + a.z * w[dof[2]];
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int    *dof = b->dof + DOFS * e;
        section_state s;
        ZN_TRY(evaluate(b, e, at.q, &s));
        for (int i = 0; i < BLOCKS; i++)
            add(dof + 3 * i, -1, s.gradient[i], f);
        for (int node = 0; node < 2; node++)
            add(dof + 6 * node + 3, 1, gyroscopic(b, e, node, at.v), f);
    }
    return ZN_OK;
}

static void scatter(const zn_element_block *b, int e, int i, int j, double s, zn_mat3 A, double *values)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            zn_element_scatter(b, e, 3 * i + r, 3 * j + c, s * A.m[r][c], values);
}

static void scatter_mass(const zn_element_block *b, int e, double a, double *values)
{
    const zn_beam3 *p = &parameters(b)[e];
    for (int i = 0; i < DOFS; i++)
        for (int other = 0; other < 2 && (!p->turned || i % 6 < 3); other++)
            zn_element_scatter(b, e, i, i % 6 + 6 * other, a * share_of(p, i / 6, other) * mass_of(p, i), values);
    for (int node = 0; node < 2 && p->turned; node++)
        for (int other = 0; other < 2; other++)
            scatter(b, e, 2 * node + 1, 2 * other + 1, a * share_of(p, node, other),
                    block_to_nodes(p, node, other, diagonal(p->rotary)), values);
}

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    for (int e = 0; e < b->count; e++) {
        const zn_beam3 *p = &parameters(b)[e];
        scatter_mass(b, e, a, values);
        for (int node = 0; c != 0 && node < 2; node++)
            for (int other = 0; other < 2; other++)
                scatter(b, e, 2 * node + 1, 2 * other + 1, c, gyroscopic_operator(b, e, node, other, at.v), values);
        if (k == 0)
            continue;
        section_state s;
        zn_mat3       K[BLOCKS][BLOCKS];
        ZN_TRY(evaluate(b, e, at.q, &s));
        stiffness(p, &s, K);
        for (int i = 0; i < BLOCKS; i++)
            for (int j = 0; j < BLOCKS; j++)
                scatter(b, e, i, j, k, K[i][j], values);
    }
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_beam3 *p = &parameters(b)[e];
        const int      *dof = b->dof + DOFS * e;
        section_state   s;
        ZN_TRY(evaluate(b, e, at.q, &s));
        out->strain += 0.5 * p->length * (zn_vec3_dot(s.n, s.strain) + zn_vec3_dot(s.m, s.bend));
        for (int i = 0; i < (p->turned ? 3 : 6); i++)
            out->kinetic += zn_beam_kinetic(mass_of(p, i), p->coupling, at.v[dof[i]], at.v[dof[6 + i]]);
        for (int node = 0; node < 2 && p->turned; node++)
            out->kinetic += 0.5 * zn_vec3_dot(spin_of(b, e, node, at.v), spin_momentum(b, e, node, at.v));
        for (int node = 0; node < 2; node++) {
            const zn_layout_node *n = &b->layout->node[b->node[2 * e + node]];
            const double         *u = at.q + n->q;
            out->gravity -= 0.5 * p->mass * zn_vec3_dot(gravity, zn_vec3_add(n->origin, (zn_vec3){u[0], u[1], u[2]}));
        }
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        const int    *dof = b->dof + DOFS * e;
        section_state s;
        ZN_TRY(evaluate(b, e, at.q, &s));
        for (int i = 0; i < BLOCKS; i++)
            out->strain -= dot(dof + 3 * i, s.gradient[i], w);
        for (int node = 0; node < 2; node++)
            out->gyroscopic += dot(dof + 6 * node + 3, gyroscopic(b, e, node, at.v), w);
    }
    return ZN_OK;
}

static zn_quat section_axes(const zn_element_block *b, int e, int node) { return parameters(b)[e].axes[node]; }

static const zn_cell cell = {
    .name = "beam", .vtk = 3 /* VTK_LINE */, .dim = 1, .measure = zn_cell_length, .axes = section_axes};

static double section_force(const zn_element_block *b, int e, int which, zn_at at)
{
    section_state s;
    if (evaluate(b, e, at.q, &s) != ZN_OK)
        return NAN;
    return (const double[ZN_BEAM3_READINGS]){s.n.x, s.n.y, s.n.z, s.m.x, s.m.y, s.m.z}[which];
}

static const zn_readings readings = {ZN_BEAM3_READINGS, zn_beam3_reading, section_force, NULL};

const zn_element_ops zn_beam3_ops = {
    .name = "spatial beam",
    .nodes = 2,
    .dofs = DOFS,
    .parameter_size = sizeof(zn_beam3),
    .lever = true,
    .linear = zn_element_never_linear,
    .force = force,
    .operators = operators,
    .inertia = inertia,
    .energy = energy,
    .power = power,
    .velocity_force = zn_element_gyroscopic,
    .readings = &readings,
    .cell = &cell,
};
