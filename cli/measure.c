// Measures on a run kept in memory. A measure is a word with up to three arguments; a table says what each word does.
#include "measure.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "study.h"
#include "suggest.h"

enum { ARGUMENTS_MAX = 3 };

// A measure being evaluated.
typedef struct query {
    const memory_record *record;
    char                 text[160]; // cut in place into word and arguments
    const char          *word;
    int                  count;
    const char          *arguments[ARGUMENTS_MAX];
    char                *message;
    size_t               size;
} query;

static bool refuse(query *q, const char *format, ...) ZN_PRINTF(2, 3);

static bool refuse(query *q, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(q->message, q->size, format, arguments);
    va_end(arguments);
    return false;
}

// --- series --------------------------------------------------------------------------------------

// Column that "NAME" or "NAME.component" stands for.
static bool find_column(query *q, const char *name, int *column)
{
    if (q->record->rows == 0)
        return refuse(q, "the run recorded nothing");
    return memory_record_column(q->record, name, column, q->message, q->size);
}

static double at_row(const query *q, int column, int64_t row)
{
    return q->record->values[row * q->record->columns + column];
}

static bool number_argument(query *q, int index, double *out)
{
    return parse_number(q->arguments[index], out) || refuse(q, "'%s' is not a number", q->arguments[index]);
}

static bool final(query *q, double *value)
{
    int column;
    if (!find_column(q, q->arguments[0], &column))
        return false;
    *value = at_row(q, column, q->record->rows - 1);
    return true;
}

static bool extreme(query *q, double sign, double *value)
{
    int column;
    if (!find_column(q, q->arguments[0], &column))
        return false;
    *value = -INFINITY;
    for (int64_t i = 0; i < q->record->rows; i++)
        *value = fmax(*value, sign * at_row(q, column, i));
    *value *= sign;
    return true;
}

static bool minimum(query *q, double *value) { return extreme(q, -1, value); }

static bool maximum(query *q, double *value) { return extreme(q, 1, value); }

// Linear between the rows around t; times that differ from a row by rounding only mean that row.
static double interpolate(const query *q, int column, double t)
{
    const memory_record *r = q->record;
    int64_t              low = 0, high = r->rows - 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (r->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    double width = r->t[high] - r->t[low];
    double s = width > 0 ? (t - r->t[low]) / width : 0;
    if (s < 1e-6)
        return at_row(q, column, low);
    if (s > 1 - 1e-6)
        return at_row(q, column, high);
    return (1 - s) * at_row(q, column, low) + s * at_row(q, column, high);
}

static bool at_time(query *q, double *value)
{
    const memory_record *r = q->record;
    double               t;
    int                  column;
    if (!find_column(q, q->arguments[0], &column) || !number_argument(q, 1, &t))
        return false;
    double slack = 1e-9 * (r->t[r->rows - 1] - r->t[0]);
    if (t < r->t[0] - slack || t > r->t[r->rows - 1] + slack)
        return refuse(q, "t = %g s is outside the run", t);
    *value = interpolate(q, column, t);
    return true;
}

// Average over time: trapezoidal rule through the rows in [t1, t2].
static bool mean(query *q, double *value)
{
    const memory_record *r = q->record;
    double               t1, t2, sum = 0, width = 0, single = NAN;
    int                  column;
    if (!find_column(q, q->arguments[0], &column) || !number_argument(q, 1, &t1) || !number_argument(q, 2, &t2))
        return false;
    double slack = 1e-9 * (r->t[r->rows - 1] - r->t[0]);
    for (int64_t i = 0; i < r->rows; i++) {
        if (r->t[i] < t1 - slack || r->t[i] > t2 + slack)
            continue;
        if (!isnan(single)) {
            double h = r->t[i] - r->t[i - 1];
            sum += h * (at_row(q, column, i - 1) + at_row(q, column, i)) / 2;
            width += h;
        }
        single = at_row(q, column, i);
    }
    *value = width > 0 ? sum / width : single;
    return !isnan(single) || refuse(q, "no row lies in [%g, %g] s", t1, t2);
}

// Largest mean over T, or the next whole number of steps, of a record whose rows are means of the steps that end there,
// such as forces: with T = 2 h what they alternate about.
static bool highest(query *q, double *value)
{
    const memory_record *r = q->record;
    double               length, sum = 0;
    int                  column;
    if (!find_column(q, q->arguments[0], &column) || !number_argument(q, 1, &length))
        return false;
    double  least = length - 1e-9 * (r->t[r->rows - 1] - r->t[0]);
    int64_t first = 0;
    *value = -INFINITY;
    for (int64_t i = 1; i < r->rows; i++) {
        sum += (r->t[i] - r->t[i - 1]) * at_row(q, column, i);
        for (; first + 1 < i && r->t[i] - r->t[first + 1] > least; first++)
            sum -= (r->t[first + 1] - r->t[first]) * at_row(q, column, first + 1);
        if (r->t[i] - r->t[first] > least)
            *value = fmax(*value, sum / (r->t[i] - r->t[first]));
    }
    return *value > -INFINITY || refuse(q, "the run is shorter than %g s", length);
}

// Stored energy of one row: the record "energy", alone or by ledger lines.
static double energy_at(const query *q, const memory_series *energy, int64_t row)
{
    double sum = 0;
    if (energy->columns == 1)
        return at_row(q, energy->offset, row);
    for (int line = 0; line < ZN_LEDGER_STORED; line++) {
        int index = word_index(energy->components, zn_ledger_name((zn_ledger_line)line));
        sum += index < 0 ? NAN : at_row(q, energy->offset + index, row);
    }
    return sum;
}

static bool energy_drift(query *q, double *value)
{
    const memory_series *energy = memory_record_series(q->record, "energy", strlen("energy"));
    if (energy == NULL || q->record->rows == 0)
        return refuse(q, "there is no record 'energy'");
    double start = energy_at(q, energy, 0), worst = 0;
    for (int64_t i = 0; i < q->record->rows; i++) {
        double change = fabs(energy_at(q, energy, i) - start);
        worst = change <= worst ? worst : change; // NaN stays
    }
    *value = worst / fabs(start);
    return true;
}

// --- events --------------------------------------------------------------------------------------

// Next event of the contact of the first argument, from *index on; NULL when there is none.
static const zn_result_event *next_event(const query *q, int64_t *index)
{
    while (*index < q->record->event_count) {
        const zn_result_event *e = &q->record->events[(*index)++];
        if (strcmp(e->name, q->arguments[0]) == 0)
            return e;
    }
    return NULL;
}

static bool events(query *q, double *value)
{
    int64_t i = 0;
    for (*value = 0; next_event(q, &i) != NULL;)
        *value += 1;
    return true;
}

static bool impacts(query *q, double *value)
{
    const zn_result_event *e;
    int64_t                i = 0;
    for (*value = 0; (e = next_event(q, &i)) != NULL;)
        *value += e->impact;
    return true;
}

static bool impulse(query *q, double *value)
{
    const zn_result_event *e;
    int64_t                i = 0;
    for (*value = 0; (e = next_event(q, &i)) != NULL;)
        *value += e->impulse;
    return true;
}

static bool peak(query *q, double *value)
{
    const zn_result_event *e;
    int64_t                i = 0;
    for (*value = 0; (e = next_event(q, &i)) != NULL;)
        *value = fmax(*value, e->peak_force);
    return true;
}

// The k-th event, from 1 on; NULL: refused.
static const zn_result_event *event_of(query *q)
{
    const zn_result_event *e = NULL;
    double                 k;
    int64_t                index = 0;
    if (!number_argument(q, 1, &k))
        return NULL;
    for (int64_t found = 0; (double)found < k; found++)
        if ((e = next_event(q, &index)) == NULL) {
            refuse(q, "'%s' has %" PRId64 " events only", q->arguments[0], found);
            return NULL;
        }
    if (e == NULL)
        refuse(q, "events are counted from 1");
    return e;
}

static bool duration(query *q, double *value)
{
    const zn_result_event *e = event_of(q);
    *value = e ? e->opened_at - e->closed_at : NAN;
    return e != NULL;
}

static bool begin(query *q, double *value)
{
    const zn_result_event *e = event_of(q);
    *value = e ? e->closed_at : NAN;
    return e != NULL;
}

static bool span(query *q, double *value)
{
    int64_t                i = 0;
    const zn_result_event *e = next_event(q, &i);
    if (e == NULL)
        return refuse(q, "'%s' has no event", q->arguments[0]);
    double first = e->closed_at, last = e->opened_at;
    while ((e = next_event(q, &i)) != NULL) {
        first = fmin(first, e->closed_at);
        last = fmax(last, e->opened_at);
    }
    *value = last - first;
    return true;
}

// --- certificate ---------------------------------------------------------------------------------

// Worst values, by their names in the list.
static bool worst(query *q, double *value)
{
    const zn_certificate *c = &q->record->certificate;
#define VALUE(name, ...)                                                                                               \
    if (strcmp(q->word, #name) == 0)                                                                                   \
        *value = c->name.value;
    ZN_WORST_LIST(VALUE)
#undef VALUE
    return true;
}

static bool is_line(query *q, const char *name);
static bool list_names(query *q, int count, const char *const *names);

static bool ledger(query *q, double *value)
{
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        if (strcmp(zn_ledger_name((zn_ledger_line)i), q->arguments[0]) == 0) {
            *value = q->record->certificate.ledger[i];
            return true;
        }
    return is_line(q, q->arguments[0]);
}

// Iterations of a stage per step: average and largest of all steps, recorded or not.
static const char *const stages[] = {"newton", "projection", "activation", "solver"};
enum { STAGES = sizeof stages / sizeof *stages };

static bool find_stage(query *q, int *out)
{
    for (*out = 0; *out < STAGES; ++*out)
        if (strcmp(q->arguments[0], stages[*out]) == 0)
            return true;
    refuse(q, "no iterations are called '%s'", q->arguments[0]);
    return list_names(q, STAGES, stages);
}

static zn_iterations iterations_of(const query *q, int stage)
{
    const zn_certificate *c = &q->record->certificate;
    const zn_iterations   all[STAGES] = {c->newton_iterations, c->projection_iterations, c->activation_iterations,
                                         c->solver_iterations};
    return all[stage];
}

static bool average(query *q, double *value)
{
    int stage;
    if (!find_stage(q, &stage))
        return false;
    *value = study_average(q->record, iterations_of(q, stage));
    return true;
}

static bool largest(query *q, double *value)
{
    int stage;
    if (!find_stage(q, &stage))
        return false;
    *value = iterations_of(q, stage).max;
    return true;
}

// --- words ---------------------------------------------------------------------------------------

// Kinds of arguments: s of a record, n a number, c a contact, l a line of the ledger, i a stage that iterates.
static const struct word {
    const char *name;
    const char *arguments;
    bool (*evaluate)(query *q, double *value);
} words[] = {{"final", "s", final},
             {"at", "sn", at_time},
             {"min", "s", minimum},
             {"max", "s", maximum},
             {"mean", "snn", mean},
             {"highest", "sn", highest},
             {"energy_drift", "", energy_drift},
             {"events", "c", events},
             {"impacts", "c", impacts},
             {"duration", "cn", duration},
             {"begin", "cn", begin},
             {"span", "c", span},
             {"impulse", "c", impulse},
             {"peak", "c", peak},
             {"ledger", "l", ledger},
             {"average", "i", average},
             {"largest", "i", largest},
#define WORD(name, ...) {#name, "", worst},
             ZN_WORST_LIST(WORD)
#undef WORD
};
enum { WORDS = sizeof words / sizeof *words };

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

// "word(a, b)" -> word, arguments.
static bool split(query *q)
{
    char *open = strchr(q->text, '('), *rest;
    if (open != NULL) {
        char *close = strrchr(open, ')');
        if (close == NULL || *trim(close + 1) != '\0')
            return refuse(q, "a parenthesis is missing");
        *open = *close = '\0';
        for (char *a = strtok_r(open + 1, ",", &rest); a != NULL; a = strtok_r(NULL, ",", &rest)) {
            if (q->count == ARGUMENTS_MAX)
                return refuse(q, "too many arguments");
            q->arguments[q->count++] = trim(a);
        }
    }
    q->word = trim(q->text);
    return true;
}

// " (one, two, three)" behind a message, as much as there is room for.
static bool list_names(query *q, int count, const char *const *names)
{
    size_t used = strlen(q->message);
    for (int i = 0; i < count && used < q->size; i++)
        used += (size_t)snprintf(q->message + used, q->size - used, "%s%s%s", i == 0 ? " (" : ", ", names[i],
                                 i == count - 1 ? ")" : "");
    return false;
}

// The word of a measure with as many arguments as it takes.
static const struct word *find_word(query *q, const char *text)
{
    const char *names[WORDS];
    if (strlen(text) >= sizeof q->text) {
        refuse(q, "the measure is too long");
        return NULL;
    }
    strcpy(q->text, text);
    if (!split(q))
        return NULL;
    for (int i = 0; i < WORDS; i++) {
        names[i] = words[i].name;
        if (strcmp(q->word, names[i]) != 0)
            continue;
        if (q->count == (int)strlen(words[i].arguments))
            return &words[i];
        refuse(q, "'%s' takes %d arguments", q->word, (int)strlen(words[i].arguments));
        return NULL;
    }
    const char *near = suggest(q->word, WORDS, names);
    refuse(q, "unknown measure '%s'%s%s%s", q->word, near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "");
    list_names(q, WORDS, names);
    return NULL;
}

bool measure(const char *text, const memory_record *record, double *value, char *message, size_t size)
{
    query              q = {.record = record, .message = message, .size = size};
    const struct word *word = find_word(&q, text);
    return word != NULL && word->evaluate(&q, value);
}

// --- before a run --------------------------------------------------------------------------------

static bool is_line(query *q, const char *name)
{
    const char *names[ZN_LEDGER_LINES];
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        names[i] = zn_ledger_name((zn_ledger_line)i);
        if (strcmp(names[i], name) == 0)
            return true;
    }
    refuse(q, "there is no ledger line '%s'", name);
    return list_names(q, ZN_LEDGER_LINES, names);
}

static bool is_contact(query *q, const simulation *s, const char *name)
{
    enum { SHOWN = 32 };
    const char *names[SHOWN], *own;
    int         count = 0;
    for (int rule = 0; *(own = zn_contact_name(s->sys, zn_contact_id_make(rule, 0, 0))) != '\0'; rule++) {
        if (strcmp(own, name) == 0)
            return true;
        if (count < SHOWN)
            names[count++] = own;
    }
    refuse(q, "there is no contact '%s'", name);
    return list_names(q, count, names);
}

// Records that the run does not keep because nobody mentions them are listed, too.
static bool is_column(query *q, const simulation *s, const char *name)
{
    enum { SHOWN = 32 };
    const char       *names[SHOWN];
    const zn_sim_def *def = &s->problem->sim;
    int               column, count = def->record_count < SHOWN ? def->record_count : SHOWN;
    if (memory_record_column(q->record, name, &column, q->message, q->size))
        return true;
    for (int i = 0; i < count; i++)
        names[i] = def->records[i].name;
    return list_names(q, count, names);
}

static bool is_argument(query *q, const simulation *s, char kind, int index)
{
    const char *text = q->arguments[index];
    double      number;
    int         stage;
    switch (kind) {
    case 'n':
        return number_argument(q, index, &number);
    case 'l':
        return is_line(q, text);
    case 'i':
        return find_stage(q, &stage);
    case 'c':
        return s == NULL || s->sim == NULL || is_contact(q, s, text);
    default:
        return s == NULL || s->sim == NULL || is_column(q, s, text);
    }
}

bool measure_check_record(const char *name, const simulation *s, const memory_record *record, char *message,
                          size_t size)
{
    query q = {.record = record, .message = message, .size = size};
    return is_column(&q, s, name);
}

bool measure_check(const char *text, const simulation *s, const memory_record *record, char *message, size_t size)
{
    query              q = {.record = record, .message = message, .size = size};
    const struct word *word = find_word(&q, text);
    bool               good = word != NULL;
    for (int i = 0; good && word->arguments[i] != '\0'; i++)
        good = is_argument(&q, s, word->arguments[i], i);
    if (good && word->evaluate == energy_drift && s != NULL && s->sim != NULL)
        good = memory_record_series(record, "energy", strlen("energy")) != NULL ||
               refuse(&q, "there is no record 'energy'");
    return good;
}
