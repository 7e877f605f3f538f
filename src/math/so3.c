// Rotations: unit quaternions (w; v), and the exponential map of SO(3) with its right tangent.
//
// With t = |psi| and S = psi~ (S b = psi x b):
//     exp    w = cos(t/2),  v = sin(t/2)/t psi
//     log    psi = 2 atan2(|v|, w)/|v| v                     for w >= 0, else of -q (the same rotation)
//     T      = I - (1 - cos t)/t^2 S + (t - sin t)/t^3 S^2   R = exp(psi~), R' = R Omega~, Omega = T psi'
//     T^-1   = I + 1/2 S + (1 - t/2 cot(t/2))/t^2 S^2
// atan2 keeps full accuracy at both ends, where acos(w) and asin(|v|) lose half the digits. Quotients that cancel
// near t = 0 switch to their Taylor series, long enough to be exact to round-off where they hand over.
//
// Reference: A. Iserles, H. Munthe-Kaas, S. Norsett, A. Zanna, "Lie-group methods", Acta Numerica 9 (2000),
// appendix B; O. Brüls, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012) 121-137.
#include "zn/math.h"

zn_quat zn_quat_product(zn_quat a, zn_quat b)
{
    return (zn_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

zn_quat zn_quat_conjugate(zn_quat a) { return (zn_quat){a.w, -a.x, -a.y, -a.z}; }

zn_quat zn_quat_normalize(zn_quat a)
{
    double s = 1.0 / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return (zn_quat){s * a.w, s * a.x, s * a.y, s * a.z};
}

zn_vec3 zn_quat_rotate(zn_quat q, zn_vec3 x)
{
    // R x = x + 2 w (v x x) + 2 v x (v x x)
    zn_vec3 v = {q.x, q.y, q.z};
    zn_vec3 c = zn_vec3_scale(2.0, zn_vec3_cross(v, x));
    return zn_vec3_add(x, zn_vec3_add(zn_vec3_scale(q.w, c), zn_vec3_cross(v, c)));
}

zn_mat3 zn_quat_matrix(zn_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (zn_mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                      {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                      {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

zn_quat zn_so3_exp(zn_vec3 psi)
{
    // sin(t/2)/t does not cancel: only t = 0 (also by underflow of the squares) needs its limit
    double t = zn_vec3_norm(psi);
    double sine, cosine;
    zn_sincos(0.5 * t, &sine, &cosine);
    double s = t > 0 ? sine / t : 0.5;
    return (zn_quat){cosine, s * psi.x, s * psi.y, s * psi.z};
}

zn_vec3 zn_so3_log(zn_quat q)
{
    if (q.w < 0) // of q and -q the one with the angle below pi
        q = (zn_quat){-q.w, -q.x, -q.y, -q.z};
    zn_vec3 v = {q.x, q.y, q.z};
    double  length = zn_vec3_norm(v);
    return zn_vec3_scale(length > 0 ? 2.0 * zn_atan2(length, q.w) / length : 2.0 / q.w, v);
}

static double polynomial(int terms, const double *c, double x)
{
    double sum = 0;
    for (int k = terms - 1; k >= 0; k--)
        sum = c[k] + x * sum;
    return sum;
}

// (1 - cos t)/t^2 = 1/2 (sin(t/2)/(t/2))^2, which does not cancel.
static double one_minus_cosine(double t)
{
    double x = 0.5 * t;
    double s = x > 0 ? zn_sin(x) / x : 1.0;
    return 0.5 * s * s;
}

// (t - sin t)/t^3 = sum_k (-1)^k t^2k/(2k + 3)!; at t = 1 the next term is 2e-20.
static double angle_minus_sine(double t)
{
    static const double series[] = {1.0 / 6,
                                    -1.0 / 120,
                                    1.0 / 5040,
                                    -1.0 / 362880,
                                    1.0 / 39916800,
                                    -1.0 / 6227020800,
                                    1.0 / 1307674368e3,
                                    -1.0 / 355687428096e3,
                                    1.0 / 121645100408832e3};
    return t < 1 ? polynomial(9, series, t * t) : (t - zn_sin(t)) / (t * t * t);
}

// (1 - t/2 cot(t/2))/t^2 = sum_k |B_2k|/(2k)! t^(2k - 2) (Bernoulli numbers); at t = 1/2 the next term is 1e-19.
static double one_minus_cotangent(double t)
{
    static const double series[] = {1.0 / 12,          1.0 / 720,
                                    1.0 / 30240,       1.0 / 1209600,
                                    1.0 / 47900160,    691.0 / 1307674368e3,
                                    1.0 / 74724249600, 3617.0 / 1067062284288e4};
    double              x = 0.5 * t;
    return t < 0.5 ? polynomial(8, series, t * t) : (1 - x * zn_cos(x) / zn_sin(x)) / (t * t);
}

// I + a S + b S^2 with S = psi~, using S^2 = psi psi' - t^2 I.
static zn_mat3 skew_polynomial(double a, double b, zn_vec3 psi)
{
    double  p[3] = {psi.x, psi.y, psi.z};
    double  square = zn_vec3_dot(psi, psi);
    zn_mat3 result = zn_mat3_skew(psi);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result.m[i][j] = a * result.m[i][j] + b * p[i] * p[j] + (i == j ? 1 - b * square : 0);
    return result;
}

zn_mat3 zn_so3_tangent(zn_vec3 psi)
{
    double t = zn_vec3_norm(psi);
    return skew_polynomial(-one_minus_cosine(t), angle_minus_sine(t), psi);
}

zn_mat3 zn_so3_tangent_inverse(zn_vec3 psi)
{
    return skew_polynomial(0.5, one_minus_cotangent(zn_vec3_norm(psi)), psi);
}
