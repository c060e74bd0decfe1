"""What is declared about arguments: symbols, numbers, containers, `enable_dynamic`."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Symbol, Tensor, enable_dynamic, jit, mutable, nn


@pytest.fixture(autouse=True)
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def rows(n):
    return Tensor(np.ones((n, 3), np.float32))


def described(extent):
    return Tensor(shape=[extent, 3], dtype=ms.float32)


class Sum(nn.Cell):
    def construct(self, x, y):
        return x + y


class Scaled(nn.Cell):
    def construct(self, x, n):
        return x * n


class Total(nn.Cell):
    def construct(self, x, parts):
        for part in parts:
            x = x + part
        return x


def declared(cell, *inputs):
    cell.set_inputs(*inputs)
    return cell


@pytest.mark.parametrize(("fields", "shown"), [
    ({}, {}), ({"max": -1}, {}), ({"max": 3, "min": 5}, {"min": 5}), ({"max": 16, "min": 2}, {"max": 16, "min": 2}),
    ({"divisor": 4, "min": 4}, {"divisor": 4}), ({"divisor": 4, "min": 5}, {"divisor": 4, "min": 5}),
    ({"divisor": 2, "remainder": 1, "min": 3}, {"divisor": 2, "remainder": 1}),
])
def test_a_symbol_shows_what_is_known(fields, shown):
    assert Symbol(**fields).to_dict() == shown
    assert Tensor(shape=[Symbol(**fields), 3], dtype=ms.float32).symbolic_shape == [shown, 3]


@pytest.mark.parametrize(("fields", "error"), [
    ({"min": 0}, ValueError), ({"divisor": -2}, ValueError), ({"divisor": 4, "remainder": 4}, ValueError),
    ({"divisor": 2.5}, TypeError), ({"max": "a"}, TypeError), ({"unique": 1}, TypeError)])
def test_impossible_symbols_are_refused(fields, error):
    with pytest.raises(error, match="For 'Symbol'"):
        Symbol(**fields)


def test_a_tensor_without_symbols_has_no_symbolic_shape():
    assert described(None).symbolic_shape is None
    assert rows(2).symbolic_shape is None


@pytest.mark.parametrize(("symbol", "good", "bad", "text"), [
    (Symbol(max=5, min=3), (3, 4, 5), (2, 8), "at (least 3|most 5)"),
    (Symbol(max=2, min=3), (8,), (2,), "at least 3"),
    (Symbol(divisor=4, remainder=1), (5, 9), (1, 6, 8), r"4 \* n \+ 1"),
])
def test_extents_must_be_as_their_symbol_says(symbol, good, bad, text):
    net = declared(Sum(), described(symbol), described(symbol))
    for n in good:
        assert net(rows(n), rows(n)).shape == (n, 3)
    for n in bad:
        with pytest.raises(ValueError, match=text):
            net(rows(n), rows(n))


def test_dimensions_with_a_unique_symbol_have_one_extent():
    symbol, other = Symbol(unique=True), Symbol()
    net = declared(Sum(), described(symbol), described(symbol))
    for n in (2, 4):
        assert net(rows(n), rows(n)).shape == (n, 3)
    with pytest.raises(ValueError, match="must be 2, as for the other dimensions"):
        net(rows(2), rows(1))
    assert declared(Sum(), described(other), described(other))(rows(2), rows(1)).shape == (2, 3)


def test_a_declared_mutable_number_may_have_any_value():
    net = declared(Scaled(), described(None), mutable(3))
    for n in (2, 4):
        assert net(rows(n), mutable(n)).asnumpy()[0, 0] == n
    assert len(net._compiled.programs) == 1


@pytest.mark.parametrize(("given", "value", "error"), [(3, 4, ValueError), (None, 3, ValueError),
                                                       (3, Tensor(3), TypeError)])
def test_other_constants_are_as_declared(given, value, error):
    net = declared(Scaled(), described(None), given)
    if given is not None:
        assert net(rows(2), given).shape == (2, 3)
    with pytest.raises(error, match="argument 2 must be the declared"):
        net(rows(2), value)


def test_the_length_of_a_declared_container_may_differ():
    part = described(None)
    net = declared(Total(), part, mutable((part, part), dynamic_len=True))
    for n in (2, 3):
        parts = mutable((rows(n),) * n, dynamic_len=True)
        assert net(rows(n), parts).asnumpy()[0, 0] == n + 1
    with pytest.raises(ValueError, match="declared 2 elements"):
        declared(Total(), part, (part, part))(rows(2), (rows(2),) * 3)


@pytest.mark.parametrize("above", [True, False])
def test_a_function_declares_what_differs(above):
    def total(x, y):
        return x + y

    declare = enable_dynamic(x=described(None), y=described(None))
    compiled = declare(jit(total)) if above else jit(declare(total))
    for n in (2, 5, 7):
        assert compiled(rows(n), rows(n)).shape == (n, 3)
    assert compiled.cache.compiled == 1


def test_some_arguments_of_a_method_may_be_declared():
    class Adder:
        @enable_dynamic(parts=(described(None), described(None)))
        @jit
        def total(self, x, parts):
            return x.sum() + parts[0].sum() + parts[1].sum()

    adder = Adder()
    for n in (2, 5):
        assert float(adder.total(rows(1), (rows(n), rows(n + 1)))) == 3 + 3 * n + 3 * (n + 1)
    assert Adder.total.caches[adder].compiled == 1


@pytest.mark.parametrize(("arguments", "error"), [
    ({}, ValueError), ({"x": 3}, TypeError), ({"x": rows(2)}, TypeError), ({"z": described(None)}, ValueError)])
def test_impossible_declarations_of_a_function_are_refused(arguments, error):
    with pytest.raises(error, match="For 'enable_dynamic'"):
        enable_dynamic(**arguments)(lambda x: x)


def test_a_signature_may_describe_the_first_arguments_only():
    compiled = jit(lambda x, y=None: x if y is None else x + y, input_signature=described(None))
    for n in (2, 5):
        assert compiled(rows(n)).shape == (n, 3)
    assert compiled(rows(1), rows(1)).asnumpy()[0, 0] == 2
