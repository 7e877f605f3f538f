// libFuzzer target: any lines as values of --set, for a machine with most sections of a model file. They are refused,
// or give a model that can be read.
#include <stdlib.h>
#include <string.h>

#include "zn/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model[] =
    "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nparameters: {e: 0.5, L: 1 m}\n"
    "bodies:\n  ball: {mass: 1, position: [0, L]}\n  arm: {mass: 2, inertia: 0.1, position: [1, 0]}\n"
    "joints:\n  pin: {pin: [ground, arm], at: [0, 0]}\n"
    "contacts:\n  floor: {point: ball, surface: {plane: [0, 1]}, restitution: e}\n"
    "record: {height: ball.position.y}\nlimits: {penetration: 1e-2}\n"
    "run: {scheme: moreau_jean, step: 1e-2, until: 0.1}\n";

enum { MOST = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char       *text = malloc(size + 1), *next = text;
    const char *lines[MOST];
    int         count = 0;
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    while (next != NULL && count < MOST) {
        lines[count++] = next;
        next = strchr(next, '\n');
        if (next != NULL)
            *next++ = '\0';
    }
    zn_problem *problem = NULL;
    if (zn_problem_parse(model, sizeof model - 1, "model.yaml", count, lines, (zn_log){0}, &problem) == ZN_OK)
        zn_problem_destroy(problem);
    free(text);
    return 0;
}
