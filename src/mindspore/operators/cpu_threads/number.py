"""The number of torch's threads, which each thread has for itself, lowered for a while.

torch starts a new thread with the number that any thread set last.  One that starts while another has lowered
its own would keep the lower number; so it is put right when the new thread first uses this package
(`began`).  What a thread computes with torch before that, it computes on the lower number.
"""
from __future__ import annotations

import os

import torch

from mindspore.ir.runtime import runtime

SLEEP = os.environ.get("OMP_WAIT_POLICY", "").upper() == "PASSIVE" or os.environ.get("GOMP_SPINCOUNT") == "0"
current, _set = torch.get_num_threads, torch.set_num_threads
_lowered: list[int] = []              # one entry for each thread that has lowered its number
_latest = (1,)                        # what the last of them had; another object each time


def alone() -> bool:
    """Whether short kernels get no second thread."""
    return SLEEP or current() == 1


def lower() -> int:
    """Let the kernels of this thread run alone until `restore`, which takes what this returns: the number before."""
    global _latest
    before = current()
    if before > 1:
        _lowered.append(before)       # before torch is told, so that a thread that starts now can know
        _latest = (before,)
        _set(1)
    return before


def restore(before: int) -> None:
    """Give the kernels of this thread their threads back."""
    if before > 1:
        _set(before)
        _lowered.pop()                # one of as many


def began() -> None:
    """Give a thread that starts its own number, not the one that another has lowered for a moment."""
    latest, lowered = _latest, bool(_lowered)
    if current() == 1 and (lowered or _latest is not latest):
        _set(_latest[0])


type(runtime).began.append(began)
