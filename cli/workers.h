/// Rows of a study, run in this process or in several: a worker that dies costs the row it ran.
#ifndef ZENO_WORKERS_H
#define ZENO_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

struct journal;

/// What became of a row.
typedef enum row_state { ROW_OPEN, ROW_RUNNING, ROW_DONE, ROW_LOST } row_state;

/// Rows are numbered from 0. The same results come out whatever `jobs` is: a row sees nothing of the others.
typedef struct row_work {
    int             count, jobs;
    bool            last_first; ///< with several processes: the last rows take longest
    size_t          size;       ///< of the result of a row
    unsigned char  *results;    ///< count of them: plain data without pointers
    row_state      *states;     ///< rows that are done already stay as they are
    struct journal *journal;    ///< keeps what is done; NULL: none
    void           *user;
    void (*run)(void *user, int row, void *result); ///< perhaps in a worker: only `result`, zeroed before, comes back
    void (*lose)(void *user, int row, const char *why, void *result); ///< the worker died
    void (*show)(void *user, int row); ///< once for each row that is done or lost, in their order
} row_work;

/// A whole number of processes from an option -j (NaN: one); prints what is wrong.
bool workers_count(double jobs, int *out);

/// Allocate results and states; false after a message. Destroy with rows_free.
bool rows_allocate(row_work *w);
void rows_free(row_work *w);

/// How rows_run ended.
typedef enum rows_outcome { ROWS_FINISHED, ROWS_INTERRUPTED, ROWS_FAILED } rows_outcome;

/// Run all open rows. Ctrl-C or SIGTERM ends it after a message: rows that were running stay open.
rows_outcome rows_run(row_work *w);

/// Inside of a row, after each step: shall it end?
bool rows_stop_wanted(void);

#endif
