// Which shapes are inside each other, and how deep, for the start of a run: gaps of contacts tell it only where
// features meet, which those of a part that is deep inside another do not. Samples of one that are inside the other
// tell it whatever the depth; what crosses another between all samples stays unseen.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/contact/broad_boxes.h"
#include "model/contact/solid.h"

typedef struct placed {
    zn_rigid body;
    zn_vec3  centre, half; // of the box around it, in the axes of the body
} placed;

typedef struct overlap_search {
    const zn_shape_pairs *p;
    placed               *shape;
    zn_broad_box         *box;
    void                 *scratch;
    zn_broad_pairs        pairs;
} overlap_search;

static bool wants(const void *user, int i, int j)
{
    const overlap_search *s = user;
    return zn_shape_pairs_wants(s->p, i, j) && !(i < s->p->spheres && j < s->p->spheres);
}

static bool is_solid(const zn_pair_shape *s) { return s->ops->solid != NULL; }

// False: it does not end, or is no solid; its box is empty.
static bool place(const zn_shape_pairs *p, const zn_layout *layout, const double *q, int i, placed *at)
{
    const zn_pair_shape *shape = &p->shape[i];
    at->body = zn_rigid_at(layout, shape->node, q);
    at->centre = shape->at;
    at->half = (zn_vec3){shape->radius, shape->radius, shape->radius};
    return is_solid(shape) && (shape->ops->sphere || shape->ops->bound(shape, p->planar, &at->centre, &at->half));
}

static zn_broad_box box_of(const placed *at)
{
    const double h[3] = {at->half.x, at->half.y, at->half.z};
    double       out[3] = {0, 0, 0};
    zn_vec3      c = zn_rigid_point(&at->body, at->centre);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i] += fabs(at->body.rotation.m[i][j]) * h[j];
    return (zn_broad_box){{c.x - out[0], c.y - out[1], c.z - out[2]}, {c.x + out[0], c.y + out[1], c.z + out[2]}, 1, 1};
}

// How deep the samples of shape i are inside shape j.
static double depth_of(const overlap_search *s, int i, int j)
{
    const zn_pair_shape *a = &s->p->shape[i], *b = &s->p->shape[j];
    const placed        *A = &s->shape[i], *B = &s->shape[j];
    double               deepest = 0, radius;
    zn_vec3              own;
    for (int k = 0; a->ops->solid->sample(a, k, &own, &radius); k++) {
        zn_vec3 x = zn_vec3_sub(zn_rigid_point(&A->body, own), B->body.position);
        x = zn_mat3_apply(zn_mat3_transpose(B->body.rotation), x);
        zn_vec3 d = zn_vec3_sub(x, B->centre);
        if (fabs(d.x) > B->half.x + radius || fabs(d.y) > B->half.y + radius || fabs(d.z) > B->half.z + radius)
            continue;
        deepest = fmax(deepest, radius - b->ops->solid->distance(b, x));
    }
    return deepest;
}

static zn_status search_pairs(overlap_search *s, const zn_layout *layout, const double *q)
{
    const zn_shape_pairs *p = s->p;
    for (int i = 0; i < p->shapes; i++) {
        bool there = place(p, layout, q, i, &s->shape[i]);
        s->box[i] = there ? box_of(&s->shape[i]) : (zn_broad_box){{0, 0, 0}, {0, 0, 0}, 0, 0};
    }
    return zn_broad_boxes(p->shapes, s->box, wants, s, s->scratch, &s->pairs);
}

static void find_deepest(const overlap_search *s, zn_contact_pair *pair, double *depth)
{
    for (int k = 0; k < s->pairs.count; k++) {
        int    i = zn_broad_first(s->pairs.pair[k]), j = zn_broad_second(s->pairs.pair[k]);
        double deep = fmax(depth_of(s, i, j), depth_of(s, j, i));
        if (!(deep > *depth))
            continue;
        const zn_pair_shape *a = &s->p->shape[i], *b = &s->p->shape[j];
        *depth = deep;
        *pair = (zn_contact_pair){{a->node, b->node}, {a->name, b->name}, 0};
    }
}

zn_status zn_shape_pairs_overlap(const void *rule, const zn_layout *layout, const double *q, zn_contact_pair *pair,
                                 double *depth)
{
    const zn_shape_pairs *p = rule;
    overlap_search        s = {.p = p};
    *depth = 0;
    if (p->planar) // contours have no samples
        return ZN_OK;
    s.shape = ZN_NEW(placed, p->shapes);
    s.box = ZN_NEW(zn_broad_box, p->shapes);
    s.scratch = zn_new_array(zn_broad_boxes_scratch(p->shapes), 1);
    zn_status status = s.shape && s.box && s.scratch ? search_pairs(&s, layout, q) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        find_deepest(&s, pair, depth);
    free(s.shape);
    free(s.box);
    free(s.scratch);
    zn_broad_pairs_clear(&s.pairs);
    return status;
}
