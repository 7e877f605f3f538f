/// One line on the terminal that tells how far a run is.
#ifndef ZENO_PROGRESS_H
#define ZENO_PROGRESS_H

#include "zn/sim.h"

typedef struct progress {
    bool    shown;   ///< somebody looks
    int64_t look_at; ///< step at which to look at the clock again
    int64_t first, last_step;
    double  started, last_time; ///< clock [s]
    double  start, until;       ///< of the run [s]
} progress;

progress progress_begin(bool wanted, double start, double until);
void     progress_skip(progress *p, int64_t steps); ///< done before a restart: they took no time
/// After every step; cheap unless the clock is due.
void     progress_step(progress *p, const zn_sim *sim);
void     progress_end(progress *p); ///< clears the line

/// In a study: the line begins with the number of runs that are done (all 0: no longer).
void progress_of_rows(int done, int all);
void progress_silence(void); ///< no lines in this process: another one tells

/// How far many runs at once are.
typedef struct row_progress {
    bool   shown;
    int    first, all;
    double started, last;
} row_progress;

row_progress row_progress_begin(bool wanted, int done, int all);
void         row_progress_show(row_progress *p, int done); ///< cheap unless the clock is due
void         row_progress_clear(row_progress *p);

#endif
