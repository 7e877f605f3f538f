/// Round lines that lie nearly along each other: capsules, cylinders, and these on edges. At an angle θ the place where
/// they touch runs along them by λ/θ² times the angle by which one tilts (λ: sum of the radii), a rocker with a radius
/// of kilometres. Within a step such a contact is held at a place of the first line, a material point of it, whose gap
/// and rows turn by no more than those of a ball; which place, is a question of its own.
#ifndef ZN_MODEL_CONTACT_ROUND_LINES_H
#define ZN_MODEL_CONTACT_ROUND_LINES_H

#include "model/contact/contact.h"
#include "model/contact/feature.h"

/// Where along the first of two features, in world axes, they are nearest, and by how much nearer than where the piece
/// says (0: it says nothing); false: they are not two such lines.
bool zn_round_lines_nearest(const zn_feature *a, const zn_feature *b, int piece, zn_nearest_place *out);

/// Is a contact that lies there nothing but an end of these lines, which they have themselves?
bool zn_round_lines_end(const zn_feature *a, const zn_feature *b, const zn_feature_place *other);

/// a becomes the point of it that the piece says, b what of it is nearest to that point.
void zn_round_lines_hold(int piece, zn_feature *a, zn_feature *b);

#endif
