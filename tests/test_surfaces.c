// Two surfaces of solids against each other: rows and second derivatives against finite differences, forces in balance,
// the search against looking at every pair, nodes that coincide, thin walls, sharp edges, open ends, a surface that
// meets itself.
#include "contact_derivatives.h"

#include "model/contact/surface_pair.h"
#include "solid_models.h"

static const zn_solid_shape shapes[] = {ZN_QUAD4, ZN_HEX8, ZN_TET4};

static void add_block(zn_model *model, const char *name, zn_solid_shape shape, zn_vec3 from, zn_vec3 to, const int n[3],
                      double bend, uint64_t seed)
{
    zn_mesh *mesh = make_mesh(shape, zn_vec3_sub(to, from), n[0], n[1], n[2]);
    distort(mesh, bend, &seed);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_vec3_add(mesh->nodes[i], from);
    zn_solid_def def = soft_solid((solid_case){shape, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    def.name = name;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static zn_surfaces_def surfaces(const char *part_a, const char *face_a, const char *part_b, const char *face_b)
{
    zn_surfaces_def def = zn_surfaces_def_default();
    def.name = "c";
    def.part_a = part_a;
    def.face_a = face_a;
    def.part_b = part_b;
    def.face_b = face_b;
    return def;
}

static const zn_surface_pair *pair_of(const fixture *f) { return f->model->rule[0].parameter; }

static zn_contact_set *refresh(const fixture *f, const double *q)
{
    zn_contact_set *set = NULL;
    CHECK_OK(zn_contact_set_create(f->sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f->sys, q, 0));
    return set;
}

// --- rows ----------------------------------------------------------------------------------------

// A small block close to a larger one, both bent.
static fixture make_close(zn_solid_shape shape, double friction)
{
    bool            planar = shape == ZN_QUAD4;
    zn_model       *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_surfaces_def def = surfaces("upper", NULL, "lower", planar ? "lower.ymax" : "lower.zmax");
    zn_vec3         low = planar ? zn_vec3_make(0.9, 3.4, 0) : zn_vec3_make(0.9, 0.3, 3.4);
    add_block(model, "lower", shape, zn_vec3_make(0, 0, 0), zn_vec3_make(3, 3, 3), (int[3]){1, 1, 1}, 0.1, 5);
    add_block(model, "upper", shape, low, zn_vec3_add(low, zn_vec3_make(1.9, 2, 1.8)), (int[3]){1, 1, 1}, 0.1, 6);
    def.friction = friction;
    def.tangential_restitution = friction > 0 ? 0.25 : 0;
    CHECK_OK(zn_model_add_surfaces(model, &def));
    return compile_fixture(model);
}

static void test_derivatives(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 2; k++) {
            fixture f = make_close(shapes[s], k == 0 ? 0 : 0.3);
            check_contact_derivatives(f.sys, 70 + k, 0.03, false, 2e-9);
            destroy_fixture(&f);
        }
}

// Forces of a normal impulse on everything add up to zero, and so do their moments.
static void test_balance(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        fixture         f = make_close(shapes[s], 0);
        zn_contact_set *set = refresh(&f, f.sys->q0);
        contact_probe   p = {.sys = f.sys, .set = set};
        assert_true(set->count >= 2);
        for (int r = 0; r < set->count; r++) {
            double  row[FIXTURE_MAX];
            zn_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
            probe_row(&p, r, row);
            for (int i = 0; i < f.sys->layout.nodes; i++) {
                const zn_layout_node *node = &f.sys->layout.node[i];
                zn_vec3 F = {row[node->dof[0]], row[node->dof[1]], f.sys->info.planar ? 0 : row[node->dof[2]]};
                force = zn_vec3_add(force, F);
                moment = zn_vec3_add(moment, zn_vec3_cross(node->origin, F));
            }
            CHECK_BELOW(zn_vec3_norm(force), 1e-14);
            CHECK_BELOW(zn_vec3_norm(moment), 1e-14);
        }
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

// --- the search ----------------------------------------------------------------------------------

static zn_vec3 place_of(const fixture *f, int node, const double *q)
{
    const zn_layout_node *n = &f->sys->layout.node[node];
    return zn_vec3_add(n->origin, zn_vec3_make(q[n->q], q[n->q + 1], f->sys->info.planar ? 0 : q[n->q + 2]));
}

static bool has_node(const zn_nodes_facets *p, int facet, int node)
{
    for (int a = 0; a < p->corners; a++)
        if (p->node[facet * p->corners + a] == node)
            return true;
    return false;
}

// Mean normal of the facets of `own` at a node, from the definition.
static zn_vec3 mean_normal(const fixture *f, const zn_nodes_facets *own, int node, const double *q)
{
    zn_vec3 sum = {0, 0, 0};
    for (int e = 0; e < own->facets; e++) {
        zn_vec3 x[4], n;
        if (!has_node(own, e, node))
            continue;
        for (int a = 0; a < own->corners; a++)
            x[a] = place_of(f, own->node[e * own->corners + a], q);
        zn_vec3 u = zn_vec3_sub(x[1], x[0]);
        if (own->corners == 2)
            n = zn_vec3_make(u.y, -u.x, 0);
        else if (own->corners == 3)
            n = zn_vec3_cross(u, zn_vec3_sub(x[2], x[0]));
        else
            n = zn_vec3_cross(zn_vec3_sub(x[2], x[0]), zn_vec3_sub(x[3], x[1]));
        sum = zn_vec3_add(sum, zn_vec3_scale(1 / zn_vec3_norm(n), n));
    }
    return zn_vec3_scale(1 / zn_vec3_norm(sum), sum);
}

// Do two facets share a node, or a facet and those around a node?
static bool touches(const zn_nodes_facets *own, int facet, int node)
{
    for (int e = 0; e < own->facets; e++)
        for (int a = 0; has_node(own, e, node) && a < own->corners; a++)
            if (has_node(own, facet, own->node[e * own->corners + a]))
                return true;
    return false;
}

// The nearest facet for point i of a side by looking at all of them; -1: there is none.
static int look_everywhere(const fixture *f, int side, int i, const double *q, zn_foot *best)
{
    const zn_surface_pair *pair = pair_of(f);
    const zn_nodes_facets *p = pair->side[side], *own = pair->side[pair->sides == 2 ? 1 - side : 0];
    int                    node = p->point[i].node.value - 1, found = -1;
    zn_vec3                m = mean_normal(f, own, node, q), c[4];
    for (int e = 0; e < p->facets; e++) {
        zn_foot foot;
        for (int a = 0; a < p->corners; a++)
            c[a] = place_of(f, p->node[e * p->corners + a], q);
        if (!zn_facet_project(p->corners, c, place_of(f, node, q), &foot) ||
            zn_vec3_dot(foot.normal, m) >= (pair->sides == 2 ? -0.1 : -0.5) ||
            (foot.gap < 0 && foot.distance > p->own.depth[i]) || (pair->sides == 1 && touches(own, e, node)))
            continue;
        if (found < 0 || zn_foot_is_nearer(&foot, best)) {
            *best = foot;
            found = e;
        }
    }
    return found >= 0 && best->distance <= p->reach ? found : -1;
}

// The node at the foot of point i; -1: none is there.
static int node_at_foot(const fixture *f, int side, int i, const double *q)
{
    const zn_nodes_facets *p = pair_of(f)->side[side];
    zn_foot                foot;
    int                    facet = look_everywhere(f, side, i, q, &foot);
    for (int a = 0; facet >= 0 && a < p->corners; a++)
        if (foot.N[a] >= 0.9999)
            return p->node[facet * p->corners + a];
    return -1;
}

// The contact that meets the same two nodes as point i of a side; -1: there is none.
static int twin_of(const fixture *f, int side, int i, const double *q)
{
    const zn_surface_pair *pair = pair_of(f);
    int                    other = pair->sides == 2 ? 1 - side : 0, node = node_at_foot(f, side, i, q);
    for (int k = 0; node >= 0 && k < pair->side[other]->points; k++)
        if (pair->side[other]->point[k].node.value - 1 == node)
            return node_at_foot(f, other, k, q) == pair->side[side]->point[i].node.value - 1
                       ? k + (other == 1 ? pair->side[0]->points : 0)
                       : -1;
    return -1;
}

static bool is_listed(const zn_contact_set *set, int number)
{
    for (int k = 0; k < set->count; k++)
        if (zn_contact_id_number(set->id[k]) == number)
            return true;
    return false;
}

// Returns the number of contacts; those whose foot is beyond its facet may be there or not.
static int compare_search(const fixture *f, const double *q)
{
    const zn_surface_pair *pair = pair_of(f);
    zn_contact_set        *set = refresh(f, q);
    int                    k = 0;
    for (int s = 0; s < pair->sides; s++)
        for (int i = 0; i < pair->side[s]->points; i++) {
            zn_foot foot;
            int     number = i + (s == 1 ? pair->side[0]->points : 0), facet = look_everywhere(f, s, i, q, &foot);
            int     twin = twin_of(f, s, i, q);
            bool    met = twin >= 0 && is_listed(set, twin);
            if (!is_listed(set, number)) {
                assert_true(facet < 0 || foot.margin < 0 || met);
                continue;
            }
            assert_true(facet >= 0 && !met);
            assert_int_equal(zn_contact_id_number(set->id[k]), number);
            CHECK_NEAR(set->gap[k], foot.gap, 1e-12);
            k++;
        }
    assert_int_equal(k, set->count);
    zn_contact_set_destroy(set);
    return k;
}

static void test_search(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        bool            planar = shapes[s] == ZN_QUAD4;
        zn_model       *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
        int             n = planar ? 16 : 4, m = planar ? 13 : 3;
        double          up = 1 + 0.4 / n;
        zn_surfaces_def def = surfaces("lower", NULL, "upper", NULL);
        add_block(model, "lower", shapes[s], zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), (int[3]){n, n, n}, 0.1 / n,
                  5);
        add_block(model, "upper", shapes[s], planar ? zn_vec3_make(-0.2, up, 0) : zn_vec3_make(-0.2, -0.1, up),
                  planar ? zn_vec3_make(0.7, 2, 0) : zn_vec3_make(0.7, 0.9, 2), (int[3]){m, m, m}, 0.1 / n, 6);
        def.reach = 1.2 / n;
        CHECK_OK(zn_model_add_surfaces(model, &def));
        fixture  f = compile_fixture(model);
        uint64_t seed = 4;
        double  *q = malloc(sizeof *q * (size_t)f.sys->info.nq);
        for (int trial = 0; trial < 4; trial++) { // from apart to inside each other
            for (int i = 0; i < f.sys->info.nq; i++)
                q[i] = 0.05 / n * random_unit(&seed);
            for (int i = 0; i < f.sys->layout.nodes; i++) {
                const zn_layout_node *node = &f.sys->layout.node[i];
                bool                  upper = (planar ? node->origin.y : node->origin.z) > 1 + 0.2 / n;
                q[node->q + (planar ? 1 : 2)] -= upper ? 0.25 * trial / n : 0;
            }
            int count = compare_search(&f, q);
            assert_true(count > 4 * n / 5);
        }
        free(q);
        destroy_fixture(&f);
    }
}

// --- two rectangles ------------------------------------------------------------------------------

// Upper one from x = `shift`, 0.01 above the lower one, elements of side 0.1.
static fixture make_two(double shift, double thickness, const char *face_a, const char *face_b)
{
    zn_model       *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_surfaces_def def = surfaces("upper", face_a, "lower", face_b);
    add_block(model, "lower", ZN_QUAD4, zn_vec3_make(0, -thickness, 0), zn_vec3_make(1, 0, 0), (int[3]){10, 1, 1}, 0,
              1);
    add_block(model, "upper", ZN_QUAD4, zn_vec3_make(shift, 0.01, 0), zn_vec3_make(shift + 1, 1.01, 0),
              (int[3]){10, 4, 1}, 0, 1);
    CHECK_OK(zn_model_add_surfaces(model, &def));
    return compile_fixture(model);
}

static void test_coincident_nodes(void **state)
{
    (void)state;
    fixture         f = make_two(0, 0.1, "upper.ymin", "lower.ymax");
    zn_contact_set *set = refresh(&f, f.sys->q0);
    assert_int_equal(set->count, 11); // those of the first surface
    for (int i = 0; i < set->count; i++)
        assert_int_equal(zn_contact_id_number(set->id[i]), i);
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
    for (int k = 1; k <= 5; k++) { // beside each other: all but the one beyond the end of either
        f = make_two(0.01 * k, 0.1, "upper.ymin", "lower.ymax");
        set = refresh(&f, f.sys->q0);
        assert_int_equal(set->count, 20);
        for (int i = 0; i < set->count; i++) {
            assert_int_equal(zn_contact_id_number(set->id[i]), i < 10 ? i : i + 2);
            CHECK_NEAR(set->gap[i], 0.01, 1e-15);
        }
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

static void lower_nodes(const fixture *f, double from, double by, double *q)
{
    memcpy(q, f->sys->q0, sizeof *q * (size_t)f->sys->info.nq);
    for (int i = 0; i < f->sys->layout.nodes; i++) {
        const zn_layout_node *node = &f->sys->layout.node[i];
        if (node->origin.y == 0.01 && node->origin.x > from)
            q[node->q + 1] -= by;
    }
}

// Deep in a thin wall its other side is nearer, but that is not where a node came from.
static void test_thin_wall(void **state)
{
    (void)state;
    fixture f = make_two(0.05, 0.05, NULL, NULL);
    double  q[FIXTURE_MAX];
    for (int i = 0; i < pair_of(&f)->side[1]->points; i++)
        CHECK_NEAR(pair_of(&f)->side[1]->own.depth[i], 0.75 * 0.05, 1e-15);
    for (int i = 0; i < pair_of(&f)->side[0]->points; i++)
        CHECK_NEAR(pair_of(&f)->side[0]->own.depth[i], 0.25, 1e-15); // the reach: a side of the upper one
    for (int deep = 0; deep < 6; deep++) {
        double depth = 0.009 * deep;
        int    inside = 0;
        lower_nodes(&f, 0, 0.01 + depth, q);
        zn_contact_set *set = refresh(&f, q);
        for (int i = 0; i < set->count; i++) {
            double x = f.sys->layout.node[pair_of(&f)->side[0]->point[i < 10 ? i : 0].node.value - 1].origin.x;
            if (zn_contact_id_number(set->id[i]) < 10 && x < 0.95) { // away from the end, where its side counts as well
                CHECK_NEAR(set->gap[i], -depth, 1e-12);
                CHECK_NEAR(set->row_value[set->row_start[i] + 1], 1, 1e-12);
                inside++;
            }
        }
        assert_true(inside >= 8);
        zn_contact_set_destroy(set);
    }
    destroy_fixture(&f);
}

// Nodes that hang down beside a sharp edge are not below the face that ends there.
static void test_sharp_edge(void **state)
{
    (void)state;
    fixture f = make_two(0.55, 0.3, NULL, NULL);
    double  q[FIXTURE_MAX];
    for (int deep = 0; deep < 10; deep++) {
        lower_nodes(&f, 1.1, 0.01 * deep, q);
        zn_contact_set *set = refresh(&f, q);
        int             above = 0;
        for (int i = 0; i < set->count; i++) {
            assert_true(set->gap[i] >= -1e-12);
            above += fabs(set->gap[i] - 0.01) < 1e-12;
        }
        assert_true(above >= 8); // those above the face, and of the face below them
        zn_contact_set_destroy(set);
    }
    destroy_fixture(&f);
}

// --- a surface that meets itself -----------------------------------------------------------------

static void test_self(void **state)
{
    (void)state;
    for (int bent = 0; bent < 2; bent++) {
        zn_model       *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
        zn_mesh        *mesh = NULL;
        zn_surfaces_def def = surfaces("ring", "ring.inner", NULL, NULL);
        uint64_t        seed = 3;
        CHECK_OK(zn_mesh_ring(zn_vec3_make(0, 0, 0), 1, 0.1, (int[2]){40, 1}, 1, &mesh));
        distort(mesh, bent ? 0.02 : 0, &seed);
        for (int i = 0; i < mesh->node_count; i++)
            mesh->nodes[i].y *= 0.12;
        zn_solid_def solid = soft_solid((solid_case){ZN_QUAD4, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
        solid.name = "ring";
        CHECK_OK(zn_model_add_solid(model, &solid));
        zn_mesh_destroy(mesh);
        def.reach = 0.23;
        CHECK_OK(zn_model_add_surfaces(model, &def));
        fixture f = compile_fixture(model);
        assert_int_equal(pair_of(&f)->sides, 1);
        int count = compare_search(&f, f.sys->q0);
        if (!bent) { // opposite nodes at x = 0.9 cos(k 9 degrees), y = +-0.108 sin
            int             flat = 0;
            zn_contact_set *set = refresh(&f, f.sys->q0);
            assert_true(count >= 15);
            for (int i = 0; i < count; i++) {
                int k = (int)(zn_contact_id_number(set->id[i]) % 20);
                flat += k >= 7 && k <= 13;
                if (k >= 7 && k <= 13)
                    CHECK_NEAR(set->gap[i], 2 * 0.108 * sin(k * 3.14159265358979323846 / 20), 1e-3);
            }
            assert_int_equal(flat, 14); // from both sides
            zn_contact_set_destroy(set);
        }
        destroy_fixture(&f);
    }
}

// A ring that is round meets itself nowhere, whatever the reach: what opposes is too far away or barred.
static void test_round_ring(void **state)
{
    (void)state;
    zn_model       *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_mesh        *mesh = NULL;
    zn_surfaces_def def = surfaces("ring", NULL, NULL, NULL); // both its lines
    CHECK_OK(zn_mesh_ring(zn_vec3_make(0, 0, 0), 1, 0.05, (int[2]){60, 1}, 1, &mesh));
    zn_solid_def solid = soft_solid((solid_case){ZN_QUAD4, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    solid.name = "ring";
    CHECK_OK(zn_model_add_solid(model, &solid));
    zn_mesh_destroy(mesh);
    def.reach = 1.4; // across the hole it is 1.9; through the wall it is 0.05
    CHECK_OK(zn_model_add_surfaces(model, &def));
    fixture         f = compile_fixture(model);
    zn_contact_set *set = refresh(&f, f.sys->q0);
    for (int i = 0; i < set->count; i++)
        assert_true(set->gap[i] > 0);
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// --- refusals ------------------------------------------------------------------------------------

static void refuse(zn_model *model, zn_surfaces_def def, log_capture *log, const char *part)
{
    log_capture_clear(log);
    CHECK_STATUS(zn_model_add_surfaces(model, &def), ZN_ERR_MODEL);
    CHECK_LOGGED(log, part);
}

static void test_refusals(void **state)
{
    (void)state;
    log_capture     log = {0};
    zn_model       *model = make_model(false, zn_vec3_make(0, 0, 0), &log);
    zn_surfaces_def good = surfaces("lower", "lower.zmax", "upper", NULL), def;
    add_block(model, "lower", ZN_HEX8, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), (int[3]){2, 2, 2}, 0, 1);
    add_block(model, "upper", ZN_TET4, zn_vec3_make(0, 0, 1.1), zn_vec3_make(1, 1, 2), (int[3]){2, 2, 2}, 0, 1);
    CHECK_OK(zn_model_add_surfaces(model, &good));
    good.name = "d";
    def = good, def.part_a = "middle", refuse(model, def, &log, "'d': there is no solid part 'middle'");
    def = good, def.part_a = NULL, refuse(model, def, &log, "'d': there is no solid part ''");
    def = good, def.part_b = "c", refuse(model, def, &log, "'d': there is no solid part 'c'");
    def = good, def.face_a = "lower.side", refuse(model, def, &log, "'d': there is no node set 'lower.side'");
    def = good, def.face_a = "upper.zmax";
    refuse(model, def, &log, "'d': no face of 'lower' has all its nodes in 'upper.zmax'");
    def = good, def.part_b = "lower", def.face_b = "lower.zmax";
    refuse(model, def, &log, "'d': both its surfaces are 'lower.zmax'; a surface that meets itself is given once");
    def = surfaces("lower", NULL, "lower", NULL), def.name = "d";
    refuse(model, def, &log, "'d': both its surfaces are 'lower';");
    def = good, def.part_b = "lower", def.face_b = "lower.xmax";
    refuse(model, def, &log, "'d': node 'lower[20]' is on both its surfaces");
    def = good, def.part_b = NULL, def.face_b = "upper.zmin";
    refuse(model, def, &log, "'d': the set 'upper.zmin' of its second surface has no part");
    def = good, def.restitution = 1.5, refuse(model, def, &log, "'d': restitution 1.5 is not in [0, 1]");
    def = good, def.restitution = -0.1, refuse(model, def, &log, "'d': restitution -0.1 is not in [0, 1]");
    def = good, def.friction = -1, refuse(model, def, &log, "'d': friction -1 is not at least 0");
    def = good, def.friction = NAN, refuse(model, def, &log, "'d': friction");
    def = good, def.tangential_restitution = 2, refuse(model, def, &log, "'d': tangential restitution 2 is not in");
    def = good, def.reach = -1, refuse(model, def, &log, "'d': the reach -1 m is not at least 0");
    zn_model_destroy(model);
}

// --- overlap at the start ------------------------------------------------------------------------

// Upper block over the lower one, the unit square or cube; `from`: its lowest corner.
static zn_status add_overlapping(zn_solid_shape shape, zn_vec3 from, double size, log_capture *log)
{
    zn_model       *model = make_model(shape == ZN_QUAD4, zn_vec3_make(0, 0, 0), log);
    zn_surfaces_def def = surfaces("upper", NULL, "lower", NULL);
    add_block(model, "lower", shape, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), (int[3]){4, 4, 4}, 0, 1);
    add_block(model, "upper", shape, from, zn_vec3_add(from, zn_vec3_make(size, size, size)), (int[3]){3, 3, 3}, 0, 1);
    zn_status status = zn_model_add_surfaces(model, &def);
    zn_model_destroy(model);
    return status;
}

static void test_overlap(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        bool        planar = shapes[s] == ZN_QUAD4;
        log_capture log = {0};
#define AT(x, up) planar ? zn_vec3_make(x, up, 0) : zn_vec3_make(x, x, up)
        CHECK_OK(add_overlapping(shapes[s], AT(0, 1), 1, &log));          // they touch
        CHECK_OK(add_overlapping(shapes[s], AT(0.3, 1 - 1e-7), 1, &log)); // rounded input
        CHECK_OK(add_overlapping(shapes[s], AT(1, 1), 1, &log));          // corner to corner
        log_capture_clear(&log);
        CHECK_STATUS(add_overlapping(shapes[s], AT(0.1, 0.99), 0.7, &log), ZN_ERR_MODEL);
        CHECK_LOGGED(&log, "contact 'c': its surfaces overlap at the start: node 'upper[");
        CHECK_LOGGED(&log, "' is 0.01 m behind the other one");
        log_capture_clear(&log);
        CHECK_STATUS(add_overlapping(shapes[s], AT(0.1, 0.6), 0.8, &log), ZN_ERR_MODEL); // deeper than the reach
        CHECK_LOGGED(&log, "m behind the other one");
        log_capture_clear(&log);
        CHECK_STATUS(add_overlapping(shapes[s], AT(0.3, 0.3), 0.4, &log), ZN_ERR_MODEL); // wholly inside
        CHECK_LOGGED(&log, "' is 0.3 m behind the other one");
        log_capture_clear(&log);
        CHECK_STATUS(add_overlapping(shapes[s], AT(-0.5, -0.5), 2, &log), ZN_ERR_MODEL); // wholly around
        CHECK_LOGGED(&log, "node 'lower[");
    }
}

// A strip bent to a loop: an arc of 210 degrees and radius 1, and arms of this length, which would cross after
// cos(15)/sin(15) = 3.73.
static zn_mesh *make_loop(double arm)
{
    const double top = 105 * 3.14159265358979323846 / 180, width = 0.1;
    zn_mesh     *mesh = NULL;
    CHECK_OK(zn_mesh_rectangle(zn_vec3_make(-top - arm, -width / 2, 0), zn_vec3_make(top + arm, width / 2, 0),
                               (int[2]){80, 1}, &mesh));
    for (int i = 0; i < mesh->node_count; i++) {
        zn_vec3 *x = &mesh->nodes[i];
        double   s = fabs(x->x), a = fmin(s, top), side = x->x < 0 ? -1 : 1, straight = s - a;
        *x = zn_vec3_make(side * (sin(a) + straight * cos(a) - x->y * sin(a)),
                          1 - cos(a) + straight * sin(a) + x->y * cos(a), 0);
    }
    return mesh;
}

static void test_own_overlap(void **state)
{
    (void)state;
    for (int across = 0; across < 2; across++)
        for (int sets = 1; sets <= 2; sets++) { // both ends of its surface as one that meets itself, and as two
            log_capture     log = {0};
            zn_model       *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
            zn_mesh        *mesh = make_loop(across ? 3.8 : 3.4);
            zn_solid_def    solid = soft_solid((solid_case){ZN_QUAD4, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
            zn_surfaces_def def = surfaces("loop", sets == 1 ? NULL : "loop.a", sets == 1 ? NULL : "loop", "loop.b");
            zn_node_id      a[10], b[10];
            def.face_b = sets == 1 ? NULL : def.face_b;
            solid.name = "loop";
            CHECK_OK(zn_model_add_solid(model, &solid));
            for (int i = 0; i < 10; i++) { // of the upper row, which is the inner one
                a[i].value = 81 + i + 1;
                b[i].value = 161 - i + 1;
            }
            CHECK_OK(zn_model_add_node_set(model, "loop.a", 10, a));
            CHECK_OK(zn_model_add_node_set(model, "loop.b", 10, b));
            CHECK_STATUS(zn_model_add_surfaces(model, &def), across ? ZN_ERR_MODEL : ZN_OK);
            if (across)
                CHECK_LOGGED(&log, "contact 'c': its surfaces overlap at the start: node 'loop[");
            zn_mesh_destroy(mesh);
            zn_model_destroy(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_balance),
        cmocka_unit_test(test_search),      cmocka_unit_test(test_coincident_nodes),
        cmocka_unit_test(test_thin_wall),   cmocka_unit_test(test_sharp_edge),
        cmocka_unit_test(test_self),        cmocka_unit_test(test_round_ring),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_own_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
