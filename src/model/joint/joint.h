/// Joints: rules whose contacts are bilateral, one scalar equation each.
#ifndef ZN_MODEL_JOINT_JOINT_H
#define ZN_MODEL_JOINT_JOINT_H

#include "model/contact/contact.h"
#include "model/travel.h"

#include "base/assert.h"

/// Kinds of scalar equations; x_a, x_b: the points of the joint, phi: angles.
typedef enum zn_equation_kind {
    ZN_EQUATION_POINT,    ///< direction . (x_a - x_b) = 0, direction in world axes
    ZN_EQUATION_ACROSS,   ///< R_b direction . (x_a - x_b) = value
    ZN_EQUATION_ANGLE,    ///< phi_a - phi_b = value
    ZN_EQUATION_DISTANCE, ///< |x_a - x_b| = value
    ZN_EQUATION_DOFS,     ///< sum factor * dof - motion(t) = value
    ZN_EQUATION_RIGHT     ///< R_a other . R_b direction = 0: unit vectors at a right angle
} zn_equation_kind;

typedef struct zn_equation {
    zn_equation_kind kind;
    zn_vec3          direction;
    double           value;
    zn_vec3          other;
    const char      *label; ///< of its multiplier in records; NULL: it is the only one
} zn_equation;

enum { ZN_JOINT_EQUATIONS = 6 }; ///< largest number

typedef struct zn_joint {
    zn_attachment    a, b;
    int              equations;
    zn_equation      equation[ZN_JOINT_EQUATIONS];
    int              dofs; ///< of ZN_EQUATION_DOFS
    zn_joint_dof     dof[2];
    const zn_signal *motion;         ///< borrowed; NULL: none
    char             components[64]; ///< labels of all equations
    bool             travels;        ///< it leaves one motion free:
    zn_travel        travel;
    const char      *name; ///< borrowed, as the log
    const zn_log    *log;
} zn_joint;

extern const zn_contact_ops zn_joint_ops;

static inline void zn_joint_add_equation(zn_joint *joint, zn_equation equation)
{
    ZN_ASSERT(joint->equations < ZN_JOINT_EQUATIONS);
    joint->equation[joint->equations++] = equation;
}

/// Between two states, see joint_between.c.
zn_status zn_joint_evaluate_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                    zn_contact_product *out, double *const force[3]);
zn_status zn_joint_curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                     const double *lambda, const double *x, double *y);

/// Point of a minus point of b in the initial configuration.
zn_vec3 zn_joint_initial_span(const zn_model *model, const zn_joint *joint);

/// Equations of joints in space; the points of `joint` are filled in.
zn_status zn_joint3_fixed(const zn_model *model, const zn_joint_def *def, zn_joint *joint);
zn_status zn_joint3_revolute(const zn_model *model, const zn_joint_def *def, zn_joint *joint);
zn_status zn_joint3_prismatic(const zn_model *model, const zn_joint_def *def, zn_joint *joint);
zn_status zn_joint3_spherical(const zn_model *model, const zn_joint_def *def, zn_joint *joint);
zn_status zn_joint3_cylindrical(const zn_model *model, const zn_joint_def *def, zn_joint *joint);
zn_status zn_joint3_planar(const zn_model *model, const zn_joint_def *def, zn_joint *joint);
zn_status zn_joint3_universal(const zn_model *model, const zn_joint_def *def, zn_joint *joint);

/// An equation of a coordinate becomes one of what it differs by from a motion over time.
zn_status zn_joint_follow(const zn_signal *motion, const char *name, const zn_log *log, double t,
                          zn_contact_product *out);

/// The travel of a revolute or prismatic joint, and what acts on it: rules and elements named after the joint.
zn_status        zn_joint_add_travel(zn_model *model, const zn_joint_def *def, zn_joint *joint);
zn_status        zn_joint_act_on_travel(zn_model *model, const zn_joint_def *def, const zn_joint *joint);
/// A coupling of travels, or one with backlash.
bool             zn_joint_is_transmission(const zn_joint_def *def);
zn_status        zn_joint_add_transmission(zn_model *model, const zn_joint_def *def);
/// The travel of the joint of this name; NULL: there is no such joint, or it leaves no single motion free.
const zn_travel *zn_model_find_travel(const zn_model *model, const char *name);

/// Every equation of every joint must hold in the initial configuration and act on something that can move. Faults are
/// logged and counted.
zn_status zn_model_check_joints(const zn_model *model, int *faults);

#endif
