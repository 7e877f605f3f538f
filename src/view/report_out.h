/// What a report is written with: JSON in one line, and arrays of numbers in base64, each a <script> element that holds
/// data.
#ifndef ZN_VIEW_REPORT_OUT_H
#define ZN_VIEW_REPORT_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "view/base64.h"

typedef struct zn_report_out {
    FILE     *file;
    bool      comma; ///< the next member needs one before it
    zn_base64 base64;
} zn_report_out;

/// Open and close an element with JSON or an array inside. `type` of an array: "f4", "f8", "i4", "u1".
void zn_report_json_begin(zn_report_out *out, const char *name);
void zn_report_array_begin(zn_report_out *out, const char *name, const char *type);
void zn_report_json_end(zn_report_out *out);
void zn_report_array_end(zn_report_out *out);
void zn_report_bytes(zn_report_out *out, const void *bytes, size_t size);
/// A whole array.
void zn_report_array(zn_report_out *out, const char *name, const char *type, const void *bytes, size_t size);

/// Members of an object (key NULL: items of a list).
void zn_report_open(zn_report_out *out, const char *key, char bracket);
void zn_report_close(zn_report_out *out, char bracket);
void zn_report_text(zn_report_out *out, const char *key, const char *text);
void zn_report_number(zn_report_out *out, const char *key, double value);
void zn_report_count(zn_report_out *out, const char *key, int64_t value);
void zn_report_bool(zn_report_out *out, const char *key, bool value);
void zn_report_numbers(zn_report_out *out, const char *key, int count, const double *values);

#endif
