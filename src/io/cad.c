// Data of CAD parts that `zeno cad --extract` has put beside STEP files: tables, reader, and the whole of several
// solids by Steiner's theorem,
//     J = sum J_i + V_i (|d|^2 1 - d d'),   d = c_i - c,   c = sum V_i c_i / V.
#include "io/cad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "io/schema.h"
#include "io/schema_rows.h"
#include "io/text_file.h"

enum { FORMAT = 1, TRIANGLES_MAX = 1 << 30 };

#define FACE_WORDS "plane cylinder bore cone sphere torus"

// --- tables --------------------------------------------------------------------------------------

typedef struct face_entry {
    zn_cad_face face;
    zn_vec3     normal, axis;
} face_entry;

static const zn_schema_key face_keys[] = {
    {"kind", ZN_KEY_TEXT, REQUIRED, FIELD(face_entry, face.word), HELP("")},
    {"area", ZN_KEY_NUMBER, REQUIRED, NOT_NEGATIVE, FIELD(face_entry, face.area), HELP("")},
    {"at", ZN_KEY_VECTOR, FIELD(face_entry, face.at), HELP("")},
    {"normal", ZN_KEY_VECTOR, FIELD(face_entry, normal), HELP("")},
    {"axis", ZN_KEY_VECTOR, FIELD(face_entry, axis), HELP("")},
    {"along", ZN_KEY_VECTOR, FIELD(face_entry, face.along), HELP("")},
    {"length", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(face_entry, face.length), HELP("")},
    {"breadth", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(face_entry, face.breadth), HELP("")},
    {"radius", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(face_entry, face.radius), HELP("")},
    {"end_radius", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(face_entry, face.end_radius), HELP("")},
    {"tube", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(face_entry, face.tube), HELP("")},
    {"from", ZN_KEY_NUMBER, FIELD(face_entry, face.from), HELP("")},
    {"to", ZN_KEY_NUMBER, FIELD(face_entry, face.to), HELP("")},
    {"angle", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(face_entry, face.angle), HELP("")},
    {"tube_angle", ZN_KEY_NUMBER, NOT_NEGATIVE, FIELD(face_entry, face.tube_angle), HELP("")},
    {"hollow", ZN_KEY_BOOL, FIELD(face_entry, face.hollow), HELP("")},
};

typedef struct solid_entry {
    zn_cad_solid        solid;
    const zn_yaml_node *faces;
} solid_entry;

static const zn_schema_key solid_keys[] = {
    {"volume", ZN_KEY_NUMBER, REQUIRED, POSITIVE, FIELD(solid_entry, solid.volume), HELP("")},
    {"area", ZN_KEY_NUMBER, REQUIRED, POSITIVE, FIELD(solid_entry, solid.area), HELP("")},
    {"centre", ZN_KEY_VECTOR, REQUIRED, FIELD(solid_entry, solid.centre), HELP("")},
    {"inertia", ZN_KEY_TENSOR, REQUIRED, POSITIVE, FIELD(solid_entry, solid.inertia), HELP("")},
    {"low", ZN_KEY_VECTOR, REQUIRED, FIELD(solid_entry, solid.low), HELP("")},
    {"high", ZN_KEY_VECTOR, REQUIRED, FIELD(solid_entry, solid.high), HELP("")},
    {"first_triangle", ZN_KEY_INTEGER, REQUIRED, BETWEEN(0, TRIANGLES_MAX), FIELD(solid_entry, solid.first_triangle),
     HELP("")},
    {"triangles", ZN_KEY_INTEGER, REQUIRED, BETWEEN(1, TRIANGLES_MAX), FIELD(solid_entry, solid.triangles), HELP("")},
    {"faces", ZN_KEY_MAP, REQUIRED, FIELD(solid_entry, faces), HELP("")},
};

typedef struct head_entry {
    int                 format;
    const char         *digest, *triangulation;
    const zn_yaml_node *solids;
} head_entry;

static const zn_schema_key head_keys[] = {
    {"zeno_cad", ZN_KEY_INTEGER, REQUIRED, FIELD(head_entry, format), HELP("")},
    {"sha256", ZN_KEY_TEXT, REQUIRED, FIELD(head_entry, digest), HELP("")},
    {"triangulation", ZN_KEY_TEXT, REQUIRED, FIELD(head_entry, triangulation), HELP("")},
    {"solids", ZN_KEY_MAP, REQUIRED, FIELD(head_entry, solids), HELP("")},
};

#define TABLE(name, word)                                                                                              \
    static void            name##_defaults(void *out) { memset(out, 0, sizeof(name##_entry)); }                        \
    static const zn_schema name##_schema = {word, "", "", sizeof(name##_entry), name##_defaults, KEYS(name##_keys)};

TABLE(face, "face")
TABLE(solid, "solid")
TABLE(head, "head")

// --- reading -------------------------------------------------------------------------------------

static bool is_unit(zn_vec3 v) { return fabs(zn_vec3_norm(v) - 1) < 1e-9; }

static bool read_face(zn_reader *r, const zn_yaml_node *node, zn_cad_face *out)
{
    face_entry  e;
    const char *words = FACE_WORDS;
    char        word[64];
    snprintf(r->where, sizeof r->where, "face '%.64s'", node->key);
    face_defaults(&e);
    if (!zn_schema_read(r, &face_schema, node, &e, NULL))
        return false;
    *out = e.face;
    out->name = node->key;
    out->kind = ZN_CAD_PLANE;
    while (zn_next_word(&words, word) && strcmp(word, out->word) != 0)
        out->kind++;
    out->direction = out->kind == ZN_CAD_PLANE ? e.normal : e.axis;
    if (out->kind == ZN_CAD_OTHER || (is_unit(out->direction) && (out->kind != ZN_CAD_PLANE || is_unit(out->along))))
        return true;
    zn_complain(r, node, "a direction is no unit vector");
    return false;
}

static bool read_faces(zn_reader *r, const zn_yaml_node *node, zn_cad_solid *out)
{
    zn_cad_face *face = zn_pool_alloc(r->pool, (size_t)node->count, sizeof *face);
    r->faults->out_of_memory |= face == NULL;
    out->faces = face;
    for (const zn_yaml_node *n = face != NULL ? node->first : NULL; n != NULL; n = n->next)
        if (!read_face(r, n, &face[out->face_count++]))
            return false;
    return face != NULL;
}

static bool read_solid(zn_reader *r, const zn_yaml_node *node, zn_cad_solid *out)
{
    solid_entry e;
    solid_defaults(&e);
    snprintf(r->where, sizeof r->where, "solid '%.64s'", node->key);
    if (!zn_schema_read(r, &solid_schema, node, &e, NULL))
        return false;
    *out = e.solid;
    out->name = node->key;
    return read_faces(r, e.faces, out);
}

static bool read_solids(zn_reader *r, const zn_yaml_node *node, zn_cad *cad)
{
    zn_cad_solid *solid = zn_pool_alloc(r->pool, (size_t)node->count, sizeof *solid);
    r->faults->out_of_memory |= solid == NULL;
    cad->solids = solid;
    if (solid != NULL && node->count == 0)
        zn_complain(r, node, "there is no solid");
    for (const zn_yaml_node *n = solid != NULL ? node->first : NULL; n != NULL; n = n->next)
        if (!read_solid(r, n, &solid[cad->solid_count++]))
            return false;
    return solid != NULL && node->count > 0;
}

static bool is_digest(const char *text)
{
    return strlen(text) == ZN_SHA256_TEXT - 1 && strspn(text, "0123456789abcdef") == ZN_SHA256_TEXT - 1;
}

static bool read_head(zn_reader *r, const zn_yaml_node *root, zn_cad *cad)
{
    head_entry e;
    head_defaults(&e);
    if (!zn_schema_read(r, &head_schema, root, &e, NULL))
        return false;
    cad->digest = e.digest;
    cad->triangulation = e.triangulation;
    if (e.format != FORMAT)
        zn_complain(r, root, "these data have format %d, this program knows %d: run 'zeno cad --extract' again",
                    e.format, (int)FORMAT);
    else if (!is_digest(e.digest))
        zn_complain(r, zn_yaml_get(root, "sha256"), "'sha256' is no digest");
    else if (e.triangulation[0] == '\0' || strchr(e.triangulation, '/') != NULL)
        zn_complain(r, zn_yaml_get(root, "triangulation"), "'triangulation' is no name of a file beside this one");
    else
        return read_solids(r, e.solids, cad);
    return false;
}

// --- the whole -----------------------------------------------------------------------------------

static void add_about(zn_mat3 *J, const zn_cad_solid *s, zn_vec3 centre)
{
    zn_vec3 d = zn_vec3_sub(s->centre, centre);
    double  x[3] = {d.x, d.y, d.z}, square = zn_vec3_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            J->m[i][k] += s->inertia.m[i][k] + s->volume * ((i == k ? square : 0) - x[i] * x[k]);
}

static zn_cad_solid sum_of(int count, const zn_cad_solid *solids)
{
    zn_cad_solid sum = {.low = solids[0].low, .high = solids[0].high};
    zn_vec3      moment = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const zn_cad_solid *s = &solids[i];
        sum.volume += s->volume;
        sum.area += s->area;
        sum.triangles += s->triangles;
        moment = zn_vec3_add(moment, zn_vec3_scale(s->volume, s->centre));
        sum.low = zn_vec3_make(fmin(sum.low.x, s->low.x), fmin(sum.low.y, s->low.y), fmin(sum.low.z, s->low.z));
        sum.high = zn_vec3_make(fmax(sum.high.x, s->high.x), fmax(sum.high.y, s->high.y), fmax(sum.high.z, s->high.z));
    }
    sum.centre = zn_vec3_scale(1 / sum.volume, moment);
    for (int i = 0; i < count; i++)
        add_about(&sum.inertia, &solids[i], sum.centre);
    return sum;
}

// Solids stand in the triangulation one after the other.
static bool check_triangles(zn_reader *r, const zn_yaml_node *root, const zn_cad *cad)
{
    int64_t next = 0;
    for (int i = 0; i < cad->solid_count; next += cad->solids[i++].triangles)
        if (cad->solids[i].first_triangle != next || next > TRIANGLES_MAX) {
            zn_complain(r, root, "solid '%s' does not begin with triangle %lld", cad->solids[i].name, (long long)next);
            return false;
        }
    return next <= TRIANGLES_MAX;
}

// --- text ----------------------------------------------------------------------------------------

zn_cad *zn_cad_destroy(zn_cad *cad)
{
    zn_pool *pool = cad != NULL ? cad->memory : NULL;
    zn_pool_destroy(pool); // holds cad itself, too
    return NULL;
}

// The first fault, as faults are told of other files.
static void tell(const zn_faults *faults, char *message, size_t size)
{
    const zn_fault_entry *e = faults->entry;
    if (faults->count > 0)
        snprintf(message, size, "%s:%d:%d: %s", faults->file, e->line, e->column, e->text);
}

zn_status zn_cad_from_text(const char *text, size_t length, const char *name, zn_cad **out, char *message, size_t size)
{
    zn_pool        *pool = zn_pool_create();
    zn_cad         *cad = pool != NULL ? zn_pool_alloc(pool, 1, sizeof *cad) : NULL;
    zn_fault_entry *entry = pool != NULL ? zn_pool_alloc(pool, ZN_FAULTS_MAX, sizeof *entry) : NULL;
    zn_faults       faults = {.file = name, .entry = entry};
    zn_reader       r = {.pool = pool, .faults = &faults, .path = name};
    zn_yaml_node   *root = NULL;
    if (cad == NULL || entry == NULL) {
        zn_pool_destroy(pool);
        return ZN_ERR_MEMORY;
    }
    cad->memory = pool;
    zn_status status = zn_yaml_parse(text, length, pool, &faults, &root);
    if (status == ZN_OK && !(read_head(&r, root, cad) && check_triangles(&r, root, cad)))
        status = ZN_ERR_MODEL;
    if (faults.out_of_memory)
        status = ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        cad->whole = sum_of(cad->solid_count, cad->solids);
        *out = cad;
        return ZN_OK;
    }
    tell(&faults, message, size);
    zn_cad_destroy(cad);
    return status;
}

zn_status zn_cad_parse(const char *text, size_t size, const char *name, zn_log log, zn_cad **out)
{
    if (!text)
        return ZN_ERR_ARGUMENT;
    char      message[600] = "";
    zn_status status = zn_cad_from_text(text, size, name, out, message, sizeof message);
    return status == ZN_OK ? ZN_OK : zn_fail(&log, status, "%s", message[0] != '\0' ? message : zn_status_text(status));
}

// --- files ---------------------------------------------------------------------------------------

// `part`: the STEP file, read.
static zn_status read_data(zn_inputs *inputs, const char *model, const char *step, const zn_input_text *part,
                           zn_cad **out, char *message, size_t size)
{
    char          digest[ZN_SHA256_TEXT];
    zn_input_text data = {0};
    char         *name = malloc(strlen(step) + sizeof ".yaml");
    zn_cad       *cad = NULL;
    if (name == NULL)
        return ZN_ERR_MEMORY;
    strcat(strcpy(name, step), ".yaml");
    zn_sha256(part->text, part->length, digest);
    zn_status status = zn_inputs_read(inputs, model, name, &data, message, size);
    if (status == ZN_ERR_IO)
        snprintf(message, size, "there are no data of '%s' beside it (%s): run 'zeno cad %s --extract'", step, name,
                 part->path);
    if (status == ZN_OK)
        status = zn_cad_from_text(data.text, data.length, data.path, &cad, message, size);
    if (status == ZN_OK && strcmp(cad->digest, digest) != 0) {
        snprintf(message, size, "'%s' has changed since its data were taken: run 'zeno cad %s --extract' again", step,
                 part->path);
        status = ZN_ERR_MODEL;
    }
    if (status == ZN_OK)
        *out = cad;
    else
        zn_cad_destroy(cad);
    free(data.text);
    free(data.path);
    free(name);
    return status;
}

zn_status zn_cad_from_files(zn_inputs *inputs, const char *model, const char *step, zn_cad **out, char *message,
                            size_t size)
{
    zn_input_text part;
    zn_status     status = zn_inputs_read(inputs, model, step, &part, message, size);
    if (status == ZN_OK)
        status = read_data(inputs, model, step, &part, out, message, size);
    free(part.text);
    free(part.path);
    return status;
}

zn_status zn_cad_read(const char *step, zn_log log, zn_cad **out)
{
    if (!step)
        return ZN_ERR_ARGUMENT;
    char      message[600] = "";
    zn_status status = zn_cad_from_files(NULL, "", step, out, message, sizeof message);
    return status == ZN_OK ? ZN_OK : zn_fail(&log, status, "%s", message[0] != '\0' ? message : zn_status_text(status));
}

zn_status zn_file_digest(const char *path, zn_log log, char digest[65])
{
    if (!path || !digest)
        return ZN_ERR_ARGUMENT;
    char      message[400], *text = NULL;
    size_t    length = 0;
    zn_status status = zn_text_file_read(path, &text, &length, message, sizeof message);
    if (status != ZN_OK)
        return zn_fail(&log, status, "%s", message);
    zn_sha256(text, length, digest);
    free(text);
    return ZN_OK;
}
