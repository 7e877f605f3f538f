#!/usr/bin/env python3
"""Statics of the closed breaker by hand: what friction at the latch can hold, beside a run.

    zeno export RESULT --csv rest.csv; statics.py rest.csv TIME MU LATCH NEEDLE [CLEARANCE [TORQUE]]

From the positions of the bodies at TIME it finds which contacts touch (with formulas of its own), and the forces that the springs
exert; then, by linear programming over all normal and tangential forces inside Coulomb's cones that balance all bodies: the range
of torques on the bar that can be in equilibrium, the range of latch forces, and the least friction of the latch without a torque.
Where a force of the run is outside of its range by more than 1e-4 N the exit status is 1.
Numbers are those of the sheet: mm, N. Needs numpy and scipy."""
import csv
import sys

import numpy as np
from scipy.optimize import linprog

CENTRE = {"handle": (1.123281, 2.939292), "rod": (7.56245, -1.224523), "hook": (-1.966777, 0.719836), "plate": (3.319088, 4.365461),
          "moving_contact": (7.791159, -1.780713), "bar": (-1.972348, -2.325049), "needle": (0, 0)}
# journal: body of the pin, centre, body of the hole, centre, friction
JOURNALS = {"J1": ("case", (-16.1, 10), "handle", (0, 0), "mu", 2.3, 0.021), "S3": ("needle", (0, 0), "case", (0, 0), "needle", 1, 0.006),
            "J2": ("needle", (0, 0), "plate", (0, 0), "mu", 1, 0.021), "J7": ("needle", (0, 0), "moving_contact", (0, 0), "mu", 1, 0.021),
            "J3": ("plate", (7.5, 7.9), "hook", (0, 0), "mu", 1.25, 0.021), "J4": ("plate", (7, 0), "bar", (0, 0), "mu", 1.1, 0.021),
            "J5": ("rod", (0, 0), "handle", (4.7, 0), "mu", 0.9, 0.021), "J6": ("rod", (16.6, 0), "hook", (-3, 0), "mu", 0.9, 0.021)}
# disc on face: body, centre, radius, body of the face, point, normal, half length
FACES = {"C1_a": ("handle", (4.00214, 5.01457), 0.46393, "case", (-9.9755, 13.5397), (-0.75471, 0.65606), 99, "mu"),
         "C1_b": ("handle", (4.39485, 6.13904), 0.501, "case", (-9.9755, 13.5397), (-0.75471, 0.65606), 99, "mu"),
         "C4_tip": ("hook", (-5.48288, -0.98044), 0.002, "bar", (-0.1, 7), (0, 1), 0.35, "latch"),
         "C4_corner": ("bar", (0.25, 7), 0.002, "hook", (-5.1242, -0.8313), (0.38397, -0.92334), 0.45, "latch"),
         "C7": ("moving_contact", (20.96688, 0), 5.201, "case", (1.5, 0), (1, 0), 99, "mu")}
TOUCH = 1e-5  # mm
FORCE = 1e-4  # N, by which forces of the run may differ from statics


def main():
    name, time = sys.argv[1], float(sys.argv[2])
    friction = dict(zip(("mu", "latch", "needle"), map(float, sys.argv[3:6])))
    scale = float(sys.argv[6]) if len(sys.argv) > 6 else 1
    given = float(sys.argv[7]) if len(sys.argv) > 7 else 0
    with open(name) as f:
        head = [c.split(" ")[0] for c in next(csv.reader(f))]
        rows = np.loadtxt(f, delimiter=",")
    row = rows[np.argmin(abs(rows[:, 0] - time))]
    pose = {b: (1e3 * np.array([row[head.index(b + "_position." + c)] for c in "xy"]), row[head.index(b)]) for b in CENTRE}

    def turn(angle, p):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])

    def world(body, p):
        return np.array(p, float) if body == "case" else pose[body][0] + turn(pose[body][1], np.subtract(p, CENTRE[body]))

    index = {b: 3 * k for k, b in enumerate(CENTRE)}

    def act(column, body, point, force):
        if body != "case":
            lever = point - pose[body][0]
            column[index[body]:index[body] + 3] += [force[0], force[1], lever[0] * force[1] - lever[1] * force[0]]

    load = np.zeros(3 * len(CENTRE))  # springs and the torque of the handle
    for a, pa, b, pb, k, rest in (("case", (11.8, 9), "plate", (0.19, 9), 1.16, 18.44),
                                  ("plate", (4.6743, 3.2557), "moving_contact", (-4.0832, 3.9719), 8.853, 0)):
        d = world(b, pb) - world(a, pa)
        force = k * (1 - rest / np.hypot(*d)) * d  # on a
        act(load, a, world(a, pa), force)
        act(load, b, world(b, pb), -force)
    load[index["handle"] + 2] += 7.6

    contacts = []  # name, body, other, point, normal on body, friction
    for c, (pin, p, hole, q, mu, radius, play) in JOURNALS.items():
        d = world(pin, p) - world(hole, q)
        gap = scale * play - np.hypot(*d)
        print(f"  {c:10s} gap {gap:9.2e} mm")
        if gap < TOUCH:
            n = -d / np.hypot(*d)
            contacts.append((c, pin, hole, world(pin, p) - radius * n, n, friction[mu]))
    for c, (disc, p, radius, face, q, n, half, mu) in FACES.items():
        n = np.array(n) / np.hypot(*n)
        n = n if face == "case" else turn(pose[face][1], n)
        d = world(disc, p) - world(face, q)
        gap, along = d @ n - radius, d @ np.array([-n[1], n[0]])
        print(f"  {c:10s} gap {gap:9.2e} mm, {along:7.3f} mm from the middle of the face")
        if gap < TOUCH and abs(along) < half:
            contacts.append((c, disc, face, world(disc, p) - radius * n, n, friction[mu]))

    columns = []
    for _, a, b, point, n, _ in contacts:
        for d in (n, np.array([-n[1], n[0]])):
            column = np.zeros(len(load))
            act(column, a, point, d)
            act(column, b, point, -d)
            columns.append(column)
    torque = np.zeros(len(load))
    torque[index["bar"] + 2] = 1
    A = np.array(columns + [torque]).T
    m = len(contacts)

    def extreme(goal, latch=None, free=True, given=0.0):
        cone = np.zeros((2 * m, 2 * m + 1))
        for k, c in enumerate(contacts):
            mu = latch if latch is not None and c[0].startswith("C4") else c[5]
            cone[2 * k, 2 * k:2 * k + 2] = -mu, 1
            cone[2 * k + 1, 2 * k:2 * k + 2] = -mu, -1
        bounds = [(0, None), (None, None)] * m + [(None, None) if free else (given, given)]
        return linprog(goal, cone, np.zeros(2 * m), A, -load, bounds, method="highs")

    goal = np.zeros(2 * m + 1)
    goal[-1] = 1
    low, high = extreme(goal), extreme(-goal)
    print(f"torque on the bar held: {low.fun:.4f} to {-high.fun:.4f} N mm" if low.success else "no equilibrium")
    off = not low.success
    for c in ("C4_tip", "C4_corner", "C7", "J3"):
        for k in range(m):
            if contacts[k][0] == c:
                goal = np.zeros(2 * m + 1)
                goal[2 * k] = 1
                low, high = extreme(goal, free=False, given=given), extreme(-goal, free=False, given=given)
                print(f"{c}: {low.fun:.4f} to {-high.fun:.4f} N" if low.success else f"{c}: no equilibrium")
                if low.success and c + ".normal" in head:
                    force = row[head.index(c + ".normal")]
                    print(f"{c}: {force:.4f} N in the run")
                    off |= not low.fun - FORCE <= force <= -high.fun + FORCE
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if extreme(np.zeros(2 * m + 1), middle, False, given).success else (middle, high)
    print(f"a torque of {given:g} N mm is held for friction of the latch of at least {high:.6f}")
    return 1 if off else 0


sys.exit(main())
