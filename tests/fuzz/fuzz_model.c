// libFuzzer target: any bytes as a model file. Whatever they are, the reader returns a status, leaks nothing and
// does nothing undefined.
#include <stdlib.h>
#include <string.h>

#include "io/problem.h"

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

// The same of ten thousand copies: where there are bounds, numbers have three digits.
static bool has_many_copies(const char *text)
{
    for (const char *s = strstr(text, "..") != NULL ? text : ""; *s != '\0'; s++)
        if (strspn(s, "0123456789") > 3)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const overrides[] = {"a=2*0.1 m"};
    // files that may be included
    static const zn_input    sources[] = {
           {.name = "part.yaml",
            .text = "zeno: 1\nparameters: {L: 1, n: 2}\nbodies:\n  b: {repeat: {k: 0..n}, mass: L, position: [k*L, 0]}\n"
                       "springs: {s: {from: 'b[0]', to: 'b[n]', stiffness: 1}}\nrecord: {p: 'b[1].position'}\n"},
           {.name = "self.yaml", .text = "zeno: 1\ngroups: {a: {include: part.yaml}, b: {include: self.yaml}}\n"}};
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    // an input that begins with '#' is read with an override as well
    int             count = size > 0 && text[0] == '#';
    zn_problem     *problem = NULL;
    zn_problem_text given = {.text = text,
                             .size = size,
                             .name = "input",
                             .override_count = count,
                             .overrides = overrides,
                             .source_count = 2,
                             .sources = sources};
    if (!is_heavy(text) && !has_many_copies(text) && zn_problem_parse_text(&given, (zn_log){0}, &problem) == ZN_OK)
        zn_problem_destroy(problem);
    free(text);
    return 0;
}
