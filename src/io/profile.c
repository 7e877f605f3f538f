// Lists of sides: direction, arcs by radius or by a point, rounded corners.
#include "io/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

void zn_profile_clear(zn_profile *p)
{
    free(p->side);
    *p = (zn_profile){0};
}

zn_status zn_profile_add(zn_profile *p, double x, double y, double bulge)
{
    zn_contour_side side = {{x, y, 0}, bulge};
    return ZN_PUSH(p->side, p->count, p->capacity, side);
}

// Side i of n goes from point i to i + 1; backwards it is side n - 1 - i (open: n - 2 - i) from what was its end.
void zn_profile_turn(zn_profile *p)
{
    for (int i = 0, j = p->count - 1; i < j; i++, j--) {
        zn_contour_side side = p->side[i];
        p->side[i] = p->side[j];
        p->side[j] = side;
    }
    double first = p->count > 0 ? p->side[0].bulge : 0;
    for (int i = 0; i + 1 < p->count; i++)
        p->side[i].bulge = -p->side[i + 1].bulge;
    if (p->count > 0)
        p->side[p->count - 1].bulge = p->open ? 0 : -first;
}

// Twice the area: chords, and the segments between them and the arcs.
static double twice_area(const zn_profile *p)
{
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        zn_vec3 a = p->side[i].start, b = p->side[(i + 1) % p->count].start;
        double  k = p->side[i].bulge, turn = 4 * zn_atan(k), chord = hypot(b.x - a.x, b.y - a.y);
        double  radius = fabs(k) > 1e-8 ? chord * (1 + k * k) / (4 * k) : 0;
        sum += (a.x - p->side[0].start.x) * (b.y - p->side[0].start.y) -
               (a.y - p->side[0].start.y) * (b.x - p->side[0].start.x) + radius * radius * (turn - zn_sin(turn));
    }
    return sum;
}

void zn_profile_orient(zn_profile *p, bool clockwise)
{
    if (!p->open && (twice_area(p) < 0) != clockwise)
        zn_profile_turn(p);
}

zn_status zn_profile_repeat(zn_profile *p, int around)
{
    int count = p->count;
    for (int k = 1; k < around; k++) {
        double a = 2 * zn_acos(-1) * k / around, c = zn_cos(a), s = zn_sin(a);
        for (int i = 0; i < count; i++) {
            zn_contour_side side = p->side[i];
            ZN_TRY(zn_profile_add(p, c * side.start.x - s * side.start.y, s * side.start.x + c * side.start.y,
                                  side.bulge));
        }
    }
    return ZN_OK;
}

// --- arcs ----------------------------------------------------------------------------------------

// sin of half the angle is c / 2R; k = tan of a quarter of it.
bool zn_bulge_of_radius(zn_vec3 from, zn_vec3 to, double radius, double *out)
{
    double sine = hypot(to.x - from.x, to.y - from.y) / (2 * radius);
    if (!(fabs(sine) <= 1 + 1e-9))
        return false;
    double cosine = sqrt(fmax(0, 1 - sine * sine));
    *out = sine / (1 + cosine);
    return true;
}

// The angle at the point between the ends is half of the angle that the other arc sweeps.
bool zn_bulge_through(zn_vec3 from, zn_vec3 through, zn_vec3 to, double *out)
{
    zn_vec3 a = zn_vec3_sub(through, from), b = zn_vec3_sub(to, through);
    double  half = zn_atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y); // the turn of the way over the point
    *out = zn_tan(half / 2);
    return zn_vec3_norm(a) > 0 && zn_vec3_norm(b) > 0 && fabs(half) < 3.14;
}

// --- rounded corners -------------------------------------------------------------------------------

// How far from the corner an arc of the radius begins, and its bulge; 0: nothing is rounded there.
static bool rounded(const zn_profile *p, int i, double radius, double *back, double *bulge)
{
    int     n = p->count, last = p->open ? n - 1 : n;
    zn_vec3 a = p->side[(i + n - 1) % n].start, b = p->side[i].start, c = p->side[(i + 1) % n].start;
    zn_vec3 u = zn_vec3_sub(b, a), w = zn_vec3_sub(c, b);
    double  turn = zn_atan2(u.x * w.y - u.y * w.x, u.x * w.x + u.y * w.y);
    *back = 0;
    if (turn <= 1e-9 || (p->open && (i == 0 || i == last)))
        return true;
    if (p->side[i].bulge != 0 || p->side[(i + n - 1) % n].bulge != 0)
        return false;
    *back = radius * zn_tan(turn / 2);
    *bulge = zn_tan(turn / 4);
    return true;
}

static zn_status place_round(const zn_profile *p, int i, double radius, zn_profile *out)
{
    double back, bulge;
    rounded(p, i, radius, &back, &bulge);
    zn_vec3 b = p->side[i].start;
    if (back == 0)
        return zn_profile_add(out, b.x, b.y, p->side[i].bulge);
    zn_vec3 a = p->side[(i + p->count - 1) % p->count].start, c = p->side[(i + 1) % p->count].start;
    double  ab = zn_vec3_norm(zn_vec3_sub(b, a)), bc = zn_vec3_norm(zn_vec3_sub(c, b));
    ZN_TRY(zn_profile_add(out, b.x + (a.x - b.x) * back / ab, b.y + (a.y - b.y) * back / ab, bulge));
    return zn_profile_add(out, b.x + (c.x - b.x) * back / bc, b.y + (c.y - b.y) * back / bc, 0);
}

// Both ends of each side must leave something of it.
static zn_status check_round(const zn_profile *p, double radius, char *message)
{
    for (int i = 0; i < p->count; i++) {
        int    next = (i + 1) % p->count;
        double here, there, bulge;
        if (!rounded(p, i, radius, &here, &bulge)) {
            snprintf(message, ZN_PROFILE_MESSAGE,
                     "'rounding' is for corners between straight sides, but at point %d there is an arc", i + 1);
            return ZN_ERR_MODEL;
        }
        if (!rounded(p, next, radius, &there, &bulge))
            continue;
        double length = zn_vec3_norm(zn_vec3_sub(p->side[next].start, p->side[i].start));
        if (!(p->open && next == 0) && here + there > (1 - 1e-6) * length) {
            snprintf(message, ZN_PROFILE_MESSAGE, "'rounding' %g m is too large for the side behind point %d, %g m",
                     radius, i + 1, length);
            return ZN_ERR_MODEL;
        }
    }
    return ZN_OK;
}

zn_status zn_profile_round(zn_profile *p, double radius, char message[ZN_PROFILE_MESSAGE])
{
    zn_profile out = {.open = p->open, .error = p->error};
    if (p->count < 3)
        return ZN_OK;
    zn_status status = check_round(p, radius, message);
    for (int i = 0; status == ZN_OK && i < p->count; i++)
        status = place_round(p, i, radius, &out);
    if (status != ZN_OK) {
        zn_profile_clear(&out);
        return status;
    }
    free(p->side);
    *p = out;
    return ZN_OK;
}
