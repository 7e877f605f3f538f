// Selective mass scaling of cd_lagrange.c: elements that do not bear a wanted step get more mass, as much as they need
// and at their own nodes only.
//
// With the own masses D_e of the elements (or their shares, where some element of a node has none) and
//     f_e = max(1, (h^2 w_e^2 + 2 h c_e)/4),   M' = sum_e f_e D_e
// each element bears h, and so does the whole (critical.c): a certificate, not an estimate. Weights and loads stay
// those of the model, inertia grows. The ledger is that of the model too: the kinetic energy of what is added is part
// of the line "complementary", and linear momentum is that of the masses of the model.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "scheme/cd_lagrange.h"
#include "scheme/scheme.h"
#include "system/system.h"

// Masses that let all elements bear the step that is asked for. A linear model keeps the critical step of now.
zn_status cd_lagrange_scale(cd_lagrange *s)
{
    const zn_system    *sys = s->sys;
    zn_critical_search *search = s->watch.search;
    zn_at               at = {sys->q0, sys->v0, sys->model->start, 0};
    if (s->def.mass_scaling == 0)
        return ZN_OK;
    s->added.mass = ZN_NEW(double, s->n_all);
    zn_status status = s->added.mass ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK && !search)
        status = zn_critical_search_create(sys, "cd_lagrange", &search);
    if (status == ZN_OK)
        status = zn_critical_search_scale(search, at, s->def.mass_scaling, s->added.mass);
    if (status == ZN_OK && !s->watch.search)
        status = zn_critical_search_run(search, at, &s->watch.critical);
    s->watch.sharp = true; // with masses that the system does not know
    if (!s->watch.search)
        zn_critical_search_destroy(search);
    for (int i = 0; i < sys->layout.nodes && status == ZN_OK; i++) { // of the direction that got most
        double most = 0;
        for (int slot = 0; slot < 3; slot++)
            if (sys->layout.node[i].dof[slot] >= 0)
                most = fmax(most, s->added.mass[sys->layout.node[i].dof[slot]]);
        s->added.total += most;
    }
    s->added.total = zn_system_sum(sys, s->added.total);
    return status == ZN_OK ? zn_lumped_mass_add(&s->mass, s->added.mass) : status;
}

zn_status cd_lagrange_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out)
{
    (void)h;
    if (def->mass_scaling == 0)
        return ZN_OK;
    cd_lagrange s = {.sys = sys, .def = *def, .n = sys->info.n, .n_all = sys->info.n_all};
    ZN_TRY(zn_lumped_mass_create(sys, "cd_lagrange", &s.mass));
    zn_status status = cd_lagrange_scale(&s);
    out->critical = s.watch.critical;
    out->added_mass = s.added.total;
    zn_lumped_mass_destroy(&s.mass);
    free(s.added.mass);
    return status;
}
