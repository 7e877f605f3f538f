// With u, w the directions of the lines, r from the second to the first one, c = u x w, |c| = sin θ, they cross, seen
// along their normal, at  s = (u.w (r.w) - r.u) / c²  of the first one. Along it their distance is larger by
// θ² (s' - s)² / 2λ: a place that is off by δ has a gap that is off by the square of it.
#include "model/contact/round_lines.h"

#include <float.h>
#include <math.h>

static zn_vec3 along(zn_vec3 x, double s, zn_vec3 u) { return zn_vec3_add(x, zn_vec3_scale(s, u)); }

static double within(double s, double low, double high) { return fmin(fmax(s, low), high); }

// Both with ends, at least one of them with a radius.
static bool are_round(const zn_feature *a, const zn_feature *b)
{
    return a->kind == ZN_FEATURE_EDGE && b->kind == ZN_FEATURE_EDGE && a->to > a->from && b->to > b->from &&
           a->radius + b->radius > 0;
}

// The part of a that b is beside; its end that is nearest to b where there is none.
static void find_overlap(const zn_feature *a, const zn_feature *b, double cosine, double ra, zn_nearest_place *out)
{
    double first = cosine * b->from - ra, last = cosine * b->to - ra;
    out->low = within(fmin(first, last), a->from, a->to);
    out->high = within(fmax(first, last), a->from, a->to);
}

void zn_round_lines_hold(int piece, zn_feature *a, zn_feature *b)
{
    double s = a->from + zn_place_of_piece(piece) * (a->to - a->from);
    a->kind = ZN_FEATURE_POINT;
    a->at = along(a->at, s, a->along);
    double t = zn_vec3_dot(zn_vec3_sub(a->at, b->at), b->along);
    if (t > b->from && t < b->to)
        return;
    b->at = along(b->at, within(t, b->from, b->to), b->along);
    b->kind = ZN_FEATURE_POINT;
}

static bool gap_at(const zn_feature *a, const zn_feature *b, int piece, double *gap)
{
    zn_feature       point = *a, line = *b;
    zn_feature_place at;
    zn_round_lines_hold(piece, &point, &line);
    if (!zn_feature_meet(&point, &line, &at))
        return false;
    *gap = at.gap;
    return true;
}

bool zn_round_lines_end(const zn_feature *a, const zn_feature *b, const zn_feature_place *other)
{
    const double     same = 1e-8, outside = 1e-9; // of the radii, an angle; of the length
    double           s = (zn_vec3_dot(zn_vec3_sub(other->on[0], a->at), a->along) - a->from) / (a->to - a->from);
    zn_feature       point = *a, line = *b;
    zn_feature_place at;
    zn_round_lines_hold(zn_piece_of_place(s), &point, &line);
    return s >= -outside && s <= 1 + outside && zn_feature_meet(&point, &line, &at) &&
           fabs(at.gap - other->gap) <= same * (a->radius + b->radius) &&
           zn_vec3_norm(zn_vec3_sub(at.normal, other->normal)) <= sqrt(same);
}

// The smallest gap is where the lines cross or at an end of the part; of lines that are all but parallel rounding
// decides where they cross.
static bool find_smallest(const zn_feature *a, const zn_feature *b, zn_nearest_place *out)
{
    const double cross = within(out->at, out->low, out->high), place[3] = {cross, out->low, out->high};
    for (int i = 0; i < 3; i++) {
        double gap;
        if (!gap_at(a, b, zn_piece_of_place(place[i]), &gap))
            return false;
        if (i > 0 && !(gap < out->gap))
            continue;
        out->gap = gap;
        out->at = i == 0 ? out->at : place[i];
    }
    return true;
}

bool zn_round_lines_nearest(const zn_feature *a, const zn_feature *b, int piece, zn_nearest_place *out)
{
    const double far = 50; // lengths that the radius of the rocker has at least
    if (!are_round(a, b))
        return false;
    zn_vec3 r = zn_vec3_sub(a->at, b->at), c = zn_vec3_cross(a->along, b->along);
    double  square = zn_vec3_dot(c, c), cosine = zn_vec3_dot(a->along, b->along), ra = zn_vec3_dot(r, a->along);
    find_overlap(a, b, cosine, ra, out);
    double whole = a->to - a->from, shorter = fmin(whole, b->to - b->from);
    out->runs = out->high > out->low && a->radius + b->radius > far * square * shorter;
    out->square = square;
    out->at = ((cosine * zn_vec3_dot(r, b->along) - ra) / fmax(square, DBL_MIN) - a->from) / whole;
    out->low = (out->low - a->from) / whole;
    out->high = (out->high - a->from) / whole;
    double here;
    if (!find_smallest(a, b, out))
        return false;
    out->beyond = piece > 0 && gap_at(a, b, piece, &here) ? here - out->gap : 0;
    return true;
}
