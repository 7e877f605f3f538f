"""Runs of zeno-mpi and their results."""
import os
import subprocess

import h5py
import numpy as np

LIMIT = 120  # [s]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_hwloc_base_binding_policy="none")
NOISE = {"command", "certificate/loop_seconds", "outcome"}  # clock, names of files


def mpirun(program, ranks, *arguments, limit=LIMIT, cwd=None):
    """A finished process with its texts."""
    command = ["mpirun", "-n", str(ranks), program, "run", *arguments]
    return subprocess.run(command, env=ENVIRONMENT, timeout=limit, capture_output=True, text=True, cwd=cwd)


def datasets(path):
    """All of a result file, by name, even of one that was not finished."""
    found = {}
    with h5py.File(path, "r", swmr=path.endswith(".part")) as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


def same_bits(a, b):
    """Names of what differs."""
    return [name for name in a if name not in NOISE and not name.startswith("checkpoint/") and
            np.asarray(a[name]).tobytes() != np.asarray(b[name]).tobytes()]
