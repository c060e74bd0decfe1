"""Reading and writing a part of a tensor: `x[index]`, and `x[index] = value` as a new tensor.

An index has a static part, `spec`, and index tensors.  The spec has one item per part of the index:

    3                an int, not negative
    (2, 9, 2)        the slice with that start, stop and step, all known
    (2, 9, -2)       the same elements in reverse order
    None             a new dimension
    "tensor"         the place of the next index tensor

Ints count as index tensors where NumPy counts them so: an index whose int and tensor parts are
separated by slices puts the dimensions of the index tensors first.
"""
from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mindspore.core.dtype import int64
from mindspore.core.errors import show
from mindspore.ir import INTS, Aval

from .exported import Exported, reshaping
from .labels import rank_of, returned
from .registry import operator
from .rules import Part, broadcast, extent_of, fit, moving, stated
from .samples import index
from .structure import cast
from .torch_private import broadcast_shapes, storage_of
from .traits import STREAMING, VIEW
from .values import Ints, Value

TENSOR = "tensor"
Spec = tuple[int | str | Ints | None, ...]       # an item for each dimension that is indexed, and None for new ones


class Plan(NamedTuple):
    """How a spec is carried out."""

    view: tuple[Any, ...]        # what torch's basic indexing takes; index tensors keep their dimension
    flips: tuple[int, ...]       # dimensions of the view to reverse
    places: tuple[bool, ...]     # for each dimension of the view: whether an index tensor takes it
    first: int                   # where torch puts the dimensions of the index tensors
    front: bool                  # whether NumPy puts them first, although torch does not
    simple: tuple[int, ...]      # where index tensors stand in `view`, if torch takes all in one


@functools.lru_cache(4096)
def plan(spec: tuple[Any, ...]) -> Plan:
    """The plan of a spec."""
    view: list[Any] = []
    flips: list[int] = []
    places: list[bool] = []
    picked: list[int] = []
    for i, item in enumerate(spec):
        if type(item) in INTS:
            view.append(item)
            picked.append(i)
            continue
        if item == TENSOR:
            view.append(slice(None))
            picked.append(i)
        elif item is None:
            view.append(None)
        else:
            start, stop, step = item
            view.append(slice(start, stop, abs(step)))
            if step < 0:
                flips.append(len(places))
        places.append(item == TENSOR)
    tensors = [i for i, p in enumerate(places) if p]
    apart = bool(tensors) and picked[-1] - picked[0] >= len(picked)
    adjacent = bool(tensors) and tensors[-1] - tensors[0] < len(tensors)
    first = tensors[0] if adjacent else 0
    front = apart and adjacent and first > 0
    simple = tuple([i for i, item in enumerate(spec) if item == TENSOR])
    if flips or any([type(item) in INTS for item in spec]):
        simple = ()
    return Plan(tuple(view), tuple(flips), tuple(places), first, front, simple)


def _in_one(p: Plan, indices: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The index as torch takes it at once; None where torch means something else than NumPy."""
    if not p.simple or not all([i.dim() for i in indices]):
        return None
    if p.view == (_ALL,):
        return indices
    view = list(p.view)
    for place, chosen in zip(p.simple, indices, strict=True):
        view[place] = chosen
    return tuple(view)


_ALL = slice(None)
_take, _put = torch.ops.aten.index.Tensor, torch.ops.aten.index_put_.default


def _tensors(p: Plan, indices: tuple[Any, ...]) -> tuple[list[Any], int]:
    """What torch's advanced indexing takes, and the rank of the index tensors together."""
    following = iter(indices)
    rank = max([i.dim() for i in indices])
    return [next(following) if placed else None for placed in p.places], rank


def _labels(shape: tuple[int, ...], ranks: list[int], spec: tuple[Any, ...]) -> str:
    """Sharding labels: dimensions that are taken whole can be split, and those of index tensors, as far
    as these are not broadcast."""
    p, rank, at = plan(spec), max(ranks, default=0), 0
    left: list[str] = []
    line: list[str | None] = []
    for item in spec:
        if item is None:
            line.append("new!")
            continue
        kept = item == (0, shape[at], 1)
        left.append(f"d{at}" + "!" * (not kept))
        if type(item) not in INTS:
            line.append(None if item == TENSOR else left[-1])
        at += 1
    rest = [f"d{i}" for i in range(at, len(shape))]
    own = len(ranks) == 1
    common = [f"i{i}" + "!" * (not own) for i in range(rank)]
    first = 0 if p.front else p.first
    out = [n for n in line if n is not None]
    out = [*out[:first], *common, *out[first:], *rest] if ranks else [*out, *rest]
    places = [" ".join(common[rank - n:]) for n in ranks]
    return f"{', '.join([' '.join([*left, *rest]), *places])} -> {' '.join(out)}"


def _reverse_labels(shape: tuple[int, ...], ranks: list[int], spec: tuple[Any, ...]) -> str:
    """Those of the reverse, which adds to zeros of that shape."""
    return returned(_labels(shape, ranks, spec))


def _write_labels(shape: tuple[int, ...], rank: int, ranks: list[int], spec: tuple[Any, ...]) -> str:
    """Those of writing a value of that rank; the places that indices name are written in one piece."""
    left, _, out = re.sub(r"\b(i\d+)(?!!)", r"\1!", _labels(shape, ranks, spec)).partition(" -> ")
    x, comma, indices = left.partition(",")
    labels = out.split()
    return f"{x}, {' '.join(labels[len(labels) - rank:])}{comma}{indices} -> {x}"


@operator(hidden=True,
          samples=[((4, 3), {"spec": (1,)}), ((4, 3), {"spec": ((0, 4, 2), None, (0, 3, -1))}),
                   ((4, 3), index(4, 2), {"spec": (TENSOR, (0, 3, -1))}),
                   ((2, 4, 3), index(3, 2), {"spec": (1, (0, 4, 2), TENSOR)}),
                   ((2, 4, 3), index(4, 3), {"spec": ((0, 2, 1), TENSOR)})], traits={VIEW})
def get_item(x: Tensor, *indices: Tensor, spec: Spec):
    """The elements of `x` at an index."""
    p = plan(spec)
    if indices:
        whole = _in_one(p, indices)
        if whole is not None:
            return x[whole]
    out = x[p.view] if p.view else x
    if p.flips:
        out = out.flip(p.flips)
    if not indices:
        return out
    tensors, rank = _tensors(p, indices)
    out = _take(out, tensors)
    return out.movedim(list(range(p.first, p.first + rank)), list(range(rank))) if p.front else out


@get_item.layout
def _(x: Any, *indices: Aval, spec: Spec) -> str:
    return _labels(getattr(x, "shape", x), [*map(rank_of, indices)], spec)


@get_item.shape
def _(x: Aval, *indices: Any, spec: Spec) -> Aval:
    p, at = plan(spec), 0
    line: list[int] = []
    for item in spec:
        if item is None:
            line.append(1)
            continue
        if type(item) is tuple:
            stop, extent = item[1], x.shape[at]         # the whole of a dimension, on a piece of it
            short = type(stop) is int and type(extent) is int and stop > extent
            line.append(extent_of(item[0], extent if short else stop, abs(item[2])))
        elif item == TENSOR:
            line.append(x.shape[at])
        at += 1
    if indices:
        _indexable(indices)
        common = list(broadcast(*[i.shape for i in indices], name="getitem"))
        rest = [n for n, placed in zip(line, p.places, strict=True) if not placed]
        first = 0 if p.front else p.first
        line = rest[:first] + common + rest[first:]
        at = len(spec) - spec.count(None)
    return Aval((*line, *x.shape[at:]), x.dtype)


def _indexable(indices: tuple[Any, ...]) -> None:
    for i in indices:
        if i.dtype.kind not in "iu":
            raise IndexError(f"The tensor index must be of an integer or bool type, but got {show(i)}.")


@get_item.onnx
def _(g: Exported, x: str, *indices: str, spec: Spec):
    """Slices first, then one index tensor, or several for the first dimensions, then the shape of the result."""
    items: list[Any] = [item for item in spec if item is not None]
    shapes = [g.avals[i].shape for i in indices]
    if indices and any([type(item) in INTS for item in spec]):
        raise NotImplementedError("ONNX has no index of tensors and numbers.")
    if len(indices) > 1 and (set(items[:len(indices)]) != {TENSOR} or any([s != shapes[0] for s in shapes])):
        raise NotImplementedError("ONNX has no index of several tensors that are broadcast or apart.")
    cut: list[Any] = []
    item: Any
    for axis, item in enumerate(items):
        if item != TENSOR and item != (0, g.avals[x].shape[axis], 1):
            part: Any = (item, item + 1, 1) if type(item) in INTS else item
            first, last, step = part
            if step < 0:
                cut.append((last - 1 - (last - first - 1) % -step, first - 1 if first else -2 ** 62, step, axis))
            else:
                cut.append((first, last, step, axis))
    y = x
    if cut:
        starts, stops, steps, axes = [g.integers(v) for v in zip(*cut, strict=True)]
        y = g.add("Slice", x, starts, stops, axes, steps)
    if len(indices) > 1:
        parts = [g.add("Unsqueeze", g.cast(i, int64), g.integers((-1,))) for i in indices]
        y = g.add("GatherND", y, g.add("Concat", *parts, axis=-1))
    elif indices:
        y = g.add("Gather", y, indices[0], axis=items.index(TENSOR))
    return reshaping(g, y) if any([item is None or type(item) in INTS for item in spec]) else y


@get_item.grad(needs="x.aval indices")
def _(x: Aval, indices: tuple[Value, ...], dout: Value, *, spec: Spec):
    none = (None,) * len(indices)

    def whole() -> Any:
        return get_item_grad(dout, *indices, spec=spec, shape=x.shape)
    if indices or plan(spec).flips:
        return whole, *none
    def add(total: Tensor, d: Tensor) -> None:
        total[plan(spec).view].add_(d)
    return Part(whole, add, dout),


@operator(hidden=True, samples=[((3,), {"spec": (1,), "shape": (4, 3)}),
                                ((2, 1, 3), {"spec": ((0, 4, 2), None, (0, 3, -1)), "shape": (4, 3)}),
                                ((2, 3), index(4, 2), {"spec": (TENSOR, (0, 3, -1)), "shape": (4, 3)}),
                                ((2, 2), index(3, 2), {"spec": (1, (0, 4, 2), TENSOR),
                                                       "shape": (2, 4, 3)})],
          traits={STREAMING})
def get_item_grad(dout: Tensor, *indices: Tensor, spec: Spec, shape: Ints):
    """Zeros of `shape` with `dout` added at an index."""
    out = dout.new_zeros(shape)
    p = plan(spec)
    target = out[p.view] if p.view else out
    if not indices:
        target.copy_(dout.flip(p.flips) if p.flips else dout)
        return out
    tensors, rank = _tensors(p, indices)
    if p.front:
        dout = dout.movedim(list(range(rank)), list(range(p.first, p.first + rank)))
    if p.flips:
        return _through_places(out, dout, tensors, p, accumulate=True)
    _put(target, _long(tensors), dout, True)
    return out


def _long(tensors: list[Any]) -> list[Any]:
    """Index tensors as `index_put_` takes them: of one integer type."""
    return [None if t is None else t.long() for t in tensors]


def _through_places(out: torch.Tensor, value: torch.Tensor, tensors: list[Any], p: Plan,
                    accumulate: bool) -> torch.Tensor:
    """Write where reversed slices meet index tensors: by the places in the flattened tensor."""
    line = torch.arange(out.numel(), device=out.device).reshape(out.shape)[p.view].flip(p.flips)
    where = _take(line, tensors)
    out = out.contiguous()
    flat = out.view(-1)
    flat.index_put_((where.reshape(-1),), value.expand(where.shape).reshape(-1), accumulate)
    return out


get_item_grad.shape(stated)


@get_item_grad.layout
def _(dout: Aval, *indices: Aval, spec: Spec, shape: Ints) -> str:
    return _reverse_labels(shape, [*map(rank_of, indices)], spec)


@get_item_grad.grad(needs="indices")
def _(indices: tuple[Value, ...], ddx: Value, *, spec: Spec, shape: Ints):
    return get_item(ddx, *indices, spec=spec), *(None,) * len(indices)


@operator(hidden=True, samples=[((4, 3), (3,), {"spec": (1,)}),
                                ((4, 3), (2, 1, 3), {"spec": ((0, 4, 2), None, (0, 3, -1))}),
                                ((4, 3), (3,), index(4, 1), {"spec": (TENSOR, (0, 3, -1))}),
                                ((2, 4, 3), (2,), index(3, 1), {"spec": (1, (0, 4, 2), TENSOR)})])
@moving
def set_item(x: Tensor, value: Tensor | int, *indices: Tensor, spec: Spec):
    """`x` with the elements at an index replaced by `value`, which is broadcast and cast."""
    return write(x.clone(), value, indices, spec)


def write(out: torch.Tensor, value: Any, indices: tuple[Any, ...], spec: tuple[Any, ...]) -> Any:
    """Replace elements of `out`, in place."""
    p = plan(spec)
    if not isinstance(value, torch.Tensor):
        if not indices and out.dtype.is_floating_point:
            out[p.view] = value
            return out
        value = torch.full((), value, dtype=out.dtype, device=out.device)
    target = out[p.view] if p.view else out
    if value.dtype is not out.dtype or value.device != out.device:
        value = value.to(device=out.device, dtype=out.dtype)
    elif storage_of(value) == storage_of(out):
        value = value.clone()                # a part of the tensor itself, which may be written before it is read
    if not indices:
        target.copy_(value.expand(target.shape).flip(p.flips) if p.flips else value)
        return out
    tensors, rank = _tensors(p, indices)
    if p.front:
        value = _behind(value, target, tensors, rank, p)
    if p.flips:
        return _through_places(out, value, tensors, p, accumulate=False)
    _put(target, _long(tensors), value)
    return out


def _behind(value: torch.Tensor, target: torch.Tensor, tensors: list[Any], rank: int,
            p: Plan) -> torch.Tensor:
    """A value laid out as NumPy orders the result, reordered as torch does."""
    common = broadcast_shapes(*[t.shape for t in tensors if t is not None])
    rest = [n for i, n in enumerate(target.shape) if i >= len(p.places) or not p.places[i]]
    value = value.expand(*common, *rest)
    return value.movedim(list(range(rank)), list(range(p.first, p.first + rank)))


@set_item.layout
def _(x: Aval, value: Aval | float, *indices: Aval, spec: Spec) -> str:
    return _write_labels(x.shape, len(getattr(value, "shape", ())), [*map(rank_of, indices)], spec)


@set_item.shape
def _(x: Aval, value: Any, *indices: Any, spec: Spec) -> Aval:
    part = get_item.infer(x, *indices, spec=spec)
    if type(value) is Aval:
        fits = len(value.shape) <= len(part.shape) and all(
            n in (1, m) for n, m in zip(reversed(value.shape), reversed(part.shape), strict=False))
        if not fits:
            raise ValueError(f"The value of shape {value.shape} cannot be broadcast to the shape "
                             f"{part.shape} of the elements that it replaces.")
    return x


@set_item.grad(needs="value.aval indices")
def _(value: Aval, indices: tuple[Value, ...], dout: Value, *, spec: Spec):
    none = (None,) * len(indices)
    return (lambda: set_item(dout, 0, *indices, spec=spec),
            lambda: _value_part(value, indices, dout, spec), *none)


def _value_part(value: Any, indices: tuple[Any, ...], dout: Any, spec: tuple[Any, ...]) -> Any:
    part = fit(get_item(dout, *indices, spec=spec), value)
    return part if part is None or part.dtype is value.dtype else cast(part, dtype=value.dtype)
