/// Central differences with steps by the size of elements, in powers of two: what its files share.
///     levels.c        the step
///     levels_split.c  which element belongs to which level; the nodes between them
#ifndef ZN_SCHEME_LEVELS_H
#define ZN_SCHEME_LEVELS_H

#include "scheme/cd_lagrange.h"
#include "scheme/scheme.h"
#include "system/subsystem.h"

enum { LEVELS_MOST = 16 };

/// Elements with a common step, 2^-exponent of that of the scheme.
typedef struct level {
    zn_subsystem    part;
    zn_state       *state;
    cd_lagrange    *self;
    int             exponent;
    int             elements; ///< without loads
    zn_critical     critical;
    // where it meets others: degrees of freedom
    int             links;
    int            *dof;           ///< of this part
    int            *knot;          ///< each: which degree of freedom of the whole, as a number from 0 on
    double         *force;         ///< links now
    double         *free0, *free1; ///< velocities without the links of the time, at both ends of the step under way
    double         *weight;        ///< 2 m/h: force per velocity at the end of a step
    double         *memory;        ///< of these
    // the step under way, and what a step that fails goes back to
    zn_step_info    info;
    double          work;
    double         *kept;
    size_t          kept_bytes;
    zn_contact_set *kept_contacts;
} level;

/// A model in levels.
typedef struct levels_parts {
    int    count;
    level  level[LEVELS_MOST]; ///< the coarsest first
    int    contacts;           ///< the level of all contacts and joints
    int    knots;              ///< degrees of freedom that two or more levels move
    int   *finest;             ///< knots: the finest level that moves it
    double critical;           ///< [s] longest step of the scheme at the start
} levels_parts;

/// Split the model into at most `most` levels; with one level there are no parts. Refuses, with a name, what cannot be
/// split.
zn_status levels_split(const zn_system *sys, int most, levels_parts *out);
void      levels_parts_destroy(levels_parts *parts);
/// Most levels that the option asks for: "auto", or a number.
int       levels_most(const char *word);

#endif
