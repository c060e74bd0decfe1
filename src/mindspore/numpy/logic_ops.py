"""Functions whose results are True or False: `mindspore.numpy.logic_ops`."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core.dtype import bool_

from .arguments import cast, elementwise, floating, pairwise, tensor

_imported = set(globals())


def _truth(value: Any) -> Any:
    value = tensor(value)
    return value if value.dtype == bool_ else value != 0


equal = pairwise("equal", ops.equal, "Whether two are equal.")
not_equal = pairwise("not_equal", ops.not_equal, "Whether two differ.")
less = pairwise("less", ops.less, "Whether x1 is less.")
less_equal = pairwise("less_equal", ops.less_equal, "Whether x1 is not greater.")
greater = pairwise("greater", ops.gt, "Whether x1 is greater.")
greater_equal = pairwise("greater_equal", ops.ge, "Whether x1 is not less.")
logical_and = pairwise("logical_and", ops.logical_and, "Whether both are true.", _truth)
logical_or = pairwise("logical_or", ops.logical_or, "Whether one is true.", _truth)
logical_xor = pairwise("logical_xor", ops.logical_xor, "Whether exactly one is true.", _truth)
isfinite = elementwise("isfinite", ops.isfinite, "Whether neither infinite nor nan.", floating)
isinf = elementwise("isinf", ops.isinf, "Whether infinite.", floating)
isnan = elementwise("isnan", ops.isnan, "Whether not a number.", floating)
signbit = elementwise("signbit", lambda x: x < 0, "Whether less than 0.")


def logical_not(a: Any, dtype: Any = None) -> Any:
    """Whether false."""
    return cast(ops.logical_not(_truth(a)), dtype)


def isneginf(x: Any) -> Any:
    """Whether minus infinity."""
    return floating(x) == float("-inf")


def isposinf(x: Any) -> Any:
    """Whether plus infinity."""
    return floating(x) == float("inf")


def isscalar(element: Any) -> bool:
    """Whether a number or text of Python."""
    return isinstance(element, (int, float, bool, str))


def isclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Whether |a - b| <= atol + rtol * |b|."""
    return ops.isclose(floating(a), floating(b), rtol, atol, equal_nan)


def in1d(ar1: Any, ar2: Any, invert: bool = False) -> Any:
    """Whether each element of the flattened `ar1` is in `ar2`."""
    found = ops.any(tensor(ar1).reshape((-1, 1)) == tensor(ar2).reshape((1, -1)), 1)
    return ops.logical_not(found) if invert else found


def isin(element: Any, test_elements: Any, invert: bool = False) -> Any:
    """Whether each element is in `test_elements`."""
    return in1d(element, test_elements, invert).reshape(tensor(element).shape)


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether shapes and elements are equal."""
    a1, a2 = tensor(a1), tensor(a2)
    if a1.shape != a2.shape:
        return tensor(False)
    same = a1 == a2
    if equal_nan:
        same = ops.logical_or(same, ops.logical_and(isnan(a1), isnan(a2)))
    return ops.all(same)


def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether elements are equal after broadcasting."""
    a1, a2 = tensor(a1), tensor(a2)
    pairs = zip(reversed(a1.shape), reversed(a2.shape), strict=False)
    if any([m != n and 1 not in (m, n) for m, n in pairs]):
        return tensor(False)
    return ops.all(a1 == a2)


def sometrue(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether any element over axes is true."""
    return ops.any(_truth(a), axis, keepdims)


__all__ = [name for name in globals() if name not in _imported and not name.startswith("_")]
