// Finding a helper, running it with bounds on time, memory and files, and telling how it failed.
#include "helper.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

enum { PATH_BYTES = 4096, NOT_STARTED = 127 };

static const rlim_t memory_most = (rlim_t)8 << 30, file_most = (rlim_t)1 << 30;

// --- where it is ---------------------------------------------------------------------------------

static bool is_program(const char *path) { return access(path, X_OK) == 0; }

// build/NAME/cli: the folder above may only be that of a build; of /home/anna/bin it would be /home.
static bool is_in_build(const char *folder)
{
    size_t length = strlen(folder);
    return length >= 4 && strcmp(folder + length - 4, "/cli") == 0;
}

// Beside zeno, as installed (bin and libexec), or in a build tree.
static bool find_near(const helper *h, char *path)
{
    const char *const places[] = {".", "../libexec/zeno", "../.."};
    char              own[PATH_BYTES / 2];
    ssize_t           length = readlink("/proc/self/exe", own, sizeof own - 1);
    char             *slash = NULL;
    if (length > 0) {
        own[length] = '\0';
        slash = strrchr(own, '/');
    }
    if (slash == NULL)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < (is_in_build(own) ? 3 : 2); i++) {
        snprintf(path, PATH_BYTES, i < 2 ? "%s/%s%s/%s" : "%s/%s/%s/%s", own, places[i], i < 2 ? "" : h->folder,
                 h->name);
        if (is_program(path))
            return true;
    }
    return false;
}

static bool find_in_path(const helper *h, char *path)
{
    const char *rest = getenv("PATH");
    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ":");
        if (length > 0 && length < PATH_BYTES / 2) {
            snprintf(path, PATH_BYTES, "%.*s/%s", (int)length, rest, h->name);
            if (is_program(path))
                return true;
        }
        rest += length + (rest[length] == ':');
    }
    return false;
}

static bool find_program(const helper *h, char *path)
{
    const char *given = getenv(h->variable);
    if (given != NULL && *given != '\0') {
        snprintf(path, PATH_BYTES, "%s", given);
        if (!is_program(path))
            print_error("%s: '%s' is not a program", h->variable, path);
        return is_program(path);
    }
    if (find_near(h, path) || find_in_path(h, path))
        return true;
    print_error("%s, which %s, is not there; build it with 'make %s' (and 'make install')", h->name, h->task,
                h->folder);
    return false;
}

// --- running -------------------------------------------------------------------------------------

static void bound(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0)
        return;
    now.rlim_cur = now.rlim_max < most ? now.rlim_max : most;
    setrlimit(what, &now);
}

// In the child.
static void become(const char *program, char *const *arguments, FILE *messages)
{
    bound(RLIMIT_AS, memory_most);
    bound(RLIMIT_FSIZE, file_most);
    bound(RLIMIT_CORE, 0);
    if (freopen("/dev/null", "r", stdin) != NULL && freopen("/dev/null", "w", stdout) != NULL &&
        dup2(fileno(messages), STDERR_FILENO) >= 0)
        execv(program, arguments);
    _exit(NOT_STARTED);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Status as of waitpid; false: it took too long and was ended.
static bool wait_for(pid_t child, double seconds, int *status)
{
    double end = now() + seconds;
    for (;;) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child)
            return true;
        if (ended < 0 || now() > end)
            break;
        nanosleep(&(struct timespec){0, 5 * 1000 * 1000}, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return false;
}

// First line that it wrote, without what a terminal would obey.
static void first_line(FILE *file, char *line, int size)
{
    rewind(file);
    if (fgets(line, size, file) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    for (char *c = line; *c != '\0'; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            *c = '?';
}

static bool judge(const helper *h, const char *file, int status, FILE *messages)
{
    char line[400];
    first_line(messages, line, sizeof line);
    if (WIFSIGNALED(status))
        print_error("%s: %s was ended by signal %d (%s); is the file damaged?", file, h->name, WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == NOT_STARTED)
        print_error("%s cannot be started%s%s", h->name, line[0] != '\0' ? ": " : "", line);
    else if (WEXITSTATUS(status) != 0)
        print_error("%s: %s%s", file, line[0] != '\0' ? line : h->name,
                    line[0] != '\0' ? "" : " failed without a reason");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool run_with(const helper *h, const char *file, char **arguments, double seconds, FILE *messages)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(arguments[0], arguments, messages);
    if (child < 0) {
        print_error("no process for %s can be made", h->name);
        return false;
    }
    if (!wait_for(child, seconds, &status)) {
        print_error("%s: %s took longer than %g s and was ended (--timeout SECONDS)", file, h->name, seconds);
        return false;
    }
    return judge(h, file, status, messages);
}

bool helper_run(const helper *h, const char *file, char **arguments, double seconds)
{
    char program[PATH_BYTES];
    if (!find_program(h, program))
        return false;
    FILE *messages = tmpfile();
    if (messages == NULL) {
        print_error("temporary files for %s cannot be made", h->name);
        return false;
    }
    arguments[0] = program;
    bool good = run_with(h, file, arguments, seconds, messages);
    arguments[0] = NULL;
    fclose(messages);
    return good;
}
