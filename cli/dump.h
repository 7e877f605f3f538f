/// Writes the friction problems of a run as FCLIB files: all that are asked for, and the one a run failed at.
#ifndef ZENO_DUMP_H
#define ZENO_DUMP_H

#include <stdbool.h>

#include "zn/io.h"

enum { DUMP_LEVELS = 4 };

/// A problem kept beyond the call that showed it.
typedef struct dump_problem {
    zn_fc_problem problem; ///< contacts 0: none
    zn_fc_matrix  sparse;  ///< its W, if that is sparse
    const char   *level;
    double        t;
    zn_status     status;
    int           integers, numbers; ///< room
    int          *first;             ///< of the contacts; of a sparse W start and columns
    double       *data;              ///< W, q, mu
} dump_problem;

typedef struct dump {
    const char  *folder, *title, *stem; ///< borrowed; folder NULL: only what failed, and only at the end
    int          every;                 ///< steps
    dump_problem last[DUMP_LEVELS];     ///< of the current step, by level
    dump_problem failed;
    bool         out_of_memory;
} dump;

/// `every` < 1: every step. Creates the folder.
zn_status   dump_begin(dump *d, const char *folder, int every, const char *stem, const char *title);
/// To put into the scheme's def; borrowed from the dump.
zn_observer dump_observer(dump *d);
/// After step `step` (from 1): write what it solved, if it is due.
zn_status   dump_step(dump *d, int64_t step);
/// The run failed in the step from t: write the problem that was not solved, if there is one, to the folder or else to
/// `path`, and tell where.
void        dump_failure(dump *d, double t, int64_t step, const char *path);
void        dump_end(dump *d);

#endif
