"""Functions of numbers: `mindspore.numpy.math_ops`."""

from __future__ import annotations

import builtins
import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import bool_, float32, int32, int64
from mindspore.core.tensor import is_tensor

from .arguments import angular, axes_of, cast, elementwise, floating, pairwise, tensor

_imported = set(globals())

abs = elementwise("abs", ops.abs, "Absolute value.")
absolute = elementwise("absolute", ops.abs, "Absolute value.")
fabs = elementwise("fabs", ops.abs, "Absolute value.")
arccosh = elementwise("arccosh", ops.acosh, "Inverse hyperbolic cosine.", angular)
arcsin = elementwise("arcsin", ops.asin, "Inverse sine.", angular)
arcsinh = elementwise("arcsinh", ops.asinh, "Inverse hyperbolic sine.", angular)
arctan = elementwise("arctan", ops.atan, "Inverse tangent.", angular)
arctanh = elementwise("arctanh", ops.atanh, "Inverse hyperbolic tangent.", angular)
ceil = elementwise("ceil", ops.ceil, "Least integer not below, as floats.", floating)
cos = elementwise("cos", ops.cos, "Cosine.", angular)
cosh = elementwise("cosh", ops.cosh, "Hyperbolic cosine.", angular)
deg2rad = elementwise("deg2rad", lambda x: x * (math.pi / 180), "Degrees in radians.", floating)
radians = elementwise("radians", lambda x: x * (math.pi / 180), "Degrees in radians.", floating)
rad2deg = elementwise("rad2deg", lambda x: x * (180 / math.pi), "Radians in degrees.", floating)
exp = elementwise("exp", ops.exp, "Exponential function.", floating)
exp2 = elementwise("exp2", lambda x: ops.pow(2, x), "2 to the power x.")
expm1 = elementwise("expm1", ops.expm1, "exp(x) - 1, exact around 0.", floating)
floor = elementwise("floor", ops.floor, "Greatest integer not above, as floats.", floating)
log = elementwise("log", ops.log, "Natural logarithm.", floating)
log10 = elementwise("log10", lambda x: ops.log(x) / math.log(10), "Logarithm to base 10.", floating)
log1p = elementwise("log1p", ops.log1p, "log(1 + x), exact around 0.", floating)
log2 = elementwise("log2", lambda x: ops.log(x) / math.log(2), "Logarithm to base 2.", floating)
rint = elementwise("rint", ops.round, "Nearest integer, the even one of two, as floats.", floating)
sign = elementwise("sign", ops.sign, "-1, 0 or 1, as floats.", floating)
sin = elementwise("sin", ops.sin, "Sine.", angular)
sinh = elementwise("sinh", ops.sinh, "Hyperbolic sine.", angular)
sqrt = elementwise("sqrt", ops.sqrt, "Square root.", floating)
square = elementwise("square", ops.square, "Square.")
tan = elementwise("tan", ops.tan, "Tangent.", angular)
tanh = elementwise("tanh", ops.tanh, "Hyperbolic tangent.", angular)
trunc = elementwise("trunc", ops.trunc, "The number without its decimals, as floats.", floating)
cbrt = elementwise(
    "cbrt", lambda x: ops.sign(x) * ops.pow(ops.abs(x), 1 / 3), "Cube root.", floating
)
invert = elementwise("invert", lambda x: -x - 1, "Bits turned round.")
bitwise_not = elementwise("bitwise_not", lambda x: -x - 1, "Bits turned round.")

add = pairwise("add", ops.add, "Sum of two tensors.")
subtract = pairwise("subtract", ops.sub, "Difference of two tensors.")
multiply = pairwise("multiply", ops.mul, "Product of two tensors.")
divide = pairwise("divide", ops.div, "Quotient of two tensors, as floats.", tensor)
true_divide = pairwise("true_divide", ops.div, "Quotient of two tensors, as floats.", tensor)
power = pairwise("power", ops.pow, "x1 to the power x2.")
float_power = pairwise(
    "float_power", lambda x, y: ops.pow(x.astype(float32), y.astype(float32)), "Power, as float32."
)
maximum = pairwise("maximum", ops.maximum, "The greater of two.")
minimum = pairwise("minimum", ops.minimum, "The smaller of two.")
floor_divide = pairwise("floor_divide", ops.floor_div, "Quotient rounded down.")
mod = pairwise("mod", ops.floor_mod, "Remainder with the sign of the divisor.")
remainder = pairwise("remainder", ops.floor_mod, "Remainder with the sign of the divisor.")
fmod = pairwise("fmod", ops.fmod, "Remainder with the sign of the dividend.")
arctan2 = pairwise("arctan2", ops.atan2, "Angle of the point (x2, x1).", angular)
hypot = pairwise("hypot", ops.hypot, "sqrt(x1^2 + x2^2).", floating)
copysign = pairwise(
    "copysign",
    lambda x, y: ops.copysign(floating(x), floating(y)).astype(x.dtype),
    "x1 with the sign of x2, in the type of x1.",
)
logaddexp = pairwise("logaddexp", ops.logaddexp, "log(exp(x1) + exp(x2)).", floating)
logaddexp2 = pairwise("logaddexp2", ops.logaddexp2, "log2(2^x1 + 2^x2).", floating)
gcd = pairwise("gcd", ops.gcd, "Greatest common divisor.")
lcm = pairwise("lcm", ops.lcm, "Least common multiple.")
heaviside = pairwise(
    "heaviside",
    lambda x, y: ops.where(x < 0, x * 0, ops.where(x > 0, x * 0 + 1, y)),
    "0 for negative, 1 for positive x1, x2 between.",
)
bitwise_and = pairwise("bitwise_and", ops.bitwise_and, "Bits that are set in both.")
bitwise_or = pairwise("bitwise_or", ops.bitwise_or, "Bits that are set in one.")
bitwise_xor = pairwise("bitwise_xor", ops.bitwise_xor, "Bits that are set in exactly one.")
matmul = pairwise("matmul", ops.matmul, "Matrix product; leading axes are broadcast.")


def arccos(input: Any, dtype: Any = None) -> Any:
    """Inverse cosine."""
    return cast(ops.acos(angular(input)), dtype)


def reciprocal(x: Any, dtype: Any = None) -> Any:
    """1 / x; of integers without decimals, as integers."""
    x = tensor(x)
    result = ops.reciprocal(floating(x))
    return cast(result.astype(x.dtype) if x.dtype.kind in "iu" else result, dtype)


def negative(a: Any, dtype: Any = None) -> Any:
    """-a."""
    return cast(-tensor(a), dtype)


def positive(a: Any, dtype: Any = None) -> Any:
    """a."""
    return cast(+tensor(a), dtype)


def fix(x: Any) -> Any:
    """The number without its decimals, as floats."""
    return ops.trunc(floating(x))


def divmod(x1: Any, x2: Any, dtype: Any = None) -> Any:
    """Quotient rounded down, and remainder."""
    return floor_divide(x1, x2, dtype), mod(x1, x2, dtype)


def around(a: Any, decimals: int = 0) -> Any:
    """Rounded to a number of decimals, halves to even."""
    a = tensor(a)
    if not a.dtype.is_floating:
        return a
    return ops.round(a * 10.0**decimals) / 10.0**decimals if decimals else ops.round(a)


round = around


def clip(x: Any, xmin: Any, xmax: Any, dtype: Any = None) -> Any:
    """Limited to [xmin, xmax], in the type of `x`; either may be None."""
    if xmin is None and xmax is None:
        raise ValueError("For 'clip', one of 'xmin' and 'xmax' must be given, but both are None.")
    x = tensor(x)
    kept = x.dtype
    if xmin is not None:
        x = ops.maximum(x, xmin)
    if xmax is not None:
        x = ops.minimum(x, xmax)
    return cast(x.astype(kept), dtype)


def sum(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None
) -> Any:
    """Sum over axes; integers as int64."""
    a = tensor(a)
    a = a if a.dtype.is_floating or a.dtype.is_complex else a.astype(int64)
    result = ops.sum(a, dim=axes_of("sum", axis, a.ndim), keepdim=keepdims) if a.ndim else a
    return cast(result if initial is None else result + initial, dtype)


def _real(a: Any) -> Any:
    return a if a.dtype.is_floating else a.astype(float32)


def mean(a: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    """Mean over axes, in the type of the input."""
    a = tensor(a)
    if not a.ndim:
        return cast(a, dtype)
    result = ops.mean(_real(a), axes_of("mean", axis, a.ndim), keepdims)
    return cast(result, a.dtype if dtype is None else dtype)


def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Mean square distance from the mean; the divisor is the number less `ddof`."""
    x = _real(tensor(x))
    if not x.ndim:
        return x * 0
    axes = axes_of("var", axis, x.ndim)
    number = math.prod([x.shape[a] for a in axes])
    distance = x - ops.mean(x, axes, True)
    return ops.sum(distance * distance, dim=axes, keepdim=keepdims) / (number - ddof)


def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Standard deviation: square root of `var`."""
    return ops.sqrt(var(x, axis, ddof, keepdims))


def amax(
    a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """Maximum over axes; with `where` only of some elements, with `initial` at least that."""
    return _extreme("amax", a, axis, keepdims, initial, where)


def amin(
    a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """Minimum over axes; with `where` only of some elements, with `initial` at most that."""
    return _extreme("amin", a, axis, keepdims, initial, where)


max, min = amax, amin


def _extreme(owner: str, a: Any, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    a = tensor(a)
    if where is not True:
        if initial is None:
            raise ValueError(f"For '{owner}', the 'initial' must be given where 'where' is.")
        a = ops.where(tensor(where), a, ops.full_like(a, initial))
    axes = axes_of(owner, axis, a.ndim)
    reduced = {"amax": ops.amax, "amin": ops.amin}[owner]
    result = reduced(a, axes, keepdims) if axes else a
    if initial is not None:
        limit = {"amax": ops.maximum, "amin": ops.minimum}[owner]
        result = limit(result, initial).astype(a.dtype)
    return result


def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Maximum less minimum over axes."""
    return amax(x, axis, keepdims) - amin(x, axis, keepdims)


def argmax(a: Any, axis: int | None = None) -> Any:
    """Place of the first maximum."""
    return ops.argmax(tensor(a), dim=axis)


def argmin(a: Any, axis: int | None = None) -> Any:
    """Place of the first minimum, int32."""
    return ops.argmax(-tensor(a).astype(float32), dim=axis).astype(int32)


def average(x: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """Mean over axes, weighted; with `returned` also the sum of weights."""
    x = tensor(x)
    axes = axes_of("average", axis, x.ndim)
    if weights is None:
        result = mean(x, axes)
        total = ops.full_like(result, math.prod([x.shape[a] for a in axes]))
        return (result, total) if returned else result
    weights = tensor(weights)
    if weights.shape != x.shape:
        if len(axes) != 1 or weights.ndim != 1 or weights.shape[0] != x.shape[axes[0]]:
            raise ValueError(
                f"For 'average', the 'weights' must have the shape of 'x', {x.shape}, or of one axis, but "
                f"have {weights.shape}."
            )
        weights = weights.reshape([-1 if a == axes[0] else 1 for a in range(x.ndim)])
    weights = ops.broadcast_to(weights, x.shape)
    total = ops.sum(weights, dim=axes)
    result = ops.sum(x * weights, dim=axes) / total
    return (result, total) if returned else result


def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums of all elements so far, of the flattened tensor by default."""
    return _running(ops.cumsum, a, axis, dtype)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Products of all elements so far, of the flattened tensor by default."""
    return _running(ops.cumprod, a, axis, dtype)


def _running(function: Any, a: Any, axis: int | None, dtype: Any) -> Any:
    a = tensor(a)
    small = not a.dtype.is_floating and a.dtype.itemsize < 4
    a = a.astype(int32) if small or a.dtype == bool_ else a
    a, axis = (a.reshape((-1,)), 0) if axis is None else (a, axis)
    return function(cast(a, dtype), axis)


def _without_nan(a: Any, value: Any) -> tuple[Any, Any]:
    """The tensor with another value instead of nan, and where there was none."""
    a = tensor(a)
    valid = ops.logical_not(ops.isnan(a))
    return ops.where(valid, a, ops.full_like(a, value)), valid


def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Sum over axes, nan counted as 0."""
    a, _ = _without_nan(a, 0)
    return cast(ops.sum(a, dim=axes_of("nansum", axis, a.ndim), keepdim=keepdims), dtype or a.dtype)


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums of all elements so far, nan counted as 0."""
    return cumsum(_without_nan(a, 0)[0], axis, dtype)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Mean over axes of what is not nan."""
    a, valid = _without_nan(floating(a), 0)
    axes = axes_of("nanmean", axis, a.ndim)
    number = ops.sum(valid.astype(a.dtype), dim=axes, keepdim=keepdims)
    return cast(ops.sum(a, dim=axes, keepdim=keepdims) / number, dtype)


def nanvar(
    a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False
) -> Any:
    """Variance over axes of what is not nan."""
    a, valid = _without_nan(floating(a), 0)
    axes, counted = axes_of("nanvar", axis, a.ndim), valid.astype(a.dtype)
    number = ops.sum(counted, dim=axes, keepdim=True)
    distance = (a - ops.sum(a, dim=axes, keepdim=True) / number) * counted
    total = ops.sum(distance * distance, dim=axes, keepdim=keepdims)
    return cast(total / (ops.sum(counted, dim=axes, keepdim=keepdims) - ddof), dtype)


def nanstd(
    a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False
) -> Any:
    """Standard deviation over axes of what is not nan."""
    return ops.sqrt(nanvar(a, axis, dtype, ddof, keepdims))


def nanmax(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Maximum over axes of what is not nan."""
    a = tensor(a)
    a = _without_nan(a, -math.inf)[0] if a.dtype.is_floating else a
    return cast(amax(a, axis, keepdims), dtype)


def nanmin(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Minimum over axes of what is not nan."""
    a = tensor(a)
    a = _without_nan(a, math.inf)[0] if a.dtype.is_floating else a
    return cast(amin(a, axis, keepdims), dtype)


def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Number of elements other than 0 over axes, int32."""
    x = tensor(x)
    axes = axes_of("count_nonzero", axis, x.ndim)
    return ops.sum((x != 0).astype(int32), dim=axes, keepdim=keepdims).astype(int32)


def dot(a: Any, b: Any) -> Any:
    """Sum over the last axis of `a` and the second last of `b` (its only one)."""
    a, b = tensor(a), tensor(b)
    if not (a.ndim and b.ndim):
        return a * b
    return ops.tensor_dot(a, b, ((a.ndim - 1,), (b.ndim - 2 if b.ndim > 1 else 0,)))


def inner(a: Any, b: Any) -> Any:
    """Sum over the last axes of both."""
    a, b = tensor(a), tensor(b)
    if not (a.ndim and b.ndim):
        return a * b
    return ops.tensor_dot(a, b, ((a.ndim - 1,), (b.ndim - 1,)))


def outer(a: Any, b: Any) -> Any:
    """Products of all elements of `a` with all of `b`."""
    return tensor(a).reshape((-1, 1)) * tensor(b).reshape((1, -1))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sum over axes of both."""
    return ops.tensor_dot(tensor(a), tensor(b), axes)


def kron(a: Any, b: Any) -> Any:
    """Kronecker product."""
    return ops.kron(tensor(a), tensor(b))


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Cross product of vectors of two or three elements."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = ops.movedim(tensor(a), axisa, -1), ops.movedim(tensor(b), axisb, -1)
    sizes = a.shape[-1], b.shape[-1]
    if not set(sizes) <= {2, 3}:
        raise ValueError(f"For 'cross', the vectors must have 2 or 3 elements, but have {sizes}.")
    x = [a[..., i] if i < sizes[0] else a[..., 0] * 0 for i in range(3)]
    y = [b[..., i] if i < sizes[1] else b[..., 0] * 0 for i in range(3)]
    last = x[0] * y[1] - x[1] * y[0]
    if sizes == (2, 2):
        return last
    result = ops.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], last], -1)
    return ops.movedim(result, -1, axisc)


def matrix_power(a: Any, n: int) -> Any:
    """A square matrix to a whole power of 0 or more."""
    if n < 0:
        raise ValueError(f"For 'matrix_power', the 'n' must be 0 or more, but got {n}.")
    return ops.matrix_power(tensor(a), n)


def multi_dot(arrays: Any) -> Any:
    """Product of several matrices."""
    result = tensor(arrays[0])
    for array in arrays[1:]:
        result = dot(result, array)
    return result


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Norm of vectors or matrices, as `numpy.linalg.norm`."""
    x = floating(x)
    if ord is None:
        axes = axes_of("norm", axis, x.ndim)
        return ops.sqrt(ops.sum(x * x, dim=axes, keepdim=keepdims)) if axes else ops.abs(x)
    return ops.norm(x, ord, axis, keepdims)


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours, `n` times."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ValueError(f"For 'diff', the 'n' must be an int of 0 or more, but got {n!r}.")
    parts = [a if v is None else v for v in (prepend, a, append)]
    parts = [
        tensor(p) for p, v in zip(parts, (prepend, True, append), strict=True) if v is not None
    ]
    like = tensor(a)
    axis = axes_of("diff", axis, like.ndim)[0]
    shape = [1 if i == axis else k for i, k in enumerate(like.shape)]
    parts = [ops.broadcast_to(p, shape) if p.ndim == 0 else p for p in parts]
    result = ops.cat(parts, axis) if len(parts) > 1 else parts[0]
    for _ in range(n):
        size = result.shape[axis]
        result = ops.narrow(result, axis, 1, size - 1) - ops.narrow(result, axis, 0, size - 1)
    return result


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours of the flattened tensor, with something before and after."""
    result = diff(tensor(ary).reshape((-1,)))
    parts = [to_begin, result, to_end]
    parts = [tensor(p).reshape((-1,)).astype(result.dtype) for p in parts if p is not None]
    return ops.cat(parts) if len(parts) > 1 else result


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """Integral by the trapezoidal rule."""
    y = floating(y)
    axis = axes_of("trapz", axis, y.ndim)[0]
    size = y.shape[axis]
    means = (ops.narrow(y, axis, 1, size - 1) + ops.narrow(y, axis, 0, size - 1)) / 2
    if x is None:
        return ops.sum(means * dx, dim=axis)
    steps = diff(floating(x))
    if steps.ndim == 1:
        steps = steps.reshape([-1 if i == axis else 1 for i in range(y.ndim)])
    return ops.sum(means * steps, dim=axis)


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """Values at `x` on the lines through the points (xp, fp), `xp` increasing."""
    x, xp, fp = floating(x), floating(xp), floating(fp)
    at = ops.clamp(ops.searchsorted(xp, x.reshape((-1,)), right=True), 1, xp.shape[0] - 1)
    low, high = ops.gather(xp, at - 1, 0), ops.gather(xp, at, 0)
    begin, end = ops.gather(fp, at - 1, 0), ops.gather(fp, at, 0)
    flat = x.reshape((-1,))
    result = begin + (end - begin) * (flat - low) / (high - low)
    result = ops.where(
        flat < xp[0], tensor(fp[0] if left is None else left).astype(fp.dtype), result
    )
    result = ops.where(
        flat > xp[-1], tensor(fp[-1] if right is None else right).astype(fp.dtype), result
    )
    return result.reshape(x.shape)


def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """Convolution of two vectors, in their common type."""
    a, v = tensor(a), tensor(v)
    result = correlate(a, ops.flip(v, (0,)), mode, "convolve")
    return result.astype((a.reshape((-1,))[:1] * v.reshape((-1,))[:1]).dtype)


def correlate(a: Any, v: Any, mode: str = "valid", _owner: str = "correlate") -> Any:
    """Correlation of two vectors."""
    a, v = floating(a), floating(v)
    if mode not in ("full", "same", "valid"):
        raise ValueError(
            f"For '{_owner}', the 'mode' must be 'full', 'same' or 'valid', but got {mode!r}."
        )
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(
            f"For '{_owner}', both must be vectors, but have the shapes {a.shape} and {v.shape}."
        )
    turned = a.shape[0] < v.shape[0]
    long, short = (v, a) if turned else (a, v)
    n = short.shape[0]
    before = {"valid": 0, "full": n - 1, "same": n // 2}[mode]
    after = {"valid": 0, "full": n - 1, "same": n - 1 - before}[mode]
    long = ops.pad(long, (before, after))
    count = long.shape[0] - n + 1
    result = ops.stack([ops.sum(long[i : i + n] * short) for i in range(count)])
    return ops.flip(result, (0,)) if turned else result


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Any:
    """Covariances of variables, which are the rows of `m` (and `y`) unless not `rowvar`."""
    m = _variables(m, rowvar)
    if y is not None:
        m = ops.cat([m, _variables(y, rowvar)])
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            given = tensor(given).astype(m.dtype)
            weights = given if weights is None else weights * given
    if weights is None:
        m = m - ops.mean(m, 1, True)
        return cast(ops.matmul(m, m.T) / (m.shape[1] - ddof), dtype)
    total = ops.sum(weights)
    m = m - ops.sum(m * weights, dim=1, keepdim=True) / total
    last = total if aweights is None else ops.sum(weights * tensor(aweights)) / total
    return cast(
        ops.matmul(m * weights, m.T) / (total - ddof * (1 if aweights is None else last)), dtype
    )


def _variables(m: Any, rowvar: bool) -> Any:
    m = floating(m)
    if m.ndim > 2:
        raise ValueError(
            f"For 'cov', the variables must be a matrix or a vector, but have shape {m.shape}."
        )
    m = m.reshape((1, -1)) if m.ndim < 2 else m
    return m if rowvar or m.shape[0] == 1 else m.T


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Any:
    """Correlation coefficients of variables; see cov."""
    c = cov(x, y, rowvar)
    if not c.ndim or c.shape == (1, 1):
        return cast(c / c, dtype)
    d = ops.sqrt(ops.diagonal(c))
    return cast(c / d.reshape((-1, 1)) / d.reshape((1, -1)), dtype)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Slopes along axes: central differences inside, one-sided ones at the edges."""
    f = floating(f)
    if edge_order != 1:
        raise ValueError(f"For 'gradient', the 'edge_order' must be 1, but got {edge_order}.")
    axes = axes_of("gradient", axis, f.ndim)
    steps = varargs * len(axes) if len(varargs) == 1 else varargs or (1,) * len(axes)
    if len(steps) != len(axes):
        raise TypeError(
            f"For 'gradient', there must be one step or one per axis, but got {len(varargs)}."
        )
    result = []
    for a, step in zip(axes, steps, strict=True):
        size = f.shape[a]
        if size < 2:
            raise ValueError(
                f"For 'gradient', every axis must have 2 elements, but the shape is {f.shape}."
            )
        parts = [ops.narrow(f, a, 1, 1) - ops.narrow(f, a, 0, 1)]
        if size > 2:
            parts.append((ops.narrow(f, a, 2, size - 2) - ops.narrow(f, a, 0, size - 2)) / 2)
        parts.append(ops.narrow(f, a, size - 1, 1) - ops.narrow(f, a, size - 2, 1))
        result.append(ops.cat(parts, a) / step)
    return result[0] if len(result) == 1 else result


def unwrap(p: Any, discont: float = math.pi, axis: int = -1) -> Any:
    """Angles without jumps of more than `discont`: whole turns are added."""
    p = floating(p)
    axis = axes_of("unwrap", axis, p.ndim)[0]
    steps = diff(p, axis=axis)
    turned = ops.floor_mod(steps + math.pi, 2 * math.pi) - math.pi
    turned = ops.where(ops.logical_and(turned == -math.pi, steps > 0), -turned, turned)
    correction = ops.where(ops.abs(steps) < discont, steps * 0, turned - steps)
    moved = ops.narrow(p, axis, 1, p.shape[axis] - 1) + ops.cumsum(correction, axis)
    return ops.cat([ops.narrow(p, axis, 0, 1), moved], axis)


def polyval(p: Any, x: Any) -> Any:
    """Value of a polynomial, its highest coefficient first, as floats."""
    p, x = floating(p), floating(x)
    result = x * 0
    for i in range(p.shape[0]):
        result = result * x + p[i]
    return result


def polyadd(a1: Any, a2: Any) -> Any:
    """Sum of two polynomials."""
    a1, a2 = tensor(a1), tensor(a2)
    n = builtins.max(a1.shape[0], a2.shape[0])
    return ops.pad(a1, (n - a1.shape[0], 0)) + ops.pad(a2, (n - a2.shape[0], 0))


def polysub(a1: Any, a2: Any) -> Any:
    """Difference of two polynomials."""
    return polyadd(a1, -tensor(a2))


def polymul(a1: Any, a2: Any) -> Any:
    """Product of two polynomials."""
    return convolve(a1, a2)


def polyder(p: Any, m: int = 1) -> Any:
    """Derivative of a polynomial, `m` times."""
    p = tensor(p)
    for _ in range(m):
        n = p.shape[0]
        p = p[:-1] * tensor([n - 1 - i for i in range(n - 1)]).astype(p.dtype)
    return p


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """Integral of a polynomial, `m` times, with the constants `k` (0)."""
    p = floating(p)
    constants = [0] * m if k is None else [k] * m if not isinstance(k, (list, tuple)) else list(k)
    for i in range(m):
        n = p.shape[0]
        p = p / tensor([n - j for j in range(n)]).astype(p.dtype)
        p = ops.cat([p, tensor([float(constants[i])]).astype(p.dtype)])
    return p


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """Number of the bin of each value; `bins` increase or decrease."""
    bins = floating(bins)
    behind = searchsorted(ops.flip(bins, (0,)), x, "left" if right else "right")
    before = searchsorted(bins, x, "left" if right else "right")
    return ops.where(bins[0] > bins[-1], bins.shape[0] - behind, before)


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where values belong into a sorted vector."""
    if side not in ("left", "right"):
        raise ValueError(
            f"For 'searchsorted', the 'side' must be 'left' or 'right', but got {side!r}."
        )
    a, v = floating(a), floating(v)
    a = a if sorter is None else ops.gather(a, tensor(sorter), 0)
    place = ops.searchsorted(a, v.reshape((-1,)), right=side == "right")
    return place.reshape(v.shape).astype(int32)


def bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    """How often each number occurs, or the sum of its weights, as float32."""
    x = tensor(x).reshape((-1,))
    size = length if length is not None else None
    if size is None:
        size = builtins.max(int(ops.amax(x).asnumpy()) + 1, minlength)
    marks = (x.reshape((-1, 1)) == ops.arange(size).reshape((1, -1))).astype(float32)
    if weights is not None:
        marks = marks * floating(weights).reshape((-1, 1))
    return ops.sum(marks, dim=0)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Edges of bins of equal width, or those given."""
    if not isinstance(bins, int):
        return tensor(bins)
    a = floating(a)
    low, high = (ops.amin(a), ops.amax(a)) if range is None else (float(range[0]), float(range[1]))
    share = ops.arange(bins + 1).astype(float32) / bins
    return ops.where(share == 1, high, low + (high - low) * share)      # the last edge exactly


def histogram(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> Any:
    """Number (or weight) of values in each bin, as float32, and the edges."""
    a = floating(a).reshape((-1,))
    edges = histogram_bin_edges(a, bins, range).astype(float32)
    marks = _marks(a, edges)
    if weights is not None:
        marks = marks * floating(weights).reshape((-1, 1))
    count = ops.sum(marks, dim=0)
    if density:
        count = count / ops.sum(count) / (edges[1:] - edges[:-1])
    return count, edges


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> Any:
    """Number of points in each bin of a plane, and the edges of both axes."""
    if isinstance(bins, (list, tuple)) and len(bins) != 2:
        bins = [bins, bins]
    count, edges = histogramdd([x, y], bins, range, weights, density)
    return count, edges[0], edges[1]


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> Any:
    """Number of points (rows of a matrix, or a list of coordinates) in each bin, and the edges of each axis."""
    columns = (
        [floating(c) for c in sample]
        if isinstance(sample, (list, tuple))
        else list(floating(sample).T)
    )
    bins = [bins] * len(columns) if isinstance(bins, int) else bins
    count: Any = None
    edges = []
    for i, column in enumerate(columns):
        edge = histogram_bin_edges(column, bins[i], None if range is None else range[i]).astype(
            float32
        )
        marks = _marks(column, edge)
        count = (
            marks
            if count is None
            else ops.expand_dims(count, -1)
            * marks.reshape([marks.shape[0]] + [1] * (count.ndim - 1) + [marks.shape[1]])
        )
        edges.append(edge)
    if weights is not None:
        count = count * floating(weights).reshape([-1] + [1] * (count.ndim - 1))
    count = ops.sum(count, dim=0)
    if density:
        for i, edge in enumerate(edges):
            shape = [-1 if i == k else 1 for k in builtins.range(count.ndim)]
            count = count / (edge[1:] - edge[:-1]).reshape(shape)
        volumes = [(e[1:] - e[:-1]) for e in edges]
        total = count
        for i, volume in enumerate(volumes):
            total = total * volume.reshape(
                [-1 if i == k else 1 for k in builtins.range(count.ndim)]
            )
        count = count / ops.sum(total)
    return count, edges


def _marks(column: Any, edges: Any) -> Any:
    """1 where a value (row) lies in a bin (column); the last bin holds its upper edge."""
    column, n = column.reshape((-1, 1)), edges.shape[0] - 1
    inside = ops.logical_and(column >= edges[:-1], column < edges[1:])
    last = ops.logical_and(column == edges[-1], ops.arange(n) == n - 1)
    return ops.logical_or(inside, last).astype(float32)


def promote_types(type1: Any, type2: Any) -> Any:
    """The type of a sum of both."""
    return (ops.zeros((), type1) + ops.zeros((), type2)).dtype


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The type of a sum of all."""
    result = None
    for item in arrays_and_dtypes:
        dtype = (
            item.dtype
            if is_tensor(item)
            else tensor(item).dtype
            if isinstance(item, (int, float))
            else item
        )
        result = dtype if result is None else promote_types(result, dtype)
    return result


__all__ = [name for name in globals() if name not in _imported and not name.startswith("_")]
