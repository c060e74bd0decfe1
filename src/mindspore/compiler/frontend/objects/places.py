"""Places where a program keeps what can change: each can be read, and given other content."""
from __future__ import annotations

from collections import OrderedDict, deque
from types import MemberDescriptorType
from typing import Any

import numpy as np

from mindspore.core.errors import GraphTypeError
from mindspore.ir import Node, user_tensor
from mindspore.ir.runtime import runtime

from .watch import CONTAINERS, MISSING


class Contents:
    """The elements of a list, dict, set or deque."""

    def __init__(self, owner: Any):
        self.owner, self.key = owner, (id(owner), None)

    def get(self) -> Any:
        kind = type(self.owner)
        if kind in CONTAINERS and kind is not deque:
            return kind(self.owner)
        return elements_of(self.owner)

    def put(self, content: Any) -> None:
        owner: Any = self.owner               # whose class may have methods of its own
        if isinstance(owner, list):
            list.__setitem__(owner, slice(None), content)
        elif isinstance(owner, OrderedDict):
            OrderedDict.clear(owner)
            for key, value in content.items():
                OrderedDict.__setitem__(owner, key, value)
        elif isinstance(owner, deque):
            deque.clear(owner)
            deque.extend(owner, content)
        else:
            kind: Any = dict if isinstance(owner, dict) else set
            kind.clear(owner)
            kind.update(owner, content)

    def __str__(self) -> str:
        return f"a {type(self.owner).__name__}"


def elements_of(owner: Any) -> Any:
    """The elements of a container of a derived class."""
    if isinstance(owner, dict):
        keys = OrderedDict.__iter__(owner) if isinstance(owner, OrderedDict) else dict.__iter__(owner)
        return {key: dict.__getitem__(owner, key) for key in keys}
    if isinstance(owner, set):
        return set(set.__iter__(owner))
    return list(list.__iter__(owner) if isinstance(owner, list) else deque.__iter__(owner))


class Array:
    """The elements of a NumPy array that the program made."""

    def __init__(self, owner: np.ndarray):
        self.owner, self.key = owner, (id(owner), None)

    def get(self) -> Any:
        return self.owner.copy()

    def put(self, content: Any) -> None:
        if not isinstance(content, np.ndarray) or content.shape != self.owner.shape:
            raise GraphTypeError(
                f"What a NumPy array of shape {self.owner.shape} holds depends on an 'if' on a tensor, and a graph "
                "chooses only among tensors. Use a Tensor, or change the array outside of the 'if'.")
        self.owner[...] = content

    def __str__(self) -> str:
        return "an array of NumPy"


class Attribute:
    """An attribute of an object."""

    def __init__(self, owner: Any, name: str):
        self.owner, self.name, self.key = owner, name, (id(owner), name)

    def get(self) -> Any:
        own: Any = getattr(self.owner, "__dict__", ())
        if self.name in own:
            return own[self.name]
        for base in type(self.owner).__mro__:
            if self.name in base.__dict__:
                found = base.__dict__[self.name]
                if type(found) is MemberDescriptorType:                 # a slot
                    return getattr(self.owner, self.name, MISSING)
                return MISSING if hasattr(type(found), "__get__") else found
        return MISSING

    def put(self, content: Any) -> None:
        base = type if isinstance(self.owner, type) else object
        if content is not MISSING:
            base.__setattr__(self.owner, self.name, content)
        elif self.name in getattr(self.owner, "__dict__", ()):
            base.__delattr__(self.owner, self.name)

    def __str__(self) -> str:
        return f"the attribute '{self.name}'"


class Name:
    """A name of a call of a function."""

    def __init__(self, frame: Any, name: str):
        self.owner, self.name, self.key = frame, name, (id(frame), name)

    def get(self) -> Any:
        return self.owner.local.get(self.name, MISSING)

    def put(self, content: Any) -> None:
        if content is MISSING:
            self.owner.local.pop(self.name, None)
        else:
            self.owner.local[self.name] = content

    def __str__(self) -> str:
        return f"'{self.name}'"


class Value:
    """What a parameter holds: a node."""

    def __init__(self, parameter: Any):
        self.owner, self.key = parameter, (id(parameter), "value")

    def get(self) -> Any:
        return runtime.trace.capture(self.owner)

    def put(self, content: Any) -> None:
        runtime.trace.hold(self.owner, content)

    def __str__(self) -> str:
        return f"the parameter '{self.owner.name}'"


class Global:
    """A name of a module."""

    def __init__(self, scope: dict[str, Any], name: str):
        self.owner, self.name, self.key = scope, name, (id(scope), name, "global")

    def get(self) -> Any:
        return self.owner.get(self.name, MISSING)

    def put(self, content: Any) -> None:
        if content is MISSING:
            self.owner.pop(self.name, None)
        else:
            self.owner[self.name] = content

    def __str__(self) -> str:
        return f"the global '{self.name}'"


class Elements:
    """What a tensor holds, as a place of the journal."""

    def __init__(self, node: Node):
        self.owner, self.key = node, (id(node), "elements")

    def get(self) -> Any:
        content = user_tensor.known(self.owner).content
        return self.owner if content is None else content

    def put(self, content: Any) -> None:
        own = user_tensor.noted(self.owner)
        own.content = None if content is self.owner else content
        runtime.changing = True
        if type(own.content) is Node:
            user_tensor.noted(own.content).holder = self.owner
            user_tensor.join(self.owner, own.content)

    def __str__(self) -> str:
        return "a tensor that is changed in place"
