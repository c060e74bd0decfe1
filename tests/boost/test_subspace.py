"""Steps in a space of few dimensions, against the formulas in NumPy."""
from __future__ import annotations

import numpy as np
import processes
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

X = np.array([[1, 2], [3, 0.5]], np.float32)
START = np.array([1, -2, 0.5, 3, 0.1, 0.2, 0.7])
COMPONENTS = np.linalg.qr(np.random.RandomState(0).randn(7, 3))[0].T.astype(np.float32)


class Bowl(nn.Cell):
    """The loss: scaled squares."""

    def __init__(self, scale):
        super().__init__()
        self.w = ms.Parameter(Tensor(START[:4].reshape(2, 2), ms.float32), name="w")
        self.b = ms.Parameter(Tensor(START[4:], ms.float32), name="b")
        self.scale = scale

    def construct(self, x):
        return (self.w * self.w * x).sum() * self.scale + (self.b**2).sum()


class Step(nn.Cell):
    """A step of training in the space."""

    def __init__(self, net, components=COMPONENTS, rank=0, ranks=1):
        super().__init__()
        self.net, self.weights = net, ms.ParameterTuple(net.trainable_params())
        self.reduce = ms.boost.DimReduce(net, nn.SGD(self.weights, 1.0), self.weights, components, 3, 0.5, 0.9, 0.05,
                                         0.4, rank, ranks)
        self.grad = ops.GradOperation(get_by_list=True)

    def construct(self, x):
        loss, grads = self.net(x), self.grad(self.net, self.weights)(x)
        scaled = [g * 4 for g in grads]
        return self.reduce(loss, scaled, Tensor(4.0), self.weights, [w * 1 for w in self.weights], x)


def by_formula(scale, steps):
    """The weights after each step, and the dimensions' steps."""
    x = X.ravel().astype(np.float64)

    def loss(w):
        return scale * (w[:4]**2 * x).sum() + (w[4:]**2).sum()

    w, inverse, s, before, v = START.copy(), np.eye(3), np.zeros(3), None, np.zeros(7)
    p = COMPONENTS.astype(np.float64)
    for _ in range(steps):
        g = np.concatenate([2 * scale * w[:4] * x, 2 * w[4:]])
        gk, new = p @ g, inverse
        if before is not None and s @ (gk - before) > 0:
            y = gk - before
            left = np.eye(3) - np.outer(s, y) / (s @ y)
            new = left @ inverse @ left.T + np.outer(s, s) / (s @ y)
        tried = [-(0.5**m) * new @ gk for m in range(3)]
        good = [d for d in tried if loss(w + p.T @ d) < loss(w) + 0.4 * gk @ d]
        if good:
            s, inverse, before = good[0], new, gk
        v = 0.9 * v + g - p.T @ gk
        w = w - (0.05 * v - (p.T @ good[0] if good else 0))
        yield w, bool(good)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_weights_follow_the_formulas(scale):
    net = Bowl(scale)
    step, searched = Step(net), []
    for want, good in by_formula(scale, 6):
        before = float(net(Tensor(X)))
        assert float(step(Tensor(X))) == pytest.approx(before, rel=1e-6)
        found = np.concatenate([p.asnumpy().ravel() for p in net.trainable_params()])
        np.testing.assert_allclose(found, want, rtol=2e-4, atol=2e-5)
        searched.append(good)
    assert False in searched                              # steps without a dimension's share are among them
    assert (True in searched) == (scale == 0.5)


@pytest.mark.usefixtures("both_modes")
def test_numbers_of_the_original():
    net = Bowl(0.5)                                       # observed: MindSpore 2.10, CPU
    step = Step(net)
    for _ in range(4):
        step(Tensor(X))
    np.testing.assert_allclose(net.w.asnumpy().ravel(), [0.3824414, -0.1885439, -0.0727012, 2.1068699], rtol=1e-4)
    np.testing.assert_allclose(net.b.asnumpy(), [-0.0512216, 0.3081140, 0.2208296], rtol=1e-4)
    names = {p.name: p.shape for p in step.reduce.get_parameters()}
    assert [names[f"reduce.{n}"] for n in ("gk_last", "bk", "sk")] == [(3, 1), (3, 3), (3, 1)]


TRAIN = """
import sys
sys.path += [FOLDER, FOLDER + "/../support"]
import test_subspace as t
init()
ms.set_context(mode=ms.PYNATIVE_MODE)
net = t.Bowl(0.5)
step = t.Step(net, t.COMPONENTS[get_rank():get_rank() + 1], get_rank(), 3)
for _ in range(3):
    step(Tensor(t.X))
answer("weights", [net.w, net.b])
release()
"""


@pytest.mark.slow
def test_each_process_has_some_of_the_dimensions(tmp_path):
    for one in processes.run(3, f"FOLDER = {__file__.rpartition('/')[0]!r}\n" + TRAIN, tmp_path):
        want = list(by_formula(0.5, 3))[-1][0]
        np.testing.assert_allclose(np.concatenate([np.ravel(w) for w in one["weights"]]), want, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(("place", "value", "error"), [
    (3, COMPONENTS[:2], ValueError), (3, COMPONENTS[:, :5], ValueError), (4, 0, ValueError), (5, 1.0, ValueError),
    (6, "a", TypeError), (9, 1, ValueError), (10, 2, ValueError), (0, None, TypeError)])
def test_arguments_that_do_not_fit_are_refused(place, value, error):
    net = Bowl(1.0)
    given = [net, nn.SGD(net.trainable_params(), 1.0), tuple(net.trainable_params()), COMPONENTS, 3, 0.5, 0.9, 0.1, 0.4,
             0, 1]
    given[place] = value
    with pytest.raises(error, match="For 'DimReduce'"):
        ms.boost.DimReduce(*given)
