"""Results as NumPy arrays, and runs of model files."""
import ctypes
import os
import tempfile

import numpy as np

from . import _api as api
from ._defs import default, fill
from ._library import Log, doubles, encoded, lib

_WORST = tuple(name for name, kind in api.zn_certificate._fields_ if kind is api.zn_worst)
_COUNTS = tuple(f"{kind}_iterations{most}" for kind in ("newton", "projection", "activation", "solver") for most in ("", "_max"))
_MOMENTA = tuple(f"{kind}{when}_{axis}" for kind in ("momentum", "angular") for when in ("_start", "") for axis in "xyz")
_LEDGER = tuple("ledger_" + lib.zn_ledger_name(i).decode() for i in range(api.CONSTANTS["ZN_LEDGER_LINES"]))
CERTIFICATE = tuple(name + end for name in _WORST for end in ("", "_time")) + ("steps", "retries", "failed_iterations") + _COUNTS + (
    "energy_start", "energy_moved", "energy_changed", "gave_contact", "gave_projection", "gave_joint", "gave_numerical", "impacts", "lasting_contacts", "negative", "unstable_from") + _MOMENTA + ("factorizations", "refactorizations", "solves",
                                                                "loop_seconds") + _LEDGER

_EVENT = np.dtype([("name", "U63"), ("impact", "?"), ("open", "?"), ("closed_at", "f8"), ("opened_at", "f8"),
                   ("impulse", "f8"), ("peak_force", "f8"), ("approach", "f8"), ("pair", "U95")])


def _folders(allow_path):
    """Of one folder or several, as C wants them."""
    return [os.fsencode(f) for f in ([allow_path] if isinstance(allow_path, (str, bytes, os.PathLike)) else allow_path)]


class Series:
    """What is known of a recorded quantity."""

    def __init__(self, raw):
        self.name, self.path, self.unit = raw.name.decode(), raw.path.decode(), raw.unit.decode()
        self.components, self.columns = raw.components.decode().split(), raw.columns

    def __repr__(self):
        parts = "".join(f" .{c}" for c in self.components)
        return f"<series {self.name} [{self.unit}]{parts} = {self.path}>"


class Result:
    """A result file: `result["tip.y"]`, or any expression of recorded quantities and t. Files of runs that go on or were
    killed (.part) open too."""

    def __init__(self, path, allow_path=()):
        """`allow_path`: folders that pictures of its model may read from, as `run` has it."""
        self._log, self._handle, self._close = Log(), ctypes.c_void_p(), lib.zn_result_close
        self.path, self._folder = os.fspath(path), None
        if not os.path.exists(self.path) and os.path.exists(self.path + ".part"):
            self.path += ".part"
        self._log.check(lib.zn_result_open(os.fsencode(self.path), self._log.struct, ctypes.byref(self._handle)))
        for folder in _folders(allow_path):
            self._log.check(lib.zn_result_allow(self._handle, folder))
        self.rows = lib.zn_result_rows(self._open)
        raw = [lib.zn_result_series_at(self._open, i) for i in range(lib.zn_result_series_count(self._open))]
        self.series = {one.name: one for one in map(Series, raw)}

    def close(self):
        if getattr(self, "_handle", None):
            self._close(self._handle)
            self._handle = None

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def _open(self):
        if not self._handle:
            raise ValueError("the result is closed")
        return self._handle

    @property
    def finished(self):
        return lib.zn_result_is_finished(self._open)

    @property
    def names(self):
        """All columns, as CSV has them: "tip.y"."""
        return [name + "." + c if c else name for name, s in self.series.items() for c in (s.components or [""])]

    def unit(self, name):
        """Unit of a quantity; None for expressions of several."""
        found = lib.zn_result_unit(self._open, encoded(name))
        return None if found is None else found.decode()

    @property
    def t(self):
        out = np.empty(self.rows)
        self._log.check(lib.zn_result_time(self._open, doubles(out)))
        return out

    def __getitem__(self, name):
        if name in self.series:
            index, columns = lib.zn_result_find(self._open, encoded(name)), self.series[name].columns
            out = np.empty((self.rows, columns))
            self._log.check(lib.zn_result_read(self._open, index, doubles(out)))
            return out[:, 0] if columns == 1 else out
        out, message = np.empty(self.rows), ctypes.create_string_buffer(512)
        status = lib.zn_result_evaluate(self._open, encoded(name), doubles(out), message, len(message))
        if status != 0:
            raise KeyError(f"{name}: {message.value.decode()}")
        return out

    def __contains__(self, name):
        return name in self.series or name in self.names

    @property
    def events(self):
        """Stays in contact as a structured array."""
        count = lib.zn_result_event_count(self._open)
        raw = (api.zn_result_event * count)()
        self._log.check(lib.zn_result_events(self._open, raw))
        return np.array([(e.name.decode(),) + tuple(getattr(e, f) for f in _EVENT.names[1:-1]) + (e.pair.decode(),) for e in raw], dtype=_EVENT)

    @property
    def certificate(self):
        """How far the run can be trusted, by name."""
        return {name: lib.zn_result_number(self._open, encoded(name)) for name in CERTIFICATE}

    def text(self, name):
        """Text of the file: "title", "model", "command", "scheme", "outcome", "version"; None when there is none."""
        found = lib.zn_result_text(self._open, encoded(name))
        return None if found is None else found.decode()

    def plot(self, *names, x="t", ax=None, **options):
        """Draw quantities or expressions over the time, or over another; matplotlib's axes."""
        if ax is None:
            import matplotlib.pyplot as plt
            ax = plt.figure().add_subplot()
        across = self.t if x == "t" else self[x]
        for name in names:
            values = self[name]
            components = self.series[name].components if name in self.series else []
            labels = [f"{name}.{c}" for c in components] or [name]
            for label, column in zip(labels, values.T if values.ndim == 2 else [values]):
                ax.plot(across, column, **{"label": label, **options})
        units = {self.unit(name) for name in names}
        x_unit = self.unit(x)
        ax.set_xlabel(f"{x} [{x_unit}]" if x_unit else x)
        if len(units) == 1 and (unit := units.pop()):
            ax.set_ylabel(f"{names[0]} [{unit}]" if len(names) == 1 else f"[{unit}]")
        if len(names) > 1 or len(ax.lines) > 1:
            ax.legend()
        return ax

    def __repr__(self):
        return f"<result {self.path}: {self.rows} rows, {len(self.series)} series>"


def open(path, allow_path=()):  # noqa: A001: zeno.open, as in gzip.open
    """Open a result file."""
    return Result(path, allow_path)


class _Run:
    """Everything a run needs, destroyed in the right order."""

    def __init__(self):
        self.log, self.keep = Log(), []
        self.problem, self.system = ctypes.POINTER(api.zn_problem)(), ctypes.c_void_p()
        self.writer, self.sim = ctypes.c_void_p(), ctypes.c_void_p()

    def read(self, path, overrides, allow_path):
        texts = [f"{k}={v if isinstance(v, str) else repr(float(v))}".encode() for k, v in overrides.items()]
        folders = _folders(allow_path)
        definition = default(api.zn_problem_def)
        definition.path = os.fsencode(path)
        definition.override_count, definition.overrides = len(texts), (ctypes.c_char_p * len(texts))(*texts)
        definition.allow_count, definition.allow = len(folders), (ctypes.c_char_p * len(folders))(*folders)
        self.log.check(lib.zn_problem_create(ctypes.byref(definition), self.log.struct, ctypes.byref(self.problem)))
        self.definition = self.problem.contents.sim
        self.definition.log = self.log.struct

    def prepare(self, scheme, step, until, options):
        d = self.definition
        if step is not None:
            d.step, d.step_cfl = step, 0
        if until is not None:
            d.until = until
        fill(d.scheme, {**({"scheme": scheme} if scheme else {}), **options}, self.keep)
        self.log.check(lib.zn_system_create(self.problem.contents.model, ctypes.byref(self.system)))
        self.log.check(lib.zn_sim_def_resolve(self.system, ctypes.byref(d)))

    def run(self, output, command):
        d = self.definition
        self.log.check(lib.zn_result_writer_create(os.fsencode(output), self.problem, ctypes.byref(d), command.encode(),
                                                   self.log.struct, ctypes.byref(self.writer)))
        d.recorder = lib.zn_result_writer_recorder(self.writer)
        self.log.check(lib.zn_sim_create(self.system, ctypes.byref(d), ctypes.byref(self.sim)))
        self.log.check(lib.zn_sim_run(self.sim))

    def close(self):
        lib.zn_sim_destroy(self.sim)
        lib.zn_result_writer_destroy(self.writer)
        lib.zn_system_destroy(self.system)
        lib.zn_problem_destroy(self.problem)


def run(path, scheme=None, step=None, until=None, set=None, output=None, allow_path=(), **options):  # noqa: A002: as --set
    """Run a model file. `set`: values of its parameters, numbers or expressions with units; `output`: the result file,
    else a temporary one that goes with the result; `allow_path`: a folder, or several, that the model may read files from
    beside its own; other keywords are options of the scheme."""
    folder = None
    if output is None:
        folder = tempfile.TemporaryDirectory(prefix="zeno-")
        output = os.path.join(folder.name, "run.zeno.h5")
    job = _Run()
    try:
        job.read(path, set or {}, allow_path)
        job.prepare(scheme, step, until, options)
        job.run(output, f"zeno.run({os.fspath(path)!r}, scheme={scheme!r}, step={step!r}, until={until!r}, set={set!r})")
    finally:
        job.close()
    result = Result(output, allow_path)
    result._folder = folder  # kept while the result is
    return result
