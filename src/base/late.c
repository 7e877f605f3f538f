#include "base/late.h"

#include <dlfcn.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { ROOM = 1 << 22 }; // the loader ends the program where it finds none for what a library has to itself

static zn_status refuse(const char *library, const zn_log *log)
{
    const char *why = dlerror();
    if (why != NULL && (strstr(why, "memory") != NULL || strstr(why, "map segment") != NULL))
        return ZN_ERR_MEMORY;
    return log != NULL ? zn_fail(log, ZN_ERR_UNSUPPORTED, "%s: %s", library, why != NULL ? why : "it cannot be loaded")
                       : ZN_ERR_UNSUPPORTED;
}

zn_status zn_late_load(const char *library, int count, const zn_late_call *calls, const zn_log *log)
{
    ZN_ASSERT(library && (calls || count == 0));
    if (!zn_has_room(ROOM))
        return ZN_ERR_MEMORY;
    void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (loaded == NULL)
        return refuse(library, log);
    for (int i = 0; i < count; i++) {
        void *found = dlsym(loaded, calls[i].name);
        if (found == NULL && !calls[i].optional)
            return refuse(library, log);
        memcpy(calls[i].pointer, &found, sizeof found); // ISO C has no conversion
    }
    return ZN_OK;
}
