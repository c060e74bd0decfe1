"""The random streams of transforms: one for each row and operation of a pipeline, and one outside of pipelines.

What a row draws depends on the seed, the pass, the place of the operation and the number of the row only. So results
are the same whether rows are transformed one by one or together, by few workers or many.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mindspore.core import seed as global_seed
from mindspore.dataset import config
from mindspore.dataset.execution.streams import Streams


class _Current(threading.local):
    """The streams that a pipeline has set for the rows this thread works on."""

    def __init__(self) -> None:
        self.streams: Streams | None = None


_current = _Current()
_outside: dict[str, Any] = {"key": None, "stream": None}


def stream() -> np.random.Generator:
    """The random stream to draw from, for the transform of one row."""
    if _current.streams is not None:
        return _current.streams.generator()
    key = (config.effective_seed(), global_seed.version(), config.seed_version())
    if _outside["key"] != key or _outside["stream"] is None:  # a seed was set since: begin anew
        _outside["key"], _outside["stream"] = key, np.random.default_rng(config.run_seed())
    return _outside["stream"]


def uniforms(count: int) -> np.ndarray:
    """`count` numbers in [0, 1) for the row at work; or (count, rows) where all rows of a block are."""
    return stream().random(count) if _current.streams is None else _current.streams.uniforms(count)


def rewinder() -> Callable[[], None]:
    """A function that turns the stream of this thread back, so that what it gave is drawn again."""
    if _current.streams is not None:
        return _current.streams.rewind
    draws = stream().bit_generator
    before = draws.state
    return lambda: setattr(draws, "state", before)


def integers(uniform: Any, count: int) -> Any:
    """Integers from 0 to `count` - 1, from numbers in [0, 1)."""
    return (uniform * count).astype(np.int64)


@contextlib.contextmanager
def using(streams: Streams | None) -> Iterator[None]:
    """Let transforms in this thread draw from `streams`; None where they draw nothing."""
    before, _current.streams = _current.streams, streams
    try:
        yield
    finally:
        _current.streams = before
