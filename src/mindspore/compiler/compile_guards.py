"""What holds while a program is compiled: how deep calls may nest, and that garbage waits."""
from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mindspore.core import context

_FRAMES_PER_CALL = 24      # of Python's own, at most, for one call of the program


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from searching the many small objects of a compilation again and again.

    Afterwards they count as old: most live as long as the program, so that only a full collection, not
    the next one, goes through them (measured: 4 us per node of a large graph).
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _age()
            gc.enable()


def _age() -> None:
    """Let all objects be old, at no cost; not if somebody keeps objects apart, which would end that."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


@contextmanager
def deep() -> Iterator[None]:
    """Let calls of the program nest as deep as the context's `max_call_depth` says.

    Raises:
        RecursionError: If they nest deeper.
    """
    before = sys.getrecursionlimit()
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(max(before, depth + _FRAMES_PER_CALL * context.state.max_call_depth))
    try:
        yield
    except RecursionError as error:
        notes = getattr(error, "__notes__", [])
        if len(notes) > 10:
            notes[5:-5] = [f"  ... {len(notes) - 10} further calls"]
        raise _too_deep(notes) from None
    finally:
        sys.setrecursionlimit(before)


def _too_deep(notes: list[str]) -> RecursionError:
    error = RecursionError(
        f"Exceed function call depth limit {context.state.max_call_depth} while compiling. If the recursion "
        f"ends, raise the limit by mindspore.set_recursion_limit or set_context(max_call_depth=...).")
    error.__notes__ = notes
    return error
