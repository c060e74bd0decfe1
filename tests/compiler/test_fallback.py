"""What cannot be compiled runs in Python, or is an error where that is asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, jit, nn
from mindspore.compiler.program import Program
from mindspore.core.errors import GraphSyntaxError, GraphTypeError, GraphValueError

V = [1.0, -2.0, 4.0]


def by_numpy(x):
    return x + Tensor(np.exp(x.asnumpy()))


def by_element(x):
    return x.expand_dims(1).broadcast_to((3, int(sum(abs(x).tolist()))))


def by_list(x):
    return [v for v in x if v > 0]


def by_float(x):
    return x * round(float(x.sum()), 1)


def by_growing_list(x):
    out = []
    while x.sum() < 20:
        out.append(x)
        x = x * x + 1
    return out


def by_iterator(x):
    it = itertools.count(1)
    if x.sum() > 0:
        next(it)
    return x * next(it)


def by_error_in_a_branch(x):
    if x.sum() > 100:
        return x.reshape(77)
    return x


def made_object(x):
    class Holder:
        def __init__(self, v):
            self.v = v
    return Holder(x * 2).v, vars(Holder(x))


def by_view(x):
    y = x.reshape(3, 1)
    y[0] = 9.0
    return y + 0


def by_chosen_tensor(x):
    y = x
    if x.sum() > 0:
        y = x * 2
    y[0] = 3.0
    return y + 0


PROGRAMS = [f for name, f in list(globals().items()) if name.startswith("by_")]


@pytest.mark.parametrize("run", PROGRAMS, ids=lambda f: f.__name__)
def test_it_does_the_same_as_in_pynative_mode(run, agree):
    agree(program_of(run), fullgraph=False)


def program_of(fn):
    """The program with an argument that `agree` fills in."""
    fn.__defaults__ = (V,)
    return fn


@pytest.mark.parametrize(("run", "error"), [
    (by_numpy, GraphValueError), (by_element, GraphValueError), (by_list, GraphSyntaxError),
    (by_growing_list, GraphTypeError), (by_iterator, GraphSyntaxError), (by_error_in_a_branch, ValueError),
    (by_view, GraphTypeError)])  # fmt: skip
def test_it_is_an_error_under_fullgraph(run, error):
    with pytest.raises(error):
        jit(run, fullgraph=True)(Tensor(V))
    with pytest.raises(error):
        jit(run, jit_config={"jit_syntax_level": "STRICT"})(Tensor(V))


def test_the_context_asks_for_errors():
    ms.set_context(jit_syntax_level=ms.STRICT)
    try:
        with pytest.raises(GraphValueError):
            jit(by_numpy)(Tensor(V))
    finally:
        ms.set_context(jit_syntax_level=ms.LAX)


@pytest.mark.parametrize("level", ["COMPATIBLE", "LAX"])
def test_the_environment_goes_before_the_level_of_a_function(level, monkeypatch):
    program = jit(by_numpy, jit_config={"jit_syntax_level": level})
    assert program(Tensor(V)).tolist() == by_numpy(Tensor(V)).tolist()
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", "0")
    with pytest.raises(GraphValueError):
        jit(by_numpy, jit_config={"jit_syntax_level": level})(Tensor(V))


def test_a_warning_says_once_what_where_and_what_to_do(warned):
    program = jit(by_numpy)
    program(Tensor(V))
    program(Tensor(V))
    (text,) = [text for text in warned if "is not compiled" in text]
    for part in ("by_numpy", "NumPy array", "np.exp(x.asnumpy())", "fullgraph=True"):
        assert part in text


def test_a_program_that_fails_where_python_does_not_is_told_of(warned, monkeypatch):
    calls = []

    def counted(x):
        calls.append(1)
        return x * len(calls)

    def fail(*_):
        raise IndexError("a fault of the compiler")

    compiled = jit(counted)
    compiled(Tensor(V))
    monkeypatch.setattr(Program, "__call__", fail)
    assert compiled(Tensor(V)).tolist() == [2.0, -4.0, 8.0]
    assert len(calls) == 2
    (text,) = warned
    for part in ("counted", "IndexError: a fault of the compiler", "report"):
        assert part in text


def test_gradients_stop_at_numpy_and_pass_the_rest():
    x = Tensor(V)
    wanted = ms.grad(lambda x: by_numpy(x).sum())(x)
    np.testing.assert_array_equal(ms.grad(lambda x: jit(by_numpy)(x).sum())(x).asnumpy(), wanted.asnumpy())
    np.testing.assert_array_equal(wanted.asnumpy(), [1, 1, 1])


def test_cells_of_a_cell_that_cannot_be_compiled_are_compiled():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = nn.Dense(3, 2)
            self.scale = Parameter(Tensor(2.0), name="scale")

        def construct(self, x):
            y = self.inner(x)
            return y * float(y.asnumpy().max() > -100) * self.scale

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Outer()
        x = Tensor(np.ones((1, 3), np.float32))
        found = net(x)
        np.testing.assert_allclose(found.asnumpy(), 2 * net.inner(x).asnumpy(), rtol=1e-6)
        assert net.inner.__dict__["_compiled"].compiled == 1
    finally:
        ms.context.reset_context()


def test_a_failed_compilation_changes_no_object():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def construct(self, x):
            self.calls += 1
            return Tensor(x.asnumpy() * self.calls)

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Net()
        assert [float(net(Tensor([1.0]))[0]) for _ in range(3)] == [1, 2, 3]
        assert net.calls == 3
    finally:
        ms.context.reset_context()


def test_a_counter_that_changes_at_every_call_is_compiled_a_bounded_number_of_times():
    class Counts:
        def __init__(self):
            self.n = 0

        def step(self, x):
            self.n += 1
            return x * self.n

    counts = Counts()
    run = jit(counts.step)
    assert [float(run(Tensor(1.0))) for _ in range(40)] == list(range(1, 41))
    assert counts.n == 40
    assert run.cache.compiled <= 20


def test_a_generator_function_gives_a_generator():
    def rows(x):
        yield x
        yield x * 2

    assert [float(v) for v in jit(rows)(Tensor(3.0))] == [3, 6]
