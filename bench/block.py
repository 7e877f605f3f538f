"""Rocking block.

Its corners turn within a step, and the gap gradient at its end is not that of the free motion, where Siconos takes it. The
error is of first order and moves impacts by a step: positions differ by a few steps of the largest speed (2 m/s,
3 rad/s), mean velocities by all the jumps of the run, each one step wide.
"""
import math

from compare import (Case, SAME, SCHEMES, column, compare_one_iteration, largest_difference, mean_difference,
                     print_difference, print_pair, run_cases)

RECORDS = ("block.position.x", "block.position.y", "block.angle", "block.velocity.x", "block.velocity.y", "block.spin",
           "A.impulse", "B.impulse")
POSITION, VELOCITY = 5, 20


def compare(bench, case, s, z):
    name, h = f"block {case.scheme} h={case.step:g}", case.step
    still = SAME if case.scheme == "combined_projection" else POSITION * h  # projection removes the drift
    print_pair(bench, f"{name}: final height", s[-1][1], z[-1][1], still, "m")
    print_pair(bench, f"{name}: final angle", s[-1][2], z[-1][2], still, "rad")
    print_pair(bench, f"{name}: final velocity", s[-1][4], z[-1][4], SAME, "m/s")
    print_pair(bench, f"{name}: sum of impulses", math.fsum(column(s, 6) + column(s, 7)),
               math.fsum(column(z, 6) + column(z, 7)), SAME, "N s")
    print_difference(bench, f"{name}: largest difference of height [m], angle [rad]", largest_difference(s, z, (1, 2)),
                     POSITION * h)
    print_difference(bench, f"{name}: mean difference of velocity [m/s], spin [rad/s]", mean_difference(s, z, (4, 5)),
                     VELOCITY * h)


def case_of(scheme, step):
    return Case("block", "rocking-block", RECORDS, scheme, step, 2.0, 10, 10 if step == 1e-3 else 5)


def run(bench):
    run_cases(bench, [case_of(scheme, step) for scheme in SCHEMES for step in (1e-3, 1e-4)], compare)
    compare_one_iteration(bench, case_of("moreau_jean", 1e-4))
