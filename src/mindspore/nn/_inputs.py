"""What a cell of this package says where an input is no tensor."""
from __future__ import annotations

import inspect
from typing import Any

from mindspore.ops.arguments import no_tensor

_PACKAGE = __name__.partition(".")[0]


def refused(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: AttributeError) -> TypeError | None:
    """The TypeError of an input that was taken for a tensor and is none; None if the error is another one.

    A cell of the user's, or one that holds such, raises its own errors.
    """
    if any([type(c).__module__.partition(".")[0] != _PACKAGE for _, c in cell.cells_and_names()]):
        return None
    try:
        given = inspect.signature(cell.construct).bind(*args, **kwargs).arguments
    except TypeError:
        return None
    return no_tensor(type(cell).__name__, tuple(given.items()), error)
