// Contours once more, by formulas of its own: distances of all pairs of sides. Included once for each kind of number:
// REAL and NAME(word) are given.

typedef struct NAME(vec) {
    REAL x, y;
} NAME(vec);

typedef struct NAME(side) {
    NAME(vec) a, b, c; // ends; centre of an arc
    REAL R;            // 0: straight
    bool left;         // the arc turns left from a to b
} NAME(side);

typedef struct NAME(shape) {
    int  count;
    bool open;
    NAME(side) side[64];
} NAME(shape);

static inline REAL NAME(root)(REAL x)
{
    if (x <= 0)
        return 0;
    REAL r = (REAL)sqrt((double)x);
    for (int i = 0; i < 2; i++)
        r = (r + x / r) / 2;
    return r;
}

static inline NAME(vec) NAME(sub)(NAME(vec) a, NAME(vec) b) { return (NAME(vec)){a.x - b.x, a.y - b.y}; }
static inline REAL NAME(dot)(NAME(vec) a, NAME(vec) b) { return a.x * b.x + a.y * b.y; }
static inline REAL NAME(cross)(NAME(vec) a, NAME(vec) b) { return a.x * b.y - a.y * b.x; }
static inline REAL NAME(length)(NAME(vec) a) { return NAME(root)(NAME(dot)(a, a)); }
static inline REAL NAME(abs)(REAL x) { return x < 0 ? -x : x; }

static inline NAME(vec) NAME(placed)(zn_vec3 p, double angle, zn_vec3 at)
{
    REAL c = (REAL)cos(angle), s = (REAL)sin(angle); // what the library gets, too
    return (NAME(vec)){(REAL)at.x + c * (REAL)p.x - s * (REAL)p.y, (REAL)at.y + s * (REAL)p.x + c * (REAL)p.y};
}

static inline NAME(shape) NAME(place)(const zn_profile *p, double angle, zn_vec3 at)
{
    NAME(shape) out = {.count = p->count - p->open, .open = p->open};
    for (int i = 0; i < out.count; i++) {
        REAL k = (REAL)p->side[i].bulge;
        NAME(vec)
        a = NAME(placed)(p->side[i].start, angle, at), b = NAME(placed)(p->side[(i + 1) % p->count].start, angle, at);
        NAME(side) s = {.a = a, .b = b};
        if (k != 0) {
            REAL up = (1 - k * k) / (4 * k);
            s.c = (NAME(vec)){(a.x + b.x) / 2 - up * (b.y - a.y), (a.y + b.y) / 2 + up * (b.x - a.x)};
            s.R = NAME(length)(NAME(sub)(a, s.c));
            s.left = k > 0;
        }
        out.side[i] = s;
    }
    return out;
}

// An arc is on one side of its chord: that of the direction d from the centre?
static inline bool NAME(on_arc)(const NAME(side) * s, NAME(vec) d)
{
    REAL l = NAME(length)(d);
    if (l == 0)
        return false;
    NAME(vec) x = {s->c.x + d.x * s->R / l, s->c.y + d.y * s->R / l};
    REAL side = NAME(cross)(NAME(sub)(s->b, s->a), NAME(sub)(x, s->a));
    return s->left ? side <= 0 : side >= 0;
}

typedef struct NAME(closest) {
    REAL d;
    bool corners; // both are ends of sides
} NAME(closest);

static inline void NAME(closer)(NAME(closest) * c, REAL d, bool corners)
{
    if (d < c->d)
        *c = (NAME(closest)){d, corners};
}

// Point and side; `corner`: the point is one.
static inline void NAME(point)(const NAME(side) * s, NAME(vec) x, bool corner, NAME(closest) * out)
{
    NAME(closer)(out, NAME(length)(NAME(sub)(x, s->a)), corner);
    NAME(closer)(out, NAME(length)(NAME(sub)(x, s->b)), corner);
    if (s->R != 0) {
        NAME(vec) d = NAME(sub)(x, s->c);
        if (NAME(on_arc)(s, d))
            NAME(closer)(out, NAME(abs)(NAME(length)(d) - s->R), false);
        return;
    }
    NAME(vec) u = NAME(sub)(s->b, s->a);
    REAL t = NAME(dot)(NAME(sub)(x, s->a), u) / NAME(dot)(u, u);
    if (t >= 0 && t <= 1)
        NAME(closer)(out, NAME(abs)(NAME(cross)(u, NAME(sub)(x, s->a))) / NAME(length)(u), false);
}

static inline void NAME(line_arc)(const NAME(side) * line, const NAME(side) * arc, NAME(closest) * out)
{
    NAME(vec) u = NAME(sub)(line->b, line->a), d = NAME(sub)(arc->c, line->a);
    REAL t = NAME(dot)(d, u) / NAME(dot)(u, u);
    if (t < 0 || t > 1)
        return;
    NAME(vec) foot = {line->a.x + t * u.x, line->a.y + t * u.y};
    if (NAME(on_arc)(arc, NAME(sub)(foot, arc->c)))
        NAME(closer)(out, NAME(abs)(NAME(length)(NAME(sub)(foot, arc->c)) - arc->R), false);
}

static inline void NAME(arc_arc)(const NAME(side) * a, const NAME(side) * b, NAME(closest) * out)
{
    NAME(vec) d = NAME(sub)(b->c, a->c);
    REAL l = NAME(length)(d);
    for (int k = 0; k < 4; k++) {
        int sa = k & 1 ? 1 : -1, sb = k & 2 ? 1 : -1;
        if (NAME(on_arc)(a, (NAME(vec)){sa * d.x, sa * d.y}) && NAME(on_arc)(b, (NAME(vec)){sb * d.x, sb * d.y}))
            NAME(closer)(out, NAME(abs)(l + sb * b->R - sa * a->R), false);
    }
}

static inline void NAME(sides)(const NAME(side) * a, const NAME(side) * b, NAME(closest) * out)
{
    NAME(point)(b, a->a, true, out);
    NAME(point)(a, b->a, true, out);
    if (a->R != 0 && b->R != 0)
        NAME(arc_arc)(a, b, out);
    else if (a->R != 0 || b->R != 0)
        NAME(line_arc)(a->R != 0 ? b : a, a->R != 0 ? a : b, out);
}

static inline NAME(closest) NAME(distance)(const NAME(shape) * A, const NAME(shape) * B)
{
    NAME(closest) out = {1e9, false};
    for (int i = 0; i < A->count; i++)
        for (int j = 0; j < B->count; j++) {
            NAME(sides)(&A->side[i], &B->side[j], &out);
        }
    return out;
}

static inline double NAME(from)(const NAME(shape) * A, zn_vec3 x)
{
    NAME(closest) out = {1e9, false};
    for (int i = 0; i < A->count; i++)
        NAME(point)(&A->side[i], (NAME(vec)){(REAL)x.x, (REAL)x.y}, false, &out);
    return (double)out.d;
}
