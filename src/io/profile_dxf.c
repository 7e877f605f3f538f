// DXF drawings: pairs of lines, a group code and its value. Of the section ENTITIES the outlines of one layer are taken
//     LINE        10, 20 to 11, 21
//     ARC         centre 10, 20, radius 40, counter-clockwise from 50 to 51 degrees
//     CIRCLE      centre 10, 20, radius 40
//     LWPOLYLINE  points 10, 20, bulge 42 of the side behind each; 70: bit 1 closed
//     POLYLINE    the same with a VERTEX for each point
// as pieces with two ends, and chained where ends meet. What is only written or measured in a drawing (texts,
// dimensions, points, hatches) is passed over; other curves (splines, ellipses, blocks) are faults.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/profile.h"
#include "io/profile_chain.h"
#include "model/number.h"

enum { VALUE = 256 };

typedef struct reader {
    const char *at, *end, *name;
    const char *layer; // NULL: all
    int         line;
    int         code;
    char        value[VALUE];
    char       *message;
    zn_pieces   pieces;
} reader;

static zn_status fail(const reader *r, const char *what, const char *value)
{
    snprintf(r->message, ZN_PROFILE_MESSAGE, "%s:%d: %s%s", r->name, r->line, what, value);
    return ZN_ERR_MODEL;
}

// --- pairs ---------------------------------------------------------------------------------------

static bool next_line(reader *r, char out[VALUE])
{
    if (r->at >= r->end)
        return false;
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at)), *from = r->at;
    stop = stop ? stop : r->end;
    r->at = stop < r->end ? stop + 1 : r->end;
    r->line++;
    while (from < stop && isspace((unsigned char)*from))
        from++;
    while (stop > from && isspace((unsigned char)stop[-1]))
        stop--;
    size_t n = (size_t)(stop - from) < VALUE ? (size_t)(stop - from) : VALUE - 1;
    memcpy(out, from, n);
    out[n] = '\0';
    return true;
}

// ZN_OK with code -1 at the end of the file.
static zn_status next_pair(reader *r)
{
    char code[VALUE];
    r->code = -1;
    r->value[0] = '\0';
    if (!next_line(r, code))
        return ZN_OK;
    char *stop;
    long  number = strtol(code, &stop, 10);
    if (code[0] == '\0' && r->at >= r->end)
        return ZN_OK; // an empty line at the end
    if (*stop != '\0' || stop == code || number < 0 || number > 1071)
        return fail(r, "no group code of a DXF file: ", code);
    if (!next_line(r, r->value))
        return fail(r, "the file ends within a pair", "");
    r->code = (int)number;
    return ZN_OK;
}

static bool is(const reader *r, int code, const char *value) { return r->code == code && strcmp(r->value, value) == 0; }

// --- entities --------------------------------------------------------------------------------------

// What an entity says, until the next pair of code 0.
typedef struct entity {
    double number[60]; // by code
    bool   given[60];
    int    flags, line;
    bool   wanted; // on the layer
    bool   mirrored;
} entity;

static zn_status read_number(reader *r, double *out)
{
    if (!zn_number_parse(r->value, out) || !isfinite(*out) || fabs(*out) > 1e100)
        return fail(r, "no finite number: ", r->value);
    return ZN_OK;
}

static zn_status take_pair(reader *r, entity *e)
{
    double value;
    if (r->code == 8)
        e->wanted = r->layer == NULL || strcmp(r->value, r->layer) == 0;
    if (r->code == 70 || r->code == 230) {
        ZN_TRY(read_number(r, &value));
        if (r->code == 70)
            e->flags = value >= 0 && value < 65536 ? (int)value : 0;
        else
            e->mirrored = value < 0;
    }
    if (r->code >= 10 && r->code < 60) {
        ZN_TRY(read_number(r, &e->number[r->code]));
        e->given[r->code] = true;
    }
    return ZN_OK;
}

static zn_status read_entity(reader *r, entity *e)
{
    *e = (entity){.line = r->line, .wanted = r->layer == NULL};
    ZN_TRY(next_pair(r));
    while (r->code > 0) {
        ZN_TRY(take_pair(r, e));
        ZN_TRY(next_pair(r));
    }
    return ZN_OK;
}

static zn_status check_entity(const reader *r, const entity *e, const char *what, const int *codes)
{
    reader here = *r;
    here.line = e->line;
    for (; *codes; codes++)
        if (!e->given[*codes])
            return fail(&here, what, " lacks one of its numbers");
    if (e->given[40] && !(e->number[40] > 0))
        return fail(&here, what, " has a radius that is not positive");
    return e->mirrored ? fail(&here, what, " is drawn on the back of its plane: draw it on the front") : ZN_OK;
}

static zn_status add(reader *r, double ax, double ay, double bx, double by, double bulge, int line)
{
    if (r->pieces.count >= ZN_PROFILE_SIDES)
        return fail(r, "more than a hundred thousand pieces", "");
    return zn_pieces_add(&r->pieces, (zn_piece){{{ax, ay, 0}, {bx, by, 0}}, bulge, line});
}

static zn_status add_line(reader *r, const entity *e)
{
    ZN_TRY(check_entity(r, e, "a LINE", (const int[]){10, 20, 11, 21, 0}));
    return add(r, e->number[10], e->number[20], e->number[11], e->number[21], 0, e->line);
}

// An arc of more than half a circle in two.
static zn_status add_arc(reader *r, const entity *e, double from, double sweep)
{
    double x = e->number[10], y = e->number[20], R = e->number[40];
    int    parts = sweep > 3.1 ? 2 : 1;
    for (int i = 0; i < parts; i++) {
        double a = from + sweep * i / parts, b = from + sweep * (i + 1) / parts;
        ZN_TRY(add(r, x + R * zn_cos(a), y + R * zn_sin(a), x + R * zn_cos(b), y + R * zn_sin(b),
                   zn_tan(sweep / parts / 4), e->line));
    }
    return ZN_OK;
}

static zn_status add_round(reader *r, const entity *e, bool circle)
{
    const double degree = zn_acos(-1) / 180;
    ZN_TRY(circle ? check_entity(r, e, "a CIRCLE", (const int[]){10, 20, 40, 0})
                  : check_entity(r, e, "an ARC", (const int[]){10, 20, 40, 50, 51, 0}));
    if (circle)
        return add_arc(r, e, 0, 360 * degree);
    double sweep = fmod(e->number[51] - e->number[50], 360);
    return add_arc(r, e, e->number[50] * degree, (sweep <= 0 ? sweep + 360 : sweep) * degree);
}

// Points of a polyline as they come.
typedef struct polyline {
    int     count, first_line;
    zn_vec3 first, last;
    double  bulge, first_bulge; // of the side behind the last and first point
} polyline;

static zn_status add_point(reader *r, polyline *p, zn_vec3 x)
{
    if (p->count++ == 0)
        p->first = x;
    else
        ZN_TRY(add(r, p->last.x, p->last.y, x.x, x.y, p->bulge, p->first_line));
    p->last = x;
    p->bulge = 0;
    return ZN_OK;
}

static zn_status close_line(reader *r, const polyline *p, bool closed, int line)
{
    bool same = p->first.x == p->last.x && p->first.y == p->last.y;
    if (p->count < 2) {
        r->line = line;
        return fail(r, "a polyline with fewer than two points", "");
    }
    return closed && !same ? add(r, p->last.x, p->last.y, p->first.x, p->first.y, p->bulge, p->first_line) : ZN_OK;
}

// The points come one after the other, so what was taken is put into pieces as it comes, and taken back on other
// layers.
static zn_status read_light(reader *r)
{
    polyline p = {.first_line = r->line};
    entity   e = {.line = r->line, .wanted = r->layer == NULL};
    int      before = r->pieces.count, line = r->line;
    zn_vec3  x = {0};
    ZN_TRY(next_pair(r));
    while (r->code > 0) {
        ZN_TRY(take_pair(r, &e));
        if (r->code == 10)
            x.x = e.number[10];
        if (r->code == 20) {
            x.y = e.number[20];
            ZN_TRY(add_point(r, &p, x));
        }
        if (r->code == 42)
            p.bulge = e.number[42];
        ZN_TRY(next_pair(r));
    }
    if (!e.wanted) {
        r->pieces.count = before;
        return ZN_OK;
    }
    ZN_TRY(check_entity(r, &e, "a LWPOLYLINE", (const int[]){10, 20, 0}));
    return close_line(r, &p, e.flags & 1, line);
}

static zn_status read_heavy(reader *r)
{
    entity   head, e;
    polyline p = {.first_line = r->line};
    int      before = r->pieces.count;
    ZN_TRY(read_entity(r, &head));
    while (is(r, 0, "VERTEX")) {
        ZN_TRY(read_entity(r, &e));
        ZN_TRY(check_entity(r, &e, "a VERTEX", (const int[]){10, 20, 0}));
        ZN_TRY(add_point(r, &p, (zn_vec3){e.number[10], e.number[20], 0}));
        p.bulge = e.number[42];
    }
    if (is(r, 0, "SEQEND"))
        ZN_TRY(read_entity(r, &e));
    if (head.wanted) {
        ZN_TRY(check_entity(r, &head, "a POLYLINE", (const int[]){0}));
        return close_line(r, &p, head.flags & 1, head.line);
    }
    r->pieces.count = before;
    return ZN_OK;
}

static zn_status read_other(reader *r)
{
    static const char *const silent[] = {"TEXT",  "MTEXT",    "DIMENSION", "POINT", "LEADER",
                                         "HATCH", "VIEWPORT", "ATTDEF",    "SEQEND"};
    char                     kind[VALUE];
    entity                   e;
    bool                     known = false;
    memcpy(kind, r->value, sizeof kind);
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        known |= strcmp(kind, silent[i]) == 0;
    ZN_TRY(read_entity(r, &e));
    if (known || !e.wanted)
        return ZN_OK;
    r->line = e.line;
    return fail(r, "not a line, an arc or a polyline, but ", kind);
}

static zn_status read_next(reader *r)
{
    entity e;
    if (is(r, 0, "LWPOLYLINE"))
        return read_light(r);
    if (is(r, 0, "POLYLINE"))
        return read_heavy(r);
    bool line = is(r, 0, "LINE"), arc = is(r, 0, "ARC"), circle = is(r, 0, "CIRCLE");
    if (!line && !arc && !circle)
        return read_other(r);
    ZN_TRY(read_entity(r, &e));
    if (!e.wanted)
        return ZN_OK;
    return line ? add_line(r, &e) : add_round(r, &e, circle);
}

// --- file ----------------------------------------------------------------------------------------

static zn_status read_entities(reader *r)
{
    bool section = false, found = false;
    ZN_TRY(next_pair(r));
    while (r->code >= 0 && !found) {
        found = section && is(r, 2, "ENTITIES");
        section = is(r, 0, "SECTION");
        ZN_TRY(next_pair(r));
    }
    if (!found)
        return fail(r, "there is no section ENTITIES: is it a DXF file in text form?", "");
    while (r->code >= 0 && !is(r, 0, "ENDSEC")) {
        if (r->code != 0)
            return fail(r, "an entity was expected", "");
        ZN_TRY(read_next(r));
    }
    return ZN_OK;
}

zn_status zn_profile_dxf(const char *text, size_t length, const char *name, const char *layer, double tolerance,
                         zn_profile *out, char message[ZN_PROFILE_MESSAGE])
{
    reader    r = {.at = text, .end = text + length, .name = name, .layer = layer, .message = message};
    zn_status status = read_entities(&r);
    if (status == ZN_OK && r.pieces.count == 0) {
        snprintf(message, ZN_PROFILE_MESSAGE, "%s: nothing is drawn%s%s%s", name, layer ? " on layer '" : "",
                 layer ? layer : "", layer ? "'" : "");
        status = ZN_ERR_MODEL;
    }
    if (status == ZN_OK)
        status = zn_pieces_chain(&r.pieces, name, tolerance, out, message);
    free(r.pieces.piece);
    return status;
}
