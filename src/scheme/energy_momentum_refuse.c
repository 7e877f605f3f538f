// What the scheme energy_momentum cannot do, said at its creation.
#include <stdlib.h>

#include "base/array.h"
#include "scheme/energy_momentum.h"

zn_status zn_conserving_mark_rigid(const zn_system *sys, bool **out)
{
    const zn_element_ops *const kinds[] = {&zn_point_mass_ops, &zn_rigid_body2_ops, &zn_rigid_body3_ops,
                                           &zn_round_body_ops};
    bool                       *rigid = *out = ZN_NEW(bool, sys->info.n_all);
    if (!rigid)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < sys->blocks; i++)
        for (size_t k = 0; k < ZN_COUNT(kinds); k++)
            for (int e = 0; sys->block[i].ops == kinds[k] && e < sys->block[i].count * kinds[k]->dofs; e++)
                if (sys->block[i].dof[e] >= 0)
                    rigid[sys->block[i].dof[e]] = true;
    return ZN_OK;
}

// A contact of a rule: not every number is one.
static zn_contact_key some_contact(const zn_contact_rule *rule)
{
    zn_contact_key key = {0};
    while (rule->ops->knows && !rule->ops->knows(rule->parameter, key) && key.number + 1 < rule->max_contacts)
        key.number++;
    return key;
}

// Bodies that deform give back what they took when they part: they have no restitution, for which 0 stands, as what
// nobody has given, and 1. Rigid ones are sent back as they came, so 1 must be said.
static zn_status check_restitution(const zn_system *sys, const zn_contact_rule *rule, const bool *rigid,
                                   const zn_log *log)
{
    int                dof[ZN_CONTACT_ENTRIES];
    double             row[3][ZN_CONTACT_ENTRIES], push[3][ZN_CONTACT_ENTRIES];
    double *const      force[3] = {push[0], push[1], push[2]};
    zn_contact_product product = {.dof = dof, .value = row[0], .restitution_from = rule->restitution_from};
    zn_at              at = {sys->q0, sys->v0, sys->model->start, 0};
    zn_contact_key     key = some_contact(rule);
    bool               deforms = false;
    if (rule->ops->bilateral || rule->max_contacts == 0)
        return ZN_OK;
    if (rule->rows > 1)
        product.tangent[0] = row[1], product.tangent[1] = row[2];
    if (rule->ops->evaluate_between)
        ZN_TRY(rule->ops->evaluate_between(rule->parameter, &sys->layout, key, (zn_between){.from = at, .to = at},
                                           &product, force));
    else
        ZN_TRY(rule->ops->evaluate(rule->parameter, &sys->layout, key, at.q, at.t, &product));
    for (int e = 0; e < product.entries; e++)
        deforms |= !rigid[dof[e]];
    if (product.restitution_from > 0)
        return zn_fail(
            log, ZN_ERR_UNSUPPORTED,
            "energy_momentum: contact '%s': restitution_from %g m/s: an impact keeps energy here, however slow "
            "it is; take nsga or moreau_jean",
            rule->name, product.restitution_from);
    if (product.tangential_restitution != 0)
        return zn_fail(log, ZN_ERR_UNSUPPORTED,
                       "energy_momentum: contact '%s': tangential restitution %g: the scheme has none; take nsga or "
                       "moreau_jean",
                       rule->name, product.tangential_restitution);
    if (product.restitution == 1 || (product.restitution == 0 && deforms))
        return ZN_OK;
    return zn_fail(
        log, ZN_ERR_UNSUPPORTED,
        "energy_momentum: contact '%s': restitution %g: an impact keeps energy here, say restitution: 1%s, or "
        "take nsga or moreau_jean",
        rule->name, product.restitution, deforms ? " or nothing" : "");
}

static zn_status check_impacts(const zn_system *sys, const zn_log *log)
{
    bool     *rigid = NULL;
    zn_status status = zn_conserving_mark_rigid(sys, &rigid);
    for (int i = 0; i < sys->model->rules && status == ZN_OK; i++)
        status = check_restitution(sys, &sys->model->rule[i], rigid, log);
    free(rigid);
    return status;
}

zn_status zn_conserving_check(const zn_system *sys, const zn_log *log)
{
    if (sys->varying_mass)
        return zn_fail(log, ZN_ERR_UNSUPPORTED,
                       "energy_momentum: systems in minimal coordinates have a mass that varies");
    ZN_TRY(zn_system_refuse_between(sys, "energy_momentum"));
    return check_impacts(sys, log);
}
