"""The interpreter while the front end walks a function: operators meet the user's tensors, not only nodes."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.frontend.control import effects
from mindspore.compiler.frontend.objects import aliasing, elements, state
from mindspore.ir import Building, Node

from . import builtins


class Walking(Building):
    """Builds the graph of a function that is walked."""

    def lift(self, value: Any) -> Any:
        return state.lift(value)

    def assign(self, parameter: Any, value: Any) -> Any:
        return aliasing.assign(parameter, value)

    def element(self, node: Node, index: Any) -> Any:
        return builtins.element(node, index)

    def replace(self, old: Any, new: Any) -> Any:
        return aliasing.replace(old, new)

    def check(self, test: Any, error: Exception) -> None:
        effects.check(test, error)

    def reads(self, tensor: Any) -> None:
        elements.note_reading(tensor)
