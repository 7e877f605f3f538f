/// Models from texts in memory.
#ifndef ZN_IO_PROBLEM_H
#define ZN_IO_PROBLEM_H

#include <stdbool.h>

#include "zn/io.h"

/// A model in memory, and what it may read.
typedef struct zn_problem_text {
    const char        *text;
    size_t             size;
    const char        *name; ///< stands for the file; others are sought beside it
    const char        *home; ///< a file in whose folder they may be; NULL: `name`
    int                override_count;
    const char *const *overrides;
    int                allow_count;
    const char *const *allow; ///< folders in which they may be beside it
    int                source_count;
    const zn_input    *sources; ///< in place of included files of their names
    int                known_count;
    const zn_input    *known;   ///< names and digests of what may be anywhere
    double             most;    ///< [bytes] of the model, about; 0: what there is
    bool              *refused; ///< set when a file was not where it may be; NULL: nobody asks
} zn_problem_text;

/// As zn_problem_parse.
zn_status zn_problem_parse_text(const zn_problem_text *text, zn_log log, zn_problem **out);
/// The model of a result file, as zn_problem_create has it.
zn_status zn_problem_create_from_result(const zn_problem_def *def, zn_log log, zn_problem **out);
/// Who hears the messages of the model from now on.
void      zn_problem_set_log(zn_problem *problem, zn_log log);
/// The model of an open result; it says nothing when it is done.
zn_status zn_problem_of(const zn_result *result, int override_count, const char *const *overrides, zn_log log,
                        zn_problem **out);

#endif
