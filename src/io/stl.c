// Reader of STL files. Binary: 80 bytes of anything, a count, and for each triangle its normal, three corners (floats,
// little endian) and two bytes; the length of the file tells it from ASCII, since some binary files begin with "solid",
// too. Normals are not used: corners say more. ASCII:
//     solid NAME  { facet normal X Y Z  outer loop  { vertex X Y Z } x 3  endloop  endfacet }  endsolid NAME
#include "io/stl.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "model/expression.h"

enum { HEAD = 84, RECORD = 50, WORD = 64 };

void zn_stl_clear(zn_stl *stl)
{
    free(stl->corner);
    *stl = (zn_stl){0};
}

// --- binary --------------------------------------------------------------------------------------

static uint32_t little_endian(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const unsigned char *b)
{
    uint32_t bits = little_endian(b);
    float    value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// What the file would be long if it were binary; 0: it is too short for a head.
static uint64_t binary_length(const char *bytes, size_t length)
{
    return length < HEAD ? 0 : HEAD + RECORD * (uint64_t)little_endian((const unsigned char *)bytes + HEAD - 4);
}

static zn_status parse_binary(const char *bytes, size_t length, const char *name, zn_stl *out, char *message,
                              size_t size)
{
    size_t triangles = (length - HEAD) / RECORD;
    out->corner = ZN_NEW(zn_vec3, 3 * triangles);
    if (out->corner == NULL)
        return ZN_ERR_MEMORY;
    for (size_t i = 0; i < 3 * triangles; i++) {
        const unsigned char *at = (const unsigned char *)bytes + HEAD + RECORD * (i / 3) + 12 * (1 + i % 3);
        zn_vec3              p = {float_at(at), float_at(at + 4), float_at(at + 8)};
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
            snprintf(message, size, "%s: a corner of triangle %zu is not finite", name, i / 3 + 1);
            return ZN_ERR_MODEL;
        }
        out->corner[out->count++] = p;
    }
    return ZN_OK;
}

// --- ASCII ---------------------------------------------------------------------------------------

typedef struct scan {
    const char *at, *end, *name;
    int         line;
    char        word[WORD]; // the last one; what is longer is cut, and no word of the format
    char       *message;
    size_t      size;
} scan;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The next word; "" at the end.
static void next_word(scan *s)
{
    size_t length = 0;
    for (; s->at < s->end && is_blank(*s->at); s->at++)
        s->line += *s->at == '\n';
    for (; s->at < s->end && !is_blank(*s->at); s->at++)
        if (length < WORD - 1)
            s->word[length++] = *s->at >= 32 && *s->at < 127 ? *s->at : '?';
    s->word[length] = '\0';
}

static void skip_line(scan *s)
{
    while (s->at < s->end && *s->at != '\n')
        s->at++;
}

static zn_status expected(const scan *s, const char *what)
{
    if (s->word[0] == '\0')
        snprintf(s->message, s->size, "%s:%d: the file ends where '%s' should stand", s->name, s->line, what);
    else
        snprintf(s->message, s->size, "%s:%d: expected '%s', found '%s'", s->name, s->line, what, s->word);
    return ZN_ERR_MODEL;
}

static zn_status need(scan *s, const char *what)
{
    next_word(s);
    return strcasecmp(s->word, what) == 0 ? ZN_OK : expected(s, what);
}

static zn_status need_numbers(scan *s, zn_vec3 *out)
{
    double value[3];
    for (int i = 0; i < 3; i++) {
        next_word(s);
        if (!zn_number_parse(s->word, &value[i]))
            return expected(s, "a finite number");
    }
    *out = zn_vec3_make(value[0], value[1], value[2]);
    return ZN_OK;
}

static bool is_number(const char *word) // normals may be nan, of triangles without area
{
    return strcasecmp(word, "nan") == 0 || strcasecmp(word, "-nan") == 0 || zn_number_parse(word, &(double){0});
}

// Behind the word "facet".
static zn_status parse_facet(scan *s, zn_stl *out)
{
    ZN_TRY(need(s, "normal"));
    for (int i = 0; i < 3; i++) {
        next_word(s);
        if (!is_number(s->word))
            return expected(s, "a number");
    }
    ZN_TRY(need(s, "outer"));
    ZN_TRY(need(s, "loop"));
    for (int i = 0; i < 3; i++) {
        zn_vec3 p;
        ZN_TRY(need(s, "vertex"));
        ZN_TRY(need_numbers(s, &p));
        ZN_TRY(ZN_PUSH(out->corner, out->count, out->capacity, p));
    }
    ZN_TRY(need(s, "endloop"));
    return need(s, "endfacet");
}

static zn_status parse_ascii(scan *s, zn_stl *out)
{
    for (next_word(s); s->word[0] != '\0'; next_word(s)) {
        if (strcasecmp(s->word, "solid") != 0)
            return expected(s, "solid");
        skip_line(s); // its name
        for (next_word(s); strcasecmp(s->word, "endsolid") != 0; next_word(s)) {
            if (strcasecmp(s->word, "facet") != 0)
                return expected(s, "facet");
            ZN_TRY(parse_facet(s, out));
        }
        skip_line(s);
    }
    return ZN_OK;
}

zn_status zn_stl_parse(const char *bytes, size_t length, const char *name, zn_stl *out, char *message, size_t size)
{
    uint64_t  binary = binary_length(bytes, length);
    zn_status status = ZN_ERR_MODEL;
    *out = (zn_stl){0};
    if (length > 0 && binary == length)
        status = parse_binary(bytes, length, name, out, message, size);
    else if (length >= 6 && strncasecmp(bytes, "solid", 5) == 0 && is_blank(bytes[5])) {
        scan s = {.at = bytes, .end = bytes + length, .name = name, .line = 1, .message = message, .size = size};
        status = parse_ascii(&s, out);
    } else if (binary == 0)
        snprintf(message, size, "%s: no STL file: shorter than the head of one", name);
    else
        snprintf(message, size,
                 "%s: no STL file, or one that was cut: its head counts %llu triangles, for %llu bytes "
                 "it has %zu",
                 name, (unsigned long long)(binary - HEAD) / RECORD, (unsigned long long)binary, length);
    if (status == ZN_OK && out->count == 0) {
        snprintf(message, size, "%s: it holds no triangle", name);
        status = ZN_ERR_MODEL;
    }
    if (status != ZN_OK)
        zn_stl_clear(out);
    return status;
}
