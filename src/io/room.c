// How much memory a run of the model takes, told before it is built: a short file can ask for more than there is, and
// would only find out after a minute.
#include <math.h>
#include <stdio.h>
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
// Equations of joints are in one full matrix, of which there are several copies: bytes over the square of their number.
static const double full_matrices = 52;
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
    bool   full = strcmp(scheme->scheme, "energy_momentum") != 0; // not measured
    double joints = full ? full_matrices * room->joint_rows * room->joint_rows : 0;
    for (int kind = ZN_ROOM_BAR; kind < ZN_ROOM_KINDS; kind++)
        bytes += kind == ZN_ROOM_SOLID && !room->planar ? solid_bytes(room->count[kind], scheme->linear_solver)
                                                        : room->count[kind] * table[kind][room->planar].factored;
    if (strncmp(scheme->scheme, "nsga", 4) == 0)
        bytes *= twofold, joints *= twofold;
    for (int kind = 0; kind < ZN_ROOM_BAR; kind++)
        bytes += room->count[kind] * table[kind][room->planar].factored;
    return bytes + joints;
}

zn_status zn_room_check(const zn_room *room, const zn_scheme_def *scheme, const char *path, const zn_log *log)
{
    double bytes = zn_room_bytes(room, scheme), there = zn_memory_there();
    if (bytes <= margin * there)
        return ZN_OK;
    return zn_fail(log, ZN_ERR_MODEL, "%s: a run with %s would take about %.3g GB, and there are %.3g GB", path,
                   scheme->scheme, bytes / giga, there / giga);
}

static void complain(zn_builder *b, const zn_yaml_node *node, const char *what, double count, const zn_room *room)
{
    const double there = zn_memory_there();
    bool         small = b->most > 0 && b->most < there;
    zn_complain_key(&b->reader, node, "%.0f %s: the model would take about %.3g GB, and %s %.3g GB", count, what,
                    built_bytes(room) / giga, small ? "such a small result is of one with at most" : "there are",
                    (small ? b->most : there) / giga);
}

static double room_there(const zn_builder *b)
{
    const double there = zn_memory_there();
    return b->most > 0 ? fmin(b->most, there) : there;
}

bool zn_bind_room(zn_builder *b, const zn_yaml_node *node, const char *what, double count, zn_room_kind kind)
{
    b->room.planar = b->reader.planar;
    b->room.count[kind] += count;
    if (built_bytes(&b->room) <= margin * room_there(b))
        return true;
    complain(b, node, what, count, &b->room);
    return false;
}

// --- before anything is built ------------------------------------------------------------------------

// Product of the whole numbers that are wanted: a list, or one number to a power. 0: they cannot be read, or are more
// than there can be of one object, which is told where it is read.
static double read_product(zn_reader *r, const zn_yaml_node *node, int power, double most)
{
    const zn_range range = {1, 1e7, false};
    double         value = 0, product = 1;
    bool           list = node != NULL && node->kind == ZN_YAML_LIST, good = node != NULL;
    for (const zn_yaml_node *n = list ? node->first : node; good && n != NULL; n = list ? n->next : NULL) {
        good = zn_read_number(r, n, "count", ZN_DIM_NONE, range, &value);
        product *= list ? value : pow(value, power);
    }
    return good && product <= most ? product : 0;
}

// Bodies of a lattice.
static double count_bodies(zn_reader *r, const zn_yaml_node *body)
{
    const zn_yaml_node *lattice = zn_yaml_get(body, "lattice");
    if (lattice == NULL || lattice->kind != ZN_YAML_MAP)
        return 1;
    double all = read_product(r, zn_yaml_get(lattice, "count"), 1, INFINITY),
           limit = read_product(r, zn_yaml_get(lattice, "limit"), 1, INFINITY);
    return limit > 0 ? fmin(all, limit) : all;
}

// Elements of a bar or beam; of a solid at least so many nodes, unless it comes from a file.
static double count_part(zn_reader *r, const zn_yaml_node *part, zn_room_kind *kind)
{
    const zn_yaml_node *element = zn_yaml_get(part, "element"), *mesh = zn_yaml_get(part, "mesh");
    bool                beam = element != NULL && element->kind == ZN_YAML_SCALAR && strcmp(element->text, "beam") == 0;
    *kind = zn_bind_is_solid(part) ? ZN_ROOM_SOLID : beam ? ZN_ROOM_BEAM : ZN_ROOM_BAR;
    if (*kind != ZN_ROOM_SOLID)
        return read_product(r, zn_yaml_get(part, "elements"), 1, INFINITY);
    if (mesh == NULL || mesh->kind != ZN_YAML_MAP || mesh->first == NULL || mesh->first->kind != ZN_YAML_MAP)
        return 0;
    return read_product(r, zn_yaml_get(mesh->first, "elements"), r->planar ? 2 : 3, 1e6);
}

typedef struct ahead {
    zn_room             room;
    const zn_yaml_node *beyond; // the object that takes it beyond what there is
    const char         *what;
    double              count;
} ahead;

static void add_ahead(ahead *a, const zn_yaml_node *node, const char *what, double count, zn_room_kind kind,
                      double most)
{
    a->room.count[kind] += count;
    if (a->beyond != NULL || built_bytes(&a->room) <= margin * most)
        return;
    a->beyond = node;
    a->what = what;
    a->count = count;
}

bool zn_room_ahead(zn_builder *b)
{
    static const char *const what[] = {"bodies", "bodies", "elements", "elements", "nodes or more"};
    const zn_faults          told = *b->reader.faults; // what cannot be read here is told later
    const double             most = room_there(b);
    ahead                    a = {.room.planar = b->reader.planar};
    zn_room_kind             kind = zn_room_bodies_meet(b) ? ZN_ROOM_MEETING_BODY : ZN_ROOM_BODY;
    for (const zn_yaml_node *n = b->file.bodies != NULL ? b->file.bodies->first : NULL; n != NULL; n = n->next)
        if (n->kind == ZN_YAML_MAP && zn_yaml_get(n, "lattice") != NULL) {
            zn_reader_enter(&b->reader, n);
            add_ahead(&a, n, what[kind], count_bodies(&b->reader, n), kind, most);
        }
    for (const zn_yaml_node *n = b->file.parts != NULL ? b->file.parts->first : NULL; n != NULL; n = n->next)
        if (n->kind == ZN_YAML_MAP) {
            zn_reader_enter(&b->reader, n);
            double count = count_part(&b->reader, n, &kind);
            add_ahead(&a, n, what[kind], count, kind, most);
        }
    bool empty = b->reader.faults->out_of_memory;
    *b->reader.faults = told;
    b->reader.faults->out_of_memory |= empty;
    if (a.beyond != NULL) {
        zn_reader_enter(&b->reader, a.beyond);
        snprintf(b->reader.where, sizeof b->reader.where, "%s '%.64s'", strcmp(a.what, "bodies") == 0 ? "body" : "part",
                 a.beyond->key);
        complain(b, a.beyond, a.what, a.count, &a.room);
    }
    zn_reader_enter(&b->reader, NULL);
    return a.beyond == NULL;
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
