/// Two states of a model, the ends of a step. Forces between them make up for schemes that conserve energy and
/// momentum: they are no function of one state, but chosen so that their work on the way is exactly the loss of energy.
#ifndef ZN_MODEL_BETWEEN_H
#define ZN_MODEL_BETWEEN_H

#include "zn/model.h"

typedef struct zn_between {
    zn_at from, to;
    bool  chord;  ///< contacts of nodes with facets: the normal of the mean positions, see contact/contact_frame.h
    bool  couple; ///< their friction with the couple that takes its moment
} zn_between;

/// Where to evaluate a force that does not depend on the state: the end, at the middle of the times.
static inline zn_at zn_between_load(zn_between s)
{
    return (zn_at){s.to.q, s.to.v, 0.5 * (s.from.t + s.to.t), 0.5 * (s.from.relief + s.to.relief)};
}

#endif
