"""What `Dataset` offers as methods and is defined in modules that stand on `Dataset`: they enter it here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made", bound=Callable[..., Any])

METHODS: dict[str, Callable[..., Any]] = {}  # by name of the method; the first argument is the dataset


def method(name: str) -> Callable[[Made], Made]:
    """Let a class or function be what the method of this name calls with the dataset."""

    def enter(made: Made) -> Made:
        METHODS[name] = made
        return made

    return enter
