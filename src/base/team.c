// Threads that sleep until there is work. Jobs are handed out one by one from a common counter.
#include "base/team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

enum { THREADS_MAX = 64 };

struct zn_team {
    int             threads; // the caller among them
    int             started; // threads made
    pthread_t       thread[THREADS_MAX];
    pthread_mutex_t lock;
    pthread_cond_t  wake, done;
    int64_t         round; // of work; a thread that saw another number has something to do
    int             busy;  // threads still at it
    bool            ends;
    atomic_int      next;
    int             last;
    void (*job)(void *user, int i);
    void *user;
};

static void work(zn_team *team)
{
    for (int i = atomic_fetch_add(&team->next, 1); i < team->last; i = atomic_fetch_add(&team->next, 1))
        team->job(team->user, i);
}

static void *live(void *user)
{
    zn_team *team = user;
    int64_t  seen = 0;
    pthread_mutex_lock(&team->lock);
    while (true) {
        while (!team->ends && team->round == seen)
            pthread_cond_wait(&team->wake, &team->lock);
        if (team->ends)
            break;
        seen = team->round;
        pthread_mutex_unlock(&team->lock);
        work(team);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0)
            pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

zn_status zn_team_create(int threads, zn_team **out)
{
    long     processors = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    zn_team *team = ZN_NEW(zn_team, 1);
    if (!team)
        return ZN_ERR_MEMORY;
    team->threads = processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (int)processors;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    pthread_cond_init(&team->done, NULL);
    while (team->started + 1 < team->threads && pthread_create(&team->thread[team->started], NULL, live, team) == 0)
        team->started++;
    team->threads = team->started + 1; // fewer where the system gives no more
    *out = team;
    return ZN_OK;
}

zn_team *zn_team_destroy(zn_team *team)
{
    if (!team)
        return NULL;
    pthread_mutex_lock(&team->lock);
    team->ends = true;
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->started; i++)
        pthread_join(team->thread[i], NULL);
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->wake);
    pthread_cond_destroy(&team->done);
    free(team);
    return NULL;
}

void zn_team_run(zn_team *team, int first, int last, void (*job)(void *user, int i), void *user)
{
    if (!team || team->threads == 1 || last - first < 2) {
        for (int i = first; i < last; i++)
            job(user, i);
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->job = job;
    team->user = user;
    team->last = last;
    atomic_store(&team->next, first);
    team->busy = team->started;
    team->round++;
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
    work(team);
    pthread_mutex_lock(&team->lock);
    while (team->busy > 0)
        pthread_cond_wait(&team->done, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

typedef struct slices {
    int           n;
    zn_slice_job *job;
    void         *user;
} slices;

static void take_slice(void *user, int k)
{
    const slices *s = user;
    int           first = k * ZN_SLICE, last = s->n - first > ZN_SLICE ? first + ZN_SLICE : s->n;
    s->job(s->user, k, first, last);
}

void zn_team_slice(zn_team *team, int n, zn_slice_job *job, void *user)
{
    slices s = {n, job, user};
    zn_team_run(team, 0, zn_slices(n), take_slice, &s);
}

typedef struct copies {
    const double *from;
    double       *to;
} copies;

static void copy_slice(void *user, int k, int first, int last)
{
    (void)k;
    const copies *c = user;
    memcpy(c->to + first, c->from + first, sizeof *c->to * (size_t)(last - first));
}

void zn_team_copy(zn_team *team, int n, const double *from, double *to)
{
    copies c = {from, to};
    zn_team_slice(team, n, copy_slice, &c);
}
