"""Transformations of functions built on the reverse sweep: Jacobians, Taylor series, `vmap`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.compiler import tree
from mindspore.core.tensor import is_tensor
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY

from .gradients import Compiled, Linearised, detached, invoke, jvp


def _one_hot(shape: tuple[int, ...], at: int, like: Any) -> Any:
    """Zeros of that shape with a one at the flat index `at`."""
    size = 1
    for extent in shape:
        size *= extent
    parts = [structure.full(shape=(n,), value=v, dtype=like.dtype)
             for n, v in ((at, 0), (1, 1), (size - at - 1, 0)) if n]
    flat = REGISTRY["Concat"](*parts, axis=0) if len(parts) > 1 else parts[0]
    return structure.reshape(flat, shape=tuple(shape))


def jacrev(fn: Any, grad_position: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The Jacobian of `fn` by one reverse sweep per element of its result.

    The Jacobian of a result of shape S for an input of shape T has shape S + T; a tuple of them for
    several results, and of those for a tuple of positions.
    """
    positions = (grad_position,) if isinstance(grad_position, int) else tuple(grad_position)

    def run(*args: Any) -> Any:
        line = Linearised(fn, args, {}, positions, [])
        head = line.out[0] if has_aux else line.out
        outs = tree.leaves(head, is_tensor)
        jacobians = []
        for k, out in enumerate(outs):
            rows = []
            for i in range(out.size):
                douts = [None] * len(outs)
                douts[k] = _one_hot(tuple(out.shape), i, out)
                rows.append(line.pull(outs, douts, keep=True))
            columns = [REGISTRY["Stack"](*[r[p] for r in rows], axis=0) for p in range(len(positions))]
            jacobians.append([structure.reshape(c, shape=(*out.shape, *c.shape[1:])) for c in columns])
        return _arranged(jacobians, head, grad_position, line.out, has_aux)
    return Compiled("jacrev", run)


def jacfwd(fn: Any, grad_position: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The Jacobian of `fn` by one directional derivative per element of its inputs; see `jacrev`."""
    positions = (grad_position,) if isinstance(grad_position, int) else tuple(grad_position)

    def run(*args: Any) -> Any:
        def chosen(*values: Any) -> Any:
            full = list(args)
            for p, v in zip(positions, values, strict=True):
                full[p] = v
            out = invoke(fn, full)
            return out[0] if has_aux else out
        points = [args[p] for p in positions]
        head, jacobians = None, []
        for k, x in enumerate(points):
            columns = []
            for i in range(x.size):
                tangents = [structure.zeros_like(q) for q in points]
                tangents[k] = _one_hot(tuple(x.shape), i, x)
                head, tangent = jvp(chosen, tuple(points), tuple(tangents))
                columns.append(tree.leaves(tangent, is_tensor))
            jacobians.append([structure.reshape(
                REGISTRY["Stack"](*[c[o] for c in columns], axis=-1),
                shape=(*columns[0][o].shape, *x.shape)) for o in range(len(columns[0]))])
        by_out = [list(column) for column in zip(*jacobians, strict=True)]
        whole = invoke(fn, args) if has_aux else head
        return _arranged(by_out, head, grad_position, whole, has_aux)
    return Compiled("jacfwd", run)


def _arranged(by_out: list[list[Any]], head: Any, grad_position: Any, whole: Any, has_aux: bool) -> Any:
    """Jacobians as the public functions nest them: per result, then per position."""
    single = isinstance(grad_position, int)
    found = [js[0] if single else tuple(js) for js in by_out]
    result = found[0] if is_tensor(head) else tuple(found)
    return (detached(result), detached(tuple(whole[1:]))) if has_aux else detached(result)


def derivative(fn: Any, primals: Any, order: int) -> tuple[Any, Any]:
    """(value, derivative of that order) of a function along the direction of ones."""
    if isinstance(order, bool) or not isinstance(order, int):
        raise TypeError(f"For 'derivative', the 'order' must be an int, but got {order!r}.")
    if order < 1:
        raise ValueError(f"For 'derivative', the 'order' must be positive, but got {order}.")
    inner = fn
    for _ in range(order):
        inner = _directional(inner)
    points = primals if isinstance(primals, tuple) else (primals,)
    return invoke(fn, points), inner(*points)


def _directional(fn: Any) -> Callable[..., Any]:
    def slope(*points: Any) -> Any:
        return jvp(fn, points, tuple([structure.ones_like(p) for p in points]))[1]
    return slope


def jet(fn: Any, primals: Any, series: Any) -> tuple[Any, Any]:
    """(value, derivatives) of t -> fn(x(t)) at 0, where `series[k]` is the derivative of x of order k+1.

    The series of a result stacks its derivatives of orders 1, 2, ... along a new first axis.
    """
    points = primals if isinstance(primals, tuple) else (primals,)
    rows = series if isinstance(series, tuple) else (series,)
    count = rows[0].shape[0]

    def along(*ts: Any) -> Any:
        values = []
        for x, row, t in zip(points, rows, ts, strict=True):
            power, factorial = t, 1
            for k in range(count):
                factorial *= k + 1
                x = x + row[k] * power / factorial
                power = power * t
            values.append(x)
        return invoke(fn, values)
    zeros = tuple([structure.zeros_like(x) for x in points])
    found, inner = [], along
    for _ in range(count):
        inner = _directional(inner)
        found.append(inner(*zeros))
    value = invoke(fn, points)
    if is_tensor(value):
        return value, REGISTRY["Stack"](*found, axis=0)
    return value, tuple([REGISTRY["Stack"](*column, axis=0) for column in zip(*found, strict=True)])


def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """`fn` over the slices of its inputs along `in_axes`, the results stacked along `out_axes`.

    `fn` runs once per slice, in both modes.

    Raises:
        ValueError: If no input is mapped, or the mapped extents differ.
    """
    def run(*args: Any) -> Any:
        axes = in_axes if isinstance(in_axes, (tuple, list)) else [in_axes] * len(args)
        if len(axes) != len(args):
            raise ValueError(f"For 'vmap', 'in_axes' has {len(axes)} entries, but the function was "
                             f"called with {len(args)} arguments.")
        spread = [_spread(a, axis) for a, axis in zip(args, axes, strict=True)]
        extents = {len(s) for s in spread if s is not None}
        if len(extents) != 1:
            raise ValueError(f"For 'vmap', the mapped axes must have one extent, but got "
                             f"{sorted(extents)} for 'in_axes' {in_axes}.")
        results = [invoke(fn, [a if s is None else s[i] for a, s in zip(args, spread, strict=True)])
                   for i in range(extents.pop())]
        return _gathered(results, out_axes)
    return Compiled("vmap", run)


def _spread(value: Any, axis: Any) -> list[Any] | None:
    """The slices of an argument; None if it is not mapped."""
    if axis is None:
        return None
    if is_tensor(value):
        first = structure.transpose(value, perm=structure.move_axis(value.ndim, axis, 0))
        return [first[i] for i in range(first.shape[0])]
    inner = [_spread(v, a) for v, a in zip(value, axis if isinstance(axis, (tuple, list)) else
                                           [axis] * len(value), strict=True)]
    extent = len(next(s for s in inner if s is not None))
    return [type(value)([v if s is None else s[i] for v, s in zip(value, inner, strict=True)])
            for i in range(extent)]


def _gathered(results: list[Any], axis: Any) -> Any:
    first = results[0]
    if is_tensor(first):
        stacked = REGISTRY["Stack"](*results, axis=0)
        return structure.transpose(stacked, perm=structure.move_axis(stacked.ndim, 0, axis))
    axes = axis if isinstance(axis, (tuple, list)) else [axis] * len(first)
    return tuple([_gathered(list(column), a)
                  for column, a in zip(zip(*results, strict=True), axes, strict=True)])


__all__ = ["derivative", "jacfwd", "jacrev", "jet", "vmap"]
