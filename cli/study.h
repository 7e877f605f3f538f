/// What `zeno converge` and `zeno sweep` share: lists on the command line and runs kept in memory.
#ifndef ZENO_STUDY_H
#define ZENO_STUDY_H

#include <stdio.h>

#include "memory_recorder.h"
#include "simulation.h"

enum { STUDY_MESSAGE = 480 };

/// One run of a study.
typedef struct study_case {
    const char      *model;
    const char      *scheme;      ///< as --scheme takes it; NULL: the model's
    double           step, until; ///< [s], NaN: the model's
    const text_list *set;         ///< overrides; they may use h, the step, when it is given
    const text_list *record;      ///< texts that mention all records of interest; the others are not kept
} study_case;

typedef struct study_run {
    zn_status      status;
    char           message[STUDY_MESSAGE]; ///< why it failed
    simulation     simulation;
    memory_record  record;
    zn_record_def *kept;
} study_run;

/// Read and compile, and make the simulation ready when `create` is true. Faults of the model go to `log`.
zn_status study_prepare(const study_case *c, zn_log log, bool create, study_run *out);
/// All of it; what goes wrong stands in `out`.
void      study_execute(const study_case *c, study_run *out);
void      study_run_free(study_run *run);

/// A message of a row that is done, which may come from a file: it ends, and steers no terminal.
void tame_message(char message[STUDY_MESSAGE]);

/// Iterations of a stage per step.
double study_average(const memory_record *record, zn_iterations n);

// --- words on the command line -------------------------------------------------------------------

/// Cut `text` at commas outside of brackets; blanks around the pieces go.
bool split_list(char *text, text_list *out);
/// Cut a list of schemes: "a,b:theta=1,gamma=0,c" has three.
bool split_schemes(char *text, text_list *out);
/// "A:B" with A < B.
bool parse_window(const char *name, const char *text, double *from, double *to);

/// True for the path that stands for standard output, which then holds nothing else.
bool is_standard_output(const char *path);

/// Will `output` (NULL, "-": nothing to do) be writable, and is it another file than `input`? Asked before the runs,
/// which may take long; false after a message.
bool can_write(const char *output, const char *input);
bool can_draw(const char *output, const char *input); ///< likewise of a figure

/// A field of a CSV file, quoted where needed.
void         put_csv(FILE *out, const char *text);
/// Open a file for writing; NULL after a message. close_file tells whether everything arrived, after a message if not.
/// "-" is standard output.
zn_new_file *open_file(const char *path);
bool         close_file(zn_new_file *file);

#endif
