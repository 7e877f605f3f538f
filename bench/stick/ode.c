// ODE: hard contacts, friction as a pyramid whose size follows the normal force (its default is a fixed force).
// "default" is the iterative step, which its manual advises for many contacts, "direct" the one that solves the LCP.
#include <ode/ode.h>
#include <string.h>

#include "peer.h"

enum { MAX_BODIES = 32, MAX_POINTS = 8 };

const char *const peer_settings = "default direct";

static peer_world    own;
static dWorldID      world;
static dSpaceID      space;
static dJointGroupID touching, rails;
static dBodyID       body[MAX_BODIES];
static int           count, points;
static double        deepest, step;

void peer_begin(const peer_world *w)
{
    own = *w;
    dInitODE();
    world = dWorldCreate();
    space = dSimpleSpaceCreate(0);
    touching = dJointGroupCreate(0);
    rails = dJointGroupCreate(0);
    count = 0;
    dWorldSetGravity(world, w->gravity[0], w->gravity[1], w->gravity[2]);
    if (w->floor)
        dCreatePlane(space, 0, 0, 1, 0);
}

void peer_add(const peer_body *b)
{
    const double *s = b->size;
    dMass         mass;
    dGeomID       shape;
    if (b->radius > 0) {
        dMassSetSphereTotal(&mass, b->mass, b->radius);
        shape = dCreateSphere(space, b->radius);
    } else {
        dMassSetBoxTotal(&mass, b->mass, s[0], s[1], s[2]);
        shape = dCreateBox(space, s[0], s[1], s[2]);
    }
    dBodyID id = body[count++] = dBodyCreate(world);
    dBodySetMass(id, &mass);
    dBodySetPosition(id, b->at[0], b->at[1], b->at[2]);
    dGeomSetBody(shape, id);
    if (b->rail) {
        dJointID slider = dJointCreateSlider(world, rails);
        dJointAttach(slider, id, 0);
        dJointSetSliderAxis(slider, 1, 0, 0);
    }
}

void peer_ready(double h) { step = h; }
void peer_push(int b, double force) { dBodyAddForce(body[b], force, 0, 0); }

static void near(void *user, dGeomID a, dGeomID b)
{
    dContact contact[MAX_POINTS];
    int      found = dCollide(a, b, MAX_POINTS, &contact[0].geom, sizeof *contact);
    (void)user;
    for (int i = 0; i < found; i++) {
        dSurfaceParameters *law = &contact[i].surface;
        memset(law, 0, sizeof *law);
        law->mode = dContactApprox1 | (own.restitution > 0 ? dContactBounce : 0);
        law->mu = own.friction;
        law->bounce = own.restitution;
        dJointAttach(dJointCreateContact(world, touching, contact + i), dGeomGetBody(a), dGeomGetBody(b));
        deepest = contact[i].geom.depth > deepest ? contact[i].geom.depth : deepest;
    }
    points += found;
}

void peer_step(void)
{
    points = 0;
    deepest = 0;
    dSpaceCollide(space, NULL, near);
    if (strcmp(own.setting, "direct") == 0)
        dWorldStep(world, step);
    else
        dWorldQuickStep(world, step);
    dJointGroupEmpty(touching);
}

void peer_position(int b, double x[3])
{
    const dReal *p = dBodyGetPosition(body[b]);
    for (int i = 0; i < 3; i++)
        x[i] = p[i];
}

double peer_depth(void) { return deepest; }
int    peer_contacts(void) { return points; }

void peer_end(void)
{
    dJointGroupDestroy(touching);
    dJointGroupDestroy(rails);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
}
