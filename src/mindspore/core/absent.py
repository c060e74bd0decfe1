"""Names that cannot be here: they import, and using one says why, and what to use instead."""
from __future__ import annotations

import inspect
from typing import Any, NoReturn

from mindspore._names.absent import ABSENT, SIGNATURES


class AbsentError(NotImplementedError, AttributeError):
    """The use of a name that cannot be here."""


class _Absent(type):
    """Refuses to be called and to be looked into."""

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise AbsentError(f"'{cls.__name__}' is not here: {ABSENT[cls.__name__]}")

    def __getattr__(cls, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AbsentError(f"'{cls.__name__}' is not here: {ABSENT[cls.__name__]}")


def __getattr__(name: str) -> Any:
    if name not in ABSENT:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    made: Any = _Absent(name, (), {"__module__": __name__, "__doc__": f"Not here: {ABSENT[name]}"})
    globals()[name] = made
    if name in SIGNATURES:                   # what editors show, and what the original takes
        scope: dict[str, Any] = {}
        exec(f"def {name}({SIGNATURES[name]}): ...", scope)
        made.__signature__ = inspect.signature(scope[name])
    return made
