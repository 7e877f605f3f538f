// Keys of joints about their travel: drive, start, limits, couplings of joints. Units depend on the type: angles of
// revolute joints, lengths of prismatic ones.
#include "io/bind.h"

#include <math.h>
#include <string.h>

static zn_dimension dimension_of(const zn_joint_entry *e)
{
    return e->def.kind == ZN_JOINT_REVOLUTE ? ZN_DIM_ANGLE : ZN_DIM_LENGTH;
}

// [low, high]; `none` for a side without a stop.
static bool read_limits(zn_builder *b, zn_joint_entry *e)
{
    const zn_yaml_node *list = e->limits;
    if (list->kind != ZN_YAML_LIST || list->count != 2) {
        zn_complain(&b->reader, list, "'limits' needs two values, [lowest, highest], found %s", zn_yaml_describe(list));
        return false;
    }
    const zn_yaml_node *side[2] = {list->first, list->first->next};
    bool                good = true;
    for (int i = 0; i < 2; i++)
        if (side[i]->kind != ZN_YAML_SCALAR || strcmp(side[i]->text, "none") != 0)
            good = zn_read_number(&b->reader, side[i], "limits", dimension_of(e), (zn_range){0}, &e->def.limits[i]) &&
                   good;
    if (good && !(e->def.limits[0] < e->def.limits[1])) {
        zn_complain(&b->reader, list, "limits are out of order: %s is not below %s", side[0]->text, side[1]->text);
        return false;
    }
    return good;
}

bool zn_bind_travel(zn_builder *b, zn_joint_entry *e)
{
    const zn_range any = {0}, positive = {0, INFINITY, false};
    bool           turn = e->def.kind == ZN_JOINT_REVOLUTE, good = e->limits == NULL || read_limits(b, e);
    const struct {
        const zn_yaml_node *node;
        const char         *key;
        zn_dimension        of_turn, of_slide;
        zn_range            range;
        double             *out;
    } numbers[] = {
        {e->start, "start", ZN_DIM_ANGLE, ZN_DIM_LENGTH, any, &e->def.start},
        {e->dry_friction, "dry_friction", ZN_DIM_TORQUE, ZN_DIM_FORCE, positive, &e->def.dry_friction},
        {e->stiffness, "stiffness", ZN_DIM_TORSION, ZN_DIM_STIFFNESS, positive, &e->def.stiffness},
        {e->damping, "damping", ZN_DIM_TORSION_DAMPING, ZN_DIM_DAMPING, positive, &e->def.damping},
        {e->rest, "rest", ZN_DIM_ANGLE, ZN_DIM_LENGTH, any, &e->def.rest},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].node != NULL)
            good = zn_read_number(&b->reader, numbers[i].node, numbers[i].key,
                                  turn ? numbers[i].of_turn : numbers[i].of_slide, numbers[i].range, numbers[i].out) &&
                   good;
    e->def.motion = turn ? e->motion[3] : e->displacement;
    return good;
}

bool zn_bind_coupled_joints(zn_builder *b, zn_joint_entry *e)
{
    const zn_yaml_node *n = e->joints->first;
    if (e->joints->count != 2) {
        zn_complain(&b->reader, e->joints,
                    "'joints' needs two joints with their factors, {pinion: 3, wheel: 1}, found %d", e->joints->count);
        return false;
    }
    bool good = true;
    for (int i = 0; i < 2; i++, n = n->next) {
        zn_reference joint = {n->key, n->key_line, n->key_column};
        good = zn_read_reference(&b->reader, "joints", false, &joint) && good;
        e->def.joint[i] = joint.name;
        good = zn_read_number(&b->reader, n, n->key, ZN_DIM_ANY, (zn_range){0}, &e->def.factor[i]) && good;
    }
    return good;
}
