"""Mutable numbers: inputs of one program where its course does not depend on them; else programs for answers."""
from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, mutable, nn, ops

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def scaled(n, x):
    return x * n + n / 2


def row(n, x):
    return x[n], x[-n]


def rows(n, x):
    return x[:n].sum(), x[n:].mean()


def made(n, x):
    return ops.ones((n, 2), ms.float32) * x[0, 1]


def repeated(n, x):
    total = x[0] * 0
    for i in range(n):
        total = total * 2 + x[i]
    return total


def shifted(n, x):
    return ops.roll(x, 1, 0)[n] + x.reshape(-1)[n * 2]


def arithmetic(n, x):
    return n * 3 - 1, n // 2, n % 2, -n, n / 4, x.shape[0] * n, float(n), int(n), abs(n)


def kinds(n, x):
    return isinstance(n, int), isinstance(n, Tensor), type(n) is int


def tensors(n, x):
    return Tensor(n), Tensor([n, 2]), Tensor([n, 0.5]), Tensor(n / 2), Tensor(n, ms.int8), Tensor(x.shape[0] + n)


def nested(t, x):
    (a, rest), more = t["a"], t["b"]
    return x * a + rest[0] - more


COMPILED_ONCE = [scaled, row, rows, made, repeated, shifted, arithmetic, kinds, tensors]


def plain(value):
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


@pytest.mark.parametrize("function", COMPILED_ONCE, ids=lambda p: p.__name__)
def test_one_program_serves_all_values_of_an_int(function):
    compiled = jit(function, fullgraph=True)
    for n in (2, 1, 3):
        found, wanted = compiled(mutable(n), Tensor(X)), function(n, Tensor(X))
        assert plain(found) == plain(wanted)
        assert [getattr(v, "dtype", None) for v in found] == [getattr(v, "dtype", None) for v in wanted]
        assert list(map(type, found if isinstance(found, tuple) else [found])) == list(
            map(type, wanted if isinstance(wanted, tuple) else [wanted]))
    assert compiled.cache.compiled == 1


def test_one_program_serves_all_values_of_a_float():
    compiled = jit(lambda v, x: (x * v, v * 2 + 1, -v, v ** 2, 1 / v), fullgraph=True)
    for v in (2.5, -1.25, 1e30):
        x, *rest = compiled(mutable(v), Tensor([1.0]))
        assert rest == [v * 2 + 1, -v, v ** 2, 1 / v]
        np.testing.assert_allclose(x.asnumpy(), [v], rtol=1e-6)
    assert compiled.cache.compiled == 1


def test_answers_about_a_value_are_conditions_of_a_program():
    @jit
    def program(n, x):
        if n > 2:
            return x + n
        return x - n

    for n in (3, 1, 7, -2, 5, 0):
        assert float(program(mutable(n), Tensor(1.0))) == (1 + n if n > 2 else 1 - n)
    assert program.cache.compiled == 2


def test_a_loop_whose_course_depends_on_the_value_is_right_for_each():
    @jit
    def halvings(n, x):
        count = 0
        while n > 1:
            n = n // 2
            x = x / 2
            count += 1
        return x, count

    for n in (2, 9, 100, 1, 5, 0, -3, 77, 9):
        x, count = halvings(mutable(n), Tensor(1.0))
        assert count == max(0, math.floor(math.log2(n)) if n > 0 else 0)
        assert float(x) == 0.5 ** count


def test_a_value_that_c_code_needs_is_a_constant():
    compiled = jit(lambda v, x: x * math.sin(v))
    for v in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0):
        np.testing.assert_allclose(compiled(mutable(v), Tensor(2.0)).asnumpy(), 2 * np.sin(v), rtol=1e-6)


def test_texts_show_the_value(capsys):
    @jit
    def program(n, x):
        print("n is", n, f"{n:03d}")
        return x

    for n in (7, 12):
        program(mutable(n), Tensor(1.0))
    assert capsys.readouterr().out == "n is 7 007\nn is 12 012\n"


@pytest.mark.parametrize(("number", "dtype"), [(2.5, ms.float16), (2.5, ms.int32), (3, ms.int8), (3, ms.float32),
                                               (3, ms.bool_), (2.5, ms.bool_)])
def test_numbers_take_part_in_promotion_as_numbers(both_modes, number, dtype):
    x = Tensor([1], dtype)
    assert (x * mutable(number)).dtype == (x * number).dtype
    assert jit(lambda n, x: n * x)(mutable(number), x).dtype == (x * number).dtype


def test_numbers_in_containers():
    compiled = jit(nested, fullgraph=True)
    for a, b, c in ((1, 2.0, 3), (4, 5.0, 6)):
        found = compiled(mutable({"a": (a, [b]), "b": c}), Tensor([1.0]))
        assert found.asnumpy().tolist() == [a + b - c]
    assert compiled.cache.compiled == 1


@pytest.mark.parametrize("wrap", [tuple, list, lambda v: dict(zip("ab", v, strict=True))])
def test_tensors_in_a_container_get_gradients_and_numbers_zero(both_modes, wrap):
    def product(values, x):
        a, b = values.values() if isinstance(values, dict) else values
        return a * b * x

    values = mutable(wrap([Tensor(3.0), Tensor(2.0)]))
    found = ms.grad(product)(values, Tensor(5.0))
    assert type(found) is type(values)
    assert list(map(float, found.values() if isinstance(found, dict) else found)) == [10, 15]
    mixed = mutable(wrap([3, Tensor(2.0)]))
    zero, other = list(ms.grad(product)(mixed, Tensor(5.0)).values() if isinstance(mixed, dict)
                       else ms.grad(product)(mixed, Tensor(5.0)))
    assert (type(zero), zero, float(other)) == (int, 0, 15)


def test_a_gradient_of_all_inputs_includes_mutable_numbers(both_modes):
    gradient = ops.GradOperation(get_all=True)(lambda n, x: n * x)
    of_number, of_tensor = gradient(mutable(3.0), Tensor(2.0))
    assert (type(of_number), of_number, float(of_tensor)) == (float, 0.0, 3.0)
    assert [float(d) for d in gradient(3.0, Tensor(2.0))] == [3.0]


def test_gradients_are_compiled_once_for_all_values():
    compiled = jit(lambda n, x: ms.grad(lambda x: (x * n)[:n].sum())(x), fullgraph=True)
    for n in (2, 3):
        assert compiled(mutable(n), Tensor(X)).asnumpy().tolist() == [[n] * 3] * n + [[0] * 3] * (4 - n)
    inside = jit(lambda n, x: x * n)
    for n in (2, 3):
        assert float(ms.grad(inside, 1)(mutable(n), Tensor(1.0))) == n
    assert (compiled.cache.compiled, inside.cache.compiled) == (1, 1)


def test_a_cell_takes_mutable_numbers():
    class Net(nn.Cell):
        def construct(self, x, n=1, scale=1.0):
            return x[:n] * scale

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Net()
        for n, s in ((2, 0.5), (3, 1.5)):
            assert net(Tensor(X), mutable(n), scale=mutable(s)).asnumpy().tolist() == (X[:n] * s).tolist()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_mutable_numbers_are_numbers():
    n, v = mutable(3), mutable(2.5)
    assert (isinstance(n, int), isinstance(v, float), mutable(True)) == (True, True, True)
    assert (n + 1, [0] * n, v * 2, repr((n, v))) == (4, [0, 0, 0], 5.0, "(3, 2.5)")
    assert pickle.loads(pickle.dumps(mutable((n, v)))) == (3, 2.5)
    assert (Tensor(n).dtype, Tensor(v).dtype, Tensor([n, 2]).dtype) == (ms.int64, ms.float32, ms.int64)


def test_mutable_inside_of_a_program_is_the_value():
    assert float(jit(lambda x: mutable(3) * x + mutable((x, 2))[0], fullgraph=True)(Tensor(2.0))) == 8


@pytest.mark.parametrize("value", [None, "a", ("a", 1), np.float32(2), np.float64(2), np.array([1.0]), 1 + 2j])
def test_only_numbers_and_tensors_can_be_mutable(value):
    with pytest.raises(TypeError, match="must hold numbers and tensors"):
        mutable(value)


@pytest.mark.parametrize("arguments", [({"a": 1}, True), (3, True), (Tensor([1]), True), ((1, 2), 3)])
def test_a_length_can_differ_of_tuples_and_lists_only(arguments):
    with pytest.raises(TypeError, match="For 'mutable'"):
        mutable(*arguments)
