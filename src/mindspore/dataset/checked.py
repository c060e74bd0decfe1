"""Argument checks as in `core.check`, whose errors also say it in the words that pipelines of the original use.

Programs, and tests of programs, look for those words in the text of an error, so they follow this project's own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from mindspore.core import check
from mindspore.core.check import INT32_MAX, callable_, fail, name_of, optional, unsupported

_LONGEST = 200                 # characters of a value in a text
_WORKERS = "num_parallel_workers"


def not_of_type(name: str, value: Any, classes: Iterable[Any]) -> str:
    """What is said about a value of a wrong class."""
    shown = str(value)
    shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
    wanted = ", ".join(str(c) for c in classes)
    return f"Argument {name} with value {shown} is not of type [{wanted}], but got {type(value)}."


def not_within(name: str, low: Any, high: Any, open_low: bool = False, open_high: bool = False) -> str:
    """What is said about a number that is too small or too large."""
    if name == _WORKERS:
        return f"{_WORKERS} exceeds the boundary between {low} and {INT32_MAX if high is None else high}!"
    if high is None:
        return f"Input {name} must be {'greater than' if open_low or low == 1 else 'no less than'} " \
               f"{0 if low == 1 else low}."
    return f"Input {name} is not within the required interval of {'(' if open_low else '['}{low}, {high}" \
           f"{')' if open_high else ']'}."


def _saying(words: Callable[..., str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the errors of a check end with `words(error, name, value, ...)`."""

    def decorate(judge: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(judge)
        def judged(owner: Any, name: str, value: Any, *limits: Any, **options: Any) -> Any:
            try:
                return judge(owner, name, value, *limits, **options)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{error} {words(error, name, value, *limits, **options)}") from error.__cause__

        return judged

    return decorate


def _of_int(error: Exception, name: str, value: Any, low: Any = None, high: Any = None) -> str:
    return not_of_type(name, value, (int,)) if isinstance(error, TypeError) else not_within(name, low, high)


def _of_positive(error: Exception, name: str, value: Any) -> str:
    return _of_int(error, name, value, 1)


def _of_natural(error: Exception, name: str, value: Any) -> str:
    return _of_int(error, name, value, 0)


def _of_number(error: Exception, name: str, value: Any, *bounds: Any, **more: Any) -> str:
    if isinstance(error, TypeError):
        return not_of_type(name, value, (float, int))
    low, high, *rest = (*bounds, None, None)[:4] if len(bounds) < 2 else bounds
    limits = {"low": low, "high": high, **dict(zip(("open_low", "open_high"), rest, strict=False)), **more}
    return not_within(name, limits["low"], limits["high"], bool(limits.get("open_low")), bool(limits.get("open_high")))


def _of_class(error: Exception, name: str, value: Any, classes: Any) -> str:
    return not_of_type(name, value, classes if isinstance(classes, tuple) else (classes,))


def _of_names(error: Exception, name: str, value: Any) -> str:
    return not_of_type(name, value, (list, str)) if isinstance(error, TypeError) else \
        f"{name} should be a list of different names, not empty."


def _of_options(error: Exception, name: str, value: Any, options: Iterable[Any]) -> str:
    return f"Input {name} is not within the valid set of {list(options)}."


def _of_folder(error: Exception, name: str, value: Any) -> str:
    return f"The folder {value} does not exist or is not a directory or permission denied!" \
        if isinstance(error, ValueError) else not_of_type(name, value, (str,))


def _of_file(error: Exception, name: str, value: Any) -> str:
    return f"The file {value} does not exist or permission denied!" \
        if isinstance(error, ValueError) else not_of_type(name, value, (str,))


def _of_files(error: Exception, name: str, value: Any) -> str:
    return f"The following patterns did not match any files: {[value] if isinstance(value, str) else value}." \
        if isinstance(error, ValueError) else f"{name} should be type str or a list of strings."


integer = _saying(_of_int)(check.integer)
positive_int = _saying(_of_positive)(check.positive_int)
non_negative_int = _saying(_of_natural)(check.non_negative_int)
number = _saying(_of_number)(check.number)
floating = _saying(_of_number)(check.floating)
instance = _saying(_of_class)(check.instance)
boolean = _saying(functools.partial(_of_class, classes=bool))(check.boolean)
string = _saying(functools.partial(_of_class, classes=str))(check.string)
option = _saying(_of_options)(check.option)
names = _saying(_of_names)(check.names)
folder = _saying(_of_folder)(check.folder)
file = _saying(_of_file)(check.file)
files = _saying(_of_files)(check.files)

__all__ = ["INT32_MAX", "boolean", "callable_", "fail", "file", "files", "floating", "folder", "instance", "integer",
           "name_of", "names", "non_negative_int", "not_of_type", "not_within", "number", "option", "optional",
           "positive_int", "string", "unsupported"]
