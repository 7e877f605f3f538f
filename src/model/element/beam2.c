// Planar geometrically exact beam (Reissner): two frames (x, y, phi), one integration point in the middle.
//     phi = (phi_1 + phi_2) / 2,   d = x_2 - x_1,   R = R(phi)
//     Gamma = R'd / l - Gamma_0                      axial strain and shear in the axes of the section
//     kappa = (phi_2 - phi_1) / l - kappa_0          bending
//     n = (E A Gamma_1, G A_s Gamma_2),  m = E I kappa,  V = l/2 (n.Gamma + m kappa)
// One point integrates the linear interpolation without locking in shear. With g = R'd:
//     dV = R n . (dx_2 - dx_1) + (n_1 g_2 - n_2 g_1) dphi + m (dphi_2 - dphi_1)
// Mass: translations rho A l [1/3 1/6; 1/6 1/3] or half at each node, rotations likewise with rho I l.
// Node coordinates are displacements (the origin holds the position): Gamma = R'(u_2 - u_1) / l + (R(phi - phi_0)' - I)
// Gamma_0 keeps the digits of small strains, where Gamma_0 is R_0'd_0 / l of the reference configuration.
//
// Reference: E. Reissner, J. Appl. Math. Phys. 23 (1972) 795-804; J. C. Simo, L. Vu-Quoc, J. Appl. Mech. 53 (1986)
// 849-863.
#include "model/element/beam_mass.h"
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
    double          phi = 0.5 * (q1[2] + q2[2]), turned = phi - p->middle0;
    double          u[2] = {(q2[0] - q1[0]) / p->length, (q2[1] - q1[1]) / p->length};
    double          half = sin(0.5 * turned), drop = -2 * half * half, sine = sin(turned); // drop = cos - 1
    s.cosine = cos(phi);
    s.sine = sin(phi);
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

static const zn_cell cell = {.name = "beam", .vtk = 3 /* VTK_LINE */, .dim = 1, .measure = zn_cell_length};

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
    .cell = &cell,
};
