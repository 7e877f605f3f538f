"""Explicit block of n^3 hex8 on a floor with friction, on 1, 2 and 4 processes of zeno-mpi against zeno on one thread.

Two processes must be this many times as fast by the clock (on idle processors only), exchange with the neighbour below this
part of the loop, memory of a process at most this part of that of zeno, each less what an empty run takes, and all answers
the same, with one process to the last bit.
"""
import os
import re
import subprocess
import tempfile

from common import ENVIRONMENT, HERE, CannotRun

SIZE, SPEEDUP, HALO, MEMORY, SAME = 60, 1.7, 0.05, 0.6, 1e-12
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


def arguments(n, result):
    model = os.path.join(HERE, "models", "block.yaml")
    return ["run", model, "--set", f"n={n}", "--scheme", ":threads=1", "-q", "-o", result]


def on_ranks(bench, ranks, n, result):
    """Times of each process."""
    done = subprocess.run(["mpirun", "-n", str(ranks), program(bench, "zeno-mpi")] + arguments(n, result), env=MPI,
                          capture_output=True, text=True, timeout=3600)
    rows = [dict(zip(KEYS, map(float, found))) for found in PATTERN.findall(done.stderr)]
    if done.returncode != 0 or len(rows) != ranks:
        raise CannotRun(f"zeno-mpi on {ranks} processes: status {done.returncode}\n{done.stderr}")
    return rows


def alone(bench, n, result):
    """Peak memory of zeno [kB]."""
    run = subprocess.Popen([program(bench, "zeno")] + arguments(n, result), env=ENVIRONMENT)
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


def run(bench):
    n = int(os.environ.get("ZENO_BENCH_BLOCK", SIZE))
    idle = os.cpu_count() or 1
    print(f"\nBlock of {n}^3 hex8, cd_lagrange, 200 steps; smallest of the rounds. Wall: loop of one process over that of the"
          "\nslowest; processor: the busiest, in steps, without messages; memory: the largest, less an empty run, over zeno\n")
    print(f"{'processes':>9}{'loop [s]':>10}{'wall':>7}{'processor [s]':>15}{'halo':>8}{'wait':>8}{'memory [MB]':>13}"
          f"{'of zeno':>9}{'difference':>12}")
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, f"{name}.zeno.h5")
        serial = alone(bench, n, at("one")) - alone(bench, 2, at("small"))
        empty = on_ranks(bench, 1, 2, at("small"))[0]["memory"]
        first = None
        for ranks in (1, 2, 4):
            rounds = [on_ranks(bench, ranks, n, at("many")) for _ in range(min(bench.rounds, 3))]
            loops = [max(row["loop"] for row in rows) for rows in rounds]
            best = rounds[loops.index(min(loops))]
            loop, first = min(loops), first or min(loops)
            halo, wait = max(row["halo"] for row in best) / loop, max(row["wait"] for row in best) / loop
            memory = max(row["memory"] for row in best)
            part, speedup = (memory - empty) / serial, first / loop
            worst, bits = compare(at("one"), at("many"))
            note = ""
            if ranks == 1:
                note += bench.check(bits, "mpi: one process has other bits than zeno")
            if ranks == 2:
                note += bench.check(idle < 2 or speedup >= SPEEDUP, f"mpi: 2 processes are {speedup:.2f} times as fast")
                note += bench.check(halo <= HALO, f"mpi: exchange takes {halo:.1%} of the loop")
                note += bench.check(part <= MEMORY, f"mpi: a process of 2 takes {part:.2f} of the memory")
            note += bench.check(worst <= SAME, f"mpi: {ranks} processes differ by {worst:.1e}")
            print(f"{ranks:9}{loop:10.2f}{speedup:7.2f}{max(row['steps'] - row['messages'] for row in best):15.2f}{halo:8.2%}{wait:8.2%}"
                  f"{memory / 1e3:13.1f}{part:9.2f}{worst:12.1e}{note}", flush=True)
