"""What `Dataset` offers as methods and is defined in modules that stand on `Dataset`: they enter it here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

MutableCount = TypeVar("Made", bound=Callable[..., Any])

METHODS: dict[str, Callable[..., Any]] = {}  # by name of the method; the first argument is the dataset


def method(name: str) -> Callable[[MutableCount], MutableCount]:
    """Let a class or function be what the method of this name calls with the dataset."""

    def enter(made: MutableCount) -> MutableCount:
        METHODS[name] = made
        return made

    return enter
