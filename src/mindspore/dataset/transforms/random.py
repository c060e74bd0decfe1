"""The random stream of transforms: of the rows that they are applied to, or of this process outside of pipelines."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core import seed as global_seed
from mindspore.dataset import config


class _Streams(threading.local):
    """The stream that a pipeline has set for the rows this thread works on."""

    def __init__(self) -> None:
        self.current: np.random.Generator | None = None


_streams = _Streams()
_outside: dict[str, Any] = {"key": None, "stream": None}


def stream() -> np.random.Generator:
    """The random stream to draw from."""
    if _streams.current is not None:
        return _streams.current
    key = (config.effective_seed(), global_seed.version(), config.seed_version())
    if _outside["key"] != key or _outside["stream"] is None:  # a seed was set since: begin anew
        _outside["key"], _outside["stream"] = key, np.random.default_rng(config.run_seed())
    return _outside["stream"]


@contextlib.contextmanager
def using(generator: np.random.Generator | None) -> Iterator[None]:
    """Let transforms in this thread draw from `generator`; None where they draw nothing."""
    before, _streams.current = _streams.current, generator
    try:
        yield
    finally:
        _streams.current = before
