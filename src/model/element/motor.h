/// Motors, feedback loads and first-order states: forces  f += s(q, v, t) r(q)  with s a number of feedback.h. Tables
/// for 2, 4, 8 and 16 nodes: what it acts on comes first (row nodes, two at most), then whatever s looks at.
#ifndef ZN_MODEL_ELEMENT_MOTOR_H
#define ZN_MODEL_ELEMENT_MOTOR_H

#include "model/element/element.h"
#include "model/feedback.h"

typedef enum zn_motor_kind {
    ZN_MOTOR_POINT,  ///< force on a point of a along a direction of the world
    ZN_MOTOR_TORQUE, ///< on a about an axis that b carries, its reaction on b
    ZN_MOTOR_LINE,   ///< along the line of two points, which it pushes apart
    ZN_MOTOR_TRAVEL, ///< on the travel of a joint
    ZN_MOTOR_STATE   ///< x' = s: a node with one degree of freedom and the mass 1, whose velocity is x
} zn_motor_kind;

typedef struct zn_motor {
    zn_motor_kind      kind;
    zn_attachment      a, b; ///< node: null is the ground
    zn_vec3            axis; ///< point: world axes; torque: axes of b
    zn_travel          travel;
    const zn_feedback *value; ///< borrowed
} zn_motor;

/// The table with so many nodes or more; NULL: there is none.
const zn_element_ops *zn_motor_ops(zn_motor_kind kind, int nodes);
/// Whether these elements are motors or states.
bool                  zn_is_motor(const zn_element_ops *ops);

#endif
