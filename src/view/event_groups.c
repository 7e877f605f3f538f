// Groups of events. Two passes over the file, a block at a time: the first finds names, the span, and the longest and
// the strongest of each name; the second collects groups of one and merges whenever the room is full, in parts twice as
// long as often as that is not enough. Long parts consist of short ones, so nothing is read again.
#include "view/event_groups.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/names.h"

enum { BLOCK = 1024, PARTS = 1 << 14 };

typedef struct standout { // of one name
    double  length, impulse;
    int64_t longest, strongest; // numbers of events
} standout;

typedef struct grouping {
    int64_t         count, most, room;
    zn_names        names;
    standout       *best; // one per name
    int             best_capacity;
    double          start, end;
    int             parts;
    zn_event_groups groups;
} grouping;

typedef zn_status each_event(grouping *g, int64_t number, const zn_result_event *e);

static zn_status walk(grouping *g, zn_event_read *read, const void *user, each_event *visit)
{
    zn_result_event *events = ZN_NEW(zn_result_event, BLOCK);
    zn_status        status = events == NULL ? ZN_ERR_MEMORY : ZN_OK;
    for (int64_t first = 0; first < g->count && status == ZN_OK; first += BLOCK) {
        int64_t size = g->count - first < BLOCK ? g->count - first : BLOCK;
        status = read(user, first, size, events);
        for (int64_t i = 0; i < size && status == ZN_OK; i++)
            status = visit(g, first + i, &events[i]);
    }
    free(events);
    return status;
}

// --- first pass ----------------------------------------------------------------------------------

static int name_of(const grouping *g, const char *name)
{
    const zn_named *known = zn_names_find(&g->names, name);
    return known != NULL ? (int)(known - g->names.entry) : -1;
}

static zn_status look(grouping *g, int64_t number, const zn_result_event *e)
{
    double length = e->opened_at - e->closed_at;
    int    name = name_of(g, e->name);
    g->start = fmin(g->start, e->closed_at);
    g->end = fmax(g->end, e->opened_at);
    if (name < 0) {
        name = g->names.count;
        ZN_TRY(zn_names_add(&g->names, e->name, (zn_named){.kind = ZN_NAMED_CONTACT}));
        ZN_TRY(zn_grow(&g->best, &g->best_capacity, name + 1, sizeof *g->best));
        g->best[name] = (standout){length, e->impulse, number, number};
    }
    standout *best = &g->best[name];
    if (length > best->length || isnan(best->length)) {
        best->length = length;
        best->longest = number;
    }
    if (e->impulse > best->impulse || isnan(best->impulse)) {
        best->impulse = e->impulse;
        best->strongest = number;
    }
    return ZN_OK;
}

// --- second pass ---------------------------------------------------------------------------------

static int compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int by_place(const void *a, const void *b)
{
    const zn_event_group *p = a, *q = b;
    int                   order = compare(p->name, q->name);
    order = order != 0 ? order : compare(p->alone, q->alone);
    order = order != 0 ? order : compare(p->begin, q->begin);
    order = order != 0 ? order : compare(p->end, q->end);
    return order != 0 ? order : compare(p->first, q->first);
}

static int by_first(const void *a, const void *b)
{
    return compare(((const zn_event_group *)a)->first, ((const zn_event_group *)b)->first);
}

static bool belong_together(const zn_event_group *a, const zn_event_group *b)
{
    return a->name == b->name && !a->alone && !b->alone && a->begin == b->begin && a->end == b->end;
}

static void join(zn_event_group *into, const zn_event_group *from)
{
    if (from->strongest.impulse > into->strongest.impulse)
        into->strongest = from->strongest;
    into->count += from->count;
    into->impacts += from->impacts;
    into->from = fmin(into->from, from->from);
    into->to = fmax(into->to, from->to);
    into->impulse += from->impulse;
    into->open = into->open && from->open;
}

// Groups that are told apart by nothing become one.
static void merge(zn_event_groups *groups)
{
    int64_t last = 0;
    qsort(groups->group, (size_t)groups->count, sizeof *groups->group, by_place);
    for (int64_t i = 1; i < groups->count; i++)
        if (belong_together(&groups->group[last], &groups->group[i]))
            join(&groups->group[last], &groups->group[i]);
        else
            groups->group[++last] = groups->group[i];
    groups->count = last + 1;
}

// With a single part three of each name are left: so this ends.
static void make_few(grouping *g)
{
    for (merge(&g->groups); g->groups.count > g->most && g->parts > 1; merge(&g->groups)) {
        g->parts /= 2;
        for (int64_t i = 0; i < g->groups.count; i++) {
            g->groups.group[i].begin /= 2;
            g->groups.group[i].end /= 2;
        }
    }
}

static int part_of(const grouping *g, double t)
{
    double share = (t - g->start) / (g->end - g->start);
    return share >= 1 ? g->parts - 1 : share > 0 ? (int)(share * g->parts) : 0; // also of what is no number
}

static zn_status collect(grouping *g, int64_t number, const zn_result_event *e)
{
    int name = name_of(g, e->name);
    if (name < 0)
        return ZN_ERR_IO; // the file has changed meanwhile
    if (g->groups.count == g->room)
        make_few(g);
    const standout *best = &g->best[name];
    g->groups.group[g->groups.count++] =
        (zn_event_group){.strongest = *e,
                         .count = 1,
                         .impacts = e->impact,
                         .from = e->closed_at,
                         .to = e->opened_at,
                         .impulse = e->impulse,
                         .first = number,
                         .name = name,
                         .begin = part_of(g, e->closed_at),
                         .end = part_of(g, e->opened_at),
                         .open = e->open,
                         .alone = number == best->longest || number == best->strongest};
    return ZN_OK;
}

static void finish(grouping *g)
{
    if (g->count > g->most)
        make_few(g);
    for (int64_t i = 0; i < g->groups.count; i++)
        if (g->groups.group[i].count > 1)
            g->groups.merged += g->groups.group[i].count;
    if (g->groups.merged > 0)
        g->groups.within = (g->end - g->start) / g->parts;
    qsort(g->groups.group, (size_t)g->groups.count, sizeof *g->groups.group, by_first);
}

zn_status zn_event_groups_make(int64_t count, int64_t most, zn_event_read *read, const void *user, zn_event_groups *out)
{
    grouping  g = {.count = count, .start = INFINITY, .end = -INFINITY, .parts = PARTS};
    zn_status status = walk(&g, read, user, look);
    if (status == ZN_OK) {
        g.most = most > 3 * (int64_t)g.names.count ? most : 3 * (int64_t)g.names.count;
        g.room = count < 2 * g.most ? count : 2 * g.most;
        g.groups.group = ZN_NEW(zn_event_group, g.room);
        status = g.groups.group == NULL ? ZN_ERR_MEMORY : walk(&g, read, user, collect);
    }
    zn_names_clear(&g.names);
    free(g.best);
    if (status != ZN_OK) {
        free(g.groups.group);
        return status;
    }
    if (count > 0)
        finish(&g);
    *out = g.groups;
    return ZN_OK;
}

void zn_event_groups_clear(zn_event_groups *groups)
{
    free(groups->group);
    *groups = (zn_event_groups){0};
}
