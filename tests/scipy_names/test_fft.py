"""Cosine transforms are SciPy's orthonormal ones, in both modes, and their derivative is their inverse."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.fft as judge

import mindspore as ms
from mindspore import Tensor
from mindspore.scipy import fft

X = np.random.default_rng(7).normal(size=(3, 5, 6))


@pytest.mark.parametrize("mode", [lambda f: f, ms.jit])
@pytest.mark.parametrize("name", ["dct", "idct"])
@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"n": 4}, {"n": 9, "axis": 0}, {"norm": "ortho"}])
@pytest.mark.parametrize("x", [X, X + 1j * X[::-1]])
def test_one_axis(name, options, x, mode):
    got = mode(lambda v: getattr(fft, name)(v, **options))(Tensor(x)).asnumpy()
    want = getattr(judge, name)(x, **{"norm": "ortho", **options})
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-11)
    assert got.dtype == want.dtype


@pytest.mark.parametrize("name", ["dctn", "idctn"])
@pytest.mark.parametrize("options", [{}, {"axes": (0, 2)}, {"s": (4, 7)}, {"s": (2, 9), "axes": (0, -1)}])
def test_several_axes(name, options):
    got = getattr(fft, name)(Tensor(X), **options).asnumpy()
    np.testing.assert_allclose(got, getattr(judge, name)(X, norm="ortho", **options), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f2"])
def test_narrow_types_give_float32(dtype):
    x = (X * 3).astype(dtype)
    got = fft.dct(Tensor(x))
    assert got.dtype == ms.float32
    np.testing.assert_allclose(got.asnumpy(), judge.dct(x.astype("f8"), norm="ortho"), rtol=1e-4, atol=1e-5)


def test_the_derivative_of_an_orthonormal_transform_is_its_inverse():
    by = Tensor(X[::-1].copy())
    got = ms.grad(lambda x: (fft.dct(x) * by).sum())(Tensor(X))
    np.testing.assert_allclose(got.asnumpy(), judge.idct(X[::-1], norm="ortho"), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("error", "call"), [
    (ValueError, lambda: fft.dct(Tensor(X), type=1)), (ValueError, lambda: fft.dct(Tensor(X), norm="forward")),
    (ValueError, lambda: fft.dct(Tensor(X), axis=3)), (TypeError, lambda: fft.dct(X)),
    (ValueError, lambda: fft.dctn(Tensor(X), s=(2,), axes=(0, 1))), (TypeError, lambda: fft.dct(Tensor(X), n=2.5)),
])
def test_what_does_not_fit_is_told(error, call):
    with pytest.raises(error, match="For '"):
        call()


@pytest.mark.parametrize("name", ["dct", "idct"])
def test_derivatives_of_transforms_are_their_matrices(both_modes, name):
    matrix = np.stack([getattr(judge, name)(e, norm="ortho") for e in np.eye(4)], -1)
    x, weights = np.array([[-1.5, 0.25, 2.0, -1.0]], np.float32), np.array([1.0, 2.0, 3.0, 4.0], np.float32)
    found = ms.grad(lambda x: (getattr(fft, name)(x) * Tensor(weights)).sum())(Tensor(x))
    assert np.allclose(found.asnumpy(), weights @ matrix, atol=1e-5)


def test_a_transform_needs_elements():
    with pytest.raises(ValueError, match="must have elements along the axis"):
        fft.dct(Tensor(np.zeros((2, 0), np.float32)))
