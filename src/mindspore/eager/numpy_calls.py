"""What NumPy computes with tensors: its functions take them as arrays and give arrays.

`array * tensor` is a function of NumPy's, too, and gives an array, unless a gradient is followed through the tensor: then
it is the tensor's own operator, because an array has no place on the tape. So is `number * tensor` for numbers of
NumPy's, as in compiled functions.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from mindspore.ir import tree
from mindspore.ir.runtime import base, runtime

_number: Any = np.generic
_ARITHMETIC: dict[Any, Any] = {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul, np.true_divide: operator.truediv,
    np.floor_divide: operator.floordiv, np.remainder: operator.mod, np.power: operator.pow, np.matmul: operator.matmul,
    np.bitwise_and: operator.and_, np.bitwise_or: operator.or_, np.bitwise_xor: operator.xor}
_COMPARISONS: dict[Any, Any] = {
    np.less: operator.lt, np.less_equal: operator.le, np.greater: operator.gt, np.greater_equal: operator.ge,
    np.equal: operator.eq, np.not_equal: operator.ne}


class SeenByNumPy:
    """How a tensor answers NumPy's functions."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and not options:
            arithmetic = _ARITHMETIC.get(ufunc)
            infix = arithmetic or _COMPARISONS.get(ufunc)
            if infix and any([isinstance(x, _number) or (arithmetic and _is_followed(x)) for x in inputs]):
                return infix(*[x if isinstance(x, SeenByNumPy) else base.tensor(x) for x in inputs])
        return getattr(ufunc, method)(*_arrays(inputs), **_arrays(options))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func(*_arrays(args), **_arrays(kwargs))


def _is_followed(x: Any) -> bool:
    return runtime.depth > 0 and isinstance(x, SeenByNumPy) and getattr(x, "_var", None) is not None


def _arrays(values: Any) -> Any:
    return tree.rebuild(values, _is_tensor, iter([t.asnumpy() for t in tree.leaves(values, _is_tensor)]))


def _is_tensor(value: Any) -> bool:
    return isinstance(value, SeenByNumPy)
