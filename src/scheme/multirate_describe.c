// What a model becomes in parts, without running it; the ratios of the steps where they are not given.
#include <math.h>
#include <string.h>

#include "scheme/multirate.h"

enum { LARGEST_CHOICE = 10000 };  // a ratio chosen by itself
static const double margin = 0.9; // of the critical step, which becomes smaller when an explicit part is compressed

static zn_at place_of(const multirate_part *p) { return (zn_at){p->state->q, p->state->v, p->state->t, 0}; }

static zn_status bearable_ratio(const zn_scheme_def *def, const multirate_part *p, double h, int *out)
{
    zn_critical critical;
    zn_status   status = zn_system_critical_step(p->part.sys, place_of(p), &critical);
    if (status == ZN_ERR_UNSUPPORTED || status == ZN_ERR_MODEL)
        return zn_fail(&p->part.sys->model->log, status,
                       "multirate: the coarse part has no critical step to choose the ratio by; "
                       "give 'ratio'");
    ZN_TRY(status);
    double most = fmin((def->coarse_explicit ? margin : 1) * critical.step / h, LARGEST_CHOICE);
    *out = most > 1 ? (int)most : 1;
    return ZN_OK;
}

int multirate_period(const multirate_parts *p)
{
    int period = 1;
    for (int k = COARSE; k < p->count; k++)
        period = p->part[k].ratio > period ? p->part[k].ratio : period;
    return period;
}

// Only one part has none given; its ratio and the others divide the largest.
zn_status multirate_choose_ratios(const zn_scheme_def *def, multirate_parts *p, double h)
{
    int given = multirate_period(p);
    for (int k = COARSE; k < p->count; k++) {
        int *ratio = &p->part[k].ratio;
        if (*ratio > 0)
            continue;
        ZN_TRY(bearable_ratio(def, &p->part[k], h, ratio));
        if (*ratio >= given)
            *ratio -= *ratio % given;
        while (*ratio < given && given % *ratio != 0)
            --*ratio;
    }
    return ZN_OK;
}

static int count_elements(const zn_system *sys)
{
    int count = 0;
    for (int g = 0; g < sys->blocks; g++)
        count += sys->block[g].ops->load ? 0 : sys->block[g].count;
    return count;
}

// An explicit coarse part bounds the fine step by its own over the ratio.
static zn_status bound(const zn_scheme_def *def, const multirate_parts *p, zn_critical *out)
{
    ZN_TRY(zn_system_critical_step(p->part[FINE].part.sys, place_of(&p->part[FINE]), out));
    for (int k = COARSE; k < p->count && def->coarse_explicit; k++) {
        zn_critical coarse;
        ZN_TRY(zn_system_critical_step(p->part[k].part.sys, place_of(&p->part[k]), &coarse));
        coarse.step /= p->part[k].ratio > 0 ? p->part[k].ratio : 1;
        if (coarse.step < out->step)
            *out = coarse;
    }
    return ZN_OK;
}

static zn_status describe(const zn_scheme_def *def, multirate_parts *p, double h, zn_scheme_info *out)
{
    for (int k = 0; k < p->count; k++)
        *(k == FINE ? &out->fine_elements : &out->coarse_elements) += count_elements(p->part[k].part.sys);
    out->links = p->links;
    out->coarse_parts = p->count - 1;
    ZN_TRY(bound(def, p, &out->critical));
    if (h > 0)
        ZN_TRY(multirate_choose_ratios(def, p, h));
    out->ratio = p->part[COARSE].ratio == 0 ? 0 : multirate_period(p);
    return ZN_OK;
}

zn_status multirate_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out)
{
    multirate_parts parts = {0};
    *out = (zn_scheme_info){.bounded = true, .split = true};
    ZN_TRY(multirate_split(def, sys, &parts));
    zn_status status = describe(def, &parts, h, out);
    multirate_parts_destroy(&parts);
    return status;
}
