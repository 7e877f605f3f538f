// Points of a contour in a CSV file: columns x and y, separated by ',', ';' or blanks. One header line may come first,
// '#' begins a comment line. A last point that repeats the first one closes the contour and is dropped.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/profile.h"
#include "model/number.h"

enum { CELL = 64 };

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_mark(char c) { return c == ',' || c == ';'; }

// The next cell of the line; false: there is none.
static bool next_cell(const char **at, const char *end, char cell[CELL])
{
    const char *s = *at;
    while (s < end && is_blank(*s))
        s++;
    if (s == end)
        return false;
    const char *stop = s;
    while (stop < end && !is_blank(*stop) && !is_mark(*stop))
        stop++;
    size_t n = (size_t)(stop - s) < CELL ? (size_t)(stop - s) : CELL - 1;
    memcpy(cell, s, n);
    cell[n] = '\0';
    while (stop < end && is_blank(*stop))
        stop++;
    *at = stop < end && is_mark(*stop) ? stop + 1 : stop;
    return true;
}

static zn_status fail(char *message, const char *name, int line, const char *text, const char *cell)
{
    if (line > 0)
        snprintf(message, ZN_PROFILE_MESSAGE, "%s:%d: %s%s", name, line, text, cell);
    else
        snprintf(message, ZN_PROFILE_MESSAGE, "%s: %s%s", name, text, cell);
    return ZN_ERR_MODEL;
}

static zn_status add_line(zn_profile *out, const char *at, const char *end, const char *name, int line, bool *header,
                          char *message)
{
    char   cell[3][CELL];
    double value[2];
    int    cells = 0;
    while (cells < 3 && next_cell(&at, end, cell[cells]))
        cells++;
    if (cells == 0 || cell[0][0] == '#')
        return ZN_OK;
    if (cells != 2)
        return fail(message, name, line, "a point needs two numbers, x and y, in a line", "");
    for (int i = 0; i < 2; i++) {
        if (zn_number_parse(cell[i], &value[i]) && isfinite(value[i]))
            continue;
        if (*header)
            return fail(message, name, line, "no finite number: ", cell[i]);
        *header = true;
        return ZN_OK;
    }
    *header = true;
    if (out->count >= ZN_PROFILE_SIDES)
        return fail(message, name, line, "more than a hundred thousand points", "");
    return zn_profile_add(out, value[0], value[1], 0);
}

zn_status zn_profile_csv(const char *text, size_t length, const char *name, zn_profile *out,
                         char message[ZN_PROFILE_MESSAGE])
{
    const char *end = text + length;
    bool        header = false; // it is behind us
    int         line = 0;
    for (const char *s = text; s < end;) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        stop = stop ? stop : end;
        ZN_TRY(add_line(out, s, stop, name, ++line, &header, message));
        s = stop < end ? stop + 1 : end;
    }
    if (out->count > 1 && out->side[0].start.x == out->side[out->count - 1].start.x &&
        out->side[0].start.y == out->side[out->count - 1].start.y)
        out->count--;
    return out->count >= 3 ? ZN_OK : fail(message, name, 0, "fewer than three points", "");
}
