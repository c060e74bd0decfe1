"""Cells with a float type of their own, around compiled functions: the function computes as it does without `jit`."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, jit, nn, ops

THIRD = np.full(3, 1 / 3, np.float32)
WEIGHT = Parameter(Tensor(THIRD), name="weight")
TORCH = {ms.float16: torch.float16, ms.bfloat16: torch.bfloat16, ms.float32: torch.float32}


def product(x):
    return x * WEIGHT


class Around(nn.Cell):
    """Calls functions on its argument, on a tensor that it computed, and on what it holds."""

    def __init__(self, wrap):
        super().__init__()
        self.weight = Parameter(Tensor(THIRD), name="weight")
        self.table = Tensor(THIRD)
        self.of_all, self.product = wrap(self.all), wrap(product)

    def all(self, x, y):
        return x * self.weight, self.table + 1, x, y * 2, self.table * y, x @ self.weight

    def construct(self, x):
        return self.of_all(x, ops.exp(x)), self.product(x)


@pytest.mark.parametrize("dtype", TORCH)
def test_a_compiled_function_computes_in_the_float_type_of_the_cell_around_it(dtype):
    x = Tensor(THIRD)
    plain, compiled = (Around(wrap).to_float(dtype)(x) for wrap in (lambda f: f, jit))
    for a, b in zip([*plain[0], plain[1]], [*compiled[0], compiled[1]], strict=True):
        assert a.dtype is b.dtype
        assert a.astype(ms.float32).tolist() == b.astype(ms.float32).tolist()
    third = torch.from_numpy(THIRD).to(TORCH[dtype])
    assert compiled[1].dtype is dtype
    assert compiled[1].astype(ms.float32).tolist() == (third * third).float().tolist()


def test_each_float_type_has_a_program_of_its_own():
    compiled, x = jit(product), Tensor(THIRD)

    class Calling(nn.Cell):
        def construct(self, x):
            return compiled(x)

    half, full = Calling().to_float(ms.float16), Calling()
    for _ in range(3):
        assert (half(x).dtype, full(x).dtype, compiled(x).dtype) == (ms.float16, ms.float32, ms.float32)
    assert compiled.cache.compiled == 2
    assert "the float type of the cell around it changed from Float16 to None" in str(ms.graph.explain(compiled))


def test_a_program_that_reads_a_tensor_of_one_cell_is_not_used_in_another():
    held = Tensor(THIRD)
    compiled = jit(lambda: held + 1)

    class Calling(nn.Cell):
        def __init__(self, table):
            super().__init__()
            self.table = table

        def construct(self):
            return compiled()

    with_it, without = Calling(held).to_float(ms.float16), Calling(None).to_float(ms.float16)
    for _ in range(2):
        assert (with_it().dtype, without().dtype) == (ms.float16, ms.float32)


def test_a_compiled_construct_takes_the_float_type_and_gives_gradients_in_that_of_the_parameters():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 2, weight_init="ones")

        @jit
        def construct(self, x):
            return self.dense(x).sum()

    net, x = Net(), Tensor(THIRD[None])
    assert net(x).dtype is ms.float32
    net.to_float(ms.float16)
    assert net(x).dtype is ms.float16
    found = ms.grad(net, None, net.trainable_params())(x)
    assert [g.dtype for g in found] == [ms.float32] * 2
    assert found[0].tolist() == torch.from_numpy(THIRD).half().float().expand(2, 3).tolist()
    net.to_float(ms.float32)
    assert net(x).dtype is ms.float32


GLOBAL = Tensor(THIRD)


@pytest.mark.parametrize("wrap", [lambda cell: cell, jit], ids=["pynative", "graph"])
def test_tensors_that_construct_names_compute_in_the_float_type_of_the_cell(wrap):
    closed = Tensor(THIRD)

    class Naming(nn.Cell):
        def construct(self, x):
            return x + closed, closed * 2, x * GLOBAL, GLOBAL * 2, ops.matmul(x, closed)

    found = wrap(Naming().to_float(ms.float16))(Tensor(THIRD))
    third = torch.from_numpy(THIRD).half()
    for got, want in zip(found, [third + third, third * 2, third * third, third * 2, third @ third], strict=True):
        assert got.dtype is ms.float16
        assert got.astype(ms.float32).tolist() == want.float().tolist()
    assert GLOBAL.dtype is closed.dtype is ms.float32


def test_a_cast_to_the_type_that_an_argument_has_keeps_it_in_both_modes():
    class Casting(nn.Cell):
        def construct(self, x):
            return ops.cast(x, ms.float32) + 1

    x = Tensor(THIRD)
    assert Casting().to_float(ms.float16)(x).dtype is ms.jit(Casting().to_float(ms.float16))(x).dtype is ms.float32
