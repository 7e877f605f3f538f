/// The file reference.csv of a gallery problem: values a run must reproduce, with tolerance and source.
#ifndef ZENO_REFERENCE_VALUES_H
#define ZENO_REFERENCE_VALUES_H

#include <stdbool.h>

typedef struct reference_value {
    const char *id, *options, *measure, *source;
    double      expected;
    bool        at_most;   ///< "<= X": any smaller value will do
    double      tolerance; ///< absolute
    const char *tolerance_text;
    bool        slow; ///< id starts with "slow-"
    int         line;
} reference_value;

typedef struct reference_list {
    int              count;
    reference_value *values;
    char            *text; ///< the file, cut into fields
} reference_list;

/// Prints what is wrong as "file:line:column: ..." and returns false.
bool reference_list_read(const char *path, reference_list *out);
void reference_list_free(reference_list *list);

#endif
