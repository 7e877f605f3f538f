"""Two rings in impact with friction, explicit and nsga on one mesh with a lumped mass and e = 0.

Both schemes approach the motion of the same semi-discrete system, with steps each of its own. So what they hand over in
the impact must come together as steps become shorter: momentum of the first ring over time, and the strain energy that
is left in it, which high frequencies decide.
"""
import csv
import io
import os
import subprocess

from common import ENVIRONMENT, HERE, CannotRun

MODEL = os.path.join(HERE, "..", "tests", "cases", "two-rings-in-impact.yaml")
REFERENCE = ("cd_lagrange", "0.2 cfl")
# scheme, step, bounds: mean difference of the momentum from the reference over that handed over, and of the strain
# energy over its own
RUNS = (("cd_lagrange", "0.9 cfl", 4e-3, 4e-3),
        ("nsga", "4e-3", 5e-3, 3e-2),
        ("nsga", "1e-3", 4e-3, 1.5e-2),
        ("nsga", "2.5e-4", 2e-3, 3e-3))
SAMPLES, UNTIL = 500, 2.0


def history(zeno, scheme, step):
    """Times, and by name what was recorded then."""
    result = os.path.join(os.path.dirname(zeno), "rings.zeno.h5")
    for command in ([zeno, "run", MODEL, "-q", "--scheme", scheme, "--step", step, "-o", result],
                    [zeno, "export", result, "--csv"]):
        done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise CannotRun(f"{' '.join(command)}: status {done.returncode}")
    os.remove(result)
    rows = list(csv.reader(io.StringIO(done.stdout)))
    names = [name.split(" [")[0] for name in rows[0]]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}


def sample(series, name):
    """At equal times, linear in between."""
    t, y, out, k = series["t"], series[name], [], 1
    for i in range(SAMPLES + 1):
        x = UNTIL * i / SAMPLES
        while k + 1 < len(t) and t[k] < x:
            k += 1
        share = min(1, (x - t[k - 1]) / (t[k] - t[k - 1]))
        out.append((1 - share) * y[k - 1] + share * y[k])
    return out


def difference(series, reference, name):
    return sum(abs(a - b) for a, b in zip(sample(series, name), sample(reference, name))) / (SAMPLES + 1)


def run(bench):
    zeno = os.path.join(os.path.abspath(bench.build), "cli", "zeno")
    reference = history(zeno, *REFERENCE)
    given = 7.52175 - reference["momentum.x"][-1]
    print(f"\nTwo rings in impact with friction, one mesh: mean differences over {UNTIL:g} s from {REFERENCE[0]} with "
          f"{REFERENCE[1]};\nof the momentum handed over ({given:.4f} N s) and of the strain energy at the end\n")
    print(f"{'scheme':>12}{'step':>9}{'steps':>7}{'momentum x':>12}{'y':>9}{'strain':>9}{'handed over [N s]':>21}{'strain [J]':>12}")
    for scheme, step, most_momentum, most_strain in RUNS:
        series = history(zeno, scheme, step)
        x, y = (difference(series, reference, f"momentum.{axis}") / given for axis in "xy")
        strain = difference(series, reference, "strain") / reference["strain"][-1]
        good = max(x, y) <= most_momentum and strain <= most_strain
        print(f"{scheme:>12}{step:>9}{len(series['t']) - 1:7}{x:12.5f}{y:9.5f}{strain:9.5f}"
              f"{7.52175 - series['momentum.x'][-1]:13.4f}{-series['momentum.y'][-1]:8.4f}{series['strain'][-1]:12.4f}"
              + bench.check(good, f"rings: {scheme}, step {step}: differs by {x:.4f}, {y:.4f}, {strain:.4f}"), flush=True)
