"""Landscapes of the loss: a plane in the space of parameters, and the loss over it.

Hao Li et al., Visualizing the Loss Landscape of Neural Nets, 2018.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore.formats.events import EVENTS, NUMBERS

_MARGIN = 0.2                # of the extent of a path, on each side of it

Parameters = dict[str, np.ndarray]
Loss = Callable[[Parameters], float]
Said = Callable[[str], None]


class Plane(NamedTuple):
    """Parameters, and two directions from there.

    Attributes:
        origin: The parameters in the middle.
        x: A direction, with an array for each of them.
        y: Another one.
    """

    origin: Parameters
    x: Parameters
    y: Parameters

    def at(self, x: float, y: float) -> Parameters:
        """The parameters at two coordinates."""
        return {name: (start + x * self.x[name] + y * self.y[name]).astype(start.dtype)
                for name, start in self.origin.items()}


class Landscape(NamedTuple):
    """The loss over a grid of a plane, and along the path that the training took.

    Attributes:
        x, y: The coordinates of the grid.
        z: The loss, a row for each of `y`.
        path: Coordinates and loss (3, n) of the points of the path, the last of which is the origin of the plane.
    """

    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    path: np.ndarray


def path_plane(points: Sequence[Parameters]) -> tuple[Plane, np.ndarray]:
    """The plane through the last of several points that comes nearest to the others; their coordinates (2, n) in it.

    Its directions are the principal components of the differences from the last point, of length 1.
    """
    origin = points[-1]
    differences = np.array([_flat(point) - _flat(origin) for point in points])
    _, _, components = np.linalg.svd(differences[:-1], full_matrices=False)
    x, y = (direction * np.where(direction[np.abs(direction).argmax()] < 0, -1.0, 1.0) for direction in components[:2])
    coordinates = np.array([differences @ x, differences @ y])
    return Plane(origin, _shaped(x, origin), _shaped(y, origin)), coordinates


def random_plane(origin: Parameters, draw: np.random.Generator) -> Plane:
    """Two random directions whose filters are as long as those of the parameters; vectors stay as they are."""
    return Plane(origin, _like_filters(origin, draw), _like_filters(origin, draw))


def _like_filters(origin: Parameters, draw: np.random.Generator) -> Parameters:
    found = {}
    for name, array in origin.items():
        direction = draw.standard_normal(array.shape)
        if array.ndim < 2:
            found[name] = np.zeros(array.shape)
            continue
        rows, wanted = direction.reshape(len(array), -1), array.astype(np.float64).reshape(len(array), -1)
        lengths = np.linalg.norm(wanted, axis=1) / np.maximum(np.linalg.norm(rows, axis=1), np.finfo(np.float64).tiny)
        found[name] = (rows * lengths[:, None]).reshape(array.shape)
    return found


def _flat(point: Parameters) -> np.ndarray:
    return np.concatenate([array.astype(np.float64).ravel() for array in point.values()])


def _shaped(direction: np.ndarray, like: Parameters) -> Parameters:
    ends = np.cumsum([array.size for array in like.values()])
    pieces = np.split(direction, ends[:-1])
    return {name: piece.reshape(array.shape) for (name, array), piece in zip(like.items(), pieces, strict=True)}


def path_landscape(points: Sequence[Parameters], size: int, loss: Loss, say: Said) -> Landscape:
    """The landscape around a path: a grid that reaches beyond it on all sides."""
    plane, coordinates = path_plane(points)
    path = []
    for k, point in enumerate(points, 1):
        path.append(loss(point))
        say(f"Drawing landscape path total progress is {k}/{len(points)}, landscape path loss is {path[-1]}.")
    x, y = (_beyond(along, size) for along in coordinates)
    return Landscape(x, y, _grid(plane, x, y, loss, say), np.array([*coordinates, path]))


def result_landscape(origin: Parameters, size: int, loss: Loss, say: Said, draw: np.random.Generator) -> Landscape:
    """The landscape around one point, in random directions up to the length of its filters."""
    along = np.linspace(-1.0, 1.0, size)
    z = _grid(random_plane(origin, draw), along, along, loss, say)
    return Landscape(along, along, z, np.array([[0.0], [0.0], [loss(origin)]]))


def _beyond(along: np.ndarray, size: int) -> np.ndarray:
    low, high = float(along.min()), float(along.max())
    more = _MARGIN * (high - low) or _MARGIN        # parameters that stood still
    return np.linspace(low - more, high + more, size)


def _grid(plane: Plane, x: np.ndarray, y: np.ndarray, loss: Loss, say: Said) -> np.ndarray:
    z = np.empty((len(y), len(x)))
    for i, b in enumerate(y.tolist()):
        say(f"Drawing landscape total progress: {i + 1}/{len(y)}.")
        for j, a in enumerate(x.tolist()):
            z[i, j] = loss(plane.at(a, b))
            say(f"Current local landscape progress is {j + 1}/{len(x)}, landscape loss is {z[i, j]}.")
    return z


def message(found: Landscape, unit: str, step_per_epoch: int, intervals: Sequence[int] = ()) -> Any:
    """A landscape as events hold it: with the path of a training through these steps or epochs, or without."""
    made = EVENTS.LossLandscape()
    _enter(made.landscape, found.x, found.y, found.z)
    if intervals:
        made.loss_path.intervals.extend(intervals)
        _enter(made.loss_path.points, *found.path)
    made.metadata.decomposition = "PCA" if intervals else "Random"
    made.metadata.unit, made.metadata.step_per_epoch = unit, step_per_epoch
    _enter(made.convergence_point, *found.path[:, -1:])
    return made


def _enter(out: Any, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> None:
    for tensor, array in ((out.x, x), (out.y, y), (out.z, z)):
        tensor.dims.extend(array.shape)
        tensor.data_type = NUMBERS["float64"]
        tensor.float_data.extend(array.astype(np.float32).ravel().tolist())
