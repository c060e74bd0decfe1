"""Decompositions, inverses, distances; statistics of samples; Fourier transforms and windows."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import special

import mindspore as ms
from mindspore import Tensor, ops

S = np.array([[4.0, 1.0], [1.0, 3.0]])
X = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]])
V = np.array([1.0, -2.0, 3.0])
trapezoid = getattr(np, "trapezoid", None) or np.trapz


def close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("found", "wanted"), [
    (lambda a: ops.inverse(a), np.linalg.inv(S)), (lambda a: ops.det(a), 11.0),
    (lambda a: ops.slogdet(a)[1], np.log(11.0)), (lambda a: ops.logdet(a), np.log(11.0)),
    (lambda a: ops.cholesky(a), np.linalg.cholesky(S)), (lambda a: ops.matrix_solve(a, a), np.eye(2)),
    (lambda a: ops.pinv(a), np.linalg.pinv(S)), (lambda a: ops.cond(a), np.linalg.cond(S)),
    (lambda a: ops.svd(a, compute_uv=False), np.linalg.svd(S, compute_uv=False)),
    (lambda a: ops.lstsq(a, a), np.eye(2)), (lambda a: ops.MatrixTriangularSolve()(a, a),
                                             np.linalg.solve(np.tril(S), S)),
    (lambda a: ops.NuclearNorm()(a), 7.0), (lambda a: ops.cholesky_inverse(ops.cholesky(a)), np.linalg.inv(S)),
])
def test_linear_algebra_as_numpy_has_it(found, wanted):
    close(found(Tensor(S)), wanted)


def test_decompositions_multiply_back():
    a = Tensor(S)
    s, u, v = ops.svd(a)
    close(u * s @ v.T, S)
    q, r = ops.qr(a)
    close(q @ r, S)
    values, vectors = ops.eig(a)
    close(a.astype(ms.complex128) @ vectors, (vectors * values).asnumpy())


@pytest.mark.parametrize("name", ["inverse", "det", "cholesky"])
def test_only_square_matrices_are_taken(name):
    with pytest.raises(ValueError, match="square"):
        getattr(ops, name)(Tensor(X))


def test_distances_of_rows():
    x = Tensor(X)
    wanted = np.linalg.norm(X[0] - X[1])
    close(ops.cdist(x, x), [[0, wanted], [wanted, 0]])
    close(ops.pdist(x), [wanted])
    with pytest.raises(ValueError, match="not be negative"):
        ops.cdist(x, x, -1.0)


@pytest.mark.parametrize(("found", "wanted"), [
    (lambda x: ops.cov(x), np.cov(X)), (lambda x: ops.cov(x, correction=0), np.cov(X, ddof=0)),
    (lambda x: ops.cov(x, fweights=Tensor([1, 2, 1])), np.cov(X, fweights=[1, 2, 1])),
    (lambda x: ops.cov(x, aweights=Tensor([0.5, 2.0, 1.0])), np.cov(X, aweights=[0.5, 2.0, 1.0])),
    (lambda x: ops.cross(x, x[::-1]), np.cross(X, X[::-1])), (lambda x: ops.diff(x, 2), np.diff(X, 2)),
    (lambda x: ops.diff(x, 1, 0), np.diff(X, axis=0)), (lambda x: ops.trapz(x, dx=2.0), trapezoid(X, dx=2.0)),
    (lambda x: ops.trapz(x, Tensor(V)), trapezoid(X, V)), (lambda x: ops.median(x, 1)[0], [2, 4]),
    (lambda x: x.median()[0], [2, 4]), (lambda x: ops.quantile(x, 0.3), np.quantile(X, 0.3)),
    (lambda x: ops.quantile(x, Tensor([0.2, 0.5]).astype(ms.float64), 1), np.quantile(X, [0.2, 0.5], 1)),
    (lambda x: ops.histc(x, 3), np.histogram(X, 3)[0]),
    (lambda x: ops.cosine_similarity(x, x, 0), [1, 1, 1]),
    (lambda x: ops.bucketize(x, [1, 3]), np.digitize(X, [1, 3], right=True)),
    (lambda x: ops.bincount(Tensor([1, 1, 3]), minlength=5), [0, 2, 0, 1, 0]),
])
def test_statistics_as_numpy_has_them(found, wanted):
    close(found(Tensor(X)), wanted)


def test_the_incomplete_beta_function_agrees_with_scipy():
    a, b, x = np.meshgrid([0.5, 2.0, 30.0], [0.7, 3.0, 20.0], [0.0, 0.1, 0.5, 0.9, 1.0])
    close(ops.Betainc()(Tensor(a), Tensor(b), Tensor(x)), special.betainc(a, b, x))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_transforms_as_numpy_has_them(name, norm):
    close(getattr(ops, name)(Tensor(V), norm=norm), getattr(np.fft, name)(V, norm=norm))
    close(getattr(ops, name)(Tensor(V), 4), getattr(np.fft, name)(V, 4))


def test_transforms_of_several_dimensions():
    close(ops.fft2(Tensor(X)), np.fft.fft2(X))
    close(ops.rfftn(Tensor(X)), np.fft.rfftn(X))
    close(ops.fftshift(Tensor(X)), np.fft.fftshift(X))
    close(ops.ifftshift(Tensor(X), 1), np.fft.ifftshift(X, 1))
    close(ops.fftfreq(5, 0.5, dtype=ms.float64), np.fft.fftfreq(5, 0.5))


def test_the_energy_of_a_signal_has_the_gradient_of_its_spectrum():
    def energy(x):
        y = ops.view_as_real(ops.fft(x))
        return (y * y).sum()

    close(ms.grad(energy)(Tensor(V)), 2 * 3 * V)       # Parseval


def test_a_transform_checks_its_norm():
    with pytest.raises(ValueError, match="norm"):
        ops.fft(Tensor(V), norm="other")


@pytest.mark.parametrize(("name", "reference"), [
    ("bartlett_window", np.bartlett), ("blackman_window", np.blackman),
    ("hamming_window", np.hamming), ("hann_window", np.hanning),
])
def test_windows_as_numpy_has_them(name, reference):
    np.testing.assert_allclose(getattr(ops, name)(7, False).asnumpy(), reference(7), atol=1e-6)
    np.testing.assert_allclose(getattr(ops, name)(6).asnumpy(), reference(7)[:6], atol=1e-6)


def test_short_time_spectra_add_up():
    x = np.sin(np.arange(16.0))
    found = ops.stft(Tensor(x), 4, 2, center=False)
    frames = np.stack([x[i:i + 4] for i in range(0, 13, 2)], 1)
    wanted = np.fft.rfft(frames, axis=0)
    close(found, np.stack([wanted.real, wanted.imag], -1))


def test_the_derivative_of_trapezoids():
    y, x = (torch.tensor(v, requires_grad=True) for v in ([[1.0, 3.0, -2.0]] * 2, [0.5, 2.0, 2.5]))
    (torch.trapezoid(y, x) * torch.tensor([1.0, -3.0])).sum().backward()
    found = ms.grad(lambda a, b: (ops.trapz(a, b) * Tensor([1.0, -3.0])).sum(), (0, 1))(
        Tensor(y.detach().numpy()), Tensor(x.detach().numpy()))
    for ours, theirs in zip(found, (y.grad, x.grad), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-6)
