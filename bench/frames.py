"""Contact frames: two blocks with unequal meshes meet face to face, n to 10 n nodes at the boundary.

Without contact a Newton iteration of energy_momentum may cost this much of one of nsga on the same mesh; the time of a step
with contact beside that of one without is printed, it holds search, rows and the contact problem. Free of contact, the search is
the only thing beside the mesh, and time per node must not grow.
"""
import os

from common import HERE

SIZES, TOUCHING, RATIO, GROWTH = (48, 160, 480, 4800), 480, 1.3, 2
MODEL = os.path.join(HERE, "models", "frames.yaml")


def timed(bench, n, *more):
    runs = [bench.zeno([MODEL, f"set=n={n}", "until=0.005", *more]) for _ in range(min(bench.rounds, 3) if n < 1000 else 1)]
    return min(runs, key=lambda r: r["loop_s"])


def iteration(r):
    return r["loop_s"] / max(1, r["newton"])


def run(bench):
    print("\nTwo blocks of n x 4 and 3 n/4 x 4 elements, energy_momentum, h = 1e-3 s: time of a Newton iteration\n")
    print(f"{'boundary':>9}{'dofs':>8}{'nsga [ms]':>11}{'apart [ms]':>12}{'ratio':>7}{'touching [ms]':>15}{'ratio':>7}"
          f"{'iterations':>12}{'apart, per node [us]':>22}")
    per_node = []
    for n in SIZES:
        nsga = timed(bench, n, "set=far=1", "scheme=nsga")
        apart = timed(bench, n, "set=far=1")
        nodes = n + 3 * n // 4 + 2
        ratio = iteration(apart) / iteration(nsga)
        per_node.append(1e6 * iteration(apart) / nodes)
        text = f"{nodes:9}{10 * nodes:8}{1e3 * iteration(nsga):11.2f}{1e3 * iteration(apart):12.2f}{ratio:7.2f}"
        if n <= TOUCHING:
            touching = timed(bench, n)
            text += (f"{1e3 * iteration(touching):15.2f}{iteration(touching) / iteration(apart):7.2f}"
                     f"{touching['newton'] / touching['steps']:12.2f}")
        else:
            text += f"{'-':>15}{'-':>7}{'-':>12}"
        print(f"{text}{per_node[-1]:22.2f}"
              + bench.check(ratio <= RATIO, f"frames n={n}: {ratio:.2f} of an iteration of nsga"), flush=True)
    growth = per_node[-1] / per_node[0]
    print(f"\ntime per boundary node, largest over smallest: {growth:.2f}"
          + bench.check(growth <= GROWTH, f"frames: time per node grows by {growth:.2f}"))
