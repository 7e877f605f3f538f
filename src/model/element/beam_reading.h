/// What beams tell of themselves: the forces of a section in the middle of each element, in the axes of the section,
/// that the side of larger x exerts on the other.
#ifndef ZN_MODEL_ELEMENT_BEAM_READING_H
#define ZN_MODEL_ELEMENT_BEAM_READING_H

#include "model/reading.h"

enum { ZN_BEAM2_READINGS = 3, ZN_BEAM3_READINGS = 6 };

static const zn_reading zn_beam2_reading[ZN_BEAM2_READINGS] = {
    {"axial", "N", "axial force of the section, positive when it pulls"},
    {"shear", "N", "shear force along y of the section"},
    {"bending", "N m", "bending moment"},
};

static const zn_reading zn_beam3_reading[ZN_BEAM3_READINGS] = {
    {"axial", "N", "axial force of the section, positive when it pulls"},
    {"shear_y", "N", "shear force along y of the section"},
    {"shear_z", "N", "shear force along z of the section"},
    {"torsion", "N m", "moment about the axis of the beam"},
    {"bending_y", "N m", "bending moment about y of the section"},
    {"bending_z", "N m", "bending moment about z of the section"},
};

#endif
