"""TensorBoard reads what the option writes.

Runs only where ANYSPORE_TENSORBOARD names a Python that has TensorBoard.
"""
from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pytest

from mindspore import SummaryRecord, Tensor, ops

TENSORBOARD = os.environ.get("ANYSPORE_TENSORBOARD")
pytestmark = [
    pytest.mark.skipif(not TENSORBOARD, reason="ANYSPORE_TENSORBOARD names no interpreter"),
    pytest.mark.slow,
]
READ = """
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util.tensor_util import make_ndarray
read = EventAccumulator(sys.argv[1], size_guidance={"histograms": 0, "images": 0, "tensors": 0, "scalars": 0})  # all
read.Reload()
print("FOUND", json.dumps({
    "s": [(e.step, e.value) for e in read.Scalars("s")],
    "t": [(e.step, make_ndarray(e.tensor_proto).tolist()) for e in read.Tensors("t")],
    "h": [(e.step, e.histogram_value.num, list(e.histogram_value.bucket)) for e in read.Histograms("h")],
    "i": [(e.step, e.width, e.height, e.encoded_image_string[1:4].decode()) for e in read.Images("i")],
}))
"""


def test_tensorboard_finds_every_value(tmp_path):
    with SummaryRecord(str(tmp_path), export_options={"event_format": "tensorboard"}) as record:
        for step in (1, 2):
            record.add_value("scalar", "s", Tensor(0.5 * step))
            record.add_value("histogram", "h", Tensor(np.array([0.0, 1.0, 3.0], np.float32)))
            record.add_value("image", "i", ops.ones((1, 3, 2, 4)))
            record.add_value("tensor", "t", Tensor([[1.0, 2.0]]))
            record.record(step)
    path, = tmp_path.glob("*tfevents*")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run([TENSORBOARD, "-c", READ, str(path)], capture_output=True, text=True, timeout=300,
                         env=environment, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    found = json.loads(next(line for line in run.stdout.splitlines() if line.startswith("FOUND")).split(" ", 1)[1])
    assert found == {"s": [[1, 0.5], [2, 1.0]], "t": [[1, [[1.0, 2.0]]], [2, [[1.0, 2.0]]]],
                     "h": [[1, 3.0, [2.0, 1.0]], [2, 3.0, [2.0, 1.0]]], "i": [[1, 4, 2, "PNG"], [2, 4, 2, "PNG"]]}
