"""Bouncing ball: the same numbers in both programs."""
import math

from compare import Case, SAME, SCHEMES, column, largest_difference, print_difference, print_pair, run_cases


RECORDS = ("ball.position.y", "ball.velocity.y", "floor.impulse")


def compare(bench, case, s, z):
    name = f"ball {case.scheme}"
    print_pair(bench, f"{name}: final position", s[-1][0], z[-1][0], SAME, "m")
    print_pair(bench, f"{name}: final velocity", s[-1][1], z[-1][1], SAME, "m/s")
    print_pair(bench, f"{name}: sum of impulses", math.fsum(column(s, 2)), math.fsum(column(z, 2)), SAME, "N s")
    print_difference(bench, f"{name}: largest difference of position, velocity, impulse in all steps",
                     largest_difference(s, z, (0, 1, 2)), SAME)


def run(bench):
    run_cases(bench, [Case("ball", "bouncing-ball", RECORDS, scheme, 1e-3, 10.0, 10, 10) for scheme in SCHEMES], compare)
