"""Groups that differ in everything, what optimizers tell of themselves, and limits of their formulas."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, float16, float32, nn

RNG = np.random.default_rng(5)


def made(*names, shape=(2, 3), dtype=float32):
    return [Parameter(Tensor(RNG.standard_normal(shape), dtype), name=name) for name in names]


def given(parameters, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(p.shape).astype(np.float32) for p in parameters]


def stepped(optimizer, gradients):
    optimizer(tuple(Tensor(g).astype(p.dtype) for g, p in zip(gradients, optimizer.parameters, strict=True)))


def centred(g):
    return g - g.mean(tuple(range(1, g.ndim)), keepdims=True) if g.ndim > 1 else g


class Growing(nn.Cell):
    """A decay that is a tenth of the step, from one on."""

    def construct(self, step):
        return (step.astype(float32) + 1) * 0.1


@pytest.mark.parametrize("scale", [1.0, 4.0])
@pytest.mark.parametrize("ordered", [False, True])
def test_each_group_has_its_own_rate_decay_and_centring(scale, ordered):
    a, b, c, d = made("a.gamma", "b", "c", "d.beta")
    bias = made("bias", shape=(3,))[0]
    groups = [{"params": [a], "lr": 0.5},
              {"params": [b, bias], "weight_decay": 0.0, "grad_centralization": True,
               "lr": nn.ExponentialDecayLR(0.3, 0.5, 1)},
              {"params": [c], "weight_decay": Growing(), "lr": 0.0},
              {"params": [d], "weight_decay": 0.4}]
    if ordered:
        groups.append({"order_params": [d, bias, a, c, b]})
    rates = {a.name: lambda t: 0.5, b.name: lambda t: 0.3 * 0.5**t, bias.name: lambda t: 0.3 * 0.5**t,
             c.name: lambda t: 0, d.name: lambda t: 0.2}
    decays = {a.name: lambda t: 0.1, b.name: lambda t: 0, bias.name: lambda t: 0, c.name: lambda t: (t + 1) * 0.1,
              d.name: lambda t: 0.4}
    optimizer = nn.Momentum(groups, 0.2, 0.0, weight_decay=0.1, loss_scale=scale)
    want = {p.name: p.asnumpy().astype(np.float64) for p in (a, b, c, d, bias)}
    assert [p.name for p in optimizer.parameters] == (["d.beta", "bias", "a.gamma", "c", "b"] if ordered else
                                                     ["a.gamma", "b", "bias", "c", "d.beta"])
    for step in range(3):
        told = dict(zip([p.name for p in optimizer.parameters], optimizer.get_weight_decay(), strict=True))
        lrs = dict(zip([p.name for p in optimizer.parameters], optimizer.get_lr(), strict=True))
        gradients = given(optimizer.parameters, step)
        for p, g in zip(optimizer.parameters, gradients, strict=True):
            decay, rate = decays[p.name](step), rates[p.name](step)
            assert float(told[p.name]) == pytest.approx(decay * scale)
            assert float(lrs[p.name]) == pytest.approx(rate)
            moved = g / scale + decay * want[p.name]
            want[p.name] = want[p.name] - rate * (centred(moved) if p.name in ("b", "bias") else moved)
        stepped(optimizer, gradients)
    for p in (a, b, c, d, bias):
        np.testing.assert_allclose(p.asnumpy(), want[p.name], rtol=1e-5, atol=1e-6, err_msg=p.name)
    assert optimizer.dynamic_weight_decay
    assert optimizer.dynamic_lr


def test_one_decay_is_told_times_the_scale():
    assert float(nn.SGD(made("w"), 0.1, weight_decay=0.25, loss_scale=8.0).get_weight_decay()) == 2.0
    optimizer = nn.Momentum(made("w"), 0.1, 0.0, weight_decay=Growing(), loss_scale=8.0)
    assert float(optimizer.get_weight_decay()) == pytest.approx(0.8)
    stepped(optimizer, given(optimizer.parameters))
    assert float(optimizer.get_weight_decay()) == pytest.approx(1.6)
    with pytest.raises(TypeError, match="'weight_decay' must be a number"):
        nn.SGD([{"params": made("a")}, {"params": made("b"), "weight_decay": Growing()}], 0.1)


def test_the_parameters_that_hold_rates_are_found_whatever_stands_beside_them():
    a, b, c = made("a", "b", "c")
    groups = [{"params": [a], "lr": 0.5}, {"params": [b], "lr": [0.25, 0.125]}, {"params": [c]}]
    optimizer = nn.Momentum(groups, 0.75, 0.0)
    held = optimizer.get_lr_parameter([a, b, c])
    assert [type(p) for p in held] == [Parameter] * 3
    assert [p.asnumpy().reshape(-1).tolist() for p in held] == [[0.5], [0.25, 0.125], [0.75]]
    held[0].set_data(Tensor(0.0625))
    assert [float(rate) for rate in optimizer.get_lr()] == [0.0625, 0.25, 0.75]


@pytest.mark.parametrize(("rate", "noted"), [(0.5, 0.5), (Tensor(0.5), 0.5), (Tensor([0.5, 0.25]), [0.5, 0.25]),
                                             ([0.5, 0.25], [0.5, 0.25]), (nn.WarmUpLR(0.5, 2), None)])
def test_an_optimizer_notes_what_it_was_made_with(rate, noted):
    (w,) = made("w")
    optimizer = nn.Adam([w], rate, beta1=0.8)
    assert optimizer.init_learning_rate == noted
    assert optimizer.init_params == {"params": [w]}
    assert (optimizer.init_args["beta1"], optimizer.init_args["beta2"]) == (0.8, 0.999)


def test_an_order_names_each_parameter_once():
    a, b = made("a", "b")
    for order in ([a], [a, b, a], [a, *made("c")]):
        with pytest.raises(ValueError, match="order_params"):
            nn.SGD([{"params": [a]}, {"params": [b]}, {"order_params": order}], 0.1)


KINDS = {
    "SGD": lambda p: nn.SGD(p, 0.1, 0.9, weight_decay=0.1), "Momentum": lambda p: nn.Momentum(p, 0.1, 0.9, 0.1),
    "Adam": lambda p: nn.Adam(p, 0.1, weight_decay=0.1), "AdamWeightDecay": lambda p: nn.AdamWeightDecay(
        p, 0.1, weight_decay=0.1), "Lamb": lambda p: nn.Lamb(p, 0.1, weight_decay=0.1),
    "LARS": lambda p: nn.LARS(nn.Momentum(p, 0.1, 0.9, 0.1), coefficient=0.5),
}


@pytest.mark.parametrize("name", KINDS)
def test_narrow_parameters_beside_wide_ones_take_the_steps_of_wide_ones(name):
    start, gradients = given(made("a", "b")), [given(made("a", "b"), seed) for seed in range(1, 4)]
    found = {}
    for kinds in ((float32, float32), (float16, float32)):
        pair = [Parameter(Tensor(x, dtype), name=n) for x, dtype, n in zip(start, kinds, "ab", strict=True)]
        optimizer = KINDS[name](pair)
        for g in gradients:
            stepped(optimizer, g)
        assert tuple(p.dtype for p in pair) == kinds
        found[kinds] = [p.asnumpy().astype(np.float64) for p in pair]
    wide, mixed = found.values()
    np.testing.assert_allclose(mixed[0], wide[0], atol=6e-3)
    np.testing.assert_allclose(mixed[1], wide[1], rtol=1e-6)


@pytest.mark.parametrize("name", ["SGD", "Momentum", "Adam"])
def test_decay_is_added_in_the_type_of_the_gradient(name):
    w = Parameter(Tensor([[2.0, -3.0]], float16), name="w")
    optimizer = KINDS[name]([w])
    optimizer((Tensor([[0.5, 0.25]], float32),))
    assert w.dtype is float16
    first = np.array([0.7, -0.05]) if name != "Adam" else np.sign([0.7, -0.05])
    np.testing.assert_allclose(w.asnumpy(), [np.array([2.0, -3.0]) - 0.1 * first], atol=2e-3)


def test_lamb_trusts_a_layer_at_most_tenfold():
    w = Parameter(Tensor([[3000.0, -4000.0]]), name="w")
    nn.Lamb([w], 0.5)((Tensor([[0.25, -0.125]]),))            # the direction has the norm sqrt(2), the weight 5000
    np.testing.assert_allclose(w.asnumpy(), [[3000.0 - 5, -4000.0 + 5]], atol=1e-2)
    z = Parameter(Tensor([[0.0, 0.0]]), name="z")
    nn.Lamb([z], 0.5)((Tensor([[0.25, -0.125]]),))            # a norm of zero makes the ratio one
    np.testing.assert_allclose(z.asnumpy(), [[-0.5, 0.5]], atol=1e-4)


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_lars_scales_each_layer_once(clip, scale):
    weight, bias, zero = made("w")[0], made("bias", shape=(3,))[0], Parameter(np.zeros((2, 3), np.float32), name="z")
    groups = [{"params": [weight, zero], "grad_centralization": True, "weight_decay": 0.2}, {"params": [bias]}]
    inner = nn.Momentum(groups, 0.1, 0.0, loss_scale=scale)
    optimizer = nn.LARS(inner, epsilon=1e-3, coefficient=0.3, use_clip=clip)
    gradients = given([weight, zero, bias], 7)
    want = []
    for p, g in zip((weight, zero, bias), gradients, strict=True):
        value, g = p.asnumpy().astype(np.float64), g / scale
        if p is bias:
            want.append(value - 0.1 * g)
            continue
        norms = np.linalg.norm(value), np.linalg.norm(g)
        trust = 0.3 * norms[0] / (norms[1] + 0.2 * norms[0] + 1e-3) if norms[0] else 1.0
        trust = min(trust / 0.1, 1.0) if clip else trust
        want.append(value - 0.1 * centred((g + 0.2 * value) * trust))
    stepped(optimizer, gradients)
    for p, w in zip((weight, zero, bias), want, strict=True):
        np.testing.assert_allclose(p.asnumpy(), w, rtol=1e-5, atol=1e-6, err_msg=p.name)
    large = Parameter(Tensor(np.full((2, 2), 3e4), float16), name="large")         # whose square is no half
    nn.LARS(nn.SGD([large], 1.0), coefficient=0.25)((Tensor(np.full((2, 2), 2.0), float16),))
    assert large.asnumpy() == pytest.approx(3e4 - 0.25 * 3e4, rel=1e-3)


def test_options_of_adam_that_exclude_each_other():
    for options, error in (({"use_lazy": True, "use_offload": True}, ValueError),
                           ({"use_amsgrad": True, "use_lazy": True}, ValueError), ({"other": True}, KeyError)):
        with pytest.raises(error):
            nn.Adam(made("w"), **options)
    one, other = (Parameter(Tensor([[2.0, -3.0]]), name="w") for _ in range(2))
    for p, ahead in ((one, True), (other, False)):
        optimizer = nn.Adam([p], 0.1, use_amsgrad=True, use_nesterov=ahead)
        for value in (1.0, 0.25, -0.5):
            optimizer((Tensor([[value, 1.0]]),))
    assert np.array_equal(one.asnumpy(), other.asnumpy())
