"""Strategy files: how the operators of a program are cut and how its parameters lie, one file for each stage.

Protocol buffers of the older language (package `mindspore.straspb`), or JSON where the name ends with `.json`. A merged
file holds all stages of a pipeline: the names of its parameters begin with the number of their stage and a dash.
"""
from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mindspore.core.errors import shortened
from mindspore.core.plain_files import regular
from mindspore.formats.files import atomic
from mindspore.formats.messages import Messages

_DIM = {"dim": (1, ["uint32"])}
STRATEGIES = Messages("mindspore.straspb", {
    "ParallelStrategyMap": {"current_stage": (1, "uint32"), "parallel_strategy_item": (2, ["ParallelStrategyItem"]),
                            "parallel_layout_item": (3, ["ParallelLayoutItem"])},
    "ParallelStrategyItem": {"node_name": (1, "string"), "parallel_strategys": (2, "ParallelStrategys")},
    "ParallelStrategys": {"stage": (1, "uint32"), "parallel_strategy": (2, ["ParallelStrategy"])},
    "ParallelStrategy": _DIM,
    "ParallelLayoutItem": {"param_name": (1, "string"), "parallel_layouts": (2, "ParallelLayouts")},
    "ParallelLayouts": {"dev_matrix": (1, ["DevMatrix"]), "tensor_map": (2, ["TensorMap"]),
                        "param_split_shape": (3, ["ParamSplitShape"]), "indices_offset": (4, ["IndicesOffset"]),
                        "field": (5, "int32"), "opt_weight_shard_step": (6, "int32"),
                        "opt_weight_shard_size": (7, "int32")},
    "DevMatrix": _DIM, "TensorMap": {"dim": (1, ["int32"])}, "ParamSplitShape": {"dim": (1, ["int64"])},
    "IndicesOffset": {"dim": (1, ["int64"])},
    "ParallelGroupMap": {"parallel_group_item": (1, ["ParallelGroupItem"]),
                         "ckpt_restore_rank_list": (2, "ParallelGroupRanks")},
    "ParallelGroupItem": {"group_name": (1, "string"), "parallel_group_ranks": (2, "ParallelGroupRanks")},
    "ParallelGroupRanks": _DIM,
}, "proto2")
_STAGE = re.compile(r"(\d+)-(.+)", re.DOTALL)


@dataclass(frozen=True)
class LayoutRow:
    """How a parameter lies over the devices of a stage.

    Attributes:
        dev_matrix: The number of devices along each axis, the last of which runs fastest.
        tensor_map: For every dimension the axis that cuts it, counted from the last one, -1 for none; several axes
            (in JSON only) as a tuple, the first of which cuts the whole.
        field: Into how many blocks the first dimension falls, each of which is cut by itself; 0 for one.
        step: How far the devices are apart that cut the first dimension further, as a parallel optimizer does.
        size: How many of them there are; 0 for none.
        splits: How long unequal pieces are, if the file says so.
        shape: The shape of a piece (in JSON only); () if the file does not say it.
    """

    dev_matrix: tuple[int, ...]
    tensor_map: tuple[Any, ...]
    field: int = 0
    step: int = 0
    size: int = 0
    splits: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()


@dataclass
class StrategyFile:
    """What a strategy file says.

    Attributes:
        stage: The stage of a pipeline; the last one of a merged file.
        strategies: By operator its stage and the numbers of parts of the dimensions of each input.
        layouts: By parameter, how it lies.
    """

    stage: int = 0
    strategies: dict[str, tuple[int, list[list[int]]]] = field(default_factory=dict[str, Any])
    layouts: dict[str, LayoutRow] = field(default_factory=dict[str, LayoutRow])


def staged(name: str) -> tuple[int | None, str]:
    """The stage that the name of a merged file begins with, None without, and the name of the parameter."""
    found = _STAGE.fullmatch(name)
    return (int(found[1]), found[2]) if found else (None, name)


def read_strategy(path: str) -> StrategyFile:
    """Read a strategy file.

    Raises:
        TypeError: It is no strategy file.
        OSError: It cannot be read.
    """
    with open(path, "rb", opener=regular) as file:
        data = file.read()
    try:
        return _from_json(json.loads(data)) if path.endswith(".json") else from_message(
            STRATEGIES.ParallelStrategyMap.FromString(data))
    except Exception as error:  # of the library's own class, which is loaded by need
        raise TypeError(f"The file {path} is no strategy file: {shortened(error)}. A file whose name ends with '.json' "
                        "is read as JSON, any other as protocol buffers.") from None


def write_strategy(path: str, content: StrategyFile) -> None:
    """Write a strategy file, completely or not at all."""
    with atomic(path) as file:
        file.write(json.dumps(_to_json(content)).encode() if path.endswith(".json")
                   else to_message(content).SerializeToString())


def from_message(message: Any) -> StrategyFile:
    """The content of a `ParallelStrategyMap`."""
    found = StrategyFile(message.current_stage)
    for item in message.parallel_strategy_item:
        found.strategies[_text(item.node_name)] = (item.parallel_strategys.stage,
                                            [list(s.dim) for s in item.parallel_strategys.parallel_strategy])
    for item in message.parallel_layout_item:
        found.layouts[_text(item.param_name)] = layout_of_message(item.parallel_layouts)
    return found


def _text(name: Any) -> str:
    """A name of a message, which are bytes where they are no text.  ValueError then."""
    if not isinstance(name, str):
        raise ValueError(f"the name {name!r} is no text in UTF-8")
    return name


def layout_of_message(message: Any) -> LayoutRow:
    """The row of a `ParallelLayouts`."""
    return LayoutRow(_dims(message.dev_matrix), _dims(message.tensor_map), message.field,
                     message.opt_weight_shard_step, message.opt_weight_shard_size, _dims(message.param_split_shape))


def _dims(repeated: Any) -> tuple[int, ...]:
    return tuple(repeated[0].dim) if repeated else ()


def to_message(content: StrategyFile) -> Any:
    """The `ParallelStrategyMap` of a content."""
    message = STRATEGIES.ParallelStrategyMap(current_stage=content.stage)
    for name, (stage, strategy) in content.strategies.items():
        item = message.parallel_strategy_item.add(node_name=name)
        item.parallel_strategys.stage = stage
        for dims in strategy:
            item.parallel_strategys.parallel_strategy.add(dim=dims)
    for name, row in content.layouts.items():
        if any([not isinstance(axis, int) for axis in row.tensor_map]):
            raise ValueError(f"The layout of '{name}' cuts a dimension by several axes, {row.tensor_map}, which only "
                             "JSON can say: give the file a name that ends with '.json'.")
        layout = message.parallel_layout_item.add(param_name=name).parallel_layouts
        layout.dev_matrix.add(dim=row.dev_matrix)
        layout.tensor_map.add(dim=row.tensor_map)
        layout.param_split_shape.add(dim=row.splits)
        layout.indices_offset.add()
        layout.field, layout.opt_weight_shard_step, layout.opt_weight_shard_size = row.field, row.step, row.size
    return message


def _from_json(body: Mapping[str, Any]) -> StrategyFile:
    found = StrategyFile(body["current_stage"])
    for name, item in body["parallel_strategy_item"].items():
        found.strategies[name] = item["stage"], [list(dims) for dims in item["parallel_strategy"]]
    for name, item in body["parallel_layout_item"].items():
        found.layouts[name] = LayoutRow(
            tuple(item["dev_matrix"]), tuple([_axis(a) for a in item["tensor_map"]]), item.get("field", 0),
            item.get("opt_weight_shard_step", 0), item.get("opt_weight_shard_size", 0),
            shape=tuple(item.get("tensor_shape", ())))
    return found


def _axis(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) else value


def _to_json(content: StrategyFile) -> dict[str, Any]:
    return {"current_stage": content.stage,
            "parallel_strategy_item": {name: {"stage": stage, "parallel_strategy": strategy}
                                       for name, (stage, strategy) in content.strategies.items()},
            "parallel_layout_item": {name: {
                "dev_matrix": row.dev_matrix, "tensor_map": row.tensor_map, "tensor_shape": row.shape,
                "field": row.field, "opt_weight_shard_step": row.step, "opt_weight_shard_size": row.size}
                for name, row in content.layouts.items()}}


def merged(files: Sequence[StrategyFile]) -> StrategyFile:
    """One content for the files of all stages."""
    found = StrategyFile(max([f.stage for f in files]))
    for one in files:
        found.strategies.update(one.strategies)
        found.layouts.update({f"{one.stage}-{name}": row for name, row in one.layouts.items()})
    return found


def read_groups(path: str) -> tuple[dict[str, list[int]], list[int]]:
    """The groups of a file of groups, by name, and the processes that have the same parameters.

    Raises:
        TypeError: It is no file of groups.
        OSError: It cannot be read.
    """
    with open(path, "rb", opener=regular) as file:
        data = file.read()
    try:
        message = STRATEGIES.ParallelGroupMap.FromString(data)
        groups = {_text(item.group_name): list(item.parallel_group_ranks.dim) for item in message.parallel_group_item}
    except Exception as error:  # of the library's own class, which is loaded by need
        raise TypeError(f"The file {path} is no file of groups: {shortened(error)}. It holds protocol buffers, and is "
                        "written beside a strategy file as `group_ckpt_save_file`.") from None
    return groups, list(message.ckpt_restore_rank_list.dim)


def write_groups(path: str, groups: Mapping[str, Sequence[int]], restore: Sequence[int]) -> None:
    """Write a file of groups, completely or not at all."""
    message = STRATEGIES.ParallelGroupMap()
    for name, ranks in groups.items():
        message.parallel_group_item.add(group_name=name).parallel_group_ranks.dim.extend(ranks)
    message.ckpt_restore_rank_list.dim.extend(restore)
    with atomic(path) as file:
        file.write(message.SerializeToString())
