/// Pieces of a drawing in any order and direction, chained to one closed contour.
#ifndef ZN_IO_PROFILE_CHAIN_H
#define ZN_IO_PROFILE_CHAIN_H

#include "io/profile.h"

typedef struct zn_piece {
    zn_vec3 end[2];
    double  bulge; ///< from end 0 to end 1
    int     line;  ///< of the file
} zn_piece;

typedef struct zn_pieces {
    int       count, capacity;
    zn_piece *piece;
} zn_pieces;

zn_status zn_pieces_add(zn_pieces *pieces, zn_piece piece);

/// Ends closer than `tolerance` of the size of all are one. Messages name gaps, branches, and a second contour.
zn_status zn_pieces_chain(const zn_pieces *pieces, const char *name, double tolerance, zn_profile *out,
                          char message[ZN_PROFILE_MESSAGE]);

#endif
