"""Marks on cells that the original's compiler looks for."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any


def cell_attr_register(fn: Callable[..., None] | None = None, attrs: Sequence[str] | None = None) -> Any:
    """Decorator of a cell's `__init__` that notes the class and the given arguments in `_cell_init_args`.

    The original compiles cells with equal notes once. Programs here are told apart by what they look at, so nothing
    depends on the note.

    Args:
        fn: The `__init__`; None when used with arguments.
        attrs: The names of the arguments that are noted. Default: all.
    """

    def wrap(init: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(init)

        @functools.wraps(init)
        def noted(self: Any, *args: Any, **kwargs: Any) -> None:
            given = dict(list(signature.bind(self, *args, **kwargs).arguments.items())[1:])
            init(self, *args, **kwargs)
            kept: Any = given.values() if attrs is None else [given[a] for a in attrs if a in given]
            self._cell_init_args = f"{type(self).__name__}{kept}"

        return noted

    return wrap if fn is None else wrap(fn)
