"""Functions with options that are not their defaults, against torch."""
from __future__ import annotations

import function_options_nn
import numpy as np
import pytest
import torch
from function_options import CASES

from mindspore import Tensor, ops


def made(value, kind):
    """The arguments with arrays as tensors of a kind."""
    if isinstance(value, np.ndarray):
        return kind(np.ascontiguousarray(value))
    return type(value)(made(v, kind) for v in value) if isinstance(value, tuple) else value


def tensors(value):
    """The arrays of arguments as torch's tensors, those in tuples, too."""
    if isinstance(value, np.ndarray):
        return [torch.tensor(value.copy())]
    return [t for v in value for t in tensors(v)] if isinstance(value, tuple) else []


def arrays(value):
    if isinstance(value, (tuple, list)):
        return [a for v in value for a in arrays(v)]
    return [value.asnumpy() if isinstance(value, Tensor) else value.resolve_conj().numpy()]


@pytest.mark.parametrize("case", CASES + function_options_nn.CASES, ids=lambda case: case[0])
def test_options_mean_what_they_mean_in_torch(case):
    name, args, options, reference = case
    got = arrays(getattr(ops, name)(*made(args, Tensor), **{k: made(v, Tensor) for k, v in options.items()}))
    wanted = arrays(reference(*tensors(args)))
    assert [a.shape for a in got] == [a.shape for a in wanted]
    for mine, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(mine, other, 1e-5, 1e-7)


@pytest.mark.parametrize("order", [1.0, 2.0, 3.0, float("inf")])
@pytest.mark.parametrize("most", [0.5, 100.0])
def test_tensors_are_scaled_down_by_their_common_norm(order, most):
    gradients = [np.array([3.0, -4.0], np.float32), np.array([[-7.0], [2.0], [1.0]], np.float32), np.float32([6.0])]
    peers = [torch.zeros(g.shape, requires_grad=True) for g in gradients]
    for peer, gradient in zip(peers, gradients, strict=True):
        peer.grad = torch.tensor(gradient)
    torch.nn.utils.clip_grad_norm_(peers, most, order)
    for mine, peer in zip(ops.clip_by_norm([Tensor(g) for g in gradients], most, order), peers, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), peer.grad, 1e-5)


def test_a_norm_has_a_lower_limit():
    x = Tensor(np.array([[0.0, 0.0], [3.0, -4.0], [0.1, 0.2]]))
    assert ops.LpNorm(axis=1, epsilon=0.5)(x).tolist() == [0.5, 5.0, 0.5]
    assert ops.LpNorm(axis=1, p=1, keep_dims=True, epsilon=0.5)(x).tolist() == [[0.5], [7.0], [0.5]]
