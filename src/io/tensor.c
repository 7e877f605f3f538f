// Tensors of inertia and rotations of a model file.
#include "io/tensor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/schema_table.h"

// --- tensors ---------------------------------------------------------------------------------------

static bool is_row(const zn_yaml_node *node) { return node->kind == ZN_YAML_LIST && node->count == 3; }

// Three rows: moments on the diagonal are in the range of the key, products of inertia anywhere.
static bool read_rows(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_mat3 *out)
{
    bool                good = true;
    const zn_yaml_node *row = node->first;
    for (int i = 0; i < 3; i++, row = row->next) {
        if (!is_row(row)) {
            zn_complain(r, row, "row %d of '%s' must be a list of 3 numbers, found %s", i + 1, key->name,
                        zn_yaml_describe(row));
            return false;
        }
        const zn_yaml_node *item = row->first;
        for (int j = 0; j < 3; j++, item = item->next)
            good = zn_read_number(r, item, key->name, key->dimension, i == j ? key->range : (zn_range){0},
                                  &out->m[i][j]) &&
                   good;
    }
    return good;
}

static bool read_diagonal(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_mat3 *out)
{
    bool                good = true;
    const zn_yaml_node *item = node->first;
    for (int i = 0; i < 3; i++, item = item->next)
        good = zn_read_number(r, item, key->name, key->dimension, key->range, &out->m[i][i]) && good;
    return good;
}

bool zn_read_tensor(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_mat3 *out)
{
    *out = (zn_mat3){{{0}}};
    if (node->kind == ZN_YAML_SCALAR || r->planar) {
        bool good = zn_read_number(r, node, key->name, key->dimension, key->range, &out->m[2][2]);
        if (!r->planar)
            out->m[0][0] = out->m[1][1] = out->m[2][2];
        return good;
    }
    if (is_row(node))
        return node->first->kind == ZN_YAML_LIST ? read_rows(r, key, node, out) : read_diagonal(r, key, node, out);
    zn_complain(r, node, "'%s' must be one number, three moments [Ixx, Iyy, Izz] or three rows of three, found %s",
                key->name, zn_yaml_describe(node));
    return false;
}

// --- rotations -------------------------------------------------------------------------------------

static bool read_turn(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_quat *out)
{
    char          before[sizeof r->where];
    zn_turn_entry e;
    memcpy(before, r->where, sizeof before);
    size_t used = strlen(r->where);
    snprintf(r->where + used, sizeof r->where - used, "%s%s", used > 0 ? ", " : "", key->name);
    key->object->defaults(&e);
    bool good = zn_schema_read(r, key->object, node, &e, NULL);
    if (good) {
        double length = zn_vec3_norm(e.axis);
        good = length > 0 && isfinite(length);
        if (good)
            *out = zn_so3_exp(zn_vec3_scale(e.angle / length, e.axis));
        else
            zn_complain(r, zn_yaml_get(node, "axis"), "zero axis");
    }
    memcpy(r->where, before, sizeof before);
    return good;
}

static bool read_quaternion(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_quat *out)
{
    double              value[4] = {0};
    bool                good = true;
    const zn_yaml_node *item = node->first;
    for (int i = 0; i < 4; i++, item = item->next)
        good = zn_read_number(r, item, key->name, ZN_DIM_NONE, (zn_range){0}, &value[i]) && good;
    if (!good)
        return false;
    double length = sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
    if (!(fabs(length - 1) < 1e-7)) {
        zn_complain(r, node, "'%s' must be a unit quaternion [w, x, y, z], but its length is %.9g", key->name, length);
        return false;
    }
    *out = zn_quat_normalize((zn_quat){value[0], value[1], value[2], value[3]});
    return true;
}

bool zn_read_rotation(zn_reader *r, const zn_schema_key *key, const zn_yaml_node *node, zn_quat *out)
{
    if (r->planar) {
        zn_complain_key(r, node, "'%s' is for spatial models; in the plane there is 'angle'", key->name);
        return false;
    }
    if (node->kind == ZN_YAML_MAP)
        return read_turn(r, key, node, out);
    if (node->kind == ZN_YAML_LIST && node->count == 4)
        return read_quaternion(r, key, node, out);
    zn_complain(r, node, "'%s' must be a unit quaternion [w, x, y, z] or {axis: [x, y, z], angle: a}, found %s",
                key->name, zn_yaml_describe(node));
    return false;
}
