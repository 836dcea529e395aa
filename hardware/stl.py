"""Triangles: reading STL, and what a printer needs to know of a part. NumPy only."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ON_BED_MM = 0.05
"""A face this near the bed rests on it. Slicers flatten far more."""


@dataclass(frozen=True)
class Mesh:
    """Corners of each triangle, in millimetres: (n, 3 corners, 3 coordinates)."""

    triangles: Floats

    def size(self) -> Floats:
        """Width, depth and height."""
        points = self.triangles.reshape(-1, 3)
        return np.asarray(points.max(0) - points.min(0))

    def lowest(self) -> float:
        """How high the lowest point is."""
        return float(self.triangles[..., 2].min())

    def volume(self) -> float:
        """Cubic millimetres; negative when inside out."""
        a, b, c = self.triangles.transpose(1, 0, 2)
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)

    def moved(self, turn: Floats, move: Floats) -> "Mesh":
        """Turned about the origin, then moved."""
        return Mesh(self.triangles @ turn.T + move)


def read_stl(path: Path) -> Mesh:
    """An ASCII STL as OpenSCAD writes it."""
    lines = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    corners = [[float(x) for x in words[1:]] for words in lines if words and words[0] == "vertex"]
    return Mesh(np.array(corners, dtype=np.float64).reshape(-1, 3, 3))


def turn(degrees: tuple[float, float, float]) -> Floats:
    """OpenSCAD's rotate([x, y, z]): about X first, then Y, then Z."""
    x, y, z = np.radians(degrees)
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    return np.asarray(about_z @ about_y @ about_x)


def indexed(mesh: Mesh) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Corners once each, and triangles by their numbers; triangles without area are left out."""
    points, numbers = np.unique(mesh.triangles.reshape(-1, 3).round(5), axis=0, return_inverse=True)
    faces = numbers.reshape(-1, 3)
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return points, faces[whole]


def open_edges(mesh: Mesh) -> int:
    """Edges that do not have exactly one triangle on either side: 0 for a closed, manifold surface."""
    _, faces = indexed(mesh)
    edges = Counter((int(f[i]), int(f[(i + 1) % 3])) for f in faces for i in range(3))
    return sum(1 for (a, b), count in edges.items() if count != 1 or edges.get((b, a), 0) != 1)


def bodies(mesh: Mesh) -> int:
    """How many pieces that touch nowhere: more than one would fall apart, or float."""
    points, faces = indexed(mesh)
    root = list(range(len(points)))

    def find(point: int) -> int:
        while root[point] != point:
            root[point] = root[root[point]]
            point = root[point]
        return point

    for a, b, c in faces:
        root[find(int(a))] = find(int(b))
        root[find(int(b))] = find(int(c))
    return len({find(int(point)) for point in faces.ravel()})


def overhang(mesh: Mesh, steepest: float) -> tuple[float, float]:
    """Square millimetres that print in the air: leaning over more than this from upright, and flat like a ceiling."""
    a, b, c = mesh.triangles.transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1) / 2
    down = np.divide(-normal[:, 2], 2 * area, out=np.zeros_like(area), where=area > 0)
    in_the_air = mesh.triangles[..., 2].max(1) > mesh.lowest() + ON_BED_MM
    ceiling = in_the_air & (down > 0.999)
    leaning = in_the_air & (down > np.sin(np.radians(steepest + 0.5))) & ~ceiling
    return float(area[leaning].sum()), float(area[ceiling].sum())
