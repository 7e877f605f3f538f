// The tree of boxes around facets against all of them: what is within a distance is visited once, also when the surface
// has left the shape that the tree was made for, and nothing is that comes after the visitor has lowered the distance.
#include <stdlib.h>

#include "check.h"
#include "model/contact/facet_tree.h"

enum { MOST = 300 };

typedef struct seen {
    int     count[MOST];
    double  within;
    double *lower; // NULL: nobody lowers it
} seen;

static void count(void *user, int facet)
{
    seen *s = user;
    s->count[facet]++;
    if (s->lower)
        s->within = *s->lower;
}

static zn_vec3 anywhere(uint64_t *seed) { return zn_vec3_make(draw(seed), draw(seed), draw(seed)); }

static double distance(const zn_facet_box *b, zn_vec3 p)
{
    double x = fmax(fmax(b->low.x - p.x, p.x - b->high.x), 0), y = fmax(fmax(b->low.y - p.y, p.y - b->high.y), 0),
           z = fmax(fmax(b->low.z - p.z, p.z - b->high.z), 0);
    return sqrt(x * x + y * y + z * z);
}

static void check_tree(int facets, uint64_t seed)
{
    zn_vec3       middle[MOST];
    int           order[MOST], times[MOST] = {0};
    zn_facet_tree tree;
    void         *memory = malloc(zn_facet_tree_bytes(facets));
    for (int i = 0; i < facets; i++)
        middle[i] = i % 7 == 3 ? middle[0] : anywhere(&seed);
    CHECK_OK(zn_facet_tree_order(facets, middle, order));
    for (int i = 0; i < facets; i++)
        times[order[i]]++;
    for (int i = 0; i < facets; i++)
        assert_int_equal(times[i], 1);
    zn_facet_tree_begin(facets, order, memory, &tree);
    for (int i = 0; i < facets; i++) { // some facets have gone elsewhere
        zn_vec3 at = i % 5 == 0 ? anywhere(&seed) : middle[i];
        zn_vec3 corner[3] = {at, zn_vec3_add(at, zn_vec3_scale(0.1, anywhere(&seed))),
                             zn_vec3_add(at, zn_vec3_scale(0.1, anywhere(&seed)))};
        zn_facet_box_make(3, corner, &tree.facet[i]);
    }
    zn_facet_tree_fit(&tree);
    for (int k = 0; k < 20; k++) {
        zn_vec3 p = zn_vec3_scale(1.5, anywhere(&seed));
        seen    s = {.within = 0.5 * fabs(draw(&seed))};
        zn_facet_tree_visit(&tree, p, &s.within, count, &s);
        for (int i = 0; i < facets; i++)
            assert_int_equal(s.count[i], distance(&tree.facet[i], p) <= s.within);
    }
    free(memory);
}

static void test_all_that_is_near_is_visited(void **state)
{
    (void)state;
    for (int facets = 0; facets <= MOST; facets += facets < 20 ? 1 : 70)
        check_tree(facets, 17 + (uint64_t)facets);
}

// Boxes in a row: the nearest comes first, and where it is enough nothing else.
static void test_the_nearest_comes_first(void **state)
{
    (void)state;
    enum { ROW = 100 };
    zn_vec3       middle[ROW];
    int           order[ROW];
    zn_facet_tree tree;
    double        nothing = 0;
    void         *memory = malloc(zn_facet_tree_bytes(ROW));
    for (int i = 0; i < ROW; i++)
        middle[i] = zn_vec3_make(i, 0, 0);
    CHECK_OK(zn_facet_tree_order(ROW, middle, order));
    zn_facet_tree_begin(ROW, order, memory, &tree);
    for (int i = 0; i < ROW; i++)
        zn_facet_box_make(1, &middle[i], &tree.facet[i]);
    zn_facet_tree_fit(&tree);
    seen s = {.within = 1000, .lower = &nothing};
    zn_facet_tree_visit(&tree, zn_vec3_make(42, 0, 0), &s.within, count, &s);
    int total = 0;
    for (int i = 0; i < ROW; i++)
        total += s.count[i];
    CHECK_BELOW(total, 3); // of one leaf at most
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_that_is_near_is_visited),
        cmocka_unit_test(test_the_nearest_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
