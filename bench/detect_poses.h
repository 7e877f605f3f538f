// Poses of a box above a box of the same size, for bench_detect.c and stick/ode_boxes.c. Sides 1 m, box B at the
// origin.
#ifndef BENCH_DETECT_POSES_H
#define BENCH_DETECT_POSES_H

typedef struct box_pose {
    const char *name;
    double      at[3], axis[3], angle; // of A, turned about a unit axis
} box_pose;

static const box_pose box_poses[] = {
    {"flush, shifted", {0.25, 0.125, 1}, {0, 0, 1}, 0},
    {"flush, edges aligned", {0.25, 0, 1}, {0, 0, 1}, 0},
    {"flush, turned by 45 degrees", {0, 0, 1}, {0, 0, 1}, 0.7853981633974483},
    {"tilted by 1e-3", {0.25, 0.125, 1.0005}, {0.6, 0.8, 0}, 1e-3},
    {"corner on face, depth 1e-12",
     {0.1, 0.05, 0.5 + 0.8660254037834387 - 1e-12},
     {0.7071067811865475, -0.7071067811865475, 0},
     0.9553166181245093},
};

enum { BOX_POSES = sizeof box_poses / sizeof *box_poses };

#endif
