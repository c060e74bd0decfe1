"""The base of cells that apply a function with options that they were made with."""

from __future__ import annotations

from typing import Any

from mindspore.nn.cell import Cell


class Applied(Cell):
    """Applies `function` to its inputs, with fixed options."""

    def __init__(self, function: Any, **options: Any):
        super().__init__()
        self.function = function
        self.options = options

    def construct(self, *inputs: Any, **named: Any) -> Any:
        return self.function(*inputs, **named, **self.options)

    def extend_repr(self) -> str:
        return ", ".join([f"{name}={value}" for name, value in self.options.items()])
