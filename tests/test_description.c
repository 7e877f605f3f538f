// Every table of elements, contact rules and shapes describes what it is: one kind of thing each, cells with closed
// faces that point outwards and the volume their shape functions have, shapes drawn where a sphere meets them. The
// lists are made from the sources (list_tables.cmake), so that a new table cannot be left out.
#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "model/contact/meet.h"
#include "model/contact/shape.h"
#include "model/element/beam_linear.h"
#include "model/element/bushing.h"
#include "model/element/solid.h"
#include "model/contact/cylinder_contact.h"
#include "model/element/spring.h"
#include "model/element/torsion.h"
#include "model/contact/nodes_facets.h"
#include "model/contact/surface_pair.h"
#include "model/joint/dry_friction.h"
#include "model/joint/joint.h"
#include "model/joint/transmission.h"
#include "model/model.h"
#include "model_tables.h"
#include "view/surface.h"
#include "zn/sim.h"

#define ADDRESS(name) &name,
static const zn_element_ops *const elements[] = {ELEMENT_TABLES(ADDRESS)};
static const zn_contact_ops *const rules[] = {CONTACT_TABLES(ADDRESS)};
static const zn_shape_ops *const   shapes[] = {SHAPE_TABLES(ADDRESS)};
enum {
    ELEMENTS = sizeof elements / sizeof *elements,
    RULES = sizeof rules / sizeof *rules,
    SHAPES = sizeof shapes / sizeof *shapes
};

static bool has_text(const char *text) { return text != NULL && text[0] != '\0'; }

// --- elements --------------------------------------------------------------------------------------

static void test_elements(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        const zn_element_ops *ops = elements[i];
        int seen = (ops->cell != NULL) + (ops->body != NULL) + (ops->link != NULL) + (ops->load && ops->link == NULL) +
                   ops->unseen;
        if (seen != 1)
            fail_msg("'%s' is described in %d ways", ops->name, seen);
        assert_true(has_text(ops->name));
        assert_true(ops->body == NULL || ops->nodes == 1);
        assert_true(ops->link == NULL || ops->nodes == 2);
    }
}

// What elements tell of themselves can be recorded, under the same name and with the same unit.
static void test_readings(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++)
        for (int k = 0; elements[i]->readings && k < elements[i]->readings->count; k++) {
            const zn_reading *reading = &elements[i]->readings->reading[k];
            bool              found = false;
            assert_true(has_text(reading->name) && has_text(reading->unit) && has_text(reading->help));
            assert_non_null(elements[i]->readings->value);
            for (int n = 0; n < zn_quantity_count(); n++) {
                const char *owner, *name, *unit, *help;
                zn_quantity_describe(n, &owner, &name, &unit, &help);
                found |= strcmp(name, reading->name) == 0 && strcmp(unit, reading->unit) == 0;
            }
            if (!found)
                fail_msg("'%s' of '%s' cannot be recorded", reading->name, elements[i]->name);
        }
}

// Cells of VTK: where their points are in the books of VTK.
static const struct vtk_cell {
    int     type, dim, nodes;
    double  volume;
    zn_vec3 at[8];
} vtk_cells[] = {
    {3, 1, 2, 1, {{0, 0, 0}, {1, 0, 0}}},
    {5, 2, 3, 0.5, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
    {9, 2, 4, 1, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}},
    {10, 3, 4, 1.0 / 6, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {12, 3, 8, 1, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}},
};

static const struct vtk_cell *find_vtk(const zn_cell *cell)
{
    for (size_t i = 0; i < sizeof vtk_cells / sizeof *vtk_cells; i++)
        if (vtk_cells[i].type == cell->vtk)
            return &vtk_cells[i];
    fail_msg("'%s': type %d of VTK is not known here", cell->name, cell->vtk);
    return NULL;
}

// The cell sheared, stretched and moved away; its volume. In the plane z stays 0.
static double place_cell(const struct vtk_cell *vtk, zn_vec3 *X)
{
    const double A[3][3] = {{2, 0.3, -0.2}, {0.5, 1.5, 0.4}, {-0.1, 0.2, 3}};
    int          n = vtk->dim == 3 ? 3 : 2;
    for (int a = 0; a < vtk->nodes; a++) {
        const double x[3] = {vtk->at[a].x, vtk->at[a].y, n == 3 ? vtk->at[a].z : 0};
        double       y[3] = {7, -5, n == 3 ? 4 : 0};
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                y[i] += A[i][k] * x[k];
        X[a] = (zn_vec3){y[0], y[1], y[2]};
    }
    double plane = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    double space = A[2][2] * plane - A[2][1] * (A[0][0] * A[1][2] - A[0][2] * A[1][0]) +
                   A[2][0] * (A[0][1] * A[1][2] - A[0][2] * A[1][1]);
    return vtk->volume * (vtk->dim == 1 ? hypot(A[0][0], A[1][0]) : n == 3 ? space : plane);
}

// Area times outward normal of a face; of an edge in the plane, its length times that.
static zn_vec3 area_vector(int corners, const zn_vec3 *x)
{
    zn_vec3 sum = {0, 0, 0}, along = zn_vec3_sub(x[1], x[0]);
    if (corners == 2)
        return (zn_vec3){along.y, -along.x, 0};
    for (int k = 2; k < corners; k++)
        sum = zn_vec3_add(sum, zn_vec3_scale(0.5, zn_vec3_cross(zn_vec3_sub(x[k - 1], x[0]), zn_vec3_sub(x[k], x[0]))));
    return sum;
}

static zn_vec3 middle_of(int count, const zn_vec3 *x)
{
    zn_vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++)
        sum = zn_vec3_add(sum, zn_vec3_scale(1.0 / count, x[i]));
    return sum;
}

// Closed: the area vectors add up to nothing. Outwards: each away from the middle. Volume: sum of x . A / dim.
static void check_faces(const zn_cell *cell, int nodes, const zn_vec3 *X, double volume)
{
    zn_vec3  sum = {0, 0, 0}, centre = middle_of(nodes, X);
    double   enclosed = 0;
    unsigned used = 0;
    assert_true(cell->face_nodes >= cell->dim && cell->face_nodes <= ZN_FACE_NODES && cell->face != NULL);
    for (int f = 0; f < cell->faces; f++) {
        zn_vec3 x[ZN_FACE_NODES];
        for (int k = 0; k < cell->face_nodes; k++) {
            int a = cell->face[f * cell->face_nodes + k];
            assert_true(a >= 0 && a < nodes);
            used |= 1u << a;
            x[k] = X[a];
        }
        zn_vec3 A = area_vector(cell->face_nodes, x), out = zn_vec3_sub(middle_of(cell->face_nodes, x), centre);
        assert_true(zn_vec3_dot(A, out) > 0);
        sum = zn_vec3_add(sum, A);
        enclosed += zn_vec3_dot(A, middle_of(cell->face_nodes, x)) / cell->dim;
    }
    assert_int_equal(used, (1u << nodes) - 1);
    CHECK_BELOW(zn_vec3_norm(sum), 1e-13);
    CHECK_NEAR(enclosed, volume, 1e-12);
}

static void test_cells(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENTS; i++) {
        const zn_cell *cell = elements[i]->cell;
        zn_vec3        X[ZN_CELL_NODES];
        if (cell == NULL)
            continue;
        const struct vtk_cell *vtk = find_vtk(cell);
        assert_true(has_text(cell->name) && cell->measure != NULL);
        assert_int_equal(cell->dim, vtk->dim);
        assert_int_equal(elements[i]->nodes, vtk->nodes);
        assert_true((cell->stress != NULL) == has_text(cell->stress_name));
        assert_true((cell->stress != NULL) == has_text(cell->stress_unit));
        assert_true((cell->dim > 1) == (cell->faces > 0) && (cell->faces == 0 || cell->thickness != NULL));
        double volume = place_cell(vtk, X);
        if (cell->faces > 0) {
            check_faces(cell, vtk->nodes, X, volume);
            continue;
        }
        zn_element_block line = {.ops = elements[i], .node = (const int[2]){0, 1}, .count = 1};
        CHECK_NEAR(cell->measure(&line, 0, X), volume, 1e-14);
    }
}

// What the shape functions integrate over is what the faces enclose: nodes are in the order of the description.
static void test_measures(void **state)
{
    (void)state;
    enum { SHAPES_OF_SOLIDS = ZN_HEX8 + 1, FORMULATIONS = ZN_SOLID_ENHANCED + 1 };
    int solids = 0;
    for (int i = 0; i < SHAPES_OF_SOLIDS * FORMULATIONS; i++) {
        const zn_solid_kind *kind =
            zn_solid_kind_of((zn_solid_shape)(i / FORMULATIONS), (zn_solid_formulation)(i % FORMULATIONS));
        if (kind == NULL)
            continue;
        _Alignas(zn_solid) char room[sizeof(zn_solid) + ZN_SOLID_ROOM * sizeof(double)] = {0};
        zn_solid               *p = (zn_solid *)(void *)room;
        const int               node[ZN_CELL_NODES] = {0, 1, 2, 3, 4, 5, 6, 7};
        zn_vec3                 X[ZN_CELL_NODES];
        const zn_cell          *cell = kind->ops->cell;
        double                  volume = place_cell(find_vtk(cell), X);
        p->thickness = 0.25;
        p->material.mu = 1;
        assert_true(zn_solid_prepare(kind, X, p));
        zn_element_block block = {.ops = kind->ops, .node = node, .count = 1, .parameter = p};
        CHECK_NEAR(cell->measure(&block, 0, X), 0.25 * volume, 1e-13);
        CHECK_NEAR(cell->thickness(p), 0.25, 0);
        solids += !kind->mean && !kind->nodal; // which have the table of the standard one
    }
    for (int i = 0; i < ELEMENTS; i++)
        solids -= elements[i]->cell != NULL && elements[i]->cell->dim > 1;
    assert_int_equal(solids, 0); // all of them were seen
}

static void test_bodies(void **state)
{
    (void)state;
    static const zn_point_mass  point = {2};
    static const zn_rigid_body2 planar = {3, 5};
    static const zn_rigid_body3 spatial = {4, {{{1, 0.1, 0}, {0.1, 2, 0}, {0, 0, 2.5}}}};
    static const zn_round_body  round = {6, 7};
    const struct {
        const zn_element_ops *ops;
        const void           *parameter;
        double                mass, last; // J_zz
    } bodies[] = {{&zn_point_mass_ops, &point, 2, 0},
                  {&zn_rigid_body2_ops, &planar, 3, 5},
                  {&zn_rigid_body3_ops, &spatial, 4, 2.5},
                  {&zn_round_body_ops, &round, 6, 7}};
    enum { BODIES = sizeof bodies / sizeof *bodies };
    int described = 0;
    for (int i = 0; i < ELEMENTS; i++)
        described += elements[i]->body != NULL;
    assert_int_equal(described, BODIES);
    for (int i = 0; i < BODIES; i++) {
        double  mass = NAN;
        zn_mat3 J;
        memset(&J, 0xff, sizeof J); // all of it is filled
        bodies[i].ops->body(bodies[i].parameter, &mass, &J);
        CHECK_NEAR(mass, bodies[i].mass, 0);
        CHECK_NEAR(J.m[2][2], bodies[i].last, 0);
        for (int k = 0; k < 9; k++) {
            assert_true(isfinite(J.m[k / 3][k % 3]));
            CHECK_NEAR(J.m[k / 3][k % 3], J.m[k % 3][k / 3], 0);
        }
        assert_true(J.m[0][0] + J.m[1][1] >= J.m[2][2] && J.m[0][0] + J.m[2][2] >= J.m[1][1]); // of some body
    }
    const zn_spring spring = {.from = {{1}, {1, 2, 3}}, .to = {{2}, {4, 5, 6}}, .pull.stiffness = 1};
    zn_link         link = zn_spring_ops.link(&spring);
    assert_true(link.kind == ZN_LINK_SPRING && link.a.node.value == 1 && link.b.node.value == 2);
    CHECK_NEAR(link.b.at.z, 6, 0);
}

// --- contact rules -----------------------------------------------------------------------------------

// Contacts have a place, equations are links.
static void test_rules(void **state)
{
    (void)state;
    for (int i = 0; i < RULES; i++) {
        assert_true(has_text(rules[i]->name));
        if ((rules[i]->locate != NULL) == rules[i]->bilateral || (rules[i]->link != NULL) != rules[i]->bilateral)
            fail_msg("'%s' is not described as %s", rules[i]->name, rules[i]->bilateral ? "a link" : "a contact");
    }
}

static void test_words(void **state)
{
    (void)state;
    for (int i = 0; i <= ZN_LINK_JOINT; i++)
        assert_true(has_text(zn_link_word((zn_link_kind)i)));
    for (int i = 0; i <= ZN_SURFACE_SHAPE; i++)
        assert_true(has_text(zn_surface_word((zn_surface_kind)i)));
    for (int i = 0; i <= ZN_DRAWING_MESH; i++)
        assert_true(has_text(zn_drawing_word((zn_drawing_kind)i)));
    assert_null(zn_link_word((zn_link_kind)(ZN_LINK_JOINT + 1)));
    assert_null(zn_surface_word((zn_surface_kind)(ZN_SURFACE_SHAPE + 1)));
    assert_null(zn_drawing_word((zn_drawing_kind)(ZN_DRAWING_MESH + 1)));
}

// --- shapes ----------------------------------------------------------------------------------------

static void test_shapes(void **state)
{
    (void)state;
    int found = 0;
    for (int kind = 0; zn_shape_ops_of((zn_shape_kind)kind) != NULL; kind++, found++)
        for (int other = 0; other < kind; other++)
            assert_true(zn_shape_ops_of((zn_shape_kind)other) != zn_shape_ops_of((zn_shape_kind)kind));
    assert_int_equal(found, SHAPES);
    for (int i = 0; i < SHAPES; i++) {
        assert_true(has_text(shapes[i]->name) && shapes[i]->check != NULL);
        assert_true((shapes[i]->feature == NULL) == shapes[i]->sphere);
        assert_true((shapes[i]->draw == NULL) != (shapes[i]->surface == NULL));
    }
}

// A ball and a shape of the ground in a model, which makes of them what contacts need.
typedef struct meeting {
    zn_model             *model;
    const zn_shape_pairs *pairs; // the ball first
    bool                  planar;
} meeting;

#define BALL 1e-6

static meeting meeting_begin(zn_shape_def def, bool planar)
{
    meeting           m = {.planar = planar};
    zn_model_def      space = zn_model_def_default();
    zn_body_def       body = zn_body_def_default();
    zn_shape_def      ball = zn_shape_def_default();
    zn_pairs_def      pairs = zn_pairs_def_default();
    const char *const names[] = {"ball", "thing"};
    space.planar = planar;
    body.mass = 1;
    if (planar)
        body.inertia = 1;
    else
        body.inertia3 = zn_mat3_identity();
    CHECK_OK(zn_model_create(&space, &m.model));
    CHECK_OK(zn_model_add_body(m.model, &body, &ball.at.node));
    ball.name = "ball";
    ball.radius = BALL;
    def.name = "thing";
    CHECK_OK(zn_model_add_shape(m.model, &ball));
    CHECK_OK(zn_model_add_shape(m.model, &def));
    pairs.name = "pairs";
    pairs.between_count = 2;
    pairs.between = names;
    CHECK_OK(zn_model_add_pairs(m.model, &pairs));
    m.pairs = m.model->rule[0].parameter;
    return m;
}

// The gap of the ball at x: the smallest of all that is near.
static double gap_at(const meeting *m, zn_vec3 x)
{
    const zn_pair_shape *ball = &m->pairs->shape[0], *thing = &m->pairs->shape[1];
    zn_rigid             at = {.position = x, .rotation = zn_mat3_identity()}, rest = {.rotation = zn_mat3_identity()};
    zn_near              near = {.A = rest, .B = at, .slack = 1e-3, .planar = m->planar};
    zn_feature_list      list = {0};
    zn_feature           centre = {.kind = ZN_FEATURE_POINT, .at = x, .radius = BALL};
    double               least = INFINITY;
    bool                 swapped;
    zn_meet             *meet = zn_meet_of(thing->kind, ball->kind, m->planar, &swapped);
    assert_true(meet != NULL && !swapped);
    CHECK_OK(meet(thing, ball, &near, &list));
    for (int i = 0; i < list.count; i++) {
        zn_feature       own;
        zn_feature_place place;
        assert_true(thing->ops->feature(thing, zn_feature_first(list.pair[i]), m->planar, &own));
        assert_true(zn_feature_meet(&centre, &own, &place));
        least = fmin(least, place.gap);
    }
    free(list.pair);
    return least;
}

// The ball is moved away from the middle of the shape by s: the way back to the shape is at most s when the drawn point
// belongs to it, and not much less when it is on its surface.
static void check_point(const meeting *m, zn_vec3 on, zn_vec3 middle)
{
    const double s = 1e-4;
    zn_vec3      out = zn_vec3_sub(on, middle), x = zn_vec3_add(on, zn_vec3_scale(s / zn_vec3_norm(out), out));
    double       away = gap_at(m, x) + BALL;
    assert_true(away > 0.05 * s && away <= s + 1e-11);
}

// A shape is drawn where it is met, at corners and, where its faces are flat, in the middle of them.
static void check_drawing(const zn_shape_def *def, bool planar, bool flat, zn_vec3 inside)
{
    meeting         m = meeting_begin(*def, planar);
    zn_named_shape *shape = &m.model->shape[1];
    zn_surface_mesh mesh = {.coarse = true};
    zn_drawing      d = zn_shape_ops_of(def->kind)->draw(&shape->def, shape->data, planar);
    zn_vec3         centre = zn_vec3_add(def->at.at, zn_quat_rotate(def->rotation, inside));
    CHECK_OK(zn_surface_of(&d, planar, &mesh));
    assert_true(mesh.face_count > 0);
    for (int f = 0; f < mesh.face_count; f++) {
        const int *c = mesh.faces[f].corner;
        int        corners = c[3] < 0 ? 3 : 4;
        zn_vec3    middle = {0, 0, 0};
        for (int k = 0; k < corners; k++) {
            middle = zn_vec3_add(middle, zn_vec3_scale(1.0 / corners, mesh.points[c[k]]));
            check_point(&m, mesh.points[c[k]], centre);
        }
        if (flat && !planar)
            check_point(&m, middle, centre);
    }
    zn_surface_free(&mesh);
    zn_model_destroy(m.model);
}

static zn_shape_def shape_of(zn_shape_kind kind, bool planar)
{
    zn_shape_def def = zn_shape_def_default();
    def.kind = kind;
    def.at.at = (zn_vec3){1, 2, planar ? 0 : 3};
    def.rotation = zn_so3_exp(planar ? (zn_vec3){0, 0, 0.7} : (zn_vec3){0.3, -0.5, 0.9});
    def.radius = 0.5;
    def.length = 2;
    def.box = (zn_vec3){2, 3, 5};
    return def;
}

static void test_drawings(void **state)
{
    (void)state;
    const zn_vec3         zero = {0, 0, 0};
    const zn_vec3         corner[5] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const int             faces[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    const zn_contour_side sides[4] = {{{0, 0, 0}, 0}, {{2, 0, 0}, 0.5}, {{2, 2, 0}, -0.3}, {{0, 2, 0}, 0}};
    zn_shape_def          box = shape_of(ZN_SHAPE_BOX, false), capsule = shape_of(ZN_SHAPE_CAPSULE, false);
    zn_shape_def          cylinder = shape_of(ZN_SHAPE_CYLINDER, false), hull = shape_of(ZN_SHAPE_HULL, false);
    zn_shape_def          mesh = shape_of(ZN_SHAPE_MESH, false), contour = shape_of(ZN_SHAPE_CONTOUR, true);
    check_drawing(&box, false, true, zero);
    box.rotation = (zn_quat){1, 0, 0, 0};
    check_drawing(&box, false, true, zero);
    check_drawing(&capsule, false, false, zero);
    check_drawing(&cylinder, false, false, zero);
    hull.points = mesh.points = corner;
    hull.point_count = 5;
    check_drawing(&hull, false, true, (zn_vec3){0.6, 0.4, 0.4});
    mesh.point_count = 4;
    mesh.triangles = faces;
    mesh.triangle_count = 4;
    check_drawing(&mesh, false, true, (zn_vec3){0.4, 0.2, 0.2});
    box = shape_of(ZN_SHAPE_BOX, true);
    capsule = shape_of(ZN_SHAPE_CAPSULE, true);
    check_drawing(&box, true, true, zero);
    check_drawing(&capsule, true, true, zero);
    contour.sides = sides;
    contour.side_count = 4;
    check_drawing(&contour, true, true, (zn_vec3){1, 1, 0});
    zn_shape_def sphere = shape_of(ZN_SHAPE_SPHERE, false);
    zn_drawing   ball = zn_sphere_ops.draw(&sphere, NULL, false);
    assert_int_equal(ball.kind, ZN_DRAWING_SPHERE);
    CHECK_NEAR(ball.radius, 0.5, 0);
    CHECK_NEAR(ball.centre.y, 2, 0);
}

static void test_plane(void **state)
{
    (void)state;
    zn_shape_def        plane = zn_shape_def_default();
    zn_contact_location place = {.surface = -1};
    zn_vec3             tangent[2];
    plane.kind = ZN_SHAPE_PLANE;
    plane.at.at = (zn_vec3){1, 2, 3};
    plane.normal = (zn_vec3){1, -2, 4};
    zn_plane_ops.surface(&plane, &place);
    assert_int_equal(place.surface, ZN_SURFACE_PLANE);
    CHECK_NEAR(zn_vec3_norm(place.direction), 1, 1e-15);
    zn_contact_tangents(place.direction, false, tangent);
    meeting m = meeting_begin(plane, false);
    for (int i = 0; i < 9; i++) {
        zn_vec3 on = zn_vec3_add(
            place.through, zn_vec3_add(zn_vec3_scale(i % 3 - 1, tangent[0]), zn_vec3_scale(i / 3 - 1, tangent[1])));
        CHECK_NEAR(gap_at(&m, on), -BALL, 1e-14);
        CHECK_NEAR(gap_at(&m, zn_vec3_add(on, zn_vec3_scale(0.5 * BALL, place.direction))), -0.5 * BALL, 1e-14);
    }
    zn_model_destroy(m.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_elements), cmocka_unit_test(test_readings),
                                       cmocka_unit_test(test_cells),    cmocka_unit_test(test_measures),
                                       cmocka_unit_test(test_bodies),   cmocka_unit_test(test_rules),
                                       cmocka_unit_test(test_words),    cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_drawings), cmocka_unit_test(test_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
