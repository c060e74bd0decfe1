"""What holds while a program is compiled: locks between threads, how deep calls may nest, and that garbage waits.

Programs run in any number of threads at once; one thread at a time compiles.  Settings that Python has for the whole
process are counted: the last compilation that ends restores them.
"""
from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindspore.compiler.frontend.objects import failures
from mindspore.core import context

_FRAMES_PER_CALL = 24      # of Python's own, at most, for one call of the program

# `compiling` is held while a program is made: its graph, the source, the derivative.  `walking` is held, too, as long
# as the front end changes the user's objects, which it undoes at the end, and by code that tests whether a program
# holds for the objects in their present state.  A thread that has `walking` never waits for `compiling`.
compiling, walking = threading.RLock(), threading.RLock()
if hasattr(os, "register_at_fork"):        # the threads that hold them do not live on in another process
    for _lock in (compiling, walking):
        os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # pyright: ignore[reportAttributeAccessIssue]  # as `logging` does


class _Counted:
    """Who holds a setting of the process, and what it was before the first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.holders: list[int] = []
        self.before: Any = None


_collector, _recursion = _Counted(), _Counted()


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from searching the many small objects of a compilation again and again.

    Afterwards they count as old: most live as long as the program, so that only a full collection, not
    the next one, goes through them (measured: 4 us per node of a large graph).
    """
    held = _collector
    with held.lock:
        if not held.holders:
            held.before = gc.isenabled()
            gc.disable()
        held.holders.append(1)
    try:
        yield
    finally:
        with held.lock:
            held.holders.pop()
            if held.before and not held.holders:
                _age()
                gc.enable()


def _age() -> None:
    """Let all objects be old, at no cost; not if the program keeps objects apart, which would end that."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


@contextmanager
def deep() -> Iterator[None]:
    """Let calls of the program nest as deep as the context's `max_call_depth` says.

    Raises:
        RecursionError: If they nest deeper.
    """
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    limit, held = depth + _FRAMES_PER_CALL * context.state.max_call_depth, _recursion
    with held.lock:
        if not held.holders:
            held.before = sys.getrecursionlimit()
        held.holders.append(limit)
        sys.setrecursionlimit(max([held.before, *held.holders]))
    try:
        yield
    except RecursionError as error:
        notes = failures.known(error).lines
        if len(notes) > 10:
            notes[5:-5] = [f"  ... {len(notes) - 10} further calls"]
        raise _too_deep(notes) from None
    finally:
        with held.lock:
            held.holders.remove(limit)
            sys.setrecursionlimit(max([held.before, *held.holders]))


def _too_deep(notes: list[str]) -> RecursionError:
    error = RecursionError(
        f"Exceed function call depth limit {context.state.max_call_depth} while compiling. If the recursion "
        f"ends, raise the limit by mindspore.set_recursion_limit or set_context(max_call_depth=...).")
    error.__notes__ = notes
    return error
