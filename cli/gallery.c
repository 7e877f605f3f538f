// zeno gallery: list, run and verify the problems that come with the program.
#include "gallery.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "run.h"
#include "suggest.h"
#include "terminal.h"
#include "workers.h"

// --- folder --------------------------------------------------------------------------------------

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Beside the program, as installed: bin/zeno and share/zeno/gallery.
static bool installed_folder(char *path)
{
    char    program[GALLERY_PATH / 2];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    for (int up = 0; up < 2; up++) { // away with "bin/zeno"
        char *slash = strrchr(program, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    snprintf(path, GALLERY_PATH, "%s/share/zeno/gallery", program);
    return is_folder(path);
}

static bool find_folder(char *path)
{
    const char *given = getenv("ZENO_GALLERY");
    if (given != NULL && *given != '\0') {
        snprintf(path, GALLERY_PATH, "%s", given);
        if (!is_folder(path))
            print_error("ZENO_GALLERY: '%s' is not a folder", path);
        return is_folder(path);
    }
    if (installed_folder(path))
        return true;
    snprintf(path, GALLERY_PATH, "%s", ZN_GALLERY_DIR);
    if (!is_folder(path))
        print_error("the gallery was not found; ZENO_GALLERY may name its folder");
    return is_folder(path);
}

static bool is_problem(const char *folder, const char *name)
{
    char path[GALLERY_PATH + 300];
    snprintf(path, sizeof path, "%s/%s/model.yaml", folder, name);
    return name[0] != '.' && access(path, R_OK) == 0;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool add_name(gallery *g, const char *name)
{
    char **names = realloc(g->names, sizeof *names * (size_t)(g->count + 1));
    if (names == NULL)
        return false;
    g->names = names;
    names[g->count] = strdup(name);
    return names[g->count++] != NULL;
}

bool gallery_open(gallery *out)
{
    *out = (gallery){0};
    if (!find_folder(out->folder))
        return false;
    DIR *folder = opendir(out->folder);
    if (folder == NULL) {
        print_error("the gallery '%s' cannot be read", out->folder);
        return false;
    }
    bool           ok = true;
    struct dirent *entry;
    while (ok && (entry = readdir(folder)) != NULL)
        if (is_problem(out->folder, entry->d_name))
            ok = add_name(out, entry->d_name);
    closedir(folder);
    if (!ok) {
        print_error("out of memory");
        gallery_close(out);
        return false;
    }
    if (out->count > 0)
        qsort(out->names, (size_t)out->count, sizeof *out->names, compare_names);
    return true;
}

void gallery_close(gallery *g)
{
    for (int i = 0; i < g->count; i++)
        free(g->names[i]);
    free(g->names);
    g->names = NULL;
    g->count = 0;
}

int gallery_find(const gallery *g, const char *name)
{
    for (int i = 0; i < g->count; i++)
        if (strcmp(g->names[i], name) == 0)
            return i;
    const char *near = suggest(name, g->count, (const char *const *)g->names);
    if (near != NULL)
        print_error("the gallery has no '%s'; did you mean '%s'?", name, near);
    else
        print_error("the gallery has no '%s' ('zeno gallery' lists what it has)", name);
    return -1;
}

void gallery_path(const gallery *g, int index, const char *file, char *path)
{
    int length = snprintf(path, GALLERY_PATH, "%s/%s/%s", g->folder, g->names[index], file);
    if (length >= GALLERY_PATH)
        path[0] = '\0'; // no such file will be found
}

// --- verb ----------------------------------------------------------------------------------------

static int list(const gallery *g)
{
    int width = 8;
    for (int i = 0; i < g->count; i++)
        width = (int)strlen(g->names[i]) > width ? (int)strlen(g->names[i]) : width;
    for (int i = 0; i < g->count; i++) {
        char        path[GALLERY_PATH];
        zn_problem *problem = NULL;
        gallery_path(g, i, "model.yaml", path);
        bool ok = problem_read(path, false, NULL, (zn_log){0}, &problem) == ZN_OK;
        printf("  %s%-*s%s  %s\n", style_on(stdout, STYLE_BOLD), width, tamed(g->names[i]), style_off(stdout),
               ok && problem->title != NULL ? problem->title
               : ok                         ? ""
                                            : "(cannot be read: zeno check tells why)");
        zn_problem_destroy(problem);
    }
    printf("\n%d problems in %s\n", g->count, tamed(g->folder));
    return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
}

// argv: "gallery", "run", NAME, options
static int run_problem(const gallery *g, int argc, char **argv)
{
    run_options options;
    char        path[GALLERY_PATH];
    int         status = EXIT_INPUT, index;
    if (!run_options_parse("gallery", argc - 1, argv + 1, &options))
        status = EXIT_INPUT;
    else if (options.rest.count != 1)
        print_error(options.rest.count == 0 ? "which problem? ('zeno gallery' lists them)" : "one problem at a time");
    else if ((index = gallery_find(g, options.rest.items[0])) >= 0) {
        gallery_path(g, index, "model.yaml", path);
        status = run_model(path, g->names[index], &options, argc, argv);
    }
    run_options_free(&options);
    return status;
}

static int list_or_verify(const gallery *g, int argc, char **argv)
{
    bool         verify = false, slow = false;
    text_list    rest = {0};
    double       jobs = NAN;
    const option table[] = {
        {"verify", 0, OPTION_FLAG, &verify}, {"slow", 0, OPTION_FLAG, &slow}, {"jobs", 'j', OPTION_NUMBER, &jobs}};
    int status = EXIT_INPUT, processes;
    if (!options_parse("gallery", 3, table, argc, argv, &rest) || !workers_count(jobs, &processes))
        status = EXIT_INPUT;
    else if (verify)
        status = gallery_verify(g, rest.count, rest.items, slow, processes);
    else if (slow || !isnan(jobs))
        print_error("'%s' belongs to '--verify' (zeno help gallery)", slow ? "--slow" : "-j");
    else if (rest.count > 0 && strcmp(rest.items[0], "verify") == 0)
        print_error("'verify' is an option (zeno gallery --verify%s%s)", rest.count > 1 ? " " : "",
                    rest.count > 1 ? rest.items[1] : "");
    else if (rest.count > 0)
        print_error("'%s': what shall be done with it? (zeno gallery run %s)", rest.items[0], rest.items[0]);
    else
        status = list(g);
    text_list_free(&rest);
    return status;
}

static int gallery_verb(int argc, char **argv)
{
    gallery g;
    if (!gallery_open(&g))
        return EXIT_INPUT;
    int status = argc > 1 && strcmp(argv[1], "run") == 0 ? run_problem(&g, argc, argv) : list_or_verify(&g, argc, argv);
    gallery_close(&g);
    return status;
}

const command gallery_command = {
    .name = "gallery",
    .summary = "list, run or verify the problems that come with zeno",
    .help = "usage: zeno gallery\n"
            "       zeno gallery run NAME [run options]\n"
            "       zeno gallery --verify [NAME...] [--slow] [-j N]\n"
            "\n"
            "Lists the problems of the gallery, runs one as 'zeno run' does, or runs what their files\n"
            "reference.csv ask for and compares with the published values (--slow: the long ones too;\n"
            "-j N: in N processes at once, with the same table).\n"
            "The folder is the installed one, or the one that the environment variable ZENO_GALLERY names.\n"
            "\n"
            "Exit status of --verify: 0 all values hold, 1 one does not, 2 bad input, 3 interrupted.\n"
            "\n"
            "examples:\n"
            "  zeno gallery\n"
            "  zeno gallery run bouncing-ball --step 1e-3\n"
            "  zeno gallery --verify bouncing-ball\n",
    .run = gallery_verb,
};
