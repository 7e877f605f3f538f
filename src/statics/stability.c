// Is an equilibrium stable? It is where no motion that the constraints allow meets negative stiffness: equations in
// linearized.h. Contacts that carry force are taken for equations; those that only touch hold nothing.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "statics/linearized.h"

// Shift of a node (from the first place on), or its turn (from the fourth on).
static double motion_of(const zn_equilibrium *e, int node, int first, const double *x)
{
    double sum = 0;
    for (int k = first; k < first + 3; k++) {
        int dof = e->sys->layout.node[node].dof[k];
        sum += dof >= 0 && dof < e->n ? x[dof] * x[dof] : 0;
    }
    return sqrt(sum);
}

static int find_largest(const zn_equilibrium *e, int first, const double *x, double *most)
{
    int best = -1;
    *most = 0;
    for (int i = 0; i < e->sys->layout.nodes; i++) {
        double motion = motion_of(e, i, first, x);
        best = motion > *most ? i : best;
        *most = fmax(*most, motion);
    }
    return best;
}

// By its shift, unless the mode is one of turning.
static int find_mover(const zn_equilibrium *e, const double *x)
{
    double shift, turn;
    int    shifted = find_largest(e, 0, x, &shift), turned = find_largest(e, 3, x, &turn);
    return shift > 0.01 * e->length * turn || turned < 0 ? shifted : turned;
}

// Name of the node that moves most in the most unstable mode; NULL where that is not found.
static zn_status name_mover(zn_linearized *a, char *text, size_t size, const char **name)
{
    double   *x = ZN_NEW(double, a->e->n), square;
    int       found = 0, node = -1;
    zn_status status = x ? zn_linearized_modes(a, 1, &found, &square, x) : ZN_ERR_MEMORY;
    if (status == ZN_OK && found > 0)
        node = find_mover(a->e, x);
    *name = node >= 0 ? zn_model_node_name(a->e->sys->model, node, text, size) : NULL;
    free(x);
    return status == ZN_ERR_MEMORY ? status : ZN_OK;
}

static zn_status tell(zn_linearized *a)
{
    zn_equilibrium *e = a->e;
    bool            error = e->def.unstable == ZN_UNSTABLE_ERROR;
    char            text[64];
    if (e->warned && !error)
        return ZN_OK;
    const char *mover;
    ZN_TRY(name_mover(a, text, sizeof text, &mover));
    e->warned = true;
    zn_log_write(&e->def.log, error ? ZN_LOG_ERROR : ZN_LOG_WARNING,
                 "equilibrium: unstable at %.6g of the loads, %d negative eigenvalue%s of the stiffness%s%s%s",
                 1 - e->loads.relief, a->negative, a->negative == 1 ? "" : "s", mover ? "; '" : "", mover ? mover : "",
                 mover ? "' moves most" : "");
    return error ? ZN_NOT_STABLE : ZN_OK;
}

zn_status zn_equilibrium_judge(zn_equilibrium *e)
{
    zn_linearized a;
    e->info.negative = e->info.neutral = -1;
    if (e->def.unstable == ZN_UNSTABLE_IGNORE)
        return ZN_OK;
    zn_status status = zn_linearized_create(e, &a);
    if (status == ZN_ERR_UNSUPPORTED)
        return ZN_OK;
    ZN_TRY(status);
    e->info.negative = a.negative;
    e->info.neutral = a.neutral;
    status = a.negative > 0 ? tell(&a) : ZN_OK;
    zn_linearized_destroy(&a);
    return status;
}
