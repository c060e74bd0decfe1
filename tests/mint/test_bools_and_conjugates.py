"""Functions of `mint` on bools, complex numbers, triangles and single inputs, beside torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, mint

RNG = np.random.default_rng(3)


def same(found, want):
    if isinstance(want, (tuple, list)):
        for a, b in zip(found, want, strict=True):
            same(a, b)
        return
    assert found.asnumpy().dtype == want.numpy().dtype
    np.testing.assert_allclose(found.asnumpy(), want.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("ends", [False, True])
def test_differences_of_bools_and_numbers(n, dim, ends):
    for x in (RNG.random((4, 5)) > 0.5, RNG.integers(-9, 9, (4, 5)), RNG.standard_normal((4, 5)).astype(np.float32)):
        more = {"prepend": x[:2] if dim == 0 else x[:, :2], "append": x[1:2] if dim == 0 else x[:, 3:4]} if ends else {}
        same(mint.diff(Tensor(x), n, dim, **{k: Tensor(v) for k, v in more.items()}),
             torch.diff(torch.tensor(x), n, dim, **{k: torch.tensor(v) for k, v in more.items()}))


def test_products_of_complex_vectors():
    a, b = ((RNG.standard_normal(5) + 1j * RNG.standard_normal(5)).astype(np.complex64) for _ in range(2))
    same(mint.vdot(Tensor(a), Tensor(b)), torch.vdot(torch.tensor(a), torch.tensor(b)))
    same(mint.dot(Tensor(a), Tensor(b)), torch.dot(torch.tensor(a), torch.tensor(b)))
    x = RNG.integers(-9, 9, (3, 4)).astype(np.int32)
    same(mint.trace(Tensor(x)), torch.trace(torch.tensor(x)))


@pytest.mark.filterwarnings("ignore:torch.triangular_solve:UserWarning")
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("transpose", [True, False])
@pytest.mark.parametrize("unit", [True, False])
def test_triangles_of_batches(upper, transpose, unit):
    a, b = RNG.standard_normal((2, 3, 3)) + 3 * np.eye(3), RNG.standard_normal((3, 2))
    for left in (a, a[0]):
        same(mint.triangular_solve(Tensor(b), Tensor(left), upper, transpose, unit),
             tuple(torch.triangular_solve(torch.tensor(b), torch.tensor(left), upper, transpose, unit)))


@pytest.mark.parametrize("dim", [None, 0, 1, -1])
@pytest.mark.parametrize("sorted_", [True])
def test_distinct_rows_with_ties(dim, sorted_):
    for x in (RNG.integers(0, 2, (6, 3)), RNG.integers(0, 3, (4, 4)).astype(np.float32), np.zeros((3, 2), np.float32)):
        want = torch.unique(torch.tensor(x), sorted=sorted_, return_inverse=True, return_counts=True, dim=dim)
        same(mint.unique(Tensor(x), sorted_, True, True, dim), want)
        same(mint.unique(Tensor(x), sorted_, False, True, dim), (want[0], want[2]))


@pytest.mark.parametrize("correction", [0, 1, 2])
@pytest.mark.parametrize("dim", [None, 0, -1, (0, 2)])
@pytest.mark.parametrize("keepdim", [False, True])
def test_spreads_with_corrections(correction, dim, keepdim):
    x = RNG.standard_normal((3, 4, 5)).astype(np.float32)
    for name in ("std", "var", "std_mean", "var_mean"):
        same(getattr(mint, name)(Tensor(x), dim, correction=correction, keepdim=keepdim),
             getattr(torch, name)(torch.tensor(x), dim, correction=correction, keepdim=keepdim))


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("dim", [0, 1, -1, -2])
@pytest.mark.parametrize("keepdim", [False, True])
def test_the_kth_of_unequal_axes(k, dim, keepdim):
    x = RNG.permutation(20).reshape(4, 5).astype(np.float32)
    same(mint.kthvalue(Tensor(x), k, dim, keepdim), tuple(torch.kthvalue(torch.tensor(x), k, dim, keepdim)))
    for largest in (True, False):
        same(mint.topk(Tensor(x), k, dim, largest), tuple(torch.topk(torch.tensor(x), k, dim, largest)))
    for falling in (True, False):
        want = torch.argsort(torch.tensor(x), dim=dim, descending=falling, stable=True)
        same(mint.argsort(Tensor(x), dim, falling, True), want)
