// A box of 2 kg lands on four corners with 1 m/s down and 0.9 m/s sideways, mu = 0.4: which impulses stop it?
//     u = W r + q,   W = G M^-1 G',   q = G v;   in each contact the normal, then two tangents
#include <stdio.h>
#include "zn/friction.h"

enum { CORNERS = 4, ROWS = 3 * CORNERS, VELOCITIES = 6 };

int main(void)
{
    const double inverse_mass[VELOCITIES] = {0.5, 0.5, 0.5, 4, 3, 2}, v[VELOCITIES] = {0.9, 0, -1, 0, 0, 0};
    const double mu[CORNERS] = {0.4, 0.4, 0.4, 0.4}, axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    const int    first[CORNERS + 1] = {0, 3, 6, 9, 12};
    double       G[ROWS][VELOCITIES], W[ROWS * ROWS] = {0}, q[ROWS] = {0}, r[ROWS] = {0}, u[ROWS], sum[3] = {0};
    for (int i = 0; i < ROWS; i++) { // velocity of a corner (x, y, z) along an axis: a . (v + omega x p)
        const double *a = axes[i % 3], x = i / 3 % 2 ? 0.5 : -0.5, y = i / 6 ? 0.3 : -0.3, z = -0.2;
        const double  row[VELOCITIES] = {
             a[0], a[1], a[2], y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0]};
        for (int k = 0; k < VELOCITIES; k++)
            q[i] += (G[i][k] = row[k]) * v[k];
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < VELOCITIES; k++)
                W[i * ROWS + j] += G[i][k] * inverse_mass[k] * G[j][k];

    const zn_fc_problem  problem = {.n = ROWS, .contacts = CORNERS, .first = first, .W = W, .q = q, .mu = mu};
    const zn_fc_settings settings = zn_fc_settings_default();
    zn_fc_workspace     *workspace;
    zn_fc_info           info;
    if (zn_fc_workspace_create(&workspace) != ZN_OK)
        return 1;
    zn_status status = zn_fc_solve(&problem, &settings, workspace, r, u, &info);
    zn_fc_workspace_destroy(workspace);
    for (int i = 0; i < ROWS; i++)
        sum[i % 3] += r[i];
    printf("%s by %s, residual %.1e: normal %.6f Ns, friction %.6f Ns, it slides on with %.6f m/s\n",
           zn_status_text(status), info.solver, info.residual, sum[0], sum[1], u[1]);
    return status == ZN_OK ? 0 : 1;
}
