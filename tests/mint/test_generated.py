"""Primitives and functions of `mindspore.ops.auto_generate`, against torch."""
from __future__ import annotations

import importlib
import inspect

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor
from mindspore.ops import auto_generate
from mindspore.ops.auto_generate import gen_ops_def, gen_ops_prim

X = np.linspace(0.1, 0.9, 12, dtype=np.float32).reshape(3, 4)
Y = np.cos(np.arange(12, dtype=np.float32)).reshape(3, 4)
IMAGE = np.sin(np.arange(32, dtype=np.float32)).reshape(1, 2, 4, 4)
PLACES = np.array([2, 0])

CASES = {
    "AcosExt": ((X,), torch.acos),
    "AddExt": ((X, Y, 2), lambda x, y, a: torch.add(x, y, alpha=a)),
    "AddmmExt of Addmm": ((X[:, :3], X, Y.T, 2.0, 0.5),
                          lambda x, a, b, beta, alpha: torch.addmm(x, a, b, beta=beta, alpha=alpha)),
    "ArgMaxExt": ((Y, 1), torch.argmax),
    "AvgPool2D": ((IMAGE, (2, 2), (2, 2)), torch.nn.functional.avg_pool2d),
    "Chunk": ((X, 2, 1), torch.chunk),
    "ClampScalar": ((Y, -0.5, 0.5), torch.clamp),
    "CumsumExt": ((Y, 1), torch.cumsum),
    "DivMod": ((X, Y, "floor"), lambda x, y, mode: torch.div(x, y, rounding_mode=mode)),
    "EluGradExt": ((Y, X, 1.0, False), lambda d, x, a, r: d),
    "FFT": ((Y,), torch.fft.fft),
    "FlattenExt": ((X,), torch.flatten),
    "GeluExt": ((Y,), torch.nn.functional.gelu),
    "Im2ColExt": ((IMAGE, (2, 2)), torch.nn.functional.unfold),
    "IndexSelect": ((X, 0, PLACES), torch.index_select),
    "InplaceAddExt": ((X, Y), torch.add),
    "InplaceReLU": ((Y,), torch.relu),
    "LayerNormExt": ((X, (4,)), lambda x, n: torch.native_layer_norm(x, n, None, None, 1e-5)),
    "LogSumExp": ((X, (1,)), torch.logsumexp),
    "MSELossGradExt": ((np.float32(1), X, Y), lambda d, x, y: 2 * (x - y) / x.numel()),
    "MaxDim": ((Y, 1), torch.max),
    "MeanExt": ((X, (1,), True), torch.mean),
    "Mm": ((X, Y.T), torch.mm),
    "NarrowView": ((X, 1, 1, 2), torch.narrow),
    "PowTensorScalar": ((X, 3), torch.pow),
    "ReflectionPad1D": ((X, (1, 2)), lambda x, p: torch.nn.functional.pad(x, p, "reflect")),
    "RemainderTensorScalar": ((Y, 0.3), torch.remainder),
    "SelectExtView": ((X, 1, 2), torch.select),
    "SoftmaxBackward": ((X, Y, 1), lambda d, y, dim: torch._softmax_backward_data(d, y, dim, torch.float32)),
    "SortExt": ((Y, 1, True), torch.sort),
    "SplitWithSize": ((X, (1, 3), 1), torch.split),
    "SumExt": ((X, (0,)), torch.sum),
    "SwigluGrad": ((X, np.concatenate([X, Y], 1)), None),
    "TopkExt": ((Y, 2), torch.topk),
    "TraceExt": ((X[:, :3],), torch.trace),
    "UpsampleBilinear2D": ((IMAGE, (6, 8)), lambda x, s: torch.nn.functional.interpolate(x, s, mode="bilinear")),
    "UpsampleNearest2DGrad": ((np.ones((1, 1, 4, 4), np.float32), (1, 1, 2, 2), (4, 4)),
                              lambda d, *_: torch.full((1, 1, 2, 2), 4.0)),
    "VarMean": ((Y, (1,)), torch.var_mean),
}


def swiglu_gradient(d, both):
    both = both.requires_grad_()
    left, right = both.chunk(2, -1)
    (torch.nn.functional.silu(left) * right).backward(d)
    return both.grad


def taken(values, make):
    return [make(v.copy()) if isinstance(v, (np.ndarray, np.generic)) else v for v in values]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("name", CASES)
def test_primitives_give_what_torch_gives(name):
    values, judge = CASES[name]
    kind = getattr(gen_ops_prim, name.split()[-1])
    found = ms.jit(lambda *v: kind()(*v))(*taken(values, Tensor))
    wanted = (judge or swiglu_gradient)(*taken(values, torch.tensor))
    pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]
    for here, there in pairs:
        np.testing.assert_allclose(here.asnumpy(), there.detach().numpy(), rtol=1e-5, atol=1e-6)


def test_each_has_a_function_and_a_ready_primitive():
    x = Tensor(X)
    assert gen_ops_def.sum_ext(x, dim=(1,)).tolist() == gen_ops_prim.sum_ext_op(x, (1,)).tolist()
    assert auto_generate.relu_op(Tensor([-1.0, 2.0])).tolist() == [0, 2]
    assert gen_ops_prim.mm_ext_op.name == "Mm"
    assert str(inspect.signature(gen_ops_prim.SumExt.__call__)) == "(self, input, dim=None, keepdim=False, dtype=None)"
    assert not hasattr(gen_ops_prim, "no_such_op")


def test_attributes_of_those_that_have_some_are_kept():
    stack = gen_ops_prim.StackExt(dim=1)
    assert stack.dim == 1
    assert stack((Tensor([1, 2]), Tensor([3, 4]))).tolist() == [[1, 3], [2, 4]]
    assert ms.grad(lambda x: gen_ops_prim.SumExt()(x * x))(Tensor([3.0])).tolist() == [6]


def test_what_is_drawn_depends_on_seed_and_offset_only():
    draw = gen_ops_prim.RandExt()
    first, again, other = [draw((3,), 5, offset).tolist() for offset in (0, 0, 1)]
    assert first == again != other


def test_kernels_of_an_npu_say_so():
    with pytest.raises(NotImplementedError, match="kernel of an NPU"):
        auto_generate.GroupedMatmulV4()


@pytest.mark.parametrize("path", ["array_func", "math_func", "nn_func", "random_func"])
def test_functions_with_torchs_arguments_are_those_of_mint(path):
    module = importlib.import_module(f"mindspore.ops.function.{path}")
    assert module.std_ext is ms.mint.std
    assert module.cross_entropy_ext is ms.mint.nn.functional.cross_entropy


@pytest.mark.parametrize("draw", [
    lambda g: ms.mint.rand(3, generator=g), lambda g: ms.mint.normal(0.0, 1.0, (3,), g),
    lambda g: ms.mint.randint(0, 1000, (3,), generator=g), lambda g: Tensor([1.0, 2.0]).uniform_(generator=g),
    lambda g: ms.mint.multinomial(Tensor([0.5] * 9), 4, generator=g),
], ids=["rand", "normal", "randint", "uniform_", "multinomial"])
def test_a_generator_of_ones_own_draws_and_leaves_the_common_one_alone(draw):
    ms.manual_seed(1)
    wanted = ms.mint.rand(2).tolist()
    ms.manual_seed(1)
    own = ms.Generator().manual_seed(7)
    first, second = draw(own).tolist(), draw(own).tolist()
    assert first != second
    assert ms.mint.rand(2).tolist() == wanted
    own.manual_seed(7)
    assert draw(own).tolist() == first
    ms.manual_seed(7)
    assert draw(ms.default_generator).tolist() == first
    with pytest.raises(TypeError, match="must be a Generator or None"):
        draw(3)
