// What a physics engine has to do for the problems of stick.c: boxes and spheres of one friction and restitution, on a
// floor z = 0 or not. mujoco.c, bullet.cpp and ode.c do it, each for one world at a time.
#ifndef BENCH_STICK_PEER_H
#define BENCH_STICK_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_world {
    const char *setting;              // one of peer_settings
    double      gravity[3], friction; // friction of every pair
    double      restitution;          // of every pair; 0: none
    int         floor;                // 1: there is one
} peer_world;

typedef struct peer_body {
    double mass, radius, size[3]; // a sphere if there is a radius, otherwise a box
    double at[3];                 // of its centre
    int    rail;                  // 1: moves along x only
} peer_body;

extern const char *const peer_settings; // "default" first: as the engine comes; then as its manual advises

// Bodies are numbered as they come; when all are there the world is ready.
void   peer_begin(const peer_world *world);
void   peer_add(const peer_body *body);
void   peer_ready(double step);
void   peer_push(int body, double force); // along x, in the next step, for bodies on rails
void   peer_step(void);
void   peer_position(int body, double x[3]); // of a body that is not on a rail
double peer_depth(void);                     // deepest contact of the last step, as the engine tells it
int    peer_contacts(void);                  // points of contact in the last step
void   peer_end(void);

#ifdef __cplusplus
}
#endif

#endif
