// Parts of solid elements: make or read the mesh, turn it, add it to the model, fix its sets. Pressure on their faces.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bind.h"
#include "io/msh.h"

static const char *const sources[] = {"box", "rectangle", "ring", "disc", "graded_disc", "ball", "file"};
enum { BOX, RECTANGLE, RING, DISC, GRADED_DISC, BALL, FILE_MESH, SOURCES, FIX_MAX = 64 };

// --- mesh ------------------------------------------------------------------------------------------

// The one source of the mesh; -1 after a message when there is none or more than one.
static int find_source(zn_reader *r, const zn_yaml_node *mesh)
{
    int found = -1;
    for (const zn_yaml_node *n = mesh->first; n != NULL; n = n->next)
        for (int i = 0; i < SOURCES; i++) {
            if (strcmp(n->key, sources[i]) != 0)
                continue;
            if (found >= 0) {
                zn_complain_key(r, n, "'%s' does not go with '%s'", sources[i], sources[found]);
                return -1;
            }
            found = i;
        }
    const zn_yaml_node *group = zn_yaml_get(mesh, "group");
    if (found < 0)
        zn_complain_key(r, mesh, "key 'box', 'rectangle', 'ring', 'disc', 'graded_disc', 'ball' or 'file' is missing");
    else if (found != FILE_MESH && group != NULL)
        zn_complain_key(r, group, "'group' goes with 'file' only");
    else if (found != FILE_MESH && zn_yaml_get(mesh, "apart") != NULL)
        zn_complain_key(r, zn_yaml_get(mesh, "apart"), "'apart' goes with 'file' only");
    else if (found != FILE_MESH && (found != BOX && found != BALL) != r->planar)
        zn_complain_key(r, zn_yaml_get(mesh, sources[found]), "'%s' is for %s models", sources[found],
                        r->planar ? "spatial" : "planar");
    else
        return found;
    return -1;
}

// Whole numbers of elements; false after a message.
static bool read_counts(zn_reader *r, const zn_yaml_node *node, zn_vec3 value, int out[3])
{
    const double list[3] = {value.x, value.y, value.z};
    double       product = 1;
    for (int i = 0; i < (r->planar ? 2 : 3); i++) {
        if (list[i] != (int)list[i]) {
            zn_complain(r, node, "'elements' must be whole numbers, but one is %.9g", list[i]);
            return false;
        }
        out[i] = (int)list[i];
        product *= list[i];
    }
    if (product > 1e6)
        zn_complain(r, node, "'elements': more than a million of them");
    return product <= 1e6;
}

// What a maker of meshes has said.
static bool is_made(zn_reader *r, const zn_yaml_node *node, zn_status status)
{
    r->faults->out_of_memory |= status == ZN_ERR_MEMORY;
    if (status == ZN_ERR_ARGUMENT)
        zn_complain_key(r, node, "it cannot be meshed");
    return status == ZN_OK;
}

static bool make_box(zn_reader *r, const zn_yaml_node *node, const zn_box_entry *e, zn_mesh **out)
{
    int     n[3];
    zn_vec3 span = zn_vec3_sub(e->to, e->from);
    if (!read_counts(r, zn_yaml_get(node, "elements"), e->elements, n))
        return false;
    if (!(span.x > 0 && span.y > 0 && (r->planar || span.z > 0))) {
        zn_complain_key(r, zn_yaml_get(node, "to"), "'to' must be beyond 'from' in every direction");
        return false;
    }
    zn_status status = r->planar ? zn_mesh_rectangle(e->from, e->to, n, out)
                                 : zn_mesh_box(e->from, e->to, n, e->shape == 1 ? ZN_TET4 : ZN_HEX8, out);
    return is_made(r, node, status);
}

static bool check_sector(zn_reader *r, const zn_yaml_node *fine, const zn_sector_entry *e, const int rest)
{
    static const double pi = 3.14159265358979323846;
    if (!(e->half_angle < pi))
        zn_complain(r, zn_yaml_get(fine, "half_angle"), "'half_angle' leaves no rest; it must be below 180 degrees");
    else if (2 * e->half_angle >= pi * e->elements || 2 * (pi - e->half_angle) >= pi * rest)
        zn_complain_key(r, fine, "an element would reach over half the ring or more; take more of them");
    else
        return true;
    return false;
}

static bool make_ring(zn_reader *r, const zn_yaml_node *node, const zn_ring_entry *e, zn_mesh **out)
{
    int                 n[3];
    const zn_yaml_node *fine = zn_yaml_get(node, "fine");
    if (!read_counts(r, zn_yaml_get(node, "elements"), e->elements, n))
        return false;
    if (fine == NULL && n[0] < 3)
        zn_complain(r, zn_yaml_get(node, "elements"), "a ring needs at least 3 elements around");
    else if (!(e->thickness < e->radius))
        zn_complain(r, zn_yaml_get(node, "thickness"), "'thickness' leaves no hole; use disc");
    else if (fine == NULL)
        return is_made(r, node, zn_mesh_ring(e->centre, e->radius, e->thickness, n, e->grading, out));
    else if (check_sector(r, fine, &e->fine, n[0]))
        return is_made(r, node,
                       zn_mesh_fine_ring(e->centre, e->radius, e->thickness, (int[3]){e->fine.elements, n[0], n[1]},
                                         e->fine.angle, e->fine.half_angle, e->grading, out));
    return false;
}

static bool make_graded_disc(zn_reader *r, const zn_yaml_node *node, const zn_graded_disc_entry *e, zn_mesh **out)
{
    int n[3];
    return read_counts(r, zn_yaml_get(node, "elements"), e->elements, n) &&
           is_made(r, node, zn_mesh_graded_disc(e->centre, e->radius, n, e->grading, e->angle, out));
}

static bool make_ball(zn_reader *r, const zn_yaml_node *node, const zn_ball_entry *e, zn_mesh **out)
{
    if (e->shape == 1 && e->elements % 2 != 0) {
        zn_complain(r, zn_yaml_get(node, "elements"), "'elements' must be even for tet4, but is %d", e->elements);
        return false;
    }
    return is_made(r, node, zn_mesh_ball(e->centre, e->radius, e->elements, e->shape == 1 ? ZN_TET4 : ZN_HEX8, out));
}

// `msh` is kept for later messages.
static bool read_file(zn_reader *r, const zn_yaml_node *node, const zn_mesh_entry *e, zn_msh **msh, zn_mesh **out)
{
    char          message[600];
    zn_input_text file;
    const char   *name = zn_reader_file(r, e->file);
    if (name == NULL)
        return false;
    zn_status status = zn_inputs_read(r->inputs, r->path, name, &file, message, sizeof message);
    if (status == ZN_OK)
        status = zn_msh_parse(file.text, file.length, file.path, msh, message, sizeof message);
    if (status == ZN_OK)
        status = zn_msh_mesh(*msh, e->group.name, r->planar, file.path, out, message, sizeof message);
    free(file.text);
    free(file.path);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        zn_complain(r, node, "%s", message);
    return status == ZN_OK;
}

static bool make_mesh(zn_reader *r, const zn_yaml_node *node, const zn_mesh_entry *e, zn_msh **msh, zn_mesh **out)
{
    int                 source = find_source(r, node);
    const zn_yaml_node *child = source >= 0 ? zn_yaml_get(node, sources[source]) : NULL;
    switch (source) {
    case BOX:
        return make_box(r, child, &e->box, out);
    case RECTANGLE:
        return make_box(r, child, &e->rectangle, out);
    case RING:
        return make_ring(r, child, &e->ring, out);
    case DISC:
        return is_made(r, child, zn_mesh_disc(e->disc.centre, e->disc.radius, e->disc.elements, out));
    case GRADED_DISC:
        return make_graded_disc(r, child, &e->graded_disc, out);
    case BALL:
        return make_ball(r, child, &e->ball, out);
    case FILE_MESH:
        return read_file(r, child, e, msh, out);
    default:
        return false;
    }
}

// Turn the nodes about the middle of the box around them.
static void turn_mesh(zn_mesh *mesh, zn_quat turn)
{
    if (turn.x == 0 && turn.y == 0 && turn.z == 0)
        return;
    zn_vec3 low = mesh->nodes[0], high = low;
    for (int i = 1; i < mesh->node_count; i++) {
        zn_vec3 x = mesh->nodes[i];
        low = (zn_vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (zn_vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    zn_vec3 centre = zn_vec3_scale(0.5, zn_vec3_add(low, high));
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_vec3_add(centre, zn_quat_rotate(turn, zn_vec3_sub(mesh->nodes[i], centre)));
}

// Put the mesh where its group is.
static void move_mesh(const zn_reader *r, zn_mesh *mesh)
{
    if (r->level == NULL || !r->level->frame.moved)
        return;
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = zn_axes_place(&r->level->frame, mesh->nodes[i]);
}

// --- fixed sets ------------------------------------------------------------------------------------

static void complain_unknown_set(zn_reader *r, const zn_yaml_node *node, const zn_mesh *mesh, const zn_msh *msh)
{
    char     hint[96];
    zn_guess guess = zn_guess_begin(node->key);
    int      line = msh != NULL ? zn_msh_unsupported(msh, node->key) : 0;
    if (line > 0) {
        zn_complain_key(r, node, "group '%s' has an element of unsupported type (line %d of the file)", node->key,
                        line);
        return;
    }
    for (int i = 0; i < mesh->set_count; i++)
        zn_guess_offer(&guess, mesh->sets[i].name);
    zn_complain_key(r, node, "the mesh has no set '%s'%s", node->key, zn_guess_text(&guess, hint));
}

// The sets of the mesh are the keys: a table made for the occasion.
static void fix_sets(zn_builder *b, const zn_yaml_node *part, const zn_yaml_node *fix, const zn_mesh *mesh,
                     const zn_msh *msh)
{
    zn_reader    *r = &b->reader;
    zn_schema_key keys[FIX_MAX];
    unsigned      flags[FIX_MAX] = {0};
    zn_schema     schema = {.name = "fix", .keys = keys};
    if (fix->count > FIX_MAX) {
        zn_complain_key(r, fix, "more than %d sets", FIX_MAX);
        return;
    }
    for (const zn_yaml_node *n = fix->first; n != NULL; n = n->next)
        keys[schema.count] = (zn_schema_key){.name = n->key,
                                             .kind = ZN_KEY_FLAGS,
                                             .axes = ZN_AXES_WORLD,
                                             .choices = "x y z",
                                             .offset = sizeof *flags * (size_t)schema.count},
        schema.count++;
    if (!zn_schema_read(r, &schema, fix, flags, NULL))
        return;
    int i = 0;
    for (const zn_yaml_node *n = fix->first; n != NULL; n = n->next, i++) {
        char name[2 * ZN_NAME_LENGTH + 2];
        snprintf(name, sizeof name, "%s.%.63s", part->key, n->key);
        if (zn_model_find_node_set(b->model, name, NULL) == NULL)
            complain_unknown_set(r, n, mesh, msh);
        else
            zn_model_fix_node_set(b->model, name, flags[i]);
    }
}

// --- initial velocity ------------------------------------------------------------------------------

// x, y and z are variables; user: whether any of them was met.
static int place_of(void *user, const char *name)
{
    if (strlen(name) != 1 || *name < 'x' || *name > 'z')
        return -1;
    *(bool *)user = true;
    return *name - 'x';
}

// Entry i of the velocity of all nodes, in the axes of the group; `varies` where it depends on the place.
static bool read_entry(zn_reader *r, const zn_yaml_node *node, int i, const zn_mesh *mesh, double (*out)[3],
                       bool *varies)
{
    zn_expression *e = NULL;
    bool           used = false;
    double         value = 0;
    if (!zn_read_formula(r, node, "velocity", place_of, &used, &e))
        return false;
    bool good = !zn_expression_uses_time(e);
    if (!good)
        zn_complain(r, node, "'velocity': the initial velocity does not change with the time t");
    else if (!used) // a number, with its unit
        good = zn_read_number(r, node, "velocity", ZN_DIM_VELOCITY, (zn_range){0}, &value);
    for (int k = 0; good && k < mesh->node_count; k++) {
        const double place[3] = {mesh->nodes[k].x, mesh->nodes[k].y, mesh->nodes[k].z};
        out[k][i] = used ? zn_expression_of(e, place, 0) : value;
    }
    *varies |= used;
    zn_expression_destroy(e);
    return good;
}

// Velocities of the nodes of a mesh that has not been moved to its group; NULL where they are all alike.
static bool read_velocity(zn_reader *r, const zn_yaml_node *node, const zn_mesh *mesh, zn_vec3 *uniform, zn_vec3 **out)
{
    bool varies = false, good = true;
    int  i = 0;
    double(*entry)[3] = node != NULL ? calloc((size_t)mesh->node_count, sizeof *entry) : NULL;
    *out = entry != NULL ? malloc((size_t)mesh->node_count * sizeof **out) : NULL;
    if (node != NULL && *out == NULL) {
        r->faults->out_of_memory = true;
        good = false;
    }
    for (const zn_yaml_node *n = good && node != NULL ? node->first : NULL; n != NULL; n = n->next)
        good = read_entry(r, n, i++, mesh, entry, &varies) && good;
    for (int k = 0; good && node != NULL && k < mesh->node_count; k++) {
        zn_vec3 v = {entry[k][0], entry[k][1], entry[k][2]};
        (*out)[k] = r->level != NULL ? zn_axes_direction(&r->level->frame, v) : v;
    }
    if (good && node != NULL)
        *uniform = (*out)[0];
    free(entry);
    if (!good || !varies) {
        free(*out);
        *out = NULL;
    }
    return good;
}

// --- parts -----------------------------------------------------------------------------------------

static bool check_plane_keys(zn_reader *r, const zn_yaml_node *node)
{
    static const char *const planar[] = {"plane", "thickness", "angle"}, *const spatial[] = {"rotation"};
    for (int i = 0; i < (r->planar ? 1 : 3); i++) {
        const zn_yaml_node *key = zn_yaml_get(node, r->planar ? spatial[i] : planar[i]);
        if (key != NULL) {
            zn_complain_key(r, key, "'%s' is for %s models", key->key, r->planar ? "spatial" : "planar");
            return false;
        }
    }
    return true;
}

bool zn_bind_is_solid(const zn_yaml_node *node)
{
    const zn_yaml_node *element = node->kind == ZN_YAML_MAP ? zn_yaml_get(node, "element") : NULL;
    return element != NULL && element->kind == ZN_YAML_SCALAR && strcmp(element->text, "solid") == 0;
}

void zn_bind_solid(zn_builder *b, const zn_yaml_node *node)
{
    zn_solid_entry e;
    zn_mesh       *mesh = NULL;
    zn_msh        *msh = NULL;
    zn_reader     *r = &b->reader;
    if (!zn_bind_entry(b, &zn_schema_solid, node, &e, NULL) || !check_plane_keys(r, node))
        return;
    const zn_named_material *m = zn_bind_material(b, &e.material);
    if (m != NULL && make_mesh(r, zn_yaml_get(node, "mesh"), &e.mesh, &msh, &mesh) &&
        zn_bind_room(b, node, "nodes", mesh->node_count, ZN_ROOM_SOLID)) {
        zn_node_id *shared = msh != NULL ? zn_bind_groups(b, node, mesh, msh) : NULL;
        zn_vec3    *velocities = NULL;
        turn_mesh(mesh, r->planar ? zn_so3_exp(zn_vec3_make(0, 0, e.angle)) : e.rotation);
        bool good = read_velocity(r, e.velocity, mesh, &e.def.velocity, &velocities);
        move_mesh(r, mesh);
        e.def.velocities = velocities;
        e.def.name = node->key;
        e.def.mesh = mesh;
        e.def.shared = shared;
        e.def.young = m->entry.young;
        e.def.poisson = m->entry.poisson;
        e.def.density = m->entry.density;
        e.def.mass_damping = e.damping.mass;
        e.def.stiffness_damping = e.damping.stiffness;
        int       before = r->faults->count;
        zn_status status = good ? zn_model_add_solid(b->model, &e.def) : ZN_ERR_MODEL;
        free(shared);
        free(velocities);
        if (good)
            zn_bind_check(b, status, before);
        if (status == ZN_OK && e.fix != NULL)
            fix_sets(b, node, e.fix, mesh, msh);
    }
    zn_mesh_destroy(mesh);
    zn_msh_destroy(msh);
}

// --- pressure --------------------------------------------------------------------------------------

bool zn_bind_face(zn_builder *b, const zn_reference *part, const zn_reference *face, char text[ZN_FACE_LENGTH])
{
    zn_reader *r = &b->reader;
    if (!zn_model_has_name(b->model, part->name)) {
        if (zn_bind_find(b, part->name) == NULL || strchr(part->name, '[') != NULL)
            zn_complain_at(r, part->line, part->column, "there is no part '%s'", part->name);
        return false; // otherwise it has faults of its own
    }
    if (face->name == NULL)
        return true;
    snprintf(text, ZN_FACE_LENGTH, "%.63s.%.63s", part->name, face->name);
    if (zn_model_find_node_set(b->model, text, NULL) == NULL) {
        zn_complain_at(r, face->line, face->column, "part '%s' has no set '%s'", part->name, face->name);
        return false;
    }
    return true;
}

bool zn_bind_pressure(zn_builder *b, const zn_yaml_node *node, zn_pressure_entry *e)
{
    char face[ZN_FACE_LENGTH];
    if (!zn_bind_face(b, &e->part, &e->face, face))
        return false;
    zn_pressure_def def = zn_pressure_def_default();
    def.name = node->key;
    def.part = e->part.name;
    def.face = face;
    def.value = e->value;
    def.follower = e->follower;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_pressure(b->model, &def), before);
    return true;
}
