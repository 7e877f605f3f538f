// STL files: binary and ASCII give the same triangles, whatever is broken is told.
#include "check.h"

#include <stdlib.h>

#include "io/stl.h"

static const double corners[2][3][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}}, {{0, 0, -2}, {0, 3, 0}, {1e-3, 0, 0}}};

// 80 bytes of head, count, triangles; little endian whatever the machine is.
static size_t binary(unsigned char *out, unsigned count, const char *head)
{
    unsigned char *at = out;
    memset(out, 0, 84 + 50 * 2);
    strcpy((char *)out, head);
    for (int i = 0; i < 4; i++)
        out[80 + i] = (unsigned char)(count >> 8 * i);
    at += 84;
    for (int i = 0; i < 2; i++, at += 50)
        for (int k = 0; k < 9; k++) {
            float    x = (float)corners[i][k / 3][k % 3];
            uint32_t bits;
            memcpy(&bits, &x, 4);
            for (int b = 0; b < 4; b++)
                at[12 + 4 * k + b] = (unsigned char)(bits >> 8 * b);
        }
    return (size_t)(at - out);
}

static const char ascii[] = "solid two parts\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
                            "   vertex 0 1 0.5\n  endloop\n endfacet\nendsolid two parts\n"
                            "SOLID\r\nFACET NORMAL nan nan nan\r\nOUTER LOOP\r\nVERTEX 0 0 -2\r\nVERTEX 0 3 0\r\n"
                            "VERTEX 1e-3 0 0\r\nENDLOOP\r\nENDFACET\r\nENDSOLID";

static zn_status parse(const void *bytes, size_t length, zn_stl *out, char message[400])
{
    // exactly as long as it is, so that the address sanitizer sees one byte too many
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    message[0] = '\0';
    zn_status status = zn_stl_parse(copy, length, "a.stl", out, message, 400);
    free(copy);
    return status;
}

static void check_corners(zn_stl *stl)
{
    assert_int_equal(stl->count, 6);
    for (int i = 0; i < 6; i++) {
        const double *c = corners[i / 3][i % 3];
        CHECK_NEAR(stl->corner[i].x, c[0], 1e-10); // floats
        CHECK_NEAR(stl->corner[i].y, c[1], 1e-10);
        CHECK_NEAR(stl->corner[i].z, c[2], 1e-10);
    }
    zn_stl_clear(stl);
}

static void test_good(void **state)
{
    (void)state;
    unsigned char bytes[184];
    char          message[400];
    zn_stl        stl;
    CHECK_OK(parse(bytes, binary(bytes, 2, "any head"), &stl, message));
    check_corners(&stl);
    CHECK_OK(parse(bytes, binary(bytes, 2, "solid but binary"), &stl, message));
    check_corners(&stl);
    CHECK_OK(parse(ascii, sizeof ascii - 1, &stl, message));
    check_corners(&stl);
}

// Cut anywhere: an error with a message, or (ASCII, behind a whole solid) what is whole.
static void test_cut(void **state)
{
    (void)state;
    unsigned char bytes[184];
    char          message[400];
    zn_stl        stl;
    size_t        whole = strstr(ascii, "SOLID") - ascii;
    binary(bytes, 2, "any head");
    for (size_t length = 0; length < sizeof bytes; length++) {
        CHECK_STATUS(parse(bytes, length, &stl, message), ZN_ERR_MODEL);
        assert_non_null(strstr(message, "a.stl"));
        assert_null(stl.corner);
    }
    for (size_t length = 0; length < sizeof ascii - 1; length++) {
        zn_status status = parse(ascii, length, &stl, message);
        bool      ends = length >= whole - strlen(" two parts\n") && length <= whole;
        CHECK_STATUS(status, ends ? ZN_OK : ZN_ERR_MODEL);
        assert_int_equal(stl.count, ends ? 3 : 0);
        zn_stl_clear(&stl);
    }
}

static void test_faults(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "shorter than the head"},
        {"solid\nendsolid\n", "a.stl: it holds no triangle"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 inf 0\n",
         "a.stl:5: expected 'a finite number'"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1e999 0\n", "found '1e999'"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n",
         "a.stl:5: expected 'vertex', found 'endloop'"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "the file ends"},
        {"solid a\nrubbish \x1b[31m\n", "a.stl:2: expected 'facet', found 'rubbish'"},
        {"solid a\nfacet \x1b[31m\n", "found '?[31m'"},
    };
    char   message[400];
    zn_stl stl;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STATUS(parse(cases[i].text, strlen(cases[i].text), &stl, message), ZN_ERR_MODEL);
        if (strstr(message, cases[i].message) == NULL)
            fail_msg("'%s' instead of '%s'", message, cases[i].message);
    }
    unsigned char bytes[184];
    CHECK_STATUS(parse(bytes, binary(bytes, 0xffffffffu, "far too many"), &stl, message), ZN_ERR_MODEL);
    assert_non_null(strstr(message, "its head counts 4294967295 triangles"));
    binary(bytes, 2, "not a number");
    memset(bytes + 84 + 50 + 12 + 4, 0xff, 4);
    CHECK_STATUS(parse(bytes, sizeof bytes, &stl, message), ZN_ERR_MODEL);
    assert_non_null(strstr(message, "a corner of triangle 2 is not finite"));
}

// Bytes changed at random: an answer or a message, and nothing that the sanitizers see.
static void test_changed(void **state)
{
    (void)state;
    unsigned char bytes[184], text[sizeof ascii];
    char          message[400];
    uint64_t      seed = 7;
    int           good = 0, runs = 4000;
    for (int run = 0; run < runs; run++) {
        bool           ascii_run = run % 2 == 0;
        unsigned char *data = ascii_run ? text : bytes;
        zn_stl         stl;
        binary(bytes, 2, "solid or not");
        memcpy(text, ascii, sizeof ascii);
        size_t length = ascii_run ? sizeof ascii - 1 : sizeof bytes;
        for (int k = 0; k < 1 + run % 3; k++)
            data[(size_t)(fabs(draw(&seed)) * (double)(length - 1))] = (unsigned char)(128 + 127 * draw(&seed));
        zn_status status = parse(data, length, &stl, message);
        assert_true(status == ZN_OK ? stl.count == 6 || stl.count == 3 : strstr(message, "a.stl") != NULL);
        good += status == ZN_OK;
        zn_stl_clear(&stl);
    }
    assert_in_range(good, runs / 20, runs * 19 / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
