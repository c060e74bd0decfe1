"""Primitives of files as ours: attributes that mean nothing here are told."""
from __future__ import annotations

from mindspore import Tensor
from mindspore.formats.mindir import Primitive
from mindspore.train.mindir.primitives import compute


def test_an_attribute_without_a_meaning_is_told_and_bookkeeping_is_not(warned):
    found = compute(Primitive("Softmax", {"axis": 0, "input_names": ["x"], "temper": 2}, False))
    assert found(Tensor([[1.0, 2.0], [1.0, 2.0]])).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert warned == ["For 'load', the attribute 'temper' of the primitive 'Softmax' has no meaning here and is left "
                      "out."]
