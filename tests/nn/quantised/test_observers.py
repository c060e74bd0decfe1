"""Rounding to quantised numbers, against the formulas; what is observed and what is learned."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, QuantDtype, Tensor, nn, ops
from mindspore.compression.quant import create_quant_config

X = np.array([[1.1, 2, 0.97], [-2, 0, -1.02], [0.31, 5.5, -4]], np.float32)       # none between two numbers


def rounded(x, low, high, bits=8, symmetric=False, narrow=False):
    """Jacob et al. 2018, equations 12 and 13, with 0 among the numbers."""
    x, low, high = [np.asarray(v, np.float64) for v in (x, low, high)]
    if symmetric:
        high = np.maximum(np.abs(low), high)
        low = -high
    least, most = int(narrow), 2**bits - 1
    step = (high - low) / (most - least)
    zero = np.clip(np.floor(least - low / step + 0.5), least, most)
    bottom, top = (least - zero) * step, (most - zero) * step
    y = np.floor((np.clip(x, bottom, top) - bottom) / step + 0.5) * step + bottom
    return y, (x >= bottom) & (x <= top)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("bits", "symmetric", "narrow"), [
    ("INT8", False, False), ("INT4", True, False), ("INT2", True, True), ("UINT5", False, True)])
def test_numbers_and_derivatives_are_those_of_the_formula(bits, symmetric, narrow):
    cell = nn.FakeQuantWithMinMaxObserver(-3, 2, quant_dtype=QuantDtype[bits], symmetric=symmetric, narrow_range=narrow)
    wanted, inside = rounded(X, -3, 2, QuantDtype[bits].num_bits, symmetric, narrow)
    np.testing.assert_allclose(cell(Tensor(X)).asnumpy(), wanted, rtol=1e-6, atol=1e-6)
    weights = np.arange(9, dtype=np.float32).reshape(3, 3)
    found = ms.grad(lambda x: (cell(x) * Tensor(weights)).sum())(Tensor(X))
    np.testing.assert_array_equal(found.asnumpy(), weights * inside)


def test_the_documented_numbers_of_1x():
    found = nn.FakeQuantWithMinMaxObserver()(Tensor([[1.0, 2, 1], [-2, 0, -1]])).asnumpy()
    wanted = [[0.9882355, 1.9764705, 0.9882355], [-1.9764705, 0, -0.9882355]]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.usefixtures("both_modes")
def test_the_range_is_that_of_the_last_batch_or_a_moving_mean():
    last = nn.FakeQuantWithMinMaxObserver().set_train()
    moving = nn.FakeQuantWithMinMaxObserver(ema=True, ema_decay=0.9).set_train()
    for scale in (1.0, 0.5):
        y = last(Tensor(X * scale))
        moving(Tensor(X * scale))
    assert (last.minq.tolist(), last.maxq.tolist()) == ([-2.0], [2.75])
    np.testing.assert_allclose(y.asnumpy(), rounded(X * 0.5, -2, 2.75)[0], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(moving.minq.asnumpy(), [(-6 * 0.9 - 0.4) * 0.9 - 0.2], rtol=1e-6)
    last.set_train(False)(Tensor(X * 9))
    assert last.maxq.tolist() == [2.75]


@pytest.mark.usefixtures("both_modes")
def test_each_channel_has_its_range():
    cell = nn.FakeQuantWithMinMaxObserver(per_channel=True, channel_axis=0, num_channels=3).set_train()
    y = cell(Tensor(X)).asnumpy()
    for row, found, low, high in zip(X, y, [0, -2, -4], [2, 0, 5.5], strict=True):
        np.testing.assert_allclose(found, rounded(row, low, high)[0], rtol=1e-6, atol=1e-6)


@pytest.mark.usefixtures("both_modes")
def test_rounding_begins_after_the_delay():
    cell = nn.FakeQuantWithMinMaxObserver(quant_delay=2, quant_dtype=QuantDtype.INT4).set_train()
    found = [cell(Tensor(X)).asnumpy() for _ in range(3)]
    np.testing.assert_array_equal(found[1], X)
    np.testing.assert_allclose(found[2], rounded(X, -4, 5.5, 4)[0], rtol=1e-6, atol=1e-6)
    assert cell.step.tolist() == [3]


@pytest.mark.usefixtures("both_modes")
def test_a_learned_range_has_a_derivative():
    cell = nn.FakeQuantWithMinMaxObserver(-3.0, 3.0, symmetric=True, narrow_range=True, mode="LEARNED_SCALE",
                                          quant_dtype=QuantDtype.INT4)
    cut = np.clip(X / 3.0, -1, 1)
    whole = np.floor(cut * 7 + 0.5) / 7
    np.testing.assert_allclose(cell(Tensor(X)).asnumpy(), whole * 3, rtol=1e-6)
    of_x, of_scale = ms.grad(lambda x: cell(x).sum(), 0, cell.trainable_params())(Tensor(X))
    np.testing.assert_array_equal(of_x.asnumpy(), (np.abs(X) <= 3) * 1.0)
    outside = np.abs(X) > 3
    slope = np.where(outside, np.sign(X), whole - cut).sum()
    np.testing.assert_allclose(of_scale[0].asnumpy(), [slope], rtol=1e-5)
    assert [p.name for p in cell.trainable_params()] == ["scale"]


def test_options_that_do_not_go_together_are_refused():
    with pytest.raises(ValueError, match="LEARNED_SCALE"):
        nn.FakeQuantWithMinMaxObserver(mode="LEARNED_SCALE")
    with pytest.raises(ValueError, match="above"):
        nn.FakeQuantWithMinMaxObserver(3, 2)
    with pytest.raises(TypeError, match="quant_dtype"):
        nn.FakeQuantWithMinMaxObserver(quant_dtype=8)
    with pytest.raises(ValueError, match="second 'per_channel'"):
        create_quant_config(per_channel=(True, True))
    with pytest.raises(ValueError, match="quant_delay"):
        ops.operations.FakeQuantPerLayer(quant_delay=3)(Tensor(X), Tensor([-1.0]), Tensor([1.0]))


def test_a_configuration_makes_observers_of_weights_and_activations():
    config = create_quant_config(quant_dtype=(QuantDtype.INT4, QuantDtype.INT8), symmetric=(True, False))
    weight, act = config.weight(num_channels=2), config.activation()
    assert (weight.num_bits, weight.symmetric, act.num_bits, act.symmetric) == (4, True, 8, False)
    assert nn.layer.quant.FakeQuantWithMinMax(num_bits=4).num_bits == 4
    assert weight.min_max_map[QuantDtype.INT4] == (-7, 7)


@pytest.mark.usefixtures("both_modes")
def test_primitives_of_ranges():
    low, high = Tensor([-1.0]), Tensor([1.0])
    found = ops.operations.MinMaxUpdatePerLayer(True, 0.5)(Tensor(X), low, high)
    assert [t.tolist() for t in found] == [[-2.5], [3.25]]
    ends = [Parameter(Tensor([v] * 3), name=n) for v, n in ((-1.0, "a"), (1.0, "b"))]
    found = ops.operations.MinMaxUpdatePerChannel(channel_axis=1)(Tensor(X), *ends)
    assert [t.tolist() for t in found] == [[-2, 0, -4], [X[0, 0], 5.5, X[0, 2]]]
    y = ops.operations.FakeQuantPerLayer(training=False)(Tensor(X), low, high)
    np.testing.assert_allclose(y.asnumpy(), rounded(X, -1, 1)[0], rtol=1e-6, atol=1e-6)
    y = ops.operations.FakeQuantWithMinMaxVarsPerChannel()(Tensor(X), *ends)
    np.testing.assert_allclose(y.asnumpy(), rounded(X, -1, 1)[0], rtol=1e-6, atol=1e-6)
