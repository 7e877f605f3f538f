/// Bars and beams in two parts, with units such that E = rho = A = 1.
#ifndef ZN_TESTS_MULTIRATE_MODELS_H
#define ZN_TESTS_MULTIRATE_MODELS_H

#include <math.h>

#include "fixtures.h"
#include "base/fault.h"
#include "scheme_fixtures.h"
#include "scheme/scheme.h"

typedef struct bar_case {
    int          elements;
    double       gravity; // along the bar
    double       load;    // amplitude of a force on the node in the middle
    double       speed;   // of all nodes towards the wall
    double       gap;     // of node 0 before the wall at x = 0; negative: no wall
    double       restitution;
    bool         fixed; // the last node
    zn_mass_kind mass;
    double       mass_damping, stiffness_damping;
    log_capture *log;
} bar_case;

static inline void add_sine(zn_model *model, const char *node, int axis, double amplitude)
{
    zn_force_def force = zn_force_def_default();
    char         message[80];
    force.name = "pull";
    force.point.node = zn_model_find_node(model, node);
    CHECK_OK(zn_signal_expression("f*sin(3*t + 0.4)", 1, (const char *const[]){"f"}, &amplitude, message,
                                  sizeof message, &force.force[axis]));
    CHECK_OK(zn_model_add_force(model, &force));
}

static inline zn_model *bar_of(bar_case c)
{
    zn_model  *model = make_model(true, zn_vec3_make(c.gravity, 0, 0), c.log);
    zn_bar_def def = zn_bar_def_default();
    char       name[32];
    def.name = "rod";
    def.from = zn_vec3_make(c.gap > 0 ? c.gap : 0, 0, 0);
    def.to = zn_vec3_make(def.from.x + 1, 0, 0);
    def.elements = c.elements;
    def.young = def.density = def.area = 1;
    def.mass = c.mass;
    def.velocity = zn_vec3_make(-c.speed, 0, 0);
    def.mass_damping = c.mass_damping;
    def.stiffness_damping = c.stiffness_damping;
    def.fixed = ZN_FIX_Y;
    CHECK_OK(zn_model_add_bar(model, &def));
    snprintf(name, sizeof name, "rod[%d]", c.elements);
    if (c.fixed) {
        zn_node_id end = zn_model_find_node(model, name);
        CHECK_OK(zn_model_add_node_set(model, "end", 1, &end));
        CHECK_OK(zn_model_fix_node_set(model, "end", ZN_FIX_X | ZN_FIX_Y));
    }
    snprintf(name, sizeof name, "rod[%d]", c.elements / 2);
    if (c.load != 0)
        add_sine(model, name, 0, c.load);
    if (c.gap >= 0)
        add_plane(model, "wall", zn_model_find_node(model, "rod[0]"), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0),
                  c.restitution);
    return model;
}

/// A cantilever along x in space, clamped at its beginning; `gap`: of a plane below its tip, negative: none.
static inline zn_model *cantilever(int elements, double gap, zn_mass_kind mass, log_capture *log)
{
    zn_model   *model = make_model(false, zn_vec3_make(0, 0.02, -0.1), log);
    zn_beam_def def = zn_beam_def_default();
    char        tip[32];
    def.name = "beam";
    def.to = zn_vec3_make(1, 0, 0);
    def.elements = elements;
    def.young = def.density = 1;
    def.section = zn_beam_section_rectangle(0.1, 0.2, 0);
    def.theory = ZN_BEAM_EULER_BERNOULLI;
    def.mass = mass;
    def.fix_first = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_beam(model, &def));
    snprintf(tip, sizeof tip, "beam[%d]", elements);
    add_sine(model, "beam[2]", 2, 1e-4);
    if (gap >= 0) {
        zn_contact_def contact = zn_contact_def_default();
        contact.name = "floor";
        contact.point.node = zn_model_find_node(model, tip);
        contact.normal = zn_vec3_make(0, 0, 1);
        contact.through = zn_vec3_make(0, 0, -gap);
        CHECK_OK(zn_model_add_contact(model, &contact));
    }
    return model;
}

static inline zn_scheme_def parts(const char *fine, int ratio)
{
    zn_scheme_def def = scheme_named("multirate", 0.5);
    def.fine = fine;
    def.ratio = ratio;
    return def;
}

/// Where vectors begin in the history of an explicit fine and an implicit coarse part, or an explicit one with
/// `half[1]` in place of u and a; each has its length before it.
typedef struct history_map {
    int link, free, q[2], v[2], half[2], u, a;
} history_map;

static inline int pass_vector(const double *history, int *at)
{
    int begin = *at + 1;
    *at = begin + (int)history[*at];
    return begin;
}

static inline history_map map_history(const double *history, bool coarse_explicit)
{
    enum { NUMBERS = 4, PART_NUMBERS = 2, ENERGIES = 3, CD_NUMBERS = 4, NEWMARK_NUMBERS = 3 };
    history_map map = {0};
    int         at = NUMBERS;
    map.link = pass_vector(history, &at);
    map.free = pass_vector(history, &at);
    pass_vector(history, &at); // links at the beginning of the coarse step
    for (int k = 0; k < 2; k++) {
        at += PART_NUMBERS;
        map.q[k] = pass_vector(history, &at);
        map.v[k] = pass_vector(history, &at);
        pass_vector(history, &at); // reactions
        bool explicit = k == 0 || coarse_explicit;
        at += ENERGIES + (explicit ? CD_NUMBERS : NEWMARK_NUMBERS);
        if (explicit)
            pass_vector(history, &at); // carried powers
        *(explicit ? &map.half[k] : &map.u) = pass_vector(history, &at);
        if (k == 0)
            pass_vector(history, &at); // its balance
    }
    if (!coarse_explicit)
        map.a = pass_vector(history, &at);
    return map;
}

/// Stored energies against what entered.
typedef struct account {
    double start, entered[ZN_LEDGER_LINES], worst, size, without; // without: worst when the line of links is left out
} account;

static inline void account_begin(account *a, const rig *r)
{
    *a = (account){.start = energy_of(r), .size = fabs(energy_of(r))};
}

static inline void account_step(account *a, const rig *r)
{
    double stored = 0, entered = 0;
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        a->entered[i] = i < ZN_LEDGER_STORED ? r->info.ledger[i] : a->entered[i] + r->info.ledger[i];
        *(i < ZN_LEDGER_STORED ? &stored : &entered) += a->entered[i];
        a->size = fmax(a->size, fabs(a->entered[i]));
    }
    assert_true(isnan(stored) == !r->state->whole); // nobody knows what the coarse part stores between its times
    if (!r->state->whole)
        return;
    a->worst = fmax(a->worst, fabs(stored - a->start - entered));
    a->without = fmax(a->without, fabs(stored - a->start - entered + a->entered[ZN_LEDGER_INTERFACE]));
}

// Every evaluation of a step fails once: nothing changes, and the step succeeds afterwards as if nothing had happened.
static inline int fail_everywhere(rig *r, rig *twin, double h)
{
    int       size = zn_scheme_history_size(r->scheme), failed = 0;
    double   *before = calloc((size_t)size, sizeof *before), *now = calloc((size_t)size, sizeof *now);
    zn_state *state = NULL;
    CHECK_OK(zn_state_create(r->sys, &state));
    zn_state_copy(r->sys, r->state, state);
    zn_scheme_history_save(twin->scheme, before); // factors are dropped in both
    zn_scheme_history_save(r->scheme, before);
    for (;; failed++) {
        zn_step_info info;
        zn_fault_inject(failed + 1);
        zn_status status = zn_scheme_step(r->scheme, r->state, h, &info);
        bool      fired = zn_fault_is_spent();
        zn_fault_inject(0);
        if (!fired) {
            CHECK_STATUS(status, ZN_OK);
            break;
        }
        assert_true(status > 0 && info.failed != NULL);
        check_same_state(r->sys, r->state, state);
        zn_scheme_history_save(r->scheme, now);
        CHECK_SAME_BITS(before, now, size);
    }
    rig_step(twin, h);
    check_same_state(r->sys, r->state, twin->state);
    zn_state_destroy(state);
    free(before);
    free(now);
    return failed;
}

#endif
