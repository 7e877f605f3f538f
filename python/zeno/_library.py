"""The shared library: where it is, its functions with their types, and its messages as exceptions."""
import ctypes
import os
import warnings
from pathlib import Path

import numpy as np

from . import _api as api

MAJOR = "libzeno.so.0"


class Error(Exception):
    """What the library says when it refuses or fails. `status`: negative, something must change; positive, the same
    may succeed with other numbers (a smaller step)."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def _candidates():
    if os.environ.get("ZENO_LIBRARY"):
        yield os.environ["ZENO_LIBRARY"]
        return
    here = Path(__file__).resolve().parent
    try:
        from ._where import LIBRARY  # written when the package is installed
        yield str(here / LIBRARY)
    except ImportError:
        pass
    for build in ("release", "debug"):  # in the source tree
        yield str(here.parents[1] / "build" / build / "src" / MAJOR)
    yield MAJOR


def _load():
    reasons = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as fault:
            reasons.append(str(fault))
    raise ImportError("the library of Zeno cannot be loaded (ZENO_LIBRARY names it): " + "; ".join(reasons))


lib = _load()
for _name, (_result, _parameters) in api.FUNCTIONS.items():
    _function = getattr(lib, _name)
    _function.restype, _function.argtypes = _result, _parameters

version = lib.zn_version().decode()


_raised = []  # by functions of the user, since the last call that was checked


class Log:
    """Keeps the messages of the library; hand `struct` to it and keep this object alive as long as it may write."""

    def __init__(self):
        self.errors = []
        self.warnings = []
        self.reason = ""  # why a state could not be evaluated

        def write(_, severity, message):
            text = message.decode(errors="replace")
            if severity == api.CONSTANTS["ZN_LOG_ERROR"]:
                self.errors.append(text)
            elif severity == api.CONSTANTS["ZN_LOG_WARNING"]:
                self.warnings.append(text)
            elif severity == api.CONSTANTS["ZN_LOG_REASON"]:
                self.reason = text

        self.struct = api.zn_log(write=dict(api.zn_log._fields_)["write"](write), user=None)

    def check(self, status):
        """Raise what was said when `status` is a failure; pass warnings on."""
        errors, self.errors = self.errors, []
        noted, self.warnings = self.warnings, []
        reason, self.reason = self.reason, ""
        for text in noted:
            warnings.warn(text, stacklevel=3)
        raised, _raised[:] = list(_raised), []
        if status != 0:
            text = "\n".join(errors) or lib.zn_status_text(status).decode()
            raise Error(text + ("; " + reason if reason else ""), status) from (raised[0] if raised else None)


class guarded:
    """Around a function of the user that the library calls: what it raises becomes a value that is no number, so that the
    step fails, and the cause of the error then. ctypes would print it and go on with 0."""

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if value is not None and len(_raised) < 8:  # attempts with smaller steps raise it again
            _raised.append(value)
        return value is not None


class _Memory:
    """Memory of the library as NumPy wants to see it; keeps its owner alive."""

    def __init__(self, owner, pointer, count):
        self.owner = owner
        address = ctypes.cast(pointer, ctypes.c_void_p).value
        self.__array_interface__ = {"data": (address, False), "shape": (count,), "typestr": np.dtype(float).str,
                                    "version": 3}


def view(owner, pointer, count):
    """An array that is the memory at `pointer`, not a copy of it."""
    return np.asarray(_Memory(owner, pointer, count)) if count > 0 and pointer else np.empty(0)


def encoded(text):
    """C takes a text to its first zero."""
    if "\0" in text:
        raise ValueError(f"{text!r} holds a zero")
    return text.encode()


def checked(kind, value):
    """A number for a field of this kind; ctypes would cut off what does not fit into an integer."""
    if isinstance(value, (int, np.integer)) and issubclass(kind, _INTEGERS) and kind(value).value != value:
        raise OverflowError(f"{value} is too large for an integer of {8 * ctypes.sizeof(kind)} bits")
    return value


def integers(count, values):
    if len(values) != count:
        raise ValueError(f"{values!r} are {len(values)} numbers, not {count}")
    return (ctypes.c_int * count)(*[checked(ctypes.c_int, value) for value in values])


_INTEGERS = (ctypes.c_int, ctypes.c_uint, ctypes.c_long, ctypes.c_ulong, ctypes.c_longlong, ctypes.c_ulonglong)


def doubles(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
