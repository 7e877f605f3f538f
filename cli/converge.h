/// A study of convergence: what was asked for and what came out.
#ifndef ZENO_CONVERGE_H
#define ZENO_CONVERGE_H

#include "study.h"

enum { NORMS = 5, STAGES = 4 };

/// Places of the norms and their words.
enum { NORM_UNIFORM, NORM_L1, NORM_L2, NORM_REL_L1, NORM_HAUSDORFF };
extern const char *const norm_names[NORMS];
extern const char *const stage_names[STAGES]; ///< of iterations

/// One run.
typedef struct converge_row {
    double step;
    bool   failed;                 ///< the run itself
    char   message[STUDY_MESSAGE]; ///< why
    double average[STAGES];        ///< iterations per step
    int    largest[STAGES];
    double seconds;
} converge_row;

/// Its error in one quantity.
typedef struct converge_error {
    bool   failed;
    char   message[STUDY_MESSAGE];
    double norm[NORMS];
} converge_error;

typedef struct converge_study {
    const char     *model;
    char           *title; ///< of the model
    int             norm_count;
    int             norms[NORMS]; ///< those to show, by place
    bool            norms_chosen; ///< by the user
    text_list       quantities, schemes;
    const char    **reference; ///< what each quantity is measured against, in words
    double          from, to;  ///< window [s]
    int             step_count;
    converge_row   *rows;   ///< [scheme][step]
    converge_error *errors; ///< [scheme][step][quantity]
} converge_study;

static inline converge_row *row_of(const converge_study *s, int scheme, int step)
{
    return &s->rows[scheme * s->step_count + step];
}

static inline converge_error *error_of(const converge_study *s, int scheme, int step, int quantity)
{
    return &s->errors[(scheme * s->step_count + step) * s->quantities.count + quantity];
}

/// Order of one norm; false when there is nothing to fit.
bool converge_fit(const converge_study *s, int scheme, int quantity, int norm, zn_order *out);

void converge_print(const converge_study *s, int scheme);
void converge_print_json(const converge_study *s);
bool converge_write_csv(const converge_study *s, const char *path);
/// Errors over step sizes, both in decades; returns false after a message.
bool converge_plot(const converge_study *s, const char *path);

#endif
