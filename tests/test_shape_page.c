// The tables of pairs in docs/shapes.md are those of the program. When they differ this prints what is right.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/contact/meet.h"

#define PAGE ZN_SOURCE_DIR "/docs/shapes.md"

static const zn_shape_kind in_space[] = {ZN_SHAPE_SPHERE,   ZN_SHAPE_BOX,  ZN_SHAPE_PLANE, ZN_SHAPE_CAPSULE,
                                         ZN_SHAPE_CYLINDER, ZN_SHAPE_HULL, ZN_SHAPE_MESH};
static const zn_shape_kind in_plane[] = {ZN_SHAPE_SPHERE, ZN_SHAPE_BOX, ZN_SHAPE_PLANE, ZN_SHAPE_CAPSULE,
                                         ZN_SHAPE_CONTOUR};

// Spheres meet each other without a function.
static bool meet(zn_shape_kind a, zn_shape_kind b, bool planar)
{
    bool swapped;
    return (a == ZN_SHAPE_SPHERE && b == ZN_SHAPE_SPHERE) || zn_meet_of(a, b, planar, &swapped) != NULL;
}

static void put_table(char *out, size_t size, const char *head, int count, const zn_shape_kind *kinds, bool planar)
{
    size_t at = 0;
    at += (size_t)snprintf(out + at, size - at, "| %s |", head);
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(out + at, size - at, " %s |", zn_shape_ops_of(kinds[i])->name);
    at += (size_t)snprintf(out + at, size - at, "\n|---|");
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(out + at, size - at, "---|");
    for (int i = 0; i < count; i++) {
        at += (size_t)snprintf(out + at, size - at, "\n| %s |", zn_shape_ops_of(kinds[i])->name);
        for (int k = 0; k < count; k++)
            at += (size_t)snprintf(out + at, size - at, " %s |", meet(kinds[i], kinds[k], planar) ? "yes" : "no");
    }
    snprintf(out + at, size - at, "\n");
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char  *text = calloc(1, 1 << 20);
    size_t read = fread(text, 1, (1 << 20) - 1, file);
    assert_true(read > 0);
    fclose(file);
    return text;
}

static void test_pairs(void **state)
{
    (void)state;
    char space[4000], plane[4000], *page = read_text(PAGE);
    put_table(space, sizeof space, "in space", sizeof in_space / sizeof *in_space, in_space, false);
    put_table(plane, sizeof plane, "in the plane", sizeof in_plane / sizeof *in_plane, in_plane, true);
    bool same = strstr(page, space) != NULL && strstr(page, plane) != NULL;
    if (!same)
        print_error("docs/shapes.md should have these tables:\n\n%s\n%s", space, plane);
    free(page);
    assert_true(same);
}

// Every kind of shape is in one of the tables.
static void test_kinds(void **state)
{
    (void)state;
    for (int kind = 0; zn_shape_ops_of((zn_shape_kind)kind) != NULL; kind++) {
        bool found = false;
        for (size_t i = 0; i < sizeof in_space / sizeof *in_space; i++)
            found |= (int)in_space[i] == kind;
        for (size_t i = 0; i < sizeof in_plane / sizeof *in_plane; i++)
            found |= (int)in_plane[i] == kind;
        assert_true(found);
    }
}

// The model of the page is the one that its picture is made of.
static void test_model(void **state)
{
    (void)state;
    char *page = read_text(PAGE), *model = read_text(ZN_SOURCE_DIR "/docs/shapes/drop.yaml");
    assert_non_null(strstr(page, model));
    free(page);
    free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_model), cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
