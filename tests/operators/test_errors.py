"""What the user sees where a kernel or a rule fails."""
from __future__ import annotations

import pytest
import torch

from mindspore.core.dtype import float32
from mindspore.core.errors import ArgumentError
from mindspore.ir import Aval
from mindspore.operators.errors import explained
from mindspore.operators.registry import REGISTRY

X = Aval((2, 3), float32)


@pytest.mark.parametrize(("error", "inputs", "kind", "words"), [
    (RuntimeError("size mismatch, got 2\nwhere"), (X,), ArgumentError, r"\(f32\[2,3\]\) do not fit: size mismatch"),
    (RuntimeError('"exp" not implemented for Half'), (X,), TypeError, "not implemented for Half"),
    (RuntimeError("ZeroDivisionError"), (X,), ArgumentError, "whole numbers can not be divided by zero"),
    (RuntimeError("CUDA error: launch failed"), (X,), RuntimeError, "CUDA error"),
    (IndexError("out of range"), (X,), ArgumentError, "out of range"),
    (AttributeError("no shape"), (X, "a"), TypeError, "must be tensors, but got 'a' with type 'str'"),
    (IndexError("tuple index"), (1, 2.0), TypeError, "one of the inputs must be a tensor, but got 1, 2.0"),
])
def test_a_failure_is_told_in_the_words_of_the_operator(error, inputs, kind, words):
    found = explained(REGISTRY["Exp"], error, inputs)
    assert isinstance(found, kind)
    with pytest.raises(type(found), match="For 'Exp'.*" + words):
        raise found


@pytest.mark.parametrize("error", [MemoryError("full"), RuntimeError("DefaultCPUAllocator: can't allocate memory")])
def test_a_result_that_memory_does_not_hold_is_told_with_the_operands(error):
    found = explained(REGISTRY["Exp"], error, (X,))
    assert (type(found), str(found)) == (
        RuntimeError, "For 'Exp', there is not enough memory for the result of (f32[2,3]).")


@pytest.mark.parametrize("error", [ValueError("For 'Exp', our own check"),
                                   TypeError("For 'Exp', our own check"), torch.OutOfMemoryError("full")])
def test_memory_of_devices_and_checks_of_ours_stay_as_they_are(error):
    assert explained(REGISTRY["Exp"], error, (X,)) is error


def test_an_effect_fails_as_it_does():
    error = RuntimeError("the user's own")
    assert explained(REGISTRY["RaiseError"], error, (X,)) is error


def test_the_attributes_are_shown():
    assert "axis=7" in str(explained(REGISTRY["Softmax"], IndexError("wrong"), (X,), {"axis": 7}))
