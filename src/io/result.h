/// Layout of result files, shared by writer and reader.
///
///     /                attributes: format, version, title, path, scheme and every option, tolerance and limit used
///     /model, /command texts (datasets: they may be longer than an attribute can be)
///     /outcome         "running" until the run has ended, then the text of its status
///     /parameters      one attribute per parameter of the model, after overrides
///     /inputs          one attribute per file that the model pulls in: SHA-256 of its bytes
///     /files/0, 1 ...  texts of the files that the model includes; attribute name
///     /time            rows
///     /series/NAME     rows x columns; attributes unit, path, components
///     /events          one compound value per stay in contact
///     /certificate/... one number (NaN while running) or contact name each
///     /frames/time     of each frame (written last); q, v, ledger, effort: one row per frame; contacts: one compound
///                      value per contact that acted since the frame before; contact_end: how many up to this frame
///     /checkpoint/a, b words of checkpoints, see result_checkpoint.c
///
/// Everything exists before the first row, then the file is in SWMR mode: it stays readable while it is written and
/// after the writer was killed.
#ifndef ZN_IO_RESULT_H
#define ZN_IO_RESULT_H

#include <hdf5.h>

#include "zn/io.h"

/// Format version of result files.
/// 1: first version. 2: ids of contacts in frames are pairs, and have other bits.
#define ZN_RESULT_FORMAT 2

#define ZN_RESULT_RUNNING "running"

enum {
    ZN_RESULT_NAME_BYTES = 64,    ///< names of contacts, with the final NUL
    ZN_RESULT_OUTCOME_BYTES = 96, ///< text of a status, with the final NUL
};

/// Worst values of the certificate (ZN_WORST_LIST): NAME, NAME_time and (text) NAME_contact under /certificate.
enum {
#define ZN_RESULT_WORST_INDEX(field, ...) ZN_RESULT_WORST_##field,
    ZN_WORST_LIST(ZN_RESULT_WORST_INDEX)
#undef ZN_RESULT_WORST_INDEX
        ZN_RESULT_WORST
};

/// Other numbers under /certificate, by name and where they come from.
#define ZN_RESULT_NUMBER_LIST(X)                                                                                       \
    X("steps", steps)                                                                                                  \
    X("retries", retries)                                                                                              \
    X("failed_iterations", failed_iterations)                                                                          \
    X("newton_iterations", newton_iterations.total)                                                                    \
    X("newton_iterations_max", newton_iterations.max)                                                                  \
    X("projection_iterations", projection_iterations.total)                                                            \
    X("projection_iterations_max", projection_iterations.max)                                                          \
    X("activation_iterations", activation_iterations.total)                                                            \
    X("activation_iterations_max", activation_iterations.max)                                                          \
    X("solver_iterations", solver_iterations.total)                                                                    \
    X("solver_iterations_max", solver_iterations.max)                                                                  \
    X("energy_start", energy_start)                                                                                    \
    X("energy_moved", energy_moved)                                                                                    \
    X("energy_changed", energy_changed)                                                                                \
    X("gave_contact", gave[ZN_LEDGER_CONTACT])                                                                         \
    X("gave_projection", gave[ZN_LEDGER_PROJECTION])                                                                   \
    X("gave_joint", gave[ZN_LEDGER_JOINT])                                                                             \
    X("gave_numerical", gave[ZN_LEDGER_NUMERICAL])                                                                     \
    X("impacts", impacts)                                                                                              \
    X("lasting_contacts", lasting_contacts)                                                                            \
    X("negative", negative)                                                                                            \
    X("unstable_from", unstable_from)                                                                                  \
    X("momentum_start_x", momentum_start.x)                                                                            \
    X("momentum_start_y", momentum_start.y)                                                                            \
    X("momentum_start_z", momentum_start.z)                                                                            \
    X("momentum_x", momentum.x)                                                                                        \
    X("momentum_y", momentum.y)                                                                                        \
    X("momentum_z", momentum.z)                                                                                        \
    X("angular_start_x", angular_start.x)                                                                              \
    X("angular_start_y", angular_start.y)                                                                              \
    X("angular_start_z", angular_start.z)                                                                              \
    X("angular_x", angular.x)                                                                                          \
    X("angular_y", angular.y)                                                                                          \
    X("angular_z", angular.z)                                                                                          \
    X("factorizations", linear_solver.factorizations)                                                                  \
    X("refactorizations", linear_solver.refactorizations)                                                              \
    X("solves", linear_solver.solves)                                                                                  \
    X("loop_seconds", loop_seconds)

/// HDF5 prints errors by itself unless told not to, and loads code that a file asks for (filters) from a path of its
/// own. Between these two calls it does neither; the caller's settings are restored afterwards.
typedef struct zn_result_quiet {
    H5E_auto2_t print;
    void       *user;
    unsigned    plugins;
} zn_result_quiet;

zn_result_quiet zn_result_quiet_begin(void);
void            zn_result_quiet_end(zn_result_quiet saved);

/// HDF5 crashes in its own cleaning up when an allocation fails. Whoever is about to call it asks whether there is more
/// than it takes; ZN_ERR_MEMORY when there is not.
zn_status zn_result_room(void);
/// As much, to be kept and freed (with free()) before a file must be closed whatever happens; NULL: there is none.
void     *zn_result_reserve(void);

/// In-memory type of zn_result_event; the same fields are in the file, in those of older programs without the pair.
/// Destroy with H5Tclose.
hid_t zn_result_event_type(bool pair);

/// In-memory type of zn_frame_contact; the same fields are in a file of this format. Destroy with H5Tclose.
hid_t zn_result_contact_type(int format);

/// Grows with the rows: `columns` values each, none compressed. Rank 1 when `columns` is 1 and `rank` says so.
hid_t zn_result_create_growing(hid_t parent, const char *name, hid_t type, int rank, int columns, int rows);
/// Append `count` rows to a dataset that holds `written`; the file must be flushed before a reader sees them.
bool zn_result_append(hid_t dataset, hid_t type, int rank, int columns, hsize_t written, int count, const void *values);

/// Refuse records of more than `most` bytes; a warning when they are more than what is left on the disk.
zn_status zn_result_check_size(const char *path, double rows, int columns, double most, const zn_log *log);

/// Frames of a file that is being written.
typedef struct zn_frame_writer zn_frame_writer;

/// Create /frames for configurations of `nq` coordinates and `n_all` velocities. NULL when that fails.
zn_frame_writer *zn_frame_writer_create(hid_t file, int nq, int n_all);
zn_frame_writer *zn_frame_writer_destroy(zn_frame_writer *writer); ///< accepts NULL, returns NULL
/// Keep a frame; true when the buffer is full afterwards. Fails with ZN_ERR_MEMORY only.
zn_status        zn_frame_writer_push(zn_frame_writer *writer, const zn_frame *frame, bool *full);
bool             zn_frame_writer_flush(zn_frame_writer *writer); ///< append what is kept

int64_t zn_frame_writer_count(const zn_frame_writer *writer); ///< pushed so far

/// What a file holds when a checkpoint is taken.
typedef struct zn_checkpoint_counts {
    int64_t rows, events, frames;
} zn_checkpoint_counts;

typedef struct zn_contact_label { ///< names are known from events only
    int64_t rule;
    char    name[ZN_RESULT_NAME_BYTES];
} zn_contact_label;

/// Checkpoints of a file that is being written.
typedef struct zn_checkpoint_writer zn_checkpoint_writer;

/// Create /checkpoint; `words`: about how long one will be. NULL when that fails.
zn_checkpoint_writer *zn_checkpoint_writer_create(hid_t file, int words);
zn_checkpoint_writer *zn_checkpoint_writer_destroy(zn_checkpoint_writer *writer); ///< accepts NULL, returns NULL
/// Keep one, in place of the one kept before; true when it is time to write it. `data` is borrowed until it is written.
bool                  zn_checkpoint_writer_keep(zn_checkpoint_writer *writer, double t, const void *data, size_t size,
                                                zn_checkpoint_counts counts, int names);
/// Write the one that is kept, after the rows it counts; `names`: as many as were counted. ZN_ERR_IO or ZN_ERR_MEMORY.
zn_status             zn_checkpoint_writer_put(zn_checkpoint_writer *writer, const zn_contact_label *names);

/// A checkpoint, read.
typedef struct zn_checkpoint {
    double               t;
    zn_checkpoint_counts counts;
    int                  name_count;
    zn_contact_label    *names;
    const void          *data; ///< for zn_sim_restart
    size_t               size;
    uint64_t            *memory; ///< what the others point to
} zn_checkpoint;

/// The newest one that is whole; false when there is none.
bool zn_checkpoint_read(int64_t file, zn_checkpoint *out);
void zn_checkpoint_free(zn_checkpoint *checkpoint);

/// A scheme option, tolerance or limit as it stands in a file.
typedef struct zn_result_option {
    const char *name;
    const char *text; ///< NULL: a number
    double      number;
    bool        matters;             ///< another value gives another motion
    char        word[ZN_WORD_BYTES]; ///< the text of a choice
} zn_result_option;

enum { ZN_RESULT_OPTIONS_MAX = 96 };

/// All of a run; returns how many.
int zn_result_options(const zn_sim_def *sim, zn_result_option options[ZN_RESULT_OPTIONS_MAX]);

/// Scalar, fixed-length, NUL-terminated UTF-8 string type. Destroy with H5Tclose.
hid_t zn_result_text_type(size_t bytes);

/// Title, model text, options, parameters, empty certificate: all but the rows.
bool zn_result_put_head(hid_t file, const zn_problem *problem, const zn_sim_def *sim, const char *command);
bool zn_result_put_text(hid_t object, const char *name, const char *text); ///< as an attribute
/// Overwrite the empty certificate; contacts: names, in the order of ZN_WORST_LIST.
bool zn_result_put_certificate(hid_t file, const zn_certificate *c, const char *const *contacts);
bool zn_result_put_outcome(hid_t file, zn_status outcome);

/// Create a file that was not there (zn_new_file_create), in a format that HDF5 reads since version `oldest`. A failing
/// write is remembered in `*error` (an errno value, see zn_new_file_error; borrowed, must outlive the file) and from
/// then on nothing more reaches the file: what it holds is what it held before, and it can be closed in good order.
/// Closed without an error it is on the disk. Negative when it cannot be created.
hid_t  zn_result_file_create(const char *path, H5F_libver_t oldest, int *error);
/// The same with a file that this run has made, to go on with it.
hid_t  zn_result_file_open(const char *path, int *error);
herr_t zn_result_file_close(hid_t file);
bool   zn_result_file_is_busy(const char *path); ///< another run writes it

#endif
