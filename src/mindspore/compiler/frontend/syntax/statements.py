"""Simple statements, definitions of functions and classes."""
from __future__ import annotations
import __future__

import ast
import functools
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.calls import attributes, infix
from mindspore.compiler.frontend.calls.dispatch import call
from mindspore.compiler.frontend.calls.native import is_native_module, unfollowed
from mindspore.compiler.frontend.control import blocks, effects
from mindspore.compiler.frontend.control.tasks import HANDLED
from mindspore.compiler.frontend.objects import names
from mindspore.compiler.frontend.objects.failures import raised_by_user, uncertain
from mindspore.compiler.frontend.objects.places import MISSING
from mindspore.compiler.frontend.objects.source import Closure
from mindspore.compiler.frontend.objects.state import lift
from mindspore.compiler.frontend.values.conditional import INSIDE, ITSELF, STORED, distributed
from mindspore.core.errors import GraphSyntaxError
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

from . import expressions, flow
from .subscripts import item
from .targets import assign_item, delete, held


def assign(f: Any, s: ast.Assign) -> None:
    """`a = b = value`."""
    value = f.eval(s.value)
    for target in s.targets:
        f.assign(target, value)


def annotated(f: Any, s: ast.AnnAssign) -> None:
    """`target: annotation = value`; a class keeps the annotation, a function does not evaluate it."""
    if s.value:
        f.assign(s.target, f.eval(s.value))
    if isinstance(f.fn.node, ast.ClassDef) and isinstance(s.target, ast.Name) and s.simple:
        late = f.module_names().get("annotations") is __future__.annotations
        f.local.setdefault("__annotations__", {})[s.target.id] = (
            ast.unparse(s.annotation) if late else f.eval(s.annotation))


def augmented(f: Any, s: ast.AugAssign) -> None:
    """`a += value`, where `a` is evaluated once."""
    t, op = s.target, type(s.op)
    if isinstance(t, ast.Name):
        old = f.load(t.id)
        f.store(t.id, infix.augmented(op, old, f.eval(s.value)))
    elif isinstance(t, ast.Attribute):
        holder = f.eval(t.value)
        old = attributes.get_attribute(holder, t.attr)
        attributes.set_attribute(holder, t.attr, infix.augmented(op, old, f.eval(s.value)))
    else:
        (holder, chain), index = held(f, t.value), f.eval(t.slice)
        old = item(holder, index)
        assign_item(holder, index, infix.augmented(op, old, f.eval(s.value)), chain)


def function(f: Any, s: ast.FunctionDef) -> None:
    """`def`."""
    decorators = [f.eval(d) for d in s.decorator_list]
    f.store(s.name, decorated(decorators, closure(f, s)))


def decorated(decorators: list[Any], value: Any) -> Any:
    """What decorators, which stand above each other, make of a function or class."""
    for decorator in reversed(decorators):
        value = call(decorator, (value,), {})
    return value


def closure(f: Any, node: Any) -> Closure:
    """A function defined here; it sees the values that this frame's names have when it runs."""
    a = node.args
    plain = [p.arg for p in (*a.posonlyargs, *a.args)]
    given = [f.eval(d) for d in a.defaults]
    defaults = dict(zip(plain[len(plain) - len(given):], given, strict=True))
    defaults |= {p.arg: f.eval(d)
                 for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None}
    name = f"{f.fn.name}.<locals>.{names.where(node)}"
    around = f.fn.scopes if isinstance(f.fn.node, ast.ClassDef) else [f, *f.fn.scopes]
    made = Closure(node, around, f.fn.file, name, defaults, f.fn.owner)
    if isinstance(f.fn.node, ast.ClassDef):
        f.methods.append(made)
    return made


def nonlocal_(f: Any, s: ast.Nonlocal) -> None:
    """`nonlocal`: the names belong to a function around this one, which must be compiled, too."""
    for name in s.names:
        for scope in f.fn.scopes:
            if type(scope) is type(f) and name in scope.names:
                f.outer[name] = scope.outer.get(name, scope)
                break
        else:
            raise GraphSyntaxError(f"The nonlocal '{name}' belongs to a function outside of the "
                                   "graph and cannot be assigned: return the value instead.")


def global_(f: Any, s: ast.Global) -> None:
    """`global`."""
    f.globals.update(s.names)


def assert_(f: Any, s: ast.Assert, after: Any) -> Any:
    """`assert`: a check at run time; inside of `try` or `with` an `if`, behind which the error is raised."""
    if blocks.around(after):
        return flow.if_(f, _as_if(s), after)
    test = infix.truth(lift(f.eval(s.test)))
    if type(test) is Node:
        effects.claim(test, _message(f, s))
    elif not test:
        raise raised_by_user(AssertionError(*([f.eval(s.msg)] if s.msg else [])))
    return after


def _message(f: Any, s: ast.Assert) -> Any:
    """The message of an assertion that may hold: then it would not be evaluated."""
    try:
        return f.eval(s.msg) if s.msg else None
    except Exception as error:  # of the program: raised again; a run might not come here
        uncertain(error)
        raise


@functools.cache
def _as_if(s: ast.Assert) -> ast.If:
    """`if not test: raise AssertionError(message)`."""
    error = ast.Call(ast.Name("AssertionError", ast.Load()), [s.msg] if s.msg else [], [])
    made = ast.If(ast.UnaryOp(ast.Not(), s.test), [ast.Raise(error, None)], [])
    return ast.fix_missing_locations(ast.copy_location(made, s))


def raise_(f: Any, s: ast.Raise) -> None:
    """`raise`: the error leaves the front end as it leaves Python."""
    if s.exc is None:
        if not f.local.get(HANDLED):
            raise raised_by_user(RuntimeError("No active exception to reraise"))
        raise raised_by_user(f.local[HANDLED][-1], anew=False)
    error = f.eval(s.exc)
    _raise(error, *[f.eval(s.cause)] if s.cause else [])


@distributed(ITSELF)
def _raise(error: Any, *cause: Any) -> None:
    error = error() if isinstance(error, type) else error
    if cause:
        error.__cause__, = cause
    raise raised_by_user(error)


def import_(f: Any, s: ast.Import | ast.ImportFrom) -> None:
    """`import` and `from ... import`."""
    space: dict[str, Any] = {}
    around = f.module_names()
    try:
        exec(compile(ast.Module([s], []), f.fn.file, "exec"), around, space)
    finally:                                      # another module, or none, may stand there at the next run
        for name in [s.module] if isinstance(s, ast.ImportFrom) else [a.name for a in s.names]:
            if (name or "").partition(".")[0] != "mindspore" and not getattr(s, "level", 0):
                runtime.trace.heap.watch.place(sys.modules, name, sys.modules.get(name or "", MISSING))
    if isinstance(s, ast.ImportFrom):
        module = importlib.util.resolve_name("." * s.level + (s.module or ""), around.get("__package__"))
        taken = {a.name: space[a.asname or a.name] for a in s.names if a.name != "*"}
        runtime.trace.imported(sys.modules[module], taken)
    else:
        for value in space.values():
            runtime.trace.imported(value)
    for name, value in space.items():
        f.store(name, value)


def class_(f: Any, s: ast.ClassDef) -> None:
    """A class."""
    decorators = [f.eval(d) for d in s.decorator_list]
    f.store(s.name, _class(f, s, decorators, expressions.elements(f, s.bases)))


@distributed(STORED, STORED, STORED, INSIDE)
def _class(f: Any, s: ast.ClassDef, decorators: list[Any], bases: list[Any]) -> Any:
    """A class: its body runs in a scope of its own, its functions become methods."""
    options: dict[Any, Any] = {k.arg: f.eval(k.value) for k in s.keywords}
    inner = type(f)(Closure(s, [f, *f.fn.scopes], f.fn.file, f"{f.fn.name}.<locals>.{s.name}", {}))
    module = f.module_names().get("__name__", "__main__")
    inner.local = {"__module__": module, "__qualname__": f"{f.fn.name}.<locals>.{s.name}"}
    inner.run_body(s.body)
    for name in ("__init_subclass__", "__class_getitem__"):         # class methods without saying so
        if type(inner.local.get(name)) is Closure:
            inner.local[name] = classmethod(inner.local[name])
    _check_hooks(tuple(bases), options, inner.local)
    made: Any = types.new_class(s.name, tuple(bases), options, lambda space: space.update(inner.local))
    for method in inner.methods:
        method.owner = made
    runtime.trace.made[id(made)] = made, id(runtime.blocks[-1])
    return decorated(decorators, made)


def _check_hooks(bases: tuple[Any, ...], options: dict[str, Any], space: dict[str, Any]) -> None:
    """Refuse a class whose making would call functions from outside, which would run once only."""
    kind = types.prepare_class("", bases, dict(options))[0]
    hooks = [getattr(kind, name, None) for name in ("__prepare__", "__new__", "__init__")]
    hooks += [getattr(base, "__init_subclass__", None) for base in bases]
    hooks += [getattr(type(value), "__set_name__", None) for value in space.values()]
    for hook in hooks:
        inner = getattr(hook, "__func__", hook)
        if type(inner) is types.FunctionType and not is_native_module(inner.__module__):
            raise unfollowed(inner)


SIMPLE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Assign: assign, ast.AnnAssign: annotated, ast.AugAssign: augmented,
    ast.Expr: lambda f, s: f.eval(s.value), ast.Pass: lambda f, s: None,
    ast.FunctionDef: function, ast.ClassDef: class_, ast.Nonlocal: nonlocal_, ast.Global: global_,
    ast.Raise: raise_, ast.Delete: delete,
    ast.Import: import_, ast.ImportFrom: import_,
}
