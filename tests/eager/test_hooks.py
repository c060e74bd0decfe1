"""Hooks of tensors, one after the other."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor


def gradient(*hooks):
    """Of 3 x, with hooks on an inner value."""
    def run(x):
        y = x * 1.0
        for hook in hooks:
            y.register_hook(hook)
        return (y * 3.0).sum()
    return ms.grad(run)(Tensor([1.0, 2.0]))


def test_a_hook_sees_what_the_one_before_left():
    assert gradient(lambda g: g * 2.0, lambda g: g + 1.0).tolist() == [7.0, 7.0]
    assert gradient(lambda g: g + 1.0, lambda g: None, lambda g: g * 2.0).tolist() == [8.0, 8.0]


def test_a_hook_of_another_type_keeps_that_of_the_gradient():
    found = gradient(lambda g: g.astype(ms.float16) * 2.0)
    assert found.dtype is ms.float32
    assert found.tolist() == [6.0, 6.0]


def test_a_removed_hook_is_not_called():
    seen = []

    def run(x):
        y = x * 2.0
        first = y.register_hook(lambda g: seen.append("first"))
        y.register_hook(lambda g: seen.append("second"))
        first.remove()
        first.remove()
        return y.sum()
    assert ms.grad(run)(Tensor([1.0])).tolist() == [2.0]
    assert seen == ["second"]


def test_a_parameter_of_another_shape_takes_its_own_type_and_memory():
    w = ms.Parameter(Tensor([1.0, 2.0]), name="w")
    data = Tensor(np.array([3, 4, 5], np.int32))
    w.set_data(data, slice_shape=True)
    assert (w.dtype, w.shape, w.tolist()) == (ms.float32, (3,), [3.0, 4.0, 5.0])
    other = Tensor(np.array([3.0], np.float32))
    w.set_data(other, slice_shape=True)
    other[0] = 9.0
    assert w.tolist() == [3.0]


def test_hooks_of_a_tensor_are_listed_until_they_are_removed():
    def twice(g):
        return g * 2

    x = Tensor([1.0])
    first, second = x.register_hook(twice), x.register_hook(print)
    assert x.hooks() == [twice, print]
    second.remove()
    assert x.hooks() == [twice]
    first.remove()
    assert x.hooks() == []


def test_what_is_no_hook_or_can_have_none_is_refused():
    with pytest.raises(TypeError, match="Expected a callable hook function"):
        Tensor([1.0]).register_hook("not a function")
    frozen = Parameter(Tensor([1.0]), name="w", requires_grad=False)
    with pytest.raises(RuntimeError, match="requires grad is false, which can not register tensor hook"):
        frozen.register_hook(print)
    with pytest.raises(RuntimeError, match="Tensor hook should be return Tensor, but get type 'list'"):
        gradient(lambda g: [g])
