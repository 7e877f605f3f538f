/// Models whose included files are texts in memory.
#ifndef ZN_IO_PROBLEM_H
#define ZN_IO_PROBLEM_H

#include "zn/io.h"

typedef struct zn_problem_text {
    const char     *text;
    size_t          size;
    int             source_count;
    const zn_input *sources; ///< in place of files of their names; borrowed
} zn_problem_text;

/// As zn_problem_parse.
zn_status zn_problem_parse_sources(zn_problem_text text, const char *name, int override_count,
                                   const char *const *overrides, zn_log log, zn_problem **out);
/// Who hears the messages of the model from now on.
void      zn_problem_set_log(zn_problem *problem, zn_log log);
/// The model of an open result; it says nothing when it is done.
zn_status zn_problem_of(const zn_result *result, int override_count, const char *const *overrides, zn_log log,
                        zn_problem **out);

#endif
