// Bytes as text.
#include "view/base64.h"

#include <stdint.h>

static void put_group(zn_base64 *code, FILE *file, int bytes)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t          group = (uint32_t)code->rest[0] << 16 | (uint32_t)code->rest[1] << 8 | code->rest[2];
    for (int i = 0; i < 4; i++)
        fputc(i <= bytes ? digit[group >> (18 - 6 * i) & 63] : '=', file);
    code->count = 0;
}

void zn_base64_put(zn_base64 *code, FILE *file, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        code->rest[code->count++] = at[i];
        if (code->count == 3)
            put_group(code, file, 3);
    }
}

void zn_base64_end(zn_base64 *code, FILE *file)
{
    int bytes = code->count;
    for (int i = bytes; i < 3; i++)
        code->rest[i] = 0;
    if (bytes > 0)
        put_group(code, file, bytes);
}
