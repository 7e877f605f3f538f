/// Sums of what several processes know of the same unknowns, in one message each way between any two of them: each
/// tells all others that have an unknown, and adds what it hears. All add in one order and have the same bits.
///
/// Between begin and end there is time for other work: messages are cut into pieces that MPI sends at once.
#ifndef ZN_PARALLEL_MEETING_H
#define ZN_PARALLEL_MEETING_H

#include "parallel/world.h"

/// A vector of doubles or floats, of unknown i in place[i].
typedef struct zn_met_vector {
    double    *x;
    float     *single; ///< NULL: doubles
    const int *place;  ///< NULL: i
} zn_met_vector;

typedef struct zn_meeting {
    zn_world    *world;
    int         *begin;    ///< processes + 1: where the entries of each other one begin
    int         *unknown;  ///< of an entry, which that process has as well; ascending by number
    double      *out, *in; ///< or floats: of entries
    int          count;    ///< unknowns that others have
    int         *who;      ///< each of them
    int         *term;     ///< where its terms begin in `from`; count + 1
    int         *from;     ///< entry of `in`, or ~entry of `out`: the owner first, then the others in their order
    MPI_Request *request;
    int          requests; ///< under way
} zn_meeting;

/// Who else has which unknowns: of an entry of this list the unknown, its number in the whole, and another process.
typedef struct zn_acquaintance {
    int unknown, number, rank;
    int place; ///< of this process and of that one among those that have it: 0 the owner
    int own_place;
} zn_acquaintance;

/// All processes call all of these. The list is sorted. Whatever creation returns, destroy it.
zn_status zn_meeting_create(zn_world *world, int count, zn_acquaintance *list, zn_meeting *out);
void      zn_meeting_destroy(zn_meeting *m);
void      zn_meeting_begin(zn_meeting *m, zn_met_vector v); ///< shared entries of v do not change until it ends
void      zn_meeting_end(zn_meeting *m, zn_met_vector v);

#endif
