// libFuzzer target: a good file of a friction problem with changes (hdf5_changes.h); the first byte says which one.
// Reading it ends with a status, what was read keeps its promises, and a solver, the judge and the writer can do with
// it what they like.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "hdf5_changes.h"
#include "zn/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// For mutate.c: problems that got to a solver; inputs are not text.
extern long              zn_fuzz_reached;
extern const bool        zn_fuzz_binary;
long                     zn_fuzz_reached;
const bool               zn_fuzz_binary = true;
extern const char *const zn_fuzz_alone; // as `zeno solve` reads
const char *const        zn_fuzz_alone = "libhdf5";

enum { FILES = 3, N = 7, LARGEST = 60 };

static fuzz_file good[FILES];
static char      path[64], copy[64];

// One equation and two contacts in space, or three in the plane; W = I + A A'.
static bool make_reduced(int rows)
{
    const int           space[] = {1, 4, 7}, plane[] = {0, 2, 4, 6};
    const double        mu[] = {0.3, 0.7, 0.1}, q[N] = {0.5, -1, 0.25, 0, -2, 1, 1e-3};
    double              W[N * N];
    const zn_fc_problem p = {rows, rows == N, rows == N ? 2 : 3, rows == N ? space : plane, W, q, mu, NULL, NULL};
    const zn_fclib_text text = {"contacts", "made for changes", NULL};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            W[i * rows + j] = i == j ? 1 : 0;
            for (int k = 0; k < 4; k++)
                W[i * rows + j] += sin(1 + 2 * i + 5 * k) * sin(1 + 2 * j + 5 * k);
        }
    return zn_fclib_write(path, &p, &text, (zn_log){0}) == ZN_OK;
}

// A mass of 2 on a floor, pulled along it and held by a rod at 45 degrees, with a guess and an answer.
static bool make_global(void)
{
    const int          M_start[] = {0, 1, 2}, M_column[] = {0, 1}, H_start[] = {0, 2, 4}, H_column[] = {0, 2, 0, 1};
    const double       M_value[] = {2, 2}, H_value[] = {1, 1, 1, 1}, f[] = {12, -20}, w[] = {0, 0, 0}, mu[] = {0.5};
    const zn_fc_matrix M = {2, 2, M_start, M_column, M_value}, H = {2, 3, H_start, H_column, H_value};
    const int          first[] = {1, 3};
    const zn_fc_global g = {2, 3, 1, 1, first, &M, &H, f, w, mu};
    double             r[3] = {-1, 20, 3}, u[3] = {0}, v[2] = {0};
    zn_fclib_answer    answer = {r, u, v};
    zn_fclib_file     *file = NULL;
    bool               ok = zn_fclib_write_global(path, &g, NULL, (zn_log){0}) == ZN_OK &&
              zn_fclib_read(path, (zn_log){0}, &file) == ZN_OK &&
              zn_fclib_write_solution(path, file, &answer, (zn_log){0}) == ZN_OK;
    zn_fclib_destroy(file);
    return ok;
}

static void remove_files(void)
{
    unlink(path);
    unlink(copy);
    for (int i = 0; i < FILES; i++)
        free(good[i].bytes);
}

static bool make(void)
{
    fuzz_path("problem.hdf5", path);
    fuzz_path("copy.hdf5", copy);
    atexit(remove_files);
    return make_reduced(N) && fuzz_load(path, &good[0]) && make_reduced(6) && fuzz_load(path, &good[1]) &&
           make_global() && fuzz_load(path, &good[2]);
}

static void check_matrix(const zn_fc_matrix *a, int rows)
{
    if (a->rows != rows || a->start[0] != 0)
        __builtin_trap();
    for (int i = 0; i < a->rows; i++)
        for (int e = a->start[i]; e < a->start[i + 1]; e++)
            if (a->column[e] < 0 || a->column[e] >= a->columns || !isfinite(a->value[e]))
                __builtin_trap();
}

static void solve(const zn_fclib_file *file)
{
    zn_fc_workspace *workspace = NULL;
    zn_fc_settings   settings = zn_fc_settings_default();
    double           r[LARGEST] = {0}, u[LARGEST] = {0}, v[LARGEST] = {0};
    int              rows = file->global != NULL ? file->global->rows : file->reduced->n;
    if (rows > LARGEST || (file->global != NULL && file->global->n > LARGEST) ||
        zn_fc_workspace_create(&workspace) != ZN_OK)
        return;
    settings.max_iterations = 50;
    zn_fuzz_reached++;
    zn_status status = file->global != NULL ? zn_fc_solve_global(file->global, &settings, workspace, v, r, u, NULL)
                                            : zn_fc_solve(file->reduced, &settings, workspace, r, u, NULL);
    if (status == ZN_OK) {
        zn_fclib_answer answer = {r, u, file->global != NULL ? v : NULL};
        zn_fclib_write_solution(copy, file, &answer, (zn_log){0});
        for (int i = 0; i < rows; i++)
            if (!isfinite(r[i]) || !isfinite(u[i]))
                __builtin_trap();
    }
    zn_fc_workspace_destroy(workspace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char           message[256];
    zn_fclib_file *file = NULL;
    if (good[0].size == 0 && !make())
        __builtin_trap();
    if (size == 0 || !fuzz_write_changed(&good[data[0] % FILES], data + 1, size - 1, path))
        return 0;
    if (zn_fclib_read(path, (zn_log){0}, &file) != ZN_OK)
        return 0;
    bool global = file->global != NULL;
    check_matrix(global ? file->global->M : file->reduced->sparse, global ? file->global->n : file->reduced->n);
    if (global)
        check_matrix(file->global->H, file->global->n);
    zn_status status = global ? zn_fc_check_global(file->global, message, sizeof message)
                              : zn_fc_check(file->reduced, message, sizeof message);
    if (status == ZN_OK)
        solve(file);
    zn_fclib_destroy(file);
    return 0;
}
