/// Who is to blame when an iteration fails: the last one that did in this thread, with what it was off by. Whoever
/// fails writes it, where it costs nothing otherwise; whoever tells the user reads it. It belongs to the thread, as
/// fault points do, so that two simulations of one system never meet in it.
#ifndef ZN_BASE_BLAME_H
#define ZN_BASE_BLAME_H

#include <math.h>

#include "zn/base.h"

typedef enum zn_blame_kind {
    ZN_BLAME_NOBODY,
    ZN_BLAME_BALANCE,    ///< Newton's method: forces, impulses or shifts at a node do not balance
    ZN_BLAME_GAP,        ///< Newton's method: a joint is open, or a contact penetrated
    ZN_BLAME_CONSTRAINT, ///< the problem of joints and contacts has no answer yet
    ZN_BLAME_INFINITE,   ///< at a node something is not finite
    ZN_BLAME_SINGULAR,   ///< a matrix has no pivot in a column
    ZN_BLAME_CROWD,      ///< memory ended over so many (value) of what `problem` says
} zn_blame_kind;

typedef struct zn_blame {
    zn_blame_kind kind;
    const char   *problem;    ///< the problem that failed: "Newton's method", "contact problem", ...
    int           node;       ///< of ZN_BLAME_BALANCE and _INFINITE
    int           column;     ///< of ZN_BLAME_SINGULAR: in a matrix of a system a degree of freedom
    bool          turns;      ///< it is about a rotation of this node
    zn_contact_id contact;    ///< a contact or joint equation, of the others; or none
    double        value;      ///< what it is off by, in `unit`
    const char   *unit;       ///< of a translation: N, N s, kg m, m/s. "": none
    double        relative;   ///< over the size of its terms
    double        tolerance;  ///< of `relative`; of ZN_BLAME_GAP: of the value
    int           iterations; ///< of Newton's method
    double        rate;       ///< by which its residual changed per iteration in the second half of them
    double        left;       ///< its residual over the tolerance at the end
} zn_blame;

extern _Thread_local zn_blame zn_blame_last __attribute__((tls_model("initial-exec")));

/// How Newton's method went, whoever is to blame in the end: residuals over the tolerance half-way and at the end.
static inline void zn_blame_iterations(int iterations, double middle, double end)
{
    int half = iterations - iterations / 2;
    zn_blame_last.iterations = iterations;
    zn_blame_last.rate = middle > 0 && half > 0 ? pow(end / middle, 1.0 / half) : 1;
    zn_blame_last.left = end;
}

/// Memory ended over so many: "contacts that are near".
static inline zn_status zn_blame_crowd(double count, const char *what)
{
    zn_blame_last =
        (zn_blame){.kind = ZN_BLAME_CROWD, .problem = what, .value = count, .contact = zn_contact_id_none()};
    return ZN_ERR_MEMORY;
}

/// Nobody has failed any more; nearly always nobody had.
static inline void zn_blame_clear(void)
{
    if (zn_blame_last.kind != ZN_BLAME_NOBODY || zn_blame_last.problem || zn_blame_last.iterations > 0)
        zn_blame_last = (zn_blame){.contact = zn_contact_id_none()};
}

#endif
