"""What a cell, and a parameter, cannot be given."""
from __future__ import annotations

import pytest

from mindspore import Parameter, nn


def test_a_place_for_a_cell_that_comes_later():
    net = nn.Cell()
    net.insert_child_to_cell("later", None)
    assert net.later is None
    net.insert_child_to_cell("later", nn.ReLU())
    assert [name for name, _ in net.cells_and_names() if name] == ["later"]


@pytest.mark.parametrize(("stage", "error"), [(-2, ValueError), (True, TypeError), ("1", TypeError)])
def test_a_pipeline_stage_that_cannot_be_is_refused(stage, error):
    with pytest.raises(error, match=r"For 'Cell', the property 'pipeline_stage' (can not be less than 0|must be int)"):
        nn.Cell().pipeline_stage = stage


def test_a_parameter_of_a_python_bool_is_refused():
    with pytest.raises(ValueError, match="Parameter data can not be `bool`"):
        Parameter(True, name="w")
