"""Functions of `mint` on what is rare: no dimensions, the same elements, what is no number."""
from __future__ import annotations

import numpy as np
import pytest
import torch

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


def test_numbers_of_equal_distances_and_single_elements():
    assert mint.linspace(0, 4, 5, dtype=ms.int32).tolist() == [0, 1, 2, 3, 4]
    assert mint.linspace(Tensor(0.0), 1.0, 3).tolist() == [0.0, 0.5, 1.0]
    assert mint.item(Tensor([[3]])) == 3
    assert mint.equal(Tensor([1]), Tensor([1, 1])) is False
    for call, error in ((lambda: mint.linspace(0, 1, 0), ValueError), (lambda: mint.linspace(0, 1, 2.5), TypeError),
                        (lambda: mint.item(Tensor([1, 2])), RuntimeError),
                        (lambda: mint.equal(Tensor([1]), 1), TypeError)):
        with pytest.raises(error):
            call()


@pytest.mark.parametrize("options", [{"max_norm": 1.0}, {"max_norm": 1.5, "norm_type": 1.0},
                                     {"scale_grad_by_freq": True, "padding_idx": 2}])
def test_rows_are_shortened_and_their_derivatives_scaled_as_by_torch(both_modes, options):
    rows = np.array([[3.0, 4.0], [0.3, 0.4], [2.0, -1.0], [5.0, 5.0]], np.float32)
    places = np.array([[0, 1], [2, 0]])
    theirs = torch.nn.Embedding(4, 2, _weight=torch.tensor(rows), **options)
    (theirs(torch.tensor(places)) * torch.arange(8.0).reshape(2, 2, 2)).sum().backward()
    cell = mint.nn.Embedding(4, 2, _weight=Tensor(rows), **options)
    loss = ms.value_and_grad(lambda x: (cell(x) * Tensor(np.arange(8.0, dtype=np.float32).reshape(2, 2, 2))).sum(),
                             None, cell.trainable_params())
    _, (slope,) = loss(Tensor(places))
    assert np.allclose(cell.weight.asnumpy(), theirs.weight.detach().numpy(), atol=1e-6)
    assert np.allclose(slope.asnumpy(), theirs.weight.grad.numpy(), atol=1e-5)
