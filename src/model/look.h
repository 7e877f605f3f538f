/// How the things of a model are seen: what elements, contact rules and shapes tell of themselves in the terms below,
/// and the words for them in reports. Nothing but pictures depends on it.
#ifndef ZN_MODEL_LOOK_H
#define ZN_MODEL_LOOK_H

#include "zn/model.h"

/// Spring, rod or other joint between two carried points.
typedef struct zn_link {
    zn_link_kind  kind;
    zn_attachment a, b;
} zn_link;

/// Receives a point of a body that touches something, or the centre of a circle of this radius (0: a point).
typedef void zn_touch_visit(void *user, const zn_attachment *at, double radius);

/// Words for reports; NULL: there is no such kind.
const char *zn_link_word(zn_link_kind kind);
const char *zn_surface_word(zn_surface_kind kind);
const char *zn_drawing_word(zn_drawing_kind kind);

#endif
