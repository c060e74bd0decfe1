"""Element-wise comparisons and tests; their results are bools."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_
from mindspore.ir import Aval

from . import loops
from .loops import Element
from .registry import operator
from .rules import BINARY, ELEMENTWISE, comparing
from .traits import COMPARISON, ORDERED, STREAMING, WIDEN_UNSIGNED

_TWO: list[Any] = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), 0.5)]


@operator(primitive="Equal()(input, other)", function="equal(input, other); eq(input, other)",
          method="equal(other); eq(other)", promote=True, dims=BINARY, samples=_TWO,
          code="{0} == {1}", traits={COMPARISON, STREAMING, WIDEN_UNSIGNED}, onnx="Equal")
def equal(x: Tensor, y: Tensor | float):
    """Whether x == y.

    Examples:
        >>> ops.Equal()(Tensor([1, 2]), Tensor([1, 3])).tolist()
        [True, False]
    """
    return x == y


@operator(primitive="NotEqual()(input, other)", promote=True, dims=BINARY, samples=_TWO,
          function="not_equal(input, other); ne(input, other)",
          method="not_equal(other); ne(other)", code="{0} != {1}",
          traits={COMPARISON, STREAMING, WIDEN_UNSIGNED})
def not_equal(x: Tensor, y: Tensor | float):
    """Whether x != y."""
    return x != y


@operator(primitive="Less()(input, other)", promote=True, dims=BINARY, samples=_TWO,
          function="less(input, other); lt(input, other); tensor_lt(x, y)",
          method="less(other); lt(other)", code="{0} < {1}", traits={COMPARISON, STREAMING, ORDERED, WIDEN_UNSIGNED},
          onnx="Less")
def less(x: Tensor | float, y: Tensor | float):
    """Whether x < y.

    Examples:
        >>> ops.Less()(Tensor([1, 2]), 2).tolist()
        [True, False]
    """
    return x < y


@operator(primitive="LessEqual()(input, other)", promote=True, dims=BINARY, samples=_TWO,
          function="less_equal(input, other); le(input, other); tensor_le(input, other)",
          method="less_equal(other); le(other)", code="{0} <= {1}",
          traits={COMPARISON, STREAMING, ORDERED, WIDEN_UNSIGNED}, onnx="LessOrEqual")
def less_equal(x: Tensor | float, y: Tensor | float):
    """Whether x <= y."""
    return x <= y


@operator(primitive="Greater()(input, other)", promote=True, dims=BINARY, samples=_TWO,
          function="greater(input, other); gt(input, other); tensor_gt(input, other)",
          method="greater(other); gt(other)", code="{0} > {1}",
          traits={COMPARISON, STREAMING, ORDERED, WIDEN_UNSIGNED}, onnx="Greater")
def greater(x: Tensor | float, y: Tensor | float):
    """Whether x > y.

    Examples:
        >>> ops.Greater()(Tensor([1, 2]), 1).tolist()
        [False, True]
    """
    return x > y


@operator(primitive="GreaterEqual()(input, other)", promote=True, dims=BINARY, samples=_TWO,
          function="greater_equal(input, other); ge(input, other); tensor_ge(input, other)",
          method="greater_equal(other); ge(other)", code="{0} >= {1}",
          traits={COMPARISON, STREAMING, ORDERED, WIDEN_UNSIGNED}, onnx="GreaterOrEqual")
def greater_equal(x: Tensor | float, y: Tensor | float):
    """Whether x >= y."""
    return x >= y


def _compared(word: str) -> Callable[[Any, Any], Element]:
    return lambda x, y: loops.compare(word, x, y)


_WORDS = {equal: "eq", not_equal: "ne", less: "lt", less_equal: "le", greater: "gt", greater_equal: "ge"}
for _op, _word in _WORDS.items():
    _op.shape(comparing(_op.name))
    _op.loop(_compared(_word))


@operator(primitive="ApproximateEqual(tolerance=1e-05)(x, y)", promote=True, dims=BINARY,
          function="approximate_equal(x, y, tolerance=1e-05)", samples=[((2, 3), (2, 3))])
def approximate_equal(x: Tensor, y: Tensor, *, tolerance: float = 1e-5):
    """Whether x and y differ by less than `tolerance`."""
    return torch.abs(x - y) < tolerance


approximate_equal.shape(comparing("ApproximateEqual"))


@operator(primitive="IsClose(rtol=1e-05, atol=1e-08, equal_nan=False)(input, other)",
          function="isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
          method="isclose(other, rtol=1e-05, atol=1e-08, equal_nan=False)", promote=True,
          dims=BINARY, samples=[((2, 3), (2, 3))])
def is_close(x: Tensor, y: Tensor, *, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False):
    """Whether |x - y| <= atol + rtol * |y|."""
    return torch.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)


is_close.shape(comparing("IsClose"))


@operator(primitive="EqualCount()(x, y)", samples=[((2, 3), (2, 3))], dims="..., ... -> 1")
def equal_count(x: Tensor, y: Tensor):
    """The number of places at which x and y agree, as a vector of one element."""
    return (x == y).sum().to(x.dtype).reshape(1)


@equal_count.shape
def _(x: Aval, y: Aval) -> Aval:
    comparing("EqualCount")(x, y)
    return Aval((1,), x.dtype)


# ---------------------------------------------------------------------- tests of one tensor

@operator(primitive="IsNan()(x)", function="isnan(input); isnan_ext(tensor)", method="isnan()",
          dims=ELEMENTWISE, samples=[((2, 3),)], code="torch.isnan({0})", onnx="IsNaN")
def is_nan(x: Tensor):
    """Whether x is not a number."""
    return torch.isnan(x)


@operator(primitive="IsInf()(input)", function="isinf(input)", method="isinf()",
          dims=ELEMENTWISE, samples=[((2, 3),)], code="torch.isinf({0})", onnx="IsInf")
def is_inf(x: Tensor):
    """Whether x is infinite."""
    return torch.isinf(x)


@operator(primitive="IsFinite()(input)", function="isfinite(input)", method="isfinite()",
          dims=ELEMENTWISE, samples=[((2, 3),)], code="torch.isfinite({0})")
def is_finite(x: Tensor):
    """Whether x is a finite number."""
    return torch.isfinite(x)


@operator(hidden=True, function="signbit(input)", method="signbit()", dims=ELEMENTWISE,
          samples=[((2, 3),)], code="torch.signbit({0})")
def signbit(x: Tensor):
    """Whether the sign bit is set: true for negative numbers and for -0.0."""
    return torch.signbit(x)


@operator(hidden=True, function="isneginf(input)", method="isneginf()", dims=ELEMENTWISE,
          samples=[((2, 3),)])
def is_neg_inf(x: Tensor):
    """Whether x is minus infinity."""
    return torch.isneginf(x)


@operator(hidden=True, function="isposinf(input)", method="isposinf()", dims=ELEMENTWISE,
          samples=[((2, 3),)])
def is_pos_inf(x: Tensor):
    """Whether x is plus infinity."""
    return torch.isposinf(x)


@operator(hidden=True, function="isreal(input)", method="isreal()", dims=ELEMENTWISE,
          samples=[((2, 3),)])
def is_real(x: Tensor):
    """Whether x has no imaginary part."""
    return torch.isreal(x)


for _op in (is_nan, is_inf, is_finite, signbit, is_neg_inf, is_pos_inf, is_real):
    _op.shape(lambda x: Aval(x.shape, bool_))
