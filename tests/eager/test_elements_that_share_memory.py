"""Writing to what `broadcast_to` and `expand` give: the elements share memory, as in torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor

X = np.array([[1.0, 2.0]], np.float32)


def row(x, e):
    e[1] = 5.0
    return (e * x).sum()


def element(x, e):
    e[1, 0] = 7.0
    return (e * e).sum() + x.sum()


def row_of_itself(x, e):
    e[1] = e[0] * 2
    return (e * x).sum()


def sum_into_a_row(x, e):
    e[0] += 1
    return (e * e).sum()


def slice_of_one_row(x, e):
    e[0:1] = 4.0
    return (e * x).sum()


def row_in_place(x, e):
    e[1].add_(5)
    return (e * x).sum()


def view_of_a_row(x, e):
    view = e[2]
    e[0] = 3.0
    return (view * x).sum()


PROGRAMS = [row, element, row_of_itself, sum_into_a_row, slice_of_one_row, row_in_place, view_of_a_row]


def expanded(fn):
    def program(x):
        y = x * 1
        return fn(y, y.expand(3, 2) if isinstance(y, torch.Tensor) else y.expand((3, 2)))
    return program


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "jit"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
def test_values_and_gradients_are_those_of_torch(fn, compiled):
    program = expanded(fn)
    leaf = torch.tensor(X, requires_grad=True)
    wanted = program(leaf)
    gradient, = torch.autograd.grad(wanted, leaf)
    run = ms.jit(program) if compiled else program
    assert float(run(Tensor(X))) == wanted.item()
    value, found = ms.value_and_grad(run)(Tensor(X))
    assert float(value) == wanted.item()
    np.testing.assert_allclose(found.asnumpy(), gradient.numpy())


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "jit"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
def test_the_source_sees_the_change(fn, compiled):
    def program(x):
        return fn(x, x.expand((3, 2)))

    source, other = torch.tensor(X), Tensor(X.copy())
    fn(source, source.expand(3, 2))
    (ms.jit(program) if compiled else program)(other)
    assert other.asnumpy().tolist() == source.tolist()


def test_one_value_for_elements_that_share_memory():
    x = Tensor(X.copy())
    e = x.expand((3, 2))
    e[:, 0] = 9.0
    assert x.asnumpy().tolist() == [[9, 2]]
    assert e.asnumpy().tolist() == [[9, 2]] * 3


def test_values_that_differ_for_elements_that_share_memory_are_written_to_a_copy():
    x = Tensor(X.copy())
    e = x.expand((3, 2))
    e[:, 0] = Tensor([1.0, 5.0, 9.0])
    assert x.asnumpy().tolist() == X.tolist()
    assert e.asnumpy().tolist() == [[1, 2], [5, 2], [9, 2]]
