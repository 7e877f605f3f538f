"""Elastic bar against a wall, beside Siconos; and with Zeno alone bars of growing size.

Projecting the bar's tip in the step that closes the contact strains the first element, which pushes back in the same
step. That one step starts the wave differently in the two programs; fractions of the speed, the impulse and the force are
bounded.
"""
import math

from common import smallest
from compare import (Case, SAME, SCHEMES, column, compare_one_iteration, largest_difference, print_difference, print_pair,
                     run_cases)

VELOCITY, MEAN = 0.1, 1e-3
# The tip must not reach the wall at a grid point, where round-off decides in which step the contact closes.
GAP = 5.05e-6

# Per element, largest bar over smallest. The small bar lives in the second-level cache, the large one (100 MB) in main
# memory, which other programs use as well.
LINEAR_TIME, LINEAR_MEMORY = 3, 1.5
SCALING = (1000, 10000, 100000)
SIZES_NSGA = (200, 1000, 10000, 100000)


def case_of(scheme, elements, step, until, gap):
    records = ("wall.gap", "rod[0].velocity.x", "wall.impulse", f"rod[{elements}].velocity.x")
    return Case("bar", "elastic-bar", records, scheme, step, until, 100, 1, peer=dict(N=elements, gap=gap),
                parameters=(f"N={elements}", f"gap={gap}"))


def fastest_storage(bench, case):
    """Siconos stores matrices dense or sparse: the one that steps faster on a short run."""
    steps = 40  # the contact closes in step 26
    loops = {s: case.run_siconos(bench, storage=s, T=steps * case.step)["loop_s"] for s in ("dense", "sparse")}
    best = min(loops, key=loops.get)
    numbers = ", ".join(f"{s} {1e3 * t / steps:.1f} ms per step" for s, t in loops.items())
    print(f"Siconos, bar, {case.scheme}: {numbers}: {best} matrices are used")
    return best


def contact_of(trace, h):
    """First and last step with an impulse, its duration, the mean force in the middle half of it."""
    active = [k for k, row in enumerate(trace) if row[2] > 0]
    first, last = active[0], active[-1]
    quarter = (last - first) // 4
    middle = column(trace, 2)[first + quarter:last - quarter + 1]
    return first, last, (last - first + 1) * h, sum(middle) / len(middle) / h


def compare(bench, case, s, z):
    name, h, speed = f"bar {case.scheme}", case.step, 0.1
    of_s, of_z = contact_of(s, h), contact_of(z, h)
    impulse = math.fsum(column(s, 2))
    projected = case.scheme == "combined_projection"
    slow, mean = (VELOCITY * speed, MEAN) if projected else (SAME, SAME)
    print_pair(bench, f"{name}: final gap", s[-1][0], z[-1][0], h * speed if projected else SAME, "m")
    print_pair(bench, f"{name}: final velocity of the tip", s[-1][1], z[-1][1], slow, "m/s")
    print_pair(bench, f"{name}: final velocity of the far end", s[-1][3], z[-1][3], slow, "m/s")
    print_pair(bench, f"{name}: sum of impulses", impulse, math.fsum(column(z, 2)), mean * impulse, "N s")
    print_pair(bench, f"{name}: contact duration", of_s[2], of_z[2], 1.5 * h if projected else SAME, "s")
    print_pair(bench, f"{name}: plateau of the force", of_s[3], of_z[3], mean * of_s[3], "N")
    print_difference(bench, f"{name}: largest difference of gap [m], velocities [m/s] in all steps",
                     largest_difference(s, z, (0, 1, 3)), slow)


def print_wave(z, h):
    """What one-dimensional waves say about the bar: contact for 2 L / c with the force rho c S v."""
    young, density, area, speed = 210e9, 7800, math.pi * 1e-4, 0.1
    c = math.sqrt(young / density)
    _, _, duration, plateau = contact_of(z, h)
    force = density * c * area * speed
    print(f"  bar: exact contact duration {2 / c:.4e} s (Zeno {duration:.4e}), exact force {force:.1f} N"
          f" (Zeno {plateau:.1f})")


def run(bench):
    cases = [case_of(scheme, 1000, 2e-6, 4.8e-4, GAP) for scheme in SCHEMES]
    for case in cases:
        case.peer["storage"] = fastest_storage(bench, case)
    traces = run_cases(bench, cases, compare, min(bench.rounds, 3))
    compare_one_iteration(bench, case_of("combined_projection", 100, 2e-8, 1e-4, 5.051e-6))
    print_wave(traces[-1], cases[-1].step)


def scaling(bench):
    steps, h = 200, 2e-6

    def run(n, repeat):
        return case_of("moreau_jean", n, h, steps * h, GAP).run_zeno(bench, repeat=repeat)

    def peak(n):
        return min(run(n, 1)["peak_bytes"] for _ in range(3))

    print(f"\nBars of N elements, Zeno, moreau_jean, {steps} steps with contact from step 26 on; smallest of {bench.rounds}"
          " rounds.\nMemory: peak of a process that runs once, less that of a bar with 10 elements\n")
    print(f"{'N':>8}{'setup [ms]':>12}{'loop [ms]':>12}{'per step [us]':>15}{'per step, element [ns]':>24}"
          f"{'memory [MB]':>13}{'per element [B]':>17}")
    results = {n: [] for n in SCALING}
    for _ in range(bench.rounds):
        for n in SCALING:
            results[n].append(run(n, max(1, 20000 // n)))
    cost, memory = {}, {}
    for n in SCALING:
        times = smallest(results[n])
        cost[n] = times["loop_s"] / steps / n
        memory[n] = (peak(n) - peak(10)) / n
        print(f"{n:8}{1e3 * times['setup_s']:12.2f}{1e3 * times['loop_s']:12.2f}{1e6 * cost[n] * n:15.1f}"
              f"{1e9 * cost[n]:24.2f}{memory[n] * n / 1e6:13.2f}{memory[n]:17.0f}", flush=True)
    small, large = SCALING[0], SCALING[-1]
    for what, value, bound in (("cost", cost[large] / cost[small], LINEAR_TIME),
                               ("memory", memory[large] / memory[small], LINEAR_MEMORY)):
        ok = value <= bound
        print(f"{what} per element, N={large} over N={small}: {value:.2f}, at most {bound}: "
              + ("linear" if ok else "NOT linear"))
        bench.check(ok, f"{what} per element grows by {value:.2f} from N={small} to N={large}")


def nsga(bench):
    """Linear bar: one factorization for all steps, cost linear in the number of elements."""
    steps, h, rounds = 200, 2e-6, min(bench.rounds, 3)
    print(f"\nBars of N elements, Zeno, nsga, {steps} steps with contact from step 26 on; smallest of {rounds} rounds\n")
    print(f"{'N':>8}{'setup [ms]':>12}{'loop [ms]':>12}{'per step [us]':>15}{'per step, element [ns]':>24}"
          f"{'factorizations':>16}{'memory [MB]':>13}")
    cost = {}
    for n in SIZES_NSGA:
        case = case_of("nsga", n, h, steps * h, GAP)
        del case.zeno["gamma"]
        runs = [case.run_zeno(bench, repeat=max(1, 20000 // n)) for _ in range(rounds)]
        times, last = smallest(runs), runs[-1]
        cost[n] = times["loop_s"] / steps / n
        print(f"{n:8}{1e3 * times['setup_s']:12.2f}{1e3 * times['loop_s']:12.2f}{1e6 * cost[n] * n:15.1f}"
              f"{1e9 * cost[n]:24.2f}{last['factorizations']:16}{last['peak_bytes'] / 1e6:13.1f}", flush=True)
        bench.check(last["factorizations"] + last["refactorizations"] <= 4, f"bar_nsga N={n}: factored more than once")
    growth = cost[SIZES_NSGA[-1]] / cost[1000]
    print(f"cost per element, N={SIZES_NSGA[-1]} over N=1000: {growth:.2f}, at most {LINEAR_TIME}"
          + bench.check(growth <= LINEAR_TIME, f"bar_nsga: cost per element grows by {growth:.2f}"))
