// Where the time of a run goes: linked in front of bench_zeno, the linker (--wrap) leads calls between files of the
// library through the clocks here. Prints another line of JSON at exit: seconds of the broad phase, of everything that
// finds and evaluates contacts, of assembling the contact problems, of solving them, and of the sweeps therein.
#include <stdio.h>
#include <stdlib.h>

#include "bench_matrix.h"
#include "model/contact/broad_phase.h"
#include "constraint/node_blocks.h"
#include "solve/friction.h"
#include "system/system.h"

enum { BROAD, CONTACTS, ASSEMBLING, SOLVING, SWEEPS, PHASES };

static struct phases {
    bool   registered;
    double time[PHASES];
} phases;

static void print_phases(void)
{
    const char *names[PHASES] = {"broad_s", "contacts_s", "assembling_s", "solving_s", "sweeps_s"};
    for (int k = 0; k < PHASES; k++)
        printf("%s\"%s\": %.9g", k == 0 ? "{" : ", ", names[k], phases.time[k]);
    printf("}\n");
}

static double start(void)
{
    if (!phases.registered)
        phases.registered = atexit(print_phases) == 0;
    return seconds();
}

static void stop(int phase, double since) { phases.time[phase] += seconds() - since; }

// The names are the linker's: __wrap_X is called for X, which has become __real_X.
#define WRAP(type, phase, name, parameters, arguments)                                                                 \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        double since = start();                                                                                        \
        type result = __real_##name arguments;                                                                         \
        stop(phase, since);                                                                                            \
        return result;                                                                                                 \
    }

WRAP(zn_status, BROAD, zn_broad_phase,
     (int count, const zn_ball *ball, int factor, void *scratch, zn_contact_list *list),
     (count, ball, factor, scratch, list))
WRAP(zn_status, CONTACTS, zn_contact_set_follow,
     (zn_contact_set * set, const zn_contact_set *from, const zn_system *sys, const double *q, double t,
      zn_reach reach),
     (set, from, sys, q, t, reach))
WRAP(zn_status, ASSEMBLING, zn_node_blocks_assemble,
     (zn_node_blocks * b, zn_rows G, zn_rows H, const zn_row_list *list), (b, G, H, list))
WRAP(zn_status, SOLVING, zn_fc_solve,
     (const zn_fc_problem *p, const zn_fc_settings *settings, zn_fc_workspace *workspace, double *r, double *u,
      zn_fc_info *info),
     (p, settings, workspace, r, u, info))
WRAP(double, SWEEPS, zn_fc_sweep, (zn_fc_task * task, int *stuck), (task, stuck))
