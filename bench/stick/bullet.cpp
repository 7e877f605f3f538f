// Bullet: sequential impulses on a discrete world, one step per call, nothing put to sleep. "default" has 10
// iterations, "100" a hundred, which its manual advises where mass ratios are large and stacks must stand. Friction and
// restitution of a pair are products.
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "peer.h"

extern "C" const char *const peer_settings = "default 100";

namespace
{

struct World {
    btDefaultCollisionConfiguration                configuration;
    btCollisionDispatcher                          dispatcher{&configuration};
    btDbvtBroadphase                               broad;
    btSequentialImpulseConstraintSolver            solver;
    btDiscreteDynamicsWorld                        world{&dispatcher, &broad, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>>      bodies;
    peer_world                                     def;

    explicit World(const peer_world &w) : def(w)
    {
        world.setGravity({w.gravity[0], w.gravity[1], w.gravity[2]});
        if (int iterations = std::atoi(w.setting))
            world.getSolverInfo().m_numIterations = iterations;
    }

    ~World()
    {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    btRigidBody &add(btCollisionShape *shape, double mass, const btVector3 &at)
    {
        btVector3 inertia(0, 0, 0);
        shapes.emplace_back(shape);
        if (mass > 0)
            shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), at);
        info.m_friction = std::sqrt(def.friction);
        info.m_restitution = std::sqrt(def.restitution);
        auto body = std::make_unique<btRigidBody>(info);
        body->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(body.get());
        bodies.push_back(std::move(body));
        return *bodies.back();
    }

    template <typename Look> void each_point(Look look)
    {
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            auto *patch = dispatcher.getManifoldByIndexInternal(i);
            for (int k = 0; k < patch->getNumContacts(); k++)
                look(patch->getContactPoint(k));
        }
    }
};

std::unique_ptr<World> own;
double                 step;
size_t                 ground; // bodies of the world before those that were added

} // namespace

void peer_begin(const peer_world *w)
{
    own = std::make_unique<World>(*w);
    if (w->floor)
        own->add(new btStaticPlaneShape({0, 0, 1}, 0), 0, {0, 0, 0});
    ground = own->bodies.size();
}

void peer_add(const peer_body *b)
{
    btCollisionShape *shape;
    if (b->radius > 0)
        shape = new btSphereShape(b->radius);
    else
        shape = new btBoxShape({b->size[0] / 2, b->size[1] / 2, b->size[2] / 2});
    btRigidBody &body = own->add(shape, b->mass, {b->at[0], b->at[1], b->at[2]});
    if (b->rail) {
        body.setLinearFactor({1, 0, 0});
        body.setAngularFactor(0.0);
    }
}

void peer_ready(double h) { step = h; }
void peer_push(int b, double force) { own->bodies[ground + (size_t)b]->applyCentralForce({force, 0, 0}); }
void peer_step(void) { own->world.stepSimulation(step, 0); }

void peer_position(int b, double x[3])
{
    const btVector3 &at = own->bodies[ground + (size_t)b]->getWorldTransform().getOrigin();
    for (int i = 0; i < 3; i++)
        x[i] = at[i];
}

double peer_depth(void)
{
    double deepest = 0;
    own->each_point([&](const btManifoldPoint &p) { deepest = std::fmax(deepest, -p.getDistance()); });
    return deepest;
}

int peer_contacts(void)
{
    int points = 0;
    own->each_point([&](const btManifoldPoint &) { points++; });
    return points;
}

void peer_end(void) { own.reset(); }
