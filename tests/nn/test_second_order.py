"""Layers that keep the second moments of their inputs and gradients."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, float16, nn, ops
from mindspore.nn.second_order import observe

RNG = np.random.default_rng(5)


class Kinds(nn.Cell):
    """One layer of each kind, and some that stay as they are."""

    def __init__(self):
        super().__init__()
        self.conv, self.groups = nn.Conv2d(2, 4, 3), nn.Conv2d(4, 4, 3, group=2)
        self.turned, self.line = nn.Conv2dTranspose(2, 2, 3), nn.Conv1d(2, 2, 3)
        self.table, self.limited = nn.Embedding(4, 3), nn.EmbeddingLookup(4, 3, max_norm=1.0)
        self.lookup, self.head = nn.EmbeddingLookup(4, 3), nn.Dense(4, 2, activation="relu")
        self.own = Own(4, 2)

    def construct(self, x):
        return self.head(self.groups(self.conv(x)).mean((2, 3)))


class Own(nn.Dense):
    """A class of the user's, which may compute something else."""


def test_layers_become_layers_with_factors_and_stay_the_same_objects():
    net = Kinds()
    x = Tensor(RNG.standard_normal((2, 2, 5, 5)).astype(np.float32))
    before, cells = net(x).asnumpy(), dict(net.cells_and_names())
    names = [p.name for p in net.trainable_params()]
    observe(net)
    kinds = {name: type(cell).__name__ for name, cell in net.cells_and_names() if name and "." not in name}
    assert kinds == {"conv": "Conv2dThor", "groups": "Conv2d", "turned": "Conv2dTranspose", "line": "Conv1d",
                     "table": "EmbeddingThor", "limited": "EmbeddingLookup", "lookup": "EmbeddingLookupThor",
                     "head": "DenseThor", "own": "Own"}
    assert all(cell is cells[name] for name, cell in net.cells_and_names())
    assert [p.name for p in net.trainable_params()] == names
    np.testing.assert_array_equal(net(x).asnumpy(), before)


@pytest.mark.usefixtures("both_modes")
def test_the_reverse_pass_keeps_the_factors():
    layer = nn.DenseThor(4, 3, activation="tanh")
    x = RNG.standard_normal((2, 5, 4)).astype(np.float32)
    weight, rows = layer.weight.asnumpy(), x.reshape(-1, 4)
    layer(Tensor(x))
    assert not layer.matrix_a.asnumpy().any()           # a prediction leaves them alone
    ops.grad(lambda x: layer(x).sum(), None, layer.trainable_params())(Tensor(x))
    d = 1 - np.tanh(rows @ weight.T) ** 2
    np.testing.assert_allclose(layer.matrix_a.asnumpy(), rows.T @ rows / 10, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(layer.matrix_g.asnumpy(), d.T @ d / 10, rtol=1e-4, atol=1e-6)


def test_factors_of_half_precision_are_computed_in_float32():
    layer = nn.DenseThor(4, 3).to_float(float16)
    x = (RNG.standard_normal((6, 4)) * 200).astype(np.float32)     # squares beyond the range of float16
    ops.grad(lambda x: layer(x).sum(), None, layer.trainable_params())(Tensor(x))
    assert np.isfinite(layer.matrix_a.asnumpy()).all()
    np.testing.assert_allclose(layer.matrix_a.asnumpy(), x.T @ x / 6, rtol=2e-3, atol=50)


@pytest.mark.parametrize(("make", "text"), [
    (lambda: nn.Conv2dThor(4, 4, 3, group=2), "'group' must be 1"),
    (lambda: nn.EmbeddingLookupThor(4, 3, max_norm=1.0), "'max_norm' must be None"),
])
def test_what_has_no_kronecker_product_is_refused(make, text):
    with pytest.raises(ValueError, match=text):
        make()
