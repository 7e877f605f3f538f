// Bodies from CAD: the data that lie beside STEP files. Two cubes of side a, whose mass, inertia and triangles are told
// by hand: about the common centre J = sum V a^2/6 1 + V (|d|^2 1 - d d').
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "model/model.h"
#include "zn/cad.h"
#include "zn/io.h"
#include "zn/system.h"

static const double side = 0.02, volume = 8e-6;
static const double centre[2][3] = {{0.1, 0.03, -0.02}, {0.14, -0.05, 0.06}};

typedef struct folder {
    char path[64], message[4096], digest[65];
} folder;

static const char *in(const folder *f, const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    return path;
}

static void put(const folder *f, const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in(f, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void keep(void *user, zn_severity severity, const char *message)
{
    folder *f = user;
    size_t  used = strlen(f->message);
    (void)severity;
    snprintf(f->message + used, sizeof f->message - used, "%s\n", message);
}

static zn_log log_of(folder *f)
{
    f->message[0] = '\0';
    return (zn_log){.user = f, .write = keep};
}

// Twelve triangles around each cube, outward, as ASCII.
static void put_triangles(const folder *f, const char *name)
{
    static const int face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    char             text[16384] = "solid cubes\n";
    size_t           used = strlen(text);
    for (int i = 0; i < 24; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "facet normal 0 0 0 outer loop\n");
        for (int k = 0; k < 3; k++) {
            int corner = face[i % 12][k];
            used += (size_t)snprintf(text + used, sizeof text - used, "vertex");
            for (int c = 0; c < 3; c++)
                used += (size_t)snprintf(text + used, sizeof text - used, " %.17g",
                                         centre[i / 12][c] + (corner >> c & 1 ? 0.5 : -0.5) * side);
            used += (size_t)snprintf(text + used, sizeof text - used, "\n");
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "endloop endfacet\n");
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "endsolid\n");
    put(f, name, text, used);
}

static void put_data(const folder *f, const char *name, const char *head, const char *second)
{
    char   text[4096];
    double J = volume * side * side / 6;
    size_t used = (size_t)snprintf(text, sizeof text, head, f->digest);
    for (int i = 0; i < 2; i++) {
        const double *c = centre[i];
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  %s:\n    volume: %.17g\n    area: 0.0024\n    centre: [%.17g, %.17g, %.17g]\n"
                                 "    inertia: [[%.17g, 0, 0], [0, %.17g, 0], [0, 0, %.17g]]\n    low: [0, 0, %d]\n"
                                 "    high: [1, 1, 1]\n    first_triangle: %d\n    triangles: 12\n    faces:\n"
                                 "      plane1: {kind: plane, area: 4e-4, at: [1, 2, 3], normal: [0, 0, 1], along: [1, "
                                 "0, 0], length: 0.02, breadth: 0.02}\n      bspline1: {kind: bspline, area: 1}\n",
                                 i == 0 ? "left" : second, volume, c[0], c[1], c[2], J, J, J, -i, 12 * i);
    }
    put(f, name, text, used);
}

#define DATA "zeno_cad: 1\nsha256: %s\ntriangulation: two.step.stl\nsolids:\n"

static int make_folder(void **state)
{
    static const char step[] = "ISO-10303-21;\n";
    folder           *f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/zeno-cad-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    put(f, "two.step", step, sizeof step - 1);
    CHECK_OK(zn_file_digest(in(f, "two.step"), log_of(f), f->digest));
    put_triangles(f, "two.step.stl");
    put_data(f, "two.step.yaml", DATA, "right");
    *state = f;
    return 0;
}

static int remove_folder(void **state)
{
    folder            *f = *state;
    static const char *files[] = {"two.step", "two.step.stl", "two.step.yaml"};
    for (int i = 0; i < 3; i++)
        unlink(in(f, files[i]));
    rmdir(f->path);
    free(f);
    return 0;
}

// --- data ----------------------------------------------------------------------------------------

static void whole(double J[3][3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = 0.5 * (centre[0][i] + centre[1][i]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double d[3], square = 0;
            for (int n = 0; n < 3; n++) {
                d[n] = centre[0][n] - c[n];
                square += d[n] * d[n];
            }
            J[i][k] = 2 * volume * ((i == k ? side * side / 6 + square : 0) - d[i] * d[k]);
        }
}

static void test_data(void **state)
{
    folder *f = *state;
    zn_cad *cad = NULL;
    double  J[3][3], c[3];
    CHECK_OK(zn_cad_read(in(f, "two.step"), log_of(f), &cad));
    assert_int_equal(cad->solid_count, 2);
    assert_string_equal(cad->solids[1].name, "right");
    assert_int_equal(cad->solids[1].face_count, 2);
    assert_int_equal(cad->solids[1].faces[0].kind, ZN_CAD_PLANE);
    assert_int_equal(cad->solids[1].faces[1].kind, ZN_CAD_OTHER);
    assert_string_equal(cad->solids[1].faces[1].word, "bspline");
    CHECK_NEAR(cad->solids[1].faces[0].at.z, 3, 0);
    whole(J, c);
    CHECK_NEAR(cad->whole.volume, 2 * volume, 1e-20);
    CHECK_NEAR(cad->whole.centre.x, c[0], 1e-16);
    CHECK_NEAR(cad->whole.centre.z, c[2], 1e-16);
    CHECK_NEAR(cad->whole.low.z, -1, 0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(cad->whole.inertia.m[i][k], J[i][k], 1e-14 * J[0][0]);
    zn_cad_destroy(cad);
}

// --- bodies --------------------------------------------------------------------------------------

static zn_status read_model(folder *f, const char *text, zn_problem **out)
{
    return zn_problem_parse(text, strlen(text), in(f, "model.yaml"), 0, NULL, log_of(f), out);
}

#define SPACE "zeno: 1\nplanar: false\nrun: {step: 1 ms, until: 1 ms}\nbodies:\n  part: {cad: two.step, "
#define PLANE "zeno: 1\nplanar: true\nrun: {step: 1 ms, until: 1 ms}\nbodies:\n  part: {cad: two.step, "

// Kinetic energy at the start, and coordinates.
static double start_of(const zn_problem *problem, double q[7])
{
    zn_system *sys = NULL;
    zn_state  *s = NULL;
    CHECK_OK(zn_system_create(problem->model, &sys));
    CHECK_OK(zn_state_create(sys, &s));
    double kinetic = s->energy.kinetic;
    memcpy(q, s->q, sizeof(double) * (size_t)(zn_system_get_info(sys).nq < 7 ? zn_system_get_info(sys).nq : 7));
    zn_state_destroy(s);
    zn_system_destroy(sys);
    return kinetic;
}

// Volume and first moment of what triangles enclose.
static double enclosed(const zn_drawing *d, double moment[3])
{
    double sum = 0;
    memset(moment, 0, 3 * sizeof *moment);
    for (int i = 0; i < d->point_count; i += 3) {
        const zn_vec3 *p = &d->points[i];
        double         v = zn_vec3_dot(p[0], zn_vec3_cross(p[1], p[2])) / 6;
        zn_vec3        c = zn_vec3_scale(0.25, zn_vec3_add(p[0], zn_vec3_add(p[1], p[2])));
        sum += v;
        moment[0] += v * c.x;
        moment[1] += v * c.y;
        moment[2] += v * c.z;
    }
    return sum;
}

// Turned by a quarter about z: the centre c goes to (-c_y, c_x, c_z) from the origin of the file.
static void test_space(void **state)
{
    folder     *f = *state;
    zn_problem *problem = NULL;
    double      J[3][3], c[3], q[7], moment[3], w[3] = {3, -2, 5}, expected = 0.5 * 2000 * 2 * volume * (1 + 4 + 9);
    CHECK_OK(read_model(f,
                        SPACE "density: 2000, origin: [1, 2, 3], rotation: {axis: [0, 0, 1], angle: 90 deg}, "
                              "velocity: [1, 2, 3], spin: [3, -2, 5]}\n",
                        &problem));
    whole(J, c);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            expected += 0.5 * w[i] * 2000 * J[i][k] * w[k];
    CHECK_NEAR(start_of(problem, q), expected, 1e-13 * expected);
    CHECK_NEAR(q[0], 1 - c[1], 1e-15);
    CHECK_NEAR(q[1], 2 + c[0], 1e-15);
    CHECK_NEAR(q[2], 3 + c[2], 1e-15);
    const zn_drawing *d = &problem->model->drawing[0].drawing;
    assert_int_equal(d->kind, ZN_DRAWING_TRIANGLES);
    assert_int_equal(d->point_count, 3 * 24);
    CHECK_NEAR(enclosed(d, moment), 2 * volume, 1e-13 * volume);
    for (int i = 0; i < 3; i++) // the centre of mass is the origin of the body
        CHECK_NEAR(moment[i], 0, 1e-15 * volume);
    assert_int_equal(problem->input_count, 3);
    for (int i = 0; i < 3; i++) // a restart may look otherwise, but not weigh otherwise
        assert_int_equal(problem->inputs[i].drawn, strstr(problem->inputs[i].name, ".stl") != NULL);
    zn_problem_destroy(problem);
}

// One solid, weighed: inertia follows the mass. Without a place the file's origin is that of the model.
static void test_solid(void **state)
{
    folder     *f = *state;
    zn_problem *problem = NULL;
    double      q[7], moment[3];
    CHECK_OK(read_model(f, SPACE "solid: right, mass: 0.5, spin: [0, 2, 0]}\n", &problem));
    CHECK_NEAR(start_of(problem, q), 0.5 * 0.5 * side * side / 6 * 4, 1e-17);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(q[i], centre[1][i], 1e-16);
    CHECK_NEAR(enclosed(&problem->model->drawing[0].drawing, moment), volume, 1e-13 * volume);
    CHECK_NEAR(moment[0], 0, 1e-15 * volume);
    zn_problem_destroy(problem);
    CHECK_OK(read_model(f, SPACE "solid: right, mass: 0.5, position: [7, 8, 9], draw: {sphere: 0.1}}\n", &problem));
    start_of(problem, q);
    CHECK_NEAR(q[0], 7, 0);
    assert_int_equal(problem->model->drawing[0].drawing.kind, ZN_DRAWING_SPHERE);
    zn_problem_destroy(problem);
}

// In the plane: the moment about z, and as a picture the shadow, a square of each cube.
static void test_plane(void **state)
{
    folder     *f = *state;
    zn_problem *problem = NULL;
    double      J[3][3], c[3], q[7], area = 0;
    CHECK_OK(read_model(f, PLANE "density: 2000, origin: [1, 2], angle: 90 deg, spin: 3}\n", &problem));
    whole(J, c);
    CHECK_NEAR(start_of(problem, q), 0.5 * 9 * 2000 * J[2][2], 1e-13 * J[2][2] * 9000);
    CHECK_NEAR(q[0], 1 - c[1], 1e-15);
    CHECK_NEAR(q[1], 2 + c[0], 1e-15);
    const zn_drawing *d = &problem->model->drawing[0].drawing;
    for (int i = 0; i < d->point_count; i += 3) {
        const zn_vec3 *p = &d->points[i];
        double         twice = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
        assert_true(twice > 0 && p[0].z == 0 && p[1].z == 0 && p[2].z == 0);
        area += 0.5 * twice;
    }
    CHECK_NEAR(area, 2 * side * side, 1e-13);
    zn_problem_destroy(problem);
}

// --- faults --------------------------------------------------------------------------------------

static void refused(folder *f, const char *text, const char *message)
{
    zn_problem *problem = NULL;
    if (read_model(f, text, &problem) == ZN_OK) {
        zn_problem_destroy(problem);
        fail_msg("accepted: %s", text);
    }
    if (strstr(f->message, message) == NULL || strstr(f->message, "model.yaml:5:") == NULL)
        fail_msg("'%s' instead of '%s'", f->message, message);
}

static void test_keys(void **state)
{
    folder *f = *state;
    refused(f, SPACE "density: 1, mass: 1}\n", "'cad' wants one of 'density' and 'mass'");
    refused(f, SPACE "origin: [0, 0, 0]}\n", "'cad' wants one of 'density' and 'mass'");
    refused(f, SPACE "density: 1, inertia: 1}\n", "'inertia' does not go with 'cad'");
    refused(f, SPACE "density: 1, origin: [0, 0, 0], position: [0, 0, 0]}\n", "give one of 'position'");
    refused(f, SPACE "density: 1, solid: rigth}\n", "two.step has no solid 'rigth', did you mean 'right'?");
    refused(f, SPACE "density: 1, solid: x, lattice: {count: [2, 1, 1], spacing: [1, 1, 1]}}\n", "'lattice' does not");
    refused(f, "zeno: 1\nplanar: false\nrun: {step: 1, until: 1}\nbodies:\n  a: {mass: 1, density: 1}\n",
            "'density' goes with 'cad'");
    refused(
        f,
        "zeno: 1\nplanar: false\nrun: {step: 1, until: 1}\nbodies:\n  a: {mass: 1, inertia: 1, draw: {stl: x.stl}}\n",
        "x.stl: No such file");
    refused(f,
            "zeno: 1\nplanar: false\nrun: {step: 1, until: 1}\nbodies:\n  a: {mass: 1, inertia: 1, draw: {stl: "
            "two.step}}\n",
            "two.step: no STL file");
}

// Data that are missing, old or damaged; the last ones are whole again.
static void test_damage(void **state)
{
    folder *f = *state;
    const struct {
        const char *head, *second, *message;
    } cases[] = {
        {DATA, "left", "duplicate key 'left'"},
        {"zeno_cad: 2\nsha256: %s\ntriangulation: two.step.stl\nsolids:\n", "right", "have format 2"},
        {"zeno_cad: 1\nsha256: %.60s\ntriangulation: two.step.stl\nsolids:\n", "right", "'sha256' is no digest"},
        {"zeno_cad: 1\nsha256: %s\ntriangulation: ../two.step.stl\nsolids:\n", "right", "is no name of a file beside"},
        {"zeno_cad: 1\nsha256: %s\ntriangulation: none.stl\nsolids:\n", "right", "none.stl: No such file"},
        {"zeno_cad: 1\nsha256: %s\nsolids:\n", "right", "key 'triangulation' is missing"},
        {"zeno_cad: 1\nsha256: 0%.63s\ntriangulation: two.step.stl\nsolids:\n", "right",
         "'two.step' has changed since its data were taken: run 'zeno cad "},
        {"[%s\n", "right", "two.step.yaml:"},
        {DATA, "right:\n    volume: .nan\n  other", "two.step.yaml:"},
        {DATA, "right:\n    volume: -1\n    area: 1\n  other", "two.step.yaml:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_data(f, "two.step.yaml", cases[i].head, cases[i].second);
        refused(f, SPACE "density: 1}\n", cases[i].message);
    }
    put_data(f, "two.step.yaml", DATA, "right");
    put(f, "two.step.stl", "solid\nendsolid\n", 15);
    refused(f, SPACE "density: 1}\n", "it holds no triangle");
    static const char one[] =
        "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
        "endsolid\n";
    put(f, "two.step.stl", one, sizeof one - 1);
    refused(f, SPACE "density: 1}\n", "two.step.stl has 1 triangles, but 0 to 23 are wanted");
    unlink(in(f, "two.step.yaml"));
    refused(f, SPACE "density: 1}\n", "there are no data of 'two.step' beside it (two.step.yaml): run 'zeno cad ");
    put_data(f, "two.step.yaml", DATA, "right");
    put_triangles(f, "two.step.stl");
}

// Cut anywhere, the data are refused or, behind a face, have fewer faces.
static void test_cut(void **state)
{
    folder *f = *state;
    char    text[8192];
    FILE   *file = fopen(in(f, "two.step.yaml"), "rb");
    assert_non_null(file);
    size_t  size = fread(text, 1, sizeof text, file);
    zn_cad *cad = NULL;
    fclose(file);
    int good = 0;
    for (size_t length = 0; length < size; length += 7)
        if (zn_cad_parse(text, length, "cut", log_of(f), &cad) == ZN_OK) {
            good++;
            cad = zn_cad_destroy(cad);
        } else
            assert_non_null(strstr(f->message, "cut:"));
    assert_in_range(good, 1, size / 7 / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data),  cmocka_unit_test(test_space), cmocka_unit_test(test_solid),
        cmocka_unit_test(test_plane), cmocka_unit_test(test_keys),  cmocka_unit_test(test_damage),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
