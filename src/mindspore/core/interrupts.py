"""The interrupt key beside processes that a program starts: it reaches all of them, and one of them ends the others."""
from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

_MASKS = hasattr(signal, "pthread_sigmask")  # not on Windows


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Keep the key from this thread, and from processes that it begins until they `ignore_interrupts`."""
    if not _MASKS:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """Leave the key to the parent, in a process that ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
