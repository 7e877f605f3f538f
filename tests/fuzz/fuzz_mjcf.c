// Target for mutate.c: any bytes as an MJCF file, which MuJoCo reads. Whatever they are, there is a model file that
// Zeno reads, or one line that says why there is none. MuJoCo and its libraries crash over some: each input has a
// process of its own, as in `zeno import`.
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../mjcf/scene.h"
#include "hdf5_changes.h"
#include "zn/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// For mutate.c: inputs that became models.
extern long              zn_fuzz_reached;
extern const char *const zn_fuzz_alone;
long                     zn_fuzz_reached;
const char *const        zn_fuzz_alone = "libmujoco";
extern const bool        zn_fuzz_ends;
const bool               zn_fuzz_ends = true;

enum { MESSAGE = 1024 };

static const rlim_t memory_most = (rlim_t)2 << 30; // of 8 GB in 'zeno import'

static char file[64], output[64];

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void remove_files(void)
{
    unlink(file);
    unlink(output);
}

static void check_refusal(const char *why)
{
    if (why[0] == '\0' || strchr(why, '\n') != NULL)
        __builtin_trap();
}

static void refuse(const char *why)
{
    check_refusal(why);
    _exit(0);
}

static void drop(const char *message) { (void)message; }

static void complain(void *user, zn_severity severity, const char *message)
{
    if (severity == ZN_LOG_ERROR)
        snprintf(user, MESSAGE, "%s", message);
}

// Numbers of 1e7 and more may be too large for a model: rounding alone tears a joint then.
static bool has_huge_numbers(const char *text)
{
    const char digits[] = "0123456789";
    for (size_t n; *(text += strcspn(text, digits)) != '\0'; text += n) {
        n = strspn(text, digits);
        if (n > 7 || (n > 1 && text[-1] == '+')) // 1e+10
            return true;
        n += text[n] == '.' ? 1 + strspn(text + n + 1, digits) : 0;
    }
    return false;
}

// What was written is a model; if it is none the reader tells why, and numbers or flat meshes are to blame.
static void read_again(void)
{
    char        message[MESSAGE] = "";
    zn_problem *problem = NULL;
    fuzz_file   text;
    if (!fuzz_load(output, &text))
        __builtin_trap();
    zn_log log = {.write = complain, .user = message};
    if (zn_problem_parse((const char *)text.bytes, text.size, output, 0, NULL, log, &problem) == ZN_OK)
        zn_fuzz_reached++;
    else if (message[0] == '\0' ||
             (!has_huge_numbers((const char *)text.bytes) && strstr(message, "has no hull") == NULL)) {
        fprintf(stderr, "%s\n", message);
        __builtin_trap();
    }
    zn_problem_destroy(problem);
    free(text.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[400];
    if (file[0] == '\0') {
        fuzz_path("scene.xml", file);
        fuzz_path("scene.yaml", output);
        atexit(remove_files);
        mju_user_error = refuse;
        mju_user_warning = drop;
    }
    if (size == 0)
        return 0;
    if (__sanitizer_set_death_callback == NULL) // sanitizers need more
        setrlimit(RLIMIT_AS, &(struct rlimit){memory_most, memory_most});
    if (!fuzz_write(&(fuzz_file){(unsigned char *)data, size}, file))
        exit(2);
    if (scene_import(file, output, false, why, sizeof why))
        read_again();
    else
        check_refusal(why);
    return 0;
}
