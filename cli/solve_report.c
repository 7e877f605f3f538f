// How a solved friction problem is shown.
#include "solve.h"

#include <stdio.h>

#include "terminal.h"

static const char *outcome_of(const solve_run *run)
{
    return run->status == ZN_OK ? "converged" : run->status < 0 ? "unsuitable" : "not converged";
}

static const char *reason_of(const solve_run *run)
{
    if (run->status == ZN_OK)
        return NULL;
    return run->info.reason != NULL ? run->info.reason
           : run->status < 0        ? "the solver cannot take this problem"
                                    : zn_status_text(run->status);
}

static void print_facts(const solve_facts *f)
{
    printf("%s form, %dD, %d contact%s, %d bilateral row%s, W %d x %d (%.3g %% filled), mu ",
           f->global ? "global" : "reduced", f->dimension, f->contacts, f->contacts == 1 ? "" : "s", f->bilateral,
           f->bilateral == 1 ? "" : "s", f->rows, f->rows, 100 * f->density);
    if (f->mu_min == f->mu_max)
        printf("%.4g", f->mu_min);
    else
        printf("%.4g to %.4g", f->mu_min, f->mu_max);
}

void solve_print_line(const solve_facts *facts, const solve_run *run)
{
    const char *reason = reason_of(run);
    printf("%s: %s%s%s: ", tamed(facts->path), style_on(stdout, run->status == ZN_OK ? STYLE_GOOD : STYLE_BAD),
           outcome_of(run), style_off(stdout));
    print_facts(facts);
    printf("; %s, %d iterations, residual %.2e (FCLIB %.2e), %.3g ms; %d stick, %d slip, %d open%s%s\n",
           run->info.solver != NULL ? run->info.solver : run->asked, run->info.iterations, run->info.residual,
           run->info.residual_fclib, 1e3 * run->seconds, run->stick, run->slip, run->open, reason != NULL ? "; " : "",
           reason != NULL ? tamed(reason) : "");
}

void solve_print_table(const solve_facts *facts, int count, const solve_run *runs, int best)
{
    printf("%s: ", tamed(facts->path));
    print_facts(facts);
    printf("\n%s  %-22s %-14s %10s %10s %10s %12s%s\n", style_on(stdout, STYLE_BOLD), "solver", "status", "iterations",
           "residual", "FCLIB", "time [ms]", style_off(stdout));
    for (int k = 0; k < count; k++) {
        const solve_run *run = &runs[k];
        const char      *reason = reason_of(run);
        printf("  %-22s %-14s", run->asked, outcome_of(run));
        if (run->status < 0)
            printf(" %10s %10s %10s %12s", "-", "-", "-", "-");
        else
            printf(" %10d %10.2e %10.2e %12.4g", run->info.iterations, run->info.residual, run->info.residual_fclib,
                   1e3 * run->seconds);
        printf("%s%s%s\n", k == best ? "  fastest" : "", reason != NULL ? "  " : "",
               reason != NULL ? tamed(reason) : "");
    }
}

void solve_print_json(json_writer *w, const solve_facts *facts, int count, const solve_run *runs, int best,
                      const char *written)
{
    json_open(w, NULL);
    json_text(w, "file", facts->path);
    json_text(w, "title", facts->title);
    json_text(w, "form", facts->global ? "global" : "reduced");
    json_count(w, "dimension", facts->dimension);
    json_count(w, "contacts", facts->contacts);
    json_count(w, "bilateral", facts->bilateral);
    json_count(w, "rows", facts->rows);
    json_number(w, "density", facts->density);
    json_number(w, "mu_min", facts->mu_min);
    json_number(w, "mu_max", facts->mu_max);
    json_text(w, "fastest", best >= 0 ? runs[best].asked : NULL);
    json_text(w, "written", written);
    json_open_array(w, "solvers");
    for (int k = 0; k < count; k++) {
        json_open(w, NULL);
        json_text(w, "solver", runs[k].asked);
        json_text(w, "answered_by", runs[k].info.solver);
        json_text(w, "status", outcome_of(&runs[k]));
        json_text(w, "reason", reason_of(&runs[k]));
        json_count(w, "iterations", runs[k].info.iterations);
        json_number(w, "residual", runs[k].info.residual);
        json_number(w, "residual_fclib", runs[k].info.residual_fclib);
        json_number(w, "seconds", runs[k].seconds);
        json_count(w, "stick", runs[k].stick);
        json_count(w, "slip", runs[k].slip);
        json_count(w, "open", runs[k].open);
        json_close(w);
    }
    json_close_array(w);
    json_close(w);
}
