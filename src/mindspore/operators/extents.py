"""Shapes of results where sizes are not known while compiling.

`measured`: the shape depends on elements (`x[mask]`, `unique`).  The operator is run on the elements of
the current run, and the extents that it gives become symbols with those hints.
`probed`: sizes of the inputs are symbols, and the operator has no shape rule.  The kernel runs on torch's
meta device with several numbers in place of the symbols; where the results follow a linear law, that is
their shape.  The generated source compares it with what comes.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import torch

from mindspore.core.kinds import is_tuple
from mindspore.ir import Aval, Node, Sizes, emit, emit_items, symbols_of, valued
from mindspore.ir.runtime import runtime

from .avals import aval_of
from .table import REGISTRY

_STEPS = (1, 3, 8)       # how far the numbers of a probe lie from the hints


def measured(op: Any, ins: tuple[Any, ...], attrs: dict[str, Any], error: Exception) -> Any:
    """Append a node for an operator whose extents depend on elements.

    Raises `error` where these are not known, as inside of a loop on a tensor.
    """
    env = runtime.sizes
    if env is None or env.quiet:
        raise error
    try:
        values = [env.value(x) if type(x) is Node else x for x in ins]
        missing = any([v is None and x is not None for v, x in zip(values, ins, strict=True)])
        with torch.no_grad():
            out: Any = None if missing else op.kernel(*values, **valued(attrs, lambda s: s.actual))
    except (RuntimeError, ValueError, IndexError, TypeError, AssertionError, AttributeError):
        raise error from None          # the function runs in Python, where the fault has its own words
    if missing:
        raise error
    outs: tuple[torch.Tensor, ...] = out if is_tuple(out) else (out,)
    avals = [x.aval if type(x) is Node else x for x in ins]
    named: Any = op.dynamic_rule(*avals, **attrs) if op.dynamic_rule else [(None,) * o.dim() for o in outs]
    fresh: dict[str, Any] = {}
    kinds = [_aval(env, o, names, fresh) for o, names in zip(outs, named, strict=True)]
    if isinstance(out, tuple):
        made: Any = emit_items(op, ins, attrs, kinds)
        for node, value in zip(made, outs, strict=True):
            env.remember(node, value)
        return made
    made = emit(op, ins, attrs, kinds[0])
    env.remember(made, out)
    return made


def _aval(env: Sizes, value: torch.Tensor, names: Sequence[Any], fresh: dict[str, Any]) -> Aval:
    """The aval of a result: extents with a name are unknown, those of one name are the same."""
    shape: list[Any] = []
    for extent, name in zip(value.shape, names, strict=True):
        if name is None:
            symbol = env.result(extent)
            shape.append(env.constant(symbol))
        elif type(name) is str:
            if name not in fresh:
                fresh[name] = env.result(extent)
            shape.append(fresh[name])
        else:
            shape.append(name)
    return Aval(tuple(shape), aval_of(value).dtype)


def number(node: Node) -> Any:
    """The integer that a node computes, as a size, whose hint is its value in the current run.

    Raises:
        UnknownExtent: If it has no value while compiling, as inside of a loop on a tensor.
    """
    env = runtime.sizes
    found = env.known.get(id(node)) if env else None
    if found is None:
        above, below = REGISTRY["Marks"](node).shape
        found = above if below == 0 else -below
        if env:
            env.known[id(node)] = found
            env.alive.append(node)
    return found


def probed(env: Sizes, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """The avals of the results of a kernel on inputs whose sizes are symbols."""
    symbols = sorted(symbols_of((inputs, tuple(attrs.values())), set()), key=lambda s: s.serial)
    for s in symbols:
        if type(s.hint) is float:         # no size: the program holds for this value
            float(env.real(s))
    symbols = [s for s in symbols if type(s.hint) is not float]

    def at(shift: dict[Any, int]) -> tuple[Aval, ...]:
        def number(s: Any) -> int:
            return s.hint + shift.get(s, 0)
        found = op.from_meta(valued(inputs, number),
                             {k: valued(v, number) for k, v in attrs.items()})
        return (found,) if type(found) is Aval else found

    hint = attrgetter("hint")
    first = op.from_meta(valued(inputs, hint), {k: valued(v, hint) for k, v in attrs.items()})
    single = type(first) is Aval
    base = (first,) if single else first
    law = _law(symbols, at, base)
    alike = [s for s in symbols if [t.hint for t in symbols].count(s.hint) > 1]
    if law is None and alike:             # perhaps because some of the sizes have to be equal
        common = {s.hint: s for s in reversed(alike)}
        if all([env.make({(s,): 1}) == env.make({(common[s.hint],): 1}) for s in alike]):
            symbols = [s for s in symbols if s not in alike or common[s.hint] is s]

            def alike_at(shift: dict[Any, int]) -> tuple[Aval, ...]:
                return at(shift | {s: shift.get(common[s.hint], 0) for s in alike})
            law = _law(symbols, alike_at, base)
    if law is None:                       # no law: the program holds for these sizes
        known = {s: env.constant(env.make({(s,): 1})) for s in symbols}
        assert all(known[s] == s.hint for s in symbols)
        found: Any = base
    else:
        found = tuple([Aval(tuple([_sum(env, terms) for terms in shape]), a.dtype)
                       for shape, a in zip(law, base, strict=True)])
    return found[0] if single else found


def _law(symbols: list[Any], at: Callable[..., Any], base: tuple[Aval, ...]) -> Any:
    """For each extent of each result its linear terms {symbol: factor, None: constant}; None if the
    extents follow no such law."""
    try:
        tables = [[{None: n} for n in a.shape] for a in base]
        for s in symbols:
            for one, moved in zip(tables, at({s: 1}), strict=True):
                for terms, n in zip(one, moved.shape, strict=True):
                    terms[s] = n
        for one, a in zip(tables, base, strict=True):
            for terms, n in zip(one, a.shape, strict=True):
                for s in symbols:
                    terms[s] -= n
                terms[None] = n - sum([terms[s] * s.hint for s in symbols])
        checks = [{s: step for s in symbols} for step in _STEPS]
        checks += [{s: step * (i + 1) for i, s in enumerate(symbols)} for step in _STEPS]
        checks += [{s: -1 for s in symbols if s.hint > 2}]
        for shift in checks:
            values = {s: s.hint + shift.get(s, 0) for s in symbols}
            for one, moved in zip(tables, at(shift), strict=True):
                if [_at(terms, values) for terms in one] != list(moved.shape):
                    return None
    except (RuntimeError, ValueError, TypeError, IndexError):     # some of the sizes do not fit
        return None
    return tables


def _at(terms: dict[Any, int], values: dict[Any, int]) -> int:
    return terms[None] + sum([f * values[s] for s, f in terms.items() if s is not None])


def _sum(env: Sizes, terms: dict[Any, int]) -> Any:
    return env.make({(() if s is None else (s,)): f for s, f in terms.items()})
