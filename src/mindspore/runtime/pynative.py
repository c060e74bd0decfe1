"""The object by which programs of PyNative mode wait for the device."""
from __future__ import annotations

from .streams import synchronize


class _Executor:
    """What programs ask of the original's executor of PyNative mode."""

    def sync(self) -> None:
        """Wait until the device has done all that was asked for."""
        synchronize()


_pynative_executor = _Executor()
