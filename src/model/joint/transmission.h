/// What acts on the travels of joints (travel.h): a drive, stops, gears with or without backlash. One rule for all, on
/// the sum w = sum of factor * travel:
///     equation   w - motion(t) = value
///     stops      low <= w - value <= high, a contact each
#ifndef ZN_MODEL_JOINT_TRANSMISSION_H
#define ZN_MODEL_JOINT_TRANSMISSION_H

#include "model/contact/contact.h"
#include "model/travel.h"

enum { ZN_TRANSMISSION_TRAVELS = 2 };

typedef struct zn_transmission {
    int              count;
    zn_travel        travel[ZN_TRANSMISSION_TRAVELS];
    double           factor[ZN_TRANSMISSION_TRAVELS];
    double           value;
    const zn_signal *motion;   ///< equation: borrowed; NULL: none
    double           bound[2]; ///< stops: low, high; infinite ones make no contact
    int              stops;    ///< number of finite bounds
    bool             side[2];  ///< of each contact: false low, true high
    double           restitution;
    const char      *name; ///< borrowed, as the log
    const zn_log    *log;
} zn_transmission;

extern const zn_contact_ops zn_drive_ops, zn_stops_ops;

#endif
