"""Checks of texts, element types and data under the names that programs import from `mindspore._checkparam`."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_FILE_NAME = r"^[0-9a-zA-Z@\_\-\.\:\/\\]+$"
_WORD = r"^\w+[0-9a-zA-Z\_\.]*$"


def _for(prim_name: str | None) -> str:
    return f"For '{prim_name}', the" if prim_name else "The"


def check_str_by_regular(
    target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """True if the text matches the expression, by default one word."""
    if not isinstance(target, str) or re.match(reg or _WORD, target, flag) is None:
        raise ValueError(f"{_for(prim_name)} '{target}' is illegal, it must be match regular'{reg or _WORD}'.")
    return True


def check_str_and_none_by_regular(
    target: str | None, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """True if the text is None or matches the expression, by default one word."""
    return target is None or check_str_by_regular(target, reg, flag, prim_name)


def check_file_name_by_regular(target: str, reg: str | None = None, prim_name: str | None = None) -> bool:
    """True if the text may be the name of a file."""
    return check_str_by_regular(target, reg or _FILE_NAME, re.ASCII, prim_name)


def check_valid_input(arg_name: str, arg_value: Any, prim_name: str) -> Any:
    """`arg_value` unless it is None."""
    if arg_value is None:
        raise ValueError(f"For '{prim_name}', the argument '{arg_name}' can not be None.")
    return arg_value


def check_input_format(input_param: str) -> str:
    """`input_param` if it is "NCHW"."""
    if input_param != "NCHW":
        raise ValueError(f"The data format must be NCHW, but got {input_param}.")
    return input_param


def check_hook_fn(hook_fn: Any) -> bool:
    """True if the hook is a function; a `staticmethod` object or a method is no plain one."""
    if not (inspect.isfunction(hook_fn) or inspect.ismethod(hook_fn)):
        raise TypeError(f"When using 'hook_type(hook_fn)', the type of 'hook_fn' must be python function, "
                        f"but got {type(hook_fn)}.")
    return True


def _one_kind(arg_name: str, value: Any, valid_types: Iterable[type], prim_name: str | None) -> None:
    kinds = tuple(valid_types)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " or ".join([kind.__name__ for kind in kinds])
        raise TypeError(f"{_for(prim_name)} type of '{arg_name}' should be {wanted}, but got '{value}' with type "
                        f"'{type(value).__name__}'.")


def check_element_type_of_iterable(
    arg_name: str, arg_value: Iterable[Any], valid_types: Iterable[type], prim_name: str | None = None
) -> None:
    """TypeError unless every element is of one of the types."""
    for value in arg_value:
        _one_kind(arg_name, value, valid_types, prim_name)


def check_element_type_of_dict(arg_name: str, arg_value: Mapping[Any, Any], key_types: Iterable[type],
                               value_types: Iterable[type], prim_name: str | None = None) -> None:
    """TypeError unless every key and every value is of one of its types."""
    check_element_type_of_iterable(arg_name, arg_value, key_types, prim_name)
    check_element_type_of_iterable(arg_name, arg_value.values(), value_types, prim_name)


def check_size_and_element_type_of_tuple(arg_name: str, arg_value: Any, expect_size: int, expect_element_type: type,
                                         prim_name: str | None = None) -> None:
    """ValueError or TypeError unless the tuple has that length and its elements that type."""
    _one_kind(arg_name, arg_value, (tuple,), prim_name)
    if len(arg_value) != expect_size:
        raise ValueError(f"{_for(prim_name)} '{arg_name} size' must = {expect_size}, but got {len(arg_value)}.")
    check_element_type_of_iterable(arg_name, arg_value, (expect_element_type,), prim_name)


def check_is_number(arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """`arg_value` if it is a finite number of that type."""
    shown = f"type of '{arg_name}'" if arg_name else "type of input value"
    if isinstance(arg_value, bool) or not isinstance(arg_value, arg_type):
        raise TypeError(f"{_for(prim_name)} {shown} must be '{arg_type.__name__}', but got "
                        f"'{type(arg_value).__name__}'.")
    number: Any = arg_value
    if number != number or number in (float("inf"), float("-inf")):
        raise ValueError(f"{_for(prim_name)} '{arg_name}' must be a legal value, but got '{arg_value}'.")
    return arg_value


def _all_of(values: Any, kinds: tuple[type, ...]) -> bool:
    if isinstance(values, (tuple, list)):
        return all(_all_of(v, kinds) for v in values)
    if isinstance(values, Mapping):
        return all(_all_of(v, kinds) for v in values.values())
    return isinstance(values, kinds)


def check_input_data(*data: Any, data_class: Any) -> None:
    """TypeError unless every argument is of the class, or a tuple, list or dict of such."""
    kinds = tuple(data_class) if isinstance(data_class, (tuple, list)) else (data_class,)
    for item in data:
        if not _all_of(item, kinds):
            names = ", ".join([kind.__name__ for kind in kinds])
            raise TypeError(f"The types of input data must be in the Union({names}, tuple[{names}], list[{names}], "
                            f"dict[{names}]), but got type {type(item).__name__}.")


def check_input_dataset(*dataset: Any, dataset_type: type) -> bool:
    """Whether all arguments are data sets of that class, and there is one."""
    return bool(dataset) and all(isinstance(d, dataset_type) for d in dataset)


def check_output_data(data: Any) -> None:
    """RuntimeError if there is no output."""
    if data is None:
        raise RuntimeError("The output data can not be None, please check your net or input data.")


def check_type_support(dtype: Any, device: str, supported_dtypes: Iterable[Any]) -> bool:
    """Whether the element type is one of those supported."""
    return dtype in supported_dtypes


def check_types_same_and_valid(args: Mapping[str, Any], valid_values: Iterable[Any], prim_name: str) -> None:
    """TypeError unless all data types are one and the same, and among the valid ones."""
    names = list(args)
    for name, kind in args.items():
        if kind not in tuple(valid_values):
            wanted = " or ".join([str(v) for v in valid_values])
            raise TypeError(f"For '{prim_name}', the '{name}' must be {wanted}, but got {kind}.")
        if kind != args[names[0]]:
            raise TypeError(f"For '{prim_name}', the type of '{name}' should be same as '{names[0]}', but got "
                            f"'{names[0]}' with type {args[names[0]]} and '{name}' with type {kind}.")


def args_type_check(*type_args: Any, **type_kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator that raises a TypeError where an argument is neither None nor of the type given for it."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        wanted = signature.bind_partial(*type_args, **type_kwargs).arguments

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for name, value in signature.bind(*args, **kwargs).arguments.items():
                if name in wanted and value is not None and not isinstance(value, wanted[name]):
                    raise TypeError(f"The parameter '{name}' must be {wanted[name]}, but got {type(value)}.")
            return function(*args, **kwargs)

        return checked

    return decorate


__all__ = [name for name in list(globals()) if not name.startswith("_") and callable(globals()[name])
           and getattr(globals()[name], "__module__", "") == __name__]
