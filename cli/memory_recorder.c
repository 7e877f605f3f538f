// Recorder into growing arrays.
#include "memory_recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for `need` elements in `*array`, at least doubling it.
static bool reserve(void *array, int64_t *capacity, int64_t need, size_t size)
{
    if (need <= *capacity)
        return true;
    int64_t room = 2 * *capacity > need ? 2 * *capacity : need;
    void   *old, *grown;
    if ((uint64_t)room > SIZE_MAX / size)
        return false;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, (size_t)room * size);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = room;
    return true;
}

static zn_status begin(void *user, int series_count, const zn_series *series, int columns)
{
    memory_record *r = user;
    r->columns = columns;
    r->series = calloc((size_t)series_count + 1, sizeof *r->series);
    if (r->series == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < series_count; i++, r->series_count++) {
        r->series[i] = (memory_series){.name = strdup(series[i].name),
                                       .components = strdup(series[i].components),
                                       .offset = series[i].offset,
                                       .columns = series[i].columns};
        if (r->series[i].name == NULL || r->series[i].components == NULL) {
            r->series_count++;
            return ZN_ERR_MEMORY;
        }
    }
    return ZN_OK;
}

static zn_status row(void *user, double t, const double *values)
{
    memory_record *r = user;
    int64_t        capacity = r->row_capacity;
    size_t         width = r->columns > 0 ? (size_t)r->columns : 1;
    if (!reserve(&r->values, &capacity, r->rows + 1, sizeof(double) * width) ||
        !reserve(&r->t, &r->row_capacity, r->rows + 1, sizeof(double)))
        return ZN_ERR_MEMORY;
    r->t[r->rows] = t;
    memcpy(r->values + (size_t)r->rows * (size_t)r->columns, values, sizeof(double) * (size_t)r->columns);
    r->rows++;
    return ZN_OK;
}

static zn_status event(void *user, const zn_event *e)
{
    memory_record *r = user;
    if (!reserve(&r->events, &r->event_capacity, r->event_count + 1, sizeof *r->events))
        return ZN_ERR_MEMORY;
    zn_result_event *slot = &r->events[r->event_count++];
    *slot = (zn_result_event){.impact = e->impact,
                              .open = e->open,
                              .closed_at = e->closed_at,
                              .opened_at = e->opened_at,
                              .impulse = e->impulse,
                              .peak_force = e->peak_force,
                              .approach = e->approach};
    if (e->name != NULL)
        memcpy(slot->name, e->name, strnlen(e->name, sizeof slot->name - 1));
    if (e->pair != NULL)
        memcpy(slot->pair, e->pair, strnlen(e->pair, sizeof slot->pair - 1));
    return ZN_OK;
}

static zn_status end(void *user, const zn_certificate *certificate, zn_status outcome)
{
    memory_record *r = user;
    r->certificate = *certificate;
    r->outcome = outcome;
    return ZN_OK;
}

zn_recorder memory_recorder(memory_record *record)
{
    return (zn_recorder){.user = record, .begin = begin, .row = row, .event = event, .end = end};
}

void memory_record_free(memory_record *record)
{
    for (int i = 0; i < record->series_count; i++) {
        free(record->series[i].name);
        free(record->series[i].components);
    }
    free(record->series);
    free(record->t);
    free(record->values);
    free(record->events);
    *record = (memory_record){0};
}

// --- columns -------------------------------------------------------------------------------------

const memory_series *memory_record_series(const memory_record *r, const char *name, size_t length)
{
    for (int i = 0; i < r->series_count; i++)
        if (strlen(r->series[i].name) == length && strncmp(r->series[i].name, name, length) == 0)
            return &r->series[i];
    return NULL;
}

int word_index(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (int i = 0; *words != '\0'; i++) {
        size_t here = strcspn(words, " ");
        if (here == length && strncmp(words, word, length) == 0)
            return i;
        words += here + strspn(words + here, " ");
    }
    return -1;
}

// Columns without names are counted from 0.
static int component_index(const memory_series *s, const char *word)
{
    char *end;
    if (s->components[0] != '\0' || *word < '0' || *word > '9')
        return word_index(s->components, word);
    long index = strtol(word, &end, 10);
    return *end == '\0' && index < s->columns ? (int)index : -1;
}

bool memory_record_column(const memory_record *r, const char *name, int *column, char *message, size_t size)
{
    const memory_series *s = memory_record_series(r, name, strlen(name));
    const char          *dot = strrchr(name, '.');
    if (s != NULL && s->columns == 1) {
        *column = s->offset;
        return true;
    }
    if (s != NULL && s->components[0] == '\0') {
        snprintf(message, size, "record '%s' has %d columns: say which, %s.0", name, s->columns, name);
        return false;
    }
    if (s != NULL) {
        snprintf(message, size, "record '%s' has the components %s: say which", name, s->components);
        return false;
    }
    s = dot != NULL ? memory_record_series(r, name, (size_t)(dot - name)) : NULL;
    if (s == NULL) {
        snprintf(message, size, "there is no record '%s'", name);
        return false;
    }
    int index =
        s->columns == 1 && s->components[0] == '\0' ? 0 : component_index(s, dot + 1); // a force without friction
    if (index < 0) {
        snprintf(message, size, "record '%s' has no component '%s'%s%s%s", s->name, dot + 1,
                 s->components[0] != '\0' ? " (" : "", s->components, s->components[0] != '\0' ? ")" : "");
        return false;
    }
    *column = s->offset + index;
    return true;
}
