// Forces kind by kind. Internal forces of large blocks run over chunks of elements (see chunks.h): colour after colour,
// the chunks of a colour in parallel.
#include "system/forces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/team.h"
#include "base/assert.h"
#include "system/chunks.h"
#include "system/system.h"

bool zn_system_is_large(const zn_system *sys)
{
    for (int i = 0; i < sys->blocks; i++)
        if (sys->chunks[i].count > 0)
            return true;
    return false;
}

zn_force_kinds zn_system_force_kinds(const zn_system *sys)
{
    zn_force_kinds kinds = {.gravity = zn_vec3_norm(sys->model->gravity) > 0, .load = sys->uniform_loads > 0};
    for (int i = 0; i < sys->blocks; i++) {
        const zn_element_block *b = &sys->block[i];
        kinds.load |= b->ops->load && b->count > 0;
        kinds.damper |= sys->velocity[i] == ZN_VELOCITY_DAMPER;
        kinds.gyroscopic |= sys->velocity[i] == ZN_VELOCITY_GYROSCOPIC;
    }
    return kinds;
}

// --- internal forces -----------------------------------------------------------------------------

static zn_status add_plain(const zn_system *sys, const zn_element_block *b, zn_at at, double *f, double *strain)
{
    zn_energy energy = {0};
    ZN_TRY(b->ops->force(b, at, f));
    if (b->ops->energy)
        ZN_TRY(b->ops->energy(b, at, -1, sys->model->gravity, &energy));
    *strain += energy.strain;
    return ZN_OK;
}

struct zn_force_team {
    zn_team   *team;
    double    *strain; // of each chunk
    zn_status *status;
};

zn_force_team *zn_force_team_destroy(zn_force_team *t)
{
    if (!t)
        return NULL;
    zn_team_destroy(t->team);
    free(t->strain);
    free(t->status);
    free(t);
    return NULL;
}

zn_team *zn_force_team_threads(const zn_force_team *t) { return t->team; }

zn_status zn_force_team_create(const zn_system *sys, int threads, zn_force_team **out)
{
    int chunks = 0;
    for (int i = 0; i < sys->blocks; i++)
        chunks = sys->chunks[i].count > chunks ? sys->chunks[i].count : chunks;
    zn_force_team *t = ZN_NEW(zn_force_team, 1);
    if (!t)
        return ZN_ERR_MEMORY;
    t->strain = ZN_NEW(double, chunks);
    t->status = ZN_NEW(zn_status, chunks);
    zn_status status = t->strain && t->status ? zn_team_create(threads, &t->team) : ZN_ERR_MEMORY;
    if (status != ZN_OK)
        zn_force_team_destroy(t);
    else
        *out = t;
    return status;
}

// What the jobs of one block share.
typedef struct chunk_work {
    const zn_element_block *block;
    const zn_chunks        *chunks;
    const zn_force_team    *team;
    zn_at                   at;
    double                 *f;
} chunk_work;

static void run_chunk(void *user, int k)
{
    const chunk_work *w = user;
    ZN_ASSERT(k >= 0 && k < w->chunks->count);
    const zn_chunk *chunk = &w->chunks->chunk[k];
    w->team->strain[k] = 0;
    w->team->status[k] =
        w->block->ops->force_energy(w->block, chunk->first, chunk->count, w->at, w->f, &w->team->strain[k]);
}

static zn_status add_shared(const zn_element_block *b, const zn_chunks *c, zn_force_team *team, zn_at at, double *f,
                            double *strain)
{
    ZN_ASSERT(c->count > 0 && c->first[c->colours] == c->count);
    const zn_log     silent = {0}; // a log is told once, by the caller's thread
    zn_element_block quiet = *b;
    chunk_work       w = {&quiet, c, team, at, f};
    quiet.log = &silent;
    for (int colour = 0; colour < c->colours; colour++)
        zn_team_run(team->team, c->first[colour], c->first[colour + 1], run_chunk, &w);
    for (int k = 0; k < c->count; k++) {
        if (team->status[k] != ZN_OK)
            return b->ops->force_energy(b, c->chunk[k].first, c->chunk[k].count, at, f, strain);
        *strain += team->strain[k];
    }
    return ZN_OK;
}

// The same sums in the same order.
static zn_status add_alone(const zn_element_block *b, const zn_chunks *c, zn_at at, double *f, double *strain)
{
    for (int k = 0; k < c->count; k++) {
        double own = 0;
        ZN_TRY(b->ops->force_energy(b, c->chunk[k].first, c->chunk[k].count, at, f, &own));
        *strain += own;
    }
    return ZN_OK;
}

static void clear(void *user, int k, int first, int last)
{
    (void)k;
    memset((double *)user + first, 0, sizeof(double) * (size_t)(last - first));
}

zn_status zn_system_internal_force(const zn_system *sys, zn_force_team *team, zn_at at, double *f, double *strain)
{
    ZN_ASSERT(at.q && at.v && f && strain);
    double sum = 0;
    ZN_TRY(zn_fault_point());
    zn_team_slice(team ? team->team : NULL, sys->info.n_all, clear, f);
    for (int i = 0; i < sys->blocks; i++) {
        const zn_element_block *b = &sys->block[i];
        if (!b->ops->force || b->ops->load)
            continue;
        if (!b->ops->force_energy)
            ZN_TRY(add_plain(sys, b, at, f, &sum));
        else if (sys->chunks[i].count > 0 && team)
            ZN_TRY(add_shared(b, &sys->chunks[i], team, at, f, &sum));
        else if (sys->chunks[i].count > 0)
            ZN_TRY(add_alone(b, &sys->chunks[i], at, f, &sum));
        else
            ZN_TRY(b->ops->force_energy(b, 0, b->count, at, f, &sum));
    }
    *strain = sum;
    return ZN_OK;
}

// --- other kinds ---------------------------------------------------------------------------------

zn_status zn_system_load_force(const zn_system *sys, zn_at at, double *f)
{
    ZN_ASSERT(at.q && f);
    bool none = true; // so far f is zero, but not yet written
    ZN_TRY(zn_fault_point());
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->load && sys->block[i].count > 0) {
            if (none)
                memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
            none = false;
            ZN_TRY(sys->block[i].ops->force(&sys->block[i], at, f));
        }
    return zn_system_add_uniform(sys, at, none, f);
}

zn_status zn_system_velocity_force(const zn_system *sys, zn_velocity_force kind, zn_at at, const double *zero,
                                   double *still, double *f)
{
    ZN_ASSERT(kind != ZN_VELOCITY_NONE && zero && still && f && still != f);
    zn_at rest = {at.q, zero, at.t, at.relief};
    ZN_TRY(zn_fault_point());
    memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
    memset(still, 0, sizeof *f * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->blocks; i++)
        if (sys->velocity[i] == kind) {
            ZN_TRY(sys->block[i].ops->force(&sys->block[i], at, f));
            ZN_TRY(sys->block[i].ops->force(&sys->block[i], rest, still));
        }
    for (int k = 0; k < sys->info.n_all; k++)
        f[k] -= still[k];
    return ZN_OK;
}

zn_status zn_system_growth(const zn_system *sys, zn_at at, double *out)
{
    ZN_ASSERT(at.q && at.v && out);
    double sum = 0;
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->growth)
            ZN_TRY(sys->block[i].ops->growth(&sys->block[i], at, &sum));
    *out = sum;
    return ZN_OK;
}

double zn_system_gravity_potential(const zn_system *sys, const double *q)
{
    ZN_ASSERT(q);
    const zn_weight *w = sys->weight;
    double           sum = 0, other = 0; // one would wait for every subtraction
    int              pairs = sys->weights / 2 * 2;
    for (int i = 0; i < pairs; i += 2) {
        sum -= w[i].force * (w[i].origin + q[w[i].coordinate]);
        other -= w[i + 1].force * (w[i + 1].origin + q[w[i + 1].coordinate]);
    }
    for (int i = pairs; i < sys->weights; i++)
        sum -= w[i].force * (w[i].origin + q[w[i].coordinate]);
    return sum + other;
}
