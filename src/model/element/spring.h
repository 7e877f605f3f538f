/// Springs: what their files share.
#ifndef ZN_MODEL_ELEMENT_SPRING_H
#define ZN_MODEL_ELEMENT_SPRING_H

#include "model/element/element.h"
#include "model/element/spring_law.h"

/// Spring between two carried points.
typedef struct zn_spring {
    zn_attachment from, to;
    zn_pull       pull;
} zn_spring;

/// From `from` to `to`.
typedef struct zn_spring_line {
    zn_vec3 normal;
    double  length;
} zn_spring_line;

/// Springs whose force has a potential; those whose force is a function, and its work that of a load.
extern const zn_element_ops zn_spring_ops, zn_applied_spring_ops;
extern const zn_between_ops zn_spring_between;
zn_status                   zn_spring_growth_between(const zn_element_block *b, zn_between s, double *out);

/// Fails when the ends coincide.
zn_status zn_spring_line_of(const zn_element_block *b, int e, const double *q, zn_spring_line *out);
/// Refuses a force that is not finite.
zn_status zn_spring_check(const zn_element_block *b, int e, double force, double t);

#endif
