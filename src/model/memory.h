/// What a configuration remembers beside positions: entries at the end of q that no degree of freedom moves.
///     angle   unwrapped angle of a travel (travel.h): whoever moves q makes it the value nearest to the one before
///             and the turn by which it moves, so that each configuration knows its number of turns
///     held    written between steps by the driver alone (sampled values, switches), carried along by everybody else
/// States, checkpoints and restarts hold them because they hold q.
#ifndef ZN_MODEL_MEMORY_H
#define ZN_MODEL_MEMORY_H

#include "model/model.h"
#include "model/travel.h"

typedef enum zn_memory_kind { ZN_MEMORY_ANGLE, ZN_MEMORY_HELD } zn_memory_kind;

struct zn_memory {
    zn_memory_kind kind;
    double         start;  ///< value at the start
    zn_travel      travel; ///< angle
};

/// Append an entry; `index` is its number, q[layout.memory + index] its value.
zn_status zn_model_add_memory(zn_model *model, const zn_memory *memory, int *index);

/// Travels of a model between two points, or about an axis, both in world axes at the start. `start` is the value
/// there. In space an angle gets an entry of q.
zn_status zn_model_travel_along(const zn_model *model, zn_attachment a, zn_attachment b, zn_vec3 axis, double start,
                                zn_travel *out);
zn_status zn_model_travel_about(zn_model *model, zn_node_id a, zn_node_id b, zn_vec3 axis, double start,
                                zn_travel *out);

/// Does it change with the degrees of freedom of this layout? In a part of a model (subset.h) only what it has moves.
bool zn_memory_moves(const zn_memory *memory, const zn_layout *layout);
/// The entries at q_out, which comes from q when the degrees of freedom move by h v; q == q_out allowed. An angle may
/// turn any number of times on the way.
void zn_memory_follow(const zn_model *model, const zn_layout *layout, const double *q, double h, const double *v,
                      double *q_out);

#endif
