// Groups of one mesh file as parts: nodes that they share are one node. Patch tests across the interfaces, bars of
// several materials, hexahedra beside tetrahedra; names, sets and records count as the file does.
#include "check.h"
#include "fixtures.h"

#include <stdlib.h>

#include "model/model.h"
#include "system/system.h"
#include "zn/io.h"
#include "zn/sim.h"

static const char mesh_file[] = "mesh_groups_test.msh", model_file[] = "mesh_groups_test.yaml";

static log_capture told;

// --- files ---------------------------------------------------------------------------------------

enum { NX = 6, NY = 2 };

// A strip of 3 m x 1 m, 6 x 2 quadrilaterals with nodes moved about inside; groups of 2 m each in x; left and right
// ends.
static void write_strip(void)
{
    FILE *f = fopen(mesh_file, "w");
    assert_non_null(f);
    fprintf(f,
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n2 1 \"a\"\n2 2 \"b\"\n2 3 \"c\"\n1 4 \"left\"\n"
            "1 5 \"right\"\n$EndPhysicalNames\n$Nodes\n%d\n",
            (NX + 1) * (NY + 1));
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++) {
            bool   inside = i % 2 == 1 && j > 0 && j < NY; // interfaces are straight
            double x = 0.5 * i + (inside ? 0.11 * sin(3.0 * i) : 0), y = 0.5 * j + (inside ? 0.07 * cos(5.0 * i) : 0);
            fprintf(f, "%d %.17g %.17g 0\n", 1 + i + j * (NX + 1), x, y);
        }
    fprintf(f, "$EndNodes\n$Elements\n%d\n", NX * NY + 2 * NY);
    int number = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            int n = 1 + i + j * (NX + 1);
            fprintf(f, "%d 3 2 %d 1 %d %d %d %d\n", ++number, 1 + i / 2, n, n + 1, n + NX + 2, n + NX + 1);
        }
    for (int j = 0; j < NY; j++) {
        int n = 1 + j * (NX + 1);
        fprintf(f, "%d 1 2 4 1 %d %d\n", ++number, n, n + NX + 1);
        fprintf(f, "%d 1 2 5 1 %d %d\n", ++number, n + NX, n + 2 * NX + 1);
    }
    fprintf(f, "$EndElements\n");
    fclose(f);
}

// A hexahedron and, on its face x = 1, six tetrahedra.
static void write_mixed(void)
{
    static const int tet[6][4] = {{0, 1, 3, 7}, {0, 1, 7, 5}, {0, 5, 7, 4}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}};
    FILE            *f = fopen(mesh_file, "w");
    assert_non_null(f);
    fprintf(f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n3 1 \"hex\"\n3 2 \"tet\"\n2 3 \"left\"\n"
               "2 4 \"right\"\n$EndPhysicalNames\n$Nodes\n12\n");
    for (int k = 0; k < 12; k++) // 1 + x + 3 (y + 2 z)
        fprintf(f, "%d %d %d %d\n", k + 1, k % 3, k / 3 % 2, k / 6);
    fprintf(f, "$EndNodes\n$Elements\n9\n1 5 2 1 1 1 2 5 4 7 8 11 10\n");
    for (int t = 0; t < 6; t++) {
        fprintf(f, "%d 4 2 2 1", t + 2);
        for (int a = 0; a < 4; a++) { // corner bits x, y, z of the cell from x = 1 to 2
            int c = tet[t][a];
            fprintf(f, " %d", 1 + 1 + (c & 1) + 3 * ((c >> 1 & 1) + 2 * (c >> 2)));
        }
        fprintf(f, "\n");
    }
    fprintf(f, "8 3 2 3 1 1 4 10 7\n9 3 2 4 1 3 6 12 9\n$EndElements\n");
    fclose(f);
}

// --- models --------------------------------------------------------------------------------------

typedef struct opened {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} opened;

static opened open_model(const char *text)
{
    opened o = {0};
    told = (log_capture){0};
    zn_status status = zn_problem_parse(text, strlen(text), model_file, 0, NULL, log_into(&told), &o.problem);
    if (status != ZN_OK)
        print_error("%s", told.text);
    CHECK_OK(status);
    CHECK_OK(zn_system_create(o.problem->model, &o.sys));
    CHECK_OK(zn_sim_create(o.sys, &o.problem->sim, &o.sim));
    CHECK_OK(zn_sim_run(o.sim));
    return o;
}

static void close_model(opened *o)
{
    zn_sim_destroy(o->sim);
    zn_system_destroy(o->sys);
    zn_problem_destroy(o->problem);
    remove(mesh_file);
}

static const double *q_of(const opened *o, const char *node)
{
    zn_node_id id = zn_model_find_node(o->problem->model, node);
    assert_true(id.value > 0);
    return zn_sim_state(o->sim)->q + o->sys->layout.node[id.value - 1].q;
}

static const char strip_head[] = "zeno: 1\nplanar: true\n"
                                 "materials: {one: {young: 2e6, poisson: 0, density: 1}, two: {young: 5e6, poisson: 0, "
                                 "density: 2}, three: {young: 1e7, poisson: 0, density: 3}}\nparts:\n";

// Pulled by 1 kN/m at the right end: the stress is the same everywhere, whatever the elements look like.
static void test_three_materials(void **state)
{
    (void)state;
    const double p = 1e3, E[3] = {2e6, 5e6, 1e7};
    char         text[4096];
    write_strip();
    snprintf(
        text, sizeof text, "%s%s", strip_head,
        "  a: {element: solid, material: one, plane: stress, mesh: {file: mesh_groups_test.msh, group: a}, fix: {left: "
        "[x, y]}}\n"
        "  c: {element: solid, material: three, plane: stress, mesh: {file: mesh_groups_test.msh, group: c}}\n"
        "  b: {element: solid, material: two, plane: stress, mesh: {file: mesh_groups_test.msh, group: b}}\n"
        "loads: {pull: {pressure: {part: c, face: right, value: -1e3}}}\n"
        "record: {x: b.position}\n"
        "run: {static: {load_steps: 1}}\n");
    opened o = open_model(text);
    assert_int_equal(zn_system_get_info(o.sys).nodes, (NX + 1) * (NY + 1));
    for (int part = 0; part < 3; part++)
        for (int k = 0; k < 9; k++) { // nodes of a group in the order of the file
            char   name[16], back[80];
            int    i = 2 * part + k % 3, j = k / 3;
            bool   inside = i % 2 == 1 && j == 1;
            double x = 0.5 * i + (inside ? 0.11 * sin(3.0 * i) : 0), u = 0;
            for (int m = 0; m < 3; m++)
                u += p / E[m] * fmin(fmax(x - m, 0), 1);
            snprintf(name, sizeof name, "%c[%d]", 'a' + part, k);
            zn_node_id id = zn_model_find_node(o.problem->model, name);
            CHECK_NEAR(o.problem->model->node[id.value - 1].origin.x, x, 1e-15);
            zn_model_node_name(o.problem->model, id.value - 1, back, sizeof back);
            assert_int_equal(zn_model_find_node(o.problem->model, back).value, id.value);
            CHECK_NEAR(q_of(&o, name)[0], u, 1e-15);
            CHECK_NEAR(q_of(&o, name)[1], 0, 1e-15);
        }
    close_model(&o);
}

// The same material in all groups is the strip as one part, to rounding.
static void test_like_one_part(void **state)
{
    (void)state;
    const char *run_one =
        "  all: {element: solid, material: m, mesh: {file: mesh_groups_test.msh}, fix: {left: [x, y]}}\n"
        "loads: {push: {pressure: {part: all, face: right, value: 2e3, follower: true}}}\n"
        "run: {static: {load_steps: 1}}\n";
    const char *run_three =
        "  b: {element: solid, material: m, mesh: {file: mesh_groups_test.msh, group: b}}\n"
        "  a: {element: solid, material: m, mesh: {file: mesh_groups_test.msh, group: a}, fix: {left: [x, y]}}\n"
        "  c: {element: solid, material: m, mesh: {file: mesh_groups_test.msh, group: c}}\n"
        "loads: {push: {pressure: {part: c, face: right, value: 2e3, follower: true}}}\n"
        "run: {static: {load_steps: 1}}\n";
    const char *head = "zeno: 1\nplanar: true\nmaterials: {m: {young: 1e6, poisson: 0.3, density: 1}}\nparts:\n";
    char        text[2][2048];
    snprintf(text[0], sizeof text[0], "%s%s", head, run_one);
    snprintf(text[1], sizeof text[1], "%s%s", head, run_three);
    write_strip();
    opened one = open_model(text[0]), three = open_model(text[1]);
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++) {
            char whole[16], own[16];
            int  part = i < 3 ? 0 : i < 5 ? 1 : 2;
            snprintf(whole, sizeof whole, "all[%d]", i + j * (NX + 1));
            snprintf(own, sizeof own, "%c[%d]", 'a' + part, i - 2 * part + 3 * j);
            for (int k = 0; k < 2; k++)
                CHECK_NEAR(q_of(&three, own)[k], q_of(&one, whole)[k], 1e-13);
        }
    close_model(&one);
    close_model(&three);
}

// A rod of a hexahedron and of tetrahedra. On the face between them one is bilinear and the others are linear, so the
// stress is uniform on the average only: displacements within some percent; what pulls comes out at the other end.
static void test_mixed_elements(void **state)
{
    (void)state;
    write_mixed();
    opened o = open_model("zeno: 1\nmaterials: {one: {young: 2e6, poisson: 0, density: 1}, two: {young: 5e6, poisson: "
                          "0, density: 2}}\nparts:\n"
                          "  low: {element: solid, material: one, mesh: {file: mesh_groups_test.msh, group: hex}, fix: "
                          "{left: [x, y, z]}}\n"
                          "  high: {element: solid, material: two, mesh: {file: mesh_groups_test.msh, group: tet}}\n"
                          "loads: {pull: {pressure: {part: high, face: right, value: -1e3}}}\n"
                          "run: {static: {load_steps: 1}}\n");
    double mean = 0;
    assert_int_equal(zn_system_get_info(o.sys).nodes, 12);
    for (int k = 0; k < 4; k++) {
        char name[16];
        snprintf(name, sizeof name, "high[%d]", 2 * k + 1);
        CHECK_NEAR(q_of(&o, name)[0], 1e3 / 2e6 + 1e3 / 5e6, 0.1 * 7e-4);
        snprintf(name, sizeof name, "high[%d]", 2 * k);
        CHECK_NEAR(q_of(&o, name)[0], 1e3 / 2e6, 0.1 * 5e-4);
        mean += q_of(&o, name)[0] / 4;
    }
    CHECK_NEAR(mean, 1e3 / 2e6, 1e-15); // the hexahedron carries all of it
    close_model(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_three_materials), cmocka_unit_test(test_like_one_part),
                                       cmocka_unit_test(test_mixed_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
