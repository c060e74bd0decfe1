"""The execution of one function body: statements.

A frame runs its statements as a machine with an explicit continuation: a linked list of what is
still to do, `(task, rest)`.  So a condition on a tensor whose arms may return, break or continue can
run each arm with its own copy of the whole rest, and merge where the paths meet again: at the end of
the function, or at the end of one pass of a loop on a tensor.
"""
from __future__ import annotations

import ast
import importlib.util
import linecache
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from mindspore.compiler.ir import Block, Loc, Node
from mindspore.core.errors import GraphSyntaxError, GraphTypeError
from mindspore.core.tensor import Tensor

from . import aliasing, blocks, expressions, flow, names
from .choice import Choice, Unbound, items_of, settled
from .heap import CONTAINERS, MISSING, Contents, Global, Name
from .source import Closure
from .state import Trace, lift


class Outcome(NamedTuple):
    """How a run ended.

    Kinds: 'fall' (at the end of what it was given), 'next' (at the end of a pass of a loop), 'through'
    (at the end of a block), 'break', 'return', and 'mixed': which of them is known at run time only.
    """

    kind: str
    value: Any = None


FALL = Outcome("fall")


class Steps(NamedTuple):
    """The statements from `at` on."""

    body: list[ast.stmt]
    at: int = 0


class Items(NamedTuple):
    """A loop over known items: those that are left."""

    node: ast.For
    items: Iterator[Any]


class Again(NamedTuple):
    """A loop on a known condition."""

    node: ast.While


class Pass(NamedTuple):
    """The end of one pass of a loop on a tensor: leaving it is an outcome of the run."""


class Fence(NamedTuple):
    """The end of a block that is run by itself, as that of `with`."""


class Frame:
    """One call of a function given by its tree."""

    def __init__(self, fn: Closure):
        self.fn, self.local = fn, {}
        self.names = names.local_names(fn.node)
        self.caller = Block.loc
        self.home = self                         # the function, for a comprehension inside it
        self.globals: set[str] = set()
        self.outer: dict[str, Frame] = {}        # names declared nonlocal -> the frame that has them
        self.handled: list[Exception] = []       # what `except` clauses around are handling

    # ------------------------------------------------------------------ calling

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Bind the arguments and run the body."""
        self.bind(args, kwargs)
        body = self.fn.node.body
        if isinstance(self.fn.node, ast.Lambda):
            return self.value(body)
        return self.run((Steps(body), None)).value

    def value(self, body: ast.expr) -> Any:
        """The value of a lambda's expression."""
        Block.loc = Loc(self.fn.file, body.lineno, self.fn.name, self.caller)
        try:
            return self.eval(body)
        except Exception as error:
            self.note(error, body)
            raise

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Give the parameters their values, with Python's errors."""
        a, name = self.fn.node.args, self.fn.name
        positional = [p.arg for p in (*a.posonlyargs, *a.args)]
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
        for n in names_:
            if n not in local:
                local[n] = defaults[n]

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
                result = flow.while_(self, task.node, rest)
            elif type(task) is blocks.Cases:
                result = blocks.cases(self, task, rest)
            else:
                return Outcome("through" if type(task) is Fence else "next")
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

    def note(self, error: Exception, s: ast.stmt | ast.expr) -> None:
        """Add the user's line to an error; every frame adds its own, innermost first."""
        if getattr(error, "_noted", None) is self:
            return
        error._noted = self                   # type: ignore[attr-defined]
        line = linecache.getline(self.fn.file, s.lineno).strip() or ast.unparse(s).splitlines()[0]
        error.add_note(f"  {self.fn.file}:{s.lineno} in {self.fn.name}: {line}")

    def compound(self, s: ast.stmt, after: Any) -> Any:
        """A statement that decides what is to do next: an outcome or a continuation."""
        if isinstance(s, ast.Return):
            return Outcome("return", self.eval(s.value) if s.value else None)
        if isinstance(s, ast.Break):
            return self.leave(after, stay=False)
        if isinstance(s, ast.Continue):
            return self.leave(after, stay=True)
        run = _COMPOUND.get(type(s))
        if run is None:
            raise unsupported(s)
        return run(self, s, after)

    def leave(self, rest: Any, stay: bool) -> Any:
        """What `break` (or `continue`, with `stay`) leaves to do."""
        while rest is not None:
            task, after = rest
            if type(task) in (Pass, Fence):
                return Outcome("next" if stay else "break")
            if type(task) in (Items, Again):
                return rest if stay else after
            rest = after
        raise GraphSyntaxError("'break' or 'continue' outside of a loop.")

    def next_item(self, task: Items, rest: Any) -> Any:
        item = next(task.items, MISSING)
        if item is MISSING:
            return (Steps(task.node.orelse), rest) if task.node.orelse else rest
        self.assign(task.node.target, item)
        return Steps(task.node.body), (task, rest)

    # ------------------------------------------------------------------ names

    def load(self, name: str) -> Any:
        """The value of a name."""
        value = self.local.get(name, MISSING)
        if value is MISSING or name in self.globals:
            value = self.load_outer(name)
        if type(value) is Choice:
            value = settled(value)
            missing = [v for v in (value.then, value.orelse) if type(v) is Unbound] if type(
                value) is Choice else ()
            value = missing[0] if missing else value
        if type(value) is Unbound:
            error = value.error(value.why)
            error._uncertain = True               # type: ignore[attr-defined]
            raise error
        return value

    def load_outer(self, name: str) -> Any:
        """The value of a name of a function around this one, of the module or built in."""
        if name in self.names:
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated "
                                    "with a value")
        scopes = self.fn.scopes
        if name in self.globals:
            scopes = [s for s in scopes if type(s) is dict]
        for scope in scopes:
            if type(scope) is Frame:
                if name in scope.local:
                    return scope.local[name]
            elif name in scope:
                value = scope[name]
                Trace.current.read(scope, name, value)
                return value
        raise NameError(f"name '{name}' is not defined")

    def store(self, name: str, value: Any) -> None:
        """Bind a name."""
        if name in self.globals:
            Trace.current.heap.write(Global(self.module_names(), name), value)
            return
        frame = self.outer.get(name)
        if frame is None:
            self.local[name] = value
        else:
            Trace.current.heap.write(Name(frame, name), value)

    def unbind(self, name: str) -> None:
        """Delete a name."""
        place = Global(self.module_names(), name) if name in self.globals else Name(
            self.outer.get(name, self), name)
        if place.owner is self:
            del self.local[name]
        else:
            Trace.current.heap.write(place, MISSING)

    def assign(self, target: ast.expr, value: Any) -> None:
        """Bind a target: a name, an attribute, an element, or a sequence of targets."""
        if isinstance(target, ast.Name):
            self.store(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, value)
        elif isinstance(target, ast.Attribute):
            expressions.set_attribute(self.eval(target.value), target.attr, value)
        elif isinstance(target, ast.Subscript):
            holder, chain = self.held(target.value)
            self.assign_item(holder, self.eval(target.slice), value, chain)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, list(value))
        else:
            raise unsupported(target)

    def unpack(self, targets: list[ast.expr], value: Any) -> None:
        values = list(items_of(value))
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

    def held(self, e: ast.expr) -> tuple[Any, Any]:
        """The value of an expression and, of `a[i]`, the chain (a, i, chain of a) that led to it."""
        if not isinstance(e, ast.Subscript):
            return self.eval(e), None
        outer, chain = self.held(e.value)
        index = self.eval(e.slice)
        return expressions.item(outer, index), (outer, index, chain)

    def assign_item(self, holder: Any, index: Any, value: Any, chain: Any) -> None:
        """`holder[index] = value`: containers change, tensors are changed in place.

        `chain` is where the holder came from: `x[0][1] = v` changes x.
        """
        if type(holder) is Choice:
            raise GraphTypeError("The tensor or container whose element is assigned depends on a "
                                 "condition on a tensor; assign in the arms of the condition.")
        if not isinstance(holder, (Node, Tensor)):
            if isinstance(holder, CONTAINERS):
                Trace.current.heap.touch(Contents(holder))
                holder[index] = value
            else:
                expressions.call(type(holder).__setitem__, (holder, index, value), {})
            return
        from mindspore.core.parameter import Parameter, assign
        from mindspore.ops.getitem import setitem  # the functions stand on the front end's siblings

        new = setitem(lift(holder), index, value)
        if isinstance(holder, Parameter):
            assign(holder, new)
            return
        if chain and isinstance(chain[0], (Node, Tensor)) and getattr(holder.op, "alias", False):
            self.assign_item(*chain[:2], new, chain[2])
        else:
            aliasing.replace(holder, new)

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
        t, op = s.target, type(s.op)
        if isinstance(t, ast.Name):
            old = self.load(t.id)
            self.store(t.id, expressions.augmented(op, old, self.eval(s.value)))
        elif isinstance(t, ast.Attribute):
            holder = self.eval(t.value)
            old = expressions.get_attribute(holder, t.attr)
            expressions.set_attribute(holder, t.attr,
                                      expressions.augmented(op, old, self.eval(s.value)))
        else:
            (holder, chain), index = self.held(t.value), self.eval(t.slice)
            old = expressions.item(holder, index)
            self.assign_item(holder, index, expressions.augmented(op, old, self.eval(s.value)), chain)

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
        name = f"{self.fn.name}.<locals>.{names.where(node)}"
        return Closure(node, [self, *self.fn.scopes], self.fn.file, name, defaults, self.fn.owner)

    def do_nonlocal(self, s: ast.Nonlocal) -> None:
        for name in s.names:
            for scope in self.fn.scopes:
                if type(scope) is Frame and name in scope.names:
                    self.outer[name] = scope.outer.get(name, scope)
                    break
            else:
                raise GraphSyntaxError(f"The nonlocal '{name}' belongs to a function outside of the "
                                       "graph and cannot be assigned: return the value instead.")

    def do_global(self, s: ast.Global) -> None:
        self.globals.update(s.names)

    def do_assert(self, s: ast.Assert) -> None:
        test = lift(self.eval(s.test))
        if type(test) is Choice:
            test = expressions.truth(test)
        if type(test) is Node:
            from .effects import assert_  # loads the operators of effects
            assert_(expressions.truth(test), self.eval(s.msg) if s.msg else "")
        elif not test:
            raise by_user(AssertionError(*([self.eval(s.msg)] if s.msg else [])))

    def do_raise(self, s: ast.Raise) -> None:
        if s.exc is None:
            if not self.handled:
                raise by_user(RuntimeError("No active exception to reraise"))
            raise by_user(self.handled[-1])
        error = self.eval(s.exc)
        error = error() if isinstance(error, type) else error
        if s.cause:
            error.__cause__ = self.eval(s.cause)
        raise by_user(error)

    def do_delete(self, s: ast.Delete) -> None:
        for target in s.targets:
            if isinstance(target, ast.Name):
                self.load(target.id)
                self.unbind(target.id)
            elif isinstance(target, ast.Subscript):
                holder, index = self.eval(target.value), self.eval(target.slice)
                if isinstance(holder, CONTAINERS):
                    Trace.current.heap.touch(Contents(holder))
                del holder[index]
            elif isinstance(target, ast.Attribute):
                expressions.delete_attribute(self.eval(target.value), target.attr)
            else:
                raise unsupported(s)

    def do_import(self, s: ast.Import | ast.ImportFrom) -> None:
        space: dict[str, Any] = {}
        names = self.module_names()
        exec(compile(ast.Module([s], []), self.fn.file, "exec"), names, space)
        if isinstance(s, ast.ImportFrom):
            module = importlib.util.resolve_name("." * s.level + (s.module or ""), names.get("__package__"))
            taken = {a.name: space[a.asname or a.name] for a in s.names if a.name != "*"}
            Trace.current.imported(sys.modules[module], taken)
        else:
            for value in space.values():
                Trace.current.imported(value)
        for name, value in space.items():
            self.store(name, value)

    def module_names(self) -> dict[str, Any]:
        """The globals of the function's module."""
        return next(s for s in self.fn.scopes if type(s) is dict)


Block.replace = staticmethod(aliasing.replace)


def too_many(fn: Closure, positional: list[str], given: int) -> TypeError:
    """Python's error for too many arguments."""
    least = len([n for n in positional if n not in fn.defaults])
    most = len(positional)
    takes = f"{most}" if least == most else f"from {least} to {most}"
    plural = "s" * (most != 1 or least != most)
    return TypeError(f"{fn.name}() takes {takes} positional argument{plural} but {given} "
                     f"{'was' if given == 1 else 'were'} given")


def by_user(error: Exception) -> Exception:
    """An error that the program raises itself, and so only where it gets to."""
    error._by_user = True                  # type: ignore[attr-defined]
    return error


def unsupported(s: ast.AST) -> Exception:
    """The error for a construct that graph mode does not take."""
    what = type(s).__name__
    remedy = _REMEDIES.get(what, "Move it out of the compiled function, or run in PyNative mode.")
    return GraphSyntaxError(f"Graph mode does not take the Python construct '{what}'. {remedy}")


_REMEDIES = {
    "TryStar": "Use 'except' without a star.",
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
_COMPOUND = {
    ast.If: flow.if_, ast.For: flow.for_, ast.While: flow.while_, ast.With: blocks.with_,
    ast.Try: blocks.try_, ast.Match: blocks.match_,
}
