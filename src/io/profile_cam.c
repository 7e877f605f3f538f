// Cams: x = r(a) (cos a, sin a), tangent r' (cos a, sin a) + r (-sin a, cos a).
#include <math.h>
#include <stdio.h>

#include "io/profile.h"

static void at(const void *radius, double a, zn_vec3 *point, zn_vec3 *tangent)
{
    double rate, r = zn_expression_gradient(radius, 1, &a, 0, &rate, NULL), c = zn_cos(a), s = zn_sin(a);
    *point = (zn_vec3){r * c, r * s, 0};
    *tangent = (zn_vec3){rate * c - r * s, rate * s + r * c, 0};
}

static double radius_at(const zn_expression *e, double a) { return zn_expression_of(e, &a, 0); }

zn_status zn_profile_cam(const zn_expression *radius, double tolerance, zn_profile *out,
                         char message[ZN_PROFILE_MESSAGE])
{
    enum { PARTS = 12, LOOKS = 720 };
    const double turn = 2 * zn_acos(-1);
    double       first = radius_at(radius, 0), last = radius_at(radius, turn), size = 0;
    for (int i = 0; i < LOOKS; i++) {
        double r = radius_at(radius, turn * i / LOOKS);
        size = fmax(size, r);
        if (!(r > 0 && isfinite(r))) {
            snprintf(message, ZN_PROFILE_MESSAGE, "the radius of the cam is %g m at %g degrees", r, 360.0 * i / LOOKS);
            return ZN_ERR_MODEL;
        }
    }
    if (fabs(first - last) > 1e-9 * size) {
        snprintf(message, ZN_PROFILE_MESSAGE, "the cam does not close: its radius is %g m at 0 and %g m after a turn",
                 first, last);
        return ZN_ERR_MODEL;
    }
    for (int i = 0; i < PARTS; i++) {
        double    where;
        zn_status status = zn_profile_add_curve(out, (zn_curve){at, radius}, turn * i / PARTS, turn * (i + 1) / PARTS,
                                                tolerance > 0 ? tolerance : 1e-6 * size, &where);
        if (status == ZN_ERR_MODEL)
            snprintf(message, ZN_PROFILE_MESSAGE, "the radius of the cam jumps at %.9g degrees", where / turn * 360);
        ZN_TRY(status);
    }
    return ZN_OK;
}
