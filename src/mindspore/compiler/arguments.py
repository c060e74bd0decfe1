"""Containers and data classes among the arguments: what a program changes of them, its caller sees.

While compiling, the tensors among the arguments are replaced by nodes, so their containers are copies.  A
change of such a copy is written to the container that stands at the same place in the current call.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindspore.compiler.frontend.objects.places import Attribute, Contents
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import tree
from mindspore.ir.runtime import runtime


class Argument:
    """A container or data class among the arguments, or an attribute of that, by the steps that lead to it."""

    def __init__(self, given: CallArguments, path: tuple[Any, ...], name: str | None = None):
        self.given, self.path, self.name = given, path, name

    @property
    def owner(self) -> Any:
        """The container or data class in the current call."""
        return self.given.owners[self.path]

    @property
    def place(self) -> Any:
        """The place in the current call."""
        return Contents(self.owner) if self.name is None else Attribute(self.owner, self.name)

    def get(self) -> Any:
        """What it holds."""
        return self.place.get()

    def put(self, content: Any) -> None:
        """Give it new content."""
        self.place.put(content)

    def __str__(self) -> str:
        return "a container among the arguments" if self.name is None else f"the attribute '{self.name}' of an argument"


class CallArguments:
    """The arguments of the current call, and the places of the containers in the copy of them."""

    def __init__(self, copy: Any):
        self.containers: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self.paths: set[tuple[Any, ...]] = set()         # of those that every call needs
        self.search(copy, ())

    @property
    def owners(self) -> Any:
        """The containers in the call that this thread makes, by their paths."""
        return runtime.arguments[self]

    @contextmanager
    def called(self, arguments: Any) -> Iterator[None]:
        """Let these be the arguments."""
        calls = runtime.arguments
        outer = calls.get(self)
        calls[self] = {path: functools.reduce(_follow, path, arguments) for path in self.paths}
        try:
            yield
        finally:
            if outer is None:
                del calls[self]
            else:
                calls[self] = outer

    def search(self, value: Any, path: tuple[Any, ...]) -> None:
        """Note the containers at and below a place."""
        steps = _steps(value)
        if steps is not None and not isinstance(value, tuple):
            self.containers[id(value)] = value, path
        for step, inner in steps or ():
            self.search(inner, (*path, step))

    def place(self, place: Any) -> Any:
        """The place in the current call for one in the copy; other places unchanged."""
        found = self.containers.get(id(place.owner)) if type(place) in (Contents, Attribute) else None
        return self.at(found[1], getattr(place, "name", None)) if found else place

    def at(self, path: tuple[Any, ...], name: str | None = None) -> Argument:
        """A container of the current call, or an attribute of that."""
        self.paths.add(path)
        return Argument(self, path, name)


def _steps(value: Any) -> Any:
    """What leads from a container or data class to what it holds; None for other values."""
    inner = tree.children(value)
    if inner is None:
        return None
    if isinstance(value, dict):
        return list(zip(dict.__iter__(value), inner, strict=True))
    if dataclasses.is_dataclass(value):
        return [(f, held) for f, held in zip(dataclasses.fields(value), inner, strict=True)]
    return list(enumerate(inner))


def _follow(value: Any, step: Any) -> Any:
    """What a container or data class holds."""
    if isinstance(step, dataclasses.Field):
        return getattr(value, step.name)
    return dict.__getitem__(value, step) if isinstance(value, dict) else (tree.children(value) or [])[step]


_UNCHANGING = frozenset([Tensor, Parameter, int, float, bool, str, type(None)])


def held_in(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[int]:
    """The ids of the containers and data classes among arguments, one as often as it has names there."""
    todo = [a for a in (*args, *kwargs.values()) if type(a) not in _UNCHANGING]
    found: list[int] = []
    seen: set[int] = set()
    while todo:
        value = todo.pop()
        inner = tree.children(value)
        if inner is None:
            continue
        if not isinstance(value, tuple):
            found.append(id(value))
            if id(value) in seen:
                continue
            seen.add(id(value))
        todo += [v for v in inner if type(v) not in _UNCHANGING]
    return found
