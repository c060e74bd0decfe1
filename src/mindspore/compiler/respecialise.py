"""Runs of programs with sizes that only the run tells, and what to do where none can be compiled.

A program holds for the answers that its compilation got about sizes.  Where a run finds another answer it
stops (`Resized`), and continues with a program for the size that came: the results so far are computed
again, effects that happened are not repeated, random numbers are drawn again from where they were.
"""
from __future__ import annotations

from typing import Any

from mindspore.compiler.codegen.sizing import Journal
from mindspore.ir import Resized
from mindspore.operators import random

from . import fallback

_ATTEMPTS = 8


def run_watchful(cache: Any, program: Any, fn: Any, args: tuple[Any, ...],
                 kwargs: dict[str, Any]) -> Any:
    """Run a program that may meet other sizes than it was compiled for; then run one for those."""
    state = random.snapshot() if program.draws else None
    tried: list[Any] = []
    with Journal.kept() as journal:
        while program is not None and len(tried) < _ATTEMPTS:
            try:
                return cache.start(program, fn, args, kwargs)
            except Resized as met:
                tried.append(program)
                reason = f"a size in the run is another: {met} does not hold"
            journal.again()
            if state is not None:
                random.restore(state)
            strict = fallback.is_strict(cache.level)
            program = (cache.program if strict else cache.found)(fn, args, kwargs, tried, reason)
    return fallback.uncompiled(fn, args, kwargs)
