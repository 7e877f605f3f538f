// Slider-crank with clearance between slider and guide (Flores, Leine and Glocker 2010), minimal coordinates: the
// angles of crank, rod and slider. Four corners with restitution and friction.
//   slidercrank scheme=moreau_jean|direct_projection|combined_projection h=1e-5 T=0.0837758 solver=enum|lemke|nsgs
//               gamma=0.5 newton_tol=1e-12 tol=1e-10 e=0.4 mu=0.01 repeat=1 trace=FILE
// Columns of the trace: q (3), v (3), normal impulses of the corners (rear top, front top, rear bottom, front bottom).
#include "bench.hpp"
#include <SolverOptions.h>

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c = 0.001, g = 9.81;
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
static const double coupling = (0.5 * m2 + m3) * l1 * l2;
static const double weight1 = (0.5 * m1 + m2 + m3) * g * l1, weight2 = (0.5 * m2 + m3) * g * l2;

// Mass, and internal forces: weight and what depends on the velocities. One function for both is 5 % faster than
// Siconos' separate gyroscopic forces. Matrices are stored by columns.
extern "C" {
static void mass(unsigned, double *q, double *M, unsigned, double *)
{
    const double k = coupling * std::cos(q[0] - q[1]);
    const double values[9] = {J1 + (0.25 * m1 + m2 + m3) * l1 * l1, k, 0, k, J2 + (0.25 * m2 + m3) * l2 * l2, 0, 0, 0,
                              J3};
    std::copy(values, values + 9, M);
}

static void force(double, unsigned, double *q, double *v, double *F, unsigned, double *)
{
    const double k = coupling * std::sin(q[0] - q[1]);
    F[0] = weight1 * std::cos(q[0]) + k * v[1] * v[1];
    F[1] = weight2 * std::cos(q[1]) - k * v[0] * v[0];
    F[2] = 0;
}

static void force_by_q(double, unsigned, double *q, double *v, double *J, unsigned, double *)
{
    const double k = coupling * std::cos(q[0] - q[1]);
    const double values[9] = {-weight1 * std::sin(q[0]) + k * v[1] * v[1], -k * v[0] * v[0], 0, -k * v[1] * v[1],
                              -weight2 * std::sin(q[1]) + k * v[0] * v[0], 0, 0, 0, 0};
    std::copy(values, values + 9, J);
}

static void force_by_v(double, unsigned, double *q, double *v, double *J, unsigned, double *)
{
    const double k = 2 * coupling * std::sin(q[0] - q[1]);
    const double values[9] = {0, -k * v[0], 0, k * v[1], 0, 0, 0, 0, 0};
    std::copy(values, values + 9, J);
}
}

// Sines and cosines of the configuration last asked for, shared by the corners as in Zeno's model.
struct Trigonometry {
    double q[3] = {0, 0, 0}, s[3] = {0, 0, 0}, c[3] = {1, 1, 1};
    const Trigonometry &at(const BlockVector &Q)
    {
        for (unsigned i = 0; i < 3; i++)
            if (Q.getValue(i) != q[i]) {
                const double angle = Q.getValue(i), sine = std::sin(angle), cosine = std::cos(angle);
                q[i] = angle;
                s[i] = sine;
                c[i] = cosine;
            }
        return *this;
    }
};
static Trigonometry trigonometry;

// Corner (sx a, sy b) of the slider at the upper (sy = 1) or the lower (sy = -1) wall: gap and slip.
struct Corner : public LagrangianScleronomousR {
    double sx, sy;
    Corner(double x, double y) : LagrangianScleronomousR(), sx(x), sy(y) {}
    void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override
    {
        const Trigonometry &t = trigonometry.at(q);
        const double C = t.c[2], S = t.s[2];
        y.setValue(0, b + c - sy * (l1 * t.s[0] + l2 * t.s[1] + sx * a * S + sy * b * C));
        if (y.size() > 1)
            y.setValue(1, l1 * t.c[0] + l2 * t.c[1] + sx * a * C - sy * b * S);
    }
    void computeJachq(const BlockVector &q, BlockVector &) override
    {
        const Trigonometry &t = trigonometry.at(q);
        const double C = t.c[2], S = t.s[2];
        _jachq->setValue(0, 0, -sy * l1 * t.c[0]);
        _jachq->setValue(0, 1, -sy * l2 * t.c[1]);
        _jachq->setValue(0, 2, -sy * (sx * a * C - sy * b * S));
        if (_jachq->size(0) > 1) {
            _jachq->setValue(1, 0, -l1 * t.s[0]);
            _jachq->setValue(1, 1, -l2 * t.s[1]);
            _jachq->setValue(1, 2, -sx * a * S - sy * b * C);
        }
    }
};

static SP::OneStepNSProblem friction_problem(const Options &o)
{
    const std::string solver = o.text("solver", "enum");
    const int id = solver == "enum"    ? SICONOS_FRICTION_2D_ENUM
                   : solver == "lemke" ? SICONOS_FRICTION_2D_LEMKE
                                       : SICONOS_FRICTION_2D_NSGS;
    auto problem = std::make_shared<FrictionContact>(2, id);
    problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = o.number("solver_tol", 1e-12);
    problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    return problem;
}

static Run once(const Options &o)
{
    const double start = seconds();
    const double h = o.number("h", 1e-5), T = o.number("T", 4 * M_PI / 150);
    const long steps = (long)std::floor(T / h + 1e-6); // T is no multiple of h: the last grid point before it
    auto q0 = std::make_shared<SiconosVector>(3), v0 = std::make_shared<SiconosVector>(3);
    (*v0)(0) = 150;
    (*v0)(1) = -75;
    auto machine = std::make_shared<LagrangianDS>(q0, v0);
    machine->setComputeMassFunction(&mass);
    machine->setComputeFIntFunction(&force);
    machine->setComputeJacobianFIntqFunction(&force_by_q);
    machine->setComputeJacobianFIntqDotFunction(&force_by_v);
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, T + h);
    model->insertDynamicalSystem(machine);
    auto law = std::make_shared<NewtonImpactFrictionNSL>(o.number("e", 0.4), 0.0, o.number("mu", 0.01), 2);
    SP::SiconosVector impulse[4];
    for (int i = 0; i < 4; i++) {
        auto corner = std::make_shared<Interaction>(law, std::make_shared<Corner>(i % 2 ? 1 : -1, i < 2 ? 1 : -1));
        model->link(corner, machine);
        impulse[i] = corner->lambda(1);
    }
    auto sim = make_simulation(o, model, h, friction_problem(o));
    // Newton's iteration until |M (v' - v) - h F - G'P|_2 <= newton_tol [N m s], with G of the iterate before
    sim->setNewtonOptions(SICONOS_TS_NONLINEAR);
    sim->setNewtonTolerance(o.number("newton_tol", 1e-12));
    sim->setNewtonMaxIteration(50);
    auto q = machine->q(), v = machine->velocity();
    auto record = [&](double *row) {
        for (int i = 0; i < 3; i++) {
            row[i] = (*q)(i);
            row[3 + i] = (*v)(i);
        }
        for (int i = 0; i < 4; i++)
            row[6 + i] = (*impulse[i])(0);
    };
    Run run;
    run.reserve(steps, 10);
    record(run.row(0));
    time_loop(sim, steps, start, run, record);
    return run;
}

int main(int argc, char **argv)
{
    const Options o(argc, argv);
    return bench(o, "slidercrank", [&] { return once(o); });
}
