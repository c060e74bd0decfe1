"""Lineage: what a training or evaluation was made of, in messages by which runs are compared."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from mindspore.core import log
from mindspore.core.context import get_auto_parallel_context
from mindspore.dataset.describe import described
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import Parameter
from mindspore.formats.events import LINEAGE
from mindspore.nn import Cell, Optimizer
from mindspore.nn.losses.base import LossBase

from .dataset_graph import ROWS

_PLACES = ("dataset_dir", "dataset_file", "dataset_files")     # arguments that say where rows come from


def train_lineage(now: Any, loss: float | None) -> Any:
    """The message of a training, from the state of the run and its last loss."""
    made = LINEAGE.TrainLineage()
    hyper = made.hyper_parameters
    optimizer = optimizer_of(now)
    if optimizer is not None:
        hyper.optimizer = type(optimizer).__name__
        _enter_rate(hyper, optimizer.learning_rate)
    function = now.get("loss_fn") or _inside(now.train_network, LossBase)
    if function is not None:
        hyper.loss_function = type(function).__name__ if isinstance(function, Cell) else _name(function)
    hyper.epoch = now.epoch_num
    hyper.parallel_mode = now.get("parallel_mode") or get_auto_parallel_context("parallel_mode")
    hyper.device_num = now.get("device_number") or get_group_size()
    hyper.batch_size = now.train_dataset.get_batch_size()
    _enter_dataset(made.train_dataset, now.train_dataset)
    made.algorithm.network = type(now.network).__name__
    if loss is not None:
        made.algorithm.loss = loss
    path = now.get("latest_ckpt_file")
    path = None if path is None else os.path.realpath(path)
    made.model.path = json.dumps({"ckpt": path})
    made.model.size = os.path.getsize(path) if path is not None and os.path.exists(path) else 0
    return made


def eval_lineage(now: Any) -> Any:
    """The message of an evaluation, from the state of the run."""
    made = LINEAGE.EvaluationLineage(metric=json.dumps(now.metrics, default=_listed))
    _enter_dataset(made.valid_dataset, now.valid_dataset)
    return made


def custom_lineage(given: dict[str, int | float | str]) -> Any:
    """The message of what a program says of itself: one part per name."""
    made = LINEAGE.UserDefinedInfo()
    for name, value in given.items():
        part = made.user_info.add()
        if isinstance(value, str):
            part.map_str[name] = value
        elif isinstance(value, float):
            part.map_double[name] = value
        else:
            part.map_int32[name] = value
    return made


def optimizer_of(now: Any) -> Optimizer | None:
    """The optimizer of a run, also one inside of the cell of a step."""
    found = now.get("optimizer") or _inside(now.train_network, Optimizer)
    return found if isinstance(getattr(found, "opt", found), Optimizer) else None


def _inside(network: Any, kind: type) -> Any:
    if not isinstance(network, Cell):
        return None
    return next((cell for _, cell in network.cells_and_names() if isinstance(cell, kind)), None)


def _enter_rate(out: Any, rate: Any) -> None:
    if isinstance(rate, Parameter):
        out.learning_rate = float(np.float32(rate.asnumpy().reshape(-1)[0]))
    else:
        log.warning("For 'SummaryCollector', the learning rate is not recorded in the lineage, as it is no one number: "
                    "the optimizer has a %s.", type(rate).__name__)


def _enter_dataset(out: Any, dataset: Any) -> None:
    place = _place(described(dataset, without=ROWS))
    if place:
        out.path = place
    out.size = dataset.get_dataset_size() * max(dataset.get_batch_size(), 1)


def _place(node: dict[str, Any]) -> str | None:
    """Where the first source of a pipeline finds its rows, or None."""
    for name in _PLACES:
        found = node.get(name)
        found = found[0] if isinstance(found, list) and found else found
        if isinstance(found, str):
            return found
    return next(filter(None, map(_place, node["children"])), None)


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _listed(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
