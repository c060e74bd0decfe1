"""Operators without a form of their own in ONNX."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.ir import Node
from mindspore.operators.exported import Exported


def write_kernel(g: Exported, node: Node, inputs: Sequence[Any], why: NotImplementedError) -> Any:
    """Write what the kernel of an operator computes.

    Raises:
        NotImplementedError: `why`, if that has no form, either.
    """
    raise why
