"""Pipelines made again from the plain values that `describe` wrote, and the public functions for both."""

from __future__ import annotations

import enum
import importlib
import inspect
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core import dtype, json_text, log
from mindspore.core.errors import shortened
from mindspore.dataset import checked as check
from mindspore.dataset.block import RowBlock
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.describe import described, write
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.sampler_base import BuiltinSampler, Shuffle
from mindspore.dataset.transforms.base import TensorOperation

HOMES = [  # modules with the classes that JSON names
    "mindspore.dataset.vision",
    "mindspore.dataset.transforms",
    "mindspore.dataset.text",
    "mindspore.dataset.audio",
    "mindspore.dataset",
    "mindspore.dataset.samplers",
]
SHUFFLES = ["FALSE", "FILES", "GLOBAL", "INFILE"]  # numbers in JSON of the original
FORMER = {"HwcToChw": "HWC2CHW", "Zip": "ZipDataset", "PadedBatch": "PaddedBatchDataset"}


def serialize(dataset: Dataset, json_filepath: str = "") -> dict[str, Any]:
    """A pipeline as a dict of plain values, written to a JSON file if one is named.

    Python functions and large arrays are named only, so that pipelines with them can be shown but not made again.

    Args:
        dataset: The pipeline.
        json_filepath: The file; "" for none.

    Returns:
        The dict.

    Raises:
        TypeError: If `dataset` is no Dataset, or `json_filepath` no str.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2, 3], shuffle=False).batch(2)
        >>> described = dataset.serialize(data)
        >>> described["op_type"], described["children"][0]["op_type"]
        ('Batch', 'NumpySlicesDataset')
    """
    check.instance("serialize", "dataset", dataset, Dataset)
    check.string("serialize", "json_filepath", json_filepath)
    content = described(dataset)
    if json_filepath:
        write(content, json_filepath)
    return content


def show(dataset: Dataset, indentation: int = 2) -> None:
    """Log a pipeline as JSON, at the level INFO.

    Args:
        dataset: The pipeline.
        indentation: Spaces of a level.

    Raises:
        TypeError, ValueError: If `dataset` is no Dataset, or `indentation` no int from 0 on.

    Examples:
        >>> dataset.show(dataset.NumpySlicesDataset([1, 2, 3]))     # seen where GLOG_v is 1
    """
    check.integer("show", "indentation", indentation, 0)
    log.info(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Whether two pipelines are described by the same JSON.

    Args:
        pipeline1, pipeline2: Two pipelines.

    Examples:
        >>> dataset.compare(dataset.NumpySlicesDataset([1]).skip(1), dataset.NumpySlicesDataset([1]).skip(2))
        False
    """
    return serialize(pipeline1) == serialize(pipeline2)


def deserialize(input_dict: dict | None = None, json_filepath: str | None = None) -> Dataset:
    """The pipeline that `serialize` wrote, from its dict or its file.

    Args:
        input_dict: The dict.
        json_filepath: Path of the file.

    Raises:
        ValueError: Neither or both are given, or the dict describes no pipeline.
        PipelineError: The file is damaged or describes no pipeline, or the pipeline contains a Python function or rows
            of this process, which JSON does not hold.

    Examples:
        >>> written = dataset.serialize(dataset.FakeImageDataset(2, (4, 6, 3)).skip(1))
        >>> dataset.deserialize(written).get_dataset_size()
        1
    """
    if (input_dict is None) == (json_filepath is None):
        raise ValueError(
            "For 'deserialize', either 'input_dict' or 'json_filepath' must be given, not both."
        )
    if json_filepath is not None:
        path = check.file("deserialize", "json_filepath", json_filepath)
        try:
            input_dict = json_text.read(path)
        except ValueError as error:
            raise PipelineError(
                f"For 'deserialize', the file '{json_filepath}' must be JSON, but: {error}"
            ) from None
        if not isinstance(input_dict, dict):
            raise PipelineError(f"For 'deserialize', the file '{json_filepath}' must be a JSON object.")
    content = check.instance("deserialize", "input_dict", input_dict, dict)
    try:
        return _dataset(content.get("tree", content))
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        if json_filepath is None and isinstance(error, (ValueError, TypeError)):
            raise
        place = f"the file '{json_filepath}'" if json_filepath is not None else "'input_dict'"
        raise PipelineError(
            f"For 'deserialize', {place} does not describe a pipeline: {type(error).__name__}: {shortened(error)}"
        ) from error


class DeserializedDataset(Dataset):
    """The pipeline that `serialize` wrote, from its dict or the path of its file, as one dataset.

    Args:
        input_obj: The dict, or the path of the file.

    Examples:
        >>> written = dataset.serialize(dataset.FakeImageDataset(2, (4, 6, 3)).skip(1))
        >>> dataset.DeserializedDataset(written).get_dataset_size()
        1
    """

    def __init__(self, input_obj: Any):
        if isinstance(input_obj, dict):
            super().__init__(deserialize(input_obj))
        else:
            super().__init__(deserialize(json_filepath=input_obj))

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return self.children[0].blocks(run.child())


def _named(owner: str, name: str, base: type) -> Any:
    """The class of this name in the modules of pipelines."""
    for candidate in (FORMER.get(name, name), name + "Dataset"):
        for home in HOMES:
            try:
                found = getattr(importlib.import_module(home), candidate, None)
            except ModuleNotFoundError:
                continue
            if isinstance(found, type) and issubclass(found, base):
                return found
    raise ValueError(f"For 'deserialize', the {owner} '{name}' is not known.")


def _dataset(content: dict[str, Any]) -> Dataset:
    if not isinstance(content, dict) or "op_type" not in content:
        raise ValueError(
            "For 'deserialize', a step of a pipeline must be a dict with 'op_type', but got "
            f"{str(content)[:80]}."
        )
    children = [_dataset(child) for child in content.get("children", [])]
    kind = _named("step", content["op_type"], Dataset)
    arguments = _arguments(kind, content)
    if not children:
        missing = [
            name
            for name, p in inspect.signature(kind).parameters.items()
            if p.default is p.empty and name not in arguments
        ]
        if missing:
            raise PipelineError(
                f"For 'deserialize', the '{', '.join(missing)}' of '{kind.__name__}' is not in the JSON: "
                "it was an object of the process that wrote it."
            )
        return kind(**arguments)
    first = next(iter(inspect.signature(kind).parameters))
    many = len(children) > 1 or first == "datasets"
    return kind(tuple(children) if many else children[0], **arguments)


def _arguments(kind: Any, content: dict[str, Any]) -> dict[str, Any]:
    """Arguments for a class from the values that JSON has for them; those without a meaning here are left out."""
    found = {}
    for name, parameter in inspect.signature(kind).parameters.items():
        if name in content and content[name] not in (None, [], ""):
            found[name] = _value(kind, name, content[name], parameter.default)
    return found


def _value(kind: Any, name: str, value: Any, default: Any) -> Any:
    if isinstance(default, enum.Enum) and isinstance(value, (str, int)):
        members = type(default).__members__
        if type(default) is Shuffle and isinstance(value, int):
            return members[SHUFFLES[value]]
        return members[str(value)] if value in members else type(default)(value)
    if name == "shuffle" and isinstance(value, str):  # where the default is None
        return Shuffle[value]
    if isinstance(value, list):
        return [_value(kind, name, item, None) for item in value]
    if not isinstance(value, dict):
        return value if name != "data_type" and name != "dtype" else _type(value)
    if "python_object" in value or "python_module" in value:
        raise PipelineError(
            f"For 'deserialize', the '{name}' of '{kind.__name__}' was a Python object, "
            f"{value.get('python_object', value.get('tensor_op_name'))}, which JSON does not hold."
        )
    if "tensor_op_name" in value:
        operation = _named("transform", value["tensor_op_name"], TensorOperation)
        return _made(operation, value.get("tensor_op_params") or {})
    if "sampler_name" in value:
        return _made(_named("sampler", value["sampler_name"], BuiltinSampler), value)
    return np.array(value["array"], value["dtype"]) if "array" in value else value


def _made(kind: Any, content: dict[str, Any]) -> Any:
    arguments = _arguments(kind, content)
    spread = [
        name for name, p in inspect.signature(kind).parameters.items() if p.kind is p.VAR_POSITIONAL
    ]
    return kind(*arguments.pop(spread[0], []), **arguments) if spread else kind(**arguments)


def _type(name: Any) -> Any:
    return getattr(dtype, name, None) or np.dtype(name)
