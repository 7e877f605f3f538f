/// One friction problem, solved: what `zeno solve` tells of it.
#ifndef ZENO_SOLVE_H
#define ZENO_SOLVE_H

#include <stdbool.h>

#include "json_writer.h"
#include "zn/io.h"

/// What a solver did.
typedef struct solve_run {
    const char *asked; ///< the word it was asked for by
    zn_status   status;
    zn_fc_info  info;
    double      seconds; ///< wall time of the solve alone
    int         stick, slip, open;
} solve_run;

/// What a problem is.
typedef struct solve_facts {
    const char *path, *title;
    bool        global;
    int         dimension, contacts, bilateral, rows;
    double      density; ///< of W, in [0, 1]
    double      mu_min, mu_max;
} solve_facts;

/// One line: what the problem is and what came of it.
void solve_print_line(const solve_facts *facts, const solve_run *run);
/// What the problem is, and a row for each solver; `best` (or -1) is marked.
void solve_print_table(const solve_facts *facts, int count, const solve_run *runs, int best);
void solve_print_json(json_writer *w, const solve_facts *facts, int count, const solve_run *runs, int best,
                      const char *written);

#endif
