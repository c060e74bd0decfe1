"""Numbers that a condition or a loop on a tensor chose: inside they count as numbers do, outside they are Python's."""
import math

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, nn, ops

X = np.float32(2.0)


def an_int(x):
    return 1 if x > 0 else 2


def a_float(x):
    return 0.1 if x > 0 else 0.2


def a_flag(x):
    flag = True
    if x > 5:
        flag = False
    return flag, not flag


def a_large_number(x):
    return 1e300 if x > 0 else 2.0 ** -1000


def an_early_return(x):
    if x > 0:
        return 16777217.0
    return 3.5


def counted(x):
    n, total = 0, 0.0
    while x < 10:
        x, n, total = x * 2, n + 1, total + 0.1
    return x, n, total


def counted_by_range(x, count):
    last = -1
    for i in range(count):
        x, last = x + i, i
    return x, last


def nested(x):
    n = 3 if x > 0 else 4
    return [n, (n, {"n": n, "x": x})], n * 2 + 1


def of_elements(x):
    return x.item(), float(x) * 3, int(x) / 3, bool(x), not x


def arithmetic(x):
    n = 7 if x > 0 else -7
    return n // 2, n % 4, n ** 2, n ** -1, n / 3, -n, abs(n), ~n, n & 3, n > 3, n == 7, divmod(n, 2), round(1.5 * n)


def flags_as_numbers(x):
    flag = bool(x > 0)
    return flag + flag, flag * 2.5, -flag, flag & True, flag | False


def beside_tensors(x):
    n, f, flag = (3 if x > 0 else 4), (0.5 if x > 0 else 1.5), bool(x > 0)
    half, whole, truth = x.astype(ms.float16), x.astype(ms.int32), x > 0
    return (half * n, half * f, half * flag, whole * n, n - whole, whole * f, whole + flag, truth * n, f * truth,
            whole > f, ops.add(half, f), half ** n, ops.maximum(whole, n), x.astype(ms.float64) * f)


def among_others(x):
    n = 3 if x > 0 else 4
    return n in (1, 3), n in [5], n not in (4, 5), [10, 20, 30, 40, 50][n]


def as_tensors(x):
    f = 0.25 if x > 0 else 0.5
    return Tensor(f), Tensor([f, 1.0]), ops.full((2,), f, dtype=ms.float32), ops.exp(Tensor(f)), Tensor(int(x))


def kept_in_a_loop(x):
    f = 0.5 if x > 0 else 1.5
    half = x.astype(ms.float16)
    while half < 100:
        half = half * f + half
        f = f + 1
    return half, f


def becomes_a_tensor_in_a_loop(x):
    total = 0
    while total < 10:
        total = total + x
    return total


def depth(x, n):
    if x > 100:
        return n
    return depth(x * 2, n + 1)


def recursive(x):
    return depth(x, 0 if x > 0 else 5)


def shown(x):
    n = 3 if x > 0 else 4
    return f"{n} {[n]} {n * 0.1}"


PROGRAMS = [an_int, a_float, a_flag, a_large_number, an_early_return, nested, of_elements, arithmetic,
            flags_as_numbers, among_others, beside_tensors, as_tensors]
GROWING = [counted, kept_in_a_loop, becomes_a_tensor_in_a_loop, recursive]       # they end if x is positive


@pytest.fixture
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("function", [*PROGRAMS, *GROWING], ids=lambda f: f.__name__)
def test_what_leaves_is_what_pynative_gives(function, same):
    compiled = jit(function, fullgraph=True)
    for x in (X,) if function in GROWING else (X, -X):
        same(compiled(Tensor(x)), function(Tensor(x)))


def test_the_items_of_a_range_of_a_tensor_are_ints():
    for program in (jit(counted_by_range, fullgraph=True), counted_by_range):
        x, last = program(Tensor(2, ms.int32), Tensor(3))
        assert (x.dtype, int(x), type(last), last) == (ms.int32, 5, int, 2)


@pytest.mark.parametrize("function", [an_int, counted, of_elements])
def test_one_program_serves_all_values(function, same):
    compiled = jit(function, fullgraph=True)
    for value in (2.0, 1.0, 3.0, 0.5):
        same(compiled(Tensor(value)), function(Tensor(value)))
    assert compiled.cache.compiled == 1


def test_numbers_have_no_gradient_and_lose_none():
    def program(x):
        n = 3 if x > 0 else 2
        return n * x * x, n

    for function in (program, jit(program, fullgraph=True), lambda x: jit(program)(x)):
        value, gradient = ms.value_and_grad(function, has_aux=True)(Tensor(X))
        assert type(value[1]) is int
        assert (float(value[0]), value[1], float(gradient)) == (12, 3, 12)
    (y, n), gradient = jit(ms.value_and_grad(program, has_aux=True), fullgraph=True)(Tensor(X))
    assert (float(y), n, type(n), float(gradient)) == (12, 3, int, 12)


def test_a_number_as_the_value_of_a_gradient():
    def program(x):
        n = 1.5
        while x < 10:
            x, n = x * 2, n + 1
        return n

    value, gradient = ms.value_and_grad(jit(program, fullgraph=True))(Tensor(X))
    assert (value, type(value), float(gradient)) == (4.5, float, 0)


def test_a_chosen_number_is_a_factor_of_its_kind_in_second_derivatives():
    def program(x):
        f = 0.5 if x > 0 else 2.0
        y = x.astype(ms.float16)
        return (y * y * y * f).astype(ms.float32)

    second = ms.grad(ms.grad(jit(program, fullgraph=True)))
    assert float(second(Tensor(X))) == float(ms.grad(ms.grad(program))(Tensor(X))) == 6


@pytest.mark.parametrize("inner", [lambda f: f, jit])
def test_vmap_makes_tensors_of_numbers(inner):
    def program(x):
        n = 3 if x > 0 else 4
        return x * n, n

    y, n = ms.vmap(inner(program))(Tensor([1.0, -1.0]))
    assert (y.asnumpy().tolist(), n.asnumpy().tolist(), n.dtype) == ([3, -4], [3, 4], ms.int64)


def test_a_compiled_function_inside_another_hands_on_a_number():
    inner = jit(an_int)

    def outer(x):
        return x.astype(ms.float16) * inner(x), inner(x)

    y, n = jit(outer, fullgraph=True)(Tensor(X))
    assert (y.dtype, float(y), n, type(n)) == (ms.float16, 2, 1, int)


def test_attributes_and_lists_get_numbers():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.seen = 0

        def construct(self, x, found):
            n = 1 if x > 0 else 2
            self.seen = self.seen + n
            found.append(n)
            return x

    net, found = Net(), []
    for run in (net, jit(net, fullgraph=True)):
        run(Tensor(X), found)
    assert (net.seen, found, [type(v) for v in (net.seen, *found)]) == (2, [1, 1], [int] * 3)


@pytest.mark.usefixtures("_graph_mode")
def test_a_cell_in_graph_mode_gives_a_number():
    class Net(nn.Cell):
        def construct(self, x):
            return counted(x)

    x, n, total = Net()(Tensor(X))
    assert (float(x), n, type(n)) == (16, 3, int)
    assert math.isclose(total, 0.3)


@pytest.mark.parametrize("divide", [lambda n: 3 / n, lambda n: 3 // n, lambda n: 2.5 % n])
def test_a_division_by_a_number_that_is_zero_raises_as_in_python(divide, same):
    def program(x):
        return divide(0 if x > 0 else 2)

    compiled = jit(program, fullgraph=True)
    same(compiled(Tensor(-X)), program(Tensor(-X)))
    for run in (program, compiled):
        with pytest.raises(ZeroDivisionError):
            run(Tensor(X))


def test_an_argument_that_must_be_known_while_compiling_is_python(same):
    def program(x):
        axis = 1 if x > 0 else 0
        return ops.softmax(ops.ones((2, 4)) * x, axis)

    for x in (X, -X):
        same(jit(program)(Tensor(x)), program(Tensor(x)))
    with pytest.raises(TypeError, match="takes what is known while compiling"):
        jit(program, fullgraph=True)(Tensor(X))


def test_a_text_shows_a_number(same):
    same(jit(lambda x: print(shown(x)), fullgraph=True)(Tensor(X)), None)


def test_printed_numbers_look_like_pythons(capfd):
    def program(x):
        n = 3 if x > 0 else 4
        print(n, [n], n * 0.1, f"{n}", bool(x))

    program(Tensor(X))
    wanted = capfd.readouterr().out
    jit(program, fullgraph=True)(Tensor(X))
    assert capfd.readouterr().out == wanted == "3 [3] 0.30000000000000004 3 True\n"
