#include "io/scope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- frames ----------------------------------------------------------------------------------------

zn_axes zn_axes_make(zn_vec3 origin, zn_quat turn, double angle)
{
    bool turned = angle != 0 || turn.x != 0 || turn.y != 0 || turn.z != 0;
    bool moved = turned || origin.x != 0 || origin.y != 0 || origin.z != 0;
    return (zn_axes){moved, turned, origin, angle != 0 ? zn_so3_exp(zn_vec3_make(0, 0, angle)) : turn, angle};
}

zn_vec3 zn_axes_direction(const zn_axes *f, zn_vec3 x) { return f->turned ? zn_quat_rotate(f->turn, x) : x; }

zn_vec3 zn_axes_place(const zn_axes *f, zn_vec3 x)
{
    return f->moved ? zn_vec3_add(f->origin, zn_axes_direction(f, x)) : x;
}

zn_axes zn_axes_compose(const zn_axes *outer, const zn_axes *inner)
{
    if (!outer->moved)
        return *inner;
    return (zn_axes){true, outer->turned || inner->turned, zn_axes_place(outer, inner->origin),
                     zn_quat_product(outer->turn, inner->turn), outer->angle + inner->angle};
}

// --- names -----------------------------------------------------------------------------------------

size_t zn_space_word(const char *reference)
{
    size_t length = strcspn(reference, "[.");
    for (const char *s = reference; (s = memchr(s, ':', length - (size_t)(s - reference))) != NULL; s++)
        if (strncmp(s, ZN_SCOPE_MARK, strlen(ZN_SCOPE_MARK)) == 0)
            return (size_t)(s - reference);
    return length;
}

// First place in the sorted list whose name is not before the word.
static int lower_bound(const zn_space *space, const char *word, size_t length)
{
    int low = 0, high = space->count;
    while (low < high) {
        int         middle = low + (high - low) / 2;
        const char *name = space->list[middle].name;
        int         order = strncmp(name, word, length);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const zn_declared *zn_space_find(const zn_space *space, const char *word, size_t length, bool material,
                                 const zn_space **found)
{
    for (; space != NULL; space = space->outer)
        for (int i = lower_bound(space, word, length); i < space->count; i++) {
            const zn_declared *d = &space->list[i];
            if (strncmp(d->name, word, length) != 0 || d->name[length] != '\0')
                break;
            if (d->material != material)
                continue;
            if (found != NULL)
                *found = space;
            return d;
        }
    return NULL;
}

void zn_scope_note(const zn_scope *scope, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", scope->level->note);
    for (int i = 0; i < scope->indices && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s = %d", used > 0 ? ", " : "", scope->names[i],
                                 scope->index[i]);
}
