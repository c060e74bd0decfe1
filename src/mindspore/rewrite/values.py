"""What nodes take and give: names, constants, and containers of them."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum
from typing import Any

from mindspore.core import check


class ValueType(Enum):
    """The kind of a `ScopedValue`."""

    ConstantValue = 0
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41
    UnsupportedValue = 50


class ScopedValue:
    """A value in a network's code: a name, a constant, a container of such, an object, or any other expression.

    Args:
        arg_type: The kind.
        scope: What stands before the dot of a name, such as "self".
        value: The name, the constant, the elements, the object, or the text of the expression.

    Examples:
        >>> from mindspore.rewrite import ScopedValue
        >>> ScopedValue.create_naming_value("weight", "self"), ScopedValue.create_variable_value((1, 2))
        (self.weight, (1, 2))
    """

    def __init__(self, arg_type: ValueType, scope: str = "", value: Any = None):
        self.type = check.instance(self, "arg_type", arg_type, ValueType)
        self.scope = check.string(self, "scope", scope)
        self.value = value

    @classmethod
    def create_variable_value(cls, value: Any) -> ScopedValue:
        """A constant, a container of constants, or any object.

        Args:
            value: The value.

        Returns:
            The `ScopedValue`.
        """
        if isinstance(value, cls):
            return value
        if value is None or isinstance(value, (bool, int, float, str)):
            return cls(ValueType.ConstantValue, "", value)
        if type(value) in (tuple, list):
            kind = ValueType.TupleValue if type(value) is tuple else ValueType.ListValue
            return cls(kind, "", tuple(cls.create_variable_value(v) for v in value))
        if type(value) is dict:
            return cls(ValueType.DictValue, "", {k: cls.create_variable_value(v) for k, v in value.items()})
        return cls(ValueType.CustomObjValue, "", value)

    @classmethod
    def create_naming_value(cls, name: str, scope: str = "") -> ScopedValue:
        """A name.

        Args:
            name: The name.
            scope: What stands before its dot.

        Returns:
            The `ScopedValue`.

        Raises:
            TypeError: If an argument is no str.
        """
        check.string("create_naming_value", "name", name)
        return cls(ValueType.NamingValue, check.string("create_naming_value", "scope", scope), name)

    @classmethod
    def create_name_values(cls, names: Sequence[str], scopes: Sequence[str] | None = None) -> list[ScopedValue]:
        """Several names.

        Args:
            names: The names.
            scopes: What stands before their dots. Default: nothing.

        Returns:
            One `ScopedValue` for each.

        Raises:
            TypeError: If an argument is no list or tuple of str.
            ValueError: If the lengths differ.
        """
        check.instance("create_name_values", "names", names, (list, tuple))
        scopes = [""] * len(names) if scopes is None else scopes
        if len(scopes) != len(names):
            raise ValueError(f"For 'create_name_values', there must be one scope per name, but got {len(scopes)} for "
                             f"{len(names)}.")
        return [cls.create_naming_value(n, s) for n, s in zip(names, scopes, strict=True)]

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, ScopedValue) and (self.type, self.scope, self.value) == (
            other.type, other.scope, other.value)

    def __hash__(self) -> int:
        return hash((self.type, self.scope, str(self.value)))

    def __repr__(self) -> str:
        if self.type in (ValueType.NamingValue, ValueType.UnsupportedValue):
            return f"{self.scope}.{self.value}" if self.scope else str(self.value)
        if self.type is ValueType.TupleValue:
            return f"({', '.join(map(repr, self.value))}{',' if len(self.value) == 1 else ''})"
        if self.type is ValueType.ListValue:
            return f"[{', '.join(map(repr, self.value))}]"
        return repr(self.value)


def as_value(owner: str, name: str, given: Any) -> ScopedValue:
    """A `ScopedValue`, from one or from a name."""
    check.instance(owner, name, given, (ScopedValue, str))
    if isinstance(given, ScopedValue):
        return given
    scope, _, last = given.rpartition(".")
    return ScopedValue.create_naming_value(last, scope)


def from_tree(expr: ast.expr) -> ScopedValue:
    """The value of a simple expression; of another one, its text."""
    if isinstance(expr, ast.Constant):
        return ScopedValue(ValueType.ConstantValue, "", expr.value)
    if isinstance(expr, ast.Name):
        return ScopedValue.create_naming_value(expr.id)
    if isinstance(expr, ast.Attribute) and _dotted(expr.value):
        return ScopedValue.create_naming_value(expr.attr, ast.unparse(expr.value))
    if isinstance(expr, (ast.Tuple, ast.List)):
        kind = ValueType.TupleValue if isinstance(expr, ast.Tuple) else ValueType.ListValue
        return ScopedValue(kind, "", tuple(from_tree(e) for e in expr.elts))
    return ScopedValue(ValueType.UnsupportedValue, "", ast.unparse(expr))


def _dotted(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Name) or (isinstance(expr, ast.Attribute) and _dotted(expr.value))


def names_in(value: ScopedValue) -> list[str]:
    """The local names that a value reads, in order."""
    text = repr(value).lstrip("*")
    return [n.id for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name) and n.id != "self"]
