"""The circuit breaker of the gallery: time and iterations of a step in the plane (24 contacts) and in space (60), and what
space costs beside the plane.

The time of 20 ms of the breaker must stay below these seconds; ratios say more, as machines differ.
"""
import os

from common import GALLERY

SECONDS = {"model.yaml": 3, "model-space.yaml": 20}
BREAKER = os.path.join(GALLERY, "circuit-breaker")


def run(bench):
    print("\nCircuit breaker, combined_projection, h = 1 us, 20 ms\n")
    print(f"{'model':18}{'steps':>8}{'loop [s]':>10}{'per step [us]':>15}{'Newton per step':>17}")
    per_step = []
    for model, bound in SECONDS.items():
        rounds = min(bench.rounds, 3) if model == "model.yaml" else 1
        best = min((bench.zeno([os.path.join(BREAKER, model)]) for _ in range(rounds)), key=lambda r: r["loop_s"])
        per_step.append(1e6 * best["loop_s"] / best["steps"])
        print(f"{model:18}{best['steps']:8}{best['loop_s']:10.2f}{per_step[-1]:15.1f}{best['newton'] / best['steps']:17.2f}"
              + bench.check(best["loop_s"] <= bound, f"mechanism: {model} takes {best['loop_s']:.1f} s of {bound} s"),
              flush=True)
    print(f"\na step in space over one in the plane: {per_step[1] / per_step[0]:.1f}")
