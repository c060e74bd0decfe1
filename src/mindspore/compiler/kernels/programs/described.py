"""What a node is to native programs."""
from __future__ import annotations

from math import prod
from typing import Any

from mindspore.core.dtype import bool_, float32, int32, int64
from mindspore.core.kinds import is_tuple
from mindspore.ir import Aval, Node, symbolic
from mindspore.ir.graph import avals_of
from mindspore.operators.choices import choices
from mindspore.operators.fused import generated
from mindspore.operators.loops import Element
from mindspore.operators.stages import Correlation, Indexed, MaxPool, Product

from . import products

DTYPES = (float32, bool_, int32, int64)
_MOST_TAPS, _MOST_SAMPLES = 49, 1 << 10


class Unfit(Exception):
    """A node is no stage of a native program."""


def description(node: Node) -> Any:
    """What a node is: a stage of `operators.stages`, a tuple of elements; None if native programs do not compute it."""
    values = [*[x for x in node.inputs if type(x) is Node], *(node.items or (node,))]
    if any(type(x.aval) is not Aval or x.dtype not in DTYPES or x.aval.weak
           or not all(type(n) is int and n for n in x.shape) for x in values) or symbolic(
               (*[x for x in node.inputs if type(x) is not Node], *node.attrs.values())):
        return None
    if node.op is generated:
        kernel = node.attrs["kernel"]
        return tuple(kernel.outs) if hasattr(kernel, "outs") else None
    given, count = list[Any](), 0
    for x in node.inputs:
        given.append(Element("input", (), x.shape, x.dtype, count) if type(x) is Node else x)
        count += type(x) is Node
    attrs = {**getattr(node.op, "attrs", {}), **node.attrs}
    rule = getattr(node.op, "stage_rule", None)
    found = rule(*given, **attrs) if rule else None
    if found is None and getattr(node.op, "loop_rule", None):
        found = node.op.loop_rule(*given, **attrs)
        found = None if found is None else found if is_tuple(found) and type(found) is tuple else (found,)
    return found if found is not None and _fits(node, found) else None


def _fits(node: Node, found: Any) -> bool:
    """Whether a description suits the current dtypes and sizes."""
    inputs = [x for x in node.inputs if type(x) is Node]
    if type(found) is Correlation:
        used = [node.inputs[k] for k in found.operands]
        w = used[1] if found.of in ("result", "input") else (node.items or (node,))[0]
        return (all(x.dtype is float32 for x in used) and prod(w.shape) <= choices().program_weights
                and prod(w.shape[2:]) <= _MOST_TAPS and 1 < used[0].shape[0] <= _MOST_SAMPLES)
    if type(found) is MaxPool:
        return inputs[0].dtype is float32 and 1 < inputs[0].shape[0] <= _MOST_SAMPLES and prod(found.window) <= 16
    if type(found) is Product:
        return bool(products.symbols()) and all(x.dtype is float32 for x in inputs)
    forms = found.forms if type(found) is Indexed else found
    return type(forms) is tuple and all(
        type(f) is Element and (f.shape, f.dtype) == (a.shape, a.dtype)
        for f, a in zip(forms, avals_of(node), strict=True))


def operands(node: Node) -> list[Node]:
    """The nodes that a node of a native program uses."""
    found = description(node)
    return [x for k, x in enumerate(node.inputs)
            if type(x) is Node and (type(found) is not Correlation or k in found.operands)]
