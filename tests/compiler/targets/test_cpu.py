"""Short kernels run on the calling thread where OpenMP's threads sleep between kernels."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, ops
from mindspore.compiler.jit import jit
from mindspore.compiler.program import Program
from mindspore.operators.cpu_threads import number


@pytest.fixture(autouse=True)
def several_threads_that_sleep(monkeypatch):
    monkeypatch.setattr(number, "SLEEP", True)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def lines_of(fn, *args):
    source = Program(fn.__name__, fn, args, {}).executable.source
    return [line.strip() for line in source.splitlines()]


def ones(*shape):
    return Tensor(np.ones(shape, np.float32))


def test_a_short_kernel_runs_on_one_thread():
    lines = lines_of(lambda x: ops.exp(x), ones(10))
    assert lines[1] == "threads = lower_threads()"
    assert lines.index("restore_threads(threads)") > 2


def test_a_long_kernel_runs_on_all_threads():
    assert not any("_threads" in line for line in lines_of(lambda x: ops.exp(x), ones(1000, 1000)))
    assert not any("_threads" in line for line in lines_of(lambda x: ops.matmul(x, x), ones(300, 300)))


def test_the_number_changes_only_between_short_and_long_kernels():
    def net(x, y):
        return ops.exp(ops.exp(x)), ops.exp(ops.exp(y))

    lines = lines_of(net, ones(2), ones(1000, 1000))
    assert len([line for line in lines if "_threads(" in line]) == 2


def test_a_graph_that_takes_long_uses_all_threads_throughout():
    def net(x, y):
        return ops.exp(x), ops.exp(y)

    args = ones(10), ones(4000, 4000)
    assert not any("_threads" in line for line in lines_of(net, *args))


def test_where_threads_spin_all_take_part(monkeypatch):
    monkeypatch.setattr(number, "SLEEP", False)
    assert not any("_threads" in line for line in lines_of(lambda x: ops.exp(x), ones(10)))


def test_the_number_is_as_before_after_a_run():
    jit(lambda x: ops.exp(x))(ones(10))
    assert torch.get_num_threads() == 2


def test_the_number_is_as_before_after_a_fault():
    def net(x, i):
        return ops.gather(ops.exp(x), i, 0)

    with pytest.raises((IndexError, ValueError, RuntimeError)):
        jit(net)(ones(10), Tensor(np.array([77])))
    assert torch.get_num_threads() == 2


def test_conditions_and_loops_leave_the_number_alone():
    def net(x):
        while x.sum() < 100:
            x = x * 2 if x.min() > 0 else x + 1
        return x

    got = jit(net)(ones(10)).asnumpy()
    np.testing.assert_array_equal(got, np.full(10, 16.0, np.float32))
    assert torch.get_num_threads() == 2


def test_a_product_of_matrices_takes_longer_before_a_second_thread_helps():
    product = lines_of(lambda x: ops.matmul(x, x), ones(230, 230))
    convolution = lines_of(lambda x, w: ops.conv2d(x, w), ones(8, 8, 50, 50), ones(8, 8, 3, 3))
    assert "threads = lower_threads()" in product
    assert "threads = lower_threads()" not in convolution
