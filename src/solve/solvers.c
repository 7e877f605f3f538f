// The list of solvers as a table.
#include "solve/solvers.h"

#include <string.h>

#include "base/assert.h"

enum { NO, DENSE, BLOCKS, YES = 1 }; // of the column on friction: tangents per contact at most

static const zn_solver_kind table[] = {
#define ROW(word, friction, unilateral) {#word, friction, unilateral},
    ZN_SOLVER_LIST(ROW)
#undef ROW
};

enum { SOLVERS = sizeof table / sizeof *table };

const zn_solver_kind *zn_solver_find(const char *word)
{
    ZN_ASSERT(word);
    if (strcmp(word, "auto") == 0) // asked for each problem of a step
        return NULL;
    for (int i = 0; i < SOLVERS; i++)
        if (strcmp(table[i].name, word) == 0)
            return &table[i];
    return NULL;
}

bool zn_solver_is_augmented(const char *word) { return strcmp(word, ZN_SOLVER_AUGMENTED) == 0; }

const char *zn_solver_for_friction(const char *word)
{
    const zn_solver_kind *kind = zn_solver_find(word);
    return (kind != NULL && kind->tangents == 0) || zn_solver_is_augmented(word) ? "auto" : word;
}

const char *zn_solver_for_complementarity(const char *word)
{
    const zn_solver_kind *kind = zn_solver_find(word);
    return (kind != NULL && !kind->complementarity) || zn_solver_is_augmented(word) ? "auto" : word;
}

const char *zn_fc_solver_name(int index)
{
    if (index == 0)
        return "auto";
    for (int i = 0; i < SOLVERS; i++)
        if (table[i].tangents > 0 && --index == 0)
            return table[i].name;
    return NULL;
}
