"""Views and changes in place: as in torch in both modes, whether or not a gradient is taken."""
from __future__ import annotations

import numpy as np
import pytest
import torch
import view_changes
import view_rows
import view_shapes
import view_travels
from view_programs import (
    GRADIENTS,
    START,
    VALUES,
    check_gradient,
    check_second,
    check_slices,
    check_value,
    programs_of,
    second_in_torch,
)

import mindspore as ms
from mindspore import Tensor

PROGRAMS = {name: program for module in (view_changes, view_rows, view_shapes, view_travels)
            for name, program in programs_of(vars(module)).items()}
TWICE = [name for name, program in PROGRAMS.items() if second_in_torch(program) is not None]
MAPPED = [name for name, program in PROGRAMS.items() if "number" not in program.__code__.co_names]


@pytest.mark.parametrize("way", VALUES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name, way):
    check_value(PROGRAMS[name], way)


@pytest.mark.parametrize("way", GRADIENTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name, way):
    check_gradient(PROGRAMS[name], way)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", TWICE)
def test_second_derivatives(name, compiled):
    check_second(PROGRAMS[name], compiled)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", MAPPED)
def test_slices(name, compiled):
    check_slices(PROGRAMS[name], compiled)


def test_what_is_given_is_changed_as_outside():
    def f(x):
        x.mul_(3.0)
        return (x * x).sum()
    x = Tensor([1.0, 2.0])
    d = ms.grad(f)(x)
    np.testing.assert_allclose(d.asnumpy(), [18.0, 36.0])        # of 9 x x
    np.testing.assert_allclose(x.asnumpy(), [3.0, 6.0])


def test_what_was_computed_before_keeps_its_derivative():
    def f(x):
        total = (x * x * x).sum()
        x.mul_(3.0)
        return total + (x * x).sum()
    for run, expected in ((ms.grad(f), [3 + 18.0, 12 + 36.0]),
                          (ms.grad(lambda x: ms.grad(f)(x * 1.0).sum()), [6 + 18.0, 12 + 18.0])):
        np.testing.assert_allclose(run(Tensor([1.0, 2.0])).asnumpy(), expected)


def test_a_view_from_outside_changes_what_a_gradient_is_taken_of():
    x = Tensor([1.0, 2.0])
    row = x[:1]

    def f(z, c):
        row.copy_(c)
        return (z * z).sum()
    dz, dc = ms.grad(f, (0, 1))(x, Tensor([5.0]))
    np.testing.assert_allclose(dz.asnumpy(), [0.0, 4.0])
    np.testing.assert_allclose(dc.asnumpy(), [10.0])


def test_second_derivatives_through_views():
    def f(x):
        y = x * x
        v = y.reshape((2, 2))
        v[0].mul_(y[2:] * 1.0)
        return (y * y).sum()

    def g(x):
        y = x * x
        v = y.reshape(2, 2)
        v[0].mul_(y[2:] * 1.0)
        return (y * y).sum()
    start = np.array([1.0, 2.0, 3.0, 0.5], np.float32)
    expected = torch.autograd.functional.hessian(g, torch.tensor(start)).sum(0)
    found = ms.grad(lambda x: ms.grad(f)(x).sum())(Tensor(start))
    np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=1e-5)


def test_a_gradient_inside_changes_what_the_one_outside_follows():
    def inner(z):
        z[0].mul_(3.0)
        return (z * z).sum()

    def f(x):
        y = x * 2.0
        d = ms.grad(inner)(y)
        return (d * y).sum()            # with y = (6 a, 2 b): d = (18 * 2 a, 2 * 2 b)
    x = Tensor([[1.0], [2.0]])
    np.testing.assert_allclose(f(x).asnumpy(), 36 * 6 + 8 * 4)
    np.testing.assert_allclose(ms.grad(f)(x).asnumpy(), [[2 * 36 * 6], [2 * 8 * 2]])


def test_the_tape_leaves_nothing_behind():
    kept = []

    def f(x):
        y = x * 2.0
        v = y[0]
        v.add_(1.0)
        kept.extend([y, v])
        return (y * v).sum()
    ms.grad(f)(Tensor(START))
    assert all(not hasattr(t._data, "_changed") for t in kept)
