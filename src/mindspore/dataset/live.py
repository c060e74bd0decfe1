"""Which iterators read now, so that all of them can be ended together."""

from __future__ import annotations

import sys
import weakref
from typing import Any

_iterators: weakref.WeakSet[Any] = weakref.WeakSet()
_ending = [False]


def entered(iterator: Any) -> None:
    """Note an iterator; it is forgotten when nothing else refers to it."""
    _iterators.add(iterator)


def is_ending() -> bool:
    """Whether the interpreter or `_cleanup` ends what reads, so that iterators must not begin anything."""
    return _ending[0] or sys.is_finalizing()


def _cleanup() -> None:
    """Stop every iterator that there is: none of them gives another row."""
    _ending[0] = True
    for iterator in list(_iterators):
        iterator.stop()


def _unset_iterator_cleanup() -> None:
    """Let iterators begin again after `_cleanup`."""
    _ending[0] = False


__all__ = ["_cleanup", "_unset_iterator_cleanup", "entered", "is_ending"]
