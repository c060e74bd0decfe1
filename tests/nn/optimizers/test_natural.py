"""`nn.thor` against the closed form in NumPy: gradients, factors and inverses written down once more."""
from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, nn, ops

RNG = np.random.default_rng(7)
RATES, DAMPINGS = [0.1, 0.05, 0.02, 0.02], [0.03, 0.02, 0.01, 0.01]
X, LABEL = RNG.standard_normal((6, 4)).astype(np.float32), RNG.standard_normal((6, 2)).astype(np.float32)
FIRST = RNG.standard_normal((3, 4)).astype(np.float32)
BIAS = RNG.standard_normal(3).astype(np.float32)
SECOND = RNG.standard_normal((2, 3)).astype(np.float32)
KERNEL = RNG.standard_normal((3, 2, 3, 2)).astype(np.float32)
IMAGES = RNG.standard_normal((5, 2, 6, 5)).astype(np.float32)
TABLE = RNG.standard_normal((4, 3)).astype(np.float32)


class Net(nn.Cell):
    """Two dense layers, the first with a bias and an activation."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 3, Tensor(FIRST), Tensor(BIAS), activation="tanh")
        self.second = nn.Dense(3, 2, Tensor(SECOND), has_bias=False)

    def construct(self, x):
        return self.second(self.first(x))


def trained(net, x, label, steps=4, sens=1.0, **options):
    """The losses, and the optimizer after some steps with the mean square error."""
    options = {"batch_size": len(x), "frequency": 2, **options}
    optimizer = nn.thor(net, Tensor(RATES), Tensor(DAMPINGS), 0.9, **options)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer, sens=sens).set_train()
    return [float(step(Tensor(x), Tensor(label))) for _ in range(steps)], optimizer


def second_moment(rows):
    return rows.T @ rows / len(rows)


class Followed:
    """The formula in float64: parameters by name, updated from their gradients and the factors of some of them."""

    def __init__(self, frequency=2, decay=0.0, clip=False, nesterov=False, **values):
        self.values = {name: value.astype(np.float64) for name, value in values.items()}
        self.moments, self.inverses = dict.fromkeys(values, 0.0), {}
        self.frequency, self.decay, self.clip, self.nesterov = frequency, decay, clip, nesterov

    def step(self, t, grads, factors):
        for name, grad in grads.items():
            if name in factors:
                grad = self.solved(t, name, grad, *factors[name])
            if self.clip:
                grad = grad / max(1.0, np.linalg.norm(grad))
            grad = grad + self.decay * self.values[name]
            v = self.moments[name] = 0.9 * self.moments[name] + grad
            self.values[name] = self.values[name] - RATES[t] * (grad + 0.9 * v if self.nesterov else v)

    def solved(self, t, name, grad, a, g):
        if t % self.frequency == 0:
            root = DAMPINGS[t] ** 0.5
            self.inverses[name] = [np.linalg.inv(f + root * np.eye(len(f))) for f in (a, g)]
        a, g = self.inverses[name]
        return (g @ grad.reshape(len(g), -1) @ a).reshape(grad.shape)


def two_layers(steps=4, **options):
    """What the formula gives for `Net`."""
    f = Followed(first=FIRST, bias=BIAS, second=SECOND, **options)
    x, n = X.astype(np.float64), len(X)
    losses = []
    for t in range(steps):
        h = np.tanh(x @ f.values["first"].T + f.values["bias"])
        y = h @ f.values["second"].T
        losses.append(np.mean((y - LABEL) ** 2))
        dy = 2 * (y - LABEL) / y.size
        ds = dy @ f.values["second"] * (1 - h * h)
        f.step(t, {"first": ds.T @ x, "bias": ds.sum(0), "second": dy.T @ h},
               {"first": (second_moment(x), second_moment(n * ds)),
                "second": (second_moment(h), second_moment(n * dy))})
    return losses, f.values


def check(net, values, **tolerance):
    tolerance = {"rtol": 2e-4, "atol": 2e-5, **tolerance}
    for name, parameter in (("first", net.first.weight), ("bias", net.first.bias), ("second", net.second.weight)):
        np.testing.assert_allclose(parameter.asnumpy(), values[name], **tolerance, err_msg=name)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("options", [{}, {"use_nesterov": True}, {"enable_clip_grad": True}, {"weight_decay": 0.1},
                                     {"frequency": 3}, {"enable_clip_grad": True, "weight_decay": 0.2}])
def test_dense_layers_follow_the_closed_form(options):
    net = Net()
    losses, _ = trained(net, X, LABEL, **options)
    want, values = two_layers(frequency=options.get("frequency", 2), decay=options.get("weight_decay", 0.0),
                              clip=options.get("enable_clip_grad", False), nesterov=options.get("use_nesterov", False))
    np.testing.assert_allclose(losses, want, rtol=2e-4)
    check(net, values)


@pytest.mark.usefixtures("both_modes")
def test_the_scale_of_the_loss_has_no_effect():
    net = Net()
    trained(net, X, LABEL, sens=128.0, loss_scale=128.0)
    check(net, two_layers()[1])


def test_only_what_the_filter_names_decays():
    net = Net()
    trained(net, X, LABEL, steps=1, weight_decay=0.5, decay_filter=lambda p: p.name == "second.weight")
    _, plain = two_layers(1)
    check(net, {**plain, "second": plain["second"] - RATES[0] * 0.5 * SECOND})


@pytest.mark.parametrize("damping", [0.03, Tensor(0.03)])
def test_the_damping_may_be_one_number(damping):
    net = Net()
    optimizer = nn.thor(net, Tensor(RATES), damping, 0.9, batch_size=6, frequency=2)
    nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)(Tensor(X), Tensor(LABEL))
    check(net, two_layers(1)[1])


CONVOLUTIONS = [{}, {"stride": 2}, {"pad_mode": "valid"}, {"pad_mode": "pad", "padding": (1, 0, 2, 1)},
                {"pad_mode": "pad", "padding": 1, "dilation": 2}]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("options", CONVOLUTIONS)
def test_convolutions_follow_the_closed_form(options):
    """Grosse and Martens 2016: A is a mean over images of sums over patches, G the mean over all places."""
    net = nn.SequentialCell(nn.Conv2d(2, 3, (3, 2), weight_init=Tensor(KERNEL), has_bias=True, bias_init="zeros",
                                      **options))
    label = RNG.standard_normal(net(Tensor(IMAGES)).shape).astype(np.float32)
    trained(net, IMAGES, label, steps=3)
    f = Followed(kernel=KERNEL, bias=np.zeros(3, np.float32))
    n = len(IMAGES)
    for t in range(3):
        kernel = torch.tensor(f.values["kernel"], requires_grad=True)
        bias = torch.tensor(f.values["bias"], requires_grad=True)
        y, patches = convolved(torch.tensor(IMAGES, dtype=torch.float64), kernel, bias, label.shape, options)
        y.retain_grad()
        ((y - torch.tensor(label)) ** 2).mean().backward()
        d = y.grad.permute(0, 2, 3, 1).reshape(-1, 3).numpy()
        places = len(d) // n
        f.step(t, {"kernel": kernel.grad.numpy(), "bias": bias.grad.numpy()},
               {"kernel": (places * second_moment(patches), second_moment(n * d))})
    np.testing.assert_allclose(net[0].weight.asnumpy(), f.values["kernel"], rtol=5e-4, atol=1e-4)
    np.testing.assert_allclose(net[0].bias.asnumpy(), f.values["bias"], rtol=5e-4, atol=1e-4)


def convolved(x, kernel, bias, shape, options):
    """A convolution, and the patches of its input as rows, both by torch."""
    stride, dilation = options.get("stride", 1), options.get("dilation", 1)
    mode, padding = options.get("pad_mode", "same"), options.get("padding", 0)
    if mode == "same":
        total = [max((shape[i + 2] - 1) * stride + (kernel.shape[i + 2] - 1) * dilation + 1 - x.shape[i + 2], 0)
                 for i in (0, 1)]
        padding = (total[0] // 2, total[0] - total[0] // 2, total[1] // 2, total[1] - total[1] // 2)
    top, bottom, left, right = padding if isinstance(padding, tuple) else (padding,) * 4
    x = torch.nn.functional.pad(x, (left, right, top, bottom))
    y = torch.nn.functional.conv2d(x, kernel, bias, stride=stride, dilation=dilation)
    patches = torch.nn.functional.unfold(x, kernel.shape[2:], dilation=dilation, stride=stride)
    return y, patches.permute(0, 2, 1).reshape(-1, patches.shape[1]).numpy()


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("make", [
    lambda: nn.Embedding(4, 3, embedding_table=Tensor(TABLE)),
    lambda: nn.Embedding(4, 3, True, Tensor(TABLE)),
    lambda: nn.EmbeddingLookup(4, 3, Tensor(TABLE)),
])
def test_tables_follow_the_closed_form(make):
    ids = np.array([[0, 1, 1], [3, 1, 0]], np.int32)
    label = RNG.standard_normal((2, 3, 3)).astype(np.float32)
    net = nn.SequentialCell(make())
    trained(net, ids, label, steps=3, batch_size=6)
    f, hot = Followed(table=TABLE.T), np.eye(4)[ids.ravel()]
    for t in range(3):
        d = 2 * (hot @ f.values["table"].T - label.reshape(6, 3)) / label.size
        f.step(t, {"table": d.T @ hot}, {"table": (np.diag(hot.mean(0)), second_moment(6 * d))})
    np.testing.assert_allclose(net[0].embedding_table.asnumpy(), f.values["table"].T, rtol=2e-4, atol=2e-5)


@pytest.mark.usefixtures("both_modes")
def test_steps_that_are_told_not_to_renew_give_the_same_parameters():
    net = Net()
    optimizer = nn.thor(net, Tensor(RATES), Tensor(DAMPINGS), 0.9, batch_size=6, frequency=2)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    seen = []
    for _ in range(4):
        optimizer.renewing()
        seen.append((net.first.thor, optimizer.thor))
        step(Tensor(X), Tensor(LABEL))
    assert seen == [(True, True), (False, False)] * 2
    check(net, two_layers()[1])


def test_the_step_of_a_regression_finds_the_minimum_where_gradient_descent_is_far_from_it():
    """One natural step with a small damping: for one output, G is a number and A the matrix of the normal equations."""
    x = (RNG.standard_normal((64, 3)) * [1.0, 10.0, 100.0]).astype(np.float32)
    label = x @ np.array([[1.0], [2.0], [3.0]], np.float32) + 1e-2 * RNG.standard_normal((64, 1)).astype(np.float32)
    net = nn.Dense(3, 1, "zeros", has_bias=False)
    residual = np.mean((2 * label) ** 2)        # G of the first step, whose outputs are zero
    optimizer = nn.thor(net, Tensor(float(residual / 2)), Tensor(1e-12), 0.0, batch_size=64)
    nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)(Tensor(x), Tensor(label))
    np.testing.assert_allclose(net.weight.asnumpy(), [[1.0, 2.0, 3.0]], atol=2e-2)


def test_the_parameters_have_the_names_of_checkpoints():
    net = Net()
    optimizer = nn.thor(net, Tensor(RATES), Tensor(DAMPINGS), 0.9)
    assert [p.name for p in net.trainable_params()] == ["first.weight", "first.bias", "second.weight"]
    assert [(p.name, p.shape) for p in net.get_parameters() if not p.requires_grad] == [
        ("first.matrix_a", (4, 4)), ("first.matrix_g", (3, 3)), ("second.matrix_a", (3, 3)),
        ("second.matrix_g", (2, 2))]
    names = [p.name for p in optimizer.get_parameters()]
    assert {"momentum", "moments.first.weight", "matrix_a_inv_0", "matrix_g_inv_1", "damping"} <= set(names)


def test_a_weight_of_two_layers_follows_its_gradient():
    net = nn.SequentialCell(nn.Dense(3, 3, has_bias=False), nn.Dense(3, 3, has_bias=False))
    net[1].weight = net[0].weight
    before = net[0].weight.asnumpy().copy()
    x = Tensor(RNG.standard_normal((5, 3)).astype(np.float32))
    label = ops.ones((5, 3))
    grad = ops.grad(lambda x: ((net(x) - label) ** 2).mean(), None, net.trainable_params())(x)
    optimizer = nn.thor(net, Tensor(0.1), Tensor(0.1), 0.9)
    nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)(x, label)
    assert optimizer.layers == ()
    assert not net[0].thor
    np.testing.assert_allclose(net[0].weight.asnumpy(), before - 0.1 * grad[0].asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"learning_rate": 0.1}, TypeError, "'learning_rate' must be a Tensor"),      # observed: 2.10 raises TypeError
    ({"momentum": 1}, TypeError, "'momentum' must be a float"),
    ({"momentum": -1.0}, ValueError, "'momentum'"),
    ({"frequency": 1}, ValueError, "'frequency' must be an int"),
    ({"frequency": 2.0}, TypeError, "'frequency' must be an int"),
    ({"loss_scale": 0.0}, ValueError, "'loss_scale'"),
    ({"weight_decay": -1.0}, ValueError, "'weight_decay'"),
    ({"weight_decay": "a"}, TypeError, "'weight_decay'"),
    ({"use_nesterov": 1}, TypeError, "'use_nesterov'"),
    ({"decay_filter": 3}, TypeError, "'decay_filter'"),
    ({"batch_size": 0}, ValueError, "'batch_size'"),
    ({"split_indices": [1, 0]}, ValueError, "'split_indices' must rise"),
    ({"net": 3}, TypeError, "'net' must be"),
])
def test_wrong_arguments_are_named(options, error, text):
    given = {"net": Net(), "learning_rate": Tensor(RATES), "damping": Tensor(DAMPINGS), "momentum": 0.9, **options}
    with pytest.raises(error, match=text):
        nn.thor(**given)
