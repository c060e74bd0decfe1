"""What assignments bind and `del` removes: names, attributes, elements, sequences of these."""
from __future__ import annotations

import ast
import itertools
from typing import Any

from mindspore.compiler.frontend.calls import attributes
from mindspore.compiler.frontend.calls.dispatch import call
from mindspore.compiler.frontend.calls.protocols import iterated, user_method
from mindspore.compiler.frontend.objects import aliasing
from mindspore.compiler.frontend.objects.places import CONTAINERS, MISSING, Contents, Global
from mindspore.compiler.frontend.objects.state import as_key, lift
from mindspore.compiler.frontend.values.conditional import INSIDE, ITSELF, STORED, distributed
from mindspore.core.errors import kind
from mindspore.eager import parameter
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

from . import expressions
from .subscripts import item


def assign(f: Any, target: ast.expr, value: Any) -> None:
    """Bind a target: a name, an attribute, an element, or a sequence of targets."""
    if isinstance(target, ast.Name):
        f.store(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        unpack(f, target.elts, value)
    elif isinstance(target, ast.Attribute):
        attributes.set_attribute(f.eval(target.value), target.attr, value)
    elif isinstance(target, ast.Subscript):
        holder, chain = held(f, target.value)
        assign_item(holder, f.eval(target.slice), value, chain)
    elif isinstance(target, ast.Starred):
        f.assign(target.value, list(value))
    else:
        raise expressions.unsupported(target)


def unpack(f: Any, targets: list[ast.expr], value: Any) -> None:
    """Bind a sequence of targets, one of which may be starred."""
    star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
    value = iterated(value)
    values = list(value if star is not None or not hasattr(type(value), "__next__")
                  else itertools.islice(value, len(targets) + 1))
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
        f.assign(t, v)


def held(f: Any, e: ast.expr) -> tuple[Any, Any]:
    """The value of an expression and, of `a[i]`, the chain (a, i, chain of a) that led to it."""
    if not isinstance(e, ast.Subscript):
        return f.eval(e), None
    outer, chain = held(f, e.value)
    index = f.eval(e.slice)
    return item(outer, index), (outer, index, chain)


@distributed(ITSELF, INSIDE, STORED)
def assign_item(holder: Any, index: Any, value: Any, chain: Any) -> None:
    """`holder[index] = value`: containers change, tensors are changed in place.

    `chain` is where the holder came from: `x[0][1] = v` changes x.
    """
    if not isinstance(holder, (Node, Tensor)):
        method = user_method(holder, "__setitem__")
        if method:
            method(index, value)
        elif isinstance(holder, CONTAINERS):
            runtime.trace.heap.touch(Contents(holder))
            index = as_key(holder, index, True) if isinstance(holder, dict) else index
            items: Any = holder
            items[index] = value
        elif hasattr(type(holder), "__setitem__"):
            call(holder.__setitem__, (index, value), {})
        else:
            raise TypeError(f"'{kind(holder)}' object does not support item assignment")
        return
    new = lift(holder)._with_item(index, value)
    if isinstance(holder, Parameter):
        parameter.assign(holder, new)
        return
    if chain and isinstance(chain[0], (Node, Tensor)) and holder.op is not None and holder.op.view and len(
            holder.inputs) == 1:          # else it is taken at places that are tensors, a copy
        owner, place, rest = chain
        assign_item(owner, place, new, rest)
    else:
        aliasing.replace(holder, new)


def unbind(f: Any, name: str) -> None:
    """Delete a name."""
    if name in f.globals:
        runtime.trace.heap.write(Global(f.module_names(), name), MISSING)
    else:
        f.store(name, MISSING)


def delete(f: Any, s: ast.Delete) -> None:
    """`del` of names, elements and attributes."""
    for target in s.targets:
        if isinstance(target, ast.Name):
            f.load(target.id)
            unbind(f, target.id)
        elif isinstance(target, ast.Subscript):
            _delete_item(f.eval(target.value), f.eval(target.slice))
        elif isinstance(target, ast.Attribute):
            attributes.delete_attribute(f.eval(target.value), target.attr)
        else:
            raise expressions.unsupported(s)


@distributed(ITSELF, INSIDE)
def _delete_item(holder: Any, index: Any) -> None:
    method = user_method(holder, "__delitem__")
    if method:
        method(index)
    elif isinstance(holder, CONTAINERS):
        runtime.trace.heap.touch(Contents(holder))
        items: Any = holder
        del items[as_key(holder, index) if isinstance(holder, dict) else index]
    elif hasattr(type(holder), "__delitem__"):
        call(holder.__delitem__, (index,), {})
    else:
        raise TypeError(f"'{kind(holder)}' object doesn't support item deletion")
