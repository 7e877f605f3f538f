"""Time to find the features at which two shapes meet; boxes beside ODE's in the same poses."""
import os
import subprocess

from common import CannotRun, ENVIRONMENT
from stick import build

# at most so long [ns]; a busy machine has its say, so that these are about twice what was measured
BOUNDS = {"boxes": 3500, "hulls": 17000, "capsules": 1500}


def lines_of(program):
    answer = subprocess.run([program], env=ENVIRONMENT, capture_output=True, text=True)
    if answer.returncode != 0:
        raise CannotRun(f"{program}: status {answer.returncode}")
    return [line.split(maxsplit=2) for line in answer.stdout.splitlines()]


def run(bench):
    ode = lines_of(os.path.join(build(bench), "ode_boxes"))
    own = lines_of(bench.program("bench_detect"))
    print(f"\n{'':44}{'Zeno [us]':>12}{'pairs':>8}{'ODE [us]':>12}{'points':>8}{'ratio':>8}")
    for i, (time, pairs, name) in enumerate(own):
        kind = "boxes" if i < len(ode) else name.split()[0].rstrip(",")
        beside = f"{1e-3 * float(ode[i][0]):12.2f}{ode[i][1]:>8}{float(time) / float(ode[i][0]):8.1f}" if i < len(ode) else " " * 28
        name = f"boxes, {name}" if i < len(ode) else name
        print(f"{name:44}{1e-3 * float(time):12.2f}{pairs:>8}{beside}"
              + bench.check(float(time) <= BOUNDS[kind], f"detect: {name}: {1e-3 * float(time):.2f} us"), flush=True)
