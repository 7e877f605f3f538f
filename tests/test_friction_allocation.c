// Memory of the friction solvers: none once the workspace has grown or was reserved; a failing allocation is a status.
#include "allocation_wrap.h"
#include "friction_fixtures.h"

enum { BALLS = 400 };

// A chain of balls on the ground, each touching the next: a sparse problem that sweeps solve.
typedef struct chain {
    zn_fc_problem p;
    zn_fc_matrix  W;
    int           start[2 * BALLS + 1], column[12 * BALLS], first[BALLS + 1];
    double        value[12 * BALLS], q[2 * BALLS], mu[BALLS], r[2 * BALLS], u[2 * BALLS];
} chain;

static chain *make_chain(void)
{
    chain *s = calloc(1, sizeof *s);
    int    used = 0;
    for (int i = 0; i < 2 * BALLS; i++) {
        s->start[i] = used;
        for (int j = i - 2; j <= i + 2; j += 2)
            if (j >= 0 && j < 2 * BALLS) {
                s->column[used] = j;
                s->value[used++] = i == j ? 2 : -0.5;
            }
        s->q[i] = i % 2 == 0 ? -1 - 0.3 * sin(i) : 0.4 * cos(3 * i);
    }
    s->start[2 * BALLS] = used;
    for (int c = 0; c <= BALLS; c++)
        s->first[c] = 2 * c;
    for (int c = 0; c < BALLS; c++)
        s->mu[c] = 0.3;
    s->W = (zn_fc_matrix){2 * BALLS, 2 * BALLS, s->start, s->column, s->value};
    s->p = (zn_fc_problem){2 * BALLS, 0, BALLS, s->first, NULL, s->q, s->mu, &s->W, NULL};
    return s;
}

static void sweeps_allocate_once(void **state)
{
    (void)state;
    chain           *s = make_chain();
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    zn_fc_settings settings = zn_fc_settings_default();
    settings.solver = "gauss_seidel";
    for (int repeat = 0; repeat < 4; repeat++) {
        long       before = allocations;
        zn_fc_info info;
        memset(s->r, 0, sizeof s->r);
        CHECK_OK(zn_fc_solve(&s->p, &settings, workspace, s->r, s->u, &info));
        CHECK_BELOW(info.residual, 1e-12);
        assert_true(repeat == 0 ? allocations > before : repeat == 1 || allocations == before);
    }
    zn_fc_workspace_destroy(workspace);
    free(s);
}

// Planar bodies, each solver. With two bodies and more than sixty rows all contacts are twins.
static void solve_reserved(int bodies, int bilateral, int contacts, uint64_t *seed)
{
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    CHECK_OK(zn_fc_workspace_reserve(workspace, bilateral + 2 * contacts, contacts));
    for (int k = 0; k < SOLVERS; k++) {
        sample        *s = make_bodies(bodies, bilateral, contacts, 0.5, seed);
        zn_fc_settings settings = zn_fc_settings_default();
        settings.solver = solvers[k].name;
        long before = allocations;
        zn_fc_solve(&s->p, &settings, workspace, s->r, s->u, NULL);
        assert_int_equal(allocations, before);
        free(s);
    }
    zn_fc_workspace_destroy(workspace);
}

static void a_reserved_workspace_suffices(void **state)
{
    (void)state;
    uint64_t seed = 51;
    for (int repeat = 0; repeat < 20; repeat++) {
        solve_reserved(6, 2, 10, &seed);
        solve_reserved(2, 0, 35 + repeat % 10, &seed);
    }
}

// Each allocation in turn fails, for every solver; large enough for sparse factors.
static void running_out_of_memory(void **state)
{
    (void)state;
    chain *s = make_chain();
    for (int k = 0; k < SOLVERS; k++) {
        if (solvers[k].bit & (LEMKE | ENUMERATE))
            continue;
        zn_fc_settings settings = zn_fc_settings_default();
        settings.solver = solvers[k].name;
        settings.tolerance = 1e-8;
        zn_status status = ZN_ERR_MEMORY;
        int       failures = 0;
        for (int fail = 1; status != ZN_OK && fail < 1000; fail++) {
            zn_fc_workspace *workspace = NULL;
            memset(s->r, 0, sizeof s->r);
            failing = allocations + fail;
            status = zn_fc_workspace_create(&workspace);
            if (status == ZN_OK)
                status = zn_fc_solve(&s->p, &settings, workspace, s->r, s->u, NULL);
            failing = 0;
            failures += status == ZN_ERR_MEMORY;
            zn_fc_workspace_destroy(workspace);
        }
        CHECK_OK(status);
        assert_true(failures > 0);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_allocate_once),
        cmocka_unit_test(a_reserved_workspace_suffices),
        cmocka_unit_test(running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
