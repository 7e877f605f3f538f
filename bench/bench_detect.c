// Time to find the features at which two shapes meet.
//
//   bench_detect
//
// Lines: nanoseconds, pairs of features, name. First the boxes of detect_poses.h, then hulls and capsules. Bodies at
// rest, with the horizon of a step of 1 ms and the slack that shapes of their size have in a simulation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "detect_poses.h"
#include "model/contact/meet.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape.h"
#include "zn/math.h"

enum { CALLS = 2000, ROUNDS = 15, VERTICES = 50 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *name, const zn_pair_shape *a, const zn_pair_shape *b, zn_rigid A, double size)
{
    zn_near         at = {.A = A, .B = {.rotation = zn_mat3_identity()}, .horizon = 1e-3, .slack = 1e-2 * size};
    zn_feature_list found = {0};
    double          best = INFINITY;
    bool            swapped;
    zn_meet        *meet = zn_meet_of(a->kind, b->kind, false, &swapped);
    for (int k = 0; k < ROUNDS; k++) {
        double start = now();
        for (int n = 0; n < CALLS; n++) {
            found.count = 0;
            if (meet(a, b, &at, &found) != ZN_OK)
                exit(2);
        }
        best = fmin(best, (now() - start) / CALLS);
    }
    printf("%.1f %d %s\n", 1e9 * best, found.count, name);
    free(found.pair);
}

static zn_mat3 turn(zn_vec3 axis, double angle)
{
    zn_vec3 u = zn_vec3_scale(sin(angle / 2), axis);
    return zn_quat_matrix((zn_quat){cos(angle / 2), u.x, u.y, u.z});
}

static void boxes(void)
{
    zn_polyhedron *box = NULL;
    if (zn_polyhedron_box((zn_vec3){0, 0, 0}, zn_mat3_identity(), (zn_vec3){0.5, 0.5, 0.5}, &box) != ZN_OK)
        exit(2);
    zn_pair_shape shape = {.ops = &zn_box_ops, .kind = ZN_SHAPE_BOX, .data = box};
    for (int i = 0; i < BOX_POSES; i++) {
        const box_pose *p = &box_poses[i];
        zn_rigid        A = {.position = {p->at[0], p->at[1], p->at[2]},
                             .rotation = turn((zn_vec3){p->axis[0], p->axis[1], p->axis[2]}, p->angle)};
        measure(p->name, &shape, &shape, A, box->radius);
    }
    zn_polyhedron_destroy(box);
}

// Points around a ball of radius 1, evenly.
static zn_polyhedron *round_hull(void)
{
    zn_vec3        x[VERTICES];
    zn_polyhedron *hull = NULL;
    const char    *why;
    for (int i = 0; i < VERTICES; i++) {
        double z = 1 - (2 * i + 1.0) / VERTICES, angle = i * acos(-1) * (3 - sqrt(5));
        x[i] = (zn_vec3){sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z};
    }
    if (zn_polyhedron_hull((zn_vec3){0, 0, 0}, zn_mat3_identity(), VERTICES, x, &hull, &why) != ZN_OK)
        exit(2);
    return hull;
}

// Where A has to be so that its point x lies on face f of B, `up` above the middle of it.
static zn_rigid on_face(const zn_polyhedron *B, int f, zn_mat3 R, zn_vec3 x, double up)
{
    const zn_polyhedron_face *face = &B->face[f];
    zn_vec3                   middle = {0, 0, 0};
    for (int k = face->first; k < face->first + face->count; k++)
        middle = zn_vec3_add(middle, zn_vec3_scale(1.0 / face->count, B->vertex[B->corner[k]]));
    middle = zn_vec3_add(middle, zn_vec3_scale(up, face->normal));
    return (zn_rigid){.position = zn_vec3_sub(middle, zn_mat3_apply(R, x)), .rotation = R};
}

static void hulls(void)
{
    zn_polyhedron *hull = round_hull();
    zn_pair_shape  shape = {.ops = &zn_hull_ops, .kind = ZN_SHAPE_HULL, .data = hull};
    zn_vec3        n = hull->face[0].normal, axis = zn_vec3_cross(hull->face[7].normal, zn_vec3_scale(-1, n));
    double         sine = zn_vec3_norm(axis);
    double         angle = atan2(sine, -zn_vec3_dot(hull->face[7].normal, n));
    zn_mat3        R = turn(zn_vec3_scale(1 / sine, axis), angle); // face 7 of A comes down on face 0 of B
    int            corner = zn_polyhedron_farthest(hull, zn_vec3_scale(-1, n), 0);
    measure("hulls of 50 vertices, corner on face", &shape, &shape,
            on_face(hull, 0, zn_mat3_identity(), hull->vertex[corner], 0), 1);
    measure("hulls of 50 vertices, face on face", &shape, &shape,
            on_face(hull, 0, R, hull->vertex[hull->corner[hull->face[7].first]], 0), 1);
    measure("hulls of 50 vertices, 0.5 apart", &shape, &shape,
            on_face(hull, 0, zn_mat3_identity(), hull->vertex[corner], 0.5), 1);
    zn_polyhedron_destroy(hull);
}

static void capsules(void)
{
    zn_pair_shape shape = {
        .ops = &zn_capsule_ops, .kind = ZN_SHAPE_CAPSULE, .radius = 0.5, .length = 2, .axes = zn_mat3_identity()};
    measure("capsules, crossed", &shape, &shape,
            (zn_rigid){.position = {0, 1, 0.1}, .rotation = turn((zn_vec3){0, 1, 0}, 1)}, 1);
    measure("capsules, side by side", &shape, &shape,
            (zn_rigid){.position = {0, 1, 0.1}, .rotation = zn_mat3_identity()}, 1);
}

int main(void)
{
    boxes();
    hulls();
    capsules();
    return 0;
}
