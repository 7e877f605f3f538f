/// A small friction problem in a file, for the tests of FCLIB files.
#ifndef ZN_TESTS_FCLIB_FIXTURES_H
#define ZN_TESTS_FCLIB_FIXTURES_H

#include "fixtures.h"

#include <unistd.h>

#include "zn/io.h"

enum { N = 7, CONTACTS = 2, EQUATIONS = 1 };

// One equation and two contacts in space, W = A A' (A below), so symmetric.
static const int    first[] = {1, 4, 7};
static const double mu[] = {0.3, 0.7}, q[N] = {0.5, -1, 0.25, 0, -2, 1, 1e-3};

static inline void fill_W(double *W)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            W[i * N + j] = i == j ? 1 : 0;
            for (int k = 0; k < 4; k++)
                W[i * N + j] += sin(1 + 2 * i + 5 * k) * sin(1 + 2 * j + 5 * k);
        }
}

// A file of the test's own in the working folder, removed when the test ends.
static inline const char *scratch_file(void)
{
    static char path[64];
    snprintf(path, sizeof path, "test_fclib_%d.hdf5", (int)getpid());
    return path;
}

static inline void write_mixed(const char *path)
{
    double W[N * N];
    fill_W(W);
    const zn_fc_problem p = {N, EQUATIONS, CONTACTS, first, W, q, mu, NULL, NULL};
    const zn_fclib_text text = {"two contacts", "made by a test", NULL};
    CHECK_OK(zn_fclib_write(path, &p, &text, (zn_log){0}));
}

#endif
