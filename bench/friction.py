"""Friction solvers of Zeno beside those of Siconos, on the same FCLIB files, in one go (bench/run ... friction).

The files come from a folder; without one Zeno makes some by itself: from models whose steps it dumps, and global problems
from bench_global. `families` are problems that nobody has seen: bench_families makes them from a seed. Every solve is a process of its own, so that a crash or a hang costs one number. See README.md for what is timed.
"""
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

from common import CannotRun, ENVIRONMENT, GALLERY, HERE

TOLERANCES = ("1e-4", "1e-8")
OURS = ("auto", "gauss_seidel", "anderson", "newton_alart_curnier", "newton_jean_moreau", "admm",
        "interior_point")
PEERS = ("NSGS", "NSN_AC", "NSN_FB", "ADMM")
LIMIT = float(os.environ.get("ZENO_FRICTION_LIMIT", "0.5"))  # seconds per solve
DENSE = 400          # rows up to which W is also tried dense in Siconos, to keep the run short
# Models whose problems are the default set, with options of `zeno run`. Without friction, planar, boxes that slide and
# rest, a plate on more feet than it needs, stacks, piles.
MODELS = (("rocking-block", "--dump-every 60"),
          ("sliding-masses", "--scheme moreau_jean:gamma=0.5 --dump-every 500"),
          ("flexible-cube", "--scheme moreau_jean:gamma=0.5 --set n=3 --set height=0.06 --until 0.12 --dump-every 5"),
          ("box.yaml", "--set mu=0.4 --set speed=2 --dump-every 15"),
          ("box.yaml", "--set mu=0.9 --set speed=0 --dump-every 15"),
          ("table.yaml", "--dump-every 15"),
          ("stack.yaml", "--set mu=0.5 --dump-every 20"),
          ("stack.yaml", "--set mu=0.15 --dump-every 20"),
          ("sphere-pile", "--set side=3 --until 0.6 --dump-every 30"),
          ("sphere-pile", "--set side=5 --until 0.7 --dump-every 60"))
GLOBAL = (("chain", "10"), ("chain", "60"), ("plate", "4"), ("plate", "8"))  # of bench_global


def solve(program, path, solver, tolerance, environment, storage=None, limit=LIMIT):
    """One line of JSON of bench_friction, or None when it crashed or took too long."""
    command = [program, path, solver, tolerance, str(limit)] + ([storage] if storage else [])
    # processor time, whatever else the machine does; rounds and the search for the first good iterate come on top
    seconds = math.ceil(1 + 2 * LIMIT if solver.startswith("zeno:") else 6 * limit)
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               errors="replace",
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
    output, _ = process.communicate()
    lines = [line for line in output.splitlines() if line.startswith('{"solved"')]
    return json.loads(lines[-1]) if process.returncode == 0 and lines else None


def time_to(result):
    """Seconds, or infinity when it was not solved in time."""
    good = result is not None and result["solved"] and result["seconds"] <= LIMIT
    return result["seconds"] if good else math.inf


def time_peer(program, path, solver, tolerance, storages, environment, limit):
    """Siconos with the storage of W that suits it best; `storages`: those to try, out: the best, or none."""
    times = {s: time_to(solve(program, path, "siconos:" + solver, tolerance, environment, s, limit)) for s in storages}
    best = min(times, key=times.get, default=None)
    storages[:] = [best] if best and math.isfinite(times[best]) else []
    return times[best] if best else math.inf


def make_problems(bench, folder):
    zeno = os.path.join(bench.build, "cli", "zeno")
    for k, (name, options) in enumerate(MODELS):
        path = os.path.join(HERE, "friction", name) if name.endswith(".yaml") else os.path.join(GALLERY, name, "model.yaml")
        target = os.path.join(folder, "%02d-%s" % (k, name.split(".")[0]))
        done = subprocess.run([zeno, "run", path, "-q", "--no-output", "--dump-problems", target] + options.split(),
                              env=ENVIRONMENT)
        if done.returncode == 2 or not problem_files(target):  # a run that fails leaves the problem it failed at
            raise CannotRun(f"no problems from {path}: status {done.returncode}")
    os.mkdir(os.path.join(folder, "global"))
    for kind, size in GLOBAL:
        path = os.path.join(folder, "global", f"{kind}-{size}.hdf5")
        if subprocess.run([bench.program("bench_global"), path, kind, size], env=ENVIRONMENT).returncode != 0:
            raise CannotRun(f"bench_global {path} {kind} {size} failed")


def problem_files(folder):
    found = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names
             if name.endswith((".hdf5", ".h5"))]
    return sorted(found)


def milliseconds(seconds):
    return "%.4g" % (1e3 * seconds) if math.isfinite(seconds) else "-"


def progress_of(tolerance, times):
    peer = min(PEERS, key=times.get)
    return f"to {tolerance} Zeno {milliseconds(times['zeno:auto'])} ms, Siconos {milliseconds(times[peer])} ms ({peer})"


def print_rows(tolerance, names, table):
    labels = ["zeno:" + s for s in OURS] + list(PEERS)
    short = ["auto", "GS", "AA", "AC", "JM", "ADMM", "IP"] + list(PEERS)
    print(f"\nTime to {tolerance} by the FCLIB measure [ms]; ratio: fastest of Siconos over Zeno's automatic choice\n")
    print(f"{'problem':44}|" + "".join(f"{s:>9}" for s in short[:len(OURS)]) + " |" +
          "".join(f"{s:>9}" for s in short[len(OURS):]) + " |   ratio")
    for name in names:
        times = table[name]
        peer = min(times[s] for s in PEERS)
        own = times["zeno:auto"]
        ratio = "" if not math.isfinite(own) else "inf" if not math.isfinite(peer) else "%.3g" % (peer / own)
        print(f"{name[:43]:44}|" + "".join(f"{milliseconds(times[s]):>9}" for s in labels[:len(OURS)]) + " |" +
              "".join(f"{milliseconds(times[s]):>9}" for s in labels[len(OURS):]) + f" |{ratio:>8}")


def print_summary(tolerance, names, table):
    labels = ["zeno:" + s for s in OURS] + list(PEERS)
    solvable = [n for n in names if any(math.isfinite(table[n][s]) for s in labels)]
    solved = {s: sum(math.isfinite(table[n][s]) for n in names) for s in labels}
    first = sum(table[n]["zeno:auto"] <= min(table[n][s] for s in PEERS) for n in solvable)
    any_first = sum(min(table[n]["zeno:" + s] for s in OURS) <= min(table[n][s] for s in PEERS) for n in solvable)
    both = [n for n in names if math.isfinite(table[n]["zeno:auto"]) and
            math.isfinite(min(table[n][s] for s in PEERS))]
    ratios = [min(table[n][s] for s in PEERS) / table[n]["zeno:auto"] for n in both]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
    print(f"\n{tolerance}: {len(names)} problems, {len(solvable)} solved by at least one; solved by " +
          ", ".join(f"{s} {solved[s]}" for s in labels))
    print(f"{tolerance}: Zeno's automatic choice is faster than every solver of Siconos on {first} of {len(solvable)} "
          f"({100 * first / max(len(solvable), 1):.0f} %), the best of Zeno's on {any_first}; "
          f"geometric mean of the ratios {mean:.3g}")
    return first / max(len(solvable), 1), solved


def print_choice(tolerance, names, table):
    """How far the automatic choice is from the best of Zeno's own solvers; returns what it missed."""
    others = ["zeno:" + s for s in OURS if s != "auto"]
    solvable = [n for n in names if any(math.isfinite(table[n][s]) for s in others + ["zeno:auto"])]
    ratios = {n: table[n]["zeno:auto"] / min(table[n][s] for s in others + ["zeno:auto"]) for n in solvable}
    missed = [n for n in solvable if not math.isfinite(ratios[n])]
    within = sum(r <= 2 for r in ratios.values())
    print(f"{tolerance}: of {len(solvable)} that one of Zeno's solvers solves within {LIMIT} s, the automatic choice misses "
          f"{len(missed)} and solves {within} in at most twice the time of the best of them"
          + (f"; missed: {', '.join(missed)}" if missed else ""))
    return missed


def write_figure(program, path, names, tables):
    labels = ["zeno:" + s for s in OURS] + list(PEERS)
    lines = []
    for tolerance, table in tables.items():
        for s in labels:
            ratios = []
            for n in names:
                best = min(table[n].values())
                if math.isfinite(table[n][s]):
                    ratios.append(max(1.0, table[n][s] / best))
            lines.append("\t".join([f"solved to {tolerance}", s if ":" in s else "Siconos " + s] +
                                   ["%.6g" % r for r in sorted(ratios)]))
    subprocess.run([program, path, str(len(names))], input="\n".join(lines) + "\n", text=True, check=True)


def write_table(path, names, tables):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["problem", "tolerance", "solver", "seconds"])
        for tolerance, table in tables.items():
            for name in names:
                for solver, seconds in table[name].items():
                    writer.writerow([name, tolerance, solver, "%.9g" % seconds if math.isfinite(seconds) else ""])


def run(bench):
    """Table, summary and figure for the files of the folder, or for those Zeno makes."""
    with tempfile.TemporaryDirectory() as own:
        folder = bench.folder or own
        if folder == own:
            make_problems(bench, folder)
        compare(bench, folder, "friction")


def families(bench):
    """The same for families of problems from a seed that was not used before, unless ZENO_FRICTION_SEED says which."""
    seed = os.environ.get("ZENO_FRICTION_SEED") or str(int(time.time()))
    count = os.environ.get("ZENO_FRICTION_COUNT", "4")
    with tempfile.TemporaryDirectory() as folder:
        print(f"families: seed {seed}, {count} problems of each in space", flush=True)
        if subprocess.run([bench.program("bench_families"), folder, seed, count], env=ENVIRONMENT).returncode != 0:
            raise CannotRun(f"bench_families {folder} {seed} {count} failed")
        compare(bench, folder, "families", patience=20)


def compare(bench, folder, label, patience=math.inf):
    """`patience`: how many times as long as the automatic choice Siconos may take, to keep the run short."""
    program, environment = bench.program("bench_friction"), ENVIRONMENT
    paths = problem_files(folder)
    if not paths:
        raise CannotRun(f"no FCLIB files below {folder}")
    names = [os.path.relpath(p, folder).rsplit(".", 1)[0] for p in paths]
    tables = {t: {} for t in TOLERANCES}
    for path, name in zip(paths, names):
        rows = 0
        for tolerance in TOLERANCES:
            tables[tolerance][name] = {}
            for s in OURS:
                result = solve(program, path, "zeno:" + s, tolerance, environment)
                rows = result["rows"] if result else rows
                tables[tolerance][name]["zeno:" + s] = time_to(result)
        limit = min(LIMIT, patience * max(tables[t][name]["zeno:auto"] for t in TOLERANCES))
        for s in PEERS:  # what does not reach the first tolerance will not reach the second
            storages = (["dense"] if 0 < rows <= DENSE else []) + ["blocks", "sparse"]
            for tolerance in TOLERANCES:
                tables[tolerance][name][s] = time_peer(program, path, s, tolerance, storages, environment, limit)
        print(f"{label}: {name}: " + "; ".join(progress_of(t, tables[t][name]) for t in TOLERANCES),
              file=sys.stderr, flush=True)
    out = os.path.join(bench.build, "bench")
    for tolerance in TOLERANCES:
        print_rows(tolerance, names, tables[tolerance])
    for tolerance in TOLERANCES:
        share, solved = print_summary(tolerance, names, tables[tolerance])
        bench.check(share >= 0.8, f"{label}: fastest on {100 * share:.0f} % of the problems to {tolerance}")
        bench.check(solved["zeno:auto"] >= max(solved[s] for s in PEERS),
                    f"{label}: fewer problems solved to {tolerance} than by Siconos")
        missed = print_choice(tolerance, names, tables[tolerance])
        bench.check(not missed, f"{label}: to {tolerance} the automatic choice misses {len(missed)} that others solve")
    write_table(os.path.join(out, f"{label}.csv"), names, tables)
    write_figure(bench.program("bench_profile"), os.path.join(out, f"{label}.svg"), names, tables)
    print(f"\nnumbers: {out}/{label}.csv   performance profile: {out}/{label}.svg")
