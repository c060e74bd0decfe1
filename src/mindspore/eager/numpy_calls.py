"""What NumPy computes with tensors: its functions take them as arrays and give arrays.

`array * tensor` is a function of NumPy's, too, and gives an array, unless a gradient is followed through the tensor:
then it is the tensor's own operator, because an array has no place on the tape. So is `number * tensor` for numbers
of NumPy's, as in compiled functions.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from mindspore.ir import tree
from mindspore.ir.runtime import base, runtime

_number: Any = np.generic
_python: Any = operator
_ARITHMETIC: dict[Any, Any] = {
    np.add: _python.add, np.subtract: _python.sub, np.multiply: _python.mul, np.true_divide: _python.truediv,
    np.floor_divide: _python.floordiv, np.remainder: _python.mod, np.power: _python.pow, np.matmul: _python.matmul,
    np.bitwise_and: _python.and_, np.bitwise_or: _python.or_, np.bitwise_xor: _python.xor}
_COMPARISONS: dict[Any, Any] = {
    np.less: _python.lt, np.less_equal: _python.le, np.greater: _python.gt, np.greater_equal: _python.ge,
    np.equal: _python.eq, np.not_equal: _python.ne}


class SeenByNumPy:
    """How a tensor answers the functions of NumPy."""

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
