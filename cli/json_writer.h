/// Writes JSON member by member: numbers with all their digits, NaN and infinity as null.
#ifndef ZENO_JSON_WRITER_H
#define ZENO_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// Where a value stands: decides commas and indentation. Start with {.out = file}.
typedef struct json_writer {
    FILE *out;
    int   depth;
    bool  first;
} json_writer;

/// Objects and arrays. key NULL: the outermost, or an item of an array.
void json_open(json_writer *w, const char *key);
void json_close(json_writer *w);
void json_open_array(json_writer *w, const char *key);
void json_close_array(json_writer *w);

void json_text(json_writer *w, const char *key, const char *value); ///< NULL: null
void json_number(json_writer *w, const char *key, double value);
void json_count(json_writer *w, const char *key, int64_t value);
void json_bool(json_writer *w, const char *key, bool value);
void json_list(json_writer *w, const char *key, int size, const double *values);

#endif
