/// A node seen as a rigid body between two states, and rows along which a multiplier does its work on the way (see
/// zn_system_way): the counterpart of rigid_row.h for schemes that conserve energy and momentum.
#ifndef ZN_MODEL_RIGID_WAY_H
#define ZN_MODEL_RIGID_WAY_H

#include "model/between.h"
#include "model/rigid_row.h"

/// Levers in what follows are those of the middle: the mean of a vector from the position of the body.
typedef struct zn_rigid_way {
    zn_rigid from, to;
    zn_vec3  middle; ///< mean of the positions
    zn_vec3  shift;  ///< p' - p
    zn_vec3  turn;   ///< w in world axes: R' - R = w x (R + R')/2
} zn_rigid_way;

/// A small motion of the end: of its position, its spin in world axes, and the change of w.
typedef struct zn_rigid_motion {
    zn_vec3 shift, spin, turn;
} zn_rigid_motion;

zn_rigid_way zn_rigid_way_of(const zn_layout *layout, zn_node_id id, zn_between s);
/// (R + R')/2 at
zn_vec3      zn_rigid_way_lever(const zn_rigid_way *b, zn_vec3 at);
/// How far the point on a lever moves: p' - p + w x lever.
zn_vec3      zn_rigid_way_moved(const zn_rigid_way *b, zn_vec3 lever);

/// Row of a force along d on a lever, of a moment m; over the dofs of zn_rigid_row and zn_rigid_turn_row. On the way
/// they give d.moved(lever) and m.w.
int zn_rigid_way_row(const zn_rigid_way *b, zn_vec3 lever, zn_vec3 d, int *dof, double *value);
int zn_rigid_way_turn_row(const zn_rigid_way *b, zn_vec3 m, int *dof, double *value);

/// The end moves with x; in its degree of freedom k, in the order of zn_rigid_row.
zn_rigid_motion zn_rigid_way_motion(const zn_rigid_way *b, const double *x);
zn_rigid_motion zn_rigid_way_unit(const zn_rigid_way *b, int k);
int             zn_rigid_way_dofs(const zn_rigid_way *b);
/// Changes of lever and moved; y += scale * change of the rows, when lever, d and m change likewise.
zn_vec3         zn_rigid_way_lever_change(const zn_rigid_way *b, zn_vec3 at, const zn_rigid_motion *x);
zn_vec3 zn_rigid_way_moved_change(const zn_rigid_way *b, zn_vec3 lever, zn_vec3 dlever, const zn_rigid_motion *x);
void zn_rigid_way_row_change(const zn_rigid_way *b, const zn_rigid_motion *x, zn_vec3 lever, zn_vec3 d, zn_vec3 dlever,
                             zn_vec3 dd, double scale, double *y);
void zn_rigid_way_turn_row_change(const zn_rigid_way *b, const zn_rigid_motion *x, zn_vec3 m, zn_vec3 dm, double scale,
                                  double *y);

#endif
