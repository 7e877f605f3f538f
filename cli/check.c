// zeno check: everything of a run but the steps.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "simulation.h"
#include "terminal.h"

enum { FEW_UNKNOWNS = 30000 }; // worth a matrix, which the estimate by power iteration takes

// Of what an explicit scheme runs: one line more.
static void print_critical(const simulation *s)
{
    bool        few = zn_system_get_info(s->sys).n <= FEW_UNKNOWNS;
    zn_state   *state = NULL;
    zn_critical bound, power;
    if (zn_state_create(s->sys, &state) != ZN_OK)
        return;
    zn_at at = {state->q, state->v, state->t, 0};
    if (zn_system_critical_step(s->sys, at, &bound) == ZN_OK &&
        (!few || zn_system_critical_power(s->sys, at, 1e-6, &power) == ZN_OK)) {
        printf("critical step: %.6g s (%s%s%s)", bound.step,
               bound.part != NULL ? "bound by elements, part '" : "bound of the whole",
               bound.part != NULL ? bound.part : "", bound.part != NULL ? "'" : "");
        if (few)
            printf(", %.6g s (power iteration)", power.step);
        printf("; step %.6g s is %.3g of the bound\n", s->def.step, s->def.step / bound.step);
    }
    zn_state_destroy(state);
}

// Of a fine and coarse parts: their sizes and steps.
static void print_parts(const simulation *s, const zn_scheme_info *info)
{
    double coarse = info->ratio * s->def.step;
    printf("parts: fine elements %d, coarse elements %d, ", info->fine_elements, info->coarse_elements);
    if (info->coarse_parts > 1)
        printf("in %d parts, ", info->coarse_parts);
    printf("links %d; ", info->links);
    if (isfinite(info->critical.step))
        printf("critical step of the fine part %.6g s (bound by elements, part '%s'), step %.6g s is %.3g of it; ",
               info->critical.step, info->critical.part != NULL ? info->critical.part : "", s->def.step,
               s->def.step / info->critical.step);
    printf("%scoarse step %.6g s, ratio %d%s\n", info->coarse_parts > 1 ? "longest " : "", coarse, info->ratio,
           s->def.scheme.ratio > 0 ? "" : " by stability");
    if (coarse > s->def.until - s->def.start)
        printf("the coarse step is longer than the run: the coarse part never ends one\n");
}

// A bound of the scheme's own.
static void print_bound(const simulation *s, const zn_scheme_info *info)
{
    if (isfinite(info->critical.step))
        printf("longest stable step: %.6g s with theta = %g; step %.6g s is %.3g of it\n", info->critical.step,
               s->def.scheme.theta, s->def.step, s->def.step / info->critical.step);
    else
        printf("longest stable step: any, nothing in the model is stiff\n");
}

// Of steps by the size of elements.
static void print_levels(const simulation *s, const zn_scheme_info *info)
{
    printf("levels: %d, links %d; elements by the number of their steps in one of the run:", info->levels, info->links);
    for (int i = 0; i < (int)(sizeof info->level_elements / sizeof *info->level_elements); i++)
        if (info->level_elements[i] > 0)
            printf(" %d in %d,", info->level_elements[i], 1 << i);
    printf(" critical step %.6g s, step %.6g s is %.3g of it\n", info->critical.step, s->def.step,
           s->def.step / info->critical.step);
}

// What bounds the steps, or how they differ, if anything does.
static zn_status print_steps(const simulation *s)
{
    zn_scheme_info info;
    if (s->def.statics)
        return ZN_OK;
    ZN_TRY(zn_scheme_describe(&s->def.scheme, s->sys, s->def.step, &info));
    if (info.split)
        print_parts(s, &info);
    else if (info.levels > 1)
        print_levels(s, &info);
    else if (info.added_mass > 0)
        printf("added mass: %.6g kg; critical step with it %.6g s, step %.6g s is %.3g of it\n", info.added_mass,
               info.critical.step, s->def.step, s->def.step / info.critical.step);
    else if (info.critical.step > 0 && s->def.scheme.mass_scaling == 0)
        print_bound(s, &info);
    else if (info.bounded)
        print_critical(s);
    return ZN_OK;
}

// Of models whose memory somebody may have to think about.
static void print_memory(const simulation *s)
{
    const double much = 1e8, giga = 1e9;
    double       bytes = s->def.statics ? 0 : zn_problem_bytes(s->problem, &s->def.scheme);
    if (bytes >= much)
        printf("memory: a run takes about %.3g GB\n", bytes / giga);
}

static int check_model(const char *path, const run_options *options)
{
    simulation s;
    zn_status  status = simulation_read(path, options, terminal_log(), &s);
    if (status == ZN_OK)
        status = simulation_create(&s);
    if (status == ZN_OK) {
        zn_system_info info = zn_system_get_info(s.sys);
        printf("%s: %sok%s (degrees of freedom %d, contacts %d, records %d, steps %" PRId64 ", scheme %s)\n",
               tamed(path), style_on(stdout, STYLE_GOOD), style_off(stdout), info.n, info.contacts_max,
               s.def.record_count, zn_sim_grid_steps(s.sim), s.def.scheme.scheme);
        status = print_steps(&s);
        print_memory(&s);
    }
    simulation_close(&s);
    return exit_of(status);
}

static int check(int argc, char **argv)
{
    run_options options;
    int         status = EXIT_INPUT;
    if (!run_options_parse("check", argc, argv, &options))
        status = EXIT_INPUT;
    else if (options.rest.count == 0)
        print_error("which model? (zeno help check)");
    else if (limit_resources(&options)) {
        status = EXIT_FINE;
        for (int i = 0; i < options.rest.count; i++) {
            int one = check_model(options.rest.items[i], &options);
            status = one > status ? one : status;
        }
        if (!finish_output(stdout))
            status = EXIT_INPUT;
    }
    run_options_free(&options);
    return status;
}

const command check_command = {
    .name = "check",
    .summary = "check a model without running it",
    .help = "usage: zeno check MODEL... [run options]\n"
            "\n"
            "Reads, validates and compiles each model and resolves what it records, as a run would. Faults\n"
            "are printed as file:line:column: what is wrong. For the scheme cd_lagrange the critical step is\n"
            "printed, for multirate the sizes of its parts and their steps. Takes the options of 'zeno run'.\n"
            "\n"
            "Exit status: 0 all well, 2 a fault was found, 3 the model cannot be evaluated at the start.\n"
            "\n"
            "examples:\n"
            "  zeno check bounce.yaml\n"
            "  zeno check bounce.yaml --set e=1.2\n",
    .run = check,
};
