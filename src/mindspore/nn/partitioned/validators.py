"""Checks of arguments as decorators, which programs import from `mindspore.nn.transformer.layers`."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

Validator = Callable[[Any, str], Any]


def _args_type_validator_check(*type_args: Validator, **type_kwargs: Validator) -> Callable[[Any], Any]:
    """Decorate a function so that its arguments are checked before it runs.

    Args:
        type_args: Checks of the arguments in their order; each is called with the value and its name.
        type_kwargs: Checks of arguments by name.

    Returns:
        The decorator.

    Raises:
        TypeError: If there is a check of an argument that the function does not have.

    Examples:
        >>> from mindspore.nn.transformer.layers import _args_type_validator_check, _valid_value_checks
        >>> @_args_type_validator_check(act=_valid_value_checks(["relu", "gelu"], "Adapter"))
        ... def adapter(act="relu"):
        ...     return act
        >>> adapter("gelu")
        'gelu'
    """
    def decorated(fn: Any) -> Any:
        signature = inspect.signature(fn)
        checks = signature.bind_partial(*type_args, **type_kwargs).arguments

        @functools.wraps(fn)
        def checked(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            for name, value in given.arguments.items():
                if name in checks:
                    checks[name](value, name)
            return fn(*args, **kwargs)

        return checked
    return decorated


def _valid_type_checks(types: Sequence[type], class_name: str) -> Validator:
    """A check that a value is an instance of one of some classes.

    Args:
        types: The classes.
        class_name: Whose argument it is.

    Returns:
        The check, of the value and the argument's name.

    Examples:
        >>> from mindspore.nn.transformer.layers import _valid_type_checks
        >>> _valid_type_checks([int, float], "Adapter")(2, "rank")
        2
    """
    def check(value: Any, name: str) -> Any:
        if not isinstance(value, tuple(types)):
            named = ", ".join(t.__name__ for t in types)
            raise TypeError(f"For '{class_name}', the '{name}' must be one of the types {named}, but got {value!r} of "
                            f"the type {type(value).__name__}.")
        return value
    return check


def _valid_value_checks(types: Sequence[Any], class_name: str) -> Validator:
    """A check that a value, such as an element type or a word, is one of some values.

    Args:
        types: The values.
        class_name: Whose argument it is.

    Returns:
        The check, of the value and the argument's name.

    Examples:
        >>> from mindspore.nn.transformer.layers import _valid_value_checks
        >>> _valid_value_checks(["relu", "gelu"], "Adapter")("gelu", "non_linearity")
        'gelu'
    """
    def check(value: Any, name: str) -> Any:
        if value not in types:
            raise TypeError(f"For '{class_name}', the '{name}' must be one of {[str(t) for t in types]}, but got "
                            f"{value!r} of the type {type(value).__name__}.")
        return value
    return check
