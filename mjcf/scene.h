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
    char (*body)[NAME_BYTES], (*joint)[NAME_BYTES], (*geom)[NAME_BYTES]; ///< in the model file
} scene;

/// Names for everything; false: no memory.
bool scene_name(scene *s);
void scene_free(scene *s);

/// The body of the model file that a MuJoCo body is part of; 0: the ground.
int  body_of(const scene *s, int body);
/// A point or direction of the world in the axes of a body of the model file, points from its centre of mass.
void to_body(const scene *s, int body, const mjtNum world[3], mjtNum out[3]);
void turn_to_body(const scene *s, int body, const mjtNum world[3], mjtNum out[3]);

void put_number(FILE *out, double x);
void put_vector(FILE *out, const mjtNum x[3]);
void put_quaternion(FILE *out, const mjtNum q[4]);

void put_shapes(const scene *s);
void put_contacts(const scene *s);
/// False after a message: a combination of joints that has no counterpart.
bool put_joints(const scene *s);

#endif
