/// Contact rules: whatever the geometry and however many nodes it involves, a rule yields one product per contact:
/// gap, Jacobian row, law. Schemes and solvers see only that.
#ifndef ZN_MODEL_CONTACT_H
#define ZN_MODEL_CONTACT_H

#include "model/layout.h"

typedef struct zn_contact_product {
    double  gap;
    double  restitution;
    int     entries; ///< of the row
    int    *dof;     ///< room for max_entries; NULL: only the gap is wanted
    double *value;
} zn_contact_product;

/// Receives the numbers of contacts that are near, in ascending order.
typedef struct zn_contact_list {
    int  count, capacity;
    int *number;
} zn_contact_list;

typedef struct zn_contact_ops {
    const char *name;
    int         max_entries; ///< of one row
    /// Which of the contacts 0 .. max_contacts - 1 of the rule are near q. NULL: always all of them.
    zn_status (*detect)(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out);
    zn_status (*evaluate)(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                          zn_contact_product *out);
    /// y += lambda d(G')/dq x.
    zn_status (*curvature)(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                           double lambda, const double *x, double *y);
} zn_contact_ops;

typedef struct zn_contact_rule {
    const zn_contact_ops *ops;
    const char           *name; ///< borrowed from the model's names
    int                   max_contacts;
    void                 *parameter; ///< owned copy
} zn_contact_rule;

extern const zn_contact_ops zn_point_plane_ops;

/// Point against a fixed half-space; normal has unit length.
typedef struct zn_point_plane {
    zn_attachment point;
    zn_vec3       normal, through;
    double        restitution;
} zn_point_plane;

#endif
