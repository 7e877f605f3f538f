"""What bounces and what must stay, in space: MuJoCo, Bullet and ODE, each as it comes and as its manual advises, and Zeno.

The same bodies, laws and step; programs of the others and models of Zeno are in stick/. Zeno has to keep bounds of its own errors, and
the wall must not take longer per step than Bullet's with 100 iterations. What others do is only told: their settings are a choice.
"""
import math
import os
import subprocess
import tempfile

from common import CannotRun, HERE, call, read_trace

FOLDER = os.path.join(HERE, "stick")
STEP, UNTIL = 1e-3, 10
PEERS = (("MuJoCo", "mujoco", "default"), ("MuJoCo advised", "mujoco", "advised"), ("Bullet 10", "bullet", "default"),
         ("Bullet 100", "bullet", "100"), ("ODE quick", "ode", "default"), ("ODE direct", "ode", "direct"))
SCHEMES = ("combined_projection", "moreau_jean")
# what a peer has no patience for: 10 s would take minutes
SHORTER = {("mujoco", "advised", "wall"): 1, ("mujoco", "default", "wall"): 3, ("ode", "direct", "wall"): 0.1}
BRICKS = [f"brick[{row}][{column}]" for row in range(5) for column in range(5)]
REST = {"incline": ["block"], "grip": ["block"], "wall": BRICKS, "stack": ["low", "top"]}
# at most so far in 10 s [mm]; a rebound may be off by the way within the step of the impact, over the drop
MOVED = {"incline": 1e-9, "grip": 1e-9, "wall": 1e-6, "stack": 1e-6}
REBOUND = math.sqrt(2 * 9.81 * 1) * STEP


def build(bench):
    programs = os.path.join(os.path.abspath(bench.build), "bench", "stick")
    if subprocess.run(["make", "-s", "-C", FOLDER, f"B={programs}"]).returncode != 0:
        raise CannotRun("cannot build the programs beside Zeno; packages: g++ libmujoco-dev libbullet-dev libode-dev")
    return programs


# --- one program, one problem --------------------------------------------------------------------

def peer(programs, engine, setting, problem):
    until = SHORTER.get((engine, setting, problem), UNTIL)
    result = call(os.path.join(programs, engine), [setting, problem, f"{until}"])
    return dict(result, until=until)


def peer_bounce(programs, engine, setting, restitution):
    return call(os.path.join(programs, engine), [setting, "bounce", f"{restitution}"])


def zeno_run(bench, folder, model, records, more):
    trace = os.path.join(folder, "trace")
    result = bench.zeno([os.path.join(FOLDER, f"{model}.yaml"), f"trace={trace}"] + [f"record={r}" for r in records] + more)
    return result, read_trace(trace)


def zeno(bench, folder, scheme, problem):
    """Largest way of a body between the first row of the trace and its last."""
    result, rows = zeno_run(bench, folder, problem, [f"{body}.position" for body in REST[problem]], [f"scheme={scheme}"])
    first, last = rows[0], rows[-1]
    moved = max(math.dist(first[i:i + 3], last[i:i + 3]) for i in range(0, len(first), 3))
    return dict(result, moved=moved, depth=result["penetration"], until=UNTIL, contacts=result["contacts"] // result["steps"])


def first_rebound(z):
    touch = next(i for i in range(1, len(z)) if z[i] > z[i - 1])
    return (max(z[touch:]) - 0.1) / (z[0] - 0.1)


def zeno_bounce(bench, folder, scheme, restitution):
    """25 balls in one model: steps are counted once for each."""
    ratios, depth, steps, loop = [], 0, 0, 0
    for first in (0, 25):
        result, rows = zeno_run(bench, folder, "bounce", [f"ball[{i}].position.z" for i in range(25)],
                                [f"scheme={scheme}", f"set=e={restitution}", f"set=first={first}"])
        ratios += [first_rebound(z) for z in zip(*rows)]
        depth, steps, loop = max(depth, result["penetration"]), steps + 25 * result["steps"], loop + result["loop_s"]
    return dict(low=min(ratios), high=max(ratios), depth=depth, contacts=1, steps=steps, loop_s=loop)


# --- tables --------------------------------------------------------------------------------------

def per_step(result):
    return 1e6 * result["loop_s"] / result["steps"]


def line(name, words, result, verdict):
    print(f"{name:24}{words:>34}{1e3 * result['depth']:14.2g}{result['contacts']:10}{per_step(result):12.1f}{verdict}", flush=True)


def bounce(bench, programs, folder, restitution):
    exact = restitution ** 2
    print(f"\nbounce, e = {restitution}, 50 heights: first rebound over drop, exact {exact:.4f}\n\n{'':24}{'lowest and highest':>34}"
          f"{'depth [mm]':>14}{'contacts':>10}{'us/step':>12}")
    for name, engine, setting in PEERS:
        r = peer_bounce(programs, engine, setting, restitution)
        line(name, f"{r['low']:.4f} to {r['high']:.4f}", r, "")
    for scheme in SCHEMES:
        r = zeno_bounce(bench, folder, scheme, restitution)
        off = max(exact - r["low"], r["high"] - exact)
        line(f"Zeno {scheme}", f"{r['low']:.4f} to {r['high']:.4f}", r,
             bench.check(off <= REBOUND, f"stick: {scheme}, e = {restitution}: rebound off by {off:.2g}"))


def rest(bench, programs, folder, problem):
    print(f"\n{problem}: largest way in {UNTIL} s, exact 0\n\n{'':24}{'moved [mm]':>34}{'depth [mm]':>14}{'contacts':>10}{'us/step':>12}")
    for name, engine, setting in PEERS:
        r = peer(programs, engine, setting, problem)
        line(name, f"{1e3 * r['moved']:.2g}" + (f" in {r['until']:g} s" if r["until"] < UNTIL else ""), r, "")
    for scheme in SCHEMES:
        r = zeno(bench, folder, scheme, problem)
        line(f"Zeno {scheme}", f"{1e3 * r['moved']:.2g}", r,
             bench.check(1e3 * r["moved"] <= MOVED[problem], f"stick: {problem}, {scheme}: moved by {1e3 * r['moved']:.2g} mm"))


def wall_ratio(bench, programs):
    """Smallest times of a few rounds in turns. Nothing is recorded; the first step, which finds the forces, is a small part."""
    zeno_times, peer_times = [], []
    for _ in range(min(bench.rounds, 3)):
        zeno_times.append(per_step(bench.zeno([os.path.join(FOLDER, "wall.yaml")])))
        peer_times.append(per_step(call(os.path.join(programs, "bullet"), ["100", "wall", f"{UNTIL}"])))
    return min(zeno_times) / min(peer_times)


def run(bench):
    programs = build(bench)
    print(f"\nSteps of {1e3 * STEP:g} ms; processor time of one thread; depth as each program tells it (MuJoCo: half of that of faces)")
    with tempfile.TemporaryDirectory() as folder:
        for restitution in (0.5, 0.9):
            bounce(bench, programs, folder, restitution)
        for problem in REST:
            rest(bench, programs, folder, problem)
    ratio = wall_ratio(bench, programs)
    print(f"\nwall: Zeno's step over that of Bullet with 100 iterations, smallest of {min(bench.rounds, 3)} rounds: {ratio:.2f}, at most 1"
          + bench.check(ratio <= 1, f"stick: a step of the wall takes {ratio:.2f} times that of Bullet with 100 iterations"))
