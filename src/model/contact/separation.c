// Shapes are apart by the length of the shortest difference x of their points, and along n = x / |x| nothing is lower
// than x: for any difference w that is lowest along x they are apart by no less than n.w, and no more than |x|. Wolfe's
// method of the nearest point of a polytope (1976), on a polytope that is told by its lowest points: a simplex of
// differences is kept of which x is the nearest point and inside. The point w joins it; if then the nearest point y of
// the plane through all of them is outside of the simplex, x goes towards it as far as the simplex reaches, what it
// leaves is dropped, and so on. Each time x gets shorter, so that no simplex comes twice and polytopes end in a few
// steps; what is round takes more of them to the last digit (30 on average, shapes of size 1 that are 1e-7 apart), but
// half as many tell that it is apart at all. Four points with the origin inside: the shapes overlap.
#include "model/contact/separation.h"

#include <math.h>

enum { MOST = 4, STEPS = 100 };

static const double rounding = 4e-16;

typedef struct simplex {
    int     count;
    zn_vec3 point[MOST];
    double  weight[MOST]; // of x, positive
} simplex;

static zn_vec3 ahead(zn_vec3 x, double s, zn_vec3 d) { return zn_vec3_add(x, zn_vec3_scale(s, d)); }

// Weights, of either sign, of the nearest point of the plane through its points: differences from the first one, made
// orthogonal one after the other. False: they do not span as much as they are many.
static bool nearest_of_plane(const simplex *s, double weight[MOST])
{
    zn_vec3 d[MOST], across[MOST], x = s->point[0];
    double  along[MOST] = {1};
    for (int i = 1; i < s->count; i++) {
        d[i] = across[i] = zn_vec3_sub(s->point[i], s->point[0]);
        for (int k = 1; k < i; k++)
            across[i] =
                ahead(across[i], -zn_vec3_dot(across[k], across[i]) / zn_vec3_dot(across[k], across[k]), across[k]);
        double square = zn_vec3_dot(across[i], across[i]);
        if (!(square > 1e-28 * zn_vec3_dot(d[i], d[i])))
            return false;
        along[i] = -zn_vec3_dot(across[i], x) / square;
        x = ahead(x, along[i], across[i]);
    }
    weight[0] = 1;
    for (int i = s->count - 1; i > 0; i--) { // along those made orthogonal, now along differences
        weight[i] = along[i];
        for (int k = i + 1; k < s->count; k++)
            weight[i] -= weight[k] * zn_vec3_dot(across[i], d[k]) / zn_vec3_dot(across[i], across[i]);
        weight[0] -= weight[i];
    }
    return true;
}

static zn_vec3 point_of(const simplex *s)
{
    zn_vec3 x = s->point[0];
    for (int i = 1; i < s->count; i++)
        x = ahead(x, s->weight[i], zn_vec3_sub(s->point[i], s->point[0]));
    return x;
}

// As far as it reaches towards other weights; points that have no weight then leave it. True: it reaches them.
static bool reaches(simplex *s, const double weight[MOST])
{
    double part = 1;
    int    first = -1, count = s->count;
    for (int i = 0; i < count; i++) {
        double way = s->weight[i] - weight[i];
        if (!(weight[i] > 0) && way > 0 && s->weight[i] <= part * way)
            part = s->weight[i] / way, first = i;
    }
    s->count = 0;
    for (int i = 0; i < count; i++) {
        double now = s->weight[i] + part * (weight[i] - s->weight[i]);
        if (i == first || !(now > 0))
            continue;
        s->point[s->count] = s->point[i];
        s->weight[s->count++] = now;
    }
    return s->count == count;
}

// One more point. False: by rounding it does not bring the nearest point nearer.
static bool join(simplex *s, zn_vec3 w)
{
    double weight[MOST];
    s->point[s->count] = w;
    s->weight[s->count++] = 0;
    do
        if (!nearest_of_plane(s, weight))
            return false;
    while (!reaches(s, weight));
    return true;
}

zn_separation zn_separate(zn_lowest_difference *lowest, const void *user, zn_vec3 first, double tiny, double enough)
{
    zn_vec3       x = lowest(user, zn_vec3_norm(first) > tiny ? first : (zn_vec3){1, 0, 0});
    simplex       s = {.count = 1, .point = {x}, .weight = {1}};
    zn_separation out = {.gap = -INFINITY, .asked = 1};
    double        length = zn_vec3_norm(x);
    bool          nearer = true;
    while (length > tiny && s.count < MOST && out.asked < STEPS && out.gap < enough) {
        zn_vec3 n = zn_vec3_scale(1 / length, x), w = lowest(user, x);
        double  gap = zn_vec3_dot(n, w);
        out.asked++;
        if (!(nearer || gap > out.gap))
            break; // rounding
        if (gap > out.gap)
            out.gap = gap, out.normal = n;
        if (!(length - gap > rounding * zn_vec3_norm(w)) || !join(&s, w))
            break;
        x = point_of(&s);
        nearer = zn_vec3_norm(x) < length;
        length = zn_vec3_norm(x);
    }
    return out;
}
