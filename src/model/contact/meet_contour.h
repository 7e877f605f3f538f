/// How shapes of the plane meet.
#ifndef ZN_MODEL_CONTACT_MEET_CONTOUR_H
#define ZN_MODEL_CONTACT_MEET_CONTOUR_H

#include "model/contact/meet.h"

/// Any two of contour, sphere (disc), box (rectangle), capsule and plane.
zn_meet zn_meet_contours;

#endif
