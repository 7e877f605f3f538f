// A simulation of a model that stands in the text of a test, what its certificate is judged by, and what was logged.
#ifndef ZN_TESTS_PARSED_RUN_H
#define ZN_TESTS_PARSED_RUN_H

#include "fixtures.h"

#include "zn/io.h"

typedef struct run {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} run;

static log_capture messages;

/// Model and system; what the run is to be may be changed before start_run.
static inline run parse_run(const char *text)
{
    static const char *const none[1];
    run                      r = {0};
    log_capture_clear(&messages);
    if (zn_problem_parse(text, strlen(text), "model.yaml", 0, none, log_into(&messages), &r.problem) != ZN_OK)
        fail_msg("%s", messages.text);
    CHECK_OK(zn_system_create(r.problem->model, &r.sys));
    return r;
}

static inline run start_run(run r)
{
    CHECK_OK(zn_sim_create(r.sys, &r.problem->sim, &r.sim));
    return r;
}

/// With another scheme, all of its options at their defaults.
static inline void take_scheme(run *r, const char *scheme)
{
    r->problem->sim.scheme = zn_scheme_def_default();
    r->problem->sim.scheme.scheme = scheme;
}

static inline void end(run *r)
{
    zn_sim_destroy(r->sim);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
}

/// How many limits are broken; `messages` says which, and what it warns of.
static inline int judge(run *r)
{
    zn_log log = log_into(&messages);
    log_capture_clear(&messages);
    return zn_certificate_check(zn_sim_certificate(r->sim), &r->problem->sim.limits, r->sys, &log);
}

#endif
