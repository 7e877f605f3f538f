"""VTU and XDMF as VTK and meshio read them. Usage: readers.py FOLDER. Status 77: neither is installed."""
import os
import sys
import xml.etree.ElementTree as xml

import numpy as np

import grids

CELLS = {1: "vertex", 3: "line", 5: "triangle", 7: "polygon", 9: "quad", 10: "tetra", 12: "hexahedron"}


def by_vtk(path, t):
    from vtk import vtkXMLUnstructuredGridReader
    from vtk.util.numpy_support import vtk_to_numpy
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0
    grid = reader.GetOutput()
    values = lambda data: {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
    corners = lambda cell: np.array([cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())])
    return {"t": t, "points": vtk_to_numpy(grid.GetPoints().GetData()),
            "cells": [(CELLS[grid.GetCellType(i)], corners(grid.GetCell(i))) for i in range(grid.GetNumberOfCells())],
            "point": values(grid.GetPointData()), "cell": values(grid.GetCellData())}


def from_meshio(t, points, cells, point_data, cell_data):
    return {"t": t, "points": points, "cells": [(block.type, c) for block in cells for c in block.data],
            "point": point_data, "cell": {name: np.concatenate(values) for name, values in cell_data.items()}}


def by_meshio(path, t):
    import meshio
    mesh = meshio.read(path)
    return from_meshio(t, mesh.points, mesh.cells, mesh.point_data, mesh.cell_data)


def series(path, read):
    sets = xml.parse(path).getroot().findall("Collection/DataSet")
    return [read(os.path.join(os.path.dirname(path), s.get("file")), float(s.get("timestep"))) for s in sets]


def xdmf_series(path):
    """meshio gives the points of the first frame only; the others are those, displaced."""
    import meshio
    out = []
    with meshio.xdmf.TimeSeriesReader(path) as reader:
        points, cells = reader.read_points_cells()
        start = None
        for k in range(reader.num_steps):
            t, point_data, cell_data = reader.read_data(k)
            moved = points
            if "displacement" in point_data:
                start = point_data["displacement"] if start is None else start
                moved = points + (point_data["displacement"] - start)
            out.append(from_meshio(t, moved, cells, point_data, cell_data))
    return out


def check_xdmf(problem, columns, vtu):
    """All data of all frames are those of the VTU files, which were checked against the series."""
    frames = xdmf_series(f"{problem}.xdmf")
    assert len(frames) == len(vtu)
    for a, b in zip(frames, vtu):
        grids.row_of(columns, a["t"])
        assert a["t"] == b["t"] and len(a["cells"]) == len(b["cells"])
        grids.same("points", a["points"], b["points"], 1e-14)
        for where in ("point", "cell"):
            assert set(a[where]) == set(b[where])
            for name in a[where]:
                assert np.array_equal(a[where][name], b[where][name], equal_nan=a[where][name].dtype.kind == "f"), name


def main(folder):
    os.chdir(folder)
    readers = {}
    for package, module, read in (("python3-vtk9", "vtk", by_vtk), ("python3-meshio", "meshio", by_meshio)):
        try:
            __import__(module)
            readers[module] = read
        except ImportError:
            print(f"{package} is not installed: files are not read with it")
    for problem in grids.CHECKS:
        columns = grids.table(f"{problem}.csv")
        for module, read in readers.items():
            scene = series(f"{problem}/scene.pvd", read)
            grids.check(problem, scene, series(f"{problem}/contacts.pvd", read), columns)
            print(f"{problem}: {len(scene)} frames read by {module}")
        if "meshio" in readers:
            check_xdmf(problem, columns, series(f"{problem}/scene.pvd", by_meshio))
    for module, read in readers.items():
        # meshio cannot read a grid without cells, as that of the patches of the first frame is
        some = lambda path, t: {"t": t, "cells": []} if module == "meshio" and "patches-000000" in path else read(path, t)
        grids.check_shapes(*(series(f"shapes/{name}.pvd", some) for name in ("scene", "contacts", "patches")), grids.pairs("shapes/pairs.csv"))
        print(f"shapes: read by {module}")
    if not readers:
        sys.exit(77)


main(sys.argv[1])
