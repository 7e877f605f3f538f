// The critical step of cd_lagrange.c while it runs: when it is looked for, what follows from it.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "scheme/cd_lagrange.h"
#include "scheme/scheme.h"
#include "system/system.h"

// The bound of elements does not allow the step: a sharper one may.
static zn_status sharpen(cd_lagrange *s, zn_at at)
{
    if (!s->watch.lanczos)
        ZN_TRY(zn_lanczos_create(s->sys, &s->watch.lanczos));
    return s->watch.lanczos ? zn_lanczos_sharpen(s->watch.lanczos, at, &s->watch.critical) : ZN_OK;
}

// The critical step of a nonlinear model changes as it deforms: it is looked at again every so many steps, and when a
// step met a higher frequency than the last look allows for. If that was a false alarm it takes half as much more for
// the next. That of a linear model stays: it is looked at once, and more sharply where that is needed for a step of h.
static zn_status look(cd_lagrange *s, const zn_state *from, double h)
{
    zn_at at = {from->q, from->v, from->t, 0};
    int   between = s->def.follow > 0 ? CD_LAGRANGE_STEPS_BETWEEN_LOOKS / 5 : CD_LAGRANGE_STEPS_BETWEEN_LOOKS;
    if (!s->watch.search && s->watch.critical.step < h && !s->watch.sharp) {
        ZN_TRY(zn_critical_at_least(s->sys, at, h, &s->watch.critical));
        s->watch.sharp = s->watch.critical.step < h;
    } else if (s->watch.search &&
               (s->watch.critical.step == 0 || s->watch.met > s->watch.limit || s->watch.since >= between)) {
        ZN_TRY(zn_critical_search_run(s->watch.search, at, &s->watch.critical));
        if (s->watch.critical.step < h && isfinite(h) && !s->added.mass)
            ZN_TRY(sharpen(s, at));
        s->watch.since = 0;
        s->watch.limit = fmax((1 + 1e-6) * s->watch.critical.frequency * s->watch.critical.frequency,
                              s->watch.met > s->watch.limit ? 1.5 * s->watch.met : 0);
        s->watch.met = 0;
    }
    return ZN_OK;
}

zn_status cd_lagrange_longest(void *self, const zn_state *from, double *out)
{
    cd_lagrange *s = self;
    ZN_TRY(look(s, from, INFINITY));
    *out = s->watch.critical.step;
    return ZN_OK;
}

zn_status cd_lagrange_check_step(cd_lagrange *s, const zn_state *from, double h)
{
    ZN_ASSERT(h > 0);
    ZN_TRY(look(s, from, h));
    if (h <= s->watch.critical.step * (1 + 1e-9))
        return ZN_OK;
    if (s->def.follow > 0) // within halves of a step that failed: shorter ones
        return ZN_NOT_CONVERGED;
    return zn_fail(
        &s->sys->model->log, ZN_ERR_ARGUMENT,
        "cd_lagrange: the step %.6g s exceeds the critical step %.6g s%s; 'step: 0.9 cfl' takes nine tenths of "
        "it at the start, the option 'follow: 0.9' at all times",
        h, s->watch.critical.step, s->past.started ? ", which has become smaller" : "");
}

// Largest coordinate of a place now: the model may have been a point at the start.
static double size_now(const cd_lagrange *s)
{
    double size = s->sys->extent;
    for (int i = 0; i < s->sys->layout.nodes; i++) {
        const zn_layout_node *node = &s->sys->layout.node[i];
        const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
        for (int k = 0; k < zn_node_dimension(node->kind); k++)
            size = fmax(size, fabs(origin[k] + s->q[node->q + k]));
    }
    return size;
}

// How far equation i of a joint may be off: in a hundredth of the size or a tenth of a radian it is no joint.
static double torn(const cd_lagrange *s, int i, double size)
{
    const zn_contact_set *set = s->contacts;
    int                   row = i * set->stride;
    bool                  turns = true;
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        turns = turns && s->sys->rotational[set->row_dof[e]];
    return turns ? 0.1 : 0.01 * size;
}

// Forces of joints that turn are stiffness, too: a light link swings the faster the more it bears. The critical step
// does not know that, and a step that is too long for it tears joints. What came before is wrong already, and shorter
// steps do not mend it.
zn_status cd_lagrange_check_joints(const cd_lagrange *s)
{
    const zn_contact_set *set = s->contacts;
    for (int i = 0; i < set->count; i++)
        if (set->bilateral[i] && !(fabs(set->gap[i]) <= torn(s, i, s->sys->extent)) &&
            !(fabs(set->gap[i]) <= torn(s, i, size_now(s))))
            return zn_fail(&s->sys->model->log, ZN_ERR_ARGUMENT,
                           "cd_lagrange: joint '%s' is torn: the step %.6g s is too long for the force it bears",
                           zn_contact_name(s->sys, set->id[i]), s->h);
    return ZN_OK;
}

// What decides about the next look, and so about steps that follow.
void cd_lagrange_list_watch(cd_lagrange *s, zn_blob *blob)
{
    double step =
        isfinite(s->watch.critical.step) ? s->watch.critical.step : 0; // where nothing is stiff it is found again
    zn_blob_double(blob, &step);
    if (blob->loading && !blob->dry)
        s->watch.critical.step = step;
    zn_blob_double(blob, &s->watch.critical.frequency);
    zn_blob_int(blob, &s->watch.since, 0, CD_LAGRANGE_STEPS_BETWEEN_LOOKS);
    zn_blob_double(blob, &s->watch.limit);
    zn_blob_double(blob, &s->watch.met);
    if (s->watch.search)
        zn_blob_doubles(blob, s->force.last_strain, s->n_all);
}
