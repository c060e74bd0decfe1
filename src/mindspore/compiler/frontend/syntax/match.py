"""`match`: patterns on values whose structure is known; parts of them may be tensors."""
from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from mindspore.compiler.frontend.calls.attributes import get_attribute
from mindspore.compiler.frontend.calls.dispatch import call
from mindspore.compiler.frontend.calls.infix import compare, truth
from mindspore.compiler.frontend.control.branching import fork
from mindspore.compiler.frontend.control.tasks import Cases, Steps
from mindspore.compiler.frontend.objects import names
from mindspore.compiler.frontend.objects.state import number_kind
from mindspore.compiler.frontend.values.conditional import Conditional, resolved
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.operators.registry import REGISTRY

from .conditions import condition


def match_(f: Any, s: ast.Match, after: Any) -> Any:
    """`match` on a value whose structure is known; parts of it may be tensors."""
    return Cases(s, f.eval(s.subject), 0), after


def cases(f: Any, task: Cases, after: Any) -> Any:
    """Continue with the first case that fits."""
    for i in range(task.at, len(task.node.cases)):
        case = task.node.cases[i]
        bound: dict[str, Any] = {}
        try:
            test = _fits(f, case.pattern, task.subject, bound)
        except _Asked as asked:                # in either branch it is known which value it is
            again = Cases(task.node, task.subject, i)
            return fork(f, asked.test, names.leaves(task.node), again, again, after)
        if test is False:
            continue
        for name, value in bound.items():
            f.store(name, value)
        if case.guard:
            guard = condition(f, case.guard)
            test = _both(test, guard)
        if test is False:
            continue
        then = Steps(case.body)
        if test is True:
            return then, after
        rest = Cases(task.node, task.subject, i + 1)
        return fork(f, test, names.leaves(task.node), then, rest, after)
    return after


class _Asked(Exception):
    """A pattern looks at a value that an `if` on a tensor chose."""

    def __init__(self, test: Any):
        self.test = test


def _both(a: Any, b: Any) -> Any:
    return _joined("LogicalAnd", False, a, b)


def _either(a: Any, b: Any) -> Any:
    return _joined("LogicalOr", True, a, b)


def _joined(name: str, decides: bool, a: Any, b: Any) -> Any:
    """Two tests as one; the bool `decides` is the result alone, the other bool leaves it to the other test."""
    if a is decides or b is decides:
        return decides
    if type(a) is bool:
        return b
    return a if type(b) is bool else REGISTRY[name](a, b)


def _fits(f: Any, p: Any, value: Any, bound: dict[str, Any]) -> Any:
    """Whether a pattern fits: True, False or a condition; captures go to `bound`."""
    kind = type(p)
    if kind is ast.MatchAs:
        test = True if p.pattern is None else _fits(f, p.pattern, value, bound)
        if p.name and test is not False:
            bound[p.name] = value
        return test
    if type(value) is Conditional:
        value = resolved(value)
        if type(value) is Conditional:
            raise _Asked(value.test)
    if kind is ast.MatchValue:
        wanted = f.eval(p.value)
        if isinstance(value, (Node, Tensor)) or isinstance(wanted, (Node, Tensor)):
            return truth(value == wanted)
        return truth(compare(ast.Eq(), value, wanted))
    if kind is ast.MatchSingleton:
        if p.value is not None and type(value) is Node and number_kind(value) is bool:
            return value if p.value else REGISTRY["LogicalNot"](value)
        return value is p.value
    if kind is ast.MatchOr:
        test: Any = False
        for one in p.patterns:
            test = _either(test, _fits(f, one, value, bound))
            if test is True:
                break
        return test
    return {ast.MatchSequence: _sequence, ast.MatchMapping: _mapping,
            ast.MatchClass: _class}[kind](f, p, value, bound)


def _sequence(f: Any, p: ast.MatchSequence, value: Any, bound: dict[str, Any]) -> Any:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        return False
    star = next((i for i, q in enumerate(p.patterns) if isinstance(q, ast.MatchStar)), None)
    count = len(p.patterns)
    if (star is None and len(value) != count) or (star is not None and len(value) < count - 1):
        return False
    values = list(value)
    if star is not None:
        end = len(values) - (count - 1 - star)
        values = [*values[:star], values[star:end], *values[end:]]
    test: Any = True
    for q, v in zip(p.patterns, values, strict=True):
        if isinstance(q, ast.MatchStar):
            if q.name:
                bound[q.name] = v
        else:
            test = _both(test, _fits(f, q, v, bound))
    return test


def _mapping(f: Any, p: ast.MatchMapping, value: Any, bound: dict[str, Any]) -> Any:
    if not isinstance(value, Mapping):
        return False
    keys = [f.eval(k) for k in p.keys]
    test: Any = True
    for key, q in zip(keys, p.patterns, strict=True):
        if key not in value:
            return False
        test = _both(test, _fits(f, q, value[key], bound))
    if p.rest:
        bound[p.rest] = {k: v for k, v in value.items() if k not in keys}
    return test


def _class(f: Any, p: ast.MatchClass, value: Any, bound: dict[str, Any]) -> Any:
    cls = f.eval(p.cls)
    if not call(isinstance, (value, cls), {}):
        return False
    if cls in (int, float, bool, str, tuple, list, dict, set, bytes) and p.patterns:
        return _fits(f, p.patterns[0], value, bound)
    named = [*zip(getattr(cls, "__match_args__", ()), p.patterns, strict=False),
             *zip(p.kwd_attrs, p.kwd_patterns, strict=True)]
    if len(p.patterns) > len(getattr(cls, "__match_args__", ())):
        raise TypeError(f"{cls.__name__}() accepts {len(getattr(cls, '__match_args__', ()))} positional "
                        f"sub-patterns ({len(p.patterns)} given)")
    test: Any = True
    for name, q in named:
        if not hasattr(value, name):
            return False
        test = _both(test, _fits(f, q, get_attribute(value, name), bound))
    return test
