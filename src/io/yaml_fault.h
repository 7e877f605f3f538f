/// What is wrong with a text that is no YAML, in words about the text.
#ifndef ZN_IO_YAML_FAULT_H
#define ZN_IO_YAML_FAULT_H

#include <stddef.h>

typedef struct zn_yaml_problem {
    const char *text; ///< the whole file
    size_t      size;
    const char *problem, *context;      ///< of libyaml; context NULL: none
    int         line, column;           ///< of the problem, from 1
    int         from_line, from_column; ///< of the context
} zn_yaml_problem;

void zn_yaml_explain(const zn_yaml_problem *p, char *out, size_t size);

#endif
