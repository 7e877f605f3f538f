/// The longest stable step of Schatzman-Paoli's scheme where theta < 1/2 (theta = 0: central differences), whatever the
/// mass matrix. Free modes with frequency w and damping c per mass give, with W = h w and x = h c / 2,
///     (1 + th W^2 + th x) z^3 + ((1 - th) (W^2 + x) - 2) z^2 + (1 - th x) z - (1 - th) x = 0,
/// as (20b) makes the velocity one step late. Jury's conditions |z| <= 1 leave
///     W^2 <= 4 / (1 - 2 th),    (1 - 2 th) x <= 1 + th W^2,
///     th (1 + th W^2 + th x) s + (1 - th) x (2 - (1 - th) s) >= 0,   s = W^2 + 2 x,
/// of which the first alone counts without damping; with it, th = 0 allows W^2 + 2 x <= 2 only.
#ifndef ZN_SCHEME_STABLE_STEP_H
#define ZN_SCHEME_STABLE_STEP_H

#include "zn/scheme.h"

/// For one mode.
double    zn_stable_step_of(double theta, double frequency, double damping);
/// For the largest frequency and the largest damping of the model in its initial configuration, by power iteration.
zn_status zn_stable_step(const zn_system *sys, const zn_scheme_def *def, zn_critical *out);

#endif
