"""The original reads summaries of this package. Runs only where ANYSPORE_ORACLE names a Python that has it."""
from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pytest

import mindspore as ms
from mindspore import SummaryRecord, Tensor, nn
from mindspore.formats.events import EVENTS, read_events

ORACLE = os.environ.get("ANYSPORE_ORACLE")
pytestmark = [
    pytest.mark.skipif(not ORACLE, reason="ANYSPORE_ORACLE names no interpreter"),
    pytest.mark.slow,
]
READ = """
import json, struct, sys
from mindspore.train import summary_pb2
data, at, found = open(sys.argv[1], "rb").read(), 0, []
while at < len(data):
    length, = struct.unpack_from("<Q", data, at)
    event = summary_pb2.Event.FromString(data[at + 12:at + 12 + length])
    assert event.IsInitialized() and event.SerializeToString() == data[at + 12:at + 12 + length]
    found.append([event.step, event.WhichOneof("what"), [v.tag for v in event.summary.value],
                  [n.op_type for n in event.graph_def.node]])
    at += 16 + length
print("FOUND", json.dumps(found))
"""
WRITE = """
import sys
import numpy as np
import mindspore as ms
if __name__ == "__main__":
    with np.load(sys.argv[2]) as archive:
        arrays = dict(archive)
    with ms.SummaryRecord(sys.argv[1]) as record:
        for name in arrays:
            record.add_value(name.split("/")[0], name, ms.Tensor(arrays[name]))
        record.record(4)
    print("FOUND", record.log_dir)
"""


def ask(program, folder, *arguments):
    script = folder / "program.py"
    script.write_text(program)
    run = subprocess.run([ORACLE, str(script), *map(str, arguments)], capture_output=True, text=True, timeout=300,
                         env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    return next(line for line in run.stdout.splitlines() if line.startswith("FOUND")).split(" ", 1)[1]


def values():
    draw = np.random.default_rng(0)
    found = {f"histogram/{n}": draw.standard_normal(n).astype(np.float32) for n in (0, 1, 5, 6, 10, 11, 880, 881)}
    found |= {f"histogram/{t}": (draw.standard_normal(300) * 20).astype(t) for t in ("float16", "float64", "int32",
                                                                                     "int64", "int16")}
    found["histogram/one"] = np.full(7, 3, np.int32)
    found["histogram/bad"] = np.array([np.nan, 1, np.inf, -np.inf, 2], np.float32)
    for shape in ((1, 1), (8, 1), (9, 1), (1, 3), (8, 3), (9, 3)):
        found["image/{}.{}".format(*shape)] = draw.standard_normal((*shape, 5, 4)).astype(np.float32)
    found["image/unit"] = draw.random((2, 3, 4, 4)).astype(np.float32)
    found["image/bytes"] = draw.integers(0, 256, (2, 3, 4, 4)).astype(np.uint8)
    found |= {f"tensor/{t}": (draw.random((2, 3)) * 9).astype(t) for t in ("float16", "float64", "int8", "uint32")}
    found |= {f"scalar/{t}": np.array(1.7).astype(t) for t in ("float16", "float64", "int8", "bool")}
    return found


def test_the_same_values_have_the_same_bytes(tmp_path):
    np.savez(tmp_path / "values.npz", **values())
    theirs = list(read_events(ask(WRITE, tmp_path, tmp_path / "theirs", tmp_path / "values.npz")))[1]
    with SummaryRecord(str(tmp_path / "ours")) as record:
        for name, array in values().items():
            record.add_value(name.split("/")[0], name, Tensor(array))
        record.record(4)
    ours = list(read_events(record.log_dir))[1]
    assert ours.step == theirs.step == 4
    assert [v.tag for v in ours.summary.value] == [v.tag for v in theirs.summary.value]
    for found, wanted in zip(ours.summary.value, theirs.summary.value, strict=True):
        assert found.SerializeToString() == wanted.SerializeToString(), found.tag


def test_the_original_reads_what_was_written_here(tmp_path):
    net = nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with SummaryRecord(str(tmp_path), network=net) as record:
            net(Tensor(np.ones((2, 3), np.float32)))
            record.add_value("scalar", "s", Tensor(1.0))
            record.add_value("landscape", "l", EVENTS.LossLandscape())
            record.record(5)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    found = json.loads(ask(READ, tmp_path, record.log_dir))
    assert [one[:3] for one in found] == [
        [0, "version", []], [0, "graph_def", []], [5, "summary", ["l"]], [5, "summary", ["s"]]]
    assert found[1][3] == ["Dense", "ReLU"]
