// Finding zeno-cad, running it with bounds on time, memory and files, and telling how it failed.
#include "cad_program.h"

#include <signal.h>
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

// Beside zeno, as installed (bin and libexec), or in a build tree.
static bool find_near(char *path)
{
    static const char *const places[] = {"zeno-cad", "../libexec/zeno/zeno-cad", "../../cad/zeno-cad"};
    char                     own[PATH_BYTES / 2];
    ssize_t                  length = readlink("/proc/self/exe", own, sizeof own - 1);
    char                    *slash = NULL;
    if (length > 0) {
        own[length] = '\0';
        slash = strrchr(own, '/');
    }
    if (slash == NULL)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, PATH_BYTES, "%s/%s", own, places[i]);
        if (is_program(path))
            return true;
    }
    return false;
}

static bool find_in_path(char *path)
{
    const char *rest = getenv("PATH");
    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ":");
        if (length > 0 && length < PATH_BYTES / 2) {
            snprintf(path, PATH_BYTES, "%.*s/zeno-cad", (int)length, rest);
            if (is_program(path))
                return true;
        }
        rest += length + (rest[length] == ':');
    }
    return false;
}

static bool find_program(char *path)
{
    const char *given = getenv("ZENO_CAD");
    if (given != NULL && *given != '\0') {
        snprintf(path, PATH_BYTES, "%s", given);
        if (!is_program(path))
            print_error("ZENO_CAD: '%s' is not a program", path);
        return is_program(path);
    }
    if (find_near(path) || find_in_path(path))
        return true;
    print_error("zeno-cad, which reads STEP files with OpenCASCADE, is not there; build it with 'make cad' (and 'make "
                "install')");
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

static bool judge(const char *step, int status, FILE *messages)
{
    char line[400];
    first_line(messages, line, sizeof line);
    if (WIFSIGNALED(status))
        print_error("%s: zeno-cad was ended by signal %d (%s); is the file damaged?", step, WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == NOT_STARTED)
        print_error("zeno-cad cannot be started%s%s", line[0] != '\0' ? ": " : "", line);
    else if (WEXITSTATUS(status) != 0)
        print_error("%s: %s", step, line[0] != '\0' ? line : "zeno-cad failed without a reason");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool run_into(const char *program, const char *step, double deflection, double seconds, const cad_output *out,
                     FILE *messages)
{
    char data[64], triangles[64], size[64];
    int  status = 0;
    snprintf(data, sizeof data, "/dev/fd/%d", fileno(out->data));
    snprintf(triangles, sizeof triangles, "/dev/fd/%d", fileno(out->triangles));
    snprintf(size, sizeof size, "%.17g", deflection);
    char *arguments[] = {(char *)program, (char *)step, data, triangles, size, NULL};
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(program, arguments, messages);
    if (child < 0) {
        print_error("no process for zeno-cad can be made");
        return false;
    }
    if (!wait_for(child, seconds, &status)) {
        print_error("%s: zeno-cad took longer than %g s and was ended (--timeout SECONDS)", step, seconds);
        return false;
    }
    return judge(step, status, messages);
}

bool cad_program_run(const char *step, double deflection, double seconds, cad_output *out)
{
    char program[PATH_BYTES];
    *out = (cad_output){0};
    if (!find_program(program))
        return false;
    FILE *messages = tmpfile();
    *out = (cad_output){tmpfile(), tmpfile()};
    bool good = messages != NULL && out->data != NULL && out->triangles != NULL;
    if (!good)
        print_error("temporary files for zeno-cad cannot be made");
    good = good && run_into(program, step, deflection, seconds, out, messages);
    if (messages != NULL)
        fclose(messages);
    if (!good)
        cad_output_close(out);
    return good;
}

void cad_output_close(cad_output *output)
{
    if (output->data != NULL)
        fclose(output->data);
    if (output->triangles != NULL)
        fclose(output->triangles);
    *output = (cad_output){0};
}
