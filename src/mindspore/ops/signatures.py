"""Public signatures of operators: parsed from the registry, turned into functions with a true signature.

    ReduceSum(keep_dims=False)(x, axis=())        two groups: constructor, call
    sub(input, other); subtract(input, other)     several names, separated by semicolons
    Transpose()(input, dims: perm)                an annotation names the kernel's parameter

A parameter of a signature means the attribute of that name; otherwise the kernel's next tensor; when
all tensors are given, the next attribute that nothing else names.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import DTYPES, as_dtype
from mindspore.core.errors import GraphValueError, kind
from mindspore.core.mistaken import mistaken
from mindspore.core.own_files import SIGNATURE
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.operators import extents

from . import documents


class Param(NamedTuple):
    """One parameter of a public signature."""

    name: str
    default: str | None        # source text
    kind: str                  # "plain", "keyword" or "star"
    target: str | None         # the kernel's parameter, where it was annotated

    def __str__(self) -> str:
        if self.kind == "star":
            return f"*{self.name}"
        return self.name if self.default is None else f"{self.name}={self.default}"


class Form(NamedTuple):
    """A public name with its groups of parameters: one for a function, two for a primitive."""

    name: str
    groups: list[list[Param]]


def names_in(specs: str | None) -> list[str]:
    """The public names that a specification defines."""
    return [s.partition("(")[0].strip() for s in specs.split(";")] if specs else []


def parse(spec: str) -> Form:
    """The form of one signature."""
    name, _, rest = spec.strip().partition("(")
    groups, depth, start, text = [], 1, 0, rest
    for i, c in enumerate(text):
        if depth == 0 and c == "(":
            start = i + 1
        depth += (c == "(") - (c == ")")
        if depth == 0 and c == ")":
            groups.append(_params(text[start:i]))
    return Form(name, groups)


def _params(text: str) -> list[Param]:
    (made,) = ast.parse(f"def f({text}): pass").body
    assert isinstance(made, ast.FunctionDef)
    args = made.args
    out = []
    defaults = [None] * (len(args.args) - len(args.defaults)) + args.defaults
    for a, d in zip(args.args, defaults, strict=True):
        out.append(_param(a, d, "plain"))
    if args.vararg:
        out.append(_param(args.vararg, None, "star"))
    for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        out.append(_param(a, d, "keyword"))
    return out


def _param(arg: Any, default: Any, how: str) -> Param:
    target = ast.unparse(arg.annotation) if arg.annotation else None
    return Param(arg.arg, None if default is None else ast.unparse(default), how, target)


def named(function: Any, name: str, doc: str) -> Any:
    """A function that was made for a public name, under this name and with its text."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def listed(params: Sequence[Param], *before: str) -> str:
    """Source of a parameter list."""
    shown = list(before)
    starred = any(p.kind == "star" for p in params)
    for p in params:
        if p.kind == "keyword" and not starred:
            shown.append("*")
            starred = True
        shown.append(str(p))
    return ", ".join(shown)


def arguments(op: Any, params: Sequence[Param], taken: Sequence[str] = ()) -> list[str]:
    """Source of the operator's arguments, from variables named like the parameters.

    `taken` are the attributes that come from elsewhere.
    """
    slots: dict[str, str] = {}
    keywords = []
    for p, target in bound(op, params, taken):
        if target in op.attrs:
            keywords.append(f"{target}=plain({p.name})")
        else:
            slots[target] = _tensor(op, p, target)
    last = max((op.inputs.index(s) for s in slots), default=-1)
    return [slots.get(s, "None") for s in op.inputs[:last + 1]] + keywords


def bound(op: Any, params: Sequence[Param], taken: Sequence[str] = ()) -> list[tuple[Param, str]]:
    """Each parameter with the input or attribute of the operator that it means.

    `taken` are the attributes that come from elsewhere.
    """
    claimed = {p.target or p.name for p in params} | set(taken)
    tensors: list[str] = list(op.inputs)
    spare = [a for a in op.attrs if a not in claimed]
    found: list[tuple[Param, str]] = []
    for p in params:
        target = p.target or p.name
        if target in op.attrs:
            found.append((p, target))
        elif p.target in tensors or tensors:
            slot = p.target if p.target in tensors else tensors[0]
            tensors.remove(slot)
            found.append((p, slot))
        elif spare:
            found.append((p, spare.pop(0)))
        else:
            raise ValueError(f"The signature of '{op.name}' has a parameter '{p.name}' that its "
                             f"kernel does not take.")
    return found


def _tensor(op: Any, p: Param, slot: str) -> str:
    if not (op.variadic and slot == op.inputs[-1]):
        return p.name
    if p.kind == "star":                            # of an operator: one sequence of tensors, or the tensors
        return f"*{p.name}" if hasattr(op, "body") else f"*several({op.name!r}, {p.name!r}, {p.name})"
    return f"*sequence({op.name!r}, {p.name!r}, {p.name})"


def compiled(source: str, name: str, module: str, doc: str | None, **names: Any) -> Callable[..., Any]:
    """The function that the source defines."""
    scope = {**DTYPES, "plain": plain, "sequence": sequence, "several": several, "flag": flag,
             "mistaken": mistaken, **names}
    exec(compile(source, f"{SIGNATURE}{name}>", "exec"), scope)
    made = scope[name]
    made.__module__, made.__doc__ = module, doc
    return made


def function(op: Any, spec: str, module: str) -> Callable[..., Any]:
    """The public function of an operator."""
    name, (params, *_) = parse(spec)
    args = ", ".join(arguments(op, params))
    source = f"def {name}({listed(params)}):\n{_flags(name, params)}{_body(name, args, params)}"
    return compiled(source, name, module, documents.of_function(op, bound(op, params), name), op=op)


def method(op: Any, spec: str, module: str) -> Callable[..., Any]:
    """The public method of an operator, with the first tensor as `self`."""
    name, (params, *_) = parse(spec)
    given = params if any(p.name == "self" for p in params) else [
        Param("self", None, "plain", op.inputs[0]), *params]
    rest = [p for p in given if p.name != "self"]
    args = ", ".join(arguments(op, given))
    source = f"def {name}({listed(rest, 'self')}):\n{_flags(name, rest)}{_body(name, args, rest)}"
    called = next(iter(names_in(op.function)), "")
    return compiled(source, name, module, documents.of_function(op, bound(op, given), called), op=op)


def _body(name: str, args: str, params: Sequence[Param]) -> str:
    """Source that calls the operator and says in the user's words what no check refuses."""
    given = ", ".join([f"{p.name!r}: {p.name}" for p in params])
    return (f"    try: return op({args})\n    except Exception as error:\n"
            f"        made = mistaken({name!r}, lambda: {{{given}}}, error)\n"
            "        if made is error: raise\n        raise made from made.__cause__\n")


def _flags(name: str, params: Sequence[Param]) -> str:
    """Source that refuses what is no bool where the default is one."""
    return "".join([f"    if type({p.name}) is not bool: flag({name!r}, {p.name!r}, {p.name})\n" for p in params
                    if p.default in ("True", "False")])


# ---------------------------------------------------------------------- attribute values

_PLAIN = {int, bool, float, str, type(None)}


def plain(value: Any) -> Any:
    """An attribute as the kernels take it: tuples for lists, numbers for constant tensors.

    Raises:
        ValueError: If the value is computed in the graph that is being compiled.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (tuple, list)):
        return tuple([plain(v) for v in value])
    if isinstance(value, Tensor):
        return plain(value.asnumpy())
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (type, np.dtype)):
        return as_dtype(value)
    if isinstance(value, Node) and value.dtype.kind in "iu" and value.ndim < 2:
        parts: Any = value
        return tuple([extents.number(v) for v in parts]) if value.ndim else extents.number(value)
    if isinstance(value, Node):
        raise GraphValueError(
            f"A value that must be known while a graph is compiled (such as a shape or an axis) is "
            f"computed from a tensor ({value.aval}). Pass a Python number or a tuple of them.")
    return value


def several(owner: str, name: str, values: tuple[Any, ...]) -> Sequence[Any]:
    """What a call got, one by one or in one sequence."""
    return sequence(owner, name, values[0]) if len(values) == 1 else values


def flag(owner: str, name: str, value: Any) -> bool:
    """A bool.  TypeError for anything else."""
    return check.boolean(owner, name, plain(value) if isinstance(value, Node) else value)


def sequence(owner: str, name: str, value: Any) -> Sequence[Any]:
    """The tensors of an operator that takes any number of them.  TypeError for a single one."""
    if isinstance(value, (tuple, list)):
        return value
    raise TypeError(f"For '{owner}', the '{name}' must be a tuple or a list of tensors, but got "
                    f"{kind(value)}.")
