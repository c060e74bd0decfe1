"""Handles of hooks, and the hooks of tensors: functions that see, and may replace, a gradient.

The hooks of a tensor that a recorded operator made belong to its record; those of a tensor that is, or may
become, an input of a gradient (also of a parameter) belong to the tensor.
"""
from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.ir.runtime import runtime
from mindspore.operators import structure

_NAME = "_gradient_hooks"        # where a tensor holds its own


class HookHandle:
    """What registering a hook returns: `remove()` takes the hook away again.

    Args:
        hook_dict: Where the hook stands, under the handle's number.
        extra_dict: A second such place.
    """

    _numbers = itertools.count()

    def __init__(self, hook_dict: dict[int, Any] | None = None, *,
                 extra_dict: dict[int, Any] | None = None):
        self.handle_id = next(self._numbers)
        self._places = [d for d in (hook_dict, extra_dict) if d is not None]
        self._removed: Callable[[], None] = lambda: None

    def remove(self) -> None:
        """Take the hook away; a second call does nothing."""
        found = [place.pop(self.handle_id, None) for place in self._places]
        if any(hook is not None for hook in found):
            self._removed()

    def on_removal(self, action: Callable[[], None]) -> HookHandle:
        """Let `action` be called when the hook is taken away; the handle."""
        self._removed = action
        return self


class Hooked:
    """How many tensors have hooks of their own: without any, the search for them is left out."""

    count = 0
    _lock = threading.Lock()

    @classmethod
    def moves(cls, by: int) -> None:
        """So many more tensors have hooks."""
        with cls._lock:
            cls.count += by


def own_hooks(tensor: Any) -> dict[int, Callable[..., Any]]:
    """The hooks of a tensor, in the order of their calls; a dict to add to."""
    held: dict[int, Callable[..., Any]] | None = tensor.__dict__.get(_NAME)
    if held is None:
        held = tensor.__dict__[_NAME] = {}
        Hooked.moves(1)
        weakref.finalize(tensor, Hooked.moves, -1).atexit = False
    return held


def hooks_of(tensor: Any) -> tuple[Callable[..., Any], ...]:
    """The hooks that a tensor has now."""
    if not Hooked.count:
        return ()
    held = tensor.__dict__.get(_NAME)
    return tuple(held.values()) if held else ()


def without_hooks(fields: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a tensor that a copy of it gets."""
    return {k: v for k, v in fields.items() if k != _NAME} if _NAME in fields else fields


class Seen:
    """The step of a record whose results have hooks."""

    __slots__ = ("hooks", "op")

    def __init__(self, op: Any):
        self.op = op
        self.hooks: dict[int, dict[int, Callable[..., Any]]] = {}         # by result, in the order of their calls

    def replaced(self, record: Any, dout: Any) -> Any:
        """The cotangents of the results after their hooks."""
        if record.count == 1:
            return through(tuple(self.hooks[0].values()), dout)
        return [d if d is None else through(tuple(self.hooks.get(i, {}).values()), d)
                for i, d in enumerate(dout)]


def through(hooks: Sequence[Callable[..., Any]], gradient: Any) -> Any:
    """A gradient after hooks, each of which sees what the one before left, and may change it in place."""
    if hooks and not runtime.building:
        gradient = structure.copied(gradient)        # the gradient of another tensor may be the same memory
    for hook in hooks:
        gradient = replaced(hook, gradient, hook(gradient))
    return gradient


def replaced(hook: Callable[..., Any], gradient: Any, found: Any) -> Any:
    """The gradient after a hook that returned `found`.

    Raises:
        RuntimeError: If that is neither None nor a tensor.
        ValueError: If its shape is another.
    """
    if found is None:
        return gradient
    if not (hasattr(found, "aval") and hasattr(found, "astype")):
        raise RuntimeError(f"Tensor hook should be return Tensor, but get type '{type(found).__name__}': "
                           f"'{_name(hook)}' must return a Tensor or None, but returned {found!r}.")
    if tuple(found.shape) != tuple(gradient.shape):
        raise ValueError(f"A hook of a tensor must keep the gradient's shape {tuple(gradient.shape)}, but "
                         f"'{_name(hook)}' returned {tuple(found.shape)}.")
    return found if found.dtype is gradient.dtype else found.astype(gradient.dtype)


def check_hook(hook: Any) -> None:
    """TypeError for what cannot be called."""
    if not callable(hook):
        raise TypeError(f"Expected a callable hook function for 'register_hook', but got {hook!r} with type "
                        f"'{type(hook).__name__}'.")


def _name(hook: Any) -> str:
    return getattr(hook, "__name__", type(hook).__name__)
