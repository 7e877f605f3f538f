// Which joint or contact is farthest from its law. See culprit.h.
#include "constraint/culprit.h"

#include <math.h>
#include <string.h>

#include "base/blame.h"
#include "system/system.h"

// u = W z + b at the last iterate; that of problems without a dense W is the solver's own.
static void find_velocities(zn_constraints *c, int n)
{
    for (int k = 0; k < n && !c->sparse && !c->splitting; k++) {
        c->u[k] = c->b[k];
        for (int j = 0; j < n; j++)
            c->u[k] += c->W[k * n + j] * c->z[j];
    }
}

// How far a contact is from its law; forces count by what they move.
static double distance_of(const zn_constraints *c, const zn_row_list *list, int contact)
{
    int    first = list->first[contact], rows = list->first[contact + 1] - first, n = list->rows;
    double give = c->sparse || c->splitting ? 1 : c->W[first * n + first];
    if (list->leader[contact] >= 0) {
        double normal = c->z[list->first[list->leader[contact]]];
        return zn_disk_law_distance(rows, list->mu[contact] * fmax(normal, 0), give > 0 ? 1 / give : 1, c->z + first,
                                    c->u + first);
    }
    return zn_contact_law_distance(rows, list->mu[contact], give > 0 ? 1 / give : 1, c->z + first, c->u + first);
}

zn_status zn_constraints_blame(zn_constraints *c, const zn_row_list *list, const zn_demand *demand,
                               const zn_solved *solved)
{
    int    worst = -1;
    double most = -1;
    find_velocities(c, list->rows);
    for (int k = 0; k < list->equations; k++)
        if (fabs(c->u[k]) > most && !(c->repeats > 0 && c->repeated[k])) {
            most = fabs(c->u[k]);
            worst = list->row[k];
        }
    for (int i = 0; i < list->contacts; i++) {
        double off = distance_of(c, list, i);
        if (off > most) {
            most = off;
            worst = list->row[list->first[i]];
        }
    }
    bool velocity = strcmp(demand->level, "velocity") == 0, position = strcmp(demand->level, "position") == 0,
         smooth = strcmp(demand->level, "smooth") == 0;
    zn_blame_last = (zn_blame){
        .kind = ZN_BLAME_CONSTRAINT,
        .problem = position   ? "joints and contacts at position level"
                   : velocity ? "joints and contacts at velocity level"
                              : "joints and contacts",
        .contact = worst >= 0 && c->set ? c->set->id[worst / c->set->stride] : zn_contact_id_none(),
        .value = most,
        .unit = position ? "m"
                : smooth ? ""
                         : "m/s", // both levels at once have the unit of velocities
        .relative = solved->residual,
        .tolerance = fmax(demand->tolerance > 0 ? demand->tolerance : c->settings.tolerance, demand->enough),
    };
    if (!c->splitting) // a problem of this process alone, of which others know nothing
        return ZN_NOT_CONVERGED;
    return zn_system_agree(c->sys, most == zn_system_max(c->sys, most) ? ZN_NOT_CONVERGED : ZN_OK);
}
