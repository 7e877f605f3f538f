// Bytes of a checkpoint, written and read by the same calls.
#include "base/blob.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };

void zn_blob_begin_saving(zn_blob *blob)
{
    blob->loading = blob->failed = false;
    blob->size = blob->at = 0;
}

zn_blob zn_blob_of(const void *data, size_t size)
{
    return (zn_blob){.loading = true, .data = (unsigned char *)data, .size = size}; // never written to
}

void zn_blob_free(zn_blob *blob)
{
    free(blob->data);
    *blob = (zn_blob){0};
}

static bool make_room(zn_blob *blob, size_t more)
{
    if (more > SIZE_MAX / 4 - blob->size)
        return false;
    size_t need = blob->size + more;
    if (need <= blob->capacity)
        return true;
    size_t         capacity = need + need / 4; // contacts come and go: not at each checkpoint
    unsigned char *grown = realloc(blob->data, capacity);
    if (grown == NULL)
        return false;
    blob->data = grown;
    blob->capacity = capacity;
    return true;
}

void zn_blob_exchange(zn_blob *blob, void *values, size_t count, size_t size)
{
    size_t bytes = count > SIZE_MAX / 8 / size ? SIZE_MAX / 8 : count * size, padded = (bytes + WORD - 1) / WORD * WORD;
    if (!blob->failed && !blob->loading && make_room(blob, padded))
        blob->size += padded;
    if (blob->failed || padded > blob->size - blob->at) {
        blob->failed = true;
        return;
    }
    unsigned char *place = blob->data + blob->at;
    blob->at += padded;
    if (bytes == 0)
        return;
    memcpy(blob->loading ? values : place, blob->loading ? place : values, bytes);
    if (!blob->loading)
        memset(place + bytes, 0, padded - bytes);
}

void zn_blob_exchange_count(zn_blob *blob, int *count, size_t size)
{
    int64_t number = *count;
    zn_blob_exchange(blob, &number, 1, sizeof number);
    if (!blob->loading)
        return;
    bool possible =
        !blob->failed && number >= 0 && number < INT_MAX / 8 && (uint64_t)number <= (blob->size - blob->at) / size;
    blob->failed = blob->failed || !possible;
    *count = possible ? (int)number : 0;
}
