"""MindInsight 2.3.1 reads the summaries of this package.

Runs only where ANYSPORE_MINDINSIGHT names a Python that has it, with what its reader uses: protobuf 3.20, NumPy 1,
psutil, pillow, marshmallow, treelib, yaml, six.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mindspore import SummaryRecord, Tensor

READER = os.environ.get("ANYSPORE_MINDINSIGHT")
pytestmark = [
    pytest.mark.skipif(not READER, reason="ANYSPORE_MINDINSIGHT names no interpreter"),
    pytest.mark.slow,
]
HERE = Path(__file__).parent
TRAINING = {"mode": 0, "epochs": 2, "rows": 12, "batch": 4, "evaluates": True, "collect_freq": 2,
            "custom_lineage_data": {"who": "someone", "n": 3, "rate": 0.5}}


def found_in(folder, home, *more):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment |= {"HOME": str(home), "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    done = subprocess.run([READER, str(HERE / "mindinsight_reader.py"), str(folder), *more], capture_output=True,
                          text=True, timeout=300, env=environment, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.rpartition("FOUND")[2])


def test_values_are_read_as_they_were_recorded(tmp_path):
    draw = np.random.default_rng(0)
    scalars = draw.standard_normal(3).astype(np.float32)
    tensors = draw.standard_normal((3, 2, 4)).astype(np.float32)
    pictures = draw.random((3, 2, 3, 5, 7)).astype(np.float32)
    with SummaryRecord(str(tmp_path / "out")) as record:
        for step in range(3):
            record.add_value("scalar", "loss", Tensor(scalars[step]))
            record.add_value("tensor", "x", Tensor(tensors[step]))
            record.add_value("histogram", "h", Tensor(tensors[step]))
            record.add_value("image", "p", Tensor(pictures[step]))
            record.record(step + 1)
    found, _ = found_in(tmp_path / "out", tmp_path)
    assert found["scalar"]["loss/scalar"] == [[k + 1, float(scalars[k])] for k in range(3)]
    assert found["tensor"]["x/tensor"] == [[k + 1, [[2, 4], tensors[k].tolist()]] for k in range(3)]
    assert [step for step, _ in found["image"]["p/image"]] == [1, 2, 3]
    assert all(size[:3] == [5, 14, 3] for _, size in found["image"]["p/image"])      # two side by side
    for step, (count, least, most) in found["histogram"]["h/histogram"]:
        assert (count, least, most) == (8, tensors[step - 1].min(), tensors[step - 1].max())


def test_a_collected_training_and_its_lineage_are_read(tmp_path):
    folder = tmp_path / "out"
    subprocess.run([sys.executable, str(HERE / "collected_training.py"), str(folder), json.dumps(TRAINING)], check=True,
                   timeout=300, capture_output=True)
    found, lineage = found_in(folder, tmp_path, "lineage")
    assert set(found["scalar"]) == {"loss/auto/scalar", "mean/scalar"}
    assert set(found["image"]) == {"input_data/auto/image", "picture/image"}
    assert {"conv.weight/auto/histogram", "spread/histogram"} <= set(found["histogram"])
    assert [step for step, _ in found["scalar"]["loss/auto/scalar"]] == [1, 2, 4, 6]
    (((_, nodes),),) = found["graph"].values()
    assert nodes > 50
    names = ("network", "optimizer", "loss_function", "epoch", "batch_size", "user_defined")
    assert {name: lineage[name] for name in names} == {
        "network": "Net", "optimizer": "Momentum", "loss_function": "SoftmaxCrossEntropyWithLogits", "epoch": 2,
        "batch_size": 4, "user_defined": {"who": "someone", "n": 3, "rate": 0.5}}
    assert lineage["train_dataset_count"] == lineage["test_dataset_count"] == 12
    assert 0 <= lineage["metric"]["acc"] <= 1
    steps, node = [], lineage["dataset_graph"]
    while node:
        steps.append(node["op_type"])
        node = next(iter(node.get("children", [])), None)
    assert steps == ["Batch", "Map", "Map", "GeneratorDataset"]
