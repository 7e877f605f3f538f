// Contours, cams and gears: from keys and files to the sides of a shape.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/bind.h"
#include "io/profile.h"
#include "model/model.h"

// What a maker of profiles has said.
static bool is_made(zn_reader *r, const zn_yaml_node *node, zn_status status, const char *message)
{
    r->faults->out_of_memory |= status == ZN_ERR_MEMORY;
    if (status != ZN_OK && status != ZN_ERR_MEMORY)
        zn_complain(r, node, "%s", message);
    return status == ZN_OK;
}

// --- points and paths ------------------------------------------------------------------------------

static bool read_points(zn_reader *r, const zn_yaml_node *node, zn_profile *out)
{
    if (node->kind != ZN_YAML_LIST) {
        zn_complain(r, node, "'points' must be a list of [x, y], found %s", zn_yaml_describe(node));
        return false;
    }
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next) {
        double x, y;
        if (n->kind != ZN_YAML_LIST || n->count != 2) {
            zn_complain(r, n, "a point is [x, y]");
            return false;
        }
        if (!zn_read_number(r, n->first, "points", ZN_DIM_LENGTH, (zn_range){0}, &x) ||
            !zn_read_number(r, n->first->next, "points", ZN_DIM_LENGTH, (zn_range){0}, &y) ||
            !is_made(r, n, zn_profile_add(out, x, y, 0), ""))
            return false;
    }
    return true;
}

static bool read_step(zn_reader *r, const zn_yaml_node *node, bool first, zn_vec3 from, zn_vec3 *to, double *bulge)
{
    zn_path_entry e = {0};
    uint64_t      given = 0;
    if (!zn_schema_read(r, &zn_schema_path, node, &e, &given))
        return false;
    const zn_yaml_node *radius = zn_yaml_get(node, "radius"), *through = zn_yaml_get(node, "through");
    *to = e.to;
    *bulge = 0;
    if (radius != NULL && through != NULL)
        zn_complain_key(r, through, "'through' does not go with 'radius'");
    else if (first && (radius != NULL || through != NULL))
        zn_complain_key(r, radius ? radius : through, "an open path starts at its first entry: no arc leads there");
    else if (radius != NULL && !zn_bulge_of_radius(from, e.to, e.radius, bulge))
        zn_complain(r, radius, "'radius' %g m is too small for an arc between points %g m apart", e.radius,
                    hypot(e.to.x - from.x, e.to.y - from.y));
    else if (through != NULL && !zn_bulge_through(from, e.through, e.to, bulge))
        zn_complain(r, through, "no arc leads there through this point");
    else
        return true;
    return false;
}

// The end of the last step is the start of the first one, turned back where the path comes several times.
static bool read_path(zn_reader *r, const zn_yaml_node *node, int around, zn_profile *out)
{
    bool                list = node->kind == ZN_YAML_LIST;
    const zn_yaml_node *last = list ? node->first : NULL;
    zn_vec3             from = {0}, to;
    zn_path_entry       end = {0};
    double              bulge;
    if (last == NULL) {
        zn_complain(r, node, "'path' must be a list of steps {to: [x, y], ...}, found %s", zn_yaml_describe(node));
        return false;
    }
    while (last->next != NULL)
        last = last->next;
    if (!out->open && !zn_schema_read(r, &zn_schema_path, last, &end, NULL))
        return false;
    double c = zn_cos(2 * zn_acos(-1) / around), s = around > 1 ? zn_sin(2 * zn_acos(-1) / around) : 0;
    from = (zn_vec3){c * end.to.x + s * end.to.y, c * end.to.y - s * end.to.x, 0};
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next, from = to) {
        bool first = out->open && n == node->first;
        if (!read_step(r, n, first, from, &to, &bulge) ||
            (!first && !is_made(r, n, zn_profile_add(out, from.x, from.y, bulge), "")))
            return false;
    }
    return !out->open || is_made(r, node, zn_profile_add(out, from.x, from.y, 0), "");
}

// --- files -----------------------------------------------------------------------------------------

static bool ends_in(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcasecmp(text + a - b, end) == 0;
}

static zn_status parse_file(const zn_input_text *file, bool dxf, const zn_contour_entry *e, zn_profile *out,
                            char *message)
{
    return dxf ? zn_profile_dxf(file->text, file->length, file->path, e->layer, e->tolerance, out, message)
               : zn_profile_csv(file->text, file->length, file->path, out, message);
}

static bool read_file(zn_reader *r, const zn_yaml_node *node, const zn_contour_entry *e, zn_profile *out)
{
    char                message[ZN_PROFILE_MESSAGE] = "";
    zn_input_text       file;
    const zn_yaml_node *at = zn_yaml_get(node, "file"), *layer = zn_yaml_get(node, "layer");
    bool                dxf = ends_in(e->file, ".dxf");
    const char         *name = zn_reader_file(r, e->file);
    if (!dxf && layer != NULL)
        zn_complain_key(r, layer, "'layer' is for DXF files");
    else if (dxf && zn_yaml_get(node, "scale") == NULL)
        zn_complain(r, at, "'scale' is missing: a DXF file has no unit that is certain; 0.001 for millimetres");
    else if (name != NULL) {
        zn_status status = zn_inputs_read(r->inputs, r->path, name, &file, message, sizeof message);
        if (status == ZN_OK)
            status = parse_file(&file, dxf, e, out, message);
        free(file.text);
        free(file.path);
        for (int i = 0; i < out->count; i++)
            out->side[i].start = zn_vec3_scale(e->scale, out->side[i].start);
        return is_made(r, at, status, message);
    }
    return false;
}

// --- contours --------------------------------------------------------------------------------------

// One source, and what goes with it.
static const zn_yaml_node *find_source(zn_reader *r, const zn_yaml_node *node)
{
    static const char *const sources[] = {"points", "path", "file"};
    static const char *const of_file[] = {"scale", "layer", "tolerance"};
    const zn_yaml_node      *found = NULL;
    for (int i = 0; i < 3; i++) {
        const zn_yaml_node *n = zn_yaml_get(node, sources[i]);
        if (n != NULL && found != NULL) {
            zn_complain_key(r, n, "'%s' does not go with '%s'", n->key, found->key);
            return NULL;
        }
        found = n != NULL ? n : found;
    }
    if (found == NULL) {
        zn_complain_key(r, node, "key 'points', 'path' or 'file' is missing");
        return NULL;
    }
    for (int i = 0; i < 3 && strcmp(found->key, "file") != 0; i++)
        if (zn_yaml_get(node, of_file[i]) != NULL) {
            zn_complain_key(r, zn_yaml_get(node, of_file[i]), "'%s' goes with 'file'", of_file[i]);
            return NULL;
        }
    return found;
}

static bool read_contour(zn_reader *r, const zn_yaml_node *node, const zn_contour_entry *e, zn_profile *out)
{
    char                message[ZN_PROFILE_MESSAGE] = "";
    const zn_yaml_node *source = find_source(r, node);
    if (source == NULL)
        return false;
    if (e->around > 1 && (e->file != NULL || e->open || (double)e->around * source->count > ZN_PROFILE_SIDES)) {
        zn_complain_key(r, zn_yaml_get(node, "around"),
                        e->file != NULL || e->open ? "'around' does not go with 'file' and 'open'"
                                                   : "'around': more than a hundred thousand sides");
        return false;
    }
    if (e->open && (e->file != NULL || e->hole)) {
        zn_complain_key(r, zn_yaml_get(node, "open"), "'open' does not go with '%s'", e->hole ? "hole" : "file");
        return false;
    }
    out->open = e->open;
    bool good = e->points ? read_points(r, e->points, out)
                : e->path ? read_path(r, e->path, e->around, out)
                          : read_file(r, node, e, out);
    if (!good || !is_made(r, node, zn_profile_repeat(out, e->around), ""))
        return false;
    zn_profile_orient(out, e->hole);
    return e->rounding == 0 ||
           is_made(r, zn_yaml_get(node, "rounding"), zn_profile_round(out, e->rounding, message), message);
}

// --- cams and gears --------------------------------------------------------------------------------

static int angle(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "angle") == 0 ? 0 : -1;
}

static bool make_cam(zn_reader *r, const zn_cam_entry *e, zn_profile *out)
{
    zn_expression *radius = NULL;
    char           message[ZN_PROFILE_MESSAGE] = "";
    if (!zn_read_formula(r, e->radius, "radius", angle, NULL, &radius))
        return false;
    bool good = !zn_expression_uses_time(radius);
    if (!good)
        zn_complain(r, e->radius, "'radius': a cam does not change with the time t");
    good = good && is_made(r, e->radius, zn_profile_cam(radius, e->tolerance, out, message), message);
    zn_expression_destroy(radius);
    return good;
}

static bool make_gear(zn_reader *r, const zn_yaml_node *node, const zn_gear_entry *e, zn_profile *out)
{
    char    message[ZN_PROFILE_MESSAGE] = "";
    zn_gear g = {.module = e->module,
                 .pressure_angle = e->pressure_angle,
                 .teeth = e->teeth,
                 .addendum = e->addendum > 0 ? e->addendum : e->module,
                 .dedendum = e->dedendum > 0 ? e->dedendum : 1.25 * e->module,
                 .backlash = e->backlash,
                 .internal = e->internal,
                 .tolerance = e->tolerance > 0 ? e->tolerance : 1e-6 * e->module * e->teeth};
    bool    good = is_made(r, node, zn_profile_gear(&g, out, message), message);
    if (good)
        zn_profile_orient(out, e->internal);
    return good;
}

bool zn_bind_contour(zn_builder *b, const zn_yaml_node *node, const zn_outline_entry *e, zn_shape_def *def,
                     zn_profile *out)
{
    zn_reader          *r = &b->reader;
    const zn_yaml_node *contour = zn_yaml_get(node, "contour"), *gear = zn_yaml_get(node, "gear");
    if (!r->planar) {
        zn_complain_key(r,
                        contour ? contour
                        : gear  ? gear
                                : zn_yaml_get(node, "cam"),
                        "contours, cams and gears are for planar models");
        return false;
    }
    bool good = contour ? read_contour(r, contour, &e->contour, out)
                : gear  ? make_gear(r, gear, &e->gear, out)
                        : make_cam(r, &e->cam, out);
    if (good && out->error > 0)
        zn_log_write(&b->model->log, ZN_LOG_INFO, "shape '%s': %d sides, at most %.2g m off its profile", node->key,
                     out->count, out->error);
    def->kind = ZN_SHAPE_CONTOUR;
    def->side_count = out->count;
    def->sides = out->side;
    def->open = out->open;
    def->hole = contour ? e->contour.hole : gear ? e->gear.internal : false;
    return good;
}
