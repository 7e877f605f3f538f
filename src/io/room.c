// How much memory a run of the model takes, told before it is built: a short file can ask for more than there is, and
// would only find out after a minute.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/bind.h"
#include "math/near_null.h"

// Bytes of one of many at the peak of a run, measured (tests/faults/memory): when nothing is factored, and when it is.
typedef struct bytes_of_one {
    double built, factored;
} bytes_of_one;

static const bytes_of_one table[ZN_ROOM_KINDS][2] = {
    // in space, in a plane
    [ZN_ROOM_BODY] = {{6400, 6400}, {4000, 4000}},   [ZN_ROOM_MEETING_BODY] = {{14000, 14000}, {8700, 8700}},
    [ZN_ROOM_BAR] = {{1000, 1900}, {1000, 1900}},    [ZN_ROOM_BEAM] = {{3000, 6700}, {1500, 2750}},
    [ZN_ROOM_SOLID] = {{1700, 15700}, {1300, 4800}},
};

// Factors of a solid in space grow faster than its nodes: they are measured with so many, and go with this power of
// their number from there on, until iterations with a multigrid take their place.
static const double few_nodes = 729, node_power = 0.3, iterated = 15000;
// What nsga takes beside others: it factors at positions and velocities.
static const double twofold = 1.6;
// Estimates are right within this factor; what is refused is surely too much.
static const double margin = 1.5;
static const double giga = 1e9;

static double built_bytes(const zn_room *room)
{
    double bytes = 0;
    for (int kind = 0; kind < ZN_ROOM_KINDS; kind++)
        bytes += room->count[kind] * table[kind][room->planar].built;
    return bytes;
}

static double solid_bytes(double nodes, const char *linear_solver)
{
    double each = table[ZN_ROOM_SOLID][false].factored * pow(fmax(nodes / few_nodes, 1), node_power);
    bool   amg = strcmp(linear_solver, "amg") == 0;
    if (amg || (3 * nodes >= ZN_ITERATE_ROWS && strcmp(linear_solver, "auto") == 0))
        each = fmin(each, iterated);
    return nodes * each;
}

double zn_room_bytes(const zn_room *room, const zn_scheme_def *scheme)
{
    double bytes = 0;
    if (strcmp(scheme->scheme, "cd_lagrange") == 0 || strcmp(scheme->scheme, "multirate") == 0)
        return built_bytes(room);
    for (int kind = ZN_ROOM_BAR; kind < ZN_ROOM_KINDS; kind++)
        bytes += kind == ZN_ROOM_SOLID && !room->planar ? solid_bytes(room->count[kind], scheme->linear_solver)
                                                        : room->count[kind] * table[kind][room->planar].factored;
    if (strncmp(scheme->scheme, "nsga", 4) == 0)
        bytes *= twofold;
    for (int kind = 0; kind < ZN_ROOM_BAR; kind++)
        bytes += room->count[kind] * table[kind][room->planar].factored;
    return bytes;
}

zn_status zn_room_check(const zn_room *room, const zn_scheme_def *scheme, const char *path, const zn_log *log)
{
    double bytes = zn_room_bytes(room, scheme), there = zn_memory_there();
    if (bytes <= margin * there)
        return ZN_OK;
    return zn_fail(log, ZN_ERR_MODEL, "%s: a run with %s would take about %.3g GB, and there are %.3g GB", path,
                   scheme->scheme, bytes / giga, there / giga);
}

bool zn_bind_room(zn_builder *b, const zn_yaml_node *node, const char *what, double count, zn_room_kind kind)
{
    const double there = zn_memory_there(), most = b->most > 0 ? fmin(b->most, there) : there;
    b->room.planar = b->reader.planar;
    b->room.count[kind] += count;
    if (built_bytes(&b->room) <= margin * most)
        return true;
    zn_complain_key(&b->reader, node, "%.0f %s: the model would take about %.3g GB, and %s %.3g GB", count, what,
                    built_bytes(&b->room) / giga,
                    most < there ? "such a small result is of one with at most" : "there are", most / giga);
    return false;
}

bool zn_room_bodies_meet(const zn_builder *b)
{
    const zn_yaml_node *contacts = zn_yaml_get(b->root, "contacts");
    for (const zn_yaml_node *n = contacts != NULL && contacts->kind == ZN_YAML_MAP ? contacts->first : NULL; n != NULL;
         n = n->next)
        if (n->kind == ZN_YAML_MAP && zn_yaml_get(n, "between") != NULL)
            return true;
    return false;
}
