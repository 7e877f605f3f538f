"""Benchmarks that are programs of their own: they print their tables and answer by their exit status."""
import os
import subprocess
import sys

import rings
from common import CannotRun, ENVIRONMENT, GALLERY


def run_program(bench, name, arguments, message):
    program = bench.program(name)
    print(flush=True)
    status = subprocess.run([program] + arguments, env=ENVIRONMENT).returncode
    if status not in (0, 1):
        raise CannotRun(f"{program}: status {status}")
    bench.check(status == 0, message)
    sys.stdout.flush()


def crane(bench):
    """Gain of multirate over explicit integration of the whole bridge crane, against the share of element updates."""
    run_program(bench, "bench_crane", [os.path.join(GALLERY, "bridge-crane", "model.yaml")],
                "crane: gain below the share of the ceiling marked in its table")


def multirate(bench):
    """Gain of multirate over explicit integration of a whole solid, and what its start costs with many links."""
    run_program(bench, "bench_multirate", [], "multirate: beyond the bounds marked in its table")


def explicit(bench):
    """Updates of hexahedra per second against bounds that the program measures; levels; contact beside them; Hertz; two
    rings in impact beside nsga."""
    run_program(bench, "bench_explicit", [], "explicit: beyond the bounds marked in its table")
    run_program(bench, "bench_levels", [], "explicit: levels beyond the bounds marked in its last line")
    run_program(bench, "bench_facets", [], "explicit: contact on facets beyond the bounds marked in its tables")
    run_program(bench, "bench_hertz", [], "explicit: contact radius of a ball off Hertz by more than 3 %")
    rings.run(bench)


def columns(bench):
    """Memory, time and exactness of contacts without columns on a solid block."""
    run_program(bench, "bench_columns", [], "columns: beyond the bounds marked in its table")
