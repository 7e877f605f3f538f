// The verb in a child, which is a copy of this process: nothing is read twice, and its files are written as ever,
// beside their places and then renamed, so that a crash leaves nothing half. Signals to this process reach the child,
// and the child ends when this process does. Where there is no second process to be had the verb runs here.
#include "guarded.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "terminal.h"

static volatile sig_atomic_t child;

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static void pass_on(int number)
{
    int before = errno;
    kill((pid_t)child, number);
    errno = before;
}

static void be_child_of(pid_t parent)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); // strangers' files leave none
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(EXIT_NUMERIC);
}

static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGFPE || number == SIGILL;
}

static void tell_crash(const char *verb, int number)
{
    print_error("zeno %s: reading ended in a crash (%s): a file is damaged", verb, strsignal(number));
}

// As the child ended.
static int end_like(const command *verb, int status)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (is_crash(WTERMSIG(status))) {
        tell_crash(verb->name, WTERMSIG(status));
        return EXIT_INPUT;
    }
    if (WTERMSIG(status) == SIGKILL) {
        print_error("zeno %s: the process that reads was killed, as when the memory of the machine ends", verb->name);
        return EXIT_NUMERIC;
    }
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return EXIT_NUMERIC;
}

int run_guarded(const command *verb, int argc, char **argv)
{
    struct sigaction action = {.sa_handler = pass_on}, before[PASSED_ON];
    sigset_t         all, usual;
    pid_t            parent = getpid();
    int              status = 0;
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &usual); // nothing is lost before there is a child to pass it to
    pid_t pid = fork();
    if (pid < 0) {
        sigprocmask(SIG_SETMASK, &usual, NULL);
        return last_words(verb->run(argc, argv));
    }
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, &usual, NULL);
        be_child_of(parent);
        exit(last_words(verb->run(argc, argv)));
    }
    child = pid;
    for (int i = 0; i < PASSED_ON; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &usual, NULL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
    return end_like(verb, status);
}

bool reads_guarded(const char *verb, void (*read)(const void *what), const void *what)
{
    pid_t parent = getpid();
    int   status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        be_child_of(parent);
        read(what);
        _exit(EXIT_FINE);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid < 0 || !WIFSIGNALED(status) || !is_crash(WTERMSIG(status)))
        return true;
    tell_crash(verb, WTERMSIG(status));
    return false;
}
