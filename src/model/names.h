/// All names of a model: one space, found by hash, so that "name.quantity" is never ambiguous.
#ifndef ZN_MODEL_NAMES_H
#define ZN_MODEL_NAMES_H

#include <stdbool.h>

#include "zn/base.h"

typedef enum zn_named_kind {
    ZN_NAMED_NODE,
    ZN_NAMED_BODY,
    ZN_NAMED_BAR,
    ZN_NAMED_SPRING,
    ZN_NAMED_LOAD,
    ZN_NAMED_CONTACT,
    ZN_NAMED_POINT,
    ZN_NAMED_SPAN,
    ZN_NAMED_PLAY,
    ZN_NAMED_STATE,
    ZN_NAMED_CONTROL
} zn_named_kind;

/// What a name stands for; fields that do not apply are -1.
typedef struct zn_named {
    char         *name;
    zn_named_kind kind;
    int           node, nodes; ///< first node and number of nodes
    int           part;        ///< owner of elements
    int           rule;        ///< contact rule; of a point, span or control its place in the model
    int           play;        ///< joint with play
    int           origin;      ///< of zn_model_set_origin; 0: none
    int           shared[2];   ///< 1 + nodes of others before the first and after the last of its own; 0: none
    // of a part whose nodes are others' in any places; owned by the names. Its own ones ascend as it counts them
    int           map_count;
    int          *map;    ///< its k-th node; NULL: they are `node` and those after it
    int          *number; ///< which of its nodes the k-th of its own is
} zn_named;

/// Nodes of a part, its own and, with a map, those of others.
static inline int zn_named_count(const zn_named *named) { return named->map ? named->map_count : named->nodes; }
static inline int zn_named_node(const zn_named *named, int k) { return named->map ? named->map[k] : named->node + k; }

typedef struct zn_names {
    int       count, capacity;
    zn_named *entry;
    int      *slot; ///< hash table of entry + 1, 0 empty
    int       slots;
} zn_names;

/// Add a copy of `name`. ZN_ERR_MODEL when it exists. Takes the map over on ZN_OK.
zn_status       zn_names_add(zn_names *names, const char *name, zn_named what);
/// NULL when there is none.
const zn_named *zn_names_find(const zn_names *names, const char *name);
/// Finds nodes too: "body", "node", or "bar[3]". -1 when there is none.
int             zn_names_find_node(const zn_names *names, const char *name);
void            zn_names_clear(zn_names *names);

#endif
