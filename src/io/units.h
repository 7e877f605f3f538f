/// Units of measurement: what may follow a number in a model file, and what each quantity expects.
#ifndef ZN_IO_UNITS_H
#define ZN_IO_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/// Dimensions of the quantities in model files: name, SI unit, exponents of m, kg, s, rad, what to call it.
#define ZN_DIMENSION_LIST(X)                                                                                           \
    X(ZN_DIM_NONE, "", 0, 0, 0, 0, "a number without a unit")                                                          \
    X(ZN_DIM_LENGTH, "m", 1, 0, 0, 0, "a length such as m, mm")                                                        \
    X(ZN_DIM_AREA, "m^2", 2, 0, 0, 0, "an area such as m^2, mm^2")                                                     \
    X(ZN_DIM_SECOND_MOMENT, "m^4", 4, 0, 0, 0, "a second moment of area such as m^4, mm^4")                            \
    X(ZN_DIM_MASS, "kg", 0, 1, 0, 0, "a mass such as kg, g, t")                                                        \
    X(ZN_DIM_TIME, "s", 0, 0, 1, 0, "a time such as s, ms, min")                                                       \
    X(ZN_DIM_RATE, "s^-1", 0, 0, -1, 0, "a rate such as s^-1, Hz")                                                     \
    X(ZN_DIM_ANGLE, "rad", 0, 0, 0, 1, "an angle such as rad, deg")                                                    \
    X(ZN_DIM_VELOCITY, "m/s", 1, 0, -1, 0, "a velocity such as m/s, km/h")                                             \
    X(ZN_DIM_ACCELERATION, "m/s^2", 1, 0, -2, 0, "an acceleration such as m/s^2")                                      \
    X(ZN_DIM_SPIN, "rad/s", 0, 0, -1, 1, "an angular velocity such as rad/s, deg/s, rpm")                              \
    X(ZN_DIM_FORCE, "N", 1, 1, -2, 0, "a force such as N, kN")                                                         \
    X(ZN_DIM_TORQUE, "N m", 2, 1, -2, 0, "a torque such as N m, kN m")                                                 \
    X(ZN_DIM_INERTIA, "kg m^2", 2, 1, 0, 0, "a moment of inertia such as kg m^2")                                      \
    X(ZN_DIM_STIFFNESS, "N/m", 0, 1, -2, 0, "a stiffness such as N/m, kN/mm")                                          \
    X(ZN_DIM_DAMPING, "N s/m", 0, 1, -1, 0, "a damping such as N s/m")                                                 \
    X(ZN_DIM_TORSION, "N m/rad", 2, 1, -2, -1, "a torsional stiffness such as N m/rad, N m/deg")                       \
    X(ZN_DIM_TORSION_DAMPING, "N m s/rad", 2, 1, -1, -1, "a torsional damping such as N m s/rad")                      \
    X(ZN_DIM_IMPULSE, "N s", 1, 1, -1, 0, "an impulse such as N s")                                                    \
    X(ZN_DIM_PRESSURE, "Pa", -1, 1, -2, 0, "a stress such as Pa, GPa, N/mm^2")                                         \
    X(ZN_DIM_DENSITY, "kg/m^3", -3, 1, 0, 0, "a density such as kg/m^3, g/cm^3")

typedef enum zn_dimension {
#define ZN_DIMENSION_ENUM(id, unit, m, kg, s, rad, text) id,
    ZN_DIMENSION_LIST(ZN_DIMENSION_ENUM)
#undef ZN_DIMENSION_ENUM
        ZN_DIMENSIONS,
    ZN_DIM_ANY = ZN_DIMENSIONS ///< of parameters: not checked
} zn_dimension;

/// A unit is numerator/denominator * 10^decade times powers of the base units. Powers of ten are kept apart and
/// applied as one exact product or quotient, so that 3 mm is the double nearest to 0.003.
typedef struct zn_unit {
    double numerator, denominator;
    int    decade;
    int    power[4]; ///< of m, kg, s, rad
} zn_unit;

enum { ZN_UNIT_MESSAGE = 160 };

/// Read a unit: symbols with optional prefix and power, products by blank or '*', then quotients ("N s/m",
/// "kg/m^3", "m/s/s"). False with a message when it is none.
bool   zn_unit_parse(const char *text, zn_unit *out, char message[ZN_UNIT_MESSAGE]);
/// The unit at the beginning of `text`, as long as units follow each other; its bytes in `length`. Behind a quotient a
/// '*' ends it: 5 mm/s * t.
bool   zn_unit_read(const char *text, zn_unit *out, size_t *length, char message[ZN_UNIT_MESSAGE]);
/// Value in SI units.
double zn_unit_apply(const zn_unit *unit, double value);
/// True when the unit measures that dimension; rad counts as a dimension of its own.
bool   zn_unit_fits(const zn_unit *unit, zn_dimension dimension);

const char *zn_dimension_unit(zn_dimension dimension); ///< "N s/m"
const char *zn_dimension_text(zn_dimension dimension); ///< "a length such as m, mm"

/// Byte at which the first unit begins in a formula, or the length of the text: the first operand that is followed by
/// white space and a letter.
size_t zn_unit_split(const char *text);

#endif
