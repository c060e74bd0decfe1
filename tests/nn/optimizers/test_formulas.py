"""Every optimizer against its formula, written down once more in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn

RNG = np.random.default_rng(3)
WEIGHT = RNG.standard_normal((3, 4)).astype(np.float32)
GRADS = [RNG.standard_normal((3, 4)).astype(np.float32) for _ in range(4)]


def trained(make, grads=GRADS, **options):
    """The parameter after some steps of an optimizer, and the optimizer."""
    weight = Parameter(WEIGHT, name="w")
    optimizer = make([weight], **options)
    for g in grads:
        optimizer((Tensor(g),))
    return weight.asnumpy(), optimizer


def followed(update, *state):
    """What a formula `update(p, g, t, *state) -> (p, *state)` gives for the same gradients."""
    p = WEIGHT.astype(np.float64)
    for t, g in enumerate(GRADS, 1):
        p, *state = update(p, g.astype(np.float64), t, *state)
    return p


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


def by_torch(cls, **options):
    p = torch.tensor(WEIGHT, requires_grad=True)
    optimizer = cls([p], **options)
    for g in GRADS:
        p.grad = torch.tensor(g)
        optimizer.step()
    return p.detach().numpy()


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum_adds_the_last_direction(nesterov):
    got, _ = trained(nn.Momentum, learning_rate=0.1, momentum=0.9, use_nesterov=nesterov)
    close(got, by_torch(torch.optim.SGD, lr=0.1, momentum=0.9, nesterov=nesterov))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(
    "options",
    [{}, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}, {"momentum": 0.5, "dampening": 0.3}],
)
def test_sgd_is_that_of_torch(options):
    got, _ = trained(nn.SGD, learning_rate=0.1, **options)
    close(got, by_torch(torch.optim.SGD, lr=0.1, **options))


def test_sgd_notes_that_its_direction_has_begun():
    _, optimizer = trained(nn.SGD, learning_rate=0.1, momentum=0.9)
    assert np.all(optimizer.stat[0].asnumpy() == 0)
    _, optimizer = trained(nn.SGD, learning_rate=0.1)
    assert np.all(optimizer.stat[0].asnumpy() == 1)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("cls", [nn.Adam, nn.AdamOffload, nn.LazyAdam])
@pytest.mark.parametrize("nesterov", [False, True])
def test_adam_corrects_the_bias_in_the_learning_rate(cls, nesterov):
    b1, b2, eps = 0.8, 0.95, 1e-3

    def adam(p, g, t, m, v):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        rate = 0.1 * np.sqrt(1 - b2**t) / (1 - b1**t)
        ahead = b1 * m + (1 - b1) * g if nesterov else m
        return p - rate * ahead / (np.sqrt(v) + eps), m, v

    got, _ = trained(cls, learning_rate=0.1, beta1=b1, beta2=b2, eps=eps, use_nesterov=nesterov)
    close(got, followed(adam, 0.0, 0.0))


def test_adam_with_amsgrad_divides_by_the_greatest_average():
    b1, b2, eps = 0.9, 0.5, 1e-8

    def amsgrad(p, g, t, m, v, h):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        h = np.maximum(h, v)
        rate = 0.1 * np.sqrt(1 - b2**t) / (1 - b1**t)
        return p - rate * m / (np.sqrt(h) + eps), m, v, h

    got, optimizer = trained(nn.Adam, learning_rate=0.1, beta2=b2, use_amsgrad=True)
    close(got, followed(amsgrad, 0.0, 0.0, 0.0))
    assert optimizer.vhat[0].name == "vhat.w"


@pytest.mark.usefixtures("both_modes")
def test_adam_weight_decay_decays_beside_the_gradient():
    b1, b2, eps = 0.9, 0.999, 1e-6

    def adamw(p, g, t, m, v):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        return p - 0.1 * (m / (np.sqrt(v) + eps) + 0.2 * p), m, v

    got, _ = trained(nn.AdamWeightDecay, learning_rate=0.1, weight_decay=0.2)
    close(got, followed(adamw, 0.0, 0.0))


def test_adamax_divides_by_the_greatest_gradient():
    def adamax(p, g, t, m, u):
        m, u = 0.9 * m + 0.1 * g, np.maximum(0.999 * u, np.abs(g))
        return p - 0.1 / (1 - 0.9**t) * m / (u + 1e-8), m, u

    got, _ = trained(nn.AdaMax, learning_rate=0.1)
    close(got, followed(adamax, 0.0, 0.0))


@pytest.mark.parametrize("grows", [True, False])
def test_adagrad_divides_by_the_root_of_the_sum(grows):
    def adagrad(p, g, t, a):
        a = a + g * g if grows else a
        return p - 0.1 * g / np.sqrt(a), a

    got, _ = trained(nn.Adagrad, learning_rate=0.1, accum=0.3, update_slots=grows)
    close(got, followed(adagrad, 0.3))


def test_adadelta_is_that_of_torch():
    got, _ = trained(nn.Adadelta, learning_rate=0.5, rho=0.8, epsilon=1e-4)
    close(got, by_torch(torch.optim.Adadelta, lr=0.5, rho=0.8, eps=1e-4))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("centered", [False, True])
def test_rmsprop_divides_by_the_root_of_the_average(centered):
    def rmsprop(p, g, t, s, mean, m):
        s, mean = 0.8 * s + 0.2 * g * g, 0.8 * mean + 0.2 * g
        spread = s - mean * mean if centered else s
        m = 0.5 * m + 0.1 * g / np.sqrt(spread + 1e-3)
        return p - m, s, mean, m

    got, _ = trained(
        nn.RMSProp, learning_rate=0.1, decay=0.8, momentum=0.5, epsilon=1e-3, centered=centered
    )
    close(got, followed(rmsprop, 1.0, 0.0, 0.0))


@pytest.mark.parametrize("power", [-0.5, -0.3])
def test_ftrl_sets_small_leaders_to_zero(power):
    l1, l2, lr = 3.0, 0.2, 0.5

    def ftrl(p, g, t, n, z):
        new = n + g * g
        z = z + g - (new**-power - n**-power) / lr * p
        moved = (np.sign(z) * l1 - z) / (new**-power / lr + 2 * l2)
        return np.where(np.abs(z) > l1, moved, 0.0), new, z

    got, _ = trained(nn.FTRL, learning_rate=lr, lr_power=power, l1=l1, l2=l2, initial_accum=0.1)
    want = followed(ftrl, 0.1, 0.0)
    assert (want == 0).any()
    close(got, want)


def test_proximal_adagrad_shrinks_after_the_step():
    l1, l2, lr = 0.5, 0.3, 0.2

    def proximal(p, g, t, a):
        a = a + g * g
        r = lr / np.sqrt(a)
        q = p - r * g
        return np.sign(q) * np.maximum(np.abs(q) - r * l1, 0) / (1 + r * l2), a

    got, _ = trained(nn.ProximalAdagrad, learning_rate=lr, l1=l1, l2=l2)
    close(got, followed(proximal, 0.1))


@pytest.mark.usefixtures("both_modes")
def test_lamb_scales_its_step_by_the_norms():
    b1, b2, eps = 0.9, 0.999, 1e-6

    def lamb(p, g, t, m, v):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        d = m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps) + 0.1 * p
        ratio = min(np.linalg.norm(p) / np.linalg.norm(d), 10.0)
        return p - 0.05 * ratio * d, m, v

    got, _ = trained(nn.Lamb, learning_rate=0.05, weight_decay=0.1)
    close(got, followed(lamb, 0.0, 0.0))


def test_lamb_leaves_the_step_of_a_zero_parameter_unscaled():
    weight = Parameter(np.zeros(2, np.float32), name="w")
    nn.Lamb([weight], learning_rate=0.1)((Tensor(np.array([1.0, -1.0], np.float32)),))
    close(weight.asnumpy(), [-0.1, 0.1])


@pytest.mark.parametrize("clips", [False, True])
def test_lars_scales_gradients_by_the_norms(clips):
    def lars(p, g, t, v):
        norm = np.linalg.norm
        trust = 0.5 * norm(p) / (norm(g) + 0.2 * norm(p) + 1e-5)
        trust = min(trust / 0.1, 1.0) if clips else trust
        v = 0.9 * v + trust * (g + 0.2 * p)
        return p - 0.1 * v, v

    def make(params):
        inner = nn.Momentum(params, 0.1, 0.9, weight_decay=0.2)
        return nn.LARS(inner, coefficient=0.5, use_clip=clips)

    got, _ = trained(make)
    close(got, followed(lars, 0.0))


def test_lars_leaves_gradients_of_biases_alone():
    bias = Parameter(WEIGHT, name="fc.bias")
    optimizer = nn.LARS(nn.SGD([bias], 0.1, weight_decay=0.2))
    optimizer((Tensor(GRADS[0]),))
    close(bias.asnumpy(), WEIGHT - 0.1 * (GRADS[0] + 0.2 * WEIGHT))


def test_asgd_averages_from_t0_on():
    lambd, alpha, t0, lr = 0.01, 0.6, 2.0, 0.1

    def asgd(p, g, t, eta, mu, ax):
        p = p * (1 - lambd * eta) - eta * g
        ax = ax + (p - ax) * mu
        return p, lr / (1 + lambd * lr * t) ** alpha, 1 / max(1, t - t0), ax

    averages = []

    def kept(p, g, t, *state):
        found = asgd(p, g, t, *state)
        averages.append(found[-1])
        return found

    got, optimizer = trained(nn.ASGD, learning_rate=lr, lambd=lambd, alpha=alpha, t0=t0)
    close(got, followed(kept, lr, 1.0, 0.0))
    close(optimizer.ax[0].asnumpy(), averages[-1])


@pytest.mark.usefixtures("both_modes")
def test_rprop_is_that_of_torch():
    got, _ = trained(nn.Rprop, learning_rate=0.1, etas=(0.4, 1.3), step_sizes=(1e-3, 0.15))
    close(got, by_torch(torch.optim.Rprop, lr=0.1, etas=(0.4, 1.3), step_sizes=(1e-3, 0.15)))


def test_a_parameter_in_float16_stays_in_float16():
    weight = Parameter(Tensor(WEIGHT.astype(np.float16)), name="w")
    nn.Momentum([weight], 0.1, 0.9)((Tensor(GRADS[0].astype(np.float16)),))
    assert weight.asnumpy().dtype == np.float16
    np.testing.assert_allclose(weight.asnumpy(), WEIGHT - 0.1 * GRADS[0], rtol=5e-3, atol=2e-3)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("beta1", "most"), [(0.0, 1.0), (0.9, 1.0), (0.0, 0.25)])
def test_adafactor_keeps_averages_of_rows_and_columns(beta1, most):
    def rms(x):
        return np.sqrt((x * x).mean())

    def adafactor(p, g, t, row, column, average):
        keep, squared = 1 - t**-0.8, g * g + 1e-30
        row = keep * row + (1 - keep) * squared.mean(1)
        column = keep * column + (1 - keep) * squared.mean(0)
        u = g / np.sqrt(np.outer(row / row.mean(), column))
        u = u / max(rms(u) / most, 1.0) * 0.1 * max(rms(p), 1e-3)
        u = average = beta1 * average + (1 - beta1) * u
        return p - 0.1 * max(rms(p), 1e-3) * 0.2 * p - u, row, column, average

    got, _ = trained(
        nn.AdaFactor, learning_rate=0.1, relative_step=False, beta1=beta1, weight_decay=0.2,
        clip_threshold=most,
    )
    close(got, followed(adafactor, 0.0, 0.0, 0.0))


def test_adafactor_finds_its_rate_by_itself():
    weight = Parameter(np.ones(4, np.float32), name="w")
    nn.AdaFactor([weight], beta1=0.0)((Tensor(np.ones(4, np.float32)),))
    close(weight.asnumpy(), np.full(4, 0.99))
    with pytest.raises(ValueError, match="either"):
        nn.AdaFactor([weight], learning_rate=0.1)


@pytest.mark.parametrize(("warmup", "rates"), [(False, [1e-2, 1e-2]), (True, [1e-6, 2e-6])])
def test_the_rate_of_adafactor_begins_slowly_on_request(warmup, rates):
    weight = Parameter(np.zeros(4, np.float32), name="w")
    step = nn.AdaFactor([weight], beta1=0.0, warmup_init=warmup, scale_parameter=False)
    for rate in rates:
        before = weight.asnumpy().copy()
        step((Tensor(np.ones(4, np.float32)),))
        np.testing.assert_allclose(before - weight.asnumpy(), rate, rtol=1e-3)


@pytest.mark.parametrize("dtype", [ms.float16, ms.float32, ms.float64])
def test_adafactor_keeps_averages_in_the_type_of_the_parameter(dtype):
    """Observed: MindSpore 2.10 on the CPU."""
    p = ms.Parameter(ms.Tensor(np.ones((2, 3)), dtype), name="p")
    opt = nn.AdaFactor([p])
    opt((ms.Tensor(np.ones((2, 3)), dtype),))
    assert {opt.exp_avg[0].dtype, opt.exp_avg_sq_row[0].dtype, p.dtype} == {dtype}
    assert nn.AdaFactor([p], compression=True).exp_avg[0].dtype is ms.float16


def test_a_group_of_the_experimental_rprop_has_no_decay():
    """Observed: MindSpore 2.10 on the CPU; torch's has none, either."""
    p = ms.Parameter(ms.Tensor([1.0, -1.0]), name="p")
    opt = ms.experimental.optim.Rprop([{"params": [p], "weight_decay": 5.0}], lr=0.1)
    for _ in range(2):
        opt((ms.Tensor([0.1, 0.1]),))
    assert np.allclose(p.asnumpy(), [1 - 0.1 - 0.12, -1 - 0.1 - 0.12])
    assert opt.parameters_dict()["step_t"].item() == 2
