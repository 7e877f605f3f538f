/// Groups and included files in a model file, and their tables.
#ifndef ZN_IO_SCHEMA_GROUP_H
#define ZN_IO_SCHEMA_GROUP_H

#include "io/schema.h"

enum { ZN_SECTIONS_MAX = 32 };

/// {file: part.yaml, parameters: {...}}
typedef struct zn_include_entry {
    const char         *file;
    const zn_yaml_node *parameters;
} zn_include_entry;

/// What stands in a group or in an included file, beside the sections.
typedef struct zn_group_entry {
    int                 version;
    const char         *title;
    bool                planar;
    zn_vec3             at;
    double              angle;
    zn_quat             rotation;
    const zn_yaml_node *include, *parameters, *groups, *section[ZN_SECTIONS_MAX];
} zn_group_entry;

extern const zn_schema zn_schema_group, zn_schema_include, zn_schema_included;

#endif
