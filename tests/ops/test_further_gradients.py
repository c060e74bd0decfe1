"""Derivatives as primitives (`ops.operations._grad_ops`), against torch and formulas."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor
from mindspore.ops import operations as P
from mindspore.ops.operations import _grad_ops as G


def drawn(seed, *shape):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def leaves(*arrays):
    return [torch.tensor(a).requires_grad_() for a in arrays]


def close(found, wanted, atol=2e-5):
    found, wanted = [v if isinstance(v, (tuple, list)) else [v] for v in (found, wanted)]
    for here, there in zip(found, wanted, strict=True):
        np.testing.assert_allclose(here.asnumpy(), there.detach().numpy(), rtol=1e-4, atol=atol)


@pytest.mark.parametrize("training", [True, False])
def test_batch_norm(training):
    x, scale, shift = leaves(drawn(0, 3, 2, 4, 4), drawn(1, 2), drawn(2, 2))
    dout = drawn(3, 3, 2, 4, 4)
    mean, variance = (x.detach().mean((0, 2, 3)), x.detach().var((0, 2, 3), unbiased=False)) if training else (
        torch.zeros(2), torch.ones(2) * 3)
    y = torch.nn.functional.batch_norm(x, mean.clone(), variance.clone(), scale, shift, training)
    wanted = torch.autograd.grad(y, (x, scale, shift), torch.tensor(dout))
    given = [Tensor(v.detach().numpy()) for v in (x, scale, mean, variance)]
    close(G.BatchNormGrad(training)(Tensor(dout), *given, Tensor([0.0])), wanted, 1e-4)


def test_derivatives_of_the_derivatives_of_layer_norm():
    x, dy, gamma = leaves(drawn(0, 2, 4), drawn(1, 2, 4), drawn(2, 4))
    beta = torch.zeros(4, requires_grad=True)
    first = torch.autograd.grad(torch.nn.functional.layer_norm(x, (4,), gamma, beta, 0), (x, gamma, beta), dy,
                                create_graph=True)
    given = drawn(3, 2, 4), drawn(4, 4), drawn(5, 4)
    wanted = torch.autograd.grad(first, (x, dy, gamma), [torch.tensor(v) for v in given])
    values = x.detach().numpy()
    moments = values.var(1, keepdims=True), values.mean(1, keepdims=True)
    found = G.LayerNormGradGrad()(*[Tensor(v) for v in (values, dy.detach().numpy(), *moments, gamma.detach().numpy(),
                                                        *given)])
    close(found, wanted, 1e-4)


def test_triangles_products_and_distances():
    square = drawn(0, 3, 3)
    x, = leaves(square @ square.T + np.eye(3, dtype=np.float32))
    lower = torch.linalg.cholesky(x)
    wanted = torch.autograd.grad(lower, x, torch.tensor(drawn(1, 3, 3)))
    close(G.CholeskyGrad()(Tensor(lower.detach().numpy()), Tensor(drawn(1, 3, 3))), wanted, 1e-4)
    a, b = leaves(drawn(2, 2, 3), drawn(3, 3, 2))
    wanted = torch.autograd.grad(torch.einsum("ij,jk->ik", a, b), (a, b), torch.tensor(drawn(4, 2, 2)))
    pair = Tensor(drawn(2, 2, 3)), Tensor(drawn(3, 3, 2))
    close(G.EinsumGrad("ij,jk->ik")(pair, Tensor(drawn(4, 2, 2))), wanted)
    x, = leaves(drawn(5, 4, 2))
    distances = torch.pdist(x)
    wanted = torch.autograd.grad(distances, x, torch.tensor(drawn(6, 6)))
    close(G.PdistGrad()(Tensor(drawn(6, 6)), Tensor(drawn(5, 4, 2)), Tensor(distances.detach().numpy())), wanted)


def test_root_mean_squares():
    x, gamma = leaves(drawn(0, 3, 4), drawn(1, 4))
    slope = torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)
    wanted = torch.autograd.grad(x * slope * gamma, (x, gamma), torch.tensor(drawn(2, 3, 4)))
    found = G.RmsNormGrad()(*[Tensor(v) for v in (drawn(2, 3, 4), drawn(0, 3, 4), slope.detach().numpy(), drawn(1, 4))])
    close(found, wanted)


def test_pooling_and_what_goes_back_to_its_places():
    image, dout = drawn(0, 1, 2, 4, 4), drawn(1, 1, 2, 2, 2)
    x, = leaves(image)
    y, places = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    (wanted,) = torch.autograd.grad(y, x, torch.tensor(dout))
    places = Tensor(places.numpy())
    for kind in (G.MaxPoolGradWithArgmaxV2(2, 2), G.FractionalMaxPoolGradWithFixedKsize()):
        close(kind(Tensor(image), Tensor(dout), places), wanted)
    close(G.MaxUnpool2DGrad(2, 2, 0, (1, 2, 4, 4))(Tensor(dout), Tensor(image), places), y)
    other = drawn(2, 1, 2, 4, 4)
    taken = torch.tensor(other).flatten(2).gather(2, torch.tensor(places.asnumpy()).flatten(2)).reshape(1, 2, 2, 2)
    close(G.MaxPoolGradGrad(2, 2)(Tensor(image), Tensor(y.detach().numpy()), Tensor(other)), taken)
    volume, = leaves(drawn(3, 1, 1, 4, 4, 4))
    (wanted,) = torch.autograd.grad(torch.nn.functional.avg_pool3d(volume, 2), volume, torch.ones(1, 1, 2, 2, 2))
    sizes = (1, 1, 2, 2, 2)
    close(G.AvgPool3DGrad(sizes, sizes, 0)((1, 1, 4, 4, 4), ms.ops.ones(sizes)), wanted)
    for mode, kind in (("nearest", G.UpsampleNearest3DGrad()), ("trilinear", G.UpsampleTrilinear3DGrad())):
        small, = leaves(drawn(4, 1, 1, 2, 2, 2))
        y = torch.nn.functional.interpolate(small, (4, 4, 4), mode=mode)
        (wanted,) = torch.autograd.grad(y, small, torch.tensor(drawn(5, 1, 1, 4, 4, 4)))
        close(kind(Tensor(drawn(5, 1, 1, 4, 4, 4)), (1, 1, 2, 2, 2), (4, 4, 4)), wanted)


def test_rows_and_places():
    dout, indices, segments = Tensor(drawn(0, 2, 3)), Tensor([0, 2, 3], ms.int32), Tensor([0, 0, 1], ms.int32)
    for name, weight in (("Sum", [1, 1]), ("Mean", [0.5, 1]), ("SqrtN", [0.5**0.5, 1])):
        wanted = np.zeros((5, 3), np.float32)
        wanted[[0, 2, 3]] = (drawn(0, 2, 3) * np.array(weight)[:, None])[[0, 0, 1]]
        found = getattr(G, f"SparseSegment{name}Grad")()(dout, indices, segments, Tensor(5, ms.int32))
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5)
    values, default = G.SparseFillEmptyRowsGrad()(Tensor([0, 3, 4]), Tensor([1.0, 2.0, 4.0, 8.0, 16.0]))
    assert (values.tolist(), default.item()) == ([1, 8, 16], 6)
    indices = Tensor([[0, 1], [1, 0], [1, 2]])
    found = G.SparseSliceGrad()(Tensor([5.0, 6.0]), indices, Tensor([1, 0]), Tensor([[0, 0], [0, 2]]))
    assert found.tolist() == [0, 5, 6]
    x, y, dx, dy = [Tensor(v) for v in ([1.0, 5.0], [2.0, 3.0], [10.0, 20.0], [30.0, 40.0])]
    assert G.MaximumGradGrad()(x, y, dx, dy)[2].tolist() == [30, 20]
    assert G.MinimumGradGrad()(x, y, dx, dy)[2].tolist() == [10, 40]


@pytest.mark.parametrize("mode", ["reflect", "edge"])
def test_padding(mode):
    x, = leaves(drawn(0, 2, 4, 3))
    y = torch.nn.functional.pad(x, (1, 2), "replicate" if mode == "edge" else mode)
    (wanted,) = torch.autograd.grad(y, x, torch.tensor(drawn(1, 2, 4, 6)))
    close(G.PadV3Grad(mode)(Tensor(drawn(1, 2, 4, 6)), Tensor([1, 2])), wanted)
    values, places = P.Median(False, 2)(Tensor(drawn(0, 2, 4, 3)))
    found = G.MedianGrad(False, 2)(Tensor(drawn(2, 2, 4)), Tensor(drawn(0, 2, 4, 3)), values, places)
    (wanted,) = torch.autograd.grad(x.median(2).values, x, torch.tensor(drawn(2, 2, 4)))
    close(found, wanted)
