"""What a collector of summaries is given is checked, with the classes of errors of the original."""
from __future__ import annotations

import os

import pytest

from mindspore.train import SummaryCollector, SummaryLandscape


@pytest.mark.parametrize(("given", "error"), [
    ({"summary_dir": 3}, TypeError), ({"summary_dir": ""}, ValueError), ({"summary_dir": " "}, ValueError),
    ({"collect_freq": 0}, ValueError), ({"collect_freq": "a"}, TypeError), ({"collect_freq": True}, TypeError),
    ({"collect_specified_data": 3}, TypeError), ({"collect_specified_data": []}, TypeError),
    ({"collect_specified_data": {"x": 1}}, ValueError), ({"collect_specified_data": {3: 1}}, TypeError),
    ({"keep_default_action": 3}, TypeError), ({"keep_default_action": None}, TypeError),
    ({"custom_lineage_data": 3}, TypeError), ({"custom_lineage_data": {3: 1}}, TypeError),
    ({"custom_lineage_data": {"a": [1]}}, TypeError), ({"custom_lineage_data": {"a": True}}, TypeError),
    ({"custom_lineage_data": {"a": 2**40}}, ValueError),
    ({"collect_tensor_freq": 0}, ValueError), ({"collect_tensor_freq": 1.5}, TypeError),
    ({"max_file_size": 0}, ValueError), ({"max_file_size": "a"}, TypeError), ({"max_file_size": True}, TypeError),
    ({"export_options": 3}, TypeError), ({"export_options": {"tensor_format": "x"}}, ValueError),
    ({"export_options": {"tensor_format": 3}}, TypeError), ({"num_process": "a"}, TypeError),
])  # fmt: skip
def test_arguments_are_checked(tmp_path, given, error):
    with pytest.raises(error, match=next(iter(given))):
        SummaryCollector(**{"summary_dir": str(tmp_path), **given})


@pytest.mark.parametrize(("name", "value", "error"), [
    ("collect_metric", 3, TypeError), ("collect_graph", None, TypeError), ("histogram_regular", 3, TypeError),
    ("histogram_regular", "(", ValueError), ("collect_landscape", 3, TypeError), ("collect_landscape", True, TypeError),
])  # fmt: skip
def test_parts_are_checked(tmp_path, name, value, error):
    with pytest.raises(error, match=name):
        SummaryCollector(str(tmp_path), collect_specified_data={name: value})


@pytest.mark.parametrize(("given", "error"), [
    ({"x": 1}, ValueError), ({"landscape_size": 2}, ValueError), ({"landscape_size": 257}, ValueError),
    ({"landscape_size": "a"}, TypeError), ({"landscape_size": True}, TypeError), ({"landscape_size": 3}, TypeError),
    ({"unit": "x"}, ValueError), ({"unit": 3}, TypeError), ({"create_landscape": 3}, TypeError),
    ({"create_landscape": {"train": 3}}, TypeError), ({"create_landscape": {"x": True}}, ValueError),
    ({"num_samples": "a"}, TypeError), ({"num_samples": 1.5}, TypeError), ({"intervals": 3}, TypeError),
    ({"intervals": [1]}, TypeError), ({"intervals": [[1, 2]]}, ValueError), ({"intervals": [[1, 2, "a"]]}, TypeError),
    ({"intervals": None}, TypeError), ({"intervals": [(1, 2, 3)]}, TypeError), ({"intervals": ()}, TypeError),
])  # fmt: skip
def test_options_of_landscapes_are_checked(tmp_path, given, error):
    with pytest.raises(error):
        SummaryCollector(str(tmp_path), collect_specified_data={"collect_landscape": given})


@pytest.mark.parametrize("given", [{}, {"intervals": []}, {"intervals": [[1, 2, 3]], "landscape_size": 256}])
def test_options_of_landscapes_that_are_right_are_taken(tmp_path, given):
    SummaryCollector(str(tmp_path), collect_specified_data={"collect_landscape": given})
    assert os.listdir(tmp_path) == ["ckpt_dir"]


@pytest.mark.parametrize(("given", "error"), [
    ({"callback_fn": 3}, TypeError), ({"device_ids": 0}, TypeError), ({"device_ids": []}, ValueError),
    ({"device_ids": ["a"]}, TypeError), ({"device_ids": [-1]}, ValueError), ({"output": 3}, TypeError),
    ({}, FileNotFoundError),
])  # fmt: skip
def test_what_a_landscape_is_given_is_checked(tmp_path, given, error):
    with pytest.raises(error):
        SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(**{"callback_fn": dict, **given})


@pytest.mark.parametrize("folder", [3, None])
def test_the_folder_of_a_landscape_is_a_path(folder):
    with pytest.raises(TypeError):
        SummaryLandscape(folder)
