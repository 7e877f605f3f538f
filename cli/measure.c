// Measures on a run kept in memory. A measure is a word with up to three arguments; a table says what each word does.
#include "measure.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
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

static bool duration(query *q, double *value)
{
    const zn_result_event *e = NULL;
    double                 k;
    int64_t                index = 0;
    if (!number_argument(q, 1, &k))
        return false;
    for (int64_t found = 0; found < k; found++)
        if ((e = next_event(q, &index)) == NULL)
            return refuse(q, "'%s' has %" PRId64 " events only", q->arguments[0], found);
    if (e == NULL)
        return refuse(q, "events are counted from 1");
    *value = e->opened_at - e->closed_at;
    return true;
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

static bool penetration(query *q, double *value)
{
    *value = q->record->certificate.penetration.value;
    return true;
}

static bool velocity(query *q, double *value)
{
    *value = q->record->certificate.velocity.value;
    return true;
}

static bool complementarity(query *q, double *value)
{
    *value = q->record->certificate.complementarity.value;
    return true;
}

static bool coulomb_position(query *q, double *value)
{
    *value = q->record->certificate.coulomb_position.value;
    return true;
}

static bool coulomb_velocity(query *q, double *value)
{
    *value = q->record->certificate.coulomb_velocity.value;
    return true;
}

static bool newton(query *q, double *value)
{
    *value = q->record->certificate.newton.value;
    return true;
}

static bool closure(query *q, double *value)
{
    *value = q->record->certificate.closure.value;
    return true;
}

static bool ledger(query *q, double *value)
{
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        if (strcmp(zn_ledger_name((zn_ledger_line)i), q->arguments[0]) == 0) {
            *value = q->record->certificate.ledger[i];
            return true;
        }
    return refuse(q, "there is no ledger line '%s'", q->arguments[0]);
}

// --- words ---------------------------------------------------------------------------------------

static const struct word {
    const char *name;
    int         arguments;
    bool (*evaluate)(query *q, double *value);
} words[] = {
    {"final", 1, final},
    {"at", 2, at_time},
    {"min", 1, minimum},
    {"max", 1, maximum},
    {"mean", 3, mean},
    {"energy_drift", 0, energy_drift},
    {"events", 1, events},
    {"impacts", 1, impacts},
    {"duration", 2, duration},
    {"span", 1, span},
    {"impulse", 1, impulse},
    {"peak", 1, peak},
    {"penetration", 0, penetration},
    {"velocity", 0, velocity},
    {"complementarity", 0, complementarity},
    {"coulomb_position", 0, coulomb_position},
    {"coulomb_velocity", 0, coulomb_velocity},
    {"newton", 0, newton},
    {"closure", 0, closure},
    {"ledger", 1, ledger},
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

bool measure(const char *text, const memory_record *record, double *value, char *message, size_t size)
{
    query       q = {.record = record, .message = message, .size = size};
    const char *names[WORDS];
    if (strlen(text) >= sizeof q.text)
        return refuse(&q, "the measure is too long");
    strcpy(q.text, text);
    if (!split(&q))
        return false;
    for (int i = 0; i < WORDS; i++) {
        names[i] = words[i].name;
        if (strcmp(q.word, names[i]) != 0)
            continue;
        if (q.count != words[i].arguments)
            return refuse(&q, "'%s' takes %d arguments", q.word, words[i].arguments);
        return words[i].evaluate(&q, value);
    }
    const char *near = suggest(q.word, WORDS, names);
    return refuse(&q, "unknown measure '%s'%s%s%s", q.word, near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
}
