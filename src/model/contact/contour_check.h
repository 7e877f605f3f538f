/// What makes a list of sides a contour.
#ifndef ZN_MODEL_CONTACT_CONTOUR_CHECK_H
#define ZN_MODEL_CONTACT_CONTOUR_CHECK_H

#include "zn/contact.h"

enum { ZN_CONTOUR_FAULT = 200 };

/// ZN_ERR_MODEL with the reason in `text`: a side without length, sides that cross, no area, clockwise unless it
/// is a hole. Points are
/// counted from 1. Finite numbers, two sides at least.
zn_status zn_contour_check(int count, const zn_contour_side *side, bool open, bool hole, char text[ZN_CONTOUR_FAULT]);

#endif
