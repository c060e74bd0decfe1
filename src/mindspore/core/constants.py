"""Values of Python and NumPy that never change: when two of them are one constant to a program."""
from __future__ import annotations

from typing import Any

import numpy as np

_EXACT = frozenset[Any]([bool, int, str, bytes, type(None), type(Ellipsis)])      # equal ones are the same
_BY_TEXT = frozenset[Any]([float, complex])       # 0.0 is not -0.0, and one NaN is another
SIMPLE = _EXACT | _BY_TEXT


def constant_key(value: Any) -> Any:
    """What is equal for two values if and only if they are one constant; None for what is none.

    Args:
        value: Anything; a number, text, range, slice, scalar or dtype of NumPy, or frozenset of such is a constant.

    Returns:
        A hashable key.

    Examples:
        >>> from mindspore.core.constants import constant_key
        >>> constant_key(0.0) == constant_key(-0.0), constant_key(float("nan")) == constant_key(float("nan"))
        (False, True)
    """
    kind: Any = type(value)
    if kind in _EXACT:
        return kind, value
    if kind in _BY_TEXT:
        return kind, repr(value)
    if isinstance(value, np.generic):
        return kind, str(value.dtype), value.tobytes()
    if isinstance(value, np.dtype):
        return np.dtype, value
    if kind is range or kind is slice:
        parts = [constant_key(part) for part in (value.start, value.stop, value.step)]
    elif kind is frozenset:
        parts = [constant_key(part) for part in value]
    else:
        return None
    return None if None in parts else (kind, (frozenset if kind is frozenset else tuple)(parts))


def same_constant(now: Any, before: Any) -> bool:
    """Whether two values of one type are one constant.

    Args:
        now: A value.
        before: A value of the same type.

    Returns:
        False for what is no constant, too.

    Examples:
        >>> from mindspore.core.constants import same_constant
        >>> same_constant(range(0, 3, 2), range(0, 4, 2)), same_constant([1], [1])
        (False, False)
    """
    if type(now) in _EXACT:
        return now == before
    key = constant_key(now)
    return key is not None and key == constant_key(before)
