/// Where the objects of a model file stand, for errors that are found once it is read: by schemes, or at the start.
#ifndef ZN_IO_PLACES_H
#define ZN_IO_PLACES_H

#include "io/yaml.h"

typedef struct zn_place {
    const char *name, *file; ///< without the indices of copies
    int         line, column;
} zn_place;

typedef struct zn_places {
    int             count;
    const zn_place *list; ///< of a pool
} zn_places;

enum { ZN_PLACE_LENGTH = 512 };

/// Keep those of `count` nodes (NULL: none) that are objects; copies are kept once. False: out of memory.
bool zn_places_keep(zn_places *places, zn_pool *pool, const char *file, int count, const zn_yaml_node *const *nodes);

/// "file:line:column: " of the object that a message begins with ("contact 'c': ...", "nsga: joint 'pin' ..."), or "".
const char *zn_places_of(const zn_places *places, const char *message, char text[ZN_PLACE_LENGTH]);

#endif
