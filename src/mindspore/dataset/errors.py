"""Errors of a pipeline that runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.core.errors import shortened
from mindspore.dataset import checked as check


class PipelineError(RuntimeError, ValueError):
    """Data that does not fit what a pipeline says about it: wrong columns, shapes that differ, a file that is broken.

    It is raised while rows are read or transformed. Programs catch it as RuntimeError, which the public interface
    documents for all that happens while rows flow, or as the ValueError that it is.
    """


class InputError(TypeError, PipelineError):
    """An input that a transform cannot take for what it is: no image, text for numbers, too many of them.

    It is caught as TypeError, for that is what is wrong, and as RuntimeError like all that happens while rows flow.
    """


# what parsers raise for content that they do not expect; no MemoryError: that one is about the machine
_DAMAGE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, EOFError, OSError)


@contextlib.contextmanager
def telling(owner: Any, place: Callable[[], str]) -> Iterator[None]:
    """In the block, what damaged content causes becomes a PipelineError that names owner, place and cause.

    Args:
        owner: The object that reads, or its name.
        place: Gives the place, such as "the file 'a.txt'", when there is an error.
    """
    try:
        yield
    except PipelineError:
        raise
    except _DAMAGE as error:
        raise PipelineError(
            f"For '{check.name_of(owner)}', {place()} cannot be read, because it is damaged or of another "
            f"format: {type(error).__name__}: {shortened(error)}."
        ) from error
