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

zn_blob zn_blob_into(void *data, size_t size) { return (zn_blob){.data = data, .capacity = size, .fixed = true}; }

zn_blob zn_blob_counting(void) { return (zn_blob){.dry = true}; }

zn_blob zn_blob_checking(const void *data, size_t size)
{
    zn_blob blob = zn_blob_of(data, size);
    blob.dry = true;
    return blob;
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
    if (need <= blob->capacity || blob->dry)
        return true;
    if (blob->fixed)
        return false;
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
    size_t at = blob->at;
    blob->at += padded;
    if (bytes == 0 || blob->dry)
        return;
    unsigned char *place = blob->data + at;
    if (blob->blank && !blob->loading)
        memset(place, 0, bytes);
    else
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

// --- histories -----------------------------------------------------------------------------------

// A number that decides what follows: read even where nothing is copied.
static double exchange_number(zn_blob *blob, double number)
{
    size_t at = blob->at;
    zn_blob_exchange(blob, &number, 1, sizeof number);
    if (blob->dry && blob->loading && !blob->failed)
        memcpy(&number, blob->data + at, sizeof number);
    return number;
}

static void expect(zn_blob *blob, int number)
{
    bool blank = blob->blank;
    blob->blank = false;
    blob->failed |= exchange_number(blob, number) != number;
    blob->blank = blank;
}

void zn_blob_version(zn_blob *blob, int version) { expect(blob, version); }

void zn_blob_doubles(zn_blob *blob, double *values, int count)
{
    expect(blob, count);
    zn_blob_exchange(blob, values, (size_t)count, sizeof *values);
}

void zn_blob_double(zn_blob *blob, double *value) { zn_blob_exchange(blob, value, 1, sizeof *value); }

void zn_blob_int(zn_blob *blob, int *value, int least, int most)
{
    double number = exchange_number(blob, *value);
    if (!blob->loading)
        return;
    blob->failed |= !(number >= least && number <= most && number == (int)number);
    if (!blob->failed && !blob->dry)
        *value = (int)number;
}

void zn_blob_bool(zn_blob *blob, bool *value)
{
    int number = *value;
    zn_blob_int(blob, &number, 0, 1);
    *value = number != 0;
}
