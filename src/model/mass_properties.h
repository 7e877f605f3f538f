/// Volume, centre and inertia of shapes of density 1.
#ifndef ZN_MODEL_MASS_PROPERTIES_H
#define ZN_MODEL_MASS_PROPERTIES_H

#include "zn/contact.h"

/// For density 1 [kg/m^3]; times a density they are mass and inertia.
typedef struct zn_mass_properties {
    double  volume;  ///< [m^3]; in the plane of a plate of 1 m
    zn_vec3 centre;  ///< [m]
    zn_mat3 inertia; ///< about the centre [m^5]
} zn_mass_properties;

/// Of a closed surface of triangles, counter-clockwise seen from outside. What is inside out has a negative volume.
zn_mass_properties zn_mass_of_triangles(int points, const zn_vec3 *point, int triangles, const int *corner);

zn_mass_properties zn_mass_of_sphere(double radius);
zn_mass_properties zn_mass_of_box(zn_vec3 sides);
zn_mass_properties zn_mass_of_cylinder(double radius, double length); ///< along z
zn_mass_properties zn_mass_of_capsule(double radius, double length);  ///< along z; length without its ends

/// Plates of 1 m, across z.
zn_mass_properties zn_mass_of_disc(double radius);
zn_mass_properties zn_mass_of_rectangle(double x, double y);
zn_mass_properties zn_mass_of_stadium(double radius, double length);     ///< along x
zn_mass_properties zn_mass_of_polygon(int count, const zn_vec3 *corner); ///< counter-clockwise

/// The same turned and then moved: centre and inertia in the new axes.
zn_mass_properties zn_mass_moved(const zn_mass_properties *mass, zn_quat rotation, zn_vec3 at);

#endif
