// The complementarity functions of Alart-Curnier and Jean-Moreau and their derivatives.
//
//     F_N = r_N - max(0, x_N),         x_N = r_N - rho_N u_N
//     F_T = r_T - P(y, g),             y = r_T - rho_T u_T,  P the projection on the disk of radius g
//     g = mu max(0, x_N)  (Alart-Curnier)   or   mu max(0, r_N)  (Jean-Moreau)
// Outside of the disk P = g t with t = y / |y|, dP = t dg + g (I - t t') dy / |y|.
// Followers have F_T alone, with g = mu max(0, x_N) of their leader. Where that is closed its own equation says
// u_N + du_N = 0, so that dg = mu (dr_N + rho_N u_N): one coefficient in the column of the leader's normal.
//
// Reference: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353-375;
// M. Jean, J. J. Moreau, Contact Mechanics International Symposium (1992) 31-48.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction_newton.h"

// Tangential part outside of the disk.
static void slip_part(zn_fc_function kind, int rows, double mu, const double rho[2], double radius, double length,
                      const double *y, const double *r, double *F, double *A, double *B)
{
    ZN_ASSERT(radius > 0 && length > radius);
    for (int i = 1; i < rows; i++) {
        double t = y[i] / length;
        F[i] = r[i] - radius * t;
        B[3 * i] = -mu * t;
        A[3 * i] = kind == ZN_FC_ALART_CURNIER ? mu * rho[0] * t : 0;
        for (int j = 1; j < rows; j++) {
            double turn = radius / length * ((i == j) - t * y[j] / length);
            B[3 * i + j] = (i == j) - turn;
            A[3 * i + j] = rho[1] * turn;
        }
    }
}

bool zn_fc_newton_function(zn_fc_function kind, int rows, double mu, const double rho[2], const double *r,
                           const double *u, double *F, double *A, double *B)
{
    ZN_ASSERT(rows >= 1 && rows <= 3 && rho[0] > 0 && rho[1] > 0);
    memset(A, 0, 9 * sizeof *A);
    memset(B, 0, 9 * sizeof *B);
    double x = r[0] - rho[0] * u[0], y[3] = {0}, length = 0;
    bool   closed = x > 0 || mu < 0;
    F[0] = closed ? rho[0] * u[0] : r[0];
    A[0] = closed ? rho[0] : 0;
    B[0] = closed ? 0 : 1;
    double pressure = kind == ZN_FC_ALART_CURNIER ? x : r[0], radius = pressure > 0 ? mu * pressure : 0;
    for (int i = 1; i < rows; i++) {
        y[i] = r[i] - rho[1] * u[i];
        length += y[i] * y[i];
    }
    length = sqrt(length);
    if (radius > 0 && length > radius) {
        slip_part(kind, rows, mu, rho, radius, length, y, r, F, A, B);
        return true;
    }
    for (int i = 1; i < rows; i++) {
        F[i] = radius > 0 ? rho[1] * u[i] : r[i];
        A[4 * i] = radius > 0 ? rho[1] : 0;
        B[4 * i] = radius > 0 ? 0 : 1;
    }
    return closed || (radius > 0 && rows > 1);
}

bool zn_fc_newton_follower(int rows, double mu, double rho, double pressure, const double *r, const double *u,
                           double *F, double *A, double *B, double couple[2])
{
    ZN_ASSERT(rows >= 1 && rows <= 2 && rho > 0);
    double y[2] = {r[0] - rho * u[0], rows > 1 ? r[1] - rho * u[1] : 0}, length = hypot(y[0], y[1]);
    double radius = mu * pressure;
    bool   closed = pressure > 0, turns = closed && length > radius;
    memset(A, 0, 9 * sizeof *A);
    memset(B, 0, 9 * sizeof *B);
    couple[0] = couple[1] = 0;
    for (int i = 0; i < rows; i++) {
        F[i] = closed ? rho * u[i] : r[i];
        A[4 * i] = closed ? rho : 0;
        B[4 * i] = closed ? 0 : 1;
        if (!turns)
            continue;
        double t = y[i] / length;
        F[i] = r[i] - radius * t;
        couple[i] = -mu * t;
        for (int j = 0; j < rows; j++) {
            double turn = rows > 1 ? radius / length * ((i == j) - t * y[j] / length) : 0;
            B[3 * i + j] = (i == j) - turn;
            A[3 * i + j] = rho * turn;
        }
    }
    return closed;
}
