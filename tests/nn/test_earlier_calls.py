"""Calls of 1.x on tensors, parameters, cells and files of records that later releases do not have."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, mindrecord, nn
from mindspore.common.initializer import initializer
from mindspore.mindrecord import FileReader, FileWriter
from mindspore.mindrecord.filewriter import MRMWriteDatasetError


def test_initial_values_are_assigned_as_in_programs_of_1_0():
    layer = nn.Dense(2, 1)
    layer.weight.default_input = initializer("ones", layer.weight.shape, layer.weight.dtype)
    layer.bias.set_parameter_data(Tensor([5.0]))
    assert layer.weight.default_input.asnumpy().tolist() == [[1, 1]]
    assert layer(Tensor([[1.0, 2.0]])).asnumpy().tolist() == [[8]]
    with pytest.raises(ValueError, match="shape"):
        layer.bias.default_input = Tensor([1.0, 2.0])


def test_a_tensor_that_waits_is_filled():
    assert initializer("ones", (2,)).to_tensor().asnumpy().tolist() == [1, 1]
    weight = Parameter(initializer("zeros", (2, 1)), name="w")
    assert weight.to_tensor() is weight
    assert not weight.has_init


def test_a_cell_is_marked_and_saved():
    layer = nn.Dense(2, 1)
    layer.set_auto_parallel()
    assert layer.get_flags()["auto_parallel"]
    assert layer.exec_checkpoint_graph() is None


def test_a_header_is_set_before_rows(tmp_path):
    name = str(tmp_path / "rows.mindrecord")
    writer = FileWriter(name)
    with pytest.raises(MRMWriteDatasetError, match="add_schema"):
        writer.open_and_set_header()
    writer.add_schema({"x": {"type": "int32", "shape": [-1]}})
    assert writer.open_and_set_header() == mindrecord.SUCCESS
    writer.write_raw_data([{"x": np.array([1, 2], np.int32)}])
    writer.commit()
    reader = FileReader(name)
    assert [row["x"].tolist() for row in reader.get_next()] == [[1, 2]]
    reader.finish()
    assert list(reader.get_next()) == []
