// The contacts of a step, sorted by persistent id. Refreshing asks each rule what is near, in rule order and
// ascending numbers and features, so the new list comes out sorted; results of the last step move along by id.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/blame.h"
#include "base/memory.h"
#include "model/contact/facet_memory.h"
#include "system/capture.h"
#include "system/contact_scratch.h"

enum { RESULTS = 4 }; // arrays of results per row: impulse, velocity, approach, projection, one after the other

static zn_status reserve_ids(zn_contact_list *list, int count)
{
    int same = list->id_capacity; // the arrays grow alike
    ZN_TRY(zn_grow(&list->id_piece, &same, count, sizeof *list->id_piece));
    return zn_grow(&list->id, &list->id_capacity, count, sizeof *list->id);
}

// Room for what the rules find, and what they want for it.
static zn_status reserve_list(const zn_system *sys, zn_contact_list *list)
{
    for (int r = 0; r < sys->model->rules; r++) {
        const zn_contact_rule *rule = &sys->model->rule[r];
        if (rule->ops->detect)
            ZN_TRY(zn_contact_list_reserve(list, rule->room));
        if (rule->ops->scratch)
            ZN_TRY(zn_contact_list_scratch(list, rule->ops->scratch(rule->parameter)));
    }
    return reserve_ids(list, sys->contact_capacity);
}

// Arrays for `capacity` contacts, all else empty.
static zn_status allocate(int capacity, int stride, int row_capacity, zn_contact_set *set)
{
    ZN_ASSERT(capacity >= 0 && row_capacity >= 0 && stride >= 1 && stride <= ZN_CONTACT_ROWS);
    int rows = capacity * stride;
    set->capacity = capacity;
    set->stride = stride;
    set->row_capacity = row_capacity;
    set->id = ZN_NEW(zn_contact_id, capacity);
    set->piece = ZN_NEW(int, capacity);
    set->bilateral = ZN_NEW(bool, capacity);
    set->turns = ZN_NEW(int, capacity);
    set->gap = ZN_NEW(double, 9 * (size_t)capacity); // gap and law
    set->row_start = ZN_NEW(int, rows + 1);
    set->row_dof = ZN_NEW(int, set->row_capacity);
    set->row_value = ZN_NEW(double, set->row_capacity);
    set->impulse = ZN_NEW(double, 2 * RESULTS * (size_t)rows); // all results, twice for a refresh
    if (!set->id || !set->piece || !set->bilateral || !set->turns || !set->gap || !set->row_start || !set->row_dof ||
        !set->row_value || !set->impulse)
        return ZN_ERR_MEMORY;
    set->rate = set->gap + capacity;
    set->restitution = set->rate + capacity;
    set->friction = set->restitution + capacity;
    set->tangential_restitution = set->friction + capacity;
    set->restitution_from = set->tangential_restitution + capacity;
    set->rolling = set->restitution_from + capacity;
    set->spinning = set->rolling + capacity;
    set->lever = set->spinning + capacity;
    set->velocity = set->impulse + rows;
    set->approach = set->velocity + rows;
    set->projection = set->approach + rows;
    return ZN_OK;
}

static void release(zn_contact_set *set)
{
    free(set->id);
    free(set->piece);
    free(set->bilateral);
    free(set->turns);
    free(set->gap);
    free(set->row_start);
    free(set->row_dof);
    free(set->row_value);
    free(set->impulse);
}

static zn_status reserve_works(zn_contact_works *w, int capacity)
{
    double **numbers[] = {&w->work, &w->gift, &w->sum};
    for (int k = 0; k < 3; k++) {
        int room = w->capacity;
        ZN_TRY(zn_grow(numbers[k], &room, capacity, sizeof **numbers[k]));
    }
    return zn_grow(&w->group, &w->capacity, capacity, sizeof *w->group);
}

static zn_status create_scratch(const zn_system *sys, struct zn_contact_scratch **out)
{
    struct zn_contact_scratch *s = *out = ZN_NEW(struct zn_contact_scratch, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->change = ZN_NEW(double, sys->info.n_all);
    s->q = ZN_NEW(double, sys->info.nq);
    s->works.owner = ZN_NEW(int, sys->info.n_all);
    if (!s->change || !s->q || !s->works.owner)
        return ZN_ERR_MEMORY;
    ZN_TRY(reserve_works(&s->works, sys->contact_capacity));
    return reserve_list(sys, &s->near);
}

static void destroy_scratch(struct zn_contact_scratch *s)
{
    if (!s)
        return;
    free(s->near.id);
    free(s->near.id_piece);
    free(s->near.piece);
    free(s->near.feature);
    free(s->near.number);
    free(s->near.spare);
    free(s->near.scratch);
    zn_facet_memories_destroy(s->near.facets);
    free(s->near.candidates.pair);
    for (int k = 0; k < ZN_FEATURE_PARTS; k++) {
        free(s->near.part[k].found.pair);
        free(s->near.part[k].all.pair);
    }
    free(s->near.features);
    zn_broad_pairs_clear(&s->near.pairs);
    free(s->works.work);
    free(s->works.gift);
    free(s->works.sum);
    free(s->works.group);
    free(s->works.owner);
    free(s->change);
    free(s->q);
    free(s);
}

zn_status zn_contact_set_create(const zn_system *sys, zn_contact_set **out)
{
    ZN_ALIVE(sys);
    if (!sys || !out)
        return ZN_ERR_ARGUMENT;
    zn_contact_set *set = ZN_NEW(zn_contact_set, 1);
    if (!set)
        return ZN_ERR_MEMORY;
    set->listed_at = NAN;
    set->captured_id = zn_contact_id_none();
    zn_status status = allocate(sys->contact_capacity, sys->contact_rows, sys->entry_capacity, set);
    if (status != ZN_OK || create_scratch(sys, &set->scratch) != ZN_OK) {
        zn_contact_set_destroy(set);
        return ZN_ERR_MEMORY;
    }
    *out = set;
    return ZN_OK;
}

zn_contact_set *zn_contact_set_destroy(zn_contact_set *set)
{
    ZN_ALIVE(set);
    if (!set)
        return NULL;
    destroy_scratch(set->scratch);
    release(set);
    zn_retire(set, sizeof *set);
    return NULL;
}

#define COPY(field, count) memcpy(to->field, from->field, sizeof *to->field *(size_t)(count))

// Room suffices.
static void copy(const zn_contact_set *from, zn_contact_set *to)
{
    ZN_ASSERT(from != to && from->stride == to->stride && from->count <= to->capacity);
    ZN_ASSERT(from->row_start[from->count * from->stride] <= to->row_capacity);
    int count = from->count, rows = from->count * from->stride;
    to->count = from->count;
    to->has_rows = from->has_rows;
    to->listed_at = from->listed_at;
    to->captured = from->captured;
    to->captured_id = from->captured_id;
    COPY(id, count);
    COPY(piece, count);
    COPY(bilateral, count);
    COPY(gap, count);
    COPY(rate, count);
    COPY(restitution, count);
    COPY(friction, count);
    COPY(tangential_restitution, count);
    COPY(rolling, count);
    COPY(spinning, count);
    COPY(lever, count);
    COPY(turns, count);
    COPY(restitution_from, count);
    COPY(row_start, rows + 1);
    COPY(row_dof, from->row_start[rows]);
    COPY(row_value, from->row_start[rows]);
    COPY(impulse, rows);
    COPY(velocity, rows);
    COPY(approach, rows);
    COPY(projection, rows);
}

// Make room for `count` contacts with `entries` entries in all rows. The set stays as it is.
zn_status zn_contact_set_reserve(zn_contact_set *set, int count, int entries)
{
    ZN_ASSERT(count >= 0 && entries >= 0);
    if (count <= set->capacity && entries <= set->row_capacity)
        return ZN_OK;
    zn_contact_set larger = *set;
    count += count / 4; // by a quarter more, so that a growing pile does not move at every step
    entries += entries / 4;
    zn_status status = allocate(count > set->capacity ? count : set->capacity, set->stride,
                                entries > set->row_capacity ? entries : set->row_capacity, &larger);
    if (status == ZN_OK)
        status = reserve_works(&set->scratch->works, larger.capacity);
    if (status != ZN_OK) {
        release(&larger);
        return status;
    }
    copy(set, &larger);
    release(set);
    *set = larger;
    return ZN_OK;
}

// The same for contacts whose rows are not known yet: refused at once where there is no memory for them.
static zn_status reserve_any(zn_contact_set *set, const zn_system *sys, int count)
{
    double rows = (double)count * sys->contact_rows, entries = count > set->capacity ? rows * sys->max_entries : 0;
    if (entries > INT_MAX / 2 || (count > 1000000 && 12 * entries + 64 * rows > zn_memory_there()))
        return zn_blame_crowd(count, "contacts are near");
    return zn_contact_set_reserve(set, count, (int)entries);
}

zn_status zn_contact_set_make_room(const zn_contact_set *from, zn_contact_set *to)
{
    ZN_ASSERT(from && to && from->stride == to->stride);
    return zn_contact_set_reserve(to, from->count, from->row_start[from->count * from->stride]);
}

zn_status zn_contact_set_copy(const zn_contact_set *from, zn_contact_set *to)
{
    ZN_ALIVE(from);
    ZN_ALIVE(to);
    ZN_TRY(zn_contact_set_make_room(from, to));
    copy(from, to);
    zn_contact_set_forget_place(to);
    return ZN_OK;
}

void zn_contact_set_clear(zn_contact_set *set, const zn_contact_set *like)
{
    ZN_ASSERT(set != like && set->stride == like->stride);
    set->count = set->row_start[0] = 0;
    set->has_rows = like->has_rows;
    set->listed_at = like->listed_at;
    set->captured = like->captured;
    set->captured_id = like->captured_id;
    zn_contact_set_forget_place(set);
}

#define APPEND(field) to->field[j] = from->field[i]

void zn_contact_set_append(const zn_contact_set *from, int i, const int *dof, zn_contact_set *to)
{
    ZN_ASSERT(from != to && from->stride == to->stride && i < from->count && to->count < to->capacity);
    int j = to->count++, stride = to->stride;
    APPEND(id);
    APPEND(piece);
    APPEND(bilateral);
    APPEND(gap);
    APPEND(rate);
    APPEND(restitution);
    APPEND(friction);
    APPEND(tangential_restitution);
    APPEND(rolling);
    APPEND(spinning);
    APPEND(lever);
    APPEND(turns);
    APPEND(restitution_from);
    for (int a = i * stride, b = j * stride; b < (j + 1) * stride; a++, b++) {
        to->row_start[b + 1] = to->row_start[b];
        for (int e = from->row_start[a]; e < from->row_start[a + 1]; e++) {
            int entry = to->row_start[b + 1]++;
            to->row_dof[entry] = dof[from->row_dof[e]];
            to->row_value[entry] = from->row_value[e];
        }
        to->impulse[b] = from->impulse[a];
        to->velocity[b] = from->velocity[a];
        to->approach[b] = from->approach[a];
        to->projection[b] = from->projection[a];
    }
}

// Two numbers, or what is left of them.
static inline void swap_piece(char *a, char *b, size_t size)
{
    char old[2 * sizeof(double)];
    memcpy(old, a, size);
    memcpy(a, b, size);
    memcpy(b, old, size);
}

// A set as a whole would go through the stack.
void zn_contact_set_swap(zn_contact_set *a, zn_contact_set *b)
{
    ZN_ASSERT(a != b && a->stride == b->stride);
    enum { PIECE = 2 * sizeof(double), WHOLE = sizeof(zn_contact_set) / PIECE * PIECE };
    char *x = (char *)a, *y = (char *)b;
    for (size_t k = 0; k < WHOLE; k += PIECE)
        swap_piece(x + k, y + k, PIECE);
    swap_piece(x + WHOLE, y + WHOLE, sizeof *a - WHOLE);
}

// --- checkpoints -----------------------------------------------------------------------------------

#define EXCHANGE(field, count) zn_blob_exchange(blob, set->field, (size_t)(count), sizeof *set->field)

static bool is_contact(const zn_contact_set *set, const zn_system *sys, int i)
{
    if (!zn_model_knows_contact(sys->model, set->id[i], set->piece[i]))
        return false;
    return i == 0 || zn_contact_id_compare(set->id[i - 1], set->id[i]) < 0;
}

static bool are_rows(const zn_contact_set *set, const zn_system *sys, int entries)
{
    int rows = set->count * set->stride;
    if (set->row_start[0] != 0 || set->row_start[rows] != entries)
        return false;
    for (int k = 0; k < rows; k++)
        if (set->row_start[k + 1] < set->row_start[k] || set->row_start[k + 1] - set->row_start[k] > sys->max_entries)
            return false;
    for (int e = 0; e < entries; e++)
        if (set->row_dof[e] < 0 || set->row_dof[e] >= sys->info.n_all)
            return false;
    return true;
}

// What was read is what the rules of this system could have found.
static bool is_sound(zn_contact_set *set, const zn_system *sys, int entries)
{
    if ((sys->fixed_contacts && set->count != sys->contact_capacity) || !are_rows(set, sys, entries))
        return false;
    for (int i = 0; i < set->count; i++) {
        int turns = set->turns[i];
        if (!is_contact(set, sys, i) || turns < 0 || // of its own law, which may roll more freely than others
            turns % 4 + turns / 4 > zn_contact_rule_of(sys, set->id[i])->turns)
            return false;
        set->bilateral[i] = zn_contact_rule_of(sys, set->id[i])->ops->bilateral;
    }
    return true;
}

zn_status zn_contact_set_exchange(zn_contact_set *set, const zn_system *sys, zn_blob *blob)
{
    ZN_ASSERT(set->stride == sys->contact_rows);
    int count = set->count, entries = set->row_start[set->count * set->stride], has_rows = set->has_rows;
    zn_blob_exchange_count(blob, &count, (size_t)(10 + RESULTS * set->stride) * sizeof(double));
    zn_blob_exchange_count(blob, &entries, sizeof(double));
    zn_blob_exchange(blob, &has_rows, 1, sizeof has_rows);
    zn_blob_exchange(blob, &set->listed_at, 1, sizeof set->listed_at);
    if (blob->failed)
        return blob->loading ? ZN_ERR_ARGUMENT : ZN_ERR_MEMORY;
    ZN_TRY(zn_contact_set_reserve(set, count, entries));
    int rows = count * set->stride;
    set->count = count;
    set->has_rows = has_rows != 0;
    EXCHANGE(id, count);
    EXCHANGE(piece, count);
    EXCHANGE(turns, count);
    double *per_contact[] = {set->gap,
                             set->rate,
                             set->restitution,
                             set->friction,
                             set->tangential_restitution,
                             set->restitution_from,
                             set->rolling,
                             set->spinning,
                             set->lever};
    double *per_row[RESULTS] = {set->impulse, set->velocity, set->approach, set->projection};
    for (size_t i = 0; i < sizeof per_contact / sizeof *per_contact; i++)
        zn_blob_exchange(blob, per_contact[i], (size_t)count, sizeof(double));
    for (int i = 0; i < RESULTS; i++)
        zn_blob_exchange(blob, per_row[i], (size_t)rows, sizeof(double));
    EXCHANGE(row_start, rows + 1);
    EXCHANGE(row_dof, entries);
    EXCHANGE(row_value, entries);
    if (blob->loading)
        zn_contact_set_forget_place(set);
    if (blob->failed)
        return blob->loading ? ZN_ERR_ARGUMENT : ZN_ERR_MEMORY;
    return blob->loading && !is_sound(set, sys, entries) ? ZN_ERR_ARGUMENT : ZN_OK;
}

// --- refreshing ------------------------------------------------------------------------------------

zn_status zn_contact_rule_find(const zn_system *sys, const zn_contact_rule *rule, const double *q, double t,
                               zn_contact_list *list)
{
    list->count = 0;
    list->feet[0].rule = list->feet[1].rule = NULL;
    if (list->capacity > 0) {
        memset(list->feature, 0, sizeof *list->feature * (size_t)list->capacity);
        memset(list->piece, 0, sizeof *list->piece * (size_t)list->capacity);
    }
    return rule->ops->detect(rule->parameter, &sys->layout, q, t, list);
}

// What rule r finds into the scratch.
static zn_status list_rule(const zn_contact_set *set, int r, zn_capture *capture)
{
    zn_contact_list       *list = &set->scratch->near;
    const zn_contact_rule *rule = &capture->sys->model->rule[r];
    list->count = 0;
    if (rule->ops->detect)
        ZN_TRY(zn_contact_rule_find(capture->sys, rule, capture->q, capture->t, list));
    return rule->ops->depth ? zn_capture_filter(capture, r, list) : ZN_OK;
}

// Ids and places of all contacts that are near, ascending, in the scratch; room for them in the set.
static zn_status list_contacts(zn_contact_set *set, const zn_contact_set *from, const zn_system *sys, const double *q,
                               double t, zn_reach reach)
{
    zn_contact_list *list = &set->scratch->near;
    zn_capture       capture = zn_capture_begin(sys, from, q, reach.v, t, reach.moved);
    list->ids = 0;
    list->v = reach.horizon > 0 ? reach.v : NULL;
    list->horizon = reach.horizon;
    list->margin = reach.margin;
    list->deeper = 0;
    list->motion = (zn_motion){reach.v, reach.ahead, reach.since};
    for (int r = 0; r < sys->model->rules; r++) {
        const zn_contact_rule *rule = &sys->model->rule[r];
        ZN_TRY(list_rule(set, r, &capture));
        bool detected = rule->ops->detect != NULL;
        int  found = detected ? list->count : rule->member ? rule->members : (int)rule->max_contacts;
        ZN_TRY(reserve_ids(list, list->ids + found));
        for (int k = 0; k < found; k++, list->ids++) {
            list->id[list->ids] = detected ? zn_contact_id_make(r, list->number[k], list->feature[k])
                                           : zn_contact_id_make(r, rule->member ? rule->member[k] : k, 0);
            list->id_piece[list->ids] = detected ? list->piece[k] : 0;
        }
    }
    set->listed_at = t;
    set->captured = capture.deepest;
    set->captured_id = capture.id;
    return reserve_any(set, sys, list->ids);
}

// Each id after the one before it (for assertions).
static bool ascend(int count, const zn_contact_id *id)
{
    for (int i = 1; i < count; i++)
        if (zn_contact_id_compare(id[i - 1], id[i]) >= 0)
            return false;
    return true;
}

// Merge: results of contacts that stay, from arrays with `rows` places each, zero for new ones. Both lists ascend.
static void carry_results(zn_contact_set *set, const zn_contact_set *from, const double *old, int old_rows)
{
    const zn_contact_list *near = &set->scratch->near;
    ZN_ASSERT(near->ids <= set->capacity && from->stride == set->stride);
    ZN_ASSERT(ascend(near->ids, near->id));
    int                  stride = set->stride, rows = set->capacity * stride, count = near->ids;
    const zn_contact_id *id = near->id;
    for (int i = 0, j = 0; i < count; i++) {
        while (j < from->count && zn_contact_id_compare(from->id[j], id[i]) < 0)
            j++;
        bool stays = j < from->count && zn_contact_id_same(from->id[j], id[i]);
        for (int k = 0; k < RESULTS; k++)
            for (int r = 0; r < stride; r++)
                set->impulse[k * rows + i * stride + r] = stays ? old[k * old_rows + j * stride + r] : 0;
    }
    if (count > 0) {
        memcpy(set->id, id, sizeof *id * (size_t)count);
        memcpy(set->piece, near->id_piece, sizeof *set->piece * (size_t)count);
    }
    set->count = count;
    zn_contact_set_forget_place(set);
}

zn_status zn_contact_set_refresh(zn_contact_set *set, const zn_system *sys, const double *q, double t)
{
    ZN_ALIVE(set);
    ZN_ALIVE(sys);
    return zn_contact_set_refresh_within(set, sys, q, t, (zn_reach){0});
}

zn_status zn_contact_set_refresh_within(zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                        zn_reach reach)
{
    ZN_ASSERT(q && set->stride == sys->contact_rows);
    if (!sys->fixed_contacts || set->count != set->capacity) {
        ZN_TRY(list_contacts(set, set, sys, q, t, reach));
        int     rows = set->capacity * set->stride;
        double *old = set->impulse + RESULTS * rows;
        memcpy(old, set->impulse, sizeof *old * RESULTS * (size_t)rows);
        carry_results(set, set, old, rows);
        return zn_contact_set_evaluate_found(set, sys, q, t);
    }
    return zn_contact_set_evaluate(set, sys, q, t);
}

zn_status zn_contact_set_follow(zn_contact_set *set, const zn_contact_set *from, const zn_system *sys, const double *q,
                                double t, zn_reach reach)
{
    ZN_ASSERT(set != from && q);
    ZN_TRY(list_contacts(set, from, sys, q, t, reach));
    carry_results(set, from, from->impulse, from->capacity * from->stride);
    set->has_rows = false; // until they are evaluated
    return zn_contact_set_evaluate_after(set, from, sys, q, t);
}

// The contacts are those of the list from now on; results stay.
static zn_status take_list(zn_contact_set *set, const zn_system *sys)
{
    ZN_TRY(reserve_any(set, sys, set->scratch->near.ids));
    int     rows = set->capacity * set->stride;
    double *old = set->impulse + RESULTS * rows;
    memcpy(old, set->impulse, sizeof *old * RESULTS * (size_t)rows);
    carry_results(set, set, old, rows);
    set->has_rows = false;
    zn_contact_set_forget_place(set);
    return ZN_OK;
}

zn_status zn_contact_set_leave(zn_contact_set *set, const zn_system *sys, int i)
{
    ZN_ASSERT(i >= 0 && i < set->count);
    zn_contact_list *list = &set->scratch->near;
    ZN_TRY(reserve_ids(list, set->count));
    for (int k = 0; k + 1 < set->count; k++) {
        list->id[k] = set->id[k + (k >= i)];
        list->id_piece[k] = set->piece[k + (k >= i)];
    }
    list->ids = set->count - 1;
    return take_list(set, sys);
}

zn_status zn_contact_set_join(zn_contact_set *set, const zn_system *sys, int count, const zn_contact_id *id,
                              const int *piece)
{
    zn_contact_list *list = &set->scratch->near;
    ZN_TRY(reserve_ids(list, set->count + count));
    list->ids = 0;
    for (int i = 0, k = 0; i < set->count || k < count; list->ids++) {
        int  order = i == set->count ? 1 : k == count ? -1 : zn_contact_id_compare(set->id[i], id[k]);
        bool joins = order > 0;
        list->id[list->ids] = joins ? id[k] : set->id[i];
        list->id_piece[list->ids] = joins ? piece[k] : set->piece[i];
        i += order <= 0;
        k += order >= 0;
    }
    return take_list(set, sys);
}

double zn_reach_of_projection(const zn_system *sys, const double *v, double h)
{
    ZN_ASSERT(v && h > 0);
    double fastest = 0;
    for (int i = 0; i < sys->info.n; i++)
        if (!sys->rotational[i] && fabs(v[i]) > fastest)
            fastest = fabs(v[i]);
    return 2 * h * zn_system_max(sys, fastest);
}

const char *zn_contact_name(const zn_system *sys, zn_contact_id id)
{
    ZN_ALIVE(sys);
    if (!sys)
        return NULL;
    int rule = zn_contact_id_rule(id);
    return !zn_contact_id_is_none(id) && rule < sys->model->rules ? sys->model->rule[rule].name : "";
}
