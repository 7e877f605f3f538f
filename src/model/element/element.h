/// Elements: dispatch per block, not per element. All elements of one kind sit in one block; an operation loops
/// inside and writes to precomputed places. Any operation may fail and says which element.
#ifndef ZN_MODEL_ELEMENT_ELEMENT_H
#define ZN_MODEL_ELEMENT_ELEMENT_H

#include "base/assert.h"
#include "model/between.h"
#include "model/layout.h"
#include "model/look.h"
#include "model/reading.h"

typedef struct zn_element_ops zn_element_ops;

/// Forces that depend on velocity: none, damping, or inertia forces of rotation.
typedef enum zn_velocity_force { ZN_VELOCITY_NONE, ZN_VELOCITY_DAMPER, ZN_VELOCITY_GYROSCOPIC } zn_velocity_force;

struct zn_element_block {
    const zn_element_ops *ops;
    const zn_layout      *layout;
    const zn_log         *log;
    char *const          *part_name;
    int                   count;
    const int            *part;      ///< owner of each element
    const int            *node;      ///< count * ops->nodes; -1: the ground
    const int            *dof;       ///< count * ops->dofs; -1: none
    const int            *scatter;   ///< count * ops->dofs^2: places in the sparse values; -1: none
    const void           *parameter; ///< count * ops->parameter_size bytes
};

/// Operations between two states, for schemes that conserve energy and momentum. With dq the way between the states,
/// zn_system_way (levers move by the Cayley vector w of a turn: moments act as ((R + R')/2)^-1 m, see rigid_way.c):
///     force . dq = -(V(to) - V(from))     for what has a potential V, to rounding, however far apart they are
///     force = that of zn_element_ops      for equal states
/// Internal forces of elements that do not care where they are (no linear ones) have neither resultant nor moment about
/// the middle positions. Dampers take the mean velocity, so that with dq = h times it they never give energy; loads
/// that depend on time only take its middle.
typedef struct zn_between_ops {
    /// Why element e has none, as the end of a sentence; NULL: it has. The others are called when all elements have.
    const char *(*lacks)(const zn_element_block *b, int e);
    zn_status (*force)(const zn_element_block *b, zn_between s, double *f); ///< f += force
    /// += a M + c C + k K, C = -df/dv and K = -df/dq at the end, not symmetric; NULL: neither mass nor tangents
    zn_status (*operators)(const zn_element_block *b, zn_between s, double a, double c, double k, double *values);
} zn_between_ops;

enum { ZN_CELL_NODES = 8, ZN_FACE_NODES = 4 }; ///< the most of any cell

/// An element as a cell of a mesh. Its nodes come in the order of VTK.
typedef struct zn_cell {
    const char *name;              ///< in reports: "hex8"
    int         vtk;               ///< type of cell, by the numbers of VTK
    int         dim;               ///< 1: a line
    int         faces, face_nodes; ///< of a cell; 0: a line
    const int  *face; ///< faces x face_nodes: normal outward by the right hand; in the plane edges, counter-clockwise
    const char *stress_name, *stress_unit;                               ///< NULL: none
    double (*stress)(const zn_element_block *b, int e, const double *q); ///< of these; NaN: cannot be evaluated
    /// Volume, in the plane with the thickness; length of a line. X: positions of all nodes, undeformed.
    double (*measure)(const zn_element_block *b, int e, const zn_vec3 *X);
    double (*thickness)(const void *parameter); ///< in the plane; needed where there are faces
    /// Of a line whose sections the nodes carry: axes of the section at one of them in those of the node; NULL: the
    /// same.
    zn_quat (*axes)(const zn_element_block *b, int e, int node);
} zn_cell;

/// part < 0: all elements; otherwise only those of that part.
struct zn_element_ops {
    const char *name;
    int         nodes, dofs;
    size_t      parameter_size;
    bool        varying_mass; ///< M depends on q
    bool        lever;        ///< two nodes whose rotations follow from their positions, however stiff it is
    bool (*linear)(const zn_element_block *b);                          ///< constant M, C, K; NULL: yes
    zn_status (*force)(const zn_element_block *b, zn_at at, double *f); ///< f += force; NULL: none
    zn_status (*operators)(const zn_element_block *b, zn_at at, double a, double c, double k,
                           double *values); ///< += a M + c C + k K
    zn_status (*inertia)(const zn_element_block *b, const double *q, int part, const double *a,
                         double *f); ///< f += M(q) a; NULL: no mass
    zn_status (*energy)(const zn_element_block *b, zn_at at, int part, zn_vec3 gravity,
                        zn_energy *out);                                                     ///< +=; NULL: none
    zn_status (*power)(const zn_element_block *b, zn_at at, const double *w, zn_power *out); ///< +=; NULL: none
    /// += dV/dt at rest of a potential that depends on time; `power` has it in strain and load; NULL: none
    zn_status (*growth)(const zn_element_block *b, zn_at at, double *out);
    /// += what it gains between two states beyond the work of its force; needed where there are `growth` and `between`
    zn_status (*growth_between)(const zn_element_block *b, zn_between s, double *out);
    // optional, for speed
    bool (*alike)(const zn_element_block *b, const double *q, int e,
                  int other); ///< same operators but for rounding; NULL: not known
    /// force of some elements at rest, and their strain energy (+=) in the same pass; NULL: by force and energy
    zn_status (*force_energy)(const zn_element_block *b, int first, int count, zn_at at, double *f, double *strain);
    /// what of the force depends on velocity; NULL: nothing
    zn_velocity_force (*velocity_force)(const zn_element_block *b);
    /// NULL: no force between two states is known. Elements without a force do not need one: M is all they have.
    const zn_between_ops *between;
    const zn_readings    *readings; ///< what it tells records and feedback; NULL: nothing
    bool                  load;     ///< the force is an applied load
    bool small_rotations; ///< frames it uses turn by rotation vectors: rotations add, which holds while they are small
    // how it is seen: one of these, or a load, which may be a link
    const zn_cell *cell;                                                 ///< a cell of a mesh
    void (*body)(const void *parameter, double *mass, zn_mat3 *inertia); ///< a rigid body; inertia 0: a point mass
    zn_link (*link)(const void *parameter);                              ///< a link between two points
    bool unseen;                                                         ///< it has no place
};

/// Distance of the nodes of a line, for its `measure`.
double zn_cell_length(const zn_element_block *b, int e, const zn_vec3 *X);

/// For the table of elements that never are, and of those whose rotation has inertia.
static inline bool zn_element_never_linear(const zn_element_block *b)
{
    (void)b;
    return false;
}

static inline zn_velocity_force zn_element_gyroscopic(const zn_element_block *b)
{
    (void)b;
    return ZN_VELOCITY_GYROSCOPIC;
}

extern const zn_element_ops zn_point_mass_ops, zn_rigid_body2_ops, zn_rigid_body3_ops, zn_round_body_ops, zn_bar2_ops,
    zn_bar3_ops, zn_force_ops;
extern const zn_element_ops zn_beam2_ops, zn_beam3_ops, zn_moment_ops, zn_clamp_ops;
extern const zn_readings    zn_spring_readings;

typedef struct zn_point_mass {
    double mass;
} zn_point_mass;
typedef struct zn_rigid_body2 {
    double mass, inertia;
} zn_rigid_body2;
typedef struct zn_rigid_body3 {
    double  mass;
    zn_mat3 inertia;
} zn_rigid_body3; ///< in body axes
typedef struct zn_round_body {
    double mass, inertia;
} zn_round_body; ///< the same inertia about all axes
typedef struct zn_rayleigh {
    double mass, stiffness;
} zn_rayleigh; ///< C = mass M + stiffness K
/// coupling: consistent 1/6, lumped 0; rest: difference of its nodes' coordinates along it when it has no stress.
typedef struct zn_bar {
    double      direction[3], stiffness, mass, coupling, rest;
    zn_rayleigh damping;
} zn_bar;
typedef struct zn_force {
    zn_attachment    point;
    const zn_signal *force[3], *torque;
} zn_force;

typedef struct zn_moment {
    zn_node_id       node;
    const zn_signal *moment[3];
    bool             follower;
} zn_moment;

/// A coordinate that is pressed down, see clamp.c.
typedef struct zn_clamp {
    double mass, force;
} zn_clamp;

/// One beam element. Stiffnesses: EA, GA (force), EI, GJ (moment); mass: rho A l; rotary: rho I l; coupling as in
/// zn_bar. The reference configuration, without stress: strain0, curvature0 and the rotation of the middle.
typedef struct zn_beam2 {
    double length, axial, shear, bending;
    double strain0[2], curvature0, middle0;
    double ahead;    ///< mean angle of the frames of the nodes before their sections
    double start[2]; ///< difference of the displacements of the ends at the start: bodies have positions there
    double mass, rotary, coupling;
} zn_beam2;
typedef struct zn_beam3 {
    double  length, force[3], moment[3]; ///< along and about x, y, z of the section
    zn_vec3 strain0, curvature0;
    zn_quat middle0;
    zn_vec3 start; ///< as of zn_beam2
    double  mass, rotary[3], coupling;
    bool    turned;  ///< sections have other axes than their nodes:
    zn_quat axes[2]; ///< those of the section at each node, in axes of the node
} zn_beam3;

static inline bool zn_rayleigh_is_valid(zn_rayleigh c)
{
    return c.mass >= 0 && c.stiffness >= 0 && isfinite(c.mass) && isfinite(c.stiffness);
}
static inline bool zn_is_damped(zn_rayleigh c) { return c.mass > 0 || c.stiffness > 0; }

/// Add a value to one entry of an element matrix.
static inline void zn_element_scatter(const zn_element_block *b, int element, int row, int column, double value,
                                      double *values)
{
    ZN_ASSERT(b->scatter && element >= 0 && element < b->count);
    ZN_ASSERT(row >= 0 && row < b->ops->dofs && column >= 0 && column < b->ops->dofs);
    int place = b->scatter[(element * b->ops->dofs + row) * b->ops->dofs + column];
    if (place >= 0)
        values[place] += value;
}

#endif
