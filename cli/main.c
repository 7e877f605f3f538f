// The program: finds the verb and lets it run.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command.h"
#include "guarded.h"
#include "scheme_option.h"
#include "suggest.h"
#include "terminal.h"
#include "zn/io.h"

enum { COMMANDS_MAX = 20 };

const command *const *all_commands(void)
{
    static const command *const table[] = {&run_command,     &check_command,     &info_command,     &view_command,
                                           &plot_command,    &export_command,    &converge_command, &sweep_command,
                                           &modes_command,   &solve_command,     &cad_command,      &import_command,
                                           &gallery_command, &reference_command, &help_command,     NULL};
    return table;
}

static const command *find(const char *name)
{
    for (const command *const *c = all_commands(); *c != NULL; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static void print_overview(FILE *out)
{
    fputs("usage: zeno VERB ...\n\nSimulates mechanical systems in which things hit, stick and rattle.\n\n", out);
    for (const command *const *c = all_commands(); *c != NULL; c++)
        fprintf(out, "  %-10s %s\n", (*c)->name, (*c)->summary);
    fputs("\n'zeno help VERB' or 'zeno VERB --help' tells more; 'zeno --version' prints the version.\n"
          "\nexamples:\n  zeno gallery\n  zeno gallery run NAME\n  zeno run model.yaml\n  zeno info model.zeno.h5\n  "
          "zeno plot model.zeno.h5\n",
          out);
}

static int unknown(const char *name)
{
    const char *names[COMMANDS_MAX];
    int         count = 0;
    for (const command *const *c = all_commands(); *c != NULL && count < COMMANDS_MAX; c++)
        names[count++] = (*c)->name;
    const char *near = suggest(name, count, names), *end = strrchr(name, '.');
    if (near != NULL)
        print_error("unknown verb '%s'; did you mean '%s'?", name, near);
    else if (name[0] == '-')
        print_error("unknown option '%s' (zeno help)", name);
    else if (end != NULL && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0 || strcmp(end, ".h5") == 0))
        print_error("'%s': what shall be done with it? (zeno %s %s)", name, strcmp(end, ".h5") == 0 ? "view" : "run",
                    name);
    else
        print_error("unknown verb '%s' (zeno help)", name);
    return EXIT_INPUT;
}

// --- help ------------------------------------------------------------------------------------------

static int print_help(const command *c)
{
    fputs(c->help, stdout);
    if (c == &run_command || c == &converge_command || c == &sweep_command) {
        fputs("\nschemes:\n", stdout);
        for (int i = 0; i < zn_scheme_count(); i++)
            printf("  %-20s %s\n", zn_scheme_name(i), zn_scheme_help(i));
    }
    if (c == &run_command) {
        fputs("\nscheme options:\n", stdout);
        scheme_options_print(stdout);
    }
    return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stdout);
        return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
    }
    const command *c = find(argv[1]);
    return c != NULL ? print_help(c) : unknown(argv[1]);
}

const command help_command = {
    .name = "help",
    .summary = "tell about a verb",
    .help = "usage: zeno help [VERB]\n\nexample:\n  zeno help run\n",
    .run = help,
};

static bool is_one_of(const char *word, const char *name, const char *letter)
{
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_one_of(argv[i], "--help", "-h"))
            return true;
    return false;
}

// A stream that is closed would be the next file that is opened, and messages would be written into the result. In its
// place comes one that cannot be written, or read.
static void occupy_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            _exit(EXIT_INPUT);
}

// No more memory is promised than nine tenths of the machine have: allocations fail then and are told, where otherwise
// Linux ends the program, or another one, without a word when the pages are used. Sanitizers promise themselves more.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak)); // of any of them

static void bound_memory(void)
{
    const double  most = 0.9 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    if (__sanitizer_set_death_callback == NULL && most > 0 && getrlimit(RLIMIT_DATA, &limit) == 0 &&
        (double)limit.rlim_cur > most) {
        limit.rlim_cur = (rlim_t)most;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

int main(int argc, char **argv)
{
    occupy_streams();
    bound_memory();
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_INPUT;
    }
    if (is_one_of(argv[1], "--help", "-h")) {
        print_overview(stdout);
        return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
    }
    if (is_one_of(argv[1], "--version", "-V")) {
        printf("zeno %s\n", zn_version());
        return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
    }
    const command *c = find(argv[1]);
    if (c == NULL)
        return unknown(argv[1]);
    if (wants_help(argc - 1, argv + 1))
        return last_words(print_help(c));
    return c->guarded ? run_guarded(c, argc - 1, argv + 1) : last_words(c->run(argc - 1, argv + 1));
}
