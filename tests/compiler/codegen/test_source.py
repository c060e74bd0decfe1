"""Generated source: readable, exact about lines, and in place only where no other value sees it."""

from __future__ import annotations

import traceback

import numpy as np
import pytest

from mindspore import Parameter, Tensor, grad, nn, ops
from mindspore.compiler.jit import jit
from mindspore.compiler.program import Program


def program_of(fn, *args):
    return Program(fn.__name__, fn, args, {})


def v(*values):
    return Tensor(np.array(values, np.float32))


def test_the_source_reads_like_the_program():
    def net(x, w):
        return ops.relu(ops.matmul(x, w))

    source = program_of(net, Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((3, 4), np.float32)))
    lines = source.executable.source.splitlines()
    assert lines[0].startswith("def net_0(in_x, in_w):")
    assert len(lines) <= 6


def test_two_values_that_end_together_are_both_released():
    def net(x):
        return ops.matmul(ops.exp(x), ops.sin(x)).sum()

    source = program_of(net, Tensor(np.ones((2, 2), np.float32))).executable.source
    assert source.splitlines()[3:5] == ["    v1 = v0 @ v1", "    del v0"]


def test_a_temporary_is_overwritten():
    def net(x):
        return ops.relu(ops.exp(x) + 1)

    source = program_of(net, v(1, 2)).executable.source
    assert source.splitlines()[1:4] == ["    v0 = exp(in_x)", "    v0 += 1", "    v0.relu_()"]


def test_inputs_are_never_overwritten():
    x = v(-1, 2)
    jit(lambda x: ops.relu(x) + ops.relu(-x) * 2)(x)
    np.testing.assert_array_equal(x.asnumpy(), [-1, 2])


def test_a_view_keeps_its_base_from_being_overwritten():
    def net(x):
        y = ops.exp(x)
        view = y.reshape(2, 2)
        z = ops.relu(y)
        return view + z.reshape(2, 2)

    x = v(0, 1, 2, 3)
    np.testing.assert_allclose(jit(net)(x).asnumpy(), 2 * np.exp([[0, 1], [2, 3]]), rtol=1e-6)


def test_a_view_of_a_view_keeps_its_base():
    def net(x):
        y = ops.exp(x)
        part = ops.transpose(y.reshape(2, 2), (1, 0))
        z = y + 5
        return part, z

    part, z = jit(net)(v(0, 1, 2, 3))
    np.testing.assert_allclose(part.asnumpy(), np.exp([[0, 2], [1, 3]]), rtol=1e-6)
    np.testing.assert_allclose(z.asnumpy(), np.exp([0, 1, 2, 3]) + 5, rtol=1e-6)


def test_a_result_returned_twice_is_right():
    def net(x):
        y = ops.exp(x)
        return y, y + 1, y

    a, b, c = jit(net)(v(0, 1))
    np.testing.assert_allclose(b.asnumpy(), a.asnumpy() + 1)
    np.testing.assert_array_equal(a.asnumpy(), c.asnumpy())


def test_a_residual_is_not_overwritten():
    def net(x):
        y = ops.exp(x)
        while y.sum() < 50:
            y = ops.tanh(y) + y * 1.5
        return y.sum()

    x = v(0.1, 0.2)
    np.testing.assert_allclose(jit(grad(net))(x).asnumpy(), grad(net)(x).asnumpy(), rtol=1e-5)


class Momentum(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")
        self.m = Parameter(Tensor([0.0, 0.0]), name="m")

    def construct(self, g):
        old = self.w * 1
        self.m = self.m * 0.9 + g
        self.w = self.w - self.m * 0.1
        return old, self.w * 2


@pytest.mark.parametrize("held", [False, True])
def test_parameters_are_updated_in_place_where_no_other_value_sees_it(held):
    net = Momentum()
    step = jit(net)
    w, m = np.array([1.0, 2.0]), np.zeros(2)
    seen = []
    for k in range(3):
        if held:
            seen.append((net.w.asnumpy(), w.copy()))
        old, doubled = step(v(k, 1))
        np.testing.assert_allclose(old.asnumpy(), w, rtol=1e-6)
        m = m * 0.9 + np.array([k, 1])
        w = w - m * 0.1
        np.testing.assert_allclose(net.w.asnumpy(), w, rtol=1e-6)
        np.testing.assert_allclose(doubled.asnumpy(), w * 2, rtol=1e-6)
    for array, then in seen:
        np.testing.assert_allclose(array, then, rtol=1e-6)


def test_swapped_parameters_keep_both_values():
    net = Momentum()

    def swap():
        a, b = net.w * 1, net.m * 1
        net.w = b
        net.m = a

    net.m.set_data(Tensor([5.0, 6.0]))
    jit(swap)()
    np.testing.assert_array_equal(net.w.asnumpy(), [5, 6])
    np.testing.assert_array_equal(net.m.asnumpy(), [1, 2])


def test_a_parameter_assigned_from_another_does_not_share_its_storage():
    net = Momentum()

    def copy():
        ops.assign(net.m, net.w)

    jit(copy)()
    net.w.set_data(Tensor([9.0, 9.0]))
    np.testing.assert_array_equal(net.m.asnumpy(), [1, 2])


def late_failure(x, i):
    y = x * 2
    return ops.gather(y, i, 0)


def test_an_error_at_run_time_is_eager_s_and_names_the_line():
    with pytest.raises(ValueError, match="'Gather'") as eager:
        late_failure(v(1, 2), Tensor([7]))
    with pytest.raises(ValueError, match="'Gather'") as graph:
        jit(late_failure)(v(1, 2), Tensor([7]))
    assert type(graph.value) is type(eager.value)
    assert str(graph.value) == str(eager.value)
    assert any("in late_failure: return ops.gather(y, i, 0)" in n for n in graph.value.__notes__)


def test_the_traceback_of_a_run_time_error_shows_the_generated_source():
    with pytest.raises(ValueError, match="'Gather'") as graph:
        jit(late_failure)(v(1, 2), Tensor([7]))
    generated, last = traceback.extract_tb(graph.value.__traceback__)[-2:]
    assert generated.filename.startswith("<graph late_failure")
    assert (last.filename, last.name) == (__file__, "late_failure")
    assert "k_Gather" in generated.line


def test_a_loop_runs_without_recursion_limits():
    def net(x):
        n = x.sum() * 0
        while n < 5000:
            n = n + 1
        return n

    assert float(jit(net)(v(1.0))) == 5000
