"""Heaps of boxes, hulls and capsules beside heaps of spheres: N bodies, turned any way, fall into a box until they are at rest.

What a contact costs, in one thread, must not be more than three times what it costs between spheres, in a heap of as many that falls
from as high and for as long, and must grow little with the heap, as sweeps do with its height. Heaps are chaotic: the smallest counts as
the mean of several lattices, a tenth of a millimetre apart. At the end nothing moves: the mean speed is that of rest. Simulations of
one heap in two and three threads have the bits of one alone, and so has one whose steps are shared by two and three threads; what two
of them gain by the clock is told.
"""
import math
import os
import random
import tempfile

from common import key_values

RATIO, GROWTH = 3, 4  # times a sphere's; the largest heap over the smallest, per contact
REST = {"boxes": 1e-4, "hulls": 1e-4, "capsules": 2e-3}  # m/s, mean speed: single capsules may roll
STEP = 5e-3
IMPACTS = 0.6  # s until all have hit something
SHARED = 1.0  # s that are run with threads that share steps
SMALL, LARGE, HUGE = (5, 5, 4.0), (10, 10, 5.0), (18, 16, 5.0)  # bodies along an edge, layers, until
STARTS = 4  # lattices of the smallest heap
HEAPS = {"spheres": (SMALL, LARGE, HUGE), "boxes": (SMALL, LARGE), "hulls": (SMALL, LARGE), "capsules": (SMALL, LARGE, HUGE)}
# When they are at rest, if that is later: boxes slide into gaps, capsules may roll to and fro. The cost is that until before.
LATER = {("boxes", 5): 6.0, ("boxes", 10): 8.0, ("capsules", 5): 8.0}


def hull(count):
    """Points of an ellipsoid, always the same."""
    chance, points = random.Random(1), []
    for _ in range(count):
        z, angle = chance.uniform(-1, 1), chance.uniform(0, 2 * math.pi)
        s = math.sqrt(1 - z * z)
        points.append(f"[{0.13 * s * math.cos(angle):.6f}, {0.11 * s * math.sin(angle):.6f}, {0.09 * z:.6f}]")
    return f"hull: {{points: [{', '.join(points)}]}}"


# Shape, pitch of the lattice, and by what part of it bodies are off their place: spheres would stand in columns.
SHAPES = {"spheres": ("sphere: 0.1", 0.28, 0.1), "boxes": ("box: [0.2, 0.2, 0.2]", 0.36, 0), "hulls": (hull(50), 0.28, 0),
          "capsules": ("capsule: {radius: 0.07, length: 0.15}", 0.31, 0)}

MODEL = """zeno: 1
title: {kind} dropped into a box
gravity: [0, 0, -9.81]
parameters: {{n: {side}, layers: {layers}, pitch: {pitch}, off: {off}, half: n*pitch/2}}
bodies:
  part:
    repeat: {{i: 0..n*n*layers-1}}
    density: 1000
    {shape}
    position:
      - pitch*(i - n*floor(i/n) + 0.5 + off*sin(57.3*i)) - half
      - pitch*(floor(i/n) - n*floor(i/n/n) + 0.5 + off*sin(23.1*i)) - half
      - pitch*(floor(i/n/n) + 0.6)
    rotation: {{axis: [sin(12.9*i + 1), sin(78.2*i + 2), sin(37.7*i + 3)], angle: 3*sin(91.3*i)}}
shapes:
  floor: {{plane: [0, 0, 1]}}
  west: {{plane: [1, 0, 0], at: [-half, 0, 0]}}
  east: {{plane: [-1, 0, 0], at: [half, 0, 0]}}
  south: {{plane: [0, 1, 0], at: [0, -half, 0]}}
  north: {{plane: [0, -1, 0], at: [0, half, 0]}}
contacts:
  pile: {{between: [part], friction: 0.3}}
  walls: {{between: [part], against: [floor, west, east, south, north], friction: 0.3}}
run:
  scheme: {{moreau_jean: {{gamma: 0.5, frozen_rows: true, threads: 1, solver_tolerance: 1e-4, solver_measure: fclib}}}}
  step: {step}
  until: 1
"""


def write_model(folder, kind, side, layers, start=0):
    shape, pitch, off = SHAPES[kind]
    path = os.path.join(folder, f"{kind}-{side}-{start}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(MODEL.format(kind=kind, side=side, layers=layers, pitch=f"{pitch + 1e-4 * start:g}", off=off, shape=shape,
                                step=STEP))
    return path


def mass_of(kind, count):
    if kind == "spheres":
        return count * 1000 * 4 / 3 * math.pi * 0.1 ** 3
    if kind == "boxes":
        return count * 1000 * 0.2 ** 3
    if kind == "capsules":
        return count * 1000 * math.pi * 0.07 ** 2 * (0.15 + 4 / 3 * 0.07)
    return count * 1000 * 4 / 3 * math.pi * 0.13 * 0.11 * 0.09  # at most


def heap(bench, folder, kind, side, layers, until):
    count, starts, rest = side * side * layers, STARTS if side == SMALL[0] else 1, LATER.get((kind, side), until)
    models = [write_model(folder, kind, side, layers, start) for start in range(starts)]
    runs = [bench.zeno([model] + key_values(dict(until=until))) for model in models]
    ends = runs if rest == until else [bench.zeno([model] + key_values(dict(until=rest))) for model in models]
    r = {key: sum(one[key] for one in runs) for key in ("contacts", "steps", "sweeps", "loop_s", "retries")}
    r.update({key: max(one[key] for one in ends) for key in ("peak_bytes", "kinetic")})
    return {"count": count, "until": until, "rest": rest, "contacts": r["contacts"] / r["steps"], "sweeps": r["sweeps"] / r["steps"],
            "cost": r["loop_s"] / r["contacts"], "sweep": r["loop_s"] / r["contacts"] * r["steps"] / r["sweeps"],
            "step": r["loop_s"] / r["steps"], "halved": r["retries"],
            "memory": r["peak_bytes"], "speed": math.sqrt(2 * r["kinetic"] / mass_of(kind, count)), "loop": r["loop_s"]}


def show(bench, kind, h, spheres):
    ratio = h["cost"] / spheres[h["count"]] if h["count"] in spheres else math.nan
    verdict = ""
    if kind != "spheres":  # which roll on
        verdict += bench.check(ratio <= RATIO, f"heap of {h['count']} {kind}: {ratio:.1f} times a sphere's cost per contact")
        verdict += bench.check(h["speed"] <= REST[kind], f"heap of {h['count']} {kind}: moves with {h['speed']:.1e} m/s at the end")
    print(f"{kind:>10}{h['count']:7}{h['until']:7.1f}{h['contacts']:10.0f}{h['sweeps']:8.0f}{1e3 * h['step']:11.2f}"
          f"{1e6 * h['cost']:18.1f}{ratio:16.2f}{h['speed']:14.1e} at {h['rest']:g} s{h['halved']:8}{h['memory'] / 1e6:13.0f}"
          f"{h['loop']:9.0f}{verdict}",
          flush=True)


def check_threads(bench, folder, kind):
    """The smallest heap, some steps after it has fallen, in threads beside each other."""
    side, layers, _ = SMALL
    model, same = write_model(folder, kind, side, layers), []
    for count in (2, 3):
        r = bench.zeno([model] + key_values(dict(until=IMPACTS, together=count)))
        same.append(r["same_bits"] == count)
    print(f"{kind:>10} in two and three threads: " + ("equal bits" if all(same) else "other bits")
          + bench.check(all(same), f"heap of {kind}: other bits in threads"))


def share_steps(bench, folder, kind):
    """The large heap while it falls, with threads that share its steps."""
    side, layers, _ = LARGE
    model = write_model(folder, kind, side, layers)
    runs = {count: bench.zeno([model] + key_values(dict(until=SHARED, threads=count))) for count in (1, 2, 3)}
    same = len({r["bits"] for r in runs.values()}) == 1
    print(f"{kind:>10} with steps shared by two and three threads: " + ("equal bits" if same else "other bits")
          + f", two take {runs[2]['wall_s'] / runs[1]['wall_s']:.2f} of the time of one by the clock"
          + bench.check(same, f"heap of {kind}: other bits with threads that share steps"))


def run(bench):
    print(f"\nHeaps that fall into a box, moreau_jean, h = {STEP:g}, friction 0.3, solver to 1e-4 (FCLIB measure)\n\n{'':>10}{'N':>7}"
          f"{'until':>7}{'contacts':>10}{'sweeps':>8}{'[ms/step]':>11}{'per contact [us]':>18}{'over spheres':>16}"
          f"{'mean speed':>21}{'halved':>8}{'memory [MB]':>13}{'all [s]':>9}")
    spheres = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, sizes in HEAPS.items():
            cost, sweep = [], []
            for side, layers, until in sizes:
                h = heap(bench, folder, kind, side, layers, until)
                if kind == "spheres":
                    spheres[h["count"]] = h["cost"]
                cost.append(h["cost"])
                sweep.append(h["sweep"])
                show(bench, kind, h, spheres)
            growth, swept = cost[-1] / cost[0], sweep[-1] / sweep[0]
            print(f"{kind:>10} largest over smallest: per contact {growth:.2f}, at most {GROWTH}, per contact and sweep {swept:.2f}"
                  + bench.check(growth <= GROWTH, f"heap of {kind}: {growth:.2f} times as much per contact in the largest"))
            check_threads(bench, folder, kind)
            share_steps(bench, folder, kind)
