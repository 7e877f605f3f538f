/// Which features of two contours are near each other: a round one (corner, arc that bulges out) of one contour and a
/// wall (straight side, arc) of the other.
#ifndef ZN_MODEL_CONTACT_CONTOUR_NEAR_H
#define ZN_MODEL_CONTACT_CONTOUR_NEAR_H

#include "model/contact/contour.h"
#include "model/contact/meet.h"

/// Axes of the plane seen from others: x becomes `at` + turn by (c, s).
typedef struct zn_seen {
    double  c, s;
    zn_vec3 at;
} zn_seen;

static inline zn_vec3 zn_seen_vector(const zn_seen *f, zn_vec3 x)
{
    return (zn_vec3){f->c * x.x - f->s * x.y, f->s * x.x + f->c * x.y, 0};
}
static inline zn_vec3 zn_seen_back(const zn_seen *f, zn_vec3 x)
{
    return (zn_vec3){f->c * x.x + f->s * x.y, f->c * x.y - f->s * x.x, 0};
}
static inline zn_vec3 zn_seen_point(const zn_seen *f, zn_vec3 x) { return zn_vec3_add(f->at, zn_seen_vector(f, x)); }

/// A contour on a body that moves, in world axes.
typedef struct zn_seat {
    const zn_contour *c;
    zn_seen           body;
    zn_vec3           velocity; ///< of the origin of its axes
    zn_vec3           origin;   ///< of what is at the origin of the world
    double            spin;
} zn_seat;

typedef struct zn_two_contours {
    zn_seat seat[2]; ///< A, B
    zn_seen now[2];  ///< A seen from B, B seen from A
    double  horizon, slack;
    double  fastest; ///< bound of the speed of points of one against the other
    double  deep;    ///< beyond this depth nothing is a contact
    double  touch;   ///< a length that is nothing
} zn_two_contours;

zn_two_contours zn_two_contours_at(const zn_contour *a, const zn_contour *b, const zn_near *at);

/// A corner or an arc that bulges out.
typedef struct zn_round {
    int corner, edge; ///< the other is -1
} zn_round;

/// Is the round feature of contour `mover` (0: A) near the wall of the other one?
bool zn_round_near(const zn_two_contours *w, int mover, zn_round round, int wall);

#endif
