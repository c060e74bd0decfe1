"""What a compilation knows of exceptions: it stands beside them, because they may be objects of the program."""
from __future__ import annotations

from typing import Any

from mindspore.ir.runtime import runtime


class Failure:
    """What is known of one exception.

    Attributes:
        by_user: Whether the program raises it itself, and so only where it gets to.
        uncertain: Whether a run might not come to where it was raised.
        by_meeting: Whether the cause is that branches join: each by itself might not raise it.
        by_first_pass: Whether the cause is the first pass of a loop, which differs from the others.
        emitted: Whether the graph raises it already.
        after_changes: Whether the program changed something outside before.
        frame: The frame of the program that it passed last.
        loc: Where it was raised.
        lines: The lines of the program that it passed, innermost first; they are its notes when it leaves.
    """

    by_user = uncertain = by_meeting = by_first_pass = emitted = after_changes = False
    frame: Any = None
    loc: Any = None

    def __init__(self, error: BaseException):
        self.error = error
        self.before = error.__traceback__
        self.lines: list[str] = []

    def passes(self, frame: Any) -> bool:
        """Note that it leaves a frame; whether that is not known yet."""
        if self.frame is frame:
            return False
        if self.frame is None:
            self.loc = runtime.loc
        self.frame = frame
        return True


NOTHING: Any = Failure(BaseException())


def of(error: BaseException) -> Failure:
    """What is known of an exception, for more to be noted."""
    table = runtime.trace.failures
    found = table.get(id(error))
    if found is None:
        found = table[id(error)] = Failure(error)
    return found


def known(error: BaseException) -> Failure:
    """What is known of an exception: of the compilation that runs, or of that which it ended."""
    trace, failed = runtime.trace, runtime.failed
    found = trace.failures.get(id(error)) if trace is not None else None
    return found or (failed if failed is not None and failed.error is error else NOTHING)


def uncertain(error: Any) -> Any:
    """The exception, of which it is noted that a run might not come to where it was raised."""
    of(error).uncertain = True
    return error


def raised_by_user(error: Exception, anew: bool = True) -> Exception:
    """An error that the program raises itself; `anew` if it does not only continue raising it."""
    failure = of(error)
    failure.by_user = True
    if anew:
        failure.emitted, failure.frame, failure.loc = False, None, None
    return error


def leave(trace: Any, error: BaseException | None) -> None:
    """A compilation ends, perhaps by an error, which keeps its lines; the others are restored."""
    failed = trace.failures.pop(id(error), None)
    for other in trace.failures.values():
        if other.by_user:
            other.error.__traceback__ = other.before
    trace.failures.clear()
    if failed is not None:
        for line in failed.lines:
            failed.error.add_note(line)
    runtime.failed = failed
