"""Loop forms of operators (`operators.loops`) as graphs of operators."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import int64
from mindspore.ir import Aval, Node, avals_of
from mindspore.operators.loops import Element

from .core_operators import apply, cast, number, shaped, spread

_WORDS = {
    "neg": "Neg", "abs": "Abs", "exp": "Exp", "log": "Log", "tanh": "Tanh", "erf": "Erf", "sigmoid": "Sigmoid",
    "sqrt": "Sqrt", "rsqrt": "Rsqrt", "not": "LogicalNot", "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div",
    "maximum": "Maximum", "minimum": "Minimum", "eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessEqual",
    "gt": "Greater", "ge": "GreaterEqual", "and": "LogicalAnd", "or": "LogicalOr", "where": "Select"}
_REDUCTIONS = {"sum": "ReduceSum", "max": "ReduceMax"}


def computed(node: Node, params: list[Node]) -> list[Any] | None:
    """The results of an operator by its loop form, on nodes in place of its tensors; None if it has none."""
    op: Any = node.op
    given = iter(params)
    operands = [next(given) if type(x) is Node else x for x in node.inputs]
    elements = [Element("input", (), tuple(x.aval.shape), x.aval.dtype, i) if type(x) is Node else x
                for i, x in enumerate(operands)]
    found = op.loop_rule(*elements, **{**op.attrs, **node.attrs}) if op.loop_rule else None
    if found is None:
        return None
    memo: dict[int, Any] = {}
    results = found if isinstance(found, tuple) else (found,)
    return [_as(_node(e, operands, memo), aval) for e, aval in zip(results, avals_of(node), strict=True)]


def _as(x: Any, aval: Aval) -> Any:
    return spread(cast(x, aval.dtype), aval.shape)


def _node(element: Element, operands: list[Any], memo: dict[int, Any]) -> Any:
    """The node of an element; elements that are shared are computed once."""
    if id(element) not in memo:
        memo[id(element)] = _one(element, [_node(a, operands, memo) for a in element.args], operands)
    return memo[id(element)]


def _one(element: Element, args: list[Any], operands: list[Any]) -> Any:
    word = element.word
    if word == "input":
        return shaped(operands[element.value], element.shape)
    if word == "constant":
        return number(element.value, element.dtype)
    if word == "index":
        count = element.shape[-1]
        return apply("Constant", values=tuple(range(count)), shape=element.shape, dtype=int64)
    if word == "cast":
        return cast(args[0], element.dtype)
    if word == "shaped":
        return shaped(args[0], element.shape)
    if word in _REDUCTIONS:
        return apply(_REDUCTIONS[word], args[0], axis=element.value, keep_dims=True)
    return apply(_WORDS[word], *args)
