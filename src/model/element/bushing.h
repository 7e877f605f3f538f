/// Elastic bush between two frames.
#ifndef ZN_MODEL_ELEMENT_BUSHING_H
#define ZN_MODEL_ELEMENT_BUSHING_H

#include "model/element/element.h"

/// Axes of the bush are carried by both bodies, and are the same at the start.
typedef struct zn_bushing {
    zn_attachment from, to;
    zn_quat       from_axes, to_axes; ///< to the axes of the bodies
    zn_vec3       start;              ///< from `from` to `to` at the start, in the axes of the bush
    double        angle;              ///< in the plane: difference of the angles at the start
    bool          planar, damped;
    double        K[6][6], C[6][6];
} zn_bushing;

extern const zn_element_ops zn_bushing_ops;
extern const zn_between_ops zn_bushing_between;

#endif
