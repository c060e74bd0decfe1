"""A collector leaves what the original's leaves of the same training, event by event.

Runs only where ANYSPORE_ORACLE names a Python that has the original.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from summaries import read

ORACLE = os.environ.get("ANYSPORE_ORACLE")
pytestmark = [
    pytest.mark.skipif(not ORACLE, reason="ANYSPORE_ORACLE names no interpreter"),
    pytest.mark.slow,
]
PROGRAM = Path(__file__).with_name("collected_training.py")
COMMON = {"mode": 0, "epochs": 2, "rows": 12, "batch": 4, "evaluates": False}
CASES = {
    "default": {"evaluates": True, "custom_lineage_data": {"who": "someone", "n": 3, "rate": 0.5}},
    "pynative": {"mode": 1, "collect_freq": 2},
    "tensors_by_default": {"epochs": 10, "batch": 1, "collect_freq": 1,
                           "collect_specified_data": {"collect_landscape": None, "collect_input_data": False}},
    "tensors_by_frequency": {"epochs": 4, "collect_freq": 2, "collect_tensor_freq": 3},
    "chosen": {"collect_specified_data": {"collect_metric": False, "histogram_regular": "fc.*"}, "collect_freq": 3},
    "only_chosen": {"collect_specified_data": {"collect_metric": True}, "keep_default_action": False},
    "landscape_by_epochs": {"epochs": 4, "collect_specified_data": {
        "collect_landscape": {"unit": "epoch", "intervals": [[1, 2, 3]], "num_samples": 4, "landscape_size": 5}}},
    "small_files": {"max_file_size": 1000},
    "exported": {"export_options": {"tensor_format": "npy"}, "epochs": 1},
}


def left(python, folder, options, path=None):
    """What a training leaves: its files, without what is the time's, and its events."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | ({"PYTHONPATH": path} if path else {})
    done = subprocess.run([python, str(PROGRAM), str(folder), json.dumps(options)], capture_output=True, text=True,
                          timeout=300, env=environment, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    kept = folder / "ckpt_dir" / "train_metadata.json"
    told = json.loads(kept.read_text().replace(str(folder), "")) if kept.exists() else None
    return [_timeless(name) for name in files], told, read(folder)


def _timeless(name):
    return re.sub(r"(?<=[._])\d{10}(?=[./])", "T", name)


def assert_alike(ours, theirs):
    kind = theirs.WhichOneof("value")
    assert (ours.tag, ours.WhichOneof("value")) == (theirs.tag, kind)
    if kind == "scalar_value":
        assert ours.scalar_value == pytest.approx(theirs.scalar_value, rel=1e-4, abs=1e-5)
    elif kind == "image":
        assert ours.image == theirs.image
    elif kind == "tensor":
        assert (list(ours.tensor.dims), ours.tensor.data_type) == (list(theirs.tensor.dims), theirs.tensor.data_type)
        assert np.allclose(ours.tensor.float_data, theirs.tensor.float_data, rtol=1e-4, atol=1e-5)
    else:
        assert [len(one.histogram.buckets) for one in (ours, theirs)] == [len(theirs.histogram.buckets)] * 2
        assert ours.histogram.count == theirs.histogram.count
        for name in ("min", "max", "sum"):
            assert getattr(ours.histogram, name) == pytest.approx(getattr(theirs.histogram, name), rel=1e-3, abs=1e-4)


def assert_same_lineage(ours, theirs):
    if theirs.HasField("train_lineage"):
        found, wanted = (event.train_lineage.algorithm for event in (ours, theirs))
        assert found.loss == pytest.approx(wanted.loss, rel=1e-4)
        found.loss = wanted.loss
    ours.wall_time = theirs.wall_time
    assert ours.SerializeToString(deterministic=True) == theirs.SerializeToString(deterministic=True)


@pytest.mark.parametrize("case", CASES)
def test_the_same_training_leaves_the_same(tmp_path, case):
    options = COMMON | CASES[case]
    files, told, events = left(sys.executable, tmp_path / "ours", options, os.environ.get("PYTHONPATH"))
    wanted_files, wanted_told, wanted = left(ORACLE, tmp_path / "theirs", options)
    assert files == wanted_files
    assert told == wanted_told
    assert [e.WhichOneof("what") for e in events["_MS"]] == [e.WhichOneof("what") for e in wanted["_MS"]]
    for ours, theirs in zip(events["_MS"], wanted["_MS"], strict=True):
        assert ours.step == theirs.step
        for one, other in zip(ours.summary.value, theirs.summary.value, strict=True):
            assert_alike(one, other)
    for ours, theirs in zip(events["_lineage"], wanted["_lineage"], strict=True):
        assert_same_lineage(ours, theirs)
