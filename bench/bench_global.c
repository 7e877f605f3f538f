// Writes a global friction problem of any size: an elastic net of points, thrown at a wall.
//
//   bench_global FILE chain|plate SIZE
//
// Points of one mass in a row of SIZE, or in a square of SIZE x SIZE, each joined to its neighbours by springs in all
// directions, implicitly integrated: M = mass + h^2 stiffness. Every point meets the wall, in axes of its own, so that
// the contacts are coupled through M alone. Speeds and axes come from a fixed sequence: a size is one problem,
// everywhere.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zn/io.h"

enum { SIZE_MOST = 1000, NEIGHBOURS = 4 };

typedef struct matrix {
    int    *start, *column;
    double *value;
    int     entries;
} matrix;

static uint64_t seed = 1;

// Uniform in [-1, 1).
static double random_unit(void)
{
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "bench_global: out of memory\n");
        exit(2);
    }
    return memory;
}

static matrix matrix_create(int rows, int per_row)
{
    size_t most = (size_t)rows * (size_t)per_row;
    return (matrix){need((size_t)rows + 1, sizeof(int)), need(most, sizeof(int)), need(most, sizeof(double)), 0};
}

static void append(matrix *a, int column, double value)
{
    a->column[a->entries] = column;
    a->value[a->entries++] = value;
}

static zn_fc_matrix view(const matrix *a, int rows, int columns)
{
    return (zn_fc_matrix){rows, columns, a->start, a->column, a->value};
}

static void matrix_destroy(matrix *a)
{
    free(a->start);
    free(a->column);
    free(a->value);
}

// Neighbours of point i of a net `width` points wide, ascending; returns how many.
static int neighbours(int i, int width, int points, int *out)
{
    int count = 0, x = i % width;
    if (i >= width)
        out[count++] = i - width;
    if (x > 0)
        out[count++] = i - 1;
    if (x < width - 1)
        out[count++] = i + 1;
    if (i + width < points)
        out[count++] = i + width;
    return count;
}

// 1 + k (number of neighbours) on the diagonal, -k beside it: three equal directions.
static matrix mass_and_stiffness(int width, int points)
{
    const double k = 10;
    matrix       M = matrix_create(3 * points, NEIGHBOURS + 1);
    for (int row = 0; row < 3 * points; row++) {
        int other[NEIGHBOURS], count = neighbours(row / 3, width, points, other), next = 0;
        for (; next < count && other[next] < row / 3; next++)
            append(&M, 3 * other[next] + row % 3, -k);
        append(&M, row, 1 + k * count);
        for (; next < count; next++)
            append(&M, 3 * other[next] + row % 3, -k);
        M.start[row + 1] = M.entries;
    }
    return M;
}

// Axes of each contact in the columns of H: the rotation of a random quaternion.
static matrix axes(int points)
{
    matrix H = matrix_create(3 * points, 3);
    for (int i = 0; i < points; i++) {
        double x = random_unit(), y = random_unit(), z = random_unit(), s = 2 / (4 + x * x + y * y + z * z);
        double R[3][3] = {{1 - s * (y * y + z * z), s * (x * y - 2 * z), s * (x * z + 2 * y)},
                          {s * (x * y + 2 * z), 1 - s * (x * x + z * z), s * (y * z - 2 * x)},
                          {s * (x * z - 2 * y), s * (y * z + 2 * x), 1 - s * (x * x + y * y)}};
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++)
                append(&H, 3 * i + c, R[r][c]);
            H.start[3 * i + r + 1] = H.entries;
        }
    }
    return H;
}

// f: a throw against the wall with all speeds different; the wall itself does not move, w = 0.
static void fill_vectors(int points, const matrix *H, double *f, int *first, double *mu)
{
    for (int i = 0; i < points; i++) {
        double u[3] = {-1 + 0.8 * random_unit(), random_unit(), random_unit()};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                f[3 * i + r] += H->value[9 * i + 3 * r + c] * u[c];
        first[i + 1] = 3 * (i + 1);
        mu[i] = 0.5 + 0.4 * random_unit();
    }
}

static void print_message(void *user, zn_severity severity, const char *message)
{
    (void)user;
    (void)severity;
    fprintf(stderr, "bench_global: %s\n", message);
}

int main(int argc, char **argv)
{
    long size = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
    bool plate = argc == 4 && strcmp(argv[2], "plate") == 0;
    if (size < 1 || size > SIZE_MOST || (!plate && strcmp(argv[2], "chain") != 0)) {
        fprintf(stderr, "usage: bench_global FILE chain|plate SIZE\n");
        return 2;
    }
    int          width = (int)size, points = plate ? width * width : width, n = 3 * points;
    matrix       M = mass_and_stiffness(width, points), H = axes(points);
    zn_fc_matrix of_M = view(&M, n, n), of_H = view(&H, n, n);
    double *f = need((size_t)n, sizeof *f), *w = need((size_t)n, sizeof *w), *mu = need((size_t)points, sizeof *mu);
    int    *first = need((size_t)points + 1, sizeof *first);
    fill_vectors(points, &H, f, first, mu);
    const zn_fc_global problem = {n, n, 0, points, first, &of_M, &of_H, f, w, mu};
    zn_status          status = zn_fclib_write_global(argv[1], &problem, NULL, (zn_log){.write = print_message});
    matrix_destroy(&M);
    matrix_destroy(&H);
    free(f);
    free(w);
    free(mu);
    free(first);
    return status == ZN_OK ? 0 : 2;
}
