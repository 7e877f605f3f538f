// Writes friction problems of all families (FCLIB), as many of each as asked for, from a seed.
//
//   bench_families FOLDER SEED COUNT [FAMILY]
//
// Rigid bodies: families.c says who touches whom; friction (none, equal, from contact to contact, up to 2), motion (at
// rest, one body pushed, all of them moving), restitution and tilts of the normals (rounding, or contacts that
// contradict each other a little) are drawn here. Full matrices: an elastic half-space under a ball or a punch, and
// matrices of low rank. Every problem has an answer: velocities that close nothing exist.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "zn/io.h"

#define PI 3.14159265358979323846

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "bench_families: out of memory\n");
        exit(2);
    }
    return memory;
}

static void print_message(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    fprintf(stderr, "bench_families: %s\n", message);
}

// --- what happens --------------------------------------------------------------------------------

// mu: none, one for all, or another for each.
static void draw_friction(uint64_t *random, int count, double *mu, size_t stride)
{
    int    kind = random_index(random, 0, 9);
    double one = kind == 0 ? 0 : random_between(random, kind < 6 ? 0.05 : 0.5, kind < 6 ? 1 : 2);
    for (int c = 0; c < count; c++) {
        double own = random_index(random, 0, 5) == 0 ? 0 : random_between(random, 0, 2);
        mu[(size_t)c * stride] = kind < 7 ? one : own;
    }
}

static void set_in_motion(scene *s)
{
    int    kind = random_index(&s->random, 0, 3), pushed = random_index(&s->random, 0, s->body_count - 1);
    double speed = pow(10, random_between(&s->random, -3, 1));
    for (int b = 0; b < s->body_count; b++)
        for (int i = 0; i < 3; i++) {
            bool moves = kind == 3 || (kind > 0 && b == pushed);
            s->bodies[b].v[i] += moves ? speed * random_between(&s->random, -1, 1) : 0;
            s->bodies[b].spin[i] += moves && kind > 1 ? 5 * speed * random_between(&s->random, -1, 1) : 0;
        }
    s->restitution = random_index(&s->random, 0, 1) ? 0 : random_between(&s->random, 0, 1);
    s->tilt = random_index(&s->random, 0, 1) ? 0 : pow(10, random_between(&s->random, -12, -2));
}

// --- from bodies to matrices ---------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normalize(double x[3])
{
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++)
        x[i] /= length;
}

// Normal, tilted, and tangents.
static void axes_of(scene *s, const touch *t, double axis[3][3])
{
    double other[3] = {0};
    for (int i = 0; i < 3; i++)
        axis[0][i] = t->n[i] + (s->planar && i == 2 ? 0 : s->tilt * random_between(&s->random, -1, 1));
    normalize(axis[0]);
    if (s->planar)
        other[2] = 1;
    else
        other[fabs(axis[0][0]) < 0.7 ? 0 : 1] = 1;
    cross(other, axis[0], axis[1]);
    normalize(axis[1]);
    cross(axis[0], axis[1], axis[2]);
}

// Row of H' for one body: velocity of its place along the axis. Returns how many degrees of freedom.
static int row_of(const scene *s, const body *b, const double p[3], const double axis[3], double *out)
{
    double arm[3], moment[3];
    for (int i = 0; i < 3; i++)
        arm[i] = p[i] - b->x[i];
    cross(arm, axis, moment);
    for (int i = 0; i < 3; i++) {
        out[i] = s->planar && i == 2 ? moment[2] : axis[i];
        if (!s->planar)
            out[3 + i] = moment[i];
    }
    return s->planar ? 3 : 6;
}

static double speed_along(const scene *s, const body *b, const double *row)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += s->planar ? row[i] * (i == 2 ? b->spin[2] : b->v[i]) : row[i] * b->v[i] + row[3 + i] * b->spin[i];
    return sum;
}

typedef struct matrices {
    int     n, rows;
    double *H; // rows x n, as a full matrix
    double *M, *f, *w, *mu;
    int    *first;
} matrices;

static void add_rows(scene *s, int c, matrices *m)
{
    const touch *t = s->touches + c;
    int          rows = s->planar ? 2 : 3;
    double       axis[3][3];
    axes_of(s, t, axis);
    m->mu[c] = t->mu;
    m->first[c + 1] = rows * (c + 1);
    for (int k = 0; k < rows; k++) {
        double *row = m->H + (size_t)(rows * c + k) * (size_t)m->n, before = 0;
        for (int side = 0; side < 2; side++) {
            int    at = side == 0 ? t->a : t->b;
            double one[6];
            if (at == GROUND)
                continue;
            int count = row_of(s, s->bodies + at, t->p, axis[k], one);
            for (int i = 0; i < count; i++)
                row[count * at + i] += side == 0 ? one[i] : -one[i];
            before += (side == 0 ? 1 : -1) * speed_along(s, s->bodies + at, one);
        }
        m->w[rows * c + k] = k == 0 && before < 0 ? s->restitution * before : 0;
    }
}

// M is diagonal, f = M (v + h g) + M of the spins.
static void add_masses(const scene *s, matrices *m)
{
    int          freedoms = s->planar ? 3 : 6;
    const double step = 1e-2, fall = -9.81 * step;
    for (int b = 0; b < s->body_count; b++)
        for (int i = 0; i < freedoms; i++) {
            const body *at = s->bodies + b;
            bool        turns = s->planar ? i == 2 : i >= 3;
            double      speed = turns ? at->spin[i % 3] : at->v[i % 3] + (i == (s->planar ? 1 : 2) ? fall : 0);
            m->M[freedoms * b + i] = turns ? at->inertia[i % 3] : at->mass;
            m->f[freedoms * b + i] = m->M[freedoms * b + i] * speed;
        }
}

// Compressed rows of the n x rows matrix whose transpose is given in full.
static zn_fc_matrix compress(int n, int rows, const double *transposed)
{
    int entries = 0;
    for (size_t k = 0; k < (size_t)n * (size_t)rows; k++)
        entries += transposed[k] != 0;
    int    *start = need((size_t)n + 1, sizeof *start), *column = need((size_t)entries, sizeof *column);
    double *value = need((size_t)entries, sizeof *value);
    for (int i = 0, at = 0; i < n; i++) {
        for (int j = 0; j < rows; j++)
            if (transposed[(size_t)j * (size_t)n + (size_t)i] != 0) {
                column[at] = j;
                value[at++] = transposed[(size_t)j * (size_t)n + (size_t)i];
            }
        start[i + 1] = at;
    }
    return (zn_fc_matrix){n, rows, start, column, value};
}

static zn_status write_scene(scene *s, const char *path, const char *title)
{
    int      rows = s->touch_count * (s->planar ? 2 : 3), n = s->body_count * (s->planar ? 3 : 6);
    matrices m = {.n = n, .rows = rows};
    m.H = need((size_t)n * (size_t)rows, sizeof *m.H);
    m.M = need((size_t)n, sizeof *m.M);
    m.f = need((size_t)n, sizeof *m.f);
    m.w = need((size_t)rows, sizeof *m.w);
    m.mu = need((size_t)s->touch_count, sizeof *m.mu);
    m.first = need((size_t)s->touch_count + 1, sizeof *m.first);
    for (int c = 0; c < s->touch_count; c++)
        add_rows(s, c, &m);
    add_masses(s, &m);
    int *start = need((size_t)n + 1, sizeof *start), *column = need((size_t)n, sizeof *column);
    for (int i = 0; i < n; i++) {
        start[i + 1] = i + 1;
        column[i] = i;
    }
    zn_fc_matrix  M = {n, n, start, column, m.M}, H = compress(n, rows, m.H);
    zn_fc_global  problem = {n, rows, 0, s->touch_count, m.first, &M, &H, m.f, m.w, m.mu};
    zn_fclib_text text = {.title = title};
    return zn_fclib_write_global(path, &problem, &text, (zn_log){.write = print_message});
}

static zn_status write_bodies(const family *f, uint64_t seed, bool planar, const char *path, const char *title)
{
    scene s = {.planar = planar, .random = seed};
    f->make(&s);
    draw_friction(&s.random, s.touch_count, &s.touches[0].mu, sizeof *s.touches / sizeof(double));
    set_in_motion(&s);
    return write_scene(&s, path, title); // memory: the program ends soon
}

// --- full matrices -------------------------------------------------------------------------------

typedef struct full {
    int     contacts, n;
    double *W, *q, *mu;
    int    *first;
} full;

static full full_create(int contacts)
{
    size_t n = 3 * (size_t)contacts;
    full   p = {.contacts = contacts, .n = (int)n, .W = need(n * n, sizeof(double)), .q = need(n, sizeof(double))};
    p.mu = need((size_t)contacts, sizeof *p.mu);
    p.first = need((size_t)contacts + 1, sizeof *p.first);
    for (int c = 0; c <= contacts; c++)
        p.first[c] = 3 * c;
    return p;
}

// What a force on one patch of an elastic half-space (E = 1) does at another: Boussinesq and Cerruti. Rows and columns:
// normal, two tangents.
static void half_space_block(double x, double y, double patch, double nu, double *W, size_t stride)
{
    double r = sqrt(x * x + y * y), own = 0.28 * patch, c = 1 / (PI * (r > 0 ? r : own));
    double tilt = r > 0 ? -(1 + nu) * (1 - 2 * nu) / (2 * PI * r * r) : 0, s = r > 0 ? 1 / (r * r) : 0;
    W[0] = (1 - nu * nu) * c;
    W[1] = tilt * x;
    W[2] = tilt * y;
    W[stride] = -tilt * x;
    W[2 * stride] = -tilt * y;
    W[stride + 1] = (1 + nu) * c * (1 - nu + nu * (r > 0 ? x * x * s : 0.5));
    W[2 * stride + 2] = (1 + nu) * c * (1 - nu + nu * (r > 0 ? y * y * s : 0.5));
    W[stride + 2] = W[2 * stride + 1] = (1 + nu) * nu * c * x * y * s;
}

static full half_space(uint64_t *random)
{
    int    side = random_index(random, 3, 11);
    full   p = full_create(side * side);
    double nu = random_between(random, 0, 0.49), depth = random_between(random, 0.05, 0.5), patch = 2.0 / side;
    double slip[2] = {random_between(random, -0.3, 0.3), random_between(random, -0.3, 0.3)};
    double turn = random_between(random, -0.3, 0.3), curved = random_index(random, 0, 1);
    for (int i = 0; i < p.contacts; i++) {
        double x = (i % side + 0.5) * patch - 1, y = (double)(i / side + 0.5) * patch - 1;
        p.q[3 * i] = curved * (x * x + y * y) / 2 - depth;
        p.q[3 * i + 1] = slip[0] * depth - turn * depth * y;
        p.q[3 * i + 2] = slip[1] * depth + turn * depth * x;
        for (int j = 0; j < p.contacts; j++)
            half_space_block((i % side - j % side) * patch, (i / side - j / side) * patch, patch, nu,
                             p.W + (size_t)(3 * i) * (size_t)p.n + 3 * j, (size_t)p.n);
    }
    return p;
}

// W = H'H, q = H'v with H of few rows. Normals lean to one side, so that one motion opens all contacts.
static full low_rank(uint64_t *random)
{
    int     contacts = (int)(4 * pow(25, random_between(random, 0, 1))), rank = random_index(random, 3, 2 * contacts);
    full    p = full_create(contacts);
    size_t  n = (size_t)p.n, width = (size_t)rank;
    double *H = need(n * width, sizeof *H), *v = need(width, sizeof *v), lean = random_between(random, 0.1, 2);
    for (size_t k = 0; k < n * width; k++)
        H[k] = random_between(random, -1, 1) + (k / width % 3 == 0 && k % width == 0 ? 1 + lean : 0);
    for (size_t k = 0; k < width; k++)
        v[k] = random_between(random, -1, 1) - (k == 0 ? lean : 0);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < width; k++)
                p.W[i * n + j] += H[i * width + k] * H[j * width + k];
        for (size_t k = 0; k < width; k++)
            p.q[i] += H[i * width + k] * v[k];
    }
    return p;
}

static zn_status write_full(bool elastic, uint64_t seed, const char *path, const char *title)
{
    full p = elastic ? half_space(&seed) : low_rank(&seed);
    draw_friction(&seed, p.contacts, p.mu, 1);
    zn_fc_problem problem = {.n = p.n, .contacts = p.contacts, .first = p.first, .W = p.W, .q = p.q, .mu = p.mu};
    zn_fclib_text text = {.title = title};
    return zn_fclib_write(path, &problem, &text, (zn_log){.write = print_message});
}

// --- all of them ---------------------------------------------------------------------------------

// Every number of every family has a sequence of its own, whatever else is asked for.
static uint64_t seed_of(uint64_t seed, const char *name, int number)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15u + (uint64_t)number;
    for (; *name != '\0'; name++)
        z = (z ^ (uint64_t)(unsigned char)*name) * 0x100000001b3u;
    return z;
}

static bool write_family(const char *folder, uint64_t seed, int count, const char *name, const family *f, bool planar)
{
    char path[4096], title[256];
    bool fine = true;
    for (int k = 0; k < count; k++) {
        snprintf(title, sizeof title, "%s%s-%d", planar ? "planar-" : "", name, k);
        snprintf(path, sizeof path, "%s/%s.hdf5", folder, title);
        uint64_t  own = seed_of(seed, title, k);
        zn_status status = f != NULL ? write_bodies(f, own, planar, path, title)
                                     : write_full(strcmp(name, "half-space") == 0, own, path, title);
        fine = status == ZN_OK && fine;
    }
    return fine;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5 || atoi(argv[3]) < 1) {
        fprintf(stderr, "usage: bench_families FOLDER SEED COUNT [FAMILY]\n");
        return 2;
    }
    uint64_t    seed = strtoull(argv[2], NULL, 10);
    int         count = atoi(argv[3]);
    const char *only = argc > 4 ? argv[4] : NULL, *const matrices_of[] = {"half-space", "low-rank"};
    bool fine = true;
    for (const family *f = families; f->name != NULL; f++)
        if (only == NULL || strcmp(only, f->name) == 0) {
            fine = write_family(argv[1], seed, count, f->name, f, false) && fine;
            fine = write_family(argv[1], seed, (count + 2) / 3, f->name, f, true) && fine;
        }
    for (int k = 0; k < 2; k++)
        if (only == NULL || strcmp(only, matrices_of[k]) == 0)
            fine = write_family(argv[1], seed, count, matrices_of[k], NULL, false) && fine;
    return fine ? 0 : 2;
}
