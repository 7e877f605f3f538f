// Reads friction problems in the layout of FCLIB. Nothing in the file is believed: the vectors come first and fix the
// sizes, the matrices must agree with them, and no dataset may claim more values than its file can hold.
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/fclib.h"
#include "io/fclib_matrix.h"
#include "io/hdf5_read.h"
#include "io/result.h"
#include "io/text_file.h"

enum {
    NAME_BYTES = 256,
    MOST_GUESSES = 1000,
    MOST_PACKED = 1100, // deflate, the only filter of note, packs at most 1032 to 1
};

typedef struct reader {
    zn_log      log;
    const char *path;
    hid_t       file;
    uint64_t    bytes; // of the file
    const char *form;  // group of the problem
} reader;

ZN_PRINTF(4, 5)
static zn_status bad(const reader *r, const char *group, const char *name, const char *format, ...)
{
    char    what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return zn_fail(&r->log, ZN_ERR_IO, "%s: %s%s%s: %s", r->path, group, name[0] != '\0' ? "/" : "", name, what);
}

// --- datasets ------------------------------------------------------------------------------------

static bool exists(const reader *r, const char *path) { return zn_hdf5_exists(r->file, path); }

// group/name; false when it is too long.
static bool join(char path[NAME_BYTES], const char *group, const char *name)
{
    int length = snprintf(path, NAME_BYTES, "%s/%s", group, name);
    return length > 0 && length < NAME_BYTES;
}

static bool has(const reader *r, const char *group, const char *name)
{
    char path[NAME_BYTES];
    return join(path, group, name) && exists(r, path);
}

static hid_t open_dataset(const reader *r, const char *group, const char *name)
{
    char path[NAME_BYTES];
    return join(path, group, name) ? zn_hdf5_dataset(r->file, path, ZN_HDF5_PACKED) : -1;
}

// All values of a dataset. `count` out; `*values` is malloc'ed only on ZN_OK.
static zn_status read_values(const reader *r, const char *group, const char *name, bool integers, int *count,
                             void **values)
{
    size_t size = integers ? sizeof(int) : sizeof(double);
    hid_t  type = integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    hid_t  dataset = open_dataset(r, group, name);
    if (dataset < 0)
        return bad(r, group, name, "missing, or damaged");
    int64_t   n = zn_hdf5_fits(dataset, type) ? zn_hdf5_count(dataset) : -1;
    zn_status status = ZN_OK;
    void     *read = NULL;
    if (n < 0)
        status = bad(r, group, name, integers ? "not a list of integers" : "not a list of numbers");
    else if (n >= INT_MAX || (uint64_t)n > r->bytes * MOST_PACKED)
        status = bad(r, group, name, "claims %lld values, more than the file can hold", (long long)n);
    else if ((read = zn_new_array((size_t)n, size)) == NULL)
        status = zn_fail(&r->log, ZN_ERR_MEMORY, "%s: out of memory", r->path);
    else if (!zn_hdf5_read_list(dataset, type, n, read))
        status = bad(r, group, name, "cannot be read: the file is damaged or truncated");
    H5Dclose(dataset);
    if (status != ZN_OK) {
        free(read);
        return status;
    }
    *count = (int)n;
    *values = read;
    return ZN_OK;
}

static zn_status read_integers(const reader *r, const char *group, const char *name, int *count, int **values)
{
    void *read = NULL;
    ZN_TRY(read_values(r, group, name, true, count, &read));
    *values = read;
    return ZN_OK;
}

static zn_status read_integer(const reader *r, const char *group, const char *name, int *value)
{
    int count = 0, *values = NULL;
    ZN_TRY(read_integers(r, group, name, &count, &values));
    *value = count == 1 ? values[0] : 0;
    free(values);
    return count == 1 ? ZN_OK : bad(r, group, name, "must be one integer, has %d", count);
}

// Finite numbers.
static zn_status read_numbers(const reader *r, const char *group, const char *name, int *count, double **values)
{
    void *read = NULL;
    ZN_TRY(read_values(r, group, name, false, count, &read));
    double *x = read;
    for (int i = 0; i < *count; i++)
        if (!isfinite(x[i])) {
            double value = x[i];
            free(read);
            return bad(r, group, name, "value %d is not finite (%g)", i, value);
        }
    *values = x;
    return ZN_OK;
}

static zn_status read_vector(const reader *r, const char *group, const char *name, int expected, double **values)
{
    int     count;
    double *read = NULL;
    ZN_TRY(read_numbers(r, group, name, &count, &read));
    if (count != expected) {
        free(read);
        return bad(r, group, name, "has %d values, expected %d", count, expected);
    }
    *values = read;
    return ZN_OK;
}

// A text, "" when there is none that can be read: texts are for the reader's eye only.
static char *read_text(const reader *r, const char *group, const char *name)
{
    hid_t dataset = open_dataset(r, group, name);
    char *text = dataset >= 0 ? zn_hdf5_read_text(dataset) : NULL;
    if (dataset >= 0)
        H5Dclose(dataset);
    return text != NULL ? text : zn_copy_string("");
}

// --- matrices ------------------------------------------------------------------------------------

// The arrays of a matrix as they are in the file.
typedef struct stored {
    int     rows, columns, nz;
    int     pointers, indices, values;
    int    *p, *i;
    double *x;
} stored;

static zn_status read_stored(const reader *r, const char *group, int rows, int columns, stored *s)
{
    ZN_TRY(read_integer(r, group, "m", &s->rows));
    ZN_TRY(read_integer(r, group, "n", &s->columns));
    ZN_TRY(read_integer(r, group, "nz", &s->nz));
    if (s->rows != rows || s->columns != columns)
        return bad(r, group, "", "is %d x %d, expected %d x %d", s->rows, s->columns, rows, columns);
    if (s->nz < ZN_FCLIB_ROWS)
        return bad(r, group, "nz", "unknown storage %d", s->nz);
    ZN_TRY(read_integers(r, group, "p", &s->pointers, &s->p));
    ZN_TRY(read_integers(r, group, "i", &s->indices, &s->i));
    return read_numbers(r, group, "x", &s->values, &s->x);
}

static zn_status check_indices(const reader *r, const char *group, const char *name, const int *index, int count,
                               int limit)
{
    for (int k = 0; k < count; k++)
        if (index[k] < 0 || index[k] >= limit)
            return bad(r, group, name, "index %d of entry %d is out of range 0..%d", index[k], k, limit - 1);
    return ZN_OK;
}

static zn_status check_pointers(const reader *r, const char *group, const stored *s, int lines)
{
    if (s->pointers != lines + 1)
        return bad(r, group, "p", "has %d values, expected %d", s->pointers, lines + 1);
    if (s->p[0] != 0)
        return bad(r, group, "p", "starts with %d instead of 0", s->p[0]);
    for (int k = 0; k < lines; k++)
        if (s->p[k + 1] < s->p[k])
            return bad(r, group, "p", "decreases at %d", k + 1);
    return ZN_OK;
}

// Check what is stored and count its entries.
static zn_status check_stored(const reader *r, const char *group, const stored *s, int *entries)
{
    bool by_rows = s->nz == ZN_FCLIB_ROWS, triplets = s->nz >= 0;
    if (triplets) {
        *entries = s->nz;
        if (s->pointers < s->nz)
            return bad(r, group, "p", "has %d values, expected %d", s->pointers, s->nz);
        ZN_TRY(check_indices(r, group, "p", s->p, s->nz, s->columns));
    } else {
        ZN_TRY(check_pointers(r, group, s, by_rows ? s->rows : s->columns));
        *entries = s->p[s->pointers - 1];
    }
    if (s->indices < *entries)
        return bad(r, group, "i", "has %d values, expected %d", s->indices, *entries);
    if (s->values < *entries)
        return bad(r, group, "x", "has %d values, expected %d", s->values, *entries);
    return check_indices(r, group, "i", s->i, *entries, by_rows ? s->columns : s->rows);
}

// Row of each entry (in `s->i`) and column of each entry (in `s->p`), from any of the three storages.
static zn_status to_triplets(stored *s, int entries)
{
    if (s->nz >= 0)
        return ZN_OK;
    int *line = ZN_NEW(int, entries);
    if (line == NULL)
        return ZN_ERR_MEMORY;
    for (int k = 0; k + 1 < s->pointers; k++)
        for (int e = s->p[k]; e < s->p[k + 1]; e++)
            line[e] = k;
    free(s->p);
    s->p = line;
    if (s->nz == ZN_FCLIB_ROWS) {
        s->p = s->i;
        s->i = line;
    }
    return ZN_OK;
}

// Append a matrix of the file to `entries`, shifted; transposed too where `mirror`.
static zn_status read_matrix(const reader *r, const char *name, int rows, int columns, int row, int column, bool mirror,
                             zn_entries *to)
{
    char group[NAME_BYTES];
    snprintf(group, sizeof group, "%s/%s", r->form, name);
    stored    s = {0};
    int       entries = 0;
    zn_status status = read_stored(r, group, rows, columns, &s);
    if (status == ZN_OK)
        status = check_stored(r, group, &s, &entries);
    if (status == ZN_OK)
        status = to_triplets(&s, entries);
    for (int k = 0; status == ZN_OK && k < entries; k++) {
        status = zn_entries_add(to, row + s.i[k], column + s.p[k], s.x[k]);
        if (status == ZN_OK && mirror)
            status = zn_entries_add(to, column + s.p[k], row + s.i[k], s.x[k]);
    }
    free(s.p);
    free(s.i);
    free(s.x);
    return status;
}

// --- the two forms -------------------------------------------------------------------------------

// Two vectors of the file as one: equations first. *out is malloc'ed.
static zn_status read_joined(const reader *r, const char *equations, int bilateral, const char *contacts, int rows,
                             double **out)
{
    char group[NAME_BYTES];
    snprintf(group, sizeof group, "%s/vectors", r->form);
    double   *tail = NULL, *head = NULL, *joined = NULL;
    zn_status status = read_vector(r, group, contacts, rows, &tail);
    if (status == ZN_OK && bilateral > 0)
        status = read_vector(r, group, equations, bilateral, &head);
    if (status == ZN_OK && (joined = ZN_NEW(double, bilateral + rows)) == NULL)
        status = ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        if (bilateral > 0)
            memcpy(joined, head, (size_t)bilateral * sizeof *joined);
        memcpy(joined + bilateral, tail, (size_t)rows * sizeof *joined);
        *out = joined;
    }
    free(head);
    free(tail);
    return status;
}

// mu and the rows of the contacts behind `bilateral` equations; both malloc'ed, kept by the caller even on failure.
static zn_status read_contacts(const reader *r, int dimension, int bilateral, int *contacts, double **mu, int **first)
{
    char group[NAME_BYTES];
    snprintf(group, sizeof group, "%s/vectors", r->form);
    ZN_TRY(read_numbers(r, group, "mu", contacts, mu));
    if (*contacts == 0)
        return bad(r, group, "mu", "the problem has no contacts");
    if (*contacts > (INT_MAX - bilateral) / dimension - 1)
        return bad(r, group, "mu", "too many contacts (%d)", *contacts);
    for (int c = 0; c < *contacts; c++)
        if ((*mu)[c] < 0)
            return bad(r, group, "mu", "value %d is negative (%g)", c, (*mu)[c]);
    *first = ZN_NEW(int, *contacts + 1);
    if (*first == NULL)
        return ZN_ERR_MEMORY;
    for (int c = 0; c <= *contacts; c++)
        (*first)[c] = bilateral + c * dimension;
    return ZN_OK;
}

// Number of equations: the length of the vector beside `matrix`, 0 without that matrix.
static zn_status read_bilateral(const reader *r, const char *matrix, const char *vector, int *bilateral)
{
    *bilateral = 0;
    if (!has(r, r->form, matrix))
        return ZN_OK;
    char    group[NAME_BYTES];
    double *values = NULL;
    snprintf(group, sizeof group, "%s/vectors", r->form);
    ZN_TRY(read_numbers(r, group, vector, bilateral, &values));
    free(values);
    return ZN_OK;
}

// What both forms have: equations, contacts, and a vector of all rows. What was read is there after a failure, too.
typedef struct row_data {
    int     bilateral, contacts, rows; // rows: of the contacts
    double *mu, *vector;
    int    *first;
} row_data;

static zn_status read_rows(const reader *r, int dimension, const char *matrix, const char *equations,
                           const char *vector, row_data *out)
{
    ZN_TRY(read_bilateral(r, matrix, equations, &out->bilateral));
    ZN_TRY(read_contacts(r, dimension, out->bilateral, &out->contacts, &out->mu, &out->first));
    out->rows = out->contacts * dimension;
    return read_joined(r, equations, out->bilateral, vector, out->rows, &out->vector);
}

static zn_status read_reduced(const reader *r, zn_fclib_file *file)
{
    zn_fc_problem *p = file->reduced = ZN_NEW(zn_fc_problem, 1);
    if (p == NULL)
        return ZN_ERR_MEMORY;
    row_data  data = {0};
    zn_status status = read_rows(r, file->dimension, "V", "s", "q", &data);
    int       b = data.bilateral, rows = data.rows;
    *p = (zn_fc_problem){
        .n = b + rows, .bilateral = b, .contacts = data.contacts, .first = data.first, .q = data.vector, .mu = data.mu};
    ZN_TRY(status);

    zn_entries entries = {0};
    status = read_matrix(r, "W", rows, rows, b, b, false, &entries);
    if (status == ZN_OK && b > 0)
        status = read_matrix(r, "V", rows, b, b, 0, true, &entries);
    if (status == ZN_OK && b > 0)
        status = read_matrix(r, "R", b, b, 0, 0, false, &entries);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries, p->n, p->n, &p->sparse);
    zn_entries_free(&entries);
    return status;
}

static zn_status read_global_matrices(const reader *r, int rows, zn_fc_global *p)
{
    zn_entries entries = {0};
    zn_status  status = read_matrix(r, "M", p->n, p->n, 0, 0, false, &entries);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries, p->n, p->n, &p->M);
    entries.count = 0;
    if (status == ZN_OK)
        status = read_matrix(r, "H", p->n, rows, 0, p->bilateral, false, &entries);
    if (status == ZN_OK && p->bilateral > 0)
        status = read_matrix(r, "G", p->n, p->bilateral, 0, 0, false, &entries);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries, p->n, p->rows, &p->H);
    zn_entries_free(&entries);
    return status;
}

static zn_status read_global(const reader *r, zn_fclib_file *file)
{
    zn_fc_global *p = file->global = ZN_NEW(zn_fc_global, 1);
    if (p == NULL)
        return ZN_ERR_MEMORY;
    row_data  data = {0};
    double   *f = NULL;
    zn_status status = read_rows(r, file->dimension, "G", "b", "w", &data);
    *p = (zn_fc_global){.rows = data.bilateral + data.rows,
                        .bilateral = data.bilateral,
                        .contacts = data.contacts,
                        .first = data.first,
                        .w = data.vector,
                        .mu = data.mu};
    ZN_TRY(status);
    ZN_TRY(read_numbers(r, ZN_FCLIB_GLOBAL "/vectors", "f", &p->n, &f));
    p->f = f;
    if (p->n == 0)
        return bad(r, ZN_FCLIB_GLOBAL "/vectors", "f", "the problem has no velocities");
    return read_global_matrices(r, data.rows, p);
}

// --- solution and guesses ------------------------------------------------------------------------

static zn_status read_answer(const reader *r, const char *group, const zn_fclib_file *file, zn_fclib_answer *answer)
{
    const zn_fc_problem *p = file->reduced;
    const zn_fc_global  *g = file->global;
    int                  b = p != NULL ? p->bilateral : g->bilateral, n = p != NULL ? p->n : g->rows;
    double              *part = NULL;
    answer->r = ZN_NEW(double, n);
    answer->u = ZN_NEW(double, n);
    if (answer->r == NULL || answer->u == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(read_vector(r, group, "r", n - b, &part));
    memcpy(answer->r + b, part, (size_t)(n - b) * sizeof *part);
    free(part);
    ZN_TRY(read_vector(r, group, "u", n - b, &part));
    memcpy(answer->u + b, part, (size_t)(n - b) * sizeof *part);
    free(part);
    if (b > 0 && has(r, group, "l")) {
        ZN_TRY(read_vector(r, group, "l", b, &part));
        memcpy(answer->r, part, (size_t)b * sizeof *part);
        free(part);
    }
    return g != NULL && has(r, group, "v") ? read_vector(r, group, "v", g->n, &answer->v) : ZN_OK;
}

static zn_status read_answers(const reader *r, zn_fclib_file *file)
{
    if (exists(r, ZN_FCLIB_SOLUTION)) {
        file->solution = ZN_NEW(zn_fclib_answer, 1);
        if (file->solution == NULL)
            return ZN_ERR_MEMORY;
        ZN_TRY(read_answer(r, ZN_FCLIB_SOLUTION, file, file->solution));
    }
    if (!exists(r, ZN_FCLIB_GUESSES))
        return ZN_OK;
    int count;
    ZN_TRY(read_integer(r, ZN_FCLIB_GUESSES, "number_of_guesses", &count));
    if (count < 0 || count > MOST_GUESSES)
        return bad(r, ZN_FCLIB_GUESSES, "number_of_guesses", "%d is out of range 0..%d", count, MOST_GUESSES);
    file->guesses = ZN_NEW(zn_fclib_answer, count);
    if (file->guesses == NULL)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < count; k++) {
        char group[NAME_BYTES];
        snprintf(group, sizeof group, ZN_FCLIB_GUESSES "/%d", k + 1);
        file->guess_count = k + 1;
        ZN_TRY(read_answer(r, group, file, &file->guesses[k]));
    }
    return ZN_OK;
}

// --- the file ------------------------------------------------------------------------------------

static zn_status read_texts(const reader *r, zn_fclib_file *file)
{
    char group[NAME_BYTES];
    snprintf(group, sizeof group, "%s/info", r->form);
    file->title = read_text(r, group, "title");
    file->description = read_text(r, group, "description");
    file->math_info = read_text(r, group, "math_info");
    return file->title != NULL && file->description != NULL && file->math_info != NULL ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status read_problem(reader *r, zn_fclib_file *file)
{
    bool local = exists(r, ZN_FCLIB_LOCAL), global = exists(r, ZN_FCLIB_GLOBAL);
    if (local == global)
        return zn_fail(&r->log, ZN_ERR_IO, "%s: an HDF5 file, but %s", r->path,
                       local ? "with both groups " ZN_FCLIB_LOCAL " and " ZN_FCLIB_GLOBAL
                             : "not a friction problem: neither group " ZN_FCLIB_LOCAL " nor " ZN_FCLIB_GLOBAL);
    r->form = local ? ZN_FCLIB_LOCAL : ZN_FCLIB_GLOBAL;
    ZN_TRY(read_integer(r, r->form, "spacedim", &file->dimension));
    if (file->dimension != 2 && file->dimension != 3)
        return bad(r, r->form, "spacedim", "must be 2 or 3, is %d", file->dimension);
    ZN_TRY(local ? read_reduced(r, file) : read_global(r, file));
    ZN_TRY(read_texts(r, file));
    return read_answers(r, file);
}

static zn_status open_file(reader *r)
{
    ZN_TRY(zn_data_file_check(r->path, &r->log, &r->bytes));
    r->file = zn_hdf5_open(r->path, false);
    if (r->file < 0)
        return zn_fail(&r->log, ZN_ERR_IO, "%s: %s", r->path,
                       zn_file_begins_as_hdf5(r->path) ? "an HDF5 file that was cut off or is damaged"
                                                       : "not an HDF5 file");
    return ZN_OK;
}

zn_status zn_fclib_read(const char *path, zn_log log, zn_fclib_file **out)
{
    zn_fclib_file *file = ZN_NEW(zn_fclib_file, 1);
    if (file == NULL || (file->path = zn_copy_string(path)) == NULL) {
        free(file);
        return ZN_ERR_MEMORY;
    }
    reader          r = {.log = log, .path = path, .file = H5I_INVALID_HID};
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = zn_result_room();
    if (status == ZN_OK)
        status = open_file(&r);
    if (status == ZN_OK)
        status = read_problem(&r, file);
    if (r.file >= 0)
        H5Fclose(r.file);
    zn_result_quiet_end(quiet);
    if (status != ZN_OK) {
        zn_fclib_destroy(file);
        return status;
    }
    *out = file;
    return ZN_OK;
}

static void free_answer(zn_fclib_answer *answer)
{
    free(answer->r);
    free(answer->u);
    free(answer->v);
}

// What a problem points to is ours, though it points to const.
zn_fclib_file *zn_fclib_destroy(zn_fclib_file *file)
{
    ZN_ALIVE(file);
    if (file == NULL)
        return NULL;
    if (file->reduced != NULL) {
        zn_fc_problem *p = file->reduced;
        zn_fc_matrix_free(p->sparse);
        free((void *)p->first);
        free((void *)p->q);
        free((void *)p->mu);
    }
    if (file->global != NULL) {
        zn_fc_global *g = file->global;
        zn_fc_matrix_free(g->M);
        zn_fc_matrix_free(g->H);
        free((void *)g->first);
        free((void *)g->f);
        free((void *)g->w);
        free((void *)g->mu);
    }
    if (file->solution != NULL)
        free_answer(file->solution);
    for (int k = 0; k < file->guess_count; k++)
        free_answer(&file->guesses[k]);
    free(file->reduced);
    free(file->global);
    free(file->solution);
    free(file->guesses);
    free(file->path);
    free(file->title);
    free(file->description);
    free(file->math_info);
    zn_retire(file, sizeof *file);
    return NULL;
}
