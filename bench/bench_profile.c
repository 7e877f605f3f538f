// Draws performance profiles from standard input: for each solver the share of problems it solves within a factor of
// the fastest.
//
//   bench_profile FIGURE.svg PROBLEMS
//
// Each line: the panel's label, the solver, and its ratios to the fastest in ascending order, separated by tabs.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zn/view.h"

enum { PANELS = 4, CURVES = 16, POINTS = 4096 };

// The right end of the x axis.
#define LARGEST 1e3

static double x[PANELS][CURVES][POINTS], y[PANELS][CURVES][POINTS];

// A staircase: from the left end up by one problem at each ratio, then level to the right end.
static int64_t fill(char *ratios, int problems, double *px, double *py)
{
    int64_t count = 0;
    int     solved = 0;
    for (char *word = strtok(ratios, "\t\n"); word != NULL && count + 3 < POINTS; word = strtok(NULL, "\t\n")) {
        double ratio = strtod(word, NULL);
        if (ratio > LARGEST)
            break;
        px[count] = ratio, py[count++] = (double)solved / problems;
        solved++;
        px[count] = ratio, py[count++] = (double)solved / problems;
    }
    px[count] = LARGEST, py[count++] = (double)solved / problems;
    return count;
}

static void print_message(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    fprintf(stderr, "bench_profile: %s\n", message);
}

int main(int argc, char **argv)
{
    static char     line[PANELS * CURVES][65536];
    static zn_curve curves[PANELS][CURVES];
    zn_panel        panels[PANELS] = {0};
    int             panel_count = 0, own = 0, problems = argc == 3 ? atoi(argv[2]) : 0;
    if (problems < 1) {
        fprintf(stderr, "usage: bench_profile FIGURE.svg PROBLEMS\n");
        return 2;
    }
    for (int k = 0; k < PANELS * CURVES && fgets(line[k], sizeof line[k], stdin) != NULL; k++) {
        char *label = line[k], *solver = strchr(label, '\t');
        if (solver == NULL)
            continue;
        *solver++ = '\0';
        char *ratios = solver + strcspn(solver, "\t\n");
        if (*ratios != '\0')
            *ratios++ = '\0';
        int i = 0;
        while (i < panel_count && strcmp(panels[i].label, label) != 0)
            i++;
        if (i == PANELS || panels[i].curve_count == CURVES)
            continue;
        if (i == panel_count)
            panels[panel_count++] = (zn_panel){.label = label, .curves = curves[i]};
        int  c = panels[i].curve_count++;
        bool peer = strncmp(solver, "zeno:", 5) != 0; // dashed, colours from the beginning
        own += !peer && i == 0;
        curves[i][c] =
            (zn_curve){.label = solver, .x = x[i][c], .y = y[i][c], .colour = peer ? c - own : c, .dash = peer};
        curves[i][c].count = fill(ratios, problems, x[i][c], y[i][c]);
    }
    zn_figure figure = {.title = "Friction solvers: share of problems solved within a factor of the fastest",
                        .label = "time / time of the fastest",
                        .log = true,
                        .panel_count = panel_count,
                        .panels = panels};
    return zn_figure_write(&figure, argv[1], (zn_log){.write = print_message}) == ZN_OK ? 0 : 2;
}
