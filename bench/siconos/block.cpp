// Rocking block: planar, two corners on a flat ground, no friction. q = (x, y, angle) of the centre, base L, height l.
//   block scheme=moreau_jean|combined_projection h=1e-3 T=2 e=0.5 repeat=1 trace=FILE
// Columns of the trace: q (3), v (3), impulses of the left and the right corner.
#include "bench.hpp"

static const double L = 1, l = 1.5;

// Gap of a corner: y + side L/2 sin(angle) - l/2 cos(angle).
struct Corner : public LagrangianScleronomousR {
    double side;
    explicit Corner(double s) : LagrangianScleronomousR(), side(s) {}
    void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override
    {
        const double a = q.getValue(2);
        y.setValue(0, q.getValue(1) + side * 0.5 * L * std::sin(a) - 0.5 * l * std::cos(a));
    }
    void computeJachq(const BlockVector &q, BlockVector &) override
    {
        const double a = q.getValue(2);
        _jachq->setValue(0, 0, 0);
        _jachq->setValue(0, 1, 1);
        _jachq->setValue(0, 2, side * 0.5 * L * std::cos(a) + 0.5 * l * std::sin(a));
    }
};

static Run once(const Options &o)
{
    const double start = seconds();
    const double h = o.number("h", 1e-3), T = o.number("T", 2), m = 1, g = 9.81;
    const long steps = std::lround(T / h);
    auto M = std::make_shared<SimpleMatrix>(3, 3);
    auto q0 = std::make_shared<SiconosVector>(3), v0 = std::make_shared<SiconosVector>(3);
    auto F = std::make_shared<SiconosVector>(3);
    (*M)(0, 0) = (*M)(1, 1) = m;
    (*M)(2, 2) = m / 12 * (l * l + L * L);
    (*q0)(1) = 1;
    (*q0)(2) = (*v0)(2) = 0.2;
    (*F)(1) = -m * g;
    auto block = std::make_shared<LagrangianLinearTIDS>(q0, v0, M);
    block->setFExtPtr(F);
    auto law = std::make_shared<NewtonImpactNSL>(o.number("e", 0.5));
    auto left = std::make_shared<Interaction>(law, std::make_shared<Corner>(-1.0));
    auto right = std::make_shared<Interaction>(law, std::make_shared<Corner>(1.0));
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, T);
    model->insertDynamicalSystem(block);
    model->link(left, block);
    model->link(right, block);
    auto sim = make_simulation(o, model, h);
    auto q = block->q(), v = block->velocity(), P = left->lambda(1), R = right->lambda(1);
    auto record = [&](double *row) {
        for (int i = 0; i < 3; i++) {
            row[i] = (*q)(i);
            row[3 + i] = (*v)(i);
        }
        row[6] = (*P)(0);
        row[7] = (*R)(0);
    };
    Run run;
    run.reserve(steps, 8);
    record(run.row(0));
    time_loop(sim, steps, start, run, record);
    return run;
}

int main(int argc, char **argv)
{
    const Options o(argc, argv);
    return bench(o, "block", [&] { return once(o); });
}
