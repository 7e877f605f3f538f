/// A sweep: what was asked for and what came out.
#ifndef ZENO_SWEEP_H
#define ZENO_SWEEP_H

#include "journal.h"
#include "statistics.h"
#include "study.h"

enum { SWEEP_NAME = 64, SWEEP_TOGETHER = 16 };

typedef enum vary_kind { VARY_PARAMETER, VARY_STEP, VARY_UNTIL, VARY_SCHEME } vary_kind;

/// A name with the values it takes.
typedef struct vary {
    char      name[SWEEP_NAME];
    vary_kind kind;
    bool      log;
    int       count;
    double   *values;
} vary;

typedef struct sweep_options {
    const char *measures, *schemes, *csv, *plot, *title, *resume, *statistics, *page;
    bool        log_y, hypercube, json;
    double      step, until, jobs, samples, seed;
    text_list   vary, set, ylabels, rest, distributions;
} sweep_options;

/// What one run gave.
typedef struct sweep_row {
    int    failed;
    char   message[STUDY_MESSAGE]; ///< of the run, or of the first measure it does not have
    double values[];               ///< of the measures, NaN: none
} sweep_row;

/// Rows are ordered by scheme, value of `second` and place in `first`.
typedef struct sweep_work {
    sweep_options options;
    const char   *model;
    char         *title, *scheme; ///< of the model
    int           together;
    vary          first[SWEEP_TOGETHER]; ///< names that go through their values together: one, or all that are drawn
    vary          second;                ///< one value without a name unless given
    text_list     measures, schemes, record;
    char         *texts[2]; ///< cut into lists
    journal_key   key;
    row_work      rows;
} sweep_work;

/// Where a row stands.
typedef struct sweep_place {
    int scheme, second, first;
} sweep_place;

static inline sweep_place sweep_place_of(const sweep_work *w, int row)
{
    int n = w->first[0].count;
    return (sweep_place){row / n / w->second.count, row / n % w->second.count, row % n};
}

static inline sweep_row *sweep_row_of(const sweep_work *w, int row)
{
    return (sweep_row *)(void *)(w->rows.results + (size_t)row * w->rows.size);
}

static inline bool is_sampled(const sweep_work *w) { return !isnan(w->options.samples); }

/// NAME=A:B[:K][:log] or NAME=A,B,C; false after a message.
bool sweep_vary_parse(const char *text, vary *out);
/// All distributions of the options, drawn into `first`; false after a message.
bool sweep_draw(sweep_work *w);

void sweep_print_header(const sweep_work *w);
void sweep_print_row(const sweep_work *w, int row);
bool sweep_print_statistics(const sweep_work *w); ///< of a sample
bool sweep_print_json(const sweep_work *w);
bool sweep_write_csv(const sweep_work *w, const char *path);        ///< rows that are done
bool sweep_write_statistics(const sweep_work *w, const char *path); ///< as CSV
bool sweep_write_page(const sweep_work *w, const char *path);       ///< of a sample, as HTML
/// Of one measure over a sample, which begins at `row`; rows that failed or were not run are missing.
bool sweep_statistics(const sweep_work *w, int row, int measure, statistics *out);
bool sweep_plot(const sweep_work *w, const char *path);

#endif
