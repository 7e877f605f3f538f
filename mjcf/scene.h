/// An MJCF scene as MuJoCo has compiled it, and how it is written as a model file.
#ifndef ZENO_MJCF_SCENE_H
#define ZENO_MJCF_SCENE_H

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>

enum { NAME_BYTES = 96 };

typedef struct scene {
    const mjModel *model;
    const mjData  *data; ///< at the start
    FILE          *out;
    char          *why; ///< it is refused
    size_t         why_size;
    int            odd;                                                  ///< numbers that are none
    char (*body)[NAME_BYTES], (*joint)[NAME_BYTES], (*geom)[NAME_BYTES]; ///< in the model file
} scene;

/// Read `file`, write `output`; `part`: without gravity and run. False: `why` tells it in one line.
bool scene_import(const char *file, const char *output, bool part, char *why, size_t size);
/// False, after telling why.
bool scene_refuse(scene *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Names for everything; false: no memory.
bool scene_name(scene *s);
void scene_free(scene *s);

/// The body of the model file that a MuJoCo body is part of; 0: the ground.
int  body_of(const scene *s, int body);
/// A point or direction of the world in the axes of a body of the model file, points from its centre of mass.
void to_body(const scene *s, int body, const mjtNum world[3], mjtNum out[3]);
void turn_to_body(const scene *s, int body, const mjtNum world[3], mjtNum out[3]);

void put_number(scene *s, double x);
void put_vector(scene *s, const mjtNum x[3]);
void put_quaternion(scene *s, const mjtNum q[4]);

void put_shapes(scene *s);
void put_contacts(scene *s);
/// False: a combination of joints that has no counterpart.
bool put_joints(scene *s);

#endif
