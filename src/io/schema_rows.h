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

#endif
