"""Argument checks under the names that programs import from `mindspore._checkparam`.

2.x has them as functions of the module, 1.x as static methods of `Validator`. Orders of arguments, messages and classes
of errors are those that such programs know; the package itself uses `mindspore.core.check`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Any

from mindspore.core import validator_kinds, validator_shapes
from mindspore.core.dtype import Type


class Rel(IntEnum):
    """How a value must relate to a bound, to two bounds, or to a collection."""

    EQ = 1
    NE = 2
    LT = 3
    LE = 4
    GT = 5
    GE = 6
    INC_NEITHER = 7
    INC_LEFT = 8
    INC_RIGHT = 9
    INC_BOTH = 10
    IN = 11
    NOT_IN = 12

    def holds(self, value: Any, bound: Any) -> bool:
        """Whether `value` stands in this relation to `bound`."""
        if self in _INTERVALS:
            low, high = bound
            return (low <= value if self in _WITH_LOW else low < value) and (
                value <= high if self in _WITH_HIGH else value < high
            )
        return bool(_COMPARISONS[self][1](value, bound))

    def text(self, bound: Any) -> str:
        """The relation in words."""
        if self in _INTERVALS:
            low, high = bound
            left = "[" if self in _WITH_LOW else "("
            right = "]" if self in _WITH_HIGH else ")"
            return f"be in range of {left}{low}, {high}{right}"
        return f"{_COMPARISONS[self][0]} {bound}"


EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = Rel
_WITH_LOW, _WITH_HIGH = (INC_LEFT, INC_BOTH), (INC_RIGHT, INC_BOTH)
_INTERVALS = (INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH)
_COMPARISONS: dict[Rel, tuple[str, Callable[[Any, Any], Any]]] = {
    EQ: ("=", operator.eq),
    NE: ("!=", operator.ne),
    LT: ("<", operator.lt),
    LE: ("<=", operator.le),
    GT: (">", operator.gt),
    GE: (">=", operator.ge),
    IN: ("be in", lambda value, bound: value in bound),
    NOT_IN: ("not be in", lambda value, bound: value not in bound),
}


def _subject(arg_name: str | None, prim_name: str | None) -> str:
    name = f"'{arg_name}'" if arg_name else "input value"
    return f"For '{prim_name}', the {name}" if prim_name else f"The {name}"


def _number(
    kind: type, value: Any, bound: Any, rel: int, name: str | None, prim_name: str | None
) -> Any:
    """`value` if it is of that kind (a bool is no number) and stands in the relation to `bound`."""
    said = f"{_subject(name, prim_name)} must be {kind.__name__} and must {Rel(rel).text(bound)}"
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"{said}, but got '{value}' with type '{type(value).__name__}'.")
    if not Rel(rel).holds(value, bound):
        raise ValueError(f"{said}, but got '{value}' with type '{type(value).__name__}'.")
    return value


def check(
    arg_name: str,
    arg_value: Any,
    value_name: str,
    value: Any,
    rel: int = Rel.EQ,
    prim_name: str | None = None,
    excp_cls: type[Exception] = ValueError,
) -> Any:
    """`arg_value` if it stands in the relation to `value`."""
    if not Rel(rel).holds(arg_value, value):
        wanted = Rel(rel).text(f"{value_name}: {value}")
        raise excp_cls(f"{_subject(arg_name, prim_name)} should be {wanted}, but got {arg_value}.")
    return arg_value


def check_int(
    arg_value: Any, value: int, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> int:
    """`arg_value` if it is an int that stands in the relation to `value`."""
    return _number(int, arg_value, value, rel, arg_name, prim_name)


def check_float(
    arg_value: Any,
    value: float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> float:
    """`arg_value` if it is a float that stands in the relation to `value`."""
    return _number(float, arg_value, value, rel, arg_name, prim_name)


def check_equal_int(
    arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None
) -> int:
    """`arg_value` if it is the int `value`."""
    return check_int(arg_value, value, Rel.EQ, arg_name, prim_name)


def _against_zero(kind: type, rel: Rel) -> Callable[..., Any]:
    def checked(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
        return _number(kind, arg_value, 0, rel, arg_name, prim_name)

    checked.__doc__ = f"`arg_value` if it is of type {kind.__name__} and {rel.text(0)}."
    return checked


check_positive_int = _against_zero(int, Rel.GT)
check_negative_int = _against_zero(int, Rel.LT)
check_non_negative_int = _against_zero(int, Rel.GE)
check_non_positive_int = _against_zero(int, Rel.LE)
check_positive_float = _against_zero(float, Rel.GT)
check_negative_float = _against_zero(float, Rel.LT)
check_non_negative_float = _against_zero(float, Rel.GE)
check_non_positive_float = _against_zero(float, Rel.LE)


def _sequence(
    checked: Callable[..., Any], sequence: Any, name: str | None, prim: str | None
) -> Any:
    if not isinstance(sequence, (list, tuple)):
        raise TypeError(
            f"{_subject(name, prim)} must be a list or a tuple, but got {type(sequence).__name__}."
        )
    for i, value in enumerate(sequence):
        checked(value, f"{name}[{i}]", prim)
    return sequence


def check_positive_int_sequence(
    sequence: Sequence[Any], arg_name: str | None = None, prim_name: str | None = None
) -> Sequence[int]:
    """`sequence` if it is a list or tuple of ints above zero."""
    return _sequence(check_positive_int, sequence, arg_name, prim_name)


def check_non_negative_int_sequence(
    sequence: Sequence[Any], arg_name: str | None = None, prim_name: str | None = None
) -> Sequence[int]:
    """`sequence` if it is a list or tuple of ints of zero or more."""
    return _sequence(check_non_negative_int, sequence, arg_name, prim_name)


def check_positive_float_sequence(
    sequence: Sequence[Any], arg_name: str | None = None, prim_name: str | None = None
) -> Sequence[float]:
    """`sequence` if it is a list or tuple of floats above zero."""
    return _sequence(check_positive_float, sequence, arg_name, prim_name)


def check_int_range(
    arg_value: Any,
    lower_limit: int,
    upper_limit: int,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> int:
    """`arg_value` if it is an int between the limits."""
    return _number(int, arg_value, (lower_limit, upper_limit), rel, arg_name, prim_name)


def check_float_range(
    arg_value: Any,
    lower_limit: float,
    upper_limit: float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> float:
    """`arg_value` if it is a float between the limits."""
    return _number(float, arg_value, (lower_limit, upper_limit), rel, arg_name, prim_name)


def check_number(arg_name: str, arg_value: Any, value: Any, rel: int, prim_name: str | None) -> Any:
    """`arg_value` if it stands in the relation to `value`."""
    if not Rel(rel).holds(arg_value, value):
        wanted = Rel(rel).text(value)
        raise ValueError(f"{_subject(arg_name, prim_name)} must {wanted}, but got {arg_value}.")
    return arg_value


def _is(kind: type, value: Any, name: str | None, prim_name: str | None) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(
            f"{_subject(name, prim_name)} must be a {kind.__name__}, but got {type(value).__name__}."
        )
    return value


def check_bool(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> bool:
    """`arg_value` if it is a bool."""
    return _is(bool, arg_value, arg_name, prim_name)


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """`arg_value` if it is an int and no bool."""
    return _is(int, arg_value, arg_name, prim_name)


def check_is_float(
    arg_value: Any, arg_name: str | None = None, prim_name: str | None = None
) -> float:
    """`arg_value` if it is a float."""
    return _is(float, arg_value, arg_name, prim_name)


def check_string(
    arg_value: Any,
    valid_values: Iterable[str],
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> str:
    """`arg_value` if it is one of the strings."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        raise ValueError(
            f"{_subject(arg_name, prim_name)} must be str and must be in '{valid_values}', "
            f"but got '{arg_value}'."
        )
    return arg_value


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """`arg_value` if it is an instance of one of the classes; ValueError if not."""
    if not isinstance(arg_value, classes):
        raise ValueError(f"The '{arg_name}' must be an instance of {classes}, but got {arg_value}.")
    return arg_value


def check_value_type(
    arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None
) -> Any:
    """`arg_value` if it is of one of the types; a bool counts as an int only where bool is listed."""
    kinds = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    if not isinstance(arg_value, kinds) or (isinstance(arg_value, bool) and bool not in kinds):
        wanted = " or ".join(f"'{kind.__name__}'" for kind in kinds)
        raise TypeError(
            f"{_subject(arg_name, prim_name)} must be of type {wanted}, "
            f"but got type '{type(arg_value).__name__}'."
        )
    return arg_value


def check_type_name(
    arg_name: str, arg_type: Type, valid_types: Any, prim_name: str | None = None
) -> Type:
    """`arg_type` if it is one of the data types."""
    kinds = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    if arg_type not in kinds:
        wanted = " or ".join(str(kind) for kind in kinds)
        raise TypeError(f"{_subject(arg_name, prim_name)} must be {wanted}, but got {arg_type}.")
    return arg_type


def check_subclass(arg_name: str, type_: Type, template_types: Any, prim_name: str | None) -> None:
    """TypeError unless the data type is one of the others."""
    check_type_name(arg_name, type_, template_types, prim_name)


def check_number_range(
    arg_value: Any, lower_limit: Any, upper_limit: Any, rel: int, value_type: type, arg_name: str | None = None,
    prim_name: str | None = None,
) -> Any:
    """`arg_value` if it is of that type and within the limits."""
    return _number(value_type, arg_value, (lower_limit, upper_limit), rel, arg_name, prim_name)


def check_int_positive(input_param: int) -> int:
    """`input_param` if it is an int greater than zero; of 1.0."""
    return check_positive_int(input_param)


Validator = type(
    "Validator",
    (),
    {"__doc__": "The checks of this module as static methods."}
    | {
        name: staticmethod(f)
        for scope in (globals(), vars(validator_kinds), vars(validator_shapes))
        for name, f in list(scope.items())
        if name.startswith("check")
    },
)
__all__ = [
    "Rel",
    "Validator",
    *Rel.__members__,
    *(n for n in list(globals()) if n.startswith("check")),
]
