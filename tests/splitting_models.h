/// Solids on rough floors and on each other, for contacts without columns.
#ifndef ZN_TESTS_SPLITTING_MODELS_H
#define ZN_TESTS_SPLITTING_MODELS_H

#include "fixtures.h"
#include "scheme_fixtures.h"

#include "zn/io.h"

#define SOFT_HEAD                                                                                                      \
    "zeno: 1\nrun: {step: 1 ms, until: 1 s}\n"                                                                         \
    "gravity: [0, 0, -9.81]\n"                                                                                         \
    "parameters: {n: 5, mu: 0.3, e: 0}\n"                                                                              \
    "materials: {soft: {young: 90 Pa, poisson: 0.3, density: 1 kg/m^3}}\n"

#define THROWN_BLOCK                                                                                                   \
    SOFT_HEAD "parts:\n"                                                                                               \
              "  block: {element: solid, material: soft, velocity: [0.4, 0.1, -1],\n"                                  \
              "    mesh: {box: {from: [-0.05, -0.05, 0.0052], to: [0.05, 0.05, 0.1052], elements: [n, n, n]}}}\n"      \
              "contacts:\n"                                                                                            \
              "  floor: {points: block.zmin, surface: {plane: [0.1, 0, 1]}, friction: mu, restitution: e}\n"

/// A block thrown on an inclined floor: some points stick, others slide, and some part.
static const char thrown_block[] = THROWN_BLOCK;

/// Each contact twice: they share their load in many ways.
static const char doubled_block[] =
    THROWN_BLOCK "  again: {points: block.zmin, surface: {plane: [0.1, 0, 1]}, friction: mu, restitution: e}\n";

/// Beside it a pendulum, whose joint is an equation in the same problem.
static const char jointed_block[] =
    THROWN_BLOCK "bodies:\n"
                 "  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0]}\n"
                 "joints:\n"
                 "  pin: {type: revolute, body: bob, at: [-1, 0, 0], axis: [0, 1, 0]}\n";

/// One block falls on another: contacts on facets couple unknowns that elements do not.
static const char two_blocks[] =
    SOFT_HEAD "parts:\n"
              "  lower: {element: solid, material: soft,\n"
              "    mesh: {box: {from: [0, 0, -0.05], to: [0.1, 0.1, 0], elements: [3, 3, 2]}}}\n"
              "  upper: {element: solid, material: soft, velocity: [0.5, 0.3, -1],\n"
              "    mesh: {box: {from: [0.021, 0.017, 0.0005], to: [0.087, 0.081, 0.05], elements: [3, 2, 2]}}}\n"
              "contacts:\n"
              "  rub: {points: upper.zmin, surface: {part: lower, face: zmax}, friction: mu}\n";

static log_capture soft_messages; ///< of the run that was started last

typedef struct soft_run {
    zn_problem *problem;
    rig         r;
} soft_run;

/// `more`: an override such as "n=10", or NULL.
static inline soft_run soft_start(const char *text, const char *mu, const char *more, zn_scheme_def def)
{
    const char *overrides[] = {mu, more};
    soft_run    x = {0};
    log_capture_clear(&soft_messages);
    if (zn_problem_parse(text, strlen(text), "block", more ? 2 : 1, overrides, log_into(&soft_messages), &x.problem))
        fail_msg("%s", soft_messages.text);
    CHECK_OK(zn_system_create(x.problem->model, &x.r.sys));
    CHECK_OK(zn_state_create(x.r.sys, &x.r.state));
    CHECK_OK(zn_scheme_create(&def, x.r.sys, &x.r.scheme));
    return x;
}

static inline void soft_end(soft_run *x)
{
    rig_close(&x->r);
    x->problem = zn_problem_destroy(x->problem);
}

/// Does it solve contacts without columns?
static inline bool soft_is_split(const soft_run *x)
{
    return strstr(zn_scheme_linsolver_info(x->r.scheme).backend, "without columns") != NULL;
}

#endif
