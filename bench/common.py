"""What all benchmarks share: programs that answer with a line of JSON, and bounds that are kept or broken."""
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
GALLERY = os.path.join(HERE, "..", "gallery")
ENVIRONMENT = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")


class CannotRun(Exception):
    """A program is missing, cannot be built or fails: the problem has no result."""


class Bench:
    """One call of bench/run: where the programs are, how often they run, and the bounds so far."""

    def __init__(self, build, rounds, folder=None):
        self.build, self.rounds, self.folder = build, rounds, folder
        self.kept, self.broken = 0, []
        self.siconos_folder = None

    def check(self, ok, message):
        """A bound; what to print behind the number."""
        if ok:
            self.kept += 1
            return ""
        self.broken.append(message)
        return "  <-- bound broken"

    def program(self, name):
        path = os.path.join(self.build, "bench", name)
        if not os.path.exists(path):
            raise CannotRun(f"{path} is missing: configure with -DZENO_BENCH=ON and build")
        return path

    def zeno(self, arguments):
        return call(self.program("bench_zeno"), arguments)

    def siconos(self, name, arguments):
        return call(os.path.join(self.build_siconos(), name), arguments)

    def build_siconos(self):
        """Folder with the programs, built when they are wanted first; says which Siconos they run with."""
        if self.siconos_folder is None:
            programs = os.path.join(os.path.abspath(self.build), "bench", "siconos")
            if subprocess.run(["make", "-s", "-C", os.path.join(HERE, "siconos"), f"B={programs}"]).returncode != 0:
                raise CannotRun("cannot build the Siconos programs; packages: g++ libsiconos-numerics-dev "
                                "libsiconos-kernel-dev libsiconos-mechanics-dev")
            self.siconos_folder = programs
            print("Siconos: " + describe_siconos(os.path.join(programs, "ball")), flush=True)
        return self.siconos_folder


def describe_siconos(program):
    """The kernel that a program loads (LD_LIBRARY_PATH may name another one), and whether it checks assertions."""
    lines = subprocess.run(["ldd", program], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    path = next((line.split()[2] for line in lines if "siconos_kernel" in line), None)
    if path is None:
        return "unknown build"
    symbols = subprocess.run(["nm", "-D", path], stdout=subprocess.PIPE, text=True).stdout
    return f"{path}, {'with' if '__assert_fail' in symbols else 'without'} assertions"


def call(program, arguments):
    """Lines of JSON from a benchmark program, as one."""
    done = subprocess.run([program] + arguments, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        raise CannotRun(f"{program} {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return {key: value for line in lines for key, value in json.loads(line).items()}


def key_values(settings):
    return [f"{key}={value:.17g}" if isinstance(value, float) else f"{key}={value}" for key, value in settings.items()]


def smallest(results):
    return {key: min(r[key] for r in results) for key in ("setup_s", "loop_s", "total_s")}


def read_trace(path):
    with open(path) as file:
        return [[float(word) for word in line.split()] for line in file]
