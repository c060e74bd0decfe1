"""Tracebacks of graph mode: the user's lines as frames, without those of the compiler.

While a graph is compiled the user's functions do not run, they are walked.  An error names the lines in
its notes; here they also become frames of its traceback, so that editors, debuggers and people find
them where they look.  ANYSPORE_TRACEBACK=full shows the frames of the compiler as well.
"""
from __future__ import annotations

import ast
import linecache
import os
import re
import sys
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any

_PACKAGE = str(Path(__file__).resolve().parents[2]) + os.sep
_marked: deque[int] = deque(maxlen=64)        # the ids of errors that left the package last
_NOTE = re.compile(r"  (.+):(\d+) in ([^:]+): ")


def is_full() -> bool:
    """Whether the frames of the compiler are asked for."""
    return os.environ.get("ANYSPORE_TRACEBACK") == "full"


def trimmed(error: Exception) -> Exception:
    """An error of the compilation whose traceback has the user's frames only."""
    if is_full():
        return error
    return marked(error, _from_notes(error))


def located(error: Exception) -> Exception:
    """A run-time error of generated code: after the frame of that code stand the user's lines."""
    own = error.__traceback__
    if is_full() or own is None:
        return error
    inner = _from_notes(error)
    return marked(error, TracebackType(inner, own.tb_frame, own.tb_lasti, own.tb_lineno))


def marked(error: Exception, traceback: TracebackType | None) -> Exception:
    """The error with this traceback; printed at the end of a program, it leaves out the package."""
    _marked.append(id(error))
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _print
    return error.with_traceback(traceback)


def at_border(error: Exception) -> Exception:
    """An error where it leaves the package: the frames that it passed inside are dropped."""
    if is_full():
        return error
    return marked(error, without_package(error.__traceback__))


def without_package(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of this package."""
    frames: list[TracebackType] = []
    while traceback is not None:
        frames.append(traceback)
        traceback = traceback.tb_next
    kept = None
    for one in reversed(frames):
        if not one.tb_frame.f_code.co_filename.startswith(_PACKAGE):
            kept = TracebackType(kept, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return kept


def _print(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    if id(error) in _marked:
        traceback = without_package(traceback)
        error = error.with_traceback(traceback)
    sys.__excepthook__(kind, error, traceback)


def _from_notes(error: Exception) -> TracebackType | None:
    """A traceback through the lines that the notes of an error name, innermost first."""
    inner: TracebackType | None = None
    for note in getattr(error, "__notes__", ()):
        found = _NOTE.match(note)
        if found:
            inner = _at(found[1], int(found[2]), found[3], inner)
    return inner


def _at(file: str, line: int, function: str, inner: TracebackType | None) -> TracebackType | None:
    """A traceback entry for a line of a file, made by code that raises there."""
    text = linecache.getline(file, line).rstrip("\n")
    first, last = len(text) - len(text.lstrip()), max(len(text.encode()), 1)
    tree: Any = ast.parse("raise StopIteration")
    node: Any
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line
            node.col_offset, node.end_col_offset = first, last
    code = compile(tree, file, "exec").replace(co_name=function.rpartition(".")[2], co_qualname=function)
    try:
        exec(code, {"__name__": "__mindspore_graph__"})
    except StopIteration as reached:
        own = reached.__traceback__ and reached.__traceback__.tb_next
        if own is not None:
            inner = TracebackType(inner, own.tb_frame, own.tb_lasti, own.tb_lineno)
    return inner
