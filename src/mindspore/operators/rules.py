"""What gradient, shape and sharding rules share."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.core.dtype import bool_, float32
from mindspore.core.errors import ArgumentError, ShapeError, show
from mindspore.core.kinds import is_sequence, is_tuple, type_of
from mindspore.ir import Aval, Dim
from mindspore.ir.runtime import runtime

from .table import REGISTRY

ELEMENTWISE = "... -> ..."
BINARY = "..., ... -> ..."


def is_number(x: object) -> bool:
    """Whether an argument is a number that is no bool."""
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def is_value(x: Any) -> bool:
    """Whether an input is a tensor (of any kind) rather than a constant."""
    return hasattr(x, "dtype")


def fit(d: Any, x: Any) -> Any:
    """Reduce a cotangent to the shape of the (possibly broadcast) operand it belongs to."""
    shape = getattr(x, "shape", None)
    if shape is None:
        return None
    if same_shape(d.shape, shape):
        return d
    return REGISTRY["SumTo"](d, shape=shape)


def kept(d: Any, x: Any, beside: Any = None) -> Any:
    """A cotangent in the dtype of the integers that it is for, if its rule computed it with floats.

    As in MindSpore one of floats stays where only a number stands `beside` them: the slope of `x / 2` is 0.5.
    """
    if d is None or x.dtype.is_differentiable or (beside is not None and not is_value(beside)):
        return d
    return REGISTRY["Cast"](d, dtype=x.dtype)


def any_unknown() -> bool:
    """Whether a program is compiled that has sizes which are not known."""
    return runtime.sizes is not None and runtime.sizes.active


def same_shape(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether shapes are the same whatever sizes that are not known while compiling will be."""
    if not any_unknown():
        return a == b
    if len(a) != len(b):
        return False
    for m, n in zip(a, b, strict=True):
        if type_of(m) is Dim or type_of(n) is Dim:
            rest = 0 if m is n else m - n
            if type_of(rest) is Dim or rest:
                return False
        elif m != n:
            return False
    return True


class Part:
    """A cotangent that is zero outside of a part of its input.

    `whole()` gives it as a tensor.  `kernel(total, *operands)` adds it in place to a total of torch
    tensors, which saves the tape the zeros and a sum per part.
    """

    __slots__ = ("kernel", "operands", "whole")

    def __init__(self, whole: Callable[[], Any], kernel: Callable[..., Any], *operands: Any):
        self.whole, self.kernel, self.operands = whole, kernel, operands


def broadcast(*shapes: tuple[int, ...], name: str = "") -> tuple[int, ...]:
    """The common shape of operands.  ValueError names the operator and the shapes."""
    out: list[int] = []
    rank = max(map(len, shapes))
    for i in range(rank):
        extent = 1
        for shape in shapes:
            at = i - rank + len(shape)
            if at >= 0 and type_of(shape[at]) is Dim and type(extent) is int and extent == 1:
                extent = shape[at]
            elif at >= 0 and type(shape[at]) is int and shape[at] == 1:
                continue
            elif at >= 0 and shape[at] != extent and shape[at] != 1:
                if extent != 1:
                    text = " and ".join(map(str, shapes))
                    raise ValueError(f"For '{name}', the shapes {text} cannot be broadcast: "
                                     f"the extents of dimension {i} are {extent} and {shape[at]}.")
                extent = shape[at]
        out.append(extent)
    return tuple(out)


def extent_of(start: int, stop: int, step: int) -> int:
    """How many elements a slice with these bounds takes: `len(range(...))` for any sizes."""
    if type(start) is int and type(stop) is int:
        return len(range(start, stop, step))
    count = (stop - start + step - 1) // step if step > 0 else (start - stop - step - 1) // -step
    return count if count > 0 else 0


def within(bounds: tuple[Any, Any, Any], extent: int) -> tuple[int, int, int]:
    """A slice's bounds in a dimension, counted from its start: `slice.indices` for any sizes."""
    if type(extent) is int and not any([type(b) is Dim for b in bounds]):
        return slice(*bounds).indices(extent)
    start, stop, step = bounds
    step = 1 if step is None else step
    low, high = (0, extent) if step > 0 else (-1, extent - 1)

    def inside(bound: Any, default: Any) -> Any:
        if bound is None:
            return default
        bound = bound + extent if bound < 0 else bound
        return low if bound < low else high if bound > high else bound
    return inside(start, low if step > 0 else high), inside(stop, high if step > 0 else low), step


def saying(text: str) -> Callable[[Any], Any]:
    """Decorate a shape rule with what it says to users of the operators that have it."""
    def mark(rule: Any) -> Any:
        rule.says = text
        return rule
    return mark


@saying("Input: any shape.  Output: shape and dtype of the input.")
def same(x: Any, *_: Any, **__: Any) -> Aval:
    """Shape rule of an operator whose result looks like its first input."""
    return x if isinstance(x, Aval) else Aval(x.shape, x.dtype)      # AttributeError for what is no tensor


def stated(x: Aval, *_: Any, shape: Any, **__: Any) -> Aval:
    """Shape rule of an operator whose attribute `shape` is that of its result; the dtype is that of the first input."""
    return Aval(tuple(shape), x.dtype)


def floating(name: str) -> Callable[..., Aval]:
    """Shape rule of an element-wise operator on floating-point (or complex) tensors."""
    @saying("Input: any shape, floating point or complex; TypeError for other dtypes.  Output: shape and dtype of "
            "the input.")
    def rule(x: Aval, *_: Any, **__: Any) -> Aval:
        if not x.dtype.is_differentiable:
            raise TypeError(f"For '{name}', the input must be a floating-point tensor, but got "
                            f"{show(x)}.")
        return x
    return rule


_SIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}


def moving(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that only moves elements: unsigned ones are taken for signed ones of the same bits."""
    @functools.wraps(kernel)
    def run(*inputs: Any, **attrs: Any) -> Any:
        kept = inputs[0].dtype
        if kept not in _SIGNED:
            return kernel(*inputs, **attrs)
        out = kernel(*[x.view(_SIGNED[x.dtype]) if isinstance(x, torch.Tensor) and x.dtype in _SIGNED else x
                       for x in inputs], **attrs)
        return out.view(kept)
    return run


def in_int64(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that torch has for signed integers: unsigned ones of 16 bits and more are computed in int64."""
    @functools.wraps(kernel)
    def run(*inputs: Any, **attrs: Any) -> Any:
        kept = inputs[0].dtype
        if kept not in _SIGNED:
            return kernel(*inputs, **attrs)
        wide = [x.long() if isinstance(x, torch.Tensor) and x.dtype in _SIGNED else x for x in inputs]
        for x, w in zip(inputs, wide, strict=True):
            if isinstance(x, torch.Tensor) and x.dtype is torch.uint64 and not w.is_meta and bool((w < 0).any()):
                raise ArgumentError("Elements of uint64 must be below 2**63 here; cast them to a floating-point type.")
        return kernel(*wide, **attrs).to(kept)
    return run


def in_single(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that torch has for float32 and wider types: half precision is computed in float32."""
    @functools.wraps(kernel)
    def run(*inputs: Any, **attrs: Any) -> Any:
        narrow = next((x.dtype for x in inputs if isinstance(x, torch.Tensor) and x.is_floating_point()
                       and x.dtype.itemsize < 4), None)
        if narrow is None:
            return kernel(*inputs, **attrs)
        wide = [x.float() if isinstance(x, torch.Tensor) and x.dtype is narrow else x for x in inputs]
        out = kernel(*wide, **attrs)
        return tuple([o.to(narrow) for o in out]) if is_tuple(out) else out.to(narrow)
    return run


def in_one_type(*places: int) -> Callable[..., Any]:
    """A kernel that takes one type, or half images and vectors of float32: others are computed in their common one.

    The results have the types of the inputs with those numbers.
    """
    def decorate(kernel: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(kernel)
        def run(*inputs: Any, **attrs: Any) -> Any:
            if not inputs[0].is_floating_point():
                raise TypeError(f"The first input must be a floating-point tensor, but got {inputs[0].dtype}.")
            images, vectors = [{x.dtype for x in inputs if (x.dim() == 1) is flat} for flat in (False, True)]
            kinds = images | vectors
            halves = len(images) == 1 and next(iter(images)).itemsize == 2
            if len(kinds) == 1 or (halves and vectors == {torch.float32}):
                return kernel(*inputs, **attrs)
            wide = functools.reduce(torch.promote_types, kinds)
            out = kernel(*[x.to(wide) for x in inputs], **attrs)
            if not is_tuple(out):
                return out.to(inputs[places[0]].dtype)
            return tuple([o.to(inputs[place].dtype) for o, place in zip(out, places, strict=True)])
        return run
    return decorate


@saying("Input: any shape and dtype.  Output: the shape of the input, and its dtype; float32 for integers and bools.")
def lifted(x: Aval, *_: Any, **__: Any) -> Aval:
    """Shape rule of an element-wise operator whose result is floating point: float32 for integers."""
    return x if x.dtype.is_differentiable else Aval(x.shape, float32)


_BROADCAST = ("Inputs: tensors whose shapes broadcast to one, cast to one dtype; one may be a number.  ValueError for "
              "shapes that do not.")


def broadcasting(name: str) -> Callable[..., Aval]:
    """Shape rule of broadcasting arithmetic on operands of one dtype."""
    @saying(f"{_BROADCAST}  Output: that shape and dtype.")
    def rule(*inputs: Any, **_: Any) -> Aval:
        avals = [x for x in inputs if type(x) is Aval]
        first = avals[0]
        if not any_unknown() and all(a == first for a in avals):
            return first
        return Aval(broadcast(*[a.shape for a in avals], name=name), first.dtype)
    return rule


def dividing(name: str) -> Callable[..., Aval]:
    """Shape rule of broadcasting arithmetic whose result is floating point."""
    arithmetic = broadcasting(name)

    @saying(f"{_BROADCAST}  Output: that shape and dtype; float32 for integers and bools.")
    def rule(*inputs: Any, **attrs: Any) -> Aval:
        return lifted(arithmetic(*inputs, **attrs))
    return rule


def comparing(name: str) -> Callable[..., Aval]:
    """Shape rule of a broadcasting comparison."""
    arithmetic = broadcasting(name)

    @saying(f"{_BROADCAST}  Output: that shape, bools.")
    def rule(*inputs: Any, **attrs: Any) -> Aval:
        return Aval(arithmetic(*inputs, **attrs).shape, bool_)
    return rule


def reduced(x: Aval, axis: Any, keep_dims: bool, name: str) -> tuple[int, ...]:
    """The shape of `x` without the dimensions `axis`, or with extent 1 there."""
    axes = axes_of(axis, len(x.shape), name)
    if keep_dims:
        return tuple([1 if i in axes else e for i, e in enumerate(x.shape)])
    return tuple([e for i, e in enumerate(x.shape) if i not in axes])


def tensors(*values: Any) -> list[Any]:
    """Torch tensors for a kernel that takes no Python numbers: those become tensors of rank 0."""
    like = next(v for v in values if isinstance(v, torch.Tensor))
    return [v if isinstance(v, torch.Tensor) else like.new_full((), v) for v in values]


def once(compute: Any) -> Any:
    """A function without arguments that calls `compute` at its first call and keeps the result."""
    kept: list[Any] = []

    def value() -> Any:
        if not kept:
            kept.append(compute())
        return kept[0]
    return value


def axes_of(axis: Any, rank: int, name: str = "") -> tuple[int, ...]:
    """Non-negative axes for an axis argument; all of them for None or ()."""
    if axis is None or axis == ():
        return tuple(range(rank))
    axes: Sequence[Any] = axis if is_sequence(axis) else (axis,)
    for a in axes:
        if isinstance(a, bool) or not isinstance(a, int):
            raise TypeError(f"For '{name}', the 'axis' must be an int or a tuple of ints, but got "
                            f"{axis!r}.")
        if not -max(rank, 1) <= a < max(rank, 1):
            raise ValueError(f"For '{name}', the 'axis' must be in [{-rank}, {rank}), but got {a}.")
    found = tuple([a % rank if rank else 0 for a in axes])
    if len(set(found)) != len(found):
        raise ShapeError(f"For '{name}', the 'axis' {axis!r} names a dimension twice.")
    return found if rank else ()


def check_axis(x: Aval, axis: Any, name: str) -> None:
    """TypeError if `axis` is not an int, ValueError if `x` has no such dimension."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"For '{name}', the 'axis' must be an int, but got {axis!r}.")
    axes_of(axis, len(x.shape), name)
