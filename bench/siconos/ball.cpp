// Bouncing ball, one degree of freedom:  m dv = -2 m dt + di,  q >= 0,  Newton restitution e.
//   ball scheme=moreau_jean|combined_projection h=1e-3 T=10 e=0.5 repeat=1 trace=FILE
// Columns of the trace: q, v, impulse.
#include "bench.hpp"

static Run once(const Options &o)
{
    const double start = seconds();
    const double h = o.number("h", 1e-3), T = o.number("T", 10), m = 1;
    const long steps = std::lround(T / h);
    auto M = std::make_shared<SimpleMatrix>(1, 1), H = std::make_shared<SimpleMatrix>(1, 1);
    auto q0 = std::make_shared<SiconosVector>(1), v0 = std::make_shared<SiconosVector>(1);
    auto F = std::make_shared<SiconosVector>(1);
    (*M)(0, 0) = m;
    (*H)(0, 0) = 1;
    (*q0)(0) = 1;
    (*F)(0) = -2 * m;
    auto ball = std::make_shared<LagrangianLinearTIDS>(q0, v0, M);
    ball->setFExtPtr(F);
    auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(o.number("e", 0.5)),
                                               std::make_shared<LagrangianLinearTIR>(H));
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, T);
    model->insertDynamicalSystem(ball);
    model->link(floor, ball);
    auto sim = make_simulation(o, model, h);
    auto q = ball->q(), v = ball->velocity(), impulse = floor->lambda(1);
    auto record = [&](double *row) {
        row[0] = (*q)(0);
        row[1] = (*v)(0);
        row[2] = (*impulse)(0);
    };
    Run run;
    run.reserve(steps, 3);
    record(run.row(0));
    time_loop(sim, steps, start, run, record);
    return run;
}

int main(int argc, char **argv)
{
    const Options o(argc, argv);
    return bench(o, "ball", [&] { return once(o); });
}
