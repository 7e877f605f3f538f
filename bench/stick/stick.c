// Things that bounce and things that must stay where they are, in a physics engine (peer.h):
//
//   stick_ENGINE SETTING bounce E | incline | grip | wall | stack [SECONDS]
//
// Answers with one line of JSON. Processor time is that of all steps; how deep contacts are is looked at in every
// tenth.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer.h"

enum { MAX_BODIES = 32, BALLS = 50, LOOK = 10 };
static const double STEP = 1e-3, G = 9.81;

static peer_body bodies[MAX_BODIES];
static int       body_count, steps, contacts;
static double    loop, depth;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(const char *setting, double slope, double friction, double restitution, int floor)
{
    peer_begin(&(peer_world){.setting = setting,
                             .gravity = {G * sin(slope), 0, -G * cos(slope)},
                             .friction = friction,
                             .restitution = restitution,
                             .floor = floor});
    body_count = 0;
}

static void add(peer_body body)
{
    bodies[body_count++] = body;
    peer_add(&body);
}

static void step(void)
{
    peer_step();
    if (steps++ % LOOK == 0)
        depth = fmax(depth, peer_depth());
}

// --- bounce --------------------------------------------------------------------------------------

// Height of the highest point after the first contact over that of the start. Before the contact the ball falls.
static double rebound(const char *setting, double restitution, double height)
{
    double x[3], last = INFINITY, top = -INFINITY;
    begin(setting, 0, 0.5, restitution, 1);
    add((peer_body){.mass = 1, .radius = 0.1, .at = {0, 0, 0.1 + height}});
    peer_ready(STEP);
    double start = seconds();
    for (int i = 0; i < 1200; i++) {
        step();
        peer_position(0, x);
        if (x[2] > last || top > -INFINITY)
            top = fmax(top, x[2] - 0.1);
        last = x[2];
    }
    loop += seconds() - start;
    contacts = peer_contacts();
    peer_end();
    return fmax(top, last - 0.1) / height; // what never rises ends where it lies
}

static void bounce(const char *setting, double restitution)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < BALLS; k++) {
        double ratio = rebound(setting, restitution, 1 + 0.0037 * k);
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    printf("{\"low\": %.9g, \"high\": %.9g, ", low, high);
}

// --- rest ----------------------------------------------------------------------------------------

static void incline(const char *setting)
{
    begin(setting, 0.98 * atan(0.5), 0.5, 0, 1);
    add((peer_body){.mass = 1, .size = {0.2, 0.2, 0.1}, .at = {0, 0, 0.05}});
}

static void grip(const char *setting)
{
    begin(setting, 0, 0.4, 0, 0);
    add((peer_body){.mass = 0.5, .size = {0.04, 0.04, 0.06}, .at = {0, 0, 1}});
    for (int side = -1; side <= 1; side += 2)
        add((peer_body){.mass = 0.1, .size = {0.01, 0.04, 0.06}, .at = {0.025 * side, 0, 1}, .rail = 1});
}

static void wall(const char *setting)
{
    begin(setting, 0, 0.5, 0, 1);
    for (int row = 0; row < 5; row++)
        for (int column = 0; column < 5; column++)
            add((peer_body){
                .mass = 2, .size = {0.2, 0.1, 0.1}, .at = {0.204 * column + 0.051 * (row % 2), 0, 0.05 + 0.1 * row}});
}

static void stack(const char *setting)
{
    begin(setting, 0, 0.5, 0, 1);
    add((peer_body){.mass = 1, .size = {0.2, 0.2, 0.2}, .at = {0, 0, 0.1}});
    add((peer_body){.mass = 1000, .size = {0.2, 0.2, 0.2}, .at = {0, 0, 0.3}});
}

// Largest way from the start of what is not on rails.
static double largest_way(void)
{
    double way = 0, x[3];
    for (int i = 0; i < body_count; i++)
        if (!bodies[i].rail) {
            const double *at = bodies[i].at;
            peer_position(i, x);
            way = fmax(way, hypot(x[0] - at[0], hypot(x[1] - at[1], x[2] - at[2])));
        }
    return way;
}

// Plates on rails press with 8 N, that on the left to the right.
static void rest(double until)
{
    peer_ready(STEP);
    double start = seconds();
    for (int i = 0; i < (int)lround(until / STEP); i++) {
        for (int b = 0; b < body_count; b++)
            if (bodies[b].rail)
                peer_push(b, bodies[b].at[0] < 0 ? 8 : -8);
        step();
    }
    loop = seconds() - start;
    contacts = peer_contacts();
    printf("{\"moved\": %.9g, ", largest_way());
    peer_end();
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*build)(const char *setting);
    } resting[] = {{"incline", incline}, {"grip", grip}, {"wall", wall}, {"stack", stack}};
    if (argc < 3 || !strstr(peer_settings, argv[1])) {
        fprintf(stderr, "usage: %s SETTING PROBLEM [number]; settings: %s\n", argv[0], peer_settings);
        return 2;
    }
    double number = argc > 3 ? strtod(argv[3], NULL) : 10;
    if (strcmp(argv[2], "bounce") == 0)
        bounce(argv[1], number);
    for (size_t i = 0; i < sizeof resting / sizeof *resting; i++)
        if (strcmp(argv[2], resting[i].name) == 0) {
            resting[i].build(argv[1]);
            rest(number);
        }
    if (steps == 0)
        return 2;
    printf("\"depth\": %.9g, \"contacts\": %d, \"steps\": %d, \"loop_s\": %.9g}\n", depth, contacts, steps, loop);
    return 0;
}
