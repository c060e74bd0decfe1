"""What a network does of a data pipeline's transforms."""
from __future__ import annotations

from typing import Any

from mindspore.nn import Cell


class GetOffloadModel(Cell):
    """The transforms that a pipeline leaves to the device, as a cell on batches.

    Where the CPU is the device, the pipeline's workers do all of them, `offload=True` or not, so that nothing is left:
    batches are returned unchanged.

    Args:
        dataset_consumer: The dataset.
        ds_cols: Names of its columns.
    """

    def __init__(self, dataset_consumer: Any, ds_cols: list[str]):
        super().__init__(auto_prefix=False)
        self.ds_cols = list(ds_cols)

    def construct(self, *x: Any) -> list[Any]:
        return list(x)
