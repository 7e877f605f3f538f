/// Contacts that are found in a pose, judged one by one; campaigns over pairs of kinds of shapes.
#ifndef ZN_TESTS_POSE_CONTACTS_H
#define ZN_TESTS_POSE_CONTACTS_H

#include "pose_judge.h"

enum { MOST = 400 };

static const char *const words[ZN_SHAPE_KINDS] = {
    [ZN_SHAPE_SPHERE] = "sphere",   [ZN_SHAPE_BOX] = "box",           [ZN_SHAPE_PLANE] = "plane",
    [ZN_SHAPE_CAPSULE] = "capsule", [ZN_SHAPE_CYLINDER] = "cylinder", [ZN_SHAPE_HULL] = "hull",
    [ZN_SHAPE_MESH] = "mesh"};

// --- what is found -------------------------------------------------------------------------------

typedef struct tally {
    char   pair[40];
    long   poses, wrong, number;
    long   beside;      // contacts whose point is outside of its feature by more than rounding, and up to 1e-9
    long   late;        // what touches at the end of a way is not foreseen at its beginning
    double loose;       // what is not known better of this pose: see tolerance_of
    double gap, normal; // largest errors; of normals times how well they are determined
} tally;

static inline void complain(tally *t, const char *what, double value)
{
    if (t->wrong++ < 5)
        print_error("%s %ld: %s %.3g\n", t->pair, t->number, what, value);
}

typedef struct contact {
    int64_t          pair;
    zn_feature       own[2];
    int              number[2];
    zn_feature_place at;
} contact;

static inline zn_feature own_feature(const figure *f, int number)
{
    zn_feature own = {.kind = ZN_FEATURE_POINT, .at = f->s.at, .radius = f->s.radius};
    if (!f->s.ops->sphere && !f->s.ops->feature(&f->s, number, false, &own))
        fail_msg("%s has no feature %d", words[f->s.kind], number);
    return own;
}

// With a moving as `way` per unit of time.
static inline int find(const figure *a, const figure *b, zn_vec3 way, double horizon, double slack, contact *out)
{
    static zn_feature_list list;
    bool                   swapped = a->s.kind < b->s.kind;
    const figure          *first = swapped ? b : a, *second = swapped ? a : b;
    zn_near                at = {.A = first->body, .B = second->body, .horizon = horizon, .slack = slack};
    *(swapped ? &at.b.origin : &at.a.origin) = way;
    list.count = 0;
    CHECK_OK(zn_meet_shapes(&first->s, &second->s, &at, &list));
    for (int i = 0; i < list.count && i < MOST; i++) {
        int k[2] = {zn_feature_first(list.pair[i]), zn_feature_second(list.pair[i])};
        out[i] = (contact){.pair = zn_feature_pair(k[swapped], k[!swapped]), .number = {k[swapped], k[!swapped]}};
        out[i].own[0] = own_feature(a, k[swapped]), out[i].own[1] = own_feature(b, k[!swapped]);
    }
    return list.count < MOST ? list.count : MOST;
}

static inline void place_contacts(const figure *a, const figure *b, int count, contact *c, tally *t)
{
    for (int i = 0; i < count; i++) {
        zn_feature f = zn_feature_at(&a->body, &c[i].own[0]), g = zn_feature_at(&b->body, &c[i].own[1]);
        if (!zn_feature_meet(&f, &g, &c[i].at))
            complain(t, "a pair that does not meet", i);
    }
}

// What the rim is below the corners that stand for it.
static inline double chords(const figure *f, const contact *c, int side)
{
    if (f->s.kind != ZN_SHAPE_CYLINDER || c->number[side] < ZN_CYLINDER_POINT)
        return 0;
    zn_vec3 axis = zn_rigid_vector(&f->body, zn_cylinder_axis(&f->s));
    return 0.0341 * f->s.radius * zn_vec3_norm(zn_vec3_cross(axis, c->at.normal));
}

// How far it is from being proved that the shapes are as far apart as the contact says: along its normal all of a is
// above all of b by its gap. Inside each other: that they are so deep along it.
static inline double unproved(const figure *a, const figure *b, const contact *c)
{
    exact_feature f = exact_at(&a->body, &c->own[0]), g = exact_at(&b->body, &c->own[1]);
    exact_place   p = exact_meet(&f, &g, c->at.normal);
    double        s = (double)(above(a, b, p.n) - c->at.gap);
    return fmax(s, -s - chords(a, c, 0) - chords(b, c, 1));
}

static inline void judge_contacts(const figure *a, const figure *b, int count, const contact *c, double slack, tally *t)
{
    for (int i = 0; i < count; i++) {
        exact_feature f = exact_at(&a->body, &c[i].own[0]), g = exact_at(&b->body, &c[i].own[1]);
        exact_place   p = exact_meet(&f, &g, c[i].at.normal);
        double        gap = fabs((double)(c[i].at.gap - p.gap));
        double        turn = (double)quad_norm(quad_sub(quad_of(c[i].at.normal), p.n)) * fmin(p.sure, 1);
        t->gap = fmax(t->gap, gap - t->loose), t->normal = fmax(t->normal, turn);
        if (!(gap < 1e-14 + t->loose))
            complain(t, "gap is off by", gap);
        if (!(turn < 1e-14))
            complain(t, "normal is off by", turn);
        if (!(c[i].at.gap < slack + 1e-14))
            complain(t, "gap beyond the slack", c[i].at.gap);
    }
}

// --- campaigns -----------------------------------------------------------------------------------

typedef struct pair {
    zn_shape_kind a, b;
} pair;

typedef void try_one(zn_shape_kind a, zn_shape_kind b, long number, tally *t);

static inline tally try_pair(const pair *p, try_one *try_pose, long poses, long from)
{
    tally t = {.poses = 0};
    snprintf(t.pair, sizeof t.pair, "%s-%s", words[p->a], words[p->b]);
    for (long i = from; i < from + poses; i++)
        try_pose(p->a, p->b, i, &t);
    return t;
}

/// A pose that once was wrong.
typedef struct known_pose {
    pair of;
    long number;
} known_pose;

static inline void try_known(size_t count, const known_pose *known, try_one *try_pose)
{
    for (size_t k = 0; k < count; k++)
        assert_int_equal(try_pair(&known[k].of, try_pose, 1, known[k].number).wrong, 0);
}

/// PAIR or all, poses, first one: a row of the table for each pair that is asked for.
static inline int campaign(int count, const pair *pairs, try_one *try_pose, int argc, char **argv)
{
    long poses = argc > 2 ? atol(argv[2]) : 1000, from = argc > 3 ? atol(argv[3]) : 0, wrong = 0, asked = 0;
    for (int k = 0; k < count; k++) {
        tally t = try_pair(&pairs[k], try_pose, 0, 0);
        if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], t.pair) != 0)
            continue;
        t = try_pair(&pairs[k], try_pose, poses, from);
        printf("| %s | %ld | %.1e | %.1e | %ld | %ld |\n", t.pair, t.poses, t.gap, t.normal, t.late, t.wrong);
        fflush(stdout);
        wrong += t.wrong, asked++;
    }
    return wrong > 0 || asked == 0;
}

#endif
