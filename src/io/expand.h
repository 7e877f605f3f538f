/// The model language for machines: copies of an object (`repeat`), groups and included files are written out before
/// anything is bound, so that a model made of them is the model that is written without them.
#ifndef ZN_IO_EXPAND_H
#define ZN_IO_EXPAND_H

#include "io/bind.h"
#include "io/schema_group.h"

enum {
    ZN_EXPAND_OBJECTS = 1000 * 1000, ///< most copies, groups and included files
    ZN_EXPAND_DEPTH = 8,             ///< deepest nesting of groups and files
    ZN_EXPAND_FILES = 100            ///< most files
};

/// Replace builder->root by a tree that has all objects in its sections. The parameters are read. Faults go to the
/// reader's collection.
void zn_expand(zn_builder *builder);

// --- for the files that expand ---

typedef struct zn_expanded {
    const zn_schema_key *key;
    int                  count;
    zn_yaml_node        *first, *last;
} zn_expanded;

typedef struct zn_loaded {
    const char         *name, *path;
    const zn_yaml_node *root;
} zn_loaded;

typedef struct zn_expansion {
    zn_builder        *builder;
    zn_reader         *reader;
    int                sections;
    zn_expanded        section[ZN_SECTIONS_MAX];
    int                total, depth;
    bool               stopped; ///< beyond a limit, which is told
    int                files;
    zn_loaded          file[ZN_EXPAND_FILES];
    const char        *chain[ZN_EXPAND_DEPTH + 1]; ///< paths of the files being read, of which `chained`
    int                chained;
    struct space_list *spaces;
    zn_schema          of_group, of_file; ///< tables with the sections
} zn_expansion;

/// Objects of a group or file, then what it includes, then its groups. `at` is its scope without indices.
void          zn_expand_content(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_group_entry *entry);
void          zn_expand_include(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_group_entry *entry);
void          zn_expand_groups(zn_expansion *x, const zn_scope *at, zn_space *space, const zn_yaml_node *groups);
/// Count one more; false beyond the limit.
bool          zn_expand_count(zn_expansion *x, const zn_yaml_node *node);
/// One level deeper; false beyond the limit. To be left again by `depth--`.
bool          zn_expand_descend(zn_expansion *x, const zn_yaml_node *node);
/// A level that knows the constants of `from` (NULL: none) and has room for `more`; NULL: out of memory.
zn_level     *zn_expand_level(zn_expansion *x, const zn_scope *from, int more);
/// Add a constant to a level, or change it.
void          zn_expand_constant(zn_level *level, const char *name, double value);
zn_space     *zn_expand_space(zn_expansion *x, const zn_space *outer, const char *prefix);
bool          zn_expand_declare(zn_expansion *x, zn_space *space, zn_declared entry);
zn_scope     *zn_expand_scope(zn_expansion *x, zn_scope scope);
void         *zn_expand_alloc(zn_expansion *x, size_t count, size_t size);
/// "outer" + "name" + indices + "end".
const char   *zn_expand_name(zn_expansion *x, const zn_space *space, const zn_yaml_node *node, const zn_scope *scope,
                             const char *end);
/// An object without one of its keys.
zn_yaml_node *zn_expand_without(zn_expansion *x, const zn_yaml_node *node, const char *key);

/// Call `emit` for every value of the indices of `repeat`.
typedef struct zn_loop {
    const zn_scope     *at; ///< of the object, without indices
    const zn_yaml_node *node, *repeat;
    zn_space           *space;
    zn_scope            scope; ///< with indices
    void (*emit)(zn_expansion *x, struct zn_loop *loop);
    int           section; ///< of an object
    zn_yaml_node *body;    ///< the object without `repeat`
    zn_yaml_node *first;   ///< copy
    int           copies;
} zn_loop;

/// False after a message.
bool zn_expand_loop(zn_expansion *x, zn_loop *loop);

#endif
