// Profiles: cams and gears against their formulas, areas, DXF and CSV files, and what makes no contour.
#include <stdlib.h>

#include "check.h"
#include "io/profile.h"
#include "model/contact/contour.h"
#include "model/contact/contour_check.h"

static const double pi = 3.14159265358979323846;

// Distance of a point from a profile of any length.
static double off(const zn_profile *p, zn_vec3 x)
{
    double best = 1e9;
    for (int i = 0; i < p->count; i++) {
        zn_edge e = zn_edge_make(p->side[i].start, p->side[(i + 1) % p->count].start, p->side[i].bulge);
        best = fmin(best, hypot(x.x - e.from.x, x.y - e.from.y));
        bool beside =
            zn_vec3_dot(e.leaving, zn_vec3_sub(x, e.from)) >= 0 && zn_vec3_dot(e.arriving, zn_vec3_sub(x, e.to)) <= 0;
        if (beside)
            best = fmin(best, e.radius == 0 ? fabs(zn_vec3_dot(e.normal, zn_vec3_sub(x, e.from)))
                                            : fabs(hypot(x.x - e.centre.x, x.y - e.centre.y) - fabs(e.radius)));
    }
    return best;
}

static int sharp_corners(zn_profile *p)
{
    zn_shape_def def = zn_shape_def_default();
    zn_contour   c;
    int          count = 0;
    def.side_count = p->count;
    def.sides = p->side;
    assert_int_equal(zn_contour_make(&def, &c), ZN_OK);
    for (int i = 0; i < c.edges; i++)
        count += c.edge[i].corner != ZN_CORNER_SMOOTH;
    free((void *)c.edge);
    free((void *)c.box);
    return count;
}

static void test_cam(void **state)
{
    (void)state;
    const char         *name = "angle";
    double              angle = 0;
    zn_constants        variables = {1, &name, &angle};
    zn_expression_error error;
    zn_expression      *e = NULL;
    char                message[ZN_PROFILE_MESSAGE];
    assert_int_equal(zn_expression_create_of("0.02 + 0.004*cos(angle)^3 + 0.001*sin(2*angle)", variables, &error, &e),
                     0);
    const double tolerance[] = {1e-5, 1e-8};
    int          sides[2];
    for (int k = 0; k < 2; k++) {
        zn_profile p = {0};
        assert_int_equal(zn_profile_cam(e, tolerance[k], &p, message), ZN_OK);
        CHECK_BELOW(p.error, tolerance[k]);
        assert_int_equal(sharp_corners(&p), 0);
        double worst = 0;
        for (int i = 0; i < 3000; i++) {
            double a = 2 * pi * i / 3000, r = 0.02 + 0.004 * pow(cos(a), 3) + 0.001 * sin(2 * a);
            worst = fmax(worst, off(&p, (zn_vec3){r * cos(a), r * sin(a), 0}));
        }
        CHECK_BELOW(worst, 1.1 * tolerance[k]); // it is looked at in eight places of each pair of arcs
        sides[k] = p.count;
        zn_profile_clear(&p);
    }
    CHECK_BELOW(sides[1] / (double)sides[0], 15); // h^3: ten times as many
    zn_expression_destroy(e);
}

static void test_gear(void **state)
{
    (void)state;
    char    message[ZN_PROFILE_MESSAGE], text[ZN_CONTOUR_FAULT];
    zn_gear g = {.module = 2e-3,
                 .pressure_angle = 20 * pi / 180,
                 .teeth = 20,
                 .addendum = 2e-3,
                 .dedendum = 2.5e-3,
                 .backlash = 5e-5,
                 .tolerance = 1e-8};
    for (int internal = 0; internal < 2; internal++) {
        zn_profile p = {0};
        g.internal = internal;
        if (zn_profile_gear(&g, &p, message) != ZN_OK)
            fail_msg("%s", message);
        zn_profile_orient(&p, internal);
        if (zn_contour_check(p.count, p.side, false, internal, text) != ZN_OK)
            fail_msg("%s", text);
        double base = 0.02 * cos(g.pressure_angle), inv = tan(g.pressure_angle) - g.pressure_angle;
        double thick = pi * 1e-3 + (internal ? 1 : -1) * 5e-5, worst = 0;
        for (int i = 0; i < 200; i++) { // the flanks by roll angle, of tooth 3
            double  u = 0.2 + 0.3 * i / 200, b = -thick / 0.04 - inv + 2 * pi * 3 / 20;
            zn_vec3 x = {base * (cos(b + u) + u * sin(b + u)), base * (sin(b + u) - u * cos(b + u)), 0};
            worst = fmax(worst, off(&p, x));
        }
        CHECK_BELOW(worst, 1.1e-8);
        zn_profile_clear(&p);
    }
    g.addendum = 0.01;
    g.internal = false;
    zn_profile p = {0};
    assert_int_equal(zn_profile_gear(&g, &p, message), ZN_ERR_MODEL);
    assert_non_null(strstr(message, "addendum"));
    zn_profile_clear(&p);
}

// Area and moments of a disc of two arcs, and of a half moon, off the origin.
static void test_moments(void **state)
{
    (void)state;
    zn_contour_side    two[2] = {{{1.5, 1, 0}, 1}, {{0.5, 1, 0}, 1}};
    zn_contour_moments m = zn_contour_integrate(2, two);
    CHECK_NEAR(m.area, pi / 4, 1e-15);
    CHECK_NEAR(m.moment.x, pi / 4, 1e-15);
    CHECK_NEAR(m.second, pi / 4 * (2 + 0.125), 4e-15);
    two[1].bulge = -0.5; // less a segment of sin(a) = 0.8, radius 0.625 about (1, 1 - 0.375), below its top
    m = zn_contour_integrate(2, two);
    double a = 2 * atan(0.5), area = 0.625 * 0.625 * (a - sin(a) * cos(a));
    CHECK_NEAR(m.area, pi / 8 - area, 1e-15);
}

// --- files -------------------------------------------------------------------------------------------

static const char slot_dxf[] = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
                               "0\nLINE\n8\npart\n10\n0\n20\n-1\n11\n4\n21\n-1\n"
                               "0\nTEXT\n8\npart\n10\n0\n20\n0\n1\nslot\n"
                               "0\nARC\n8\npart\n10\n4\n20\n0\n40\n1\n50\n270\n51\n90\n"
                               "0\nLINE\n8\npart\n10\n0\n20\n1\n11\n4\n21\n1\n"
                               "0\nCIRCLE\n8\nhole\n10\n0\n20\n0\n40\n0.2\n"
                               "0\nLWPOLYLINE\n8\npart\n90\n2\n70\n0\n10\n0\n20\n1\n42\n1.0\n10\n0\n20\n-1\n"
                               "0\nENDSEC\n0\nEOF\n";

static zn_status parse_dxf(const char *text, const char *layer, zn_profile *p, char *message)
{
    *p = (zn_profile){0};
    return zn_profile_dxf(text, strlen(text), "a.dxf", layer, 1e-6, p, message);
}

static void test_dxf(void **state)
{
    (void)state;
    char       message[ZN_PROFILE_MESSAGE], text[sizeof slot_dxf + 64];
    zn_profile p;
    assert_int_equal(parse_dxf(slot_dxf, "part", &p, message), ZN_OK);
    zn_profile_orient(&p, false);
    CHECK_NEAR(zn_contour_integrate(p.count, p.side).area, 8 + pi, 1e-14);
    assert_int_equal(sharp_corners(&p), 0);
    zn_profile_clear(&p);
    assert_int_equal(parse_dxf(slot_dxf, "hole", &p, message), ZN_OK);
    CHECK_NEAR(fabs(zn_contour_integrate(p.count, p.side).area), 0.04 * pi, 1e-15);
    zn_profile_clear(&p);
    const struct {
        const char *layer, *from, *to, *says;
    } bad[] = {{NULL, "", "", "more than one contour"},
               {"none", "", "", "nothing is drawn on layer 'none'"},
               {"part", "11\n4\n21\n1\n", "11\n4.001\n21\n1\n", "0.001 away"},
               {"part", "0\nTEXT\n", "0\nSPLINE\n", "SPLINE"},
               {"part", "40\n1\n50", "40\n-1\n50", "radius"},
               {"part", "40\n1\n50", "39\n1\n50", "lacks"},
               {"part", "10\n0\n20\n-1\n11", "10\nx\n20\n-1\n11", "no finite number: x"},
               {"part", "2\nENTITIES", "2\nBLOCKS", "ENTITIES"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *at = strstr(slot_dxf, bad[i].from);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - slot_dxf), slot_dxf, bad[i].to, at + strlen(bad[i].from));
        assert_int_equal(parse_dxf(text, bad[i].layer, &p, message), ZN_ERR_MODEL);
        if (!strstr(message, bad[i].says))
            fail_msg("'%s' does not say '%s'", message, bad[i].says);
        zn_profile_clear(&p);
    }
}

static void test_csv(void **state)
{
    (void)state;
    char              message[ZN_PROFILE_MESSAGE];
    zn_profile        p = {0};
    static const char good[] = "x, y\n# a square\n0,0\n1 0\r\n1;1\n\n0, 1\n0,0\n";
    assert_int_equal(zn_profile_csv(good, strlen(good), "a.csv", &p, message), ZN_OK);
    assert_int_equal(p.count, 4);
    CHECK_NEAR(zn_contour_integrate(p.count, p.side).area, 1, 0);
    zn_profile_clear(&p);
    const char *const bad[][2] = {
        {"0,0\n1,0\nx,1\n", "a.csv:3"}, {"0,0\n1,0\n", "three points"}, {"1,2,3\n", "two numbers"}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(zn_profile_csv(bad[i][0], strlen(bad[i][0]), "a.csv", &p, message), ZN_ERR_MODEL);
        assert_non_null(strstr(message, bad[i][1]));
        zn_profile_clear(&p);
    }
}

// --- faults --------------------------------------------------------------------------------------------

static void test_faults(void **state)
{
    (void)state;
    const struct {
        int         count;
        double      x[6][3];
        const char *says;
    } bad[] = {{2, {{0, 0, 0}, {1, 0, 0}}, "too few"},
               {4, {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, "clockwise"},
               {4, {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, -1, 0}}, "crosses itself: the sides behind points 1 and 3"},
               {3, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, "no area"},
               {4, {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "points 2 and 3"},
               {5, {{0, 0, -0.9}, {1, 0, 0}, {1, 0.4, 0}, {-1, 0.4, 0}, {-1, 0, 0}}, "points 1 and 3"}};
    char text[ZN_CONTOUR_FAULT];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        zn_contour_side side[6];
        for (int k = 0; k < bad[i].count; k++)
            side[k] = (zn_contour_side){{bad[i].x[k][0], bad[i].x[k][1], 0}, bad[i].x[k][2]};
        assert_int_equal(zn_contour_check(bad[i].count, side, false, false, text), ZN_ERR_MODEL);
        if (!strstr(text, bad[i].says))
            fail_msg("'%s' does not say '%s'", text, bad[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cam), cmocka_unit_test(test_gear), cmocka_unit_test(test_moments),
        cmocka_unit_test(test_dxf), cmocka_unit_test(test_csv),  cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
