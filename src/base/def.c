// Defs from outside and back. See def.h.
#include "base/def.h"

#include <string.h>

#include "base/assert.h"

static size_t size_at(const char *def)
{
    size_t size;
    memcpy(&size, def, sizeof size);
    return size;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// Copy, but leave the size at the beginning of `to`.
static void copy_def(const char *from, size_t size, char *to)
{
    memcpy(to + sizeof size, from + sizeof size, size - sizeof size);
}

// Where a piece of a def is in the one from outside and in our own.
typedef struct cursor {
    size_t outside, own;
} cursor;

// Copy bytes one way or the other up to `end` of our own, or of the def from outside, which has `size` bytes.
static void copy_plain(cursor *at, size_t end, size_t size, char *outside, char *own, bool in)
{
    size_t count = smaller(end - at->own, size - at->outside);
    memcpy(in ? own + at->own : outside + at->outside, in ? outside + at->outside : own + at->own, count);
    at->outside += count;
    at->own = end;
}

// Both ways. False where sizes cannot be those of this kind or of an older one.
static bool convert(const zn_def_kind *kind, char *outside, char *own, bool in)
{
    size_t size = size_at(outside);
    cursor at = {sizeof size, sizeof size};
    for (int i = 0; i < ZN_DEF_INNER && kind->inner[i].size > 0; i++) {
        copy_plain(&at, kind->inner[i].offset, size, outside, own, in);
        if (at.outside == size)
            return true; // so old that it does not hold this one
        size_t left = size - at.outside, inner = left >= sizeof inner ? size_at(outside + at.outside) : 0;
        if (inner < sizeof inner || inner > kind->inner[i].size || inner > left)
            return false;
        if (in)
            copy_def(outside + at.outside, inner, own + at.own);
        else
            copy_def(own + at.own, inner, outside + at.outside);
        at.outside += inner;
        at.own += kind->inner[i].size;
    }
    copy_plain(&at, kind->size, size, outside, own, in);
    return at.outside == size;
}

zn_status zn_def_take(const zn_def_kind *kind, const void *given, void *own, const zn_log *log)
{
    ZN_ASSERT(own && given != own && size_at(own) == kind->size);
    size_t size = given ? size_at(given) : 0;
    if (size < sizeof size)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: %s", kind->name,
                       given ? "not made by its default function" : "there is none (NULL)");
    if (size > kind->size)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: %zu bytes, this library knows %zu: it is of a newer header",
                       kind->name, size, kind->size);
    if (!convert(kind, (char *)given, own, true))
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: a def inside of it was not made by its default function, or is of a newer header",
                       kind->name);
    return ZN_OK;
}

void zn_def_give(const zn_def_kind *kind, const void *own, void *out)
{
    if (!out)
        return;
    size_t size = size_at(out);
    ZN_ASSERT(size >= sizeof size && own != out);
    if (size <= kind->size)
        convert(kind, out, (char *)own, false);
    else
        copy_def(own, kind->size, out);
}
