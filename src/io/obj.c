// Reader of OBJ files, line by line; '#' begins a comment, '\' at the end continues a line:
//     v X Y Z [W | R G B]     a point
//     f A B C ...             a polygon, counter-clockwise seen from outside; A is 12, 12/3, 12//4 or 12/3/4, points
//                             count from 1, or from the last one backwards: -1
//     g NAME ...   o NAME     faces from here on belong to these
// Curves and surfaces (curv, surf ...), lines and points (l, p) are no triangles: told where a face is missing,
// otherwise left aside with textures, normals, materials and smoothing. Polygons are cut into triangles by their ears,
// which is right for hollow ones, too.
#include "io/obj.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression.h"
#include "model/triangles.h"

enum { WORD = 128, SIDES_MAX = 1000 };

typedef struct scan {
    const char *at, *end, *name, *group;
    int         line;
    bool        wanted, found; // faces count now; the group was there
    char        word[WORD];
    int         points, point_room;
    zn_vec3    *point;
    int         sides, side_room; // of the polygon that is read
    int        *side;
    int         corners, corner_room;
    zn_vec3    *corner;
    char       *message;
    size_t      size;
} scan;

#define SAY(s, ...) (snprintf((s)->message, (s)->size, __VA_ARGS__), ZN_ERR_MODEL)

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next word of the line; false: there is none.
static bool next_word(scan *s)
{
    size_t length = 0;
    for (; s->at < s->end; s->at++) {
        bool continued = *s->at == '\\' && s->at + 1 < s->end &&
                         (s->at[1] == '\n' || (s->at[1] == '\r' && s->at + 2 < s->end && s->at[2] == '\n'));
        if (continued) {
            s->at += s->at[1] == '\r' ? 2 : 1;
            s->line++;
        } else if (!is_blank(*s->at))
            break;
    }
    if (s->at < s->end && *s->at == '#')
        while (s->at < s->end && *s->at != '\n')
            s->at++;
    for (; s->at < s->end && !is_blank(*s->at) && *s->at != '\n'; s->at++)
        if (length < WORD - 1)
            s->word[length++] = *s->at >= 32 && *s->at < 127 ? *s->at : '?';
    s->word[length] = '\0';
    return length > 0;
}

static void end_line(scan *s)
{
    while (next_word(s))
        continue;
    if (s->at < s->end) {
        s->at++;
        s->line++;
    }
}

static zn_status read_point(scan *s)
{
    double value[3];
    for (int i = 0; i < 3; i++)
        if (!next_word(s) || !zn_number_parse(s->word, &value[i]))
            return SAY(s, "%s:%d: a point has three finite numbers, '%s' is none", s->name, s->line, s->word);
    if (s->points >= 3 * ZN_TRIANGLES_MAX)
        return SAY(s, "%s: more than %d points", s->name, 3 * ZN_TRIANGLES_MAX);
    return ZN_PUSH(s->point, s->points, s->point_room, zn_vec3_make(value[0], value[1], value[2]));
}

// The number of a point: what stands before the first '/'.
static zn_status read_side(scan *s)
{
    char *end;
    long  number = strtol(s->word, &end, 10);
    if (end == s->word || (*end != '\0' && *end != '/'))
        return SAY(s, "%s:%d: '%s' is no corner of a face", s->name, s->line, s->word);
    if (number == 0 || number > s->points || number < -(long)s->points)
        return SAY(s, "%s:%d: there is no point %s before this line, which has %d", s->name, s->line, s->word,
                   s->points);
    if (s->sides >= SIDES_MAX)
        return SAY(s, "%s:%d: a face with more than %d corners", s->name, s->line, (int)SIDES_MAX);
    return ZN_PUSH(s->side, s->sides, s->side_room, (int)(number > 0 ? number - 1 : s->points + number));
}

// --- ears ----------------------------------------------------------------------------------------

static zn_vec3 side_point(const scan *s, int i) { return s->point[s->side[i]]; }

// Twice the area of the polygon as a vector (Newell).
static zn_vec3 area_of(const scan *s)
{
    zn_vec3 sum = {0, 0, 0};
    for (int i = 1; i + 1 < s->sides; i++)
        sum = zn_vec3_add(sum, zn_vec3_cross(zn_vec3_sub(side_point(s, i), side_point(s, 0)),
                                             zn_vec3_sub(side_point(s, i + 1), side_point(s, 0))));
    return sum;
}

static double turn(zn_vec3 n, zn_vec3 a, zn_vec3 b, zn_vec3 c)
{
    return zn_vec3_dot(n, zn_vec3_cross(zn_vec3_sub(b, a), zn_vec3_sub(c, a)));
}

// Corner i can be cut off: it is no hollow one, and no other corner lies in its triangle.
static bool is_ear(const scan *s, zn_vec3 n, int i)
{
    int     before = (i + s->sides - 1) % s->sides, after = (i + 1) % s->sides;
    zn_vec3 a = side_point(s, before), b = side_point(s, i), c = side_point(s, after);
    if (!(turn(n, a, b, c) > 0))
        return false;
    for (int k = 0; k < s->sides; k++) {
        if (s->side[k] == s->side[before] || s->side[k] == s->side[i] || s->side[k] == s->side[after])
            continue;
        zn_vec3 p = side_point(s, k);
        if (turn(n, a, b, p) >= 0 && turn(n, b, c, p) >= 0 && turn(n, c, a, p) >= 0)
            return false;
    }
    return true;
}

static zn_status cut(scan *s, int i)
{
    const int three[3] = {(i + s->sides - 1) % s->sides, i, (i + 1) % s->sides};
    if (s->corners >= 3 * ZN_TRIANGLES_MAX)
        return SAY(s, "%s: more than %d triangles", s->name, (int)ZN_TRIANGLES_MAX);
    for (int k = 0; k < 3; k++)
        ZN_TRY(ZN_PUSH(s->corner, s->corners, s->corner_room, side_point(s, three[k])));
    memmove(&s->side[i], &s->side[i + 1], (size_t)(s->sides - i - 1) * sizeof *s->side);
    s->sides--;
    return ZN_OK;
}

// Where no corner is an ear (a polygon without area, or one that crosses itself) any is cut: what comes of it is judged
// by the surface as a whole.
static zn_status cut_polygon(scan *s)
{
    zn_vec3 n = area_of(s);
    while (s->sides > 3) {
        int ear = 1;
        for (int i = 0; i < s->sides; i++) {
            int k = (i + 1) % s->sides; // a convex polygon becomes a fan around its first corner
            if (is_ear(s, n, k)) {
                ear = k;
                break;
            }
        }
        ZN_TRY(cut(s, ear));
    }
    return cut(s, 1);
}

static zn_status read_face(scan *s)
{
    s->sides = 0;
    while (next_word(s))
        ZN_TRY(read_side(s));
    if (s->sides < 3)
        return SAY(s, "%s:%d: a face has at least three corners, this one has %d", s->name, s->line, s->sides);
    return s->wanted ? cut_polygon(s) : ZN_OK;
}

static void read_group(scan *s)
{
    s->wanted = s->group == NULL;
    while (next_word(s))
        s->wanted |= s->group != NULL && strcmp(s->word, s->group) == 0;
    s->found |= s->wanted;
}

static zn_status read_lines(scan *s)
{
    static const char *const others[] = {"vt",     "vn",         "vp",        "s",        "l",       "p",
                                         "usemtl", "mtllib",     "mg",        "lod",      "bevel",   "usemap",
                                         "maplib", "shadow_obj", "trace_obj", "c_interp", "d_interp"};
    while (s->at < s->end) {
        if (!next_word(s)) {
            end_line(s);
            continue;
        }
        bool known = strcmp(s->word, "g") == 0 || strcmp(s->word, "o") == 0;
        if (known)
            read_group(s);
        else if (strcmp(s->word, "v") == 0 || strcmp(s->word, "f") == 0) {
            known = true;
            ZN_TRY(s->word[0] == 'v' ? read_point(s) : read_face(s));
        }
        for (size_t i = 0; i < sizeof others / sizeof *others && !known; i++)
            known = strcmp(s->word, others[i]) == 0;
        if (!known)
            return SAY(s, "%s:%d: '%s' is no line of an OBJ file with polygons", s->name, s->line, s->word);
        end_line(s);
    }
    return ZN_OK;
}

zn_status zn_obj_parse(const char *bytes, size_t length, const char *name, const char *group, int *count,
                       zn_vec3 **corner, char *message, size_t size)
{
    scan s = {.at = bytes, .end = bytes + length, .name = name, .group = group, .line = 1, .wanted = group == NULL};
    s.message = message;
    s.size = size;
    zn_status status = read_lines(&s);
    if (status == ZN_OK && group != NULL && !s.found)
        status = SAY(&s, "%s: it has no group '%s'", name, group);
    else if (status == ZN_OK && s.corners == 0)
        status = SAY(&s, "%s: it holds no face", name);
    free(s.point);
    free(s.side);
    *count = status == ZN_OK ? s.corners / 3 : 0;
    *corner = status == ZN_OK ? s.corner : NULL;
    if (status != ZN_OK)
        free(s.corner);
    return status;
}
