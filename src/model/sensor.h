/// A sensor: one number that is a function of configuration, velocity and time, with its derivatives. Feedback reads
/// machines through sensors; they have the names that records have, "arm.velocity.x".
#ifndef ZN_MODEL_SENSOR_H
#define ZN_MODEL_SENSOR_H

#include "model/model.h"
#include "model/reading.h"
#include "model/span.h"
#include "model/travel.h"

typedef enum zn_sensor_kind {
    ZN_SENSOR_COORDINATE,  ///< coordinate `slot` of a node, less `offset`
    ZN_SENSOR_SPEED,       ///< velocity of degree of freedom `slot` of a node: world axes; spins: body axes
    ZN_SENSOR_ANGLE,       ///< in the plane: angle of span.to less that of span.from less `offset`
    ZN_SENSOR_TURN_RATE,   ///< spin of span.to relative to span.from about `axis`
    ZN_SENSOR_ALONG,       ///< span along `axis`, less `offset`
    ZN_SENSOR_ALONG_RATE,  ///< its rate
    ZN_SENSOR_LENGTH,      ///< of a span
    ZN_SENSOR_LENGTH_RATE, ///< of a span
    ZN_SENSOR_READING,     ///< what an element tells
    ZN_SENSOR_TRAVEL,      ///< of a joint
    ZN_SENSOR_TRAVEL_RATE, ///< its rate
    ZN_SENSOR_MEMORY,      ///< entry `slot` of those at the end of q
} zn_sensor_kind;

/// Made by one of the functions below; holds no memory of its own.
typedef struct zn_sensor {
    zn_sensor_kind  kind;
    const char     *unit;       ///< "" where nobody knows
    int             node, slot; ///< slot: of zn_layout_node.dof
    double          offset;
    zn_span         span;
    zn_vec3         axis; ///< in the axes of the span
    zn_travel       travel;
    const zn_model *model;                 ///< of a reading; borrowed
    int             group, element, which; ///< of a reading
} zn_sensor;

/// Largest number of entries of a gradient.
enum { ZN_SENSOR_DOFS = ZN_READING_DOFS };

/// From the name of a number: "object.quantity" or "object.quantity.component", "object.x" for "object.position.x".
/// Fails with ZN_ERR_MODEL and says why in `message`, the end of a sentence. The model must hold the object already and
/// outlive the sensor; it may grow.
///     node, body    position, displacement, velocity (x, y, z; of a generalized coordinate none); angle, spin in the
///                   plane; spin (body axes) and world_spin (x, y, z) in space
///     point         position, velocity (x, y, z)
///     span          position, velocity (x, y, z in its axes), length, rate
///     spring        what its kind of element tells: length, rate, force
///     beam[3]       likewise of its element 3: axial, shear, bending; axial, shear_y, shear_z, torsion, bending_y,
///                   bending_z in space
///     joint         angle (revolute), displacement (prismatic), rate
zn_status zn_sensor_find(const zn_model *model, const char *name, zn_sensor *out, char *message, size_t size);
/// How many elements of a part (a spring, a beam) tell this of themselves.
int       zn_sensor_elements(const zn_model *model, const char *object, const char *quantity);
/// Velocity of a node with one degree of freedom: the value of a state.
zn_sensor zn_sensor_of_state(zn_node_id node);
/// What a configuration remembers: q[layout.memory + entry]. No degree of freedom moves it.
zn_sensor zn_sensor_of_memory(int entry);

/// at.v and at.t are read by sensors that depend on them only. NaN where there is no such number.
double zn_sensor_value(const zn_sensor *sensor, const zn_layout *layout, zn_at at);
/// Whether the value depends on velocities.
bool   zn_sensor_uses_velocity(const zn_sensor *sensor);
/// Its gradient: entries (dof, d/dq, d/dv), ZN_SENSOR_DOFS at most; no degree of freedom occurs twice. Returns their
/// number; -1: nobody knows it.
int    zn_sensor_gradient(const zn_sensor *sensor, const zn_layout *layout, zn_at at, int *dof, double *dq, double *dv);

/// Nodes it depends on, -1 for the ground; returns their number.
enum { ZN_SENSOR_NODES = 8 };
int zn_sensor_nodes(const zn_sensor *sensor, int node[ZN_SENSOR_NODES]);

#endif
