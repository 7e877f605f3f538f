// Distances by trying everything, for tests of meshes; included once for each kind of number: REAL, NAME(word) and
// ROOT(x) are given.

typedef struct {
    REAL x, y, z;
} NAME(vec);

static NAME(vec) NAME(sub)(NAME(vec) a, NAME(vec) b) { return (NAME(vec)){a.x - b.x, a.y - b.y, a.z - b.z}; }
static NAME(vec) NAME(ahead)(NAME(vec) a, REAL s, NAME(vec) b)
{
    return (NAME(vec)){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static REAL NAME(dot)(NAME(vec) a, NAME(vec) b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static NAME(vec) NAME(cross)(NAME(vec) a, NAME(vec) b)
{
    return (NAME(vec)){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline NAME(vec) NAME(from)(zn_vec3 v) { return (NAME(vec)){v.x, v.y, v.z}; }

// The nearest points of two things, and whether they are a point over a triangle or two edges beside each other.
typedef struct {
    REAL square;
    NAME(vec) a, b;
    bool inner;
} NAME(near);

static void NAME(offer)(NAME(near) * n, NAME(vec) a, NAME(vec) b, bool inner)
{
    NAME(vec) d = NAME(sub)(b, a);
    REAL square = NAME(dot)(d, d);
    if (square < n->square)
        *n = (NAME(near)){square, a, b, inner};
}

static REAL NAME(clamp)(REAL x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

// Two segments: the crossing of their lines where it is on both, else an end of one with its nearest place on the
// other.
static void NAME(segments)(NAME(near) * n, NAME(vec) p, NAME(vec) p2, NAME(vec) q, NAME(vec) q2)
{
    NAME(vec) u = NAME(sub)(p2, p), w = NAME(sub)(q2, q), d = NAME(sub)(q, p);
    REAL uu = NAME(dot)(u, u), ww = NAME(dot)(w, w), uw = NAME(dot)(u, w), du = NAME(dot)(d, u), dw = NAME(dot)(d, w);
    REAL det = uu * ww - uw * uw;
    if (det > 1e-12 * uu * ww) {
        REAL s = (du * ww - dw * uw) / det, t = (du * uw - dw * uu) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            NAME(offer)(n, NAME(ahead)(p, s, u), NAME(ahead)(q, t, w), true);
    }
    if (ww > 0) {
        NAME(offer)(n, p, NAME(ahead)(q, NAME(clamp)(-dw / ww), w), false);
        NAME(offer)(n, p2, NAME(ahead)(q, NAME(clamp)((uw - dw) / ww), w), false);
    }
    if (uu > 0) {
        NAME(offer)(n, NAME(ahead)(p, NAME(clamp)(du / uu), u), q, false);
        NAME(offer)(n, NAME(ahead)(p, NAME(clamp)((uw + du) / uu), u), q2, false);
    }
}

// The foot of p in a triangle, where it has one.
static bool NAME(foot)(NAME(vec) p, const NAME(vec) t[3], NAME(vec) * out)
{
    NAME(vec) u = NAME(sub)(t[1], t[0]), v = NAME(sub)(t[2], t[0]), m = NAME(cross)(u, v), d = NAME(sub)(p, t[0]);
    REAL mm = NAME(dot)(m, m);
    if (!(mm > 0))
        return false;
    REAL s = NAME(dot)(NAME(cross)(d, v), m) / mm, r = NAME(dot)(NAME(cross)(u, d), m) / mm;
    *out = NAME(ahead)(NAME(ahead)(t[0], s, u), r, v);
    return s >= 0 && r >= 0 && s + r <= 1;
}

static inline void NAME(triangles)(NAME(near) * n, const NAME(vec) a[3], const NAME(vec) b[3])
{
    NAME(vec) at;
    for (int i = 0; i < 3; i++) {
        if (NAME(foot)(a[i], b, &at))
            NAME(offer)(n, a[i], at, true);
        if (NAME(foot)(b[i], a, &at))
            NAME(offer)(n, at, b[i], true);
        for (int k = 0; k < 3; k++)
            NAME(segments)(n, a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]);
    }
}
