/// The way from one carried point to another, and how fast it changes: springs, records and feedback stand on this.
#ifndef ZN_MODEL_SPAN_H
#define ZN_MODEL_SPAN_H

#include "model/gradient.h"
#include "model/layout.h"

typedef struct zn_span {
    zn_attachment from, to;
    zn_node_id    axes; ///< body whose axes components are in; null: world axes
} zn_span;

/// Largest number of degrees of freedom a span depends on: two points and the axes.
enum { ZN_SPAN_DOFS = 18 };

/// Component along e, a direction in the axes of the span, and its rate: the velocity as one sees it who turns with the
/// axes.
double zn_span_along(const zn_span *span, const zn_layout *layout, zn_vec3 e, const double *q);
double zn_span_along_rate(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at);
/// Distance of the points and its rate. The rate of points that coincide is the speed at which they part.
double zn_span_length(const zn_span *span, const zn_layout *layout, const double *q);
double zn_span_length_rate(const zn_span *span, const zn_layout *layout, zn_at at);
/// Spin of the body of `to` relative to that of `from`, about e.
double zn_span_turn_rate(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at);

/// `weight` times their gradients, added. Where the points coincide a length has none. Frames of linear beams: as if
/// they turned like any other, right for the small turns that they are made for.
void zn_span_along_gradient(const zn_span *span, const zn_layout *layout, zn_vec3 e, const double *q, double weight,
                            zn_gradient *g);
void zn_span_along_rate_gradient(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at, double weight,
                                 zn_gradient *g);
void zn_span_length_gradient(const zn_span *span, const zn_layout *layout, const double *q, double weight,
                             zn_gradient *g);
void zn_span_length_rate_gradient(const zn_span *span, const zn_layout *layout, zn_at at, double weight,
                                  zn_gradient *g);
void zn_span_turn_rate_gradient(const zn_span *span, const zn_layout *layout, zn_vec3 e, zn_at at, double weight,
                                zn_gradient *g);

#endif
