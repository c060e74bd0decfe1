"""What Python's numbers offer, for nodes that represent a number which only the run knows."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.frontend.objects.state import as_key
from mindspore.core.errors import GraphValueError
from mindspore.ir import Node
from mindspore.operators.python_numbers import converted, number_kind


def of_number(node: Node, name: str) -> Any:
    """The attribute of a number; an integer is asked for its value in the current run.

    Raises:
        AttributeError: If Python's number has none of that name.
        GraphValueError: If it needs the digits of a float.
    """
    kind: Any = number_kind(node)
    if name == "__class__":
        return kind
    if not hasattr(kind, name):
        return getattr(kind(), name)                  # Python's error
    number: Any = node if kind is float else converted(node, int)
    if name in ("real", "numerator"):
        return number
    if name == "conjugate":
        return lambda: number
    if name == "imag":
        return 0.0 if kind is float else 0
    if name == "is_integer" and kind is float:
        return lambda: number % 1 == 0
    if kind is float:
        raise GraphValueError(f"'{name}' of a number that depends on a tensor is not known while a graph is compiled. "
                              "Compute with operators, or run in PyNative mode.")
    return getattr(as_key((), number), name)
