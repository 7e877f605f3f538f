// What a model becomes in two parts, without running it; the ratio of the steps where it is not given.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/multirate.h"

enum { LARGEST_RATIO = 10000 };   // chosen by itself
static const double margin = 0.9; // of the critical step, which becomes smaller when an explicit part is compressed

zn_status multirate_ratio(const zn_scheme_def *def, const zn_system *coarse, zn_at at, double h, int *out)
{
    zn_critical critical;
    *out = def->ratio;
    if (def->ratio > 0)
        return ZN_OK;
    zn_status status = zn_system_critical_step(coarse, at, &critical);
    if (status == ZN_ERR_UNSUPPORTED || status == ZN_ERR_MODEL)
        return zn_fail(&coarse->model->log, status,
                       "multirate: the coarse part has no critical step to choose the ratio by; "
                       "give 'ratio'");
    ZN_TRY(status);
    double most = fmin((def->coarse_explicit ? margin : 1) * critical.step / h, LARGEST_RATIO);
    *out = most > 1 ? (int)most : 1;
    return ZN_OK;
}

void multirate_part_destroy(multirate_part *p)
{
    if (p->self)
        p->ops->destroy(p->self);
    zn_state_destroy(p->state);
    zn_subsystem_destroy(&p->part);
    free(p->dof);
    free(p->force);
    *p = (multirate_part){0};
}

static int count_elements(const zn_system *sys)
{
    int count = 0;
    for (int g = 0; g < sys->blocks; g++)
        count += sys->block[g].ops->load ? 0 : sys->block[g].count;
    return count;
}

static zn_status describe(const zn_scheme_def *def, multirate_part part[PARTS], double h, zn_scheme_info *out)
{
    zn_at at[PARTS];
    for (int k = 0; k < PARTS; k++) {
        at[k] = (zn_at){part[k].state->q, part[k].state->v, part[k].state->t, 0};
        *(k == FINE ? &out->fine_elements : &out->coarse_elements) = count_elements(part[k].part.sys);
    }
    ZN_TRY(zn_system_critical_step(part[FINE].part.sys, at[FINE], &out->critical));
    if (def->coarse_explicit) { // it bounds the fine step by its own over the ratio
        zn_critical coarse;
        ZN_TRY(zn_system_critical_step(part[COARSE].part.sys, at[COARSE], &coarse));
        coarse.step /= def->ratio > 0 ? def->ratio : 1;
        if (coarse.step < out->critical.step)
            out->critical = coarse;
    }
    out->ratio = def->ratio;
    return h > 0 ? multirate_ratio(def, part[COARSE].part.sys, at[COARSE], h, &out->ratio) : ZN_OK;
}

zn_status multirate_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out)
{
    multirate_part part[PARTS] = {{.ops = NULL}};
    *out = (zn_scheme_info){.bounded = true, .split = true};
    zn_status status = multirate_split(def, sys, part, &out->links);
    if (status == ZN_OK)
        status = describe(def, part, h, out);
    for (int k = 0; k < PARTS; k++)
        multirate_part_destroy(&part[k]);
    return status;
}
