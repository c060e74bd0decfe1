"""Parameters whose first values are not drawn before they are needed, because a checkpoint will give them."""
from __future__ import annotations

import weakref
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

import numpy as np

from .conversion import shared

waiting: list[weakref.ref[Any]] = []         # parameters that may still have no values
_blocks: list[None] = []                     # one entry for each block that is open


@contextmanager
def no_init_parameters() -> Generator[None]:
    """`with no_init_parameters():` parameters that are made in the block get their first values later.

    They are drawn when a cell that holds the parameter is called first, or by `init_data`, unless the parameter has got
    values before, from a checkpoint for example. Until then its elements are zeros, and `has_init` is True.

    Examples:
        >>> with nn.no_init_parameters():
        ...     net = nn.Dense(2, 2, weight_init="ones")
        >>> net.weight.has_init, net.weight.asnumpy().sum()
        (True, np.float32(0.0))
        >>> y = net(Tensor([[1.0, 2.0]]))
        >>> net.weight.has_init, net.weight.asnumpy().sum()
        (False, np.float32(4.0))
    """
    _blocks.append(None)
    try:
        yield
    finally:
        _blocks.pop()


def postponed() -> bool:
    """Whether initializers wait."""
    return bool(_blocks)


def await_values(parameter: Any, source: Any) -> None:
    """Let a parameter wait for the values that the tensor it is made of waits for."""
    init = getattr(source, "__dict__", {}).get("_init")
    if init is not None:
        parameter.__dict__["_init"] = init
        waiting.append(weakref.ref(parameter))


def fill(parameters: Iterable[Any]) -> None:
    """Draw the values that parameters wait for."""
    for parameter in parameters:
        init = parameter.__dict__.pop("_init", None)
        if init is not None:
            array = np.empty(parameter.shape, parameter.dtype.numpy)
            init(array)
            parameter._data.copy_(shared(array))
    waiting[:] = [r for r in waiting if "_init" in getattr(r(), "__dict__", {})]
