"""Loading many modules at once, without the collector of garbage looking at all that there is again and again."""
from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """What exists at the entry is spared by the collector meanwhile; what is made in the block it looks at.

    torch alone has some 200,000 objects: one look at them takes as long as loading all operators does. A program that
    has frozen objects itself decides when they are looked at again; nothing is done for it.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
