// Recorder into growing arrays.
#include "memory_recorder.h"

#include <stdlib.h>
#include <string.h>

// Room for `need` elements in `*array`, at least doubling it.
static bool reserve(void *array, int64_t *capacity, int64_t need, size_t size)
{
    if (need <= *capacity)
        return true;
    int64_t room = 2 * *capacity > need ? 2 * *capacity : need;
    void *old, *grown;
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
    int64_t capacity = r->row_capacity;
    size_t width = r->columns > 0 ? (size_t)r->columns : 1;
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
