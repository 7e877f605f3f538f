// Contacts, surfaces, springs and joints of a scene. The model is evaluated again at the configuration of a frame; what
// the contacts did is in the file.
#include <stdlib.h>

#include "base/array.h"
#include "view/scene.h"
#include "model/contact/shape.h"

// --- links ---------------------------------------------------------------------------------------

static zn_status add_link(zn_scene *s, const char *name, zn_link link)
{
    return ZN_PUSH(s->link, s->info.link_count, s->link_capacity, ((zn_scene_link){name, link.kind, link.a, link.b}));
}

zn_status zn_scene_add_links(zn_scene *s)
{
    const zn_model *model = s->sys->model;
    for (int k = 0; k < model->groups; k++) {
        const zn_element_group *g = &model->group[k];
        for (int e = 0; g->ops->link != NULL && e < g->count; e++)
            ZN_TRY(add_link(s, model->part_name[g->part[e]],
                            g->ops->link(g->parameter + (size_t)e * g->ops->parameter_size)));
    }
    for (int r = 0; r < model->rules; r++) {
        const zn_contact_rule *rule = &model->rule[r];
        zn_link                link;
        if (rule->ops->link != NULL && rule->ops->link(rule->parameter, &link))
            ZN_TRY(add_link(s, rule->name, link));
    }
    s->info.links = s->link;
    return ZN_OK;
}

// --- surfaces ------------------------------------------------------------------------------------

// A surface without a direction is round: its place is a point.
static bool same_surface(const zn_scene_surface *a, const zn_scene_surface *b)
{
    zn_vec3 apart = zn_vec3_sub(a->through, b->through);
    double  size = 1e-9 * (1 + zn_vec3_norm(a->through) + zn_vec3_norm(b->through));
    if (a->kind != b->kind || a->rim != b->rim || a->node != b->node || a->size != b->size || a->taper != b->taper ||
        a->half[0] != b->half[0] || a->half[1] != b->half[1])
        return false;
    if ((a->half[0] > 0 || a->rim) && zn_vec3_norm(apart) > size)
        return false;
    if (a->kind == ZN_SURFACE_CYLINDER || a->kind == ZN_SURFACE_BORE)
        return zn_vec3_norm(zn_vec3_cross(a->direction, b->direction)) <= 1e-9 &&
               zn_vec3_norm(zn_vec3_cross(apart, a->direction)) <= size;
    if (zn_vec3_norm(a->direction) == 0)
        return zn_vec3_norm(apart) <= size;
    return zn_vec3_norm(zn_vec3_sub(a->direction, b->direction)) <= 1e-9 &&
           fabs(zn_vec3_dot(apart, a->direction)) <= size;
}

static zn_status push_surface(zn_scene *s, zn_scene_surface surface)
{
    for (int i = 0; i < s->info.surface_count; i++)
        if (same_surface(&s->surface[i], &surface))
            return ZN_OK;
    return ZN_PUSH(s->surface, s->info.surface_count, s->surface_capacity, surface);
}

// The surface, and the rim that meets it.
static zn_status add_surface(zn_scene *s, const char *name, const zn_contact_location *place)
{
    zn_scene_surface surface = {.name = name,
                                .kind = (zn_surface_kind)place->surface,
                                .node = place->carrier.value - 1,
                                .through = place->through,
                                .direction = place->direction,
                                .along = place->along,
                                .size = place->size,
                                .taper = place->taper,
                                .half = {place->half[0], place->half[1]}};
    ZN_TRY(push_surface(s, surface));
    if (zn_vec3_norm(place->rim) == 0)
        return ZN_OK;
    return push_surface(s, (zn_scene_surface){.name = name,
                                              .kind = surface.kind,
                                              .rim = true,
                                              .node = place->point.value - 1,
                                              .through = place->rim_at,
                                              .direction = place->rim,
                                              .size = place->rim_radius});
}

// The pin or ball of a joint with play and its hole, which is drawn as long as the pin; stops are not drawn.
static zn_status add_journal(zn_scene *s, const zn_journal *j)
{
    bool                wide = j->length > 0;
    zn_contact_location pin = {.surface = wide ? ZN_SURFACE_CYLINDER : ZN_SURFACE_CIRCLE,
                               .carrier = j->a.node,
                               .through = j->a.at,
                               .direction = j->pin_axis,
                               .size = j->pin_radius,
                               .half = {j->length / 2, 0}};
    zn_contact_location hole = {.surface = wide ? ZN_SURFACE_BORE : ZN_SURFACE_HOLE,
                                .carrier = j->b.node,
                                .through = j->b.at,
                                .direction = j->axis,
                                .size = j->pin_radius + j->clearance,
                                .half = {j->length / 2, 0}};
    if (j->block)
        return ZN_OK;
    ZN_TRY(add_surface(s, j->name, &hole));
    return j->pin_radius > 0 ? add_surface(s, j->name, &pin) : ZN_OK;
}

zn_status zn_scene_add_surfaces(zn_scene *s)
{
    enum { SURFACES_MAX = 2000 }; // a picture with more is none
    enum { FIRST = 4 };           // of a rule: both sides of a slot, the rims of pin and hole
    const zn_model *model = s->sys->model;
    for (int r = 0; r < model->rules && s->info.surface_count < SURFACES_MAX; r++) {
        const zn_contact_rule *rule = &model->rule[r];
        zn_contact_location    place;
        for (int i = 0; rule->ops->locate && i < rule->max_contacts && i < FIRST && !zn_scene_is_pin(model, r); i++) {
            if (rule->ops->locate(rule->parameter, &s->sys->layout, (zn_contact_key){.number = i}, s->q, &place) !=
                    ZN_OK ||
                place.surface < 0)
                continue;
            ZN_TRY(add_surface(s, rule->name, &place));
        }
    }
    for (int i = 0; i < model->journals && s->info.surface_count < SURFACES_MAX; i++)
        ZN_TRY(add_journal(s, &model->journal[i]));
    for (int i = 0; i < model->shapes; i++) {
        const zn_shape_def *shape = &model->shape[i].def;
        const zn_shape_ops *ops = zn_shape_ops_of(shape->kind);
        zn_contact_location place = {.carrier = shape->at.node};
        if (ops->surface == NULL || s->info.surface_count >= SURFACES_MAX)
            continue;
        ops->surface(shape, &place);
        ZN_TRY(add_surface(s, model->shape[i].name, &place));
    }
    s->info.surfaces = s->surface;
    return ZN_OK;
}

// --- contacts ------------------------------------------------------------------------------------

// Sum of normal and tangential impulses as a vector. The impulse of a lasting contact is along its present axes.
static zn_vec3 impulse_of(const zn_frame_contact *acted, const zn_contact_location *place)
{
    zn_vec3 sum = zn_vec3_scale(acted->impulse[0], place->normal);
    for (int k = 0; k < 2; k++)
        sum = zn_vec3_add(sum, zn_vec3_scale(acted->impulse[1 + k], place->tangent[k]));
    return sum;
}

static void put_facet(zn_scene_contact *c, const zn_contact_location *place)
{
    c->corners = place->corners;
    for (int a = 0; a < ZN_CONTACT_CORNERS; a++)
        c->corner[a] = a < place->corners ? place->corner[a].value - 1 : -1;
}

static void put_pair(zn_scene_contact *c, const zn_contact_rule *rule, zn_contact_key key)
{
    zn_contact_pair pair = {.name = {"", ""}};
    if (rule->ops->pair != NULL)
        pair = rule->ops->pair(rule->parameter, key);
    for (int k = 0; k < 2; k++) {
        c->node[k] = pair.node[k].value - 1;
        c->shape[k] = pair.name[k];
    }
}

// Mean since the frame before; in statics impulses are forces.
static double force_of(const zn_scene *s, const zn_frame_contact *acted)
{
    double time = s->info.statics ? 1 : s->frames.t - s->before;
    return time > 0 ? acted->impulse[0] / time : 0;
}

// A contact as it is at q; what it did, NULL: nothing.
static zn_status place_contact(zn_scene *s, zn_contact_id id, int piece, double gap, const zn_frame_contact *acted,
                               int *number)
{
    const zn_contact_rule *rule = &s->sys->model->rule[zn_contact_id_rule(id)];
    zn_contact_location    place;
    zn_contact_key         key = zn_contact_key_of(id, piece);
    if (rule->ops->bilateral || rule->ops->locate == NULL ||
        rule->ops->locate(rule->parameter, &s->sys->layout, key, s->q, &place) != ZN_OK)
        return ZN_OK;
    zn_scene_contact c = {.id = id, .name = rule->name, .gap = gap, .position = place.position, .normal = place.normal};
    put_facet(&c, &place);
    put_pair(&c, rule, key);
    if (acted != NULL) {
        c.state = acted->state;
        c.impulse = impulse_of(acted, &place);
        zn_contact_pressure_add(s->pressure, &place, force_of(s, acted));
    } else if (rule->ops->depth && c.gap < 0)
        return ZN_OK;
    return ZN_PUSH(s->contact, *number, s->contact_capacity, c);
}

static int by_id(const void *a, const void *b)
{
    return zn_contact_id_compare(((const zn_scene_contact *)a)->id, ((const zn_scene_contact *)b)->id);
}

static void find_contacts(zn_scene *s, const double *q)
{
    zn_reach all = {.moved = INFINITY}; // frames do not tell where points behind faces have come from
    if (zn_contact_set_refresh_within(s->set, s->sys, q, s->frames.t, all) != ZN_OK)
        s->set->count = 0; // a state that cannot be evaluated still has bodies to show
}

// Contacts that acted and are near no more, or give way to others, were near at the frame before.
static zn_status place_lost(zn_scene *s, int *number)
{
    int known = *number, j = 0, k = 0;
    find_contacts(s, s->q_before);
    for (int i = 0; i < s->set->count; i++) {
        while (j < s->frames.contact_count && zn_contact_id_compare(s->frames.contact[j].contact, s->set->id[i]) < 0)
            j++;
        while (k < known && zn_contact_id_compare(s->contact[k].id, s->set->id[i]) < 0)
            k++;
        bool there = k < known && zn_contact_id_same(s->contact[k].id, s->set->id[i]);
        if (!there && j < s->frames.contact_count && zn_contact_id_same(s->frames.contact[j].contact, s->set->id[i]))
            ZN_TRY(place_contact(s, s->set->id[i], s->set->piece[i], s->set->gap[i], &s->frames.contact[j], number));
    }
    if (*number > known)
        qsort(s->contact, (size_t)*number, sizeof *s->contact, by_id);
    return ZN_OK;
}

// A contact that acted although a search without motion does not find it: its features tell where it is.
static zn_status place_by_id(zn_scene *s, const zn_frame_contact *acted, int *number)
{
    if (!zn_model_knows_contact(s->sys->model, acted->contact, 0)) // files may be damaged
        return ZN_OK;
    const zn_contact_rule *rule = &s->sys->model->rule[zn_contact_id_rule(acted->contact)];
    zn_contact_product     at = {0};
    if (rule->pieces > 0 || rule->ops->bilateral ||
        rule->ops->evaluate(rule->parameter, &s->sys->layout, zn_contact_key_of(acted->contact, 0), s->q, s->frames.t,
                            &at) != ZN_OK)
        return ZN_OK;
    return place_contact(s, acted->contact, 0, at.gap, acted, number);
}

zn_status zn_scene_place_contacts(zn_scene *s, int *count)
{
    int number = 0, j = 0, acted = 0;
    zn_contact_pressure_clear(s->pressure);
    find_contacts(s, s->q);
    for (int i = 0; i < s->set->count; i++) {
        for (; j < s->frames.contact_count && zn_contact_id_compare(s->frames.contact[j].contact, s->set->id[i]) < 0;
             j++)
            ZN_TRY(place_by_id(s, &s->frames.contact[j], &number));
        bool acts = j < s->frames.contact_count && zn_contact_id_same(s->frames.contact[j].contact, s->set->id[i]);
        acted += acts;
        ZN_TRY(place_contact(s, s->set->id[i], s->set->piece[i], s->set->gap[i], acts ? &s->frames.contact[j] : NULL,
                             &number));
        j += acts;
    }
    for (; j < s->frames.contact_count; j++)
        ZN_TRY(place_by_id(s, &s->frames.contact[j], &number));
    if (acted < s->frames.contact_count && s->info.boundary_node_count > 0)
        ZN_TRY(place_lost(s, &number));
    *count = number;
    return ZN_OK;
}
