// Bodies of a scene. Where the model does not say how a body looks, its shape follows from what is known of it, in this
// order: a circle it carries or touches with, the hull of its contact points and joints, a link between two joints, the
// box that has its inertia.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "view/flat_hull.h"
#include "view/outline.h"
#include "view/scene.h"
#include "view/thin_mesh.h"
#include "model/contact/shape.h"

enum { POINTS_MAX = 512, FEW_TRIANGLES = 100 };

// What is known of the shape of one body, in its axes.
typedef struct hints {
    int     touching, joined; // points: contacts first, then joints and springs
    zn_vec3 point[POINTS_MAX];
    double  radius; // of a circle; 0: none
    zn_vec3 centre;
} hints;

// --- what is known -------------------------------------------------------------------------------

static void add_point(hints *h, zn_vec3 at)
{
    for (int i = 0; i < h->touching + h->joined; i++)
        if (zn_vec3_norm(zn_vec3_sub(h->point[i], at)) <= 1e-12 * (1 + zn_vec3_norm(at)))
            return;
    if (h->touching + h->joined < POINTS_MAX / 2) // the mirrored ones need room too
        h->point[h->touching + h->joined++] = at;
}

static void add_circle(hints *h, zn_vec3 centre, double radius)
{
    if (radius > h->radius) {
        h->radius = radius;
        h->centre = centre;
    }
}

typedef struct body_hints {
    int    node;
    hints *h;
} body_hints;

static void add_touching(void *user, const zn_attachment *at, double radius)
{
    const body_hints *to = user;
    if (at->node.value - 1 != to->node)
        return;
    if (radius > 0)
        add_circle(to->h, at->at, radius);
    else
        add_point(to->h, at->at);
}

bool zn_scene_is_pin(const zn_model *model, int rule)
{
    for (int i = 0; i < model->journals; i++) {
        const zn_journal *j = &model->journal[i];
        if (!j->block && rule >= j->first && rule < j->first + j->rules)
            return true;
    }
    return false;
}

static void gather_journals(const zn_model *model, int node, hints *h)
{
    for (int i = 0; i < model->journals; i++) {
        const zn_journal *j = &model->journal[i];
        if (j->a.node.value - 1 == node)
            add_point(h, j->a.at);
        if (j->b.node.value - 1 == node)
            add_point(h, j->b.at);
    }
}

static void gather_contacts(const zn_model *model, int node, hints *h)
{
    body_hints to = {node, h};
    for (int r = 0; r < model->rules; r++)
        if (model->rule[r].ops->touch != NULL && !zn_scene_is_pin(model, r))
            model->rule[r].ops->touch(model->rule[r].parameter, add_touching, &to);
    h->touching = h->joined;
    h->joined = 0;
}

static void gather(const zn_scene *s, int node, hints *h)
{
    h->touching = h->joined = 0;
    h->radius = 0;
    gather_contacts(s->sys->model, node, h);
    for (int i = 0; i < s->info.link_count; i++) {
        const zn_scene_link *link = &s->link[i];
        if (link->a.node.value - 1 == node)
            add_point(h, link->a.at);
        if (link->b.node.value - 1 == node)
            add_point(h, link->b.at);
    }
    gather_journals(s->sys->model, node, h);
}

// --- in the plane --------------------------------------------------------------------------------

static double turn(zn_vec3 a, zn_vec3 b, zn_vec3 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

static bool holds_centre(int count, const zn_vec3 *hull)
{
    for (int i = 0; i < count; i++)
        if (turn(hull[i], hull[(i + 1) % count], (zn_vec3){0, 0, 0}) <= 0)
            return false;
    return count > 2;
}

static double extent_of(int count, const zn_vec3 *point)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            size = fmax(size, zn_vec3_norm(zn_vec3_sub(point[i], point[k])));
    return size;
}

// Points of a body that is symmetric about its centre of mass.
static int mirror(hints *h)
{
    int count = h->touching;
    for (int i = 0; i < h->touching; i++)
        h->point[count++] = zn_vec3_scale(-1, h->point[i]);
    return count;
}

static bool outline(int count, zn_vec3 *hull, zn_drawing *d, zn_vec3 **kept)
{
    double size = extent_of(count, hull);
    if (count < 3 || zn_flat_area(count, hull) < 1e-6 * size * size)
        return false;
    *kept = ZN_NEW(zn_vec3, count);
    if (*kept == NULL)
        return false;
    memcpy(*kept, hull, sizeof *hull * (size_t)count);
    *d = (zn_drawing){.kind = ZN_DRAWING_POLYGON, .point_count = count, .points = *kept};
    return true;
}

// The two points farthest from each other, as a bar between them.
static bool link_shape(bool planar, int count, const zn_vec3 *point, zn_drawing *d, zn_vec3 **kept)
{
    zn_vec3 a = {0}, b = {0};
    double  length = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (zn_vec3_norm(zn_vec3_sub(point[i], point[k])) > length) {
                a = point[i];
                b = point[k];
                length = zn_vec3_norm(zn_vec3_sub(a, b));
            }
    if (!(length > 0))
        return false;
    zn_vec3 axis = zn_vec3_scale(1 / length, zn_vec3_sub(b, a)),
            side = {-0.03 * length * axis.y, 0.03 * length * axis.x, 0};
    *d = (zn_drawing){.kind = ZN_DRAWING_CYLINDER,
                      .radius = 0.03 * length,
                      .size = {length, 0, 0},
                      .axis = axis,
                      .centre = zn_vec3_scale(0.5, zn_vec3_add(a, b))};
    if (!planar)
        return true;
    zn_vec3 hull[4] = {zn_vec3_sub(a, side), zn_vec3_sub(b, side), zn_vec3_add(b, side), zn_vec3_add(a, side)};
    return outline(4, hull, d, kept);
}

static bool planar_shape(hints *h, zn_drawing *d, zn_vec3 **kept)
{
    zn_vec3 hull[POINTS_MAX + 1], all[POINTS_MAX];
    int     count = h->touching + h->joined;
    memcpy(all, h->point, sizeof *all * (size_t)count);
    int size = count > 1 ? zn_flat_hull(count, all, hull) : 0;
    if (h->touching > 1 && !holds_centre(size, hull)) {
        int doubled = mirror(h);
        memcpy(all, h->point, sizeof *all * (size_t)doubled);
        size = zn_flat_hull(doubled, all, hull);
    }
    return outline(size, hull, d, kept) || link_shape(true, count, h->point, d, kept);
}

// --- in space ------------------------------------------------------------------------------------

// Eight points at all corners of a box along the axes.
static bool box_shape(int count, const zn_vec3 *point, zn_drawing *d)
{
    zn_vec3 low = point[0], high = point[0];
    for (int i = 1; i < count; i++) {
        low = zn_vec3_make(fmin(low.x, point[i].x), fmin(low.y, point[i].y), fmin(low.z, point[i].z));
        high = zn_vec3_make(fmax(high.x, point[i].x), fmax(high.y, point[i].y), fmax(high.z, point[i].z));
    }
    zn_vec3 size = zn_vec3_sub(high, low);
    for (int i = 0; i < count; i++) {
        const double at[3] = {point[i].x, point[i].y, point[i].z}, a[3] = {low.x, low.y, low.z},
                     b[3] = {high.x, high.y, high.z};
        for (int k = 0; k < 3; k++)
            if (fmin(fabs(at[k] - a[k]), fabs(at[k] - b[k])) > 1e-9 * (b[k] - a[k]))
                return false;
    }
    *d = (zn_drawing){.kind = ZN_DRAWING_BOX, .size = size, .centre = zn_vec3_scale(0.5, zn_vec3_add(low, high))};
    return count == 8 && size.x > 0 && size.y > 0 && size.z > 0;
}

// Volume of the largest tetrahedron on the first points and one more: 0 when all are in a plane.
static bool is_flat(int count, const zn_vec3 *point)
{
    double size = extent_of(count, point), most = 0;
    for (int i = 1; i < count; i++)
        for (int k = 1; k < i; k++)
            for (int l = 1; l < k; l++) {
                zn_vec3 a = zn_vec3_sub(point[i], point[0]), b = zn_vec3_sub(point[k], point[0]);
                most = fmax(most, fabs(zn_vec3_dot(zn_vec3_cross(a, b), zn_vec3_sub(point[l], point[0]))));
            }
    return most < 1e-6 * size * size * size;
}

static bool hull_shape(int count, const zn_vec3 *point, zn_drawing *d, zn_vec3 **kept)
{
    enum { MANY = 64 };
    if (count < 4 || is_flat(count < MANY ? count : MANY, point))
        return false;
    *kept = ZN_NEW(zn_vec3, count);
    if (*kept == NULL)
        return false;
    memcpy(*kept, point, sizeof *point * (size_t)count);
    *d = (zn_drawing){.kind = ZN_DRAWING_HULL, .point_count = count, .points = *kept};
    return true;
}

// Points in a plane: a thin plate.
static bool plate_shape(int count, zn_vec3 *point, zn_drawing *d, zn_vec3 **kept)
{
    double  size = extent_of(count, point);
    zn_vec3 normal = {0, 0, 0};
    for (int i = 2; i < count && zn_vec3_norm(normal) < 1e-3 * size * size; i++)
        normal = zn_vec3_cross(zn_vec3_sub(point[1], point[0]), zn_vec3_sub(point[i], point[0]));
    if (count < 3 || count > POINTS_MAX / 2 || !(zn_vec3_norm(normal) >= 1e-3 * size * size))
        return false;
    zn_vec3 half = zn_vec3_scale(0.01 * size / zn_vec3_norm(normal), normal);
    for (int i = 0; i < count; i++) {
        point[count + i] = zn_vec3_sub(point[i], half);
        point[i] = zn_vec3_add(point[i], half);
    }
    return hull_shape(2 * count, point, d, kept);
}

static bool spatial_shape(hints *h, zn_drawing *d, zn_vec3 **kept)
{
    int count = h->touching + h->joined;
    if (h->touching >= 8 && box_shape(h->touching, h->point, d))
        return true;
    if ((count >= 8 && box_shape(count, h->point, d)) || hull_shape(count, h->point, d, kept))
        return true;
    if (h->touching > 2) {
        int doubled = mirror(h);
        if (box_shape(doubled, h->point, d) || hull_shape(doubled, h->point, d, kept))
            return true;
    }
    return plate_shape(count, h->point, d, kept) || link_shape(false, count, h->point, d, kept);
}

// --- by inertia ----------------------------------------------------------------------------------

// Sides of the homogeneous box: a^2 = 6 (J_y + J_z - J_x)/m. In the plane a square.
static zn_drawing inertia_shape(double mass, zn_mat3 J)
{
    double x = 6 * (J.m[1][1] + J.m[2][2] - J.m[0][0]) / mass, y = 6 * (J.m[2][2] + J.m[0][0] - J.m[1][1]) / mass,
           z = 6 * (J.m[0][0] + J.m[1][1] - J.m[2][2]) / mass, least = 1e-3 * fmax(x, fmax(y, z));
    zn_vec3 size = {sqrt(fmax(x, least)), sqrt(fmax(y, least)), sqrt(fmax(z, least))};
    return (zn_drawing){.kind = ZN_DRAWING_BOX, .size = size};
}

// --- by shapes -----------------------------------------------------------------------------------

// A contour around which all is solid: its line, closed by its first point.
static zn_status draw_hole(zn_drawing *d, zn_scene_arrays *kept)
{
    int capacity = d->point_count;
    ZN_TRY(ZN_PUSH(kept->points, d->point_count, capacity, kept->points[0]));
    d->points = kept->points;
    d->open = true;
    return ZN_OK;
}

// What pictures need of a drawing beside what is borrowed: outlines with arcs as points. Those of shapes have the
// inside on their left.
static zn_status settle(bool planar, bool of_shape, zn_drawing *d, zn_scene_arrays *kept)
{
    bool contour = of_shape && d->kind == ZN_DRAWING_POLYGON;
    if (!contour && !zn_outline_needed(d, planar))
        return ZN_OK;
    free(kept->points);
    kept->points = NULL;
    ZN_TRY(zn_outline_of(d, planar, &d->point_count, &kept->points));
    d->kind = ZN_DRAWING_POLYGON;
    d->points = kept->points;
    d->bulges = NULL;
    return contour && !d->open && zn_flat_area(d->point_count, d->points) < 0 ? draw_hole(d, kept) : ZN_OK;
}

// False for a surface without end.
static bool shape_drawing(const zn_named_shape *shape, bool planar, zn_drawing *d)
{
    const zn_shape_ops *ops = zn_shape_ops_of(shape->def.kind);
    if (ops->draw != NULL)
        *d = ops->draw(&shape->def, shape->data, planar);
    return ops->draw != NULL;
}

// --- all bodies ----------------------------------------------------------------------------------

// What the model gives of each node: the first drawing and the first shape that can be drawn, the one after each, or
// -1.
typedef struct looks {
    int *drawing, *next_drawing, *shape, *next_shape;
} looks;

static void looks_free(looks *all)
{
    free(all->drawing);
    free(all->next_drawing);
    free(all->shape);
    free(all->next_shape);
}

static bool looks_list(const zn_model *model, looks *out)
{
    *out = (looks){ZN_NEW(int, model->nodes), ZN_NEW(int, model->drawings), ZN_NEW(int, model->nodes),
                   ZN_NEW(int, model->shapes)};
    if (!(out->drawing && out->next_drawing && out->shape && out->next_shape))
        return false;
    for (int i = 0; i < model->nodes; i++)
        out->drawing[i] = out->shape[i] = -1;
    for (int i = model->drawings - 1; i >= 0; i--) {
        int node = model->drawing[i].node, after = out->drawing[node];
        if (after >= 0 && !model->drawing[after].more)
            continue; // a later one is in its place
        out->next_drawing[i] = after;
        out->drawing[node] = i;
    }
    for (int i = model->shapes - 1; i >= 0; i--) {
        int node = model->shape[i].def.at.node.value - 1;
        if (node < 0 || zn_shape_ops_of(model->shape[i].def.kind)->draw == NULL)
            continue;
        out->next_shape[i] = out->shape[node];
        out->shape[node] = i;
    }
    return true;
}

// A drawing of nothing but a colour leaves the shape as it is.
static const zn_drawing *only_colour(const zn_model *model, const looks *own, int node)
{
    int first = own->drawing[node];
    return first >= 0 && model->drawing[first].drawing.kind == ZN_DRAWING_NONE ? &model->drawing[first].drawing : NULL;
}

static void tint(const zn_drawing *colour, zn_drawing *d)
{
    if (colour == NULL)
        return;
    d->colour = colour->colour;
    d->transparency = colour->transparency;
}

static void derive(zn_scene *s, zn_scene_body *body, zn_mat3 J, hints *h, zn_vec3 **kept)
{
    gather(s, body->node, h);
    if (h->radius > 0 && h->touching == 0) {
        body->drawing = (zn_drawing){.kind = ZN_DRAWING_SPHERE, .radius = h->radius, .centre = h->centre};
        return;
    }
    bool turns = zn_node_rotates(s->kind[body->node]);
    if (turns && (s->info.planar ? planar_shape(h, &body->drawing, kept) : spatial_shape(h, &body->drawing, kept)))
        return;
    if (turns)
        body->drawing = inertia_shape(body->mass, J);
}

// Is it one of its shapes?
static bool choose(zn_scene *s, zn_scene_body *body, zn_mat3 J, const looks *own, hints *h, zn_vec3 **kept)
{
    const zn_model   *model = s->sys->model;
    const zn_drawing *colour = only_colour(model, own, body->node);
    int               first = colour == NULL ? own->drawing[body->node] : -1, shape = own->shape[body->node];
    body->derived = first < 0 && shape < 0;
    if (first >= 0)
        body->drawing = model->drawing[first].drawing;
    else if (shape >= 0)
        shape_drawing(&model->shape[shape], s->info.planar, &body->drawing);
    else
        derive(s, body, J, h, kept);
    tint(colour, &body->drawing);
    return first < 0 && shape >= 0;
}

// Point masses at the corners of a box belong to it.
static bool is_corner(const zn_scene *s, int part)
{
    for (int i = 0; i < s->info.body_count; i++)
        if (s->body[i].name == s->sys->model->part_name[part])
            return true;
    return false;
}

static zn_status push_body(zn_scene *s, const zn_scene_body *body)
{
    ZN_TRY(zn_grow(&s->kept, &s->kept_capacity, s->info.body_count + 1, sizeof *s->kept));
    s->kept[s->info.body_count] = (zn_scene_arrays){0};
    return ZN_PUSH(s->body, s->info.body_count, s->body_capacity, *body);
}

static zn_status settle_last(zn_scene *s, bool of_shape)
{
    int last = s->info.body_count - 1;
    return settle(s->info.planar, of_shape, &s->body[last].drawing, &s->kept[last]);
}

// Further drawings of the body, or its further shapes.
static zn_status add_pieces(zn_scene *s, const char *name, int node, const looks *own)
{
    const zn_model   *model = s->sys->model;
    const zn_drawing *colour = only_colour(model, own, node);
    bool              drawn = own->drawing[node] >= 0 && colour == NULL;
    const int        *next = drawn ? own->next_drawing : own->next_shape;
    int               first = drawn ? own->drawing[node] : own->shape[node];
    for (int i = first >= 0 ? next[first] : -1; i >= 0; i = next[i]) {
        zn_scene_body piece = {.name = name, .node = node, .piece = true};
        if (drawn)
            piece.drawing = model->drawing[i].drawing;
        else
            shape_drawing(&model->shape[i], s->info.planar, &piece.drawing);
        tint(colour, &piece.drawing);
        ZN_TRY(push_body(s, &piece));
        ZN_TRY(settle_last(s, !drawn));
    }
    return ZN_OK;
}

static bool has_inertia(const zn_mat3 *J) { return J->m[0][0] + J->m[1][1] + J->m[2][2] > 0; }

// Bodies of a group, either those that turn or point masses.
static zn_status add_group(zn_scene *s, const zn_element_group *g, bool points, const looks *own, hints *h)
{
    for (int e = 0; e < g->count; e++) {
        zn_scene_body body = {.name = s->sys->model->part_name[g->part[e]], .node = g->node[e]};
        zn_mat3       J;
        g->ops->body(g->parameter + (size_t)e * g->ops->parameter_size, &body.mass, &J);
        if (has_inertia(&J) == points || (points && is_corner(s, g->part[e])))
            continue;
        ZN_TRY(push_body(s, &body));
        int  last = s->info.body_count - 1;
        bool of_shape = choose(s, &s->body[last], J, own, h, &s->kept[last].points);
        ZN_TRY(settle_last(s, of_shape));
        ZN_TRY(add_pieces(s, body.name, body.node, own));
    }
    return ZN_OK;
}

// Shapes that rest.
static zn_status add_ground(zn_scene *s)
{
    const zn_model *model = s->sys->model;
    for (int i = 0; i < model->shapes; i++) {
        zn_scene_body body = {.name = model->shape[i].name, .node = -1};
        if (model->shape[i].def.at.node.value != 0 || !shape_drawing(&model->shape[i], s->info.planar, &body.drawing))
            continue;
        ZN_TRY(push_body(s, &body));
        ZN_TRY(settle_last(s, true));
    }
    return ZN_OK;
}

// Very many triangles are drawn with fewer: every body gives the same share of its own.
static zn_status thin_meshes(zn_scene *s)
{
    double all = 0;
    for (int i = 0; i < s->info.body_count; i++)
        all += zn_triangles_of(&s->body[i].drawing);
    for (int i = 0; i < s->info.body_count && all > ZN_SCENE_TRIANGLES; i++) {
        zn_scene_body *body = &s->body[i];
        zn_drawing    *d = &body->drawing;
        int            count = zn_triangles_of(d);
        zn_thin_mesh   fewer;
        if (count < FEW_TRIANGLES)
            continue;
        ZN_TRY(zn_mesh_thin(d, (int)fmax(count / all * ZN_SCENE_TRIANGLES, FEW_TRIANGLES / 2), &fewer));
        s->kept[i] = (zn_scene_arrays){fewer.points, fewer.triangles};
        d->kind = ZN_DRAWING_MESH;
        d->points = fewer.points;
        d->point_count = fewer.point_count;
        d->triangles = fewer.triangles;
        d->triangle_count = fewer.triangle_count;
        body->left_out = count - fewer.triangle_count;
        zn_log_write(&s->log, ZN_LOG_INFO, "'%s': %d of its %d triangles are drawn", body->name, fewer.triangle_count,
                     count);
    }
    return ZN_OK;
}

zn_status zn_scene_add_bodies(zn_scene *s)
{
    const zn_model *model = s->sys->model;
    hints          *h = ZN_NEW(hints, 1);
    looks           own;
    bool            listed = looks_list(model, &own);
    zn_status       status = h == NULL || !listed ? ZN_ERR_MEMORY : ZN_OK;
    for (int points = 0; points < 2; points++)
        for (int g = 0; g < model->groups && status == ZN_OK; g++)
            if (model->group[g].ops->body != NULL)
                status = add_group(s, &model->group[g], points == 1, &own, h);
    if (status == ZN_OK)
        status = add_ground(s);
    if (status == ZN_OK)
        status = thin_meshes(s);
    looks_free(&own);
    free(h);
    s->info.bodies = s->body;
    return status;
}
