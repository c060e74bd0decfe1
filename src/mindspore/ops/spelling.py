"""Other spellings of keyword arguments: the same function under the names of several generations."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore._names.arguments import OF_EARLIER_FORMS, RENAMED

FORMS_OF_THEN: dict[str, Callable[..., Any]] = {}         # calls of earlier releases; `earlier_forms` fills it


def renamed(owner: str) -> dict[str, str]:
    """Earlier spellings of the arguments of a class or function: {earlier: present}."""
    return {old: new for (name, old), new in RENAMED.items() if name == owner}


def with_earlier(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which takes its arguments under their earlier names, too, and calls as an earlier release did."""
    rows, words = renamed(name), OF_EARLIER_FORMS.get(name, "").split()
    if not words:
        return spelled(**rows)(function) if rows else function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            return function(*args)
        if kwargs.keys().isdisjoint(words):
            return function(*args, **_present(function, kwargs, rows))
        return FORMS_OF_THEN[name](*args, **kwargs)
    return call


def spelled(**synonyms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a function take other names for its parameters: `@spelled(dim="axis")`."""
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not kwargs:                      # most calls: nothing is looked up, nothing is passed on twice
                return function(*args)
            return function(*args, **_present(function, kwargs, synonyms))
        return call
    return decorate


def _present(function: Callable[..., Any], kwargs: dict[str, Any],
             synonyms: dict[str, str]) -> dict[str, Any]:
    """The keyword arguments under their present names."""
    found: dict[str, Any] = {}
    for name, value in kwargs.items():
        present = synonyms.get(name, name)
        if present in found:
            raise TypeError(f"{function.__name__}() got '{present}' twice, under names that mean the "
                            f"same.")
        found[present] = value
    return found
