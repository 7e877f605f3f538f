// Slider-crank with clearance between slider and guide, in minimal coordinates: q = (crank, rod, slider angle).
// Flores, Leine, Glocker, Multibody Syst. Dyn. 23 (2010); Acary, CMAME 256 (2013), section 6.3.1, Table 2.
//
// The crank (l1, m1, J1) turns about the origin, the rod (l2, m2, J2) hangs on it, the slider (m3, J3) turns about the
// rod's end. Centres of mass are half-way. With S = l1 sin q1 + l2 sin q2 the slider's height, each corner
// (sx a, sy b) of the slider has the gap d/2 - sy (S + sx a sin q3 + sy b cos q3) to its wall.
//
//     M11 = J1 + (m1/4 + m2 + m3) l1^2    M22 = J2 + (m2/4 + m3) l2^2    M33 = J3
//     M12 = k cos(q1 - q2)                k = (m2/2 + m3) l1 l2
//     V   = g ((m1/2 + m2 + m3) l1 sin q1 + (m2/2 + m3) l2 sin q2)
//     n   = (-k sin(q1 - q2) v2^2, k sin(q1 - q2) v1^2, 0)
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "zn/model.h"

enum { L1, L2, A, B, C, M1, M2, M3, J1, J2, J3, G, E, MU, W1, W2, W3, PARAMETERS };

static const zn_code_parameter parameters[PARAMETERS] = {
    [L1] = {"l1", 0.153, "m", "length of the crank"},
    [L2] = {"l2", 0.306, "m", "length of the rod"},
    [A] = {"a", 0.05, "m", "half length of the slider"},
    [B] = {"b", 0.025, "m", "half height of the slider"},
    [C] = {"c", 0.001, "m", "clearance on each side"},
    [M1] = {"m1", 0.038, "kg", "mass of the crank"},
    [M2] = {"m2", 0.038, "kg", "mass of the rod"},
    [M3] = {"m3", 0.076, "kg", "mass of the slider"},
    [J1] = {"J1", 7.4e-5, "kg m^2", "inertia of the crank about its centre"},
    [J2] = {"J2", 5.9e-4, "kg m^2", "inertia of the rod about its centre"},
    [J3] = {"J3", 2.7e-6, "kg m^2", "inertia of the slider about its centre"},
    [G] = {"g", 9.81, "m/s^2", "gravity"},
    [E] = {"e", 0.4, "", "restitution of the corners"},
    [MU] = {"mu", 0.01, "", "friction of the corners"},
    [W1] = {"w1", 150, "rad/s", "initial spin of the crank"},
    [W2] = {"w2", -75, "rad/s", "initial spin of the rod"},
    [W3] = {"w3", 0, "rad/s", "initial spin of the slider"},
};

// Parameters, and sines and cosines of the two configurations last asked for (middle and end of a step): mass, forces
// and all corners share them.
typedef struct machine {
    double p[PARAMETERS];
    double q[3], s[3], c[3]; // the configuration in use
    struct {
        double q[2], s[2], c[2];
    } known[3];
} machine;

static const machine *at(void *user, const double *q)
{
    machine *m = user;
    for (int i = 0; i < 3; i++) {
        if (q[i] == m->q[i]) // nearly always
            continue;
        int k = q[i] == m->known[i].q[0] ? 0 : 1;
        if (q[i] != m->known[i].q[k]) { // the older one goes
            m->known[i].q[1] = m->known[i].q[0];
            m->known[i].s[1] = m->known[i].s[0];
            m->known[i].c[1] = m->known[i].c[0];
            m->known[i].q[0] = q[i];
            zn_sincos(q[i], &m->known[i].s[0], &m->known[i].c[0]);
            k = 0;
        }
        m->q[i] = q[i];
        m->s[i] = m->known[i].s[k];
        m->c[i] = m->known[i].c[k];
    }
    return m;
}

static double coupling(const double *p) { return (0.5 * p[M2] + p[M3]) * p[L1] * p[L2]; }

static zn_status mass(void *user, const double *q, double *M)
{
    const machine *m = at(user, q);
    const double  *p = m->p;
    double         k = coupling(p) * (m->c[0] * m->c[1] + m->s[0] * m->s[1]); // cos(q1 - q2)
    memcpy(M,
           (double[9]){p[J1] + (0.25 * p[M1] + p[M2] + p[M3]) * p[L1] * p[L1], k, 0, k,
                       p[J2] + (0.25 * p[M2] + p[M3]) * p[L2] * p[L2], 0, 0, 0, p[J3]},
           9 * sizeof *M);
    return ZN_OK;
}

static zn_status potential(void *user, const double *q, double *V, double *f)
{
    const machine *m = at(user, q);
    const double  *p = m->p;
    double         w1 = (0.5 * p[M1] + p[M2] + p[M3]) * p[G] * p[L1], w2 = (0.5 * p[M2] + p[M3]) * p[G] * p[L2];
    *V = w1 * m->s[0] + w2 * m->s[1];
    f[0] = -w1 * m->c[0];
    f[1] = -w2 * m->c[1];
    f[2] = 0;
    return ZN_OK;
}

static zn_status gyroscopic(void *user, const double *q, const double *v, double *f)
{
    const machine *m = at(user, q);
    double         k = coupling(m->p) * (m->s[0] * m->c[1] - m->c[0] * m->s[1]); // sin(q1 - q2)
    f[0] = -k * v[1] * v[1];
    f[1] = k * v[0] * v[0];
    f[2] = 0;
    return ZN_OK;
}

// K = -df/dq, C = -df/dv
static zn_status tangent(void *user, double t, const double *q, const double *v, double *K, double *damping)
{
    (void)t;
    const machine *m = at(user, q);
    const double  *p = m->p;
    double         w1 = (0.5 * p[M1] + p[M2] + p[M3]) * p[G] * p[L1], w2 = (0.5 * p[M2] + p[M3]) * p[G] * p[L2];
    double         k = coupling(p), c = k * (m->c[0] * m->c[1] + m->s[0] * m->s[1]),
           s = k * (m->s[0] * m->c[1] - m->c[0] * m->s[1]);
    memcpy(K,
           (double[9]){c * v[1] * v[1] - w1 * m->s[0], -c * v[1] * v[1], 0, -c * v[0] * v[0],
                       c * v[0] * v[0] - w2 * m->s[1], 0, 0, 0, 0},
           9 * sizeof *K);
    memcpy(damping, (double[9]){0, 2 * s * v[1], 0, -2 * s * v[0], 0, 0, 0, 0, 0}, 9 * sizeof *damping);
    return ZN_OK;
}

// Corners: rear top, front top, rear bottom, front bottom.
static zn_status corner(void *user, int i, const double *q, double *gap, double *normal, double *slide)
{
    const machine *m = at(user, q);
    const double  *p = m->p;
    double         sx = i % 2 ? 1 : -1, sy = i < 2 ? 1 : -1, c3 = m->c[2], s3 = m->s[2];
    double         height = p[L1] * m->s[0] + p[L2] * m->s[1] + sx * p[A] * s3 + sy * p[B] * c3;
    *gap = p[B] + p[C] - sy * height;
    normal[0] = -sy * p[L1] * m->c[0];
    normal[1] = -sy * p[L2] * m->c[1];
    normal[2] = -sy * (sx * p[A] * c3 - sy * p[B] * s3);
    if (slide) {
        slide[0] = -p[L1] * m->s[0];
        slide[1] = -p[L2] * m->s[1];
        slide[2] = -sx * p[A] * s3 - sy * p[B] * c3;
    }
    return ZN_OK;
}

// --- pictures ------------------------------------------------------------------------------------

// A link of width w from one point to another.
static int link(double x0, double y0, double angle, double length, double w, zn_vec3 *points)
{
    double c = zn_cos(angle), s = zn_sin(angle), side[4][2] = {{0, -w}, {length, -w}, {length, w}, {0, w}};
    for (int k = 0; k < 4; k++)
        points[k] = zn_vec3_make(x0 + c * side[k][0] - s * side[k][1], y0 + s * side[k][0] + c * side[k][1], 0);
    return 4;
}

static void slider_centre(const double *p, const double *q, double *x, double *y)
{
    *x = p[L1] * zn_cos(q[0]) + p[L2] * zn_cos(q[1]);
    *y = p[L1] * zn_sin(q[0]) + p[L2] * zn_sin(q[1]);
}

// Crank, rod, slider, and the two walls of the guide.
static int outline(void *user, int i, const double *q, zn_vec3 *points)
{
    const double *p = ((const machine *)user)->p;
    double        x, y, w = 0.15 * p[B], far = p[L1] + p[L2], edge = p[B] + p[C];
    slider_centre(p, q, &x, &y);
    switch (i) {
    case 0:
        return link(0, 0, q[0], p[L1], w, points);
    case 1:
        return link(p[L1] * zn_cos(q[0]), p[L1] * zn_sin(q[0]), q[1], p[L2], w, points);
    case 2:
        return link(x - p[A] * zn_cos(q[2]), y - p[A] * zn_sin(q[2]), q[2], 2 * p[A], p[B], points);
    default:
        return link(far - 2 * p[L1] - 2 * p[A], (i == 3 ? 1 : -1) * (edge + w), 0, 2 * p[L1] + 4 * p[A], w, points);
    }
}

static void where(void *user, int i, const double *q, zn_vec3 *position, zn_vec3 *normal, zn_vec3 *tangent)
{
    const double *p = ((const machine *)user)->p;
    double        x, y, sx = i % 2 ? p[A] : -p[A], sy = i < 2 ? p[B] : -p[B], c = zn_cos(q[2]), s = zn_sin(q[2]);
    slider_centre(p, q, &x, &y);
    *position = zn_vec3_make(x + c * sx - s * sy, y + s * sx + c * sy, 0);
    *normal = zn_vec3_make(0, i < 2 ? -1 : 1, 0);
    *tangent = zn_vec3_make(1, 0, 0);
}

static zn_status add(zn_model *model, const char *name, const double *values)
{
    static const char *const corners[4] = {"corner_1", "corner_2", "corner_3", "corner_4"};
    machine                 *m = malloc(sizeof *m);
    if (!m)
        return ZN_ERR_MEMORY;
    *m = (machine){0};
    for (int i = 0; i < 3; i++)
        m->c[i] = m->known[i].c[0] = m->known[i].c[1] = 1;
    memcpy(m->p, values, sizeof m->p);
    const double     *own = m->p;
    zn_lagrangian_def def = zn_lagrangian_def_default();
    def.name = name;
    def.n = 3;
    def.q0 = (double[3]){0, 0, 0};
    def.v0 = (double[3]){own[W1], own[W2], own[W3]};
    def.user = m;
    def.destroy = free;
    def.mass = mass;
    def.potential = potential;
    def.gyroscopic = gyroscopic;
    def.tangent = tangent;
    def.contacts = 4;
    def.contact_names = corners;
    def.restitution = (double[4]){own[E], own[E], own[E], own[E]};
    def.friction = (double[4]){own[MU], own[MU], own[MU], own[MU]};
    def.contact = corner;
    def.outlines = 5;
    def.outline = outline;
    def.where = where;
    return zn_model_add_lagrangian(model, &def);
}

extern const zn_code_system zn_slider_crank;
const zn_code_system        zn_slider_crank = {
           .word = "slider_crank",
           .help = "slider-crank with clearance of the slider; coordinates: angles of crank, rod, slider",
           .parameters = PARAMETERS,
           .parameter = parameters,
           .add = add,
};
