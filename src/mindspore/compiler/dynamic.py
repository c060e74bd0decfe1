"""Which extents of the arguments one program is to serve: as declared, or as they turn out to differ."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.core.mutable import OfAnyLength, is_number
from mindspore.eager.parameter import Parameter
from mindspore.eager.pattern import ANY_RANK
from mindspore.eager.tensor import Pattern, Tensor, wrap
from mindspore.ir import tree

NOTHING = type("Nothing", (), {"__repr__": lambda self: "nothing"})()      # was declared for an argument
_CONSTANTS = (bool, int, float, str, type(None))
Axes = tuple[Any, ...]
NUMBER: Axes = ("number",)        # in place of the dimensions of a tensor: a number that is an input
_STAND_IN = 8         # the extents of an example made from a pattern


def is_plain_tensor(value: Any) -> bool:
    """Whether a leaf of the arguments is an input of a graph."""
    return isinstance(value, Tensor) and not isinstance(value, Parameter)


class Declared:
    """Extents that the user declares: `set_inputs`, `input_signature`.

    Args:
        owner: What declares them, in messages.
        given: A tuple of arguments with patterns for tensors, or a dict of some of them by name.
        fn: The function, for the names of its parameters.
    """

    def __init__(self, owner: str, given: Any, fn: Callable[..., Any]):
        self.owner, self.fn = owner, fn
        self.given = given if isinstance(given, (tuple, list, dict)) else (given,)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Axes]:
        """For each tensor among the arguments the dimensions whose extents may differ.

        Raises:
            ValueError: If the arguments are not those that were declared.
            TypeError: If an element type differs.
        """
        by_place, by_name = self.matched(args, kwargs)
        self.same: dict[int, int] = {}          # extents of unique symbols
        found: list[Axes] = []
        for i, (wanted, value) in enumerate([*by_place, *by_name]):
            found += self.axes(wanted, value, i + 1)
        return found

    def matched(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Pairs of what was declared (`NOTHING` if that is not) and the argument."""
        if isinstance(self.given, dict):
            names = list(inspect.signature(self.fn).parameters)
            names += [""] * (len(args) - len(names))
            return ([(self.given.get(n, NOTHING), v) for n, v in zip(names, args, strict=False)],
                    [(self.given.get(n, NOTHING), v) for n, v in kwargs.items()])
        count = len(args) + len(kwargs)
        if len(self.given) < count and self.owner == "input_signature":
            given = [*self.given, *[NOTHING] * count]
            return list(zip(given, args, strict=False)), list(zip(given[len(args):], kwargs.values(), strict=False))
        if len(self.given) != count:
            raise ValueError(f"For '{self.owner}', the number of arguments must be the declared "
                             f"{len(self.given)}, but got {count}.")
        return (list(zip(self.given, args, strict=False)),
                list(zip(self.given[len(args):], kwargs.values(), strict=True)))

    def axes(self, wanted: Any, value: Any, place: int) -> list[Axes]:
        """The same for one argument."""
        if is_plain_tensor(value):
            return [self.of_tensor(wanted, value, place)]
        inner, below = tree.children(value), tree.children(wanted)
        if inner is None:
            if isinstance(wanted, _CONSTANTS) and not is_number(wanted) and not (value == wanted):
                raise ValueError(f"For '{self.owner}', argument {place} must be the declared {wanted!r}, but got "
                                 f"{value!r}.")
            return []
        if isinstance(wanted, OfAnyLength):
            below = [wanted[0] if wanted else NOTHING] * len(inner)
        if below is not None and len(below) != len(inner):
            raise ValueError(f"For '{self.owner}', argument {place} must have the declared {len(below)} "
                             f"elements, but has {len(inner)}.")
        return [a for w, v in zip(below or [NOTHING] * len(inner), inner, strict=True)
                for a in self.axes(w, v, place)]

    def of_tensor(self, wanted: Any, value: Tensor, place: int) -> Axes:
        """The dimensions of one tensor; errors if it is not as declared."""
        if wanted is NOTHING:
            return ()
        if not isinstance(wanted, Tensor):
            raise TypeError(f"For '{self.owner}', argument {place} must be the declared {wanted!r}, but got a "
                            f"tensor of shape {value.shape}.")
        if value.dtype is not wanted.dtype:
            raise TypeError(f"For '{self.owner}', the dtype of argument {place} must be the declared "
                            f"{wanted.dtype}, but got {value.dtype}.")
        shape = value.shape
        if wanted.shape == ANY_RANK:
            return tuple(range(len(shape)))
        if len(shape) != len(wanted.shape):
            raise ValueError(f"For '{self.owner}', argument {place} must have the declared "
                             f"{len(wanted.shape)} dimensions, but its shape is {shape}.")
        for n, declared in zip(shape, wanted.shape, strict=True):
            if declared not in (-1, n):
                raise ValueError(f"For '{self.owner}', the shape of argument {place} must be "
                                 f"{tuple([None if m == -1 else m for m in wanted.shape])}, but got "
                                 f"{shape}.")
        self.check_symbols(wanted, shape, place)
        return tuple([i for i, declared in enumerate(wanted.shape) if declared == -1])

    def check_symbols(self, wanted: Tensor, shape: tuple[int, ...], place: int) -> None:
        """ValueError for extents that are not as their symbols say."""
        for axis, (n, symbol) in enumerate(zip(shape, getattr(wanted, "symbols", ()), strict=False)):
            if symbol is None:
                continue
            wrong = symbol.wrong(n)
            if wrong is None and symbol.unique and self.same.setdefault(id(symbol), n) != n:
                wrong = f"{self.same[id(symbol)]}, as for the other dimensions with this symbol"
            if wrong is not None:
                raise ValueError(f"For '{self.owner}', dimension {axis} of argument {place} must be {wrong}, but "
                                 f"its shape is {shape}.")


class Observed:
    """Extents that differed between the calls so far: `jit(dynamic=1)`.

    Args:
        after: How many different sizes of a dimension are compiled for themselves.
    """

    def __init__(self, after: int):
        self.after = after
        self.seen: dict[Any, list[set[int]]] = {}

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Axes]:
        """For each tensor among the arguments the dimensions that had more sizes than that."""
        shapes = [t.shape for t in tree.leaves((args, kwargs), is_plain_tensor)]
        key = tuple([len(s) for s in shapes])
        flat = [n for s in shapes for n in s]
        sizes = self.seen.setdefault(key, [set() for _ in flat])
        for held, n in zip(sizes, flat, strict=True):
            if len(held) <= self.after:
                held.add(n)
        several = iter([len(held) > self.after for held in sizes])
        return [tuple([i for i in range(len(s)) if next(several)]) for s in shapes]


def examples(values: Any) -> Any:
    """Arguments with tensors of zeros in place of patterns."""
    import torch  # the shape of a pattern is all that is needed above

    def example(p: Any) -> Tensor:
        shape = () if p.shape == ANY_RANK else tuple([_STAND_IN if n < 0 else n for n in p.shape])
        return wrap(torch.zeros(shape, dtype=p.dtype.torch))

    def is_pattern(v: Any) -> bool:
        return isinstance(v, Pattern)
    found = tree.leaves(values, is_pattern)
    return tree.rebuild(values, is_pattern, iter([example(p) for p in found])) if found else values


def with_numbers(extents: list[Axes], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Axes]:
    """The dimensions of tensors (none: no extent differs), and `NUMBER` for the numbers between them."""
    leaves = tree.leaves((args, kwargs), lambda v: is_plain_tensor(v) or is_number(v))
    if not any(map(is_number, leaves)):
        return extents
    following = iter(extents or [()] * len(leaves))
    return [NUMBER if is_number(v) else next(following) for v in leaves]


def masked(extents: list[Axes]) -> Callable[[Any], Any]:
    """What describes the leaves of the arguments, tensors without the extents that may differ."""
    following: Iterator[Axes] = iter(extents)

    def shape_of(value: Any) -> tuple[Any, ...]:
        axes = next(following)
        if axes is NUMBER:
            return NUMBER
        return tuple([None if i in axes else n for i, n in enumerate(value._data.shape)])
    return shape_of
