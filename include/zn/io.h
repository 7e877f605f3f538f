/// @file io.h
/// Files: model files (YAML), results (HDF5), friction problems (FCLIB), CSV. The only layer that opens files.
#ifndef ZN_IO_H
#define ZN_IO_H

#include <stdio.h>

#include "zn/friction.h"
#include "zn/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- files that are written ----------------------------------------------------------------------

/// A file that is written beside its place (PATH.part) and takes it when it is whole and on the disk: until then, and
/// after a failure, what was there stays. Symbolic links are refused, pipes and devices written in their place; "-" is
/// standard output.
typedef struct zn_new_file zn_new_file;

ZN_API zn_status zn_new_file_open(const char *path, zn_log log, zn_new_file **out);
ZN_API FILE     *zn_new_file_stream(const zn_new_file *file); ///< to write to; not to be closed
/// Ends it; `file` is gone whatever the outcome. With another `status` than ZN_OK it is given up, and that returned.
ZN_API zn_status zn_new_file_close(zn_new_file *file, zn_status status); ///< accepts NULL

// --- model files ---------------------------------------------------------------------------------

typedef struct zn_parameter {
    char  *name;
    double value;
} zn_parameter;

/// A model file from a file of another program.
typedef struct zn_import_def {
    size_t              size;      ///< set by the default function; do not touch
    const char         *file;      ///< .urdf, .stl or .obj
    const char         *output;    ///< where the model file will be: meshes are named as seen from there
    bool                part;      ///< without gravity and run: for `include`
    bool                hull;      ///< convex hulls of all meshes
    bool                free_root; ///< URDF: the root is no part of the ground
    double              scale;     ///< STL, OBJ: metres of one unit; NaN (default): one thousandth, told as assumed
    double              density;   ///< STL, OBJ [kg/m^3]; NaN (default): 1000, told as assumed
    int                 value_count;
    const zn_parameter *values; ///< URDF: angle or displacement of joints at the start, by name
    int                 allow_count;
    const char *const  *allow; ///< folders that meshes may be in, beside that of `file` and its package
} zn_import_def;
ZN_DECLARE_DEF(zn_import_def);

/// Writes it to `out`; what is wrong with the file is told with its line.
ZN_API zn_status zn_import(const zn_import_def *def, zn_log log, FILE *out);

/// A file that the model pulls in: an included model file, a table of a load or motion, a mesh.
typedef struct zn_input {
    char *name;       ///< as the model says
    char  digest[65]; ///< SHA-256 of its bytes, as sha256sum prints it
    char *text;       ///< of an included model file; NULL: of others
    bool  drawn;      ///< only seen: it moves nothing
} zn_input;

/// Closed form of a record, for studies of convergence.
typedef struct zn_closed_form {
    char      *record; ///< "name" or "name.component"
    zn_signal *value;  ///< owned by the problem; may be no number at times it does not cover
} zn_closed_form;

/// A model file, read: the model, how to run it, and the text it came from.
typedef struct zn_problem {
    char                     *title;
    char                     *path; ///< as given
    char                     *text; ///< the whole file
    size_t                    text_size;
    int                       parameter_count;
    zn_parameter             *parameters; ///< after overrides
    zn_model                 *model;      ///< owned
    zn_sim_def                sim;        ///< scheme, step, until, records, limits; names owned by the problem
    int                       input_count;
    zn_input                 *inputs; ///< without those of `reference`
    int                       closed_form_count;
    zn_closed_form           *closed_forms; ///< of the section `reference`
    struct zn_problem_memory *memory;       ///< what `sim` points to
} zn_problem;

/// Read a model file. Faults go to the log as "file:line:column: object: what is wrong"; several are reported at
/// once. overrides: "name=value" for parameters, value may be an expression with a unit; "name:=value" gives a name
/// that the values of overrides may use and that need not be a parameter (the step "h" in a study).
ZN_API zn_status zn_problem_read(const char *path, int override_count, const char *const *overrides, zn_log log,
                                 zn_problem **out);
/// The same from memory; `name` stands for the file in messages, files it refers to are sought beside it.
ZN_API zn_status zn_problem_parse(const char *text, size_t size, const char *name, int override_count,
                                  const char *const *overrides, zn_log log, zn_problem **out);
/// The model that the result file `path` carries, with the files that it included and the parameters of the run; tables
/// and meshes are sought beside the model file, then beside the result.
ZN_API zn_status zn_problem_from_result(const char *path, int override_count, const char *const *overrides, zn_log log,
                                        zn_problem **out);

/// How a model is read, in full. A model reads no file outside the folder of its own file (the folder, and what is
/// below it; links and `..` count as what they lead to) unless that is in a folder of `allow`. The functions above
/// allow none.
typedef struct zn_problem_def {
    size_t             size; ///< set by the default function; do not touch
    const char        *path; ///< the model file; with `text` a name in its place
    const char        *text; ///< in place of the file; NULL (default): it is read
    size_t             text_size;
    int                override_count;
    const char *const *overrides;
    int                allow_count;
    const char *const *allow;
    bool result; ///< `path` is a result, the model the one it carries. Its own files that are elsewhere are read
                 ///< if they hold, bit by bit, what they held when it was written
} zn_problem_def;
ZN_DECLARE_DEF(zn_problem_def);

ZN_API zn_status   zn_problem_create(const zn_problem_def *def, zn_log log, zn_problem **out);
ZN_API zn_problem *zn_problem_destroy(zn_problem *problem); ///< accepts NULL, returns NULL
/// Memory at the peak of a run with this scheme [bytes], within a factor of 1.5 for many bodies or elements of one
/// kind; 0 for what is listed one by one.
ZN_API double      zn_problem_bytes(const zn_problem *problem, const zn_scheme_def *scheme);
/// Refuses a run that surely takes more memory than there is, or than this process may have.
ZN_API zn_status   zn_problem_check_room(const zn_problem *problem, const zn_scheme_def *scheme, zn_log log);

/// The reference manual of the model file (Markdown), made from the table that also drives the reader. Destroy
/// with free().
ZN_API char *zn_problem_reference(void);

// --- results -------------------------------------------------------------------------------------

/// Writes one HDF5 file per run: PATH.part while running (readable after a crash up to the last flush), renamed to
/// PATH at the end. `command` is stored as given.
typedef struct zn_result_writer zn_result_writer;

ZN_API zn_status         zn_result_writer_create(const char *path, const zn_problem *problem, const zn_sim_def *sim,
                                                 const char *command, zn_log log, zn_result_writer **out);
ZN_API zn_result_writer *zn_result_writer_destroy(zn_result_writer *writer); ///< accepts NULL, returns NULL
/// Records that would take more bytes are refused before the first step.
ZN_API void              zn_result_writer_limit(zn_result_writer *writer, double bytes);
/// Recorder to put into zn_sim_def; borrowed from the writer.
ZN_API zn_recorder       zn_result_writer_recorder(zn_result_writer *writer);

/// A result file with a checkpoint, to go on from. Unfinished ones (.part, killed runs) will do. Refuses one that was
/// written by another version, of another model, with other parameters or with options that give another motion, each
/// difference with a message.
typedef struct zn_restart zn_restart;

ZN_API zn_status zn_restart_open(const char *path, const zn_problem *problem, const zn_sim_def *sim, zn_restart **out);
ZN_API zn_restart *zn_restart_close(zn_restart *restart); ///< accepts NULL, returns NULL
/// For zn_sim_restart. Owned by the restart.
ZN_API const void *zn_restart_data(const zn_restart *restart, size_t *size);
/// Reads what a restart reads of a file, and keeps nothing. For a process of its own: HDF5 may crash over a damaged
/// file.
ZN_API zn_status   zn_restart_rehearse(const char *path);
/// A writer whose file begins with the rows, events and frames of the run before, up to the checkpoint, and has that
/// checkpoint; the file of the run before may be PATH or PATH.part and stays until then. Rows are left out if other
/// ones are recorded now. `restart` is borrowed.
ZN_API zn_status   zn_result_writer_continue(const char *path, const zn_problem *problem, const zn_sim_def *sim,
                                             const char *command, const zn_restart *restart, zn_log log,
                                             zn_result_writer **out);

/// A result file, read. Unfinished files (.part, killed runs) open too.
typedef struct zn_result zn_result;

typedef struct zn_result_series {
    const char *name, *path, *unit, *components;
    int         columns;
} zn_result_series;

typedef struct zn_result_event {
    char   name[64];
    bool   impact, open;
    double closed_at, opened_at, impulse, peak_force, approach;
    char   pair[96]; ///< which two, "ball[3], floor"; "": not known
} zn_result_event;

ZN_API zn_status        zn_result_open(const char *path, zn_log log, zn_result **out);
ZN_API zn_result       *zn_result_close(zn_result *result); ///< accepts NULL, returns NULL
/// One more folder that its model may read files from, as zn_problem_def says: for pictures and exports, which need it.
ZN_API zn_status        zn_result_allow(zn_result *result, const char *folder);
ZN_API bool             zn_result_is_finished(const zn_result *result);
ZN_API int64_t          zn_result_rows(const zn_result *result);
ZN_API int              zn_result_series_count(const zn_result *result);
ZN_API zn_result_series zn_result_series_at(const zn_result *result, int index);
/// Index of the series of that name, or -1.
ZN_API int              zn_result_find(const zn_result *result, const char *name);
ZN_API zn_status        zn_result_time(const zn_result *result, double *t);             ///< rows values
ZN_API zn_status   zn_result_read(const zn_result *result, int series, double *values); ///< rows x columns, row-major
ZN_API int64_t     zn_result_event_count(const zn_result *result);
ZN_API zn_status   zn_result_events(const zn_result *result, zn_result_event *events);
/// Text attribute of the file ("title", "model", "version", "command", "scheme", "outcome" ...); NULL when there
/// is none. Owned by the result.
ZN_API const char *zn_result_text(const zn_result *result, const char *name);
/// Number from the certificate ("penetration", "closure", "steps" ...); NaN when there is none.
ZN_API double      zn_result_number(const zn_result *result, const char *name);
ZN_API double      zn_result_checkpoint_time(const zn_result *result); ///< NaN when it has none
/// All series in one table, header "t [s],name.component [unit],...". path "-": standard output.
ZN_API zn_status   zn_result_export_csv(const zn_result *result, const char *path);
/// An expression of the recorded quantities (name, name.component) and the time t, once per row. On a fault `message`
/// (size bytes) says what is wrong. A name with a '-' inside can only stand alone.
ZN_API zn_status   zn_result_evaluate(const zn_result *result, const char *expression, double *values, char *message,
                                      size_t size);
/// Unit of an expression that is a single name ("s" for t), else NULL. Owned by the result.
ZN_API const char *zn_result_unit(const zn_result *result, const char *expression);

// --- friction problems ---------------------------------------------------------------------------

/// Answer of a friction problem, or a guess of it, in the rows of zn_fc_problem: equations first.
typedef struct zn_fclib_answer {
    double *r, *u; ///< one value per row; u of an equation is 0
    double *v;     ///< velocities; NULL in the reduced form
} zn_fclib_answer;

/// A file in the layout of FCLIB (HDF5), read. Exactly one of the two forms is there; its matrices are sparse. The
/// equations that FCLIB keeps apart (V, R, s, or G, b) come as the first rows.
typedef struct zn_fclib_file {
    char            *path;
    char            *title, *description, *math_info; ///< "" when the file has none
    int              dimension;                       ///< 2 or 3: rows of each contact
    zn_fc_problem   *reduced;                         ///< NULL: the file has the global form
    zn_fc_global    *global;                          ///< NULL: the file has the reduced form
    zn_fclib_answer *solution;                        ///< NULL: none
    int              guess_count;
    zn_fclib_answer *guesses;
} zn_fclib_file;

/// Read and check a file: sizes, indices, finite values, mu >= 0, at least one contact. One message in the log names
/// the file and the dataset. `out` owns all it points to.
ZN_API zn_status      zn_fclib_read(const char *path, zn_log log, zn_fclib_file **out);
ZN_API zn_fclib_file *zn_fclib_destroy(zn_fclib_file *file); ///< accepts NULL, returns NULL

/// Texts of a file that is written; NULL: none.
typedef struct zn_fclib_text {
    const char *title, *description, *math_info;
} zn_fclib_text;

/// Write a problem, atomically. The file has one dimension (2 or 3) for all its contacts: a contact with fewer rows
/// gets tangents that nothing acts on (only their diagonal, that of the normal). FCLIB stores W_CE and W_EC = W_CE'
/// once; where they differ the equations are eliminated (ZN_SINGULAR when that is not possible). The description tells
/// either.
ZN_API zn_status zn_fclib_write(const char *path, const zn_fc_problem *problem, const zn_fclib_text *text, zn_log log);
/// The same for the global form, whose contacts must have one dimension already.
ZN_API zn_status zn_fclib_write_global(const char *path, const zn_fc_global *problem, const zn_fclib_text *text,
                                       zn_log log);
/// Write a copy of the file that `file` was read from, with an answer in its group `solution` in place of what is
/// there. `path` may be that file.
ZN_API zn_status zn_fclib_write_solution(const char *path, const zn_fclib_file *file, const zn_fclib_answer *answer,
                                         zn_log log);

#ifdef __cplusplus
}
#endif
#endif
