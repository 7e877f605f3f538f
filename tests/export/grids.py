"""Exported files against the recorded series: what a VTU, XDMF or any other reader gives must be those numbers.

A grid is a dictionary: t, points, cells [(type, corners)], point and cell: name -> array.
"""
import csv
import math

import numpy as np


def table(path):
    """Columns of a CSV file of `zeno export`, by name without unit."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    values = np.array(rows[1:], dtype=float)
    return {name.split(" [")[0]: values[:, i] for i, name in enumerate(rows[0])}


def pairs(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))[1:]


def same(what, a, b, tolerance=0.0):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape or not np.all(np.abs(a - b) <= tolerance):
        raise AssertionError(f"{what}: {a} is not {b}")


def row_of(columns, t):
    rows = np.flatnonzero(columns["t"] == t)
    if len(rows) != 1:
        raise AssertionError(f"no row at t = {t!r}")
    return {name: values[rows[0]] for name, values in columns.items()}


def vector(row, name, planar):
    return np.array([row[f"{name}.{c}"] for c in "xyz"[:2 if planar else 3]] + [0.0] * planar)


def turn(w, x, y, z):
    """Rotation matrix of a unit quaternion."""
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def check_surface(grid, node, position, rotation, velocity, spin, sides):
    """Points on a box: where a rigid motion takes its corners, and how fast."""
    mine = np.flatnonzero(grid["point"]["node"] == node)[1:]  # the first is the node
    signs = np.array([[(i >> k & 1) - 0.5 for k in range(3)] for i in range(len(mine))])
    arms = (signs * sides) @ rotation.T
    same("corners", grid["points"][mine], position + arms, 1e-14)
    same("their velocity", grid["point"]["velocity"][mine], velocity + np.cross(spin, arms), 1e-13)


def check_rigid(grid, row):
    x, v, angle = vector(row, "x", True), vector(row, "v", True), row["angle"]
    same("position", grid["points"][0], x)
    same("velocity", grid["point"]["velocity"][0], v)
    same("rotation", grid["point"]["rotation"][0], [math.cos(angle / 2), 0, 0, math.sin(angle / 2)], 1e-15)
    same("ball", grid["points"][1], vector(row, "ball", True))
    check_surface(grid, 0, x, turn(math.cos(angle / 2), 0, 0, math.sin(angle / 2)), v, [0, 0, row["spin"]], [1, 1.5, 0])
    assert [kind for kind, _ in grid["cells"]].count("quad") == 1
    cord = [corners for kind, corners in grid["cells"] if kind == "line" and corners[0] != corners[1]][-1]
    same("spring", grid["points"][cord], [grid["points"][1], [2, 2, 0]])


def check_beam(grid, row):
    same("position", grid["points"][4], vector(row, "x", True))
    same("velocity", grid["point"]["velocity"][4], vector(row, "v", True))
    assert [kind for kind, _ in grid["cells"]] == ["line"] * 4
    assert [list(corners) for _, corners in grid["cells"]] == [[i, i + 1] for i in range(4)]
    same("strain energy", np.sum(grid["cell"]["energy_density"]) * 0.25, row["strain"], 1e-12 * max(1, abs(row["strain"])))


def check_solid(grid, row):
    # nodes and parts of bodies come first: 0 is the brick
    same("position", grid["points"][1], vector(row, "x", False))
    same("displacement", grid["point"]["displacement"][27], vector(row, "u", False))
    same("velocity", grid["point"]["velocity"][27], vector(row, "v", False))
    hexes = [i for i, (kind, _) in enumerate(grid["cells"]) if kind == "hexahedron"]
    assert len(hexes) == 8 and set(grid["cell"]["part"][hexes]) == {1}
    assert np.all(grid["cell"]["stress"][hexes] >= 0)
    same("strain energy", np.sum(grid["cell"]["energy_density"][hexes]) * 0.05**3, row["strain"], 1e-12 * (1e-3 + row["strain"]))
    # all cells have a positive volume: their corners come in the order of VTK
    for i in hexes:
        p = grid["points"][grid["cells"][i][1]]
        assert np.dot(np.cross(p[1] - p[0], p[3] - p[0]), p[4] - p[0]) > 0
    rotation = turn(*[row[f"turn.{c}"] for c in "wxyz"])
    check_surface(grid, 0, vector(row, "brick", False), rotation, grid["point"]["velocity"][0],
                  rotation @ vector(row, "spin", False), [0.1, 0.2, 0.3])


CHECKS = {"rigid": check_rigid, "beam": check_beam, "solid": check_solid}
GAPS = {"rigid": ["gap_A", "gap_B"], "beam": ["gap"], "solid": []}


def check_pressure(problem, grid, touching):
    """On faces that contacts may press on, where they do; facets are of points on solids, of which there is none here."""
    pressure, data = grid["point"]["pressure"], touching["point"]
    assert np.all(data["facet"] == -1) and data["facet"].shape[-1] == 4
    if problem != "solid":
        assert np.all(np.isnan(pressure))
        return
    assert np.count_nonzero(~np.isnan(pressure)) == 9  # nodes of the lower side
    assert np.count_nonzero(pressure > 0) == np.count_nonzero(np.asarray(data["status"]) > 0)


def check(problem, grids, contacts, series):
    """All frames of a problem; `series`: of its CSV file."""
    assert len(grids) == len(contacts) > 10
    impulse = np.zeros(3)
    for grid, touching in zip(grids, contacts):
        row = row_of(series, grid["t"])
        CHECKS[problem](grid, row)
        assert touching["t"] == grid["t"]
        data = touching["point"]
        for i, name in enumerate(GAPS[problem]):
            same("gap", data["gap"][i], row[name], 1e-15)
        same("normals", np.linalg.norm(data["normal"], axis=1), np.ones(len(data["gap"])), 1e-15)
        check_pressure(problem, grid, touching)
        for status, p in zip(data["status"], data["impulse"]):
            assert status in (0, 1, 2, 3) and (status > 0) == bool(np.any(p != 0))
        impulse += np.sum(data["impulse"], axis=0)
    return impulse


def check_momentum(series, impulse):
    """The block alone: impulses of contacts and gravity change its momentum (mass 1)."""
    change = vector({n: c[-1] for n, c in series.items()}, "v", True) - vector({n: c[0] for n, c in series.items()}, "v", True)
    same("momentum", change - np.array([0, -9.81 * series["t"][-1], 0]), impulse, 1e-11)
    assert impulse[1] > 1


def polygon_area(points):
    """Half the sum of the cross products of a flat polygon, along its normal."""
    return 0.5 * np.linalg.norm(sum(np.cross(a - points[0], b - points[0]) for a, b in zip(points[1:], points[2:])))


def check_patch(patch, i, name):
    """At rest, in closed form: (force, area or length, centre, corners)."""
    g = 9.81
    polygon = lambda r: 6 * r * r * math.sin(math.pi / 6)  # of the twelve points that a cap stands on
    exact = {("drum", "floor"): (12 * g, polygon(0.4), [0.2 / 12, 0.1 / 12, 0], 12),
             ("drum", "puck"): (2 * g, polygon(0.2), [0.1, 0.05, 0.6], 12),
             ("floor", "roll"): (5 * g, 0.8, [1.2, 0, 0], 2)}
    force, area, centre, corners = exact[tuple(sorted(name))]
    kind, numbers = patch["cells"][i]
    points, data = patch["points"][numbers], {n: v[i] for n, v in patch["cell"].items()}
    assert len(numbers) == corners and kind == ("line" if corners == 2 else "polygon"), kind
    same("area", data["area"], area, 1e-12)
    same("its corners", np.linalg.norm(points[1] - points[0]) if corners == 2 else polygon_area(points), area, 1e-12)
    same("force", data["force"], force, 1e-9)
    same("pressure", data["pressure"], force / area, 1e-8)
    same("centre", data["centre"], centre, 1e-9)
    same("normal", abs(data["normal"]), [0, 0, 1], 1e-12)
    same("impulse", abs(data["impulse"]), [0, 0, force * 1e-3], 1e-10)


def check_shapes(scene, contacts, patches, pairs):
    """Shapes of bodies and of the ground, and the patches on which they rest; pairs: rows of names."""
    assert len(scene) == len(patches) == 21
    for grid, touching, patch in zip(scene[1:], contacts[1:], patches[1:]):
        assert patch["t"] == grid["t"] and len(patch["cells"]) == 3
        names = [tuple(pairs[p][2:]) for p in patch["cell"]["pair"]]
        assert len(set(names)) == 3 and all(pairs[p][1] == "all" for p in patch["cell"]["pair"])
        for i, name in enumerate(names):
            check_patch(patch, i, name)
        # a cylinder has two rings of 24 points and two middles, a disc too; the pole is carried by nothing
        carried = [np.count_nonzero(grid["point"]["node"] == n) - 1 for n in range(4)]
        assert carried[:3] == [50, 50 + 50, 50], carried
        assert np.count_nonzero(grid["point"]["node"] == -1) == 50
        ball = grid["points"][np.flatnonzero(grid["point"]["node"] == 3)[1:]]
        same("ball", np.linalg.norm(ball - grid["points"][3], axis=1), np.full(len(ball), 0.15), 1e-14)
    assert not patches[0]["cells"] or patches[0]["cell"]["pair"][0] == -1  # nothing has acted yet
