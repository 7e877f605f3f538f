/// Joints: rules whose contacts are bilateral, one scalar equation each.
#ifndef ZN_MODEL_JOINT_H
#define ZN_MODEL_JOINT_H

#include "model/contact.h"

/// Kinds of scalar equations; x_a, x_b: the points of the joint, phi: angles.
typedef enum zn_equation_kind {
    ZN_EQUATION_POINT,    ///< direction . (x_a - x_b) = 0, direction in world axes
    ZN_EQUATION_ACROSS,   ///< R_b direction . (x_a - x_b) = value
    ZN_EQUATION_ANGLE,    ///< phi_a - phi_b = value
    ZN_EQUATION_DISTANCE, ///< |x_a - x_b| = value
    ZN_EQUATION_DOFS      ///< sum factor * dof - motion(t) = value
} zn_equation_kind;

typedef struct zn_equation {
    zn_equation_kind kind;
    zn_vec3          direction;
    double           value;
} zn_equation;

typedef struct zn_joint {
    zn_attachment    a, b;
    int              equations;
    zn_equation      equation[3];
    int              dofs; ///< of ZN_EQUATION_DOFS
    zn_joint_dof     dof[2];
    const zn_signal *motion; ///< borrowed; NULL: none
    const char      *name;   ///< borrowed, as the log
    const zn_log    *log;
} zn_joint;

extern const zn_contact_ops zn_joint_ops;

/// Every equation of every joint must hold in the initial configuration and act on something that can move. Faults are
/// logged and counted.
zn_status zn_model_check_joints(const zn_model *model, int *faults);

#endif
