// N equal spheres dropped into a box, as gallery/sphere-pile: Moreau-Jean, Coulomb friction, no restitution; contacts by
// the Bullet back end. Rows: mean height, kinetic energy, contacts in the step.
// MechanicsFwd must come first: it fixes the visitor lists that the kernel headers use.
#include <MechanicsFwd.hpp>
#include "bench.hpp"
#include <RigidBodyDS.hpp>
#include <SiconosBodies.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosShape.hpp>
#include <SolverOptions.h>
#include <cstdint>

// The jitter of zn_model_add_lattice: uniform in [-1, 1].
static double random_step(uint64_t &state)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * UINT64_C(2685821657736338717)) >> 11) / 4503599627370496.0 - 1;
}

static void add_wall(SiconosBulletCollisionManager &contacts, double size, const double at[3], const double normal[3])
{
    // A half-space of its own (SiconosPlane) has tilted normals in 4.4: the face of a large box instead, whose z axis is
    // turned to the normal.
    const double thickness = 1, half_angle = 0.5 * std::acos(normal[2]), s = std::sin(half_angle);
    auto place = std::make_shared<SiconosVector>(7);
    for (int i = 0; i < 3; i++)
        (*place)(i) = at[i] - 0.5 * thickness * normal[i];
    (*place)(3) = std::cos(half_angle);
    (*place)(4) = -s * normal[1];
    (*place)(5) = s * normal[0];
    auto set = std::make_shared<SiconosContactorSet>();
    set->push_back(std::make_shared<SiconosContactor>(std::make_shared<SiconosBox>(size, size, thickness)));
    contacts.insertStaticContactorSet(set, place);
}

static Run once(const Options &o)
{
    const double start = seconds(), h = o.number("h", 5e-3), T = o.number("T", 1), mu = 0.3, R = 0.1, gap = 0.02;
    const int N = (int)o.number("N", 100), side = (int)o.number("side", 5);
    const double pitch = 2 * R + gap, half = 0.5 * side * pitch, m = 1000 * 4. / 3 * M_PI * R * R * R, I = 0.4 * m * R * R;
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, T);
    auto sphere = std::make_shared<SiconosSphere>(R);
    std::vector<std::shared_ptr<RigidBodyDS>> bodies;
    uint64_t random = UINT64_C(11400714819323198485) ^ UINT64_C(88172645463325252);
    for (int k = 0; k < N; k++) {
        auto q = std::make_shared<SiconosVector>(7), v = std::make_shared<SiconosVector>(6);
        (*q)(0) = -half + pitch * (k % side + 0.5) + 0.3 * gap * random_step(random);
        (*q)(1) = -half + pitch * (k / side % side + 0.5) + 0.3 * gap * random_step(random);
        (*q)(2) = R + gap + pitch * (k / side / side) + 0 * random_step(random);
        (*q)(3) = 1;
        auto inertia = std::make_shared<SimpleMatrix>(3, 3);
        for (int j = 0; j < 3; j++)
            (*inertia)(j, j) = I;
        auto body = std::make_shared<RigidBodyDS>(q, v, m, inertia);
        auto weight = std::make_shared<SiconosVector>(3);
        (*weight)(2) = -m * 9.81;
        body->setFExtPtr(weight);
        auto set = std::make_shared<SiconosContactorSet>();
        set->push_back(std::make_shared<SiconosContactor>(sphere));
        body->setContactors(set);
        model->insertDynamicalSystem(body);
        bodies.push_back(body);
    }
    SiconosBulletOptions bullet;
    bullet.dimension = SICONOS_BULLET_3D;
    bullet.contactBreakingThreshold = 0.02;
    bullet.perturbationIterations = 0;
    bullet.minimumPointsPerturbationThreshold = 0;
    auto contacts = std::make_shared<SiconosBulletCollisionManager>(bullet);
    const double normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (const auto &n : normal) {
        const double at[3] = {-half * n[0], -half * n[1], 0};
        add_wall(*contacts, 2 * half + 4, at, n);
    }
    contacts->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(0., 0., mu, 3), 0, 0);
    auto friction = std::make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
    friction->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = o.number("tol", 1e-4);
    friction->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
    friction->setMStorageType(NM_SPARSE_BLOCK);
    friction->setKeepLambdaAndYState(true);
    auto sim = std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0.0, h));
    sim->insertIntegrator(std::make_shared<MoreauJeanOSI>(0.5));
    sim->insertNonSmoothProblem(friction);
    sim->insertInteractionManager(contacts);
    sim->setNewtonMaxIteration(1);
    sim->setWarnOnNonConvergence(false);
    Run run;
    const long steps = std::lround(T / h);
    run.reserve(steps, 3);
    time_loop(sim, steps, start, run, [&](double *row) {
        row[2] = (double)model->topology()->indexSet(1)->size();
        if (run.steps < steps)
            return;
        row[0] = row[1] = 0;
        for (auto &body : bodies) {
            const double *v = body->twist()->getArray();
            row[0] += (*body->q())(2) / N;
            row[1] += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                      0.5 * I * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
        }
    });
    return run;
}

int main(int argc, char **argv)
{
    Options options(argc, argv);
    return bench(options, "pile", [&] { return once(options); });
}
