/// Spring and damper on a travel: the angle of one body against another, or a displacement.
#ifndef ZN_MODEL_ELEMENT_TORSION_H
#define ZN_MODEL_ELEMENT_TORSION_H

#include "model/element/element.h"
#include "model/element/spring_law.h"
#include "model/travel.h"

/// Nodes: that of travel.a, `to`, and that of travel.b, `from`.
typedef struct zn_torsion {
    zn_travel     travel;
    zn_pull       pull;
    zn_attachment from, to; ///< where it is drawn
} zn_torsion;

/// Those whose force has a potential; those whose force is a function, and its work that of a load; and the first
/// kind on displacements, which tell lengths and forces.
extern const zn_element_ops zn_torsion_ops, zn_applied_torsion_ops, zn_slide_spring_ops;
extern const zn_between_ops zn_torsion_between;
extern const zn_readings    zn_torsion_readings, zn_slide_readings;
zn_status                   zn_torsion_growth_between(const zn_element_block *b, zn_between s, double *out);

enum { ZN_TORSION_DOFS = 2 * ZN_RIGID_DOFS };

/// One torsion spring seen alone: its degrees of freedom are 0 to 5 of `to` and 6 to 11 of `from`.
typedef struct zn_torsion_alone {
    zn_layout_node node[2];
    zn_layout      layout;               ///< of these nodes
    zn_travel      travel;               ///< on them
    int            dof[ZN_TORSION_DOFS]; ///< in the model; -1: none
} zn_torsion_alone;

void zn_torsion_isolate(const zn_torsion *p, const zn_layout *layout, zn_torsion_alone *out);
/// Row of the rate over these degrees of freedom, and d(row v)/dq with v held.
void zn_torsion_row(const zn_torsion_alone *a, const double *q, double row[ZN_TORSION_DOFS]);
void zn_torsion_rate_gradient(const zn_torsion_alone *a, zn_at at, double out[ZN_TORSION_DOFS]);

#endif
