"""One bool in a tensor as an index selects all of a tensor, in a new dimension, or nothing; against torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor


@pytest.mark.parametrize("way", [lambda f: f, ms.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("x", [np.float32(2.0), np.array([1.0, 2.0], np.float32)])
def test_as_torch(x, truth, way):
    def changed(y, mask):
        y = y * 2
        y[mask] = 5.0
        y.__setitem__(mask, y + 1)
        return y
    mask, theirs = torch.tensor(truth), torch.tensor(x, requires_grad=True)
    np.testing.assert_array_equal(way(lambda y, mask: y[mask])(Tensor(x), Tensor(truth)).asnumpy(),
                                  theirs[mask].detach().numpy())
    wanted = theirs * 2
    wanted[mask] = 5.0
    wanted[mask] = wanted.detach() + 1
    np.testing.assert_array_equal(way(changed)(Tensor(x), Tensor(truth)).asnumpy(), wanted.detach().numpy())
    found = way(ms.grad(lambda y, mask: (changed(y, mask) * y).sum()))(Tensor(x), Tensor(truth))
    np.testing.assert_array_equal(found.asnumpy(), torch.autograd.grad((wanted * theirs).sum(), theirs)[0].numpy())


def test_only_as_the_whole_index():
    with pytest.raises(IndexError, match="can only be the whole index"):
        Tensor([1.0, 2.0])[0, Tensor(True)]


@pytest.mark.parametrize("way", [lambda f: f, ms.jit], ids=["plain", "compiled"])
def test_setitem_by_its_name(way):
    def run(x, p):
        y = x * 2
        y.__setitem__(0, 7.0)
        p.__setitem__(1, y[0])
        return y + p
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    assert way(run)(Tensor([3.0, 4.0]), p).tolist() == [8.0, 15.0]
    assert p.tolist() == [1.0, 7.0]
