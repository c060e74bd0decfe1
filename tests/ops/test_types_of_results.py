"""Types and values of results for operands of mixed or rare types, against NumPy, torch and formulas.

Types that NumPy and torch give otherwise are those observed under MindSpore 2.10 on the CPU.
"""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn, ops

INTS = ms.int8, ms.int16, ms.int32, ms.int64
COMPLEX = np.array([[2, 1j, 0.5], [1, 3 - 1j, -2j]], np.complex64)


@pytest.mark.parametrize("first", [ms.float16, ms.float32, ms.float64, *INTS, ms.uint8])
@pytest.mark.parametrize("second", [ms.float16, ms.float64, ms.int32])
def test_copysign_has_the_type_of_its_first_operand(first, second):
    found = ops.copysign(Tensor([1, 2, 3], first), Tensor([-1, 0, 5], second))
    assert found.dtype is (first if first.is_floating else ms.float32)
    assert found.tolist() == [-1, 2, 3]


def test_copysign_of_complex_numbers_is_refused():
    with pytest.raises(TypeError):
        ops.copysign(Tensor([1.0]), Tensor(np.ones(1, np.complex64)))


@pytest.mark.parametrize(("dtype", "wanted"), [
    (ms.float16, ms.float32), (ms.float32, ms.float32), (ms.float64, ms.float64), (ms.int8, ms.int32),
    (ms.uint8, ms.int32), (ms.int32, ms.int32), (ms.int64, ms.int64)])
def test_numbers_of_elements_do_not_overflow(dtype, wanted):
    found = ops.histc(Tensor(np.repeat([1, 2], [3000, 500]), dtype), 2, 1.0, 2.0)
    assert found.dtype is wanted
    assert found.tolist() == [3000, 500]


def test_elements_that_have_no_order_have_no_histogram():
    with pytest.raises(TypeError, match="must hold real numbers"):
        ops.histc(Tensor([True, False]), 2)


@pytest.mark.parametrize("dtype", [*INTS, ms.float16, ms.float32])
def test_a_bool_counts_as_a_number_in_squared_differences(dtype):
    for found in (ops.SquaredDifference()(True, Tensor([3, 1], dtype)),
                  ops.SquaredDifference()(Tensor([3, 1], dtype), True)):
        assert found.dtype is dtype
        assert found.tolist() == [4, 0]


def test_stop_gradient_takes_whatever_holds_tensors():
    stop = ops.StopGradient()
    assert (stop(1), stop(None), stop("x")) == (1, None, "x")

    def product(x):
        one, (two,) = stop([x, (x * x,)])
        return x * one * two

    for run in (product, ms.jit(product)):
        assert float(ms.grad(run)(Tensor(3.0))) == 27       # of x * 3 * 9


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
@pytest.mark.parametrize("weight", ["float16", "float32", "float64"])
def test_a_loss_has_the_common_type_of_probabilities_and_weights(kind, weight):
    logp, w = torch.log_softmax(torch.arange(12.0, dtype=torch.float64).reshape(4, 3) % 5, 1), torch.tensor([1, 2, 0.5])
    common = torch.promote_types(getattr(torch, kind), getattr(torch, weight))
    wanted = torch.nn.functional.nll_loss(logp, torch.tensor([0, 2, 1, 1]), w.double())
    ours = Tensor(logp.numpy()).astype(getattr(ms, kind)), Tensor([0, 2, 1, 1], ms.int32), Tensor(w.numpy()).astype(
        getattr(ms, weight))
    for found in (ops.nll_loss(*ours), nn.NLLLoss(ours[2])(*ours[:2]), ops.cross_entropy(*ours)):
        assert str(found.dtype).lower() == str(common).removeprefix("torch.")
        assert float(found) == pytest.approx(float(wanted), rel=2e-3 if "float16" in (kind, weight) else 1e-6)


@pytest.mark.parametrize("ord", [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_norms_of_complex_matrices(ord):
    wanted = np.linalg.norm(COMPLEX, ord)
    for function in (lambda x: ops.norm(x, ord), lambda x: ops.matrix_norm(x, ord or "fro")):
        plain, compiled = function(Tensor(COMPLEX)), ms.jit(function)(Tensor(COMPLEX))
        assert plain.dtype is compiled.dtype
        for found in (plain, compiled):
            assert found.asnumpy() == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("ord", [0, 1, 2, 3, np.inf, -np.inf])
def test_norms_of_complex_vectors(ord):
    wanted = np.linalg.norm(COMPLEX, ord, 1)
    for found in (ops.norm(Tensor(COMPLEX), ord, 1), ops.vector_norm(Tensor(COMPLEX), ord, 1)):
        assert found.asnumpy() == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("dtype", INTS)
def test_whole_numbers_to_negative_powers(dtype):
    found = Tensor([3, 1, -1, -1, 5, 0], dtype) ** Tensor([-1, -7, -2, -3, 2, 0], dtype)
    assert found.dtype is dtype
    assert found.tolist() == [0, 1, 1, -1, 25, 1]
    power = Tensor([2, -1], dtype)
    for run in (lambda a, b: a ** b, ms.jit(lambda a, b: a ** b), lambda a, b: ops.pow(0, b)):
        with pytest.raises(ValueError, match="divided by zero"):
            run(Tensor([2, 0], dtype), power)


@pytest.mark.parametrize("alpha", [0.2, 0.5, 1, 2, 2.7])
def test_leaky_relu_of_integers_has_the_whole_parts(alpha):
    x = np.array([-10, -3, 0, 4])
    found = nn.LeakyReLU(alpha)(Tensor(x, ms.int32))
    assert found.dtype is ms.int32
    assert found.tolist() == [int(v) if v > 0 else int(np.float32(alpha) * np.float32(v)) for v in x]


@pytest.mark.parametrize("dtype", [*INTS, ms.uint8, ms.uint16, ms.uint32])
def test_sums_of_products_of_integers_are_int64_but_for_long_unsigned_ones(dtype):
    a, b, c = np.arange(12).reshape(2, 2, 3), np.arange(12).reshape(2, 3, 2) % 5, np.array([[1, 2], [3, 4]])
    found = ops.addbmm(*[Tensor(x, dtype) for x in (c, a, b)])
    assert found.dtype is (dtype if dtype in (ms.uint16, ms.uint32) else ms.int64)
    assert found.tolist() == (c + (a @ b).sum(0)).astype(str(dtype).lower()).tolist()


def test_weights_that_are_bools_are_counted():
    found = ops.bincount(Tensor([0, 1, 1], ms.int32), Tensor([True, True, True]))
    assert found.tolist() == np.bincount([0, 1, 1], [True, True, True]).tolist() == [1, 2]


@pytest.mark.parametrize("target", [ms.int32, ms.int64, ms.float16, ms.float32])
def test_whole_targets_do_not_lift_the_type_of_a_loss(target):
    x, y = torch.tensor([[1.0, 2.0, -1.0]]), torch.tensor([[1.0, 0.0, 1.0]])
    found = ops.multilabel_soft_margin_loss(Tensor(x.numpy(), ms.float16), Tensor(y.numpy(), target))
    assert found.dtype is (ms.float32 if target is ms.float32 else ms.float16)
    assert float(found) == pytest.approx(torch.nn.functional.multilabel_soft_margin_loss(x, y).item(), rel=2e-3)


@pytest.mark.parametrize("layer", [nn.AvgPool2d, nn.MaxPool2d])
def test_pooling_layers_take_their_padding_as_a_list(layer):
    x = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
    for padding in ([1, 0], [1]):
        got, want = (layer(2, padding=p, pad_mode="pad")(x) for p in (padding, tuple(padding)))
        assert got.tolist() == want.tolist()


@pytest.mark.parametrize("kinds", [("int32", "uint32"), ("int64", "uint64"), ("uint8", "uint16")])
def test_quotients_of_signed_and_unsigned_integers(kinds):
    x, y = np.array([1, 2, 3], kinds[0]), np.array([2, 1, 2], kinds[1])
    for divide in (ms.numpy.divide, ms.numpy.true_divide):
        found = divide(Tensor(x), Tensor(y))
        assert found.dtype is ms.float32
        assert found.tolist() == (x / y).tolist()


def test_edges_that_are_given_keep_their_type():
    count, edges = ms.numpy.histogram(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 4], ms.int64))
    assert (count.tolist(), edges.dtype, edges.tolist()) == ([0, 3], ms.int64, [0, 1, 4])


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("dtype", [ms.int32, ms.int64, ms.uint32, ms.uint64])
def test_quotients_of_whole_numbers_are_exact(dtype):
    high = 2 ** (31 if dtype is ms.int32 else 32 if dtype is ms.uint32 else 63 if dtype is ms.int64 else 64) - 1
    x, y = [[16777217, 123456789, high, high, 7], [1, 1, 1, 3, 2]]
    found = ms.jit(lambda x, y: ops.RealDiv()(x, y))(Tensor(x, dtype), Tensor(y, dtype))
    assert found.dtype is dtype
    assert found.tolist() == [a // b for a, b in zip(x, y, strict=True)]
    assert ops.RealDiv()(Tensor(x, dtype), Tensor(y, dtype)).tolist() == found.tolist()


@pytest.mark.parametrize("way", [lambda f: f, ms.jit], ids=["plain", "compiled"])
def test_whole_numbers_over_zero_are_refused(way):
    with pytest.raises(ValueError, match="divided by zero"):
        way(lambda x, y: ops.RealDiv()(x, y))(Tensor([1, 2]), Tensor([1, 0]))


@pytest.mark.parametrize("way", [lambda f: f, ms.jit], ids=["plain", "compiled"])
def test_masks_of_bytes_are_refused(way):
    x, mask = Tensor([1.0, 2.0]), Tensor([0, 255], ms.uint8)
    for call in (lambda x, mask: ops.MaskedFill()(x, mask, 2.0), lambda x, mask: ops.Select()(mask, x, x)):
        with pytest.raises(TypeError, match="must be a tensor of bools"):
            way(call)(x, mask)


@pytest.mark.parametrize("primitive", [ops.Argmax, ops.Argmin])
def test_places_of_extremes_are_along_one_axis(primitive):
    with pytest.raises(TypeError, match="'axis' must be an int"):
        primitive(axis=None)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("held", "value"), [(ms.int32, 0.5), (ms.bool_, 1.5), (ms.float32, 1j)])
def test_what_a_parameter_cannot_hold_is_not_assigned(held, value):
    variable = ms.Parameter(Tensor([1, 0], held), name="variable")
    with pytest.raises(TypeError, match="cannot be converted"):
        ms.jit(lambda x: ops.assign(variable, x))(Tensor([value, value]))
    with pytest.raises(TypeError, match="cannot be converted"):
        ops.assign(variable, Tensor([value, value]))
    assert variable.tolist() == [1, 0]


@pytest.mark.usefixtures("both_modes")
def test_sums_of_both_halves_have_the_type_of_the_parameter():
    variable = ms.Parameter(Tensor([1, 2], ms.float16), name="variable")
    step = ms.jit(lambda x: (ops.assign_add(variable, x), ops.assign_sub(variable, x * 2)))
    more, less = step(Tensor([0.5, 0.25], ms.bfloat16))
    assert more.dtype is less.dtype is ms.float16
    assert more.tolist() == [1.5, 2.25]
    assert less.tolist() == variable.tolist() == [0.5, 1.75]


def test_lists_of_numbers_on_either_side_of_two_to_the_63_are_exact():
    for numbers in ([2 ** 63], [1, 2 ** 64 - 1], [[0, 2 ** 63 + 5]]):
        assert Tensor(numbers, ms.uint64).tolist() == numbers
    assert Tensor([2 ** 63]).dtype is Tensor(2 ** 63).dtype is ms.uint64       # observed in the original
    assert Tensor(2 ** 64 - 1).tolist() == 2 ** 64 - 1
