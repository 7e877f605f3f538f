"""Flexible cube, nonsmooth generalized-alpha.

The cube falls from 5 cm, which no mesh is crushed by. A Newton iteration may cost this many factorizations of its
matrix, in flight and in the whole run; with contacts it solves for a column per contact as well. The whole run of the
largest cube would take minutes.
"""
import os

from common import GALLERY

SIZES, STEP, FLIGHT, UNTIL, RATIO = (5, 10, 20), 2e-3, 0.09, 0.14, 1.5


def cube_run(bench, n, until, more):
    model = os.path.join(GALLERY, "flexible-cube", "model.yaml")
    return bench.zeno([model, f"set=n={n}", "set=height=0.1", f"step={STEP}", f"until={until}"] + more)


def run(bench):
    """Cost of a step in factorizations of its own matrix, timed in the same process."""
    print(f"\nCube of n^3 elements, Zeno, nsga, h={STEP:g}: time of a Newton iteration over that of one factorization"
          "\n(free flight; whole run with the contact of all bottom nodes); assembly of the matrix; peak memory\n")
    print(f"{'n':>4}{'dofs':>8}{'solver':>8}{'factor [ms]':>13}{'assembly [ms]':>15}{'flight, step [ms]':>19}"
          f"{'iterations':>12}{'ratio':>7}{'run, step [ms]':>16}{'iterations':>12}{'ratio':>7}{'factors':>9}{'solves':>8}"
          f"{'memory [MB]':>13}")
    for n in SIZES:
        few = min(bench.rounds, 3) if n < 20 else 1
        runs = [cube_run(bench, n, FLIGHT if n < 20 else 5 * STEP, ["matrix=3"]) for _ in range(few)]
        flight = min(runs, key=lambda r: r["loop_s"])
        factor, assembly = (min(r[key] for r in runs) for key in ("factor_s", "assembly_s"))
        whole = cube_run(bench, n, UNTIL, []) if n < 20 else None
        ratio = flight["loop_s"] / flight["newton"] / factor
        text = (f"{n:4}{flight['dofs']:8}{flight['backend']:>8}{1e3 * factor:13.2f}{1e3 * assembly:15.2f}"
                f"{1e3 * flight['loop_s'] / flight['steps']:19.2f}{flight['newton'] / flight['steps']:12.2f}{ratio:7.2f}")
        last = whole or flight
        if whole:
            in_contact = whole["loop_s"] / whole["newton"] / factor
            text += (f"{1e3 * whole['loop_s'] / whole['steps']:16.2f}{whole['newton'] / whole['steps']:12.2f}"
                     f"{in_contact:7.2f}")
            bench.check(in_contact <= RATIO, f"cube n={n}: {in_contact:.2f} factorizations per iteration with contact")
        else:
            text += f"{'-':>16}{'-':>12}{'-':>7}"
        text += (f"{last['factorizations'] + last['refactorizations']:9}{last['solves']:8}"
                 f"{last['peak_bytes'] / 1e6:13.1f}")
        print(text + bench.check(ratio <= RATIO, f"cube n={n}: {ratio:.2f} factorizations per iteration"), flush=True)
