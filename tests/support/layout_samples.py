"""Samples for the layouts of operators whose other tests are written by hand."""
from __future__ import annotations

import torch

from mindspore.core.dtype import float32
from mindspore.operators.samples import Values, between, index, positive, truth

_RNG = torch.Generator().manual_seed(3)


def normal(*shape, dtype=torch.float64):
    return torch.randn(shape, generator=_RNG, dtype=dtype)


def boxes(n):
    """Corners x0, y0, x1, y1 with x0 < x1 and y0 < y1."""
    low = torch.rand(n, 2, generator=_RNG, dtype=torch.float64) * 4
    return torch.cat([low, low + 1 + torch.rand(n, 2, generator=_RNG, dtype=torch.float64) * 4], 1)


def definite(*shape):
    """Symmetric, positive definite matrices."""
    a = normal(*shape)
    return a @ a.mT + shape[-1] * torch.eye(shape[-1], dtype=torch.float64)


CHANNELS = [(3,)] * 2 + [positive(3)] * 2
IMAGES, MASK = (2, 3, 4, 5), (2, 1, 1, 4)
Q, K, V = (2, 4, 3, 5), (2, 4, 4, 5), (2, 4, 4, 6)
WEIGHTS = torch.softmax(normal(2, 4, 3, 4), -1)
REFLECTORS = torch.geqrf(normal(2, 4, 3))
LU = torch.linalg.lu_factor(normal(2, 3, 3))
MOMENTS = torch.native_group_norm(normal(2, 6, 4), torch.ones(6, dtype=torch.float64),
                                  torch.zeros(6, dtype=torch.float64), 2, 6, 4, 3, 1e-5)[1:]
PLACES = torch.nn.functional.max_pool2d(normal(2, 3, 4, 4), 2, 2, return_indices=True)[1]
NO_ROWS = {"ignore_index": 1}
ADAM = {"beta1": 0.9, "beta2": 0.99, "eps": 1e-3}
WINDOWS, PADDED = {"window": (2, 3), "padding": (1, 0)}, {"padding": (1, 0)}
PIECES = (3 * 6, 5 * 3 * 2)            # windows (2, 3) of IMAGES, padded by (1, 0)
OUT, KERNEL = (2, 4, 5, 3), (4, 3, 2, 3)

MORE = {
    "Attention": [(Q, K, V, {"scale": 0.5}), (Q, K, V, MASK, {"scale": 0.5}), (Q, K, V, (3, 4), {"scale": 0.5}),
                  ((2, 2, 3, 4), (2, 2, 256, 4), (2, 2, 256, 4), {"scale": 0.5})],
    "AttentionGrad": [((2, 4, 3, 6), Q, K, V, MASK, (2, 4, 3, 6), WEIGHTS, {"scale": 0.5})],
    "AttentionMaskGrad": [((2, 4, 3, 6), Q, K, V, MASK, {"scale": 0.5})],
    "Assigned": [((3, 4), (3, 4))], "Cast": [((3, 4), {"dtype": float32})], "StopGradient": [((3, 4),)],
    "Full": [({"shape": (3, 4), "value": 2, "dtype": float32},)],
    "IOU": [(boxes(4), boxes(3))], "BoundingBoxEncode": [(boxes(4), boxes(4))],
    "BoundingBoxDecode": [(boxes(4), (4, 4), {"max_shape": (9, 9)})],
    "CheckValid": [(boxes(4), torch.tensor([6.0, 6.0, 1.0]))],
    "MultilabelMargin": [((4, 3), index(3, 4, 3), {"reduction": how}) for how in ("none", "sum", "mean")],
    "SoftmaxCrossEntropy": [((4, 3), (4, 3))],
    "SparseCrossEntropy": [((5, 3), index(3, 5), {"reduction": how}) for how in ("none", "sum", "mean")]
                          + [((5, 3), index(3, 5), NO_ROWS)],
    "SparseCrossEntropyGrad": [((), (5, 3), index(3, 5), NO_ROWS), ((), (5, 3), index(3, 5), {"reduction": "sum"})],
    "NllLoss": [((5, 3), index(3, 5), positive(3), {"reduction": how}) for how in ("none", "sum", "mean")]
               + [((2, 3, 4, 5), index(3, 2, 4, 5), positive(3), {"reduction": "none"})],
    "NllLossGrad": [((), index(3, 5), positive(3), positive(), {"shape": (5, 3)}),
                    ((5,), index(3, 5), positive(3), positive(), {"shape": (5, 3), "reduction": "none"})],
    "Divergence": [((3, 4), between(0.1, 1.0, 3, 4))],
    "SquaredError": [((3, 4), (3, 4), {"reduction": "sum"})],
    "SquaredErrorGrad": [((3, 4), (3, 4), (3, 4), {"reduction": "none"}), ((), (3, 4), (3, 4), {"reduction": "sum"})],
    "MultiMargin": [((4, 3), index(3, 4), positive(3), {"reduction": how}) for how in ("none", "sum")],
    "DiagonalGrad": [((2, 3), {"shape": (2, 4, 3), "offset": 0, "dim1": 1, "dim2": 2})],
    "DropoutGrad": [((3, 4), truth(3, 4), {"scale": 2.0})],
    "SampleWindows": [(IMAGES, WINDOWS)],
    "Convolution": [((2, 4, 4, 6), (3, 4, 1, 1))],
    **{f"Convolution{kind}Grad": [((2, 3, 4, 6), (2, 4, 4, 6), (3, 4, 1, 1))]
       for kind in ("Input", "Weight", "Affine")},
    "ConvolveSamples": [(IMAGES, KERNEL, PADDED), (IMAGES, KERNEL, (4,), PADDED)],
    "ConvolveWindows": [(PIECES, IMAGES, KERNEL, PADDED), (PIECES, IMAGES, KERNEL, (4,), PADDED)],
    "WindowsWeightGrad": [(OUT, PIECES, IMAGES, KERNEL, PADDED)],
    "WindowsAffineGrad": [(OUT, PIECES, IMAGES, KERNEL, PADDED)],
    "WindowsInputGrad": [(OUT, IMAGES, KERNEL, PADDED)],
    "PutAlong": [((3, 1), index(4, 3, 1), {"shape": (3, 4), "axis": 1})],
    "TakeAlong": [((3, 4), index(4, 3, 1), {"axis": 1})],
    "AddAlong": [((3, 4), index(4, 3, 4), {"axis": 1})],
    "MatrixTriangularSolve": [(definite(2, 3, 3), (2, 3, 4))],
    "Cholesky": [(definite(2, 3, 3),)], "CholeskyInverse": [(torch.linalg.cholesky(definite(2, 3, 3)),)],
    "CholeskySolve": [((2, 3, 4), torch.linalg.cholesky(definite(2, 3, 3)))],
    "Svd": [((2, 4, 3),), ((2, 4, 3), {"full_matrices": True}), ((2, 4, 3), {"compute_uv": False})],
    "Eig": [((2, 3, 3),), ((2, 3, 3), {"compute_v": True})], "Geqrf": [((2, 4, 3),)],
    "Orgqr": [REFLECTORS], "Ormqr": [(*REFLECTORS, (2, 4, 2))],
    "LuSolve": [((2, 3, 4), *LU)], "LuUnpack": [LU, (*LU, {"unpack_pivots": False})],
    "PseudoInverse": [((2, 4, 3),)],
    "PopulationCount": [(Values((3, 4), 0, 99, "int32"),)],
    "BatchNormTrain": [(IMAGES, *CHANNELS)], "BatchNormGrad": [(IMAGES, IMAGES, *CHANNELS[1:])],
    "BatchNormInfer": [(IMAGES, *CHANNELS)], "BatchNormInferGrad": [(IMAGES, IMAGES, *CHANNELS[1:])],
    "LayerNorm": [((2, 4, 6), (6,), (6,)), ((3, 4, 6), (4, 6), (4, 6))],
    "LayerNormGrad": [((2, 4, 6), (2, 4, 6), (6,), (6,), (2, 4, 1), positive(2, 4, 1))],
    "RmsNormGrad": [((2, 4, 6), (2, 4, 6), (6,), positive(2, 4, 1))],
    "GroupNorm": [((2, 6, 4, 3), (6,), (6,), {"groups": 3})],
    "GroupNormGrad": [((2, 6, 4), (2, 6, 4), (6,), *MOMENTS, {"groups": 3})],
    "Real": [(normal(3, 4, dtype=torch.complex128),)], "Imag": [(normal(3, 4, dtype=torch.complex128),)],
    "ComplexAbs": [(normal(3, 4, dtype=torch.complex128),)], "Complex": [((3, 4), (3, 4))],
    "SearchSorted": [(normal(5).sort()[0], (3, 4)), (normal(3, 5).sort(-1)[0], (3, 4))],
    "PadBorderGrad": [((5, 6), {"shape": (5, 4), "pads": ((0, 0), (2, 0)), "mode": "reflect"})],
    "MirrorPad": [((3, 4), {"paddings": ((0, 0), (2, 2))})],
    "MaxPoolGrad": [((2, 3, 2, 2), PLACES, {"shape": (2, 3, 4, 4), "window": (2, 2), "stride": (2, 2)})],
    "SampleIndex": [(index(9, 2, 3, 4), {"plane": 9})],
    "AdaptiveMaxPoolGrad": [((2, 3, 2, 2), PLACES, {"shape": (2, 3, 4, 4), "size": (2, 2)})],
    "MaxUnpool": [((2, 3, 2, 2), PLACES, {"size": (4, 4)})],
    "FractionalMaxPool": [((2, 3, 6, 6), between(0.0, 1.0, 2, 3, 2), {"window": (2, 2), "size": (3, 3)})],
    "SampleNearestGrad": [((2, 3, 8, 7), {"shape": IMAGES, "size": (8, 7)})],
    "SampleSeparableGrad": [((2, 3, 8, 7), {"shape": IMAGES, "size": (8, 7)})],
    "CropAndResize": [((2, 4, 5, 3), between(0.0, 1.0, 3, 4), index(2, 3), {"size": (2, 2)})],
    "RoiAlign": [((2, 3, 6, 6), torch.tensor([[0, 1, 1, 4, 4], [1, 0, 2, 5, 5], [1, 1, 1, 3, 3.0]]),
                  {"pooled": (2, 2), "scale": 1.0})],
    "IndexPut": [((4, 3), (2, 3), torch.tensor([2, 0]), {"axis": 0})],
    "NoRepeatNGram": [(index(3, 2, 3, 5), (2, 3, 4))],
    "CompareAndBitpack": [((3, 16), ())],
    "Polygamma": [(torch.tensor(1), positive(3, 4))], "Zeta": [(between(2.0, 3.0, 3, 4), positive(3, 4))],
    **{name: [(positive(3, 4), positive(3, 4))] for name in ("Igamma", "IgammaSlope", "Igammac")},
    "Transform": [((3, 6), {"kind": "rfft"})], "TransformSeveral": [((3, 4, 6), {"kind": "rfft", "s": (4, 6)})],
    "FFTWithSize": [((3, 4, 6), {"signal_ndim": 2, "inverse": False, "real": True})],
    "ShortTime": [((2, 12), (4,), {"n_fft": 4, "hop": 2, "length": 4, "return_complex": how}) for how in (True, False)],
    "ViewAsReal": [(normal(3, 4, dtype=torch.complex128),)],
    "Histogram": [((20,), {"bins": 4, "min": -1.0, "max": 1.0})],
    "HistogramFixedWidth": [((20,), torch.tensor([-1.0, 1.0]), {"nbins": 4})],
    "BincountGrad": [(index(3, 8), 3, (8,), (3,))], "Betainc": [(positive(3, 4), positive(3, 4),
                                                                  between(0.1, 0.9, 3, 4))],
    "Einsum": [((3, 4, 4), (4, 2), {"equation": "...ii,ij->...j"}), ((3, 4), (4, 2), {"equation": "ij,jk"})],
    "AllFinite": [((3, 4), (5,), ())],
    "MomentumStep": [((), (), *[(3, 4), (5,)] * 3)],
    "AdamStep": [((), *[(3, 4), (5,)] * 3, positive(3, 4), positive(5), ADAM)],
    "Reshape": [((4, 6), {"shape": (2, 2, 6)}), ((2, 3, 4), {"shape": (4, 6)}), ((2, 3, 4), {"shape": (6, 4)}),
                ((4, 6), {"shape": (1, 4, 3, -1)}), ((6, 1), {"shape": (1, 6)}), ((6,), {"shape": (1, 2, 1, 3)})],
    "ReduceSum": [((2, 3, 4), {"axis": (0, -1), "keep_dims": True})],
    "Gather": [((4, 3), index(4, 5, 2), {"axis": 0})],
}
