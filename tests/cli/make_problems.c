// Friction problems for the tests of `zeno solve`, each with a property of its own: make_problems FOLDER.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zn/io.h"

enum { N = 6, CONTACTS = 2 };

static const char *folder;

static void print_message(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    fprintf(stderr, "%s\n", message);
}

static void write(const char *name, const double *W, const double *q, const double *mu)
{
    static const int    first[] = {0, 3, 6};
    char                path[1024];
    const zn_fc_problem p = {N, 0, CONTACTS, first, W, q, mu, NULL, NULL};
    snprintf(path, sizeof path, "%s/%s.hdf5", folder, name);
    if (zn_fclib_write(path, &p, NULL, (zn_log){.write = print_message}) != ZN_OK)
        exit(1);
}

// W = D A D: two contacts that push on each other, in units that differ by the square of `scale` between them.
static void fill(double *W, double scale)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double a = i == j ? 2 : i % 3 == j % 3 ? 0.5 : 0;
            W[i * N + j] = a * (i < 3 ? scale : 1 / scale) * (j < 3 ? scale : 1 / scale);
        }
}

// M v = H r + f, 0 = G' v, u = H' v: a mass of 2 on a floor with mu = 0.5, pulled along it by 12 and held by a rod at
// 45 degrees.
static void write_global(void)
{
    const int          M_start[] = {0, 1, 2}, M_column[] = {0, 1}, H_start[] = {0, 2, 4}, H_column[] = {0, 2, 0, 1};
    const double       M_value[] = {2, 2}, H_value[] = {1, 1, 1, 1}, f[] = {12, -20}, w[] = {0, 0, 0}, mu[] = {0.5};
    const zn_fc_matrix M = {2, 2, M_start, M_column, M_value}, H = {2, 3, H_start, H_column, H_value};
    const int          first[] = {1, 3};
    const zn_fc_global g = {2, 3, 1, 1, first, &M, &H, f, w, mu};
    char               path[1024];
    snprintf(path, sizeof path, "%s/rod.hdf5", folder);
    if (zn_fclib_write_global(path, &g, NULL, (zn_log){.write = print_message}) != ZN_OK)
        exit(1);
}

int main(int argc, char **argv)
{
    const double mu[] = {0.3, 0.6}, q[N] = {-1, 0.5, 0.25, -2, 0.1, -0.3};
    double       W[N * N], scaled[N];
    if (argc != 2)
        return 1;
    folder = argv[1];
    fill(W, 1);
    write("plain", W, q, mu);
    W[1] += 0.5; // friction of the first contact pushes along its normal, not the other way round
    write("asymmetric", W, q, mu);
    fill(W, 1);
    W[0] = -1;
    write("indefinite", W, q, mu);
    fill(W, 1e4);
    for (int i = 0; i < N; i++)
        scaled[i] = q[i] * (i < 3 ? 1e4 : 1e-4);
    write("scaled", W, scaled, mu);
    memset(W, 0, sizeof W); // nothing can push the contacts apart
    write("infeasible", W, q, mu);
    write_global();
    return 0;
}
