"""The Python package against mathematics and against what `zeno` itself writes. Environment: ZENO, ROOT."""
import csv
import ctypes
import gc
import math
import os
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

import zeno

BALL = """zeno: 1
title: Ball
planar: true
gravity: [0, -10]
parameters: {e: 0.5, height: 1 m}
bodies: {ball: {mass: 2 kg, position: [0, height]}}
contacts: {floor: {point: ball, surface: {plane: [0, 1]}, restitution: e}}
record: {x: ball.position, y: ball.position.y, v: ball.velocity, force: floor.force}
run: {scheme: moreau_jean, step: 1e-3, until: 1}
"""


def falling_ball(**more):
    model = zeno.Model(planar=True, gravity=(0, -10))
    ball = model.add_body(name="ball", mass=2, position=(0, 1), velocity=(3, 0))
    model.add_contact(name="floor", point=ball, normal=(0, 1), restitution=0.5, **more)
    return model


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)
        with open("ball.yaml", "w") as file:
            file.write(BALL)


class Results(Folder):
    def test_files_elsewhere(self):
        os.mkdir("models")
        with open("pull.csv", "w") as file:
            file.write("0,0\n1,1\n")
        with open("models/pulled.yaml", "w") as file:
            file.write(BALL.replace("\nrun:", "\nloads: {l: {body: ball, force: [{csv: ../pull.csv}, 0]}}\nrun:"))
        with self.assertRaisesRegex(zeno.Error, "outside the folder of the model.*--allow-path /"):
            zeno.run("models/pulled.yaml")
        self.assertTrue(zeno.run("models/pulled.yaml", allow_path=".").finished)
        self.assertTrue(zeno.run("models/pulled.yaml", allow_path=["models", os.getcwd()]).finished)

    def test_same_as_the_program(self):
        result = zeno.run("ball.yaml", output="python.h5")
        subprocess.run([os.environ["ZENO"], "run", "ball.yaml", "-q", "-o", "cli.h5"], check=True)
        for name in ("python", "cli"):
            subprocess.run([os.environ["ZENO"], "export", name + ".h5", "--csv", name + ".csv"], check=True)
        with open("python.csv") as a, open("cli.csv") as b:
            self.assertEqual(a.read(), b.read())
        with open("cli.csv", newline="") as file:
            rows = list(csv.reader(file))
        table = np.array(rows[1:], dtype=float)
        self.assertEqual([n.split(" [")[0] for n in rows[0][1:]], result.names)
        for i, name in enumerate(result.names):
            np.testing.assert_array_equal(result[name], table[:, i + 1])
        np.testing.assert_array_equal(result.t, table[:, 0])
        np.testing.assert_array_equal(result["x"][:, 1], result["y"])
        np.testing.assert_array_equal(result["y + 2*t"], result["y"] + 2 * result.t)

    def test_meaning(self):
        result = zeno.run("ball.yaml", step=1e-4, set={"e": 0.8, "height": "50 cm"})
        self.assertTrue(result.finished)
        self.assertEqual(result.text("title"), "Ball")
        self.assertEqual(result.unit("y"), "m")
        self.assertEqual(result.series["v"].components, ["x", "y"])
        self.assertIn("x.y", result)
        before = result.t < 0.31  # it falls for sqrt(2 h / g) = 0.316 s
        np.testing.assert_allclose(result["y"][before], 0.5 - 5 * result.t[before] ** 2, atol=1e-12)
        event = result.events[0]
        self.assertEqual(event["name"], "floor")
        self.assertTrue(event["impact"])
        # momentum: 2 kg (1 + e) sqrt(2 g h)
        self.assertAlmostEqual(event["impulse"], 2 * 1.8 * math.sqrt(10), delta=5e-3)
        self.assertEqual(result.certificate["steps"], 10000)
        self.assertLess(result.certificate["closure"], 1e-12)

    def test_certificate_is_complete(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("python3-h5py is not installed")
        result = zeno.run("ball.yaml", output="ball.h5", until=0.1)
        with h5py.File("ball.h5", "r") as file:
            numbers = {n: d[()] for n, d in file["certificate"].items() if d.dtype.kind == "f"}
        self.assertEqual(set(result.certificate), set(numbers))
        for name, value in result.certificate.items():
            np.testing.assert_equal(value, float(numbers[name]))

    def test_faults_are_exceptions(self):
        with self.assertRaisesRegex(zeno.Error, "gone.h5: No such file"):
            zeno.open("gone.h5")
        with self.assertRaisesRegex(zeno.Error, "not a result file") as caught:
            zeno.open("ball.yaml")
        self.assertLess(caught.exception.status, 0)
        with open("bad.yaml", "w") as file:
            file.write(BALL.replace("mass: 2 kg", "mass: -2 kg").replace("title", "titel"))
        with self.assertRaisesRegex(zeno.Error, r"(?s)bad.yaml:2:1: .*bad.yaml:6:"):
            zeno.run("bad.yaml")
        with self.assertRaisesRegex(zeno.Error, "nonsense"):
            zeno.run("ball.yaml", scheme="nonsense")
        with self.assertRaisesRegex(zeno.Error, "weight"):
            zeno.run("ball.yaml", set={"weight": 1})
        with self.assertRaisesRegex(TypeError, "there is no 'thet'; known are scheme, observer, theta"):
            zeno.run("ball.yaml", thet=1)
        result = zeno.run("ball.yaml", until=0.01)
        with self.assertRaisesRegex(KeyError, "nothing"):
            result["nothing"]

    def test_closed(self):
        with zeno.run("ball.yaml", until=0.01) as result:
            pass
        for look in (lambda: result.t, lambda: result["y"], lambda: result.events, lambda: result.certificate):
            with self.assertRaisesRegex(ValueError, "closed"):
                look()

    def test_plot(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("python3-matplotlib is not installed")
        matplotlib.use("Agg")
        result = zeno.run("ball.yaml")
        axes = result.plot("y")
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), result["y"])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("t [s]", "y [m]"))
        self.assertIs(result.plot("x", x="y", ax=axes), axes)
        self.assertEqual(len(axes.lines), 3)
        matplotlib.pyplot.close("all")


class Models(unittest.TestCase):
    def test_zero_copy(self):
        system = zeno.System(falling_ball())
        state = zeno.State(system)
        address = ctypes.cast(state._struct.q, ctypes.c_void_p).value
        q, v = state.q, state.v
        self.assertEqual(q.ctypes.data, address)
        self.assertEqual(q.__array_interface__["data"], (address, False))
        self.assertTrue(np.shares_memory(q, state.q))
        self.assertFalse(q.flags.owndata)
        # what is written through the view is what the library has
        q[1] = 7
        self.assertEqual(state._struct.q[1], 7)
        state.update()
        self.assertEqual(state.energy["gravity"], 2 * 10 * 7)
        v[:] = (1, -2)
        state.update()
        self.assertEqual(state.energy["kinetic"], 0.5 * 2 * 5)
        self.assertEqual(state.gaps[0], 7)
        # and what the library writes is what the view shows
        scheme = zeno.Scheme(system, "moreau_jean")
        scheme.step(state, 0.1)
        self.assertEqual(q.ctypes.data, ctypes.cast(state._struct.q, ctypes.c_void_p).value)
        self.assertAlmostEqual(q[0], 0.1, delta=1e-15)
        self.assertAlmostEqual(q[1], 7 - 0.2 - 0.05, delta=1e-14)

    def test_multirate_state(self):
        """A bar in free fall: what a state shows is v = g t; the coarse part between its times is no number."""
        model = zeno.Model(planar=True, gravity=(-2, 0))
        model.add_bar(name="rod", from_=(0, 0), to=(1, 0), elements=10, young=1, density=1, area=1, mass="lumped",
                      fixed=zeno.FIX_Y)
        system = zeno.System(model)
        state, scheme = zeno.State(system), zeno.Scheme(system, "multirate", fine="rod[0:3]", ratio=4)
        q, v, n = state.q, state.v, system.info.n
        start = q.copy()
        for k in range(1, 13):
            scheme.step(state, 0.05)
            self.assertEqual(state.whole, k % 4 == 0)
            known = ~np.isnan(v[:n])
            self.assertEqual(known.sum(), n if state.whole else 4)
            np.testing.assert_allclose(v[:n][known], -2 * state.t, atol=1e-12)
            np.testing.assert_allclose((q - start)[0:22:2][~np.isnan(q[0:22:2])], -state.t ** 2, atol=1e-12)
            self.assertEqual(math.isnan(state.energy["kinetic"]), not state.whole)

    def test_views_keep_their_memory(self):
        q = zeno.State(zeno.System(falling_ball())).q
        gc.collect()
        np.testing.assert_array_equal(q, [0, 1])

    def test_schemes_step(self):
        """A ball that bounces: energy after the impact is e^2 of that before; x moves on."""
        for name in ("moreau_jean", "nsga", "combined_projection"):
            system = zeno.System(falling_ball())
            state, scheme = zeno.State(system), zeno.Scheme(system, name)
            speeds = []
            for _ in range(600):
                info = scheme.step(state, 1e-3)
                speeds.append(state.v[1])
            self.assertAlmostEqual(state.t, 0.6, delta=1e-12)
            self.assertAlmostEqual(state.q[0], 1.8, delta=1e-10)
            self.assertAlmostEqual(max(speeds), 0.5 * math.sqrt(20), delta=0.02)
            self.assertGreaterEqual(state.gaps[0], -1e-2)
            self.assertIsNone(info.failed)
        self.assertIn("nsga", zeno.schemes())

    def test_copy_is_apart(self):
        state = zeno.State(zeno.System(falling_ball()))
        other = state.copy()
        other.q[0] = 5
        self.assertEqual(state.q[0], 0)
        self.assertFalse(np.shares_memory(state.q, other.q))

    def test_elements(self):
        """Cantilever under a force at its tip: w = F L^3 / (3 E I), by the linear solution K u = f."""
        model = zeno.Model(planar=True)
        model.add_beam(name="beam", from_=(0, 0), to=(1, 0), elements=8, young=2e11, density=7800, theory="euler_bernoulli",
                       section={"area": 1e-4, "moment_z": 1e-9, "moment_y": 1e-9, "torsion": 1e-9}, fix_first=15)
        model.add_force(name="load", point=model.node("beam[8]"), force=("0", lambda t: -3.0, 0))
        system = zeno.System(model)
        state = zeno.State(system)
        n = system.info.n
        stiffness, step = np.zeros((n, n)), 1e-6
        load = system.force(state)[:n]
        self.assertEqual(np.count_nonzero(load), 1)
        self.assertEqual(load.min(), -3)
        # every degree of freedom of a planar frame is a coordinate
        for i in range(n):
            state.q[3 + i] += step
            stiffness[:, i] = (load - system.force(state)[:n]) / step
            state.q[3 + i] -= step
        deflection = np.linalg.solve(stiffness, load)[-2]
        self.assertAlmostEqual(deflection, -3 / (3 * 2e11 * 1e-9), delta=1e-6)

    def test_springs(self):
        """A disc on a torsion spring by three laws has the same motion, cos(w t) with w = 5; a bush holds it."""
        for law in ({"stiffness": 0.5}, {"law": "0.5*angle"}, {"law": [(-1, -0.5), (1, 0.5)], "free_angle": 0.0},
                    {"law": lambda x, rate, t: (0.5 * x, 0.5, 0)}):
            if "stiffness" in law:
                law["rest"] = lambda t: 0
            model = zeno.Model(planar=True)
            disc = model.add_body(name="disc", mass=1, inertia=0.02, angle=0.3)
            model.add_torsion(name="s", to=disc, **law)
            model.add_bushing(name="b", to=disc, stiffness=(100, 100, 0, 0, 0, 0))
            system = zeno.System(model)
            state, scheme = zeno.State(system), zeno.Scheme(system, "newmark")
            for _ in range(100):
                scheme.step(state, 2e-3)
            self.assertAlmostEqual(state.q[2], 0.3 * math.cos(1), delta=3e-6)
        model = zeno.Model(planar=True)
        mass = model.add_body(name="mass", mass=1, position=(2, 0))
        with self.assertRaisesRegex(zeno.Error, "acting one way needs a stiffness"):
            model.add_spring(name="rope", to=mass, acts="pull")
        with self.assertRaisesRegex(zeno.Error, "unknown name 'angle'"):
            model.add_spring(name="rope", to=mass, law="3*angle")

    def test_solid_and_joint(self):
        model = zeno.Model(gravity=(0, 0, -9.81))
        model.add_solid(name="cube", mesh=zeno.Mesh.box((0, 0, 0), (1, 1, 1), (2, 2, 2)), young=1e5, poisson=0.3, density=100,
                        model="saint_venant_kirchhoff", mass="lumped")
        model.fix("cube.zmin", zeno.FIX_X | zeno.FIX_Y | zeno.FIX_Z)
        brick = model.add_body(name="brick", mass=2, inertia3=(1, 2, 2.5), position=(3, 0, 0))
        model.add_joint(name="ball", kind="spherical", a=(brick, (0, 0, 1)))
        self.assertEqual(len(model.nodes("cube.zmax")), 9)
        system = zeno.System(model)
        self.assertEqual((system.info.n, system.info.joints), (18 * 3 + 6, 3))
        weight = zeno.System.force(system, zeno.State(system))[:system.info.n].sum()
        # of the free nodes: two thirds of the cube's inertia lies on two of three layers, 1/2 and 1/4
        self.assertAlmostEqual(weight, -9.81 * (100 * 0.75 + 2), delta=1e-9)

    def test_joint_with_play(self):
        model = zeno.Model(gravity=(0, -9.81, 0), planar=True)
        rod = model.add_body(name="rod", mass=2, inertia=0.1, position=(0, -0.5))
        with self.assertRaisesRegex(zeno.Error, "the radius 0 m of its play is not positive"):
            model.add_joint(name="pin", kind="revolute", a=(rod, (0, 0.5)), play={})
        with self.assertRaisesRegex(TypeError, "there is no 'radios'; known are radius, length"):
            model.add_joint(name="pin", kind="revolute", a=(rod, (0, 0.5)), play={"radios": 1})
        model.add_joint(name="pin", kind="revolute", a=(rod, (0, 0.5)), play={"radius": 1e-3})
        system = zeno.System(model)
        state, scheme = zeno.State(system), zeno.Scheme(system, "combined_projection")
        self.assertEqual(system.info.joints, 0)
        for _ in range(20):
            scheme.step(state, 1e-3)
        self.assertAlmostEqual(state.q[1], -0.501, delta=1e-12)  # it hangs in its hole

    def test_faults(self):
        model = falling_ball()
        with self.assertRaisesRegex(zeno.Error, "ball"):
            model.add_body(name="ball", mass=1)
        with self.assertRaisesRegex(zeno.Error, "mass"):
            model.add_body(name="other", mass=-1)
        with self.assertRaisesRegex(TypeError, "there is no 'masse'; known are name, mass"):
            model.add_body(masse=1)
        with self.assertRaisesRegex(ValueError, "'hinge' is none of fixed, revolute"):
            model.add_joint(kind="hinge")
        with self.assertRaisesRegex(zeno.Error, r"t\+"):
            model.add_force(point=model.node("ball"), force=("t+", 0, 0))
        with self.assertRaises(KeyError):
            model.node("nobody")
        system = zeno.System(model)
        with self.assertRaisesRegex(zeno.Error, "must not change"):
            model.add_body(name="late", mass=1)
        with self.assertRaisesRegex(zeno.Error, "theta"):
            zeno.Scheme(system, "moreau_jean", theta=7)
        with self.assertRaises(ValueError):
            zeno.Scheme(system, "moreau_jean").step(zeno.State(zeno.System(falling_ball())), 0.1)
        state = zeno.State(system)
        state.q[0] = math.nan
        with self.assertRaises(zeno.Error):
            zeno.Scheme(system, "moreau_jean").step(state, 0.1)

    def test_misfits(self):
        """What C would take for something else: other sizes, larger numbers, texts with a zero, counts that are not."""
        def system(bodies):
            model = zeno.Model(planar=True)
            for i in range(bodies):
                model.add_body(name=f"b{i}", mass=1, inertia=1, position=(i, 0))
            return zeno.System(model)

        small, large = system(1), system(500)
        with self.assertRaises(ValueError):
            large.force(zeno.State(small))
        with self.assertRaises(ValueError):
            zeno.Scheme(large, "moreau_jean").step(zeno.State(small), 1e-3)
        scheme, state = zeno.Scheme(small, "moreau_jean"), zeno.State(small)
        for h in (0, -1, math.nan, math.inf):
            with self.assertRaises(zeno.Error):
                scheme.step(state, h)
        self.assertEqual(state.t, 0)
        for elements in ((2**32 + 1, 1, 1), (-2**31 - 1, 1, 1)):
            with self.assertRaises(OverflowError):
                zeno.Mesh.box((0, 0, 0), (1, 1, 1), elements)
        for elements in ((1, 1), (1, 1, 1, 1), ()):
            with self.assertRaises(ValueError):
                zeno.Mesh.box((0, 0, 0), (1, 1, 1), elements)
        with self.assertRaises(OverflowError):
            zeno.Mesh.ball((0, 0, 0), 1, 2**32 + 2)
        model = zeno.Model()
        for fields in ({"name": "x\0y", "mass": 1}, {"name": "x", "mass": 1, "force": "t"}):
            with self.assertRaises((ValueError, TypeError)):
                model.add_body(**fields)
        with self.assertRaises(ValueError):
            model.node("x\0")
        with self.assertRaises(OverflowError):
            model.add_body(name="x", mass=1, fixed=2**32)
        for count in ("between_count", "against_count", "except_count"):
            with self.assertRaises(ValueError):
                model.add_pairs(name="p", **{count[:-6]: ["a"], count: 50})

    def test_bad_callbacks(self):
        """What a function of the user returns may be no number, or it raises: the step fails and leaves the state."""
        def fail(t):
            return 1 / 0 if t > 0.05 else 0.0

        for bad in (math.nan, math.inf, -math.inf, "text", None, fail):
            model = zeno.Model(planar=True)
            ball = model.add_body(name="ball", mass=1, position=(0, 1, 0))
            push = bad if callable(bad) else (lambda t, value=bad: value if t > 0.05 else 0.0)
            model.add_force(name="push", point=ball, force=(push, 0, 0))
            system = zeno.System(model)
            state, scheme, steps = zeno.State(system), zeno.Scheme(system, "moreau_jean"), 0
            with warnings.catch_warnings(), self.assertRaises(zeno.Error) as caught:
                warnings.simplefilter("ignore")
                while steps < 20:
                    before = (state.t, state.q.copy(), state.v.copy())
                    scheme.step(state, 0.01)
                    steps += 1
            if bad is fail:
                self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
            self.assertGreater(steps, 2)
            self.assertEqual(state.t, before[0])
            np.testing.assert_array_equal(state.q, before[1])
            np.testing.assert_array_equal(state.v, before[2])

    def test_bad_controllers(self):
        """The same of controllers, whose derivatives may be bad as well."""
        bad = (math.nan, math.inf, "text", None, 1j, (), (1.0,), (0.0, ()), (0.0, (1, 2)), (0.0, "text"))
        for value in (*bad, ZeroDivisionError("mine"), SystemExit(3)):
            def torque(t, angle, value=value):
                if t > 0.05 and isinstance(value, BaseException):
                    raise value
                return value if t > 0.05 else (0.0, (0.0,))

            model = zeno.Model(planar=True)
            arm = model.add_body(name="arm", mass=2, inertia=0.5, angle=1, spin=1)
            model.add_motor(name="hip", a=arm, torque=zeno.Controller(torque, "arm.angle"))
            system = zeno.System(model)
            state, scheme, steps = zeno.State(system), zeno.Scheme(system, "newmark"), 0
            with self.assertRaises(zeno.Error, msg=repr(value)) as caught:
                while steps < 20:
                    before = (state.t, state.q.copy(), state.v.copy())
                    scheme.step(state, 0.01)
                    steps += 1
            if isinstance(value, BaseException):
                self.assertIs(caught.exception.__cause__, value)
            self.assertGreater(steps, 2)
            self.assertEqual(state.t, before[0])
            np.testing.assert_array_equal(state.q, before[1])
            np.testing.assert_array_equal(state.v, before[2])


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main(verbosity=1)
