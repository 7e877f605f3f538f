"""VTU and XDMF with nothing but the standard library and NumPy (h5py where it is installed): they are XML, their arrays
have the sizes they say, and their numbers are those of the CSV files. Usage: plain.py FOLDER"""
import base64
import os
import struct
import sys
import xml.etree.ElementTree as xml

import numpy as np

import grids

NAMES = {1: "vertex", 3: "line", 5: "triangle", 7: "polygon", 9: "quad", 10: "tetra", 12: "hexahedron"}
TYPES = {"Float64": np.float64, "Int32": np.int32, "UInt8": np.uint8}


def array(element):
    raw = base64.b64decode(element.text.strip(), validate=True)
    size = struct.unpack("<Q", raw[:8])[0]
    assert size == len(raw) - 8
    values = np.frombuffer(raw[8:], TYPES[element.get("type")])
    width = int(element.get("NumberOfComponents", 1))
    return values.reshape(-1, width) if width > 1 else values


def read_vtu(path, t):
    root = xml.parse(path).getroot()
    piece = root.find("UnstructuredGrid/Piece")
    cells = {e.get("Name"): array(e) for e in piece.findall("Cells/DataArray")}
    corners = np.split(cells["connectivity"], cells["offsets"][:-1])
    grid = {"t": t, "points": array(piece.find("Points/DataArray")).reshape(-1, 3),
            "cells": [(NAMES[k], c) for k, c in zip(cells["types"], corners)],
            "point": {e.get("Name"): array(e) for e in piece.findall("PointData/DataArray")},
            "cell": {e.get("Name"): array(e) for e in piece.findall("CellData/DataArray")}}
    assert len(grid["points"]) == int(piece.get("NumberOfPoints"))
    assert len(cells["types"]) == int(piece.get("NumberOfCells")) == len(cells["offsets"])
    assert all(len(v) == len(grid["points"]) for v in grid["point"].values())
    assert all(len(v) == len(grid["cells"]) for v in grid["cell"].values())
    return grid


def read_pvd(path):
    sets = xml.parse(path).getroot().findall("Collection/DataSet")
    return [read_vtu(os.path.join(os.path.dirname(path), s.get("file")), float(s.get("timestep"))) for s in sets]


CORNERS = {2: (2, "line"), 3: (0, "polygon"), 4: (3, "triangle"), 5: (4, "quad"), 6: (4, "tetra"), 9: (8, "hexahedron")}


def mixed(values):
    cells, at = [], 0
    while at < len(values):
        count, kind = CORNERS[values[at]]
        if kind == "line":
            at += 1
            assert values[at] == 2
        elif kind == "polygon":
            at += 1
            count = values[at]
        cells.append((kind, values[at + 1:at + 1 + count]))
        at += 1 + count
    return cells


def read_xdmf(path, h5py):
    out, files = [], {}

    def item(element):
        name, place = element.text.split(":")
        if name not in files:
            files[name] = h5py.File(os.path.join(os.path.dirname(path), name), "r")
        data = files[name][place]
        assert list(data.shape) == [int(n) for n in element.get("Dimensions").split()], place
        assert data.dtype.kind == {"Float": "f", "Int": "i"}[element.get("DataType")]
        assert data.dtype.itemsize == int(element.get("Precision"))
        return data[...]

    for grid in xml.parse(path).getroot().findall("Domain/Grid/Grid"):
        topology = grid.find("Topology")
        values = item(topology.find("DataItem"))
        one = {"t": float(grid.find("Time").get("Value")), "points": item(grid.find("Geometry/DataItem")),
               "cells": mixed(values) if topology.get("TopologyType") == "Mixed" else [("vertex", [i]) for i in values],
               "point": {}, "cell": {}}
        assert len(one["cells"]) == int(topology.get("NumberOfElements"))
        for a in grid.findall("Attribute"):
            one[{"Node": "point", "Cell": "cell"}[a.get("Center")]][a.get("Name")] = item(a.find("DataItem"))
        assert all(len(v) == len(one["points"]) for v in one["point"].values())
        assert all(len(v) == len(one["cells"]) for v in one["cell"].values())
        out.append(one)
    for file in files.values():
        file.close()
    return out


def main(folder):
    os.chdir(folder)
    try:
        import h5py
    except ImportError:
        h5py = None
        print("no python3-h5py: the numbers of XDMF are not checked")
    for problem in grids.CHECKS:
        series = grids.table(f"{problem}.csv")
        impulse = grids.check(problem, read_pvd(f"{problem}/scene.pvd"), read_pvd(f"{problem}/contacts.pvd"), series)
        for name in (f"{problem}.xdmf", f"{problem}-contacts.xdmf"):
            xml.parse(name)
        if h5py:
            other = grids.check(problem, read_xdmf(f"{problem}.xdmf", h5py), read_xdmf(f"{problem}-contacts.xdmf", h5py), series)
            grids.same("impulse", other, impulse)
        if problem == "rigid":
            grids.check_momentum(series, impulse)
    names = grids.pairs("shapes/pairs.csv")
    grids.check_shapes(*(read_pvd(f"shapes/{name}.pvd") for name in ("scene", "contacts", "patches")), names)
    if h5py:
        grids.check_shapes(*(read_xdmf(f"shapes{name}.xdmf", h5py) for name in ("", "-contacts", "-patches")), names)


main(sys.argv[1])
