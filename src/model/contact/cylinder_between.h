/// Contacts with cylinders, and of rims, between two states; operations of the rules of cylinder_contact.h.
#ifndef ZN_MODEL_CONTACT_CYLINDER_BETWEEN_H
#define ZN_MODEL_CONTACT_CYLINDER_BETWEEN_H

#include "model/contact/contact.h"

zn_status zn_cylinder_evaluate_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                       zn_contact_product *out, double *const force[3]);
zn_status zn_cylinder_curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                        const double *lambda, const double *x, double *y);

#endif
