// The machine of a report: nodes, cells, bodies, links and surfaces as JSON and arrays.
#include <stdio.h>

#include "view/report.h"

#include <stdlib.h>

#include "model/look.h"

static void put_vector(zn_report_out *out, const char *key, zn_vec3 v)
{
    zn_report_numbers(out, key, 3, (double[3]){v.x, v.y, v.z});
}

static void put_attachment(zn_report_out *out, const char *key, zn_attachment a)
{
    zn_report_open(out, key, '{');
    zn_report_count(out, "node", a.node.value - 1);
    put_vector(out, "at", a.at);
    zn_report_close(out, '}');
}

// What the model says of it; nothing: the page chooses.
static void put_colour(zn_report_out *out, const zn_drawing *d)
{
    char text[8] = "";
    if (d->colour.given)
        snprintf(text, sizeof text, "#%02x%02x%02x", d->colour.red, d->colour.green, d->colour.blue);
    zn_report_text(out, "colour", text);
    zn_report_number(out, "opacity", 1 - d->transparency);
}

// Points and triangles of all bodies are arrays of their own: there may be too many for text.
static void put_places(zn_report_out *out, const zn_drawing *d, int *points, int *triangles)
{
    zn_report_count(out, "first_point", *points);
    zn_report_count(out, "point_count", d->point_count);
    zn_report_count(out, "first_triangle", *triangles);
    zn_report_count(out, "triangle_count", d->triangle_count);
    *points += d->point_count;
    *triangles += d->triangle_count;
}

static void put_bodies(zn_report_out *out, const zn_scene_info *info)
{
    int points = 0, triangles = 0;
    zn_report_open(out, "bodies", '[');
    for (int i = 0; i < info->body_count; i++) {
        const zn_scene_body *b = &info->bodies[i];
        const zn_drawing    *d = &b->drawing;
        zn_quat              r = d->rotation;
        zn_report_open(out, NULL, '{');
        zn_report_text(out, "name", b->name);
        zn_report_count(out, "node", b->node);
        zn_report_number(out, "mass", b->mass);
        zn_report_bool(out, "derived", b->derived);
        zn_report_bool(out, "piece", b->piece);
        zn_report_text(out, "kind", zn_drawing_word(d->kind));
        zn_report_number(out, "radius", d->radius);
        put_vector(out, "centre", d->centre);
        put_vector(out, "size", d->size);
        put_vector(out, "axis", d->axis);
        zn_report_numbers(out, "rotation", 4, (double[4]){r.x, r.y, r.z, r.w});
        zn_report_bool(out, "open", d->open);
        zn_report_count(out, "left_out", b->left_out);
        put_colour(out, d);
        put_places(out, d, &points, &triangles);
        zn_report_close(out, '}');
    }
    zn_report_close(out, ']');
}

static void put_links(zn_report_out *out, const zn_scene_info *info)
{
    zn_report_open(out, "links", '[');
    for (int i = 0; i < info->link_count; i++) {
        zn_report_open(out, NULL, '{');
        zn_report_text(out, "name", info->links[i].name);
        zn_report_text(out, "kind", zn_link_word(info->links[i].kind));
        put_attachment(out, "a", info->links[i].a);
        put_attachment(out, "b", info->links[i].b);
        zn_report_close(out, '}');
    }
    zn_report_close(out, ']');
}

static void put_surfaces(zn_report_out *out, const zn_scene_info *info)
{
    zn_report_open(out, "surfaces", '[');
    for (int i = 0; i < info->surface_count; i++) {
        const zn_scene_surface *s = &info->surfaces[i];
        zn_report_open(out, NULL, '{');
        zn_report_text(out, "name", s->name);
        zn_report_text(out, "kind", s->rim ? "rim" : zn_surface_word(s->kind));
        zn_report_count(out, "node", s->node);
        put_vector(out, "through", s->through);
        put_vector(out, "direction", s->direction);
        put_vector(out, "along", s->along);
        zn_report_number(out, "size", s->size);
        zn_report_number(out, "taper", s->taper);
        zn_report_numbers(out, "half", 2, s->half);
        zn_report_close(out, '}');
    }
    zn_report_close(out, ']');
}

static void put_block(zn_report_out *out, const zn_scene_block *b)
{
    zn_report_open(out, NULL, '{');
    zn_report_text(out, "kind", b->kind);
    zn_report_count(out, "dim", b->dim);
    zn_report_count(out, "nodes", b->nodes);
    zn_report_count(out, "first", b->first);
    zn_report_count(out, "count", b->count);
    zn_report_text(out, "stress", b->stress_name);
    zn_report_text(out, "unit", b->stress_unit);
    zn_report_bool(out, "turns", b->axes != NULL);
    zn_report_open(out, "faces", '[');
    for (int f = 0; f < b->face_count; f++) {
        zn_report_open(out, NULL, '[');
        for (int k = 0; k < b->face_nodes; k++)
            zn_report_count(out, NULL, b->faces[f * b->face_nodes + k]);
        zn_report_close(out, ']');
    }
    zn_report_close(out, ']');
    zn_report_close(out, '}');
}

static void put_parts(zn_report_out *out, const zn_scene_info *info)
{
    zn_report_open(out, "parts", '[');
    for (int i = 0; i < info->part_count; i++) {
        const zn_scene_part *p = &info->parts[i];
        zn_report_open(out, NULL, '{');
        zn_report_text(out, "name", p->name);
        zn_report_bool(out, "held", p->held);
        zn_report_bool(out, "round", p->round);
        zn_report_bool(out, "equivalent", p->equivalent);
        zn_report_number(out, "height", p->height);
        zn_report_number(out, "width", p->width);
        zn_report_close(out, '}');
    }
    zn_report_close(out, ']');
    zn_report_open(out, "blocks", '[');
    for (int i = 0; i < info->block_count; i++) {
        put_block(out, &info->blocks[i]);
    }
    zn_report_close(out, ']');
}

// x, y, z, w, as the page wants quaternions
static void put_axes(zn_report *report, const zn_scene_block *b, int number)
{
    zn_report_out *out = &report->out;
    char           name[ZN_REPORT_NAME];
    zn_report_array_begin(out, zn_report_name(report, "axes", number, name), "f4");
    for (int i = 0; i < b->count * b->nodes; i++) {
        zn_quat q = b->axes[i];
        zn_report_bytes(out, (float[4]){(float)q.x, (float)q.y, (float)q.z, (float)q.w}, 4 * sizeof(float));
    }
    zn_report_array_end(out);
}

static void put_boundaries(zn_report_out *out, const zn_scene_info *info)
{
    zn_report_open(out, "boundaries", '[');
    for (int i = 0; i < info->boundary_count; i++) {
        const zn_scene_boundary *b = &info->boundaries[i];
        zn_report_open(out, NULL, '{');
        zn_report_text(out, "name", b->name);
        zn_report_bool(out, "closed", b->closed);
        zn_report_count(out, "first", b->first);
        zn_report_count(out, "count", b->count);
        zn_report_close(out, '}');
    }
    zn_report_close(out, ']');
}

static void put_points(zn_report *report, const zn_scene_info *info)
{
    zn_report_out *out = &report->out;
    char           name[ZN_REPORT_NAME];
    zn_report_array_begin(out, zn_report_name(report, "body_points", -1, name), "f4");
    for (int b = 0; b < info->body_count; b++) {
        const zn_drawing *d = &info->bodies[b].drawing;
        for (int i = 0; i < d->point_count; i++)
            zn_report_bytes(out, (float[3]){(float)d->points[i].x, (float)d->points[i].y, (float)d->points[i].z},
                            3 * sizeof(float));
    }
    zn_report_array_end(out);
    zn_report_array_begin(out, zn_report_name(report, "body_triangles", -1, name), "i4");
    for (int b = 0; b < info->body_count; b++) {
        const zn_drawing *d = &info->bodies[b].drawing;
        if (d->triangle_count > 0)
            zn_report_bytes(out, d->triangles, 3 * sizeof(int) * (size_t)d->triangle_count);
    }
    zn_report_array_end(out);
}

static void put_arrays(zn_report *report, const zn_scene_info *info)
{
    zn_report_out *out = &report->out;
    char           name[ZN_REPORT_NAME];
    zn_report_array_begin(out, zn_report_name(report, "kind", -1, name), "u1");
    for (int i = 0; i < info->node_count; i++)
        zn_report_bytes(out, &(unsigned char){(unsigned char)info->node_kind[i]}, 1);
    zn_report_array_end(out);
    zn_report_array_begin(out, zn_report_name(report, "reference", -1, name), "f4");
    for (int i = 0; i < info->node_count; i++) {
        zn_vec3 x = info->reference[i];
        zn_report_bytes(out, (float[3]){(float)x.x, (float)x.y, (float)x.z}, 3 * sizeof(float));
    }
    zn_report_array_end(out);
    zn_report_array(out, zn_report_name(report, "boundary_node", -1, name), "i4", info->boundary_nodes,
                    info->boundary_count > 0 ? sizeof(int) * (size_t)info->boundary_node_count : 0);
    put_points(report, info);
    for (int i = 0; i < info->block_count; i++) {
        const zn_scene_block *b = &info->blocks[i];
        zn_report_array(out, zn_report_name(report, "cells", i, name), "i4", b->node,
                        sizeof(int) * (size_t)b->count * (size_t)b->nodes);
        zn_report_array(out, zn_report_name(report, "owner", i, name), "i4", b->part, sizeof(int) * (size_t)b->count);
        if (b->axes != NULL)
            put_axes(report, b, i);
    }
}

void zn_report_geometry(zn_report *report, const zn_scene_info *info, int64_t frames)
{
    zn_report_out *out = &report->out;
    char           name[ZN_REPORT_NAME];
    zn_report_json_begin(out, zn_report_name(report, "scene", -1, name));
    zn_report_open(out, NULL, '{');
    zn_report_bool(out, "planar", info->planar);
    zn_report_count(out, "nodes", info->node_count);
    zn_report_count(out, "cells", info->cell_count);
    zn_report_count(out, "outlines", info->outline_count);
    zn_report_count(out, "frames", frames);
    zn_report_count(out, "frames_recorded", info->frame_count);
    put_bodies(out, info);
    put_links(out, info);
    put_surfaces(out, info);
    put_parts(out, info);
    put_boundaries(out, info);
    zn_report_close(out, '}');
    zn_report_json_end(out);
    put_arrays(report, info);
}
