// Elastic bar that hits a rigid wall with its end q[0] >= 0: N linear elements, consistent mass (Acary 2013, sec. 7).
//   bar N=1000 scheme=moreau_jean|combined_projection h=2e-6 T=4.8e-4 gap=5e-6 storage=sparse|dense repeat=1 trace=FILE
// Columns of the trace: gap, its velocity, impulse, velocity of the far end.
#include "bench.hpp"

// n x n with the rows (off, inner, off), end entries on the diagonal at both ends.
static SP::SimpleMatrix tridiagonal(unsigned n, bool sparse, double end, double inner, double off)
{
    auto A = sparse ? std::make_shared<SimpleMatrix>(n, n, Siconos::SPARSE, 3 * n)
                    : std::make_shared<SimpleMatrix>(n, n);
    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            A->setValue(i, i - 1, off);
        A->setValue(i, i, i == 0 || i == n - 1 ? end : inner);
        if (i + 1 < n)
            A->setValue(i, i + 1, off);
    }
    return A;
}

static Run once(const Options &o)
{
    const double start = seconds();
    const double length = 1, area = M_PI * 1e-4, density = 7800, young = 210e9, speed = 0.1;
    const double h = o.number("h", 2e-6), T = o.number("T", 4.8e-4), gap = o.number("gap", 5e-6);
    const int N = (int)o.number("N", 1000);
    const unsigned n = N + 1;
    const long steps = std::lround(T / h);
    const double m = density * area * length / N, k = young * area * N / length;
    const bool sparse = o.text("storage", "dense") == "sparse";
    auto M = tridiagonal(n, sparse, m / 3, 2 * m / 3, m / 6), K = tridiagonal(n, sparse, k, 2 * k, -k);
    // displacements start at `gap`: the bar is undeformed
    auto q0 = std::make_shared<SiconosVector>(n, gap), v0 = std::make_shared<SiconosVector>(n, -speed);
    auto bar = std::make_shared<LagrangianLinearTIDS>(q0, v0, M);
    bar->setKPtr(K);
    auto H = std::make_shared<SimpleMatrix>(1, n);
    (*H)(0, 0) = 1;
    auto wall = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(o.number("e", 0)),
                                              std::make_shared<LagrangianLinearTIR>(H));
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, T);
    model->insertDynamicalSystem(bar);
    model->link(wall, bar);
    auto sim = make_simulation(o, model, h);
    auto q = bar->q(), v = bar->velocity(), impulse = wall->lambda(1);
    auto record = [&](double *row) {
        row[0] = (*q)(0);
        row[1] = (*v)(0);
        row[2] = (*impulse)(0);
        row[3] = (*v)(n - 1);
    };
    Run run;
    run.reserve(steps, 4);
    record(run.row(0));
    time_loop(sim, steps, start, run, record);
    return run;
}

int main(int argc, char **argv)
{
    const Options o(argc, argv);
    return bench(o, "bar", [&] { return once(o); });
}
