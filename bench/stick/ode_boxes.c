// Time of ODE's collision of two boxes, in the poses of ../detect_poses.h: a line for each, nanoseconds and points.
#include <ode/ode.h>
#include <stdio.h>
#include <time.h>

#include "../detect_poses.h"

enum { CALLS = 100000, ROUNDS = 5, MAX_POINTS = 16 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    dInitODE();
    dGeomID a = dCreateBox(0, 1, 1, 1), b = dCreateBox(0, 1, 1, 1);
    for (int i = 0; i < BOX_POSES; i++) {
        const box_pose *p = &box_poses[i];
        dContactGeom    contact[MAX_POINTS];
        dMatrix3        R;
        double          best = 1e30;
        int             points = 0;
        dRFromAxisAndAngle(R, p->axis[0], p->axis[1], p->axis[2], p->angle);
        dGeomSetPosition(a, p->at[0], p->at[1], p->at[2]);
        dGeomSetRotation(a, R);
        for (int k = 0; k < ROUNDS; k++) {
            double start = now();
            for (int n = 0; n < CALLS; n++)
                points = dCollide(a, b, MAX_POINTS, contact, sizeof *contact);
            double taken = (now() - start) / CALLS;
            best = taken < best ? taken : best;
        }
        printf("%.1f %d\n", 1e9 * best, points);
    }
    dCloseODE();
    return 0;
}
