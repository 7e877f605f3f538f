/// Dry friction on the travel of a joint: a moment or force that opposes motion and is at most a given one, whatever
/// else acts in the joint. As a contact with friction: its normal presses a clamp (element/clamp.c) that rests against
/// a stop with just that force, its tangent is the travel, and mu = 1.
#ifndef ZN_MODEL_JOINT_DRY_FRICTION_H
#define ZN_MODEL_JOINT_DRY_FRICTION_H

#include "model/contact/contact.h"
#include "model/travel.h"

typedef struct zn_dry_friction {
    zn_travel  travel;
    zn_node_id clamp; ///< scalar that is pressed on
    zn_node_id
        idle; ///< in space, where friction has two directions: a scalar for the other one, which rests; else null
} zn_dry_friction;

extern const zn_contact_ops zn_dry_friction_ops;

#endif
