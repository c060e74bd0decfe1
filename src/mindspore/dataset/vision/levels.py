"""Chains of transforms that treat every level of an image alike, done in one step through a table."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from mindspore.dataset.execution import memory
from mindspore.dataset.transforms.base import TensorOperation

CACHED = 2**16  # bytes of pixels that are worked on at a time


class Levels(TensorOperation):
    """Transforms such as Rescale, Normalize, TypeCast and HWC2CHW as one.

    An image of bytes has 256 levels in each channel: the transforms are applied to these, once, and looked up
    for every pixel: the same to the last bit, for each transform works on every pixel alone.
    """

    def __init__(self, operations: list[TensorOperation]):
        self.operations = operations
        self._tables: dict[int, np.ndarray | None] = {}

    @property
    def name(self) -> str:
        return " + ".join(operation.name for operation in self.operations)

    def checked(self, value: Any) -> Any:
        return self.operations[0].checked(value)

    def apply(self, value: Any) -> Any:
        if (
            value.ndim == 3
            and value.dtype == np.uint8
            and (table := self._table(value.shape[-1])) is not None
        ):
            return _looked_up(value[None], table)[0]
        for operation in self.operations:
            value = operation.apply(operation.checked(value))
        return value

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        if (
            stack.ndim == 4
            and stack.dtype == np.uint8
            and (table := self._table(stack.shape[-1])) is not None
        ):
            return _looked_up(stack, table)
        result: np.ndarray | None = stack
        for operation in self.operations:
            result = None if result is None else operation.apply_stack(result)
        return result

    def _table(self, channels: int) -> np.ndarray | None:
        """Results for every level: (256, 1, C), or (C, 256, 1) if the channels come first; None if it takes others."""
        if channels not in self._tables:
            value: Any = np.tile(np.arange(256, dtype=np.uint8)[:, None, None], (1, 1, channels))
            for operation in self.operations:
                value = operation.apply(value)
            usable = channels <= 4 and value.dtype in (np.float32, np.float64, np.uint8)
            self._tables[channels] = value if usable else None
        return self._tables[channels]


def _looked_up(stack: np.ndarray, table: np.ndarray) -> np.ndarray:
    """The results of the table for images (N, H, W, C)."""
    count, height, width, channels = stack.shape
    first = table.shape[0] != 256  # channels before lines
    shape = (count, channels, height, width) if first else stack.shape
    result = memory.empty(shape, table.dtype)
    if channels == 1:
        cv2.LUT(
            stack.reshape(count * height, width), table.reshape(256, 1), result.reshape(-1, width)
        )
        return result
    if not first:
        cv2.LUT(
            stack.reshape(count * height, width, channels),
            table,
            result.reshape(count * height, width, channels),
        )
        return result
    columns = [np.ascontiguousarray(plane).reshape(256, 1) for plane in table]
    together = max(1, CACHED // (height * width * channels))
    planes = [np.empty((together * height, width), np.uint8) for _ in range(channels)]
    for begin in range(0, count, together):  # small images at once, large ones singly
        images = stack[begin : begin + together]
        lines = len(images) * height
        levels = cv2.split(images.reshape(lines, width, channels), [p[:lines] for p in planes])
        for k, level in enumerate(levels):
            if len(images) == 1:
                cv2.LUT(level, columns[k], result[begin, k])
            else:
                found = cv2.LUT(level, columns[k])
                result[begin : begin + together, k] = found.reshape(-1, height, width)
    return result


def chain(first: TensorOperation, following: list[Any]) -> tuple[TensorOperation, int]:
    """`first` and those of the `following` that a table can take in, as one transform; and how many they are."""
    operations = [first]
    while len(operations) <= len(following) and getattr(
        following[len(operations) - 1], "by_level", False
    ):
        operations.append(following[len(operations) - 1])
    return (Levels(operations), len(operations)) if len(operations) > 1 else (first, 1)
