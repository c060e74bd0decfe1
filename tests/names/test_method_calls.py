"""Keywords that real programs give to methods, from the census in the reference material."""
from __future__ import annotations

import csv
import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest

PLACES = ("mindspore", "mindspore.nn", "mindspore.dataset", "mindspore.train", "mindspore.mindrecord", "mindspore.ops",
          "mindspore.amp", "mindspore.dataset.text", "mindspore.dataset.engine.datasets",
          "mindspore.dataset.engine.iterators", "mindspore.nn.probability.distribution")
# The census tells methods by their name alone: these keywords are those of lists, NumPy, images, plots and of the
# cells of the programs.
OTHERS = {
    "sort": "key reverse", "resize": "resample", "eval": "session sync cut show_imgs", "init": "keep_res",
    "save": "writer fps quality format", "begin": "write buffers do_shuffle", "filter": "return_inter", "inverse": "y",
    "predict": "compute_loss stage", "rename": "columns inplace", "scatter": "label c cmap s", "softmax": "dim",
    "train": "mode loss_fn total_steps", "uniform": "high low size", "update": "n", "split": "maxsplit",
    "shard": "strategy_activation strategy_activation_org strategy_bias strategy_bias_down_sampler "
             "strategy_bias_up_sampler strategy_matmul strategy_matmul_down_sampler strategy_matmul_org "
             "strategy_matmul_up_sampler strategy_non_linearity strategy_org_dense_matmul strategy_residual_add "
             "out_strategy_matmul",
}


def found(name: str) -> Any:
    for place in PLACES:
        if hasattr(module := importlib.import_module(place), name):
            return getattr(module, name)
    raise AssertionError(name)


def takes(method: Any, keyword: str) -> bool:
    """Whether the signature shows a keyword, or a call without the rest complains about that, and not about it."""
    if isinstance(method, property):
        return True
    shown = inspect.signature(method).parameters
    if keyword in shown or any(p.kind is p.VAR_KEYWORD for p in shown.values()):
        return True
    try:
        method(**{keyword: object()})
    except TypeError as error:
        return "unexpected keyword" not in f"{error} {error.__cause__ or error.__context__}"
    except Exception:  # of its body, which the keyword has reached
        return True
    return True


@pytest.mark.compat
def test_some_class_takes_every_keyword_of_the_programs(reference):
    with open(Path(reference) / "api" / "usage_method_kwargs.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 150
    refused: dict[str, set[str]] = {}
    for row in rows:
        name = row["method"]
        methods = [getattr(found(c), name) for c in row["classes"].split("|") if hasattr(found(c), name)]
        if not any([takes(method, row["keyword"]) for method in methods]):
            refused.setdefault(name, set()).add(row["keyword"])
    assert refused == {name: set(words.split()) for name, words in OTHERS.items()}


# Names that no release takes, of one program each, and what only the NPU's own kernels took.
WRONG = {
    "mindspore.dataset.DistributedSampler": "num_replicas rank", "mindspore.dataset.GeneratorDataset": "olumn_names",
    "mindspore.load_checkpoint": "map_location", "mindspore.nn.Conv1d": "bias", "mindspore.nn.Conv2d": "bias pad_model",
    "mindspore.nn.Conv3d": "bias groups", "mindspore.nn.CrossEntropyLoss": "reduce", "mindspore.nn.Dense": "bias",
    "mindspore.nn.Softmax": "dim", "mindspore.numpy.arange": "device", "mindspore.ops.Cholesky": "split_dim",
    "mindspore.ops.Dropout": "p", "mindspore.ops.Im2Col": "kernel_size pad_mode stride",
    "mindspore.ops.MaxPool3D": "padding stride", "mindspore.ops.ReduceMean": "keepdims", "mindspore.ops.Softmax": "dim",
    "mindspore.ops.Zeros": "device dtype", "mindspore.ops.stack": "dim indexing",
}


GONE = {*[f"mindspore.ops.operations.{n}" for n in ("CusImg2Col", "CusMatMulCube", "UpdateThorGradient")],
        "mindspore.train.serialization.check_input_data"}


def attribute(place: str, name: str) -> Any:
    """What stands at a path, whose last parts may be attributes of a class."""
    try:
        return getattr(importlib.import_module(place), name)
    except ModuleNotFoundError:
        outer, _, last = place.rpartition(".")
        return getattr(attribute(outer, last), name)


@pytest.mark.compat
def test_functions_and_classes_take_every_keyword_of_the_programs(reference):
    with open(Path(reference) / "api" / "usage_kwargs.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 1000
    refused: dict[str, set[str]] = {}
    for row in rows:
        place, _, name = row["name"].rpartition(".")
        keyword = row["keyword"]
        if row["name"] not in GONE and not takes(attribute(place, name), keyword):
            refused.setdefault(row["name"], set()).add(keyword)
    assert refused == {name: set(words.split()) for name, words in WRONG.items()}
