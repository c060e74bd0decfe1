"""Layouts that programs write: a grid of devices with names for its axes, and which axes cut which dimensions."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mindspore.core import log
from mindspore.formats.strategy import LayoutRow

from .placement import REPLICATE, Mesh, Placement, Shard, State, possible, products
from .strategies import parts_of


class Layout:
    """A grid of devices; called with the names of axes, how a tensor lies over it.

    Args:
        device_matrix: The numbers of devices along the axes; the last axis runs fastest.
        alias_name: Their names.
        rank_list: The devices in the order of the grid. Default: all, ascending. In another order results are the
            same; devices are taken in ascending order all the same, with a warning.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: Names are missing, equal, empty or "None"; the devices are not as many as the grid has, or one is
            named twice.

    Examples:
        >>> grid = mindspore.Layout((2, 4), ("dp", "mp"))
        >>> grid("dp", "None").to_dict()["tensor_map"]
        (1, -1)
        >>> grid(("dp", "mp"), "None").to_dict()["tensor_map"]
        ((1, 0), -1)
    """

    def __init__(self, device_matrix, alias_name, rank_list=None):
        _check_kinds("device_matrix", device_matrix, int)
        _check_kinds("alias_name", alias_name, str)
        if any([n < 1 for n in device_matrix]):
            raise ValueError(f"The elements of device_matrix must be at least 1, but got {device_matrix}.")
        if len(device_matrix) != len(alias_name):
            raise ValueError("device_matrix length should be equal to alias_name length")
        if len(set(alias_name)) != len(alias_name):
            raise ValueError(f"Each element of alias_name {alias_name} should be different")
        if "" in alias_name:
            raise ValueError(f"The element of alias_name can not be empty, but got {alias_name}.")
        if "None" in alias_name:
            raise ValueError("The element of alias_name can not set 'None', because 'None' means no sharding.")
        if "interleaved_parallel" in alias_name[:-1]:
            raise ValueError("When alias_name contains 'interleaved_parallel', it must be the last one, but got "
                             f"{alias_name}.")
        self._interleaved = "interleaved_parallel" in alias_name
        count = math.prod(device_matrix[:-1] if self._interleaved else device_matrix)
        self._matrix, self._names = device_matrix, alias_name
        self._ranks = list(range(count)) if rank_list is None else _devices(rank_list, count)
        self._map: tuple[Any, ...] | None = None

    def __call__(self, *tensor_map: Any) -> Layout:
        """The layout of a tensor: for each dimension the name of an axis, a tuple of names, or "None"."""
        found = Layout(self._matrix, self._names, self._ranks)
        used: set[str] = set()
        found._map = tuple([tuple([self._axis(n, used) for n in entry]) if isinstance(entry, tuple)
                            else self._axis(entry, used) for entry in tensor_map])
        return found

    def _axis(self, name: Any, used: set[str]) -> int:
        if name == "None":
            return -1
        if name not in self._names:
            raise ValueError(f"The axis {name} is not found in {self._names}")
        if name in used:
            raise ValueError(f"The axis {name} has been set more than one in {self._names}")
        used.add(name)
        return len(self._names) - 1 - self._names.index(name)

    def to_dict(self) -> dict[str, Any]:
        """The layout as plain values.

        Raises:
            ValueError: The layout was not called with names of axes.
        """
        if self._map is None:
            raise ValueError("The tensor_map of layout is None: call the layout with the names of axes first.")
        return {"device_matrix": self._matrix, "tensor_map": self._map, "interleaved_parallel": self._interleaved,
                "alias_name": self._names, "rank_list": self._ranks}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self._matrix, self._names, self._map, tuple(self._ranks)))

    def __repr__(self) -> str:
        return f"Layout(device_matrix={self._matrix}, alias_name={self._names}, tensor_map={self._map})"

    @property
    def size(self) -> int:
        """How many devices it is for."""
        return len(self._ranks)

    @property
    def row(self) -> LayoutRow:
        """As a row of a strategy file."""
        return LayoutRow(self._matrix, self.to_dict()["tensor_map"])

    def parts(self) -> tuple[int, ...]:
        """Into how many parts each dimension is cut."""
        def n(v: int) -> int:
            return 1 if v == -1 else self._matrix[len(self._matrix) - 1 - v]
        return tuple([math.prod([n(v) for v in e]) if isinstance(e, tuple) else n(e) for e in self.row.tensor_map])


def _check_kinds(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, tuple):
        raise TypeError(f"{name} must be tuple type, but got:{type(value)}")
    for one in value:
        if not isinstance(one, kind) or isinstance(one, bool):
            raise TypeError(f"The element of {name} must be {kind.__name__} type, but got:{type(one)}")


def _devices(ranks: Any, count: int) -> list[int]:
    """The devices of a grid, as a program lists them.

    Raises:
        TypeError: They are no list of ints.
        ValueError: They are not as many as the grid has, or one is named twice.
    """
    if not isinstance(ranks, list):
        raise TypeError(f"The rank_list should be a list, but got {type(ranks).__name__}.")
    if len(ranks) != count:
        raise ValueError(f"The length of rank_list should be equal to the product of device_matrix, but got "
                         f"{len(ranks)} and {count}.")
    if any([isinstance(r, bool) or not isinstance(r, int) for r in ranks]):
        raise TypeError(f"The element of rank_list must be int type, but got {ranks}.")
    if len(set(ranks)) != count or min(ranks) < 0:
        raise ValueError(f"The elements of rank_list must be different devices, numbered from 0, but got {ranks}.")
    if ranks != sorted(ranks):
        log.warn_once("For 'Layout', the devices of the rank_list %s are taken in ascending order; results are the "
                      "same.", ranks)
    return ranks


def check_strategy(name: str, argument: str, value: Any, one: Any) -> None:
    """One entry of a strategy is a layout, or a tuple of numbers of parts.

    Args:
        name: Who is told.
        argument: What it is called there.
        value: The whole strategy.
        one: The entry.

    Raises:
        TypeError: It is neither.
        ValueError: A number is below 1, or a layout does not say how a tensor lies.
    """
    if isinstance(one, Layout):
        one.to_dict()
        return
    if not isinstance(one, (tuple, list)):
        raise TypeError(f"For '{name}', every element of the '{argument}' must be a tuple or a layout, but got "
                        f"{value!r}.")
    for n in one:
        if not isinstance(n, int):
            raise TypeError(f"For '{name}', the '{argument}' must hold ints, the number of parts of each dimension, "
                            f"but got {value!r}.")
        if n < 1:
            raise ValueError(f"For '{name}', the '{argument}' must hold numbers of parts, at least 1, but got "
                             f"{value!r}.")


def parts_wanted(strategy: Any) -> tuple[int, ...]:
    """Into how many parts a strategy cuts each dimension: a layout, or a tuple of just these numbers."""
    return strategy.parts() if isinstance(strategy, Layout) else tuple(strategy)


def placement_like(strategy: Any, shape: Sequence[int], mesh: Mesh) -> Placement | None:
    """A placement that cuts a tensor as a strategy says; None if there is none on this mesh."""
    wanted = parts_wanted(strategy)
    if len(wanted) != len(shape):
        return None
    options: list[State] = [*[Shard(d) for d in range(len(shape))], REPLICATE]
    return next((p for p in products([options] * len(mesh.shape)) if possible(shape, p, mesh)
                 and parts_of(p, len(shape), mesh) == wanted), None)
