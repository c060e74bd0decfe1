"""Writing the rows of a dataset to MindRecord files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset._methods import method
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError

ROWS_AT_ONCE = 1024
_INTS = {"int32": "b i1 i2 i4 u1 u2", "int64": "u4 i8 u8"}
_TYPES = {code: kind for kind, codes in _INTS.items() for code in codes.split()}
_TYPES |= {"f2": "float32", "f4": "float32", "f8": "float64"}

Value = Callable[[np.ndarray], Any]


@method("save")
def save(dataset: Dataset, file_name: str, num_files: int) -> None:
    """Write the rows of one pass.

    Numbers of other types than int32, int64, float32 and float64 become the next larger one of these.

    Raises:
        PipelineError: A column has arrays of texts, or of a type that MindRecord files do not have.
        MRMWriteDatasetError: The files exist already, or cannot be written.
    """
    from mindspore.mindrecord.filewriter import FileWriter  # which not every pipeline needs

    names = dataset.get_col_names()
    writer = FileWriter(file_name, num_files)
    values: list[Value] = []
    pending: list[dict[str, Any]] = []
    for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
        if not values:
            described = [_described(name, array) for name, array in zip(names, row, strict=True)]
            fields = zip(names, described, strict=True)
            writer.add_schema({name: field for name, (field, _) in fields}, "mindrecord")
            values = [value for _, value in described]
        columns = zip(names, values, row, strict=True)
        pending.append({name: value(array) for name, value, array in columns})
        if len(pending) == ROWS_AT_ONCE:
            writer.write_raw_data(pending)
            pending = []
    if not values:
        raise PipelineError("For 'save', the dataset must have rows, but has none.")
    if pending:
        writer.write_raw_data(pending)
    writer.commit()


def _described(name: str, array: np.ndarray) -> tuple[dict[str, Any], Value]:
    """The field for a column with such arrays, and what makes values of it."""
    if isinstance(array, dict):
        raise PipelineError(
            f"For 'save', the column '{name}' must have numbers or single texts, but has dicts. Make columns of "
            "their values by 'map'."
        )
    kind = array.dtype.kind
    if kind in "US" and array.size == 1:
        if kind == "S":  # one element of NumPy's own arrays is filled up with zeros
            return {"type": "bytes"}, np.ndarray.tobytes if array.ndim else np.ndarray.item
        return {"type": "string"}, np.ndarray.item
    code = "b" if kind == "b" else f"{kind}{array.dtype.itemsize}"
    if code not in _TYPES:
        raise PipelineError(
            f"For 'save', the column '{name}' must have numbers or single texts, but has arrays of "
            f"{array.dtype} of the shape {list(array.shape)}."
        )
    wanted = _TYPES[code]
    if array.ndim:
        shape = [-1, *array.shape[1:]]
        return {"type": wanted, "shape": shape}, lambda a: np.asarray(a, wanted)
    number = float if wanted.startswith("float") else int
    return {"type": wanted}, lambda a: number(a.item())
