"""Iterators whose values the front end computes when they are asked for."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.errors import GraphSyntaxError
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

from .failures import raised_by_user
from .heap import is_iterator


def _made_outside(what: str) -> GraphSyntaxError:
    return GraphSyntaxError(f"{what} that was made outside of an 'if' or loop on a tensor is advanced inside of "
                            "it, so how far it got depends on the tensor. Make it inside, or take a list of its "
                            "values first.")


def _note_advance(iterator: Any) -> None:
    """Note that an iterator advances.

    Raises:
        GraphSyntaxError: If it advanced in a part of the program that was undone, to be compiled
            differently: an iterator does not go back.
    """
    if iterator.lost:
        raise GraphSyntaxError("An iterator is advanced in a part of the program that an 'if' on a tensor may leave, "
                               "so how far it got depends on the tensor. Take a list of its values first.")
    if runtime.trace is not None:
        runtime.trace.heap.levels[-1].advanced[id(iterator)] = iterator


class Tracked:
    """An iterator of Python's that the program made: it advances in the block that made it.

    `over` is what it iterates over, as far as that is known; `lost` is whether it advanced on trial.
    """

    def __init__(self, items: Any, over: tuple[Any, ...]):
        self.items, self.over, self.block, self.lost = items, over, runtime.blocks[-1], False

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if runtime.blocks[-1:] and runtime.blocks[-1] is not self.block:
            raise _made_outside("An iterator")
        _note_advance(self)
        return next(self.items)


def tracked(value: Any, over: tuple[Any, ...] = ()) -> Any:
    """An iterator of Python's as one that knows where it was made; other values unchanged."""
    if type(value) is Node or not is_iterator(value):
        return value
    return Tracked(value, over)


class Suspended:
    """An iterator whose values the front end computes one by one, when they are asked for."""

    def __init__(self, frame: Any):
        self.frame, self.block, self.done, self.lost = frame, runtime.blocks[-1], False, False

    def __iter__(self) -> Any:
        return self

    def inside(self, advance: Callable[[], Any]) -> Any:
        """Continue the frame."""
        trace = runtime.trace
        if trace is None:
            raise RuntimeError("A generator of a compiled function is used after its compilation. Return a list of its "
                               "values instead.")
        if runtime.blocks[-1] is not self.block:
            raise _made_outside("A generator")
        _note_advance(self)
        if self.done:
            raise stop(None)
        loc = runtime.loc
        trace.active.append((None, trace.heap.version, self.frame))
        try:
            return advance()
        except BaseException:  # raised again; the generator is at its end
            self.done = True
            raise
        finally:
            trace.active.pop()
            runtime.loc = loc


def stop(value: Any) -> Exception:
    """The end of an iteration."""
    return raised_by_user(StopIteration() if value is None else StopIteration(value))
