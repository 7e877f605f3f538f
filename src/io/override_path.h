/// Values of a model file named from outside by their path: "joints.pin.play.radius=5e-4".
#ifndef ZN_IO_OVERRIDE_PATH_H
#define ZN_IO_OVERRIDE_PATH_H

#include "io/bind.h"
#include "zn/io.h"

/// The name before '=' has a dot, which no parameter has.
bool zn_override_is_path(const char *text);
/// Put the values into the tree, as numbers in SI units, and list them after the parameters of the problem, so that
/// results tell them and a restart compares them. Overrides that are no paths are left alone; of two the last counts.
void zn_override_paths(zn_builder *builder, int count, const char *const *text, zn_pool *pool, zn_problem *problem);

#endif
