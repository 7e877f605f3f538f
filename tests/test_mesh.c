// Meshes made by rule: counts, volumes, orientation, sets; and in model files.
#include "solid_models.h"

#include "model/contact/nodes_facets.h"
#include "model/element/solid_faces.h"

#include "zn/io.h"

enum { PATH = 256 };

// --- checks that hold for every mesh -------------------------------------------------------------

static const zn_mesh_set *set_of(const zn_mesh *mesh, const char *name)
{
    for (int i = 0; i < mesh->set_count; i++)
        if (strcmp(mesh->sets[i].name, name) == 0)
            return &mesh->sets[i];
    return NULL;
}

// Mass of a solid made of it: elements are neither inverted nor flat, and every node belongs to one.
static double mass_of(const zn_mesh *mesh)
{
    zn_model    *model = make_model(mesh->shape == ZN_QUAD4, zn_vec3_make(0, 0, 0), NULL);
    zn_solid_def def = zn_solid_def_default();
    zn_energy    e;
    def.mesh = mesh;
    def.young = def.density = 1;
    def.velocity = zn_vec3_make(1, 0, 0);
    CHECK_OK(zn_model_add_solid(model, &def));
    fixture f = compile_fixture(model); // a node without element would have no mass
    CHECK_OK(zn_system_energy(f.sys, (zn_at){.q = f.sys->q0, .v = f.sys->v0}, &e));
    destroy_fixture(&f);
    return 2 * e.kinetic;
}

static void check_set(const zn_mesh *mesh, const char *name, int count)
{
    const zn_mesh_set *set = set_of(mesh, name);
    assert_non_null(set);
    assert_int_equal(set->count, count);
    for (int i = 1; i < count; i++)
        assert_true(set->nodes[i] > set->nodes[i - 1] && set->nodes[i] < mesh->node_count);
}

static void test_box(void **state)
{
    (void)state;
    for (int tet = 0; tet < 2; tet++) {
        zn_mesh *mesh = NULL;
        CHECK_OK(zn_mesh_box(zn_vec3_make(-1, 0, 2), zn_vec3_make(1, 3, 3), (int[3]){2, 3, 4}, tet ? ZN_TET4 : ZN_HEX8,
                             &mesh));
        assert_int_equal(mesh->node_count, 60);
        assert_int_equal(mesh->element_count, tet ? 144 : 24);
        CHECK_NEAR(mass_of(mesh), 6, 1e-13);
        check_set(mesh, "xmin", 20);
        check_set(mesh, "xmax", 20);
        check_set(mesh, "ymin", 15);
        check_set(mesh, "ymax", 15);
        check_set(mesh, "zmin", 12);
        check_set(mesh, "zmax", 12);
        check_set(mesh, "surface", 60 - 6);
        for (int i = 0; i < 15; i++)
            assert_true(mesh->nodes[set_of(mesh, "ymax")->nodes[i]].y == 3);
        zn_mesh_destroy(mesh);
    }
}

static void test_rectangle(void **state)
{
    (void)state;
    zn_mesh *mesh = NULL;
    CHECK_OK(zn_mesh_rectangle(zn_vec3_make(0.1, 0, 0), zn_vec3_make(0.4, 2, 0), (int[2]){3, 5}, &mesh));
    assert_int_equal(mesh->node_count, 24);
    assert_int_equal(mesh->element_count, 15);
    CHECK_NEAR(mass_of(mesh), 0.6, 1e-14);
    check_set(mesh, "xmax", 6);
    check_set(mesh, "ymin", 4);
    check_set(mesh, "surface", 16);
    assert_null(set_of(mesh, "zmin"));
    zn_mesh_destroy(mesh);
}

// Area of a regular polygon of n corners.
static double polygon(int n, double r) { return 0.5 * n * r * r * sin(6.283185307179586 / n); }

static void test_ring(void **state)
{
    (void)state;
    zn_mesh *mesh = NULL;
    CHECK_OK(zn_mesh_ring(zn_vec3_make(5, -2, 0), 2, 0.5, (int[2]){24, 4}, 0.25, &mesh));
    assert_int_equal(mesh->node_count, 120);
    assert_int_equal(mesh->element_count, 96);
    CHECK_NEAR(mass_of(mesh), polygon(24, 2) - polygon(24, 1.5), 1e-12);
    check_set(mesh, "inner", 24);
    check_set(mesh, "outer", 24);
    double radius[5];
    for (int j = 0; j < 5; j++)
        radius[j] = zn_vec3_norm(zn_vec3_sub(mesh->nodes[24 * j + 7], zn_vec3_make(5, -2, 0)));
    CHECK_NEAR(radius[0], 1.5, 1e-14);
    CHECK_NEAR(radius[4], 2, 1e-14);
    CHECK_NEAR((radius[4] - radius[3]) / (radius[1] - radius[0]), 0.25, 1e-12);
    CHECK_NEAR((radius[2] - radius[1]) / (radius[1] - radius[0]), pow(0.25, 1.0 / 3), 1e-12);
    zn_mesh_destroy(mesh);
}

static void test_disc(void **state)
{
    (void)state;
    for (int n = 1; n < 9; n++) {
        zn_mesh *mesh = NULL;
        CHECK_OK(zn_mesh_disc(zn_vec3_make(1, 1, 0), 3, n, &mesh));
        assert_int_equal(mesh->element_count, n * n + (n + 1) / 2 * 4 * n);
        CHECK_NEAR(mass_of(mesh), polygon(4 * n, 3), 1e-12);
        check_set(mesh, "outer", 4 * n);
        for (int i = 0; i < 4 * n; i++)
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(mesh->nodes[set_of(mesh, "outer")->nodes[i]], zn_vec3_make(1, 1, 0))),
                       3, 1e-14);
        zn_mesh_destroy(mesh);
    }
}

// 40 elements of 1.5 degrees and 40 of 7.5, three across.
static void test_fine_ring(void **state)
{
    (void)state;
    static const double degree = 3.14159265358979323846 / 180;
    zn_mesh            *mesh = NULL;
    zn_vec3             centre = {1, 2, 0};
    double              area = 20 * (sin(1.5 * degree) + sin(7.5 * degree)); // of the polygon with radius 1
    CHECK_OK(zn_mesh_fine_ring(centre, 1, 0.2, (int[3]){40, 40, 3}, 210 * degree, 30 * degree, 1, &mesh));
    assert_int_equal(mesh->node_count, 320);
    assert_int_equal(mesh->element_count, 240);
    CHECK_NEAR(mass_of(mesh), area * (1 - 0.64), 1e-13);
    check_set(mesh, "inner", 80);
    check_set(mesh, "outer", 80);
    for (int i = 0; i < 80; i++) {
        zn_vec3 x = zn_vec3_sub(mesh->nodes[set_of(mesh, "outer")->nodes[i]], centre);
        double  angle = degree * (i < 40 ? 180 + 1.5 * i : 240 + 7.5 * (i - 40));
        CHECK_NEAR(x.x, cos(angle), 1e-14);
        CHECK_NEAR(x.y, sin(angle), 1e-14);
    }
    zn_mesh_destroy(mesh);
}

// Faces on the outside of a solid made of it whose nodes are all in the set.
static int faces_of(const zn_mesh *mesh, const char *set)
{
    zn_model      *model = make_model(mesh->shape == ZN_QUAD4, zn_vec3_make(0, 0, 0), NULL);
    zn_solid_def   def = soft_solid((solid_case){mesh->shape, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    zn_solid_faces faces = {0};
    CHECK_OK(zn_model_add_solid(model, &def));
    CHECK_OK(zn_solid_faces_find(model, "mesh", "test", "body", set, &faces));
    free(faces.node);
    zn_model_destroy(model);
    return faces.count;
}

// The boundary is on the circle, the area converges to that of the disc with order 2, the fine side is where it should
// be.
static void test_graded_disc(void **state)
{
    (void)state;
    static const double pi = 3.14159265358979323846;
    double              before = 0;
    for (int k = 1; k <= 8; k *= 2) {
        zn_mesh *mesh = NULL;
        int      nu = 4 * k, nv = 3 * k;
        zn_vec3  centre = {3, 4, 0};
        CHECK_OK(zn_mesh_graded_disc(centre, 2, (int[2]){nu, nv}, 1.5, pi / 2, &mesh)); // the bottom goes to the right
        assert_int_equal(mesh->set_count, 2);
        check_set(mesh, "contact", nu + 1);
        check_set(mesh, "outer", 2 * (nu + nv));
        assert_int_equal(faces_of(mesh, "body.outer"), 2 * (nu + nv));
        assert_int_equal(faces_of(mesh, "body.contact"), nu);
        const int *outer = set_of(mesh, "outer")->nodes, *contact = set_of(mesh, "contact")->nodes;
        for (int i = 0; i < 2 * (nu + nv); i++)
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(mesh->nodes[outer[i]], centre)), 2, 1e-14);
        zn_vec3 middle = mesh->nodes[contact[nu / 2]], next = mesh->nodes[contact[nu / 2 + 1]];
        CHECK_NEAR(middle.x, 5, 1e-14);
        CHECK_NEAR(middle.y, 4, 1e-14);
        // one cell from the middle: u = sinh(1.5 s)/sinh(1.5), s = 2/nu, X = 2 u sqrt(1/2)
        CHECK_NEAR(next.y - 4, sqrt(2) * sinh(3.0 / nu) / sinh(1.5), 1e-14);
        double lack = 4 * pi - mass_of(mesh);
        if (k > 1)
            CHECK_NEAR(log2(before / lack), 2, 0.5 / k);
        before = lack;
        zn_mesh_destroy(mesh);
    }
}

// Likewise the ball; its tetrahedra fit together and none is flat: the smallest is not far below the mean.
static void test_ball(void **state)
{
    (void)state;
    static const double volume = 4.0 / 3 * 3.14159265358979323846 * 8;
    for (int tet = 0; tet < 2; tet++) {
        double before = 0;
        for (int n = 2; n <= 8; n *= 2) {
            zn_mesh *mesh = NULL;
            zn_vec3  centre = {3, 4, 5};
            int      side = n + 1, outer = side * side * side - (n - 1) * (n - 1) * (n - 1);
            CHECK_OK(zn_mesh_ball(centre, 2, n, tet ? ZN_TET4 : ZN_HEX8, &mesh));
            assert_int_equal(mesh->set_count, 1);
            assert_int_equal(mesh->element_count, (tet ? 6 : 1) * n * n * n);
            check_set(mesh, "outer", outer);
            assert_int_equal(faces_of(mesh, NULL), (tet ? 12 : 6) * n * n);
            assert_int_equal(faces_of(mesh, "body.outer"), (tet ? 12 : 6) * n * n);
            for (int i = 0; i < outer; i++)
                CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(mesh->nodes[set_of(mesh, "outer")->nodes[i]], centre)), 2, 1e-14);
            double lack = volume - mass_of(mesh);
            if (n > 2)
                CHECK_NEAR(log2(before / lack), 2, 1.0 / n);
            before = lack;
            for (int e = 0; tet && e < mesh->element_count; e++) {
                zn_vec3 x[4];
                for (int a = 0; a < 4; a++)
                    x[a] = zn_vec3_sub(mesh->nodes[mesh->elements[4 * e + a]], mesh->nodes[mesh->elements[4 * e]]);
                assert_true(zn_vec3_dot(zn_vec3_cross(x[1], x[2]), x[3]) / 6 > 0.1 * volume / mesh->element_count);
            }
            zn_mesh_destroy(mesh);
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    zn_mesh *m = NULL;
    zn_vec3  o = {0, 0, 0}, x = {1, 1, 1};
    CHECK_STATUS(zn_mesh_box(o, x, (int[3]){1, 0, 1}, ZN_HEX8, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_box(o, x, (int[3]){1, 1, 1}, ZN_QUAD4, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_box(x, o, (int[3]){1, 1, 1}, ZN_HEX8, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_box(o, x, (int[3]){2000, 2000, 2000}, ZN_HEX8, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_rectangle(o, zn_vec3_make(1, NAN, 0), (int[2]){1, 1}, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_ring(o, 1, 1, (int[2]){8, 1}, 1, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_ring(o, 1, 0.5, (int[2]){2, 1}, 1, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_ring(o, 1, 0.5, (int[2]){8, 1}, 0, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_disc(o, 1, 0, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_fine_ring(o, 1, 0.5, (int[3]){0, 8, 1}, 0, 1, 1, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_fine_ring(o, 1, 0.5, (int[3]){4, 1, 1}, 0, 1, 1, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_fine_ring(o, 1, 0.5, (int[3]){4, 4, 1}, 0, 3.2, 1, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_graded_disc(o, 1, (int[2]){0, 1}, 1.5, 0, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_graded_disc(o, 1, (int[2]){2, 2}, 0, 0, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_graded_disc(o, -1, (int[2]){2, 2}, 1.5, 0, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_ball(o, 1, 0, ZN_HEX8, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_ball(o, 1, 3, ZN_TET4, &m), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_mesh_ball(o, 1, 2, ZN_QUAD4, &m), ZN_ERR_ARGUMENT);
    assert_null(m);
    assert_null(zn_mesh_destroy(NULL));
}

// --- model files ---------------------------------------------------------------------------------

#define RUN   "run: {step: 1e-3, until: 5e-3}\n"
#define SOFT  "materials: {soft: {young: 1 kPa, poisson: 0.3, density: 100}}\n"
#define SPACE "zeno: 1\n" SOFT
#define PLANE "zeno: 1\nplanar: true\n" SOFT

static zn_problem *parse(const char *text, log_capture *log)
{
    zn_problem *problem = NULL;
    zn_status   status = zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, log_into(log), &problem);
    if (status != ZN_OK && problem)
        fail();
    return problem;
}

static fixture accept(const char *text)
{
    log_capture log = {0};
    zn_problem *problem = parse(text, &log);
    if (!problem)
        fail_msg("%s", log.text);
    fixture f = compile_fixture(problem->model);
    zn_sim *sim = NULL;
    CHECK_OK(zn_sim_create(f.sys, &problem->sim, &sim));
    CHECK_OK(zn_sim_run(sim));
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
    zn_sim_destroy(sim);
    f.sys = zn_system_destroy(f.sys);
    zn_problem_destroy(problem);
    return f;
}

static void test_model_files(void **state)
{
    (void)state;
    accept(SPACE "gravity: [0, 0, -9.81]\n"
                 "parts:\n"
                 "  cube: {element: solid, material: soft, model: saint_venant_kirchhoff, mass: lumped,\n"
                 "         mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}},\n"
                 "         velocity: [0, 0, -1], damping: {mass: 0.1 Hz, stiffness: 1 ms}}\n"
                 "contacts:\n"
                 "  floor: {points: cube.zmin, surface: {plane: [0, 0, 1], at: [0, 0, -0.001]}, friction: 0.3}\n"
                 "record: {gap: floor.gap, force: floor.force, z: 'cube[0].position.z', all: cube.position, e: "
                 "cube.strain}\n" RUN);
    accept(SPACE "parts:\n"
                 "  beam: {element: solid, material: soft, model: neo_hookean, fix: {xmin: [x, y, z], ymin: y},\n"
                 "         mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 1, 1], shape: tet4}},\n"
                 "         rotation: {axis: [0, 0, 1], angle: 30 deg}}\n"
                 "loads:\n"
                 "  push: {pressure: {part: beam, face: xmax, value: 10*t Pa, follower: true}}\n" RUN);
    accept(PLANE "parts:\n"
                 "  plate: {element: solid, material: soft, plane: stress, thickness: 10 mm, angle: 10 deg, fixed: x,\n"
                 "          mesh: {rectangle: {from: [0, 0], to: [2, 1], elements: [4, 2]}}}\n"
                 "  wheel: {element: solid, material: soft, model: neo_hookean, velocity: [1, 0],\n"
                 "          mesh: {ring: {centre: [9, 0], radius: 2, thickness: 0.5, elements: [16, 2], grading: 2}}}\n"
                 "  coin: {element: solid, material: soft, mesh: {disc: {centre: [20, 0], radius: 1, elements: 3}}}\n"
                 "loads:\n"
                 "  gas: {pressure: {part: wheel, face: inner, value: 5 Pa}}\n"
                 "  lift: {acceleration: [0, 1], on: [coin]}\n"
                 "contacts: {wall: {points: wheel.outer, surface: {plane: [-1, 0], at: [12, 0]}}}\n" RUN);
    accept(PLANE
           "parts:\n"
           "  hoop: {element: solid, material: soft, mesh: {ring: {radius: 1, thickness: 0.1, elements: [8, 1],\n"
           "         fine: {angle: 30 deg, half_angle: 30 deg, elements: 9}}}}\n"
           "  coin: {element: solid, material: soft, mesh: {graded_disc: {centre: [5, 0], radius: 1,\n"
           "         elements: [6, 5], angle: 180 deg, grading: 1}}}\n"
           "contacts: {c: {surfaces: [hoop.outer, coin.contact], friction: 0.2}, d: {surfaces: hoop.inner}}\n" RUN);
    accept(SPACE
           "parts:\n"
           "  a: {element: solid, material: soft, mesh: {ball: {radius: 1, elements: 2}}}\n"
           "  b: {element: solid, material: soft, mesh: {ball: {centre: [2.1, 0, 0], radius: 1, elements: 2, shape: "
           "tet4}}}\n"
           "contacts: {c: {surfaces: [a.outer, b], reach: 0.5}}\n" RUN);
}

typedef struct bad_file {
    const char *text, *message;
} bad_file;

#define BOX  "box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}"
#define CUBE "parts: {c: {element: solid, material: soft, mesh: {" BOX "}}}\n"

static const bad_file bad_files[] = {
    {SPACE "parts: {c: {element: solid, material: soft}}\n" RUN, "m.yaml:3:9: part 'c': key 'mesh' is missing"},
    {SPACE "parts: {c: {element: slid, material: soft, from: [0, 0, 0], elements: 1}}\n" RUN,
     "'element' cannot be 'slid', did you mean 'solid'?"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {}}}\n" RUN,
     "m.yaml:3:45: part 'c': key 'box', 'rectangle', 'ring', 'disc', 'graded_disc', 'ball' or 'file' is missing"},
    {SPACE "parts: {c: {element: solid, material: sift, mesh: {" BOX "}}}\n" RUN,
     "there is no material 'sift', did you mean 'soft'?"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {" BOX
           ", disc: {radius: 1, elements: 1, centre: [0, 0, 0]}}}}\n" RUN,
     "part 'c': 'disc' does not go with 'box'"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {" BOX ", group: a}}}\n" RUN,
     "part 'c': 'group' goes with 'file' only"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {disc: {radius: 1, elements: 1}}}}\n" RUN,
     "part 'c': 'disc' is for planar models"},
    {SPACE "parts: {c: {element: solid, material: soft, plane: stress, mesh: {" BOX "}}}\n" RUN,
     "part 'c': 'plane' is for planar models"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {box: {from: [0, 0, 0], to: [1, 0, 1], elements: [1, 1, "
           "1]}}}}\n" RUN,
     "part 'c': 'to' must be beyond 'from' in every direction"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, "
           "1.5, 1]}}}}\n" RUN,
     "part 'c': 'elements' must be whole numbers, but one is 1.5"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1e3, "
           "1e3, 2]}}}}\n" RUN,
     "part 'c': 'elements': more than a million of them"},
    {SPACE "parts: {c: {element: solid, material: soft, fix: {xmix: x}, mesh: {" BOX "}}}\n" RUN,
     "m.yaml:3:51: part 'c': the mesh has no set 'xmix', did you mean 'xmin'?"},
    {SPACE "parts: {c: {element: solid, material: soft, fix: {xmin: [x, w]}, mesh: {" BOX "}}}\n" RUN,
     "'xmin' cannot be 'w'"},
    {"zeno: 1\nmaterials: {soft: {young: 1, poisson: 0.5, density: 1}}\n" CUBE RUN,
     "part 'c': a solid needs -1 < Poisson's ratio < 0.5, not 0.5"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {file: nothing.msh}}}\n" RUN,
     "nothing.msh: No such file"},
    {PLANE
     "parts: {c: {element: solid, material: soft, mesh: {ring: {radius: 1, thickness: 1, elements: [8, 1]}}}}\n" RUN,
     "part 'c': 'thickness' leaves no hole; use disc"},
    {PLANE
     "parts: {c: {element: solid, material: soft, mesh: {ring: {radius: 1, thickness: 0.5, elements: [2, 1]}}}}\n" RUN,
     "part 'c': a ring needs at least 3 elements around"},
    {PLANE
     "parts: {c: {element: solid, material: soft, mesh: {ring: {radius: 1, thickness: 0.5, elements: [8, 1], fine: "
     "{angle: 0, half_angle: 180 deg, elements: 4}}}}}\n" RUN,
     "part 'c': 'half_angle' leaves no rest; it must be below 180 degrees"},
    {PLANE
     "parts: {c: {element: solid, material: soft, mesh: {ring: {radius: 1, thickness: 0.5, elements: [1, 1], fine: "
     "{angle: 0, half_angle: 1, elements: 4}}}}}\n" RUN,
     "part 'c': an element would reach over half the ring or more; take more of them"},
    {PLANE "parts: {c: {element: solid, material: soft, mesh: {ball: {radius: 1, elements: 4}}}}\n" RUN,
     "part 'c': 'ball' is for spatial models"},
    {SPACE "parts: {c: {element: solid, material: soft, mesh: {ball: {radius: 1, elements: 3, shape: tet4}}}}\n" RUN,
     "part 'c': 'elements' must be even for tet4, but is 3"},
    {SPACE CUBE "contacts: {f: {points: c.top, surface: {plane: [0, 0, 1]}}}\n" RUN,
     "m.yaml:4:24: contact 'f': 'points': there is no set 'c.top'; sets are called PART.SET"},
    {SPACE CUBE "contacts: {f: {surface: {plane: [0, 0, 1]}}}\n" RUN, "contact 'f': key 'point' is missing"},
    {SPACE CUBE "contacts: {f: {point: 'c[0]', points: c.zmin, surface: {plane: [0, 0, 1]}}}\n" RUN,
     "contact 'f': 'points' does not go with 'point'"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {plane: [0, 0, 1], bounded: {length: 2}}}}\n" RUN,
     "contact 'f': the breadth 0 m of its face is not positive"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {plane: [0, 0, 1], bounded: {length: 0, breadth: 1}}}}\n" RUN,
     "contact 'f', surface, bounded: 'length' must be > 0 m, but is 0"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {circle: 1, bounded: {length: 2}}}}\n" RUN,
     "contact 'f', surface: 'bounded' does not go with 'circle'"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {part: c, body: ground}}}\n" RUN,
     "contact 'f', surface: 'body' does not go with 'part'"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {plane: [0, 0, 1], face: zmin}}}\n" RUN,
     "contact 'f', surface: 'face' does not go with 'plane'"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {part: d}}}\n" RUN, "contact 'f': there is no part 'd'"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {part: c, face: top}}}\n" RUN,
     "contact 'f': part 'c' has no set 'top'"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {part: c, face: zmin}}}\n" RUN,
     "contact 'f': node 'c[0]' is one of its points and on its surface"},
    {SPACE CUBE "contacts: {f: {points: c, surface: {part: c, reach: -1}}}\n" RUN,
     "contact 'f', surface: 'reach' must be > 0 m, but is -1"},
    {SPACE CUBE "contacts: {f: {points: c.zmin, surface: {plane: [0, 0, 1]}, friction: -1}}\n" RUN,
     "contact 'f': 'friction' must be >= 0, but is -1"},
    {SPACE CUBE "loads: {p: {pressure: {part: d, face: zmin, value: 1}}}\n" RUN, "load 'p': there is no part 'd'"},
    {SPACE CUBE "loads: {p: {pressure: {part: c, face: min, value: 1}}}\n" RUN, "load 'p': part 'c' has no set 'min'"},
    {SPACE CUBE "loads: {p: {body: 'c[0]', pressure: {part: c, face: zmin, value: 1}}}\n" RUN,
     "load 'p': 'body' does not go with 'pressure'"},
    {SPACE CUBE "loads: {p: {pressure: {part: c, face: zmin}}}\n" RUN, "load 'p', pressure: key 'value' is missing"},
};

static void test_bad_model_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        log_capture log = {0};
        assert_null(parse(bad_files[i].text, &log));
        CHECK_LOGGED(&log, bad_files[i].message);
        if (log.count != 1)
            print_error("%s\n", log.text);
        assert_int_equal(log.count, 1); // one slip, one message
    }
}

// Contacts of sets, parts and nodes with a computed number against faces and solids.
static void test_contact_files(void **state)
{
    (void)state;
    static const char text[] =
        "zeno: 1\nparameters: {N: 2}\n" SOFT "bodies: {table: {mass: 1, inertia: 1, position: [0, 0, -1]}}\n"
        "parts:\n"
        "  lower: {element: solid, material: soft, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [N, N, "
        "1]}}}\n"
        "  upper: {element: solid, material: soft, mesh: {box: {from: [0, 0, 1], to: [1, 1, 2], elements: [1, 1, "
        "N]}}}\n"
        "contacts:\n"
        "  rub: {points: upper.zmin, surface: {part: lower, face: zmax, reach: 0.3}, friction: 0.3}\n"
        "  back: {points: lower.zmax, surface: {part: upper}}\n"
        "  stand: {points: lower.zmin, surface: {body: table, at: [0, 0, 1], plane: [0, 0, 1],\n"
        "          bounded: {length: 3, breadth: 4, along: [0, 1, 0], depth: 0.1}}}\n"
        "  floor: {points: upper, surface: {plane: [0, 0, 1], at: [0, 0, -9]}}\n"
        "  corner: {point: 'upper[4*N + 3]', surface: {plane: [0, 0, 1], at: [0, 0, -9]}}\n" RUN;
    static const int count[] = {4, 9, 9, 12, 1};
    log_capture      log = {0};
    accept(text);
    zn_problem *problem = parse(text, &log);
    zn_model   *model = problem->model;
    assert_int_equal(model->rules, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(model->rule[i].max_contacts, count[i]);
    const zn_nodes_facets *rub = model->rule[0].parameter, *back = model->rule[1].parameter;
    assert_int_equal(rub->facets, 4);
    CHECK_NEAR(rub->reach, 0.3, 0);
    assert_int_equal(back->facets, 10);
    CHECK_NEAR(back->reach, 1, 1e-15);
    const zn_rigid_contact *stand = model->rule[2].parameter;
    CHECK_NEAR(stand->half[0], 1.5, 0);
    CHECK_NEAR(stand->half[1], 2, 0);
    CHECK_NEAR(fabs(stand->tangent[0].y), 1, 0);
    CHECK_NEAR(stand->depth, 0.1, 0);
    const zn_point_plane *corner = model->rule[4].parameter;
    assert_int_equal(corner->point.node.value, zn_model_find_node(model, "upper[11]").value);
    zn_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),           cmocka_unit_test(test_rectangle),
        cmocka_unit_test(test_ring),          cmocka_unit_test(test_disc),
        cmocka_unit_test(test_fine_ring),     cmocka_unit_test(test_graded_disc),
        cmocka_unit_test(test_ball),          cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_model_files),   cmocka_unit_test(test_bad_model_files),
        cmocka_unit_test(test_contact_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
