"""Blocks of n^3 hex8 on a floor with friction, on several processes of zeno-mpi against zeno on one thread: explicit
(cd_lagrange), and with matrices (moreau_jean, friction 0.6); and a small block on the facets of a large one, explicit.

Two processes must be this many times as fast by the clock (on idle processors only), exchange with the neighbour below this
part of the loop, memory of a process at most this part of that of zeno, each less what an empty run takes, and all answers
the same, with one process to the last bit. With matrices the judge's residual and the iterations of the contact solver count
as well, and exchange is that within the linear solver, where processes wait for each other: it has a bound of its own.
"""
import os
import re
import subprocess
import tempfile
from typing import NamedTuple

from common import ENVIRONMENT, HERE, CannotRun



class Case(NamedTuple):
    title: str
    model: str
    size: int      # n, or that of the environment variable
    variable: str
    options: tuple
    ranks: tuple
    speedup: float
    halo: float
    memory: float
    same: float
    iterations: float = None  # of the contact solver, relative to one process
    residual: float = None    # of the judge
    bits: bool = True         # of one process are those of zeno: not where contacts are solved with a matrix, by MUMPS in zeno


EXPLICIT = Case("cd_lagrange, 200 steps", "block", 60, "ZENO_BENCH_BLOCK", ("--scheme", ":threads=1"), (1, 2, 4),
                1.7, 0.05, 0.6, 1e-12)
IMPLICIT = Case("moreau_jean, friction 0.6, 3 steps", "press", 40, "ZENO_BENCH_PRESS", (), (1, 2, 3, 4),
                1.6, 0.1, 0.7, 1e-9, 0.1, 1e-10)
FACETS = Case("small block on its facets, cd_lagrange, 100 steps", "blocks", 60, "ZENO_BENCH_BLOCKS",
              ("--scheme", ":threads=1"), (1, 2, 3), 1.4, 0.05, 0.8, 1e-9, bits=False)
PATTERN = re.compile(r"rank (\d+): elements (\d+), shared (\d+), loop ([\d.]+) s, halo ([\d.]+) s, wait ([\d.]+) s, "
                     r"processor ([\d.]+) s, in steps ([\d.]+) s, of which messages ([\d.]+) s, memory (\d+) kB")
KEYS = ("rank", "elements", "shared", "loop", "halo", "wait", "processor", "steps", "messages", "memory")
MPI = dict(ENVIRONMENT, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_rmaps_base_oversubscribe="1", ZENO_MPI_TIMES="1")


def program(bench, name):
    path = os.path.join(bench.build, "cli", name)
    if not os.path.exists(path):
        raise CannotRun(f"{path} is missing: make mpi")
    return path


def arguments(case, n, result):
    model = os.path.join(HERE, "models", case.model + ".yaml")
    return ["run", model, "--set", f"n={n}", *case.options, "-q", "-o", result]


def on_ranks(bench, case, ranks, n, result):
    """Times of each process."""
    done = subprocess.run(["mpirun", "-n", str(ranks), program(bench, "zeno-mpi")] + arguments(case, n, result), env=MPI,
                          capture_output=True, text=True, timeout=3600)
    rows = [dict(zip(KEYS, map(float, found))) for found in PATTERN.findall(done.stderr)]
    if done.returncode != 0 or len(rows) != ranks:
        raise CannotRun(f"zeno-mpi on {ranks} processes: status {done.returncode}\n{done.stderr}")
    return rows


def alone(bench, case, n, result):
    """Peak memory of zeno [kB]."""
    run = subprocess.Popen([program(bench, "zeno")] + arguments(case, n, result), env=ENVIRONMENT)
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        raise CannotRun(f"zeno: status {run.returncode}")
    return used.ru_maxrss


def compare(one, other):
    """Largest difference of frames and rows, relative to the largest value of each; whether all bits are the same."""
    try:
        import h5py
        import numpy as np
    except ImportError as missing:
        raise CannotRun(f"{missing}; package python3-h5py")
    worst, bits = 0.0, True
    with h5py.File(one, "r") as a, h5py.File(other, "r") as b:
        for name in ("frames/q", "frames/v", "series/force", "series/corner"):
            x, y = a[name][()], b[name][()]
            bits = bits and x.tobytes() == y.tobytes()
            worst = max(worst, np.abs(x - y).max() / np.abs(x).max())
    return worst, bits


def effort(path):
    """Iterations of the contact solver and the largest residual of the judge."""
    import h5py
    with h5py.File(path, "r") as file:
        certificate = file["certificate"]
        return float(certificate["solver_iterations"][()]), float(certificate["complementarity"][()])


def look(bench, case, ranks, row, note):
    """Bounds of a row."""
    if ranks == 1:
        note += bench.check(row["bits"] or not case.bits, f"mpi: {case.model}: one process has other bits than zeno")
    if ranks == 2:
        idle = (os.cpu_count() or 1) >= 2
        note += bench.check(not idle or row["speedup"] >= case.speedup,
                            f"mpi: {case.model}: 2 processes are {row['speedup']:.2f} times as fast")
        note += bench.check(row["halo"] <= case.halo, f"mpi: {case.model}: exchange takes {row['halo']:.1%} of the loop")
        note += bench.check(row["part"] <= case.memory,
                            f"mpi: {case.model}: a process of 2 takes {row['part']:.2f} of the memory")
    if case.iterations is not None:
        note += bench.check(abs(row["iterations"] - 1) <= case.iterations,
                            f"mpi: {case.model}: {ranks} processes take {row['iterations']:.2f} of the iterations")
        note += bench.check(row["residual"] <= case.residual,
                            f"mpi: {case.model}: residual {row['residual']:.1e} on {ranks} processes")
    return note + bench.check(row["worst"] <= case.same, f"mpi: {case.model}: {ranks} processes differ by {row['worst']:.1e}")


def measure(bench, case):
    n = int(os.environ.get(case.variable, case.size))
    print(f"\nBlock of {n}^3 hex8, {case.title}; smallest of the rounds. Wall: loop of one process over that of the"
          "\nslowest; processor: the busiest, in steps, without messages; memory: the largest, less an empty run, over zeno\n")
    print(f"{'processes':>9}{'loop [s]':>10}{'wall':>7}{'processor [s]':>15}{'halo':>8}{'wait':>8}{'memory [MB]':>13}"
          f"{'of zeno':>9}{'difference':>12}" + (f"{'iterations':>12}{'residual':>10}" if case.residual else ""))
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, f"{name}.zeno.h5")
        serial = alone(bench, case, n, at("one")) - alone(bench, case, 2, at("small"))
        empty = on_ranks(bench, case, 1, 2, at("small"))[0]["memory"]
        first = None
        for ranks in case.ranks:
            rounds = [on_ranks(bench, case, ranks, n, at("many")) for _ in range(min(bench.rounds, 3))]
            loops = [max(row["loop"] for row in rows) for rows in rounds]
            best = rounds[loops.index(min(loops))]
            loop, first = min(loops), first or min(loops)
            memory = max(row["memory"] for row in best)
            row = {"halo": max(r["halo"] for r in best) / loop, "part": (memory - empty) / max(serial, 1), "speedup": first / loop}
            row["worst"], row["bits"] = compare(at("one"), at("many"))
            text = ""
            if case.residual:
                count, row["residual"] = effort(at("many"))
                row["iterations"] = count / effort(at("one"))[0]
                text = f"{count:12.1f}{row['residual']:10.1e}"
            wait = max(r["wait"] for r in best) / loop
            print(f"{ranks:9}{loop:10.2f}{row['speedup']:7.2f}{max(r['steps'] - r['messages'] for r in best):15.2f}"
                  f"{row['halo']:8.2%}{wait:8.2%}{memory / 1e3:13.1f}{row['part']:9.2f}{row['worst']:12.1e}{text}"
                  f"{look(bench, case, ranks, row, '')}", flush=True)


def run(bench):
    measure(bench, EXPLICIT)
    measure(bench, FACETS)
    measure(bench, IMPLICIT)
