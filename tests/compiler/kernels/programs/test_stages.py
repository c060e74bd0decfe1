"""Every kind of stage against torch in float64: over extents, padding, numbers of samples and of threads."""
from __future__ import annotations

import random

import pytest
import torch
from native_programs import applied, exact, native, outside, program_of

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.programs import program as programs
from mindspore.operators.errors import Refused
from mindspore.operators.registry import REGISTRY

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
DRAWS = torch.Generator()


@pytest.fixture(params=[1, 3], autouse=True)
def threads(request, monkeypatch):
    """Shares every program out over so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    monkeypatch.setattr(programs.NativeProgram, "threads", lambda self, most: most)
    DRAWS.manual_seed(request.param)
    yield request.param
    torch.set_num_threads(before)


def normal(*shape):
    return torch.randn(shape, generator=DRAWS)


def near(found, wanted, scale=1.0):
    for f, w in zip(found, wanted, strict=True):
        assert f.shape == w.shape
        torch.testing.assert_close(f.double(), w.double(), rtol=1e-4, atol=3e-5 * scale)


def correlations():
    """Extents that differ in all that can differ: (samples, channels, height, width, outputs, kh, kw, padding)."""
    rng = random.Random(11)
    yield 32, 1, 12, 12, 6, 5, 5, (0, 0)
    yield 17, 6, 9, 11, 16, 5, 5, (0, 0)
    yield 2, 3, 4, 5, 7, 4, 5, (0, 0)
    for _ in range(9):
        kh, kw = rng.randint(1, 5), rng.randint(1, 5)
        ends = [rng.randint(0, 2) for _ in range(4)]
        h, w = rng.randint(max(1, kh - ends[0]), 13), rng.randint(max(1, kw - ends[2]), 13)
        yield rng.randint(2, 40), rng.randint(1, 9), h, w, rng.randint(1, 13), kh, kw, tuple(ends)


@pytest.mark.parametrize("extents", list(correlations()), ids=str)
def test_correlations(extents):
    n, c, h, w, o, kh, kw, padding = extents
    x, weight, bias = normal(n, c, h, w), normal(o, c, kh, kw), normal(o)
    attrs = {"stride": (1, 1), "padding": padding, "dilation": (1, 1), "groups": 1}
    (y,) = exact("Convolution", (x, weight, bias), **attrs)
    near(native("Convolution", (x, weight, bias), **attrs), [y])
    near(native("Convolution", (x, weight, None), **attrs), exact("Convolution", (x, weight, None), **attrs))
    dy = normal(*y.shape)
    for name in ("ConvolutionInputGrad", "ConvolutionWeightGrad", "ConvolutionAffineGrad"):
        near(native(name, (dy, x, weight), **attrs), exact(name, (dy, x, weight), **attrs), scale=10)


@pytest.mark.parametrize("padding", [(0, 0), (1, 2), (0, 1, 2, 0)])
def test_correlations_that_are_products_with_windows_elsewhere(padding):
    x, weight, bias = normal(19, 3, 7, 9), normal(5, 3, 3, 4), normal(5)
    wide = {"stride": (1, 1), "dilation": (1, 1), "groups": 1, "padding": padding}
    (y,) = exact("Convolution", (x, weight, bias), **wide)
    windows = torch.zeros(1)                     # never read
    nodes = [outside(t) for t in (x, weight, bias)]
    aside = applied("SampleWindows", (nodes[0],), window=(3, 4), padding=padding)
    node = applied("ConvolveWindows", (aside, *nodes), padding=padding)
    program, inputs = program_of([node], [node])
    assert inputs == nodes
    near(program(x, weight, bias), [y])
    dy = normal(*y.shape)
    near(native("WindowsInputGrad", (dy, x, weight), padding=padding),
         exact("ConvolutionInputGrad", (dy, x, weight), **wide), scale=10)
    real = REGISTRY["SampleWindows"].kernel(x, window=(3, 4), padding=padding)
    assert real.shape != windows.shape
    near(native("WindowsAffineGrad", (dy, real, x, weight), padding=padding),
         exact("ConvolutionAffineGrad", (dy, x, weight), **wide), scale=10)


@pytest.mark.parametrize(("window", "stride"), [((2, 2), (2, 2)), ((3, 2), (2, 3)), ((2, 3), (1, 2)), ((2, 1), (3, 2))])
@pytest.mark.parametrize("extents", [(5, 3, 6, 6), (33, 2, 7, 9), (16, 4, 4, 5)])
def test_maxima_and_what_reaches_them(window, stride, extents):
    attrs = {"window": window, "stride": stride, "padding": (0, 0), "dilation": (1, 1), "ceil_mode": False}
    x = normal(*extents)
    x[0, 0, 1, 1] = float("nan")
    x[1] = x[1].round()                                                   # equal maxima
    x[2, 1] = float("-inf")
    of = outside(x)
    y = applied("MaxPool", (of,), **attrs)
    dy = outside(normal(*y.items[0].shape))
    given = normal(*dy.shape)
    dx = applied("MaxPoolGrad", (dy, y.items[1]), shape=tuple(x.shape), **attrs)
    program, inputs = program_of([y, dx], [y.items[0], dx])
    found = program(*[x if n is of else given for n in inputs])
    wanted, places = REGISTRY["MaxPool"].kernel(x, **attrs)
    assert torch.equal(found[0].nan_to_num(7.0), wanted.nan_to_num(7.0))
    torch.testing.assert_close(found[1], REGISTRY["MaxPoolGrad"].kernel(given, places, shape=tuple(x.shape), **attrs))


@pytest.mark.parametrize(("m", "k", "n"), [(1, 3, 2), (5, 1, 4), (33, 17, 9), (200, 31, 70), (64, 40, 200)])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_products(m, k, n, turned):
    a, c = normal(*((k, m) if turned[0] else (m, k))), normal(*((n, k) if turned[1] else (k, n)))
    attrs = {"transpose_a": turned[0], "transpose_b": turned[1]}
    near(native("MatMul", (a, c), **attrs), exact("MatMul", (a, c), **attrs), scale=5)


@pytest.mark.parametrize("lead", [(7,), (3, 5), (2, 1, 4)])
@pytest.mark.parametrize("bias", [True, False])
def test_affine_maps(lead, bias):
    given = (normal(*lead, 6), normal(11, 6), normal(11) if bias else None)
    near(native("Dense", given), exact("Dense", given))


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy(reduction):
    x, labels = normal(13, 7) * 4, torch.randint(0, 7, (13,), generator=DRAWS, dtype=torch.int32)
    near(native("SparseCrossEntropy", (x, labels), reduction=reduction),
         exact("SparseCrossEntropy", (x, labels), reduction=reduction))


def test_a_label_that_is_too_large_is_the_operators_error():
    labels = torch.tensor([0, 7, 1], dtype=torch.int32)
    with pytest.raises(Refused) as found:
        native("SparseCrossEntropy", (normal(3, 7), labels), reduction="mean")
    assert "7 is out of bounds" in str(found.value.__cause__)


@pytest.mark.parametrize("name", ["MomentumStep", "AdamStep"])
def test_steps_of_optimizers(name):
    shapes = [(3,), (5, 7), (40, 41), ()]
    columns = 3 if name == "MomentumStep" else 4
    tensors = [normal(*s).abs() for _ in range(columns) for s in shapes]
    numbers = [torch.tensor(0.1), torch.tensor([0.9])][:2 if name == "MomentumStep" else 1]
    attrs = {"nesterov": True} if name == "MomentumStep" else {"beta1": 0.9, "beta2": 0.99, "eps": 1e-6, "decay": 0.01}
    near(native(name, (*numbers, *tensors), **attrs), exact(name, (*numbers, *tensors), **attrs))
