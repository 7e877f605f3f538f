// In the identity metric the projection moves all coordinates of a contact alike, whatever they weigh: 1 kg that runs
// into 1000 kg pushes it half of the penetration back. Who has such a pair is told once of the other metric.
#include <math.h>

#include "scheme/theta.h"

// From this ratio of masses on.
static const double unequal = 100;

typedef struct pair {
    double light, heavy; // masses [kg]
    int    contact;
} pair;

static double diagonal(const zn_sparse *M, int i)
{
    for (int k = M->start[i]; k < M->start[i + 1]; k++)
        if (M->row[k] == i)
            return M->value[k];
    return 0;
}

// A generalized coordinate may be a length or an angle: nobody knows what its mass is.
static bool has_scalars(const zn_system *sys)
{
    for (int i = 0; i < sys->layout.nodes; i++)
        if (sys->layout.node[i].kind == ZN_SCALAR)
            return true;
    return false;
}

// The most unequal masses that a row moves.
static void compare(const zn_system *sys, const zn_sparse *M, const zn_contact_set *set, pair *worst)
{
    for (int i = 0; i < set->count; i++) {
        pair p = {INFINITY, 0, i};
        int  row = i * set->stride;
        for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++) {
            int dof = set->row_dof[e];
            if (dof >= sys->info.n || sys->rotational[dof] || set->row_value[e] == 0)
                continue;
            p.light = fmin(p.light, diagonal(M, dof));
            p.heavy = fmax(p.heavy, diagonal(M, dof));
        }
        if (p.heavy > 0 && p.light > 0 && p.heavy / p.light > worst->heavy / worst->light)
            *worst = p;
    }
}

zn_status zn_theta_advise_metric(const zn_system *sys)
{
    zn_contact_set *set = NULL;
    zn_sparse      *M = NULL;
    pair            worst = {1, unequal, -1};
    if (has_scalars(sys))
        return ZN_OK;
    zn_status status = zn_contact_set_create(sys, &set);
    if (status == ZN_OK)
        status = zn_contact_set_refresh(set, sys, sys->q0, sys->model->start);
    if (status == ZN_OK && set->count > 0)
        status = zn_system_matrix(sys, &M);
    if (status == ZN_OK && M)
        status = zn_system_operators(sys, (zn_at){sys->q0, sys->v0, sys->model->start, 0}, 1, 0, 0, M);
    if (status == ZN_OK && M)
        compare(sys, M, set, &worst);
    if (worst.contact >= 0)
        zn_log_write(
            &sys->model->log, ZN_LOG_WARNING,
            "'%s' acts on masses of %.3g kg and %.3g kg, and the position projection moves both alike; 'metric: "
            "mass' moves the light one",
            zn_contact_name(sys, set->id[worst.contact]), worst.light, worst.heavy);
    zn_sparse_destroy(M);
    zn_contact_set_destroy(set);
    return status;
}
