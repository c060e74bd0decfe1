"""The execution of one function body: statements.

A frame runs its statements as a machine with an explicit continuation: a linked list of what is
still to do, `(task, rest)`.  So a condition on a tensor whose arms may return, break or continue can
run each arm with its own copy of the whole rest, and merge where the paths meet again: at the end of
the function, or at the end of one pass of a loop on a tensor.
"""
from __future__ import annotations

import ast
import linecache
from typing import Any, NamedTuple

from mindspore.compiler.ir import Block, Loc, Node
from mindspore.core.errors import GraphSyntaxError
from mindspore.core.tensor import Tensor

from . import expressions, flow, names
from .source import Closure
from .state import lift


class Outcome(NamedTuple):
    """How a run ended: kind 'fall' (ran to the end of what it was given), 'next', 'break', 'return'."""

    kind: str
    value: Any = None


FALL = Outcome("fall")


class Steps(NamedTuple):
    """The statements from `at` on."""

    body: list[ast.stmt]
    at: int = 0


class Items(NamedTuple):
    """A loop over known items: those from `at` on."""

    node: ast.For
    items: list[Any]
    at: int


class Again(NamedTuple):
    """A loop on a known condition."""

    node: ast.While


class Pass(NamedTuple):
    """The end of one pass of a loop on a tensor: leaving it is an outcome of the run."""


class Unbound:
    """The value of a name that only one way of a condition on a tensor binds."""

    def __init__(self, why: str):
        self.why = why


class Frame:
    """One call of a function given by its tree."""

    def __init__(self, fn: Closure):
        self.fn, self.local = fn, {}
        self.caller = Block.loc
        self.globals: set[str] = set()
        self.outer: dict[str, Frame] = {}        # names declared nonlocal -> the frame that has them

    # ------------------------------------------------------------------ calling

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Bind the arguments and run the body."""
        self.bind(args, kwargs)
        body = self.fn.node.body
        if isinstance(self.fn.node, ast.Lambda):
            return self.eval(body)
        return self.run((Steps(body), None)).value

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Give the parameters their values, with Python's errors."""
        a = self.fn.node.args
        plain = [p.arg for p in (*a.posonlyargs, *a.args)]
        local = dict(zip(plain, args, strict=False))
        if a.vararg:
            local[a.vararg.arg] = tuple(args[len(plain):])
        elif len(args) > len(plain):
            raise TypeError(f"{self.fn.name}() takes {len(plain)} positional arguments but "
                            f"{len(args)} were given")
        extra = {}
        accepted = {*[p.arg for p in a.args], *[p.arg for p in a.kwonlyargs]}
        for key, value in kwargs.items():
            if key in accepted:
                if key in local:
                    raise TypeError(f"{self.fn.name}() got multiple values for argument '{key}'")
                local[key] = value
            elif a.kwarg:
                extra[key] = value
            else:
                raise TypeError(f"{self.fn.name}() got an unexpected keyword argument '{key}'")
        if a.kwarg:
            local[a.kwarg.arg] = extra
        for name in (*plain, *[p.arg for p in a.kwonlyargs]):
            if name not in local:
                if name not in self.fn.defaults:
                    raise TypeError(f"{self.fn.name}() missing required argument: '{name}'")
                local[name] = self.fn.defaults[name]
        self.local = local

    # ------------------------------------------------------------------ the machine

    def run(self, rest: Any) -> Outcome:
        """Do what is to do; how it ended."""
        while rest is not None:
            task, rest = rest
            if type(task) is Steps:
                result = self.steps(task, rest)
            elif type(task) is Items:
                result = self.next_item(task, rest)
            elif type(task) is Again:
                result = self.again(task, rest)
            else:
                return Outcome("next")
            if type(result) is Outcome:
                return result
            rest = result
        return FALL

    def steps(self, task: Steps, rest: Any) -> Any:
        """Run statements until one of them changes what is to do."""
        body = task.body
        for i in range(task.at, len(body)):
            s = body[i]
            Block.loc = Loc(self.fn.file, s.lineno, self.fn.name, self.caller)
            try:
                simple = _SIMPLE.get(type(s))
                if simple:
                    simple(self, s)
                    continue
                after = (Steps(body, i + 1), rest) if i + 1 < len(body) else rest
                result = self.compound(s, after)
            except Exception as error:
                self.note(error, s)
                raise
            if result is not after:
                return result
            if after is rest:
                return rest
        return rest

    def note(self, error: Exception, s: ast.stmt) -> None:
        """Add the user's line to an error; every frame adds its own, innermost first."""
        line = linecache.getline(self.fn.file, s.lineno).strip() or ast.unparse(s).splitlines()[0]
        error.add_note(f"  {self.fn.file}:{s.lineno} in {self.fn.name}: {line}")

    def compound(self, s: ast.stmt, after: Any) -> Any:
        """A statement that decides what is to do next: an outcome or a continuation."""
        if isinstance(s, ast.Return):
            return Outcome("return", self.eval(s.value) if s.value else None)
        if isinstance(s, ast.If):
            return flow.if_(self, s, after)
        if isinstance(s, ast.For):
            return flow.for_(self, s, after)
        if isinstance(s, ast.While):
            return flow.while_(self, s, after)
        if isinstance(s, ast.Break):
            return self.leave(after, stay=False)
        if isinstance(s, ast.Continue):
            return self.leave(after, stay=True)
        raise unsupported(s)

    def leave(self, rest: Any, stay: bool) -> Any:
        """What `break` (or `continue`, with `stay`) leaves to do."""
        while rest is not None:
            task, after = rest
            if type(task) is Pass:
                return Outcome("next" if stay else "break")
            if type(task) in (Items, Again):
                return rest if stay else after
            rest = after
        raise GraphSyntaxError("'break' or 'continue' outside of a loop.")

    def next_item(self, task: Items, rest: Any) -> Any:
        if task.at == len(task.items):
            return (Steps(task.node.orelse), rest) if task.node.orelse else rest
        self.assign(task.node.target, task.items[task.at])
        return Steps(task.node.body), (Items(task.node, task.items, task.at + 1), rest)

    def again(self, task: Again, rest: Any) -> Any:
        return flow.while_(self, task.node, rest)

    # ------------------------------------------------------------------ names

    def load(self, name: str) -> Any:
        """The value of a name."""
        if name in self.outer:
            return self.outer[name].local[name]
        if name in self.local and name not in self.globals:
            value = self.local[name]
            if type(value) is Unbound:
                raise UnboundLocalError(value.why)
            return value
        for scope in self.fn.scopes:
            names_ = scope.local if type(scope) is Frame else scope
            if name in names_:
                return names_[name]
        raise NameError(f"name '{name}' is not defined")

    def store(self, name: str, value: Any) -> None:
        """Bind a name."""
        if name in self.globals:
            raise GraphSyntaxError(f"The global '{name}' cannot be assigned in graph mode: return the "
                                   "value, or keep it in a Parameter.")
        self.outer.get(name, self).local[name] = value

    def assign(self, target: ast.expr, value: Any) -> None:
        """Bind a target: a name, an attribute, an element, or a sequence of targets."""
        if isinstance(target, ast.Name):
            self.store(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, value)
        elif isinstance(target, ast.Attribute):
            expressions.set_attribute(self.eval(target.value), target.attr, value)
        elif isinstance(target, ast.Subscript):
            self.assign_item(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, list(value))
        else:
            raise unsupported(target)

    def unpack(self, targets: list[ast.expr], value: Any) -> None:
        values = list(value)
        star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
        if star is None:
            if len(values) != len(targets):
                few = len(values) < len(targets)
                raise ValueError(f"not enough values to unpack (expected {len(targets)}, got "
                                 f"{len(values)})" if few else
                                 f"too many values to unpack (expected {len(targets)})")
        else:
            if len(values) < len(targets) - 1:
                raise ValueError(f"not enough values to unpack (expected at least "
                                 f"{len(targets) - 1}, got {len(values)})")
            end = len(values) - (len(targets) - 1 - star)
            values = [*values[:star], values[star:end], *values[end:]]
        for t, v in zip(targets, values, strict=True):
            self.assign(t, v)

    def assign_item(self, target: ast.Subscript, value: Any) -> None:
        """`x[i] = value`: containers change, tensors are bound anew."""
        from mindspore.ops.indexing import setitem    # the functions stand on the front end's siblings

        holder, index = self.eval(target.value), self.eval(target.slice)
        if isinstance(holder, (Node, Tensor)):
            new = setitem(lift(holder), index, value)
            from mindspore.core.parameter import Parameter, assign
            if isinstance(holder, Parameter):
                assign(holder, new)
            else:
                self.assign(target.value, new)
        else:
            holder[index] = value

    def eval(self, e: ast.expr) -> Any:
        """The value of an expression."""
        return expressions.evaluate(self, e)

    # ------------------------------------------------------------------ simple statements

    def do_assign(self, s: ast.Assign) -> None:
        value = self.eval(s.value)
        for target in s.targets:
            self.assign(target, value)

    def do_annotated(self, s: ast.AnnAssign) -> None:
        if s.value:
            self.assign(s.target, self.eval(s.value))

    def do_augmented(self, s: ast.AugAssign) -> None:
        old = self.eval(_as_load(s.target))
        value = self.eval(s.value)
        self.assign(s.target, expressions.augmented(type(s.op), old, value))

    def do_function(self, s: ast.FunctionDef) -> None:
        value: Any = self.closure(s)
        for decorator in reversed(s.decorator_list):
            value = expressions.call(self.eval(decorator), (value,), {})
        self.store(s.name, value)

    def closure(self, node: Any) -> Closure:
        """A function defined here; it sees this frame's names as they are when it runs."""
        a = node.args
        plain = [p.arg for p in (*a.posonlyargs, *a.args)]
        given = [self.eval(d) for d in a.defaults]
        defaults = dict(zip(plain[len(plain) - len(given):], given, strict=True))
        defaults |= {p.arg: self.eval(d)
                     for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None}
        name = f"{self.fn.name}.{names.where(node)}"
        return Closure(node, [self, *self.fn.scopes], self.fn.file, name, defaults, self.fn.owner)

    def do_nonlocal(self, s: ast.Nonlocal) -> None:
        for name in s.names:
            for scope in self.fn.scopes:
                if type(scope) is Frame and name in scope.local:
                    self.outer[name] = scope
                    break
            else:
                raise GraphSyntaxError(f"The nonlocal '{name}' belongs to a function outside of the "
                                       "graph and cannot be assigned: return the value instead.")

    def do_global(self, s: ast.Global) -> None:
        self.globals.update(s.names)

    def do_assert(self, s: ast.Assert) -> None:
        test = lift(self.eval(s.test))
        if type(test) is Node:
            from .effects import assert_        # loads the operators of effects
            assert_(test, self.eval(s.msg) if s.msg else "")
        elif not test:
            raise AssertionError(*([self.eval(s.msg)] if s.msg else []))

    def do_raise(self, s: ast.Raise) -> None:
        if s.exc is None:
            raise unsupported(s)
        error = self.eval(s.exc)
        raise error() if isinstance(error, type) else error

    def do_delete(self, s: ast.Delete) -> None:
        for target in s.targets:
            if isinstance(target, ast.Name):
                self.load(target.id)
                del self.local[target.id]
            elif isinstance(target, ast.Subscript):
                del self.eval(target.value)[self.eval(target.slice)]
            else:
                raise unsupported(s)

    def do_import(self, s: ast.Import | ast.ImportFrom) -> None:
        space: dict[str, Any] = {}
        exec(compile(ast.Module([s], []), self.fn.file, "exec"), self.module_names(), space)
        for name, value in space.items():
            self.store(name, value)

    def module_names(self) -> dict[str, Any]:
        """The globals of the function's module."""
        return next(s for s in self.fn.scopes if type(s) is dict)


def _as_load(target: ast.expr) -> ast.expr:
    """The same target, to be read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


def unsupported(s: ast.AST) -> Exception:
    """The error for a construct that graph mode does not take."""
    what = type(s).__name__
    remedy = _REMEDIES.get(what, "Move it out of the compiled function, or run in PyNative mode.")
    return GraphSyntaxError(f"Graph mode does not take the Python construct '{what}'. {remedy}")


_REMEDIES = {
    "Try": "Check the condition before, since a compiled graph cannot catch exceptions.",
    "Yield": "Collect the values in a list and return it.",
    "YieldFrom": "Collect the values in a list and return it.",
    "Await": "Call the coroutine outside of the compiled function.",
    "ClassDef": "Define the class at module level.",
}

_SIMPLE = {
    ast.Assign: Frame.do_assign, ast.AnnAssign: Frame.do_annotated, ast.AugAssign: Frame.do_augmented,
    ast.Expr: lambda f, s: f.eval(s.value), ast.Pass: lambda f, s: None,
    ast.FunctionDef: Frame.do_function, ast.Nonlocal: Frame.do_nonlocal, ast.Global: Frame.do_global,
    ast.Assert: Frame.do_assert, ast.Raise: Frame.do_raise, ast.Delete: Frame.do_delete,
    ast.Import: Frame.do_import, ast.ImportFrom: Frame.do_import,
}
