"""The memory of tensors on a CPU: what one step frees is kept for the next one."""
from __future__ import annotations

import ctypes
import os
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3      # numbers of mallopt's parameters, see mallopt(3)
_KEPT = 2**31 - 1                              # bytes: the most that mallopt takes
_LARGE = 2**30                                 # bytes from which a tensor gets pages of its own
_BY_USER = {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES"}


def keep_what_is_freed() -> bool:
    """Let the C library keep freed memory instead of handing it back; whether it does.

    torch takes tensors on a CPU from malloc, and glibc returns large ones to the system at once, which
    clears their pages anew for the next step: 17,000 to 110,000 page faults in each step of convolutional
    networks, 5 to 20 percent of its time (measured; the peak of memory was the same).  What the user
    says about malloc in the environment stays.
    """
    if _BY_USER & os.environ.keys():
        return False
    mallopt = _function("mallopt")
    return bool(mallopt and mallopt(_TRIM_THRESHOLD, _KEPT) and mallopt(_MMAP_THRESHOLD, _LARGE))


def give_back() -> None:
    """Hand freed memory back to the system now."""
    trim = _function("malloc_trim")
    if trim:
        trim(0)


def _function(name: str) -> Any:
    """A function of the C library; None where it is not glibc."""
    if os.name != "posix":
        return None
    return getattr(ctypes.CDLL(None), name, None)
