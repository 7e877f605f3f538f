// Laws of impact other than Newton's in the nonsmooth generalized-alpha scheme: what velocities they ask for.
#include "base/assert.h"
#include "scheme/nsga.h"

double nsga_beyond(const nsga *s, int row)
{
    const zn_contact_set *set = s->contacts;
    ZN_ASSERT(row % set->stride == 0);
    if (s->impact.law != ZN_IMPACT_NEWTON)
        return set->velocity[row] - s->impact.target[row / set->stride];
    return set->velocity[row] + nsga_restitution(s, row) * set->approach[row];
}

zn_status nsga_find_targets(nsga *s)
{
    const zn_contact_set *set = s->contacts;
    zn_solved             solved = {0};
    if (s->impact.law == ZN_IMPACT_NEWTON)
        return ZN_OK;
    zn_impact_begin(&s->impact, set);
    for (int i = 0; i < set->count; i++) {
        double before[3];
        if (set->bilateral[i] || !s->allowed[i])
            continue;
        for (int r = 0; r < zn_impact_rows(set, i); r++)
            before[r] = nsga_approach(s, i * set->stride + r);
        zn_impact_add(&s->impact, set, i, before);
    }
    if (zn_impact_needs_matrix(&s->impact))
        ZN_TRY(nsga_factor(s, &s->velocity));
    zn_status status =
        zn_impact_find_by(&s->impact, &s->constraints, &s->velocity.response, set, s->step.from->t, &solved);
    zn_step_info_add(s->step.info, solved);
    return status;
}

bool nsga_acts(const void *scheme, int contact)
{
    const nsga *s = scheme;
    int         row = contact * s->contacts->stride;
    return s->position.l[row] != 0 || s->velocity.l[row] != 0;
}
