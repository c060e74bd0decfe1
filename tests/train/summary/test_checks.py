"""What a summary is given is checked, with the classes of errors of the original."""
from __future__ import annotations

import os

import pytest

from mindspore import SummaryRecord, Tensor, ops
from mindspore.formats.events import EVENTS


@pytest.mark.parametrize(("given", "error"), [
    ({"log_dir": 3}, TypeError), ({"log_dir": " "}, ValueError), ({"file_prefix": 3}, TypeError),
    ({"file_prefix": "a/b"}, ValueError), ({"file_suffix": 3}, TypeError), ({"file_suffix": "/b"}, ValueError),
    ({"max_file_size": "a"}, TypeError), ({"max_file_size": 1.5}, TypeError), ({"raise_exception": 1}, TypeError),
    ({"network": 3}, TypeError), ({"num_process": 0}, ValueError), ({"num_process": "a"}, TypeError),
    ({"export_options": 3}, TypeError), ({"export_options": {"x": "y"}}, ValueError),
    ({"export_options": {"tensor_format": "csv"}}, ValueError), ({"export_options": {"tensor_format": 3}}, TypeError),
])  # fmt: skip
def test_arguments_are_checked(tmp_path, given, error):
    with pytest.raises(error, match=next(iter(given))):
        SummaryRecord(**{"log_dir": str(tmp_path), **given})


@pytest.mark.parametrize(("plugin", "name", "value", "error"), [
    ("scalar", "x", 0.5, TypeError), ("scalar", "x", Tensor([1.0, 2.0]), ValueError),
    ("scalar", "", Tensor(1.0), ValueError), ("scalar", 3, Tensor(1.0), ValueError),
    ("scalar", "x", Tensor(1 + 2j), TypeError), ("tensor", "x", Tensor(1.0), ValueError),
    ("histogram", "x", Tensor(1.0), ValueError), ("image", "x", Tensor([1.0]), ValueError),
    ("image", "x", ops.ones((1, 2, 3, 3)), ValueError), ("other", "x", Tensor(1.0), ValueError),
    ("graph", "x", 3, TypeError), ("graph", "x", b"\xff", ValueError), ("train_lineage", "x", 3, TypeError),
    ("landscape", "x", EVENTS.GraphProto(), TypeError),
])  # fmt: skip
def test_values_are_checked(tmp_path, plugin, name, value, error):
    with SummaryRecord(str(tmp_path)) as record:
        with pytest.raises(error):
            record.add_value(plugin, name, value)
        record.record(1)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("given", [("a",), (True,), (1.5,), (1, 3), (1, None, 3)])
def test_what_a_record_is_given_is_checked(tmp_path, given):
    with SummaryRecord(str(tmp_path)) as record, pytest.raises(TypeError):
        record.record(*given)


def test_one_record_is_open_at_a_time(tmp_path):
    with SummaryRecord(str(tmp_path)), pytest.raises(RuntimeError, match="only one may be open"):
        SummaryRecord(str(tmp_path))


def test_a_closed_record_says_that_it_is(tmp_path, said):
    record = SummaryRecord(str(tmp_path))
    record.close()
    record.close()
    assert record.record(1) is False
    record.flush()
    assert sum("is closed" in text for text in said) == 2
    with pytest.raises(ValueError, match="is closed"), record:
        pass


def test_a_mode_that_is_none_is_refused(tmp_path):
    with SummaryRecord(str(tmp_path)) as record, pytest.raises(ValueError, match="mode"):
        record.set_mode("x")
