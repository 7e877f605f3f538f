// Scenes of the families: who touches whom. Sizes, offsets and masses are drawn from the scene's own sequence.
#include "families.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

double random_between(uint64_t *state, double low, double high)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

int random_index(uint64_t *state, int low, int high)
{
    int k = low + (int)random_between(state, 0, high - low + 1);
    return k > high ? high : k;
}

static double between(scene *s, double low, double high) { return random_between(&s->random, low, high); }

static int index_of(scene *s, int low, int high) { return random_index(&s->random, low, high); }

// Sizes over a decade and more: small ones are as frequent as large ones.
static int size_of(scene *s, int low, int high) { return (int)(low * pow((double)high / low, between(s, 0, 1)) + 0.5); }

static void *grow(void *memory, int count, int *room, size_t size)
{
    if (count < *room)
        return memory;
    *room = 2 * *room + 16;
    memory = realloc(memory, (size_t)*room * size);
    if (memory == NULL) {
        fprintf(stderr, "bench_families: out of memory\n");
        exit(2);
    }
    return memory;
}

int add_body(scene *s, const double x[3], const double half[3], double mass)
{
    s->bodies = grow(s->bodies, s->body_count, &s->body_room, sizeof *s->bodies);
    body b = {.mass = mass};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        b.x[i] = x[i];
        b.inertia[i] = mass * (half[j] * half[j] + half[k] * half[k]) / 3;
    }
    s->bodies[s->body_count] = b;
    return s->body_count++;
}

void add_touch(scene *s, int a, int b, const double p[3], const double n[3])
{
    s->touches = grow(s->touches, s->touch_count, &s->touch_room, sizeof *s->touches);
    touch t = {.a = a, .b = b};
    for (int i = 0; i < 3; i++) {
        t.p[i] = p[i];
        t.n[i] = n[i];
    }
    s->touches[s->touch_count++] = t;
}

// Corners of a horizontal rectangle (in the plane: the ends of an interval).
static void add_face(scene *s, int a, int b, const double low[2], const double high[2], double z)
{
    const double up[3] = {0, s->planar ? 1 : 0, s->planar ? 0 : 1};
    for (int k = 0; k < (s->planar ? 2 : 4); k++) {
        double x = k % 2 == 0 ? low[0] : high[0], y = k < 2 ? low[1] : high[1];
        double p[3] = {x, s->planar ? z : y, s->planar ? 0 : z};
        add_touch(s, a, b, p, up);
    }
}

static const double half_brick[3] = {0.1, 0.05, 0.04};

static void brick_at(scene *s, double x, double y, double z, double out[3])
{
    out[0] = x;
    out[1] = s->planar ? z : y;
    out[2] = s->planar ? 0 : z;
}

// --- rigid bodies --------------------------------------------------------------------------------

// Boxes one on the other, each a little aside; masses change by `ratio` from the lowest to the highest.
static void pile_up(scene *s, int count, double ratio)
{
    double x = 0, y = 0, height = 2 * half_brick[2];
    for (int i = 0; i < count; i++) {
        double dx = i > 0 ? between(s, -0.02, 0.02) : 0, dy = i > 0 ? between(s, -0.01, 0.01) : 0, at[3];
        double low[2] = {fmax(x, x + dx) - half_brick[0], fmax(y, y + dy) - half_brick[1]};
        double high[2] = {fmin(x, x + dx) + half_brick[0], fmin(y, y + dy) + half_brick[1]};
        x += dx;
        y += dy;
        brick_at(s, x, y, (i + 0.5) * height, at);
        int b = add_body(s, at, half_brick, pow(ratio, count > 1 ? (double)i / (count - 1) : 0));
        add_face(s, b, b - 1, low, high, i * height);
    }
}

static void stack(scene *s) { pile_up(s, size_of(s, 2, 40), pow(10, between(s, -1, 1))); }

// A heavy load on light boxes, or the other way round.
static void heavy(scene *s) { pile_up(s, size_of(s, 2, 12), pow(10, between(s, 1, 6) * (index_of(s, 0, 3) ? 1 : -1))); }

// Bricks in running bond: each lies on two.
static void wall(scene *s)
{
    int    wide = size_of(s, 2, 8), high = size_of(s, 2, 10), below = GROUND;
    double length = 2 * half_brick[0], height = 2 * half_brick[2];
    for (int row = 0; row < high; row++) {
        int    first = s->body_count, count = wide - row % 2;
        double start = row % 2 ? 0.5 * length : 0;
        for (int i = 0; i < count; i++) {
            double at[3], x = start + i * length;
            brick_at(s, x, 0, (row + 0.5) * height, at);
            int b = add_body(s, at, half_brick, between(s, 0.8, 1.2));
            for (int side = 0; side < 2; side++) {
                double low[2] = {side == 0 ? x - half_brick[0] : x, -half_brick[1]};
                double up[2] = {side == 0 ? x : x + half_brick[0], half_brick[1]};
                int    under = below == GROUND ? GROUND : row % 2 ? below + i + side : below + i - 1 + side;
                if (below == GROUND || (under >= below && under < first))
                    add_face(s, b, under, low, up, row * height);
            }
        }
        below = first;
    }
}

// One rigid body on many feet, or a few of them one on the other.
static void table(scene *s)
{
    const double up[3] = {0, s->planar ? 1 : 0, s->planar ? 0 : 1}, half[3] = {0.6, 0.4, 0.02};
    int          tables = index_of(s, 1, 3), feet = size_of(s, 4, 100 / tables);
    for (int k = 0; k < tables; k++) {
        double at[3];
        brick_at(s, 0, 0, 0.5 * (k + 1), at);
        int b = add_body(s, at, half, between(s, 5, 30));
        for (int i = 0; i < feet; i++) {
            double p[3];
            brick_at(s, between(s, -0.6, 0.6), between(s, -0.4, 0.4), 0.5 * k, p);
            add_touch(s, b, b - 1, p, up);
        }
    }
}

// Spheres (discs) on a lattice that was shaken: those whose distance is small touch.
static void pile(scene *s)
{
    int          side = s->planar ? size_of(s, 3, 16) : size_of(s, 2, 6), levels = size_of(s, 2, s->planar ? 16 : 8);
    const double radius = 0.05, half[3] = {0.05, 0.05, 0.05}, pitch = 2 * radius;
    double       ratio = index_of(s, 0, 2) ? 1 : pow(10, between(s, 0, 4));
    for (int k = 0; k < side * (s->planar ? 1 : side) * levels; k++) {
        int    layer = k / (side * (s->planar ? 1 : side)), in = k % (side * (s->planar ? 1 : side));
        double x = (in % side + 0.5 * (layer % 2)) * pitch, y = (double)(in / side + 0.5 * (layer % 2)) * pitch;
        double at[3], z = radius + layer * pitch * (s->planar ? 0.866 : 0.7072);
        brick_at(s, x + between(s, -0.003, 0.003), y + between(s, -0.003, 0.003), z, at);
        int b = add_body(s, at, half, pow(ratio, between(s, 0, 1)));
        if (layer == 0) {
            double p[3], up[3] = {0, s->planar ? 1 : 0, s->planar ? 0 : 1};
            brick_at(s, at[0], s->planar ? 0 : at[1], 0, p);
            add_touch(s, b, GROUND, p, up);
        }
        for (int o = 0; o < b; o++) {
            double d[3], length = 0, p[3];
            for (int i = 0; i < 3; i++) {
                d[i] = at[i] - s->bodies[o].x[i];
                length += d[i] * d[i];
                p[i] = 0.5 * (at[i] + s->bodies[o].x[i]);
            }
            length = sqrt(length);
            for (int i = 0; i < 3; i++)
                d[i] /= length;
            if (length < pitch * 1.01)
                add_touch(s, b, o, p, d);
        }
    }
}

// Cubes face to face in all directions, each face with its four corners.
static void cubes(scene *s)
{
    const double half[3] = {0.05, 0.05, 0.05};
    int          side[3] = {index_of(s, 1, 4), s->planar ? 1 : index_of(s, 1, 3), index_of(s, 1, 4)};
    for (int k = 0; k < side[0] * side[1] * side[2]; k++) {
        int    c[3] = {k % side[0], k / side[0] % side[1], k / (side[0] * side[1])}, step = 1;
        double centre[3] = {0.1 * c[0], 0.1 * c[1], 0.1 * c[2] + 0.05}, at[3];
        brick_at(s, centre[0], centre[1], centre[2], at);
        int b = add_body(s, at, half, between(s, 0.5, 2));
        for (int axis = 0; axis < 3; axis++, step *= side[axis - 1]) {
            double n[3] = {0}, direction[3] = {axis == 0, axis == 1, axis == 2};
            if (c[axis] == 0 && axis < 2)
                continue;
            brick_at(s, direction[0], direction[1], direction[2], n);
            for (int corner = 0; corner < (s->planar ? 2 : 4); corner++) {
                double q[3] = {centre[0], centre[1], centre[2]}, p[3];
                int    j = (axis + 1) % 3, l = (axis + 2) % 3;
                q[axis] -= 0.05;
                q[s->planar ? 2 - axis : j] += corner % 2 ? 0.05 : -0.05;
                if (!s->planar)
                    q[l] += corner < 2 ? -0.05 : 0.05;
                brick_at(s, q[0], q[1], q[2], p);
                add_touch(s, b, c[axis] == 0 ? GROUND : b - step, p, n);
            }
        }
    }
}

// Stones of an arch between two feet on the ground; joints are faces with two (in space four) corners.
static void arch(scene *s)
{
    int          stones = size_of(s, 3, 40);
    const double inner = 1, outer = 1 + between(s, 0.1, 0.4), half[3] = {0.5 * PI / stones, 0.2, 0.5 * (outer - 1)};
    for (int joint = 0; joint <= stones; joint++) {
        double angle = PI * joint / stones, middle = angle + 0.5 * PI / stones, at[3], n[3];
        int    b = joint;
        if (joint < stones) {
            brick_at(s, -0.5 * (inner + outer) * cos(middle), 0, 0.5 * (inner + outer) * sin(middle), at);
            b = add_body(s, at, half, between(s, 0.9, 1.1));
        }
        brick_at(s, sin(angle), 0, cos(angle), n); // along the arch
        for (int corner = 0; corner < (s->planar ? 2 : 4); corner++) {
            double radius = corner % 2 ? outer : inner, p[3], m[3] = {-n[0], -n[1], -n[2]};
            brick_at(s, -radius * cos(angle), corner < 2 ? -0.2 : 0.2, radius * sin(angle), p);
            if (joint < stones)
                add_touch(s, b, b - 1, p, n);
            else
                add_touch(s, stones - 1, GROUND, p, m);
        }
    }
}

// Boxes in a row that two heavy ones press together: friction alone holds those between.
static void squeeze(scene *s)
{
    int          count = size_of(s, 3, 30);
    const double half[3] = {0.05, 0.05, 0.05}, along[3] = {1, 0, 0};
    for (int i = 0; i < count; i++) {
        double at[3];
        bool   jaw = i == 0 || i == count - 1;
        brick_at(s, 0.1 * i, 0, 0.05, at);
        int b = add_body(s, at, half, jaw ? pow(10, between(s, 0, 3)) : between(s, 0.5, 2));
        s->bodies[b].v[0] = i == 0 ? 1 : i == count - 1 ? -1 : 0;
        for (int corner = 0; corner < (s->planar ? 2 : 4); corner++) {
            double p[3], y = corner < 2 ? -0.05 : 0.05, z = corner % 2 ? 0.1 : 0;
            brick_at(s, 0.1 * i - 0.05, y, z, p);
            if (i > 0)
                add_touch(s, b, b - 1, p, along);
        }
        double low[2] = {0.1 * i - 0.05, -0.05}, high[2] = {0.1 * i + 0.05, 0.05};
        if (jaw)
            add_face(s, b, GROUND, low, high, 0);
    }
}

const family families[] = {{"stack", stack}, {"heavy", heavy}, {"wall", wall},       {"table", table}, {"pile", pile},
                           {"cubes", cubes}, {"arch", arch},   {"squeeze", squeeze}, {NULL, NULL}};
