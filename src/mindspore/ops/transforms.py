"""Transformations of functions built on the reverse sweep: Jacobians, Taylor series."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.eager.tensor import is_tensor
from mindspore.ir import tree
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY

from .gradients import Compiled, further, jvp, pushed_forward
from .linearised import Linearised, detached, invoke


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

    Args:
        fn: Function or Cell.
        grad_position: Positional arguments to differentiate, an int or a tuple.
        has_aux: Whether only the first of `fn`'s results is differentiated.

    Returns:
        A function of `fn`'s arguments; with `has_aux` it returns (Jacobian, aux).

    Examples:
        >>> ops.jacrev(lambda x: x * x)(Tensor([1.0, 2.0])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
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
    """The Jacobian of `fn` by one directional derivative per element of its inputs; see `jacrev`.

    Args:
        fn: Function or Cell.
        grad_position: Positional arguments to differentiate, an int or a tuple.
        has_aux: Whether only the first of `fn`'s results is differentiated.

    Returns:
        A function of `fn`'s arguments; with `has_aux` it returns (Jacobian, aux).

    Examples:
        >>> ops.jacfwd(lambda x: x * x)(Tensor([1.0, 2.0])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """
    positions = (grad_position,) if isinstance(grad_position, int) else tuple(grad_position)

    def run(*args: Any) -> Any:
        def chosen(*values: Any) -> Any:
            full = list(args)
            for p, v in zip(positions, values, strict=True):
                full[p] = v
            return invoke(fn, full)
        points = [args[p] for p in positions]
        (whole, push), jacobians = pushed_forward(chosen, points, has_aux), []
        head = whole[0] if has_aux else whole
        for k, x in enumerate(points):
            columns = []
            for i in range(x.size):
                tangents = [structure.zeros_like(q) for q in points]
                tangents[k] = _one_hot(tuple(x.shape), i, x)
                columns.append(push(tangents))
            jacobians.append([structure.reshape(
                REGISTRY["Stack"](*[c[o] for c in columns], axis=-1),
                shape=(*columns[0][o].shape, *x.shape)) for o in range(len(columns[0]))])
        by_out = [list(column) for column in zip(*jacobians, strict=True)]
        return _arranged(by_out, head, grad_position, whole, has_aux)
    return Compiled("jacfwd", run)


def _arranged(by_out: list[list[Any]], head: Any, grad_position: Any, whole: Any, has_aux: bool) -> Any:
    """Jacobians as the public functions nest them: per result, then per position."""
    single = isinstance(grad_position, int)
    found = [js[0] if single else tuple(js) for js in by_out]
    result = found[0] if is_tensor(head) else tuple(found)
    return (detached(result), detached(further(whole))) if has_aux else detached(result)


_HIGHEST = 170             # order of a derivative: factorials of more are beyond float64


def derivative(fn: Any, primals: Any, order: int) -> tuple[Any, Any]:
    """(value, derivative of that order) of a function along the direction of ones.

    Args:
        fn: Function or Cell.
        primals: Its argument, or a tuple of them.
        order: A positive int.

    Returns:
        The value and the derivative.

    Raises:
        TypeError: If `order` is no int.
        ValueError: If `order` is not positive.

    Examples:
        >>> value, second = ops.derivative(lambda x: x * x * x, Tensor(2.0), 2)
        >>> value.item(), second.item()
        (8.0, 12.0)
    """
    if isinstance(order, bool) or not isinstance(order, int):
        raise TypeError(f"For 'derivative', the 'order' must be an int, but got {order!r}.")
    if not 1 <= order <= _HIGHEST:
        raise ValueError(f"For 'derivative', the 'order' must be positive and at most {_HIGHEST}, but got {order}.")
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

    Args:
        fn: Function or Cell.
        primals: x(0), a tensor or a tuple of tensors.
        series: The derivatives of x stacked along a new first dimension, likewise.

    Returns:
        The value and the derivatives.

    Examples:
        >>> value, found = ops.jet(lambda x: x * x, Tensor([3.0]), Tensor([[1.0], [0.0]]))
        >>> value.tolist(), found.tolist()
        ([9.0], [[6.0], [2.0]])
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


__all__ = ["derivative", "jacfwd", "jacrev", "jet"]
