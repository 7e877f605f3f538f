/// Bytes as text (RFC 4648), in pieces of any size.
#ifndef ZN_VIEW_BASE64_H
#define ZN_VIEW_BASE64_H

#include <stddef.h>
#include <stdio.h>

/// Zeroed at the start.
typedef struct zn_base64 {
    unsigned char rest[3]; ///< bytes that do not make a group of four characters yet
    int           count;
} zn_base64;

void zn_base64_put(zn_base64 *code, FILE *file, const void *bytes, size_t size);
void zn_base64_end(zn_base64 *code, FILE *file); ///< the last group, filled up with '='

#endif
