// Contact pressure at the nodes of surfaces.
#include "system/contact_pressure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

// --- faces ---------------------------------------------------------------------------------------

static void mark(void *user, int node) { ((bool *)user)[node] = true; }

static int by_nodes(const void *a, const void *b)
{
    const zn_outer_face *x = a, *y = b;
    for (int k = 0; k < ZN_FACE_NODES; k++)
        if (x->node[k] != y->node[k])
            return x->node[k] < y->node[k] ? -1 : 1;
    return 0;
}

// Several rules may act on one face.
static void keep_once(zn_outer_faces *faces)
{
    int kept = 0;
    if (faces->count > 0)
        qsort(faces->face, (size_t)faces->count, sizeof *faces->face, by_nodes);
    for (int i = 0; i < faces->count; i++)
        if (i == 0 || by_nodes(&faces->face[i], &faces->face[kept - 1]) != 0)
            faces->face[kept++] = faces->face[i];
    faces->count = kept;
}

static zn_status find_faces(const zn_model *model, zn_outer_faces *out)
{
    bool     *marked = ZN_NEW(bool, model->nodes);
    zn_status status = marked ? ZN_OK : ZN_ERR_MEMORY;
    for (int r = 0; r < model->rules && status == ZN_OK; r++) {
        const zn_contact_rule *rule = &model->rule[r];
        if (!rule->ops->visit)
            continue;
        memset(marked, 0, sizeof *marked * (size_t)model->nodes);
        rule->ops->visit(rule->parameter, mark, marked);
        status = zn_outer_faces_find(model, marked, out);
    }
    free(marked);
    if (status == ZN_OK)
        keep_once(out);
    return status;
}

static zn_status list_nodes(zn_contact_pressure *p)
{
    int all = p->sys->model->nodes;
    p->place = ZN_NEW(int, all);
    p->node = ZN_NEW(int, all);
    if (!p->place || !p->node)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < p->faces.count; i++)
        for (int a = 0; a < p->faces.face[i].corners; a++)
            p->place[p->faces.face[i].node[a]] = 1;
    for (int i = 0; i < all; i++) {
        bool there = p->place[i] > 0;
        p->place[i] = there ? p->nodes : -1;
        if (there)
            p->node[p->nodes++] = i;
    }
    p->force = ZN_NEW(double, p->nodes);
    p->area = ZN_NEW(double, p->nodes);
    return p->force && p->area ? ZN_OK : ZN_ERR_MEMORY;
}

zn_status zn_contact_pressure_create(const zn_system *sys, zn_contact_pressure **out)
{
    zn_contact_pressure *p = ZN_NEW(zn_contact_pressure, 1);
    if (!p)
        return ZN_ERR_MEMORY;
    p->sys = sys;
    zn_status status = find_faces(sys->model, &p->faces);
    if (status == ZN_OK)
        status = list_nodes(p);
    if (status != ZN_OK)
        zn_contact_pressure_destroy(p);
    else
        *out = p;
    return status;
}

zn_contact_pressure *zn_contact_pressure_destroy(zn_contact_pressure *p)
{
    if (!p)
        return NULL;
    free(p->faces.face);
    free(p->node);
    free(p->place);
    free(p->force);
    free(p->area);
    free(p);
    return NULL;
}

// --- values --------------------------------------------------------------------------------------

void zn_contact_pressure_clear(zn_contact_pressure *p) { memset(p->force, 0, sizeof *p->force * (size_t)p->nodes); }

static void put(zn_contact_pressure *p, zn_node_id node, double force)
{
    int place = node.value > 0 ? p->place[node.value - 1] : -1;
    if (place >= 0)
        p->force[place] += force;
}

void zn_contact_pressure_add(zn_contact_pressure *p, const zn_contact_location *at, double force)
{
    ZN_ASSERT(at->corners >= 0 && at->corners <= ZN_CONTACT_CORNERS);
    put(p, at->point, force);
    for (int a = 0; a < at->corners; a++)
        put(p, at->corner[a], at->share[a] * force);
}

static zn_vec3 position(const zn_system *sys, int number, const double *q)
{
    const zn_layout_node *node = &sys->layout.node[number];
    const double         *u = q + node->q;
    return zn_vec3_add(node->origin, (zn_vec3){u[0], u[1], zn_node_dimension(node->kind) == 3 ? u[2] : 0});
}

// Of a quadrilateral that is not flat, its projection.
static double area_of(const zn_system *sys, const zn_outer_face *f, const double *q)
{
    zn_vec3 x[ZN_FACE_NODES];
    for (int a = 0; a < f->corners; a++)
        x[a] = position(sys, f->node[a], q);
    if (f->corners == 2)
        return f->thickness * zn_vec3_norm(zn_vec3_sub(x[1], x[0]));
    zn_vec3 one = zn_vec3_sub(x[2], x[0]), other = zn_vec3_sub(x[f->corners - 1], x[1]);
    if (f->corners == 3)
        other = zn_vec3_sub(x[1], x[0]);
    return 0.5 * zn_vec3_norm(zn_vec3_cross(one, other));
}

void zn_contact_pressure_measure(zn_contact_pressure *p, const double *q)
{
    memset(p->area, 0, sizeof *p->area * (size_t)p->nodes);
    for (int i = 0; i < p->faces.count; i++) {
        const zn_outer_face *f = &p->faces.face[i];
        double               part = area_of(p->sys, f, q) / f->corners;
        for (int a = 0; a < f->corners; a++)
            p->area[p->place[f->node[a]]] += part;
    }
}

double zn_contact_pressure_at(const zn_contact_pressure *p, int place)
{
    ZN_ASSERT(place >= 0 && place < p->nodes);
    return p->area[place] > 0 ? p->force[place] / p->area[place] : (double)NAN;
}

// --- rules and sets ------------------------------------------------------------------------------

typedef struct search {
    const zn_contact_pressure *p;
    double                     largest; // NaN: no node of a face
} search;

static void look(void *user, int node)
{
    search *s = user;
    int     place = s->p->place[node];
    if (place >= 0)
        s->largest = fmax(s->largest, zn_contact_pressure_at(s->p, place));
}

double zn_contact_pressure_largest(const zn_contact_pressure *p, int rule)
{
    const zn_contact_rule *r = &p->sys->model->rule[rule];
    search                 s = {p, NAN};
    if (r->ops->visit)
        r->ops->visit(r->parameter, look, &s);
    return s.largest;
}

bool zn_contact_pressure_has(const zn_contact_pressure *p, int rule)
{
    const zn_contact_rule *r = &p->sys->model->rule[rule];
    bool                  *marked = ZN_NEW(bool, p->sys->model->nodes), any = false;
    if (marked && r->ops->visit)
        r->ops->visit(r->parameter, mark, marked);
    for (int i = 0; marked && i < p->nodes; i++)
        any |= marked[p->node[i]];
    free(marked);
    return any;
}

zn_status zn_contact_pressure_add_set(zn_contact_pressure *p, const zn_contact_set *set, const double *q, double time)
{
    ZN_ASSERT(time > 0);
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = &p->sys->model->rule[zn_contact_id_rule(set->id[i])];
        zn_contact_location    at;
        double                 impulse = set->impulse[i * set->stride];
        zn_contact_key         key = zn_contact_key_of(set->id[i], set->piece[i]);
        if (set->bilateral[i] || impulse == 0 || !rule->ops->locate)
            continue;
        ZN_TRY(rule->ops->locate(rule->parameter, &p->sys->layout, key, q, &at));
        zn_contact_pressure_add(p, &at, impulse / time);
    }
    return ZN_OK;
}
