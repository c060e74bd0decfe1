"""Indices of kernels in brackets that follow each other."""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.user.errors import KernelLanguageError
from mindspore.ops import kernel

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
X = np.arange(6.0, dtype=np.float32).reshape(2, 3)


@kernel
def tripled(x):
    y = output_tensor(x.shape, x.dtype)
    total = output_tensor((), x.dtype)
    sides = (x, y)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i][j] = x[i][j]
            y[i][j] += 2.0 * sides[0][i, j]
            total[()] += sides[1][i][j]
    return y, total


def test_each_bracket_adds_an_index():
    for y, total in (tripled(X), tripled(Tensor(X))):
        assert np.asarray(y).tolist() == (3 * X).tolist()
        assert float(total) == 45.0
    assert ms.grad(lambda x: tripled(x)[1])(Tensor(X)).tolist() == [[3.0] * 3] * 2


@kernel
def one_too_many(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i][0] = x[i][0][0]
    return y


def test_too_many_brackets_are_told():
    with pytest.raises(KernelLanguageError, match=r"'x' has 2 axes, but there are 3 indices"):
        one_too_many(Tensor(X))
