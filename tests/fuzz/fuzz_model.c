// libFuzzer target: any bytes as a model file. Whatever they are, the reader returns a status, leaks nothing and
// does nothing undefined.
#include <stdlib.h>
#include <string.h>

#include "zn/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Bars of millions of elements are valid and take gigabytes; leave them out.
static bool is_heavy(const char *text)
{
    for (const char *s = text; (s = strstr(s, "elements")) != NULL;) {
        s += strlen("elements");
        size_t n = strcspn(s, ",}\n");
        size_t harmless = strspn(s, ": 0123456789n");
        if (n > 6 || harmless < n)
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const overrides[] = {"a=2*0.1 m"};
    char                    *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    // an input that begins with '#' is read with an override as well
    int         count = size > 0 && text[0] == '#';
    zn_problem *problem = NULL;
    if (!is_heavy(text) && zn_problem_parse(text, size, "input", count, overrides, (zn_log){0}, &problem) == ZN_OK)
        zn_problem_destroy(problem);
    free(text);
    return 0;
}
