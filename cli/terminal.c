// Messages on the terminal. Colours only where somebody looks, and not when NO_COLOR is set.
#include "terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

static bool has_colours(FILE *out)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(out)) && (no_color == NULL || *no_color == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

const char *style_on(FILE *out, style wanted)
{
    static const char *const sequence[] = {
        [STYLE_PLAIN] = "",        [STYLE_BOLD] = "\033[1m",   [STYLE_DIM] = "\033[2m",
        [STYLE_GOOD] = "\033[32m", [STYLE_BAD] = "\033[1;31m", [STYLE_CAUTION] = "\033[35m",
    };
    return has_colours(out) ? sequence[wanted] : "";
}

const char *style_off(FILE *out) { return has_colours(out) ? "\033[0m" : ""; }

const char *tamed(const char *text)
{
    enum { KEPT = 4 };
    static char *kept[KEPT];
    static int   next;
    if (zn_text_control(text) == NULL)
        return text;
    next = (next + 1) % KEPT;
    free(kept[next]);
    kept[next] = strdup(text);
    zn_text_tame(kept[next]);
    return kept[next] != NULL ? kept[next] : "?";
}

const char *heading_of(const char *title, const char *path)
{
    return tamed(title != NULL && title[0] != '\0' ? title : path);
}

// "name:line:column: ..."
static bool has_place(const char *message)
{
    for (const char *at = strchr(message, ':'); at != NULL; at = strchr(at + 1, ':')) {
        size_t line = strspn(at + 1, "0123456789");
        if (line == 0 || at[1 + line] != ':')
            continue;
        size_t column = strspn(at + 2 + line, "0123456789");
        if (column > 0 && strncmp(at + 2 + line + column, ": ", 2) == 0)
            return true;
    }
    return false;
}

static bool told, told_memory; // an error; that there is no memory
static bool (*diverted)(zn_severity severity, const char *message);

void divert_messages(bool (*to)(zn_severity severity, const char *message)) { diverted = to; }

// Some of it may come from a file, or be the name of one.
static void put_tamed(zn_severity severity, char *message)
{
    zn_text_tame(message);
    told = told || severity == ZN_LOG_ERROR;
    told_memory = told_memory || (severity == ZN_LOG_ERROR && strstr(message, "out of memory") != NULL);
    if (diverted != NULL && diverted(severity, message))
        return;
    fflush(stdout); // keep the order where both go to one place
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr); // over a progress line
    if (has_place(message) || severity == ZN_LOG_INFO)
        fprintf(stderr, "%s\n", message);
    else
        fprintf(stderr, "%s%s:%s %s\n", style_on(stderr, severity == ZN_LOG_ERROR ? STYLE_BAD : STYLE_CAUTION),
                severity == ZN_LOG_ERROR ? "error" : "warning", style_off(stderr), message);
}

static void put_message(zn_severity severity, const char *message)
{
    char copy[2048];
    snprintf(copy, sizeof copy, "%s", message);
    put_tamed(severity, copy);
}

// The last state that could not be evaluated: told with the error that follows, or never.
static char reason[512];

static void put_error(const char *message)
{
    char whole[1024 + sizeof reason];
    snprintf(whole, sizeof whole, "%s%s%s", message, *reason != '\0' ? "; " : "", reason);
    forget_reason();
    put_message(ZN_LOG_ERROR, whole);
}

static void write_log(void *user, zn_severity severity, const char *message)
{
    (void)user;
    if (severity == ZN_LOG_REASON)
        snprintf(reason, sizeof reason, "%s", message);
    else if (severity == ZN_LOG_ERROR)
        put_error(message);
    else
        put_message(severity, message);
}

void forget_reason(void) { reason[0] = '\0'; }

void tell_reason(void)
{
    if (*reason != '\0')
        put_message(ZN_LOG_ERROR, reason);
    forget_reason();
}

void print_message(zn_severity severity, const char *message) { put_message(severity, message); }

zn_log terminal_log(void) { return (zn_log){.write = write_log}; }

void print_error(const char *format, ...)
{
    char    message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    put_message(ZN_LOG_ERROR, message);
}

bool can_be_told(const char *file)
{
    bool good = zn_text_control(file) == NULL && strpbrk(file, "\t\r\n") == NULL;
    if (!good)
        print_error("%s: a model file cannot tell such a name; give the file another one", file);
    return good;
}

int exit_of(zn_status status)
{
    if (status == ZN_ERR_MEMORY && !told_memory)
        print_error("out of memory");
    else if (status > 0 && !told && *reason == '\0') // nobody found more to say
        print_error("%s", zn_status_text(status));
    return status == ZN_OK ? EXIT_FINE : status > 0 || status == ZN_ERR_MEMORY ? EXIT_NUMERIC : EXIT_INPUT;
}

int failed_as_printed(void)
{
    told = true;
    return EXIT_NUMERIC;
}

int last_words(int exit_status)
{
    if (exit_status == EXIT_FINE)
        return exit_status;
    tell_reason();
    if (exit_status >= EXIT_INPUT && !told)
        print_error("this failed, and nothing was left to tell why: out of memory?");
    return exit_status == EXIT_INPUT && told_memory ? EXIT_NUMERIC : exit_status;
}

bool finish_output(FILE *out)
{
    if (fflush(out) == 0 && !ferror(out))
        return true;
    print_error("standard output cannot be written");
    return false;
}

bool spares(const char *output, const char *input)
{
    struct stat one, other;
    bool        same =
        stat(output, &one) == 0 && stat(input, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    if (same)
        print_error("%s: writing it would destroy what is read", output);
    return !same;
}
