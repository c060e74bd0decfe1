"""Element-wise arithmetic with broadcasting: sums, products, quotients and combinations of them."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_
from mindspore.core.errors import show
from mindspore.ir import Aval

from .registry import REGISTRY, operator
from .rules import BINARY, ELEMENTWISE, broadcast, broadcasting, dividing, fit, kept, same, tensors
from .samples import Values, positive, truth
from .traits import DIVISION, NOT_HOLOMORPHIC, QUOTIENT, STREAMING, WIDEN_UNSIGNED
from .values import Value

_TWO: list[Any] = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), 2.0)]
_OVER: list[Any] = [((2, 3), positive(2, 3)), (2.0, positive(2, 3)), ((4, 2, 3), positive(3))]


@operator(primitive="Add()(input, other); TensorAdd()(x, y)",
          function="add(input, other); tensor_add(input, other)", promote=True,
          dims=BINARY, samples=_TWO, code="{0} + {1}", inplace="add_", traits={STREAMING, WIDEN_UNSIGNED}, onnx="Add")
def add(x: Tensor | float, y: Tensor | float):
    """x + y, element by element.

    Examples:
        >>> ops.Add()(Tensor([1, 2]), 0.5)
        Tensor(shape=[2], dtype=Float32, value= [ 1.50000000e+00,  2.50000000e+00])
    """
    return x + y


add.shape(broadcasting("Add"))
add.loop(lambda x, y: x + y)


@add.grad(needs="x.aval y.aval")
def _(x: Aval | float, y: Aval, dout: Value):
    return lambda: fit(dout, x), lambda: fit(dout, y)


@operator(primitive="Sub()(x, y)", function="sub(input, other); tensor_sub(x, y)",
          promote=True, dims=BINARY, samples=_TWO, code="{0} - {1}", inplace="sub_",
          traits={STREAMING, WIDEN_UNSIGNED}, onnx="Sub")
def sub(x: Tensor | float, y: Tensor | float):
    """x - y, element by element; for two bools whether they differ.

    Examples:
        >>> ops.Sub()(Tensor([3, 1]), Tensor([1, 1])).tolist()
        [2, 0]
    """
    try:
        return x - y
    except RuntimeError:                  # torch refuses bools
        return _difference(x, y)


def _difference(x: Any, y: Any) -> torch.Tensor:
    """x - y where torch refuses it because one of them is a bool."""
    a, b = tensors(x, y)
    if a.dtype is torch.bool and b.dtype is torch.bool:
        return torch.logical_xor(a, b)
    given: Any = int(x) if isinstance(x, bool) else x
    return given - (int(y) if isinstance(y, bool) else y)


@operator(hidden=True, dims=BINARY, samples=[(truth(2, 3), truth(3)), (True, Values((3,), 0, 9, "int32"))])
def sub_bools(x: Tensor | bool, y: Tensor):
    """x - y where one of them, or both, are bools: of two bools whether they differ."""
    return _difference(x, y)


sub.shape(broadcasting("Sub"))
sub.loop(lambda x, y: x - y)
sub_bools.shape(broadcasting("Sub"))


@sub.dispatch
def _(inputs: tuple[Any, ...]):
    return sub_bools if any(isinstance(x, bool) or getattr(x, "dtype", None) is bool_ for x in inputs) else None


@sub.grad(needs="x.aval y.aval")
def _(x: Aval | float, y: Aval | float, dout: Value):
    return lambda: fit(dout, x), lambda: fit(-dout, y)


@sub_bools.grad(needs="x.aval y.aval")
def _(x: bool, y: Aval, dout: Value):
    return lambda: fit(dout, x), lambda: fit(-dout, y)


@operator(primitive="Mul()(input, other)", promote="rank",
          function="mul(input, other); multiply(input, other); tensor_mul(input, other); "
                   "tensor_muls(input, other)",
          method="mul(other); multiply(other)", dims=BINARY, samples=_TWO, code="{0} * {1}",
          inplace="mul_", traits={STREAMING, WIDEN_UNSIGNED}, onnx="Mul")
def mul(x: Tensor, y: Tensor | float):
    """x * y, element by element.

    Examples:
        >>> ops.Mul()(Tensor([[1], [2]]), Tensor([3, 4])).tolist()
        [[3, 4], [6, 8]]
    """
    return x * y


mul.shape(broadcasting("Mul"))
mul.loop(lambda x, y: x * y)


@mul.grad(needs="x y")
def _(x: Value, y: Value | float, dout: Value):
    return lambda: fit(dout * y, x), lambda: fit(dout * x, y)


@operator(primitive="Div()(input, other)", promote="rank", dims=BINARY, samples=_OVER,
          code="{0} / {1}", inplace="div_", traits={DIVISION, STREAMING, WIDEN_UNSIGNED}, onnx="Div")
def div(x: Tensor | float, y: Tensor):
    """x / y, element by element; floating point for integers, too."""
    return x / y


div.shape(dividing("Div"))
div.loop(lambda x, y: x / y)


@div.grad(needs="x.aval y out")
def _(x: Aval | float, y: Value | float, out: Value, dout: Value):
    return lambda: kept(fit(dout / y, x), x, y), lambda: kept(fit(-dout * out / y, y), y, x)


@operator(primitive="RealDiv()(x, y)", function="tensor_div(x, y)", promote=True,
          dims=BINARY, samples=_OVER, traits={STREAMING, QUOTIENT, WIDEN_UNSIGNED})
def real_div(x: Tensor | float, y: Tensor):
    """x / y, element by element; without its fractional part for integers, exact."""
    kept = next(v.dtype for v in (x, y) if isinstance(v, torch.Tensor))
    if kept is torch.bool:
        return (x / y).trunc().to(kept)
    return x / y if kept.is_floating_point or kept.is_complex else torch.div(x, y, rounding_mode="trunc")


real_div.shape(broadcasting("RealDiv"))
real_div.loop(lambda x, y: x / y)


@real_div.grad(needs="x.aval y out")
def _(x: Aval | float, y: Value, out: Value, dout: Value):
    return lambda: fit(dout / y, x), lambda: fit(-dout * out / y, y)


@operator(primitive="Neg()(input)", function="neg(input); negative(input)",
          method="neg(); negative()", dims=ELEMENTWISE, samples=[((2, 3),)],
          code="-{0}", inplace="neg_", traits={STREAMING, WIDEN_UNSIGNED}, onnx="Neg")
def neg(x: Tensor):
    """-x."""
    return torch.neg(x)


neg.shape(same)
neg.loop(lambda x: -x)


@neg.grad(needs="")
def _(dout: Value):
    return -dout,


# ---------------------------------------------------------------------- with 0 for what has no value

@operator(primitive="DivNoNan()(x, y)", promote=True, dims=BINARY,
          samples=[((2, 3), positive(2, 3)), ((2, 3), positive(3))])
def div_no_nan(x: Tensor, y: Tensor):
    """x / y, and 0 where `y` is 0."""
    return torch.where(tensors(y, x)[0] == 0, 0, x / y)


div_no_nan.shape(dividing("DivNoNan"))


@div_no_nan.grad(needs="x.aval y out")
def _(x: Aval, y: Value, out: Value, dout: Value):
    return lambda: fit(div_no_nan(dout, y), x), lambda: fit(div_no_nan(-dout * out, y), y)


@operator(primitive="MulNoNan()(x, y)", promote=True, dims=BINARY,
          samples=[((2, 3), positive(2, 3)), ((2, 3), positive(3))])
def mul_no_nan(x: Tensor, y: Tensor):
    """x * y, and 0 where `y` is 0, whatever `x` is."""
    return torch.where(tensors(y, x)[0] == 0, 0, x * y)


mul_no_nan.shape(broadcasting("MulNoNan"))


@mul_no_nan.grad(needs="x y")
def _(x: Value, y: Value, dout: Value):
    return lambda: fit(mul_no_nan(dout, y), x), lambda: fit(mul_no_nan(dout, x), y)


# ---------------------------------------------------------------------- several operands

def _sum_of(xs: tuple[Any, ...], name: str) -> Aval:
    for x in xs:
        if type(x) is not Aval:
            raise TypeError(f"For '{name}', every element must be a tensor, but got {show(x)}.")
        if x.dtype is not xs[0].dtype:
            raise TypeError(f"For '{name}', the tensors must have the same type, but got "
                            f"{show(xs[0])} and {show(x)}.")
    if not xs:
        raise ValueError(f"For '{name}', at least one tensor is needed.")
    return Aval(broadcast(*[x.shape for x in xs], name=name), xs[0].dtype)


@operator(primitive="AddN()(x); AccumulateNV2()(x)", function="addn(x); accumulate_n(x)",
          samples=[((2, 3), (2, 3), (2, 3)), ((2, 3),)], dims="* ... -> ...", traits={WIDEN_UNSIGNED}, onnx="Sum")
def add_n(*xs: Tensor):
    """The sum of the tensors."""
    out = xs[0]
    if any(x.dtype is not out.dtype for x in xs):
        raise TypeError("For 'AddN', the tensors must have the same type.")
    if len(xs) == 1:
        return out.clone()
    out = out + xs[1]
    for x in xs[2:]:
        out = out.add_(x) if x.shape == out.shape else out + x
    return out


@add_n.shape
def _(*xs: Aval) -> Aval:
    return _sum_of(xs, "AddN")


@add_n.grad(needs="xs")
def _(xs: tuple[Value, ...], dout: Value):
    return tuple([fit(dout, x) for x in xs])


@operator(primitive="Addcmul()(input, tensor1, tensor2, value)", promote=True,
          function="addcmul(input, tensor1, tensor2, value=1)",
          method="addcmul(tensor1, tensor2, value=1)",
          samples=[((2, 3), (2, 3), (3,), 0.5), ((2, 3), (2, 3), (2, 3), (1,))],
          dims="..., ..., ..., ... -> ...")
def addcmul(x: Tensor, a: Tensor, b: Tensor, value: Tensor | float = 1):
    """x + value * a * b."""
    return x + value * a * b


@addcmul.grad(needs="x.aval a b value")
def _(x: Aval, a: Value, b: Value, value: Value | float, dout: Value):
    return (lambda: fit(dout, x), lambda: fit(dout * b * value, a), lambda: fit(dout * a * value, b),
            lambda: fit(dout * a * b, value))


@operator(primitive="Addcdiv()(input, tensor1, tensor2, value)", promote=True,
          function="addcdiv(input, tensor1, tensor2, value=1)",
          method="addcdiv(tensor1, tensor2, value=1)",
          samples=[((2, 3), (2, 3), positive(3), 0.5), ((2, 3), (2, 3), positive(2, 3), (1,))],
          dims="..., ..., ..., ... -> ...")
def addcdiv(x: Tensor, a: Tensor, b: Tensor, value: Tensor | float = 1):
    """x + value * a / b."""
    return x + value * a / b


@addcdiv.grad(needs="x.aval a b value")
def _(x: Aval, a: Value, b: Value, value: Value | float, dout: Value):
    return (lambda: fit(dout, x), lambda: fit(dout * value / b, a),
            lambda: fit(-dout * value * a / (b * b), b), lambda: fit(dout * a / b, value))


addcmul.shape(broadcasting("Addcmul"))
addcdiv.shape(dividing("Addcdiv"))


@operator(primitive="Lerp()(input, end, weight); LerpScalar()(input, end, weight)",
          function="lerp(input, end, weight)", method="lerp(end, weight)", promote=True,
          samples=[((2, 3), (2, 3), 0.5), ((2, 3), (3,), (2, 3))], dims="..., ..., ... -> ...")
def lerp(x: Tensor, end: Tensor, weight: Tensor | float):
    """x + weight * (end - x)."""
    return x + weight * (end - x)


lerp.shape(broadcasting("Lerp"))


@lerp.grad(needs="x end weight")
def _(x: Value, end: Value, weight: Value | float, dout: Value):
    return lambda: fit(dout * (1 - weight), x), lambda: fit(dout * weight, end), lambda: fit(dout * (end - x), weight)


@operator(primitive="SquaredDifference()(x, y)", promote=True, dims=BINARY, samples=_TWO, traits={NOT_HOLOMORPHIC})
def squared_difference(x: Tensor | float, y: Tensor | float):
    """|x - y| squared."""
    x, y = [int(v) if isinstance(v, bool) else v for v in (x, y)]      # torch subtracts no bools
    d = tensors(x - y)[0]
    return d * d.conj()


squared_difference.shape(broadcasting("SquaredDifference"))


@squared_difference.grad(needs="x y")
def _(x: Value, y: Value | float, dout: Value):
    dout = dout + REGISTRY["Conj"](dout) if dout.dtype.is_complex else dout * 2
    return lambda: fit(dout * (x - y), x), lambda: fit(dout * (y - x), y)
