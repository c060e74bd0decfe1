"""Functions of `mindspore.ops.composite` that differ from those of the same name in `mindspore.ops`."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from mindspore.eager.tensor import is_tensor
from mindspore.operators import structure

from . import functions


def zeros_like(*args: Any) -> Any:
    """Zeros like a tensor, a number (0 of its type), or each element of a tuple or list.

    Args:
        args: One value.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.zeros_like((Tensor([1.0, 2.0]), 3))[1]
        0
    """
    return _alike("zeros_like", structure.zeros_like, 0, args)


def ones_like(*args: Any) -> Any:
    """Ones like a tensor, a number (1 of its type), or each element of a tuple or list.

    Args:
        args: One value.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.ones_like([Tensor([2.0, 3.0]), 5.0])[0].tolist()
        [1.0, 1.0]
    """
    return _alike("ones_like", structure.ones_like, 1, args)


def _alike(owner: str, of_tensor: Callable[[Any], Any], number: int, args: tuple[Any, ...]) -> Any:
    if len(args) != 1:
        raise TypeError(f"For '{owner}', one value is wanted, but got {len(args)}.")
    (value,) = args
    if is_tensor(value):
        return of_tensor(value)
    if isinstance(value, (tuple, list)):
        found = [_alike(owner, of_tensor, number, (v,)) for v in value]
        return tuple(found) if isinstance(value, tuple) else found
    if isinstance(value, (bool, int, float)):
        return type(value)(number)
    raise TypeError(f"For '{owner}', the value must be a tensor, a number or a tuple or list of them, but got "
                    f"{value!r}.")


def matmul(x1: Any, x2: Any, dtype: Any = None) -> Any:
    """The product of two tensors over the last axis of the first and the second last of the second, as NumPy's.

    Args:
        x1: (..., m, k) or (k,).
        x2: (..., k, n) or (k,).
        dtype: The element type of the result. Default: that of the product.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.matmul(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), mindspore.float16).tolist()
        11.0
    """
    found = functions.matmul(x1, x2)
    return found if dtype is None else structure.cast(found, dtype=dtype)


def _augmented(sign: str, function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def augassign(*args: Any) -> Any:
        left, right = args
        return function(left, right)
    augassign.__doc__ = f"What `x {sign}= y` gives `x` for two arguments x and y, which stay as they are."
    return augassign


augassign_add = _augmented("+", operator.add)
augassign_sub = _augmented("-", operator.sub)
augassign_mul = _augmented("*", operator.mul)
augassign_div = _augmented("/", operator.truediv)
augassign_floordiv = _augmented("//", operator.floordiv)
augassign_mod = _augmented("%", operator.mod)


def hyper_add(*args: Any) -> Any:
    """The sum of two values, element by element of tuples and lists."""
    left, right = args
    if isinstance(left, (tuple, list)):
        if not isinstance(right, type(left)) or len(left) != len(right):
            raise TypeError("For 'hyper_add', the arguments must have one structure.")
        return type(left)([hyper_add(a, b) for a, b in zip(left, right, strict=True)])
    return left + right


def _of_python(name: str, function: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        return function(*args)
    run.__name__, run.__doc__ = name, doc
    return run


in_ = _of_python("in_", lambda x, many: x in many, "`x in many`.")
not_in_ = _of_python("not_in_", lambda x, many: x not in many, "`x not in many`.")
pow_ = _of_python("pow_", operator.pow, "`x ** y`.")
left_shift = _of_python("left_shift", operator.lshift, "`x << y`.")
right_shift = _of_python("right_shift", operator.rshift, "`x >> y`.")
uadd = _of_python("uadd", operator.pos, "`+x`.")

__all__ = ["augassign_add", "augassign_div", "augassign_floordiv", "augassign_mod", "augassign_mul", "augassign_sub",
           "hyper_add", "matmul", "ones_like", "zeros_like"]
