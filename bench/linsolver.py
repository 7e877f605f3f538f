"""KLU against MUMPS on matrices of several kinds, and what the automatic choice makes of them."""
import os

from common import GALLERY, HERE

# Matrices for the choice between KLU and MUMPS: model, parameter, sizes.
MATRICES = (("bar", "elastic-bar/model.yaml", "N", (1000, 10000, 100000)),
            ("beam", "models/beam.yaml", "n", (100, 1000, 10000)),
            ("plate", "models/plate.yaml", "n", (10, 20, 30, 40, 80, 160)),
            ("cube", "flexible-cube/model.yaml", "n", (2, 3, 4, 5, 6, 8, 10)))
SOLVES = 2          # right-hand sides per factorization, as in a Newton iteration
LOSS = 1.5          # what the automatic choice may cost beside the faster one


def run(bench):
    rounds = min(bench.rounds, 3)
    print(f"\nLinear solvers [ms]: analysis; one factorization with known pivots and {SOLVES} solves; smallest of"
          f" {rounds}\n")
    print(f"{'matrix':>8}{'size':>8}{'dofs':>8}{'entries':>9}{'Mflop':>10}{'per entry':>11}|{'KLU':>9}{'':>10}|{'MUMPS':>9}"
          f"{'':>10}| MUMPS/KLU  automatic")
    for kind, path, name, sizes in MATRICES:
        model = os.path.join(HERE if path.startswith("models") else GALLERY, path)
        for size in sizes:
            times = {}
            for backend in ("klu", "mumps", None):
                r = bench.zeno([model, f"set={name}={size}", "scheme=nsga", "step=1e-6", "until=1e-6", f"matrix={rounds}"]
                         + ([f"backend={backend}"] if backend else []))
                times[backend] = r["refactor_s"] + SOLVES * r["solve_s"], r["analysis_s"]
                chosen = r["backend"]
            ratio = times["mumps"][0] / times["klu"][0]
            loss = ratio if chosen == "mumps" else 1 / ratio
            numbers = "|".join(f"{1e3 * times[which][1]:9.2f}{1e3 * times[which][0]:10.3f}" for which in ("klu", "mumps"))
            print(f"{kind:>8}{size:8}{r['dofs']:8}{r['entries']:9}{r['flops'] / 1e6:10.3g}{r['flops'] / r['entries']:11.1f}|"
                  f"{numbers}|{ratio:10.2f}  {chosen}"
                  + bench.check(chosen == "dense" or loss <= LOSS, f"linsolver {kind} {size}: {chosen} costs {loss:.2f}"),
                  flush=True)
