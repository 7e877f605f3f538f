/// Static equilibrium of a model, and looks at the answer.
#ifndef ZN_TESTS_EQUILIBRIUM_SOLVED_H
#define ZN_TESTS_EQUILIBRIUM_SOLVED_H

#include "equilibrium_models.h"
#include "system/system.h"

typedef struct solved {
    fixture             f;
    zn_state           *state;
    zn_equilibrium_info info;
} solved;

static inline solved solve(zn_model *model, int load_steps)
{
    solved             s = {.f = compile_fixture(model)};
    zn_equilibrium_def def = zn_equilibrium_def_default();
    log_capture        log = {0};
    def.load_steps = load_steps;
    def.log = log_into(&log);
    CHECK_OK(zn_state_create(s.f.sys, &s.state));
    zn_status status = zn_equilibrium_solve(s.f.sys, &def, s.state, &s.info);
    if (status != ZN_OK)
        print_error("%s", log.text);
    CHECK_OK(status);
    assert_int_equal(s.info.load_steps, load_steps);
    CHECK_BELOW(largest_of(zn_system_get_info(s.f.sys).n_all, s.state->v), 0);
    return s;
}

static inline void close_solved(solved *s)
{
    zn_state_destroy(s->state);
    destroy_fixture(&s->f);
}

static inline double coordinate(const solved *s, const char *node, int k)
{
    const zn_layout_node *n = &s->f.sys->layout.node[zn_model_find_node(s->f.model, node).value - 1];
    return s->state->q[n->q + k];
}

static inline double force_of(const solved *s, const char *contact)
{
    const zn_contact_set *set = s->state->contacts;
    for (int i = 0; i < set->count; i++)
        if (strcmp(zn_contact_name(s->f.sys, set->id[i]), contact) == 0)
            return set->impulse[i * set->stride];
    return NAN;
}

#endif
