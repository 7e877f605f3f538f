// Elastic materials, with the Lame constants lambda = E nu / ((1 + nu)(1 - 2 nu)), mu = E / (2 (1 + nu)).
//
// Linear and St. Venant-Kirchhoff:   W = lambda/2 (tr E)^2 + mu E:E,   S = lambda tr E I + 2 mu E
//     plane strain: E_zz = 0.  Plane stress, S_zz = 0: the same with lambda* = 2 lambda mu / (lambda + 2 mu).
//
// Neo-Hookean:   W = mu/2 (tr C - 3) - mu ln J + lambda/2 (ln J)^2,   C = I + 2 E,  J^2 = det C
//     S = mu (I - C^-1) + lambda ln J C^-1
//     D_ijkl = lambda C^-1_ij C^-1_kl + (mu - lambda ln J) (C^-1_ik C^-1_jl + C^-1_il C^-1_jk)
//     plane stress: C_zz = exp(y) with  mu (exp(y) - 1) + lambda/2 (ln det C_2 + y) = 0;  D is condensed.
// Bonet and Wood, Nonlinear continuum mechanics for finite element analysis (2008), 6.4.3.
//
// Small strains keep their digits: with x = det C - 1 = 2 I + 4 II + 8 III in the invariants of E,
//     tr E - ln J = (x - ln(1 + x))/2 - 2 II - 4 III,   I - C^-1 = 2 C^-1 E.
#include "model/element/solid_material.h"

#include "model/element/neo_hookean.h"

enum { SPACE = ZN_STRAINS_SPACE };

static const int first[SPACE] = {0, 1, 2, 0, 1, 2}, second[SPACE] = {0, 1, 2, 1, 2, 0};
static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; // of a pair of directions
static const int in_plane[ZN_STRAINS_PLANE] = {0, 1, 3};          // of xx, yy, xy among the six

zn_solid_material zn_solid_material_make(zn_solid_model model, bool planar, bool plane_stress, double young,
                                         double poisson)
{
    double mu = young / (2 * (1 + poisson)), lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    bool   iterate = planar && plane_stress && model == ZN_SOLID_NEO_HOOKEAN;
    if (planar && plane_stress && !iterate)
        lambda = 2 * lambda * mu / (lambda + 2 * mu);
    return (zn_solid_material){model, planar, iterate, planar && plane_stress, lambda, mu};
}

zn_solid_material zn_solid_material_reference(const zn_solid_material *m)
{
    zn_solid_material r = *m;
    r.model = ZN_SOLID_LINEAR;
    if (m->plane_stress)
        r.lambda = 2 * m->lambda * m->mu / (m->lambda + 2 * m->mu);
    r.plane_stress = false;
    return r;
}

// --- linear in the strain ------------------------------------------------------------------------

static void linear_law(const zn_solid_material *m, const double *strain, double *energy, double *stress,
                       double *tangent)
{
    int    normals = m->planar ? 2 : 3, count = m->planar ? ZN_STRAINS_PLANE : SPACE;
    double trace = 0, square = 0;
    for (int i = 0; i < count; i++) {
        trace += i < normals ? strain[i] : 0;
        square += (i < normals ? 1.0 : 0.5) * strain[i] * strain[i];
    }
    if (energy)
        *energy = 0.5 * m->lambda * trace * trace + m->mu * square;
    for (int i = 0; stress && i < count; i++)
        stress[i] = i < normals ? m->lambda * trace + 2 * m->mu * strain[i] : m->mu * strain[i];
    for (int i = 0; tangent && i < count; i++)
        for (int j = 0; j < count; j++)
            tangent[i * count + j] = (i < normals && j < normals ? m->lambda : 0) + (i != j        ? 0
                                                                                     : i < normals ? 2 * m->mu
                                                                                                   : m->mu);
}

// --- neo-Hookean ---------------------------------------------------------------------------------

typedef struct neo_hookean_state {
    double E[3][3], inverse[3][3]; // strain, C^-1
    double x, log_j;               // det C - 1, ln J
    double second, third;          // invariants of E
} neo_hookean_state;

static bool prepare(const double strain[SPACE], neo_hookean_state *s)
{
    double(*E)[3] = s->E, C[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            E[i][j] = (i == j ? 1.0 : 0.5) * strain[place[i][j]];
            C[i][j] = 2 * E[i][j] + (i == j);
        }
    double shear = E[0][1] * E[0][1] + E[1][2] * E[1][2] + E[2][0] * E[2][0];
    s->second = E[0][0] * E[1][1] + E[1][1] * E[2][2] + E[2][2] * E[0][0] - shear;
    s->third = E[0][0] * (E[1][1] * E[2][2] - E[1][2] * E[1][2]) - E[0][1] * (E[0][1] * E[2][2] - E[1][2] * E[2][0]) +
               E[2][0] * (E[0][1] * E[1][2] - E[1][1] * E[2][0]);
    s->x = 2 * (E[0][0] + E[1][1] + E[2][2]) + 4 * s->second + 8 * s->third;
    if (!(s->x > -1))
        return false;
    s->log_j = 0.5 * log1p(s->x);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            s->inverse[i][j] = (C[i1][j1] * C[i2][j2] - C[i1][j2] * C[i2][j1]) / (1 + s->x);
        }
    return true;
}

// D_ijkl with a pressure that may be another than the material's own, which then does not follow the strain.
static void neo_hookean_tangent(const zn_solid_material *m, const neo_hookean_state *s, const double *pressure,
                                double *tangent)
{
    double lambda = pressure ? 0 : m->lambda, shear = m->mu - (pressure ? *pressure : m->lambda * s->log_j);
    const double(*c)[3] = (const double(*)[3])s->inverse;
    for (int a = 0; a < SPACE; a++)
        for (int b = 0; b < SPACE; b++) {
            int i = first[a], j = second[a], k = first[b], l = second[b];
            tangent[a * SPACE + b] = lambda * c[i][j] * c[k][l] + shear * (c[i][k] * c[j][l] + c[i][l] * c[j][k]);
        }
}

static bool neo_hookean(const zn_solid_material *m, const double strain[SPACE], double *energy, double *stress,
                        double *tangent)
{
    neo_hookean_state s;
    if (!prepare(strain, &s))
        return false;
    double pressure = m->lambda * s.log_j;
    if (energy)
        *energy =
            m->mu * (0.5 * s.x * s.x * zn_neo_hookean_log(s.x) - 2 * s.second - 4 * s.third) + 0.5 * pressure * s.log_j;
    const double(*c)[3] = (const double(*)[3])s.inverse;
    for (int a = 0; stress && a < SPACE; a++) {
        int    i = first[a], j = second[a];
        double CE = c[i][0] * s.E[0][j] + c[i][1] * s.E[1][j] + c[i][2] * s.E[2][j];
        stress[a] = 2 * m->mu * CE + pressure * c[i][j];
    }
    if (tangent)
        neo_hookean_tangent(m, &s, NULL, tangent);
    return true;
}

// The function is convex in y for lambda >= 0.
bool zn_neo_hookean_across(const zn_solid_material *m, double x, double *out)
{
    if (!(x > -1))
        return false;
    double log_d = log1p(x), y = 0;
    for (int i = 0; i < 100; i++) {
        double rise = expm1(y), slope = m->mu * (1 + rise) + 0.5 * m->lambda;
        double dy = -(m->mu * rise + 0.5 * m->lambda * (log_d + y)) / slope;
        y += dy;
        if (!(slope > 0) || !isfinite(y))
            return false;
        if (fabs(dy) <= 1e-10 * fabs(y)) { // the next one would be its square
            *out = y;
            return true;
        }
    }
    return false;
}

static bool neo_hookean_plane(const zn_solid_material *m, const double *strain, double *energy, double *stress,
                              double *tangent)
{
    enum { ZZ = 2, PLANE = ZN_STRAINS_PLANE };
    double E[SPACE] = {strain[0], strain[1], 0, strain[2], 0, 0}, S[SPACE], D[SPACE * SPACE];
    if (m->plane_stress) {
        double x = 2 * (strain[0] + strain[1]) + 4 * strain[0] * strain[1] - strain[2] * strain[2], y;
        if (!zn_neo_hookean_across(m, x, &y))
            return false;
        E[ZZ] = 0.5 * expm1(y);
    }
    if (!neo_hookean(m, E, energy, S, tangent ? D : NULL))
        return false;
    for (int a = 0; a < PLANE; a++) {
        if (stress)
            stress[a] = S[in_plane[a]];
        for (int b = 0; tangent && b < PLANE; b++) {
            double across = D[in_plane[a] * SPACE + ZZ] * D[ZZ * SPACE + in_plane[b]] / D[ZZ * SPACE + ZZ];
            tangent[a * PLANE + b] = D[in_plane[a] * SPACE + in_plane[b]] - (m->plane_stress ? across : 0);
        }
    }
    return true;
}

double zn_solid_material_across(const zn_solid_material *m, const double *stress, double J)
{
    if (!m->planar || m->thin)
        return 0;
    if (m->model == ZN_SOLID_NEO_HOOKEAN) // C_zz = 1
        return m->lambda * zn_ln(J);
    return m->lambda * (stress[0] + stress[1]) / (2 * (m->lambda + m->mu)); // trace of E from that of S
}

bool zn_solid_material_evaluate(const zn_solid_material *m, const double *strain, double *energy, double *stress,
                                double *tangent)
{
    if (m->model == ZN_SOLID_NEO_HOOKEAN)
        return m->planar ? neo_hookean_plane(m, strain, energy, stress, tangent)
                         : neo_hookean(m, strain, energy, stress, tangent);
    linear_law(m, strain, energy, stress, tangent);
    return true;
}

bool zn_solid_material_tangent(const zn_solid_material *m, const double *strain, const double *pressure,
                               double *tangent)
{
    enum { PLANE = ZN_STRAINS_PLANE };
    if (!pressure)
        return zn_solid_material_evaluate(m, strain, NULL, NULL, tangent);
    double            E[SPACE] = {strain[0], strain[1], 0, strain[2], 0, 0}, D[SPACE * SPACE];
    neo_hookean_state s;
    if (!prepare(m->planar ? E : strain, &s))
        return false;
    neo_hookean_tangent(m, &s, pressure, m->planar ? D : tangent);
    for (int a = 0; m->planar && a < PLANE; a++)
        for (int b = 0; b < PLANE; b++)
            tangent[a * PLANE + b] = D[in_plane[a] * SPACE + in_plane[b]];
    return true;
}
