"""A callback made of functions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .callback import Callback

_Hook = Callable[[Any], Any] | None


class LambdaCallback(Callback):
    """Calls the given functions; each takes the run context.

    Args:
        on_train_epoch_begin, ..., on_eval_end: What is called at that moment; None for nothing.

    Raises:
        TypeError: If one cannot be called.
    """

    def __init__(self, on_train_epoch_begin: _Hook = None, on_train_epoch_end: _Hook = None,
                 on_train_step_begin: _Hook = None, on_train_step_end: _Hook = None,
                 on_train_begin: _Hook = None, on_train_end: _Hook = None,
                 on_eval_epoch_begin: _Hook = None, on_eval_epoch_end: _Hook = None,
                 on_eval_step_begin: _Hook = None, on_eval_step_end: _Hook = None,
                 on_eval_begin: _Hook = None, on_eval_end: _Hook = None):
        given = {name: hook for name, hook in locals().items() if name.startswith("on_")}
        for name, hook in given.items():
            if hook is not None and not callable(hook):
                raise TypeError(f"For 'LambdaCallback', the '{name}' must be a function, but got "
                                f"{hook!r} with type '{type(hook).__name__}'.")
            if hook is not None:
                setattr(self, name, hook)
