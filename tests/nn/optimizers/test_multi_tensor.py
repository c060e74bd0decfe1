"""The updates of many parameters are computed at once, in their own memory."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Parameter, Tensor, nn, ops

RNG = np.random.default_rng(7)
SHAPES = [(3, 4), (5,), (), (2, 2, 2)]


def parameters(dtype=np.float32):
    return [
        Parameter(Tensor(np.asarray(RNG.standard_normal(s)).astype(dtype)), name=f"p{i}")
        for i, s in enumerate(SHAPES)
    ]


def gradients(dtype=np.float32):
    return tuple(Tensor(np.asarray(RNG.standard_normal(s)).astype(dtype)) for s in SHAPES)


def steps(cls, parameters, gradients, one_by_one, **options):
    """The parameters after some steps, computed at once or each by the formula."""

    class OneByOne(cls):
        def updates(self, gradients, lrs, decays):
            return nn.Optimizer.updates(self, gradients, lrs, decays)

    optimizer = (OneByOne if one_by_one else cls)(parameters(), **options)
    for g in gradients:
        optimizer(g)
    return [p.asnumpy() for p in optimizer.get_parameters()]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(
    ("cls", "options"),
    [
        (nn.Adam, {"learning_rate": 0.1}),
        (nn.Adam, {"learning_rate": 0.1, "beta2": 1 - 1e-7, "weight_decay": 0.1}),
        (nn.AdamOffload, {"learning_rate": nn.WarmUpLR(0.1, 3)}),
        (nn.AdamWeightDecay, {"learning_rate": 0.1, "weight_decay": 0.2}),
        (nn.Momentum, {"learning_rate": 0.1, "momentum": 0.9}),
        (nn.Momentum, {"learning_rate": 0.1, "momentum": 0.0, "weight_decay": 0.1}),
        (nn.Momentum, {"learning_rate": nn.WarmUpLR(0.1, 3), "momentum": 0.5, "use_nesterov": True}),
        (nn.SGD, {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
        (nn.SGD, {"learning_rate": 0.1, "momentum": 0.9, "dampening": 0.5}),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_together_and_one_by_one_agree(cls, options, dtype):
    start = [p.asnumpy() for p in parameters(dtype)]
    given = [gradients(dtype) for _ in range(4)]

    def fresh():
        return [Parameter(Tensor(v), name=f"p{i}") for i, v in enumerate(start)]

    both = [steps(cls, fresh, given, flag, **options) for flag in (False, True)]
    for got, want in zip(*both, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


def test_rates_and_decays_of_groups_stay_apart():
    a, b, c, d = parameters()
    groups = [{"params": [a, b], "lr": 0.5}, {"params": [c, d], "weight_decay": 0.5}]
    optimizer = nn.AdamWeightDecay(groups, 0.25, beta1=0.5, beta2=0.75, eps=1e-12)
    before = [p.asnumpy().copy() for p in optimizer.parameters]
    grads = tuple(Tensor(np.ones(s, np.float32)) for s in SHAPES)
    optimizer(grads)
    for p, old, (lr, decay) in zip(
        optimizer.parameters, before, [(0.5, 0), (0.5, 0), (0.25, 0.5), (0.25, 0.5)], strict=True
    ):
        np.testing.assert_allclose(p.asnumpy(), old - lr * (1.0 + decay * old), rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("make", [nn.Adam, lambda params: nn.Momentum(params, 0.1, 0.9)])
def test_parameters_and_averages_are_overwritten_where_they_lie(make):
    optimizer = make(parameters())
    optimizer(gradients())
    held = [p for p in optimizer.get_parameters() if p.shape == () or p.size > 1]
    places = [p._data.data_ptr() for p in held]
    optimizer(gradients())
    assert [p._data.data_ptr() for p in held] == places


@pytest.mark.usefixtures("both_modes")
def test_a_value_that_was_given_out_is_not_overwritten():
    optimizer = nn.Adam(parameters())
    optimizer(gradients())
    old = optimizer.parameters[0].asnumpy()
    kept = old.copy()
    optimizer(gradients())
    assert np.array_equal(old, kept)
    assert not np.array_equal(optimizer.parameters[0].asnumpy(), kept)


def test_parameters_in_16_bits_are_updated_by_the_formula():
    optimizer = nn.Adam(parameters(np.float16), 0.1)
    before = optimizer.parameters[0].asnumpy().astype(np.float32)
    signs = tuple(Tensor(np.sign(np.asarray(RNG.standard_normal(s))).astype(np.float16)) for s in SHAPES)
    optimizer(signs)
    moved = before - optimizer.parameters[0].asnumpy().astype(np.float32)
    np.testing.assert_allclose(moved, 0.1 * signs[0].asnumpy(), atol=5e-3)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(
    "make", [nn.Adam, nn.AdamWeightDecay, lambda params: nn.Momentum(params, 0.1, 0.9)]
)
def test_the_layout_of_gradients_in_memory_does_not_matter(make):
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    found = []
    for g in (Tensor(values), ops.transpose(Tensor(values.T.copy()), (1, 0))):
        optimizer = make([Parameter(Tensor(values), name="w")])
        optimizer((g,))
        optimizer((g,))
        found.append([p.asnumpy() for p in optimizer.get_parameters()])
    for got, want in zip(*found, strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("cls", [nn.Adam, nn.Momentum])
def test_large_and_small_parameters_are_updated_alike(cls):
    shapes = [(200, 200), (3,), (1, 40_000)]
    values = [RNG.standard_normal(s).astype(np.float32) for s in shapes]
    grads = [tuple(Tensor(RNG.standard_normal(s).astype(np.float32)) for s in shapes) for _ in range(2)]
    options = {"learning_rate": 0.1} | ({"momentum": 0.9} if cls is nn.Momentum else {})

    def fresh():
        return [Parameter(Tensor(v), name=f"p{i}") for i, v in enumerate(values)]

    before = torch.get_num_threads()
    got, want = [steps(cls, fresh, grads, flag, **options) for flag in (False, True)]
    assert torch.get_num_threads() == before
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
