// From a model file and run options to a simulation.
#include "simulation.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "ranks.h"
#include "scheme_option.h"
#include "terminal.h"

bool run_options_parse(const char *verb, int argc, char **argv, run_options *out)
{
    *out = (run_options){.step = {.value = NAN},
                         .until = NAN,
                         .dump_every = NAN,
                         .checkpoint_every = NAN,
                         .time_limit = NAN,
                         .memory_limit = NAN,
                         .output_limit = NAN};
    const option table[] = {
        {"scheme", 0, OPTION_TEXT, &out->scheme},
        {"step", 0, OPTION_STEP, &out->step},
        {"until", 0, OPTION_TIME, &out->until},
        {"set", 0, OPTION_LIST, &out->set},
        {"output", 'o', OPTION_TEXT, &out->output},
        {"no-output", 0, OPTION_FLAG, &out->no_output},
        {"json", 0, OPTION_FLAG, &out->json},
        {"quiet", 'q', OPTION_FLAG, &out->quiet},
        {"dump-problems", 0, OPTION_TEXT, &out->dump_problems},
        {"dump-every", 0, OPTION_NUMBER, &out->dump_every},
        {"view", 0, OPTION_FLAG, &out->view},
        {"restart", 0, OPTION_TEXT, &out->restart},
        {"checkpoint-every", 0, OPTION_NUMBER, &out->checkpoint_every},
        {"time-limit", 0, OPTION_TIME, &out->time_limit},
        {"memory-limit", 0, OPTION_NUMBER, &out->memory_limit},
        {"output-limit", 0, OPTION_NUMBER, &out->output_limit},
        OPTION_ALLOW_PATH,
    };
    return options_parse(verb, sizeof table / sizeof *table, table, argc, argv, &out->rest);
}

void run_options_free(run_options *options)
{
    text_list_free(&options->set);
    text_list_free(&options->rest);
}

static bool limit_resource(const char *name, double giga, int resource)
{
    const double  most = 1e6;
    struct rlimit limit;
    if (isnan(giga))
        return true;
    if (!(giga > 0 && giga <= most)) {
        print_error("--%s %g: a number of GB above 0 and up to %g is expected", name, giga, most);
        return false;
    }
    if (getrlimit(resource, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || (double)limit.rlim_cur > 1e9 * giga)) {
        limit.rlim_cur = (rlim_t)(1e9 * giga);
        setrlimit(resource, &limit);
    }
    return true;
}

void unbind_memory(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

bool limit_resources(const run_options *options)
{
    if (!isnan(options->memory_limit))
        unbind_memory();
    return limit_resource("memory-limit", options->memory_limit, RLIMIT_AS) &&
           limit_resource("output-limit", options->output_limit, RLIMIT_FSIZE);
}

zn_status problem_read(const char *path, bool result, const text_list *set, zn_log log, zn_problem **out)
{
    zn_problem_def def = zn_problem_def_default();
    def.path = path;
    def.result = result;
    def.override_count = set != NULL ? set->count : 0;
    def.overrides = set != NULL ? set->items : NULL;
    def.allow_count = allowed_paths.count;
    def.allow = allowed_paths.items;
    return zn_problem_create(&def, log, out);
}

zn_status result_open(const char *path, zn_result **out)
{
    zn_status status = zn_result_open(path, terminal_log(), out);
    for (int i = 0; i < allowed_paths.count && status == ZN_OK; i++)
        if ((status = zn_result_allow(*out, allowed_paths.items[i])) != ZN_OK)
            zn_result_close(*out);
    return status;
}

zn_status simulation_read(const char *path, const run_options *options, zn_log log, simulation *out)
{
    *out = (simulation){0};
    ZN_TRY(problem_read(path != NULL ? path : options->restart, path == NULL, &options->set, log, &out->problem));
    out->def = out->problem->sim;
    if (out->def.statics && (!isnan(options->step.value) || !isnan(options->until) || options->scheme != NULL)) {
        zn_log_write(&log, ZN_LOG_ERROR, "%s: a static run has no scheme, step or end time", out->problem->path);
        return ZN_ERR_ARGUMENT;
    }
    if (!isnan(options->step.value)) {
        out->def.step = options->step.cfl ? 0 : options->step.value;
        out->def.step_cfl = options->step.cfl ? options->step.value : 0;
    }
    if (!isnan(options->until))
        out->def.until = options->until;
    if (options->scheme != NULL && !scheme_option_apply(options->scheme, &out->def.scheme, &out->scheme_memory))
        return ZN_ERR_ARGUMENT;
    if (!out->def.statics)
        ZN_TRY(zn_problem_check_room(out->problem, &out->def.scheme, log));
    ZN_TRY(ranks_compile(out->problem->model, &out->def, &out->sys));
    return zn_sim_def_resolve(out->sys, &out->def);
}

zn_status simulation_create(simulation *s) { return zn_sim_create(s->sys, &s->def, &s->sim); }

void simulation_close(simulation *s)
{
    zn_sim_destroy(s->sim);
    ranks_release(s->sys);
    zn_problem_destroy(s->problem);
    free(s->scheme_memory);
    *s = (simulation){0};
}
