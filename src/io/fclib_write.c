// Writes friction problems in the layout of FCLIB, under a temporary name until they are complete.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/fclib.h"
#include "io/fclib_blocks.h"
#include "io/fclib_matrix.h"
#include "io/new_file.h"
#include "io/result.h"
#include "io/text_file.h"

// --- small pieces of a file ----------------------------------------------------------------------

static bool put(hid_t parent, const char *name, hid_t type, int count, const void *values)
{
    hsize_t size = (hsize_t)count;
    hid_t   space = H5Screate_simple(1, &size, NULL);
    hid_t   dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool    ok = dataset >= 0 && (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Sclose(space);
    return ok;
}

static bool put_integers(hid_t parent, const char *name, int count, const int *values)
{
    return put(parent, name, H5T_NATIVE_INT, count, values);
}

static bool put_numbers(hid_t parent, const char *name, int count, const double *values)
{
    return put(parent, name, H5T_NATIVE_DOUBLE, count, values);
}

static bool put_text(hid_t parent, const char *name, const char *text)
{
    if (text == NULL)
        text = "";
    hid_t type = zn_result_text_type(strlen(text) + 1), space = H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

static hid_t make_group(hid_t parent, const char *name)
{
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static bool close_group(hid_t group) { return group >= 0 && H5Gclose(group) >= 0; }

static bool put_matrix(hid_t parent, const char *name, const zn_fc_matrix *a)
{
    const int entries = a->start[a->rows], storage = ZN_FCLIB_ROWS;
    hid_t     group = make_group(parent, name);
    bool      ok = group >= 0 && put_integers(group, "m", 1, &a->rows) && put_integers(group, "n", 1, &a->columns) &&
              put_integers(group, "nzmax", 1, &entries) && put_integers(group, "nz", 1, &storage) &&
              put_integers(group, "p", a->rows + 1, a->start) && put_integers(group, "i", entries, a->column) &&
              put_numbers(group, "x", entries, a->value);
    return close_group(group) && ok;
}

static bool put_info(hid_t problem, const zn_fclib_text *text)
{
    hid_t group = make_group(problem, "info");
    bool  ok = group >= 0 && put_text(group, "title", text->title) &&
              put_text(group, "description", text->description) && put_text(group, "math_info", text->math_info);
    return close_group(group) && ok;
}

// --- the two forms -------------------------------------------------------------------------------

typedef struct source {
    const zn_fclib_blocks *blocks; // NULL: global
    const zn_fc_global    *global;
    const zn_fc_matrix    *H, *G; // of the global form
} source;

static bool put_reduced(hid_t file, const zn_fclib_blocks *b, const zn_fclib_text *text)
{
    hid_t group = make_group(file, ZN_FCLIB_LOCAL), vectors = group < 0 ? group : make_group(group, "vectors");
    bool  ok = vectors >= 0 && put_integers(group, "spacedim", 1, &b->dimension) && put_matrix(group, "W", b->W) &&
              put_numbers(vectors, "q", b->rows, b->q) && put_numbers(vectors, "mu", b->contacts, b->mu);
    if (b->equations > 0)
        ok = ok && put_matrix(group, "V", b->V) && put_matrix(group, "R", b->R) &&
             put_numbers(vectors, "s", b->equations, b->s);
    ok = ok && put_info(group, text);
    return close_group(vectors) && close_group(group) && ok;
}

static bool put_global(hid_t file, const source *s, const zn_fclib_text *text)
{
    const zn_fc_global *g = s->global;
    int                 b = g->bilateral, dimension = (g->rows - b) / g->contacts;
    hid_t group = make_group(file, ZN_FCLIB_GLOBAL), vectors = group < 0 ? group : make_group(group, "vectors");
    bool  ok = vectors >= 0 && put_integers(group, "spacedim", 1, &dimension) && put_matrix(group, "M", g->M) &&
              put_matrix(group, "H", s->H) && put_numbers(vectors, "f", g->n, g->f) &&
              put_numbers(vectors, "w", g->rows - b, g->w + b) && put_numbers(vectors, "mu", g->contacts, g->mu);
    if (b > 0)
        ok = ok && put_matrix(group, "G", s->G) && put_numbers(vectors, "b", b, g->w);
    ok = ok && put_info(group, text);
    return close_group(vectors) && close_group(group) && ok;
}

// Close what was written beside `path`; if it is whole it takes that place.
static zn_status place(const char *path, const char *part, hid_t file, bool ok, int *error, zn_log log)
{
    ok = zn_result_file_close(file) >= 0 && ok && *error == 0;
    if (ok)
        *error = zn_new_file_place(part, path);
    if (ok && *error == 0)
        return ZN_OK;
    unlink(part);
    return zn_fail(&log, ZN_ERR_IO, "%s: cannot be written: %s", path, zn_new_file_error(*error != 0 ? *error : EIO));
}

static zn_status write_file(const char *path, const source *s, const zn_fclib_text *text, zn_log log)
{
    const char *why = zn_file_in_the_way(path);
    int         error = 0;
    if (why != NULL)
        return zn_fail(&log, ZN_ERR_IO, "%s: cannot be written: %s", path, why);
    ZN_TRY(zn_result_room());
    char *part = zn_part_name(path);
    if (part == NULL)
        return ZN_ERR_MEMORY;
    zn_result_quiet quiet = zn_result_quiet_begin();
    hid_t           file = zn_result_file_create(part, H5F_LIBVER_EARLIEST, &error);
    zn_status       status;
    if (file < 0)
        status = zn_fail(&log, ZN_ERR_IO, "%s: cannot be written: %s", zn_new_file_culprit(error, path, part),
                         zn_new_file_error(error != 0 ? error : EIO));
    else
        status = place(path, part, file,
                       s->blocks != NULL ? put_reduced(file, s->blocks, text) : put_global(file, s, text), &error, log);
    zn_result_quiet_end(quiet);
    free(part);
    return status;
}

zn_status zn_fclib_write(const char *path, const zn_fc_problem *problem, const zn_fclib_text *text, zn_log log)
{
    if (!problem)
        return ZN_ERR_ARGUMENT;
    if (problem->contacts < 1)
        return zn_fail(&log, ZN_ERR_ARGUMENT, "%s: the problem has no contacts", path);
    if (problem->leader != NULL)
        return zn_fail(
            &log, ZN_ERR_UNSUPPORTED,
            "%s: an FCLIB file has no place for moments against rolling and spinning, which this problem has", path);
    zn_fclib_blocks b;
    zn_status       status = zn_fclib_blocks_make(problem, &b);
    if (status != ZN_OK)
        return zn_fail(&log, status, "%s: the problem cannot be written: %s", path,
                       status == ZN_SINGULAR ? "its equations can neither be stored nor eliminated"
                                             : zn_status_text(status));
    zn_fclib_text full = text != NULL ? *text : (zn_fclib_text){0};
    const char   *given = full.description != NULL ? full.description : "";
    const char   *padded = b.padded ? " Contacts without (all) tangents have tangents that nothing acts on." : "";
    const char   *eliminated = b.eliminated ? " Its equations were eliminated (Schur complement)." : "";
    char         *description = zn_new_array(strlen(given) + strlen(padded) + strlen(eliminated) + 1, 1);
    if (description == NULL)
        status = ZN_ERR_MEMORY;
    else {
        sprintf(description, "%s%s%s", given, padded, eliminated);
        full.description = description;
        status = write_file(path, &(source){.blocks = &b}, &full, log);
    }
    free(description);
    zn_fclib_blocks_free(&b);
    return status;
}

// Columns [from, to) of a matrix.
static zn_status columns_of(const zn_fc_matrix *a, int from, int to, const zn_fc_matrix **out)
{
    zn_entries entries = {0};
    zn_status  status = ZN_OK;
    for (int i = 0; i < a->rows; i++)
        for (int e = a->start[i]; status == ZN_OK && e < a->start[i + 1]; e++)
            if (a->column[e] >= from && a->column[e] < to)
                status = zn_entries_add(&entries, i, a->column[e] - from, a->value[e]);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries, a->rows, to - from, out);
    zn_entries_free(&entries);
    return status;
}

zn_status zn_fclib_write_global(const char *path, const zn_fc_global *problem, const zn_fclib_text *text, zn_log log)
{
    if (!problem)
        return ZN_ERR_ARGUMENT;
    static const zn_fclib_text none = {0};
    if (problem->contacts < 1)
        return zn_fail(&log, ZN_ERR_ARGUMENT, "%s: the problem has no contacts", path);
    int size = problem->first[1] - problem->first[0];
    for (int c = 0; c < problem->contacts; c++)
        if (size < 2 || problem->first[c + 1] - problem->first[c] != size)
            return zn_fail(&log, ZN_ERR_UNSUPPORTED, "%s: contacts must all have 2 or all have 3 rows", path);
    source    s = {.global = problem};
    zn_status status = columns_of(problem->H, problem->bilateral, problem->rows, &s.H);
    if (status == ZN_OK)
        status = columns_of(problem->H, 0, problem->bilateral, &s.G);
    if (status == ZN_OK)
        status = write_file(path, &s, text != NULL ? text : &none, log);
    zn_fc_matrix_free(s.H);
    zn_fc_matrix_free(s.G);
    return status;
}

// --- solution ------------------------------------------------------------------------------------

static bool put_solution(hid_t file, const zn_fclib_file *problem, const zn_fclib_answer *answer)
{
    const zn_fc_problem *p = problem->reduced;
    const zn_fc_global  *g = problem->global;
    int                  b = p != NULL ? p->bilateral : g->bilateral, rows = (p != NULL ? p->n : g->rows) - b;
    if (H5Lexists(file, ZN_FCLIB_SOLUTION, H5P_DEFAULT) > 0 && H5Ldelete(file, ZN_FCLIB_SOLUTION, H5P_DEFAULT) < 0)
        return false;
    hid_t group = make_group(file, ZN_FCLIB_SOLUTION);
    bool  ok = group >= 0 && put_numbers(group, "r", rows, answer->r + b) &&
              put_numbers(group, "u", rows, answer->u + b) && (b == 0 || put_numbers(group, "l", b, answer->r)) &&
              (g == NULL || answer->v == NULL || put_numbers(group, "v", g->n, answer->v));
    return close_group(group) && ok;
}

zn_status zn_fclib_write_solution(const char *path, const zn_fclib_file *file, const zn_fclib_answer *answer,
                                  zn_log log)
{
    ZN_ALIVE(file);
    if (!path || !file || !answer)
        return ZN_ERR_ARGUMENT;
    const char *why = zn_file_in_the_way(path);
    if (why != NULL)
        return zn_fail(&log, ZN_ERR_IO, "%s: cannot be replaced: %s", path, why);
    ZN_TRY(zn_result_room());
    char *part = zn_part_name(path);
    if (part == NULL)
        return ZN_ERR_MEMORY;
    zn_result_quiet quiet = zn_result_quiet_begin();
    int             error = zn_new_file_copy(file->path, part);
    hid_t           copy = error == 0 ? zn_result_file_open(part, &error) : H5I_INVALID_HID;
    zn_status       status;
    if (copy >= 0)
        status = place(path, part, copy, put_solution(copy, file, answer), &error, log);
    else
        status = zn_fail(&log, ZN_ERR_IO, "%s: cannot be written: %s", zn_new_file_culprit(error, path, part),
                         zn_new_file_error(error != 0 ? error : EIO));
    zn_result_quiet_end(quiet);
    free(part);
    return status;
}
