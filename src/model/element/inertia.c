// Tensors of inertia. Principal moments by Jacobi rotations: for each pair (p, q) the rotation
//     t = sign(d) / (|d| + sqrt(d^2 + 1)),  d = (J_qq - J_pp) / 2 J_pq
// makes J_pq zero; a few sweeps over the three pairs do.
#include "model/element/inertia.h"

bool zn_inertia_is_zero(zn_mat3 J)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (J.m[i][j] != 0)
                return false;
    return true;
}

bool zn_inertia_is_round(zn_mat3 J)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (J.m[i][j] != (i == j ? J.m[0][0] : 0))
                return false;
    return true;
}

zn_mat3 zn_inertia_symmetric(zn_mat3 J)
{
    zn_mat3 S;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S.m[i][j] = 0.5 * (J.m[i][j] + J.m[j][i]);
    return S;
}

zn_mat3 zn_inertia_of_box(double mass, zn_vec3 side)
{
    double x = side.x * side.x, y = side.y * side.y, z = side.z * side.z, k = mass / 12;
    return (zn_mat3){{{k * (y + z), 0, 0}, {0, k * (z + x), 0}, {0, 0, k * (x + y)}}};
}

zn_mat3 zn_inertia_without(zn_mat3 J, double mass, zn_vec3 r)
{
    const double x[3] = {r.x, r.y, r.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J.m[i][j] -= mass * ((i == j ? zn_vec3_dot(r, r) : 0) - x[i] * x[j]);
    return J;
}

// --- principal moments ---------------------------------------------------------------------------

// J <- Q' J Q with the rotation in the plane (p, q) that makes J_pq zero.
static void rotate_away(zn_mat3 *J, int p, int q)
{
    double off = J->m[p][q];
    if (off == 0)
        return;
    double d = (J->m[q][q] - J->m[p][p]) / (2 * off);
    double t = (d >= 0 ? 1 : -1) / (fabs(d) + sqrt(d * d + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    int    k = 3 - p - q;
    double kp = J->m[k][p], kq = J->m[k][q];
    J->m[p][p] -= t * off;
    J->m[q][q] += t * off;
    J->m[p][q] = J->m[q][p] = 0;
    J->m[k][p] = J->m[p][k] = c * kp - s * kq;
    J->m[k][q] = J->m[q][k] = s * kp + c * kq;
}

static void order(double *a, double *b)
{
    double low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

void zn_inertia_principal(zn_mat3 J, double moment[3])
{
    J = zn_inertia_symmetric(J);
    for (int sweep = 0; sweep < 8; sweep++) { // converges quadratically: four are plenty
        rotate_away(&J, 0, 1);
        rotate_away(&J, 0, 2);
        rotate_away(&J, 1, 2);
    }
    for (int i = 0; i < 3; i++)
        moment[i] = J.m[i][i];
    order(&moment[0], &moment[1]);
    order(&moment[1], &moment[2]);
    order(&moment[0], &moment[1]);
}

// --- the check -----------------------------------------------------------------------------------

zn_status zn_inertia_check(zn_mat3 J, const zn_log *log, const char *name)
{
    double largest = 0, skew = 0, moment[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (!isfinite(J.m[i][j]))
                return zn_fail(log, ZN_ERR_MODEL, "body '%s': its inertia is not finite", name);
            largest = fmax(largest, fabs(J.m[i][j]));
            skew = fmax(skew, fabs(J.m[i][j] - J.m[j][i]));
        }
    if (!(largest < 1e150)) // squares must not overflow
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': its inertia is too large", name);
    if (skew > 1e-12 * largest)
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': its inertia is not symmetric", name);
    zn_inertia_principal(J, moment);
    if (!(moment[0] > 1e-12 * moment[2]))
        return zn_fail(log, ZN_ERR_MODEL,
                       "body '%s': its inertia is not positive definite: principal moments %g, %g, %g kg m^2", name,
                       moment[0], moment[1], moment[2]);
    if (moment[2] > (moment[0] + moment[1]) * (1 + 1e-9))
        return zn_fail(log, ZN_ERR_MODEL,
                       "body '%s': no body has the principal moments of inertia %g, %g, %g kg m^2: the largest exceeds "
                       "the sum of the others",
                       name, moment[0], moment[1], moment[2]);
    return ZN_OK;
}
