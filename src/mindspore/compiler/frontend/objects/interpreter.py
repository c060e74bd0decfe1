"""What the upper packages of the front end do for those below them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Interpreter:
    """The verbs that a lower package needs and an upper one has; the front end binds them once, when it is loaded.

    Attributes:
        call: `call(function, args, kwargs)` calls anything callable while compiling.
        frame: `frame(closure)` is a new call of a function given by its tree.
        branch: `branch(test, then, orelse)` is the value of one of two computations, by a tensor.
    """

    call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    frame: Callable[[Any], Any]
    branch: Callable[[Any, Callable[[], Any], Callable[[], Any]], Any]


interpreter = Interpreter()
