/// Points, balls and rims of bodies against cylinders and bores in space, and rims against planes.
#ifndef ZN_MODEL_CONTACT_CYLINDER_CONTACT_H
#define ZN_MODEL_CONTACT_CYLINDER_CONTACT_H

#include "model/contact/contact.h"
#include "model/contact/contact_points.h"

/// One contact: what touches (A) and what is touched (B). Either may be the ground.
typedef struct zn_cylinder_side {
    zn_attachment   point;      ///< centre of the ball or rim
    zn_attachment   surface;    ///< a point of the axis or plane
    zn_surface_kind kind;       ///< cylinder or bore; with a rim also plane
    zn_vec3         axis;       ///< unit, carried by B: of the cylinder; plane: its normal
    zn_vec3         tangent[2]; ///< plane, carried by B
    zn_vec3         rim;        ///< unit axis, carried by A; 0: it is a ball
    bool            ring;       ///< the rim is around the cylinder, not beside it
    double          radius;     ///< of the ball or rim
    double          size;       ///< of the cylinder or bore
    double          taper;      ///< of a cone [rad], where `surface` has this size; with balls only
    double          half[2];    ///< half the length (plane: the sides) where it ends; 0: it does not
    bool            open;       ///< at the very end it is over
} zn_cylinder_side;

typedef struct zn_cylinder_contact {
    double           restitution, friction, tangential_restitution;
    double           depth; ///< see system/capture.c
    const char      *name;  ///< borrowed, as the log
    const zn_log    *log;
    int              sides;
    zn_cylinder_side side[];
} zn_cylinder_contact;

extern const zn_contact_ops zn_cylinder_contact_ops, zn_cylinder_end_ops; ///< without ends, with ends

/// Is it one for the rules of this header?
bool      zn_contact_is_turned(const zn_contact_def *def);
zn_status zn_model_check_cylinder(const zn_model *model, const zn_contact_def *def);
/// Contacts of the points of a def with its cylinder, bore or, for a rim, plane.
zn_status zn_model_add_cylinder_contact(zn_model *model, const zn_contact_def *def, const zn_contact_points *points,
                                        int rows);

#endif
