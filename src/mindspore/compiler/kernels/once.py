"""Code that several threads may ask for at the same time: it is made once, and all of them get it."""
from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from .native import Code


class Once:
    """A function of the width of vectors that makes code; what it made is kept.

    `functools.cache` would let every thread that asks before the first is done make it anew.

    Args:
        make: The function; width 0: that of the processor.
    """

    def __init__(self, make: Callable[[int], Code]):
        self.make, self.__doc__ = make, make.__doc__
        self.lock = threading.Lock()
        self.made: dict[int, Future[Code]] = {}

    def __call__(self, width: int = 0) -> Code:
        """The code, when it is there."""
        with self.lock:
            known = self.made.get(width)
            first = known is None
            if known is None:
                known = self.made[width] = Future[Code]()
        if first:
            try:
                known.set_result(self.make(width))
            except BaseException as error:  # raised in every thread that asked
                with self.lock:
                    del self.made[width]             # the next one who asks tries again
                known.set_exception(error)
        return known.result()

    def expect(self) -> None:
        """Let the code be made beside what this thread does, if nobody has asked for it yet."""
        if 0 not in self.made:
            threading.Thread(target=self, name=f"anyspore-{self.make.__name__}", daemon=True).start()
