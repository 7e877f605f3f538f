/// Digest of bytes (SHA-256, FIPS 180-4): the same as `sha256sum` prints.
#ifndef ZN_BASE_SHA256_H
#define ZN_BASE_SHA256_H

#include <stddef.h>

enum { ZN_SHA256_TEXT = 65 }; ///< 64 hexadecimal digits and a NUL

void zn_sha256(const void *bytes, size_t size, char text[ZN_SHA256_TEXT]);

#endif
