"""`jit` in all its uses and with all its arguments; marks on functions and classes."""

from __future__ import annotations

import functools
import gc
import weakref

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.core import log

X = Tensor([1.0, -2.0])


@pytest.fixture(autouse=True)
def _context():
    yield
    ms.context.reset_context()


def double(x, k=2):
    """Twice x."""
    return x * k


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]), name="w")

    @ms.jit
    def inner(self, x):
        return x * self.w

    def construct(self, x):
        y = self.inner(x)
        return y * float(y.asnumpy().sum())      # only PyNative mode can do this


class Plain:
    @ms.jit
    def method(self, x):
        return x + 1

    @staticmethod
    @ms.jit
    def outer_static(x):
        return x + 2

    @ms.jit
    @staticmethod
    def inner_static(x):
        return x + 3

    @classmethod
    @ms.jit
    def of_class(cls, x):
        return x + 4

    def __call__(self, x):
        return x + 5 if x.sum() > 0 else x + 6


@pytest.mark.parametrize("use", [
    ms.jit(double), ms.jit(function=double), ms.jit(fn=double), ms.jit()(double), ms.jit(jit_level="O1")(double),
    ms.jit(ms.jit(double)), ms.jit(functools.partial(double, k=2)), ms.jit(lambda x: double(x)),
    ms.ms_function(double), ms.ms_function(fn=double), ms.ms_function()(double)])  # fmt: skip
def test_every_spelling_gives_the_same_result(use):
    assert use(X).asnumpy().tolist() == [2, -4]


def test_methods_of_every_kind_compile():
    plain = Plain()
    results = [plain.method(X), plain.outer_static(X), plain.inner_static(X), plain.of_class(X),
               ms.jit(plain)(X), Plain.outer_static(X)]
    assert [float(r[0]) for r in results] == [2, 3, 4, 5, 7, 3]


def test_a_function_keeps_its_name_and_text():
    compiled = ms.jit(double)
    assert (compiled.__name__, compiled.__doc__, compiled.__wrapped__) == ("double", "Twice x.", double)


def test_operators_cells_and_builtins_compile():
    assert ms.jit(ops.relu)(X).asnumpy().tolist() == [1, 0]
    assert ms.jit(ops.ReLU())(X).asnumpy().tolist() == [1, 0]
    assert ms.jit(nn.ReLU())(X).asnumpy().tolist() == [1, 0]
    assert ms.jit(abs)(X).asnumpy().tolist() == [1, 2]


def test_the_cells_of_a_decorated_class_run_compiled_in_every_mode():
    @ms.jit
    class Compiled(nn.Cell):
        def construct(self, x):
            return x * 2

    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert Compiled()(X).asnumpy().tolist() == [2, -4]
    assert hasattr(Compiled.construct, "__jitted__")


def test_a_function_that_is_called_in_a_gradient_takes_part_in_it():
    compiled = ms.jit(lambda x: ops.sin(x) * x)

    def loss(x):
        return (compiled(x) ** 2).sum()
    x = np.array([1.0, -2.0], np.float32)
    found = ms.grad(loss)(Tensor(x)).asnumpy()
    y, dy = np.sin(x) * x, np.cos(x) * x + np.sin(x)
    np.testing.assert_allclose(found, 2 * y * dy, rtol=1e-5)


def test_a_cell_with_one_compiled_method_has_gradients_for_its_weights():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Net()
    gradient = ms.grad(lambda x: net.inner(x).sum(), None, net.trainable_params())(X)
    assert gradient[0].asnumpy().tolist() == [1, -2]
    assert net(X).asnumpy().tolist() == [-15, 40]


def test_nested_compiled_functions_become_one_program():
    inner = ms.jit(lambda x: x + 1)
    outer = ms.jit(lambda x: inner(x) * 2)
    assert outer(X).asnumpy().tolist() == [4, -2]
    assert (outer.cache.compiled, inner.cache.compiled) == (1, 0)


@pytest.mark.parametrize(("option", "error"), [
    ({"capture_mode": "x"}, ValueError), ({"capture_mode": 1}, ValueError), ({"jit_level": "O3"}, ValueError),
    ({"jit_level": ""}, ValueError), ({"jit_level": 2}, ValueError), ({"dynamic": 2}, ValueError),
    ({"dynamic": True}, TypeError), ({"dynamic": "1"}, TypeError), ({"fullgraph": 1}, TypeError),
    ({"backend": "inductor"}, RuntimeError), ({"backend": "inductor"}, ValueError),
    ({"exec_order": "x"}, ValueError), ({"infer_boost": "x"}, ValueError), ({"ge_options": 1}, TypeError),
    ({"disable_format_transform": 1}, TypeError), ({"compile_once": 1}, TypeError),
    ({"mode": "x"}, ValueError), ({"jit_config": 1}, TypeError), ({"unheard_of": 1}, TypeError)])  # fmt: skip
def test_a_wrong_argument_is_named(option, error):
    with pytest.raises(error, match=f"'jit'.*{next(iter(option))}"):
        ms.jit(**option)(double)


@pytest.mark.parametrize("option", [
    {"capture_mode": "bytecode"}, {"capture_mode": "trace"}, {"fullgraph": True}, {"backend": "ms_backend"},
    {"backend": "GE"}, {"exec_order": "dfs"}, {"infer_boost": "on"}, {"ge_options": {"global": {"a": "b"}}},
    {"disable_format_transform": True}, {"compile_once": True}, {"mode": "PIJit"}, {"hash_args": (1, double)},
    {"jit_config": ms.JitConfig(jit_level="O1")}], ids=lambda option: next(iter(option)))  # fmt: skip
def test_options_of_every_release_are_taken(option):
    assert ms.jit(**option)(double)(X).asnumpy().tolist() == [2, -4]


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="'function' must be a function"):
        ms.jit(3)


def test_a_config_checks_and_keeps_its_options():
    assert ms.JitConfig(jit_level="O1", topo_order="dfs").jit_config_dict == {
        "jit_level": "O1", "exc_mode": "auto", "jit_syntax_level": "", "debug_level": "RELEASE",
        "infer_boost": "off", "topo_order": "dfs"}
    for option in ({"jit_level": "O9"}, {"exc_mode": "x"}, {"jit_syntax_level": "x"},
                   {"debug_level": "x"}, {"infer_boost": "x"}):
        with pytest.raises(ValueError, match=next(iter(option))):
            ms.JitConfig(**option)


def test_options_without_effect_are_told(monkeypatch):
    told = []
    monkeypatch.setattr(log, "info", lambda text, *args: told.append(text % args))
    ms.JitConfig(jit_level="O2", jit_syntax_level="LAX")
    assert told == []
    ms.JitConfig(exc_mode="sink", infer_boost="on", debug_level="DEBUG")
    ms.jit(double, infer_boost="on")
    assert [text.partition(" has")[0] for text in told] == [
        "For 'JitConfig', the 'exc_mode'", "For 'JitConfig', the 'debug_level'",
        "For 'JitConfig', the 'infer_boost'", "For 'jit', the 'infer_boost'"]


def test_a_cell_takes_a_config():
    net = Net()
    assert net.jit_config_dict == {}
    net.set_jit_config(ms.JitConfig(jit_level="O1"))
    assert net.jit_config_dict["jit_level"] == "O1"
    net.set_jit_config({"jit_level": "O0"})
    assert net.jit_config_dict["jit_level"] == "O0"
    with pytest.raises(TypeError, match="jit_config"):
        net.set_jit_config(3)


def test_marks_leave_what_they_mark_as_it_is():
    class Marked(nn.Cell):
        @ms.lazy_inline
        def __init__(self):
            super().__init__()

        @ms.no_inline
        def construct(self, x):
            return x * 2

    ms.set_context(mode=ms.GRAPH_MODE)
    assert Marked()(X).asnumpy().tolist() == [2, -4]
    assert ms.jit_class(Plain) is Plain
    assert ms.lazy_inline(attrs="a", policy="front")(Marked.__init__) is Marked.__init__


@pytest.mark.parametrize(("mark", "error"), [
    (lambda: ms.lazy_inline(double), ValueError), (lambda: ms.lazy_inline(3), TypeError),
    (lambda: ms.lazy_inline(policy="x"), ValueError), (lambda: ms.no_inline(3), TypeError),
    (lambda: ms.jit_class(double), TypeError), (lambda: ms.jit_class(nn.ReLU), TypeError),
    (lambda: ms.set_recursion_limit(0), ValueError), (lambda: ms.set_recursion_limit(1.5), TypeError),
    (lambda: ms.set_recursion_limit(True), TypeError)])  # fmt: skip
def test_a_mark_in_the_wrong_place_is_refused(mark, error):
    with pytest.raises(error):
        mark()


@ms.jit
def power(x, n):
    return x if n == 0 else power(x * 2, n - 1)


def endless(x, n):
    return endless(x, n + 1)


def test_calls_nest_as_deep_as_the_context_says():
    ms.set_recursion_limit(600)
    assert float(power(Tensor(1.0), 100)) == 2.0 ** 100
    with pytest.raises(RecursionError, match=r"depth limit 600.*set_recursion_limit") as caught:
        ms.jit(endless)(X, 0)
    assert "in endless: return endless(x, n + 1)" in caught.value.__notes__[0]
    assert len(caught.value.__notes__) == 11


def test_programs_go_with_the_objects_that_own_them():
    plain = Plain()
    plain.method(X)
    caches = Plain.method.caches
    program = weakref.ref(next(iter(caches[plain].programs.values()))[0])
    del plain
    gc.collect()
    assert program() is None
