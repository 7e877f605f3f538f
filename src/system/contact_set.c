// The contacts of a step, sorted by persistent id = rule << 32 | number. Refreshing asks each rule what is near,
// in rule order and ascending numbers, so the new list comes out sorted; results of the last step move along by id.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "system/system.h"

enum { RESULTS = 4 }; // arrays of results: impulse, velocity, projection, approach, one after the other

static int64_t make_id(int rule, int number) { return ((int64_t)rule << 32) | number; }
static int     rule_of(int64_t id) { return (int)(id >> 32); }
static int     number_of(int64_t id) { return (int)(id & 0xffffffff); }

zn_status zn_contact_set_create(const zn_system *sys, zn_contact_set **out)
{
    int             capacity = sys->contact_capacity;
    zn_contact_set *set = ZN_NEW(zn_contact_set, 1);
    if (!set)
        return ZN_ERR_MEMORY;
    set->capacity = capacity;
    set->row_capacity = sys->entry_capacity;
    set->id = ZN_NEW(int64_t, 2 * (size_t)capacity); // the second half: ids before a refresh
    set->near = ZN_NEW(int, capacity);
    set->gap = ZN_NEW(double, capacity);
    set->restitution = ZN_NEW(double, capacity);
    set->row_start = ZN_NEW(int, capacity + 1);
    set->row_dof = ZN_NEW(int, set->row_capacity);
    set->row_value = ZN_NEW(double, set->row_capacity);
    set->impulse = ZN_NEW(double, 2 * RESULTS * (size_t)capacity); // all results, twice for a refresh
    if (!set->id || !set->near || !set->gap || !set->restitution || !set->row_start || !set->row_dof ||
        !set->row_value || !set->impulse) {
        zn_contact_set_destroy(set);
        return ZN_ERR_MEMORY;
    }
    set->velocity = set->impulse + capacity;
    set->projection = set->velocity + capacity;
    set->approach = set->projection + capacity;
    *out = set;
    return ZN_OK;
}

zn_contact_set *zn_contact_set_destroy(zn_contact_set *set)
{
    if (!set)
        return NULL;
    free(set->id);
    free(set->near);
    free(set->gap);
    free(set->restitution);
    free(set->row_start);
    free(set->row_dof);
    free(set->row_value);
    free(set->impulse);
    free(set);
    return NULL;
}

#define COPY(field, count) memcpy(to->field, from->field, sizeof *to->field * (size_t)(count))

void zn_contact_set_copy(const zn_contact_set *from, zn_contact_set *to)
{
    to->count = from->count;
    COPY(id, from->count);
    COPY(gap, from->count);
    COPY(restitution, from->count);
    COPY(row_start, from->count + 1);
    COPY(row_dof, from->row_start[from->count]);
    COPY(row_value, from->row_start[from->count]);
    COPY(impulse, from->count);
    COPY(velocity, from->count);
    COPY(projection, from->count);
    COPY(approach, from->count);
}

// Ids of all contacts that are near, ascending.
static zn_status list_contacts(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                               int64_t *id, int *count)
{
    *count = 0;
    for (int r = 0; r < sys->model->rules; r++) {
        const zn_contact_rule *rule = &sys->model->rule[r];
        zn_contact_list        list = {.capacity = rule->max_contacts, .number = set->near};
        if (rule->ops->detect)
            ZN_TRY(rule->ops->detect(rule->parameter, &sys->layout, q, t, &list));
        for (int k = 0; k < (rule->ops->detect ? list.count : rule->max_contacts); k++)
            id[(*count)++] = make_id(r, rule->ops->detect ? list.number[k] : k);
    }
    return ZN_OK;
}

// Merge: keep results of contacts that stay, zero for new ones. Both lists ascend.
static void carry_results(zn_contact_set *set, const int64_t *id, int count)
{
    int     capacity = set->capacity;
    double *old = set->impulse + RESULTS * capacity;
    memcpy(old, set->impulse, sizeof *old * RESULTS * (size_t)capacity);
    for (int i = 0, j = 0; i < count; i++) {
        while (j < set->count && set->id[j] < id[i])
            j++;
        bool stays = j < set->count && set->id[j] == id[i];
        for (int k = 0; k < RESULTS; k++)
            set->impulse[k * capacity + i] = stays ? old[k * capacity + j] : 0;
    }
    memmove(set->id, id, sizeof *id * (size_t)count);
    set->count = count;
}

zn_status zn_contact_set_refresh(zn_contact_set *set, const zn_system *sys, const double *q, double t)
{
    if (!sys->fixed_contacts || set->count != set->capacity) {
        int64_t *id = set->id + set->capacity;
        int      count;
        ZN_TRY(list_contacts(set, sys, q, t, id, &count));
        carry_results(set, id, count);
    }
    return zn_contact_set_evaluate(set, sys, q, t);
}

zn_status zn_contact_set_evaluate(zn_contact_set *set, const zn_system *sys, const double *q, double t)
{
    ZN_TRY(zn_system_checkpoint(sys));
    int entry = 0;
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = &sys->model->rule[rule_of(set->id[i])];
        zn_contact_product     product = {.dof = set->row_dof + entry, .value = set->row_value + entry};
        ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, number_of(set->id[i]), q, t, &product));
        set->gap[i] = product.gap;
        set->restitution[i] = product.restitution;
        set->row_start[i] = entry;
        entry += product.entries;
    }
    set->row_start[set->count] = entry;
    return ZN_OK;
}

zn_status zn_contact_set_gaps(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                              double *gap)
{
    ZN_TRY(zn_system_checkpoint(sys));
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = &sys->model->rule[rule_of(set->id[i])];
        zn_contact_product     product = {0};
        ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, number_of(set->id[i]), q, t, &product));
        gap[i] = product.gap;
    }
    return ZN_OK;
}

zn_status zn_contact_set_curvature(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                   const double *lambda, const double *x, double *y)
{
    ZN_TRY(zn_system_checkpoint(sys));
    memset(y, 0, sizeof *y * (size_t)sys->info.n_all);
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = &sys->model->rule[rule_of(set->id[i])];
        ZN_TRY(rule->ops->curvature(rule->parameter, &sys->layout, number_of(set->id[i]), q, t, lambda[i], x, y));
    }
    return ZN_OK;
}

const char *zn_contact_name(const zn_system *sys, int64_t id)
{
    int rule = rule_of(id);
    return id >= 0 && rule < sys->model->rules ? sys->model->rule[rule].name : "";
}
