/// What a search has listed, so that no pair of features is there twice: at one place with one normal. Across the
/// normal places are one when they are within twice `tiny`; along it pairs may be apart as long as their gaps are open.
#ifndef ZN_MODEL_CONTACT_MEET_COPIES_H
#define ZN_MODEL_CONTACT_MEET_COPIES_H

#include "model/contact/meet.h"

enum { ZN_COPIES = 96 }; ///< more are listed without a look

typedef struct zn_copies {
    double  tiny; ///< [m]
    int     count;
    zn_vec3 point[ZN_COPIES], normal[ZN_COPIES];
} zn_copies;

static inline bool zn_copies_has(const zn_copies *c, zn_vec3 point, zn_vec3 normal)
{
    const double same = 1e-6; // of normals
    for (int i = 0; i < c->count; i++) {
        zn_vec3 d = zn_vec3_sub(point, c->point[i]), t = zn_vec3_sub(normal, c->normal[i]);
        double  up = zn_vec3_dot(d, normal);
        if (zn_vec3_dot(d, d) - up * up <= 4 * c->tiny * c->tiny && zn_vec3_dot(t, t) <= same * same)
            return true;
    }
    return false;
}

/// Known already? If not it is now.
static inline bool zn_copies_know(zn_copies *c, zn_vec3 point, zn_vec3 normal)
{
    if (zn_copies_has(c, point, normal))
        return true;
    if (c->count < ZN_COPIES) {
        c->point[c->count] = point;
        c->normal[c->count++] = normal;
    }
    return false;
}

#endif
