"""What a cell of this package says where an input is no tensor."""
from __future__ import annotations

from typing import Any

from mindspore._names.arguments import OF_CELLS
from mindspore.core.mistaken import bound, mistaken
from mindspore.ops.arguments import no_tensor

_PACKAGE = __name__.partition(".")[0]


def present(cell: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Inputs by name, under the names of this class where those of `mint.nn` are given."""
    names = OF_CELLS.get(type(cell).__name__)
    if names is None or type(cell).__module__.partition(".")[0] != _PACKAGE:
        return kwargs
    return {name if names.get(name) in kwargs else names.get(name, name): value for name, value in kwargs.items()}


def refused(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """What to raise for an error of a layer: of an input that was taken for a tensor and is none, a TypeError.

    A cell of the user's, or one that holds such, raises its own errors.
    """
    if any([type(c).__module__.partition(".")[0] != _PACKAGE for _, c in cell.cells_and_names()]):
        return error
    name, given = type(cell).__name__, bound(cell.construct, args, kwargs)
    found = no_tensor(name, tuple(given.items()), error) if isinstance(error, AttributeError) else None
    return found or mistaken(name, lambda: given, error, walked=True)
