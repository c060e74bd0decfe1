"""Methods of NumPy's functions give arrays where a gradient is followed, too, and operators give tensors."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor

A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


@pytest.mark.parametrize(("call", "kind"), [
    (lambda x: np.add.reduce(x), np.ndarray), (lambda x: np.multiply.accumulate(x, 1), np.ndarray),
    (lambda x: np.subtract.outer(x, x), np.ndarray),
    (lambda x: np.add(x, x, where=A > 2, out=np.zeros_like(A)), np.ndarray),
    (lambda x: np.greater(x, A), np.ndarray), (lambda x: A * x, Tensor), (lambda x: np.remainder(A, x), Tensor),
    (lambda x: np.float32(2) * x, Tensor)])
def test_only_plain_calls_become_operators_of_tensors(call, kind):
    seen = []

    def loss(x):
        seen.append(call(x))
        return (x * x).sum()
    ms.grad(loss)(Tensor(A))
    assert type(seen[0]) is kind
    found = seen[0].asnumpy() if kind is Tensor else seen[0]
    np.testing.assert_array_equal(found, call(A))


def test_what_no_gradient_follows_stays_an_array_within_one():
    held, seen = Tensor(A), []

    def loss(x):
        seen.extend([A * held, A * x, A * ms.ops.stop_gradient(x)])
        return (x * x).sum()
    ms.grad(loss)(Tensor(A))
    assert [type(s) for s in seen] == [np.ndarray, Tensor, np.ndarray]
    assert type(A * held) is np.ndarray
