"""In PyNative mode short kernels run on the calling thread where OpenMP's threads sleep between kernels."""
from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.eager import execution, tape
from mindspore.ir import Aval
from mindspore.operators.choices import choices
from mindspore.operators.cpu_threads import kernels, number
from mindspore.operators.cpu_threads.estimate import estimate, is_short
from mindspore.operators.matmul import mat_mul
from mindspore.operators.piecewise import relu
from mindspore.operators.pooling import max_pool
from mindspore.operators.powers import exp
from mindspore.operators.reduction import reduce_sum


@pytest.fixture
def threads(monkeypatch):
    """How many threads each kernel was given, by the operator's name."""
    seen = []

    def follow(op):
        inner = op.kernel

        def kernel(*args, **attrs):
            seen.append((op.name, torch.get_num_threads()))
            return inner(*args, **attrs)
        monkeypatch.setattr(op, "kernel", kernel)
    for op in (exp, mat_mul, max_pool):
        follow(op)
    for module in (execution, tape):
        monkeypatch.setattr(module, "SLEEP", True)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield seen
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


def ones(*shape):
    return Tensor(np.ones(shape, np.float32))


def test_a_short_kernel_gets_one_thread_and_a_long_one_all(threads):
    ops.exp(ones(10))
    ops.exp(ones(1000, 1000))
    ops.MatMul()(ones(230, 230), ones(230, 230))
    ops.MatMul()(ones(500, 500), ones(500, 500))
    assert threads == [("Exp", 1), ("Exp", 2), ("MatMul", 1), ("MatMul", 2)]


def test_kernels_that_are_recorded_are_no_different(threads):
    ms.grad(lambda x: ops.exp(x).sum())(ones(10))
    assert threads == [("Exp", 1)]


def test_sums_have_the_limit_of_graphs_and_what_only_streams_a_lower_one():
    vector = Aval((900_000,), ms.float32)
    for op, result, once in ((relu, vector, False), (reduce_sum, Aval((), ms.float32), True)):
        time = estimate(op, (vector,), (result,), {})
        assert 70_000 < time < choices().torch_short
        assert is_short(op, time)
        assert is_short(op, time, 70_000) is once


def test_maxima_take_less_long_with_the_samples_innermost(threads):
    rows = torch.ones(32, 6, 28, 28)
    inner = rows.permute(1, 2, 3, 0).contiguous().permute(3, 0, 1, 2)
    for x in (rows, inner):
        kernels.run(max_pool, [x], {"window": (2, 2), "stride": (2, 2)})
    assert [count for _, count in threads] == [2, 1]


def test_what_does_not_fit_is_said_as_elsewhere_and_leaves_the_threads_alone(threads):
    with pytest.raises(ValueError, match="For 'MatMul'"):
        ops.MatMul()(ones(2, 3), ones(2, 3))
    with pytest.raises(TypeError):
        ops.max_pool2d(3, 2)


def test_kernels_that_keep_something_for_their_reverse_are_left_alone(threads):
    net = nn.LSTM(3, 4)
    ms.grad(lambda x: net(x)[0].sum())(ones(2, 3, 3))


def test_the_user_s_single_thread_stays_and_costs_no_estimate(threads, monkeypatch):
    torch.set_num_threads(1)
    monkeypatch.setattr(kernels, "_is_short_for", None)
    ops.exp(ones(1000, 1000))
    assert threads == [("Exp", 1)]
    torch.set_num_threads(2)


# ---------------------------------------------------------------------- several threads

@pytest.fixture
def four():
    """Four threads for kernels, of this thread and those that start now."""
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    yield
    torch.set_num_threads(before)


def in_a_thread(function):
    """The result of a function in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def own_number():
    """The number of a thread that uses the package."""
    ops.exp(ones(2))
    return torch.get_num_threads()


def test_torch_starts_a_thread_with_the_number_that_another_has_lowered(four):
    """What `began` is for: should torch ever change this, it can go."""
    torch.set_num_threads(1)
    assert in_a_thread(torch.get_num_threads) == 1
    torch.set_num_threads(4)


def test_a_thread_that_starts_while_another_has_lowered_its_number_has_all(four):
    before = number.lower()
    assert (before, torch.get_num_threads()) == (4, 1)
    assert in_a_thread(own_number) == 4
    assert torch.get_num_threads() == 1
    number.restore(before)
    assert torch.get_num_threads() == in_a_thread(own_number) == in_a_thread(torch.get_num_threads) == 4


def test_a_number_that_is_lowered_twice_is_lowered_until_the_first_is_put_back(four):
    outer = number.lower()
    inner = number.lower()
    number.restore(inner)
    assert torch.get_num_threads() == 1
    assert in_a_thread(own_number) == 4
    number.restore(outer)
    assert torch.get_num_threads() == 4
    assert number._lowered == []


def test_the_user_s_single_thread_is_that_of_new_threads(four):
    number.restore(number.lower())
    torch.set_num_threads(1)
    assert number.lower() == 1
    assert in_a_thread(own_number) == 1
    number.restore(1)
    assert torch.get_num_threads() == in_a_thread(own_number) == 1
    torch.set_num_threads(4)


def test_threads_that_start_while_others_lower_their_numbers_all_the_time_keep_theirs(four):
    stop = threading.Event()

    def lowering():
        own_number()
        while not stop.is_set():
            before = number.lower()
            time.sleep(1e-5)
            number.restore(before)
        return torch.get_num_threads()

    with ThreadPoolExecutor(3) as pool:
        busy = [pool.submit(lowering) for _ in range(3)]
        found = Counter([in_a_thread(own_number) for _ in range(200)])
        stop.set()
        assert [one.result() for one in busy] == [4, 4, 4]
    assert found == {4: 200}
    assert number._lowered == []
    assert in_a_thread(torch.get_num_threads) == 4


def test_a_fused_step_of_an_optimizer_puts_the_number_back(four):
    net = nn.Dense(3, 3)
    optimizer = nn.Adam(net.trainable_params())
    seen = []
    for _ in range(3):
        optimizer(tuple([ops.ones_like(p) for p in net.trainable_params()]))
        seen.append((torch.get_num_threads(), in_a_thread(own_number)))
    assert seen == [(4, 4)] * 3
