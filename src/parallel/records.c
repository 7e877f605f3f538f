// Which process evaluates which record. Records are resolved on the layout of the whole model, as a run on one process
// does it: the same names, units and messages.
#include "parallel/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/sensor.h"
#include "sim/quantity.h"

static zn_status refuse(const zn_sim_def *def, const zn_record_def *record, const char *why)
{
    return zn_fail(&def->log, ZN_ERR_UNSUPPORTED, "%srecord '%s': %s; use one process, or leave it out",
                   record->place ? record->place : "", record->name, why);
}

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list) != 0)
        list++;
    return *list != NULL;
}

// Whoever has all of its nodes.
static zn_status place_sensor(const zn_system *whole, const zn_partition *p, const zn_sim_def *def,
                              const zn_record_def *record, const zn_quantity *quantity, zn_joined_record *out)
{
    const zn_sensor *sensor = quantity->sensor;
    int              node[ZN_SENSOR_NODES], count = zn_sensor_nodes(sensor, node);
    if (quantity->count > 1 || quantity->change || sensor->kind == ZN_SENSOR_MEMORY)
        return refuse(def, record, "it shows several numbers, or a change, which processes do not share yet");
    if (sensor->kind == ZN_SENSOR_READING) {
        out->rank = p->part[whole->model->group[sensor->group].part[sensor->element]];
        return out->rank >= 0 ? ZN_OK : refuse(def, record, "its part is on several processes");
    }
    ZN_TRY(zn_partition_holder(p, whole->model, count, node, &out->rank));
    return out->rank >= 0 ? ZN_OK : refuse(def, record, "what it looks at is on several processes");
}

static zn_status place_contact(const zn_partition *p, const zn_sim_def *def, const zn_record_def *record,
                               const zn_quantity *quantity, zn_joined_record *out)
{
    static const char *const sums[] = {"impulse", "force", NULL};
    out->rank = p->rule[quantity->index];
    if (out->rank != ZN_SCATTERED)
        return ZN_OK;
    if (is_one_of(quantity->kind->name, sums))
        out->joining = ZN_JOIN_SUM;
    else if (strcmp(quantity->kind->name, "gap") == 0)
        out->joining = ZN_JOIN_LEAST;
    else
        return refuse(def, record, "its contacts are on several processes");
    return ZN_OK;
}

static zn_status place_nodes(const zn_partition *p, const zn_sim_def *def, const zn_record_def *record,
                             const zn_quantity *quantity, zn_joined_record *out)
{
    for (int i = 0; i < quantity->count; i++) {
        int node = quantity->map ? quantity->map[i] : quantity->index + i;
        if (i > 0 && p->owner[node] != out->rank)
            return refuse(def, record, "its nodes are on several processes");
        out->rank = p->owner[node];
    }
    return out->rank >= 0 ? ZN_OK : refuse(def, record, "nothing is attached to its node");
}

static zn_status place(const zn_system *whole, const zn_partition *p, const zn_sim_def *def,
                       const zn_record_def *record, const zn_quantity *quantity, zn_joined_record *out)
{
    static const char *const energies[] = {"kinetic", "strain", "gravity", "energy", NULL};
    *out = (zn_joined_record){.joining = ZN_JOIN_ONE, .rank = -1, .local = -1};
    if (quantity->formula)
        return refuse(def, record, "formulas are not shared by processes yet");
    if (quantity->sensor)
        return place_sensor(whole, p, def, record, quantity, out);
    const char *owner = quantity->kind->owner;
    if (strcmp(owner, "node") == 0)
        return place_nodes(p, def, record, quantity, out);
    if (strcmp(owner, "contact") == 0 || strcmp(owner, "joint") == 0)
        return place_contact(p, def, record, quantity, out);
    if (*owner != '\0' && strcmp(owner, "part") != 0)
        return refuse(def, record, "it is not shared by processes yet");
    out->joining = *owner != '\0' && is_one_of(quantity->kind->name, energies) ? ZN_JOIN_SUM : ZN_JOIN_SAME;
    return ZN_OK;
}

static zn_status resolve(const zn_sim *sim, const zn_partition *p, int rank, int i, zn_records *out)
{
    const zn_record_def *def = &sim->def.records[i];
    zn_quantity          quantity = {0};
    zn_joined_record    *record = &out->record[i];
    zn_series           *series = &out->series[i];
    zn_status            status = zn_quantity_resolve(sim, def, &quantity, series);
    if (status == ZN_OK)
        status = place(sim->sys, p, &sim->def, def, &quantity, record);
    zn_quantity_clear(&quantity);
    ZN_TRY(status);
    series->name = zn_copy_string(def->name);
    series->path = zn_copy_string(def->path);
    out->count = i + 1;
    if (!series->name || !series->path)
        return ZN_ERR_MEMORY;
    series->offset = out->columns;
    out->columns += series->columns;
    if (record->joining == ZN_JOIN_ONE && record->rank != rank)
        return ZN_OK;
    record->local = out->own_columns;
    out->own_columns += series->columns;
    out->own[out->own_count++] = *def;
    return ZN_OK;
}

zn_status zn_records_create(const zn_system *whole, const zn_partition *p, const zn_sim_def *def, int rank,
                            zn_records *out)
{
    zn_sim     sim = {.sys = whole, .def = *def}; // as much of it as names ask for
    zn_records records = {.series = ZN_NEW(zn_series, def->record_count),
                          .record = ZN_NEW(zn_joined_record, def->record_count),
                          .own = ZN_NEW(zn_record_def, def->record_count)};
    zn_status  status = records.series && records.record && records.own ? ZN_OK : ZN_ERR_MEMORY;
    sim.def.recorder = (zn_recorder){0}; // what is NaN is told by the run
    for (int i = 0; i < def->record_count && status == ZN_OK; i++)
        status = resolve(&sim, p, rank, i, &records);
    if (status != ZN_OK)
        zn_records_destroy(&records);
    else
        *out = records;
    return status;
}

void zn_records_destroy(zn_records *records)
{
    for (int i = 0; i < records->count; i++) {
        free((char *)records->series[i].name);
        free((char *)records->series[i].path);
    }
    free(records->series);
    free(records->record);
    free(records->own);
    *records = (zn_records){0};
}
