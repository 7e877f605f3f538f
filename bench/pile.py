"""Piles of N spheres, `side` along an edge of the box, until T: against Siconos, and growing with Zeno alone.

Both stop at the same tolerance of the same measure. In a pile the order of impacts decides who goes where, so that only the
whole can be compared: the mean height by fractions of a radius. The time of a step per contact may grow
a little with the height of the pile, through which impulses must travel; that of one contact in one sweep must stay.
"""
import math
import os
import tempfile

from common import GALLERY, call, key_values, read_trace

MODEL = os.path.join(GALLERY, "sphere-pile", "model.yaml")
RADIUS, MASS = 0.1, 1000 * 4 / 3 * math.pi * 0.1 ** 3
PILES, RATIO, HEIGHT = ((100, 5, 1.0), (500, 8, 0.25)), 10, 0.15
GROWTH = ((100, 5, 0.5), (1000, 10, 0.5), (5000, 18, 0.5))
LINEAR = {"contact": 4, "contact and sweep": 3}
PHASES = ("broad_s", "contacts_s", "assembling_s", "solving_s", "sweeps_s")


def pile_arguments(count, side, until):
    return [MODEL] + key_values(dict(until=until, set=f"side={side}")) + [f"set=count={count}"]


def zeno_pile(bench, count, side, until):
    return bench.zeno(pile_arguments(count, side, until))


def beside(bench):
    rounds = min(bench.rounds, 2)
    print(f"\nPiles of N spheres, moreau_jean, h=5e-3, friction 0.3, solver to 1e-4 (FCLIB measure); processor time,"
          f" smallest of {rounds} rounds\n\n{'N':>6}{'until':>7}{'contacts':>10}{'Siconos [ms/step]':>19}"
          f"{'Zeno [ms/step]':>16}{'ratio':>8}{'bound':>7}{'height S':>10}{'height Z':>10}{'kinetic S':>11}{'kinetic Z':>11}")
    for count, side, until in PILES:
        times, heights, kinetic = {"s": [], "z": []}, {}, {}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pile")
            for _ in range(rounds):
                s = bench.siconos("pile", key_values(dict(N=count, side=side, T=until, trace=path)))
                z = zeno_pile(bench, count, side, until)
                times["s"].append(s["loop_s"] / s["steps"])
                times["z"].append(z["loop_s"] / z["steps"])
            heights["s"], kinetic["s"] = read_trace(path)[-1][:2]
        heights["z"], kinetic["z"] = z["gravity"] / (count * MASS * 9.81), z["kinetic"]
        ratio = min(times["s"]) / min(times["z"])
        verdict = bench.check(ratio >= RATIO, f"pile N={count}: ratio {ratio:.1f} is below {RATIO}")
        verdict += bench.check(abs(heights["s"] - heights["z"]) <= HEIGHT * RADIUS,
                           f"pile N={count}: mean heights {heights['s']:.4f} and {heights['z']:.4f} m")
        print(f"{count:6}{until:7}{z['contacts'] / z['steps']:10.0f}{1e3 * min(times['s']):19.2f}"
              f"{1e3 * min(times['z']):16.2f}{ratio:8.1f}{RATIO:7}{heights['s']:10.4f}{heights['z']:10.4f}"
              f"{kinetic['s']:11.2f}{kinetic['z']:11.2f}{verdict}", flush=True)


def growth(bench):
    print(f"\nZeno alone\n\n{'N':>6}{'contacts':>10}{'sweeps':>8}{'[ms/step]':>11}{'per contact [us]':>18}"
          f"{'and sweep [ns]':>16}{'memory [MB]':>13}{'residual':>10}")
    cost = {kind: {} for kind in LINEAR}
    for count, side, until in GROWTH:
        runs = [zeno_pile(bench, count, side, until) for _ in range(min(bench.rounds, 2 if count < 5000 else 1))]
        best = min(runs, key=lambda r: r["loop_s"])
        steps, contacts = best["steps"], best["contacts"] / best["steps"]
        sweeps, step = best["sweeps"] / steps, best["loop_s"] / steps
        cost["contact"][count], cost["contact and sweep"][count] = step / contacts, step / contacts / sweeps
        print(f"{count:6}{contacts:10.0f}{sweeps:8.0f}{1e3 * step:11.2f}{1e6 * step / contacts:18.1f}"
              f"{1e9 * step / contacts / sweeps:16.0f}{best['peak_bytes'] / 1e6:13.1f}{best['complementarity']:10.1e}", flush=True)
    small, large = GROWTH[0][0], GROWTH[-1][0]
    for kind, bound in LINEAR.items():
        ratio = cost[kind][large] / cost[kind][small]
        print(f"time per step and {kind}, N={large} over N={small}: {ratio:.2f}, at most {bound}"
              + bench.check(ratio <= bound, f"pile: time per {kind} is {ratio:.2f} times as much in the largest pile"))


def phases(bench):
    """Where the time of a step goes, from a program with clocks in it."""
    print(f"\nWhere the time goes [us per step and contact], from a build without link-time optimization\n\n{'N':>6}"
          f"{'broad phase':>13}{'other detection':>17}{'assembling':>12}{'sweeps':>8}{'other solving':>15}{'rest':>7}{'all':>7}")
    for count, side, until in GROWTH:
        r = call(bench.program("bench_phases"), pile_arguments(count, side, until))
        unit = 1e-6 * r["contacts"]
        broad, contacts, assembling, solving, sweeps = (r[key] / unit for key in PHASES)
        total = r["loop_s"] / unit
        print(f"{count:6}{broad:13.2f}{contacts - broad:17.2f}{assembling:12.2f}{sweeps:8.2f}{solving - sweeps:15.2f}"
              f"{total - contacts - assembling - solving:7.2f}{total:7.2f}", flush=True)


def run(bench):
    beside(bench)
    growth(bench)
    phases(bench)
