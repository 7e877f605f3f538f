// A circle x + r w, w a unit vector across u, and an axis e. Seen along e it is an ellipse around d = P(x - s),
// P = I - e e', with the half axes r and r |u.e|. With t = u x w its distance from the axis is stationary where
//     F  = t.d - r (t.e)(w.e) = 0,        F' = -w.d + r ((w.e)^2 - (t.e)^2)      dw = t dθ, dt = -w dθ
// which is the length of P(d + r w) times its derivative by the angle. Let b be along u x e, a = b x u, and
// w = +-(cos θ a + sin θ b) with the signs of α = a.d and β = b.d: the farthest point is in the quadrant of d (+), the
// nearest one in that against it (-), and there F = 0 reads
//     α tan θ - β -+ γ sin θ = 0,         γ = r |u x e|^2,  α, β >= 0,  0 <= θ <= 90 degrees
// which divided by sin θ grows from -inf to inf: it has one solution. Where γ is small against d, as in bearings, the
// solution is near (α, β), and Newton's method goes there in one or two steps; else the interval is halved first.
#include "model/contact/rim.h"

#include "model/contact/contact.h"

static zn_vec3 sub(zn_vec3 a, zn_vec3 b) { return zn_vec3_sub(a, b); }
static zn_vec3 scale(double s, zn_vec3 a) { return zn_vec3_scale(s, a); }
static double  dot(zn_vec3 a, zn_vec3 b) { return zn_vec3_dot(a, b); }
static zn_vec3 combine(double s, zn_vec3 a, double t, zn_vec3 b) { return zn_vec3_add(scale(s, a), scale(t, b)); }
static zn_vec3 across(zn_vec3 a, zn_vec3 u) { return sub(a, scale(dot(a, u), u)); }
static zn_vec3 unit(zn_vec3 a) { return scale(1 / zn_vec3_norm(a), a); }

// Below this a direction is that of rounding errors.
static const double no_angle = 1e-15;

// --- planes --------------------------------------------------------------------------------------

zn_vec3 zn_rim_lowest(zn_vec3 u, zn_vec3 n)
{
    zn_vec3 down = scale(-1, across(n, u)), any[2];
    if (zn_vec3_norm(down) > no_angle)
        return unit(down);
    zn_contact_tangents(u, false, any);
    return any[0];
}

zn_vec3 zn_rim_lowest_change(zn_vec3 u, zn_vec3 n, zn_vec3 du, zn_vec3 dn)
{
    zn_vec3 down = scale(-1, across(n, u)), change[2];
    double  length = zn_vec3_norm(down);
    if (!(length > no_angle)) {
        zn_contact_tangents_change(u, du, false, change);
        return change[0];
    }
    zn_vec3 w = scale(1 / length, down);
    zn_vec3 turned = combine(dot(du, n) + dot(u, dn), u, dot(u, n), du);
    return scale(1 / length, across(sub(turned, dn), w));
}

// --- axes ----------------------------------------------------------------------------------------

// The quadrant is halved until Newton's method is sure to stay near.
static zn_vec3 halve(zn_vec3 u, zn_vec3 e, zn_vec3 d, double r, double side)
{
    zn_vec3 b = across(zn_vec3_cross(u, e), u), any[2];
    double  c = 1, s = 0, low[2] = {1, 0}, high[2] = {0, 1};
    double  slope = dot(zn_vec3_cross(u, e), zn_vec3_cross(u, e));
    zn_contact_tangents(u, false, any);
    b = zn_vec3_norm(b) > no_angle ? unit(b) : any[1];
    zn_vec3 a = zn_vec3_cross(b, u);
    double  alpha = dot(a, d), beta = dot(b, d), gamma = side * r * slope;
    for (int i = 0; i < 40; i++) {
        c = low[0] + high[0], s = low[1] + high[1];
        double length = hypot(c, s);
        c /= length, s /= length;
        double *end = fabs(alpha) * s - fabs(beta) * c - gamma * s * c < 0 ? low : high;
        end[0] = c, end[1] = s;
    }
    return scale(side, combine(copysign(c, alpha), a, copysign(s, beta), b));
}

zn_vec3 zn_rim_extreme(zn_vec3 u, zn_vec3 e, zn_vec3 d, double r, bool farthest)
{
    double  side = farthest ? 1 : -1;
    zn_vec3 tilt = zn_vec3_cross(u, e), flat = across(d, u);
    bool    near = 2 * r * dot(tilt, tilt) < zn_vec3_norm(flat);
    zn_vec3 w = near ? scale(side, unit(flat)) : halve(u, e, d, r, side);
    for (int i = 0; i < 20; i++) {
        zn_vec3 t = zn_vec3_cross(u, w);
        double  we = dot(w, e), te = dot(t, e), F = dot(t, d) - r * te * we,
               slope = -dot(w, d) + r * (we * we - te * te);
        if (!(side * slope < 0)) // in the centre, where any point is as good
            return w;
        double turn = -F / slope;
        w = unit(combine(1, w, turn, t));
        if (fabs(turn) < 1e-9) // the next one would be its square
            break;
    }
    return w;
}
