/// A study of convergence: what was asked for and what came out.
#ifndef ZENO_CONVERGE_H
#define ZENO_CONVERGE_H

#include "study.h"
#include "workers.h"

enum { NORMS = 5, STAGES = 4 };

/// Places of the norms and their words.
enum { NORM_UNIFORM, NORM_L1, NORM_L2, NORM_REL_L1, NORM_HAUSDORFF };
extern const char *const norm_names[NORMS];
extern const char *const stage_names[STAGES]; ///< of iterations

/// One run.
typedef struct converge_row {
    double step;
    int    failed;                 ///< the run itself
    char   message[STUDY_MESSAGE]; ///< why
    double average[STAGES];        ///< iterations per step
    int    largest[STAGES];
    double seconds;
} converge_row;

/// Its error in one quantity.
typedef struct converge_error {
    int    failed;
    char   message[STUDY_MESSAGE];
    double norm[NORMS];
} converge_error;

typedef struct converge_study {
    const char  *model;
    char        *title; ///< of the model
    int          norm_count;
    int          norms[NORMS]; ///< those to show, by place
    bool         norms_chosen; ///< by the user
    text_list    quantities, schemes;
    const char **reference; ///< what each quantity is measured against, in words
    double       from, to;  ///< window [s]
    int          step_count;
    row_work     rows; ///< [scheme][step]: a converge_row, then a converge_error for each quantity
} converge_study;

static inline converge_row *row_of(const converge_study *s, int scheme, int step)
{
    return (converge_row *)(void *)(s->rows.results + (size_t)(scheme * s->step_count + step) * s->rows.size);
}

static inline converge_error *error_of(const converge_study *s, int scheme, int step, int quantity)
{
    return (converge_error *)(void *)(row_of(s, scheme, step) + 1) + quantity;
}

/// What runs are compared with where there is no closed form: a finer run, as plain data.
typedef struct converge_reference {
    int     failed;
    char    message[STUDY_MESSAGE]; ///< why
    int64_t rows, room;             ///< room: rows there is memory for
    double  values[];               ///< times, then those of each quantity
} converge_reference;

size_t converge_reference_size(int64_t rows, int quantities);
/// Keep the quantities of a run.
void   converge_keep(const converge_study *s, const bool *closed, const study_run *run, converge_reference *out);
bool   converge_wants(const converge_study *s, int norm); ///< is it shown?
/// Closed form of a quantity; NULL when the model gives none.
const zn_closed_form *converge_closed(const zn_problem *p, const char *quantity);
/// Errors of a run and what it took. closed: quantities measured against their closed form, the others against
/// `reference`.
void                  converge_measure(const converge_study *s, const bool *closed, const converge_reference *reference,
                                       const study_run *run, converge_row *row, converge_error *errors);

/// Order of one norm; false when there is nothing to fit.
bool converge_fit(const converge_study *s, int scheme, int quantity, int norm, zn_order *out);

/// Messages of the rows of a scheme may come from a file.
void converge_tame(const converge_study *s, int scheme);
void converge_print(const converge_study *s, int scheme);
void converge_print_json(const converge_study *s);
bool converge_write_csv(const converge_study *s, const char *path);
/// Errors over step sizes, both in decades; returns false after a message.
bool converge_plot(const converge_study *s, const char *path);

#endif
