"""Every function of the C API with NULL for all that points somewhere, and with one NULL among what is right: none follows
it, but for those of inner loops. Each call is made in a process of its own.

    misuse.py
"""
import ctypes
import os
import re
import signal
import subprocess
import sys

from zeno import _api as api
from zeno._library import lib

ROOT = os.environ["ROOT"]
MODEL = b"""zeno: 1
planar: true
gravity: [0, -9.81]
parameters: {e: 0.5}
bodies: {ball: {mass: 1, position: [0, 1]}}
contacts: {floor: {point: ball, surface: {plane: [0, 1]}, restitution: e}}
record: {height: ball.position.y}
run: {scheme: moreau_jean, step: 1e-2, until: 0.1}
"""
# Called in the innermost loops of schemes and solvers: they trust their caller (docs/c-api.md) and only assert.
TRUSTING = re.compile(r"zn_(arena|sparse|linsolver|newton|lcp|contact_set)_\w+|zn_sincos|zn_signal_at|zn_state_(update|copy)|"
                      r"zn_scheme_(step|history_\w+|linsolver_info)|zn_fc_(residual\w*|reduce|solve_global)|"
                      r"zn_system_(?!create|destroy|get_info|critical_step)\w+")


def declared():
    """name: C types of the parameters, as the headers have them."""
    text = subprocess.run(["cc", "-E", "-P", "-I", ROOT + "/include", ROOT + "/include/zn/zn.h"], check=True,
                          capture_output=True, text=True).stdout
    text = re.sub(r"\s+", " ", text.replace('__attribute__((visibility("default")))', "ZN_API"))
    return {name: parameters for name, parameters in re.findall(r"ZN_API [^;{(]*?(zn_\w+)\(([^;{]*)\) ?;", text)}


def world():
    """Objects of each kind, made in the right way: what is passed where it is not NULL."""
    out = {}

    def make(kind, function, *arguments):
        pointer = ctypes.c_void_p()
        if function(*arguments, ctypes.byref(pointer)) != 0:
            sys.exit(f"{kind} cannot be made")
        out[kind] = pointer

    problem = ctypes.POINTER(api.zn_problem)()
    if lib.zn_problem_parse(MODEL, len(MODEL), b"ball.yaml", 0, None, api.zn_log(), ctypes.byref(problem)) != 0:
        sys.exit("the model cannot be read")
    out["zn_problem"] = problem
    out["zn_model"] = ctypes.c_void_p(ctypes.cast(problem.contents.model, ctypes.c_void_p).value)
    make("zn_system", lib.zn_system_create, out["zn_model"])
    pointer = ctypes.POINTER(api.zn_state)()
    lib.zn_state_create(out["zn_system"], ctypes.byref(pointer))
    out["zn_state"] = pointer
    pointer = ctypes.POINTER(api.zn_contact_set)()
    lib.zn_contact_set_create(out["zn_system"], ctypes.byref(pointer))
    out["zn_contact_set"] = pointer
    make("zn_sim", lib.zn_sim_create, out["zn_system"], ctypes.byref(problem.contents.sim))
    make("zn_fc_workspace", lib.zn_fc_workspace_create)
    return out


def right(kind, parameter, objects):
    """A value for a parameter: an object, room for what comes out, or nothing in particular."""
    for name, value in objects.items():
        if re.match(rf"(const )?(struct )?{name} ?\*(?!\*)", parameter):
            return ctypes.cast(value, kind) if hasattr(kind, "_type_") and not isinstance(kind._type_, str) else value
    if kind is ctypes.c_char_p:
        return b"height"
    if kind is ctypes.c_void_p:
        return ctypes.cast(ctypes.create_string_buffer(1 << 16), ctypes.c_void_p)
    if hasattr(kind, "_type_") and not isinstance(kind._type_, str):
        return ctypes.cast(ctypes.create_string_buffer(1 << 16), kind)
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
        return kind()
    return kind(0) if isinstance(kind, type) and issubclass(kind, ctypes._CFuncPtr) else 0


def is_pointer(kind):
    return kind in (ctypes.c_char_p, ctypes.c_void_p) or (hasattr(kind, "_type_") and not isinstance(kind._type_, str))


def nothing(kind):
    if is_pointer(kind):
        return None
    return kind() if isinstance(kind, type) and issubclass(kind, (ctypes.Structure, ctypes._CFuncPtr)) else 0


def dies(function, arguments):
    """The signal that ends the process which makes the call, or 0."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        function(*arguments)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def main():
    types, objects, calls, bad = declared(), world(), 0, []
    for name, (_, kinds) in api.FUNCTIONS.items():
        function, parameters = getattr(lib, name), re.split(r", (?![^(]*\))", types.get(name, ""))
        pointers = [i for i, kind in enumerate(kinds) if is_pointer(kind)]
        if not pointers or TRUSTING.fullmatch(name):
            continue
        good = [right(kind, parameters[i] if i < len(parameters) else "", objects) for i, kind in enumerate(kinds)]
        tries = [("all", [nothing(kind) for kind in kinds])]
        tries += [(str(i + 1), [None if k == i else g for k, g in enumerate(good)]) for i in pointers]
        for which, arguments in tries:
            calls += 1
            number = dies(function, arguments)
            if number != 0:
                bad.append(f"{name}({types.get(name)}): NULL for {which}: {signal.strsignal(number) if number < 64 else number}")
    print(f"{calls} calls of {len(api.FUNCTIONS)} functions, {len(bad)} follow NULL")  # those that trust are not called
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
