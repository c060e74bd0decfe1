"""Arguments of operators whose defaults hide whether they are used."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops


@pytest.mark.usefixtures("both_modes")
def test_the_slope_of_leaky_relu_is_that_of_its_gradient_and_of_that_ones():
    x = Tensor([-2.0, 3.0])

    def squared(x):
        return (ops.leaky_relu(x, 0.3) ** 2).sum()
    assert np.allclose(ms.grad(squared)(x).asnumpy(), [2 * 0.3 * 0.3 * -2.0, 6.0])
    assert np.allclose(ms.grad(lambda x: ms.grad(squared)(x).sum())(x).asnumpy(), [2 * 0.3 * 0.3, 2.0])


@pytest.mark.usefixtures("both_modes")
def test_the_types_of_places():
    x = Tensor(np.array([[3.0, 1.0], [2.0, 5.0], [4.0, 0.0]], np.float32))

    @ms.jit
    def run(x):
        return ops.cummax(x, 0), ops.cummin(x, 0)
    (high, at_high), (low, at_low) = run(x)
    assert (at_high.dtype, at_low.dtype) == (ms.int64, ms.int32)
    assert at_high.tolist() == [[0, 0], [0, 1], [2, 1]]
    assert at_low.tolist() == [[0, 0], [1, 0], [1, 2]]
    assert high.tolist() == [[3.0, 1.0], [3.0, 5.0], [4.0, 5.0]]
    assert low.tolist() == [[3.0, 1.0], [2.0, 1.0], [2.0, 0.0]]


def test_no_axis_is_no_reduction_where_it_is_asked_for():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert ops.ReduceSum(skip_mode=True)(x, ()).tolist() == x.tolist()
    assert ops.ReduceSum(skip_mode=True)(x, (1,)).tolist() == [3.0, 12.0]
    assert ops.ReduceSum()(x, ()).tolist() == 15.0


def test_a_sequence_that_is_sorted_by_indices():
    sequence, values = np.array([[5.0, 1.0, 3.0], [2.0, 9.0, 4.0]]), np.array([[0.0, 3.0, 4.0], [3.0, 9.0, 10.0]])
    sorter = np.argsort(sequence, -1)
    for right in (False, True):
        found = ops.searchsorted(Tensor(sequence), Tensor(values), right=right, sorter=Tensor(sorter))
        want = torch.searchsorted(torch.tensor(np.take_along_axis(sequence, sorter, -1)), torch.tensor(values),
                                  right=right)
        assert found.tolist() == want.tolist()


def test_attention_is_recognised_by_the_dimensions_that_are_swapped():
    """Axes 1 and 2 swapped give a product of the same shape, where both extents are equal; it is no attention."""
    rng = np.random.default_rng(5)
    q, k, v = [rng.standard_normal((2, 4, 4, 4)).astype(np.float32) for _ in range(3)]
    for perm in ((0, 1, 3, 2), (0, 2, 1, 3), (0, 3, 2, 1)):
        @ms.jit
        def run(q, k, v, perm=perm):
            return ops.matmul(ops.softmax(ops.matmul(q, ops.transpose(k, perm)) * 0.5, -1), v)
        want = torch.softmax(torch.tensor(q) @ torch.tensor(k).permute(perm) * 0.5, -1) @ torch.tensor(v)
        assert np.allclose(run(Tensor(q), Tensor(k), Tensor(v)).asnumpy(), want, atol=1e-5), perm


def test_the_root_of_the_mean_square_over_two_axes_has_its_gradient():
    x, g, d = [np.random.default_rng(6).standard_normal(s) for s in ((4, 3, 5), (3, 5), (4, 1, 1))]

    def run(x, g):
        y, scale = ops.RmsNorm(1e-3)(x, g)
        return (scale * Tensor(d)).sum() + (y * y * y).sum()
    leaves = [torch.tensor(v, requires_grad=True) for v in (x, g)]
    scale = (leaves[0].square().mean((1, 2), keepdim=True) + 1e-3).rsqrt()
    ((scale * torch.tensor(d)).sum() + (leaves[0] * scale * leaves[1]).pow(3).sum()).backward()
    for found, leaf in zip(ms.grad(run, (0, 1))(Tensor(x), Tensor(g)), leaves, strict=True):
        assert np.allclose(found.asnumpy(), leaf.grad)
