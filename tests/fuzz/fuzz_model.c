// libFuzzer target: any bytes as a model file. Whatever they are, the reader returns a status, leaks nothing and
// does nothing undefined.
#include <stdlib.h>
#include <string.h>

#include "zn/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Meshes of millions of elements are valid and take gigabytes; leave them out. One number of up to four digits may
// stand, two in a disc; in a list each has one digit.
static bool is_heavy(const char *text)
{
    bool disc = strstr(text, "disc") != NULL;
    for (const char *s = text; (s = strstr(s, "elements")) != NULL;) {
        s += strlen("elements");
        s += strspn(s, ": ");
        bool   list = *s == '[';
        size_t n = strcspn(s, list ? "]}\n" : ",}\n"), digits = 0;
        for (size_t i = list; i < n; i++) {
            digits = s[i] >= '0' && s[i] <= '9' ? digits + 1 : 0;
            if ((digits == 0 && strchr(", n", s[i]) == NULL) || digits > (list ? 1u : disc ? 2u : 4u))
                return true;
        }
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
