// How contacts slide between two configurations, and how their rows change.
#include <string.h>

#include "base/alive.h"
#include "base/assert.h"
#include "base/fault.h"
#include "system/contact_scratch.h"

// G_T(q) times the change of q, and the gap.
static zn_status rolling_slip(const zn_contact_set *set, const zn_system *sys, int i, const double *q, double t,
                              double *slip)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
    int                    dof[ZN_CONTACT_ENTRIES];
    double                 row[ZN_CONTACT_ROWS][ZN_CONTACT_ENTRIES];
    zn_contact_product     product = {.dof = dof, .value = row[0]};
    for (int r = 1; r < ZN_CONTACT_ROWS; r++)
        product.tangent[r - 1] = row[r];
    ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, zn_contact_key_at(set, i), q, t, &product));
    slip[0] = product.gap;
    for (int r = 1; r < zn_contact_product_rows(rule, &product); r++)
        for (int k = 0; k < product.entries; k++)
            slip[r] += row[r][k] * set->scratch->change[dof[k]];
    return ZN_OK;
}

// Gap and slip of one contact into zeros; `*has_change`: the change of q is known.
static zn_status add_slip(const zn_contact_set *set, const zn_system *sys, int i, zn_at from, zn_at to,
                          bool *has_change, double *out)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
    zn_contact_product     product = {0};
    if (rule->rows > 1 && (!rule->ops->slip || rule->turns > 0)) {
        if (!*has_change)
            zn_system_difference(sys, to.q, from.q, set->scratch->change);
        *has_change = true;
        ZN_TRY(rolling_slip(set, sys, i, to.q, to.t, out));
        if (!rule->ops->slip)
            return ZN_OK;
    }
    zn_contact_key key = zn_contact_key_at(set, i);
    ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, key, to.q, to.t, &product));
    out[0] = product.gap;
    if (rule->rows == 1)
        return ZN_OK;
    return rule->ops->slip(rule->parameter, &sys->layout, key, from.q, from.t, to.q, to.t, out + 1);
}

zn_status zn_contact_set_slip(const zn_contact_set *set, const zn_system *sys, const double *q_from, double t_from,
                              const double *q, double t, double *slip)
{
    ZN_ALIVE(set);
    ZN_ALIVE(sys);
    ZN_ASSERT(q_from && q && (slip || set->count == 0));
    bool has_change = false;
    ZN_TRY(zn_fault_point());
    memset(slip, 0, sizeof *slip * (size_t)(set->count * set->stride));
    for (int i = 0; i < set->count; i++)
        ZN_TRY(add_slip(set, sys, i, (zn_at){.q = q_from, .t = t_from}, (zn_at){.q = q, .t = t}, &has_change,
                        slip + i * set->stride));
    return ZN_OK;
}

zn_status zn_contact_set_slip_of(const zn_contact_set *set, const zn_system *sys, int i, zn_at from, zn_at to,
                                 double slip[ZN_CONTACT_ROWS])
{
    ZN_ASSERT(i >= 0 && i < set->count && from.q && to.q);
    bool has_change = false;
    memset(slip, 0, ZN_CONTACT_ROWS * sizeof *slip);
    return add_slip(set, sys, i, from, to, &has_change, slip);
}

zn_status zn_contact_set_curvature(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                   const double *lambda, const double *x, double *y)
{
    ZN_ALIVE(set);
    ZN_ALIVE(sys);
    ZN_ASSERT(lambda && x && y && x != y);
    ZN_TRY(zn_fault_point());
    memset(y, 0, sizeof *y * (size_t)sys->info.n_all);
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
        ZN_TRY(rule->ops->curvature(rule->parameter, &sys->layout, zn_contact_key_at(set, i), q, t,
                                    lambda + i * set->stride, x, y));
    }
    return ZN_OK;
}
