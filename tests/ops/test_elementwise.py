"""Functions of elements, promotion of types, clamping and norms."""
from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

V = np.array([1.0, -2.0, 3.0], np.float32)


def vector():
    return Tensor(V)


def close(found, wanted, rtol=1e-6):
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=rtol, atol=1e-6)


# ---------------------------------------------------------------------- promotion

@pytest.mark.parametrize(("a", "b", "wanted"), [
    ("bool_", "int8", "int8"), ("uint8", "int8", "int16"), ("int64", "float16", "float16"),
    ("float16", "bfloat16", "float32"), ("float32", "float64", "float64"),
    ("float32", "complex64", "complex64"), ("bool_", "uint32", "uint32"),
])
def test_two_tensors_meet_in_a_common_type(a, b, wanted):   # observed: MindSpore 2.10, CPU
    x, y = [Tensor([1], getattr(ms, t)) for t in (a, b)]
    assert (x + y).dtype.name == wanted
    assert (y + x).dtype.name == wanted


@pytest.mark.parametrize(("dtype", "number", "wanted"), [
    ("bool_", 1, "int64"), ("int8", 1, "int8"), ("int32", 1.5, "float32"), ("float16", 1.5, "float16"),
    ("float32", 1j, "complex64"), ("float64", 1j, "complex128"), ("int32", True, "int32"),
])
def test_a_python_number_lifts_only_a_lower_kind(dtype, number, wanted):
    assert (Tensor([1], getattr(ms, dtype)) * number).dtype.name == wanted
    assert (number + Tensor([1], getattr(ms, dtype))).dtype.name == wanted


def test_a_tensor_without_dimensions_does_not_widen_a_product():   # observed: MindSpore 2.10, CPU
    half, single = Tensor([1.0], ms.float16), Tensor(2.0, ms.float32)
    assert (half * single).dtype is ms.float16
    assert (half / single).dtype is ms.float16
    assert (half + single).dtype is ms.float32


def test_signed_and_wide_unsigned_integers_do_not_meet():
    with pytest.raises(TypeError, match="no implicit conversion"):
        Tensor([1], ms.int32) + Tensor([1], ms.uint32)


@pytest.mark.parametrize("dtype", [ms.uint16, ms.uint32, ms.uint64])
def test_wide_unsigned_integers_compute(dtype):
    x = Tensor([1, 5, 3], dtype)
    assert (x * x).asnumpy().tolist() == [1, 25, 9]
    assert (x > 2).asnumpy().tolist() == [False, True, True]
    assert ops.sum(x).dtype is dtype
    assert ms.jit(lambda a: a + a)(x).asnumpy().tolist() == [2, 10, 6]


def test_inversion_is_logical():   # observed: MindSpore 2.10, CPU
    assert (~Tensor([1, 0])).asnumpy().tolist() == [False, True]
    assert ops.invert(Tensor([1, 0], ms.int32)).asnumpy().tolist() == [-2, -1]


# ---------------------------------------------------------------------- quotients

@pytest.mark.parametrize(("name", "wanted"), [
    ("FloorMod", [2, -2, -1, 1]), ("Mod", [-1, 1, -1, 1]), ("TruncateMod", [-1, 1, -1, 1]),
    ("FloorDiv", [-3, -3, 2, 2]), ("TruncateDiv", [-2, -2, 2, 2]),
])
@pytest.mark.parametrize("dtype", [ms.float32, ms.int32])
def test_the_sign_of_quotients_and_remainders(name, wanted, dtype):   # observed: MindSpore 2.10, CPU
    x, y = Tensor([-7, 7, -7, 7], dtype), Tensor([3, -3, -3, 3], dtype)
    out = getattr(ops, name)()(x, y)
    assert out.asnumpy().tolist() == wanted
    assert out.dtype is dtype


@pytest.mark.parametrize("name", ["remainder", "fmod", "floor_div"])
def test_quotients_and_remainders_of_bools(name):   # observed: MindSpore 2.10, CPU
    x, y = Tensor([True, False, True, False]), Tensor([True, True, False, False])
    wanted = x if name == "floor_div" else Tensor([False, False, True, False])
    for function in (getattr(ops, name), ms.jit(getattr(ops, name))):
        assert function(x, y).dtype is ms.bool_
        assert function(x, y).tolist() == wanted.tolist()
    assert ops.remainder(Tensor([[True], [False]]), Tensor([False, True])).tolist() == [[True, False], [False, False]]
    assert (True // Tensor([True, False])).tolist() == [True, True]
    assert (Tensor([True, False]) // True).tolist() == (Tensor([True, False]) % False).tolist() == [True, False]
    assert (True % Tensor([True, False])).tolist() == [False, True]


@pytest.mark.parametrize("mod", [lambda x: x % 4, lambda x: ops.remainder(x, 4), lambda x: ops.fmod(x, 4)])
def test_remainders_of_a_number(mod):
    assert mod(Tensor([5, 4, 3])).tolist() == ms.jit(mod)(Tensor([5, 4, 3])).tolist() == [1, 0, 3]
    close(mod(Tensor([5.5, 4.0])), [1.5, 0.0])


@pytest.mark.parametrize(("mode", "wanted"), [(None, [-3.5, 3.5]), ("floor", [-4, 3]), ("trunc", [-3, 3])])
def test_division_rounds_as_asked(mode, wanted):
    close(ops.div(Tensor([-7, 7]), 2, rounding_mode=mode), wanted)
    with pytest.raises(ValueError, match="rounding_mode"):
        ops.div(vector(), 2, rounding_mode="up")


def test_quotients_by_zero_can_be_zero():
    y = Tensor([0.0, 2.0])
    close(ops.DivNoNan()(Tensor([1.0, 1.0]), y), [0.0, 0.5])
    close(ops.xdivy(y, Tensor([0.0, 4.0])), [0.0, 0.5])
    close(ops.xlogy(y, Tensor([0.0, math.e])), [0.0, 2.0])


# ---------------------------------------------------------------------- values

@pytest.mark.parametrize(("found", "wanted"), [
    (lambda x: ops.frac(x / 2), [0.5, 0.0, 0.5]), (lambda x: ops.deg2rad(x), np.deg2rad(V)),
    (lambda x: ops.rad2deg(x), np.rad2deg(V)), (lambda x: ops.ldexp(x, 2), V * 4),
    (lambda x: ops.copysign(x, -1.0), [-1, -2, -3]), (lambda x: ops.heaviside(x, x), [1, 0, 1]),
    (lambda x: ops.subtract(x, 1, alpha=2), V - 2), (lambda x: x.add(1, alpha=3), V + 3),
    (lambda x: ops.addcmul(x, x, x, 2), V + 2 * V * V), (lambda x: ops.addcdiv(x, x, x), V + 1),
    (lambda x: ops.lerp(x, x + 1, 0.25), V + 0.25), (lambda x: ops.hypot(x, 4.0), np.hypot(V, 4)),
    (lambda x: ops.float_power(x, 2), V.astype(np.float64) ** 2), (lambda x: round(x / 2), [0, -1, 2]),
    (lambda x: ops.logaddexp(x, x), np.logaddexp(V, V)), (lambda x: ops.polygamma(0, abs(x)),
                                                          [-0.5772157, 0.4227843, 0.9227843]),
    (lambda x: ops.logit(Tensor([0.2]), 0.3), [math.log(0.3 / 0.7)]),
    (lambda x: ops.nan_to_num(Tensor([math.nan, math.inf]), 1.0, 2.0), [1.0, 2.0]),
])
def test_functions_of_elements(found, wanted):
    close(found(vector()), wanted)


def test_equal_operands_share_the_gradient_of_the_larger():   # observed: MindSpore 2.10, CPU
    x, y = Tensor([1.0, 2.0]), Tensor([1.0, 3.0])
    dx, dy = ms.grad(lambda a, b: ops.maximum(a, b).sum(), (0, 1))(x, y)
    assert (dx.asnumpy().tolist(), dy.asnumpy().tolist()) == ([0.5, 0.0], [0.5, 1.0])


@pytest.mark.parametrize("exponent", [2, 3.0, 0, -1, 0.5])
def test_powers_of_numbers_differentiate(exponent):
    x = Tensor([0.5, 2.0])
    close(ms.grad(lambda a: (a ** exponent).sum())(x), exponent * x.asnumpy() ** (exponent - 1.0))


def test_the_square_has_a_gradient_at_zero():
    assert ms.grad(lambda a: a ** 2)(Tensor(0.0)).asnumpy() == 0.0


def test_comparison_with_something_else_is_false():   # observed: MindSpore 2.10, CPU
    assert (vector() == "a") is False
    assert (vector() != None) is True  # noqa: E711  # the operator is what is tested


def test_something_that_is_no_tensor_is_a_type_error():
    with pytest.raises(TypeError, match="must be tensors, but got 'a'"):
        ops.abs("a")


# ---------------------------------------------------------------------- clamping

def test_clamping_by_numbers_and_tensors():
    x = vector()
    close(ops.clamp(x, -1, 2), [1, -1, 2])
    close(ops.clamp(x, max=2), [1, -2, 2])
    close(ops.clip_by_value(x, Tensor(-1.0), Tensor(2.0)), [1, -1, 2])
    close(x.clip(0.0), [1, 0, 3])
    close(ops.clip_by_value([x, x], 0.0, 1.0)[1], [1, 0, 1])
    assert ops.clamp(Tensor([1, 5]), 1.5).dtype is ms.float32
    with pytest.raises(ValueError, match="at least one"):
        ops.clamp(x)


def test_the_gradient_stops_outside_the_bounds():
    close(ms.grad(lambda a: ops.clamp(a, 0.0, 2.0).sum())(vector()), [1, 0, 0])


@pytest.mark.parametrize("order", [1, 2, 3, math.inf, -math.inf, 0])
def test_vector_norms_as_numpy_has_them(order):
    close(ops.norm(vector(), order), np.linalg.norm(V, order))


@pytest.mark.parametrize("order", ["fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf])
def test_matrix_norms_as_numpy_has_them(order):
    a = np.arange(6.0).reshape(2, 3) - 2
    close(ops.norm(Tensor(a), order), np.linalg.norm(a, order))


def test_the_norm_has_a_gradient_at_zero():
    close(ms.grad(lambda a: ops.norm(a))(Tensor([0.0, 0.0])), [0, 0])
    close(ms.grad(lambda a: ops.norm(a))(Tensor([3.0, 4.0])), [0.6, 0.8])


def test_clipping_by_norm_keeps_the_direction():
    x = Tensor([3.0, 4.0])
    close(ops.clip_by_norm(x, 1.0), [0.6, 0.8], rtol=1e-5)
    close(ops.clip_by_norm(x, 10.0), [3.0, 4.0], rtol=1e-5)
    a, b = ops.clip_by_global_norm([Tensor([3.0]), Tensor([4.0])], 1.0)
    close(a, [0.6])
    close(b, [0.8])


def test_small_tensors_pass_the_global_norm_unchanged():
    (a,) = ops.clip_by_global_norm([Tensor([0.3])], 1.0)
    close(a, [0.3])


@pytest.mark.parametrize(("call", "error"), [
    (lambda: ops.clip_by_global_norm([vector()], 0.0), ValueError),
    (lambda: ops.clip_by_global_norm([vector()], "1"), TypeError),
    (lambda: ops.clip_by_global_norm([3], 1.0), TypeError), (lambda: ops.norm(vector(), "nuc"), ValueError),
    (lambda: ops.is_nonzero(vector()), ValueError), (lambda: ops.deg2rad(Tensor([1])), TypeError),
])
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["pynative", "graph"])
def test_differences_of_bools(run):   # observed: MindSpore 2.10, CPU
    a, b = Tensor([True, False]), Tensor([True, True])
    assert run(lambda x, y: x - y)(a, b).asnumpy().tolist() == [False, True]
    assert run(lambda x: True - x)(Tensor([3, 4])).asnumpy().tolist() == [-2, -3]
    assert run(ms.grad(lambda x: (True - x).sum()))(Tensor([3.0])).asnumpy().tolist() == [-1.0]
