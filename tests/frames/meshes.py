"""The meshes of the three examples: nodes, elements counter-clockwise, the chain that may touch."""
import numpy as np


def grid(nu, nv):
    """Elements of (nu+1) x (nv+1) nodes, u runs fastest."""
    i, j = np.meshgrid(np.arange(nu), np.arange(nv), indexing='xy')
    a = (j * (nu + 1) + i).ravel()
    return np.stack([a, a + 1, a + nu + 2, a + nu + 1], 1)


def disc(radius, nu, nv, centre, turned=False):
    """A square grid, finer towards v = -1, bent into a disc; the chain is the row v = -1, a quarter of the rim."""
    s, t = np.linspace(-1, 1, nu + 1), np.linspace(0, 1, nv + 1)
    u, v = np.meshgrid(np.sinh(1.5 * s) / np.sinh(1.5), -1 + 2 * np.expm1(1.5 * t) / np.expm1(1.5), indexing='xy')
    X = radius * np.stack([u * np.sqrt(1 - v**2 / 2), v * np.sqrt(1 - u**2 / 2)], -1).reshape(-1, 2)
    return (-X if turned else X) + centre, grid(nu, nv), np.arange(nu + 1), False


def ring(radius, thickness, angles, radial, centre):
    """Mean radius and thickness; the chain is the outer rim."""
    n = len(angles)
    r = radius + thickness * (np.arange(radial + 1) / radial - 0.5)
    X = np.stack([np.outer(np.cos(angles), r), np.outer(np.sin(angles), r)], -1).reshape(-1, 2) + centre
    i, k = np.meshgrid(np.arange(n), np.arange(radial), indexing='ij')
    a, b = i * (radial + 1) + k, (i + 1) % n * (radial + 1) + k
    elements = np.stack([a, a + 1, b + 1, b], -1).reshape(-1, 4)
    return X, elements, np.arange(n) * (radial + 1) + radial, True


def fine_ring(radius, thickness, middle, centre, fine=40, coarse=40, radial=3):
    """Half of the elements in the 60 degrees around `middle` (in degrees)."""
    inner = middle - 30 + 60 * np.arange(fine) / fine
    outer = middle + 30 + 300 * np.arange(coarse) / coarse
    return ring(radius, thickness, np.radians(np.concatenate([inner, outer])), radial, centre)


def strip(length, height, nx, ny, centre):
    """The chain is the top edge, from right to left (the body is on its left)."""
    x, y = np.meshgrid(np.linspace(-length / 2, length / 2, nx + 1), np.linspace(-height / 2, height / 2, ny + 1), indexing='xy')
    X = np.stack([x, y], -1).reshape(-1, 2) + centre
    return X, grid(nx, ny), (ny * (nx + 1) + np.arange(nx + 1))[::-1], False


def write_msh(path, X, elements, chain, closed):
    """Gmsh 2.2 in ASCII: the elements are the physical group "body", the segments of the chain "contact"."""
    second = np.roll(chain, -1) if closed else chain[1:]
    lines = list(zip(chain, second))
    with open(path, 'w') as file:
        file.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 "contact"\n2 2 "body"\n$EndPhysicalNames\n')
        file.write('$Nodes\n%d\n' % len(X))
        for i, x in enumerate(X, 1):
            file.write('%d %.17g %.17g 0\n' % (i, *x))
        file.write('$EndNodes\n$Elements\n%d\n' % (len(lines) + len(elements)))
        for i, (a, b) in enumerate(lines, 1):
            file.write('%d 1 2 1 1 %d %d\n' % (i, a + 1, b + 1))
        for i, e in enumerate(elements, len(lines) + 1):
            file.write('%d 3 2 2 2 %d %d %d %d\n' % (i, *(e + 1)))
        file.write('$EndElements\n')
