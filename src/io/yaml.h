/// YAML text as a tree in which every node knows its place. Scalars stay text; what they mean is for the reader.
#ifndef ZN_IO_YAML_H
#define ZN_IO_YAML_H

#include <stdbool.h>

#include "io/faults.h"
#include "io/pool.h"

enum {
    ZN_YAML_DEPTH = 64,              ///< deepest nesting
    ZN_YAML_NODES = 2000 * 1000,     ///< most nodes
    ZN_YAML_BYTES = 64 * 1024 * 1024 ///< longest text
};

typedef enum zn_yaml_kind { ZN_YAML_SCALAR, ZN_YAML_LIST, ZN_YAML_MAP } zn_yaml_kind;

typedef struct zn_yaml_node {
    zn_yaml_kind           kind;
    bool                   plain;        ///< scalar without quotes
    bool                   verbatim;     ///< scalar written on one line, character by character as in `text`
    int                    line, column; ///< from 1, in characters
    const char            *text;         ///< scalar; no NUL inside
    int                    count;        ///< children of a list or map
    struct zn_yaml_node   *first;        ///< child
    struct zn_yaml_node   *next;         ///< sibling
    const char            *key;          ///< under which it stands in a map, else NULL
    int                    key_line, key_column;
    const struct zn_scope *scope; ///< of an object that was copied or came with a group or file; NULL: of the file read
} zn_yaml_node;

/// One document. Refuses anchors, aliases, tags and duplicate keys. Faults are reported; then ZN_ERR_MODEL.
zn_status zn_yaml_parse(const char *text, size_t size, zn_pool *pool, zn_faults *faults, zn_yaml_node **out);

/// Child of a map, or NULL.
const zn_yaml_node *zn_yaml_get(const zn_yaml_node *map, const char *key);
/// "nothing", "a list", "a map", "a single value" (it begins as a number), "text": for messages.
const char         *zn_yaml_describe(const zn_yaml_node *node);
/// A plain scalar that is absent, `~` or `null`.
bool                zn_yaml_is_null(const zn_yaml_node *node);
/// Column of byte `offset` of a scalar's text, as well as it is known.
int                 zn_yaml_column(const zn_yaml_node *node, int offset);

#endif
