"""The execution of one function body: statements.

A frame runs its statements as a machine with an explicit continuation: a linked list of what is
still to do, `(task, rest)`.  So an `if` on a tensor whose branches may return, break or continue can run
each branch with its own copy of the whole rest; the branches join at the end of the function, or at the
end of one pass of a loop on a tensor.
"""
from __future__ import annotations

import ast
import linecache
from types import FunctionType
from typing import Any

from mindspore.compiler.frontend.control import blocks, generators
from mindspore.compiler.frontend.control.effects import check
from mindspore.compiler.frontend.control.tasks import (
    FALL,
    Again,
    Cases,
    Exiting,
    Fence,
    Guard,
    Handling,
    Items,
    More,
    Outcome,
    Pass,
    Raising,
    Resume,
    Steps,
    ended,
    handled,
    leave,
    resumed,
)
from mindspore.compiler.frontend.objects import failures, names
from mindspore.compiler.frontend.objects.places import MISSING, Global
from mindspore.compiler.frontend.objects.source import Closure
from mindspore.compiler.frontend.values.conditional import (
    Conditional,
    MaybeUnbound,
    Unbound,
    resolved,
)
from mindspore.ir import Loc
from mindspore.ir.runtime import runtime

from . import expressions, flow, match, statements, targets
from .statements import SIMPLE


class Frame:
    """One call of a function given by its tree."""

    def __init__(self, fn: Closure):
        self.fn, self.local = fn, {}
        self.born = runtime.trace.heap.levels[-1].number         # the level of the journal on which it was made
        self.names = names.local_names(fn.node)
        self.caller = runtime.loc
        self.around: Frame | None = None         # of a comprehension, the function that it is in
        self.globals: set[str] = set()
        self.outer: dict[str, Frame] = {}        # names declared nonlocal -> the frame that has them
        self.runs: list[Any] = []                # what the runs of tasks have to do, innermost last
        self.generating = names.is_generator(fn.node)
        self.splits = 0                          # how often branches could not join
        self.methods: list[Closure] = []         # the functions that the body of a class made
        self.sent: Any = None                    # what a generator got from `send`

    # ------------------------------------------------------------------ calling

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Bind the arguments and run the body."""
        self.bind(args, kwargs)
        body = self.fn.node.body
        if isinstance(self.fn.node, ast.Lambda):
            return self.value(body)
        if self.generating:
            return generators.Generator(self, (Steps(body), None))
        return self.run((Steps(body), None)).value

    def run_body(self, body: list[ast.stmt]) -> None:
        """Run the body of a class."""
        trace = runtime.trace
        trace.active.append((None, trace.heap.version, self))
        try:
            self.run((Steps(body), None))
        finally:
            trace.active.pop()

    def value(self, body: ast.expr) -> Any:
        """The value of a lambda's expression."""
        runtime.loc = Loc(self.fn.file, body.lineno, self.fn.name, self.caller)
        try:
            return self.eval(body)
        except Exception as error:  # of the program: noted with its line, and raised again
            self.note(error, body)
            raise

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Give the parameters their values, with Python's errors."""
        a, name = self.fn.node.args, self.fn.name
        positional = names.positional(self.fn.node)
        local = dict(zip(positional, args, strict=False))
        if a.vararg:
            local[a.vararg.arg] = tuple(args[len(positional):])
        elif len(args) > len(positional):
            raise too_many(self.fn, positional, len(args))
        extra: dict[str, Any] = {}
        accepted = {*[p.arg for p in a.args], *[p.arg for p in a.kwonlyargs]} if kwargs else ()
        for key, value in kwargs.items():
            if key in accepted:
                if key in local:
                    raise TypeError(f"{name}() got multiple values for argument '{key}'")
                local[key] = value
            elif a.kwarg:
                extra[key] = value
            elif key in positional:
                wrong = [p.arg for p in a.posonlyargs if p.arg in kwargs]
                raise TypeError(f"{name}() got some positional-only arguments passed as keyword "
                                f"arguments: '{', '.join(wrong)}'")
            else:
                raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
        if a.kwarg:
            local[a.kwarg.arg] = extra
        if len(local) < len(positional) + len(a.kwonlyargs) + bool(a.vararg) + bool(a.kwarg):
            self.fill(local, positional, "positional")
            self.fill(local, [p.arg for p in a.kwonlyargs], "keyword-only")
        self.local = local

    def fill(self, local: dict[str, Any], names_: list[str], what: str) -> None:
        """Give parameters their defaults; TypeError for those that have none."""
        defaults = self.fn.defaults
        missing = [n for n in names_ if n not in local and n not in defaults]
        if missing:
            quoted = [f"'{n}'" for n in missing]
            last = {1: quoted[0], 2: " and ".join(quoted)}.get(
                len(quoted), f"{', '.join(quoted[:-1])}, and {quoted[-1]}")
            raise TypeError(f"{self.fn.name}() missing {len(missing)} required {what} "
                            f"argument{'s' * (len(missing) > 1)}: {last}")
        outside = type(self.fn.identity) is FunctionType
        for n in names_:
            if n not in local:
                local[n] = defaults[n]
                if outside and defaults[n] is not None:
                    runtime.trace.heap.note(defaults[n])

    # ------------------------------------------------------------------ the machine

    def run(self, rest: Any) -> Outcome:
        """Do what is to do; how it ended."""
        runs = self.runs
        runs.append(rest)
        try:
            while rest is not None:
                runs[-1] = rest
                task, rest = rest
                try:
                    result = self.steps(task, rest) if type(task) is Steps else _DO[type(task)](
                        self, task, rest)
                except Exception as error:  # of the program: a `try` around it may catch it
                    result = blocks.caught(self, error, rest)
                if type(result) is Outcome:
                    return result
                rest = result
            return FALL
        finally:
            runs.pop()

    def steps(self, task: Steps, rest: Any) -> Any:
        """Run statements until one of them changes what is to do."""
        body = task.body
        for i in range(task.at, len(body)):
            s = body[i]
            runtime.loc = Loc(self.fn.file, s.lineno, self.fn.name, self.caller)
            try:
                simple = SIMPLE.get(type(s))
                if simple and not (self.generating and generators.yields(s)):
                    simple(self, s)
                    continue
                after = (Steps(body, i + 1), rest) if i + 1 < len(body) else rest
                result = self.compound(s, after)
            except Exception as error:  # of the program: noted with its line, and raised again
                self.note(error, s)
                raise
            if result is not after:
                return result
            if after is rest:
                return rest
        return rest

    def note(self, error: Exception, s: ast.stmt | ast.expr) -> None:
        """Add the user's line to an error; every frame adds its own, innermost first."""
        failure = failures.of(error)
        if not failure.passes(self):
            return
        line = linecache.getline(self.fn.file, s.lineno).strip() or ast.unparse(s).splitlines()[0]
        failure.lines.append(f"  {self.fn.file}:{s.lineno} in {self.fn.name}: {line}")

    def compound(self, s: ast.stmt, after: Any) -> Any:
        """A statement that decides what is to do next: an outcome or a continuation."""
        run = _COMPOUND.get(type(s))
        if run is None:
            if self.generating and generators.yields(s):
                return generators.step(self, s, after)
            if isinstance(s, ast.Return):
                return ended(self, Outcome("return", self.eval(s.value) if s.value else None), after)
            if isinstance(s, (ast.Break, ast.Continue)):
                return leave(self, after, stay=isinstance(s, ast.Continue))
            raise expressions.unsupported(s)
        return run(self, s, after)

    # ------------------------------------------------------------------ names

    def load(self, name: str) -> Any:
        """The value of a name."""
        value = self.local.get(name, MISSING)
        if value is MISSING or name in self.globals:
            value = self.load_outer(name)
        if type(value) is Conditional:
            value = resolved(value)
            missing = [v for v in (value.then, value.orelse) if isinstance(v, Unbound)] if type(
                value) is Conditional else ()
            value = missing[0] if missing else value
        return self.bound(name, value) if isinstance(value, Unbound) else value

    def bound(self, name: str, value: Unbound, free: bool = False) -> Any:
        """The value of a name that may have none, which is an error of the run, or now; `free` in a function inside."""
        if type(value) is MaybeUnbound:
            check(value.ran, NameError(f"cannot access free variable '{name}' where it is not associated with a "
                                       "value in enclosing scope") if free else _unbound_local(name))
            self.put(name, value.value)
            return value.value
        raise failures.uncertain(value.error(value.why))

    def load_outer(self, name: str) -> Any:
        """The value of a name of a function around this one, of the module or built in."""
        if name in self.names:
            raise _unbound_local(name)
        scopes = self.fn.scopes
        if name in self.globals:
            scopes = [s for s in scopes if type(s) is dict]
        for scope in scopes:
            if type(scope) is Frame:
                if name in scope.local:
                    found = scope.local[name]
                    return scope.bound(name, found, free=True) if isinstance(found, Unbound) else found
            elif name in scope:
                value = scope[name]
                if scope is scopes[-1]:
                    runtime.trace.heap.watch.place(self.module_names(), name, MISSING)
                runtime.trace.read(scope, name, value)
                return value
        runtime.trace.heap.watch.place(self.module_names(), name, MISSING)
        raise NameError(f"name '{name}' is not defined")

    def store(self, name: str, value: Any) -> None:
        """Bind a name."""
        if name in self.globals:
            runtime.trace.heap.write(Global(self.module_names(), name), value)
            return
        frame = self.outer.get(name)
        if frame is None:
            self.put(name, value)
        else:
            runtime.trace.heap.version += 1
            frame.put(name, value)

    def put(self, name: str, value: Any) -> None:
        """Bind a name of this call; MISSING unbinds it."""
        runtime.trace.heap.bind(self, name, value)

    def assign(self, target: ast.expr, value: Any) -> None:
        """Bind a target: a name, an attribute, an element, or a sequence of targets."""
        if isinstance(target, ast.Name):
            self.store(target.id, value)
        else:
            targets.assign(self, target, value)

    def closure(self, node: Any) -> Closure:
        """A function defined here."""
        return statements.closure(self, node)

    eval = expressions.evaluate              # the value of an expression

    @property
    def home(self) -> Frame:
        """The function: this frame, or that around a comprehension."""
        return self.around or self

    def module_names(self) -> dict[str, Any]:
        """The globals of the function's module."""
        return next(s for s in self.fn.scopes if type(s) is dict)


def too_many(fn: Closure, positional: list[str], given: int) -> TypeError:
    """Python's error for too many arguments."""
    least = len([n for n in positional if n not in fn.defaults])
    most = len(positional)
    takes = f"{most}" if least == most else f"from {least} to {most}"
    plural = "s" * (most != 1 or least != most)
    return TypeError(f"{fn.name}() takes {takes} positional argument{plural} but {given} "
                     f"{'was' if given == 1 else 'were'} given")


def next_item(f: Frame, task: Items, rest: Any) -> Any:
    """The next pass of a loop over known items."""
    item = task.items.at(task.at)
    if item is MISSING:
        return (Steps(task.node.orelse), rest) if task.node.orelse else rest
    f.assign(task.node.target, item)
    return Steps(task.node.body), (task._replace(at=task.at + 1), rest)


def end_handler(f: Frame, task: Handling, rest: Any) -> Any:
    """The end of an `except` clause."""
    handled(f, task)
    return rest


def go_on_raising(f: Frame, task: Raising, rest: Any) -> Any:
    """After a `finally` clause."""
    raise task.error


_DO = {
    Items: next_item, Again: lambda f, t, rest: flow.while_(f, t.node, rest),
    More: lambda f, t, rest: t.loop.more(rest), Cases: match.cases,
    Pass: lambda f, t, rest: Outcome("next"), Fence: lambda f, t, rest: Outcome("through"),
    Guard: blocks.passed, Handling: end_handler, Exiting: lambda f, t, rest: blocks.exited(t, rest),
    Resume: lambda f, t, rest: resumed(f, t.outcome, rest), Raising: go_on_raising,
    generators.Sent: generators.sent, generators.Delegate: generators.delegated,
}
_COMPOUND = {
    ast.If: flow.if_, ast.For: flow.for_, ast.While: flow.while_, ast.With: blocks.with_,
    ast.Try: blocks.try_, ast.Match: match.match_, ast.Assert: statements.assert_,
}


def _unbound_local(name: str) -> UnboundLocalError:
    return UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
