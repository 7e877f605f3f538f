// Geometry of a contact frame between two states. See contact_frame.h for the equations.
#include "model/contact/contact_frame.h"

#include <float.h>

#include "base/assert.h"

static zn_vec3 sub(zn_vec3 a, zn_vec3 b) { return zn_vec3_sub(a, b); }
static zn_vec3 add(zn_vec3 a, zn_vec3 b) { return zn_vec3_add(a, b); }
static zn_vec3 scale(double s, zn_vec3 a) { return zn_vec3_scale(s, a); }
static double  dot(zn_vec3 a, zn_vec3 b) { return zn_vec3_dot(a, b); }
static zn_vec3 mean(zn_vec3 a, zn_vec3 b) { return scale(0.5, add(a, b)); }
static zn_vec3 turn_left(zn_vec3 a) { return (zn_vec3){-a.y, a.x, 0}; }
static zn_vec3 turn_right(zn_vec3 a) { return (zn_vec3){a.y, -a.x, 0}; }

// Part of a across the unit vector n, divided by a length: the change of n when a vector of that length along it
// changes by a.
static zn_vec3 across(zn_vec3 a, zn_vec3 n, double length) { return scale(1 / length, sub(a, scale(dot(a, n), n))); }

// --- measuring -------------------------------------------------------------------------------------

// Sides of the corners from the first one; a vector along the normal, and its change.
static zn_vec3 span(const zn_contact_frame *f, const zn_vec3 *x)
{
    return f->corners == 2 ? turn_right(sub(x[1], x[0])) : zn_vec3_cross(sub(x[1], x[0]), sub(x[2], x[0]));
}

static zn_vec3 span_change(const zn_contact_frame *f, const zn_vec3 *x, const zn_vec3 *dx)
{
    if (f->corners == 2)
        return turn_right(sub(dx[1], dx[0]));
    return add(zn_vec3_cross(sub(dx[1], dx[0]), sub(x[2], x[0])), zn_vec3_cross(sub(x[1], x[0]), sub(dx[2], dx[0])));
}

static zn_vec3 unit(zn_vec3 a) { return scale(1 / zn_vec3_norm(a), a); }

static void middle_of(const zn_contact_frame *f, zn_vec3 *x)
{
    for (int k = 0; k <= f->corners; k++)
        x[k] = mean(f->from[k], f->to[k]);
}

static bool measure_normals(zn_contact_frame *f)
{
    zn_vec3 N0 = span(f, f->from), N1 = span(f, f->to), middle[ZN_FRAME_POINTS];
    double  least = DBL_EPSILON * (dot(N0, N0) + dot(N1, N1));
    if (!(dot(N0, N0) > least) || !(dot(N1, N1) > least) || !(dot(N0, N1) > 0))
        return false;
    f->n0 = unit(N0);
    f->n1 = unit(N1);
    f->gap0 = dot(f->n0, sub(f->from[f->corners], f->from[0]));
    f->gap = dot(f->n1, sub(f->to[f->corners], f->to[0]));
    middle_of(f, middle);
    zn_vec3 sum = f->chord ? span(f, middle) : add(f->n0, f->n1);
    f->stretch = zn_vec3_norm(sum);
    f->n = scale(1 / f->stretch, sum);
    return f->stretch > 0;
}

// The first tangent in space is along the first side at the start.
static void measure_tangents(zn_contact_frame *f)
{
    f->e[1] = (zn_vec3){0};
    f->e[0] = f->corners == 2 ? turn_left(f->n) : unit(across(sub(f->from[1], f->from[0]), f->n, 1));
    if (f->corners == 3)
        f->e[1] = zn_vec3_cross(f->n, f->e[0]);
}

// Inverse of e_i.side_k.
static bool invert_sides(zn_contact_frame *f)
{
    double a = dot(f->e[0], f->side[0]);
    if (f->corners == 2) {
        f->inverse[0][0] = 1 / a;
        return a != 0;
    }
    double b = dot(f->e[0], f->side[1]), c = dot(f->e[1], f->side[0]), d = dot(f->e[1], f->side[1]);
    double determinant = a * d - b * c;
    f->inverse[0][0] = d / determinant;
    f->inverse[0][1] = -b / determinant;
    f->inverse[1][0] = -c / determinant;
    f->inverse[1][1] = a / determinant;
    return determinant != 0;
}

// w with e_i.(r + sum_k w_k side_k) = 0.
static bool measure_weights(zn_contact_frame *f)
{
    zn_vec3 x[ZN_FRAME_POINTS];
    int     sides = f->corners - 1;
    middle_of(f, x);
    f->r = sub(x[0], x[f->corners]);
    f->side[1] = (zn_vec3){0};
    for (int k = 0; k < sides; k++)
        f->side[k] = sub(x[k + 1], x[0]);
    if (!invert_sides(f))
        return false;
    zn_vec3 sum = f->r;
    f->w[0] = 1;
    f->w[2] = 0;
    for (int k = 0; k < sides; k++) {
        f->w[k + 1] = 0;
        for (int i = 0; i < sides; i++)
            f->w[k + 1] -= f->inverse[k][i] * dot(f->e[i], f->r);
        f->w[0] -= f->w[k + 1];
        sum = add(sum, scale(f->w[k + 1], f->side[k]));
    }
    f->c = dot(f->n, sum);
    for (int i = 0; i < sides; i++) {
        f->f[i][0] = 0;
        for (int k = 0; k < sides; k++) {
            f->f[i][k + 1] = -f->c * f->inverse[k][i];
            f->f[i][0] -= f->f[i][k + 1];
        }
    }
    return true;
}

// Weights of the foot of a at the end.
static void measure_foot(zn_contact_frame *f)
{
    zn_vec3 p = sub(f->to[f->corners], f->to[0]), g = sub(f->to[1], f->to[0]);
    if (f->corners == 2) {
        f->z[1] = dot(p, g) / dot(g, g);
        f->z[0] = 1 - f->z[1];
        return;
    }
    zn_vec3 h = sub(f->to[2], f->to[0]), N = zn_vec3_cross(g, h);
    f->z[1] = dot(zn_vec3_cross(p, h), N) / dot(N, N);
    f->z[2] = dot(zn_vec3_cross(g, p), N) / dot(N, N);
    f->z[0] = 1 - f->z[1] - f->z[2];
}

bool zn_contact_frame_measure(zn_contact_frame *frame)
{
    ZN_ASSERT(frame->corners == 2 || frame->corners == 3);
    if (!measure_normals(frame))
        return false;
    measure_tangents(frame);
    measure_foot(frame);
    return measure_weights(frame);
}

// --- rows ------------------------------------------------------------------------------------------

void zn_contact_frame_rows(const zn_contact_frame *f, zn_frame_rows *out)
{
    int a = f->corners;
    out->gap[a] = f->n1;
    out->normal[a] = f->n;
    for (int i = 0; i < 2; i++)
        out->along[i][a] = f->e[i];
    for (int k = 0; k < a; k++) {
        out->gap[k] = scale(-f->z[k], f->n1);
        out->normal[k] = scale(-f->w[k], f->n);
        for (int i = 0; i < a - 1; i++) {
            out->along[i][k] = scale(-f->w[k], f->e[i]);
            if (f->couple)
                out->along[i][k] = add(out->along[i][k], scale(f->f[i][k], f->n));
        }
    }
}

// Changes of what is measured.
typedef struct change {
    zn_vec3 n, e[2];
    double  w[3], f[2][3];
} change;

static void change_directions(const zn_contact_frame *f, const zn_vec3 *dx, change *d)
{
    zn_vec3 middle[ZN_FRAME_POINTS], dN, N1 = span(f, f->to);
    middle_of(f, middle);
    if (f->chord)
        dN = scale(0.5, span_change(f, middle, dx));
    else
        dN = across(span_change(f, f->to, dx), f->n1, zn_vec3_norm(N1));
    d->n = across(dN, f->n, f->stretch);
    d->e[0] = turn_left(d->n);
    if (f->corners == 2)
        return;
    zn_vec3 t = sub(f->from[1], f->from[0]), along = across(t, f->n, 1);
    zn_vec3 dt = scale(-1, add(scale(dot(f->n, t), d->n), scale(dot(d->n, t), f->n)));
    d->e[0] = across(dt, f->e[0], zn_vec3_norm(along));
    d->e[1] = add(zn_vec3_cross(d->n, f->e[0]), zn_vec3_cross(f->n, d->e[0]));
}

// Of f = -c B', B the inverse of D_ik = e_i.side_k: df = -dc B' + c (B dD B)'.
static void change_couple(const zn_contact_frame *f, const zn_vec3 *dside, double dc, change *d)
{
    int    sides = f->corners - 1;
    double dD[2][2], BdD[2][2];
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < sides; k++)
            dD[i][k] = dot(d->e[i], f->side[k]) + dot(f->e[i], dside[k]);
    for (int k = 0; k < sides; k++)
        for (int j = 0; j < sides; j++) {
            BdD[k][j] = 0;
            for (int i = 0; i < sides; i++)
                BdD[k][j] += f->inverse[k][i] * dD[i][j];
        }
    for (int i = 0; i < sides; i++) {
        d->f[i][0] = 0;
        for (int k = 0; k < sides; k++) {
            d->f[i][k + 1] = -dc * f->inverse[k][i];
            for (int j = 0; j < sides; j++)
                d->f[i][k + 1] += f->c * BdD[k][j] * f->inverse[j][i];
            d->f[i][0] -= d->f[i][k + 1];
        }
    }
}

// e_i.(sum_k dw_k side_k) = c e_i.dn - e_i.(dr + sum_k w_k dside_k), the change of sum w_k r_k = c n along e_i; and
// along n that of c.
static void change_weights(const zn_contact_frame *f, const zn_vec3 *dx, change *d)
{
    int     sides = f->corners - 1;
    zn_vec3 dside[2], moved = scale(0.5, sub(dx[0], dx[f->corners])), slide = {0};
    for (int k = 0; k < sides; k++) {
        dside[k] = scale(0.5, sub(dx[k + 1], dx[0]));
        moved = add(moved, scale(f->w[k + 1], dside[k]));
    }
    d->w[0] = 0;
    for (int k = 0; k < sides; k++) {
        d->w[k + 1] = 0;
        for (int i = 0; i < sides; i++)
            d->w[k + 1] += f->inverse[k][i] * (f->c * dot(f->e[i], d->n) - dot(f->e[i], moved));
        d->w[0] -= d->w[k + 1];
        slide = add(slide, scale(d->w[k + 1], f->side[k]));
    }
    if (f->couple)
        change_couple(f, dside, dot(f->n, add(slide, moved)), d);
}

void zn_contact_frame_change(const zn_contact_frame *f, const zn_vec3 dx[ZN_FRAME_POINTS], zn_frame_rows *out)
{
    change d;
    int    a = f->corners;
    change_directions(f, dx, &d);
    change_weights(f, dx, &d);
    out->normal[a] = d.n;
    for (int i = 0; i < a - 1; i++)
        out->along[i][a] = d.e[i];
    for (int k = 0; k < a; k++) {
        out->normal[k] = scale(-1, add(scale(d.w[k], f->n), scale(f->w[k], d.n)));
        for (int i = 0; i < a - 1; i++) {
            out->along[i][k] = scale(-1, add(scale(d.w[k], f->e[i]), scale(f->w[k], d.e[i])));
            if (f->couple)
                out->along[i][k] = add(out->along[i][k], add(scale(d.f[i][k], f->n), scale(f->f[i][k], d.n)));
        }
    }
}
