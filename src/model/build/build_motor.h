/// What loads share with motors: feedback in place of functions of time.
#ifndef ZN_MODEL_BUILD_MOTOR_H
#define ZN_MODEL_BUILD_MOTOR_H

#include "model/element/motor.h"

bool      zn_signal_is_feedback(const zn_signal *signal); ///< NULL: no
/// One force of a part; the model owns the signal.
zn_status zn_model_push_motor(zn_model *model, int part, zn_motor motor, zn_signal *signal);
/// For what may depend on time only.
zn_status zn_model_refuse_feedback(const zn_model *model, const char *what, const char *name, int count,
                                   zn_signal *const *signal);

#endif
