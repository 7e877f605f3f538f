// Gmsh files, both versions, good and broken.
#include "fixtures.h"

#include "io/msh.h"
#include "zn/io.h"

#include <unistd.h>

// Two tetrahedra that share the face 2 3 4, a clamped triangle, a loaded point; tags with holes in the order.
static const char two[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$Comments\nanything goes here\n$EndComments\n"
    "$PhysicalNames\n4\n3 1 \"body\"\n2 7 \"clamp\"\n0 3 \"tip\"\n1 9 \"curve\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n40 0 0 1e0\n5 1 1 1\n99 7 7 7\n$EndNodes\n"
    "$Elements\n6\n"
    "1 15 2 3 1 5\n2 2 2 7 1 1 2 3\n3 4 2 1 1 1 2 3 40\n4 4 3 1 1 0 2 5 3 40\n"
    "5 8 2 9 1 1 2 3\n6 1 2 0 1 1 99\n$EndElements\n";

// A unit cube of one hexahedron with two named faces, version 4.1; one entity is in two groups.
static const char four[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
                           "$PhysicalNames\n3\n2 1 \"bottom\"\n2 2 \"outside\"\n3 1 \"cube\"\n$EndPhysicalNames\n"
                           "$Entities\n1 1 2 1\n1 0 0 0 0\n1 0 0 0 1 0 0 0 2 1 -2\n"
                           "1 0 0 0 1 1 0 2 1 2 4 1 2 3 4\n2 0 0 1 1 1 1 1 2 4 1 2 3 4\n"
                           "1 0 0 0 1 1 1 1 1 6 1 2 3 4 5 6\n$EndEntities\n"
                           "$Nodes\n2 8 1 8\n2 1 1 4\n1\n2\n3\n4\n"
                           "0 0 0 0.1 0.2\n1 0 0 0 0\n1 1 0 0 0\n0 1 0 0 0\n"
                           "2 2 0 4\r\n5\r\n6\n7\n8\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n$EndNodes\n"
                           "$Elements\n3 3 1 3\n2 1 3 1\n1 1 4 3 2\n2 2 3 1\n2 5 6 7 8\n3 1 5 1\n3 1 2 3 4 5 6 7 8 \n"
                           "$EndElements\n";

static zn_mesh *mesh_of(const char *text, const char *group, bool planar)
{
    char     message[400] = "";
    zn_msh  *msh = NULL;
    zn_mesh *mesh = NULL;
    if (zn_msh_parse(text, strlen(text), "a.msh", &msh, message, sizeof message) != ZN_OK ||
        zn_msh_mesh(msh, group, planar, "a.msh", &mesh, message, sizeof message) != ZN_OK)
        fail_msg("%s", message);
    zn_msh_destroy(msh);
    return mesh;
}

static const zn_mesh_set *set_of(const zn_mesh *mesh, const char *name)
{
    for (int i = 0; i < mesh->set_count; i++)
        if (strcmp(mesh->sets[i].name, name) == 0)
            return &mesh->sets[i];
    return NULL;
}

static void test_version_2(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        zn_mesh *mesh = mesh_of(two, named ? "body" : NULL, false);
        assert_int_equal(mesh->shape, ZN_TET4);
        assert_int_equal(mesh->node_count, 5); // node 99 belongs to no solid
        assert_int_equal(mesh->element_count, 2);
        const int expected[8] = {0, 1, 2, 3, 1, 4, 2, 3};
        assert_memory_equal(mesh->elements, expected, sizeof expected);
        assert_true(mesh->nodes[3].z == 1 && mesh->nodes[4].x == 1);
        assert_int_equal(mesh->set_count, 3); // the curve has elements of type 8
        assert_int_equal(set_of(mesh, "clamp")->count, 3);
        assert_int_equal(set_of(mesh, "tip")->count, 1);
        assert_int_equal(set_of(mesh, "tip")->nodes[0], 4);
        assert_int_equal(set_of(mesh, "body")->count, 5);
        assert_null(set_of(mesh, "curve"));
        zn_mesh_destroy(mesh);
    }
}

static void test_version_4(void **state)
{
    (void)state;
    zn_mesh *mesh = mesh_of(four, "cube", false);
    assert_int_equal(mesh->shape, ZN_HEX8);
    assert_int_equal(mesh->node_count, 8);
    assert_int_equal(mesh->element_count, 1);
    assert_true(mesh->nodes[6].x == 1 && mesh->nodes[6].z == 1);
    assert_int_equal(set_of(mesh, "bottom")->count, 4);
    assert_int_equal(set_of(mesh, "outside")->count, 8);
    zn_mesh_destroy(mesh);
}

// In the plane a surface drawn clockwise is turned around.
static void test_plane(void **state)
{
    (void)state;
    zn_mesh *mesh =
        mesh_of("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                "$Elements\n1\n1 3 2 0 1 1 4 3 2\n$EndElements\n",
                NULL, true);
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_solid_def def = zn_solid_def_default();
    def.mesh = mesh;
    def.young = def.density = 1;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_model_destroy(model);
    zn_mesh_destroy(mesh);
}

// --- broken files --------------------------------------------------------------------------------

#define FORMAT  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define FORMAT4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES   "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define TET     "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n"

typedef struct broken {
    const char *text, *message;
} broken;

static const broken files[] = {
    {"", "a.msh:0: not a mesh file: there is no $MeshFormat"},
    {"hello\n", "a.msh:1: expected a section such as $Nodes, found 'hello'"},
    {"$MeshFormat\n2.2 1 8\n$EndMeshFormat\n", "a.msh:2: a binary file; save it as ASCII (Mesh.Binary = 0)"},
    {"$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "a.msh:2: version 4.0 is not supported; save it as 2.2 or 4.1"},
    {"$MeshFormat\n2.2 0\n", "a.msh:2: data size: expected a whole number, found ''"},
    {"$MeshFormat\n2.2 0 8\n", "a.msh:2: the file ends inside MeshFormat"},
    {NODES, "a.msh:1: $MeshFormat must come first"},
    {FORMAT FORMAT, "a.msh:4: a second section $MeshFormat"},
    {FORMAT NODES NODES, "a.msh:11: a second section $Nodes"},
    {FORMAT NODES, "a.msh:10: there is no section $Elements"},
    {FORMAT TET, "a.msh:7: there is no section $Nodes"},
    {FORMAT "$EndNodes\n", "a.msh:4: expected a section such as $Nodes, found '$EndNodes'"},
    {FORMAT "$Periodic\n1\n2\n", "a.msh:4: section $Periodic has no end"},
    {FORMAT "$Nodes\n-1\n", "a.msh:5: number of nodes -1 is out of range"},
    {FORMAT "$Nodes\n99999999999\n", "a.msh:5: number of nodes 99999999999 is out of range"},
    {FORMAT "$Nodes\n2000000000\n1 0 0 0\n", "a.msh:6: the file ends inside Nodes"},
    {FORMAT "$Nodes\n1\n1 0 0\n$EndNodes\n", "a.msh:6: coordinate: expected a number, found ''"},
    {FORMAT "$Nodes\n1\n1 0 0 nan\n$EndNodes\n", "a.msh:6: coordinate: expected a number, found 'nan'"},
    {FORMAT "$Nodes\n1\n1 0 0 0 0\n$EndNodes\n", "a.msh:6: more on the line than expected"},
    {FORMAT "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "a.msh:7: expected $EndNodes"},
    {FORMAT "$PhysicalNames\n1\n3 1 body\n$EndPhysicalNames\n",
     "a.msh:6: expected a dimension from 0 to 3, a tag and a name"},
    {FORMAT "$PhysicalNames\n1\n3 1 \"\"\n$EndPhysicalNames\n", "a.msh:6: a name must have 1 to 63 characters"},
    {FORMAT "$PhysicalNames\n2\n3 1 \"a\"\n2 1 \"a\"\n$EndPhysicalNames\n",
     "a.msh:7: the name or tag of this group is used"},
    {FORMAT NODES "$Elements\n1\n1 4 2 1 1 1 2 3\n$EndElements\n", "a.msh:13: node: expected a whole number, found ''"},
    {FORMAT NODES "$Elements\n1\n1 4 2 1 1 1 2 3 4 5\n$EndElements\n", "a.msh:13: more on the line than expected"},
    {FORMAT NODES "$Elements\n1\n1 4 2 1 1 1 2 3 5\n$EndElements\n", "a.msh:13: there is no node 5"},
    {FORMAT NODES "$Elements\n1\n1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
     "a.msh:13: an element of type 11 cannot be part of a solid"},
    {FORMAT NODES "$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 5 2 1 1 1 2 3 4 1 2 3 4\n$EndElements\n",
     "a.msh:14: elements of type 4 and 5 in one solid"},
    {FORMAT NODES "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n", "a.msh: there are no solid elements"},
    {FORMAT "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n" TET, "a.msh: node 1 occurs twice"},
    {FORMAT4 "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", "a.msh:8: 1 nodes, but 2 were announced"},
    {FORMAT4 "$Nodes\n1 1 1 2\n3 1 0 2\n1\n2\n", "a.msh:6: more nodes than the 1 announced"},
    {FORMAT4 "$Nodes\n1 1 1 1\n4 1 0 1\n", "a.msh:6: expected a dimension from 0 to 3 and parametric 0 or 1"},
    {FORMAT4 "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 2 1\n$EndEntities\n", "a.msh:6: physical tag: expected a whole number"},
    {FORMAT4 "$Entities\n2 0 0 0\n1 0 0 0 0\n1 0 0 0 0\n$EndEntities\n", "entity 1 of dimension 0 occurs twice"},
    {FORMAT4 "$Entities\n0 0 0 0\n$EndEntities\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
     "a.msh:9: there is no entity 1 of dimension 3"},
    {FORMAT4 "$Elements\n1 1 1 1\n2 1 4 1\n1 1 2 3 4\n$EndElements\n",
     "a.msh:6: elements of type 4 on an entity of dimension 2"},
    {FORMAT4 "$Elements\n0 0 0 0\n$EndElements\n$Entities\n0 0 0 0\n$EndEntities\n",
     "a.msh:7: $Entities must come before $Elements"},
};

// The file, or the mesh made of it, is refused with this message.
static void refuse(const char *text, size_t length, const char *group, bool planar, const char *expected)
{
    char      message[400] = "";
    zn_msh   *msh = NULL;
    zn_mesh  *mesh = NULL;
    zn_status status = zn_msh_parse(text, length, "a.msh", &msh, message, sizeof message);
    if (status == ZN_OK)
        status = zn_msh_mesh(msh, group, planar, "a.msh", &mesh, message, sizeof message);
    CHECK_STATUS(status, ZN_ERR_MODEL);
    if (!strstr(message, expected)) {
        print_error("found '%s', expected '%s'\n", message, expected);
        fail();
    }
    zn_msh_destroy(msh);
}

static void test_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        refuse(files[i].text, strlen(files[i].text), NULL, false, files[i].message);
    refuse(two, strlen(two), "bodi", false, "a.msh: there is no physical group 'bodi'");
    refuse(two, strlen(two), "clamp", false, "an element of type 2 cannot be part of a solid");
    refuse(two, strlen(two), NULL, true,
           "an element of type 2 cannot be part of a solid; quadrilaterals of 4 nodes (3) can");
    refuse(FORMAT
           "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 1\n4 0 1 0\n$EndNodes\n$Elements\n1\n1 3 0 1 2 3 4\n$EndElements\n",
           sizeof FORMAT
               "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 1\n4 0 1 0\n$EndNodes\n$Elements\n1\n1 3 0 1 2 3 4\n$EndElements\n" -
               1,
           NULL, true, "a.msh: a node at z = 1 in a planar model");
}

// Any beginning of a good file is refused or read, and leaks nothing.
static void test_cut_off(void **state)
{
    (void)state;
    const char *const texts[] = {two, four};
    for (int k = 0; k < 2; k++)
        for (size_t n = 0; n < strlen(texts[k]); n++) {
            char    message[400] = "";
            char   *copy = malloc(n + 1); // so that a read beyond the end is seen
            zn_msh *msh = NULL;
            assert_non_null(copy);
            memcpy(copy, texts[k], n);
            if (zn_msh_parse(copy, n, "a.msh", &msh, message, sizeof message) == ZN_OK)
                zn_msh_destroy(msh);
            else
                assert_true(strncmp(message, "a.msh:", 6) == 0);
            free(copy);
        }
}

// --- in a model file -----------------------------------------------------------------------------

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static zn_problem *read_model(const char *folder, const char *text, log_capture *log)
{
    char        path[300];
    zn_problem *problem = NULL;
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    write_file(path, text);
    zn_status status = zn_problem_read(path, 0, NULL, log_into(log), &problem);
    assert_true(unlink(path) == 0 && (status == ZN_OK) == (problem != NULL));
    return problem;
}

#define MODEL(part)                                                                                                    \
    "zeno: 1\nmaterials: {m: {young: 1, density: 1}}\nparts: {p: {element: solid, material: m, " part "}}\n"           \
    "run: {step: 1e-3, until: 2e-3}\n"

static void test_model_file(void **state)
{
    (void)state;
    char        folder[] = "/tmp/zeno-msh-XXXXXX", mesh[300];
    log_capture log = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(mesh, sizeof mesh, "%s/part.msh", folder);
    write_file(mesh, two);
    zn_problem *problem =
        read_model(folder, MODEL("mesh: {file: part.msh, group: body}, fix: {clamp: [x, y, z]}"), &log);
    if (!problem)
        fail_msg("%s", log.text);
    fixture f = compile_fixture(problem->model);
    assert_int_equal(f.sys ? zn_system_get_info(f.sys).n : 0, 6);
    assert_true(zn_model_find_node_set(problem->model, "p.tip", NULL) != NULL);
    zn_system_destroy(f.sys);
    zn_problem_destroy(problem);
    assert_null(read_model(folder, MODEL("mesh: {file: part.msh}, fix: {curve: x}"), &log));
    CHECK_LOGGED(&log, "part 'p': group 'curve' has an element of unsupported type (line 29 of the file)");
    assert_null(read_model(folder, MODEL("mesh: {file: part.msh}, fix: {clmp: x}"), &log));
    CHECK_LOGGED(&log, "part 'p': the mesh has no set 'clmp', did you mean 'clamp'?");
    assert_null(read_model(folder, MODEL("mesh: {file: part.msh, group: bdy}"), &log));
    CHECK_LOGGED(&log, "there is no physical group 'bdy'");
    assert_true(unlink(mesh) == 0 && rmdir(folder) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_2), cmocka_unit_test(test_version_4), cmocka_unit_test(test_plane),
        cmocka_unit_test(test_broken),    cmocka_unit_test(test_cut_off),   cmocka_unit_test(test_model_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
