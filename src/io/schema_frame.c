// Objects of a group that is moved and turned: what the table says of the axes of each key decides what becomes of it.
// Absent keys count with their defaults: a body without a position is where its group is.
#include <stdio.h>
#include <string.h>

#include "io/scalar.h"
#include "io/schema.h"

bool zn_schema_is_carried(const zn_reader *r, const zn_schema_key *key, const zn_yaml_node *object)
{
    const zn_yaml_node *carrier = key->carrier != NULL ? zn_yaml_get(object, key->carrier) : NULL;
    if (r->carried)
        return true;
    if (carrier == NULL || carrier->kind != ZN_YAML_SCALAR || (key->carried_in_plane && !r->planar))
        return false;
    return strcmp(carrier->text, "ground") != 0 && strcmp(carrier->text, "false") != 0;
}

static bool refuse(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *object, const char *verb)
{
    const char *group = r->level->space->prefix;
    size_t      length = strlen(group) > 2 ? strlen(group) - strlen(ZN_SCOPE_MARK) : 0;
    zn_complain_key(r, zn_yaml_get(object, key->name), "'%s' cannot be %s with the group '%.*s'", key->name, verb,
                    (int)length, group);
    return false;
}

// Directions that never move: all of them or none, or the group must not be turned.
static bool check_flags(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *object, unsigned flags)
{
    unsigned all = r->planar ? 3 : 7;
    return (flags & all) == 0 || (flags & all) == all || refuse(r, key, object, "turned");
}

// What has axes at all, without a word on which they are.
static bool has_axes(const zn_schema_key *key, bool planar)
{
    return key->kind == ZN_KEY_VECTOR || key->kind == ZN_KEY_SIGNALS || key->kind == ZN_KEY_ROTATION ||
           (key->kind == ZN_KEY_AXIAL && !planar) ||
           (key->kind == ZN_KEY_FLAGS && strncmp(key->choices, "x y", 3) == 0);
}

static bool move_key(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *object, bool given, void *field)
{
    const zn_axes *f = &r->level->frame;
    switch (key->axes) {
    case ZN_AXES_OWN:
        return true;
    case ZN_AXES_PLACE:
        *(zn_vec3 *)field = zn_axes_place(f, *(zn_vec3 *)field);
        return true;
    case ZN_AXES_DIRECTION: // signals were turned when they were read
        if (key->kind == ZN_KEY_VECTOR)
            *(zn_vec3 *)field = zn_axes_direction(f, *(zn_vec3 *)field);
        return true;
    case ZN_AXES_TURN:
        if (key->kind == ZN_KEY_NUMBER && r->planar)
            *(double *)field += f->angle;
        else if (key->kind == ZN_KEY_ROTATION && !r->planar)
            *(zn_quat *)field = zn_quat_product(f->turn, *(zn_quat *)field);
        return true;
    case ZN_AXES_WORLD:
        if (f->turned && key->kind == ZN_KEY_FLAGS)
            return check_flags(r, key, object, *(unsigned *)field);
        return !f->turned || !given || refuse(r, key, object, "turned");
    case ZN_AXES_WORLD_PLACE:
        return !given || refuse(r, key, object, "moved");
    case ZN_AXES_UNSAID:
        break;
    }
    return !given || !has_axes(key, r->planar) || refuse(r, key, object, "moved");
}

void zn_schema_move(zn_reader *r, const zn_schema *schema, const zn_yaml_node *object, uint64_t given, void *out)
{
    if (r->level == NULL || !r->level->frame.moved)
        return;
    bool seen[64] = {false}; // two words for one field move it once
    for (int i = 0; i < schema->count; i++) {
        const zn_schema_key *key = &schema->keys[i];
        bool                 told = false;
        for (int j = 0; j < i; j++)
            told = told || (seen[j] && schema->keys[j].offset == key->offset);
        seen[i] = key->axes != ZN_AXES_UNSAID;
        if (!told && !zn_schema_is_carried(r, key, object))
            move_key(r, key, object, (given >> i & 1) != 0, (char *)out + key->offset);
    }
}

// Component i of a turned vector is the sum of R_ij times what is given.
bool zn_schema_turn_signals(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_signal *out[3])
{
    zn_mat3             R = zn_quat_matrix(r->level->frame.turn);
    const zn_yaml_node *item[3] = {NULL};
    int                 count = 0;
    bool                good = true;
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next)
        item[count++] = n;
    for (int i = 0; i < count && good; i++)
        good = zn_read_signal_sum(r, count, item, R.m[i], key->name, key->dimension, &out[i]);
    return good;
}
