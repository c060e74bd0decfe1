"""Errors of Python and of libraries below that come up where a function of this package met a wrong argument.

A check of ours raises in words of the user's program. What no check refuses comes to some line that adds, indexes or
counts, and Python says something about that line: an IndexError, "'str' object cannot be interpreted as an integer".
Public functions pass such an error through `mistaken`, which says instead which function was given what; the error
itself becomes the cause. Errors that a statement of this package raises, or code of the user's, stay what they are.
"""
from __future__ import annotations

import dis
import functools
import inspect
import os
import re
import sysconfig
from collections.abc import Callable, Iterator
from types import FunctionType, TracebackType
from typing import Any

from .errors import ArgumentError, kind, show
from .own_files import OWN_FILES

_RAISING = dis.opmap["RAISE_VARARGS"]
_PATHS = sysconfig.get_paths()
_BELOW = tuple([os.path.join(_PATHS[lib], name, "") for lib in ("purelib", "platlib") for name in ("torch", "numpy")])
_WALKER = os.path.join(OWN_FILES[0], "compiler", "frontend", "")
_TYPES = (TypeError, AttributeError)
_VALUES = (ValueError, LookupError, ArithmeticError, AssertionError, RuntimeError, MemoryError, StopIteration)
_KEPT = (RecursionError, NotImplementedError)
# decorators: what cannot be marked is an AttributeError in MindSpore, too, and kernels have names in several modules
_MARKING = {"add_flags", "constexpr", "kernel", "ms_kernel"}
_WIDE = ("too large", "too big", "unpacking long", "index-sized", "out of bounds for", "maximum allowed dimension",
         "out of range: ")


_CALLED = re.compile(r"([\w.<>]+)\(\) (missing|got|takes) ")


def mistaken(owner: str, given: Callable[[], dict[str, Any]], error: Exception, walked: bool = False) -> Exception:
    """The error to raise in place of one that a function's body raised: the same one, or one in the user's words.

    Args:
        owner: The function's name.
        given: Gives its arguments by name; called only where they are told.
        error: What its body raised.
        walked: Whether what the compiler walks is this package's, too.
    """
    made_of = vars(error).get("_made_of", error)         # of an inner function: the outer one is what the user called
    if made_of is error and _raised_by_check(error, walked):
        return error
    if isinstance(error, TypeError) and _of_call(owner, error):
        return error                                     # Python names what is missing or unknown
    if made_of is not error and _passes_user(error, walked):
        return error
    if not isinstance(made_of, (*_TYPES, *_VALUES)) or isinstance(made_of, _KEPT):
        return error
    house = TypeError if isinstance(made_of, _TYPES) else RuntimeError if isinstance(
        made_of, MemoryError) else ArgumentError
    made: Any = house(_told(owner, given(), made_of))
    made._made_of = made_of
    for note in getattr(error, "__notes__", ()):
        made.add_note(note)
    made.__cause__ = made_of
    return made


def _of_call(owner: str, error: TypeError) -> bool:
    """Whether an error says that the call of the function itself has too many arguments, or too few."""
    found = _CALLED.match(str(error))
    return found is not None and (owner in found[1].split(".") or not list(_frames(error)))


def _frames(error: BaseException) -> Iterator[TracebackType]:
    """The places that an error came through, without the one that caught it."""
    at = error.__traceback__ and error.__traceback__.tb_next
    while at is not None:
        yield at
        at = at.tb_next


def _of_user(file: str, walked: bool) -> bool:
    """Whether a file is neither of this package nor of what it computes with."""
    if not walked and file.startswith(_WALKER) and not file.endswith("walk.py"):     # it does what the program says
        return True
    if file.startswith(OWN_FILES) or file.startswith(_BELOW) or file.startswith("<frozen "):
        return False
    return not file.startswith(_PATHS["stdlib"]) or "site-packages" in file


def _passes_user(error: BaseException, walked: bool) -> bool:
    """Whether code of the user's stood between the function and what raised."""
    return any([_of_user(at.tb_frame.f_code.co_filename, walked) for at in _frames(error)])


def _raised_by_check(error: BaseException, walked: bool) -> bool:
    """Whether a statement of this package raised the error, or code of the user's had a part in it."""
    caught = error.__traceback__
    places = list(_frames(error)) or ([caught] if caught else [])        # what the function itself called, as C code
    if not places or any([_of_user(at.tb_frame.f_code.co_filename, walked) for at in places]):
        return True
    code, last = places[-1].tb_frame.f_code, places[-1].tb_lasti
    ours = code.co_filename.startswith(OWN_FILES) and code.co_code[last] == _RAISING
    return ours and not isinstance(error, AssertionError)


def _told(owner: str, given: dict[str, Any], error: Exception) -> str:
    """What is wrong with the arguments, as far as the error tells."""
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return f"For '{owner}', there is not enough memory for the result of ({_shown(given)})."
    said = str(error).lower()
    if isinstance(error, OverflowError) or any([word in said for word in _WIDE]):
        for name, value in given.items():
            large = next((n for n in _parts(value) if type(n) is int and abs(n) >= 2**31), None)
            if large is not None:
                return f"For '{owner}', the '{name}' is out of range: got {show(large)}, in ({_shown(given)})."
    names = set(re.findall(r"(?:'|\bnot )(?:[\w.]*\.)?(\w+)(?:'|$)", str(error)))
    strange = [(name, v) for name, value in given.items() for v in _parts(value)
               if type(v).__name__ in names and not hasattr(v, "asnumpy")]
    if len({name for name, _ in strange}) == 1:
        name, value = strange[0]
        return f"For '{owner}', the '{name}' can not be {show(value)} of type '{kind(value)}', in ({_shown(given)})."
    return f"For '{owner}', the arguments do not fit: ({_shown(given)})."


def _parts(value: Any) -> Iterator[Any]:
    """A value, and what it holds."""
    yield value
    if isinstance(value, (tuple, list)):
        for part in value[:20]:
            yield from _parts(part)


def _shown(given: dict[str, Any]) -> str:
    return ", ".join([f"{name}={_brief(value)}" for name, value in given.items()])


def _brief(value: Any) -> str:
    """An argument in a message; of a function its name."""
    if isinstance(value, (tuple, list)) and len(value) < 9:
        inner = ", ".join(map(_brief, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    try:
        return show(value)
    except Exception:  # an object whose making has failed
        return kind(value)


def bound(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments by name; those of a call that does not fit by their numbers."""
    found: dict[str, Any] = {str(k): v for k, v in enumerate(args)} | kwargs
    try:
        form = inspect.signature(function)
        if next(iter(form.parameters), "") == "self":
            found.pop("0", None)
        found = dict(form.bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):         # of a call that does not fit
        pass
    return {name: value for name, value in found.items() if name != "self"}


def _as_tensors(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Arguments with the tensors that some of them stand for (`as_tensor` of their class); None if none does."""
    if not any([hasattr(type(v), "as_tensor") for v in (*args, *kwargs.values())]):
        return None
    return (tuple([v.as_tensor() if hasattr(type(v), "as_tensor") else v for v in args]),
            {k: v.as_tensor() if hasattr(type(v), "as_tensor") else v for k, v in kwargs.items()})


def told(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which says in the user's words what no check of its own refuses."""
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:  # raised again: itself, or in other words
            meant = _as_tensors(args, kwargs) if isinstance(error, (TypeError, AttributeError)) else None
            if meant is not None:
                return function(*meant[0], **meant[1])
            made = mistaken(name, lambda: bound(function, args, kwargs), error)
            if made is error:
                raise
            raise made from made.__cause__
    return call


def public(name: str, value: Any) -> Any:
    """The same for a function among other values, which stay what they are."""
    return told(name, value) if type(value) is FunctionType and name not in _MARKING else value
