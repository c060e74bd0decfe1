"""Whole functions and training steps as native programs: results, what they overwrite, errors, threads."""
from __future__ import annotations

import threading
import time

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler.codegen.instrument import Parts, watching
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.programs import program as programs
from mindspore.compiler.passes import native_programs
from mindspore.operators import im2col_convolution

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
RNG = np.random.default_rng(3)


@pytest.fixture
def made(monkeypatch):
    """The programs that are made from now on."""
    found = []

    class Noted(programs.NativeProgram):
        def __init__(self, *args):
            super().__init__(*args)
            found.append(self)
    monkeypatch.setattr(native_programs, "NativeProgram", Noted)
    return found


class Small(nn.Cell):
    """Convolutions, maxima and products, all in sizes of which no two are alike."""

    def __init__(self, bias, padding):
        super().__init__()
        self.one = nn.Conv2d(2, 5, 3, pad_mode="pad", padding=padding, has_bias=bias)
        self.two = nn.Conv2d(5, 7, (2, 4), pad_mode="valid", has_bias=bias)
        self.pool, self.flatten = nn.MaxPool2d(2, 2), nn.Flatten()
        h, w = (9 + 2 * padding - 2) // 2 - 1, (12 + 2 * padding - 2) // 2 - 3
        self.three, self.four = nn.Dense(7 * h * w, 11), nn.Dense(11, 6)

    def construct(self, x):
        x = ops.relu(self.two(ops.relu(self.pool(self.one(x)))))
        return self.four(ops.tanh(self.three(self.flatten(x))))


def trained(level, optimizer, batch, bias=True, padding=1, steps=3):
    """Losses and parameters of some steps at a level."""
    ms.set_seed(5)
    net = Small(bias, padding)
    draws = np.random.default_rng(0)
    for p in net.get_parameters():
        p.set_data(Tensor(draws.standard_normal(p.shape).astype(np.float32) * 0.3))
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(loss, optimizer(net.trainable_params()))
    step.set_train()
    run = ms.jit(step, jit_level=level)
    found = []
    for k in range(steps):
        data = np.random.default_rng(k)
        x = Tensor(data.standard_normal((batch, 2, 9, 12)).astype(np.float32))
        found.append(float(run(x, Tensor(data.integers(0, 6, batch).astype(np.int32)))))
    return found, {p.name: p.asnumpy() for p in step.get_parameters()}


OPTIMIZERS = {
    "momentum": lambda ps: nn.Momentum(ps, 0.05, 0.9),
    "nesterov": lambda ps: nn.Momentum(ps, 0.05, 0.9, weight_decay=0.01, use_nesterov=True),
    "adam": lambda ps: nn.Adam(ps, 0.01),
    "decayed": lambda ps: nn.AdamWeightDecay(ps, 0.01, weight_decay=0.1),
    "sgd": lambda ps: nn.SGD(ps, 0.05, momentum=0.5),
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_training_step_is_one_program(optimizer, made):
    plain = trained("O0", OPTIMIZERS[optimizer], 19)
    assert not made
    native = trained("O2", OPTIMIZERS[optimizer], 19)
    assert len(made) == 1
    np.testing.assert_allclose(native[0], plain[0], rtol=1e-5)
    for name, value in plain[1].items():
        np.testing.assert_allclose(native[1][name], value, rtol=2e-4, atol=2e-5, err_msg=name)


@pytest.mark.parametrize(("batch", "bias", "padding"), [(2, True, 0), (16, False, 0), (33, False, 1), (5, True, 1)])
def test_any_number_of_samples(batch, bias, padding, made):
    plain, native = [trained(level, OPTIMIZERS["momentum"], batch, bias, padding) for level in ("O0", "O2")]
    assert made
    np.testing.assert_allclose(native[0], plain[0], rtol=1e-5)
    for name, value in plain[1].items():
        np.testing.assert_allclose(native[1][name], value, rtol=2e-4, atol=2e-5, err_msg=name)


def test_samples_that_are_filled_in_count_nothing(made):
    """What vectors hold beside the samples is infinite here, and no number behind that."""
    ms.set_seed(2)
    one, two = nn.Conv2d(1, 3, 2, pad_mode="valid"), nn.Conv2d(3, 2, 2, pad_mode="valid", has_bias=True)
    weights = [one.weight, two.weight, two.bias]

    def loss(x):
        return ops.tanh(two(ops.rsqrt(ops.square(one(x))) * 0.1)).sum()
    x = RNG.standard_normal((5, 1, 4, 5)).astype(np.float32)
    found = ms.jit(ms.grad(loss, None, weights), jit_level="O2")(Tensor(x))
    assert made
    given = [torch.tensor(w.asnumpy(), dtype=torch.float64, requires_grad=True) for w in weights]
    y = torch.nn.functional.conv2d(torch.tensor(x).double(), given[0])
    y = torch.nn.functional.conv2d((y * y).rsqrt() * 0.1, given[1], given[2])
    wanted = torch.autograd.grad(torch.tanh(y).sum(), given)
    for f, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(f.asnumpy(), w, rtol=1e-3, atol=1e-4)


def test_parameters_are_updated_in_their_own_memory(made):
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(6, 9), nn.ReLU(), nn.Dense(9, 4))
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = ms.jit(nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.1, 0.9)), jit_level="O2")
    x, y = Tensor(RNG.standard_normal((8, 6)).astype(np.float32)), Tensor(RNG.integers(0, 4, 8).astype(np.int32))
    step(x, y)
    weight = net[0].weight
    place, before = weight._data.data_ptr(), weight.asnumpy().copy()
    step(x, y)
    assert made
    assert weight._data.data_ptr() == place
    assert not np.allclose(weight.asnumpy(), before)


def test_a_label_that_is_no_class_changes_nothing(made):
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(6, 9), nn.ReLU(), nn.Dense(9, 4))
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = ms.jit(nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.1, 0.9)), jit_level="O2")
    x = Tensor(RNG.standard_normal((8, 6)).astype(np.float32))
    before = [p.asnumpy().copy() for p in net.get_parameters()]
    wrong = Tensor(np.full(8, 4, np.int32))
    with pytest.raises(ValueError, match="out of bounds") as native:
        step(x, wrong)
    with pytest.raises(ValueError, match="out of bounds") as plain:
        ms.jit(loss, jit_level="O0")(x, wrong)
    assert (type(native.value), str(native.value)) == (type(plain.value), str(plain.value))
    assert made
    for p, old in zip(net.get_parameters(), before, strict=True):
        assert np.array_equal(p.asnumpy(), old)


def function():
    """A function of many operators, compiled, and what torch makes of it."""
    w, u, v = [RNG.standard_normal(s).astype(np.float32) * 0.2 for s in ((30, 40), (40, 33), (33, 7))]
    wt, ut, vt = Tensor(w), Tensor(u), Tensor(v)

    @ms.jit(jit_level="O2")
    def run(x):
        hidden = ops.tanh(ops.matmul(ops.relu(ops.matmul(x, wt)) * 1.5, ut))
        return ops.softmax(ops.matmul(hidden, vt), -1), hidden.sum(0)

    def exact(x):
        hidden = torch.tanh((torch.relu(x @ torch.tensor(w)) * 1.5) @ torch.tensor(u))
        return torch.softmax(hidden @ torch.tensor(v), -1), hidden.sum(0)
    return run, exact


def compared(run, exact, x):
    for found, wanted in zip(run(Tensor(x)), exact(torch.tensor(x)), strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-4, atol=1e-5)


def test_elements_that_do_not_lie_row_by_row(made):
    run, exact = function()
    x = RNG.standard_normal((30, 12)).astype(np.float32)
    turned = Tensor(x).T
    for found, wanted in zip(run(turned), exact(torch.tensor(x).T), strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    assert made


def test_threads_run_one_program_at_once(made):
    """Each run has memory of its own, and what it returns stays what it was."""
    run, exact = function()
    compared(run, exact, RNG.standard_normal((12, 30)).astype(np.float32))
    faults = []

    def repeated(seed):
        draws = np.random.default_rng(seed)
        try:
            kept = []
            for _ in range(40):
                x = draws.standard_normal((12, 30)).astype(np.float32)
                kept.append((run(Tensor(x)), exact(torch.tensor(x))))
            for found, wanted in kept:
                for f, w in zip(found, wanted, strict=True):
                    np.testing.assert_allclose(f.asnumpy(), w, rtol=1e-4, atol=1e-5)
        except BaseException as error:  # a thread's error would be lost
            faults.append(error)
    workers = [threading.Thread(target=repeated, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not faults
    assert len(made) == 1


def test_a_gradient_of_any_order_through_a_program():
    w = Parameter(Tensor(RNG.standard_normal((5, 6)).astype(np.float32)), name="w")

    def loss(x, w):
        return ops.tanh(ops.matmul(ops.relu(ops.matmul(x, w) + 0.1) * 0.5, w.T)).sum()

    x = RNG.standard_normal((4, 5)).astype(np.float32)
    second = ms.jit(ms.grad(lambda x, w: ms.grad(loss)(x, w).pow(2).sum()), jit_level="O2")
    given = torch.tensor(x, requires_grad=True)
    weight = torch.tensor(w.asnumpy())
    value = torch.tanh((torch.relu(given @ weight + 0.1) * 0.5) @ weight.T).sum()
    (first,) = torch.autograd.grad(value, given, create_graph=True)
    (wanted,) = torch.autograd.grad(first.pow(2).sum(), given)
    np.testing.assert_allclose(second(Tensor(x), w).asnumpy(), wanted, rtol=1e-4, atol=1e-5)


def test_what_has_no_native_form_stands_before_and_behind(made):
    w = Tensor(RNG.standard_normal((8, 8)).astype(np.float32))

    @ms.jit(jit_level="O2")
    def run(x):
        x = ops.sort(x)[0]
        x = ops.relu(ops.matmul(x, w) + 1.0)
        x = ops.matmul(ops.tanh(ops.matmul(x, w) * 0.1), w)
        order = ops.argsort(x)
        return x * 2.0, order
    x = RNG.standard_normal((5, 8)).astype(np.float32)
    weight = torch.tensor(w.asnumpy())
    y = torch.relu(torch.tensor(x).sort()[0] @ weight + 1)
    y = torch.tanh((y @ weight) * 0.1) @ weight
    doubled, order = run(Tensor(x))
    np.testing.assert_allclose(doubled.asnumpy(), y * 2, rtol=1e-4, atol=1e-5)
    assert np.array_equal(order.asnumpy(), y.argsort())
    assert len(made) == 1


def test_without_the_package_everything_runs(monkeypatch):
    monkeypatch.setattr(native_programs, "available", lambda: False)
    plain, other = [trained(level, OPTIMIZERS["momentum"], 4) for level in ("O0", "O2")]
    np.testing.assert_allclose(other[0], plain[0], rtol=1e-5)


@pytest.mark.parametrize("level", [None, "O1"])
def test_small_training_steps_are_native_by_default(level, made):
    plain, native = [trained(one, OPTIMIZERS["momentum"], 7) for one in ("O0", level)]
    assert len(made) == 1
    np.testing.assert_allclose(native[0], plain[0], rtol=1e-5)


def test_what_only_other_kernels_need_is_gone(made, monkeypatch):
    """Convolutions that would be products with windows need no windows here."""
    monkeypatch.setattr(im2col_convolution, "alone", lambda: True)
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Conv2d(1, 5, 3, pad_mode="valid"), nn.ReLU(), nn.Conv2d(5, 3, 3, pad_mode="valid"),
                            nn.Flatten(), nn.Dense(3 * 5 * 4, 4))
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = ms.jit(nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.1, 0.9)))
    step(Tensor(RNG.standard_normal((16, 1, 9, 8)).astype(np.float32)), Tensor(RNG.integers(0, 4, 16).astype(np.int32)))
    assert len(made) == 1
    assert ms.graph.explain(step).programs[0].operators == {"Generated": 1}


def test_what_is_no_training_step_is_native_at_the_highest_level_only(made):
    net = Small(True, 1)
    net.set_train(False)
    x = Tensor(RNG.standard_normal((3, 2, 9, 12)).astype(np.float32))
    wanted = ms.jit(net)(x).asnumpy()
    assert not made
    np.testing.assert_allclose(ms.jit(net, jit_level="O2")(x).asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    assert made


@pytest.mark.parametrize("threads", [1, 2])
def test_who_watches_sees_the_operators_of_a_native_step(made, threads, monkeypatch):
    """The step stays native and gives the same numbers; its stages tell when they ended, in order."""
    monkeypatch.setattr(programs.NativeProgram, "threads", lambda self, most: threads)
    net = nn.SequentialCell(nn.Dense(6, 9), nn.ReLU(), nn.Dense(9, 4))
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = ms.jit(nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.1, 0.9)))
    x, y = Tensor(RNG.standard_normal((8, 6)).astype(np.float32)), Tensor(RNG.integers(0, 4, 8).astype(np.int32))
    start = [p.asnumpy().copy() for p in net.get_parameters()]
    before = float(step(x, y))
    for p, value in zip(net.get_parameters(), start, strict=True):
        p.set_data(Tensor(value))
    notes, now = [], time.perf_counter_ns()
    watching.start(lambda outermost: (notes.append, time.perf_counter_ns))
    try:
        watched = float(step(x, y))
    finally:
        watching.stop()
    end = time.perf_counter_ns()
    (parts,) = [n for n in notes if type(n) is Parts]
    names = "+".join([one.attrs.get("of", (one.op.name,))[0] for one in parts.statements])
    assert all(name in names for name in ("Dense", "ReluGrad", "MomentumStep"))
    moments = [now, *(np.frombuffer(parts.times, np.int64).reshape(-1, 2) @ [10**9, 1]).tolist(), parts.end, end]
    assert moments == sorted(moments)
    assert len(moments) == len(parts.statements) + 4
    assert watched == before
    assert float(step(x, y)) < before
    assert len(made) == 1


def test_kernels_that_overwrite_say_so():
    """A derivative that needs what a generated kernel overwrote does not give a wrong one."""
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    optimizer = nn.Momentum([w], 1.0, 0.9)
    optimizer.set_jit_config(ms.JitConfig(jit_level="O2"))
    _, pull = ops.vjp(lambda x: (w * w * x).sum(), Tensor([1.0, 3.0]), weights=[w])
    grads = pull(Tensor(1.0))[1]
    optimizer(grads)
    with pytest.raises(RuntimeError, match="was changed in place"):
        pull(Tensor(1.0))
