"""Parts whose values the reverse pass computes again, against the same parts whose values are kept."""
from __future__ import annotations

import contextlib

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn, ops

X = np.random.RandomState(0).randn(5, 3).astype(np.float32)


class Part(nn.Cell):
    """A part that draws random numbers, keeps averages, and counts its runs."""

    def __init__(self):
        super().__init__()
        self.dense, self.norm, self.drop = nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dropout(p=0.4)

    def construct(self, x):
        return self.drop(ops.tanh(self.norm(self.dense(x))))


class Net(nn.Cell):
    """Two parts, of which one is given a dict."""

    def __init__(self, way):
        super().__init__()
        self.part, self.head, self.way = Part(), nn.Dense(4, 2), way
        if way == "cell":
            self.part.recompute()

    def construct(self, x):
        h = ms.recompute(self.part, x) if self.way == "function" else self.part(x)
        return (self.head(h * h) ** 2).sum()


def trained(way, steps=2):
    ms.set_seed(3)
    net = Net(way)
    net.set_train()
    step = ms.value_and_grad(net, 0, net.trainable_params())
    found = []
    for _ in range(steps):
        value, (dx, dw) = step(Tensor(X))
        found += [value, dx, *dw]
    return [t.asnumpy() for t in (*found, net.part.norm.moving_mean, net.part.norm.moving_variance)]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("way", ["function", "cell"])
def test_gradients_random_numbers_and_averages_are_those_of_values_that_are_kept(way):
    for a, b in zip(trained(way), trained("kept"), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def held_between(way):
    """How much memory tensors of torch hold after the forward pass, in elements, and how often the part ran."""
    runs = []

    class Wide(nn.Cell):
        def construct(self, x):
            runs.append(1)
            for _ in range(20):
                x = ops.tanh(x * 1.5)
            return x

    alive = []
    part = Wide()
    if way == "cell":
        part.recompute()

    def program(x):
        y = ms.recompute(part, x) if way == "function" else part(x)
        import gc  # what nothing refers to
        gc.collect()
        alive.append(sum(t.numel() for t in gc.get_objects() if type(t) is torch.Tensor and t.numel() == 12345))
        return y.sum()

    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.grad(program)(Tensor(np.ones(12345, np.float32)))
    return alive[0] // 12345, len(runs)


def test_values_do_not_live_between_the_passes_in_pynative_mode():
    kept, once = held_between("kept")
    assert kept >= 20
    assert once == 1
    for way in ("function", "cell"):
        alive, runs = held_between(way)
        assert alive <= 5
        assert runs == 2


@pytest.mark.usefixtures("both_modes")
def test_gradients_of_gradients_and_parts_within_parts():
    inner = nn.SequentialCell(nn.Dense(3, 3), nn.Tanh())

    class Outer(nn.Cell):
        def __init__(self, again):
            super().__init__()
            self.inner, self.again = inner, again

        def construct(self, x):
            y = ms.recompute(self.inner, x * 2) if self.again else self.inner(x * 2)
            return ops.sin(y)

    def second(again):
        net = Outer(again)

        def value(x):
            return (ms.recompute(net, x) if again else net(x)).sum()

        def slope(x):
            return (ms.grad(value)(x) ** 2).sum()
        return ms.grad(slope, 0, net.trainable_params())(Tensor(X))

    (dx, dw), (want, wants) = second(True), second(False)
    for a, b in zip((dx, *dw), (want, *wants), strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-5)


def test_functions_containers_and_contexts():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    weight, entered = ms.Parameter(Tensor([2.0, 3.0]), name="w"), []

    @contextlib.contextmanager
    def note(which):
        entered.append(which)
        yield

    def part(pair, *, scale):
        return {"y": pair[0] * weight * scale["s"]}

    def program(x, s):
        return ms.recompute(part, (x, 1), scale={"s": s}, use_reentrant=False,
                            context_fn=lambda: (note("first"), note("second")))["y"].sum()

    (dx, ds), (dw,) = ms.grad(program, (0, 1), [weight])(Tensor([5.0, 7.0]), Tensor(10.0))
    assert (dx.tolist(), ds.item(), dw.tolist()) == ([20, 30], 31, [50, 70])
    assert entered == ["first", "second"]
    assert ms.recompute(part, (Tensor([1.0, 1.0]), 1), scale={"s": 1.0}, use_reentrant=False)["y"].tolist() == [2, 3]


def test_what_would_be_wrong_is_refused():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = nn.Tanh()

    def captured(x):
        y = x * 2
        return ms.recompute(lambda z: y * z, x, use_reentrant=False).sum()
    with pytest.raises(ValueError, match="Pass it as an argument"):
        ms.grad(captured)(Tensor([1.0]))

    def changed(x, shared):
        base = x * 1
        y = base[:1] if shared else base
        z = ms.recompute(net, y)
        base.add_(1)
        return z.sum()
    assert ms.grad(changed)(Tensor([1.0]), False).item() == pytest.approx(1 - np.tanh(1.0) ** 2, rel=1e-5)
    with pytest.raises(RuntimeError, match="was changed in place"):
        ms.grad(changed)(Tensor([1.0]), True)
    for options, error in (({"use_reentrant": 1}, TypeError), ({"context_fn": lambda: 1}, ValueError),
                           ({"early_stop": 0}, TypeError), ({"output_recompute": None}, TypeError)):
        with pytest.raises(error, match="For 'recompute'"):
            ms.recompute(net, Tensor([1.0]), **options)
    with pytest.raises(TypeError, match="must be a Cell"):
        ms.recompute(ops.tanh, Tensor([1.0]))
