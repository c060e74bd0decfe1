"""Hooks of the debug mode that print what goes through a `map`."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset._settings import DebugHook


class _Printed(DebugHook):
    """Prints a line for each column before the first transform of a `map`, and after each."""

    def told(self, column: np.ndarray) -> str:
        """What is printed of a column."""
        raise NotImplementedError

    def compute(self, *args: Any) -> Any:
        """Print what the columns are, and give them on."""
        name = self.prev_op_name
        print(f"[Dataset debugger] Print the [{'INPUT' if self.is_first_op else 'OUTPUT'}] of the operation [{name}].")
        for number, column in enumerate(args):
            print(f"Column {number}. {self.told(np.asarray(column))}")
        return args


class PrintMetaDataHook(_Printed):
    """Prints the dtype and shape of each column before the first transform of a `map`, and after each.

    Examples:
        >>> dataset.config.set_debug_mode(True, [dataset.debug.PrintMetaDataHook()])
        >>> rows = dataset.NumpySlicesDataset([[0, 1]]).map(lambda x: x + 1)
        >>> for row in rows.create_tuple_iterator(output_numpy=True):
        ...     dataset.config.set_debug_mode(False)
        [Dataset debugger] Print the [INPUT] of the operation [<lambda>].
        Column 0. The dtype is [int64]. The shape is [(2,)].
        [Dataset debugger] Print the [OUTPUT] of the operation [<lambda>].
        Column 0. The dtype is [int64]. The shape is [(2,)].
    """

    def told(self, column: np.ndarray) -> str:
        """The dtype and the shape."""
        return f"The dtype is [{column.dtype}]. The shape is [{column.shape}]."


class PrintDataHook(_Printed):
    """Prints the values of each column before the first transform of a `map`, and after each.

    Examples:
        >>> hook = dataset.debug.PrintDataHook()
        >>> hook.set_previous_op_name("Resize")
        >>> values = hook(np.array([1, 2]))
        [Dataset debugger] Print the [OUTPUT] of the operation [Resize].
        Column 0. The data is [[1 2]].
    """

    def told(self, column: np.ndarray) -> str:
        """The values."""
        return f"The data is [{column}]."
