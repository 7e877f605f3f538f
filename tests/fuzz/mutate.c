// Feeds a libFuzzer target without libFuzzer, so that any compiler builds it: every file as it is, then RUNS changed
// copies of them. Blind where libFuzzer looks at what it covers, but part of every test run; `make fuzz` is the long
// way.
//
//     TARGET RUNS SEED DICTIONARY FILE...
//
// The same seed makes the same inputs. One that crashes or takes longer than ten seconds (of processor time; a target
// may want more) is left in the working folder.
#define _GNU_SOURCE // sigaltstack, dladdr
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LARGEST 4096
#define SECONDS 10
#define CHANCE  50

int  LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

// What a target may have: how many inputs got as far as it wants, other limits than SECONDS, and whether inputs are no
// text: half of them are bytes by chance then, and no numbers are put in.
extern long              zn_fuzz_reached __attribute__((weak));
extern const int         zn_fuzz_seconds __attribute__((weak));
extern const bool        zn_fuzz_binary __attribute__((weak));
// A library: each input in a process of its own, as the program reads files over which that library crashes or takes
// too long. That is counted, all else is a fault. With sanitizers only where the library may end the process, too:
// they look for lost memory at the end.
extern const char *const zn_fuzz_alone __attribute__((weak));
extern const bool        zn_fuzz_ends __attribute__((weak));

typedef struct {
    uint8_t *data;
    size_t   size;
} text;

typedef struct {
    text *item;
    int   count;
} texts;

static uint8_t  input[LARGEST];
static size_t   input_size;
static uint64_t random_state;

// In place of the C library's: HDF5 waits before it reads a damaged piece again, 16 ms in the end, and nobody is
// writing.
int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)wanted, (void)left;
    return 0;
}

static size_t below(size_t n) // splitmix64
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return n > 0 ? (size_t)((z ^ (z >> 31)) % n) : 0;
}

static void leave_input(void)
{
    FILE *f = fopen("bad-input", "wb");
    if (f == NULL)
        return;
    fwrite(input, 1, input_size, f);
    fclose(f);
    fputs("the input is left in bad-input\n", stderr);
}

enum { CRASHED = 77, SLOW, REACHED }; // how a process of its own ends; the first two in the library

static long library_crashed, library_slow;

static bool is_alone(void)
{
    bool sanitized = __sanitizer_set_death_callback != NULL;
    return &zn_fuzz_alone != NULL && (!sanitized || (&zn_fuzz_ends != NULL && zn_fuzz_ends));
}

// Whose code did it? The library's where it stands inside of all code of Zeno, whatever it calls itself.
static bool is_in_library(void)
{
    void   *frame[32];
    Dl_info where, own;
    int     count = backtrace(frame, 32), others = 0;
    if (dladdr((void *)(uintptr_t)&is_in_library, &own) == 0)
        return false;
    for (int i = 3; i < count; i++) { // after this one, the handler and the kernel's way to it
        if (dladdr(frame[i], &where) == 0 || where.dli_fname == NULL)
            continue;
        if (strstr(where.dli_fname, zn_fuzz_alone) != NULL)
            return true;
        if (strcmp(where.dli_fname, own.dli_fname) == 0 || strstr(where.dli_fname, "libzeno") != NULL)
            return false;
        others++;
    }
    return others > 0; // a stack that has run out
}

static void stop_slow(int signal)
{
    (void)signal;
    if (is_alone() && is_in_library())
        _exit(SLOW);
    leave_input();
    static const char message[] = "an input took too long\n";
    _exit(write(2, message, sizeof message - 1) > 0 ? 70 : 71);
}

// Without sanitizers: leave the input and end by the same signal.
static void stop_crashed(int number)
{
    if (is_alone() && is_in_library())
        _exit(CRASHED);
    leave_input();
    signal(number, SIG_DFL);
    raise(number);
}

// On a stack of its own: the other one may be what has run out.
static void watch_crashes(void)
{
    static const int     crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    static unsigned char stack[1 << 16];
    struct sigaction     action = {.sa_handler = stop_crashed, .sa_flags = SA_ONSTACK};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}

static void keep(texts *list, const void *data, size_t size)
{
    text *grown = realloc(list->item, sizeof *grown * (size_t)(list->count + 1));
    if (grown == NULL || (grown[list->count].data = malloc(size + 1)) == NULL)
        exit(2);
    memcpy(grown[list->count].data, data, size);
    grown[list->count].size = size;
    list->item = grown;
    list->count++;
}

static void keep_file(texts *list, const char *path)
{
    static uint8_t buffer[LARGEST];
    FILE          *f = fopen(path, "rb");
    if (f == NULL) {
        perror(path);
        exit(2);
    }
    keep(list, buffer, fread(buffer, 1, sizeof buffer, f));
    fclose(f);
}

// The words in quotes of a libFuzzer dictionary; of its escapes only \x0A is used.
static void keep_words(texts *list, const char *path)
{
    char  line[256], word[256];
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, f) != NULL) {
        char  *from = strchr(line, '"'), *to = strrchr(line, '"');
        size_t n = 0;
        if (line[0] == '#' || from == NULL || to <= from)
            continue;
        for (from++; from < to; from++) {
            unsigned byte = 0;
            if (from + 3 < to && sscanf(from, "\\x%2x", &byte) == 1) {
                word[n++] = (char)byte;
                from += 3;
            } else
                word[n++] = from[0] == '\\' && from + 1 < to ? *++from : *from;
        }
        keep(list, word, n);
    }
    fclose(f);
}

// Put `size` bytes in the place of `gone`.
static void replace(size_t at, size_t gone, const void *data, size_t size)
{
    static uint8_t rest[LARGEST];
    size_t         tail = input_size - at - gone;
    memcpy(rest, input + at + gone, tail);
    size = size < LARGEST - at ? size : LARGEST - at;
    memcpy(input + at, data, size);
    tail = tail < LARGEST - at - size ? tail : LARGEST - at - size;
    memcpy(input + at + size, rest, tail);
    input_size = at + size + tail;
}

static bool is_binary(void) { return &zn_fuzz_binary != NULL && zn_fuzz_binary; }

static void take_chance(void)
{
    input_size = 1 + below(CHANCE);
    for (size_t i = 0; i < input_size; i++)
        input[i] = (uint8_t)below(256);
}

// `numbers_only`: what stays a file of the language, and gets behind its reader.
static void change(const texts *seeds, const texts *words, bool numbers_only)
{
    static const char *const numbers[] = {"0", "-1",  "0.3", "2",    "1e-3", "25",         "nan", "1e308", "-1e-320",
                                          "7", "inf", "1e4", "9999", "-0.5", "2147483648", "[]",  "{}"};
    const text              *other = &seeds->item[below((size_t)seeds->count)];
    size_t                   at = below(input_size), left = input_size - at, from = below(other->size);
    size_t                   some = below(left < 40 ? left : 40);
    switch (numbers_only ? 4 : below(is_binary() ? 4 : 7)) {
    case 0: // a bit
        if (left > 0)
            input[at] ^= (uint8_t)(1u << below(8));
        break;
    case 1: // any byte more
        replace(at, 0, (uint8_t[]){(uint8_t)below(256)}, 1);
        break;
    case 2: // a piece less
        replace(at, some, "", 0);
        break;
    case 3: // a word of the language
        if (words->count > 0) {
            const text *word = &words->item[below((size_t)words->count)];
            replace(at, below(2) * some, word->data, word->size);
        }
        break;
    case 4: { // a number
        const char *number = numbers[below(sizeof numbers / sizeof *numbers)];
        size_t      digits = 0;
        while (at < input_size && (input[at] < '0' || input[at] > '9'))
            at++;
        while (at + digits < input_size && strchr("0123456789.e+-", input[at + digits]) != NULL && input[at + digits])
            digits++;
        replace(at, digits, number, strlen(number));
        break;
    }
    case 5: // a piece of another file
        replace(at, some, other->data + from, below(other->size - from < 200 ? other->size - from : 200));
        break;
    default: // the end cut off
        input_size = below(4) == 0 ? at : input_size;
    }
}

static void run_alone(const struct itimerval *limit)
{
    int   status = 0;
    pid_t child = fork();
    if (child == 0) {
        long before = zn_fuzz_reached;
        setitimer(ITIMER_VIRTUAL, limit, NULL);
        LLVMFuzzerTestOneInput(input, input_size);
        _exit(zn_fuzz_reached > before ? REACHED : 0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        exit(2);
    if (WIFSIGNALED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) < CRASHED)) {
        leave_input();
        fprintf(stderr, "an input ended its process with status %d\n", status);
        exit(1);
    }
    library_crashed += WEXITSTATUS(status) == CRASHED;
    library_slow += WEXITSTATUS(status) == SLOW;
    zn_fuzz_reached += WEXITSTATUS(status) == REACHED;
}

static void run(void)
{
    struct itimerval limit = {.it_value.tv_sec = &zn_fuzz_seconds != NULL ? zn_fuzz_seconds : SECONDS};
    if (is_alone()) {
        run_alone(&limit);
        return;
    }
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
    LLVMFuzzerTestOneInput(input, input_size);
}

static void take(const text *seed)
{
    memcpy(input, seed->data, seed->size);
    input_size = seed->size;
}

static void drop(texts *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->item[i].data);
    free(list->item);
}

int main(int argc, char **argv)
{
    texts seeds = {0}, words = {0};
    if (argc < 5) {
        fprintf(stderr, "usage: %s RUNS SEED DICTIONARY FILE...\n", argv[0]);
        return 2;
    }
    long runs = strtol(argv[1], NULL, 10);
    random_state = strtoull(argv[2], NULL, 10);
    keep_words(&words, argv[3]);
    for (int i = 4; i < argc; i++)
        keep_file(&seeds, argv[i]);
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(leave_input);
    if (__sanitizer_set_death_callback == NULL || is_alone())
        watch_crashes();
    signal(SIGVTALRM, stop_slow);
    LLVMFuzzerTestOneInput(input, 0); // what a target makes for all inputs
    for (int i = 0; i < seeds.count; i++) {
        take(&seeds.item[i]);
        run();
    }
    for (long k = 0; k < runs; k++) {
        take(&seeds.item[below((size_t)seeds.count)]);
        bool half = below(2) == 0, numbers_only = half && !is_binary();
        if (half && is_binary())
            take_chance();
        for (size_t i = 0, changes = 1 + below(5); i < changes; i++)
            change(&seeds, &words, numbers_only);
        run();
    }
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){0}, NULL);
    printf("%d files, %ld changed copies, seed %s: no fault\n", seeds.count, runs, argv[2]);
    if (&zn_fuzz_reached != NULL)
        printf("%ld of them were run\n", zn_fuzz_reached);
    if (is_alone())
        printf("%s itself crashed over %ld and took too long over %ld\n", zn_fuzz_alone, library_crashed, library_slow);
    drop(&seeds);
    drop(&words);
    return 0;
}
