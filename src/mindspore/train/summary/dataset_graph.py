"""Data pipelines as summaries show them: the last step with its operations, and the steps before it as children."""
from __future__ import annotations

import json
from typing import Any

from mindspore.dataset import config
from mindspore.dataset.describe import described, plain
from mindspore.dataset.native_operations import native_operation
from mindspore.formats.events import LINEAGE

_IN_MEMORY = {"NumpySlicesDataset": "GeneratorDataset", "PaddedDataset": "GeneratorDataset", "PaddedBatch": "Batch"}
_ALONE = ("Shuffle", "Skip", "Take", "Repeat", "Rename", "Project", "Concat")       # work without workers and queues
ROWS = ("data", "source", "padded_samples")                                         # contents, not settings
_LISTED = ("input_columns", "output_columns", "columns", "column_names")


def dataset_graph(dataset: Any) -> Any:
    """The message of a pipeline."""
    return _graph(dataset, described(dataset, without=ROWS))


def _graph(step: Any, node: dict[str, Any]) -> Any:
    made = LINEAGE.DatasetGraph()
    own: str = node["op_type"]
    kind = _IN_MEMORY.get(own, own)
    for name, value in _settings(step, kind, node).items():
        _enter(made.parameter, name, value)
    for child, inner in zip(step.children, node["children"], strict=True):
        made.children.append(_graph(child, inner))
    for operation in getattr(step, "operations", []):
        _operation(made.operations.add().operationParam, native_operation(operation) or plain(operation))
    if isinstance(node.get("sampler"), dict):
        for name, value in node["sampler"].items():
            _enter(made.sampler.operationParam, name, value)
    return made


def _settings(step: Any, kind: str, node: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a step by name, with the numbers that the settings of all pipelines give it."""
    found = {name: value for name, value in node.items()
             if name not in ("children", "operations", "sampler")} | {"op_type": kind}
    if kind == "GeneratorDataset":
        found = {name: value for name, value in found.items() if name not in ("shuffle", "column_names")}
    for name in _LISTED:
        if isinstance(found.get(name), str):
            found[name] = [found[name]]
    if kind == "Map":
        found.setdefault("output_columns", found.get("input_columns", []))
    if kind not in _ALONE:
        workers = 1 if kind == "GeneratorDataset" else config.get_num_parallel_workers()
        found["num_parallel_workers"] = step.num_parallel_workers or workers
        found["connector_queue_size"] = config.get_prefetch_size()
    return found


def _operation(out: Any, operation: Any) -> None:
    """An operation in the words of native readers, or by class and arguments; a function by its name and module."""
    if "python_object" in operation:
        home, _, name = operation["python_object"].rpartition(".")
        _enter(out, "tensor_op_name", name)
        _enter(out, "python_module", home)
        return
    _enter(out, "tensor_op_name", operation.get("tensor_op_name", str(operation)))
    params = operation.get("tensor_op_params")
    _enter(out, "tensor_op_params", json.dumps(params, sort_keys=True) if params else None)


def _enter(out: Any, name: str, value: Any) -> None:
    """Enter a value under the type that it has; what has none of its own is a text."""
    if isinstance(value, bool):
        out.mapBool[name] = value
    elif isinstance(value, int) and -2**31 <= value < 2**31:
        out.mapInt[name] = value
    elif isinstance(value, float):
        out.mapDouble[name] = value
    elif isinstance(value, list):
        if value:
            out.mapStrList[name].strValue.extend(map(json.dumps, value))
    elif isinstance(value, dict):
        out.mapStr[name] = json.dumps(value, sort_keys=True)
    else:
        out.mapStr[name] = str(value)
