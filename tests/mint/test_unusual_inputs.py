"""Functions of `mint` on what is rare: no dimensions, the same elements, what is no number."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint


def test_tensors_without_dimensions(both_modes):
    x = Tensor(2.5)
    assert ms.grad(lambda x: mint.sort(x)[0])(x).item() == 1.0
    assert mint.squeeze(x, 0).item() == 2.5
    with pytest.raises(ValueError, match="dim"):
        mint.squeeze(x, 1)


def test_the_deviation_of_equal_elements_has_the_derivative_zero(both_modes):
    x = Tensor([[3.0, 3.0], [1.0, 3.0]])
    found = ms.grad(lambda x: mint.std(x, 1).sum())(x).asnumpy()
    assert np.allclose(found, [[0.0, 0.0], [-(0.5 ** 0.5), 0.5 ** 0.5]])
    assert ms.grad(lambda x: mint.std_mean(x, 1)[0].sum())(x)[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("alpha", ["x", None, [1]])
def test_factors_are_numbers(alpha):
    for function in (mint.add, mint.sub):
        with pytest.raises(TypeError, match="alpha"):
            function(Tensor([1.0]), Tensor([2.0]), alpha=alpha)


def test_weights_of_counts_are_a_tensor():
    with pytest.raises(TypeError, match="weights"):
        mint.bincount(Tensor([1, 2]), 0.5)


def test_names_that_are_of_torch():
    x = Tensor([-1.5, 0.5, 2.5])
    assert mint.trunc(x).tolist() == mint.fix(x).tolist() == [-1.0, 0.0, 2.0]
    assert mint.clip(x, 0.0, 1.0).tolist() == [0.0, 0.5, 1.0]
    assert mint.ge(x, 0.5).tolist() == [False, True, True]
