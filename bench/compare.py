"""One problem in both programs: times in turn, traces of all steps, numbers side by side.

Bounds on what the two programs may differ by. Where both take the same single Newton iteration, all that is left is
round-off (SAME). Where more are needed Zeno goes on until the equations hold, Siconos stops after the first; the
problems say what follows. Zeno with a tolerance that one iteration meets must agree with Siconos up to round-off again.
"""
import os
import tempfile

from common import GALLERY, key_values, read_trace, smallest

TOLERANCE = 1e-13   # of gaps: projection in Siconos, gap_tolerance in Zeno
SCHEMES = ("moreau_jean", "combined_projection")
SAME = 1e-10
ONE_ITERATION = 1e-3  # newton_tolerance; smaller steps meet it


class Case:
    """A problem with a scheme and a step, for both programs."""

    def __init__(self, name, model, records, scheme, step, until, bound, repeat, peer=None, parameters=None,
                 tolerance=TOLERANCE, zeno=None):
        self.name, self.scheme, self.step, self.until = name, scheme, step, until
        self.bound, self.repeat = bound, {"siconos": repeat, "zeno": max(repeat, 5)}
        self.peer = dict(scheme=scheme, h=step, T=until, tol=tolerance, **(peer or {}))
        self.zeno = dict(scheme=scheme, step=step, until=until, gap_tolerance=tolerance, **(zeno or {}))
        if scheme != "combined_projection":
            self.zeno["gamma"] = 0.5  # Siconos activates a contact when y + h/2 dy/dt <= 0
        self.model = os.path.join(GALLERY, model, "model.yaml")
        self.lists = [f"record={path}" for path in records] + [f"set={item}" for item in parameters or ()]

    def run_siconos(self, bench, **more):
        return bench.siconos(self.name, key_values({**self.peer, **more}))

    def run_zeno(self, bench, **more):
        return bench.zeno([self.model] + key_values({**self.zeno, **more}) + self.lists)


def time_case(bench, case, rounds, folder):
    """Both programs in turn, `rounds` times; the smallest times and the traces of both."""
    times, traces = {"siconos": [], "zeno": []}, {}
    for _ in range(rounds):
        for who, run in (("siconos", lambda **o: case.run_siconos(bench, **o)),
                         ("zeno", lambda **o: case.run_zeno(bench, **o))):
            path = os.path.join(folder, who)
            times[who].append(run(repeat=case.repeat[who], trace=path))
            traces[who] = read_trace(path)
    return smallest(times["siconos"]), smallest(times["zeno"]), traces["siconos"], traces["zeno"]


def print_head(rounds):
    print(f"\nProcessor time [ms]: smallest of {rounds} rounds, the two programs in turn, runs from scratch\n")
    print(f"{'':47}|{'Siconos':^27}|{'Zeno':^27}| Siconos / Zeno")
    print(f"{'problem':12}{'scheme':21}{'h':>6} {'steps':>6} |{'setup':>8}{'loop':>10}{'total':>9}|{'setup':>8}"
          f"{'loop':>10}{'total':>9}|{'loop':>7}{'total':>7}{'bound':>7}")


def print_times(bench, case, steps, siconos, zeno):
    ratio = siconos["loop_s"] / zeno["loop_s"]
    numbers = "".join("|{:8.3f}{:10.3f}{:9.3f}".format(*(1e3 * t[key] for key in ("setup_s", "loop_s", "total_s")))
                      for t in (siconos, zeno))
    verdict = bench.check(ratio >= case.bound,
                      f"{case.name} {case.scheme} h={case.step:g}: ratio {ratio:.1f} is below {case.bound}")
    print(f"{case.name:12}{case.scheme:21}{case.step:6g} {steps:6} {numbers}|{ratio:7.1f}"
          f"{siconos['total_s'] / zeno['total_s']:7.1f}{case.bound:7}{verdict}", flush=True)


def column(trace, c):
    return [row[c] for row in trace]


def largest_difference(a, b, columns):
    return max(abs(x[c] - y[c]) for x, y in zip(a, b) for c in columns)


def mean_difference(a, b, columns):
    return max(sum(abs(x[c] - y[c]) for x, y in zip(a, b)) / len(a) for c in columns)


def print_pair(bench, label, siconos, zeno, bound, unit=""):
    difference = abs(siconos - zeno)
    verdict = bench.check(difference <= bound, f"{label}: results differ by {difference:.2g}")
    print(f"  {label:52}{siconos:22.15g}{zeno:22.15g}{difference:10.1e} <= {bound:.0e} {unit}{verdict}")


def print_difference(bench, label, value, bound, unit=""):
    verdict = bench.check(value <= bound, f"{label}: {value:.2g} exceeds {bound:.2g}")
    print(f"  {label:96}{value:10.1e} <= {bound:.0e} {unit}{verdict}")


def print_range(bench, label, value, low, high):
    verdict = bench.check(low <= value <= high, f"{label}: {value:.3g} is not between {low} and {high}")
    print(f"  {label:96}{value:10.3f} in [{low}, {high}]{verdict}")


def print_results_head():
    print(f"\nResults\n\n  {'':52}{'Siconos':>22}{'Zeno':>22}{'difference':>11}    bound")


def compare_one_iteration(bench, case):
    """With a tolerance that one Newton iteration meets, Zeno takes the very steps of Siconos."""
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = os.path.join(folder, "siconos"), os.path.join(folder, "zeno")
        case.run_siconos(bench, trace=theirs)
        case.run_zeno(bench, newton_tolerance=ONE_ITERATION, trace=ours)
        s, z = read_trace(theirs), read_trace(ours)
    name = f"{case.name} {case.scheme} N={case.peer['N']}" if "N" in case.peer else f"{case.name} {case.scheme}"
    print_difference(bench, f"{name} h={case.step:g}: all numbers of all steps, one iteration in both",
                     largest_difference(s, z, range(len(s[0]))), SAME)


def run_cases(bench, cases, compare, rounds=None):
    """Times, then results: compare(bench, case, s, z) for each case with the traces of both. Returns the traces of Zeno."""
    kept = []
    print_head(rounds or bench.rounds)
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            siconos, own, s, z = time_case(bench, case, rounds or bench.rounds, folder)
            print_times(bench, case, len(z) - 1, siconos, own)
            kept.append((case, s, z))
    print_results_head()
    for case, s, z in kept:
        compare(bench, case, s, z)
    return [z for _, _, z in kept]
