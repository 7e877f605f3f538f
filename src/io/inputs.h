/// Files that a model pulls in: tables of loads and motions, meshes. What they hold belongs to the run as the model
/// does.
#ifndef ZN_IO_INPUTS_H
#define ZN_IO_INPUTS_H

#include <stdbool.h>

#include "io/access.h"
#include "io/csv_series.h"
#include "zn/io.h"

/// A table that was read: others may want it, too.
typedef struct zn_input_table {
    char        *path, *text;
    char         digest[sizeof((zn_input *)0)->digest];
    zn_csv_table table;
} zn_input_table;

typedef struct zn_inputs {
    int             count, capacity;
    zn_input       *list;
    int             source_count;
    const zn_input *sources; ///< texts that stand in for files of their names; borrowed
    zn_access       access;  ///< where files may be
    /// Files whose bytes are known already may be anywhere: whoever wrote these digests learns nothing. Borrowed.
    int             known_count;
    const zn_input *known;
    bool            unlisted; ///< what is read now moves nothing
    bool            refused;  ///< a file was there, but not where it may be
    int             table_count, table_capacity;
    zn_input_table *tables;
} zn_inputs;

/// A file in memory.
typedef struct zn_input_text {
    char  *path, *text; ///< destroy with free()
    size_t length;
} zn_input_text;

/// Read `file`, which stands beside `model`, and remember it (`inputs` NULL: the user's own choice, do not). On an
/// error `message` says why; `out` is to be freed whatever happens.
zn_status zn_inputs_read(zn_inputs *inputs, const char *model, const char *file, zn_input_text *out, char *message,
                         size_t size);
/// The same for what is only drawn: a restart may look otherwise.
zn_status zn_inputs_read_drawing(zn_inputs *inputs, const char *model, const char *file, zn_input_text *out,
                                 char *message, size_t size);
/// The same for a part of the model itself, whose text is kept as well.
zn_status zn_inputs_include(zn_inputs *inputs, const char *model, const char *file, zn_input_text *out, char *message,
                            size_t size);
/// The same for a CSV file, which is read once: `out` holds until zn_inputs_forget_tables.
zn_status zn_inputs_table(zn_inputs *inputs, const char *model, const char *file, const zn_csv_table **out,
                          char *message, size_t size);
void      zn_inputs_forget_tables(zn_inputs *inputs);
void      zn_inputs_clear(zn_inputs *inputs);

/// Put names and digests into a result (HDF5 identifier of its file).
bool      zn_inputs_put(int64_t file, const zn_problem *problem);
/// The names and digests that a result has, drawings too; zn_inputs_clear.
zn_status zn_inputs_of(int64_t file, zn_inputs *out);
/// Tell of each file that holds something else than when the result was written, or of which the result knows nothing;
/// how many. Drawings are not looked at.
int zn_inputs_compare(int64_t file, const zn_problem *problem, void (*tell)(void *user, const char *name, bool known),
                      void *user);

#endif
