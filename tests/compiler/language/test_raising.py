"""Exceptions and assertions on tensors: raised at run time, and caught where Python would catch them."""
from __future__ import annotations

import pytest

from mindspore import Tensor, jit
from mindspore.core.errors import GraphSyntaxError

V = [1.0, 2.0]


def positive(x):
    if x.sum() < 0:
        raise ValueError(f"negative: {x.sum()}")
    return x * 2


def claimed(x):
    assert x.sum() > 0, f"not positive: {x.sum()} of {x.shape}"
    return x * 2


def program_assertion(x=V):
    assert x.sum() > 0, f"sum {x.sum()}, shape {x.shape}"
    assert x.shape == (2,)
    return x


def program_assertion_without_a_message(x=V):
    assert (x > 0).all()
    return x


def program_assertion_caught(x=V):
    try:
        assert x.sum() > 0, "negative"
        y = x * 2
    except AssertionError:
        y = -x
    return y


def program_assertion_and_finally(x=V):
    y = x
    try:
        assert x.max() > 0
        y = y + 1
    except (ValueError, AssertionError):
        y = y - 1
    finally:
        y = y * 10
    return y


def program_assertion_in_a_manager(x=V):
    class Swallow:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            return kind is AssertionError

    y = x * 3
    with Swallow():
        assert x.sum() > 0
        y = y + x
    return y * 2


def program_message_for_every_value(x=V):
    if x.sum() < 0:
        raise RuntimeError(f"{x.shape} {x[0]} {x.max()}")
    return x


def test_exceptions_and_assertions(agree, program):
    agree(program)


def caught_from_a_callee(x):
    try:
        return positive(x)
    except ValueError as error:
        return x * 0, str(error)


def assertion_of_a_callee(x):
    try:
        return claimed(x)
    except AssertionError as error:
        return x * 0, str(error)


def index_out_of_range(x):
    parts = [x, x * 2]
    try:
        return parts[(x.sum() * 10).astype("int64")]
    except IndexError:
        return x * 0


def message_only_if_it_fails(x):
    assert x.sum() > -100, {}["missing"]
    return x


def two_deep(x):
    def inner(x):
        return positive(x) + 1

    try:
        return inner(x)
    except KeyError:
        return x
    except ValueError:
        return x * 7


@pytest.mark.parametrize("function", [caught_from_a_callee, assertion_of_a_callee, index_out_of_range, two_deep,
                                      message_only_if_it_fails])
def test_what_a_graph_cannot_catch_is_caught_in_python(function):
    def plain(value):
        return [plain(v) for v in value] if isinstance(value, tuple) else (
            value.asnumpy().tolist() if isinstance(value, Tensor) else value)

    for sign in (1, -1):
        x = Tensor(V) * sign
        assert plain(jit(function)(x)) == plain(function(x))


@pytest.mark.parametrize("function", [caught_from_a_callee, assertion_of_a_callee, index_out_of_range])
def test_under_fullgraph_it_is_an_error(function):
    with pytest.raises(GraphSyntaxError, match="cannot catch exceptions"):
        jit(function, fullgraph=True)(Tensor(V))


def test_arguments_of_an_exception_are_tensors():
    @jit(fullgraph=True)
    def program(x):
        if x.sum() < 0:
            raise ValueError("sum", x.sum(), f"max {x.max()}")
        return x

    with pytest.raises(ValueError, match="sum") as caught:
        program(Tensor([-1.0, -2.0]))
    name, total, text = caught.value.args
    assert (name, type(total), float(total), text) == ("sum", Tensor, -3.0, "max -1.0")


@pytest.mark.parametrize("fullgraph", [False, True])
def test_what_is_printed_before_an_error_of_a_shape_is_seen_at_every_call(capsys, fullgraph):
    def program(x):
        print("before", x)
        y = x.reshape(7)
        print("after")
        return y

    compiled = jit(program, fullgraph=fullgraph)
    for first in (1.0, 3.0):
        with pytest.raises(ValueError, match="do not fit") as caught:
            compiled(Tensor([first, 2.0]))
        assert "y = x.reshape(7)" in caught.value.__notes__[0]
        assert capsys.readouterr().out == f"before [{first:.0f}. 2.]\n"
    assert not compiled.cache.uncompiled


def test_an_assertion_comes_before_an_error_of_a_shape():
    @jit(fullgraph=True)
    def program(x):
        assert x.sum() > 0, "negative"
        return x.reshape(7)

    with pytest.raises(AssertionError, match="negative"):
        program(Tensor([-1.0, -2.0]))
    with pytest.raises(ValueError, match="do not fit"):
        program(Tensor(V))


def test_an_error_raised_after_text_says_what_it_says_in_python():
    @jit
    def program(x):
        print(x)
        return b"\xff".decode("utf8")

    with pytest.raises(UnicodeDecodeError, match="can't decode byte 0xff"):
        program(Tensor(V))
