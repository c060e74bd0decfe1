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


equal = pairwise("equal", ops.equal, "Whether two are equal.", ("[1, 2], [1, 3]", "[ True False]"))
not_equal = pairwise("not_equal", ops.not_equal, "Whether two differ.", ("[1, 2], [1, 3]", "[False  True]"))
less = pairwise("less", ops.less, "Whether x1 is less.", ("[1, 2, 3], 2", "[ True False False]"))
less_equal = pairwise("less_equal", ops.less_equal, "Whether x1 is not greater.",
                      ("[1, 2, 3], 2", "[ True  True False]"))
greater = pairwise("greater", ops.gt, "Whether x1 is greater.", ("[1, 2, 3], 2", "[False False  True]"))
greater_equal = pairwise("greater_equal", ops.ge, "Whether x1 is not less.",
                         ("[1, 2, 3], 2", "[False  True  True]"))
logical_and = pairwise("logical_and", ops.logical_and, "Whether both are true.",
                       ("[1, 0], [1, 1]", "[ True False]"), _truth)
logical_or = pairwise("logical_or", ops.logical_or, "Whether one is true.",
                      ("[1, 0], [0, 0]", "[ True False]"), _truth)
logical_xor = pairwise("logical_xor", ops.logical_xor, "Whether exactly one is true.",
                       ("[1, 0], [1, 1]", "[False  True]"), _truth)
isfinite = elementwise("isfinite", ops.isfinite, "Whether neither infinite nor nan.",
                       ("[1.0, mnp.inf, mnp.nan]", "[ True False False]"), floating)
isinf = elementwise("isinf", ops.isinf, "Whether infinite.",
                    ("[1.0, mnp.inf, mnp.nan]", "[False  True False]"), floating)
isnan = elementwise("isnan", ops.isnan, "Whether not a number.",
                    ("[1.0, mnp.inf, mnp.nan]", "[False False  True]"), floating)
signbit = elementwise("signbit", lambda x: x < 0, "Whether less than 0.", ("[-2.0, 3.0]", "[ True False]"))


def logical_not(a: Any, dtype: Any = None) -> Any:
    """Whether false.

    Args:
        a: A tensor, or numbers that make one; elements other than 0 count as True.
        dtype: Type of the result; by default bool.

    Examples:
        >>> print(mnp.logical_not([1, 0]))
        [False  True]
    """
    return cast(ops.logical_not(_truth(a)), dtype)


def isneginf(x: Any) -> Any:
    """Whether minus infinity.

    Args:
        x: A tensor, or numbers that make one.

    Examples:
        >>> print(mnp.isneginf([-mnp.inf, mnp.inf, 1.0]))
        [ True False False]
    """
    return floating(x) == float("-inf")


def isposinf(x: Any) -> Any:
    """Whether plus infinity.

    Args:
        x: A tensor, or numbers that make one.

    Examples:
        >>> print(mnp.isposinf([-mnp.inf, mnp.inf, 1.0]))
        [False  True False]
    """
    return floating(x) == float("inf")


def isscalar(element: Any) -> bool:
    """Whether a number or text of Python.

    Args:
        element: Anything.

    Examples:
        >>> mnp.isscalar(2.5), mnp.isscalar(mnp.array(2.5))
        (True, False)
    """
    return isinstance(element, (int, float, bool, str))


def isclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Whether |a - b| <= atol + rtol * |b|.

    Args:
        a, b: Tensors, or numbers that make some; they are broadcast.
        rtol, atol: The relative and the absolute tolerance.
        equal_nan: Two nan count as close.

    Examples:
        >>> print(mnp.isclose([1.0, 2.0], [1.0, 2.1], rtol=0.01))
        [ True False]
    """
    return ops.isclose(floating(a), floating(b), rtol, atol, equal_nan)


def in1d(ar1: Any, ar2: Any, invert: bool = False) -> Any:
    """Whether each element of the flattened `ar1` is in `ar2`.

    Args:
        ar1: What is looked for.
        ar2: Among what: a tensor, or numbers that make one.
        invert: Whether it is not in it.

    Examples:
        >>> print(mnp.in1d([[1, 2], [3, 4]], [2, 4]))
        [False  True False  True]
    """
    found = ops.any(tensor(ar1).reshape((-1, 1)) == tensor(ar2).reshape((1, -1)), 1)
    return ops.logical_not(found) if invert else found


def isin(element: Any, test_elements: Any, invert: bool = False) -> Any:
    """Whether each element is in `test_elements`.

    Args:
        element: What is looked for.
        test_elements: Among what: a tensor, or numbers that make one.
        invert: Whether it is not among them.

    Examples:
        >>> print(mnp.isin([[1, 2], [3, 4]], [2, 4]))
        [[False  True]
         [False  True]]
    """
    return in1d(element, test_elements, invert).reshape(tensor(element).shape)


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether shapes and elements are equal.

    Args:
        a1, a2: Tensors, or numbers that make some.
        equal_nan: Two nan count as equal.

    Returns:
        A single bool as a tensor.

    Raises:
        TypeError: If `equal_nan` is no bool.

    Examples:
        >>> print(mnp.array_equal([1, 2], [1, 2]), mnp.array_equal([1, 2], [[1, 2]]))
        True False
    """
    if not isinstance(equal_nan, bool):
        raise TypeError(f"For 'array_equal', the 'equal_nan' must be a bool, but got {equal_nan!r}.")
    a1, a2 = tensor(a1), tensor(a2)
    if a1.shape != a2.shape:
        return tensor(False)
    same = a1 == a2
    if equal_nan:
        same = ops.logical_or(same, ops.logical_and(isnan(a1), isnan(a2)))
    return ops.all(same)


def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether elements are equal after broadcasting.

    Args:
        a1, a2: Tensors, or numbers that make some.

    Returns:
        A single bool as a tensor.

    Examples:
        >>> print(mnp.array_equiv([1, 2], [[1, 2], [1, 2]]))
        True
    """
    a1, a2 = tensor(a1), tensor(a2)
    pairs = zip(reversed(a1.shape), reversed(a2.shape), strict=False)
    if any([m != n and 1 not in (m, n) for m, n in pairs]):
        return tensor(False)
    return ops.all(a1 == a2)


def sometrue(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether any element over axes is true.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.sometrue([[0, 1], [0, 0]], axis=1))
        [ True False]
    """
    return ops.any(_truth(a), axis, keepdims)


__all__ = [name for name in globals() if name not in _imported and not name.startswith("_")]
