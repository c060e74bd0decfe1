"""Every operator as a MindIR file: read again it computes the same; the others are named."""
from __future__ import annotations

import mindir_operators
import pytest

from mindspore.operators.registry import REGISTRY
from mindspore.train.exporting.mindir_forms import FORMS


def test_every_operator_that_is_written_computes_the_same_when_it_is_read(tmp_path):
    without = mindir_operators.write(tmp_path)
    found = mindir_operators.differences(tmp_path)
    assert {name: d for name, d in found.items() if isinstance(d, str) or not d <= 1e-5} == {}
    primitives = {op.name for op in REGISTRY.values() if op.primitive and not op.hidden and op.samples
                  and not op.effect and "stream" not in op.attrs and not op.variadic}
    assert set(found) | set(without) >= primitives
    # a text that has no number in the format
    assert primitives & set(without) == {"TensorScatterElements"}


def test_an_operator_has_one_rule():
    assert not [name for name in FORMS if REGISTRY[name].mindir_rule]


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_form_belongs_to_an_operator(name):
    assert name in REGISTRY
