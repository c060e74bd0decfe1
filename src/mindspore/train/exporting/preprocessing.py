"""The maps of a data pipeline in a MindIR file, where native readers find how to prepare the inputs of the graph."""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from mindspore.core import log
from mindspore.core.errors import show
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.native_operations import native_operation
from mindspore.dataset.operations.map import MapDataset

_COLUMN = "image"       # what a native reader prepares


def tensors_of(inputs: Sequence[Any], dataset: Dataset | None) -> tuple[Sequence[Any], Dataset | None]:
    """What `export` was given as inputs: a dataset among them gives an example of its column of images.

    Returns:
        The inputs with a tensor in the place of the dataset, and the dataset whose maps the file gets.

    Raises:
        ValueError: There are several datasets, or the one has no such column, or no rows.
    """
    places = [k for k, value in enumerate(inputs) if isinstance(value, Dataset)]
    if not places:
        return inputs, dataset
    if len(places) > 1 or dataset is not None:
        raise ValueError("For 'export', one dataset may say how the inputs are prepared, as an input or as 'dataset', "
                         f"but got {len(places) + (dataset is not None)}.")
    given = inputs[places[0]]
    if _COLUMN not in (names := given.get_col_names()):
        raise ValueError(f"For 'export', a dataset that is an input must have the column '{_COLUMN}', but has {names}.")
    for row in given.create_dict_iterator(num_epochs=1):
        return [row[_COLUMN] if k == places[0] else value for k, value in enumerate(inputs)], given
    raise ValueError("For 'export', a dataset that is an input must have rows, but it is empty.")


def add_preprocessing(message: Any, dataset: Any) -> None:
    """Enter the maps of a pipeline into the message of a model, those nearest to the source first.

    What is Python code is entered by its name only, and a warning says that a native reader cannot run it.

    Raises:
        TypeError: `dataset` is no Dataset.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"For 'export', the 'dataset' must be a Dataset, but got {show(dataset)}.")
    unsaid: list[str] = []
    for step in _maps(dataset):
        inputs = step.input_columns or step.children[0].get_col_names()[:1]
        operations = []
        for operation in step.operations:
            native = native_operation(operation)
            if native is None:
                native = _named(operation)
                unsaid.append(native["tensor_op_name"])
            operations.append(native)
        message.preprocessor.op.add(op_type='"Map"', input_columns=json.dumps(inputs),
                                    output_columns=json.dumps(step.output_columns or inputs),
                                    operations=json.dumps(operations))
    if unsaid:
        log.warning("The file of the model names the operations '%s' of the dataset, but no reader can run them: they "
                    "are Python code.", "', '".join(unsaid))


def _maps(step: Any) -> Iterator[MapDataset]:
    for child in step.children:
        yield from _maps(child)
    if isinstance(step, MapDataset):
        yield step


def _named(operation: Any) -> dict[str, Any]:
    name = getattr(operation, "__name__", type(operation).__name__)
    return {"python_module": getattr(operation, "__module__", type(operation).__module__), "tensor_op_name": name}
