/// What a conserving scheme keeps, of the state of a rig.
#ifndef ZN_TESTS_INVARIANTS_H
#define ZN_TESTS_INVARIANTS_H

#include "fixtures.h"
#include "scheme_fixtures.h"

typedef struct invariants {
    double  energy;
    zn_vec3 linear, angular; ///< about the origin
} invariants;

static inline invariants invariants_of(const rig *r)
{
    static double scratch[1024];
    zn_at         at = {r->state->q, r->state->v, r->state->t, 0};
    invariants    out;
    zn_energy     e;
    assert_true(zn_system_get_info(r->sys).n_all <= 1024);
    CHECK_OK(zn_system_energy(r->sys, at, &e));
    CHECK_OK(zn_system_momentum(r->sys, at, -1, scratch, &out.linear, &out.angular));
    out.energy = e.kinetic + e.strain + e.gravity;
    return out;
}

#endif
