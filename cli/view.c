// zeno view: results as one page for the browser.
#include "view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "options.h"
#include "simulation.h"
#include "terminal.h"
#include "zn/view.h"

enum { FILES_MOST = 64, STUDY_BYTES = 16 * 1024 * 1024 };

// What was given, opened.
typedef struct exhibits {
    int        result_count, study_count;
    zn_result *results[FILES_MOST];
    char      *studies[FILES_MOST];
} exhibits;

static void exhibits_free(exhibits *e)
{
    for (int i = 0; i < e->result_count; i++)
        zn_result_close(e->results[i]);
    for (int i = 0; i < e->study_count; i++)
        free(e->studies[i]);
}

// --- files ---------------------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

// A study: the whole text of the file. The page tells when it is not one.
static char *read_study(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_error("%s: %s", path, strerror(errno));
        return NULL;
    }
    char  *text = calloc(1, STUDY_BYTES + 1);
    size_t size = text != NULL ? fread(text, 1, STUDY_BYTES + 1, file) : 0;
    bool good = text != NULL && !ferror(file) && size > 0 && size <= STUDY_BYTES && memchr(text, '\0', size) == NULL &&
                text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"studies\"") != NULL;
    fclose(file);
    if (good)
        return text;
    print_error("%s: neither a result nor a study written by 'zeno converge --json'", path);
    free(text);
    return NULL;
}

static bool open_one(exhibits *e, const char *path)
{
    if (ends_with(path, ".json")) {
        char *text = read_study(path);
        if (text != NULL)
            e->studies[e->study_count++] = text;
        return text != NULL;
    }
    struct stat status;
    char        part[4096];
    snprintf(part, sizeof part, "%s.part", path);
    if (stat(path, &status) != 0 && stat(part, &status) == 0)
        path = part; // the run goes on, or was killed
    if (result_open(path, &e->results[e->result_count]) != ZN_OK)
        return false;
    e->result_count++;
    return true;
}

// "folder/ball.zeno.h5" -> "folder/ball.html". Destroy with free().
static char *page_name(const char *file)
{
    static const char *const ends[] = {".part", ".h5", ".hdf5", ".json", ".zeno"};
    char                    *name = calloc(1, strlen(file) + sizeof ".html");
    if (name == NULL)
        return NULL;
    strcpy(name, file);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(name, ends[i]) && strlen(name) > strlen(ends[i]))
            name[strlen(name) - strlen(ends[i])] = '\0';
    return strcat(name, ".html");
}

// --- the browser ---------------------------------------------------------------------------------

static bool has_screen(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x != NULL && x[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
}

// A grandchild, so that nobody waits for the browser.
static void open_browser(const char *page)
{
    if (!has_screen())
        return;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            unbind_memory(); // a browser promises itself more than there is
            if (freopen("/dev/null", "r", stdin) != NULL && freopen("/dev/null", "w", stdout) != NULL &&
                freopen("/dev/null", "w", stderr) != NULL)
                execlp("xdg-open", "xdg-open", page, (char *)NULL);
            _exit(127);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

// --- the verb ------------------------------------------------------------------------------------

static int write_page(const exhibits *e, const char *page, bool open, bool quiet)
{
    zn_status status = zn_report_write(page, e->result_count, (const zn_result *const *)e->results, e->study_count,
                                       (const char *const *)e->studies, terminal_log());
    if (status != ZN_OK)
        return exit_of(status);
    if (!quiet)
        printf("report in %s\n", tamed(page));
    if (open)
        open_browser(page);
    return finish_output(stdout) ? EXIT_FINE : EXIT_INPUT;
}

int view_files(int count, const char *const *files, const char *page, bool open, bool quiet)
{
    exhibits e = {0};
    bool     good = count <= FILES_MOST;
    if (!good)
        print_error("at most %d files on one page", (int)FILES_MOST);
    for (int i = 0; i < count && good; i++)
        good = open_one(&e, files[i]);
    for (int i = 0; i < count && good && page != NULL; i++)
        good = spares(page, files[i]);
    char *own = page == NULL && good ? page_name(files[0]) : NULL;
    int   status = EXIT_INPUT;
    if (good && page == NULL && own == NULL)
        print_error("out of memory");
    else if (good)
        status = write_page(&e, page != NULL ? page : own, open, quiet);
    free(own);
    exhibits_free(&e);
    return status;
}

static int view(int argc, char **argv)
{
    const char  *page = NULL;
    bool         no_open = false, quiet = false;
    text_list    rest = {0};
    const option table[] = {{"output", 'o', OPTION_TEXT, &page},
                            {"no-open", 0, OPTION_FLAG, &no_open},
                            {"quiet", 'q', OPTION_FLAG, &quiet},
                            OPTION_ALLOW_PATH};
    int          status = EXIT_INPUT;
    if (!options_parse("view", sizeof table / sizeof *table, table, argc, argv, &rest))
        status = EXIT_INPUT;
    else if (rest.count < 1)
        print_error("which result? (zeno help view)");
    else
        status = view_files(rest.count, rest.items, page, !no_open, quiet);
    text_list_free(&rest);
    return status;
}

const command view_command = {
    .name = "view",
    .summary = "show results as a page in the browser",
    .help = "usage: zeno view RESULT... [STUDY.json...] [options]\n"
            "\n"
            "Writes one HTML page and opens it in the browser where there is one: the machine in motion,\n"
            "its contacts and events, plots of everything recorded, energy, certificate, model. Several\n"
            "results are compared. A STUDY is what 'zeno converge --json' prints. The page needs nothing\n"
            "but itself: it can be sent and kept. Works on files of running and of killed runs (.part) too.\n"
            "\n"
            "  -o, --output FILE  page to write (default: name of the first file with .html, beside it)\n"
            "  --no-open          do not open it\n"
            "  --allow-path DIR   let the model of a result read files in this folder too, and below it; needed for\n"
            "                     files that are not beside the result and have changed\n"
            "  -q, --quiet        print nothing but errors\n"
            "\n"
            "Exit status: 0 all well, 2 a file cannot be read or written.\n"
            "\n"
            "examples:\n"
            "  zeno view bounce.zeno.h5\n"
            "  zeno view moreau.zeno.h5 nsga.zeno.h5 -o compare.html\n"
            "  zeno view order.json --no-open\n",
    .run = view,
    .guarded = true,
};
