"""What parts.sh has printed of the parts of this folder against formulas by hand. Lengths here in mm."""
import numpy as np
import yaml
from math import pi, sqrt

RHO, MM = 7800.0, 1e-3


class Loader(yaml.SafeLoader):
    """Numbers such as 6e-05, which YAML 1.1 takes for text."""


Loader.add_implicit_resolver("tag:yaml.org,2002:float", __import__("re").compile(r"^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$"), list("-+.0123456789"))


def cylinder(r, l, at, axis):
    """Volume, centre, inertia about the centre; `at` is the middle."""
    V, n = pi * r * r * l, np.array(axis, float)
    across = V * (3 * r * r + l * l) / 12
    return V, np.array(at, float), across * np.eye(3) + (V * r * r / 2 - across) * np.outer(n, n)


def joined(*parts):
    """Of (sign, body) by Steiner's theorem."""
    V = sum(s * b[0] for s, b in parts)
    c = sum(s * b[0] * b[1] for s, b in parts) / V
    J = sum(s * (b[2] + b[0] * ((b[1] - c) @ (b[1] - c) * np.eye(3) - np.outer(b[1] - c, b[1] - c))) for s, b in parts)
    return V, c, J


def block():
    box = 48e3, np.array([30, 20, 10.0]), 48e3 / 12 * np.diag([40**2 + 20**2, 60**2 + 20**2, 60**2 + 40**2])
    return joined((1, box), (-1, cylinder(8, 20, [40, 25, 10], [0, 0, 1])))


def frustum(R, r, h, x):
    """Along x from x, radius from R to r: integrals of pi rho^2 (1, s, rho^2/2, rho^2/4 + s^2)."""
    k = (r - R) / h
    rho2 = lambda n: sum(c * h ** (n + i + 1) / (n + i + 1) for i, c in enumerate([R * R, 2 * R * k, k * k]))
    V, c = pi * rho2(0), rho2(1) / rho2(0)
    polar = pi / 2 * (r**5 - R**5) / (5 * k)
    across = polar / 2 + pi * rho2(2) - V * c * c
    return V, np.array([x + c, 0, 0]), np.diag([polar, across, across])


def shaft():
    V = 2 / 3 * pi * 6**3
    ball = V, np.array([94 + 3 / 8 * 6, 0, 0]), V * 36 * np.diag([2 / 5, 83 / 320, 83 / 320])
    return joined((1, cylinder(10, 50, [25, 0, 0], [1, 0, 0])), (1, frustum(10, 6, 4, 50)),
                  (1, cylinder(6, 40, [74, 0, 0], [1, 0, 0])), (1, ball))


def ring():
    R, a = 12, 3
    V = 2 * pi * pi * R * a * a
    return V, np.zeros(3), V * np.diag([(4 * R * R + 5 * a * a) / 8] * 2 + [R * R + 3 / 4 * a * a])


def pin():
    n = np.array([np.sin(0.5), 0, np.cos(0.5)])
    return cylinder(4, 30, np.array([100, -7, 3]) + 15 * n, n)


def near(what, found, expected, tolerance):
    off = np.abs(np.array(found, float) - np.array(expected, float)).max()
    assert off <= tolerance, f"{what}: {found} instead of {expected}, off by {off:.3g}"


def check_body(what, found, body, tolerance=2e-11):
    V, c, J = body
    near(what + " mass", found["mass"], RHO * V * MM**3, tolerance * RHO * V * MM**3)
    near(what + " position", found["position"], c * MM, tolerance * 0.1)
    near(what + " inertia", found["inertia"], RHO * J * MM**5, tolerance * RHO * np.abs(J).max() * MM**5)


def load(name):
    with open(name) as file:
        return yaml.load(file, Loader)


def check_block():
    d, (V, c, J) = load("block.out"), block()
    check_body("block", d["bodies"]["block"], (V, c, J))
    near("box", [d["solids"]["block"]["low"], d["solids"]["block"]["high"]], [[0, 0, 0], [0.06, 0.04, 0.02]], 1e-9)
    near("draw", d["bodies"]["block"]["draw"]["at"], -c * MM, 1e-12)
    faces = d["faces"]["block"]
    assert sorted(faces) == ["bore1"] + [f"plane{i}" for i in range(1, 7)], sorted(faces)
    bore = faces["bore1"]["surface"]
    assert bore["body"] == "block" and "angle" not in faces["bore1"]
    near("bore", [bore["bore"]["radius"], bore["bore"]["length"]], [0.008, 0.02], 1e-12)
    near("axis", np.abs(bore["bore"]["axis"]), [0, 0, 1], 1e-12)
    near("bore at", bore["at"], (np.array([40, 25, 10]) - c) * MM, 1e-12)
    sides = np.array([60, 40, 20.0])
    seen = set()
    for name in [f"plane{i}" for i in range(1, 7)]:
        f = faces[name]["surface"]
        n = np.array(f["plane"], float)
        axis, up = int(np.argmax(np.abs(n))), n.max() > 0.5
        seen.add((axis, up))
        middle = sides / 2
        middle[axis] = sides[axis] if up else 0
        near(name + " at", f["at"], (middle - c) * MM, 1e-12)
        rest = sorted(np.delete(sides, axis), reverse=True)
        near(name + " sides", [f["bounded"]["length"], f["bounded"]["breadth"]], np.array(rest) * MM, 1e-9)
        near(name + " along", np.abs(f["bounded"]["along"]), np.eye(3)[[i for i in range(3) if sides[i] == rest[0]][0]], 1e-12)
        near(name + " covered", faces[name]["covered"], 1 - (pi * 64 / 2400 if axis == 2 else 0), 1e-6)
    assert len(seen) == 6


def check_shaft():
    d = load("shaft.out")
    check_body("shaft", d["bodies"]["shaft"], shaft())
    faces = d["faces"]["shaft"]
    assert sorted(faces) == ["cone1", "cylinder1", "cylinder2", "plane1", "sphere1"], sorted(faces)
    found = sorted((f["surface"]["cylinder"]["radius"], f["surface"]["cylinder"]["length"], f["surface"]["at"][0])
                   for f in (faces["cylinder1"], faces["cylinder2"]))
    near("cylinders", found, [[0.006, 0.04, 0.074], [0.01, 0.05, 0.025]], 1e-11)
    assert "body" not in faces["cylinder1"]["surface"]  # --ground
    cone, ball, end = faces["cone1"]["cone"], faces["sphere1"]["sphere"], faces["plane1"]
    near("cone", sorted([cone["radius"], cone["end_radius"]]) + [cone["length"]], [0.006, 0.01, 0.004], 1e-11)
    assert (cone["radius"] - cone["end_radius"]) * cone["axis"][0] > 0  # thinner towards the ball
    near("cone area", faces["cone1"]["area"], pi * 16 * sqrt(32) * MM**2, 1e-14)
    near("ball", [ball["radius"], *ball["at"]], [0.006, 0.094, 0, 0], 1e-11)
    near("ball ends", sorted(np.array([ball["from"], ball["to"]]) * ball["axis"][0]), [0, 0.006], 1e-11)
    assert cone["hollow"] is False and ball["hollow"] is False
    near("end", end["surface"]["plane"], [-1, 0, 0], 1e-12)
    near("end sides", [end["surface"]["bounded"]["length"], end["surface"]["bounded"]["breadth"]], [0.02, 0.02], 1e-9)
    near("end covered", end["covered"], pi / 4, 1e-6)


def check_pair():
    d = load("pair.out")  # declared in inches, written with 12 digits
    check_body("ring", d["bodies"]["ring"], ring())
    check_body("pin", d["bodies"]["pin"], pin())
    check_body("whole", d["whole"], joined((1, ring()), (1, pin())))
    torus = d["faces"]["ring"]["torus1"]["torus"]
    near("torus", [torus["radius"], torus["tube"]], [0.012, 0.003], 1e-12)
    assert sorted(d["faces"]["pin"]) == ["cylinder1", "plane1", "plane2"], sorted(d["faces"]["pin"])  # of two halves
    turned = d["faces"]["pin"]["cylinder1"]["surface"]["cylinder"]
    near("axis of the pin", turned["axis"], [np.sin(0.5), 0, np.cos(0.5)], 1e-11)


def check_triangles():
    """Binary STL, read here: closed, and the volume of the block but for the bore, which it sees as a polygon."""
    raw = open("block.stl", "rb").read()
    count = int.from_bytes(raw[80:84], "little")
    assert len(raw) == 84 + 50 * count
    record = np.dtype([("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("rest", "<u2")])
    p = np.frombuffer(raw, record, count, 84)["corner"].astype(float)
    volume = np.einsum("ij,ij->i", p[:, 0], np.cross(p[:, 1], p[:, 2])).sum() / 6
    area_vector = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]).sum(axis=0) / 2
    near("closed", area_vector, np.zeros(3), 1e-9)
    assert 0 < volume - block()[0] * MM**3 < 0.01 * 20 * pi * 64 * MM**3, volume


check_block()
check_shaft()
check_pair()
check_triangles()
print("4 passed, 0 failed")
