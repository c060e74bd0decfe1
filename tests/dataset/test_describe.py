from __future__ import annotations

import json

import numpy as np

import mindspore.dataset as ds
from mindspore.dataset import describe, transforms
from mindspore.dataset._methods import METHODS


def test_a_pipeline_is_described_by_plain_values():
    data = ds.NumpySlicesDataset([1, 2], shuffle=False).map(transforms.Slice(slice(0, 1))).batch(2, True)
    content = describe.described(data)
    assert (content["op_type"], content["batch_size"], content["drop_remainder"]) == ("Batch", 2, True)
    (mapped,) = content["children"]
    assert mapped["operations"]["tensor_op_name"] == "Slice"
    assert mapped["children"][0]["op_type"] == "NumpySlicesDataset"


def test_what_json_does_not_hold_is_named(tmp_path):
    data = ds.NumpySlicesDataset(np.zeros(describe.MOST + 1), shuffle=False).map(lambda x: x)
    path = tmp_path / "a.json"
    describe.write(describe.described(data), str(path))
    content = json.loads(path.read_text())
    assert content["operations"]["python_object"].endswith("<lambda>")
    assert content["children"][0]["data"] == {"python_object": "numpy.ndarray"}
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_every_method_for_an_operation_has_one():
    assert all(callable(getattr(ds.Dataset, name)) for name in METHODS)
    assert {"map", "batch", "zip", "save", "split", "build_vocab"} <= set(METHODS)
