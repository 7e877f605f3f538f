/// Friction problems of many families, each a function of a seed: rigid bodies that touch, and matrices that are full.
#ifndef ZN_BENCH_FAMILIES_H
#define ZN_BENCH_FAMILIES_H

#include <stdbool.h>
#include <stdint.h>

enum { GROUND = -1 };

typedef struct body {
    double x[3], mass, inertia[3]; // inertia about world axes; in the plane about the normal: [2]
    double v[3], spin[3];
} body;

typedef struct touch {
    int    a, b;       // the normal points from b to a
    double p[3], n[3]; // place and normal
    double mu;
} touch;

/// Rigid bodies in space or in the plane.
typedef struct scene {
    bool     planar;
    int      body_count, body_room, touch_count, touch_room;
    body    *bodies;
    touch   *touches;
    double   restitution, tilt; // tilt: of each normal, at random
    uint64_t random;            // state of the sequence
} scene;

double random_between(uint64_t *state, double low, double high);
int    random_index(uint64_t *state, int low, int high); ///< both included
int    add_body(scene *s, const double x[3], const double half[3], double mass);
void   add_touch(scene *s, int a, int b, const double p[3], const double n[3]);

/// One family of scenes: bodies and touches; friction and motion are set by the caller.
typedef struct family {
    const char *name;
    void (*make)(scene *s);
} family;

extern const family families[]; ///< the last has no name

#endif
