"""Slider-crank with clearance, beside Siconos; and a million steps with Zeno alone.

Mass and forces depend on the motion, and the programs discretize them differently (README.md). Both are right to first
order at least, so that what they differ by must vanish with h at that rate, and what is extrapolated to h = 0 must
agree. Angles are bounded by steps of the crank's first speed, 150 rad/s. The accumulations end in ever smaller impacts, of
which a program catches as many as its steps resolve: counted are those of HIT.
"""
import math
import os
import tempfile

from common import CannotRun, read_trace, smallest
from compare import Case, SAME, largest_difference, print_difference, print_pair, print_range, run_cases

RECORDS = (tuple(f"machine[{i}].{what}" for what in ("position", "velocity") for i in range(3)) +
           tuple(f"corner_{i}.impulse" for i in range(1, 5)))
TOLERANCE, NEWTON = 1e-10, 1e-12
PERIOD = 2 * math.pi / 150
ANGLE, IMPULSE, EXTRAPOLATED = 15, 3e-3, 1e-4
ORDER, STEPS = (0.9, 1.1), (1e-5, 5e-6, 2.5e-6)
HIT = 2e-3      # [N s]
SOLVERS, SAME_ANGLE = ("enum", "lemke", "nsgs"), 1e-9

# Peak memory after 1e6 steps over that after 1e5, nothing recorded: a byte per step would show. Pages of the program
# and its libraries move it by 0.1 MB from run to run.
MEMORY_STEPS, MEMORY_GROWTH = (100000, 1000000), 256e3


def case_of(scheme, step, until=2 * PERIOD, records=RECORDS):
    return Case("slidercrank", "slider-crank", records, scheme, step, until, 10, 3,
                peer=dict(newton_tol=NEWTON), zeno=dict(newton_tolerance=NEWTON), tolerance=TOLERANCE)


def fastest_solver(bench, case, folder):
    """Siconos has several solvers of friction problems: the fastest of those that agree with another one."""
    loops, angles = {}, {}
    for solver in SOLVERS:
        path = os.path.join(folder, solver)
        loops[solver] = case.run_siconos(bench, solver=solver, repeat=2, trace=path)["loop_s"]
        angles[solver] = read_trace(path)[-1][:3]
    right = [a for a in angles if any(b != a and math.dist(angles[a], angles[b]) <= SAME_ANGLE for b in angles)]
    if not right:
        raise CannotRun(f"{case.name} {case.scheme}: no two solvers of Siconos agree")
    best = min(right, key=loops.get)
    numbers = ", ".join(f"{a} {1e3 * loops[a]:.0f} ms, final crank angle {angles[a][0]:.9f}"
                        + ("" if a in right else " (alone)") for a in angles)
    print(f"Siconos, {case.name}, {case.scheme}: {numbers}: {best} is used")
    return best


def normal(trace):
    """Normal impulses of the four corners, summed, in each step. Zeno records (normal, tangent)."""
    corners = range(6, 10) if len(trace[0]) == 10 else range(6, 14, 2)
    return [sum(row[c] for c in corners) for row in trace]


def violation(trace):
    """Largest penetration of a corner, from the recorded angles."""
    l1, l2, a, b, c = 0.153, 0.306, 0.05, 0.025, 0.001
    return max(abs(l1 * math.sin(q[0]) + l2 * math.sin(q[1])) + abs(a * math.sin(q[2])) + b * math.cos(q[2]) - b - c
               for q in trace)


def compare(bench, case, s, z):
    name, h = f"slidercrank {case.scheme}", case.step
    turn = ANGLE * 150 * h
    for label, i in (("crank", 0), ("rod", 1), ("slider", 2)):
        print_pair(bench, f"{name}: final {label} angle", s[-1][i], z[-1][i], turn if i < 2 else SAME, "rad")
    print_difference(bench, f"{name}: largest difference of crank and rod angle [rad]", largest_difference(s, z, (0, 1)), turn)
    of_s, of_z = normal(s), normal(z)
    print_pair(bench, f"{name}: impacts of more than {HIT:g} N s", sum(p > HIT for p in of_s),
               sum(p > HIT for p in of_z), 0)
    print_pair(bench, f"{name}: sum of impulses", math.fsum(of_s), math.fsum(of_z), IMPULSE * math.fsum(of_s), "N s")
    deepest = h if case.scheme == "moreau_jean" else TOLERANCE  # impacts at less than 1 m/s
    for who, trace in (("Siconos", s), ("Zeno", z)):
        print_difference(bench, f"{name}: largest penetration, {who} [m]", violation(trace), deepest)


def compare_steps(bench, scheme, solver, folder):
    """Smaller steps: the order at which the difference vanishes, and the final angle extrapolated to h = 0."""
    paths = [os.path.join(folder, who) for who in ("siconos", "zeno")]
    largest, final = [], []
    for h in STEPS:
        case = case_of(scheme, h)
        case.run_siconos(bench, solver=solver, trace=paths[0])
        case.run_zeno(bench, trace=paths[1])
        s, z = map(read_trace, paths)
        largest.append(largest_difference(s, z, (0, 1)))
        final.append((s[-1][0], z[-1][0]))
    name = f"slidercrank {scheme}"
    order = math.log(largest[0] / largest[-1]) / math.log(STEPS[0] / STEPS[-1])
    numbers = ", ".join(f"{d:.2e}" for d in largest)
    print_range(bench, f"{name}: order of the differences {numbers} rad", order, *ORDER)
    limit = [2 * fine - coarse for coarse, fine in zip(final[-2], final[-1])]
    print_pair(bench, f"{name}: final crank angle for h -> 0", *limit, EXTRAPOLATED, "rad")


def run(bench):
    cases = [case_of(scheme, 1e-5) for scheme in ("moreau_jean", "direct_projection", "combined_projection")]
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            case.peer["solver"] = fastest_solver(bench, case, folder)
        run_cases(bench, cases, compare)
        for case in cases:
            compare_steps(bench, case.scheme, case.peer["solver"], folder)


def memory(bench):
    """Peak memory does not depend on the number of steps."""
    h, peak = 1e-6, {}
    print(f"\nSlider-crank, Zeno, combined_projection, h={h:g}, nothing recorded; memory: peak of a process, smallest"
          f" of 3\n\n{'steps':>8}{'loop [ms]':>12}{'per step [us]':>15}{'memory [kB]':>13}")
    for steps in MEMORY_STEPS:
        case = case_of("combined_projection", h, steps * h, records=())
        runs = [case.run_zeno(bench) for _ in range(3)]
        done, loop, peak[steps] = runs[0]["steps"], smallest(runs)["loop_s"], min(r["peak_bytes"] for r in runs)
        bench.check(done == steps, f"memory: {done} steps instead of {steps}")
        print(f"{steps:8}{1e3 * loop:12.1f}{1e6 * loop / steps:15.2f}{peak[steps] / 1e3:13.0f}", flush=True)
    few, many = MEMORY_STEPS
    growth = peak[many] - peak[few]
    ok = growth <= MEMORY_GROWTH
    print(f"memory of {many} steps less that of {few}: {growth / 1e3:.0f} kB, at most {MEMORY_GROWTH / 1e3:.0f}: "
          + ("no growth" if ok else "GROWS"))
    bench.check(ok, f"peak memory grows by {growth / 1e3:.0f} kB from {few} to {many} steps")
