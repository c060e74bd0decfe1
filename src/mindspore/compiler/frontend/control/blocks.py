"""`try` and `with`: what is to do when a block ends, is left, or raises.

Both are tasks in the continuation of the frame, so a branch of an `if` on a tensor that runs to the
end of the function passes its own `finally` clauses, handlers and managers.
"""
from __future__ import annotations

import ast
from typing import Any

from mindspore.compiler.frontend.calls.attributes import get_attribute
from mindspore.compiler.frontend.calls.dispatch import call
from mindspore.compiler.frontend.objects import failures
from mindspore.core.errors import GraphSyntaxError, GraphTypeError, GraphValueError, kind
from mindspore.ir.runtime import runtime

from .tasks import HANDLED, Exiting, Guard, Handling, Raising, Steps

OWN = (GraphSyntaxError, GraphTypeError, GraphValueError)     # never caught by the user's program


class Closing(Exception):
    """Stands for GeneratorExit in a generator that is closed."""


def try_(f: Any, s: ast.Try, after: Any) -> Any:
    """Run the body; the guard behind it knows the clauses."""
    return Steps(s.body), (Guard(s, True), after)


def with_(f: Any, s: ast.With, after: Any) -> Any:
    """Enter the first manager, then the others inside it, then the body."""
    return _entered(f, s, 0, after)


def _entered(f: Any, s: ast.With, at: int, after: Any) -> Any:
    if at == len(s.items):
        return Steps(s.body), after
    item = s.items[at]
    manager = f.eval(item.context_expr)
    enter, leave = _method(manager, "__enter__", ""), _method(manager, "__exit__", " (missed __exit__ method)")
    entered = call(enter, (), {})
    after = Exiting(leave), after
    try:
        if item.optional_vars:
            f.assign(item.optional_vars, entered)
        return _entered(f, s, at + 1, after)
    except Exception as error:               # raised inside of the first manager
        return caught(f, error, after)


def _method(manager: Any, name: str, missed: str) -> Any:
    try:
        return get_attribute(manager, name)
    except AttributeError:
        raise TypeError(f"'{kind(manager)}' object does not support the context manager protocol{missed}") from None


def passed(f: Any, task: Guard, rest: Any) -> Any:
    """A block of `try` ended: `else`, then `finally`."""
    s = task.node
    if task.catching and s.orelse:
        return Steps(s.orelse), (Guard(s, False), rest)
    return (Steps(s.finalbody), rest) if s.finalbody else rest


def exited(task: Exiting, rest: Any) -> Any:
    """A `with` block ended."""
    call(task.exit, (None, None, None), {})
    return rest


def caught(f: Any, error: Exception, rest: Any) -> Any:
    """What is to do after an exception; it is raised again if no handler catches it."""
    if isinstance(error, OWN):
        raise error
    while rest is not None:
        task, rest = rest
        if type(task) is Guard:
            handler = _handler(f, task, error)
            if handler:
                return _handling(f, handler, error, (Guard(task.node, False), rest))
            if task.node.finalbody:
                return Steps(task.node.finalbody), (Raising(error), rest)
        elif type(task) is Exiting:
            _known_to_happen(error, "with")
            error = _exit(task, error)
            if error is None:
                return rest
        elif type(task) is Handling:
            f.put(HANDLED, task.before)
    raise error


def _handler(f: Any, task: Guard, error: Exception) -> Any:
    handler = next((h for h in task.node.handlers if _takes(f, h, error)), None) if task.catching else None
    if handler:
        _known_to_happen(error, "try")
    return handler


def _known_to_happen(error: Exception, what: str) -> None:
    if failures.known(error).uncertain:
        refused = GraphSyntaxError(
            f"What stands behind an 'if' or inside a loop on a tensor raises {type(error).__name__}, and "
            f"'{what}' around it would have to catch that at run time. Compute with 'ops.where', or move "
            f"the '{what}' out of the compiled function.")
        failures.of(refused).lines += failures.known(error).lines
        raise refused from error


def _exit(task: Exiting, error: Exception) -> Any:
    """The exception after the manager saw it; None if it swallows it."""
    try:
        swallowed = call(task.exit, (type(error), error, error.__traceback__), {})
    except Exception as raised:  # `__exit__` may raise what it wants; that comes in its place
        return raised
    return None if swallowed else error


def _handling(f: Any, handler: ast.ExceptHandler, error: Exception, rest: Any) -> Any:
    before = f.local.get(HANDLED, ())
    f.put(HANDLED, (*before, error))
    if handler.name:
        f.store(handler.name, error)
    return Steps(handler.body), (Handling(handler.name, before), rest)


def _takes(f: Any, handler: ast.ExceptHandler, error: Exception) -> bool:
    if type(error) is Closing:
        kinds = f.eval(handler.type) if handler.type else BaseException
        return any(issubclass(GeneratorExit, kind) for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
    return handler.type is None or isinstance(error, f.eval(handler.type))


def around(rest: Any) -> bool:
    """Whether `try` or `with` in what is to do would catch an exception."""
    while rest is not None:
        task, rest = rest
        if type(task) in (Guard, Exiting):
            return True
    return False


def refuse_if_caught(error: Exception) -> None:
    """GraphSyntaxError for an exception of run time that `try` or `with` of a caller would catch."""
    for _, _, frame in runtime.trace.active:
        for rest in frame.runs:
            while rest is not None:
                task, rest = rest
                if type(task) is Exiting or (type(task) is Guard and task.catching and any(
                        _takes(frame, h, error) for h in task.node.handlers)):
                    refused = GraphSyntaxError(
                        "A 'raise' behind an 'if' on a tensor, or an 'assert' of one, stands inside "
                        "'try' or 'with', and a compiled graph cannot catch exceptions of the functions "
                        "that it calls. Compute with 'ops.where', or move the 'try' out of the compiled function.")
                    failures.of(refused).by_meeting = True
                    raise refused
