// Which features of which shapes are near. First pairs of shapes: balls around spheres by a grid (broad_phase.c), boxes
// around all others (broad_boxes.c); a pair is a candidate when what both may do within the horizon can close what is
// between them. Then the features of each candidate (meet.h); two spheres have one pair of them, without asking. All of
// it is a function of configuration and velocity: a restart finds the same.
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/team.h"
#include "math/finite.h"
#include "model/contact/broad_boxes.h"
#include "model/contact/broad_phase.h"
#include "model/contact/shape_pairs.h"

enum { FEW_OTHERS = 8 };

// One shape.
typedef struct moving {
    zn_rigid          body;
    zn_feature_motion motion;
    zn_vec3           centre, velocity;
    zn_vec3           half;   // of the box around it in world axes; INFINITY: it does not end
    double            radius; // of the ball around the box of its own axes
    double            ball;   // of one around it, not larger
    double            round;  // how fast its farthest point turns around the centre
    zn_vec3           off;    // where an earlier search knew the centre to be, from here
    double            turned; // how far its farthest point is off by turning
} moving;

typedef struct search {
    const zn_shape_pairs *p;
    const zn_layout      *layout;
    const double         *q;
    zn_contact_list      *list;
    zn_ball              *ball; // of the spheres
    moving               *shape;
    zn_broad_box         *box;
    int                  *boxed;  // shapes that have one
    void                 *rest;   // scratch of the broad phases
    double                deeper; // [m] what is less deep is not wanted; 0: all is
} search;

// --- where they are and how they move ------------------------------------------------------------

static zn_feature_motion motion_of(const zn_rigid *body, const double *v)
{
    if (!v)
        return (zn_feature_motion){{0, 0, 0}, {0, 0, 0}};
    return (zn_feature_motion){zn_rigid_velocity(body, v, (zn_vec3){0, 0, 0}), zn_rigid_spin(body, v)};
}

// Half the box around a box that is turned.
static zn_vec3 turned_half(const zn_mat3 *R, zn_vec3 half)
{
    const double h[3] = {half.x, half.y, half.z};
    double       out[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i] += fabs(R->m[i][j]) * h[j];
    return (zn_vec3){out[0], out[1], out[2]};
}

static void place_bound(const search *s, const zn_pair_shape *shape, moving *m)
{
    zn_vec3 centre = shape->at, half = {shape->radius, shape->radius, shape->radius};
    if (!shape->ops->sphere && !shape->ops->bound(shape, s->p->planar, &centre, &half)) {
        m->half = (zn_vec3){INFINITY, INFINITY, INFINITY};
        m->radius = m->ball = INFINITY;
        m->centre = zn_rigid_point(&m->body, shape->at);
        m->round = 0;
        return;
    }
    m->centre = zn_rigid_point(&m->body, centre);
    m->half = shape->ops->sphere ? half : turned_half(&m->body.rotation, half);
    m->radius = shape->ops->sphere ? shape->radius : zn_vec3_norm(half);
    m->ball = shape->ops->ball && !s->p->planar ? shape->ops->ball(shape) : m->radius;
    m->half = (zn_vec3){fmin(m->half.x, m->ball), fmin(m->half.y, m->ball), fmin(m->half.z, m->ball)};
    m->round = shape->ops->sphere ? 0 : m->radius * zn_vec3_norm(m->motion.spin);
}

static double weight_at(const search *s) { return s->p->gravity * s->list->horizon * s->list->horizon; }

// What is near in any case: for `size` of the smaller shape, and what the fall closes.
static double slack_at(const search *s, double size)
{
    const double fraction = 1e-2; // of the size: contacts at rest stay in the set
    return weight_at(s) + s->list->margin + fraction * size;
}

// The same of a pair that is to be found at all; convex shapes whose boxes share less than `deeper` along an axis part
// there by moving that far.
static double slack_of(const search *s, double size) { return s->deeper > 0 ? -s->deeper : slack_at(s, size); }

// By how much each of two is larger, so that both are near where they meet.
static double grown(const search *s, double size, double slack)
{
    return s->deeper > 0 ? fmax(-0.5 * s->deeper, -0.5 * size) : slack;
}

// How far a shape is off what an earlier search foresaw, which took points to move along straight lines: a step that
// turns by w takes them w^2/2 of their distance from the centre of mass off their tangent.
static void place_stray(const search *s, moving *m)
{
    const double *strayed = s->list->strayed;
    m->off = (zn_vec3){0, 0, 0};
    m->turned = 0;
    if (!strayed)
        return;
    double turn = zn_vec3_norm(zn_rigid_spin(&m->body, strayed)),
           way = zn_vec3_norm(zn_rigid_spin(&m->body, s->list->way));
    m->off = zn_rigid_velocity(&m->body, strayed, m->centre);
    if (way > 0)
        m->turned = 0.5 * way * way * zn_vec3_norm(zn_vec3_sub(m->centre, m->body.position));
    if (turn > 0 || way > 0) // what does not end, too
        m->turned += (turn + 0.5 * way * way) * m->radius;
}

// Has an earlier search seen this pair as it is?
static bool is_seen(const search *s, const moving *a, const moving *b)
{
    return s->list->strayed && zn_vec3_norm(zn_vec3_sub(a->off, b->off)) + a->turned + b->turned <= s->list->stray;
}

static zn_status place_shapes(const search *s)
{
    const zn_shape_pairs *p = s->p;
    if (!isfinite(slack_at(s, 0)))
        return zn_fail_here(p->log, ZN_NOT_FINITE, "contact '%s': there is no end to how far its shapes fall in a step",
                            p->name);
    for (int i = 0; i < p->shapes; i++) {
        moving *m = &s->shape[i];
        m->body = zn_rigid_at(s->layout, p->shape[i].node, s->q);
        m->motion = motion_of(&m->body, s->list->v);
        place_bound(s, &p->shape[i], m);
        m->velocity = s->list->v ? zn_rigid_velocity(&m->body, s->list->v, m->centre) : (zn_vec3){0, 0, 0};
        place_stray(s, m);
        double speed = zn_vec3_norm(m->velocity) + m->round;
        if (!zn_finite3(m->centre) || !isfinite(s->list->horizon * speed))
            return zn_fail_here(p->log, ZN_NOT_FINITE, "contact '%s': the %s '%s' is nowhere or infinitely fast",
                                p->name, p->shape[i].ops->name, p->shape[i].name);
        if (i < p->spheres)
            s->ball[i] = (zn_ball){m->centre,
                                   m->radius + s->list->horizon * speed + grown(s, m->radius, slack_at(s, m->radius))};
    }
    return ZN_OK;
}

// --- candidates ----------------------------------------------------------------------------------

// Largest gap of two shapes that is near.
static double reach(const search *s, const moving *a, const moving *b)
{
    double speed = zn_vec3_norm(zn_vec3_sub(a->velocity, b->velocity)) + a->round + b->round;
    return s->list->horizon * speed + slack_of(s, fmin(a->radius, b->radius));
}

// Is there any pair of spheres?
static bool spheres_meet(const zn_shape_pairs *p)
{
    unsigned sides = 0;
    for (int i = 0; i < p->spheres && sides != 3; i++)
        sides |= p->shape[i].side;
    return sides == 3;
}

// Keep the pairs of spheres that the rule wants and that are near.
static void filter_spheres(const search *s)
{
    zn_contact_list *list = s->list;
    int              kept = 0;
    for (int k = 0; k < list->count; k++) {
        int i = (int)(list->number[k] / s->p->shapes), j = (int)(list->number[k] % s->p->shapes);
        if (!zn_shape_pairs_wants(s->p, i, j))
            continue;
        const moving *a = &s->shape[i], *b = &s->shape[j];
        double        near = reach(s, a, b) + a->radius + b->radius;
        zn_vec3       d = zn_vec3_sub(a->centre, b->centre);
        if (zn_vec3_dot(d, d) <= near * near && !is_seen(s, a, b))
            list->number[kept++] = list->number[k];
    }
    list->count = kept;
}

static double square_between(const moving *a, const moving *b)
{
    zn_vec3 d = zn_vec3_sub(a->centre, b->centre);
    return zn_vec3_dot(d, d);
}

// Balls and boxes around them.
static bool boxes_near(const moving *a, const moving *b, double near)
{
    double between = a->ball + b->ball + near;
    return square_between(a, b) <= between * between &&
           fabs(a->centre.x - b->centre.x) <= a->half.x + b->half.x + near &&
           fabs(a->centre.y - b->centre.y) <= a->half.y + b->half.y + near &&
           fabs(a->centre.z - b->centre.z) <= a->half.z + b->half.z + near;
}

static bool wants_boxes(const void *user, int i, int j)
{
    const search *s = user;
    i = s->boxed[i], j = s->boxed[j];
    const moving *a = &s->shape[i], *b = &s->shape[j];
    return zn_shape_pairs_wants(s->p, i, j) && boxes_near(a, b, reach(s, a, b)) && !is_seen(s, a, b);
}

// What a box is, and what it has to do with: bit 0 of a sphere `between`, 1 `against`, 2 and 3 of another shape; the
// same on the ground 4 higher. Two spheres were found before, and nothing of the ground meets the ground.
static void mark_box(const zn_pair_shape *shape, zn_broad_box *box)
{
    unsigned other = (shape->side & 1) << 1 | shape->side >> 1,
             all = shape->ops->sphere ? other << 2 : other | other << 2;
    bool ground = shape->node.value == 0;
    box->is = (shape->ops->sphere ? shape->side : shape->side << 2) << (ground ? 4 : 0);
    box->meets = ground ? all : all | all << 4;
}

// The box of what a shape may touch; those of two shapes overlap wherever their pair is near.
static zn_broad_box box_of(const search *s, int i)
{
    const moving *m = &s->shape[i];
    double        grow = s->list->horizon * (zn_vec3_norm(m->velocity) + m->round);
    grow += grown(s, fmin(m->half.x, fmin(m->half.y, m->half.z)), slack_at(s, m->radius) - 0.5 * slack_at(s, 0));
    zn_vec3      half = {m->half.x + grow, m->half.y + grow, m->half.z + grow};
    zn_broad_box box = {zn_vec3_sub(m->centre, half), zn_vec3_add(m->centre, half), 0, 0};
    mark_box(&s->p->shape[i], &box);
    return box;
}

// Shape j does not end: the ball around what is near reaches beyond its one face.
static zn_status list_endless(const search *s, int j)
{
    const zn_shape_pairs *p = s->p;
    zn_contact_list      *list = s->list;
    const moving         *b = &s->shape[j];
    zn_feature            own, face;
    p->shape[j].ops->feature(&p->shape[j], 0, p->planar, &own);
    face = zn_feature_at(&b->body, &own);
    for (int i = 0; i < p->shapes; i++) {
        const moving *a = &s->shape[i];
        if (!isfinite(a->ball) || !zn_shape_pairs_wants(p, i, j))
            continue;
        double away = zn_vec3_dot(face.along, zn_vec3_sub(a->centre, face.at)) - a->ball;
        if ((away > slack_of(s, a->radius) && away > reach(s, a, b)) || is_seen(s, a, b))
            continue;
        ZN_TRY(zn_contact_list_room(list));
        list->number[list->count++] = i < j ? (int64_t)i * p->shapes + j : (int64_t)j * p->shapes + i;
    }
    return ZN_OK;
}

// Few shapes that are not spheres: one by one with all others, which costs less than a tree of many spheres.
static zn_status try_each(const search *s, int boxes)
{
    const zn_shape_pairs *p = s->p;
    zn_contact_list      *list = s->list;
    for (int b = p->spheres; b < boxes; b++)
        for (int a = 0; a < b; a++)
            if (wants_boxes(s, a, b)) {
                ZN_TRY(zn_contact_list_room(list));
                list->number[list->count++] = (int64_t)s->boxed[a] * p->shapes + s->boxed[b];
            }
    return ZN_OK;
}

// Shapes that are not spheres, against all; the list has room for what the boxes say.
static zn_status list_others(const search *s)
{
    const zn_shape_pairs *p = s->p;
    zn_contact_list      *list = s->list;
    int                   boxes = 0;
    for (int i = 0; i < p->shapes; i++)
        if (!isfinite(s->shape[i].radius))
            ZN_TRY(list_endless(s, i));
        else {
            s->box[boxes] = box_of(s, i);
            s->boxed[boxes++] = i;
        }
    if (boxes - p->spheres <= FEW_OTHERS)
        return try_each(s, boxes);
    ZN_TRY(zn_broad_boxes(boxes, s->box, wants_boxes, s, s->rest, &list->pairs));
    ZN_TRY(zn_contact_list_reserve(list, list->count + list->pairs.count));
    for (int k = 0; k < list->pairs.count; k++) {
        int64_t pair = list->pairs.pair[k];
        int     i = s->boxed[zn_broad_first(pair)], j = s->boxed[zn_broad_second(pair)];
        list->number[list->count++] = (int64_t)i * p->shapes + j;
    }
    return ZN_OK;
}

// --- features ------------------------------------------------------------------------------------

zn_status zn_feature_found(zn_feature_list *list, int a, int b)
{
    ZN_TRY(zn_grow(&list->pair, &list->capacity, list->count + 1, sizeof *list->pair));
    list->pair[list->count++] = zn_feature_pair(a, b);
    return ZN_OK;
}

static void sort_features(zn_feature_list *list, int from, bool swapped)
{
    for (int k = from; k < list->count; k++) {
        int64_t pair = list->pair[k];
        if (swapped)
            pair = zn_feature_pair(zn_feature_second(pair), zn_feature_first(pair));
        int place = k;
        for (; place > from && list->pair[place - 1] > pair; place--)
            list->pair[place] = list->pair[place - 1];
        list->pair[place] = pair;
    }
}

// The features of one candidate, ascending.
static zn_status meet_pair(const search *s, int i, int j, zn_feature_list *found)
{
    const zn_pair_shape *a = &s->p->shape[i], *b = &s->p->shape[j];
    const moving        *A = &s->shape[i], *B = &s->shape[j];
    found->count = 0;
    if (a->ops->sphere && b->ops->sphere)
        return zn_feature_found(found, 0, 0);
    bool    swapped = a->kind < b->kind;
    zn_near at = {.horizon = s->list->horizon,
                  .slack = slack_at(s, fmin(A->radius, B->radius)),
                  .planar = s->p->planar,
                  .fall = slack_at(s, 0),
                  .weight = weight_at(s),
                  .deeper = s->deeper,
                  .A = swapped ? B->body : A->body,
                  .B = swapped ? A->body : B->body,
                  .a = swapped ? B->motion : A->motion,
                  .b = swapped ? A->motion : B->motion};
    ZN_TRY(zn_meet_shapes(swapped ? b : a, swapped ? a : b, &at, found));
    sort_features(found, 0, swapped);
    return ZN_OK;
}

// Candidates before part k.
static int part_start(const zn_contact_list *list, int k)
{
    return (int)((int64_t)list->candidates.count * k / ZN_FEATURE_PARTS);
}

static zn_status append(const zn_feature_list *found, zn_feature_list *all)
{
    ZN_TRY(zn_grow(&all->pair, &all->capacity, all->count + found->count, sizeof *all->pair));
    if (found->count > 0)
        memcpy(all->pair + all->count, found->pair, sizeof *all->pair * (size_t)found->count);
    all->count += found->count;
    return ZN_OK;
}

// A job of a team: candidates do not know of each other.
static void meet_part(void *user, int k)
{
    const search    *s = user;
    zn_contact_list *list = s->list;
    zn_feature_part *part = &list->part[k];
    part->all.count = 0;
    part->status = ZN_OK;
    for (int i = part_start(list, k); i < part_start(list, k + 1) && part->status == ZN_OK; i++) {
        int64_t pair = list->candidates.pair[i];
        part->status = meet_pair(s, (int)(pair / s->p->shapes), (int)(pair % s->p->shapes), &part->found);
        list->features[i] = part->found.count;
        if (part->status == ZN_OK)
            part->status = append(&part->found, &part->all);
    }
}

// Room for the candidates, and for as many features in each part as the largest has had.
static zn_status reserve_parts(zn_contact_list *list, int count)
{
    zn_feature_list *pairs = &list->candidates;
    ZN_TRY(zn_grow(&pairs->pair, &pairs->capacity, count, sizeof *pairs->pair));
    ZN_TRY(zn_grow(&list->features, &list->features_capacity, count, sizeof *list->features));
    for (int k = 0; k < ZN_FEATURE_PARTS; k++) // of the last search; a capacity is more than was asked for
        list->most_features =
            list->part[k].all.count > list->most_features ? list->part[k].all.count : list->most_features;
    for (int k = 0; k < ZN_FEATURE_PARTS; k++) {
        zn_feature_list *all = &list->part[k].all;
        ZN_TRY(zn_grow(&all->pair, &all->capacity, list->most_features, sizeof *all->pair));
    }
    return ZN_OK;
}

// Features of part k into the list.
static zn_status take_part(zn_contact_list *list, int k)
{
    const zn_feature_part *part = &list->part[k];
    int                    next = 0;
    ZN_TRY(part->status);
    ZN_TRY(zn_contact_list_reserve(list, list->count + part->all.count));
    for (int i = part_start(list, k); i < part_start(list, k + 1); i++)
        for (int f = 0; f < list->features[i]; f++) {
            list->feature[list->count] = part->all.pair[next++];
            list->number[list->count++] = list->candidates.pair[i];
        }
    return ZN_OK;
}

// In place of the candidates, which ascend, their features. Parts follow each other in the list, so that it is the same
// for any number of threads.
static zn_status expand(const search *s)
{
    enum { FEW = 64 }; // are not worth waking anybody
    zn_contact_list *list = s->list;
    ZN_TRY(reserve_parts(list, list->count));
    list->candidates.count = list->count;
    if (list->count > 0)
        memcpy(list->candidates.pair, list->number, sizeof *list->number * (size_t)list->count);
    zn_team_run(list->count < FEW ? NULL : list->team, 0, ZN_FEATURE_PARTS, meet_part, (void *)s);
    list->count = 0;
    for (int k = 0; k < ZN_FEATURE_PARTS; k++)
        ZN_TRY(take_part(list, k));
    if (s->p->most > 0 && list->count > s->p->most)
        return zn_fail_here(s->p->log, ZN_INVALID_STATE, "contact '%s': %d contacts where %d are possible", s->p->name,
                            list->count, s->p->most);
    return ZN_OK;
}

// How deep a contact of other shapes is says less about how far they are inside each other.
static bool all_convex(const zn_shape_pairs *p)
{
    for (int i = 0; i < p->shapes; i++)
        if (!p->shape[i].ops->convex)
            return false;
    return !p->planar;
}

size_t zn_shape_search_bytes(const void *rule)
{
    const zn_shape_pairs *p = rule;
    size_t                balls = zn_broad_phase_scratch(p->shapes), boxes = zn_broad_boxes_scratch(p->shapes);
    return (size_t)p->shapes * (sizeof(moving) + sizeof(zn_broad_box) + sizeof(int)) + sizeof(double) +
           (size_t)p->spheres * sizeof(zn_ball) + (balls > boxes ? balls : boxes);
}

// Pairs of spheres; of many by all processes that search together, with the list of one alone.
static zn_status find_spheres(const search *s)
{
    enum { MANY = 500 };
    const zn_shape_pairs  *p = s->p;
    const zn_search_peers *peers = p->spheres >= MANY ? s->list->peers : NULL;
    zn_status              status = zn_broad_phase_share(p->spheres, s->ball, p->shapes, peers ? peers->part : 0,
                                            peers ? peers->parts : 1, s->rest, s->list);
    if (status == ZN_OK)
        filter_spheres(s);
    return peers ? peers->join(peers->user, status, s->list) : status;
}

zn_status zn_shape_search(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    const zn_shape_pairs *p = rule;
    search                s = {p, layout, q, out, .shape = out->scratch};
    s.box = (zn_broad_box *)(void *)(s.shape + p->shapes);
    s.ball = (zn_ball *)(void *)(s.box + p->shapes);
    s.boxed = (int *)(void *)(s.ball + p->spheres);
    s.rest = s.boxed + p->shapes + p->shapes % 2;
    s.deeper = out->deeper > 0 && all_convex(p) ? out->deeper : 0;
    ZN_TRY(place_shapes(&s));
    if (spheres_meet(p)) {
        ZN_TRY(find_spheres(&s));
    }
    if (p->spheres == p->shapes) {
        zn_broad_phase_sort(p->shapes, p->shapes, s.rest, out);
        return ZN_OK;
    }
    ZN_TRY(list_others(&s));
    zn_broad_phase_sort(p->shapes, p->shapes, s.rest, out);
    return expand(&s);
}
