// Points against the surface of solids: feet on facets against closed forms, rows and second derivatives against finite
// differences on bent facets, the search against looking at every pair, forces in balance, and a point that slides from
// facet to facet.
#include "contact_derivatives.h"

#include "model/contact/facet.h"
#include "model/contact/nodes_facets.h"
#include "model/contact/point_grid.h"
#include "solid_models.h"

// --- one facet -----------------------------------------------------------------------------------

static void test_segment(void **state)
{
    (void)state;
    const zn_vec3 x[2] = {{1, 1, 0}, {3, 1, 0}}; // outside is below: the element is to the left
    zn_foot       f;
    assert_true(zn_facet_project(2, x, zn_vec3_make(1.5, 0.75, 0), &f));
    CHECK_NEAR(f.gap, 0.25, 1e-15);
    CHECK_NEAR(f.normal.y, -1, 0);
    CHECK_NEAR(f.N[1], 0.25, 1e-15);
    CHECK_NEAR(f.margin, 0.5, 1e-15);
    CHECK_NEAR(f.distance, 0.25, 1e-15);
    assert_int_equal(f.edge, 0);
    assert_true(zn_facet_project(2, x, zn_vec3_make(6, 5, 0), &f)); // beyond the second end, inside
    CHECK_NEAR(f.gap, -4, 1e-15);
    CHECK_NEAR(f.margin, -3, 1e-15);
    CHECK_NEAR(f.distance, 5, 1e-15);
    assert_int_equal(f.edge, 1);
    assert_false(zn_facet_project(2, (zn_vec3[2]){{1, 1, 0}, {1, 1, 0}}, zn_vec3_make(0, 0, 0), &f));
}

static void test_triangle(void **state)
{
    (void)state;
    const zn_vec3 x[3] = {{0, 0, 2}, {4, 0, 2}, {0, 3, 2}};
    zn_foot       f;
    assert_true(zn_facet_project(3, x, zn_vec3_make(1, 1, 2.5), &f));
    CHECK_NEAR(f.gap, 0.5, 1e-15);
    CHECK_NEAR(f.N[0], 1 - 0.25 - 1.0 / 3, 1e-15);
    CHECK_NEAR(f.margin, 1, 1e-15);                                 // the long side is at (12 - 3 - 4)/5 = 1
    assert_true(zn_facet_project(3, x, zn_vec3_make(4, 3, 2), &f)); // beyond the long side
    CHECK_NEAR(f.gap, 0, 1e-15);
    CHECK_NEAR(f.distance, 12.0 / 5, 1e-14);
    CHECK_NEAR(f.margin, -12.0 / 5, 1e-14);
    assert_int_equal(f.edge, 1);
    assert_false(zn_facet_project(3, (zn_vec3[3]){{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, zn_vec3_make(0, 0, 1), &f));
}

// A point set off along the normal of a bent facet has its foot where it came from.
static void test_bent_quad(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 200; trial++) {
        zn_vec3 x[4] = {{0, 0, 0}, {2, 0, 0}, {2, 1.5, 0}, {0, 1.5, 0}};
        for (int a = 0; a < 4; a++)
            x[a] = zn_vec3_add(
                x[a], zn_vec3_make(100 + 0.2 * random_unit(&seed), 0.2 * random_unit(&seed), 0.3 * random_unit(&seed)));
        double  u = random_unit(&seed), v = random_unit(&seed), h = 0.2 * random_unit(&seed), N[4];
        double  du[4] = {-(1 - v) / 4, (1 - v) / 4, (1 + v) / 4, -(1 + v) / 4};
        double  dv[4] = {-(1 - u) / 4, -(1 + u) / 4, (1 + u) / 4, (1 - u) / 4};
        zn_vec3 p = {0, 0, 0}, g1 = {0, 0, 0}, g2 = {0, 0, 0};
        zn_foot f;
        for (int a = 0; a < 4; a++) {
            N[a] = (1 + (a == 1 || a == 2 ? u : -u)) * (1 + (a > 1 ? v : -v)) / 4;
            p = zn_vec3_add(p, zn_vec3_scale(N[a], x[a]));
            g1 = zn_vec3_add(g1, zn_vec3_scale(du[a], x[a]));
            g2 = zn_vec3_add(g2, zn_vec3_scale(dv[a], x[a]));
        }
        zn_vec3 n = zn_vec3_cross(g1, g2);
        n = zn_vec3_scale(1 / zn_vec3_norm(n), n);
        assert_true(zn_facet_project(4, x, zn_vec3_add(p, zn_vec3_scale(h, n)), &f));
        CHECK_NEAR(f.gap, h, 1e-12);
        CHECK_NEAR(f.distance, fabs(h), 1e-12);
        assert_true(f.margin >= 0);
        for (int a = 0; a < 4; a++)
            CHECK_NEAR(f.N[a], N[a], 1e-12);
    }
}

// --- the grid ------------------------------------------------------------------------------------

static void test_grid(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int count = 0; count < 200; count += 7) {
        zn_vec3      *p = malloc((size_t)(count + 1) * sizeof *p);
        void         *memory = malloc(zn_point_grid_bytes(count));
        double        size = count % 2 ? 0.1 : 1e-6; // too small: cells must grow
        zn_point_grid grid;
        for (int i = 0; i < count; i++)
            p[i] = zn_vec3_make(random_unit(&seed), 3 * random_unit(&seed), i % 3 ? 0 : random_unit(&seed));
        if (count > 50)
            p[17].y = NAN;
        if (count % 3 == 1 && count > 50) { // sides that overflow; sizes that are none
            p[3].x = 1e308;
            p[4].x = -1e308;
            size = count % 2 ? NAN : 0;
        }
        zn_point_grid_build(count, p, size, memory, &grid);
        for (int trial = 0; trial < 20; trial++) {
            zn_vec3 c = zn_vec3_make(random_unit(&seed), 3 * random_unit(&seed), random_unit(&seed)),
                    r = {0.3, 0.2, 0.4};
            int  first[3], last[3], found = 0, expected = 0;
            bool any = zn_point_grid_range(&grid, zn_vec3_sub(c, r), zn_vec3_add(c, r), first, last);
            for (int i = 0; i < count; i++)
                expected += fabs(p[i].x - c.x) <= r.x && fabs(p[i].y - c.y) <= r.y && fabs(p[i].z - c.z) <= r.z;
            for (int k = any ? first[2] : 1; k <= (any ? last[2] : 0); k++)
                for (int j = first[1]; j <= last[1]; j++)
                    for (int i = first[0]; i <= last[0]; i++) {
                        int cell = i + grid.cells[0] * (j + grid.cells[1] * k);
                        for (int e = grid.start[cell]; e < grid.start[cell + 1]; e++) {
                            zn_vec3 d = zn_vec3_sub(p[grid.order[e]], c);
                            found += fabs(d.x) <= r.x && fabs(d.y) <= r.y && fabs(d.z) <= r.z;
                        }
                    }
            assert_int_equal(found, expected);
        }
        free(memory);
        free(p);
    }
}

// --- models --------------------------------------------------------------------------------------

typedef struct pair_case {
    zn_solid_shape shape;
    bool           bodies; // a body with a point on it, not nodes of a solid
    double         radius, friction;
} pair_case;

static void add_block(zn_model *model, const char *name, zn_solid_shape shape, zn_vec3 from, zn_vec3 to, int n,
                      double bend, uint64_t seed)
{
    solid_case c = {shape, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN};
    zn_mesh   *mesh = make_mesh(shape, zn_vec3_sub(to, from), n, n, n);
    distort(mesh, bend, &seed);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_vec3_add(mesh->nodes[i], from);
    zn_solid_def def = soft_solid(c, mesh);
    def.name = name;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

// A block of bent facets, and above it the corners of another one or a body.
static fixture make_pair(pair_case c, log_capture *log)
{
    bool           planar = c.shape == ZN_QUAD4;
    zn_model      *model = make_model(planar, zn_vec3_make(0, 0, 0), log);
    zn_contact_def def = zn_contact_def_default();
    zn_vec3        up = planar ? zn_vec3_make(0, 1, 0) : zn_vec3_make(0, 0, 1);
    add_block(model, "lower", c.shape, zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), 1, 0.08, 5);
    def.name = "rub";
    def.surface = ZN_SURFACE_FACETS;
    def.part = "lower";
    def.face = planar ? "lower.ymax" : "lower.zmax";
    def.radius = c.radius;
    def.friction = c.friction;
    def.restitution = 0.5;
    def.tangential_restitution = c.friction > 0 ? 0.25 : 0;
    if (c.bodies) {
        zn_body_def body = zn_body_def_default();
        body.mass = 1;
        if (planar)
            body.inertia = 1;
        else
            body.inertia3 = zn_mat3_identity();
        body.position = zn_vec3_add(zn_vec3_make(0.45, planar ? 0 : 0.4, 0), zn_vec3_scale(1.4, up));
        CHECK_OK(zn_model_add_body(model, &body, &def.point.node));
        def.point.at = zn_vec3_scale(-0.2, up);
        def.point.at.x += 0.1;
    } else {
        add_block(model, "upper", c.shape,
                  zn_vec3_add(zn_vec3_make(0.3, planar ? 0 : 0.25, 0), zn_vec3_scale(1.15, up)),
                  zn_vec3_add(zn_vec3_make(0.7, planar ? 0.5 : 0.65, 0.4), zn_vec3_scale(1.15, up)), 1, 0, 6);
        def.points = planar ? "upper.ymin" : "upper.zmin";
    }
    CHECK_OK(zn_model_add_contact(model, &def));
    return compile_fixture(model);
}

static const zn_solid_shape shapes[] = {ZN_QUAD4, ZN_HEX8, ZN_TET4};

static void test_derivatives(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 8; k++) {
            pair_case c = {shapes[s], (k & 1) != 0, k & 2 ? 0.05 : 0, k & 4 ? 0.3 : 0};
            fixture   f = make_pair(c, NULL);
            check_contact_derivatives(f.sys, 70 + k, 0.03, false, 2e-9);
            destroy_fixture(&f);
        }
}

// Where the gap is smallest, the distance from the surface by brute force is the gap.
static void test_gap_is_distance(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        fixture                f = make_pair((pair_case){shapes[s], true, 0, 0}, NULL);
        zn_contact_set        *set = NULL;
        const zn_nodes_facets *p = f.model->rule[0].parameter;
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
        assert_int_equal(set->count, 1);
        zn_rigid body = zn_rigid_at(&f.sys->layout, p->point[0].node, f.sys->q0);
        zn_vec3  x = zn_rigid_point(&body, p->point[0].at);
        double   least = 1e9;
        for (int facet = 0; facet < p->facets; facet++) {
            zn_vec3 c[4];
            zn_facet_corners(p, &f.sys->layout, facet, f.sys->q0, c);
            for (int i = 0; i <= 400; i++)
                for (int j = 0; j <= (p->corners == 2 ? 0 : 400); j++) {
                    double  u = i / 400.0, v = j / 400.0;
                    zn_vec3 at = c[0];
                    if (p->corners == 3 && u + v > 1)
                        continue;
                    double w[4] = {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
                    if (p->corners == 2)
                        w[0] = 1 - u, w[1] = u;
                    if (p->corners == 3)
                        w[0] = 1 - u - v, w[1] = u, w[2] = v;
                    at = zn_vec3_make(0, 0, 0);
                    for (int a = 0; a < p->corners; a++)
                        at = zn_vec3_add(at, zn_vec3_scale(w[a], c[a]));
                    least = fmin(least, zn_vec3_norm(zn_vec3_sub(x, at)));
                }
        }
        CHECK_NEAR(set->gap[0], least, 1e-4); // the samples are 1/400 apart, the error is of second order
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

// Forces of a normal impulse on everything add up to zero, and so do their moments; the tangential ones leave the
// moment of their arm, the gap.
static void test_balance(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        fixture         f = make_pair((pair_case){shapes[s], false, 0, 0.3}, NULL);
        zn_contact_set *set = NULL;
        int             n = f.sys->info.n_all, dim = f.sys->info.planar ? 2 : 3;
        double          dq[FIXTURE_MAX], q[FIXTURE_MAX];
        uint64_t        seed = 8;
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        random_fill(&seed, 0.05, n, dq);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
        assert_true(set->count >= 2);
        contact_probe p = {.sys = f.sys, .set = set};
        for (int r = 0; r < set->count * set->stride; r++) {
            double  row[FIXTURE_MAX], size = 0;
            zn_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
            probe_row(&p, r, row);
            for (int i = 0; i < f.sys->layout.nodes; i++) {
                const zn_layout_node *node = &f.sys->layout.node[i];
                double                part[3] = {0}, at[3] = {0};
                for (int k = 0; k < dim; k++) {
                    part[k] = row[node->dof[k]];
                    at[k] = q[node->q + k];
                }
                zn_vec3 x = zn_vec3_add(node->origin, zn_vec3_make(at[0], at[1], at[2]));
                zn_vec3 F = zn_vec3_make(part[0], part[1], part[2]);
                force = zn_vec3_add(force, F);
                moment = zn_vec3_add(moment, zn_vec3_cross(x, F));
                size += zn_vec3_norm(F);
            }
            CHECK_NEAR(size, 2, 1); // one on each side, or a little more where the foot is outside
            CHECK_BELOW(zn_vec3_norm(force), 1e-14);
            if (r % set->stride == 0)
                CHECK_BELOW(zn_vec3_norm(moment), 1e-14);
            else
                CHECK_NEAR(zn_vec3_norm(moment), fabs(set->gap[r / set->stride]), 1e-13);
        }
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

// --- the search ----------------------------------------------------------------------------------

// Many points over a bumpy surface of many facets: the same facet, or one as near, as by looking at every pair.
static void test_search(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        bool           planar = shapes[s] == ZN_QUAD4;
        zn_model      *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
        zn_contact_def def = zn_contact_def_default();
        int            n = planar ? 20 : 5, near = 0;
        add_block(model, "lower", shapes[s], zn_vec3_make(0, 0, 0), zn_vec3_make(1, 1, 1), n, 0.15 / n, 5);
        add_block(model, "upper", shapes[s], planar ? zn_vec3_make(-0.2, 1.01, 0) : zn_vec3_make(-0.2, -0.1, 1.01),
                  planar ? zn_vec3_make(0.7, 2, 0) : zn_vec3_make(0.7, 0.9, 2), n, 0.15 / n, 6);
        def.surface = ZN_SURFACE_FACETS;
        def.part = "lower";  // its whole surface
        def.reach = 1.2 / n; // and what is inside, wherever it came from
        def.points = "upper.surface";
        CHECK_OK(zn_model_add_contact(model, &def));
        fixture         f = compile_fixture(model);
        zn_contact_set *set = NULL;
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
        const zn_nodes_facets *p = model->rule[0].parameter;
        for (int i = 0, k = 0; i < p->points; i++) {
            zn_rigid body = zn_rigid_at(&f.sys->layout, p->point[i].node, f.sys->q0);
            zn_vec3  x = zn_rigid_point(&body, p->point[i].at), c[4];
            zn_foot  best, foot;
            int      facet = -1;
            for (int e = 0; e < p->facets; e++) {
                zn_facet_corners(p, &f.sys->layout, e, f.sys->q0, c);
                if (!zn_facet_project(p->corners, c, x, &foot))
                    continue;
                if (facet < 0 || zn_foot_is_nearer(&foot, &best)) {
                    best = foot;
                    facet = e;
                }
            }
            bool is_near = facet >= 0 && best.distance <= p->reach; // a closed surface has no border
            bool listed = k < set->count && zn_contact_id_number(set->id[k]) == i;
            assert_true(is_near == listed);
            if (!listed)
                continue;
            CHECK_NEAR(set->gap[k], best.gap, 1e-12);
            near++;
            k++;
        }
        assert_true(near > n / 2 && near < p->points);
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

// --- sliding from facet to facet -----------------------------------------------------------------

// A point goes over a roof of two slopes: the gap is continuous and its row turns by the angle between the slopes only.
static void test_sliding_across(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) // over a ridge, through a valley
        for (int inside = -1; inside <= 1; inside += 2) {
            zn_model *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
            zn_mesh  *mesh = make_mesh(ZN_QUAD4, zn_vec3_make(2, 1, 0), 2, 1, 1);
            double    slope = s == 0 ? 0.2 : -0.2, height = inside * 0.05, last = 0, angle = 2 * atan(0.2);
            int       turns = 0;
            mesh->nodes[4].y += slope; // the upper middle
            solid_case   c = {ZN_QUAD4, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN};
            zn_solid_def solid = soft_solid(c, mesh);
            CHECK_OK(zn_model_add_solid(model, &solid));
            zn_mesh_destroy(mesh);
            zn_body_def    ball = zn_body_def_default();
            zn_contact_def def = zn_contact_def_default();
            ball.mass = 1;
            ball.position = zn_vec3_make(1, 2, 0);
            CHECK_OK(zn_model_add_body(model, &ball, &def.point.node));
            def.surface = ZN_SURFACE_FACETS;
            def.part = "body";
            def.face = "body.ymax";
            def.reach = 0.5;
            CHECK_OK(zn_model_add_contact(model, &def));
            fixture         f = compile_fixture(model);
            zn_contact_set *set = NULL;
            double          q[FIXTURE_MAX], row[2], before[2] = {0, 0}, step = 1e-3;
            int             at = f.sys->layout.node[6].q;
            memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
            CHECK_OK(zn_contact_set_create(f.sys, &set));
            for (int k = 0; k <= 1000; k++) {
                double x = 0.5 + k * step;
                q[at] = x;
                q[at + 1] = 1 + slope * (1 - fabs(x - 1)) + height;
                if (k % 100 == 0) // within a step the point walks from where it was found
                    CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
                else
                    CHECK_OK(zn_contact_set_evaluate(set, f.sys, q, 0));
                assert_int_equal(set->count, 1);
                row[0] = set->row_value[0], row[1] = set->row_value[1];
                CHECK_NEAR(hypot(row[0], row[1]), 1, 1e-15);
                double turn =
                    fabs(atan2(row[0] * before[1] - row[1] * before[0], row[0] * before[0] + row[1] * before[1]));
                if (k > 0 && turn > 1e-12) {
                    CHECK_NEAR(turn, angle, 1e-12);
                    turns++;
                }
                if (k > 0)
                    CHECK_BELOW(fabs(set->gap[0] - last), 2 * step * 0.2 + 1e-12);
                CHECK_NEAR(set->gap[0], height * cos(angle / 2), 1e-2); // exact away from the middle
                if (fabs(x - 1) > 0.1)
                    CHECK_NEAR(set->gap[0], height * cos(angle / 2), 1e-12);
                last = set->gap[0];
                before[0] = row[0], before[1] = row[1];
            }
            assert_int_equal(turns, 1);
            zn_contact_set_destroy(set);
            destroy_fixture(&f);
        }
}

// --- refusals ------------------------------------------------------------------------------------

static void refuse(zn_model *model, zn_contact_def def, log_capture *log, zn_status status, const char *part)
{
    log_capture_clear(log);
    CHECK_STATUS(zn_model_add_contact(model, &def), status);
    CHECK_LOGGED(log, part);
}

static void test_refusals(void **state)
{
    (void)state;
    log_capture    log = {0};
    fixture        f = make_pair((pair_case){ZN_HEX8, false, 0, 0}, &log);
    zn_contact_def good = zn_contact_def_default(), def;
    good.name = "c";
    good.surface = ZN_SURFACE_FACETS;
    good.part = "lower";
    good.points = "upper.zmin";
    CHECK_OK(zn_model_add_contact(f.model, &good));
    def = good, def.part = "middle", refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': there is no solid part 'middle'");
    def = good, def.part = NULL, refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': there is no solid part ''");
    def = good, def.face = "lower.side",
    refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': there is no node set 'lower.side'");
    def = good, def.face = "upper.zmin";
    refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': no face of 'lower' has all its nodes in 'upper.zmin'");
    def = good, def.points = "lower.zmin";
    refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': node 'lower[0]' is one of its points and on its surface");
    def = good, def.points = "lower.middle";
    refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': there is no node set 'lower.middle'");
    def = good, def.reach = -1, refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': the reach -1 m is not at least 0");
    def = good, def.friction = -0.5, refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': friction -0.5 is not at least 0");
    def = good, def.surface_node = zn_model_find_node(f.model, "lower[0]");
    refuse(f.model, def, &log, ZN_ERR_MODEL, "'c': its surface is on a solid and on a body");
    destroy_fixture(&f);
}

// A facet without area is found out when it is met.
static void test_flat_facet(void **state)
{
    (void)state;
    log_capture     log = {0};
    fixture         f = make_pair((pair_case){ZN_QUAD4, true, 0, 0}, &log);
    zn_contact_set *set = NULL;
    double          q[FIXTURE_MAX];
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
    const zn_layout_node *a = &f.sys->layout.node[2], *b = &f.sys->layout.node[3]; // the two upper nodes
    q[a->q] = b->origin.x - a->origin.x;
    q[a->q + 1] = b->origin.y - a->origin.y;
    CHECK_STATUS(zn_contact_set_evaluate(set, f.sys, q, 0), ZN_INVALID_STATE);
    CHECK_LOGGED(&log, "contact 'rub': facet 0 of its surface is flattened");
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segment),  cmocka_unit_test(test_triangle),    cmocka_unit_test(test_bent_quad),
        cmocka_unit_test(test_grid),     cmocka_unit_test(test_derivatives), cmocka_unit_test(test_gap_is_distance),
        cmocka_unit_test(test_balance),  cmocka_unit_test(test_search),      cmocka_unit_test(test_sliding_across),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_flat_facet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
