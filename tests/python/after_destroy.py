"""Use after destroy in builds with assertions: every function of the C API that takes an object with a destroy function,
called with one that was destroyed, ends the program with a message that names the function and who destroyed it. Objects
that others borrow, likewise. Each call is made in a process of its own.

    after_destroy.py RELEASE                1: a release build, which looks after nothing: the test is skipped
"""
import ctypes
import os
import re
import signal
import sys
import tempfile

import misuse
from zeno import _api as api
from zeno._library import lib

DESTROY = {"zn_restart": "zn_restart_close", "zn_result": "zn_result_close", "zn_scene": "zn_scene_close",
           "zn_fclib_file": "zn_fclib_destroy", "zn_new_file": "zn_new_file_close"}
HEX8 = api.ENUMS["zn_solid_shape"].index("ZN_HEX8")


def friction_problem(folder):
    """A file with one contact."""
    def doubles(*values):
        return (ctypes.c_double * len(values))(*values)

    path = os.path.join(folder, "contact.hdf5").encode()
    problem = api.zn_fc_problem(n=3, contacts=1, first=(ctypes.c_int * 2)(0, 3), q=doubles(-1, 0, 0), mu=doubles(0.5),
                                W=doubles(1, 0, 0, 0, 1, 0, 0, 0, 1))
    text = api.zn_fclib_text(title=b"contact", description=b"one")
    if lib.zn_fclib_write(path, ctypes.byref(problem), ctypes.byref(text), api.zn_log()) != 0:
        sys.exit("a friction problem cannot be written")
    return path


def made(folder):
    """Objects of each kind, and what others are made from."""
    out, log = misuse.world(), api.zn_log()
    problem, system, state = out["zn_problem"], out["zn_system"], out["zn_state"]

    def make(kind, function, *arguments, of=ctypes.c_void_p):
        pointer = of()
        if function(*arguments, ctypes.byref(pointer)) != 0:
            sys.exit(f"{kind} cannot be made")
        out[kind] = pointer

    scheme, result = problem.contents.sim.scheme, os.path.join(folder, "ball.zeno.h5").encode()
    make("zn_arena", lib.zn_arena_create, 1000)
    make("zn_signal", lib.zn_signal_constant, 1.0)
    make("zn_spring_law", lib.zn_spring_law_table, 2, (ctypes.c_double * 2)(0, 1), (ctypes.c_double * 2)(0, 1))
    make("zn_mesh", lib.zn_mesh_box, api.zn_vec3(0, 0, 0), api.zn_vec3(1, 1, 1), (ctypes.c_int * 3)(1, 1, 1), HEX8,
         of=ctypes.POINTER(api.zn_mesh))
    make("zn_sparse", lib.zn_system_matrix, system, of=ctypes.POINTER(api.zn_sparse))
    make("zn_linsolver", lib.zn_linsolver_create, out["zn_sparse"], None)
    make("zn_scheme", lib.zn_scheme_create, ctypes.byref(scheme), system)
    make("zn_new_file", lib.zn_new_file_open, os.path.join(folder, "new").encode(), log)
    make("zn_result_writer", lib.zn_result_writer_create, result, problem, ctypes.byref(problem.contents.sim), b"", log)
    run = api.zn_sim_def.from_buffer_copy(problem.contents.sim)
    run.recorder = lib.zn_result_writer_recorder(out["zn_result_writer"])
    run.checkpoint_every, run.frames = 2, 3
    make("run", lib.zn_sim_create, system, ctypes.byref(run))
    if lib.zn_sim_run(out.pop("run")) != 0:
        sys.exit("the model cannot be run")
    make("zn_result", lib.zn_result_open, result, log)
    make("zn_scene", lib.zn_scene_open, out["zn_result"], log)
    make("zn_restart", lib.zn_restart_open, result, problem, ctypes.byref(problem.contents.sim))
    make("zn_fclib_file", lib.zn_fclib_read, friction_problem(folder), log, of=ctypes.POINTER(api.zn_fclib_file))
    modes = api.zn_modes_def()
    modes.size = ctypes.sizeof(modes)
    lib.zn_modes_def_reset(ctypes.byref(modes))
    make("zn_modes", lib.zn_modes_find, system, ctypes.byref(modes), state, of=ctypes.POINTER(api.zn_modes))
    return out


def told(calls):
    """What a process says that makes these calls, and the signal that ends it, or 0."""
    read, write = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os.dup2(write, 2)
        for function, arguments in calls:
            function(*arguments)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return text.strip(), os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def destroy(kind, objects):
    name = DESTROY.get(kind, kind + "_destroy")
    return getattr(lib, name), [objects[kind]] + [0] * (len(api.FUNCTIONS[name][1]) - 1)


def calls_of(objects):
    """(name, kind, call): every function with every parameter that such an object goes to."""
    types = misuse.declared()
    for name, (_, kinds) in api.FUNCTIONS.items():
        parameters = re.split(r", (?![^(]*\))", types.get(name, ""))
        good = [misuse.right(kind, parameters[i] if i < len(parameters) else "", objects) for i, kind in enumerate(kinds)]
        for parameter in parameters:
            found = re.fullmatch(r"(?:const )?(zn_\w+) ?\*(?: ?const)? ?\w+", parameter)
            if found and found[1] in objects:
                yield name, found[1], (getattr(lib, name), good)


def borrowed(objects):
    """What was destroyed while another still used it: the same, by the function that comes upon it."""
    sim, scene = objects["zn_sim"], objects["zn_scene"]
    frame = ctypes.byref(api.zn_scene_frame())
    for kind in ("zn_system", "zn_problem"):  # with the problem its model is gone
        yield "zn_sim_step", kind, (lib.zn_sim_step, [sim])
        yield "zn_sim_run", kind, (lib.zn_sim_run, [sim])
    yield "zn_scene_read", "zn_result", (lib.zn_scene_read, [scene, 0, frame])


def main():
    if sys.argv[1] == "1":
        print("a release build does not look after destroyed objects")
        return 77
    bad, count, kinds = [], 0, set()
    with tempfile.TemporaryDirectory() as folder:
        objects = made(folder)
        for name, kind, call in [*calls_of(objects), *borrowed(objects)]:
            text, number = told([destroy(kind, objects), call])
            count += 1
            kinds.add(kind)
            if number != signal.SIGABRT or not re.match(rf"zeno: {name}: '.*' was destroyed by zn_\w+ and must not", text):
                bad.append(f"{name}: a destroyed {kind}: signal {number}, {text[:200]!r}")
        alive = [name for name, kind, call in calls_of(objects) if "was destroyed" in told([call])[0]]
    print(f"{count} calls with destroyed objects of {len(kinds)} kinds, {len(bad)} not told; "
          f"{len(alive)} told of objects that live")
    for line in bad + alive:
        print(line)
    missing = objects.keys() - kinds
    if missing:
        print("never called with:", *sorted(missing))
    return 1 if bad or alive or missing else 0


sys.exit(main())
