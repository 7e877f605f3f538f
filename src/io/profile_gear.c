// Involute gears. With r_p = m z / 2 the pitch circle and r_b = r_p cos(alpha) the base circle a flank is
//     x(u) = r_b [cos(b + u) + u sin(b + u), sin(b + u) - u cos(b + u)],    tangent along (cos, sin)(b + u),
// of radius r_b sqrt(1 + u^2); it begins at b = t - s / 2 r_p - inv(alpha) with t the middle of the tooth, s its
// thickness on the pitch circle and inv(alpha) = tan(alpha) - alpha. Below the base circle flanks go on as radii, of
// which their direction is the tangent. Tips and roots are arcs around the middle.
// A ring with teeth inside has spaces of this form, with addendum and dedendum exchanged.
#include <math.h>
#include <stdio.h>

#include "io/profile.h"

typedef struct flank {
    double base, begin; // r_b, b
    double side;        // -1: mirrored on the x axis
} flank;

static void at(const void *user, double u, zn_vec3 *point, zn_vec3 *tangent)
{
    const flank *f = user;
    double       roll = fabs(u), c = zn_cos(f->begin + roll), s = zn_sin(f->begin + roll);
    // the left flank is the right one mirrored and run through from tip to root: its parameter goes from -u_tip up
    *point = (zn_vec3){f->base * (c + roll * s), f->side * f->base * (s - roll * c), 0};
    *tangent = (zn_vec3){f->side * c, s, 0};
}

typedef struct tooth {
    double root, tip;   // radii
    double base, begin; // of the right flank of the tooth on the x axis
    double from, to;    // u at its ends
} tooth;

static zn_status fail(char *message, const char *text)
{
    snprintf(message, ZN_PROFILE_MESSAGE, "%s", text);
    return ZN_ERR_MODEL;
}

static double polar(const tooth *t, double u) { return t->begin + u - zn_atan(u); }

static zn_status find_tooth(const zn_gear *g, tooth *t, char *message)
{
    double pitch = 0.5 * g->module * g->teeth, alpha = g->pressure_angle, pi = zn_acos(-1);
    double thick = 0.5 * pi * g->module + (g->internal ? g->backlash : -g->backlash);
    t->base = pitch * zn_cos(alpha);
    t->tip = pitch + (g->internal ? g->dedendum : g->addendum);
    t->root = pitch - (g->internal ? g->addendum : g->dedendum);
    t->begin = -(thick / (2 * pitch) + zn_tan(alpha) - alpha);
    if (!(t->root > 0))
        return fail(message, "'dedendum' reaches beyond the middle of the gear");
    t->from = t->root > t->base ? sqrt(t->root * t->root / (t->base * t->base) - 1) : 0;
    if (!(t->tip > t->base * (1 + 1e-9)) || !(thick > 0))
        return fail(message, "its teeth have no flanks: see 'addendum' and 'backlash'");
    t->to = sqrt(t->tip * t->tip / (t->base * t->base) - 1);
    if (!(polar(t, t->to) < -1e-6))
        return fail(message, "its teeth are pointed below their tips: 'addendum' is too large");
    if (!(pi / g->teeth + polar(t, t->from) > 1e-6))
        return fail(message, "its roots overlap: 'dedendum' is too large");
    return ZN_OK;
}

// From the root on the right over the tip to the root on the left, and along the root to the next tooth.
static zn_status add_tooth(const zn_gear *g, const tooth *t, zn_profile *out)
{
    flank  right = {t->base, t->begin, 1}, left = {t->base, t->begin, -1};
    bool   radial = t->root < t->base * (1 - 1e-9);
    double foot = polar(t, t->from), tip = polar(t, t->to), where;
    double space = 2 * zn_acos(-1) / g->teeth + 2 * foot;
    if (radial)
        ZN_TRY(zn_profile_add(out, t->root * zn_cos(foot), t->root * zn_sin(foot), 0));
    ZN_TRY(zn_profile_add_curve(out, (zn_curve){at, &right}, t->from, t->to, g->tolerance, &where));
    ZN_TRY(zn_profile_add(out, t->tip * zn_cos(tip), t->tip * zn_sin(tip), zn_tan(-2 * tip / 4)));
    ZN_TRY(zn_profile_add_curve(out, (zn_curve){at, &left}, -t->to, -t->from, g->tolerance, &where));
    if (radial)
        ZN_TRY(zn_profile_add(out, t->base * zn_cos(foot), -t->base * zn_sin(foot), 0));
    return zn_profile_add(out, t->root * zn_cos(foot), -t->root * zn_sin(foot), zn_tan(space / 4));
}

zn_status zn_profile_gear(const zn_gear *g, zn_profile *out, char message[ZN_PROFILE_MESSAGE])
{
    tooth t;
    ZN_TRY(find_tooth(g, &t, message));
    zn_status status = add_tooth(g, &t, out);
    if (status == ZN_ERR_MODEL)
        return fail(message, "its flanks cannot be made");
    ZN_TRY(status);
    if ((double)out->count * g->teeth > ZN_PROFILE_SIDES)
        return fail(message, "it has more than a hundred thousand sides: 'tolerance' is too small");
    return zn_profile_repeat(out, g->teeth);
}
