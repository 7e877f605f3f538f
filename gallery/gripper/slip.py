#!/usr/bin/env python3
"""How far the part slips in the fingers: a block of mass m between two pads that press with N each and move with the palm.

    slip.py [N ...]

Against the palm the block has the acceleration -(g + a) + f, where f is at most 2 mu N/m. It sticks as long as that is enough.
Prints the slip [mm] after the lift and after the shaking, for ideal pins and forces that are what they should be."""
import sys
from math import cos, pi, sin

M, MU, G, RISE, A, W = 0.2, 0.5, 9.81, 50e-3, 1e-3, 20 * pi


def palm(t):
    """Its vertical acceleration."""
    if 0.3 < t < 0.8:
        return RISE / 0.25 * 2 * pi * sin(4 * pi * (t - 0.3))
    return A * W * W * cos(W * (t - 0.9)) if 0.9 < t < 1.3 else 0


def slip(force, h=2e-6):
    """Midpoint rule; the velocity stops at 0 when it would change sign."""
    most, x, u, lifted = 2 * MU * force / M, 0, 0, None
    for k in range(round(0.3 / h), round(1.4 / h)):
        need = G + palm((k + 0.5) * h)
        if u == 0:
            new = -max(need - most, 0) * h + max(-need - most, 0) * h
        else:
            new = u + (-need + (most if u < 0 else -most)) * h
            new = 0 if new * u < 0 else new
        x, u = x + (u + new) / 2 * h, new
        if k == round(0.85 / h):
            lifted = x
    return lifted, x


print("N [N]  after the lift  after the shaking [mm]")
for word in sys.argv[1:] or ["2.1", "2.3", "2.5", "2.7", "2.8", "3"]:
    lifted, shaken = slip(float(word))
    print(f"{word:5}  {1e3 * lifted:14.4f}  {1e3 * shaken:17.4f}")
