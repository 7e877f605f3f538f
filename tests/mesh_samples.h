// Closed surfaces for tests of meshes.
#ifndef MESH_SAMPLES_H
#define MESH_SAMPLES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/contact/mesh_shape.h"

typedef struct sample {
    int      points, triangles;
    zn_vec3 *point;
    int     *corner;
} sample;

static inline void sample_clear(sample *s)
{
    free(s->point);
    free(s->corner);
    *s = (sample){0};
}

static inline double sample_random(uint64_t *state) // in [0, 1): splitmix64
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline sample sample_room(int points, int triangles)
{
    return (sample){0, 0, calloc((size_t)points, sizeof(zn_vec3)), calloc((size_t)(3 * triangles), sizeof(int))};
}

static inline int sample_point(sample *s, double x, double y, double z)
{
    s->point[s->points] = (zn_vec3){x, y, z};
    return s->points++;
}

static inline void sample_triangle(sample *s, int a, int b, int c)
{
    int *to = &s->corner[3 * s->triangles++];
    to[0] = a, to[1] = b, to[2] = c;
}

static inline void sample_quad(sample *s, int a, int b, int c, int d)
{
    sample_triangle(s, a, b, c);
    sample_triangle(s, a, c, d);
}

// A slab of the sides a, b, c around x = y = 0 whose top is at z = 0, or at height(x, y); n x m squares there and
// below.
static inline sample sample_slab(int n, int m, double a, double b, double c, double (*height)(double x, double y))
{
    int    row = n + 1, layer = (n + 1) * (m + 1);
    sample s = sample_room(2 * layer, 4 * n * m + 4 * (n + m));
    for (int i = 0; i < 2 * layer; i++) {
        double x = a * (i % row / (double)n - 0.5), y = b * (i % layer / row / (double)m - 0.5);
        sample_point(&s, x, y, i < layer ? -c : height ? height(x, y) : 0);
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            int low = j * row + i, top = low + layer;
            sample_quad(&s, top, top + 1, top + row + 1, top + row);
            sample_quad(&s, low, low + row, low + row + 1, low + 1);
        }
    for (int i = 0; i < n; i++) {
        int far = m * row + i;
        sample_quad(&s, i, i + 1, layer + i + 1, layer + i);
        sample_quad(&s, far + 1, far, layer + far, layer + far + 1);
    }
    for (int j = 0; j < m; j++) {
        int left = j * row, right = left + n;
        sample_quad(&s, left + row, left, layer + left, layer + left + row);
        sample_quad(&s, right, right + row, layer + right + row, layer + right);
    }
    return s;
}

// Rings of 2 n points around z between two poles.
static inline sample sample_rings(int n, int rings, const double *radius, const double *z, double low, double high)
{
    int    round = 2 * n;
    sample s = sample_room(rings * round + 2, 2 * rings * round);
    for (int i = 0; i < rings * round; i++) {
        double a = acos(-1) * (i % round) / n;
        sample_point(&s, radius[i / round] * cos(a), radius[i / round] * sin(a), z[i / round]);
    }
    int bottom = sample_point(&s, 0, 0, low), top = sample_point(&s, 0, 0, high), last = (rings - 1) * round;
    for (int i = 0; i < round; i++) {
        int next = (i + 1) % round;
        sample_triangle(&s, bottom, next, i);
        sample_triangle(&s, top, last + i, last + next);
        for (int k = 0; k + 1 < rings; k++)
            sample_quad(&s, k * round + i, k * round + next, (k + 1) * round + next, (k + 1) * round + i);
    }
    return s;
}

// The unit ball: 2 n meridians, n parallels.
static inline sample sample_ball(int n)
{
    double radius[64], z[64];
    for (int i = 0; i < n - 1; i++) {
        double a = acos(-1) * (i + 1) / n;
        radius[i] = sin(a);
        z[i] = -cos(a);
    }
    return sample_rings(n, n - 1, radius, z, -1, 1);
}

// A cylinder along z, or a capsule.
static inline sample sample_rod(int n, double r, double length, bool round)
{
    double radius[64] = {r, r}, z[64] = {-length / 2, length / 2};
    int    quarter = n / 2;
    if (!round)
        return sample_rings(n, 2, radius, z, -length / 2, length / 2);
    for (int i = 0; i < quarter; i++) {
        double a = acos(-1) / 2 * (i + 1) / quarter;
        radius[i] = r * sin(a);
        z[i] = -length / 2 - r * cos(a);
        radius[quarter + i] = i == 0 ? r : r * sin(acos(-1) / 2 * (quarter - i) / quarter);
        z[quarter + i] = length / 2 + (i == 0 ? 0 : r * cos(acos(-1) / 2 * (quarter - i) / quarter));
    }
    return sample_rings(n, 2 * quarter, radius, z, -length / 2 - r, length / 2 + r);
}

static inline sample sample_join(const sample *a, const sample *b)
{
    sample s = sample_room(a->points + b->points, a->triangles + b->triangles);
    memcpy(s.point, a->point, sizeof(zn_vec3) * (size_t)a->points);
    memcpy(s.point + a->points, b->point, sizeof(zn_vec3) * (size_t)b->points);
    memcpy(s.corner, a->corner, 3 * sizeof(int) * (size_t)a->triangles);
    for (int i = 0; i < 3 * b->triangles; i++)
        s.corner[3 * a->triangles + i] = a->points + b->corner[i];
    s.points = a->points + b->points;
    s.triangles = a->triangles + b->triangles;
    return s;
}

// A slab of one square on top: the edge of the top along y = -b/2 gets a corner in its middle, its neighbour none.
static inline sample sample_split_one_side(sample *slab)
{
    sample s = sample_room(slab->points + 1, slab->triangles + 1);
    memcpy(s.point, slab->point, sizeof(zn_vec3) * (size_t)slab->points);
    memcpy(s.corner, slab->corner, 3 * sizeof(int) * (size_t)slab->triangles);
    s.points = slab->points;
    s.triangles = slab->triangles;
    int *c = s.corner, a = c[0], b = c[1], third = c[2]; // the first triangle has that edge first
    int  middle = sample_point(&s, 0.5 * (s.point[a].x + s.point[b].x), s.point[a].y, s.point[a].z);
    c[1] = middle;
    sample_triangle(&s, middle, b, third);
    sample_clear(slab);
    return s;
}

static inline double hills(double x, double y)
{
    return 0.13 * sin(5 * x + 1) * cos(4 * y) + 0.05 * sin(11 * x * y + 2 * x);
}

// Six corners around, spikes up and down between them: hollow edges everywhere.
static inline sample make_star(void)
{
    double radius[1] = {0.5}, z[1] = {0};
    sample s = sample_rings(6, 1, radius, z, -0.2, 0.2);
    for (int i = 0; i < 12; i += 2)
        s.point[i] = zn_vec3_scale(0.35, s.point[i]);
    return s;
}

static inline sample make_ell(void)
{
    static const double corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    sample              s = sample_room(12, 20);
    for (int i = 0; i < 12; i++)
        sample_point(&s, 0.4 * (corner[i % 6][0] - 1), 0.4 * (corner[i % 6][1] - 1), i < 6 ? -0.2 : 0.2);
    for (int i = 0; i < 6; i++)
        sample_quad(&s, i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i);
    for (int layer = 0; layer < 2; layer++) {
        static const int cut[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
        for (int i = 0; i < 4; i++)
            sample_triangle(&s, 6 * layer + cut[i][0], 6 * layer + cut[i][layer ? 1 : 2],
                            6 * layer + cut[i][layer ? 2 : 1]);
    }
    return s;
}

static inline zn_mesh_shape *sample_mesh(const sample *s)
{
    char           message[500];
    zn_mesh_shape *m = NULL;
    int            lost = 0;
    return zn_mesh_shape_make(s->points, s->point, s->triangles, s->corner, &m, &lost, message, sizeof message) == ZN_OK
               ? m
               : NULL;
}

#endif
