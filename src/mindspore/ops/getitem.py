"""`x[index]` for tensors and for nodes.

An index is what NumPy takes: ints, slices, None, Ellipsis, True, lists, tensors of integers or bools,
and tuples of them.  It becomes the static `spec` and the index tensors of the operators in
`mindspore.operators.getitem`.
"""
from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core.dtype import bool_
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import INTS, Dim, Node
from mindspore.ir.runtime import runtime
from mindspore.operators import extents
from mindspore.operators.getitem import TENSOR, get_item
from mindspore.operators.joining import stack
from mindspore.operators.ordering import mask_places
from mindspore.operators.rules import extent_of, within
from mindspore.operators.structure import reshape

_WANTED = ("int, slice, None, Ellipsis, bool, list, tuple, or a tensor of integers or bools")


class Index:
    """An index that is being turned into a spec.

    `by_places`: masks computed in the graph become the places of their true elements, as many as a
    run finds; otherwise one mask is kept.
    """

    def __init__(self, shape: tuple[int, ...], by_places: bool = False):
        self.shape, self.by_places = shape, by_places
        self.spec: list[Any] = []
        self.tensors: list[Any] = []
        self.at = 0                       # the dimension that the next part takes
        self.mask: Any = None             # a mask whose places are not known while compiling
        self.mask_at = 0                  # how many parts stand before it
        self.masks = 0                    # how many such masks there are
        self.empty = False                # False: nothing is meant

    def take(self, count: int = 1) -> int:
        """The extent of the next dimension."""
        if self.at + count > len(self.shape):
            raise IndexError(f"Too many indices for a tensor with {len(self.shape)} dimensions.")
        self.at += count
        return self.shape[self.at - 1]

    def integer(self, i: int) -> None:
        n = self.take()
        if not -n <= i < n:
            raise IndexError(f"The index {i} is out of bounds for dimension {self.at - 1} with size "
                             f"{n}.")
        self.spec.append(i + n if i < 0 else i)

    def slice(self, part: slice) -> None:
        bounds = _bound(part.start), _bound(part.stop), _bound(part.step)
        if bounds[2] == 0:
            raise ValueError("The step of a slice cannot be 0.")
        start, stop, step = within(bounds, self.take())
        count = extent_of(start, stop, step)
        if step < 0:                      # the same elements in rising order, then reversed
            start, stop = start + (count - 1) * step, start + 1
            start, stop = (start, stop) if count else (0, 0)
        self.spec.append((start, max(start, stop), step))

    def tensor(self, index: Any) -> None:
        if index.dtype is bool_:
            return self.masked(index)
        if index.dtype.kind != "i":
            raise IndexError(f"The tensor index must be of an integer or bool type, but got "
                             f"{show(index)}.")
        self.take()
        self.spec.append(TENSOR)
        self.tensors.append(index)
        return None

    def masked(self, index: Any) -> None:
        rank, start = len(index.shape), self.at
        if not rank:
            raise IndexError("A mask without dimensions can only be the whole index; reshape it, or use 'where'.")
        self.take(rank)
        if tuple(index.shape) != self.shape[start:start + rank]:
            raise ValueError(f"The shape {tuple(index.shape)} of the mask does not fit the shape "
                             f"{self.shape[start:start + rank]} of the dimensions that it selects "
                             f"from.")
        if isinstance(index, Node) and not self.by_places:
            self.masks += 1
            self.mask, self.mask_at = index, len(self.spec)
            self.spec += [(0, n, 1) for n in index.shape]
            return None
        if runtime.building and not isinstance(index, Node):      # a constant mask: its places are constants, too
            return self.places(np.nonzero(index.asnumpy()))
        self.tensors += mask_places(index)
        self.spec += [TENSOR] * rank
        return None

    def places(self, lines: tuple[np.ndarray, ...]) -> None:
        """Add the coordinates of a mask's true elements."""
        self.tensors += [Tensor(line) for line in lines]
        self.spec += [TENSOR] * len(lines)

    def sequence(self, part: Any) -> None:
        if not len(part):
            raise IndexError("A list in an index cannot be empty.")
        if any(is_tensor(i) for i in part):
            return self.tensor(stack(*[i if is_tensor(i) else Tensor(i) for i in part]))
        try:
            array = np.asarray(part)
        except ValueError:
            array = np.empty((), object)
        if array.dtype.kind not in "bi":
            raise IndexError(f"A list in an index must hold ints or bools, but got {part!r}.")
        if array.dtype.kind == "i":
            n = self.shape[self.at] if self.at < len(self.shape) else 0
            if self.at < len(self.shape) and (array.min() < -n or array.max() >= n):
                raise IndexError(f"The index {part} is out of bounds for dimension {self.at} with "
                                 f"size {n}.")
        else:
            at = self.at
            self.take(array.ndim)
            if array.shape != self.shape[at:at + array.ndim]:
                raise IndexError(f"The {array.size} bools do not fit the shape {self.shape}.")
            return self.places(np.nonzero(array))
        return self.tensor(Tensor(array))

    def truth(self, part: bool) -> None:
        if not part:
            self.empty = True
        self.spec.append(None)

    def part(self, part: Any) -> None:
        """Add one part of the index."""
        if isinstance(part, (bool, np.bool_)):
            self.truth(bool(part))
        elif isinstance(part, (int, np.integer)):
            self.integer(part if type(part) is Dim else int(part))
        elif isinstance(part, slice):
            self.slice(part)
        elif part is None:
            self.spec.append(None)
        elif is_tensor(part):
            self.tensor(part)
        elif isinstance(part, np.ndarray):
            self.tensor(Tensor(part))
        elif isinstance(part, (list, tuple, range)):
            self.sequence(part)
        else:
            raise IndexError(f"The index must be an {_WANTED}, but got {part!r} with type "
                             f"'{type(part).__name__}'.")


def _bound(value: Any) -> int | None:
    if value is None or type(value) in INTS:
        return value
    if is_tensor(value):
        if value.size != 1 or value.ndim or value.dtype.kind not in "iu":
            raise TypeError("Only an integer tensor without dimensions can be a bound of a slice, "
                            f"but got {show(value)}.")
        return extents.number(value) if isinstance(value, Node) else operator.index(value)
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"The bounds of a slice must be ints, but got {value!r}.") from None


def _parts(index: Any) -> tuple[Any, ...]:
    """The parts of an index; a list that holds more than numbers counts as a tuple."""
    if isinstance(index, tuple):
        return index
    plain = (bool, int, np.integer, np.bool_, str, float)
    if isinstance(index, list) and not all(isinstance(i, plain) for i in index):
        return tuple(index)
    return (index,)


def located(shape: tuple[int, ...], index: Any, by_places: bool = False) -> Index:
    """The index of a tensor of that shape, with Ellipsis written out; see `Index` for masks."""
    parts = _parts(index)
    found = Index(shape, by_places)
    dots = [i for i, p in enumerate(parts) if p is Ellipsis]
    if len(dots) > 1:
        raise IndexError("An index can have only one Ellipsis.")
    for i, part in enumerate(parts):
        if part is Ellipsis:
            rest = len(shape) - found.at - sum([_extent(p) for p in parts[i + 1:]])
            found.spec += [(0, n, 1) for n in shape[found.at:found.at + max(rest, 0)]]
            found.at += max(rest, 0)
        else:
            found.part(part)
    if found.tensors:                     # True beside index tensors is broadcast to them
        kept = zip(found.spec, _marks(parts, found.spec), strict=True)
        found.spec = [s for s, is_true in kept if not is_true]
    return found


def _marks(parts: tuple[Any, ...], spec: list[Any]) -> list[bool]:
    """For each item of a spec whether it means True."""
    kinds = iter([isinstance(p, bool) for p in parts if p is None or isinstance(p, bool)])
    return [next(kinds) if item is None else False for item in spec]


def _extent(part: Any) -> int:
    """How many dimensions a part of an index takes."""
    if part is None or isinstance(part, (bool, np.bool_)):
        return 0
    if is_tensor(part) or isinstance(part, np.ndarray):
        kind = part.dtype.kind
        return part.ndim if kind == "b" else 1
    if isinstance(part, (list, tuple)) and part and isinstance(part[0], bool):
        return np.ndim(part)
    return 1


# ---------------------------------------------------------------------- specs met before

_LIMIT = 10_000
_specs: dict[Any, tuple[Any, ...]] = {}
_BOUNDS = (int, type(None))


def _key(index: Any, tensors: list[Any]) -> tuple[Any, ...] | None:
    """What the spec of an index follows from, besides the shape; None for unusual indices.

    The index tensors are added to `tensors`.
    """
    key: list[Any] = []
    for part in index if type(index) is tuple else (index,):
        kind = type(part)
        if kind is int or part is None or part is Ellipsis:
            key.append(part)
        elif kind is slice:
            ends = part.start, part.stop, part.step
            if not all([type(e) in _BOUNDS for e in ends]):
                return None
            key.append(ends)
        elif kind in (Tensor, Node) and part.dtype.kind == "i":
            key.append(TENSOR)
            tensors.append(part)
        else:
            return None
    return tuple(key)


def known(shape: tuple[int, ...], index: Any) -> tuple[tuple[Any, ...] | None, list[Any]]:
    """The spec (None for unusual indices) and the index tensors of an index."""
    tensors: list[Any] = []
    key = _key(index, tensors)
    if key is None:
        return None, tensors
    spec = _specs.get((shape, key))
    if spec is None:
        if len(_specs) >= _LIMIT:
            _specs.clear()
        spec = _specs[shape, key] = tuple(located(shape, index).spec)
    return spec, tensors


def is_single_mask(index: Any) -> bool:
    """Whether an index is one bool in a tensor, which selects all of a tensor in a new dimension, or nothing."""
    return is_tensor(index) and not index.shape and index.dtype is bool_


# ---------------------------------------------------------------------- reading

def getitem(x: Any, index: Any) -> Any:
    """`x[index]`."""
    shape = x.shape
    if is_single_mask(index):
        return getitem(reshape(x, shape=(1, *shape)), reshape(index, shape=(1,)))
    if type(index) is int and shape and -shape[0] <= index < shape[0]:
        return get_item(x, spec=(index + shape[0] if index < 0 else index,))
    if not shape and type(index) in (int, slice):
        raise TypeError("A tensor without dimensions cannot be indexed by an int or a slice.")
    spec, tensors = known(shape, index)
    if spec is not None:
        return get_item(x, *tensors, spec=spec)
    found = located(shape, index, by_places=True)
    if found.empty:
        raise IndexError("When a tensor is indexed by a bool, it can only be True.")
    return get_item(x, *found.tensors, spec=tuple(found.spec))


def _iterate(self: Any) -> Iterator[Any]:
    if not self.ndim:
        raise TypeError("Cannot iterate over a scalar tensor: iteration over a 0-d tensor")
    return iter([getitem(self, i) for i in range(self.shape[0])])


def _contains(self: Any, element: Any) -> bool:
    return bool((self == element).any())


METHODS = {"__contains__": _contains, "__getitem__": getitem, "__iter__": _iterate}
__all__: list[str] = []
