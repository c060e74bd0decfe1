"""`mindspore.graph.explain`: what was compiled, for what, and why again."""

from __future__ import annotations

import re

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler import passes
from mindspore.core import log


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 3)
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)
        self.k = 2

    def construct(self, x, scale=1):
        self.count += 1
        return ops.relu(self.fc(x)) * self.k + x.sum() * scale


@pytest.fixture(autouse=True)
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.context.reset_context()


def x(rows=2, dtype=ms.float32):
    return ops.ones((rows, 4), dtype)


def reasons(target):
    return [p.reason for p in ms.graph.explain(target).programs]


def test_nothing_is_compiled_before_the_first_call():
    found = ms.graph.explain(Net())
    assert (found.compiled, found.recompiled, found.programs) == (0, 0, [])
    assert str(found) == "Net: not compiled so far"


def test_a_program_is_described():
    net = Net()
    net(x())
    (program,) = ms.graph.explain(net).programs
    assert program.arguments == {"x": "f32[2,4]"}
    assert program.parameters == ["count", "fc.weight", "fc.bias"]
    assert program.assigned == ["count"]
    assert program.operators["ReLU"] == 1
    assert program.nodes == program.graph.count(" = ")
    assert [s.name for s in program.stages] == ["front_end", *[p.name for p in passes.PASSES if p.level < 2],
                                                 "python"]
    assert program.seconds == pytest.approx(sum(s.seconds for s in program.stages))
    assert re.search(r"# test_explain.py:\d+ in Net.construct: return ops.relu", program.graph)
    assert "def Net_0(in_x, param_count, param_fc_weight, param_fc_bias):" in program.source
    shown = str(ms.graph.explain(net))
    for part in ("Net: compiled 1 time", "(x: f32[2,4])", "first call", "ReLU x 1", "assigns:    count"):
        assert part in shown


def test_what_the_passes_fused_is_told_from_what_the_program_calls():
    @ms.jit
    def program(a, b, c):
        return a + b * c

    program(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]))
    assert dict(ms.graph.explain(program).programs[0].fused) == {"MultiplyAdd": 1}


def test_the_argument_that_changed_is_named():
    net = Net()
    net(x())
    net(x(3))
    with pytest.raises(TypeError, match="same type"):
        net(x(3, ms.float16))
    net(x(3), 1.5)
    net(x(3), 2.5)
    net(x(3), scale=2.5)
    assert reasons(net) == [
        "first call",
        "shape of argument 'x' changed from f32[2,4] to f32[3,4]",
        "argument 'scale' is new: 1.5",
        "value of argument 'scale' changed from 1.5 to 2.5",
        "arguments are given by name that were given by position, or by position that were given by name",
    ]
    assert ms.graph.explain(net).recompiled == 4


def test_a_dtype_that_changed_is_named():
    program = ms.jit(lambda x: x * 2)
    program(x())
    program(x(2, ms.float16))
    program(x(3, ms.int32))
    assert reasons(program)[1:] == [
        "dtype of argument 'x' changed from f32[2,4] to f16[2,4]",
        "dtype and shape of argument 'x' changed from f16[2,4] to i32[3,4]"]


def test_the_attribute_that_changed_is_named():
    net = Net()
    net(x())
    net.k = 3
    net(x())
    net.set_train()
    net(x())
    net.fc.weight.requires_grad = False
    net(x())
    assert reasons(net)[0] == "first call"
    assert set(reasons(net)[1:]) == {
        "attribute 'k' of Net changed from 2 to 3",
        "attribute 'training' of Net changed from False to True",
        "'requires_grad' of the parameter 'fc.weight' changed from True"}


FACTOR = 2


def test_the_name_that_changed_is_named(monkeypatch):
    @ms.jit
    def program(x):
        return x * FACTOR

    program(x())
    monkeypatch.setitem(globals(), "FACTOR", 5)
    program(x())
    assert reasons(program)[1] == "name 'FACTOR' changed from 2 to 5"


def test_containers_and_objects_among_the_arguments_have_names():
    @ms.jit
    def program(xs, options):
        return xs[0] * options["k"]

    program([x(), x()], {"k": 2})
    program([x(), x(3)], {"k": 2})
    program([x(), x(3)], {"k": 3})
    assert reasons(program)[1:] == [
        "shape of argument 'xs[1]' changed from f32[2,4] to f32[3,4]",
        "value of argument 'options['k']' changed from 2 to 3"]


def test_methods_under_jit_are_explained_for_one_object_or_all():
    class Holder:
        @ms.jit
        def method(self, x):
            return x + 1

    a, b = Holder(), Holder()
    a.method(x())
    b.method(x())
    b.method(x(3))
    assert [ms.graph.explain(t).compiled for t in (a.method, b.method, Holder.method)] == [1, 2, 3]


def test_a_gradient_that_was_taken_outside_is_mentioned():
    program = ms.jit(lambda x: (x * x).sum())
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.grad(program)(x())
    (report,) = ms.graph.explain(program).programs
    assert report.differentiated
    assert "compiled reverse" in str(report)


def test_what_is_not_compiled_is_refused():
    with pytest.raises(TypeError, match="'target' must be a Cell or a function under 'jit'"):
        ms.graph.explain(len)


def test_extents_that_may_differ_have_names():
    net = nn.SequentialCell(nn.ReLU())
    net.set_inputs(Tensor(shape=[None, 4], dtype=ms.float32))
    net(x(2))
    net(x(3))
    (program,) = ms.graph.explain(net).programs
    assert list(program.arguments.values()) == ["f32[s0,4]"]


def test_what_runs_in_python_says_why(monkeypatch):
    monkeypatch.setattr(log, "warning", lambda *_: None)
    program = ms.jit(lambda x: x * float(x.asnumpy()[0]))
    program(Tensor([3.0]))
    found = ms.graph.explain(program)
    assert found.compiled == 0
    assert "NumPy array of a tensor" in found.uncompiled[0]
    assert "runs in Python for some arguments: The NumPy array" in str(found)


def test_compiling_too_often_is_answered_by_a_warning_with_reason_and_remedy(monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", lambda text, *args: said.append(text % args))
    program = ms.jit(lambda x, k: x * k)
    for k in range(16):
        program(x(), k + 0.5)
    assert said == [
        "'<lambda>' is compiled for the 9th time: value of argument 'k' changed from 7.5 to 8.5. Give the number as "
        "a Tensor, or by mindspore.mutable. mindspore.graph.explain(...) lists all programs and reasons."]


def test_compile_compiles_and_runs_nothing():
    net = Net()
    net.compile(x())
    (program,) = ms.graph.explain(net).programs
    assert program.source
    assert float(net.count) == 0
    net(x())
    assert ms.graph.explain(net).compiled == 1
    assert float(net.count) == 1
