// What the Siconos programs share: options, clocks, the choice of the scheme, traces and the JSON line.
#pragma once
#include <SiconosKernel.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

// key=value arguments; what was not given keeps its default.
class Options {
public:
    Options(int argc, char **argv)
    {
        for (int i = 1; i < argc; i++) {
            const char *equals = std::strchr(argv[i], '=');
            if (!equals) {
                std::fprintf(stderr, "expected key=value, got '%s'\n", argv[i]);
                std::exit(2);
            }
            values[std::string(argv[i], equals - argv[i])] = equals + 1;
        }
    }
    double number(const char *key, double otherwise) const
    {
        auto it = values.find(key);
        return it == values.end() ? otherwise : std::atof(it->second.c_str());
    }
    std::string text(const char *key, const char *otherwise) const
    {
        auto it = values.find(key);
        return it == values.end() ? otherwise : it->second;
    }

private:
    std::map<std::string, std::string> values;
};

// Processor time: one thread does all, and what else runs on the machine does not count.
inline double seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One simulation, run from scratch: its times and one row of `columns` values per step, the initial state first.
struct Run {
    double setup = 0, loop = 0;
    long steps = 0, newton = 0;
    int columns = 0;
    std::vector<double> rows;

    void reserve(long count, int width)
    {
        columns = width;
        rows.assign((count + 1) * width, 0.0);
    }
    double *row(long k) { return rows.data() + k * columns; }
};

// Moreau-Jean with projection on the position constraints: direct (Acary 2013, algorithm 1) or combined with activation
// (algorithm 2).
template <class Simulation, class Integrator>
SP::TimeStepping make_projected(const Options &o, SP::NonSmoothDynamicalSystem model, SP::TimeDiscretisation grid,
                                std::shared_ptr<Integrator> integrator, SP::OneStepNSProblem velocity, unsigned level)
{
    const double tolerance = o.number("tol", 1e-13);
    auto position = std::make_shared<MLCPProjectOnConstraints>(SICONOS_MLCP_ENUM);
    auto sim = std::make_shared<Simulation>(model, grid, integrator, velocity, position, level);
    sim->setProjectionMaxIteration(50);
    sim->setConstraintTol(tolerance);
    sim->setConstraintTolUnilateral(tolerance);
    return sim;
}

// The scheme by its name. The equations of motion are taken as linear: one Newton iteration per step is asked for,
// without residuals. The nonlinear mode takes one iteration as well where they are, with the same results in the same
// time. A hint that the iteration matrix is positive definite makes Siconos slower (12 %), so none is given.
inline SP::TimeStepping make_simulation(const Options &o, SP::NonSmoothDynamicalSystem model, double h,
                                        SP::OneStepNSProblem velocity = std::make_shared<LCP>())
{
    const double theta = o.number("theta", 0.5), gamma = o.number("gamma", 0.5);
    const std::string scheme = o.text("scheme", "moreau_jean");
    auto grid = std::make_shared<TimeDiscretisation>(0.0, h);
    SP::TimeStepping sim;
    if (scheme == "moreau_jean") {
        sim = std::make_shared<TimeStepping>(model, grid, std::make_shared<MoreauJeanOSI>(theta, gamma), velocity);
    } else if (scheme == "direct_projection") {
        // one forecast for all: a contact is in a step when y + gamma h dy/dt is not positive, out when it is
        auto integrator = std::make_shared<MoreauJeanDirectProjectionOSI>(theta, gamma);
        const double closed = 10 * o.number("tol", 1e-13);
        integrator->setActivateYPosThreshold(closed);
        integrator->setDeactivateYPosThreshold(closed);
        integrator->setDeactivateYVelThreshold(-INFINITY);
        sim = make_projected<TimeSteppingDirectProjection>(o, model, grid, integrator, velocity, 0);
    } else if (scheme == "combined_projection") {
        auto integrator = std::make_shared<MoreauJeanCombinedProjectionOSI>(theta);
        sim = make_projected<TimeSteppingCombinedProjection>(o, model, grid, integrator, velocity, 2);
    } else {
        std::fprintf(stderr, "no scheme '%s'\n", scheme.c_str());
        std::exit(2);
    }
    sim->setNewtonOptions(SICONOS_TS_LINEAR);
    return sim;
}

// The time loop; `record` stores the state after a step. Siconos allocates its workspace at the first step unless asked
// before: that is setup here.
template <class Record> void time_loop(SP::TimeStepping sim, long steps, double start, Run &run, Record record)
{
    sim->initialize();
    const double begin = seconds();
    run.setup = begin - start;
    while (run.steps < steps && sim->hasNextEvent()) {
        sim->computeOneStep();
        record(run.row(++run.steps));
        run.newton += sim->getNewtonNbIterations();
        sim->nextStep();
    }
    run.loop = seconds() - begin;
}

// Runs `once` repeat=K times and prints the smallest times as one JSON line; trace=FILE gets the rows of the last run.
template <class Once> int bench(const Options &o, const char *problem, Once once)
{
    double setup = INFINITY, loop = INFINITY, total = INFINITY;
    Run last;
    try {
        for (int k = 0; k < (int)o.number("repeat", 1); k++) {
            last = once();
            setup = std::min(setup, last.setup);
            loop = std::min(loop, last.loop);
            total = std::min(total, last.setup + last.loop);
        }
    } catch (...) {
        Siconos::exception::process();
        return 1;
    }
    std::printf("{\"problem\": \"%s\", \"steps\": %ld, \"setup_s\": %.9g, \"loop_s\": %.9g, \"total_s\": %.9g, "
                "\"newton\": %ld}\n",
                problem, last.steps, setup, loop, total, last.newton);
    const std::string path = o.text("trace", "");
    FILE *file = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
    if (file) {
        for (long k = 0; k <= last.steps; k++)
            for (int c = 0; c < last.columns; c++)
                std::fprintf(file, "%.17g%c", last.row(k)[c], c + 1 < last.columns ? ' ' : '\n');
        std::fclose(file);
    }
    return 0;
}
