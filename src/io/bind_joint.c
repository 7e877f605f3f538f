// The section of joints: each type has keys of its own.
#include "io/bind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Keys of each type beside `type`, in the order of zn_joint_kind, in the plane and in space; '!' marks those that must
// be there.
static const char *const keys_of[][2] = {
    [ZN_JOINT_FIXED] = {"body! at to to_at", "body! at to to_at"},
    [ZN_JOINT_REVOLUTE] =
        {"body! at to to_at angle start limits restitution dry_friction stiffness damping rest play",
         "body! at to to_at axis! angle start limits restitution dry_friction stiffness damping rest play"},
    [ZN_JOINT_PRISMATIC] =
        {"body! at to to_at axis! displacement start limits restitution dry_friction stiffness damping rest play",
         "body! at to to_at axis! displacement start limits restitution dry_friction stiffness damping rest play"},
    [ZN_JOINT_ROD] = {"body! at to to_at length", "body! at to to_at length"},
    [ZN_JOINT_COUPLING] = {"dofs joints backlash restitution", "dofs joints backlash restitution"},
    [ZN_JOINT_MOTION] = {"body! x y z angle", "body! x y z angle"},
    [ZN_JOINT_SPHERICAL] = {"body! at to to_at play", "body! at to to_at play"},
    [ZN_JOINT_CYLINDRICAL] = {"body! at to to_at axis! play", "body! at to to_at axis! play"},
    [ZN_JOINT_PLANAR] = {"body! at to to_at axis!", "body! at to to_at axis!"},
    [ZN_JOINT_UNIVERSAL] = {"body! at to to_at axis! axis2!", "body! at to to_at axis! axis2!"},
};

static const char *const coordinates[] = {"x", "y", "z", "angle"}; // zn_coordinate
_Static_assert(ZN_COORDINATE_X == 0 && ZN_COORDINATE_Y == 1 && ZN_COORDINATE_Z == 2 && ZN_COORDINATE_ANGLE == 3,
               "order of coordinates");

// Every key given belongs to the type, and those it needs are there.
static bool check_keys(zn_reader *r, const zn_yaml_node *node, zn_joint_kind kind)
{
    const char *type = zn_yaml_get(node, "type")->text, *list = keys_of[kind][r->planar ? 0 : 1];
    bool        good = true;
    char        word[64], allowed[64][16];
    int         count = 0;
    while (zn_next_word(&list, word)) {
        size_t length = strcspn(word, "!");
        bool   needed = word[length] == '!';
        snprintf(allowed[count], sizeof allowed[0], "%.*s", (int)length, word);
        if (needed && zn_yaml_get(node, allowed[count]) == NULL) {
            zn_complain_key(r, node, "key '%s' is missing: type '%s' needs it", allowed[count], type);
            good = false;
        }
        count++;
    }
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next) {
        bool known = strcmp(n->key, "type") == 0;
        for (int i = 0; i < count; i++)
            known = known || strcmp(n->key, allowed[i]) == 0;
        if (!known)
            zn_complain_key(r, n, "'%s' does not go with type '%s'", n->key, type);
        good = good && known;
    }
    return good;
}

// --- coupling --------------------------------------------------------------------------------------

// "body.angle" or "rod[2].x", with the factor as its value.
static bool read_dof(zn_builder *b, const zn_yaml_node *node, zn_joint_dof *out)
{
    zn_reader  *r = &b->reader;
    const char *dot = strrchr(node->key, '.');
    char        name[ZN_NAME_LENGTH + 20], hint[96];
    int         found = -1;
    if (dot == NULL || dot == node->key || (size_t)(dot - node->key) >= sizeof name) {
        zn_complain_key(r, node, "'%s' is not a degree of freedom such as wheel.angle", node->key);
        return false;
    }
    memcpy(name, node->key, (size_t)(dot - node->key));
    name[dot - node->key] = '\0';
    zn_guess guess = zn_guess_begin(dot + 1);
    for (int i = 0; i < 4; i++) {
        zn_guess_offer(&guess, coordinates[i]);
        found = strcmp(dot + 1, coordinates[i]) == 0 ? i : found;
    }
    if (found < 0) {
        zn_complain_key(r, node, "'%s': unknown degree of freedom '%s'%s (x, y, z, angle)", node->key, dot + 1,
                        zn_guess_text(&guess, hint));
        return false;
    }
    out->coordinate = (zn_coordinate)found;
    zn_reference ref = {name, node->key_line, node->key_column};
    if (!zn_read_reference(r, "dofs", false, &ref))
        return false;
    if (r->level != NULL && r->level->frame.turned && out->coordinate != ZN_COORDINATE_ANGLE) {
        zn_complain_key(r, node, "'%s' cannot be turned with its group", node->key);
        return false;
    }
    bool factor = zn_read_number(r, node, node->key, ZN_DIM_ANY, (zn_range){0}, &out->factor);
    return zn_bind_node(b, "dofs", &ref, false, &out->node) && factor;
}

static bool read_coupling(zn_builder *b, const zn_yaml_node *node, zn_joint_entry *e)
{
    if ((e->dofs == NULL) == (e->joints == NULL)) {
        zn_complain_key(&b->reader, node,
                        e->dofs ? "'dofs' does not go with 'joints'" : "key 'dofs' or 'joints' is missing");
        return false;
    }
    if (e->joints != NULL)
        return zn_bind_coupled_joints(b, e);
    if (e->dofs->count != 2) {
        zn_complain(&b->reader, e->dofs,
                    "'dofs' needs two degrees of freedom, {wheel.angle: 2, pinion.angle: 1}, found %d", e->dofs->count);
        return false;
    }
    bool first = read_dof(b, e->dofs->first, &e->def.dof[0]);
    return read_dof(b, e->dofs->first->next, &e->def.dof[1]) && first;
}

// --- motion ----------------------------------------------------------------------------------------

static bool read_motion(zn_builder *b, const zn_yaml_node *node, zn_joint_entry *e)
{
    int found = -1;
    for (int i = 0; i < 4; i++) {
        if (e->motion[i] == NULL)
            continue;
        if (found >= 0) {
            zn_complain_key(&b->reader, zn_yaml_get(node, coordinates[i]),
                            "'%s' does not go with '%s': a motion drives one of x, y, z, angle", coordinates[i],
                            coordinates[found]);
            return false;
        }
        found = i;
    }
    if (found < 0) {
        zn_complain_key(&b->reader, node, "key 'x', 'y', 'z' or 'angle' is missing");
        return false;
    }
    if (b->reader.level != NULL && b->reader.level->frame.turned) { // x, y, z were refused when they were read
        zn_complain_key(&b->reader, zn_yaml_get(node, coordinates[found]),
                        "'%s' of a motion cannot be turned with its group; 'angle' of a revolute joint can",
                        coordinates[found]);
        return false;
    }
    e->def.dof[0].coordinate = (zn_coordinate)found;
    e->def.motion = e->motion[found];
    return zn_bind_node(b, "body", &e->body, false, &e->def.dof[0].node);
}

// --- all types -------------------------------------------------------------------------------------

static bool resolve(zn_builder *b, const zn_yaml_node *node, zn_joint_entry *e)
{
    if (!check_keys(&b->reader, node, e->def.kind) || !zn_bind_play(&b->reader, node, e))
        return false;
    if (e->def.kind == ZN_JOINT_COUPLING)
        return read_coupling(b, node, e);
    if (e->def.kind == ZN_JOINT_MOTION)
        return read_motion(b, node, e);
    bool travel = zn_bind_travel(b, e);
    bool body = zn_bind_node(b, "body", &e->body, false, &e->def.a.node) && travel;
    return (e->to.name == NULL || zn_bind_node(b, "to", &e->to, true, &e->def.b.node)) && body;
}

// A rod that says no more is held at the origin, here that of its group.
static void place_rod(const zn_reader *r, zn_joint_def *def)
{
    if (def->kind == ZN_JOINT_ROD && def->b.node.value == 0 && isnan(def->b.at.x) && r->level != NULL &&
        r->level->frame.moved)
        def->b.at = r->level->frame.origin;
}

static bool couples_joints(const zn_yaml_node *node)
{
    return node->kind == ZN_YAML_MAP && zn_yaml_get(node, "joints") != NULL;
}

static void bind_any(zn_builder *b, const zn_yaml_node *node)
{
    zn_joint_entry e;
    bool           good = zn_bind_entry(b, &zn_schema_joint, node, &e, NULL) && resolve(b, node, &e);
    if (!good) { // otherwise the model takes the signal over
        for (int i = 0; i < 4; i++)
            zn_signal_destroy(e.motion[i]);
        zn_signal_destroy(e.displacement);
        return;
    }
    int before = b->reader.faults->count;
    e.def.name = node->key;
    place_rod(&b->reader, &e.def);
    zn_bind_check(b, zn_model_add_joint(b->model, &e.def), before);
}

void zn_bind_joint(zn_builder *b, const zn_yaml_node *node)
{
    if (!couples_joints(node))
        bind_any(b, node);
}

void zn_bind_coupling(zn_builder *b, const zn_yaml_node *node)
{
    if (couples_joints(node))
        bind_any(b, node);
}
