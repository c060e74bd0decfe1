"""Numbers that come from tensors: `int`, `float`, `item`, as indices, sizes, bounds, keys, factors."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, ops

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def scaled(x, n):
    return x * n.item(), x + int(n) * 2, x / float(n)


def sliced(x, n):
    k = n.item()
    return x[:k], x[k:].sum(), x[k - 1]


def of_a_maximum(x, n):
    return x[0, (x[0] * n).argmax().item()], x[int(x[:, 0].argmax())]


def made(x, n):
    rows = x.reshape(-1)[:n.item() * 3].reshape(n.item(), 3)
    return ops.ones((n.item(), 2), ms.float32), ops.zeros((int(n), 1)), rows


def counted(x, n):
    total = x[0] * 0
    for i in range(n.item()):
        total = total + x[i]
    return total


def until(x, n):
    i = 0
    while i < int(n):
        x, i = x + x[i].argmax().item(), i + 1
    return x * i


def arithmetic(x, n):
    n = n.item()
    return n * 2 + 1, n // 2, n % 2, n / 4, -n, x.shape[0] * n, abs(n), n * x.sum()


def by_float(x, n):
    v = x.sum().item()
    if v > 100:
        return x / v
    return x * v + x.item(4) + x.item((1, 2))


def by_flag(x, n):
    return x * 2 if (n > 2).item() else x * 3


ONCE = [scaled, sliced, of_a_maximum, made, counted, until, arithmetic, by_float, by_flag]


def by_key(x, n):
    table = {1: x, 2: x * 2, 3: x * 3}
    return table[n.item()], table[int(n)], table.get(int(n) + 1, x), (n.item(), 0) in {(1, 0), (2, 0)}


def stored(x, n):
    table = {}
    table[int(n)] = x * 2
    seen = set()
    seen.add(n.item())
    return table.get(2, x), 2 in seen, len(seen)


PER_VALUE = [by_key, stored]


def plain(value):
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)


def same(found, wanted):
    if isinstance(wanted, list):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            same(a, b)
    else:
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("function", [*ONCE, *PER_VALUE], ids=lambda f: f.__name__)
@pytest.mark.parametrize("sign", [1, 20])
def test_numbers_from_tensors_are_those_of_the_run(function, sign):
    compiled = jit(function, fullgraph=True)
    for n in (2, 1, 3, 2):
        same(plain(compiled(Tensor(X * sign), Tensor(n))), plain(function(Tensor(X * sign), Tensor(n))))
    assert compiled.cache.compiled <= (1 if function in ONCE else 3)


@pytest.mark.parametrize("function", [
    lambda x: x * float(x.sum()), lambda x: x * x.sum().item(), lambda x: x * int(x.sum()),
    lambda x: x * ops.stop_gradient(x.sum()) * x.max()])
def test_no_gradient_passes_a_number(function):
    wanted = ms.grad(function)(Tensor(X)).asnumpy()
    for compiled in (ms.grad(jit(function)), jit(ms.grad(function))):
        np.testing.assert_allclose(compiled(Tensor(X)).asnumpy(), wanted, rtol=1e-6)


def test_one_element_makes_a_number():
    with pytest.raises(ValueError, match="only one element, but got 12"):
        jit(lambda x: x.item())(Tensor(X))


def test_a_key_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        jit(lambda x: {1: x}[int(x.sum())])(Tensor(X))


def test_a_tensor_as_a_key_is_found_by_identity():
    def program(x):
        a, b = x.sum(), x.max()
        table = {a: 1, b: 2}
        return table[b], a in table

    assert tuple(jit(program, fullgraph=True)(Tensor(X))) == program(Tensor(X)) == (2, True)
