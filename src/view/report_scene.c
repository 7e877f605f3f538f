// Frames of a report, four bytes for each value. When they do not fit, every n-th is kept; impulses, iterations and
// contacts of those left out go into the next one, so that nothing that happened is lost.
#include "view/report.h"
#include "view/report_patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FRAMES_LEAST = 10, OPEN_MOST = 200, CONTACT_VALUES = 10, OUTLINE = 3 * ZN_OUTLINE_POINTS };

// One array over all frames: `width` values for each.
typedef struct track {
    const char *name;
    size_t      width;
    float      *values;
} track;

enum { TRACK_U, TRACK_V, TRACK_TURN, TRACK_ENERGY, TRACK_STRESS, TRACK_OUTLINE, TRACK_EFFORT, TRACK_PRESSURE, TRACKS };

typedef struct film {
    zn_scene         *scene;
    zn_scene_info     info;
    int               dim, turning; // coordinates of a position; nodes that turn
    int64_t           stride, count, kept;
    track             track[TRACKS];
    double           *time, *ledger;
    double            effort[ZN_EFFORT_COLUMNS]; // since the last frame that was kept
    double            time_before, time_kept;    // of the frame before, of the last one that was kept
    // contacts
    int               acted_count, acted_capacity;
    zn_scene_contact *acted;                             // since the last frame that was kept, ascending ids
    int               shown_count, shown_capacity, most; // most: of one frame
    zn_scene_contact *shown;                             // of all frames
    int              *shown_end;
    int               name_count, name_capacity;
    const char      **names;
    int               merged_capacity;
    zn_scene_contact *merged; // of one frame, with all that acted since the last one that was kept
    zn_report_patches patches;
} film;

// --- plan ----------------------------------------------------------------------------------------

static int count_turning(const zn_scene_info *info)
{
    int count = 0;
    for (int i = 0; i < info->node_count; i++)
        count += info->node_kind[i] == ZN_FRAME2 || info->node_kind[i] == ZN_FRAME3;
    return count;
}

static zn_status plan(const zn_report *report, zn_scene *scene, film *f)
{
    *f = (film){.scene = scene, .info = zn_scene_get_info(scene)};
    f->dim = f->info.planar ? 2 : 3;
    f->turning = count_turning(&f->info);
    size_t      nodes = (size_t)f->info.node_count * (size_t)f->dim, cells = (size_t)f->info.cell_count;
    const track tracks[TRACKS] = {{"u", nodes, NULL},
                                  {"v", nodes, NULL},
                                  {"turn", (size_t)f->turning * (f->info.planar ? 1 : 4), NULL},
                                  {"energy", cells, NULL},
                                  {"stress", cells, NULL},
                                  {"outline", (size_t)f->info.outline_count * OUTLINE, NULL},
                                  {"effort", ZN_EFFORT_COLUMNS, NULL},
                                  {"pressure", (size_t)f->info.boundary_node_count, NULL}};
    double      width = 0, recorded = (double)f->info.frame_count;
    memcpy(f->track, tracks, sizeof tracks);
    for (int i = 0; i < TRACKS; i++)
        width += (double)tracks[i].width;
    double fit = fmax(floor(0.8 * report->scene_values / width), FRAMES_LEAST);
    f->stride = (int64_t)fmax(ceil((recorded - 1) / fit), 1);
    f->count = f->info.frame_count == 0 ? 0 : 1 + (f->info.frame_count - 1 + f->stride - 1) / f->stride;
    f->most = 1 + (int)(0.2 * report->scene_values / CONTACT_VALUES / fmax((double)f->count, 1));
    bool ok = (f->time = ZN_NEW(double, f->count)) != NULL && (f->shown_end = ZN_NEW(int, f->count)) != NULL &&
              (f->ledger = ZN_NEW(double, (size_t)f->count *ZN_LEDGER_LINES)) != NULL;
    for (int i = 0; i < TRACKS && ok; i++)
        ok = (f->track[i].values = ZN_NEW(float, (size_t)f->count * f->track[i].width)) != NULL;
    return ok ? ZN_OK : ZN_ERR_MEMORY;
}

static void film_free(film *f)
{
    for (int i = 0; i < TRACKS; i++)
        free(f->track[i].values);
    free(f->time);
    free(f->ledger);
    free(f->acted);
    free(f->shown);
    free(f->shown_end);
    free((void *)f->names);
    free(f->merged);
    zn_report_patches_free(&f->patches);
}

// --- contacts ------------------------------------------------------------------------------------

static int find_acted(const film *f, zn_contact_id id)
{
    int low = 0, high = f->acted_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (zn_contact_id_compare(f->acted[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Gather what acted in one frame.
static zn_status add_acted(film *f, const zn_scene_frame *frame)
{
    for (int i = 0; i < frame->contact_count; i++) {
        const zn_scene_contact *c = &frame->contacts[i];
        int                     at = find_acted(f, c->id);
        if (c->state == ZN_CONTACT_OPEN)
            continue;
        if (at < f->acted_count && zn_contact_id_same(f->acted[at].id, c->id)) {
            f->acted[at].state = c->state;
            f->acted[at].impulse = zn_vec3_add(f->acted[at].impulse, c->impulse);
            continue;
        }
        ZN_TRY(ZN_PUSH(f->acted, f->acted_count, f->acted_capacity, *c));
        memmove(&f->acted[at + 1], &f->acted[at], sizeof *f->acted * (size_t)(f->acted_count - 1 - at));
        f->acted[at] = *c;
    }
    return ZN_OK;
}

static int stronger(const void *a, const void *b)
{
    double p = zn_vec3_norm(((const zn_scene_contact *)a)->impulse),
           q = zn_vec3_norm(((const zn_scene_contact *)b)->impulse);
    return p < q ? 1 : p > q ? -1 : 0;
}

static zn_status merge_contacts(film *f, const zn_scene_frame *frame)
{
    ZN_TRY(zn_grow(&f->merged, &f->merged_capacity, frame->contact_count, sizeof *f->merged));
    for (int i = 0; i < frame->contact_count; i++) {
        zn_scene_contact c = frame->contacts[i];
        int              at = find_acted(f, c.id);
        if (at < f->acted_count && zn_contact_id_same(f->acted[at].id, c.id)) {
            c.state = f->acted[at].state;
            c.impulse = f->acted[at].impulse;
        }
        f->merged[i] = c;
    }
    double time = f->info.statics ? 1 : frame->t - f->time_kept;
    return zn_report_patches_add(&f->patches, f->info.planar, frame->position, frame->contact_count, f->merged, time,
                                 f->most / 2);
}

// Contacts of a frame that is kept; of very many those that act, the strongest of them.
static zn_status show_contacts(film *f, const zn_scene_frame *frame)
{
    int first = f->shown_count;
    ZN_TRY(merge_contacts(f, frame));
    for (int i = 0; i < frame->contact_count; i++)
        if (f->merged[i].state != ZN_CONTACT_OPEN || frame->contact_count <= OPEN_MOST)
            ZN_TRY(ZN_PUSH(f->shown, f->shown_count, f->shown_capacity, f->merged[i]));
    if (f->shown_count - first > f->most) {
        qsort(&f->shown[first], (size_t)(f->shown_count - first), sizeof *f->shown, stronger);
        f->shown_count = first + f->most;
    }
    f->acted_count = 0;
    f->shown_end[f->kept] = f->shown_count;
    return ZN_OK;
}

// --- one frame -----------------------------------------------------------------------------------

static void put_vectors(float *out, int dim, int count, const zn_vec3 *v)
{
    for (int i = 0; i < count; i++) {
        const double x[3] = {v[i].x, v[i].y, v[i].z};
        for (int k = 0; k < dim; k++)
            *out++ = (float)x[k];
    }
}

static void put_turning(const film *f, const zn_scene_frame *frame, float *out)
{
    for (int i = 0; i < f->info.node_count; i++) {
        zn_quat r = frame->rotation[i];
        if (f->info.node_kind[i] == ZN_FRAME2)
            *out++ = (float)(2 * atan2(r.z, r.w));
        else if (f->info.node_kind[i] == ZN_FRAME3) {
            const float q[4] = {(float)r.x, (float)r.y, (float)r.z, (float)r.w};
            memcpy(out, q, sizeof q);
            out += 4;
        }
    }
}

static float *row(const film *f, int which) { return f->track[which].values + (size_t)f->kept * f->track[which].width; }

// Means between two frames that are kept, of those between all frames; load steps stand for themselves.
static void add_pressure(film *f, const zn_scene_frame *frame, bool first)
{
    float *sum = row(f, TRACK_PRESSURE);
    double passed = first ? 0 : frame->t - f->time_before, all = first ? 0 : frame->t - f->time_kept;
    for (int i = 0; i < f->info.boundary_node_count; i++) {
        double before = all > passed && !f->info.statics ? sum[i] * (all - passed) : 0;
        double value = f->info.statics ? frame->pressure[i]
                       : all > 0       ? (before + frame->pressure[i] * passed) / all
                                       : 0;
        sum[i] = (float)value;
    }
    f->time_before = frame->t;
}

static void put_frame(film *f, const zn_scene_frame *frame)
{
    f->time[f->kept] = frame->t;
    memcpy(f->ledger + f->kept * ZN_LEDGER_LINES, frame->ledger, sizeof *f->ledger * ZN_LEDGER_LINES);
    put_vectors(row(f, TRACK_U), f->dim, f->info.node_count, frame->displacement);
    put_vectors(row(f, TRACK_V), f->dim, f->info.node_count, frame->velocity);
    put_turning(f, frame, row(f, TRACK_TURN));
    for (int i = 0; i < f->info.cell_count; i++) {
        row(f, TRACK_ENERGY)[i] = (float)frame->energy[i];
        row(f, TRACK_STRESS)[i] = (float)frame->stress[i];
    }
    for (int i = 0; i < f->info.outline_count; i++) {
        float *out = row(f, TRACK_OUTLINE) + (size_t)i * OUTLINE;
        for (int k = 0; k < OUTLINE; k++)
            out[k] = NAN; // what an outline does not use
        put_vectors(out, 3, frame->outline_size[i], frame->outline + (size_t)i * ZN_OUTLINE_POINTS);
    }
    for (int i = 0; i < ZN_EFFORT_COLUMNS; i++)
        row(f, TRACK_EFFORT)[i] = (float)f->effort[i];
    memset(f->effort, 0, sizeof f->effort);
}

static zn_status take(film *f)
{
    for (int64_t i = 0; i < f->info.frame_count; i++) {
        zn_scene_frame frame;
        ZN_TRY(zn_scene_read(f->scene, i, &frame));
        for (int k = 0; k < ZN_EFFORT_COLUMNS; k++)
            f->effort[k] =
                k < ZN_EFFORT_newton_max ? f->effort[k] + frame.effort[k] : fmax(f->effort[k], frame.effort[k]);
        ZN_TRY(add_acted(f, &frame));
        add_pressure(f, &frame, i == 0);
        if (i % f->stride != 0 && i + 1 < f->info.frame_count)
            continue;
        put_frame(f, &frame);
        ZN_TRY(show_contacts(f, &frame));
        f->time_kept = frame.t;
        f->kept++;
    }
    return ZN_OK;
}

// --- out -----------------------------------------------------------------------------------------

static int name_index(film *f, const char *name)
{
    for (int i = 0; i < f->name_count; i++)
        if (f->names[i] == name) // one text for all contacts of a rule
            return i;
    return ZN_PUSH(f->names, f->name_count, f->name_capacity, name) == ZN_OK ? f->name_count - 1 : 0;
}

static void put_contacts(zn_report *report, film *f)
{
    zn_report_out *out = &report->out;
    char           name[ZN_REPORT_NAME];
    zn_report_array(out, zn_report_name(report, "contact_end", -1, name), "i4", f->shown_end,
                    sizeof(int) * (size_t)f->kept);
    zn_report_array_begin(out, zn_report_name(report, "contact_name", -1, name), "i4");
    for (int i = 0; i < f->shown_count; i++)
        zn_report_bytes(out, &(int){name_index(f, f->shown[i].name)}, sizeof(int));
    zn_report_array_end(out);
    zn_report_array_begin(out, zn_report_name(report, "contact_state", -1, name), "u1");
    for (int i = 0; i < f->shown_count; i++)
        zn_report_bytes(out, &(unsigned char){(unsigned char)f->shown[i].state}, 1);
    zn_report_array_end(out);
    zn_report_array_begin(out, zn_report_name(report, "contact_in_patch", -1, name), "u1");
    for (int i = 0; i < f->shown_count; i++)
        zn_report_bytes(out, &(unsigned char){f->shown[i].patch >= 0}, 1);
    zn_report_array_end(out);
    zn_report_array_begin(out, zn_report_name(report, "contact", -1, name), "f4");
    for (int i = 0; i < f->shown_count; i++) {
        const zn_scene_contact *c = &f->shown[i];
        float                   values[CONTACT_VALUES] = {(float)c->gap};
        put_vectors(values + 1, 3, 3, (zn_vec3[3]){c->position, c->normal, c->impulse});
        zn_report_bytes(out, values, sizeof values);
    }
    zn_report_array_end(out);
    zn_report_json_begin(out, zn_report_name(report, "contact_names", -1, name));
    zn_report_open(out, NULL, '[');
    for (int i = 0; i < f->name_count; i++)
        zn_report_text(out, NULL, f->names[i]);
    zn_report_close(out, ']');
    zn_report_json_end(out);
}

// Boundaries on which nothing ever pressed are not shown.
static void drop_unpressed(film *f)
{
    track *t = &f->track[TRACK_PRESSURE];
    bool   any = false;
    for (size_t i = 0; i < (size_t)f->kept * t->width && !any; i++)
        any = t->values[i] != 0;
    if (any)
        return;
    t->width = 0;
    f->info.boundary_count = 0;
}

static bool has_facets(const film *f)
{
    for (int i = 0; i < f->shown_count; i++)
        if (f->shown[i].corners > 0)
            return true;
    return false;
}

// Facets that contacts act on, by their nodes; nothing where there is none.
static void put_facets(zn_report *report, const film *f)
{
    char name[ZN_REPORT_NAME];
    int  count = has_facets(f) ? f->shown_count : 0;
    zn_report_array_begin(&report->out, zn_report_name(report, "contact_facet", -1, name), "i4");
    for (int i = 0; i < count; i++)
        zn_report_bytes(&report->out, f->shown[i].corner, sizeof f->shown[i].corner);
    zn_report_array_end(&report->out);
}

zn_status zn_report_scene(zn_report *report, zn_scene *scene)
{
    film      f;
    char      name[ZN_REPORT_NAME];
    zn_status status = plan(report, scene, &f);
    if (status == ZN_OK)
        status = take(&f);
    if (status == ZN_OK) {
        drop_unpressed(&f);
        zn_report_geometry(report, &f.info, f.kept);
        zn_report_array(&report->out, zn_report_name(report, "frame_time", -1, name), "f8", f.time,
                        sizeof *f.time * (size_t)f.kept);
        zn_report_array(&report->out, zn_report_name(report, "frame_ledger", -1, name), "f8", f.ledger,
                        sizeof *f.ledger * (size_t)f.kept * ZN_LEDGER_LINES);
        for (int i = 0; i < TRACKS; i++)
            zn_report_array(&report->out, zn_report_name(report, f.track[i].name, -1, name), "f4", f.track[i].values,
                            sizeof(float) * (size_t)f.kept * f.track[i].width);
        put_contacts(report, &f);
        put_facets(report, &f);
        status = zn_report_patches_put(report, &f.patches, &f.info);
    }
    film_free(&f);
    return status;
}
