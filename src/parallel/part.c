// The part of a model that a process takes. See parallel.h.
//
// The whole model is read by all, dealt out by all alike (partition.c), and each takes its own elements and forgets the
// others: a subset whose nodes keep their numbers.
#include "parallel/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "model/memory.h"
#include "model/subset.h"
#include "scheme/scheme.h"

// --- refusals ------------------------------------------------------------------------------------

// Those whose stages end with one status.
static const char *const distributed[] = {"cd_lagrange", "moreau_jean", "newmark", "nsga"};

static zn_status refuse_scheme(const zn_sim_def *def)
{
    for (size_t i = 0; i < ZN_COUNT(distributed); i++)
        if (strcmp(def->scheme.scheme, distributed[i]) == 0)
            return ZN_OK;
    return zn_fail(
        &def->log, ZN_ERR_UNSUPPORTED,
        "run: the scheme '%s' is not distributed: use one process, or cd_lagrange, moreau_jean, newmark or nsga",
        def->scheme.scheme);
}

static zn_status refuse_run(const zn_sim_def *def)
{
    const char *what = NULL;
    if (def->statics)
        what = "equilibria";
    else if (def->start_at_equilibrium)
        what = "starts at an equilibrium ('start: equilibrium')";
    else if (strcmp(def->scheme.levels, "1") != 0)
        what = "steps by the size of elements ('levels')";
    else if (def->scheme.mass_scaling > 0)
        what = "added masses ('mass_scaling')";
    else if (def->scheme.observer.problem)
        what = "dumps of contact problems";
    if (what)
        return zn_fail(&def->log, ZN_ERR_UNSUPPORTED, "run: %s are not distributed: use one process", what);
    return refuse_scheme(def);
}

static zn_status refuse_model(const zn_model *model, const zn_log *log)
{
    const char *what = model->controls > 0 ? "controls"
                       : model->states > 0 ? "states"

                       : model->lagrangians > 0 ? "systems in minimal coordinates"
                                                : NULL;
    return what ? zn_fail(log, ZN_ERR_UNSUPPORTED, "the model has %s, which are not distributed: use one process", what)
                : ZN_OK;
}

// What schemes with matrices do not take when it is in parts. Asked of the parts.
static zn_status refuse_matrices(const zn_part *part, const zn_sim_def *def)
{
    const zn_system *sys = part->sys;
    const char      *what = NULL;
    if (strcmp(def->scheme.scheme, "cd_lagrange") == 0)
        return ZN_OK;
    if (sys->has_rotations)
        what = "beams and rigid bodies";
    else if (sys->info.joints > 0)
        what = "joints and prescribed motions";
    else if (!zn_scheme_may_split(sys, &def->scheme))
        what = "laws of impact other than Newton's, cohesion, rolling friction and solvers other than admm";
    else if (def->scheme.smooth == ZN_SMOOTH_CONTACTS)
        what = "contacts in the smooth motion ('smooth: contacts')";
    return what ? zn_fail(&def->log, ZN_ERR_UNSUPPORTED,
                          "run: %s are not distributed with the scheme '%s': use one process, or cd_lagrange", what,
                          def->scheme.scheme)
                : ZN_OK;
}

// --- the subset ----------------------------------------------------------------------------------

// Contacts of this process, rule by rule.
static zn_status choose_members(zn_part *part, const zn_partition *p)
{
    int64_t room = 0;
    int     next = 0;
    for (int r = 0; r < p->rules; r++)
        room += p->member_of[r] ? part->model->rule[r].max_contacts : 0;
    part->members = ZN_NEW(int, room);
    if (!part->members)
        return ZN_ERR_MEMORY;
    for (int r = 0; r < p->rules; r++) {
        zn_contact_rule *rule = &part->model->rule[r];
        int              first = next;
        for (int k = 0; p->member_of[r] && k < rule->max_contacts; k++)
            if (p->owner[p->member_of[r][k]] == part->world->rank)
                part->members[next++] = k;
        if (!p->member_of[r])
            continue;
        rule->member = part->members + first;
        rule->members = rule->room = next - first;
    }
    return ZN_OK;
}

// A rule stays where it has contacts.
static bool has_contacts(const zn_partition *p, const zn_model *model, int r, int rank)
{
    if (p->rule[r] != ZN_SCATTERED)
        return p->rule[r] == rank;
    for (int k = 0; k < model->rule[r].max_contacts; k++)
        if (p->owner[p->member_of[r][k]] == rank)
            return true;
    return false;
}

static zn_status take_subset(zn_part *part, const zn_partition *p, zn_model *model)
{
    int   rank = part->world->rank;
    bool *element = ZN_NEW(bool, p->elements), *rule = ZN_NEW(bool, p->rules), *node = ZN_NEW(bool, p->nodes);
    for (int e = 0; element && e < p->elements; e++) {
        element[e] = p->rank[e] == rank;
        part->world->times.elements += element[e];
    }
    for (int r = 0; rule && r < p->rules; r++)
        rule[r] = has_contacts(p, model, r, rank);
    for (int i = 0; node && i < p->nodes; i++)
        node[i] = p->owner[i] == rank;
    bool      room = element && rule && node;
    zn_status status = room ? zn_subset_take(model, element, rule, node, &part->model) : ZN_ERR_MEMORY;
    free(element);
    free(rule);
    free(node);
    return status == ZN_OK ? choose_members(part, p) : status;
}

// --- places of what this process owns in vectors of the whole ------------------------------------

typedef int list_places(const zn_layout_node *node, int *place);

static int list_coordinates(const zn_layout_node *node, int *place)
{
    int count = zn_node_coordinates(node->kind);
    for (int k = 0; k < count; k++)
        place[k] = node->q + k;
    return count;
}

static int list_dofs(const zn_layout_node *node, int *place)
{
    int count = 0;
    for (int slot = 0; slot < 6; slot++)
        if (node->dof[slot] >= 0)
            place[count++] = node->dof[slot];
    return count;
}

// Of process `rank`, in the order of the nodes; place NULL: only their number.
static int list_owned(const zn_layout *layout, const zn_partition *p, int rank, list_places *of, int *place)
{
    int count = 0, one[7];
    for (int i = 0; i < p->nodes; i++)
        if (p->owner[i] == rank)
            count += of(&layout->node[i], place ? place + count : one);
    return count;
}

static zn_status list_whole(const zn_part *part, const zn_layout *whole, const zn_partition *p, list_places *of,
                            int all, zn_places *out)
{
    if (part->world->rank != 0)
        return ZN_OK;
    out->whole = ZN_NEW(int, all);
    out->first = ZN_NEW(int, p->ranks + 1);
    if (!out->whole || !out->first)
        return ZN_ERR_MEMORY;
    for (int r = 0; r < p->ranks; r++)
        out->first[r + 1] = out->first[r] + list_owned(whole, p, r, of, out->whole + out->first[r]);
    out->all = out->first[p->ranks];
    return ZN_OK;
}

static zn_status list_own(const zn_part *part, const zn_partition *p, list_places *of, zn_places *out)
{
    const zn_layout *layout = &part->sys->layout;
    out->count = list_owned(layout, p, part->world->rank, of, NULL);
    out->own = ZN_NEW(int, out->count);
    if (!out->own)
        return ZN_ERR_MEMORY;
    list_owned(layout, p, part->world->rank, of, out->own);
    return ZN_OK;
}

static void free_places(zn_places *places)
{
    free(places->own);
    free(places->whole);
    free(places->first);
}

// Entries of q that remember, at the end of q everywhere: of the first process that moves them.
static zn_status list_memory(zn_part *part)
{
    zn_world  *world = part->world;
    zn_places *out = &part->memory;
    int        count = part->model->memories, *owner = ZN_NEW(int, count), *first = ZN_NEW(int, world->size + 1);
    out->own = ZN_NEW(int, count);
    out->whole = ZN_NEW(int, count);
    out->first = first;
    zn_status status = zn_world_agree(world, owner && first && out->own && out->whole ? ZN_OK : ZN_ERR_MEMORY);
    for (int i = 0; i < count && status == ZN_OK; i++)
        owner[i] = zn_memory_moves(&part->model->memory[i], &part->sys->layout) ? world->rank : world->size;
    if (status == ZN_OK && count > 0)
        MPI_Allreduce(MPI_IN_PLACE, owner, count, MPI_INT, MPI_MIN, world->comm);
    for (int r = 0; r < world->size && status == ZN_OK; r++) {
        for (int i = 0; i < count; i++)
            if (owner[i] == r || (owner[i] == world->size && r == 0)) {
                if (r == world->rank)
                    out->own[out->count++] = part->sys->layout.memory + i;
                out->whole[out->all++] = part->nq - count + i;
            }
        first[r + 1] = out->all;
    }
    free(owner);
    return status;
}

// --- life ----------------------------------------------------------------------------------------

// All that needs the whole.
static zn_status look_at_whole(zn_part *part, const zn_model *model, const zn_sim_def *def, zn_partition *p)
{
    zn_system *whole = NULL;
    ZN_TRY(zn_system_create_layout(model, &whole));
    bool      waits = strcmp(def->scheme.scheme, "cd_lagrange") == 0;
    zn_status status = zn_partition_create(whole, part->world->size, waits, p);
    part->nq = whole->info.nq;
    part->n_all = whole->info.n_all;
    if (status == ZN_OK)
        status = zn_records_create(whole, p, def, part->world->rank, &part->records);
    if (status == ZN_OK)
        status = list_whole(part, &whole->layout, p, list_coordinates, part->nq, &part->q);
    if (status == ZN_OK)
        status = list_whole(part, &whole->layout, p, list_dofs, part->n_all, &part->v);
    zn_system_destroy(whole);
    return status;
}

// What schemes ask of a system must be the same for all parts of it.
static void settle(zn_part *part)
{
    double worst[7] = {
        !part->sys->info.linear,       part->sys->extent,       part->sys->varying_mass, part->sys->has_rotations,
        !part->sys->straight_contacts, part->sys->contact_rows, part->sys->size};
    zn_system_set_reductions(part->sys, (zn_reductions){part->world, zn_world_sum, zn_world_max});
    zn_system_set_halo(part->sys, zn_exchange_halo(part->exchange));
    zn_world_max(part->world, worst, 7);
    part->sys->info.linear = worst[0] == 0;
    part->sys->extent = worst[1];
    part->sys->size = worst[6];
    part->sys->contact_rows = (int)worst[5];
    part->sys->straight_contacts = worst[4] == 0;
    part->sys->constant_force = false; // shared degrees of freedom have it from several parts
}

static zn_status compile(zn_part *part, zn_model *model, const zn_partition *p)
{
    ZN_TRY(take_subset(part, p, model));
    ZN_TRY(zn_system_create_part(part->model, &part->sys));
    ZN_TRY(list_own(part, p, list_coordinates, &part->q));
    ZN_TRY(list_own(part, p, list_dofs, &part->v));
    return zn_part_make_room(part);
}

// The run of this process.
static void fit(const zn_part *part, zn_sim_def *def)
{
    def->records = part->records.own;
    def->record_count = part->records.own_count;
    def->frames = def->frames < 0 ? zn_frames_usual(part->nq, part->n_all) : def->frames;
    if (strcmp(def->scheme.scheme, "cd_lagrange") == 0 && def->scheme.threads == 0)
        def->scheme.threads = 1; // processors have other processes
}

static zn_status create(zn_part *part, zn_model *model, zn_sim_def *def)
{
    zn_world    *world = part->world;
    zn_partition p = {0};
    zn_status    status = refuse_run(def);
    if (status == ZN_OK)
        status = refuse_model(model, &def->log);
    if (status == ZN_OK)
        status = look_at_whole(part, model, def, &p);
    status = zn_world_agree(world, status);
    if (status == ZN_OK)
        status = zn_world_agree(world, compile(part, model, &p));
    if (status == ZN_OK)
        status = zn_world_agree(world, refuse_matrices(part, def));
    if (status == ZN_OK)
        status = zn_exchange_create(world, &p, part->sys, &part->exchange);
    if (status == ZN_OK)
        status = list_memory(part);
    if (status == ZN_OK)
        settle(part);
    zn_partition_destroy(&p);
    return status;
}

zn_status zn_part_create(zn_world *world, zn_model *model, zn_sim_def *def, zn_part **out)
{
    zn_part *part = ZN_NEW(zn_part, 1);
    if (!part)
        return ZN_ERR_MEMORY;
    part->world = world;
    zn_model_trim(model);
    zn_status status = create(part, model, def);
    if (status != ZN_OK) {
        zn_part_destroy(part);
        return status;
    }
    fit(part, def);
    *out = part;
    return ZN_OK;
}

zn_part *zn_part_destroy(zn_part *part)
{
    if (!part)
        return NULL;
    zn_system_destroy(part->sys);
    zn_subset_destroy(part->model);
    zn_exchange_destroy(part->exchange);
    zn_records_destroy(&part->records);
    free_places(&part->q);
    free_places(&part->v);
    free_places(&part->memory);
    free(part->members);
    free(part->row);
    free(part->least);
    free(part->own);
    free(part->event);
    free(part->frame_q);
    free(part->frame_v);
    free(part->values);
    free(part->blob);
    free(part);
    return NULL;
}

zn_system       *zn_part_system(const zn_part *part) { return part->sys; }
int              zn_part_series_count(const zn_part *part) { return part->records.count; }
const zn_series *zn_part_series(const zn_part *part) { return part->records.series; }
int              zn_part_columns(const zn_part *part) { return part->records.columns; }
zn_status        zn_part_trouble(const zn_part *part) { return part->trouble; }
