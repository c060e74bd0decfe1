"""Generated kernels against torch's, over shapes, threads, special values and layouts."""
from __future__ import annotations

import math

import pytest
import torch
from layout_samples import MORE, normal
from loop_reference import computed, elements
from operator_samples import as_tuple, drawn

from mindspore.compiler.kernels import available, generated, planned
from mindspore.core.dtype import float32
from mindspore.operators import loops
from mindspore.operators.loops import Element
from mindspore.operators.registry import REGISTRY

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")

ROWS, COLUMNS = 37, 1001           # neither is a multiple of anything that kernels count in
LOOPED = [op for op in REGISTRY.values() if op.loop_rule]
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in LOOPED
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ())])]
LABELS = torch.randint(0, COLUMNS, (ROWS,), generator=torch.Generator().manual_seed(4))
LARGE = {
    "LayerNorm": [(ROWS, COLUMNS), (COLUMNS,), (COLUMNS,)],
    "LayerNormGrad": [(ROWS, COLUMNS), (ROWS, COLUMNS), (COLUMNS,), (COLUMNS,), (ROWS, 1), (ROWS, 1)],
    "Softmax": [(ROWS, COLUMNS)], "SoftmaxGrad": [(ROWS, COLUMNS)] * 2,
    "LogSoftmax": [(ROWS, COLUMNS)], "LogSoftmaxGrad": [(ROWS, COLUMNS)] * 2,
    "SparseCrossEntropyGrad": [(), (ROWS, COLUMNS), LABELS],
}


def inputs_of(*shapes, seed=5):
    draws = torch.Generator().manual_seed(seed)
    return [s if isinstance(s, torch.Tensor) else torch.randn(s, generator=draws) for s in shapes]


def kernel_of(op, inputs, attrs=()):
    found = op.loop_rule(*elements(inputs), **{**op.attrs, **dict(attrs)})
    return generated(found if isinstance(found, tuple) else (found,)) if found is not None else None


def close(found, wanted, exact):
    """Within a few roundings of float32 of the exact result."""
    floating = found.is_floating_point()
    torch.testing.assert_close(found.double() if floating else found, exact.double() if floating else wanted,
                               rtol=2e-5, atol=2e-5, equal_nan=True)


def compared(op, inputs, attrs=()):
    """The kernel's results, compared with torch's in float64."""
    kernel = kernel_of(op, inputs, attrs)
    if kernel is None:
        return None
    found = kernel(*inputs)
    wide = [x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in inputs]
    wanted, exact = [as_tuple(op.kernel(*xs, **dict(attrs))) for xs in (inputs, wide)]
    for f, w, e in zip(found, wanted, exact, strict=True):
        assert (f.shape, f.dtype) == (w.shape, w.dtype)
        close(f, w, e)
    return kernel


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_a_kernel_of_one_operator(op, sample):
    inputs, attrs = drawn(sample, torch.float32)
    if compared(op, inputs, attrs) is None:
        pytest.skip("the elements do not lie over rows and columns")


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_rows_are_shared_out_over_threads(name, threads, choosing):
    choosing(kernel_alone=0.0)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        kernel = compared(REGISTRY[name], inputs_of(*LARGE[name]))
        assert kernel is not None
        assert kernel.shared
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (16,), (17,), (33, 129), (1, 5), (5, 1), (0, 4), (4, 0)])
@pytest.mark.parametrize("threads", [1, 2])
def test_extents_that_are_no_multiples_of_a_vector(shape, threads, choosing):
    choosing(kernel_alone=0.0)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        x, y = inputs_of(shape, shape)
        a, b = elements([x, y])
        kernel = generated([a * b + loops.exp(a), loops.compare("gt", a, b)])
        first, second = kernel(x, y)
        torch.testing.assert_close(first, x * y + x.exp())
        assert torch.equal(second, x > y)
    finally:
        torch.set_num_threads(before)


FUNCTIONS = {"exp": (torch.exp, 1.0), "log": (torch.log, 1.0), "tanh": (torch.tanh, 5.0), "erf": (torch.erf, 7.0),
             "sigmoid": (torch.sigmoid, 3.0), "rsqrt": (torch.rsqrt, 2.0), "sqrt": (torch.sqrt, 0.5)}


def test_functions_are_as_exact_as_they_say():
    """Over a million float32 of all magnitudes, in units of the last place of the exact result."""
    bits = torch.randint(0, 1 << 32, (1 << 20,), generator=torch.Generator().manual_seed(9))
    x = bits.to(torch.int32).view(torch.float32)
    x = torch.cat([x, torch.randn(1 << 18, generator=torch.Generator().manual_seed(10)) * 5])
    (a,) = elements([x])
    for name, (function, bound) in FUNCTIONS.items():
        (found,) = generated([getattr(loops, name)(a)])(x)
        exact = function(x.double())
        normal_result = exact.abs().ge(2.0 ** -126) & exact.abs().le(torch.finfo(torch.float32).max)
        unit = torch.exp2(torch.floor(torch.log2(exact.abs())) - 23)
        worst = ((found.double() - exact).abs() / unit)[normal_result].max().item()
        assert worst <= bound + 0.05, (name, worst)
        assert torch.equal(found.isnan(), function(x).isnan()), name


SPECIAL = torch.tensor([0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, -1e-45, 3e38, -3e38, 1.0, -1.0, 88.8, -104.0])


UNARY = [op for op in LOOPED if len(op.inputs) == 1 and op.attrs.keys() <= {"approximate", "axis"}]


@pytest.mark.parametrize("op", UNARY, ids=lambda op: op.name)
def test_special_values_of_one_operand(op):
    kernel = kernel_of(op, [SPECIAL])
    (found,), wanted = kernel(SPECIAL), op.kernel(SPECIAL)
    torch.testing.assert_close(found, wanted, equal_nan=True, rtol=1e-6, atol=1.2e-38)


@pytest.mark.parametrize("name", ["Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Greater", "GreaterEqual",
                                  "Less", "LessEqual", "Equal", "NotEqual", "ReluGrad"])
def test_special_values_of_two_operands(name):
    x, y = [t.reshape(-1).contiguous() for t in torch.meshgrid(SPECIAL, SPECIAL, indexing="ij")]
    op = REGISTRY[name]
    (found,), wanted = kernel_of(op, [x, y])(x, y), op.kernel(x, y)
    torch.testing.assert_close(found, wanted, equal_nan=True, rtol=0, atol=0)


def test_nan_in_a_row_is_in_all_of_its_softmax():
    x = torch.randn(5, 40)
    x[1, 39] = math.nan
    x[3] = -math.inf
    (found,) = kernel_of(REGISTRY["Softmax"], [x])(x)
    torch.testing.assert_close(found, torch.softmax(x, -1), equal_nan=True)


def test_a_kernel_of_several_operators():
    """Bias, GELU, residual, layer normalisation, and the sum of all rows, in one."""
    x, r, bias, gamma, beta = inputs_of((4, 9, 50), (4, 9, 50), (50,), (50,), (50,))
    a, b, c, g, h = elements([x, r, bias, gamma, beta])
    inner = REGISTRY["GeLU"].loop_rule(a + c, approximate="tanh") + b
    normal_, mean, scale = REGISTRY["LayerNorm"].loop_rule(inner, g, h, epsilon=1e-5)
    total = loops.shaped(loops.total(inner, [0, 1]), (50,))
    kernel = generated([inner, normal_, mean, scale, total])
    want = torch.nn.functional.gelu(x + bias, approximate="tanh") + r
    found = kernel(x, r, bias, gamma, beta)
    for f, w in zip(found, [want, *torch.native_layer_norm(want, (50,), gamma, beta, 1e-5), want.sum((0, 1))],
                    strict=True):
        torch.testing.assert_close(f, w, rtol=2e-5, atol=2e-5)


def test_results_may_take_the_memory_of_inputs_that_are_read_before():
    x, y = inputs_of((33, 70), (33, 70))
    kernel = kernel_of(REGISTRY["Add"], [x, y])
    assert kernel.overwritable == [[0, 1]]
    want = x + y
    (found,) = kernel(x, y, into=(1,))
    assert found is y
    assert torch.equal(y, want)
    normal_ = kernel_of(REGISTRY["LayerNorm"], inputs_of((33, 70), (70,), (70,)))
    assert normal_.overwritable == [[0], [], []]
    a, b = elements([x, y])
    early = loops.exp(a)                   # stored in the first pass; the second reads `a` again
    assert generated([early, b * loops.total(early, [1]) + a]).overwritable[0] == []


def test_tensors_that_lie_alike_need_not_lie_row_by_row():
    x, y = [t.permute(1, 2, 0) for t in inputs_of((4, 5, 6), (4, 5, 6))]
    kernel = kernel_of(REGISTRY["Mul"], [x, y])
    (found,) = kernel(x, y)
    assert found.stride() == x.stride()
    torch.testing.assert_close(found, x * y)
    torch.testing.assert_close(kernel(x, y.contiguous())[0], x * y)
    torch.testing.assert_close(kernel(x[:, :, ::1], y.expand(5, 6, 4))[0], x * y)


def test_what_does_not_lie_over_rows_and_columns_has_no_plan():
    (x,) = elements([torch.ones(4, 5, 6)])
    assert planned([loops.total(x, [1])]) is None
    assert planned([loops.total(loops.total(x, [2]), [1])]) is None
    assert planned([x + Element("input", (), (4, 1, 6), x.dtype, 1)]) is None
    assert planned([loops.total(x, [0, 1]) + x]) is None       # a sum of all rows is known at the end


def test_labels_pick_columns():
    inputs = [torch.tensor(0.7), normal(ROWS, 10).float().log_softmax(1), LABELS % 10]
    want = REGISTRY["SparseCrossEntropyGrad"].kernel(*inputs)
    (found,) = kernel_of(REGISTRY["SparseCrossEntropyGrad"], inputs)(*inputs)
    torch.testing.assert_close(found, want, rtol=1e-5, atol=1e-6)


def test_the_reference_of_these_tests_computes_reductions():
    x = torch.randn(3, 4)
    (a,) = elements([x])
    torch.testing.assert_close(computed(loops.mean(a, [1]), [x]), x.mean(1, keepdim=True))


@pytest.mark.parametrize(("word", "axis", "fits"), [
    ("sum", 0, True), ("sum", 1, True), ("max", 0, False), ("max", 1, True)])
def test_over_rows_there_are_sums_only(word, axis, fits):
    x = Element("input", (), (4, 5), float32, 0)
    assert (planned([Element(word, (x,), ((5,), (4,))[axis], float32, (axis,))]) is not None) == fits


def test_a_number_for_all_does_not_leave_beside_a_row():
    """It has memory for one element, and one long row is written in vectors."""
    x, step = Element("input", (), (40,), float32, 0), Element("input", (), (1,), float32, 1)
    rate = step * 0.5
    assert planned([x - x * rate]) is not None
    assert planned([rate, x - x * rate]) is None


def test_what_follows_from_the_only_row_is_computed_before_its_columns():
    """The logarithm of the sum of a single row is one value for all, known in the second pass."""
    x = torch.randn(1, 50, generator=torch.Generator().manual_seed(3))
    e = Element("input", (), (1, 50), float32, 0)
    kernel = generated([e - loops.log(loops.total(loops.exp(e), [1]))])
    assert kernel is not None
    torch.testing.assert_close(kernel(x)[0], torch.log_softmax(x, 1))


def test_a_sum_of_all_rows_leaves_in_another_shape_only():
    """What is computed from it would need it before the last row is known."""
    e = Element("input", (), (6, 3), float32, 0)
    whole = loops.shaped(loops.total(e, [0]), (3,))
    assert planned([whole]) is not None
    assert planned([e * loops.shaped(whole * 2.0, (1, 3))]) is None
