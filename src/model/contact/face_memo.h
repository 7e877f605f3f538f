/// A number of each face of a polyhedron, found when it is asked for first.
#ifndef ZN_MODEL_CONTACT_FACE_MEMO_H
#define ZN_MODEL_CONTACT_FACE_MEMO_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ZN_FACE_MEMO_WORDS = 4 };

typedef struct zn_face_memo {
    uint64_t known[ZN_FACE_MEMO_WORDS]; // bits
    double   number[64 * ZN_FACE_MEMO_WORDS];
} zn_face_memo;

static inline void zn_face_memo_clear(zn_face_memo *m) { memset(m->known, 0, sizeof m->known); }

/// False: nobody knows; of faces beyond the first ones nobody ever does.
static inline bool zn_face_memo_knows(const zn_face_memo *m, int face, double *out)
{
    if (face >= 64 * ZN_FACE_MEMO_WORDS || !(m->known[face / 64] >> (face % 64) & 1))
        return false;
    *out = m->number[face];
    return true;
}

static inline void zn_face_memo_tell(zn_face_memo *m, int face, double number)
{
    if (face >= 64 * ZN_FACE_MEMO_WORDS)
        return;
    m->known[face / 64] |= (uint64_t)1 << (face % 64);
    m->number[face] = number;
}

#endif
