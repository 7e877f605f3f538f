/// @file zn.h
/// All of Zeno's C API.
#ifndef ZN_ZN_H
#define ZN_ZN_H

#include "zn/base.h"
#include "zn/cad.h"
#include "zn/io.h"
#include "zn/math.h"
#include "zn/model.h"
#include "zn/option.h"
#include "zn/scene.h"
#include "zn/scheme.h"
#include "zn/sim.h"
#include "zn/solve.h"
#include "zn/statics.h"
#include "zn/system.h"
#include "zn/view.h"

#endif
