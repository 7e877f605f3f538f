// Contacts of a pile that several processes solve together. See constraints.h.
#include <float.h>
#include <string.h>

#include "base/assert.h"
#include "constraint/constraints.h"
#include "constraint/pile_task.h"

enum { SWEEPS = 1000, MANY_SWEEPS = 3000, CLOSE = 10 };
static const double coarse = 1e-7; // where sweeps alone must do, as on one process

zn_status zn_constraints_share(zn_constraints *c, const zn_row_list *list, zn_response *r, const zn_contact_set *set,
                               zn_rows G, const double *q, bool same, const zn_demand *demand, zn_solved *out,
                               bool *shared)
{
    const zn_peers *peers = c->sys->peers;
    *out = (zn_solved){0};
    *shared = false;
    if (!peers || !zn_response_is_sparse(r, list->rows) || list->follow || list->bonds || list->equations > 0)
        return ZN_OK;
    double       tolerance = demand->tolerance > 0 ? demand->tolerance : c->settings.tolerance;
    bool         rough = tolerance >= coarse;
    zn_pile_task task = {.sys = c->sys,
                         .q = q,
                         .blocks = r->blocks,
                         .G = G,
                         .list = list,
                         .same = same,
                         .b = c->b,
                         .measure = c->settings.measure,
                         .tolerance = tolerance,
                         .settled = demand->settled * tolerance,
                         .enough = rough ? CLOSE * tolerance : 0,
                         .most = rough ? SWEEPS : MANY_SWEEPS,
                         .z = c->z,
                         .u = c->u};
    zn_status    status = peers->solve(peers->user, &task);
    out->iterations = task.iterations;
    out->residual = task.residual;
    if (status == ZN_NOT_CONVERGED) { // z is as it was: each process for itself, as one alone would
        out->failed = 1;
        out->wasted = task.iterations;
        return ZN_OK;
    }
    ZN_TRY(status);
    *shared = true;
    c->sparse = &r->blocks->W; // which need not be assembled
    c->splitting = NULL;
    c->set = set;
    c->repeats = 0;
    if (!zn_constraints_wants_even(c, demand))
        return ZN_OK;
    ZN_TRY(zn_constraints_assemble(c, list, r, set, G, G)); // by each for itself, as what follows
    return zn_constraints_even(c, list, demand, out);
}
