// What `zeno cad` prints: YAML of which `bodies` and each `surface` can be put into a model file as they are.
#include "cad_print.h"

#include <math.h>

static void put_vector(FILE *out, zn_vec3 v) { fprintf(out, "[%.12g, %.12g, %.12g]", v.x, v.y, v.z); }

static void put_inertia(FILE *out, const zn_cad_solid *s, double density)
{
    fputs("inertia: [", out);
    for (int i = 0; i < 3; i++) {
        const double *row = s->inertia.m[i];
        fputs(i > 0 ? ", " : "", out);
        put_vector(out, zn_vec3_make(density * row[0], density * row[1], density * row[2]));
    }
    fputs("]\n", out);
}

static void put_body(FILE *out, const zn_cad_solid *s, const cad_look *look, bool alone)
{
    fprintf(out, "  %s:\n    mass: %.12g\n    ", s->name, look->density * s->volume);
    put_inertia(out, s, look->density);
    fputs("    position: ", out);
    put_vector(out, s->centre);
    if (alone && look->stl != NULL) {
        fprintf(out, "\n    draw: {stl: %s, at: ", look->stl);
        put_vector(out, zn_vec3_scale(-1, s->centre));
        fputs("}", out);
    }
    fputs("\n", out);
}

static void put_extent(FILE *out, const char *name, const zn_cad_solid *s)
{
    fprintf(out, "  %s: {volume: %.12g, area: %.12g, low: ", name, s->volume, s->area);
    put_vector(out, s->low);
    fputs(", high: ", out);
    put_vector(out, s->high);
    fputs("}\n", out);
}

// --- faces ---------------------------------------------------------------------------------------

// Surfaces that contacts have.
static void put_surface(FILE *out, const zn_cad_face *f, zn_vec3 at, const char *body)
{
    fputs("surface: {", out);
    if (body != NULL)
        fprintf(out, "body: %s, ", body);
    fputs("at: ", out);
    put_vector(out, at);
    fprintf(out, f->kind == ZN_CAD_PLANE ? ", plane: " : ", %s: {axis: ", f->word);
    put_vector(out, f->direction);
    if (f->kind == ZN_CAD_PLANE) {
        fprintf(out, ", bounded: {length: %.12g, breadth: %.12g, along: ", f->length, f->breadth);
        put_vector(out, f->along);
        fprintf(out, "}}, covered: %.6g", f->area / (f->length * f->breadth));
    } else
        fprintf(out, ", radius: %.12g, length: %.12g}}", f->radius, f->length);
}

// The others.
static void put_shape(FILE *out, const zn_cad_face *f, zn_vec3 at)
{
    fprintf(out, "%s: {at: ", f->word);
    put_vector(out, at);
    fputs(", axis: ", out);
    put_vector(out, f->direction);
    fprintf(out, ", radius: %.12g", f->radius);
    if (f->kind == ZN_CAD_CONE)
        fprintf(out, ", end_radius: %.12g, length: %.12g", f->end_radius, f->length);
    else if (f->kind == ZN_CAD_SPHERE)
        fprintf(out, ", from: %.12g, to: %.12g", f->from, f->to);
    else
        fprintf(out, ", tube: %.12g, tube_angle: %.6g", f->tube, f->tube_angle);
    fprintf(out, ", hollow: %s}", f->hollow ? "true" : "false");
}

// Differences of places, without what rounding leaves of zeros.
static double clean(double x) { return fabs(x) < 1e-15 ? 0 : x; }

static void put_face(FILE *out, const zn_cad_face *f, const zn_cad_solid *s, bool ground)
{
    zn_vec3 at = ground ? f->at : zn_vec3_sub(f->at, s->centre);
    at = zn_vec3_make(clean(at.x), clean(at.y), clean(at.z));
    fprintf(out, "    %s: {", f->name);
    if (f->kind <= ZN_CAD_BORE)
        put_surface(out, f, at, ground ? NULL : s->name);
    else if (f->kind != ZN_CAD_OTHER)
        put_shape(out, f, at);
    if (f->kind != ZN_CAD_PLANE && f->kind != ZN_CAD_OTHER && f->angle < 2 * acos(-1) * (1 - 1e-9))
        fprintf(out, ", angle: %.6g", f->angle); // only a part of the way around
    fprintf(out, "%sarea: %.12g}\n", f->kind != ZN_CAD_OTHER ? ", " : "", f->area);
}

static void put_faces(FILE *out, const zn_cad *cad, bool ground)
{
    fprintf(out, "faces: # each 'surface' is one of a contact; from the %s\n",
            ground ? "origin of the file" : "centre of mass of its body");
    for (int i = 0; i < cad->solid_count; i++) {
        const zn_cad_solid *s = &cad->solids[i];
        fprintf(out, "  %s:\n", s->name);
        for (int k = 0; k < s->face_count; k++)
            put_face(out, &s->faces[k], s, ground);
    }
}

void cad_print(FILE *out, const zn_cad *cad, const cad_look *look)
{
    bool alone = cad->solid_count == 1;
    fprintf(out, "# %s: %d solid%s of density %.12g kg/m^3; SI units, axes of the file\n", look->step, cad->solid_count,
            alone ? "" : "s", look->density);
    fputs("bodies: # inertia about the centre of mass, position of the centre of mass\n", out);
    for (int i = 0; i < cad->solid_count; i++)
        put_body(out, &cad->solids[i], look, alone);
    if (!alone) {
        fprintf(out, "whole:\n  mass: %.12g\n  ", look->density * cad->whole.volume);
        put_inertia(out, &cad->whole, look->density);
        fputs("  position: ", out);
        put_vector(out, cad->whole.centre);
        fputs("\n", out);
    }
    fputs("solids: # between the corners low and high\n", out);
    for (int i = 0; i < cad->solid_count; i++)
        put_extent(out, cad->solids[i].name, &cad->solids[i]);
    put_faces(out, cad, look->ground);
}
