"""Lists and dicts among the arguments: what a program changes of them, its caller sees.

While compiling, the tensors among the arguments are replaced by nodes, so their containers are copies.  A
change of such a copy is written to the container that stands at the same place in the call at hand.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindspore.compiler.frontend.objects.heap import CONTAINERS, Contents
from mindspore.ir.runtime import runtime


class Argument:
    """A container by the way that leads to it from the arguments."""

    def __init__(self, given: Given, path: tuple[Any, ...]):
        self.given, self.path = given, path

    @property
    def owner(self) -> Any:
        """The container in the call at hand."""
        value = self.given.arguments
        for step in self.path:
            value = getattr(value, step.name) if isinstance(step, dataclasses.Field) else value[step]
        return value

    def get(self) -> Any:
        """What it holds."""
        return Contents(self.owner).get()

    def put(self, content: Any) -> None:
        """Give it new content."""
        Contents(self.owner).put(content)

    def __str__(self) -> str:
        return f"a {type(self.owner).__name__} among the arguments"


class Given:
    """The arguments of the call at hand, and the places of the containers in the copy of them."""

    def __init__(self, copy: Any):
        self.containers: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self.search(copy, ())

    @property
    def arguments(self) -> Any:
        """The arguments of the call that this thread makes."""
        return runtime.arguments[self]

    @contextmanager
    def called(self, arguments: Any) -> Iterator[None]:
        """Let these be the arguments."""
        calls = runtime.arguments
        outer = calls.get(self)
        calls[self] = arguments
        try:
            yield
        finally:
            if outer is None:
                del calls[self]
            else:
                calls[self] = outer

    def search(self, value: Any, path: tuple[Any, ...]) -> None:
        """Note the containers at and below a place."""
        if isinstance(value, CONTAINERS):
            self.containers[id(value)] = value, path
        if isinstance(value, (tuple, list)):
            steps: Any = enumerate(value)
        elif isinstance(value, dict):
            steps = value.items()
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            steps = [(f, getattr(value, f.name)) for f in dataclasses.fields(value)]
        else:
            return
        for step, inner in steps:
            self.search(inner, (*path, step))

    def place(self, place: Any) -> Any:
        """The place in the call at hand for one in the copy; other places as they are."""
        found = self.containers.get(id(place.owner)) if type(place) is Contents else None
        return Argument(self, found[1]) if found else place
