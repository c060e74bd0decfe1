"""Primitives of `_grad_ops` against what the original gives, as projections of the results on random directions.

`CASES` and `projections` run under the original, too, which gave what was observed.
"""

from __future__ import annotations

import zlib

import numpy as np
import pytest
import torch

import mindspore as ms
import mindspore.ops.operations._grad_ops as G
from mindspore import Tensor, ops
from mindspore.ops import _gradient_primitives


class Draw:
    """Inputs that are the same whatever other cases there are."""

    def __init__(self, name):
        self.state = np.random.RandomState(zlib.crc32(name.encode()))

    def normal(self, *shape):
        return Tensor(np.asarray(self.state.randn(*shape)).astype(np.float32))

    def part(self, *shape):
        return Tensor(self.state.uniform(0.1, 0.9, shape).astype(np.float32))


def ints(value, dtype=ms.int32):
    return Tensor(np.array(value), dtype)


def placed(pool, x, d):
    out, places = pool(x)
    return x, d.normal(*out.shape), places


def dout_first(inputs):
    x, dout, places = inputs
    return dout, x, places


def moments(x):
    return x.var(-1, keepdims=True), x.mean(-1, keep_dims=True)


def layer_norm(d):
    x = d.normal(3, 4)
    return x, d.normal(3, 4), *moments(x), d.part(4)


def with_result(x, forward):
    return x, forward(x)


# name, after "#" a number: settings, and a function that draws the inputs
CASES = {
    **{f"{name}Grad": ((), lambda d: (d.normal(3, 4), d.normal(3, 4)))
       for name in ("Abs", "Relu", "ReLU6", "HSigmoid", "HSwish", "SiLU", "FastGeLU", "Softplus", "HShrink",
                    "SoftShrink", "Elu")},
    **{f"{name}Grad": ((), lambda d: (d.part(3, 4), d.part(3, 4)))
       for name in ("ACos", "Asin", "Atan", "Sigmoid", "Tanh", "Sqrt", "Rsqrt", "Reciprocal", "Inv", "Acosh", "Asinh",
                    "Logit")},
    "GeLUGrad": ((), lambda d: (d.normal(3), d.normal(3), d.normal(3))),
    "LogSoftmaxGrad": ((-1,), lambda d: (d.normal(3, 4), d.normal(3, 4))),
    "AvgPoolGrad": ((3, 2, "SAME"), lambda d: (d.normal(2, 3, 5, 6), d.normal(2, 3, 3, 3), d.normal(2, 3, 3, 3))),
    "MaxPoolGrad": ((3, 2, "VALID"), lambda d: (*with_result(d.normal(2, 3, 5, 6), ops.MaxPool(3, 2, "VALID")),
                                                d.normal(2, 3, 2, 2))),
    "MaxPool3DGrad": (((1, 1, 2, 2, 2), (1, 1, 2, 2, 2), "VALID"),
                      lambda d: (*with_result(d.normal(1, 2, 4, 5, 6), ops.MaxPool3D(2, 2, "VALID")),
                                 d.normal(1, 2, 2, 2, 3))),
    "MaxPoolGradWithArgmax": ((2, 2), lambda d: placed(ops.MaxPoolWithArgmax(2, 2), d.normal(1, 2, 6, 8), d)),
    "AdaptiveMaxPool2DGrad": ((), lambda d: dout_first(placed(ops.AdaptiveMaxPool2D((2, 3)), d.normal(1, 2, 5, 7), d))),
    "AdaptiveAvgPool2DGrad": ((), lambda d: (d.normal(1, 2, 2, 3), ints([1, 2, 5, 7], ms.int64))),
    "AdaptiveAvgPool3DGrad": ((), lambda d: (d.normal(1, 2, 2, 3, 2), ints([1, 2, 5, 7, 4]))),
    "BinaryCrossEntropyGrad": (("mean",), lambda d: (d.part(3, 4), d.part(3, 4), d.normal(), d.part(3, 4))),
    "BinaryCrossEntropyGrad#2": (("none",), lambda d: (d.part(3, 4), d.part(3, 4), d.normal(3, 4))),
    "GatherDGradV2": ((), lambda d: (d.normal(3, 4), 1, ints([[0, 0], [3, 1], [2, 2]]), d.normal(3, 2))),
    "GridSampler2DGrad": ((), lambda d: (d.normal(1, 2, 3, 4), d.normal(1, 2, 5, 6), d.part(1, 3, 4, 2))),
    "GridSampler3DGrad": ((), lambda d: (d.normal(1, 2, 2, 3, 4), d.normal(1, 2, 4, 5, 6), d.part(1, 2, 3, 4, 3))),
    "KLDivLossGrad": (("mean",), lambda d: (d.normal(), d.normal(3, 4), d.part(3, 4))),
    "L2NormalizeGrad": ((1,), lambda d: (*with_result(d.normal(3, 4), ops.L2Normalize(1)), d.normal(3, 4))),
    "LRNGrad": ((2,), lambda d: (d.normal(2, 6, 3, 3), *with_result(d.normal(2, 6, 3, 3), ops.LRN(2)))),
    "MaskedSelectGrad": ((), lambda d: (d.normal(2, 3), ints([[1, 0, 1], [0, 1, 1]], ms.bool_), d.normal(4))),
    "MaximumGrad": ((), lambda d: (d.normal(3, 4), d.normal(4), d.normal(3, 4))),
    "MinimumGrad": ((), lambda d: (d.normal(3, 1), d.normal(3, 4), d.normal(3, 4))),
    "MultiMarginLossGrad": ((), lambda d: (d.normal(), d.normal(3, 4), ints([1, 0, 3], ms.int64), d.part(4))),
    "MvlgammaGrad": ((2,), lambda d: (d.normal(3), d.part(3) + 2)),
    "PReLUGrad": ((), lambda d: (d.normal(2, 3, 4), d.normal(2, 3, 4), d.part(3))),
    "SigmoidCrossEntropyWithLogitsGrad": ((), lambda d: (d.normal(3), d.part(3), d.normal(3))),
    "SliceGrad": ((), lambda d: (d.normal(2, 2), d.normal(4, 5), (1, 2), (2, 2))),
    "SmoothL1LossGrad": ((0.7,), lambda d: (d.normal(6), d.normal(6), d.normal(6))),
    "BiasAddGrad": ((), lambda d: (d.normal(2, 3, 4),)),
    "BiasAddGrad#2": ((), lambda d: (d.normal(2, 3),)),
    "Conv2DBackpropFilter": ((4, 3, "pad", 1, (1, 1, 1, 1), 1, 2, 1, 1),
                             lambda d: (d.normal(2, 4, 3, 3), d.normal(2, 3, 6, 5), (4, 3, 3, 3))),
    "DropoutGrad": ((0.4,), lambda d: (d.normal(5), ints([1, 0, 1, 1, 0], ms.float32))),
    "FlattenGrad": ((), lambda d: (d.normal(2, 6), (2, 2, 3))),
    "GluGrad": ((1,), lambda d: (d.normal(3, 2), d.normal(3, 4))),
    "LayerNormGrad": ((-1, -1), layer_norm),
    "LayerNormGrad#2": ((1, 1), layer_norm),
    "MirrorPadGrad": (("REFLECT",), lambda d: (d.normal(1, 2, 6, 5), ints([[0, 0], [0, 0], [2, 1], [1, 1]], ms.int64))),
    "MirrorPadGrad#2": (("SYMMETRIC",), lambda d: (d.normal(6, 5), ints([[2, 1], [1, 1]], ms.int64))),
    "NLLLossGrad": (("mean",), lambda d: (d.normal(3, 4), d.normal(), ints([1, 0, 3]), d.part(4), Tensor(2.0))),
    "ROIAlignGrad": ((2, 3, 0.5), lambda d: (d.normal(2, 3, 2, 3),
                                             Tensor([[0, 1.0, 2.0, 8.0, 9.0], [1, 0.0, 0.0, 5.0, 3.0]]), (2, 3, 6, 7))),
    "ResizeBilinearGrad": ((), lambda d: (d.normal(1, 2, 7, 5), d.normal(1, 2, 4, 3))),
    "ResizeBilinearGrad#2": ((True,), lambda d: (d.normal(1, 2, 7, 5), d.normal(1, 2, 4, 3))),
    "ResizeNearestNeighborGrad": ((), lambda d: (d.normal(1, 2, 7, 5), (4, 3))),
    "ResizeNearestNeighborGrad#2": ((True,), lambda d: (d.normal(1, 2, 7, 5), (4, 3))),
    "StridedSliceGrad": ((), lambda d: (d.normal(2, 2), (5, 6), (1, 5), (4, 1), (2, -2))),
    "StridedSliceGrad#2": ((0, 0, 0, 0, 1), lambda d: (d.normal(3), (5, 6), (1, 0), (2, 6), (1, 2))),
    "TraceGrad": ((), lambda d: (d.normal(), ints([3, 4], ms.int64))),
}


def projections(name, wrap=lambda f: f):
    """Of each result its product with a random direction."""
    settings, drawn = CASES[name]
    draw, primitive = Draw(name), getattr(G, name.partition("#")[0])(*settings)
    found = wrap(lambda *inputs: primitive(*inputs))(*drawn(draw))
    return [float((out.asnumpy() * draw.state.randn(*out.shape)).sum())
            for out in (found if isinstance(found, tuple) else (found,))]


# observed: MindSpore 2.10, CPU
OBSERVED = {
    'AbsGrad': [6.13564],
    'ReluGrad': [1.0114],
    'ReLU6Grad': [1.28332],
    'HSigmoidGrad': [-0.698902],
    'HSwishGrad': [-3.09578],
    'SiLUGrad': [3.93039],
    'FastGeLUGrad': [2.6087],
    'SoftplusGrad': [1.94469],
    'HShrinkGrad': [0.836866],
    'SoftShrinkGrad': [-2.89833],
    'EluGrad': [4.53736],
    'ACosGrad': [0.348303],
    'AsinGrad': [-5.72995],
    'AtanGrad': [0.0214875],
    'SigmoidGrad': [0.381298],
    'TanhGrad': [-0.8729],
    'SqrtGrad': [-2.0443],
    'RsqrtGrad': [-0.0261594],
    'ReciprocalGrad': [-0.640589],
    'InvGrad': [0.391719],
    'AcoshGrad': [0.464936],
    'AsinhGrad': [1.00574],
    'LogitGrad': [-8.82837],
    'GeLUGrad': [-0.130335],
    'LogSoftmaxGrad': [-4.91567],
    'AvgPoolGrad': [2.14547],
    'MaxPoolGrad': [-0.432237],
    'MaxPool3DGrad': [5.83209],
    'MaxPoolGradWithArgmax': [4.62622],
    'AdaptiveMaxPool2DGrad': [-1.87054],
    'AdaptiveAvgPool2DGrad': [0.100053],
    'AdaptiveAvgPool3DGrad': [0.304106],
    'BinaryCrossEntropyGrad': [-0.000937425],
    'BinaryCrossEntropyGrad#2': [2.08636],
    'GatherDGradV2': [-1.21058],
    'GridSampler2DGrad': [1.74329, 57.3325],
    'GridSampler3DGrad': [1.25768, -8.32596],
    'KLDivLossGrad': [-0.00547683],
    'L2NormalizeGrad': [-0.39509],
    'LRNGrad': [0.121578],
    'MaskedSelectGrad': [-7.10108],
    'MaximumGrad': [1.35895, 2.38326],
    'MinimumGrad': [-0.389138, 0.546797],
    'MultiMarginLossGrad': [0.189524],
    'MvlgammaGrad': [-0.156229],
    'PReLUGrad': [2.7936, 1.81012],
    'SigmoidCrossEntropyWithLogitsGrad': [0.108835],
    'SliceGrad': [-0.484249],
    'SmoothL1LossGrad': [-2.40281],
    'BiasAddGrad': [7.04414],
    'BiasAddGrad#2': [5.20308],
    'Conv2DBackpropFilter': [-10.5592],
    'DropoutGrad': [-3.36079],
    'FlattenGrad': [2.52828],
    'GluGrad': [-0.166552],
    'LayerNormGrad': [-1.73797, 1.72913, 1.53064],
    'LayerNormGrad#2': [-0.790124, 0.385124, -0.0640884],
    'MirrorPadGrad': [-11.042],
    'MirrorPadGrad#2': [6.84032],
    'NLLLossGrad': [-0.0343822],
    'ROIAlignGrad': [2.66337],
    'ResizeBilinearGrad': [-1.0372],
    'ResizeBilinearGrad#2': [-6.83006],
    'ResizeNearestNeighborGrad': [-9.00921],
    'ResizeNearestNeighborGrad#2': [-1.29222],
    'StridedSliceGrad': [-0.894444],
    'StridedSliceGrad#2': [-0.465366],
    'TraceGrad': [-3.72878],
}


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit])
@pytest.mark.parametrize("name", CASES)
def test_a_gradient_is_that_of_the_original(name, wrap):
    assert projections(name, wrap) == pytest.approx(OBSERVED[name], rel=2e-4, abs=2e-5)


@pytest.mark.parametrize(("name", "forward", "at"), [
    ("SoftmaxGrad", lambda x: torch.softmax(x, -1), "result"), ("SeluGrad", torch.selu, "selu"),
    ("SoftMarginLossGrad", None, "loss"),
])
def test_a_gradient_that_the_original_has_on_other_devices_is_that_of_torch(name, forward, at):
    x, dout = [np.random.RandomState(n).randn(3, 4).astype(np.float32) for n in (1, 2)]
    leaf = torch.tensor(x, requires_grad=True)
    if at == "loss":
        label = np.where(dout > 0, 1, -1).astype(np.float32)
        torch.nn.functional.soft_margin_loss(leaf, torch.tensor(label)).mul(3).backward()
        found = G.SoftMarginLossGrad()(Tensor(x), Tensor(label), Tensor(3.0))
    else:
        out = forward(leaf)
        out.backward(torch.tensor(dout))
        given = Tensor(out.detach().numpy())
        found = G.SoftmaxGrad()(given, Tensor(dout)) if at == "result" else G.SeluGrad()(Tensor(dout), given)
    np.testing.assert_allclose(found.asnumpy(), leaf.grad.numpy(), rtol=2e-5, atol=1e-6)


def test_every_primitive_has_a_case():
    tried = {name.partition("#")[0] for name in CASES} | {"SoftmaxGrad", "SeluGrad", "SoftMarginLossGrad"}
    conv3d = {"Conv3DBackpropFilter"}
    assert tried | conv3d == set(_gradient_primitives.__all__)


def test_the_filter_gradient_of_a_convolution_in_three_dimensions():
    rng = np.random.RandomState(0)
    x, dout = rng.randn(2, 2, 4, 5, 6).astype(np.float32), rng.randn(2, 3, 3, 3, 5).astype(np.float32)
    weight = torch.zeros(3, 2, 2, 3, 2, requires_grad=True)
    torch.nn.functional.conv3d(torch.tensor(x), weight).backward(torch.tensor(dout))
    found = G.Conv3DBackpropFilter(3, (2, 3, 2))(Tensor(x), Tensor(dout), (3, 2, 2, 3, 2))
    np.testing.assert_allclose(found.asnumpy(), weight.grad.numpy(), rtol=1e-4, atol=1e-4)


def test_settings_and_inputs_have_the_names_of_their_rows():
    pool = G.MaxPoolGrad(kernel_size=2, strides=2)
    assert (pool.name, pool.attrs["kernel_size"], pool.pad_mode) == ("MaxPoolGrad", 2, "VALID")
    with pytest.raises(TypeError, match="stride"):
        G.MaxPoolGrad(stride=2)
    with pytest.raises(TypeError, match="x"):
        G.ReluGrad()(Tensor([1.0]))
