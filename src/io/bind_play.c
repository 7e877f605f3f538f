// Joints with play: which keys go together.
#include "io/bind.h"

#include <stdio.h>
#include <string.h>

static bool is_among(const char *list, const char *key)
{
    char word[64];
    while (zn_next_word(&list, word))
        if (strcmp(word, key) == 0)
            return true;
    return false;
}

// Keys of `play` beside the clearance and the law.
static const char *sizes_of(zn_joint_kind kind, bool planar)
{
    if (kind == ZN_JOINT_PRISMATIC)
        return planar ? "length height" : "length height breadth across";
    if (kind == ZN_JOINT_SPHERICAL)
        return "pin_radius";
    return kind == ZN_JOINT_REVOLUTE && !planar ? "length pin_radius axial" : "length pin_radius";
}

static bool check_sizes(zn_reader *r, const zn_yaml_node *play, const char *type, const char *sizes)
{
    bool good = true;
    for (const zn_yaml_node *n = play->first; n != NULL; n = n->next)
        if (is_among("length pin_radius axial height breadth across", n->key) && !is_among(sizes, n->key)) {
            zn_complain_key(r, n, "'play': '%s' does not go with type '%s'%s", n->key, type,
                            r->planar ? " in the plane" : "");
            good = false;
        }
    return good;
}

bool zn_bind_play(zn_reader *r, const zn_yaml_node *node, zn_joint_entry *e)
{
    const zn_yaml_node *play = zn_yaml_get(node, "play");
    if (play == NULL)
        return true;
    e->def.play = &e->play;
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next)
        if (!is_among("type body at to to_at axis play", n->key)) {
            zn_complain_key(r, n, "'%s' does not go with 'play': it is for joints without clearance", n->key);
            return false;
        }
    if (!zn_bind_law(r, play))
        return false;
    if (e->def.kind == ZN_JOINT_PRISMATIC && !r->planar && r->level != NULL && r->level->frame.turned &&
        zn_yaml_get(play, "across") == NULL) {
        zn_complain_key(r, play,
                        "'across' is needed in a turned group: else it is any direction, another one than before");
        return false;
    }
    return check_sizes(r, play, zn_yaml_get(node, "type")->text, sizes_of(e->def.kind, r->planar));
}
