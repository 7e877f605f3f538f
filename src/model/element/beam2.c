// Planar geometrically exact beam (Reissner): two frames (x, y, phi), one integration point in the middle.
//     phi = (phi_1 + phi_2) / 2,   d = x_2 - x_1,   R = R(phi)
//     Gamma = R'd / l - Gamma_0                      axial strain and shear in the axes of the section
//     kappa = (phi_2 - phi_1) / l - kappa_0          bending
//     n = (E A Gamma_1, G A_s Gamma_2),  m = E I kappa,  V = l/2 (n.Gamma + m kappa)
// One point integrates the linear interpolation without locking in shear. With g = R'd:
//     dV = R n . (dx_2 - dx_1) + (n_1 g_2 - n_2 g_1) dphi + m (dphi_2 - dphi_1)
// Frames of nodes that other elements made may be ahead of their sections by constant angles: their mean is taken off
// phi, their difference is in kappa_0. Mass: translations rho A l [1/3 1/6; 1/6 1/3] or half at each node, rotations
// likewise with rho I l. Node coordinates are displacements (the origin holds the position): Gamma = R'(u_2 - u_1) / l
// + (R(phi - phi_0)' - I) Gamma_0 keeps the digits of small strains, where Gamma_0 is R_0'd_0 / l of the reference
// configuration.
//
// Reference: E. Reissner, J. Appl. Math. Phys. 23 (1972) 795-804; J. C. Simo, L. Vu-Quoc, J. Appl. Mech. 53 (1986)
// 849-863.
#include "model/element/beam_mass.h"
#include "model/element/beam_reading.h"
#include "model/element/element.h"

enum { DOFS = 6 };

static const zn_beam2 *parameters(const zn_element_block *b) { return b->parameter; }

typedef struct section_state {
    double cosine, sine;  // of phi
    double strain[2];     // Gamma
    double curvature;     // kappa
    double g[2];          // R'd
    double n[2], m;       // resultants
    double push[2], turn; // dV/dx_2 = R n, dV/dphi
} section_state;

static section_state evaluate(const zn_element_block *b, int e, const double *q)
{
    const zn_beam2 *p = &parameters(b)[e];
    const double   *q1 = q + b->layout->node[b->node[2 * e]].q, *q2 = q + b->layout->node[b->node[2 * e + 1]].q;
    section_state   s;
    double          phi = 0.5 * (q1[2] + q2[2]) - p->ahead, turned = phi - p->middle0;
    double          u[2] = {(q2[0] - q1[0] - p->start[0]) / p->length, (q2[1] - q1[1] - p->start[1]) / p->length};
    double          half = zn_sin(0.5 * turned), drop = -2 * half * half, sine = zn_sin(turned); // drop = cos - 1
    zn_sincos(phi, &s.sine, &s.cosine);
    s.strain[0] = s.cosine * u[0] + s.sine * u[1] + drop * p->strain0[0] + sine * p->strain0[1];
    s.strain[1] = -s.sine * u[0] + s.cosine * u[1] - sine * p->strain0[0] + drop * p->strain0[1];
    s.curvature = (q2[2] - q1[2]) / p->length - p->curvature0;
    s.g[0] = p->length * (s.strain[0] + p->strain0[0]);
    s.g[1] = p->length * (s.strain[1] + p->strain0[1]);
    s.n[0] = p->axial * s.strain[0];
    s.n[1] = p->shear * s.strain[1];
    s.m = p->bending * s.curvature;
    s.push[0] = s.cosine * s.n[0] - s.sine * s.n[1];
    s.push[1] = s.sine * s.n[0] + s.cosine * s.n[1];
    s.turn = s.n[0] * s.g[1] - s.n[1] * s.g[0];
    return s;
}

// dV/dq
static void gradient(const section_state *s, double p[DOFS])
{
    p[0] = -s->push[0];
    p[1] = -s->push[1];
    p[2] = 0.5 * s->turn - s->m;
    p[3] = s->push[0];
    p[4] = s->push[1];
    p[5] = 0.5 * s->turn + s->m;
}

static zn_status force(const zn_element_block *b, zn_at at, double *f)
{
    for (int e = 0; e < b->count; e++) {
        section_state s = evaluate(b, e, at.q);
        double        p[DOFS];
        gradient(&s, p);
        for (int i = 0; i < DOFS; i++)
            f[b->dof[DOFS * e + i]] -= p[i];
    }
    return ZN_OK;
}

// K = l B'C B + what the resultants contribute: B holds the gradients of the strains, and
// l n.d2Gamma = 2 dphi (R_phi n).(dx_2 - dx_1) - n.g dphi^2.
static void stiffness(const zn_beam2 *p, const section_state *s, double K[DOFS][DOFS])
{
    double l = p->length, c = s->cosine / l, si = s->sine / l;
    double stretch[DOFS] = {-c, -si, 0.5 * s->g[1] / l, c, si, 0.5 * s->g[1] / l};
    double slide[DOFS] = {si, -c, -0.5 * s->g[0] / l, -si, c, -0.5 * s->g[0] / l};
    double bend[DOFS] = {0, 0, -1 / l, 0, 0, 1 / l};
    double middle[DOFS] = {0, 0, 0.5, 0, 0, 0.5};
    double swing[DOFS] = {s->push[1], -s->push[0], 0, -s->push[1], s->push[0], 0}; // R_phi n
    double along = s->n[0] * s->g[0] + s->n[1] * s->g[1];
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j < DOFS; j++)
            K[i][j] = l * (p->axial * stretch[i] * stretch[j] + p->shear * slide[i] * slide[j] +
                           p->bending * bend[i] * bend[j]) +
                      middle[i] * swing[j] + swing[i] * middle[j] - along * middle[i] * middle[j];
}

// Mass of degree of freedom i: translation, translation, rotation.
static double mass_of(const zn_beam2 *p, int i) { return i % 3 < 2 ? p->mass : p->rotary; }

static zn_status operators(const zn_element_block *b, zn_at at, double a, double c, double k, double *values)
{
    (void)c;
    for (int e = 0; e < b->count; e++) {
        const zn_beam2 *p = &parameters(b)[e];
        double          K[DOFS][DOFS] = {{0}};
        if (k != 0) {
            section_state s = evaluate(b, e, at.q);
            stiffness(p, &s, K);
        }
        for (int i = 0; i < DOFS; i++)
            for (int j = 0; j < DOFS; j++) {
                double share = i == j ? 0.5 - p->coupling : i % 3 == j % 3 ? p->coupling : 0;
                zn_element_scatter(b, e, i, j, a * share * mass_of(p, i) + k * K[i][j], values);
            }
    }
    return ZN_OK;
}

static zn_status inertia(const zn_element_block *b, const double *q, int part, const double *a, double *f)
{
    (void)q; // constant
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_beam2 *p = &parameters(b)[e];
        const int      *dof = b->dof + DOFS * e;
        for (int i = 0; i < 3; i++)
            zn_beam_add_inertia(mass_of(p, i), p->coupling, dof[i], dof[3 + i], a, f);
    }
    return ZN_OK;
}

static zn_status energy(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity, zn_energy *out)
{
    for (int e = 0; e < b->count; e++) {
        if (part >= 0 && b->part[e] != part)
            continue;
        const zn_beam2       *p = &parameters(b)[e];
        const int            *dof = b->dof + DOFS * e;
        const zn_layout_node *n1 = &b->layout->node[b->node[2 * e]], *n2 = &b->layout->node[b->node[2 * e + 1]];
        section_state         s = evaluate(b, e, at.q);
        out->strain += 0.5 * p->length * (s.n[0] * s.strain[0] + s.n[1] * s.strain[1] + s.m * s.curvature);
        for (int i = 0; i < 3; i++)
            out->kinetic += zn_beam_kinetic(mass_of(p, i), p->coupling, at.v[dof[i]], at.v[dof[3 + i]]);
        out->gravity -= 0.5 * p->mass *
                        (gravity.x * (n1->origin.x + at.q[n1->q] + n2->origin.x + at.q[n2->q]) +
                         gravity.y * (n1->origin.y + at.q[n1->q + 1] + n2->origin.y + at.q[n2->q + 1]));
    }
    return ZN_OK;
}

static zn_status power(const zn_element_block *b, zn_at at, const double *w, zn_power *out)
{
    for (int e = 0; e < b->count; e++) {
        section_state s = evaluate(b, e, at.q);
        double        p[DOFS];
        gradient(&s, p);
        for (int i = 0; i < DOFS; i++)
            out->strain -= p[i] * w[b->dof[DOFS * e + i]];
    }
    return ZN_OK;
}

// --- between two states ----------------------------------------------------------------------------
// With R^ = (R_0 + R_1)/2, d^ and n^ the means of the ends (n is linear in Gamma), D their differences, and the ways
// 2 tan(Dphi/2) of turns, on which moments work: theta_1, theta_2 of the nodes, theta of the middle. As
// R_1 - R_0 = theta z x R^,
//     l n^.DGamma = N.Dd - theta M,     N = R^ n^,   M = z.(d^ x N)
// so N on the nodes, and moments Q_1 + Q_2 = M on them, keep momentum and angular momentum; energy is kept by
//     Q_1 theta_1 + Q_2 theta_2 = theta M - m^ (Dphi_2 - Dphi_1).
// With a = Dphi/2 of the middle and b = (Dphi_2 - Dphi_1)/4, theta_k = 2 tan(a -+ b), both together are
//     Q_1, Q_2 = M/2 +- P,   P = m^ (cos^2 a - sin^2 b) 2b/sin 2b + M/2 tan a tan b
// After I. Romero and F. Armero, IJNME 54 (2002) 1683-1716, who keep both by strains that are carried along.

typedef struct beam_way {
    section_state from, to;
    double        cosine, sine; // of R^, whose columns are shorter than 1
    double        d[2], N[2];   // d^, N
    double        m, M;
    double        a, b;
} beam_way;

static const char *lacks_between(const zn_element_block *b, int e)
{
    bool small = b->layout->node[b->node[2 * e]].small || b->layout->node[b->node[2 * e + 1]].small;
    return small ? "it shares a node with a linear beam, whose turns add" : NULL;
}

static double angle_of(const zn_element_block *b, int e, int node, const double *q)
{
    return q[b->layout->node[b->node[2 * e + node]].q + 2];
}

static beam_way way_of(const zn_element_block *b, int e, zn_between s)
{
    beam_way w = {.from = evaluate(b, e, s.from.q), .to = evaluate(b, e, s.to.q)};
    double   n[2] = {0.5 * (w.from.n[0] + w.to.n[0]), 0.5 * (w.from.n[1] + w.to.n[1])};
    double   turn[2] = {angle_of(b, e, 0, s.to.q) - angle_of(b, e, 0, s.from.q),
                        angle_of(b, e, 1, s.to.q) - angle_of(b, e, 1, s.from.q)};
    w.a = 0.25 * (turn[0] + turn[1]);
    w.b = 0.25 * (turn[1] - turn[0]);
    w.cosine = 0.5 * (w.from.cosine + w.to.cosine);
    w.sine = 0.5 * (w.from.sine + w.to.sine);
    const section_state *end[2] = {&w.from, &w.to};
    for (int k = 0; k < 2; k++) { // d = R g
        w.d[0] += 0.5 * (end[k]->cosine * end[k]->g[0] - end[k]->sine * end[k]->g[1]);
        w.d[1] += 0.5 * (end[k]->sine * end[k]->g[0] + end[k]->cosine * end[k]->g[1]);
    }
    w.N[0] = w.cosine * n[0] - w.sine * n[1];
    w.N[1] = w.sine * n[0] + w.cosine * n[1];
    w.m = 0.5 * (w.from.m + w.to.m);
    w.M = w.d[0] * w.N[1] - w.d[1] * w.N[0];
    return w;
}

// 2b/sin 2b and its derivative.
static double sine_ratio(double b, double *slope)
{
    double u = 2 * b, square = u * u, s = zn_sin(u);
    if (fabs(u) < 0.1) {
        *slope = 2 * u * (1.0 / 3 + square * (7.0 / 90 + square * (31.0 / 2520 + square * 127.0 / 75600)));
        return 1 + square * (1.0 / 6 + square * (7.0 / 360 + square * (31.0 / 15120 + square * 127.0 / 604800)));
    }
    *slope = 2 * (s - u * zn_cos(u)) / (s * s);
    return u / s;
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->dof + DOFS * e;
        beam_way   w = way_of(b, e, s);
        double     slope, ratio = sine_ratio(w.b, &slope);
        double     P = w.m * zn_cos(w.a + w.b) * zn_cos(w.a - w.b) * ratio + 0.5 * w.M * zn_tan(w.a) * zn_tan(w.b);
        double     own[DOFS] = {w.N[0], w.N[1], 0.5 * w.M + P, -w.N[0], -w.N[1], 0.5 * w.M - P};
        for (int i = 0; i < DOFS; i++)
            f[dof[i]] += own[i];
    }
    return ZN_OK;
}

// Change of the force when the end moves with x.
static void force_change(const zn_beam2 *p, const beam_way *w, const double x[DOFS], double df[DOFS])
{
    const section_state *s = &w->to;
    double               dd[2] = {x[3] - x[0], x[4] - x[1]}, phi = 0.5 * (x[2] + x[5]), bend = x[5] - x[2];
    double               strain[2] = {(s->cosine * dd[0] + s->sine * dd[1] + s->g[1] * phi) / p->length,
                                      (-s->sine * dd[0] + s->cosine * dd[1] - s->g[0] * phi) / p->length};
    double dn[2] = {0.5 * p->axial * strain[0], 0.5 * p->shear * strain[1]}, dm = 0.5 * p->bending * bend / p->length;
    double n[2] = {0.5 * (w->from.n[0] + s->n[0]), 0.5 * (w->from.n[1] + s->n[1])};
    double dc = -0.5 * s->sine * phi, ds = 0.5 * s->cosine * phi, da = 0.5 * phi, db = 0.25 * bend;
    double dN[2] = {dc * n[0] - ds * n[1] + w->cosine * dn[0] - w->sine * dn[1],
                    ds * n[0] + dc * n[1] + w->sine * dn[0] + w->cosine * dn[1]};
    double dM = 0.5 * (dd[0] * w->N[1] - dd[1] * w->N[0]) + w->d[0] * dN[1] - w->d[1] * dN[0];
    double slope, ratio = sine_ratio(w->b, &slope), ta = zn_tan(w->a), tb = zn_tan(w->b);
    double both = zn_cos(w->a + w->b) * zn_cos(w->a - w->b);
    double dP = dm * both * ratio - w->m * ratio * (zn_sin(2 * w->a) * da + zn_sin(2 * w->b) * db) +
                w->m * both * slope * db + 0.5 * dM * ta * tb +
                0.5 * w->M * ((1 + ta * ta) * tb * da + ta * (1 + tb * tb) * db);
    const double out[DOFS] = {dN[0], dN[1], 0.5 * dM + dP, -dN[0], -dN[1], 0.5 * dM - dP};
    for (int i = 0; i < DOFS; i++)
        df[i] = out[i];
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    ZN_TRY(operators(b, s.to, a, c, 0, values));
    for (int e = 0; k != 0 && e < b->count; e++) {
        beam_way w = way_of(b, e, s);
        for (int j = 0; j < DOFS; j++) {
            double x[DOFS] = {0}, df[DOFS];
            x[j] = 1;
            force_change(&parameters(b)[e], &w, x, df);
            for (int i = 0; i < DOFS; i++)
                zn_element_scatter(b, e, i, j, -k * df[i], values);
        }
    }
    return ZN_OK;
}

static const zn_between_ops between = {lacks_between, force_between, operators_between};

static const zn_cell cell = {.name = "beam", .vtk = 3 /* VTK_LINE */, .dim = 1, .measure = zn_cell_length};

static double section_force(const zn_element_block *b, int e, int which, zn_at at)
{
    section_state s = evaluate(b, e, at.q);
    return which == 2 ? s.m : s.n[which];
}

static const zn_readings readings = {ZN_BEAM2_READINGS, zn_beam2_reading, section_force, NULL};

const zn_element_ops zn_beam2_ops = {
    .name = "planar beam",
    .nodes = 2,
    .dofs = DOFS,
    .parameter_size = sizeof(zn_beam2),
    .lever = true,
    .linear = zn_element_never_linear,
    .force = force,
    .operators = operators,
    .inertia = inertia,
    .energy = energy,
    .power = power,
    .between = &between,
    .readings = &readings,
    .cell = &cell,
};
