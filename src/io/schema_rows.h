/// Short words for the rows of schema tables.
#ifndef ZN_IO_SCHEMA_ROWS_H
#define ZN_IO_SCHEMA_ROWS_H

#include <math.h>
#include <stddef.h>

#define COUNT(array)         ((int)(sizeof(array) / sizeof(array)[0]))
#define KEYS(array)          .count = COUNT(array), .keys = array
#define FIELD(type, field)   .offset = offsetof(type, field)
#define UNIT(id)             .dimension = ZN_DIM_##id
#define REQUIRED             .required = true
#define REQUIRED_UNLESS(key) .required = true, .unless = key
#define POSITIVE             .range = {0, INFINITY, true}
#define NOT_NEGATIVE         .range = {0, INFINITY, false}
#define BETWEEN(min, max)    .range = {min, max, false}
#define BEYOND(min, max)     .range = {min, max, true}
#define CHOICES(words)       .choices = words
#define DEFAULT(text)        .default_text = text
#define HELP(text)           .help = text
// Axes, see zn_key_axes.
#define OWN_AXES              .axes = ZN_AXES_OWN
#define PLACE                 .axes = ZN_AXES_PLACE
#define DIRECTION             .axes = ZN_AXES_DIRECTION
#define TURNS                 .axes = ZN_AXES_TURN
#define WORLD_AXES            .axes = ZN_AXES_WORLD
#define WORLD_PLACE           .axes = ZN_AXES_WORLD_PLACE
#define CARRIED(key)          .carrier = key
#define CARRIED_IN_PLANE(key) .carrier = key, .carried_in_plane = true
#define MATERIAL_NAME         .refers = ZN_REFERS_MATERIAL
#define WORD_NAME             .refers = ZN_REFERS_WORD

#endif
