// The critical step of a system as it is asked for. That of a linear one does not change: it is found once, under a
// lock, first by its elements and, when somebody needs more than that, more sharply.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "system/critical.h"
#include "system/system.h"

struct zn_known_critical {
    pthread_mutex_t lock;
    bool            by_elements, sharper; // what is known
    zn_critical     value;
};

zn_known_critical *zn_known_critical_create(void)
{
    zn_known_critical *known = ZN_NEW(zn_known_critical, 1);
    if (known)
        pthread_mutex_init(&known->lock, NULL);
    return known;
}

void zn_known_critical_destroy(zn_known_critical *known)
{
    if (!known)
        return;
    pthread_mutex_destroy(&known->lock);
    free(known);
}

static zn_status find_by_elements(const zn_system *sys, zn_at at, zn_critical *out)
{
    zn_critical_search *s = NULL;
    ZN_TRY(zn_critical_search_create(sys, "critical step", &s));
    zn_status status = zn_critical_search_run(s, at, out);
    zn_critical_search_destroy(s);
    return status;
}

static zn_status find_once(const zn_system *sys, zn_at at, double enough, zn_known_critical *known)
{
    if (!known->by_elements)
        ZN_TRY(find_by_elements(sys, at, &known->value));
    known->by_elements = true;
    if (known->sharper || !(known->value.step < enough))
        return ZN_OK;
    ZN_TRY(zn_critical_sharpen(sys, at, &known->value));
    known->sharper = true;
    return ZN_OK;
}

zn_status zn_critical_at_least(const zn_system *sys, zn_at at, double enough, zn_critical *out)
{
    ZN_ASSERT(sys && out);
    if (!sys->info.linear || sys->halo) // a sharper bound needs the matrices of the whole, which do not change
        return find_by_elements(sys, at, out);
    zn_known_critical *known = sys->critical;
    pthread_mutex_lock(&known->lock);
    zn_status status = find_once(sys, (zn_at){sys->q0, sys->v0, at.t, 0}, enough, known); // the same for all who ask
    if (status == ZN_OK)
        *out = known->value;
    pthread_mutex_unlock(&known->lock);
    return status;
}

zn_status zn_system_critical_step(const zn_system *sys, zn_at at, zn_critical *out)
{
    ZN_ALIVE(sys);
    if (!sys || !out)
        return ZN_ERR_ARGUMENT;
    return zn_critical_at_least(sys, at, INFINITY, out);
}
